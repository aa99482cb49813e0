"""Drawing on DuckDB: the items that this process draws, of the same numbers."""

import json

import numpy as np
import pytest

pytest.importorskip("duckdb")


@pytest.mark.parametrize("documents", [1, 7])
def test_an_engine_draws_what_this_process_draws(tmp_path, goldassay_command, monkeypatch, documents):
    monkeypatch.chdir(tmp_path)
    random = np.random.default_rng(documents)
    rows = {
        f"d{random.integers(documents)},s{random.integers(30)} é,p{random.integers(3)},{'o' * random.integers(70)}{random.integers(30)}"
        for _ in range(400)
    }
    (tmp_path / "graph.csv").write_text("id,subject,predicate,object\n" + "\n".join(sorted(rows)))
    made = {}
    for name, more in (("here", []), ("there", ["--engine", "duckdb"])):
        found = goldassay_command(
            "sample", "graph.csv", "-o", f"{name}.csv", "--kind", "triples", "--size", "40", "--seed", "3", *more
        )
        assert found.code == 0, found.err
        design = json.loads((tmp_path / f"{name}.design.json").read_text())
        made[name] = (
            [(key, one["key"], one["probability"]) for key, one in design["items"].items()],
            design["strata"],
            design["inputs"][0]["sha256"],
        )
    assert made["here"] == made["there"]


def test_an_engine_draws_simple_samples_of_one_table(tmp_path, goldassay_command):
    (tmp_path / "graph.csv").write_text("subject,predicate,object\na,b,c\n")
    for words in (["--design", "clusters"], [tmp_path / "graph.csv"]):
        found = goldassay_command(
            "sample",
            tmp_path / "graph.csv",
            *words,
            "-o",
            tmp_path / "x.csv",
            "--kind",
            "triples",
            "--engine",
            "duckdb",
        )
        assert (found.code, "Traceback" in found.err) == (2, False)
