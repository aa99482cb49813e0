"""Drawing where the table is: workers number the rows of an engine, and only what can be drawn leaves it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice
from typing import Any

import numpy as np
import polars as pl

from goldassay.core.errors import UsageError
from goldassay.core.libraries import nw
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
    no_documents,
    order_documents,
    relation_levels,
    settle,
    shares_of,
    turns_of,
)
from goldassay.sampling.todo import rows_of
from goldassay.triples.model import TripleSet

COLUMNS: Mapping[str, str] = {DOCUMENT: "id", SOURCE: "subject", RELATION: "predicate", TARGET: "object"}
STRATUM, MOST, ALL = "stratum", "most", "all"


@dataclass(frozen=True, eq=False)
class OnEngine(Predictions):
    """One table of triples on an engine."""

    engine: TableEngine

    @cached_property
    def _items(self) -> Any:
        if self.chosen.kind != "triples" or len(self.preds) != 1:
            raise UsageError(
                "Engines can draw from one table of triples only.",
                found=self.chosen.kind if len(self.preds) == 1 else f"{len(self.preds)} predictions",
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

    @cached_property
    def _roles(self) -> list[str]:
        """The parts of items: the document only if there are several."""
        several = len(self.engine.rows(self._items.documents.head(2))) > 1
        return [role for role in COLUMNS if role != DOCUMENT or several]

    def describe_predictions(self) -> dict[str, Any]:
        """Describe the prediction."""
        return self.describe({self.preds[0]: (self._items, self.size)})

    def rows(self, found: Population, fresh: Codes, before: int) -> list[dict[str, str]]:
        """Convert new items to rows, without neighbouring items."""
        return rows_of([str(before + 1 + number) for number in range(len(fresh))], found.read(fresh))

    def texts(self, found: Population) -> dict[str, str]:
        """Return no texts: an engine reads none."""
        del found
        return {}

    def settle(self, asked: SampleRequest) -> SampleRequest:
        """Choose relations as strata, and refuse what needs all items at once."""
        if self.gold is not None or asked.strata not in (None, "relation"):
            what = "--gold" if self.gold is not None else f"--strata {asked.strata}"
            raise UsageError(
                f"{what} is not supported on an engine, which does not compare items.",
                expected="--strata relation",
                hint="leave out --engine",
            )
        return settle(asked, "relation", dict.fromkeys(self._roles))

    def population(self, asked: SampleRequest, before: Before) -> tuple[Population, Strata]:
        """Return the items that can be drawn, and the strata of all."""
        if asked.design == "documents":
            return self._of_documents(asked)
        strata, stratum = self._one_stratum(), dict[str, str]()
        if DESIGNS[asked.design].stratified:
            relations = self._counts("predicate")
            levels, names = relation_levels(list(relations), np.array(list(relations.values())))
            stratum = dict(zip(relations, (names[level] for level in levels.tolist()), strict=True))
            sizes = np.bincount(levels, weights=list(relations.values())).astype(np.int64)
            strata = Strata.of(levels, names, sizes)
        shares = dict(zip(strata.names, shares_of(asked, strata, before).tolist(), strict=True))
        found = self._drawable(asked, strata, stratum, shares)
        return found[0], strata._replace(codes=found[1])

    def _counts(self, column: str) -> dict[str, int]:
        rows = self.engine.rows(self._items.frame.group_by(column).agg(count=nw.len()))
        return {row[column]: row["count"] for row in rows}

    @cached_property
    def _documents(self) -> list[str]:
        """The names of all documents."""
        return [row["id"] for row in self.engine.rows(self._items.documents)]

    def _of_documents(self, asked: SampleRequest) -> tuple[Population, Strata]:
        """Fetch the documents of the smallest numbers, whole, until there are as many items as asked for."""
        if DOCUMENT not in self._roles:
            raise no_documents()
        sizes, items, chosen = self._counts("id"), 0, list[str]()
        for place in order_documents(self._documents, asked.seed):
            if items >= asked.size:
                break
            chosen.append(self._documents[place])
            items += sizes.get(chosen[-1], 0)
        rows = self.engine.rows(self._items.frame.select(*COLUMNS.values()).filter(nw.col("id").is_in(chosen)))
        found = self._population(
            dict.fromkeys(self._documents), [tuple(row[name] for name in COLUMNS.values()) for row in rows]
        )
        return found, self._one_stratum(len(found))

    def _one_stratum(self, drawable: int = 0) -> Strata:
        """Put all items into one stratum."""
        return Strata(np.zeros(drawable, dtype=np.int64), [ALL], np.array([self.size], dtype=np.int64))

    def _population(self, documents: Mapping[str, None], rows: Iterable[tuple[str, ...]]) -> Population:
        """Read rows as triples of documents."""
        by_document: dict[str, list[list[str]]] = {name: [] for name in documents}
        for document, *slots in rows:
            by_document.setdefault(document, []).append(slots)
        return population_of([items_of(self.chosen, TripleSet.from_lists(by_document))])

    def _drawable(
        self, asked: SampleRequest, strata: Strata, stratum: Mapping[str, str], shares: Mapping[str, int]
    ) -> tuple[Population, Codes]:
        """Fetch the rows of the smallest numbers of each stratum, and of each cluster that they are of."""
        roles = self._roles
        clustered = DESIGNS[asked.design].clustered
        most = {name: most_turns(share) if clustered else share for name, share in shares.items()}
        least = partial(self._least, asked=asked, roles=roles, stratum=stratum)
        rows = least(pl.DataFrame({STRATUM: list(most), MOST: list(most.values())}))
        if clustered:
            column, limits = COLUMNS[cluster_role(dict.fromkeys(roles), asked)], Counter[tuple[str, str]]()
            for number, name in enumerate(strata.names):
                leading = rows.filter(pl.col(STRATUM) == name)[column].to_list()
                places = islice(turns_of(asked.seed, number, int(strata.sizes[number])), most[name])
                limits.update((name, leading[place]) for place in places)
            given = [(*of, asked.per_cluster * visits) for of, visits in limits.items()]
            rows = pl.concat([rows, least(pl.DataFrame(given, schema=[STRATUM, column, MOST], orient="row"))])
        names = [pl.col(COLUMNS[role]) if role in roles else pl.lit(self._documents[0]) for role in COLUMNS]
        found = self._population({}, rows.select(names).unique().iter_rows())
        numbers = {name: number for number, name in enumerate(strata.names)}
        part = found.parts[RELATION]
        codes = [numbers[stratum.get(part.names[code], ALL)] for code in part.codes.tolist()]
        return found, np.array(codes, dtype=np.int64)

    def _least(
        self, limits: pl.DataFrame, *, asked: SampleRequest, roles: Sequence[str], stratum: Mapping[str, str]
    ) -> pl.DataFrame:
        """Fetch the rows of the smallest numbers of each group of a table of limits, in their order."""
        given: dict[str, Any] = {"limits": limits, "stratum": stratum, "seed": asked.seed, "roles": roles}
        frame = self._items.frame.select(*(COLUMNS[role] for role in roles))
        for column in set(limits.columns) - {STRATUM, MOST}:
            frame = frame.filter(nw.col(column).is_in(limits[column].unique().to_list()))
        return next(kept(self.engine.map_batches(frame, partial(least_of, **given)), **given))


def least_of(batches: Iterator[Any], *, roles: Sequence[str], **given: Any) -> Iterator[Any]:
    """Keep the rows of the smallest numbers, in a worker."""
    for frame in kept(batches, roles=roles, **given):
        columns = frame.select(COLUMNS[role] for role in roles)
        yield from columns.to_arrow(compat_level=pl.CompatLevel.oldest()).to_batches()


def kept(
    batches: Any, *, limits: pl.DataFrame, stratum: Mapping[str, str], seed: int, roles: Sequence[str]
) -> Iterator[pl.DataFrame]:
    """Keep of all batches the rows of the smallest numbers of each group, as many as its limit."""
    groups, found, most = [name for name in limits.columns if name != MOST], None, int(limits[MOST].sum())

    def numbered(frame: pl.DataFrame) -> pl.DataFrame:
        # A batch has few relations, each of which is numbered once.
        relations = frame["predicate"].unique()
        codes, numbers = frame["predicate"].cast(pl.Enum(relations)).to_physical(), None
        for role in roles:
            if role == RELATION:
                fresh = text_numbers(relations, seed)[codes.to_numpy()]
            else:
                fresh = text_numbers(frame[COLUMNS[role]], seed)
            numbers = mixed(numbers, fresh)
        strata = pl.Series(STRATUM, [stratum.get(name, ALL) for name in relations], dtype=pl.String)
        return frame.with_columns(strata.gather(codes), number=pl.Series(numbers, dtype=pl.UInt64))

    for batch in batches:
        frame: Any = numbered(pl.DataFrame(pl.from_arrow(batch)))
        if found is not None and len(found) == most:
            # Every group is full, so that few of the rows that follow can be among its smallest.
            frame = frame.filter(pl.col("number") < found["number"].max())
        frame = frame.join(limits, on=groups)
        found = frame if found is None else pl.concat([found, frame.select(found.columns)])
        found = found.filter(pl.col("number").rank("ordinal").over(groups) <= pl.col(MOST))
    if found is not None:
        yield found.sort("number")
