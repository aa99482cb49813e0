"""Of many groups a text shows the largest, in their order, and says so."""

import pytest

import goldassay
from goldassay.core.text import NumberFormat
from goldassay.report.cells import group_tables
from goldassay.triples import TripleSet

SIZES = {"a": 2, "b": 5, "c": 1, "d": 4, "e": 3}


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize(
    ("most", "shown", "title"),
    [
        (None, "abcde", ""),
        (5, "abcde", ""),
        (6, "abcde", ""),
        (4, "abde", ": the 4 largest of 5; --format csv has all"),
        (1, "b", ": the 1 largest of 5; --format csv has all"),
    ],
)
def test_the_largest_groups_stay_in_their_order(most, shown, title):
    stated = [(f"s{number}", name, "o") for name, size in SIZES.items() for number in range(size)]
    gold, pred = (TripleSet.from_lists({"d": some}) for some in (stated, stated[::2]))
    report = goldassay.evaluate(pred, gold=gold, kind="triples", measures="triples", by="predicate")
    [table] = group_tables(report, NumberFormat(2), most=most)
    assert table.title == f"prediction: triples by predicate{title}"
    assert [row[0].text for row in table.rows] == list(shown)
    matched = table.head.index("gold matched")
    found = {row[0].text: row[matched].text for row in table.rows}
    kept = [name for _, name, _ in stated[::2]]
    assert found == {name: f"{kept.count(name)} / {SIZES[name]}" for name in shown}
