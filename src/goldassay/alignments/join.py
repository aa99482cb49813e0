"""Alignments over a common list of terms: several test cases joined into one alignment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from goldassay.alignments.lookup import Rows
from goldassay.alignments.model import NONE, Alignment, Pairs, interned
from goldassay.alignments.reading import AlignmentReading
from goldassay.core.errors import InputError
from goldassay.core.model import NO_ROW, InputRows

if TYPE_CHECKING:
    import polars as pl


def moved_terms(alignment: Alignment, terms: pl.Series, place: Rows) -> Alignment:
    """Replace the terms of an alignment, given the place of each old term among the new ones."""
    return replace(
        alignment,
        terms=terms,
        sources=place[alignment.sources],
        targets=place[alignment.targets],
        denied=moved_pairs(alignment.denied, place),
        nulls=moved_pairs(alignment.nulls, place),
    )


def moved_pairs(pairs: Pairs, place: Rows) -> Pairs:
    """Map the terms of pairs to their places among other terms."""
    targets = np.where(pairs.targets == NONE, NONE, place[pairs.targets]) if len(place) else pairs.targets
    return replace(pairs, sources=place[pairs.sources], targets=targets.astype(np.int32))


def joined(names: tuple[str, ...], parts: Sequence[Alignment], reading: AlignmentReading) -> Alignment:
    """Join alignments of several test cases into one."""
    terms, places = interned([part.terms for part in parts])
    moved = [moved_terms(part, terms, place) for part, place in zip(parts, places, strict=True)]
    left_out: dict[str, int] = {}
    for part in parts:
        for reason, number in part.left_out.items():
            left_out[reason] = left_out.get(reason, 0) + number
    whole = Alignment.of_codes(
        terms=terms,
        sources=np.concatenate([part.sources for part in moved]),
        targets=np.concatenate([part.targets for part in moved]),
        relations=np.concatenate([part.relations for part in moved]),
        scores=np.concatenate([part.scores for part in moved]),
        times=np.concatenate([part.times for part in moved]),
        cases=np.repeat(np.arange(len(parts), dtype=np.int32), [len(part) for part in moved]),
        case_names=names,
        denied=_joined_pairs([part.denied for part in moved]),
        nulls=_joined_pairs([part.nulls for part in moved]),
        stated=sum(part.stated for part in parts),
        input_rows=_joined_rows(parts),
        format=f"{len(parts)} test cases, {'/'.join(dict.fromkeys(part.format for part in parts))}",
        left_out=left_out,
        notes=tuple(f"{name}: {note}" for name, part in zip(names, parts, strict=True) for note in part.notes),
        warnings=tuple(f"{name}: {line}" for name, part in zip(names, parts, strict=True) for line in part.warnings),
        choices=reading.choices,
        beyond_unit=next((part.beyond_unit for part in parts if part.beyond_unit), None),
    )
    pools = [number for number, part in enumerate(parts) if part.candidates is not None]
    if pools:
        raise InputError(
            "Folders with candidates are not supported.",
            path=parts[pools[0]].path,
            expected="a folder of alignments without candidates",
            hint="score this file alone",
        )
    return replace(whole, facts={**whole.facts, "cases": len(parts)})


def _joined_rows(parts: Sequence[Alignment]) -> InputRows:
    """Join the rows of the inputs of the test cases, of which some may have none."""
    if all(part.input_rows is None for part in parts):
        return None
    return np.concatenate(
        [np.full(len(part), NO_ROW, dtype=np.int32) if part.input_rows is None else part.input_rows for part in parts]
    )


def _joined_pairs(pairs: Sequence[Pairs]) -> Pairs:
    return Pairs(
        sources=np.concatenate([part.sources for part in pairs]),
        targets=np.concatenate([part.targets for part in pairs]),
        cases=np.repeat(np.arange(len(pairs), dtype=np.int32), [len(part) for part in pairs]),
    )
