"""The items of any family as columns of coded parts: what is drawn, and what a person reads of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.core.errors import UsageError
from goldassay.core.family import Family
from goldassay.core.intern import first_of_each, number_columns
from goldassay.core.libraries import pl
from goldassay.kernels.keys import pack_rows
from goldassay.kernels.ragged import mark
from goldassay.kernels.stirring import stirred, text_numbers
from goldassay.sampling.designs import Codes
from goldassay.sampling.special import Numbers

Words: TypeAlias = Callable[[Codes], Mapping[str, Sequence[str]]]
SHOWN = 3
DOCUMENT, SOURCE, RELATION, TARGET = "document", "source", "relation", "target"
WORDS_OF_RELATIONS: Mapping[str, str] = MappingProxyType(
    {
        "=": "is the same as", "<": "is narrower than", ">": "is broader than", "%": "is disjoint with", "~": "is close to",
        "related": "is related to",
    }
)  # fmt: skip
"""How relations of correspondences are read; a spreadsheet would run ``=``."""


class Part(NamedTuple):
    """One part of every item: numbers of names, int64, shape (items,), and the names as they are compared."""

    codes: Codes
    names: Sequence[str]


@dataclass(frozen=True, eq=False, kw_only=True)
class Items:
    """The items of one model."""

    # its parts by their roles: `document`, `source`, `relation`, `target`, as far as there are some
    parts: Mapping[str, Part]
    words: Words  # returns what a person reads of some items, by column
    # how sure the prediction is of each item, float64, shape (items,); None if it does not say
    scores: Numbers | None = None
    documents: Sequence[str] = ()  # the names of all documents, those without items too
    texts: Sequence[str] = ()  # the text of each of these documents, empty where there is none
    distinct: bool = False  # whether all items are known to differ as they are compared, with names that differ

    def __len__(self) -> int:
        return len(next(iter(self.parts.values())).codes)


def _edges(graph: Any) -> Items:
    names = graph.words
    ends = {SOURCE: Part(graph.edges[:, 0], names), TARGET: Part(graph.edges[:, 1], names)}
    several = len(graph.relation_names) > 1
    relation = {RELATION: Part(graph.relations, graph.relation_names)} if several else {}

    def words(rows: Codes) -> dict[str, list[str]]:
        child, parent = ([names[node] for node in column] for column in graph.edges[rows].T.tolist())
        if not several:
            return {"child": child, "parent": parent}
        named = [graph.relation_names[one] for one in graph.relations[rows].tolist()]
        return {"subject": child, "predicate": named, "object": parent}

    return Items(parts={**ends, **relation}, words=words)


def _axioms(axioms: Any) -> Items:
    roles = zip((SOURCE, RELATION, TARGET), axioms.rows.T, strict=True)

    def words(rows: Codes) -> dict[str, list[str]]:
        spelt = zip(("class", "property", "object"), axioms.spelt[rows].T, strict=True)
        return {name: axioms.spellings[column].tolist() for name, column in spelt}

    return Items(parts={role: Part(column, axioms.keys) for role, column in roles}, words=words, distinct=True)


def _correspondences(alignment: Any) -> Items:
    from goldassay.alignments.relations import RELATIONS

    terms, cases = alignment.terms.listed, alignment.case_names
    columns: dict[str, tuple[Any, Sequence[str]]] = {
        **({DOCUMENT: (alignment.cases, cases)} if any(cases) else {}),
        SOURCE: (alignment.sources, terms), RELATION: (alignment.relations, RELATIONS), TARGET: (alignment.targets, terms),
    }  # fmt: skip

    def words(rows: Codes) -> dict[str, list[str]]:
        def named(column: Any) -> list[str]:
            return [alignment.name(term) for term in column[rows].tolist()]

        return {
            **({"case": [cases[one] for one in alignment.cases[rows].tolist()]} if any(cases) else {}),
            "source": named(alignment.sources),
            "relation": [
                WORDS_OF_RELATIONS.get(one, one)
                for one in map(RELATIONS.__getitem__, alignment.relations[rows].tolist())
            ],
            "target": named(alignment.targets),
        }

    parts = {role: Part(column.astype(np.int64), names) for role, (column, names) in columns.items()}
    return Items(parts=parts, words=words, scores=alignment.scores)


def _triples(triples: Any) -> Items:
    names, documents, ids = triples.keys.tolist(), triples.documents, triples.ids.tolist()
    slots = {role: Part(column, names) for role, column in zip((SOURCE, RELATION, TARGET), triples.rows.T, strict=True)}

    def words(rows: Codes) -> dict[str, list[str]]:
        columns = zip(*map(triples.slots, rows.tolist()), strict=True) if len(rows) else ((), (), ())
        named = dict(zip(("subject", "predicate", "object"), map(list, columns), strict=True))
        return {"document": [ids[one] for one in documents[rows].tolist()], **named} if len(ids) > 1 else named

    return Items(
        parts={DOCUMENT: Part(documents, ids), **slots} if len(ids) > 1 else slots,
        words=words,
        scores=triples.weights,
        documents=ids,
        texts=triples.texts.tolist(),
        distinct=len(triples.owners) == len(ids),
    )


def _concepts(concepts: Any) -> Items:
    documents, ids = concepts.documents(), concepts.ids.tolist()
    stated = zip(concepts.keys.tolist(), concepts.assertions.tolist(), strict=True)

    def words(rows: Codes) -> dict[str, list[str]]:
        titles = list(map(concepts.title, rows.tolist()))
        return {"document": [ids[one] for one in documents[rows].tolist()], "concept": titles}

    target = Part(concepts.words, [f"{key} {assertion}".strip() for key, assertion in stated])
    parts = {DOCUMENT: Part(documents, ids), TARGET: target}
    return Items(parts=parts, words=words, documents=ids, texts=concepts.texts.tolist())


def _labels(labels: Any) -> Items:
    ids, names = labels.ids.tolist(), labels.hierarchy.names.tolist()
    parts = {SOURCE: Part(labels.instances.astype(np.int64), ids), TARGET: Part(labels.labels.astype(np.int64), names)}

    def words(rows: Codes) -> dict[str, list[str]]:
        columns = zip(("instance", "class"), parts.values(), strict=True)
        return {name: [part.names[one] for one in part.codes[rows].tolist()] for name, part in columns}

    return Items(parts=parts, words=words, scores=labels.scores)


def short_name(iri: str) -> str:
    """Return the last word of an IRI, and other names as they are."""
    return iri.rstrip("/#").replace("#", "/").rpartition("/")[2] if "://" in iri else iri


def texts_of(items: Items) -> dict[str, str]:
    """Return the text of each document that has one."""
    return {name: text for name, text in zip(items.documents, items.texts, strict=True) if text}


def find_context(items: Items, rows: Codes, texts: Mapping[str, str]) -> list[str]:
    """Return what helps to judge some items: the text of the document, else other items that share an end with each."""
    if items.documents:
        codes = items.parts[DOCUMENT].codes[rows] if DOCUMENT in items.parts else np.zeros(len(rows), dtype=np.int64)
        names = [(items.texts[one], items.documents[one]) for one in codes.tolist()]
        found = [text or texts.get(name, "") for text, name in names]
    else:
        found = [""] * len(rows)
    lacking = np.flatnonzero([not text for text in found])
    for place, others in zip(lacking.tolist(), _neighbourhoods(items, rows[lacking]), strict=True):
        found[place] = "; ".join(others)
    return found


def _neighbourhoods(items: Items, rows: Codes) -> list[list[str]]:
    """List other items that share an end with each: those of its source first, then those below and above it."""
    ends = [role for role in (SOURCE, TARGET) if role in items.parts]
    pairs = [(role, role) for role in ends]
    if len(ends) > 1 and items.parts[SOURCE].names is items.parts[TARGET].names:
        pairs[1:1] = [(SOURCE, TARGET), (TARGET, SOURCE)]
    if SOURCE not in ends:
        pairs = [(DOCUMENT, DOCUMENT)]
    found: list[list[str]] = [[] for _ in rows]
    shown: list[set[str]] = [set() for _ in rows]
    for own, other in pairs:
        for place, (near, count) in enumerate(_sharing(items, rows, own, other)):
            fresh = [one for one in _sentences(items, near) if one not in shown[place]]
            shown[place] |= set(fresh)
            more = f" and {count - len(near):,} more" if count > len(near) else ""
            found[place] += ["; ".join(fresh) + more] if fresh else []
    return found


def _sharing(items: Items, rows: Codes, own: str, other: str) -> Iterator[tuple[Codes, int]]:
    """Find a few other items whose part is that of each item, within its document, and count them: one pass over all items."""
    here, there = items.parts[own].codes, items.parts[other].codes
    wanted = mark(here[rows], len(items.parts[own].names))
    near = np.flatnonzero(wanted[there])
    one = np.zeros(len(items), dtype=np.int64)
    documents = items.parts[DOCUMENT].codes if DOCUMENT in items.parts else one
    size = int(documents.max(initial=0)) + 1
    keys = there[near] * size + documents[near]
    order = np.argsort(keys, kind="stable")
    near, keys = near[order], keys[order]
    ends = [
        np.searchsorted(keys, here[rows] * size + documents[rows], side=side).tolist() for side in ("left", "right")
    ]
    for row, start, end in zip(rows.tolist(), *ends, strict=True):
        some = near[start : min(end, start + SHOWN + 1)]
        yield some[some != row][:SHOWN], end - start - (there[row] == here[row])


def _sentences(items: Items, rows: Codes) -> list[str]:
    """Write items as a person reads them, without their documents."""
    columns = [
        list(map(short_name, cells)) for name, cells in items.words(rows).items() if name not in ("document", "case")
    ]
    return list(map((" " if len(columns) > 2 else " → ").join, zip(*columns, strict=True)))  # noqa: PLR2004


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
    """Return the items of a model."""
    if chosen.kind not in ITEMS:
        raise UsageError(
            f"The items of {chosen.kind} cannot be labelled one by one.", found=chosen.kind, expected=", ".join(ITEMS)
        )
    return ITEMS[chosen.kind](model)


@dataclass(frozen=True, eq=False, kw_only=True)
class Population:
    """The items of all predictions, each once."""

    sides: Sequence[Items]  # the items of each prediction
    parts: Mapping[str, Part]  # parts of each item, by role
    members: NDArray[np.bool_]  # which predictions have each item, bool, shape (predictions, items)
    homes: Codes  # the prediction that an item is shown from, and its row there, int64, shape (items, 2)
    # items of each prediction that read like another one of it, and are drawn once
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

    def read(self, rows: Codes, texts: Mapping[str, str] | None = None) -> dict[str, list[str]]:
        """Read some items, each where it is shown from; with what is around them if texts of documents are given, even if none."""
        columns: dict[str, list[str]] = {}
        for number, side in enumerate(self.sides):
            here = np.flatnonzero(self.homes[rows, 0] == number)
            own = self.homes[rows[here], 1]
            if not len(here):
                continue
            words = {name: map(short_name, column) for name, column in side.words(own).items()}
            around = {} if texts is None else {"text": find_context(side, own, texts)}
            for name, column in {**words, **around}.items():
                cells = columns.setdefault(name, [""] * len(rows))
                for place, cell in zip(here.tolist(), column, strict=True):
                    cells[place] = cell
        text = columns.pop("text", [])
        return {**columns, **({"text": text} if any(text) else {})}


def population_of(sides: Sequence[Items]) -> Population:
    """Merge the items of predictions: those that read alike are one item."""
    roles = [role for role in (DOCUMENT, SOURCE, RELATION, TARGET) if any(role in side.parts for side in sides)]
    coded = _encode_names(sides, roles)
    lengths = [len(side) for side in sides]
    if len(sides) == 1 and sides[0].distinct:
        first = np.arange(lengths[0])
        return Population(
            sides=sides,
            parts={role: Part(codes, names) for role, (names, [codes]) in coded.items()},
            members=np.ones((1, len(first)), dtype=np.bool_),
            homes=np.column_stack([np.zeros_like(first), first]),
            doubled=(0,),
        )
    keys = pack_rows(*(np.concatenate(codes) for _, codes in coded.values()))
    first = first_of_each(keys)
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


def _encode_names(sides: Sequence[Items], roles: Sequence[str]) -> dict[str, tuple[Sequence[str], list[Codes]]]:
    """Number the names of each part across predictions; those of one prediction whose names differ are numbered already."""
    if len(sides) == 1 and sides[0].distinct:
        return {role: (sides[0].parts[role].names, [sides[0].parts[role].codes.astype(np.int64)]) for role in roles}
    coded: dict[str, tuple[Sequence[str], list[Codes]]] = {}
    for role in roles:
        columns = [side.parts.get(role, Part(np.zeros(len(side), dtype=np.int64), [""])) for side in sides]
        names, places = number_columns(*(list(column.names) for column in columns))
        codes = [place.astype(np.int64)[column.codes] for place, column in zip(places, columns, strict=True)]
        coded[role] = list(names), codes
    return coded


def priorities(parts: Mapping[str, Part], seed: int) -> NDArray[np.uint64]:
    """Return a number for each item that looks random, and is the same in any file that has the item: the smallest are drawn."""
    # Source: E. Cohen and H. Kaplan, Summarizing Data using Bottom-k Sketches, PODC 2007.
    columns: dict[int, list[Codes]] = {}
    for part in parts.values():
        columns.setdefault(id(part.names), []).append(part.codes)
    numbers, found = dict[int, NDArray[np.uint64]](), None
    for codes, names in parts.values():
        if id(names) not in numbers:
            numbers[id(names)] = _numbered(names, columns[id(names)], seed)
        found = mixed(found, numbers[id(names)][codes])
    assert found is not None  # noqa: S101 - every item has a part
    return found


def mixed(numbers: NDArray[np.uint64] | None, others: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Stir the numbers of another part into those of items."""
    return stirred(others if numbers is None else numbers ^ others)


