"""Drawing on an engine: the items that this process draws, of every design."""

import csv
import json

import numpy as np
import pytest

pytest.importorskip("duckdb")
DESIGNS = ("simple", "strata", "clusters", "stratified-clusters")


def table(folder, documents):
    random = np.random.default_rng(documents)
    rows = {
        f"d{random.integers(documents)},s{int(random.integers(30) ** 2 / 30)} é,p{random.integers(12)},{'o' * random.integers(70)}{random.integers(30)}"
        for _ in range(600)
    }
    (folder / "graph.csv").write_text("id,subject,predicate,object\n" + "\n".join(sorted(rows)))


def agree(folder, command, design, engine):
    made = {}
    for name, more in (("here", []), ("there", engine)):
        asked = ["--kind", "triples", "--size", "60", "--seed", "3", "--design", design]
        for words in (["graph.csv", *asked], ["--more", "25"]):
            found = command("sample", *words, "-o", f"{name}.csv", *more)
            assert found.code == 0, found.err
        made[name] = json.loads((folder / f"{name}.design.json").read_text())
        with (folder / f"{name}.csv").open(newline="") as file:
            # An engine reads no texts.
            made[name]["table"] = [{key: row[key] for key in row if key != "text"} for row in csv.DictReader(file)]
    for one in ("items", "strata", "draws", "table"):
        assert made["here"][one] == made["there"][one], one
    assert made["here"]["inputs"][0]["sha256"] == made["there"]["inputs"][0]["sha256"]


@pytest.mark.parametrize(("documents", "design"), [(1, "clusters"), *((7, design) for design in DESIGNS)])
def test_duckdb_draws_what_this_process_draws(tmp_path, goldassay_command, monkeypatch, documents, design):
    monkeypatch.chdir(tmp_path)
    table(tmp_path, documents)
    agree(tmp_path, goldassay_command, design, ["--engine", "duckdb"])


def test_whole_documents_are_drawn_on_an_engine_too_those_without_triples_as_well(
    tmp_path, goldassay_command, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    table(tmp_path, 25)
    with (tmp_path / "graph.csv").open("a") as file:
        file.write("\n" + "\n".join(f"empty{one},,," for one in range(9)))
    agree(tmp_path, goldassay_command, "documents", ["--engine", "duckdb"])
    made = json.loads((tmp_path / "there.design.json").read_text())
    drawn = {one["cluster"]: len(one["items"]) for one in made["draws"]}
    assert made["documents"] == 34
    assert any(name.startswith("empty") and not size for name, size in drawn.items())


@pytest.mark.xdist_group("spark")
@pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::ResourceWarning")
def test_spark_draws_what_this_process_draws(tmp_path, goldassay_command, monkeypatch, cluster):
    del cluster
    monkeypatch.chdir(tmp_path)
    table(tmp_path, 7)
    agree(tmp_path, goldassay_command, "stratified-clusters", ["--engine", "spark"])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["other.csv"], "Engines can draw from one table of triples only"),
        (["--gold", "graph.csv", "--design", "strata"], "--gold is not supported on an engine"),
        (["--design", "strata", "--strata", "evidence"], "--strata evidence is not supported on an engine"),
        (["--design", "strata", "--strata", "score"], "--strata score is not supported on an engine"),
        (["--design", "stratified-clusters", "--strata", "agreement"], "--strata agreement is not supported"),
    ],
)
def test_what_needs_all_items_at_once_is_refused_by_name(tmp_path, goldassay_command, monkeypatch, words, message):
    monkeypatch.chdir(tmp_path)
    table(tmp_path, 1)
    (tmp_path / "other.csv").write_text((tmp_path / "graph.csv").read_text())
    call = ["sample", "graph.csv", *words, "-o", "x.csv", "--kind", "triples", "--engine", "duckdb"]
    found = goldassay_command(*call)
    assert (found.code, message in found.err, "leave out --engine" in found.err) == (2, True, True)


def test_documents_are_drawn_where_there_are_some(tmp_path, goldassay_command, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table(tmp_path, 1)
    for more in ([], ["--engine", "duckdb"]):
        found = goldassay_command(
            "sample", "graph.csv", "--design", "documents", "-o", "x.csv", "--kind", "triples", *more
        )
        assert (found.code, "The items do not belong to documents" in found.err) == (2, True)
