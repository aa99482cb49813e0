"""Evidence joins back to the input: a frame of it has the identifiers that the input has."""

import polars as pl
import pytest

import goldassay
from goldassay.concepts import ConceptExact, Concepts
from goldassay.concepts.model import Mention, lay_out
from goldassay.families import all_measures
from goldassay.report.explain import write_explain
from goldassay.unl import document_of

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


CHILDREN = [
    ("Q1", "cat", "Q3", "pet"),
    ("Q2", "dog", "Q3", "pet"),
    ("Q3", "pet", "Q4", "animal"),
    ("Q5", "ape", "Q4", "animal"),
]
TABLES = {
    "taxonomy": pl.DataFrame([(child, parent) for _, child, _, parent in CHILDREN], ["child", "parent"], orient="row"),
    "axioms": pl.DataFrame(
        [("Cat", "eats", "Fish"), ("Dog", "eats", "Meat"), ("Cat", "subClassOf", "Pet"), ("Cat", "name", "xsd:string")],
        ["class", "property", "object"], orient="row",
    ),
    "alignment": pl.DataFrame(
        [("a", "x", 0.9), ("a", "y", 0.5), ("b", "y", 0.7), ("c", "z", 0.4)], ["source", "target", "score"], orient="row"
    ),
    "triples": pl.DataFrame(
        [("1", "Oslo", "lies in", "Norway"), ("1", "Oslo", "has", "a port"), ("2", "Rome", "lies in", "Italy"), ("2", "Italy", "has", "Rome")],
        ["document", "subject", "predicate", "object"], orient="row",
    ),
    "labels": pl.DataFrame([("1", "cat"), ("2", "dog"), ("2", "pet"), ("3", "ape")], ["id", "label"], orient="row"),
    "sentences": pl.DataFrame([("1", "A cat."), ("2", "A dog."), ("3", "An ape.")], ["id", "text"], orient="row"),
}  # fmt: skip
"""The rows that both sides have; the prediction has the last one otherwise."""
WITHOUT = {"motif", "fowlkes_mallows", "rejection_rate", "g_bertscore"}
"""The measures of patterns of three nodes, of levels and of sources without a target, which no row here is, and one that needs a language model."""
SLOTS = ("subject", "predicate", "object")


def is_found(half, place, row):
    """Return whether a row of the input is in the evidence on its side: by its place, its document and parts, or its ids."""
    known = {name: set(half[name].to_list()) for name in half.columns}
    document = "document" in half.columns and half.filter(document=row["document"])
    if place in known.get("row", ()):
        return True
    if "item_subject" in known:
        return any(all(one[f"item_{slot}"] == row[slot] for slot in SLOTS) for one in document.to_dicts())
    if "document" in known:
        return bool({row[slot] for slot in SLOTS} & set(document["name"]) if "name" in known else len(document))
    if "id" in known:
        return not {row.get("child"), row.get("parent"), row.get("id")}.isdisjoint(known["id"])
    return not {row["class"], row["property"]}.isdisjoint(known["name"])


def changed(table):
    """The rows of a table, whose last one is otherwise."""
    last = table.columns[-1]
    if table[last].dtype != pl.String:
        last = "target"
    other = {"labels": "dog"}.get(last, "Unheard")
    return table.with_columns(
        pl.when(pl.int_range(pl.len()) == pl.len() - 1).then(pl.lit(other)).otherwise(pl.col(last)).alias(last)
    )


@pytest.mark.parametrize(
    "measure",
    [one for one in all_measures().values() if one.family in TABLES and one.name not in WITHOUT],
    ids=lambda one: one.name,
)
@pytest.mark.filterwarnings("ignore")
def test_every_row_of_the_input_is_found_in_the_evidence_of_every_measure(measure, tmp_path):
    gold = TABLES[measure.family]
    pred = gold if measure.family == "labels" else changed(gold)
    options = {}
    if measure.family == "labels":
        (tmp_path / "tree.csv").write_text("child,parent\ncat,pet\ndog,pet\npet,animal\nape,animal\n")
        options["hierarchy"] = str(tmp_path / "tree.csv")
    report = goldassay.evaluate(
        pred, gold=gold, kind=measure.family, measures=measure.name, encoder="hashing", **options
    )
    write_explain(report, tmp_path / "out.parquet")
    frame = pl.read_parquet(tmp_path / "out.parquet")
    for side, table in (("pred", pred), ("gold", gold)):
        half = frame.filter(side=side)
        lost = [row for place, row in enumerate(table.to_dicts()) if not is_found(half, place, row)]
        assert not lost, side


@pytest.mark.parametrize("measure", ["discrepancy", "unl_relations", "unl_uws", "unl_attributes"])
def test_evidence_of_graphs_has_the_id_or_the_line_of_each_sentence(measure):
    gold = document_of("[S:1] agt(see.@entry, Mary) [/S]\n[S:7] agt(run.@entry, dog) [/S]")
    found = goldassay.evaluate(gold, gold=gold, kind="unl", measures=measure)[measure].matching.to_frame()
    assert set(found["id"]) == {"1", "7"}
    if measure == "discrepancy":
        assert found["line"].to_list() == [1, 2, 1, 2]


def test_evidence_of_concepts_has_their_assertions(tmp_path):
    given = lay_out([
        ("d", "", [Mention("fever", "fever", assertion="negated"), Mention("cough", "cough")])
    ])  # fmt: skip
    report = goldassay.evaluate(given, gold=given, kind="concepts", measures="concept_exact")
    write_explain(report, tmp_path / "out.csv")
    written = pl.read_csv(tmp_path / "out.csv").filter(side="pred").select("text", "assertion").rows()
    assert sorted(written, key=str) == [("cough", None), ("fever", "negated")]
