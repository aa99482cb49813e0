"""What annotators write: a small example of each, and broken ones."""

import json

import pytest

import goldassay
from goldassay.concepts import ConceptExact, ConceptReading, read_concepts
from goldassay.concepts.formats.annotations import annotations_in
from goldassay.concepts.show import document_lines
from goldassay.core.errors import InputError, RecordError
from goldassay.formats.source import Source

TEXT = "No asthma, but left knee pain."
PUBTATOR = f"12|t|{TEXT}\n12|a|Take aspirin.\n12\t3\t9\tasthma\tDisease\tMESH:D001249\n12\t36\t43\taspirin\tChemical\tMESH:D001241\n12\tCID\tD001241\tD001249\n\n"
BIOC = {
    "source": "x",
    "documents": [
        {
            "id": "12",
            "passages": [
                {
                    "offset": 0,
                    "text": TEXT,
                    "annotations": [
                        {
                            "infons": {"identifier": "MESH:D001249", "type": "Disease"},
                            "text": "asthma",
                            "locations": [{"offset": 3, "length": 6}],
                        }
                    ],
                },
                {
                    "offset": 31,
                    "text": "Take aspirin.",
                    "annotations": [
                        {
                            "infons": {"identifier": "MESH:D001241"},
                            "text": "aspirin",
                            "locations": [{"offset": 36, "length": 7}],
                        }
                    ],
                },
            ],
        }
    ],
}
BIOC_XML = f"""<?xml version="1.0"?><collection><source>x</source><document><id>12</id>
<passage><offset>0</offset><text>{TEXT}</text><annotation id="1"><infon key="identifier">MESH:D001249</infon><infon key="type">Disease</infon>
<location offset="3" length="6"/><text>asthma</text></annotation></passage>
<passage><offset>31</offset><text>Take aspirin.</text><annotation id="2"><infon key="identifier">MESH:D001241</infon>
<location offset="36" length="7"/><text>aspirin</text></annotation></passage></document></collection>"""
ASTHMA = [("12: asthma (negated)", "MESH:D001249"), ("12: aspirin", "MESH:D001241")]


def items(concepts):
    return [(concepts.item(row), str(concepts.concept_ids[concepts.words[row]])) for row in range(len(concepts))]


@pytest.mark.parametrize(
    ("name", "text", "format_name"),
    [("a.txt", PUBTATOR, "pubtator"), ("a.json", json.dumps(BIOC), "bioc-json"), ("a.xml", BIOC_XML, "bioc")],
)
def test_documents_with_offsets(tmp_path, name, text, format_name):
    path = tmp_path / name
    path.write_text(text)
    concepts = read_concepts(path)
    assert sorted(items(concepts)) == sorted(ASTHMA)
    assert concepts.format == format_name
    assert concepts.choices["assertions"] == "context-2"
    assert str(concepts.texts[0])[36:43] == "aspirin"


def test_brat(tmp_path):
    (tmp_path / "n1.txt").write_text(TEXT)
    (tmp_path / "n1.ann").write_text(
        "T1\tDisease 3 9\tasthma\nN1\tReference T1 MESH:D001249\tAsthma\nA1\tNegation T1\nT2\tSign 15 19;25 29\tleft pain\n#1\tNote T2\tx\n"
    )
    for path in (tmp_path, tmp_path / "n1.ann"):
        assert sorted(items(read_concepts(path))) == [("n1: asthma (negated)", "MESH:D001249"), ("n1: left pain", "")]
    (tmp_path / "n1.ann").write_text("T1 broken\n")
    with pytest.raises(goldassay.RecordError, match="not an annotation of BRAT"):
        read_concepts(tmp_path)
    (tmp_path / "n1.ann").unlink()
    with pytest.raises(goldassay.InputError, match="no BRAT annotations"):
        read_concepts(tmp_path)


def test_a_table_of_oak(tmp_path):
    path = tmp_path / "a.tsv"
    path.write_text(
        "subject_text_id\tsubject_start\tsubject_end\tobject_id\tobject_label\tmatch_string\n"
        "d1\t4\t9\tMONDO:0004979\tasthma\tasthma\nd2\t1\t5\tHP:0012531\tPain\tpain\n"
    )
    assert items(read_concepts(path)) == [("d1: asthma", "MONDO:0004979"), ("d2: Pain", "HP:0012531")]


