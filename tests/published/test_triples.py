"""Every number that the scripts of WebNLG 2020, EDC, Text2KGBench and PiVe gave on the same files, document by document."""

import json
import math
from functools import cache

import pytest

from goldassay.triples import Edc, FullTriples, Pive, Text2kgbench, TriplesReading, Webnlg, read_triples_of_documents

# Some smallest cases have nothing in common, as they should.
pytestmark = [
    pytest.mark.filterwarnings("ignore::goldassay.SuspectInputWarning"),
    pytest.mark.filterwarnings("ignore::goldassay.UndefinedWarning"),
]

# The scripts round a sum of floats once more, or once less, than a sum that does not depend on its order.
ROUNDING = 4e-16
MODES = {"strict": "Strict", "exact": "Exact", "partial": "Partial", "ent_type": "Ent_type"}
SLOTS = {"all": None, "subject": "Subjects", "predicate": "Predicates", "object": "Objects"}
COUNTS = {
    "correct": "Correct",
    "incorrect": "Incorrect",
    "partial": "Partial",
    "missed": "Missed",
    "spurious": "Spurious",
}
VALUES = {"precision": "Precision", "recall": "Recall", "f1": "F1"}


@pytest.fixture(scope="module")
def folder(reference_data):
    return reference_data / "triples"


def load(path):
    return json.loads(path.read_text(encoding="utf-8"))


def nearly(value):
    return pytest.approx(value, rel=ROUNDING, abs=0)


def section(printed, slot):
    name = SLOTS[slot]
    if name is None:
        return printed.get("Total_scores") or printed["Total scores"]
    return (printed.get("Scores_per_tag") or printed["Scores per tag"])[name]


read = cache(read_triples_of_documents)
"""Each file is held against several things that a script printed of it."""


def evaluate(pred, gold, measures):
    # The scripts also score against gold without a triple, which the command refuses.
    return [measure.score(pred=read(pred), gold=read(gold)) for measure in measures]


def check_script(make, pred, gold, messages):
    """Compare what a script printed, in every mode and for every slot, counts and values."""
    asked = [(mode, slot) for mode in MODES for slot in SLOTS]
    scores = evaluate(pred, gold, [make(mode=mode, slot=slot) for mode, slot in asked])
    for (mode, slot), score in zip(asked, scores, strict=True):
        printed = section(messages, slot)[MODES[mode]]
        assert {name: score.counts[name] for name in COUNTS} == {name: printed[word] for name, word in COUNTS.items()}
        assert dict(score.values) == {name: nearly(printed[word]) for name, word in VALUES.items()}


def check_counts(pred, gold, messages):
    """Compare the division of the counts that the script prints."""
    asked = [(mode, slot) for mode in MODES for slot in SLOTS]
    scores = evaluate(pred, gold, [Webnlg(mode=mode, slot=slot, average="counts") for mode, slot in asked])
    for (mode, slot), score in zip(asked, scores, strict=True):
        printed = section(messages, slot)[MODES[mode]]
        assert dict(score.values) == {name: nearly(printed[word]) for name, word in VALUES.items()}


def check_documents(pred, gold, messages):
    for mode, word in MODES.items():
        measure = Webnlg(mode=mode)
        score = measure.score(pred=read(pred), gold=read(gold))
        sums = measure.per_document(score.matching)
        for row, document in enumerate(messages):
            found = [sums[f"sum_{name}"][row] / sums["pairs"][row] for name in VALUES]
            assert found == [nearly(value) for value in document[word]]


def check_full_triples(pred, gold, messages, **parameters):
    [score] = evaluate(pred, gold, [FullTriples(**parameters)])
    assert dict(score.values) == {name: nearly(messages[word]) for name, word in VALUES.items()}


