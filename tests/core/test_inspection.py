"""Examples of core/inspection.py."""

from goldassay.core.inspection import format_counts


def test_the_example_of_format_counts():
    assert format_counts({"blank_nodes": 2, "loops": 0, "duplicates": 1}) == "2 blank nodes, 1 duplicate"
