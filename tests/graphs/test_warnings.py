from dataclasses import replace

from goldassay.graphs import Graph
from goldassay.graphs.trust import find_warnings


def graph(namespace, *, texts=None):
    return Graph.from_edges([(f"{namespace}Cat", f"{namespace}Animal")], texts=texts)


def test_nothing_in_common_names_both_namespaces():
    (messages,) = find_warnings(graph("http://a.org/x#"), graph("http://b.org/y/"))
    assert "http://a.org/x#" in messages
    assert "http://b.org/y/" in messages


def test_a_common_text_is_no_cause_for_a_warning():
    texts = {"http://b.org/y/Cat": "http://a.org/x#Cat"}
    assert list(find_warnings(graph("http://a.org/x#"), graph("http://b.org/y/", texts=texts))) == []


def test_the_flattering_mode_is_named():
    choices = {"edges": "all", "text": "iri"}
    same = replace(graph("http://a.org/x#"), choices=choices)
    (messages,) = find_warnings(same, same)
    assert "inflated" in messages


def test_texts_that_differ_by_case_only_are_counted():
    pred, gold = Graph.from_edges([("cat", "animal")]), Graph.from_edges([("Cat", "Animal"), ("Dog", "Animal")])
    (messages,) = find_warnings(pred, gold)
    assert "upper and lower case they share 2" in messages


def test_edges_the_other_way_round_are_counted_each_once_however_many_there_are():
    pairs = [(f"word {row}", f"word {row // 3 + 10_000}") for row in range(5_000)]
    gold = Graph.from_edges(pairs)
    (messages,) = find_warnings(Graph.from_edges([(parent, child) for child, parent in pairs] + [("x", "y")]), gold)
    assert "no edge is one of gold, and 5,000 edges are so the other way round" in messages
    shared = Graph.from_edges([(parent, child) for child, parent in pairs] + [pairs[-1]])
    assert list(find_warnings(shared, gold)) == []
