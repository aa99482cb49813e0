"""Files to parts of records: objects of JSON, rows of tables, lines of text, and what annotators write; and which column is what."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from itertools import chain, repeat
from os import PathLike, fspath
from os.path import exists, isdir
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from goldassay.concepts.formats.annotations import FORMATS, annotations_in, brat_folder
from goldassay.concepts.formats.given import parse_lists
from goldassay.concepts.formats.spans import (
    MAY_HAVE_SPANS,
    annotators_of,
    are_spans,
    are_tags,
    columns_of_spans,
    document_of,
    documents_of_rows,
    is_tag,
    is_task,
    roles_of_rows,
)
from goldassay.concepts.reading import READABLE, ConceptReading
from goldassay.core.errors import InputError, RecordError, unknown_choice_error
from goldassay.core.libraries import pl
from goldassay.core.model import NO_ROW
from goldassay.core.text import singular
from goldassay.formats import Source, load, recognise
from goldassay.formats.answers.cells import as_batch
from goldassay.formats.answers.documents import is_answer_of_documents, read_documents
from goldassay.formats.answers.means import OF_CONCEPTS
from goldassay.formats.both_sides import sides_in_records
from goldassay.formats.choose_columns import Choice, Chooser
from goldassay.formats.column_names import ANSWERS, ENDINGS, bare
from goldassay.formats.decisions import Decisions
from goldassay.formats.delimited import TextTable, usual_width
from goldassay.formats.graph_files import as_known
from goldassay.formats.json_tables import as_lines, lists_as_lines, texts_as_lines
from goldassay.formats.known import ANSWER, SUFFIXES
from goldassay.formats.list_cells import is_plural
from goldassay.formats.literals import BETWEEN, BRACKETS, names_in_cell
from goldassay.formats.records import BadRecords, Block, Lines
from goldassay.formats.roles import CONCEPTS, DOCUMENTS
from goldassay.formats.rows import OBJECTS, check_names, header_below, lines_of, names_in, read_table, warn_of_title
from goldassay.formats.several_sets import sets_in_records
from goldassay.formats.source import PARQUET
from goldassay.formats.tables import ROW, Table
from goldassay.formats.tasks import SEVERAL

if TYPE_CHECKING:
    from goldassay.formats.answers.write import Answer

Cells: TypeAlias = Mapping[str, Any]
LISTED = rf"{BRACKETS.pattern}|<|{BETWEEN.pattern}"
"""What is in a cell that is a list written as text."""
LOOKED_AT = 100
"""Records that say together which columns there are."""
ROLES = ("id", "text", "concepts", "tree")
PAIR = frozenset({"id", "concepts"})
DECIDED = frozenset({"accept", "reject", "ignore"})
"""What Prodigy writes as the answer to a record."""
TAGGED = 'write a record for each document: {"id": "d1", "tokens": ["no", "fever"], "tags": ["O", "B-SYMPTOM"]}'
"""What to do with tags of tokens."""
DOCUMENT = frozenset({"doc", "document"})
"""Names of the column of ids next to concepts; without these they may be those of the texts."""
LONGEST_HEADER = 2**12
AT_ONCE = 2**16
"""Rows of a table that are read at once."""


def claims(name: str, columns: Sequence[str]) -> bool:
    """Claim plain text, and tables with a text or with concepts, but for those with triples."""
    return name == "text" or (DOCUMENTS.recognises(columns) and {"triples", "triplets"}.isdisjoint(map(bare, columns)))


@dataclass(frozen=True)
class DocumentColumns:
    """Which column is what; None where there is none."""

    id: str | None
    text: str | None
    concepts: str | None
    tree: str | None = None

    @property
    def named(self) -> list[str]:
        """The columns that there are."""
        return list(dict.fromkeys(name for name in (self.id, self.text, self.concepts, self.tree) if name is not None))


def columns_of(
    cells: Mapping[str, Any], reading: ConceptReading, *, chosen: str | None, path: str, headed: bool = True
) -> DocumentColumns:
    """Return which column is what, from the first record."""
    for role in DOCUMENTS.names:
        name = getattr(reading, role)
        if name is not None and name not in cells:
            raise unknown_choice_error(f"column of {path}", name, cells)
    identifier = reading.id or _only_column("id", cells, path)
    if chosen is not None:
        if chosen not in cells:
            raise unknown_choice_error(f"column of {path}", chosen, cells)
        holds_lists = _is_list(cells[chosen]) and not reading.searches
        if isinstance(cells[chosen], Mapping) or chosen == reading.tree:
            return DocumentColumns(identifier, None, None, chosen)
        return DocumentColumns(identifier, None if holds_lists else chosen, chosen if holds_lists else None)
    found = {*map(bare, cells)}
    if not (reading.named or reading.tree):
        DOCUMENTS.refuse_both_sides(list(cells))
    tree = reading.tree or (
        None if reading.named or found & {"text", "concepts"} else _only_column("tree", cells, path)
    )
    if tree is not None:
        return DocumentColumns(identifier, reading.text or _text_of_given(cells), None, tree)
    given = reading.concepts or (None if reading.searches or reading.text else _given_column(cells, path))
    text = reading.text or (_only_column("text", _texts(cells), path) if given is None else _text_of_given(cells))
    if identifier is None and given is not None:
        identifier = next((name for name in cells if bare(name) in DOCUMENT and name != text), None)
    if text is None and given is None:
        column = _given_column(cells, path) if reading.searches else None
        tagged = any(is_tag(one) for cell in cells.items() for one in cell)
        others = [name for name in cells if name != identifier]
        raise (
            reading.given_and_found(column)
            if column
            else InputError(
                "No column is recognised as texts, concepts or trees.",
                found=", ".join(cells),
                expected="a column 'text', 'concepts' or 'tree', and optionally 'id'",
                hint=TAGGED if tagged else _hint(others, path, headed=headed),
            )
        )
    return DocumentColumns(identifier, text, given)


def sides_of(called: Collection[str], reading: ConceptReading, chosen: str | None) -> dict[str, str]:
    """Return the role of what is scored, with its flag, if another column may have the other side."""
    if chosen is not None or reading.named or reading.tree:
        return {}
    return DOCUMENTS.sides_of({"concepts"} if "concepts" in called else called)


def _hint(names: Sequence[str], path: str, *, headed: bool) -> str:
    if not names:
        return "name a column text, concepts or tree"
    name = shlex.quote(names[-1])
    flags = ", or ".join(f"--{role}-column {name}" for role in ("text", "concepts"))
    # One of several columns with concepts is not all of them.
    several = "write all concepts of a document into one column concepts; or if one column has them all, "
    data = (
        "; if the first row is data, and has a concept: write a row id,concept above it; if it has a text: --header no"
        if headed
        else ""
    )
    return f"{several if len(names) > 1 else ''}name it: {path}#{names[-1]}, or {flags}{data}"


def _texts(cells: Mapping[str, Any]) -> list[str]:
    """List the columns that may be texts, or lists of them: what an annotator decided or marked is none."""
    return [
        name for name, cell in cells.items() if not (cell in DECIDED if isinstance(cell, str) else _is_marked(cell))
    ]


def _is_marked(cell: Any) -> bool:
    return isinstance(cell, list) and not (cell and all(isinstance(one, str) for one in cell))


def _text_of_given(cells: Iterable[str]) -> str | None:
    """Return the column with the texts of given concepts: what was asked, rather than an answer."""
    for names in ([name for name in cells if singular(bare(name)) not in ANSWERS.names], cells):
        if known := DOCUMENTS.called("text", names):
            return known[0] if len(known) == 1 else None
    return None


def _only_column(role: str, cells: Iterable[str], path: str) -> str | None:
    known = DOCUMENTS.called(role, cells)
    if len(known) > 1:
        error = DOCUMENTS.several(role, known)
        if role != "id":
            error.hint = f"{path}#{known[0]}, or {error.hint}"
        raise error
    return known[0] if known else None


def _given_column(cells: Mapping[str, Any], path: str) -> str | None:
    """Return the column of given concepts: by its name, or the one that holds the spans of annotators."""
    known = _only_column("concepts", [name for name, cell in cells.items() if not are_tags(cell)], path)
    spans = [] if known else columns_of_spans(cells)
    if len(spans) > 1:
        raise DOCUMENTS.several("concepts", spans)
    return known or next(iter(spans), None)


def _is_list(cell: Any) -> bool:
    return isinstance(cell, list | tuple) or (isinstance(cell, str) and cell.lstrip().startswith("["))


class Part(NamedTuple):
    """Consecutive records of a file, column by column."""

    numbers: Sequence[int]  # the number of each, from 1, bad ones included
    lines: Sequence[int | None]  # the line on which each begins; None for formats without lines
    rows: Sequence[int]  # the row of a table, or the line, that each is, from 0; -1 where the file has neither
    cells: Callable[[str], Any]  # gives the cells of a role: a list, or a column of polars
    absent: Callable[[str], Sequence[int]]  # lists which of them do not have a role at all
    names: Callable[[int], Iterable[str]]  # lists the names of the cells that one of them has
    errors: Mapping[int, RecordError] = {}  # what is wrong with records that cannot be read, by their number
    warnings: Sequence[str] = ()  # what is to be known of the table


class OpenedFile(NamedTuple):
    """A file of documents whose first records are known."""

    format: str
    # whether it is a table, whose header says which columns there are, and in whose cells lists are written as text
    headed: bool
    first: Sequence[Cells]  # its first records
    parts: Callable[[DocumentColumns], Iterable[Part]]  # reads all of them, or at least the cells of some columns
    answer: Answer | None = None  # how model output was read; None if it is none


def open_part(
    file: str | PathLike[str], reading: ConceptReading, chosen: str | None, bad: BadRecords, *, several: bool
) -> OpenedFile:
    """Recognise the format of a file, and read its first records; a folder is one of BRAT."""
    if not isinstance(file, Source) and isdir(file):
        return _open_annotations("brat", brat_folder(Path(file), bad))
    asked = reading.input_format not in (None, ANSWER) or chosen or reading.text or reading.concepts or reading.tree
    source = as_lines(load(file) if asked else as_batch(as_known(load(file)), reading, OF_CONCEPTS), _has_documents)
    source = lists_as_lines(texts_as_lines(source, DOCUMENTS, ("id", "text"), listed=False))
    annotated = None if reading.input_format else annotations_in(source)
    answer = None if annotated or asked else _read_answer(source, reading)
    if answer is None:
        name = annotated or reading.input_format or _headed(source) or recognise(source, READABLE)
        opened = _open(source, name, reading, chosen, bad, several=several)
        if asked or name not in OBJECTS or any(map(_is_named, opened.first)):
            return opened
        if (answer := read_documents(source, texts=reading.searches)) is None:
            return opened
    form = answer.format or recognise(answer.source, READABLE)
    return _open(answer.source, form, reading, chosen, bad, several=several)._replace(format=ANSWER, answer=answer)


def _headed(source: Source) -> str | None:
    """Return the format of a table in a text, whose first line has the names of its columns; None if it has not."""
    if SUFFIXES.get(PurePath(source.name).suffix.lower()) not in (None, "text"):
        return None
    first = source.data[:LONGEST_HEADER].decode("utf-8-sig", "replace").lstrip().partition("\n")[0]
    if first.startswith(("{", "[")):
        return None
    for name, mark in (("tsv", "\t"), ("csv", ","), ("csv", ";")):
        names = first.split(mark)
        if len(names) > 1 and DOCUMENTS.called("id", names) and _has_documents(names):
            return name
    return None


def _is_named(record: Cells) -> bool:
    """Return whether a record has a key that names what a document has."""
    # What a service put out is no text yet.
    return DOCUMENTS.recognises([name for name, cell in record.items() if not _is_output(name, cell)])


def _is_output(name: str, cell: Any) -> bool:
    return bare(name) in ("output", "outputs", "response") and not isinstance(cell, str)


def _read_answer(source: Source, reading: ConceptReading) -> Answer | None:
    """Read model output with lists of concepts; None if a file does not begin like that."""
    if reading.input_format == ANSWER:
        if answer := read_documents(source, texts=reading.searches):
            return answer
        raise InputError("The text contains no list of concepts.", expected=OF_CONCEPTS.expected)
    if source.data.startswith(PARQUET):
        return None
    suffix = SUFFIXES.get(PurePath(source.name).suffix.lower())
    if suffix in ("csv", "tsv"):
        return None
    begins = is_answer_of_documents(source, page=suffix == "markdown")
    return read_documents(source, texts=reading.searches) if begins else None


def _open(
    source: Source, name: str, reading: ConceptReading, chosen: str | None, bad: BadRecords, *, several: bool
) -> OpenedFile:
    if name in FORMATS:
        return _open_annotations(name, FORMATS[name].records(source, bad))
    if name in OBJECTS:
        return _open_objects(source, name, reading, pairs=not (chosen or several))
    return _open_lines(source, bad) if name == "text" else _open_table(source, name, reading, chosen, several=several)


def split_column(path: str | PathLike[str]) -> tuple[str | PathLike[str], str | None]:
    """Split ``answers.csv#reference`` into the file and the column; an existing file with ``#`` in its name is kept."""
    file, mark, column = fspath(path).rpartition("#")
    return (file, column) if mark and column and file and not exists(path) else (path, None)


