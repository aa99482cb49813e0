"""Predictions spread over tasks: what a task sends back makes the report of one machine. The workers are this process; tests/engines has real ones."""

import pickle
import warnings

import numpy as np
import pytest

import goldassay
from goldassay import spread
from goldassay.chance import concat_draws, draws_of
from goldassay.core.chance import Chance
from goldassay.core.context import Context
from goldassay.core.errors import GoldassayWarning, InputError, UsageError
from goldassay.encoders import CachedEncoder, HashingEncoder, PrecomputedEncoder
from goldassay.families import family
from goldassay.spread import parts_of

TREE = [("cat", "pet"), ("dog", "pet"), ("pet", "animal"), ("cow", "animal"), ("hen", "animal")]
PREDS = {
    "taxonomy": (["learned.ttl", "wines.ttl", "learned.csv"], "reference.owl"),
    "alignments": (["pred.sssom.tsv", "gold.rdf"], "gold.rdf"),
    "axioms": (["pred.ttl", "gold.ttl"], "gold.ttl"),
    "concepts": (["parrot.jsonl", "paraphrase.jsonl"], "gold.jsonl"),
    "labels": (["pred.tsv", "gold.tsv"], "gold.tsv"),
    "triples": (["pred.jsonl", "gold.jsonl"], "gold.jsonl"),
    "unl": (["produced.unl", "expected.unl"], "expected.unl"),
    "sentences": (["produced.tsv", "expected.tsv"], "expected.tsv"),
}
FOLDERS = {"sentences": "unl"}
OPTIONS = {
    "concepts": {"dictionary": "examples/concepts/health.obo"},
    "labels": {"hierarchy": "examples/labels/subjects.csv"},
}
KINDS = {"alignments": "alignment"}


class ThisProcess:
    """Does tasks here, as a worker does: everything is pickled on its way there and back."""

    def __init__(self, remote=None):
        del remote

    def each(self, work, shared, tasks):
        common = pickle.dumps(shared)
        return [pickle.loads(pickle.dumps(work(common, pickle.dumps(task)))) for task in tasks]


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch):
    monkeypatch.setattr(spread, "SparkTasks", ThisProcess)


def heard(score, *given, **named):
    """Score, and return the report and what was warned of."""
    with warnings.catch_warnings(record=True) as messages:
        warnings.simplefilter("always")
        report = score(*given, **named)
    return report, {(one.category, str(one.message)) for one in messages if issubclass(one.category, GoldassayWarning)}


def agree(preds, *, remote=None, **asked):
    """Score here and by tasks, and compare what is reported, in all layouts; return the report of the tasks."""
    here, reported_here = heard(goldassay.evaluate, preds, **asked)
    there, reported_there = heard(goldassay.evaluate, preds, engine="spark-tasks", spark_remote=remote, **asked)
    for layout in ("json", "text", "csv", "markdown", "latex"):
        assert there.format(layout) == here.format(layout)
    assert reported_there == reported_here
    return there


def example(name):
    """Give the predictions of an example, and what is asked of them; the paths are relative to the root of the project."""
    preds, gold = PREDS[name]
    folder = f"examples/{FOLDERS.get(name, name)}"
    asked = {"gold": f"{folder}/{gold}", "kind": KINDS.get(name, name), "encoder": "hashing", **OPTIONS.get(name, {})}
    return [f"{folder}/{pred}" for pred in preds], asked


@pytest.mark.parametrize("name", PREDS)
def test_the_report_of_every_family_is_that_of_one_machine(name, request, monkeypatch):
    monkeypatch.chdir(request.config.rootpath)
    preds, asked = example(name)
    # The draws are of two parts: one more than the first has.
    agree(preds, intervals=goldassay.Resampling(resamples=100), chance=Chance(draws=21), **asked)


def test_groups_golds_and_partial_gold_are_as_on_one_machine(tmp_path):
    other = [("cat", "pet"), ("cow", "pet")]
    preds = {"a": TREE[1:], "b": other}
    agree(preds, gold=[TREE, TREE[:3]], combine="union", measures="literal", chance=Chance(draws=30))
    agree(preds, gold=[TREE, TREE[:3]], measures="literal")
    agree(preds, gold=TREE, measures="literal", by="depth")
    (tmp_path / "scope.txt").write_text("cat\npet\nyak\n")
    report = agree(preds, gold=TREE, measures="literal", scope=str(tmp_path / "scope.txt"))
    assert any("'yak'" in line for line in report.warnings)
    agree(preds, gold=TREE, measures="literal", judged=[("cow", "pet")])


