"""Flag of this family: several test cases, in a folder or in a table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from goldassay.alignments.cases import is_of_melt, manifest_of, results_of_melt, systems_of
from goldassay.core.family import Extra, SideOptions


def inputs(cases: str, reading: SideOptions) -> tuple[list[Any], Any]:
    """Find the systems and the gold standard that ``--cases`` names."""
    if not Path(cases).is_dir():
        return manifest_of(cases, *reading)
    return results_of_melt(cases, *reading) if is_of_melt(cases) else systems_of(cases)


CASES = Extra(
    name="cases",
    help="A folder of systems with a folder 'reference', MELT's results, or a table with the columns case, pred and gold.",
    metavar="DIR|TABLE",
    inputs=inputs,
)
