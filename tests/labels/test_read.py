import contextlib
import json
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import goldassay
from goldassay.core.errors import InputError, RecordError, UsageError
from goldassay.labels import Hierarchical, LabelReading, Labels, WeightedFmax, read_labels
from goldassay.labels.hierarchy import Hierarchy
from goldassay.labels.read import claims

EDGES = "child,parent\ncat,feline\nlion,feline\nfeline,animal\ndog,animal\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "pets.csv").write_text(EDGES)
    return tmp_path


@pytest.fixture
def read(folder):
    """Write a file, and read it over the pets."""

    def run(name, text, **reading):
        data = text if isinstance(text, bytes) else text.encode()
        (folder / name).write_bytes(data)
        return read_labels(folder / name, LabelReading(**{"hierarchy": str(folder / "pets.csv"), **reading}))

    return run


def rows(found):
    stated = found.identifiers(np.arange(len(found)))
    return list(zip(stated["id"], stated["label"], found.scores, strict=True))


EXPECTED = [("d1", "cat", 1.0), ("d1", "dog", 0.5), ("d2", "lion", 0.25)]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.tsv", "instance\tlabel\tscore\nd1\tcat\t1\nd1\tdog\t0.5\nd2\tlion\t.25\n"),
        ("a.tsv", "d1\tcat\t1\nd1\tdog\t0.5\nd2\tlion\t.25\n"),
        ("a.csv", "score,doc id,class\n1,d1,cat\n0.5,d1,dog\n.25,d2,lion\n"),
        ("a.csv", "probability;document;label\n;d1;cat\n0.5;d1;dog\n.25;d2;lion\n"),
        (
            "a.jsonl",
            """{"id": "d1", "label": "cat"}
{"id": "d1", "label": "dog", "score": 0.5}
{"id": "d2", "label": "lion", "score": 0.25}
""",
        ),
        (
            "a.jsonl",
            """{"id": "d1", "labels": ["cat", "dog"], "scores": [1, 0.5]}
{"id": "d2", "labels": ["lion"], "scores": [0.25]}
""",
        ),
        (
            "a.jsonl",
            """{"id": "d1", "labels": [{"label": "cat"}, {"label": "dog", "score": 0.5}]}
{"id": "d2", "labels": [{"label": "lion", "score": 0.25}]}
""",
        ),
        ("a.txt", "AUTHOR me\nMODEL 1\nKEYWORDS none.\nd1 cat 1.0\nd1 dog 0.50\nd2\tlion\t0.25\nEND\n"),
    ],
)
def test_labels_are_read_from_every_table(read, name, text):
    found = read(name, text)
    assert rows(found) == EXPECTED
    assert found.ids.tolist() == ["d1", "d2"]
    assert found.left_out == {}


@pytest.mark.parametrize(
    "frame",
    [
        pl.DataFrame({"instance": ["d1", "d1", "d2"], "label": ["cat", "dog", "lion"], "score": [1.0, 0.5, 0.25]}),
        pl.DataFrame({"instance": ["d1", "d2"], "labels": [["cat", "dog"], ["lion"]], "scores": [[1.0, 0.5], [0.25]]}),
    ],
)
def test_labels_are_read_from_parquet(folder, read, frame):
    frame.write_parquet(folder / "a.parquet")
    assert rows(read("a.parquet", (folder / "a.parquet").read_bytes())) == EXPECTED


def test_columns_may_be_named(read):
    text = "id,text,score,tag,sure\n1,some text,9,cat,0.5\n"
    found = read("a.csv", text, instance_column="id", label_column="tag", score_column="sure")
    assert rows(found) == [("1", "cat", 0.5)]
    with pytest.raises(InputError, match="has no column 'tags'"):
        read("a.csv", text, label_column="tags")


def test_an_empty_list_is_an_instance_without_labels(read):
    found = read("a.jsonl", '{"id": "d1", "labels": []}\n{"id": "d2", "labels": ["cat"]}\n')
    assert found.ids.tolist() == ["d1", "d2"]
    assert found.facts["instances_without_labels"] == 1