def _open_annotations(name: str, records: Iterable[tuple[int | None, Cells]]) -> OpenedFile:
    lines, cells = zip(*found, strict=True) if (found := list(records)) else ((), ())
    numbers, rows = range(1, len(cells) + 1), [NO_ROW] * len(cells)
    return OpenedFile(name, False, cells, lambda columns: [_build_part(columns, numbers, lines, rows, cells)])


def _open_lines(source: Source, bad: BadRecords) -> OpenedFile:
    lines, texts = zip(*found, strict=True) if (found := list(lines_of(source, bad))) else ((), ())
    records = [{"text": text} for text in texts]
    rows = [line - 1 for line in lines]
    return OpenedFile("text", True, records[:1], lambda columns: [_build_part(columns, lines, lines, rows, records)])


def _build_part(
    columns: DocumentColumns,
    numbers: Sequence[int],
    lines: Sequence[Any],
    rows: Sequence[int],
    records: Sequence[Any],
) -> Part:
    """Put records into a part; errors among them are set aside."""
    errors: dict[int, RecordError] = {}
    if set(map(type, records)) != {dict}:
        errors = {number: one for number, one in zip(numbers, records, strict=True) if type(one) is not dict}
        good = [at for at, one in enumerate(records) if type(one) is dict]
        numbers, lines, rows, records = ([column[at] for at in good] for column in (numbers, lines, rows, records))
    name_of = {role: getattr(columns, role) for role in ROLES}
    return Part(
        numbers,
        lines,
        rows,
        lambda role: list(map(dict.get, records, repeat(name_of[role]))),
        lambda role: [at for at, record in enumerate(records) if name_of[role] not in record],
        records.__getitem__,
        errors,
    )


