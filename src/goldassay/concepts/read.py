"""Files to documents with concepts: JSON Lines, CSV, TSV, Parquet and plain text."""

from __future__ import annotations

import shlex
from bisect import bisect
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import chain
from operator import itemgetter
from os import PathLike, fspath
from os.path import isdir
from typing import Any

import numpy as np

from goldassay.concepts.formats.given import (
    LARGEST,
    Faults,
    Given,
    Numbers,
    Value,
    duplicate_id_error,
    ids_of,
    list_cells,
    missing,
    paths_of_each,
    texts_of,
    unreadable,
)
from goldassay.concepts.formats.parts import (
    ROLES,
    DocumentColumns,
    OpenedFile,
    Part,
    columns_of,
    open_part,
    sides_of,
    split_column,
)
from goldassay.concepts.formats.preambles import blank_preambles, blank_thoughts
from goldassay.concepts.formats.spans import fields_unread, with_mentions
from goldassay.concepts.model import Concepts, RawConcepts, build_concepts
from goldassay.concepts.reading import AS_USUAL, ConceptReading
from goldassay.concepts.texts.assertions import VERSION, add_assertions
from goldassay.concepts.texts.extract import Extractor
from goldassay.core.errors import InputError, RecordError, name_file
from goldassay.core.intern import Names
from goldassay.core.limits import LIST
from goldassay.core.model import NO_ROW, restate
from goldassay.core.patterns import pattern_of
from goldassay.core.text import count_of, list_first
from goldassay.formats import Source, load
from goldassay.formats.answers.batch import OUTPUTS
from goldassay.formats.both_sides import sides_in_records
from goldassay.formats.column_names import bare
from goldassay.formats.literals import BRACKETS, BREAK
from goldassay.formats.records import BadRecords, pause_collector
from goldassay.formats.roles import DOCUMENTS
from goldassay.formats.tasks import accepted

NO_CELL: tuple[Any, ...] = (None, "", [])
WRITTEN = pattern_of(rf"{BRACKETS.pattern}|[;|]|{BREAK.pattern}")
"""What shows that a text is a list."""
NO_COLUMNS = DocumentColumns(None, None, None)


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
    """Read gold answers; several may have one id, or be in one record as a list of texts or of lists."""
    return _read(path, reading, several=True)


def _read(path: str | PathLike[str], reading: ConceptReading, *, several: bool) -> list[Concepts]:
    file, chosen = split_column(path)
    with name_file(file):
        bad = BadRecords(on_error=reading.on_error)
        tasks = None if not isinstance(file, Source) and isdir(file) else accepted(with_mentions(load(file)))
        found = open_part(tasks.source if tasks else file, reading, chosen, bad, several=several)
        reader = _Reader(reading, fspath(file), found, chosen, bad, several=several)
        models = reader.models()
        numbered = [f"{fspath(path)} ({number})" for number in range(1, len(models) + 1)]
        read = [
            restate(
                concepts,
                path=label if len(models) > 1 else fspath(path),
                format=found.format,
                on_unpaired=reading.on_unpaired,
                left_out={**concepts.left_out, **bad.left_out()},
                notes=(*_notes(reader, concepts, reading), *bad.notes()),
                warnings=(
                    *reader.warnings,
                    *reader.warn_of_fields(),
                    *[BY_PLACE] * (reader.columns.id is None and found.format != "text" and len(concepts.ids) > 1),
                ),
                choices=_choices(reading, concepts, reader),
            )
            for label, concepts in zip(numbered, models, strict=True)
        ]
        read = [restate(one, **tasks.left_out(one)) for one in read] if tasks else read
        if found.answer is None:
            return read
        return [restate(one, **found.answer.provenance(one.path or "", one)) for one in read]


