"""Edges on an engine: the rules of the reader of tables as expressions, and literal matching as joins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from goldassay.core.context import Context, Encoder
from goldassay.core.counts import Counts
from goldassay.core.errors import UsageError
from goldassay.core.lazy import Cluster, Engine, EngineCounts, EngineScoring, Frame, LazyItems
from goldassay.core.libraries import nw
from goldassay.core.matching import FAILURES
from goldassay.core.measure import Measure
from goldassay.formats.column_names import PERHAPS
from goldassay.formats.edge_tables import MOST_RELATIONS, NOTHING, TOPS, name_relations, warn_of_nothing, warn_of_unread
from goldassay.formats.lazy import SIDES, LazyTable, nonzero_counts, verdicts
from goldassay.formats.records import BadRecords
from goldassay.formats.tables import distinct_rows, empty_flaws, how_many, map_texts, numbers_of, rows_in, validate_rows
from goldassay.graphs.from_triples import IS_A
from goldassay.graphs.lazy_near import Near, find_near_items
from goldassay.graphs.match import ThresholdMeasure, new_loops
from goldassay.graphs.measures.fuzzy import Fuzzy, Nodes
from goldassay.graphs.measures.literal import Literal
from goldassay.graphs.predicates import chosen_way
from goldassay.graphs.read import no_edges_error
from goldassay.graphs.reading import GraphReading
from goldassay.graphs.texts import compose_texts, text_of

ENDS = ("source", "target")
TEXTS = ("child", "parent")
PLAIN = r"^[^:\x80-\x{10FFFF}]*$"


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class LazyGraph(LazyItems):
    """Edges on an engine, each once: columns source, target, relation, and the texts of the ends, child and parent."""

    def compared(self, measure: Measure[Any, Any], engine: Engine) -> Self:
        """Return the edges, or each key once if a measure counts distinct ones."""
        if not (isinstance(measure, Literal) and measure.distinct):
            return self
        frame = distinct_rows(self.frame, *measure.keys)
        return replace(self, frame=frame, size=rows_in(frame, engine))


def read_lazily(table: LazyTable, reading: GraphReading, engine: Engine) -> LazyGraph:
    """Read edges from a table."""
    choice = table.choice(reading.chooser())
    if "source" not in choice.places:
        raise UsageError(
            "Engines do not read tables of nodes, nor tables with a column for each level.",
            found=", ".join(choice.called.values()),
            expected="a column of children and one of parents",
            hint="leave out --engine",
        )
    bad = BadRecords(on_error=reading.on_error)
    chosen = _with_relation(table.chosen(choice, engine), table, engine)
    roles = [role for role in (*ENDS, "relation") if role in chosen.collect_schema().names()]
    table.refuse_lists(chosen, ENDS, engine)
    frame, sums = validate_rows(chosen, empty_flaws(roles, engine, table.called), bad=bad, engine=engine)
    good = sums["rows"] - sums["skipped_records"]
    frame, counts, makers = _choose_rows(frame, roles, reading, good, engine)
    below = ~nw.col("target").is_in(TOPS) if reading.is_taxonomy else ~nw.col("target").is_null()
    none = nw.col("target").is_in(NOTHING) & below
    found = numbers_of(frame, engine, chosen=nw.len(), kept=how_many(below), nothing=how_many(none))
    words, nothing = _nothing_in(frame, none, engine) if reading.is_taxonomy and found["nothing"] else ([], 0)
    below = below & ~nw.col("target").is_in(words) if words else below
    edges = distinct_rows(frame.filter(below), *ENDS, "relation")
    size = rows_in(edges, engine)
    graph = LazyGraph(
        frame=_add_texts(edges, reading, engine),
        size=size,
        path=table.path,
        format=table.format,
        left_out=nonzero_counts(
            other_relations=good - found["chosen"],
            edges_to_owl_thing=found["chosen"] - found["kept"],
            without_parent=nothing,
            duplicates=found["kept"] - nothing - size,
            **bad.left_out(),
        ),
        facts={"rows": good},
        notes=bad.notes(),
        warnings=(*table.warnings, *warn_of_nothing(nothing, words)),
        choices=reading.choices(makers),
    )
    if not size:
        raise no_edges_error(graph, counts, reading)
    return graph


def _with_relation(frame: Frame, table: LazyTable, engine: Engine) -> Frame:
    """Take a column that may name relations as these if one of its cells does, as the reader of files does."""
    if PERHAPS not in frame.collect_schema().names():
        return frame
    words = [str(row[PERHAPS] or "") for row in engine.rows(distinct_rows(frame, PERHAPS).head(MOST_RELATIONS + 1))]
    if name_relations(words):
        return frame.rename({PERHAPS: "relation"})
    table.warnings.extend(warn_of_unread(table.called.get(PERHAPS, PERHAPS), words))
    return frame.drop(PERHAPS)


def _nothing_in(frame: Frame, none: Any, engine: Engine) -> tuple[list[str], int]:
    """List the words for nothing that are parents and no children, and count their rows."""
    named = engine.rows(distinct_rows(frame.filter(nw.col("source").is_in(NOTHING)), "source"))
    children = {row["source"] for row in named}
    rows = engine.rows(distinct_rows(frame.filter(none), "target", times=nw.len()))
    times = {row["target"]: int(row["times"]) for row in rows if row["target"] not in children}
    return sorted(times), sum(times.values())


def _choose_rows(
    frame: Frame, roles: list[str], reading: GraphReading, rows: int, engine: Engine
) -> tuple[Frame, Mapping[str, int], list[str]]:
    """Keep the chosen rows, child first; taxonomic relations become one relation."""
    is_edge = chosen_way(reading.edges)
    if "relation" not in roles:
        kept = frame if is_edge(IS_A) else frame.head(0)
        return kept.select(*ENDS, relation=nw.lit(IS_A)), {IS_A: rows} if rows else {}, ["given"]
    words = engine.rows(distinct_rows(frame, "relation", times=nw.len()))
    counts = dict(sorted((row["relation"], int(row["times"])) for row in words))
    makers, relation = [name for name in counts if is_edge(name)], nw.col("relation")
    frame = frame.filter(relation.is_in(makers))
    down = [name for name in makers if is_edge(name) < 0]
    kind = nw.lit(IS_A) if reading.is_taxonomy else relation
    if down or reading.is_taxonomy:
        swapped = nw.when(relation.is_in(down))
        ends = zip(ENDS, reversed(ENDS), strict=True)
        turns = {end: swapped.then(nw.col(other)).otherwise(nw.col(end)) for end, other in ends}
        frame = frame.select(**turns, relation=kind)
    return frame, counts, makers


def _add_texts(edges: Frame, reading: GraphReading, engine: Engine) -> Frame:
    """Add the texts of the ends, by the function that names nodes of files: only distinct names are looked at one by one."""

    def named(node: str) -> str:
        return compose_texts([text_of(node, {}, reading.text)])[0][0]

    both = edges.with_columns(child=nw.col("source"), parent=nw.col("target"))
    # A name without a colon, in ASCII, is its own text for every choice of text.
    odd = ~(nw.col("child").str.contains(PLAIN) & nw.col("parent").str.contains(PLAIN))
    if not numbers_of(both, engine, odd=how_many(odd))["odd"]:
        return both
    return engine.materialize(map_texts(both, TEXTS, named, engine))


def count_fuzzy(measure: Fuzzy, pred: LazyGraph, gold: LazyGraph, engine: Cluster, context: Context) -> EngineCounts:
    """Count the edges of which both ends are near those of an edge of the other side."""
    if measure.relation == "fuzzy":
        raise UsageError(
            f"{measure}: comparing relations by meaning is not supported on an engine.", hint="relation=exact"
        )
    near = _near(measure, TEXTS, ("relation",) if measure.relation == "exact" else (), context)
    columns = (*ENDS, "relation", *TEXTS)
    counted = _count_near(pred.frame, gold.frame, near, columns, engine, encoder=context.require_encoder())
    return replace(counted, note=new_loops(_new_loops(counted.evidence(), gold.frame, engine)))


def _new_loops(evidence: Frame, gold: Frame, engine: Engine) -> int:
    """Count the self-loops of the prediction that are hit, and that gold does not have."""
    is_loop = nw.col("child") == nw.col("parent")
    scoring = evidence.filter(is_loop & (nw.col("side") == "pred") & (nw.col("verdict") == "hit"))
    return rows_in(scoring.join(distinct_rows(gold.filter(is_loop), "child"), on="child", how="anti"), engine)


def count_nodes(measure: Nodes, pred: LazyGraph, gold: LazyGraph, engine: Cluster, context: Context) -> EngineCounts:
    """Count the nodes that are near one of the other side."""
    near = _near(measure, ("text",), (), context)
    return _count_near(_nodes(pred), _nodes(gold), near, ("id", "text"), engine, encoder=context.require_encoder())


def _near(measure: ThresholdMeasure, ends: tuple[str, ...], also: tuple[str, ...], context: Context) -> Near:
    if measure.assignment == "one":
        raise UsageError(f"{measure}: one-to-one matching is not supported on an engine.", hint="leave out --engine")
    return Near(
        ends=ends,
        keys=(*ends, *also),
        threshold=measure.threshold,
        inclusive=measure.inclusive,
        memory=context.memory,
    )


def _count_near(
    pred: Frame, gold: Frame, near: Near, columns: tuple[str, ...], engine: Cluster, *, encoder: Encoder
) -> EngineCounts:
    """Count items by meaning; their columns name them in the evidence."""
    hits = find_near_items(pred, gold, near, engine, encoder)
    evidence = engine.materialize(verdicts(pred, gold, hits, near.keys, columns))
    rows = engine.rows(distinct_rows(evidence, "side", "verdict", times=nw.len()))
    found = {(row["side"], row["verdict"]): int(row["times"]) for row in rows}
    counts = {f"hit_{side}": found.get((side, "hit"), 0) for side in SIDES}
    counts |= {f"n_{side}": counts[f"hit_{side}"] + found.get((side, FAILURES[side]), 0) for side in SIDES}
    return EngineCounts(counts=Counts(counts), evidence=lambda: evidence)


def _nodes(graph: LazyGraph) -> Frame:
    """List the nodes of edges, each once, with their texts."""
    ends = [graph.frame.select(id=nw.col(end), text=nw.col(text)) for end, text in zip(ENDS, TEXTS, strict=True)]
    return distinct_rows(nw.concat(ends), "id", "text")


LAZILY = EngineScoring(read=read_lazily, count_near={Fuzzy: count_fuzzy, Nodes: count_nodes})
"""How taxonomies are scored on an engine."""
