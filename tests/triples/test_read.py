"""Every format of triples per document, on what its writers write, and what is reported of broken ones."""

import contextlib
import json
import tempfile
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import goldassay
from goldassay.core.errors import InputError, RecordError
from goldassay.formats.memory import Columns
from goldassay.formats.source import Source
from goldassay.triples import TriplesReading, read_triples_of_documents
from goldassay.triples.formats.records import name_columns
from goldassay.triples.measures.ontology import read_ontology
from goldassay.triples.read import are_lists, format_of, triples_of_columns

ROME = "d1: Rome | capital of | Italy"


def write(tmp_path, name, content):
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    return path


def items(path, **reading):
    triples = read_triples_of_documents(path, TriplesReading(**reading))
    return [triples.item(row) for row in range(len(triples))]


JSON_LINES = [
    '{"id": "d1", "triples": [["Rome", "capital of", "Italy"]]}',
    '{"id": "d1", "sent": "Rome.", "triples": [{"sub": "Rome", "rel": "capital of", "obj": "Italy"}]}',
    '{"doc_id": "d1", "triplets": [{"head": "Rome", "type": "capital of", "tail": "Italy"}]}',
    '{"id": "d1", "references": [[["Rome", "capital of", "Italy"]]]}',
]


@pytest.mark.parametrize("line", JSON_LINES)
def test_json_lines(tmp_path, line):
    assert items(write(tmp_path, "a.jsonl", line + "\n")) == [ROME]


def test_a_document_keeps_its_text_and_its_types(tmp_path):
    line = (
        '{"id": "d1", "text": "Rome is big.", "entities": [{"name": "Rome", "type": "City"}],'
        ' "triples": [["Rome", "is", "big"]]}'
    )
    triples = read_triples_of_documents(write(tmp_path, "a.jsonl", line))
    assert triples.texts.tolist() == ["Rome is big."]
    [[document, key, kind]] = triples.types.tolist()
    assert (document, triples.keys[key], triples.type_names[kind]) == (0, "Rome", "City")


def test_typed_values(tmp_path):
    triples = read_triples_of_documents(
        write(tmp_path, "a.jsonl", '{"id": "d1", "triples": [["Rome", "founded", -753], ["Rome", "big", true]]}')
    )
    assert triples.datatypes.tolist() == ["xsd:integer", "xsd:boolean"]
    assert [triples.item(row) for row in range(2)] == ["d1: Rome | founded | -753", "d1: Rome | big | true"]


@pytest.mark.parametrize("name", ["a.txt", "a.jsonl"])
def test_lines_of_lists(tmp_path, name):
    path = write(tmp_path, name, '[[\'Rome\', \'capital of\', "Italy\'s"]]\n[]\n[["Oslo", "in", "Norway"]]\n')
    triples = read_triples_of_documents(path)
    assert triples.format == "lists"
    assert triples.ids.tolist() == ["1", "2", "3"]
    assert triples.item(0) == "1: Rome | capital of | Italy's"


def test_linearised(tmp_path):
    path = write(
        tmp_path,
        "a.txt",
        "<s><triplet> Rome <subj> Italy <obj> capital of <subj> Tiber <obj> on <triplet> Oslo <subj> Norway <obj> in</s>\n",
    )
    assert items(path) == ["1: Rome | capital of | Italy", "1: Rome | on | Tiber", "1: Oslo | in | Norway"]


WEBNLG = """<?xml version="1.0"?>
<benchmark><entries>
<entry category="City" eid="Id7"><originaltripleset><otriple>x | y | z</otriple></originaltripleset>
<{0}tripleset><{1}>Rome | capital of | Italy</{1}></{0}tripleset><lex>Rome &amp; Italy.</lex></entry>
</entries></benchmark>
"""


@pytest.mark.parametrize("kind", [("modified", "mtriple"), ("generated", "gtriple")])
def test_webnlg(tmp_path, kind):
    path = write(tmp_path, "a.xml", WEBNLG.format(*kind))
    assert items(path) == ["1: Rome | capital of | Italy"]
    assert items(path, ids="file") == ["Id7: Rome | capital of | Italy"]
    assert read_triples_of_documents(path).texts.tolist() == ["Rome & Italy."]


