"""Flag of this family: several test cases, in a folder or in a table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from goldassay.alignments.cases import manifest_of, systems_of
from goldassay.alignments.reading import AlignmentReading
from goldassay.core.family import Extra


def inputs(cases: str, reading: AlignmentReading) -> tuple[list[Any], Any]:
    """Find the systems and the gold standard that ``--cases`` names."""
    return systems_of(cases) if Path(cases).is_dir() else manifest_of(cases, reading)


CASES = Extra(
    name="cases",
    help="A folder of systems with a folder 'reference', or a table with the columns case, pred and gold.",
    metavar="DIR|TABLE",
    inputs=inputs,
)
