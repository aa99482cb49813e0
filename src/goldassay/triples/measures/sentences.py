"""Triples read as sentences, which match one to one by how alike these are: G-BLEU, G-ROUGE and G-BERTScore."""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from os.path import isdir
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from goldassay.core.context import Context
from goldassay.core.counts import Counts, FloatArray
from goldassay.core.documents import DocumentPairs, spans_of
from goldassay.core.errors import UsageError, require
from goldassay.core.parameters import parameter
from goldassay.core.signature import Signature
from goldassay.triples.comparison import Comparison
from goldassay.triples.match import Blocks, TripleMatching, match_similar, pairs_of
from goldassay.triples.measures.measure import DocumentMeasure
from goldassay.triples.model import Numbers, TripleSet
from goldassay.triples.words import bleu, rouge2, sentence_of

PAIRS_AT_ONCE = 2**18


@dataclass(frozen=True, kw_only=True)
class SentenceMeasure(DocumentMeasure[TripleMatching]):
    """A measure that compares triples as sentences; equal ones are always completely alike."""

    @property
    def weighs_gold(self) -> bool:
        """Sentences that are alike compete for each other."""
        return False

    @abstractmethod
    def alike(self, candidate: str, reference: str) -> float:
        """Return how alike two sentences are, in [0, 1]."""

    def all_alike(self, candidates: Sequence[str], references: Sequence[str]) -> list[float]:
        """Return how alike the sentences of many pairs are."""
        return [self.alike(one, other) for one, other in zip(candidates, references, strict=True)]

    def match_documents(
        self, *, pred: TripleSet, gold: TripleSet, pairs: DocumentPairs, context: Context
    ) -> TripleMatching:
        """Match triples one to one, so that the sum of likeness is greatest."""
        here, there = (_sentences(side) for side in (pred, gold))

        def likeness(left: Numbers, right: Numbers) -> tuple[FloatArray, FloatArray]:
            sentences = [here[row] for row in left.tolist()], [there[row] for row in right.tolist()]
            found = np.array([one == other for one, other in zip(*sentences, strict=True)], dtype=np.float64)
            differing = np.flatnonzero(found == 0)
            found[differing] = self.all_alike(*([some[row] for row in differing] for some in sentences))
            return found, found

        sides = match_similar(
            Blocks(pred=spans_of(pred.starts, pairs.pred), gold=spans_of(gold.starts, pairs.gold)),
            likeness,
            one_to_one=True,
            at_once=PAIRS_AT_ONCE,
            progress=context.progress,
            path=pred.path,
        )
        places = pairs_of(pred, gold, pairs)
        comparison = Comparison.of_names(pred=pred, gold=gold)
        return TripleMatching.of(sides, items=(pred, gold), places=places, pairs=pairs, comparison=comparison)


def _sentences(triples: TripleSet) -> list[str]:
    names = triples.keys.tolist()
    return [sentence_of([names[slot] for slot in row]) for row in triples.rows.tolist()]


@dataclass(frozen=True, kw_only=True)
class GBleu(SentenceMeasure):
    """The best one-to-one pairing of the triples of a document by the BLEU of their sentences.

    Example:
        >>> from goldassay.triples import TripleSet
        >>> gold = TripleSet.from_lists({"d": [("Oslo", "capital of", "Norway")]})
        >>> pred = TripleSet.from_lists({"d": [("Oslo", "is the capital of", "Norway")]})
        >>> GBleu().score(pred=pred, gold=gold).format()
        'g_bleu: precision 0.4111, recall 0.4111, f1 0.4111'
    """

    name: ClassVar[str] = "g_bleu"
    title: ClassVar[str] = "G-BLEU"
    formula: ClassVar[str] = (
        r"P = \frac{1}{|P|} \sum_d \max_{A \text{ one-to-one}} \sum_{(p, g) \in A} \text{BLEU}(p, g)"
    )
    citation: ClassVar[str] = "saha2021explagraphs"
    symmetry: ClassVar[Literal["swap", "same", "none"]] = "none"
    conventions: ClassVar[tuple[str, ...]] = (
        "the scripts take the mean over graphs: average=macro",
        "the script of PiVe counts duplicates, and has no number for an empty prediction: pive",
    )

    def alike(self, candidate: str, reference: str) -> float:
        """Return BLEU, with the gold sentence as the reference."""
        return bleu(candidate, reference)


