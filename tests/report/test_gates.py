import math
from dataclasses import replace

import pytest

import goldassay
from goldassay.report.gates import Checks, Gate, check_gates

GOLD = goldassay.Graph.from_edges([(f"child {n}", "parent") for n in range(10)])


def unmet(report, gates):
    return Checks(gates=gates).failures(report)


def dropped(report, baseline, *, most):
    return Checks(baseline=baseline, max_drop=most).failures(report)


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


@pytest.mark.parametrize(
    "text", ["", "f1", "f1=", "=1", "f1=high", "f1=nan", "f1=inf", "f1=-inf", "fuzzy(threshold=0.5)"]
)
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
def test_what_falls_short_is_reported(text, failures):
    assert len(unmet(report(5), [Gate.parse(text)])) == failures


def test_a_gate_about_nothing_is_refused_since_it_would_never_fail():
    with pytest.raises(goldassay.UsageError, match="does not match any value"):
        unmet(report(5), [Gate.parse("fuzzy.f1=0.8")])
    with pytest.raises(goldassay.UsageError, match="does not match any value"):
        unmet(report(5), [Gate.parse("literal.f2=0.8")])


@pytest.mark.filterwarnings("ignore::goldassay.SuspectInputWarning")
def test_what_is_no_number_matches_no_gate():
    with pytest.warns(goldassay.UndefinedWarning):
        empty = goldassay.evaluate(goldassay.Graph.from_edges([]), gold=GOLD, measures="literal(undefined=nan)")
    assert unmet(empty, [Gate.parse("precision=0")])


def test_a_drop_is_reported_and_a_gain_is_not():
    before, after = report(6), report(5)
    assert len(dropped(after, before, most=0.0)) == 4
    assert "recall is 0.5, was 0.6: worse by 0.1" in "".join(dropped(after, before, most=0.05))
    assert not dropped(after, before, most=0.11)
    assert not dropped(before, after, most=0.0)


def test_a_baseline_of_other_measures_is_refused():
    other = goldassay.evaluate(GOLD, gold=GOLD, measures="literal(distinct=true)")
    only = goldassay.evaluate(GOLD, gold=GOLD, measures="literal")
    with pytest.raises(goldassay.UsageError, match="in common"):
        dropped(other, only, most=0.0)

    with pytest.raises(goldassay.UsageError, match="in common") as caught:
        dropped(other, replace(only, runs=()), most=0.0)
    assert caught.value.found == "no score"


def test_a_baseline_without_a_value_is_compared_by_the_others():
    after, before = report(5), report(6)
    old = [replace(score, values={"recall": score.values["recall"]}) for score in before.runs[0].scores]
    before = replace(before, runs=(replace(before.runs[0], scores=tuple(old)),))
    assert len(dropped(after, before, most=0.0)) == 2
    assert len(dropped(before, report(7), most=0.0)) == 2


def named(*counts):
    """Give a report of predictions of a.tsv, b.tsv and so on."""
    runs = [
        replace(report(count).runs[0], pred=replace(report(count).runs[0].pred, path=f"{name}.tsv"))
        for name, count in zip("abcd", counts, strict=False)
    ]
    return replace(report(5), runs=tuple(runs))


def test_several_predictions_are_paired_by_their_path():
    assert not dropped(named(5, 8), named(5, 8), most=0.0)
    messages = dropped(named(5, 8), named(8, 5), most=0.0)
    assert len(messages) == 4
    assert all(one.startswith("a.tsv: ") for one in messages)


def test_a_single_prediction_is_paired_with_a_single_one_any_their_paths():
    other = replace(named(7, 8), runs=named(7, 8).runs[1:])
    assert len(dropped(named(5), other, most=0.0)) == 4
    # Of several it is paired with the one of its path, and with none if there is none.
    assert len(dropped(named(5), named(6, 8), most=0.0)) == 4
    assert not dropped(named(5), named(5, 8), most=0.0)
    assert not dropped(named(5, 5), replace(other, runs=named(5).runs), most=0.0)
    with pytest.raises(goldassay.UsageError, match="in common"):
        dropped(named(5), replace(other, runs=other.runs * 2), most=0.0)


@pytest.mark.parametrize(("bound", "failures"), [("0.5000000000005", 0), ("0.500000000002", 2), ("0.5", 0)])
def test_a_bound_forgives_the_last_bits_only(bound, failures):
    assert len(unmet(report(5), [Gate.parse(f"recall={bound}")])) == failures


@pytest.mark.filterwarnings("ignore::goldassay.SuspectInputWarning")
def test_the_allowance_itself_is_forgiven():
    nothing = goldassay.evaluate(goldassay.Graph.from_edges([("x", "y")]), gold=GOLD, measures="literal")
    assert not unmet(nothing, [Gate.parse("literal.recall=1e-12")])
    assert not unmet(shapes(CHAINS), [Gate.parse("motif=-1e-12")])
    assert not dropped(report(5), report(5), most=-1e-12)


def test_a_drop_forgives_the_last_bits_only():
    assert 0.8 - 0.7 > 0.1
    recalls = [Gate.parse("recall=0")]
    assert not unmet(report(7), recalls)
    assert not [messages for messages in dropped(report(7), report(8), most=0.1) if " recall " in messages]
    assert [messages for messages in dropped(report(7), report(8), most=0.1 - 2e-12) if " recall " in messages]


CHAINS = goldassay.Graph.from_edges([("a", "b"), ("b", "c"), ("c", "d")])
FORKS = goldassay.Graph.from_edges([("a", "z"), ("b", "z"), ("c", "z")])


def shapes(pred):
    return goldassay.evaluate(pred, gold=CHAINS, measures="motif")


