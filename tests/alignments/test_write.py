"""Examples of alignments/formats/write.py."""

from goldassay.alignments.formats.write import format_of, swap_sides
from goldassay.alignments.model import Alignment


def test_the_example_of_format_of():
    assert (format_of("a.rdf"), format_of("a.sssom.tsv"), format_of("a.tsv")) == ("oaei", "sssom", "tsv")


def test_the_example_of_swap_sides():
    assert swap_sides(Alignment.from_rows([("cat", "animal", "<")])).item(0) == "animal > cat"
