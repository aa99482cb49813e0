"""Family 1: taxonomies and knowledge graphs."""

from karat.core.family import Family
from karat.graphs.fuzzy import Fuzzy
from karat.graphs.literal import Literal
from karat.graphs.model import Graph
from karat.graphs.nodes import Nodes
from karat.graphs.read import read_graph
from karat.graphs.reading import GraphReading
from karat.graphs.suspicions import suspicions

FAMILY = Family(
    kind="taxonomy",
    title="Taxonomies and knowledge graphs",
    item="edge",
    measures=(Literal, Fuzzy, Nodes),
    default=(Literal(), Fuzzy()),
    reading=GraphReading,
    read=read_graph,
    suspicions=suspicions,
)

__all__ = ["FAMILY", "Fuzzy", "Graph", "GraphReading", "Literal", "Nodes", "read_graph"]
