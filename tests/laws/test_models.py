"""What every family's models keep when some items are taken, and when one gold or equal ones are merged."""

from itertools import compress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.families import families

RESTRICTED = [kind for kind, family in families().items() if family.trust.restriction is not None]
MERGING = [kind for kind, family in families().items() if family.trust.merged is not None]


def stated(hook, model):
    return dict(zip(hook.keys(model), map(model.item, range(len(model))), strict=True))


@pytest.mark.parametrize("kind", RESTRICTED)
@given(data=st.data())
def test_what_is_taken_is_that_part_and_nothing_else(kind, laboratories, data):
    hook, lab = families()[kind].trust.restriction, laboratories[kind]
    model = lab.build(data.draw(lab.records))
    whole = stated(hook, model)
    assert len(whole) == len(model) or kind == "alignment"  # relations are no part of a pair
    assert stated(hook, hook.take(model, np.ones(len(model), dtype=np.bool_))) == whole
    mask = np.array(data.draw(st.lists(st.booleans(), min_size=len(model), max_size=len(model))), dtype=np.bool_)
    kept = hook.take(model, mask)
    assert list(hook.keys(kept)) == list(compress(hook.keys(model), mask.tolist()))
    assert [kept.item(row) for row in range(len(kept))] == [model.item(row) for row in np.flatnonzero(mask).tolist()]
    rows = np.arange(len(kept))
    assert kept.identifiers(rows) == model.identifiers(np.flatnonzero(mask)) or kind == "concepts"
    again = data.draw(st.lists(st.booleans(), min_size=len(kept), max_size=len(kept)))
    both = np.zeros(len(model), dtype=np.bool_)
    both[np.flatnonzero(mask)[np.array(again, dtype=np.bool_)]] = True
    assert stated(hook, hook.take(kept, np.array(again, dtype=np.bool_))) == stated(hook, hook.take(model, both))


@pytest.mark.parametrize("kind", RESTRICTED)
def test_all_names_are_the_whole_scope(kind, laboratories):
    hook, lab = families()[kind].trust.restriction, laboratories[kind]
    model = lab.build(lab.some)
    assert stated(hook, hook.within(model, frozenset(hook.names(model)))) == stated(hook, model)
    assert len(hook.within(model, frozenset())) == 0


@pytest.mark.parametrize("kind", MERGING)
@given(data=st.data())
def test_one_gold_merged_is_that_gold_and_two_are_their_votes(kind, laboratories, data):
    family, lab = families()[kind], laboratories[kind]
    hook, merged = family.trust.restriction, family.trust.merged
    one, other = lab.build(data.draw(lab.records)), lab.build(data.draw(lab.records))
    keys = [sorted(hook.keys(model)) for model in (one, other)]
    if kind == "sentences":
        # What is voted for are wordings; a sentence without one is left out.
        keys = [sorted(zip(model.ids, model.wordings, strict=True)) for model in (one, other)]
        assert sorted(zip(merged([one], 1).ids, merged([one], 1).wordings, strict=True)) == keys[0]
        return
    for gold_standards, least in (([one], 1), ([one, one], 2), ([one, one], 1)):
        assert sorted(hook.keys(merged(gold_standards, least))) == keys[0]
    if kind != "alignment":
        assert sorted(hook.keys(merged([one, other], 1))) == sorted({*keys[0], *keys[1]})
        assert sorted(hook.keys(merged([one, other], 2))) == sorted({*keys[0]} & {*keys[1]})
