"""Which correspondences match: the evidence behind every score of an alignment."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.alignments.lookup import Keys, Rows, best_rows
from goldassay.alignments.model import Alignment
from goldassay.alignments.sides import Numbering
from goldassay.core.context import Progress, silent
from goldassay.core.matching import NONE_MET, Evidence, Matching, SideName, equal_counterparts

ONE_END = 0.5
"""The similarity of two correspondences that share only their source or only their target."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class AlignmentMatching(Matching[Alignment]):
    """A matching of correspondences, with a remark on what was matched."""

    numbering: Numbering
    said: str | None = None

    def evidence(self, side: SideName, rows: NDArray[np.int64], *, progress: Progress = silent) -> Evidence:
        """Look up the nearest counterpart of some correspondences.

        The counterpart of a correspondence that met none is the best-scored one of the other side with the same source,
        or else with the same target; its similarity is a half. Details: the score, the best-scored wrong candidate for
        the source (gold alone), and the identifiers where items are named by labels.
        """
        del progress
        here, mine = (self.pred_items, self.pred) if side == "pred" else (self.gold_items, self.gold)
        counterpart, similarity = mine.counterpart[rows].copy(), mine.similarity[rows].copy()
        for ends in ("source", "target"):
            open_ = np.flatnonzero(counterpart == NONE_MET)
            near = self._near(side, ends, rows[open_])
            counterpart[open_] = near
            similarity[open_[near != NONE_MET]] = ONE_END
        nothing = np.full(len(rows), None, dtype=object)
        wrong = self._wrong(rows) if side == "gold" else {"best_wrong": nothing, "best_wrong_score": nothing}
        details: dict[str, NDArray[Any]] = {"score": here.scores[rows], **wrong}
        if here.labels is not None:
            for name, column in (("source", here.sources), ("target", here.targets)):
                details[name] = here.terms.gather(column[rows]).to_numpy(allow_copy=True).astype(object)
        return Evidence(counterpart=counterpart, similarity=similarity, details=details)

    def verdicts(self, side: SideName, rows: NDArray[np.int64]) -> list[str]:
        """Return the verdict on each correspondence; ``denied`` if gold states that it does not hold."""
        words = super().verdicts(side, rows)
        if side == "gold" or not len(self.gold_items.denied):
            return words
        denied = self.numbering.pair_keys(self.gold_items.denied, gold=True)
        is_denied = np.isin(self.numbering.pair_keys(self.pred_items, gold=False)[rows], denied).tolist()
        return ["denied" if no and word == "invented" else word for word, no in zip(words, is_denied, strict=True)]

    def _keys(self, side: SideName, ends: str) -> Keys:
        items = self._items(side)
        number = self.numbering.source_keys if ends == "source" else self.numbering.target_keys
        return number(items, gold=side == "gold")

    def _near(self, side: SideName, ends: str, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Find the best-scored correspondence of the other side that shares an end."""
        there: SideName = "gold" if side == "pred" else "pred"
        others = self.gold_items if side == "pred" else self.pred_items
        keys = self._keys(there, ends)
        best = best_rows(others.scores, keys)
        return np.append(best, NONE_MET)[equal_counterparts(self._keys(side, ends)[rows], keys[best])]

    @cached_property
    def _wrong_candidates(self) -> tuple[Keys, NDArray[np.int64]]:
        """The best-scored correspondence of each source that gold does not have."""
        wrong = np.flatnonzero(
            ~np.isin(
                self.numbering.pair_keys(self.pred_items, gold=False),
                self.numbering.pair_keys(self.gold_items, gold=True),
            )
        )
        wrong = wrong[best_rows(self.pred_items.scores[wrong], self._keys("pred", "source")[wrong])]
        return self._keys("pred", "source")[wrong], wrong

    def _wrong(self, rows: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
        keys, best = self._wrong_candidates
        found = np.append(best, NONE_MET)[equal_counterparts(self._keys("gold", "source")[rows], keys)]
        names = [
            None if row == NONE_MET else self.pred_items.name(self.pred_items.targets[row]) for row in found.tolist()
        ]
        scores = [None if row == NONE_MET else float(self.pred_items.scores[row]) for row in found.tolist()]
        return {"best_wrong": np.array(names, dtype=object), "best_wrong_score": np.array(scores, dtype=object)}


def pair_names(items: Alignment) -> list[str]:
    """Name every pair by its identifiers, whatever its relation: the key of a unit that both sides share."""
    return _named(items, items.sources, items.targets)


def query_names(items: Alignment) -> list[str]:
    """Name the query of every correspondence: its test case and its source."""
    return _named(items, items.sources)


def _named(items: Alignment, *ends: Rows) -> list[str]:
    import polars as pl

    columns = [pl.Series(list(items.case_names)).gather(items.cases), *(items.terms.gather(rows) for rows in ends)]
    named = pl.DataFrame({str(place): column for place, column in enumerate(columns)})
    return named.select(pl.concat_str(pl.all(), separator="\t")).to_series().to_list()
