"""What a notebook draws: each mark lies whole in its picture, where the forest plot has it."""

import re

import pytest

import goldassay
from goldassay.core.chance import Chance
from goldassay.graphs import Graph
from goldassay.report.forest import forests

pytestmark = pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
EDGES = [(f"n{i}", f"n{i // 2}") for i in range(1, 30)]
GOLD = Graph.from_edges(EDGES)
SIZE = r'^ width="([\d.]+)" height="([\d.]+)"'
BOX = r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"'
DOT = r'<circle cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"'


def numbers(pattern, text):
    return [[float(one) for one in found] for found in re.findall(pattern, text)]


def test_each_mark_lies_in_its_picture():
    some = [EDGES, [*EDGES[9:], ("x", "y")], [("x", "y")]]
    report = goldassay.evaluate(
        list(map(Graph.from_edges, some)), gold=GOLD, measures="literal", chance=Chance(draws=20), intervals=True
    )
    pictures = report._repr_html_().split("<svg")[1:]
    rows = forests(report)[0]["rows"]
    for row, value, picture in zip(rows, (1.0, report.runs[1]["literal"].f1, 0.0), pictures, strict=True):
        [[wide, high]] = numbers(SIZE, picture)
        boxes, dots = numbers(BOX, picture), numbers(DOT, picture)
        assert len(boxes) + len(dots) == len(row["marks"])
        assert all(0 <= left <= left + width <= wide for left, _, width, _ in boxes)
        assert all(0 <= top < top + height <= high for _, top, _, height in boxes)
        assert all(radius <= x <= wide - radius and radius <= y <= high - radius for x, y, radius in dots)
        # The two ends of the scale are as far from the edges, and a value between them is on a straight line.
        [dot] = [x for x, _, radius in dots if radius == 4]
        edge = (wide - 140) / 2
        assert dot == pytest.approx(edge + 140 * value, abs=0.06)
