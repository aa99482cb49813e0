"""What several golds say of themselves."""

import math

from goldassay.core.golds import Golds, sources_of
from goldassay.core.model import Read
from goldassay.core.shape import SavedGolds, write_shape


def test_golds_are_written_by_their_rule():
    golds = Golds(rule="mean", sizes=(5, 4, 4), ceiling={"f1": 0.5, "recall": math.nan})
    assert str(golds) == "mean(3,counts=summed)"
    assert write_shape(golds, SavedGolds) == {
        "rule": "mean",
        "sizes": [5, 4, 4],
        "mixed": False,
        "ceiling": {"f1": 0.5, "recall": None},
    }
    assert write_shape(Golds(rule="max", sizes=(1,), mixed=True), SavedGolds)["mixed"]


def test_what_golds_come_from_is_said_of_all_of_them():
    found = sources_of([Read(path="b.ttl", format="turtle", choices={"text": "label"}), Read(format="csv")])
    assert found == {"path": "b.ttl", "format": "csv+turtle", "choices": {"text": "default+label"}}
    assert sources_of([Read(), Read()])["path"] is None