def test_keys_name_columns_if_they_have_triples_and_ids_or_the_three_slots():
    found = [
        name_columns(keys)
        for keys in (["subject", "predicate", "object"], ["id", "triples"], ["id", "text"], ["entities", "relations"])
    ]
    assert found == [True, True, False, False]


def test_a_file_of_faults_only_is_not_called_empty(tmp_path):
    bad, whole = ["Rome", "capital of", *"abcd"], ["Rome", "capital of", "Italy"]
    for stated, is_warned in (([bad], True), ([bad, whole], False), ([], False)):
        path = write(tmp_path, "a.jsonl", json.dumps({"id": "d", "triples": stated}) + "\n")
        found = [note for note in read_triples_of_documents(path).warnings if "no triple could be read" in note]
        assert [note.startswith("no triple could be read: line 1: ") for note in found] == [True] * is_warned


def test_what_lies_between_entries_of_webnlg_is_of_none(tmp_path):
    entry = '<entry eid="Id{0}"><modifiedtripleset><mtriple>{0} | in | Italy</mtriple></modifiedtripleset></entry>'
    astray = "<lex>A word of none.</lex><modifiedtripleset><mtriple>Nile | in | Egypt</mtriple></modifiedtripleset>"
    text = f"<benchmark><entries>{astray}{entry.format(7)}{astray}{entry.format(8)}{astray}</entries></benchmark>"
    triples = read_triples_of_documents(write(tmp_path, "a.xml", text))
    assert triples.texts.tolist() == ["", ""]
    assert [triples.item(row) for row in range(len(triples))] == ["1: 7 | in | Italy", "2: 8 | in | Italy"]
    assert sum("not in a set of triples" in note for note in triples.notes) == 3


TABLES = [
    "id,subject,predicate,object\nd1,Rome,capital of,Italy\nd2,,,\n",
    "object,doc_id,relation,head\nItaly,d1,capital of,Rome\n,d2,,\n",
    "d1,Rome,capital of,Italy\n",
]


@pytest.mark.parametrize("table", TABLES)
def test_tables(tmp_path, table):
    assert items(write(tmp_path, "a.csv", table)) == [ROME]
    assert items(write(tmp_path, "a.tsv", table.replace(",", "\t"))) == [ROME]


def test_an_id_only_is_a_document_without_triples(tmp_path):
    triples = read_triples_of_documents(write(tmp_path, "a.csv", TABLES[0]))
    assert triples.ids.tolist() == ["d1", "d2"]
    assert triples.facts["documents_without_triples"] == 1


def test_a_triple_a_line_is_read_as_the_rows_of_a_table(tmp_path):
    rows = [
        {"doc_id": "d1", "head": "Rome", "relation": "capital of", "tail": "Italy", "tags": ["city"]},
        {"id": "d1", "triples": [["Oslo", "capital of", "Norway"]]},
        {"id": "d2"},
        {"id": "d1", "subject": "Nile", "predicate": "flows through", "object": "Egypt", "weight": 2.0},
    ]
    path = write(tmp_path, "a.jsonl", "\n".join(map(json.dumps, rows)))
    triples = read_triples_of_documents(path)
    assert items(path) == [ROME, "d1: Nile | flows through | Egypt"]
    assert triples.ids.tolist() == ["d1", "d2"]
    assert triples.identifiers(np.arange(2))["row"] == [0, 3]
    assert [(error.line, error.message) for error in triples.faults] == [
        (2, "The line is a document among lines of triples.")
    ]


def test_a_list_next_to_the_triple_of_a_row_changes_nothing():
    rows = [{"subject": "Rome", "predicate": "capital of", "object": end} for end in ("Italy", "Lazio")]
    read = [goldassay.read(some, kind="triples") for some in (rows, [row | {"tags": ["city"]} for row in rows])]
    assert [[one.item(row) for row in range(len(one))] for one in read] == [
        ["1: Rome | capital of | Italy", "1: Rome | capital of | Lazio"]
    ] * 2


