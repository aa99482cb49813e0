"""Names of one branch of a dictionary."""

import json

import pytest

import goldassay
from goldassay.concepts import ConceptReading, read_concepts

OBO = """[Term]
id: D:1
name: disease

[Term]
id: D:2
name: lung disease
synonym: "pulmonary disorder" EXACT []
is_a: D:1

[Term]
id: D:3
name: asthma
is_a: D:2

[Term]
id: D:4
name: gout
is_a: D:1
"""
TURTLE = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix e: <http://e/> .
e:1 skos:prefLabel "disease" . e:2 skos:prefLabel "lung disease" ; skos:altLabel "pulmonary disorder" ; skos:broader e:1 .
e:3 skos:prefLabel "asthma" ; skos:broader e:2 . e:4 skos:prefLabel "gout" ; skos:broader e:1 .
"""
MESH = "".join(
    f"*NEWRECORD\nMH = {name}\n{entry}MN = {number}\nUI = {one}\n\n"
    for one, name, number, entry in [
        ("D1", "disease", "C01", ""),
        ("D2", "lung disease", "C01.1", "ENTRY = pulmonary disorder\n"),
        ("D3", "asthma", "C01.1.5", ""),
        ("D4", "gout", "C01.2", ""),
    ]
)
MESH_XML = "<DescriptorRecordSet>{}</DescriptorRecordSet>".format(
    "".join(
        f"<DescriptorRecord><DescriptorUI>{one}</DescriptorUI><DescriptorName><String>{name}</String></DescriptorName>"
        f"<TreeNumberList><TreeNumber>{number}</TreeNumber></TreeNumberList><ConceptList><Concept><TermList>"
        f"<Term><String>{name}</String></Term><Term><String>{other}</String></Term></TermList></Concept></ConceptList></DescriptorRecord>"
        for one, name, number, other in [
            ("D1", "disease", "C01", "illness"),
            ("D2", "lung disease", "C01.1", "pulmonary disorder"),
            ("D3", "asthma", "C01.1.5", "wheeze"),
            ("D4", "gout", "C01.2", "podagra"),
        ]
    )
)
FILES = {"a.obo": OBO, "a.ttl": TURTLE, "a.bin": MESH, "a.xml": MESH_XML}


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "text.jsonl"
    path.write_text(json.dumps({"id": 1, "text": "Gout, asthma, lung disease and other disease."}))
    return path


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("branch", ["lung disease", "Pulmonary disorder"])
def test_only_names_below_a_concept_are_found(text, tmp_path, file, branch):
    dictionary = tmp_path / file
    dictionary.write_text(FILES[file])
    found = read_concepts(text, ConceptReading(dictionary=str(dictionary), scope=f"branch:{branch}"))
    assert sorted(found.names) == ["asthma", "lung disease"]
    assert any("names of other branches" in note for note in found.notes)
    whole = read_concepts(text, ConceptReading(dictionary=str(dictionary)))
    assert sorted(whole.names) == ["asthma", "disease", "gout", "lung disease"]
    assert found.choices != whole.choices


def test_what_is_no_branch(text, tmp_path):
    dictionary, table = tmp_path / "a.obo", tmp_path / "a.csv"
    dictionary.write_text(OBO)
    table.write_text("id,name\n1,asthma\n")
    for path, branch, message in (
        (dictionary, "skin disease", "no concept 'skin disease'"),
        (table, "asthma", "no hierarchy"),
    ):
        with pytest.raises(goldassay.InputError, match="does not have this branch") as error:
            read_concepts(text, ConceptReading(dictionary=str(path), scope=f"branch:{branch}"))
        assert error.value.found == message
    with pytest.raises(goldassay.UsageError, match="part of a dictionary"):
        ConceptReading(scope="branch:asthma")


def test_a_branch_is_kept_apart_from_the_whole(monkeypatch, text, tmp_path):
    monkeypatch.setattr("goldassay.concepts.texts.dictionary.LARGE", 1)
    dictionary = tmp_path / "a.obo"
    dictionary.write_text(OBO)
    sizes = [
        len(read_concepts(text, ConceptReading(dictionary=str(dictionary), scope=scope)))
        for scope in ("branch:D:3", None, "branch:D:2", "branch:D:3")
    ]
    assert sizes == [1, 4, 2, 1]
