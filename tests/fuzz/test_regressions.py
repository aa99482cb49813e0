"""What failed once, and some new inputs of each target; `make fuzz` looks for longer, and CI for a minute."""

import itertools
from pathlib import Path

import pytest
from tests.fuzz import growth, targets
from tests.fuzz.fuzzing import REGRESSIONS, inputs, tried
from tests.fuzz.targets import TARGETS, corpus

KEPT = sorted(file for file in REGRESSIONS.rglob("*") if file.is_file())


@pytest.fixture
def thoroughly(monkeypatch):
    """Make every costly check on every input."""
    monkeypatch.setitem(targets.sampling, "share", 0)


@pytest.mark.parametrize("file", KEPT, ids=lambda file: f"{file.parent.name}/{file.name}")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.usefixtures("thoroughly")
def test_what_failed_once_does_not_fail_again(file, tmp_path):
    path = tmp_path / file.name.partition("-")[2]
    path.write_bytes(file.read_bytes())
    assert not isinstance(tried(file.parent.name, path), str)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.filterwarnings("ignore")
def test_every_target_holds_on_a_few_inputs(target, tmp_path):
    for name, data in itertools.islice(inputs(target, seed=1), 10):
        path = tmp_path / name
        path.write_bytes(data)
        assert not isinstance(tried(target, path), str), data
        path.unlink()


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.filterwarnings("ignore")
def test_the_corpus_itself_is_read(target, tmp_path, monkeypatch):
    monkeypatch.setitem(targets.sampling, "options", 0)
    read = 0
    for place, (name, data) in enumerate(corpus(target)):
        # Every costly check on every sixth file; `make fuzz` makes some on each.
        monkeypatch.setitem(targets.sampling, "share", float(place % 6 > 0))
        path = tmp_path / name
        path.write_bytes(data)
        outcome = tried(target, path)
        assert not isinstance(outcome, str)
        read += outcome is None
        # Several gold answers are read with a rule for them.
        several = outcome is not None and "--combine" in (outcome.hint or "")
        assert (
            outcome is None
            or several
            or name.endswith(".parquet")
            or "column" in outcome.message
            or target in READ_ELSEWHERE
        )
        path.unlink()
    assert read or target in REFUSED


REFUSED = ("command", "function", "workbook")
"""Targets whose files may all be refused."""
READ_ELSEWHERE = (
    "parameter",
    "statements",
    "dictionary",
    "ontology",
    "hierarchy",
    "judged",
    "references",
    "gate",
    "runs",
    "pairs",
    "cases",
    "converted",
    *REFUSED,
)
"""Targets that share files with others, of which they do not read all, or that draw command lines, of which some are refused."""


@pytest.mark.parametrize("case", growth.CASES[::20], ids=lambda case: f"{case[0]} {case[3][:12]!r}")
@pytest.mark.filterwarnings("ignore")
def test_a_long_input_is_read_or_refused(case, tmp_path):
    target, name, before, pattern, after = case
    growth.seconds(target, tmp_path / Path(name).name, growth.written(before, pattern, after, 5000))
