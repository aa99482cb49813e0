"""An auction: items of one side bid for items of the other until each holds its best one at current prices.

Bertsekas, The auction algorithm (Annals of Operations Research 14, 1988), on lists of candidates instead of all items: a
bidder whose candidates are all worth less than an item outside its list may be leaves the auction without an item.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from goldassay.kernels.cosine import ROUNDING
from goldassay.kernels.edges.candidates import Candidates
from goldassay.kernels.types import Rows

UNASSIGNED = -1
SHARE = 0.05
"""Step of `find_prices` as a share of what a bidder's best item is worth beyond its second best, on average (measured on WordNet)."""
BIDS = 4
"""Bids for each bidder in `find_prices`, on average, at most: many bidders who want the same would go on for long."""
FEW = 50
"""`find_prices` leaves so small a part of the bidders without an item: few bids take as long as many."""


@dataclass(frozen=True, eq=False)
class Bids:
    """One bid of each of some bidders."""

    bidder: Rows  # who bids, int64, shape (bids,)
    item: Rows  # for which item, int64, shape (bids,)
    offer: NDArray[np.float64]  # the new price, float64, shape (bids,)


@dataclass(eq=False)
class Auction:
    """Prices, and which bidder holds which item."""

    step: float  # the least amount by which a bid raises a price
    price: NDArray[np.float64]  # price of each item, 0 until the first bid, float64, shape (items,)
    holder: Rows  # bidder that holds each item, -1 for none, int64, shape (items,)
    holding: Rows  # item that each bidder holds, -1 for none, int64, shape (bidders,)
    list_of: Rows  # place in `lists` of each bidder's list, int64, shape (bidders,)
    line_of: Rows  # line of each bidder in that list, int64, shape (bidders,)
    # lists of candidates; a later list of a bidder replaces an earlier one
    lists: list[Candidates] = field(default_factory=list)

    @classmethod
    def start(cls, bidders: int, items: int, step: float) -> Auction:
        """Start with all items free, all prices 0 and no candidates."""
        return cls(
            step=step,
            price=np.zeros(items),
            holder=np.full(items, UNASSIGNED, dtype=np.int64),
            holding=np.full(bidders, UNASSIGNED, dtype=np.int64),
            list_of=np.zeros(bidders, dtype=np.int64),
            line_of=np.zeros(bidders, dtype=np.int64),
        )

    def set_candidates(self, bidders: Rows, candidates: Candidates) -> None:
        """Assign lists of candidates to some bidders, one row each."""
        self.list_of[bidders] = len(self.lists)
        self.line_of[bidders] = np.arange(len(bidders))
        self.lists.append(candidates)

    def run(self, bidders: Rows) -> None:
        """Run the bids of bidders without an item, and of those that they outbid, until each holds an item or has left."""
        while len(bidders):
            bids = self._bids(bidders)
            bidders = self.award(bids)

    def highest_gains(self) -> NDArray[np.float64]:
        """Bound what each bidder can gain: the worth of its best candidate, or of an item outside its list.

        They hold but for the error of float32 (docs/decisions/0011, "The bound of the assignment"); float64, shape (bidders,).
        """
        gain = np.empty(len(self.holding))
        for number, some in self._by_list(np.arange(len(gain))):
            candidates, lines = self.lists[number], self.line_of[some]
            worth = _worth(candidates, lines, self.price).max(axis=1)
            gain[some] = np.maximum(worth, candidates.unlisted[lines])
        return gain

    def _bids(self, bidders: Rows) -> Bids:
        made = [
            _bids_of(self.lists[number], self.line_of[some], some, self.price, self.step)
            for number, some in self._by_list(bidders)
        ]
        return Bids(
            np.concatenate([bids.bidder for bids in made]),
            np.concatenate([bids.item for bids in made]),
            np.concatenate([bids.offer for bids in made]),
        )

    def _by_list(self, bidders: Rows) -> Iterator[tuple[int, Rows]]:
        for number in range(len(self.lists)):
            some = bidders[self.list_of[bidders] == number]
            if len(some):
                yield number, some

    def award(self, bids: Bids) -> Rows:
        """Assign each item to the highest bid, of equal bids the lowest bidder; return the bidders left without an item."""
        order = np.lexsort((bids.bidder, -bids.offer, bids.item))
        wins = order[np.diff(bids.item[order], prepend=UNASSIGNED) != 0]
        item, winner = bids.item[wins], bids.bidder[wins]
        outbid = self.holder[item]
        outbid = outbid[outbid != UNASSIGNED]
        self.holding[outbid] = UNASSIGNED
        self.holder[item], self.holding[winner], self.price[item] = winner, item, bids.offer[wins]
        return np.concatenate([np.setdiff1d(bids.bidder, winner, assume_unique=True), outbid])


def find_prices(similarity: NDArray[np.float64]) -> NDArray[np.float64]:
    """Find prices at which most bidders are worth most with an item of their own: a short auction, all items being candidates.

    They are a good beginning for an exact assignment. Nothing is proven of them.

    Args:
        similarity: Worth of each item for each bidder at price 0, at least two of both, no more bidders than items, shape (m, n).

    Returns:
        Price of each item, at least 0, shape (n,).
    """
    bidders = len(similarity)
    values = similarity.astype(np.float32)
    auction = Auction.start(bidders, similarity.shape[1], step=0.0)
    asking, bids = np.arange(bidders), 0
    while len(asking) > bidders // FEW and bids < BIDS * bidders:
        worth, at = values[asking] - auction.price.astype(np.float32), np.arange(len(asking))
        item = worth.argmax(axis=1)
        best = worth[at, item]
        worth[at, item] = -np.inf
        more = best - worth.max(axis=1)
        if not bids:
            auction.step = SHARE * float(more.mean())
        bids += len(asking)
        asking = auction.award(Bids(asking, item, auction.price[item] + more + auction.step))
    return auction.price


def _worth(candidates: Candidates, lines: Rows, price: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(candidates.similarity[lines] - price[candidates.target[lines]])


def _bids_of(candidates: Candidates, lines: Rows, bidders: Rows, price: NDArray[np.float64], step: float) -> Bids:
    """Raise the price of the best candidate until it is worth no more than the second best, then by the step.

    A bidder whose best candidate may be worth less than an unlisted item makes no bid. ``ROUNDING`` is more than the
    float32 error of a worth, so that a bidder with a fresh list always bids (docs/decisions/0011, "The auction").
    """
    worth, unlisted = _worth(candidates, lines, price), candidates.unlisted[lines]
    at = np.arange(len(lines))
    choice = worth.argmax(axis=1)
    best = worth[at, choice]
    worth[at, choice] = -np.inf
    second = np.maximum(worth.max(axis=1), unlisted)
    bids = best >= unlisted - ROUNDING
    item = candidates.target[lines, choice]
    offer = price[item] + np.maximum(best - second, 0.0) + step
    return Bids(bidders[bids], item[bids], offer[bids])
