"""Hand-worked cases of the F-measure of UNLization to the fraction, and real documents without loss."""

import json
from fractions import Fraction

import pytest
from tests.unl.each import compare

import goldassay
from goldassay.unl import Discrepancy, document_of, document_text, read_document

DOCUMENTS = {
    "manual/snippets.unl": 13,
    "unlarium/aa1_en_ucl.html": 13,
    "unlarium/aa1_en_ucn.html": 13,
    "unlarium/aa1_ru_ucl.html": 13,
    "unlarium/ugoa1_en_ucl_excerpt.html": 21,
    "unlarium/ugoa1_en_ucn_excerpt.html": 53,
}
CASES = 14


@pytest.fixture(scope="module")
def cases(reference_data):
    return json.loads((reference_data / "expected" / "unl_cases.json").read_text(encoding="utf-8"))["cases"]


def graph(body):
    return document_of(f"[S:1]{{unl}}\n{body}\n{{/unl}}[/S]")


@pytest.mark.parametrize("row", range(CASES))
def test_the_hand_worked_case(cases, row):
    assert len(cases) == CASES
    messages = cases[row]
    pred, gold = graph(messages["actual"]), graph(messages["expected"])
    measure = Discrepancy(words="strict")
    found = compare(measure, pred=pred.sentences[0], gold=gold.sentences[0])
    for name in ("relations", "uws", "attributes"):
        part = getattr(found, name)
        counts = {"exceeding": part.exceeding.total(), "missing": part.missing.total(), "total": part.total}
        assert counts == messages[name]
    assert found.relations.discrepancy == Fraction(messages["discrepancy"]["relations"])
    assert found.uws.discrepancy == Fraction(messages["discrepancy"]["uws"])
    assert found.overall == Fraction(messages["discrepancy"]["overall"])
    assert (found.returned, not found.why) == (messages["returned"], messages["correct"])
    latest = Discrepancy(words="strict", profile="latest")
    newer = compare(latest, pred=pred.sentences[0], gold=gold.sentences[0])
    assert (not newer.why) == messages["correct_wiki_latest"]


@pytest.mark.filterwarnings("ignore::goldassay.UndefinedWarning")
@pytest.mark.parametrize("row", range(CASES))
@pytest.mark.filterwarnings("ignore::goldassay.SuspectInputWarning")
def test_the_preset_has_the_present_revision(cases, row):
    messages = cases[row]
    pred, gold = graph(messages["actual"]), graph(messages["expected"])
    (score,) = goldassay.evaluate(pred, gold=gold, kind="unl", as_="unl-wiki").runs[0].scores
    assert score.recall == (1 if messages["correct_wiki_latest"] else 0)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_real_document_is_read_without_loss(reference_data, name):
    document = read_document(reference_data / "unl" / name)
    again = document_of(document_text(document))
    assert len(document) == DOCUMENTS[name]
    for here, there in zip(document.sentences, again.sentences, strict=True):
        assert (here.id, here.relations, here.isolated) == (there.id, there.relations, there.isolated)
        assert here.nodes


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_real_document_is_its_own_perfect_prediction(reference_data, name):
    document = read_document(reference_data / "unl" / name)
    score = Discrepancy().score(pred=document, gold=document)
    assert score.counts["n_pred"] == score.counts["n_gold"] == len(document)
    assert score.f1 == 1
