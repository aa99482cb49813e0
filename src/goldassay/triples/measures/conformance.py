"""How many triples an ontology allows: its relations, and where it says so, what they hold between."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from goldassay.core.matching import NO_MATCH
from goldassay.core.parameters import parameter
from goldassay.core.text import list_first
from goldassay.triples.match import JudgedMatching
from goldassay.triples.measures.measure import JudgedMeasure
from goldassay.triples.measures.ontology import Ontology, Relation, read_ontology
from goldassay.triples.model import OBJECT, PREDICATE, SUBJECT, Numbers, TripleSet

CHECKED = ("relation", "domain", "range")
ERROR = "contradicts the ontology"


@dataclass(frozen=True, kw_only=True)
class Conformance(JudgedMeasure):
    """The share of predicted triples that an ontology allows.

    A triple conforms when the ontology has its relation and, where the ontology declares domain or range and the type of
    subject or object is known, these hold too. Types are those that the prediction gives, or else gold; a class that the
    ontology puts below the declared one holds as well.

    Attributes:
        ontology: The ontology; without one, the relations that gold uses anywhere are the ones allowed.

    Example:
        >>> gold = TripleSet.from_lists({"d": [("Oslo", "capital of", "Norway")]})
        >>> pred = TripleSet.from_lists({"d": [("Oslo", "capital of", "Sweden"), ("Oslo", "smells of", "sea")]})
        >>> Conformance().score(pred=pred, gold=gold).format()
        'conformance: conformance 0.5000, relation 0.5000'
    """

    name: ClassVar[str] = "conformance"
    title: ClassVar[str] = "Conformance to an ontology"
    formula: ClassVar[str] = r"\frac{|\{(s, p, o) \in P \mid p \in O,\ s \in dom(p),\ o \in range(p)\}|}{|P|}"
    citation: ClassVar[str] = "mihindukulasooriya2023"
    headline: ClassVar[str] = "conformance"
    checks: ClassVar[tuple[str, ...]] = CHECKED
    wrong: ClassVar[str] = ERROR
    ratios: ClassVar[Mapping[str, tuple[str, str]]] = MappingProxyType(
        {"conformance": ("conforming", "n_pred"), "relation": ("known_relations", "n_pred")}
    )
    conventions: ClassVar[tuple[str, ...]] = (
        "the script of Text2KGBench compares relations only, and counts an empty answer as conforming: text2kgbench",
    )

    ontology: str | None = parameter(None, help="the ontology: OWL, RDF, or JSON of Text2KGBench", metavar="FILE")

    def judge(self, pred: TripleSet, gold: TripleSet) -> tuple[Numbers, Numbers, NDArray[np.bool_]]:
        """Look every triple up in the ontology."""
        ontology = read_ontology(self.ontology) if self.ontology else _find_used(gold)
        verdicts = _verdicts(pred, gold, ontology)
        return verdicts, _verdicts(gold, gold, ontology), (verdicts != 0).all(axis=1)

    def columns(self, matching: JudgedMatching) -> Mapping[str, Any]:
        """Return whether each triple conforms, and whether the ontology has its relation."""
        verdicts = matching.pred_items.verdicts
        return {
            "conforming": matching.pred.credit,
            "known_relations": (verdicts[:, 0] == 1).astype(np.float64),
            "n_pred": np.ones(len(verdicts)),
        }

    def note(self, matching: JudgedMatching, values: Mapping[str, Any]) -> str | None:
        """Return which relations of gold the ontology lacks, and how many domains and ranges could be checked."""
        del values
        if self.ontology is None:
            return "no ontology was given: the relations that gold uses are the ones allowed"
        gold = matching.gold_items
        unknown = gold.triples.rows[gold.verdicts[:, 0] == 0, PREDICATE]
        if len(unknown):
            names = gold.triples.keys[np.unique(unknown)].tolist()
            return f"gold itself uses relations that the ontology does not have: {list_first(names)}"
        checked = (matching.pred_items.verdicts[:, 1:] != NO_MATCH).sum(axis=0).tolist()
        if not any(checked):
            return "no domain or range could be checked: no types of entities are known"
        return f"the domain of {checked[0]:,} and the range of {checked[1]:,} triples could be checked"


def _find_used(gold: TripleSet) -> Ontology:
    used = gold.keys[np.unique(gold.rows[:, PREDICATE])].tolist()
    return Ontology(relations=tuple(Relation(names=frozenset({name})) for name in used))


def _verdicts(pred: TripleSet, gold: TripleSet, ontology: Ontology) -> Numbers:
    """Judge every triple: is its relation known, do domain and range hold; -1 where that is not known."""
    known = ontology.by_name(pred.normalise)
    spelt = {pred.normalise(name): name for name in ontology.above}

    @cache
    def above(kind: str) -> frozenset[str]:
        return frozenset(map(pred.normalise, ontology.above[spelt[kind]])) if kind in spelt else frozenset({kind})

    types = {**_types(gold), **_types(pred)}
    names = pred.keys.tolist()
    ids = pred.ids.tolist()
    verdicts = np.full((len(pred), len(CHECKED)), NO_MATCH, dtype=np.int64)
    for row, (document, slots) in enumerate(zip(pred.documents.tolist(), pred.rows.tolist(), strict=True)):
        relation = known.get(names[slots[PREDICATE]])
        verdicts[row, 0] = relation is not None
        if relation is None:
            continue
        for place, slot, allowed in ((1, SUBJECT, relation.domain), (2, OBJECT, relation.range)):
            kind = types.get((ids[document], names[slots[slot]]))
            if allowed and kind is not None:
                kind = pred.normalise(kind)
                wanted = set(map(pred.normalise, allowed))
                verdicts[row, place] = bool(wanted & above(kind))
    return verdicts


def _types(triples: TripleSet) -> dict[tuple[str, str], str]:
    ids, names, kinds = triples.ids.tolist(), triples.keys.tolist(), triples.type_names.tolist()
    return {(ids[document], names[key]): kinds[kind] for document, key, kind in triples.types.tolist()}
