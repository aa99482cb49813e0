"""A report as a LaTeX table: booktabs, the best values in bold, significant differences marked."""

from __future__ import annotations

import re

from goldassay.core.text import one_line
from goldassay.report.cells import group_tables, legend, score_table
from goldassay.report.results import Results
from goldassay.report.tables import MARK, Cell, TextTable

SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\textasciigrave{}",
    "'": r"\textquotesingle{}",
    **{character: f"\\{character}" for character in "&%$#_{}"},
}
PATTERN = re.compile("|".join([*map(re.escape, SPECIAL), "-(?=-)"]))
"""What is no letter in LaTeX; two hyphens would become a dash."""


def to_latex(report: Results, places: int, percent: bool) -> str:
    r"""Write a report as a LaTeX table.

    Example:
        >>> import goldassay
        >>> gold = goldassay.Graph.from_edges([("cat", "animal")])
        >>> print(goldassay.evaluate(gold, gold=gold, measures="literal").format("latex", places=2))
        % needs \usepackage{booktabs}
        % literal|edges:given|text:given|gold:1|pred:1|goldassay:0.2.0
        \begin{tabular}{llrrr}
        \toprule
        Prediction & Measure & Precision & Recall & F1 \\
        \midrule
        prediction & literal & 1.00 & 1.00 & 1.00 \\
        \bottomrule
        \end{tabular}
    """
    explained = legend(report)
    scores = score_table(report, None, places=places, percent=percent, counted=False)
    lines = [r"% needs \usepackage{booktabs}", *(f"% {one_line(line)}" for line in report.signatures)]
    lines += _tabular(scores, note=explained or "")
    for table in group_tables(report, places=places, percent=percent):
        lines += ["", f"% {table.title}", *_tabular(table)]
    return "\n".join(lines)


def _tabular(table: TextTable, *, note: str = "") -> list[str]:
    columns = "l" * table.names + "r" * (len(table.head) - table.names)
    return [
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        _line([escape(name.replace("_", " ").capitalize()) for name in table.head]),
        r"\midrule",
        *(_line(list(map(_written, row))) for row in table.rows),
        r"\bottomrule",
        *([rf"\multicolumn{{{len(table.head)}}}{{p{{\linewidth}}}}{{{escape(note)}}} \\"] if note else []),
        r"\end{tabular}",
    ]


def escape(text: str) -> str:
    r"""Escape a text for LaTeX.

    Example:
        >>> escape("50% of a_b")
        '50\\% of a\\_b'
    """
    return PATTERN.sub(lambda found: SPECIAL.get(found.group(), "-{}"), one_line(text))


def _line(cells: list[str]) -> str:
    line = " & ".join(cells) + r" \\"
    # A star or a bracket here would belong to the command that ended the row above.
    return f"{{}}{line}" if line.startswith(("*", "[")) else line


def _written(cell: Cell) -> str:
    text = rf"\textbf{{{escape(cell.text)}}}" if cell.best else escape(cell.text)
    return text + (rf"$^{{{MARK}}}$" if cell.differs else "")
