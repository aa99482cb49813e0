"""The interface of models, so that reports and signatures do not depend on families."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from goldassay.core.content import Content, digest_content
from goldassay.core.text import count_of

InputRows: TypeAlias = NDArray[np.integer[Any]] | None
"""The row of the input in which each item first occurs, from 0, -1 where it has none; None where no item has one."""
NO_ROW = -1


def digest_of(model: object) -> str:
    """Return the digest of what a model holds; empty if it is not known, as of a model of a plugin that says nothing of it."""
    return getattr(model, "digest", "")


@runtime_checkable
class Model(Protocol):
    """A gold standard or a prediction, read and cleaned: a sized collection of unique items.

    Attributes:
        path: Where it was read from; None if it was built in memory.
        format: The format it was read as.
        left_out: What reading left out, counted by reason.
        facts: What was seen and kept, counted.
        notes: Notes for the user on how the file was read.
        choices: How items were selected, for the signature.
    """

    @property
    def path(self) -> str | None: ...  # noqa: D102 - described in the class
    @property
    def format(self) -> str: ...  # noqa: D102 - described in the class
    @property
    def left_out(self) -> Mapping[str, int]: ...  # noqa: D102 - described in the class
    @property
    def facts(self) -> Mapping[str, int]: ...  # noqa: D102 - described in the class
    @property
    def notes(self) -> tuple[str, ...]: ...  # noqa: D102 - described in the class
    @property
    def choices(self) -> Mapping[str, str]: ...  # noqa: D102 - described in the class

    def __len__(self) -> int: ...

    def item(self, row: int) -> str:
        """Return the display name of one item."""
        ...


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Provenance:
    """Provenance: the attributes that the models of all families have in addition to their items."""

    path: str | None = None  # where it was read from; None if it was built in memory
    format: str = "memory"  # the format it was read as
    left_out: Mapping[str, int] = field(default_factory=dict)  # what reading left out, counted by reason
    facts: Mapping[str, int] = field(default_factory=dict)  # what was seen and kept, counted
    notes: tuple[str, ...] = ()  # notes for the user on how the file was read
    # what the user has to know of how the file was read, since it changes what a number means
    warnings: tuple[str, ...] = ()
    choices: Mapping[str, str] = field(default_factory=dict)  # how items were selected, for the signature

    @property
    def content(self) -> Sequence[Content]:
        """Return what the model holds, as tables whose rows have no order; nothing if that is not known, as on an engine."""
        return ()

    @cached_property
    def digest(self) -> str:
        """A digest of what the model holds: the same for equal items in any order; empty if that is not known."""
        tables = self.content
        return digest_content(*tables) if tables else ""

    def __repr__(self) -> str:
        size = len(self) if isinstance(self, Sized) else 0
        first = f", the first: {self.item(0)}" if isinstance(self, Model) and size else ""
        return f"<{type(self).__name__} of {count_of(size, 'item')}{first}>"


def restate(model: Any, **changes: Any) -> Any:
    """Return a model with another path, format or other provenance, on which nothing else of it depends: `replace` takes ten times as long."""
    made = copy(model)
    for name, value in changes.items():
        object.__setattr__(made, name, value)
    return made


def is_model(value: object) -> bool:
    """Return whether a value is a model; what each family reads is known at once, others by their attributes."""
    if isinstance(value, Provenance) or type(value).__module__ == "builtins":
        return isinstance(value, Provenance)
    try:
        return isinstance(value, Model)
    except Exception:  # noqa: BLE001 - an object may raise anything where it is asked for an attribute
        return False


def is_empty(model: Model) -> bool:
    """Return whether a model has no item, and nothing else that a measure scores; those of other packages have only items."""
    return bool(getattr(model, "empty", not len(model)))


def warnings_of(*models: Model) -> Iterator[str]:
    """Return notes on how models were read that change the meaning of a number."""
    for model in models:
        name = f"{model.path}: " if model.path else ""
        yield from (f"{name}{line}" for line in getattr(model, "warnings", ()))


def warn_of_unscored(pred: Model, measures: Iterable[Any]) -> Iterator[str]:
    """Return a warning about predicted items without a score, where a measure uses scores."""
    count = pred.facts.get("unscored", 0)
    # Where no item has a score, a measure of ranks says itself whether anything is ranked.
    some = count < len(pred)
    using = next((str(one) for one in measures if one.uses_scores and (some or hasattr(one, "threshold"))), None)
    if count and using:
        name = f"{pred.path}: " if pred.path else ""
        yield f"{name}items without a score, which {using} takes for a score of 1: {count:,} of {len(pred):,}"


def rows_kept(input_rows: InputRows, kept: NDArray[Any] | slice) -> InputRows:
    """Keep the rows of some items, where they have rows."""
    return None if input_rows is None else input_rows[kept]


def row_column(input_rows: InputRows, rows: NDArray[np.int64]) -> dict[str, list[int | None]]:
    """Make the column of evidence that says in which row of the input some items first occur; none where they have no rows."""
    if input_rows is None:
        return {}
    return {"row": [None if row == NO_ROW else row for row in input_rows[rows].tolist()]}
