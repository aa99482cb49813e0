"""What is said of partial gold."""

import hashlib

import pytest

from goldassay.core.errors import UsageError
from goldassay.core.partial import Partial, Use

SOME = frozenset({"a", "b"})


@pytest.mark.parametrize(
    "given", [{"judged": SOME}, {"ignore": SOME}, {"scope": frozenset()}, {"completeness": "judged"}]
)
def test_what_leaves_something_out_is_partial(given):
    assert Partial(**given)
    assert Partial(judged=SOME, ignore=SOME, scope=SOME)
    assert not Partial()


def test_the_signature_has_the_digest_of_the_sorted_items():
    digest = hashlib.sha256(b"a\nb").hexdigest()[:8]
    assert Partial(judged=SOME).choices == {"judged": f"sha256-{digest}"}


def unknown_of(items, known, word="ignore"):
    use = Use(Partial(**{word: frozenset(items)}))
    use.add(word, frozenset(items), known)
    return list(use.unknown())


def test_three_of_the_unknown_are_shown():
    (said,) = unknown_of("abcde", "e")
    assert all(repr(one) in said for one in "abc")
    assert not any(repr(one) in said for one in "de")


@pytest.mark.parametrize(("items", "count"), [("a", "1 item"), ("ab", "2 items"), ("abc", "3 items")])
def test_one_item_is_no_items(items, count):
    with pytest.raises(UsageError) as caught:
        unknown_of(items, "", "judged")
    assert count in str(caught.value)
    assert f"{count}s" not in str(caught.value)
