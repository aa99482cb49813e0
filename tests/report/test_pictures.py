"""Bins of a histogram: as many as there are, of whole values, and none over the cut."""

import numpy as np
import pytest

from goldassay.core.panel import Bars, Histogram, Lines
from goldassay.report.charts import histogram_chart, lines_chart
from goldassay.report.pictures import (
    BINS,
    Columns,
    as_table,
    chart_of,
    describe_chart,
    embed_json,
    histogram_edges,
    title_of,
)


def histogram(cut, *values):
    words = dict(zip(("hit", "missed"), map(np.array, values), strict=False))
    return Histogram(title="similarity", axis="similarity", values=words, cut=cut)


def test_bins_stop_at_the_cut_and_count_each_value_once():
    panel = histogram(0.5, [0.6, 0.9, 0.9], [0.1, 0.2, 0.49])
    edges = histogram_edges(panel)
    # Of 0.1 to 1 four ninths are below the cut, and so many of the bins.
    below = round(BINS * 4 / 9)
    assert len(edges) == BINS + 1
    assert edges[[0, below, -1]].tolist() == [0.1, 0.5, 1.0]
    assert np.diff(edges[: below + 1]) == pytest.approx(0.4 / below)
    assert np.diff(edges[below:]) == pytest.approx(0.5 / (BINS - below))
    counts = chart_of(panel)["counts"]
    assert {word: sum(column) for word, column in counts.items()} == {"hit": 3, "missed": 3}
    assert sum(counts["hit"][:below]) == sum(counts["missed"][below:]) == 0
    head, rows = as_table(panel)
    assert (head, len(rows), rows[0]) == (["similarity", "hit", "missed"], BINS, ["0.100 to 0.122", "0", "1"])


@pytest.mark.parametrize(
    ("cut", "values", "low", "high"),
    [
        (None, [0.2, 0.4], 0, 1),
        (None, [-0.5, 2.0], -0.5, 2),
        (1.0, [0.2, 0.4], 0.2, 1),
        (0.2, [0.2, 0.4], 0.2, 1),
        (3.0, [0.2, 0.4], 0.2, 3),
        (0.5, [-1.0, 0.9], -1, 1),
        (0.999, [0.0, 0.9], 0, 1),
        (0.001, [0.0, 0.9], 0, 1),
    ],
)
def test_every_bin_has_a_width(cut, values, low, high):
    edges = histogram_edges(histogram(cut, values))
    assert (edges[0], edges[-1]) == (low, high)
    assert (np.diff(edges) > 0).all()
    assert BINS <= len(edges) - 1 <= BINS + 1
    assert cut is None or cut in edges


@pytest.mark.parametrize(("rows", "height"), [(1, 190), (2, 95), (3, 63), (5, 56)])
def test_histograms_share_a_height_as_far_as_each_has_one(rows, height):
    chart = {
        "edges": [0.0, 0.5, 1.0],
        "axis": "cosine",
        "cut": None,
        "counts": {f"v{row}": [1, row] for row in range(rows)},
    }
    assert [one["height"] for one in histogram_chart(chart).to_dict()["vconcat"]] == [height] * rows


def test_curves_are_drawn_over_their_thresholds_and_not_from_zero():
    chart = {
        "thresholds": np.array([0.8, 0.9]),
        "series": {"f1": np.array([0.5, 0.25])},
        "axis": "cosine",
        "cut": None,
        "after": False,
    }
    lines = lines_chart(chart).to_dict()["layer"][0]["encoding"]
    assert lines["x"]["scale"] == {"nice": False, "zero": False}
    assert lines["y"]["scale"] == {"domain": [0, 1.0]}


def test_the_example_of_columns():
    columns = Columns()
    assert (columns.texts(["a", None, "a"]), columns.texts(["a", None, "a"]), columns.words) == (0, 0, ["a"])


def test_the_example_of_title_of():
    assert (title_of("child_cosine"), title_of("counterpart")) == ("child cosine", "best counterpart")


def test_the_example_of_embed_json():
    assert str(embed_json("</script>")) == '"\\u003c/script>"'


def test_the_example_of_describe_chart():
    curve = Lines(title="P", axis="t", thresholds=np.array([0.0, 0.5]), series={"f1": np.array([0.2, 0.6])}, cut=0.5)
    assert describe_chart(curve) == "f1 is highest, 0.6000, at 0.5; at the chosen 0.5 it is 0.6000."


def test_the_example_of_as_table():
    assert as_table(
        Bars(
            title="Motifs",
            axis="count",
            categories=["chain"],
            series={"gold": np.array([3.0]), "pred": np.array([2.0])},
        )
    ) == (["", "gold", "pred"], [["chain", "3", "2"]])