def test_hemkits_integers(folder):
    (folder / "h.txt").write_text("10 20\n10 20 \n20 1\n\n20 02\n")
    (folder / "a.txt").write_text("1 2\n\n20")
    found = read_labels(folder / "a.txt", LabelReading(hierarchy=str(folder / "h.txt")))
    assert rows(found) == [("1", "1", 1.0), ("1", "2", 1.0), ("3", "20", 1.0)]
    assert found.ids.tolist() == ["1", "2", "3"]
    assert found.format == "hemkit"
    (folder / "h.txt").write_text("10 20\n20 1 2\n")
    with pytest.raises(RecordError, match="is not an edge") as caught:
        read_labels(folder / "a.txt", LabelReading(hierarchy=str(folder / "h.txt")))
    assert caught.value.line == 2
    (folder / "h.txt").write_text("10 20\n20 1\n")
    (folder / "a.txt").write_text("1\n1 x\n")
    with pytest.raises(RecordError, match="not a list of HEMKit") as caught:
        read_labels(folder / "a.txt", LabelReading(hierarchy=str(folder / "h.txt")))
    assert (caught.value.line, caught.value.found) == (2, "'x'")


GAF = "!gaf-version: 2.2\nUniProtKB\tP1\tX\tinvolved_in\t{}\tPMID:1\tIDA\n"


def test_gaf(folder, read):
    text = GAF.format("cat") + "UniProtKB\tP1\tX\tNOT|involved_in\tdog\tPMID:1\tIDA\n"
    found = read("a.gaf", text)
    assert rows(found) == [("P1", "cat", 1.0)]
    assert found.left_out == {"negated": 1}
    with pytest.raises(RecordError, match="not a GAF annotation"):
        read("a.gaf", text + "only\tthree\tcells\n")


OBO = """format-version: 1.2
ontology: x

[Term]
id: A:1
name: animal

[Term]
id: A:2
name: cat
alt_id: A:9
is_a: A:1

[Term]
id: A:3
name: old
is_obsolete: true

[Term]
id: A:4
name: only
"""
TURTLE = """@prefix : <http://purl.obolibrary.org/obo/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
:A_1 a owl:Class ; rdfs:label "animal"@en . :A_2 rdfs:subClassOf :A_1 ; rdfs:label "cat"@en, "Katze"@de .
:A_2 rdfs:subClassOf [ a owl:Restriction ] . :A_4 a owl:Class .
"""


@pytest.mark.parametrize(("name", "text"), [("h.obo", OBO), ("h.ttl", TURTLE)])
def test_ontologies(folder, read, name, text):
    (folder / name).write_text(text)
    found = read("a.csv", "instance,label\ni,A:2\ni,http://purl.obolibrary.org/obo/A_1\n", hierarchy=str(folder / name))
    assert found.hierarchy.names[found.labels].tolist() == ["A:2", "A:1"]
    assert sorted(found.hierarchy.names.tolist()) == ["A:1", "A:2", "A:4"]
    named = read("a.csv", "instance,label\ni,cat\n", hierarchy=str(folder / name), names="label")
    assert named.hierarchy.names[named.labels].tolist() == ["cat"]
    ends = read("a.csv", "instance,label\ni,A_2\n", hierarchy=str(folder / name), names="name")
    assert ends.hierarchy.names[ends.labels].tolist() == ["A_2"]


def test_alternative_identifiers_are_the_label_itself(folder, read):
    (folder / "h.obo").write_text(OBO)
    found = read("a.csv", "instance,label\ni,A:9\ni,A:2\n", hierarchy=str(folder / "h.obo"))
    assert found.hierarchy.names[found.labels].tolist() == ["A:2"]
    assert found.left_out == {"duplicates": 1}


@pytest.mark.parametrize(
    "text",
    [
        "@prefix : <http://a/> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> . :cat skos:broader :animal .",
        "@prefix : <http://a/> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> . :animal skos:narrower :cat .",
    ],
)
def test_concepts_of_a_thesaurus(folder, read, text):
    (folder / "h.ttl").write_text(text)
    found = read("a.csv", "instance,label\ni,http://a/cat\n", hierarchy=str(folder / "h.ttl"))
    assert found.hierarchy.levels[found.labels].tolist() == [2]


def test_a_hierarchy_with_relations(folder, read):
    (folder / "h.csv").write_text("subject,predicate,object\ncat,is_a,animal\ncat,part_of,zoo\n")
    found = read("a.csv", "instance,label\ni,cat\n", hierarchy=str(folder / "h.csv"))
    assert sorted(found.hierarchy.names.tolist()) == ["animal", "cat"]
    (folder / "h.csv").write_text("subject,predicate,object\ncat,part_of,zoo\n")
    with pytest.raises(InputError, match="No relation of the table"):
        read("a.csv", "instance,label\ni,cat\n", hierarchy=str(folder / "h.csv"))


