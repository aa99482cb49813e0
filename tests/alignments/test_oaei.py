"""Examples of alignments/formats/oaei.py."""

from goldassay.alignments.formats.oaei import read_oaei
from goldassay.formats import Source
from goldassay.formats.records import BadRecords


def test_the_example_of_read_oaei():
    cell = '<map><Cell><entity1 rdf:resource="a"/><entity2 rdf:resource="b"/><relation>=</relation></Cell></map>'
    page = f'<rdf:RDF xmlns="http://knowledgeweb.semanticweb.org/heterogeneity/alignment" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">{cell}</rdf:RDF>'
    assert read_oaei(Source(path="a", name="a", data=page.encode(), size=1), BadRecords()).lists == {
        "source": ["a"],
        "target": ["b"],
        "relation": ["="],
        "score": ["1.0"],
    }
