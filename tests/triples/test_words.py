"""Examples of `goldassay.triples.words`: what its functions give."""

from goldassay.triples.words import (
    bleu,
    occurs_exactly,
    occurs_in,
    overlap,
    rouge2,
    sentence_of,
    stem,
    stem_text,
    to_plain_text,
    tokens,
    words_of,
)


def test_example_of_words_of():
    assert words_of("Oslo (Norway)") == ("Oslo", "(", "Norway", ")")


def test_example_of_stem():
    assert stem("Countries") == "countri"


def test_example_of_overlap():
    assert overlap("New York City", "New York") == 0.8
    assert overlap("Oslo", "Oslo") == 1.0
    assert overlap("Oslo", "Rome") == 0.0


def test_example_of_occurs_exactly():
    assert occurs_exactly("New_York", to_plain_text("The new  York."))
    assert not occurs_exactly("York", to_plain_text("Yorkshire"))


def test_example_of_stem_text():
    assert stem_text("Countries of Europe") == "countriofeurop"


def test_example_of_occurs_in():
    assert occurs_in("Country", stem_text("Countries of Europe"))
    assert occurs_in("01 January 2010", stem_text("In 2010."))


def test_example_of_sentence_of():
    assert sentence_of(["Rome", "country", "Italy"]) == "rome;country;italy"


def test_example_of_tokens():
    assert tokens("big house;is in;rome") == ("big", "house", ";", "is", "in", ";", "rome")


def test_example_of_bleu():
    assert bleu("rome;country;italy", "rome;country;italy") == 1.0
    assert round(bleu("x;r;y", "a;r;b"), 4) == 0.2659


def test_example_of_rouge2():
    assert rouge2("rome;country;italy", "rome;countries;italy;europe") == (1.0, 0.6666666666666666)
