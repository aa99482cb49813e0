"""Evidence joins back to the input: a frame of it has the identifiers that the input has."""

import polars as pl
import pytest

import goldassay
from goldassay.concepts import ConceptExact, Concepts

CASES = {
    "taxonomy": (
        {"kind": "taxonomy", "measures": "literal"},
        pl.DataFrame({"source": ["Q1", "Q3"], "target": ["Q2", "Q2"]}),
        pl.DataFrame({"source": ["Q1"], "target": ["Q2"]}),
        ["source", "target"],
    ),
    "alignment": (
        {"kind": "alignment", "measures": "overlap"},
        pl.DataFrame({"source": ["a", "a"], "target": ["x", "y"], "score": [0.5, 0.9]}),
        pl.DataFrame({"source": ["a"], "target": ["x"]}),
        ["source", "target"],
    ),
    "triples": (
        {"kind": "triples", "measures": "triples"},
        pl.DataFrame({"document": ["1", "2"], "subject": ["s", "s"], "predicate": ["p", "p"], "object": ["o", "x"]}),
        pl.DataFrame({"document": ["1", "2"], "subject": ["s", "s"], "predicate": ["p", "p"], "object": ["o", "o"]}),
        ["document", "subject", "predicate", "object"],
    ),
    "axioms": (
        {"kind": "axioms", "measures": "exact"},
        pl.DataFrame({"class": ["Cat", "Dog"], "property": ["eats", "eats"], "object": ["Fish", "Meat"]}),
        pl.DataFrame({"class": ["Cat"], "property": ["eats"], "object": ["Fish"]}),
        ["class", "property", "object"],
    ),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.filterwarnings("ignore")
def test_evidence_joins_back_to_the_input(case):
    options, pred, gold, keys = CASES[case]
    found = goldassay.evaluate(pred, gold=gold, **options).runs[0].scores[0].matching.to_frame()
    for side, given, failed in (("pred", pred, "invented"), ("gold", gold, "missed")):
        renamed = {f"item_{name}": name for name in keys if f"item_{name}" in found.columns}
        half = found.drop(renamed.values()).rename(renamed).filter(pl.col("side") == side)
        joined = given.join(half, on=keys, how="left")
        assert joined["verdict"].null_count() == 0
        other = gold if side == "pred" else pred
        assert (
            joined.filter(pl.col("verdict") == failed).select(keys).rows()
            == given.join(other, on=keys, how="anti").select(keys).rows()
        )


def test_evidence_of_concepts_labels_and_sentences_has_their_ids():
    concepts = goldassay.evaluate(
        Concepts.from_lists({"d": [("asthma", "C1"), "cough"]}),
        gold=Concepts.from_lists({"d": [("asthma", "C1")]}),
        kind="concepts",
        measures=ConceptExact(),
    )
    rows = concepts["concept_exact"].matching.to_frame().select("side", "document", "text", "id").rows()
    assert rows == [("pred", "d", "asthma", "C1"), ("pred", "d", "cough", ""), ("gold", "d", "asthma", "C1")]
    sentences = goldassay.evaluate(["A cat."], gold=["A cat."], kind="sentences", measures="levenshtein")
    assert sentences.runs[0].scores[0].matching.to_frame()["id"].to_list() == ["1", "1"]


def test_items_without_identifiers_have_no_column_for_them():
    gold = [("a", "b"), ("b", "c")]
    frame = goldassay.evaluate(gold, gold=gold, kind="taxonomy", measures="motif")["motif"].matching.to_frame()
    assert "source" not in frame.columns


def test_nodes_have_their_ids():
    gold = goldassay.Graph.from_edges([("Q1", "Q2")], texts={"Q1": "cat", "Q2": "animal"})
    score = goldassay.evaluate(gold, gold=gold, measures="nodes", encoder="hashing")["nodes"]
    assert score.matching.to_frame()["id"].to_list() == ["Q1", "Q2", "Q1", "Q2"]
