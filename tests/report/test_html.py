"""The parts of the page, each by hand: which columns is in a table, what a cell holds, and what is reported about the numbers."""

import math

import numpy as np
import pytest

import goldassay
from goldassay.core.panel import Table
from goldassay.core.text import USUAL, NumberFormat
from goldassay.report import html
from goldassay.report.html import _sizes
from goldassay.report.pictures import Columns
from goldassay.report.results import Listed

pytest.importorskip("jinja2")
pytestmark = pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
GOLD = goldassay.Graph.from_edges([(f"child {n}", "parent") for n in range(40)])
QUICK = goldassay.Resampling(resamples=200, level=0.9)


def graph(found, more=0):
    right = [(f"child {n}", "parent") for n in range(found)]
    return goldassay.Graph.from_edges([*right, *((f"child {n}", "other") for n in range(more))])


def heading(preds, gold_standards):
    return html.describe_heading(goldassay.evaluate(preds, gold=gold_standards, kind="taxonomy", measures="literal"))


# ---- tables


def test_hits_and_items_of_a_side_are_one_column_and_what_else_is_summed_is_left_out():
    columns = {
        "group": ["a"],
        "hit_pred": [1],
        "n_pred": [4],
        "hit_gold": [2],
        "n_gold": [3],
        "sum_f1": [0.5],
        "undefined_f1": [0],
        "hit_other": [7],
        "n_other": [8],
        "n_only": [9],
    }
    found = dict(html._merge_counts(columns))
    assert found == {
        "group": ["a"],
        "pred matched": [(1, 4)],
        "gold matched": [(2, 3)],
        "hit_other": [7],
        "n_other": [8],
        "n_only": [9],
    }
    # Without hits nothing is a count of them.
    assert list(html._merge_counts({"sum_f1": [1], "n_pred": [2]})) == [("n_pred", [2])]
    assert dict(html._merge_counts({"hit_pred": [1], "n_gold": [2]})) == {"hit_pred": [1], "n_gold": [2]}


@pytest.mark.parametrize(
    ("cell", "number", "share", "found"),
    [
        (html.Ratio(3, 1000), True, True, ("3 / 1,000", True, 3, None)),
        ("cat", False, True, ("cat", False, None, None)),
        (None, True, True, ("-", True, "nan", 0)),
        (math.nan, True, False, ("-", True, "nan", None)),
        (math.inf, True, True, ("-", True, "nan", 0)),
        (0.25, True, True, ("0.2500", True, 0.25, "25.0")),
        (1.5, True, True, ("1.5000", True, 1.5, "100.0")),
        (1200, True, False, ("1,200", True, 1200, None)),
    ],
)
def test_a_cell_of_a_table(cell, number, share, found):
    made = html._table_cell(cell, USUAL, number=number, share=share)
    assert (made["text"], made["number"], made.get("raw"), made["share"]) == found


def test_tables_of_groups_have_the_places_of_all_tables():
    panel = Table(
        title="", by="kind", shares=("f1",), columns={"kind": ["a"], "f1": [0.125], "hit_pred": [1.5], "n_pred": [3]}
    )
    rows = html._table(panel, None, NumberFormat(1, percent=True))["rows"]
    assert [cell["text"] for cell in rows[0]] == ["a", "12.5", "1.5 / 3"]


def listed(groups):
    return Listed(columns={}, groups={"depth": [str(n) for n in range(groups)]})


@pytest.mark.parametrize(("groups", "by"), [(1, "depth"), (html.MOST_GROUPS, "depth"), (html.MOST_GROUPS + 1, "")])
def test_a_table_filters_the_items_by_groups_that_are_not_too_many(groups, by):
    panel = Table(title="by depth", by="depth", columns={"depth": ["1", "2"], "hit_pred": [1, 2], "n_pred": [3, 4]})
    made = html._table(panel, listed(groups))
    assert made["by"] == by
    assert made["head"] == [("depth", "text"), ("pred matched", "number")]
    assert [cell["text"] for cell in made["rows"][1]] == ["2", "2 / 4"]
    assert html._table(panel, None)["by"] == ""


