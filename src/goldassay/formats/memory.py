"""What a program holds in memory: tables as frames, all else as the file that it would be saved to. Every format has one reader."""

from __future__ import annotations

import json
import math
import warnings
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import is_dataclass
from functools import wraps
from importlib.util import find_spec
from itertools import chain
from operator import itemgetter, methodcaller
from os import PathLike, fspath
from types import NoneType
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, TypeAlias, TypeVar

import numpy as np

from goldassay.core.errors import EmptyInputError, GoldassayError, InputError, UsageError, explain_errors
from goldassay.core.limits import DIGITS
from goldassay.formats.roles import AXIOMS, EDGES, TRIPLES
from goldassay.formats.source import PARQUET, Source

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

Given = ParamSpec("Given")
Made = TypeVar("Made")
Tuples: TypeAlias = Collection[tuple[str, ...]]
"""The names of the values of tuples, once for each number of values."""
LARGEST = 2**63
"""Whole numbers from here on are texts."""
SCORE = "score"
TABLE = PARQUET + b"\xff"
"""In place of the bytes of a table: recognised as Parquet, and no text."""
ROWS, PLAIN = frozenset({list, tuple}), frozenset({dict})
"""Types of rows: values in order, and values by name."""
NUMBERED = frozenset({("id", "text"), ("instance", "label")})
"""Pairs whose first value may be the place of a text in a list; elsewhere texts are the lines of a file."""
KNOWN = "a path, a table (pandas, Polars, PyArrow, DuckDB), a graph (networkx, rdflib), or a list of tuples, dictionaries or texts"


def source_of(value: Any, tuples: Tuples = (), *, name: str | None = None) -> Source:
    r"""Make a table of an object, or write it to the bytes of a file, in the format that keeps all of it.

    A list of tuples or of dictionaries with plain values is a table. A list of dictionaries with lists becomes JSON Lines; a list of texts, or what a model wrote, a file of lines; a graph of networkx node-link JSON; a graph of
    rdflib N-Triples or N-Quads.
    """
    path = name or name_of(value)
    with readable(path):
        suffix, data, records = _write_object(value, tuples)
    if isinstance(data, bytes):
        return Source(path=path, name=f"memory.{suffix}", data=data, size=len(data), records=records)
    return Source(path=path, name="memory", data=TABLE, size=int(data.estimated_size()), frame=data)


def _write_object(value: Any, tuples: Tuples) -> tuple[str, bytes | pl.DataFrame, list[Any] | None]:
    """Write an object to the bytes of a file, and name its format by the suffix; a table stays one, and so do plain records."""
    value = _dump_models(value)
    if isinstance(value, str):
        return "txt", value.encode(), None
    if isinstance(value, dict):
        return "json", json.dumps(_json_of(value, _list_or_text)).encode(), None
    if isinstance(value, list | tuple):
        return _write_rows(value, tuples)
    # The result of a query has the attributes of its graph; its type has none of them.
    if type(value).__module__.startswith("rdflib.") and hasattr(type(value), "triples"):
        suffix, layout = ("nq", "nquads") if value.context_aware else ("nt", "nt")
        with warnings.catch_warnings():
            # What rdflib deprecates of itself is nothing that the caller could change.
            warnings.simplefilter("ignore", DeprecationWarning)
            return suffix, value.serialize(format=layout).encode(), None
    if all(hasattr(type(value), name) for name in ("nodes", "edges", "is_multigraph")):
        return "json", _node_link(value), None
    return "", _require_columns(_table(value)), None


def _write_rows(value: Sequence[Any], tuples: Tuples) -> tuple[str, bytes | pl.DataFrame, list[Any] | None]:
    """Write a list to the bytes of a file; rows with plain values stay a table."""
    if value and NUMBERED.isdisjoint(tuples) and all(isinstance(row, str) for row in value):
        return "txt", "\n".join(value).encode(), None
    value = _below_header(value)
    rows: Sequence[Mapping[str, Any]] = value
    if set(map(type, value)) != PLAIN:
        rows = [_record(row, number, tuples) for number, row in enumerate(value, start=1)]
    cells = chain.from_iterable(map(methodcaller("values"), rows))
    if any(issubclass(kind, NESTED) for kind in set(map(type, cells))):
        return "jsonl", *_json_lines(rows)
    return "", _require_columns(_frame_of(rows)), None


