"""Examples of triples/measures/ontology.py."""

import pathlib
import tempfile

from goldassay.triples.measures.ontology import read_ontology


def test_the_example_of_read_ontology():
    file = pathlib.Path(tempfile.mkdtemp(), "film.json")
    _ = file.write_text(
        '{"concepts": [{"qid": "Q5", "label": "human"}], '
        '"relations": [{"label": "director", "domain": "", "range": "Q5"}]}'
    )
    assert sorted(read_ontology(str(file)).relations[0].range) == ["human"]
