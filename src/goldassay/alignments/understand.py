"""Rows of a file to an alignment: columns of numbers, without bad rows; and several test cases to one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from goldassay.alignments.formats.candidates import Pools, read_pools
from goldassay.alignments.lookup import Rows, best_rows
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
    stacked,
)
from goldassay.alignments.reading import AlignmentReading
from goldassay.alignments.relations import DISJOINT, INVERSE, OTHER, RELATIONS
from goldassay.alignments.statements import Stated, remarks, statements
from goldassay.core.errors import InputError
from goldassay.core.model import NO_ROW, InputRows, rows_kept
from goldassay.formats.records import BadRecords
from goldassay.formats.tables import HERE, ROW, Table, stripped

if TYPE_CHECKING:
    import polars as pl

SHOWN = 3
PLACE = "place"
PairsOrAlignment = TypeVar("PairsOrAlignment", Alignment, Pairs)


def understood(stated: Stated, name: str, reading: AlignmentReading, bad: BadRecords) -> Alignment:
    """Convert what a file states to columns of numbers, and reject bad rows."""
    import polars as pl

    table, has = stated.table, frozenset(stated.table.roles)
    here: Any = table.frame.with_row_index(PLACE)
    if "target" not in has:
        here = here.with_columns(target=pl.col("source"))
    found = statements(stripped(here, HERE), stated.words, reading, table, bad=bad, engine=HERE)
    here = found.frame
    rows: pl.DataFrame = here
    terms, (sources, targets) = interned([rows["source"], rows["target"]])
    relations = rows["relation"].to_numpy().astype(np.int8) if "relation" in has else None
    null, denied = (rows[kind].to_numpy() for kind in ("null", "denied"))
    # Gold is read with the same options, and has lists or no scores.
    blocked = reading.block is not None and "candidates" not in has and found.scored
    unanswered = "target" not in has or blocked
    taken = np.zeros(0, dtype=np.int64) if unanswered else slice(None) if found.plain else rows["taken"].to_numpy()
    nothing = null | unanswered
    pools = read_pools(rows, table, bad, nulls=nothing) if "candidates" in has else None
    places = rows[ROW].to_numpy().astype(np.int32) if stated.in_rows else None
    words, predicates = interned([rows["word"]]) if stated.words.open and relations is not None else ((), (None,))
    alignment = Alignment.of_codes(
        terms=terms,
        sources=sources[taken],
        targets=targets[taken],
        relations=None if relations is None else relations[taken],
        scores=rows["score"].to_numpy()[taken] if found.scored else None,
        denied=one_case(sources[denied], targets[denied]),
        nulls=null_queries(sources[null]),
        stated=len(rows) + len(bad.errors) - (0 if pools is None else pools.skipped),
        path=table.path,
        format=name,
        left_out={**bad.left_out(), **found.left_out},
        predicates=None if predicates[0] is None else predicates[0][taken],
        origin=Origin(prefixes=stated.prefixes, predicates=tuple(words), unread=stated.unread),
        notes=(*bad.notes(), *found.notes(int(rows["taken"].sum())), *_unknown_words(rows, found.codes, has)),
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
        blocks = _blocks(rows, reading.block, found.sums["rows"], (sources, targets), table)
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


def _unknown_words(rows: pl.DataFrame, codes: frozenset[int], has: frozenset[str]) -> tuple[str, ...]:
    """Say which predicates are none of the known relations, the most frequent first."""
    import polars as pl

    if OTHER not in codes or "relation" not in has:
        return ()
    words = rows.filter(pl.col("relation") == OTHER)["word"].value_counts(sort=True)
    shown = ", ".join(f"{word} ({count:,})" for word, count in words.head(SHOWN).iter_rows())
    more = ", ..." if len(words) > SHOWN else ""
    return (f"mappings whose predicate is no known relation, kept as other: {shown}{more}",) if shown else ()


def _blocks(rows: pl.DataFrame, size: int, count: int, ends: tuple[Rows, Rows], table: Table) -> Candidates:
    """Lay every block of rows out as one list of candidates; of one that a block has twice the highest score counts."""
    sources, targets = ends
    hint = "--block N, where N is the number of rows of each list"
    if count % size:
        raise InputError(
            "The rows are no whole number of blocks.",
            path=table.path,
            found=f"{count:,} rows",
            expected=f"a multiple of {size:,}",
            hint=hint,
        )
    _, block = np.unique(rows[PLACE].to_numpy() // size, return_inverse=True)
    heads = sources[np.flatnonzero(np.diff(block, prepend=-1))]
    strange = np.flatnonzero(sources != heads[block])
    if len(strange):
        row = int(strange[0])
        raise InputError(
            f"Block {rows[row, PLACE] // size + 1:,} has two sources.",
            path=table.path,
            line=table.line_of(rows[row, ROW]) if table.line_of else None,
            expected=f"{size:,} rows of one source",
            hint=hint,
        )
    scores, kinds = rows["score"].to_numpy(), rows["relation"].to_numpy().astype(np.int8)
    kept = best_rows(scores, kinds, targets, block)
    return Candidates(
        queries=one_case(heads, np.full(len(heads), NONE, dtype=np.int32)),
        query=block[kept].astype(np.int32),
        targets=targets[kept],
        scores=scores[kept],
        accepted=np.full(len(kept), -1, dtype=np.int8),
        relations=kinds[kept] if "relation" in table.roles else None,
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

    rows, entities, scores, accepted = zip(*pools.rows, strict=True) if pools.rows else ((),) * 4
    terms, (old, targets) = interned([alignment.terms, pl.Series(entities, dtype=pl.String)])
    query = np.array(rows, dtype=np.int32)
    candidates = Candidates(
        queries=moved_pairs(queries, old),
        query=query,
        targets=targets,
        scores=np.array(scores, dtype=np.float64),
        accepted=np.array(accepted, dtype=np.int8),
        wanted=wanted,
        input_rows=rows_kept(input_rows, query),
    )
    return _with_candidates(moved_terms(alignment, terms, old), candidates)


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


def moved_terms(alignment: Alignment, terms: pl.Series, place: Rows) -> Alignment:
    """Replace the terms of an alignment, given the place of each old term among the new ones."""
    return replace(
        alignment,
        terms=terms,
        sources=place[alignment.sources],
        targets=place[alignment.targets],
        denied=moved_pairs(alignment.denied, place),
        nulls=moved_pairs(alignment.nulls, place),
    )


def moved_pairs(pairs: Pairs, place: Rows) -> Pairs:
    """Map the terms of pairs to their places among other terms."""
    targets = np.where(pairs.targets == NONE, NONE, place[pairs.targets]) if len(place) else pairs.targets
    return replace(pairs, sources=place[pairs.sources], targets=targets.astype(np.int32))


def joined(names: tuple[str, ...], parts: Sequence[Alignment], reading: AlignmentReading) -> Alignment:
    """Join alignments of several test cases into one."""
    terms, places = interned([part.terms for part in parts])
    moved = [moved_terms(part, terms, place) for part, place in zip(parts, places, strict=True)]
    left_out: dict[str, int] = {}
    for part in parts:
        for reason, number in part.left_out.items():
            left_out[reason] = left_out.get(reason, 0) + number
    whole = Alignment.of_codes(
        terms=terms,
        **stacked(moved, "sources", "targets", "relations", "scores", "times"),
        cases=np.repeat(np.arange(len(parts), dtype=np.int32), [len(part) for part in moved]),
        case_names=names,
        denied=_joined_pairs([part.denied for part in moved]),
        nulls=_joined_pairs([part.nulls for part in moved]),
        stated=sum(part.stated for part in parts),
        input_rows=_joined_rows(parts),
        format=f"{len(parts)} test cases, {'/'.join(dict.fromkeys(part.format for part in parts))}",
        left_out=left_out,
        notes=tuple(f"{name}: {note}" for name, part in zip(names, parts, strict=True) for note in part.notes),
        warnings=tuple(f"{name}: {line}" for name, part in zip(names, parts, strict=True) for line in part.warnings),
        choices=reading.choices,
        beyond_unit=next((part.beyond_unit for part in parts if part.beyond_unit), None),
    )
    pools = [number for number, part in enumerate(parts) if part.candidates is not None]
    if pools:
        raise InputError(
            "Folders with candidates are not supported.",
            path=parts[pools[0]].path,
            expected="a folder of alignments without candidates",
            hint="score this file alone",
        )
    return replace(whole, facts={**whole.facts, "cases": len(parts)})


def _joined_rows(parts: Sequence[Alignment]) -> InputRows:
    """Join the rows of the inputs of the test cases, of which some may have none."""
    if all(part.input_rows is None for part in parts):
        return None
    return np.concatenate(
        [np.full(len(part), NO_ROW, dtype=np.int32) if part.input_rows is None else part.input_rows for part in parts]
    )


def _joined_pairs(pairs: Sequence[Pairs]) -> Pairs:
    cases = np.repeat(np.arange(len(pairs), dtype=np.int32), [len(part) for part in pairs])
    return Pairs(cases=cases, **stacked(pairs, "sources", "targets"))
