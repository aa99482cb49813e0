"""Family 4: the concepts in long-form answers."""

from karat.concepts.concept import Concept
from karat.concepts.dictionary import Dictionary, Name, read_dictionary
from karat.concepts.exact import ConceptExact
from karat.concepts.extract import Chunks
from karat.concepts.model import Concepts
from karat.concepts.panels import panels
from karat.concepts.read import read_concepts
from karat.concepts.reading import ConceptReading
from karat.concepts.suspicions import suspicions
from karat.concepts.sweep import sweep
from karat.core.family import Family

FAMILY = Family(
    kind="concepts",
    title="Concepts in long-form answers",
    item="concept",
    measures=(Concept, ConceptExact),
    default=(Concept(), Concept(average="micro"), ConceptExact()),
    reading=ConceptReading,
    read=read_concepts,
    suspicions=suspicions,
    panels=panels,
)

__all__ = [
    "FAMILY",
    "Chunks",
    "Concept",
    "ConceptExact",
    "ConceptReading",
    "Concepts",
    "Dictionary",
    "Name",
    "read_concepts",
    "read_dictionary",
    "sweep",
]
