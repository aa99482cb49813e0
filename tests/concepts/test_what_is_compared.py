"""Files of one layout whose concepts all differ have nothing in common; and a file with the right concepts has all of them."""

import json

import pytest

import goldassay
from goldassay.concepts.read import read_concepts

RIGHT = {"d1": ["heart attack", "aspirin", "fever"], "d2": ["diabetes", "insulin"], "d3": ["asthma"]}
WRONG = {"d1": ["stroke", "heparin", "cough"], "d2": ["gout", "colchicine"], "d3": ["anemia"]}
TEXT = "The patient had a headache and took ibuprofen for nausea in the hospital."
NO_IDS = ("-", "-1", "", "NIL", "None", "null", "CUI-less", "UNK", "unknown", "O", "nan", "N/A", "NA")


def lines(record):
    return lambda documents: "".join(
        json.dumps({"id": name, **record(some)}) + "\n" for name, some in documents.items()
    )


def table(header, cell):
    return lambda documents: (
        f"{header}\n" + "".join(f'{name},{TEXT},"{cell(some)}"\n' for name, some in documents.items())
    )


def objects(*members):
    return lines(
        lambda some: {
            "entities": [dict(zip(members[::2], _values(one, at, members), strict=True)) for at, one in enumerate(some)]
        }
    )


def _values(name, at, members):
    return [{"NAME": name, "NUMBER": at, "T": f"T{at + 1}"}.get(one, one) for one in members[1::2]]


def placed(**more):
    def record(some):
        text = "; ".join(some)
        return {
            "text": text,
            "ents": [{"start": (at := text.index(one)), "end": at + len(one), **more} for one in some],
        }

    return lines(record)


def pubtator(documents):
    found = ""
    for name, some in documents.items():
        text = "; ".join(some)
        found += f"{name}|t|{text}\n{name}|a|.\n"
        found += "".join(
            f"{name}\t{text.index(one)}\t{text.index(one) + len(one)}\t{one}\tDisease\t-\n" for one in some
        )
        found += "\n"
    return found


SHAPES = {
    "keywords of KP20k": (".jsonl", lines(lambda some: {"title": "x", "abstract": TEXT, "keyword": ";".join(some)})),
    "keywords next to a text": (".jsonl", lines(lambda some: {"text": TEXT, "keyword": ";".join(some)})),
    "tags next to a text": (".jsonl", lines(lambda some: {"text": TEXT, "tags": some})),
    "a column of keyphrases": (".csv", table("id,text,keyphrase", "; ".join)),
    "a column of tags": (".csv", table("id,text,tags", "|".join)),
    "a column of lists of Python": (".csv", table("id,text,extracted", repr)),
    "a column of predicted keywords": (".csv", table("id,text,predicted_keywords", "; ".join)),
    "running numbers": (".jsonl", objects("id", "NUMBER", "text", "NAME")),
    "numbers of BRAT": (".jsonl", objects("id", "T", "text", "NAME", "type", "DIS")),
    "running numbers of concepts": (".jsonl", objects("concept_id", "NUMBER", "name", "NAME")),
    "numbers in an answer": (
        ".jsonl",
        lines(lambda some: {"output": json.dumps([{"id": at, "concept": one} for at, one in enumerate(some)])}),
    ),
    **{f"no id: {text!r}": (".jsonl", objects("id", text, "text", "NAME")) for text in NO_IDS},
    **{f"no {key}": (".jsonl", objects(key, "unknown", "text", "NAME")) for key in ("cui", "code", "kb_id", "curie")},
    "no id: -1 as a number": (".jsonl", objects("id", -1, "text", "NAME")),
    "PubTator without ids": (".pubtator", pubtator),
    "spaCy without ids": (".jsonl", placed(label="DIS", kb_id="NIL")),
    "places with a class": (".jsonl", placed(entity="DIS")),
    **{
        f"an {key} with a label": (".jsonl", objects(key, "NAME", "label", "DIS"))
        for key in ("entity", "phrase", "keyword", "keyphrase")
    },
}
"""What models and tools write: the name of the file ends so, and this is in it."""
ANSWERS = ("answer", "output", "prediction", "response", "summary", "generated", "generated_text", "hypothesis")
SIDES = {
    "concepts": ("concepts", "predicted_concepts"),
    "keywords": ("keywords", "predicted_keywords"),
    "an answer": ("keywords", "output"),
    "both named": ("gold_concepts", "predicted_concepts"),
}


def written(path, text):
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.filterwarnings("ignore::goldassay.SuspectInputWarning")
@pytest.mark.parametrize("shape", SHAPES)
def test_what_differs_has_nothing_in_common_and_the_same_has_all(shape, tmp_path):
    suffix, write = SHAPES[shape]
    pred = written(tmp_path / f"pred{suffix}", write(WRONG))
    gold = written(tmp_path / f"gold{suffix}", write(RIGHT))
    listed = written(
        tmp_path / "gold.csv", "id,concept\n" + "".join(f"{a},{b}\n" for a, some in RIGHT.items() for b in some)
    )
    for one in (gold, listed):
        counts = goldassay.evaluate(pred, gold=one, kind="concepts", measures="concept_exact")["concept_exact"].counts
        assert (counts["hit_pred"], counts["n_pred"], counts["n_gold"]) == (0, 6, 6)
    assert goldassay.evaluate(gold, gold=listed, kind="concepts", measures="concept_exact")["concept_exact"].f1 == 1


