"""Resampling by subjects, classes, documents and test cases, against plain loops."""

import math
from collections import defaultdict

import numpy as np
import pytest

import goldassay
from goldassay.core.counts import Counts
from goldassay.core.errors import UsageError
from goldassay.core.significance import Resampling, compare, intervals
from goldassay.core.units import Units

RANDOM = np.random.default_rng(2)
HOW = Resampling(resamples=4000, method="percentile", unit="subject")


def edges(seed, wrong):
    """Edges whose children are right or wrong as a whole."""
    draw = np.random.default_rng(seed)
    bad = set(np.flatnonzero(draw.random(60) < wrong).tolist())
    return [(f"c{one}", f"{'x' if one in bad else 'p'}{place}") for one in range(60) for place in range(1 + one % 5)]


GOLD, FIRST, SECOND = edges(0, 0.0), edges(1, 0.2), edges(2, 0.35)


def counted(pred, gold, group):
    """Count hits and items of each group, edge by edge."""
    found = defaultdict(lambda: dict.fromkeys(("hit_pred", "hit_gold", "n_pred", "n_gold"), 0))
    for side, own, other in (("pred", pred, gold), ("gold", gold, pred)):
        for item in own:
            found[group(item)][f"n_{side}"] += 1
            found[group(item)][f"hit_{side}"] += item in set(other)
    return found


def divided(sums):
    hits, items = (sums[f"{name}_pred"] for name in ("hit", "n"))
    return hits / items


def only(*given, **asked):
    """Score, and give the one score."""
    [run] = goldassay.evaluate(*given, **asked)
    [score] = run.scores
    return score


def test_units_are_the_counts_of_each_subject():
    score = only(FIRST, gold=GOLD, kind="taxonomy", measures=["literal"], intervals=HOW)
    expected = counted(FIRST, GOLD, lambda edge: edge[0])
    assert score.units.name == "subject"
    assert {
        key: {name: column[row] for name, column in score.units.counts.items()}
        for row, key in enumerate(score.units.keys.tolist())
    } == expected
    assert "/subject" in str(score.signature)


def test_the_interval_is_that_of_a_plain_bootstrap():
    score = only(FIRST, gold=GOLD, kind="taxonomy", measures=["literal"], intervals=HOW)
    rows = list(counted(FIRST, GOLD, lambda edge: edge[0]).values())
    drawn = []
    for _ in range(4000):
        some = [rows[one] for one in RANDOM.integers(0, len(rows), len(rows))]
        drawn.append(divided({name: sum(one[name] for one in some) for name in rows[0]}))
    low, high = np.quantile(drawn, [0.025, 0.975])
    found = score.intervals["precision"]
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.012)
    single = only(
        FIRST,
        gold=GOLD,
        kind="taxonomy",
        measures=["literal"],
        intervals=Resampling(resamples=4000, method="percentile"),
    )
    # Errors come by subject, so that drawing edges one by one claims too much.
    assert found.high - found.low > 1.4 * (single.intervals["precision"].high - single.intervals["precision"].low)


def test_differences_are_of_subjects():
    report = goldassay.evaluate([FIRST, SECOND], gold=GOLD, kind="taxonomy", measures=["literal"], intervals=HOW)
    sides = []
    for pred in (FIRST, SECOND):
        rows = counted(pred, GOLD, lambda edge: edge[0])
        names = list(next(iter(rows.values())))
        columns = {name: [one[name] for one in rows.values()] for name in names}
        sides.append(Units.of("subject", list(rows), Counts(columns)))
    expected = compare(*sides, report.runs[0].scores[0].measure.divide_counts, HOW)
    for one in report.comparisons:
        assert one.difference.p_randomisation == pytest.approx(expected[one.value].p_randomisation, abs=0.02)
        assert one.difference.difference == pytest.approx(expected[one.value].difference)
        assert one.p_mcnemar is None


def test_groups_resample_the_same_units():
    report = goldassay.evaluate(FIRST, gold=GOLD, kind="taxonomy", measures=["literal"], intervals=HOW, by=["depth"])
    [found] = report.runs[0].scores[0].breakdowns
    assert found.groups == ("1",)
    assert found.intervals[0]["precision"] == report.runs[0].scores[0].intervals["precision"]


def triples(seed):
    draw = np.random.default_rng(seed)
    return [
        {"id": f"d{one}", "triples": [[f"s{draw.integers(3)}", "p", f"o{draw.integers(4)}"] for _ in range(3)]}
        for one in range(12)
    ]


@pytest.mark.parametrize(
    ("kind", "pred", "gold", "unit", "measure", "size"),
    [
        ("axioms", [(f"C{one % 9}", "p", f"O{one}") for one in range(40)], [(f"C{one % 9}", "p", f"O{2 * one}") for one in range(40)], "class", "exact", 9),
        ("triples", triples(1), triples(2), "document", "triples", 12),
    ],
)  # fmt: skip
def test_other_families(kind, pred, gold, unit, measure, size):
    score = only(pred, gold=gold, kind=kind, measures=[measure], intervals=Resampling(resamples=200, unit=unit))
    assert (score.units.name, len(score.units)) == (unit, size)
    total = {name: math.fsum(column) for name, column in score.units.counts.items()}
    assert total == pytest.approx({name: float(score.counts[name]) for name in total})


def test_what_cannot_be_drawn_so_has_no_interval():
    """Values that are means over documents are no sums over subjects, and names of nodes are of no edge."""
    nodes = only(FIRST, gold=GOLD, kind="taxonomy", measures=["nodes(threshold=0.9)"], encoder="hashing", intervals=HOW)
    assert nodes.intervals == {}
    assert "cannot be drawn by subject" in nodes.no_interval
    report = goldassay.evaluate(triples(1), gold=triples(2), kind="triples", measures=["triples"], intervals=HOW)
    assert report.runs[0].scores[0].units is None


def test_refusals():
    with pytest.raises(UsageError, match="Unknown unit of taxonomy"):
        goldassay.evaluate(FIRST, gold=GOLD, kind="taxonomy", intervals=Resampling(unit="document"))
    with pytest.raises(UsageError, match="several gold standards"):
        goldassay.evaluate(FIRST, gold=[GOLD, SECOND], kind="taxonomy", measures=["literal"], intervals=HOW)


def test_intervals_of_units_are_as_they_were():
    """Without a unit the figures are those of the items."""
    units = Units.of("edge", ["a", "b", "a"], Counts({"hit": [1, 0, 1], "n": [1, 1, 1]}))
    drawn = [
        intervals(units, lambda sums: {"p": sums["hit"] / sums["n"]}, Resampling(unit=one)) for one in ("", "subject")
    ]
    assert drawn[0] == drawn[1]
