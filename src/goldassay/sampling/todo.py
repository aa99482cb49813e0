"""The files of a sample: a table to label, the design next to it, a page to label with the keyboard, prompts; and labels read back."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import zip_longest
from os import PathLike
from os.path import exists, isfile
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec
import polars as pl

from goldassay.core.errors import InputError, RecordError, UsageError, names_file
from goldassay.core.text import list_first, visible
from goldassay.formats import delimited
from goldassay.formats.records import BadRecords
from goldassay.formats.source import WIDE, Source, load, open_file, text_of
from goldassay.report.files import csv_of, write_whole
from goldassay.sampling.sample import SCHEMA, Sample

WORDS: Mapping[str, float | None] = MappingProxyType(
    {
        **dict.fromkeys(("yes", "y", "1", "1.0", "1,0", "true", "right", "correct", "wahr", "vrai", "verdadero", "vero", "ja", "oui", "sí", "si"), 1.0),
        **dict.fromkeys(("no", "n", "0", "0.0", "0,0", "false", "wrong", "incorrect", "falsch", "faux", "falso", "nein", "non"), 0.0),
        **dict.fromkeys(("unsure", "?", "idk", "i don't know", "unknown"), None),
    }
)  # fmt: skip
"""What people write, and what spreadsheets in some languages make of a yes or a number."""
MISSED = "missed"
"""The label of a right item that a prediction lacks, in a row that a person adds to an exhaustively labelled document."""
ANSWER = ("label", "rater", "comment")
FIRST = "id"
EXPECTED = "yes, no or unsure"


class Label(NamedTuple):
    """One answer: the item, the answer (None for unsure), who gave it, and the words of the item."""

    id: str
    value: float | None
    rater: str
    text: str


class Labels(NamedTuple):
    """The labels of a file."""

    given: list[Label]  # one entry a row that has a label
    # how many right items no prediction has, of each document that has an answer; 0 where nothing was missed
    missed: dict[str, int]
    words: dict[str, str]  # the words of every item, by id


def design_path(path: str | PathLike[str]) -> Path:
    """Return where the design of a table is: ``todo.design.json`` next to ``todo.csv``."""
    if not Path(path).name:
        raise InputError("This is a folder.", path=path, expected="a file", hint="name a file inside it")
    return Path(path).with_suffix(".design.json")


def save_design(sample: Sample, path: str | PathLike[str], *, overwrite: bool = True) -> None:
    """Write a design; that of another sample, whose labels need it, is only replaced on request."""
    written = json.dumps(asdict(sample), indent=1, ensure_ascii=False).encode()
    if not overwrite and isfile(path) and Path(path).read_bytes() != written:
        raise UsageError(
            "The design file of another sample has this name.",
            found=str(path),
            hint="choose another --output, or remove the file; --more N extends a sample",
        )
    write_whole(path, lambda stream: stream.write(written))


def load_design(path: str | PathLike[str]) -> Sample:
    """Read the design of a table."""
    design = design_path(path)
    if not exists(design):
        load(path)
        raise InputError(
            "The design file of the labels is missing, so their sampling is unknown.",
            path=path,
            expected=f"{design.name} next to it",
            hint="--design simple, if every item was as likely to be labelled",
        )
    with open_file(design) as stream:
        try:
            found = msgspec.json.decode(stream.read(), type=Sample)
        except (msgspec.DecodeError, UnicodeDecodeError, UsageError) as error:
            hint = "draw the sample again"
            raise InputError("The design is damaged.", found=str(error)[:200], hint=hint) from error
        if found.schema != SCHEMA:
            raise InputError("The design file has an unsupported version.", found=found.schema, expected=SCHEMA)
        if wrong := found.damage():
            raise InputError("The design is damaged.", found=wrong, hint="draw the sample again")
        return found


def copy_labels(rows: Sequence[dict[str, str]], sample: Sample, path: str | PathLike[str]) -> list[dict[str, str]]:
    """Take the labels of another table for the items that are in both, those of each rater in a row, and what was missed of documents."""
    # An item that was missed there, and is predicted now, is right.
    old, answers = load_design(path), dict[Any, list[dict[str, str]]]()
    keys = {name: item.key for name, item in sample.items.items()}
    drawn = {one.cluster for one in sample.draws} if sample.asked.design == old.asked.design == "documents" else ()
    known = {_words_of(row) for row in rows}
    further = []
    for _, row in table_rows(path):
        given, words = {name: row.get(name, "") for name in ANSWER}, _words_of(row)
        if row["label"] and row[FIRST] in old.items:
            answers.setdefault(old.items[row[FIRST]].key, []).append(given)
        elif row["label"] and words in known:
            answers.setdefault(words, []).append(given)
        elif row["label"] and row.get("document") in drawn:
            further.append(row)
    found = []
    for row in rows:
        right = {"label": "yes"} if row[FIRST] else {}
        missed = [given | right for given in answers.get(_words_of(row), ())]
        found += [row | given for given in answers.get(keys.get(row[FIRST])) or missed or [{}]]
    return found + further


def parts_of(row: Mapping[str, str]) -> list[str]:
    """Name the columns of a table that are parts of items."""
    return [name for name in row if name not in (FIRST, "text", *ANSWER)]


def _words_of(row: Mapping[str, str]) -> tuple[str, ...]:
    return _folded(row[name] for name in parts_of(row))


def _folded(cells: Iterable[str]) -> tuple[str, ...]:
    return tuple(" ".join(cell.casefold().split()) for cell in cells)


def rows_of(ids: Sequence[str], columns: Mapping[str, Sequence[str]]) -> list[dict[str, str]]:
    """Convert items to rows of the table: id, the parts in words, the text around them, and empty columns."""
    names = list(columns)
    return [
        {FIRST: ids[row], **{name: columns[name][row] for name in names}, **dict.fromkeys(ANSWER, "")}
        for row in range(len(ids))
    ]


def save_table(rows: Sequence[Mapping[str, str]], path: str | PathLike[str]) -> None:
    """Write the table to label."""
    write_whole(path, lambda stream: stream.write(table_of(rows).encode()))


def table_of(rows: Sequence[Mapping[str, str]]) -> str:
    """Write rows as CSV, texts that a spreadsheet would run after an apostrophe."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    return csv_of(
        pl.DataFrame(
            [{name: row.get(name) or None for name in names} for row in rows], schema=dict.fromkeys(names, pl.String)
        )
    )