def test_a_hierarchy_of_the_reference_data_is_the_same_in_obo(reference_data, folder):
    data = reference_data / "hierarchies" / "labels"
    found = [
        read_labels(data / "go_nucleus_gold.tsv", LabelReading(hierarchy=str(data / f"go_nucleus_{name}")))
        for name in ("hierarchy.tsv", "terms.obo")
    ]
    assert found[0].hierarchy.digest == found[1].hierarchy.digest
    assert rows(found[0]) == rows(found[1])


def test_unknown_labels_are_counted_and_signed(read):
    found = read("a.csv", "instance,label\ni,cat\ni,unicorn\nj,unicorn\n")
    assert found.left_out == {"unknown_labels": 2}
    assert found.ids.tolist() == ["i", "j"]
    score = Hierarchical().score(pred=found, gold=read("gold.csv", "instance,label\ni,cat\n"))
    assert "unknown_labels:gold=default,pred=left_out(2)" in str(score.signature)


def test_a_label_twice_has_its_best_score(read):
    found = read("a.csv", "instance,label,score\ni,cat,0.2\ni,cat,0.7\ni,cat,0.4\n")
    assert rows(found) == [("i", "cat", 0.7)]
    assert found.left_out == {"duplicates": 2}


def test_a_root_cuts_the_hierarchy(read):
    found = read("a.csv", "instance,label\ni,cat\ni,dog\ni,animal\n", root=("feline",))
    assert rows(found) == [("i", "cat", 1.0)]
    assert found.left_out == {"outside_of_the_root": 2}
    assert found.hierarchy.names[found.hierarchy.roots].tolist() == ["feline"]
    assert found.choices["root"] == "feline"
    with pytest.raises(InputError, match="no such label"):
        read("a.csv", "instance,label\ni,cat\n", root=("unicorn",))


BAD = [
    ("a.csv", "instance,label,score\ni,cat,0.5\ni,dog,high\n", 3, "The score is not a number"),
    ("a.csv", "instance,label,score\ni,cat,0.5\ni,dog,nan\n", 3, "The score is not a number"),
    ("a.csv", "instance,label,score\ni,cat,inf\nj,cat,1\n", 2, "The score is not a number"),
    ("a.csv", "instance,label\ni,cat\ni,\n", 3, "The label is empty"),
    ("a.csv", "instance,label\n,cat\ni,dog\n", 2, "The instance is empty"),
    ("a.jsonl", '{"id": "i", "labels": ["cat"]}\n{"id": "i", "labels": ["dog"]}\n', 2, "The instance occurs twice"),
    (
        "a.jsonl",
        '{"id": "i", "labels": ["cat"]}\n{"id": "j", "labels": ["a", "b"], "scores": [1]}\n',
        2,
        "not a list of texts",
    ),
    ("a.jsonl", '{"id": "i", "labels": ["cat"]}\n{"id": "j", "labels": [["a"]]}\n', 2, "not a list of texts"),
    ("a.jsonl", '{"id": "i", "labels": ["cat"]}\n{"id": "j", "labels": [{"size": "a"}]}\n', 2, "not a list of texts"),
    (
        "a.jsonl",
        '{"id": "i", "labels": ["cat"]}\n{"id": "j", "labels": [{"text": "a", "type": "b"}]}\n',
        2,
        "not a list of texts",
    ),
    ("a.txt", "AUTHOR me\ni cat 0.5\ni dog\n", 3, "not a CAFA prediction"),
]


@pytest.mark.parametrize(("name", "text", "line", "message"), BAD)
def test_a_bad_record_is_named_by_its_line_or_skipped_and_counted(read, name, text, line, message):
    with pytest.raises(RecordError, match=message) as caught:
        read(name, text)
    assert caught.value.line == line
    found = read(name, text, on_error="skip")
    assert found.left_out["skipped_records"] == 1
    assert len(found) == 1
    assert any(message in note for note in found.notes)


