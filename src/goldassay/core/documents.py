"""Documents of both sides, paired by their ids."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.core.intern import StringArray, string_array
from goldassay.core.matching import NO_MATCH
from goldassay.core.text import contrast_names, count_of, list_first


@dataclass(frozen=True, eq=False, kw_only=True)
class DocumentPairs:
    """The documents of both sides, paired by id: those of gold in their order, then those found only in the prediction."""

    ids: StringArray
    pred: NDArray[np.int64]  # row of the predicted document, -1 where there is none, int64, shape (pairs,)
    gold: NDArray[np.int64]  # row of the gold document, -1 where there is none, int64, shape (pairs,)
    left_out: tuple[str, ...] = ()

    @classmethod
    def by_id(cls, *, pred: StringArray, gold: StringArray) -> DocumentPairs:
        """Pair documents, whose ids are unique on either side."""
        if len(pred) == len(gold) and bool((pred == gold).all()):
            rows = np.arange(len(gold))
            return cls(ids=gold, pred=rows, gold=rows)
        places, names = {name: row for row, name in enumerate(pred.tolist())}, gold.tolist()
        paired = [places.pop(name, NO_MATCH) for name in names]
        known = [*range(len(gold)), *[NO_MATCH] * len(places)]
        here, there = (np.array(column, dtype=np.int64) for column in ([*paired, *places.values()], known))
        return cls(ids=string_array([*names, *places]), pred=here, gold=there)

    def __len__(self) -> int:
        return len(self.ids)

    def item(self, row: int) -> str:
        """Return the display name of one document."""
        return str(self.ids[row])

    @property
    def missing(self) -> list[str]:
        """The gold documents without a prediction."""
        return self._without(self.pred)

    @property
    def surplus(self) -> list[str]:
        """The predicted documents without gold."""
        return [*self._without(self.gold), *self.left_out]

    def _without(self, rows: NDArray[np.int64]) -> list[str]:
        (places,) = (rows == NO_MATCH).nonzero()
        names: list[str] = self.ids[places].tolist() if len(places) else []
        return names

    @property
    def unpaired(self) -> Iterator[str]:
        """Return which documents have no counterpart, in a sentence a side."""
        for names, kind, lacks in (
            (self.missing, "gold document", "no prediction"),
            (self.surplus, "predicted document", "no gold"),
        ):
            if names:
                yield describe_unpaired(names, len(names), kind, lacks)

    def without_empty(self, sizes: NDArray[np.int64]) -> DocumentPairs:
        """Leave out documents that only the prediction has if they are empty: where both sides are, a document is right."""
        (rows,) = (self.gold == NO_MATCH).nonzero()
        empty = rows[sizes[self.pred[rows]] == 0]
        if not len(empty):
            return self
        return replace(self.only(np.delete(np.arange(len(self)), empty)), left_out=tuple(self.ids[empty].tolist()))

    def only(self, rows: NDArray[np.int64]) -> DocumentPairs:
        """Keep some pairs."""
        return DocumentPairs(ids=self.ids[rows], pred=self.pred[rows], gold=self.gold[rows])

    def of(self, documents: NDArray[np.int64], count: int) -> NDArray[np.int64]:
        """Return the pair that each document of a side is in."""
        pair = np.zeros(count, dtype=np.int64)
        there = documents != NO_MATCH
        pair[documents[there]] = there.nonzero()[0]
        return pair


def spans_of(starts: NDArray[np.int64], documents: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return begin and end of the items of documents, int64, shape (documents, 2); a missing document has none."""
    found = np.zeros((len(documents), 2), dtype=np.int64)
    there = documents != NO_MATCH
    rows = documents[there]
    found[there, 0], found[there, 1] = starts[rows], starts[rows + 1]
    return found


def describe_unpaired(names: Sequence[str], count: int, kind: str, lacks: str) -> str:
    """Return how many documents have no counterpart, with the first of their names."""
    return f"{count_of(count, f'{kind} has', f'{kind}s have')} {lacks}: {list_first(names, count)}"


def warn_of_pairs(pred: Any, gold: Any, pairs: DocumentPairs, result: str) -> Iterator[str]:
    """Warn of documents without a counterpart, and where none has one of what follows from that."""
    if len(pred.ids) and len(gold.ids) and len(pairs.missing) == len(gold.ids):
        yield _warn_of_no_pair(pred.ids.tolist(), gold.ids.tolist(), pred.path, result)
    else:
        yield from (f"{line}; missing documents count as empty" for line in pairs.unpaired)


def _warn_of_no_pair(pred: Sequence[str], gold: Sequence[str], path: str | None, result: str) -> str:
    """Return the warning that no document is in both; a file for each document is not how a prediction is given."""
    if path and (name := PurePath(path).stem) in gold:
        shown = list_first([name])
        return (
            f"no document of the prediction has the id of a gold document: the file is named as one ({shown}), and all "
            f'documents of a prediction are one folder, or one file, such as lines of {{"id": "{shown}", "output": "..."}}'
        )
    return f"no document of the prediction has the id of a gold document ({contrast_names(pred, gold)}): {result}"
