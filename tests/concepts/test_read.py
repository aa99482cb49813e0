"""Reading documents: every format, and every way in which a file can be wrong."""

import contextlib
import gzip
import json
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import goldassay
from goldassay.concepts import Concepts, read_concepts
from goldassay.concepts.read import read_references
from goldassay.concepts.reading import READABLE, ConceptReading
from goldassay.concepts.show import mention_frame, write_concepts
from goldassay.core.errors import InputError, UsageError
from goldassay.formats import Source, recognise

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "concepts"
SKIP = ConceptReading(on_error="skip")


def items(concepts):
    return [concepts.item(row) for row in range(len(concepts))]


def write(tmp_path, text, name="a.jsonl"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "jsonl", "jsonl.gz"])
@pytest.mark.parametrize("column", ["text", "concepts"])
def test_every_format_reads_alike(tmp_path, ending, column):
    cells = {"text": ["Take aspirin for fever.", ""], "concepts": [["aspirin", "fever"], []]}[column]
    frame = pl.DataFrame({"qid": ["q1", "q2"], column: cells})
    flat = frame.with_columns(pl.col("concepts").list.join("; ")) if column == "concepts" else frame
    path = tmp_path / f"a.{ending}"
    match ending:
        case "csv":
            flat.write_csv(path)
        case "tsv":
            flat.write_csv(path, separator="\t", quote_style="never")
        case "parquet":
            frame.write_parquet(path)
        case _:
            text = "".join(json.dumps(row) + "\n" for row in frame.to_dicts()).encode()
            path.write_bytes(gzip.compress(text) if ending.endswith("gz") else text)
    concepts = read_concepts(path)
    assert items(concepts) == ["q1: aspirin", "q1: fever"]
    assert concepts.ids.tolist() == ["q1", "q2"]
    assert concepts.facts["documents_without_concepts"] == 1
    assert "1 document without a concept: q2" in concepts.notes


def test_records_without_ids_are_warned_of(tmp_path):
    for name, text in (
        ("a.jsonl", '{"concepts": ["cat"]}\n{"concepts": ["dog"]}\n'),
        ("a.csv", "concepts\ncat\ndog\n"),
    ):
        assert "numbered in the order of the file" in " ".join(read_concepts(write(tmp_path, text, name)).warnings)


def test_plain_text_has_an_answer_a_line(tmp_path):
    path = write(tmp_path, "Take aspirin.\r\n\r\nNo fever.\n", "a.txt")
    concepts = read_concepts(path)
    assert concepts.ids.tolist() == ["1", "2", "3"]
    assert items(concepts) == ["1: aspirin", "3: fever (negated)"]
    assert concepts.warnings == ()
    assert items(read_concepts(write(tmp_path, "Take aspirin.", "a"))) == ["1: aspirin"]


@pytest.mark.parametrize(
    "cell",
    [
        '["aspirin", "fever"]',
        "['aspirin', 'fever']",
        "aspirin|fever",
        "aspirin ; fever",
        '[{"text": "aspirin"}, "fever"]',
    ],
)
def test_lists_in_cells(tmp_path, cell):
    path = tmp_path / "a.csv"
    pl.DataFrame({"id": ["q1"], "concepts": [cell]}).write_csv(path)
    assert items(read_concepts(path)) == ["q1: aspirin", "q1: fever"]


def test_concepts_with_ids_and_duplicates(tmp_path):
    line = {"id": 7, "concepts": [{"name": "heart attack", "cui": "C1"}, {"label": "MI", "id": "C1"}, " a  b ", "a b"]}
    concepts = read_concepts(write(tmp_path, json.dumps(line)))
    assert items(concepts) == ["7: MI", "7: a b"]
    assert (concepts.concept_ids.tolist(), concepts.left_out) == (["C1", ""], {"duplicates": 2})


def test_folding_given_concepts(tmp_path):
    path = write(tmp_path, '{"id": 1, "concepts": ["Heart-attacks", "heart attack"]}')
    assert len(read_concepts(path)) == 2
    folded = read_concepts(path, ConceptReading(fold=True))
    assert (len(folded), folded.choices) == (1, {"concepts": "given,folded"})


