"""No option is ignored: each has an effect, by itself and together with every other one, or is refused with exit code 2.

The suite tries all single options, all pairs of commands with few, and a fixed sample of the pairs of the others; `make pairs` tries all.
"""

import functools
import os
from itertools import islice

import pytest
from tests.cli.pairs import Runner, implied
from tests.cli.samples import CASES

import goldassay.cli
from goldassay.core.parameters import parameters_of
from goldassay.families import families, family

WHOLE = ("calibrate", "convert", "inspect")
SAMPLED = ("taxonomy", "axioms", "alignment", "concepts", "triples", "labels", "unl", "sentences", "compare")
"""Commands of which every so many pairs are tried."""
EVERY = 1 if os.environ.get("PAIRS") == "all" else 449
UNTRIED = {"help", "memory", "no_cache", "no_selfcheck", "download", "model_path"}
"""Options of how much memory is taken and where weights and vectors lie, which change nothing that is printed; and of a warning that files as
small as these get none of."""
IMPLIED = {"compare": {"ci"}, "calibrate": {"quiet", "gold"}}
"""Options that change nothing: of an interval that is there anyway, and of progress; one is tried by another name."""


@pytest.fixture(scope="module")
def runner(tmp_path_factory):
    """Make the runner of a command in a folder with its files; what one test runs, no other runs again."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GOLDASSAY_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("COLUMNS", "200")
        patch.setattr(goldassay.cli, "make_command", functools.cache(goldassay.cli.make_command))
        yield functools.cache(lambda name: Runner(CASES[name], tmp_path_factory.mktemp(name)))


def ignored(run, pairs):
    """List the options that pairs ignore, and the pairs with a gate that no one checked."""
    found = [(name, pair) for pair in pairs for name in run.ignored(*pair) if not implied(name, *pair)]
    gate = run.case.gate
    gated = [pair for pair in pairs if gate in pair and not run.shows_nothing(*pair)]
    return found + [(gate, pair) for pair in gated if run.outcome(*pair).code == 0]


@pytest.mark.parametrize("name", [name for name in CASES if name not in {"inspect", "convert"}])
def test_every_option_has_a_sample(name):
    known = {one.name for one in goldassay.cli.make_command(name).params if one.opts[0].startswith("-")}
    known -= {one for one in known if one.startswith(("gold_of_", "pred_of_"))}
    known -= UNTRIED | IMPLIED.get(name, set())
    assert known == {one.option or key for key, one in CASES[name].samples.items()} - UNTRIED - {"gold_file"}


@pytest.mark.parametrize("name", families())
def test_every_option_of_a_reader_has_an_effect_where_a_file_is_inspected(name, runner):
    run, reading = runner(name), parameters_of(family(name).reading.options)
    found = {}
    for key, one in run.case.samples.items():
        option = one.option or key
        if option not in reading or option in family(name).reading.pairing:
            continue
        needs = {**run.case.usual, **one.needs}
        file = needs["preds"][-1]
        words = [word for need, words in needs.items() if need in reading and need != option for word in words]
        given = ("inspect", file, "--kind", name, *words)
        shown = run.run(*given, *one.words)
        if not shown.refused and shown == run.run(*given):
            found[option] = given
    assert set(found) <= {"text", "score_column", "scores"}, found


@pytest.mark.parametrize("name", CASES)
def test_every_option_has_an_effect_or_is_refused(name, runner):
    run = runner(name)
    assert run.outcome().code == 0
    assert [one for one in run.case.samples if run.ignored(one) and not implied(one, one)] == []
    assert [one for one in run.case.samples if "files are read without it" in run.outcome(one).err] == []


@pytest.mark.parametrize("name", WHOLE)
def test_every_pair_has_two_effects_or_is_refused(name, runner):
    run = runner(name)
    assert ignored(run, run.pairs()) == []


@pytest.mark.parametrize("name", SAMPLED)
def test_a_sample_of_pairs_has_two_effects_or_is_refused(name, runner):
    run = runner(name)
    assert ignored(run, list(islice(run.pairs(), 0, None, EVERY))) == []
