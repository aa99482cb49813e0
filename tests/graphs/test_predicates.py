"""Examples of graphs/predicates.py."""

from goldassay.graphs.predicates import chooser, chosen_way, list_predicates, shorten


def test_the_example_of_shorten():
    assert (shorten("http://www.w3.org/2004/02/skos/core#broader"), shorten("http://a/b")) == (
        "skos:broader",
        "http://a/b",
    )


def test_the_example_of_chooser():
    assert chooser(("part_of", "skos:related"))("http://a/b#part_of")


def test_the_example_of_chosen_way():
    assert [chosen_way(edges)("hypernym of") for edges in ("taxonomy", "all", ("hypernym of",), ("part of",))] == [
        -1,
        1,
        -1,
        0,
    ]


def test_the_example_of_list_predicates():
    assert (
        list_predicates({"http://www.w3.org/2004/02/skos/core#related": 1200, "part_of": 3})
        == "skos:related 1,200; part_of 3"
    )
