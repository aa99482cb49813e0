"""Nothing that a prediction says can shrink what gold asks for: over all measures of all families, variants and presets."""

import itertools
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.laws.conftest import LABORATORIES, LEFT_OUT, MEASURES, RUN, TREE
from tests.laws.test_laws import score

import goldassay
from goldassay.concepts import Concepts
from goldassay.core.partial import COMPLETENESS
from goldassay.families import families
from goldassay.labels import Labels
from goldassay.triples import TripleSet

ASKED = (
    "n_gold", "n_gold_weight", "documents_recall", "documents", "pairs", "instances", "cases", "references", "queries",
    "targets", "facts", "nulls", "distinct", "judged_gold", "gold_classes", "gold_relations", "gold_datatypes",
)  # fmt: skip
"""Counts that what gold asks for is divided by; of a mean, how many documents, test cases or queries there are."""
COMMON = "Dellschaft & Staab 2006 compare the common concepts only; lexical recall has the others"
EXCEPTIONS = {
    "taxonomic": (COMMON, "common:"),
    "closure(concepts=common)": (COMMON, "concepts=common"),
    "closure(concepts=cut)": (COMMON, "concepts=cut"),
    "ancestor_f1(concepts=common)": (COMMON, "concepts=common"),
    "mean_rank": ("Berrendorf et al. 2020 define it over references that have a rank", "ranked:"),
    "median_rank": ("the kit of Bio-ML 2026 takes the median of the ranks that there are", "ranked:"),
    "relation_choice": ("the kit of Bio-ML 2026 takes references whose entity is listed", "ranked:"),
}
"""By measure: the published definition that lets the prediction choose what is asked, and how the signature says so."""


def exception_of(measure):
    return next((why for name, why in EXCEPTIONS.items() if str(measure).startswith(name.rstrip(")"))), None)


PRESETS = [
    measure
    for family in families().values()
    for preset in family.measures.presets
    for measure in map(goldassay.parse, preset.measures)
    if type(measure) in MEASURES and not any(getattr(measure, name, None) == value for name, value in LEFT_OUT)
]
LAWFUL = [measure for measure in dict.fromkeys([*RUN, *PRESETS]) if exception_of(measure) is None]
GRID = [(source, target, "?", 1.0) for source, target in itertools.product(
    ["cat", "cats", "dog", "animal", "plant", "unicorn"], ["chat", "chien", "plante", "violon"]
)]  # fmt: skip
NOISE = {
    "alignment": [*GRID, ("stranger", "inconnu", "=", 0.5), ("cat", "chien", "%", 1.0), ("dog", "plante", "~", 1.0)],
    "taxonomy": [("stranger", "strange"), ("strange", "stranger"), ("animal", "cat"), ("stranger", "animal")],
    "axioms": [("stranger", "eats", "strange", "object"), ("cat", "knows", "cat", "object")],
    "triples": [("d9", "stranger", "eats", "strange"), ("d1", "stranger", "knows", "strange")],
    "concepts": [("q9", "stranger"), ("q1", "strange")],
    "labels": [("i9", "cat", 1.0), ("i1", "animal", 1.0)],
    "unl": [("9", "mod(book(icl>document).@pl, 301436003)")],
    "sentences": [("9", "A stranger.")],
}
"""What a prediction may say besides: ? on every pair, what gold does not know, relations of other kinds, cycles."""


def asked_by(result):
    return {name: float(result.counts[name]) for name in ASKED if name in result.counts}


def predictions(records):
    """Draw a prediction, with noise and with everything twice, or without."""
    return st.tuples(records, st.booleans(), st.booleans())


def build(lab, family, drawn):
    records, noisy, twice = drawn
    return lab.build([*records, *(NOISE[family] if noisy else []), *(records if twice and family != "labels" else [])])


KINDS = {kind: [measure for measure in LAWFUL if type(measure) is kind] for kind in dict.fromkeys(map(type, LAWFUL))}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
@given(data=st.data())
def test_no_prediction_shrinks_what_gold_asks_for(kind, data):
    asked = data.draw(st.sampled_from(KINDS[kind]))
    lab = LABORATORIES[asked.family]
    gold = lab.build(data.draw(lab.records.filter(bool)))
    least = asked_by(score(asked, lab.build([]), gold))
    found = asked_by(score(asked, build(lab, asked.family, data.draw(predictions(lab.records))), gold))
    assert found.get("n_gold") == least.get("n_gold")
    assert all(found[name] >= least[name] for name in least), (found, least)


OTHER_TREES = {
    "upside down": [(parent, child) for child, parent in TREE],
    "flat": [(child, "top") for child, _ in TREE] + [("animal", "top")],
    "deeper": [*TREE, ("animal", "top"), ("lion", "dog")],
}


