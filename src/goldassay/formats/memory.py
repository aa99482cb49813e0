"""What a program holds in memory: tables as frames, all else as the file that it would be saved to. Every format has one reader."""

from __future__ import annotations

import json
import math
import warnings
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, MappingView, Sequence
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager, suppress
from functools import wraps
from importlib.util import find_spec
from itertools import chain
from operator import itemgetter, methodcaller
from os import PathLike, fspath
from types import NoneType
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, TypeAlias, TypeVar

import numpy as np

from goldassay.core.errors import (
    EmptyInputError,
    GoldassayError,
    InputError,
    UsageError,
    explain_errors,
    first_line,
    name_file,
)
from goldassay.core.libraries import msgspec, nw, ox, pl
from goldassay.core.limits import DIGITS
from goldassay.core.model import is_model
from goldassay.core.text import count_of
from goldassay.formats.answers.shapes import RELATION
from goldassay.formats.choose_columns import Roles
from goldassay.formats.json_tables import OF_CONCEPTS, documents_in
from goldassay.formats.plain import (
    COLLECTIONS,
    LEAVES,
    NO_TEXT,
    cell_text,
    has_fields,
    is_graph,
    node_link,
    plain,
    type_name,
)
from goldassay.formats.printed import edges_of_networkx
from goldassay.formats.records import BETWEEN
from goldassay.formats.roles import AXIOMS, CONCEPTS, CORRESPONDENCES, DOCUMENTS, EDGES, LABELS, SENTENCES, TRIPLES
from goldassay.formats.source import PARQUET, Source
from goldassay.formats.wrapped import unwrapped

if TYPE_CHECKING:
    from numpy.typing import NDArray

Given = ParamSpec("Given")
Made = TypeVar("Made")
Tuples: TypeAlias = Collection[tuple[str, ...]]
"""The names of the values of tuples, once for each number of values."""
LARGEST = 2**63
"""Whole numbers from here on are texts."""
SCORE = "score"
MANY, TRIPLE = 2, 3
NUMBERS = frozenset({bool, int, float})
TABLE = PARQUET + b"\xff"
"""In place of the bytes of a table: recognised as Parquet, and no text."""
ROWS, PLAIN = frozenset({list, tuple}), frozenset({dict})
"""Types of rows: values in order, and values by name."""
STAYING: Any = str | None | NO_TEXT | PathLike
"""Types of values that hold no rows."""
OF_LABELS = ("instance", "label")
NUMBERED = frozenset({("id", "text"), OF_LABELS})
"""Pairs whose first value may be the place of a text in a list; elsewhere texts are the lines of a file."""
HEADED: Mapping[tuple[str, ...], Roles] = {
    OF_LABELS: LABELS,
    ("source", "target"): CORRESPONDENCES,
    ("id", "text"): SENTENCES,
}
"""The columns of families whose lists of tuples may begin with any names of columns."""
STORES = frozenset({"Store", "Dataset"})
"""What holds the statements of pyoxigraph."""
NUMBERS_OF_ROWS = frozenset({"integer", "floating", "mixed-integer-float", "boolean", "empty"})
"""What pandas calls the types of an index that may be numbers of rows, which change where rows are left out or sorted anew."""
VIEWS = frozenset({"EdgeView", "OutEdgeView"})
"""What the edges of a graph of networkx are, if there is one between two nodes."""
KNOWN = "a path, a table (pandas, Polars, PyArrow, DuckDB), a graph (networkx, rdflib), or a list of tuples, dictionaries or texts"


def source_of(value: Any, tuples: Tuples = (), *, name: str | None = None) -> Source:
    r"""Make a table of an object, or write it to the bytes of a file, in the format that keeps all of it.

    A list of tuples or of dictionaries with plain values is a table. A list of dictionaries with lists becomes an array of JSON; a list of texts, or what a model wrote, a file of lines; a graph of networkx node-link JSON; a graph of
    rdflib N-Triples or N-Quads.
    """
    path = name or name_of(value)
    with readable(path):
        suffix, data, records = _write_object(value, tuples)
    if isinstance(data, bytes):
        with name_file(path):
            made = unwrapped(edges_of_networkx(data, "") if suffix == "txt" else data)
        records = records if made is data else None
        return Source(path=path, name=f"memory.{suffix}", data=made, size=len(made), records=records)
    return Source(path=path, name="memory", data=TABLE, size=int(data.estimated_size()), frame=data)