def test_parquet(tmp_path):
    frame = pl.DataFrame({"id": ["d1"], "subject": ["Rome"], "predicate": ["capital of"], "object": ["Italy"]})
    frame.write_parquet(tmp_path / "a.parquet")
    assert items(tmp_path / "a.parquet") == [ROME]
    pl.DataFrame({"id": ["d1"], "triples": [[["Rome", "capital of", "Italy"]]]}).write_parquet(tmp_path / "b.parquet")
    assert items(tmp_path / "b.parquet") == [ROME]


def test_named_graphs(tmp_path):
    path = write(
        tmp_path,
        "a.nq",
        "<http://x/Rome> <http://x/capital_of> <http://x/Italy> <http://x/d1> .\n"
        '<http://x/Rome> <http://x/age> "2777"^^<http://www.w3.org/2001/XMLSchema#integer> <http://x/d1> .\n'
        "_:b <http://x/in> <http://x/Italy> <http://x/d1> .\n",
    )
    triples = read_triples_of_documents(path, TriplesReading(normalise="underscores"))
    assert [triples.item(row) for row in range(2)] == ["d1: Rome | capital_of | Italy", "d1: Rome | age | 2777"]
    assert triples.left_out == {"blank_nodes": 1}
    assert triples.datatypes.tolist()[1].endswith("integer")
    trig = write(tmp_path, "a.trig", "@prefix : <http://x/> .\n:d1 { :Rome :capital_of :Italy . }\n")
    assert items(trig) == ["d1: Rome | capital_of | Italy"]
    assert items(trig, text="iri") == ["http://x/d1: http://x/Rome | http://x/capital_of | http://x/Italy"]


def test_graphrag(tmp_path):
    frame = pl.DataFrame(
        {
            "id": ["r1", "r2"],
            "source": ["ROME", "OSLO"],
            "target": ["ITALY", "NORWAY"],
            "description": ["Rome is the capital of Italy", "Oslo is in Norway"],
            "weight": [1.0, 2.0],
            "text_unit_ids": [["t1", "t2"], ["t2"]],
        }
    )
    frame.write_parquet(tmp_path / "relationships.parquet")
    assert items(tmp_path / "relationships.parquet") == [
        "t1: ROME | Rome is the capital of Italy | ITALY",
        "t2: ROME | Rome is the capital of Italy | ITALY",
        "t2: OSLO | Oslo is in Norway | NORWAY",
    ]
    entities = pl.DataFrame({"id": ["e1"], "title": ["ROME"], "type": ["CITY"], "text_unit_ids": [["t1"]]})
    entities.write_parquet(tmp_path / "entities.parquet")
    triples = read_triples_of_documents(tmp_path / "relationships.parquet")
    assert [[int(row[0]), triples.keys[row[1]]] for row in triples.types] == [[0, "ROME"], [1, "ROME"]]
    assert triples.weights.tolist() == [1.0, 1.0, 2.0]
    with pytest.raises(goldassay.InputError, match="no relationships") as caught:
        read_triples_of_documents(tmp_path / "entities.parquet")
    assert "relationships.parquet" in caught.value.hint


GRAPHML = """<?xml version='1.0' encoding='utf-8'?>{doctype}
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="d0" for="node" attr.name="entity_type" attr.type="string"/>
<key id="d1" for="edge" attr.name="keywords" attr.type="string"/>
<key id="d2" for="edge" attr.name="source_id" attr.type="string"/>
<graph edgedefault="undirected"><node id="Rome"><data key="d0">city</data></node><node id="Italy"/>
<edge source="Rome" target="Italy"><data key="d1">capital of</data><data key="d2">c1&lt;SEP&gt;c2</data></edge>
</graph></graphml>
"""


def test_lightrag(tmp_path):
    path = write(tmp_path, "graph.graphml", GRAPHML.format(doctype=""))
    assert items(path) == ["c1: Rome | capital of | Italy", "c2: Rome | capital of | Italy"]
    assert read_triples_of_documents(path).type_names.tolist() == ["city"]


def test_graphml_with_a_document_type_is_refused(tmp_path):
    path = write(tmp_path, "graph.graphml", GRAPHML.format(doctype='\n<!DOCTYPE graphml [<!ENTITY x "y">]>'))
    with pytest.raises(goldassay.InputError, match="Document type declarations are not supported") as caught:
        read_triples_of_documents(path)
    assert caught.value.line == 2