def save_prompts(rows: Sequence[Mapping[str, str]], path: str | PathLike[str]) -> None:
    """Write items as JSON Lines, for whoever asks a model: the item, and the verdict that is expected back."""
    lines = [
        json.dumps(
            {
                "item": row[FIRST],
                **{name: cell for name, cell in row.items() if name not in (FIRST, *ANSWER)},
                "verdict": None,
            },
            ensure_ascii=False,
        )
        for row in rows
        if row[FIRST]
    ]
    write_whole(path, lambda stream: stream.write("".join(f"{line}\n" for line in lines).encode()))


def page_of(
    rows: Sequence[Mapping[str, str]],
    *,
    title: str,
    name: str,
    save: str = "",
    nonce: str = "",
    exhaustive: bool = False,
) -> str:
    """Write the page that labels items with the keyboard: offline, or saving each label where ``save`` says."""
    # With `exhaustive` it also has room for the right items of each document that were not predicted.
    template = (Path(__file__).parent / "label.html").read_text(encoding="utf-8")
    shown_rows = [row for row in rows if exhaustive or row[FIRST]]
    missed = [one for one in parts_of(rows[0] if rows else {}) if one != "document"] if exhaustive else None
    # What would hide, or turn the text around it, is shown by its number; the table keeps it.
    shown = {text: visible(text) for row in rows for text in row.values() if visible(text) != text}
    data = json.dumps(
        {"title": visible(title), "name": name, "save": save, "rows": shown_rows, "missed": missed, "shown": shown},
        ensure_ascii=False,
    )
    once = template.replace("{{nonce}}", f' nonce="{nonce}"' if nonce else "")
    return once.replace("{{data}}", data.replace("<", "\\u003c"))


