"""Examples of core/labelled.py."""

from goldassay.core.labelled import Labelled


def test_the_example_of_labelled():
    assert (str(Labelled(design="clusters")), str(Labelled(design="simple", interval="ahpd"))) == (
        "labelled(design=clusters)",
        "labelled(design=simple, interval=ahpd)",
    )
