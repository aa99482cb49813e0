"""What an organiser takes away from a leaderboard: tables to publish, and a backup that another server goes on from."""

from __future__ import annotations

import hashlib
import io
import json
import re
import tarfile
from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from functools import partial
from os.path import isdir, isfile
from pathlib import Path
from typing import Any, BinaryIO

import polars as pl
from sqlalchemy import func, insert, select, text
from sqlalchemy.exc import SQLAlchemyError

from goldassay.challenges import Tasks
from goldassay.core.errors import InputError, OutputError, UsageError, first_line
from goldassay.core.patterns import pattern_of
from goldassay.core.version import __version__
from goldassay.report.files import check_folder, csv_of, write_whole
from goldassay.serve.board import rows_of, table_of
from goldassay.serve.overall import overall_rows, overall_table
from goldassay.serve.store import Base, Moment, Store, Submission, Team

TABLES, SCORED_BY, LISTED = "tables.json", "scored-by.json", 80
KEPT = pattern_of(
    rf"(?:{re.escape(TABLES)}|{re.escape(SCORED_BY)}|submissions/[0-9a-f]{{32}}|results/[0-9a-f]{{32}}(?:/[\w.-]+)*)\Z"
)
"""The names of what a backup has."""
KINDS = {pl.Int64: "sc:Integer", pl.Float64: "sc:Float", pl.Boolean: "sc:Boolean"}
"""What Croissant calls the types of columns; all others are texts."""
CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "column": "cr:column",
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "recordSet": "cr:recordSet",
    "source": "cr:source",
}
"""The words of Croissant 1.0 that the record uses (https://docs.mlcommons.org/croissant/docs/croissant-spec.html)."""


def export(tasks: Tasks, store: Store, folder: Path) -> list[Path]:
    """Write the leaderboard of each phase, of tasks also that over all, and all submissions as CSV and JSON, and a Croissant record of these files."""
    # No token, upload or gold is among them. Values of hidden phases are: the file is the organiser's.
    check_folder(folder)
    tables, counting = _leaderboards(tasks, store)
    tables["submissions"] = _submissions(store, counting, tasks.challenges)
    whole = {name: table.to_dicts() for name, table in tables.items()}
    files = {f"{name}.csv": csv_of(table).encode() for name, table in tables.items()}
    about = {"name": tasks.name, "title": tasks.title, "phases": tasks.phases()}
    files["leaderboard.json"] = _json({**about, "goldassay": __version__, **whole})
    files["croissant.json"] = _json(_croissant(tasks, tables, files))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"The folder cannot be written: {error.strerror or error}.", path=folder) from error
    for name, data in files.items():
        write_whole(folder / name, partial(_write, data))
    return [folder / name for name in files]


def _leaderboards(tasks: Tasks, store: Store) -> tuple[dict[str, pl.DataFrame], set[str]]:
    """Make the table of each phase, of each task and over all, and list the submissions that count."""
    tables: dict[str, pl.DataFrame] = {}
    counting: set[str] = set()
    for number, phase in enumerate(tasks.phases(), start=1):
        if tasks.overall:
            tables[f"leaderboard-{number}"] = overall_table(tasks, overall_rows(tasks, store, phase))
        for task, one in tasks.challenges.items():
            rows, _ = rows_of(one, store.only(task), one.phase(phase))
            tables[f"{task}-leaderboard-{number}" if task else f"leaderboard-{number}"] = table_of(rows)
            counting |= {row.submission for row in rows}
    return tables, counting


def _write(data: bytes, stream: BinaryIO) -> None:
    stream.write(data)


def _json(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode("utf-8", "surrogatepass")


def _submissions(store: Store, counting: Collection[str], tasks: Collection[str]) -> pl.DataFrame:
    """List all submissions in the order in which they came, with the values of all measures, and whether each counts."""
    rows: list[dict[str, Any]] = []
    for one, team in store.all_submissions():
        values = {f"{spec} {name}": value for spec, own in (one.values or {}).items() for name, value in own.items()}
        if one.task not in tasks:
            continue
        task = {"task": one.task} if one.task else {}
        known: dict[str, Any] = {
            "id": one.id,
            "team": team,
            **task,
            "phase": one.phase,
            "file": one.name,
            "sha256": one.sha256,
        }
        came = {"received": one.received.isoformat(), "state": one.state, "message": one.message}
        marks = {"withdrawn": one.withdrawn, "chosen": one.chosen, "counts": one.id in counting}
        rows.append(
            known
            | came
            | marks
            | {"value": one.value, "low": one.low, "high": one.high, "seconds": one.seconds}
            | values
        )
    names = dict.fromkeys(name for row in rows for name in row)
    return pl.DataFrame([{name: row.get(name) for name in names} for row in rows], infer_schema_length=None)


def _croissant(tasks: Tasks, tables: Mapping[str, pl.DataFrame], files: Mapping[str, bytes]) -> dict[str, Any]:
    """Describe the tables as Croissant 1.0 does."""
    distribution = [
        {
            "@type": "cr:FileObject",
            "@id": name,
            "name": name,
            "contentUrl": name,
            "encodingFormat": "text/csv" if name.endswith(".csv") else "application/json",
            "sha256": hashlib.sha256(data).hexdigest(),
        }
        for name, data in files.items()
    ]
    records = [
        {
            "@type": "cr:RecordSet",
            "@id": name,
            "name": name,
            "field": [
                {
                    "@type": "cr:Field",
                    "@id": f"{name}/{place}",
                    "name": column,
                    "dataType": KINDS.get(type(kind), "sc:Text"),
                    "source": {"fileObject": {"@id": f"{name}.csv"}, "extract": {"column": column}},
                }
                for place, (column, kind) in enumerate(table.schema.items())
            ],
        }
        for name, table in tables.items()
        if table.width
    ]
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": tasks.name,
        "description": tasks.description or tasks.title,
        "distribution": distribution,
        "recordSet": records,
    }


