"""Any value of Python as a value of JSON: what has fields is an object, what holds others a list, and what has no text is refused."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, MappingView, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import fields as fields_of
from dataclasses import is_dataclass
from datetime import datetime
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from io import IOBase
from math import isnan
from types import NoneType
from typing import Any

import numpy as np

from goldassay.formats.texts import moment_text, to_whole

LEAVES = frozenset({str, int, bool, NoneType})
"""Types of values that stay as they are."""
ROWS = frozenset({list, tuple})
MAKERS = ("to_dicts", "to_pylist", "as_py", "tolist", "to_list")
"""What tables, arrays, columns and their values have that makes Python's of them."""
MODELS = ("model_dump", "_asdict", "__attrs_attrs__", "__struct_fields__", "__fields_set__")
"""What has named fields, besides dataclasses: models of pydantic, named tuples, classes of attrs and structs of msgspec."""
COLLECTIONS: Any = (deque, MappingView, Iterator, Sequence)
FINE = frozenset({"ns", "ps", "fs", "as"})
NO_TEXT = bytes | bytearray | memoryview | IOBase | BaseException
"""Types whose text is not their content."""


def has_fields(value: object) -> bool:
    """Return whether a value has named fields; models of goldassay are read already."""
    kind: Any = type(value)
    return bool(_is_model(kind))


@lru_cache(maxsize=256)
def _is_model(kind: Any) -> bool:
    is_own = kind.__module__.startswith("goldassay.")
    return not is_own and (is_dataclass(kind) or any(hasattr(kind, name) for name in MODELS))


def plain(value: Any) -> Any:
    """Return a value as JSON has it: NaN and NA as nothing, an iterator read to its end; a TypeError shows what has no text."""
    kind = type(value)
    if kind in LEAVES or (kind is float and not isnan(value)):
        return value
    if kind in ROWS:
        return list(value if LEAVES.issuperset(map(type, value)) else map(plain, value))
    if isinstance(value, Mapping):
        return {name if type(name) is str else _key(name): plain(one) for name, one in value.items()}
    inside = _inside(value)
    return plain(inside) if inside is not value else _scalar(value)


def _key(name: Any) -> str:
    made = to_whole(plain(name))
    if isinstance(made, list | tuple | dict):
        raise _without_text(name)
    return "" if made is None else cell_text(made)


def _fields(value: Any) -> Mapping[str, Any]:
    kind = type(value)
    if hasattr(kind, "model_dump"):
        dumped: Mapping[str, Any] = value.model_dump(mode="json")
        return dumped
    if hasattr(kind, "_asdict"):
        named: Mapping[str, Any] = value._asdict()
        return named
    if is_dataclass(kind) or hasattr(kind, "__attrs_attrs__"):
        names = [one.name for one in (fields_of(kind) if is_dataclass(kind) else kind.__attrs_attrs__)]
    else:
        names = [*(getattr(kind, "__struct_fields__", None) or kind.__fields__)]
    return {name: getattr(value, name) for name in names}


def _inside(value: Any) -> Any:
    """Return what a value holds, such as an array or a table of any library, as Python's; the value itself if it holds nothing."""
    kind: Any = type(value)
    if isinstance(value, Enum) or has_fields(value):
        return value.value if isinstance(value, Enum) else _fields(value)
    if isinstance(value, str | float | NO_TEXT):
        return value
    if isinstance(value, np.generic | np.ndarray) and value.dtype.kind == "M" and value.dtype.str[-3:-1] in FINE:
        value = value.astype("M8[us]")  # finer ones are numbers in Python
    if maker := next((name for name in MAKERS if hasattr(kind, name)), None):
        return getattr(value, maker)()
    if is_graph(kind) or (hasattr(kind, "to_dict") and hasattr(kind, "columns")):
        return node_link(value) if is_graph(kind) else value.to_dict("records")
    if isinstance(value, AbstractSet) and not isinstance(value, MappingView):
        return sorted(map(plain, value), key=str)
    return list[Any](value) if isinstance(value, COLLECTIONS) else value


def is_graph(kind: Any) -> bool:
    """Return whether values of a type are graphs of networkx."""
    return all(hasattr(kind, name) for name in ("nodes", "edges", "is_multigraph"))


def node_link(graph: Any) -> dict[str, Any]:
    """Write a graph of networkx as its node-link JSON."""
    # The keys of a graph with several edges between two nodes are its relations, unless they are numbers.
    keyed = {"keys": True} if graph.is_multigraph() else {}
    return {
        "directed": graph.is_directed(),
        "multigraph": graph.is_multigraph(),
        "graph": _attribute(graph.graph),
        "nodes": [{**_attribute(data), "id": name} for name, data in graph.nodes(data=True)],
        "links": [
            {**_attribute(data), "source": source, "target": target}
            | {name: key for name, key in zip(["key"], keys, strict=False) if isinstance(key, str)}
            for source, target, *keys, data in graph.edges(data=True, **keyed)
        ],
    }


def _attribute(value: Any) -> Any:
    """Return what a graph says of itself or of a part of it; an object without a text says nothing."""
    if isinstance(value, Mapping):
        return {str(name): _attribute(one) for name, one in value.items()}
    try:
        return plain(value)
    except (TypeError, ValueError, RecursionError):
        return None


def _is_nothing(value: Any) -> bool:
    """Return whether a value is what NumPy and pandas have where there is nothing: NaN, NaT and NA, of which none is equal to itself."""
    try:
        return bool(value != value)  # noqa: PLR0124
    except TypeError:
        # Whether NA is equal to anything is NA, which is neither true nor false.
        return type(value).__name__ == "NAType"


def _scalar(value: Any) -> Any:
    """Return a number or a text as JSON has it."""
    if isinstance(value, str) or _is_nothing(value):
        return str.__str__(value) if isinstance(value, str) else None
    if isinstance(value, Decimal | Fraction):
        number = to_whole(float(value))
        return number if Fraction(str(number)) == Fraction(value) else moment_text(f"{value:f}")
    if isinstance(value, int | float):
        return float(value) if isinstance(value, float) else int(value)
    if isinstance(text := getattr(value, "text", None), str):
        return text  # of a document or a span
    kind: Any = type(value)
    # What can be iterated and has no text, such as a graph, writes what it is.
    if kind.__str__ is object.__str__ or hasattr(kind, "__iter__") or isinstance(value, NO_TEXT):
        raise _without_text(value)
    return moment_text(str(value)) if isinstance(value, datetime) else str(value)


def _without_text(value: Any) -> TypeError:
    return TypeError(f"{value!r:.80} of the type {type_name(type(value))}")


def type_name(kind: type) -> str:
    """Name a type, and the library that it is of."""
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__.partition('.')[0]}.{kind.__name__}"


def cell_text(value: Any) -> str:
    """Write a number, a truth value or a text of Python as the text of a cell, as it is in a column of its own and in JSON."""
    whole = to_whole(value)
    return str(whole).lower() if isinstance(whole, bool) else str(whole)
