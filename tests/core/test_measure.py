"""The contract: what a measure must declare, and what its parameters may be."""

import math
from dataclasses import dataclass
from typing import ClassVar

import pytest

import goldassay
from goldassay.core.family import check_declaration, reference
from goldassay.graphs import Fuzzy, Literal


def test_a_measure_is_a_value():
    assert Fuzzy(threshold=0.5) == Fuzzy(threshold=0.5)
    assert len({Fuzzy(threshold=0.5), Fuzzy(threshold=0.5), Fuzzy()}) == 2
    with pytest.raises(AttributeError):
        Fuzzy().threshold = 0.1


@pytest.mark.parametrize(
    "measure",
    [Literal(), Fuzzy(), Fuzzy(threshold=1), Fuzzy(inclusive=True, undefined=math.nan), Literal(undefined=1.0)],
)
def test_a_spec_reads_back_to_the_measure(measure):
    assert goldassay.parse(str(measure)) == measure


def test_defaults_stay_out_of_the_spec_but_the_threshold():
    assert str(Literal()) == "literal"
    assert str(Fuzzy()) == "fuzzy(threshold=0.436)"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("fuzy", "try:      fuzzy"),
        ("fuzzy(treshold=0.5)", "try:      threshold"),
        ("fuzzy(threshold=2)", "in [-1, 1]"),
        ("fuzzy(threshold=high)", "in [-1, 1]"),
        ("fuzzy(threshold=true)", "in [-1, 1]"),
        ("fuzzy(threshold=nan)", "in [-1, 1]"),
        ("fuzzy(inclusive=1)", "bool"),
        ("literal(undefined=0.5)", "0, 1, nan"),
    ],
)
def test_a_wrong_parameter_is_refused_with_what_may_be(spec, message):
    with pytest.raises(goldassay.UsageError) as caught:
        goldassay.parse(spec)
    assert message in str(caught.value)


@pytest.mark.parametrize("gap", ["title", "formula", "citation", "headline"])
def test_registration_refuses_a_gap(gap):
    @dataclass(frozen=True, kw_only=True)
    class Gappy(Literal):
        """A measure with a gap."""

        name: ClassVar[str] = "gappy"

    setattr(Gappy, gap, "")
    with pytest.raises(TypeError, match=gap):
        check_declaration(Gappy, kind="taxonomy")


def test_registration_refuses_an_unknown_citation():
    assert "Dellschaft" in reference("dellschaft2006gold")
    with pytest.raises(goldassay.UsageError, match="no entry"):
        reference("nobody1999")


class Named:
    """An encoder of which only the name is asked."""

    def __init__(self, name):
        self.name = name


def test_a_threshold_for_another_encoder_is_remarked_on():
    """Only where an encoder is used, the threshold is the default, and this was calibrated for another encoder."""
    default = type(Fuzzy()).__dataclass_fields__["threshold"].default
    assert "is calibrated for" in Fuzzy().borrowed(Named("other"))
    assert f"the threshold {default:g}" in Fuzzy().borrowed(Named("other"))
    own = Fuzzy().borrowed(Named("other")).split("is calibrated for ")[1].split(",")[0]
    assert Fuzzy().borrowed(Named(own)) is None
    assert Fuzzy(threshold=0.5).borrowed(Named("other")) is None
    assert Fuzzy().borrowed(None) is None
    assert Literal().borrowed(Named("other")) is None
