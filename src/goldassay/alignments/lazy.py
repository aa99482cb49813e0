"""Alignments on an engine: tables become correspondences, joins find those that both sides have, and references of one rank are counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from typing import Any, Self, cast

import numpy as np
from numpy.typing import NDArray

from goldassay.alignments.formats.sssom import namespaces_of, prefixes_above
from goldassay.alignments.measures.overlap import Jaccard, Overlap, OverlapMeasure, check_unit, incomparable
from goldassay.alignments.measures.ranking import ORDERED, HitAtK, Mrr, ReferenceMeasure
from goldassay.alignments.measures.ranks import TIES, Ranks
from goldassay.alignments.reading import AlignmentReading
from goldassay.alignments.relations import DISJOINT, GRADED, OTHER, UNJUDGED
from goldassay.alignments.rows import ENDS, PLAIN, Vocabulary, classify_rows, kind_notes
from goldassay.core.context import Context
from goldassay.core.counts import Counts
from goldassay.core.errors import InputError, RecordError, UsageError
from goldassay.core.lazy import Engine, EngineCounts, EngineScoring, Frame, LazyItems, sum_of
from goldassay.core.libraries import nw
from goldassay.core.matching import AMOUNTS, FAILURES, Amounts
from goldassay.core.parameters import parameters_of
from goldassay.core.partial import ENDS as JUDGED_BY
from goldassay.core.partial import Completeness
from goldassay.formats.lazy import LazyTable, nonzero_counts, verdicts
from goldassay.formats.records import BadRecords
from goldassay.formats.roles import SSSOM
from goldassay.formats.tables import distinct_rows, how_many, numbers_of, rows_in

UNSUPPORTED = ("unordered", "block", "source_ontology", "target_ontology")
"""Options that are not supported on an engine."""
PLACES = ("above", "tied", "true_above", "true_tied")
ALIKE = (*PLACES, "times")
"""What references are alike by."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class LazyAlignment(LazyItems):
    """An alignment on an engine: columns source, target, relation (row of ``RELATIONS``) and score, a row for each statement."""

    # ``size`` counts equal statements once, ``rows`` all; ``codes`` are the relations that occur, ``denied`` the pairs
    # that the file states are not related.
    rows: int
    codes: frozenset[int]
    denied: Frame | None = None
    beyond_unit: RecordError | None = None
    case_names: tuple[str, ...] = ("",)
    choices: Mapping[str, str] = field(default_factory=dict)

    def make_empty(self, path: str) -> Self:
        """Make an empty prediction: no statements, read as this is."""
        return replace(super().make_empty(path), rows=0, denied=None, beyond_unit=None)


def read_lazily(table: LazyTable, reading: AlignmentReading, engine: Engine) -> LazyAlignment:
    """Make an alignment of a table."""
    _refuse_options(reading)
    bad = BadRecords(on_error=reading.on_error)
    frame, words = (_mappings if table.format == "sssom" else _correspondences)(table, reading, engine)
    found = classify_rows(frame, words, reading, table, bad=bad, engine=engine)
    taken = (found.frame if found.plain else found.frame.filter(nw.col("taken"))).select(*ENDS, "relation", "score")
    sums, sizes = found.sums, _sizes_of(taken, found.codes, engine)
    rows, size, marked = sizes["rows"], sizes["size"], {name: sizes[name] for name in ("unjudged", "disjoint")}
    nulls = rows_in(distinct_rows(found.frame.filter(nw.col("null")), "source"), engine) if sums["null"] else 0
    return LazyAlignment(
        frame=taken,
        size=size,
        rows=rows,
        codes=found.codes,
        denied=distinct_rows(found.frame.filter(nw.col("denied")), *ENDS) if sums["denied"] else None,
        beyond_unit=found.beyond_unit,
        path=table.path,
        format=table.format,
        left_out=nonzero_counts(**bad.left_out(), **found.left_out, duplicates=rows - size),
        facts={"rows": sums["rows"], "unjudged": marked["unjudged"], "denied": sums["denied"], **found.unscored(size)},
        notes=(
            *bad.notes(),
            *found.notes(rows),
            *kind_notes(denied=sums["denied"], nulls=nulls, unpaired=sums["unpaired"], **marked),
        ),
        warnings=tuple(table.warnings),
        choices=reading.choices,
    )


