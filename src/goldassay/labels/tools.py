"""Labels as annotation tools and classifiers write them: choices of Label Studio, and an object with a number for each label."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from goldassay.formats.roles import LABELS, bare
from goldassay.formats.source import Source
from goldassay.formats.tasks import SEVERAL, results_of, rewrite, value_of
from goldassay.labels.wide import ROUNDING

WORDS = (b'cats"', b'scores"', b'probabilities"', b'probs"', b'"choices"')
MARKS = re.compile(rb'"(?:cats|\w{0,20}scores|probabilities|probs)"\s*+:\s*+\{|"choices"\s*+:\s*+\[')
NUMBERED = frozenset({"cats", "scores", "labelscores", "classscores", "probabilities", "probs"})
"""What an object with a number for each label is called, as `bare` writes it."""


class OfTools(NamedTuple):
    """A file with the labels of tools as rows."""

    source: Source
    are_shares: bool = False  # whether each record has the probabilities of all labels, which sum to 1
    warnings: tuple[str, ...] = ()  # what is to be known of the records


def with_labels(source: Source) -> OfTools:
    """Write the records of tools as rows of labels; any other file stays as it is."""
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
        if bare(key) in NUMBERED and isinstance(cell, dict) and cell and all(map(_is_number, cell.values())):
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
