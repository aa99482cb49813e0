"""Files of annotators that are damaged in every way: read, or refused in words, and never more than their size."""

import json
import tracemalloc

import pytest

import goldassay
from goldassay.concepts import ConceptReading, read_concepts

TITLE = "9|t|Asthma.\n"
LINE = "9\t0\t6\tAsthma\tDisease\tD001249\n"
OAK = "subject_text_id\tsubject_start\tsubject_end\tobject_id\tobject_label\n"


def bioc(**document):
    return json.dumps({"documents": [{"id": "9", "passages": [], **document}]})


def passage(**members):
    return bioc(passages=[{"offset": 0, "text": "Asthma.", **members}])


def note(**members):
    return passage(annotations=[{"text": "Asthma", "locations": [{"offset": 0, "length": 6}], **members}])


def xml(inside, tail="</document></collection>"):
    return f"<collection><document><id>9</id>{inside}{tail}"


def note_xml(location, text="<text>Asthma</text>"):
    return xml(f"<passage><offset>0</offset><text>Asthma.</text><annotation>{location}{text}</annotation></passage>")


READ = [
    ("a.json", passage()),
    ("a.json", note()),
    ("a.json", "\ufeff" + note()),
    ("a.json", note(infons=None)),
    ("a.json", note(infons={"identifier": "D1", "start": "x", "span": [9]})),
    ("a.json", note(locations=[])),
    ("a.json", note(text="")),
    ("a.json", note(locations=[{"offset": "0", "length": "6"}])),
    ("a.json", note(locations=[{"offset": 0, "length": 2}, {"offset": 4, "length": 2}])),
    ("a.json", passage(offset="0")),
    ("a.json", passage(text=None)),
    ("a.json", bioc(passages=[{"offset": 0, "sentences": [{"offset": 0, "text": "Asthma."}]}])),
    ("a.json", bioc(passages=[{"offset": 5, "text": "b"}, {"offset": 0, "text": "a"}])),
    ("a.json", note().encode("utf-16")),
    ("a.xml", note_xml('<location offset="0" length="6"/>')),
    ("a.xml", note_xml('<location offset=" 0 " length="6"/>')),
    ("a.xml", note_xml("")),
    ("a.xml", note_xml('<infon key="identifier">D1</infon><location offset="0" length="6"/>', "")),
    ("a.xml", "<?xml version='1.0' encoding='utf-16'?>".encode("utf-16") + xml("").encode("utf-16")[2:]),
    ("a.xml", xml("")),
    ("a.xml", xml("<passage><passage>" * 200 + "</passage></passage>" * 200)),
    ("a.txt", TITLE),
    ("a.txt", TITLE + LINE),
    ("a.txt", "\ufeff" + TITLE + LINE),
    ("a.txt", (TITLE + LINE).replace("\n", "\r\n")),
    ("a.txt", TITLE + "9|a|\n" + LINE),
    ("a.txt", TITLE + "9\t0\t6\tAsthma\tDisease\n"),
    ("a.txt", TITLE + "9\tCID\tD1\tD2\n"),
    ("a.txt", (TITLE + LINE).encode("utf-16")),
    ("a.tsv", OAK + "d\t0\t6\tD1\tAsthma\n"),
    ("a.tsv", OAK + "d\t0\t6\tD1\n"),
    ("a.tsv", OAK + "\t\t\tD1\t\n"),
    ("a.tsv", "object_id\tsubject_start\tsubject_end\nD1\t0\t6\n"),
    ("a.tsv", "object_id\tsubject_start\tsubject_end\tmatch_string\nD1\t0\t6\tasthma\n"),
    ("a.ann", "T1\tDisease 0 6\tAsthma\n"),
    ("a.ann", "\ufeffT1\tDisease 0 6\tAsthma\n"),
    ("a.ann", "T1\tDisease 0 6\tAsthma\n".encode("utf-16")),
    ("a.ann", "T1\tDisease 0 2;4 6\tAs ma\nN1\tReference T9 X:1\tx\nA1\tNegation T9\n"),
    ("a.ann", "\n\n#1\tNote T1\tx\n"),
]
REFUSED = [
    ("a.json", '{"documents": [{"passages": [', "Invalid JSON"),
    ("a.json", '{"documents": [], "documents": [{"passages": []}]}', "occurs twice"),
    ("a.json", note()[:-1] + ', "x": NaN}', "not allowed"),
    ("a.json", note()[:-1] + ', "x": "\\ud800"}', "not allowed"),
    ("a.json", note().encode().replace(b"Asthma", b"Asthm\xe9"), "utf-8"),
    ("a.json", '{"documents": {"passages": 1}}', "contains no documents"),
    ("a.json", '{"documents": null, "x": "\\"passages\\"", "passages": []}', "contains no documents"),
    ("a.json", '{"documents": [[{"passages": []}]]}', "malformed"),
    ("a.json", '{"documents": ["passages", "passages"], "passages": 1}', "malformed"),
    ("a.json", '{"documents": [], "passages": []}', "no document"),
    ("a.json", '{"documents": [{"passages": []}]}', "The id"),
    ("a.json", bioc(id=None), "The id"),
    ("a.json", bioc(id=["9"]), "The id"),
    ("a.json", bioc(passages=None), "malformed"),
    ("a.json", bioc(passages={"offset": 0}), "malformed"),
    ("a.json", bioc(passages=["Asthma."]), "malformed"),
    ("a.json", bioc(passages="Asthma."), "malformed"),
    ("a.json", bioc(annotations={"text": "x"}), "malformed"),
    ("a.json", bioc(relations=3), "malformed"),
    ("a.json", passage(sentences=7), "malformed"),
    ("a.json", passage(offset=None), "offset None"),
    ("a.json", passage(offset=1.5), "offset 1.5"),
    ("a.json", passage(offset=True), "offset True"),
    ("a.json", passage(offset=-1), "offset -1"),
    ("a.json", passage(offset="x"), "offset 'x'"),
    ("a.json", passage(offset="9" * 5000), "offset '999"),
    ("a.json", passage(offset="\u0663"), "offset"),
    ("a.json", passage(offset=10**9), "too far from each other"),
    ("a.json", passage(text=["Asthma."]), "malformed"),
    ("a.json", passage(text=7), "malformed"),
    ("a.json", note(infons=["x"]), "malformed"),
    ("a.json", note(infons="x"), "malformed"),
    ("a.json", note(text=7), "malformed"),
    ("a.json", note(text="", locations=[]), "concept without a text"),
    ("a.json", note(locations=None), "malformed"),
    ("a.json", note(locations=[{"offset": 0}]), "length None"),
    ("a.json", note(locations=[{"length": 6}]), "offset None"),
    ("a.json", note(locations=[[0, 6]]), "malformed"),
    ("a.json", note(locations=[{"offset": 0, "length": 0}]), "the place"),
    ("a.json", note(locations=[{"offset": 0, "length": 99}]), "outside its text"),
    ("a.json", note(infons={"type": [["x"]]}), "cannot be read"),
    ("a.json", note(infons={"identifier": {"x": 1}}), "cannot be read"),
    ("a.json", '{"documents": [{"passages": ' + "[" * 2000 + "]" * 2000 + "}]}", "nested"),
    ("a.json", json.dumps({"documents": [json.loads(note())["documents"][0]] * 2}), "occurs twice"),
    ("a.xml", note_xml("")[:-20], "XML"),
    ("a.xml", note_xml('<location offset="0"/>'), "length None"),
    ("a.xml", note_xml('<location length="6"/>'), "offset None"),
    ("a.xml", note_xml('<location offset="x" length="6"/>'), "offset 'x'"),
    ("a.xml", note_xml('<location offset="0" length="99"/>'), "outside its text"),
    ("a.xml", note_xml("", ""), "concept without a text"),
    ("a.xml", xml("<passage><offset>1000000000</offset><text>x</text></passage>"), "too far from each other"),
    ("a.xml", xml("<passage><offset>-1</offset><text>x</text></passage>"), "offset '-1'"),
    ("a.xml", xml("<passage>" * 900 + "</passage>" * 900), "nested"),
    ("a.xml", '<!DOCTYPE x [<!ENTITY a "b">]>' + xml("&c;"), "XML"),
    ("a.xml", note_xml("").encode().replace(b"Asthma", b"Asthm\xe9"), "XML"),
    ("a.xml", "<collection><document></document></collection>", "The id"),
    ("a.txt", TITLE + TITLE, "two titles"),
    ("a.txt", TITLE + "9|a|x\n9|a|y\n", "two abstracts"),
    ("a.txt", TITLE + "nothing of it\n", "neither a text nor an annotation"),
    ("a.txt", TITLE + "9\t\u00b2\t6\tAsthma\tDisease\tD1\n", "neither a text nor an annotation"),
    ("a.txt", TITLE + f"9\t0\t{'9' * 5000}\tAsthma\tDisease\tD1\n", "neither a text nor an annotation"),
    ("a.txt", TITLE + "9\t6\t0\tAsthma\tDisease\tD1\n", "the place"),
    ("a.txt", TITLE + "9\t0\t99\tAsthma\tDisease\tD1\n", "outside its text"),
    ("a.txt", (TITLE + LINE).encode() + b"9|a|caf\xe9\n", "UTF-8"),
    ("a.tsv", OAK, "no document"),
    ("a.tsv", OAK + "d\t0\t6\t\t\n", "has no concept"),
    ("a.tsv", OAK + "d\t0\t6\tD1\tx\ty\n", "6 cells"),
    ("a.tsv", OAK.replace("subject_text_id", "object_id") + "d\t0\t6\tD1\tx\n", "same name"),
    ("a.tsv", (OAK + "d\t0\t6\tD1\tcaf").encode() + b"\xe9\n", "utf-8"),
    ("a.ann", "T1 Disease 0 6 Asthma\n", "not an annotation of BRAT"),
    ("a.ann", "T1\tDisease 0\tAsthma\n", "not an annotation of BRAT"),
    ("a.ann", "T1\tDisease \u0663 6\tAsthma\n", "not an annotation of BRAT"),
    ("a.ann", f"T1\tDisease 0 {'9' * 5000}\tAsthma\n", "not an annotation of BRAT"),
    ("a.ann", "T1\tDisease 6 0\tAsthma\n", "the place"),
    ("a.ann", "T1\tDisease 0 99\tAsthma\n", "outside its text"),
    ("a.ann", "T1\tDisease 0 6\tAsthma\nT1\tDrug 0 6\tAsthma\n", "T1 occurs twice"),
    ("a.ann", b"T1\tDisease 0 6\tAsthm\xe9\n", "UTF-8"),
    ("missing.ann", "T1\tDisease 0 6\tAsthma\n", "missing.txt"),
    ("latin.ann", "T1\tDisease 0 6\tAsthma\n", "utf-8"),
]


