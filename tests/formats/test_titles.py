"""Lines above the header of a table: titles, comments and the separator that Excel writes."""

from __future__ import annotations

import pytest

import goldassay

TABLES = {
    "taxonomy": (("child", "parent"), ("dog", "pet"), "dog -> pet"),
    "triples": (("subject", "predicate", "object"), ("Oslo", "in", "Norway"), "1: Oslo | in | Norway"),
    "axioms": (("class", "property", "object"), ("dog", "eats", "meat"), "dog eats meat"),
    "alignment": (("source", "target"), ("a", "b"), "a = b"),
    "labels": (("instance", "label"), ("d1", "x"), "d1: x"),
    "concepts": (("id", "concepts"), ("d1", "heart"), "d1: heart"),
}
ABOVE = {
    "a comment": "# made by hand\n",
    "comments": "# a, b\n# c\n",
    "a title": "Table 1\n\n",
    "Excel": "sep={0}\n",
    "names of columns": "# {1}\n",
}


def write(path, kind, above, separator, encoding="utf-8"):
    head, row, _ = TABLES[kind]
    lines = [separator.join(cells) + "\n" for cells in (head, row)]
    path.write_text("".join([ABOVE[above].format(separator, separator.join(head)), *lines]), encoding=encoding)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("above", ABOVE)
@pytest.mark.parametrize("kind", TABLES)
def test_what_is_above_a_header_is_left_out_with_a_warning(kind, above, separator, encoding, tmp_path):
    path = tmp_path / "table.csv"
    write(path, kind, above, separator, encoding)
    model = goldassay.read(path, kind=kind)
    assert [model.item(row) for row in range(len(model))] == [TABLES[kind][2]]
    count = ABOVE[above].count("\n")
    assert any(line.startswith(f"{count} line") and line.endswith("left out") for line in model.warnings)


def test_lines_keep_their_numbers(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("# one\n# two\nchild,parent\ndog,pet\ncat,\n")
    with pytest.raises(goldassay.InputError) as caught:
        goldassay.read(path)
    assert caught.value.line == 5


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("dog,pet\nchild,parent\n", {"dog -> pet", "child -> parent"}),
        ("dog\tpet\ncat\tpet\n", {"dog -> pet", "cat -> pet"}),
        ("dog; hot,pet\ncat,pet\n", {"dog; hot -> pet", "cat -> pet"}),
    ],
)
def test_rows_are_no_titles(text, items, tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(text)
    graph = goldassay.read(path)
    assert {graph.item(row) for row in range(len(graph))} == items


@pytest.mark.parametrize("above", ["a comment", "names of columns"])
@pytest.mark.parametrize("on_error", ["stop", "skip"])
def test_an_engine_refuses_what_is_above_a_header(on_error, above, tmp_path):
    pytest.importorskip("duckdb")
    path = tmp_path / "table.csv"
    write(path, "taxonomy", above, ",")
    with pytest.raises(goldassay.InputError, match="lines above the header"):
        goldassay.evaluate(
            path, gold=path, kind="taxonomy", measures="literal", engine="duckdb", pred_options={"on_error": on_error}
        )


OWN = {
    "alignment": ("{} = {}", "{} \u2261 {}", "{} -> {}", "({}, {})", "{} is equivalent to {}", "{}: {}"),
    "labels": ("{}1 -> {}", "{}1 - {}", "({}1, {})", "{}1: {}"),
}


@pytest.mark.parametrize("gap", ["\n", "\n\n"])
@pytest.mark.parametrize(("kind", "pair"), [(kind, pair) for kind, pairs in OWN.items() for pair in pairs])
def test_pairs_below_several_names_are_no_labels_of_these(kind, pair, gap, tmp_path):
    bullets = [f"- {pair.format(a, b)}" for a, b in (("cat", "chat"), ("dog", "chien"), ("cow", "vache"))]
    (path := tmp_path / "answer.txt").write_text(f"Animals:\n{bullets[0]}\n{bullets[1]}{gap}Farm:\n{bullets[2]}\n")
    model = goldassay.read(path, kind=kind)
    found = [model.item(at) for at in range(len(model))]
    assert found == [one[2:] for one in bullets] if pair.endswith(("1: {}", "{} = {}")) else len(found) == len(bullets)
    assert not any("Animals" in one or "Farm" in one for one in found)


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("labels", "d1:\n- Sport -> Football\n\nd2:\n- Art -> Oil\n", ["d1: Sport > Football", "d2: Art > Oil"]),
        ("labels", "d1:\n- Type 1 - mild\n\nd2:\n- Type 2 - severe\n", ["d1: Type 1 - mild", "d2: Type 2 - severe"]),
        ("labels", "Cat:\n- pet - small\n- animal\n\nDog:\n- pet\n", ["Cat: pet - small", "Cat: animal", "Dog: pet"]),
        ("alignment", "cat:\n- chat\n- matou\n\ndog:\n- chien\n", ["cat = chat", "cat = matou", "dog = chien"]),
    ],
)
def test_labels_below_names_stay_theirs(kind, text, expected, tmp_path):
    (path := tmp_path / "answer.txt").write_text(text)
    model = goldassay.read(path, kind=kind)
    assert [model.item(at) for at in range(len(model))] == expected


def test_cells_of_a_table_with_a_title_may_be_lists(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text('Animals of the house\nchild,parents\ncat,"[""pet"", ""animal""]"\ndog,"[""pet""]"\n')
    graph = goldassay.read(path)
    assert {graph.item(row) for row in range(len(graph))} == {"cat -> pet", "cat -> animal", "dog -> pet"}
