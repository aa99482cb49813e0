"""Family 3: ontology alignments."""

from karat.alignments.average_precision import MeanAveragePrecision
from karat.alignments.breakdown import breakdown
from karat.alignments.functions import (
    evaluation_report,
    f1_measurement,
    hit_at_k,
    mrr,
    precision_score,
    recall_score,
)
from karat.alignments.hits import HitAtK
from karat.alignments.macro import MacroOverlap
from karat.alignments.model import Alignment
from karat.alignments.ndcg import Ndcg
from karat.alignments.overlap import Overlap
from karat.alignments.panels import panels
from karat.alignments.r_precision import RPrecision
from karat.alignments.read import read_alignment, read_cases
from karat.alignments.reading import AlignmentReading
from karat.alignments.reciprocal_rank import Mrr
from karat.alignments.rejection_rate import RejectionRate
from karat.alignments.residual import Residual
from karat.alignments.suspicions import suspicions
from karat.alignments.sweep import sweep
from karat.alignments.write import write_alignment
from karat.core.family import Family

FAMILY = Family(
    kind="alignment",
    title="Alignments",
    item="correspondence",
    measures=(Overlap, MacroOverlap, Residual, HitAtK, Mrr, MeanAveragePrecision, Ndcg, RPrecision, RejectionRate),
    default=(Overlap(),),
    reading=AlignmentReading,
    read=read_alignment,
    suspicions=suspicions,
    panels=panels,
)

__all__ = [
    "FAMILY",
    "Alignment",
    "AlignmentReading",
    "HitAtK",
    "MacroOverlap",
    "MeanAveragePrecision",
    "Mrr",
    "Ndcg",
    "Overlap",
    "RPrecision",
    "RejectionRate",
    "Residual",
    "breakdown",
    "evaluation_report",
    "f1_measurement",
    "hit_at_k",
    "mrr",
    "precision_score",
    "read_alignment",
    "read_cases",
    "recall_score",
    "sweep",
    "write_alignment",
]
