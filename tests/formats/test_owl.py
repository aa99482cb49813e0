import pytest

from goldassay.core.errors import InputError
from goldassay.formats import Source, read_triples
from goldassay.formats.owl import functional_as_rdf, xml_as_rdf

pytest.importorskip("pyhornedowl")

SUBCLASS = "http://www.w3.org/2000/01/rdf-schema#subClassOf"
OWL_NAMESPACE = 'xmlns="http://www.w3.org/2002/07/owl#"'


def source(text: str) -> Source:
    return Source(path="a.owl", name="a.owl", data=text.encode(), size=len(text))


def edges(text: str, name: str) -> set[tuple[str, str]]:
    triples = read_triples(source(text), name)
    return {(t.subject.value, t.object.value) for t in triples if t.predicate.value == SUBCLASS}


def test_functional_syntax_may_use_the_standard_prefixes_undeclared_and_relative_ones():
    text = (
        "Prefix(:=<#>)\nPrefix(e:=<http://e/x#>)\nOntology(<http://a/o>\n"
        'AnnotationAssertion(rdfs:label :cat "cat"@en)\nSubClassOf(:cat e:pet)\nSubClassOf(e:pet owl:Thing))'
    )
    assert edges(text, "owl-functional") == {
        ("http://a/o#cat", "http://e/x#pet"),
        ("http://e/x#pet", "http://www.w3.org/2002/07/owl#Thing"),
    }


def test_owl_xml_resolves_relative_iris_against_its_base_and_expands_entities():
    text = (
        f'<!DOCTYPE Ontology [<!ENTITY e "http://e/x#">]><Ontology {OWL_NAMESPACE} xml:base="http://a/b/"'
        ' ontologyIRI="http://a/b"><SubClassOf><Class IRI="cat"/><Class IRI="&e;pet"/></SubClassOf>'
        '<SubClassOf><Class IRI="#x"/><Class abbreviatedIRI="owl:Thing"/></SubClassOf></Ontology>'
    )
    assert edges(text, "owl-xml") == {
        ("http://a/b/cat", "http://e/x#pet"),
        ("http://a/b/#x", "http://www.w3.org/2002/07/owl#Thing"),
    }


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Ontology(<http://a>\n\nSubClassOf(<http://b> <http://c>) Foo(x))", 3),
        ("Ontology(<http://a>\nSubClassOf(:b <http://c>))", 2),
        ("Ontology(<http://a>\nSubClassOf(<http://b> <http://c>)", 2),
    ],
)
def test_broken_functional_syntax_names_the_line(text, line):
    with pytest.raises(InputError, match="Invalid OWL") as caught:
        edges(text, "owl-functional")
    assert caught.value.line == line


def test_an_undeclared_prefix_in_owl_xml_is_an_error_and_not_an_iri():
    text = (
        f'<Ontology {OWL_NAMESPACE}><SubClassOf><Class IRI="#b"/><Class abbreviatedIRI="my:c"/></SubClassOf></Ontology>'
    )
    with pytest.raises(InputError, match="undefined prefix"):
        edges(text, "owl-xml")


def test_broken_owl_xml_is_an_input_error():
    with pytest.raises(InputError, match="Invalid OWL"):
        edges(f'<Ontology {OWL_NAMESPACE}><SubClassOf><Class IRI="#b"/></SubClassOf></Ontology>', "owl-xml")


@pytest.mark.parametrize("depth", [2_000, 200_000])
def test_nesting_that_would_crash_the_parser_is_refused(depth):
    with pytest.raises(InputError, match="nested too deeply"):
        edges("Ontology(<http://a> SubClassOf(<http://b> " + "ObjectComplementOf(" * depth, "owl-functional")
    inner = "<ObjectComplementOf>" * depth + '<Class IRI="#c"/>' + "</ObjectComplementOf>" * depth
    text = f'<Ontology {OWL_NAMESPACE}><SubClassOf><Class IRI="#b"/>{inner}</SubClassOf></Ontology>'
    with pytest.raises(InputError, match="nested too deeply"):
        edges(text, "owl-xml")


