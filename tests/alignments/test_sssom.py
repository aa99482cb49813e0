"""Examples of alignments/formats/sssom.py."""

from goldassay.alignments.formats.sssom import prefixes_of, read_sssom, read_sssom_rdf, unread_of
from goldassay.formats import Source
from goldassay.formats.records import BadRecords


def test_the_example_of_prefixes_of():
    assert prefixes_of(["license: x", "curie_map:", "  HP: http://purl.obolibrary.org/obo/HP_", "comment: y"]) == {
        "HP": "http://purl.obolibrary.org/obo/HP_"
    }


def test_the_example_of_read_sssom():
    table = b"#curie_map:\n#  a: http://a/\nsubject_id\tpredicate_id\tobject_id\na:1\tskos:exactMatch\ta:2\n"
    found = read_sssom(Source(path="a", name="a.tsv", data=table, size=1), "sssom", BadRecords(), None)
    assert (found.as_table().frame.rows(), found.prefixes["a"]) == ([("a:1", "a:2", "skos:exactMatch", 0)], "http://a/")


def test_the_example_of_unread_of():
    assert unread_of(["curie_map", "license", "subject_id", "comment"]) == ("license", "comment")


def test_the_example_of_read_sssom_rdf():
    page = (
        b"@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix s: <https://w3id.org/sssom/> ."
        b"[] owl:annotatedSource <http://a/1> ; owl:annotatedProperty owl:equivalentClass ;"
        b"   owl:annotatedTarget <http://b/2> ; s:confidence 0.5 ."
    )
    found = read_sssom_rdf(Source(path="a", name="a", data=page, size=1), "turtle", BadRecords())
    assert [found.lists[role] for role in ("source", "target", "score")] == [["http://a/1"], ["http://b/2"], ["0.5"]]
