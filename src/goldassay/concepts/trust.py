"""Null models, noises, warnings, groupings, several gold standards and partial gold for concepts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np

from goldassay.concepts.match import pair_documents
from goldassay.concepts.model import Concepts, Mention, OnUnpaired, lay_out
from goldassay.core.combination import sources_of
from goldassay.core.documents import DocumentPairs, warn_of_pairs
from goldassay.core.groups import Grouping, group_of_items
from goldassay.core.items import find_in_scope, vote
from goldassay.core.measure import Measure
from goldassay.core.model import rows_kept
from goldassay.core.null import Noise, choose_rows, permute_answers
from goldassay.core.partial import Restriction
from goldassay.core.text import contrast_names
from goldassay.core.unseen import warn_of_unseen
from goldassay.kernels.ragged import mark, starts_of


def find_warnings(pred: Concepts, gold: Concepts) -> Iterator[str]:
    """Return warnings about a pair, one sentence each."""
    yield from warn_of_unseen(pred.keys, gold.keys)
    yield from warn_of_pairs(pred, gold, pair_documents(pred=pred, gold=gold), "no match is possible")
    yield from (
        line for role, model in (("prediction", pred), ("gold", gold)) for line in _warn_of_few_found(role, model)
    )
    ways = [model.choices.get("concepts", "given") for model in (pred, gold)]
    if len({(way.partition(",")[0], ",clinical" in way) for way in ways}) > 1:
        scope = ": --scope clinical or all is for both sides" if all(way.startswith("chunks") for way in ways) else ""
        if ways[0].startswith("chunks") and ways[1] == "given":
            scope = ": if the answers are lists, let the model write each name on a line with a bullet, or as JSON"
        yield f"concepts are found in different ways: prediction {ways[0]}, gold {ways[1]}{scope}"


def disjoint(pred: Concepts, gold: Concepts, measure: Measure[Concepts, Any]) -> Iterator[str]:
    """Warn that no concept is common, by names where these differ, and by what is compared where they do not."""
    del measure
    names, keys = ([set(_used(model, of)) for model in (pred, gold)] for of in ("names", "keys"))
    if all(names) and keys[0].isdisjoint(keys[1]):
        shown = names if names[0].isdisjoint(names[1]) else keys
        yield f"prediction and gold have no concept in common, {contrast_names(*shown)}"


def _used(model: Concepts, of: str) -> list[str]:
    """List the names or keys that occur."""
    listed: list[str] = getattr(model, of)[np.unique(model.words)].tolist()
    return listed


def _warn_of_few_found(role: str, model: Concepts) -> Iterator[str]:
    """Warn of a dictionary that finds nothing in more than half of the documents."""
    if not model.choices.get("concepts", "").startswith("dictionary"):
        return
    empty = int((np.diff(model.starts) == 0).sum())
    if empty * 2 > len(model.ids):
        yield (
            f"the dictionary finds nothing in {empty:,} of {len(model.ids):,} documents of the {role}: it is of another field or "
            "language, or the documents name concepts by words that it does not have"
        )


def opposite_concepts(concepts: Concepts, share: float, rng: np.random.Generator) -> Concepts:
    """Return documents in which some concepts are negated, or affirmed if they were negated."""
    turned = mark(choose_rows(len(concepts), share, rng), len(concepts))
    documents = []
    for row, (name, text) in enumerate(zip(concepts.ids.tolist(), concepts.texts.tolist(), strict=True)):
        flags = turned[concepts.starts[row] : concepts.starts[row + 1]].tolist()
        found = zip(flags, concepts.found(row), strict=True)
        documents.append(
            (name, text, [one._replace(assertion=_opposite(one.assertion)) if turn else one for turn, one in found])
        )
    laid = lay_out(documents)
    return replace(laid, on_unpaired=concepts.on_unpaired, choices=concepts.choices)


def _opposite(assertion: str) -> str:
    return ",".join(sorted(({*assertion.split(",")} ^ {"negated"}) - {""}))


NULLS, PERMUTED = permute_answers(
    "permute-documents",
    title="the answers of the prediction permuted over its documents",
    answers="What does an answer of the same system to another question earn?",
    reordered=lambda concepts, order: replace(concepts, ids=concepts.ids.take(order)),
)
NOISES: Mapping[str, Noise[Concepts]] = MappingProxyType({**PERMUTED, "opposite-concepts": opposite_concepts})


def documents(pairs: DocumentPairs) -> list[str]:
    """Return the document of each pair."""
    names: list[str] = pairs.ids.tolist()
    return names


GROUPINGS: Mapping[str, Grouping] = MappingProxyType({"document": group_of_items((DocumentPairs,), documents)})


def merge_concepts(gold_standards: Sequence[Concepts], least: int) -> Concepts:
    """Make one set of documents with the concepts that at least so many gold standards have there."""
    # A document is there if at least so many gold standards have it. Its text is kept if all gold standards have the
    # same.
    texts = vote((zip(gold.ids.tolist(), gold.texts.tolist(), strict=True) for gold in gold_standards), least)
    found: dict[str, list[Mention]] = {}
    for (name, *_), same in vote(map(_state_mentions, gold_standards), least).items():
        found.setdefault(name, []).append(min(same))
    laid = lay_out((name, some[0] if len(set(some)) == 1 else "", found.get(name, ())) for name, some in texts.items())
    strictest: OnUnpaired = "error" if any(gold.on_unpaired == "error" for gold in gold_standards) else "empty"
    return replace(laid, on_unpaired=strictest, **sources_of(gold_standards))


def _state_mentions(gold: Concepts) -> Iterator[tuple[tuple[str, ...], Mention]]:
    """Return the identity of each concept of each document, and its mention."""
    for row, name in enumerate(gold.ids.tolist()):
        yield from (((name, one.assertion, one.value, one.key), one) for one in gold.found(row))


def _documents(concepts: Concepts) -> list[str]:
    return concepts.ids.list_at(concepts.documents())


def _keys(concepts: Concepts) -> list[str]:
    columns = (concepts.keys, concepts.assertions, concepts.values)
    stated = ["\t".join(filter(None, row)) for row in zip(*(column.tolist() for column in columns), strict=True)]
    return [f"{name}\t{stated[word]}" for name, word in zip(_documents(concepts), concepts.words.tolist(), strict=True)]


def _keep_scope(concepts: Concepts, scope: frozenset[str]) -> Concepts:
    """Keep some documents with their concepts."""
    inside = find_in_scope(concepts.ids.tolist(), scope)
    kept = concepts.take(inside[concepts.documents()])
    return replace(
        kept,
        ids=kept.ids.take(np.flatnonzero(inside)),
        texts=kept.texts[inside],
        input_rows=rows_kept(kept.input_rows, inside),
        starts=starts_of(np.diff(kept.starts)[inside]),
    )


RESTRICTION: Restriction[Concepts] = Restriction(
    keys=_keys,
    take=Concepts.take,
    names=lambda concepts: concepts.ids.tolist(),
    within=_keep_scope,
    units=_documents,
    stated=lambda concepts: concepts.ids.tolist(),
)