def test_one_file_with_both_sides(tmp_path):
    path = write(tmp_path, "id,prediction,reference\nq1,Take aspirin.,No fever.\n", "a.csv")
    assert items(read_concepts(f"{path}#reference")) == ["q1: fever (negated)"]
    assert items(read_concepts(path, ConceptReading(text="prediction"))) == ["q1: aspirin"]
    with pytest.raises(goldassay.InputError, match="Several columns are recognised as the text") as caught:
        read_concepts(path)
    assert "#prediction" in str(caught.value)
    with pytest.raises(goldassay.UsageError, match="'referense'"):
        read_concepts(f"{path}#referense")
    lists = write(tmp_path, '{"id": 1, "gold": ["a"], "system": ["b", "c"]}')
    with pytest.raises(goldassay.RecordError, match="The text in line 1 cannot be read"):
        read_concepts(f"{lists}#gold", ConceptReading(dictionary=str(EXAMPLES / "health.obo")))
    assert items(read_concepts(f"{lists}#system")) == ["1: b", "1: c"]


@pytest.mark.parametrize(
    ("text", "messages", "line"),
    [
        ('{"id": 1, "text": "a"}\n{"id": 1, "text": "b"}\n', "The id '1' occurs twice", 2),
        ('{"id": 1, "text": "a"}\n{"id": 2, "text": null}\n', "The text in line 2 cannot be read", 2),
        ('{"id": 1, "text": "a"}\n{"id": 2, "text": 7}\n', "The text in line 2 cannot be read", 2),
        ('{"id": 1, "text": "a"}\n{"id": 2}\n', "The text is missing", 2),
        ('{"id": 1, "text": "a"}\n{"id": null, "text": "b"}\n', "The id in line 2 cannot be read", 2),
        ('{"id": 1, "text": "a"}\n{"id": 1.5, "text": "b"}\n', "The id in line 2 cannot be read", 2),
        ('{"id": 1, "concepts": ["a"]}\n{"id": 2, "concepts": "a; b"}\n', "The concepts in line 2 cannot be read", 2),
        ('{"id": 1, "concepts": ["a"]}\n{"id": 2, "concepts": null}\n', "The concepts in line 2 cannot be read", 2),
        ('{"id": 1, "concepts": ["a"]}\n{"id": 2, "concepts": ["a", 7]}\n', "The concepts in line 2 cannot be read", 2),
        ('{"id": 1, "concepts": ["a"]}\n{"id": 2, "concepts": [" "]}\n', "The concepts in line 2 cannot be read", 2),
        ('{"id": 1, "text": "a"}\n\n{"id": 2, "text": NaN}\n', "not a JSON object", 3),
        ('{"id": 1, "text": "a"}\n["a"]\n', "not a JSON object", 2),
        ('{"id": 1, "text": "a"}\n{"id": 2, "text": "\\ud800"}\n', "not a JSON object", 2),
        (b'{"id": 1, "text": "a"}\n{"id": 2, "text": "caf\xe9"}\n', "not in UTF-8", 2),
    ],
)
def test_a_bad_record_says_its_line_and_can_be_skipped(tmp_path, text, messages, line):
    path = write(tmp_path, text)
    with pytest.raises(goldassay.RecordError, match=messages) as caught:
        read_concepts(path)
    assert caught.value.line == line
    concepts = read_concepts(path, SKIP)
    assert (concepts.ids.tolist(), concepts.left_out["skipped_records"]) == (["1"], 1)
    assert any(f"skipped line {line}" in note for note in concepts.notes)


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("id,text\nq1,a\nq1,b\n", "The id 'q1' occurs twice"),
        ("id,text\nq1,a\nq2\n", "The text is missing"),
        ('id,text\nq1,a\nq2,"b" c\n', "Unbalanced quotes in this row"),
        ('id,concepts\nq1,a\nq2,"[1, 2"\n', "The concepts in line 3"),
        ("id,text\nq1,a\n,b\n", "The id in line 3"),
    ],
)
def test_bad_rows_of_a_table(tmp_path, text, messages):
    path = write(tmp_path, text, "a.csv")
    with pytest.raises(goldassay.RecordError, match=messages) as caught:
        read_concepts(path)
    assert caught.value.line == 3
    assert read_concepts(path, SKIP).ids.tolist() == ["q1"]


@pytest.mark.parametrize(
    ("name", "text", "messages"),
    [
        ("a.jsonl", "", "The file is empty"),
        ("a.jsonl", "\ufeff", "The file is empty"),
        ("a.csv", "id,text\n", "contains no document"),
        ("a.csv", "id,price\nq1,7\n", "No column is recognised as texts, concepts or trees"),
        ("a.csv", "id,id\nq1,7\n", "Two columns have the same name"),
        ("a.json", '[\n{"id": 1}]', "No column is recognised"),
        ("a.pkl", "\x80\x04\0\0\0", "The file is binary"),
        ("a.txt", "PK\x03\x04", "a ZIP archive"),
        ("a.html", "<html>", "The format of this file is not recognised"),
        ("a.parquet", "PAR1 no more", "Invalid Parquet file"),
        ("a.csv", b"id,text\nq1,caf\xe9\n", "not in the encoding utf-8"),
    ],
)
def test_a_file_that_cannot_be_read(tmp_path, name, text, messages):
    with pytest.raises(goldassay.InputError, match=messages):
        read_concepts(write(tmp_path, text, name))


