"""What a measure lays out once holds its counts, its units and its groups: for every measure and every variant of it."""

import math
import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.draws import times

import goldassay
from goldassay.core.breakdown import break_down, groupings_of
from goldassay.core.context import Context
from goldassay.core.parameters import parameters_of
from goldassay.families import families

ENCODER = goldassay.get_encoder("hashing")


def score(measure, pred, gold):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", goldassay.GoldassayWarning)
        return measure.evaluate(pred=pred, gold=gold, context=Context(encoder=ENCODER))


def test_its_family_can_split_it(each, laboratories):
    for measure in each:
        some_groups_are_found(measure, laboratories)


def some_groups_are_found(measure, laboratories):
    lab = laboratories[measure.family]
    model = lab.build(lab.some)
    result = score(measure, model, model)
    known = groupings_of(result, families()[measure.family].views.groupings)
    for by in known or [measure.unit]:  # a graph of few edges has no motif, and so no group of them
        assert len(break_down(result, by, families()[measure.family].views.groupings)) or measure.name == "motif", (
            measure,
            by,
        )


def test_a_weighed_f_is_the_same_in_a_group_as_in_the_whole():
    gold = goldassay.alignments.Alignment.from_rows([("a", "x"), ("b", "y"), ("c", "z"), ("d", "w")])
    pred = goldassay.alignments.Alignment.from_rows([("a", "x"), ("b", "q")])
    result = score(goldassay.parse("overlap(beta=2)"), pred, gold)
    groups = goldassay.breakdown(result, by="case")
    assert groups["f2"].to_list() == [pytest.approx(result.f2)] == [pytest.approx(5 / 18)]


def test_duplicates_count_in_groups_as_in_the_whole():
    gold = goldassay.alignments.Alignment.from_rows([("a", "x")])
    pred = goldassay.alignments.Alignment.from_rows([("a", "x"), ("a", "x"), ("b", "y")])
    result = score(goldassay.parse("overlap(duplicates=count)"), pred, gold)
    assert result.counts["n_pred"] == 3
    assert goldassay.breakdown(result, by="relation")["n_pred"].to_list() == [3]


def test_what_a_measure_cannot_be_grouped_by_is_refused_with_what_it_can():
    graph = goldassay.Graph.from_edges([("cat", "pet")])
    with pytest.raises(goldassay.UsageError, match="depth, branch, component, lexical"):
        goldassay.breakdown(score(goldassay.parse("nodes"), graph, graph), by="relation")
    with pytest.raises(goldassay.UsageError, match="depht"):
        goldassay.evaluate(graph, gold=graph, by="depht")


def test_intervals_are_drawn_inside_the_group():
    gold = goldassay.Graph.from_edges([(f"a{n}", "top") for n in range(40)] + [(f"b{n}", "a0") for n in range(30)])
    pred = goldassay.Graph.from_edges([(f"a{n}", "top") for n in range(20)] + [(f"b{n}", "a0") for n in range(30)])
    [found] = goldassay.evaluate(pred, gold=gold, measures="literal", by="depth", intervals=True)["literal"].breakdowns
    assert found.groups == ("1", "2")
    assert (found.intervals[1]["recall"].low, found.intervals[1]["recall"].high) == (1.0, 1.0)
    assert found.intervals[0]["recall"].low < 0.5 < found.intervals[0]["recall"].high
    assert np.isclose(found.values["recall"][0], 0.5)


def curve_of(measure, pred, gold):
    return measure.curve(pred=pred, gold=gold, context=Context(encoder=ENCODER))


@times(4)
@given(data=st.data())
def test_the_curve_at_any_threshold_is_the_measure_with_it(swept, laboratories, data):
    measure = data.draw(swept)
    lab = laboratories[measure.family]
    pred, gold = lab.build(data.draw(lab.records)), lab.build(data.draw(lab.records))
    curve = curve_of(measure, pred, gold)
    low, high = parameters_of(type(measure))[measure.cut.parameter].bounds or (-math.inf, math.inf)
    for threshold in {measure.cut.value, 0.25, 0.4, 0.5, 1.0, 1.1, *curve.thresholds.tolist()}:
        if low <= threshold <= high:
            cut = score(replace(measure, **{measure.cut.parameter: threshold}), pred, gold)
            assert dict(curve.at(threshold).values) == pytest.approx(dict(cut.values), nan_ok=True), threshold
    points = [curve.point(row) for row in range(len(curve))]
    for point in (*points, *filter(None, [curve.best])):
        assert dict(curve.at(point.threshold).values) == pytest.approx(dict(point.values), nan_ok=True), point


def test_a_measure_without_a_threshold_says_so(unswept, laboratories):
    for measure in unswept:
        model = laboratories[measure.family].build(laboratories[measure.family].some)
        with pytest.raises(goldassay.UsageError, match=r"no threshold to sweep|no curve|curves are not supported"):
            curve_of(measure, model, model)


def test_gold_earns_a_half_at_one_score_and_the_other_half_at_another():
    rows = goldassay.alignments.Alignment.from_rows
    pred, gold = rows([("a", "x", "<", 0.9), ("a", "x", "=", 0.3)]), rows([("a", "x", "=")])
    curve = goldassay.parse("overlap(relation=graded)").curve(pred=pred, gold=gold)
    assert (curve.at(0.5).recall, curve.at(0.3).recall) == (0.5, 1.0)
