"""Rows of a file to an alignment: columns of numbers, without bad rows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from goldassay.alignments.formats.candidates import Pools, read_pools
from goldassay.alignments.join import moved_pairs, moved_terms
from goldassay.alignments.lookup import Rows
from goldassay.alignments.model import (
    NONE,
    Alignment,
    Candidates,
    Origin,
    Pairs,
    interned,
    null_queries,
    one_case,
    predicates_turned,
)
from goldassay.alignments.reading import AlignmentReading
from goldassay.alignments.relations import DISJOINT, INVERSE, OTHER, RELATIONS
from goldassay.alignments.statements import Stated, remarks, statements
from goldassay.core.errors import InputError
from goldassay.core.model import InputRows, rows_kept
from goldassay.formats.records import BadRecords
from goldassay.formats.tables import HERE, ROW, LineOf, stripped

if TYPE_CHECKING:
    import polars as pl

SHOWN = 3
PLACE = "place"
PairsOrAlignment = TypeVar("PairsOrAlignment", Alignment, Pairs)


def understood(stated: Stated, name: str, reading: AlignmentReading, bad: BadRecords) -> Alignment:
    """Convert what a file states to columns of numbers, and reject bad rows."""
    import polars as pl

    table, path = stated.table, stated.table.path
    has = frozenset(table.roles)
    here: Any = table.frame.with_row_index(PLACE)
    if "target" not in has:
        here = here.with_columns(target=pl.col("source"))
    found = statements(
        stripped(here, HERE), stated.words, reading, path=path, bad=bad, engine=HERE, line_of=table.line_of
    )
    here = found.frame
    rows: pl.DataFrame = here
    terms, (sources, targets) = interned([rows["source"], rows["target"]])
    relations = rows["relation"].to_numpy().astype(np.int8) if "relation" in has else None
    scores = rows["score"].to_numpy() if found.scored else None
    null, denied = (rows[kind].to_numpy() for kind in ("null", "denied"))
    # Gold is read with the same options, and has lists or no scores.
    blocked = reading.block is not None and "candidates" not in has and found.scored
    unanswered = "target" not in has or blocked
    taken = np.zeros(0, dtype=np.int64) if unanswered else slice(None) if found.plain else rows["taken"].to_numpy()
    nothing = null | unanswered
    pools = read_pools(rows, path, bad, nulls=nothing, line_of=table.line_of) if "candidates" in has else None
    places = rows[ROW].to_numpy().astype(np.int32) if stated.in_rows else None
    words, predicates = interned([rows["word"]]) if stated.words.open and relations is not None else ((), (None,))
    alignment = Alignment.of_codes(
        terms=terms,
        sources=sources[taken],
        targets=targets[taken],
        relations=None if relations is None else relations[taken],
        scores=None if scores is None else scores[taken],
        denied=one_case(sources[denied], targets[denied]),
        nulls=null_queries(sources[null]),
        stated=len(rows) + len(bad.errors) - (0 if pools is None else pools.skipped),
        path=path,
        format=name,
        left_out={**bad.left_out(), **{reason: count for reason, count in found.left_out.items() if count}},
        predicates=None if predicates[0] is None else predicates[0][taken],
        origin=Origin(prefixes=stated.prefixes, predicates=tuple(words), unread=stated.unread),
        notes=bad.notes()
        + found.notes(int(rows["taken"].sum()))
        + (_unknown_words(rows) if OTHER in found.codes and relations is not None else ()),
        warnings=table.warnings,
        choices=reading.choices,
        input_rows=rows_kept(places, taken),
        beyond_unit=found.beyond_unit,
    )
    if "candidates" not in has:
        alignment = replace(alignment, facts={**alignment.facts, **found.unscored(len(alignment))})
    if reading.unordered:
        alignment = _unordered(alignment)
    if pools is not None:
        queries = one_case(sources, np.where(nothing, NONE, targets).astype(np.int32))
        alignment = _with_pools(alignment, pools, queries, relations, places)
    elif blocked and reading.block is not None:
        count = found.sums["rows"]
        blocks = _blocks(
            rows, reading.block, count, ends=(sources, targets), related=relations is not None,
            path=path, line_of=table.line_of,
        )  # fmt: skip
        alignment = _with_candidates(alignment, blocks)
    return _remarked(alignment)


def _unordered(alignment: Alignment) -> Alignment:
    """Put the ends of every pair in the order of the alphabet, with the inverse relation where they change places."""
    ranks = alignment.terms.rank("ordinal").to_numpy().astype(np.int64)

    def turned(pairs: PairsOrAlignment) -> PairsOrAlignment:
        turn = (pairs.targets != NONE) & (ranks[pairs.sources] > ranks[pairs.targets])
        ends = np.where(turn, pairs.targets, pairs.sources), np.where(turn, pairs.sources, pairs.targets)
        return replace(pairs, sources=ends[0], targets=ends[1])

    again = turned(alignment)
    relations = np.where(again.sources == alignment.sources, alignment.relations, INVERSE[alignment.relations])
    predicates = predicates_turned(alignment, again.sources != alignment.sources)
    whole = replace(again, relations=relations, predicates=predicates, denied=turned(alignment.denied))
    once = whole.merged(whole.keys * len(RELATIONS) + whole.relations)
    twice = len(whole) - len(once) + whole.left_out.get("duplicates", 0)
    return replace(once, left_out={**once.left_out, **({"duplicates": twice} if twice else {})})


def _unknown_words(rows: pl.DataFrame) -> tuple[str, ...]:
    """Say which predicates are none of the known relations, the most frequent first."""
    import polars as pl

    words = rows.filter(pl.col("relation") == OTHER)["word"].value_counts(sort=True)
    shown = ", ".join(f"{word} ({count:,})" for word, count in words.head(SHOWN).iter_rows())
    more = ", ..." if len(words) > SHOWN else ""
    return (f"mappings whose predicate is no known relation, kept as other: {shown}{more}",) if shown else ()


def _blocks(
    rows: pl.DataFrame,
    size: int,
    count: int,
    *,
    ends: tuple[Rows, Rows],
    related: bool,
    path: str,
    line_of: LineOf | None,
) -> Candidates:
    """Lay every block of rows out as one list of candidates; of one that a block has twice the highest score counts."""
    sources, targets = ends
    if count % size:
        raise InputError(
            "The rows are no whole number of blocks.",
            path=path,
            found=f"{count:,} rows",
            expected=f"a multiple of {size:,}",
            hint="--block N, where N is the number of rows of each list",
        )
    _, block = np.unique(rows[PLACE].to_numpy() // size, return_inverse=True)
    heads = sources[np.flatnonzero(np.diff(block, prepend=-1))]
    strange = np.flatnonzero(sources != heads[block])
    if len(strange):
        row = int(strange[0])
        raise InputError(
            f"Block {rows[row, PLACE] // size + 1:,} has two sources.",
            path=path,
            line=line_of(rows[row, ROW]) if line_of else None,
            expected=f"{size:,} rows of one source",
            hint="--block N, where N is the number of rows of each list",
        )
    numbers, kinds = rows["score"].to_numpy(), rows["relation"].to_numpy().astype(np.int8)
    order = np.lexsort((-numbers, kinds, targets, block))
    keys = np.column_stack([block, targets, kinds])[order]
    first = np.ones(len(order), dtype=np.bool_)
    first[1:] = (keys[1:] != keys[:-1]).any(axis=1)
    kept = np.sort(order[first])
    return Candidates(
        queries=one_case(heads, np.full(len(heads), NONE, dtype=np.int32)),
        query=block[kept].astype(np.int32),
        targets=targets[kept],
        scores=numbers[kept],
        accepted=np.full(len(kept), -1, dtype=np.int8),
        relations=kinds[kept] if related else None,
        input_rows=rows[ROW].to_numpy()[kept],
    )


def _with_candidates(alignment: Alignment, candidates: Candidates) -> Alignment:
    sizes = {"queries": len(candidates.queries), "candidates": len(candidates)}
    return replace(alignment, candidates=candidates, facts={**alignment.facts, **sizes})


def _with_pools(
    alignment: Alignment, pools: Pools, queries: Pairs, wanted: NDArray[np.int8] | None, input_rows: InputRows
) -> Alignment:
    """Add pools of candidates, whose entities join the terms."""
    import polars as pl

    terms, (old, codes) = interned([alignment.terms, pl.Series(pools.targets, dtype=pl.String)])
    moved = moved_terms(alignment, terms, old)
    built = pools.built(codes, moved_pairs(queries, old))
    return _with_candidates(moved, replace(built, wanted=wanted, input_rows=rows_kept(input_rows, built.query)))


def _remarked(alignment: Alignment) -> Alignment:
    """Add notes on relations, and on statements that are not correspondences."""
    notes = remarks(
        unjudged=alignment.facts["unjudged"],
        denied=len(alignment.denied),
        nulls=len(alignment.nulls),
        alone=alignment.left_out.get("targets_without_source", 0),
        disjoint=int(np.count_nonzero(alignment.relations == DISJOINT)),
    )
    return replace(alignment, notes=alignment.notes + notes) if notes else alignment
