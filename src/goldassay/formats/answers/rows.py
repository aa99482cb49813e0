"""What the rows of a table and the fields of a record state: which of them is what is decided by the names of columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from goldassay.formats.answers.lines import RawStatement
from goldassay.formats.answers.means import Meaning
from goldassay.formats.column_names import MARK_OF_ANCESTOR, MARK_OF_LEVEL
from goldassay.formats.list_cells import is_plural
from goldassay.formats.literals import names_in_cell
from goldassay.formats.roles import LABELS


def state_rows(names: Sequence[str], rows: Sequence[Sequence[Any]], meaning: Meaning) -> Iterator[list[RawStatement]]:
    """Return what each row states below names that are recognised: nothing if it lacks an end."""
    places = meaning.roles.chosen(names, always=True).places
    node, relation, extra = (places.get(role) for role in ("node", meaning.ends[1], meaning.more))
    steps = [(places.get(meaning.ends[0], places.get("text", node)), places.get(meaning.ends[2]))]
    if next(iter(places)).startswith((MARK_OF_LEVEL, MARK_OF_ANCESTOR)):
        steps = [(lower, upper) for upper, lower in pairwise(places.values())]
    # The parents of nodes may be ids.
    called = {_cell(row, node): _cell(row, places["text"]) for row in rows} if "text" in places else {}
    plural = [is_plural(name) for name in names]
    # A row of edges is of a child and its parent; one of correspondences without a relation says that both are equal.
    usual = meaning.is_a if meaning.nested == "tree" else ""
    for row in rows:
        written, more = str(_cell(row, relation, usual)), str(_cell(row, extra))
        yield [
            RawStatement(0, name, written, called.get(end, end), extra=more)
            for before, after in steps
            for name in _names_in(row, before, plural, meaning)
            for end in _names_in(row, after, plural, meaning)
        ]


def _names_in(row: Sequence[Any], at: int | None, plural: Sequence[bool], meaning: Meaning) -> list[str]:
    """List the names in a cell, which may be a list where an end may be several."""
    cell = _cell(row, at)
    if isinstance(cell, str) and (meaning.nested == "tree" or meaning.roles is LABELS):
        cell = names_in_cell(cell, plural=plural[at or 0]) or cell
    return [name for one in (cell if isinstance(cell, list) else [cell]) if (name := str(one).strip())]


def _cell(row: Sequence[Any], at: int | None, absent: str = "") -> Any:
    return absent if at is None or at >= len(row) else row[at]
