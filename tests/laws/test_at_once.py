"""How many records of a file are read at once changes nothing, least of all the lines that messages name."""

import json

import pytest

import goldassay
from goldassay.formats import records

SIZE = 12
RECORDS = {
    "triples of documents": ("triples", lambda at: {"id": f"d{at}", "triples": [["a", "r", f"w{at}"]]}),
    "triples without ids": ("triples", lambda at: {"triples": [["a", "r", f"w{at}"]]}),
    "a triple a line": ("triples", lambda at: {"id": f"d{at}", "subject": "a", "predicate": "r", "object": f"w{at}"}),
    "concepts": ("concepts", lambda at: {"id": f"d{at}", "concepts": [f"w{at}"]}),
    "edges": ("taxonomy", lambda at: {"child": f"w{at}", "parent": "a"}),
    "correspondences": (
        "alignment",
        lambda at: {"SrcEntity": f"w{at}", "TgtEntity": f"v{at}", "Relation": "=", "Score": 0.5},
    ),
    "labels": ("labels", lambda at: {"instance": f"i{at}", "label": f"w{at}"}),
    "axioms": ("axioms", lambda at: {"class": f"w{at}", "property": "eats", "object": "a"}),
}
LACKING = {
    "a number": lambda _: 7,
    "a list": lambda _: ["a"],
    "an empty object": lambda _: {},
    "values that are null": lambda record: {**record, **dict.fromkeys(list(record)[1:])},
    "half a triple": lambda record: (
        {**record, "triples": [["a", "r"]]} if "triples" in record else {**record, "object": None}
    ),
    "a value twice": lambda record: record,
}


def outcome(path, kind, on_error):
    try:
        report = goldassay.evaluate(path, gold=path, kind=kind, on_error=on_error)
    except goldassay.InputError as error:
        return error.line, error.found, str(error)
    pred = report.runs[0].pred
    lines = [pred.notes, pred.left_out, report.warnings, [pred.item(row) for row in range(len(pred))]]
    return json.dumps(lines, default=list), [(score.spec, dict(score.counts)) for score in report.runs[0].scores]


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize("lacking", LACKING)
@pytest.mark.parametrize("name", RECORDS)
def test_records_are_read_and_named_as_they_are_all_at_once(tmp_path, monkeypatch, name, lacking):
    kind, record = RECORDS[name]
    some = [record(at) for at in range(SIZE)]
    for place in (4, 9):
        some[place] = LACKING[lacking](some[place])
    if lacking == "a value twice":
        some.insert(7, some[2])
    path = tmp_path / "a.jsonl"
    path.write_text("".join(f"{json.dumps(one)}\n" for one in some))
    whole = [outcome(path, kind, on_error) for on_error in ("skip", "stop")]
    for at_once in (1, 150):
        monkeypatch.setattr(records, "AT_ONCE", at_once)
        assert [outcome(path, kind, on_error) for on_error in ("skip", "stop")] == whole
