from pathlib import Path

import pytest

from goldassay.core.errors import InputError, UsageError
from goldassay.core.limits import BYTES, COLUMNS, LIMITS, RATIO, SMALL, check_unpacked, set_limit


@pytest.mark.parametrize("limit", LIMITS.values(), ids=LIMITS)
def test_a_limit_is_moved_by_its_variable_and_named_in_the_error(limit, monkeypatch):
    monkeypatch.setenv(f"GOLDASSAY_MAX_{limit.name.upper()}", "7")
    limit.check(7, "fine")
    with pytest.raises(InputError, match="too much") as caught:
        limit.check(8, "too much", path="a.csv", line=3)
    assert (caught.value.path, caught.value.line) == ("a.csv", 3)
    assert caught.value.found == f"8 {limit.unit}"
    assert caught.value.expected == f"at most 7 {limit.unit}"
    assert f"--limit {limit.name}=N or GOLDASSAY_MAX_{limit.name.upper()}=" in caught.value.hint


def test_names_are_unique():
    assert len({limit.variable for limit in LIMITS.values()}) == len(LIMITS) == 17


@pytest.mark.parametrize("text", ["0", "-1", "many", "1e9", "9" * 5000, "\u0663", "1.5"])
def test_a_variable_that_is_no_limit_is_refused(text, monkeypatch):
    monkeypatch.setenv("GOLDASSAY_MAX_COLUMNS", text)
    with pytest.raises(UsageError, match="GOLDASSAY_MAX_COLUMNS"):
        _ = COLUMNS.value


@pytest.mark.parametrize(("text", "fine"), [("1", True), ("9" * 18, True), ("1" + "0" * 18, False)])
def test_a_limit_has_eighteen_digits_at_most(text, fine, monkeypatch):
    monkeypatch.setenv("GOLDASSAY_MAX_COLUMNS", text)
    if fine:
        assert COLUMNS.value == int(text)
        return
    with pytest.raises(UsageError, match="GOLDASSAY_MAX_COLUMNS"):
        _ = COLUMNS.value


def test_an_empty_variable_is_the_default(monkeypatch):
    monkeypatch.setenv("GOLDASSAY_MAX_COLUMNS", " ")
    assert COLUMNS.value == COLUMNS.default


def test_small_archives_may_pack_well_and_no_others():
    assert SMALL == 16 * 2**20
    passing = (SMALL, 10), (RATIO.default * 2**20, 2**20), (2 * 10**9, 10**8), (BYTES.default, BYTES.default)
    assert [check_unpacked(unpacked, packed) for unpacked, packed in passing] == [None] * 4
    with pytest.raises(InputError, match="too large"):
        check_unpacked(SMALL + 1, 10)
    with pytest.raises(InputError, match="too large") as caught:
        check_unpacked(BYTES.default + 1, BYTES.default)
    assert "GOLDASSAY_MAX_BYTES" in caught.value.hint


def test_a_limit_is_set_by_name(monkeypatch):
    monkeypatch.setenv("GOLDASSAY_MAX_DEPTH", "500")
    set_limit("depth=7")
    assert LIMITS["depth"].value == 7
    for wrong in ("depth=many", "depth", "depth=0", "deep=7"):
        with pytest.raises(UsageError):
            set_limit(wrong)
    assert LIMITS["depth"].value == 7


@pytest.mark.parametrize("limit", LIMITS.values(), ids=LIMITS)
def test_the_page_names_every_limit_as_it_is(limit):
    page = (Path(__file__).parents[2] / "docs" / "reliability.md").read_text(encoding="utf-8")
    assert f"| `{limit.variable}` | {limit.default:,} | {limit.unit} | {limit.help} |" in page


@pytest.mark.parametrize("size", [80, 81])
def test_a_long_text_that_is_no_limit_is_shown_in_part(size, monkeypatch):
    monkeypatch.setenv("GOLDASSAY_MAX_DEPTH", "7")
    text = "depth=".ljust(size, "x")
    with pytest.raises(UsageError) as refused:
        set_limit(text)
    assert refused.value.message == f"Invalid limit {text[:80]!r}."
    monkeypatch.setenv("GOLDASSAY_MAX_DEPTH", "x" * (size - 40))
    with pytest.raises(UsageError) as refused:
        LIMITS["depth"].value  # noqa: B018 - it is checked when it is read
    assert refused.value.found == repr("x" * 40)


def test_the_example_of_limit():
    assert (COLUMNS.variable, COLUMNS.value, COLUMNS.unit) == ("GOLDASSAY_MAX_COLUMNS", 10000, "columns")