def _open_objects(source: Source, name: str, reading: ConceptReading, *, pairs: bool) -> OpenedFile:
    blocks = OBJECTS[name](source)
    waiting: list[Any] = []
    first: list[Cells] = []
    while len(first) < LOOKED_AT and (block := next(blocks, None)):
        waiting.append(block)
        first += [record for record in block.values if not isinstance(record, RecordError)]
    tasks = any(map(is_task, first))
    warnings = [SEVERAL] if tasks and any(annotators_of(one) > 1 for one in first) else []
    first = list(map(document_of, first)) if tasks else first
    if first and pairs and not reading.named and (roles := roles_of_rows(tuple(first[0]))):
        waiting += blocks
        if spans := _spans_of(waiting, roles):
            return _open_spans(name, *spans)
    names = _pairs_of(list(first[0]), reading) if first and pairs else None
    # A text below a word of several may be a list that is written in any way.
    one = names is not None and not is_plural(names["concepts"])
    if names is not None and one and all(_is_concept(record.get(names["concepts"])) for record in first):
        placed = [one for block in chain(waiting, blocks) for one in block.enumerate_values()]
        rows = [
            (line, row, *map(value.get, names.values())) for row, line, value in placed if isinstance(value, Mapping)
        ]
        errors = [(line, row, value) for row, line, value in placed if isinstance(value, RecordError)]
        warnings = [*sides_in_records(sides_of(names, reading, None), names, first)]
        warnings += sets_in_records(names, [value for _, _, value in placed if isinstance(value, Mapping)])
        return _open_pairs(name, rows, errors, reading, warnings)

    endings = {key for record in first for key in record if bare(key) in ENDINGS}

    def parts(columns: DocumentColumns) -> Iterator[Part]:
        judged = Decisions()
        for block in chain(waiting, blocks):
            for key in endings:
                judged.see(key, [record.get(key) for record in block.values if type(record) is dict])
            rows = range(block.first, block.first + len(block.values))
            values = list(map(document_of, block.values)) if tasks else block.values
            part = _build_part(columns, range(rows.start + 1, rows.stop + 1), block.lines, rows, values)
            yield part._replace(warnings=[] if block.first else warnings)
        yield _build_part(columns, (), (), (), ())._replace(warnings=[*judged.warnings()])

    return OpenedFile(name, False, first[:LOOKED_AT], parts)


