"""A file that was converted has the items of the first, in every family and format; a diff lists what is not in both."""

import json
from dataclasses import replace

import numpy as np
import pytest

import goldassay
from goldassay.alignments import Alignment
from goldassay.cli.convert import _find_lost
from goldassay.cli.items import items_of, table_of
from goldassay.families import family

TEXT = "Oslo is the capital of Norway."
FILES = {
    "taxonomy": ("a.csv", 'child,parent\ncat,pet\n=SUM(A1),pet\n"a, b",caf\u00e9\n', "literal"),
    "statements": ("s.csv", "subject,predicate,object\ncat,is a,pet\ncat,eats,fish\n", "literal(relation=exact)"),
    "axioms": ("x.csv", "class,property,object\nCity,capital of,Country\nCity,subClassOf,Place\n", "exact"),
    "triples": (
        "t.jsonl",
        json.dumps({"id": "d1", "text": TEXT, "triples": [["Oslo", "capital of", "Norway"], ["Oslo", "is", "city"]]})
        + '\n{"id": "d2", "triples": []}\n',
        "triples",
    ),
    "concepts": (
        "c.jsonl",
        json.dumps({"id": "d1", "text": "No fever.", "concepts": [{"text": "fever", "assertion": "negated"}, "cough"]})
        + '\n{"id": "d2", "concepts": []}\n',
        "concept_exact(average=micro)",
    ),
    "labels": ("l.csv", "instance,label,score\ni1,cat,0.5\ni2,dog,0.75\ni2,cat,1\n", "flat"),
    "alignment": ("m.csv", "source,target,relation,score\nx:a,y:b,=,0.5\nx:c,y:d,<,1\n", "overlap(relation=exact)"),
}
ENDINGS = (".csv", ".tsv", ".parquet", ".jsonl")


def kind_of(name):
    return "taxonomy" if name == "statements" else name


@pytest.mark.filterwarnings("ignore::goldassay.SuspectInputWarning")
@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("name", FILES)
def test_what_is_converted_scores_as_the_same(goldassay_command, tmp_path, name, ending):
    file, text, measure = FILES[name]
    source, target, kind = tmp_path / file, tmp_path / f"out{ending}", kind_of(name)
    source.write_text(text)
    edges = ["--edges", "all"] if name == "statements" else []
    result = goldassay_command("convert", source, target, "--kind", kind, *edges)
    if name == "concepts" and ending != ".jsonl":
        assert result.code == 2
        assert "expected: .jsonl" in result.err.replace("\n", " ").replace("  ", " ")
        return
    assert result.code == 0, result.err
    reading = {"edges": "all"} if name == "statements" else {}
    made = goldassay.evaluate(str(target), gold=str(source), kind=kind, measures=measure, selfcheck=False, **reading)
    [score] = made.runs[0].scores
    assert score.values[score.headline] == 1
    gold, pred = made.gold, made.runs[0].pred
    assert pred.digest == gold.digest
    assert len(gold) == len(pred) > 1
    same = goldassay_command("diff", source, target, "--kind", kind, *edges)
    assert same.code == 0, same.err
    assert f"0 removed, 0 added, {len(gold)} the same" in same.out
    if name in {"triples", "concepts"} and ending != ".tsv":
        assert sorted(pred.ids.tolist()) == sorted(gold.ids.tolist())


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("name", ['12" pipe', '"quoted"', "it's", "=1+1", " caf\u00e9 ", "a;b", "#x", "a\u2028b"])
def test_a_name_is_the_same_in_every_format(goldassay_command, tmp_path, name, ending):
    (tmp_path / "a.jsonl").write_text(json.dumps({"child": name, "parent": "pet"}) + "\n")
    target = tmp_path / f"b{ending}"
    assert goldassay_command("convert", tmp_path / "a.jsonl", target).code == 0
    items = [goldassay.read(str(path), kind="taxonomy").words for path in (tmp_path / "a.jsonl", target)]
    assert items[0] == items[1]


@pytest.mark.parametrize("concepts", [[{"text": "cough", "start": 2, "end": 7}], []])
def test_what_the_new_format_has_no_place_for_is_named(goldassay_command, tmp_path, concepts):
    (tmp_path / "a.jsonl").write_text(json.dumps({"id": "d", "text": "A cough.", "concepts": concepts}) + "\n")
    result = goldassay_command("convert", tmp_path / "a.jsonl", tmp_path / "b.jsonl", "--kind", "concepts")
    assert result.code == 0
    assert ("where concepts occur in their texts" in " ".join(result.err.split())) == bool(concepts)


