"""Family 4: the concepts in long-form answers."""

from goldassay.concepts.extras import EXTRAS
from goldassay.concepts.formats.parts import claims
from goldassay.concepts.lazy import LAZILY
from goldassay.concepts.measures.concept import Concept, ConceptExact
from goldassay.concepts.measures.medcon import Medcon
from goldassay.concepts.measures.near import Paths
from goldassay.concepts.model import Concepts
from goldassay.concepts.panels import panels
from goldassay.concepts.read import read_concepts, read_references
from goldassay.concepts.reading import ConceptReading, takes_scope
from goldassay.concepts.texts.chunks import Chunks
from goldassay.concepts.texts.dictionary import Dictionary, read_dictionary
from goldassay.concepts.texts.extract import from_docs
from goldassay.concepts.texts.names import Name
from goldassay.concepts.trust import GROUPINGS, NOISES, NULLS, RESTRICTION, disjoint, find_warnings, merge_concepts
from goldassay.core.family import Family, Measures, Reading, Trust, Views

FAMILY = Family(
    kind="concepts",
    title="Concepts in long-form answers",
    item="concept",
    about="""Score long-form answers by the concepts in them, against gold answers.

Reads JSON Lines, CSV, TSV, Parquet (an id, a text or a list of concepts) and plain text, one answer per line, also
gzipped. FILE#COLUMN takes one column of a file, so that one file can hold both sides.""",
    examples=(
        "goldassay concepts answers.jsonl --gold gold.jsonl",
        "goldassay concepts answers.jsonl --gold gold.jsonl --dictionary ontology.obo -m concept_exact",
        "goldassay concepts answers.jsonl --gold gold.jsonl --ci --show q05",
    ),
    reading=Reading(
        options=ConceptReading,
        read=read_concepts,
        claims=claims,
        pairing=("on_unpaired",),
        tuples=(("id", "text"), ("id", "concepts")),
        documents=True,
        texts=True,
        references=read_references,
        lazily=LAZILY,
        scopes=takes_scope,
    ),
    measures=Measures(
        classes=(Concept, ConceptExact, Medcon, Paths),
        default=(Concept(), Concept(average="micro"), ConceptExact()),
        preset_file=("goldassay.concepts", "presets.toml"),
    ),
    trust=Trust(
        warnings=find_warnings,
        disjoint=disjoint,
        merged=merge_concepts,
        nulls=NULLS,
        noises=NOISES,
        restriction=RESTRICTION,
        pruned=Concepts.without_empty_documents,
    ),
    views=Views(
        groupings=GROUPINGS,
        panels=panels,
        extras=EXTRAS,
    ),
)

__all__ = [
    "FAMILY",
    "Chunks",
    "Concept",
    "ConceptExact",
    "ConceptReading",
    "Concepts",
    "Dictionary",
    "Medcon",
    "Name",
    "Paths",
    "from_docs",
    "read_concepts",
    "read_dictionary",
]
