"""A report as text for a terminal, as Markdown for a page, and as LaTeX for a paper."""

from __future__ import annotations

import io
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from goldassay.core.model import Model
from goldassay.core.patterns import pattern_of
from goldassay.core.text import NumberFormat, list_counts, to_one_line
from goldassay.report.cells import (
    BETWEEN,
    LONG,
    MARK,
    MATCHED,
    PIPED,
    SHORTEST,
    Cell,
    TextTable,
    difference_tables,
    error_tables,
    fit_tables,
    group_tables,
    legend,
    other_tables,
    score_tables,
    short_labels,
    shorten_for_pipe,
    shorten_heads,
    shorten_names,
    show_cell,
)
from goldassay.report.results import Results

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

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
PATTERN = pattern_of("|".join([*map(re.escape, SPECIAL), "-(?=-)"]))
"""What is no letter in LaTeX; two hyphens would become a dash."""
COLUMN, PAGE, CHARACTER, GAP = 219, 455, 5.2, 12
"""Points in LaTeX: the width of one of two columns, of a page, of a character (11 points), and between two columns of a table."""
MINUS = pattern_of(r"(?<![\w.])-(?=\d)")
PLAIN_WIDTH = 200
BELOW = (difference_tables, group_tables, error_tables, other_tables)
"""The tables below those of scores."""
MOST_GROUPS = 20
"""Groups that text shows of each score, at most: those with most items."""
READING = 35
"""How much of a narrow terminal the role of a file, and how it was read, take."""
MARKDOWN = pattern_of(r"([\\`*<>\[\]|~&$]|(?<![^\W_])_|_(?![^\W_]))")
"""Markdown syntax; underscores within words are no syntax."""
SHORTEST_FENCE = 3


def to_latex(report: Results, style: NumberFormat) -> str:
    """Write a report as a LaTeX table."""
    lines = [r"% needs \usepackage{booktabs}", *(f"% {to_one_line(line)}" for line in report.signatures)]
    *scores, last = (_without_matches(table) for table in score_tables(report, style))
    below = chain(*(make(report, style) for make in BELOW))
    for table, notes in [*((one, []) for one in scores), (last, legend(report)), *((one, []) for one in below)]:
        lines += [*([""] if "tabular" in lines[-1] else []), *([f"% {table.title}"] if table.title else [])]
        lines += _tabular(table, notes)
    return "\n".join([*lines, *(f"% {to_one_line(line)}" for line in error_lines(report))])


def _without_matches(table: TextTable) -> TextTable:
    """Leave out how many items match, which a paper gives with its data."""
    kept = [place for place, name in enumerate(table.head) if name not in MATCHED.values()]
    rows = [[row[place] for place in kept] for row in table.rows]
    return table._replace(head=[table.head[place] for place in kept], rows=rows)


def _tabular(table: TextTable, notes: Sequence[str] = ()) -> list[str]:
    columns = "l" * table.names + "r" * (len(table.head) - table.names)
    width = sum(table.widths) * CHARACTER + len(table.head) * GAP
    return [
        *([r"% wider than a page: use table* and \footnotesize, or fewer --places"] if width > PAGE else []),
        *([r"% wider than one of two columns of a page: use table*, or \small"] if COLUMN < width <= PAGE else []),
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        _line([escape(name if kept else name.replace("_", " ").capitalize()) for name, kept in table.heads]),
        r"\midrule",
        *(
            _line([*map(_write_value, row[: table.names]), *map(_write_number, row[table.names :])])
            for row in table.rows
        ),
        r"\bottomrule",
        r"\end{tabular}",
        *(rf"\par{{\footnotesize {escape(note)}\par}}" for note in notes),
    ]


def escape(text: str) -> str:
    """Escape a text for LaTeX."""
    return PATTERN.sub(lambda found: SPECIAL.get(found.group(), "-{}"), to_one_line(text))


def _line(cells: list[str]) -> str:
    line = " & ".join(cells) + r" \\"
    # A star or a bracket here would belong to the command that ended the row above.
    return f"{{}}{line}" if line.startswith(("*", "[")) else line


def _write_value(cell: Cell) -> str:
    text = rf"\textbf{{{escape(cell.text)}}}" if cell.best else escape(cell.text)
    return text + (rf"$^{{{MARK}}}$" if cell.differs else "")


def _write_number(cell: Cell) -> str:
    return MINUS.sub("$-$", _write_value(cell))


def to_text(report: Results, style: NumberFormat) -> str:
    """Write a report as plain text."""
    width = plain_width(report, style)
    return _print_plain(text_parts(report, style), width)


def _print_plain(parts: Iterable[RenderableType], width: int) -> str:
    """Print what a terminal shows as plain text."""
    from rich.console import Console

    # In a notebook rich would show what is printed, and leave the file empty.
    console = Console(file=io.StringIO(), color_system=None, legacy_windows=False, force_jupyter=False)
    console.width = width
    for part in parts:
        console.print(part, soft_wrap=isinstance(part, str), highlight=False, markup=False)
    written: str = console.file.getvalue()  # type: ignore[attr-defined]
    return "\n".join(line.rstrip() for line in written.removesuffix("\n").split("\n"))


