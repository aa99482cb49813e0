"""Columns of documents and concepts, and the values of their cells."""

from __future__ import annotations

import re
import shlex
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from goldassay.concepts.assertions import AFFIRMED, CATEGORIES
from goldassay.concepts.fold import folded, pieces_of
from goldassay.concepts.model import NOWHERE, Found
from goldassay.concepts.reading import ConceptReading
from goldassay.concepts.trees import paths_of
from goldassay.core.errors import InputError, unknown_choice
from goldassay.core.limits import LIST
from goldassay.formats.literals import parse_literal
from goldassay.formats.roles import DOCUMENTS, bare

NAMES = (
    "text", "name", "pretty_name", "label_text", "concept", "term", "object_label", "match_string", "source_value", "mention", "entry_name",
)  # fmt: skip
KINDS = ("type_ids", "tui", "tuis", "semantic_type", "semantic_types", "type", "types", "group", "semantic_group")
IDS = ("cui", "curie", "kb_id", "kb_id_", "concept_id", "object_id", "identifier", "Identifier", "id", "code")
"""Where the id of a concept stands: ``id`` itself comes late, since annotators number their annotations by it."""
STARTS = ("start", "start_char", "begin", "subject_start")
ENDS = ("end", "end_char", "stop", "subject_end")
REMEMBERED = 2**18
"""Cache of parsed concepts."""
SEPARATORS = re.compile(r"[|;]")


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


def columns_of(
    cells: Mapping[str, Any], reading: ConceptReading, *, chosen: str | None, path: str, headed: bool = True
) -> DocumentColumns:
    """Return which column is what, from the first record.

    Args:
        cells: The first record.
        reading: The columns that were named.
        chosen: The column that holds the documents, as in ``answers.csv#reference``.
        path: The file.
        headed: Whether the names are the first row of a table.

    Raises:
        UsageError: If a named column does not exist.
        InputError: If no column, or more than one, is recognised as texts or concepts.

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


def id_of(cell: Any) -> str:
    """Read the id of a document.

    Raises:
        ValueError: If it is neither text nor a whole number; the message says what was found.

    Example:
        >>> id_of(" d1 "), id_of(7), id_of(7.0)
        ('d1', '7', '7')
    """
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    if isinstance(cell, bool) or not isinstance(cell, str | int) or not str(cell).strip():
        raise ValueError(_said(cell))
    return composed(str(cell).strip())


def text_cell(cell: Any) -> str:
    """Read a text, in composed characters; an empty text is an empty answer.

    Raises:
        TypeError: If it is not a text; the message says what was found.

    Example:
        >>> text_cell("cafe\u0301") == "caf\u00e9"
        True
    """
    if not isinstance(cell, str):
        raise TypeError(_said(cell))
    return composed(cell)


def given_concepts(cell: Any, *, fold: bool, most: int = LIST.default, text: str = "") -> list[Found]:
    """Read a list of concepts: texts, or objects with a text, an id, an assertion and a value, none of which is needed.

    Args:
        cell: The list.
        fold: Whether case and plurals are folded.
        most: How many concepts a list may have.
        text: The document, in which a concept that has only a place is named by what stands there.

    Raises:
        TypeError: If it is not a list, or one of its members is neither; the message says what was found.
        ValueError: If a concept has no text; the message says what was found.

    Example:
        >>> [one.key for one in given_concepts([{"text": "aspirin", "id": "C1"}, "fever"], fold=False)]
        ['C1', 'fever']
        >>> [one.key for one in given_concepts(listed("aspirin; fever"), fold=True)]
        ['aspirin', 'fever']
        >>> [one.said for one in given_concepts([{"text": "fever", "negated": True}], fold=False)]
        ['negated']
    """
    if isinstance(cell, Mapping):  # as MedCAT has them, by number
        entities = cell.get("entities", cell)
        cell = list(entities.values()) if isinstance(entities, Mapping) else cell
    if not isinstance(cell, list | tuple):
        raise TypeError(_said(cell))
    if len(cell) > most:
        raise ValueError(f"{len(cell):,} concepts, more than {most:,}")
    if all(type(one) is str for one in cell):
        return [_plain(one, fold) for one in cell]
    return [found for one in cell for found in _given(one, fold=fold, text=text)]


def given_paths(cell: Any, *, separator: str, fold: bool) -> list[Found]:
    """Read a tree: its paths are the concepts.

    Args:
        cell: The tree.
        separator: What stands between two nodes of a path.
        fold: Whether case and plurals are folded.

    Raises:
        TypeError: If it is no tree, or one of its nodes is none; the message says what was found.
        ValueError: If a node has no text, likewise.

    Example:
        >>> [one.name for one in given_paths({"a": ["b", "c"]}, separator=" ", fold=False)]
        ['a b', 'a c']
    """
    if not isinstance(cell, str | list | tuple | Mapping):
        raise TypeError(_said(cell))
    return [_named(path, fold=fold) for path in paths_of(cell, separator)]


def listed(cell: Any) -> Any:
    """Parse the text of a list in a cell of a table (JSON, Python, or separated by ``|`` or ``;``).

    Anything else stays as it is.

    Raises:
        ValueError: If a cell begins like a list, but is not one.

    Example:
        >>> listed('["a", "b"]'), listed("['a', 'b']"), listed("a|b"), listed("")
        (['a', 'b'], ['a', 'b'], ['a', 'b'], [])
    """
    if not isinstance(cell, str):
        return cell
    if not cell.strip():
        return []
    if not cell.lstrip().startswith("["):
        return [part.strip() for part in SEPARATORS.split(cell) if part.strip()]
    return parse_literal(cell)


def _given(one: Any, *, fold: bool, text: str) -> list[Found]:
    if isinstance(one, str):
        return [_named(one, fold=fold)]
    if isinstance(one, Mapping) and isinstance(one.get("matches"), list):
        one = _of_gilda(one)
    if not isinstance(one, Mapping):
        raise TypeError(f"among them {_said(one)}")
    identifier = _member(one, IDS)
    value = _member(one, ("value",))
    places = _places(one)
    surface = text[slice(*places[0])] if places[0][0] != NOWHERE else ""
    name = _member(one, NAMES) or surface or _member(one, ("label",)) or identifier or value
    more = {"said": _asserted(one), "value": value, "kinds": _listed(one, KINDS)}
    found = _named(name, identifier, _member(one, ("key",)), fold=fold, **more)
    return [found._replace(start=start, end=end) for start, end in places]


def _places(one: Mapping[Any, Any]) -> list[tuple[int, int]]:
    """Read where a concept stands: a list of begins and ends, or one of each; nowhere if neither is given."""
    spans = one.get("spans") or ([one["span"]] if one.get("span") else None)
    if spans is None:
        start, end = (
            next((one[name] for name in names if one.get(name) is not None), None) for names in (STARTS, ENDS)
        )
        spans = [] if start is None and end is None else [(start, end)]
    for span in spans:
        if (
            not isinstance(span, list | tuple)
            or [type(place) for place in span] != [int, int]
            or not 0 <= span[0] < span[1]
        ):
            raise ValueError(f"the place {span!r:.60} of {_said(one)}")
    return [(span[0], span[1]) for span in spans] or [(NOWHERE, NOWHERE)]


def _of_gilda(one: Mapping[Any, Any]) -> dict[Any, Any]:
    """Read a text with its matches, of which Gilda puts the best first."""
    term = one["matches"][0].get("term", {}) if one["matches"] and isinstance(one["matches"][0], Mapping) else {}
    identifier = f"{term['db']}:{term['id']}" if {"db", "id"} <= {*term} else ""
    return {**one, "text": term.get("entry_name") or one.get("text"), "id": identifier}


def _asserted(one: Mapping[Any, Any]) -> str:
    """Read what is said of a concept: a text, a list of texts, or ``true`` under the name of what is said."""
    said = {*_listed(one, ("assertion", "assertions")).lower().split(",")}
    said |= {name for name in CATEGORIES if one.get(name) is True}
    said |= {*_meta(one)}
    said -= {"", AFFIRMED, "affirmed"}
    return ",".join(sorted(said)) or (AFFIRMED if any(name in one for name in STATING) else "")


STATING = ("assertion", "assertions", "negated", "meta_anns")
META: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "negation": {"yes": "negated"},
        "presence": {"false": "negated", "negated": "negated", "hypothetical": "hypothetical"},
        "certainty": {"suspected": "uncertain"},
        "subject": {"family": "family", "relative": "family"},
        "experiencer": {"family": "family", "other": "family"},
    }
)
"""What MedCAT's models of context say, by their names and values in lower case."""


