"""Every law that the measures declare, on every measure of every family, through the registry."""

import copy
import math
import pickle
import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.laws.conftest import LAWFUL

import goldassay
from goldassay.core.breakdown import break_down, groupings_of
from goldassay.core.context import Context
from goldassay.core.counts import Counts, Division
from goldassay.core.family import check_declaration
from goldassay.families import families

ENCODER = goldassay.get_encoder("hashing")
"""Each law is drawn for each measure, so that it is drawn a thousand times and more."""
JUDGED = {"conformance", "grounding"}
"""Each of their items says what is wrong with it, in words of its own."""


def score(measure, pred, gold):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", goldassay.GoldassayWarning)
        return measure.evaluate(pred=pred, gold=gold, context=Context(encoder=ENCODER))


def same(values):
    """Compare exactly, with nan equal to nan."""
    return pytest.approx(values, rel=0, abs=0, nan_ok=True)


def test_a_measure_declares_itself(declared):
    check_declaration(declared, kind=declared.family)


def test_a_spec_reads_back(each):
    assert [goldassay.parse(str(measure)) for measure in each] == each


@given(data=st.data())
def test_a_model_scores_perfectly_against_itself(lawful, laboratories, data):
    measure = data.draw(lawful)
    lab = laboratories[measure.family]
    model = lab.build(data.draw(lab.records.filter(bool)))
    result = score(measure, model, model)
    # A model can be too small for a measure: a lone loop has no hierarchy.
    assume(not result.undefined)
    # Exactly: a distance of 1.1e-16 is not none.
    assert {name: result.values[name] for name in measure.perfect} == dict(measure.perfect)


@given(data=st.data())
def test_order_duplicates_and_names_change_nothing(lawful, laboratories, data):
    measure = data.draw(lawful)
    lab = laboratories[measure.family]
    pred, gold = data.draw(lab.records), data.draw(lab.records)
    # Two conventions of rankings and alignments are there to let duplicates and the order count.
    repeated = [] if getattr(measure, "duplicates", "merge") == "count" else pred[:2]
    in_order = getattr(measure, "ties", "expected") == "order"
    shuffled = pred + repeated if in_order else data.draw(st.permutations(pred + repeated))
    values = score(measure, lab.build(pred), lab.build(gold)).values
    assert score(measure, lab.build(shuffled), lab.build(gold)).values == same(values)
    assert score(measure, lab.rename(pred), lab.rename(gold)).values == same(values)


@given(data=st.data())
def test_what_holds_for_the_score_of_any_two_models(variants, laboratories, data):
    # These laws share their draws: to draw and to score takes longer than to look.
    measure = data.draw(variants)
    lab = laboratories[measure.family]
    pred, gold = lab.build(data.draw(lab.records)), lab.build(data.draw(lab.records))
    result = score(measure, pred, gold)
    the_signature_reads_back(measure, result)
    swapping_the_sides(measure, result.values, score(measure, gold, pred).values)
    groups_add_up_to_the_counts(measure, result)
    each_item_without_full_credit_has_one_kind_and_a_hit_has_none(measure, result.matching)
    if type(measure) in LAWFUL:
        values_stay_in_their_bounds(measure, result.values)
        the_units_hold_the_counts(measure, result)


def the_signature_reads_back(measure, result):
    signature = result.signature
    assert goldassay.Signature.parse(str(signature)) == signature
    assert goldassay.parse(signature.measure) == measure
    assert signature.fields["goldassay"] == goldassay.__version__
    assert ("encoder" in signature.fields) == measure.needs_encoder


def swapping_the_sides(measure, there, back):
    if measure.symmetry == "swap":
        assert there["precision"] == same(back["recall"])
        assert there["recall"] == same(back["precision"])
    elif measure.symmetry == "same":
        assert there == pytest.approx(back, nan_ok=True)


def groups_add_up_to_the_counts(measure, result):
    groupings = families()[measure.family].views.groupings
    for by in (*groupings_of(result, groupings), measure.unit):
        found = break_down(result, by, groupings)
        assert len(set(found.groups)) == len(found)
        totals = {name: math.fsum(column) for name, column in found.counts.items()}
        assert totals == pytest.approx(dict(result.counts), nan_ok=True)
        divided = measure.divide(Counts(totals), Division(measure.undefined))
        assert divided == pytest.approx(dict(result.values), nan_ok=True)
        for row in range(len(found)):
            single = measure.divide_drawn(Counts({n: column[row] for n, column in found.counts.items()}))
            single = {name: float(value) for name, value in single.items()}
            assert {n: v[row] for n, v in found.values.items()} == pytest.approx(single, nan_ok=True)


