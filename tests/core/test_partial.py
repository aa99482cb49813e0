"""What is reported of partial gold."""

import hashlib

import pytest

import goldassay
from goldassay.core.errors import UsageError
from goldassay.core.partial import PartialGold, PartialGoldUse

SOME = frozenset({"a", "b"})


@pytest.mark.parametrize(
    "given", [{"judged": SOME}, {"ignore": SOME}, {"scope": frozenset()}, {"completeness": "judged"}]
)
def test_what_leaves_something_out_is_partial(given):
    assert PartialGold(**given)
    assert PartialGold(judged=SOME, ignore=SOME, scope=SOME)
    assert not PartialGold()


def test_the_signature_has_the_digest_of_the_sorted_items():
    digest = hashlib.sha256(b"a\nb").hexdigest()[:8]
    assert PartialGold(judged=SOME).choices == {"judged": f"sha256-{digest}"}


def unknown_of(items, known, word="ignore"):
    use = PartialGoldUse(PartialGold(**{word: frozenset(items)}))
    use.add(word, frozenset(items), known)
    return list(use.unknown())


def test_three_of_the_unknown_are_shown():
    (messages,) = unknown_of("abcde", "e")
    assert all(repr(one) in messages for one in "abc")
    assert not any(repr(one) in messages for one in "de")


@pytest.mark.parametrize(("items", "count"), [("a", "1 item"), ("ab", "2 items"), ("abc", "3 items")])
def test_one_item_is_no_items(items, count):
    with pytest.raises(UsageError) as caught:
        unknown_of(items, "", "judged")
    assert count in str(caught.value)
    assert f"{count}s" not in str(caught.value)


def test_a_list_of_something_else_is_refused_with_some_of_it():
    with pytest.raises(UsageError) as caught:
        unknown_of(["a\tb", "c"], "", "judged")
    assert caught.value.found == "2 items: 'a | b', 'c'"


@pytest.mark.parametrize(("size", "bounds"), [(4, (0.25, 0.75)), (3, (1 / 3, 1.0))])
def test_precision_lies_between_all_unjudged_wrong_and_all_right(size, bounds):
    gold = goldassay.Graph.from_edges([("a", "r"), ("b", "r")])
    pred = goldassay.Graph.from_edges([("a", "r"), ("u", "r"), ("v", "r"), ("x", "y")][:size])
    judged = goldassay.Graph.from_edges([("x", "y")] if size == 4 else [("b", "r")])
    found = goldassay.evaluate(pred, gold=gold, measures="literal", judged=judged)["literal"].bounds["precision"]
    assert (found.low, found.high) == pytest.approx(bounds)


def test_a_mean_is_bounded_by_what_its_items_earn():
    gold = goldassay.alignments.Alignment.from_rows([("a", "x"), ("b", "y")])
    pred = goldassay.alignments.Alignment.from_rows([("a", "x"), ("c", "z"), ("b", "q")])
    judged = goldassay.alignments.Alignment.from_rows([("b", "q")])
    report = goldassay.evaluate(pred, gold=gold, kind="alignment", measures="macro_overlap", judged=judged)
    found = report["macro_overlap"].bounds["precision"]
    assert (found.low, found.high) == pytest.approx((1 / 3, 2 / 3))