KGGEN = {"entities": ["Rome", "Italy"], "edges": ["capital of"], "relations": [["Rome", "capital of", "Italy"]]}
LANGCHAIN = {
    "nodes": [{"id": "Rome", "type": "City"}, {"id": "Italy", "type": "Country"}],
    "relationships": [
        {"source": {"id": "Rome", "type": "City"}, "target": {"id": "Italy", "type": "Country"}, "type": "CAPITAL_OF"}
    ],
    "source": {"page_content": "Rome is the capital of Italy.", "metadata": {}, "id": "d1"},
}
LLAMAINDEX = {
    "nodes": {"n1": {"name": "Rome", "label": "City"}, "n2": {"name": "Italy", "label": "Country"}},
    "relations": {"n1_CAPITAL_OF_n2": {"label": "CAPITAL_OF", "source_id": "n1", "target_id": "n2"}},
    "triplets": [["n1", "CAPITAL_OF", "n2"]],
}


def test_kggen(tmp_path):
    assert items(write(tmp_path, "kg.json", json.dumps(KGGEN, indent=1))) == ["1: Rome | capital of | Italy"]


@pytest.mark.parametrize("document", [[LANGCHAIN], {"graph_documents": [LANGCHAIN]}])
def test_langchain(tmp_path, document):
    path = write(tmp_path, "docs.json", json.dumps(document, indent=1))
    assert items(path) == ["d1: Rome | CAPITAL_OF | Italy"]
    triples = read_triples_of_documents(path)
    assert triples.texts.tolist() == ["Rome is the capital of Italy."]
    assert sorted(triples.type_names.tolist()) == ["City", "Country"]


@pytest.mark.parametrize("key", ["triplets", "relations"])
def test_llamaindex(tmp_path, key):
    graph = {"nodes": LLAMAINDEX["nodes"], key: LLAMAINDEX[key]}
    assert items(write(tmp_path, "store.json", json.dumps(graph))) == ["1: Rome | CAPITAL_OF | Italy"]


def test_documents_by_id_in_one_object(tmp_path):
    path = write(tmp_path, "a.json", json.dumps({"d1": [["Rome", "capital of", "Italy"]], "d2": []}, indent=1))
    assert items(path) == [ROME]


def test_neo4j(tmp_path):
    lines = [
        {"type": "node", "id": "0", "labels": ["City"], "properties": {"name": "Rome"}},
        {"type": "node", "id": "1", "labels": ["Country"], "properties": {"name": "Italy"}},
        {"id": "0", "type": "relationship", "label": "CAPITAL_OF", "start": {"id": "0"}, "end": {"id": "1"}},
    ]
    path = write(tmp_path, "all.json", "\n".join(map(json.dumps, lines)))
    assert items(path) == ["1: Rome | CAPITAL_OF | Italy"]
    table = "_id,_labels,name,_start,_end,_type\n0,:City,Rome,,,\n1,:Country,Italy,,,\n,,,0,1,CAPITAL_OF\n"
    path = write(tmp_path, "all.csv", table)
    assert items(path) == ["1: Rome | CAPITAL_OF | Italy"]
    assert read_triples_of_documents(path).type_names.tolist() == ["City", "Country"]


def test_one_corpus(tmp_path):
    path = write(tmp_path, "a.txt", "[['a', 'r', 'b']]\n[['a', 'r', 'b'], ['b', 'r', 'c']]\n")
    triples = read_triples_of_documents(path, TriplesReading(unit="corpus"))
    assert [triples.item(row) for row in range(len(triples))] == ["corpus: a | r | b", "corpus: b | r | c"]
    assert triples.left_out == {"duplicates": 1}
    assert triples.choices["unit"] == "corpus"


def test_normalisation_is_declared_and_merges(tmp_path):
    path = write(tmp_path, "a.txt", "[['New_York', 'isIn', 'the USA'], ['new york', 'is in', 'usa']]\n")
    assert len(read_triples_of_documents(path)) == 2
    rules = TriplesReading(normalise="case,underscores,camel,articles")
    triples = read_triples_of_documents(path, rules)
    assert len(triples) == 1
    assert triples.choices["names"] == "nfc,blanks,underscores,camel,case,articles"
    with pytest.raises(goldassay.UsageError, match="camels"):
        TriplesReading(normalise="camels")


