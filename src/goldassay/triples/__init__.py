"""Family 6: triples of documents, as extracted from text."""

from goldassay.core.family import Family, Measures, Reading, Trust, Views
from goldassay.triples.extras import EXTRAS
from goldassay.triples.formats.slots import claims
from goldassay.triples.formats.tables import LAZILY
from goldassay.triples.measures.clusters import Clusters
from goldassay.triples.measures.conformance import Conformance
from goldassay.triples.measures.facts import Facts
from goldassay.triples.measures.full_triples import FullTriples
from goldassay.triples.measures.graphs import Ged, GraphMatch
from goldassay.triples.measures.grounding import Grounding
from goldassay.triples.measures.names import Entities, Relations, Slots
from goldassay.triples.measures.pive import Pive
from goldassay.triples.measures.scripts import Edc, Webnlg
from goldassay.triples.measures.sentences import GBertscore, GBleu, GRouge
from goldassay.triples.measures.stages import Stages
from goldassay.triples.measures.text2kgbench import Text2kgbench
from goldassay.triples.measures.triple_f1 import TripleF1
from goldassay.triples.model import TripleSet
from goldassay.triples.panels import panels
from goldassay.triples.read import read_triples_of_documents, triples_of_columns
from goldassay.triples.reading import TriplesReading
from goldassay.triples.trust import (
    GROUPINGS,
    NOISES,
    NULLS,
    RESTRICTION,
    disjoint,
    find_warnings,
    merge_triples,
    read_references,
)

FAMILY = Family(
    kind="triples",
    title="Triples per document",
    item="triple",
    about="""Score triples (subject, predicate, object) of documents against a gold standard.

Reads JSON Lines, JSON, lines of lists, linearised triples, WebNLG XML, CSV, TSV, Parquet, N-Quads, TriG, Turtle, RDF/XML and GraphML, also
gzipped, and what GraphRAG, LightRAG, KGGen, LangChain, LlamaIndex and Neo4j write.""",
    examples=(
        "goldassay triples examples/triples/pred.jsonl --gold examples/triples/gold.jsonl",
        "goldassay triples examples/triples/pred.jsonl --gold examples/triples/gold.jsonl -m 'triples(names=partial)' -m slots",
        "goldassay triples examples/triples/pred.jsonl --gold examples/triples/gold.jsonl --by predicate --ci",
    ),
    reading=Reading(
        options=TriplesReading,
        read=read_triples_of_documents,
        claims=claims,
        naming={"text": ("name", "iri"), "normalise": ("", "case,underscores,camel")},
        tuples=(("subject", "predicate", "object"), ("id", "subject", "predicate", "object")),
        from_columns=triples_of_columns,
        documents=True,
        references=read_references,
        lazily=LAZILY,
    ),
    measures=Measures(
        classes=(
            TripleF1,
            Slots,
            Entities,
            Relations,
            Stages,
            Clusters,
            Conformance,
            Grounding,
            GraphMatch,
            GBleu,
            GRouge,
            GBertscore,
            Ged,
            Facts,
            Webnlg,
            Edc,
            FullTriples,
            Text2kgbench,
            Pive,
        ),
        default=(TripleF1(), TripleF1(average="macro"), TripleF1(names="partial"), Entities(), Relations()),
        preset_file=("goldassay.triples", "presets.toml"),
        flags=("ontology", "synonyms"),
        counted={"weight_column": ("weighted", "yes")},
    ),
    trust=Trust(
        warnings=find_warnings,
        disjoint=disjoint,
        merged=merge_triples,
        nulls=NULLS,
        noises=NOISES,
        restriction=RESTRICTION,
        pruned=TripleSet.without_empty_documents,
    ),
    views=Views(
        groupings=GROUPINGS,
        panels=panels,
        extras=EXTRAS,
    ),
)

__all__ = [
    "FAMILY",
    "Clusters",
    "Conformance",
    "Edc",
    "Entities",
    "Facts",
    "FullTriples",
    "GBertscore",
    "GBleu",
    "GRouge",
    "Ged",
    "GraphMatch",
    "Grounding",
    "Pive",
    "Relations",
    "Slots",
    "Stages",
    "Text2kgbench",
    "TripleF1",
    "TripleSet",
    "TriplesReading",
    "Webnlg",
    "read_triples_of_documents",
]
