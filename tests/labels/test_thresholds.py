"""Examples of labels/measures/thresholds.py."""

from goldassay.labels import Smin
from goldassay.labels.model import Labels


def test_the_example_of_bestthreshold_curve():
    gold = Labels.from_rows([("d1", "cat"), ("d2", "dog")], edges=[("cat", "pet"), ("dog", "pet")])
    pred = Labels.from_rows([("d1", "cat", 0.9), ("d2", "cat", 0.4)], edges=[("cat", "pet"), ("dog", "pet")])
    assert Smin(weights="one").curve(pred=pred, gold=gold).values["uncertainty"].tolist() == [1.0, 0.5]