def test_thirty_characters_of_a_line_that_is_no_list_are_shown(tmp_path):
    path = write(tmp_path, "pred.txt", "[['x', 'r', 'y']]\n" + "[" + "a" * 40 + "\n")
    [fault] = read_triples_of_documents(path).faults
    assert f"{'[' + 'a' * 29!r} (" in str(fault)


# What is wrong, as it is written; what is reported; and how many of the two documents keep their triples.
BROKEN = [
    ("here you are: [['a', 'r', 'b']]", "The line is not a list of triples", 1),
    ("[['a', 'r']]", "Incomplete triple: the object is missing", 2),
    ("[['a', 'r', '']]", "Incomplete triple: the object is missing", 2),
    ("[['a', 'r', 'b', 'c']]", "The triple has 4 slots", 1),
    ("['a', 'r', 'b']", "The triple is not a list", 1),
    ("[['a', 'r', 'b']", "The line is not a list of triples", 1),
    ("[['a', 'r', open('x')]]", "The line is not a list of triples", 1),
    ("[[[[['a', 'r', 'b']]]]]", "Incomplete triple: the subject is missing", 2),
    ("[['\\ud800', 'r', 'b']]", "The line is not a list of triples", 1),
    ("", "The line is not a list of triples", 1),
    ("[" * 100_000, "The line is not a list of triples", 1),
]


@pytest.mark.parametrize(("line", "messages", "documents"), BROKEN)
def test_an_unreadable_record_is_an_empty_answer_that_is_counted(tmp_path, line, messages, documents):
    path = write(tmp_path, "pred.txt", f"[['x', 'r', 'y']]\n{line}\n")
    triples = read_triples_of_documents(path)
    assert triples.ids.tolist() == ["1", "2"]
    assert triples.unreadable.tolist() == [False, True]
    assert triples.facts["unreadable_documents"] == 1
    assert messages in triples.faults[0].message
    assert triples.faults[0].line == 2
    assert any(messages in note and "line 2" in note for note in triples.notes)
    assert len(set(triples.documents.tolist())) == documents
    with pytest.raises(goldassay.RecordError):
        read_triples_of_documents(path, TriplesReading(on_error="stop"))


@pytest.mark.filterwarnings("ignore::goldassay.SuspectInputWarning")
def test_gold_that_cannot_be_read_is_an_error_and_never_dropped(tmp_path):
    bad, good = write(tmp_path, "bad.txt", "[['a', 'r', 'b']]\nno list\n"), write(tmp_path, "good.txt", "[]\n[]\n")
    with pytest.raises(goldassay.RecordError, match="Gold cannot be read completely") as caught:
        goldassay.evaluate(good, gold=bad, kind="triples")
    assert caught.value.line == 2
    score = goldassay.evaluate(
        bad, gold=write(tmp_path, "gold.txt", "[['a', 'r', 'b']]\n[['c', 'r', 'd']]\n"), kind="triples"
    )["triples"]
    assert (score.counts["n_pred"], score.counts["n_gold"], score.recall) == (1, 2, 0.5)


def test_an_id_twice(tmp_path):
    path = write(tmp_path, "a.jsonl", '{"id": "d1", "triples": []}\n{"id": "d1", "triples": [["a", "r", "b"]]}\n')
    with pytest.raises(goldassay.InputError, match="occurs twice") as caught:
        read_triples_of_documents(path)
    assert (caught.value.line, caught.value.found) == (2, "line 1 has it already")
    triples = read_triples_of_documents(path, TriplesReading(repeated="last"))
    assert (len(triples), triples.left_out) == (1, {"repeated_ids": 1})


STRANGE = {
    "a.xml": "<html><body/></html>",
    "b.json": '{"answer": 42}',
    "c.csv": "a,b\nc,d\n",
    "d.bin": "nothing that is known",
    "e.jsonl": '{"id": "d1"}',
}


