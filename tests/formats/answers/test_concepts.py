"""Examples of `goldassay.formats.answers.concepts`: what its functions give."""

from goldassay.formats.answers.concepts import is_absent, led_names, without_descriptions


def test_example_of_is_absent():
    assert is_absent("None")
    assert is_absent("No drugs mentioned.")
    assert not is_absent("no pain")


def test_example_of_led_names():
    assert led_names("**Key concepts:** fever, cough") == ["fever", "cough"]
    assert led_names("Diseases: fever; gout") == ["fever", "gout"]


def test_example_of_without_descriptions():
    assert without_descriptions("1. **fever**: a high temperature\n2. cough - dry") == "1. fever\n2. cough"
    assert without_descriptions("- d1: fever\n- d2: a cough") == "- d1: fever\n- d2: a cough"