@pytest.mark.parametrize(
    "options",
    [
        {"on_unpaired": "maybe"},
        {"on_error": "maybe"},
        {"input_format": "xlsx"},
        {"longest": 0},
        {"dictionary": "a.obo", "spacy": "b"},
        {"dictionary": "a.obo", "concepts": "b"},
    ],
)
def test_options_that_there_are_not(options):
    with pytest.raises(goldassay.UsageError):
        ConceptReading(**options)


def test_numbers_of_documents_stay_when_one_is_skipped(tmp_path):
    path = write(tmp_path, b"Aspirin.\n\xff\xfe\xff\nFever.\n", "a.txt")
    assert read_concepts(path, SKIP).ids.tolist() == ["1", "3"]
    lines = write(tmp_path, '{"text": "a b"}\nbroken\n{"text": "c"}\n')
    assert read_concepts(lines, SKIP).ids.tolist() == ["1", "3"]


def test_utf_16_and_a_byte_order_mark(tmp_path):
    text = "id,text\nq1,Café au lait\n"
    for encoding in ("utf-16", "utf-8-sig"):
        assert items(read_concepts(write(tmp_path, text.encode(encoding), "a.csv"))) == ["q1: café au lait"]
    line = '{"id": "q1", "text": "Café au lait"}\n'
    for encoding in ("utf-16", "utf-8-sig"):
        assert items(read_concepts(write(tmp_path, line.encode(encoding)))) == ["q1: café au lait"]


def test_unpaired_documents_are_listed_or_refused(tmp_path):
    gold = write(tmp_path, '{"id": 1, "concepts": ["a"]}\n{"id": 2, "concepts": ["a"]}\n', "gold.jsonl")
    pred = write(tmp_path, '{"id": 1, "concepts": ["a"]}\n{"id": 3, "concepts": ["a"]}\n', "pred.jsonl")
    with pytest.warns(goldassay.SuspectInputWarning, match=r"no prediction: 2|no gold: 3"):
        report = goldassay.evaluate(pred, gold=gold, kind="concepts", measures="concept_exact")
    assert len(report.runs[0].warnings) == 2
    assert report["concept_exact"].precision == 1 / 3
    with pytest.raises(goldassay.InputError, match="have no counterpart"):
        goldassay.evaluate(pred, gold=gold, kind="concepts", measures="concept_exact", on_unpaired="error")


def test_two_megabytes_in_one_answer(tmp_path):
    text = "Take aspirin for a fever, or not. " * 60_000
    path = tmp_path / "a.csv"
    pl.DataFrame({"id": ["q1"], "text": [text]}).write_csv(path)
    concepts = read_concepts(path)
    assert items(concepts) == ["q1: aspirin", "q1: fever"]
    assert len(concepts.mentions.items) == 120_000


def test_what_was_found_reads_back_with_the_same_scores(tmp_path):
    sides = {}
    for name in ("gold", "paraphrase"):
        found = read_concepts(EXAMPLES / f"{name}.jsonl", ConceptReading(dictionary=str(EXAMPLES / "health.obo")))
        write_concepts(found, tmp_path / f"{name}.jsonl")
        sides[name] = (found, read_concepts(tmp_path / f"{name}.jsonl"))
        frame = mention_frame(found)
        assert all(
            str(found.texts[found.ids.tolist().index(row["document"])])[row["start"] : row["end"]] == row["surface"]
            for row in frame.to_dicts()
        )
    values = [
        goldassay.evaluate(sides["paraphrase"][place], gold=sides["gold"][place], kind="concepts", encoder="hashing")
        for place in (0, 1)
    ]
    assert [score.values for score in values[0].runs[0].scores] == [score.values for score in values[1].runs[0].scores]


def test_two_documents_of_one_id_in_memory():
    with pytest.raises(goldassay.InputError, match="Two documents have the same id"):
        Concepts.from_lists([("a", []), ("a", [])])


PIECES = st.sampled_from(
    [
        *('{"id": 1, "text": "a b"}', '{"id": "x", "concepts": ["a", {"id": "C"}]}', '{"id": null}', "[1]", "NaN", "{}"),
        *("id,text", "id\ttext", "q1,a", 'q1,"a', "q2,'[1,'", "\0", "\ud800".encode("utf-8", "surrogatepass").decode("latin-1")),
        *("", " ", ",", "\t", "\ufeff", "\r", "é", "猫が好き", "نص", '"', "\\ud83d", '{"text": "\\u0000"}', "PAR1"),
    ]
)  # fmt: skip
FILES = st.one_of(
    st.binary(max_size=60),
    st.lists(PIECES, max_size=6)
    .map("\n".join)
    .flatmap(
        lambda text: st.sampled_from(["utf-8", "utf-16", "utf-8-sig", "latin-1"]).map(
            lambda encoding: text.encode(encoding, "replace")
        )
    ),
)


