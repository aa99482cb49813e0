"""What scores of axioms are held against and grouped by: null models, warnings, groupings, several gold standards and partial ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType

import numpy as np

from goldassay.axioms.match import ERRORS
from goldassay.axioms.measures.coverage import SINGULAR, Coverage, Vocabulary
from goldassay.axioms.model import CLASS, FILLER, KINDS, PARTS, PROPERTY, Axioms, Numbers
from goldassay.core.combination import sources_of
from goldassay.core.groups import ByError, Grouping, GroupNames, group_of_items, names_at
from goldassay.core.intern import Names, number_columns
from goldassay.core.items import find_in_scope, make_keys, vote
from goldassay.core.matching import ERROR
from goldassay.core.null import Noise, Null, choose_rows
from goldassay.core.partial import Restriction
from goldassay.core.text import contrast_names
from goldassay.core.unseen import warn_of_unseen
from goldassay.kernels.swaps import swap_values


def find_warnings(pred: Axioms, gold: Axioms) -> Iterator[str]:
    """Return warnings about a pair of axiom sets, one sentence each."""
    yield from warn_of_unseen(pred.keys, gold.keys)
    if not len(pred) or not len(gold):
        return
    for part in (CLASS, PROPERTY, FILLER):
        ours, theirs = (axioms.keys.take(_used(axioms.rows[:, part])).listed for axioms in (pred, gold))
        if set(ours).isdisjoint(theirs):
            if part == CLASS:
                yield _explain_no_class(set(ours), set(theirs))
                return
            yield f"prediction and gold have no {PARTS[part]} in common, {contrast_names(ours, theirs)}"


def _used(codes: Numbers) -> Numbers:
    """List the numbers that occur, ascending."""
    return np.bincount(codes).nonzero()[0]


def _explain_no_class(here: set[str], there: set[str]) -> str:
    if {name.casefold() for name in here} & {name.casefold() for name in there}:
        return "prediction and gold share a class only when case is ignored: --fold-case"
    if {name.partition("(")[0] for name in here} & {name.partition("(")[0] for name in there}:
        return "prediction and gold share a class only without the key in brackets: --strip-key"
    return f"prediction and gold have no class in common, {contrast_names(here, there)}"


def permute_axioms(pred: Axioms, gold: Axioms, rng: np.random.Generator, *, share: float = 1.0) -> Axioms:
    """Swap properties, and then objects, between axioms of one kind; no axiom comes twice."""
    del gold
    rows, spelt, kinds = pred.rows.copy(), pred.spelt.copy(), pred.kinds.astype(np.int64)
    some = choose_rows(len(pred), share, rng)
    for part in (PROPERTY, FILLER):
        origin = swap_values(rows, part, rng=rng, groups=kinds, some=some)
        rows[:, part], spelt[:, part] = rows[origin, part], spelt[origin, part]
    return replace(pred, rows=rows, spelt=spelt)


NULLS: Mapping[str, Null[Axioms]] = MappingProxyType(
    {
        "permute-parts": Null(
            title="properties and objects permuted within their kind",
            answers="What do the right names in the right numbers earn, put together at random?",
            citation="gionis2007swap",
            draw=permute_axioms,
            # Permuting parts does not change which names there are.
            fits=lambda measure: not isinstance(measure, Coverage),
        )
    }
)
NOISES: Mapping[str, Noise[Axioms]] = MappingProxyType(
    {"permute-parts": lambda axioms, share, rng: permute_axioms(axioms, axioms, rng, share=share)}
)


def kinds(items: Axioms | Vocabulary) -> GroupNames:
    """Return the kind of each axiom, or of each name."""
    return names_at(SINGULAR, items.sections) if isinstance(items, Vocabulary) else names_at(KINDS, items.kinds)


def names(part: int, items: Axioms) -> GroupNames:
    """Return the class or the property of each axiom."""
    return names_at(items.keys.listed, items.rows[:, part])


GROUPINGS: Mapping[str, Grouping] = MappingProxyType(
    {
        ERROR: ByError(ERRORS),
        "kind": group_of_items((Axioms, Vocabulary), kinds),
        "class": group_of_items((Axioms,), partial(names, CLASS)),
        "property": group_of_items((Axioms,), partial(names, PROPERTY)),
    }
)


def merge_axioms(gold_standards: Sequence[Axioms], least: int) -> Axioms:
    """Build one set of the axioms that at least so many sets have."""
    # Two axioms are one if class, property and object are compared alike. Of several spellings, the alphabetically
    # first stands for them.
    stated = vote(map(_state_axioms, gold_standards), least)
    shown = [min(some) for some in stated.values()]
    (names, rows), (spellings, spelt) = _number_names(list(stated)), _number_names([row for row, _ in shown])
    kinds = np.array([kind for _, kind in shown], dtype=np.int8)
    counts = np.bincount(kinds, minlength=len(KINDS)).tolist()
    return Axioms(
        keys=Names(names),
        rows=rows,
        spellings=Names(spellings),
        spelt=spelt,
        kinds=kinds,
        spelling=gold_standards[0].spelling,
        facts={"names": len(names), **dict(zip(KINDS, counts, strict=True))},
        **sources_of(gold_standards),
    )


def _state_axioms(gold: Axioms) -> Iterator[tuple[tuple[str, ...], tuple[tuple[str, ...], int]]]:
    """Return for each axiom its key, its spelling, and its kind."""
    columns = gold.keys[gold.rows].tolist(), gold.spellings[gold.spelt].tolist(), gold.kinds.tolist()
    for key, shown, kind in zip(*columns, strict=True):
        yield tuple(key), (tuple(shown), kind)


def _number_names(rows: Sequence[tuple[str, ...]]) -> tuple[list[str], Numbers]:
    """List the distinct names, and give the row of each cell in the list."""
    names, (places,) = number_columns([name for row in rows for name in row])
    return names, places.astype(np.int64).reshape(-1, len(PARTS))


def _names(axioms: Axioms, part: int) -> list[str]:
    return axioms.keys.list_at(axioms.rows[:, part])


def _keep_scope(axioms: Axioms, scope: frozenset[str]) -> Axioms:
    return axioms.take(find_in_scope(_names(axioms, CLASS), scope))


RESTRICTION: Restriction[Axioms] = Restriction(
    keys=lambda axioms: make_keys(*(_names(axioms, part) for part in range(len(PARTS)))),
    take=Axioms.take,
    names=lambda axioms: _names(axioms, CLASS),
    within=_keep_scope,
    texts=lambda axioms: (axioms.keys,),
    ends={"source": lambda axioms: _names(axioms, CLASS), "target": lambda axioms: _names(axioms, FILLER)},
)