def _write_object(value: Any, tuples: Tuples) -> tuple[str, bytes | pl.DataFrame, list[Any] | None]:
    """Write an object to the bytes of a file, and name its format by the suffix; a table stays one, and so do plain records."""
    if isinstance(value, str):
        return "txt", value.encode(), None
    if has_fields(value) and not isinstance(value, tuple):
        value = _plain(value, "The object")
    if isinstance(value, dict):
        made = {name: _plain(one, f"The value of {name!r:.60}") for name, one in value.items()}
        return "json", json.dumps(_plain(made, "A name of the dictionary")).encode(), None
    if isinstance(value, list | tuple):
        return _write_rows(value, tuples)
    if (written := _write_statements(value)) is not None:
        return *written, None
    if is_graph(type(value)):
        return "json", json.dumps(_plain(node_link(value), "A node")).encode(), None
    return _write_table(value)


def _write_statements(value: Any) -> tuple[str, bytes] | None:
    """Write the statements of rdflib or pyoxigraph; None if a value has none."""
    home = type(value).__module__
    if home.startswith("pyoxigraph") and type(value).__name__ in STORES:
        return "nq", ox.serialize(iter(value), format=ox.RdfFormat.N_QUADS) or b""
    # The result of a query has the attributes of its graph; its type has none of them.
    if not home.startswith("rdflib.") or not hasattr(type(value), "triples"):
        return None
    suffix, layout = ("nq", "nquads") if value.context_aware else ("nt", "nt")
    with warnings.catch_warnings():
        # What rdflib deprecates of itself is nothing that the caller could change.
        warnings.simplefilter("ignore", DeprecationWarning)
        return suffix, value.serialize(format=layout).encode()


def _write_table(value: Any) -> tuple[str, bytes | pl.DataFrame, list[Any] | None]:
    """Make a table of an object that is one; what has objects in its cells is written row by row, as a list of dictionaries is."""
    table = _open(take_index(value)[0])
    if not _types_of_objects(table) <= PLAIN_CELLS:
        return _write_records(_rows_of(table))
    frame = _require_columns(_frame(table))
    objects = {name for name, kind in frame.schema.items() if holds_objects(kind)}
    columns = {}
    for name in frame.columns if objects else ():
        # A column that is not needed may hold what has no text.
        with suppress(InputError):
            columns[name] = _plain(frame[name].to_list(), name)
    if objects & columns.keys():
        return _write_records([dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)])
    return "", frame, None


def holds_objects(kind: pl.DataType) -> bool:
    """Return whether cells of a type of Polars have fields, or are objects of Python."""
    inner = getattr(kind, "inner", None)
    return str(kind).startswith(("Struct", "Object")) or (inner is not None and holds_objects(inner))


def _write_rows(value: Sequence[Any], tuples: Tuples) -> tuple[str, bytes | pl.DataFrame, list[Any] | None]:
    """Write a list to the bytes of a file; rows with plain values stay a table."""
    if value and NUMBERED.isdisjoint(tuples) and all(isinstance(row, str) for row in value):
        return "txt", "\n".join(value).encode(), None
    _check_rows(value, tuples)
    value = _below_header(value, tuples)
    value = documents_in(value) if OF_CONCEPTS in tuples else _with_named_ends(value)
    rows: Sequence[Mapping[str, Any]] = value
    if set(map(type, value)) != PLAIN:
        between = _names_of(value, tuples) if value and {*map(type, value)} <= ROWS else None
        named = list(dict.fromkeys([*([between] if between else []), *tuples]))
        rows = [_record(row, number, named) for number, row in enumerate(value, start=1)]
    return _write_records(rows)


