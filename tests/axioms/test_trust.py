"""Examples of axioms/trust.py."""

import numpy as np

from goldassay.axioms.model import Axioms
from goldassay.axioms.trust import find_warnings, merge_axioms, permute_axioms


def test_the_example_of_find_warnings():
    a, b = Axioms.from_rows([("Brand", "name", "Text")]), Axioms.from_rows([("brand", "name", "text")])
    assert list(find_warnings(a, b)) == ["prediction and gold share a class only when case is ignored: --fold-case"]


def test_the_example_of_permute_axioms():
    pred = Axioms.from_rows([("Cat", "eats", "Fish", "object"), ("Cow", "likes", "Grass", "object")])
    drawn = permute_axioms(pred, pred, np.random.default_rng(0))
    assert sorted(drawn.rows[:, 2].tolist()) == sorted(pred.rows[:, 2].tolist())


def test_the_example_of_merge_axioms():
    gold_standards = [
        Axioms.from_rows([("Cat", "eats", "Fish")]),
        Axioms.from_rows([("Cat", "eats", "Fish"), ("Cow", "eats", "Hay")]),
    ]
    assert (len(merge_axioms(gold_standards, 1)), len(merge_axioms(gold_standards, 2))) == (2, 1)
