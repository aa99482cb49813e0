"""Tables of text: for any width, names can be reported apart and no number is cut."""

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import goldassay
from goldassay.core.text import NumberFormat
from goldassay.report.cells import (
    Cell,
    TextTable,
    fit_tables,
    shorten_for_pipe,
    shorten_heads,
    shorten_names,
    show_cell,
)

ROW = [Cell(text="0.5000 [0.4000, 0.6000]", differs=True), Cell(text="0.2500"), Cell(text="12 / 1,000")]
NAMES = st.lists(st.text("ab/-.", min_size=1, max_size=40), min_size=1, max_size=5, unique=True)


def table(names):
    return TextTable("", ["prediction", "precision", "recall", "matched"], [[Cell(text=one), *ROW] for one in names], 1)


@given(NAMES, st.integers(10, 120))
def test_numbers_are_whole_and_names_differ_at_any_width(names, width):
    parts = list(fit_tables(table(names), width))
    numbers = [cell for part in parts for cell in part.rows[0][1:]]
    assert "".join(show_cell(cell) for cell in numbers).replace("\n", " ").replace("*", "") == "".join(
        c.text for c in ROW
    )
    assert all(len({row[0].text for row in part.rows}) == len(names) for part in parts)
    assert [name for part in parts for name in part.head[1:]] == ["precision", "recall", "matched"]


@given(NAMES, st.integers(60, 120))
def test_a_table_is_wider_than_the_terminal_only_if_names_are(names, width):
    for part in fit_tables(table(names), width):
        assert part.width <= width or part.widths[0] > width // 3


def test_a_table_is_changed_no_more_than_it_must():
    [whole] = fit_tables(table(["a/b/c/system-1.ttl"]), 67)
    assert whole == table(["a/b/c/system-1.ttl"])
    assert whole.width == 67
    [named] = fit_tables(table(["a/b/c/system-1.ttl"]), 65)
    assert named.rows[0][0].text == "…/c/system-1.ttl"
    [lower] = fit_tables(table(["a/b/c/system-1.ttl"]), 60)
    assert (lower.rows[0][0].text, lower.rows[0][1].text) == ("a/b/c/system-1.ttl", "0.5000\n[0.4000, 0.6000]")
    assert show_cell(lower.rows[0][1]) == "0.5000*\n[0.4000, 0.6000]"


def test_without_a_terminal_long_names_are_shortened_and_rows_stay_whole():
    shorter = shorten_for_pipe(table(["n" * 500]))
    assert len(shorter.rows[0][0].text) == 31
    assert shorter.width == 80
    assert shorter.rows[0][1:] == ROW
    names = ["runs/" + "deep/" * 9 + "a.ttl", "b.ttl"]
    shorter = shorten_for_pipe(table(names))
    assert [row[0].text for row in shorter.rows] == ["…/deep/deep/deep/deep/a.ttl", "b.ttl"]
    mixed = shorten_for_pipe(table(["n" * 500, "m" * 40]))
    assert [len(row[0].text) for row in mixed.rows] == [31, 40]
    whole = shorten_for_pipe(table(["n" * 40]))
    assert whole.rows[0][0].text == "n" * 40
    narrow = shorten_for_pipe(TextTable("", ["a", "b"], [[Cell(text="n" * 70), Cell(text="0.5")]], 1))
    assert narrow.width == 76
    [whole] = fit_tables(table(["n" * 500]), None)
    assert whole.width > 500


def test_names_above_columns_are_shortened_and_stay_different():
    wide = TextTable("", ["n" * 200, "n" * 200, "a.csv", "n" * 199 + "m"], [], 1, of_names=True)
    assert [len(name) for name in shorten_heads(wide).head] == [200, 40, 5, 40]
    assert len({*shorten_heads(wide).head}) == 4


def test_wide_letters_take_two_places():
    assert TextTable("", ["x"], [[Cell(text="日本")]], 1).width == 4


@given(NAMES, st.integers(4, 60))
def test_shortened_names_differ(names, most):
    short = shorten_names(names, most)
    assert len(set(short)) == len(names)
    assert short == names or all(len(one) <= max(most, 4) for one in short)


