"""Warnings, groupings, null models, noises, several gold standards and partial ones of alignments."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.alignments.errors import ERRORS
from goldassay.alignments.match import Numbering
from goldassay.alignments.measures.answers import Nulls, RejectionRate, RelationChoice
from goldassay.alignments.measures.overlap import Cases
from goldassay.alignments.measures.ranking import MedianRank, Queries, RankingMatching, RankingMeasure, ReferenceMeasure
from goldassay.alignments.measures.ranks import Ranks, as_correspondences, places_of_first
from goldassay.alignments.measures.semantic import Semantic
from goldassay.alignments.model import NO_PAIRS, NONE, ONE_CASE, TYPES, Alignment, Pairs
from goldassay.alignments.relations import RELATIONS
from goldassay.core.combination import sources_of
from goldassay.core.counts import Counts
from goldassay.core.errors import UsageError
from goldassay.core.groups import ByError, Grouping, GroupNames, group_of_items, names_at
from goldassay.core.intern import Places, places_among
from goldassay.core.items import make_keys, vote
from goldassay.core.libraries import pl
from goldassay.core.matching import ERROR, NO_MATCH, Matching, find_common
from goldassay.core.measure import Measure
from goldassay.core.null import Moments, Noise, Null, choose_rows
from goldassay.core.partial import Restriction
from goldassay.core.parts import exact_sum
from goldassay.core.text import contrast_names, count_of, list_first
from goldassay.core.unseen import warn_of_unseen
from goldassay.kernels.swaps import swap_values

SAMPLE = 2000


def find_warnings(pred: Alignment, gold: Alignment) -> Iterator[str]:
    """Return warnings about a pair of alignments, one sentence each."""
    yield from warn_of_unseen(pred.terms, gold.terms)
    yield from _warn_of_cases(pred, gold)
    for side, what in ((gold, "gold"), (pred, "the prediction")):
        twice = side.left_out.get("duplicates", 0)
        if twice > len(side):
            unread = f"; not read: {list_first(side.origin.unread)}" if side.origin.unread else ""
            yield f"{twice:,} of {twice + len(side):,} rows of {what} repeat others: check which columns are the entities{unread}"
    offered = pred if pred.candidates is None else as_correspondences(pred, pred.candidates)
    if len(offered) and len(gold):
        yield from _explain_no_match(offered, gold)


def _warn_of_cases(pred: Alignment, gold: Alignment) -> Iterator[str]:
    here, there = set(pred.case_names), set(gold.case_names)
    if "" in here ^ there:
        one, other = ("the prediction", "gold") if "" in there else ("gold", "the prediction")
        yield f"{one} is a folder of test cases, and {other} a single file: they have no test case in common"
        return
    for missing, what in (
        (there - here, "no prediction, which counts as missed"),
        (here - there, "no gold standard, so that all predictions there count as wrong"),
    ):
        if missing:
            named = ", ".join(sorted(missing)[:5]) + (", ..." if len(missing) > 5 else "")  # noqa: PLR2004 - a few
            yield f"{count_of(len(missing), 'test case has', 'test cases have')} {what}: {named}"


def _explain_no_match(pred: Alignment, gold: Alignment) -> Iterator[str]:
    """Return why no pair matches, if none does: the namespaces, the order of source and target, or the spelling."""
    if set(pred.case_names).isdisjoint(gold.case_names):
        return
    numbering = Numbering.of(pred=pred, gold=gold)
    keys = numbering.pair_keys(pred, gold=False)
    wanted = numbering.pair_keys(gold.pairs, gold=True)
    if find_common(wanted, keys).any():
        return
    case, source, target = numbering.entities(pred, gold=False)
    swapped = int(np.isin(wanted, (case * len(numbering.terms) + target) * len(numbering.terms) + source).sum())
    if swapped:
        yield (
            f"no pair of gold was predicted, but {swapped:,} would be with source and target swapped: goldassay convert --swap"
        )
        return
    local = _count_equal_local_names(pred, gold)
    spaces = f"{_spaces(pred)} against {_spaces(gold)}"
    if local:
        yield f"no pair of gold was predicted, but {local:,} would be if only local names were compared: {spaces}"
    else:
        shared = int((places_among(gold.terms, pred.terms) != NO_MATCH).sum())
        yield (
            f"no pair of gold was predicted, {contrast_names(_first_pairs(pred), _first_pairs(gold))}; "
            f"of its {len(gold.terms):,} entities {shared:,} are common: {spaces}"
        )


def _first_pairs(side: Alignment) -> list[str]:
    return [" - ".join(pair) for pair in _pairs(side, side.take(np.arange(min(len(side), SAMPLE))))]


def _spaces(side: Alignment) -> str:
    """Return the most frequent namespaces of both ends."""
    spaces = namespaces(side.terms.series)
    ends = [spaces.gather(rows).value_counts(sort=True)[spaces.name][0] for rows in (side.sources, side.targets)]
    return " - ".join(end or "(no namespace)" for end in ends)


def _count_equal_local_names(pred: Alignment, gold: Alignment) -> int:
    """Count the pairs of gold that match if only local names are compared, in lower case."""
    here, there = (_local_pairs(side) for side in (pred, gold))
    return len(here & there)


def _local_pairs(side: Alignment) -> set[tuple[str, str, str]]:
    # HP:0000001, HP_0000001 and http://.../HP_0000001 end alike once the colon is an underscore.
    local = (
        side.terms.series.str.replace(r"^(\w+):(\w+)$", "${1}_${2}")
        .str.extract(r"([^#/:<>]*)[<>\s]*$")
        .str.to_lowercase()
    )
    cases = names_at(side.case_names, side.cases)
    return set(
        zip(cases.to_list(), local.gather(side.sources).to_list(), local.gather(side.targets).to_list(), strict=True)
    )


NAMESPACE = r"^(.*[#/:])[^#/:]*$"
OBO_STYLE = r"^(.*/obo/[A-Za-z]+_)[^/]*$"


def cases(items: Any) -> Any:
    """Name the test case of each correspondence, query or source."""
    match items:
        case Cases():
            return items.names
        case Nulls():
            return items.cases
        case Queries():
            return cases(items.references)
    return names_at(items.case_names, items.cases)


def relations(items: Alignment | Queries) -> GroupNames:
    """Name the relation of each correspondence."""
    return names_at(RELATIONS, (items.references if isinstance(items, Queries) else items).relations)


def types(items: Alignment | Queries) -> GroupNames:
    """Name the kind of both ends: one word where they are alike or one of them is not known, else both."""
    items = items.references if isinstance(items, Queries) else items
    if items.types is None:
        raise UsageError(
            "The types of entities are read from ontologies, and none is given.", hint="--source-ontology FILE"
        )
    source, target = items.types[items.sources], items.types[items.targets]
    names = np.array(TYPES, dtype=object)
    both = [f"{one} - {other}" for one, other in zip(names[source], names[target], strict=True)]
    alike = (source == target) | (target == 0)
    found = np.where(alike, names[source], np.where(source == 0, names[target], np.array(both, dtype=object)))
    return list(found.tolist())


def namespace_pairs(items: Alignment) -> pl.Series:
    """Name the namespaces of source and target of each correspondence."""
    spaces = namespaces(items.terms.series)
    pairs = pl.DataFrame([spaces.gather(items.sources).alias("source"), spaces.gather(items.targets).alias("target")])
    return pairs.select(pl.concat_str("source", pl.lit(" - "), "target")).to_series()


def namespaces(terms: pl.Series) -> pl.Series:
    """Cut identifiers down to their namespaces; what has none has the empty one."""
    frame = terms.alias("term").to_frame()
    space = pl.coalesce(pl.col("term").str.extract(OBO_STYLE), pl.col("term").str.extract(NAMESPACE), pl.lit(""))
    return frame.select(space).to_series()


GROUPINGS: Mapping[str, Grouping] = MappingProxyType(
    {
        ERROR: ByError(ERRORS),
        "case": group_of_items((Alignment, Cases, Nulls, Queries), cases),
        "relation": group_of_items((Alignment, Queries), relations),
        "type": group_of_items((Alignment, Queries), types),
        "namespace": group_of_items((Alignment,), namespace_pairs),
    }
)


Statement: TypeAlias = tuple[str, str, str, int]
"""Test case, source, target (empty for none) and relation."""


def merge_alignments(gold_standards: Sequence[Alignment], least: int) -> Alignment:
    """Make one alignment of the correspondences that at least so many alignments have."""
    # Two correspondences are one if test case, source, target and relation are the same; the highest score is kept.
    # Denied pairs and sources without a counterpart are taken likewise.
    if any(gold.candidates is not None for gold in gold_standards):
        raise UsageError(
            "Gold standards with candidate lists cannot be merged.", expected="max or mean", hint="--combine max"
        )
    kept = vote(
        (
            zip(_statements(gold, gold), zip(gold.scores, gold.times, strict=True), strict=True)
            for gold in gold_standards
        ),
        least,
    )
    denied, nulls = (
        list(vote((_distinct_statements(gold, getattr(gold, name)) for gold in gold_standards), least))
        for name in ("denied", "nulls")
    )
    terms = sorted({term for gold in gold_standards for term in gold.terms})
    cases = tuple(sorted({case for case, *_ in (*kept, *denied, *nulls)})) or ONE_CASE
    numbers = {term: row for row, term in enumerate(terms)} | {"": NONE}, {case: row for row, case in enumerate(cases)}
    correspondences = _encode_pairs(kept, *numbers)
    labels, types = (
        _merge_terms(gold_standards, "labels", terms, min),
        _merge_terms(gold_standards, "types", terms, max),
    )
    return Alignment.of_codes(
        terms=terms,
        sources=correspondences.sources,
        targets=correspondences.targets,
        relations=np.array([relation for *_, relation in kept], dtype=np.int8),
        scores=np.array([max(score for score, _ in known) for known in kept.values()], dtype=np.float64),
        times=np.array([max(times for _, times in known) for known in kept.values()], dtype=np.int32),
        cases=correspondences.cases,
        case_names=cases,
        denied=_encode_pairs(denied, *numbers),
        nulls=_encode_pairs(nulls, *numbers),
        labels=labels and pl.Series("label", labels, dtype=pl.String),
        types=types and np.array([kind or 0 for kind in types], dtype=np.int8),
        **sources_of(gold_standards),
    )


def _statements(gold: Alignment, pairs: Alignment | Pairs) -> Iterator[Statement]:
    relations = pairs.relations.tolist() if isinstance(pairs, Alignment) else [0] * len(pairs)
    cases = [gold.case_names[case] for case in pairs.cases.tolist()]
    for case, (source, target), relation in zip(cases, _pairs(gold, pairs), relations, strict=True):
        yield case, source, target, relation


def _distinct_statements(gold: Alignment, pairs: Pairs) -> Iterator[tuple[Statement, None]]:
    return ((statement, None) for statement in set(_statements(gold, pairs)))


def _encode_pairs(statements: Iterable[Statement], terms: dict[str, int], cases: dict[str, int]) -> Pairs:
    rows = [(terms[source], terms[target], cases[case]) for case, source, target, _ in statements]
    columns = np.array(rows, dtype=np.int32).reshape(-1, 3)
    return Pairs(sources=columns[:, 0], targets=columns[:, 1], cases=columns[:, 2])


def _merge_terms(
    gold_standards: Sequence[Alignment], name: str, terms: Sequence[str], best: Callable[[list[Any]], Any]
) -> list[Any] | None:
    """List the best of what gold standards say of each term, None where none does; None if no gold says it of any."""
    columns = [(gold.terms, getattr(gold, name)) for gold in gold_standards if getattr(gold, name) is not None]
    known = vote((zip(some, column, strict=True) for some, column in columns), 1)
    stated = ([one for one in known.get(term, ()) if one is not None] for term in terms)
    return [best(some) if some else None for some in stated] if columns else None


def _terms(alignment: Alignment, rows: Places) -> list[str]:
    """Name some terms; no term has no name."""
    terms = [*alignment.terms, ""]
    return list(map(terms.__getitem__, rows.tolist()))


def _pairs(alignment: Alignment, of: Alignment | Pairs) -> list[tuple[str, str]]:
    return list(zip(_terms(alignment, of.sources), _terms(alignment, of.targets), strict=True))


def _keys(alignment: Alignment, of: Alignment | Pairs) -> list[str]:
    return make_keys(_terms(alignment, of.sources), _terms(alignment, of.targets))


def _cases(alignment: Alignment) -> list[str]:
    return [alignment.case_names[case] for case in alignment.cases.tolist()]


def _ends(alignment: Alignment, rows: Places) -> list[str]:
    """Name one end of each correspondence in its test case: gold may know an entity in one case and not in another."""
    return make_keys(_cases(alignment), _terms(alignment, rows))


def _keep_scope(alignment: Alignment, scope: frozenset[str]) -> Alignment:
    return alignment.take(np.array([scope.issuperset(pair) for pair in _pairs(alignment, alignment)], dtype=np.bool_))


RESTRICTION: Restriction[Alignment] = Restriction(
    keys=lambda alignment: _keys(alignment, alignment),
    take=Alignment.take,
    names=lambda alignment: alignment.terms.listed,
    within=_keep_scope,
    units=_cases,
    stated=lambda alignment: alignment.case_names,
    texts=lambda alignment: (alignment.terms,),
    ends={
        "source": lambda alignment: _ends(alignment, alignment.sources),
        "target": lambda alignment: _ends(alignment, alignment.targets),
    },
    others={"denied": NO_PAIRS, "nulls": NO_PAIRS, "candidates": None, "stated": 0, "beyond_unit": None},
    listed=lambda alignment: alignment.candidates is None,
    denied=lambda alignment: _keys(alignment, alignment.denied),
)


def permute_targets(pred: Alignment, gold: Alignment, rng: np.random.Generator, *, share: float = 1.0) -> Alignment:
    """Swap targets of one kind between correspondences of one test case and relation; no correspondence comes twice."""
    del gold
    kinds = np.zeros(len(pred)) if pred.types is None else pred.types[pred.targets]
    rows = np.column_stack([pred.sources, pred.targets, pred.cases, pred.relations]).astype(np.int64)
    _, groups = np.unique(np.column_stack([kinds, pred.cases, pred.relations]), axis=0, return_inverse=True)
    origin = swap_values(rows, 1, rng=rng, groups=groups.ravel(), some=choose_rows(len(rows), share, rng))
    return replace(pred, targets=pred.targets[origin])


def random_order(pred: Alignment, gold: Alignment, rng: np.random.Generator) -> Alignment:
    """Rank the candidates of each list anew, in a random order without ties."""
    del gold
    if pred.candidates is not None:
        drawn = _random_scores(len(pred.candidates), rng)
        return replace(pred, candidates=replace(pred.candidates, scores=drawn))
    return replace(pred, scores=_random_scores(len(pred), rng))


def _random_scores(count: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Return different scores above 0 and up to 1, so that no two are tied in any list."""
    return (rng.permutation(count) + 1.0) / max(count, 1)


