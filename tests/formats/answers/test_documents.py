"""Examples of `goldassay.formats.answers.documents`: what its functions give."""

from goldassay.formats.answers.documents import _records_of_yaml, read_documents
from goldassay.formats.source import Source


def test_example_of_read_documents():
    text = b"q1:\n- aspirin\n- fever\n\nq2:\n- insulin\n"
    assert (
        read_documents(Source(path="a.md", name="a.md", data=text, size=len(text))).source.data.splitlines()[0]
        == b'{"id": "q1", "concepts": ["aspirin", "fever"]}'
    )


def test_documents_of_yaml_are_on_all_its_lines():
    record = {"id": "d1", "concepts": ["a", "b"]}
    assert _records_of_yaml("d1:\n  concepts:\n  - a\n  - b", 5) == [(record, {5, 6, 7, 8}, 0)]
