"""Examples of `goldassay.formats.answers.documents`: what its functions give."""

from goldassay.formats.answers.documents import read_documents
from goldassay.formats.source import Source


def test_example_of_read_documents():
    text = b"q1:\n- aspirin\n- fever\n\nq2:\n- insulin\n"
    assert (
        read_documents(Source(path="a.md", name="a.md", data=text, size=len(text))).source.data.splitlines()[0]
        == b'{"id": "q1", "concepts": ["aspirin", "fever"]}'
    )
