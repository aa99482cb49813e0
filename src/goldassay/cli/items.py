"""The items of a file of any family as a table, for ``convert`` and ``diff``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from goldassay.cli.inspect import reading_of
from goldassay.core.errors import OutputError, UsageError, unknown_choice_error
from goldassay.core.family import Family
from goldassay.families import family, kind_of
from goldassay.formats.known import SUFFIXES
from goldassay.formats.options import check_read
from goldassay.report.files import separated
from goldassay.sampling.items import DOCUMENT, ITEMS, Items, items_of

if TYPE_CHECKING:
    import polars as pl

WRITTEN = ("csv", "tsv", "parquet", "json-lines")
LINES = ("json-lines",)
OF_DOCUMENTS = {"concepts": "concepts", "triples": "triples"}
"""The families whose records are documents, and the key of their items."""
SCORES = {"triples": "weight"}
"""What the column of scores is called, if not score."""


def read_items(path: str, given: dict[str, Any]) -> tuple[Family[Any], Any]:
    """Read a file by its family: the one asked for, or else what it contains."""
    chosen = family(given["kind"] or kind_of(path))
    if chosen.kind not in ITEMS:
        raise UsageError(f"The items of {chosen.kind} are not a table.", expected=", ".join(ITEMS))
    reading = reading_of(chosen, given)
    model = chosen.reading.read(path, reading)
    check_read((reading, [model.format]))
    return chosen, model


def format_of(chosen: Family[Any], path: str, asked: str | None = None) -> str:
    """Choose the format to write items in: the one asked for, else by the ending; concepts are records of documents."""
    known = LINES if chosen.kind == "concepts" else WRITTEN
    if asked is not None and asked not in known:
        raise unknown_choice_error("format", asked, known)
    found = asked or SUFFIXES.get(PurePath(path).suffix.lower(), "")
    if found not in known:
        raise OutputError(
            f"{chosen.title} cannot be written to a file with this suffix.",
            path=path,
            found=PurePath(path).suffix or "no suffix",
            expected=", ".join(suffix for suffix, name in SUFFIXES.items() if name in known),
            hint="--to " + "|".join(known),
        )
    return found


def write_table(table: pl.DataFrame, stream: BinaryIO, name: str) -> None:
    """Write a table in one of the formats; texts are written unchanged."""
    if name == "parquet":
        table.write_parquet(stream)
    elif name == "json-lines":
        table.write_ndjson(stream)
    else:
        stream.write(separated(table, "," if name == "csv" else "\t").encode())


def table_of(chosen: Family[Any], model: Any) -> pl.DataFrame:
    """Make a table of the items of a model: their parts by the names that its reader knows, and a score if there are any.

    Example:
        >>> from goldassay.families import family
        >>> from goldassay.graphs import Graph
        >>> table_of(family("taxonomy"), Graph.from_edges([("cat", "pet")])).rows(named=True)
        [{'child': 'cat', 'parent': 'pet'}]
    """
    import polars as pl

    items = items_of(chosen, model)
    columns = {name: pl.Series(name, cells, dtype=pl.String) for name, cells in _parts(chosen, model, items).items()}
    if items.scores is not None and not (np.isnan(items.scores) | (items.scores == 1)).all():
        columns["score"] = pl.Series(SCORES.get(chosen.kind, "score"), items.scores, nan_to_null=True)
    empty = pl.DataFrame({"document": _without_items(items)}, schema={"document": pl.String})
    frame = pl.DataFrame(list(columns.values()))
    return pl.concat([frame, empty], how="diagonal") if len(empty) and "document" in columns else frame


def _parts(chosen: Family[Any], model: Any, items: Items) -> dict[str, list[str]]:
    """List the parts of each item, and what else the reader knows of it."""
    rows = np.arange(len(items))
    columns = {name: list(cells) for name, cells in items.words(rows).items()}
    if chosen.kind == "axioms":
        columns["kind"] = model.kind_names(rows).tolist()
    if chosen.kind == "concepts":
        del columns["concept"]
        of = {"text": model.names, "id": model.concept_ids, "assertion": model.assertions, "value": model.values}
        columns |= {name: column[model.words].tolist() for name, column in of.items()}
    return columns


def _without_items(items: Items) -> list[str]:
    """List the documents that have no item."""
    used = set(items.parts[DOCUMENT].codes.tolist()) if DOCUMENT in items.parts else set(range(len(items.documents)))
    return [name for number, name in enumerate(items.documents) if number not in used]


def records_of(chosen: Family[Any], model: Any) -> Iterator[dict[str, Any]]:
    """Make the records of a model: a document with its text and its items, or an item."""
    table, items = table_of(chosen, model), items_of(chosen, model)
    key = OF_DOCUMENTS.get(chosen.kind)
    if key is None or DOCUMENT not in items.parts:
        yield from map(_without_empty, table.iter_rows(named=True))
        return
    listed: list[list[Any]] = [[] for _ in items.documents]
    codes = items.parts[DOCUMENT].codes.tolist()
    for code, row in zip(codes, table.drop("document")[: len(codes)].iter_rows(named=True), strict=True):
        listed[code].append(_without_empty(row))
    for name, text, found in zip(items.documents, items.texts, listed, strict=True):
        yield {"id": name, **({"text": text} if text else {}), key: found}


def _without_empty(row: dict[str, Any]) -> dict[str, Any]:
    """Leave out the cells of a record that say nothing."""
    return {name: cell for name, cell in row.items() if cell not in {None, ""}}
