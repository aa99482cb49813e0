"""Twice the items of a family take twice the time, what their shape, in one document or many; so do labels of drawn items.

Taxonomies have a test of their own (`tests/graphs/test_growth.py`), as chunks of texts have (`tests/concepts/test_growth.py`).
"""

import json
import time
from functools import partial

import pytest
from tests.growing import chain, clique, cycle, is_linear, loops, spent, star
from tests.laws.conftest import MODELLED

import goldassay
from goldassay.encoders import HashingEncoder
from goldassay.families import families, family
from goldassay.sampling.drawing import draw
from goldassay.sampling.results import estimate_file
from goldassay.sampling.sample import SampleRequest
from goldassay.sampling.todo import design_path, save_design, save_table
from goldassay.saved import load

SIZE = 250
ENCODER = HashingEncoder(16)


def turned(size):
    return [(high, low) for low, high in star(size)]


def documents(pairs, make):
    return [{"id": f"d{row}", **make([pair])} for row, pair in enumerate(pairs)]


def given(pairs):
    return {"concepts": [name for pair in pairs for name in pair]}


def facts(pairs):
    return {"triples": [[low, "is", high] for low, high in pairs]}


def spoken(pairs):
    return {"sentence": " ".join(f"{low} is {high}." for low, high in pairs)}


SHAPES = {
    ("alignment", ""): list,
    ("axioms", ""): lambda pairs: [("SubClassOf", low, high) for low, high in pairs],
    **{
        (kind, form): partial(write, make)
        for kind, make in (("concepts", given), ("triples", facts), ("sentences", spoken))
        for form, write in (
            ("one document", lambda make, pairs: [{"id": "d", **make(pairs)}]),
            ("many documents", lambda make, pairs: documents(pairs, make)),
        )
    },
}
"""What a family makes of pairs, in how many documents."""
LEFT_OUT = {
    "medcon": "it needs ids of concepts",
    "facts": "it needs a folder of verdicts",
    "ged": "an edit distance of graphs, each compared with each, by its definition",
    "levenshtein": "an edit distance of sentences, whose length is bounded",
}
SQUARE = {"g_bleu", "g_rouge", "webnlg", "edc", "pive"}
"""Triples of a document are assigned one to one, so that each is compared with each: four times as many have sixteen times the pairs."""
MEASURES = [
    (kind, form, measure.name)
    for kind, form in SHAPES
    for measure in family(kind).measures.classes
    if measure.name not in {*MODELLED, *LEFT_OUT} and not (form == "one document" and measure.name in SQUARE)
]


def test_a_family_without_shapes_has_a_test_elsewhere():
    assert {kind for kind, _ in SHAPES} | {"taxonomy", "labels", "unl"} == {*families()}


def seconds(kind, form, measure, shape, size):
    """Take the processor time of a score; the same items, and others, on both sides."""
    make = SHAPES[kind, form]
    gold = goldassay.read(make(shape(size)), kind=kind)
    other = goldassay.read(make([(f"{low}x", f"{high}x") for low, high in shape(size)]), kind=kind)
    asked = {"gold": gold, "kind": kind, "measures": measure, "encoder": ENCODER, "selfcheck": False}
    return sum(spent(partial(goldassay.evaluate, pred, **asked)) for pred in (gold, other))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("kind", "form", "name"), MEASURES)
def test_time_grows_with_items(kind, form, name):
    for shape in (star, turned, chain, cycle, clique, loops):
        assert is_linear(partial(seconds, kind, form, name, shape), SIZE, 0.02), shape.__name__


def seconds_of_labels(folder, size, **design):
    """Take the processor time of drawing items, labelling them, and an estimate."""
    drawn_from, todo = folder / f"{size}.jsonl", folder / f"{size}.csv"
    triples = ([f"a{row}", f"r{row % 9}", f"b{row // 2}"] for row in range(2 * size))
    drawn_from.write_text("".join(f"{json.dumps({'id': one[0], 'triples': [one]})}\n" for one in triples))
    start = time.process_time()
    drawing = draw([drawn_from], kind="triples", asked=SampleRequest(size=size, **design))
    save_table([{**row, "label": ("yes", "no")[at % 2]} for at, row in enumerate(drawing.rows)], todo)
    save_design(drawing.sample, design_path(todo))
    report = estimate_file(todo)
    report.save(folder / "pilot.json")
    assert len(load(folder / "pilot.json").runs[0].scores) == len(report.runs[0].scores)
    return time.process_time() - start


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "design",
    [{}, {"design": "strata", "strata": "relation"}, {"design": "clusters"}, {"design": "documents"}],
    ids=str,
)
def test_time_grows_with_labels(tmp_path, design):
    assert is_linear(partial(seconds_of_labels, tmp_path, **design), 4 * SIZE, 0.05)
