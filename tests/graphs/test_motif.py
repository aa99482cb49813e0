"""Examples of graphs/measures/motif.py."""

import pytest

from goldassay.core.counts import Counts
from goldassay.graphs.measures.motif import Motif, component_names, components_of
from goldassay.graphs.model import Graph
from goldassay.kernels.triads import TRIADS


def test_the_example_of_components_of():
    assert components_of(Graph.from_edges([("cat", "pet"), ("rose", "plant")])).tolist() == [0, 0, 1, 1]


def test_the_example_of_component_names():
    assert component_names(
        Graph.from_edges([("cat", "pet"), ("rose", "plant"), ("plant", "being"), ("rose", "gift")])
    ) == ["pet", "pet", "being", "being", "being", "being"]


@pytest.mark.parametrize("leaves", [10, 100_000, 200_000, 2**31])
def test_the_distance_of_large_graphs(leaves):
    # A node with so many children has so many pairs of them. From 100,000 on products of two such numbers are beyond 2**63: the
    # distance was wrong, and that of 200,000 was 1.
    pairs = leaves * (leaves - 1) // 2
    gold = {f"gold_{name}": 0 for name in TRIADS} | {"gold_021D": pairs}
    pred = {f"pred_{name}": 0 for name in TRIADS} | {"pred_021D": pairs, "pred_021C": leaves}
    distance = Motif().divide_counts(Counts(gold | pred))["distance"]
    assert distance == pytest.approx(leaves / (pairs + leaves), rel=1e-12)
    assert Motif().divide_counts(Counts({**gold, **{name.replace("gold", "pred"): n for name, n in gold.items()}})) == {
        "distance": 0.0
    }
