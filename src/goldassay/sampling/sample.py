"""Drawing items to be labelled: by a design, always the same ones for a seed, and more of them later."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from os import PathLike, fspath
from types import MappingProxyType
from typing import Any, NamedTuple, NotRequired, TypeAlias, TypedDict

import numpy as np
from numpy.typing import NDArray

from goldassay.core.errors import UsageError, unknown_choice_error
from goldassay.core.family import Family
from goldassay.core.items import make_keys
from goldassay.core.version import __version__
from goldassay.formats.source import digest_of_files
from goldassay.inputs import File
from goldassay.kernels.keys import pack_rows
from goldassay.kernels.ragged import mark, places_of
from goldassay.sampling.designs import DESIGNS, Codes, allocate
from goldassay.sampling.items import (
    DOCUMENT,
    RELATION,
    SOURCE,
    Items,
    Part,
    Population,
    evidence_levels,
    priorities,
)
from goldassay.sampling.special import Numbers

MOST = 2**53
"""More items than this are not counted exactly, and no file has them."""
SCHEMA = "goldassay.sample/1"
STRATA = ("evidence", "score", "relation", "agreement")
OTHERS = "others"
CLUSTERS = ("subject", "document")
BANDS, MOST_RELATIONS, PER_CLUSTER, SEVERAL, TURNS = 4, 4, 3, 2, 3
LEAST, UNKNOWN, MORE = 2, 0.5, 2
"""Labels that each stratum has at least; the standard deviation of labels before any is known; hits and misses added before it is taken."""


@dataclass(frozen=True, kw_only=True)
class SampleRequest:
    """How items are drawn."""

    design: str = "simple"  # one of `DESIGNS`
    # what makes strata: `evidence` (how near gold comes), `score`, `relation` or `agreement` of predictions
    strata: str | None = None
    clusters: str | None = None  # what makes clusters: `subject` or `document`
    per_cluster: int = PER_CLUSTER  # items of a cluster that are labelled at most
    size: int = 200  # labels
    seed: int = 0  # seed: the same seed draws the same items

    def __post_init__(self) -> None:
        if self.design not in DESIGNS:
            raise unknown_choice_error("design", self.design, DESIGNS)
        design = DESIGNS[self.design]
        has = {"strata": design.stratified or not self.strata, "clusters": design.clustered or not self.clusters}
        for name in (name for name, fits in has.items() if not fits):
            raise UsageError(
                f"--design {self.design} has no {name}.",
                found=f"--{name} {getattr(self, name)}",
                hint=f"--design {name}",
            )
        if self.size < 1 or self.per_cluster < 1 or self.seed < 0:
            raise UsageError(
                "Sizes and seeds must be positive whole numbers.", found=f"size {self.size}, seed {self.seed}"
            )


@dataclass(frozen=True, kw_only=True)
class Stratum:
    """Items that are drawn alike: its name, its items, and the predictions that have all of them."""

    name: str
    items: int
    systems: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Draw:
    """One draw: an item, or some items of a cluster, by their ids."""

    stratum: int
    items: tuple[str, ...]
    cluster: str | None = None


@dataclass(frozen=True, kw_only=True)
class DrawnItem:
    """An item that was drawn."""

    key: str  # what makes it the same item in another file
    stratum: int
    probability: float  # how likely it was drawn; in clusters, how often it is expected to be
    systems: tuple[int, ...]  # the predictions that have it
    # what estimates can be split by: its relation and its document
    groups: Mapping[str, str] = field(default_factory=dict)


class Origin(TypedDict):
    """A prediction that items were drawn from: its path, its name if it was given one, digest and size, and how it was read."""

    path: str
    name: NotRequired[str | None]
    sha256: str
    items: int
    format: str | None
    left_out: Mapping[str, int]
    choices: Mapping[str, str]
    gold: str | None


@dataclass(frozen=True, kw_only=True)
class Sample:
    """What was drawn, and how: the content of the design file next to the labels."""

    kind: str  # the family
    item: str  # what is counted
    asked: SampleRequest  # how items were drawn
    inputs: tuple[Origin, ...]  # of each prediction its path, digest and size
    # the strata; a simple sample has one for each combination of predictions that have an item
    strata: tuple[Stratum, ...]
    draws: tuple[Draw, ...]  # the draws, in their order
    items: Mapping[str, DrawnItem]  # the items by id
    documents: int = 0  # how many documents there are; only for the design `documents`
    assumed: bool = False  # whether nothing was drawn, and labels are assumed to be a simple sample
    reading: Mapping[str, Any] = field(default_factory=dict)  # the options by which the predictions were read
    goldassay: str = ""
    schema: str = SCHEMA

    @property
    def sizes(self) -> list[int]:
        """How many items each prediction has, in the strata."""
        return [sum(one.items for one in self.strata if row in one.systems) for row in range(len(self.inputs))]

    def damage(self) -> str | None:
        """Return what does not fit in a design that was read back: a number of a stratum, a prediction or an item that is not there."""
        systems, strata = range(len(self.inputs)), range(len(self.strata))
        of_strata: tuple[Any, ...] = (*self.draws, *self.items.values())
        of_systems: tuple[Any, ...] = (*self.strata, *self.items.values())
        counts = [self.documents, *(one["items"] for one in self.inputs), *(one.items for one in self.strata)]
        checks = {
            "no prediction": bool(self.inputs),
            "a size out of range": all(0 <= count < MOST for count in counts),
            "a stratum of no item": all(one.items for one in self.strata),
            "a draw of no stratum": all(one.stratum in strata for one in of_strata),
            "an item of no prediction": all(row in systems for one in of_systems for row in one.systems),
            "a draw of no item": all(item in self.items for one in self.draws for item in one.items),
            "an item that cannot be drawn": all(0 < one.probability < MOST for one in self.items.values()),
        }
        return next((name for name, holds in checks.items() if not holds), None)


class Strata(NamedTuple):
    """The stratum of each item, the names of the strata, and how many items each has in all, more than are at hand on an engine."""

    codes: Codes
    names: Sequence[str]
    sizes: Codes

    @classmethod
    def of(cls, codes: Codes, names: Sequence[str], sizes: Codes | None = None) -> Strata:
        """Keep the strata that have items, in the order of their names."""
        sizes = np.bincount(codes, minlength=len(names)) if sizes is None else sizes
        used = sorted(np.flatnonzero(sizes).tolist(), key=names.__getitem__)
        return cls(places_of(used, len(names))[codes], [names[code] for code in used], sizes[used])


@dataclass(frozen=True, eq=False, kw_only=True)
class DrawnRows:
    """What was drawn, as rows of the population."""

    rows: Codes  # the items in the order in which they are labelled, int64, shape (items,)
    strata: Strata  # the strata of all items
    draws: Sequence[tuple[int, str | None, Sequence[int]]]  # the draws: stratum, cluster, places in `rows`
    expected: Numbers  # how likely each of `rows` was drawn
    documents: int = 0  # how many documents there are, if whole ones are drawn


class Before(NamedTuple):
    """What is known of strata by their names before a draw: how many items were drawn already, and how much their labels vary."""

    drawn: Mapping[str, int] = MappingProxyType({})
    spreads: Mapping[str, float] = MappingProxyType({})


def pick(found: Population, asked: SampleRequest, strata: Strata, before: Before = Before()) -> DrawnRows:  # noqa: B008 - it cannot be changed
    """Draw items of a population."""
    design = DESIGNS[asked.design]
    if design.clustered and len(found.sides) > 1:
        raise UsageError(
            f"--design {asked.design} supports one prediction only.",
            found=f"{len(found.sides)} predictions",
            hint="draw of each by itself" if asked.design == "documents" else "--design strata",
        )
    if asked.design == "documents":
        return _documents(found, asked, strata)
    draw = _clusters if design.clustered else _draw_within
    return draw(found, asked, strata, shares_of(asked, strata, before, _wanted_of_strata(found, strata)))


def spread_of(labels: Sequence[float] | Numbers) -> float:
    """Return the standard deviation of the labels of a stratum, as if there were two hits and two misses more."""
    # With fewer, a stratum whose first labels happen to be alike gets too few of the next ones, and intervals are too
    # narrow.
    share = (sum(labels) + MORE) / (len(labels) + 2 * MORE)
    return math.sqrt(share * (1 - share))


def shares_of(asked: SampleRequest, strata: Strata, before: Before, wanted: Numbers | float = 1.0) -> Codes:
    """Share a sample out over strata, of which none has fewer than it had before."""
    spreads = np.array([before.spreads.get(name, UNKNOWN) for name in strata.names]) * wanted
    size = min(asked.size, int(strata.sizes.sum()))
    shares = allocate(size, strata.sizes, spreads, LEAST if len(strata.names) > 1 else 0)
    return np.minimum(np.maximum(shares, [before.drawn.get(name, 0) for name in strata.names]), strata.sizes)


def _wanted_of_strata(found: Population, strata: Strata) -> Numbers:
    """Return how much each stratum is asked for: as much as by the prediction that asks for most of it, which is the smallest."""
    most = np.ones(len(strata.names))
    if len(found.sides) > 1:
        most[strata.codes] = (found.members / np.maximum(found.members.sum(axis=1, keepdims=True), 1)).max(axis=0)
    return most


def strata_of(found: Population, asked: SampleRequest, gold: Items | None) -> Strata:
    """Find the stratum of each item; strata are split by the predictions that have an item, too."""
    codes, names = np.zeros(len(found), dtype=np.int64), ["all"]
    if DESIGNS[asked.design].stratified:
        codes, names = _levels(found, asked, gold)
    if len(found.sides) == 1:
        return Strata.of(codes, names)
    _, first, cells = np.unique(
        pack_rows(codes, *found.members.astype(np.int64)), return_index=True, return_inverse=True
    )
    having = [", ".join(str(row + 1) for row in np.flatnonzero(found.members[:, one])) for one in first.tolist()]
    start = [f"{names[code]}, " if len(names) > 1 else "" for code in codes[first].tolist()]
    return Strata.of(cells, [f"{one}in prediction {which}" for one, which in zip(start, having, strict=True)])


def _levels(found: Population, asked: SampleRequest, gold: Items | None) -> tuple[Codes, list[str]]:
    kind = asked.strata
    if kind == "evidence":
        if gold is None:
            raise UsageError("Strata of evidence need a gold standard.", hint="--gold FILE")
        return evidence_levels(found, gold)
    if kind == "score":
        scores = found.scores
        if scores is None or not varies(scores):
            raise UsageError(
                "The items have no scores, or all the same.",
                found="--strata score",
                expected="relation, agreement or evidence",
            )
        edges = np.unique(np.quantile(scores, np.linspace(0, 1, BANDS + 1)[1:-1]))
        ends = ["lowest", *(f"{edge:g}" for edge in edges), "highest"]
        return np.searchsorted(edges, scores, side="right"), [f"score {one} to {two}" for one, two in pairwise(ends)]
    if kind == "agreement":
        if len(found.sides) < SEVERAL:
            raise UsageError(
                "Strata of agreement need several predictions.", found="one prediction", expected="two or more"
            )
        return found.members.sum(axis=0), [f"found by {count}" for count in range(len(found.sides) + 1)]
    if kind != "relation":
        raise unknown_choice_error("strata", str(kind), STRATA)
    if RELATION not in found.parts:
        raise UsageError(
            "All items have the same relation, which makes no strata.", expected="score, agreement or evidence"
        )
    codes, names = found.parts[RELATION]
    levels, kept = relation_levels(names, np.bincount(codes, minlength=len(names)))
    return levels[codes], kept


def relation_levels(names: Sequence[str], sizes: Codes) -> tuple[Codes, list[str]]:
    """Assign each relation a stratum: the most frequent ones have their own, and the others share one."""
    used = np.flatnonzero(sizes).tolist()
    most = sorted(used, key=lambda code: (-sizes[code], names[code]))[:MOST_RELATIONS]
    levels = np.full(len(names), len(most), dtype=np.int64)
    levels[most] = np.arange(len(most))
    return levels, [*(names[code] for code in most), OTHERS]


def varies(scores: Numbers | None) -> bool:
    """Return whether items have different scores."""
    return scores is not None and len(scores) > 0 and bool((scores != scores[0]).any())


def smallest(numbers: NDArray[np.uint64], rows: Codes, most: int) -> Codes:
    """Return the rows of the smallest numbers, in their order."""
    if most < len(rows):
        rows = rows[np.argpartition(numbers[rows], most)[:most]]
    return rows[np.argsort(numbers[rows], kind="stable")]


def _draw_within(found: Population, asked: SampleRequest, strata: Strata, shares: Codes) -> DrawnRows:
    """Draw items within strata: those of the smallest numbers."""
    numbers = priorities(found.parts, asked.seed)
    rows = [
        smallest(numbers, np.flatnonzero(strata.codes == stratum), share)
        for stratum, share in enumerate(shares.tolist())
    ]
    chosen = np.concatenate(rows)[_alternate(list(map(len, rows)))]
    of = strata.codes[chosen]
    draws = [(stratum, None, (place,)) for place, stratum in enumerate(of.tolist())]
    return DrawnRows(rows=chosen, strata=strata, draws=draws, expected=(shares / strata.sizes)[of])


def _alternate(sizes: Sequence[int]) -> Codes:
    """Order rows that are listed stratum by stratum: a part of the list is a sample, too, for who stops early."""
    return np.argsort(np.concatenate([(np.arange(size) + 0.5) / max(size, 1) for size in sizes]), kind="stable")


def cluster_role(parts: Mapping[str, Any], asked: SampleRequest) -> str:
    """Name the part that makes clusters."""
    kind = asked.clusters or ("document" if DOCUMENT in parts else "subject")
    if kind not in CLUSTERS:
        raise unknown_choice_error("clusters", kind, CLUSTERS)
    role = DOCUMENT if kind == "document" else SOURCE
    if role not in parts:
        raise UsageError(f"The items have no {kind}.", expected=next(one for one in CLUSTERS if one != kind))
    return role


def settle(asked: SampleRequest, strata: str, parts: Mapping[str, Any]) -> SampleRequest:
    """Write down what makes strata and clusters, if that was not asked for."""
    design, clusters = DESIGNS[asked.design], asked.clusters
    if design.clustered and asked.design != "documents":
        clusters = "document" if cluster_role(parts, asked) == DOCUMENT else "subject"
    return replace(asked, strata=asked.strata or (strata if design.stratified else None), clusters=clusters)


def turns_of(seed: int, stratum: int, size: int) -> Iterator[int]:
    """Draw places in the order of numbers with replacement, each as likely: one that was drawn before, or else the next."""
    random, seen = np.random.default_rng((seed, stratum)), 0
    while True:
        place = int(random.integers(size))
        seen += place >= seen
        yield min(place, seen - 1)


def most_turns(share: int) -> int:
    """Return how many items are drawn at most for the clusters of so many labels."""
    return TURNS * share + LEAST


def _clusters(found: Population, asked: SampleRequest, strata: Strata, shares: Codes) -> DrawnRows:
    """Draw clusters within strata with probability proportional to size, with replacement, and of each some items without."""
    # An item is drawn, and with it its cluster: as likely as the cluster is large. Of a cluster that is drawn again the
    # next items are labelled.
    part, numbers, most = (
        found.parts[cluster_role(found.parts, asked)],
        priorities(found.parts, asked.seed),
        asked.per_cluster,
    )
    rows: dict[int, int] = {}
    draws: list[tuple[int, str | None, Sequence[int]]] = []
    expected: list[float] = []
    sizes: list[int] = []
    for stratum, (share, size) in enumerate(zip(shares.tolist(), strata.sizes.tolist(), strict=True)):
        here = np.flatnonzero(strata.codes == stratum)
        leading, before = part.codes[smallest(numbers, here, most_turns(share))], len(rows)
        members, visits, turns = _members(part.codes, here, leading), Counter[int](), 0
        for turns, place in enumerate(turns_of(asked.seed, stratum, size)):
            if len(rows) - before >= share or turns == most_turns(share):
                break
            cluster = int(leading[place])
            if not visits[cluster]:
                members[cluster] = smallest(numbers, members[cluster], len(members[cluster]))
            some = (visits[cluster] + np.arange(min(most, len(members[cluster])))) % len(members[cluster])
            visits[cluster] += most
            places = [rows.setdefault(row, len(rows)) for row in members[cluster][some].tolist()]
            draws.append((stratum, part.names[cluster], places))
        expected += [turns * min(most, len(members[int(part.codes[row])])) / size for row in list(rows)[before:]]
        sizes.append(len(rows) - before)
    order = _alternate(sizes)
    moved = places_of(order, len(order))
    return DrawnRows(
        rows=np.array(list(rows), dtype=np.int64)[order],
        strata=strata,
        draws=[(stratum, name, moved[list(places)].tolist()) for stratum, name, places in draws],
        expected=np.array(expected)[order],
    )


def _members(codes: Codes, here: Codes, clusters: Codes) -> dict[int, Codes]:
    """List the rows of some clusters, in one pass over all."""
    wanted = mark(clusters, int(codes.max(initial=0)) + 1)
    near = here[wanted[codes[here]]]
    near = near[np.argsort(codes[near], kind="stable")]
    found, starts = np.unique(codes[near], return_index=True)
    return dict(zip(found.tolist(), np.split(near, starts[1:]), strict=True))


def no_documents() -> UsageError:
    """Return the error of items without documents."""
    return UsageError(
        "The items do not belong to documents.",
        found="--design documents",
        expected="triples or concepts of documents",
    )


def order_documents(names: Sequence[str], seed: int) -> list[int]:
    """Order the places of documents by their numbers."""
    numbers = priorities({DOCUMENT: Part(np.arange(len(names)), names)}, seed)
    return list(np.argsort(numbers, kind="stable").tolist())


def _documents(found: Population, asked: SampleRequest, strata: Strata) -> DrawnRows:
    """Draw whole documents, each as likely, until there are as many items as asked for; documents without items count, too."""
    if DOCUMENT not in found.parts:
        raise no_documents()
    part = found.parts[DOCUMENT]
    every = list(dict.fromkeys([*part.names, *found.sides[0].documents]))
    number = {name: place for place, name in enumerate(every)}
    owner = np.array([number[name] for name in part.names])[part.codes]
    numbers = priorities(found.parts, asked.seed)
    rows: list[int] = []
    draws: list[tuple[int, str | None, Sequence[int]]] = []
    for document in order_documents(every, asked.seed):
        if len(rows) >= asked.size:
            break
        members = np.flatnonzero(owner == document)
        members = members[np.argsort(numbers[members], kind="stable")]
        draws.append((0, every[document], range(len(rows), len(rows) + len(members))))
        rows += members.tolist()
    return DrawnRows(
        rows=np.array(rows, dtype=np.int64),
        strata=strata,
        draws=draws,
        expected=np.full(len(rows), len(draws) / len(every)),
        documents=len(every),
    )


def keys_of(found: Population, rows: Codes) -> list[str]:
    """Return what makes items the same ones in another file."""
    return make_keys(*([part.names[code] for code in part.codes[rows].tolist()] for part in found.parts.values()))


def sample_of(
    found: Population,
    picked: DrawnRows,
    asked: SampleRequest,
    *,
    known: Mapping[str, str] = MappingProxyType({}),
    **about: Any,
) -> tuple[Sample, Codes]:
    """Describe what was drawn; items whose keys are known keep their ids."""
    keys, ids = keys_of(found, picked.rows), dict(known)
    fresh = [place for place, key in enumerate(keys) if key not in ids]
    ids |= {keys[place]: str(number) for number, place in enumerate(fresh, start=len(ids) + 1)}
    groups = {role: found.parts[role] for role in (RELATION, DOCUMENT) if role in found.parts}
    of, names, sizes = picked.strata
    items = {}
    for place, (key, row) in enumerate(zip(keys, picked.rows.tolist(), strict=True)):
        items[ids[key]] = DrawnItem(
            key=key,
            stratum=int(of[row]),
            probability=float(picked.expected[place]),
            systems=tuple(np.flatnonzero(found.members[:, row]).tolist()),
            groups={role: part.names[int(part.codes[row])] for role, part in groups.items()},
        )
    first = np.zeros(len(names), dtype=np.int64)
    first[of[::-1]] = np.arange(len(found))[::-1]
    strata = tuple(
        Stratum(name=name, items=size, systems=tuple(np.flatnonzero(found.members[:, row]).tolist()))
        for name, size, row in zip(names, sizes.tolist(), first.tolist(), strict=True)
    )
    draws = tuple(
        Draw(stratum=one, cluster=cluster, items=tuple(ids[keys[place]] for place in places))
        for one, cluster, places in picked.draws
    )
    sample = Sample(asked=asked, strata=strata, draws=draws, items=items, documents=picked.documents, **about)
    if not set(known.values()) <= set(items):
        raise UsageError("The sample cannot be extended: other items would be drawn.", hint="draw a new one")
    return sample, picked.rows[fresh]


@dataclass(frozen=True, eq=False)
class Predictions:
    """Predictions that items are drawn from, and how they are read."""

    chosen: Family[Any]
    preds: Sequence[File]
    gold: File | None
    reading: Mapping[str, Any]

    def describe(self, read: Mapping[File, tuple[Any, int]]) -> dict[str, Any]:
        """Describe predictions, by their paths, with their models and how many items each has."""
        inputs = tuple(
            {
                "path": str(path),
                "name": path.called,
                "sha256": digest_of(path),
                "items": size,
                "format": model.format,
                "left_out": dict(model.left_out),
                "choices": dict(model.choices),
                "gold": self.gold,
            }
            for path, (model, size) in read.items()
        )
        return {
            "kind": self.chosen.kind,
            "item": self.chosen.item,
            "inputs": inputs,
            "reading": dict(self.reading),
            "goldassay": __version__,
        }

    def notes(self) -> list[str]:
        """Return notes on items that read alike."""
        return []


Paths: TypeAlias = Mapping[str, str | PathLike[str]] | Sequence[str | PathLike[str]]
"""Files of predictions, and by what names they are shown."""


def files_of(given: Paths) -> list[File]:
    """List files with their names, if they have some."""
    named = given.items() if isinstance(given, Mapping) else ((getattr(one, "called", None), one) for one in given)
    return [File(fspath(path), name) for name, path in named]


def digest_of(path: str | PathLike[str]) -> str:
    """Return the SHA-256 sum of a file, or of all files of a folder."""
    return digest_of_files(path).hex()
