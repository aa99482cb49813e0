"""Pairing of predicted and expected sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from goldassay.core.matching import NONE_MET


def by_id(pred: Sequence[str], gold: Sequence[str]) -> bool:
    """Return whether ids can pair sentences: unique on both sides, and not all different.

    Example:
        >>> by_id(["1", "2"], ["2", "3"]), by_id(["1"], ["2"]), by_id(["", ""], ["", ""])
        (True, False, False)
    """
    unique = len(set(pred)) == len(pred) and len(set(gold)) == len(gold)
    return unique and not set(pred).isdisjoint(gold)


def partners(pred: Sequence[str], gold: Sequence[str]) -> NDArray[np.int64]:
    """Find the row of the expected sentence of each predicted one, by id or else by order.

    Returns:
        Rows of ``gold``, -1 where there is none; int64, shape (pred,).

    Example:
        >>> partners(["2", "9"], ["1", "2"]).tolist(), partners(["a", "b", "c"], ["1", "2"]).tolist()
        ([1, -1], [0, 1, -1])
    """
    if by_id(pred, gold):
        rows = {name: row for row, name in enumerate(gold)}
        return np.array([rows.get(name, NONE_MET) for name in pred], dtype=np.int64)
    rows_in_order = np.arange(len(pred), dtype=np.int64)
    return np.where(rows_in_order < len(gold), rows_in_order, NONE_MET)


def inverse(partner: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Convert the partners of one side to those of the other, which has ``size`` sentences."""
    back = np.full(size, NONE_MET, dtype=np.int64)
    back[partner[partner >= 0]] = np.flatnonzero(partner >= 0)
    return back


def pairing_suspicions(pred: Sequence[str], gold: Sequence[str]) -> Iterator[str]:
    """Return notes on sentences that were not paired by id, and on those without a partner.

    Example:
        >>> list(pairing_suspicions(["1"], ["1", "2"]))
        ['1 expected sentence has no prediction and counts as not returned']
    """
    if pred and gold and not by_id(pred, gold) and any([*pred, *gold]):
        yield "sentence ids are not unique or not shared by both sides: sentences were paired by order"
    partner = partners(pred, gold)
    missing = len(gold) - int((partner >= 0).sum())
    surplus = int((partner < 0).sum())
    if missing:
        yield f"{_sentences(missing, 'expected', 'has', 'have')} no prediction and count{'s' * (missing == 1)} as not returned"
    if surplus:
        yield f"{_sentences(surplus, 'predicted', 'is', 'are')} surplus: counted as returned if well-formed, never correct"


def _sentences(count: int, which: str, one: str, many: str) -> str:
    return f"{count:,} {which} sentence {one}" if count == 1 else f"{count:,} {which} sentences {many}"
