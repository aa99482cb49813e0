"""Files to sentences: UNL documents, plain text, CSV, TSV, Parquet and JSON Lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np

from goldassay.core.errors import InputError, names_file
from goldassay.core.parameters import Options, parameter
from goldassay.core.text import count_of
from goldassay.formats import Source, load, read_table, recognise
from goldassay.formats.answers.batch import OUTPUTS
from goldassay.formats.choose_columns import Choice, Header
from goldassay.formats.column_names import bare
from goldassay.formats.json_tables import is_json_table, texts_as_lines
from goldassay.formats.known import SUFFIXES, formats_of
from goldassay.formats.options import OnError, column_option, header_option, on_error_option
from goldassay.formats.records import BadRecords
from goldassay.formats.roles import SENTENCES
from goldassay.formats.rows import TABLES
from goldassay.formats.source import decode, text_of
from goldassay.unl.model import Document, Texts
from goldassay.unl.read import DocumentReading, document_of
from goldassay.unl.records import (
    WRAPPING,
    Answers,
    Written,
    answers_in,
    count_around,
    data_in,
    is_wrapped,
    items_in,
    split_written,
    without_numbers,
)

if TYPE_CHECKING:
    from polars import Series

READABLE = formats_of("rows", "text", "sentences")
NUMBERED = "the lines are numbered one after the other: their numbers are left out"
DOCUMENT_MARKS = ("[S]", "[S:", "{unl}")


@dataclass(frozen=True, kw_only=True)
class SentenceReading(Options):
    """Options for reading a file as sentences.

    Attributes:
        language: In a UNL document, the section to read the text from, for example ``"ru"``; None for ``{org}``.
        encoding: The encoding of text; None for UTF-8, or UTF-16 with its mark.
        text_column: The column of texts in a table; recognised by its name if None.
        id_column: The column of ids.
        header: Whether the first row of CSV and TSV names the columns; recognised if None.
        on_error: ``"stop"`` raises the first bad record; ``"skip"`` leaves it out, counts and lists it.

    Raises:
        UsageError: If a value is not one of the above.

    Example:
        >>> SentenceReading(language="ru").language
        'ru'
    """

    language: str | None = parameter(None, help="Section of texts in UNL documents, if not org.", metavar="TAG")
    encoding: str | None = parameter(
        None, help="Encoding of UNL documents and plain text, if not UTF-8.", metavar="NAME"
    )
    text_column: str | None = column_option("texts in a table")
    id_column: str | None = column_option("ids")
    header: Header | None = header_option()
    on_error: OnError = on_error_option()

    def idle(self) -> Iterator[tuple[tuple[str, ...], str]]:
        """Return the options that have no effect with the others, and why."""
        if self.encoding:
            yield ("text_column", "id_column", "header"), "with an encoding: tables are UTF-8"


AS_USUAL = SentenceReading()


def read_sentences(path: str | PathLike[str], reading: SentenceReading = AS_USUAL) -> Texts:
    r"""Read sentences from a file.

    A table or JSON Lines has ``text`` and optionally ``id``; rows with the same id are alternative wordings of a
    sentence. Plain text has one sentence per line. An empty line, or an empty cell, is a missing sentence.

    Args:
        path: The file, gzipped or not.
        reading: The options of the reader.

    Returns:
        The sentences, in the order of the file.

    Raises:
        InputError: If the file cannot be read as any of these, with the place.

    Example:
        >>> import tempfile, pathlib
        >>> file = pathlib.Path(tempfile.mkdtemp(), "a.txt")
        >>> _ = file.write_text("The cat sleeps.\nThe dog barks.\n")
        >>> read_sentences(file).item(1)
        '2 The dog barks.'
    """
    return _read(load(path), reading)


@names_file
def _read(source: Source, reading: SentenceReading) -> Texts:
    if not reading.encoding:
        source = texts_as_lines(source, SENTENCES, ("id", "output"), listed=False, holds=_are_wrapped)
        source = texts_as_lines(source, SENTENCES, ("id", "text"))
    bad = BadRecords(on_error=reading.on_error)
    if reading.encoding and SUFFIXES.get(PurePath(source.name).suffix) in TABLES:
        raise InputError(
            "--encoding is not supported for tables, which must be UTF-8.",
            found=f"--encoding {reading.encoding}",
            hint="convert the file to UTF-8, and leave out --encoding",
        )
    if not reading.encoding and (stated := data_in(source)):
        inner, around = stated
        model = _read(inner, reading)
        return replace(model, left_out={**model.left_out, **around})
    answers = None if reading.encoding or reading.text_column else answers_in(source)
    if answers and answers.texts:
        names, texts = [name for name, _ in answers.texts], [(text,) for _, text in answers.texts]
        return _sentences(source, names, texts, "answer", answers)
    if reading.encoding or answers:
        name = "text"
    else:
        name = "json-table" if is_json_table(source, SENTENCES.recognises) else recognise(source, READABLE)
    if name in TABLES:
        return _read_rows(source, name, reading, bad)
    text = decode(source, reading.encoding) if reading.encoding else answers.one if answers else text_of(source)
    if any(mark in text for mark in DOCUMENT_MARKS):
        return _texts_of(
            document_of(text, path=source.path, reading=DocumentReading(on_error=reading.on_error)), reading.language
        )
    # str.splitlines would also split at form feeds and at characters inside sentences, such as U+2028.
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    written = items_in(text) or (split_written(text) if is_wrapped(text) else Written(text))
    # The last line may be empty, as editors leave it.
    lines = written.text.removesuffix("\n").removesuffix("\n").split("\n")
    lines, numbered = without_numbers(lines)
    warnings = (NUMBERED,) if numbered else ()
    ids = [str(number + 1) for number in range(len(lines))]
    found = answers or Answers([], left_out=count_around([written]))
    return _sentences(
        source,
        ids,
        [(line,) for line in lines],
        "line",
        found._replace(warnings=(*warnings, *found.warnings)),
    )


def _sentences(
    source: Source, ids: Sequence[str], wordings: Sequence[tuple[str, ...]], how: str, answers: Answers
) -> Texts:
    """Make sentences of the lines of a text, or of answers."""
    return Texts(
        ids=tuple(ids),
        wordings=tuple(wordings),
        input_rows=np.arange(len(ids)),
        path=source.path,
        format="text",
        left_out=dict(answers.left_out),
        choices={"sentence": how},
        warnings=answers.warnings,
    )


def _texts_of(document: Document, language: str | None) -> Texts:
    wordings = [
        tuple(text for tag, text in texts if tag == language) if language else (original,)
        for texts, original in zip(document.texts, document.originals, strict=True)
    ]
    if not any(any(some) for some in wordings):
        tags = sorted({tag for texts in document.texts for tag, _ in texts})
        raise InputError(
            f"The document has no text in {{{language or 'org'}}}.",
            found=f"texts in {', '.join(tags)}" if tags else "no text",
            hint=f"--language {tags[0]}" if tags else "give a document with {org} sections, or plain text",
        )
    return Texts(
        ids=document.names,
        wordings=tuple(some or ("",) for some in wordings),
        path=document.path,
        format=document.format,
        left_out=document.left_out,
        notes=document.notes,
        facts={"without_text": sum(not any(some) for some in wordings)},
        choices={"sentence": language or "org"},
    )


def _are_wrapped(texts: Mapping[str, str | None]) -> bool:
    return any(WRAPPING.search(text) for text in texts.values() if text)


def _written(column: Series) -> tuple[list[str], tuple[str, ...], dict[str, int]]:
    """Return what the answers in a column state, a note about those with something around it, and how many lines of them are left out."""
    texts, found = column.to_list(), list[Written]()
    for row in column.str.contains(WRAPPING.pattern).arg_true().to_list():
        plain = split_written(texts[row])
        if plain.text != texts[row].strip():
            texts[row] = " ".join(plain.text.split())
            found.append(plain)
    note = f"left out what is around the sentence in {count_of(len(found), 'answer')}: thoughts, tags, a fence, words or notes"
    return texts, (note,) if found else (), count_around(found)


def _read_rows(source: Source, name: str, reading: SentenceReading, bad: BadRecords) -> Texts:
    chooser = SENTENCES.chooser({"text": reading.text_column, "id": reading.id_column}, reading.header)
    called = set[str]()

    def choose(names: Sequence[str], **more: Any) -> Choice:
        choice = chooser(names, **more)
        called.add(bare(choice.called.get("text", "")))
        return choice

    table = read_table(source, name, choose, bad).fill(bad, blank=("text",))
    texts, notes, around = table.frame["text"].to_list(), tuple[str, ...](), dict[str, int]()
    if not called.isdisjoint(OUTPUTS):
        texts, notes, around = _written(table.frame["text"])
    if "id" in table.frame.columns:
        ids = table.frame["id"].to_list()
    else:
        # A row that is left out keeps its number.
        ids = [str(row + 1) for row in table.input_rows.tolist()]
    wordings: dict[str, tuple[str, ...]] = dict(zip(ids, zip(texts, strict=True), strict=True))
    if len(wordings) < len(ids):
        grouped: dict[str, list[str]] = {key: [] for key in wordings}
        for key, text in zip(ids, texts, strict=True):
            grouped[key].append(text)
        wordings = {key: tuple(filter(None, some)) or ("",) for key, some in grouped.items()}
    if not any(texts):
        raise bad.no_item(
            "The file contains no sentence.",
            found=f"{source.size:,} bytes",
            expected="at least one row",
        )
    first = table.input_rows if len(wordings) == len(texts) else table.input_rows[table.frame["id"].is_first_distinct()]
    return Texts(
        ids=tuple(wordings),
        wordings=tuple(wordings.values()),
        input_rows=first,
        path=source.path,
        format=name,
        left_out={**bad.left_out(), **around},
        notes=(*bad.notes(), *notes),
        warnings=table.warnings,
        facts={"without_text": sum(not any(some) for some in wordings.values())},
        choices={"sentence": "row"},
    )
