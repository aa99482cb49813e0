"""Examples of `goldassay.formats.edges`: what its functions give."""

from goldassay.formats.edges import parents_in, read_edge_list, read_node_link, read_taxo
from goldassay.formats.source import Source


def test_example_of_read_node_link():
    page = b'{"nodes": [{"id": 1, "title": "cat"}, {"id": 2}], "links": [{"source": 1, "target": 2}]}'
    graph = read_node_link(Source(path="a.json", name="a.json", data=page, size=87))
    assert graph.edges.rows() == [("1", "2")]
    assert graph.texts == {"1": "cat"}


def test_example_of_parents_in():
    assert parents_in([{"id": 1, "name": "pet"}, {"id": 2, "name": "cat", "parent": 1}]) == {
        "node": "id",
        "text": "name",
        "target": "parent",
    }
    assert parents_in([{"id": 1}]) == {}


def test_example_of_read_edge_list():
    table = Source(path="a.csv", name="a.csv", data=b"parent,child\nanimal,cat", size=23)
    assert read_edge_list(table, "csv").edges.rows(named=True) == [{"source": "cat", "target": "animal", "row": 0}]


def test_example_of_read_taxo():
    assert read_taxo(Source(path="a.taxo", name="a.taxo", data=b"0\tcat\tpet\n", size=10)).edges.rows() == [
        ("cat", "pet", 0)
    ]