@pytest.mark.parametrize("edges", OTHER_TREES.values(), ids=OTHER_TREES)
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.family == "labels"], ids=lambda kind: kind.name)
@given(data=st.data())
def test_the_hierarchy_of_a_prediction_changes_no_value(kind, edges, data):
    asked = data.draw(st.sampled_from(KINDS[kind]))
    lab = LABORATORIES["labels"]
    gold, rows = lab.build(data.draw(lab.records.filter(bool))), data.draw(lab.records)
    same, other = (score(asked, Labels.from_rows(rows, edges=tree), gold) for tree in (TREE, edges))
    assert asked_by(other) == asked_by(same)
    np.testing.assert_equal(dict(other.values), dict(same.values))


@pytest.mark.parametrize("name", EXCEPTIONS)
def test_a_definition_that_lets_the_prediction_choose_says_so(name):
    why, shown = EXCEPTIONS[name]
    measure = goldassay.parse(name)
    lab = LABORATORIES[measure.family]
    assert why
    assert shown in str(score(measure, lab.build(lab.some), lab.build(lab.some)).signature)


def with_empty(family, count):
    """Predict two documents, and some that gold does not have and that are empty."""
    empty = {f"x{number}": [] for number in range(count)}
    if family == "concepts":
        return Concepts.from_lists({"d1": ["cat"], "d2": ["violin"], **empty})
    documents = {"d1": [("cat", "eats", "dog")], "d2": [("plant", "eats", "violin")], **empty}
    return TripleSet.from_lists(documents, texts=dict.fromkeys(documents, "A cat eats a dog."))


GOLD = {
    "concepts": Concepts.from_lists({"d1": ["cat", "dog"], "d2": ["plant"], "d3": []}),
    "triples": TripleSet.from_lists({"d1": [("cat", "eats", "dog")], "d2": [("plant", "eats", "cat")], "d3": []}),
}
IN_DOCUMENTS = [
    measure
    for measure in RUN
    if measure.family in GOLD and measure.undefined != 1 and measure.name != "medcon"
]  # fmt: skip


@pytest.mark.parametrize("within", IN_DOCUMENTS, ids=str)
def test_empty_documents_that_gold_does_not_have_earn_nothing(within):
    gold = GOLD[within.family]
    before, after = (score(within, with_empty(within.family, count), gold).values for count in (0, 5))
    for name, value in before.items():
        sign = -1 if (name == "ged" and within.name == "pive") or not within.higher_is_better else 1
        assert np.isnan(value) or sign * after[name] <= sign * value, name


@pytest.mark.parametrize("completeness", COMPLETENESS)
@given(data=st.data())
def test_partial_gold_takes_nothing_from_gold(completeness, data):
    lab = LABORATORIES["alignment"]
    rows = data.draw(lab.records.filter(bool))
    gold, drawn = lab.build(rows), build(lab, "alignment", data.draw(predictions(lab.records)))
    judged = lab.build(data.draw(lab.records.filter(bool)) + rows)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", goldassay.GoldassayWarning)
        counts = [
            goldassay.evaluate(
                {"pred": pred},
                gold=gold,
                kind="alignment",
                measures=("overlap", "mrr"),
                completeness=completeness,
                judged=None if completeness == "complete" else judged,
            )
            for pred in (drawn, lab.build(rows))
        ]
    asked = [[asked_by(one) for one in report.runs[0].scores] for report in counts]
    assert asked[0] == asked[1]


def test_of_several_references_a_wrong_prediction_does_not_choose_the_empty_one(tmp_path):
    path = tmp_path / "gold.jsonl"
    path.write_text('{"id": "d", "references": [[], [["cat", "eats", "dog"], ["cat", "eats", "fish"]]]}\n')
    gold = goldassay.read(path, kind="triples")
    pred = TripleSet.from_lists({"d": [("cow", "eats", "hay")]})
    assert goldassay.parse("triples").score(pred=pred, gold=gold).counts["n_gold"] == 2


def test_the_engine_takes_nothing_from_gold(tmp_path):
    import polars as pl

    gold = [("cat", "chat", "="), ("dog", "chien", "=")]
    pl.DataFrame(gold, schema=["source", "target", "relation"], orient="row").write_csv(tmp_path / "gold.csv")
    pred = [("cat", "chat", "="), ("dog", "chien", "?")]
    pl.DataFrame(pred, schema=["source", "target", "relation"], orient="row").write_csv(tmp_path / "pred.csv")
    for engine in (None, "duckdb"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", goldassay.GoldassayWarning)
            report = goldassay.evaluate(
                tmp_path / "pred.csv",
                gold=tmp_path / "gold.csv",
                kind="alignment",
                measures=("overlap", "mrr"),
                engine=engine,
            )
        assert (report["overlap"].recall, report["mrr"].mrr) == (0.5, 0.5)
