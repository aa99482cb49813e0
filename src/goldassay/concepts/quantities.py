"""Numbers with their units in texts, and what they amount to: 1 g is 1000 mg, and 20 mg is not 40 mg."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType

from goldassay.concepts.model import Found

SCALES: Mapping[str, Mapping[str, Fraction | int]] = MappingProxyType(
    {
        "mg": {
            "mg milligram": 1, "g gram gm": 1000, "kg kilogram": 10**6, "mcg µg μg ug microgram": Fraction(1, 1000),
        },
        "ml": {"ml milliliter millilitre cc": 1, "dl deciliter": 100, "l liter litre": 1000},
        "cm": {"mm millimeter": Fraction(1, 10), "cm centimeter centimetre": 1, "km kilometer": 10**5},
        "in": {"inch inches": 1, "foot feet ft": 12, "mile": 63360},
        "lb": {"lb pound": 1, "oz ounce": Fraction(1, 16)},
        "minute": {"second sec": Fraction(1, 60), "minute min": 1, "hour hr": 60, "day": 1440, "week wk": 10080},
        "month": {"month mo": 1, "year yr": 12, "decade": 120},
        "mmhg": {"mmhg": 1}, "mg/dl": {"mg/dl": 1}, "mg/kg": {"mg/kg": 1}, "mmol/l": {"mmol/l": 1}, "g/dl": {"g/dl": 1},
        "mcg/ml": {"mcg/ml": 1}, "ng/ml": {"ng/ml": 1}, "meq": {"meq": 1}, "meq/l": {"meq/l": 1},
        "iu": {"iu": 1}, "unit": {"unit": 1}, "%": {"% percent": 1}, "bpm": {"bpm": 1},
        "degree": {"degree °": 1}, "°c": {"°c": 1}, "°f": {"°f": 1}, "mph": {"mph": 1}, "bmi": {"kg/m2": 1},
        "tablet": {"tablet tab": 1}, "capsule": {"capsule": 1}, "pill": {"pill": 1}, "puff": {"puff": 1}, "drop": {"drop": 1},
        "teaspoon": {"teaspoon tsp": 1}, "tablespoon": {"tablespoon tbsp": 1}, "pack": {"pack": 1}, "dose": {"dose": 1},
    }
)  # fmt: skip
"""Units by what they are compared in, each with the spellings of the singular, and how much of it one is."""

UNITS: Mapping[str, tuple[str, Fraction]] = MappingProxyType(
    {
        f"{spelling}{ending}": (base, Fraction(factor))
        for base, units in SCALES.items()
        for spellings, factor in units.items()
        for spelling in spellings.split()
        for ending in (("", "s") if spelling[-1].isalpha() and spelling[-1] != "s" else ("",))
    }
)
NUMBERS: Mapping[str, int] = MappingProxyType(
    {
        "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11,
        "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90, "hundred": 100,
    }
)  # fmt: skip
NUMERAL = r"\d{1,15}(?:,\d{3})*(?:\.\d{1,15})?"
QUANTITY = re.compile(
    rf"(?=[\dotfsenhz])(?<![\w.,/])(?P<number>{NUMERAL}|{'|'.join(NUMBERS)})(?:\s?(?P<sign>-|\u2013|/|to)\s?(?P<until>{NUMERAL}))?"
    rf"[ \-]?(?P<unit>{'|'.join(sorted(map(re.escape, UNITS), key=len, reverse=True))})(?![\w/]|-[^\W\d])",
    re.IGNORECASE,
)
"""A number or a range, in digits or one word, and its unit; not the first half of a compound such as 15-year-old."""


def quantity(text: str, start: int) -> Found:
    """Make a concept of the number with its unit that begins somewhere; its key is what it amounts to.

    Example:
        >>> text = "1,000 mg, 1 g, 0.5mg, 120/80 mmHg, five days, a 4-year-old"
        >>> [quantity(text, match.start()).value for match in QUANTITY.finditer(text)]
        ['1000 mg', '1000 mg', '1/2 mg', '120/80 mmhg', '7200 minute']
    """
    match = QUANTITY.match(text, start)
    if match is None:
        raise ValueError(f"no number with a unit begins at {start}")
    base, factor = UNITS[match["unit"].lower()]
    amounts = [str(_number(part) * factor) for part in (match["number"], match["until"]) if part]
    value = f"{('/' if match['sign'] == '/' else ' to ').join(amounts)} {base}"
    return Found(value, " ".join(match[0].lower().split()), "", match.start(), match.end(), value=value)


def _number(text: str) -> Fraction:
    word = NUMBERS.get(text.lower())
    return Fraction(text.replace(",", "")) if word is None else Fraction(word)
