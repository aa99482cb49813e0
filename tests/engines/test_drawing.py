"""Drawing on an engine: the items that this process draws, of every design."""

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
        made[name]["table"] = (folder / f"{name}.csv").read_text().splitlines()[0].replace("text,", "")
    for one in ("items", "strata", "draws", "table"):
        assert made["here"][one] == made["there"][one], one
    assert made["here"]["inputs"][0]["sha256"] == made["there"]["inputs"][0]["sha256"]


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("documents", [1, 7])
def test_duckdb_draws_what_this_process_draws(tmp_path, goldassay_command, monkeypatch, documents, design):
    monkeypatch.chdir(tmp_path)
    table(tmp_path, documents)
    agree(tmp_path, goldassay_command, design, ["--engine", "duckdb"])


@pytest.mark.xdist_group("spark")
@pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::ResourceWarning")
@pytest.mark.parametrize("design", ["strata", "stratified-clusters"])
def test_spark_draws_what_this_process_draws(tmp_path, goldassay_command, monkeypatch, cluster, design):
    del cluster
    monkeypatch.chdir(tmp_path)
    table(tmp_path, 7)
    agree(tmp_path, goldassay_command, design, ["--engine", "spark"])


def test_an_engine_draws_from_one_table_without_gold(tmp_path, goldassay_command, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table(tmp_path, 1)
    for words in (["graph.csv"], ["--design", "documents"], ["--gold", "graph.csv", "--design", "strata"]):
        found = goldassay_command(
            "sample", "graph.csv", *words, "-o", "x.csv", "--kind", "triples", "--engine", "duckdb"
        )
        assert (found.code, "leave out --engine" in found.err) == (2, True)
