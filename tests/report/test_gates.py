import pytest

import goldassay
from goldassay.report.gates import Gate, dropped, unmet

GOLD = goldassay.Graph.from_edges([(f"child {n}", "parent") for n in range(10)])


def report(count):
    half = goldassay.Graph.from_edges([(f"child {n}", "parent") for n in range(count)])
    return goldassay.evaluate(half, gold=GOLD, measures=["literal", "literal(distinct=true)"])


@pytest.mark.parametrize(
    ("text", "gate"),
    [
        ("f1=0.5", Gate(measure=None, value="f1", bound=0.5)),
        ("fuzzy.f1 = .5", None),
        ("literal=1", Gate(measure=None, value="literal", bound=1.0)),
        ("literal.recall=0.5", Gate(measure="literal", value="recall", bound=0.5)),
        ("fuzzy(threshold=0.5).f1=0.8", Gate(measure="fuzzy(threshold=0.5)", value="f1", bound=0.8)),
        ("fuzzy(threshold=0.5)=8e-1", Gate(measure="fuzzy(threshold=0.5)", value=None, bound=0.8)),
    ],
)
def test_a_gate_reads(text, gate):
    if gate is None:
        assert Gate.parse(text.replace(" ", "")).value == "f1"
    else:
        assert Gate.parse(text) == gate


@pytest.mark.parametrize("text", ["", "f1", "f1=", "=1", "f1=high", "f1=nan", "fuzzy(threshold=0.5)"])
def test_what_is_no_gate_is_refused(text):
    with pytest.raises(goldassay.UsageError, match="gate"):
        Gate.parse(text)


@pytest.mark.parametrize(
    ("text", "failures"),
    [
        ("recall=0.5", 0),
        ("recall=0.51", 2),
        ("literal.recall=0.51", 2),
        ("literal=0.7", 2),
        ("literal(distinct=true).recall=0.51", 1),
        ("literal(distinct=true)=0.7", 1),
        ("precision=1", 0),
    ],
)
def test_what_falls_short_is_said(text, failures):
    assert len(unmet(report(5), [Gate.parse(text)])) == failures


def test_a_gate_about_nothing_is_refused_since_it_would_never_fail():
    with pytest.raises(goldassay.UsageError, match="about no value"):
        unmet(report(5), [Gate.parse("fuzzy.f1=0.8")])
    with pytest.raises(goldassay.UsageError, match="about no value"):
        unmet(report(5), [Gate.parse("literal.f2=0.8")])


@pytest.mark.filterwarnings("ignore::goldassay.SuspectInputWarning")
def test_what_is_no_number_meets_no_gate():
    with pytest.warns(goldassay.UndefinedWarning):
        empty = goldassay.evaluate(goldassay.Graph.from_edges([]), gold=GOLD, measures="literal(undefined=nan)")
    assert unmet(empty, [Gate.parse("precision=0")])


def test_a_drop_is_said_and_a_gain_is_not():
    before, after = report(6), report(5)
    assert len(list(dropped(after, before, most=0.0))) == 4
    assert "recall is 0.5, was 0.6: worse by 0.1" in "".join(dropped(after, before, most=0.05))
    assert not list(dropped(after, before, most=0.11))
    assert not list(dropped(before, after, most=0.0))


def test_a_baseline_of_other_measures_is_refused():
    other = goldassay.evaluate(GOLD, gold=GOLD, measures="literal(distinct=true)")
    only = goldassay.evaluate(GOLD, gold=GOLD, measures="literal")
    with pytest.raises(goldassay.UsageError, match="in common"):
        list(dropped(other, only, most=0.0))


def test_several_predictions_are_paired_by_their_path():
    both = goldassay.evaluate([GOLD, GOLD], gold=GOLD, measures="literal")
    assert not list(dropped(both, both, most=0.0))