def random_ranks(measure: Measure[Any, Any], matching: Matching[Any]) -> Moments | None:
    """Return the moments of the gains when every list is in a random order."""
    # Each place of a list of n is as likely as the others, so that a reference gains the mean `g` of the gains of all
    # places, with their variance `v`; two references of one list have the covariance `-v / (n - 1)`.
    if not isinstance(measure, ReferenceMeasure) or measure.filtered or not isinstance(matching, RankingMatching):
        return None
    if isinstance(measure, MedianRank):
        return None
    ranks = matching.ranks
    found = np.flatnonzero(ranks.found)
    if measure.first:
        return _random_firsts(measure, ranks, found, int(matching.shares.sum()))
    sizes, size = np.unique(ranks.size[found], return_inverse=True)
    by_size = [measure.gains_of_places(ranks, int(length)) for length in sizes]
    mean, variance = (np.array([one(gains) for gains in by_size]) for one in (np.mean, np.var))
    shares = matching.shares[found].astype(np.float64)
    lists, place = np.unique(ranks.queries[found], return_inverse=True)
    spread = np.zeros(len(lists))
    spread[place] = variance[size] / np.maximum(sizes[size] - 1, 1)
    length = np.zeros(len(lists))
    length[place] = sizes[size]
    squares, sums = (np.bincount(place, weights=shares**power, minlength=len(lists)) for power in (2, 1))
    # How lists are numbered must not move a last bit.
    expected = {"gain": float(exact_sum(shares * mean[size])), measure.counted: int(matching.shares.sum())}
    sd = math.sqrt(exact_sum(np.maximum(spread * (length * squares - sums**2), 0.0)))
    return Moments(Counts(expected), Counts({**expected, "gain": sd}))


