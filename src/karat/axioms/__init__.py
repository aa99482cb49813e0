"""Family 2: axioms of a class, a property and an object."""

from karat.axioms.breakdown import breakdown
from karat.axioms.coverage import Coverage
from karat.axioms.exact import Exact
from karat.axioms.model import Axioms
from karat.axioms.panels import panels
from karat.axioms.read import read_axioms
from karat.axioms.reading import AxiomReading
from karat.axioms.suspicions import suspicions
from karat.axioms.weighted import Weighted
from karat.core.family import Family

FAMILY = Family(
    kind="axioms",
    title="Axioms",
    item="axiom",
    measures=(Weighted, Coverage, Exact),
    default=(Weighted(), Coverage(), Exact()),
    reading=AxiomReading,
    read=read_axioms,
    suspicions=suspicions,
    panels=panels,
)

__all__ = ["FAMILY", "AxiomReading", "Axioms", "Coverage", "Exact", "Weighted", "breakdown", "read_axioms"]
