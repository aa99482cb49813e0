"""Names that differ only in what is not seen are warned of in every family that compares them as they are written."""

import warnings

import pytest

import goldassay
from goldassay.core.intern import FEW, Names
from goldassay.core.unseen import plain, warn_of_unseen

UNSEEN = {
    "no-break space": "polar\u00a0bear",
    "two spaces": "polar  bear",
    "tab": "polar\tbear",
    "no width": "polar bear\u200b",
    "soft hyphen": "po\u00adlar bear",
    "byte order mark": "\ufeffpolar bear",
    "mark of direction": "\u200fpolar bear\u200f",
    "isolate": "\u2067polar bear\u2069",
    "character of HTML": "polar&#32;bear",
}
ROWS = {
    "taxonomy": lambda name: [(name, "animal"), ("dog", "animal")],
    "axioms": lambda name: [(name, "eats", "Fish"), ("Dog", "eats", "Meat")],
    "alignment": lambda name: [(name, "Bär"), ("dog", "Hund")],
    "labels": lambda name: [("d1", name), ("d2", "dog")],
}

MEASURES = {"taxonomy": "literal", "axioms": "exact", "alignment": "overlap", "labels": "flat"}


@pytest.mark.parametrize("kind", ROWS)
@pytest.mark.parametrize("name", UNSEEN.values(), ids=UNSEEN)
def test_names_that_differ_in_what_is_not_seen_are_warned_of(name, kind):
    gold = ROWS[kind]("polar bear")
    for pred, other in ((ROWS[kind](name), gold), (gold, ROWS[kind](name))):
        with pytest.warns(
            goldassay.SuspectInputWarning, match="1 name differs from one of the other side only in blanks"
        ):
            goldassay.evaluate(pred, gold=other, kind=kind, measures=MEASURES[kind], selfcheck=False)


@pytest.mark.parametrize("name", ["\u200fpolar bear", "\u2067polar bear\u2069", "polar&nbsp;bear", "polar bear\u200b"])
@pytest.mark.parametrize("kind", ["triples", "concepts"])
def test_documents_have_such_names_too(name, kind):
    sides = [
        [{"id": "d", "triples": [[one, "is", "x"]]} if kind == "triples" else {"id": "d", "concepts": [one]}]
        for one in (name, "polar bear")
    ]
    measure = {"triples": "triples", "concepts": "concept_exact"}[kind]
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        goldassay.evaluate(sides[0], gold=sides[1], kind=kind, measures=measure, selfcheck=False)
    assert any("only in blanks, invisible characters" in str(one.message) for one in found)


def test_letters_are_composed_or_not():
    (warning,) = warn_of_unseen(["cafe\u0301", "tea"], ["caf\u00e9", "tea"])
    assert warning.endswith(r"for example 'cafe\u0301'")
    assert plain("cafe\u0301") == "caf\u00e9"


def test_names_that_match_or_have_no_counterpart_are_not_warned_of():
    odd = "polar\u00a0bear"
    assert not list(warn_of_unseen([odd, "polar bear"], [odd, "polar bear"]))
    assert not list(warn_of_unseen([odd], ["dog"]))
    assert not list(warn_of_unseen(["dog"], ["dog"]))


def test_few_names_and_many_are_looked_at_alike():
    many = [f"name {number}" for number in range(FEW + 1)]
    for more in ([], many):
        found = list(warn_of_unseen(Names([*more, "a\u00a0b", "c  d"]), Names([*more, "a b", "c\u2003d"])))
        assert found[0].startswith("3 names differ from those of the other side")


def test_the_example_of_plain():
    assert (plain("polar\u00a0  bear\u200b"), plain("cafe\u0301")) == ("polar bear", "café")


def test_the_example_of_warn_of_unseen():
    assert list(warn_of_unseen(["polar\u00a0bear", "dog"], ["polar bear", "dog"])) == [
        "1 name differs from one of the other side only in blanks, invisible characters, composed letters or characters of HTML (&amp;), and does not match it, for example 'polar\\xa0bear'"
    ]
