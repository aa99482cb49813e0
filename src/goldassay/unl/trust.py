"""Warnings, groupings, null models, noises, several gold standards and partial ones of UNL documents and of sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from operator import itemgetter
from types import MappingProxyType
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from goldassay.core.combination import sources_of
from goldassay.core.errors import UsageError
from goldassay.core.groups import Grouping, group_of_items
from goldassay.core.intern import number_columns
from goldassay.core.items import find_in_scope, vote
from goldassay.core.null import permute_answers
from goldassay.core.partial import Restriction
from goldassay.core.text import count_of
from goldassay.unl.match import SentenceItems, list_relations, list_uws, pairing_warnings
from goldassay.unl.model import Document, Texts


def document_warnings(pred: Document, gold: Document) -> Iterator[str]:
    """Return warnings about a pair of documents, one sentence each."""
    yield from pairing_warnings(pred, gold)
    yield from _warn_of_nothing_common(pred, gold)
    malformed = int(np.count_nonzero(gold.graphs.malformed))
    if malformed:
        yield f"{count_of(malformed, 'malformed sentence')} of the gold standard left out of the score"


def _warn_of_nothing_common(pred: Document, gold: Document) -> Iterator[str]:
    """Warn where no relation, or no UW, of one side occurs on the other, as with ids of concepts against names."""
    for what, listed, parts in (("relation", list_relations, (0, 1, 2)), ("UW", list_uws, (1,))):
        here, there = listed(pred), listed(gold)
        if len(here) and len(there) and not _has_common(here, there, parts):
            one, other = (", ".join(items.column(part, slice(1))[0] for part in parts) for items in (here, there))
            yield f"prediction and gold have no {what} in common: for example {one!r} in the prediction, {other!r} in gold"
            return


def _has_common(here: SentenceItems, there: SentenceItems, parts: Sequence[int]) -> bool:
    """Return whether any item is on both sides, by some of its parts."""
    keys = [np.zeros(len(items), dtype=np.int64) for items in (here, there)]
    for part in parts:
        words, numbers = number_columns(here.words[part], there.words[part])
        for side, items in enumerate((here, there)):
            keys[side] = keys[side] * len(words) + numbers[side][items.parts[:, part]]
    return bool(np.isin(keys[0], keys[1]).any())


def sentence_warnings(pred: Texts, gold: Texts) -> Iterator[str]:
    """Return warnings about a pair of lists of sentences, one sentence each."""
    yield from pairing_warnings(pred, gold)
    several = sum(len(wordings) > 1 for wordings in pred.wordings)
    if several:
        yield f"{count_of(several, 'predicted sentence has', 'predicted sentences have')} several wordings: the first counts"


Sentences = TypeVar("Sentences", Document, Texts)
NAME = "permute-sentences"
ANSWERS = "What does an answer of the same system to another sentence earn?"


def _reorder(document: Document, order: NDArray[np.int64]) -> Document:
    """Permute the graphs of sentences; ids, lines and original texts stay."""
    texts = tuple(document.texts[row] for row in order.tolist())
    return replace(document, graphs=document.graphs.take(order), texts=texts)


NULLS, NOISES = permute_answers(
    NAME, title="the graphs of the prediction permuted over its sentences", answers=ANSWERS, reordered=_reorder
)
TEXT_NULLS, TEXT_NOISES = permute_answers(
    NAME,
    title="the texts of the prediction permuted over its sentences",
    answers=ANSWERS,
    reordered=lambda texts, order: replace(texts, wordings=tuple(texts.wordings[row] for row in order.tolist())),
)


def part_of_items(name: str, items: SentenceItems) -> list[str] | None:
    """Return one part of each item, such as its relation label."""
    return items.column(items.columns.index(name)) if name in items.columns else None


GROUPINGS: Mapping[str, Grouping] = MappingProxyType(
    {
        name: group_of_items((SentenceItems,), partial(part_of_items, name))
        for name in ("label", "position", "attribute")
    }
)


def merge_texts(gold_standards: Sequence[Texts], least: int) -> Texts:
    """Make one set of sentences, each with the wordings that at least so many gold standards give it."""
    # Sentences are the same by id, or by order where ids are not unique. A sentence without a wording is left out.
    by_id = all(len(set(gold.ids)) == len(gold) for gold in gold_standards)
    if not by_id and len({len(gold) for gold in gold_standards}) > 1:
        raise UsageError(
            "The sentences of the gold standards cannot be distinguished.",
            found=f"ids that occur twice, and {' and '.join(str(len(gold)) for gold in gold_standards)} sentences",
            expected="an id of its own for each sentence, or as many sentences in each gold",
        )
    ids = [gold.ids if by_id else map(str, range(1, len(gold) + 1)) for gold in gold_standards]
    stated = vote(map(_state_wordings, ids, gold_standards), least)
    kept = {
        key: tuple(wording for _, wording in rows)
        for key, rows in groupby(sorted(stated, key=lambda row: _sort_key(row[0])), key=itemgetter(0))
    }
    return Texts(ids=tuple(kept), wordings=tuple(kept.values()), **sources_of(gold_standards))


def _state_wordings(ids: Iterable[str], gold: Texts) -> Iterator[tuple[tuple[str, str], None]]:
    """Yield every wording of every sentence once."""
    for key, wordings in zip(ids, gold.wordings, strict=True):
        yield from (((key, wording), None) for wording in dict.fromkeys(wordings))


def _sort_key(key: str) -> tuple[int, str]:
    return (int(key) if key.isdecimal() else 0, key)


def _ids(model: Document | Texts) -> Sequence[str]:
    """List the ids of sentences."""
    if len(set(model.ids)) < len(model):
        raise UsageError(
            "Partial gold needs unique ids of sentences.",
            path=model.path,
            found=f"{len(set(model.ids)):,} ids of {len(model):,} sentences",
            expected="an id of its own for each sentence",
        )
    return model.ids


def _take_sentences(model: Sentences, mask: NDArray[np.bool_]) -> Sentences:
    return replace(model.take(mask), chosen=True)


def _keep_scope(model: Sentences, scope: frozenset[str]) -> Sentences:
    return _take_sentences(model, find_in_scope(_ids(model), scope))


RESTRICTION: Restriction[Document] = Restriction(
    keys=_ids,
    take=_take_sentences,
    names=_ids,
    within=_keep_scope,
    units=lambda document: [document.names[row] for row in document.graphs.sentences.tolist()],
)
TEXT_RESTRICTION: Restriction[Texts] = Restriction(
    keys=_ids,
    take=_take_sentences,
    names=_ids,
    within=_keep_scope,
)
