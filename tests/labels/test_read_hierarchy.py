"""Examples of labels/read_hierarchy.py."""

from goldassay.labels.read_hierarchy import to_curie


def test_the_example_of_to_curie():
    assert (
        to_curie("http://purl.obolibrary.org/obo/GO_0005634"),
        to_curie("http://purl.obolibrary.org/obo/x#cat"),
        to_curie("cat"),
    ) == ("GO:0005634", "cat", "cat")