@given(
    data=FILES, cut=st.integers(0, 40), name=st.sampled_from(["a.jsonl", "a.csv", "a.tsv", "a.txt", "a.parquet", "a"])
)
def test_any_bytes_read_or_say_why_not(tmp_path_factory, data, cut, name):
    path = tmp_path_factory.getbasetemp() / name
    path.write_bytes(data[: len(data) - cut] or data)
    for reading in (ConceptReading(), SKIP):
        try:
            concepts = read_concepts(path, reading)
        except goldassay.GoldassayError:
            continue
        assert len(set(concepts.ids.tolist())) == len(concepts.ids)
        assert all(items(concepts))
    with contextlib.suppress(goldassay.InputError):
        assert recognise(Source(path="a", name=name, data=data, size=len(data)), READABLE) in READABLE


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4) | st.just("\ud800"),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["text", "id", "key", "name", "x"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(
    records=st.lists(
        st.fixed_dictionaries({}, optional=dict.fromkeys(["id", "text", "concepts", "answer"], VALUES)), max_size=3
    ),
    fold=st.booleans(),
)
def test_any_json_reads_or_says_why_not(tmp_path_factory, records, fold):
    path = tmp_path_factory.getbasetemp() / "any.jsonl"
    path.write_text("\n".join(map(json.dumps, records)))
    for on_error in ("stop", "skip"):
        try:
            concepts = read_concepts(path, ConceptReading(fold=fold, on_error=on_error))
        except goldassay.GoldassayError:
            continue
        assert len(concepts.ids) + concepts.left_out.get("skipped_records", 0) == len(records)
        assert all(items(concepts))


def test_members_that_python_holds_equal_are_reported_apart(tmp_path):
    file = tmp_path / "a.jsonl"
    some = [{"text": "a", "negated": True}, {"text": "a", "negated": 1}], [{"id": 1}, {"id": "1", "text": "b"}]
    file.write_text("".join(json.dumps({"id": f"d{row}", "concepts": one}) + "\n" for row, one in enumerate(some)))
    concepts = read_concepts(file)
    assert [concepts.item(row) for row in range(len(concepts))] == ["d0: a", "d0: a (negated)", "d1: 1"]
    for wrong in (True, 1.0):
        file.write_text(json.dumps({"id": "d", "concepts": [{"id": 1}, {"id": wrong}]}))
        with pytest.raises(InputError, match=f"among them {{'id': {wrong}}}"):
            read_concepts(file)


def test_lines_are_counted_over_blank_ones(tmp_path):
    file = tmp_path / "a.jsonl"
    file.write_text(
        '\n\n{"id": 1, "concepts": []}\n\n \n{"id": 2, "concepts": [7]}\n\u3000\n{"id": 1, "concepts": []}\n', "utf-8"
    )
    notes = read_concepts(file, ConceptReading(on_error="skip")).notes
    assert [note.partition(":")[0] for note in notes if "line" in note] == ["skipped line 6", "skipped line 8"]


def test_a_concept_in_each_json_record_is_one_of_its_document(tmp_path):
    records = [{"id": "d1", "concept": "cat"}, {"id": "d1", "concept": "wild dog"}, {"id": "d2", "concept": "cat"}]
    path = write(tmp_path, json.dumps(records), "a.json")
    assert items(read_concepts(path)) == ["d1: cat", "d1: wild dog", "d2: cat"]


def test_example_of_read_references():
    import pathlib
    import tempfile

    file = pathlib.Path(tempfile.mkdtemp(), "gold.jsonl")
    _ = file.write_text('{"id": 1, "concepts": ["aspirin"]}\n{"id": 1, "concepts": ["ASA", "aspirin"]}\n')
    assert [len(gold) for gold in read_references(file)] == [1, 2]


@pytest.mark.parametrize("chosen", [{}, {"concepts": "concepts"}])
def test_given_concepts_are_not_searched_for(tmp_path, chosen):
    path = write(tmp_path, json.dumps({"id": "d1", "concepts": ["asthma"]}))
    with pytest.raises(UsageError, match=r"both given in a column and found in the text"):
        read_concepts(path, ConceptReading(dictionary=str(EXAMPLES / "health.obo"), **chosen))
