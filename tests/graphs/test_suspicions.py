from dataclasses import replace

from goldassay.graphs import Graph
from goldassay.graphs.suspicions import suspicions


def graph(namespace, *, texts=None):
    return Graph.from_edges([(f"{namespace}Cat", f"{namespace}Animal")], texts=texts)


def test_nothing_in_common_names_both_namespaces():
    (said,) = suspicions(graph("http://a.org/x#"), graph("http://b.org/y/"))
    assert "http://a.org/x#" in said
    assert "http://b.org/y/" in said


def test_a_common_text_is_no_cause_for_suspicion():
    texts = {"http://b.org/y/Cat": "http://a.org/x#Cat"}
    assert list(suspicions(graph("http://a.org/x#"), graph("http://b.org/y/", texts=texts))) == []


def test_the_flattering_mode_is_named():
    choices = {"edges": "all", "text": "iri"}
    same = replace(graph("http://a.org/x#"), choices=choices)
    (said,) = suspicions(same, same)
    assert "inflated" in said


def test_texts_that_differ_by_case_alone_are_counted():
    pred, gold = Graph.from_edges([("cat", "animal")]), Graph.from_edges([("Cat", "Animal"), ("Dog", "Animal")])
    (said,) = suspicions(pred, gold)
    assert "upper and lower case they share 2" in said