@pytest.mark.parametrize(
    ("text", "message"),
    [("child,parent\n", "The hierarchy is empty"), ("child,parent\na,b\nb,a\n", "a -> b -> a")],
)
def test_a_bad_hierarchy_is_refused(folder, read, text, message):
    (folder / "bad.csv").write_text(text)
    with pytest.raises(InputError, match=message) as caught:
        read("a.csv", "instance,label\ni,cat\n", hierarchy=str(folder / "bad.csv"))
    assert caught.value.path == str(folder / "bad.csv")


def test_without_a_hierarchy_labels_are_taken_as_they_are(read):
    found = read("a.csv", "instance,label\ni,cat\n", hierarchy=None)
    assert (rows(found), found.choices["hierarchy"]) == ([("i", "cat", 1.0)], "none")


def test_a_file_that_changed_is_read_again(folder, read):
    assert rows(read("a.csv", "instance,label\ni,wolf\n")) == []
    (folder / "pets.csv").write_text(EDGES + "wolf,animal\n")
    assert rows(read("a.csv", "instance,label\ni,wolf\n")) == [("i", "wolf", 1.0)]


def test_a_file_without_rows_is_refused(read):
    with pytest.raises(InputError, match="contains no instance"):
        read("a.csv", "instance,label\n")
    with pytest.raises(InputError, match="4 columns"):
        read("a.csv", "a,b,c,d\n1,2,3,4\n")


def test_arrays():
    found = Labels.from_arrays([[["a", "b"], ["a", "c"]], [["a", ""], ["", ""]]], ids=["x", "y"])
    assert rows(found) == [("x", "a", 1.0), ("x", "b", 1.0), ("x", "c", 1.0), ("y", "a", 1.0)]
    with pytest.raises(InputError, match="names and rows differ"):
        Labels.from_arrays([["a"]], ids=["x", "y"])


@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.jsonl", "a.txt", "a.gaf", "a.parquet"])
@given(data=st.binary(max_size=120) | st.text('id1,\t\n[]{}":.cat0 -', max_size=80).map(str.encode))
def test_no_bytes_give_another_error(tmp_path_factory, name, data):
    folder = tmp_path_factory.mktemp("bytes")
    (folder / "pets.csv").write_text(EDGES)
    (folder / name).write_bytes(data)
    with contextlib.suppress(InputError):
        read_labels(folder / name, LabelReading(hierarchy=str(folder / "pets.csv")))
    (folder / "pets.csv").write_bytes(data)
    (folder / name).write_text("instance,label\ni,cat\n")
    with contextlib.suppress(InputError):
        read_labels(folder / name, LabelReading(hierarchy=str(folder / "pets.csv"), input_format="csv"))


def test_the_command(folder, goldassay_command):
    (folder / "gold.csv").write_text("instance,label\nd1,cat\nd2,dog\n")
    (folder / "pred.csv").write_text("instance,label,score\nd1,lion,0.9\nd2,dog,0.4\n")
    arguments = ["labels", folder / "pred.csv", "--gold", folder / "gold.csv", "--hierarchy", folder / "pets.csv"]
    asked = [f"-m{name}" for name in ("hierarchical", "lca", "wu_palmer", "weighted_fmax", "smin")]
    result = goldassay_command(*arguments, *asked, "--format", "json")
    assert (result.code, result.err) == (0, "")
    scores = json.loads(result.out)["runs"][0]["scores"]
    assert [score["values"]["f1"] for score in scores[:3]] == pytest.approx([2 / 3, 0.75, 5 / 6])
    result = goldassay_command(*arguments[:-2], "-m", "lca")
    assert result.code == 2
    assert "--hierarchy FILE" in result.err


def test_inspect_recognises_labels(folder, goldassay_command):
    (folder / "gold.csv").write_text("instance,label\nd1,cat\nd2,dog\n")
    result = goldassay_command("inspect", folder / "gold.csv", "--kind", "labels", "--hierarchy", folder / "pets.csv")
    assert result.code in (0, 2)
    report = goldassay.evaluate(
        folder / "gold.csv", gold=folder / "gold.csv", kind="labels", hierarchy=str(folder / "pets.csv")
    )
    assert report["lca"].f1 == 1.0
    assert replace(LabelReading(), root=("a",)).choices == {"root": "a"}


