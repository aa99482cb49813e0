"""Spark: tables of a cluster as lazy frames, functions of Python on its workers, and tasks for these."""

from __future__ import annotations

import os
import pickle
import re
import socket
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies
from uuid import uuid4

from goldassay.core.context import Encoder
from goldassay.core.errors import GoldassayError, InputError, UsageError, require
from goldassay.core.family import Family
from goldassay.core.lazy import Frame, Worker
from goldassay.core.libraries import nw
from goldassay.core.patterns import pattern_of
from goldassay.engines.encoding import COLUMNS, encode_batches, making, unpickle_encoder
from goldassay.engines.engine import TableEngine, lazy
from goldassay.engines.tables import Delimited
from goldassay.formats.lazy import LazyTable
from goldassay.formats.memory import table_of
from goldassay.formats.tables import distinct_rows


def pickle_value(value: Any) -> bytes:
    """Pickle a value, functions of the calling program included."""
    from pyspark import cloudpickle

    pickling: Any = cloudpickle
    try:
        return bytes(pickling.dumps(value))
    except Exception as error:  # an object of another library may raise anything
        raise UsageError(
            "Objects in memory cannot be sent to workers.",
            found=f"{type(error).__name__}: {error}"[:200],
            hint="write it to files that the workers see",
        ) from error


