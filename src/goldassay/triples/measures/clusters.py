"""Clusters of mentions: whether names of one entity are together, as gold has them (B-cubed and CEAF)."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from goldassay.core.context import Context
from goldassay.core.counts import FloatArray
from goldassay.core.documents import DocumentPairs
from goldassay.core.matching import NO_MATCH, Side
from goldassay.core.parameters import parameter
from goldassay.kernels.assigned import assign_rows
from goldassay.triples.match import DocumentMatching
from goldassay.triples.measures.measure import DocumentMeasure
from goldassay.triples.model import OBJECT, PREDICATE, SUBJECT, Numbers, TripleSet

METRICS = ("b-cubed", "ceaf-entity", "ceaf-mention")
B_CUBED, CEAF_ENTITY, CEAF_MENTION = METRICS
SLOTS_OF = {"entity": (SUBJECT, OBJECT), "predicate": (PREDICATE,)}


@dataclass(frozen=True, eq=False, kw_only=True)
class Clustered:
    """Clusters of the names of documents, or their single names; a name in no cluster is one of its own."""

    triples: TripleSet
    documents: Numbers  # the document of each item, int64, shape (items,)
    clusters: list[frozenset[str]]  # the names of the cluster of each item
    names: list[str]  # the name of each item; empty where clusters are counted as a whole

    @classmethod
    def of(cls, triples: TripleSet, of: str, *, whole: bool) -> Clustered:
        """List the clusters of a side, document by document."""
        found: dict[int, dict[str, frozenset[str]]] = defaultdict(dict)
        for document, kind, names in triples.clusters:
            if kind == of:
                some = frozenset(map(triples.normalise, names)) - {""}
                # Clusters that share a name are of one entity.
                some = some.union(*(found[document][name] for name in some if name in found[document]))
                found[document].update(dict.fromkeys(some, some))
        keys, own = triples.keys.tolist(), triples.documents.tolist()
        for document, row in zip(own, triples.rows[:, list(SLOTS_OF[of])].tolist(), strict=True):
            for key in row:
                if key != triples.nameless:
                    found[document].setdefault(keys[key], frozenset({keys[key]}))
        items = [
            (document, cluster, "" if whole else name)
            for document in sorted(found)
            for name, cluster in sorted(found[document].items())
            if name and (not whole or name == min(cluster))
        ]
        documents = np.array([document for document, _, _ in items], dtype=np.int64)
        return cls(
            triples=triples, documents=documents, clusters=[one for _, one, _ in items], names=[n for *_, n in items]
        )

    def __len__(self) -> int:
        return len(self.documents)

    def item(self, row: int) -> str:
        """Name one mention with its cluster, or one cluster."""
        name, cluster = self.names[row], " = ".join(sorted(self.clusters[row]))
        return f"{self.triples.ids[self.documents[row]]}: {f'{name} in {cluster}' if name else cluster}"

    def identifiers(self, rows: Numbers) -> dict[str, list[str]]:
        """List the name of each of some mentions, or all names of each of some clusters."""
        return {"name": [self.names[row] or " = ".join(sorted(self.clusters[row])) for row in rows.tolist()]}


@dataclass(frozen=True, kw_only=True)
class Clusters(DocumentMeasure[DocumentMatching[Clustered]]):
    """How far the names that a prediction takes for one entity are those that gold takes for one.

    Clusters are those of KGGen (``entity_clusters``, ``edge_clusters``) and the mentions of DocRED; a name in no cluster is one of its own.
    B-cubed asks of every name which share of its cluster is right, and gives nothing for a name that the other side does not have. CEAF pairs
    the clusters one to one, so that most is in common: names (``ceaf-mention``), or twice the names in common over those of both
    (``ceaf-entity``).

    Attributes:
        metric: Which of these.
        of: Whether the names are of entities or of predicates.

    Example:
        >>> gold = TripleSet.from_lists({"d": [("a", "r", "b")]}, clusters={"d": [("a", "b")]})
        >>> pred = TripleSet.from_lists({"d": [("a", "r", "b")]})
        >>> Clusters().score(pred=pred, gold=gold).format()
        'clusters: precision 1.0000, recall 0.5000, f1 0.6667'
    """

    name: ClassVar[str] = "clusters"
    title: ClassVar[str] = "Clusters of names (B-cubed, CEAF)"
    formula: ClassVar[str] = (
        r"P_{B^3} = \frac{1}{|M'|} \sum_{m \in M'} \frac{|C'(m) \cap C(m)|}{|C'(m)|},\quad "
        r"P_{CEAF} = \frac{\max_g \sum_i \phi(C'_i, C_{g(i)})}{\sum_i \phi(C'_i, C'_i)}"
    )
    citation: ClassVar[str] = "luo2005ceaf"

    metric: str = parameter(B_CUBED, help="b-cubed, or CEAF over clusters or over names", choices=METRICS)
    of: str = parameter("entity", help="whose names", choices=tuple(SLOTS_OF))

    def match_documents(
        self, *, pred: TripleSet, gold: TripleSet, pairs: DocumentPairs, context: Context
    ) -> DocumentMatching[Clustered]:
        """Find the share of each name's cluster that is right, or pair clusters."""
        del context
        whole = self.metric != B_CUBED
        here, there = (Clustered.of(side, self.of, whole=whole) for side in (pred, gold))
        places = (
            pairs.of(pairs.pred, len(pred.ids))[here.documents],
            pairs.of(pairs.gold, len(gold.ids))[there.documents],
        )
        sides = self._pair(here, there, places) if whole else _share_by_name(here, there, places)
        return DocumentMatching[Clustered].of(sides, items=(here, there), places=places, pairs=pairs)

    def weights(self, items: Any) -> FloatArray:
        """Return how much each item counts: a cluster as many as it has names, or 1."""
        if self.metric != CEAF_MENTION:
            return super().weights(items)
        return np.array([len(cluster) for cluster in items.clusters], dtype=np.float64)

    def _pair(self, here: Clustered, there: Clustered, places: tuple[Numbers, Numbers]) -> tuple[Side, Side]:
        """Pair the clusters of each document, so that most is in common."""
        credit = [np.zeros(len(here)), np.zeros(len(there))]
        counterpart = [np.full(len(side), NO_MATCH, dtype=np.int64) for side in (here, there)]
        rows = [_rows_by(place) for place in places]
        for place, mine in rows[0].items():
            others = rows[1].get(place, [])
            if not others:
                continue
            common = np.array(
                [[len(here.clusters[a] & there.clusters[b]) for b in others] for a in mine], dtype=np.float64
            )
            sizes = [
                np.array([len(side.clusters[row]) for row in some]) for side, some in ((here, mine), (there, others))
            ]
            alike = common if self.metric == CEAF_MENTION else 2 * common / (sizes[0][:, None] + sizes[1])
            for a, b in zip(*(some.tolist() for some in assign_rows(alike)), strict=True):
                if not alike[a, b]:
                    continue
                shares = (alike[a, b], alike[a, b])
                if self.metric == CEAF_MENTION:
                    shares = (common[a, b] / sizes[0][a], common[a, b] / sizes[1][b])
                credit[0][mine[a]], credit[1][others[b]] = shares
                counterpart[0][mine[a]], counterpart[1][others[b]] = others[b], mine[a]
        return Side.of_credit(credit[0], counterpart[0]), Side.of_credit(credit[1], counterpart[1])


def _rows_by(places: Numbers) -> dict[int, list[int]]:
    rows: dict[int, list[int]] = defaultdict(list)
    for row, place in enumerate(places.tolist()):
        rows[place].append(row)
    return rows


def _share_by_name(here: Clustered, there: Clustered, places: tuple[Numbers, Numbers]) -> tuple[Side, Side]:
    """Compute for each name the share of its cluster that is in its cluster on the other side."""
    where = [
        {(place, name): row for row, (place, name) in enumerate(zip(some.tolist(), side.names, strict=True))}
        for side, some in ((here, places[0]), (there, places[1]))
    ]
    return _shares(here, there, where[0], where[1]), _shares(there, here, where[1], where[0])


def _shares(mine: Clustered, other: Clustered, here: dict[Any, int], there: dict[Any, int]) -> Side:
    credit, counterpart = np.zeros(len(mine)), np.full(len(mine), NO_MATCH, dtype=np.int64)
    for key, row in here.items():
        if (matched := there.get(key)) is not None:
            counterpart[row] = matched
            credit[row] = len(mine.clusters[row] & other.clusters[matched]) / len(mine.clusters[row])
    return Side.of_credit(credit, counterpart)