@dataclass
class _Reader:
    """Collects the documents of one file; with several gold standards an id may have several documents, and a record several answers."""

    reading: ConceptReading
    path: str
    file: OpenedFile
    chosen: str | None
    bad: BadRecords
    several: bool = False
    ids: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    given: Given = field(default_factory=Given)
    places: list[tuple[int, Sequence[int | None], Sequence[int]]] = field(default_factory=list)
    """The first document of each part, and the lines and the numbers of the records of its documents."""
    errors: dict[int, RecordError] = field(default_factory=dict)
    """What is wrong with documents, by their place."""
    unread: dict[int, RecordError] = field(default_factory=dict)
    """What is wrong with records that are no documents, by their number."""
    warnings: list[str] = field(default_factory=list)
    """What is to be known of the table."""
    extractor: Extractor | None = None
    """What has found the concepts; None if they are given."""
    preambles: int = 0
    """How many documents have text that models write around an answer."""
    thoughts: int = 0
    """How many documents have thoughts of a model."""

    @cached_property
    def columns(self) -> DocumentColumns:
        """Which column is what: the header of a table, and no cell of its first row; in JSON the first record that says so."""
        first, headed = self.file.first, self.file.headed
        if not headed:
            with suppress(InputError):
                return columns_of(first[0], self.reading, chosen=self.chosen, path=self.path, headed=False)
        cells: dict[str, Any] = {}
        for record in first:
            cells |= {name: cell for name, cell in record.items() if cells.get(name) in NO_CELL}
        return columns_of(cells, self.reading, chosen=self.chosen, path=self.path, headed=headed)

    @cached_property
    def _lists_are_written(self) -> bool:
        """Whether the first records have texts in place of lists, as those of KP20k: names between semicolons, or a list of Python."""
        cells = [record.get(self.columns.concepts or "") for record in self.file.first]
        texts = [cell for cell in cells if isinstance(cell, str)]
        return len(texts) == len(cells) and any(map(WRITTEN.search, texts))

    @property
    def finds(self) -> bool:
        """Whether concepts are found in texts."""
        return self.columns.concepts is None and self.columns.tree is None

    def warn_of_fields(self) -> Iterator[str]:
        """Warn of lists that may be the concepts, where these are found in texts without being asked for, and of texts next to answers."""
        asked = self.reading.searches or self.reading.text or self.chosen
        if self.columns.text is not None and not (self.reading.text or self.chosen) and self.finds:
            first = dict.fromkeys(chain.from_iterable(self.file.first))
            if self.columns.text in DOCUMENTS.called("text", first):
                yield from DOCUMENTS.warn_of_others(list(first))
        if not self.file.headed:
            read = {role: name for role in ROLES if (name := getattr(self.columns, role)) is not None}
            yield from sides_in_records(sides_of(read, self.reading, self.chosen), read, self.file.first)
        fields = fields_unread(self.file.first, self.columns.named) if self.finds and not asked else []
        if fields:
            yield (
                f"concepts are found in texts by rules, and what is in {', '.join(map(repr, fields))} is not read: "
                f"if that is the concepts, --concepts-column {shlex.quote(fields[0])}"
            )

    def models(self) -> list[Concepts]:
        """Read all documents; the second of an id goes into a second model, and so on."""
        with pause_collector():
            for part in self.file.parts(self.columns if self.file.first else NO_COLUMNS):
                self._add(part)
        stated = self._state() if self.places and not self.finds else None
        if not self.several:
            self._refuse_repeated()
        good = self._good()
        if not self.places:
            raise self.bad.no_item("The file contains no document.", found="no record", expected="at least one record")
        if good is not None:
            self.ids, self.texts = ([column[at] for at in good] for column in (self.ids, self.texts))
            self.rows = [self.rows[at] for at in good]
            stated = stated and stated.only(np.array(good, dtype=np.int64))
        texts, self.thoughts = blank_thoughts(self.texts, answers=bare(self.columns.text or "") in OUTPUTS)
        texts, self.preambles = blank_preambles(texts)
        if stated is None:
            self.extractor = self.reading.extractor_of(texts)
            stated = RawConcepts.of(self.extractor.find_all(texts))
        stated = add_assertions(stated, texts)
        if self.reading.terms:
            stated = _split_terms(stated)
        return [self._model(rows, stated) for rows in (_split_by_turn(self.ids) if self.several else [None])]

    def _model(self, rows: Numbers | None, stated: RawConcepts) -> Concepts:
        """Arrange some of the documents, or all."""
        ids, texts, input_rows = self.ids, self.texts, np.array(self.rows, dtype=np.int64)
        if rows is not None:
            ids, texts, input_rows = [ids[row] for row in rows], [texts[row] for row in rows], input_rows[rows]
            stated = stated.only(rows)
        return build_concepts(ids, texts, stated, input_rows=None if NO_ROW in input_rows else input_rows)

    def _add(self, part: Part) -> None:
        """Read records column by column, and note what is wrong with those that cannot be read."""
        self.unread |= part.errors
        self.warnings += part.warnings
        if not part.numbers:
            return
        part, columns = self._answers(part), self.columns
        self.places.append((len(self.ids), part.lines, part.numbers))
        ids = list(map(str, part.numbers)) if columns.id is None else self._cells(part, "id", ids_of)
        texts = [""] * len(ids)
        if columns.text is not None and columns.tree is None:
            texts = self._cells(part, "text", texts_of, optional=not self.finds)
        if columns.concepts is not None:
            most, written = LIST.value, self.file.headed or self._lists_are_written
            self._cells(
                part, "concepts", lambda cells: (None, self.given.add_cells(cells, texts, most=most, written=written))
            )
        elif columns.tree is not None:
            paths = self._cells(part, "tree", partial(paths_of_each, separator=self.reading.separator))
            self._note(part, "tree", self.given.add(paths))
        self.ids += ids
        self.texts += texts
        self.rows += part.rows

    def _answers(self, part: Part) -> Part:
        """Repeat a record for each of its answers: lists of concepts, or texts, where one is expected."""
        role, inner = ("text", str) if self.columns.concepts is None else ("concepts", list)
        if not self.several or getattr(self.columns, role) is None:
            return part
        answers = [_split_texts(cell, inner) for cell in list_cells(part.cells(role))]
        owners = [at for at, some in enumerate(answers) for _ in some]
        absent = {own: set(part.absent(own)) for own in ROLES if getattr(self.columns, own) is not None}

        def cells(own: str) -> list[Any]:
            column = list_cells(part.cells(own))
            return list(chain.from_iterable(answers)) if own == role else [column[at] for at in owners]

        return part._replace(
            numbers=[part.numbers[at] for at in owners],
            lines=[part.lines[at] for at in owners],
            rows=[part.rows[at] for at in owners],
            cells=cells,
            absent=lambda own: [place for place, at in enumerate(owners) if at in absent[own]],
            names=lambda place: part.names(owners[place]),
        )

    def _cells(
        self, part: Part, role: str, read: Callable[[Any], tuple[Value, Faults]], *, optional: bool = False
    ) -> Value:
        """Read the cells of a role, and note what is wrong with those that cannot be read; an optional text may be absent."""
        cells = part.cells(role)
        cells = cells if role == "concepts" else list_cells(cells)
        if optional:
            cells = ["" if cell is None else cell for cell in cells]
        found, faults = read(cells)
        self._note(part, role, faults)
        return found

    def _note(self, part: Part, role: str, faults: Faults) -> None:
        """Note what is wrong with the documents of a part, unless something else is."""
        column, absent = getattr(self.columns, role), set(part.absent(role)) if faults else ()
        for at, fault in faults.items():
            place = _place(part.lines[at], part.numbers[at])
            error = (
                missing(role, column, f"{place} has", part.names(at))
                if at in absent
                else unreadable(role, column, fault, place)
            )
            self._refuse(len(self.ids) + at, error)

    def _refuse(self, at: int, error: RecordError) -> None:
        error.path, error.line = self.path, self._where(at)[0]
        self.errors.setdefault(at, error)

    def _where(self, at: int) -> tuple[int | None, int]:
        """Return the line and the number of the record of a document."""
        first, lines, numbers = self.places[bisect(self.places, at, key=itemgetter(0)) - 1]
        return lines[at - first], numbers[at - first]

    def _state(self) -> RawConcepts:
        """Read the given concepts, and note those that cannot be read, and those outside of their texts."""
        stated, faults = self.given.stated(fold=self.reading.fold)
        role = "concepts" if self.columns.tree is None else "tree"
        for at, fault in faults.items():
            self._refuse(at, unreadable(role, getattr(self.columns, role), fault, _place(*self._where(at))))
        if stated.spans is None or not any(self.texts):
            return stated
        owners = stated.owners
        sizes = np.array([len(text) or LARGEST for text in self.texts])[owners]
        for at in np.flatnonzero(stated.spans[:, 1] > sizes).tolist():
            start, end = stated.spans[at].tolist()
            message = f"The concept {stated.words[1][int(stated.codes[at])]!r} is outside its text."
            expected = f"at most {sizes[at]}, in characters"
            self._refuse(int(owners[at]), RecordError(message, found=f"{start} to {end}", expected=expected))
        return stated

    def _refuse_repeated(self) -> None:
        """Refuse ids that occur before; what is wrong already has no id."""
        if len(set(self.ids)) == len(self.ids):
            return
        seen: dict[str, int] = {}
        for at, name in enumerate(self.ids):
            if at not in self.errors and (earlier := seen.setdefault(name, at)) != at:
                self._refuse(at, duplicate_id_error(name, f"it is already in {_place(*self._where(earlier))}"))

    def _good(self) -> list[int] | None:
        """Add the errors in the order of the records, and list the documents that are left; None if all are."""
        wrong = self.unread
        for at in sorted(self.errors):
            wrong.setdefault(self._where(at)[1], self.errors[at])
        for _, error in sorted(wrong.items(), key=itemgetter(0)):
            self.bad.add(error)
        if not self.errors:
            return None
        # No answer of a record is read if one of them cannot be.
        numbers = chain.from_iterable(numbers for _, _, numbers in self.places)
        return [at for at, number in enumerate(numbers) if number not in wrong]