def reports(count):
    gold = goldassay.Graph.from_edges([("a", "r"), ("b", "r")])
    preds = {f"p{n}": goldassay.Graph.from_edges([("a", "r")]) for n in range(count)}
    return goldassay.evaluate(preds, gold=gold, measures=["literal", "literal(distinct=true)", "motif"])


def heads(text):
    return [line.split() for line in text.splitlines() if line.startswith("prediction")]


def test_measures_of_one_prediction_share_a_table_if_they_have_the_same_columns():
    found = reports(1).format()
    columns = ["precision", "recall", "f1", "pred", "matched", "gold", "matched"]
    assert heads(found) == [["prediction", "measure", *columns], ["prediction", "measure", "distance"]]


def test_means_over_documents_are_not_among_sums_over_all():
    gold = goldassay.triples.TripleSet.from_lists({"1": [("a", "r", "b")], "2": [("a", "r", "c")]})
    found = goldassay.evaluate(
        gold, gold=gold, kind="triples", measures=["triples", "triples(average=macro)", "entities"], by="predicate"
    )
    rows = [line.split()[1] for line in found.format().splitlines() if line.startswith("prediction  ")]
    assert rows == ["measure", "triples", "entities", "triples(average=macro)"]
    assert "no groups by predicate: triples(average=macro), entities" in found.format()
    assert found.warnings == []


def test_groups_have_the_words_of_the_main_table():
    labels = goldassay.labels.Labels.from_rows(
        [("1", "cat"), ("2", "dog"), ("3", "fern")], edges=[("cat", "pet"), ("dog", "pet"), ("fern", "plant")]
    )
    text = goldassay.evaluate(labels, gold=labels, kind="labels", measures="lca", by="branch").format()
    assert "branch   precision   recall       f1   instances" in text


def test_each_measure_of_several_predictions_has_a_table_under_its_name():
    found = reports(2).format()
    assert [len(head) for head in heads(found)] == [8, 8, 2]
    assert re.findall(r"^[a-z]\S+$", found.partition("\n\n")[2], re.MULTILINE)[:3] == [
        "literal",
        "literal(distinct=true)",
        "motif",
    ]
    assert "`motif`\n\n| prediction | distance |" in reports(2).format("markdown")


def test_text_with_a_long_path_fits_80_columns_and_has_all_of_the_path():
    gold = goldassay.Graph.from_edges([("a", "r")])
    path = "/".join(["runs", *"abcdefghijklmnopqrstuvwxyz", "a-long-name.ttl"])
    found = goldassay.evaluate({path: gold, "m": gold}, gold=gold, measures="literal").format()
    table = found.partition("literal|")[0].splitlines()
    assert max(map(len, table)) <= 80
    assert any(line.startswith("…/") and line.count("1.0000") == 3 for line in table)
    column = [line[7:47].strip() for line in table[3:]]
    assert path in "".join(column)


@pytest.mark.parametrize("width", [60, 80, 100])
def test_every_line_fits_the_terminal(width):
    from rich.console import Console

    from goldassay.report.render import text_parts

    console = Console(width=width, record=True, file=io.StringIO())
    for part in text_parts(reports(2), NumberFormat(4), notes=False, width=width):
        if not isinstance(part, str):
            console.print(part)
    lines = console.export_text().splitlines()
    assert lines
    assert max(map(len, lines)) <= width
    assert not any("…" in line for line in lines)


@pytest.mark.parametrize("width", range(47, 120, 7))
@pytest.mark.parametrize("name", ["a.csv", "hierarchies/texeval/science.taxo", "runs/" + "long" * 30 + "/pred.ttl"])
def test_how_files_were_read_is_never_cut(width, name):
    from rich.console import Console

    from goldassay.report.render import text_parts

    graph = goldassay.Graph.from_edges([("a", "r"), ("a", "r")])
    object.__setattr__(graph, "path", name)
    report = goldassay.evaluate({"p": graph}, gold=graph, measures="literal")
    console = Console(width=width, record=True, file=io.StringIO())
    console.print(next(iter(text_parts(report, NumberFormat(4), width=width))))
    shown = console.export_text()
    reading = shown.splitlines()[0].index("how")
    message = "".join(line[reading:] for line in shown.splitlines()[2:]).replace(" ", "")
    assert message == "memory,edges:given,text:given;leftout:duplicates(1)" * 2
