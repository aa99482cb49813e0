"""The interface of models, so that reports and signatures do not depend on families."""

from __future__ import annotations

from collections.abc import Mapping, Sized
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable


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
class Read:
    """Provenance: the attributes that the models of all families have in addition to their items.

    Attributes:
        path: Where it was read from; None if it was built in memory.
        format: The format it was read as.
        left_out: What reading left out, counted by reason.
        facts: What was seen and kept, counted.
        notes: Notes for the user on how the file was read.
        choices: How items were selected, for the signature.
    """

    path: str | None = None
    format: str = "memory"
    left_out: Mapping[str, int] = field(default_factory=dict)
    facts: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    choices: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        size = len(self) if isinstance(self, Sized) else 0
        first = f", the first: {self.item(0)}" if isinstance(self, Model) and size else ""
        return f"<{type(self).__name__} of {size:,} item{'s' * (size != 1)}{first}>"
