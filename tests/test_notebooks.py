"""The tutorial notebooks run without a network, show what they show, and work as in a kernel."""

import importlib.util
import io
import json
import socket
from pathlib import Path

import pytest

import goldassay
from goldassay import notebooks
from goldassay.families import kinds
from goldassay.notebooks import bar_of

ROOT = Path(__file__).resolve().parent.parent
BOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))
GOLD = [("cat", "pet"), ("dog", "pet")]


@pytest.fixture(scope="module")
def maker():
    spec = importlib.util.spec_from_file_location("goldassay_docs_notebooks", ROOT / "docs" / "notebooks.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def offline(monkeypatch):
    """Let every attempt to reach a network fail the test."""

    def refuse(*where):
        raise AssertionError(f"a notebook reaches for the network: {where}")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_it_gives_and_no_warning(maker, offline, minilm, monkeypatch, path):
    monkeypatch.setenv("POLARS_FMT_TABLE_FORMATTING", "ASCII_MARKDOWN")
    made = maker.run(path)
    for cell, kept in zip(made["cells"], maker.read(path)["cells"], strict=True):
        assert cell.get("outputs") == kept.get("outputs"), "run: make notebooks"
    shown = [output for cell in made["cells"] for output in cell.get("outputs", ())]
    assert not [output for output in shown if output.get("name") == "stderr"]
    assert any("text/html" in output.get("data", ()) for output in shown)


def test_every_family_has_a_notebook():
    text = "".join(path.read_text("utf-8") for path in BOOKS)
    for kind in kinds():
        assert kind == "taxonomy" or f'kind=\\"{kind}\\"' in text


def test_notebooks_are_valid():
    for path in BOOKS:
        book = json.loads(path.read_text("utf-8"))
        assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
        assert len({cell["id"] for cell in book["cells"]}) == len(book["cells"])
        assert {cell["cell_type"] for cell in book["cells"]} == {"markdown", "code"}


@pytest.fixture
def kernel(maker):
    with maker.kernel() as displayed:
        yield displayed


def test_warnings_are_in_the_report_only_in_a_notebook(kernel, recwarn):
    report = goldassay.evaluate([("x", "y")], gold=GOLD, measures="literal")
    assert not recwarn.list
    assert report._repr_html_().count("no text in common") == 1


def test_warnings_are_given_elsewhere_with_the_line_of_the_call():
    with pytest.warns(goldassay.SuspectInputWarning, match="no text in common") as caught:
        goldassay.evaluate([("x", "y")], gold=GOLD, measures="literal")
    assert caught[0].filename == __file__


def test_long_work_shows_a_bar_in_a_notebook_that_goes(kernel, monkeypatch):
    clock = iter([0.0, 0.1, 1.0, 1.01, 2.0, 9.0, 9.0])
    monkeypatch.setattr(notebooks, "monotonic", lambda: next(clock))
    with notebooks.bar() as progress:
        for done in (1, 100, 101, 200):
            progress("encoding <b>", done, 1000)
    assert kernel == [
        '<progress max="1000" value="100"></progress> encoding &lt;b&gt;: 100 of 1,000, 111/s, 8 s left',
        '<progress max="1000" value="200"></progress> encoding &lt;b&gt;: 200 of 1,000, 105/s, 8 s left',
        "",
    ]


def test_short_work_and_work_with_a_bar_of_its_own_show_none(kernel):
    message = []
    goldassay.evaluate(
        GOLD, gold=GOLD, measures="fuzzy", encoder="hashing", progress=lambda *words: message.append(words)
    )
    goldassay.evaluate(GOLD, gold=GOLD, measures="literal")
    assert message
    assert not kernel


def test_text_is_text_in_a_notebook(monkeypatch, tmp_path):
    report = goldassay.evaluate(GOLD, gold=GOLD, measures="literal")
    plain, printed = str(report), io.StringIO()
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    monkeypatch.setattr("sys.stdout", printed)
    assert str(report) == report.format("text") == plain
    report.save(tmp_path / "a", layout="text")
    assert (tmp_path / "a").read_text("utf-8") == plain
    assert not printed.getvalue()


def test_the_scores_of_several_predictions_come_by_their_names():
    report = goldassay.evaluate({"a": GOLD, "b": GOLD[:1]}, gold=GOLD, measures="literal")
    assert {name: score.recall for name, score in report["literal"].items()} == {"a": 1.0, "b": 0.5}


def test_the_example_of_bar_of():
    assert (
        bar_of("encoding", 250, 1000, 5.0)
        == '<progress max="1000" value="250"></progress> encoding: 250 of 1,000, 50/s, 15 s left'
    )
    assert bar_of("reading a.ttl", 0, 0, 0.0) == "<progress></progress> reading a.ttl"


def test_one_item_of_gold_is_no_items():
    report = goldassay.evaluate([("a", "b")], gold=[("a", "b")], measures="literal", kind="taxonomy", selfcheck=False)
    assert "taxonomy: 1 edge of gold" in report._repr_html_()
    assert ", 1 edge of gold" in report.format("github")
