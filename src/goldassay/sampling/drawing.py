"""From predictions to a sample: predictions are read, items drawn, and laid out for a person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from goldassay.core.errors import EmptyInputError, InputError, RecordError, UsageError, names_file
from goldassay.core.text import count_of
from goldassay.families import family
from goldassay.inputs import File, model_of
from goldassay.sampling.designs import DESIGNS, Codes
from goldassay.sampling.items import (
    DOCUMENT,
    WORDS_OF_RELATIONS,
    Items,
    Population,
    items_of,
    population_of,
    short_name,
    texts_of,
)
from goldassay.sampling.plans import labels_for
from goldassay.sampling.sample import (
    Before,
    DrawnRows,
    Paths,
    Predictions,
    Sample,
    SampleRequest,
    Strata,
    digest_of,
    files_of,
    keys_of,
    pick,
    sample_of,
    settle,
    spread_of,
    strata_of,
    varies,
)
from goldassay.sampling.todo import FIRST, rows_of, table_rows

if TYPE_CHECKING:
    from goldassay.sampling.engine import OnEngine


class Drawing(NamedTuple):
    """What was drawn, and the rows that are new."""

    sample: Sample  # the design
    rows: list[dict[str, str]]  # the rows of the table to label that were not in it before
    notes: list[str]  # what a person has to know of the draw


class Whole(Predictions):
    """Predictions that are read whole."""

    def _items(self, path: File) -> tuple[Any, Items]:
        model = model_of(self.chosen, path, self.chosen.reading.options(**self.reading))
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

    def settle(self, asked: SampleRequest) -> SampleRequest:
        """Choose as strata the evidence of gold, else scores, else relations."""
        found = self._read[1]
        usual = "evidence" if self.gold is not None else "score" if varies(found.scores) else "relation"
        return settle(asked, usual, found.parts)

    def population(self, asked: SampleRequest, before: Before) -> tuple[Population, Strata]:
        """Return all items and their strata."""
        del before
        return self._read[1], strata_of(self._read[1], asked, self._gold)

    def describe_predictions(self) -> dict[str, Any]:
        """Describe the predictions."""
        models, found = self._read
        sizes = found.members.sum(axis=1).tolist()
        return self.describe(dict(zip(self.preds, zip(models, sizes, strict=True), strict=True)))

    def rows(self, found: Population, fresh: Codes, before: int) -> list[dict[str, str]]:
        """Convert new items to rows of the table, with neighbouring items."""
        texts = {} if self._gold is None else texts_of(self._gold)
        return rows_of([str(before + 1 + number) for number in range(len(fresh))], found.read(fresh, texts))

    def texts(self, found: Population) -> dict[str, str]:
        """Return the text of each document, from the prediction or else from gold."""
        return ({} if self._gold is None else texts_of(self._gold)) | texts_of(found.sides[0])

    def notes(self) -> list[str]:
        """Return notes on items that read alike, and on documents without text."""
        found = self._read[1]
        doubled = zip(self.preds, found.doubled, strict=True)
        lines = [f"{path}: items that read like another one, which are drawn once: {n:,}" for path, n in doubled if n]
        if DOCUMENT in found.parts and not any(map(any, (side.texts for side in found.sides))) and self.gold is None:
            lines.append("the documents have no text: --gold FILE shows the texts of that file next to the items")
        return lines


def source_of(preds: Paths, kind: str, gold: Any, reading: Mapping[str, Any] | None, engine: Any) -> Whole | OnEngine:
    """Return where predictions are read."""
    given = family(kind), files_of(preds), None if gold is None else File(fspath(gold)), dict(reading or {})
    if engine is None:
        return Whole(*given)
    from goldassay.sampling.engine import OnEngine

    return OnEngine(*given, engine)


def draw(
    preds: Paths,
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
        later = f"; that is of a simple sample: what {asked.design} need is known after some labels"
        notes.append(
            f"{count_of(size, 'label')}: an interval of +-{100 * half_width:g} points at precision {expected:g} needs "
            f"{labels_for(half_width, expected):,} of very many items, and {size:,} of {source.size:,}"
            + ("" if asked.design == "simple" else later)
        )
    made = _drawn(source, asked, Before(), source.describe_predictions(), None)
    return made._replace(notes=[*notes, *made.notes])


def extend(
    known: Sample,
    more: int,
    labels: Mapping[str, float] | None = None,
    *,
    preds: Paths = (),
    engine: Any = None,
) -> Drawing:
    """Draw more items by the same design and seed; nothing is asked for twice. Predictions are given where they have moved."""
    check_digests(known, files_of(preds))
    moved = {digest_of(path): path for path in files_of(preds)}
    paths = [moved.get(one["sha256"], File(one["path"], one.get("name"))) for one in known.inputs]
    inputs = tuple({**one, "path": str(path)} for one, path in zip(known.inputs, paths, strict=True))
    check_digests(known, paths)
    gold = next((one["gold"] for one in known.inputs if one.get("gold")), None)
    drawn = np.bincount([one.stratum for one in known.items.values()], minlength=len(known.strata)).tolist()
    least = dict(zip([one.name for one in known.strata], drawn, strict=True))
    same = {name: getattr(known, name) for name in ("kind", "item", "reading", "goldassay")} | {"inputs": inputs}
    asked = replace(known.asked, size=known.asked.size + more)
    source = source_of(paths, known.kind, gold, known.reading, engine)
    return _drawn(source, asked, Before(least, _spreads(known, labels or {})), same, known)


def _drawn(
    source: Whole | OnEngine, asked: SampleRequest, before: Before, described: Mapping[str, Any], known: Sample | None
) -> Drawing:
    asked = source.settle(asked)
    found, strata = source.population(asked, before)
    ids = {one.key: name for name, one in known.items.items()} if known else {}
    sample, fresh = sample_of(found, pick(found, asked, strata, before), asked, known=ids, **described)
    rows = source.rows(found, fresh, len(ids))
    notes = source.notes()
    if asked.size > source.size:
        notes.append(_fewer(sample, source.size))
    if asked.design == "documents":
        asked_before = {one.cluster for one in known.draws} if known else set()
        empty = [str(one.cluster) for one in sample.draws if not one.items and one.cluster not in asked_before]
        texts = source.texts(found)
        columns = {"document": empty, **({"text": [texts.get(name, "") for name in empty]} if texts else {})}
        blank = dict.fromkeys(rows[0] if rows else (), "")
        rows += [blank | row for row in rows_of([""] * len(empty), columns)]
        if empty:
            notes.append(
                f"{len(empty):,} of {len(sample.draws):,} drawn documents {'has' if len(empty) == 1 else 'have'} no predicted item, and a row without id: "
                "look there for right items that were missed, too"
            )
    return Drawing(sample, rows, notes)


def _fewer(sample: Sample, size: int) -> str:
    """Say that fewer items are drawn than asked for; by clusters, which are drawn with replacement, perhaps not all there are."""
    drawn, design = len(sample.items), sample.asked.design
    which = f"all {size:,}" if drawn == size else f"{drawn:,} of {size:,}"
    line = f"{which} items are drawn, which are fewer than asked for"
    if not DESIGNS[design].clustered or design == "documents":
        return line
    return f"{line}; clusters are drawn with replacement, so that the estimate is never exact: --design simple draws all items once"


def _spreads(known: Sample, labels: Mapping[str, float]) -> dict[str, float]:
    """Return how much the labels of each stratum vary."""
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
    todo: str | PathLike[str],
    preds: Paths,
    *,
    kind: str,
    reading: Mapping[str, Any] | None = None,
) -> Sample:
    """Describe labels without a design as a simple sample of one prediction, because the user says that they are one."""
    if len(preds) != 1:
        raise UsageError(
            "Labels without a design need exactly one prediction.", found=f"{len(preds)} predictions", expected="PRED"
        )
    [path] = files_of(preds)
    source = Whole(family(kind), [path], None, dict(reading or {}))
    found, strata = source.population(SampleRequest(), Before())
    ids = _find_items(todo, found, path)
    rows = np.array(list(ids.values()), dtype=np.int64)
    picked = DrawnRows(
        rows=rows,
        strata=strata,
        draws=[(0, None, (place,)) for place in range(len(rows))],
        expected=np.full(len(rows), len(rows) / len(found)),
    )
    known = dict(zip(keys_of(found, rows), ids, strict=True))
    asked, described = SampleRequest(size=len(rows)), source.describe_predictions()
    return sample_of(found, picked, asked, known=known, assumed=True, **described)[0]


@names_file
def _find_items(todo: str | PathLike[str], found: Population, path: str) -> dict[str, int]:
    """Find the item of each id of a table by its words, and refuse what the prediction does not have, or has once."""
    words = found.read(np.arange(len(found)))
    places = {_cells(cells): row for row, cells in reversed(list(enumerate(zip(*words.values(), strict=True))))}
    ids, names = dict[str, int](), dict[int, str]()
    for line, row in table_rows(todo):
        lacking = [name for name in words if name not in row]
        if lacking:
            raise InputError(
                "The table does not contain this column.", line=1, found=", ".join(row)[:200],
                expected=f"{', '.join(lacking)}: without a design items are found by their words",
            )  # fmt: skip
        cells = [row[name] for name in words]
        place, name = places.get(_cells(cells)), row[FIRST]
        if place is None or not name:
            raise RecordError(
                "The item is not in the prediction." if place is None else "The item has no id.", line=line,
                found=", ".join(cells)[:200], expected=f"an item of {path}" if place is None else "a different id for each item",
                hint="label items of this prediction only, and each under its own id",
            )  # fmt: skip
        if ids.setdefault(name, place) != place or names.setdefault(place, name) != name:
            raise RecordError(
                "An id must be of one item, and an item must have one id.", line=line, found=f"id {name!r}: {', '.join(cells)[:200]}",
                expected="the same id in all rows of an item, a row for each rater",
            )  # fmt: skip
    if not ids:
        raise EmptyInputError("The table contains no items.", expected="a row for each item")
    return ids


def _cells(cells: Sequence[str]) -> tuple[str, ...]:
    """Return the words of an item as they are compared: short names, relations in words, without what a spreadsheet needs."""
    return tuple(WORDS_OF_RELATIONS.get(cell, short_name(cell).strip().removeprefix("'")) for cell in cells)