@pytest.mark.parametrize("word", ["9" * 5000, "\u00b2", "-1", "1.5"])
def test_integers_of_hemkit_are_whole_numbers_of_a_bounded_length(tmp_path, word):
    (tmp_path / "h.txt").write_text("1 2\n", encoding="utf-8")
    (tmp_path / "l.txt").write_text(f"1\n{word}\n", encoding="utf-8")
    with pytest.raises(RecordError, match="not a list of HEMKit's labels") as caught:
        read_labels(tmp_path / "l.txt", LabelReading(hierarchy=str(tmp_path / "h.txt")))
    assert caught.value.line == 2
    (tmp_path / "l.txt").write_text("1\n", encoding="utf-8")
    (tmp_path / "h.txt").write_text(f"1 2\n{word} 3\n", encoding="utf-8")
    with pytest.raises(RecordError, match="not an edge") as caught:
        read_labels(tmp_path / "l.txt", LabelReading(hierarchy=str(tmp_path / "h.txt")))
    assert caught.value.line == 2


def test_what_lies_above_labels_is_limited(monkeypatch):
    monkeypatch.setenv("GOLDASSAY_MAX_ANCESTORS", "54")
    hierarchy = Hierarchy.from_edges((f"c{row}", f"c{row + 1}") for row in range(9))
    closure = hierarchy.closure(np.arange(9))
    assert len(closure.nodes) == 54  # 10 + 9 + ... + 2
    assert len(closure.spread(np.arange(9))[0]) == 54
    with pytest.raises(InputError, match="too many labels above them"):
        hierarchy.closure(np.arange(10))
    with pytest.raises(InputError, match="too many labels above them"):
        closure.spread(np.array([0, 0, 0, 0, 0, 0]))


def test_a_closure_in_many_pieces_is_the_closure(monkeypatch):
    hierarchy = Hierarchy.from_edges([("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"), ("d", "e"), ("a", "e")])
    whole = hierarchy.closure(np.arange(5))
    monkeypatch.setattr("goldassay.kernels.reach.SEEN_BYTES", 1)
    pieces = hierarchy.closure(np.arange(5))
    for column in ("starts", "nodes", "steps"):
        assert getattr(whole, column).tolist() == getattr(pieces, column).tolist()


def test_the_step_of_thresholds_is_none_or_not_tiny():
    assert WeightedFmax(step=1e-6).step == 1e-6
    with pytest.raises(UsageError, match="too small"):
        WeightedFmax(step=1e-7)


def test_two_models_of_cafa_in_one_file_are_refused(tmp_path):
    (tmp_path / "a.txt").write_text("AUTHOR x\nMODEL 1\nT1 GO:1 0.9\nEND\nAUTHOR x\nMODEL 2\nT1 GO:1 0.1\nEND\n")
    with pytest.raises(InputError, match="several models") as refused:
        goldassay.read(tmp_path / "a.txt", kind="labels", hierarchy=str(_tree(tmp_path)))
    assert "MODEL 1, and MODEL 2" in str(refused.value)


