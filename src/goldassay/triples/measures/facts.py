"""How many facts of a document its predicted triples support, by an encoder as the judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Literal

import numpy as np

from goldassay.core.context import Context
from goldassay.core.counts import FloatArray
from goldassay.core.documents import DocumentPairs
from goldassay.core.errors import InputError, names_file
from goldassay.core.intern import string_array
from goldassay.core.matching import NO_MATCH, Side
from goldassay.core.parameters import parameter
from goldassay.core.parts import Part
from goldassay.encoders.measure import MINILM, WORDNET_THRESHOLD, MeaningMeasure
from goldassay.formats import load
from goldassay.formats.records import BadRecords
from goldassay.formats.rows import objects_of
from goldassay.kernels.ragged import mark
from goldassay.triples.match import DocumentMatching, pairs_of
from goldassay.triples.measures.measure import ReferencedMeasure
from goldassay.triples.model import Numbers, TripleSet
from goldassay.triples.reading import normaliser


@dataclass(frozen=True, eq=False, kw_only=True)
class FactItems:
    """Facts of documents."""

    texts: Sequence[str]
    pairs: DocumentPairs
    places: Numbers  # the pair of each fact
    triples: tuple[TripleSet, Numbers] | None = None  # if the facts are triples: these, and the row of each fact

    def __len__(self) -> int:
        return len(self.texts)

    def item(self, row: int) -> str:
        """Name one fact for a person."""
        return f"{self.pairs.ids[self.places[row]]}: {self.texts[row]}"

    def identifiers(self, rows: Numbers) -> dict[str, list[str]]:
        """List what the input calls the triples that are facts, or else the facts."""
        if self.triples is None:
            return {"fact": [self.texts[row] for row in rows.tolist()]}
        triples, own = self.triples
        return triples.identifiers(own[rows])


@dataclass(frozen=True, kw_only=True)
class Facts(MeaningMeasure[TripleSet, DocumentMatching[Any]], ReferencedMeasure[DocumentMatching[Any]]):
    """The share of given facts that a predicted triple of the same document supports.

    The judge is the encoder: a fact is supported if the cosine of its vector and that of some triple, read as a sentence,
    exceeds the threshold. The encoder and the threshold are in the signature. An encoder does not see a negation, and
    takes no two triples together; it is a cheap judge, and its threshold should be found on facts of your own.

    Attributes:
        facts: A file of facts, JSON Lines of ``{"id": ..., "facts": [...]}``; without one, gold's triples as sentences.
        threshold: The cosine to pass; 0.436 belongs to all-MiniLM-L6-v2.

    Example:
        >>> gold = TripleSet.from_lists({"d": [("Oslo", "capital of", "Norway"), ("Oslo", "lies at", "a fjord")]})
        >>> pred = TripleSet.from_lists({"d": [("Oslo", "is capital of", "Norway")]})
        >>> Facts(threshold=0.6).score(pred=pred, gold=gold, encoder="hashing").format()
        'facts(threshold=0.6): supported 0.5000'
    """

    name: ClassVar[str] = "facts"
    title: ClassVar[str] = "Supported facts"
    formula: ClassVar[str] = (
        r"\frac{|\{f \in F_d \mid \max_{p \in P_d} \cos(f, p) > t\}|}{|F_d|}\ \text{over all documents}\ d"
    )
    citation: ClassVar[str] = "mo2025kggen"
    headline: ClassVar[str] = "supported"
    defined_one_sided: ClassVar[bool] = True
    symmetry: ClassVar[Literal["swap", "same", "none"]] = "none"
    ratios: ClassVar[Mapping[str, tuple[str, str]]] = MappingProxyType({"supported": ("supported", "facts")})
    conventions: ClassVar[tuple[str, ...]] = (
        "the script of MINE retrieves the triples near a fact and asks a language model; here only the encoder judges",
    )

    facts: str | None = parameter(None, help="a file of facts; without one gold's triples", metavar="FILE")
    threshold: float = parameter(WORDNET_THRESHOLD, help="the cosine to pass", bounds=(-1.0, 1.0), encoder=MINILM)

    def match(self, *, pred: TripleSet, gold: TripleSet, context: Context) -> DocumentMatching[Any]:
        """Find the nearest triple of every fact."""
        return super().match(pred=pred, gold=gold.first_references if self.facts else gold, context=context)

    def worth(self, matching: DocumentMatching[Any]) -> FloatArray:
        """Return the share of the facts of each document that is supported."""
        size = len(matching.pairs)
        supported = np.bincount(matching.gold_pairs, weights=matching.gold.credit, minlength=size)
        return supported / np.maximum(np.bincount(matching.gold_pairs, minlength=size), 1)

    def match_documents(
        self, *, pred: TripleSet, gold: TripleSet, pairs: DocumentPairs, context: Context
    ) -> DocumentMatching[Any]:
        """Find the nearest triple of every fact: of the file of facts, or else of gold."""
        places, wanted = pairs_of(pred, gold, pairs)
        facts = _read_facts(self.facts, pairs) if self.facts else _facts_of(gold, pairs, wanted)
        sentences = _sentences(pred)
        vectors, rows = context.vectors(string_array([*facts.texts, *sentences]))
        asked, stated = rows[: len(facts)], rows[len(facts) :]
        counterpart, similarity = np.full(len(facts), NO_MATCH, dtype=np.int64), np.full(len(facts), np.nan)
        triples = np.searchsorted(pred.documents, np.arange(len(pred.ids) + 1))
        starts = np.searchsorted(facts.places, np.arange(len(pairs) + 1))
        for pair, document in enumerate(pairs.pred.tolist()):
            ours = np.arange(starts[pair], starts[pair + 1])
            if document == NO_MATCH or not len(ours) or triples[document] == triples[document + 1]:
                continue
            theirs = np.arange(triples[document], triples[document + 1])
            cosines = vectors[asked[ours]].astype(np.float64) @ vectors[stated[theirs]].T.astype(np.float64)
            counterpart[ours] = theirs[cosines.argmax(axis=1)]
            similarity[ours] = cosines.max(axis=1)
        hit = np.nan_to_num(similarity, nan=-np.inf) > self.threshold
        supporting = mark(counterpart[hit], len(pred))
        return DocumentMatching(
            pred=Side.of_hits(supporting),
            gold=Side(credit=hit.astype(np.float64), counterpart=counterpart, similarity=similarity),
            pred_items=pred,
            gold_items=facts,
            pairs=pairs,
            pred_pairs=places,
            gold_pairs=facts.places,
        )

    def parts(self, matching: DocumentMatching[Any]) -> tuple[Part, ...]:
        """List the facts, each with whether it is supported."""
        counts = {"supported": matching.gold.credit, "facts": np.ones(len(matching.gold_items))}
        names = matching.pairs.ids[matching.gold_pairs].tolist
        return (Part(items=matching.gold_items, others=matching.pred_items, unit_keys=names, counts=counts),)


def _sentences(triples: TripleSet) -> list[str]:
    """Write every triple as a sentence."""
    names = [WORDS(name) for name in triples.keys.tolist()]
    return [" ".join(names[slot] for slot in row) for row in triples.rows.tolist()]


WORDS = normaliser(["underscores", "camel"])


def _facts_of(gold: TripleSet, pairs: DocumentPairs, places: Numbers) -> FactItems:
    order = np.argsort(places, kind="stable")
    sentences = _sentences(gold)
    texts = [sentences[row] for row in order.tolist()]
    return FactItems(texts=texts, pairs=pairs, places=places[order], triples=(gold, order))


@names_file
def _read_facts(path: str, pairs: DocumentPairs) -> FactItems:
    """Read a file of facts."""
    known = {name: row for row, name in enumerate(pairs.ids.tolist())}
    found: list[list[str]] = [[] for _ in known]
    for line, record, _ in objects_of(load(path), BadRecords()):
        some = record.get("facts")
        if not isinstance(some, list) or not all(isinstance(fact, str) and fact.strip() for fact in some):
            raise InputError(
                "The record has no facts.", line=line, expected='{"id": "d1", "facts": ["Oslo is a city."]}'
            )
        name = str(record.get("id", "")).strip()
        if name not in known:
            raise InputError("No document has this id.", line=line, found=repr(name))
        found[known[name]] += some
    places = np.repeat(np.arange(len(found)), [len(some) for some in found])
    return FactItems(texts=[fact for some in found for fact in some], pairs=pairs, places=places)
