"""Literal precision, recall and F1: an edge counts if the other side has the same two texts; and what relations have in common."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import Context, FloatMatrix, Progress, ignore_progress
from goldassay.core.curve import Cut, Step, similarity_steps
from goldassay.core.errors import UsageError
from goldassay.core.intern import FEW, Names, first_of_each, number_columns, string_array
from goldassay.core.matching import NO_MATCH, Evidence, Matching, Side, SideName, equal_counterparts, find_common
from goldassay.core.parameters import parameter
from goldassay.encoders.measure import MINILM, WORDNET_THRESHOLD, EncodedMeasure
from goldassay.formats.labels import last_part, split_local_name
from goldassay.formats.synonyms import PREDICATE, Synonyms, count_idle, idle_note, merge_codes, read_synonyms
from goldassay.graphs.match import Groups
from goldassay.graphs.model import Graph
from goldassay.kernels.cosine import pair_cosines
from goldassay.kernels.ragged import best_rows, find_equal, pair_equal

CHOICES = ("ignore", "exact", "fuzzy")
HELP = "whether edges match only if their relations do: ignore, the same name, or a cosine above the threshold"


def relation_numbers(*graphs: Graph) -> list[NDArray[np.int64]]:
    """Number the relation of each edge, equal names of any of the graphs alike; shape (edges,) each."""
    _, places = number_columns(*(graph.relation_names for graph in graphs))
    return [place.astype(np.int64)[graph.relations] for graph, place in zip(graphs, places, strict=True)]


def same_relation(pred: Graph, gold: Graph) -> Groups:
    """Allow matches between edges of the same relation."""
    here, there = relation_numbers(pred, gold)
    common = np.intersect1d(here, there)
    return tuple(zip(_rows_by(here, common), _rows_by(there, common), strict=True))


def _rows_by(numbers: NDArray[np.int64], wanted: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """List the rows of each requested number, with a single sort."""
    order, first, counts = find_equal(wanted, numbers)
    return [order[start:end] for start, end in zip(first.tolist(), (first + counts).tolist(), strict=True)]


def relation_vectors(
    pred: Graph, gold: Graph, context: Context
) -> tuple[FloatMatrix, tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Return the vectors of the names of relations, and the row of each name of the prediction and of gold."""
    names = [split_local_name(last_part(name)) for graph in (pred, gold) for name in graph.relation_names]
    vectors, rows = context.vectors(string_array(names))
    return vectors, (rows[: len(pred.relation_names)], rows[len(pred.relation_names) :])


def similar_relation(pred: Graph, gold: Graph, *, threshold: float, inclusive: bool, context: Context) -> Groups:
    """Allow matches between edges with similar relations: the last part of the name, split into words."""
    vectors, (here, there) = relation_vectors(pred, gold, context)
    groups = []
    for relation, row in enumerate(here):
        cosines = pair_cosines(vectors, np.full(len(there), row), there)
        near = np.flatnonzero(cosines >= threshold if inclusive else cosines > threshold)
        pair = np.flatnonzero(pred.relations == relation), np.flatnonzero(np.isin(gold.relations, near))
        if len(pair[0]) and len(pair[1]):
            groups.append(pair)
    return tuple(groups)


def relation_groups(
    pred: Graph, gold: Graph, relation: str, *, threshold: float, inclusive: bool, context: Context
) -> Groups | None:
    """Allow matches by relation, one of `CHOICES`; None for matches between all edges."""
    if relation == "fuzzy":
        return similar_relation(pred, gold, threshold=threshold, inclusive=inclusive, context=context)
    return same_relation(pred, gold) if relation == "exact" else None


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class LiteralMatching(Matching[Graph]):
    """A matching of edges by text, with the ends of edges that are missing on the other side."""

    by_relation: bool  # whether relations decided, too: both sides then have their counterparts
    # the graphs with the texts that were compared, where synonyms have one; None where these are their own
    compared: tuple[Graph, Graph] | None = None

    @cached_property
    def ends(self) -> list[NDArray[np.int32]]:
        """The texts of the ends of all edges of the prediction and of gold as numbers, shape (edges, 2) each; only evidence needs them."""
        return _text_numbers(*(self.compared or (self.pred_items, self.gold_items)))

    def evidence(self, side: SideName, rows: NDArray[np.int64], *, progress: Progress = ignore_progress) -> Evidence:
        """Return the equal edge of each edge, or else which of its texts occur on the other side."""
        here, there = self.ends if side == "pred" else self.ends[::-1]
        present = find_common(here[rows].ravel(), there.ravel()).reshape(-1, 2)
        details = {"child_present": present[:, 0], "parent_present": present[:, 1]}
        if self.by_relation:
            return replace(super().evidence(side, rows, progress=progress), details=details)
        equal = Side.of_equals(equal_counterparts(_keys(here[rows]), _keys(there)))
        return Evidence(counterpart=equal.counterpart, similarity=equal.similarity, details=details)


