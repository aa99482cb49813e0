"""Examples of `goldassay.concepts.formats.parts`: what its functions give."""

from goldassay.concepts.formats.parts import claims, columns_of, split_column
from goldassay.concepts.reading import ConceptReading


def test_example_of_claims():
    assert claims("json-lines", ["id", "answer"])
    assert not claims("json-lines", ["id", "text", "triples"])


def test_example_of_columns_of():
    assert (
        repr(columns_of({"qid": "1", "Answer": "Take aspirin."}, ConceptReading(), chosen=None, path="a.csv"))
        == "DocumentColumns(id='qid', text='Answer', concepts=None, tree=None)"
    )


def test_example_of_split_column():
    assert split_column("answers.csv#reference") == ("answers.csv", "reference")
    assert split_column("answers.csv") == ("answers.csv", None)
