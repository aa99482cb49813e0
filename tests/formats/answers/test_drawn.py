"""Tables and trees that are drawn, folded, described or cut short: the same names as in plain ones."""

import polars as pl
import pytest

import goldassay

EDGES = ["cat -> pet", "dog -> pet", "pet -> animal"]
ROWS = [edge.split(" -> ") for edge in EDGES]
GRID = "+-------+--------+"
GRIDS = [
    "\n".join([GRID, "| child | parent |", "+=======+========+", *(f"| {a} | {b} |\n{GRID}" for a, b in ROWS)]),
    "\n".join([GRID, "| child | parent |", GRID, *(f"| {a} | {b} |" for a, b in ROWS), GRID]),
    str(pl.DataFrame(ROWS, schema=["child", "parent"], orient="row")),
    "\n".join(
        ["┏━━━━┳━━━━┓", "┃ child ┃ parent ┃", "┡━━━━╇━━━━┩", *(f"│ {a} │ {b} │" for a, b in ROWS), "└────┴────┘"]
    ),
    "\n".join(["╒══╤══╕", "│ child │ parent │", "╞══╪══╡", *(f"│ {a} │ {b} │\n├──┼──┤" for a, b in ROWS)]),
]
LATEX = [
    "\\begin{tabular}{ll}\n\\toprule\nchild & parent \\\\\n\\midrule\n%s\\bottomrule\n\\end{tabular}\n",
    "\\begin{tabular}{lll}\n\\toprule\n & child & parent \\\\\n\\midrule\n%s\\bottomrule\n\\end{tabular}\n",
    "\\begin{table}\n\\begin{tabular}{|l|l|}\n\\hline\n\\textbf{child} & \\textbf{parent} \\\\\n\\hline\n%s\\end{tabular}\n\\end{table}\n",
]
TREES = {
    "a description below an item": "- animal\n  A living thing that moves.\n  - pet\n    It lives with people.\n    - cat\n    - dog",
    "a description below a number": "1. animal\n   An organism\n   - pet\n     - cat\n     - dog",
    "fields": "- Class: animal\n  - Subclass: pet\n    - Subclass: cat\n    - Subclass: dog",
    "hooks": "animal\n ↳ pet\n   ↳ cat\n   ↳ dog",
    "and so on": "- animal\n  - pet\n    - cat\n    - dog\n    - etc.",
    "more items": "- animal\n  - pet\n    - cat\n    - dog\n    - [... 10 more items ...]",
    "folders": "animal/\n└── pet/\n    ├── cat/\n    └── dog/",
    "a line down": "animal\n│\n└── pet\n    │\n    ├── cat\n    └── dog",
    "folded": "<details><summary>animal</summary>\n\n- pet\n  - cat\n  - dog\n\n</details>",
    "classes of Python": "from owlready2 import *\nwith onto:\n    class animal(Thing): pass\n    class pet(animal): pass\n    class cat(pet):\n        pass\n    class dog(pet):\n        pass",
    "JSON": '{"animal": {"pet": ["cat", "dog", "..."]}}',
    "a mind map": "@startmindmap\ntitle Animals\n*[#Orange] animal\n** pet\n***_ cat\n*** dog\n@endmindmap",
    "a mind map to both sides": "@startmindmap\n+ animal\n++ pet\n+++ cat\n--- dog\n@endmindmap",
    "a breakdown": "@startwbs\n* animal\n** pet\n*** cat\n*** dog\n@endwbs",
}


def edges_of(path, text):
    path.write_text(text)
    graph = goldassay.read(path, kind="taxonomy")
    return sorted(map(graph.item, range(len(graph))))


@pytest.mark.parametrize("table", GRIDS)
@pytest.mark.parametrize("around", ["{}", "Here it is:\n\n{}\n", "```\n{}\n```"])
def test_drawn_tables_are_tables(tmp_path, table, around):
    assert edges_of(tmp_path / "a.txt", around.format(table)) == EDGES


@pytest.mark.parametrize("table", LATEX)
def test_tables_of_latex_are_tables(tmp_path, table):
    numbered = " & child" in table
    rows = [f"{at} & {a} & {b} \\\\\n" if numbered else f"  {a} & {b} \\\\\n" for at, (a, b) in enumerate(ROWS)]
    assert edges_of(tmp_path / "a.txt", table % "".join(rows)) == EDGES


@pytest.mark.parametrize("table", [*GRIDS, *(table % "cat & pet \\\\\ndog & pet \\\\\n" for table in LATEX[::2])])
@pytest.mark.parametrize("around", ["{}", "Here it is:\n\n{}\n"])
def test_a_table_that_is_longer_than_what_is_looked_at_is_one_too(tmp_path, table, around):
    lines = table.split("\n")
    at = next(at for at, line in enumerate(lines) if "dog" in line)
    # A rule between rows is repeated with the row.
    row = "\n".join(lines[at : at + 1 + (lines[at + 1] == lines[at - 1])])
    many = "\n".join(row.replace("dog", f"dog{number}") for number in range(1000))
    found = edges_of(tmp_path / "a.txt", around.format(table.replace(row, many)))
    assert {edge for edge in found if edge.startswith("dog")} == {f"dog{number} -> pet" for number in range(1000)}


def test_a_row_over_several_lines_is_one(tmp_path):
    text = f"{GRID}\n| child | parent |\n{GRID}\n| cat | pet |\n| fish | |\n{GRID}\n| dog | pet |\n{GRID}\n"
    assert edges_of(tmp_path / "a.txt", text) == ["cat fish -> pet", "dog -> pet"]


def test_marks_of_latex_are_no_names(tmp_path):
    text = "\\begin{tabular}{ll}\nchild & parent \\\\\ncat\\_food & \\textit{pet \\& food} \\\\\n\\end{tabular}\n"
    assert edges_of(tmp_path / "a.txt", text) == ["cat_food -> pet & food"]


@pytest.mark.parametrize("name", TREES)
def test_what_is_around_names_is_none(tmp_path, name):
    assert edges_of(tmp_path / "a.txt", TREES[name]) == EDGES


def test_names_without_bullets_stay_names(tmp_path):
    text = "1. Animals\n  Mammals\n  - cat\n  - dog\n  Birds\n  - eagle"
    found = edges_of(tmp_path / "a.txt", text)
    assert found == ["Birds -> Animals", "Mammals -> Animals", "cat -> Mammals", "dog -> Mammals", "eagle -> Birds"]


@pytest.mark.parametrize(
    "sentence",
    [
        "The parent of {0} is {1}.", "The parent class of a {0} is {1}", "- The hypernym of **{0}** is **{1}**.",
        "The superclass of the {0} is the {1}.", "The child of {1} is {0}.", "The subclass of {1} is {0}.",
    ],
)  # fmt: skip
def test_sentences_may_begin_with_what_a_name_is_to_another(tmp_path, sentence):
    assert edges_of(tmp_path / "a.txt", "\n".join(sentence.format(*row) for row in ROWS)) == EDGES
