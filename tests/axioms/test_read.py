"""Reading axioms: every format, and every way in which a file can be wrong."""

import json
from pathlib import Path

import polars as pl
import pytest
import yaml

import goldassay
from goldassay.axioms import AxiomReading, read_axioms
from goldassay.axioms.model import KINDS
from goldassay.axioms.read import axioms_of_columns, claims
from goldassay.axioms.spelling import Spelling
from goldassay.core.errors import InputError
from goldassay.formats.memory import Columns

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "axioms"
ROWS = [("Book", "title", "Title", "datatype"), ("Book", "writtenBy", "Author", "object")]


def items(axioms):
    return [axioms.item(row) for row in range(len(axioms))]


def write(tmp_path, text, name="a.csv"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "jsonl", "md"])
def test_every_kind_of_table_reads_alike(tmp_path, ending):
    frame = pl.DataFrame(ROWS, schema=["class", "property", "object", "kind"], orient="row")
    path = tmp_path / f"a.{ending}"
    match ending:
        case "csv":
            frame.write_csv(path)
        case "tsv":
            frame.write_csv(path, separator="\t")
        case "parquet":
            frame.write_parquet(path)
        case "jsonl":
            frame.write_ndjson(path)
        case "md":
            path.write_text("|Class|Property|Object|\n|--|--|--|\n|Book|title|Title|\n|Book|**writtenBy**|Author|\n")
    axioms = read_axioms(path)
    assert items(axioms) == ["Book title Title", "Book writtenBy Author"]
    assert axioms.facts["datatype"] == axioms.facts["object"] == 1


def test_a_published_page_with_several_tables(tmp_path):
    table = "|Class(identifier)$^{(*)}$|Property|Object|\n|-----|:---:|---|\n|CLASS(Key)|**subClassOf**|Thing|\n"
    page = write(
        tmp_path,
        "## Gold\n\n" + table.replace("CLASS", "A") + "\n## Learned\n\n" + table.replace("CLASS", "B"),
        "page.md",
    )
    with pytest.raises(goldassay.InputError, match=r"2 such tables") as caught:
        read_axioms(page)
    assert "#2 line 9 (Learned)" in str(caught.value)
    axioms = read_axioms(f"{page}#2", AxiomReading(strip_key=True))
    assert items(axioms) == ["B subClassOf Thing"]
    assert axioms.facts["subclass"] == 1


def test_the_ontology_of_the_examples_by_hand():
    axioms = read_axioms(EXAMPLES / "gold.ttl")
    assert items(axioms) == [
        "Book title string",
        "Author name string",
        "Translator name string",
        "Book writtenBy Author",
        "Novel subClassOf Book",
        "Novel hasPart Chapter",
    ]
    assert axioms.left_out == {"properties_without_domain": 1, "class_expressions": 1}
    assert [axioms.facts[kind] for kind in ("object", "datatype", "subclass")] == [2, 3, 1]


def test_labels_and_iris(tmp_path):
    path = write(
        tmp_path,
        '@prefix : <http://a/b#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n:X1 rdfs:subClassOf :X2 ; rdfs:label "cat" .',
        "a.ttl",
    )
    assert items(read_axioms(path)) == ["X1 subClassOf X2"]
    assert items(read_axioms(path, AxiomReading(text="label"))) == ["cat subClassOf X2"]
    assert items(read_axioms(path, AxiomReading(text="iri"))) == ["http://a/b#X1 subClassOf http://a/b#X2"]


def test_annotations_and_unnamed_things_are_counted(tmp_path):
    head = "@prefix : <http://a/b#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .\n@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
    path = write(
        tmp_path,
        head
        + """:note a owl:AnnotationProperty ; rdfs:domain :A ; rdfs:range :B .
        :p rdfs:domain :A . [ owl:unionOf ( :A :B ) ] rdfs:subClassOf :C .
        :A rdfs:subClassOf :C ; owl:equivalentClass :D .""",
        "a.ttl",
    )
    assert dict(read_axioms(path).left_out) == {
        "annotation_properties": 1,
        "properties_without_range": 1,
        "class_expressions": 1,
        "equivalent_classes": 1,
    }


