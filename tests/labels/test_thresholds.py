"""Examples of labels/measures/thresholds.py."""

import pytest

from goldassay.labels import Smin, WeightedFmax
from goldassay.labels.model import Labels


def test_the_example_of_bestthreshold_curve():
    gold = Labels.from_rows([("d1", "cat"), ("d2", "dog")], edges=[("cat", "pet"), ("dog", "pet")])
    pred = Labels.from_rows([("d1", "cat", 0.9), ("d2", "cat", 0.4)], edges=[("cat", "pet"), ("dog", "pet")])
    assert Smin(weights="one").curve(pred=pred, gold=gold).values["uncertainty"].tolist() == [1.0, 0.5]


BELOW = [("leaf", "inner"), ("inner", "root")]
CONTENT = {"root": 0.0, "inner": 1.0, "leaf": 2.0}


def content(tmp_path):
    """Write the information content of three labels, of which the root has none."""
    path = tmp_path / "content.csv"
    path.write_text("label,ic\n" + "".join(f"{label},{value}\n" for label, value in CONTENT.items()))
    return str(path)


def test_what_has_no_information_counts_as_cafaeval_counts_it(tmp_path):
    """The values of cafaeval 1.3.0; there, no_orphans changes f and s, but not f_w."""
    rows = [("p1", "leaf"), ("p2", "root")]
    gold = Labels.from_rows(rows, edges=BELOW)
    pred = Labels.from_rows([(*row, 0.9) for row in rows], edges=BELOW)
    asked = {"step": 0.01, "targets": "gold", "uninformative": "miss"}
    weighted = WeightedFmax(ic=content(tmp_path), **asked).score(pred=pred, gold=gold)
    assert dict(weighted.values) == pytest.approx({"precision": 1, "recall": 0.5, "fmax": 2 / 3, "coverage": 0.5})
    assert weighted.note.endswith("1 of the 2 instances of gold has no prediction that counts, and is missed")
    without_root = WeightedFmax(weights="one", root="exclude", **asked).score(pred=pred, gold=gold)
    assert dict(without_root.values) == pytest.approx({"precision": 1, "recall": 0.5, "fmax": 2 / 3, "coverage": 0.5})


def test_what_has_no_information_is_left_out_where_it_is_not_asked_for(tmp_path):
    """A prediction that is gold has 1, and misses nothing."""
    rows = [("p1", "leaf"), ("p2", "root")]
    gold = Labels.from_rows(rows, edges=BELOW)
    for measure in (WeightedFmax(ic=content(tmp_path)), WeightedFmax(weights="one", root="exclude")):
        score = measure.score(pred=gold, gold=gold)
        assert set(score.values.values()) == {1}
        assert "missed" not in score.note
    assert Smin(ic=content(tmp_path), uninformative="miss").score(pred=gold, gold=gold).s == 0


@pytest.mark.parametrize("step", [0.0, 0.01, 0.3])
def test_no_threshold_is_above_every_score(step):
    """The value of cafaeval 1.3.0, which knows no threshold at which nothing is predicted: nothing at all would be nearer."""
    edges = [("t4", "t3"), ("t3", "t2"), ("t2", "t0"), ("t1", "t0")]
    gold = Labels.from_rows([("p1", "t1")], edges=edges)
    pred = Labels.from_rows([("p1", "t4", 0.5)], edges=edges)
    measure = Smin(step=step, weights="one", targets="gold")
    assert measure.score(pred=pred, gold=gold).s == pytest.approx(10**0.5)
    assert measure.curve(pred=pred, gold=gold).thresholds.max() <= 0.5
