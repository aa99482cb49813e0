"""The content of a file as goldassay reads it, for every family."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from goldassay.core.patterns import pattern_of
from goldassay.core.text import count_of, singular

if TYPE_CHECKING:
    from goldassay.core.model import Model

EXAMPLES = 3
OF_WHAT = pattern_of(r" (?:of|without|to|in|with) ")


class Inspection(Protocol):
    """The content of a file, and what would be scored."""

    def to_dict(self) -> dict[str, Any]:
        """Return the findings as plain values, ready for JSON."""
        ...

    def lines(self) -> Iterator[str]:
        """Format the findings as text."""
        ...


class ModelInspection:
    """The result of reading a file."""

    def __init__(self, kind: str, item: str, model: Model) -> None:
        self.kind = kind
        self.item = item
        self.model = model

    def to_dict(self) -> dict[str, Any]:
        """Return the findings as plain values, ready for JSON."""
        model = self.model
        return {
            "path": model.path,
            "kind": self.kind,
            "format": model.format,
            "items": len(model),
            "facts": dict(model.facts),
            "left_out": dict(model.left_out),
            "choices": dict(model.choices),
            "notes": list(model.notes),
            "warnings": list(getattr(model, "warnings", ())),
            "examples": self._examples(),
        }

    def lines(self) -> Iterator[str]:
        """Format the findings as text."""
        model = self.model
        yield f"{model.path}: {self.kind}, {model.format}"
        yield f"  {count_of(len(model), self.item)}"
        if seen := format_counts(model.facts):
            yield f"  seen: {seen}"
        yield f"  left out: {format_counts(model.left_out) or 'nothing'}"
        yield from (f"  {name}: {choice}" for name, choice in model.choices.items())
        yield from (f"  for example {example}" for example in self._examples())
        yield from (f"! {line}" for line in getattr(model, "warnings", ()))
        yield from (f"note: {note}" for note in model.notes)

    def _examples(self) -> list[str]:
        return [self.model.item(row) for row in range(min(EXAMPLES, len(self.model)))]


def format_counts(counts: Mapping[str, int]) -> str:
    """List counts that are not 0."""
    named = {reason.replace("_", " "): count for reason, count in counts.items() if count}
    return ", ".join(f"{count:,} {reason if count != 1 else _of_one(reason)}" for reason, count in named.items())


def _of_one(reason: str) -> str:
    """Write what is counted as one: names of other branches, a name of them."""
    what = OF_WHAT.search(reason)
    end = what.start() if what else len(reason)
    return f"{singular(reason[:end])}{reason[end:]}"
