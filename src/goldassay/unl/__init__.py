"""UNL documents; `goldassay.unl.sentences` is for sentences generated from them."""

from goldassay.core.family import Family, Measures, Reading, Trust, Views
from goldassay.unl.measures.discrepancy import Discrepancy
from goldassay.unl.measures.levenshtein import Levenshtein
from goldassay.unl.measures.micro import Attributes, Relations, Uws
from goldassay.unl.model import Document, Node, Relation, Sentence, Texts
from goldassay.unl.panels import document_panels
from goldassay.unl.read import DocumentReading, document_of, read_document
from goldassay.unl.read_sentences import SentenceReading, read_sentences
from goldassay.unl.show import EXTRAS, document_text, side_by_side
from goldassay.unl.trust import GROUPINGS, NOISES, NULLS, RESTRICTION, document_warnings

FAMILY = Family(
    kind="unl",
    title="UNL documents",
    item="sentence",
    about="""Score UNL documents against a gold standard, sentence by sentence (UNLization).

Reads UNL documents in table and list format, plain or exported as HTML, also gzipped.""",
    examples=(
        "goldassay unl produced.unl --gold expected.unl",
        "goldassay unl produced.unl --gold expected.unl -m unl_relations --by label",
        "goldassay unl produced.unl --gold expected.unl --show 2",
    ),
    reading=Reading(
        options=DocumentReading,
        read=read_document,
        claims=lambda name, _: name == "unl",
    ),
    measures=Measures(
        classes=(Discrepancy, Relations, Uws, Attributes),
        default=(Discrepancy(), Relations(), Uws(), Attributes()),
        preset_file=("goldassay.unl", "presets.toml"),
    ),
    trust=Trust(
        warnings=document_warnings,
        nulls=NULLS,
        noises=NOISES,
        restriction=RESTRICTION,
    ),
    views=Views(
        groupings=GROUPINGS,
        panels=document_panels,
        extras=EXTRAS,
    ),
)
__all__ = [
    "FAMILY",
    "Attributes",
    "Discrepancy",
    "Document",
    "DocumentReading",
    "Levenshtein",
    "Node",
    "Relation",
    "Relations",
    "Sentence",
    "SentenceReading",
    "Texts",
    "Uws",
    "document_of",
    "document_text",
    "read_document",
    "read_sentences",
    "side_by_side",
]
