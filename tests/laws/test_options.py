"""What goes around a score, for every measure: two predictions, runs, groups, several gold standards, chance, and what is saved."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.laws.test_chance import RICH

import goldassay
from goldassay.core.breakdown import groupings_of
from goldassay.core.chance import Chance
from goldassay.core.combination import RULES
from goldassay.core.context import Context
from goldassay.core.counts import Counts, Division
from goldassay.core.significance import Resampling
from goldassay.families import families

pytestmark = pytest.mark.filterwarnings("ignore")
CONTEXT = Context(encoder=goldassay.get_encoder("hashing"))
FEW = Resampling(resamples=100)
WAYS = {
    "intervals": {},
    "runs": {},
    "chance": {"chance": Chance(draws=2)},
    "groups": {},
    **{f"combine {rule}": {"combine": rule} for rule in RULES},
}
SOME = 25


def drawn_models(laboratory, measure, data):
    rng = np.random.default_rng(data.draw(st.integers(0, 9)))
    return [laboratory.build(RICH[measure.family](rng)[:SOME]) for _ in range(4)]


def scores_of(report):
    """Return the saved scores of all runs; units that are none are not written again."""
    scores = [score for run in report["runs"] for score in run["scores"]]
    return [{**one, "units": one.get("units") if (one.get("units") or {}).get("keys") else None} for one in scores]


@given(data=st.data())
def test_every_measure_goes_with_every_option_and_is_saved(variants, laboratories, tmp_path_factory, data):
    measure, way = data.draw(variants), data.draw(st.sampled_from([*WAYS]))
    a, b, gold, other = drawn_models(laboratories[measure.family], measure, data)
    asked = {"kind": measure.family, "measures": measure, "encoder": "hashing", "intervals": FEW, **WAYS[way]}
    if "combine" in asked:
        gold = [gold, other]
        asked["intervals"] = data.draw(st.sampled_from([None, FEW]))
    if way == "groups":
        plain = measure.evaluate(pred=a, gold=gold, context=CONTEXT)
        asked["by"] = data.draw(
            st.sampled_from([*groupings_of(plain, families()[measure.family].views.groupings), None])
        )
    preds = {"x": [a, b], "y": [b, other]} if way == "runs" else {"a": a, "b": b}
    try:
        report = goldassay.evaluate(preds, gold=gold, **asked)
    except goldassay.GoldassayError:
        # A measure may refuse an option, in one sentence.
        return
    path = tmp_path_factory.mktemp("saved") / "report.json"
    report.save(path)
    before, after = json.loads(path.read_text("utf-8")), goldassay.load(path).to_dict()
    assert scores_of(after) == scores_of(before)
    assert after.get("comparisons") == before.get("comparisons")


@given(data=st.data())
def test_a_draw_is_undefined_where_its_own_sums_are(variants, laboratories, data):
    measure = replace(data.draw(variants), undefined=data.draw(st.sampled_from([0.0, 1.0])))
    pred, gold, *_ = drawn_models(laboratories[measure.family], measure, data)
    units = measure.units(measure.evaluate(pred=pred, gold=gold, context=CONTEXT).matching)
    if units is None:
        return
    rng = np.random.default_rng(0)
    times = np.vstack([np.zeros((1, len(units))), rng.random((6, len(units))) < rng.random((6, 1))])
    sums = times @ units.matrix
    drawn = measure.divide_drawn(Counts(dict(zip(units.counts, sums.T, strict=True))))
    for row, one in enumerate(sums.tolist()):
        ratio = Division(measure.undefined)
        single = measure.divide(Counts(dict(zip(units.counts, one, strict=True))), ratio)
        for name, value in single.items():
            found = float(np.broadcast_to(drawn[name], len(sums))[row])
            assert math.isnan(found) if name in ratio.names else found == pytest.approx(value, nan_ok=True), name


@given(data=st.data())
def test_what_is_undefined_has_no_interval_and_no_difference(variants, laboratories, data):
    measure = data.draw(variants)
    lab = laboratories[measure.family]
    preds = {"nothing": lab.build([]), "some": lab.build(lab.some)}
    report = goldassay.evaluate(
        preds, gold=lab.build(lab.some), kind=measure.family, measures=measure, encoder="hashing", intervals=FEW
    )
    for run in report.runs:
        [score] = run.scores
        assert not score.intervals.keys() & {*score.undefined}
        for one in report.comparisons:
            assert one.value not in score.undefined
        for name, ends in score.intervals.items():
            low, high = measure.values[name]
            assert low - 1e-9 <= ends.low <= ends.high <= high + 1e-9
