"""Examples of report/charts.py."""

from goldassay.report.charts import _count_ticks


def test_the_example_of_count_ticks():
    assert (_count_ticks(1), _count_ticks(7), _count_ticks(1234)) == ([0, 1], [0, 5, 10], [0, 1000, 2000])