MEDCAT = {
    "entities": {
        "0": {
            "pretty_name": "Asthma", "cui": "C0004096", "type_ids": ["T047"], "types": ["Disease or Syndrome"], "source_value": "asthma",
            "detected_name": "asthma", "acc": 0.99, "context_similarity": 0.99, "start": 3, "end": 9, "ontologies": ["SNO"], "id": 0,
            "meta_anns": {"Negation": {"value": "Yes", "confidence": 0.9, "name": "Negation"}},
        }
    },
    "tokens": [],
}  # fmt: skip
GILDA = [
    {
        "text": "asthma",
        "start": 3,
        "end": 9,
        "matches": [{"term": {"db": "MESH", "id": "D001249", "entry_name": "Asthma"}, "score": 0.8}],
    }
]
GLINER = [{"start": 3, "end": 9, "text": "asthma", "label": "disease", "score": 0.9}]
OF_SPACY = [{"start": 3, "end": 9, "label": "DISEASE", "kb_id": "C0004096"}]
SCISPACY = [{"text": "asthma", "start_char": 3, "end_char": 9, "kb_id_": "C0004096"}]


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        (MEDCAT, ("7: Asthma (negated)", "C0004096")),
        (GILDA, ("7: Asthma (negated)", "MESH:D001249")),
        (GLINER, ("7: asthma (negated)", "")),
        (MEDCAT["entities"], ("7: Asthma (negated)", "C0004096")),
        (OF_SPACY, ("7: asthma (negated)", "C0004096")),
        ([{"start": 3, "end": 9, "label": "DISEASE"}], ("7: asthma (negated)", "")),
        ([{"label": "asthma"}], ("7: asthma", "")),
        (SCISPACY, ("7: asthma (negated)", "C0004096")),
        ([{"text": "asthma", "id": "C1", "spans": [[3, 9]]}], ("7: asthma (negated)", "C1")),
        ([{"text": "asthma", "id": "C1", "span": [3, 9], "assertion": "present"}], ("7: asthma", "C1")),
        ([{"text": "asthma", "id": "C1"}], ("7: asthma", "C1")),
    ],
)
def test_records_of_annotators(tmp_path, cell, expected):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"id": 7, "text": TEXT, "entities": cell}))
    assert items(read_concepts(path, ConceptReading(concepts="entities"))) == [expected]


@pytest.mark.parametrize(
    ("concept", "messages"),
    [
        ({"text": "asthma", "start": 3, "end": 99}, "is outside its text"),
        ({"text": "asthma", "start": 9, "end": 3}, "cannot be read"),
        ({"text": "asthma", "start": -3, "end": 3}, "cannot be read"),
        ({"text": "asthma", "start": "3", "end": 9}, "cannot be read"),
        ({"text": "asthma", "start": 3}, "cannot be read"),
    ],
)
def test_places_that_are_none(tmp_path, concept, messages):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"id": 7, "text": TEXT, "concepts": [concept]}))
    with pytest.raises(goldassay.RecordError, match=messages) as caught:
        read_concepts(path)
    assert caught.value.line == 1


def test_overlapping_places(tmp_path):
    path = tmp_path / "a.jsonl"
    spans = [{"text": "knee", "start": 20, "end": 24}, {"text": "left knee pain", "start": 15, "end": 29}]
    path.write_text(json.dumps({"id": 7, "text": TEXT, "concepts": spans}))
    concepts = read_concepts(path)
    assert items(concepts) == [("7: knee (left)", ""), ("7: left knee pain (left)", "")]
    assert "1 places of concepts overlap others" in " ".join(concepts.notes)
    shown = "\n".join(document_lines(ConceptExact().score(pred=concepts, gold=concepts).matching, "7"))
    assert "No asthma, but {+left knee pain+}.\n" in shown


def test_places_that_touch_do_not_overlap(tmp_path):
    path = tmp_path / "a.jsonl"
    spans = [
        [{"text": "No", "start": 0, "end": 2}, {"text": "asthma", "start": 2, "end": 9}],
        [{"text": "asthma", "start": 3, "end": 9}],
    ]
    path.write_text("\n".join(json.dumps({"id": row, "text": TEXT, "concepts": one}) for row, one in enumerate(spans)))
    assert not any("overlap" in note for note in read_concepts(path).notes)


def test_semantic_types_are_those_of_the_umls_where_both_are_there(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"id": 7, "text": TEXT, **MEDCAT}))
    assert read_concepts(path).kinds.tolist() == ["T047"]


@pytest.mark.parametrize(
    ("meta", "messages"),
    [
        ({"Presence": {"value": "False"}}, "negated"),
        ({"presence": {"value": "negated"}}, "negated"),
        ({"Subject": {"value": "Family"}, "Presence": {"value": "Hypothetical"}}, "family,hypothetical"),
        ({"Presence": {"value": "True"}}, ""),
        ({"Time": {"value": "Past"}}, ""),
    ],
)
def test_models_of_context_of_medcat(tmp_path, meta, messages):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"id": 7, "entities": {"0": {"cui": "C1", "source_value": "x", "meta_anns": meta}}}))
    assert read_concepts(path).assertions.tolist() == [messages]


