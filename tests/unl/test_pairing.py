"""The warnings of sentences that have no partner, one or several."""

import pytest

from goldassay.unl import Texts
from goldassay.unl.match import pairing_warnings

ORDER = "sentence ids are not unique or not shared by both sides: sentences were paired by order"
ONE_MISSING = "1 expected sentence has no prediction and counts as not returned"
TWO_MISSING = "2 expected sentences have no prediction and count as not returned"
ONE_MORE = "1 predicted sentence is surplus: counted as returned if well-formed, never correct"
TWO_MORE = "2 predicted sentences are surplus: counted as returned if well-formed, never correct"


def texts(ids):
    return Texts(ids=tuple(ids), wordings=(("A cat.",),) * len(ids))


@pytest.mark.parametrize(
    ("pred", "gold", "expected"),
    [
        ("123", "123", []),
        ("321", "123", []),
        ("12", "123", [ONE_MISSING]),
        ("1", "123", [TWO_MISSING]),
        ("123", "12", [ONE_MORE]),
        ("1234", "12", [TWO_MORE]),
        ("234", "123", [ONE_MISSING, ONE_MORE]),
        ("45", "12", [ORDER]),
        ("456", "12", [ORDER, ONE_MORE]),
        ("4", "123", [ORDER, TWO_MISSING]),
        ("11", "12", [ORDER]),
        ("", "12", [TWO_MISSING]),
        (("", ""), ("", "", ""), [ONE_MISSING]),
    ],
)
def test_sentences_without_a_partner_are_counted(pred, gold, expected):
    assert list(pairing_warnings(texts(pred), texts(gold))) == expected
