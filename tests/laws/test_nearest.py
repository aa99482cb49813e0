"""What an item without a hit is shown next to: the laws of looking up, for every measure and every variant of it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import goldassay
from goldassay.core.context import Context

ENCODER = goldassay.get_encoder("hashing")
SIDES = ("pred", "gold")


def matched(measure, pred, gold):
    return measure.evaluate(pred=pred, gold=gold, context=Context(encoder=ENCODER)).matching


@given(data=st.data())
@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
def test_what_is_found_for_some_items_is_what_is_found_for_all(variants, laboratories, data):
    measure = data.draw(variants)
    lab = laboratories[measure.family]
    matching = matched(measure, lab.build(data.draw(lab.records)), lab.build(data.draw(lab.records)))
    for side, other in (SIDES, SIDES[::-1]):
        every = np.arange(len(getattr(matching, side).credit))
        rows = np.array(data.draw(st.permutations(every.tolist())), dtype=np.int64)[: data.draw(st.integers(0, 4))]
        found, some = matching.evidence(side, every), matching.evidence(side, rows)
        assert found.counterpart.shape == found.similarity.shape == every.shape
        for name, column in {"counterpart": found.counterpart, "similarity": found.similarity, **found.details}.items():
            part = {"counterpart": some.counterpart, "similarity": some.similarity, **some.details}[name]
            assert [str(one) for one in part] == [str(one) for one in np.asarray(column)[rows]], name
        assert found.counterpart.min(initial=0) >= -1
        assert found.counterpart.max(initial=-1) < len(getattr(matching, other).credit)


@given(data=st.data())
@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
def test_nothing_is_nearer_to_an_item_than_itself(lawful, laboratories, data):
    measure = data.draw(lawful)
    lab = laboratories[measure.family]
    model = lab.build(data.draw(lab.records))
    matching = matched(measure, model, model)
    items = {"pred": matching.pred_items, "gold": matching.gold_items}
    names = {side: [some.item(row) for row in range(len(some))] for side, some in items.items()}
    for side, other in (SIDES, SIDES[::-1]):
        found = matching.evidence(side, np.arange(len(names[side])))
        # What others entail is a hit, although a threshold may leave out the item itself.
        there = np.array([name in names[other] for name in names[side]], dtype=bool)
        hits = there & (getattr(matching, side).credit >= 1) & ~np.isnan(found.similarity)
        assert found.similarity[hits] == pytest.approx(1)