def back_up(store: Store, path: Path) -> int:
    """Write all that a leaderboard must not lose into one file, also while it is served, and count the submissions."""
    # The tables are read in one transaction, and the files of the submissions in them are never changed.
    tables = _read_tables(store)

    def write(stream: BinaryIO) -> None:
        with tarfile.open(fileobj=stream, mode="w:gz") as archive:
            data = _json(tables)
            entry = tarfile.TarInfo(TABLES)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
            for one in _files_of(store, tables):
                archive.add(one, arcname=one.relative_to(store.folder).as_posix())

    write_whole(path, write)
    return len(tables["submissions"])


def _read_tables(store: Store) -> dict[str, list[dict[str, Any]]]:
    with store.engine.begin() as connection:
        return {
            table.name: [
                {name: value.isoformat() if isinstance(value, datetime) else value for name, value in row.items()}
                for row in connection.execute(select(table)).mappings()
            ]
            for table in Base.metadata.sorted_tables
        }


def _files_of(store: Store, tables: Mapping[str, list[dict[str, Any]]]) -> Iterator[Path]:
    for row in tables["submissions"]:
        yield from filter(isfile, [store.uploads / row["id"]])
        if row["claim"]:
            yield from filter(isdir, [store.results / row["claim"]])
    yield from filter(isfile, [store.folder / SCORED_BY])


def restore(store: Store, path: Path) -> int:
    """Read a backup into a leaderboard without teams, and count the submissions."""
    with store.engine.begin() as connection:
        if connection.scalar(select(func.count()).select_from(Team)):
            raise UsageError(
                "The leaderboard has teams already.",
                found=str(store.folder),
                hint="restore into a new folder: --data DIR",
            )
    try:
        with tarfile.open(path, "r:gz") as archive, store.engine.begin() as connection:
            rows = _rows_in(archive)
            for table, own in rows.items():
                if own:
                    connection.execute(insert(table), own)
            if connection.dialect.name == "postgresql":
                # It does not see that numbers are taken that it has not given.
                connection.execute(text("SELECT setval(pg_get_serial_sequence('teams', 'id'), max(id)) FROM teams"))
            _extract(archive, store.folder, [one for one in archive if one.name != TABLES])
    except (tarfile.TarError, SQLAlchemyError, OSError, EOFError, LookupError, TypeError, ValueError) as error:
        raise InputError(
            "The file cannot be read as a backup.",
            path=path,
            found=first_line(error),
            expected="a file that goldassay challenge backup wrote",
        ) from None
    return len(rows[Base.metadata.tables[Submission.__tablename__]])


def _extract(archive: tarfile.TarFile, folder: Path, members: list[tarfile.TarInfo]) -> None:
    """Write files; links and paths that lead out of the folder are refused."""
    if hasattr(tarfile, "data_filter"):
        archive.extractall(folder, members, filter="data")
        return
    # Python before 3.11.4 has no filter.
    for one in members:
        inside = (folder / one.name).resolve().is_relative_to(folder.resolve())
        if not inside or not (one.isfile() or one.isdir()):
            raise tarfile.TarError(f"{one.name!r} is no file below the folder")
    archive.extractall(folder, members)  # noqa: S202 - ours, and looked at


def _rows_in(archive: tarfile.TarFile) -> dict[Any, list[dict[str, Any]]]:
    """Read the rows of all tables, and refuse files that no backup has."""
    for one in archive:
        if not KEPT.match(one.name):
            raise ValueError(f"the file {one.name[:LISTED]!r}")
    inner = archive.extractfile(TABLES)
    tables = json.loads(inner.read()) if inner else {}
    return {table: [_parse_row(table, row) for row in tables[table.name]] for table in Base.metadata.sorted_tables}


def _parse_row(table: Any, row: Any) -> dict[str, Any]:
    if not isinstance(row, dict):
        raise TypeError(f"a row of {table.name} that is no object")
    moments = {column.name for column in table.columns if isinstance(column.type, Moment)}
    return {name: datetime.fromisoformat(value) if value and name in moments else value for name, value in row.items()}
