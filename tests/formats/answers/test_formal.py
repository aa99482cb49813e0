"""Ontologies in a formal syntax: below prose, in a response and in a batch they are what they are by themselves."""

import json

import pytest

import goldassay
from goldassay.formats.answers.formal import formal_in
from goldassay.formats.answers.means import OF_CONCEPTS, OF_EDGES

OWL, RDFS = "http://www.w3.org/2002/07/owl#", "http://www.w3.org/2000/01/rdf-schema#"
PREFIXES = f"@prefix : <http://e/> .\n@prefix owl: <{OWL}> .\n@prefix rdfs: <{RDFS}> .\n"
FORMS = {
    "Turtle": f'{PREFIXES}\n:c1 a owl:Class ;\n  rdfs:label "dog" ;\n  rdfs:subClassOf :c2 .\n\n:c2 rdfs:label "animal" ;\n  a owl:Class .\n',
    "SPARQL": f'PREFIX : <http://e/>\nPREFIX rdfs: <{RDFS}>\n\n:c1 rdfs:label "dog" ; rdfs:subClassOf :c2 .\n:c2 rdfs:label\n  "animal" .\n',
    "N-Triples": f'<http://e/c1> <{RDFS}label> "dog" .\n<http://e/c1> <{RDFS}subClassOf> <http://e/c2> .\n<http://e/c2> <{RDFS}label> "animal" .\n',
    "RDF/XML": (
        f'<?xml version="1.0"?>\n<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:rdfs="{RDFS}" xmlns:owl="{OWL}">\n'
        '<owl:Class rdf:about="http://e/c1"><rdfs:label>dog</rdfs:label>\n<rdfs:subClassOf rdf:resource="http://e/c2"/></owl:Class>\n'
        '<owl:Class rdf:about="http://e/c2"><rdfs:label>animal</rdfs:label></owl:Class>\n</rdf:RDF>\n'
    ),
    "OWL/XML": (
        f'<Ontology xmlns="{OWL}" ontologyIRI="http://e/">\n<SubClassOf><Class IRI="http://e/c1"/><Class IRI="http://e/c2"/></SubClassOf>\n'
        + "".join(
            f'<AnnotationAssertion><AnnotationProperty IRI="{RDFS}label"/><IRI>http://e/{at}</IRI><Literal>{name}</Literal></AnnotationAssertion>\n'
            for at, name in (("c1", "dog"), ("c2", "animal"))
        )
        + "</Ontology>\n"
    ),
    "functional": (
        f"Prefix(:=<http://e/>)\nPrefix(rdfs:=<{RDFS}>)\nOntology(<http://e/>\nDeclaration(Class(:c1))\nSubClassOf(:c1 :c2)\n"
        'AnnotationAssertion(rdfs:label :c1 "dog")\nAnnotationAssertion(rdfs:label :c2 "animal")\n)\n'
    ),
    "OBO": "format-version: 1.2\n\n[Term]\nid: E:c1\nname: dog\nis_a: E:c2\n\n[Term]\nid: E:c2\nname: animal\n",
    "OBO without a header": "[Term]\nid: E:c1\nname: dog\nis_a: E:c2\n\n[Term]\nid: E:c2\nname: animal\n",
    "JSON-LD": json.dumps(
        {
            "@context": {"rdfs": RDFS, "owl": OWL},
            "@graph": [
                {"@id": "http://e/c1", "rdfs:label": "dog", "rdfs:subClassOf": {"@id": "http://e/c2"}},
                {"@id": "http://e/c2", "rdfs:label": "animal"},
            ],
        },
        indent=1,
    ),
}  # fmt: skip


def chat(text):
    return json.dumps({"choices": [{"message": {"role": "assistant", "content": text}}]})


def batch(*texts):
    records = ({"custom_id": f"d{at}", "response": {"body": json.loads(chat(one))}} for at, one in enumerate(texts, 1))
    return "".join(json.dumps(one) + "\n" for one in records)


AROUND = {
    "prose": ("a.txt", "Here is the ontology:\n\n{}\n\nNote: It is small.\nLet me know if you need more.\n".format),
    "prose next to it": ("a.txt", "Here is the ontology:\n{}\nLet me know if you need more.\n".format),
    "a response": ("a.json", chat),
    "a response with prose": ("a.json", lambda text: chat(f"Here it is:\n\n{text}\n\nNote: This is a small ontology.\n")),
    "a response with a fence": ("a.json", lambda text: chat(f"Here:\n```\n{text}\n```\n")),
    "a batch": ("a.jsonl", batch),
    "a batch with prose": ("a.jsonl", lambda text: batch(f"Here it is:\n\n{text}\n\nNote: This is a small ontology.\n")),
    "thoughts": ("a.txt", "<think>A zebra is a horse.</think>\n\n{}".format),
}  # fmt: skip


