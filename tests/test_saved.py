"""Saved reports are input, too: every damage is an error with its place, or does no harm."""

import contextlib
import copy
import json
import math
import os
import random

import pytest

import goldassay
from goldassay.core.errors import GoldassayError, InputError
from goldassay.core.significance import Resampling
from goldassay.saved import is_report, load


@pytest.fixture(scope="module")
def document(tmp_path_factory):
    gold = goldassay.Graph.from_edges([("cat", "animal"), ("dog", "animal"), ("oak", "tree"), ("fir", "tree")])
    pred = goldassay.Graph.from_edges([("cat", "animal"), ("dog", "tree")])
    other = goldassay.Graph.from_edges([("oak", "tree")])
    report = goldassay.evaluate([pred, other], gold=gold, measures=["literal", "motif"], intervals=True)
    file = tmp_path_factory.mktemp("saved") / "report.json"
    report.save(file)
    return json.loads(file.read_text())


def saved(folder, document):
    file = folder / "report.json"
    file.write_text(json.dumps(document))
    return file


def changed(document, path, value):
    document = copy.deepcopy(document)
    *steps, last = path
    inner = document
    for step in steps:
        inner = inner[step]
    inner[last] = value
    return document


SCORE = ("runs", 0, "scores", 0)


@pytest.mark.parametrize(
    ("path", "value", "place"),
    [
        (("runs",), [], "runs"),
        (("runs",), {"a": 1}, "runs"),
        (("runs", 0), None, "runs[0]"),
        (("gold",), [], "gold"),
        (("gold", "items"), -1, "gold.items"),
        (("gold", "items"), 1.5, "gold.items"),
        (("gold", "items"), 2**63, "gold.items"),
        (("gold", "items"), True, "gold.items"),
        (("gold", "notes"), "text", "gold.notes"),
        (("gold", "notes"), [1], "gold.notes[0]"),
        (("gold", "left_out"), {"a": []}, "gold.left_out.a"),
        (("gold", "facts"), {"a": [1]}, "gold.facts.a"),
        ((*SCORE, "values"), {"f1": "1"}, "runs[0].scores[0].values.f1"),
        ((*SCORE, "values"), {"f1": 10**400}, "runs[0].scores[0].values.f1"),
        ((*SCORE, "counts"), {"n": []}, "runs[0].scores[0].counts.n"),
        ((*SCORE, "undefined"), ["nothing"], "runs[0].scores[0].undefined"),
        ((*SCORE, "signature"), 7, "runs[0].scores[0].signature"),
        ((*SCORE, "resampling"), {"resamples": 1000}, "runs[0].scores[0].resampling"),
        ((*SCORE, "resampling", "level"), 1, "runs[0].scores[0].resampling.level"),
        ((*SCORE, "resampling", "method"), ["bca"], "runs[0].scores[0].resampling.method"),
        ((*SCORE, "intervals"), {"f1": [0]}, "runs[0].scores[0].intervals.f1"),
        ((*SCORE, "intervals"), {"f1": [0, 1, 2]}, "runs[0].scores[0].intervals.f1"),
        ((*SCORE, "units", "keys"), ["a"], "runs[0].scores[0].units.counts"),
        ((*SCORE, "units", "counts"), {"n": ["a"]}, "runs[0].scores[0].units.counts.n[0]"),
        (("comparisons",), [{}], "comparisons[0]"),
        (("comparisons", 0, "run"), 7, "comparisons[0].run"),
        (("comparisons", 0, "p_holm"), 2, "comparisons[0].p_holm"),
    ],
)
def test_what_does_not_fit_is_named_with_its_place(tmp_path, document, path, value, place):
    with pytest.raises(InputError, match="damaged") as caught:
        load(saved(tmp_path, changed(document, path, value)))
    assert caught.value.found.startswith(place)
    assert caught.value.expected
    assert caught.value.hint


def every_place(value, path=()):
    if path:
        yield path
    # The first entry of a list is for all.
    steps = value.items() if isinstance(value, dict) else enumerate(value[:1]) if isinstance(value, list) else ()
    for step, inner in steps:
        yield from every_place(inner, (*path, step))


@pytest.mark.parametrize("value", [None, [], {}, "x", -1, 0.5, 2**70, {"a": None}], ids=repr)
def test_no_value_at_any_place_is_a_traceback(tmp_path, document, value):
    for path in every_place(document):
        file = saved(tmp_path, changed(document, path, value))
        try:
            report = load(file)
            assert report.to_dict()
            for layout in ("text", "csv"):
                assert report.format(layout)
            goldassay.compare([report, report], resampling=Resampling(resamples=20))
        except GoldassayError:
            pass


