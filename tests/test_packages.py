"""What is released: the wheel holds all that it needs, and its extras are listed once."""

import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads(ROOT.joinpath("pyproject.toml").read_text(encoding="utf-8"))["project"]
WITHIN_ALL = ("abbreviations", "minilm", "owl", "report", "tasks", "triples")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "wheel", "--no-deps"]
    subprocess.run([*pip, "--no-build-isolation", "--wheel-dir", folder, ROOT], check=True)
    return next(folder.glob("goldassay-*.whl"))


def test_the_wheel_holds_every_file_of_the_package(wheel):
    source = ROOT / "src"
    files = {path.relative_to(source).as_posix() for path in source.joinpath("goldassay").rglob("*") if path.is_file()}
    expected = {name for name in files if "__pycache__" not in name}
    assert expected <= set(zipfile.ZipFile(wheel).namelist())
    assert {"goldassay/references.bib", "goldassay/py.typed", "goldassay/report/schema.json"} <= expected


def test_the_extra_all_lists_flatly_what_the_others_need():
    extras = PROJECT["optional-dependencies"]
    assert set(extras["all"]) == {one for name in WITHIN_ALL for one in extras[name]}


def test_citation_and_package_are_of_one_version():
    namespace = {}
    exec(ROOT.joinpath("src/goldassay/core/version.py").read_text(encoding="utf-8"), namespace)  # noqa: S102
    assert f"\nversion: {namespace['__version__']}\n" in ROOT.joinpath("CITATION.cff").read_text(encoding="utf-8")
