"""No option is ignored: each has an effect, alone and beside every other one, or is refused with exit code 2.

The suite tries all single options, all pairs of UNL documents, and a fixed sample of the pairs of most other commands.
"""

import functools
from itertools import islice

import pytest
from tests.cli.pairs import Runner, implied
from tests.cli.samples import CASES

import goldassay.cli

WHOLE = ("unl",)
SAMPLED = ("taxonomy", "axioms", "concepts", "sentences", "compare", "calibrate", "convert")
"""Commands of which every so many pairs are tried; those of the others are not yet gone through."""
EVERY = 25
UNTRIED = {"help", "memory", "no_cache", "download", "model_path"}
"""Options of how much memory is taken and where weights and vectors lie, which change nothing that is printed."""
FAMILIES = [name for name in CASES if name not in ("compare", "calibrate", "convert", "inspect")]


@pytest.fixture
def runner(tmp_path, monkeypatch):
    """Make the runner of a command in a folder with its files."""
    monkeypatch.setenv("GOLDASSAY_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(goldassay.cli, "made", functools.cache(goldassay.cli.made))
    return lambda name: Runner(CASES[name], tmp_path)


def ignored(run, pairs):
    """List the options that pairs ignore, and the pairs with a gate that nobody checked."""
    found = [(name, pair) for pair in pairs for name in run.ignored(*pair) if not implied(name, *pair)]
    gate = run.case.gate
    gated = [pair for pair in pairs if gate in pair and not run.shows_nothing(*pair)]
    return found + [(gate, pair) for pair in gated if run.outcome(*pair).code == 0]


@pytest.mark.parametrize("name", FAMILIES)
def test_every_option_has_a_sample(name):
    known = {one.name for one in goldassay.cli.made(name).params if one.opts[0].startswith("-")} - UNTRIED
    known -= {one for one in known if one.startswith(("gold_of_", "pred_of_"))}
    assert known == {one.option or key for key, one in CASES[name].samples.items()}


@pytest.mark.parametrize("name", CASES)
def test_every_option_has_an_effect_or_is_refused(name, runner):
    run = runner(name)
    assert run.outcome().code == 0
    assert [one for one in run.case.samples if run.ignored(one) and not implied(one, one)] == []


@pytest.mark.parametrize("name", WHOLE)
def test_every_pair_has_two_effects_or_is_refused(name, runner):
    run = runner(name)
    assert ignored(run, run.pairs()) == []


@pytest.mark.parametrize("name", SAMPLED)
def test_a_sample_of_pairs_has_two_effects_or_is_refused(name, runner):
    run = runner(name)
    assert ignored(run, list(islice(run.pairs(), 0, None, EVERY))) == []
