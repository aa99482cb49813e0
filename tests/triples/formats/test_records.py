"""Examples of `goldassay.triples.formats.records`: what its functions give."""

from goldassay.triples.formats.records import count_unread, id_of, unwrap_graph


def test_example_of_unwrap_graph():
    assert unwrap_graph({"nodes": [], "links": []}) == {"nodes": [], "edges": []}


def test_example_of_id_of():
    assert id_of({"id": 7}) == "7"
    assert id_of({"source": {"metadata": {"doc_id": "d1"}}}) == "d1"
    assert id_of({"triples": []}) is None


def test_example_of_count_unread():
    assert count_unread({("id", "triples", "relations"): 2, ("id", "triples"): 5}) == {"relations": 2}
