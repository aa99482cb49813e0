"""What spreadsheets make of a table, and what people write: read as it is meant, or refused with its line."""

import csv
import io

import pytest

from goldassay.core.errors import InputError, RecordError
from goldassay.sampling.drawing import draw, simple_design
from goldassay.sampling.results import estimate_file
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
    ],
)
def test_what_spreadsheets_save_is_read(todo, given):
    written(todo, **given)
    assert estimate_file(todo).runs[0].scores[0].precision == 22 / 30


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


def test_more_labels_than_items_are_not_a_simple_sample(todo, tmp_path):
    (tmp_path / "tiny.csv").write_text("child,parent\na,b\n")
    with pytest.raises(InputError, match="More items are labelled"):
        simple_design(todo, [tmp_path / "tiny.csv"], kind="taxonomy")
