"""Examples of `goldassay.concepts.model`: what its functions give."""

import numpy as np

from goldassay.concepts.model import Mention, RawConcepts, build_concepts, lay_out
from goldassay.core.intern import Names


def test_example_of_mention_given():
    assert Mention.given("aspirin").key == "aspirin"
    assert Mention.given("aspirin", "CHEBI:15365").key == "CHEBI:15365"


def test_example_of_lay_out():
    assert lay_out([("d1", "Aspirin!", [Mention("aspirin", "aspirin", "", 0, 7)])]).mentions.spans.tolist() == [[0, 7]]


def test_example_of_build_concepts():
    words = [*[Names(["x", "y"])] * 2, *[Names(())] * 4]
    concepts = build_concepts(["d"], [""], RawConcepts(np.array([3]), np.array([1, 0, 1]), words))
    assert [concepts.item(row) for row in range(len(concepts))] == ["d: x", "d: y"]
    assert concepts.left_out == {"duplicates": 1}
