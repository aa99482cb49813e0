"""What a measure lays out once holds its counts, its units and its groups: for every measure and every variant of it."""

import math
import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import goldassay
from goldassay.core.breakdown import break_down, groupings_of
from goldassay.core.context import Context
from goldassay.core.counts import Counts, Division
from goldassay.core.parameters import parameters_of
from goldassay.families import families

ENCODER = goldassay.get_encoder("hashing")


def others(declared):
    """Give values that a parameter may have besides its default: every choice, and two numbers."""
    if declared.choices:
        return [choice for choice in declared.choices if not declared.is_default(choice)]
    if declared.kind is bool:
        return [not declared.default]
    if declared.kind in (float, float | None):
        low, high = declared.bounds or (0.0, 1.0)
        return [max(low, 0.3), min(high, 0.75)]
    if declared.kind in (int, int | None):
        return [1, 3]
    return []


def variants(measure):
    """Give a measure at its defaults, and with one parameter changed at a time."""
    found = [measure()]
    for name, declared in parameters_of(measure).items():
        for value in others(declared):
            try:
                found.append(measure(**{name: value}))
            except goldassay.UsageError:
                # Such a value is of no effect unless another parameter is changed too.
                companion = {"relation": "fuzzy"} if measure.name == "literal" else {"names": "fuzzy"}
                found.append(measure(**{name: value}, **companion))
    return list(dict.fromkeys(found))


VARIANTS = [one for family in families().values() for measure in family.measures for one in variants(measure)]
# It needs weights of minilm, or ids on every concept, which random models do not have.
RUN = [one for one in VARIANTS if not getattr(one, "pooled", False) and getattr(one, "ids", "") != "required"]
every_variant = pytest.mark.parametrize("measure", RUN, ids=str)


def score(measure, pred, gold):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", goldassay.GoldassayWarning)
        return measure.evaluate(pred=pred, gold=gold, context=Context(encoder=ENCODER))


def test_there_are_variants():
    assert len(RUN) > 3 * len([measure for family in families().values() for measure in family.measures])
    assert {"overlap(beta=0.75)", "overlap(duplicates=count)", "literal(relation=fuzzy)"} <= set(map(str, RUN))


@every_variant
@settings(max_examples=8)
@given(data=st.data())
def test_groups_add_up_to_the_counts(measure, laboratories, data):
    lab = laboratories[measure.family]
    pred, gold = lab.build(data.draw(lab.records)), lab.build(data.draw(lab.records))
    result = score(measure, pred, gold)
    groupings = families()[measure.family].groupings
    known = [*groupings_of(result, groupings), measure.unit]
    for by in known:
        found = break_down(result, by, groupings)
        assert len(set(found.groups)) == len(found)
        totals = {name: math.fsum(column) for name, column in found.counts.items()}
        assert totals == pytest.approx(dict(result.counts), nan_ok=True)
        divided = measure.divide(Counts(totals), Division(measure.undefined))
        assert divided == pytest.approx(dict(result.values), nan_ok=True)
        for row in range(len(found)):
            alone = measure.divide(Counts({n: column[row] for n, column in found.counts.items()}), Division(math.nan))
            assert {n: v[row] for n, v in found.values.items()} == pytest.approx(alone, nan_ok=True)


@every_variant
def test_its_family_can_split_it(measure, laboratories):
    lab = laboratories[measure.family]
    model = lab.build(lab.some)
    result = score(measure, model, model)
    known = groupings_of(result, families()[measure.family].groupings)
    # A motif is three nodes, which may stand at three depths, so that it has no group; a sentence has its own row alone.
    assert known or measure.name in {"motif", "discrepancy", "levenshtein"}


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
    with pytest.raises(goldassay.UsageError, match="depth, branch, lexical"):
        goldassay.breakdown(score(goldassay.parse("nodes"), graph, graph), by="relation")
    with pytest.raises(goldassay.UsageError, match="cannot be split"):
        goldassay.breakdown(score(goldassay.parse("motif"), graph, graph), by="depth")
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


@pytest.mark.parametrize("measure", [one for one in RUN if one.name in {"overlap", "residual"}], ids=str)
@settings(max_examples=8)
@given(data=st.data())
def test_the_curve_at_a_threshold_is_the_measure_at_it(measure, laboratories, data):
    lab = laboratories["alignment"]
    pred, gold = lab.build(data.draw(lab.records)), lab.build(data.draw(lab.records))
    curve = measure.curve(pred=pred, gold=gold)
    for threshold in (0.25, 0.4, 0.5, 1.0, 1.1):
        cut = score(replace(measure, threshold=threshold), pred, gold)
        assert dict(curve.at(threshold).values) == pytest.approx(dict(cut.values), nan_ok=True)


@pytest.mark.parametrize("measure", [one for one in RUN if one.name in {"fuzzy", "nodes"}], ids=str)
@settings(max_examples=8)
@given(data=st.data())
def test_the_curve_at_its_own_threshold_is_the_measure(measure, laboratories, data):
    lab = laboratories["taxonomy"]
    pred, gold = lab.build(data.draw(lab.records)), lab.build(data.draw(lab.records))
    if getattr(measure, "relation", "ignore") == "fuzzy":
        return
    point = measure.curve(pred=pred, gold=gold, encoder=ENCODER).at(measure.threshold)
    assert dict(point.values) == pytest.approx(dict(score(measure, pred, gold).values), nan_ok=True)
