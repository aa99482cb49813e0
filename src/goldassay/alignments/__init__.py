"""Family 3: ontology alignments."""

from goldassay.alignments.formats.write import sssom_diff, write_alignment
from goldassay.alignments.lazy import LAZILY
from goldassay.alignments.measures.answers import NearNdcg, RejectionRate, RelationChoice
from goldassay.alignments.measures.overlap import Jaccard, MacroOverlap, Overlap
from goldassay.alignments.measures.ranking import (
    HitAtK,
    MeanAveragePrecision,
    MeanRank,
    MedianRank,
    Mrr,
    Ndcg,
    PrecisionAtK,
    RecallAtK,
    RPrecision,
)
from goldassay.alignments.measures.relaxed import Relaxed
from goldassay.alignments.measures.residual import Residual
from goldassay.alignments.measures.semantic import Semantic
from goldassay.alignments.model import Alignment
from goldassay.alignments.read import CASES, alignment_of_columns, claims, read_alignment, read_cases
from goldassay.alignments.reading import AlignmentReading
from goldassay.alignments.trust import GROUPINGS, NOISES, NULLS, RESTRICTION, find_warnings, merge_alignments
from goldassay.core.family import Family, Measures, Reading, Trust, Views

FAMILY = Family(
    kind="alignment",
    title="Alignments",
    item="correspondence",
    about="""Score ontology alignments against a reference alignment.

Reads OAEI RDF/XML, SSSOM (TSV, JSON), CSV, TSV, Parquet and JSON Lines with any column names, candidate lists in the
format of Bio-ML, and folders of test cases; also gzipped.""",
    examples=(
        "goldassay alignment system.rdf --gold reference.sssom.tsv",
        "goldassay alignment system.rdf --gold reference.sssom.tsv -m overlap -m 'hit_at_k(k=5)'",
        "goldassay alignment system.rdf --gold reference.sssom.tsv --as melt",
    ),
    reading=Reading(
        options=AlignmentReading,
        read=read_alignment,
        claims=claims,
        tuples=(("source", "target"), ("source", "target", "score"), ("source", "target", "relation", "score")),
        from_columns=alignment_of_columns,
        folders=True,
        lazily=LAZILY,
    ),
    measures=Measures(
        classes=(
            Overlap,
            MacroOverlap,
            Residual,
            Relaxed,
            Semantic,
            Jaccard,
            HitAtK,
            Mrr,
            MeanRank,
            MedianRank,
            MeanAveragePrecision,
            Ndcg,
            NearNdcg,
            RPrecision,
            PrecisionAtK,
            RecallAtK,
            RejectionRate,
            RelationChoice,
        ),
        default=(Overlap(),),
        other=(Overlap(), MacroOverlap()),
        preset_file=("goldassay.alignments", "presets.toml"),
    ),
    trust=Trust(
        warnings=find_warnings,
        merged=merge_alignments,
        nulls=NULLS,
        noises=NOISES,
        restriction=RESTRICTION,
    ),
    views=Views(
        groupings=GROUPINGS,
        evidence={".sssom.tsv": sssom_diff},
        extras=(CASES,),
    ),
)

__all__ = [
    "FAMILY",
    "Alignment",
    "AlignmentReading",
    "HitAtK",
    "Jaccard",
    "MacroOverlap",
    "MeanAveragePrecision",
    "MeanRank",
    "MedianRank",
    "Mrr",
    "Ndcg",
    "NearNdcg",
    "Overlap",
    "PrecisionAtK",
    "RPrecision",
    "RecallAtK",
    "RejectionRate",
    "RelationChoice",
    "Relaxed",
    "Residual",
    "Semantic",
    "read_alignment",
    "read_cases",
    "write_alignment",
]
