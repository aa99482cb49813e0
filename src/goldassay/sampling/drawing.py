"""From predictions to a sample: predictions are read, items drawn, and laid out for a person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from os import PathLike, fspath
from typing import Any, NamedTuple, Protocol

import numpy as np

from goldassay.core.errors import EmptyInputError, InputError, UsageError
from goldassay.families import family, kind_of
from goldassay.inputs import File, model_of
from goldassay.sampling.designs import Codes
from goldassay.sampling.items import Items, Population, items_of, population_of
from goldassay.sampling.plans import labels_for
from goldassay.sampling.sample import (
    Before,
    Draw,
    DrawnItem,
    Predictions,
    Sample,
    SampleRequest,
    Strata,
    Stratum,
    digest_of,
    pick,
    sample_of,
    spread_of,
    strata_of,
)
from goldassay.sampling.todo import FIRST, rows_of, table_rows


class Drawing(NamedTuple):
    """What was drawn, and the rows that are new.

    Attributes:
        sample: The design.
        rows: The rows of the table to label that were not in it before.
        notes: What a person has to know of the draw.
    """

    sample: Sample
    rows: list[dict[str, str]]
    notes: list[str]


class Source(Protocol):
    """Predictions that items are drawn from: read whole in this process, or on an engine."""

    @property
    def size(self) -> int:
        """How many items there are."""
        ...

    def population(self, asked: SampleRequest, before: Before) -> tuple[Population, Strata]:
        """Give the items, on an engine those that can be drawn, and their strata."""
        ...

    def describe_predictions(self) -> dict[str, Any]:
        """Describe the predictions."""
        ...

    def rows(self, found: Population, fresh: Codes, before: int) -> list[dict[str, str]]:
        """Lay new items out as rows of the table."""
        ...

    def notes(self) -> list[str]:
        """Say what reads alike, where that is known."""
        ...


class Whole(Predictions):
    """Predictions that are read whole."""

    def _items(self, path: str) -> tuple[Any, Items]:
        model = model_of(self.chosen, File(path), self.chosen.reading.options(**self.reading))
        return model, items_of(self.chosen, model)

    @cached_property
    def _read(self) -> tuple[list[Any], Population]:
        read = [self._items(path) for path in self.preds]
        for path, (_, items) in zip(self.preds, read, strict=True):
            if not len(items):
                raise EmptyInputError(
                    "The prediction has no items to draw.", path=path, expected=f"at least one {self.chosen.item}"
                )
        return [model for model, _ in read], population_of([items for _, items in read])

    @cached_property
    def _gold(self) -> Items | None:
        return None if self.gold is None else self._items(self.gold)[1]

    @property
    def size(self) -> int:
        """How many items there are."""
        return len(self._read[1])

    def population(self, asked: SampleRequest, before: Before) -> tuple[Population, Strata]:
        """Give all items and their strata."""
        del before
        return self._read[1], strata_of(self._read[1], asked, self._gold)

    def describe_predictions(self) -> dict[str, Any]:
        """Describe the predictions."""
        models, found = self._read
        sizes = found.members.sum(axis=1).tolist()
        return self.describe(dict(zip(self.preds, zip(models, sizes, strict=True), strict=True)))

    def rows(self, found: Population, fresh: Codes, before: int) -> list[dict[str, str]]:
        """Lay new items out as rows of the table, with what is around them."""
        texts = dict(zip(self._gold.documents, self._gold.texts, strict=True)) if self._gold is not None else {}
        return rows_of([str(before + 1 + number) for number in range(len(fresh))], found.read(fresh, texts))

    def notes(self) -> list[str]:
        """Say what reads alike."""
        return [
            f"{path}: items that read like another one, which are drawn once: {count:,}"
            for path, count in zip(self.preds, self._read[1].doubled, strict=True)
            if count
        ]


def source_of(
    preds: Sequence[str | PathLike[str]], kind: str, gold: Any, reading: Mapping[str, Any] | None, engine: Any
) -> Source:
    """Say where predictions are read."""
    given = family(kind), [fspath(one) for one in preds], None if gold is None else fspath(gold), dict(reading or {})
    if engine is None:
        return Whole(*given)
    from goldassay.sampling.engine import OnEngine

    return OnEngine(*given, engine)


def draw(
    preds: Sequence[str | PathLike[str]],
    *,
    kind: str,
    asked: SampleRequest,
    gold: str | PathLike[str] | None = None,
    half_width: float | None = None,
    expected: float = 0.5,
    reading: Mapping[str, Any] | None = None,
    engine: Any = None,
) -> Drawing:
    """Draw items of predictions to be labelled."""
    source, notes = source_of(preds, kind, gold, reading, engine), list[str]()
    if half_width is not None:
        size = labels_for(half_width, expected, population=source.size)
        asked = replace(asked, size=size)
        notes.append(
            f"{size:,} labels: an interval of +-{100 * half_width:g} points at precision {expected:g} needs "
            f"{labels_for(half_width, expected):,} of very many items, and {size:,} of {source.size:,}"
            + (
                ""
                if asked.design == "simple"
                else f"; that is of a simple sample: what {asked.design} need is known after some labels"
            )
        )
    if asked.size > source.size:
        notes.append(f"all {source.size:,} items are drawn, which are fewer than asked for")
    made = _drawn(source, asked, Before(), source.describe_predictions(), None)
    return made._replace(notes=[*notes, *made.notes])


def extend(known: Sample, more: int, labels: Mapping[str, float] | None = None, *, engine: Any = None) -> Drawing:
    """Draw more items by the same design and seed; nothing is asked for twice."""
    paths = [one["path"] for one in known.inputs]
    check_digests(known, paths)
    gold = next((one["gold"] for one in known.inputs if one.get("gold")), None)
    drawn = np.bincount([one.stratum for one in known.items.values()], minlength=len(known.strata)).tolist()
    least = dict(zip([one.name for one in known.strata], drawn, strict=True))
    same = {name: getattr(known, name) for name in ("kind", "item", "inputs", "reading", "goldassay")}
    asked = replace(known.asked, size=known.asked.size + more)
    source = source_of(paths, known.kind, gold, known.reading, engine)
    return _drawn(source, asked, Before(least, _spreads(known, labels or {})), same, known)


def _drawn(
    source: Source, asked: SampleRequest, before: Before, described: Mapping[str, Any], known: Sample | None
) -> Drawing:
    found, strata = source.population(asked, before)
    sample, fresh = sample_of(found, pick(found, asked, strata, before), asked, known=known, **described)
    rows = source.rows(found, fresh, len(known.items) if known else 0)
    return Drawing(sample, rows, source.notes())


def _spreads(known: Sample, labels: Mapping[str, float]) -> dict[str, float]:
    """Say how much the labels of each stratum vary."""
    found: dict[str, list[float]] = {}
    for name, label in labels.items():
        found.setdefault(known.strata[known.items[name].stratum].name, []).append(label)
    return {name: spread_of(some) for name, some in found.items()}


def check_digests(known: Sample, paths: Sequence[str | PathLike[str]]) -> None:
    """Refuse predictions that are not those that were drawn from."""
    digests = {one["sha256"]: number for number, one in enumerate(known.inputs)}
    names = ", ".join(str(one["path"]) for one in known.inputs)
    for path in paths:
        found = digest_of(path)
        if found not in digests:
            raise InputError(
                "The items were not drawn from this file, or it has changed since.",
                path=path,
                found=f"SHA-256 {found[:16]}...",
                expected=f"{names} as drawn",
                hint="draw from both: goldassay sample OLD NEW --reuse todo.csv keeps the labels that there are",
            )


def simple_design(
    todo: str | PathLike[str], preds: Sequence[str | PathLike[str]], *, kind: str | None = None
) -> Sample:
    """Describe labels without a design as a simple sample of one prediction, because the user says that they are one."""
    if len(preds) != 1:
        raise UsageError(
            "Labels without a design need exactly one prediction.", found=f"{len(preds)} predictions", expected="PRED"
        )
    [path] = preds
    source = Whole(family(kind or kind_of(fspath(path))), [fspath(path)], None, {})
    names = [row[FIRST] for _, row in table_rows(todo)]
    twice = next((name for name, count in Counter(names).items() if count > 1 and not name), None)
    if twice is not None:
        raise InputError("An item has no id.", path=todo, expected="a different id in each row")
    if len(set(names)) > source.size:
        raise InputError(
            "More items are labelled than the prediction has.", path=todo, found=f"{len(set(names)):,}",
            expected=f"at most {source.size:,}, the items of {fspath(path)}",
        )  # fmt: skip
    items = {
        name: DrawnItem(key=name, stratum=0, probability=len(set(names)) / source.size, systems=(0,)) for name in names
    }
    return Sample(
        asked=SampleRequest(size=len(items)),
        strata=(Stratum(name="all", items=source.size, systems=(0,)),),
        draws=tuple(Draw(stratum=0, items=(name,)) for name in items),
        items=items,
        assumed=True,
        **source.describe_predictions(),
    )
