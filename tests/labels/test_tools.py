"""Examples of labels/tools.py."""

from goldassay.labels.tools import labelled


def test_the_example_of_labelled():
    assert labelled({"text": "a", "cats": {"sport": 0.9, "arts": 0.1}}) == {
        "text": "a",
        "label": ["sport", "arts"],
        "score": [0.9, 0.1],
    }
    assert labelled({"id": 1, "topic": {"choices": ["sport", "arts"]}}) == {"id": 1, "label": ["sport", "arts"]}
