"""The difference of two alignments as an SSSOM mapping set: every mapping with its verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import BinaryIO

import numpy as np

from goldassay.alignments.formats.write import refuse, sssom_head, sssom_terms
from goldassay.alignments.matching import AlignmentMatching
from goldassay.alignments.model import Alignment
from goldassay.alignments.relations import PREDICATES
from goldassay.core.errors import OutputError
from goldassay.core.matching import SideName
from goldassay.report.results import Results

COLUMNS = ("subject_id", "predicate_id", "object_id", "mapping_justification", "confidence", "mapping_tool", "comment")


def sssom_diff(report: Results) -> Callable[[BinaryIO], object]:
    """Prepare a mapping set of the mappings that each prediction has, and those that it misses.

    ``comment`` has the measure and its verdict: ``hit``, ``partial``, ``invented``, ``denied`` or ``missed``; ``mapping_tool`` has
    the prediction, or ``gold`` for what is missed. A relation that SSSOM has no predicate for is ``sssom:other``.
    """
    found = [
        (run.label, score.spec, score.matching)
        for run in report.runs
        for score in run.scores
        if isinstance(score.matching, AlignmentMatching)
    ]
    if not found:
        raise OutputError(
            "No score has correspondences to write.",
            expected="a measure such as overlap",
            hint="another suffix of --explain",
        )
    prefixes: dict[str, str] = {}
    rows = [
        row
        for label, spec, matching in found
        for side in ("pred", "gold")
        for row in _rows(label, spec, matching, side, prefixes)
    ]
    text = "\n".join(
        [
            *sssom_head({prefix: space for space, prefix in prefixes.items()}),
            "\t".join(COLUMNS),
            *("\t".join(row) for row in rows),
            "",
        ]
    )
    return lambda stream: stream.write(text.encode())


def _rows(
    label: str, spec: str, matching: AlignmentMatching, side: SideName, prefixes: dict[str, str]
) -> Iterator[tuple[str, ...]]:
    """List what the prediction has; and of gold what it misses, since what is met is there already."""
    items: Alignment = matching.pred_items if side == "pred" else matching.gold_items
    refuse(items, "\t\r\n", "sssom")
    verdicts = matching.verdicts(side, np.arange(len(items)))
    terms = sssom_terms(items, prefixes)
    tool = " ".join(label.split()) if side == "pred" else "gold"
    for row, verdict in enumerate(verdicts):
        if side == "gold" and verdict != "missed":
            continue
        predicate = PREDICATES.get(int(items.relations[row]), "sssom:other")
        score = float(items.scores[row])
        # SSSOM knows confidences from 0 to 1 alone.
        confidence = repr(score) if 0.0 <= score <= 1.0 else ""
        ends = terms[items.sources[row]], predicate, terms[items.targets[row]]
        yield (*ends, "semapv:UnspecifiedMatching", confidence, tool, f"{spec}: {verdict}")
