"""Near misses against plain loops: every assignment is tried, and every path is walked."""

import itertools
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

import goldassay
from goldassay.alignments import Alignment, AlignmentReading, Relaxed, Semantic, read_alignment

SOURCE_EDGES = st.lists(st.tuples(st.sampled_from("ABCD"), st.sampled_from("ABCD")), max_size=5)
TARGET_EDGES = st.lists(st.tuples(st.sampled_from("1234"), st.sampled_from("1234")), max_size=5)
ROWS = st.lists(
    st.tuples(
        st.sampled_from("ABCD"),
        st.sampled_from("1234"),
        st.sampled_from("=<>~"),
        st.sampled_from([0.0, 0.25, 0.5, 1.0]),
    ),
    max_size=4,
    unique_by=lambda row: row[:2],
)


def built(rows, edges):
    return Alignment.from_rows(rows, source_edges=edges[0], target_edges=edges[1])


def score(measure, pred, gold, edges):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", goldassay.UndefinedWarning)
        return measure.score(pred=built(pred, edges), gold=built(gold, edges))


def steps(edges, low, high):
    """Walk up until nothing new is found."""
    front, walked, seen = {low}, 0, set()
    while front:
        if high in front:
            return walked
        seen |= front
        front = {parent for child, parent in edges if child in front} - seen
        walked += 1
    return None


def position(edges, wanted, found):
    """How many steps the wanted entity is above the one that was found; the shorter way, and of two the way up."""
    up, down = steps(edges, found, wanted), steps(edges, wanted, found)
    if up is None and down is None:
        return None
    if down is None or (up is not None and up <= down):
        return up
    return -down


STEP = {
    "symmetric": lambda source, target: 0.5 ** (abs(source) + abs(target)),
    "effort": lambda source, target: (
        (0.6 if source > 0 else 0.4) ** abs(source) * (0.6 if target > 0 else 0.4) ** abs(target)
    ),
    "precision": lambda source, target: 0.5 ** max(source, 0) * 0.5 ** max(-target, 0),
    "recall": lambda source, target: 0.5 ** max(-source, 0) * 0.5 ** max(target, 0),
}


def relation_factor(kind, one, other):
    if one == other:
        return 1.0
    if kind == "effort":
        return 0.5
    full, half = {"symmetric": ("", "<>"), "precision": (">", "<"), "recall": ("<", ">")}[kind]
    pair = {one, other} - {"="}
    if "=" not in (one, other):
        return 0.0
    return 1.0 if pair <= set(full) else 0.5 if pair <= set(half) else 0.0


def nearness(measure, edges, found, wanted):
    source = position(edges[0], wanted[0], found[0])
    target = position(edges[1], wanted[1], found[1])
    if source is None or target is None:
        return 0.0
    value = STEP[measure.kind](source, target)
    same = source == target == 0
    if measure.relation == "graded":
        value *= relation_factor(measure.kind, found[2], wanted[2])
        same &= found[2] == wanted[2]
    if same:
        return value
    if measure.kind == "effort":
        return value if found[3] and wanted[3] else 0.0
    return value * (1 - abs(found[3] - wanted[3])) if measure.confidence else value


MEASURES = st.builds(
    Relaxed,
    kind=st.sampled_from(list(STEP)),
    relation=st.sampled_from(["ignore", "graded"]),
    confidence=st.booleans(),
)


@given(ROWS, ROWS, SOURCE_EDGES, TARGET_EDGES, MEASURES)
def test_the_best_of_all_assignments(pred, gold, lower, upper, measure):
    edges = lower, upper
    table = [[nearness(measure, edges, found, wanted) for wanted in gold] for found in pred]
    size = max(len(pred), len(gold))
    best = max(
        sum(table[row][column] for row, column in enumerate(order) if row < len(pred) and column < len(gold))
        for order in itertools.permutations(range(size))
    )
    found = score(measure, pred, gold, edges)
    assert found.counts["hit_pred"] == pytest.approx(best)
    assert found.counts["hit_gold"] == pytest.approx(best)
    assert (found.counts["n_pred"], found.counts["n_gold"]) == (len(pred), len(gold))
    for side, other in (("pred", "gold"), ("gold", "pred")):
        matched = getattr(found.matching, side)
        there = getattr(found.matching, other)
        for row, column in enumerate(matched.counterpart.tolist()):
            assert column == -1 or (there.counterpart[column] == row and there.credit[column] == matched.credit[row])


@given(ROWS, ROWS, SOURCE_EDGES, TARGET_EDGES, MEASURES)
def test_the_nearest_for_each(pred, gold, lower, upper, measure):
    import dataclasses

    measure = dataclasses.replace(measure, assignment="greedy")
    sources = {row[0] for row in pred}
    best = sum(
        max((nearness(measure, (lower, upper), found, wanted) for found in pred), default=0.0)
        for wanted in gold
        if wanted[0] in sources
    )
    found = score(measure, pred, gold, (lower, upper))
    assert found.counts["hit_pred"] == pytest.approx(best)
    assert found.counts["hit_gold"] == pytest.approx(best)