@pytest.mark.parametrize("perturbed", ["light", "mixed", "heavy"])
def test_webnlg(folder, perturbed):
    messages = load(folder / "webnlg" / "expected" / "webnlg_unseen_entities.json")[perturbed]
    pred, gold = (
        folder / "webnlg" / f"cands_unseen_entities_{perturbed}.xml",
        folder / "webnlg" / "refs_unseen_entities.xml",
    )
    check_script(Webnlg, pred, gold, messages["printed_by_script"])
    check_counts(pred, gold, messages["micro_from_printed_counts"])
    check_documents(pred, gold, messages["per_document_[P,R,F1]"])
    check_full_triples(pred, gold, messages["printed_by_script"]["Exact_match"])


@pytest.mark.parametrize(
    ("example", "candidates"), [("refs_vs_Cands2", "Cands2.xml"), ("refs_vs_refs", "Refs_as_cands.xml")]
)
def test_webnlg_example(folder, example, candidates):
    messages = load(folder / "webnlg" / "expected" / "webnlg_example.json")[example]
    pred, gold = folder / "webnlg" / candidates, folder / "webnlg" / "Refs.xml"
    check_script(Webnlg, pred, gold, messages["printed_by_script"])
    check_counts(pred, gold, messages["micro_from_printed_counts"])
    check_documents(pred, gold, messages["per_document_[P,R,F1]"])
    check_full_triples(pred, gold, messages["printed_by_script"]["Exact_match"])


def test_webnlg_smallest_cases(folder):
    cases = load(folder / "webnlg" / "expected" / "webnlg_minimal_cases.json")
    assert len(cases) == 16
    for name, messages in cases.items():
        pred, gold = (folder / "webnlg" / f"min_{name}_{side}.xml" for side in ("cand", "ref"))
        check_script(Webnlg, pred, gold, messages["printed_by_script"])
        check_counts(pred, gold, messages["micro_from_printed_counts"])
        check_full_triples(pred, gold, messages["printed_by_script"]["Exact_match"])


@pytest.mark.parametrize("dataset", ["rebel", "webnlg"])
@pytest.mark.parametrize("case", ["light", "heavy", "heavy_malformed", "heavy_max_length_diff_1"])
def test_edc(folder, dataset, case):
    messages = load(folder / "edc" / "expected" / f"edc_{dataset}.json")[case]
    differ = 1 if case.endswith("diff_1") else -1
    pred = folder / "edc" / f"{dataset}_pred_{case.removesuffix('_max_length_diff_1')}.txt"
    gold = folder / "edc" / f"{dataset}_ref.txt"
    check_script(
        lambda **parameters: Edc(max_length_diff=differ, **parameters), pred, gold, messages["printed_by_script"]
    )
    full = messages["printed_by_script"]["Full triple scores"]
    check_full_triples(pred, gold, full, script="edc", max_length_diff=differ)
    [score] = evaluate(pred, gold, [Edc(max_length_diff=differ)])
    assert len(score.matching.scored) == messages["documents_scored"]


FIELDS = ("precision", "recall", "f1", "onto_conf", "rel_halluc", "sub_halluc", "obj_halluc")