SCHEME = pattern_of(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
SUFFIX = ".parquet"
BROKEN = "broken"
OVER = 8
"""Columns for what a row has more than it may: more cells than these that are all empty are not noticed."""
TEXTS = 8192
"""Texts of a task: a few seconds of MiniLM."""
CALLING, CAUSED = "An error occurred while calling", "Caused by: "
"""How Java's errors begin, and their causes."""
CONNECT_PORT = 15002
"""Where Spark Connect listens by default."""
PATIENCE = 10
"""Seconds until a server that does not answer is none."""
PYTHON_ERROR = pattern_of(r"[A-Za-z_.]*(?:Error|Exception): ")


class Spark(TableEngine):
    """Spark's current session, or one of Spark Connect. Spark schedules, retries and shuffles; nothing here does."""

    name = "spark"
    runs_python = True

    def __init__(self, remote: str | None = None, *, vectors: str | None = None) -> None:
        require("pyspark", extra="spark", purpose="score on the engine spark")
        self.session = session_of(remote)
        self._vectors = vectors
        self._kept: list[Any] = []
        weakref.finalize(self, _forget, self._kept)

    def materialize(self, frame: Frame) -> Frame:
        """Persist a frame on the workers, in memory and on disk."""
        native: Any = frame.to_native()
        self._kept.append(native.persist())
        return lazy(native)

    def map_rows(self, frame: Frame, column: str, into: str, function: Callable[[str], str | None]) -> Frame:
        """Add a column by a function that workers call on Arrow batches."""
        from pyspark.sql.types import StringType, StructField, StructType

        native: Any = frame.to_native()
        schema = StructType([*native.schema.fields, StructField(into, StringType())])

        def add(batches: Iterator[Any]) -> Iterator[Any]:
            import pyarrow as pa

            for batch in batches:
                made = [function(text) for text in batch.column(column).to_pylist()]
                columns = [*batch.columns, pa.array(made, pa.string())]
                yield pa.RecordBatch.from_arrays(columns, names=[*batch.schema.names, into])

        return lazy(native.mapInArrow(add, schema))

    def through(
        self, frame: Frame, function: Worker, columns: Mapping[str, str], *, together: Sequence[str] = ()
    ) -> Frame:
        """Return what a function makes of the rows in workers, batch by batch."""
        native: Any = frame.to_native()
        if together:
            native = native.repartition(*together).sortWithinPartitions(*together)
        return lazy(native.mapInArrow(function, ", ".join(f"`{name}` {kind}" for name, kind in columns.items())))

    def encode_texts(self, texts: Frame, encoder: Encoder) -> Frame:
        """Encode texts in workers; what the folder of vectors has is taken from there, and what is new is added to it."""
        if self._vectors is None:
            return self.materialize(self._encode_on_workers(texts, encoder))
        folder = f"{self._vectors.rstrip('/')}/{encoder.fingerprint}"
        known = self._store(folder)
        missing = texts if known is None else texts.join(known.select("text"), on="text", how="anti")
        with self.explain_errors(folder):
            made: Any = self._encode_on_workers(missing, encoder).to_native()
            made.write.mode("append").parquet(folder)
        stored = self._store(folder)
        if stored is None:
            raise InputError("The stored vectors are missing.", path=folder, expected="a folder of Parquet")
        return self.materialize(texts.join(stored, on="text", how="inner"))

    def _encode_on_workers(self, texts: Frame, encoder: Encoder) -> Frame:
        count = self.rows(texts.select(count=nw.len()))[0]["count"]
        native: Any = texts.to_native()
        spread = native.repartition(max(1, -(-count // TEXTS)), "text").sortWithinPartitions("text")
        make = partial(unpickle_encoder, pickle_value(making(encoder)))
        encode = partial(encode_batches, make=make, fingerprint=encoder.fingerprint)
        return self.through(lazy(spread), encode, COLUMNS)

    def _store(self, folder: str) -> Frame | None:
        """Open the vectors of one encoder, each text once; None if there are none yet."""
        from pyspark.errors import AnalysisException

        try:
            found = self.session.read.schema(", ".join(map(" ".join, COLUMNS.items()))).parquet(folder)
            # Spark Connect looks for the folder only when something is asked of the frame.
            _ = found.schema
        except AnalysisException as error:
            if error.getCondition() != "PATH_NOT_FOUND":
                raise
            return None
        # Two runs at once may both have added a text.
        return distinct_rows(lazy(found), "text", vector=nw.col("vector").min())

    def map_batches(self, frame: Frame, function: Worker) -> Iterator[Any]:
        """Call a function on the workers, each with its batches."""
        columns = dict.fromkeys(frame.collect_schema().names(), "string")
        found: Iterator[Any] = iter(self.arrow(self.through(frame, function, columns)).to_batches())
        return found

    def arrow(self, frame: Frame) -> Any:
        """Fetch all rows as a table of PyArrow."""
        with self.explain_errors(None):
            native: Any = frame.to_native()
            return native.toArrow()

    def rows(self, frame: Frame) -> list[dict[str, Any]]:
        """Collect all rows."""
        with self.explain_errors(None):
            native: Any = frame.to_native()
            return [row.asDict() for row in native.collect()]

    def write(self, frame: Frame, path: str) -> None:
        """Write a folder of Parquet files."""
        with self.explain_errors(None):
            native: Any = frame.to_native()
            native.write.parquet(_absolute(path))

    def table(self, given: Any, chosen: Family[Any], *, asked: str | None, name: str | None = None) -> LazyTable:
        """Open an input as a table; what has a scheme (``s3a://``, ``hdfs://``, ``dbfs:/``) is only for Spark to look at."""
        if isinstance(given, str | PathLike) and SCHEME.match(str(given)):
            if not str(given).rstrip("/").endswith(SUFFIX):
                raise InputError(
                    "Only Parquet can be read from this address.",
                    path=str(given),
                    expected="a name that ends with .parquet",
                )
            return self.table(self._read(str(given)), chosen, asked=asked, name=str(given))
        return super().table(given, chosen, asked=asked, name=name)

    def scan_parquet(self, paths: Sequence[str]) -> Frame:
        """Open Parquet files as one frame."""
        with self.explain_errors(paths[0]):
            return lazy(self.session.read.parquet(*map(_absolute, paths)))

    def scan_lines(self, path: str, head: Delimited, *, skipped: int, width: int, absent: bool) -> Frame:
        """Open CSV or TSV as a frame; Spark skips the header and comments, and no lines by number."""
        if head.packed and not path.lower().endswith(".gz"):
            raise InputError(
                "Spark needs the suffix of a compressed file.",
                path=path,
                found="gzip",
                expected="a name that ends with .gz",
            )
        if head.above > len(head.comments):
            raise InputError("There are empty lines above the table.", path=path, hint="leave them out")
        if head.comments:
            self._check_comments(path, len(head.comments))
        places = [str(place) for place in range(width)]
        # Where an absent cell is not an empty one, Spark refuses a row without all cells; else what is too much is looked for.
        names = places if absent else [*places, *(f"over{place}" for place in range(OVER)), BROKEN]
        with self.explain_errors(path):
            # With pruned columns Spark looks at the width of no row.
            native = self.session.read.option("columnPruning", "false").csv(
                _absolute(path),
                schema=", ".join(f"`{name}` STRING" for name in names),
                sep=head.separator,
                quote='"' if head.quoted else "",
                escape='"' if head.quoted else "",
                multiLine=head.quoted,
                mode="FAILFAST" if absent else "PERMISSIVE",
                columnNameOfCorruptRecord=BROKEN,
                header=skipped > len(head.comments),
                enforceSchema=True,
                comment="#" if head.comments else None,
                ignoreLeadingWhiteSpace=False,
                ignoreTrailingWhiteSpace=False,
                maxCharsPerColumn=-1,
                unescapedQuoteHandling="RAISE_ERROR",
            )
            # Spark gives null for an empty cell.
            return lazy(native.na.fill("") if absent else _refuse_broken(native, places))

    def frame_of(self, given: Any, chosen: Family[Any]) -> Frame:
        """Take a frame of Spark as it is, and send a table of another library to the cluster."""
        if type(given).__module__.startswith("pyspark."):
            return lazy(given)
        return lazy(self.session.createDataFrame(table_of(given, chosen.reading.tuples).to_arrow()))

    def placed(self, frame: Frame) -> tuple[list[str], Frame]:
        """Name columns by their places; names may repeat in Spark, and it takes a dot in one for a part of the column."""
        native: Any = frame.to_native()
        return native.columns, lazy(native.toDF(*map(str, range(len(native.columns)))))

    def explanation(self, error: BaseException, path: str | None) -> GoldassayError | None:
        """Convert an error of Spark, or one that it passes on from Java."""
        if not is_spark_error(error):
            return None
        return InputError("Spark cannot read or count the table.", path=path, found=message_of(error))

    def _check_comments(self, path: str, above: int) -> None:
        """Refuse lines that begin with # below the header: Spark would take them for comments, and leave them out."""
        with self.explain_errors(path):
            lines = lazy(self.session.read.text(_absolute(path)))
        found = self.rows(lines.filter(nw.col("value").str.starts_with("#")).select(count=nw.len()))[0]["count"]
        if found != above:
            raise InputError(
                "Lines below the header begin with #, which Spark does not support.",
                path=path,
                found=f"{found - above:,} lines",
                hint="leave out --engine",
            )

    def _read(self, path: str) -> Any:
        with self.explain_errors(path):
            return self.session.read.parquet(path)


def _refuse_broken(frame: Any, places: Sequence[str]) -> Any:
    """Fail at a row with more cells than there are places, and at one that Spark cannot split, which it reads as empty."""
    from pyspark.sql import functions as sql

    over = sql.coalesce(*(sql.col(name) for name in frame.columns if name not in {*places, BROKEN})).isNotNull()
    unread = (
        sql.col(BROKEN).isNotNull() & sql.coalesce(*map(sql.col, places)).isNull() & sql.col(BROKEN).rlike(r"[^\s,;|]")
    )
    message = sql.concat(sql.lit("a row has too many cells, or quotes that do not end: "), sql.col(BROKEN))
    refused = sql.when(over | unread, sql.raise_error(message).cast("boolean")).otherwise(sql.lit(True))
    return frame.filter(refused).select(*places)


def _absolute(path: str) -> str:
    """Name a file of this machine so that a server, which works in another folder, finds it."""
    return str(Path(path).absolute())


def is_spark_error(error: BaseException) -> bool:
    """Return whether an error is one of Spark, or one that it passes on from Java."""
    return type(error).__module__.startswith(("pyspark.", "py4j."))


def message_of(error: BaseException) -> str:
    """Return what an error of Python in a worker says last, or what one of Java was caused by, or the first line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip() and not line.startswith("\t")]
    of_python = [line for line in lines if PYTHON_ERROR.match(line)]
    causes = [line.removeprefix(CAUSED) for line in lines if line.startswith(CAUSED)]
    others = [line.removeprefix(": ") for line in lines if not line.startswith(CALLING)] or lines
    return [*others[:1], *causes, *of_python][-1][:300] if lines else type(error).__name__


def _forget(kept: list[Any]) -> None:
    """Release the memory of frames."""
    for frame in kept:
        # A session that has stopped keeps nothing.
        with suppress(Exception):
            frame.unpersist()


def session_of(remote: str | None) -> Any:
    """Find the session."""
    from pyspark.sql import SparkSession

    if remote is not None:
        require("grpc", extra="spark", purpose="talk to Spark Connect")
        try:
            _check_answering(remote)
            return SparkSession.builder.remote(remote).getOrCreate()
        except Exception as error:
            if not (is_spark_error(error) or isinstance(error, OSError | RuntimeError | ValueError)):
                raise
            raise UsageError(
                "Spark Connect cannot be reached.",
                found=f"{remote}: {message_of(error)[:200]}",
                expected="sc://HOST:PORT",
            ) from error
    session = SparkSession.getActiveSession()
    if session is None and _is_submitted():
        session = SparkSession.builder.getOrCreate()
    if session is None:
        raise UsageError(
            "No Spark session is running.",
            expected="a running session: spark-submit, a notebook, or SparkSession.builder.getOrCreate()",
            hint="--spark-remote sc://HOST, or spark-submit --master URL",
        )
    return session


def _check_answering(remote: str) -> None:
    """Connect once, since PySpark would try for ten minutes."""
    place = urlsplit(remote)
    # Another scheme is for PySpark to judge, and a proxy for gRPC to find.
    if place.scheme == "sc" and not getproxies():
        socket.create_connection((place.hostname or "", place.port or CONNECT_PORT), timeout=PATIENCE).close()


def _is_submitted() -> bool:
    """Return whether spark-submit started this process."""
    return "PYSPARK_GATEWAY_PORT" in os.environ or "SPARK_REMOTE" in os.environ


MOST_SENT = 64 * 2**20
"""Bytes of what is in memory that are sent to workers; Spark Connect takes messages of twice as many."""


class SparkTasks:
    """Workers of Spark that do tasks. Spark schedules them and repeats what was lost; nothing here does."""

    def __init__(self, remote: str | None = None) -> None:
        require("pyspark", extra="spark", purpose="score on the engine spark-tasks")
        self.session = session_of(remote)

    def each(self, work: Callable[[bytes, bytes], Any], shared: Any, tasks: Sequence[Any]) -> list[Any]:
        """Do every task in a worker."""
        common, sent = pickle_value(shared), [pickle_value(task) for task in tasks]
        size = len(common) + sum(map(len, sent))
        if size > MOST_SENT:
            raise UsageError(
                "The objects in memory are too large to send to workers.",
                found=f"{size / 2**20:,.0f} MiB",
                expected=f"at most {MOST_SENT // 2**20} MiB",
                hint="write it to files that the workers see",
            )

        def do(batches: Iterator[Any]) -> Iterator[Any]:
            import pyarrow as pa

            for batch in batches:
                for number in batch.column(0).to_pylist():
                    done = pickle.dumps(work(common, sent[number]))
                    yield pa.RecordBatch.from_pydict(
                        {"number": pa.array([number], pa.int64()), "done": pa.array([done], pa.binary())}
                    )

        # One task a partition, so that Spark gives each to whichever worker is free.
        frame = self.session.range(0, len(sent), 1, len(sent)).mapInArrow(do, "number bigint, done binary")
        self.session.addTag(tag := f"goldassay-{uuid4().hex}")
        try:
            rows = frame.collect()
        except Exception as error:
            if not is_spark_error(error):
                raise
            raise UsageError(
                "A task failed on Spark.",
                found=message_of(error),
                expected="the same version of goldassay, and what the task reads, where the workers are",
            ) from error
        except BaseException:
            # Ctrl-C, or another signal: work must not go on that has no reader.
            self.session.interruptTag(tag)
            raise
        finally:
            self.session.removeTag(tag)
        return [pickle.loads(row["done"]) for row in sorted(rows, key=lambda row: row["number"])]  # noqa: S301 - from our own workers
