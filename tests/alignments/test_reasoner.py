"""What HermiT finds: cases worked by hand that the closure misses, and random taxonomies where both agree."""

import importlib.util
import itertools
import random
import re
import shutil
import tempfile
import warnings

import numpy as np
import pytest

import goldassay
from goldassay.alignments import FAMILY, Alignment, AlignmentReading, Semantic, read_alignment
from goldassay.alignments.hierarchy import Hierarchy, Ontologies
from goldassay.alignments.measures import reasoner
from goldassay.alignments.measures.reasoner import (
    CLASS,
    DATA,
    INDIVIDUAL,
    OBJECT,
    Hermit,
    find_entailed,
    iri,
    ontology_axioms,
)
from goldassay.core.errors import InputError, MissingDependencyError

needs_hermit = pytest.mark.skipif(
    shutil.which("java") is None or importlib.util.find_spec("owlready2") is None,
    reason="Java or owlready2 is not installed",
)
HEAD = """@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix a: <http://a/> . @prefix b: <http://b/> .
"""


@pytest.fixture
def sides(tmp_path):
    """Write two ontologies and two alignments, and read them."""

    def write(source, target, pred, gold):
        for name, text in (("a.ttl", source), ("b.ttl", target)):
            tmp_path.joinpath(name).write_text(HEAD + text, encoding="utf-8")
        reading = AlignmentReading(source_ontology=str(tmp_path / "a.ttl"), target_ontology=str(tmp_path / "b.ttl"))
        found = []
        for name, rows in (("pred", pred), ("gold", gold)):
            table = [["source", "relation", "target"], *(row.split() for row in rows)]
            full = [
                ",".join(cell.replace("a:", "http://a/").replace("b:", "http://b/") for cell in row) for row in table
            ]
            tmp_path.joinpath(f"{name}.csv").write_text("\n".join(full) + "\n", encoding="utf-8")
            found.append(read_alignment(tmp_path / f"{name}.csv", reading))
        return {"pred": found[0], "gold": found[1]}

    return write


def score(sides, **parameters):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", goldassay.UndefinedWarning)
        return Semantic(**parameters).score(**sides)


