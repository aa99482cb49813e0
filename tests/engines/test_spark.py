"""Scores on a real cluster of Spark: the same to the last bit, also where an executor is killed in the middle."""

import gzip
import os
import subprocess
import sys
import threading
from pathlib import Path

import polars as pl
import pytest
from tests.engines.cases import agree, drawn

import goldassay
from goldassay.core.errors import InputError
from goldassay.encoders import HashingEncoder
from goldassay.engines.on_spark import message_of
from goldassay.graphs import lazy_near

pytest.importorskip("pyspark", reason="PySpark is not installed")
ROOT = Path(__file__).resolve().parent.parent.parent
MEASURES = {
    "taxonomy": ["literal"],
    "alignment": ["overlap", "overlap(relation=graded)", "mrr"],
    "axioms": ["exact", "coverage"],
    "triples": ["triples(average=macro)"],
    "concepts": ["concept_exact"],
}
# Spark warns of versions of pandas, and leaves sockets to the garbage collector. One process runs all, on one cluster.
pytestmark = [
    pytest.mark.xdist_group("spark"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


@pytest.mark.release
@pytest.mark.parametrize("kind", MEASURES)
def test_random_tables_score_alike(kind, cluster):
    del cluster
    pred, gold = drawn(kind, 5, size=40)
    agree(pred, gold, kind, MEASURES[kind], engine="spark")


@pytest.mark.release
def test_given_tables_score_alike(cluster, reference_data):
    del cluster
    folder = reference_data / "axioms"
    agree(
        str(folder / "bigbasket_threshold_1.csv"), str(folder / "bigbasket_gold.csv"), "axioms", "exact", engine="spark"
    )
    file = str(reference_data / "alignments" / "sssom" / "sssom-py" / "data_basic.tsv")
    agree(file, file, "alignment", "overlap", engine="spark")


def test_frames_of_spark_go_in_and_evidence_comes_out_as_one(cluster):
    pred = cluster.session.createDataFrame(
        [("a", "x", 0.5), ("b", "w", 0.25)], "source string, target string, score double"
    )
    report = goldassay.evaluate(pred, gold=[("a", "x")], kind="alignment", measures="overlap", engine="spark")
    assert report["overlap"].precision == 0.5
    evidence = report.evidence()
    assert type(evidence).__module__.startswith("pyspark.")
    joined = pred.join(evidence.filter("side = 'pred'").select("source", "target", "verdict"), ["source", "target"])
    assert sorted(row["verdict"] for row in joined.collect()) == ["hit", "invented"]


@pytest.mark.release
def test_rows_with_too_many_cells_are_refused_where_only_some_columns_are_read(cluster, tmp_path):
    del cluster
    (tmp_path / "p.csv").write_text("child,parent,weight\ncat,pet,0.5\ndog, wild,animal,0.5\ncow,pet,1\n")
    with pytest.raises(InputError, match=r"(?s)p.csv: Spark cannot read.*too many cells.*dog, wild,animal"):
        goldassay.evaluate(
            tmp_path / "p.csv", gold=tmp_path / "p.csv", kind="taxonomy", measures="literal", engine="spark"
        )


@pytest.mark.release
@pytest.mark.parametrize("last", ["d,y", "d,y,", "d,y,,", "d,y,,,"])
def test_cells_that_are_absent_at_the_end_of_a_row_are_empty(cluster, tmp_path, last):
    """As in SSSOM that spreadsheets wrote."""
    del cluster
    file = tmp_path / "a.csv"
    file.write_text(f"source,target,note,more\na,x,0.5,n\nb,y\nc,z,0.25\n{last}\n")
    there, here = (
        goldassay.evaluate(file, gold=file, kind="alignment", measures="overlap", engine=engine)["overlap"]
        for engine in ("spark", None)
    )
    assert dict(there.counts) == dict(here.counts)
    assert there.counts["n_pred"] == 4


@pytest.mark.release
@pytest.mark.parametrize("last", ["d,y,,,1", "d,y,0.5,n,m", 'd,y,0.5,"n', 'd,"y"z,0.5,n'])
def test_rows_that_are_not_rows_of_the_table_are_refused(cluster, tmp_path, last):
    del cluster
    file = tmp_path / "a.csv"
    file.write_text(f'source,target,note,more\n"a",x,0.5,n\nb,y\n{last}\n')
    with pytest.raises(InputError):
        goldassay.evaluate(file, gold=file, kind="alignment", measures="overlap", engine="spark")
    with pytest.raises(InputError):
        goldassay.evaluate(file, gold=file, kind="alignment", measures="overlap")


@pytest.mark.release
def test_lines_that_spark_would_take_for_comments_are_refused(cluster, tmp_path):
    del cluster
    head = "#curie_map:\n#  a: http://a/\nsubject_id\tpredicate_id\tobject_id\n"
    (tmp_path / "p.sssom.tsv").write_text(head + "a:1\tskos:exactMatch\ta:2\n#3\tskos:exactMatch\ta:4\n")
    with pytest.raises(InputError, match="begin with #"):
        goldassay.evaluate(str(tmp_path / "p.sssom.tsv"), gold=[("a", "x")], kind="alignment", engine="spark")


@pytest.mark.release
def test_quoted_cells_score_alike(cluster, tmp_path):
    del cluster
    (tmp_path / "p.csv").write_text('child,parent\n"a","b"\n"c, ""d""",e\n"l\nm",b\n')
    agree(str(tmp_path / "p.csv"), [("a", "b")], "taxonomy", "literal", engine="spark")


@pytest.mark.release
@pytest.mark.parametrize(
    ("schema", "row", "messages"),
    [
        ("source string, aim string", ("a", "x"), "No column is recognised as the target."),
        ("source string, target string", (None, "x"), "The source is empty."),
        ("source array<string>, target string", (["a"], "x"), "The source column contains lists."),
    ],
)
def test_bad_frames_are_refused_as_files_are(schema, row, messages, cluster):
    pred = cluster.session.createDataFrame([row], schema)
    with pytest.raises(InputError) as caught:
        goldassay.evaluate(pred, gold=[("a", "x")], kind="alignment", engine="spark")
    assert messages in str(caught.value)


@pytest.mark.release
def test_names_of_columns_may_hold_dots_and_may_not_repeat(cluster):
    pred = cluster.session.sql("SELECT 'a' AS source, 'x' AS target, 1 AS `source.x`")
    report = goldassay.evaluate(pred, gold=[("a", "x")], kind="alignment", measures="overlap", engine="spark")
    assert report["overlap"].f1 == 1
    with pytest.raises(InputError, match="Two columns have the same name"):
        goldassay.evaluate(
            pred.selectExpr("source", "target", "target"), gold=[("a", "x")], kind="alignment", engine="spark"
        )


@pytest.mark.release
def test_an_archive_has_its_suffix(cluster, tmp_path):
    del cluster
    (tmp_path / "p.csv").write_bytes(gzip.compress(b"source,target\na,x\n"))
    with pytest.raises(InputError, match=r"(?s)p.csv: Spark needs the suffix of a compressed file.*\.gz"):
        goldassay.evaluate(str(tmp_path / "p.csv"), gold=[("a", "x")], kind="alignment", engine="spark")


@pytest.mark.release
def test_evidence_is_written_whole(cluster, tmp_path):
    del cluster
    from goldassay.report.explain import write_explain

    report = goldassay.evaluate([("a", "x")], gold=[("a", "x")], kind="alignment", measures="overlap", engine="spark")
    write_explain(report, tmp_path / "e.parquet")
    assert [path.name for path in tmp_path.iterdir()] == ["e.parquet"]
    assert pl.read_parquet(tmp_path / "e.parquet" / "*.parquet")["verdict"].to_list() == ["hit", "hit"]


@pytest.mark.release
def test_the_example_job_runs_under_spark_submit(cluster, tmp_path):
    import pyspark

    pl.DataFrame({"source": ["a", "b"], "target": ["x", "w"], "score": [0.5, 0.25]}).write_parquet(
        tmp_path / "p.parquet"
    )
    pl.DataFrame({"source": ["a"], "target": ["x"]}).write_parquet(tmp_path / "g.parquet")
    del cluster
    settings = (
        "spark.executor.memory=512m",
        "spark.sql.shuffle.partitions=1",
        "spark.ui.enabled=false",
        "spark.driver.host=127.0.0.1",
    )
    command = [
        Path(pyspark.__file__).parent / "bin" / "spark-submit", "--master", "local-cluster[1,1,512]",
        *(word for one in (*settings, f"spark.executorEnv.PYTHONPATH={ROOT / 'src'}") for word in ("--conf", one)),
        ROOT / "examples" / "spark" / "job.py", *(tmp_path / name for name in ("p.parquet", "g.parquet", "e.parquet")),
    ]  # fmt: skip
    surroundings = {
        **os.environ,
        "PYTHONPATH": str(ROOT / "src"),
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
    }
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, check=False, env=surroundings, timeout=300
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert "overlap|relations:all|gold:1|pred:2" in done.stdout
    assert sorted(pl.read_parquet(tmp_path / "e.parquet" / "*.parquet")["verdict"]) == ["hit"] * 4 + ["invented"]


@pytest.mark.release
def test_an_executor_that_is_killed_in_the_middle_changes_no_number(cluster):
    pred, gold = drawn("alignment", 8, size=400)
    measures = ["overlap", "mrr"]
    whole = goldassay.evaluate(pred, gold=gold, kind="alignment", measures=measures)
    killed = []

    def kill():
        cluster.kill_executor()
        killed.append(True)

    timer = threading.Timer(1.0, kill)
    timer.start()
    report = goldassay.evaluate(pred, gold=gold, kind="alignment", measures=measures, engine="spark")
    timer.join()
    assert killed
    assert [dict(one.counts) for one in report.runs[0].scores] == [dict(one.counts) for one in whole.runs[0].scores]
    assert report.metrics() == whole.metrics()


NEAR = {
    "taxonomy": ["fuzzy(threshold=0.6)", "fuzzy(threshold=0.6, relation=exact)", "nodes(threshold=0.6)"],
    "concepts": ["concept", "concept(average=micro, recall=symmetric)"],
}


@pytest.mark.release
@pytest.mark.parametrize("kind", NEAR)
def test_meanings_score_alike(kind, cluster):
    del cluster
    pred, gold = drawn(kind, 6, size=40)
    agree(pred, gold, kind, NEAR[kind], engine="spark", encoder="hashing")


@pytest.mark.release
def test_meanings_of_blocks_are_those_of_one_machine_also_where_an_executor_is_killed(cluster, monkeypatch):
    for name, value in {"EDGES_WORTH_CELLS": 4, "TOGETHER": 30, "TARGETS": 40}.items():
        monkeypatch.setattr(lazy_near, name, value)
    pred, gold = drawn("taxonomy", 7, size=100)
    measure = "fuzzy(threshold=0.6)"
    whole = goldassay.evaluate(pred, gold=gold, measures=measure, encoder="hashing")
    timer = threading.Timer(3.0, cluster.kill_executor)
    timer.start()
    report = goldassay.evaluate(pred, gold=gold, measures=measure, encoder="hashing", engine="spark")
    timer.join()
    assert dict(report["fuzzy"].counts) == dict(whole["fuzzy"].counts)
    names = ["side", "source", "target", "verdict"]
    found = sorted(map(tuple, report.evidence().select(*names).collect()))
    assert found == sorted(whole["fuzzy"].matching.to_frame().select(names).rows())


@pytest.mark.release
def test_vectors_are_written_and_found_again(cluster, tmp_path):
    del cluster
    encoder = HashingEncoder()
    folder = tmp_path / "vectors" / encoder.fingerprint
    folder.mkdir(parents=True)
    # What is there is taken: with the vector of a cat, a dog is one.
    known = pl.DataFrame(
        {"text": ["dog"], "vector": encoder.encode(["cat"])}, schema_overrides={"vector": pl.List(pl.Float32)}
    )
    known.write_parquet(folder / "a.parquet")
    report = goldassay.evaluate(
        [("cat", "pet"), ("dog", "pet"), ("cow", "milk")],
        gold=[("cats", "pets")],
        measures="fuzzy(threshold=0.5)",
        encoder=encoder,
        engine="spark",
        spark_vectors=str(tmp_path / "vectors"),
    )
    assert report["fuzzy"].counts["hit_pred"] == 2
    written = pl.read_parquet(folder / "*.parquet")
    assert sorted(written["text"]) == ["cat", "cats", "cow", "dog", "milk", "pet", "pets"]
    vectors = dict(written.iter_rows())
    assert vectors["cow"] == encoder.encode(["cow"])[0].tolist()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            "An error occurred while calling o1.count.\n: org.apache.spark.SparkException: Job aborted\n\tat x",
            "org.apache.spark.SparkException: Job aborted",
        ),
        (
            "An error occurred while calling o1.count.\n: a.B: c\n\tat x\nCaused by: d.E: f\nCaused by: g.H: no file\n\t... 1 more",
            "g.H: no file",
        ),
        (
            "a.B: c\nTraceback (most recent call last):\n  File x\ngoldassay.core.errors.EncoderError: No.\n\nCaused by: d.E: f",
            "goldassay.core.errors.EncoderError: No.",
        ),
        ("An error occurred while calling o1.count.", "An error occurred while calling o1.count."),
        ("", "ValueError"),
    ],
)
def test_of_an_error_of_spark_the_cause_is_reported(text, shown):
    assert message_of(ValueError(text)) == shown


def test_without_a_session_it_says_so():
    code = "import goldassay; goldassay.evaluate([('a', 'x')], gold=[('a', 'x')], kind='alignment', engine='spark')"
    surroundings = {name: value for name, value in os.environ.items() if not name.startswith(("SPARK", "PYSPARK"))}
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=surroundings)
    assert "No Spark session is running." in found.stderr
