"""Examples of `goldassay.formats.answers.cypher`: what its functions give."""

from goldassay.formats.answers.cypher import read_cypher


def test_example_of_read_cypher():
    assert read_cypher('CREATE (a:City {name: "Oslo"})-[:IN]->(b {name: "Norway"})').statements[0][1:4] == (
        "Oslo",
        "IN",
        "Norway",
    )
