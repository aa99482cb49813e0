"""Rows of a file to an alignment: columns of numbers, without bad rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from goldassay.alignments.formats.candidates import Pools, read_pools
from goldassay.alignments.formats.records import Sieve, relation_codes, score_numbers
from goldassay.alignments.formats.sssom import NO_TERM
from goldassay.alignments.join import moved_pairs, moved_terms
from goldassay.alignments.lookup import Rows
from goldassay.alignments.model import NONE, Alignment, Pairs, interned, null_queries, one_case
from goldassay.alignments.reading import AlignmentReading
from goldassay.core.errors import RecordError
from goldassay.formats.rows import WHITE

if TYPE_CHECKING:
    import polars as pl

NO_COUNTERPART = (NO_TERM, "sssom:NoTermFound", "UnMatched", "Unmatched", "unmatched")
"""Targets that mark a source without a counterpart, as SSSOM and Bio-ML write them."""


@dataclass(frozen=True, kw_only=True)
class _Statements:
    """What each row of a file is: a correspondence, a denial, a source without counterpart, or of no interest."""

    taken: NDArray[np.bool_]
    denied: NDArray[np.bool_]
    null: NDArray[np.bool_]
    other: NDArray[np.bool_]

    @classmethod
    def of(
        cls, sieve: Sieve, null: NDArray[np.bool_], relations: NDArray[np.int8] | None, kept: tuple[int, ...] | None
    ) -> _Statements:
        good = sieve.good & ~null
        wanted = np.ones(len(good), dtype=np.bool_) if kept is None or relations is None else np.isin(relations, kept)
        says_not = np.zeros(len(good), dtype=np.bool_) if sieve.stated.denied is None else sieve.stated.denied
        return cls(
            taken=good & wanted & ~says_not,
            denied=good & wanted & says_not,
            null=null & sieve.good,
            other=good & ~wanted & ~says_not,
        )


def understood(sieve: Sieve, cells: pl.Series | None, name: str, reading: AlignmentReading) -> Alignment:
    """Convert the rows of a file to columns of numbers, and reject the bad ones.

    Args:
        sieve: The rows.
        cells: The cells with pools of candidates; None if the file has none.
        name: Its format.
        reading: The options of the reader.

    Raises:
        RecordError: For the first bad row, unless bad records are skipped.
    """
    terms, (sources, targets) = _entities([sieve.stated.sources, sieve.stated.targets])
    _check_entities(sieve, terms, sources, targets)
    relations = relation_codes(sieve)
    scores = score_numbers(sieve, any_number=reading.scores == "any")
    null = _says_null(terms, targets)
    pools = None if cells is None else read_pools(cells, sieve, nulls=null)
    rows = _Statements.of(sieve, null, relations, reading.kept)
    taken, bad = rows.taken, sieve.bad
    alignment = Alignment.of_codes(
        terms=terms,
        sources=sources[taken],
        targets=targets[taken],
        relations=None if relations is None else relations[taken],
        scores=None if scores is None else scores[taken],
        denied=one_case(sources[rows.denied], targets[rows.denied]),
        nulls=null_queries(sources[rows.null]),
        stated=len(taken) + len(bad.errors) - int((~sieve.good).sum()),
        path=sieve.path,
        format=name,
        left_out={**bad.left_out(), **({"other_relations": int(rows.other.sum())} if rows.other.any() else {})},
        notes=sieve.stated.notes + bad.notes() + _notes(int(taken.sum()), scores, cells),
        choices=reading.choices,
    )
    if pools is not None:
        queries = one_case(sources[sieve.good], np.where(null, NONE, targets)[sieve.good].astype(np.int32))
        alignment = _with_pools(alignment, pools, queries)
    return _remarked(alignment)


def _says_null(terms: pl.Series, targets: Rows) -> NDArray[np.bool_]:
    """Return which rows have a target that marks a missing counterpart."""
    return np.isin(targets, terms.is_in(list(NO_COUNTERPART)).arg_true().to_numpy())


def _entities(columns: Sequence[pl.Series]) -> tuple[pl.Series, list[Rows]]:
    """Number the entities; leading and trailing white space is ignored."""
    terms, rows = interned(columns)
    stripped = terms.str.strip_chars(WHITE)
    if (stripped == terms).all():
        return terms, rows
    terms, (place,) = interned([stripped])
    return terms, [place[row] for row in rows]


def _check_entities(sieve: Sieve, terms: pl.Series, sources: Rows, targets: Rows) -> None:
    empty = (terms == "").arg_true().to_list()
    if not empty:
        return
    for row in np.flatnonzero(np.isin(sources, empty) | np.isin(targets, empty)).tolist():
        side = "source" if sources[row] in empty else "target"
        sieve.reject(row, RecordError(f"The {side} is empty.", expected="an entity"))


def _notes(count: int, scores: NDArray[np.float64] | None, cells: pl.Series | None) -> tuple[str, ...]:
    if not count:
        return ("the file contains no correspondence",)
    return ("no column of scores: every correspondence has the score 1",) if scores is None and cells is None else ()


def _with_pools(alignment: Alignment, pools: Pools, queries: Pairs) -> Alignment:
    """Add pools of candidates, whose entities join the terms."""
    import polars as pl

    terms, (old, codes) = interned([alignment.terms, pl.Series(pools.targets, dtype=pl.String)])
    moved = moved_terms(alignment, terms, old)
    candidates = pools.built(codes, moved_pairs(queries, old))
    return replace(
        moved, candidates=candidates, facts={**moved.facts, "queries": len(queries), "candidates": len(candidates)}
    )


def _remarked(alignment: Alignment) -> Alignment:
    """Return notes on relations, and on statements that are not correspondences."""
    remarks = {
        "correspondences with the relation ?, which are neither right nor wrong": alignment.facts["unjudged"],
        'mappings that say "not", which are not correspondences': len(alignment.denied),
        "sources without a counterpart": len(alignment.nulls),
    }
    notes = tuple(f"{remark}: {count:,}" for remark, count in remarks.items() if count)
    return replace(alignment, notes=alignment.notes + notes)