# The source, the target, what is stated, what follows by OWL only, and what does not follow.
CASES = {
    "intersection": (
        "a:Cat owl:equivalentClass [a owl:Class; owl:intersectionOf (a:Pet a:Feline)] . a:Pet a owl:Class . a:Feline a owl:Class .",
        "b:Tom a owl:Class; rdfs:subClassOf b:Pet, b:Feline . b:Pet a owl:Class . b:Feline a owl:Class .",
        ["a:Pet = b:Pet", "a:Feline = b:Feline"],
        "a:Cat > b:Tom",
        "a:Cat < b:Tom",
    ),
    "domain": (
        "a:eats a owl:ObjectProperty; rdfs:domain a:Animal . a:Animal a owl:Class .",
        (
            "b:eats a owl:ObjectProperty . b:Cat a owl:Class; rdfs:subClassOf "
            "[a owl:Restriction; owl:onProperty b:eats; owl:someValuesFrom owl:Thing] ."
        ),
        ["a:eats = b:eats"],
        "a:Animal > b:Cat",
        "a:Animal < b:Cat",
    ),
    "range of data": (
        "a:age a owl:DatatypeProperty; rdfs:domain a:Animal . a:Animal a owl:Class .",
        (
            "b:age a owl:DatatypeProperty . b:Kitten a owl:Class; rdfs:subClassOf "
            '[a owl:Restriction; owl:onProperty b:age; owl:hasValue "1"^^xsd:int] .'
        ),
        ["a:age = b:age"],
        "a:Animal > b:Kitten",
        "a:Animal < b:Kitten",
    ),
    "union": (
        "a:Parent owl:equivalentClass [a owl:Class; owl:unionOf (a:Mother a:Father)] . a:Mother a owl:Class . a:Father a owl:Class .",
        "b:Elder a owl:Class .",
        ["a:Mother < b:Elder", "a:Father < b:Elder"],
        "a:Parent < b:Elder",
        "a:Parent > b:Elder",
    ),
    "inverse properties": (
        "a:eats a owl:ObjectProperty . a:eatenBy a owl:ObjectProperty; owl:inverseOf a:eats .",
        "b:eats a owl:ObjectProperty . b:eatenBy a owl:ObjectProperty; owl:inverseOf b:eats .",
        ["a:eats < b:eats"],
        "a:eatenBy < b:eatenBy",
        "a:eats < b:eatenBy",
    ),
    "equivalent data properties": (
        "a:age a owl:DatatypeProperty; owl:equivalentProperty a:years . a:years a owl:DatatypeProperty .",
        "b:age a owl:DatatypeProperty; rdfs:subPropertyOf b:number . b:number a owl:DatatypeProperty .",
        ["a:age = b:age"],
        "a:years = b:age",
        "a:years > b:number",
    ),
    "individuals": (
        (
            "a:has a owl:ObjectProperty, owl:FunctionalProperty . a:tom a owl:NamedIndividual; a:has a:tail .\n"
            "a:tail a owl:NamedIndividual . a:ear a owl:NamedIndividual ."
        ),
        "b:has a owl:ObjectProperty . b:tom a owl:NamedIndividual; b:has b:tail . b:tail a owl:NamedIndividual .",
        ["a:has = b:has", "a:tom = b:tom"],
        "a:tail = b:tail",
        "a:ear = b:tail",
    ),
    "blank nodes of two files": (
        "a:Cat rdfs:subClassOf _:x . _:x a owl:Class; owl:unionOf (a:Pet a:Pet) . a:Cat a owl:Class . a:Pet a owl:Class .",
        "b:Cat rdfs:subClassOf _:x . _:x a owl:Class; owl:unionOf (b:Pet b:Pet) . b:Cat a owl:Class . b:Pet a owl:Class .",
        ["a:Cat = b:Cat"],
        "a:Cat < b:Pet",
        "a:Pet < b:Pet",
    ),
    "what HermiT cannot read is left out": (
        (
            '<http://a/> a owl:Ontology; owl:imports <http://nowhere.invalid/x>; rdfs:comment "a \\"b\\"\\n\\\\ é 漢"@en .\n'
            'a:Été rdfs:label "\\u0001"; owl:equivalentClass [a owl:Class; owl:intersectionOf (a:Chaud)] . a:Chaud a owl:Class .\n'
            'a:born a owl:DatatypeProperty; rdfs:range xsd:date . a:tom a:born "2020-01-01"^^xsd:date .'
        ),
        "b:Warm a owl:Class .",
        ["a:Chaud = b:Warm"],
        "a:Été < b:Warm",
        "a:tom = b:Warm",
    ),
}


def named_apart(case, *texts):
    """Give the entities of a case names of their own."""
    return [re.sub(r"\b([ab]):(?=\w)", rf"\1:{case}-", text) for text in texts]


@needs_hermit
def test_what_the_closure_misses(sides):
    # All cases are in one pair of ontologies, with names of their own: Java takes longer to start than to answer.
    cases = [
        (named_apart(number, source, target), named_apart(number, *stated), named_apart(number, follows, other))
        for number, (source, target, stated, follows, other) in enumerate(CASES.values())
    ]
    read = sides(
        *map("\n".join, zip(*(texts for texts, _, _ in cases), strict=True)),
        [row for _, stated, _ in cases for row in stated],
        [row for *_, asked in cases for row in asked],
    )
    by_closure, by_hermit = score(read), score(read, reasoner="hermit")
    assert by_closure.counts["hit_gold"] == 0
    found = map(tuple, by_hermit.matching.gold.credit.reshape(-1, 2).tolist())
    assert dict(zip(CASES, found, strict=True)) == dict.fromkeys(CASES, (1, 0))
    assert by_hermit.note is None
    assert by_hermit.signature.fields["reasoner"] == Hermit.find().version
    assert "reasoner" not in by_closure.signature.fields


def above(edges, low):
    found, front = set(), {low}
    while front:
        found |= front
        front = {high for one, high in edges if one in front} - found
    return found