def _spans_of(blocks: Iterable[Block], roles: Mapping[str, str]) -> tuple[Any, Any] | None:
    """List records that are spans, with their lines and places, and the errors among them; None if they are documents."""
    every = [(line, row, value) for block in blocks for row, line, value in block.enumerate_values()]
    rows = [
        (line, row, {role: value.get(name) for role, name in roles.items()})
        for line, row, value in every
        if isinstance(value, dict)
    ]
    errors = [one for one in every if not isinstance(one[2], dict)]
    return (rows, errors) if are_spans([cells for _, _, cells in rows]) else None


def _is_concept(cell: Any) -> bool:
    """Return whether a value is one concept, and no list: it has no marks between names, or brackets around them, which a name may have, too."""
    return isinstance(cell, str) and not BETWEEN.search(cell) and names_in_cell(cell, plural=False) is None


def _open_table(source: Source, name: str, reading: ConceptReading, chosen: str | None, *, several: bool) -> OpenedFile:
    unnamed = None if name == "parquet" else reading.unnamed()
    header, before = _header(source, name, unnamed), 0
    if not header:
        return OpenedFile(name, True, (), lambda _: ())
    asked = {chosen, *(getattr(reading, role) for role in ROLES)} - {None}

    def recognises(names: Sequence[str]) -> bool:
        return asked <= {*map(str.strip, names)} if asked else _has_documents(names)

    if (
        name != "parquet"
        and not unnamed
        and (below := header_below(source, name, header, recognises, known=recognises(header)))
    ):
        source, before, header = below.source, below.before, check_names(below.first.cells)

    @cache
    def read(*places: tuple[str, str]) -> tuple[Table, list[RecordError]]:
        bad = BadRecords(on_error="skip")
        at = {role: header.index(name) for role, name in places}

        def choose(cells: Sequence[str], **_: object) -> Choice:
            # No row below a header that looks like a comment is taken for the header.
            named = unnamed is None and [*map(str.strip, cells)] == header
            sides = sides_of(dict(places), reading, chosen) if named else {}
            asked = named and (sides or at.keys() == PAIR)
            rest = {one: place for place, one in enumerate(header) if asked and one and place not in at.values()}
            return Choice(at, named, called=dict(places), sides=sides, unread=rest)

        table = read_table(
            source, name, choose, bad, lists=ROLES, texts=("text", "tree", "concepts"), before=before, absent=True
        )
        return warn_of_title(table, before) if before else table, bad.errors

    pairs = None if chosen or unnamed or several else _pairs_of(header, reading)
    if pairs is not None:
        table, faults = read(*pairs.items())
        if _is_long(table.frame):
            cells = table.frame.select("id", "concepts", ROW).iter_rows()
            rows = [(table.line(at), row, document, concept) for at, (document, concept, row) in enumerate(cells)]
            errors = [(error.line, NO_ROW, error) for error in faults]
            return _open_pairs(name, rows, errors, reading, table.warnings)

    if not (chosen or unnamed or reading.named) and (opened := _open_rows_of_spans(name, header, read)):
        return opened

    first: list[Cells]
    if chosen in header:
        # What the cells hold matters only for a column of any name.
        first = [{chosen: cell} for cell in read(("text", chosen))[0].frame["text"].head(LOOKED_AT).to_list()]
    else:
        first = list(_lists_in(header, read, reading))
    first = [dict.fromkeys(header), *first]
    return OpenedFile(name, True, first, lambda columns: _rows_of(columns, read, has_absent=name != "parquet"))


