"""Examples of `goldassay.triples.trust`: what its functions give."""

from goldassay.triples.model import TripleSet
from goldassay.triples.trust import disjoint, find_warnings, merge_triples, read_references


def test_example_of_find_warnings():
    a, b = TripleSet.from_lists({"1": [("x", "r", "y")]}), TripleSet.from_lists({"q1": [("x", "r", "y")]})
    assert list(find_warnings(a, b)) == [
        "no document of the prediction has the id of a gold document (for example '1' against 'q1'): no triple can match; --ids order"
    ]


def test_example_of_disjoint():
    from goldassay.triples import Entities

    a, b = TripleSet.from_lists({"1": [("x", "r", "y")]}), TripleSet.from_lists({"1": [("p", "q", "y")]})
    assert list(disjoint(a, b, Entities())) == [
        "prediction and gold have no subject in common, for example 'x' against 'p'"
    ]


def test_example_of_merge_triples():
    one = TripleSet.from_lists({"d": [("Oslo", "capital of", "Norway"), ("Oslo", "in", "Norway")]})
    other = TripleSet.from_lists({"d": [("Oslo", "in", "Norway")]})
    assert len(merge_triples([one, other], 1)) == 2
    assert len(merge_triples([one, other], 2)) == 1


def test_example_of_read_references():
    import pathlib
    import tempfile

    file = pathlib.Path(tempfile.mkdtemp(), "gold.jsonl")
    _ = file.write_text('{"id": "d", "references": [[["a", "r", "b"]], [["a", "r", "b"], ["b", "r", "c"]]]}\n')
    assert [len(gold) for gold in read_references(file)] == [1, 2]
