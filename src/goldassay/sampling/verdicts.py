"""Verdicts of judges, as models and the tools that ask them write them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from goldassay.core.errors import RecordError, name_file
from goldassay.core.patterns import pattern_of
from goldassay.core.text import list_first
from goldassay.formats.answers.batch import body_of, texts_of_record, without_tags
from goldassay.formats.documents import parse_if_json
from goldassay.formats.records import json_objects
from goldassay.formats.source import load, text_of
from goldassay.sampling.todo import EXPECTED, WORDS, Label, read_table

ITEMS = ("item", "id", "custom_id")
VERDICTS = ("verdict", "label", "answer", "judgement", "judgment", "decision", "is_correct", "correct")
REPLIES = ("output", "response", "completion", "prediction", "result")
"""Keys of what a model wrote, which has a verdict in it."""
KNOWN = {
    **WORDS,
    **dict.fromkeys(("pass", "passed", "supported", "accept", "accepted", "valid"), 1.0),
    **dict.fromkeys(("fail", "failed", "unsupported", "not supported", "not correct", "reject", "rejected", "invalid"), 0.0),
}  # fmt: skip
"""The words of people, and those of judges."""
AROUND = " \t\r\n*_`\"'.!:"
FIRST_WORD = pattern_of(
    r"(?:(?:final )?(?:verdict|answer|judge?ment|label)\W{1,5})?((?:not )?[^\W\d_]+|[01])(?!\w|\.\d)", re.IGNORECASE
)
NUMBER = pattern_of(r"[-+]?\d{1,18}(?:[.,]\d{1,18})?%?")
SHOWN = 80


def read_verdicts(path: str | PathLike[str]) -> Iterator[Label]:
    """Read verdicts of a judge: a table, JSON Lines, an array, an object by item, or a batch file. The answer is None where there is none."""
    # Columns are `item` (or `id`) and `verdict` (or `label`), and perhaps `judge` and `run`.
    with name_file(path):
        unknown, lines, known = Counter[str](), list[int](), 0
        for line, row in _records(path):
            record = {key.strip().lower(): cell for key, cell in row.items()}
            name = next((str(record[key]) for key in ITEMS if record.get(key) not in (None, "")), None)
            if name is None:
                raise RecordError(
                    "The verdict has no item.", line=line, found=str(row)[:SHOWN], expected="item, verdict"
                )
            written = _written(record)
            value = _value_of(written)
            if value is None and NUMBER.fullmatch(written):
                raise RecordError(
                    "A verdict is a number.", line=line, found=written, expected=EXPECTED,
                    hint="a verdict is yes or no: choose from which number on it is yes, and write that",
                )  # fmt: skip
            if value is not None:
                known += 1
            elif written and written.lower() not in KNOWN:
                unknown[repr(written[:SHOWN])] += 1
                lines.append(line)
            run, judge = str(record.get("run") or ""), record.get("judge") or record.get("model")
            yield Label(name, value, run, str(judge or Path(fspath(path)).stem))
        if len(lines) > known:
            found = list_first([f"{word} ({times:,})" for word, times in unknown.most_common()])
            raise RecordError(
                "Most verdicts are words that are not known.", line=lines[0], found=found, expected=EXPECTED
            )


def _written(record: Mapping[str, Any]) -> str:
    """Return the verdict of a record as it is written; the empty text if there is none."""
    stated = [record[key] for key in VERDICTS if record.get(key) not in (None, "")]
    replies = [record[key] for key in REPLIES if isinstance(record.get(key), str | bool)]
    word = next(iter([*stated, *replies, *texts_of_record(record)]), "")
    if isinstance(word, dict):
        return _written({key.lower(): cell for key, cell in word.items()})
    return {True: "yes", False: "no"}[word] if isinstance(word, bool) else str(word).strip()


def _value_of(written: str) -> float | None:
    """Return the answer that a judge wrote, perhaps after thoughts and before reasons; None if there is none."""
    if written.lower() in KNOWN:
        return KNOWN[written.lower()]
    text = body_of(without_tags(written)[0]).strip()
    if text.startswith("{"):
        value = parse_if_json(text)
        return _value_of(_written(value)) if isinstance(value, dict) and value else None
    found = FIRST_WORD.match(text.lstrip(AROUND))
    plain = text.strip(AROUND).lower()
    return KNOWN.get(plain, KNOWN.get(found[1].lower()) if found else None)


def _records(path: str | PathLike[str]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    source = load(path)
    if not text_of(source).lstrip().startswith(("{", "[")):
        yield from read_table(source)[1]
        return
    for block in json_objects(source):
        for _, line, value in block.enumerate_values():
            if isinstance(value, RecordError):
                raise value
            yield from ((line, one) for one in _rows_of(value))


def _rows_of(value: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """List the verdicts of an object: one, a list of them below a key, or one below the id of each item."""
    [*inside] = value.values()
    if not {key.strip().lower() for key in value}.isdisjoint(ITEMS):
        yield value
    elif len(inside) == 1 and isinstance(inside[0], list) and all(isinstance(one, dict) for one in inside[0]):
        yield from inside[0]
    else:
        rows = (one if isinstance(one, dict) else {"verdict": one} for one in inside)
        yield from ({"item": name, **row} for name, row in zip(value, rows, strict=True))