def _sizes_of(frame: Frame, codes: frozenset[int], engine: Engine) -> dict[str, int]:
    """Count statements, and how many remain where equal ones are one: ``rows`` and ``size``, ``unjudged`` and ``disjoint`` ones."""
    marked = {"unjudged": UNJUDGED, "disjoint": DISJOINT}
    alike = len(codes) == 1
    of_each = {} if alike else {name: how_many(nw.col("relation") == code) for name, code in marked.items()}
    items = distinct_rows(frame, *(ENDS if alike else (*ENDS, "relation")), times=nw.len())
    sizes = numbers_of(items, engine, size=nw.len(), rows=nw.col("times").sum(), **of_each)
    return {**{name: sizes["size"] * (code in codes) for name, code in marked.items()}, **sizes}


def _refuse_options(reading: AlignmentReading) -> None:
    declared = parameters_of(type(reading))
    for one in fields(reading):
        if one.name in UNSUPPORTED and not declared[one.name].is_default(getattr(reading, one.name)):
            raise UsageError(
                f"--{one.name.replace('_', '-')} is not supported on an engine.", hint="leave out --engine"
            )


def _correspondences(table: LazyTable, reading: AlignmentReading, engine: Engine) -> tuple[Frame, Vocabulary]:
    choice = table.choice(reading.chooser())
    if "candidates" in choice.places:
        raise InputError(
            "Lists of candidates are not supported on an engine.",
            found=table.names[choice.places["candidates"]],
            expected="one candidate per row",
            hint="leave out --engine",
        )
    return table.chosen(choice, engine, numbers=("score",)), PLAIN


def _mappings(table: LazyTable, reading: AlignmentReading, engine: Engine) -> tuple[Frame, Vocabulary]:
    choice = table.choice(SSSOM.chooser())
    namespaces = namespaces_of(prefixes_above(table.comments), table.path, reading.metadata)
    return table.chosen(choice, engine), Vocabulary(open=True, namespaces=namespaces)


def keep_judgeable(
    pred: LazyAlignment, gold: LazyAlignment, completeness: Completeness, engine: Engine
) -> LazyAlignment:
    """Keep the correspondences that gold can judge: its own pairs, those it denies, and those of which it has an end."""
    pairs = gold.frame.select(*ENDS)
    known = distinct_rows(pairs if gold.denied is None else nw.concat([pairs, gold.denied]), *ENDS)
    frame = pred.frame.join(known.with_columns(pair=nw.lit(value=True)), on=list(ENDS), how="left")
    flags = ["pair"]
    for end in JUDGED_BY[completeness]:
        of_gold = distinct_rows(gold.frame, end).with_columns(nw.lit(value=True).alias(f"has_{end}"))
        frame = frame.join(of_gold, on=end, how="left")
        flags.append(f"has_{end}")
    judged = nw.any_horizontal(*(~nw.col(flag).is_null() for flag in flags), ignore_nulls=True)
    kept = frame.filter(judged).select(*ENDS, "relation", "score")
    sizes = _sizes_of(kept, pred.codes, engine)
    unjudged = len(pred) - sizes["size"]
    left_out = {**pred.left_out, **({"unjudged": unjudged} if unjudged else {})}
    return replace(pred, frame=kept, left_out=left_out, size=sizes["size"], rows=sizes["rows"])


@dataclass(frozen=True, eq=False, kw_only=True)
class LazySides:
    """What a measure compares by some ``keys``; of the prediction all statements, of which some may be ``repeated``."""

    # ``items`` has the correspondences of the prediction, each once with its highest ``score`` and ``times``; ``known``
    # are their ``size`` and the ``rows`` that they are, if these need no query. ``gold`` has those of gold, ``found``
    # those that gold has too, with ``gold_times``.
    keys: tuple[str, ...]
    pred: Frame
    items: Frame
    gold: Frame
    found: Frame
    repeated: bool
    known: dict[str, int] | None
    engine: Engine

    @cached_property
    def sizes(self) -> dict[str, int]:
        """How many correspondences the prediction has, and in how many rows."""
        return self.known or _sizes(self.items, self.engine)

    @cached_property
    def gold_sizes(self) -> dict[str, int]:
        """How many correspondences gold has, and in how many rows."""
        return _sizes(self.gold, self.engine)


