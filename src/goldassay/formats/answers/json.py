"""The JSON and the XML in an answer, and the statements in it: nested objects, children, maps, pairs and lists of statements."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from goldassay.core.errors import InputError
from goldassay.core.patterns import pattern_of
from goldassay.core.text import singular
from goldassay.formats.answers.labels import labels_in
from goldassay.formats.answers.lines import RawStatement, lines_of_answer
from goldassay.formats.answers.means import OF_AXIOMS, OF_EDGES, Meaning
from goldassay.formats.answers.ontology import below_classes, read_ontology
from goldassay.formats.answers.shapes import CHAIN, parse_cells
from goldassay.formats.answers.statements import read_lines
from goldassay.formats.answers.tree import (
    NAMES,
    NOTES,
    WRAPPERS,
    Left,
    is_above,
    is_below,
    is_note,
    is_of_graph,
    read_tree,
    refuse_levels,
    without_about,
)
from goldassay.formats.column_names import SPLITS, bare, nodes_in
from goldassay.formats.json_tables import rows_in
from goldassay.formats.literals import parse_literal, parse_written, with_straight_quotes
from goldassay.formats.markup import utf8_xml, xml_tree
from goldassay.formats.python_values import RepeatedKeyError
from goldassay.formats.roles import EDGES
from goldassay.formats.source import Source

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

OF_DOCUMENTS = WRAPPERS | {"entities", "nodes", "references", "text", "sentence", "tokens", "id", "subject", "object"}
"""Keys of documents with triples, which are no relations."""
REFERRED = frozenset({"entities", "nodes", "vertexset", "tokens", "token", "words", "text"})
"""Keys of what the ends of triples may refer to."""
LISTING = WRAPPERS | {"links", "elements"}
"""Keys of triples, or of a graph with them."""
PAIR = 2
MOST_KEYS, SEVERAL = 100, 2
"""An object that wraps something has at most this many keys."""
OF_TEXTS = NOTES | {"description", "definition"}
"""Elements of XML with texts that say more of a thing."""
LABELLED = frozenset({"labels", "classifications", "classification", "categories", "classes", "answers"})
"""What is above names with their labels."""
WORDS = pattern_of(r"[\W_]+")
HEAD = r"[ \t]*(?:(?:const|let|var|return)[ \t]+)?(?:\w+[ \t]*=[ \t]*|(?i:\*{0,2}(?:(?:final )?(?:answer|output|result|response)|json)\*{0,2})[ \t]*:[ \t*]*|print\([ \t]*|`)?"
"""What models write before JSON on its line."""
OPENS, CLOSES = (
    pattern_of(rf"^{HEAD}(?=[\[{{])", re.MULTILINE),
    pattern_of(r"[\]}][ \t]*+[`);,]*+[ \t]*+$", re.MULTILINE),
)
RECORD = pattern_of(rf"{HEAD}(?={{)")
"""How a line begins that is a record."""
BEGINS = pattern_of(r"[\[{]\s*[\[{\"]")
"""How JSON begins, also if it is cut off."""
ELEMENT = pattern_of(r"^[ \t]*(?=<(?!(?i:table|div|p)[\s>])[A-Za-z_][\w.-]*[\s/>])", re.MULTILINE)


def values_in(text: str, first: int) -> Iterator[tuple[Any, set[int], int]]:
    """Parse the JSON, or the list of Python, between the first bracket at the beginning of a line and the last at the end of one.

    Yields:
        The value, the lines that it takes, and the line where it is cut off, 0 if nowhere.
    """
    begin = OPENS.search(text) if "[" in text or "{" in text else None
    if begin is None:
        return
    ends = [found.end() for found in CLOSES.finditer(text, begin.end())]
    inner = text[begin.end() : ends[-1]].rstrip("`);, \t") if ends else ""
    line = first + text.count("\n", 0, begin.end())
    begun = text[begin.end() :].rstrip() if BEGINS.match(text, begin.end()) else ""
    for part, whole in ((inner, True), (begun, False)):
        if not part:
            continue
        try:
            value, end, cut = parse_written(part, whole=whole)
        except RepeatedKeyError as error:
            raise _repeated_key_error(error, line) from error
        except (ValueError, RecursionError):
            continue
        last = line + part.count("\n", 0, end)
        yield value, set(range(line, last + 1)), last if cut else 0
        return


def objects_in(text: str, first: int) -> Iterator[tuple[int, dict[str, Any]]]:
    """Parse the lines that are objects, in JSON or as Python writes them, each with its number."""
    for number, line in enumerate(with_straight_quotes(text).split("\n"), start=first):
        if begin := RECORD.match(line):
            with suppress(ValueError, RecursionError):
                row = parse_literal(line[begin.end() :].rstrip("`);, \t\r"))
                if isinstance(row, dict):
                    yield number, row


def _repeated_key_error(error: RepeatedKeyError, line: int) -> InputError:
    """Build the error for JSON in which a key occurs twice: one of its values would be lost."""
    return InputError(
        "A key of the JSON occurs twice.",
        line=line,
        found=str(error),
        expected="each key once in an object",
        hint="write several values of a key as a list, or several objects",
    )


def values_of_xml(text: str, first: int, meaning: Meaning) -> Iterator[tuple[Any, set[int], int]]:
    """Parse the XML between the first tag at the beginning of a line and the last at the end of one."""
    begin = ELEMENT.search(text) if "</" in text or "/>" in text else None
    if begin is None:
        return
    inner = text[begin.start() : text.rfind(">") + 1]
    line = first + text.count("\n", 0, begin.start())
    data = f"<answer>{inner}</answer>".encode("utf-8", "surrogatepass")
    with suppress(InputError):
        whole = xml_tree(utf8_xml(Source(path="", name="", data=data, size=len(data))))
        root = whole[0] if len(whole) == 1 and not (whole[0].tail or "").strip() else whole
        value = value_of_xml(root) if names_things(root, meaning) else {}
        yield (
            value if isinstance(value, list) or root.attrib or _is_record(value) else {root.tag: value},
            set(range(line, line + inner.count("\n") + 1)),
            0,
        )


def names_things(root: Element, meaning: Meaning) -> bool:
    """Return whether XML has names of things only: as tags, as attributes, or as the cells of records; pages and settings have others."""
    every = list(root.iter())
    texts = {bare(one.tag) for one in every if (one.text or "").strip() or (one.tail or "").strip()}
    named = all(not one.attrib or any(map(_is_field, one.attrib)) for one in every)
    # One kind of elements, of which some are in others, is a tree.
    nested = len(texts) == 1 and any(
        bare(child.tag) in texts and child.tag == one.tag for one in every for child in one
    )
    return named and (not texts or nested or _are_fields(texts) or meaning.roles.recognises(sorted(texts)))


def _is_field(key: str) -> bool:
    return bare(key) in NAMES or is_below(key) or is_above(key)


def _are_fields(keys: Iterable[str]) -> bool:
    """Return whether keys are of a thing: its name, or what is above or below it, and perhaps what says more of it."""
    others = [key for key in keys if not _is_field(key)]
    return any(map(_is_field, keys)) and all(singular(bare(key)) in OF_TEXTS for key in others)


def _is_list(value: object) -> bool:
    return isinstance(value, list | dict)


def value_of_xml(one: Element) -> Any:
    """Write an element as the JSON that a model would write: names with what is below them, records, or texts."""
    inner: dict[str, list[Any]] = {}
    for child in one:
        # An element in one of its kind is below it.
        inner.setdefault("children" if child.tag == one.tag else child.tag, []).append(value_of_xml(child))
    named, text = dict(one.attrib), (one.text or "").strip()
    if inner and text:
        # What is written before the elements inside is the name of what they are in.
        named.setdefault("name", text)
    if not inner:
        return {**named, one.tag if _is_field(one.tag) else "text": text} if named and text else named or text or {}
    values = [value for some in inner.values() for value in some]
    fields = {key: some[0] if len(some) == 1 else some for key, some in inner.items()}
    if named:
        texts = {key: some for key, some in fields.items() if all(isinstance(end, str) for end in inner[key])}
        below = [end for key, some in inner.items() if key not in texts for end in some]
        return {**named, **texts, **({"children": below} if below else {})}
    listed = len(inner) == 1 and (len(values) > 1 or singular(bare(one.tag)) == bare(*inner))
    return values if listed or all(map(_is_record, values)) else fields


def _is_record(value: Any) -> bool:
    """Return whether an object has only texts, or lists of them, or only fields of a thing."""
    if not isinstance(value, dict) or not value:
        return False
    texts = (end for some in value.values() for end in (some if isinstance(some, list) else [some]))
    return _are_fields(value) or all(isinstance(end, str) for end in texts)


def read_nested(value: Any, meaning: Meaning = OF_EDGES, left: Left | None = None) -> list[RawStatement]:
    """List the statements of JSON that is not a table of records; fields that are not read are counted."""
    left = Left() if left is None else left
    inner = strip_wrappers(below_classes(value) if meaning is OF_AXIOMS else value, meaning, left)
    inner = without_about(inner, left, meaning)
    if isinstance(inner, list) and inner and all(_is_row(row, meaning) for row in inner):
        return [one for row in inner for one in _row(row, meaning)]
    if isinstance(inner, list) and inner and all(isinstance(one, str) for one in inner):
        lines = [line for at, text in enumerate(inner) for line in lines_of_answer(text, at)]
        return read_lines(lines, meaning).rows
    if meaning.nested == "list":
        return list(_read_lists(inner, meaning, left))
    if meaning.nested == "facts" and (facts := read_ontology(value, meaning, left) or list(read_facts(inner, meaning))):
        return facts
    names = list(inner) if isinstance(inner, dict) and not any(map(_is_list, inner.values())) else []
    if EDGES.recognises(names) and not nodes_in(names):
        # One record of a table, and not a map of names, nor a node.
        return []
    refuse_levels(inner)
    flat = _is_flat(inner)
    found = (
        []
        if flat and (not meaning.arrow or is_of_graph(inner))
        else _read_map(inner)
        if flat
        else read_tree(inner, left)
    )
    return [one._replace(relation=meaning.is_a) for one in found] if meaning is not OF_EDGES else found


def _read_lists(value: Any, meaning: Meaning, left: Left) -> Iterator[RawStatement]:
    """Read a map from a name to another, or to a list of names or of objects with a name and a number; or a list of such maps."""
    value = _below_label(value, left)
    maps = value if isinstance(value, list) else [value]
    if not all(isinstance(one, dict) and (one is value or len(one) == 1) for one in maps):
        return
    pairs = [pair for one in maps for pair in one.items()]
    names = list(dict.fromkeys(name for name, _ in pairs))
    roles = meaning.roles
    # Maps of one name are records of a column where the name is that of a column.
    if roles.recognises(names) or (len(names) == 1 and any(roles.called(role, names) for role in roles.names)):
        return
    found = [
        (name, *end)
        for name, ends in pairs
        for one in (ends if isinstance(ends, list) else [ends] if ends is not None else [])
        for end in _read_names(one, meaning)
    ]
    if all(end for _, end, _ in found):
        yield from (RawStatement(0, name, "", end, extra=extra) for name, end, extra in found if name.strip())


def _below_label(value: Any, left: Left) -> Any:
    """Return the one object of an object, if it is called labels or the like, and all else are texts and numbers."""
    some = value if isinstance(value, dict) else {}
    inside = [key for key, one in some.items() if isinstance(one, dict | list)]
    if len(inside) != 1 or not isinstance(some[inside[0]], dict) or LABELLED.isdisjoint(WORDS.split(inside[0].lower())):
        return value
    left.see(some, (key for key in some if key != inside[0]))
    return some[inside[0]]


def _read_names(value: Any, meaning: Meaning) -> list[tuple[str, str]]:
    """List names with the numbers next to them; the empty text for what is none."""
    if isinstance(value, str):
        return [(value.strip(), "")]
    if (
        isinstance(value, list)
        and len(value) == PAIR
        and isinstance(value[0], str)
        and isinstance(value[1], int | float)
    ):
        return [(value[0].strip(), str(value[1]))]
    found: list[tuple[str, str]] = [*labels_in(value, meaning)] if isinstance(value, dict) else []
    return found or [("", "")]


def read_stated(value: Any, meaning: Meaning) -> list[RawStatement]:
    """List the statements of JSON for readers that know all records: facts, texts, and rows of three names."""
    if isinstance(value, list) and value:
        texts = all(isinstance(one, str) for one in value)
        rows = all(isinstance(one, list) and len(one) == CHAIN and _is_row(one, meaning) for one in value)
        return read_nested(value, meaning) if texts or rows else []
    return [] if _rows_of_table(value, meaning) else list(read_facts(value, meaning))


def read_facts(value: Any, meaning: Meaning) -> Iterator[RawStatement]:
    """Read names with relations, each with an object or several: ``{"Oslo": {"capital of": "Norway"}}``."""
    if (
        not isinstance(value, dict)
        or not value
        or not all(isinstance(inner, dict) and inner for inner in value.values())
    ):
        return
    # Few objects have only names below their relations: to look at what these are called takes longer.
    if not all(isinstance(end, str | int | float) and str(end).strip() for *_, end in _facts_in(value)):
        return
    if any(
        any(map(is_below, inner)) or OF_DOCUMENTS & set(map(bare, inner)) or meaning.roles.recognises(list(inner))
        for inner in value.values()
    ):
        return
    yield from (RawStatement(0, name, relation, _write_name(end)) for name, relation, end in _facts_in(value))


def _facts_in(value: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, str, Any]]:
    for name, inner in value.items():
        for relation, ends in inner.items():
            yield from ((name, relation, end) for end in (ends if isinstance(ends, list) else [ends]))


def _write_name(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def rows_of(value: Any, meaning: Meaning = OF_EDGES, left: Left | None = None) -> list[dict[str, Any]]:
    """Return the array of objects without nesting that JSON is, or wraps: a table, in which labels may be lists; nothing if it is none."""
    seen = Left()
    inner = strip_wrappers(value, meaning, seen)
    if not isinstance(inner, list) or not all(isinstance(one, dict) and len(one) >= PAIR for one in inner):
        return []
    nested = dict if meaning.nested == "list" else dict | list
    if any(isinstance(cell, nested) for one in inner for cell in one.values()):
        return []
    if left is not None:
        left.update(seen)
        left.holding.update(seen.holding)
    return inner


def document_in(value: Any, meaning: Meaning) -> dict[str, Any]:
    """Return the triples of an answer next to what their ends refer to; what no key says to be triples stays."""

    def is_one(some: Any) -> bool:
        return isinstance(some, dict) and meaning.roles.recognises(list(some)) and not _rows_of_table(some, meaning)

    around: dict[str, Any] = {}
    rows: list[dict[str, Any]] = []
    if isinstance(value, dict) and len(value) == 1:
        [(key, inner)] = value.items()
        if isinstance(inner, list) and bare(key) in LISTING:
            # Most answers are this.
            return {"triples": inner}
    while isinstance(value, dict) and not (rows := _rows_of_table(value, meaning)) and not is_one(value):
        if value and all(map(is_one, value.values())):
            value = list(value.values())
            break
        around |= {key: one for key, one in value.items() if bare(key) in REFERRED}
        inside = {key: one for key, one in value.items() if isinstance(one, dict | list) and key not in around}
        known = [one for key, one in inside.items() if bare(key) in LISTING and one != {}]
        lists = [one for one in known if isinstance(one, list)]
        others = [one for one in inside.values() if len(inside) == 1 and _may_wrap(one, is_one)]
        found = next((some for some in (lists, known, others) if len(some) == 1), None)
        if found is None:
            return {**around, **value}
        [value] = found
    return {**around, "triples": rows or ([value] if isinstance(value, dict) else value)}


def _may_wrap(inner: dict[str, Any] | list[Any], is_one: Callable[[Any], bool]) -> bool:
    """Return whether a list or an object below a key that says nothing is of triples, or a graph."""
    if isinstance(inner, dict):
        return is_one(inner) or not (REFERRED | LISTING).isdisjoint(map(bare, inner))
    return all(is_one(one) or (isinstance(one, list) and len(one) == CHAIN) for one in inner)


def strip_wrappers(value: Any, meaning: Meaning | None = None, left: Left | None = None) -> Any:
    """Return what is below keys that name it, such as ``edges``, or above records of a family; of several such keys nothing is taken out.

    A table in one object is its rows.
    """
    rows: list[dict[str, Any]] = []
    while isinstance(value, dict) and not (rows := _rows_of_table(value, meaning)) and len(value) <= MOST_KEYS:
        inside = [
            key
            for key, inner in value.items()
            if isinstance(inner, dict | list) and (bare(key) in WRAPPERS or _is_records(inner, meaning))
        ]
        if _are_tables(value, meaning):
            if left is not None:
                left.see(dict.fromkeys(value), value)
            return [row for table in value.values() for row in table]
        if len(inside) != 1 or not _is_wrapped(inside[0], value, meaning):
            return value
        if left is not None:
            left.see(value, (key for key in value if key != inside[0]))
        value = value[inside[0]]
    return rows or value


def _are_tables(value: Mapping[str, Any], meaning: Meaning | None) -> bool:
    """Return whether an object has several tables of a family, whose names are no ids: there are none, or they are train and test."""
    if meaning is None or len(value) < SEVERAL or not all(_is_records(inner, meaning) for inner in value.values()):
        return False
    return not meaning.documents or SPLITS.issuperset(map(bare, value))


def _rows_of_table(value: Any, meaning: Meaning | None) -> list[dict[str, Any]]:
    """Return the rows of a table in one object whose columns are those of the family; none if it is no such table."""
    if meaning is None or not isinstance(value, dict) or not all(map(_is_list, value.values())):
        return []
    rows = rows_in(value)
    return rows if rows and meaning.roles.recognises(list(rows[0])) else []


def _is_records(inner: Any, meaning: Meaning | None) -> bool:
    """Return whether a list has records whose fields are those of a table of the family."""
    if meaning is None or meaning.nested == "facts" or not isinstance(inner, list):
        return False
    if not inner or type(inner[0]) is not dict or {*map(type, inner)} != {dict}:
        return False
    return all(meaning.roles.recognises(list(names)) for names in {*map(tuple, inner)})


def _is_wrapped(name: str, value: Mapping[str, Any], meaning: Meaning | None) -> bool:
    """Return whether an object wraps what is below a key: next to notes, or a list next to others; one of names may be below a name."""
    inner, others = value[name], {key: one for key, one in value.items() if key != name}
    if (
        others
        and all(map(_is_list, others.values()))
        and isinstance(inner, list)
        and all(isinstance(one, str) for one in inner)
    ):
        return False
    if all(is_note(key, one) for key, one in others.items()):
        return True
    if not isinstance(inner, list) or meaning is None or bare(name) in WRAPPERS:
        return isinstance(inner, list)
    # An item of labels may have records of them.
    return not meaning.documents and (meaning.nested == "tree" or not any(map(_is_nested, others.values())))


def _is_nested(value: Any) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and any(map(_is_list, value)))


def _is_row(row: Any, meaning: Meaning) -> bool:
    names_only = meaning.arrow == "edge"
    return (
        isinstance(row, list)
        and PAIR <= len(row) <= (CHAIN if names_only else CHAIN + 1)
        and all(isinstance(cell, str) and cell.strip() for cell in (row if names_only else row[:PAIR]))
        and all(isinstance(cell, str | int | float) and str(cell).strip() for cell in row)
    )


def _row(row: Sequence[Any], meaning: Meaning) -> Iterator[RawStatement]:
    cells = list(map(_write_name, row))
    if meaning.arrow != "edge":
        # In JSON quotes and stars belong to names.
        yield from parse_cells(0, cells, meaning, str.strip)
    else:
        # In JSON the first of two names is the child.
        yield RawStatement(0, cells[0], cells[1] if len(cells) == CHAIN else meaning.is_a, cells[-1])


def _is_flat(value: Any) -> bool:
    """Return whether an object maps names to names, or to lists of names."""
    # To look at what keys are called takes longer.
    return (
        isinstance(value, dict)
        and any(value.values())
        and all(
            isinstance(one, str) or (isinstance(one, list) and all(isinstance(x, str) for x in one))
            for one in value.values()
        )
        and not any(map(is_below, value))
        and ({*NAMES}.isdisjoint(map(bare, value)) or not any(map(is_above, value)))
    )


def _read_map(value: Mapping[str, str | list[str]]) -> list[RawStatement]:
    """Read a map of names: a name that a key leads to is its parent; names in a list are children, unless they occur in several lists."""
    lists = any(isinstance(one, list) for one in value.values())
    pairs = [(key, name) for key, one in value.items() for name in ([one] if isinstance(one, str) else one)]
    shared = sum(count > 1 for count in Counter(name for _, name in pairs).values())
    several = sum(isinstance(one, list) and len(one) > 1 for one in value.values())
    down = lists and several >= shared
    return [
        RawStatement(0, name, OF_EDGES.is_a, key) if down else RawStatement(0, key, OF_EDGES.is_a, name)
        for key, name in pairs
        if name.strip()
    ]
