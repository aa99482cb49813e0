"""Examples of core/documents.py."""

from types import SimpleNamespace

import numpy as np

from goldassay.core.documents import DocumentPairs, describe_unpaired, spans_of, warn_of_pairs
from goldassay.core.intern import string_array


def test_the_example_of_documentpairs_by_id():
    pairs = DocumentPairs.by_id(pred=string_array(["b", "c"]), gold=string_array(["a", "b"]))
    assert (pairs.ids.tolist(), pairs.pred.tolist(), pairs.gold.tolist(), pairs.surplus) == (
        ["a", "b", "c"],
        [-1, 0, 1],
        [0, 1, -1],
        ["c"],
    )


def test_the_example_of_documentpairs_unpaired():
    assert list(DocumentPairs.by_id(pred=string_array([]), gold=string_array(["a"])).unpaired) == [
        "1 gold document has no prediction: a"
    ]


def test_the_example_of_documentpairs_without_empty():
    pairs = DocumentPairs.by_id(pred=string_array(["a", "b", "c"]), gold=string_array(["a"]))
    kept = pairs.without_empty(np.array([0, 0, 1]))
    assert (kept.ids.tolist(), kept.surplus) == (["a", "c"], ["c", "b"])


def test_the_example_of_spans_of():
    assert spans_of(np.array([0, 2]), np.array([-1, 0])).tolist() == [[0, 0], [0, 2]]


def test_the_example_of_describe_unpaired():
    assert describe_unpaired(["a"], 1, "gold document", "no prediction") == "1 gold document has no prediction: a"


def sides_of(pred, gold):
    ids = {"pred": string_array(pred), "gold": string_array(gold)}
    pairs = DocumentPairs.by_id(**ids)
    return (*(SimpleNamespace(ids=ids[side], path=f"answers/{pred[0]}.txt") for side in ids), pairs)


def test_documents_that_are_all_unpaired_are_warned_of_with_the_reason():
    assert [*warn_of_pairs(*sides_of(["q1"], ["q2", "q1"]), "no match is possible")] == [
        "1 gold document has no prediction: q2; missing documents count as empty"
    ]
    pred, gold, pairs = sides_of(["1"], ["q1"])
    pred.path = "answers/q1.txt"
    assert [*warn_of_pairs(pred, gold, pairs, "no match is possible")] == [
        'no document of the prediction has the id of a gold document: the file is named as one (q1), and all documents of a prediction are one folder, or one file, such as lines of {"id": "q1", "output": "..."}'
    ]
