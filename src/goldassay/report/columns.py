"""Columns for a page: texts as numbers into one dictionary, numbers as packed bytes, without duplicates."""

from __future__ import annotations

import base64
import json
from collections import defaultdict
from collections.abc import Sequence
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.core.matching import Cells
from goldassay.core.panel import Column

NOTHING = -1
MOST_GROUPS = 256


class Columns:
    """The texts and columns of a page.

    Example:
        >>> columns = Columns()
        >>> columns.texts(["a", None, "a"]), columns.texts(["a", None, "a"]), columns.words
        (0, 0, ['a'])
    """

    def __init__(self) -> None:
        self._words: defaultdict[str | None, int] = defaultdict(count().__next__, {None: NOTHING})
        self._packed: dict[tuple[str, bytes], int] = {}

    @property
    def words(self) -> list[str]:
        """The distinct texts, in the order in which they were first met."""
        return [word for word in self._words if word is not None]

    @property
    def arrays(self) -> list[dict[str, str]]:
        """The distinct columns as base64 of little-endian int32 (``text``), float32 (``number``) or bytes (``group``)."""
        return [{"type": kind, "bytes": base64.b64encode(packed).decode()} for kind, packed in self._packed]

    def texts(self, column: Sequence[str | None]) -> int:
        """Keep a column of texts, and return the number of its array; None is -1 in it."""
        numbers = map(self._words.__getitem__, column)
        return self._keep("text", np.fromiter(numbers, dtype="<i4", count=len(column)))

    def numbers(self, column: Column | NDArray[np.float64]) -> int:
        """Keep a column of numbers, and return the number of its array; None is nan in it."""
        return self._keep("number", np.array(column, dtype="<f4"))

    def rows(self, column: NDArray[np.int64]) -> int:
        """Keep whole numbers that are row indices, and return the number of their array."""
        return self._keep("text", column.astype("<i4"))

    def groups(self, column: Column) -> dict[str, Any]:
        """Keep the group of each item as a byte: the names of the groups, and the number of the array."""
        places: defaultdict[Any, int] = defaultdict(count().__next__)
        numbers = np.fromiter(map(places.__getitem__, column), dtype=np.int64, count=len(column))
        if len(places) > MOST_GROUPS:
            raise ValueError(f"at most {MOST_GROUPS} groups can be kept, found {len(places)}")
        return {"names": list(places), "array": self._keep("group", numbers.astype("u1"))}

    def any(self, name: str, column: Cells) -> dict[str, Any]:
        """Keep a column of any type, and describe it."""
        described = {"name": name, "title": title_of(name)}
        if isinstance(column, np.ndarray):
            return {**described, "type": "number", "array": self.numbers(column), "whole": False}
        kinds = {*map(type, column)} - {type(None)}
        if kinds and kinds <= {int, float}:
            return {**described, "type": "number", "array": self.numbers(column), "whole": kinds == {int}}
        told = column if kinds <= {str} else [None if value is None else _worded(value) for value in column]
        return {**described, "type": "text", "array": self.texts(told)}

    def _keep(self, kind: str, array: NDArray[Any]) -> int:
        return self._packed.setdefault((kind, array.tobytes()), len(self._packed))


def title_of(name: str) -> str:
    """Format the name of a column for display.

    Example:
        >>> title_of("child_cosine"), title_of("counterpart")
        ('child cosine', 'best counterpart')
    """
    return {"counterpart": "best counterpart"}.get(name, name.replace("_", " "))


def embedded_json(data: Any) -> str:
    r"""Write JSON that is safe in a script element: it cannot end the element or begin a comment.

    Example:
        >>> print(embedded_json("</script>"))
        "\u003c/script>"
    """
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")


def _worded(value: Any) -> str:
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    return str(value)
