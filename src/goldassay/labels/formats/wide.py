"""Tables with a column for each label, such as probabilities of classes, or 1 for each label that an instance has; or with a column for each level."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from goldassay.core.counts import FloatArray
from goldassay.core.errors import InputError
from goldassay.core.libraries import pl
from goldassay.formats.choose_columns import Choice, Chooser
from goldassay.formats.column_names import NUMBER, bare, levels_of_label
from goldassay.formats.roles import LABELS

MARK = "label:"
"""What the role of the column of a label begins with."""
AROUND = ("probability", "proba", "prob", "score", "confidence", "logit", "pred", "prediction", "label", "class", "p")
"""Words around the name of a label that all its columns may have, as in ``prob_cat``."""
ROUNDING, FEWEST = 0.01, 2
ABOUT = frozenset({"text", "title", "description", "content", "sentence", "comment", "length", "split", "fold"})
"""What columns that say more of an instance are called: they are no labels."""
MARKS = {"true": "1", "yes": "1", "x": "1", "\u2713": "1", "false": "0", "no": "0"}
"""How people mark that an instance has a label, or has it not."""


def as_numbers(column: pl.Series) -> pl.Series:
    """Write marks, shares in percent and numbers with a decimal comma as numbers."""
    plain = column.str.strip_chars().str.to_lowercase().replace(MARKS)
    return plain.str.replace(r" ?%$", "e-2").str.replace(r"^([0-9]+),([0-9]+)", "${1}.${2}")


def wide_chooser(instance: str | None) -> Chooser:
    """Return what takes the column of the instances, and all others as labels."""

    def of_columns(names: Sequence[str], **more: Any) -> Choice:
        del more
        cells = [name.strip() for name in names]
        at = _place_of_instances(cells, instance)
        others = [(place, name) for place, name in enumerate(cells) if place != at and name and bare(name) not in ABOUT]
        if (
            at is None
            or len(others) < FEWEST
            or any(NUMBER.fullmatch(name) for name in cells)
            or len(set(cells)) < len(cells)
        ):
            raise InputError("The table has no column for each label.")
        labels = zip(_without_words([name for _, name in others]), others, strict=True)
        return Choice({"instance": at, **{MARK + label: place for label, (place, _) in labels}})

    return of_columns


def level_chooser(instance: str | None) -> Chooser:
    """Return what takes the column of the instances, and a column for each level of their labels, from the root down."""

    def of_columns(names: Sequence[str], **more: Any) -> Choice:
        del more
        cells = [name.strip() for name in names]
        at, levels = _place_of_instances(cells, instance), levels_of_label(cells)
        if at is None or not levels or at in levels.values():
            raise InputError("The table has no column for each level.")
        return Choice({"instance": at, **levels})

    return of_columns


def _place_of_instances(names: Sequence[str], asked: str | None) -> int | None:
    """Find the column of the instances: the one that was asked for, else by its name; pandas leaves it without a name."""
    known = [asked] if asked is not None else LABELS.called("instance", names)
    if not known and names and names[0] in {"", "index"}:
        return 0
    return names.index(known[0]) if len(known) == 1 and known[0] in names else None


def _without_words(names: list[str]) -> list[str]:
    """Leave out a word that all columns begin or end with, such as ``prob_``."""
    for word in AROUND:
        for mark in "_-:. ":
            if all(name.lower().startswith(word + mark) for name in names):
                return [name[len(word) + 1 :].strip() or name for name in names]
            if all(name.lower().endswith(mark + word) for name in names):
                return [name[: -len(word) - 1].strip() or name for name in names]
    return names


def are_shares(scores: FloatArray) -> bool:
    """Return whether each instance has probabilities of classes of which one holds: they are shares that sum to 1."""
    sums = np.nansum(scores, axis=1)
    return bool(len(scores) and (np.abs(sums - 1) <= ROUNDING).all() and ((scores > 0) & (scores < 1)).any())
