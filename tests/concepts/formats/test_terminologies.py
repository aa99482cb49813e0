"""Examples of `goldassay.concepts.formats.terminologies`: what its functions give."""

from goldassay.concepts.formats.terminologies import NameFilter, is_terminology, terminology
from goldassay.concepts.texts.names import Names


def test_example_of_terminology():
    from goldassay.formats import Source

    mesh = Source(path="a", name="a", data=b"*NEWRECORD\nMH = Asthma\nUI = D001249\n", size=40)
    names = Names()
    assert (
        repr((terminology(mesh, NameFilter(), names), names.listed()))
        == "(True, [Name(rank=0, concept='D001249', text='Asthma')])"
    )


def test_example_of_is_terminology():
    from goldassay.formats import Source

    assert not is_terminology(Source(path="a.csv", name="a.csv", data=b"id,name\nC1,asthma\n", size=18))