def test_an_assignment_may_give_up_an_exact_match():
    # Both could earn 1 where precision does not mind, so that all of gold is matched.
    gold = [("A", "1"), ("B", "1")]
    pred = [("A", "1"), ("C", "1")]
    found = score(Relaxed(kind="precision"), pred, gold, ([("A", "C"), ("B", "C")], []))
    assert found.counts["hit_gold"] == 2


def test_greedy_credits_one_prediction_twice_and_no_absent_source():
    edges = ([("kitten", "cat"), ("tabby", "kitten")], [])
    gold = [("cat", "chat"), ("kitten", "chat"), ("tabby", "chat")]
    found = score(Relaxed(assignment="greedy"), [("cat", "chat")], gold, edges)
    assert (found.precision, found.recall) == (1.0, pytest.approx(1 / 3))
    twice = score(
        Relaxed(assignment="greedy"), [("A", "1")], [("A", "1"), ("A", "2"), ("A", "3")], ([], [("2", "1"), ("3", "1")])
    )
    assert twice.precision == 2.0
    assert score(Relaxed(), [("A", "1")], [("A", "1"), ("A", "2")], ([], [("2", "1")])).precision == 1.0


def test_properties_are_near_unless_greedy(tmp_path):
    (tmp_path / "a.ttl").write_text(
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix : <http://a/> .\n:eats rdfs:subPropertyOf :uses ."
    )
    (tmp_path / "pred.csv").write_text("source,target\nhttp://a/eats,http://b/mange\n")
    (tmp_path / "gold.csv").write_text("source,target\nhttp://a/uses,http://b/mange\nhttp://a/eats,http://b/x\n")
    reading = AlignmentReading(source_ontology=str(tmp_path / "a.ttl"))
    pred, gold = (read_alignment(tmp_path / f"{side}.csv", reading) for side in ("pred", "gold"))
    found = Relaxed().score(pred=pred, gold=gold)
    assert found.precision == 0.5
    assert found.signature.fields["ontologies"].startswith("sha256-")
    assert Relaxed(assignment="greedy").score(pred=pred, gold=gold).precision == 0


def test_without_a_hierarchy_nothing_is_near_and_that_is_reported():
    pred, gold = Alignment.from_rows([("A", "1")]), Alignment.from_rows([("A", "1"), ("B", "2")])
    for measure in (Relaxed(), Semantic()):
        found = measure.score(pred=pred, gold=gold)
        assert (found.precision, found.recall) == (1.0, 0.5)
        assert "no hierarchy is known" in found.note
        assert "ontologies" not in found.signature.fields


def entails(edges, stated, asked, relation):
    upward = {(("s", a), ("s", b)) for a, b in edges[0]} | {(("t", a), ("t", b)) for a, b in edges[1]}
    for source, target, messages, _ in stated:
        word = "=" if relation == "ignore" else messages
        if word in "=<":
            upward.add((("s", source), ("t", target)))
        if word in "=>":
            upward.add((("t", target), ("s", source)))
    source, target, word, _ = asked
    word = "=" if relation == "ignore" else word
    ends = ("s", source), ("t", target)
    up, down = steps(upward, *ends) is not None, steps(upward, *ends[::-1]) is not None
    return {"=": up and down, "<": up, ">": down}.get(word, asked[:3] in {row[:3] for row in stated})


@given(ROWS, ROWS, SOURCE_EDGES, TARGET_EDGES, st.sampled_from(["exact", "ignore"]))
def test_what_is_entailed(pred, gold, lower, upper, relation):
    edges = lower, upper
    found = score(Semantic(relation=relation), pred, gold, edges)
    assert found.counts["hit_pred"] == sum(entails(edges, gold, row, relation) for row in pred)
    assert found.counts["hit_gold"] == sum(entails(edges, pred, row, relation) for row in gold)


def test_test_cases_do_not_entail_each_other(tmp_path):
    for side, files in {"gold": {"a": "A,1,="}, "pred": {"a": "A,2,<", "b": "A,1,="}}.items():
        (tmp_path / side).mkdir()
        for name, row in files.items():
            (tmp_path / side / f"{name}.csv").write_text(f"source,target,relation\n{row}\n")
    pred, gold = (read_alignment(tmp_path / side) for side in ("pred", "gold"))
    assert Semantic().score(pred=pred, gold=gold).counts["hit_pred"] == 0
    assert Relaxed().score(pred=pred, gold=gold).counts["hit_pred"] == 0


def test_a_near_relation_earns_its_share():
    for kind, earned in (("symmetric", 0.5), ("effort", 0.5), ("precision", 1.0), ("recall", 0.5)):
        found = score(Relaxed(kind=kind, relation="graded"), [("A", "1", "=")], [("A", "1", ">")], ([], []))
        assert (kind, found.precision) == (kind, earned)
    assert (
        score(Relaxed(kind="effort", relation="graded"), [("A", "1", "<")], [("A", "1", ">")], ([], [])).precision
        == 0.5
    )
