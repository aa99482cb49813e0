"""Users' code and our notebooks are typed: type checkers know what an evaluation returns, and refuse an argument that it does not have."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
USED = """
from typing import Any, assert_type

import polars as pl

import goldassay
from goldassay.core.matching import Explanation

report = goldassay.evaluate("learned.ttl", gold="reference.owl", measures=["literal"], relations=["subClassOf"])
score = report["literal"]
assert_type(score, goldassay.Score)
assert_type(score.f1, float)
assert_type(score.values["recall"], float)
assert_type(score.matching.missed(5), list[Explanation])
assert_type(report.to_frame(), pl.DataFrame)
assert_type(goldassay.evaluate([("cat", "pet")], gold=[("cat", "pet")])["literal"], goldassay.Score)
several = goldassay.evaluate({"mine": "learned.ttl", "theirs": "other.owl"}, gold="reference.owl", kind="taxonomy")
assert_type(several["literal"], dict[str, goldassay.Score])
assert_type(several["literal"]["mine"].signature, goldassay.Signature)


def show(report: goldassay.Report) -> str:
    return report.format("markdown")


show(report), show(several)
goldassay.evaluate("a.ttl", gold="b.ttl", measurs="literal")  # REFUSED
goldassay.evaluate("a.ttl", gold="b.ttl", unreadable="drop")  # REFUSED
score.values.recall  # REFUSED
report["literal"]["mine"]  # REFUSED
"""
REFUSED = [number for number, line in enumerate(USED.splitlines(), start=1) if line.endswith("# REFUSED")]
SETTINGS = """
[tool.basedpyright]
typeCheckingMode = "standard"
reportMissingImports = false

[tool.mypy]
strict = true
warn_unreachable = true
enable_error_code = ["redundant-expr", "truthy-bool", "ignore-without-code"]

# What goldassay uses inside, and users do not see.
[[tool.mypy.overrides]]
module = ["altair.*", "hypothesis.*", "narwhals.*", "onnx.*", "onnxruntime.*", "sqlalchemy.*", "torch.*"]
follow_imports = "skip"

[[tool.mypy.overrides]]
module = ["pyspark.*"]
ignore_missing_imports = true
"""
CHECKERS = {
    # What it found of goldassay and its dependencies is not looked for again.
    "mypy": ("--cache-dir", str(ROOT / "build" / "mypy"), "--no-error-summary"),
    "basedpyright": ("--level", "error", "--pythonpath", sys.executable),
}


@pytest.mark.parametrize("name", CHECKERS)
def test_type_checkers_see_what_users_write(tmp_path, name):
    """Of the notebooks, too, for the one that reads them: one run takes half of the time of two."""
    pytest.importorskip(name)
    shutil.copytree(ROOT / "examples/plugin/src", tmp_path, dirs_exist_ok=True)
    shutil.copytree(ROOT / "examples/notebooks", tmp_path / "notebooks")
    (tmp_path / "pyproject.toml").write_text(SETTINGS)
    (tmp_path / "used.py").write_text(USED)
    shutil.copy(ROOT / "examples/spark/job.py", tmp_path)
    command = [sys.executable, "-m", name, *CHECKERS[name], "."]
    found = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False).stdout
    errors = re.findall(r"([\w-]+\.\w+):(\d+).* error:", found)
    assert {(file, int(line)) for file, line in errors} == {("used.py", line) for line in REFUSED}, found
