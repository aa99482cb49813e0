"""Drawing where the table is: an engine numbers the rows and keeps the smallest numbers, and only these leave it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike, fspath
from typing import Any

import numpy as np

from goldassay.core.errors import UsageError
from goldassay.core.lazy import LazyItems
from goldassay.families import family
from goldassay.kernels.keys import GOLDEN
from goldassay.sampling.drawing import Drawing, describe_predictions
from goldassay.sampling.items import DOCUMENT, RELATION, SOURCE, TARGET, items_of, population_of
from goldassay.sampling.sample import DrawnRows, Origin, SampleRequest, sample_of
from goldassay.sampling.todo import rows_of
from goldassay.triples.model import TripleSet

WRAP = 2**64 - 1
"""A product and this is what 64 bits keep of it; a remainder takes several times as long."""
COLUMNS: Mapping[str, str] = {DOCUMENT: "id", SOURCE: "subject", RELATION: "predicate", TARGET: "object"}


def draw_on_engine(
    path: str | PathLike[str], items: LazyItems, *, asked: SampleRequest, reading: Mapping[str, Any] | None = None
) -> Drawing:
    """Draw a simple sample of the triples of a table on DuckDB: the same items as in this process."""
    if asked.design != "simple":
        raise UsageError("An engine draws simple samples.", found=f"--design {asked.design}", hint="leave out --engine")
    relation = items.frame.to_native()
    documents = int(relation.aggregate("count(distinct id)").fetchall()[0][0])
    roles = [role for role in COLUMNS if role != DOCUMENT or documents > 1]
    columns = "id, subject, predicate, object, place"
    drawn = add_numbers(relation, roles, asked.seed).project(columns).order("place").limit(asked.size).fetchall()
    rows: dict[str, list[Sequence[str]]] = {}
    for document, *slots, _ in drawn:
        rows.setdefault(document, []).append(slots)
    model = TripleSet.from_lists(rows)
    chosen = family("triples")
    found = population_of([items_of(chosen, model)])
    place = {tuple(row[:4]): number for number, row in enumerate(drawn)}
    keys = [(model.ids[model.documents[row]], *model.slots(row)) for row in range(len(model))]
    chosen_rows = np.array(sorted(range(len(keys)), key=lambda row: place[tuple(map(str, keys[row]))]), dtype=np.int64)
    picked = DrawnRows(
        rows=chosen_rows,
        strata=np.zeros(len(found), dtype=np.int64),
        names=["all"],
        draws=[(0, None, (number,)) for number in range(len(chosen_rows))],
        expected=np.full(len(chosen_rows), len(chosen_rows) / len(items)),
    )
    known = describe_predictions(chosen, found, {fspath(path): items}, gold=None, reading=reading)
    sample, fresh = sample_of(found, picked, asked, **known)
    # Of all items only those that were drawn are here, so that their neighbours are not known.
    words = {name: column for name, column in found.read(fresh, {}).items() if name != "text"}
    whole = replace(sample.strata[0], items=len(items))
    inputs: tuple[Origin, ...] = ({**sample.inputs[0], "items": len(items)},)
    table = rows_of([str(number + 1) for number in range(len(fresh))], words)
    return Drawing(replace(sample, strata=(whole,), inputs=inputs), table, [])


def add_numbers(relation: Any, roles: Sequence[str], seed: int) -> Any:
    """Add the number of each item, in the column ``place``, equal to that of `goldassay.sampling.items.priorities`."""
    found = relation.project("*, 0::UBIGINT as place")
    for role in roles:
        mixed = f"md5_number_upper('{seed}\t' || \"{COLUMNS[role]}\")::UBIGINT"
        product = f"((xor(place, {mixed})::UHUGEINT * {int(GOLDEN)}::UHUGEINT) & {WRAP}::UHUGEINT)::UBIGINT"
        found = found.project(f"* exclude (place), {product} as product")
        found = found.project("* exclude (product), xor(product, product >> 32) as place")
    return found