def test_what_one_prediction_matches_of_a_scope_counts_for_all(tmp_path):
    (tmp_path / "scope.txt").write_text("yak\nemu\n")
    preds = {"a": [("yak", "animal")], "b": [("emu", "animal")]}
    report = agree(preds, gold=TREE, measures="literal", scope=str(tmp_path / "scope.txt"))
    assert not any("--scope" in line for line in report.warnings)


def test_repeated_runs_are_put_together_as_on_one_machine():
    runs = {"a": [TREE[:2], TREE[:3]], "b": [TREE[1:], TREE]}
    assert agree(runs, gold=TREE, measures="literal").systems


@pytest.mark.parametrize("size", [1, 20, 21, 41])
def test_parts_of_draws_are_the_draws(size):
    pred, gold = (goldassay.Graph.from_edges(edges) for edges in (TREE[1:], TREE))
    measures = [family("taxonomy").measures.parse(spec) for spec in ("literal", "fuzzy(threshold=0.5)", "motif")]
    given = {"pred": pred, "gold": gold, "chance": Chance(draws=size)}

    def drawn(part=None):
        return draws_of(family("taxonomy"), measures, context=Context(encoder=HashingEncoder()), part=part, **given)

    parts = spread.parts_of(given["chance"], preds=1)
    assert [draw for part in parts for draw in part] == list(range(size))
    for whole, found in zip(drawn(), concat_draws([drawn(part) for part in parts]), strict=True):
        assert whole.keys() == found.keys()
        for name, values in whole.items():
            assert values.tobytes() == found[name].tobytes()


def test_draws_that_are_certain_are_drawn_by_the_first_part_only():
    agree([("s1", "t2"), ("s2", "t1"), ("s3", "t3")], gold=[("s1", "t1"), ("s2", "t2")], kind="alignment", chance=True)
    agree({"a": TREE[1:]}, gold=TREE, measures="literal", chance=Chance(null="reversed", draws=60))


@pytest.mark.parametrize("kept", [True, False])
def test_a_prediction_that_cannot_be_read_is_reported_as_on_one_machine(kept, tmp_path):
    (tmp_path / "bad.csv").write_text("child,parent\ncat,\n")
    (tmp_path / "good.csv").write_text("child,parent\ncat,pet\n")
    paths = [str(tmp_path / name) for name in ("bad.csv", "good.csv")]
    if kept:
        assert agree(paths, gold=TREE, measures="literal", unreadable="keep").failures
    with pytest.raises(InputError, match=r"bad\.csv:2") as caught:
        goldassay.evaluate(
            paths[: 2 - kept],
            gold=TREE,
            measures="literal",
            unreadable="keep" if kept else "stop",
            engine="spark-tasks",
        )
    assert caught.value.line == 2


def test_a_bad_gold_is_an_error_any_is_kept(tmp_path):
    (tmp_path / "gold.csv").write_text("child,parent\ncat,\n")
    with pytest.raises(InputError, match=r"gold\.csv:2"):
        goldassay.evaluate(
            [TREE, TREE],
            gold=str(tmp_path / "gold.csv"),
            measures="literal",
            unreadable="keep",
            engine="spark-tasks",
        )


def test_what_cannot_be_scored_is_an_error_any_is_kept(tmp_path):
    ranking = tmp_path / "ranking.tsv"
    ranking.write_text("SrcEntity\tTgtEntity\tTgtCandidates\na\tx\t['x', 'y']\n")
    (tmp_path / "scope.txt").write_text("a\nx\n")
    for engine in (None, "spark-tasks"):
        with pytest.raises(UsageError, match="is a ranking"):
            goldassay.evaluate(
                [[("a", "x")], str(ranking)],
                gold=[("a", "x")],
                kind="alignment",
                measures="overlap",
                scope=str(tmp_path / "scope.txt"),
                unreadable="keep",
                engine=engine,
            )


