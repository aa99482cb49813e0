"""Examples of `goldassay.concepts.texts.fold`: what its functions give."""

from goldassay.concepts.texts.fold import WordNumbers, fold, fold_words, is_acronym, pieces_in, pieces_of, singular


def test_example_of_word_numbers():
    numbers = WordNumbers({"cat": 7}.get)
    assert numbers["Cats"] == 7
    assert numbers[" "] == -1


def test_example_of_word_numbers_words_of_all():
    assert [found.spans.tolist() for found in WordNumbers(len).words_of_all(["Two cats!", "chat noir", "naïve"])] == [
        [[0, 3], [4, 8], [8, 9]],
        [[0, 4], [5, 9]],
        [[0, 5]],
    ]


def test_example_of_pieces_in():
    import polars as pl

    pieces = pieces_in(pl.Series(["A cat,", "", "a cat"]))
    assert pieces.names == ["A", " ", "cat", ",", "a"]
    assert pieces.codes.tolist() == [0, 1, 2, 3, 4, 1, 2]
    assert pieces.counts.tolist() == [4, 0, 3]


def test_example_of_pieces_of():
    assert pieces_of("Type-2 diabetes, not 糖尿.") == ["Type", "2", "diabetes", ",", "not", "糖", "尿", "."]


def test_example_of_is_acronym():
    assert is_acronym("ALL")
    assert not is_acronym("all")
    assert not is_acronym("A")
    assert not is_acronym("DISEASE")


def test_example_of_fold():
    assert [fold(word) for word in ("Cats", "biopsies", "metastases", "metastasis", "AIDS", "aids", "gas")] == [
        "cat",
        "biopsy",
        "metastas",
        "metastas",
        "aids",
        "aid",
        "gas",
    ]


def test_example_of_singular():
    assert [
        singular(word) for word in ("branch", "branches", "headache", "headaches", "virus", "viruses", "class")
    ] == ["branch", "branch", "headach", "headach", "virus", "virus", "class"]


def test_example_of_fold_words():
    assert fold_words(pieces_of("Breast-Cancers")) == "breast cancer"