def test_owl_thing_is_no_class_of_gold(tmp_path):
    page = """@prefix : <http://a/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    :a rdfs:subClassOf :b . :p a owl:ObjectProperty ; rdfs:domain owl:Thing ; rdfs:range :b .
    owl:Thing rdfs:subClassOf :c ."""
    axioms = read_axioms(write(tmp_path, page, "a.ttl"))
    assert items(axioms) == ["a subClassOf b"]
    assert axioms.left_out == {"axioms_of_owl_thing": 2}


def test_a_row_with_two_columns_says_its_line(tmp_path):
    path = write(tmp_path, "class,property,object,kind\nBook,title,Title,datatype\nBook,title\n")
    with pytest.raises(goldassay.RecordError, match="The object is empty") as caught:
        read_axioms(path)
    assert caught.value.line == 3
    axioms = read_axioms(path, AxiomReading(on_error="skip"))
    assert (len(axioms), axioms.left_out["skipped_records"]) == (1, 1)


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_an_unknown_kind_says_its_line_and_the_kinds(tmp_path, ending):
    frame = pl.DataFrame(
        [*ROWS, ("A", "p", "B", "klass")], schema=["class", "property", "object", "kind"], orient="row"
    )
    path = tmp_path / f"a.{ending}"
    frame.write_csv(path) if ending == "csv" else frame.write_ndjson(path)
    with pytest.raises(goldassay.RecordError, match="The kind 'klass' is unknown") as caught:
        read_axioms(path)
    assert caught.value.line == (4 if ending == "csv" else 3)
    assert "object, datatype, subclass" in str(caught.value)
    assert len(read_axioms(path, AxiomReading(on_error="skip"))) == 2


