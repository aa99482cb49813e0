import pickle

import polars as pl
import pytest

from goldassay.core.errors import (
    EncoderError,
    GoldassayError,
    InputError,
    UsageError,
    convert_errors,
    first_line,
    names_file,
    nearest,
    require,
    unknown_choice_error,
)
from goldassay.core.text import visible


class Panic(BaseException):
    """What a Rust parser raises when it panics: no Exception."""


@pytest.mark.parametrize(
    "fault", [Panic("gone\nwrong"), MemoryError(), RecursionError("deep"), ValueError("x"), OSError("y")]
)
def test_any_a_borrowed_parser_raises_is_our_error_with_the_file(fault):
    with (
        pytest.raises(EncoderError, match="cannot be read") as caught,
        convert_errors("numpy", "The file cannot be read.", path="a.npz", kind=EncoderError, hint="write it again"),
    ):
        raise fault
    assert caught.value.path == "a.npz"
    assert caught.value.hint == "write it again"
    assert caught.value.found.startswith("numpy says: ")
    assert "\n" not in caught.value.found
    assert caught.value.__cause__ is fault


@pytest.mark.parametrize("fault", [KeyboardInterrupt(), SystemExit(3), InputError("ours"), UsageError("ours")])
def test_what_is_no_fault_of_the_parser_passes(fault):
    with pytest.raises(type(fault)) as caught, convert_errors("numpy", "no", path="a", hint="b"):
        raise fault
    assert caught.value is fault


@pytest.mark.parametrize(
    "code", [0, 7, 8, 0x0D, 0x1B, 0x7F, 0x85, 0x9B, 0x200F, 0x2028, 0x202E, 0x2066, 0xD800, 0xDFFF]
)
def test_nothing_that_a_terminal_acts_upon_reaches_it(code):
    error = InputError(f"a{chr(code)}b", path=f"p{chr(code)}", found=f"f{chr(code)}", hint=chr(code))
    assert chr(code) not in str(error)
    assert str(error).encode()
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_what_people_write_is_left_as_it_is():
    text = "naïve 猫 😀 e\u0301\tx\ny\u200dz"
    assert visible(text) == text


def test_a_word_as_long_as_a_page_is_nobodys_typing_error():
    assert nearest("fuzy" * 50_000, ["fuzzy", "literal" * 20_000]) is None
    assert nearest("fuzy", ["fuzzy", "literal"]) == "fuzzy"


def test_a_message_shows_the_beginning_of_a_word_that_is_as_long_as_a_file():
    shown = str(GoldassayError("m" * 1000, found="f" * 1001, hint="h" * 5000))
    assert "m" * 1000 + "\n" in shown
    assert f"{'f' * 1000} ... (1,001 characters)" in shown
    assert f"{'h' * 1000} ... (5,000 characters)" in shown


def test_the_example_of_first_line():
    assert first_line(ValueError("JoinError::Panic(Id(41), 'no')")) == "JoinError::Panic('no')"


def test_the_example_of_require():
    assert require("json", extra="all", purpose="read JSON").__name__ == "json"


def test_the_example_of_nearest():
    assert nearest("fuzy", ["literal", "fuzzy"]) == "fuzzy"
    assert nearest("xyz", ["literal", "fuzzy"]) is None


def test_the_example_of_unknown_choice_error():
    assert (
        str(unknown_choice_error("measure", "fuzy", ["literal", "fuzzy"]))
        == "Unknown measure 'fuzy'.\n  expected: literal, fuzzy\n  try:      fuzzy"
    )


def test_a_file_that_is_given_by_its_name_is_named_in_errors():
    @names_file
    def read(path, *, on_error="stop"):
        raise InputError(f"Nothing is read ({on_error}).")

    for given in ({"path": "a.csv"}, {"on_error": "skip", "path": "a.csv"}):
        with pytest.raises(InputError, match=r"a\.csv: Nothing is read"):
            read(**given)
    with pytest.raises(TypeError):
        read()
    with pytest.raises(InputError) as caught:
        read(pl.DataFrame({"path": ["a.csv"]}))
    assert caught.value.path is None
