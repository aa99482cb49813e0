"""Tables of edges that are no pairs: a row for each node with its parent, a column for each level, lists of parents."""

import json

import polars as pl
import pytest

import goldassay
from goldassay.core.errors import InputError, RecordError, SuspectInputWarning
from goldassay.formats.column_names import NAMES as COLUMNS
from goldassay.formats.edge_tables import NOTHING

EDGES = {"cat -> animal", "dog -> animal", "poodle -> dog"}
NODE_ROWS = [(1, "animal", None), (2, "dog", 1), (3, "cat", 1), (4, "poodle", 2)]
LEVELS = [("animal", "dog", "poodle"), ("animal", "cat", None), ("plant", None, None)]


def written(folder, header, rows, form):
    frame = pl.DataFrame(rows, schema=header, orient="row")
    file = folder / f"tree.{form}"
    if form == "parquet":
        frame.write_parquet(file)
    elif form in {"csv", "tsv"}:
        frame.write_csv(file, separator="," if form == "csv" else "\t")
    elif form == "md":
        cells = [
            header,
            ["---"] * len(header),
            *([("" if cell is None else str(cell)) for cell in row] for row in rows),
        ]
        file.write_text("".join(f"| {' | '.join(row)} |\n" for row in cells))
    else:
        records = frame.to_dicts()
        file.write_text(json.dumps(records) if form == "json" else "\n".join(map(json.dumps, records)))
    return file


def items(graph):
    return {graph.item(row) for row in range(len(graph))}


@pytest.mark.parametrize("form", ["csv", "tsv", "parquet", "json", "jsonl", "md"])
@pytest.mark.parametrize(
    ("header", "rows"),
    [
        (["id", "name", "parent_id"], NODE_ROWS),
        (["parent", "label", "identifier"], [(above, name, number) for number, name, above in NODE_ROWS]),
        (["Level 1", "Level 2", "Level 3"], LEVELS),
        (["id", "level1", "level2", "level3"], [(str(row), *path) for row, path in enumerate(LEVELS)]),
        (["name", "parent"], [("animal", None), ("dog", "animal"), ("cat", "animal"), ("poodle", "dog")]),
    ],
    ids=["nodes", "columns in another order", "levels", "levels and ids", "names"],
)
def test_every_format_has_the_same_edges(tmp_path, header, rows, form):
    graph = goldassay.read(written(tmp_path, header, rows, form), kind="taxonomy")
    assert items(graph) == EDGES
    assert graph.left_out.get("duplicates") is None
    assert items(goldassay.read(pl.DataFrame(rows, schema=header, orient="row"), kind="taxonomy")) == EDGES


@pytest.mark.parametrize("form", ["parquet", "json", "jsonl"])
@pytest.mark.parametrize(
    ("header", "rows"),
    [
        (["id", "name", "parents"], [(1, "animal", []), (2, "dog", [1]), (3, "cat", [1]), (4, "poodle", [2])]),
        (["term", "parents"], [("animal", []), ("dog", ["animal"]), ("cat", ["animal"]), ("poodle", ["dog"])]),
        (["child", "hypernyms"], [("dog", ["animal"]), ("cat", ["animal"]), ("poodle", ["dog", "dog"])]),
    ],
)
def test_a_list_of_parents_is_an_edge_for_each(tmp_path, header, rows, form):
    assert items(goldassay.read(written(tmp_path, header, rows, form), kind="taxonomy")) == EDGES


def test_nodes_below_a_key_are_a_graph(tmp_path):
    file = tmp_path / "tree.json"
    file.write_text(
        json.dumps({"nodes": [{"id": number, "name": name, "parent": above} for number, name, above in NODE_ROWS]})
    )
    assert items(goldassay.read(file, kind="taxonomy")) == EDGES


def test_a_parent_may_be_given_by_its_name():
    graph = goldassay.read([{"id": 1, "name": "pet"}, {"id": 2, "name": "cat", "parent": "pet"}], kind="taxonomy")
    assert items(graph) == {"cat -> pet"}
    assert graph.ids.tolist() == ["1", "2"]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("id,name,parent\n1,pet,\n\n2,cat,7\n", 4, "The parent is not a node of the table."),
        ("id,name,parent\n1,pet,\n2,pet,\n3,cat,pet\n", 4, "The parent is not a node of the table."),
        ("id,name,parent\n1,pet,\n1,animal,\n2,cat,1\n", 2, "The node has several names."),
        ("id,name,parent\n1,pet,\n,cat,1\n", 3, "The id is empty."),
        ("level1,level2,level3\npet,cat,\npet,,kitten\n", 3, "A level is empty, and one below it is not."),
        ("level1,level2\n,cat\n", 2, "The level1 is empty."),
    ],
)
def test_a_wrong_row_is_refused_with_its_line(tmp_path, text, line, message):
    file = tmp_path / "tree.csv"
    file.write_text(text)
    with pytest.raises(RecordError, match=message) as caught:
        goldassay.read(file, kind="taxonomy")
    assert caught.value.line == line


