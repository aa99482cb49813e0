"""The items of a file of any family as a table, for ``convert`` and ``diff``."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

import numpy as np

from goldassay.cli.inspect import naming_family, reading_of
from goldassay.core.errors import OutputError, UsageError, unknown_choice_error
from goldassay.core.family import Family
from goldassay.core.libraries import pl
from goldassay.families import family, kind_of
from goldassay.formats.known import SUFFIXES
from goldassay.formats.options import check_read
from goldassay.formats.rows import like_heads
from goldassay.report.files import BREAKS_TSV, TABLES, ending_of, refuse_characters, write_whole
from goldassay.sampling.items import DOCUMENT, ITEMS, Items, items_of

LINES = ("json-lines",)
OF_DOCUMENTS = {"concepts": "concepts", "triples": "triples"}
"""The families whose records are documents, and the key of their items."""
SCORES = {"triples": "weight"}
"""What the column of scores is called, if not score."""


def family_of(path: str, kind: str | None) -> Family[Any]:
    """Return the family of a file: the one asked for, or else the one of what it contains."""
    chosen = family(kind or kind_of(path))
    if chosen.kind not in ITEMS:
        raise UsageError(f"The items of {chosen.kind} are not a table.", expected=", ".join(ITEMS))
    return chosen


def read_items(chosen: Family[Any], path: str, given: dict[str, Any]) -> Any:
    """Read a file by its family, with the options that were given."""
    reading = reading_of(chosen, given)
    with naming_family(chosen, given["kind"]):
        model = chosen.reading.read(path, reading)
    check_read((reading, [model.format]))
    return model


def format_of(chosen: Family[Any], path: str, asked: str | None = None) -> str:
    """Choose the format to write items in: the one asked for, else by the ending; concepts are records of documents."""
    known = LINES if chosen.kind == "concepts" else tuple(TABLES)
    if asked is not None and asked not in known:
        raise unknown_choice_error("format", asked, known)
    message = f"{chosen.title} cannot be written to a file with this suffix."
    return asked or format_by_ending(path, known, message, hint="--to " + "|".join(known))


def format_by_ending(path: str, known: Collection[str], message: str, *, hint: str = "") -> str:
    """Return the format that the ending of a file names."""
    return SUFFIXES[ending_of(path, (one for one, name in SUFFIXES.items() if name in known), message, hint=hint)]


def write_table(table: pl.DataFrame, path: str, name: str) -> None:
    """Write a table of items in one of the formats, atomically."""
    for column in table.select(pl.selectors.string()) if name == "tsv" else ():
        refuse_characters(column, BREAKS_TSV, name)
    texts = table.select(pl.selectors.string()).columns
    if name in ("csv", "tsv") and like_heads(table, dict(zip(texts, texts, strict=True))).any():
        raise OutputError(
            "An item reads like the names of the columns, and would be left out where the file is read.",
            path=path,
            found=", ".join(texts),
            hint="another format: --to parquet",
        )
    write_whole(path, lambda stream: TABLES[name](table, stream))


def table_of(chosen: Family[Any], model: Any, items: Items | None = None) -> pl.DataFrame:
    """Make a table of the items of a model: their parts by the names that its reader knows, and a score if there are any.

    Example:
        >>> from goldassay.families import family
        >>> from goldassay.graphs import Graph
        >>> table_of(family("taxonomy"), Graph.from_edges([("cat", "pet")])).rows(named=True)
        [{'child': 'cat', 'parent': 'pet'}]
    """
    items = items or items_of(chosen, model)
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
        # What was found in a text is compared without its plural.
        keys = zip(model.keys[model.words].tolist(), columns["text"], columns["id"], strict=True)
        columns["key"] = [key if key not in (text, name) else "" for key, text, name in keys]
    return columns


def _without_items(items: Items) -> list[str]:
    """List the documents that have no item."""
    used = set(items.parts[DOCUMENT].codes.tolist()) if DOCUMENT in items.parts else set(range(len(items.documents)))
    return [name for number, name in enumerate(items.documents) if number not in used]


def records_of(chosen: Family[Any], model: Any) -> Iterator[dict[str, Any]]:
    """Make the records of a model: a document with its text and its items, or an item."""
    items = items_of(chosen, model)
    table = table_of(chosen, model, items)
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
