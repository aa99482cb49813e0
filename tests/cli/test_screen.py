"""Examples of cli/screen.py."""

from goldassay.cli.screen import pace, shorten_middle


def test_the_example_of_pace():
    assert (pace(1234.5), pace(45_600_000)) == ("1,234/s", "45.6M/s")


def test_the_example_of_shorten_middle():
    assert (
        shorten_middle("reading /a/long/way/to/a/folder/of/learned/ontologies.ttl", 30)
        == "reading …arned/ontologies.ttl"
    )