NAMES = sorted({name for tier in COLUMNS["nodes"]["text"] for name in tier.names})
IDS = [
    ("id", "parent_id"),
    ("code", "ParentCode"),
    ("Class ID", "Parents"),
    ("tax_id", "parent_tax_id"),
    ("uri", "broader"),
]


@pytest.mark.parametrize("name", [*NAMES, "Preferred Label", "prefLabel@en", "name (en)", "Display Name"])
def test_names_of_nodes_are_compared_and_not_their_ids(name):
    ids, above = next((ids, above) for ids, above in IDS if ids != name)
    rows = [{ids: number, name: text, above: parent} for number, text, parent in NODE_ROWS]
    assert items(goldassay.read(rows, kind="taxonomy")) == EDGES


@pytest.mark.parametrize(("ids", "above"), IDS)
@pytest.mark.parametrize("name", ["title", "term", "description"])
def test_ids_of_nodes_and_of_parents_belong_together(ids, above, name, tmp_path):
    rows = [(number, "x", text, parent) for number, text, parent in NODE_ROWS]
    file = written(tmp_path, [ids, "rank", name, above], rows, "csv")
    assert items(goldassay.read(file, kind="taxonomy")) == EDGES
    # Names that are asked for are not mixed with the ids of parents.
    options = {"child_column": name, "parent_column": above}
    assert items(goldassay.read(file, kind="taxonomy", **options)) == EDGES


def test_terms_whose_ids_number_the_rows_are_compared_by_name(tmp_path):
    file = tmp_path / "terms.csv"
    file.write_text("id,term,parent\n1,cat,animal\n2,cat,pet\n3,animal,\n")
    assert items(goldassay.read(file, kind="taxonomy")) == {"cat -> animal", "cat -> pet"}


@pytest.mark.parametrize("form", ["csv", "json", "parquet"])
def test_ids_are_compared_with_a_warning_where_another_column_is_not_read(form, tmp_path):
    rows = [(str(number), text, str(parent or "")) for number, text, parent in NODE_ROWS]
    graph = goldassay.read(written(tmp_path, ["id", "was", "parent"], rows, form), kind="taxonomy")
    assert "columns not read: 'was'" in graph.warnings[0]
    graph = goldassay.read(written(tmp_path, ["id", "weight", "parent"], rows, form), kind="taxonomy")
    assert not graph.warnings


@pytest.mark.parametrize("mark", [" ", ""])
@pytest.mark.parametrize(
    ("header", "up"),
    [
        ("Category,Subcategory,Sub-subcategory", False),
        ("Main Category,Sub Category,Product Type", False),
        ("Domain,Class,Subclass", False),
        ("Class,Subclass,Term", False),
        ("topic,subtopic,subsubtopic", False),
        ("Kingdom,Family,Species", False),
        ("level1_name,level2_name,level3_name", False),
        ("child,parent,grandparent", True),
        ("term,hypernym,parent_of_parent", True),
    ],
)
def test_levels_may_be_named_by_words(header, up, mark, tmp_path):
    names = [mark + name for name in header.split(",")]
    paths = [("animal", "dog", "poodle"), ("animal", "cat", None)]
    rows = [path[::-1] for path in (paths[0], (None, "animal", "cat"))] if up else paths
    for order in ([0, 1, 2], [2, 0, 1]):
        file = written(tmp_path, [names[at] for at in order], [[row[at] for at in order] for row in rows], "csv")
        assert items(goldassay.read(file, kind="taxonomy")) == EDGES


def test_a_column_that_is_no_level_is_named(tmp_path):
    file = tmp_path / "a.csv"
    file.write_text("hyponym,hypernym,hypernym2\ndog,animal,pet\n")
    assert "columns not read: 'hypernym2'" in goldassay.read(file, kind="taxonomy").warnings
    file.write_text("child,parent,kingdom,family,genus\ndog,animal,a,b,c\n")
    assert items(goldassay.read(file, kind="taxonomy")) == {"dog -> animal"}


