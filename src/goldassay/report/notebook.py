"""A report in a notebook: a small table, without scripts, in the colours of the notebook."""

from __future__ import annotations

from html import escape

from goldassay.report.cells import MARK, Cell, Row, legend, score_rows, value_names
from goldassay.report.results import Results

NUMBER = "text-align:right;font-variant-numeric:tabular-nums"
TEXT = "text-align:left"


def notebook_table(report: Results) -> str:
    """Write the scores as a table of HTML.

    Args:
        report: The report.
    """
    head = "".join(
        f'<th style="{TEXT}">{name}</th>' for name in ("system" if report.systems else "prediction", "measure")
    )
    head += "".join(f'<th style="{NUMBER}">{escape(name)}</th>' for name in value_names(report))
    rows = "".join(map(_line, score_rows(report, places=4, percent=False)))
    told = [
        f"{report.kind}: {len(report.gold):,} {report.item}s of gold",
        *filter(None, [legend(report)]),
        *report.warnings,
    ]
    told += [note for system in report.systems for note in system.notes]
    notes = "".join(f"<div>{escape(line)}</div>" for line in told)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{notes}"


def _line(row: Row) -> str:
    signature = escape(row.signature)
    cells = "".join(f'<td style="{NUMBER}" title="{signature}">{_cell(cell)}</td>' for cell in row.cells)
    measure = f"<code>{escape(row.spec)}</code>"
    return f'<tr><td style="{TEXT}">{escape(row.label)}</td><td style="{TEXT}">{measure}</td>{cells}</tr>'


def _cell(cell: Cell) -> str:
    text = escape(cell.text) + (MARK if cell.differs else "")
    return f"<b>{text}</b>" if cell.best else text