def _split_terms(stated: RawConcepts) -> RawConcepts:
    """Make an id with two texts two concepts."""
    keys, names, ids, *others = stated.words
    if len(ids):
        keys = Names([f"{one}\t{name}" if one else key for key, name, one in zip(keys, names, ids, strict=True)])
    return stated._replace(words=[keys, names, ids, *others])


def _split_by_turn(ids: Sequence[str]) -> list[Numbers]:
    """List the places of the first document of each id, of the second, and so on."""
    seen: Counter[str] = Counter()
    lists: list[list[int]] = [[]]
    for at, name in enumerate(ids):
        place = seen[name]
        seen[name] += 1
        if place == len(lists):
            lists.append([])
        lists[place].append(at)
    return [np.array(rows, dtype=np.int64) for rows in lists]


def _split_texts(cell: Any, inner: type) -> list[Any]:
    return cell if isinstance(cell, list) and cell and all(isinstance(one, inner) for one in cell) else [cell]


def _place(line: int | None, number: int) -> str:
    return f"record {number}" if line is None else f"line {line}"


def _choices(reading: ConceptReading, concepts: Concepts, reader: _Reader) -> dict[str, str]:
    if reader.columns.tree is not None:
        return {"concepts": f"paths:{reading.separator!r}"}
    if reader.extractor is not None:
        return {"concepts": reader.extractor.choice, "assertions": VERSION}
    placed = bool(len(concepts.mentions.items)) and bool((concepts.texts != "").any())
    assertions = VERSION if placed else "given" if (concepts.assertions != "").any() else ""
    how = ",".join(("given", *(["folded"] if reading.fold else []), *(["terms"] if reading.terms else [])))
    return {"concepts": how, **({"assertions": assertions} if assertions else {})}