@pytest.mark.parametrize("suffix", [".csv", ".jsonl"])
@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_is_judged_and_not_the_text_next_to_it(name, suffix, tmp_path):
    record = {"id": "1", "text": "Take aspirin.", name: "The weather changed."}
    rows = (
        json.dumps(record) + "\n" if suffix == ".jsonl" else f"id,text,{name}\n1,Take aspirin.,The weather changed.\n"
    )
    path = written(tmp_path / f"a{suffix}", rows)
    concepts = read_concepts(path)
    assert [concepts.item(row) for row in range(len(concepts))] == ["1: weather"]
    assert f"'{name}' is read as the text, and not 'text'" in concepts.warnings
    assert goldassay.read(path, kind="sentences").wordings == (("The weather changed.",),)


@pytest.mark.parametrize("suffix", [".csv", ".jsonl"])
@pytest.mark.parametrize("sides", SIDES)
def test_predictions_next_to_gold_are_refused_with_hints_that_work(sides, suffix, tmp_path):
    gold, pred = SIDES[sides]
    record = (
        {"id": "d1", gold: ["fever"], pred: ["cough"]} if pred != "output" else {"id": "d1", gold: ["fever"], pred: "x"}
    )
    rows = json.dumps(record) + "\n" if suffix == ".jsonl" else f"id,{gold},{pred}\nd1,fever; gout,cough; x\n"
    path = written(tmp_path / f"a{suffix}", rows)
    with pytest.raises(goldassay.InputError, match="a column of predicted concepts and one of gold concepts") as caught:
        read_concepts(path)
    assert f"--concepts-column {pred}" in (caught.value.hint or "")
    assert len(goldassay.read(path, kind="concepts", concepts=gold).ids) == 1


def test_a_table_with_a_concept_of_each_side_on_a_row_is_refused_too(tmp_path):
    path = written(tmp_path / "a.csv", "id,concept,predicted_concept\nd1,fever,cough\nd1,gout,x\n")
    with pytest.raises(goldassay.InputError, match="a column of predicted concepts"):
        read_concepts(path)
    read = goldassay.read(path, kind="concepts", concepts="predicted_concept")
    assert [read.item(row) for row in range(len(read))] == ["d1: cough", "d1: x"]


@pytest.mark.parametrize("name", ["tags", "ner_tags", "labels"])
@pytest.mark.parametrize(
    ("tags", "mentions"),
    [
        ("O B-DIS I-DIS O B-DRUG", ["heart attack", "aspirin"]),
        ("O I-DIS I-DIS O I-DRUG", ["heart attack", "aspirin"]),
        ("O B-DIS E-DIS O S-DRUG", ["heart attack", "aspirin"]),
        ("O B-DIS B-DIS O U-DRUG", ["attack", "aspirin", "heart"]),
        ("O O O O O", []),
    ],
)
def test_tags_of_tokens_are_mentions(tags, mentions, name, tmp_path):
    record = {"id": "d1", "tokens": ["His", "heart", "attack", "needs", "aspirin"], name: tags.split()}
    path = written(tmp_path / "a.jsonl", json.dumps(record) + "\n")
    read = read_concepts(path)
    assert sorted(map(read.item, range(len(read)))) == sorted(f"d1: {one}" for one in mentions)


def test_tags_in_a_column_are_refused_with_what_can_be_read(tmp_path):
    path = written(tmp_path / "a.tsv", "no\tO\nfever\tB-DIS\n")
    with pytest.raises(goldassay.InputError, match="write a record for each document") as refused:
        read_concepts(path)
    record = refused.value.hint.partition(": ")[2]
    assert len(read_concepts(written(tmp_path / "b.jsonl", record + "\n"))) == 1


def test_spans_of_one_annotator_are_concepts(tmp_path):
    record = {"id": "d1", "text": "A fever", "spans.responses": [[{"start": 2, "end": 7, "label": "DIS"}]]}
    read = read_concepts(written(tmp_path / "a.jsonl", json.dumps(record) + "\n"))
    assert list(map(read.item, range(len(read)))) == ["d1: fever"]


def test_ids_that_are_no_numbers_in_a_row_are_compared(tmp_path):
    path = written(tmp_path / "a.jsonl", '{"id": 1, "entities": [{"id": 1, "text": "a"}, {"id": 7, "text": "b"}]}\n')
    assert sorted(read_concepts(path).keys.tolist()) == ["1", "7"]
    numbered = written(
        tmp_path / "b.jsonl", '{"id": 1, "entities": [{"id": 1, "text": "a"}, {"id": 2, "text": "b"}]}\n'
    )
    read = read_concepts(numbered)
    assert sorted(read.keys.tolist()) == ["a", "b"]
    assert "'id' numbers the concepts, and is not compared: their names are" in read.notes


def test_concepts_in_several_columns_are_refused_with_what_to_do(tmp_path):
    path = written(tmp_path / "a.csv", "id,kw1,kw2\nd1,fever,gout\n")
    with pytest.raises(goldassay.InputError, match="No column is recognised") as caught:
        read_concepts(path)
    assert (caught.value.hint or "").startswith("write all concepts of a document into one column concepts")
    written(path, "id,concept\nd1,fever\nd1,gout\n")
    assert len(read_concepts(path)) == 2


def test_a_list_as_text_under_an_unknown_name_is_warned_of(tmp_path):
    path = written(tmp_path / "a.jsonl", '{"id": 1, "text": "Take aspirin.", "topics": "fever; gout"}\n')
    assert any("'topics' is not read" in warning for warning in read_concepts(path).warnings)
    read = goldassay.read(path, kind="concepts", concepts="topics")
    assert [read.item(row) for row in range(len(read))] == ["1: fever", "1: gout"]
