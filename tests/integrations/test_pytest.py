"""The plugin of pytest, in a pytest of its own."""

import math
import re

import pytest

import goldassay
from goldassay.pytest import assert_score

pytest_plugins = ["pytester"]
TESTS = """
from goldassay.pytest import assert_score

GOLD = [("cat", "animal"), ("dog", "animal")]

def test_reached():
    assert assert_score([("cat", "animal")], GOLD, "literal.precision", at_least=1).value == 1

def test_missed():
    assert_score([("cat", "animal")], GOLD, "literal.recall", at_least=0.51)

def test_over():
    assert_score([("cat", "animal")], GOLD, "literal.recall", at_most=0.49, misses=0)

def test_of_texts():
    assert_score(["A cat."], ["A cat."], "levenshtein", at_least=0.5, at_most=1)

def test_without_a_bound():
    assert_score(GOLD, GOLD, "literal")
"""


def test_scores_are_checked_explained_and_listed(pytester):
    pytester.makepyfile(TESTS)
    ran = pytester.runpytest_inprocess("--junitxml=out.xml", "-p", "no:cacheprovider")
    ran.assert_outcomes(passed=2, failed=3)
    ran.stdout.fnmatch_lines(
        [
            "prediction: must be at least 0.51",
            "literal recall is 0.5",
            "missed 1 of 2, the nearest first",
            "missed    dog -> animal",
            "literal|*",
            "prediction: must be at most 0.49",
            "*at_least or at_most is required.*",
            "*= scores =*",
            "prediction: literal.precision 1",
            "prediction: levenshtein.f1 1",
            "prediction: literal.recall 0.5",
            "prediction: literal.recall 0.5",
        ]
    )
    written = (pytester.path / "out.xml").read_text("utf-8")
    assert len(re.findall('<property name="goldassay"', written)) == 4


@pytest.mark.parametrize("bound", ["at_least", "at_most"])
def test_a_bound_that_is_no_number_is_an_error(bound):
    with pytest.raises(goldassay.UsageError, match="must be a number"):
        assert_score([("cat", "animal")], [("cat", "animal")], "literal.recall", **{bound: math.nan})


@pytest.mark.parametrize(("bound", "word"), [("at_least", "never"), ("at_most", "always")])
def test_a_percentage_is_no_bound_of_a_share(bound, word):
    with pytest.raises(goldassay.UsageError, match=rf"{word} reaches this bound(.|\n)*a share is no percentage: 0\.5"):
        assert_score([("cat", "animal")], [("cat", "animal")], "literal.recall", **{bound: 50})