def test_text2kgbench(folder):
    messages = load(folder / "text2kgbench" / "expected" / "wikidata_tekgen_Alpaca-LoRA-13B.json")
    assert messages["stored_figures_compared"] - messages["equal"] == 1
    data = folder / "text2kgbench" / "wikidata_tekgen"
    means = []
    for name, expected in messages["ontologies"].items():
        answers = data / messages["system"] / f"ont_{name}_lora-13b_responses_v2.jsonl"
        pred = read_triples_of_documents(answers, TriplesReading(repeated="last"))
        gold = read_triples_of_documents(data / "ground_truth" / f"ont_{name}_ground_truth.jsonl")
        ontology = str(data / "ontologies" / f"{name}_ontology.json")
        score = Text2kgbench(ontology=ontology).score(pred=pred, gold=gold)
        assert score.counts["documents"] == expected["sentences_gold"]
        assert [score.values[field] for field in FIELDS] == [
            pytest.approx(expected["mean"][field], rel=1e-14) for field in FIELDS
        ]
        sums = score.matching.sums
        for row, sentence in enumerate(gold.ids.tolist()):
            assert [sums[field][row] for field in FIELDS] == expected["per_sentence"][sentence]
        selected = data / "selected_ids" / f"selected_ont_{name}.txt"
        some = Text2kgbench(ontology=ontology, ids=str(selected)).score(pred=pred, gold=gold)
        assert some.counts["documents"] == expected["n_selected"]
        assert [some.values[field] for field in FIELDS] == [
            pytest.approx(expected["mean_selected"][field], rel=1e-14) for field in FIELDS
        ]
        means.append([score.values[field] for field in FIELDS])
    overall = [math.fsum(column) / len(means) for column in zip(*means, strict=True)]
    assert overall == [pytest.approx(messages["global_mean_over_ontologies"][field], rel=1e-14) for field in FIELDS]


def test_the_stored_figure_that_differs_is_a_sentence_that_was_cut_in_two(folder):
    messages = load(folder / "text2kgbench" / "expected" / "wikidata_tekgen_Alpaca-LoRA-13B.json")
    differing = [row for one in messages["ontologies"].values() for row in one["stored_rows_that_differ"]]
    assert [row["id"] for row in differing] == ["ont_9_nature_test_438"]
    changed = [
        field
        for field, here, there in zip(FIELDS, differing[0]["stored"], differing[0]["recomputed"], strict=True)
        if here != there
    ]
    assert changed == ["sub_halluc"]


SENTENCES = [f"{name}_{share}" for name in ("g_bleu", "g_rouge") for share in ("precision", "recall", "f1")]


def floats(values):
    return [float(value) for value in values]


def check_pive(score, messages):
    assert score.triple_match_f1 == nearly(messages["triple_match_f1"])
    assert score.graph_match_accuracy == messages["graph_match_accuracy"]
    for name in ("g_bleu", "g_rouge"):
        for share, value in messages[name].items():
            assert score.values[f"{name}_{share}"] == pytest.approx(float(value), rel=1e-14, nan_ok=True)
    for row, printed in enumerate(messages["per_graph_[bleu P,R,F, rouge P,R,F]"]):
        found = [score.matching.sums[name][row] for name in SENTENCES]
        assert found == pytest.approx(floats(printed), rel=0, abs=0, nan_ok=True)


@pytest.mark.parametrize("perturbed", ["gold_vs_gold", "light", "mixed", "heavy"])
def test_pive(folder, perturbed):
    messages = load(folder / "pive" / "expected" / "pive_webnlg20.json")[perturbed]
    gold = read_triples_of_documents(folder / "pive" / "webnlg20_gold.jsonl")
    name = "gold" if perturbed == "gold_vs_gold" else f"pred_{perturbed}"
    score = Pive().score(pred=read_triples_of_documents(folder / "pive" / f"webnlg20_{name}.jsonl"), gold=gold)
    check_pive(score, messages)
    distances = messages.get("ged_small_graphs")
    if distances:
        found = {row: score.matching.sums["ged"][int(row)] for row in distances["per_graph"]}
        assert found == distances["per_graph"]
        assert math.fsum(found.values()) / len(found) == pytest.approx(distances["mean_normalised"], rel=1e-14)


def test_pive_smallest_cases(folder, tmp_path):
    cases = load(folder / "pive" / "expected" / "pive_minimal_cases.json")
    assert len(cases) == 9
    for name, messages in cases.items():
        sides = {}
        for side in ("pred", "gold"):
            path = tmp_path / f"{name}_{side}.jsonl"
            path.write_text(json.dumps({"id": "1", "triples": messages[side]}) + "\n", encoding="utf-8")
            sides[side] = read_triples_of_documents(path)
        score = Pive().score(**sides)
        check_pive(score, messages)
        assert score.ged == messages["ged"]