def _dump_models(value: Any) -> Any:
    """Take the values out of the models of pydantic, which graph builders return, also out of a list or rows of them."""
    if hasattr(type(value), "model_dump"):
        return value.model_dump(mode="json")
    if isinstance(value, list | tuple) and not hasattr(value, "_asdict"):
        if any(hasattr(kind, "model_dump") for kind in {*map(type, value)}):
            return [_dump_models(one) for one in value]
        if value and isinstance(value[0], tuple) and any(hasattr(type(one), "model_dump") for one in value[0]):
            return [tuple(map(_dump_models, row)) for row in value]
    return value


NESTED = (list, tuple, Mapping)
LEAVES = (str, int, float, NoneType)
"""Types of most cells, which hold nothing."""
HOLDERS = (list, tuple, set, frozenset, deque)
"""Types of cells that hold others, besides dictionaries and arrays of objects."""
DEEPEST = 100
"""How deep a cell of pandas is nested at most."""


class Columns(NamedTuple):
    """A list of tuples, column by column.

    Attributes:
        cells: The texts of each column, without white space around them, by its name; none is empty. Those of the column
            ``score`` are numbers.
    """

    cells: Mapping[str, list[Any]]
    name: str | None = None
    numeric: bool = False

    @property
    def path(self) -> str:
        """What the list is called in messages."""
        return self.name or "list"

    @property
    def rows(self) -> NDArray[np.int64]:
        """The row of each tuple."""
        return np.arange(len(next(iter(self.cells.values()))))


PARTS = ("source", "subject", "class", "relation", "predicate", "property", "target", "object")
"""The parts of statements, in the order of a row."""


def columns_of(value: Any, tuples: Tuples, *, name: str | None = None) -> Columns | None:
    """List the columns of a list of tuples or lists of texts; whole numbers are texts, except in a column of scores."""
    if type(value) not in ROWS or not value or not ROWS.issuperset(map(type, value)):
        return None
    value = _below_header(value)
    width = len(value[0])
    names = next((some for some in tuples if len(some) == width), None)
    if names is None or len(set(map(len, value))) > 1:
        return None
    columns, numeric = {}, False
    for called, cells in zip(names, zip(*value, strict=True), strict=True):
        column = _numbers(cells) if called == SCORE else _texts(cells)
        if column is None:
            return None
        columns[called] = column
        numeric |= called != SCORE and type(cells[0]) is int
    return Columns(columns, name, numeric)


def _below_header(rows: Sequence[Any]) -> Sequence[Any]:
    """Leave out a first row that names the parts of the others, and put these into the order of the parts."""
    if len(rows) < 2 or type(rows[0]) not in ROWS:  # noqa: PLR2004 - a row and what it names
        return rows
    places = next(filter(None, (known.header_in(rows[0]) for known in (EDGES, TRIPLES, AXIOMS))), None)
    if not places or {*map(type, rows)} - ROWS or {*map(len, rows)} != {len(places)}:
        return rows
    order = [places[role] for role in sorted(places, key=PARTS.index)]
    return [tuple(row[at] for at in order) for row in rows[1:]]


def _texts(cells: Sequence[Any]) -> list[str] | None:
    kinds = set(map(type, cells))
    if kinds == {str}:
        texts = list(map(str.strip, cells))
        return texts if "" not in texts and _is_unicode("".join(texts)) else None
    return list(map(str, cells)) if kinds == {int} and max(map(abs, cells)) < LARGEST else None


def _numbers(cells: Sequence[Any]) -> list[float] | None:
    if not {int, float}.issuperset(map(type, cells)):
        return None
    numbers = list(map(float, cells))
    return numbers if all(map(math.isfinite, numbers)) else None