@pytest.mark.filterwarnings("ignore::goldassay.SuspectInputWarning")
def test_where_less_is_better_a_bound_is_an_upper_one():
    assert shapes(CHAINS)["motif"].distance == 0.0
    assert shapes(FORKS)["motif"].distance == 1.0
    assert not unmet(shapes(CHAINS), [Gate.parse("motif=0.5")])
    (messages,) = unmet(shapes(FORKS), [Gate.parse("motif=0.5")])
    assert "distance is 1, " in messages
    assert "at most 0.5" in messages
    assert not unmet(shapes(FORKS), [Gate.parse("motif=1")])
    assert not unmet(shapes(FORKS), [Gate.parse("motif=0.9999999999995")])
    assert unmet(shapes(FORKS), [Gate.parse("motif=0.999999999998")])


@pytest.mark.filterwarnings("ignore::goldassay.SuspectInputWarning")
def test_where_less_is_better_a_rise_is_a_loss():
    assert not dropped(shapes(CHAINS), shapes(FORKS), most=0.0)
    (messages,) = dropped(shapes(FORKS), shapes(CHAINS), most=0.5)
    assert "worse by 1," in messages


@pytest.mark.parametrize("measure", ["literal", "motif"])
def test_a_value_that_is_undefined_passes_no_gate_and_no_baseline(measure):
    def valued(value):
        one = report(5) if measure == "literal" else goldassay.evaluate(FORKS, gold=CHAINS, measures=measure)
        run = replace(one.runs[0], scores=(replace(one.runs[0].scores[0], values={"x": value}),))
        return replace(one, runs=(run,))

    for now, was in ((math.nan, 0.5), (0.5, math.nan), (math.nan, math.nan)):
        [expected_message] = dropped(valued(now), valued(was), most=1.0)
        assert f" x is {now:g}, was {was:g}: an undefined value passes no check" in expected_message
        assert unmet(valued(now), [Gate(measure=None, value="x", bound=0.5)]) == (
            ["prediction: literal x is nan, and must be at least 0.5"]
            if math.isnan(now) and measure == "literal"
            else ["prediction: motif x is nan, and must be at most 0.5"]
            if math.isnan(now)
            else []
        )


MEASURES = [goldassay.parse(spec) for spec in ("literal", "fuzzy(threshold=0.5)", "motif")]


@pytest.mark.parametrize(
    "text", ["f1=0", "f1=1", "fuzzy=1", "motif=0", "motif.distance=0.3", "fuzzy(threshold=0.5).recall=1"]
)
def test_a_gate_that_a_value_can_reach_is_let_through(text):
    check_gates([Gate.parse(text)], MEASURES)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("overlap.f1=0.5", "The gate does not match any value"),
        ("f2=0.5", "The gate does not match any value"),
        ("fuzzy(threshold=0.6)=0.5", "The gate does not match any value"),
        ("f1=90", "a share is no percentage: 0.9"),
        ("f1=1.01", "expected: a number from 0 to 1"),
        ("motif=-0.1", "motif distance never reaches this bound"),
        ("motif=50", "motif distance always reaches this bound"),
        ("f1=-1", "f1 always reaches this bound"),
    ],
)
def test_a_gate_that_nothing_or_everything_reaches_is_refused_before_any_work(text, message):
    with pytest.raises(goldassay.UsageError) as caught:
        check_gates([Gate.parse(text)], MEASURES)
    assert message in str(caught.value)


def test_a_baseline_on_another_gold_standard_is_refused():
    other = goldassay.Graph.from_edges([("a", "b")])
    before = goldassay.evaluate(other, gold=other, measures=["literal"])
    with pytest.raises(goldassay.UsageError, match="another gold standard"):
        dropped(report(5), before, most=0)


def test_a_baseline_on_gold_of_the_same_size_with_other_items_is_refused():
    here = goldassay.Graph.from_edges([("cat", "pet"), ("oak", "tree")])
    there = goldassay.Graph.from_edges([("cat", "tree"), ("oak", "pet")])
    baseline = goldassay.evaluate(here, gold=there, measures="literal")
    with pytest.raises(goldassay.UsageError, match="another gold standard"):
        Checks(baseline=baseline).check_baseline(goldassay.evaluate(here, gold=here, measures="literal"))


def test_a_baseline_with_other_names_of_predictions_says_so():
    gold = goldassay.Graph.from_edges([("cat", "pet"), ("oak", "tree")])
    here, there = (
        goldassay.evaluate(dict.fromkeys(names, gold), gold=gold, measures="literal") for names in ("ab", "cd")
    )
    with pytest.raises(goldassay.UsageError, match="other names") as error:
        Checks(baseline=there).check_baseline(here)
    assert (error.value.found, error.value.expected) == ("c, d", "a, b")


def test_a_bound_that_is_just_missed_is_shown_with_as_many_digits():
    gold = goldassay.Graph.from_edges([(f"child {number}", "parent") for number in range(10)])
    pred = goldassay.Graph.from_edges([(f"child {number}", "parent") for number in range(7)])
    report = goldassay.evaluate(pred, gold=gold, measures="literal")
    [check] = Checks(gates=[Gate.parse("recall=0.70000001")]).check_gates(report)
    assert str(check).endswith("recall is 0.7, and must be at least 0.70000001")
    [check] = Checks(gates=[Gate.parse("recall=0.7")]).check_gates(report)
    assert (check.matched, str(check)[-38:]) == (True, "recall is 0.7, and must be at least 0.7"[-38:])


def test_the_example_of_gate():
    assert repr(Gate.parse("fuzzy.f1=0.8")) == "Gate(measure='fuzzy', value='f1', bound=0.8)"
    assert Gate.parse("fuzzy(threshold=0.5)=0.8").measure == "fuzzy(threshold=0.5)"