def plain_width(report: Results, style: NumberFormat) -> int:
    """Return how wide text is that no terminal bounds."""
    tables = [make(report, style) for make in (score_tables, *BELOW)]
    return max([PLAIN_WIDTH, *(table.width for table in chain(*tables))])


def text_parts(
    report: Results, style: NumberFormat, notes: bool = True, width: int | None = None
) -> Iterator[RenderableType]:
    """Return the parts of a report in the order in which a terminal shows them."""
    yield _sources_table(report, width)
    yield ""
    for table in score_tables(report, style):
        # Names of files are whole in the table above, those of systems and groups only here.
        yield from _fit(table if report.systems or width is not None else shorten_for_pipe(table), width)
    for table in difference_tables(report, style):
        yield from _fit(table if width is not None else shorten_for_pipe(table), width)
    wrap = partial(_wrap_line, width=width or PLAIN_WIDTH)
    explained = legend(report)
    if explained:
        yield from map(wrap, explained)
        yield ""
    if report.task is not None:
        yield from map(wrap, report.task.lines())
        yield ""
    for table in chain(
        group_tables(report, style, most=MOST_GROUPS),
        map(shorten_heads, error_tables(report, style)),
        other_tables(report, style),
    ):
        yield from _fit(table, width)
    if errors := list(error_lines(report)):
        yield from map(wrap, errors)
        yield ""
    # A signature is copied as one line.
    yield from signature_lines(report)
    yield from map(wrap, note_lines(report, notes=notes))


