"""Warnings about a prediction and a gold standard: valid input that is probably not intended."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from goldassay.alignments.groupings import namespaces
from goldassay.alignments.model import Alignment, Candidates
from goldassay.alignments.sides import Numbering
from goldassay.core.intern import places_among
from goldassay.core.matching import NONE_MET, equal_counterparts
from goldassay.core.text import against

SAMPLE = 2000


def suspicions(pred: Alignment, gold: Alignment) -> Iterator[str]:
    """Return warnings about a pair of alignments, one sentence each.

    Example:
        >>> a, b = Alignment.from_rows([("a#1", "b#2")]), Alignment.from_rows([("b#2", "a#1")])
        >>> list(suspicions(a, b))
        ['no pair of gold was predicted, but 1 would be with source and target swapped: goldassay convert --swap']
    """
    yield from _about_cases(pred, gold)
    offered = pred if pred.candidates is None else _offered(pred, pred.candidates)
    if len(offered) and len(gold):
        yield from _why_nothing_meets(offered, gold)


def _offered(pred: Alignment, pools: Candidates) -> Alignment:
    """Lay candidates out as correspondences with the sources of their queries."""
    return Alignment.of_codes(
        terms=pred.terms,
        sources=pools.queries.sources[pools.query],
        targets=pools.targets,
        cases=pools.queries.cases[pools.query],
        case_names=pred.case_names,
    )


def _about_cases(pred: Alignment, gold: Alignment) -> Iterator[str]:
    here, there = set(pred.case_names), set(gold.case_names)
    if "" in here ^ there:
        one, other = ("the prediction", "gold") if "" in there else ("gold", "the prediction")
        yield f"{one} is a folder of test cases, and {other} a single file: they have no test case in common"
        return
    for missing, what in (
        (there - here, "has no prediction, and counts as missed"),
        (here - there, "has no gold standard, and all its predictions count as wrong"),
    ):
        if missing:
            named = ", ".join(sorted(missing)[:5]) + (", ..." if len(missing) > 5 else "")  # noqa: PLR2004 - a few
            yield f"{len(missing)} test case{'s' if len(missing) > 1 else ''} {what}: {named}"


def _why_nothing_meets(pred: Alignment, gold: Alignment) -> Iterator[str]:
    """Return why no pair matches, if none does: the namespaces, the order of source and target, or the spelling."""
    if set(pred.case_names).isdisjoint(gold.case_names):
        return
    numbering = Numbering.of(pred=pred, gold=gold)
    keys = numbering.pair_keys(pred, gold=False)
    wanted = numbering.pair_keys(gold.pairs, gold=True)
    if (equal_counterparts(wanted[:SAMPLE], numbering.pair_keys(pred.pairs, gold=False)) != NONE_MET).any() or np.isin(
        wanted, keys
    ).any():
        return
    case, source, target = numbering.entities(pred, gold=False)
    swapped = int(np.isin(wanted, (case * len(numbering.terms) + target) * len(numbering.terms) + source).sum())
    if swapped:
        yield (
            f"no pair of gold was predicted, but {swapped:,} would be with source and target swapped: goldassay convert --swap"
        )
        return
    local = _met_by_local_names(pred, gold)
    spaces = f"{_spaces(pred)} against {_spaces(gold)}"
    if local:
        yield f"no pair of gold was predicted, but {local:,} would be if only local names were compared: {spaces}"
    else:
        shared = int((places_among(gold.terms, pred.terms) != NONE_MET).sum())
        yield (
            f"no pair of gold was predicted, {against(_pairs(pred), _pairs(gold))}; "
            f"of its {len(gold.terms):,} entities {shared:,} are common: {spaces}"
        )


def _pairs(side: Alignment) -> list[str]:
    """Name the first pairs of a side."""
    ends = (side.terms.gather(rows[:SAMPLE]).to_list() for rows in (side.sources, side.targets))
    return [" - ".join(pair) for pair in zip(*ends, strict=True)]


def _spaces(side: Alignment) -> str:
    """Return the most frequent namespaces of both ends."""
    spaces = namespaces(side.terms)
    ends = [
        spaces.gather(column).value_counts(sort=True)[column_name][0]
        for column, column_name in _ends(side, spaces.name)
    ]
    return " - ".join(end or "(no namespace)" for end in ends)


def _ends(side: Alignment, name: str) -> list[tuple[np.ndarray[tuple[int], np.dtype[np.int32]], str]]:
    return [(side.sources, name), (side.targets, name)]


def _met_by_local_names(pred: Alignment, gold: Alignment) -> int:
    """Count the pairs of gold that match if only local names are compared, in lower case."""
    here, there = (_local_pairs(side) for side in (pred, gold))
    return len(here & there)


def _local_pairs(side: Alignment) -> set[tuple[str, str, str]]:
    import polars as pl

    # HP:0000001, HP_0000001 and http://.../HP_0000001 end alike once the colon is an underscore.
    local = side.terms.str.replace(r"^(\w+):(\w+)$", "${1}_${2}").str.extract(r"([^#/:<>]*)[<>\s]*$").str.to_lowercase()
    cases = pl.Series(list(side.case_names), dtype=pl.String).gather(side.cases)
    return set(
        zip(cases.to_list(), local.gather(side.sources).to_list(), local.gather(side.targets).to_list(), strict=True)
    )
