"""ROUGE, BLEU, chrF and BERTScore, computed by other packages: additional scores of texts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from goldassay.concepts.match import pair_documents
from goldassay.concepts.model import Concepts
from goldassay.core.errors import UsageError, require, unknown_choice_error
from goldassay.core.matching import NO_MATCH

ROUGE: Mapping[str, str] = MappingProxyType(
    {"rouge1": "ROUGE-1", "rouge2": "ROUGE-2", "rougeL": "ROUGE-L", "rougeLsum": "ROUGE-Lsum"}
)
"""The kinds of ROUGE, as rouge-score calls them; rougeLsum takes each line of a text as a sentence."""


class Overlap(NamedTuple):
    """A score of another package."""

    name: str
    value: float
    version: str


class Scorer(NamedTuple):
    """A package, and what it computes."""

    package: str
    extra: str
    scores: Callable[[Any, Sequence[str], Sequence[str]], Iterator[Overlap]]


def overlap(*, pred: Concepts, gold: Concepts, names: Sequence[str] = ("rouge", "bleu")) -> list[Overlap]:
    """Compute scores of texts: ROUGE and BERTScore (mean of F1 over documents), BLEU and chrF (of the corpus).

    A document without a counterpart is compared with an empty text.
    """
    check_names(names)
    for model in (pred, gold):
        if len(model.ids) and not any(model.texts.tolist()):
            raise UsageError(
                f"{' and '.join(names)} need texts, and there are none.",
                found=f"only concepts in {model.path or 'a model in memory'}",
                expected="a column of texts on both sides",
            )
    pairs = pair_documents(pred=pred, gold=gold)
    sides = _texts(pred, pairs.pred.tolist()), _texts(gold, pairs.gold.tolist())
    return [score for name in dict.fromkeys(names) for score in SCORERS[name].scores(_module(name), *sides)]


def check_names(names: Sequence[str]) -> None:
    """Reject unknown scores, and those whose package is not installed."""
    for name in names:
        if name not in SCORERS:
            raise unknown_choice_error("score of another package", name, SCORERS)
        _module(name)


def _module(name: str) -> Any:
    return require(SCORERS[name].package, extra=SCORERS[name].extra, purpose=f"compute {name}")


def _texts(concepts: Concepts, rows: Sequence[int]) -> list[str]:
    return ["" if row == NO_MATCH else str(concepts.texts[row]) for row in rows]


def _rouge(package: Any, hypotheses: Sequence[str], references: Sequence[str]) -> Iterator[Overlap]:
    scorer = package.RougeScorer(list(ROUGE), use_stemmer=False)
    scores = [scorer.score(gold, pred) for pred, gold in zip(hypotheses, references, strict=True)]
    for kind, name in ROUGE.items():
        value = math.fsum(float(score[kind].fmeasure) for score in scores) / len(scores) if scores else 0.0
        yield Overlap(name, value, f"rouge-score, {kind} F1 without stemmer, mean of {len(scores):,} documents")


def _corpus_scorer(name: str) -> Callable[[Any, Sequence[str], Sequence[str]], Iterator[Overlap]]:
    def scores(package: Any, hypotheses: Sequence[str], references: Sequence[str]) -> Iterator[Overlap]:
        metric = getattr(package, name)()
        value = metric.corpus_score(hypotheses, [references]).score / 100 if hypotheses else 0.0
        shown = "chrF" if name == "CHRF" else name
        yield Overlap(shown, value, f"sacrebleu {metric.get_signature()}" if hypotheses else "sacrebleu, no document")

    return scores


def _bertscore(package: Any, hypotheses: Sequence[str], references: Sequence[str]) -> Iterator[Overlap]:
    (_, _, f1), version = package.score(list(hypotheses), list(references), lang="en", return_hash=True)
    value = math.fsum(f1.tolist()) / len(hypotheses) if hypotheses else 0.0
    yield Overlap("BERTScore", value, f"bert-score {version}, mean of {len(hypotheses):,} documents")


SCORERS: Mapping[str, Scorer] = MappingProxyType(
    {
        "rouge": Scorer("rouge_score.rouge_scorer", "overlap", _rouge),
        "bleu": Scorer("sacrebleu", "overlap", _corpus_scorer("BLEU")),
        "chrf": Scorer("sacrebleu", "overlap", _corpus_scorer("CHRF")),
        "bertscore": Scorer("bert_score", "bertscore", _bertscore),
    }
)
"""The scores by the name that ``--also`` gives them."""
