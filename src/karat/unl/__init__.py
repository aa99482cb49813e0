"""UNL documents; `karat.unl.sentences` has the sentences generated from them."""

from karat.core.family import Family
from karat.unl.attributes import Attributes
from karat.unl.discrepancy import Discrepancy
from karat.unl.levenshtein import Levenshtein
from karat.unl.micro import label_table
from karat.unl.model import Document, Node, Relation, Sentence, Texts
from karat.unl.panels import document_panels
from karat.unl.read import DocumentReading, document_of, read_document
from karat.unl.read_sentences import SentenceReading, read_sentences
from karat.unl.relations import Relations
from karat.unl.show import side_by_side
from karat.unl.suspicions import document_suspicions
from karat.unl.uws import Uws
from karat.unl.write import document_text

FAMILY = Family(
    kind="unl",
    title="UNL documents",
    item="sentence",
    measures=(Discrepancy, Relations, Uws, Attributes),
    default=(Discrepancy(), Relations(), Uws(), Attributes()),
    reading=DocumentReading,
    read=read_document,
    suspicions=document_suspicions,
    panels=document_panels,
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
    "label_table",
    "read_document",
    "read_sentences",
    "side_by_side",
]