def _random_firsts(measure: ReferenceMeasure, ranks: Ranks, found: NDArray[np.int64], queries: int) -> Moments:
    """Return the moments of what the first references of the lists gain; lists know nothing of each other."""
    _, start, count = np.unique(ranks.queries[found], return_index=True, return_counts=True)
    lists, times = np.unique(np.column_stack([ranks.size[found[start]], count]), axis=0, return_counts=True)
    expected, variance = 0.0, 0.0
    for (size, some), often in zip(lists.tolist(), times.tolist(), strict=True):
        gains, chances = measure.gains_of_places(ranks, size), places_of_first(size, some)
        mean = float(gains @ chances)
        expected += often * mean
        variance += often * float(((gains - mean) ** 2) @ chances)
    sums = {"gain": expected, measure.counted: queries}
    return Moments(Counts(sums), Counts({**sums, "gain": float(np.sqrt(variance))}))


def _is_of_sets(measure: Measure[Any, Any]) -> bool:
    # A random alignment may contradict the ontologies, and HermiT would run for every draw.
    reasoned = isinstance(measure, Semantic) and measure.reasoner != "closure"
    return not (reasoned or isinstance(measure, RankingMeasure | RejectionRate | RelationChoice))


NULLS: Mapping[str, Null[Alignment]] = MappingProxyType(
    {
        "permute-targets": Null(
            title="targets permuted within their kind",
            answers="What do the right entities in the right numbers earn, put together at random?",
            citation="gionis2007swap",
            draw=permute_targets,
            fits=_is_of_sets,
        ),
        "random-order": Null(
            title="every list of candidates in a random order",
            answers="What does the length of the lists earn, without any ranking?",
            citation="berrendorf2020ambiguity",
            draw=random_order,
            fits=lambda measure: isinstance(measure, RankingMeasure | RelationChoice),
            moments=random_ranks,
        ),
    }
)
NOISES: Mapping[str, Noise[Alignment]] = MappingProxyType(
    {
        "drop": lambda alignment, share, rng: alignment.take(np.sort(choose_rows(len(alignment), 1 - share, rng))),
        "permute-targets": lambda alignment, share, rng: permute_targets(alignment, alignment, rng, share=share),
    }
)