BY_PLACE = "no column of ids: documents are numbered in the order of the file"


def _notes(reader: _Reader, concepts: Concepts, reading: ConceptReading) -> Iterator[str]:
    columns = reader.columns
    yield from _notes_of_texts(reader)
    if reader.extractor is not None:
        yield from reader.extractor.notes
        if not reading.searches:
            which = " that a clinician would mark" * (",clinical" in reader.extractor.choice)
            yield (
                f"concepts are noun phrases{which} found by rules for English, up to {reading.longest} words: a dictionary "
                "(--dictionary) or given lists are more reliable"
            )
    elif reading.text:
        yield f"concepts are given: the texts of the column {reading.text!r} are shown, and no concepts are found in them"
    if reader.given.numbering:
        which = ", ".join(map(repr, sorted(reader.given.numbering)))
        yield f"{which} numbers the concepts, and is not compared: their names are"
    found = columns.concepts is None and columns.tree is None
    idle = {
        "separator": columns.tree is None,
        "fold": found,
        "abbreviations": not found,
        "longest": not found,
        "scope": not found,
    }
    for name, unused in idle.items():
        if unused and name in reading.changed:
            yield f"{name} has no effect: concepts are {'found in texts' if found else 'given'}"
    overlapping = _overlapping(concepts)
    if overlapping:
        yield f"{overlapping:,} places of concepts overlap others: each counts, and a marked text shows the first and longest"
    empty = np.flatnonzero(np.diff(concepts.starts) == 0).tolist()
    if empty:
        names = list_first([str(concepts.ids[row]) for row in empty])
        yield f"{count_of(len(empty), 'document')} without a concept: {names}"


def _notes_of_texts(reader: _Reader) -> Iterator[str]:
    for count, what in (
        (reader.thoughts, "thoughts of a model, which are left out"),
        (reader.preambles, "text that models write around an answer, such as 'Here is the note:', which is left out"),
    ):
        if count:
            yield f"{count_of(count, 'document has', 'documents have')} {what}"


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
