"""Several alignments made one: the correspondences that at least so many of them have."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from goldassay.alignments.model import NONE, ONE_CASE, Alignment, Pairs
from goldassay.core.errors import UsageError
from goldassay.core.golds import sources_of

if TYPE_CHECKING:
    import polars as pl

Statement: TypeAlias = tuple[str, str, str, int]
"""Test case, source, target (empty for none) and relation."""


def merged(golds: Sequence[Alignment], least: int) -> Alignment:
    """Make one alignment of the correspondences that at least so many alignments have.

    Two correspondences are one if test case, source, target and relation are the same; the highest score is kept. Denied
    pairs and sources without a counterpart are taken likewise.

    Example:
        >>> golds = [Alignment.from_rows([("cat", "chat"), ("dog", "chien")]), Alignment.from_rows([("cat", "chat")])]
        >>> len(merged(golds, 1)), len(merged(golds, 2))
        (2, 1)
    """
    import polars as pl

    if any(gold.candidates is not None for gold in golds):
        raise UsageError(
            "Gold standards of candidate lists cannot be made one.", expected="max or mean", hint="--golds max"
        )
    found: dict[Statement, list[tuple[float, int]]] = {}
    for gold in golds:
        stated = zip(_statements(gold, gold, gold.relations.tolist()), gold.scores, gold.times, strict=True)
        for statement, score, times in stated:
            found.setdefault(statement, []).append((float(score), int(times)))
    kept = {key: known for key, known in sorted(found.items()) if len(known) >= least}
    others = [_shared(golds, name, least) for name in ("denied", "nulls")]
    every = [*kept, *others[0], *others[1]]
    terms = sorted({term for gold in golds for term in gold.terms.to_list()})
    cases = tuple(sorted({case for case, *_ in every})) or ONE_CASE
    numbers = {term: row for row, term in enumerate(terms)} | {"": NONE}, {case: row for row, case in enumerate(cases)}
    correspondences = _pairs(kept, *numbers)
    denied, nulls = (_pairs(some, *numbers) for some in others)
    return Alignment.of_codes(
        terms=pl.Series("term", terms, dtype=pl.String),
        sources=correspondences.sources,
        targets=correspondences.targets,
        relations=np.array([relation for *_, relation in kept], dtype=np.int8),
        scores=np.array([max(score for score, _ in known) for known in kept.values()], dtype=np.float64),
        times=np.array([max(times for _, times in known) for known in kept.values()], dtype=np.int32),
        cases=correspondences.cases,
        case_names=cases,
        denied=denied,
        nulls=nulls,
        labels=_labels(golds, terms),
        types=_types(golds, terms),
        **sources_of(golds),
    )


def _statements(gold: Alignment, pairs: Alignment | Pairs, relations: Sequence[int]) -> list[Statement]:
    terms = [*gold.terms.to_list(), ""]
    columns = (pairs.cases.tolist(), pairs.sources.tolist(), pairs.targets.tolist(), relations)
    return [
        (gold.case_names[case], terms[source], terms[target], relation)
        for case, source, target, relation in zip(*columns, strict=True)
    ]


def _shared(golds: Sequence[Alignment], name: str, least: int) -> list[Statement]:
    """List the pairs of one kind that at least so many golds state."""
    votes: dict[Statement, int] = {}
    for gold in golds:
        pairs: Pairs = getattr(gold, name)
        for statement in set(_statements(gold, pairs, [0] * len(pairs))):
            votes[statement] = votes.get(statement, 0) + 1
    return sorted(statement for statement, count in votes.items() if count >= least)


def _pairs(statements: Iterable[Statement], terms: dict[str, int], cases: dict[str, int]) -> Pairs:
    rows = [(terms[source], terms[target], cases[case]) for case, source, target, _ in statements]
    columns = np.array(rows, dtype=np.int32).reshape(-1, 3)
    return Pairs(sources=columns[:, 0], targets=columns[:, 1], cases=columns[:, 2])


def _labels(golds: Sequence[Alignment], terms: Sequence[str]) -> pl.Series | None:
    import polars as pl

    if all(gold.labels is None for gold in golds):
        return None
    known: dict[str, str] = {}
    for gold in golds:
        labels = [] if gold.labels is None else gold.labels.to_list()
        for term, label in zip(gold.terms.to_list(), labels, strict=False):
            if label is not None:
                known[term] = min(label, known.get(term, label))
    return pl.Series("label", [known.get(term) for term in terms], dtype=pl.String)


def _types(golds: Sequence[Alignment], terms: Sequence[str]) -> np.ndarray[tuple[int], np.dtype[np.int8]] | None:
    if all(gold.types is None for gold in golds):
        return None
    known: dict[str, int] = {}
    for gold in golds:
        types = [] if gold.types is None else gold.types.tolist()
        for term, kind in zip(gold.terms.to_list(), types, strict=False):
            known[term] = max(kind, known.get(term, 0))
    return np.array([known.get(term, 0) for term in terms], dtype=np.int8)
