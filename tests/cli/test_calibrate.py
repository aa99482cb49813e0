import json
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

HASHING = ("--encoder", "hashing")


@pytest.fixture
def pairs(tmp_path):
    (tmp_path / "pairs.tsv").write_text("a\tb\nviolin\tviolins\ncar\tcars\ndog\tdogs\ndog\tdog\n")
    return tmp_path / "pairs.tsv"


def test_calibrate_gives_the_line_to_paste(goldassay_command, pairs):
    result = goldassay_command("calibrate", pairs, *HASHING)
    assert (result.code, result.err) == (0, "")
    assert "3 pairs; left out: equal texts (1)" in result.out
    assert "95% bootstrap interval" in result.out
    assert "█" in result.out
    assert result.out.rstrip().splitlines()[-1].startswith("-m 'fuzzy(threshold=0.")


def test_bars_are_as_long_as_their_counts():
    """The longest has the length of a bar; the mean is marked in the bar that it begins or is in."""
    from goldassay.cli.calibrate import BAR, _picture

    def drawn(mean, *counts):
        edges = np.arange(len(counts) + 1) / 4
        return list(_picture(SimpleNamespace(mean=mean, histogram=lambda: (np.array(counts), edges))))

    assert drawn(0.25, 1000, 4000, 0) == [
        f"  0.00 {'█' * (BAR // 4)} 1,000",
        f"  0.25 {'█' * BAR} 4,000 <- mean",
        "  0.50  0",
    ]
    assert drawn(0.1, 0, 0) == ["  0.00  0 <- mean", "  0.25  0"]
    # No bar begins at -0.00.
    below = SimpleNamespace(mean=0.5, histogram=lambda: (np.array([1]), np.array([-0.004, 1.0])))
    assert list(_picture(below)) == [f"  0.00 {'█' * BAR} 1 <- mean"]


def test_calibrate_json(goldassay_command, pairs):
    found = json.loads(goldassay_command("calibrate", pairs, *HASHING, "--format", "json").out)
    assert found["pairs"] == 3
    assert found["mean_interval"][0] <= found["mean"] <= found["mean_interval"][1]
    assert sum(found["histogram"]["counts"]) == 3


@pytest.mark.parametrize("arguments", [(), ("{pairs}", "--from", "{pairs}")])
def test_calibrate_needs_one_place(goldassay_command, pairs, arguments):
    result = goldassay_command("calibrate", *(part.format(pairs=pairs) for part in arguments))
    assert result.code == 2
    assert "Traceback" not in result.err


def test_a_language_has_no_effect_on_a_table_of_pairs(goldassay_command, pairs, tmp_path):
    (tmp_path / "o.obo").write_text('[Term]\nid: X:1\nname: leukemia\nsynonym: "leukaemia" EXACT []\n')
    of_an_ontology = goldassay_command("calibrate", "--from", tmp_path / "o.obo", *HASHING, "--language", "de")
    of_pairs = goldassay_command("calibrate", pairs, *HASHING, "--language", "de")
    assert (of_an_ontology.code, of_pairs.code) == (0, 2)
    assert "a table of pairs" in of_pairs.err


def test_calibrate_from_an_ontology(goldassay_command, tmp_path):
    (tmp_path / "o.obo").write_text('[Term]\nid: X:1\nname: leukemia\nsynonym: "leukaemia" EXACT []\n')
    result = goldassay_command("calibrate", "--from", tmp_path / "o.obo", *HASHING)
    assert "1 pairs" in result.out


def test_calibrate_from_a_dictionary(goldassay_command, tmp_path):
    """A table, a terminology and the folder of the UMLS give the label of each concept with its synonyms."""
    (tmp_path / "names.csv").write_text("id,name,synonyms\nX,leukemia,leukaemia|leucaemia\nY,flu,\n")
    (tmp_path / "d.bin").write_text("*NEWRECORD\nMH = Leukemia\nENTRY = Leukaemia\nUI = D1\n")
    for name, pairs in (("names.csv", 2), ("d.bin", 1)):
        result = goldassay_command("calibrate", "--from", tmp_path / name, *HASHING)
        assert f"{pairs} pairs" in result.out
        assert result.out.rstrip().splitlines()[-1].startswith("-m 'concept(epsilon=0.")
    (tmp_path / "names.csv").write_text("id,name\nX,leukemia\n")
    result = goldassay_command("calibrate", "--from", tmp_path / "names.csv", *HASHING)
    assert (result.code, "No concept of the dictionary has two names" in result.err) == (2, True)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("o.obo", '[Term]\nid: X:1\nname: leukemia\nsynonym: "leukaemia" EXACT []\n'),
        ("names.csv", "id,name,synonyms\nX,leukemia,leukaemia\n"),
    ],
)
def test_a_file_is_loaded_once(name, content, tmp_path, monkeypatch):
    from goldassay.cli.calibrate import read_pairs_of
    from goldassay.formats import source

    (tmp_path / name).write_text(content)
    loaded, content_of = [], source._content
    monkeypatch.setattr(source, "_content", lambda path: loaded.append(path) or content_of(path))
    assert len(read_pairs_of(None, str(tmp_path / name), "en", "stop")) == 1
    assert loaded == [tmp_path / name]


