"""Labels as annotation tools and classifiers write them: choices of Label Studio, and an object with a number for each label."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from goldassay.core.errors import InputError
from goldassay.core.patterns import pattern_of
from goldassay.core.text import list_first
from goldassay.formats.column_names import bare
from goldassay.formats.documents import json_in
from goldassay.formats.memory import holds_objects, source_of
from goldassay.formats.parquet import BAD_PARQUET, scan_parquet
from goldassay.formats.roles import LABELS
from goldassay.formats.source import PARQUET, Source, polars_errors
from goldassay.formats.tasks import SEVERAL, results_of, rewrite, value_of
from goldassay.formats.texts import to_whole
from goldassay.labels.formats.wide import ROUNDING

WORDS = (b'cats"', b'scores"', b'probabilities"', b'probs"', b'"choices"')
MARKS = pattern_of(rb'"(?:cats|\w{0,20}scores|probabilities|probs)"\s*+:\s*+\{|"choices"\s*+:\s*+\[')
NUMBERED = frozenset({"cats", "scores", "labelscores", "classscores", "probabilities", "probs"})
"""What an object with a number for each label is called, as `bare` writes it."""


BY_INSTANCE = '{"d1": 3, "d2": 5}, {"d1": ["cat", "pet"]}, or with scores {"d1": {"cat": 0.9, "dog": 0.1}}'
"""What an object of instances and labels may be."""


class OfTools(NamedTuple):
    """A file with the labels of tools as rows."""

    source: Source
    are_shares: bool = False  # whether each record has the probabilities of all labels, which sum to 1
    warnings: tuple[str, ...] = ()  # what is to be known of the records


def with_labels(source: Source, *, by_instance: bool = True) -> OfTools:
    """Write the records of tools, cells with fields, and an object of instances as rows of labels; any other file stays as it is."""
    source = _of_objects(source)
    source = _by_instance(source) if by_instance else source
    if b'"' not in source.data or not any(word in source.data for word in WORDS):
        return OfTools(source)
    sums: list[tuple[float, bool]] = []
    several: list[Any] = []

    def change(record: Any) -> Any:
        made = labelled(record)
        if made is not record and len(results_of(record)) > 1:
            several.append(record)
        if made is not record and isinstance(scores := made.get("score"), list):
            sums.append((sum(scores), any(0 < one < 1 for one in scores)))
        return made

    made, _ = rewrite(source, MARKS, change)
    shares = bool(sums) and all(abs(total - 1) <= ROUNDING for total, _ in sums) and any(some for _, some in sums)
    return OfTools(made, shares, (SEVERAL,) if several else ())


def _of_objects(source: Source) -> Source:
    """Write a table of Parquet whose cells have fields as JSON Lines."""
    if not source.data.startswith(PARQUET) or source.frame is not None:
        return source
    with polars_errors(BAD_PARQUET):
        table = scan_parquet(source)
        if not any(map(holds_objects, table.collect_schema().dtypes())):
            return source
        made = source_of(table.collect(), name=source.path)
    return source if made.frame is not None else made


def _by_instance(source: Source) -> Source:
    """Write one object of instances with numbers, lists with numbers, or scores and nulls behind their names as rows."""
    value = json_in(source) if source.data[:1] == b"{" else None
    if type(value) is not dict or not value or any(LABELS.called(role, value) for role in ("instance", "label")):
        return source
    cells = list(value.values())
    if {*map(type, cells)} <= {int, bool, float}:
        if not all(isinstance(one, int) or one.is_integer() for one in cells):
            found = list_first([f"{name}: {one}" for name, one in value.items()])
            message = "Names with numbers are no labels of instances."
            raise InputError(message, found=found, expected=BY_INSTANCE)
    elif NUMBERED & {*map(bare, value)} or None in (kinds := {*map(_has_numbers, cells)}) or True not in kinds:
        return source
    rows = [{"instance": name, "label": label} for name, label in value.items()]
    return source.rewritten("".join(json.dumps(row) + "\n" for row in rows), "jsonl") if rows else source


def _has_numbers(cell: Any) -> bool | None:
    """Return whether a list has more than texts, or an object of numbers a name with nothing behind it; None if it is neither."""
    if isinstance(cell, dict):
        return None in cell.values() if all(one is None or _is_number(one) for one in cell.values()) else None
    kinds = {*map(type, map(to_whole, cell))} if isinstance(cell, list) else {dict}
    return bool(kinds - {str}) if kinds <= {str, int, bool} else None


def labelled(record: Any) -> Any:
    """Write one record of a tool with its labels: those that were chosen, or those whose number is not 0, with the numbers."""
    if not isinstance(record, dict):
        return record
    if isinstance(record.get("data"), dict) and (results := results_of(record)):
        chosen = [name for one in results[0] for name in _choices(value_of(one))]
        own = LABELS.called("instance", [name for name in record["data"] if bare(name) != "text"])
        return {**({} if own else {"id": record.get("id")}), **record["data"], "label": chosen}
    if LABELS.called("label", [name for name, cell in record.items() if not isinstance(cell, dict)]):
        return record
    for key, cell in record.items():
        rest = {name: one for name, one in record.items() if name != key}
        if (
            bare(key) in NUMBERED
            and isinstance(cell, dict)
            and cell
            and all(one is None or _is_number(one) for one in cell.values())
        ):
            stated = {name: number for name, number in cell.items() if number}
            return {**rest, "label": list(stated), "score": list(stated.values())}
        if isinstance(cell, dict) and list(cell) == ["choices"] and (names := _choices(cell)):
            return {**rest, "label": names}
    return record


def _choices(value: Mapping[str, Any]) -> list[str]:
    names = value.get("choices")
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
