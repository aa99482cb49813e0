"""A saved report with evidence lists the same failures as the one that was saved."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import goldassay
from goldassay.core.errors import InputError, UsageError


@pytest.mark.filterwarnings("ignore")
@settings(max_examples=4)
@given(data=st.data())
def test_what_is_loaded_fails_as_what_was_saved(variants, laboratories, tmp_path_factory, data):
    measure = data.draw(variants)
    laboratory = laboratories[measure.family]
    gold, pred = (laboratory.build(data.draw(laboratory.records)) for _ in range(2))
    try:
        report = goldassay.evaluate(pred, gold=gold, kind=measure.family, measures=[measure])
    except (UsageError, InputError):
        return
    path = tmp_path_factory.getbasetemp() / f"{measure.name}.json"
    report.with_evidence().save(path)
    fresh, loaded = (one.runs[0].scores[0].matching for one in (report, goldassay.load(path)))
    if loaded.listed is None:
        return
    for side, listed in (("gold", "missed"), ("pred", "invented")):
        here, there = ([one.item for one in getattr(matching, listed)()] for matching in (fresh, loaded))
        assert sorted(here) == sorted(there)
        assert len(loaded.failed(side)) == len(fresh.failed(side)) == len(here)
