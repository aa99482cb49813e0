"""Named tasks: published figures come out by their names, and nothing but the published gold is scored."""

import hashlib
import http.server
import json
import sys
import threading
from functools import partial
from importlib.metadata import EntryPoint

import pytest

import goldassay
from goldassay.core.errors import InputError, MissingDependencyError, UsageError
from goldassay.tasks import find, list_tasks, locate, read_tasks
from goldassay.tasks import task as tasks_of_packages

GOLD = "child,parent\ncat,animal\ndog,animal\n"
PRED = "child,parent\ncat,animal\ncow,plant\n"
DIGEST = hashlib.sha256(GOLD.encode()).hexdigest()
TASK = f"""
name = "own:pets"
title = "Pets"
kind = "taxonomy"
page = "https://example.org/pets"
licence = "CC0"
get = "ask for it"
measures = ["literal"]
gold = "pets/gold.csv"
source = "a table"

[options]
on-error = "skip"

[[files]]
path = "pets/gold.csv"
sha256 = "{DIGEST}"

[[published]]
system = "everybody's"
values = {{ literal = {{ precision = 0.25, f1 = 0.75 }} }}

[[published]]
system = "of another measure"
values = {{ fuzzy = {{ f1 = 0.9 }} }}
"""


@pytest.fixture(autouse=True)
def cache(monkeypatch, tmp_path):
    monkeypatch.setenv("GOLDASSAY_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("GOLDASSAY_TASKS", raising=False)


@pytest.fixture
def mirror(reference_data, monkeypatch):
    """The reference data as a folder of tasks."""
    monkeypatch.setenv("GOLDASSAY_TASKS", str(reference_data))
    return reference_data


@pytest.fixture
def own(monkeypatch, tmp_path):
    """A folder with a task of one's own."""
    folder = tmp_path / "own"
    (folder / "pets").mkdir(parents=True)
    (folder / "pets" / "gold.csv").write_text(GOLD)
    (folder / "pets.toml").write_text(TASK)
    (folder / "pred.csv").write_text(PRED)
    monkeypatch.setenv("GOLDASSAY_TASKS", str(folder))
    return folder


PUBLISHED = [
    ("oaei:anatomy", "alignments/anatomy/AML.rdf", "AML"),
    ("oaei:anatomy", "alignments/anatomy/LogMapLt.rdf", "LogMapLt"),
    ("oaei:conference", "alignments/conference/Lily", "Lily"),
    ("schemas:bigbasket", "axioms/bigbasket_threshold_093.csv", "threshold 0.93"),
    ("schemas:bigbasket", "axioms/bigbasket_threshold_1.csv", "threshold 1"),
    ("texeval:science", "hierarchies/texeval/science_taxi_pruned.sys.taxo", "TAXI, pruned"),
    (
        "text2kgbench:wikidata:space",
        "triples/text2kgbench/wikidata_tekgen/Alpaca-LoRA-13B/ont_7_space_lora-13b_responses_v2.jsonl",
        "Alpaca-LoRA-13B",
    ),
]


@pytest.mark.parametrize(("task", "pred", "system"), PUBLISHED)
def test_a_published_figure_comes_out(task, pred, system, goldassay_command, mirror):
    done = goldassay_command("score", "--task", task, mirror / pred, "--format", "json")
    assert done.code == 0, done.err
    report = json.loads(done.out)
    [values] = [one["values"] for one in report["task"]["published"] if one["system"] == system]
    compared = 0
    for score in report["runs"][0]["scores"]:
        for name, value in (values.get(score["measure"]) or values.get(score["name"]) or {}).items():
            # A table of three decimals is the least exact source.
            assert score["values"][name] == pytest.approx(value, abs=6e-4 if task == "schemas:bigbasket" else 1e-12)
            compared += 1
    assert compared == sum(map(len, values.values()))


@pytest.mark.usefixtures("mirror")
def test_every_task_that_the_data_has_is_whole():
    there = [task for task in list_tasks().values() if not task.name.startswith(("bio-ml:", "llms4ol:"))]
    assert len(there) == 15
    for task in there:
        assert not locate(task).unchecked


@pytest.mark.parametrize("name", list_tasks())
def test_what_a_task_names_is_there(name):
    task = find(name)
    specs = {one.name: one for one in map(goldassay.parse, task.measures)}
    assert {one.family for one in specs.values()} == {task.kind}
    for published in task.benchmark.published:
        assert published.source
        for spec, values in published.values.items():
            measure = goldassay.parse(spec)
            assert measure.name in specs
            assert set(values) <= set(specs[measure.name].values) | {
                "onto_conf",
                "rel_halluc",
                "sub_halluc",
                "obj_halluc",
            }
    if not all(one.url for one in task.files):
        assert task.get


def test_an_own_task(own, goldassay_command):
    page = own / "page.html"
    done = goldassay_command("score", "--task=own:pets", own / "pred.csv", "--ci", "--report", page, "--places", 2)
    assert done.code == 0
    lines = done.out.splitlines()
    [row] = [line for line in lines if "(published)" in line]
    assert row.split() == ["everybody's", "(published)", "0.25", "0.75"]
    assert "task own:pets: Pets (https://example.org/pets)" in lines
    assert "licence of gold: CC0" in lines
    assert "published: a table" in lines
    written = page.read_text()
    assert "published by others" in written
    assert '<i class="published" style="left:75.00%;width:0.00%"></i>' in written
    assert "everybody&#39;s (published)" in written
    assert "licence of gold: CC0." in written


@pytest.mark.parametrize("layout", ["markdown", "latex"])
def test_published_rows_in_other_layouts(own, goldassay_command, layout):
    done = goldassay_command("score", "--task", "own:pets", own / "pred.csv", "--format", layout)
    assert "everybody's (published)" in done.out.replace("\\textquotesingle{}", "'")


def test_a_saved_report_keeps_its_task(own, goldassay_command, tmp_path):
    file = tmp_path / "report.json"
    assert goldassay_command("score", "--task", "own:pets", own / "pred.csv", "--format", "json", "-o", file).code == 0
    loaded = goldassay.load(file)
    assert loaded.task == find("own:pets").benchmark
    assert json.loads(loaded.format("json"))["task"] == json.loads(file.read_text())["task"]


def test_measures_may_be_added(own, goldassay_command):
    done = goldassay_command("score", own / "pred.csv", "-m", "closure", "--task", "own:pets", "--format", "json", "-q")
    assert [one["name"] for one in json.loads(done.out)["runs"][0]["scores"]] == ["closure", "literal"]


def test_a_gate_of_a_task(own, goldassay_command):
    done = goldassay_command("score", "--task", "own:pets", own / "pred.csv", "--fail-under", "literal.f1=0.9")
    assert done.code == 1


def test_the_list_and_one_task(own, goldassay_command):
    listed = goldassay_command("tasks").out
    assert {"own:pets", "oaei:anatomy", "bio-ml:ncit-doid", "llms4ol:2026-c:phyra"} <= set(listed.split())
    shown = goldassay_command("tasks", "own:pets").out
    for part in (
        "CC0",
        DIGEST,
        "ask for it",
        "--on-error skip",
        "everybody's: literal precision 0.2500, f1 0.7500",
        "from a table",
    ):
        assert part in shown


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--task", "oaei:anatomie"], ["Unknown task 'oaei:anatomie'.", "try:      oaei:anatomy"]),
        (["--task", "text2kgbench:wikidata"], ["has parts", "try:      --task text2kgbench:wikidata:movie"]),
        ([], ["--task is missing.", "goldassay tasks"]),
        (["--task", "own:pets", "--gold", "x.csv"], ["has its own gold"]),
        (["--task", "own:pets", "--on-error", "stop"], ["is given twice", "--on-error"]),
        (["--task", "own:pets", "--nonsense"], ["No such option"]),
        (["--task", "oaei:anatomy"], ["is missing", "GOLDASSAY_TASKS", "--download, which gets https://"]),
        (["--task", "bio-ml:ncit-doid"], ["is missing", "zenodo"]),
    ],
)
def test_what_cannot_be_scored(own, goldassay_command, words, message):
    done = goldassay_command("score", *words, own / "pred.csv")
    assert (done.code, done.out) == (2, "")
    for part in message:
        assert part in done.err


