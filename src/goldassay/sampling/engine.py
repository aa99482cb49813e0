"""Drawing where the table is: workers number the rows of an engine, and only what can be drawn leaves it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice
from typing import Any

import numpy as np
import polars as pl

from goldassay.core.errors import UsageError
from goldassay.core.parameters import note_reads
from goldassay.engines.engine import TableEngine
from goldassay.kernels.stirring import text_numbers
from goldassay.sampling.designs import DESIGNS, Codes
from goldassay.sampling.items import DOCUMENT, RELATION, SOURCE, TARGET, Population, items_of, mixed, population_of
from goldassay.sampling.sample import (
    Before,
    Predictions,
    SampleRequest,
    Strata,
    cluster_role,
    most_turns,
    relation_levels,
    shares_of,
    turns_of,
)
from goldassay.sampling.todo import rows_of
from goldassay.triples.model import TripleSet

COLUMNS: Mapping[str, str] = {DOCUMENT: "id", SOURCE: "subject", RELATION: "predicate", TARGET: "object"}
STRATUM, MOST = "stratum", "most"


@dataclass(frozen=True, eq=False)
class OnEngine(Predictions):
    """One table of triples on an engine."""

    engine: TableEngine

    @cached_property
    def _items(self) -> Any:
        if self.chosen.kind != "triples" or len(self.preds) != 1:
            raise UsageError(
                "An engine draws from one table of triples.",
                found=f"{len(self.preds)} predictions of {self.chosen.kind}",
                hint="leave out --engine",
            )
        table = self.engine.table(self.preds[0], self.chosen, asked=self.reading.get("input_format"))
        lazily = self.chosen.reading.lazily
        assert lazily is not None  # noqa: S101 - triples are read on engines
        with self.engine.explain_errors(table.path), note_reads():
            return lazily.read(table, self.chosen.reading.options(**self.reading), self.engine)

    @property
    def size(self) -> int:
        """How many items there are."""
        return len(self._items)

    def describe_predictions(self) -> dict[str, Any]:
        """Describe the prediction."""
        return self.describe({self.preds[0]: (self._items, self.size)})

    def rows(self, found: Population, fresh: Codes, before: int) -> list[dict[str, str]]:
        """Lay new items out as rows; other items, which would be around them, are not here."""
        return rows_of([str(before + 1 + number) for number in range(len(fresh))], found.read(fresh))

    def population(self, asked: SampleRequest, before: Before) -> tuple[Population, Strata]:
        """Give the items that can be drawn, and the strata of all."""
        if asked.design == "documents" or (asked.strata or "relation") != "relation" or self.gold:
            raise UsageError(
                "An engine draws items and clusters, with relations as strata.",
                found=f"--strata {asked.strata}" if asked.strata else f"--design {asked.design}",
                hint="leave out --engine",
            )
        relations = self._counts("predicate")
        levels, names = relation_levels(list(relations), np.array(list(relations.values())))
        if not DESIGNS[asked.design].stratified:
            levels, names = np.zeros_like(levels), ["all"]
        stratum = dict(zip(relations, (names[level] for level in levels.tolist()), strict=True))
        strata = Strata.of(levels, names, np.bincount(levels, weights=list(relations.values())).astype(np.int64))
        shares = dict(zip(strata.names, shares_of(asked, strata, before).tolist(), strict=True))
        found = self._drawable(asked, strata, stratum, shares)
        return found[0], strata._replace(codes=found[1])

    def _counts(self, column: str) -> dict[str, int]:
        import narwhals.stable.v2 as nw

        rows = self.engine.rows(self._items.frame.group_by(column).agg(count=nw.len()))
        return {row[column]: row["count"] for row in rows}

    def _drawable(
        self, asked: SampleRequest, strata: Strata, stratum: Mapping[str, str], shares: Mapping[str, int]
    ) -> tuple[Population, Codes]:
        """Fetch the rows of the smallest numbers of each stratum, and of each cluster that they are of."""
        documents = len(self.engine.rows(self._items.documents.head(2))) > 1
        roles = [role for role in COLUMNS if role != DOCUMENT or documents]
        levels = pl.DataFrame({"predicate": list(stratum), STRATUM: list(stratum.values())})
        clustered = DESIGNS[asked.design].clustered
        most = {name: most_turns(share) if clustered else share for name, share in shares.items()}
        least = partial(self._least, asked=asked, roles=roles, levels=levels)
        rows = least(pl.DataFrame({STRATUM: list(most), MOST: list(most.values())}))
        if clustered:
            column, limits = COLUMNS[cluster_role(dict.fromkeys(roles), asked)], Counter[tuple[str, str]]()
            for number, name in enumerate(strata.names):
                leading = rows.filter(pl.col(STRATUM) == name)[column].to_list()
                places = islice(turns_of(asked.seed, number, int(strata.sizes[number])), most[name])
                limits.update((name, leading[place]) for place in places)
            given = [(*of, asked.per_cluster * visits) for of, visits in limits.items()]
            rows = pl.concat([rows, least(pl.DataFrame(given, schema=[STRATUM, column, MOST], orient="row"))])
        by_document: dict[str, list[list[str]]] = {}
        for document, *slots in rows.select(COLUMNS.values()).unique().iter_rows():
            by_document.setdefault(document, []).append(slots)
        model = TripleSet.from_lists(by_document)
        numbers = {name: number for number, name in enumerate(strata.names)}
        codes = [numbers[stratum[str(model.slots(row)[1])]] for row in range(len(model))]
        return population_of([items_of(self.chosen, model)]), np.array(codes, dtype=np.int64)

    def _least(
        self, limits: pl.DataFrame, *, asked: SampleRequest, roles: Sequence[str], levels: pl.DataFrame
    ) -> pl.DataFrame:
        """Fetch the rows of the smallest numbers of each group of a table of limits, in their order."""
        import narwhals.stable.v2 as nw

        given: dict[str, Any] = {"limits": limits, "levels": levels, "seed": asked.seed, "roles": roles}
        frame = self._items.frame.select(*COLUMNS.values())
        for column in set(limits.columns) - {STRATUM, MOST}:
            frame = frame.filter(nw.col(column).is_in(limits[column].unique().to_list()))
        return next(kept(self.engine.map_batches(frame, partial(least_of, **given)), **given))


def least_of(batches: Iterator[Any], **given: Any) -> Iterator[Any]:
    """Keep the rows of the smallest numbers, in a worker."""
    for frame in kept(batches, **given):
        yield from frame.select(COLUMNS.values()).to_arrow(compat_level=pl.CompatLevel.oldest()).to_batches()


def kept(
    batches: Any, *, limits: pl.DataFrame, levels: pl.DataFrame, seed: int, roles: Sequence[str]
) -> Iterator[pl.DataFrame]:
    """Keep of all batches the rows of the smallest numbers of each group, as many as its limit."""
    groups, found, most = [name for name in limits.columns if name != MOST], None, int(limits[MOST].sum())

    def placed(frame: pl.DataFrame) -> pl.DataFrame:
        return frame.join(levels, on="predicate").join(limits, on=groups)

    def numbered(frame: pl.DataFrame) -> pl.DataFrame:
        numbers = None
        for role in roles:
            numbers = mixed(numbers, text_numbers(frame[COLUMNS[role]], seed))
        return frame.with_columns(number=pl.Series(numbers, dtype=pl.UInt64))

    for batch in batches:
        frame: Any = pl.from_arrow(batch)
        if found is not None and len(found) == most:
            # Every group is full, so that few of the rows that follow can be among its smallest.
            frame = placed(numbered(frame).filter(pl.col("number") < found["number"].max()))
        else:
            frame = numbered(placed(frame))
        found = frame if found is None else pl.concat([found, frame.select(found.columns)])
        found = found.filter(pl.col("number").rank("ordinal").over(groups) <= pl.col(MOST))
    if found is not None:
        yield found.sort("number")