@needs_hermit
def test_hermit_only_agrees_with_paths_of_random_taxonomies():
    # Forty worlds of each kind without a name in common, so that one run of HermiT answers for all of them.
    stated, asked, expected = [], [], []
    for kind, world in itertools.product((CLASS, OBJECT, DATA), range(40)):
        draw = random.Random(f"{kind} {world}")  # noqa: S311 - not a secret
        names = [f"http://{kind}-{world}/{letter}" for letter in "ABCDEF"]
        edges = {tuple(draw.choices(names, k=2)) for _ in range(draw.randint(0, 8))}
        stated += [(kind, *edge) for edge in edges]
        for _ in range(6):
            low, high = draw.choices(names, k=2)
            asked.append((kind, low, high))
            expected.append(high in above(edges, low))
    found, empty = find_entailed(Hermit.find(), [], stated, asked, whose="random taxonomies")
    assert found.tolist() == expected
    assert 150 < sum(expected) < 600
    assert empty == 0


@needs_hermit
def test_the_measure_agrees_on_random_taxonomies():
    draw = random.Random(1)  # noqa: S311 - not a secret
    lower, upper, pred, gold = [], [], set(), set()
    for world in range(30):
        here, there = ([f"{letter} {world}" for letter in letters] for letters in ("ABCD", "WXYZ"))
        lower += [tuple(draw.choices(here, k=2)) for _ in range(4)]
        upper += [tuple(draw.choices(there, k=2)) for _ in range(4)]
        for side in (pred, gold):
            side |= {(draw.choice(here), draw.choice(there), draw.choice("=<>~")) for _ in range(3)}
    sides = [Alignment.from_rows(sorted(side), source_edges=lower, target_edges=upper) for side in (pred, gold)]
    for relation in ("exact", "ignore"):
        one, other = (
            score({"pred": sides[0], "gold": sides[1]}, reasoner=reasoner, relation=relation)
            for reasoner in ("closure", "hermit")
        )
        assert one.counts == other.counts
        assert np.array_equal(one.matching.pred.credit, other.matching.pred.credit)
    assert other.counts["hit_pred"] > 10


DISJOINT = "a:Cat a owl:Class; owl:disjointWith a:Dog . a:Dog a owl:Class . a:Rock a owl:Class ."


@needs_hermit
def test_an_empty_class_is_below_all_others_and_that_is_reported(sides):
    read = sides(
        DISJOINT, "b:Pet a owl:Class . b:Tree a owl:Class .", ["a:Cat > b:Pet", "a:Dog > b:Pet"], ["a:Rock > b:Pet"]
    )
    found = score(read, reasoner="hermit")
    assert found.recall == 1
    assert (
        found.note == "below all others, as they cannot have instances by the ontologies and the prediction: 1 classes"
    )
    assert score(read).recall == 0


@needs_hermit
def test_a_contradiction_is_an_error(sides):
    read = sides(
        DISJOINT, "b:Pet a owl:Class . b:tom a b:Pet .", ["a:Cat > b:Pet", "a:Dog > b:Pet"], ["a:Rock > b:Pet"]
    )
    with pytest.raises(InputError, match="contradict each other: the ontologies and the prediction") as caught:
        score(read, reasoner="hermit")
    assert "-m semantic" in caught.value.hint


@needs_hermit
def test_what_is_not_owl_dl_is_an_error(sides):
    rule = '[a owl:Restriction; owl:onProperty a:in; owl:cardinality "1"^^xsd:nonNegativeInteger]'
    source = f"a:in a owl:ObjectProperty, owl:TransitiveProperty . a:Cat a owl:Class; rdfs:subClassOf {rule} ."
    read = sides(source, "b:Cat a owl:Class .", ["a:Cat = b:Cat"], ["a:Cat = b:Cat"])
    with pytest.raises(InputError, match="HermiT cannot reason: the ontologies and gold") as caught:
        score(read, reasoner="hermit")
    assert "HermiT 1" in caught.value.found


@needs_hermit
def test_unlike_entities_are_entailed_where_they_are_stated(sides):
    source = "a:Cat a owl:Class . a:says a owl:AnnotationProperty ."
    target = "b:eats a owl:ObjectProperty . b:says a owl:AnnotationProperty; rdfs:subPropertyOf b:notes ."
    read = sides(
        source, target, ["a:Cat = b:eats", "a:says = b:says"], ["a:Cat = b:eats", "a:says < b:notes", "a:Cat < b:x"]
    )
    assert score(read, reasoner="hermit").matching.gold.credit.tolist() == [1, 1, 0]