@dataclass(frozen=True, kw_only=True)
class GRouge(SentenceMeasure):
    """The best one-to-one pairing of the triples of a document by the ROUGE-2 F1 of their sentences.

    Example:
        >>> from goldassay.triples import TripleSet
        >>> gold = TripleSet.from_lists({"d": [("Oslo", "capital of", "Norway")]})
        >>> pred = TripleSet.from_lists({"d": [("Oslo", "is the capital of", "Norway")]})
        >>> GRouge().score(pred=pred, gold=gold).format()
        'g_rouge: precision 0.5000, recall 0.5000, f1 0.5000'
    """

    name: ClassVar[str] = "g_rouge"
    title: ClassVar[str] = "G-ROUGE"
    formula: ClassVar[str] = (
        r"P = \frac{1}{|P|} \sum_d \max_{A \text{ one-to-one}} \sum_{(p, g) \in A} \text{ROUGE-2}_{F_1}(p, g)"
    )
    citation: ClassVar[str] = "saha2021explagraphs"
    conventions: ClassVar[tuple[str, ...]] = (
        "the scripts take the mean over graphs: average=macro",
        "the script of PiVe takes ROUGE-2 precision for F1, and only letters of ASCII: pive",
    )

    def alike(self, candidate: str, reference: str) -> float:
        """Return the F1 of ROUGE-2."""
        precision, recall = rouge2(candidate, reference)
        return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


WEIGHTS = ("*.safetensors", "*.bin", "*.json", "*.txt", "*.model")
PUBLISHED_LAYER = 17
"""The layer that the package takes of roberta-large, which the published numbers are made with."""


@dataclass(frozen=True, kw_only=True)
class GBertscore(SentenceMeasure):
    """The best one-to-one pairing of the triples of a document by the BERTScore (F1) of their sentences.

    Scores are those of the package ``bert-score`` (Zhang et al. 2020), without weights of words (idf) and without
    rescaling. Nothing is downloaded: the model is a folder on this machine.

    Attributes:
        folder: The folder of the language model, as ``transformers`` saves it; published numbers are of roberta-large.
        layer: The layer whose vectors are compared.

    Example:
        >>> from goldassay.triples import TripleSet
        >>> gold = TripleSet.from_lists({"d": [("Oslo", "capital of", "Norway")]})
        >>> GBertscore(folder="models/roberta-large").score(pred=gold, gold=gold).f1  # doctest: +SKIP
        1.0
    """

    name: ClassVar[str] = "g_bertscore"
    title: ClassVar[str] = "G-BERTScore"
    formula: ClassVar[str] = (
        r"P = \frac{1}{|P|} \sum_d \max_{A \text{ one-to-one}} \sum_{(p, g) \in A} \text{BERTScore}_{F_1}(p, g)"
    )
    citation: ClassVar[str] = "zhang2020bertscore"
    conventions: ClassVar[tuple[str, ...]] = ("the scripts take the mean over graphs: average=macro",)

    folder: str | None = parameter(None, help="the folder of the language model", metavar="FOLDER", always=True)
    layer: int = parameter(PUBLISHED_LAYER, help="the layer of the model", bounds=(1, 1000))

    def alike(self, candidate: str, reference: str) -> float:
        """Return the F1 of BERTScore."""
        return self.all_alike([candidate], [reference])[0]

    def all_alike(self, candidates: Sequence[str], references: Sequence[str]) -> list[float]:
        """Return the F1 of BERTScore of many pairs at once."""
        if not candidates:
            return []
        _, _, f1 = _scorer(self._find(), self.layer).score(list(candidates), list(references))
        # Rounding in the model can lift a score above 1.
        return [min(max(float(value), 0.0), 1.0) for value in f1.tolist()]

    def sign(self, *, pred: TripleSet, gold: TripleSet, counts: Counts, context: Context) -> Signature:
        """Write the line that says all that can move the number: also the model, by its files, and the package."""
        signature = super().sign(pred=pred, gold=gold, counts=counts, context=context)
        package = getattr(_package(), "__version__", "unknown")
        return signature.with_field("model", _digest(self._find())).with_field("bert-score", package)

    def _find(self) -> str:
        if self.folder is None:
            raise UsageError(
                "g_bertscore needs a language model, and none is named.",
                expected="a folder as transformers saves it, for example of roberta-large",
                hint="-m 'g_bertscore(folder=FOLDER)'",
            )
        if not isdir(self.folder):
            raise UsageError(
                "The language model of g_bertscore is not a folder; nothing is downloaded.",
                found=self.folder,
                expected="a folder with the files of the model",
                hint="save it there first, for example: hf download roberta-large --local-dir FOLDER",
            )
        return self.folder


def _package() -> Any:
    return require("bert_score", extra="bertscore", purpose="compute BERTScore")


@cache
def _scorer(folder: str, layer: int) -> Any:
    return _package().BERTScorer(model_type=folder, num_layers=layer)


@cache
def _digest(folder: str) -> str:
    """Return the first digits of the fingerprint of all files of a model."""
    found = hashlib.sha256()
    for path in sorted(path for pattern in WEIGHTS for path in Path(folder).glob(pattern)):
        found.update(path.name.encode())
        with path.open("rb") as stream:
            found.update(hashlib.file_digest(stream, "sha256").digest())
    return found.hexdigest()[:8]
