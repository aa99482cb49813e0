"""Clusters stay with their document, or are those of the one graph that documents are merged into."""

import json

import pytest

from goldassay.triples import TriplesReading, read_triples_of_documents


@pytest.mark.parametrize(
    ("reading", "documents"),
    [
        (TriplesReading(), {"a": ["Grieg"], "b": [], "c": ["Rome", "Oslo"]}),
        (TriplesReading(ids="order"), {"1": ["Grieg"], "2": [], "3": ["Rome", "Oslo"]}),
        (TriplesReading(unit="corpus"), {"corpus": ["Grieg", "Rome", "Oslo"]}),
    ],
    ids=["documents", "order", "corpus"],
)
def test_clusters_stay_with_their_documents(tmp_path, reading, documents):
    clusters = {"a": ["Grieg"], "b": [], "c": ["Rome", "Oslo"]}
    graphs = [
        {"id": name, "relations": [[name, "is", "x"]], "entity_clusters": {one: [one, f"{one} B"] for one in some}}
        for name, some in clusters.items()
    ]
    path = tmp_path / "a.jsonl"
    path.write_text("".join(f"{json.dumps(graph)}\n" for graph in graphs))
    triples = read_triples_of_documents(path, reading)
    found = {name: [] for name in triples.ids.tolist()}
    for one in triples.clusters:
        assert set(one.names) == {one.names[0], f"{one.names[0]} B"}
        found[triples.ids[one.document]].append(one.names[0])
    assert list(found.values()) == list(documents.values())
    if reading.unit != "corpus":
        assert list(found) == list(documents)
