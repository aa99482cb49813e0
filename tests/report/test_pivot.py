"""Matrices of main values: predictions and measures, predictions and groups."""

import polars as pl
import pytest

import goldassay
from goldassay.core.text import NumberFormat
from goldassay.report.pivot import pivot, pivot_tables

GOLD = [("cat", "pet"), ("dog", "pet"), ("pet", "animal")]
PREDS = {"mine": GOLD[:2], "their|s": GOLD, "none": [("x", "y")]}


@pytest.fixture(scope="module")
def report():
    with pytest.warns(goldassay.SuspectInputWarning):
        return goldassay.evaluate(PREDS, gold=GOLD, measures=["literal", "closure"], by="depth", selfcheck=False)


def cells(table):
    return [[f"{cell.text}{'*' * cell.best}" for cell in row] for row in table.rows]


def test_predictions_are_rows_and_measures_columns(report):
    first, literal, closure = pivot_tables(report, NumberFormat(2))
    assert (first.title, first.head) == ("f1", ["prediction", "literal", "closure"])
    assert cells(first) == [["mine", "0.80", "0.57"], ["their|s", "1.00*", "1.00*"], ["none", "0.00", "0.00"]]
    assert (literal.title, closure.title) == ("literal f1 by depth", "closure f1 by depth")
    for table in (literal, closure):
        assert table.head == ["prediction", "1", "2"]
        # Of depth 2 two of them have nothing: their precision is 0/0, and their F1 is 0.
        assert cells(table) == [["mine", "0.00", "0.00"], ["their|s", "1.00*", "1.00*"], ["none", "0.00", "0.00"]]


def test_less_is_better_where_the_measure_says_so():
    gold = [("s", "t"), ("u", "v")]
    ranked = {"a": [("s", "t", 0.9), ("u", "x", 0.9), ("u", "v", 0.1)], "b": [("s", "t", 0.9), ("u", "v", 0.9)]}
    report = goldassay.evaluate(ranked, gold=gold, kind="alignment", measures=["mean_rank", "mrr"])
    [table] = pivot_tables(report, NumberFormat(1))
    assert table.head == ["prediction", "mean_rank mean_rank", "mrr mrr"]
    assert cells(table) == [["a", "1.5", "0.8"], ["b", "1.0*", "1.0*"]]


def test_systems_have_the_means_of_their_runs():
    report = goldassay.evaluate({"one": [GOLD[:1], GOLD], "two": [GOLD[:2], GOLD[:2]]}, gold=GOLD, measures="literal")
    assert pl.read_csv(pivot(report, "csv").encode()).rows() == [("one", 0.75), ("two", pytest.approx(0.8))]


def test_every_layout_has_the_matrix(report):
    assert "| `their\\|s` | **1.0000** | **1.0000** |" in pivot(report, "markdown")
    assert r"& \textbf{1.0000} & \textbf{1.0000}" in pivot(report, "latex")
    assert r"Prediction & literal & closure \\" in pivot(report, "latex")
    assert pivot(report, "text").splitlines()[0] == "f1"
    with pytest.raises(goldassay.UsageError, match="2 of groups"):
        pivot(report, "csv")
    with pytest.raises(goldassay.UsageError, match="html"):
        pivot(report, "html")


def test_a_measure_without_such_groups_is_an_error():
    report = goldassay.evaluate({"mine": GOLD}, gold=GOLD, measures=["literal", "closure"], by="error")
    with pytest.raises(goldassay.UsageError, match="closure has no groups by error") as refused:
        pivot(report)
    assert refused.value.hint == "leave it out of -m"


def test_the_command_shows_it(goldassay_command, tmp_path):
    for name, rows in (("gold", GOLD), ("a", GOLD[:2])):
        (tmp_path / f"{name}.csv").write_text("child,parent\n" + "".join(f"{one},{other}\n" for one, other in rows))
    words = ("taxonomy", f"mine={tmp_path}/a.csv", "--gold", tmp_path / "gold.csv", "-m", "literal", "--pivot")
    assert goldassay_command(*words, "--format", "csv").out == "prediction,literal\nmine,0.8\n"
    assert goldassay_command(*words, "--places", "1").out.splitlines()[-1].split() == ["mine", "0.8"]
    done = goldassay_command(*words, "-o", tmp_path / "matrix.md", "--format", "markdown")
    assert (done.out, (tmp_path / "matrix.md").read_text().splitlines()[-1]) == ("", "| `mine` | 0.8000 |")
    for more, message in ((["--format", "json"], "no such format"), (["--misses", "2"], "--misses has no effect")):
        refused = goldassay_command(*words, *more)
        assert refused.code == 2
        assert message in refused.err


def test_the_example_of_pivot_tables():
    gold = goldassay.Graph.from_edges([("cat", "pet"), ("pet", "animal")])
    report = goldassay.evaluate({"mine": gold}, gold=gold, measures=["literal", "closure"], by="depth")
    assert [(table.title, table.head) for table in pivot_tables(report, NumberFormat(2))][:2] == [
        ("f1", ["prediction", "literal", "closure"]),
        ("literal f1 by depth", ["prediction", "1", "2"]),
    ]