@pytest.mark.parametrize("name", STRANGE)
def test_what_holds_no_triples_is_refused_with_what_would(tmp_path, name):
    path = write(tmp_path, name, STRANGE[name])
    with pytest.raises(goldassay.InputError) as caught:
        read_triples_of_documents(path, TriplesReading(on_error="stop"))
    assert caught.value.expected


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-9, 9)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["a", "", " ", "Rome"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["id", "triples", "sub", "rel", "obj", "nodes", "name", "type", "text", "references", "source", "label"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(st.lists(VALUES, min_size=1, max_size=4))
def test_no_json_gives_another_error_than_one_that_says_where(records):
    for name, content in (("a.jsonl", "\n".join(map(json.dumps, records))), ("b.json", json.dumps(records, indent=1))):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, name)
            path.write_text(content, encoding="utf-8")
            try:
                triples = read_triples_of_documents(path)
            except goldassay.InputError:
                continue
            assert len(triples.ids) == len(set(triples.ids.tolist()))
            assert len(triples) == len([triples.item(row) for row in range(len(triples))])


@given(
    st.binary(max_size=60), st.sampled_from(["a.txt", "a.jsonl", "a.json", "a.csv", "a.xml", "a.nq", "a.parquet", "a"])
)
def test_no_bytes_give_another_error_than_one_that_says_where(data, name):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(data)
        with contextlib.suppress(goldassay.InputError):
            read_triples_of_documents(path)


@pytest.mark.parametrize("weight", ['"much"', "-1", "true", "[]", "1e999"])
def test_a_weight_that_is_none_is_a_fault(tmp_path, weight):
    line = f'{{"id": "d1", "triples": [{{"sub": "Rome", "rel": "capital of", "obj": "Italy", "weight": {weight}}}]}}'
    triples = read_triples_of_documents(write(tmp_path, "a.jsonl", line + "\n"))
    assert triples.unreadable.tolist() == [True]


def test_weights_of_tables_and_graphs(tmp_path):
    table = write(tmp_path, "a.csv", "id,subject,predicate,object,weight\nd1,Rome,capital of,Italy,0.5\nd1,a,r,b,\n")
    assert read_triples_of_documents(table).weights.tolist() == [0.5, 1.0]
    graph = GRAPHML.format(doctype="").replace("</data></edge>", '</data><data key="weight">2.0</data></edge>')
    assert read_triples_of_documents(write(tmp_path, "g.graphml", graph)).weights.tolist() == [2.0, 2.0]


def test_what_is_wrong_with_a_record_without_a_line_says_which_record(tmp_path):
    path = write(tmp_path, "a.json", '[{"id": "a", "triples": []}, {"id": "b", "triples": [["x"]]}, 5]')
    found = read_triples_of_documents(path).faults
    assert [(fault.found or "").partition(":")[0] for fault in found] == ["record 2", "record 3"]


def test_a_table_is_not_an_ontology(tmp_path):
    with pytest.raises(goldassay.InputError, match="not an ontology"):
        read_ontology(str(write(tmp_path, "a.csv", "child,parent\ncat,pet\n")))


def test_what_is_above_a_class_is_found_when_it_is_asked_for(tmp_path):
    head = "@prefix : <http://x/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
    chain = "".join(f":c{row} a owl:Class ; rdfs:subClassOf :c{row + 1} .\n" for row in range(3))
    found = read_ontology(str(write(tmp_path, "a.ttl", head + chain + ":c3 a owl:Class . :p a owl:ObjectProperty .")))
    assert {name: set(found.above[name]) for name in found.above} == {
        "c0": {"c0", "c1", "c2", "c3"},
        "c1": {"c1", "c2", "c3"},
        "c2": {"c2", "c3"},
        "c3": {"c3"},
    }
    assert len(found.above) == 4


def test_a_date_that_no_calendar_has_is_a_bad_file_and_no_panic(tmp_path):
    days = pl.Series([2**30], dtype=pl.Int32).cast(pl.Date)
    pl.DataFrame({"id": ["a"], "subject": ["x"], "predicate": ["y"], "object": days}).write_parquet(
        tmp_path / "a.parquet"
    )
    with pytest.raises(goldassay.InputError, match="Parquet"):
        read_triples_of_documents(tmp_path / "a.parquet")


def test_rows_that_all_lack_an_id_say_so():
    with pytest.raises(RecordError, match="The row has no id"):
        goldassay.read([(None, "a", "b", "c")], kind="triples")
    found = goldassay.read([(None, "a", "b", "c"), ("d", "a", "b", "c")], kind="triples")
    assert found.notes[0] == "what could not be read belongs to no document, and is skipped"


TAGGED = """<graphml><key id="d0" attr.name="label"/><graph edgedefault="directed">
<node id="a"><data key="d0">Ada <b>Byron</b> King</data></node><node id="b"><data key="d0">London</data></node>
<edge source="a" target="b"><data key="d0">born in</data></edge>{}
<data key="d0">the graph</data></graph></graphml>"""


def test_text_around_a_tag_in_graphml_is_kept(tmp_path):
    (tmp_path / "a.graphml").write_text(TAGGED.format(""))
    triples = read_triples_of_documents(tmp_path / "a.graphml")
    assert [triples.item(row) for row in range(len(triples))] == ["1: Ada Byron King | born in | London"]


def test_a_hyperedge_of_graphml_is_named_and_counted(tmp_path):
    (tmp_path / "a.graphml").write_text(
        TAGGED.format('<hyperedge id="h"><endpoint node="a"/><endpoint node="b"/></hyperedge>')
    )
    with pytest.raises(InputError, match="hyperedge") as refused:
        goldassay.read(tmp_path / "a.graphml", kind="triples", on_error="stop")
    assert "a.graphml:3" in str(refused.value)
    assert "'h'" in str(refused.value)
    triples = read_triples_of_documents(tmp_path / "a.graphml")
    assert len(triples) == 1
    assert "line 3: A hyperedge is not a triple" in " ".join(triples.notes)


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("ids", [True, False])
def test_an_array_of_single_triples_is_read_as_lines_of_them_are(tmp_path, indent, ids):
    rows = [
        dict(zip(("subject", "predicate", "object"), "arb", strict=True)),
        {"subject": "c", "predicate": "r", "object": "d"},
    ]
    rows = [{"id": "d1", **row} if ids else row for row in rows]
    (tmp_path / "a.json").write_text(json.dumps(rows, indent=indent))
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
    array, lines = (goldassay.read(tmp_path / name, kind="triples") for name in ("a.json", "a.jsonl"))
    assert [array.item(row) for row in range(len(array))] == [lines.item(row) for row in range(len(lines))]
    assert len(array) == 2
    assert list(array.ids) == list(lines.ids)


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("a.txt", ["", "[['a', 'r', 'b']]", "", "", "[['c', 'r', 'd'], ['e', 'r', 'f']]"]),
        ("b.txt", ["", "<triplet> a <subj> b <obj> r", "", "", "<triplet> c <subj> d <obj> r <subj> f <obj> r"]),
    ],
)
def test_a_line_counts_from_the_first_blank_or_not(tmp_path, name, lines):
    (tmp_path / name).write_text("\n".join(lines) + "\n")
    found = read_triples_of_documents(tmp_path / name)
    assert found.input_rows.tolist() == [1, 4, 4]
    assert [found.item(row)[0] for row in range(3)] == ["2", "5", "5"]


