"""Model output with lists of concepts, document by document: JSON, lists below names, tables and batch files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any

from goldassay.core.errors import InputError
from goldassay.core.patterns import pattern_of
from goldassay.core.text import BULLETS, count_of
from goldassay.formats.answers import tables as answer_tables
from goldassay.formats.answers.batch import (
    BESIDES,
    FENCED,
    LOOKED_AT,
    OUTPUTS,
    STREAM,
    blocks_of,
    documents_below,
    first_records,
    is_batch,
    is_marked,
    is_served,
    names_output,
    number_lines,
    texts_of_record,
    unwrap,
    without_tags,
)
from goldassay.formats.answers.concepts import (
    PREAMBLE,
    TAGGED_LINE,
    Listed,
    is_absent,
    is_named,
    join_lists,
    led_names,
    list_in,
    lists_in,
    names_of_one,
    split_last,
    without_descriptions,
)
from goldassay.formats.answers.empty import is_nothing, is_refusal
from goldassay.formats.answers.json import objects_in, values_in
from goldassay.formats.answers.labels import WORDS_OF_LABEL
from goldassay.formats.answers.lines import WIDE_NUMBER, lines_of_answer
from goldassay.formats.answers.means import OF_CONCEPTS
from goldassay.formats.answers.names import is_prose
from goldassay.formats.answers.outline import node_of
from goldassay.formats.answers.read import read_answer
from goldassay.formats.answers.sections import is_around
from goldassay.formats.answers.tables import delimited_in
from goldassay.formats.answers.write import Answer, cut_off, describe_prose, note_of
from goldassay.formats.answers.yaml import ESCAPED, yaml_in
from goldassay.formats.column_names import bare
from goldassay.formats.delimited import rows_of
from goldassay.formats.json_tables import OF_LINES
from goldassay.formats.known import SUFFIXES
from goldassay.formats.literals import names_in_cell
from goldassay.formats.recognise import is_json_in_words
from goldassay.formats.records import BadRecords
from goldassay.formats.roles import CONCEPTS, DOCUMENTS
from goldassay.formats.source import Source, text_of

LISTED = pattern_of(
    rf"^[^\n]{{1,80}}\n(?:[ \t]*\n)?[ \t]*(?:(?:[{BULLETS}]|\(?\d{{1,3}}[.)])[ \t]+|(?:[・･]|{WIDE_NUMBER})[ \t]*)\S",
    re.MULTILINE,
)
"""A line, and below it a bullet or a number."""
KEYED = pattern_of(
    rf"(?:[{BULLETS}]\s)?[*_`]{{0,3}}([\w.-]{{1,80}})[*_`]{{0,3}}(?::[*_]{{0,3}}\s|\uff1a[*_]{{0,3}}\s*+)(\S.*)"
)
"""An id, and what belongs to it."""
KEY_OF_CONCEPTS = pattern_of(
    r"(?:^[ \t]*+(?:-[ \t]++)?|[{,][ \t]*+)(?:\w{0,40}(?:concepts|entities|keywords|keyphrases|terms)[ \t]*+:[ \t]*+(?:\[|\n)"
    r"|(?:name|text|concept|entity|term|keyword|mention)[ \t]*+:[ \t]++\S)",
    re.MULTILINE,
)
"""A key of YAML with a list of concepts, or with the name of one."""
LED = pattern_of(r"[ _](?:concepts|entities|keywords|key[ _]?phrases|terms)$", re.IGNORECASE)
"""How a key ends that names concepts, such as 'medical_concepts'."""
SEPARATORS = pattern_of("[,;|\uff0c\uff1b\u3001\uff5c]")
Record = dict[str, Any]


def is_answer_of_documents(source: Source, *, page: bool) -> bool:
    """Return whether a text begins like model output with lists: a fence, a batch, or names with lists, tables or keys below each other.

    Args:
        source: The file.
        page: Whether it is a page of Markdown, and no text with a document on each line.
    """
    text = source.start(LOOKED_AT).replace("\r\n", "\n").lstrip()
    # Of lines of records the first may be bad.
    of_lines = source.name.endswith(OF_LINES)
    if text.startswith(("{", "[", *STREAM)) and not is_marked(text):
        first = text.partition("\n")[0]
        batch = names_output(text) and (_begins_batch(text) or (first != text and _begins_batch(first)))
        listed = source.name.endswith(".txt") and _records_of_json(text_of(source), 1)
        return batch or bool(listed) or (not of_lines and is_json_in_words(source, lambda value, _: _records_in(value)))
    if FENCED.search(text) or is_marked(text) or "</think>" in text:
        return True
    if of_lines:
        return False
    text, _ = without_tags(text)
    if page or LISTED.search(text) or TAGGED_LINE.search(text) or answer_tables.BEGINS.search(text) or led_names(text):
        return True
    if documents_below(text, OF_CONCEPTS) or _has_table(source.start(LOOKED_AT)):
        return True
    lines = [line for _, line in number_lines(text)][:-1] or [text]
    items = [line for line in lines if not is_prose(line)]
    keyed = [line for line in items if not is_around(line)]
    return bool(_records_of(text, 1)) or (2 * len(keyed) >= max(len(items), 1) and all(map(_is_keyed, keyed)))


def _has_table(text: str) -> bool:
    """Return whether a text has a table of concepts that is drawn or aligned."""
    found = answer_tables.tables_in(text, 1, OF_CONCEPTS)
    return found is not None and CONCEPTS.recognises(found.table[0])


def _begins_batch(text: str) -> bool:
    """Return whether a batch file begins, or records with answers that are lists; texts in records have a faster reader."""
    if not is_batch(text, OF_CONCEPTS):
        return False
    # The first of them may be bad answers.
    records = [record for record in first_records(text) if isinstance(record, dict)]
    if text.startswith(STREAM) or any(map(is_served, records)):
        return True
    answers = [without_tags("\n".join(texts_of_record(record)))[0] for record in records]
    return any(one.broken or one.names is not None for one in lists_in(answers))


def _is_keyed(line: str) -> bool:
    found = KEYED.fullmatch(line)
    # An id has a digit: other words before a colon begin a text.
    numbered = found is not None and any(map(str.isdigit, found[1]))
    return (
        found is not None
        and numbered
        and all(len(part.split()) <= WORDS_OF_LABEL for part in SEPARATORS.split(found[2]))
    )


def read_documents(source: Source, *, texts: bool = False) -> Answer | None:
    r"""Turn model output into records of documents with their concepts, or with their texts; None if there are none in it.

    Args:
        source: The file.
        texts: Whether concepts are searched for in the texts of answers.
    """
    whole = text_of(source)
    unwrapped = unwrap(whole, OF_CONCEPTS)
    answer = None if texts or unwrapped.batch else _read_text(source, unwrapped.text)
    batch = unwrapped.batch or ([(1, "1", unwrapped.text.strip())] if unwrapped.text != whole else [])
    answer = answer or (_of_batch(source, batch, texts=texts) if batch else None)
    # What is read as lines is unwrapped once more.
    warnings = dict.fromkeys((*unwrapped.warnings, *answer.warnings)) if answer else ()
    return answer and answer._replace(thoughts=unwrapped.thoughts, warnings=tuple(warnings))


def _read_text(source: Source, text: str) -> Answer | None:
    """Read one answer: its JSON, or lists below names."""
    found = [one for part in blocks_of(text) or [(1, text)] for one in _records_of(*part[::-1])]
    if found:
        taken = set().union(*(lines for _, lines, _ in found))
        outside = [row for row in number_lines(text) if row[0] not in taken and not FENCED.match(row[1])]
        records, cuts = [one for one, _, _ in found], sorted({cut for *_, cut in found if cut})
        return _answer(source, "JSON", records, outside, len(outside) + len(taken), cuts=cuts)
    return None if text.lstrip().startswith(("{", "[")) else _read_lists(source, text)


def _read_lists(source: Source, text: str) -> Answer | None:
    """Read lists below names, pairs and tables, as instances with labels are read; a fence may hold a file of its own."""
    if names := names_of_one(text):
        return _answer(source, "a list", [{"concepts": names}], (), len(names))
    plain = without_descriptions(text)
    if plain != text_of(source):
        source = replace(source, data=plain.encode("utf-8", "surrogatepass"))
    try:
        answer = read_answer(source, meaning=OF_CONCEPTS)
    except InputError:
        listed = list_in(plain)
        if not listed.names:
            return None
        unread = _unread(plain, listed.names)
        found = _answer(source, "a list", [{"concepts": listed.names}], unread, len(listed.names) + len(unread))
        return found._replace(warnings=(*found.warnings, *_warn_of_absent(listed.absent)))
    if answer.format != "csv":
        return _read_fence(answer) if answer.format is None else answer
    names, *rows = [row.cells for row in rows_of(answer.source, "csv", BadRecords())]
    places = CONCEPTS.chosen(names, always=True).places
    # In Markdown the cells that a row lacks are empty.
    width = 1 + max(places.values())
    full = (row + [""] * (width - len(row)) for row in rows)
    pairs = [(row[places["document"]], row[places["concept"]]) for row in full]
    nothing = [name for name, one in pairs if one and is_absent(one)]
    others = {name for name, one in pairs if one and not is_absent(one)} if nothing else set[str]()
    left = _warn_of_absent(sum(name in others for name in nothing))
    return answer._replace(**_lines_of(source, list(_group(pairs))), warnings=(*answer.warnings, *left))


def _unread(text: str, names: Sequence[Any]) -> list[tuple[int, str]]:
    """List the lines that are none of some names; none if the names are not on lines of their own."""
    lines, known = lines_of_answer(text), set(map(str, names))
    rest = [(line.number, line.text) for line in lines if node_of(line.text) not in known]
    return rest if len(lines) - len(rest) >= len(names) else []


def _warn_of_absent(count: int) -> tuple[str, ...]:
    """Warn of names next to others that say that there is none."""
    return (f"{count_of(count, 'name')} such as 'None' or '-' next to others: not read",) if count else ()


def _read_fence(answer: Answer) -> Answer:
    """Read the lists in a code fence; of other files in it the reader is chosen as for files."""
    inner, text = answer.source, text_of(answer.source)
    listed = is_answer_of_documents(inner, page=False) or delimited_in(text, 1, OF_CONCEPTS) is not None
    found = _read_lists(inner, text) if listed and PurePath(inner.name).suffix not in SUFFIXES else None
    if found is None:
        return answer
    notes, warnings, prose = (
        f"{answer.note}; {found.note}",
        (*answer.warnings, *found.warnings),
        (*answer.prose, *found.prose),
    )
    return found._replace(note=notes, warnings=warnings, prose=prose)


def _records_of(body: str, first: int) -> list[tuple[Record, set[int], int]]:
    """List the documents in the JSON of a text, or in its lines of JSON, each with its lines and the line where it is cut off."""
    if found := _records_of_json(body, first) or _records_of_yaml(body, first):
        return found
    if "{" not in body:
        return []
    return [(row, {number}, 0) for number, row in objects_in(body, first) if DOCUMENTS.recognises(list(row))]


def _records_of_json(body: str, first: int) -> list[tuple[Record, set[int], int]]:
    return [(record, taken, cut) for value, taken, cut in values_in(body, first) for record in _records_in(value)]


def _records_of_yaml(body: str, first: int) -> list[tuple[Record, set[int], int]]:
    """List the documents of YAML, if their concepts are lists below a key for them, or objects with a name."""
    if not (KEY_OF_CONCEPTS.search(body) or ESCAPED.search(body)) or (value := yaml_in(body)) is None:
        return []
    found = _records_in(value)
    listed = all(isinstance(one.get(name), list) for one in found for name in DOCUMENTS.called("concepts", list(one)))
    taken = {first + number - 1 for number, _ in number_lines(body)}
    # All documents are in the same lines.
    return [(one, taken, 0) for one in found] if listed else []


def _records_in(value: Any) -> list[Record]:
    """List the documents of a value of JSON; nothing if it is no such value."""
    if isinstance(value, list):
        if value and all(isinstance(one, dict) for one in value):
            if all(map(is_named, value)):
                return [{"concepts": value}]
            return value if DOCUMENTS.recognises(list(value[0])) else []
        return [{"concepts": value}] if value and all(isinstance(one, str) for one in value) else []
    return _documents_in(value) if isinstance(value, dict) and value else []


def _documents_in(value: Mapping[str, Any]) -> list[Record]:
    """List the documents of an object: what it wraps, itself, or what is below the name of each."""
    inside = list(value.values())
    if len(inside) == 1 and (found := _wrapped(next(iter(value)), inside[0])):
        return found
    if all(isinstance(one, dict) and DOCUMENTS.recognises(list(one)) for one in inside):
        return [{"id": name, **one} for name, one in value.items()]
    return [dict(value)] if DOCUMENTS.recognises(list(value)) else _documents_by_key(value)


def _documents_by_key(value: Mapping[str, Any]) -> list[Record]:
    """List the documents of an object whose keys are ids, or say what the concepts are."""
    asked = [one for name, one in value.items() if LED.search(name) and isinstance(one, list)]
    if len(asked) == 1 and all(LED.search(name) or bare(name) in BESIDES for name in value):
        return _records_in(asked[0])
    if (joined := join_lists(value)) is not None:
        if len(value) == 1 and not any(map(str.isdigit, next(iter(value)))):
            # An id has a digit: another key is what the concepts are.
            return [{"concepts": joined}]
        return [{"id": name, "concepts": one} for name, one in value.items()]
    inner = {name: join_lists(one) if isinstance(one, dict) else None for name, one in value.items()}
    return [] if None in inner.values() else [{"id": name, "concepts": one} for name, one in inner.items()]


def _wrapped(name: str, inside: Any) -> list[Record]:
    """List the documents that the only key of an object wraps; below 'entities' each is a concept, unless it has some of its own."""
    if isinstance(inside, dict) and bare(name) in OUTPUTS:
        return _records_in(inside)
    found = _records_in(inside) if isinstance(inside, list) else []
    if not found or len(found[0]) == 1:
        return []
    named = DOCUMENTS.called("concepts", [name]) and not DOCUMENTS.called("concepts", list(found[0]))
    return [{"concepts": inside}] if named else found


def _of_batch(source: Source, batch: Sequence[tuple[int, str, str]], *, texts: bool) -> Answer:
    """Read each answer as a list of concepts, if most are; else all are texts."""
    nothing = [is_nothing(text, OF_CONCEPTS) for _, _, text in batch]
    listed_in = lists_in(["" if empty else text for (_, _, text), empty in zip(batch, nothing, strict=True)])
    found = [Listed([]) if empty else one for one, empty in zip(listed_in, nothing, strict=True)]
    lists = [one.names for one in found]
    # What a service did not answer is neither, nor what it refused.
    unsaid = sum(
        empty or not text.strip() or is_refusal(text) for (_, _, text), empty in zip(batch, nothing, strict=True)
    )
    listed = sum(one.names is not None or one.broken for one in found) - sum(nothing)
    if texts or 2 * listed <= len(batch) - unsaid:
        written: list[Record] = [
            {"id": name, "text": "" if empty else text} for (_, name, text), empty in zip(batch, nothing, strict=True)
        ]
        return _answer(source, "a batch of answers (texts)", written, [], len(batch))
    records: list[Record] = [
        {"id": name, "concepts": one or []} for (_, name, _), one in zip(batch, lists, strict=True)
    ]
    unread = [(line, text) for (line, _, text), one in zip(batch, lists, strict=True) if one is None]
    cuts = [line for (line, _, _), one in zip(batch, found, strict=True) if one.cut]
    answer = _answer(source, "a batch of answers (lists)", records, unread, len(batch), cuts=cuts)
    return answer._replace(warnings=(*answer.warnings, *_warn_of_absent(sum(one.absent for one in found))))


def _group(pairs: Sequence[tuple[str, str]]) -> Iterator[Record]:
    """Combine the concepts of each document; if each has one cell, this is a list."""
    found: dict[str, list[str]] = {}
    for name, concept in pairs:
        found.setdefault(name, []).append(concept)
    if all(len(cells) == 1 for cells in found.values()):
        found = {name: _names_in(cells[0]) for name, cells in found.items()}
    else:
        found = {name: [*(led_names(cells[0]) or cells[:1]), *cells[1:]] for name, cells in found.items()}
    # A document whose cell is empty, or says so, has no concept.
    lists = dict(zip(found, split_last(found.values()), strict=True))
    found = {name: [one for one in cells if one and not is_absent(one)] for name, cells in lists.items()}
    # Above the names of documents is a title.
    found = {
        name: cells for name, cells in found.items() if not cells or not {*found}.difference({name}).issuperset(cells)
    }
    one = len(found) == 1 and len(next(iter(found)).split()) > PREAMBLE  # a sentence such as 'Here are the concepts:'
    yield from ({**({} if one else {"id": name}), "concepts": concepts} for name, concepts in found.items())


def _names_in(cell: str) -> list[str]:
    listed = names_in_cell(cell, plural=True) or led_names(cell)
    return [name.strip().removeprefix("and ") for name in listed or SEPARATORS.split(cell)]


def _lines_of(source: Source, records: Sequence[Record]) -> dict[str, Any]:
    return {"source": source.of_records(records), "format": "json-lines"}


def _answer(
    source: Source,
    shape: str,
    records: Sequence[Record],
    unread: Sequence[tuple[int, str]],
    total: int,
    *,
    cuts: Sequence[int] = (),
) -> Answer:
    more, warnings = describe_prose(source, unread, total)
    warnings = (*map(cut_off, cuts), *warnings)
    note = note_of(shape, unread, total, more)
    return Answer(**_lines_of(source, records), note=note, warnings=warnings, prose=tuple(unread))
