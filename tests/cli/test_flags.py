"""Examples of cli/flags.py."""

import dataclasses
import inspect
from typing import Literal, get_args, get_origin, get_type_hints

import pytest

import goldassay.cli
from goldassay.cli import COMMANDS, GROUPS
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


def types_of(option):
    kind, about, *_ = get_args(option)
    return {kind, *get_args(kind)} | {get_origin(one) for one in get_args(kind)} | {get_origin(kind)}, about


def refusals(name):
    """Name the command, a flag and an invalid value for each flag that takes a number or one of some words."""
    command = goldassay.cli.make_command(name)
    inner = command.commands if name in GROUPS else {"": command}
    for word, one in inner.items():
        hints = get_type_hints(one.callback, include_extras=True)
        for param in one.params:
            kinds, about = types_of(hints.get(param.name))
            if param.opts[0].startswith("--") and not kinds.isdisjoint({int, float, Literal}):
                for value in (
                    "x?",
                    *(f"{bound + side}" for bound, side in ((about.min, -1), (about.max, 1)) if bound is not None),
                ):
                    yield [name, *[word] * bool(word), param.opts[0], value]


@pytest.mark.parametrize("name", sorted({*COMMANDS, "taxonomy", "alignment", "triples"}))
def test_an_invalid_value_of_any_flag_is_shown_with_what_is_expected(goldassay_command, name):
    for words in refusals(name):
        found = goldassay_command(*words)
        assert found.code == 2
        value, shown = words[-1], found.err.splitlines()
        assert shown[:2] == [f"goldassay: Invalid value of {words[-2]}.", f"  found:    {value}"]
        assert shown[2].startswith("  expected: ")
        assert shown[3].startswith(f"  try:      goldassay {' '.join(words[:-2])} --help")


def test_the_word_that_is_meant_is_proposed(goldassay_command):
    shown = goldassay_command("taxonomy", "a.csv", "--gold", "b.csv", "--combine", "unoin").err.splitlines()
    assert shown[-2:] == ["  expected: max, union, intersection, mean, votes", "  try:      --combine union"]


def test_flags_of_numbers_and_of_words_are_there():
    tried = {words[-2] for name in ("taxonomy", "serve", "challenge") for words in refusals(name)}
    assert {"--seed", "--combine", "--format", "--port"} <= tried


def test_a_flag_without_its_value_points_to_the_help_of_the_command(goldassay_command):
    assert goldassay_command("taxonomy", "a.ttl", "--gold").err.endswith("try:      goldassay taxonomy --help\n")


def test_the_help_of_a_group_shows_no_type_of_a_flag(goldassay_command):
    for words in (("cache",), ("challenge", "--help"), ("cache", "info", "--help")):
        done = goldassay_command(*words)
        assert "Show this message" in done.out + done.err
        assert "bool" not in done.out + done.err


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["taxonomi"], "taxonomy"),
        (["challenge", "valdate"], "challenge validate"),
        (["cache", "zzzzz"], "cache --help"),
        *(([word], "--help") for word in ("items", "lists", "threshold", "ontology", "test", "init")),
    ],
)
def test_an_unknown_command_is_named_with_the_nearest(goldassay_command, words, hint):
    found = goldassay_command(*words)
    assert found.code == 2
    assert found.err.startswith(f"goldassay: Unknown command '{words[-1]}'.\n  expected: ")
    assert found.err.endswith(f"  try:      goldassay {hint}\n")
