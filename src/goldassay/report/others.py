"""ROUGE, BLEU, chrF, TER and BERTScore, computed by other packages: additional scores of texts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from goldassay.core.errors import require, unknown_choice_error
from goldassay.core.family import Extra, Job
from goldassay.core.text import count_of
from goldassay.report.results import OtherScore

if TYPE_CHECKING:
    from goldassay.report.report import Report

ROUGE: Mapping[str, str] = MappingProxyType(
    {"rouge1": "ROUGE-1", "rouge2": "ROUGE-2", "rougeL": "ROUGE-L", "rougeLsum": "ROUGE-Lsum"}
)
"""The kinds of ROUGE, as rouge-score calls them; rougeLsum takes each line of a text as a sentence."""


class Scorer(NamedTuple):
    """A package, and what it computes."""

    package: str
    extra: str
    scores: Callable[[Any, Sequence[str], Sequence[Sequence[str]]], Iterator[OtherScore]]


def other_scores(
    hypotheses: Sequence[str], references: Sequence[Sequence[str]], names: Sequence[str]
) -> tuple[OtherScore, ...]:
    """Compute scores of texts: ROUGE and BERTScore (mean of F1 over texts), BLEU, chrF and TER (of the corpus)."""
    check_names(names)
    return tuple(
        score for name in dict.fromkeys(names) for score in SCORERS[name].scores(_module(name), hypotheses, references)
    )


def also(names: Sequence[str], texts: Callable[[Any, Any], tuple[list[str], list[Sequence[str]]]]) -> Extra:
    """Make the flag ``--also`` of a family with texts, of which a function returns those of a prediction and of gold, or raises if there are none."""

    def add(job: Job, asked: str, report: Report) -> Report:
        del job
        gold: Any = report.gold
        runs = [replace(run, others=other_scores(*texts(run.pred, gold), names_of(asked))) for run in report.runs]
        return replace(report, runs=tuple(runs))

    shown = ", ".join(names)
    return Extra(
        name="also",
        help=f"Also show {shown}, of other packages.",
        metavar="NAMES",
        check=lambda asked: check_names(names_of(asked), names),
        added=add,
    )


def names_of(asked: str) -> list[str]:
    """List the scores that ``--also`` names."""
    return [name.strip() for name in asked.split(",") if name.strip()]


def check_names(names: Sequence[str], known: Sequence[str] = ()) -> None:
    """Reject unknown scores, and those whose package is not installed."""
    for name in names:
        if name not in (known or SCORERS):
            raise unknown_choice_error("score of another package", name, known or SCORERS)
        _module(name)


def _module(name: str) -> Any:
    return require(SCORERS[name].package, extra=SCORERS[name].extra, purpose=f"compute {name}")


def _rouge(package: Any, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> Iterator[OtherScore]:
    scorer = package.RougeScorer(list(ROUGE), use_stemmer=False)
    scores = [scorer.score_multi(gold, pred) for pred, gold in zip(hypotheses, references, strict=True)]
    for kind, name in ROUGE.items():
        value = math.fsum(float(score[kind].fmeasure) for score in scores) / len(scores) if scores else 0.0
        yield OtherScore(
            name, value, f"rouge-score, {kind} F1 without stemmer, mean of {count_of(len(scores), 'document')}"
        )


def _corpus_scorer(name: str) -> Callable[[Any, Sequence[str], Sequence[Sequence[str]]], Iterator[OtherScore]]:
    def scores(package: Any, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> Iterator[OtherScore]:
        metric = getattr(package, name)()
        streams = list(zip_longest(*references))  # a text with fewer references than others has none in the last
        value = metric.corpus_score(hypotheses, streams).score / 100 if hypotheses else 0.0
        shown = "chrF" if name == "CHRF" else name
        yield OtherScore(
            shown, value, f"sacrebleu {metric.get_signature()}" if hypotheses else "sacrebleu, no document"
        )

    return scores


def _bertscore(package: Any, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> Iterator[OtherScore]:
    (_, _, f1), version = package.score(list(hypotheses), list(map(list, references)), lang="en", return_hash=True)
    value = math.fsum(f1.tolist()) / len(hypotheses) if hypotheses else 0.0
    yield OtherScore("BERTScore", value, f"bert-score {version}, mean of {count_of(len(hypotheses), 'document')}")


SCORERS: Mapping[str, Scorer] = MappingProxyType(
    {
        "rouge": Scorer("rouge_score.rouge_scorer", "overlap", _rouge),
        "bleu": Scorer("sacrebleu", "overlap", _corpus_scorer("BLEU")),
        "chrf": Scorer("sacrebleu", "overlap", _corpus_scorer("CHRF")),
        "ter": Scorer("sacrebleu", "overlap", _corpus_scorer("TER")),
        "bertscore": Scorer("bert_score", "bertscore", _bertscore),
    }
)
"""The scores by the name that ``--also`` gives them."""
