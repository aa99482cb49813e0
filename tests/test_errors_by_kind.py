"""Errors by kind: each wrong item has one, as the definitions in words find it; and their totals in every layout."""

import json
import random
import re
from collections import Counter
from statistics import mean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import goldassay
from goldassay.alignments import Alignment
from goldassay.axioms import Axioms
from goldassay.core.context import Context
from goldassay.core.groups import ByError
from goldassay.families import families
from goldassay.graphs import Graph
from goldassay.labels import Hierarchy, Labels

WITH_KINDS = [name for name, family in families().items() if "error" in family.views.groupings]


def test_the_families_whose_errors_have_kinds():
    assert set(WITH_KINDS) == {"taxonomy", "axioms", "alignment", "triples", "labels"}
    for name in WITH_KINDS:
        grouping = families()[name].views.groupings["error"]
        assert isinstance(grouping, ByError)
        assert all(meaning for meaning in grouping.kinds.values())


NAMES = list("abcdefg")


def kinds(matching, side):
    """List the kinds of the errors of one side, in the order of the items."""
    return [kind for kind in matching.errors(side, np.arange(len(getattr(matching, side).credit))) if kind]


EDGE = st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES))


def kind_of_edge(edge, there):  # noqa: PLR0911
    """Say in words what `goldassay.graphs.errors` says in arrays."""
    child, parent = edge
    nodes = {one for other in there for one in other}
    up = {node: {p for c, p in there if c == node and p != node} for node in nodes}

    def above(node):
        seen, waiting = set(), list(up[node])
        while waiting:
            one = waiting.pop()
            if one not in seen:
                seen.add(one)
                waiting += up[one]
        return seen

    if child == parent:
        return "self-loop"
    if child not in nodes or parent not in nodes:
        unknown = [name for name, node in (("child", child), ("parent", parent)) if node not in nodes]
        return f"{' and '.join(unknown)} unknown"
    if (parent, child) in there:
        return "reversed"
    if any(parent in up[middle] for middle in up[child]):
        return "skips a level"
    if parent in above(child):
        return "right by closure"
    if child in above(parent):
        return "reversed by closure"
    return "sibling instead of parent" if up[child] & up[parent] else "wrong parent"


@given(st.lists(EDGE, max_size=10), st.lists(EDGE, min_size=1, max_size=10))
def test_kinds_of_edges_are_those_of_their_definitions(pred, gold):
    pred, gold = list(dict.fromkeys(pred)), list(dict.fromkeys(gold))
    matching = goldassay.parse("literal").match(
        pred=Graph.from_edges(pred), gold=Graph.from_edges(gold), context=Context()
    )
    for side, here, there in (("pred", pred, gold), ("gold", gold, pred)):
        expected = [None if edge in there else kind_of_edge(edge, there) for edge in here]
        assert matching.errors(side, np.arange(len(here))) == expected


def test_an_edge_with_another_relation_is_no_unknown_one():
    gold = Graph.from_edges([("a", "r", "b")])
    pred = Graph.from_edges([("a", "s", "b")])
    matching = goldassay.parse("literal(relation=exact)").match(pred=pred, gold=gold, context=Context())
    assert kinds(matching, "pred") == kinds(matching, "gold") == ["same texts"]


SOURCES = [("a1", "a"), ("a2", "a"), ("a", "top"), ("b", "top")]
TARGETS = [("x1", "x"), ("x2", "x"), ("x", "up"), ("y", "up")]
PAIR = st.tuples(st.sampled_from(["a1", "a2", "a", "b", "top"]), st.sampled_from(["x1", "x2", "x", "y", "up", "z"]))


def steps(edges, one, other):
    """Count the edges between two entities, up to two; None for more."""
    next_to = {}
    for child, parent in edges:
        next_to.setdefault(child, set()).add(parent)
        next_to.setdefault(parent, set()).add(child)
    if other in next_to.get(one, ()):
        return 1
    return 2 if next_to.get(one, set()) & next_to.get(other, set()) else None


