"""Examples of `goldassay.triples.synonyms`: what its functions give."""

from goldassay.formats.synonyms import Synonyms
from goldassay.triples.model import TripleSet
from goldassay.triples.synonyms import ENTITY, PREDICATE, codes_of_slots


def test_example_of_codes_of_slots():
    pairs = [Synonyms("in", "located in", PREDICATE), Synonyms("NYC", "New York", ENTITY)]
    codes, _texts = codes_of_slots(["in", "located in", "New York", "NYC"], pairs, gold=TripleSet.from_lists({}))
    assert [some.tolist() for some in codes] == [[0, 1, 3, 3], [0, 0, 2, 3], [0, 1, 3, 3]]