def _numbered(names: Sequence[str], columns: Sequence[Codes], seed: int) -> NDArray[np.uint64]:
    """Number the names that occur in columns."""
    used = np.zeros(len(names), dtype=np.bool_)
    for column in columns:
        used[column] = True
    found = np.zeros(len(names), dtype=np.uint64)
    found[used] = text_numbers(pl.Series(compress(names, used.tolist()), dtype=pl.String), seed)
    return found


def evidence_levels(found: Population, gold: Items) -> tuple[Codes, list[str]]:
    """Return for each item how near gold is to it, part by part."""
    # Within documents: exact, the same relation, one end the same, or nothing. Without documents every relation is that
    # of some gold item; there it is exact, both ends known, one end known, or nothing.
    both = population_of([*found.sides, gold])
    theirs, documents = both.members[-1], both.parts.get(DOCUMENT)
    ends = [both.parts[role] for role in (SOURCE, TARGET) if role in both.parts]
    if documents is None:
        names = {part.names[code] for part in ends for code in np.unique(part.codes[theirs])}
        known = sum(np.array([name in names for name in part.names])[part.codes].astype(np.int64) for part in ends)
        nearer, words = [known == len(ends), known > 0], ["both ends known", "one end known"]
    else:

        def has(part: Part | None) -> NDArray[np.bool_]:
            if part is None:
                return np.zeros(len(both), dtype=np.bool_)
            keys = pack_rows(documents.codes, part.codes)
            return np.isin(keys, keys[theirs])

        nearer = [has(both.parts.get(RELATION)), np.logical_or.reduce([has(part) for part in ends])]
        words = ["same relation", "one end the same"]
    return np.select([theirs, *nearer], [0, 1, 2], 3)[: len(found)], ["exact", *words, "nothing"]
