"""Files to alignments: OAEI RDF/XML, SSSOM, tables with or without candidates; and several test cases, in a folder or a manifest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from os import PathLike, fspath
from os.path import isdir, isfile
from pathlib import Path, PurePath
from typing import Any

import numpy as np

from goldassay.alignments.formats.candidates import with_scores
from goldassay.alignments.formats.oaei import read_oaei
from goldassay.alignments.formats.sssom import read_sssom, read_sssom_rdf
from goldassay.alignments.model import Alignment, Pairs, reindex, stack_columns
from goldassay.alignments.ontologies import add_found_ontologies, add_ontologies
from goldassay.alignments.reading import DEFAULTS, READABLE, AlignmentReading
from goldassay.alignments.rows import RawMappings, build_plain_alignment, to_alignment
from goldassay.core.errors import EmptyInputError, InputError, RecordError, UsageError, names_file
from goldassay.core.family import Extra, SideOptions
from goldassay.core.intern import number_columns
from goldassay.core.model import NO_ROW, InputRows
from goldassay.formats import Source, load, recognise
from goldassay.formats.answers.cells import as_batch
from goldassay.formats.answers.means import OF_CORRESPONDENCES
from goldassay.formats.answers.read import read_answer
from goldassay.formats.choose_columns import Choice
from goldassay.formats.column_names import bare
from goldassay.formats.edge_tables import spread_lists
from goldassay.formats.graph_files import as_known
from goldassay.formats.known import ANSWER, MEMORY, SUFFIXES, TRIPLES, formats_of
from goldassay.formats.memory import Columns
from goldassay.formats.records import BadRecords
from goldassay.formats.roles import CORRESPONDENCES, MANIFEST
from goldassay.formats.rows import TABLES, read_table
from goldassay.formats.tables import Table, without_worded_scores

FILES = (*(suffix for suffix, name in SUFFIXES.items() if name in TABLES), ".rdf", ".xml", ".json", ".gz")
"""The suffixes of the files of a folder that are test cases."""
RANKS = frozenset({"rank", "position", "distance", "dist"})
"""Columns that say how good a target is, and are no scores."""
WITHOUT_CONTEXTS = tuple(known for known in READABLE if known != "json-ld")


def read_alignment(path: str | PathLike[str], reading: AlignmentReading = DEFAULTS) -> Alignment:
    r"""Read an alignment from a file, or from a folder with one file per test case.

    Nothing is dropped silently: ``left_out`` counts what was not used, by reason, ``notes`` lists it. An alignment
    without a correspondence is allowed, since a matcher may find nothing.

    Args:
        path: The file, gzipped or not; or a folder, whose files are test cases by their names.
        reading: The options of the reader.

    Returns:
        The alignment, each correspondence once.

    Raises:
        InputError: If a file cannot be read; a :class:`~goldassay.core.errors.RecordError` for one bad record.

    Example:
        >>> import tempfile, pathlib
        >>> file = pathlib.Path(tempfile.mkdtemp(), "a.tsv")
        >>> _ = file.write_text("SrcEntity\tTgtEntity\tScore\nMA_1\tNCI_7\t0.9\n")
        >>> alignment = read_alignment(file)
        >>> alignment.format, alignment.item(0), alignment.scores.tolist()
        ('tsv', 'MA_1 = NCI_7', [0.9])
    """
    if isdir(path):
        return read_cases([(file.name, fspath(file)) for file in _files(path)], reading, path=fspath(path))
    return add_ontologies(_read_file(path, reading), reading)


def alignment_of_columns(columns: Columns, reading: AlignmentReading = DEFAULTS) -> Alignment | None:
    """Make an alignment of a list of tuples; None if a row needs the checks of the reader of tables."""
    found = build_plain_alignment(
        columns.cells, reading, input_rows=columns.rows.astype(np.int32), path=columns.name, format=MEMORY
    )
    return found and add_ontologies(found, reading)


def read_cases(
    files: Sequence[tuple[str, str]], reading: AlignmentReading = DEFAULTS, *, path: str | None = None
) -> Alignment:
    """Read several test cases as one alignment.

    Args:
        files: The name of each test case, and its file. Names are compared without case and suffixes, so that
            ``cmt-confOf.rdf`` matches ``cmt-confof.tsv``.
        reading: The options of the reader.
        path: The path of all of them, for messages.

    Returns:
        The alignment; each correspondence belongs to its test case.

    Raises:
        InputError: If a file cannot be read, or two of them are one test case; an `EmptyInputError` that has the alignment if one is empty.
    """
    seen: dict[str, str] = {}
    for name, file in files:
        case = case_name(name)
        if case in seen:
            raise InputError(
                f"Two files are the test case {case!r}.",
                path=path,
                found=f"{seen[case]} and {file}",
                expected="one file",
            )
        seen[case] = file
    parts: list[Alignment] = []
    empty: list[EmptyInputError] = []
    for file in seen.values():
        try:
            parts.append(_read_file(file, reading))
        except EmptyInputError as error:
            if not error.is_about(file):
                raise
            empty.append(error)
            nothing = replace(Alignment.from_rows([]), path=file, format="empty", choices=reading.choices)
            parts.append(replace(nothing, input_rows=np.zeros(0, dtype=np.int32)))
    alignment = add_ontologies(replace(_concat(tuple(seen), parts, reading), path=path), reading)
    if empty:
        notes = (*alignment.notes, *(f"{error.path} is empty" for error in empty))
        empty[0].model = replace(alignment, notes=notes)
        raise empty[0]
    return alignment


def read_predicted_cases(files: Sequence[tuple[str, str]], reading: AlignmentReading, *, path: str) -> Alignment:
    """Read several test cases as one prediction: a file without any correspondence is an empty case."""
    try:
        return read_cases(files, reading, path=path)
    except EmptyInputError as error:
        if not isinstance(error.model, Alignment):
            raise
        return error.model


def case_name(name: str) -> str:
    """Name a test case by its file: without case and suffixes."""
    return PurePath(name).name.partition(".")[0].lower() or name.lower()


def _files(folder: str | PathLike[str]) -> list[Path]:
    files = sorted(
        file
        for file in Path(folder).iterdir()
        if file.suffix.lower() in FILES and not file.name.startswith(".") and isfile(file)
    )
    if not files:
        raise InputError(
            "The folder contains no alignment.", path=folder, expected=f"files with the suffix {', '.join(FILES)}"
        )
    return files


@names_file
def _read_file(path: str | PathLike[str], reading: AlignmentReading) -> Alignment:
    source = as_batch(load(path), reading, OF_CORRESPONDENCES)
    source = as_known(source) if reading.input_format is None else source
    return _read_source(source, reading.input_format or _format_of(source), reading)


def _format_of(source: Source) -> str:
    # JSON-LD is recognised only by its suffix, since SSSOM's JSON has contexts, too.
    readable = READABLE if source.name.endswith(".jsonld") else WITHOUT_CONTEXTS
    return recognise(source, readable, OF_CORRESPONDENCES)


def _read_source(source: Source, name: str, reading: AlignmentReading) -> Alignment:
    if name == ANSWER:
        answer = read_answer(source, meaning=OF_CORRESPONDENCES)
        found = _read_source(answer.source, answer.format or _format_of(answer.source), reading)
        return replace(found, format=ANSWER, **answer.provenance(source.path, found))
    bad = BadRecords(on_error=reading.on_error)
    if name == "oaei":
        raw = read_oaei(source, bad)
    elif name in {"sssom", "sssom-json"}:
        raw = read_sssom(source, name, bad, reading.metadata)
    elif name in TRIPLES:
        raw = read_sssom_rdf(source, name, bad)
    else:
        raw = _read_rows(source, name, bad, reading)
    return to_alignment(raw, name, reading, bad)


def _read_rows(source: Source, name: str, bad: BadRecords, reading: AlignmentReading) -> RawMappings:
    """Read a table in one of the formats of rows, with any column names."""
    unread: list[str] = []
    named: list[bool] = []

    def choose(columns: Sequence[str], **known: Any) -> Choice:
        choice = reading.chooser()(columns, **known)
        named.append(choice.named)
        if choice.named:
            unread.extend(column for place, column in enumerate(columns) if place not in choice.places.values())
            ranks = [column for column in unread if bare(column) in RANKS]
            if ranks and "score" not in choice.places:
                tied = f"without scores all targets of a source are tied in rankings: not read: {', '.join(ranks)}"
                choice = choice._replace(warnings=(*choice.warnings, tied))
        return choice

    lists = ("candidates", "candidate_scores", "target")
    table = with_scores(read_table(source, name, choose, bad, numbers=("score",), lists=lists, names=("target",)))
    table = without_worded_scores(table, named=all(named) and not reading.score_column)
    return RawMappings(path=table.path, table=_with_lists(table, bad), unread=tuple(dict.fromkeys(unread)))


def _with_lists(table: Table, bad: BadRecords) -> Table:
    """Write a row for each target of a list; between bars a cell has several only if its column is a plural."""
    if "target" not in table.roles or "candidates" in table.roles:
        return table
    spread = spread_lists(table, ["target"], bad)
    if spread is not table:
        return replace(spread, frame=spread.frame.drop_nulls("target"))
    bars = int(table.frame["target"].str.contains("|", literal=True).sum())
    warning = (
        f"{bars:,} target{'s have' if bars != 1 else ' has'} a bar, and {'are' if bars != 1 else 'is'} one name each"
    )
    return replace(table, warnings=(*table.warnings, *[warning] * bool(bars)))


def _concat(names: tuple[str, ...], parts: Sequence[Alignment], reading: AlignmentReading) -> Alignment:
    """Concatenate the alignments of several test cases."""
    terms, places = number_columns(*(part.terms for part in parts))
    moved = [reindex(part, terms, place) for part, place in zip(parts, places, strict=True)]
    left_out = Counter[str]()
    for part in parts:
        left_out.update(part.left_out)
    whole = Alignment.of_codes(
        terms=terms,
        **stack_columns(moved, "sources", "targets", "relations", "scores", "times"),
        cases=np.repeat(np.arange(len(parts), dtype=np.int32), [len(part) for part in moved]),
        case_names=names,
        denied=_concat_pairs([part.denied for part in moved]),
        nulls=_concat_pairs([part.nulls for part in moved]),
        stated=sum(part.stated for part in parts),
        input_rows=_concat_rows(parts),
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
            hint="score this file by itself",
        )
    return replace(whole, facts={**whole.facts, "cases": len(parts)})


def _concat_rows(parts: Sequence[Alignment]) -> InputRows:
    """Concatenate the rows of the inputs of the test cases, of which some may have none."""
    if all(part.input_rows is None for part in parts):
        return None
    return np.concatenate(
        [np.full(len(part), NO_ROW, dtype=np.int32) if part.input_rows is None else part.input_rows for part in parts]
    )


def _concat_pairs(pairs: Sequence[Pairs]) -> Pairs:
    cases = np.repeat(np.arange(len(pairs), dtype=np.int32), [len(part) for part in pairs])
    return Pairs(cases=cases, **stack_columns(pairs, "sources", "targets"))


def claims(name: str, columns: Sequence[str]) -> bool:
    """Claim OAEI and SSSOM files, and tables with sources, targets, and scores or candidates."""
    if name in formats_of("mappings"):
        return True
    scored = any(CORRESPONDENCES.called(role, columns) for role in ("score", "candidates"))
    return scored and CORRESPONDENCES.recognises(columns)


GOLD_NAMES = ("reference", "references", "gold")
COLUMNS = ("case", "pred", "gold")
SYSTEM_FILE = "systemAlignment"
"""What MELT names the alignment of a system."""


def systems_of(folder: str) -> tuple[list[str], str]:
    """Find the systems and the gold standard in a folder: each is a folder with one file per test case."""
    # Gold is the folder `reference` or `gold`; one named `ontologies` is not a system.
    inside = sorted(path for path in Path(folder).iterdir() if isdir(path) and not path.name.startswith("."))
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
    """Return whether a folder is laid out as MELT's results: CASE/SYSTEM/systemAlignment.rdf, also below a folder for each track."""
    return any(True for _ in _results_in(folder))


