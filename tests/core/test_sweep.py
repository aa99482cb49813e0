"""A sweep: a curve with its cut, and what is near the cut."""

import math
from dataclasses import replace

import pytest

from goldassay.alignments import Alignment, Overlap
from goldassay.cli.sweep import SHOWN, _shown_thresholds
from goldassay.core.context import Context
from goldassay.core.sweep import Sweep


def swept(*, path=None, left_out=None, **parameters):
    gold = Alignment.from_rows([("a", "x"), ("b", "y")])
    pred = Alignment.from_rows([("a", "x", "=", 0.9), ("b", "z", "=", 0.505)])
    pred = replace(pred, path=path, left_out=left_out or {})
    return Sweep.of(Overlap(**parameters), pred=pred, gold=gold, context=Context())


def test_without_a_cut_nothing_is_near_it():
    found = swept()
    assert found.threshold is None
    assert found.near == {}
    assert found.to_dict()["near"] == {}
    assert found.prediction == "prediction"


def test_what_is_near_a_cut_shows_how_robust_the_value_is():
    found = swept(threshold=0.5)
    assert found.threshold == 0.5
    assert found.near["precision"] == (0.5, 1.0)
    assert found.to_dict()["near"]["precision"] == [0.5, 1.0]
    assert swept(threshold=0.7).near["precision"] == (1.0, 1.0)


def test_an_end_that_is_no_number_is_null():
    found = swept(threshold=0.95, undefined=math.nan)
    assert math.isnan(found.near["precision"][0])
    assert found.to_dict()["near"]["precision"] == [None, None]


def test_a_file_and_what_was_left_out_are_named():
    found = swept(path="system.tsv", left_out={"ignored": 2, "duplicates": 5})
    assert found.prediction == "system.tsv"
    assert found.left_out == {"pred": {"ignored": 2}, "gold": {}}


def test_a_curve_has_the_signature_of_its_score():
    found = swept(threshold=0.5)
    assert str(found.signature).startswith("overlap(threshold=0.5)|relations:all|gold:2|pred:2|goldassay:")
    assert found.to_dict()["signature"] == str(found.signature)


@pytest.mark.parametrize(("highest", "shown"), [(1.0, list(SHOWN)), (1.5, [0.25, 1.5])])
def test_scores_beyond_the_unit_are_shown_as_they_are(highest, shown):
    gold = Alignment.from_rows([("a", "x")])
    pred = Alignment.from_rows([("a", "x", "=", highest), ("b", "z", "=", 0.25)])
    found = Sweep.of(Overlap(), pred=pred, gold=gold, context=Context())
    assert set(shown) <= {*_shown_thresholds(found)} <= {*shown, highest, 0.25}
    assert (0.5 in _shown_thresholds(found)) == (highest == 1)
