"""ROUGE-L and BLEU beside the measures of concepts, computed by other packages: no measures of goldassay."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from goldassay.concepts.model import Concepts
from goldassay.concepts.pairing import paired
from goldassay.core.errors import UsageError, require, unknown_choice
from goldassay.core.matching import NONE_MET

PACKAGES: Mapping[str, str] = MappingProxyType({"rouge": "rouge_score.rouge_scorer", "bleu": "sacrebleu"})


class Overlap(NamedTuple):
    """A score of another package.

    Attributes:
        name: What it is called.
        value: The number, in [0, 1].
        said: How it was computed, as described by its package.
    """

    name: str
    value: float
    said: str


def overlap(*, pred: Concepts, gold: Concepts, names: Sequence[str] = ("rouge", "bleu")) -> list[Overlap]:
    """Compute ROUGE-L (mean of F1 over documents) and BLEU (of the corpus) of the texts.

    A document without a counterpart is compared with an empty text.

    Args:
        pred: The prediction, with texts.
        gold: The gold standard, with texts.
        names: ``rouge``, ``bleu``.

    Raises:
        UsageError: If there is no such score, or a side has no texts.
        MissingDependencyError: If rouge-score or sacrebleu is not installed.
    """
    check_names(names)
    for model in (pred, gold):
        if len(model.ids) and not any(model.texts.tolist()):
            raise UsageError(
                f"{' and '.join(names)} need texts, and there are none.",
                found=f"only concepts in {model.path or 'a model in memory'}",
                expected="a column of texts on both sides",
            )
    pairs = paired(pred=pred, gold=gold)
    hypotheses, references = _texts(pred, pairs.pred.tolist()), _texts(gold, pairs.gold.tolist())
    return [SCORERS[name](hypotheses, references) for name in dict.fromkeys(names)]


def check_names(names: Sequence[str]) -> None:
    """Reject unknown scores, and those whose package is not installed.

    Raises:
        UsageError: If there is no such score.
        MissingDependencyError: If rouge-score or sacrebleu is not installed.
    """
    for name in names:
        if name not in SCORERS:
            raise unknown_choice("score of another package", name, SCORERS)
        require(PACKAGES[name], extra="overlap", purpose=f"compute {name}")


def _texts(concepts: Concepts, rows: Sequence[int]) -> list[str]:
    return ["" if row == NONE_MET else str(concepts.texts[row]) for row in rows]


def _rouge(hypotheses: Sequence[str], references: Sequence[str]) -> Overlap:
    package = require(PACKAGES["rouge"], extra="overlap", purpose="compute ROUGE-L")
    scorer = package.RougeScorer(["rougeL"], use_stemmer=False)
    scores = [
        float(scorer.score(reference, hypothesis)["rougeL"].fmeasure)
        for hypothesis, reference in zip(hypotheses, references, strict=True)
    ]
    value = math.fsum(scores) / len(scores) if scores else 0.0
    return Overlap("ROUGE-L", value, f"rouge-score, rougeL F1 without stemmer, mean of {len(scores):,} documents")


def _bleu(hypotheses: Sequence[str], references: Sequence[str]) -> Overlap:
    package = require(PACKAGES["bleu"], extra="overlap", purpose="compute BLEU")
    metric = package.BLEU()
    value = metric.corpus_score(hypotheses, [references]).score / 100 if hypotheses else 0.0
    return Overlap("BLEU", value, f"sacrebleu {metric.get_signature()}" if hypotheses else "sacrebleu, no document")


SCORERS: Mapping[str, Callable[[Sequence[str], Sequence[str]], Overlap]] = MappingProxyType(
    {"rouge": _rouge, "bleu": _bleu}
)