def items(path, text, kind="taxonomy"):
    path.write_text(text, encoding="utf-8")
    model = goldassay.read(path, kind=kind)
    return sorted(model.item(row) for row in range(len(model))), model


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("form", FORMS)
def test_an_ontology_is_read_as_by_itself(form, around, tmp_path):
    name, wrap = AROUND[around]
    assert items(tmp_path / "bare.txt", FORMS[form])[0] == ["dog -> animal"]
    found, model = items(tmp_path / name, wrap(FORMS[form]))
    assert found == ["dog -> animal"]
    assert model.format == "model-output"
    if "prose" in around and "batch" not in around:
        assert model.left_out["lines_of_prose"] >= 2
    bare = items(tmp_path / "bare.txt", FORMS[form], "axioms")[0]
    assert items(tmp_path / name, wrap(FORMS[form]), "axioms")[0] == bare


@pytest.mark.parametrize("form", FORMS)
def test_the_answers_of_a_batch_are_one_ontology(form, tmp_path):
    other = FORMS[form].replace("c1", "c3").replace("dog", "cat")
    found, model = items(tmp_path / "a.jsonl", batch(FORMS[form], other, "I cannot do that."))
    assert found == ["cat -> animal", "dog -> animal"]
    assert model.left_out["lines_of_prose"] == 1
    assert "I cannot do that" in model.notes[0]


@pytest.mark.parametrize("form", ["Turtle", "N-Triples", "RDF/XML", "JSON-LD"])
def test_the_answers_of_a_batch_are_documents_of_triples(form, tmp_path):
    broken = "<http://e/c1> <http://e/p> <http://e/c2> ; .\n<http://e/c1> <http://e/p> ."
    found, model = items(tmp_path / "a.jsonl", batch(FORMS[form], f"Here:\n{FORMS[form]}", broken), "triples")
    assert {one for one in found if "subClassOf" in one} == {"d1: c1 | subClassOf | c2", "d2: c1 | subClassOf | c2"}
    assert model.left_out["lines_of_prose"] == 1


def test_an_ontology_that_a_family_does_not_read_is_refused(tmp_path):
    with pytest.raises(goldassay.InputError, match="the format turtle, which is not supported here"):
        items(tmp_path / "a.json", chat(f"Here it is:\n\n{FORMS['Turtle']}"), "labels")


def test_an_iri_in_a_line_begins_no_ontology(tmp_path):
    text = "- http://e/dog is a http://e/animal\n- The prefix is <http://e/>.\n"
    assert formal_in(text, OF_EDGES) is None
    assert formal_in(FORMS["Turtle"], OF_CONCEPTS) is None
    assert items(tmp_path / "a.txt", text)[0] == ["dog -> animal"]


@pytest.mark.parametrize("prefix", ["", "ex"])
@pytest.mark.parametrize("fence", ["{}", "```turtle\n{}\n```", "```\n{}\n```", "Sure:\n\n{}\n\nDone."])
@pytest.mark.parametrize(
    ("kind", "text", "items"),
    [
        (
            "taxonomy",
            "P:Cat a owl:Class ;\n  rdfs:subClassOf P:Animal .\nP:Dog rdfs:subClassOf P:Animal .",
            "{} -> Animal",
        ),
        ("axioms", "P:Cat rdfs:subClassOf P:Animal .\nP:Dog rdfs:subClassOf P:Animal .", "{} subClassOf Animal"),
        ("triples", "P:Cat P:eats P:Fish .\nP:Dog P:eats P:Fish .", "1: {} | eats | Fish"),
    ],
)
def test_turtle_without_its_prefixes_is_read(prefix, fence, kind, text, items, tmp_path):
    path = tmp_path / "answer.txt"
    path.write_text(fence.format(text.replace("P:", f"{prefix}:")))
    model = goldassay.read(path, kind=kind)
    assert sorted(map(model.item, range(len(model)))) == [items.format("Cat"), items.format("Dog")]


def test_answers_without_their_prefixes_are_read_and_ids_are_names_as_they_are(tmp_path):
    path = tmp_path / "answers.jsonl"
    texts = {"d1": ":Oslo :in :Norway .", "d2": "```turtle\nex:Bergen ex:in ex:Norway .\n```"}
    path.write_text("".join(json.dumps({"id": name, "output": text}) + "\n" for name, text in texts.items()))
    model = goldassay.read(path, kind="triples")
    assert [model.item(row) for row in range(2)] == ["d1: Oslo | in | Norway", "d2: Bergen | in | Norway"]
    ids = tmp_path / "ids.txt"
    ids.write_text("CHEBI:1 rdfs:subClassOf CHEBI:2 .\nCHEBI:3 rdfs:subClassOf CHEBI:2 .\n")
    assert goldassay.read(ids).item(0) == "CHEBI:1 -> CHEBI:2"
