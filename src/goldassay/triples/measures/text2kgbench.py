"""The numbers of the script of Text2KGBench, so that they can be compared with what others printed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from goldassay.core.context import Context
from goldassay.core.counts import Counts, Division, FloatArray
from goldassay.core.documents import DocumentPairs
from goldassay.core.errors import InputError, name_file
from goldassay.core.matching import NO_MATCH
from goldassay.core.measure import PRECISION_RECALL_F1
from goldassay.core.parameters import Bounds, parameter
from goldassay.core.parts import Part
from goldassay.formats import load
from goldassay.formats.source import text_of
from goldassay.triples.match import ValuedMatching
from goldassay.triples.measures.measure import ReferencedMeasure
from goldassay.triples.measures.ontology import Ontology, read_ontology
from goldassay.triples.measures.scripts import WrittenTriples, matching_attributes
from goldassay.triples.model import TripleSet
from goldassay.triples.words import GAPS, occurs_in, stem_text

CONFORMANCE = ("onto_conf", "rel_halluc", "sub_halluc", "obj_halluc")


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SentenceMatching(ValuedMatching[WrittenTriples]):
    """What the script says of each sentence; of the sums `documents` is 1 for one of gold."""


@dataclass(frozen=True, kw_only=True)
class Text2kgbench(ReferencedMeasure[SentenceMatching]):
    """What ``run_eval.py`` of Text2KGBench prints: means over the sentences of gold.

    A preset. A predicted triple whose relation is not among those of the sentence's gold is left out before precision is
    computed, so that a wrong relation costs none; slots are joined without a mark between them, so that other triples can
    be the same. `TripleF1`, `Conformance` and `Grounding` are the clean measures.

    Attributes:
        ontology: The ontology; with it the script's conformance and hallucination shares are given too.
        ids: A file of ids, one a line: means over only these sentences.

    Example:
        >>> gold = TripleSet.from_lists({"d": [("Oslo", "capital of", "Norway")]})
        >>> pred = TripleSet.from_lists({"d": [("Oslo", "capital_of", "Norway"), ("Oslo", "in", "Norway")]})
        >>> Text2kgbench().score(pred=pred, gold=gold).format()
        'text2kgbench: precision 1.0000, recall 1.0000, f1 1.0000'
    """

    name: ClassVar[str] = "text2kgbench"
    title: ClassVar[str] = "Text2KGBench script"
    formula: ClassVar[str] = (
        r"P = \frac{1}{|D|} \sum_d \frac{|P'_d \cap G_d|}{|P'_d|},\quad P'_d = \{(s, p, o) \in P_d \mid p \in R(G_d)\}"
    )
    citation: ClassVar[str] = "mihindukulasooriya2023"
    headline: ClassVar[str] = "f1"
    symmetry: ClassVar[Literal["swap", "same", "none"]] = "none"
    defined_one_sided: ClassVar[bool] = True
    conventions: ClassVar[tuple[str, ...]] = (
        "triples whose relation the sentence's gold does not have are left out before precision",
        "a sentence without an answer counts 0 in every mean, conformance included",
        "a text is one sentence to NLTK's word tokenizer (preserve_line)",
    )

    ontology: str | None = parameter(None, help="the ontology, as Text2KGBench writes it, or in RDF", metavar="FILE")
    ids: str | None = parameter(None, help="a file of ids: the means over only these", metavar="FILE")

    @property
    def values(self) -> Mapping[str, Bounds]:
        """Precision, recall and F1; with an ontology conformance and hallucination too."""
        return {**PRECISION_RECALL_F1, **dict.fromkeys(CONFORMANCE if self.ontology else (), (0.0, 1.0))}

    @property
    def perfect(self) -> Mapping[str, float]:
        """All 1, and no hallucination."""
        return {name: float("halluc" not in name) for name in self.values}

    def worth(self, matching: SentenceMatching) -> FloatArray:
        """Return the F1 of each sentence."""
        return matching.sums["f1"]

    def match_documents(
        self, *, pred: TripleSet, gold: TripleSet, pairs: DocumentPairs, context: Context
    ) -> SentenceMatching:
        """Compare sentence by sentence."""
        del context
        ontology = read_ontology(self.ontology) if self.ontology else None
        chosen = _choose_pairs(self.ids, pairs)
        sums = {name: np.zeros(len(pairs)) for name in self.values}
        counterparts = [np.full(len(side.written), NO_MATCH, dtype=np.int64) for side in (pred, gold)]
        counted = [np.zeros(len(side.written), dtype=np.bool_) for side in (pred, gold)]
        for pair in np.flatnonzero(chosen).tolist():
            here, there = int(pairs.pred[pair]), int(pairs.gold[pair])
            theirs = _triples(gold, there)
            wanted = {_key(triple): row for row, triple in enumerate(theirs)}
            counted[1][gold.written_starts[there] + np.array([*wanted.values()], dtype=np.int64)] = True
            if here == NO_MATCH:
                continue
            ours, relations = _triples(pred, here), {triple[1].replace(" ", "_") for triple in theirs}
            kept = {row: _key(triple) for row, triple in enumerate(ours) if triple[1] in relations}
            own = {key: row for row, key in kept.items()}
            counted[0][pred.written_starts[here] + np.array([*own.values()], dtype=np.int64)] = True
            for name, value in zip(PRECISION_RECALL_F1, _shares(set(kept.values()), set(wanted)), strict=True):
                sums[name][pair] = value
            for row, key in kept.items():
                if key in wanted:
                    ends = int(pred.written_starts[here]) + row, int(gold.written_starts[there]) + wanted[key]
                    counterparts[0][ends[0]], counterparts[1][ends[1]] = ends[1], ends[0]
            if ontology is not None:
                for name, value in _conformance(ours, str(gold.texts[there]), ontology).items():
                    sums[name][pair] = value
        return SentenceMatching(
            **matching_attributes(pred, gold, pairs, counterparts),
            included=(counted[0], counted[1]),
            sums={**sums, "documents": chosen.astype(np.float64)},
        )

    def parts(self, matching: SentenceMatching) -> tuple[Part, ...]:
        """List the sentences, each with its values."""
        pairs = matching.pairs
        columns = {f"sum_{name}": matching.sums[name] for name in self.values}
        counts = {"documents": matching.sums["documents"], **columns}
        return (Part(items=pairs, others=pairs, unit_keys=pairs.ids.tolist, counts=counts),)

    def divide(self, counts: Counts, ratio: Division) -> dict[str, Any]:
        """Take the means over the sentences of gold."""
        return {name: ratio(name, counts[f"sum_{name}"], counts["documents"]) for name in self.values}


def _choose_pairs(ids: str | None, pairs: DocumentPairs) -> Any:
    """Return which pairs of documents count: those of gold, or those that are listed."""
    if ids is None:
        return pairs.gold != NO_MATCH
    names = {name: row for row, name in enumerate(pairs.ids.tolist()) if pairs.gold[row] != NO_MATCH}
    chosen = np.zeros(len(pairs), dtype=np.bool_)
    with name_file(ids):
        for line, text in enumerate(text_of(load(ids)).split("\n"), start=1):
            name = text.strip()
            if not name:
                continue
            if name not in names:
                raise InputError("Gold has no document of this id.", line=line, found=repr(name))
            chosen[names[name]] = True
    return chosen


def _triples(triples: TripleSet, document: int) -> list[tuple[str, str, str]]:
    return [(row[0] or "", row[1] or "", row[2] or "") for row in triples.written_of(document)]


def _key(triple: tuple[str, str, str]) -> str:
    return "".join(GAPS.sub("", slot).lower() for slot in triple)


def _shares(ours: set[str], theirs: set[str]) -> tuple[float, float, float]:
    if not ours or not theirs:
        return 0.0, 0.0, 0.0
    precision, recall = len(ours & theirs) / len(ours), len(ours & theirs) / len(theirs)
    both = precision + recall
    return precision, recall, 2 * (precision * recall / both) if both else 0.0


def _conformance(triples: list[tuple[str, str, str]], text: str, ontology: Ontology) -> dict[str, float]:
    if not triples:
        return {"onto_conf": 1.0}
    relations = {name.replace(" ", "_") for relation in ontology.relations for name in relation.names}
    share = sum(predicate in relations for _, predicate, _ in triples) / len(triples)
    # The last word of the sentence and the first class are one word to the script.
    ground = stem_text(text + " ".join(ontology.classes))
    missing = [sum(not occurs_in(triple[slot], ground) for triple in triples) / len(triples) for slot in (0, 2)]
    return {"onto_conf": share, "rel_halluc": 1 - share, "sub_halluc": missing[0], "obj_halluc": missing[1]}
