"""A measure and a family of another package, installed from a wheel, do all that ours do."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.test_adding import EACH

import goldassay
from goldassay.core.errors import UsageError
from goldassay.families import all_measures, family
from goldassay.graphs import Literal

ROOT = Path(__file__).parents[2]
TAXONOMY = ROOT / "examples" / "taxonomy"


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Build the example package as a wheel, and install it where nothing else is."""
    home = tmp_path_factory.mktemp("plugin")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    subprocess.run(
        [*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", home / "wheels", ROOT / "examples" / "plugin"],
        check=True,
    )
    [wheel] = (home / "wheels").glob("goldassay_example-*.whl")
    subprocess.run([*pip, "install", "--no-deps", "--target", home / "site", wheel], check=True)
    return home / "site"


@pytest.fixture
def run(installed, tmp_path):
    def commands(*lines):
        paths = [str(installed), str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, paths)),
            "GOLDASSAY_CACHE_DIR": str(tmp_path / "cache"),
        }
        asked = json.dumps([list(map(str, words)) for words in lines])
        done = subprocess.run(
            [sys.executable, "-c", EACH, asked],
            capture_output=True,
            text=True,
            env=environment,
            check=True,
            cwd=tmp_path,
        )
        return json.loads(done.stdout)

    return commands


def test_a_measure_of_another_package_is_scored_compared_and_drawn(run, tmp_path):
    learned, gold = TAXONOMY / "learned.ttl", TAXONOMY / "reference.owl"
    page, saved = tmp_path / "page.html", tmp_path / "saved.json"
    scored = ("taxonomy", learned, gold, "--gold", gold, "-m", "edge_jaccard", "--ci", "--format", "json")
    first, second = run((*scored, "--report", page, "-o", saved), ("compare", saved))
    assert (first[0], first[1].splitlines()[1:]) == (0, [f"wrote {saved}", f"wrote {page}"])
    assert second[0] == 0
    report = json.loads(saved.read_text())
    score = report["runs"][0]["scores"][0]
    # 3 of 20 predicted and of 27 gold edges match: 3 / (20 + 27 - 3).
    assert score["values"] == {"jaccard": pytest.approx(3 / 44)}
    assert score["intervals"]["jaccard"][0] < 3 / 44 < score["intervals"]["jaccard"][1]
    assert {one["measure"] for one in report["comparisons"]} == {"edge_jaccard"}
    assert "edge_jaccard" in page.read_text()


def test_a_family_of_another_package_has_a_command(run, tmp_path):
    (tmp_path / "gold.terms").write_text("Cat\ndog\nfish\n")
    (tmp_path / "pred.terms").write_text("cat\ndog\ndog\n")
    lines = {
        ("--help",): "From goldassay-example.",
        ("terms", "pred.terms", "--gold", "gold.terms", "--fold-case", "--format", "csv"): "1.0,0.6666666666666666,0.8",
        ("terms", "--help"): "Ignore case.",
        ("inspect", "pred.terms", "--kind", "terms"): "terms, terms",
        ("measures", "edge_jaccard"): "Jaccard, Paul",
    }
    for (code, printed), expected in zip(run(*lines), lines.values(), strict=True):
        assert (code, expected in printed) == (0, True), printed


def test_a_package_that_cannot_be_loaded_is_named_and_left_out(installed, run, tmp_path):
    module = installed / "goldassay_example" / "terms.py"
    text = module.read_text()
    module.write_text("raise RuntimeError('broken')")
    try:
        scored = ("taxonomy", TAXONOMY / "learned.ttl", "--gold", TAXONOMY / "reference.owl", "-m", "literal")
        assert [code for code, _ in run(scored, ("terms", "a", "--gold", "b"))] == [0, 2]
    finally:
        module.write_text(text)


def test_a_registered_measure_is_like_ours():
    class Doubled(Literal):
        """Literal, by another name."""

        name = "test_doubled"

    try:
        assert goldassay.register(Doubled) is Doubled
        assert family("taxonomy").measures.parse("test_doubled") == Doubled()
        assert goldassay.parse("test_doubled(relation=exact)").relation == "exact"
        goldassay.register(Doubled)  # again is no mistake
    finally:
        from goldassay import families

        families._measures.clear()
    assert "test_doubled" not in all_measures()


def test_a_name_that_is_taken_is_refused():
    class Another(Literal):
        """Not ours."""

    with pytest.raises(UsageError, match="already a measure 'literal'"):
        goldassay.register(Another)
