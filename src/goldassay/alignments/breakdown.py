"""Precision, recall and F1 of every test case, relation, kind of entity, or pair of namespaces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import numpy as np

from goldassay.alignments.matching import AlignmentMatching
from goldassay.alignments.model import TYPES, Alignment
from goldassay.alignments.rankings.measure import RankingMatching
from goldassay.alignments.relations import RELATIONS
from goldassay.core.breakdown import check_by, grouped
from goldassay.core.errors import UsageError
from goldassay.core.score import Score

if TYPE_CHECKING:
    import polars as pl

By: TypeAlias = Literal["case", "relation", "type", "namespace"]
NAMESPACE = r"^(.*[#/:])[^#/:]*$"
OBO_STYLE = r"^(.*/obo/[A-Za-z]+_)[^/]*$"


def breakdown(score: Score, *, by: By) -> pl.DataFrame:
    """Split a score of correspondences into groups.

    Every correspondence keeps the credit that it earned against the whole other side, and belongs to the group of its own
    test case, relation, kind of source, or namespaces. So the counts of the groups add up to those of the score.

    Args:
        score: A score of `Overlap`, `MacroOverlap` or `Residual`.
        by: What makes a group.

    Returns:
        One row a group, by name: group, precision, recall, f1 (null where 0/0), hit_pred, n_pred, hit_gold, n_gold.

    Raises:
        UsageError: If the score does not count correspondences, if ``by`` is none of the above, or if kinds are asked for
            and no ontology was given.

    Example:
        >>> from goldassay.alignments import Alignment, Overlap
        >>> gold = Alignment.from_rows([("a#cat", "b#chat"), ("a#eats", "b#mange", "<")])
        >>> score = Overlap().score(pred=Alignment.from_rows([("a#cat", "b#chat")]), gold=gold)
        >>> breakdown(score, by="relation").select("group", "precision", "recall").rows()
        [('<', None, 0.0), ('=', 1.0, 1.0)]
    """
    check_by(by, get_args(By))
    matching = score.matching
    if not isinstance(matching, AlignmentMatching) or isinstance(matching, RankingMatching):
        raise UsageError(f"{score.spec} does not count correspondences, and has no groups of them.", hint="-m overlap")
    return grouped(matching, {"pred": _groups(matching.predicted, by), "gold": _groups(matching.reference, by)})


def _groups(items: Alignment, by: By) -> pl.Series:
    """Name the group of each correspondence."""
    import polars as pl

    match by:
        case "case":
            return pl.Series(list(items.case_names), dtype=pl.String).gather(items.cases)
        case "relation":
            return pl.Series(list(RELATIONS)).gather(items.relations.astype(np.int64))
        case "type":
            if items.types is None:
                raise UsageError("The kinds of entities stand in their ontologies.", hint="--source-ontology FILE")
            return pl.Series(list(TYPES)).gather(items.types[items.sources].astype(np.int64))
    spaces = namespaces(items.terms)
    pairs = pl.DataFrame([spaces.gather(items.sources).alias("source"), spaces.gather(items.targets).alias("target")])
    return pairs.select(pl.concat_str("source", pl.lit(" - "), "target")).to_series()


def namespaces(terms: pl.Series) -> pl.Series:
    """Cut identifiers down to their namespaces; what has none has the empty one.

    Example:
        >>> import polars as pl
        >>> namespaces(pl.Series(["http://a/b#c", "http://purl.obolibrary.org/obo/MP_0000003", "HP:1", "x"])).to_list()
        ['http://a/b#', 'http://purl.obolibrary.org/obo/MP_', 'HP:', '']
    """
    import polars as pl

    frame = terms.alias("term").to_frame()
    space = pl.coalesce(pl.col("term").str.extract(OBO_STYLE), pl.col("term").str.extract(NAMESPACE), pl.lit(""))
    return frame.select(space).to_series()
