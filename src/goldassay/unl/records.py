"""Records of JSON with UNL or with sentences, and answers of models: as the text of a document, or as sentences."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, NamedTuple

from goldassay.core.errors import InputError
from goldassay.core.patterns import pattern_of
from goldassay.core.text import BULLETS
from goldassay.formats import delimited
from goldassay.formats.answers.batch import (
    FENCED,
    OUTPUTS,
    TAG,
    body_of,
    is_batch,
    is_marked,
    number_lines,
    stated_in,
    texts_of_record,
    unwrap,
    without_tags,
)
from goldassay.formats.answers.means import Meaning
from goldassay.formats.answers.names import is_prose
from goldassay.formats.answers.sections import NOTE
from goldassay.formats.answers.tables import tables_in
from goldassay.formats.column_names import bare
from goldassay.formats.documents import is_json
from goldassay.formats.records import BadRecords, json_records
from goldassay.formats.roles import SENTENCES
from goldassay.formats.source import Source, text_of

OF_SENTENCES = Meaning(SENTENCES, ("id", "", "text"), "pair", "list", documents="id")
BEGINS = pattern_of(rb"(?:\xef\xbb\xbf)?\s*+(?:(?:\[\s*+){0,2}+\{\s*+\"|data:|event:)")
IDS = ("id", "custom_id", "sentence_id")
OPENS = "[S"
STATES = pattern_of(r"\s*(?:\[[SWR]|\{unl|[a-z]{2,4}(?::\w{1,9})?\()", re.IGNORECASE)
"""How UNL begins."""
WRAPPING = pattern_of(r"[<\[{`~◁:→#=]|[Ff]inal|^\s*(?:\*|__)")
"""What is in every text with something around it."""
CALLED = pattern_of(
    r"[*_]{0,3}(?:(?:final|generated|output) )?(?:sentence|answer|output)[*_]{0,3}:[*_]{0,3}\s++(?=\S)", re.IGNORECASE
)
"""What models write before a sentence on its line."""
BLANK = pattern_of(r"\n[ \t]*\n\s*")
EMPHASISED = pattern_of(r"(\*{1,3}|__)(\S[^*_]*+)\1")
RULED = pattern_of(r"^[ \t]*+\|[^\n]*\n[ \t]*+\|[ \t]*+:?-[-:| \t]*+$", re.MULTILINE)
"""The header of a Markdown table and the line below it."""
AROUND = 2**12
"""How much of a text is looked at for what may be around sentences."""
NUMBERED = pattern_of(r"\s{0,8}\(?(?:S|Sentence |sentence )?(\d{1,6})[.):]\s+(?=\S)")
ITEM = pattern_of(rf"{NUMBERED.pattern}|\s{{0,8}}[{BULLETS}]\s+(?=\S)")


@dataclass(frozen=True)
class Records:
    """The sentences of records as the text of a document."""

    text: str
    begins: list[int]  # the line of the text on which each record begins
    lines: list[int]  # the line of the file on which each does

    def line(self, line: int) -> int:
        """Return the line of the file that a line of the text is from."""
        return self.lines[bisect_right(self.begins, line) - 1]


def document_in(source: Source) -> Records | None:
    """Write records that have UNL as the text of a document; None if they have none."""
    placed = _records_of(source)
    bodies = [_body_of(record) for _, record in placed]
    if not any(bodies):
        return None
    begins, pieces, begin = list[int](), list[str](), 1
    for (_, record), body in zip(placed, bodies, strict=True):
        name = re.sub(r"[\[\]\n]", "", str(next((record[key] for key in IDS if key in record), "")))
        piece = f"{body}\n" if OPENS in body else f"[S:{name}]\n{body}\n[/S]\n"
        begins.append(begin)
        pieces.append(piece)
        begin += piece.count("\n")
    return Records("".join(pieces), begins, [line for line, _ in placed])


def _records_of(source: Source) -> list[tuple[int, Mapping[str, Any]]]:
    """List the records of JSON, a table or an object by sentence, with their lines; a record may have no UNL: the sentence was not returned."""
    if source.frame is not None:
        return list(enumerate(source.frame.to_dicts(), 1))
    if source.name.endswith((".csv", ".tsv")):
        rows = delimited.rows_of(source, source.name[-3:], BadRecords())
        header = next(rows, delimited.Row(1, [], 0)).cells
        known = not {"unl", "graph", *OUTPUTS}.isdisjoint(map(bare, header))
        return [(line, dict(zip(header, cells, strict=False))) for line, cells, _ in rows] if known else []
    if not BEGINS.match(source.data):
        return []
    placed = [(line, one) for block in json_records(source) for _, line, one in block.enumerate_values()]
    if len(placed) == 1 and isinstance(placed[0][1], dict) and not _body_of(placed[0][1]):
        [(line, value)] = placed
        texts = [str(one[0] if isinstance(one, list) else one) for one in value.values() if one]
        return (
            [(line, {"id": name, "unl": one}) for name, one in value.items()] if all(map(STATES.match, texts)) else []
        )
    return placed if all(isinstance(one, dict) for _, one in placed) else []


def _body_of(record: Mapping[str, Any]) -> str:
    """Return the UNL of a record: under a key that says so, what a model wrote, or a text; the empty text if there is none."""
    own = {bare(key): cell for key, cell in record.items()}
    given, written = own.get("unl") or own.get("graph"), "\n".join(texts_of_record(record))
    if given and written:
        raise InputError(
            "Records have two texts of UNL: their own, and that of a model.",
            found=", ".join(map(repr, record)),
            expected="one of them",
            hint="leave out the column that is not to be scored",
        )
    cell = given or written or own.get("text") or ""
    text = "\n".join(filter(None, map(str, cell))) if isinstance(cell, list) else cell if isinstance(cell, str) else ""
    lines = written_in(text).split("\n")
    while len(lines) > 1 and "(" not in lines[-1] and (not lines[-1].strip() or is_prose(lines[-1])):
        lines.pop()
    return "\n".join(lines)


class Answers(NamedTuple):
    """The texts of a batch file with their ids, or of one answer without an id, and how many lines are left out around them."""

    texts: list[tuple[str, str]]
    one: str = ""
    warnings: tuple[str, ...] = ()
    left_out: Mapping[str, int] = MappingProxyType({})


class Written(NamedTuple):
    """What an answer states, and how many lines are around it: before it, and next to it."""

    text: str
    thoughts: int = 0
    prose: int = 0


def answers_in(source: Source) -> Answers | None:
    """Return the answers of a batch file, or the answer in a response; None if a file is neither."""
    if not BEGINS.match(source.data):
        return None
    text = source.data.decode("utf-8-sig", "replace")
    if not is_batch(text.strip(), OF_SENTENCES):
        return None
    text = text_of(source)
    found = unwrap(text, OF_SENTENCES)
    stated = [(name, split_written(body)) for _, name, body in found.batch]
    one = split_written(found.text)
    texts = [(name, " ".join(written.text.split())) for name, written in stated]
    lines = count_around(
        [Written("", found.thoughts), *(written for _, written in stated)]
        if stated
        else [one._replace(thoughts=one.thoughts + found.thoughts)]
    )
    return Answers(texts, one.text, found.warnings, lines)


def count_around(answers: Iterable[Written]) -> dict[str, int]:
    """Count the lines around what answers state, for the ``left_out`` of a model."""
    counts = Counter[str]()
    for one in answers:
        counts.update({"lines_of_thoughts": one.thoughts, "lines_of_prose": one.prose})
    return {name: count for name, count in counts.items() if count}


def written_in(text: str) -> str:
    """Return what an answer states, without what may be around it."""
    return split_written(text).text


def split_written(text: str) -> Written:
    """Split what an answer states from what may be around it: JSON, thoughts, tags, a fence, a line or a word before it, notes below a blank line."""
    if not WRAPPING.search(text):
        return Written(text.strip())
    whole, thoughts = without_tags(stated_in(text, OF_SENTENCES))
    text = body_of(whole).strip()
    first, end, rest = text.partition("\n")
    text = rest.strip() if end and first.rstrip(" *_").endswith(":") and is_prose(first) else text
    note = next((blank for blank in BLANK.finditer(text) if NOTE.match(text, blank.end())), None)
    text = text[: note.start()] if note else text
    lines = sum(not FENCED.match(line) for _, line in number_lines(whole)) - len(number_lines(text))
    text = text[found.end() :] if (found := CALLED.match(text)) else text
    return Written(found[2] if (found := EMPHASISED.fullmatch(text.strip())) else text, thoughts, max(lines, 0))


def data_in(source: Source) -> tuple[Source, dict[str, int]] | None:
    """Return the JSON in a fence, or the Markdown table, that a text of words has for sentences, and how many lines are around it."""
    start = source.start(AROUND)
    fenced, ruled = FENCED.search(start), RULED.search(start)
    text = text_of(source) if fenced or ruled else ""
    if fenced:
        written = split_written(text)
        data = written.text.strip()
        if data.startswith(("[", "{")) and is_json(data):
            return replace(source, data=data.encode(), name=f"{source.name}.json"), count_around([written])
    if ruled and (found := tables_in(text, 1, OF_SENTENCES)) and found.table:
        names, *rows = found.table
        if rows and OF_SENTENCES.roles.recognises(names):
            lines = sum(number not in found.taken for number, _ in number_lines(text))
            records = source.of_records(dict(zip(names, row, strict=False)) for row in rows)
            return records, count_around([Written("", prose=lines)])
    return None


def items_in(text: str) -> Written | None:
    """Return the items of a list below a line that introduces it, each on a line; None if a text is no such list."""
    first, *rest = filter(str.strip, text.split("\n")) if ":\n" in text[:AROUND] else [""]
    items = [ITEM.match(line) for line in rest]
    if len(rest) < 2 or not first.rstrip(" *_").endswith(":") or not is_prose(first) or None in items:  # noqa: PLR2004
        return None
    return Written("\n".join(line[one.end() :] for line, one in zip(rest, filter(None, items), strict=True)), prose=1)


def is_wrapped(text: str) -> bool:
    """Return whether a text begins with a mark of a model or a tag around it, or has thoughts or a fence."""
    tagged = TAG.match(text.lstrip()) and without_tags(text)[0] != text
    return bool(tagged or is_marked(text) or "</think>" in text or FENCED.search(text))


def without_numbers(lines: list[str]) -> tuple[list[str], bool]:
    """Leave out the numbers of lines if all have some, one after the other; also whether they have."""
    found = [one for line in lines if (one := NUMBERED.match(line))]
    numbers = [int(one[1]) for one in found]
    if (
        len(found) < max(len(lines), 2)
        or numbers != list(range(numbers[0], numbers[0] + len(numbers)))
        or numbers[0] > 1
    ):
        return lines, False
    return [line[one.end() :] for line, one in zip(lines, found, strict=True)], True