def _write_records(rows: Sequence[Mapping[str, Any]]) -> tuple[str, bytes | pl.DataFrame, list[Any] | None]:
    """Write dictionaries as an array of JSON if there are lists in them, else as a table."""
    kinds = {*map(type, chain.from_iterable(map(methodcaller("values"), rows)))}
    if not kinds <= PLAIN_CELLS | NESTED:
        rows = [
            {name: _plain(cell, f"The {name} of row {number}") for name, cell in row.items()}
            for number, row in enumerate(rows, start=1)
        ]
        kinds = {*map(type, chain.from_iterable(map(methodcaller("values"), rows)))}
    if kinds & NESTED:
        return "json", *_json_array(rows)
    return "", _require_columns(_frame_of(rows)), None


def _plain(value: Any, what: str) -> Any:
    """Return a value as JSON has it; what is neither a text nor holds any is an error that says what it is."""
    try:
        return plain(value)
    except (TypeError, ValueError, RecursionError, OverflowError) as error:
        hint = "give its text, or its fields as a dictionary"
        raise InputError(f"{what} cannot be read.", found=first_line(error), expected=READ, hint=hint) from error


NESTED = frozenset({list, tuple, dict})
READ = "a text, a number, a list, or an object with fields"
PLAIN_CELLS = LEAVES | {float}
"""Types of most cells, which hold nothing."""
SCALARS = (str, int, float, NoneType)
NOT_TEXTS = (int, float, NoneType, np.generic)
"""Types of labels in a list that are no texts."""
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
    _check_rows(value, tuples)
    value = _below_header(value, tuples)
    if type(value[0]) not in ROWS:
        return None
    names = _names_of(value, tuples)
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


def _names_of(rows: Sequence[Any], tuples: Tuples) -> tuple[str, ...] | None:
    """Return what the values of rows of the length of the first are called; a relation may be between the ends of correspondences, as in JSON."""
    width = len(rows[0])
    names = next((some for some in tuples if len(some) == width), None)
    if ("source", "target", SCORE) in tuples and width > MANY and all(map(_is_between, rows)):
        names = ("source", "relation", "target", SCORE)[:width]
    return names


def _is_between(row: Any) -> bool:
    """Return whether the second of some names is a relation, and the third is none."""
    return len(row) > MANY and _is_relation(row[1]) and not _is_relation(row[MANY]) and type(row[MANY]) is str


def _is_relation(name: Any) -> bool:
    return type(name) is str and bool(RELATION.fullmatch(name.strip()))


MATRIX = 'pandas.DataFrame(ROWS, columns=LABELS, index=pandas.Index(IDS, name="id"))'
"""How a matrix of labels says what its rows and columns are."""


def _with_named_ends(rows: Sequence[Any]) -> Sequence[Any]:
    """Name the ends of edges that have their attributes behind them, as networkx lists them; anything else stays."""
    if not all(type(row) in ROWS and len(row) == TRIPLE and type(row[-1]) is dict for row in rows):
        return rows
    return [{**row[-1], **dict(zip(("source", "target"), row, strict=False))} for row in rows]


def _check_rows(value: Sequence[Any], tuples: Tuples) -> None:
    """Refuse rows with their numbers, and rows of only 0 and 1, a matrix of labels, where a row is an instance and a label."""
    if _are_counted(value, tuples):
        found, hint = (
            f"{value[0]!r:.60}",
            "leave out the numbers: [row for number, row in ...], or give the table itself",
        )
        raise InputError(
            "These are rows with their numbers.", found=" ".join(found.split()), expected="rows", hint=hint
        )
    if ("instance", "label") not in tuples or len(value) < MANY or not all(map(_is_marks, value)):
        return
    if list in {*map(type, value)} or len({row[0] for row in value}) < len(value):
        found = f"{value[0]!r:.60} and {len(value) - 1:,} other rows of only 0 and 1"
        raise InputError("A matrix of labels has no names.", found=found, expected="(instance, label)", hint=MATRIX)