def _sides(
    measure: OverlapMeasure | ReferenceMeasure,
    pred: LazyAlignment,
    gold: LazyAlignment,
    engine: Engine,
    context: Context,
    *,
    related: bool,
    disjoint: bool,
) -> LazySides:
    """Join both sides, once for all measures."""

    def make() -> LazySides:
        keys = (*ENDS, "relation") if related else ENDS
        here, there = _drop_unjudged(pred, gold, measure.unjudged)
        if not disjoint:
            here, there = _drop_disjoint(here, pred), _drop_disjoint(there, gold)
        alike = related or len(pred.codes) == 1
        kept = engine.materialize(_merge(there, keys))
        # Only what gold has is gathered by its keys.
        common = here.join(kept.select(*keys, gold_times=nw.col("times")), on=list(keys), how="inner")
        found = distinct_rows(
            common, *keys, score=nw.col("score").max(), times=nw.len(), gold_times=nw.col("gold_times").max()
        )
        repeated = not alike or pred.rows > pred.size
        return LazySides(
            keys=keys,
            pred=here,
            items=_merge(here, keys) if repeated else here.select(*keys, "score", times=nw.lit(1)),
            gold=kept,
            found=engine.materialize(found),
            repeated=repeated,
            known={"size": pred.size, "rows": pred.rows} if alike and here is pred.frame else None,
            engine=engine,
        )

    name = f"lazy sides, unjudged {measure.unjudged}, related {related}, disjoint {disjoint}"
    return context.get_or_make(name, (pred, gold), make)


def _drop_unjudged(pred: LazyAlignment, gold: LazyAlignment, unjudged: str) -> tuple[Frame, Frame]:
    """Leave out what the prediction marks ``?``, and on both sides the pairs that gold marks."""
    here, there = pred.frame, gold.frame
    marked = nw.col("relation") == UNJUDGED
    if unjudged != "keep" and UNJUDGED in pred.codes:
        here = here.filter(~marked)
    if unjudged == "count" or UNJUDGED not in gold.codes:
        return here, there
    neutral = distinct_rows(there.filter(marked), *ENDS)
    return here.join(neutral, on=list(ENDS), how="anti"), there.join(neutral, on=list(ENDS), how="anti")


def _drop_disjoint(frame: Frame, side: LazyAlignment) -> Frame:
    return frame.filter(nw.col("relation") != DISJOINT) if DISJOINT in side.codes else frame


def _merge(frame: Frame, keys: tuple[str, ...]) -> Frame:
    return distinct_rows(frame, *keys, score=nw.col("score").max(), times=nw.len())


def _sizes(items: Frame, engine: Engine) -> dict[str, int]:
    return numbers_of(items, engine, size=nw.len(), rows=nw.col("times").sum())


def count_overlap(
    measure: OverlapMeasure, pred: LazyAlignment, gold: LazyAlignment, engine: Engine, context: Context
) -> EngineCounts:
    """Count the correspondences that both sides have."""
    if measure.threshold is not None:
        check_unit(pred)
    related = measure.relation != "ignore"
    if related:
        _refuse_other(pred, gold, engine)
    both = _sides(measure, pred, gold, engine, context, related=related, disjoint=measure.relation == "exact")
    items, found, near = both.items, both.found, both.pred
    if measure.threshold is not None:
        items, found, near = (frame.filter(nw.col("score") >= measure.threshold) for frame in (items, found, near))
    if measure.relation == "graded":
        common = _grade_credit(both, near)
        hits = [_total(credited, engine) for credited in common]
    else:
        common = (found.select(*both.keys, credit=nw.lit(1.0)),) * 2
        hits = [_total(common[0], engine)] * 2
    of_pred = both.sizes if measure.threshold is None else _sizes(items, engine)
    counted = "rows" if measure.duplicates == "count" else "size"
    sizes = [of_pred[counted], both.gold_sizes[counted]]
    counts = dict(zip(("hit_pred", "hit_gold", "n_pred", "n_gold"), (*hits, *sizes), strict=True))
    times = "times" if measure.duplicates == "count" else None
    evidence = partial(verdicts, items, both.gold, common, both.keys, (*ENDS, "score"), times=times)
    return EngineCounts(counts=Counts(counts), evidence=evidence)


