"""Files to alignments: OAEI RDF/XML, SSSOM, tables with or without candidates, and folders of test cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from os import PathLike, fspath
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from goldassay.alignments.formats.candidates import Pools, read_pools
from goldassay.alignments.formats.oaei import is_oaei, read_oaei
from goldassay.alignments.formats.records import Sieve, relation_codes, score_numbers
from goldassay.alignments.formats.sssom import NO_TERM, header_of, is_sssom, read_sssom, read_sssom_json
from goldassay.alignments.formats.tables import read_table
from goldassay.alignments.model import NONE, Alignment, Pairs, Rows, interned, null_queries, one_case
from goldassay.alignments.ontologies import described
from goldassay.alignments.reading import AS_USUAL, AlignmentReading
from goldassay.core.errors import InputError, RecordError
from goldassay.formats import Source, load
from goldassay.formats.records import BadRecords
from goldassay.formats.source import text_of

if TYPE_CHECKING:
    import polars as pl

SUFFIXES = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".parquet": "parquet",
    ".jsonl": "json-lines",
    ".ndjson": "json-lines",
}
FILES = (*SUFFIXES, ".rdf", ".xml", ".json", ".gz")
MARKS = {"\t": "tsv", ",": "csv", ";": "csv"}
"""What separates the cells of a header, and what a table with such is."""
BEGINNING = 2**20
NO_COUNTERPART = (NO_TERM, "sssom:NoTermFound", "UnMatched", "Unmatched", "unmatched")
"""Targets that say that a source has no counterpart, as SSSOM and Bio-ML write them."""


def read_alignment(path: str | PathLike[str], reading: AlignmentReading = AS_USUAL) -> Alignment:
    r"""Read an alignment from a file, or from a folder with one file a test case.

    Nothing is dropped in silence: ``left_out`` counts what was not taken, by reason, ``notes`` lists it. An alignment
    without a correspondence is allowed, since a matcher may find nothing.

    Args:
        path: The file, gzipped or not; or a folder, whose files are test cases by their names.
        reading: How to understand it.

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
    if Path(path).is_dir():
        return read_cases([(file.name, fspath(file)) for file in _files(path)], reading, path=fspath(path))
    return described(_one(path, reading), reading)