def _results_in(folder: str) -> Iterator[Path]:
    """Find the alignments of systems in MELT's results, each in a folder of its test case."""
    for depth in ("*/*", "*/*/*"):
        yield from Path(folder).glob(f"{depth}/{SYSTEM_FILE}.*")


def results_of_melt(
    folder: str,
    reading: AlignmentReading = DEFAULTS,
    gold_reading: AlignmentReading | None = None,
    *,
    references: str | None = None,
) -> tuple[list[Alignment], Alignment]:
    """Read the results of MELT: a folder per test case, in it one per system with its alignment, and the reference."""
    # References may be in a folder of their own, as MELT keeps its tracks: `CASE/reference.rdf`, or a file for each
    # case. The ontologies next to a reference, `source` and `target`, give types, labels and hierarchies of all cases.
    systems: dict[str, list[tuple[str, str]]] = {}
    gold: list[tuple[str, str]] = []
    ontologies: dict[str, list[str]] = {"source": [], "target": []}
    elsewhere = None if references is None else _files_in(Path(references))
    results = sorted(_results_in(folder), key=lambda file: (file.parent.parent, file))
    for case, files in groupby(results, lambda file: file.parent.parent):
        gold.append((case.name, fspath(_reference_of(case, elsewhere, references))))
        for end, paths in ontologies.items():
            paths += [fspath(path) for path in Path(gold[-1][1]).parent.glob(f"{end}.*") if isfile(path)]
        for file in files:
            systems.setdefault(file.parent.name, []).append((case.name, fspath(file)))
    whole_cases = all(len(paths) == len(gold) for paths in ontologies.values())
    given = {end: tuple(sorted(paths)) for end, paths in ontologies.items()} if whole_cases else {}
    preds = [read_predicted_cases(files, reading, path=system) for system, files in sorted(systems.items())]
    whole = read_cases(gold, gold_reading or reading, path=references or folder)
    if given and not (reading.source_ontology or reading.target_ontology):
        whole, *preds = add_found_ontologies([whole, *preds], given, reading.language)
    return preds, whole


