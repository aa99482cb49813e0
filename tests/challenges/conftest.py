import pytest

from goldassay.challenges import load

GOLD = "child,parent\nsecretleaf,secretroot\ncat,animal\ndog,animal\n"
PRED = "child,parent\ncat,animal\ncow,plant\n"
CHALLENGE = """
name = "pets-2027"
title = "Pets 2027"
description = "Predict *pets*."
kind = "taxonomy"
measures = ["literal", "fuzzy(threshold=0.9)"]
rank_by = "literal.f1"
prediction = "prediction.csv"
encoder = "hashing"
intervals = true

[options]
on-error = "skip"

[[phases]]
name = "development"
gold = "vault/dev.csv"
start = 2027-01-01T00:00:00Z
end = 2027-03-01T01:00:00+01:00
submissions_a_day = 5

[[phases]]
name = "final"
gold = ["vault/dev.csv", "vault/more.csv"]
start = 2027-03-01T00:00:00Z

[limits]
megabytes = 1
"""


@pytest.fixture
def folder(tmp_path):
    """A challenge with its gold, and a submission."""
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault" / "dev.csv").write_text(GOLD)
    (tmp_path / "vault" / "more.csv").write_text(GOLD + "fish,animal\n")
    (tmp_path / "challenge.toml").write_text(CHALLENGE)
    (tmp_path / "prediction.csv").write_text(PRED)
    return tmp_path


@pytest.fixture
def challenge(folder):
    return load(folder / "challenge.toml")
