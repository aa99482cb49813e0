"""Examples of `goldassay.formats.labels`: what its functions give."""

from goldassay.formats.labels import last_part, split_local_name, split_local_names, split_plain_names


def test_example_of_last_part():
    assert last_part("http://a/b#C") == "C"
    assert last_part("http://a/b/") == "b"
    assert last_part("urn:a:b") == "b"
    assert last_part("part_of") == "part_of"


def test_example_of_split_local_name():
    assert split_local_name("http://a/b#TripleNegative_breast-cancer") == "Triple Negative breast cancer"
    assert split_local_name("http://a/DNABinding") == "DNA Binding"
    assert split_local_name("http://a/b%20c") == "b c"


def test_example_of_split_plain_names():
    import polars as pl

    assert split_plain_names(pl.Series(["http://a/b#breast_cancer", "http://a/b#Class_7"])).to_list() == [
        "breast cancer",
        "Class 7",
    ]
    assert split_plain_names(pl.Series(["http://a/b#breast_cancer", "http://a/b#DNABinding"])) is None


def test_example_of_split_local_names():
    import polars as pl

    assert split_local_names(
        pl.Series(["http://a/b#TripleNegative_breast-cancer", "http://a/DNABinding", "http://a/_"])
    ).to_list() == ["Triple Negative breast cancer", "DNA Binding", "_"]
