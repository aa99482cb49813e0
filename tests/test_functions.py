"""Measures of plain functions are shown next to all others."""

import copy
import pickle

import pytest

import goldassay

GOLD = [("cat", "pet"), ("dog", "pet"), ("pet", "animal")]
PRED = [("cat", "pet"), ("dog", "animal")]


def size(pred, gold):
    return len(pred) / len(gold)


def shape(pred, gold):
    return {"spare": abs(len(gold) - len(pred)), "first": len(pred.ids)}


SHAPE = goldassay.measure(shape, values={"spare": (0, 99), "first": (0, 99)}, higher_is_better=False)


def test_its_values_are_next_to_those_of_other_measures():
    report = goldassay.evaluate({"a": PRED, "b": GOLD}, gold=GOLD, measures=["literal", size, SHAPE])
    assert report.metrics() == {
        "a/literal.precision": 0.5,
        "a/literal.recall": 1 / 3,
        "a/literal.f1": 0.4,
        "a/size.value": 2 / 3,
        "a/shape.spare": 1,
        "a/shape.first": 4,
        "b/literal.precision": 1,
        "b/literal.recall": 1,
        "b/literal.f1": 1,
        "b/size.value": 1,
        "b/shape.spare": 0,
        "b/shape.first": 4,
    }
    for layout in ("text", "json", "csv", "markdown", "latex", "html", "github"):
        assert "shape" in report.format(layout)
    # Less is better.
    assert "| `b` | **0.0000** | 4.0000 |" in report.format("markdown")


def test_it_may_be_without_a_name_or_of_another_family():
    assert goldassay.evaluate(PRED, gold=GOLD, measures=lambda pred, gold: len(gold) - len(pred)).runs[0].scores[
        0
    ].values == {"value": 1}
    rows = [("cat", "chat")]
    report = goldassay.evaluate(rows, gold=rows, measures=goldassay.measure(size, kind="alignment", name="ratio"))
    assert (report.kind, report["ratio"].value, report["ratio"].spec) == ("alignment", 1, "ratio")


@pytest.mark.parametrize(
    ("measures", "kind"),
    [
        ("hit_at_k(k=1)", "alignment"),
        (["overlap", "jaccard"], "alignment"),
        ({"triples": {}}, "triples"),
        (goldassay.parse("literal"), "taxonomy"),
        (None, "taxonomy"),
    ],
)
@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
def test_the_kind_follows_from_the_measures(measures, kind):
    rows = [("a", "b", "c")] if kind == "triples" else [("a", "b")]
    found = goldassay.evaluate(rows, gold=rows, measures=measures, encoder="hashing")
    assert found.kind == kind
    with pytest.raises(goldassay.UsageError, match="axioms"):
        goldassay.evaluate(rows, gold=rows, measures=measures or "literal", kind="axioms")


@pytest.mark.parametrize("made", ["x", None, float("nan"), {"a": 1}, [1], float("inf")])
def test_what_is_no_number_is_refused(made):
    with pytest.raises(goldassay.UsageError, match="must return a number"):
        goldassay.evaluate(PRED, gold=GOLD, measures=lambda *_: made)


@pytest.mark.parametrize("bad", [{"name": "a b"}, {"values": []}, {"values": ["a-b"]}, {"kind": "none"}])
def test_a_bad_declaration_is_refused(bad):
    with pytest.raises(goldassay.UsageError):
        goldassay.measure(size, **bad)


def test_a_report_with_it_is_copied_and_pickled():
    report = goldassay.evaluate(PRED, gold=GOLD, measures=[size, SHAPE])
    for other in (copy.deepcopy(report), pickle.loads(pickle.dumps(report))):
        assert other["shape"].values == {"spare": 1, "first": 4}
        assert not other["shape"].measure.higher_is_better


def test_two_functions_of_one_name_are_refused():
    with pytest.raises(goldassay.UsageError, match=r"(?s)Two measures have the same name.*lambda.*name="):
        goldassay.evaluate(PRED, gold=GOLD, measures=[lambda *_: 1, lambda *_: 0])


@pytest.mark.parametrize("name", [1, ("a", 1), "a b", b"a"])
def test_a_name_that_is_none_is_refused(name):
    with pytest.raises(goldassay.UsageError, match="This name is invalid"):
        goldassay.measure(size, name=name)


@pytest.mark.parametrize(
    "values", [5, None, {"value": "x"}, {"value": None}, {"value": (0, 1, 2)}, {"value": ("a", 1)}]
)
def test_values_that_are_none_are_refused(values):
    with pytest.raises(goldassay.UsageError, match="The values of this measure are invalid"):
        goldassay.measure(size, values=values)


def test_what_is_no_function_is_refused():
    with pytest.raises(goldassay.UsageError, match="A measure needs a function"):
        goldassay.measure(5)