def _tree(folder):
    (folder / "tree.csv").write_text("child,parent\nGO:1,GO:0\n")
    return folder / "tree.csv"


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "jsonl"])
def test_bad_rows_are_rejected_in_their_order_and_the_others_are_kept(tmp_path, ending):
    (tmp_path / "h.csv").write_text("child,parent\na,top\nb,top\nc,b\n")
    rows = [
        ("d1", "a", "0.5"), ("d1", "b", "x"), ("d2", "", "0.1"), ("d3", "no", "0.2"), ("d3", "c", " 1_0 "),
        ("d3", "c", ""), ("d4", "a", "inf"), ("d1", "a", "0.75"),
    ]  # fmt: skip
    path = tmp_path / f"p.{ending}"
    frame = pl.DataFrame(rows, schema=["instance", "label", "score"], orient="row")
    if ending in ("csv", "tsv"):
        frame.write_csv(path, separator="," if ending == "csv" else "\t", quote_style="never")
    else:
        frame.write_parquet(path) if ending == "parquet" else frame.write_ndjson(path)
    reading = LabelReading(hierarchy=str(tmp_path / "h.csv"), on_error="skip", scores="any")
    labels = read_labels(path, reading)
    assert [labels.item(row) for row in range(len(labels))] == ["d3: c", "d1: a"]
    assert (labels.scores.tolist(), labels.ids.tolist()) == ([10.0, 0.75], ["d1", "d3", "d4"])
    assert labels.left_out == {"unknown_labels": 1, "duplicates": 2, "skipped_records": 3}
    assert ["score is" in note for note in labels.notes[-4:]] == [True, False, True, False]
    assert labels.notes[-1] == "labels with several scores for one instance, of which the highest counts: 2"
    with pytest.raises(RecordError, match="score is not a number"):
        read_labels(path, replace(reading, on_error="stop"))
    unit = read_labels(path, replace(reading, scores="unit"))
    assert (unit.scores.tolist(), unit.ids.tolist()) == ([1.0, 0.75], ["d1", "d3", "d4"])
    assert unit.left_out == {"unknown_labels": 1, "duplicates": 1, "skipped_records": 4}
    assert (labels.beyond_unit, unit.beyond_unit) == (None, None)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_the_first_score_outside_of_the_unit_is_kept_with_its_error(tmp_path, ending):
    (tmp_path / "h.csv").write_text("child,parent\na,top\nb,top\n")
    frame = pl.DataFrame({"instance": ["d1", "d2", "d3"], "label": ["a", "b", "a"], "score": [0.5, -2.0, 7.0]})
    path = tmp_path / f"p.{ending}"
    frame.write_csv(path) if ending == "csv" else frame.write_parquet(path)
    labels = read_labels(path, LabelReading(hierarchy=str(tmp_path / "h.csv")))
    assert labels.scores.tolist() == [0.5, -2.0, 7.0]
    assert "The score is not in [0, 1]." in str(labels.beyond_unit)
    assert (labels.beyond_unit.found, labels.beyond_unit.line) == ("'-2.0'", 3 if ending == "csv" else 2)


def test_each_distinct_label_is_named_once(tmp_path, monkeypatch):
    (tmp_path / "h.csv").write_text("child,parent\n" + "".join(f"c{row % 5},top\n" for row in range(50)))
    (tmp_path / "p.csv").write_text("instance,label\n" + "".join(f"d{row},c{row % 5}\n" for row in range(50)))
    named = []
    for module in ("read", "read_hierarchy"):
        monkeypatch.setattr(f"goldassay.labels.{module}.to_curie", lambda name: named.append(name) or name)
    assert len(read_labels(tmp_path / "p.csv", LabelReading(hierarchy=str(tmp_path / "h.csv")))) == 50
    assert len(named) == 6 + 5


@pytest.mark.parametrize(
    ("head", "unread"),
    [
        ("doc,mention,label", "mention"),
        ("doc_id,start,end,text,label", "start, end"),
        ("query,product,label", "product"),
        ("id,aspect,label", "aspect"),
    ],
)
def test_a_column_that_says_more_of_a_label_is_named(tmp_path, head, unread):
    path = tmp_path / "labels.csv"
    path.write_text(f"{head}\n{','.join(f'x{place}' for place in range(head.count(',') + 1))}\n")
    assert f"not read: {unread};" in read_labels(path).warnings[0]


@pytest.mark.parametrize(
    "head",
    ["id,category,subcategory", "id,label,sublabel", "id,Main Topic,Subtopic", "sub_class,id,class", "id,kingdom,phylum,class"],
)  # fmt: skip
def test_columns_of_levels_are_one_label_in_tables_as_in_answers(tmp_path, head):
    names = head.split(",")
    table, answers = tmp_path / "labels.csv", tmp_path / "answers.jsonl"
    cells = {"id": "d1"} | {name: f"of {name}" for name in names if name != "id"}
    table.write_text(f"{head}\n{','.join(cells[name] for name in names)}\n")
    levels = [name for name in names if name != "id"]
    levels = levels[::-1] if levels[0].startswith("sub") else levels
    output = "\n".join(f"{name}: {cells[name]}" for name in levels)
    answers.write_text(json.dumps({"id": "d1", "output": output}) + "\n")
    for path in (table, answers):
        found = read_labels(path)
        assert found.hierarchy.names[found.labels].tolist() == [" > ".join(cells[name] for name in levels)], path


