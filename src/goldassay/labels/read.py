"""A file to labels: which format it is in, and what its rows say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goldassay.core.counts import FloatArray
from goldassay.core.errors import InputError, RecordError
from goldassay.core.intern import as_names, numbered
from goldassay.core.text import against
from goldassay.formats import Source, load, recognise
from goldassay.formats.documents import parse_json
from goldassay.formats.labels import last_part
from goldassay.formats.records import BadRecords
from goldassay.formats.roles import LABELS, bare
from goldassay.formats.rows import OBJECTS, TABLES, read_table
from goldassay.formats.tables import Table
from goldassay.formats.texts import numbers_of, whole
from goldassay.labels.hierarchy import Hierarchy
from goldassay.labels.lines import RawLabel, cafa_rows, gaf_rows, hemkit_rows
from goldassay.labels.model import Labels
from goldassay.labels.read_hierarchy import plain, read_hierarchy
from goldassay.labels.reading import AS_USUAL, READABLE, LabelReading

if TYPE_CHECKING:
    import polars as pl

LISTING = (*OBJECTS, "parquet")
"""Formats of tables whose cells may be lists."""
UNKNOWN = -1
SCORED = ("label", "score")
EDGES = frozenset({"source", "child", "parent", "predicate", "property", "relation"})
"""Columns of tables that are no labels."""


def claims(name: str, columns: Sequence[str]) -> bool:
    """Claim GAF, CAFA's and HEMKit's files, and tables with an instance and a label that are no edges.

    Example:
        >>> claims("gaf", []), claims("csv", ["document", "subject"]), claims("csv", ["source", "target", "label"])
        (True, True, False)
    """
    return name in {"gaf", "cafa", "hemkit"} or (LABELS.recognises(columns) and EDGES.isdisjoint(map(bare, columns)))


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
    hierarchy, notes, warnings = read_hierarchy(reading)
    source, bad = load(path), BadRecords(on_error=reading.on_error)
    name = reading.input_format or recognise(source, READABLE)
    left_out: dict[str, int] = {}
    written, table = _written(source, name, reading, bad, left_out)
    scores = numbers_of(written.scores, absent=1.0)
    scores[~np.isfinite(scores)] = np.nan
    beyond_unit = _rejected(written, scores, source.path, bad, any_number=reading.scores == "any")
    empty = (written.labels == "").to_numpy()
    counted = ~(empty & written.labelled)
    if not counted.any():
        raise bad.no_item(
            "The file contains no instance.", path=fspath(path), found="no row", expected="rows of instance and label"
        )
    ids, (owner,) = numbered(written.instances.filter(counted))
    called = last_part if reading.names == "name" else plain
    texts, (label,) = numbered(written.labels)
    rows = np.array([hierarchy.rows.get(called(text), UNKNOWN) for text in texts], dtype=np.int64)[label]
    kept, inside = ~empty & ~np.isnan(scores), _inside(hierarchy, reading)
    if inside is not None:
        outside = kept & (rows != UNKNOWN) & ~inside[rows]
        left_out |= {"outside_of_the_root": int(outside.sum())} if outside.any() else {}
        kept &= ~outside
        # The last place is that of labels that the hierarchy does not have.
        rows = np.append(np.cumsum(inside) - 1, UNKNOWN)[rows]
    within = hierarchy if inside is None else _restricted(hierarchy, inside)
    lost = () if (rows[kept] != UNKNOWN).any() else _all_unknown(written, kept, called, hierarchy, reading)
    return Labels.from_codes(
        as_names(ids).tolist(),
        owner[kept[counted]],
        rows[kept],
        scores[kept],
        hierarchy=within,
        input_rows=written.places[kept] if name in TABLES else None,
        left_out={**left_out, **bad.left_out()},
        choices=reading.choices,
        beyond_unit=beyond_unit,
        path=fspath(path),
        format=name,
        notes=(*notes, *bad.notes()),
        warnings=(*(table.warnings if table else ()), *warnings, *lost),
    )


def _all_unknown(
    written: _Written,
    kept: NDArray[np.bool_],
    called: Callable[[str], str],
    hierarchy: Hierarchy,
    reading: LabelReading,
) -> Iterator[str]:
    """Warn that no label is in the hierarchy, with what may be the reason."""
    labels = set(map(called, written.labels.filter(kept).to_list()))
    instances = set(written.instances.filter(kept).to_list())
    if not labels:
        return
    yield f"no label is in the hierarchy {reading.hierarchy}, {against(labels, hierarchy.rows)}: check --hierarchy and --names"
    found = sum(instance in hierarchy.rows for instance in instances)
    if found:
        yield f"{found:,} of its {len(instances):,} instances are: check whether it was swapped with --hierarchy"


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


class _Written(NamedTuple):
    """Labels of instances as they are in the file.

    Attributes:
        instances: The instances.
        labels: Their labels; empty for an instance without one.
        scores: Numbers, or texts that should be numbers; absent or empty where there is none.
        line: Finds the line of one, given its row here; a number where rows are counted.
        places: Their rows of the table, from 0; -1 where the file is none.
        labelled: Whether each must have a label.
    """

    instances: pl.Series
    labels: pl.Series
    scores: pl.Series
    line: Callable[[int], int]
    places: NDArray[np.int64]
    labelled: bool = False

    @classmethod
    def of_rows(cls, rows: Iterable[RawLabel]) -> _Written:
        """Lay rows out in columns."""
        import polars as pl

        lines, *texts, places = list(zip(*rows, strict=True)) or [()] * len(RawLabel._fields)
        instances, labels, scores = (pl.Series(column, dtype=pl.String) for column in texts)
        return cls(instances, labels, scores, lines.__getitem__, np.array(places, dtype=np.int64))

    @classmethod
    def of_table(cls, table: Table) -> _Written:
        """Take the columns of a table with one label a row."""
        import polars as pl

        labels = table.frame["label"]
        unscored = pl.Series([None], dtype=pl.Float64).new_from_index(0, len(labels))
        scores = table.frame["score"] if "score" in table.frame.columns else unscored

        def line(row: int) -> int:
            return table.line(row) or row + 1

        return cls(table.frame["instance"], labels, scores, line, table.input_rows, labelled=True)


def _written(
    source: Source, name: str, reading: LabelReading, bad: BadRecords, left_out: dict[str, int]
) -> tuple[_Written, Table | None]:
    """Read the rows of a file; those of tables have labels."""
    readers: dict[str, Callable[[], Iterator[RawLabel]]] = {
        "hemkit": lambda: hemkit_rows(source, bad),
        "gaf": lambda: gaf_rows(source, bad, left_out),
        "cafa": lambda: cafa_rows(source, bad),
    }
    if name in readers:
        return _Written.of_rows(readers[name]()), None
    columns = read_table(source, name, reading.chooser(source.path), bad, numbers=("score",), lists=SCORED)
    table = columns.filled(bad, blank=SCORED)
    if name in LISTING and any(map(_has_lists, table.frame.select("^label|score$"))):
        return _Written.of_rows(_listed_rows(table, bad)), table
    return _Written.of_table(table), table


def _has_lists(column: pl.Series) -> bool:
    import polars as pl

    return column.dtype.is_nested() or (column.dtype == pl.String and bool(column.str.starts_with("[").any()))


def _listed_rows(table: Table, bad: BadRecords) -> Iterator[RawLabel]:
    """Return a row for each label: a cell holds one, or a list of them with a list of scores."""
    scored = "score" in table.frame.columns
    columns = ("instance", "label", "row", "score") if scored else ("instance", "label", "row")
    seen: set[str] = set()
    for at, (instance, stated, place, *rest) in enumerate(table.frame.select(columns).iter_rows()):
        line, label = table.line(at) or at + 1, whole(stated)
        score = rest[0] if rest else ""
        if not isinstance(label, list) and not (isinstance(label, str) and label.startswith("[")):
            if label in ("", None):
                bad.add(_problem(table, line, "The label is empty.", f"{instance!r}", "text for the label"))
                continue
            yield RawLabel(line, instance, str(label), _text(score), place)
            continue
        pairs = _listed(label, score)
        if pairs is None:
            found, expected = f"{label!r:.60}", "as many scores as labels"
            bad.add(_problem(table, line, "The labels are not a list of texts.", found, expected))
            continue
        if instance in seen:
            bad.add(_problem(table, line, "The instance occurs twice.", repr(instance), "one list for each instance"))
            continue
        seen.add(instance)
        yield from (RawLabel(line, instance, one, written, place) for one, written in pairs or [("", "")])


def _listed(label: Any, score: Any) -> list[tuple[str, str]] | None:
    """Pair a list of labels with its scores; a label may also be an object with a label and a score."""
    try:
        labels = list(map(whole, label if isinstance(label, list) else parse_json(label)))
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


def _rejected(
    written: _Written, scores: FloatArray, path: str, bad: BadRecords, *, any_number: bool
) -> RecordError | None:
    """Reject rows whose score is no number, and rows of tables without a label.

    A score outside of [0, 1] is rejected with them if bad records are skipped, and is nan from then on.
    """
    empty, skips = (written.labels == "").to_numpy(), bad.on_error == "skip"
    beyond = ~empty & ((scores < 0) | (scores > 1)) & (not any_number)
    faulty = empty & written.labelled | ~empty & np.isnan(scores) | beyond & skips
    for row in np.flatnonzero(faulty).tolist():
        bad.add(_row_error(written, row, path, empty=empty[row], beyond=beyond[row]))
    if skips:
        scores[beyond] = np.nan
    kept = np.flatnonzero(beyond & (not skips)).tolist()
    return _row_error(written, kept[0], path, empty=False, beyond=True) if kept else None


def _row_error(written: _Written, row: int, path: str, *, empty: bool, beyond: bool) -> RecordError:
    found, hint = repr(written.instances[row] if empty else str(written.scores[row])[:60]), None
    if empty:
        message, expected = "The label is empty.", "text for the label"
    elif beyond:
        message, expected = "The score is not in [0, 1].", "a number in [0, 1]"
        hint = "another column: --score-column NAME; or allow any number: --scores any"
    else:
        message, expected = "The score is not a number.", "a number"
    return RecordError(message, path=path, line=written.line(row), found=found, expected=expected, hint=hint)
