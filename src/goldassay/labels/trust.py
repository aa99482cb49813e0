"""Null models, noises, warnings, groupings, several gold standards and partial gold for labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from types import MappingProxyType

import numpy as np

from goldassay.core.combination import sources_of
from goldassay.core.groups import ByError, Grouping, GroupNames, group_of_items, names_at
from goldassay.core.intern import as_names
from goldassay.core.items import find_in_scope, make_keys, vote
from goldassay.core.matching import ERROR
from goldassay.core.null import permute_answers
from goldassay.core.partial import Restriction
from goldassay.core.text import contrast_names
from goldassay.core.unseen import disjoint_at, known_in, names_by_words, plain, warn_of_unseen
from goldassay.kernels.ragged import distinct, mark
from goldassay.labels.errors import ERRORS
from goldassay.labels.hierarchy import Numbers
from goldassay.labels.match import Pair
from goldassay.labels.measures.flat import LabelledPairs
from goldassay.labels.model import Labels

MOST_NAMES = 20_000
"""So many labels are looked through for those of gold."""


def find_warnings(pred: Labels, gold: Labels) -> Iterator[str]:
    """Return warnings about a prediction and a gold standard, one sentence each."""
    yield from warn_of_unseen(pred.ids, gold.ids)
    yield from warn_of_unseen(pred.hierarchy.names, gold.hierarchy.names)
    for side, what in ((gold, "gold"), (pred, "the prediction")):
        unknown = side.left_out.get("unknown_labels", 0)
        if unknown and len(side):
            total = unknown + len(side)
            yield f"{unknown:,} of about {total:,} labels of {what} are not in the hierarchy, and are left out"
    if (zero := int((gold.scores == 0).sum())) and (gold.scores != 0).any():
        yield (
            f"{zero:,} labels of gold have the score 0, and count as labels, since scores of gold have no effect: if 0 means no label, "
            "leave these rows out of gold"
        )
    ours = set(pred.ids[np.flatnonzero(np.bincount(pred.instances, minlength=len(pred.ids)))].tolist())
    theirs = set(gold.ids.tolist())
    known = set(pred.ids.tolist())
    if known.isdisjoint(theirs) and (confused := sum(name in gold.hierarchy.rows for name in known)):
        yield (
            f"{confused:,} of the {len(known):,} instances of the prediction are in the hierarchy as labels: check whether gold "
            "and --hierarchy were swapped"
        )
    if not theirs & known:
        shown = f", {contrast_names(ours, theirs)}" if ours and theirs else ""
        yield f"prediction and gold share no instance{shown}"
    else:
        yield from _warn_of_counts(theirs - ours, len(theirs), "of gold", "no prediction")
        yield from _warn_of_counts(ours - theirs, len(ours), "of the prediction", "no gold labels, and count as wrong")
    for side, what in ((gold, "gold"), (pred, "the prediction")):
        if len(side) and side.hierarchy.is_root[side.labels].all() and len(side.hierarchy.parents):
            yield f"all labels of {what} are roots"
    if gold.hierarchy.is_flat and not pred.hierarchy.is_flat:
        yield "gold has no hierarchy, so that the one of the prediction has no effect"
    elif not (gold.hierarchy.of_paths and pred.hierarchy.of_paths) and pred.hierarchy.digest != gold.hierarchy.digest:
        unknown = sum(name not in gold.hierarchy.rows for name in pred.hierarchy.names[pred.labels].tolist())
        labels, counts = ("label", "counts") if unknown == 1 else ("labels", "count")
        wrong = f"; {unknown:,} predicted {labels} that it does not have {counts} as wrong" * bool(unknown)
        yield f"prediction and gold have different hierarchies: only gold's is used{wrong}"
    yield from _warn_of_words(pred, gold)


def _warn_of_words(pred: Labels, gold: Labels) -> Iterator[str]:
    """Warn of predicted labels that gold does not have, with one of its labels as words inside: what a model wrote around it may be left."""
    own = pred.hierarchy.names[np.unique(pred.labels)].tolist()
    unknown = [name for name in own if name not in gold.hierarchy.rows]
    if not unknown or len(own) + len(gold.hierarchy) > MOST_NAMES or not gold.hierarchy.is_flat:
        return
    known = names_by_words(gold.hierarchy.rows)
    # What differs in blanks only is warned of as such.
    inside = {name: found for name in unknown if (found := known_in(name, known)) and plain(name) != plain(found)}
    if 2 * len(inside) > len(unknown):
        several = "labels have" if len(inside) > 1 else "label has"
        label = min(inside)
        yield (
            f"{len(inside):,} predicted {several} a label of gold inside, and count{'s' * (len(inside) == 1)} as wrong, for example "
            f"{label!r:.80} with {inside[label]!r}"
        )


def _warn_of_counts(missing: set[str], total: int, whose: str, what: str) -> Iterator[str]:
    if missing:
        has = "has" if len(missing) == 1 else "have"
        yield f"{len(missing):,} of the {total:,} instances {whose} {has} {what}, for example {_first(missing)}"


def _first(names: set[str]) -> str:
    return min(names, default="none")


NULLS, NOISES = permute_answers(
    "permute-instances",
    title="the labels of the prediction permuted over its instances",
    answers="What do the labels that the same system gives to another instance earn?",
    reordered=lambda labels, order: replace(labels, ids=labels.ids[order]),
)


SEVERAL, NONE = "several", "none"


def depths(pair: Pair) -> GroupNames:
    """Return the depth of the deepest label of each instance, by gold, or by the prediction where gold has none; a root has 1."""
    deepest = np.zeros(len(pair), dtype=np.int64)
    for instances, labels in _labels(pair):
        np.maximum.at(deepest, instances, pair.hierarchy.levels[labels])
    return names_at(map(str, range(int(deepest.max(initial=0)) + 1)), deepest)


def roots(pair: Pair) -> GroupNames:
    """Name the root that the labels of each instance lie below; ``several`` if there are more."""
    return _name_labels(pair, pair.hierarchy.roots)


def branches(pair: Pair) -> GroupNames:
    """Name the child of a root that the labels of each instance lie at or below; ``several`` if there are more."""
    return _name_labels(pair, np.flatnonzero(pair.hierarchy.shallowest == 2))  # noqa: PLR2004 - one step below a root


def _labels(pair: Pair) -> list[tuple[Numbers, Numbers]]:
    """Return the labels that an instance is grouped by: those of gold, and of instances that gold has no label for, the others."""
    without = np.bincount(pair.gold_instances, minlength=len(pair)) == 0
    other = without[pair.pred_instances]
    return [(pair.gold_instances, pair.gold_labels), (pair.pred_instances[other], pair.pred_labels[other])]


def _name_labels(pair: Pair, tops: Numbers) -> GroupNames:
    size = len(pair.hierarchy)
    wanted = mark(tops, size)
    keys = np.concatenate([pair.keys(instances, labels)[1] for instances, labels in _labels(pair)])
    matched = distinct(keys[wanted[keys % size]])
    counts = np.bincount(matched // size, minlength=len(pair))
    group = np.full(len(pair), size + 1, dtype=np.int64)
    group[matched // size] = matched % size
    group[counts > 1] = size
    names = pair.hierarchy.names.tolist()
    for top in tops.tolist():
        names[top] = pair.hierarchy.shown(top)
    return names_at([*names, SEVERAL, NONE], group)


GROUPINGS: Mapping[str, Grouping] = MappingProxyType(
    {
        ERROR: ByError(ERRORS),
        "depth": group_of_items((Pair,), depths),
        "branch": group_of_items((Pair,), branches),
        "root": group_of_items((Pair,), roots),
        "label": group_of_items((LabelledPairs,), attrgetter("labels")),
    }
)


def merge_labels(gold_standards: Sequence[Labels], least: int) -> Labels:
    """Make one set of the labels that at least so many sets give an instance."""
    # An instance is there if at least so many sets have it. The hierarchy has the labels and edges of all of them. Of
    # several scores the highest is kept.
    hierarchy = gold_standards[0].hierarchy
    for gold in gold_standards[1:]:
        if gold.hierarchy is not hierarchy:
            hierarchy, _ = hierarchy.merge(gold.hierarchy)
    kept = vote((zip(_pairs(gold), gold.scores.tolist(), strict=True) for gold in gold_standards), least)
    return Labels.from_columns(
        [instance for instance, _ in kept],
        [label for _, label in kept],
        np.array([max(scores) for scores in kept.values()], dtype=np.float64),
        hierarchy=hierarchy,
        ids=vote((((name, None) for name in gold.ids.tolist()) for gold in gold_standards), least),
        **sources_of(gold_standards),
    )


def _pairs(labels: Labels) -> Iterable[tuple[str, str]]:
    return zip(_instances(labels), _names(labels), strict=True)


def _instances(labels: Labels) -> list[str]:
    return as_names(labels.ids).list_at(labels.instances)


def _names(labels: Labels) -> list[str]:
    return as_names(labels.hierarchy.names).list_at(labels.labels)


def _keep_scope(labels: Labels, scope: frozenset[str]) -> Labels:
    """Keep some instances with their labels."""
    inside = find_in_scope(labels.ids.tolist(), scope)
    kept = labels.take(inside[labels.instances])
    place = (np.cumsum(inside) - 1).astype(np.int32)
    return replace(kept, ids=kept.ids[inside], instances=place[kept.instances])


RESTRICTION: Restriction[Labels] = Restriction(
    keys=lambda labels: make_keys(_instances(labels), _names(labels)),
    take=Labels.take,
    names=lambda labels: labels.ids.tolist(),
    within=_keep_scope,
    units=_instances,
    stated=lambda labels: labels.ids.tolist(),
    texts=lambda labels: (labels.ids, labels.hierarchy.names),
    ends={"source": _instances, "target": _names},
)
DISJOINT = disjoint_at({"label": _names})
