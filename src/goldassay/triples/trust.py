"""What scores of triples are held against and grouped by: null models, warnings, groupings, several gold standards and partial ones."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import attrgetter
from os import PathLike
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from goldassay.core.combination import sources_of
from goldassay.core.documents import DocumentPairs, warn_of_pairs
from goldassay.core.errors import UsageError
from goldassay.core.groups import ByError, Grouping, GroupNames, group_of_items, names_at
from goldassay.core.intern import as_names
from goldassay.core.items import find_in_scope, make_keys, vote
from goldassay.core.matching import ERROR, Items
from goldassay.core.null import permute_answers
from goldassay.core.partial import Restriction
from goldassay.core.text import contrast_names
from goldassay.core.unseen import warn_of_unseen
from goldassay.formats.synonyms import read_synonyms
from goldassay.triples.comparison import number_names
from goldassay.triples.formats.raw import RawDocuments
from goldassay.triples.match import ERRORS, JudgedTriples, pair_documents
from goldassay.triples.measures.conformance import Conformance
from goldassay.triples.measures.full_triples import Distinct
from goldassay.triples.measures.measure import InDocuments
from goldassay.triples.measures.names import NameItems
from goldassay.triples.model import OBJECT, PREDICATE, SLOTS, SUBJECT, TripleSet
from goldassay.triples.read import note_incomplete, read_triples_of_documents
from goldassay.triples.reading import AS_USUAL, RULES, TriplesReading, normaliser
from goldassay.triples.synonyms import codes_of_slots

if TYPE_CHECKING:
    from goldassay.core.measure import Measure


_Stated: TypeAlias = tuple[tuple[str | None, ...], str, float]
"""The slots of a triple as they were written, the datatype of its object, and its weight."""
COMPARED: dict[str, tuple[int, ...]] = {
    "entities": (SUBJECT,),
    "relations": (PREDICATE,),
    **dict.fromkeys(("conformance", "grounding", "facts"), ()),
}
"""Slots whose names a measure compares with those of gold, where these are not all of them."""


def find_warnings(pred: TripleSet, gold: TripleSet) -> Iterator[str]:
    """Return what is suspicious about a pair, each in one sentence."""
    pairs = pair_documents(pred=pred, gold=gold)
    yield from warn_of_unseen(pred.keys, gold.keys)
    yield from warn_of_pairs(pred, gold, pairs, f"no triple can match; {_advice(pred, gold)}")
    if pred.faults:
        yield note_incomplete(pred, "predicted document")


def disjoint(pred: TripleSet, gold: TripleSet, measure: Measure[TripleSet, Any]) -> Iterator[str]:
    """Return which slots have no name in common, of those that a measure compares; synonyms are one name."""
    names = number_names(pred=pred, gold=gold)
    for slot in COMPARED.get(measure.name, (PREDICATE, SUBJECT, OBJECT)):
        file = getattr(measure, "synonyms", None)
        codes_of = codes_of_slots(names.texts, read_synonyms(file), gold=gold)[0] if file else None
        merged = np.arange(len(names.texts)) if codes_of is None else codes_of[slot]
        codes = merged[pred.rows[:, slot]], merged[names.gold[gold.rows[:, slot]]]
        if len(codes[0]) and len(codes[1]) and not np.isin(*codes).any():
            here, there = _names(pred, slot), _names(gold, slot)
            advice = _explain_equal(here, there) if slot == PREDICATE else ""
            yield f"prediction and gold have no {SLOTS[slot]} in common, {contrast_names(here, there)}{advice}"


def _explain_equal(here: set[str], there: set[str]) -> str:
    """Return which rules make names equal, if they do."""
    rules = normaliser(RULES)
    if {rules(name) for name in here}.isdisjoint(map(rules, there)):
        return ""
    return "; some are equal without case, underscores and the like: --normalise case,underscores,camel"


def _advice(pred: TripleSet, gold: TripleSet) -> str:
    """Return what would pair documents."""
    without = [side for side, one in (("prediction", pred), ("gold", gold)) if one.numbered]
    if len(without) != 1:
        return "--ids order"
    return (
        f"the records of the {without[0]} have no id, and are numbered: add the key id (or doc_id, source.id or "
        "source.metadata.doc_id), or pair them by their numbers with --ids order"
    )


def _names(triples: TripleSet, slot: int) -> set[str]:
    return set(triples.keys[np.unique(triples.rows[:, slot])].tolist())


NULLS, NOISES = permute_answers(
    "permute-documents",
    title="the answers of the prediction permuted over its documents",
    answers="What does an answer of the same system to another document earn?",
    # Each text stays with its document.
    reordered=lambda triples, order: replace(triples, ids=triples.ids[order], texts=triples.texts[order]),
    # An ontology allows a triple in every document.
    fits=lambda measure: not isinstance(measure, Conformance),
)


LENGTHS = (10, 20, 50, 100, 200)
"""Texts of up to so many words are one group."""


def _triples(items: Items) -> TripleSet | None:
    """Return the triples that items are, if they are triples."""
    inner = items.items if isinstance(items, InDocuments) else items
    if isinstance(inner, JudgedTriples):
        return inner.triples
    return inner if isinstance(inner, TripleSet) else None


def slot(number: int, items: Items, others: Items) -> GroupNames | None:
    """Name the subject or the predicate of each triple."""
    del others
    triples = _triples(items)
    return None if triples is None else names_at(triples.keys.listed, triples.rows[:, number])


def find_shared(items: Items, others: Items) -> list[str] | None:
    """Return whether the other side uses the predicate of each triple, or a synonym of it, anywhere."""
    here, there = _predicates(items), _predicates(others)
    if here is None or there is None:
        return None
    known = set(there)
    return ["shared predicate" if one in known else "predicate of one side" for one in here]


def _predicates(items: Items) -> Any:
    """Return the predicate of each triple as it was compared: by number where synonyms were, else by name."""
    if isinstance(items, InDocuments) and items.predicates is not None:
        return items.predicates.tolist()
    triples = _triples(items)
    return None if triples is None else triples.keys[triples.rows[:, PREDICATE]].tolist()


def name(items: Items, others: Items) -> GroupNames | None:
    """Return each name itself."""
    del others
    inner = items.items if isinstance(items, InDocuments) else items
    return names_at(inner.triples.keys.listed, inner.keys) if isinstance(inner, NameItems) else None


def size(items: InDocuments) -> Sequence[str]:
    """Count the triples that gold has of the document of each item."""
    counts = np.bincount(items.gold.documents, minlength=len(items.gold.ids))
    return items.of_gold([str(count) for count in counts.tolist()], "0")


def length(items: InDocuments) -> Sequence[str] | None:
    """Return how many words the text of the document of each item has, in steps."""
    words = [len(text.split()) for text in items.gold.texts.tolist()]
    return items.of_gold([_step(count) for count in words], "no text") if any(words) else None


def _step(words: int) -> str:
    if not words:
        return "no text"
    place = bisect_left(LENGTHS, words)
    most = f"up to {LENGTHS[place]:>3}" if place < len(LENGTHS) else f"over {LENGTHS[-1]:>4}"
    return f"{most} words"


def document(items: Items, others: Items) -> Any:
    """Name the document of each item."""
    del others
    if isinstance(items, InDocuments):
        return items.names()
    return items.ids.tolist() if isinstance(items, DocumentPairs) else None


GROUPINGS: Mapping[str, Grouping] = MappingProxyType(
    {
        ERROR: ByError(ERRORS),
        "subject": partial(slot, SUBJECT),
        "predicate": partial(slot, PREDICATE),
        "shared": find_shared,
        "name": name,
        "size": group_of_items((InDocuments,), size),
        "length": group_of_items((InDocuments,), length),
        "triple": group_of_items((Distinct,), attrgetter("names")),
        "document": document,
    }
)


def merge_triples(gold_standards: Sequence[TripleSet], least: int) -> TripleSet:
    """Make one set of documents with the triples that at least so many gold standards have there."""
    # Two triples are one if their names are compared alike; the first spelling of the alphabet stands for them. A
    # document is there if at least so many gold standards have it. Its text is kept if all gold standards have the
    # same.
    for gold in gold_standards:
        if (gold.references > 1).any():
            raise UsageError(
                "Gold standards whose documents have several references cannot be merged with others.",
                path=gold.path,
                expected="max or mean; or only this file, whose references are then the gold standards",
                hint="--combine max",
            )
    texts = vote((zip(gold.ids.tolist(), gold.texts.tolist(), strict=True) for gold in gold_standards), least)
    triples: dict[str, list[_Stated]] = {name: [] for name in texts}
    types: dict[str, dict[str, str]] = {name: {} for name in texts}
    for (name, *_), same in vote(map(_statements, gold_standards), least).items():
        triples[name].append(min(same, key=lambda one: ([slot or "" for slot in one[0]], *one[1:])))
    for (name, entity), kinds in vote(map(_types, gold_standards), 1).items():
        types.get(name, {})[entity] = min(kinds)
    documents = RawDocuments()
    for name, some in texts.items():
        one = documents.begin(name, text=some[0] if len(set(some)) == 1 else "")
        for slots, datatype, weight in triples[name]:
            documents.add(one, slots, datatype=datatype, weight=weight)
        documents.set_types(one, types[name], types[name].values())
    return replace(TripleSet(**documents.columns(gold_standards[0].normalise)), **sources_of(gold_standards))


def _statements(gold: TripleSet) -> Iterator[tuple[tuple[str, ...], _Stated]]:
    """Return what makes each triple of each document the same in another gold, and how it is written."""
    columns = _documents(gold), gold.keys[gold.rows].tolist(), gold.firsts.tolist(), gold.weights.tolist()
    for name, names, line, weight in zip(*columns, strict=True):
        yield (name, *names), (gold.written_row(line), str(gold.datatypes[line]), weight)


def _types(gold: TripleSet) -> Iterator[tuple[tuple[str, str], str]]:
    """Return the types of the entities of each document."""
    for document, entity, kind in gold.types.tolist():
        yield (str(gold.ids[document]), str(gold.keys[entity])), str(gold.type_names[kind])


def read_references(path: str | PathLike[str], reading: TriplesReading = AS_USUAL) -> list[TripleSet]:
    """Read a file whose documents may have several references as several gold standards."""
    whole = read_triples_of_documents(path, reading)
    counts = whole.references
    if not len(counts) or counts.max() <= 1:
        return [whole]
    firsts = np.searchsorted(whole.owners, np.arange(len(whole.ids)))
    gold_standards = []
    for turn in range(int(counts.max())):
        one = whole.only(firsts + np.minimum(turn, counts - 1)).of_documents(counts > turn)
        facts = {"documents": len(one.ids)}
        gold_standards.append(replace(one, path=f"{whole.path} ({turn + 1})", facts=facts))
    return gold_standards


def _documents(triples: TripleSet) -> list[str]:
    return as_names(triples.ids).list_at(triples.documents)


def _name_triples(triples: TripleSet, *slots: int) -> list[str]:
    """Name each triple by its document and some of its slots, as they are compared."""
    return make_keys(_documents(triples), *(triples.keys.list_at(triples.rows[:, slot]) for slot in slots))


def _keep_scope(triples: TripleSet, scope: frozenset[str]) -> TripleSet:
    return triples.of_documents(find_in_scope(triples.ids.tolist(), scope))


RESTRICTION: Restriction[TripleSet] = Restriction(
    keys=lambda triples: _name_triples(triples, *range(triples.rows.shape[1])),
    take=TripleSet.take,
    names=lambda triples: triples.ids.tolist(),
    within=_keep_scope,
    units=_documents,
    stated=lambda triples: triples.ids.tolist(),
    texts=lambda triples: (triples.keys,),
    ends={
        "source": lambda triples: _name_triples(triples, SUBJECT),
        "target": lambda triples: _name_triples(triples, OBJECT),
    },
)
