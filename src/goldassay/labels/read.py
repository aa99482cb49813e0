"""A file to labels: which format it is in, and what its rows say."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from os import PathLike, fspath
from typing import Any

import numpy as np

from goldassay.core.errors import InputError, RecordError, UsageError
from goldassay.formats import Source, load, recognise
from goldassay.formats.documents import parse_json
from goldassay.formats.labels import last_part
from goldassay.formats.records import BadRecords
from goldassay.formats.rows import TABLES, Choice, Table, by_order, no_columns, places_of, read_table
from goldassay.labels.hierarchy import Hierarchy
from goldassay.labels.lines import Row, cafa_rows, gaf_rows, hemkit_rows
from goldassay.labels.model import Labels
from goldassay.labels.read_hierarchy import plain, read_hierarchy
from goldassay.labels.reading import AS_USUAL, INSTANCE, LABEL, READABLE, SCORE, LabelReading

ROLES = {"instance": INSTANCE, "label": LABEL, "score": SCORE}
EDGES = frozenset({"source", "child", "parent", "predicate", "property", "relation"})
"""Columns of tables that are no labels."""
TWO, THREE = 2, 3


def claims(name: str, columns: Sequence[str]) -> bool:
    """Claim GAF, CAFA's and HEMKit's files, and tables with an instance and a label that are no edges.

    Example:
        >>> claims("gaf", []), claims("csv", ["document", "subject"]), claims("csv", ["source", "target", "label"])
        (True, True, False)
    """
    named = places_of(columns, ROLES).keys() >= {"instance", "label"}
    return name in {"gaf", "cafa", "hemkit"} or (named and EDGES.isdisjoint(map(str.lower, columns)))


def read_labels(path: str | PathLike[str], reading: LabelReading = AS_USUAL) -> Labels:
    r"""Read the labels of instances, and the hierarchy that the reading names.

    Args:
        path: The file.
        reading: How to read it.

    Returns:
        The labels.

    Raises:
        InputError: If a file cannot be read as what it should be; a `RecordError` with its line for a bad record.
        UsageError: If no hierarchy is named.

    Example:
        >>> import tempfile, pathlib
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> _ = (folder / "pets.csv").write_text("child,parent\ncat,pet\n")
        >>> _ = (folder / "gold.tsv").write_text("instance\tlabel\nd1\tcat\n")
        >>> read_labels(folder / "gold.tsv", LabelReading(hierarchy=str(folder / "pets.csv"))).item(0)
        'd1: cat'
    """
    hierarchy, notes = read_hierarchy(reading)
    source, bad = load(path), BadRecords(on_error=reading.on_error)
    name = reading.input_format or recognise(source, READABLE)
    left_out: dict[str, int] = {}
    rows, said = _rows_of(source, name, reading, bad, left_out)
    called = last_part if reading.names == "name" else plain
    inside = _inside(hierarchy, reading)
    ids, kept, scores = [], [], []
    places = array("q")
    for row in rows:
        ids.append(row.instance)
        if not row.label:
            continue
        score = _score(row, source, bad)
        label = called(row.label)
        place = hierarchy.rows.get(label)
        if score is None:
            continue
        if inside is not None and place is not None and not inside[place]:
            left_out["outside_of_the_root"] = left_out.get("outside_of_the_root", 0) + 1
            continue
        kept.append((row.instance, label))
        scores.append(score)
        places.append(row.place)
    if not ids:
        raise InputError(
            "The file contains no instance.", path=fspath(path), found="no row", expected="rows of instance and label"
        )
    within = hierarchy if inside is None else _restricted(hierarchy, inside)
    return Labels.from_columns(
        [instance for instance, _ in kept],
        [label for _, label in kept],
        np.array(scores, dtype=np.float64),
        hierarchy=within,
        ids=ids,
        input_rows=np.frombuffer(places, dtype=np.int64) if name in TABLES else None,
        left_out={**left_out, **bad.left_out()},
        choices=reading.choices,
        path=fspath(path),
        format=name,
        notes=(*said, *notes, *bad.notes()),
    )


def _inside(hierarchy: Hierarchy, reading: LabelReading) -> Any:
    """Return which labels lie at or below the roots that are named; None where none is."""
    if not reading.root:
        return None
    rows = []
    for root in reading.root:
        row = hierarchy.rows.get(plain(root))
        if row is None:
            raise InputError(
                "The hierarchy has no such label.", path=reading.hierarchy, found=root, hint="check --root"
            )
        rows.append(row)
    return hierarchy.below(rows)


def _restricted(hierarchy: Hierarchy, inside: Any) -> Hierarchy:
    """Keep some labels of a hierarchy, and the edges between them."""
    place = np.cumsum(inside) - 1
    child = np.repeat(np.arange(len(hierarchy)), np.diff(hierarchy.starts))
    edges = np.column_stack([child, hierarchy.parents])[inside[child] & inside[hierarchy.parents]]
    aliases = {name: int(place[row]) for name, row in hierarchy.aliases.items() if inside[row]}
    return Hierarchy.from_rows(hierarchy.names[inside].tolist(), place[edges], aliases=aliases)


def _rows_of(
    source: Source, name: str, reading: LabelReading, bad: BadRecords, left_out: dict[str, int]
) -> tuple[Iterable[Row], tuple[str, ...]]:
    readers: dict[str, Callable[[], Iterator[Row]]] = {
        "hemkit": lambda: hemkit_rows(source, bad),
        "gaf": lambda: gaf_rows(source, bad, left_out),
        "cafa": lambda: cafa_rows(source, bad),
    }
    if name in readers:
        return readers[name](), ()
    columns = read_table(source, name, lambda names: _choose(names, source, reading), bad, native=("label", "score"))
    table = columns.filled(bad, blank={"label", "score"})
    return _table_rows(table, name, bad), table.notes


def _choose(names: Sequence[str], source: Source, reading: LabelReading) -> Choice:
    """Find the columns of instance, label and score: those that are named, else by what they are called, else by order."""
    asked = {"instance": reading.instance_column, "label": reading.label_column, "score": reading.score_column}
    places = places_of(names, ROLES)
    for role, column in asked.items():
        if column is None:
            continue
        if column not in names:
            raise UsageError(
                f"{source.path} has no column {column!r}.", found=", ".join(names), hint=f"check --{role}-column"
            )
        places[role] = names.index(column)
    if {"instance", "label"} <= places.keys():
        return Choice(places)
    if len(names) not in (TWO, THREE) or any(asked.values()):
        raise no_columns(names, "instance,label,score", source.path)
    return by_order(names, dict(zip(ROLES, range(len(names)), strict=False)))


def _table_rows(table: Table, name: str, bad: BadRecords) -> Iterator[Row]:
    """Return a row for each label: a cell holds one, or a list of them beside a list of scores."""
    scored = "score" in table.frame.columns
    columns = ("instance", "label", "row", "score") if scored else ("instance", "label", "row")
    listing = name in {"json-lines", "parquet"}
    seen: set[str] = set()
    for at, (instance, label, place, *rest) in enumerate(table.numbered.select(columns).iter_rows()):
        line = table.line(at) or at + 1
        score = rest[0] if rest else ""
        if not listing or not (isinstance(label, list) or (isinstance(label, str) and label.startswith("["))):
            if label in ("", None):
                bad.add(_problem(table, line, "The label is empty.", f"{instance!r}", "text for the label"))
                continue
            yield Row(line, instance, str(label), _text(score), place)
            continue
        pairs = _listed(label, score)
        if pairs is None:
            bad.add(
                _problem(
                    table, line, "The labels are not a list of texts.", f"{label!r:.60}", "as many scores as labels"
                )
            )
            continue
        if instance in seen:
            bad.add(_problem(table, line, "The instance occurs twice.", repr(instance), "one list for each instance"))
            continue
        seen.add(instance)
        yield from (Row(line, instance, one, written, place) for one, written in pairs or [("", "")])


def _listed(label: Any, score: Any) -> list[tuple[str, str]] | None:
    """Pair a list of labels with its scores; a label may also be an object with a label and a score."""
    try:
        labels = label if isinstance(label, list) else parse_json(label)
        scores = parse_json(score) if isinstance(score, str) and score.startswith("[") else score
    except ValueError:
        return None
    if any(isinstance(one, dict) for one in labels):
        if not all(isinstance(one, dict) and one.get("label") for one in labels):
            return None
        return [(str(one["label"]), _text(one.get("score"))) for one in labels]
    if not isinstance(scores, list):
        scores = [scores] * len(labels)
    if len(scores) != len(labels) or not all(isinstance(one, str | int) and str(one) for one in labels):
        return None
    return [(str(one), _text(number)) for one, number in zip(labels, scores, strict=True)]


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _problem(table: Table, line: int, message: str, found: str, expected: str) -> RecordError:
    return RecordError(message, path=table.path, line=line, found=found, expected=expected)


def _score(row: Row, source: Source, bad: BadRecords) -> float | None:
    """Read a score; a row without one has 1."""
    if not row.score:
        return 1.0
    try:
        score = float(row.score)
    except ValueError:
        score = math.nan
    if math.isfinite(score):
        return score
    bad.add(
        RecordError(
            "The score is not a number.",
            path=source.path,
            line=row.line,
            found=repr(row.score[:60]),
            expected="a number",
        )
    )
    return None