def _has_documents(names: Sequence[str]) -> bool:
    return DOCUMENTS.recognises(names) or CONCEPTS.recognises(names)


def _pairs_of(header: Sequence[str], reading: ConceptReading) -> Mapping[str, str] | None:
    """Return the columns of documents and concepts, if a table has both and may have a concept on each row."""
    named = reading.searches or reading.text or reading.tree
    asked = reading.id, reading.concepts
    known = CONCEPTS.recognises([*header, *(["concepts"] if reading.concepts else [])])
    if named or not known or not set(filter(None, asked)) <= set(header):
        return None
    return _placed(tuple(header), *asked)


@lru_cache(maxsize=64)
def _placed(header: tuple[str, ...], document: str | None, concept: str | None) -> Mapping[str, str]:
    """Return the columns of documents and concepts by their names, which many calls have in common."""
    places = CONCEPTS.chosen(header, asked={"document": document, "concept": concept}, always=True).places
    return {role: header[places[name]] for role, name in (("id", "document"), ("concepts", "concept"))}


def _is_long(table: pl.DataFrame) -> bool:
    """Return whether a table has a concept on each row, so that documents have several rows."""
    ids, concepts = table["id"], table["concepts"]
    if {ids.dtype, concepts.dtype} != {pl.String()} or ids.n_unique() == len(ids):
        return False
    listed = concepts.filter(concepts.str.contains(LISTED))
    return all(map(_is_concept, listed))


