"""A broken Turtle file with ``on_error="skip"``: all whole statements are read, and what is left out is reported."""

import pytest
from pyoxigraph import RdfFormat, parse

from goldassay.core.errors import InputError, RecordError
from goldassay.formats import load, read_triples, recognise
from goldassay.formats.records import BadRecords
from goldassay.formats.source import Source

STATEMENTS = (
    "@prefix : <http://a/> .",
    "@prefix owl: <http://www.w3.org/2002/07/owl#> .",
    ':a a owl:Class ;\n    :label \'one . two\', "a\\"b" ; # not the end .\n    :is :b .',
    "PREFIX x: <http://x/>",
    ':b :note """Long.\n:a :is :lie .\nIt\'s "quoted". """@en ; x:weight 1.5 .',
    "<http://a/c.d> :is [ :some :e ; :more ( :f :g.h ) ] .",
    "@base <http://base/> .",
    "<relative> :is _:x . _:x :is :a .",
    ":long :note '''Two\n\nparagraphs.''' ; :is :z .",
    "x:last :is x:first .",
)
DAMAGES = {
    "its dot": lambda text: text.removesuffix("."),
    "a quote": lambda text: text.replace('"', "", 1).replace("'", "", 1),
    "a long quote": lambda text: text.replace('"""', "", 1) if '"""' in text else text.replace("'''", "", 1),
    "the other long quote": lambda text: (
        text.replace('"""@en', "") if '"""' in text else text.replace("''' ;", " ;", 1)
    ),
    "a bracket": lambda text: text.replace("[", "").replace("(", ""),
    "the end": lambda text: text[: len(text) // 2],
    "garbage": lambda text: f"{text[:-1]} ; \\ ^^ %% {{ .",
    "a prefix": lambda text: text.replace(":is", "nowhere:is"),
    "an IRI": lambda text: text.replace("http://a/c.d>", "http://a/c d>"),
}


def read(text, on_error="skip", name="turtle"):
    data = text if isinstance(text, bytes) else text.encode()
    bad = BadRecords(on_error=on_error)
    return list(read_triples(Source(path="a.ttl", name="a.ttl", data=data, size=len(data)), name, bad)), bad


def seen(triples):
    """Give statements without the names of blank nodes."""
    words = ([str(term) for term in (one.subject, one.predicate, one.object)] for one in triples)
    return sorted(" ".join("_:" if word.startswith("_:") else word for word in some) for some in words)


@pytest.mark.parametrize("what", DAMAGES)
@pytest.mark.parametrize("row", [row for row, text in enumerate(STATEMENTS) if text[:1] not in "@P"])
def test_all_other_statements_are_read_where_one_is_damaged(row, what):
    damaged = DAMAGES[what](STATEMENTS[row])
    others = [text for number, text in enumerate(STATEMENTS) if number != row]
    found, bad = read("\n\n".join([*STATEMENTS[:row], damaged, *STATEMENTS[row + 1 :]]))
    all_others, everything = (
        set(seen(parse("\n\n".join(some), format=RdfFormat.TURTLE, base_iri="file:///")))
        for some in (others, STATEMENTS)
    )
    assert all_others <= set(seen(found))
    if bad.errors:
        # The text of a damaged statement may have a whole statement on a line of its own.
        assert set(seen(found)) <= everything | {"<http://a/a> <http://a/is> <http://a/lie>"}
        assert bad.errors[0].line == "\n\n".join(STATEMENTS[:row]).count("\n") + 3


def test_what_is_left_out_is_reported_with_line_and_text():
    found, bad = read("@prefix : <http://a/> .\n\n# note\n:a :b\n    :c ; ,, ;\n    :d .\n:e :f :g .\n")
    assert [str(one.subject) for one in found] == ["<http://a/e>"]
    assert bad.left_out() == {"skipped_records": 1}
    assert bad.errors[0].line == 4
    assert bad.errors[0].found == "':a :b' and 2 more lines"
    assert bad.notes()[1].startswith("skipped line 4: Invalid statement: ")


def test_a_damaged_statement_is_left_out_whole():
    found, bad = read("<a:a> <a:b> <a:c> ; <a:d> <a:e> ; <a:f> .\n<a:g> <a:h> <a:i> .")
    assert (len(found), len(bad.errors)) == (1, 1)


def test_text_around_the_turtle_of_a_model_costs_no_statement():
    text = (
        "Here is the ontology you asked for:\n\n```turtle\n@prefix : <http://a/> .\n:a :b :c .\n```\nIs it good? Yes.\n"
    )
    found, bad = read(text)
    assert seen(found) == ["<http://a/a> <http://a/b> <http://a/c>"]
    assert [error.line for error in bad.errors] == [1, 6]


def test_prefixes_without_dots_are_left_out_only():
    text = "@prefix a: <http://a/>\n@prefix b: <http://b/>\n@prefix c: <http://c/> .\nc:x c:y c:z .\n"
    found, bad = read(text)
    assert (len(found), len(bad.errors), bad.errors[0].line) == (1, 1, 1)


@pytest.mark.parametrize("name", ["n-triples", "n-quads"])
def test_lines_of_statements_are_read_so_too(name):
    found, bad = read('<a:a> <a:b> "c" .\n<a:a> "b" <a:c> .\n<a:d> <a:e> <a:f> .\n', name=name)
    assert (len(found), [error.line for error in bad.errors]) == (2, [2])


def test_blank_nodes_are_one_node_in_all_statements_that_name_them_and_no_other():
    found, _ = read("_:x <a:b> [] .\nbroken .\n_:x <a:b> [] .\n")
    assert len({one.subject for one in found}) == 1
    assert len({one.object for one in found}) == 2


def test_a_whole_file_is_read_as_without_the_option():
    text = "\n".join(STATEMENTS)
    (found, bad), (usual, _) = read(text), read(text, on_error="stop")
    assert seen(found) == seen(usual)
    assert not bad.errors


def test_a_file_without_a_whole_statement_is_refused():
    with pytest.raises(RecordError, match="Invalid statement"):
        read("no Turtle at all")


def test_formats_that_nest_cannot_be_skipped_in_and_say_so():
    with pytest.raises(InputError, match="does not help"):
        read("<a:g> { <a:a> <a:b> }", name="trig")
    with pytest.raises(InputError, match="leave out broken statements: --on-error skip"):
        read("<a:a> <a:b> .", on_error="stop")


@pytest.mark.parametrize(
    "text",
    [
        '"""\\' * 100_000,
        "'''\"\"\"\n" * 60_000,
        ":a :b\n" * 60_000,
        ':a """\n' * 60_000,
        "((((" * 50_000,
        "<" * 400_000,
        "a.b. " * 20_000,
        "# \n" * 100_000 + "a",
        ". " * 20_000,
    ],
    ids=lambda text: ascii(text[:12]),
)
def test_garbage_is_read_in_linear_time_and_reported_in_few_words(text):
    with pytest.raises(InputError) as caught:
        read(text)
    assert len(str(caught.value)) < 1000


@pytest.mark.parametrize(
    ("file", "statements", "most"),
    [("AquaDiva", 702, 10), ("cheminf", 623, 1), ("sewernet", 843, 5), ("wine", 1043, 2)],
)
def test_raw_ontologies_of_a_model_lose_few_statements(reference_data, file, statements, most):
    source = load(reference_data / f"learned/neon-gpt/llama4-ontologies/{file}_llama_raw.ttl")
    bad = BadRecords(on_error="skip")
    found = len(list(read_triples(source, recognise(source), bad)))
    assert (found, len(bad.errors)) == (statements, most)