def _are_counted(rows: Sequence[Any], tuples: Tuples) -> bool:
    """Return whether rows are pairs of a number and a row, as of ``iterrows`` or ``enumerate``, or of a key and a table; an id may have a list of labels."""
    if not rows or type(rows[0]) not in ROWS or len(rows[0]) != MANY or isinstance(rows[0][1], SCALARS):
        return False
    kinds = (list, tuple, Mapping) if _Ids.of(tuples) is None else ()
    return all(
        type(row) in ROWS
        and len(row) == MANY
        and (_is_row_of_table(row[1]) or (isinstance(row[1], kinds) and type(row[0]) is int and len(row[1]) > 1))
        for row in rows
    )


def _is_row_of_table(value: Any) -> bool:
    """Return whether a value is a table of pandas, or a row of one: its index has the names of the columns."""
    # Types are asked: an object may answer in its own way.
    index: Any = value.index if hasattr(type(value), "index") else None
    return hasattr(type(index), "inferred_type") and (
        hasattr(type(value), "columns") or index.inferred_type == "string"
    )


def _is_marks(row: Any) -> bool:
    return type(row) in ROWS and len(row) >= MANY and all(type(one) in NUMBERS and one in (0, 1) for one in row)


def _below_header(rows: Sequence[Any], tuples: Tuples) -> Sequence[Any]:
    """Leave out a first row that names the parts of the others, and put these into the order of the parts."""
    if len(rows) < 2 or type(rows[0]) not in ROWS:  # noqa: PLR2004 - a row and what it names
        return rows
    places = next(filter(None, (known.header_in(rows[0]) for known in (EDGES, TRIPLES, AXIOMS))), None)
    if not places and any(pair in tuples and _are_names(rows[0], known) for pair, known in HEADED.items()):
        alike = {*map(type, rows)} <= ROWS and {*map(len, rows)} == {len(rows[0])}
        return [dict(zip(rows[0], row, strict=True)) for row in rows[1:]] if alike else rows
    if not places or {*map(type, rows)} - ROWS or {*map(len, rows)} != {len(places)}:
        return rows
    order = [places[role] for role in sorted(places, key=PARTS.index)]
    return [tuple(row[at] for at in order) for row in rows[1:]]


def _are_names(row: Sequence[Any], known: Roles) -> bool:
    """Return whether a row has names of columns only, and all that a family needs."""
    if not all(type(one) is str for one in row) or len({*row}) < len(row) or not known.recognises(row):
        return False
    return all(any(known.called(role, [name]) for role in known.names) for name in row)


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
        return _require_columns(_frame(_open(take_index(value, tuples)[0])))
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
def listed(value: Any) -> Any:
    """Return what holds rows as a list, as it is within a list: an iterator read to its end, a set, an array, a column; anything else as it is."""
    kind: Any = type(value)
    if kind in ROWS or isinstance(value, STAYING) or is_model(value) or has_fields(value):
        return value
    if kind.__name__ in VIEWS:
        return list(value)
    if isinstance(value, Mapping) or hasattr(kind, "read") or hasattr(kind, "__arrow_c_stream__"):
        return _values_of(value)
    if isinstance(value, AbstractSet) and not isinstance(value, MappingView):
        # Of texts a set does not say which is whose.
        return value if str in {*map(type, value)} else sorted(value, key=lambda one: str(plain(one)))
    return list(value) if isinstance(value, COLLECTIONS) else _values_of(value)


class _Ids(NamedTuple):
    """How the rows of a family are called.

    Attributes:
        roles: The columns of its tables.
        role: That of the ids.
        values: What the values of a column without a name are, if they are texts and if not.
        single: Whether each row of such a table is an item of its own, so that numbers of rows say nothing.
    """

    roles: Roles
    role: str
    values: tuple[str, str]
    single: bool = False

    @classmethod
    def of(cls, tuples: Tuples) -> _Ids | None:
        """Return how the rows of a family are called; None if it has no ids."""
        return next((IDS[some] for some in tuples if some in IDS), None)

    def lacking(self, value: Any) -> bool:
        """Return whether a table or a column has no ids besides its index."""
        names = [*map(str, getattr(value, "columns", ()))]
        return not self.roles.called(self.role, names) and not (self.roles is DOCUMENTS and CONCEPTS.recognises(names))