def write(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    if name == "latin.ann":
        path.with_suffix(".txt").write_bytes(b"caf\xe9")
    elif name == "a.ann":
        path.with_suffix(".txt").write_text("Asthma.")
    return path


@pytest.mark.parametrize(("name", "content"), READ)
def test_what_is_odd_but_whole_is_read(tmp_path, name, content):
    concepts = read_concepts(write(tmp_path, name, content))
    assert concepts.format in {"bioc-json", "bioc", "pubtator", "oak", "brat"}
    assert len(concepts.ids) == 1
    assert not concepts.left_out.get("skipped_records")


@pytest.mark.parametrize(("name", "content", "messages"), REFUSED)
def test_what_is_damaged_is_refused_in_words(tmp_path, name, content, messages):
    path = write(tmp_path, name, content)
    with pytest.raises(goldassay.InputError) as caught:
        read_concepts(path)
    assert messages.lower() in str(caught.value).lower()
    try:
        concepts = read_concepts(path, ConceptReading(on_error="skip"))
    except goldassay.GoldassayError:
        return
    assert concepts.left_out["skipped_records"]


def test_a_file_of_few_bytes_takes_little_memory(tmp_path):
    path = write(tmp_path, "a.json", passage(offset=10**9))
    tracemalloc.start()
    with pytest.raises(goldassay.InputError):
        read_concepts(path)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 2**24


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.jsonl", '{"id": 1, "concepts": ["a|t|b"]}\n'),
        ("a.json", '[{"id": 1, "concepts": ["a|t|b"]}]'),
        ("a.csv", "id,concepts\n1,a|t|b\n"),
        ("a.csv", 'id,concepts\n1,"[""a|t|b""]"\n'),
        ("a.tsv", "id\tconcepts\n1\ta|t|b\n"),
    ],
)
def test_what_only_has_the_marks_of_pubtator_is_read_as_what_it_is(tmp_path, name, content):
    concepts = read_concepts(write(tmp_path, name, content))
    assert concepts.format in {"json-lines", "csv", "tsv"}
    assert len(concepts) in {1, 3}
