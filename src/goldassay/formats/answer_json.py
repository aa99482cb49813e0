"""Statements in the JSON of an answer: nested objects, children, maps, pairs and lists of statements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from goldassay.formats.answer_lines import CHAIN, IS_A, Statement, lines_of_answer, statements_of_line
from goldassay.formats.roles import EDGES, bare

WRAPPERS = frozenset(
    {
        "answer",
        "data",
        "edges",
        "facts",
        "graph",
        "hierarchy",
        "output",
        "pairs",
        "relations",
        "relationships",
        "result",
        "results",
        "root",
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
PAIR = 2


def read_nested(value: Any) -> list[Statement]:
    """List the statements of JSON that is not a table of records.

    Example:
        >>> [(one.subject, one.object) for one in read_nested({"animal": {"dog": {"poodle": {}}, "cat": []}})]
        [('dog', 'animal'), ('poodle', 'dog'), ('cat', 'animal')]
        >>> [(one.subject, one.object) for one in read_nested({"name": "animal", "children": [{"name": "dog"}]})]
        [('dog', 'animal')]
        >>> [(one.subject, one.object) for one in read_nested([["dog", "animal"], ["cat", "is a", "animal"]])]
        [('dog', 'animal'), ('cat', 'animal')]
    """
    inner = _unwrapped(value)
    if isinstance(inner, list) and inner and all(map(_is_row, inner)):
        return list(map(_row, inner))
    if isinstance(inner, list) and inner and all(isinstance(one, str) for one in inner):
        lines = [line for text in inner for line in lines_of_answer(text)]
        return [one for line in lines for one in statements_of_line(line)]
    if not _is_tree(inner):
        return []
    if _is_flat(inner):
        return _of_map(inner)
    return list(_walk(inner))


def is_rows(value: Any) -> bool:
    """Return whether JSON is, or wraps, an array of objects without nesting: a table.

    Example:
        >>> is_rows({"edges": [{"child": "dog", "parent": "animal"}]}), is_rows([{"name": "a", "children": []}])
        (True, False)
    """
    inner = _unwrapped(value)
    return (
        isinstance(inner, list)
        and bool(inner)
        and all(isinstance(one, dict) and len(one) >= PAIR for one in inner)
        and not any(isinstance(cell, dict | list) for one in inner for cell in one.values())
    )


def rows_of(value: Any) -> list[dict[str, Any]]:
    """Return the objects of an array, without what wraps it."""
    rows: list[dict[str, Any]] = _unwrapped(value)
    return rows


def _unwrapped(value: Any) -> Any:
    while isinstance(value, dict):
        inside = [inner for key, inner in value.items() if bare(key) in WRAPPERS and isinstance(inner, dict | list)]
        if len(inside) != 1 or (len(value) > 1 and not isinstance(inside[0], list)):
            return value
        value = inside[0]
    return value


def _is_row(row: Any) -> bool:
    return (
        isinstance(row, list)
        and len(row) in (PAIR, CHAIN)
        and all(isinstance(cell, str) and cell.strip() for cell in row)
    )


def _row(row: Sequence[str]) -> Statement:
    return Statement(0, row[0], row[1] if len(row) == CHAIN else IS_A, row[-1])


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
            waiting += [inner for inner in one.values() if isinstance(inner, dict | list)]
        elif isinstance(one, list):
            waiting += one
        elif not isinstance(one, str):
            return False
    return isinstance(value, dict | list)


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


def _of_map(value: Mapping[str, str | list[str]]) -> list[Statement]:
    """Read a map of names: a name that a key leads to is its parent; names in a list are children, unless they occur in several lists."""
    lists = any(isinstance(one, list) for one in value.values())
    pairs = [(key, name) for key, one in value.items() for name in ([one] if isinstance(one, str) else one)]
    shared = sum(count > 1 for count in Counter(name for _, name in pairs).values())
    several = sum(isinstance(one, list) and len(one) > 1 for one in value.values())
    down = lists and several >= shared
    return [
        Statement(0, name, IS_A, key) if down else Statement(0, key, IS_A, name) for key, name in pairs if name.strip()
    ]


def _walk(value: Any) -> Iterator[Statement]:
    """Visit nested objects and lists in the order of the file: what is inside a name is below it."""
    waiting: list[tuple[Any, str]] = [(value, "")]
    while waiting:
        one, parent = waiting.pop()
        if isinstance(one, list):
            waiting += [(member, parent) for member in reversed(one)]
            continue
        nodes = [(one, None, ())] if isinstance(one, str) else _nodes(one) if isinstance(one, dict) else []
        for name, inner, above in nodes if len(nodes) == 1 else ():
            ends = [parent, *above] if parent else above
            yield from (Statement(0, name, IS_A, end) for end in ends if name.strip() and end.strip())
            waiting.append((inner, name))
        if len(nodes) > 1:
            waiting += [({name: inner}, parent) for name, inner, _ in reversed(nodes)]


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