@pytest.mark.parametrize("word", NOTHING)
def test_words_for_nothing_are_no_parents_unless_something_is_called_so(word, tmp_path):
    pairs = [("dog", "animal"), ("cat", "animal"), ("poodle", "dog"), ("animal", word)]
    file = tmp_path / "a.csv"
    pl.DataFrame(pairs, schema=["child", "parent"], orient="row").write_csv(file)
    for graph in (goldassay.read(file, kind="taxonomy"), goldassay.read(pairs, kind="taxonomy")):
        assert (items(graph), graph.left_out) == (EDGES, {"without_parent": 1})
        assert repr(word) in graph.warnings[-1]
    named = goldassay.read([*pairs, (word, "thing")], kind="taxonomy")
    assert items(named) == EDGES | {f"animal -> {word}", f"{word} -> thing"}
    levels = [
        {"Level 1": "animal", "Level 2": "dog", "Level 3": "poodle"},
        {"Level 1": "animal", "Level 2": "cat", "Level 3": word},
    ]
    assert items(goldassay.read(levels, kind="taxonomy")) == EDGES
    nodes = [{"id": number, "name": text, "parent": parent or word} for number, text, parent in NODE_ROWS]
    assert items(goldassay.read(nodes, kind="taxonomy")) == EDGES


def test_words_for_nothing_are_no_parents_on_an_engine(tmp_path):
    preds = {}
    for number, word in enumerate(NOTHING[::4]):
        preds[word] = str(tmp_path / f"{number}.csv")
        pl.DataFrame([("cat", "pet"), ("pet", word)], schema=["child", "parent"], orient="row").write_csv(preds[word])
    with pytest.warns(SuspectInputWarning, match="read as no name"):
        report = goldassay.evaluate(preds, gold=[("cat", "pet")], kind="taxonomy", measures="literal", engine="duckdb")
    assert all(run["pred"]["left_out"] == {"without_parent": 1} for run in report.to_dict()["runs"])
    assert [run.scores[0].f1 for run in report.runs] == [1] * len(preds)


def test_wrong_rows_can_be_left_out(tmp_path):
    file = tmp_path / "tree.csv"
    file.write_text("id,name,parent\n1,pet,\n2,cat,1\n3,dog,9\n")
    graph = goldassay.read(file, kind="taxonomy", on_error="skip")
    assert items(graph) == {"cat -> pet"}
    assert graph.left_out["skipped_records"] == 1


def test_parents_that_are_objects_are_refused(tmp_path):
    file = tmp_path / "tree.parquet"
    pl.DataFrame({"child": ["cat"], "parents": [{"id": 1}]}).write_parquet(file)
    with pytest.raises(InputError, match="The column 'parents' has values of the type Struct"):
        goldassay.read(file, kind="taxonomy")


BRACKETS = ["[3]", '["pet"]', "[", "{}", '{"a": 1}', "[[3]]"]


@pytest.mark.parametrize("name", BRACKETS)
@pytest.mark.parametrize("form", ["jsonl", "json", "parquet", "csv", "nodes", "rows"])
@pytest.mark.parametrize("others", [(), ("pet", ["a", "{}"])])
def test_a_text_in_brackets_is_a_name(tmp_path, name, form, others):
    above = [name, *others] if form in {"jsonl", "json", "nodes", "rows"} else [name]
    rows = [{"child": f"n{row}", "parent": one} for row, one in enumerate(above)]
    file = tmp_path / f"tree.{'json' if form == 'nodes' else form}"
    if form == "nodes":
        names = {one: None for every in above for one in ([every] if isinstance(every, str) else every)}
        nodes = [*({"id": row["child"], "parent": row["parent"]} for row in rows), *({"id": one} for one in names)]
        file.write_text(json.dumps({"nodes": nodes}))
    elif form in {"parquet", "csv"}:
        getattr(pl.DataFrame(rows), f"write_{form}")(file)
    else:
        file.write_text(json.dumps(rows) if form == "json" else "".join(f"{json.dumps(row)}\n" for row in rows))
    # Next to a list a text is one name; where all cells are texts, one may be the text of a list.
    is_list = name == '["pet"]' and len(above) == 1
    expected = {f"n0 -> {'pet' if is_list else name}"} | (
        {"n1 -> pet", "n2 -> a", "n2 -> {}"} if len(above) > 1 else set()
    )
    assert items(goldassay.read(rows if form == "rows" else file, kind="taxonomy")) == expected


CELLS = {
    "python": str,
    "JSON": json.dumps,
    "semicolons": "; ".join,
    "bars": "|".join,
    "breaks": "<br>".join,
}


