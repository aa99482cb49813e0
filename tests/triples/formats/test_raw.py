"""Examples of `goldassay.triples.formats.raw`: what its functions give."""

from goldassay.triples.formats.raw import RawDocuments
from goldassay.triples.reading import Normaliser


def test_example_of_raw_documents():
    raw = RawDocuments()
    assert raw.add(raw.begin("d1"), ["Oslo", "capital of", None]) is None
    assert raw.columns(Normaliser(()))["facts"] == {"documents": 1, "documents_without_triples": 0, "half_triples": 1}
