"""Family 1: taxonomies and knowledge graphs."""

from typing import TYPE_CHECKING

from goldassay.core.family import Family, Measures, Reading, Trust, Views
from goldassay.core.names import names_of
from goldassay.graphs.inspect import inspect_graph
from goldassay.graphs.lazy import LAZILY
from goldassay.graphs.measures.ancestors import AncestorF1, Closure
from goldassay.graphs.measures.anchored import Anchored
from goldassay.graphs.measures.assigned import Continuous, GraphF1
from goldassay.graphs.measures.edges import Edges
from goldassay.graphs.measures.fowlkes_mallows import FowlkesMallows
from goldassay.graphs.measures.fuzzy import Fuzzy, Nodes
from goldassay.graphs.measures.literal import Literal
from goldassay.graphs.measures.motif import Motif
from goldassay.graphs.measures.taxonomic import Taxonomic
from goldassay.graphs.model import Graph
from goldassay.graphs.nulls import NOISES, NULLS
from goldassay.graphs.panels import panels
from goldassay.graphs.read import graph_of_columns, read_graph
from goldassay.graphs.reading import GraphReading
from goldassay.graphs.trust import GROUPINGS, RESTRICTION, disjoint, find_warnings, merge_graphs

if TYPE_CHECKING:
    from goldassay.graphs.calibration import (
        calibrate,
        synonym_pairs,
        threshold_against_chance,
        threshold_against_hierarchy,
    )

FAMILY = Family(
    kind="taxonomy",
    title="Taxonomies and knowledge graphs",
    item="edge",
    about="""Score taxonomies and knowledge graphs against a gold standard, edge by edge.

Reads RDF in every syntax, OBO, OWL, node-link JSON and edge lists (CSV, TSV, Parquet, JSON Lines), also gzipped.""",
    examples=(
        "goldassay taxonomy learned.ttl --gold reference.owl",
        "goldassay taxonomy learned.ttl --gold reference.owl -m 'fuzzy(threshold=0.5)' --misses 5",
        "goldassay taxonomy a.ttl b.ttl --gold reference.owl --ci --report out.html",
    ),
    reading=Reading(
        options=GraphReading,
        read=read_graph,
        inspect=inspect_graph,
        naming={"text": ("label", "name", "iri")},
        tuples=(("child", "parent"), ("subject", "predicate", "object")),
        from_columns=graph_of_columns,
        lazily=LAZILY,
    ),
    measures=Measures(
        classes=(
            Literal,
            Fuzzy,
            Anchored,
            Nodes,
            Continuous,
            GraphF1,
            Motif,
            Taxonomic,
            Closure,
            AncestorF1,
            FowlkesMallows,
            Edges,
        ),
        default=(Literal(), Fuzzy(), Anchored()),
        preset_file=("goldassay.graphs", "presets.toml"),
        flags=("synonyms",),
    ),
    trust=Trust(
        warnings=find_warnings,
        disjoint=disjoint,
        merged=merge_graphs,
        nulls=NULLS,
        noises=NOISES,
        restriction=RESTRICTION,
        pruned=Graph.without_lone_nodes,
    ),
    views=Views(
        groupings=GROUPINGS,
        panels=panels,
    ),
)

__all__ = [
    "FAMILY",
    "AncestorF1",
    "Anchored",
    "Closure",
    "Continuous",
    "Edges",
    "FowlkesMallows",
    "Fuzzy",
    "Graph",
    "GraphF1",
    "GraphReading",
    "Literal",
    "Motif",
    "Nodes",
    "Taxonomic",
    "calibrate",
    "read_graph",
    "synonym_pairs",
    "threshold_against_chance",
    "threshold_against_hierarchy",
]

__getattr__ = names_of(
    "goldassay.graphs",
    {
        "goldassay.graphs.calibration": (
            "calibrate",
            "synonym_pairs",
            "threshold_against_chance",
            "threshold_against_hierarchy",
        )
    },
)
