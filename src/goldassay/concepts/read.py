"""Files to documents with concepts: JSON Lines, CSV, TSV, Parquet and plain text."""

from __future__ import annotations

from bisect import bisect
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import chain, count
from operator import itemgetter
from os import PathLike, fspath
from typing import Any, TypeVar

import numpy as np

from goldassay.concepts.assertions import AFFIRMED, VERSION, asserted
from goldassay.concepts.columns import DocumentColumns, columns_of
from goldassay.concepts.given import (
    LARGEST,
    Faults,
    Numbers,
    Stated,
    Vocabulary,
    ids_of,
    joined,
    listed_cells,
    missing,
    paths_of_each,
    texts_of,
    twice,
    unreadable,
)
from goldassay.concepts.model import Concepts, Found, arranged
from goldassay.concepts.parts import ROLES, Opened, Part, opened, split_column
from goldassay.concepts.reading import AS_USUAL, ConceptReading
from goldassay.core.errors import InputError, RecordError
from goldassay.core.limits import LIST
from goldassay.core.model import NO_ROW
from goldassay.core.text import first_few
from goldassay.formats.records import BadRecords, without_cycles

NO_COLUMNS = DocumentColumns(None, None, None)
Read = TypeVar("Read")


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
    found = opened(file, reading, chosen, bad)
    reader = _Reader(reading, fspath(file), found, chosen, bad, several=several)
    models = reader.models()
    numbered = [f"{fspath(path)} ({number})" for number in range(1, len(models) + 1)]
    return [
        replace(
            concepts,
            path=label if len(models) > 1 else fspath(path),
            format=found.format,
            on_unpaired=reading.on_unpaired,
            left_out={**concepts.left_out, **bad.left_out()},
            notes=(*_notes(reader.columns, concepts, reading), *bad.notes()),
            warnings=(BY_PLACE,) * (reader.columns.id is None and found.format != "text" and len(concepts.ids) > 1),
            choices=_choices(reading, concepts, reader.columns),
        )
        for label, concepts in zip(numbered, models, strict=True)
    ]