def put_answer(
    rows: Sequence[Mapping[str, str]], answer: Mapping[str, str], *, exhaustive: bool = False
) -> list[dict[str, str]]:
    """Put the answer of a rater into a table: into the rater's row of the item, a row without an answer, or a new one after these."""
    # What has no id is a drawn document, or a right item of it that was missed, which is added, and removed if it has
    # no label any more.
    name, rater, columns = answer[FIRST], answer["rater"], parts_of(rows[0] if rows else {})
    parts = {} if name else {part: answer.get(part, "") for part in columns}
    missed = any(cell for part, cell in parts.items() if part != "document")

    def is_same(row: Mapping[str, str]) -> bool:
        same = (row.get(part, "").removeprefix("'") == cell.removeprefix("'") for part, cell in parts.items())
        return row[FIRST] == name and all(same)

    mine = same = [place for place, row in enumerate(rows) if is_same(row)]
    if missed and exhaustive and not same and answer["label"] == MISSED:
        mine = [place for place, row in enumerate(rows) if row.get("document") == parts.get("document")]
    if not mine or (answer["label"] == MISSED) > missed or (not name and answer["label"] in ("yes", "unsure")):
        raise UsageError("The table does not contain this item.", found=name or " | ".join(parts.values()))
    own = [place for place in same if rows[place].get("rater", "") == rater]
    free = [place for place in same if not any(rows[place].get(part) for part in ANSWER)]
    place = next(iter([*own, *free]), None)
    given = {one: answer[one] for one in ANSWER} if answer["label"] or answer["comment"] else dict.fromkeys(ANSWER, "")
    found = [dict(row) for row in rows]
    if place is None:
        # Of a new item that was missed the row before has only the columns.
        found.insert(
            mine[-1] + 1, {**rows[mine[0]], **(dict.fromkeys(rows[0], "") if missed else {}), **parts, **given}
        )
    elif not any(given.values()) and (missed or len(mine) > 1):
        del found[place]
    else:
        found[place] |= given
    return found


@names_file
def table_rows(path: str | PathLike[str]) -> list[tuple[int, dict[str, str]]]:
    """Read a table with the line of each row; a spreadsheet may have saved it with semicolons or tabs."""
    names, rows = read_table(_decoded(load(path)))
    lacking = [name for name in (FIRST, "label") if name not in names]
    if lacking:
        raise InputError(
            "The table does not contain this column.",
            line=1,
            found=", ".join(names)[:200] or "no column",
            expected=" and ".join(lacking),
            hint="goldassay sample PRED -o todo.csv writes one",
        )
    found = [(line, {name: cell.strip() for name, cell in row.items()}) for line, row in rows]
    for _, row in found:
        # A column of whole numbers with a gap becomes one of decimals in pandas.
        row[FIRST] = whole if (whole := row[FIRST].removesuffix(".0")).isdecimal() else row[FIRST]
    # A spreadsheet saves rows below the table that were touched once.
    return [(line, row) for line, row in found if any(row.values())]


def _decoded(source: Source) -> Source:
    """Decode what Excel saves as plain CSV, in the encoding of Windows: only ids and labels are read from it."""
    try:
        source.data.startswith(WIDE) or source.data.decode()
    except UnicodeDecodeError:
        return replace(source, data=source.data.decode("cp1252", "replace").encode())
    return source


def read_table(source: Source) -> tuple[list[str], Iterator[tuple[int, dict[str, str]]]]:
    """Read the names of the columns, and the rows with their lines; a cell that is absent is empty."""
    separator = max(",;\t", key=text_of(source).partition("\n")[0].count)
    rows = delimited.rows_of(source, "csv", BadRecords(), separator=separator)
    names = [name.strip().lower() for name in next(rows, delimited.Row(1, [], 0)).cells]
    return names, ((line, dict(zip_longest(names, cells, fillvalue=""))) for line, cells, _ in rows)


