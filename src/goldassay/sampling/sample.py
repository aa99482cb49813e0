"""Drawing items to be labelled: by a design, always the same ones for a seed, and more of them later."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from os import PathLike
from os.path import isdir, isfile
from pathlib import Path
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from goldassay.core.errors import UsageError, unknown_choice_error
from goldassay.core.items import make_keys
from goldassay.formats.source import open_file
from goldassay.kernels.keys import pack_rows
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
CLUSTERS = ("subject", "document")
BANDS, MOST_RELATIONS, PER_CLUSTER, SEVERAL = 4, 8, 3, 2
LEAST, UNKNOWN = 2, 0.5
"""Labels that each stratum has at least, and the standard deviation of labels before any is known."""


@dataclass(frozen=True, kw_only=True)
class SampleRequest:
    """How items are drawn.

    Attributes:
        design: One of `DESIGNS`.
        strata: What makes strata: ``evidence`` (how near gold comes), ``score``, ``relation`` or ``agreement`` of predictions.
        clusters: What makes clusters: ``subject`` or ``document``.
        per_cluster: Items of a cluster that are labelled at most.
        size: Labels.
        seed: Seed: the same seed draws the same items.
    """

    design: str = "simple"
    strata: str | None = None
    clusters: str | None = None
    per_cluster: int = PER_CLUSTER
    size: int = 200
    seed: int = 0

    def __post_init__(self) -> None:
        if self.design not in DESIGNS:
            raise unknown_choice_error("design", self.design, DESIGNS)
        design = DESIGNS[self.design]
        if self.strata and not design.stratified:
            raise UsageError(
                f"--design {self.design} has no strata.", found=f"--strata {self.strata}", hint="--design strata"
            )
        if self.clusters and not design.clustered:
            raise UsageError(
                f"--design {self.design} has no clusters.",
                found=f"--clusters {self.clusters}",
                hint="--design clusters",
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
    """An item that was drawn.

    Attributes:
        key: What makes it the same item in another file.
        stratum: Its stratum.
        probability: How likely it was drawn; in clusters, how often it is expected to be.
        systems: The predictions that have it.
        groups: What estimates can be split by: its relation and its document.
    """

    key: str
    stratum: int
    probability: float
    systems: tuple[int, ...]
    groups: Mapping[str, str] = field(default_factory=dict)


class Origin(TypedDict):
    """A prediction that items were drawn from: its path, digest and size, and how it was read."""

    path: str
    sha256: str
    items: int
    format: str | None
    left_out: Mapping[str, int]
    choices: Mapping[str, str]
    gold: str | None


@dataclass(frozen=True, kw_only=True)
class Sample:
    """What was drawn, and how: the content of the design file next to the labels.

    Attributes:
        kind: The family.
        item: What is counted.
        asked: How items were drawn.
        inputs: Of each prediction its path, digest and size.
        strata: The strata; a simple sample has one for each combination of predictions that have an item.
        draws: The draws, in their order.
        items: The items by id.
        documents: How many documents there are; only for the design ``documents``.
        assumed: Whether nothing was drawn, and labels are assumed to be a simple sample.
        reading: The options by which the predictions were read.
    """

    kind: str
    item: str
    asked: SampleRequest
    inputs: tuple[Origin, ...]
    strata: tuple[Stratum, ...]
    draws: tuple[Draw, ...]
    items: Mapping[str, DrawnItem]
    documents: int = 0
    assumed: bool = False
    reading: Mapping[str, Any] = field(default_factory=dict)
    goldassay: str = ""
    schema: str = SCHEMA

    @property
    def sizes(self) -> list[int]:
        """How many items each prediction has, in the strata."""
        return [sum(one.items for one in self.strata if row in one.systems) for row in range(len(self.inputs))]

    def damage(self) -> str | None:
        """Say what does not fit in a design that was read back: a number of a stratum, a prediction or an item that is not there."""
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


@dataclass(frozen=True, eq=False, kw_only=True)
class DrawnRows:
    """What was drawn, as rows of the population.

    Attributes:
        rows: The items in the order in which they are labelled, int64, shape (items,).
        strata: The stratum of every item of the population, int64.
        names: The names of the strata.
        draws: The draws: stratum, cluster, places in ``rows``.
        expected: How likely each of ``rows`` was drawn.
    """

    rows: Codes
    strata: Codes
    names: Sequence[str]
    draws: Sequence[tuple[int, str | None, Sequence[int]]]
    expected: Numbers
    documents: int = 0


def pick(
    found: Population,
    asked: SampleRequest,
    *,
    gold: Items | None = None,
    least: Mapping[str, int] | None = None,
    spreads: Mapping[str, float] | None = None,
) -> DrawnRows:
    """Draw items of a population."""
    design, size = DESIGNS[asked.design], min(asked.size, len(found))
    if design.clustered and len(found.sides) > 1:
        raise UsageError(
            "Clusters are drawn from one prediction.", found=f"{len(found.sides)} predictions", hint="--design strata"
        )
    strata, names = strata_of(found, asked, gold)
    if asked.design == "documents":
        return _documents(found, asked, strata, names)
    counts = np.bincount(strata, minlength=len(names))
    known = np.array([(spreads or {}).get(name, UNKNOWN) for name in names]) * _wanted_of_strata(
        found, strata, len(names)
    )
    shares = allocate(size, counts, known, LEAST if len(names) > 1 else 0)
    if least:
        shares = np.minimum(np.maximum(shares, [least.get(name, 0) for name in names]), counts)
    draw = _clusters if design.clustered else _draw_within
    return draw(found, asked, strata, names, shares)


def _wanted_of_strata(found: Population, strata: Codes, size: int) -> Numbers:
    """Return how much each stratum is asked for: as much as by the prediction that asks for most of it, which is the smallest."""
    asked = (
        (found.members / np.maximum(found.members.sum(axis=1, keepdims=True), 1)).max(axis=0)
        if len(found.sides) > 1
        else None
    )
    most = np.ones(size)
    if asked is not None:
        most[strata] = asked
    return most


def strata_of(found: Population, asked: SampleRequest, gold: Items | None) -> tuple[Codes, list[str]]:
    """Return the stratum of each item and the names of the strata, which are split by the predictions that have an item."""
    names, codes = ["all"], np.zeros(len(found), dtype=np.int64)
    if DESIGNS[asked.design].stratified:
        labels, codes = np.unique(_levels(found, asked, gold), return_inverse=True)
        names = labels.tolist()
    if len(found.sides) == 1:
        return codes.astype(np.int64), names
    sizes, cells = np.unique(pack_rows(codes, *found.members.astype(np.int64)), return_inverse=True)
    first = np.zeros(len(sizes), dtype=np.int64)
    first[cells[::-1]] = np.arange(len(cells))[::-1]
    having = [", ".join(str(row + 1) for row in np.flatnonzero(found.members[:, one])) for one in first.tolist()]
    start = [f"{names[code]}, " if len(names) > 1 else "" for code in codes[first].tolist()]
    return cells.astype(np.int64), [f"{one}in prediction {which}" for one, which in zip(start, having, strict=True)]


def _levels(found: Population, asked: SampleRequest, gold: Items | None) -> NDArray[Any]:
    kind = asked.strata or ("evidence" if gold is not None else "score" if _varies(found.scores) else "relation")
    if kind == "evidence":
        if gold is None:
            raise UsageError("Strata of evidence need a gold standard.", hint="--gold FILE")
        return np.array(evidence_levels(found, gold))
    if kind == "score":
        scores = found.scores
        if scores is None or not _varies(scores):
            raise UsageError(
                "All items have the same score.",
                found="--strata score",
                expected="relation, agreement or evidence",
            )
        edges = np.unique(np.quantile(scores, np.linspace(0, 1, BANDS + 1)[1:-1]))
        ends = ["lowest", *(f"{edge:g}" for edge in edges), "highest"]
        named = np.array([f"score {low} to {high}" for low, high in pairwise(ends)])
        return named[np.searchsorted(edges, scores, side="right")]
    if kind == "agreement":
        if len(found.sides) < SEVERAL:
            raise UsageError(
                "Strata of agreement need several predictions.", found="one prediction", expected="two or more"
            )
        return np.array([f"found by {count}" for count in found.members.sum(axis=0).tolist()])
    if kind != "relation":
        raise unknown_choice_error("strata", kind, STRATA)
    if RELATION not in found.parts:
        raise UsageError(
            "All items have the same relation, which makes no strata.", expected="score, agreement or evidence"
        )
    codes, names = found.parts[RELATION]
    most = np.argsort(-np.bincount(codes), kind="stable")[:MOST_RELATIONS]
    return np.array([names[code] if code in set(most.tolist()) else "others" for code in range(len(names))])[codes]


def _varies(scores: Numbers | None) -> bool:
    return scores is not None and len(scores) > 0 and bool((scores != scores[0]).any())


def _draw_within(
    found: Population, asked: SampleRequest, strata: Codes, names: Sequence[str], shares: Codes
) -> DrawnRows:
    """Draw items within strata: those of the smallest numbers. A part of the list is a sample, too, for who stops early."""
    numbers = priorities(found.parts, asked.seed)
    rows, places = [], []
    for stratum, share in enumerate(shares.tolist()):
        here = np.flatnonzero(strata == stratum) if len(names) > 1 else np.arange(len(found))
        if share < len(here):
            here = here[np.argpartition(numbers[here], share)[:share]]
        here = here[np.argsort(numbers[here], kind="stable")]
        rows.append(here)
        places.append((np.arange(len(here)) + 0.5) / max(len(here), 1))
    chosen = np.concatenate(rows)[np.argsort(np.concatenate(places), kind="stable")]
    counts = np.bincount(strata, minlength=len(names))
    return DrawnRows(
        rows=chosen,
        strata=strata,
        names=names,
        draws=[(int(stratum), None, (place,)) for place, stratum in enumerate(strata[chosen].tolist())],
        expected=(shares / np.maximum(counts, 1))[strata[chosen]],
    )


def cluster_part(found: Population, asked: SampleRequest) -> Part:
    """Return what makes clusters."""
    kind = asked.clusters or ("document" if DOCUMENT in found.parts else "subject")
    if kind not in CLUSTERS:
        raise unknown_choice_error("clusters", kind, CLUSTERS)
    role = DOCUMENT if kind == "document" else SOURCE
    if role not in found.parts:
        raise UsageError(f"The items have no {kind}.", expected=next(one for one in CLUSTERS if one != kind))
    return found.parts[role]


def _clusters(found: Population, asked: SampleRequest, strata: Codes, names: Sequence[str], shares: Codes) -> DrawnRows:
    """Draw clusters within strata with probability proportional to size, with replacement, and of each some items without."""
    part = cluster_part(found, asked)
    numbers = priorities(found.parts, asked.seed)
    rows: dict[int, int] = {}
    draws: list[tuple[int, str | None, Sequence[int]]] = []
    expected: dict[int, float] = {}
    for stratum, share in enumerate(shares.tolist()):
        here = np.flatnonzero(strata == stratum)
        # In the order of names, independent of the order of the file.
        here = here[np.lexsort((numbers[here], rank_of(part, here)))]
        random = np.random.default_rng((asked.seed, stratum))
        owner = part.codes[here]
        starts = np.flatnonzero(np.r_[True, owner[1:] != owner[:-1]]) if len(here) else np.zeros(0, dtype=np.int64)
        ends = np.r_[starts[1:], len(here)]
        before, turns = len(rows), 0
        while len(here) and len(rows) - before < share:
            # An item is drawn, and with it its cluster: as likely as the cluster is large.
            cluster = int(np.searchsorted(starts, random.integers(len(here)), side="right")) - 1
            members = here[starts[cluster] : ends[cluster]]
            some = random.permutation(len(members))[: asked.per_cluster]
            draws.append(
                (
                    stratum,
                    part.names[int(owner[starts[cluster]])],
                    [rows.setdefault(int(row), len(rows)) for row in members[some]],
                )
            )
            turns += 1
            for row in members[some].tolist():
                expected[row] = len(some) / len(here)
            if turns > SEVERAL * len(here) + asked.size:
                break
        for row in list(rows)[before:]:
            expected[row] *= turns
    chosen = np.array(list(rows), dtype=np.int64)
    return DrawnRows(
        rows=chosen, strata=strata, names=names, draws=draws, expected=np.array([expected[row] for row in rows])
    )


def rank_of(part: Part, rows: Codes) -> Codes:
    """Return the place of the cluster of each row in the order of names."""
    _, place = np.unique(np.array(part.names, dtype=object)[part.codes[rows]], return_inverse=True)
    return place.astype(np.int64)


def _documents(found: Population, asked: SampleRequest, strata: Codes, names: Sequence[str]) -> DrawnRows:
    """Draw whole documents, each as likely, until there are as many items as asked for; documents without items count, too."""
    if DOCUMENT not in found.parts:
        raise UsageError(
            "The items do not belong to documents.",
            found="--design documents",
            expected="triples or concepts of documents",
        )
    part = found.parts[DOCUMENT]
    every = list(dict.fromkeys([*part.names, *found.sides[0].documents]))
    number = {name: place for place, name in enumerate(every)}
    order = np.argsort(priorities({DOCUMENT: Part(np.arange(len(every)), every)}, asked.seed), kind="stable")
    owner = np.array([number[name] for name in part.names])[part.codes]
    numbers = priorities(found.parts, asked.seed)
    rows: list[int] = []
    draws: list[tuple[int, str | None, Sequence[int]]] = []
    for document in order.tolist():
        if len(rows) >= asked.size:
            break
        members = np.flatnonzero(owner == document)
        members = members[np.argsort(numbers[members], kind="stable")]
        draws.append((0, every[document], range(len(rows), len(rows) + len(members))))
        rows += members.tolist()
    return DrawnRows(
        rows=np.array(rows, dtype=np.int64),
        strata=strata,
        names=names,
        draws=draws,
        expected=np.full(len(rows), len(draws) / len(every)),
        documents=len(every),
    )


def sample_of(
    found: Population, picked: DrawnRows, asked: SampleRequest, *, known: Sample | None = None, **about: Any
) -> tuple[Sample, Codes]:
    """Describe what was drawn; items that were drawn before keep their ids."""
    columns = [[part.names[code] for code in part.codes[picked.rows].tolist()] for part in found.parts.values()]
    keys = make_keys(*columns)
    ids = {one.key: name for name, one in known.items.items()} if known else {}
    fresh = [place for place, key in enumerate(keys) if key not in ids]
    ids |= {keys[place]: str(number) for number, place in enumerate(fresh, start=len(ids) + 1)}
    groups = {role: found.parts[role] for role in (RELATION, DOCUMENT) if role in found.parts}
    items = {}
    for place, (key, row) in enumerate(zip(keys, picked.rows.tolist(), strict=True)):
        items[ids[key]] = DrawnItem(
            key=key,
            stratum=int(picked.strata[row]),
            probability=float(picked.expected[place]),
            systems=tuple(np.flatnonzero(found.members[:, row]).tolist()),
            groups={role: part.names[int(part.codes[row])] for role, part in groups.items()},
        )
    counts = np.bincount(picked.strata, minlength=len(picked.names)).tolist()
    first = np.zeros(len(picked.names), dtype=np.int64)
    first[picked.strata[::-1]] = np.arange(len(found))[::-1]
    strata = tuple(
        Stratum(name=name, items=counts[row], systems=tuple(np.flatnonzero(found.members[:, first[row]]).tolist()))
        for row, name in enumerate(picked.names)
    )
    draws = tuple(
        Draw(stratum=one, cluster=cluster, items=tuple(ids[keys[place]] for place in places))
        for one, cluster, places in picked.draws
    )
    sample = Sample(asked=asked, strata=strata, draws=draws, items=items, documents=picked.documents, **about)
    if known and not set(known.items) <= set(items):
        raise UsageError("The sample cannot be extended: other items would be drawn.", hint="draw a new one")
    return sample, picked.rows[fresh]


def digest_of(path: str | PathLike[str]) -> str:
    """Return the SHA-256 sum of a file, or of all files of a folder."""
    whole, found = Path(path), hashlib.sha256()
    for one in sorted(file for file in whole.rglob("*") if isfile(file)) if isdir(whole) else [whole]:
        with open_file(one) as stream:
            found.update(hashlib.file_digest(stream, "sha256").digest())
    return found.hexdigest()


def enlarge(asked: SampleRequest, more: int) -> SampleRequest:
    """Ask for more items by the same design and seed."""
    return replace(asked, size=asked.size + more)
