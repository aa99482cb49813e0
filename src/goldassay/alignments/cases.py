"""Several test cases: a folder with one folder per system, or a manifest that pairs files; and the flag for them."""

from __future__ import annotations

from os import fspath
from pathlib import Path
from typing import Any

from goldassay.alignments.model import Alignment
from goldassay.alignments.read import predicted_cases, read_cases
from goldassay.alignments.reading import AS_USUAL, AlignmentReading
from goldassay.core.errors import InputError, RecordError
from goldassay.core.family import Extra, SideOptions
from goldassay.formats import load, recognise
from goldassay.formats.records import BadRecords
from goldassay.formats.roles import MANIFEST
from goldassay.formats.rows import TABLES, read_table

GOLD_NAMES = ("reference", "references", "gold")
COLUMNS = ("case", "pred", "gold")
SYSTEM_FILE = "systemAlignment"
"""What MELT names the alignment of a system."""


def systems_of(folder: str) -> tuple[list[str], str]:
    """Find the systems and the gold standard in a folder: each is a folder with one file per test case.

    Gold is the folder ``reference`` or ``gold``; one called ``ontologies`` is no system.
    """
    inside = sorted(path for path in Path(folder).iterdir() if path.is_dir() and not path.name.startswith("."))
    gold = next((path for path in inside if path.name.lower() in GOLD_NAMES), None)
    systems = [fspath(path) for path in inside if path != gold and path.name.lower() != "ontologies"]
    if gold is None or not systems:
        raise InputError(
            "The folder contains no gold standard." if gold is None else "The folder contains no system.",
            path=folder,
            found=", ".join(path.name for path in inside) or "no folder",
            expected="a folder named reference, and one per system, each with one file per test case",
        )
    return systems, fspath(gold)


def is_of_melt(folder: str) -> bool:
    """Return whether a folder is laid out as MELT's results: CASE/SYSTEM/systemAlignment.rdf."""
    return any(Path(folder).glob(f"*/*/{SYSTEM_FILE}.*"))


def results_of_melt(
    folder: str, reading: AlignmentReading = AS_USUAL, gold_reading: AlignmentReading | None = None
) -> tuple[list[Alignment], Alignment]:
    """Read the results of MELT: a folder per test case, in it one per system with its alignment, and the reference."""
    systems: dict[str, list[tuple[str, str]]] = {}
    gold: list[tuple[str, str]] = []
    for case in sorted({path.parent.parent for path in Path(folder).glob(f"*/*/{SYSTEM_FILE}.*")}):
        found = sorted(path for path in case.iterdir() if path.is_file() and path.stem.lower() in GOLD_NAMES)
        if len(found) != 1:
            raise InputError(
                f"The test case {case.name!r} has {'several references' if found else 'no reference'}.",
                path=case,
                found=", ".join(sorted(path.name for path in case.iterdir())),
                expected="one file reference.rdf, beside a folder for each system",
            )
        gold.append((case.name, fspath(found[0])))
        for file in sorted(case.glob(f"*/{SYSTEM_FILE}.*")):
            systems.setdefault(file.parent.name, []).append((case.name, fspath(file)))
    preds = [predicted_cases(files, reading, path=system) for system, files in sorted(systems.items())]
    return preds, read_cases(gold, gold_reading or reading, path=folder)


def manifest_of(
    path: str, reading: AlignmentReading = AS_USUAL, gold_reading: AlignmentReading | None = None
) -> tuple[list[Alignment], Alignment]:
    """Read the test cases that a manifest pairs: a table with the columns case, pred and gold, and optionally system; paths are relative to its folder."""
    source = load(path)
    bad = BadRecords()
    table = read_table(source, recognise(source, TABLES), MANIFEST.chooser(source.path), bad).filled(
        bad, blank=("system",)
    )
    gold: dict[str, str] = {}
    systems: dict[str, list[tuple[str, str]]] = {}
    for number, cells in enumerate(table.frame.iter_rows(named=True)):
        case, pred, reference = (cells[column] for column in COLUMNS)
        if gold.setdefault(case, reference) != reference:
            raise RecordError(
                f"The test case {case!r} has two gold standards.",
                path=path,
                line=table.line(number),
                found=f"{gold[case]} and {reference}",
                expected="one per case",
            )
        systems.setdefault(cells.get("system") or "prediction", []).append((case, pred))
    here = Path(path).parent
    preds = [
        predicted_cases([(case, fspath(here / file)) for case, file in files], reading, path=system)
        for system, files in systems.items()
    ]
    references = [(case, fspath(here / file)) for case, file in gold.items()]
    return preds, read_cases(references, gold_reading or reading, path=path)


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