def _is_unicode(text: str) -> bool:
    """Return whether a text can be written to a file: half of a pair of surrogates cannot."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def readable(path: str) -> AbstractContextManager[None]:
    """Name an object in errors, and convert those of its own library, such as of a query that cannot be computed."""

    def explanation(error: BaseException) -> InputError:
        message = " ".join(str(error).split())[:200] or type(error).__name__
        return InputError("This cannot be read as a table or a graph.", path=path, found=message)

    return explain_errors(path, explanation)


def table_of(value: Any, tuples: Tuples = ()) -> pl.DataFrame:
    """Make a table of an object that is one, or of a list of rows with plain values."""
    if not isinstance(value, list | tuple):
        return _require_columns(_table(value))
    rows = [_record(row, number, tuples) for number, row in enumerate(value, start=1)]
    return _require_columns(_frame_of(rows))


def _require_columns(frame: pl.DataFrame) -> pl.DataFrame:
    """Refuse a table or a list without anything in it, which could be of any family."""
    if not frame.width:
        raise EmptyInputError("The input is empty.", found="no row and no column")
    return frame


def looking(look: Callable[Given, Made]) -> Callable[Given, Made]:
    """Decorate a function that inspects an input: an object that cannot be inspected is an error."""

    @wraps(look)
    def run(*given: Given.args, **named: Given.kwargs) -> Made:
        try:
            return look(*given, **named)
        except (GoldassayError, MemoryError):
            raise
        except Exception as error:
            found = f"{type(error).__name__} of an object"
            raise UsageError("The input cannot be read.", found=found, expected=KNOWN) from error

    return run


@looking
def is_one(value: object) -> bool:
    """Return whether this is one input, and not a list of several: a list of rows is one, also without any; a list of tables or of files is several."""
    if not isinstance(value, list | tuple):
        return True
    kinds = {*map(type, value)}
    # Most lists have rows that begin with a text, or dictionaries only; empty ones are empty predictions, not rows without values.
    if kinds <= PLAIN or (kinds <= ROWS and all(value) and {*map(type, map(itemgetter(0), value))} == {str}):
        return True
    if isinstance(value, tuple) and all(hasattr(kind, "model_dump") for kind in kinds):
        # A triple of objects is a row.
        return False
    return all(_is_row(one) for one in value) and any(_is_object(one) or len(one) for one in value)


def _is_row(value: Any) -> bool:
    if _is_object(value):
        return True
    # A list of rows has nothing but rows; a row may have lists and texts.
    return isinstance(value, list | tuple) and not (
        value and all(isinstance(one, list | tuple | Mapping) for one in value)
    )


def _is_object(value: object) -> bool:
    return isinstance(value, Mapping) or hasattr(type(value), "model_dump")


def name_of(value: object) -> str:
    """Name an input: a file by its path, an object that has no name by its type and the library that it is of."""
    if isinstance(value, str | PathLike):
        return fspath(value)
    kind = type(value)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__.partition('.')[0]}.{kind.__name__}"


def _record(row: Any, number: int, tuples: Tuples) -> Mapping[str, Any]:
    if isinstance(row, Mapping):
        return row
    if isinstance(row, str):
        return {"id": str(number), "text": row}
    if hasattr(row, "_asdict"):
        # A named tuple says itself what its values are.
        named: Mapping[str, Any] = row._asdict()
        return named
    if isinstance(row, list | tuple):
        for names in tuples:
            if len(names) == len(row):
                return dict(zip(names, row, strict=True))
        expected = " or ".join(f"({', '.join(names)})" for names in tuples) or "dictionaries"
        raise InputError(f"Row {number} of the list has {len(row)} values.", found=f"{row!r:.80}", expected=expected)
    raise InputError(f"Row {number} of the list cannot be read.", found=f"{row!r:.80}", expected=KNOWN)


def _json_lines(rows: Sequence[Mapping[str, Any]]) -> tuple[bytes, list[Any] | None]:
    """Write rows as JSON Lines; those that have only values of JSON are read back with it."""
    import msgspec

    with suppress(TypeError, ValueError, OverflowError, RecursionError):
        data = msgspec.json.Encoder().encode_lines(rows)
        records = msgspec.json.Decoder().decode_lines(data)
        if records == rows:
            return data, records
    lines = []
    for number, row in enumerate(rows, start=1):
        try:
            lines.append(_json_line(row))
        except (TypeError, ValueError, RecursionError) as error:
            raise InputError(f"Row {number} of the list cannot be read.", found=str(error), expected=KNOWN) from error
    return "\n".join(lines).encode(), None


def _json_line(row: Mapping[Any, Any]) -> str:
    try:
        return json.dumps(row, allow_nan=False)
    except (TypeError, ValueError):
        # Most rows are plain, and need no second look.
        return json.dumps(_json_of(row, _refuse_object))


def _json_of(value: Any, otherwise: Callable[[Any], object]) -> object:
    """Return what JSON has a form for: plain numbers, and null for NaN; a function says what all else becomes."""
    if isinstance(value, Mapping):
        return {str(name): _json_of(one, otherwise) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_json_of(one, otherwise) for one in value]
    if hasattr(value, "tolist"):
        return _json_of(value.tolist(), otherwise)
    if value is None or _is_nothing(value):
        return None
    return value if isinstance(value, str | int | float) else otherwise(value)


def _list_or_text(value: Any) -> object:
    """Write a set as the list of its members, in the order of their texts; another object as its text."""
    return sorted(map(str, value)) if isinstance(value, set | frozenset) else str(value)


def _refuse_object(value: Any) -> object:
    raise TypeError(f"{value!r:.80} of the type {name_of(value)}")


def _node_link(graph: Any) -> bytes:
    # The keys of a graph with several edges between two nodes are its relations, unless they are numbers.
    edges = graph.edges(keys=True, data=True) if graph.is_multigraph() else graph.edges(data=True)
    written = {
        "directed": graph.is_directed(),
        "multigraph": graph.is_multigraph(),
        "graph": graph.graph,
        "nodes": [{**data, "id": name} for name, data in graph.nodes(data=True)],
        "links": [
            {**data, "source": source, "target": target}
            | {name: key for name, key in zip(["key"], keys, strict=False) if isinstance(key, str)}
            for source, target, *keys, data in edges
        ],
    }
    return json.dumps(_json_of(written, str)).encode()


def _frame_of(rows: Sequence[Mapping[Any, Any]]) -> pl.DataFrame:
    import polars as pl

    names = dict.fromkeys(name for row in rows for name in row)
    return pl.DataFrame({str(name): _column(str(name), [row.get(name) for row in rows]) for name in names})


def _column(name: str, cells: Sequence[Any]) -> pl.Series:
    """Make a column of numbers, of truth values, or of texts."""
    import polars as pl

    if all(type(cell) is str for cell in cells):
        return pl.Series(cells, dtype=pl.String)
    plain = [_cell(cell, name, number) for number, cell in enumerate(cells, start=1)]
    stated = [cell for cell in plain if cell is not None]
    if all(isinstance(cell, bool) for cell in stated) or all(_is_number(cell) for cell in stated):
        return pl.Series(plain, strict=False)
    return pl.Series([None if cell is None else _text(cell) for cell in plain], dtype=pl.String)


def _cell(cell: Any, name: str, number: int) -> Any:
    """Return a plain value; None where there is none."""
    if getattr(cell, "ndim", None) == 0:
        cell = cell.item()
    if isinstance(cell, str):
        return cell
    if isinstance(cell, int) and cell.bit_length() > 4 * DIGITS.value:
        raise DIGITS.error(f"The {name} of row {number} is too long.", found="a number of more digits", path=None)
    if isinstance(cell, Collection) or str(cell) == object.__repr__(cell):
        raise InputError(
            f"The {name} of row {number} cannot be read.",
            found=f"{cell!r:.80} of the type {name_of(cell)}",
            expected="a text, a number or a list",
        )
    return None if cell is None or _is_nothing(cell) else cell


def _is_nothing(cell: Any) -> bool:
    """Return whether a value is what NumPy and pandas have where there is nothing: NaN, NaT and NA, of which none is equal to itself."""
    try:
        return bool(cell != cell)  # noqa: PLR0124
    except TypeError:
        # Whether NA is equal to anything is NA, which is neither true nor false.
        return True


def _is_number(cell: object) -> bool:
    """Return whether a column of numbers has a place for a value."""
    return isinstance(cell, float) or (isinstance(cell, int) and not isinstance(cell, bool) and abs(cell) < LARGEST)


def _text(cell: object) -> str:
    return str(cell).lower() if isinstance(cell, bool) else str(cell)


def _table(value: Any) -> pl.DataFrame:
    """Make a table of any library one of Polars."""
    import narwhals.stable.v2 as nw
    import polars as pl

    _check_types(value)
    table: Any = nw.from_native(value, pass_through=True)
    if isinstance(table, nw.LazyFrame):
        table = table.collect("polars")
    if not isinstance(table, nw.DataFrame):
        if hasattr(value, "schema") and (hasattr(value, "__arrow_c_array__") or hasattr(value, "__arrow_c_stream__")):
            return pl.DataFrame(value)
        raise unreadable_error(value)
    if not table.implementation.is_pandas_like():
        polars: pl.DataFrame = table.to_polars()
        return polars
    _check_depth(table)
    # Polars reads the texts of pandas through PyArrow only, which refuses columns of several types.
    if find_spec("pyarrow"):
        with suppress(ValueError, TypeError, OverflowError, NotImplementedError):
            return table.to_polars()
    return _frame_of([dict(zip(table.columns, row, strict=True)) for row in table.iter_rows()])


def _check_types(value: Any) -> None:
    """Refuse columns of Arrow that Polars cannot read, or that are nested too deeply: it would end the process."""
    home, types, held = type(value).__module__.partition(".")[0], [], []
    if home == "pyarrow" and hasattr(value, "schema"):
        types, held = [*zip(value.schema.names, value.schema.types, strict=True)], [value]
    elif home == "pandas" and hasattr(value, "columns"):
        columns = [(name, column) for name, column in value.items() if hasattr(column.dtype, "pyarrow_dtype")]
        types = [(name, column.dtype.pyarrow_dtype) for name, column in columns]
        held = [column.array.__arrow_array__() for _, column in columns]
    for name, kind in types:
        written = str(kind)
        if "decimal256" in written or written.count("<") > DEEPEST:
            hint = "keep the columns that are needed, as texts and numbers"
            raise InputError("The table cannot be read.", found=f"{name!r}: {written:.80}", hint=hint)
    for one in held:
        if hasattr(one, "validate"):
            one.validate(full=True)


def _check_depth(table: Any) -> None:
    """Refuse cells that are nested too deeply, or hold themselves: PyArrow would end the process."""
    if len(set(table.columns)) < len(table.columns):
        return  # a name that occurs twice is refused later
    for name, kind in table.schema.items():
        cells = table[name].to_list() if str(kind) == "Object" else []
        for number, cell in enumerate(cells, start=1):
            if not isinstance(cell, LEAVES) and _is_deep(cell):
                raise InputError(
                    f"The {name} of row {number} is nested too deeply.",
                    found=f"a {name_of(cell)} of more than {DEEPEST} levels, or one that holds itself",
                    expected="a text, a number or a list",
                )


def _is_deep(cell: Any) -> bool:
    """Return whether a cell is nested beyond the limit; each value is followed once a level, since it may hold itself twice."""
    level = {id(cell): cell}
    for _ in range(DEEPEST + 1):
        level = {id(one): one for some in level.values() for one in _held(some) if not isinstance(one, LEAVES)}
        if not level:
            return False
    return True


def _held(cell: Any) -> Iterable[Any]:
    """Return what a cell holds: PyArrow looks into lists of any type, and into arrays of NumPy and pandas."""
    if isinstance(cell, Mapping):
        return cell.values()
    if isinstance(cell, HOLDERS):
        return cell
    if str(getattr(cell, "dtype", "")) != "object":
        return ()
    inside = cell.tolist()
    return inside if isinstance(inside, list) else [inside]


def unreadable_error(value: object) -> UsageError:
    """Build the error for an object of a type that no reader knows."""
    return UsageError("This object cannot be read.", found=name_of(value), expected=KNOWN, hint=_hint(value))


def _hint(value: object) -> str | None:
    """Return how an object becomes one that can be read, if that is known."""
    if hasattr(value, "read") or isinstance(value, bytes):
        return "write it to a file, and give its path"
    if is_dataclass(value):
        return "[dataclasses.asdict(one) for one in ...]"
    if type(value).__module__.startswith("networkx."):
        return "give the graph itself"
    method = next((name for name in ("to_table", "reset_index", "to_frame", "tolist") if hasattr(value, name)), None)
    if method:
        return f"give its .{method}()"
    return "give a list of it: list(...)" if isinstance(value, Iterable) else None