def test_a_file_that_a_worker_does_not_see_is_named_with_the_worker():
    with pytest.raises(InputError) as caught:
        goldassay.evaluate(TREE, gold="nowhere/gold.csv", measures="literal", engine="spark-tasks")
    assert caught.value.path == "nowhere/gold.csv"
    assert "nothing on the worker" in caught.value.found


def test_relative_paths_are_those_of_the_caller(tmp_path, monkeypatch):
    (tmp_path / "p.csv").write_text("child,parent\ncat,pet\n")
    monkeypatch.chdir(tmp_path)
    assert agree("p.csv", gold=TREE, measures="literal").runs[0].label == "p.csv"
    shared = spread.TaskContext(None, str(tmp_path / "elsewhere"), goldassay.__version__, "")
    done = spread.done(pickle.dumps(shared._replace(version="0")), pickle.dumps(spread.Task(None, "p.csv")))
    assert "another version" in str(done.error)


def test_gold_is_read_once_in_a_worker_and_anew_for_the_next_evaluation(tmp_path, monkeypatch):
    opened = []
    read = spread.open_line
    monkeypatch.setattr(spread, "open_line", lambda setting: opened.append(1) or read(setting))
    gold = tmp_path / "gold.csv"
    for text, recall in (("cat,pet", 1.0), ("cat,pet\ncow,animal", 0.5)):
        gold.write_text(f"child,parent\n{text}\n")
        report = goldassay.evaluate(
            [TREE[:1], TREE[:1]], gold=str(gold), measures="literal", chance=Chance(draws=45), engine="spark-tasks"
        )
        assert [run["literal"].recall for run in report] == [recall, recall]
    assert len(opened) == 2


def test_items_stay_where_they_were_scored(goldassay_command, tmp_path):
    report = goldassay.evaluate(TREE, gold=TREE, measures="literal", engine="spark-tasks")
    with pytest.raises(UsageError, match="no evidence"):
        report.evidence()
    (tmp_path / "p.csv").write_text("child,parent\ncat,pet\n")
    files = ("taxonomy", tmp_path / "p.csv", "-g", tmp_path / "p.csv", "-m", "literal", "--engine", "spark-tasks")
    assert "1 / 1" in goldassay_command(*files, "--report", tmp_path / "page.html").out
    assert (tmp_path / "page.html").exists()
    for more in (("--explain", tmp_path / "e.tsv"), ("--misses", "3"), ("--hubs", "3")):
        done = goldassay_command(*files, *more)
        assert done.code == 2
        assert f"found:    {more[0]}" in done.err
    assert goldassay_command(*files, "--sweep").code == 2


@pytest.mark.parametrize("place", ["pred", "gold"])
def test_standard_input_is_refused(place):
    given = {"pred": TREE, "gold": TREE} | {place: "-"}
    with pytest.raises(InputError, match="standard input"):
        goldassay.evaluate(given["pred"], gold=given["gold"], engine="spark-tasks")


def test_encoders_are_sent_by_how_they_were_made(tmp_path, minilm):
    texts = np.array(["cat", *(f"dog {number}" for number in range(99))])
    np.savez(tmp_path / "v.npz", texts=texts, vectors=np.eye(100))
    here = (PrecomputedEncoder(tmp_path / "v.npz"), minilm, CachedEncoder(HashingEncoder(), tmp_path / "c.sqlite"))
    for encoder in here:
        sent = pickle.dumps(encoder)
        assert len(sent) < 1000
        there = pickle.loads(sent)
        assert there.fingerprint == encoder.fingerprint
        assert there.encode(["cat"]).tobytes() == encoder.encode(["cat"]).tobytes()
    assert there.path == here[-1].path


def test_the_example_of_parts_of():
    assert (
        repr((parts_of(Chance(draws=50), preds=1), len(parts_of(Chance(draws=10_000), preds=1))))
        == "([range(0, 20), range(20, 40), range(40, 50)], 16)"
    )
    assert (len(parts_of(Chance(draws=10_000), preds=6)), len(parts_of(Chance(draws=10_000), preds=16))) == (3, 1)
