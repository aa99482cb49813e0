"""Random models of every family for the law tests: how to make one, and how to change it without changing its meaning."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import strategies as st

from karat.graphs import Graph

WORDS = ["cat", "cats", "dog", "a dog", "animal", "animals", "plant", "violin", "leukemia", "leukaemia"]


@dataclass(frozen=True)
class Laboratory:
    """How the law tests handle one family.

    A raw model is a plain list of records.

    Attributes:
        records: Random raw models.
        some: One raw model that is not empty.
        build: Makes the model of a raw one.
        rename: Makes the model of a raw one, with other identifiers that mean the same.
        other_items: Measures that count something else than records, so that parts of one are no parts of the other.
    """

    records: st.SearchStrategy[list[Any]]
    some: list[Any]
    build: Callable[[list[Any]], Any]
    rename: Callable[[list[Any]], Any]
    other_items: frozenset[str] = frozenset()


def _renamed_graph(edges: list[tuple[str, str]]) -> Graph:
    nodes = {text for edge in edges for text in edge}
    return Graph.from_edges(
        [(f"urn:x:{a}", f"urn:x:{b}") for a, b in edges], texts={f"urn:x:{text}": text for text in nodes}
    )


LABORATORIES = {
    "taxonomy": Laboratory(
        records=st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(WORDS)), max_size=8),
        some=[("cat", "animal")],
        build=Graph.from_edges,
        rename=_renamed_graph,
        other_items=frozenset({"nodes"}),
    ),
}


@pytest.fixture(scope="session")
def laboratories() -> dict[str, Laboratory]:
    """One laboratory a family."""
    return LABORATORIES
