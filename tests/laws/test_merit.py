"""What scores are sorted by: more of it is better, whichever way a measure counts."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import goldassay
from goldassay.core.context import Context

CONTEXT = Context(encoder=goldassay.get_encoder("hashing"))


@given(data=st.data())
@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
def test_nothing_is_better_than_perfect_and_nothing_worse_than_unknown(variants, laboratories, data):
    measure = replace(data.draw(variants), undefined=data.draw(st.sampled_from([0.0, 1.0, math.nan])))
    lab = laboratories[measure.family]
    pred, gold = (lab.build(data.draw(st.one_of(lab.records, st.just([])))) for _ in range(2))
    found = measure.evaluate(pred=pred, gold=gold, context=CONTEXT)
    for name, value in found.values.items():
        unknown = math.isnan(value) or (name in found.undefined and not measure.higher_is_better)
        assert found.merit(name) == (-math.inf if unknown else value if measure.higher_is_better else -value)
    assert found.undefined or found.merit(measure.headline) <= measure.merit(measure.best(measure.headline)) + 1e-9
