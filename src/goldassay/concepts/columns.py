"""Which columns of a file are ids, texts, concepts and trees."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from goldassay.concepts.reading import ConceptReading
from goldassay.core.errors import InputError, unknown_choice
from goldassay.formats.roles import DOCUMENTS, bare


def claims(name: str, columns: Sequence[str]) -> bool:
    """Claim plain text, and tables with a text or with concepts, but for those with triples.

    Example:
        >>> claims("json-lines", ["id", "answer"]), claims("json-lines", ["id", "text", "triples"])
        (True, False)
    """
    return name == "text" or (DOCUMENTS.recognises(columns) and {"triples", "triplets"}.isdisjoint(map(bare, columns)))


@dataclass(frozen=True)
class DocumentColumns:
    """Which column is what; None where there is none.

    Attributes:
        id: Ids of documents.
        text: Texts.
        concepts: Given concepts.
        tree: Trees, whose paths are the concepts.
    """

    id: str | None
    text: str | None
    concepts: str | None
    tree: str | None = None

    @property
    def named(self) -> list[str]:
        """The columns that there are."""
        return list(dict.fromkeys(name for name in (self.id, self.text, self.concepts, self.tree) if name is not None))


def columns_of(
    cells: Mapping[str, Any], reading: ConceptReading, *, chosen: str | None, path: str, headed: bool = True
) -> DocumentColumns:
    """Return which column is what, from the first record.

    Example:
        >>> columns_of({"qid": "1", "Answer": "Take aspirin."}, ConceptReading(), chosen=None, path="a.csv")
        DocumentColumns(id='qid', text='Answer', concepts=None, tree=None)
    """
    for role in DOCUMENTS.names:
        name = getattr(reading, role)
        if name is not None and name not in cells:
            raise unknown_choice(f"column of {path}", name, cells)
    identifier = reading.id or _only("id", cells, path)
    if chosen is not None:
        if chosen not in cells:
            raise unknown_choice(f"column of {path}", chosen, cells)
        holds_lists = _is_list(cells[chosen]) and not reading.searches
        if isinstance(cells[chosen], Mapping) or chosen == reading.tree:
            return DocumentColumns(identifier, None, None, chosen)
        return DocumentColumns(identifier, None if holds_lists else chosen, chosen if holds_lists else None)
    found = {*map(bare, cells)}
    tree = reading.tree or (None if reading.named or found & {"text", "concepts"} else _only("tree", cells, path))
    if tree is not None:
        return DocumentColumns(identifier, reading.text or _first("text", cells), None, tree)
    given = reading.concepts or (None if reading.searches or reading.text else _only("concepts", cells, path))
    text = reading.text or (_only("text", cells, path) if given is None else _first("text", cells))
    if text is None and given is None:
        raise InputError(
            "No column is recognised as texts, concepts or trees.",
            path=path,
            found=", ".join(cells),
            expected="a column 'text', 'concepts' or 'tree', and optionally 'id'",
            hint=_hint([name for name in cells if name != identifier], path, headed=headed),
        )
    return DocumentColumns(identifier, text, given)


def _hint(names: Sequence[str], path: str, *, headed: bool) -> str:
    if not names:
        return "name a column text, concepts or tree"
    name = shlex.quote(names[-1])
    flags = ", or ".join(f"--{role}-column {name}" for role in ("text", "concepts"))
    data = "; if the first row is data: --header no" if headed else ""
    return f"name it: {path}#{names[-1]}, or {flags}{data}"


def _first(role: str, cells: Iterable[str]) -> str | None:
    known = DOCUMENTS.called(role, cells)
    return known[0] if len(known) == 1 else None


def _only(role: str, cells: Iterable[str], path: str) -> str | None:
    known = DOCUMENTS.called(role, cells)
    if len(known) > 1:
        error = DOCUMENTS.several(role, known, path)
        if role != "id":
            error.hint = f"{path}#{known[0]}, or {error.hint}"
        raise error
    return known[0] if known else None


def _is_list(cell: Any) -> bool:
    return isinstance(cell, list | tuple) or (isinstance(cell, str) and cell.lstrip().startswith("["))