IDS: Mapping[tuple[str, ...], _Ids] = {
    OF_LABELS: _Ids(LABELS, "instance", ("label", "label")),
    ("id", "text"): _Ids(DOCUMENTS, "id", ("text", "concepts")),
    ("id", "subject", "predicate", "object"): _Ids(TRIPLES, "id", ("output", "triples"), single=True),
}
"""The families with ids, by the tuples that they take."""


@looking
def take_index(value: Any, tuples: Tuples = (), *, asked: bool = False) -> tuple[Any, dict[str, str]]:
    """Take an index of pandas for columns: levels with a name, as its CSV has them, and what is no number of a row for ids, where the family has ids, and the table none."""
    index: Any = getattr(value, "index", None)
    if not hasattr(index, "inferred_type"):
        return value, {}
    value = _with_one_level(value)
    ids, columns = _Ids.of(tuples), getattr(value, "columns", None)
    numbers = index.nlevels > 1 or index.inferred_type in NUMBERS_OF_ROWS
    named = [at for at, name in enumerate(index.names) if name is not None and (columns is None or name not in columns)]
    lacking = ids is not None and not asked and not any(name is not None for name in index.names) and ids.lacking(value)
    if lacking and not numbers:
        value, named = value.rename_axis("id"), [0]
        notes = {"notes": "the index of the table is read as the ids of its rows"}
    else:
        notes = _warn_of_index(index, ids, value) if lacking else {}
    if columns is not None:
        return (value.reset_index(level=named) if named else value), notes
    if named:
        texts = ids is not None and all(isinstance(one, str) for one in value)
        called = {"name": ids.values[not texts]} if ids is not None and value.name is None else {}
        return value.reset_index(**called), notes
    return (value.to_list() if numbers else value), notes


def _with_one_level(value: Any) -> Any:
    """Name columns of pandas with names on several levels, as of ``agg``, by the first level on which no name occurs twice."""
    columns: Any = getattr(value, "columns", None)
    levels = map(columns.get_level_values, range(columns.nlevels)) if getattr(columns, "nlevels", 1) > 1 else ()
    unique = next((level for level in levels if level.is_unique), None)
    return value if unique is None else value.set_axis(unique, axis=1)


def _warn_of_index(index: Any, ids: _Ids | None, value: Any) -> dict[str, str]:
    """Warn of numbers of rows that are not those of their order: they are of another table, of which rows were left out or sorted anew."""
    if np.array_equal(index.to_numpy(), np.arange(len(index))):
        return {}
    single = ids is not None and ids.single and ids.roles.recognises([*map(str, getattr(value, "columns", ()))])
    if single and index.is_unique:
        return {}
    shown = ", ".join(str(one) for one in index[:3]) + ", ..." * (len(index) > 3)  # noqa: PLR2004 - the first few
    way = "not read" if single else "not read, and rows are paired in their order"
    return {
        "warnings": f"the index of the table ({shown:.60}) is {way}: if it says which row is which, take it for the ids of "
        "both sides with .rename_axis('id'), else .reset_index(drop=True)"
    }


def _values_of(value: Any) -> Any:
    """Return the rows of an array, or the values of a column, as a list; anything else as it is."""
    if isinstance(value, np.ndarray):
        names = value.dtype.names
        if names:
            return [dict(zip(names, row, strict=True)) for row in value.tolist()]
        return value.tolist() if value.ndim and (value.dtype.kind in "OUT" or value.ndim == 1) else value
    home = type(value).__module__.partition(".")[0]
    maker = {"polars": "to_list", "pyarrow": "to_pylist"}.get(home, "")
    is_column = maker and hasattr(type(value), maker) and not hasattr(type(value), "columns")
    return getattr(value, maker)() if is_column else value


