"""Which predicted document answers which gold one, and which names of both sides are one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from goldassay.core.context import StringArray, string_array
from goldassay.core.errors import InputError, RecordError
from goldassay.core.matching import NONE_MET
from goldassay.formats.records import LISTED
from goldassay.triples.model import Numbers, Triples


@dataclass(frozen=True, eq=False, kw_only=True)
class SetPairs:
    """The documents of both sides, paired by id: those of gold in their order, then those of the prediction alone.

    Attributes:
        ids: Names of the documents, shape (pairs,).
        pred: Row of the predicted document, -1 where there is none, int64, shape (pairs,).
        gold: Row of the gold document, -1 where there is none, int64, shape (pairs,).
    """

    ids: StringArray
    pred: Numbers
    gold: Numbers

    def __len__(self) -> int:
        return len(self.ids)

    def item(self, row: int) -> str:
        """Name one pair for a person: by the id of its documents."""
        return str(self.ids[row])

    @property
    def missing(self) -> list[str]:
        """The gold documents without a prediction."""
        names: list[str] = self.ids[self.pred == NONE_MET].tolist()
        return names

    @property
    def surplus(self) -> list[str]:
        """The predicted documents without gold."""
        names: list[str] = self.ids[self.gold == NONE_MET].tolist()
        return names

    def only(self, rows: Numbers) -> SetPairs:
        """Keep some pairs."""
        return SetPairs(ids=self.ids[rows], pred=self.pred[rows], gold=self.gold[rows])

    def of(self, documents: Numbers, count: int) -> Numbers:
        """Give the pair that each document of a side is in.

        Args:
            documents: ``pred`` or ``gold``.
            count: How many documents the side has.
        """
        pair = np.zeros(count, dtype=np.int64)
        there = documents != NONE_MET
        pair[documents[there]] = np.flatnonzero(there)
        return pair


def paired(*, pred: Triples, gold: Triples) -> SetPairs:
    """Pair the documents of both sides by id.

    Args:
        pred: The prediction.
        gold: The gold standard.

    Raises:
        InputError: If a predicted document has several sets of triples, or gold has a record that cannot be read.

    Example:
        >>> pairs = paired(pred=Triples.from_lists({"b": [], "c": []}), gold=Triples.from_lists({"a": [], "b": []}))
        >>> pairs.ids.tolist(), pairs.pred.tolist(), pairs.gold.tolist()
        (['a', 'b', 'c'], [-1, 0, 1], [0, 1, -1])
    """
    _check(pred=pred, gold=gold)
    import polars as pl

    here, there = (pl.DataFrame({"id": pl.Series(side.ids.tolist(), dtype=pl.String)}) for side in (pred, gold))
    both = there.with_row_index("gold").join(
        here.with_row_index("pred"), on="id", how="full", coalesce=True, maintain_order="left_right"
    )
    rows = {side: both[side].cast(pl.Int64).fill_null(NONE_MET).to_numpy() for side in ("pred", "gold")}
    return SetPairs(ids=string_array(both["id"].to_list()), pred=rows["pred"], gold=rows["gold"])


def _check(*, pred: Triples, gold: Triples) -> None:
    if gold.faults:
        first = gold.faults[0]
        raise RecordError(
            f"Gold cannot be read in full. {first.message}",
            path=first.path,
            line=first.line,
            found=first.found,
            expected=first.expected,
            hint="correct the record: only predictions may have unreadable records",
        )
    several = np.flatnonzero(pred.references > 1)
    if len(several):
        raise InputError(
            "A document of the prediction has several sets of triples.",
            path=pred.path,
            found=f"{pred.references[several[0]]} of {str(pred.ids[several[0]])!r}",
            expected="one; only gold may have several references",
        )


def unpaired(pairs: SetPairs) -> Iterator[str]:
    """Say which documents pair with nothing.

    Example:
        >>> list(unpaired(paired(pred=Triples.from_lists({}), gold=Triples.from_lists({"a": []}))))
        ['1 gold document has no prediction: a']
    """
    for names, kind, lacks in (
        (pairs.missing, "gold document", "no prediction"),
        (pairs.surplus, "predicted document", "no gold"),
    ):
        if names:
            counted = f"1 {kind} has" if len(names) == 1 else f"{len(names):,} {kind}s have"
            more = f" and {len(names) - LISTED:,} more" if len(names) > LISTED else ""
            yield f"{counted} {lacks}: {', '.join(names[:LISTED])}{more}"


@dataclass(frozen=True, eq=False, kw_only=True)
class Names:
    """The names of both sides, numbered alike.

    Attributes:
        texts: The names, by number.
        pred: Number of each of the prediction's keys, int64, shape (keys,).
        gold: Number of each of gold's keys, int64, shape (keys,).
    """

    texts: list[str]
    pred: Numbers
    gold: Numbers


def numbered(*, pred: Triples, gold: Triples) -> Names:
    """Number the names of both sides alike.

    Example:
        >>> a, b = Triples.from_lists({"d": [("x", "r", "y")]}), Triples.from_lists({"d": [("y", "r", "z")]})
        >>> numbered(pred=a, gold=b).gold.tolist()
        [2, 1, 4, 3]
    """
    known: dict[str, int] = {}
    codes = [
        np.array([known.setdefault(key, len(known)) for key in side.keys.tolist()], dtype=np.int64)
        for side in (pred, gold)
    ]
    return Names(texts=list(known), pred=codes[0], gold=codes[1])