def _meta(one: Mapping[Any, Any]) -> Iterator[str]:
    meta = one.get("meta_anns")
    for name, found in meta.items() if isinstance(meta, Mapping) else ():
        value = found.get("value") if isinstance(found, Mapping) else found
        yield META.get(str(name).lower(), {}).get(str(value).lower(), "")


def _listed(one: Mapping[Any, Any], names: Sequence[str]) -> str:
    """Read a text that may be a list, or separated by commas."""
    given: Any = next((one[name] for name in names if one.get(name) not in (None, "")), [])
    parts = given.split(",") if isinstance(given, str) else given
    if not isinstance(parts, list) or not all(isinstance(part, str) for part in parts):
        raise TypeError(f"among them {_said(one)}")
    return ",".join(sorted({part.strip() for part in parts} - {""}))


@lru_cache(maxsize=REMEMBERED)
def _plain(name: str, fold: bool) -> Found:
    return _named(name, fold=fold)


@lru_cache(maxsize=REMEMBERED)
def _named(name: str, identifier: str = "", key: str = "", *, fold: bool, **more: Any) -> Found:
    name = " ".join(composed(name).split())
    if not name:
        raise ValueError("among them a concept without a text")
    return Found(identifier or key or (folded(pieces_of(name)) if fold else name) or name, name, identifier, **more)


def _member(one: Mapping[Any, Any], names: Sequence[str]) -> str:
    found = next((one[name] for name in names if one.get(name) not in (None, "")), "")
    if isinstance(found, bool) or not isinstance(found, str | int):
        raise TypeError(f"among them {_said(one)}")
    return composed(str(found).strip())


def composed(text: str) -> str:
    """Write a text in composed characters.

    Raises:
        ValueError: If it has a lone surrogate.

    Example:
        >>> composed("cafe\u0301") == "caf\u00e9"
        True
    """
    text.encode()  # a lone surrogate is an error here, with a clearer message than numpy's
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def _said(cell: Any) -> str:
    return "null" if cell is None else f"{cell!r:.80}"