def kind_of_pair(pair, there, denied):
    source, target = pair
    if pair in denied:
        return "denied"
    if (target, source) in there:
        return "reversed"
    near = [steps(TARGETS, target, t) for s, t in there if s == source]
    near += [steps(SOURCES, source, s) for s, t in there if t == target]
    for step, word in ((1, "1 step"), (2, "2 steps")):
        if step in near:
            return f"near miss ({word})"
    unknown = [
        name for name, end, at in (("source", source, 0), ("target", target, 1)) if end not in {p[at] for p in there}
    ]
    return f"{' and '.join(unknown)} unknown" if unknown else "wrong pair"


@given(st.lists(PAIR, max_size=8), st.lists(PAIR, min_size=1, max_size=8))
def test_kinds_of_correspondences_are_those_of_their_definitions(pred, gold):
    pred, gold = list(dict.fromkeys(pred)), list(dict.fromkeys(gold))
    sides = [Alignment.from_rows(rows, source_edges=SOURCES, target_edges=TARGETS) for rows in (pred, gold)]
    matching = goldassay.parse("overlap").match(pred=sides[0], gold=sides[1], context=Context())
    for side, here, there in (("pred", pred, gold), ("gold", gold, pred)):
        expected = [None if pair in there else kind_of_pair(pair, there, ()) for pair in here]
        assert matching.errors(side, np.arange(len(here))) == expected


def test_other_relations_reversed_pairs_and_distant_entities_without_ontologies():
    gold = Alignment.from_rows([("a", "x", "="), ("b", "y", "="), ("c", "z", "=")])
    pred = Alignment.from_rows([("a", "x", "<"), ("y", "b", "="), ("c", "x", "=")])
    matching = goldassay.parse("overlap(relation=exact)").match(pred=pred, gold=gold, context=Context())
    assert kinds(matching, "pred") == ["wrong relation", "reversed", "wrong pair"]


@pytest.mark.parametrize("measure", ["hit_at_k", "mrr", "ndcg", "map"])
def test_a_reference_below_others_has_no_wrong_relation(measure):
    gold = Alignment.from_rows([("a", "y"), ("b", "z"), ("c", "x")])
    pred = Alignment.from_rows([("a", "x", "=", 0.9), ("a", "y", "=", 0.8), ("b", "x", "=", 0.7)])
    matching = goldassay.parse(measure).match(pred=pred, gold=gold, context=Context())
    assert kinds(matching, "gold") == ["ranked lower", "target unknown", "source unknown"]


def test_an_entity_of_many_counterparts_has_no_near_misses_of_two_steps():
    many = [("a1", f"t{n}") for n in range(70)]
    targets = [*((f"t{n}", "up") for n in range(70)), ("x1", "up")]
    sides = [
        Alignment.from_rows(rows, source_edges=SOURCES, target_edges=targets)
        for rows in ([("a1", "x1")], many[:64], many)
    ]
    found = [
        kinds(goldassay.parse("overlap").match(pred=sides[0], gold=gold, context=Context()), "pred")
        for gold in sides[1:]
    ]
    assert found == [["near miss (2 steps)"], ["target unknown"]]


TREE = [("a1", "a"), ("a2", "a"), ("b1", "b"), ("a", "top"), ("b", "top"), ("a1", "b")]
LABEL = st.tuples(st.sampled_from(["i", "j", "k"]), st.sampled_from(["a1", "a2", "b1", "a", "b", "top"]))


def kind_of_label(one, there):
    instance, label = one
    parents = {node: {p for c, p in TREE if c == node} for node in ("a1", "a2", "b1", "a", "b", "top")}

    def above(node):
        return parents[node] | {far for near in parents[node] for far in above(near)}

    others = [other for owner, other in there if owner == instance]
    if not others:
        return "instance without labels"
    for kind, holds in (
        ("ancestor", lambda other: label in above(other)),
        ("descendant", lambda other: other in above(label)),
        ("sibling", lambda other: parents[label] & parents[other]),
    ):
        if any(holds(other) for other in others):
            return kind
    return "other branch"


