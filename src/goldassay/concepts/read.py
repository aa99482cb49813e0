"""Files to documents with concepts: JSON Lines, CSV, TSV, Parquet and plain text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, islice, tee
from os import PathLike, fspath
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from goldassay.concepts.annotations import FORMATS, annotations_in, brat_folder
from goldassay.concepts.assertions import AFFIRMED, VERSION, asserted
from goldassay.concepts.columns import (
    DocumentColumns,
    columns_of,
    given_concepts,
    given_paths,
    id_of,
    listed,
    text_cell,
)
from goldassay.concepts.model import Concepts, Found, lay_out
from goldassay.concepts.reading import AS_USUAL, READABLE, ConceptReading
from goldassay.concepts.records import Record, records_of, split_column
from goldassay.concepts.regular import regular_concepts
from goldassay.core.errors import InputError, RecordError
from goldassay.core.limits import LIST
from goldassay.core.model import NO_ROW, InputRows
from goldassay.core.text import first_few
from goldassay.formats import Source, load, recognise
from goldassay.formats.records import BadRecords

Cell = TypeVar("Cell")
UNTYPED = ("csv", "tsv")
LOOKED_AT = 100
"""Records that say together which columns there are."""
EXPECTED = {
    "id": "text or a whole number",
    "text": "a text",
    "concepts": "a list of texts, or of objects with a text",
    "tree": "nodes with texts and children, or a nested list",
}


class Document(NamedTuple):
    """One document as it was read.

    Attributes:
        id: Its id.
        text: Its text; empty if only concepts are given.
        given: Its concepts; None if they must be found in the text.
    """

    id: str
    text: str
    given: list[Found] | None


def read_concepts(path: str | PathLike[str], reading: ConceptReading = AS_USUAL) -> Concepts:
    r"""Read documents, and the concepts that are given for them or found in them.

    Nothing is dropped silently: ``left_out`` counts what was not used, by reason, ``notes`` lists it.

    Args:
        path: The file, gzipped or not; ``answers.csv#reference`` takes the column ``reference``, whether it holds texts
            or concepts.
        reading: The options of the reader.

    Returns:
        The documents, in the order of the file.

    Raises:
        InputError: If the file cannot be read, or contains no document.
        UsageError: If a named column does not exist.
        MissingDependencyError: If the package for a dictionary or for spaCy is not installed.

    Example:
        >>> import tempfile, pathlib
        >>> file = pathlib.Path(tempfile.mkdtemp(), "answers.tsv")
        >>> _ = file.write_text("id\ttext\nq1\tTake aspirin for heart attacks.\n")
        >>> concepts = read_concepts(file)
        >>> [concepts.item(row) for row in range(len(concepts))]
        ['q1: aspirin', 'q1: heart attacks']
    """
    return _read(path, reading, several=False)[0]


def read_references(path: str | PathLike[str], reading: ConceptReading = AS_USUAL) -> list[Concepts]:
    r"""Read gold answers of which several may have one id, or stand in one record as a list of texts or of lists.

    Args:
        path: The file, as `read_concepts` reads it.
        reading: How to understand it.

    Returns:
        The first answers of all ids, the second answers, and so on; as many as the id with most answers has.

    Raises:
        InputError: If the file cannot be read, or holds no document.

    Example:
        >>> import tempfile, pathlib
        >>> file = pathlib.Path(tempfile.mkdtemp(), "gold.jsonl")
        >>> _ = file.write_text('{"id": 1, "concepts": ["aspirin"]}\n{"id": 1, "concepts": ["ASA", "aspirin"]}\n')
        >>> [len(gold) for gold in read_references(file)]
        [1, 2]
    """
    return _read(path, reading, several=True)


def _read(path: str | PathLike[str], reading: ConceptReading, *, several: bool) -> list[Concepts]:
    file, chosen = split_column(path)
    bad = BadRecords(on_error=reading.on_error)
    name, source = _recognised(file, reading)
    at_once = regular_concepts(source, reading, chosen) if source and name == "json-lines" else None
    if at_once is None:
        reader = _Reader(
            reading, fspath(file), chosen, bad, in_cells=name not in {"json-lines", *FORMATS}, several=several
        )
        models, columns = _one_by_one(_records(file, source, name, reading, bad), reader)
    else:
        models, columns = [at_once[0]], at_once[1]
    numbered = [f"{fspath(path)} ({number})" for number in range(1, len(models) + 1)]
    return [
        replace(
            concepts,
            path=label if len(models) > 1 else fspath(path),
            format=name,
            on_unpaired=reading.on_unpaired,
            left_out={**concepts.left_out, **bad.left_out()},
            notes=(*_notes(columns, concepts, reading), *bad.notes()),
            warnings=(BY_PLACE,) * (columns.id is None and name != "text" and len(concepts.ids) > 1),
            choices=_choices(reading, concepts, columns),
        )
        for label, concepts in zip(numbered, models, strict=True)
    ]


def _one_by_one(records: Iterator[Record], reader: _Reader) -> tuple[list[Concepts], DocumentColumns]:
    """Read record by record; the second document of an id goes into a second model, and so on."""
    found = list(_with_concepts(reader.documents(records), reader.reading))
    if reader.reading.terms:
        found = [(one, text, [_with_text(each) for each in concepts]) for one, text, concepts in found]
    if reader.columns is None:
        raise reader.bad.no_item(
            "The file contains no document.", path=reader.path, found="no record", expected="at least one record"
        )
    models = [
        replace(lay_out(found[at] for at in places), input_rows=_input_rows([reader.rows[at] for at in places]))
        for places in _told_apart([name for name, *_ in found])
    ]
    return models, reader.columns


def _input_rows(rows: Sequence[int]) -> InputRows:
    return None if NO_ROW in rows else np.array(rows, dtype=np.int64)


def _with_text(found: Found) -> Found:
    return found._replace(key=f"{found.id}\t{found.name}") if found.id else found


def _recognised(file: str | PathLike[str], reading: ConceptReading) -> tuple[str, Source | None]:
    """Recognise the format of a file, and load it; a folder is one of BRAT."""
    if Path(file).is_dir():
        return "brat", None
    source = load(file)
    annotated = None if reading.input_format else annotations_in(source)
    return annotated or reading.input_format or recognise(source, READABLE), source


def _records(
    file: str | PathLike[str], source: Source | None, name: str, reading: ConceptReading, bad: BadRecords
) -> Iterator[Record]:
    if source is None:
        return (Record(1, line, cells) for line, cells in brat_folder(Path(file), bad))
    if name in FORMATS:
        records = enumerate(FORMATS[name].records(source, bad), start=1)
        return (Record(number, line, cells) for number, (line, cells) in records)
    return records_of(source, name, bad, reading.unnamed(source.path) if name in UNTYPED else None)


def _told_apart(ids: Sequence[str]) -> list[list[int]]:
    """Put the place of the first document of each id into the first list, of the second into the second, and so on."""
    seen: Counter[str] = Counter()
    lists: list[list[int]] = [[]]
    for at, name in enumerate(ids):
        place = seen[name]
        seen[name] += 1
        if place == len(lists):
            lists.append([])
        lists[place].append(at)
    return lists


@dataclass
class _Reader:
    """Turns the records of one file into documents.

    Attributes:
        reading: The options of the reader.
        path: The file.
        chosen: The column that holds the documents, if one was named.
        bad: Receives the records that cannot be read.
        in_cells: Whether a list may be written as text in a cell.
        several: Whether an id may have several documents, and a record several answers.
        columns: Which column is what; None before the first record.
        most: How many concepts a document may have.
        seen: The ids so far, and the place of each: its line, or its number if there are no lines.
        rows: The row of the input of each document so far.
    """

    reading: ConceptReading
    path: str
    chosen: str | None
    bad: BadRecords
    in_cells: bool
    several: bool = False
    columns: DocumentColumns | None = None
    most: int = field(default_factory=lambda: LIST.value)
    seen: dict[str, int] = field(default_factory=dict)
    rows: list[int] = field(default_factory=list)

    def documents(self, records: Iterator[Record]) -> Iterator[Document]:
        first = list(islice(records, LOOKED_AT))
        if first:
            self.columns = self._columns(first)
        for record in chain(first, records):
            assert self.columns is not None  # noqa: S101 - there is a record
            try:
                made = [self._document(one, self.columns) for one in self._answers(record, self.columns)]
            except RecordError as error:
                self.bad.add(error)
                continue
            self.rows += [record.row] * len(made)
            yield from made

    def _columns(self, records: Sequence[Record]) -> DocumentColumns:
        """Say which column is what: the header of a table, and no cell of its first row; in JSON the first record that says so."""
        if not self.in_cells:
            with suppress(InputError):
                return columns_of(records[0].cells, self.reading, chosen=self.chosen, path=self.path, headed=False)
        cells = _cells_of(records)
        return columns_of(cells, self.reading, chosen=self.chosen, path=self.path, headed=self.in_cells)

    def _answers(self, record: Record, columns: DocumentColumns) -> list[Record]:
        """Give a record as often as it has answers: lists of concepts, or texts, where one is expected."""
        column = columns.text if columns.concepts is None else columns.concepts
        cell = None if column is None else record.cells.get(column)
        inner = str if columns.concepts is None else list
        if not (
            self.several and column and isinstance(cell, list) and cell and all(isinstance(o, inner) for o in cell)
        ):
            return [record]
        return [record._replace(cells={**record.cells, column: one}) for one in cell]

    def _document(self, record: Record, columns: DocumentColumns) -> Document:
        name = str(record.number) if columns.id is None else self._cell(record, "id", columns.id, id_of)
        given, text = None, ""
        needed = columns.concepts is None and columns.tree is None
        if columns.text is not None and (
            needed or (columns.tree is None and record.cells.get(columns.text) is not None)
        ):
            text = self._cell(record, "text", columns.text, text_cell)
        if columns.concepts is not None:
            given = self._cell(record, "concepts", columns.concepts, partial(self._concepts, text=text))
        elif columns.tree is not None:
            given = self._cell(record, "tree", columns.tree, self._paths)
        self._check_places(record, given or [], text)
        if name in self.seen and not self.several:
            raise RecordError(
                f"The id {name!r} occurs twice.",
                path=self.path,
                line=record.line,
                found=f"it is already in {_place(record, self.seen[name])}",
                expected="one document per id",
                hint="several gold answers of one id are read with --golds max",
            )
        self.seen[name] = record.line or record.number
        return Document(name, text, given)

    def _check_places(self, record: Record, given: Sequence[Found], text: str) -> None:
        """Reject a place outside the text."""
        outside = next((one for one in given if one.end > len(text)), None) if text else None
        if outside is not None:
            raise RecordError(
                f"The concept {outside.name!r} is outside its text.",
                path=self.path,
                line=record.line,
                found=f"{outside.start} to {outside.end}",
                expected=f"at most {len(text)}, in characters",
            )

    def _concepts(self, cell: Any, *, text: str) -> list[Found]:
        cell = listed(cell) if self.in_cells else cell
        return given_concepts(cell, fold=self.reading.fold, most=self.most, text=text)

    def _paths(self, cell: Any) -> list[Found]:
        return given_paths(cell, separator=self.reading.separator, fold=self.reading.fold)

    def _cell(self, record: Record, role: str, column: str, read: Callable[[Any], Cell]) -> Cell:
        absent = self.in_cells and record.line is not None and record.cells.get(column) is None
        if absent or column not in record.cells:
            has = [name for name, cell in record.cells.items() if not absent or cell is not None]
            raise RecordError(
                f"The {role} is missing.",
                path=self.path,
                line=record.line,
                found=f"{_place(record)} has {', '.join(map(repr, has))}",
                expected=repr(column),
            )
        try:
            return read(record.cells[column])
        except (ValueError, TypeError) as error:
            raise RecordError(
                f"The {role} in {_place(record)} cannot be read.",
                path=self.path,
                line=record.line,
                found=f"{column}: {error}",
                expected=EXPECTED[role],
            ) from error


def _cells_of(records: Sequence[Record]) -> dict[str, Any]:
    """Give every column of some records with its first cell that says something."""
    cells: dict[str, Any] = {}
    for record in records:
        cells |= {name: cell for name, cell in record.cells.items() if cells.get(name) in (None, "")}
    return cells


def _with_concepts(documents: Iterator[Document], reading: ConceptReading) -> Iterator[tuple[str, str, list[Found]]]:
    """Find the concepts of documents one by one, unless they are given."""
    first = next(documents, None)
    if first is None:
        return
    documents = chain([first], documents)
    if first.given is not None:
        yield from ((document.id, document.text, _told(document)) for document in documents)
        return
    documents, asked = tee(documents)
    found = reading.extractor.find_all(document.text for document in asked)
    for document, concepts in zip(documents, found, strict=True):
        yield document.id, document.text, asserted(document.text, concepts)


def _told(document: Document) -> list[Found]:
    """Add what a text says of its given concepts, unless that is given with them, or it is not known where they stand."""
    given = document.given or []
    if document.text and not any(one.said for one in given):
        return asserted(document.text, given)
    affirmed = any(one.said == AFFIRMED for one in given)
    return [one._replace(said="") if one.said == AFFIRMED else one for one in given] if affirmed else given


def _place(record: Record, at: int | None = None) -> str:
    if record.line is None:
        return f"record {at or record.number}"
    return f"line {at or record.line}"


def _choices(reading: ConceptReading, concepts: Concepts, columns: DocumentColumns) -> dict[str, str]:
    if columns.tree is not None:
        return {"concepts": f"paths:{reading.separator!r}"}
    if columns.concepts is None:
        return {"concepts": reading.extractor.choice, "assertions": VERSION}
    placed = bool(len(concepts.mentions.items)) and bool((concepts.texts != "").any())
    said = VERSION if placed else "given" if (concepts.said != "").any() else ""
    how = ",".join(("given", *(["folded"] if reading.fold else []), *(["terms"] if reading.terms else [])))
    return {"concepts": how, **({"assertions": said} if said else {})}


BY_PLACE = "no column of ids: documents are numbered in the order of the file"


def _notes(columns: DocumentColumns, concepts: Concepts, reading: ConceptReading) -> Iterator[str]:
    if columns.concepts is None and columns.tree is None:
        yield from reading.extractor.notes
        if not reading.searches:
            yield (
                f"concepts are noun phrases found by rules for English, up to {reading.longest} words: a dictionary "
                "(--dictionary) or given lists are more reliable"
            )
    elif reading.text:
        yield f"concepts are given: the texts of the column {reading.text!r} are shown, and no concepts are found in them"
    found = columns.concepts is None and columns.tree is None
    idle = {"separator": columns.tree is None, "fold": found, "abbreviations": not found, "longest": not found}
    for name, unused in idle.items():
        if unused and getattr(reading, name) != getattr(AS_USUAL, name):
            yield f"{name} has no effect: concepts are {'found in texts' if found else 'given'}"
    overlapping = _overlapping(concepts)
    if overlapping:
        yield f"{overlapping:,} places of concepts overlap others: each counts, and a marked text shows the first and longest"
    empty = np.flatnonzero(np.diff(concepts.starts) == 0).tolist()
    if empty:
        names = first_few([str(concepts.ids[row]) for row in empty])
        yield f"{len(empty):,} document{'s' if len(empty) > 1 else ''} without a concept: {names}"


def _overlapping(concepts: Concepts) -> int:
    """Count the places that begin before the end of an earlier one of their document, but are of another concept or end elsewhere."""
    items, spans = concepts.mentions.items, concepts.mentions.spans
    if not len(items):
        return 0
    # Documents one after the other, as if they were one text.
    lengths = np.array([len(text) for text in concepts.texts.tolist()]) + spans[:, 1].max()
    begins = (np.cumsum(lengths) - lengths)[concepts.documents()[items]]
    start, end = spans[:, 0] + begins, spans[:, 1] + begins
    order = np.lexsort((-end, start))
    reached = np.maximum.accumulate(end[order])
    return int((start[order][1:] < reached[:-1]).sum())
