"""The items of graphs, which predicted sentence matches which expected one, and which nodes of their graphs match."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.core.intern import number_columns, places_among
from goldassay.core.matching import NO_MATCH
from goldassay.core.text import count_of
from goldassay.kernels.keys import pack_rows
from goldassay.kernels.ragged import inverse, ranges
from goldassay.kernels.types import Rows
from goldassay.unl.model import Document, Node, Sentence, Texts

SCOPE = ":scope"
SOURCE, TARGET, ISOLATED = POSITIONS = ("source", "target", "isolated")


@dataclass(frozen=True, eq=False)
class SentenceItems:
    """Items of sentences, one per row, sentence by sentence."""

    names: tuple[str, ...]  # the name of each sentence
    rows: Rows  # which sentence each item is in, int64, shape (items,)
    parts: Rows  # the parts of each item as rows of their words, int64, shape (items, parts)
    words: tuple[tuple[str, ...], ...]  # the words of each part, each once
    columns: tuple[str, ...]  # the names of the parts: `label`, `position`, `attribute`

    def __len__(self) -> int:
        return len(self.rows)

    def item(self, row: int) -> str:
        """Return the display name of one item: its sentence and its parts."""
        return f"S:{self.owners[row]} {' '.join(self._listed[row])}"

    def identifiers(self, rows: Rows) -> dict[str, list[str]]:
        """List the sentences of some items, and their parts."""
        parts = {name: self.column(place, rows) for place, name in enumerate(self.columns)}
        return {"id": [self.owners[row] for row in rows.tolist()], **parts}

    def column(self, place: int, rows: Rows | slice = slice(None)) -> list[str]:
        """Return one part of some items."""
        words = self.words[place]
        return [words[part] for part in self.parts[rows, place].tolist()]

    def listed(self, rows: Rows | slice = slice(None)) -> list[tuple[str, ...]]:
        """Return the parts of some items."""
        return list(zip(*(self.column(place, rows) for place in range(len(self.words))), strict=True))

    @cached_property
    def owners(self) -> list[str]:
        """The name of the sentence of each item."""
        return [self.names[row] for row in self.rows.tolist()]

    @cached_property
    def _listed(self) -> list[tuple[str, ...]]:
        # Tables ask for items one by one.
        return self.listed()


def list_relations(document: Document) -> SentenceItems:
    """List (label, source UW, target UW) of every relation; all scopes are the same placeholder."""
    graphs = document.graphs
    uws = _compare_key(graphs.vocabulary.uws)
    parts = np.column_stack([graphs.relations[:, 0], graphs.vocabulary.nodes[graphs.relations[:, 2:], 0]])
    words = (graphs.vocabulary.labels, uws, uws)
    return SentenceItems(document.names, graphs.sentences, parts, words, ("label", "source", "target"))


def list_uws(document: Document) -> SentenceItems:
    """List (position, UW) of every argument and of every isolated node; scopes are not UWs."""
    vocabulary, placed = document.graphs.vocabulary, document.graphs.placed
    uws = vocabulary.nodes[placed.nodes, 0]
    # UW 0 is empty: a reference to a scope.
    kept = uws > 0
    parts = np.column_stack([placed.positions[kept], uws[kept]])
    return SentenceItems(
        document.names, placed.sentences[kept], parts, (POSITIONS, vocabulary.uws), ("position", "word")
    )


def list_attributes(document: Document, optional: Collection[str] = ()) -> SentenceItems:
    """List (position, UW, attribute) of every attribute that is not optional."""
    vocabulary, placed = document.graphs.vocabulary, document.graphs.placed
    names, attributes, starts = vocabulary.attributes
    uws, _, marks = vocabulary.nodes[placed.nodes].T
    sizes = np.diff(starts)[marks]
    listed = attributes[ranges(starts[marks], sizes)]
    compared = np.array([name not in optional for name in names], dtype=np.bool_)[listed]
    owners = np.repeat(np.arange(len(marks)), sizes)[compared]
    parts = np.column_stack([placed.positions[owners], uws[owners], listed[compared]])
    words = (POSITIONS, _compare_key(vocabulary.uws), names)
    return SentenceItems(document.names, placed.sentences[owners], parts, words, ("position", "word", "attribute"))


def _compare_key(uws: tuple[str, ...]) -> tuple[str, ...]:
    """Replace all scopes by one placeholder."""
    return (SCOPE, *uws[1:])


def relation_items(sentence: Sentence) -> list[tuple[str, ...]]:
    """List what `list_relations` lists, of one sentence."""
    return [(one.label, one.source.uw or SCOPE, one.target.uw or SCOPE) for one in sentence.relations]


def pairs_by_id(pred: Document | Texts, gold: Document | Texts) -> bool:
    """Return whether ids pair sentences: they are unique on both sides, and some are shared or chosen by id."""
    unique = all(len(set(side.ids)) == len(side) for side in (pred, gold))
    return unique and (pred.chosen or gold.chosen or not set(pred.ids).isdisjoint(gold.ids))


def partners(pred: Document | Texts, gold: Document | Texts) -> NDArray[np.int64]:
    """Find the row of the expected sentence of each predicted one, by id or else by order."""
    if pairs_by_id(pred, gold):
        return places_among(pred.ids, gold.ids).astype(np.int64)
    rows_in_order = np.arange(len(pred), dtype=np.int64)
    return np.where(rows_in_order < len(gold), rows_in_order, NO_MATCH)


def wordings_of(pred: Texts, gold: Texts) -> tuple[list[str], list[Sequence[str]]]:
    """Return for each expected sentence what was predicted, empty if nothing was, and its acceptable wordings."""
    rows = inverse(partners(pred, gold), len(gold)).tolist()
    return ["" if row == NO_MATCH else pred.wordings[row][0] for row in rows], list(gold.wordings)


def pairing_warnings(pred: Document | Texts, gold: Document | Texts) -> Iterator[str]:
    """Return notes on sentences that were not paired by id, and on those without a partner."""
    if len(pred) and len(gold) and not pairs_by_id(pred, gold) and any([*pred.ids, *gold.ids]):
        yield "sentence ids are not unique or not shared by both sides: sentences were paired by order"
    partner = partners(pred, gold)
    missing = len(gold) - int((partner >= 0).sum())
    surplus = int((partner < 0).sum())
    if missing:
        yield f"{count_of(missing, 'expected sentence has', 'expected sentences have')} no prediction and count{'s' * (missing == 1)} as not returned"
    if surplus:
        yield f"{count_of(surplus, 'predicted sentence is', 'predicted sentences are')} surplus: counted as returned if well-formed, never correct"


def pair_keys(pred: SentenceItems, gold: SentenceItems, partner: Rows) -> tuple[Rows, Rows]:
    """Number the items of both sides: those of paired sentences are equal where their words are."""
    # A sentence that has no partner has a number that no expected one has.
    pairs = np.where(partner == NO_MATCH, len(gold.names) + np.arange(len(partner)), partner)
    columns = [np.concatenate([pairs[pred.rows], gold.rows])]
    for place, words in enumerate(zip(pred.words, gold.words, strict=True)):
        _, (here, there) = number_columns(*words)
        columns.append(np.concatenate([here[pred.parts[:, place]], there[gold.parts[:, place]]]))
    keys = pack_rows(*columns)
    return keys[: len(pred)], keys[len(pred) :]


Key: TypeAlias = tuple[str, str]
Edge: TypeAlias = tuple[str, Key, Key]

STEPS = 20_000
CLIMBED = 1_000_000
DEEPEST = 64


class Alignment(NamedTuple):
    """A mapping between the nodes of two graphs."""

    nodes: dict[Key, Key]
    overlap: int
    bound: int

    @property
    def gap(self) -> int:
        """How many more relations might match; 0 if the mapping is proven to be the best."""
        return self.bound - self.overlap


def edges(sentence: Sentence, *, labelled: bool = True) -> list[Edge]:
    """List the relations of a graph as label, source node and target node."""
    return [(one.label if labelled else "", _key(one.source), _key(one.target)) for one in sentence.relations]


def align(pred: Sequence[Edge], gold: Sequence[Edge]) -> Alignment:
    """Map nodes to nodes, one to one, and scopes to scopes, so that most relations match."""
    # Hill climbing (at most a million relations looked at) from the nodes of the same spelling, then branch and bound.
    # If that is not finished after 20,000 steps, the best mapping so far is returned, with an upper bound on the
    # matching relations.
    labels, others = (Counter(label for label, _, _ in side) for side in (pred, gold))
    bound = (labels & others).total()
    nodes = _climb(pred, gold)
    found = Alignment(nodes, overlap(nodes, pred, gold), bound)
    if not found.gap or len(_nodes(pred)) > DEEPEST:
        return found
    search = _Search(pred, gold, nodes=nodes, best=found.overlap)
    search.visit(0, 0)
    return Alignment(search.nodes, search.best, search.best if search.steps <= STEPS else bound)


def overlap(nodes: dict[Key, Key], pred: Sequence[Edge], gold: Sequence[Edge]) -> int:
    """Count the relations that match under a mapping of nodes."""
    mapped = ((label, nodes.get(source), nodes.get(target)) for label, source, target in pred)
    return (Counter(mapped) & Counter[tuple[str, Key | None, Key | None]](gold)).total()


def _key(node: Node) -> Key:
    return node.uw, node.id


def _nodes(side: Sequence[Edge]) -> list[Key]:
    counts = Counter(node for _, source, target in side for node in (source, target))
    return [node for node, _ in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))]


def _same_kind(node: Key, other: Key) -> bool:
    return bool(node[0]) == bool(other[0])


def _climb(pred: Sequence[Edge], gold: Sequence[Edge]) -> dict[Key, Key]:
    """Improve the mapping of equal spellings by single moves and swaps, until none helps."""
    here, there = _nodes(pred), _nodes(gold)
    nodes = _map_spellings(here, there)
    best, steps, improved = overlap(nodes, pred, gold), 0, True
    while improved and steps < CLIMBED:
        improved = False
        for moved in _moves(nodes, here, there):
            steps += len(pred)
            matched = overlap(moved, pred, gold)
            if matched > best:
                nodes, best, improved = moved, matched, True
                break
            if steps >= CLIMBED:
                break
    return nodes


def _map_spellings(here: list[Key], there: list[Key]) -> dict[Key, Key]:
    shared = set(there)
    nodes = {node: node for node in here if node in shared}
    free = defaultdict(list)
    for node in there:
        if node not in nodes:
            free[node[0]].append(node)
    for node in here:
        if node not in nodes and free[node[0]]:
            nodes[node] = free[node[0]].pop(0)
    return nodes


def _moves(nodes: dict[Key, Key], here: list[Key], there: list[Key]) -> Iterator[dict[Key, Key]]:
    holder = {other: node for node, other in nodes.items()}
    for node in here:
        for other in there:
            if nodes.get(node) == other or not _same_kind(node, other):
                continue
            moved = {**nodes, node: other}
            if other in holder:
                del moved[holder[other]]
                if node in nodes:
                    moved[holder[other]] = nodes[node]
            yield moved


@dataclass
class _Search:
    """Branch and bound over the mappings, the node of most relations first."""

    pred: Sequence[Edge]
    gold: Sequence[Edge]
    nodes: dict[Key, Key]
    best: int
    steps: int = 0
    chosen: dict[Key, Key] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.here, self.there = _nodes(self.pred), _nodes(self.gold)
        place = {node: depth for depth, node in enumerate(self.here)}
        self.closing: list[list[Edge]] = [[] for _ in self.here]
        for edge in self.pred:
            self.closing[max(place[edge[1]], place[edge[2]])].append(edge)
        self.open = [sum(map(len, self.closing[depth:])) for depth in range(len(self.here) + 1)]
        self.left = Counter(self.gold)
        self.used: set[Key] = set()

    def visit(self, depth: int, matched: int) -> None:
        """Try every expected node, and none, for the predicted node at this depth."""
        self.steps += 1
        if matched > self.best:
            self.best, self.nodes = matched, dict(self.chosen)
        if self.steps > STEPS or matched + self.open[depth] <= self.best:
            return
        node = self.here[depth]
        for other in self.there:
            if other in self.used or not _same_kind(node, other):
                continue
            self.chosen[node] = other
            self.used.add(other)
            hits = self._take(depth)
            self.visit(depth + 1, matched + len(hits))
            self.left.update(hits)
            self.used.remove(other)
            del self.chosen[node]
        self.visit(depth + 1, matched)

    def _take(self, depth: int) -> list[Edge]:
        hits = []
        for label, source, target in self.closing[depth]:
            if source in self.chosen and target in self.chosen:
                edge = (label, self.chosen[source], self.chosen[target])
                if self.left[edge] > 0:
                    self.left[edge] -= 1
                    hits.append(edge)
        return hits