def _lists_in(
    header: Sequence[str], read: Callable[..., tuple[Table, list[RecordError]]], reading: ConceptReading
) -> Iterator[Cells]:
    """List the first cells with a list of each column that may have spans of annotators, where no column is called concepts."""
    for name in () if reading.named or DOCUMENTS.called("concepts", header) else header:
        if bare(name) in MAY_HAVE_SPANS:
            cells = read(("concepts", name))[0].frame["concepts"].head(LOOKED_AT).to_list()
            written = [
                cell for cell in cells if not isinstance(cell, str) or cell.lstrip().startswith(("[[", "[{", "[]"))
            ]
            lists = [cell for cell in parse_lists(written)[0] if isinstance(cell, list)]
            yield from [{name: max(lists, key=len)}] if lists else []


def _open_spans(
    name: str,
    rows: Sequence[tuple[int | None, int, Cells]],
    errors: Iterable[tuple[int | None, int, RecordError]],
    warnings: Sequence[str] = (),
) -> OpenedFile:
    """Combine the rows of each document, which are spans; what cannot be read stays a record of its own."""
    begins: dict[Any, tuple[int | None, int]] = {}
    for line, row, cells in rows:
        begins.setdefault(cells["id"], (line, row))
    documents = documents_of_rows([cells for _, _, cells in rows])
    records = [*((*begins[one["id"]], one) for one in documents), *errors]
    return _open_records(name, records, warnings)


def _open_rows_of_spans(
    name: str, header: Sequence[str], read: Callable[..., tuple[Table, list[RecordError]]]
) -> OpenedFile | None:
    """Open a table with a span on each row; None if it is none."""
    roles = roles_of_rows(tuple(header))
    if not roles:
        return None
    table, faults = read(*roles.items())
    cells = table.frame.select(*roles, ROW).iter_rows()
    rows = [(table.line(at), row, dict(zip(roles, some, strict=True))) for at, (*some, row) in enumerate(cells)]
    if not are_spans([row for _, _, row in rows]):
        return None
    return _open_spans(name, rows, [(error.line, NO_ROW, error) for error in faults], table.warnings)