@pytest.mark.parametrize("more", [0, 1])
def test_of_many_groups_the_first_are_shown_and_it_is_reported(more):
    rows = html.GROUPS + more
    panel = Table(title="", by="depth", note="All.", columns={"depth": list(map(str, range(rows))), "f1": [0.5] * rows})
    made = html._table(panel, None)
    assert len(made["rows"]) == html.GROUPS
    assert made["note"] == ("All. The first 1,000 of 1,001." if more else "All.")
    assert made["head"][1][1] == "number"
    assert [cell["number"] for cell in made["rows"][0]] == [False, True]


# ---- items


def test_items_are_sorted_by_verdict_then_similarity_and_name_their_rows():
    columns = {
        "side": ["pred", "pred", "gold", "gold", "gold"],
        "verdict": ["invented", "hit", "missed", "missed", "hit"],
        "item": list("abcde"),
        "counterpart": ["c", "e", "a", None, "b"],
        "similarity": np.array([0.5, 1.0, 0.25, 0.75, np.nan]),
        "remark": ["", None, math.nan, "", ""],
        "weight": ["", "", "x", "", ""],
    }
    kept = Columns()
    found = html._items(Listed(columns=columns, groups={"depth": list("11222"), "wide": list("11222")}), kept)
    assert [one["name"] for one in found["columns"]] == [
        "verdict",
        "side",
        "item",
        "counterpart",
        "similarity",
        "weight",
    ]
    assert (found["rows"], found["total"], set(found["groups"])) == (5, 5, {"depth", "wide"})
    place = next(one for one in found["columns"] if one["name"] == "item")
    assert numbers(kept, place["array"]) == [kept.words.index(word) for word in "dcabe"]
    # d and c are the second and the first of gold, e its third.
    assert numbers(kept, found["places"]) == [1, 0, 0, 1, 2]


def numbers(columns, array):
    import base64

    made = columns.arrays[array if isinstance(array, int) else array["array"]]
    return np.frombuffer(base64.b64decode(made["bytes"]), "<i4").tolist()


@pytest.mark.parametrize(
    ("name", "column", "says"),
    [
        ("counterpart", [None, None], True),
        ("remark", [None, "", math.nan], False),
        ("remark", [None, 0], True),
        ("remark", np.array([np.nan, np.nan]), False),
        ("remark", np.array([np.nan, 0.0]), True),
    ],
)
def test_a_column_without_a_value_is_left_out(name, column, says):
    assert html._says_something(name, column) is says


# ---- what is around them


@pytest.mark.parametrize(
    ("preds", "gold_standards", "title", "summary"),
    [
        (graph(1), GOLD, "prediction against the gold standard", "A prediction of 1 edge, scored against 40 edges of "),
        ([graph(2), graph(3)], GOLD, "2 predictions against the gold standard", "2 predictions of 2 to 3 edges, scored "),
        (graph(2), [GOLD, graph(4)], "prediction against the gold standard and the gold standard", "A prediction of 2 "),
        (graph(2), [GOLD, graph(4), graph(5)], "prediction against 3 gold standards", "A prediction of 2 edges, scored "),
        ({"a": [graph(2), graph(3)], "b": [graph(4)] * 2}, GOLD, "2 systems against the gold standard", "4 predictions of "),
    ],
)  # fmt: skip
def test_the_heading_names_few_and_counts_many(preds, gold_standards, title, summary):
    found = heading(preds, gold_standards)
    assert found["title"] == title
    assert found["summary"].startswith(summary)


