"""Statements in the JSON of an answer: nested objects, children, maps, pairs and lists of statements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from goldassay.formats.answer_lines import CHAIN, RawStatement, lines_of_answer, parse_cells, read_lines
from goldassay.formats.answer_means import OF_EDGES, Meaning
from goldassay.formats.roles import EDGES, bare

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

WRAPPERS = frozenset(
    {
        "alignment",
        "alignments",
        "annotations",
        "answer",
        "axioms",
        "correspondences",
        "data",
        "edges",
        "facts",
        "graph",
        "hierarchy",
        "items",
        "mappings",
        "matches",
        "output",
        "pairs",
        "predictions",
        "relations",
        "relationships",
        "result",
        "results",
        "root",
        "statements",
        "taxonomy",
        "tree",
        "triples",
        "triplets",
    }
)
"""Keys that name what is below them, and are not concepts."""
NAMES = ("name", "label", "title", "concept", "term", "class", "node", "text", "id")
BELOW = frozenset(
    {"children", "child", "subclasses", "subtypes", "subcategories", "subconcepts", "subterms", "narrower", "hyponyms"}
)
ABOVE = frozenset(
    {"parent", "parents", "broader", "superclass", "superclasses", "hypernym", "hypernyms", "isa", "subclassof"}
)
GRAPHS = frozenset({"nodes", "links", "context", "graph", "id", "type"})
"""Keys of other formats, whose objects are not names of concepts."""
OF_DOCUMENTS = WRAPPERS | {"entities", "nodes", "references", "text", "sentence", "tokens", "id", "subject", "object"}
"""Keys of documents with triples, which are no relations."""
PAIR = 2


def names_things(root: Element, meaning: Meaning) -> bool:
    """Return whether XML has names of things only: as tags, as attributes, or as the cells of records; pages and settings have others.

    Example:
        >>> from xml.etree.ElementTree import fromstring
        >>> [names_things(fromstring(text), OF_EDGES) for text in ("<a><b/></a>", "<div><p>Hi.</p></div>")]
        [True, False]
    """
    every = list(root.iter())
    texts = {bare(one.tag) for one in every if (one.text or "").strip() or (one.tail or "").strip()}
    known = BELOW.union(ABOVE, NAMES)
    named = all(not one.attrib or not known.isdisjoint(map(bare, one.attrib)) for one in every)
    return named and (texts <= known or meaning.roles.recognises(sorted(texts)))


def value_of_xml(one: Element) -> Any:
    """Write an element as the JSON that a model would write: names with what is below them, records, or texts.

    Example:
        >>> from xml.etree.ElementTree import fromstring
        >>> value_of_xml(fromstring("<a><mammal><dog/><cat/></mammal></a>"))
        {'mammal': {'dog': {}, 'cat': {}}}
        >>> value_of_xml(fromstring("<a><pair><child>dog</child><parent>animal</parent></pair></a>"))
        [{'child': 'dog', 'parent': 'animal'}]
    """
    inner, named, text = [(child.tag, value_of_xml(child)) for child in one], dict(one.attrib), (one.text or "").strip()
    if not inner:
        return {**named, "text": text} if named and text else named or text or {}
    values = [value for _, value in inner]
    records = all(
        isinstance(value, dict) and value and all(isinstance(end, str) for end in value.values()) for value in values
    )
    if named or records or len(dict(inner)) < len(inner):
        return {**named, "children": values} if named else values
    return dict(inner)


def read_nested(value: Any, meaning: Meaning = OF_EDGES) -> list[RawStatement]:
    """List the statements of JSON that is not a table of records.

    Example:
        >>> [(one.subject, one.object) for one in read_nested({"animal": {"dog": {"poodle": {}}, "cat": []}})]
        [('dog', 'animal'), ('poodle', 'dog'), ('cat', 'animal')]
        >>> [(one.subject, one.object) for one in read_nested({"name": "animal", "children": [{"name": "dog"}]})]
        [('dog', 'animal')]
        >>> [(one.subject, one.object) for one in read_nested([["dog", "animal"], ["cat", "is a", "animal"]])]
        [('dog', 'animal'), ('cat', 'animal')]
    """
    inner = strip_wrappers(value)
    if isinstance(inner, list) and inner and all(_is_row(row, meaning) for row in inner):
        return [one for row in inner for one in _row(row, meaning)]
    if isinstance(inner, list) and inner and all(isinstance(one, str) for one in inner):
        lines = [line for at, text in enumerate(inner) for line in lines_of_answer(text, at)]
        return read_lines(lines, meaning).rows
    if meaning.nested == "list":
        return list(_read_lists(inner, meaning))
    if meaning.nested == "facts" and (facts := list(read_facts(inner, meaning))):
        return facts
    inner = _name_objects(inner)
    if not _is_tree(inner) or (_is_flat(inner) and not meaning.arrow):
        return []
    found = _read_map(inner) if _is_flat(inner) else _walk(inner)
    return [one._replace(relation=meaning.is_a) for one in found] if meaning is not OF_EDGES else found


def _read_lists(value: Any, meaning: Meaning) -> Iterator[RawStatement]:
    """Read a map from a name to another, or to a list of names or of objects with a name and a number; or a list of such maps."""
    if isinstance(value, list) and all(isinstance(one, dict) and len(one) == 1 for one in value):
        value = {name: end for one in value for name, end in one.items()}
    if not isinstance(value, dict) or meaning.roles.recognises(list(value)):
        return
    found = [
        (name, *end)
        for name, ends in value.items()
        for one in (ends if isinstance(ends, list) else [ends])
        for end in [_read_name(one, meaning)]
    ]
    if all(end for _, end, _ in found):
        yield from (RawStatement(0, name, "", end, extra=extra) for name, end, extra in found if name.strip())


def _read_name(value: Any, meaning: Meaning) -> tuple[str, str]:
    """Return a name, and the number with it; the empty text if it is neither."""
    if isinstance(value, str):
        return value.strip(), ""
    if not isinstance(value, dict):
        return "", ""
    names = list(value)
    end, extra = (next(iter(meaning.roles.called(role, names)), None) for role in (meaning.ends[2], meaning.more))
    name = value.get(end) if end is not None else None
    return (name if isinstance(name, str) else ""), "" if extra is None else str(value[extra])


def read_stated(value: Any, meaning: Meaning) -> list[RawStatement]:
    """List the statements of JSON for readers that know all records: facts, texts, and rows of three names."""
    if isinstance(value, list) and value:
        texts = all(isinstance(one, str) for one in value)
        rows = all(isinstance(one, list) and len(one) == CHAIN and _is_row(one, meaning) for one in value)
        return read_nested(value, meaning) if texts or rows else []
    return list(read_facts(value, meaning))


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
        (BELOW | OF_DOCUMENTS) & set(map(bare, inner)) or meaning.roles.recognises(list(inner))
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


def is_rows(value: Any, meaning: Meaning = OF_EDGES) -> bool:
    """Return whether JSON is, or wraps, an array of objects without nesting: a table. Labels may be lists.

    Example:
        >>> is_rows({"edges": [{"child": "dog", "parent": "animal"}]}), is_rows([{"name": "a", "children": []}])
        (True, False)
    """
    inner = strip_wrappers(value)
    nested: type | tuple[()] = () if meaning.nested != "list" else list
    return (
        isinstance(inner, list)
        and bool(inner)
        and all(isinstance(one, dict) and len(one) >= PAIR for one in inner)
        and not any(
            isinstance(cell, dict | list) and not isinstance(cell, nested) for one in inner for cell in one.values()
        )
    )


def rows_of(value: Any) -> list[dict[str, Any]]:
    """Return the objects of an array, without what wraps it."""
    rows: list[dict[str, Any]] = strip_wrappers(value)
    return rows


def strip_wrappers(value: Any) -> Any:
    """Return what is below keys that name it, such as ``edges``; of several such keys nothing is taken out."""
    while isinstance(value, dict):
        inside = [inner for key, inner in value.items() if bare(key) in WRAPPERS and isinstance(inner, dict | list)]
        if len(inside) != 1 or (len(value) > 1 and not _is_wrapped(inside[0], value)):
            return value
        value = inside[0]
    return value


def _is_wrapped(inner: Any, value: Mapping[str, Any]) -> bool:
    """Return whether a list next to other keys is what an object wraps; next to other lists, one of names is below a name, too."""
    if not isinstance(inner, list):
        return False
    names = all(isinstance(one, str) for one in inner)
    return not (names and all(isinstance(one, dict | list) for one in value.values()))


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


def _is_tree(value: Any) -> bool:
    """Return whether nested JSON has names only: a number without a name in its object says that it is other data."""
    if isinstance(value, dict) and EDGES.recognises(list(value)):
        # One record of a table, and not a map of names.
        return False
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            keys = set(map(bare, one))
            named = not keys.isdisjoint(NAMES) and not keys.isdisjoint(BELOW | ABOVE | set(NAMES))
            if not named and (keys & GRAPHS or any(isinstance(inner, bool | int | float) for inner in one.values())):
                return False
            waiting += [inner for inner in one.values() if inner and isinstance(inner, dict | list)]
        elif isinstance(one, list):
            waiting += one
        elif not isinstance(one, str):
            return False
    return isinstance(value, dict | list)


def _name_objects(value: Any) -> Any:
    """List objects by name as objects with that name, where each says what is above or below it; anything else stays.

    Example:
        >>> _name_objects({"dog": {"parent": "animal", "legs": 4}, "animal": {"parent": None}})
        [{'name': 'dog', 'parent': 'animal', 'legs': 4}, {'name': 'animal', 'parent': None}]
    """
    if not isinstance(value, dict) or not value or not BELOW.isdisjoint(map(bare, value)):
        return value
    inside = list(value.values())
    if not all(isinstance(one, dict) and any(map(_says_kin, one.items())) for one in inside):
        return value
    return [{"name": name, **{key: end for key, end in one.items() if key != "name"}} for name, one in value.items()]


def _says_kin(item: tuple[str, Any]) -> bool:
    """Return whether a key names a parent or children, and what is below it are names and no concept's own children."""
    key, ends = item
    return bare(key) in BELOW | ABOVE and (ends is None or isinstance(ends, str | list))


