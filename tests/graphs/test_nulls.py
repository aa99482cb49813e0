"""Examples of graphs/nulls.py."""

import numpy as np

from goldassay.graphs.model import Graph
from goldassay.graphs.nulls import (
    add_edges,
    drop_edges,
    move_down,
    move_up,
    random_edges,
    rename_nodes,
    reverse_edges,
    rewire,
    shuffle_texts,
)


def test_the_example_of_shuffle_texts():
    pred = Graph.from_edges([("cat", "animal"), ("dog", "animal")])
    drawn = shuffle_texts(pred, pred, np.random.default_rng(0))
    assert (drawn.edges.tolist() == pred.edges.tolist(), sorted(drawn.texts.tolist())) == (
        True,
        ["animal", "cat", "dog"],
    )


def test_the_example_of_rewire():
    pred = Graph.from_edges([("cat", "animal"), ("oak", "plant"), ("elm", "plant")])
    drawn = rewire(pred, pred, np.random.default_rng(0))
    assert np.bincount(drawn.edges[:, 1]).tolist() == np.bincount(pred.edges[:, 1]).tolist()


def test_the_example_of_random_edges():
    gold = Graph.from_edges([("cat", "animal"), ("oak", "plant")])
    assert len(random_edges(gold, gold, np.random.default_rng(0))) == 2


def test_the_example_of_reverse_edges():
    pred = Graph.from_edges([("cat", "animal")])
    assert reverse_edges(pred, pred, np.random.default_rng(0)).item(0) == "animal -> cat"


def test_the_example_of_drop_edges():
    graph = Graph.from_edges([("cat", "pet"), ("dog", "pet"), ("pet", "animal"), ("oak", "tree")])
    assert len(drop_edges(graph, 0.5, np.random.default_rng(0))) == 2


def test_the_example_of_add_edges():
    graph = Graph.from_edges([("cat", "pet"), ("dog", "pet"), ("pet", "animal"), ("oak", "tree")])
    assert len(add_edges(graph, 0.5, np.random.default_rng(0))) == 6


def test_the_example_of_rename_nodes():
    graph = Graph.from_edges([("cat", "pet"), ("dog", "pet")])
    assert set(rename_nodes(graph, 1.0, np.random.default_rng(0)).texts.tolist()) & {"cat", "dog", "pet"} == set()


def test_the_example_of_move_up():
    graph = Graph.from_edges([("cat", "pet"), ("pet", "animal")])
    assert move_up(graph, 1.0, np.random.default_rng(0)).item(0) == "cat -> animal"


def test_the_example_of_move_down():
    graph = Graph.from_edges([("cat", "pet"), ("dog", "pet")])
    assert move_down(graph, 0.5, np.random.default_rng(0)).item(0) in ("cat -> dog", "cat -> pet")
