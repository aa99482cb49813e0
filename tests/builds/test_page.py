"""What the page about builds shows next to commands: the hook of pre-commit, the use of the action, and targets of make."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
TAXONOMY = ROOT / "examples" / "taxonomy"
NOTHING = "<a:a> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <a:b> .\n"
[HOOK] = yaml.safe_load(ROOT.joinpath(".pre-commit-hooks.yaml").read_text("utf-8"))


def shown(language, word):
    """The block of the page in a language that has a word."""
    page = ROOT.joinpath("docs", "how-to", "build.md").read_text("utf-8")
    [block] = [one for one in re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL) if word in one]
    return block


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder of an ontology, with a prediction."""
    monkeypatch.chdir(tmp_path)
    shutil.copyfile(TAXONOMY / "reference.owl", "reference.owl")
    shutil.copyfile(TAXONOMY / "learned.ttl", "learned.ttl")
    return tmp_path


def test_the_hook_scores_a_changed_file_and_a_bound_that_is_not_reached_stops_the_commit(goldassay_command, here):
    [hook] = yaml.safe_load(shown("yaml", "hooks:"))["repos"][0]["hooks"]
    assert hook["id"] == HOOK["id"]
    changed = "learned/tools.ttl"
    assert re.search(hook["files"], changed)
    assert not re.search(HOOK["files"], changed)
    (here / "learned").mkdir()
    shutil.move("learned.ttl", changed)
    program, *words = [*HOOK["entry"].split(), *hook["args"], changed]
    assert program == "goldassay"
    assert goldassay_command(*words).code == 0
    Path(changed).write_text(NOTHING)
    result = goldassay_command(*words)
    assert result.code == 1
    assert "goldassay: check failed: learned/tools.ttl: literal f1 is 0, and must be at least 0.1" in result.err


def test_the_use_of_the_action_names_inputs_that_it_has():
    action = yaml.safe_load(ROOT.joinpath("action.yml").read_text("utf-8"))
    [*_, step] = yaml.safe_load(shown("yaml", "jobs:"))["jobs"]["score"]["steps"]
    assert set(step["with"]) <= set(action["inputs"])
    assert {name for name, one in action["inputs"].items() if one.get("required")} <= set(step["with"])


def test_the_targets_of_make_score_what_changed_and_stop_at_a_bound(here, monkeypatch):
    (here / "Makefile").write_text(shown("make", "GOLD"))
    (here / "goldassay").write_text(f'#!/bin/bash\nexec {sys.executable} -m goldassay "$@"\n')
    (here / "goldassay").chmod(0o755)
    monkeypatch.setenv("PATH", f"{here}:{'/usr/bin:/bin'}")

    def make(*words):
        return subprocess.run(["make", *words], capture_output=True, text=True, check=False)

    first = make("score")
    assert (first.returncode, "literal" in first.stdout) == (0, True), first.stderr
    assert make("-q", "reports/learned.json").returncode == 0
    below = make("score", "BOUND=literal.f1=0.9")
    assert below.returncode != 0
    assert "goldassay: check failed: learned.ttl: literal f1 is 0.12766, and must be at least 0.9" in below.stderr