@pytest.mark.parametrize("write", CELLS)
@pytest.mark.parametrize("form", ["csv", "tsv", "parquet", "md", "two.md"])
@pytest.mark.parametrize("column", ["parents", "children"])
def test_lists_in_cells_are_names(tmp_path, write, form, column):
    other = "child" if column == "parents" else "parent"
    rows = [{other: "cat", column: ["pet", "big, mammal"]}, {other: "dog", column: ["pet"]}]
    table = pl.DataFrame([{**row, column: CELLS[write](row[column])} for row in rows])
    file = tmp_path / f"tree.{form}"
    if form.endswith("md"):
        cells = [table.columns, ["---"] * 2, *(row for row in table.rows())]
        text = "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |\n" for row in cells)
        file.write_text(f"Sure:\n\n{text}")
    elif form == "parquet":
        table.write_parquet(file)
    else:
        tabs = {"separator": "\t", "quote_style": "never"} if form == "tsv" else {}
        table.write_csv(file, **tabs)
    found = items(goldassay.read(file, kind="taxonomy"))
    pairs = [(row[other], name) for row in rows for name in row[column]]
    assert found == {f"{a} -> {b}" if column == "parents" else f"{b} -> {a}" for a, b in pairs}


@pytest.mark.parametrize("end", ["child", "parent"])
def test_lists_of_children_and_of_parents_in_json_lines(tmp_path, end):
    other = "parent" if end == "child" else "child"
    file = tmp_path / "tree.jsonl"
    rows = [{end: ["a", "b"], other: "c"}, {end: "d", other: "c"}, {end: [], other: "e"}]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    expected = {"a -> c", "b -> c", "d -> c"} if end == "child" else {"c -> a", "c -> b", "c -> d"}
    assert items(goldassay.read(file, kind="taxonomy")) == expected


def test_marks_in_a_column_of_single_names_belong_to_a_name(tmp_path):
    file = tmp_path / "tree.csv"
    file.write_text("child,parent\ncat,pet|mammal\ndog,a; b\n")
    assert items(goldassay.read(file, kind="taxonomy")) == {"cat -> pet|mammal", "dog -> a; b"}


@pytest.mark.parametrize(
    "cell", ["\"['pet', 'mammal']\"", "pet; mammal", "pet<br>mammal", "\"{'pet', 'mammal'}\"", "\"('pet', 'mammal')\""]
)
def test_engines_refuse_lists_in_cells(tmp_path, cell):
    file, gold = tmp_path / "tree.csv", tmp_path / "gold.csv"
    file.write_text(f"child,parents\ncat,{cell}\n")
    gold.write_text("child,parent\ncat,pet\n")
    with pytest.raises(InputError, match="lists in cells"):
        goldassay.evaluate(file, gold=gold, kind="taxonomy", measures=["literal"], engine="duckdb")


def test_engines_refuse_tables_that_are_no_pairs(tmp_path):
    file = tmp_path / "tree.csv"
    file.write_text("level1,level2\npet,cat\n")
    with pytest.raises(goldassay.UsageError, match="a column for each level") as caught:
        goldassay.evaluate(file, gold=file, kind="taxonomy", measures=["literal"], engine="duckdb")
    assert caught.value.hint == "leave out --engine"


@pytest.mark.parametrize(("names", "label", "size"), [("label", "cat", 1), ("id", "2", 1), ("id", "cat", 0)])
def test_labels_take_such_a_table_as_their_hierarchy(tmp_path, names, label, size):
    file = tmp_path / "tree.csv"
    file.write_text("id,name,parent\n1,pet,\n2,cat,1\n3,dog,1\n")
    labels = goldassay.read([("x", label)], kind="labels", hierarchy=str(file), names=names)
    assert len(labels) == size
    assert labels.hierarchy.titles == ({"1": "pet", "2": "cat", "3": "dog"} if names == "id" else {})


def test_a_category_is_no_parent_of_an_id(tmp_path):
    file = tmp_path / "things.csv"
    file.write_text("id,category\n1,pet\n2,pet\n")
    with pytest.raises(InputError, match="No column is recognised as the child"):
        goldassay.read(file, kind="taxonomy")


