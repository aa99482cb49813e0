"""Triples read as sentences, which meet one to one by how alike the sentences are."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from goldassay.core.context import Context
from goldassay.core.counts import FloatArray
from goldassay.core.documents import DocumentPairs
from goldassay.triples.comparison import Comparison
from goldassay.triples.matching import TripleMatching
from goldassay.triples.measure import DocumentMeasure
from goldassay.triples.meeting import Blocks, alike_sides, blocks_of
from goldassay.triples.model import Numbers, Triples
from goldassay.triples.pairing import pairs_of
from goldassay.triples.similarity import sentence_of

PAIRS_AT_ONCE = 2**18


@dataclass(frozen=True, kw_only=True)
class SentenceMeasure(DocumentMeasure[TripleMatching]):
    """A measure that compares triples as sentences; equal ones are always wholly alike."""

    @property
    def weighs_gold(self) -> bool:
        """Sentences that are alike compete for each other."""
        return False

    @abstractmethod
    def alike(self, candidate: str, reference: str) -> float:
        """Say how alike two sentences are, in [0, 1]."""

    def all_alike(self, candidates: Sequence[str], references: Sequence[str]) -> list[float]:
        """Say of many pairs of sentences how alike they are."""
        return [self.alike(one, other) for one, other in zip(candidates, references, strict=True)]

    def meet(self, *, pred: Triples, gold: Triples, pairs: DocumentPairs, context: Context) -> TripleMatching:
        """Let triples meet one to one, so that the sum of likeness is greatest."""
        here, there = (_sentences(side) for side in (pred, gold))

        def likeness(left: Numbers, right: Numbers) -> tuple[FloatArray, FloatArray]:
            sentences = [here[row] for row in left.tolist()], [there[row] for row in right.tolist()]
            found = np.array([one == other for one, other in zip(*sentences, strict=True)], dtype=np.float64)
            differing = np.flatnonzero(found == 0)
            found[differing] = self.all_alike(*([some[row] for row in differing] for some in sentences))
            return found, found

        sides = alike_sides(
            Blocks(pred=blocks_of(pred, pairs.pred), gold=blocks_of(gold, pairs.gold)),
            likeness,
            one_to_one=True,
            at_once=PAIRS_AT_ONCE,
            progress=context.progress,
            path=pred.path,
        )
        places = pairs_of(pred, pairs, side="pred"), pairs_of(gold, pairs, side="gold")
        comparison = Comparison.of_names(pred=pred, gold=gold)
        return TripleMatching.of(sides, items=(pred, gold), places=places, pairs=pairs, comparison=comparison)


def _sentences(triples: Triples) -> list[str]:
    names = triples.keys.tolist()
    return [sentence_of([names[slot] for slot in row]) for row in triples.rows.tolist()]
