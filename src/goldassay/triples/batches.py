"""Rows of tables to documents, column by column."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from goldassay.core.counts import FloatArray
from goldassay.core.intern import as_names, numbered
from goldassay.formats import texts
from goldassay.formats.tables import HERE, Table, rewritten
from goldassay.triples.answers import MISSING, SLOTS, UNWEIGHTED, Batch, Numbers
from goldassay.triples.statements import BAD_WEIGHT, HALF, XSD, Reader

if TYPE_CHECKING:
    import polars as pl


def batch_of_rows(rows: pl.DataFrame, table: Table, reader: Reader) -> Batch:
    """Read rows of which each is a triple, or an id alone."""
    names, *slots = (_text_of(rows[column]) for column in ("id", *SLOTS))
    named, *filled = ((column != "").to_numpy() for column in (names, *slots))
    weights, stated = _weights(rows), named & np.any(filled, axis=0)
    faulty = stated & (~np.all(filled, axis=0) | np.isnan(weights))
    for row in np.flatnonzero(~named | faulty).tolist():
        _reject(rows.row(row, named=True), table.line(row), reader, weight=weights[row])
    ids, (owners,) = numbered(names.filter(named))
    owner, first = np.zeros(len(rows), dtype=np.int64), np.zeros(len(ids), dtype=np.int64)
    owner[named] = owners
    first[owners[::-1]] = np.flatnonzero(named)[::-1]
    order = np.flatnonzero(stated)
    order = order[np.argsort(owner[order], kind="stable")]
    spelt, codes = texts.numbered_by_rows(*slots, rows=order)
    readable = np.ones(len(ids), dtype=np.bool_)
    readable[owner[faulty]] = False
    return Batch(
        ids=as_names(ids).tolist(),
        texts=[""] * len(ids),
        lines=lambda: list(map(table.line, first.tolist())),
        readable=readable,
        counts=np.ones(len(ids), dtype=np.int64),
        sizes=np.bincount(owner[order], minlength=len(ids)),
        slots=reader.numbering.names.numbers_of_distinct(spelt)[codes],
        rows=table.input_rows[order],
        weights=np.nan_to_num(weights[order], nan=UNWEIGHTED),
        datatypes=_datatypes(rows["object"], order, reader),
        types=np.zeros((0, 3), dtype=np.int64),
    )


def _text_of(column: pl.Series) -> pl.Series:
    """Write numbers as texts; an absent one is empty."""
    import polars as pl

    written: Any = column.cast(pl.String).fill_null("").to_frame()
    if column.dtype.is_float():
        written = rewritten(written, [column.name], texts.number_text, HERE)
    found: pl.Series = written.to_series()
    return found


def _weights(rows: pl.DataFrame) -> FloatArray:
    """Read the weight of each row, 1 where there is none, and nan where it is no number of at least 0."""
    if "weight" not in rows.columns:
        return np.full(len(rows), UNWEIGHTED)
    weights = texts.numbers_of(rows["weight"], absent=UNWEIGHTED)
    weights[~((weights >= 0) & (weights < np.inf))] = np.nan
    return weights


def _datatypes(objects: pl.Series, order: Numbers, reader: Reader) -> Numbers:
    """Give each number the datatype that it has in JSON: a whole one is an integer."""
    import polars as pl

    if objects.dtype == pl.String:
        return np.full(len(order), MISSING)
    numbers = texts.numbers_of(objects, absent=np.nan)[order]
    whole, part = map(reader.numbering.datatypes.__getitem__, (XSD[int], XSD[float]))
    return np.where(np.isnan(numbers), MISSING, np.where(numbers % 1 == 0, whole, part))


def _reject(row: Mapping[str, Any], line: int | None, reader: Reader, *, weight: float) -> None:
    """Reject a row without an id, and what is wrong with a triple."""
    if row["id"] in ("", None):
        reader.fault("A row has no id.", line=line, found=list(row.values()), expected="the id of a document")
        return
    triple = {name: cell for name, cell in row.items() if name != "id"}
    found = triple if "weight" in triple else list(triple.values())
    if np.isnan(weight):
        reader.fault(BAD_WEIGHT, line=line, found=found, expected="for example 0.5")
    missing = next((slot for slot in SLOTS if row[slot] in ("", None)), None)
    if missing is not None:
        reader.fault(HALF.format(missing), line=line, found=found, expected="subject, predicate and object")