@needs_hermit
def test_test_cases_do_not_entail_each_other(tmp_path):
    for side, files in {"gold": {"a": "A,1,="}, "pred": {"a": "A,2,<", "b": "A,1,="}}.items():
        (tmp_path / side).mkdir()
        for name, row in files.items():
            (tmp_path / side / f"{name}.csv").write_text(f"source,target,relation\n{row}\n")
    pred, gold = (read_alignment(tmp_path / side) for side in ("pred", "gold"))
    assert Semantic(reasoner="hermit").score(pred=pred, gold=gold).counts["hit_pred"] == 0


def scripted(monkeypatch, tmp_path, script):
    """Put a program in the place of Java, and temporary files where they can be seen."""
    tmp_path.joinpath("bin").mkdir()
    tmp_path.joinpath("left").mkdir()
    program = tmp_path / "bin" / "java"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setattr(shutil, "which", lambda _: str(program))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "left"))


@needs_hermit
@pytest.mark.parametrize(
    ("script", "message", "limit"),
    [
        ("exec sleep 60", "did not finish: both", "seconds"),
        ("echo 'java.lang.OutOfMemoryError: heap' >&2; exit 1", "has not enough memory: both", "memory"),
        ("echo 'no runtime' >&2; exit 1", "cannot reason: both", ""),
        ("echo 'it went wrong' >&2", "cannot reason: both", ""),
    ],
)
def test_a_run_that_fails_is_an_error_and_leaves_nothing_behind(script, message, limit, monkeypatch, tmp_path):
    scripted(monkeypatch, tmp_path, script)
    monkeypatch.setenv("GOLDASSAY_MAX_SECONDS", "1" if limit == "seconds" else "60")
    with pytest.raises(InputError, match=message) as caught:
        find_entailed(Hermit.find(), [], [], [(CLASS, "http://a/x", "http://a/y")], whose="both")
    assert f"--limit {limit}=" in caught.value.hint or not limit
    assert not list(tmp_path.joinpath("left").iterdir())


def test_what_is_missing_is_named(monkeypatch):
    alignment = Alignment.from_rows([("A", "1")])
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(MissingDependencyError, match="owlready2") as caught:
        Semantic(reasoner="hermit").score(pred=alignment, gold=alignment)
    assert caught.value.hint == "pip install 'goldassay[reasoner]'"


def test_java_is_missing(monkeypatch, tmp_path):
    class Spec:
        submodule_search_locations = (str(tmp_path),)

    monkeypatch.setattr(importlib.util, "find_spec", lambda _: Spec)
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(MissingDependencyError, match="no program 'java'"):
        Hermit.find()


def test_names_that_are_no_iris_show_sources_from_targets():
    assert iri("a b", "source") != iri("a b", "target") != iri("a  b", "target")
    assert iri("urn:x", "source") == iri("urn:x", "target") == "urn:x"
    known = Ontologies(source=Hierarchy.from_edges([("a", "b")], [("p", "q")]))
    [line] = ontology_axioms(known)
    assert line == f"<{iri('a', 'source')}> <{reasoner.SUB_CLASS}> <{iri('b', 'source')}> ."


@needs_hermit
def test_individuals_are_the_same_or_not():
    same = (INDIVIDUAL, "http://a/i", "http://b/j")
    found, _ = find_entailed(
        Hermit.find(),
        [],
        [same],
        [same, (INDIVIDUAL, "http://b/j", "http://a/i"), (INDIVIDUAL, "http://a/i", "http://a/k")],
        whose="both",
    )
    assert found.tolist() == [True, True, False]


def test_what_hermit_answers_is_not_held_against_chance():
    assert FAMILY.trust.null_of(Semantic()) == "permute-targets"
    assert FAMILY.trust.null_of(Semantic(reasoner="hermit")) is None


def test_the_example_of_iri():
    assert (iri("http://a/cat", "source"), iri("big cat", "source")) == (
        "http://a/cat",
        "urn:goldassay:source:big%20cat",
    )