NOTE = {
    "infons": {"identifier": "D001249", "type": "Disease"},
    "text": "Asthma",
    "locations": [{"offset": 0, "length": 6}],
}
PLACES = {
    "document": {"annotations": [NOTE], "passages": [{"offset": 0, "text": "Asthma."}]},
    "passage": {"passages": [{"offset": 0, "text": "Asthma.", "annotations": [NOTE]}]},
    "sentence": {"passages": [{"offset": 0, "sentences": [{"offset": 0, "text": "Asthma.", "annotations": [NOTE]}]}]},
}
NOTE_XML = (
    '<annotation id="T1"><infon key="identifier">D001249</infon><infon key="type">Disease</infon>'
    '<location offset="0" length="6"/><text>Asthma</text></annotation>'
)
PLACES_XML = {
    "document": "<passage><offset>0</offset><text>Asthma.</text></passage>" + NOTE_XML,
    "passage": f"<passage><offset>0</offset><text>Asthma.</text>{NOTE_XML}</passage>",
    "sentence": f"<passage><offset>0</offset><sentence><offset>0</offset><text>Asthma.</text>{NOTE_XML}</sentence></passage>",
}


@pytest.mark.parametrize("place", PLACES)
def test_the_same_annotations_are_the_same_concepts_in_every_format(tmp_path, place):
    (tmp_path / "a.txt").write_text("9|t|Asthma.\n9\t0\t6\tAsthma\tDisease\tD001249\n")
    (tmp_path / "a.json").write_text(json.dumps({"documents": [{"id": "9", **PLACES[place]}]}))
    (tmp_path / "a.xml").write_text(f"<collection><document><id>9</id>{PLACES_XML[place]}</document></collection>")
    models = [read_concepts(tmp_path / name) for name in ("a.txt", "a.json", "a.xml")]
    assert [items(model) for model in models] == [items(models[0])] * 3
    assert [len(model) for model in models] == [1, 1, 1]
    assert [model.texts.tolist() for model in models] == [["Asthma."]] * 3


@pytest.mark.parametrize("offset", ["x", None, "1.5"])
def test_bad_offsets_of_bioc_are_an_error_with_the_document(tmp_path, offset):
    note = {**NOTE, "locations": [{"offset": offset, "length": 6}]}
    (tmp_path / "a.json").write_text(json.dumps({"documents": [{"id": "9", "passages": [{"annotations": [note]}]}]}))
    with pytest.raises(InputError, match="Malformed") as refused:
        read_concepts(tmp_path / "a.json")
    assert "document '9'" in str(refused.value)


@pytest.mark.parametrize(
    "line",
    [
        "9\t-1\t6\tAsthma\tDisease\tD001249",
        "9\t0\t-6\tAsthma\tDisease\tD1",
        "9\t0.0\t6\tAsthma\tDisease",
        "9\tx\ty\tAsthma\tDisease\tD1",
    ],
)
def test_a_line_of_pubtator_with_bad_offsets_is_named_and_counted(tmp_path, line):
    (tmp_path / "a.txt").write_text(f"9|t|Asthma.\n9\t0\t6\tAsthma\tDisease\tD001249\n{line}\n9\tCID\tD1\tD2\n")
    with pytest.raises(InputError, match="PubTator") as refused:
        read_concepts(tmp_path / "a.txt")
    assert "line 3" in str(refused.value) or ":3" in str(refused.value)
    model = goldassay.read(tmp_path / "a.txt", kind="concepts", on_error="skip")
    assert (len(model), model.left_out) == (1, {"skipped_records": 1, "relations": 1})


def test_what_is_no_concept_is_counted(tmp_path):
    lines = [
        "T1\tDrug 0 7\tAspirin",
        "R1\ttreats Arg1:T1 Arg2:T1",
        "E1\tGive:T1",
        "*\tEquiv T1 T1",
        "A1\tColour T1",
        "#1\tNote T1\tx",
    ]
    (tmp_path / "1.txt").write_text("Aspirin")
    (tmp_path / "1.ann").write_text("\n".join(lines) + "\n")
    found = read_concepts(tmp_path)
    assert found.left_out == {"relations": 2, "events": 1, "attributes": 1, "notes_of_annotators": 1}
    (tmp_path / "1.ann").write_text("\n".join([*lines, "X1\todd"]) + "\n")
    with pytest.raises(RecordError, match=r"1\.ann:7: The line is not an annotation of BRAT"):
        read_concepts(tmp_path)
    path = tmp_path / "a.txt"
    path.write_text("1|t|Aspirin\n1|a|\n1\t0\t7\tAspirin\tDrug\tD1\n1\tCID\tD1\tD2\n1\tD1\tD2\tAssociation\tNovel\n")
    assert read_concepts(path).left_out == {"relations": 2}
    passage = {"offset": 0, "text": "Aspirin", "annotations": [], "relations": [{"id": "R"}]}
    path.write_text(json.dumps({"documents": [{"id": "1", "passages": [passage], "relations": [{"id": "S"}]}]}))
    assert read_concepts(path).left_out == {"relations": 2}


def test_example_of_annotations_in():
    assert (
        annotations_in(
            Source(
                path="a.txt", name="a.txt", data=b"12|t|Asthma\n12|a|\n12\t0\t6\tAsthma\tDisease\tD001249\n", size=40
            )
        )
        == "pubtator"
    )