@names_file
def read_labels(path: str | PathLike[str], known: Mapping[str, Any] | None = None) -> Labels:
    """Read labels, of items that a design has, if there is one: each is one of the words, and a rater does not contradict an own label."""
    given, words, predicted = dict[tuple[str, str], Label](), dict[str, str](), dict[tuple[str, ...], str]()
    drawn = _by_words(known or {})
    of_documents: list[tuple[int, Mapping[str, str]]] = []
    invalid: list[tuple[int, str]] = []
    for line, row in table_rows(path):
        name, word = row[FIRST], row["label"].lower()
        text = " | ".join(row[part] for part in parts_of(row) if row[part])
        if word == MISSED or (not name and WORDS.get(word, 1.0) == 0):
            of_documents.append((line, row))
            continue
        if known is not None and word:
            _check_item(row, known, drawn, line=line)
        words.setdefault(name, text)
        predicted.setdefault(_words_of(row), name)
        if word and word not in WORDS:
            invalid.append((line, repr(row["label"])))
        elif word:
            made = Label(name, WORDS[word], row.get("rater", ""), text)
            if given.setdefault((name, made.rater), made).value != made.value:
                raise RecordError(
                    "The same person labels an item twice, and differently.", line=line, found=f"id {name!r}, rater {made.rater!r}",
                    expected="one label of each rater", hint="write the name of each person into the column rater",
                )  # fmt: skip
    if invalid:
        found = list_first([f"{label} (line {line})" for line, label in invalid])
        raise RecordError("Invalid label.", line=invalid[0][0], found=found, expected=EXPECTED)
    missed, lines = _count_missed(of_documents)
    for item in predicted.keys() & lines.keys() if known is not None else ():
        raise RecordError(
            "The missed item is predicted.", line=lines[item], found=" | ".join(item),
            expected="a right item that was not predicted", hint=f"label the item {predicted[item]}, and leave this row out",
        )  # fmt: skip
    return Labels(list(given.values()), missed, words)


def _by_words(known: Mapping[str, Any]) -> dict[tuple[str, ...], list[str]]:
    """Group the ids of a design by the words of their items."""
    found = dict[tuple[str, ...], list[str]]()
    for name, item in known.items():
        found.setdefault(_folded(item.key.split("\t")), []).append(name)
    return found


def _check_item(
    row: Mapping[str, str],
    known: Mapping[str, Any],
    drawn: Mapping[tuple[str, ...], Sequence[str]],
    *,
    line: int,
) -> None:
    """Refuse a label whose id is not in the design, or is that of other words."""
    name = row[FIRST]
    if name not in known:
        raise RecordError(
            "The item is not in the design.", line=line, found=f"id {name!r}", expected="an id of the design",
            hint=f"the label {MISSED!r} is for right items that were not predicted",
        )  # fmt: skip
    if name not in (same := drawn.get(_words_of(row), [name])):
        raise RecordError(
            "The words of this row are those of another item: ids were changed.", line=line,
            found=f"id {name!r}: {' | '.join(filter(None, _words_of(row)))}", expected=f"id {same[0]!r}",
            hint="sort whole rows, and keep the ids",
        )  # fmt: skip


def _count_missed(rows: Sequence[tuple[int, Mapping[str, str]]]) -> tuple[dict[str, int], dict[tuple[Any, ...], int]]:
    """Count what was missed of each document, and give the line of each item: the same words of several raters are one item."""
    counts, lines, bare = dict[str, int](), dict[tuple[Any, ...], int](), Counter[tuple[str, str]]()
    for line, row in rows:
        document = row.get("document", "")
        counts.setdefault(document, 0)
        if row["label"].lower() == MISSED:
            # Rows without words are numbered for each rater, so that the longest of these lists counts.
            bare[document, row.get("rater", "")] += 1
            number = bare[document, row.get("rater", "")]
            key = (
                _words_of(row) if any(row[part] for part in parts_of(row) if part != "document") else (document, number)
            )
            counts[document] += key not in lines
            lines.setdefault(key, line)
    return counts, lines