def test_of_many_pairs_of_names_some_are_drawn(monkeypatch, tmp_path):
    from goldassay.concepts.formats import read_names

    monkeypatch.setattr(read_names, "MOST", 3)
    (tmp_path / "names.csv").write_text("name,synonyms\nx,a|b|c|d|e|x\n")
    pairs = read_names.name_pairs(tmp_path / "names.csv")
    assert (len(pairs), set(pairs.left.tolist()) <= {"x", *"abcde"}) == (3, True)
    assert pairs.notes == ("3 of 5 pairs are drawn",)
    assert pairs.right.tolist() == read_names.name_pairs(tmp_path / "names.csv").right.tolist()


def test_sweep(goldassay_command, files):
    arguments = ("taxonomy", files / "good.csv", files / "poor.csv", "--gold", files / "gold.csv", *HASHING, "--sweep")
    text = goldassay_command(*arguments)
    assert text.code == 0, text.err
    assert "area under precision over recall" in text.out
    # Two predictions, by the two measures of the default that have a threshold.
    assert text.out.count("<- cut") == 4
    found = json.loads(goldassay_command(*arguments, "-m", "fuzzy", "-m", "nodes", "--format", "json").out)
    assert [one["measure"] for one in found["sweeps"]] == ["fuzzy(threshold=0.436)", "nodes(threshold=0.436)"] * 2
    assert found["sweeps"][0]["points"]["recall"][-1] == 1.0
    frame = pl.read_csv(goldassay_command(*arguments, "--format", "csv").out.encode())
    assert frame.columns == ["prediction", "measure", "threshold", "precision", "recall", "f1"]
    assert "| 0.436 |" in goldassay_command(*arguments, "--format", "markdown").out


@pytest.mark.parametrize(
    "measure", ["fuzzy(threshold={})", "fuzzy(threshold={}, inclusive=true)", "nodes(threshold={})"]
)
def test_thresholds_of_a_sweep_as_they_are_written_give_its_values(goldassay_command, files, measure):
    arguments = ("taxonomy", files / "poor.csv", "--gold", files / "gold.csv", *HASHING, "-m")

    def values_at(threshold):
        [run] = json.loads(goldassay_command(*arguments, measure.format(threshold), "--format", "json").out)["runs"]
        return run["scores"][0]["values"]

    swept = (*arguments, measure.format(0.4), "--sweep")
    [line] = [one for one in goldassay_command(*swept).out.splitlines() if " best F1" in one]
    _, _, best, _, _, threshold, _ = line.split()
    assert f"{values_at(threshold)['f1']:.4f}" == best
    for row in pl.read_csv(goldassay_command(*swept, "--format", "csv").out.encode()).iter_rows(named=True):
        assert values_at(row["threshold"]) == {name: row[name] for name in ("precision", "recall", "f1")}


def test_a_sweep_has_as_much_memory_as_is_asked(goldassay_command, files, monkeypatch):
    given = []
    monkeypatch.setattr("goldassay.evaluation.sweep", lambda *_, **asked: given.append(asked["memory"]))
    goldassay_command(
        "taxonomy", files / "good.csv", "--gold", files / "gold.csv", *HASHING, "--sweep", "--memory", "7"
    )
    assert given == [7 * 2**20]


@pytest.mark.parametrize(("score", "shown"), [("1.5", True), ("0.97", False)])
def test_thresholds_of_scores_beyond_one_are_these_scores(goldassay_command, tmp_path, score, shown):
    (tmp_path / "pred.csv").write_text(f"source,target,score\na,b,0.5\nc,d,{score}\n")
    (tmp_path / "gold.csv").write_text("source,target\na,b\n")
    result = goldassay_command(
        "alignment",
        tmp_path / "pred.csv",
        "--gold",
        tmp_path / "gold.csv",
        "-m",
        "overlap",
        "--sweep",
        "--scores",
        "any",
    )
    assert result.code == 0, result.err
    assert (f" {score}" in result.out) is shown


def test_a_sweep_goes_to_a_file_whole(goldassay_command, files):
    out = files / "curve.csv"
    result = goldassay_command(
        "taxonomy", files / "good.csv", "--gold", files / "gold.csv", *HASHING, "--sweep", "--format", "csv", "-o", out
    )
    assert (result.code, result.out) == (0, "")
    assert len(pl.read_csv(out))


@pytest.mark.parametrize("more", [("-m", "literal"), ("--misses", "3"), ("--explain", "{out}")])
def test_a_sweep_refuses_what_it_cannot_do(goldassay_command, files, more):
    result = goldassay_command(
        "taxonomy", files / "good.csv", "--gold", files / "gold.csv", *HASHING, "--sweep",
        *(part.format(out=files / "x.tsv") for part in more),
    )  # fmt: skip
    assert result.code == 2
    assert "Traceback" not in result.err


def test_all_measures_of_taxonomies_in_one_report(goldassay_command, files):
    specs = ["continuous", "graph", "motif", "taxonomic", "literal(relation=exact)", "fuzzy(relation=fuzzy)"]
    asked = [part for spec in specs for part in ("-m", spec)]
    out = files / "matches.tsv"
    result = goldassay_command(
        "taxonomy", files / "good.csv", "-g", files / "gold.csv", *asked, *HASHING, "--explain", out, "--misses", "1"
    )
    assert result.code == 0, result.err
    assert "assignment:exact" in result.out
    assert set(pl.read_csv(out, separator="\t")["measure"]) >= {"continuous", "graph(hops=2)", "motif", "taxonomic"}
