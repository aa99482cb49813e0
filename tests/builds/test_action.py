"""The GitHub Action: its steps, run one after the other as a runner would, with a `gh` that answers from a folder."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

import goldassay

ROOT = Path(__file__).resolve().parents[2]
ACTION = yaml.safe_load(ROOT.joinpath("action.yml").read_text("utf-8"))
STEPS = {step["id"]: step for step in ACTION["runs"]["steps"] if "run" in step}
GH = """#!/bin/bash
echo "gh $*" >> "$GH_FOLDER/calls"
case "$1 $2" in
  "run list") cat "$GH_FOLDER/runs" ;;
  "run download") test "$3" = 7 && mkdir -p "${@: -1}" && cp "$GH_FOLDER/report.json" "${@: -1}" ;;
  "api --method") test ! -e "$GH_FOLDER/forbidden" && cp "${6#body=@}" "$GH_FOLDER/body" ;;
  "api repos"*) cat "$GH_FOLDER/comments" ;;
esac
"""


class Ran(NamedTuple):
    code: int
    out: str
    outputs: dict[str, str]


class Runner:
    """What a runner does with a step, for expressions that name a value."""

    def __init__(self, folder, **inputs):
        self.folder = folder
        self.known = {f"inputs.{name}": one.get("default", "") for name, one in ACTION["inputs"].items()}
        self.known |= {f"inputs.{name.replace('_', '-')}": value for name, value in inputs.items()}
        self.known |= {"github.token": "secret", "github.event.pull_request.number": "12"}
        for name, text in {"calls": "", "runs": "", "comments": ""}.items():
            (folder / name).write_text(text)
        for name, text in {"gh": GH, "goldassay": f'#!/bin/bash\nexec {sys.executable} -m goldassay "$@"\n'}.items():
            (folder / name).write_text(text)
            (folder / name).chmod(0o755)
        (folder / "made").mkdir(exist_ok=True)
        self.known |= {
            "steps.install.outputs.folder": f"{folder}/made",
            "steps.install.outputs.program": f"{folder}/goldassay",
        }

    def step(self, name):
        step, output = STEPS[name], self.folder / f"output-{name}"
        output.write_text("")
        given = {key: self.fill(value) for key, value in step["env"].items()}
        surroundings = {
            "GITHUB_OUTPUT": str(output),
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary"),
            "GITHUB_REPOSITORY": "someone/ontology",
            "GITHUB_WORKFLOW_REF": "someone/ontology/.github/workflows/build.yml@refs/pull/12/merge",
            "GITHUB_BASE_REF": "main",
            "GITHUB_REF_NAME": "12/merge",
            "GH_FOLDER": str(self.folder),
            "GOLDASSAY_CACHE_DIR": str(self.folder / "cache"),
            "PATH": f"{self.folder}:{os.environ['PATH']}",
        }
        bash = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        done = subprocess.run(
            bash,
            cwd=self.folder,
            env={**os.environ, **surroundings, **given},
            capture_output=True,
            text=True,
            check=False,
        )
        assert not done.stderr or name == "judge", done.stderr
        outputs = dict(line.split("=", 1) for line in output.read_text().splitlines())
        self.known |= {f"steps.{name}.outputs.{key}": value for key, value in outputs.items()}
        return Ran(done.returncode, done.stdout, outputs)

    def fill(self, value):
        return re.sub(r"\$\{\{ *(.*?) *\}\}", lambda found: self.known.get(found[1], ""), value)

    def text(self, name):
        return (self.folder / name).read_text()


@pytest.fixture
def runner(tmp_path):
    def made(**inputs):
        return Runner(tmp_path, **{"pred": "pred.csv", "gold": "gold.csv", "measures": "literal", **inputs})

    (tmp_path / "gold.csv").write_text("child,parent\na,r\nb,r\nc,r\n")
    (tmp_path / "pred.csv").write_text("child,parent\na,r\nb,r\n")
    return made


def test_a_push_keeps_a_report_and_a_pull_request_is_held_against_it(runner, tmp_path):
    push = runner()
    push.step("baseline")
    assert push.text("calls").count("gh run list") == 1
    first = push.step("score")
    assert (first.code, first.outputs["code"]) == (0, "0")
    assert push.step("judge").code == 0
    assert push.text("summary").startswith("### goldassay\n")
    (tmp_path / "report.json").write_bytes(Path(first.outputs["report"]).read_bytes())

    (tmp_path / "runs").write_text("9\n7\n5\n")
    (tmp_path / "pred.csv").write_text("child,parent\n::error::x,r\nb,r\nc,r\n")
    request = push
    asked = request.step("baseline")
    assert asked.outputs["report"] == f"{tmp_path}/made/baseline/report.json"
    assert "--workflow build.yml --branch main --event push --status success" in request.text("calls")
    assert "gh run download 5" not in request.text("calls")
    request.known |= {"inputs.fail-under": "literal.f1=0.1\n\n  recall=0.9", "inputs.max-drop": "0.2"}
    second = request.step("score")
    assert second.outputs["code"] == "1"
    assert request.step("judge").code == 1
    comment = Path(second.outputs["summary"]).read_text()
    assert comment.startswith("### ❌ goldassay: 2 of 5 checks failed\n")
    assert "- missed             a -> r\n" in comment
    assert "+ matched            c -> r\n" in comment
    assert request.text("summary").endswith(comment)
    *_, error, worse = second.out.splitlines()
    assert error == "::error title=goldassay::pred.csv: literal recall is 0.666667, and must be at least 0.9"
    assert worse.startswith(
        "::error title=goldassay::pred.csv: literal precision is 0.666667, was 1: worse by 0.333333"
    )
    stop, *_ = second.out.splitlines()
    token = stop.removeprefix("::stop-commands::")
    assert f"::{token}::" in second.out.splitlines()


def test_a_comment_is_written_once_and_then_kept_up_to_date(runner, tmp_path):
    request = runner()
    (tmp_path / "made" / "summary.md").write_text("### goldassay\n")
    request.known["steps.score.outputs.summary"] = f"{tmp_path}/made/summary.md"
    assert request.step("comment").code == 0
    assert request.text("body") == "<!-- goldassay -->\n### goldassay\n"
    assert "gh api --method POST repos/someone/ontology/issues/12/comments --field" in request.text("calls")
    (tmp_path / "comments").write_text("345\n678\n")
    request.step("comment")
    assert "gh api --method PATCH repos/someone/ontology/issues/comments/345 --field" in request.text("calls")
    (tmp_path / "forbidden").touch()
    refused = request.step("comment")
    assert (refused.code, refused.out[:10]) == (0, "::notice::")


def test_a_file_that_cannot_be_read_is_reported_and_is_no_bound(runner, tmp_path):
    (tmp_path / "pred.csv").write_text("child,parent\na\n")
    request = runner()
    found = request.step("score")
    assert found.outputs["code"] == "2"
    assert "report" not in found.outputs
    assert request.step("judge").code == 2
    assert "### ❌ goldassay\n\n    goldassay: pred.csv:2:" in request.text("summary")
    assert "::error" not in found.out


def test_another_gold_standard_is_no_reason_to_fail(runner, tmp_path):
    before = goldassay.evaluate(tmp_path / "pred.csv", gold=tmp_path / "pred.csv", measures="literal")
    before.save(tmp_path / "before.json")
    request = runner()
    request.known["steps.baseline.outputs.report"] = "before.json"
    found = request.step("score")
    assert found.outputs["code"] == "0", found.out
    assert "Not compared with the baseline:" in request.text("summary")
    assert "\n    goldassay: The baseline is a report on another gold standard.\n" in request.text("summary")


def test_flags_are_given_one_a_line(runner):
    first = runner(pred="p*.csv\ngold.csv", options="--ci\n--resamples 100\n\n--text label", extras="")
    found = first.step("score")
    assert found.outputs["code"] == "0", found.out
    assert "`gold.csv`" in first.text("summary")
    assert "ci:bca(level=0.95,resamples=100,seed=0)" in first.text("summary")


def git(*words):
    named = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *named, *words], check=True, capture_output=True)


def test_a_pull_request_may_score_what_it_changes_only(runner, tmp_path, monkeypatch):
    request = runner(pred="pred*.csv\nlearned", changed="true")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "learned").mkdir()
    for name in ("pred 2.csv", "pred 3.csv", "learned/x.csv"):
        (tmp_path / name).write_text("child,parent\na,r\n")
    git("init")
    git("add", "gold.csv", "pred.csv", "pred 2.csv", "pred 3.csv", "learned")
    git("commit", "-m", "first")
    git("clone", "--bare", ".", "origin.git")
    git("remote", "add", "origin", "origin.git")
    unchanged = request.step("score")
    assert unchanged.outputs == {"code": "0", "summary": f"{tmp_path}/made/summary.md"}
    assert request.text("made/summary.md") == request.text("summary") == "### goldassay\n\nNo prediction changed.\n"
    assert request.step("judge").code == 0
    (tmp_path / "pred 2.csv").write_text("child,parent\na,r\nb,r\n")
    (tmp_path / "learned" / "x.csv").write_text("child,parent\nb,r\n")
    (tmp_path / "pred 3.csv").unlink()
    found = request.step("score")
    report = goldassay.load(found.outputs["report"])
    assert [run.label for run in report] == ["learned/x.csv", "pred 2.csv"]
    (tmp_path / "gold.csv").write_text("child,parent\na,r\n")
    (tmp_path / "pred 3.csv").write_text("child,parent\na,r\n")
    assert len(goldassay.load(request.step("score").outputs["report"])) == 4


def test_an_artifact_is_one_way_to_a_baseline(runner):
    for messages, found in (("none", ""), ("before.json", "before.json"), ("artifact", "")):
        request = runner(baseline=messages)
        assert request.step("baseline").outputs["report"] == found


def test_no_value_of_an_input_is_part_of_a_script():
    for step in STEPS.values():
        assert "${{" not in step["run"]
    named = set(re.findall(r"inputs\.([a-z-]+)", ROOT.joinpath("action.yml").read_text("utf-8")))
    assert named == set(ACTION["inputs"])


def test_the_program_is_installed_from_the_folder_of_the_action_or_by_version(runner, tmp_path, monkeypatch):
    python = tmp_path / "python"
    request = runner()
    python.write_text(
        '#!/bin/bash\nmkdir -p "$3/bin"\nprintf \'#!/bin/bash\\necho "$*"\\n\' > "$3/bin/python"\nchmod +x "$3/bin/python"\n'
    )
    python.chmod(0o755)
    monkeypatch.setenv("RUNNER_TEMP", str(tmp_path / "temp"))
    monkeypatch.setenv("GITHUB_ACTION_PATH", "/actions/goldassay")
    found = request.step("install")
    assert found.out.split()[-1] == "/actions/goldassay[minilm]"
    assert found.outputs["program"] == f"{tmp_path}/temp/goldassay/python/bin/goldassay"
    request.known |= {"inputs.version": "0.2.0", "inputs.extras": ""}
    assert request.step("install").out.split()[-1] == "goldassay==0.2.0"
