"""Groupings of alignment scores."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from goldassay.alignments.macro import Cases
from goldassay.alignments.model import TYPES, Alignment
from goldassay.alignments.rankings.measure import Queries
from goldassay.alignments.rankings.rejection_rate import Nulls
from goldassay.alignments.relations import RELATIONS
from goldassay.core.errors import UsageError
from goldassay.core.groups import Grouping, group_of_items

if TYPE_CHECKING:
    import polars as pl

NAMESPACE = r"^(.*[#/:])[^#/:]*$"
OBO_STYLE = r"^(.*/obo/[A-Za-z]+_)[^/]*$"


def cases(items: Any) -> Any:
    """Name the test case of each correspondence, query or source."""
    import polars as pl

    match items:
        case Cases():
            return items.names
        case Nulls():
            return items.cases
        case Queries():
            return cases(items.references)
    return pl.Series(list(items.case_names), dtype=pl.String).gather(items.cases)


def relations(items: Alignment | Queries) -> pl.Series:
    """Name the relation of each correspondence."""
    import polars as pl

    items = items.references if isinstance(items, Queries) else items
    return pl.Series(list(RELATIONS)).gather(items.relations.astype(np.int64))


def types(items: Alignment | Queries) -> pl.Series:
    """Name the kind of both ends: one word where they are alike or one of them is not known, else both."""
    import polars as pl

    items = items.references if isinstance(items, Queries) else items
    if items.types is None:
        raise UsageError(
            "The kinds of entities are read from ontologies, and none is given.", hint="--source-ontology FILE"
        )
    source, target = items.types[items.sources], items.types[items.targets]
    names = np.array(TYPES, dtype=object)
    both = [f"{one} - {other}" for one, other in zip(names[source], names[target], strict=True)]
    alike = (source == target) | (target == 0)
    found = np.where(alike, names[source], np.where(source == 0, names[target], np.array(both, dtype=object)))
    return pl.Series(found.tolist(), dtype=pl.String)


def namespace_pairs(items: Alignment) -> pl.Series:
    """Name the namespaces of source and target of each correspondence."""
    import polars as pl

    spaces = namespaces(items.terms)
    pairs = pl.DataFrame([spaces.gather(items.sources).alias("source"), spaces.gather(items.targets).alias("target")])
    return pairs.select(pl.concat_str("source", pl.lit(" - "), "target")).to_series()


def namespaces(terms: pl.Series) -> pl.Series:
    """Cut identifiers down to their namespaces; what has none has the empty one.

    Example:
        >>> import polars as pl
        >>> namespaces(pl.Series(["http://a/b#c", "http://purl.obolibrary.org/obo/MP_0000003", "HP:1", "x"])).to_list()
        ['http://a/b#', 'http://purl.obolibrary.org/obo/MP_', 'HP:', '']
    """
    import polars as pl

    frame = terms.alias("term").to_frame()
    space = pl.coalesce(pl.col("term").str.extract(OBO_STYLE), pl.col("term").str.extract(NAMESPACE), pl.lit(""))
    return frame.select(space).to_series()


GROUPINGS: Mapping[str, Grouping] = MappingProxyType(
    {
        "case": group_of_items((Alignment, Cases, Nulls, Queries), cases),
        "relation": group_of_items((Alignment, Queries), relations),
        "type": group_of_items((Alignment, Queries), types),
        "namespace": group_of_items((Alignment,), namespace_pairs),
    }
)
