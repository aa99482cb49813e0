"""What engines have in common: any inputs become tables."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import partial
from os import PathLike, fspath
from typing import Any

from goldassay.core.errors import GoldassayError, UsageError, explain_errors
from goldassay.core.family import Family
from goldassay.core.lazy import Frame, Worker
from goldassay.core.libraries import nw
from goldassay.core.model import Model
from goldassay.engines.tables import (
    Delimited,
    check_parquet_files,
    format_of,
    read_delimited_head,
    refuse_standard_input,
)
from goldassay.formats.known import MEMORY
from goldassay.formats.lazy import LazyTable
from goldassay.formats.memory import name_of, readable
from goldassay.formats.parquet import names_of


class TableEngine(ABC):
    """An engine that reads tables into lazy frames, and computes these."""

    name: str
    # whether its workers run Python, which measures by meaning need (`goldassay.core.lazy.Cluster`)
    runs_python: bool = False

    @abstractmethod
    def materialize(self, frame: Frame) -> Frame:
        """Compute a frame now, and give it back where it is read again instead of computed again."""

    @abstractmethod
    def map_rows(self, frame: Frame, column: str, into: str, function: Callable[[str], str | None]) -> Frame:
        """Add a column of texts that a function of Python makes of another, row by row."""

    @abstractmethod
    def rows(self, frame: Frame) -> list[dict[str, Any]]:
        """Compute a small frame, and list its rows."""

    def write(self, frame: Frame, path: str) -> None:
        """Write a frame as Parquet: a file, or on a cluster a folder."""
        with self.explain_errors(None):
            frame.sink_parquet(path)

    @abstractmethod
    def map_batches(self, frame: Frame, function: Worker) -> Iterator[Any]:
        """Return what a function makes of the batches of a frame of texts: a few rows with the same columns, as batches of PyArrow."""

    @abstractmethod
    def scan_parquet(self, paths: Sequence[str]) -> Frame:
        """Open Parquet files as one frame."""

    @abstractmethod
    def scan_lines(self, path: str, head: Delimited, *, skipped: int, width: int, absent: bool) -> Frame:
        """Open CSV or TSV, every cell as text, its columns named by their places; ``absent`` makes absent cells null, and no others."""

    @abstractmethod
    def frame_of(self, given: Any, chosen: Family[Any]) -> Frame:
        """Make a lazy frame of a table of any library, or of a list of rows."""

    @abstractmethod
    def explanation(self, error: BaseException, path: str | None) -> GoldassayError | None:
        """Convert an error of the engine to one of goldassay; None for any other error."""

    def explain_errors(self, path: str | None) -> AbstractContextManager[None]:
        """Convert errors of the engine, and name the file in those that do not."""
        return explain_errors(path, partial(self.explanation, path=path))

    def table(self, given: Any, chosen: Family[Any], *, asked: str | None, name: str | None = None) -> LazyTable:
        """Open an input as a table."""
        if isinstance(given, Model):
            raise UsageError(
                "A model that is already in memory cannot be scored on an engine.",
                found=type(given).__name__,
                expected="a file, or a table",
            )
        if not isinstance(given, str | PathLike):
            path = name or name_of(given)
            with readable(path), self.explain_errors(path):
                return self._scan_frame(self.frame_of(given, chosen), path, MEMORY)
        refuse_standard_input(given)
        path = fspath(given)
        form = format_of(path, asked)
        if form == "parquet":
            return self._scan_frame(self.scan_parquet(check_parquet_files(path)), path, form)
        head = read_delimited_head(path, form)

        def scan(named: bool, *, absent: bool = False) -> Frame:
            width = len(head.names) if named else max(len(head.names), head.width)
            return self.scan_lines(path, head, skipped=head.above + named, width=width, absent=absent)

        return LazyTable(
            path=path,
            format=form,
            names=head.names,
            scan=scan,
            with_absent=partial(scan, True, absent=True),
            width=head.width,
            comments=head.comments,
            lines=True,
            below=head.below,
        )

    def placed(self, frame: Frame) -> tuple[list[str], Frame]:
        """List the names of all columns, and name them by their places."""
        names = frame.collect_schema().names()
        return names, frame.select(*(nw.col(name).alias(str(place)) for place, name in enumerate(names)))

    def _scan_frame(self, frame: Frame, path: str, form: str) -> LazyTable:
        given, placed = self.placed(frame)
        names = names_of(zip(given, placed.collect_schema().values(), strict=True), nw.String)
        return LazyTable(path=path, format=form, names=tuple(names), scan=lambda _: placed, with_absent=lambda: placed)


def lazy(native: Any) -> Frame:
    """Make a lazy frame of one of an engine."""
    frame: Frame = nw.from_native(native)
    return frame