@pytest.mark.parametrize("of_documents", [False, True])
def test_labels_next_to_ids_are_the_names_of_records(of_documents, tmp_path):
    path = tmp_path / "triples.jsonl"
    row = {
        "subject": "Q1",
        "subjectLabel": "dog",
        "predicate": "P1",
        "predicate_label": "eats",
        "object": "Q2",
        "objectLabel": "meat",
    }
    path.write_text(json.dumps({"id": "d1", "triples": [row]} if of_documents else {"id": "d1", **row}) + "\n")
    assert read_triples_of_documents(path).item(0) == "d1: dog | eats | meat"


WRITTEN = {
    "JSON": '[["Oslo", "capital of", "Norway"], ["a", "r", "b"]]',
    "Python": "[('Oslo', 'capital of', 'Norway'), ('a', 'r', 'b')]",
    "bars": "Oslo | capital of | Norway\na | r | b",
    "tuples": "(Oslo, capital of, Norway)\n(a, r, b)",
    "REBEL": "<s><triplet> Oslo <subj> Norway <obj> capital of <triplet> a <subj> b <obj> r</s>",
}


@pytest.mark.parametrize("shape", WRITTEN)
@pytest.mark.parametrize("key", ["triples", "output", "generated_text", "prediction"])
def test_triples_that_are_written_as_a_text_are_read(key, shape, tmp_path):
    path = tmp_path / "a.jsonl"
    records = [{"id": "d1", key: WRITTEN[shape]}, {"id": "d2", key: ""}]
    path.write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")
    found = read_triples_of_documents(path)
    assert [found.item(row) for row in range(len(found))] == ["d1: Oslo | capital of | Norway", "d1: a | r | b"]
    assert found.ids.tolist() == ["d1", "d2"]