@looking
def is_one(value: object) -> bool:
    """Return whether this is one input, and not a list of several: a list of rows is one, also without any; a list of tables or of files is several."""
    if not isinstance(value, list | tuple):
        return True
    kinds = {*map(type, value)}
    # Most lists have rows that begin with a text, or dictionaries only; empty ones are empty predictions, not rows without values.
    if kinds <= PLAIN or (kinds <= ROWS and all(value) and {*map(type, map(itemgetter(0), value))} == {str}):
        return True
    if isinstance(value, tuple) and all(map(has_fields, value)):
        # A triple of objects is a row.
        return False
    return all(_is_row(one) for one in value) and any(_is_object(one) or len(one) for one in value)


def _is_row(value: Any) -> bool:
    if _is_object(value):
        return True
    if isinstance(value, AbstractSet):
        return {*map(type, value)} <= {str}
    # A list of rows has nothing but rows; a row may have lists and texts.
    return isinstance(value, list | tuple) and not (
        value and all(isinstance(one, list | tuple | Mapping) for one in value)
    )


def _is_object(value: object) -> bool:
    return isinstance(value, Mapping) or (has_fields(value) and not isinstance(value, tuple) and not is_model(value))


def name_of(value: object) -> str:
    """Name an input: a file by its path, an object that has no name by its type and the library that it is of."""
    if isinstance(value, str | PathLike):
        return fspath(value)
    return type_name(type(value))


def _record(row: Any, number: int, tuples: Tuples) -> Mapping[str, Any]:
    if has_fields(row):
        # A named tuple says itself what its values are.
        row = _plain(row, f"Row {number} of the list")
    if isinstance(row, Mapping):
        return row
    if isinstance(row, str) or (OF_LABELS in tuples and isinstance(row, NOT_TEXTS)):
        numbered = next((some for some in tuples if some in NUMBERED), ("id", "text"))
        return dict(zip(numbered, (str(number), row), strict=True))
    if isinstance(row, list | tuple):
        for names in tuples:
            if len(names) == len(row):
                return dict(zip(names, row, strict=True))
        expected = " or ".join(f"({', '.join(names)})" for names in tuples) or "dictionaries"
        values = count_of(len(row), "value")
        raise InputError(f"Row {number} of the list has {values}.", found=f"{row!r:.80}", expected=expected)
    raise InputError(f"Row {number} of the list cannot be read.", found=f"{row!r:.80}", expected=KNOWN)


def _json_array(rows: Sequence[Mapping[str, Any]]) -> tuple[bytes, list[Any] | None]:
    """Write rows as an array of JSON with a row on each line; those that have only values of JSON are read back with it."""
    if found := _encoded(rows):
        return found
    made = [_plain(row, f"Row {number} of the list") for number, row in enumerate(rows, start=1)]
    return _encoded(made) or (b"[%b]" % BETWEEN.join(json.dumps(one).encode() for one in made), None)


def _encoded(rows: Sequence[Mapping[str, Any]]) -> tuple[bytes, list[Any]] | None:
    """Write rows at once, if they are read back as they are."""
    with suppress(TypeError, ValueError, OverflowError, RecursionError):
        data = msgspec.json.Encoder().encode_lines(rows)
        records = msgspec.json.Decoder().decode_lines(data)
        # A line break within a text is escaped.
        array = b"[%b]" % data.removesuffix(b"\n").replace(b"\n", BETWEEN)
        return (array, records) if records == rows else None
    return None


def _frame_of(rows: Sequence[Mapping[Any, Any]]) -> pl.DataFrame:
    names = dict.fromkeys(name for row in rows for name in row)
    return pl.DataFrame({str(name): _column(str(name), [row.get(name) for row in rows]) for name in names})


def _column(name: str, cells: Sequence[Any]) -> pl.Series:
    """Make a column of numbers, of truth values, or of texts."""
    if all(type(cell) is str for cell in cells):
        return pl.Series(cells, dtype=pl.String)
    values = [_cell(cell, name, number) for number, cell in enumerate(cells, start=1)]
    stated = [cell for cell in values if cell is not None]
    if all(isinstance(cell, bool) for cell in stated) or all(_is_number(cell) for cell in stated):
        return pl.Series(values, strict=False)
    if number := next((number for number, cell in enumerate(values, start=1) if isinstance(cell, list | dict)), 0):
        raise InputError(
            f"The {name} of row {number} is a list.", found=f"{values[number - 1]!r:.80}", expected="one text or number"
        )
    return pl.Series([None if cell is None else cell_text(cell) for cell in values], dtype=pl.String)


