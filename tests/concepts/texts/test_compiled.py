"""Examples of `goldassay.concepts.texts.compiled`: what its functions give."""

from goldassay.concepts.texts.compiled import Spellings, Texts, find_spellings


def test_example_of_find_spellings():
    import polars as pl

    assert find_spellings(pl.Series(["Type-2 diabetes", "the", "ALL"]), Spellings(len)).lengths.tolist() == [3, 1, 1]


def test_example_of_texts():
    import polars as pl

    texts = Texts.of(pl.Series(["asthma", "", "café"]))
    assert [texts[row] for row in range(3)] == ["asthma", "", "café"]
