"""The evidence as a table: every item, its verdict, its best counterpart and the similarity to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from io import BytesIO
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO, TypeAlias

from goldassay.core.context import Progress, ignore_progress
from goldassay.core.errors import OutputError, require
from goldassay.core.lazy import Frame, LazyMatching
from goldassay.core.libraries import nw, pl
from goldassay.core.matching import AMOUNTS
from goldassay.report.files import TABLES, check_writable, csv_of, ending_of, separated, write_then_move, write_whole
from goldassay.report.results import Results

EvidenceWriter: TypeAlias = Callable[[Any], Callable[[BinaryIO], object]]
"""Prepares the evidence of a report for a stream."""
MOST_ROWS, LONGEST_CELL = 1_048_575, 32_767
"""What a sheet of Excel holds below its header."""
TO_CHECK = ("checked", "comment")
"""Empty columns for checking the items."""


def _excel() -> Any:
    """Import what writes sheets, before any work is done."""
    return require("xlsxwriter", extra="excel", purpose="write Excel files")


def write_sheet(frame: pl.DataFrame, stream: BinaryIO) -> None:
    """Write evidence as a sheet to check: a header that stays, filters, empty columns to fill in, and no text that runs as a formula."""
    if len(frame) > MOST_ROWS:
        raise OutputError(
            "The evidence has too many rows for a sheet.",
            found=f"{len(frame):,}",
            expected=f"at most {MOST_ROWS:,}",
            hint="--explain FILE.csv",
        )
    shown = frame.with_columns(
        pl.col(pl.String).str.slice(0, LONGEST_CELL), *(pl.lit(None, dtype=pl.String).alias(name) for name in TO_CHECK)
    )
    plain = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    # An archive that cannot be closed warns when it is collected.
    made = BytesIO()
    with _excel().Workbook(made, plain) as book:
        shown.write_excel(book, "evidence", freeze_panes=(1, 0), autofilter=True, autofit=True, float_precision=4)
    stream.write(made.getbuffer())


WRITERS: dict[str, Callable[[pl.DataFrame, BinaryIO], object]] = {
    ".tsv": lambda frame, stream: stream.write(separated(frame, "\t").encode()),
    ".csv": lambda frame, stream: stream.write(csv_of(frame).encode()),
    ".parquet": TABLES["parquet"],
    ".jsonl": TABLES["json-lines"],
    ".xlsx": write_sheet,
}


def check_explain_path(path: str | PathLike[str]) -> None:
    """Reject a path that evidence cannot be written to, before any work is done."""
    if ending_of(path, WRITERS, "The suffix of the file is not a format for evidence.") == ".xlsx":
        _excel()
    check_writable(path)


def evidence_frame(report: Results, *, progress: Progress = ignore_progress) -> pl.DataFrame:
    """List the evidence of every score in one table."""
    frames = [
        score.matching.to_frame(progress=progress)
        .with_columns(pl.selectors.float().fill_nan(None), pl.col("counterpart").cast(pl.String))
        .with_columns(measure=pl.lit(score.spec), prediction=pl.lit(run.label))
        for run in report.runs
        for score in run.scores
    ]
    # A column that is empty in one run has no type there.
    table = pl.concat(frames, how="diagonal_relaxed")
    return table.select(pl.exclude("measure", "prediction"), "measure", "prediction")


def lazy_evidence(report: Results) -> Frame:
    """List the evidence of every score that an engine counted in one lazy frame."""
    frames = [
        score.matching.frame.with_columns(measure=nw.lit(score.spec), prediction=nw.lit(run.label))
        for run in report.runs
        for score in run.scores
        if isinstance(score.matching, LazyMatching)
    ]
    schemas = [frame.collect_schema() for frame in frames]
    kinds = {name: kind for schema in schemas for name, kind in schema.items()}
    last = ("side", "verdict", *AMOUNTS, "measure", "prediction")
    order = [*(name for name in kinds if name not in last), *last]
    return nw.concat([
        frame.select(nw.col(name) if name in schema else nw.lit(None).cast(kinds[name]).alias(name) for name in order)
        for frame, schema in zip(frames, schemas, strict=True)
    ])  # fmt: skip


def write_explain(
    report: Results,
    path: str | PathLike[str],
    *,
    formulas: bool = False,
    progress: Progress = ignore_progress,
    others: Mapping[str, EvidenceWriter] = MappingProxyType({}),
) -> None:
    """Write the evidence to a TSV, CSV, Parquet, JSON Lines or Excel file, by its suffix."""
    check_explain_path(path)
    if report.engine is not None:
        if Path(path).suffix.lower() != ".parquet":
            raise OutputError("An engine writes evidence as Parquet only.", path=path, expected=".parquet")
        write_then_move(path, lambda temporary: report.engine.write(lazy_evidence(report), temporary))
        return
    for end, prepared in others.items():
        if str(path).lower().endswith(end):
            write_whole(path, prepared(report))
            return
    frame = evidence_frame(report, progress=progress)
    ending = Path(path).suffix.lower()
    written = csv_of(frame, formulas=True).encode() if formulas else None
    write_whole(path, lambda stream: WRITERS[ending](frame, stream) if written is None else stream.write(written))
