"""What a parameter may be, at its ends."""

from dataclasses import dataclass
from typing import Literal

import pytest

from goldassay.core.errors import UsageError
from goldassay.core.parameters import Options, note_reads, note_used_options, parameter, parameters_of
from goldassay.graphs import Fuzzy


@dataclass(frozen=True)
class Owner:
    share: float = parameter(0.5, help="a share", bounds=(0.0, 1.0))
    rank: int | None = parameter(None, help="a rank", bounds=(1, 10))
    size: int = parameter(2, help="a size", choices=(1, 2))
    year: Literal["2013"] = parameter("2013", help="a year", choices=("2013", "latest"))
    names: tuple[str, ...] = parameter((), help="names")


OWN = parameters_of(Owner)


@pytest.mark.parametrize(
    ("name", "value", "canonical"),
    [
        ("share", 0.0, 0.0),
        ("share", 1, 1.0),
        ("rank", 1, 1),
        ("rank", 10, 10),
        ("rank", None, None),
        ("size", 1, 1),
        ("year", 2013, "2013"),
        ("names", ("a", "b"), ("a", "b")),
    ],
)
def test_a_value_that_may_be(name, value, canonical):
    found = OWN[name].check(value, owner="owner")
    assert (found, type(found)) == (canonical, type(canonical))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("share", -0.01),
        ("share", 1.01),
        ("share", None),
        ("share", True),
        ("rank", 0),
        ("rank", 11),
        ("rank", True),
        ("size", 3),
        ("size", True),
        ("year", 2014),
        ("year", True),
        ("names", ["a"]),
        ("names", ("a", 1)),
    ],
)
def test_a_value_that_may_not_be(name, value):
    with pytest.raises(UsageError, match=f"the parameter '{name}' cannot be"):
        OWN[name].check(value, owner="owner")


def test_what_may_be_is_reported():
    assert {name: declared.expected for name, declared in OWN.items()} == {
        "share": "float in [0, 1]",
        "rank": "int in [1, 10], or none",
        "size": "1, 2",
        "year": "2013, latest",
        "names": "tuple[str, ...]",
    }


def test_what_zero_by_zero_gives_comes_last():
    first, *_, last = parameters_of(Fuzzy)
    assert (first, last) == ("threshold", "undefined")


def test_the_example_of_note_used_options():
    @dataclass(frozen=True, kw_only=True)
    class Reading(Options):
        text: str = parameter("label", help="What is compared.")

    used = note_used_options()
    with note_reads():
        _ = Reading(text="iri").text
    assert ("text", "iri") in used