@pytest.mark.parametrize("name", ["a\tb", "a\nb", "a\rb"])
def test_what_tsv_cannot_hold_is_refused_before_anything_is_written(goldassay_command, tmp_path, name):
    (tmp_path / "a.jsonl").write_text(json.dumps({"child": name, "parent": "pet"}) + "\n")
    result = goldassay_command("convert", tmp_path / "a.jsonl", tmp_path / "b.tsv")
    assert result.code == 2
    assert "a character that tsv cannot represent" in result.err
    assert not (tmp_path / "b.tsv").exists()
    assert goldassay_command("convert", tmp_path / "a.jsonl", tmp_path / "b.csv").code == 0
    assert goldassay.read(str(tmp_path / "b.csv"), kind="taxonomy").words == [name, "pet"]


def test_an_ending_is_refused_before_a_file_is_read(goldassay_command, tmp_path):
    (tmp_path / "a.csv").write_text("source,target\na,b\nc\n")
    for ending, kind in ((".txt", "alignment"), (".txt", "taxonomy"), ("", "labels")):
        result = goldassay_command("convert", tmp_path / "a.csv", tmp_path / f"b{ending}", "--kind", kind)
        assert result.code == 2
        assert "suffix" in result.err
    result = goldassay_command("diff", tmp_path / "a.csv", tmp_path / "a.csv", "-o", tmp_path / "b")
    assert "no suffix" in result.err


def test_what_a_format_cannot_hold_is_named(goldassay_command, tmp_path):
    (tmp_path / "t.jsonl").write_text(FILES["triples"][1])
    result = goldassay_command("convert", tmp_path / "t.jsonl", tmp_path / "t.csv")
    assert "lost: csv: the texts of documents (1); .jsonl has them" in result.err
    result = goldassay_command("convert", tmp_path / "t.jsonl", tmp_path / "u.jsonl", "--kind", "triples")
    assert "lost" not in result.err
    assert json.loads((tmp_path / "u.jsonl").read_text().splitlines()[0])["text"] == TEXT
    (tmp_path / "g.ttl").write_text(
        "@prefix r: <http://www.w3.org/2000/01/rdf-schema#> . <http://x/a> r:subClassOf <http://x/b> ; r:label 'cat' .\n"
        "<http://x/c> a <http://www.w3.org/2002/07/owl#Class> ."
    )
    result = goldassay_command("convert", tmp_path / "g.ttl", tmp_path / "g.csv")
    assert "lost: csv: nodes without an edge (1)" in result.err
    assert "lost: csv: the identifiers of nodes with a text (3)" in result.err
    assert (tmp_path / "g.csv").read_text() == "child,parent\ncat,b\n"


MORE = {
    "labels": ("l.csv", "instance,label\ni1,cat\n", "l.csv", "instance,label\ni1,cat\n", "the hierarchy of labels"),
    "triples": ("t.jsonl", FILES["triples"][1], "t.csv", "id,subject,predicate,object\nd1,a,b,c\n", "the texts of"),
    "concepts": (
        "c.jsonl",
        json.dumps({"id": "d1", "text": "No fever.", "concepts": [{"text": "fever", "start": 3, "end": 8}]}),
        "c.csv",
        "id,concepts\nd1,fever\n",
        "where concepts occur",
    ),
    "taxonomy": (
        "n.json",
        '{"nodes": [{"id": 1, "name": "a"}, {"id": 2}, {"id": 3}], "links": [{"source": 2, "target": 3}]}',
        "n.csv",
        "child,parent\na,b\n",
        "nodes without an edge (1)",
    ),
}


@pytest.mark.filterwarnings("ignore::goldassay.SuspectInputWarning")
@pytest.mark.parametrize("kind", MORE)
def test_what_is_more_than_items_is_named_where_it_is_lost_and_nowhere_else(kind, tmp_path):
    rich, text, plain, less, lost = MORE[kind]
    (tmp_path / "h.csv").write_text("child,parent\ncat,animal\n")
    hierarchy = {"hierarchy": str(tmp_path / "h.csv")} if kind == "labels" else {}
    (tmp_path / rich).write_text(text)
    model = goldassay.read(tmp_path / rich, kind=kind, **hierarchy)
    assert any(line.startswith(f"csv: {lost}") for line in _find_lost(kind, model, "csv"))
    # Of triples JSON Lines have the texts, too.
    assert len(list(_find_lost(kind, model, "json-lines"))) == len(list(_find_lost(kind, model, "csv"))) - (
        kind == "triples"
    )
    (tmp_path / plain).write_text(less)
    assert list(_find_lost(kind, goldassay.read(tmp_path / plain, kind=kind), "csv")) == []


