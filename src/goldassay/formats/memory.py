"""What a program holds in memory, as the file that it would be saved to: every format has one reader."""

from __future__ import annotations

import io
import json
import warnings
from collections.abc import Collection, Mapping, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeAlias

from goldassay.core.errors import UsageError
from goldassay.formats.source import Source

if TYPE_CHECKING:
    import polars as pl

Tuples: TypeAlias = Collection[tuple[str, ...]]
"""The names of the values of tuples, once for each number of values."""
KNOWN = "a path, a table (pandas, Polars, PyArrow, DuckDB), a graph (networkx, rdflib), or a list of tuples, dictionaries or texts"


def source_of(value: Any, tuples: Tuples = ()) -> Source:
    """Write an object to the bytes of a file, in the format that keeps all of it.

    A table becomes Parquet, and so does a list of tuples or of dictionaries with plain values. A list of dictionaries with
    lists, or of texts, becomes JSON Lines; a graph of networkx node-link JSON; a graph of rdflib N-Triples or N-Quads.

    Args:
        value: A table of any library that Narwhals knows, a graph of networkx or rdflib, or a list.
        tuples: What the values of tuples are called, by how many there are.

    Raises:
        UsageError: If it is none of these, or a row holds what a table has no form for.

    Example:
        >>> source_of([("cat", ["pet"])], [("child", "parents")]).data
        b'{"child": "cat", "parents": ["pet"]}'
    """
    if isinstance(value, list | tuple):
        rows = [_record(row, number, tuples) for number, row in enumerate(value, start=1)]
        if any(isinstance(cell, list | tuple | Mapping) for row in rows for cell in row.values()):
            return _source(value, "memory.jsonl", _json_lines(rows))
        return _source(value, "memory.parquet", _parquet(_frame_of(rows)))
    if type(value).__module__.startswith("rdflib.") and hasattr(value, "serialize"):
        suffix, layout = ("nq", "nquads") if value.context_aware else ("nt", "nt")
        with warnings.catch_warnings():
            # What rdflib deprecates of itself is nothing that the caller could change.
            warnings.simplefilter("ignore", DeprecationWarning)
            return _source(value, f"memory.{suffix}", value.serialize(format=layout).encode())
    if hasattr(value, "nodes") and hasattr(value, "edges") and hasattr(value, "is_multigraph"):
        return _source(value, "memory.json", _node_link(value))
    return _source(value, "memory.parquet", _parquet(_table(value)))


def table_of(value: Any, tuples: Tuples = ()) -> pl.DataFrame:
    """Make a table of an object that is one, or of a list of rows with plain values.

    Args:
        value: A table of any library that Narwhals knows, or a list.
        tuples: What the values of tuples are called, by how many there are.

    Raises:
        UsageError: If it is neither.

    Example:
        >>> table_of([("cat", "pet")], [("child", "parent")]).rows()
        [('cat', 'pet')]
    """
    if not isinstance(value, list | tuple):
        return _table(value)
    rows = [_record(row, number, tuples) for number, row in enumerate(value, start=1)]
    nested = next((cell for row in rows for cell in row.values() if isinstance(cell, list | tuple | Mapping)), None)
    if nested is not None:
        raise UsageError("A table has plain values.", found=f"{nested!r:.80}", expected="texts and numbers")
    return _frame_of(rows)


def is_one(value: object) -> bool:
    """Tell one input from a list of several: a list of rows is one, a list of tables or of files is several.

    Args:
        value: An input, or several.

    Example:
        >>> is_one([("cat", "pet")]), is_one(["a.csv", "b.csv"]), is_one([[("cat", "pet")], [("dog", "pet")]])
        (True, False, False)
    """
    if not isinstance(value, list | tuple):
        return True
    return bool(value) and all(_is_row(one) for one in value)


def _is_row(value: object) -> bool:
    if isinstance(value, Mapping):
        return True
    return isinstance(value, list | tuple) and not any(isinstance(one, list | tuple | Mapping) for one in value)


def _source(value: object, name: str, data: bytes) -> Source:
    return Source(path=_name(value), name=name, data=data, size=len(data))


def _name(value: object) -> str:
    kind = type(value)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__.partition('.')[0]}.{kind.__name__}"


def _record(row: Any, number: int, tuples: Tuples) -> Mapping[str, Any]:
    if isinstance(row, str):
        return {"id": str(number), "text": row}
    if isinstance(row, Mapping):
        return row
    if isinstance(row, list | tuple):
        for names in tuples:
            if len(names) == len(row):
                return dict(zip(names, row, strict=True))
        expected = " or ".join(f"({', '.join(names)})" for names in tuples) or "dictionaries"
        raise UsageError(f"Row {number} of the list has {len(row)} values.", found=f"{row!r:.80}", expected=expected)
    raise UsageError(f"Row {number} of the list cannot be read.", found=f"{row!r:.80}", expected=KNOWN)


def _json_lines(rows: Sequence[Mapping[str, Any]]) -> bytes:
    lines = []
    for number, row in enumerate(rows, start=1):
        try:
            lines.append(json.dumps(row, default=_plain))
        except (TypeError, ValueError, RecursionError) as error:
            raise UsageError(f"Row {number} of the list cannot be read.", found=str(error), expected=KNOWN) from error
    return "\n".join(lines).encode()


def _plain(value: Any) -> object:
    """Give the plain number of a number of numpy, and the list of an array."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{value!r:.80} of the type {_name(value)}")


def _node_link(graph: Any) -> bytes:
    written = {
        "directed": graph.is_directed(),
        "multigraph": graph.is_multigraph(),
        "nodes": [{**data, "id": name} for name, data in graph.nodes(data=True)],
        "links": [{**data, "source": source, "target": target} for source, target, data in graph.edges(data=True)],
    }
    return json.dumps(written, default=str).encode()


def _frame_of(rows: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
    import polars as pl

    names = dict.fromkeys(name for row in rows for name in row)
    return pl.DataFrame({str(name): _column([row.get(name) for row in rows]) for name in names})


def _column(cells: Sequence[Any]) -> pl.Series:
    """Make a column of numbers, or of texts; NaN is what pandas and NumPy have where there is nothing."""
    import polars as pl

    plain = [cell.item() if hasattr(cell, "item") else cell for cell in cells]
    plain = [None if cell != cell else cell for cell in plain]  # noqa: PLR0124
    if all(cell is None or isinstance(cell, int | float) for cell in plain):
        return pl.Series(plain, strict=False)
    return pl.Series([None if cell is None else str(cell) for cell in plain], dtype=pl.String)


def _table(value: object) -> pl.DataFrame:
    """Make a table of any library one of Polars.

    Raises:
        UsageError: If it is no table.
    """
    import narwhals.stable.v2 as nw

    table: Any = nw.from_native(value, pass_through=True)
    if isinstance(table, nw.LazyFrame):
        table = table.collect("polars")
    if not isinstance(table, nw.DataFrame):
        raise UsageError("This is nothing that can be read.", found=_name(value), expected=KNOWN)
    if find_spec("pyarrow") or not table.implementation.is_pandas_like():
        return table.to_polars()
    # Polars reads the texts of pandas through PyArrow only.
    return _frame_of([dict(zip(table.columns, row, strict=True)) for row in table.iter_rows()])


def _parquet(frame: pl.DataFrame) -> bytes:
    stream = io.BytesIO()
    frame.write_parquet(stream)
    return stream.getvalue()