def _wrap_line(line: str, width: int) -> str:
    """Break a line between words, and indent what follows."""
    return "\n".join(
        textwrap.wrap(to_one_line(line), width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    )


def table_lines(table: TextTable, layout: str) -> list[RenderableType]:
    """Write a table that is not of a report: as Markdown, as LaTeX, or for a terminal."""
    if layout == "markdown":
        return [_markdown_table(table)]
    if layout == "latex":
        return [r"% needs \usepackage{booktabs}", *_tabular(table)]
    return [_rich_table(table)]


def table_text(table: TextTable, layout: str, width: int | None = None) -> str:
    """Write a table that is not of a report, with its title: as Markdown, as LaTeX, or as text of a width."""
    if layout == "text":
        return _print_plain(_fit(table, width), max(table.width, width or 0)).rstrip("\n")
    title = [f"% {table.title}"] if table.title and layout == "latex" else []
    return "\n".join([*title, *map(str, table_lines(table, layout))])


def _fit(table: TextTable, width: int | None) -> Iterator[RenderableType]:
    if table.title:
        yield table.title
    for part in fit_tables(table, width):
        yield _rich_table(part)
        yield ""


def signature_lines(report: Results) -> Iterator[str]:
    """Return the signature of every score."""
    yield from map(to_one_line, report.signatures)


def error_lines(report: Results) -> Iterator[str]:
    """Count the errors of every score of one prediction by kind, the most frequent first; of many items only on request (``--by error``)."""
    specs: dict[str, list[str]] = {}
    for score in report.runs[0].scores if len(report.runs) == 1 else ():
        matching = score.matching
        if kinds := matching.error_counts:
            sides = (
                _describe_errors(kinds.get("pred", {}), matching.sizes[0], "predicted"),
                _describe_errors(kinds.get("gold", {}), matching.sizes[1], "in gold"),
            )
            specs.setdefault("; ".join(filter(None, sides)), []).append(score.spec)
    yield from (f"errors of {', '.join(same)}: {line}" for line, same in specs.items() if line)


def _describe_errors(kinds: Mapping[str, int], items: int, where: str) -> str:
    """Count the errors of one side, which may be partly right, and each kind of them; nothing if there are none."""
    found = sorted(kinds.items(), key=lambda one: (-one[1], one[0]))
    listed = ", ".join(f"{count:,} {kind}" for kind, count in found)
    among = f" of {items:,}" if items else ""  # a loaded report does not know how many items were counted
    return f"{sum(kinds.values()):,}{among} {where} ({listed})" if found else ""


def note_lines(report: Results, *, notes: bool = True) -> Iterator[str]:
    """Return what the reader and the measures want a person to know, each line once; warnings are never left out."""
    lines = dict.fromkeys(
        [f"! {warning}" for warning in report.warnings]
        + [f"note: {note}" for system in report.systems for note in system.notes if notes]
        + [f"note: {_source(model)}: {note}" for model in _models(report) for note in model.notes if notes]
    )
    if lines:
        yield ""
        yield from map(to_one_line, lines)


def to_markdown(report: Results, style: NumberFormat) -> str:
    """Write a report as Markdown tables, the signatures below them."""
    scores, tested, *below = (
        [_markdown_table(table) for table in tables(report, style)] for tables in (score_tables, *BELOW)
    )
    notes = [*legend(report), *(report.task.lines() if report.task else ()), *report.unscored]
    signatures = "\n".join(f"- {code(line)}" for line in signature_lines(report))
    errors = "\n".join(f"- {_escape_cell(line)}" for line in error_lines(report))
    return "\n\n".join(
        [*scores, *tested, *map(_escape_cell, notes), *chain(*below), *filter(None, [errors]), signatures]
    )


def _markdown_table(table: TextTable) -> str:
    heads = [code_cell(name) if kept else _escape_cell(name) for name, kept in table.heads]
    rows = [heads, [*["---"] * table.names, *["---:"] * (len(table.head) - table.names)]]
    for row in table.rows:
        names, values = row[: table.names], row[table.names :]
        rows.append([*(code_cell(name.text) for name in names), *map(markdown_cell, values)])
    title = f"{code(table.title)}\n\n" if table.title else ""
    return title + "\n".join(map(markdown_row, rows))


def markdown_row(cells: Sequence[str]) -> str:
    """Write a row of a Markdown table."""
    return f"| {' | '.join(cells)} |"


def markdown_cell(cell: Cell) -> str:
    """Write a value in a table of Markdown, bold if it is the best."""
    text = f"**{cell.text}**" if cell.best else cell.text
    return text + (rf"\{MARK}" if cell.differs else "")


def _sources_table(report: Results, width: int | None) -> Table:
    from rich.cells import cell_len

    table = plain_table()
    models = _models(report)
    files = [*map(_source, models), *(one.label for one in report.failures)]
    counted = len(report.item) + 1
    folded = width is None and max(map(cell_len, files)) > PIPED - READING
    if width is not None and max(map(len, files)) > width - READING - counted:
        files = shorten_names(short_labels(files), max(width - READING - counted, SHORTEST))
    named = LONG if folded else max(map(cell_len, files))
    # Rich would cut both texts where only one can be narrower.
    room = PIPED if folded else width
    left = None if room is None else max(room - len(_roles(report)[0]) - named - counted - 3 * BETWEEN, SHORTEST)
    table.add_column("", style="bold", no_wrap=True)
    table.add_column(
        "file", overflow="fold", min_width=min(named, width or PLAIN_WIDTH), max_width=LONG if folded else None
    )
    table.add_column(f"{report.item}s", justify="right", no_wrap=True)
    table.add_column("how it was read", overflow="fold", max_width=left)
    for role, file, model in zip(_roles(report), files, models, strict=False):
        table.add_row(role, _cell(file), f"{len(model):,}", _cell(_reading(model)))
    for file in files[len(models) :]:
        table.add_row("pred", _cell(file), "", "not scored, see below")
    return table


def _rich_table(table: TextTable) -> Table:
    from rich.text import Text

    made = plain_table()
    for place, name in enumerate(table.head):
        made.add_column(name, justify="left" if place < table.names else "right", no_wrap=True)
    for row in table.rows:
        made.add_row(*(Text(show_cell(cell), style="bold" if cell.best else "") for cell in row))
    return made


def plain_table() -> Table:
    """Make a table without columns, as all tables look on a terminal."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    return Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="dim")


def _cell(text: str) -> RenderableType:
    from rich.text import Text

    return Text(to_one_line(text))


def _models(report: Results) -> list[Model]:
    return [*report.gold_models, *(run.pred for run in report.runs)]


def _roles(report: Results) -> list[str]:
    return [
        *("labels" if one.format == "labels" else "gold" for one in report.gold_models),
        *["pred"] * len(report.runs),
    ]


def _source(model: Model) -> str:
    return model.path or "(in memory)"


def _reading(model: Model) -> str:
    chosen = ", ".join(f"{name}: {choice}" for name, choice in model.choices.items())
    left_out = list_counts(model.left_out)
    return f"{model.format}, {chosen}" + (f"; left out: {left_out}" if left_out else "")


def _escape_cell(text: str) -> str:
    """Escape a text for one line of a Markdown table."""
    return MARKDOWN.sub(r"\\\1", to_one_line(text))


def code(text: str) -> str:
    """Write a text as code of Markdown, between more backticks than it contains.

    Example:
        >>> print(code("a|b"), code("`c`"))
        `a|b` `` `c` ``
    """
    line = to_one_line(text)
    fence = "`" * (1 + _backticks(line))
    blank = " " if "`" in line else ""
    return f"{fence}{blank}{line}{blank}{fence}"


def _backticks(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)


def code_cell(text: str) -> str:
    r"""Write a text as code in a cell of a Markdown table.

    A backslash before a bar has no form as code that all programs read alike, so that it is escaped text.

    Example:
        >>> print(code_cell("a|b"), code_cell(r"a\|b"))
        `a\|b` a\\\|b
    """
    return _escape_cell(text) if r"\|" in text or not text.strip() else code(text).replace("|", r"\|")


def fence(lines: Sequence[str]) -> list[str]:
    """Put lines into a block of code of Markdown, between more backticks than they contain."""
    fence = "`" * max(SHORTEST_FENCE, 1 + max(map(_backticks, lines), default=0))
    return [f"{fence}text", *lines, fence]