@given(st.lists(LABEL, max_size=8), st.lists(LABEL, min_size=1, max_size=8))
@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
def test_kinds_of_labels_are_those_of_their_definitions(pred, gold):
    pred, gold = list(dict.fromkeys(pred)), list(dict.fromkeys(gold))
    hierarchy = Hierarchy.from_edges(TREE)
    sides = [Labels.from_rows(rows, hierarchy=hierarchy) for rows in (pred, gold)]
    matching = goldassay.parse("lca").match(pred=sides[0], gold=sides[1], context=Context())
    for side, here, there in (("pred", pred, gold), ("gold", gold, pred)):
        found = matching.errors(side, np.arange(len(here)))
        credit = (matching.pred if side == "pred" else matching.gold).credit.tolist()
        for one, kind, got in zip(here, found, credit, strict=True):
            expected = "same label" if one in there else kind_of_label(one, there)
            assert kind == (None if got >= 1 else expected)


NAME = st.sampled_from(["A", "B", "C", "D"])
AXIOM = st.tuples(NAME, st.sampled_from(["p", "q"]), NAME)


def kind_of_axiom(axiom, there):
    one, prop, other = axiom
    ends = {end for c, _, o in there for end in (c, o)}
    if (other, prop, one) in there:
        return "reversed"
    for kind, places in (("wrong property", (0, 2)), ("wrong object", (0, 1)), ("wrong class", (1, 2))):
        if any(all(axiom[at] == known[at] for at in places) for known in there):
            return kind
    unknown = [name for name, end in (("class", one), ("object", other)) if end not in ends]
    if unknown:
        return f"{' and '.join(unknown)} unknown"
    return "property unknown" if prop not in {known[1] for known in there} else "not related"


@given(st.lists(AXIOM, max_size=8), st.lists(AXIOM, min_size=1, max_size=8))
def test_kinds_of_axioms_are_those_of_their_definitions(pred, gold):
    pred, gold = list(dict.fromkeys(pred)), list(dict.fromkeys(gold))
    matching = goldassay.parse("exact").match(
        pred=Axioms.from_rows(pred), gold=Axioms.from_rows(gold), context=Context()
    )
    for side, here, there in (("pred", pred, gold), ("gold", gold, pred)):
        expected = [None if axiom in there else kind_of_axiom(axiom, there) for axiom in here]
        assert matching.errors(side, np.arange(len(here))) == expected


@given(st.lists(EDGE, min_size=1, max_size=12), st.lists(EDGE, min_size=1, max_size=12), st.integers(0, 99))
def test_the_order_of_rows_moves_no_total(pred, gold, seed):
    totals = []
    for shuffle in (False, True):
        sides = [list(pred), list(gold)]
        if shuffle:
            for rows in sides:
                random.Random(seed).shuffle(rows)  # noqa: S311
        graphs = [Graph.from_edges(rows) for rows in sides]
        matching = goldassay.parse("literal").match(pred=graphs[0], gold=graphs[1], context=Context())
        totals.append([Counter(kinds(matching, side)) for side in ("pred", "gold")])
    assert totals[0] == totals[1]


PRED = "child,parent\ncat,pet\npet,dog\ndog,animal\nunicorn,animal\n"
GOLD = "child,parent\ncat,pet\ndog,pet\npet,animal\n"


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pred.csv").write_text(PRED)
    (tmp_path / "gold.csv").write_text(GOLD)
    return "taxonomy", "pred.csv", "--gold", "gold.csv", "-m", "literal"


def test_totals_are_shown_below_the_scores_of_one_prediction(files, goldassay_command):
    shown = goldassay_command(*files).out
    assert (
        "errors of literal: 3 of 4 predicted (1 child unknown, 1 reversed, 1 skips a level); "
        "2 of 3 in gold (1 reversed, 1 skips a level)" in shown
    )
    for layout in ("markdown", "latex"):
        assert "errors of literal: 3 of 4 predicted" in goldassay_command(*files, "--format", layout).out


