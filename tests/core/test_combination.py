"""What several gold standards say of themselves."""

import math

from goldassay.core.combination import Combination, sources_of
from goldassay.core.model import Provenance
from goldassay.core.shape import SavedCombination, write_shape


def test_golds_are_written_by_their_rule():
    gold_standards = Combination(rule="mean", sizes=(5, 4, 4), ceiling={"f1": 0.5, "recall": math.nan})
    assert str(gold_standards) == "mean(3,counts=summed)"
    assert write_shape(gold_standards, SavedCombination) == {
        "rule": "mean",
        "sizes": [5, 4, 4],
        "mixed": False,
        "ceiling": {"f1": 0.5, "recall": None},
    }
    assert write_shape(Combination(rule="max", sizes=(1,), mixed=True), SavedCombination)["mixed"]


def test_what_golds_come_from_is_reported_of_all_of_them():
    found = sources_of([Provenance(path="b.ttl", format="turtle", choices={"text": "label"}), Provenance(format="csv")])
    assert found == {"path": "b.ttl", "format": "csv+turtle", "choices": {"text": "default+label"}}
    assert sources_of([Provenance(), Provenance()])["path"] is None


def test_the_example_of_combination():
    assert str(Combination(rule="max", sizes=(5, 4))) == "max(2)"


def test_the_example_of_sources_of():
    found = sources_of(
        [Provenance(path="b.ttl", choices={"text": "label"}), Provenance(path="a.csv", choices={"text": "given"})]
    )
    assert (found["path"], found["choices"]) == ("a.csv + b.ttl", {"text": "given+label"})
