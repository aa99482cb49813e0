"""Pairing of predicted and expected sentences."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from goldassay.core.matching import NONE_MET
from goldassay.unl.model import Document, Texts


def by_id(pred: Document | Texts, gold: Document | Texts) -> bool:
    """Return whether ids pair sentences: they are unique on both sides, and some are shared or chosen by id.

    Example:
        >>> one, two, three = (Texts(ids=ids, wordings=(("",),) * 2) for ids in (("1", "2"), ("2", "3"), ("5", "6")))
        >>> by_id(one, two), by_id(one, three)
        (True, False)
    """
    unique = all(len(set(side.ids)) == len(side) for side in (pred, gold))
    return unique and (pred.chosen or gold.chosen or not set(pred.ids).isdisjoint(gold.ids))


def partners(pred: Document | Texts, gold: Document | Texts) -> NDArray[np.int64]:
    """Find the row of the expected sentence of each predicted one, by id or else by order.

    Example:
        >>> one, two, three = (Texts(ids=ids, wordings=(("",),) * 2) for ids in (("1", "2"), ("2", "3"), ("5", "6")))
        >>> partners(one, two).tolist(), partners(one, three).tolist()
        ([-1, 0], [0, 1])
    """
    if by_id(pred, gold):
        rows = {name: row for row, name in enumerate(gold.ids)}
        return np.array([rows.get(name, NONE_MET) for name in pred.ids], dtype=np.int64)
    rows_in_order = np.arange(len(pred), dtype=np.int64)
    return np.where(rows_in_order < len(gold), rows_in_order, NONE_MET)


def inverse(partner: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Convert the partners of one side to those of the other, which has ``size`` sentences."""
    back = np.full(size, NONE_MET, dtype=np.int64)
    back[partner[partner >= 0]] = np.flatnonzero(partner >= 0)
    return back


def pairing_suspicions(pred: Document | Texts, gold: Document | Texts) -> Iterator[str]:
    """Return notes on sentences that were not paired by id, and on those without a partner.

    Example:
        >>> one, two = Texts(ids=("1",), wordings=(("",),)), Texts(ids=("1", "2"), wordings=(("",),) * 2)
        >>> list(pairing_suspicions(one, two))
        ['1 expected sentence has no prediction and counts as not returned']
    """
    if len(pred) and len(gold) and not by_id(pred, gold) and any([*pred.ids, *gold.ids]):
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
