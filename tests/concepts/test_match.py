"""Examples of `goldassay.concepts.match`: what its functions give."""

from goldassay.concepts.match import comparable, pair_documents, pair_of
from goldassay.concepts.model import Concepts


def test_example_of_pair_documents():
    pairs = pair_documents(
        pred=Concepts.from_lists([("b", []), ("c", ["x"]), ("d", [])]), gold=Concepts.from_lists([("a", []), ("b", [])])
    )
    assert pairs.ids.tolist() == ["a", "b", "c"]
    assert pairs.pred.tolist() == [-1, 0, 1]
    assert pairs.gold.tolist() == [0, 1, -1]
    assert pairs.surplus == ["c", "d"]


def test_example_of_comparable():
    from goldassay.concepts.model import Mention, lay_out

    model = lay_out([("a", "", [Mention("x", "x"), Mention("y", "y"), Mention("x", "x", assertion="negated")])])
    assert comparable(pred=model, gold=model, pairs=pair_documents(pred=model, gold=model))[0].tolist() == [
        [0, 2],
        [2, 3],
    ]


def test_example_of_pair_of():
    both = Concepts.from_lists([("a", ["x"]), ("b", ["x", "y"])])
    pairs = pair_documents(pred=both, gold=both)
    assert pair_of(both, pairs.pred, pairs).tolist() == [0, 1, 1]
