"""Examples of labels/paths.py."""

from goldassay.labels.paths import hierarchy_of_paths, parts_of


def test_the_example_of_parts_of():
    assert (parts_of("Animals > Dogs>Poodle", None), parts_of("/Arts/Music/", "/"), parts_of("<http://a/b>", None)) == (
        ["Animals", "Dogs", "Poodle"],
        ["Arts", "Music"],
        ["<http://a/b>"],
    )


def test_the_example_of_hierarchy_of_paths():
    pets = hierarchy_of_paths(["pet > cat", "pet > dog"])
    assert (pets.names.tolist(), [pets.names[row] for row in pets.roots]) == (
        ["pet > cat", "pet > dog", "pet"],
        ["pet"],
    )
