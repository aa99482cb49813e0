"""Errors by kind, for every measure and every variant of it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import goldassay
from goldassay.core.context import Context
from goldassay.families import families

ENCODER = goldassay.get_encoder("hashing")
# Each of their items says what is wrong with it, in words of its own.
JUDGED = {"conformance", "grounding"}


@settings(max_examples=25)
@given(data=st.data())
@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
def test_each_item_without_full_credit_has_one_kind_and_a_hit_has_none(variants, laboratories, data):
    measure = data.draw(variants)
    lab = laboratories[measure.family]
    pred, gold = lab.build(data.draw(lab.records)), lab.build(data.draw(lab.records))
    matching = measure.evaluate(pred=pred, gold=gold, context=Context(encoder=ENCODER)).matching
    for side, seen in (("pred", matching.pred), ("gold", matching.gold)):
        kinds = matching.errors(side, np.arange(len(seen.credit)))
        if kinds is None:
            continue
        known = families()[measure.family].views.groupings["error"].kinds
        for kind, credit in zip(kinds, seen.credit.tolist(), strict=True):
            assert (kind is None) == (credit >= 1)
            assert measure.name in JUDGED or kind is None or kind in known
        rows = np.flatnonzero(seen.credit < 1)[::-1]
        assert matching.errors(side, rows) == [kinds[row] for row in rows]
