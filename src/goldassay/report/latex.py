"""A report as a LaTeX table: booktabs, the best values in bold, significant differences marked."""

from __future__ import annotations

import re

from goldassay.core.text import one_line
from goldassay.report.cells import MARK, Cell, GroupTable, group_tables, legend, published_rows, score_rows, value_names
from goldassay.report.results import Results

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
    names = value_names(report)
    signatures = (f"% {one_line(line)}" for line in report.signatures)
    head = [
        "System" if report.systems else "Prediction",
        "Measure",
        *(escape(name.replace("_", " ").capitalize()) for name in names),
    ]
    body = [
        [escape(row.label), escape(row.spec), *(_written(cell) for cell in row.cells)]
        for rows in (score_rows, published_rows)
        for row in rows(report, places=places, percent=percent)
    ]
    explained = legend(report)
    note = [rf"\multicolumn{{{len(head)}}}{{p{{\linewidth}}}}{{{escape(explained)}}} \\"] if explained else []
    return "\n".join(
        [
            r"% needs \usepackage{booktabs}",
            *signatures,
            rf"\begin{{tabular}}{{ll{'r' * len(names)}}}",
            r"\toprule",
            _line(head),
            r"\midrule",
            *map(_line, body),
            r"\bottomrule",
            *note,
            r"\end{tabular}",
            *(line for one in group_tables(report, places=places, percent=percent) for line in _groups(one)),
        ]
    )


def _groups(grouped: GroupTable) -> list[str]:
    return [
        "",
        f"% {one_line(grouped.title)}",
        rf"\begin{{tabular}}{{l{'r' * (len(grouped.head) - 1)}}}",
        r"\toprule",
        _line([escape(name.replace("_", " ").capitalize()) for name in grouped.head]),
        r"\midrule",
        *(_line([escape(cell) for cell in row]) for row in grouped.rows),
        r"\bottomrule",
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