def test_a_diff_lists_what_one_file_has_in_any_format_and_writes_all_of_it(goldassay_command, tmp_path):
    (tmp_path / "old.csv").write_text("child,parent\ncat,pet\ndog,pet\nfish,animal\n")
    (tmp_path / "new.jsonl").write_text(
        "".join(f"{json.dumps({'parent': 'pet', 'child': one})}\n" for one in ("bird", "cat", "cow", "hen"))
    )
    result = goldassay_command(
        "diff", tmp_path / "old.csv", tmp_path / "new.jsonl", "-o", tmp_path / "d.csv", "--most", 2
    )
    assert result.code == 0, result.err
    lines = result.out.splitlines()
    assert lines[1:] == [
        "2 removed, 3 added, 1 the same", "- dog | pet", "- fish | animal", "+ bird | pet", "+ cow | pet",
        "+ and 1 more added; -o FILE has all",
    ]  # fmt: skip
    assert sorted((tmp_path / "d.csv").read_text().splitlines()) == sorted([
        "change,source,target", "removed,dog,pet", "removed,fish,animal", "added,bird,pet", "added,cow,pet", "added,hen,pet",
    ])  # fmt: skip


def test_items_that_read_alike_are_counted_so_that_the_numbers_add_up(goldassay_command, tmp_path):
    (tmp_path / "a.ttl").write_text(
        "@prefix r: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        "<http://x/a> r:subClassOf <http://x/b> ; r:label 'cat' . <http://x/c> r:subClassOf <http://x/b> ; r:label 'cat' ."
    )
    (tmp_path / "b.csv").write_text("child,parent\ncat,b\n")
    result = goldassay_command("diff", tmp_path / "a.ttl", tmp_path / "b.csv")
    assert result.out.splitlines() == [
        f"{tmp_path}/a.ttl: 2 edges; {tmp_path}/b.csv: 1",
        "0 removed, 0 added, 1 the same",
        f"{tmp_path}/a.ttl: edges that read like another one, which count once: 1",
    ]


def test_files_that_cannot_be_compared_or_written_are_refused(goldassay_command, tmp_path):
    (tmp_path / "a.csv").write_text("child,parent\ncat,pet\n")
    (tmp_path / "b.csv").write_text("class,property,object\nA,b,C\n")
    (tmp_path / "c.unl").write_text("[S:1] agt(see.@entry, Peter) [/S]\n")
    for arguments, message in (
        (["diff", "a.csv", "b.csv"], "two families"),
        (["diff", "a.csv", "c.unl"], "not a table"),
        (["diff", "a.csv", "a.csv", "-o", "d.txt"], "suffix of the file is not that of a table"),
        (["diff", "a.csv", "b.csv", "-o", "b.csv"], "would overwrite an input"),
        (["convert", "a.csv", "d.txt"], "cannot be written to a file with this suffix"),
        (["convert", "a.csv", "d.csv", "--swap"], "--swap is for alignments"),
        (["convert", "a.csv", "d.csv", "--to", "oaei"], None),
        (["convert", "a.csv", "d", "--to", "rdf"], "Unknown format"),
        (["convert", "c.unl", "d.csv"], "not a table"),
    ):
        paths = [tmp_path / one if one.endswith((".csv", ".unl", ".txt")) else one for one in arguments]
        result = goldassay_command(*paths)
        if message is None:  # a table of edges has a source and a target, and may be an alignment
            continue
        assert result.code == 2, arguments
        assert message in " ".join(result.err.split()), (arguments, result.err)
    assert not (tmp_path / "d.csv").exists() or "--to" in str(arguments)


