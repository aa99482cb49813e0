"""Examples of labels/trust.py."""

from goldassay.labels.model import Labels
from goldassay.labels.trust import find_warnings, merge_labels


def test_the_example_of_find_warnings():
    edges = [("cat", "pet"), ("dog", "pet")]
    gold = Labels.from_rows([("d1", "cat"), ("d2", "dog")], edges=edges)
    assert list(find_warnings(Labels.from_rows([("d1", "pet")], edges=edges), gold)) == [
        "1 of the 2 instances of gold has no prediction, for example d2",
        "all labels of the prediction are roots",
    ]


def test_the_example_of_merge_labels():
    edges = [("cat", "pet"), ("dog", "pet")]
    rows = [("d1", "cat"), ("d1", "dog")], [("d1", "cat")]
    gold_standards = [Labels.from_rows(some, edges=edges) for some in rows]
    assert (len(merge_labels(gold_standards, 1)), len(merge_labels(gold_standards, 2))) == (2, 1)
