"""Alignments on an engine."""

from goldassay.alignments.jaccard import Jaccard
from goldassay.alignments.lazy.overlap import count_overlap
from goldassay.alignments.lazy.partial import judged_lazily
from goldassay.alignments.lazy.rankings import count_ranking
from goldassay.alignments.lazy.read import read_lazily
from goldassay.alignments.overlap import Overlap
from goldassay.alignments.rankings.gains import HitAtK, Mrr
from goldassay.core.lazy import Lazily

LAZILY = Lazily(
    read=read_lazily,
    judged=judged_lazily,
    count={Overlap: count_overlap, Jaccard: count_overlap, HitAtK: count_ranking, Mrr: count_ranking},
)
"""How alignments are scored on an engine."""