def test_parentheses_in_texts_and_iris_are_no_nesting():
    label = "(" * 3000
    text = (
        f'Ontology(<http://a> AnnotationAssertion(rdfs:label <http://b> "{label}") SubClassOf(<http://b> <http://c>))'
    )
    assert edges(text, "owl-functional") == {("http://b", "http://c")}


@pytest.mark.parametrize("hidden", ['"a\\\n" ', '"\\\\" ', '"a#b" # "\n', "<http://a#(>", '"\\"" '])
def test_nothing_hides_nesting_from_the_guard(hidden):
    inner = "ObjectComplementOf(" * 200_000
    with pytest.raises(InputError):
        edges(f"Ontology(<http://a> Annotation(rdfs:label {hidden}) SubClassOf(<http://b> {inner}))", "owl-functional")


@pytest.mark.parametrize(
    "part",
    [
        '"\\\\"',
        '"',
        '\\"',
        "<",
        '"\\\n',
        "#",
        "(<",
        "Prefix(",
        "Prefix(a",
        "Prefix(a:=<",
        "Ontology(",
        "Ontology ( <",
        "Ontology(<a",
    ],
)
def test_a_mark_that_is_repeated_takes_linear_time(part):
    with pytest.raises(InputError):
        edges("Ontology(<http://a> " + part * 100_000, "owl-functional")


@pytest.mark.parametrize(
    "text",
    [
        "Ontology(<http://a> SubClassOf(<http://b> ObjectMinCardinality(10000000000 <http://r>)))",
        "Ontology(<http://a> SubClassOf(x:a x:b))",
        "Prefix(x:=<//[>) Ontology(<http://a> SubClassOf(x:a x:b))",
        "Ontology(<//[> SubClassOf(<//[a> <//[b>))",
        "Ontology(<\ud7ff\0> SubClassOf(<a> <b>))",
    ],
)
def test_any_the_parser_does_is_an_input_error(text, capfd):
    with pytest.raises(InputError) as caught:
        edges(text, "owl-functional")
    assert caught.value.hint


def test_a_relative_iri_that_is_none_is_refused_in_owl_xml():
    text = f'<Ontology {OWL_NAMESPACE} xml:base="http://a/"><SubClassOf><Class IRI="//[b"/><Class IRI="c"/></SubClassOf></Ontology>'
    with pytest.raises(InputError, match="relative IRI"):
        edges(text, "owl-xml")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("owl-functional", "".join(f"Prefix(a{row}:=<u>)\n" for row in range(1001)) + "Ontology()"),
        (
            "owl-xml",
            '<Ontology xmlns="http://www.w3.org/2002/07/owl#">'
            + "".join(f'<Prefix name="a{row}" IRI="u"/>' for row in range(1001))
            + "</Ontology>",
        ),
    ],
)
def test_prefixes_are_limited_since_the_parser_looks_through_all_of_them(name, text):
    with pytest.raises(InputError, match="too many prefixes"):
        list(read_triples(source(text), name))


def test_example_of_functional_as_rdf():
    from goldassay.formats.source import Source

    page = b"Ontology(<http://a> SubClassOf(<http://a/cat> <http://a/pet>))"
    assert b"subClassOf" in functional_as_rdf(Source(path="a.ofn", name="a.ofn", data=page, size=60))


def test_example_of_xml_as_rdf():
    from goldassay.formats.source import Source

    page = (
        b'<Ontology xmlns="http://www.w3.org/2002/07/owl#" xml:base="http://a/"><SubClassOf>'
        b'<Class IRI="cat"/><Class IRI="pet"/></SubClassOf></Ontology>'
    )
    assert b'"http://a/pet"' in xml_as_rdf(Source(path="a.owx", name="a.owx", data=page, size=140))
