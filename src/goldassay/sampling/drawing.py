"""From predictions to a sample: predictions are read, items drawn, and laid out for a person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike, fspath
from typing import Any, NamedTuple

import numpy as np

from goldassay.core.errors import EmptyInputError, InputError, UsageError
from goldassay.core.family import Family
from goldassay.core.version import __version__
from goldassay.families import family, kind_of
from goldassay.inputs import File, model_of
from goldassay.sampling.items import Items, Population, items_of, population_of
from goldassay.sampling.plans import labels_for
from goldassay.sampling.sample import (
    Draw,
    DrawnItem,
    Sample,
    SampleRequest,
    Stratum,
    digest_of,
    enlarge,
    pick,
    sample_of,
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


def draw(
    preds: Sequence[str | PathLike[str]],
    *,
    kind: str,
    asked: SampleRequest,
    gold: str | PathLike[str] | None = None,
    half_width: float | None = None,
    expected: float = 0.5,
    reading: Mapping[str, Any] | None = None,
) -> Drawing:
    """Draw items of predictions to be labelled."""
    chosen, found, models = _population(preds, kind, reading)
    notes = _notes(preds, found)
    if half_width is not None:
        size = labels_for(half_width, expected, population=len(found))
        asked = replace(asked, size=size)
        notes.append(
            f"{size:,} labels: an interval of +-{100 * half_width:g} points at precision {expected:g} needs "
            f"{labels_for(half_width, expected):,} of very many items, and {size:,} of {len(found):,}"
            + (
                ""
                if asked.design == "simple"
                else f"; that is of a simple sample: what {asked.design} need is known after some labels"
            )
        )
    if asked.size > len(found):
        notes.append(f"all {len(found):,} items are drawn, which are fewer than asked for")
    known = _gold(chosen, gold, reading)
    picked = pick(found, asked, gold=known)
    read = dict(zip([fspath(one) for one in preds], models, strict=True))
    sample, fresh = sample_of(
        found, picked, asked, **describe_predictions(chosen, found, read, gold=gold, reading=reading)
    )
    return Drawing(sample, _table(found, fresh, 0, known), notes)


def extend(known: Sample, more: int, labels: Mapping[str, float] | None = None) -> Drawing:
    """Draw more items by the same design and seed; nothing is asked for twice."""
    paths = [one["path"] for one in known.inputs]
    check_digests(known, paths)
    chosen, found, _ = _population(paths, known.kind, known.reading)
    gold = next((one["gold"] for one in known.inputs if one.get("gold")), None)
    asked = enlarge(known.asked, more)
    least = dict(
        zip(
            [one.name for one in known.strata],
            np.bincount([one.stratum for one in known.items.values()], minlength=len(known.strata)).tolist(),
            strict=True,
        )
    )
    own = _gold(chosen, gold, known.reading)
    picked = pick(found, asked, gold=own, least=least, spreads=_spreads(known, labels or {}))
    same = {name: getattr(known, name) for name in ("kind", "item", "inputs", "reading", "goldassay")}
    sample, fresh = sample_of(found, picked, asked, known=known, **same)
    return Drawing(sample, _table(found, fresh, len(known.items), own), _notes(paths, found))


def _spreads(known: Sample, labels: Mapping[str, float]) -> dict[str, float]:
    """Return the standard deviation of the labels of each stratum, half a hit and half a miss added."""
    found: dict[str, list[float]] = {}
    for name, label in labels.items():
        found.setdefault(known.strata[known.items[name].stratum].name, []).append(label)
    shares = {name: (sum(some) + 0.5) / (len(some) + 1) for name, some in found.items()}
    return {name: float(np.sqrt(share * (1 - share))) for name, share in shares.items()}


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


def _population(
    preds: Sequence[Any], kind: str, reading: Mapping[str, Any] | None
) -> tuple[Family[Any], Population, list[Any]]:
    chosen = family(kind)
    options = chosen.reading.options(**(reading or {}))
    models = [model_of(chosen, File(fspath(one)), options) for one in preds]
    for path, model in zip(preds, models, strict=True):
        if not len(model):
            raise EmptyInputError(
                "The prediction has no items to draw.", path=path, expected=f"at least one {chosen.item}"
            )
    return chosen, population_of([items_of(chosen, model) for model in models]), models


def _gold(chosen: Family[Any], gold: str | PathLike[str] | None, reading: Mapping[str, Any] | None) -> Items | None:
    if gold is None:
        return None
    return items_of(chosen, model_of(chosen, File(fspath(gold)), chosen.reading.options(**(reading or {}))))


def describe_predictions(
    chosen: Family[Any], found: Population, read: Mapping[Any, Any], *, gold: Any, reading: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Describe the predictions, by their paths, that items are drawn from."""
    inputs = tuple(
        {
            "path": fspath(path),
            "sha256": digest_of(path),
            "items": int(members.sum()),
            "format": model.format,
            "left_out": dict(model.left_out),
            "choices": dict(model.choices),
            "gold": None if gold is None else fspath(gold),
        }
        for (path, model), members in zip(read.items(), found.members, strict=True)
    )
    return {
        "kind": chosen.kind,
        "item": chosen.item,
        "inputs": inputs,
        "reading": dict(reading or {}),
        "goldassay": __version__,
    }


def _notes(preds: Sequence[Any], found: Population) -> list[str]:
    return [
        f"{fspath(path)}: items that read like another one, which are drawn once: {count:,}"
        for path, count in zip(preds, found.doubled, strict=True)
        if count
    ]


def _table(found: Population, fresh: Any, before: int, gold: Items | None) -> list[dict[str, str]]:
    """Lay new items out as rows; those of clusters stay together."""
    texts = dict(zip(gold.documents, gold.texts, strict=True)) if gold is not None else {}
    return rows_of([str(before + 1 + number) for number in range(len(fresh))], found.read(fresh, texts))


def simple_design(
    todo: str | PathLike[str], preds: Sequence[str | PathLike[str]], *, kind: str | None = None
) -> Sample:
    """Describe labels without a design as a simple sample of one prediction, because the user says that they are one."""
    if len(preds) != 1:
        raise UsageError(
            "Labels without a design need exactly one prediction.", found=f"{len(preds)} predictions", expected="PRED"
        )
    [path] = preds
    chosen, found, [model] = _population(preds, kind or kind_of(fspath(path)), None)
    names = [row[FIRST] for _, row in table_rows(todo)]
    twice = next((name for name, count in Counter(names).items() if count > 1 and not name), None)
    if twice is not None:
        raise InputError("An item has no id.", path=todo, expected="a different id in each row")
    items = {name: DrawnItem(key=name, stratum=0, probability=len(names) / len(found), systems=(0,)) for name in names}
    return Sample(
        asked=SampleRequest(size=len(items)),
        strata=(Stratum(name="all", items=len(found), systems=(0,)),),
        draws=tuple(Draw(stratum=0, items=(name,)) for name in items),
        items=items,
        assumed=True,
        **describe_predictions(chosen, found, {path: model}, gold=None, reading=None),
    )
