"""What several gold standards are to a score: the rule by which it is found, and how far the gold standards agree among themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, get_args

from goldassay.core.model import Model

Rule: TypeAlias = Literal["max", "union", "intersection", "mean", "votes"]
RULES: tuple[Rule, ...] = get_args(Rule)
BY_UNIT = ("document", "instance", "sentence", "test case")
"""Units that stand for themselves: the best of the gold standards is taken for each."""
WHOLE = 1 - 1e-6
"""The credit from which on a gold has an item; cosines of equal texts may lie a little below 1."""


@dataclass(frozen=True, kw_only=True)
class Combination:
    """By which rule several gold standards gave one score, and what they score among themselves."""

    rule: Rule
    sizes: tuple[int, ...]  # how many items each gold has, the greatest first
    # what each gold scores against the others by the same rule, on average: the human ceiling. Empty where the measure
    # cannot take a gold for a prediction
    ceiling: Mapping[str, float] = field(default_factory=dict)
    mixed: bool = False  # whether the counts are of several gold standards, while the matching is of one

    def __str__(self) -> str:
        # A mean of values is not a division of the sums next to it.
        summed = ",counts=summed" if self.rule == "mean" else ""
        return f"{self.rule}({len(self.sizes)}{summed})"


def sources_of(models: Sequence[Model]) -> dict[str, Any]:
    """Return where a model that is merged from several comes from: the fields of `goldassay.core.model.Provenance`."""
    paths = sorted({model.path for model in models if model.path})
    formats = sorted({model.format for model in models})
    names = dict.fromkeys(sorted(name for model in models for name in model.choices))
    choices = {name: sorted({model.choices.get(name, "default") for model in models}) for name in names}
    return {
        "path": " + ".join(paths) or None,
        "format": "+".join(formats),
        "choices": {name: "+".join(chosen) for name, chosen in choices.items()},
    }
