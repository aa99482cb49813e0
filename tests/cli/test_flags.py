"""Examples of cli/flags.py."""

import dataclasses
import inspect

from goldassay.cli.flags import expand_parameters, options_of, sentence
from goldassay.core.parameters import Options, parameter


def test_the_example_of_expand_parameters():
    given = []

    @dataclasses.dataclass(frozen=True)
    class Shown:
        places: int = 4

    @expand_parameters
    def command(name: str, shown: Shown) -> None:
        given.append((name, shown))

    assert repr(inspect.signature(command)) == "<Signature (*, name: str, places: int = 4) -> None>"
    command(name="cat", places=2)
    assert given == [("cat", Shown(places=2))]


def test_the_example_of_options_of():
    class Reading(Options):
        longest: int = parameter(5, help="")

    assert options_of(["longest=3"], dataclasses.dataclass(frozen=True)(Reading)) == {"longest": 3}


def test_the_example_of_sentence():
    assert sentence("an alignment whose pairs are ignored") == "An alignment whose pairs are ignored."