OTHER = "child,parent\ndog,cat\npet,animal\ncow,animal\npet,cat\n"
GOLD_ROWS = [tuple(line.split(",")) for line in GOLD.splitlines()[1:]]
PRED_WORSE = "child,parent\nunicorn,animal\nunicorn,pet\n"
CHANGES = {
    ("pred", "child unknown"): (1, 1), ("pred", "reversed"): (1, 1), ("pred", "skips a level"): (1, 0),
    ("pred", "sibling instead of parent"): (0, 1),
    ("gold", "reversed"): (1, 1), ("gold", "skips a level"): (1, 0), ("gold", "sibling instead of parent"): (0, 1),
}  # fmt: skip


@pytest.fixture
def compared(files, tmp_path):
    (tmp_path / "other.csv").write_text(OTHER)
    return goldassay.compare(
        [
            goldassay.evaluate(one, gold="gold.csv", measures="literal", intervals=True)
            for one in ("pred.csv", "other.csv")
        ]
    )


def changes(report):
    return {(one.side, one.kind): (one.before, one.count) for one in report.error_changes}


def test_comparisons_say_which_kinds_were_gained_and_lost(compared, tmp_path):
    assert changes(compared) == CHANGES
    assert {(one.name, one.against, one.measure) for one in compared.error_changes} == {
        ("other.csv", "pred.csv", "literal")
    }
    by_definition = {
        (side, kind): tuple(
            run["literal"].matching.errors(side, np.arange(20)[: len(rows)]).count(kind) for run, rows in pairs
        )
        for side, pairs in (
            ("pred", [(run, run.pred.edges) for run in compared]),
            ("gold", [(run, compared.gold.edges) for run in compared]),
        )
        for kind in {kind for known, kind in CHANGES if known == side}
    }
    assert by_definition == CHANGES
    compared.save(tmp_path / "compared.json")
    assert changes(goldassay.load(tmp_path / "compared.json")) == CHANGES
    written = json.loads((tmp_path / "compared.json").read_text())["error_changes"]
    assert {(one["side"], one["kind"]): one["difference"] for one in written} == {
        key: after - before for key, (before, after) in CHANGES.items()
    }


@pytest.mark.parametrize("layout", ["text", "markdown", "latex", "github", "html", "csv", "json"])
def test_every_layout_shows_gained_and_lost_kinds(compared, layout):
    written = compared.format(layout)
    rows = [line for line in written.splitlines() if "sibling instead of parent" in line or "skips a level" in line]
    minus = "$-$" if layout == "latex" else "-"
    expected = {"csv": "errors_gold: skips a level (change)", "html": "(\N{MINUS SIGN}1)", "json": "skips a level"}
    assert expected.get(layout, f"0 ({minus}1)") in "\n".join(rows)
    assert expected.get(layout, "1 (+1)").replace("skips a level", "sibling instead of parent").replace(
        "\N{MINUS SIGN}", "+"
    ) in "\n".join(rows)


def test_saved_reports_without_items_keep_the_kinds(files, tmp_path, goldassay_command):
    (tmp_path / "other.csv").write_text(OTHER)
    for name in ("pred", "other"):
        goldassay_command("taxonomy", f"{name}.csv", *files[2:], "--ci", "--format", "json", "-o", f"{name}.json")
    shown = goldassay_command("compare", "pred.json", "other.json").out
    assert shown.split("errors of literal")[1] == goldassay_command(
        "compare", "gold.csv", "pred.csv", "other.csv", "-m", "literal"
    ).out.split("errors of literal")[1]  # fmt: skip
    single = goldassay_command("compare", "pred.json").out
    fresh = goldassay_command(*files).out
    [line] = [line for line in fresh.splitlines() if line.startswith("errors of literal: 3 of ")]
    assert line in single
    perfect = goldassay_command("compare", "gold.csv", "other.csv", "gold.csv", "-m", "literal").out
    assert re.search(r"reversed +pred +1 +0 \(-1\)", perfect)