@pytest.mark.parametrize("form", ["json", "jsonl", "csv"])
def test_lists_in_columns_without_known_names_are_refused(form, tmp_path):
    rows = [{"taxon": "mammal", "members": ["dog", "cat"]}, {"taxon": "bird", "members": ["eagle"]}]
    file = tmp_path / f"tree.{form}"
    if form == "csv":
        pl.DataFrame([{**row, "members": str(row["members"])} for row in rows]).write_csv(file)
    else:
        file.write_text(json.dumps(rows) if form == "json" else "".join(f"{json.dumps(row)}\n" for row in rows))
    with pytest.raises(InputError, match="do not say which end") as caught:
        goldassay.read(file, kind="taxonomy")
    assert "--child-column" in caught.value.hint
    graph = goldassay.read(file, kind="taxonomy", child_column="members", parent_column="taxon")
    assert items(graph) == {"dog -> mammal", "cat -> mammal", "eagle -> bird"}


RELATED = ["interaction", "label", "key", "name"]


@pytest.mark.parametrize("form", ["csv", "json", "parquet"])
@pytest.mark.parametrize("column", RELATED)
def test_a_column_names_relations_if_one_of_its_cells_does(column, form, tmp_path):
    pairs = [
        ("cat", "is_a", "animal"),
        ("dog", "isA", "animal"),
        ("dog", "hypernym of", "poodle"),
        ("cat", "eats", "fish"),
    ]
    file = written(tmp_path, ["subject", column, "object"], pairs, form)
    graph = goldassay.read(file, kind="taxonomy")
    assert (items(graph), graph.left_out) == (EDGES, {"other_relations": 1})
    if form != "json":
        report = goldassay.evaluate(file, gold=pairs, kind="taxonomy", measures="literal", engine="duckdb")
        assert report["literal"].f1 == 1
    graph = goldassay.read(
        written(tmp_path, ["source", column, "target"], [("cat", "nice", "fish")], form), kind="taxonomy"
    )
    assert (items(graph), f"{column!r}" in graph.warnings[-1]) == ({"cat -> fish"}, True)
    graph = goldassay.read(written(tmp_path, ["child", column, "parent"], pairs[3:], form), kind="taxonomy")
    assert (items(graph), graph.warnings) == ({"cat -> fish"}, ())


def test_keys_of_a_graph_in_memory_are_its_relations():
    networkx = pytest.importorskip("networkx")
    graph = networkx.MultiDiGraph([("cat", "animal", "is_a"), ("cat", "fish", "eats")])
    assert items(goldassay.read(graph, kind="taxonomy")) == {"cat -> animal"}
    assert items(goldassay.read(networkx.MultiDiGraph([("cat", "animal")]), kind="taxonomy")) == {"cat -> animal"}


@pytest.mark.parametrize("engine", [None, "duckdb"])
@pytest.mark.parametrize("relation", ["hypernym of", "includes", "has_subclass", "eats"])
def test_relations_that_are_asked_for_lead_from_child_to_parent(relation, engine, tmp_path):
    file = written(tmp_path, ["source", "relation", "target"], [("pet", relation, "cat"), ("a", "b", "c")], "csv")
    gold = [("pet", "cat") if relation == "eats" else ("cat", "pet")]
    report = goldassay.evaluate(
        file, gold=gold, kind="taxonomy", measures="literal", pred_options={"edges": (relation,)}, engine=engine
    )
    assert report["literal"].f1 == 1


COMMAS = "{} cells of '{}' have commas, and each is one name; if they are lists, write ';' between names"


@pytest.mark.parametrize(
    ("kind", "column", "cells", "found"),
    [
        ("taxonomy", "children", ["Dog, Cat", "Oak"], "1 of 2"),
        ("taxonomy", "children", ["Dog, Cat", "Oak", "Elm"], None),
        ("taxonomy", "parents", ["Dog, Cat", "Oak, Elm"], "2 of 2"),
        ("taxonomy", "parents", ["Dog; Cat", "Oak, Elm"], None),
        ("taxonomy", "parent", ["Dog, Cat", "Oak, Elm"], None),
        ("taxonomy", "children", ["1,2-ethane", "Oak,Elm"], None),
        ("labels", "labels", ["sports, news", "art"], "1 of 2"),
        ("labels", "label", ["sports, news", "art"], None),
    ],
)
@pytest.mark.parametrize("form", ["csv", "json"])
def test_commas_in_a_column_of_lists_are_warned_of(tmp_path, kind, column, cells, found, form):
    other = {"children": "parent", "parents": "child", "parent": "child"}.get(column, "id")
    rows = [{other: f"n{at}", column: cell} for at, cell in enumerate(cells)]
    path = tmp_path / f"a.{form}"
    path.write_text(json.dumps(rows) if form == "json" else pl.DataFrame(rows).write_csv())
    warnings = goldassay.read(path, kind=kind).warnings
    assert [line for line in warnings if "commas" in line] == ([COMMAS.format(found, column)] if found else [])