def each_item_without_full_credit_has_one_kind_and_a_hit_has_none(measure, matching):
    for side, seen in (("pred", matching.pred), ("gold", matching.gold)):
        kinds = matching.errors(side, np.arange(len(seen.credit)))
        if kinds is None:
            continue
        known = families()[measure.family].views.groupings["error"].kinds
        failed = set(matching.failed(side).tolist())
        for row, (kind, credit) in enumerate(zip(kinds, seen.credit.tolist(), strict=True)):
            assert (kind is not None) == (row in failed)
            assert credit < 1 or row not in failed
            assert measure.name in JUDGED or kind is None or kind in known
        rows = np.flatnonzero(seen.credit < 1)[::-1]
        assert matching.errors(side, rows) == [kinds[row] for row in rows]


def values_stay_in_their_bounds(measure, values):
    assert values.keys() == measure.values.keys()
    for name, value in values.items():
        low, high = measure.values[name]
        assert low <= value <= high or (math.isnan(value) and math.isnan(measure.undefined))


def the_units_hold_the_counts(measure, result):
    units = measure.units(result.matching)
    if units is None:
        return
    assert len(set(units.keys.tolist())) == len(units)
    sums = {name: column.sum() for name, column in units.counts.items()}
    assert sums == pytest.approx(dict(result.counts), nan_ok=True)
    twice = measure.divide(
        Counts({name: np.full(2, value) for name, value in result.counts.items()}), Division(measure.undefined)
    )
    for name, values in twice.items():
        assert np.asarray(values).shape == (2,)
        assert values[0] == pytest.approx(result.values[name], nan_ok=True)


@given(data=st.data())
def test_counts_of_the_parts_add_up_to_the_whole(summing, laboratories, data):
    measure = summing
    lab = laboratories[measure.family]
    pred, gold = data.draw(lab.records), lab.build(data.draw(lab.records))
    unique = list(dict.fromkeys(pred))
    cut = data.draw(st.integers(0, len(unique)))
    first, rest = (score(measure, lab.build(part), gold).counts for part in (unique[:cut], unique[cut:]))
    whole = score(measure, lab.build(unique), gold).counts
    assert all((first + rest)[name] == whole[name] for name in ("hit_pred", "n_pred"))


@given(data=st.data())
def test_an_empty_side_gives_the_policy_and_a_warning(variants, laboratories, data):
    undefined = data.draw(st.sampled_from([0.0, 1.0, math.nan]))
    measure = replace(data.draw(variants), undefined=undefined)
    empty = data.draw(st.sampled_from(["both"] if measure.defined_one_sided else ["both", "pred", "gold"]))
    lab = laboratories[measure.family]
    pred = lab.build([] if empty in ("pred", "both") else lab.some)
    gold = lab.build([] if empty in ("gold", "both") else lab.some)
    with pytest.warns(goldassay.UndefinedWarning, match="both sides are empty" if empty == "both" else "0/0"):
        result = replace(measure, undefined=undefined).evaluate(pred=pred, gold=gold, context=Context(encoder=ENCODER))
    assert result.undefined
    assert [str(result.values[name]) for name in result.undefined] == [str(undefined)] * len(result.undefined)


def test_a_score_can_be_pickled_and_copied(each, laboratories):
    # What a score holds depends on its class; every third variant is enough to see it.
    for measure in each[::3]:
        its_score_can_be_pickled_and_copied(measure, laboratories)


def its_score_can_be_pickled_and_copied(measure, laboratories):
    lab = laboratories[measure.family]
    found = score(measure, lab.build(lab.some), lab.build(lab.some))
    expected, table = str(found.to_dict()), str(found.matching.table())
    for again in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
        assert str(again.to_dict()) == expected, measure
        assert str(again.matching.table()) == table, measure


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", sorted(families()))
def test_a_report_can_be_pickled_and_copied(kind, laboratories):
    lab = laboratories[kind]
    pred, gold = (lab.build(records) for records in (lab.some, lab.some[:-1] or lab.some))
    found = goldassay.evaluate(pred, gold=gold, kind=kind, encoder=ENCODER, intervals=True)
    for again in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
        assert again.to_dict() == found.to_dict()
        assert [run.warnings for run in again] == [run.warnings for run in found]
