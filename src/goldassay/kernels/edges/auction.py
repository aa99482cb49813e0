"""An auction: items of one side bid for items of the other until each has the one that it wants most for its price.

Bertsekas, The auction algorithm (Annals of Operations Research 14, 1988), on candidates alone: a bidder for which all
candidates have become too dear to beat what it does not know of leaves, and stays open.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from goldassay.kernels.edges.candidates import Candidates
from goldassay.kernels.search import Rows

NOBODY = -1

ALL_WORTH = 4.0
"""More than any two similarities can differ by."""

ROUNDING = 1e-6
"""More than float32 rounds a worth by: who has just been told of its best item bids at least once."""


@dataclass(frozen=True, eq=False)
class Bids:
    """What some bidders offer.

    Attributes:
        bidder: Who bids, shape (bids,).
        item: For which item, shape (bids,).
        offer: The new price, float64, shape (bids,).
    """

    bidder: Rows
    item: Rows
    offer: NDArray[np.float64]


@dataclass(eq=False)
class Market:
    """Prices, and who holds what.

    Attributes:
        step: The least that a bid raises a price by; an assignment is then at most ``step`` a bidder from the best.
        price: Price of each item, 0 as long as nobody wanted it, float64, shape (items,).
        holder: Bidder that holds each item, -1 for nobody, int64, shape (items,).
        holding: Item that each bidder holds, -1 for none, int64, shape (bidders,).
        lists: Candidates, and the bidders that they belong to; a later list of a bidder replaces an earlier one.
        list_of: Place in ``lists`` of each bidder's list, int64, shape (bidders,).
        line_of: Line of each bidder in that list, int64, shape (bidders,).
    """

    step: float
    price: NDArray[np.float64]
    holder: Rows
    holding: Rows
    list_of: Rows
    line_of: Rows
    lists: list[Candidates] = field(default_factory=list)

    @classmethod
    def open_with(cls, bidders: int, items: int, step: float) -> Market:
        """Start with nothing sold, all prices 0 and no candidates."""
        return cls(
            step=step,
            price=np.zeros(items),
            holder=np.full(items, NOBODY, dtype=np.int64),
            holding=np.full(bidders, NOBODY, dtype=np.int64),
            list_of=np.zeros(bidders, dtype=np.int64),
            line_of=np.zeros(bidders, dtype=np.int64),
        )

    def give(self, bidders: Rows, candidates: Candidates) -> None:
        """Give bidders a list of candidates, one line each."""
        self.list_of[bidders] = len(self.lists)
        self.line_of[bidders] = np.arange(len(bidders))
        self.lists.append(candidates)

    def run(self, bidders: Rows) -> None:
        """Let bidders that hold nothing bid, and all whom they outbid, until each holds an item or has left."""
        while len(bidders):
            bids = self._bids(bidders)
            bidders = self._sell(bids)

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

    def _sell(self, bids: Bids) -> Rows:
        """Sell each item to the highest bid, the lowest bidder of equal ones; give back who holds nothing now."""
        order = np.lexsort((bids.bidder, -bids.offer, bids.item))
        wins = order[np.diff(bids.item[order], prepend=NOBODY) != 0]
        item, winner = bids.item[wins], bids.bidder[wins]
        outbid = self.holder[item]
        outbid = outbid[outbid != NOBODY]
        self.holding[outbid] = NOBODY
        self.holder[item], self.holding[winner], self.price[item] = winner, item, bids.offer[wins]
        return np.concatenate([np.setdiff1d(bids.bidder, winner, assume_unique=True), outbid])

    def most_wanted(self) -> NDArray[np.float64]:
        """Bound what each bidder could gain: its best candidate at its price, or anything that is no candidate for free.

        Returns:
            Upper bounds, float64, shape (bidders,). Together with the prices they bound the sum of any assignment.
        """
        gain = np.empty(len(self.holding))
        for number, some in self._by_list(np.arange(len(gain))):
            candidates, lines = self.lists[number], self.line_of[some]
            net = _net(candidates, lines, self.price).max(axis=1)
            gain[some] = np.maximum(net, candidates.unknown[lines])
        return gain


def _net(candidates: Candidates, lines: Rows, price: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(candidates.similarity[lines] - price[candidates.target[lines]])


def _bids_of(candidates: Candidates, lines: Rows, bidders: Rows, price: NDArray[np.float64], step: float) -> Bids:
    """Bid for the best candidate so much that it is nearly as good as the second best, or the unknown."""
    net, unknown = _net(candidates, lines, price), candidates.unknown[lines]
    at = np.arange(len(lines))
    choice = net.argmax(axis=1)
    best = net[at, choice]
    net[at, choice] = -np.inf
    second = np.maximum(net.max(axis=1), unknown)
    stays = (best >= unknown - ROUNDING) & (best > -np.inf)
    item = candidates.target[lines, choice]
    # An only candidate has no second best: a bid of all that it can be worth keeps it.
    raise_ = np.where(second > -np.inf, np.maximum(best - second, 0.0), ALL_WORTH) + step
    return Bids(bidders[stays], item[stays], (price[item] + raise_)[stays])
