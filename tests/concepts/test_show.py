"""Examples of `goldassay.concepts.show`: what its functions give."""

from goldassay.concepts.show import mention_frame, with_assertion


def test_example_of_with_assertion():
    assert with_assertion("left foot pain", "left,negated") == "left foot pain (negated)"
    assert with_assertion("fever", "") == "fever"


def test_example_of_mention_frame():
    from goldassay.concepts.model import lay_out
    from goldassay.concepts.texts.chunks import Chunks

    assert mention_frame(lay_out([("q1", "Take aspirin.", Chunks().find("Take aspirin."))])).rows() == [
        ("q1", "aspirin", "", 5, 12, "aspirin", "", "")
    ]
