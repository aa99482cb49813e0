"""A program that evaluates in threads, and sends reports to other processes, gets what one thread gets."""

import copy
import pickle
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.report.pages import REPORTS, report_of

import goldassay

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
CASES = {
    "taxonomy": (("taxonomy/learned.ttl", "taxonomy/reference.owl"), ["literal", "fuzzy", "closure"], {}),
    "axioms": (("axioms/pred.csv", "axioms/gold.md"), ["exact"], {}),
    "alignment": (("alignments/pred.sssom.tsv", "alignments/gold.rdf"), ["overlap"], {}),
    "concepts": (("concepts/paraphrase.jsonl", "concepts/gold.jsonl"), ["concept_exact"], {}),
    "triples": (("triples/pred.jsonl", "triples/gold.jsonl"), ["triples", "stages"], {}),
    "labels": (
        ("labels/pred.tsv", "labels/gold.tsv"), ["hierarchical"], {"hierarchy": str(EXAMPLES / "labels/subjects.csv")},
    ),
}  # fmt: skip


def evaluate(kind):
    (pred, gold), measures, options = CASES[kind]
    how = {"intervals": goldassay.Resampling(resamples=200), "encoder": "hashing"} if kind == "taxonomy" else {}
    return goldassay.evaluate(
        str(EXAMPLES / pred), gold=str(EXAMPLES / gold), kind=kind, measures=measures, selfcheck=False, **options, **how
    )


@pytest.fixture(scope="module")
def expected():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", goldassay.GoldassayWarning)
        return {kind: str(evaluate(kind)) for kind in CASES}


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
def test_eight_threads_at_once_give_the_report_of_one(expected):
    begin = threading.Barrier(8)

    def one(place):
        kinds = [*CASES][place % len(CASES) :] + [*CASES][: place % len(CASES)]
        begin.wait()
        return {kind: str(evaluate(kind)) for kind in kinds}

    with ThreadPoolExecutor(8) as pool:
        for found in pool.map(one, range(8)):
            assert found == expected


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
def test_threads_share_one_report_that_computes_its_evidence_when_asked(expected):
    report = evaluate("triples")
    begin = threading.Barrier(8)

    def one(_):
        begin.wait()
        return str(report), len(report["triples"].matching.table()["item"])

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(one, range(8))) == {(expected["triples"], 13)}


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize("kind", CASES)
def test_a_report_is_the_same_after_it_was_pickled_or_copied(kind, expected):
    report = evaluate(kind)
    for other in (pickle.loads(pickle.dumps(report)), copy.deepcopy(report)):
        assert str(other) == expected[kind]
        for score, same in zip(report.runs[0].scores, other.runs[0].scores, strict=True):
            assert same.matching.to_frame().equals(score.matching.to_frame())


@pytest.mark.parametrize("kind", [kind for kind in REPORTS if kind != "large"])
def test_every_kind_of_report_can_be_sent_to_another_process(kind):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", goldassay.GoldassayWarning)
        report = report_of(kind)
    assert str(pickle.loads(pickle.dumps(report))) == str(report)