def test_half_a_linearised_triple_makes_its_answer_incomplete(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"id": "d1", "output": "<triplet> Oslo <subj> Norway"}) + "\n")
    found = read_triples_of_documents(path)
    assert found.unreadable.tolist() == [True]
    assert any("Incomplete triple" in note for note in found.notes)


def test_a_file_for_each_document_is_no_prediction_and_one_file_of_lines_is(tmp_path):
    gold = {"d1": [("Oslo", "capital of", "Norway")], "d2": [("Rome", "capital of", "Italy")]}
    file, lines = tmp_path / "d1.txt", tmp_path / "all.jsonl"
    file.write_text("(Oslo, capital of, Norway)\n")
    with pytest.warns(goldassay.SuspectInputWarning, match=r'such as lines of {"id": "d1", "output": "\.\.\."}'):
        assert goldassay.evaluate(file, gold=gold, kind="triples", measures="triples")["triples"].f1 == 0
    lines.write_text("".join(json.dumps({"id": name, "output": str(one[0])}) + "\n" for name, one in gold.items()))
    assert goldassay.evaluate(lines, gold=gold, kind="triples", measures="triples")["triples"].f1 == 1.0


def test_example_of_triples_of_columns():
    cells = {"subject": ["Oslo"], "predicate": ["capital of"], "object": ["Norway"]}
    assert triples_of_columns(Columns(cells)).item(0) == "1: Oslo | capital of | Norway"


def test_example_of_format_of():
    assert format_of(Source(path="a", name="a", data=b"<triplet> Rome <subj> Italy <obj> country", size=41)) == "rebel"


def test_example_of_are_lists():
    assert are_lists("null\n[['a', 'b', 'c']]\n[['a', 'b', 'd']]")
    assert not are_lists("[1] a -> b")


@pytest.mark.parametrize(
    "record",
    [
        {"id": "1", "foo": [["a", "b", "c"]]},
        {"id": "1", "content": "(a, b, c)"},
        {"gem_id": "1", "input": ["a | b | c"]},
        {"id": "1", "token": ["a", "b"], "subj_start": 0, "obj_start": 1, "relation": "r"},
    ],
)
def test_records_of_which_none_has_triples_are_refused(record, tmp_path):
    path = write(tmp_path, "a.jsonl", f"{json.dumps(record)}\n")
    with pytest.raises(InputError, match="1: The record has no triples"):
        read_triples_of_documents(path)
    whole = {"id": "2", "triples": [["a", "b", "c"]]}
    path = write(tmp_path, "a.jsonl", f"{json.dumps(record)}\n{json.dumps(whole)}\n")
    assert items(path)[-1] == "2: a | b | c"


@pytest.mark.parametrize(
    "record",
    [
        {"arg1": "a", "rel": "b", "arg2": "c"},
        {"text": "a b c", "triple_list": [["a", "b", "c"]]},
        {"sentText": "a b c", "relationMentions": [{"em1Text": "a", "em2Text": "c", "label": "b"}]},
    ],
)
def test_keys_of_open_information_extraction_and_of_nyt(record, tmp_path):
    assert items(write(tmp_path, "a.jsonl", f"{json.dumps(record)}\n")) == ["1: a | b | c"]


@pytest.mark.parametrize("line", ["T1\tLOC 0 4\tOslo", "R1\tcapital Arg1:T1 Arg2:T2"])
def test_annotations_of_brat_are_refused(line, tmp_path):
    with pytest.raises(InputError, match="annotations of BRAT"):
        read_triples_of_documents(write(tmp_path, "a.ann", f"{line}\nT2\tLOC 8 14\tNorway\n"))
