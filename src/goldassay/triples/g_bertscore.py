"""G-BERTScore: triples read as sentences, paired one to one by BERTScore."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from goldassay.core.context import Context
from goldassay.core.counts import Counts
from goldassay.core.errors import UsageError, require
from goldassay.core.parameters import parameter
from goldassay.core.signature import Signature
from goldassay.triples.model import Triples
from goldassay.triples.sentences import SentenceMeasure

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
        >>> from goldassay.triples import Triples
        >>> gold = Triples.from_lists({"d": [("Oslo", "capital of", "Norway")]})
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
        """Give the F1 of BERTScore."""
        return self.all_alike([candidate], [reference])[0]

    def all_alike(self, candidates: Sequence[str], references: Sequence[str]) -> list[float]:
        """Give the F1 of BERTScore of many pairs at once."""
        if not candidates:
            return []
        _, _, f1 = _scorer(self._found(), self.layer).score(list(candidates), list(references))
        # Rounding in the model can lift a score above 1.
        return [min(max(float(value), 0.0), 1.0) for value in f1.tolist()]

    def sign(self, *, pred: Triples, gold: Triples, counts: Counts, context: Context) -> Signature:
        """Write the line that says all that can move the number: also the model, by its files, and the package."""
        signature = super().sign(pred=pred, gold=gold, counts=counts, context=context)
        package = getattr(_package(), "__version__", "unknown")
        return signature.with_field("model", _digest(self._found())).with_field("bert-score", package)

    def _found(self) -> str:
        if self.folder is None:
            raise UsageError(
                "g_bertscore needs a language model, and none is named.",
                expected="a folder as transformers saves it, for example of roberta-large",
                hint="-m 'g_bertscore(folder=FOLDER)'",
            )
        if not Path(self.folder).is_dir():
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
    """Give the first digits of the fingerprint of all files of a model."""
    found = hashlib.sha256()
    for path in sorted(path for pattern in WEIGHTS for path in Path(folder).glob(pattern)):
        found.update(path.name.encode())
        with path.open("rb") as stream:
            found.update(hashlib.file_digest(stream, "sha256").digest())
    return found.hexdigest()[:8]