def read_cases(
    files: Sequence[tuple[str, str]], reading: AlignmentReading = AS_USUAL, *, path: str | None = None
) -> Alignment:
    """Read several test cases as one alignment.

    Args:
        files: The name of each test case, and its file. Names meet without case and without endings, so that
            ``cmt-confOf.rdf`` answers ``cmt-confof.tsv``.
        reading: How to understand the files.
        path: What to call them all.

    Returns:
        The alignment; each correspondence belongs to its test case.

    Raises:
        InputError: If a file cannot be read, or two of them are one test case.
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
    parts = [_one(file, reading) for file in seen.values()]
    return described(replace(_joined(tuple(seen), parts, reading), path=path), reading)


def case_name(name: str) -> str:
    """Name a test case by its file: without case and endings.

    Example:
        >>> case_name("cmt-confOf.rdf"), case_name("A.sssom.tsv.gz")
        ('cmt-confof', 'a')
    """
    return PurePath(name).name.partition(".")[0].lower() or name.lower()


def _files(folder: str | PathLike[str]) -> list[Path]:
    files = sorted(
        file
        for file in Path(folder).iterdir()
        if file.suffix.lower() in FILES and not file.name.startswith(".") and file.is_file()
    )
    if not files:
        raise InputError(
            "The folder holds no alignment.", path=folder, expected=f"files that end in {', '.join(FILES)}"
        )
    return files


def _one(path: str | PathLike[str], reading: AlignmentReading) -> Alignment:
    source = load(path)
    name = reading.input_format or _recognise(source)
    bad = BadRecords(on_error=reading.on_error)
    candidates = None
    match name:
        case "oaei":
            stated = read_oaei(source, bad)
        case "sssom":
            stated = read_sssom(source, bad, reading.metadata)
        case "sssom-json":
            stated = read_sssom_json(source, bad, reading.metadata)
        case _:
            stated, candidates = read_table(source, name, bad, reading.columns)
    return _understood(Sieve.of(stated, source.path, bad), candidates, name, reading)


def _recognise(source: Source) -> str:
    """Recognise the format of a file by its content, and by its name where that leaves a choice."""
    if source.data.startswith(b"PAR1"):
        return "parquet"
    if is_oaei(source):
        return "oaei"
    by_name = SUFFIXES.get(PurePath(source.name).suffix)
    wide = source.data.startswith((b"\xff\xfe", b"\xfe\xff"))
    start = (text_of(source) if wide else source.data[:BEGINNING].decode("utf-8", "replace")).removeprefix("\ufeff")
    found = _of_words(start, by_name)
    if found is None:
        raise InputError(
            "This is no alignment that goldassay knows.",
            path=source.path,
            line=1,
            found=repr(header_of(start)[:60]),
            expected="OAEI RDF/XML, SSSOM (TSV, JSON), CSV, TSV, JSON Lines or Parquet",
            hint="if you know the format, name it: --input-format tsv",
        )
    return found


def _of_words(start: str, by_name: str | None) -> str | None:
    """Recognise a format by the beginning of its text; None if it is none."""
    first = start.lstrip()[:1]
    if first == "[" or (first == "{" and '"mappings"' in start and by_name != "json-lines"):
        return "sssom-json"
    if first == "{":
        return "json-lines"
    header = header_of(start)
    if is_sssom(header):
        return "sssom"
    by_mark = next((name for mark, name in MARKS.items() if mark in header), None)
    return by_name or by_mark


@dataclass(frozen=True, kw_only=True)
class _Statements:
    """What each row of a file is: a correspondence, a denial, a source without counterpart, or of no interest."""

    taken: NDArray[np.bool_]
    denied: NDArray[np.bool_]
    null: NDArray[np.bool_]
    other: NDArray[np.bool_]

    @classmethod
    def of(
        cls, sieve: Sieve, null: NDArray[np.bool_], relations: NDArray[np.int8] | None, kept: tuple[int, ...] | None
    ) -> _Statements:
        good = sieve.good & ~null
        wanted = np.ones(len(good), dtype=np.bool_) if kept is None or relations is None else np.isin(relations, kept)
        says_not = np.zeros(len(good), dtype=np.bool_) if sieve.stated.denied is None else sieve.stated.denied
        return cls(
            taken=good & wanted & ~says_not,
            denied=good & wanted & says_not,
            null=null & sieve.good,
            other=good & ~wanted & ~says_not,
        )


def _understood(sieve: Sieve, cells: pl.Series | None, name: str, reading: AlignmentReading) -> Alignment:
    """Turn the rows of a file into columns of numbers, and sort out the bad ones."""
    terms, (sources, targets) = _entities([sieve.stated.sources, sieve.stated.targets])
    _check_entities(sieve, terms, sources, targets)
    relations = relation_codes(sieve)
    scores = score_numbers(sieve, any_number=reading.scores == "any")
    null = _says_null(terms, targets)
    pools = None if cells is None else read_pools(cells, sieve, nulls=null)
    rows = _Statements.of(sieve, null, relations, reading.kept)
    taken, bad = rows.taken, sieve.bad
    alignment = Alignment.of_codes(
        terms=terms,
        sources=sources[taken],
        targets=targets[taken],
        relations=None if relations is None else relations[taken],
        scores=None if scores is None else scores[taken],
        denied=one_case(sources[rows.denied], targets[rows.denied]),
        nulls=null_queries(sources[rows.null]),
        stated=len(taken) + len(bad.errors) - int((~sieve.good).sum()),
        path=sieve.path,
        format=name,
        left_out={**bad.left_out(), **({"other_relations": int(rows.other.sum())} if rows.other.any() else {})},
        notes=sieve.stated.notes + bad.notes() + _notes(int(taken.sum()), scores, cells),
        choices=reading.choices,
    )
    if pools is not None:
        queries = one_case(sources[sieve.good], np.where(null, NONE, targets)[sieve.good].astype(np.int32))
        alignment = _with_pools(alignment, pools, queries)
    return _remarked(alignment)


def _says_null(terms: pl.Series, targets: Rows) -> NDArray[np.bool_]:
    """Say which rows have a target that stands for none."""
    return np.isin(targets, terms.is_in(list(NO_COUNTERPART)).arg_true().to_numpy())


def _entities(columns: Sequence[pl.Series]) -> tuple[pl.Series, list[Rows]]:
    """Number the entities; those that differ in white space around them alone are one."""
    terms, rows = interned(columns)
    stripped = terms.str.strip_chars()
    if (stripped == terms).all():
        return terms, rows
    terms, (place,) = interned([stripped])
    return terms, [place[row] for row in rows]


def _check_entities(sieve: Sieve, terms: pl.Series, sources: Rows, targets: Rows) -> None:
    empty = (terms == "").arg_true().to_list()
    if not empty:
        return
    for row in np.flatnonzero(np.isin(sources, empty) | np.isin(targets, empty)).tolist():
        side = "source" if sources[row] in empty else "target"
        sieve.reject(row, RecordError(f"The {side} is empty.", expected="an entity"))


def _notes(count: int, scores: NDArray[np.float64] | None, cells: pl.Series | None) -> tuple[str, ...]:
    if not count:
        return ("the file holds no correspondence",)
    return ("no column of scores: every correspondence has the score 1",) if scores is None and cells is None else ()


def _with_pools(alignment: Alignment, pools: Pools, queries: Pairs) -> Alignment:
    """Add pools of candidates, whose entities join the terms."""
    import polars as pl

    terms, (old, codes) = interned([alignment.terms, pl.Series(pools.targets, dtype=pl.String)])
    moved = moved_terms(alignment, terms, old)
    candidates = pools.built(codes, _moved(queries, old))
    return replace(
        moved, candidates=candidates, facts={**moved.facts, "queries": len(queries), "candidates": len(candidates)}
    )


def moved_terms(alignment: Alignment, terms: pl.Series, place: Rows) -> Alignment:
    """Give an alignment other terms, and the place of each of its own among them."""
    return replace(
        alignment,
        terms=terms,
        sources=place[alignment.sources],
        targets=place[alignment.targets],
        denied=_moved(alignment.denied, place),
        nulls=_moved(alignment.nulls, place),
    )


def _moved(pairs: Pairs, place: Rows) -> Pairs:
    targets = np.where(pairs.targets == NONE, NONE, place[pairs.targets]) if len(place) else pairs.targets
    return replace(pairs, sources=place[pairs.sources], targets=targets.astype(np.int32))


def _remarked(alignment: Alignment) -> Alignment:
    """Say what a person should know of relations and statements that are no correspondences."""
    remarks = {
        "correspondences with the relation ?, which are neither right nor wrong": alignment.facts["unjudged"],
        'mappings that say "not", and are no correspondences': len(alignment.denied),
        "sources that are said to have no counterpart": len(alignment.nulls),
    }
    notes = tuple(f"{remark}: {count:,}" for remark, count in remarks.items() if count)
    return replace(alignment, notes=alignment.notes + notes)


def _joined(names: tuple[str, ...], parts: Sequence[Alignment], reading: AlignmentReading) -> Alignment:
    """Join alignments of several test cases into one."""
    terms, places = interned([part.terms for part in parts])
    moved = [moved_terms(part, terms, place) for part, place in zip(parts, places, strict=True)]
    left_out: dict[str, int] = {}
    for part in parts:
        for reason, number in part.left_out.items():
            left_out[reason] = left_out.get(reason, 0) + number
    joined = Alignment.of_codes(
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
        format=f"{len(parts)} test cases, {'/'.join(dict.fromkeys(part.format for part in parts))}",
        left_out=left_out,
        notes=tuple(f"{name}: {note}" for name, part in zip(names, parts, strict=True) for note in part.notes),
        choices=reading.choices,
    )
    pools = [number for number, part in enumerate(parts) if part.candidates is not None]
    if pools:
        raise InputError(
            "Candidates are read from one file at a time.",
            path=parts[pools[0]].path,
            expected="a folder of alignments without candidates",
            hint="score this file alone",
        )
    return replace(joined, facts={**joined.facts, "cases": len(parts)})


def _joined_pairs(pairs: Sequence[Pairs]) -> Pairs:
    return Pairs(
        sources=np.concatenate([part.sources for part in pairs]),
        targets=np.concatenate([part.targets for part in pairs]),
        cases=np.repeat(np.arange(len(pairs), dtype=np.int32), [len(part) for part in pairs]),
    )
