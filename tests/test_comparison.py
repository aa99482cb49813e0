"""Examples of comparison.py."""

from goldassay.comparison import row_of


def test_the_example_of_row_of():
    assert row_of("b.csv", ["runs/a.csv", "runs/b.csv"]) == 1
