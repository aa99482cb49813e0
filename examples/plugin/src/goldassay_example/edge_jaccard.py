"""A measure of one's own: the Jaccard index of the edges of two taxonomies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar

from goldassay.core.counts import Counts, Division
from goldassay.core.measure import Symmetry
from goldassay.core.parameters import Bounds
from goldassay.graphs import Literal

JACCARD: Mapping[str, Bounds] = MappingProxyType({"jaccard": (0.0, 1.0)})


@dataclass(frozen=True, kw_only=True)
class EdgeJaccard(Literal):
    """The share of all edges that both sides have. An edge is the pair of the texts of its ends.

    Matching, counting and evidence are those of `literal`; only the division is new.
    """

    name: ClassVar[str] = "edge_jaccard"
    title: ClassVar[str] = "Jaccard index of edges"
    formula: ClassVar[str] = r"J = \frac{|E' \cap E|}{|E' \cup E|}"
    citation: ClassVar[str] = """@article{jaccard1912distribution,
  title = {The distribution of the flora in the alpine zone},
  author = {Jaccard, Paul},
  journal = {New Phytologist},
  volume = {11},
  number = {2},
  pages = {37--50},
  year = {1912}
}"""
    conventions: ClassVar[tuple[str, ...]] = ()

    @property
    def values(self) -> Mapping[str, Bounds]:
        """The index."""
        return JACCARD

    @property
    def headline(self) -> str:
        """The index."""
        return "jaccard"

    @property
    def symmetry(self) -> Symmetry:
        """Swapping the sides changes nothing."""
        return "same"

    def divide(self, counts: Counts, ratio: Division) -> dict[str, Any]:
        """Divide the edges that both sides have by the edges that either side has."""
        either = counts["n_pred"] + counts["n_gold"] - counts["hit_gold"]
        return {"jaccard": ratio("jaccard", counts["hit_pred"], either)}
