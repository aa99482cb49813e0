"""The rows that are printed as evidence add up to the score: for every measure and every variant of it."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import goldassay
from goldassay.core.context import Context

ENCODER = goldassay.get_encoder("hashing")
pytestmark = pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
SIDES = ("pred", "gold")
SIGNED = {"continuous", "graph"}
"""What is far apart earns less than nothing."""
SUMMED = {"closure": ("matched", "ancestors")}
"""The columns that say what a row earns, and of how much, where it is not one item."""
OTHERWISE = {
    "hierarchical": "what lies above several labels counts once",
    "discrepancy": "a graph that is not returned is listed, too, and says why",
    "stages": "a triple of gold that is lost says at which stage",
}
"""The measures whose rows are not what they count."""


def evaluated(measure, pred, gold):
    return measure.evaluate(pred=pred, gold=gold, context=Context(encoder=ENCODER))


def counted(score, side):
    rows = score.matching.to_frame().to_dicts()
    return [row for row in rows if row["side"] == side and row["verdict"] != "uncounted"]


def earned(row, *, signed=False):
    """Give what a printed row says that the item earns: all for a hit, and its similarity where it is partly right."""
    if row["verdict"] == "hit" and not signed:
        return 1.0
    similarity = row["similarity"] if row["verdict"] == "partial" or signed else 0.0
    return 0.0 if math.isnan(similarity) else similarity


def mean(numbers):
    numbers = list(numbers)
    return sum(numbers) / len(numbers) if numbers else 0.0


@settings(max_examples=6)
@given(data=st.data())
def test_the_rows_add_up_to_the_score_and_none_fails_where_it_is_perfect(variants, laboratories, data):
    # Both laws share their draws: to draw takes longer than to look.
    measure = data.draw(variants)
    lab = laboratories[measure.family]
    pred, gold = (lab.build(data.draw(lab.records)) for _ in SIDES)
    the_rows_add_up(measure, evaluated(measure, pred, gold))
    score = evaluated(measure, gold, gold)
    the_rows_add_up(measure, score)
    if dict(score.values) == dict(measure.perfect):
        assert [row for side in SIDES for row in counted(score, side) if row["verdict"] != "hit"] == []
        assert [len(score.matching.failed(side)) for side in SIDES] == [0, 0]


def the_rows_add_up(measure, score):
    assert score.matching.sizes == tuple(len(counted(score, side)) for side in SIDES)
    for side in SIDES:
        rows = counted(score, side)
        size, hits = (score.counts.get(f"{what}_{side}") for what in ("n", "hit"))
        if size is None or hits is None or measure.name in OTHERWISE:
            continue
        if measure.name in SUMMED:
            found = [sum(row[column] for row in rows) for column in SUMMED[measure.name]]
        else:
            found = [sum(earned(row, signed=measure.name in SIGNED) for row in rows), len(rows)]
        assert found == pytest.approx([hits, size])


@given(data=st.data())
def test_the_rows_of_wu_palmer_have_the_similarities_that_are_averaged(laboratories, data):
    lab = laboratories["labels"]
    depth = data.draw(st.sampled_from(["path", "longest", "shortest", "nltk"]))
    sides = [lab.build(data.draw(lab.records)) for _ in SIDES]
    score = evaluated(goldassay.parse(f"wu_palmer(depth={depth})"), *sides)
    ids = {row["id"] for side in SIDES for row in counted(score, side)}
    for side, name in zip(SIDES, ("precision", "recall"), strict=True):
        of = {one: [row for row in counted(score, side) if row["id"] == one] for one in ids}
        near = {one: [row["similarity"] for row in rows if row["counterpart"] is not None] for one, rows in of.items()}
        assert score.values[name] == pytest.approx(mean(sum(near[one]) / max(len(of[one]), 1) for one in ids))


@given(data=st.data())
def test_the_rows_of_ranks_and_of_chosen_relations_have_what_is_averaged(laboratories, data):
    lab = laboratories["alignment"]
    pred, gold = (lab.build(data.draw(lab.records)) for _ in SIDES)
    score = evaluated(goldassay.parse("mean_rank"), pred, gold)
    ranks = [row["rank"] for row in counted(score, "gold") if row["rank"] is not None]
    assert score.values["mean_rank"] == pytest.approx(mean(ranks) if ranks else float("nan"), nan_ok=True)
    score = evaluated(goldassay.parse("relation_choice"), pred, gold)
    assert score.values["accuracy"] == pytest.approx(mean(map(earned, counted(score, "gold"))))


def test_a_root_that_does_not_count_is_no_error_and_labels_as_given_match_only_themselves():
    edges = [("cat", "pet"), ("dog", "pet")]
    gold = goldassay.labels.Labels.from_rows([("i", "pet"), ("j", "cat"), ("k", "cat")], edges=edges)
    pred = goldassay.labels.Labels.from_rows([("i", "pet"), ("j", "pet"), ("k", "dog")], edges=edges)
    verdicts = {
        spec: [row["verdict"] for side in SIDES for row in evaluated(goldassay.parse(spec), pred, gold).matching.to_frame().filter(side=side).to_dicts()]
        for spec in ("hierarchical", "hierarchical(root=include)", "hierarchical(root=include,ancestors=given)")
    }  # fmt: skip
    assert list(verdicts.values()) == [
        ["uncounted", "uncounted", "invented", "uncounted", "missed", "missed"],
        ["hit", "hit", "partial", "hit", "partial", "partial"],
        ["hit", "invented", "invented", "hit", "missed", "missed"],
    ]


def test_an_instance_of_which_gold_counts_nothing_is_not_missed():
    gold = goldassay.labels.Labels.from_rows([("i", "pet"), ("j", "cat")], edges=[("cat", "pet")])
    pred = goldassay.labels.Labels.from_rows([("j", "cat")], edges=[("cat", "pet")])
    notes = [
        evaluated(goldassay.parse(spec), pred, gold).note for spec in ("hierarchical", "hierarchical(root=include)")
    ]
    assert notes == [None, "1 of the 2 instances of gold has no prediction that counts, and is missed"]
    listed = goldassay.read([{"id": "i", "label": []}, {"id": "j", "label": ["cat"]}], kind="labels")
    found = evaluated(goldassay.parse("exact_match"), listed, listed)
    assert (found.accuracy, found.note) == (1.0, None)
