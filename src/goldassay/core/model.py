"""What every model of every family can say of itself, so that reports and signatures need to know no family."""

from __future__ import annotations

from collections.abc import Mapping
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
        notes: What a person should know about how the file was understood.
        choices: How items were chosen, as the signature shows it.
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
        """Name one item for a person."""
        ...


@dataclass(frozen=True, eq=False, kw_only=True)
class Read:
    """How a model came to be: what the models of all families carry besides their items.

    Attributes:
        path: Where it was read from; None if it was built in memory.
        format: The format it was read as.
        left_out: What reading left out, counted by reason.
        facts: What was seen and kept, counted.
        notes: What a person should know about how the file was understood.
        choices: How items were chosen, as the signature shows it.
    """

    path: str | None = None
    format: str = "memory"
    left_out: Mapping[str, int] = field(default_factory=dict)
    facts: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    choices: Mapping[str, str] = field(default_factory=dict)
