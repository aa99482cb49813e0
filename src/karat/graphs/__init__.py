"""Family 1: taxonomies and knowledge graphs."""

from karat.core.family import Family
from karat.graphs.breakdown import breakdown
from karat.graphs.calibration import calibrate, synonym_pairs
from karat.graphs.continuous import Continuous
from karat.graphs.fuzzy import Fuzzy
from karat.graphs.graph_f1 import GraphF1
from karat.graphs.literal import Literal
from karat.graphs.model import Graph
from karat.graphs.motif import Motif
from karat.graphs.nodes import Nodes
from karat.graphs.panels import panels
from karat.graphs.read import read_graph
from karat.graphs.reading import GraphReading
from karat.graphs.suspicions import suspicions
from karat.graphs.sweep import sweep
from karat.graphs.taxonomic import Taxonomic

FAMILY = Family(
    kind="taxonomy",
    title="Taxonomies and knowledge graphs",
    item="edge",
    measures=(Literal, Fuzzy, Nodes, Continuous, GraphF1, Motif, Taxonomic),
    default=(Literal(), Fuzzy()),
    reading=GraphReading,
    read=read_graph,
    suspicions=suspicions,
    panels=panels,
)

__all__ = [
    "FAMILY",
    "Continuous",
    "Fuzzy",
    "Graph",
    "GraphF1",
    "GraphReading",
    "Literal",
    "Motif",
    "Nodes",
    "Taxonomic",
    "breakdown",
    "calibrate",
    "read_graph",
    "sweep",
    "synonym_pairs",
]