def test_errors_of_repeated_runs_are_means(files, tmp_path):
    (tmp_path / "other.csv").write_text(OTHER)
    runs = {"one": ["pred.csv", "other.csv"], "two": ["gold.csv"]}
    report = goldassay.evaluate(runs, gold="gold.csv", measures="literal")
    assert changes(report) == {key: (mean(pair), 0) for key, pair in CHANGES.items()}
    assert "0 (-0.5000)" in str(report)
    # The run that makes the error has the examples.
    assert 'data-of-run="1" data-of-measure="0" data-of-error="sibling instead of parent"' in report.format("html")
    assert 'data-of-run="0" data-of-measure="0" data-of-error="skips a level"' in report.format("html")


@pytest.mark.filterwarnings("ignore:prediction and gold have no")
def test_means_that_differ_by_whole_numbers_have_whole_differences(files):
    one, worse = ([tuple(line.split(",")) for line in text.splitlines()[1:]] for text in (PRED, PRED_WORSE))
    runs = {"one": [one, "gold.csv", GOLD_ROWS], "two": [worse, "pred.csv", one]}
    report = goldassay.evaluate(runs, gold="gold.csv", measures="literal")
    assert "1.3333 (+1)" in str(report)
    assert "(+1.0000)" not in str(report) + report.format("html")


def test_several_predictions_against_several_have_one_table_without_changes(files, tmp_path):
    (tmp_path / "other.csv").write_text(OTHER)
    given = {"gold": "gold.csv", "measures": "literal", "intervals": True, "against": "all"}
    report = goldassay.evaluate(["pred.csv", "other.csv", "gold.csv"], **given)
    assert {(one.name, one.against) for one in report.error_changes} == {
        ("other.csv", "pred.csv"), ("gold.csv", "pred.csv"), ("gold.csv", "other.csv"),
    }  # fmt: skip
    table = str(report).split("errors of literal\n")
    assert len(table) == 2
    assert "(" not in table[1].split("\n\n")[0]
    counts = {line.split()[0]: line.split()[-3:] for line in table[1].split("\n\n")[0].splitlines()[2:]}
    assert counts["reversed"][-1] == "0"
    assert counts["reversed"][0] != "0"


def test_too_many_items_are_not_counted_automatically(files, monkeypatch):
    monkeypatch.setattr("goldassay.report.results.COUNTED_IN_ALL", 6)
    report = goldassay.evaluate(["pred.csv", "gold.csv"], gold="gold.csv", measures="literal")
    assert report.errors_of("literal") == []
    monkeypatch.setattr("goldassay.core.matching.COUNTED", 6)
    report = goldassay.evaluate("pred.csv", gold="gold.csv", measures="literal")
    assert report["literal"].matching.error_counts == {}
    assert "errors of" not in str(report)


SMALL = {
    "taxonomy": ("literal", {}, [("cat", "pet"), ("dog", "pet")], [("pet", "cat"), ("dog", "cat")]),
    "alignment": ("overlap", {}, [("a", "x"), ("b", "y")], [("x", "a"), ("b", "x")]),
    "labels": ("flat", {}, [("i", "cat"), ("j", "dog")], [("i", "dog"), ("j", "cat")]),
    "axioms": ("exact", {}, [("a", "r", "b"), ("c", "r", "d")], [("b", "r", "a"), ("c", "r", "b")]),
    "triples": ("triples", {}, [("a", "r", "b"), ("c", "r", "d")], [("b", "r", "a"), ("c", "r", "b")]),
}