def _grade_credit(both: LazySides, pred: Frame) -> tuple[Frame, Frame]:
    """Return the correspondences of both sides that earn credit, with the most that one of the other side gives them."""
    other = both.gold.select(*ENDS, other=nw.col("relation"))
    pairs = pred.join(other, on=list(ENDS), how="inner").with_columns(credit=_proximity())
    pairs, best = pairs.filter(nw.col("credit") > 0), nw.col("credit").max()
    return (
        distinct_rows(pairs, *ENDS, "relation", credit=best),
        distinct_rows(pairs, *ENDS, "other", credit=best).rename({"other": "relation"}),
    )


def _proximity() -> Any:
    """Return the proximity of the columns ``relation`` and ``other``."""
    column = nw.lit(0.0)
    for one, other in np.argwhere(GRADED > 0).tolist():
        same = (nw.col("relation") == one) & (nw.col("other") == other)
        column = nw.when(same).then(nw.lit(float(GRADED[one, other]))).otherwise(column)
    return column


def _total(credited: Frame, engine: Engine) -> int | float:
    rows = engine.rows(distinct_rows(credited, "credit", times=nw.len()))
    return sum_of([row["credit"] for row in rows], [row["times"] for row in rows])


def _refuse_other(pred: LazyAlignment, gold: LazyAlignment, engine: Engine) -> None:
    for name, side in (("prediction", pred), ("gold", gold)):
        if OTHER in side.codes:
            count = rows_in(distinct_rows(side.frame.filter(nw.col("relation") == OTHER), *ENDS), engine)
            raise incomparable(name, side, count)


@dataclass(frozen=True, eq=False)
class Times:
    """How often references of one kind occur, for `ReferenceMeasure.shares`."""

    times: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.times)


def count_ranking(
    measure: ReferenceMeasure, pred: LazyAlignment, gold: LazyAlignment, engine: Engine, context: Context
) -> EngineCounts:
    """Count the references of each rank, and multiply by what the measure gives one of them."""
    _refuse(measure)
    check_unit(pred)
    both = _sides(measure, pred, gold, engine, context, related=measure.typed, disjoint=measure.typed)
    placed = context.get_or_make("lazy ranks", (both,), lambda: _find_places(both, engine))
    rows = context.get_or_make("lazy counts of ranks", (placed,), lambda: engine.rows(_count_places(both, placed)))
    gains, shares = _amounts(measure, [[int(row[name]) for row in rows] for name in ALIKE])
    many = [int(row["references"]) for row in rows]
    counts = {"gain": sum_of(gains.tolist(), many), measure.counted: sum_of(shares.tolist(), many)}
    return EngineCounts(counts=Counts(counts), evidence=partial(_add_ranks, measure, both, placed, engine))


def _amounts(measure: ReferenceMeasure, columns: Sequence[Sequence[int]]) -> Amounts:
    """Return what one reference of each kind adds to the gains and to what these are divided by; the columns are those of `ALIKE`."""
    known = dict(zip(ALIKE, (np.array(column, dtype=np.int64) for column in columns), strict=True))
    ranks = _ranks(known)
    settled = measure.settle_ties(ranks)
    shares = measure.shares(ranks, cast("Any", Times(known["times"])))
    return np.where(ranks.found, measure.gain(settled), 0.0) * measure.weights(settled) * shares, shares.astype(
        np.float64
    )


def _refuse(measure: ReferenceMeasure) -> None:
    if measure.ties in ORDERED:
        raise UsageError(
            f"{measure}: rows of an engine have no order, which cannot break ties.",
            found=f"ties={measure.ties}",
            expected=", ".join(ties for ties in TIES if ties not in ORDERED),
            hint="leave out --engine",
        )
    if measure.first:
        raise UsageError(
            f"{measure}: averages over the first reference of each source are not supported on an engine.",
            hint="leave out --engine",
        )