def _cell(cell: Any, name: str, number: int) -> Any:
    """Return a plain value; None where there is none."""
    made = _plain(cell, f"The {name} of row {number}")
    if isinstance(made, int) and made.bit_length() > 4 * DIGITS.value:
        raise DIGITS.error(f"The {name} of row {number} is too long.", found="a number of more digits")
    return made


def _is_number(cell: object) -> bool:
    """Return whether a column of numbers has a place for a value."""
    return isinstance(cell, float) or (isinstance(cell, int) and not isinstance(cell, bool) and abs(cell) < LARGEST)


def _open(value: Any) -> Any:
    """Open a table of any library."""
    _check_types(value)
    table: Any = nw.from_native(value, pass_through=True)
    if isinstance(table, nw.LazyFrame):
        table = table.collect("polars")
    if isinstance(table, nw.DataFrame):
        return table
    if hasattr(value, "schema") and (hasattr(value, "__arrow_c_array__") or hasattr(value, "__arrow_c_stream__")):
        return nw.from_native(pl.DataFrame(value))
    raise unreadable_error(value)


def _frame(table: Any) -> pl.DataFrame:
    """Make a table of any library one of Polars."""
    # Polars reads the texts of pandas through PyArrow only, which refuses columns of several types.
    if not table.implementation.is_pandas_like() or find_spec("pyarrow"):
        errors = (
            (ValueError, TypeError, OverflowError, NotImplementedError) if table.implementation.is_pandas_like() else ()
        )
        with suppress(*errors):
            polars: pl.DataFrame = table.to_polars()
            return polars
    return _frame_of(_rows_of(table))


def _rows_of(table: Any) -> list[dict[str, Any]]:
    names = table.columns
    return [dict(zip(names, row, strict=True)) for row in table.iter_rows()]


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


def _types_of_objects(table: Any) -> set[type]:
    """Return the types of the objects in the columns of pandas; those that are nested too deeply, or hold themselves, would end the process."""
    found: set[type] = set()
    if not table.implementation.is_pandas_like() or len(set(table.columns)) < len(table.columns):
        return found  # a name that occurs twice is refused later
    for name, kind in table.schema.items():
        cells = table.get_column(name).to_list() if str(kind) == "Object" else []
        found.update(map(type, cells))
        for number, cell in enumerate(cells, start=1):
            if not isinstance(cell, SCALARS) and _is_deep(cell):
                raise InputError(
                    f"The {name} of row {number} is nested too deeply.",
                    found=f"a {name_of(cell)} of more than {DEEPEST} levels, or one that holds itself",
                    expected=READ,
                )
    return found


def _is_deep(cell: Any) -> bool:
    """Return whether a cell is nested beyond the limit; each value is followed once a level, since it may hold itself twice."""
    level = {id(cell): cell}
    for _ in range(DEEPEST + 1):
        level = {id(one): one for some in level.values() for one in _held(some) if not isinstance(one, SCALARS)}
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
    home: Any = type(value)
    known = {
        "give rows, such as list(enumerate([...]))": isinstance(value, int | float),
        "save an ontology, and give the path: onto.save('onto.owl')": home.__module__.startswith("owlready2."),
        "give its text: .decode(); or write it to a file, and give the path": isinstance(value, bytes),
        "give its text: .read(); or the path of the file": hasattr(home, "read"),
        "give the graph itself": home.__module__.startswith("networkx."),
        MATRIX: hasattr(home, "toarray")
        or (isinstance(value, np.ndarray) and value.ndim == MANY and value.dtype.kind in "biuf"),
    }
    if any(known.values()):
        return next(hint for hint, fits in known.items() if fits)
    method = next((name for name in ("to_table", "reset_index", "to_frame", "tolist") if hasattr(value, name)), None)
    if method:
        return f"give its .{method}()"
    return "give a list of it: list(...)" if isinstance(value, Iterable) else None