def test_no_missing_key_is_a_traceback(tmp_path, document):
    for path in every_place(document):
        if isinstance(path[-1], str):
            lacking = copy.deepcopy(document)
            inner = lacking
            for step in path[:-1]:
                inner = inner[step]
            del inner[path[-1]]
            with contextlib.suppress(GoldassayError):
                assert load(saved(tmp_path, lacking)).format("text")


def test_fields_that_a_later_version_adds_are_passed_by(tmp_path, document):
    for path in (("new",), ("gold", "new"), ("runs", 0, "new"), (*SCORE, "new"), (*SCORE, "resampling", "new")):
        report = load(saved(tmp_path, changed(document, path, {"any": "thing"})))
        assert report.to_dict()["runs"] == load(saved(tmp_path, document)).to_dict()["runs"]


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
def test_a_difference_that_is_undefined_is_not_tested_and_an_effect_still_so_when_it_is_loaded(tmp_path):
    gold = goldassay.Graph.from_edges([("cat", "pet"), ("dog", "pet"), ("cow", "pet")])
    preds = {"none": goldassay.Graph.from_edges([]), "some": goldassay.Graph.from_edges([("cat", "pet")])}
    quick = Resampling(resamples=100)
    report = goldassay.evaluate(preds, gold=gold, measures="literal(undefined=nan)", intervals=quick)
    report.save(tmp_path / "report.json")
    again = load(tmp_path / "report.json")
    assert [(one.value, math.isnan(one.difference.effect)) for one in again.comparisons] == [("recall", False)]
    assert again.to_dict() == report.to_dict()
    assert json.dumps(report.to_dict(), allow_nan=False)
    # The head of a page of a loaded report has another version, and no timings.
    assert "undefined" in again.format("html")


def test_both_ends_of_every_interval_are_kept_in_their_order(tmp_path, document):
    score = document["runs"][0]["scores"][0]
    again = load(saved(tmp_path, document))
    for name, (low, high) in score["intervals"].items():
        assert low < high
        found = again.runs[0]["literal"].intervals[name]
        assert (found.low, found.high) == (low, high)
    (low, high), found = document["comparisons"][0]["interval"], again.comparisons[0].difference
    assert low < high
    assert (found.interval.low, found.interval.high) == (low, high)
    assert found.p_randomisation == document["comparisons"][0]["p_randomisation"]
    assert found.p_bootstrap == document["comparisons"][0]["p_bootstrap"]


def test_no_bytes_are_a_traceback(tmp_path, document):
    whole = json.dumps(document).encode()
    draw = random.Random(0)  # noqa: S311 - a test
    for _ in range(300):
        data = bytearray(whole)
        for _ in range(draw.randint(1, 4)):
            data[draw.randrange(len(data))] = draw.choice(b'{}[]",:-9eE\\un\x00\xff')
        (tmp_path / "report.json").write_bytes(data)
        with contextlib.suppress(GoldassayError):
            load(tmp_path / "report.json").format("text")


