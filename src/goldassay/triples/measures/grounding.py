"""Whether the ends of triples occur in the text that they were extracted from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from goldassay.core.matching import NO_MATCH
from goldassay.core.parameters import parameter
from goldassay.triples.match import NOT_IN_TEXT, JudgedMatching
from goldassay.triples.measures.measure import JudgedMeasure
from goldassay.triples.model import OBJECT, SUBJECT, Numbers, TripleSet
from goldassay.triples.words import occurs_exactly, occurs_in, stem_text, to_plain_text

ENDS = (SUBJECT, OBJECT)


@dataclass(frozen=True, kw_only=True)
class Grounding(JudgedMeasure):
    """The share of subjects and of objects of predicted triples that occur in the text of their document.

    The text is that of gold, or else the one that comes with the prediction. Triples of documents without a text are not
    counted; the score notes how many there are.

    Attributes:
        words: ``exact`` asks for the words in any case, with underscores for blanks; ``stem`` for
            their stems.

    Example:
        >>> gold = TripleSet.from_lists({"d": []}, texts={"d": "Oslo is the capital of Norway."})
        >>> pred = TripleSet.from_lists({"d": [("Oslo", "capital of", "Norway"), ("Oslo", "in", "Europe")]})
        >>> Grounding().score(pred=pred, gold=gold).format()
        'grounding: both 0.5000, subjects 1.0000, objects 0.5000'
    """

    name: ClassVar[str] = "grounding"
    title: ClassVar[str] = "Grounding in the text"
    formula: ClassVar[str] = r"\frac{|\{(s, p, o) \in P_d \mid s \in text_d \wedge o \in text_d\}|}{|P_d|}"
    citation: ClassVar[str] = "mihindukulasooriya2023"
    ratios: ClassVar[Mapping[str, tuple[str, str]]] = MappingProxyType(
        {name: (name, "triples_with_text") for name in ("both", "subjects", "objects")}
    )
    headline: ClassVar[str] = "both"
    checks: ClassVar[tuple[str, ...]] = ("subject", "object")
    wrong: ClassVar[str] = NOT_IN_TEXT
    conventions: ClassVar[tuple[str, ...]] = (
        "the script of Text2KGBench takes stems inside of other words, and class names for text: text2kgbench",
    )

    words: str = parameter("exact", help="how a name is found in a text", choices=("exact", "stem"))

    def judge(self, pred: TripleSet, gold: TripleSet) -> tuple[Numbers, Numbers, NDArray[np.bool_]]:
        """Look for every predicted subject and object in its text."""
        found = self._find(pred, gold)
        return found, np.full((len(gold), len(ENDS)), NO_MATCH), (found == 1).all(axis=1)

    def columns(self, matching: JudgedMatching) -> Mapping[str, Any]:
        """Return whether the ends of each triple occur in its text."""
        found = matching.pred_items.verdicts
        return {
            "both": matching.pred.credit,
            "subjects": (found[:, 0] == 1).astype(np.float64),
            "objects": (found[:, 1] == 1).astype(np.float64),
            "triples_with_text": (found[:, 0] != NO_MATCH).astype(np.float64),
        }

    def _find(self, pred: TripleSet, gold: TripleSet) -> Numbers:
        texts = {
            name: text
            for side in (pred, gold)
            for name, text in zip(side.ids.tolist(), side.texts.tolist(), strict=True)
            if text
        }
        names, ids = pred.keys.tolist(), pred.ids.tolist()
        found = np.full((len(pred), len(ENDS)), NO_MATCH, dtype=np.int64)
        prepared: dict[str, str] = {}
        for row, (document, slots) in enumerate(zip(pred.documents.tolist(), pred.rows.tolist(), strict=True)):
            text = texts.get(ids[document])
            if text is None:
                continue
            if ids[document] not in prepared:
                prepared = {ids[document]: stem_text(text) if self.words == "stem" else to_plain_text(text)}
            for place, slot in enumerate(ENDS):
                found[row, place] = self._occurs(names[slots[slot]], prepared[ids[document]])
        return found

    def _occurs(self, name: str, text: str) -> bool:
        return (occurs_in(name, text) and bool(name)) if self.words == "stem" else occurs_exactly(name, text)

    def note(self, matching: JudgedMatching, values: Mapping[str, Any]) -> str | None:
        """Return how many triples have no text."""
        del values
        without = int((matching.pred_items.verdicts[:, 0] == NO_MATCH).sum())
        return f"{without:,} triples are of documents without a text, and not counted" if without else None