def _find_places(both: LazySides, engine: Engine) -> Frame:
    """Count the candidates above every reference that was found, and those tied with it."""
    goals = distinct_rows(both.found.select("source", goal=nw.col("score")), "source", "goal")
    score, goal = nw.col("score"), nw.col("goal")

    def counted(frame: Frame, above: str, tied: str, *, repeated: bool = False) -> Frame:
        rivals = frame.join(goals, on="source", how="inner").filter(score >= goal)
        if repeated:
            # A candidate that occurs twice is one, with the highest of its scores.
            rivals = distinct_rows(rivals, *both.keys, "goal", score=score.max())
        return distinct_rows(rivals, "source", "goal", **{above: how_many(score > goal), tied: how_many(score == goal)})

    every = counted(both.pred, *PLACES[:2], repeated=both.repeated)
    places = every.join(counted(both.found, *PLACES[2:]), on=["source", "goal"], how="inner").rename({"goal": "score"})
    return engine.materialize(both.found.join(places, on=["source", "score"], how="inner"))


def _count_places(both: LazySides, placed: Frame) -> Frame:
    """Count the references that have the same place and number of duplicates; nothing is tied with one that was not found."""
    found = distinct_rows(placed.select(*PLACES, times=nw.col("gold_times")), *ALIKE, references=nw.len())
    lost = both.gold.join(placed.select(*both.keys), on=list(both.keys), how="anti")
    nowhere = {name: nw.lit(0) for name in PLACES}
    lost = distinct_rows(lost, "times", references=nw.len()).select("times", "references", **nowhere)
    columns = [nw.col(name).cast(nw.Int64) for name in (*ALIKE, "references")]
    return nw.concat([found.select(columns), lost.select(columns)])


def _ranks(columns: dict[str, NDArray[np.int64]]) -> Ranks:
    """Make ranks, one for all references that have the same; nothing is tied with those that were not found."""
    found = columns["tied"] > 0
    nothing = np.zeros(len(found), dtype=np.int64)
    tied = {name: np.maximum(columns[name], 1) for name in ("tied", "true_tied")}
    above = {name: columns[name] for name in ("above", "true_above")}
    unordered = dict.fromkeys(("order", "true_order", "queries", "row", "lists"), nothing)
    return Ranks(found=found, items=cast("Any", ()), **above, **tied, **unordered)


def _add_ranks(measure: ReferenceMeasure, both: LazySides, placed: Frame, engine: Engine) -> Frame:
    """List the references with their expected ranks, null where they were not found, and what they add."""
    ranks = placed.select(*both.keys, *PLACES, rank=nw.col("above") + (nw.col("tied") + 1) / 2)
    kind = nw.concat_str([nw.col(name).fill_null(0).cast(nw.Int64).cast(nw.String) for name in ALIKE], separator=" ")
    joined = both.gold.join(ranks, on=list(both.keys), how="left").with_columns(kind=kind)
    # Many references are of one kind.
    kinds = distinct_rows(joined.select("kind"), "kind")
    for at, name in enumerate(AMOUNTS):
        kinds = engine.map_rows(kinds, "kind", name, partial(_amount_of, measure, at))
    amounts = {name: nw.col(name).cast(nw.Float64) for name in AMOUNTS}
    joined = joined.join(kinds.with_columns(**amounts), on="kind", how="left")
    earned = nw.when(nw.col("credit") < nw.col("weight")).then(nw.lit("partial")).otherwise(nw.lit("hit"))
    verdict = nw.when(nw.col("credit") == 0).then(nw.lit(FAILURES["gold"])).otherwise(earned)
    return joined.select("source", "target", "rank", *AMOUNTS, side=nw.lit("gold"), verdict=verdict)


def _amount_of(measure: ReferenceMeasure, at: int, kind: str) -> str:
    """Write one of the `AMOUNTS` that a reference of a kind adds."""
    return repr(float(_amounts(measure, [[int(one)] for one in kind.split(" ")])[at][0]))


LAZILY = EngineScoring(
    read=read_lazily,
    judged=keep_judgeable,
    count={Overlap: count_overlap, Jaccard: count_overlap, HitAtK: count_ranking, Mrr: count_ranking},
)
"""How alignments are scored on an engine."""