@dataclass
class _Reader:
    """Gathers the documents of one file.

    Attributes:
        reading: The options of the reader.
        path: The file.
        file: What it is, and its parts.
        chosen: The column that holds the documents, if one was named.
        bad: Receives the records that cannot be read.
        several: Whether an id may have several documents, and a record several answers.
        ids: The ids so far.
        texts: The texts, empty where only concepts are given.
        rows: The row of the input of each document.
        stated: The concepts of each part, where they are given.
        seen: The place of each id among `ids`.
        places: The first document of each part, and the lines and numbers of its documents.
        some: Whether there is a record, whether or not it is a document.
        most: How many concepts a document may have.
    """

    reading: ConceptReading
    path: str
    file: Opened
    chosen: str | None
    bad: BadRecords
    several: bool = False
    ids: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    stated: list[Stated] = field(default_factory=list)
    seen: dict[str, int] = field(default_factory=dict)
    places: list[tuple[int, Sequence[int | None], Sequence[int]]] = field(default_factory=list)
    some: bool = False
    most: int = field(default_factory=lambda: LIST.value)

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """What the concepts are."""
        return Vocabulary(fold=self.reading.fold)

    @cached_property
    def columns(self) -> DocumentColumns:
        """Which column is what: the header of a table, and no cell of its first row; in JSON the first record that says so."""
        first, headed = self.file.first, self.file.headed
        if not headed:
            with suppress(InputError):
                return columns_of(first[0], self.reading, chosen=self.chosen, path=self.path, headed=False)
        cells: dict[str, Any] = {}
        for record in first:
            cells |= {name: cell for name, cell in record.items() if cells.get(name) in (None, "")}
        return columns_of(cells, self.reading, chosen=self.chosen, path=self.path, headed=headed)

    @property
    def finds(self) -> bool:
        """Whether concepts are found in texts."""
        return self.columns.concepts is None and self.columns.tree is None

    def models(self) -> list[Concepts]:
        """Read all documents; the second of an id goes into a second model, and so on."""
        with without_cycles():
            for part in self.file.parts(self.columns if self.file.first else NO_COLUMNS):
                self._add(part)
        if not self.some:
            raise self.bad.no_item(
                "The file contains no document.", path=self.path, found="no record", expected="at least one record"
            )
        stated = joined(self.stated)
        if self.finds:
            found = self.reading.extractor.find_all(self.texts)
            stated = self.vocabulary.found(map(asserted, self.texts, found))
        words = list(self.vocabulary.columns)
        words[3] = ["" if said == AFFIRMED else said for said in words[3]] if AFFIRMED in words[3] else words[3]
        if self.reading.terms:
            words[0] = [f"{one}\t{name}" if one else key for key, name, one in zip(*words[:3], strict=True)]
        return [self._model(rows, stated, words) for rows in (_told_apart(self.ids) if self.several else [None])]

    def _model(self, rows: Numbers | None, stated: Stated, words: Sequence[list[str]]) -> Concepts:
        """Arrange some of the documents, or all."""
        ids, texts, owners = self.ids, self.texts, stated.owners
        input_rows, codes, spans = np.array(self.rows, dtype=np.int64), stated.codes, stated.places
        if rows is not None:
            place = np.full(len(ids), NO_ROW)
            place[rows] = np.arange(len(rows))
            here = place[owners] != NO_ROW
            owners, codes, spans, input_rows = place[owners[here]], codes[here], spans[here], input_rows[rows]
            ids, texts = [ids[row] for row in rows], [texts[row] for row in rows]
        concepts = arranged(ids, texts, owners=owners, codes=codes, spans=spans, words=words)
        return replace(concepts, input_rows=None if NO_ROW in input_rows else input_rows)

    def _add(self, part: Part) -> None:
        """Read records column by column, and set aside those that cannot be read."""
        if not part.numbers:
            self._refuse(part.errors)
            return
        self.some, part, columns = True, self._answers(part), self.columns
        errors: dict[int, RecordError] = {}
        ids = list(map(str, part.numbers)) if columns.id is None else self._cells(part, "id", ids_of, errors)
        texts, stated = [""] * len(ids), None
        if columns.text is not None and columns.tree is None:
            texts = self._cells(part, "text", texts_of, errors, optional=not self.finds)
        if columns.concepts is not None:
            stated = self._cells(part, "concepts", partial(self._lists, texts=texts), errors)
        elif columns.tree is not None:
            stated = self._cells(part, "tree", partial(self._paths, texts=texts), errors)
        if stated is not None:
            self._check_places(part, stated, texts, errors)
        if not self.several:
            self._see(part, ids, errors)
        wrong: dict[int, RecordError] = {}
        for at in sorted(errors):
            wrong.setdefault(part.numbers[at], errors[at])
        self._refuse({**part.errors, **wrong})
        rows = part.rows
        if wrong:
            # No answer of a record is read if one of them cannot be.
            good = [at for at, number in enumerate(part.numbers) if number not in wrong]
            ids, texts, rows = [ids[at] for at in good], [texts[at] for at in good], [rows[at] for at in good]
            stated = None if stated is None else stated.only(good)
        if stated is not None:
            self.stated.append(self._asserted(stated, texts))
        self.ids += ids
        self.texts += texts
        self.rows += rows

    def _refuse(self, errors: Mapping[int, RecordError]) -> None:
        """Add errors in the order of the numbers of their records."""
        for _, error in sorted(errors.items(), key=itemgetter(0)):
            self.bad.add(error)

    def _answers(self, part: Part) -> Part:
        """Give a record as often as it has answers: lists of concepts, or texts, where one is expected."""
        role, inner = ("text", str) if self.columns.concepts is None else ("concepts", list)
        if not self.several or getattr(self.columns, role) is None:
            return part
        answers = [_apart(cell, inner) for cell in listed_cells(part.cells(role))]
        owners = [at for at, some in enumerate(answers) for _ in some]
        absent = {own: set(part.absent(own)) for own in ROLES if getattr(self.columns, own) is not None}

        def cells(own: str) -> list[Any]:
            column = listed_cells(part.cells(own))
            return list(chain.from_iterable(answers)) if own == role else [column[at] for at in owners]

        return part._replace(
            numbers=[part.numbers[at] for at in owners],
            lines=[part.lines[at] for at in owners],
            rows=[part.rows[at] for at in owners],
            cells=cells,
            absent=lambda own: [place for place, at in enumerate(owners) if at in absent[own]],
            names=lambda place: part.names(owners[place]),
        )

    def _lists(self, cells: Any, *, texts: Sequence[str]) -> tuple[Stated, Faults]:
        return self.vocabulary.of_cells(cells, texts, most=self.most, headed=self.file.headed)

    def _paths(self, cells: Any, *, texts: Sequence[str]) -> tuple[Stated, Faults]:
        paths, faults = paths_of_each(cells, self.reading.separator)
        stated, more = self.vocabulary.stated(paths, texts)
        return stated, more | faults

    def _check_places(self, part: Part, stated: Stated, texts: Sequence[str], errors: dict[int, RecordError]) -> None:
        """Find places outside the text."""
        if stated.spans is None or not any(texts):
            return
        owners = stated.owners
        sizes = np.array([len(text) or LARGEST for text in texts])[owners]
        for at in np.flatnonzero(stated.spans[:, 1] > sizes).tolist():
            owner, (start, end) = int(owners[at]), stated.spans[at].tolist()
            if owner not in errors:
                errors[owner] = RecordError(
                    f"The concept {self.vocabulary.columns[1][stated.codes[at]]!r} is outside its text.",
                    path=self.path,
                    line=part.lines[owner],
                    found=f"{start} to {end}",
                    expected=f"at most {sizes[at]}, in characters",
                )

    def _asserted(self, stated: Stated, texts: Sequence[str]) -> Stated:
        """Add what texts say of given concepts, unless that is given with them, or it is not known where they stand."""
        if stated.spans is None or not any(texts):
            return stated
        columns = [list(map(column.__getitem__, stated.codes.tolist())) for column in self.vocabulary.columns]
        every = [
            Found(key, name, one, start, end, said, value, kinds)
            for key, name, one, said, value, kinds, (start, end) in zip(*columns, stated.spans.tolist(), strict=True)
        ]
        ends = np.cumsum(stated.sizes).tolist()
        documents = [every[start:end] for start, end in zip([0, *ends], ends, strict=False)]
        return self.vocabulary.found(
            asserted(text, found) if text and not any(one.said for one in found) else found
            for text, found in zip(texts, documents, strict=True)
        )

    def _see(self, part: Part, ids: Sequence[str], errors: dict[int, RecordError]) -> None:
        """Find ids that occurred before, and remember the others."""
        before, seen = len(self.seen), self.seen
        good = range(len(ids)) if not errors else [at for at in range(len(ids)) if at not in errors]
        deque(map(seen.setdefault, map(ids.__getitem__, good), count(before)), maxlen=0)
        if len(seen) < before + len(good):
            for _ in range(len(seen) - before):
                seen.popitem()
            new: list[int] = []
            for at in good:
                earlier = seen.setdefault(ids[at], before + len(new))
                if earlier < before + len(new):
                    errors[at] = self._twice(part, ids[at], at, earlier=earlier, new=new)
                else:
                    new.append(at)
            good = new
        lines, numbers = part.lines, part.numbers
        if len(good) < len(ids):
            lines, numbers = [lines[at] for at in good], [numbers[at] for at in good]
        self.places.append((before, lines, numbers))

    def _twice(self, part: Part, name: str, at: int, *, earlier: int, new: Sequence[int]) -> RecordError:
        before = len(self.ids)
        if earlier >= before:
            place = _place(part.lines[new[earlier - before]], part.numbers[new[earlier - before]])
        else:
            first, lines, numbers = self.places[bisect(self.places, earlier, key=itemgetter(0)) - 1]
            place = _place(lines[earlier - first], numbers[earlier - first])
        return twice(name, f"it is already in {place}", path=self.path, line=part.lines[at])

    def _cells(
        self,
        part: Part,
        role: str,
        read: Callable[[Any], tuple[Read, Faults]],
        errors: dict[int, RecordError],
        *,
        optional: bool = False,
    ) -> Read:
        """Read the cells of a role, and say what is wrong with those that cannot be read; an optional text may be absent."""
        column, cells = getattr(self.columns, role), part.cells(role)
        cells = cells if role == "concepts" else listed_cells(cells)
        if optional:
            cells = ["" if cell is None else cell for cell in cells]
        found, faults = read(cells)
        absent = set(part.absent(role)) if faults else ()
        for at, fault in faults.items():
            if at not in errors:
                place = _place(part.lines[at], part.numbers[at])
                error = (
                    missing(role, column, f"{place} has", part.names(at))
                    if at in absent
                    else unreadable(role, column, fault, place)
                )
                error.path, error.line = self.path, part.lines[at]
                errors[at] = error
        return found


def _told_apart(ids: Sequence[str]) -> list[Numbers]:
    """Put the place of the first document of each id into the first list, of the second into the second, and so on."""
    seen: Counter[str] = Counter()
    lists: list[list[int]] = [[]]
    for at, name in enumerate(ids):
        place = seen[name]
        seen[name] += 1
        if place == len(lists):
            lists.append([])
        lists[place].append(at)
    return [np.array(rows, dtype=np.int64) for rows in lists]


def _apart(cell: Any, inner: type) -> list[Any]:
    return cell if isinstance(cell, list) and cell and all(isinstance(one, inner) for one in cell) else [cell]


def _place(line: int | None, number: int) -> str:
    return f"record {number}" if line is None else f"line {line}"


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
