"""Tables as programs show them in a terminal: in every layout and family they are read as their rows."""

from __future__ import annotations

import pytest

import goldassay

ROWS = {
    "taxonomy": [("child", "parent"), ("guide dog", "animal"), ("cat", "animal"), ("poodle", "guide dog")],
    "triples": [("subject", "predicate", "object"), ("Oslo", "capital of", "Norway"), ("Bergen", "in", "the Norway")],
    "alignment": [("source", "target"), ("dog", "Hund"), ("cat", "Katze")],
    "labels": [("instance", "label"), ("i1", "sport"), ("i2", "politics")],
    "axioms": [("class", "property", "object"), ("Dog", "hasOwner", "Person"), ("Cat", "eats", "Mouse")],
    "concepts": [("id", "concept"), ("d1", "aspirin"), ("d1", "high fever"), ("d2", "asthma")],
}


def lines_of(rows, between, *, before="", behind="", right=False, numbered=False):
    if numbered:
        rows = [("", *rows[0]), *((str(number), *row) for number, row in enumerate(rows[1:]))]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    pad = str.rjust if right else str.ljust
    lines = [between.join(map(pad, row, widths)) for row in rows]
    return [f"{before}{line}{behind}" for line in lines], widths


def plain(rows):
    return "\n".join(lines_of(rows, "  ")[0])


def numbered(rows):
    return "\n".join(lines_of(rows, "  ", numbered=True)[0])


def pandas(rows):
    return "\n".join(lines_of(rows, "  ", right=True, numbered=True)[0])


def ruled(rows, *, sign="-", closed=False, gap="  "):
    (head, *below), widths = lines_of(rows, gap)
    rule = gap.join(sign * width for width in widths)
    return "\n".join([*([rule] * closed), head, rule, *below, *([rule] * closed)])


def barred(rows, *, corner="+", closed=True, begin="+", end="+"):
    (head, *below), widths = lines_of(rows, " | ", before="| ", behind=" |")
    rule = corner.join("-" * (width + 2) for width in widths)
    outer = f"{begin}{rule}{end}"
    return "\n".join([*([outer] * closed), head, f"|{rule}|", *below, *([outer] * closed)])


def minimal(rows):
    (head, *below), widths = lines_of(rows, " \u2502 ", before="  ")
    edge = "  " + " ".join(" " * (width + 1) for width in widths)
    rule = "\u253c".join("\u2500" * (width + 2) for width in widths)
    return "\n".join([edge.replace(" ", "\u2577", 1), head, f" \u2576{rule[1:-1]}\u2574", *below])


LAYOUTS = {
    "tabulate, plain": plain,
    "tabulate, plain with numbers": numbered,
    "pandas": pandas,
    "tabulate, simple": ruled,
    "tabulate, rst": lambda rows: ruled(rows, sign="=", closed=True),
    "rich, SIMPLE_HEAVY": lambda rows: ruled(rows, sign="\u2501", gap="   "),
    "rich, HORIZONTALS": lambda rows: ruled(rows, sign="\u2500", closed=True, gap="   "),
    "tabulate, psql": barred,
    "tabulate, orgtbl": lambda rows: barred(rows, closed=False),
    "rich, MINIMAL": minimal,
}


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize("kind", ROWS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_shown_table_is_its_rows(layout, kind, tmp_path):
    shown, table = tmp_path / "shown.txt", tmp_path / "table.csv"
    table.write_text("".join(",".join(row) + "\n" for row in ROWS[kind]), encoding="utf-8")
    expected = goldassay.read(table, kind=kind)
    for text in (LAYOUTS[layout](ROWS[kind]), f"```\n{LAYOUTS[layout](ROWS[kind])}\n```"):
        shown.write_text(text, encoding="utf-8")
        model = goldassay.read(shown, kind=kind)
        assert sorted(map(model.item, range(len(model)))) == sorted(map(expected.item, range(len(expected))))


@pytest.mark.parametrize(
    "text",
    [
        # A cell reaches below the next name: where it ends is not shown.
        "child  parent\n-----  ------\na guide dog animal",
        "child  parent\n-----  ------",
    ],
)
def test_cells_without_a_gap_and_rules_without_rows_are_refused(text, tmp_path):
    path = tmp_path / "shown.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(goldassay.InputError):
        goldassay.read(path)
