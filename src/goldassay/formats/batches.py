"""Record batches of PyArrow, as workers of a cluster get them: cut into tables, and read as vectors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from goldassay.core.context import FloatMatrix, Progress, ignore_progress


def tables(batches: Iterator[Any], column: str | None, most: int, *, parted: bool) -> Iterator[Any]:
    """Join record batches, so that rows that are equal in a column, which come one after the other, stay together."""
    import pyarrow as pa

    waiting: list[Any] = []
    for batch in batches:
        waiting.extend([batch] if len(batch) else [])
        if sum(map(len, waiting)) < most:
            continue
        last = 0 if column is None else _begin_of_last(waiting, column)
        if last or parted:
            table = pa.Table.from_batches(waiting)
            yield table.slice(0, last or len(table))
            waiting = table.slice(last).to_batches() if last else []
    if waiting:
        yield pa.Table.from_batches(waiting)


def _begin_of_last(batches: Sequence[Any], column: str) -> int:
    """Return the row where the run of the last value begins: 0 if there is only one value."""
    value, begin = batches[-1].column(column)[-1], sum(map(len, batches))
    for batch in reversed(batches):
        values = batch.column(column)
        # Equal values come one after the other: where the first is equal, all are.
        if values[0] == value:
            begin -= len(batch)
            continue
        return begin - next(back for back, one in enumerate(reversed(values)) if one != value)
    return 0


def matrix(column: Any) -> FloatMatrix:
    """Read lists of numbers of one length as rows, float32, shape (rows, numbers)."""
    import pyarrow as pa

    whole = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    numbers: FloatMatrix = np.asarray(whole.flatten(), dtype=np.float32)
    return numbers.reshape(len(whole), len(numbers) // max(1, len(whole)))


@dataclass(frozen=True, eq=False)
class GivenVectors:
    """An encoder of texts whose vectors are known (`goldassay.core.context.Encoder`).

    Attributes:
        texts: The texts; equal ones have equal vectors.
        vectors: The vector of each, unit rows, float32, shape (texts, dimension).
    """

    texts: Sequence[str]
    vectors: FloatMatrix
    name: str = "given"
    fingerprint: str = ""

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return int(self.vectors.shape[1])

    def encode(self, texts: Sequence[str], *, progress: Progress = ignore_progress) -> FloatMatrix:
        """Look texts up."""
        del progress
        rows = {text: row for row, text in enumerate(self.texts)}
        return self.vectors[[rows[text] for text in texts]]