@pytest.mark.filterwarnings("ignore::goldassay.core.errors.SuspectInputWarning")
@pytest.mark.parametrize("kind", WITH_KINDS)
def test_totals_groups_and_changes_agree_in_every_family(kind):
    measure, options, gold, pred = SMALL[kind]
    report = goldassay.evaluate(
        {"a": pred, "b": gold}, gold=gold, kind=kind, measures=measure, by="error", intervals=True, **options
    )
    worse, perfect = (run.scores[0] for run in report.runs)
    totals = worse.matching.error_counts
    assert sum(totals["pred"].values()) == sum(totals["gold"].values()) == 2
    groups = {name for name in worse.breakdowns[0].groups if name != "right"}
    assert groups <= {*totals["pred"], *totals["gold"]}
    assert groups
    assert perfect.breakdowns[0].groups == ("right",)
    assert {(one.side, one.kind): one.difference for one in report.error_changes} == {
        (side, name): -count for side, counts in totals.items() for name, count in counts.items()
    }
    assert f"errors of {worse.spec}" in str(report)
    single = goldassay.evaluate(pred, gold=gold, kind=kind, measures=measure, **options)
    assert f"errors of {worse.spec}: 2 of 2 predicted" in str(single)


def test_by_error_splits_the_counts(files, goldassay_command):
    [score] = json.loads(goldassay_command(*files, "--by", "error", "--format", "json").out)["runs"][0]["scores"]
    [found] = score["breakdowns"]
    groups = {one["group"]: one["counts"] for one in found["groups"]}
    assert found["by"] == "error"
    assert {name: counts["n_pred"] for name, counts in groups.items() if counts["n_pred"]} == {
        "right": 1, "reversed": 1, "skips a level": 1, "child unknown": 1,
    }  # fmt: skip
    assert sum(counts["n_gold"] for counts in groups.values()) == score["counts"]["n_gold"]


def test_evidence_names_the_kind(files, tmp_path, goldassay_command):
    assert goldassay_command(*files, "--explain", "out.jsonl").code == 0
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert {row["item"]: row["error"] for row in rows if row["side"] == "pred"} == {
        "cat -> pet": None,
        "pet -> dog": "reversed",
        "dog -> animal": "skips a level",
        "unicorn -> animal": "child unknown",
    }


def test_labels_are_grouped_by_what_is_wrong_with_their_instance():
    hierarchy = Hierarchy.from_edges(TREE)
    gold = Labels.from_rows([("i", "a1"), ("j", "a1"), ("k", "a2"), ("l", "b1")], hierarchy=hierarchy)
    pred = Labels.from_rows([("i", "a1"), ("j", "a"), ("k", "a1")], hierarchy=hierarchy)
    found = goldassay.breakdown(goldassay.parse("lca").score(pred=pred, gold=gold), by="error")
    assert dict(zip(found["group"], found["instances"], strict=True)) == {
        "descendant": 1, "instance without labels": 1, "right": 1, "sibling": 1,
    }  # fmt: skip


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize(
    "measure",
    [
        "flat(threshold=0.5)",
        "exact_match(threshold=0.5)",
        "lca(threshold=0.5)",
        "wu_palmer(threshold=0.5)",
        "hierarchical(threshold=0.5)",
    ],
)
def test_labels_below_the_threshold_are_no_errors(measure):
    hierarchy = Hierarchy.from_edges(TREE)
    gold = Labels.from_rows([("i", "a1"), ("j", "b1")], hierarchy=hierarchy)
    rows = [("i", "a1", 0.9), ("i", "b1", 0.4), ("j", "a2", 0.8), ("j", "top", 0.1)]
    report = goldassay.evaluate(
        Labels.from_rows(rows, hierarchy=hierarchy), gold=gold, kind="labels", measures=measure, by="error"
    )
    score = report.runs[0].scores[0]
    assert sum(score.matching.error_counts["pred"].values()) == 1
    assert "1 of 2 predicted (1 other branch)" in str(report)
    assert score.matching.error_counts["gold"] == {"other branch": 1}
    assert score.breakdowns[0].groups == ("other branch", "right")
