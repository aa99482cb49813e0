"""What the page shows of one prediction, as values: every item of its scores with the groups that it is in, and the panels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from goldassay.core.matching import Cells
from goldassay.core.panel import Column, Panel


@dataclass(frozen=True, eq=False, kw_only=True)
class Listed:
    """Every item of one score.

    Attributes:
        columns: The columns of `Matching.columns`: first the rows of the prediction, then those of gold.
    """

    columns: Mapping[str, Cells]
    groups: Mapping[str, Column]


@dataclass(frozen=True, eq=False, kw_only=True)
class View:
    """What there is to show of one prediction."""

    items: Mapping[str, Listed]
    panels: Sequence[Panel]
