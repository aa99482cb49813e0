"""Every law that the measures declare, on every measure of every family, through the registry."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import goldassay
from goldassay.core.context import Context
from goldassay.core.counts import Counts, Division
from goldassay.core.family import check_declaration
from goldassay.families import families

MEASURES = [measure for family in families().values() for measure in family.measures]
ENCODER = goldassay.get_encoder("hashing")
EMPTY = [(measure, empty) for measure in MEASURES for empty in ("pred", "gold", "both")
         if empty == "both" or not measure.defined_alone]  # fmt: skip
# These reach the numbers of published scripts, which duplicates, order, empty answers or a reference's own spelling move.
SCRIPTS = {"webnlg", "edc", "text2kgbench", "pive"}


def parametrized(measures):
    return pytest.mark.parametrize("measure", measures, ids=lambda measure: measure.name)


every_measure = parametrized(MEASURES)
lawful_measure = parametrized([measure for measure in MEASURES if measure.name not in SCRIPTS])


def score(measure, pred, gold):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", goldassay.UndefinedWarning)
        return measure.evaluate(pred=pred, gold=gold, context=Context(encoder=ENCODER))


def test_every_family_has_a_laboratory(laboratories):
    assert laboratories.keys() == families().keys()


@every_measure
def test_it_declares_itself(measure):
    check_declaration(measure, kind=measure.family)
    assert goldassay.parse(str(measure())) == measure()


@lawful_measure
@given(data=st.data())
def test_a_model_scores_perfectly_against_itself(measure, laboratories, data):
    lab = laboratories[measure.family]
    model = lab.build(data.draw(lab.records.filter(bool)))
    result = score(measure(), model, model)
    # A model can be too small for a measure: a lone loop has no hierarchy.
    assume(not result.undefined)
    assert result.values == pytest.approx(measure().perfect)


@lawful_measure
@given(data=st.data())
def test_order_duplicates_and_names_change_nothing(measure, laboratories, data):
    lab = laboratories[measure.family]
    pred, gold = data.draw(lab.records), data.draw(lab.records)
    shuffled = data.draw(st.permutations(pred + pred[:2]))
    values = score(measure(), lab.build(pred), lab.build(gold)).values
    assert score(measure(), lab.build(shuffled), lab.build(gold)).values == values
    assert score(measure(), lab.rename(pred), lab.rename(gold)).values == values


@every_measure
@given(data=st.data())
def test_swapping_the_sides(measure, laboratories, data):
    lab = laboratories[measure.family]
    pred, gold = lab.build(data.draw(lab.records)), lab.build(data.draw(lab.records))
    there, back = score(measure(), pred, gold).values, score(measure(), gold, pred).values
    if measure().symmetry == "swap":
        assert (there["precision"], there["recall"]) == (back["recall"], back["precision"])
    elif measure().symmetry == "same":
        assert there == pytest.approx(back)


@lawful_measure
@given(data=st.data())
def test_values_stay_in_their_bounds(measure, laboratories, data):
    lab = laboratories[measure.family]
    values = score(measure(), lab.build(data.draw(lab.records)), lab.build(data.draw(lab.records))).values
    assert values.keys() == measure().values.keys()
    for name, value in values.items():
        low, high = measure().values[name]
        assert low <= value <= high


@parametrized([measure for measure in MEASURES if measure.sums_over_records])
@given(data=st.data())
def test_counts_of_the_parts_add_up_to_the_whole(measure, laboratories, data):
    lab = laboratories[measure.family]
    pred, gold = data.draw(lab.records), lab.build(data.draw(lab.records))
    unique = list(dict.fromkeys(pred))
    cut = data.draw(st.integers(0, len(unique)))
    first, rest = (score(measure(), lab.build(part), gold).counts for part in (unique[:cut], unique[cut:]))
    whole = score(measure(), lab.build(unique), gold).counts
    assert all((first + rest)[name] == whole[name] for name in ("hit_pred", "n_pred"))


@lawful_measure
@given(data=st.data())
def test_the_units_hold_the_counts(measure, laboratories, data):
    lab = laboratories[measure.family]
    pred, gold = lab.build(data.draw(lab.records)), lab.build(data.draw(lab.records))
    result = score(measure(), pred, gold)
    units = measure().units(result.matching)
    if units is None:
        return
    assert len(set(units.keys.tolist())) == len(units)
    assert {name: column.sum() for name, column in units.counts.items()} == pytest.approx(dict(result.counts))
    twice = measure().divide(Counts({name: np.full(2, value) for name, value in result.counts.items()}), Division())
    for name, values in twice.items():
        assert np.asarray(values).shape == (2,)
        assert values[0] == pytest.approx(result.values[name])


@pytest.mark.parametrize(("measure", "empty"), EMPTY, ids=lambda one: getattr(one, "name", one))
@pytest.mark.parametrize("undefined", [0.0, 1.0, math.nan])
def test_an_empty_side_gives_the_policy_and_a_warning(measure, laboratories, undefined, empty):
    lab = laboratories[measure.family]
    pred = lab.build([] if empty in ("pred", "both") else lab.some)
    gold = lab.build([] if empty in ("gold", "both") else lab.some)
    with pytest.warns(goldassay.UndefinedWarning, match="both sides are empty" if empty == "both" else "0/0"):
        result = measure(undefined=undefined).evaluate(pred=pred, gold=gold, context=Context(encoder=ENCODER))
    assert result.undefined
    assert [str(result.values[name]) for name in result.undefined] == [str(undefined)] * len(result.undefined)


@every_measure
@given(data=st.data())
def test_the_signature_reads_back(measure, laboratories, data):
    lab = laboratories[measure.family]
    pred, gold = lab.build(data.draw(lab.records)), lab.build(data.draw(lab.records))
    signature = score(measure(), pred, gold).signature
    assert goldassay.Signature.parse(str(signature)) == signature
    assert goldassay.parse(signature.measure) == measure()
    assert signature.fields["goldassay"] == goldassay.__version__
    assert ("encoder" in signature.fields) == measure().needs_encoder
