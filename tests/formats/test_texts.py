"""Examples of `goldassay.formats.texts`: what its functions give."""

from goldassay.formats.texts import moment_text, number_by_rows, number_text, numbers_of, to_whole


def test_example_of_number_by_rows():
    import polars as pl

    texts, places = number_by_rows(pl.Series(["a", "b"]), pl.Series(["b", "c"]))
    assert texts == ["a", "b", "c"]
    assert places.tolist() == [[0, 1], [1, 2]]


def test_example_of_numbers_of():
    import polars as pl

    assert repr(numbers_of(pl.Series(["0.5", " 1_0", "x", ""]), absent=1).tolist()) == "[0.5, 10.0, nan, 1.0]"


def test_example_of_to_whole():
    assert to_whole(7.0) == 7
    assert to_whole(0.5) == 0.5
    assert to_whole(float("nan")) is None
    assert to_whole("7.0") == "7.0"


def test_example_of_number_text():
    assert number_text("7.0") == "7"
    assert number_text("1.0E-7") == "1e-07"
    assert number_text("NaN") == ""
    assert number_text("") == ""


def test_example_of_moment_text():
    assert moment_text("2024-01-31 12:00:00.500000") == "2024-01-31 12:00:00.5"
    assert moment_text("2024-01-31 12:00:00.000000") == "2024-01-31 12:00:00"
    assert moment_text("2024-01-31 00:00:00.000000") == moment_text("2024-01-31") == "2024-01-31"
    assert moment_text("2024-01-31") == "2024-01-31"
