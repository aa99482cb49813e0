"""The items of any family as columns of coded parts: what is drawn, and what a person reads of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import md5
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.core.errors import UsageError
from goldassay.core.family import Family
from goldassay.core.intern import first_of_each, numbered
from goldassay.kernels.keys import GOLDEN, packed
from goldassay.sampling.designs import Codes
from goldassay.sampling.special import Numbers

Words: TypeAlias = Callable[[Codes], Mapping[str, Sequence[str]]]
SHOWN, HALF = 5, np.uint64(32)
DOCUMENT, SOURCE, RELATION, TARGET = "document", "source", "relation", "target"


class Part(NamedTuple):
    """One part of every item: numbers of names, int64, shape (items,), and the names as they are compared."""

    codes: Codes
    names: Sequence[str]


@dataclass(frozen=True, eq=False, kw_only=True)
class Items:
    """The items of one model.

    Attributes:
        parts: Its parts by their roles: ``document``, ``source``, ``relation``, ``target``, as far as there are some.
        words: Returns what a person reads of some items, by column.
        context: Returns the text or the neighbourhood of some items; None where there is none.
        scores: How sure the prediction is of each item, float64, shape (items,); None if it does not say.
        documents: The names of all documents, those without items too.
    """

    parts: Mapping[str, Part]
    words: Words
    context: Callable[[Codes], Sequence[str]] | None = None
    scores: Numbers | None = None
    documents: Sequence[str] = ()

    def __len__(self) -> int:
        return len(next(iter(self.parts.values())).codes)


def _edges(graph: Any) -> Items:
    ends = {SOURCE: Part(graph.edges[:, 0], graph.words), TARGET: Part(graph.edges[:, 1], graph.words)}
    several = len(graph.relation_names) > 1
    relation = {RELATION: Part(graph.relations, graph.relation_names)} if several else {}

    def words(rows: Codes) -> dict[str, list[str]]:
        child, parent = ([graph.words[node] for node in column] for column in graph.edges[rows].T.tolist())
        if not several:
            return {"child": child, "parent": parent}
        named = [graph.relation_names[one] for one in graph.relations[rows].tolist()]
        return {"subject": child, "predicate": named, "object": parent}

    def context(rows: Codes) -> list[str]:
        return [_neighbourhood(graph, *graph.edges[row].tolist()) for row in rows.tolist()]

    return Items(parts={**ends, **relation}, words=words, context=context)


def _short(iri: str) -> str:
    """Return the last word of an IRI, and other names as they are."""
    return iri.rstrip("/#").replace("#", "/").rpartition("/")[2] if "://" in iri else iri


def _neighbourhood(graph: Any, child: int, parent: int) -> str:
    """Name a few other parents and children of the ends of an edge."""
    edges, found = graph.edges, []
    for title, mask, column, but in (
        (f"{graph.words[child]}: also under", edges[:, 0] == child, 1, parent),
        (f"below {graph.words[child]}", edges[:, 1] == child, 0, -1),
        (f"also below {graph.words[parent]}", edges[:, 1] == parent, 0, child),
    ):
        others = [graph.words[node] for node in edges[mask, column].tolist() if node != but]
        if others:
            more = f" and {len(others) - SHOWN:,} more" if len(others) > SHOWN else ""
            found.append(f"{title}: {', '.join(others[:SHOWN])}{more}")
    return "; ".join(found)


def _axioms(axioms: Any) -> Items:
    roles = zip((SOURCE, RELATION, TARGET), axioms.rows.T, strict=True)

    def words(rows: Codes) -> dict[str, list[str]]:
        spelt = axioms.spelt[rows].T
        return {
            name: axioms.spellings[column].tolist()
            for name, column in zip(("class", "property", "object"), spelt, strict=True)
        }

    return Items(parts={role: Part(column, axioms.keys) for role, column in roles}, words=words)


def _correspondences(alignment: Any) -> Items:
    from goldassay.alignments.relations import RELATIONS

    terms = alignment.terms.to_list()
    parts = {
        SOURCE: Part(alignment.sources.astype(np.int64), terms),
        RELATION: Part(alignment.relations.astype(np.int64), RELATIONS),
        TARGET: Part(alignment.targets.astype(np.int64), terms),
    }
    cases = (
        {DOCUMENT: Part(alignment.cases.astype(np.int64), alignment.case_names)} if any(alignment.case_names) else {}
    )

    def words(rows: Codes) -> dict[str, list[str]]:
        named = {"case": [alignment.case_names[one] for one in alignment.cases[rows].tolist()]} if cases else {}
        ends = [
            [alignment.name(term) for term in column[rows].tolist()]
            for column in (alignment.sources, alignment.targets)
        ]
        return {
            **named,
            "source": ends[0],
            "target": ends[1],
            "relation": [RELATIONS[one] for one in alignment.relations[rows].tolist()],
        }

    return Items(parts={**cases, **parts}, words=words, scores=alignment.scores)


def _triples(triples: Any) -> Items:
    keys, documents = triples.keys.tolist(), triples.documents
    slots = {role: Part(column, keys) for role, column in zip((SOURCE, RELATION, TARGET), triples.rows.T, strict=True)}

    def words(rows: Codes) -> dict[str, list[str]]:
        columns = zip(*map(triples.slots, rows.tolist()), strict=True) if len(rows) else ((), (), ())
        named = dict(zip(("subject", "predicate", "object"), map(list, columns), strict=True))
        return {"document": triples.ids[documents[rows]].tolist(), **named} if len(triples.ids) > 1 else named

    def context(rows: Codes) -> list[str]:
        found: list[str] = triples.texts[documents[rows]].tolist()
        return found

    return Items(
        parts={DOCUMENT: Part(documents, triples.ids.tolist()), **slots} if len(triples.ids) > 1 else slots,
        words=words,
        context=context if any(triples.texts.tolist()) else None,
        scores=triples.weights,
        documents=triples.ids.tolist(),
    )


def _concepts(concepts: Any) -> Items:
    documents = np.searchsorted(concepts.starts, np.arange(len(concepts)), side="right") - 1
    named = [
        f"{key} {assertion}".strip()
        for key, assertion in zip(concepts.keys.tolist(), concepts.assertions.tolist(), strict=True)
    ]
    parts = {DOCUMENT: Part(documents, concepts.ids.tolist()), TARGET: Part(concepts.words, named)}

    def words(rows: Codes) -> dict[str, list[str]]:
        return {"document": concepts.ids[documents[rows]].tolist(), "concept": list(map(concepts.title, rows.tolist()))}

    def context(rows: Codes) -> list[str]:
        found: list[str] = concepts.texts[documents[rows]].tolist()
        return found

    around = context if any(concepts.texts.tolist()) else None
    return Items(parts=parts, words=words, context=around, documents=concepts.ids.tolist())


def _labels(labels: Any) -> Items:
    names = list(map(str, labels.hierarchy.names))
    parts = {
        SOURCE: Part(labels.instances.astype(np.int64), labels.ids.tolist()),
        TARGET: Part(labels.labels.astype(np.int64), names),
    }

    def words(rows: Codes) -> dict[str, list[str]]:
        return {
            "instance": labels.ids[labels.instances[rows]].tolist(),
            "class": [names[one] for one in labels.labels[rows].tolist()],
        }

    return Items(parts=parts, words=words, scores=labels.scores)


ITEMS: Mapping[str, Callable[[Any], Items]] = MappingProxyType(
    {
        "taxonomy": _edges,
        "axioms": _axioms,
        "alignment": _correspondences,
        "concepts": _concepts,
        "triples": _triples,
        "labels": _labels,
    }
)
"""How the items of each family are drawn and read."""


def items_of(chosen: Family[Any], model: Any) -> Items:
    """Return the items of a model.

    Raises:
        UsageError: If the family has no items that a person can call right or wrong one by one.
    """
    if chosen.kind not in ITEMS:
        raise UsageError(
            f"The items of {chosen.kind} cannot be labelled one by one.", found=chosen.kind, expected=", ".join(ITEMS)
        )
    return ITEMS[chosen.kind](model)


@dataclass(frozen=True, eq=False, kw_only=True)
class Population:
    """The items of all predictions, each once.

    Attributes:
        sides: The items of each prediction.
        parts: Parts of each item, by role.
        members: Which predictions have each item, bool, shape (predictions, items).
        homes: The prediction that an item is shown from, and its row there, int64, shape (items, 2).
        doubled: Items of each prediction that read like another one of it, and are drawn once.
    """

    sides: Sequence[Items]
    parts: Mapping[str, Part]
    members: NDArray[np.bool_]
    homes: Codes
    doubled: Sequence[int] = field(default_factory=tuple)

    def __len__(self) -> int:
        return len(self.homes)

    @property
    def scores(self) -> Numbers | None:
        """The score of each item where it is shown from; None if any prediction has none."""
        if any(side.scores is None for side in self.sides):
            return None
        found = np.zeros(len(self))
        for number, side in enumerate(self.sides):
            here = self.homes[:, 0] == number
            found[here] = side.scores[self.homes[here, 1]]  # type: ignore[index]
        return found

    def read(self, rows: Codes, how: Callable[[Items], Words | None]) -> dict[str, list[str]]:
        """Read some items, each where it is shown from."""
        columns: dict[str, list[str]] = {}
        for number, side in enumerate(self.sides):
            here = np.flatnonzero(self.homes[rows, 0] == number)
            making = how(side)
            if making is None or not len(here):
                continue
            for name, column in making(self.homes[rows[here], 1]).items():
                cells = columns.setdefault(name, [""] * len(rows))
                for place, cell in zip(here.tolist(), column, strict=True):
                    cells[place] = _short(cell)
        return columns


def population_of(sides: Sequence[Items]) -> Population:
    """Put the items of predictions together: what reads alike is one item."""
    roles = [role for role in (DOCUMENT, SOURCE, RELATION, TARGET) if any(role in side.parts for side in sides)]
    coded: dict[str, tuple[list[str], list[Codes]]] = {}
    for role in roles:
        columns = [side.parts.get(role, Part(np.zeros(len(side), dtype=np.int64), [""])) for side in sides]
        names, places = numbered(*(list(column.names) for column in columns))
        coded[role] = (
            list(names),
            [place.astype(np.int64)[column.codes] for place, column in zip(places, columns, strict=True)],
        )
    keys = packed(*(np.concatenate(codes) for _, codes in coded.values()))
    first = first_of_each(keys)
    lengths = [len(side) for side in sides]
    owner = np.repeat(np.arange(len(sides)), lengths)
    rows = np.concatenate([np.arange(length) for length in lengths])
    members = np.ones((len(sides), len(first)), dtype=np.bool_)
    if len(sides) > 1:
        order = np.argsort(keys[first], kind="stable")
        members[:] = False
        members[owner, order[np.searchsorted(keys[first][order], keys)]] = True
    return Population(
        sides=sides,
        parts={role: Part(np.concatenate(codes)[first], names) for role, (names, codes) in coded.items()},
        members=members,
        homes=np.column_stack([owner[first], rows[first]]),
        doubled=tuple(length - int(one.sum()) for length, one in zip(lengths, members, strict=True)),
    )


def priorities(parts: Mapping[str, Part], seed: int) -> NDArray[np.uint64]:
    """Return a number for each item that looks random, and is the same in any file that has the item: the smallest are drawn.

    Each distinct name is summed once; the sums of the parts of an item are stirred together one after another.

    Source:
        E. Cohen and H. Kaplan, Summarizing Data using Bottom-k Sketches, PODC 2007.
    """
    found = np.zeros(len(next(iter(parts.values())).codes), dtype=np.uint64)
    for role, (codes, names) in parts.items():
        used = np.zeros(len(names), dtype=np.bool_)
        used[codes] = True
        numbers = np.zeros(len(names), dtype=np.uint64)
        some = np.flatnonzero(used)
        numbers[some] = mixed([names[row] for row in some.tolist()], f"{seed}\t{role}\t")
        found ^= numbers[codes]
        # Products wrap around, so that no sum of some items is that of others.
        found *= GOLDEN
        found ^= found >> HALF
    return found


def mixed(names: Sequence[str], salt: str) -> NDArray[np.uint64]:
    """Return 64 bits of the MD5 sum of each name with a salt.

    Example:
        >>> mixed(["cat"], "0").tolist()
        [2646954614780666310]
    """
    start = salt.encode()
    sums = b"".join(
        [md5(start + name.encode(errors="surrogatepass"), usedforsecurity=False).digest() for name in names]
    )
    return np.frombuffer(sums, dtype="<u8")[::2].copy()


def evidence_levels(found: Population, gold: Items) -> list[str]:
    """Say of each item how near gold comes to it, part by part.

    Within documents: exact, the same relation, one end the same, or nothing. Without documents every relation is that of some gold
    item; there it is exact, both ends known, one end known, or nothing.
    """
    both = population_of([*found.sides, gold])
    theirs = both.members[-1]
    if DOCUMENT not in both.parts:
        names = {
            part.names[code]
            for role in (SOURCE, TARGET)
            if (part := both.parts.get(role))
            for code in np.unique(part.codes[theirs])
        }
        ends = sum(
            np.array([name in names for name in both.parts[role].names])[both.parts[role].codes]
            for role in (SOURCE, TARGET)
        )
        levels = np.select([ends == 2, ends == 1], ["both ends known", "one end known"], "nothing")  # noqa: PLR2004
        return list(map(str, np.where(theirs, "exact", levels)[: len(found)].tolist()))

    def known(role: str) -> NDArray[np.bool_]:
        if role not in both.parts:
            return np.zeros(len(both), dtype=np.bool_)
        keys = packed(both.parts[DOCUMENT].codes, both.parts[role].codes)
        return np.isin(keys, keys[theirs])

    levels = np.select(
        [known(RELATION), known(SOURCE) | known(TARGET)], ["same relation", "one end the same"], "nothing"
    )
    return list(map(str, np.where(theirs, "exact", levels)[: len(found)].tolist()))