@pytest.mark.parametrize("head", ["id,text,label", "entity,type", "id,entity,label", "term,label,definition"])
def test_a_column_with_the_text_of_an_instance_is_not_named(tmp_path, head):
    path = tmp_path / "labels.csv"
    path.write_text(f"{head}\n{','.join(f'x{place}' for place in range(head.count(',') + 1))}\n")
    assert not read_labels(path).warnings


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("{'sport', 'arts'}", "{'arts'}"),
        ("('sport', 'arts')", "('arts',)"),
        ("['sport' 'arts']", "['arts']"),
        ('["sport", "arts"]', '["arts"]'),
        ("{'sport': 0.9, 'arts': 0.8}", "{'arts': 1}"),
        ('{"sport": 0.9, "arts": 0.8}', '{"label": "arts"}'),
        ("[{'label': 'sport', 'score': 0.9}, {'label': 'arts'}]", "arts"),
        ("sport:0.9;arts:0.8", "arts:0.7"),
        ("sport: 0.9 | arts: 0.8", "arts"),
    ],
)
@pytest.mark.parametrize("column", ["label", "labels"])
def test_a_cell_may_have_several_labels(one, two, column, tmp_path):
    path = tmp_path / "labels.csv"
    pl.DataFrame({"id": ["d1", "d2"], column: [one, two]}).write_csv(path)
    labels = read_labels(path)
    assert [labels.item(row) for row in range(len(labels))] == ["d1: sport", "d1: arts", "d2: arts"]
    assert labels.scores[0] == (0.9 if "0.9" in one else 1)


@pytest.mark.parametrize("label", ["ratio 1:2", "GO:0005634", "[4]annulene", "{x}", "1:0", "f(x)", "x (y)", "a: b"])
def test_a_label_with_marks_of_lists_is_one(label, tmp_path):
    path = tmp_path / "labels.csv"
    pl.DataFrame({"id": ["d1", "d2"], "label": [label, "y"]}).write_csv(path)
    assert read_labels(path).item(0) == f"d1: {label}"


@pytest.mark.parametrize("label", ["**sport**", "Label: sport", "`sport`"])
def test_marks_of_models_in_cells_are_warned_of(label, tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text(f"id,label\nd1,{label}\nd2,arts\n")
    assert read_labels(path).warnings[0].startswith("1 label has marks or words around it")


@pytest.mark.parametrize(
    ("yes", "no"),
    [("True", "False"), ("yes", "no"), ("x", ""), ("1", "0"), ("\u2713", ""), ("70%", "0%"), ('"0,7"', '"0,0"')],
)
@pytest.mark.parametrize("more", ["", "text,", "length,"])
def test_a_column_for_each_label_may_be_marked_in_many_ways(yes, no, more, tmp_path):
    path = tmp_path / "wide.csv"
    cell = more and "100,"
    path.write_text(f"id,{more}sport,arts\nd1,{cell}{yes},{no}\nd2,{cell}{no},{yes}\n")
    labels = read_labels(path)
    assert [labels.item(row) for row in range(len(labels))] == ["d1: sport", "d2: arts"]


@pytest.mark.parametrize(
    "value",
    [
        {"d1": {"labels": ["sport"], "why": "a ball"}, "d2": {"labels": ["arts"]}},
        {"d1": {"category": "sport"}, "d2": {"category": "arts"}},
        {"d1": {"sport": 0.9}, "d2": {"arts": 0.9}},
        {"d1": [["sport", 0.9]], "d2": [["arts", 0.9]]},
    ],
)
def test_objects_by_instance_have_labels(value, tmp_path):
    path = tmp_path / "labels.json"
    path.write_text(json.dumps(value))
    labels = read_labels(path)
    assert [labels.item(row) for row in range(len(labels))] == ["d1: sport", "d2: arts"]


def test_scores_may_be_in_percent(tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text("id,label,score\nd1,sport,95%\nd2,arts,7 %\n")
    assert read_labels(path).scores.tolist() == [0.95, 0.07]


def test_the_example_of_claims():
    assert (
        claims("gaf", []),
        claims("csv", ["document", "subject"]),
        claims("csv", ["source", "target", "label"]),
    ) == (True, True, False)


@pytest.mark.parametrize("signs", ["+--", ["++", "--", "-"]])
def test_a_minus_is_a_label_next_to_a_plus(signs, tmp_path):
    path = tmp_path / "signs.csv"
    path.write_text("instance,label\n" + "".join(f"{at},{sign}\n" for at, sign in enumerate(signs)))
    assert len(goldassay.read(path, kind="labels")) == 3