def _is_flat(value: Any) -> bool:
    """Return whether an object maps names to names, or to lists of names."""
    return (
        isinstance(value, dict)
        and not BELOW & set(map(bare, value))
        and any(value.values())
        and all(
            isinstance(one, str) or (isinstance(one, list) and all(isinstance(x, str) for x in one))
            for one in value.values()
        )
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


def _walk(value: Any) -> list[RawStatement]:
    """Visit nested objects and lists in the order of the file: what is inside a name is below it."""
    found: list[RawStatement] = []
    waiting: list[tuple[Any, str]] = [(value, "")]
    while waiting:
        one, parent = waiting.pop()
        if not one:
            continue
        if isinstance(one, list):
            waiting += [(member, parent) for member in reversed(one)]
            continue
        nodes = _nodes(one) if isinstance(one, dict) else [one] if isinstance(one, tuple) else []
        nodes = [(one, None, ())] if isinstance(one, str) else nodes
        if len(nodes) > 1:
            # A text may be the name of its object.
            waiting += [({node[0]: node[1]} if isinstance(node[1], str) else node, parent) for node in reversed(nodes)]
            continue
        for name, inner, above in nodes:
            if name.strip():
                ends = [parent, *above] if parent else above
                found += [RawStatement(0, name, OF_EDGES.is_a, end) for end in ends if end.strip()]
            waiting.append((inner, name))
    return found


def _nodes(one: Mapping[str, Any]) -> list[tuple[str, Any, Sequence[str]]]:
    """Return the nodes of an object with what is below and above each: one with a name and children, or names and what is below them."""
    keys = {bare(key): key for key in one}
    named = next((keys[name] for name in NAMES if name in keys and isinstance(one[keys[name]], str)), None)
    inside = [one[keys[key]] for key in keys if key in BELOW]
    above = [one[keys[key]] for key in keys if key in ABOVE]
    if named and (inside or above or all(not isinstance(inner, dict | list) for inner in one.values())):
        ends = [end for ends in above for end in (ends if isinstance(ends, list) else [ends]) if isinstance(end, str)]
        return [(one[named], inside, ends)]
    return [(key, inner, ()) for key, inner in one.items()]
