"""Numbers with units."""

import pytest

from goldassay.concepts.texts.chunks import QUANTITY, quantity


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("20 mg", "20 mg"),
        ("20mg", "20 mg"),
        ("1,000 milligrams", "1000 mg"),
        ("1 g", "1000 mg"),
        ("0.5 mcg", "1/2000 mg"),
        ("five days", "7200 minute"),
        ("2 km", "200000 cm"),
        ("2 to 3 months", "2 to 3 month"),
        ("2-3 months", "2 to 3 month"),
        ("1 year", "12 month"),
        ("120/80 mmHg", "120/80 mmhg"),
        ("12.5 %", "25/2 %"),
        ("98.6 \u00b0F", "493/5 \u00b0f"),
    ],
)
def test_values(text, value):
    [match] = QUANTITY.finditer(text)
    assert quantity(match.string, match.start()).value == value
    assert (match.start(), match.end()) == (0, len(text))


@pytest.mark.parametrize(
    "text", ["a 45-year-old", "type 2 diabetes", "L4", "8/3/2020", "20 mgx", "often inches", "1.2.3 mg"]
)
def test_no_quantities(text):
    assert not [match[0] for match in QUANTITY.finditer(text)]
