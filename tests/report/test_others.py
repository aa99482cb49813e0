"""Examples of report/others.py."""

from goldassay.report.others import other_scores


def test_the_example_of_other_scores():
    assert [
        (one.name, round(one.value, 9)) for one in other_scores(["a cat sat on it"], [["a cat sat on it"]], ["bleu"])
    ] == [("BLEU", 1.0)]
