"""Tables with bars between their cells are read as those with commas are, in every family."""

import pytest

import goldassay

TABLES = {
    "taxonomy": ("child,parent", "cat,animal", "dog,animal"),
    "alignment": ("source,target,score", "cat,Katze,0.5", "dog,Hund,1"),
    "triples": ("subject,predicate,object", "cat,is,animal", "dog,is,animal"),
    "axioms": ("class,property,object", "Cat,eats,Fish", "Dog,eats,Meat"),
    "labels": ("id,label", "d1,cat", "d2,dog"),
    "concepts": ("id,concept", "d1,cat", "d1,dog"),
    "sentences": ("id,text", "d1,a cat", "d2,a dog"),
}


@pytest.mark.parametrize("kind", TABLES)
def test_bars_are_separators(kind, tmp_path):
    read = []
    for separator in ",|":
        path = tmp_path / f"{separator == '|'}.csv"
        path.write_text("".join(f"{line.replace(',', separator)}\n" for line in TABLES[kind]))
        model = goldassay.read(path, kind=kind)
        read.append([str(model.item(row)) for row in range(len(model))])
    assert read[0] == read[1]


def test_the_text_of_logmap_is_read(tmp_path):
    path = tmp_path / "logmap2_mappings.txt"
    path.write_text("http://a#X|http://b#Y|=|0.95|CLS\nhttp://a#Z|http://b#W|=|0.90|CLS\n")
    found = goldassay.read(path, kind="alignment")
    assert [found.item(row) for row in range(2)] == ["http://a#X = http://b#Y", "http://a#Z = http://b#W"]
    assert found.scores.tolist() == [0.95, 0.9]


def test_an_engine_reads_bars(tmp_path):
    pytest.importorskip("duckdb")
    path = tmp_path / "a.csv"
    path.write_text("child|parent\ncat|animal\n")
    report = goldassay.evaluate(
        path, gold=[("cat", "animal")], kind="taxonomy", measures="literal", engine="duckdb", selfcheck=False
    )
    assert report["literal"].f1 == 1


def test_bars_of_markdown_are_none(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("| child | parent |\n|---|---|\n| cat | animal |\n")
    assert goldassay.read(path, kind="taxonomy").item(0) == "cat -> animal"


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("taxonomy", "child|parent|score\ncat|animal|0.5\n"),
        ("alignment", "source|target|score\ncat|Katze|0.5\n"),
        ("triples", "id|subject|predicate|object\nd1|cat|is|animal\nd2|dog|is|animal\n"),
        ("labels", "id|label|score\nd1|cat|0.5\n"),
        ("axioms", "class|property|object|kind\nCat|eats|Fish|object\n"),
    ],
)
def test_a_text_with_names_of_columns_is_such_a_table(kind, text, tmp_path):
    read = []
    for name, written in (("a.csv", text.replace("|", ",")), ("b.txt", text)):
        (tmp_path / name).write_text(written)
        model = goldassay.read(tmp_path / name, kind=kind)
        read.append([str(model.item(row)) for row in range(len(model))])
    assert read[0] == read[1]
