"""What was parsed of answers as a file that other readers take, and how it was read."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from goldassay.core.errors import InputError
from goldassay.core.text import LISTED, to_one_line
from goldassay.core.timing import log_detail
from goldassay.formats.answers.json import document_in
from goldassay.formats.answers.labels import is_label
from goldassay.formats.answers.lines import RawStatement
from goldassay.formats.answers.means import IS_A, OF_EDGES, Arrows, Meaning
from goldassay.formats.answers.parse import Text, list_fields, list_lines, rows_stating, statements_of
from goldassay.formats.answers.parsed import Parsed
from goldassay.formats.decisions import Decisions
from goldassay.formats.delimited import too_wide_error
from goldassay.formats.list_cells import is_plural
from goldassay.formats.literals import names_in_cell
from goldassay.formats.source import Source

ENCODER = json.JSONEncoder(ensure_ascii=False)
MOST_PROSE = 1 / 3
"""A larger share of lines that are not read is a warning."""


class Answer(NamedTuple):
    """Model output as a file that other readers take.

    Attributes:
        source: The file without prose: the content of a fence with its lines, or a table of statements.
        format: Its format; None if it is to be recognised.
        note: How it was read.
        warnings: What changes the meaning of a number.
        prose: The lines that were not read, with their numbers.
        thoughts: The number of lines in which a model thought before its answer.
    """

    source: Source
    format: str | None
    note: str
    warnings: tuple[str, ...] = ()
    prose: tuple[tuple[int, str], ...] = ()
    thoughts: int = 0

    def provenance(self, path: str, model: Any) -> dict[str, Any]:
        """Return what a model says of how it was read: the notes and warnings of the answer before its own."""
        thoughts = {"lines_of_thoughts": self.thoughts} if self.thoughts else {}
        prose = len(self.prose) + model.left_out.get("lines_of_prose", 0)
        return {
            "path": path,
            "left_out": {**model.left_out, **thoughts, **({"lines_of_prose": prose} if prose else {})},
            "notes": (self.note, *model.notes),
            "warnings": (*self.warnings, *model.warnings),
        }


def write_answer(
    source: Source, texts: Sequence[Text], meaning: Meaning, arrows: Arrows | None, *, is_batch: bool
) -> Answer:
    """Write what was parsed as a table or as records, and say how it was read."""
    found = [part for one in texts for part in one.found]
    shapes = " and ".join(dict.fromkeys(part.shape for part in found))
    shape = f"a batch of answers ({shapes})" if is_batch else shapes
    prose = [(one.line or number, line) for one in texts for number, line in one.prose]
    total = sum(one.total for one in texts)
    guesses: list[str] = []
    if meaning.documents == "id" and (is_batch or any(part.value is not None for part in found)):
        data, form = _records(texts, meaning, is_batch=is_batch)
    elif len(found) == 1 and found[0].table and not is_batch:
        table, guesses = _name_columns(found[0], meaning)
        data, form = _table(table, found[0].rows, source.path, named=not meaning.roles.recognises(table[0]))
    else:
        down = next((part.down for part in found if part.down is not None), None)
        # A row of a table that lacks an end is no statement.
        prose += [
            (one.line or 0, " | ".join(map(str, row)))
            for one in texts
            for part in one.found
            for row, stated in rows_stating(part, meaning)
            if row and not stated
        ]
        statements = [row for part in found for row in statements_of(part, meaning)]
        statements, guesses = _direct_arrows(statements, arrows, down)
        data, form = _write_csv(_rows(statements, meaning)), "csv"
        unscored = sum(not one.extra for one in statements) if meaning.more == "score" else 0
        if 0 < unscored < len(statements):
            guesses.append(f"{unscored:,} of {len(statements):,} statements have no score, and get 1")
        guesses = [*guesses, *_denied(found)]
    more, unread = describe_prose(source, prose, total)
    if fields := sum((Counter(part.fields) for part in found), Counter[str]()):
        more += f"; fields not read: {list_fields(fields)}{', ...' if len(fields) > LISTED else ''}"
    known = {"csv": "csv", "jsonl": "json-lines"}.get(form)
    cuts = [cut_off(one.line or part.cut) for one in texts for part in one.found if part.cut]
    left = dict.fromkeys(warning for part in found for warning in part.warnings)
    note, warnings = note_of(shape, prose, total, more), (*guesses, *cuts, *left, *unread)
    return Answer(source.rewritten(data, form), known, note, warnings, tuple(prose))


def _denied(parts: Sequence[Parsed]) -> Iterator[str]:
    """Warn of rows of tables that do not hold by a column that is not among their statements."""
    judged = Decisions()
    for names, *rows in (part.table for part in parts if part.table):
        judged.see_records([dict(zip(names, row, strict=False)) for row in rows])
    return judged.warnings()


def _rows(statements: Sequence[RawStatement], meaning: Meaning) -> list[tuple[str, ...]]:
    """Convert statements to rows below the names of their columns; if all are of subclasses, edges have no relation."""
    before, relation, after = meaning.ends
    columns = {before: [one.subject for one in statements], after: [one.object for one in statements]}
    relations = [one.relation for one in statements]
    if relation and not (meaning is OF_EDGES and set(relations) == {IS_A}) and any(relations):
        related = [one or "=" for one in relations]
        columns = {before: columns[before], relation: related, after: columns[after]}
    extras = [one.extra for one in statements]
    if any(extras) and meaning.more == "kind":
        usual = ["subclass" if one == meaning.is_a else "object" for one in relations]
        extras = [extra or kind for extra, kind in zip(extras, usual, strict=True)]
    if meaning.more and any(extras):
        # What has no score counts with 1, as in a table without scores.
        columns[meaning.more] = [extra or "1" for extra in extras] if meaning.more == "score" else extras
    return [tuple(map(meaning.roles.word, columns)), *zip(*columns.values(), strict=True)]


def name_table(part: Parsed, meaning: Meaning) -> Parsed:
    """Name the columns of a table in an answer of a batch, and say so."""
    if not part.table:
        return part
    table, guesses = _name_columns(part, meaning)
    return part._replace(table=table, warnings=(*part.warnings, *guesses))


def _name_columns(part: Parsed, meaning: Meaning) -> tuple[Sequence[Sequence[Any]], list[str]]:
    """Name the columns of triples by their places where their names say nothing: records of JSON would be taken for documents."""
    table: Sequence[Sequence[Any]] = part.table or ()
    if part.shape == "a Markdown table" and meaning.nested == "tree" and meaning.roles.recognises(table[0]):
        return _split_at_commas(table, meaning)
    names = list(table[0])
    order = next((one for one in meaning.roles.orders if len(one) == len(names)), None)
    if meaning.documents != "id" or order is None or meaning.roles.recognises(names):
        return table, []
    listed, words = ", ".join(map(repr, names)), ", ".join(order)
    return [order, *table[1:]], [
        f"no header was recognised: columns are read by position as {words}, and the names of the columns say nothing: {listed}"
    ]


def _split_at_commas(table: Sequence[Sequence[Any]], meaning: Meaning) -> tuple[Sequence[Sequence[Any]], list[str]]:
    """Split the cells of children or parents at commas where the name of the column is a plural, and say so."""
    names, *rows = table
    places = meaning.roles.chosen(names, always=True).places
    roles = {meaning.ends[0], "text", meaning.ends[2]}
    plural = [at for role, at in places.items() if role in roles and is_plural(str(names[at]))]
    # Where other marks are between names, a comma is a part of one.
    ends = [at for at in plural if all(names_in_cell(str(row[at]), plural=True) is None for row in rows if row[at:])]
    split = [[_names_at_commas(cell) if at in ends else cell for at, cell in enumerate(row)] for row in rows]
    changed = [
        names[at]
        for at in ends
        if any(row[at : at + 1] != old[at : at + 1] for row, old in zip(split, rows, strict=True))
    ]
    guesses = [f"commas are between names, since the column is called {name!r}" for name in changed]
    return ([names, *split], guesses) if guesses else (table, [])


def _names_at_commas(cell: Any) -> Any:
    """Split a text at its commas if all parts are short names; anything else stays as it is."""
    parts = cell.split(", ") if isinstance(cell, str) and "(" not in cell and ";" not in cell else []
    return parts if len(parts) > 1 and all(is_label(one) for one in parts) else cell


def _table(
    rows: Sequence[Sequence[Any]], lines: tuple[int, int] | None, path: str, *, named: bool = False
) -> tuple[str, str]:
    """Write rows as CSV, on their lines if these are known; as JSON Lines if a cell is a list, or if only its place shows the header."""
    names, *cells = rows
    if named or any(isinstance(cell, list) for row in cells for cell in row):
        for at, row in enumerate(cells):
            if any(row[len(names) :]):
                raise too_wide_error(row, len(names), path, lines[1] + at if lines else None)
        written = (ENCODER.encode(dict(zip(names, row, strict=False))) for row in cells if row)
        return "".join(f"{line}\n" for line in written), "jsonl"
    head, first = lines or (1, 2)
    return _write_csv([*[()] * (head - 1), names, *[()] * (first - head - 1), *cells]), "csv"


def _write_csv(rows: Sequence[Sequence[Any]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def _records(texts: Sequence[Text], meaning: Meaning, *, is_batch: bool) -> tuple[str, str]:
    """Write answers as records of documents: each with its id, and what was found in it."""
    if not is_batch and len(texts[0].found) == 1 and texts[0].found[0].value is not None:
        # The reader of JSON knows more shapes than one.
        return ENCODER.encode(texts[0].found[0].value), "json"
    lines = []
    for one in texts:
        record: dict[str, Any] = {"id": one.id} if is_batch else {}
        triples: list[Any] = []
        for part in one.found:
            if part.value is not None:
                _add_document(record, triples, document_in(part.value, meaning))
            triples += [[row.subject, row.relation, row.object] for row in statements_of(part, meaning)]
        if triples or len(record) == is_batch:
            record["triples"] = triples
        lines.append(ENCODER.encode(record))
    return "".join(f"{line}\n" for line in lines), "jsonl"


def describe_prose(source: Source, prose: Sequence[tuple[int, str]], total: int) -> tuple[str, tuple[str, ...]]:
    """Write a note about the lines that were not read, and a warning if these are many."""
    if not prose:
        return "", ()
    for number, line in prose:
        log_detail(f"{source.path}:{number}: not read: {to_one_line(line)}")
    listed = list_lines(prose)
    unread = f"{len(prose):,} of {total:,} lines were not read: {listed}"
    return f"; not read: {listed}", (unread,) if len(prose) > MOST_PROSE * total else ()


def note_of(shape: str, prose: Sequence[tuple[int, str]], total: int, more: str) -> str:
    """Write how an answer was read."""
    return f"read as {shape}: {total - len(prose):,} of {total:,} lines{more}"


def cut_off(line: int) -> str:
    """Write the warning of JSON that ends too early."""
    return f"JSON is cut off at line {line}: what is whole before it was read"


def _direct_arrows(
    statements: list[RawStatement], arrows: Arrows | None, down: bool | None
) -> tuple[list[RawStatement], list[str]]:
    """Turn arrows without a name so that they lead from child to parent: by the option, the layout, or the shape of the graph."""
    loose = [one for one in statements if not one.directed]
    if not loose:
        return statements, []
    down, guesses = arrows == "parent-child" if arrows else down, []
    if down is None:
        out, into = _branching(loose, 1, 3), _branching(loose, 3, 1)
        if out == into and len(loose) > 1:
            raise InputError(
                "The direction of the arrows is not clear.",
                line=loose[0].line or None,
                found=f"{loose[0].subject} -> {loose[0].object}",
                expected="arrows from child to parent, or from parent to child",
                hint="--arrows child-parent or --arrows parent-child",
            )
        down = out > into
        way = "parent to child" if down else "child to parent"
        guesses = [
            f"arrows are read from {way} (a guess by the shape of the graph; --arrows child-parent or parent-child says it)"
        ]
    if not down:
        return statements, guesses
    return [
        one if one.directed else one._replace(subject=one.object, object=one.subject) for one in statements
    ], guesses


def _branching(statements: Sequence[RawStatement], here: int, there: int) -> int:
    """Count the nodes with several neighbours on one side."""
    seen: dict[Any, set[Any]] = {}
    for one in statements:
        seen.setdefault(one[here], set()).add(one[there])
    return sum(len(others) > 1 for others in seen.values())


def _add_document(record: dict[str, Any], triples: list[Any], more: Mapping[str, Any]) -> None:
    """Add the triples of a part of an answer to a record, and what they refer to: of several graphs all nodes."""
    for key, one in more.items():
        if key == "triples" and isinstance(one, list):
            triples += one
            record.setdefault(key, [])
        elif isinstance(one, list) and isinstance(record.get(key), list):
            record[key] += one
        else:
            record.setdefault(key, one)