def test_what_is_reported_about_the_numbers():
    def message(preds, **options):
        return " ".join(html._number_notes(goldassay.evaluate(preds, gold=GOLD, measures="literal", **options)))

    assert message(graph(2)) == ""
    assert message(graph(20), intervals=QUICK) == "In brackets the 90% interval of 200 resamples."
    assert message([graph(2), graph(3)]) == "The best values of each measure are bold."
    runs = message({"a": [graph(2), graph(3)], "b": [graph(4)] * 2}, intervals=QUICK)
    assert "In brackets" not in runs
    assert "mean \u00b1 standard deviation over runs" in runs
    assert "errors: means over the runs" in runs
    assert "bold" not in message({"a": [graph(2), graph(3)]}, intervals=QUICK), "one row has nothing to be better than"


def test_one_system_is_named_in_the_title_and_several_are_counted():
    def title(preds):
        return html.describe_heading(goldassay.evaluate(preds, gold=GOLD, measures="literal"))["title"]

    assert title({"v1/gpt": [graph(2), graph(3)]}).startswith("v1/gpt against ")
    assert title({"a": [graph(2), graph(3)], "b": [graph(4)] * 2}).startswith("2 systems against ")


def test_a_block_has_the_values_of_one_measure_the_best_first():
    preds = {"bad": graph(5), "good": graph(30), "middle": graph(10, more=10)}
    report = goldassay.evaluate(preds, gold=GOLD, measures=["literal", "motif"])
    block = html._block(report, "literal", NumberFormat(2))
    assert block["head"] == [(name, "number" if at else "text") for at, name in enumerate(
        ["prediction", "precision", "recall", "f1", "pred matched", "gold matched"]
    )]  # fmt: skip
    assert [row["prediction"] for row in block["rows"]] == ["good", "middle", "bad"]
    assert [cell["value"] for cell in block["rows"][1]["cells"]] == ["0.50", "0.25", "0.33"]
    assert block["rows"][1]["matched"] == ["10 / 20", "10 / 40"]
    other = html._block(report, "motif", NumberFormat(2))
    assert [name for name, _ in other["head"]] == ["prediction", "distance"]
    assert {tuple(row["matched"]) for row in other["rows"]} == {()}


def test_a_curve_chooses_items_where_similarity_decides():
    report = goldassay.evaluate(graph(30, more=5), gold=GOLD, measures="fuzzy(threshold=0.5)", encoder="hashing")
    page = html._Page(report, html.ignore_progress)
    assert {panel["linked"] for panel in page.panels if panel["kind"] == "lines"} == {True}


# ---- the measure that a page opens with


@pytest.mark.parametrize(
    ("measures", "first"),
    [
        (["literal", "fuzzy(threshold=0.0)", "anchored"], 2),
        (["anchored", "literal"], 0),
        (["literal", "literal(relation=exact)"], None),
    ],
)
def test_a_page_opens_with_anchored_edges_where_measures_disagree(measures, first):
    pred, others = (
        goldassay.Graph.from_edges([(f"{word} {n}", "parent") for n in range(9)]) for word in ("child", "x")
    )
    report = goldassay.evaluate([pred, others], gold=GOLD, measures=measures, encoder="hashing")
    assert html.find_opening(report) == first
    if first is not None:
        assert f'data-first="{first}"' in report.format("html")


def test_a_page_of_measures_that_agree_opens_as_ever():
    report = goldassay.evaluate(GOLD, gold=GOLD, measures=["literal", "anchored"], encoder="hashing")
    assert html.find_opening(report) is None


@pytest.mark.parametrize(("name", "found"), [("page.txt", ".txt"), ("page", "no suffix")])
def test_a_page_of_another_kind_is_refused_by_its_suffix(tmp_path, name, found):
    with pytest.raises(goldassay.OutputError, match="must be an HTML file") as caught:
        html.check_page(tmp_path / name)
    assert caught.value.found == found


def test_the_example_of_sizes():
    assert (_sizes([1], "edge"), _sizes([158, 212, 240], "edge")) == ("1 edge", "158 to 240 edges")
