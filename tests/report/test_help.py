"""Examples of report/help.py."""

from goldassay.graphs import Literal
from goldassay.report.help import describe_groups, describe_measure


def test_the_example_of_describe_measure():
    assert (
        describe_measure(Literal())
        == "An edge is hit if the other side has an edge with the same pair of texts. f1 is between 0 and 1: higher is better."
    )


def test_the_example_of_describe_groups():
    assert describe_groups("depth").partition(":")[0] == "Items are grouped by their distance from a root"
