"""Rows of a file to an alignment: columns of numbers, without bad rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from goldassay.alignments.formats.candidates import Pools, read_pools
from goldassay.alignments.formats.records import Scores, Sieve, Stated, relation_codes, scores_of
from goldassay.alignments.formats.sssom import NO_TERM
from goldassay.alignments.join import moved_pairs, moved_terms
from goldassay.alignments.lookup import Rows
from goldassay.alignments.model import (
    NONE,
    Alignment,
    Candidates,
    Origin,
    Pairs,
    Texts,
    column_of,
    few_texts,
    interned,
    null_queries,
    one_case,
    predicates_turned,
)
from goldassay.alignments.reading import AlignmentReading
from goldassay.alignments.relations import DISJOINT, INVERSE, OTHER, RELATIONS
from goldassay.core.errors import InputError, RecordError
from goldassay.core.intern import numbered
from goldassay.core.model import InputRows, rows_kept
from goldassay.formats.delimited import WHITE
from goldassay.formats.labels import last_part

if TYPE_CHECKING:
    import polars as pl

NO_COUNTERPART = (NO_TERM, "sssom:NoTermFound", "UnMatched", "Unmatched", "unmatched")
MELT_NULL = "null"
"""Targets that mark a source without a counterpart, as SSSOM and Bio-ML write them."""
NO_ENTITY = ""
NO_ENTITIES = frozenset({NO_ENTITY, *NO_COUNTERPART, MELT_NULL})
LAST_PART = r"([^#/:]*)\s*$"
SHOWN = 3
Chosen: TypeAlias = NDArray[np.bool_] | slice
EVERY, NO_ROW = slice(None), slice(0)
PairsOrAlignment = TypeVar("PairsOrAlignment", Alignment, Pairs)


class _Statements(NamedTuple):
    """What each row of a file is: a correspondence, a denial, a source without counterpart, or left out for a reason."""

    taken: Chosen = EVERY
    denied: Chosen = NO_ROW
    null: Chosen = NO_ROW
    left_out: Mapping[str, int] = MappingProxyType({})

    @classmethod
    def of(
        cls,
        sieve: Sieve,
        null: NDArray[np.bool_],
        alone: NDArray[np.bool_],
        relations: NDArray[np.int8] | None,
        reading: AlignmentReading,
    ) -> _Statements:
        good = sieve.good()
        paired = good & ~null & ~alone
        every = np.ones(len(good), dtype=np.bool_)
        related = every if reading.kept is None or relations is None else np.isin(relations, reading.kept)
        justified = _justified(sieve, reading) if reading.justification else every
        says_not = ~every if sieve.stated.denied is None else sieve.stated.denied
        left_out = {
            "other_relations": paired & justified & ~related & ~says_not,
            "other_justifications": paired & ~justified,
            "targets_without_source": good & alone,
        }
        return cls(
            taken=paired & justified & related & ~says_not,
            denied=paired & justified & related & says_not,
            null=good & null & ~alone,
            left_out={reason: int(rows.sum()) for reason, rows in left_out.items() if rows.any()},
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
    terms, words, (sources, targets) = _entities([sieve.stated.sources, sieve.stated.targets])
    _check_entities(sieve, words, sources, targets)
    relations = relation_codes(sieve)
    scores = scores_of(sieve, any_number=reading.scores == "any" or reading.block is not None)
    null, alone = _say_null(words, (targets, sources), relations)
    # Gold is read with the same options, and has lists or no scores.
    blocked = reading.block is not None and cells is None and scores.numbers is not None
    unanswered = sieve.stated.unanswered or blocked
    pools = None if cells is None else read_pools(cells, sieve, nulls=null | unanswered)
    usual = reading.relations is None and not reading.justification and sieve.stated.denied is None
    # Slices choose every row, or none, without a look at any.
    rows = (
        _Statements()
        if usual and not sieve.rejected and not words
        else _Statements.of(sieve, null, alone, relations, reading)
    )
    taken, bad = NO_ROW if unanswered else rows.taken, sieve.bad
    places = None if sieve.stated.input_rows is None else sieve.stated.input_rows.astype(np.int32)
    named, predicates = _predicates(sieve.stated)
    alignment = Alignment.of_codes(
        terms=terms,
        sources=sources[taken],
        targets=targets[taken],
        relations=None if relations is None else relations[taken],
        scores=None if scores.numbers is None else scores.numbers[taken],
        denied=one_case(sources[rows.denied], targets[rows.denied]),
        nulls=null_queries(sources[rows.null]),
        stated=len(sources) - len(sieve.rejected) + len(bad.errors) - (0 if pools is None else pools.skipped),
        path=sieve.path,
        format=name,
        left_out={**bad.left_out(), **rows.left_out},
        predicates=None if predicates is None else predicates[taken],
        origin=Origin(prefixes=sieve.stated.prefixes, predicates=named, unread=sieve.stated.unread),
        notes=bad.notes() + _notes(len(sources[rows.taken]), scores) + _unknown_words(sieve, relations),
        warnings=sieve.stated.warnings,
        choices=reading.choices,
        input_rows=rows_kept(places, taken),
        beyond_unit=scores.error,
    )
    unscored = len(alignment) if scores.numbers is None and cells is None else sieve.stated.unscored
    if unscored:
        alignment = replace(alignment, facts={**alignment.facts, "unscored": unscored})
    if reading.unordered:
        alignment = _unordered(alignment)
    if pools is not None:
        good = sieve.good()
        queries = one_case(sources[good], np.where(null | unanswered, NONE, targets)[good].astype(np.int32))
        wanted = None if relations is None else relations[good]
        alignment = _with_pools(alignment, pools, queries, wanted, rows_kept(places, good))
    elif blocked and reading.block is not None:
        blocks = _blocks(sieve, reading.block, ends=(sources, targets), relations=relations, scores=scores)
        alignment = _with_candidates(alignment, blocks)
    return _remarked(alignment)


def _predicates(stated: Stated) -> tuple[tuple[str, ...], Rows | None]:
    """Number the words for relations of a mapping set, where two of them may be one relation."""
    if not stated.open or stated.relations is None:
        return (), None
    words, (rows,) = interned([stated.relations])
    return tuple(words.to_list()), rows


def _say_null(
    words: Mapping[int, str], sides: Sequence[Rows], relations: NDArray[np.int8] | None
) -> list[NDArray[np.bool_]]:
    """Return for each side which rows mark a missing counterpart there; MELT writes null, which is disjoint from an entity."""
    marks = [row for row, word in words.items() if word != NO_ENTITY]
    if not marks:
        return [np.zeros(len(ends), dtype=np.bool_) for ends in sides]
    always = [mark for mark in marks if words[mark] != MELT_NULL]
    disjoint = np.zeros(len(sides[0]), dtype=np.bool_) if relations is None else relations == DISJOINT
    return [np.isin(ends, always) | (disjoint & np.isin(ends, marks)) for ends in sides]


def _justified(sieve: Sieve, reading: AlignmentReading) -> NDArray[np.bool_]:
    """Return which rows have one of the justifications to keep, by their last parts."""
    if sieve.stated.justifications is None:
        raise InputError(
            "The file does not say how mappings were found.",
            path=sieve.path,
            found="no mapping_justification",
            expected="an SSSOM mapping set with that column",
            hint="leave --justification out",
        )
    words = sieve.stated.justifications.str.extract(LAST_PART).str.to_lowercase()
    return words.is_in([last_part(word).lower() for word in reading.justification or ()]).to_numpy()


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


def _entities(columns: Sequence[Texts]) -> tuple[pl.Series, Mapping[int, str], list[Rows]]:
    """Number the entities, and say which are words for none; leading and trailing white space is ignored."""
    few = few_texts(columns)
    if few is not None:
        listed, rows = numbered(*(list(map(str.strip, column)) for column in few))
        words = {} if NO_ENTITIES.isdisjoint(listed) else dict(enumerate(listed))
        return column_of(listed), {row: word for row, word in words.items() if word in NO_ENTITIES}, rows
    terms, rows = interned(columns)
    stripped = terms.str.strip_chars(WHITE)
    if not (stripped == terms).all():
        terms, (place,) = interned([stripped])
        rows = [place[row] for row in rows]
    return terms, {row: terms[row] for row in terms.is_in(list(NO_ENTITIES)).arg_true().to_list()}, rows


def _check_entities(sieve: Sieve, words: Mapping[int, str], sources: Rows, targets: Rows) -> None:
    empty = [row for row, word in words.items() if word == NO_ENTITY]
    if not empty:
        return
    for row in np.flatnonzero(np.isin(sources, empty) | np.isin(targets, empty)).tolist():
        side = "source" if sources[row] in empty else "target"
        sieve.reject(row, RecordError(f"The {side} is empty.", expected="an entity"))


def _notes(count: int, scores: Scores) -> tuple[str, ...]:
    if not count:
        return ("the file contains no correspondence",)
    return (f"scores outside of [0, 1]: {scores.beyond:,}",) if scores.beyond else ()


def _unknown_words(sieve: Sieve, relations: NDArray[np.int8] | None) -> tuple[str, ...]:
    """Say which predicates are none of the known relations, the most frequent first."""
    if relations is None or not np.count_nonzero(relations == OTHER) or sieve.stated.relations is None:
        return ()
    words = column_of(sieve.stated.relations).filter(relations == OTHER).value_counts(sort=True)
    shown = ", ".join(f"{word} ({count:,})" for word, count in words.head(SHOWN).iter_rows())
    more = ", ..." if len(words) > SHOWN else ""
    return (f"mappings whose predicate is no known relation, kept as other: {shown}{more}",)


def _blocks(
    sieve: Sieve, size: int, *, ends: tuple[Rows, Rows], relations: NDArray[np.int8] | None, scores: Scores
) -> Candidates:
    """Lay every block of rows out as one list of candidates; of one that a block has twice the highest score counts.

    Raises:
        InputError: If the rows are no whole number of blocks, or a block has two sources.
    """
    sources, targets = ends
    count = len(sources)
    if count % size:
        raise InputError(
            "The rows are no whole number of blocks.",
            path=sieve.path,
            found=f"{count:,} rows",
            expected=f"a multiple of {size:,}",
            hint="--block N, where N is the number of rows of each list",
        )
    block = np.arange(count) // size
    heads = sources[::size]
    strange = np.flatnonzero(sources != heads[block])
    if len(strange):
        raise InputError(
            f"Block {block[strange[0]] + 1:,} has two sources.",
            path=sieve.path,
            line=sieve.stated.locate(int(strange[0])),
            expected=f"{size:,} rows of one source",
            hint="--block N, where N is the number of rows of each list",
        )
    numbers = np.zeros(count) if scores.numbers is None else np.nan_to_num(scores.numbers)
    kinds = np.zeros(count, dtype=np.int8) if relations is None else relations
    good = np.flatnonzero(sieve.good())
    order = good[np.lexsort((good, -numbers[good], kinds[good], targets[good], block[good]))]
    keys = np.column_stack([block, targets, kinds])[order]
    first = np.ones(len(order), dtype=np.bool_)
    first[1:] = (keys[1:] != keys[:-1]).any(axis=1)
    rows = np.sort(order[first])
    return Candidates(
        queries=one_case(heads, np.full(len(heads), NONE, dtype=np.int32)),
        query=block[rows].astype(np.int32),
        targets=targets[rows],
        scores=numbers[rows],
        accepted=np.full(len(rows), -1, dtype=np.int8),
        relations=None if relations is None else kinds[rows],
        input_rows=rows_kept(sieve.stated.input_rows, rows),
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


def remarks(*, unjudged: int, denied: int, nulls: int, alone: int, disjoint: int) -> tuple[str, ...]:
    """Return notes on relations, and on statements that are not correspondences.

    Args:
        unjudged: Correspondences with the relation ``?``, each once.
        denied: Statements that a pair is not related.
        nulls: Sources without a counterpart, each once.
        alone: Targets without a counterpart.
        disjoint: Correspondences with the relation ``%``, each once.

    Example:
        >>> remarks(unjudged=0, denied=0, nulls=2, alone=0, disjoint=0)
        ('sources without a counterpart: 2',)
    """
    counts = {
        "correspondences with the relation ?, neutral in gold and left out of a prediction (unless unjudged=keep)": unjudged,
        'mappings that say "not", which are not correspondences': denied,
        "sources without a counterpart": nulls,
        "targets without a counterpart, which are left out": alone,
        "pairs stated to be disjoint (%), which count only where relations are compared exactly": disjoint,
    }
    return tuple(f"{remark}: {count:,}" for remark, count in counts.items() if count)
