"""Triples of documents: a predicted one meets a gold one of the same document, wholly, in part, or by its meaning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from goldassay.core.context import Context, string_array
from goldassay.core.counts import Counts, FloatArray
from goldassay.core.errors import UsageError
from goldassay.core.parameters import parameter
from goldassay.core.signature import Signature
from goldassay.encoders.measure import MINILM, WORDNET_THRESHOLD, MeaningMeasure
from goldassay.triples.matching import TripleMatching
from goldassay.triples.measure import DocumentMeasure, pairs_of
from goldassay.triples.meeting import Blocks, Likeness, alike_sides, blocks_of, equal_sides
from goldassay.triples.model import OBJECT, PREDICATE, SLOTS, SUBJECT, Numbers, Triples
from goldassay.triples.pairing import Names, Pairs, numbered
from goldassay.triples.synonyms import digest, merged_codes, read_synonyms
from goldassay.triples.tokens import overlap

PAIRS_AT_ONCE = 2**18
VECTORS_OF_A_PAIR = 2


@dataclass(frozen=True, kw_only=True)
class Triple(MeaningMeasure[Triples], DocumentMeasure):
    """A predicted triple is right when it meets a gold one of the same document.

    Attributes:
        match: ``strict`` asks for the same names in all three slots; ``partial`` gives the mean of the word overlap (F1)
            of the slots; ``fuzzy`` asks for a cosine above the threshold in every slot.
        threshold: The cosine that slots have to pass; 0.436 belongs to all-MiniLM-L6-v2.
        relation: Whether predicates meet as the other slots do (``same``), or only if they are equal (``exact``).
        assignment: ``one-to-one`` lets a triple meet one other at the most, so that credit is greatest; ``none`` lets each
            meet its best, so that several predictions can be right by one gold triple.
        synonyms: A table of predicates and what else they are called.
        symmetric: Predicates for which subject and object may change places.

    Example:
        >>> gold = Triples.from_lists({"d": [("Oslo", "capital of", "Norway"), ("Oslo", "located in", "Norway")]})
        >>> pred = Triples.from_lists({"d": [("Oslo", "capital", "Norway")]})
        >>> Triple().score(pred=pred, gold=gold).f1
        0.0
        >>> Triple(match="partial").score(pred=pred, gold=gold).format()
        'triples(match=partial): precision 0.8889, recall 0.4444, f1 0.5926'
    """

    name: ClassVar[str] = "triples"
    title: ClassVar[str] = "Triple F1"
    formula: ClassVar[str] = (
        r"P = \frac{1}{|P|} \sum_d \sum_{(p, g) \in A_d} c(p, g),\quad R = \frac{1}{|G|} \sum_d \sum_{(p, g) \in A_d} c(p, g)"
        r",\quad A_d = \arg\max_{A \text{ one-to-one}} \sum_{(p, g) \in A} c(p, g)"
    )
    citation: ClassVar[str] = "castroferreira2020"
    conventions: ClassVar[tuple[str, ...]] = (
        "the script of WebNLG 2020 gives other numbers, also to references against themselves: webnlg",
        "the script of Text2KGBench leaves wrong relations out before it divides: text2kgbench",
        "fuzzy scores of graphs let several edges meet one: assignment=none",
    )

    match_: str = parameter("strict", help="", choices=("strict",))
