"""Graph scores that other people's code computed, to the last edge."""

import json

import pytest

import goldassay
from goldassay.tasks import find, locate


@pytest.fixture(scope="module")
def expected(reference_data):
    return json.loads((reference_data / "expected" / "graphs.json").read_text(encoding="utf-8"))


@pytest.mark.filterwarnings("ignore::goldassay.SuspectInputWarning")
@pytest.mark.parametrize("row", [0, 1])
def test_the_notebook(reference_data, expected, cached_minilm, row):
    messages = expected["notebook"]["rows"][row]
    report = goldassay.evaluate(
        reference_data / messages["pred"],
        gold=reference_data / messages["gold"],
        measures="fuzzy",
        encoder=cached_minilm,
        edges="all",
        text="iri",
    )
    assert dict(report["fuzzy"].counts) == {
        "hit_pred": messages["hit_pred"],
        "hit_gold": messages["hit_gold"],
        "n_pred": messages["triples_pred"],
        "n_gold": messages["triples_gold"],
    }
    assert report["fuzzy"].f1 == pytest.approx(messages["f1"], abs=1e-12)


@pytest.mark.filterwarnings("ignore::goldassay.SuspectInputWarning")
@pytest.mark.parametrize("row", [0, 1])
def test_ollm(reference_data, expected, cached_minilm, row):
    messages = expected["ollm"]["rows"][row]
    report = goldassay.evaluate(
        reference_data / messages["pred"],
        gold=reference_data / messages["gold"],
        measures=["literal(distinct=true)", "fuzzy(inclusive=true)"],
        encoder=cached_minilm,
        edges="rdfs:subClassOf",
        text="title",
    )
    assert report["literal"].values == pytest.approx(messages["literal"], abs=1e-6)
    assert report["fuzzy"].values == pytest.approx(messages["fuzzy"], abs=1e-6)


@pytest.mark.release
@pytest.mark.xdist_group("wordnet")  # the second finds the vectors of the first
@pytest.mark.filterwarnings("ignore::goldassay.SuspectInputWarning")
def test_wordnet(reference_data, expected, cached_minilm, monkeypatch):
    messages = expected["wordnet"]
    monkeypatch.setenv("GOLDASSAY_TASKS", str(reference_data))
    task = find("wordnet:synonyms")
    gold = locate(task).gold
    assert gold == reference_data / messages["gold"]
    report = goldassay.evaluate(
        reference_data / messages["pred"], gold=gold, measures=task.measures, encoder=cached_minilm
    )
    [published] = task.benchmark.published
    assert report["fuzzy"].values == pytest.approx(published.of(report["fuzzy"]), abs=5e-5)
    counts = report["fuzzy"].counts
    assert (counts["n_pred"], counts["n_gold"]) == (messages["n_pred"], messages["n_gold"])
    assert counts["hit_pred"] == pytest.approx(messages["hit_pred"], abs=2)
    assert counts["hit_gold"] == pytest.approx(messages["hit_gold"], abs=2)


@pytest.mark.filterwarnings("ignore::goldassay.SuspectInputWarning")
@pytest.mark.parametrize("row", [0, 1])
def test_two_versions_of_one_ontology(reference_data, row):
    messages = json.loads((reference_data / "expected" / "ontologies.json").read_text())["version_pairs"][row]
    report = goldassay.evaluate(
        reference_data / messages["pred"], gold=reference_data / messages["gold"], measures="literal", text="iri"
    )
    counts = report["literal"].counts
    assert (counts["hit_pred"], counts["hit_gold"]) == (messages["hit"], messages["hit"])
    assert (counts["n_pred"], counts["n_gold"]) == (messages["n_pred"], messages["n_gold"])