def test_a_pipe_is_no_report(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert not is_report(tmp_path / "pipe")
    assert not is_report("nul\0byte")


def test_parts_that_contradict_each_other_are_refused_with_their_place(tmp_path):
    gold = goldassay.Graph.from_edges([("cat", "pet"), ("dog", "pet")])
    with contextlib.suppress(UserWarning):
        goldassay.evaluate(gold, gold=gold, measures="literal", chance=True, intervals=True).save(tmp_path / "a.json")
    whole = json.loads((tmp_path / "a.json").read_text())
    path = tmp_path / "b.json"
    for place, change in (
        ("chance.expected", lambda score: score["chance"]["expected"].pop("f1")),
        ("bounds", lambda score: score.update(bounds={"other": [0, 1]})),
        ("resampling", lambda score: score.pop("resampling")),
    ):
        document = copy.deepcopy(whole)
        change(document["runs"][0]["scores"][0])
        path.write_text(json.dumps(document))
        with pytest.raises(InputError, match="damaged") as caught:
            load(path)
        assert place in (caught.value.found or "")


@pytest.mark.parametrize("units", [False, True])
def test_a_measure_has_the_counts_that_it_divides(tmp_path, units):
    gold = goldassay.Graph.from_edges([("cat", "pet"), ("dog", "pet")])
    goldassay.evaluate(gold, gold=gold, measures="literal", intervals=units).save(tmp_path / "a.json")
    found = load(tmp_path / "a.json")["literal"]
    assert [len(side.credit) for side in (found.matching.pred, found.matching.gold)] == [0, 0]
    document = json.loads((tmp_path / "a.json").read_text())
    score = document["runs"][0]["scores"][0]
    del score["counts"]["n_gold"]
    with pytest.raises(InputError, match="'n_gold' among them"):
        load(saved(tmp_path, document))
    # A challenge hides counts where it hides units.
    score["counts"] = {}
    if not units:
        assert load(saved(tmp_path, document))["literal"].f1 == 1
        return
    with pytest.raises(InputError, match="among them"):
        load(saved(tmp_path, document))


@pytest.mark.parametrize("measure", ["literal", "fuzzy(threshold=0.4)", "closure"])
def test_a_report_that_was_saved_with_its_evidence_gives_it_again(measure, tmp_path):
    gold = goldassay.Graph.from_edges([("cat", "pet"), ("dog", "pet"), ("pet", "animal")])
    pred = goldassay.Graph.from_edges([("cat", "pets"), ("dog", "pet"), ("oak", "tree")])
    report = goldassay.evaluate(pred, gold=gold, measures=measure, encoder="hashing").with_evidence()
    report.save(tmp_path / "report.json")
    [here], [there] = report.runs[0].scores, goldassay.load(tmp_path / "report.json").runs[0].scores
    found, wanted = there.matching.to_frame(), here.matching.to_frame()
    assert found.equals(wanted.select(found.columns))
    assert goldassay.load(tmp_path / "report.json").evidence().height == wanted.height
    for name in ("missed", "invented"):
        assert [*map(str, getattr(there.matching, name)(2))] == [*map(str, getattr(here.matching, name)(2))]


def test_a_report_that_was_saved_without_its_evidence_says_so(tmp_path):
    gold = goldassay.Graph.from_edges([("cat", "pet")])
    goldassay.evaluate(gold, gold=gold, measures="literal").save(tmp_path / "report.json")
    matching = goldassay.load(tmp_path / "report.json")["literal"].matching
    for ask in (matching.to_frame, matching.missed, matching.invented, matching.table):
        with pytest.raises(goldassay.UsageError, match="no evidence"):
            ask()


@pytest.mark.parametrize("suffix", [".csv", ".md", ".tex", ".txt", ".parquet", ".svg"])
def test_a_report_in_another_layout_is_no_damaged_json(tmp_path, document, suffix):
    report = load(saved(tmp_path, document))
    report.save(tmp_path / f"report{suffix}")
    with pytest.raises(InputError, match="not a report that this version") as caught:
        load(tmp_path / f"report{suffix}")
    assert caught.value.found == "no object of JSON"
    assert "-o report.json" in caught.value.hint


def test_a_report_in_another_encoding_is_read(tmp_path, document):
    for encoding in ("utf-8-sig", "utf-16"):
        (tmp_path / "report.json").write_text(json.dumps(document), encoding=encoding)
        assert len(load(tmp_path / "report.json").runs) == 2


SIDES = {
    "taxonomy": ([("cat", "pet"), ("pet", "cat"), ("dog", "cat")], [("cat", "pet"), ("pet", "animal"), ("dog", "pet")]),
    "axioms": ([("Cat", "eats", "Fish"), ("Dog", "has", "Fish")], [("Cat", "eats", "Fish"), ("Dog", "eats", "Meat")]),
    "alignment": ([("a", "b"), ("c", "e")], [("a", "b"), ("c", "d")]),
    "triples": ([("a", "p", "b"), ("b", "p", "a")], [("a", "p", "b"), ("a", "q", "c")]),
    "labels": ([("d1", "x"), ("d2", "z")], [("d1", "x"), ("d2", "y")]),
}
"""Families whose errors have kinds."""


@pytest.mark.parametrize("kind", SIDES)
@pytest.mark.parametrize("asked", [{}, {"intervals": True}, {"by": "error"}], ids=str)
@pytest.mark.filterwarnings("ignore")
def test_errors_by_kind_are_loaded_as_they_were(tmp_path, kind, asked):
    pred, gold = SIDES[kind]
    measures = {"taxonomy": "literal", "labels": "flat"}.get(kind)
    for preds in (pred, {"one": pred, "other": gold}):
        fresh = goldassay.evaluate(preds, gold=gold, kind=kind, measures=measures, **asked)
        assert "errors of" in str(fresh)
        for report in (fresh, fresh.with_evidence()):
            report.save(tmp_path / "a.json")
            loaded = goldassay.load(tmp_path / "a.json")
            for layout in ("text", "markdown", "latex"):
                assert loaded.format(layout) == report.format(layout)
