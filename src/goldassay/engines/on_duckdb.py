"""DuckDB: one machine, with tables that are larger than its memory."""

from __future__ import annotations

import re
import shutil
import weakref
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from goldassay.core.errors import GoldassayError, InputError, OutputError, UsageError, require
from goldassay.core.family import Family
from goldassay.core.lazy import Frame, Worker
from goldassay.core.libraries import nw
from goldassay.core.patterns import pattern_of
from goldassay.engines.engine import TableEngine, lazy
from goldassay.engines.tables import Delimited
from goldassay.formats.memory import table_of

MEBIBYTE, TOGETHER = 2**20, 2**17
NO_TEXT = "\ufffe"
FULL = '"errno":"28"'
"""What DuckDB says of a full disk."""
LINE = pattern_of(r"(?:on Line|in line):? (\d+)", re.IGNORECASE)


class DuckDB(TableEngine):
    """DuckDB in this process: what does not fit into memory is spilled to a folder of its own."""

    name = "duckdb"

    def __init__(self, memory: int) -> None:
        duckdb = require("duckdb", extra="duckdb", purpose="score on the engine duckdb")
        self._duckdb = duckdb
        self._memory = memory
        # It lives as long as the engine, and so as long as a report with evidence that is a frame of it.
        self._folder = mkdtemp(prefix="goldassay-")
        weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        self._numbers = count()
        self._connection = duckdb.connect(
            config={
                "memory_limit": f"{memory // MEBIBYTE} MiB",
                "temp_directory": self._folder,
                # The order of rows does not matter, and keeping it costs memory.
                "preserve_insertion_order": "false",
            }
        )

    def materialize(self, frame: Frame) -> Frame:
        """Write a frame to the folder of the engine, and read it from there."""
        file = self._file()
        with self.explain_errors(None):
            frame.sink_parquet(file)
        return self.scan_parquet([file])

    def map_rows(self, frame: Frame, column: str, into: str, function: Callable[[str], str | None]) -> Frame:
        """Add a column by a function of Python that DuckDB calls."""
        made = f"goldassay_{next(self._numbers)}"
        text = self._duckdb.sqltypes.VARCHAR
        self._connection.create_function(made, function, [text], text, null_handling="special")
        call = self._duckdb.FunctionExpression(made, self._duckdb.ColumnExpression(column)).alias(into)
        return lazy(frame.to_native().select(self._duckdb.StarExpression(), call))

    def rows(self, frame: Frame) -> list[dict[str, Any]]:
        """Fetch all rows."""
        with self.explain_errors(None):
            relation: Any = frame.to_native()
            names = relation.columns
            return [dict(zip(names, row, strict=True)) for row in relation.fetchall()]

    def map_batches(self, frame: Frame, function: Worker) -> Iterator[Any]:
        """Call a function with all batches, in this process."""
        require("pyarrow", extra="duckdb", purpose="draw on the engine duckdb")
        with self.explain_errors(None):
            relation: Any = frame.to_native()
            yield from function(relation.to_arrow_reader(TOGETHER))

    def scan_parquet(self, paths: Sequence[str]) -> Frame:
        """Open Parquet files as one relation."""
        with self.explain_errors(paths[0]):
            return lazy(self._connection.read_parquet(list(paths)))

    def scan_lines(self, path: str, head: Delimited, *, skipped: int, width: int, absent: bool) -> Frame:
        """Open CSV or TSV as a relation."""
        quote = '"' if head.quoted else ""
        with self.explain_errors(path):
            return lazy(
                self._connection.read_csv(
                    path,
                    header=False,
                    skiprows=skipped,
                    sep=head.separator,
                    quotechar=quote,
                    escapechar=quote,
                    comment="",
                    compression="gzip" if head.packed else "none",
                    columns={str(place): "VARCHAR" for place in range(width)},
                    auto_detect=False,
                    null_padding=True,
                    # Unless an empty cell is null, DuckDB refuses separators at the end of a row.
                    na_values=[NO_TEXT if absent else ""],
                    # Absent cells and line breaks in quotes can only be read in order, and several buffers take half of a gigabyte.
                    parallel=False,
                    max_line_size=2**24,
                )
            )

    def frame_of(self, given: Any, chosen: Family[Any]) -> Frame:
        """Write a table to the folder of the engine: relations of other connections cannot be joined."""
        file = self._file()
        table: Any = nw.from_native(given, pass_through=True)
        if isinstance(table, nw.LazyFrame):
            table.sink_parquet(file)
        else:
            table_of(given, chosen.reading.tuples).write_parquet(file)
        return self.scan_parquet([file])

    def explanation(self, error: BaseException, path: str | None) -> GoldassayError | None:
        """Convert an error of DuckDB."""
        if isinstance(error, self._duckdb.OutOfMemoryException):
            return UsageError(
                "DuckDB needs more memory than it may use.",
                found=f"{self._memory // MEBIBYTE:,} MiB",
                hint=f"--memory {max(2 * self._memory // MEBIBYTE, 2048)}, in megabytes",
            )
        if not isinstance(error, self._duckdb.Error):
            return None
        if FULL in str(error):
            hint = "free disk space, or set TMPDIR to a folder on another disk"
            return OutputError("DuckDB cannot write its tables: no space is left.", path=path, hint=hint)
        line = LINE.search(str(error))
        # After what was found comes what could be done with options of DuckDB.
        lines = str(error).partition("\nPossible fixes")[0].splitlines()
        message = "; ".join(one for one in lines if one and not LINE.search(one)) or lines[0]
        return InputError(
            "DuckDB cannot read the table.",
            path=path,
            line=int(line[1]) if line else None,
            found=message[:200],
            hint="leave out --engine for a more precise message",
        )

    def _file(self) -> str:
        return str(Path(self._folder, f"{next(self._numbers)}.parquet"))
