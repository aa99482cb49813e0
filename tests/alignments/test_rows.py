"""Examples of alignments/rows.py."""

from goldassay.alignments.rows import expand, kind_notes


def test_the_example_of_expand():
    assert (expand("HP:1", {"HP": "http://hp/"}), expand("http://hp/1", {}), expand("XX:1", {})) == (
        "http://hp/1",
        "http://hp/1",
        None,
    )


def test_the_example_of_kind_notes():
    assert kind_notes(unjudged=0, denied=0, nulls=2, unpaired=0, disjoint=0) == ("sources without a counterpart: 2",)