def test_another_file_is_refused(own, goldassay_command):
    (own / "pets" / "gold.csv").write_text(PRED)
    done = goldassay_command("score", "--task", "own:pets", own / "pred.csv")
    assert (done.code, done.out) == (2, "")
    assert "The file is not the one of the task own:pets." in done.err
    assert f"expected: SHA-256 {DIGEST}" in done.err


def test_a_file_that_no_one_can_check_is_named(own, goldassay_command):
    (own / "pets.toml").write_text(TASK.replace(f'sha256 = "{DIGEST}"\n', ""))
    done = goldassay_command("score", "--task", "own:pets", own / "pred.csv")
    assert done.code == 0
    assert f"there is no published digest of pets/gold.csv; this file has SHA-256 {DIGEST}" in done.err


def test_a_folder_of_gold_holds_nothing_else(own):
    path = own / "pets.toml"
    path.write_text(path.read_text().replace('gold = "pets/gold.csv"', 'gold = "pets"'))
    assert locate(find("own:pets")).gold == own / "pets"
    (own / "pets" / "more.csv").write_text(PRED)
    with pytest.raises(InputError, match="does not belong to the task own:pets"):
        locate(find("own:pets"))


def test_no_such_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("GOLDASSAY_TASKS", str(tmp_path / "none"))
    with pytest.raises(InputError, match="GOLDASSAY_TASKS is not a folder"):
        list_tasks()


