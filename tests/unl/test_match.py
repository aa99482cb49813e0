"""Examples of unl/match.py."""

from goldassay.unl.match import (
    align,
    edges,
    list_relations,
    overlap,
    pairing_warnings,
    pairs_by_id,
    partners,
    relation_items,
    wordings_of,
)
from goldassay.unl.model import Texts
from goldassay.unl.read import document_of


def test_the_example_of_list_relations():
    items = list_relations(document_of("[S]agt:01(a:07.@past, b) mod(c, :01)[/S]"))
    assert (items.item(0), items.item(1)) == ("S:1 agt a b", "S:1 mod c :scope")


def test_the_example_of_relation_items():
    assert relation_items(document_of("[S]agt:01(a:07.@past, b) mod(c, :01)[/S]").sentences[0]) == [
        ("agt", "a", "b"),
        ("mod", "c", ":scope"),
    ]


def test_the_example_of_pairs_by_id():
    one, two, three = (Texts(ids=ids, wordings=(("",),) * 2) for ids in (("1", "2"), ("2", "3"), ("5", "6")))
    assert (pairs_by_id(one, two), pairs_by_id(one, three)) == (True, False)


def test_the_example_of_partners():
    one, two, three = (Texts(ids=ids, wordings=(("",),) * 2) for ids in (("1", "2"), ("2", "3"), ("5", "6")))
    assert (partners(one, two).tolist(), partners(one, three).tolist()) == ([-1, 0], [0, 1])


def test_the_example_of_wordings_of():
    one, two = (
        Texts(ids=("1",), wordings=(("A cat.",),)),
        Texts(ids=("1", "2"), wordings=(("Cats.", "A cat."), ("No.",))),
    )
    assert wordings_of(one, two) == (["A cat.", ""], [("Cats.", "A cat."), ("No.",)])


def test_the_example_of_pairing_warnings():
    one, two = Texts(ids=("1",), wordings=(("",),)), Texts(ids=("1", "2"), wordings=(("",),) * 2)
    assert list(pairing_warnings(one, two)) == ["1 expected sentence has no prediction and counts as not returned"]


def test_the_example_of_edges():
    assert edges(document_of("[S] agt(a:01, b) [/S]").sentences[0]) == [("agt", ("a", "01"), ("b", ""))]


def test_the_example_of_align():
    pred = [("agt", ("a", ""), ("b", "")), ("obj", ("a", ""), ("c", ""))]
    gold = [("agt", ("x", ""), ("y", "")), ("obj", ("x", ""), ("y", ""))]
    assert align(pred, gold).overlap == 1


def test_the_example_of_overlap():
    assert overlap({("a", ""): ("x", "")}, [("agt", ("a", ""), ("a", ""))], [("agt", ("x", ""), ("x", ""))]) == 1