@dataclass(frozen=True, kw_only=True)
class Literal(EncodedMeasure[Graph, LiteralMatching]):
    """An edge is hit if the other side has an edge with the same pair of texts.

    Attributes:
        relation: Whether edges match only if their relations do: ``ignore``, ``exact`` (the same name) or ``fuzzy``
            (names whose cosine exceeds the threshold).
        threshold: The cosine that names of relations must exceed; used only if relations are fuzzy.
        distinct: Count each pair of texts once, even if several edges have it.
        synonyms: A table of texts and their synonyms, an ontology, or a graph with clusters or aliases.

    Example:
        >>> gold = Graph.from_edges([("leukemia", "cancer"), ("cancer", "disease")])
        >>> pred = Graph.from_edges([("leukemia", "cancer"), ("sarcoma", "cancer"), ("flu", "disease")])
        >>> Literal().score(pred=pred, gold=gold)
        <Score literal: precision 0.3333, recall 0.5000, f1 0.4000>
    """

    name: ClassVar[str] = "literal"
    unit: ClassVar[str] = "edge"
    title: ClassVar[str] = "Literal F1"
    family: ClassVar[str] = "taxonomy"
    formula: ClassVar[str] = (
        r"P = \frac{|\{(u', v') \in E' \mid \exists (u, v) \in E,\ u = u' \wedge v = v'\}|}{|E'|},\quad "
        r"R = \frac{|\{(u, v) \in E \mid \exists (u', v') \in E',\ u = u' \wedge v = v'\}|}{|E|}"
    )
    citation: ClassVar[str] = "lo2024ollm"
    conventions: ClassVar[tuple[str, ...]] = ("OLLM's code counts sets of title pairs: distinct=true",)

    relation: str = parameter("ignore", help=HELP, choices=CHOICES)
    threshold: float = parameter(
        WORDNET_THRESHOLD, help="the cosine that fuzzy relations must exceed", bounds=(-1.0, 1.0), encoder=MINILM
    )
    distinct: bool = parameter(False, help="count each pair of texts once, even if several edges have it (OLLM's code)")
    synonyms: str | None = parameter(
        None, help="names that mean the same: a table, an ontology, or a graph with clusters", metavar="FILE"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.distinct and self.relation != "ignore":
            raise UsageError(
                f"{self.name}: distinct counts pairs of texts without their relations, so these have no effect.",
                hint="use only one of them",
            )
        if self.relation != "fuzzy" and self.threshold != WORDNET_THRESHOLD:
            raise UsageError(
                f"{self.name}: the threshold has no effect unless relations are fuzzy.",
                hint=f"relation=fuzzy, threshold={self.threshold:g}",
            )

    @property
    def keys(self) -> tuple[str, ...]:
        """The two texts, and the relation if it has to be the same."""
        texts = ("child", "parent")
        if self.synonyms:
            return ()
        return {"ignore": texts, "exact": (*texts, "relation")}.get(self.relation, ())

    @property
    def needs_encoder(self) -> bool:
        """Whether it compares the names of relations by meaning."""
        return self.relation == "fuzzy"

    def match(self, *, pred: Graph, gold: Graph, context: Context) -> LiteralMatching:
        """Find the edges whose pair of texts occurs on both sides."""
        compared = _merge_synonyms(pred, gold, read_synonyms(self.synonyms)) if self.synonyms else None
        if self.distinct:
            rows = list(map(_find_first_of_text_pairs, compared or (pred, gold)))
            pred, gold = pred.take(rows[0]), gold.take(rows[1])
            compared = compared and (compared[0].take(rows[0]), compared[1].take(rows[1]))
        here, there = compared or (pred, gold)
        sides = self._sides(pred=here, gold=there, context=context)
        by_relation = self.relation != "ignore"
        return LiteralMatching(
            pred=sides[0], gold=sides[1], pred_items=pred, gold_items=gold, by_relation=by_relation, compared=compared
        )

    def note(self, matching: LiteralMatching, values: Mapping[str, Any]) -> str | None:
        """Return how many rows of synonyms apply to nothing."""
        del values
        if not self.synonyms:
            return None
        pairs, used = read_synonyms(self.synonyms), {*matching.pred_items.texts, *matching.gold_items.texts}
        return idle_note(self.synonyms, count_idle(pairs, used, normalise=_compose), len(pairs))

    @property
    def cut(self) -> Cut | None:
        """The cosine that the names of relations have to pass, if they are compared by meaning."""
        return Cut("threshold", self.threshold, inclusive=False) if self.relation == "fuzzy" else None

    def steps(self, matching: LiteralMatching) -> Sequence[Step]:
        """Return the cosine of the nearest relation of its pair of texts, up to which each edge is hit."""
        return similarity_steps(pred=matching.pred.similarity, gold=matching.gold.similarity)

    def _sides(self, *, pred: Graph, gold: Graph, context: Context) -> tuple[Side, Side]:
        if self.relation == "ignore" and len(pred) + len(gold) <= FEW:
            return _find_shared_pairs(pred, gold)
        ends = _text_numbers(pred, gold)
        keys = _keys(ends[0]), _keys(ends[1])
        if self.relation == "fuzzy":
            here, there, cosines = _relation_cosines(keys, pred=pred, gold=gold, context=context)
            return (
                _nearest(len(pred), here, there, cosines, self.threshold),
                _nearest(len(gold), there, here, cosines, self.threshold),
            )
        if self.relation == "ignore":
            return Side.of_hits(find_common(*keys)), Side.of_hits(find_common(*keys[::-1]))
        groups = same_relation(pred, gold)
        return _side(keys[0], keys[1], groups), _side(keys[1], keys[0], tuple((b, a) for a, b in groups))


def _find_shared_pairs(pred: Graph, gold: Graph) -> tuple[Side, Side]:
    """Decide which of a few edges have a pair of texts of the other side: straight from the texts, without numbering them."""

    def side(here: Graph, there: Graph) -> Side:
        hits = map(set(there.text_pairs).__contains__, here.text_pairs)
        return Side.of_hits(np.fromiter(hits, dtype=np.bool_, count=len(here)))

    return side(pred, gold), side(gold, pred)


def _text_numbers(*graphs: Graph) -> list[NDArray[np.int32]]:
    """Number the texts at the ends of the edges, equal texts of any of the graphs alike; shape (edges, 2) each."""
    _, numbers = number_columns(*(graph.texts for graph in graphs))
    return [some[graph.edges] for some, graph in zip(numbers, graphs, strict=True)]


def _keys(ends: NDArray[np.int32]) -> NDArray[np.int64]:
    """Number the pairs of text numbers, which are below 2**31."""
    return (ends[:, 0].astype(np.int64) << 31) + ends[:, 1]


def _find_first_of_text_pairs(graph: Graph) -> NDArray[np.int64]:
    """List the first edge of each pair of texts."""
    (ends,) = _text_numbers(graph)
    return first_of_each(_keys(ends))


def _compose(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())


def _merge_synonyms(pred: Graph, gold: Graph, pairs: Sequence[Synonyms]) -> tuple[Graph, Graph]:
    """Write one name for synonyms in the texts of both sides."""
    texts, (here, there) = number_columns(pred.texts, gold.texts)
    codes, names = merge_codes(list(texts), [pair for pair in pairs if pair.of != PREDICATE], normalise=_compose)
    made = [Names([names[code] for code in codes[some].tolist()]) for some in (here, there)]
    return replace(pred, texts=made[0]), replace(gold, texts=made[1])


def _relation_cosines(
    keys: tuple[NDArray[np.int64], NDArray[np.int64]], *, pred: Graph, gold: Graph, context: Context
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Pair all edges of the same pair of texts, with the cosine of the names of their relations."""
    here, there = pair_equal(*keys)
    vectors, rows = relation_vectors(pred, gold, context)
    pairs = np.column_stack([rows[0][pred.relations[here]], rows[1][gold.relations[there]]])
    distinct, place = np.unique(pairs, axis=0, return_inverse=True)
    return here, there, pair_cosines(vectors, distinct[:, 0], distinct[:, 1])[place.ravel()]


def _nearest(
    size: int,
    here: NDArray[np.int64],
    there: NDArray[np.int64],
    cosines: NDArray[np.float64],
    threshold: float,
) -> Side:
    """Find for each edge its counterpart of the nearest relation, the first of equally near ones."""
    counterpart, similarity = np.full(size, NO_MATCH, dtype=np.int64), np.full(size, np.nan)
    best = best_rows(cosines, here)
    counterpart[here[best]], similarity[here[best]] = there[best], cosines[best]
    return Side(credit=(similarity > threshold).astype(np.float64), counterpart=counterpart, similarity=similarity)


def _side(here: NDArray[np.int64], there: NDArray[np.int64], groups: Groups) -> Side:
    counterpart = np.full(len(here), NO_MATCH, dtype=np.int64)
    for mine, others in groups:
        found = equal_counterparts(here[mine], there[others])
        matched = found != NO_MATCH
        counterpart[mine[matched]] = others[found[matched]]
    return Side.of_equals(counterpart)
