"""The docs say what the code says."""

import importlib.util
import re
import shlex
from pathlib import Path

import pytest

import goldassay

ROOT = Path(__file__).resolve().parent.parent


def test_the_page_of_measures_is_up_to_date():
    spec = importlib.util.spec_from_file_location("goldassay_docs_generate", ROOT / "docs" / "generate.py")
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    assert generate.PAGE.read_text(encoding="utf-8") == generate.measures_page(), "run: make docs"
    assert generate.FORMATS_PAGE.read_text(encoding="utf-8") == generate.formats_page(), "run: make docs"


def test_the_public_face_is_sorted_and_complete():
    assert list(goldassay.__all__) == sorted(goldassay.__all__)
    assert all(hasattr(goldassay, name) for name in goldassay.__all__)


def test_the_changelog_knows_this_version_or_a_next_one():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert "## [Unreleased]" in text or f"## [{goldassay.__version__}]" in text


@pytest.mark.parametrize(
    "block", re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
)
def test_python_in_the_readme_runs(block, monkeypatch):
    monkeypatch.chdir(ROOT)
    exec(compile(block, "README.md", "exec"), {})  # noqa: S102 - our own page


def test_commands_in_the_readme_have_known_flags(monkeypatch):
    import typer.main

    from goldassay.cli import app

    group = typer.main.get_command(app)
    blocks = "".join(re.findall(r"```console\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL))
    lines = re.findall(r"^(?:\$ )?goldassay (.+?)(?:\s+#.*)?$", blocks, re.MULTILINE)
    assert lines
    for line in lines:
        name, *arguments = shlex.split(line)
        known = {flag for parameter in group.commands[name].params for flag in getattr(parameter, "opts", [])}
        assert {flag for flag in arguments if flag.startswith("-") and not flag.startswith("-m")} <= known, line