def _open_pairs(
    name: str,
    rows: Iterable[tuple[int | None, int, Any, Any]],
    errors: Iterable[tuple[int | None, int, RecordError]],
    reading: ConceptReading,
    warnings: Sequence[str] = (),
) -> OpenedFile:
    """Combine the rows of each document, which are lines, places, ids and concepts; what cannot be read stays a record of its own."""
    key, given = reading.id or "id", reading.concepts or "concepts"
    found: dict[str, list[str]] = {}
    records: list[tuple[int | None, int, Any]] = [*errors]
    for line, row, document, concept in rows:
        if not isinstance(document, str | int) or not isinstance(concept, str):
            cells = {key: document, given: concept}
            records.append((line, row, {name: cell for name, cell in cells.items() if cell is not None}))
            continue
        if (tidy := str(document).strip()) not in found:
            found[tidy] = []
            records.append((line, row, {key: document, given: found[tidy]}))
        found[tidy] += [concept] if concept else []
    return _open_records(name, records, warnings)


def _open_records(
    name: str, records: Iterable[tuple[int | None, int, Any]], warnings: Sequence[str] = ()
) -> OpenedFile:
    """Open documents that are made of several rows each, in the order of their lines."""
    ordered = sorted(records, key=lambda one: one[0] or 0)
    lines, places, every = zip(*ordered, strict=True) if ordered else ((), (), ())
    first = [one for one in every if isinstance(one, dict)][:LOOKED_AT]
    numbers = range(1, len(every) + 1)

    def parts(columns: DocumentColumns) -> Iterable[Part]:
        return [_build_part(columns, numbers, lines, places, every)._replace(warnings=warnings)]

    return OpenedFile(name, False, first, parts)


def _header(source: Source, name: str, unnamed: Chooser | None) -> list[str]:
    """List the names of the columns of a table, or the roles of columns without names; nothing if it has no row."""
    if name == "parquet":
        return names_in(source, name)
    table = TextTable.opened(source, name)
    if table is None:
        return []
    if unnamed is None:
        return check_names(table.first.cells)
    return list(unnamed(table.first.cells, width=lambda: usual_width(source, name)).places)


def _rows_of(
    columns: DocumentColumns, read: Callable[..., tuple[Table, list[RecordError]]], *, has_absent: bool
) -> Iterator[Part]:
    """Read the rows of a table, and those that cannot be read with the first of them."""
    places = {role: name for role in ROLES if (name := getattr(columns, role)) is not None}
    table, errors = read(*places.items())
    size, lines = len(table.frame), cache(lambda: [table.line(row) or 0 for row in range(len(table.frame))])
    # The rows that are read, and among them those that are not.
    after = np.searchsorted(lines(), [error.line or 0 for error in errors]) if errors else np.zeros(0, dtype=np.int64)
    before = np.searchsorted(after, np.arange(size), side="right")
    numbers, unread = np.arange(1, size + 1) + before, (after + np.arange(1, len(after) + 1)).tolist()

    def absent(frame: pl.DataFrame, role: str) -> list[int]:
        return frame[role].is_null().arg_true().to_list() if has_absent else []

    def names(frame: pl.DataFrame, at: int) -> list[str]:
        return [name for role, name in places.items() if frame[at, role] is not None]

    for start in range(0, max(1, size), AT_ONCE):
        here = slice(start, min(start + AT_ONCE, size))
        frame = table.frame[here]
        yield Part(
            numbers[here].tolist(),
            Lines(lines, range(here.start, here.stop)) if has_absent else [None] * len(frame),
            frame[ROW].to_list(),
            frame.get_column,
            partial(absent, frame),
            partial(names, frame),
            {} if start else dict(zip(unread, errors, strict=True)),
            () if start else table.warnings,
        )
