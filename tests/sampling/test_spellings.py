"""What spreadsheets make of a table, and what people write: read as it is meant, or refused with its line."""

import csv
import io

import pytest

from goldassay.core.errors import InputError, RecordError
from goldassay.sampling.drawing import draw, simple_design
from goldassay.sampling.results import EstimateOptions, estimate_file
from goldassay.sampling.sample import SampleRequest
from goldassay.sampling.todo import design_path, save_design, save_table, table_rows


@pytest.fixture
def todo(tmp_path):
    (tmp_path / "pred.csv").write_text("child,parent\n" + "".join(f"c{one},p{one % 7}\n" for one in range(120)))
    made = draw([tmp_path / "pred.csv"], kind="taxonomy", asked=SampleRequest(size=30))
    save_table(made.rows, tmp_path / "todo.csv")
    save_design(made.sample, design_path(tmp_path / "todo.csv"))
    return tmp_path / "todo.csv"


def written(todo, *, yes="yes", no="no", separator=",", encoding="utf-8", names=None, more=()):
    rows = [{**row, "label": no if place % 4 == 0 else yes} for place, (_, row) in enumerate(table_rows(todo))]
    out = io.StringIO()
    writer = csv.DictWriter(out, names or list(rows[0]), delimiter=separator, extrasaction="ignore")
    writer.writeheader()
    writer.writerows([*rows, *more])
    todo.write_bytes(out.getvalue().encode(encoding))


@pytest.mark.parametrize(
    "given",
    [
        {"yes": "TRUE", "no": "FALSE"},
        {"yes": " Yes ", "no": "NO"},
        {"yes": "ja", "no": "nein"},
        {"yes": "WAHR", "no": "FALSCH"},
        {"yes": "1.0", "no": "0.0"},
        {"separator": ";", "encoding": "utf-8-sig"},
        {"separator": "\t", "encoding": "utf-16"},
        {"names": ["comment", "label", "parent", "id"]},
        {"names": ["id", "label"]},
        {"more": [{"id": "1", "label": "no", "child": "again"}]},
        {"more": [{}, {"comment": " "}, {}]},
    ],
)
def test_what_spreadsheets_save_is_read(todo, given):
    written(todo, **given)
    assert estimate_file(todo).runs[0].scores[0].precision == 22 / 30


def test_what_excel_saves_in_the_encoding_of_windows_is_read(todo):
    rows = [{**row, "label": "yes", "text": "Käse, 3 €"} for _, row in table_rows(todo)]
    save_table(rows, todo)
    todo.write_bytes(todo.read_text(encoding="utf-8").encode("cp1252"))
    assert estimate_file(todo).runs[0].scores[0].precision == 1
    assert table_rows(todo)[0][1]["text"] == "Käse, 3 €"


def test_ids_that_pandas_made_decimals_are_those_of_the_design(todo):
    rows = [{**row, "id": f"{row['id']}.0", "label": "yes"} for _, row in table_rows(todo)]
    save_table(rows, todo)
    assert "7.0" in todo.read_text()
    assert estimate_file(todo).runs[0].scores[0].precision == 1


def test_all_invalid_labels_are_named_at_once(todo):
    written(todo, yes="maybe", no="nope")
    with pytest.raises(RecordError) as found:
        estimate_file(todo)
    assert (
        found.value.found
        == "'nope' (line 2), 'maybe' (line 3), 'maybe' (line 4), 'maybe' (line 5), 'nope' (line 6) and 25 more"
    )


@pytest.mark.parametrize(
    ("given", "message", "line"),
    [
        ({"yes": "x"}, "Invalid label", 3),
        ({"more": [{"id": "999", "label": "yes"}]}, "not in the design", 32),
        ({"more": [{"child": "new", "label": "yes"}]}, "not in the design", 32),
        ({"more": [{"id": "1", "label": "yes"}]}, "labels an item twice", 32),
    ],
)
def test_what_cannot_be_meant_is_refused(todo, given, message, line):
    written(todo, **given)
    with pytest.raises(RecordError, match=message) as found:
        estimate_file(todo)
    assert found.value.line == line


def test_a_table_that_is_not_there_is_not_one_without_a_design(tmp_path):
    with pytest.raises(InputError, match="File not found"):
        estimate_file(tmp_path / "nothing.csv")


@pytest.mark.parametrize(
    ("rows", "message", "line"),
    [
        ("1,c1,p1,yes\n2,c2,p9,no\n", "The item is not in the prediction", 3),
        ("1,c1,p1,yes\n2,c1,p1,no\n", "An id must be of one item", 3),
        ("1,c1,p1,yes\n1,c2,p2,no\n", "An id must be of one item", 3),
        (",c1,p1,yes\n", "The item has no id", 2),
        ("", "The table contains no items", None),
    ],
)
def test_labels_without_a_design_are_of_items_of_the_prediction(todo, rows, message, line):
    mine, pred = todo.parent / "mine.csv", todo.parent / "pred.csv"
    mine.write_text(f"id,child,parent,label\n{rows}")
    with pytest.raises(InputError, match=message) as found:
        simple_design(mine, [pred], kind="taxonomy")
    assert found.value.line == line


def test_labels_without_a_design_need_the_words_of_items(todo):
    mine = todo.parent / "mine.csv"
    mine.write_text("id,label\n1,yes\n")
    with pytest.raises(InputError, match="does not contain this column") as found:
        simple_design(mine, [todo.parent / "pred.csv"], kind="taxonomy")
    assert found.value.expected.startswith("child, parent: ")


def test_items_of_labels_without_a_design_are_found_as_people_write_them(tmp_path):
    pred, mine = tmp_path / "pred.csv", tmp_path / "mine.csv"
    pred.write_text(
        "source,target,relation\nhttp://a/one,http://b/x,<\nhttp://a/two,http://b/y,=\nhttp://a/three,http://b/z,=\n"
    )
    mine.write_text(
        "id;comment;target;source;relation;label;rater\n7;;http://b/y;two;is the same as;ja;A\n"
        "7;;y;two;=;nein;B\n9;ok;x;http://a/one;<;ja;A\n7;;y;two;=;no;C\n"
    )
    sample = simple_design(mine, [pred], kind="alignment")
    [score] = estimate_file(mine, [pred], sample=sample, wanted=EstimateOptions(by=("relation",))).runs[0].scores
    assert (list(sample.items), score.precision, score.counts["n_pred"]) == (["7", "9"], 1 / 2, 3)
    assert dict(zip(score.breakdowns[0].groups, score.breakdowns[0].values["precision"], strict=True)) == {
        "<": 1,
        "=": 0,
    }