@pytest.mark.parametrize("command", ["inspect", "convert", "diff"])
@pytest.mark.parametrize("value", ["a=b", "0", "9" * 5000, "1.5"])
def test_a_number_that_is_none_is_refused_as_on_other_commands(goldassay_command, tmp_path, command, value):
    (tmp_path / "a.csv").write_text("source,target\na,b\n")
    others = {"inspect": [], "convert": [tmp_path / "b.csv"], "diff": [tmp_path / "a.csv"]}[command]
    result = goldassay_command(command, tmp_path / "a.csv", *others, "--kind", "alignment", "--block", value)
    assert result.code == 2
    assert "block" in result.err


def test_blocks_of_candidates_are_converted(goldassay_command, tmp_path):
    (tmp_path / "a.csv").write_text("source,target\na,b\na,c\n")
    result = goldassay_command("convert", tmp_path / "a.csv", tmp_path / "b.csv", "--kind", "alignment", "--block", "2")
    assert result.code == 0, result.err
    assert goldassay_command("inspect", tmp_path / "a.csv", "--kind", "alignment", "--block", "2").code == 0


def test_a_score_that_is_not_known_is_an_empty_cell():
    items = items_of(family("alignment"), Alignment.from_rows([("a", "x"), ("b", "y"), ("c", "z")]))
    table = table_of(family("alignment"), None, replace(items, scores=np.array([np.nan, 0.5, 1.0])))
    assert table.select("source", "score").rows() == [("a", None), ("b", 0.5), ("c", 1.0)]


@pytest.mark.parametrize("ending", [".csv", ".tsv"])
def test_an_item_that_reads_like_the_names_of_the_columns_is_refused(goldassay_command, tmp_path, ending):
    source = tmp_path / "a.jsonl"
    source.write_text('{"child": "child", "parent": "parent"}\n{"child": "cat", "parent": "pet"}\n')
    result = goldassay_command("convert", source, tmp_path / f"out{ending}", "--kind", "taxonomy")
    assert result.code == 2
    assert "reads like the names of the columns" in result.err
    assert goldassay_command("convert", source, tmp_path / "out.parquet", "--kind", "taxonomy").code == 0
    assert len(goldassay.read(tmp_path / "out.parquet", kind="taxonomy")) == 2


def test_concepts_that_were_found_in_texts_are_compared_as_before(goldassay_command, tmp_path):
    source, target = tmp_path / "a.txt", tmp_path / "out.jsonl"
    source.write_text("Two dogs and a cat.\nThe cat ObjectS sleep.\n")
    assert goldassay_command("convert", source, target, "--kind", "concepts").code == 0
    before, after = (goldassay.read(path, kind="concepts") for path in (source, target))
    assert before.keys.tolist() == after.keys.tolist()
    assert "dog" in after.keys.tolist()
    assert "dogs" in after.names.tolist()


def test_no_input_is_overwritten(goldassay_command, tmp_path):
    source, link = tmp_path / "a.csv", tmp_path / "link.csv"
    source.write_text("child,parent,note\ncat,pet,x\n")
    link.symlink_to(source)
    (tmp_path / "hard.csv").hardlink_to(source)
    for here, there in ((source, source), (link, source), (source, link), (source, tmp_path / "hard.csv")):
        result = goldassay_command("convert", here, there, "--kind", "taxonomy")
        assert (result.code, source.read_text()) == (2, "child,parent,note\ncat,pet,x\n")
        assert "OUT would overwrite an input" in result.err
    hierarchy = tmp_path / "h.csv"
    hierarchy.write_text("child,parent\ncat,pet\n")
    source.write_text("instance,label\n1,cat\n")
    result = goldassay_command("convert", source, hierarchy, "--kind", "labels", "--hierarchy", hierarchy)
    assert (result.code, hierarchy.read_text()) == (2, "child,parent\ncat,pet\n")


@pytest.mark.parametrize("kind", FILES)
def test_a_file_without_an_item_lacks_all_of_the_other_one(goldassay_command, kind, tmp_path):
    name, text, _ = FILES[kind]
    if not name.endswith(".csv"):
        return
    (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "none.csv").write_text(text.partition("\n")[0] + "\n", "utf-8")
    options = ["--kind", kind_of(kind), *(["--edges", "all"] if kind == "statements" else [])]
    found = goldassay_command("diff", tmp_path / name, tmp_path / "none.csv", *options)
    count = text.count("\n") - 1
    assert f"{count} removed, 0 added, 0 the same" in found.out
    back = goldassay_command("diff", tmp_path / "none.csv", tmp_path / name, *options)
    assert f"0 removed, {count} added, 0 the same" in back.out