@pytest.mark.parametrize(
    ("head", "found"),
    [
        ("Foo,Bar,Baz,property type", "no header that names them"),
        ("Cat,eats,Fish,class", "The kind 'class' is unknown"),
    ],
)
def test_a_first_row_is_a_header_where_its_last_cell_names_kinds(head, found, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(f"{head}\nDog,eats,Bone,object\n")
    with pytest.raises(goldassay.InputError, match=found):
        read_axioms(path)


def test_conflicting_kinds_of_one_property(tmp_path):
    path = write(tmp_path, "class,property,object,kind\nA,p,B,object\nC,p,D,datatype\nC,p,E,object\n")
    with pytest.raises(goldassay.RecordError, match="The property 'p' has two kinds") as caught:
        read_axioms(path)
    assert caught.value.line == 3
    assert items(read_axioms(path, AxiomReading(on_error="skip"))) == ["A p B", "C p E"]


def test_a_class_that_is_also_a_datatype_is_reported(tmp_path):
    path = write(tmp_path, "class,property,object,kind\nBrand,name,Brand,datatype\n")
    assert "1 name is both a class" in " ".join(read_axioms(path).notes)


def test_without_a_kind_the_guess_is_reported(tmp_path):
    path = write(tmp_path, "class,property,object\nA,p,B\nB,name,C\nA,rdfs:subClassOf,B\n")
    axioms = read_axioms(path)
    assert axioms.kind_names(slice(None)).tolist() == ["object", "datatype", "subclass"]
    assert "no column for the kind" in " ".join(axioms.warnings)
    assert not read_axioms(write(tmp_path, "class,property,object\nA,rdfs:subClassOf,B\n")).warnings


def test_kinds_are_read_after_spelling(tmp_path):
    path = write(tmp_path, "class,property,object\nA(k),p,B\nB(k),name,C\n")
    kinds = read_axioms(path, AxiomReading(strip_key=True)).kind_names(slice(None)).tolist()
    assert kinds == ["object", "datatype"]
    path = write(tmp_path, "class,property,object,kind\nA,P,B,object\nA,p,C,datatype\n")
    assert len(read_axioms(path)) == 2
    with pytest.raises(goldassay.RecordError, match="two kinds"):
        read_axioms(path, AxiomReading(fold_case=True))


@pytest.mark.parametrize(
    ("text", "name", "says"),
    [
        ("", "a.csv", "The file is empty"),
        ("class,property,object\n", "a.csv", "contains no axiom"),
        ("a,b\nc,d\n", "a.csv", "The table has 2 columns"),
        ("# nothing\n", "a.md", "no such table"),
        ('{"class": "A"}\n', "a.jsonl", "No column is recognised as the property"),
        ("[1]\n", "a.jsonl", "The record is not a JSON object"),
        ("{\n", "a.jsonl", "not a JSON"),
        ('{"nodes": [], "links": []}', "a.json", "the format node-link, which is not supported here"),
        ("@prefix : <http://a/> . :p a :Q .", "a.ttl", "contains no axiom"),
        ("@prefix : <http://a/> . :p a", "a.ttl", "broken"),
    ],
)
def test_bad_files(tmp_path, text, name, says):
    with pytest.raises(goldassay.InputError, match=says):
        read_axioms(write(tmp_path, text, name))


def test_bad_options():
    with pytest.raises(goldassay.UsageError, match="text"):
        AxiomReading(text="names")
    with pytest.raises(goldassay.UsageError, match="input_format"):
        AxiomReading(input_format="exel")


def test_duplicates_are_merged_after_spelling(tmp_path):
    path = write(tmp_path, "class,property,object\nA(k),p,B\na,P,b\n")
    axioms = read_axioms(path, AxiomReading(fold_case=True, strip_key=True))
    assert (items(axioms), axioms.left_out) == (["A p B"], {"duplicates": 1})


BIG = 500_000


@pytest.mark.parametrize(
    "line",
    [
        "|" + "-" * BIG + "x|",
        "|" + " -" * (BIG // 2) + "x",
        "|-" * (BIG // 2) + "x",
        "|" + " " * BIG + "x",
        ":" * BIG + "|",
    ],
)
def test_a_line_that_is_nearly_a_rule_is_read_at_once(tmp_path, line):
    with pytest.raises(goldassay.InputError, match="no such table"):
        read_axioms(write(tmp_path, f"|class|property|object|\n{line}\n", "a.md"))


@pytest.mark.parametrize("cell", ["*" * BIG, "**" + "a*" * (BIG // 2), "_" * BIG, "$" * BIG + "a", "**a" * (BIG // 3)])
def test_a_cell_of_marks_is_read_at_once(tmp_path, cell):
    page = f"|class|property|object|\n|-|-|-|\n|A|{cell}|B|\n"
    assert len(read_axioms(write(tmp_path, page, "a.md"))) == 1


@pytest.mark.parametrize(
    "name", ["(" * BIG, "a" + " " * BIG + "x", "a(" + ")" * BIG, "(a" * (BIG // 2), " ()" * (BIG // 3)]
)
def test_a_key_is_stripped_at_once(name):
    assert AxiomReading(strip_key=True).spelling.key(name)


def test_a_markdown_row_that_is_too_long_says_its_line(tmp_path):
    page = write(tmp_path, "|class|property|object|\r\n|-|-|-|\r\n|A|p|B|\r\n|A|p|B|C|\r\n", "a.md")
    with pytest.raises(goldassay.RecordError, match="The row has 4 cells") as caught:
        read_axioms(page)
    assert caught.value.line == 4
    assert len(read_axioms(page, AxiomReading(on_error="skip"))) == 1


def test_a_pretty_printed_record_is_read(tmp_path):
    text = '{\n  "class": "A",\n  "property": "p",\n  "object": "B"\n}\n'
    assert len(read_axioms(write(tmp_path, text, "a.jsonl"))) == 1


def test_each_distinct_name_is_normalised_once(tmp_path, monkeypatch):
    names, folds = [], []
    monkeypatch.setattr(Spelling, "name", lambda _, text: names.append(text) or text.rpartition("#")[2])
    monkeypatch.setattr(Spelling, "fold", lambda _, name: folds.append(name) or name.casefold())
    path = tmp_path / "a.csv"
    rows = [f"http://a/#C{row % 3},p,http://a/#D{row % 2}" for row in range(60)]
    path.write_text("\n".join(["class,property,object", *rows]))
    axioms = read_axioms(path, AxiomReading(fold_case=True))
    assert (len(axioms), axioms.keys.tolist()) == (6, ["c0", "c1", "c2", "p", "d0", "d1"])
    assert (len(names), len(folds)) == (5, 6)


@pytest.mark.parametrize(
    ("row", "messages"),
    [(("Book", "pages", "Number", "odd"), "'odd' is unknown"), (("Book", "title", "Title", "object"), "has two kinds")],
)
def test_a_bad_row_of_a_table_without_lines_is_named_by_its_number(tmp_path, row, messages):
    pl.DataFrame([*ROWS, row], schema=["class", "property", "object", "kind"], orient="row").write_parquet(
        tmp_path / "a.parquet"
    )
    with pytest.raises(goldassay.RecordError, match=f"(?s){messages}.*row 3: {', '.join(row)}"):
        read_axioms(tmp_path / "a.parquet")


@pytest.mark.parametrize("name", ["axioms.csv", "axioms.json"])
@pytest.mark.parametrize("word", ["name", "label", "property"])
def test_a_property_is_named_next_to_its_domain_and_its_range(name, word, tmp_path):
    path = tmp_path / name
    row = {"domain": "Product", word: "hasBrand", "range": "Brand"}
    path.write_text(
        f"{','.join(row)}\n{','.join(row.values())}\n" if name.endswith("csv") else json.dumps([row]), encoding="utf-8"
    )
    assert read_axioms(path).item(0) == "Product hasBrand Brand"


def test_a_datatype_is_called_alike_with_its_prefix_and_as_an_iri(tmp_path):
    path = tmp_path / "axioms.csv"
    written = ["xsd:decimal", "xs:decimal", "decimal", "http://www.w3.org/2001/XMLSchema#decimal"]
    path.write_text("class,property,object,kind\n" + "".join(f"Product,price,{one},datatype\n" for one in written))
    axioms = read_axioms(path)
    assert [axioms.item(row) for row in range(len(axioms))] == ["Product price decimal"]
    assert len(read_axioms(path, AxiomReading(text="iri"))) == len(written)


SHOP = {"Book hasAuthor Author", "Book title string", "Novel subClassOf Book", "Author name string"}
BOOK = {"hasAuthor": "Author", "title": "string"}


def listed(ranges, key="range"):
    return [{"name": name, key: end} for name, end in ranges.items()]


SCHEMAS = {
    "lists": {
        "classes": [
            {"name": "Book", "properties": listed(BOOK)},
            {"name": "Novel", "subClassOf": "Book"},
            {"name": "Author", "properties": [{"name": "name", "type": "string"}]},
        ]
    },
    "objects": {
        "name": "shop",
        "prefixes": {"ex": "http://a.org/"},
        "classes": {
            "Book": {"description": "Pages.", "attributes": {name: {"range": end} for name, end in BOOK.items()}},
            "Novel": {"is_a": "Book"},
            "Author": {"attributes": {"name": {"range": "string"}}},
        },
    },
    "without a wrapper": [
        {"class": "Book", "relations": [{"name": "hasAuthor", "target": "Author"}], "attributes": {"title": "string"}},
        {"class": "Novel", "parent": "Book"},
        {"class": "Author", "attributes": {"name": "string"}},
    ],
    "names of classes as keys": {
        "Book": {"properties": BOOK, "subclasses": ["Novel"]},
        "Author": {"properties": {"name": "string"}},
    },
    "properties by themselves": {
        "properties": [
            {"name": "hasAuthor", "domain": ["Book"], "range": ["Author"]},
            {"name": "title", "domain": "Book", "range": "string"},
            {"name": "name", "domain": "Author", "range": "string"},
        ],
        "subclasses": [{"subclass": "Novel", "superclass": "Book"}],
    },
}


@pytest.mark.parametrize("ending", ["json", "yaml"])
@pytest.mark.parametrize("shape", SCHEMAS)
def test_classes_with_their_properties_in_every_shape(tmp_path, shape, ending):

    file = tmp_path / f"shop.{ending}"
    write = json.dumps if ending == "json" else yaml.safe_dump
    file.write_text(write(SCHEMAS[shape], sort_keys=False) if ending == "yaml" else write(SCHEMAS[shape]))
    axioms = goldassay.read(file, kind="axioms")
    assert {axioms.item(row) for row in range(len(axioms))} == SHOP
    kinds = {axioms.item(row): KINDS[kind] for row, kind in enumerate(axioms.kinds.tolist())}
    assert kinds["Book hasAuthor Author"] == "object"
    assert kinds["Book title string"] == "datatype"


@pytest.mark.parametrize("shape", ["lists", "without a wrapper", "names of classes as keys"])
def test_other_properties_are_other_axioms(tmp_path, shape):
    gold, pred = tmp_path / "gold.json", tmp_path / "pred.json"
    text = json.dumps(SCHEMAS[shape])
    gold.write_text(text)
    pred.write_text(text.replace("hasAuthor", "hasEditor").replace("title", "heading"))
    assert goldassay.evaluate(pred, gold=gold, kind="axioms", measures="exact")["exact"].f1 == 0.5


def test_a_property_of_a_class_without_a_range_is_refused(tmp_path):
    file = tmp_path / "shop.json"
    file.write_text('{"classes": [{"name": "Book", "properties": ["title"]}, {"name": "B", "properties": {"c": "D"}}]}')
    with pytest.raises(InputError, match=r"no range(?s:.)*Book: title"):
        goldassay.read(file, kind="axioms")


@pytest.mark.parametrize(
    "classes", [["Book", "Author"], [{"name": "Book"}, {"name": "Author", "description": "Writes."}]]
)
def test_a_list_of_mere_classes_states_no_axiom(tmp_path, classes):
    file = tmp_path / "shop.json"
    file.write_text(json.dumps({"classes": classes}))
    with pytest.raises(InputError):
        goldassay.read(file, kind="axioms")


def test_names_within_names_below_classes_are_their_subclasses(tmp_path):
    file = tmp_path / "shop.json"
    file.write_text('{"title": "Shop", "classes": {"Book": {"Novel": {}}}}')
    assert items(goldassay.read(file, kind="axioms")) == ["Novel subClassOf Book"]


@pytest.mark.parametrize("key", ["properties", "attributes"])
def test_names_of_properties_without_ranges_are_refused(tmp_path, key):
    file = tmp_path / "shop.json"
    file.write_text(json.dumps({"classes": [{"name": "Book", key: ["title", "isbn"]}]}))
    with pytest.raises(InputError, match="no range"):
        goldassay.read(file, kind="axioms")


def test_the_example_of_claims():
    assert (claims("csv", ["class", "property", "object"]), claims("csv", ["subject", "predicate", "object"])) == (
        True,
        False,
    )


def test_the_example_of_axioms_of_columns():
    columns = Columns({"class": ["Dog", "Cat"], "property": ["likes", "is_a"], "object": ["Cat", "Pet"]})
    assert axioms_of_columns(columns).kinds.tolist() == [0, 1]