def _files_in(folder: Path) -> list[Path]:
    return [path for depth in ("*", "*/*", "*/*/*") for path in folder.glob(depth) if isfile(path)]


def _reference_of(case: Path, elsewhere: Sequence[Path] | None, references: str | None) -> Path:
    """Find the reference of a test case: next to its systems, or in the folder of references."""
    where = case if references is None else Path(references)
    if elsewhere is None:
        found = [path for path in case.iterdir() if isfile(path) and path.stem.lower() in GOLD_NAMES]
    else:
        name = case_name(case.name)
        found = [
            path
            for path in elsewhere
            if (path.stem.lower() in GOLD_NAMES and case_name(path.parent.name) == name)
            or (path.suffix.lower() in FILES and path.stem.lower() == name)
        ]
    if len(found) != 1:
        raise InputError(
            f"The test case {case.name!r} has {'several references' if found else 'no reference'}.",
            path=where,
            found=", ".join(sorted(fspath(path) for path in found or where.iterdir())),
            expected=f"one file {case.name}/reference.rdf"
            if references
            else "one file reference.rdf, next to a folder for each system",
            hint="" if references else "--gold FOLDER with CASE/reference.rdf",
        )
    return found[0]


@names_file
def manifest_of(
    path: str, reading: AlignmentReading = DEFAULTS, gold_reading: AlignmentReading | None = None
) -> tuple[list[Alignment], Alignment]:
    """Read the test cases that a manifest pairs: a table with the columns case, pred and gold, and optionally system; paths are relative to its folder."""
    source = load(path)
    bad = BadRecords()
    table = read_table(source, recognise(source, TABLES), MANIFEST.chooser(), bad).fill(bad, blank=("system",))
    gold: dict[str, str] = {}
    systems: dict[str, list[tuple[str, str]]] = {}
    for number, cells in enumerate(table.frame.iter_rows(named=True)):
        case, pred, reference = (cells[column] for column in COLUMNS)
        if gold.setdefault(case, reference) != reference:
            raise RecordError(
                f"The test case {case!r} has two gold standards.",
                line=table.line(number),
                found=f"{gold[case]} and {reference}",
                expected="one per case",
            )
        systems.setdefault(cells.get("system") or "prediction", []).append((case, pred))
    here = Path(path).parent
    preds = [
        read_predicted_cases([(case, fspath(here / file)) for case, file in files], reading, path=system)
        for system, files in systems.items()
    ]
    references = [(case, fspath(here / file)) for case, file in gold.items()]
    return preds, read_cases(references, gold_reading or reading, path=path)


def inputs(cases: str, gold: str | None, reading: SideOptions) -> tuple[list[Any], Any]:
    """Find the systems and the gold standard that ``--cases`` names; MELT's results may have their references elsewhere."""
    of_melt = isdir(cases) and is_of_melt(cases)
    if gold is not None and not of_melt:
        raise UsageError("--cases already gives gold.", found=f"--gold {gold}", hint="remove --gold")
    if of_melt:
        return results_of_melt(cases, *reading, references=gold)
    return systems_of(cases) if isdir(cases) else manifest_of(cases, *reading)


CASES = Extra(
    name="cases",
    help="A folder of systems with a folder 'reference', MELT's results (also with --gold REFERENCES), or a table with the columns case, pred and gold.",
    metavar="DIR|TABLE",
    inputs=inputs,
)