def test_two_tasks_of_one_name(own):
    (own / "again.toml").write_text((own / "pets.toml").read_text())
    with pytest.raises(UsageError, match="two tasks 'own:pets'"):
        list_tasks()


def test_tasks_of_another_package(own, monkeypatch):
    package = own / "site" / "tasks_of_others"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "zoo.toml").write_text((own / "pets.toml").read_text().replace("own:pets", "others:zoo"))
    (package / "pets").mkdir()
    (package / "pets" / "gold.csv").write_text(GOLD)
    monkeypatch.syspath_prepend(str(package.parent))
    point = EntryPoint("others", "tasks_of_others", tasks_of_packages.GROUP)
    monkeypatch.setattr(tasks_of_packages, "entry_points", lambda group: [point] if group == "goldassay.tasks" else [])
    assert locate(find("others:zoo")).gold == package / "pets" / "gold.csv"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "own:pets"', 'name = "pets"', "Invalid task name"),
        ('title = "Pets"', "", "the key 'title'"),
        ('title = "Pets"', 'title = "Pets"\ngolds = 1', "golds: an unknown key"),
        ('kind = "taxonomy"', 'kind = "taxonomy', ":4:"),
        ('gold = "pets/gold.csv"', "", "A task needs gold, or parts with gold."),
        ('gold = "pets/gold.csv"', 'gold = "cats.csv"', "gold must be one of the files of the task."),
        ('path = "pets/gold.csv"', 'path = "../gold.csv"', "leaves its folder"),
        (DIGEST, "abc", "Invalid SHA-256"),
        ("precision = 0.25", 'precision = "high"', "published[0].values.literal.precision: "),
    ],
)
def test_a_damaged_task(tmp_path, old, new, message):
    path = tmp_path / "task.toml"
    assert old in TASK
    path.write_text(TASK.replace(old, new))
    with pytest.raises(InputError) as error:
        read_tasks(path)
    assert message in str(error.value)
    assert str(path) in str(error.value)


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


@pytest.fixture
def online(own):
    """The gold of the own task on a server of this machine, and no longer in its folder."""
    served = own / "served"
    served.mkdir()
    (own / "pets" / "gold.csv").rename(served / "gold.csv")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(served)))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    path = own / "pets.toml"
    url = f"http://127.0.0.1:{server.server_port}/gold.csv"
    path.write_text(path.read_text().replace("[[files]]\n", f'[[files]]\nurl = "{url}"\n'))
    yield served
    server.shutdown()
    thread.join()
    server.server_close()


def test_gold_is_downloaded_when_that_is_allowed(online, own, tmp_path):
    pytest.importorskip("pooch")
    task = find("own:pets")
    with pytest.raises(InputError, match="is missing"):
        locate(task)
    found = locate(task, download=True).gold
    assert found == tmp_path / "cache" / "tasks" / "pets" / "gold.csv"
    assert found.read_text() == GOLD
    (online / "gold.csv").unlink()
    assert locate(task).gold == found


@pytest.mark.parametrize("change", [lambda path: path.unlink(), lambda path: path.write_text(PRED)])
def test_a_download_that_fails_leaves_nothing(online, own, tmp_path, change):
    pytest.importorskip("pooch")
    change(online / "gold.csv")
    with pytest.raises(InputError, match=r"gold\.csv cannot be downloaded"):
        locate(find("own:pets"), download=True)
    assert not (tmp_path / "cache" / "tasks" / "pets" / "gold.csv").exists()


def test_a_download_without_pooch(online, own, monkeypatch):
    monkeypatch.setitem(sys.modules, "pooch", None)
    with pytest.raises(MissingDependencyError, match=r"goldassay\[tasks\]"):
        locate(find("own:pets"), download=True)
