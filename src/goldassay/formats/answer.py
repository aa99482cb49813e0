"""Model output as it is: prose and code fences around a table, an outline, arrows, sentences, a diagram or JSON."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import chain
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeAlias

from goldassay.core.errors import InputError, name_file
from goldassay.core.patterns import pattern_of
from goldassay.core.text import LISTED, count_of, list_first, to_one_line
from goldassay.core.timing import log_detail
from goldassay.formats.answer_batch import (
    FENCE,
    FENCED,
    LOOKED_AT,
    Batch,
    blocks_of,
    body_of,
    documents_below,
    is_marked,
    number_lines,
    unwrap,
    without_programs,
    without_tags,
)
from goldassay.formats.answer_cypher import CYPHER, EXPECTED, HINT, read_cypher
from goldassay.formats.answer_diagrams import (
    DOT,
    MERMAID,
    OTHERS,
    read_dot,
    read_mermaid,
    read_python,
)
from goldassay.formats.answer_empty import is_failure, is_nothing, is_refusal
from goldassay.formats.answer_formal import formal_in, join_formal, may_be_formal, with_prefixes
from goldassay.formats.answer_json import (
    document_in,
    objects_in,
    read_nested,
    read_stated,
    rows_of,
    values_in,
    values_of_xml,
)
from goldassay.formats.answer_labels import (
    FEW_WORDS,
    LIKELY,
    NEXT_ITEM,
    REASON,
    Label,
    fields_in,
    is_label,
    label_of,
    labels_in,
    labels_in_table,
    section_of,
    stated_label,
    with_heads,
    with_score,
    without_reasons,
)
from goldassay.formats.answer_lines import (
    IN_QUOTES,
    Line,
    RawStatement,
    Statements,
    count_described,
    end_of,
    fields,
    hide_in_quotes,
    lines_of_answer,
    lists_at_colons,
    manchester,
    name_of,
    outline,
    pairs_at_dashes,
    read_lines,
    rows_at_commas,
    show,
    spread_lists,
    without_remarks,
)
from goldassay.formats.answer_means import IS_A, OF_EDGES, OF_LABELS, Meaning
from goldassay.formats.answer_parsed import Parsed
from goldassay.formats.answer_sections import plain_lines, title_above
from goldassay.formats.answer_tables import delimited_in, tables_in, toon_in
from goldassay.formats.answer_tree import Left
from goldassay.formats.answer_yaml import data_in
from goldassay.formats.builders import triples_in
from goldassay.formats.decisions import Decisions
from goldassay.formats.delimited import too_wide_error
from goldassay.formats.list_cells import is_plural, names_in_cell
from goldassay.formats.records import pause_collector
from goldassay.formats.roles import LABELS
from goldassay.formats.source import Source, text_of

Arrows: TypeAlias = Literal["child-parent", "parent-child"]
DIAGRAM = pattern_of(
    r"^[ \t]*(?:(?:graph|flowchart)(?:[ \t]+(?:TB|TD|BT|RL|LR))?[ \t]*;?[ \t]*$|(?:classDiagram|mindmap|@start(?:uml|mindmap|wbs))\b"
    r"|(?:graph|flowchart)[ \t]+(?:TB|TD|BT|RL|LR)[ \t]*;|(?:strict[ \t]+)?(?:di)?graph\b[^\n{\[]{0,200}\{)",
    re.MULTILINE | re.IGNORECASE,
)
"""How the first line of a diagram of Mermaid, PlantUML or DOT begins."""
WORDS_OF_DIAGRAMS = ("graph", "flowchart", "classdiagram", "mindmap", "@start")
DECLARATION = pattern_of(r"^\s*<\?xml[^>]{0,200}\?>")
BLANK = pattern_of(r"\n[ \t]*\n")
QUOTED_JSON = pattern_of(r"[\[{][\s\[{]*+\"")
"""How JSON with a text begins, in an answer that may be a name in brackets."""
TAG = pattern_of(
    r"</?(?:html|head|body|table|caption|thead|tbody|tfoot|tr|t[hd]|[uod]l|li|d[td]|div|p|h[1-6]|section|article|pre|[bh]r)\b[^<>]{0,500}>",
    re.IGNORECASE,
)
"""How a line of HTML begins that is no text."""
HEADED = pattern_of(r"\s*(?:Prefix|Ontology):")
"""How an ontology in Manchester syntax begins, whose frames are read in a fence; a file of it is refused as a whole."""
NUMBERED_LABEL = pattern_of(r"[*_]{0,2}(\d{1,5})[.:)][*_]{0,2}[ \t]++(\S.*)")
DEEPEST = 20
"""How many code fences are read one in another."""
SUFFIXES_OF_FENCES = {
    "csv": ".csv", "tsv": ".tsv", "jsonl": ".jsonl", "ndjson": ".jsonl", "ttl": ".ttl", "turtle": ".ttl", "obo": ".obo"
}  # fmt: skip
ENCODER = json.JSONEncoder(ensure_ascii=False)
ARROWED = frozenset({"arrows", "tuples", "subset symbols"})
"""Shapes of lines that are hardly names."""
MOST_PROSE = 1 / 3
"""A larger share of lines that are not read is a warning."""
HALF = 0.5
LEAST_BELOW_HEADER = 2
"""A header and a statement."""
ROWS = (("rows", rows_at_commas), ("dashes", pairs_at_dashes), ("lists", lists_at_colons))
"""What is tried where no line by itself is a statement."""


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


NONE_LEFT: Mapping[str, int] = MappingProxyType({})
NONE: Mapping[tuple[int, str], Parsed] = MappingProxyType({})


class _Text(NamedTuple):
    """One answer: what was found in it, the lines that were not read, how many lines it has, its id and line in a batch, and its only statement as it is written."""

    found: Sequence[Parsed]
    prose: Sequence[tuple[int, str]]
    total: int
    id: str = ""
    line: int = 0
    written: str = ""


def is_answer(start: str, meaning: Meaning = OF_EDGES, *, least: float = HALF) -> bool:
    """Return whether the beginning of a file is model output: a fence, a diagram, or lines of which at least a share are statements."""
    text, thoughts = without_tags(
        start if len(start) <= LOOKED_AT else start[:LOOKED_AT].rpartition("\n")[0] or start[:LOOKED_AT]
    )
    if (
        thoughts
        or FENCED.search(text)
        or OTHERS.search(text)
        or MERMAID.match(text)
        or DOT.match(text)
        or is_marked(text)
    ):
        return True
    if meaning.documents and documents_below(text, meaning):
        return True
    lines, formal = number_lines(text), formal_in(text, meaning)
    if formal and (formal.first > lines[0][0] or with_prefixes(text, meaning) != text):
        # Without prose above it, it is a file of its own.
        return True
    syntax = _parse_syntax(text, 1, meaning)
    table = None if syntax else delimited_in(text, 1, meaning)
    if syntax or table is not None:
        # A table from the first line on has readers of its own, except in lines of triples.
        return table is None or lines[0][0] not in table.taken or meaning.documents == "id"
    parsed = _parse_lines(text, 1, meaning)
    return parsed is not None and sum(
        number in parsed.taken or number in parsed.aside for number, _ in lines
    ) >= least * len(lines)


def holds_whole_json(text: str, holds: Callable[[Any, set[int]], Any]) -> bool:
    """Return whether a text begins with JSON that holds something and is not cut off, with no more JSON below it."""
    try:
        found = next(((value, taken) for value, taken, cut in values_in(text, 1) if not cut and 1 in taken), None)
    except InputError:
        return False
    if found is None or any(
        line.startswith(("{", "[")) for number, line in number_lines(text) if number > max(found[1])
    ):
        return False
    return bool(holds(*found))


def holds_statements(value: Any, taken: set[int], *, meaning: Meaning) -> bool:
    """Return whether a value of JSON has statements."""
    return _parse_value(value, taken, meaning) is not None


def read_answer(source: Source, arrows: Arrows | None = None, *, meaning: Meaning = OF_EDGES) -> Answer:
    """Turn model output into a file that other readers take, and say how."""
    with pause_collector(), name_file(source.path):
        return _read_source(source, arrows, meaning)


def _read_source(source: Source, arrows: Arrows | None, meaning: Meaning) -> Answer:
    unwrapped = unwrap(text_of(source), meaning)
    text, batch, thoughts = unwrapped.text, unwrapped.batch, unwrapped.thoughts
    parsed = dict[tuple[int, str], Parsed]()
    if batch and may_be_formal(text) and (joined := _join_formal(source, batch, meaning)):
        return joined._replace(thoughts=thoughts, warnings=(*unwrapped.warnings, *joined.warnings))
    blocks = blocks_of(text) if not batch else []
    formal = None if batch or blocks else formal_in(text, meaning)
    if len(blocks) == 1 or formal:
        blocks = [(formal.first, formal.body)] if formal else blocks
        ((first, body),) = blocks
        headed = HEADED.match(body) and _parse_lines(body, first, meaning)
        found = None if formal else _parse_syntax(body, first, meaning) or headed
        if not found:
            # What is in the fence is a file of its own, on the lines that it had; it may be another answer.
            if source.fences == DEEPEST:
                raise InputError(
                    "The code fences are nested too deeply.",
                    path=source.path,
                    line=first - 1,
                    expected=f"at most {DEEPEST} of them, one in another",
                )
            inside = "fence" if formal else f"fence{_suffix(text, first)}"
            outside = _outside(text, blocks)
            # A declaration of XML must be at the start; below other lines there is none.
            body = with_prefixes(body, meaning)
            data = ("\n" * (first - 1) + DECLARATION.sub("", body) + "\n").encode("utf-8", "surrogatepass")
            whole = replace(source, data=data, records=None, name=inside, fences=source.fences + 1)
            more, unread = describe_prose(source, outside, len(number_lines(text)))
            warnings = (*unwrapped.warnings, *unread)
            where = f"lines {first} to {first + body.count(chr(10))}" if formal else "a code fence"
            return Answer(whole, None, f"read from {where}{more}", warnings, tuple(outside), thoughts)
        parsed[first, body] = found
    texts = [_read_answer(*one, meaning) for one in batch] or [_read_text(text, meaning, parsed)]
    texts = _of_their_ids(texts, meaning) if batch and meaning.nested == "list" else texts
    # Answers without statements are documents without items, which are warned of.
    if not any(one.found for one in texts) and not (batch and meaning.documents == "id"):
        raise InputError(
            "The text contains no statement.",
            path=source.path,
            found=f"{len(text.splitlines()):,} lines of text",
            expected=meaning.expected,
        )
    for unclear in (part.unclear for one in texts for part in one.found if part.unclear):
        raise InputError(
            "The name of a node is not written.",
            path=source.path,
            line=unclear.line,
            found=unclear.found,
            expected=EXPECTED,
            hint=HINT,
        )
    answer = _answer(source, texts, meaning, arrows, is_batch=bool(batch))
    nothing = [one.id for one in texts if not one.found and not one.prose] if meaning.nested == "list" else []
    if nothing:
        several = "answers state" if len(nothing) > 1 else "answer states"
        stated = f"{len(nothing):,} {several} nothing: {list_first(nothing)}"
        answer = answer._replace(warnings=(stated, *answer.warnings))
    return answer._replace(thoughts=thoughts, warnings=(*unwrapped.warnings, *answer.warnings))


def _join_formal(source: Source, batch: Batch, meaning: Meaning) -> Answer | None:
    """Read the answers of a batch as one ontology, or as the ontologies of documents, if most are such."""
    found = {place: one for place, (*_, text) in enumerate(batch) if (one := formal_in(body_of(text), meaning))}
    if (meaning.more == "score" and meaning.documents) or 2 * len(found) <= len(batch):
        return None
    joined = join_formal([(batch[place][1], one) for place, one in found.items()], source, meaning)
    written = dict(zip(found, joined, strict=True))
    unread = [(line, text) for place, (line, _, text) in enumerate(batch) if not written.get(place)]
    more, warnings = describe_prose(source, unread, len(batch))
    form = "n-quads" if meaning.documents else "n-triples"
    whole = replace(source, data=b"".join(written.values()), records=None, name=f"{source.name}.nq")
    note = f"read as a batch of answers (ontologies): {len(batch) - len(unread):,} of {len(batch):,} answers{more}"
    return Answer(whole, form, note, warnings, tuple(unread))


def _read_answer(line: int, name: str, text: str, meaning: Meaning) -> _Text:
    """Parse one answer of a batch; one in which nothing is found is one line that was not read, unless it says that there is nothing."""
    if is_nothing(text, meaning):
        return _Text((), (), 1, name, line)
    if is_failure(text):
        return _Text((), ((line, text),), 1, name, line)
    if meaning.nested == "list":
        text = text[: more.start()] if (more := NEXT_ITEM.search(text)) else text
    try:
        if meaning.nested == "list" and (listed := _read_labels(line, name, text, meaning)):
            return listed
        one = _read_text(text, meaning)._replace(id=name, line=line)
    except InputError:
        # Of a batch with an answer that cannot be read the others are.
        return _Text((), ((line, text),), 1, name, line)
    parts = [_named(part, meaning) for part in one.found]
    some = [part for part in parts if part.value is not None or _statements(part, meaning)]
    # A table or JSON with other columns is no list of names.
    is_plain = meaning.nested == "list" and not one.found
    one = _labels_of(one, text) if is_plain else one._replace(found=some, written=_only_line(some, text, meaning))
    return one if one.found else one._replace(prose=((line, text),), total=1)


def _only_line(parts: Sequence[Parsed], text: str, meaning: Meaning) -> str:
    """Return the line of the only statement of an answer to one item, which may be a label with a mark inside; none if there are several, or it is no line."""
    rows = [row for part in parts for row in part.statements] if meaning.nested == "list" else []
    if len(rows) != 1 or len(parts) > 1 or parts[0].shape in ("fields", "sentences"):
        return ""
    return next((line.text for line in lines_of_answer(text) if line.number == rows[0].line), "")


def labels_of_answer(text: str) -> list[Label]:
    """List the labels that one answer states of its item; none if it states nothing else than a text."""
    found = _read_answer(1, "", without_tags(text)[0], OF_LABELS).found
    # A pair is not stated of the item: it is a label with a mark inside.
    return [Label(row.object, row.extra) for part in found if part.shape == "labels" for row in part.statements]


def _read_labels(line: int, name: str, text: str, meaning: Meaning) -> _Text | None:
    """Parse an answer to one item that states its labels, or refuses to; None if it may have other statements."""
    if is_refusal(text):
        return _Text((), ((line, text),), 1, name, line)
    if listed := _labels_in(text, name, meaning):
        return _Text([_parse_labelled(name, line, listed)], (), 1, name, line)
    if not _is_one_list(text):
        # JSON in no known shape, or that is cut off, is neither a name nor split at its colons.
        body = body_of(text)
        start = body.lstrip()
        json_like = (":" in body and start.startswith("{")) or QUOTED_JSON.match(start)
        unread = json_like and not (_parse_syntax(body, 1, meaning) or _parse_objects(body, 1, meaning))
        return _Text((), ((line, text),), 1, name, line) if unread else None
    lines = number_lines(text)
    return _labels_of(_Text((), [row for row in lines if not FENCE.match(row[1])], len(lines), name, line), text)


def _read_text(text: str, meaning: Meaning, parsed: Mapping[tuple[int, str], Parsed] = NONE) -> _Text:
    """Parse one answer, of which some blocks may be parsed already; lines that are in no shape are prose."""
    blocks = blocks_of(text)
    parts = blocks or [(1, without_programs(text))]
    every = (parsed.get(part) or _parse(*part[::-1], meaning, delimited=True) for part in parts)
    found = [_below_header(part, meaning) for one in every if one for part in (one, *one.more)]
    if "<" in text:
        _refuse_markup(found)
    lines = [row for row in number_lines(text) if not (blocks and FENCE.match(row[1]))]
    taken = found[0].taken if len(found) == 1 else set().union(*(one.taken for one in found))
    return _Text(found, [row for row in lines if row[0] not in taken], len(lines))


def _refuse_markup(found: Iterable[Parsed]) -> None:
    """Refuse statements that have a tag of HTML as a name: it is neither a table nor a list."""
    for one in (row for part in found for row in part.statements):
        if tag := TAG.match(one.subject) or TAG.match(one.object):
            raise InputError(
                "The text is HTML that is neither a table nor a list.",
                line=one.line or None,
                found=tag[0],
                expected="<table> with the names of columns, or nested <ul>",
                hint="copy the text without its tags",
            )


def _answer(
    source: Source, texts: Sequence[_Text], meaning: Meaning, arrows: Arrows | None, *, is_batch: bool
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
        prose += [(one.line or 0, row) for one in texts for part in one.found for row in _odd_rows(part, meaning)]
        statements = [row for part in found for row in _statements(part, meaning)]
        statements, guesses = _direct_arrows(source, statements, arrows, down)
        data, form = _write_csv(_rows(statements, meaning)), "csv"
        unscored = sum(not one.extra for one in statements) if meaning.more == "score" else 0
        if 0 < unscored < len(statements):
            guesses.append(f"{unscored:,} of {len(statements):,} statements have no score, and get 1")
        guesses = [*guesses, *_denied(found)]
    more, unread = describe_prose(source, prose, total)
    more += _list_fields([part.fields for part in found])
    known = {"csv": "csv", "jsonl": "json-lines"}.get(form)
    cuts = [cut_off(one.line or part.cut) for one in texts for part in one.found if part.cut]
    left = dict.fromkeys(warning for part in found for warning in part.warnings)
    note, warnings = note_of(shape, prose, total, more), (*guesses, *cuts, *left, *unread)
    return Answer(source.rewritten(data, form), known, note, warnings, tuple(prose))


def _list_fields(every: Iterable[Mapping[str, int]]) -> str:
    """Write which fields of nested JSON were not read."""
    fields = sum(map(Counter, every), Counter[str]())
    some = ", ".join(f"{name!r} ({count:,})" for name, count in fields.most_common(LISTED))
    return f"; fields not read: {some}{', ...' if len(fields) > LISTED else ''}" if fields else ""


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


def _named(part: Parsed, meaning: Meaning) -> Parsed:
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
    places = meaning.roles.chosen(names, path="", always=True).places
    plural = [places[end] for end in meaning.ends[::2] if is_plural(str(names[places[end]]))]
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


def _records(texts: Sequence[_Text], meaning: Meaning, *, is_batch: bool) -> tuple[str, str]:
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
            triples += [[row.subject, row.relation, row.object] for row in _statements(part, meaning)]
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
    listed = _list_lines(prose)
    unread = f"{len(prose):,} of {total:,} lines were not read: {listed}"
    return f"; not read: {listed}", (unread,) if len(prose) > MOST_PROSE * total else ()


def note_of(shape: str, prose: Sequence[tuple[int, str]], total: int, more: str) -> str:
    """Write how an answer was read."""
    return f"read as {shape}: {total - len(prose):,} of {total:,} lines{more}"


def cut_off(line: int) -> str:
    """Write the warning of JSON that ends too early."""
    return f"JSON is cut off at line {line}: what is whole before it was read"


def _list_lines(prose: Sequence[tuple[int, str]]) -> str:
    some = ", ".join(f"line {number} ({to_one_line(line)[:40]!r})" for number, line in prose[:LISTED])
    return some + (", ..." if len(prose) > LISTED else "")


def _direct_arrows(
    source: Source, statements: list[RawStatement], arrows: Arrows | None, down: bool | None
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
                path=source.path,
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


def _suffix(text: str, first: int) -> str:
    """Return the suffix of files in the language that a fence names, where this says what its content is."""
    fence = FENCE.match(text.split("\n")[first - 2])
    return SUFFIXES_OF_FENCES.get(fence[2].lower(), "") if fence else ""


def _outside(text: str, blocks: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    inside = {number for first, body in blocks for number in range(first, first + body.count("\n") + 1)}
    return [(number, line) for number, line in number_lines(text) if number not in inside and not FENCE.match(line)]


def _parse(text: str, first: int, meaning: Meaning, *, delimited: bool = False) -> Parsed | None:
    """Parse one text, in whichever shape it is; None if in none."""
    return (
        _parse_syntax(text, first, meaning)
        or (delimited and delimited_in(text, first, meaning))
        or _parse_lines(text, first, meaning)
    )


def _parse_lines(text: str, first: int, meaning: Meaning) -> Parsed | None:
    """Parse lines: frames of Manchester syntax, fields, statements one by one, or an outline."""
    if "{" in text and (objects := _parse_objects(text, first, meaning)):
        return objects
    if meaning.nested == "list" and is_nothing(text, meaning):
        return None
    lines, used, aside = plain_lines(lines_of_answer(text, first), meaning)
    quoted = ('"' in text or "“" in text or "„" in text) and IN_QUOTES.search(text) is not None
    parsed = _parse_plain(hide_in_quotes(lines) if quoted else lines, meaning)
    if parsed and quoted:
        parsed = parsed._replace(statements=show(parsed.statements))
    if parsed is None and meaning.documents == "instance":
        return _parse_numbered(text, first)
    return parsed._replace(taken=parsed.taken | used, aside=aside) if parsed and (used or aside) else parsed


def _parse_numbered(text: str, first: int) -> Parsed | None:
    """Take the labels of a numbered list as those of instances 1, 2, ..., as the labels in a list of JSON are."""
    found = [(number, row) for number, line in number_lines(text) if (row := NUMBERED_LABEL.fullmatch(line))]
    labels = [label_of(row[2]) for _, row in found]
    in_order = [row[1] for _, row in found] == [str(place) for place in range(1, len(found) + 1)]
    if len(found) < LEAST_BELOW_HEADER or not in_order or not all(is_label(one.name) for one in labels):
        return None
    rows = [
        RawStatement(first + number - 1, row[1], "", one.name, extra=one.score)
        for (number, row), one in zip(found, labels, strict=True)
    ]
    return Parsed("a numbered list", rows, {one.line for one in rows})


def _parse_plain(lines: Sequence[Line], meaning: Meaning) -> Parsed | None:
    """Parse lines that may be items."""
    found, taken = manchester(lines, meaning)
    if found:
        return Parsed("Manchester syntax", found, taken)
    to_one = meaning.more == "score" and LIKELY.search("\n".join([line.text for line in lines])) is not None
    named, numbers = fields(with_heads(lines, meaning) if to_one else lines, meaning)
    lines = without_reasons(lines) if to_one else lines
    stated, remarks = read_lines(lines, meaning), list[Line]()
    if meaning.nested == "list" and "pairs" in stated.shapes:
        stated, remarks = without_remarks(stated, lines)
        around = {*remarks}
        lines = [line for line in lines if line not in around] if around else lines
    if named and len(numbers) >= len(stated.taken):
        return Parsed("fields", named, numbers)
    # Where each bullet is a statement, or most lines are, nothing is nested.
    marked = [line.number for line in lines if line.marked] if 2 * len(stated.taken) < len(lines) else []
    flat = 2 * len(stated.taken) >= len(lines) or (bool(marked) and set(marked).issubset(stated.taken))
    nested, nodes = ([], set[int]()) if stated.taken and flat else outline(lines, meaning)
    if nested and len(nodes) > len(stated.taken):
        names = {name.subject for name in nested} | {name.object for name in nested}
        tree = [line for line in lines if line.number in nodes] if meaning.nested == "tree" else []
        behind = count_described(tree, names)
        left = {"descriptions": behind} if behind else NONE_LEFT
        warnings = (*_warn_of_arrows(stated), *filter(None, [title_above(tree)]))
        return Parsed("an outline", nested, nodes, fields=left, warnings=warnings)
    if not stated.taken:
        found_by = ((shape, read(lines, meaning)) for shape, read in ROWS)
        return next((Parsed(shape, rows, {one.line for one in rows}) for shape, rows in found_by if rows), None)
    rows = spread_lists(stated, meaning)
    shape = " and ".join([*stated.shapes, *["lists"] * (rows is not stated.rows)])
    return Parsed(shape, rows, set(stated.taken), warnings=_warn_of_remarks(remarks))


def _warn_of_remarks(lines: Sequence[Line]) -> tuple[str, ...]:
    """Warn of lines with a colon that are no pairs."""
    listed = ", ".join(f"line {line.number} ({line.text[:40]!r})" for line in lines[:LISTED])
    more = ", ..." if len(lines) > LISTED else ""
    return (
        (f"no pairs: {count_of(len(lines), 'line')} around the others, with a colon: {listed}{more}",) if lines else ()
    )


def _warn_of_arrows(stated: Statements) -> tuple[str, ...]:
    """Warn of arrows next to an outline: they are no edges, and may be taken for names."""
    if not stated.taken or not ARROWED.issuperset(stated.shapes):
        return ()
    count = count_of(len(stated.taken), "line")
    hint = "write the outline and the arrows in a code fence each"
    return (f"no edges: {count} with arrows next to an outline, from line {min(stated.taken)} on ({hint})",)


def _parse_objects(text: str, first: int, meaning: Meaning) -> Parsed | None:
    """Read lines that are objects of JSON, each a row."""
    rows = {number: row for number, row in objects_in(text, first) if meaning.roles.recognises(list(row))}
    return Parsed("JSON Lines", (), set(rows), table=_table_of(list(rows.values()))) if rows else None


def _parse_syntax(text: str, first: int, meaning: Meaning) -> Parsed | None:
    """Parse a diagram, JSON or a Markdown table, or triples in a syntax that has a reader of its own."""
    if meaning.documents == "id" and (written := triples_in(text)):
        shape, begin, end = written
        before = first + text.count("\n", 0, begin)
        taken = {before + number - 1 for number, _ in number_lines(text[begin:end])}
        return Parsed(shape, (), taken, value={"triples": text[begin:end]})
    if diagram := (meaning is OF_EDGES and read_python(text, first)) or _diagram_in(text, first):
        return _parse_diagram(diagram, meaning)
    for value, taken, cut in (*values_in(text, first), *values_of_xml(text, first, meaning)):
        if found := _parse_value(value, taken, meaning):
            return found._replace(cut=cut)
    if found := _parse_yaml(text, first, meaning):
        return found
    return toon_in(text, first, meaning) or tables_in(text, first, meaning)


def _parse_yaml(text: str, first: int, meaning: Meaning) -> Parsed | None:
    """Take YAML as JSON is taken; not bullets that are pairs of their own."""
    value = data_in(text, meaning)
    if value is None:
        return None
    if stated := _parse_below_names(lines_of_answer(text, first), meaning):
        return stated
    taken = {number + first - 1 for number, _ in number_lines(text)}
    found = _parse_value(value, taken, meaning)
    return found._replace(shape="YAML") if found else None


def _parse_below_names(lines: Sequence[Line], meaning: Meaning) -> Parsed | None:
    """Read bullets below lines such as 'Animals:' that are pairs of their own, such as 'cat = chat', and no labels of the names above."""
    heads = [line for line in lines if not line.marked]
    bullets = [line for line in lines if line.marked]
    if not (meaning.nested == "list" and meaning.more == "score" and all(line.text.endswith(":") for line in heads)):
        return None
    stated = read_lines(bullets, meaning)
    if len(set(stated.taken)) < len(bullets):
        return None
    if meaning.documents:
        # A label may have an arrow or a dash; what has a number is the id of an item.
        ids = all(any(map(str.isdigit, row.subject)) for row in stated.rows)
        whole = ids and not any(map(str.isdigit, "".join(line.text for line in heads)))
    else:
        # Behind a dash there may be more of an entity.
        whole = "dashes" not in stated.shapes
    return Parsed(" and ".join(stated.shapes), stated.rows, set(stated.taken)) if heads and bullets and whole else None


def _parse_value(value: Any, taken: set[int], meaning: Meaning) -> Parsed | None:
    """Take JSON as a table or as statements."""
    if meaning.documents == "id":
        return _parse_triples(value, taken, meaning)
    left = Left()
    if rows := rows_of(value, meaning, left):
        return Parsed("JSON", (), taken, table=_table_of(rows), fields=left)
    found = read_nested(value, meaning, left)
    some = ", ".join(f"{name!r} ({count:,})" for name, count in left.holding.most_common(LISTED))
    unread = (f"fields with lists or objects were not read: {some}",) if some else ()
    return Parsed("JSON", found, taken, fields=left, warnings=unread) if found else None


def _parse_triples(value: Any, taken: set[int], meaning: Meaning) -> Parsed | None:
    """Take facts and lists of texts; the reader of triples knows all other shapes of JSON."""
    if found := read_stated(value, meaning):
        return Parsed("JSON", found, taken)
    return Parsed("JSON", (), taken, value=value) if isinstance(value, dict | list) and value else None


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


def _table_of(rows: Sequence[Mapping[str, Any]]) -> list[list[Any]]:
    """Convert objects to a table: their keys, and a row each."""
    names = list(dict.fromkeys(key for row in rows for key in row))
    return [names, *([_cell(row.get(name)) for name in names] for row in rows)]


def _cell(value: Any) -> Any:
    return "" if value is None else value if isinstance(value, list) else str(value)


def _diagram_in(text: str, first: int) -> Parsed | None:
    """Read the diagram of a text: Cypher line by line, others from their first line on, up to a blank line or the last brace."""
    lower = text.lower()
    if ("create" in lower or "merge" in lower) and CYPHER.search(text):
        return read_cypher(text, first)
    if ("Diagram" in text or "Graph" in text or "Chart" in text or "C4" in text) and (other := OTHERS.search(text)):
        raise InputError(
            "This kind of diagram is not supported.",
            line=first + text.count("\n", 0, other.start()),
            found=other[1],
            expected="flowchart, classDiagram or mindmap of Mermaid, a class diagram of PlantUML, or DOT",
            hint="let the model write a flowchart, or a table",
        )
    begin = DIAGRAM.search(text) if any(map(lower.__contains__, WORDS_OF_DIAGRAMS)) else None
    if begin is None:
        return None
    line, body = first + text.count("\n", 0, begin.start()), text[begin.start() :]
    if DOT.match(body):
        end = body.rfind("}") + 1
        return read_dot(body[:end] if end else body, line)
    blank = BLANK.search(body) if begin.start() else None
    return read_mermaid(body[: blank.start()] if blank else body, line)


def _parse_diagram(diagram: Parsed, meaning: Meaning) -> Parsed | None:
    """Take the statements of a diagram; where a relation is needed, only edges with one."""
    if diagram.unclear:
        return diagram._replace(statements=())
    named = [one for one in diagram.statements if one.directed or meaning.arrow]
    lost = {one.line for one in diagram.statements} - {one.line for one in named}
    if meaning.more == "kind":
        named += [one for one in diagram.members if one.object]
    if meaning.arrow != "edge":
        # A member is no edge, and in axioms a member without a type says nothing.
        lost |= {one.line for one in diagram.members if meaning.more != "kind" or not one.object}
    if not named:
        return None
    if meaning.nested == "list":
        named = [one._replace(relation="", directed=True) for one in named]
    elif meaning.arrow == "pair":
        named = [one._replace(relation=meaning.is_a, directed=True) if one.relation == IS_A else one for one in named]
    return diagram._replace(statements=named, taken=diagram.taken - lost)


def _labels_in(text: str, item: str, meaning: Meaning) -> list[Label]:
    """List the labels of an answer to one item that are stated as such, or are JSON or a table."""
    body = body_of(text)
    value = next((value for value, *_ in chain(values_in(body, 1), values_of_xml(body, 1, meaning))), None)
    if value and not isinstance(value, str):
        return labels_in(value, meaning)
    part = section_of(body)
    labels = labels_in_table(part, meaning) or stated_label(part, lines_of_answer(part), item, headed=part is not body)
    return with_score(labels, body) if len(labels) == 1 and "\n" in body else labels


def _is_one_list(text: str) -> bool:
    """Return whether an answer is one list of names below a line that ends with a colon, such as 'The labels are:'."""
    lines = lines_of_answer(body_of(text))
    names = [name_of(line.text) for line in lines[1:] if line.marked]
    headed = bool(names) and not lines[0].marked and lines[0].text.rstrip("*_ ").endswith(":")
    return headed and len(names) == len(lines) - 1 and all(name and len(name.split()) <= FEW_WORDS for name in names)


def _labels_of(one: _Text, text: str) -> _Text:
    """Read an answer to one item as its labels: bullets, or one line."""
    blocks = blocks_of(text)
    first, body = blocks[-1] if blocks else (1, text)
    lines = lines_of_answer(body, first)
    marked = [line for line in lines if line.marked] or (lines if len(lines) == 1 else [])
    labels = [label_of(line.text, end_of) for line in marked]
    if not labels or not all(is_label(label.name) for label in labels):
        return one
    numbers = {line.number for line in marked}
    prose = [row for row in one.prose if row[0] not in numbers]
    return one._replace(found=[_parse_labelled(one.id, one.line, labels)], prose=prose)


def _of_their_ids(texts: Sequence[_Text], meaning: Meaning) -> list[_Text]:
    """Read answers to one item as stated of it: of a field, such as its sentiment, and of a label with a mark inside, such as 'Sport - Football'."""
    stated: dict[str, list[RawStatement]] = {}
    for one in texts:
        stated.setdefault(one.id, []).extend(row for part in one.found for row in part.statements)
    single = {one.id for one in texts if one.written}
    # Several correspondences of one entity may be in several answers.
    alike = stated if meaning.documents else {name: rows for name, rows in stated.items() if name in single}
    known = fields_in({name: [row.subject for row in rows] for name, rows in alike.items()}, single)
    changed = {name for name, rows in stated.items() if rows and known.issuperset(row.subject.lower() for row in rows)}
    whole = _whole_labels([one for one in texts if one.id not in changed], stated.keys(), meaning)
    return [
        one._replace(found=[_of_item(part, one.id) for part in one.found])
        if one.id in changed
        else one._replace(found=[_parse_labelled(one.id, one.line, [label_of(one.written)])])
        if one.id in whole
        else one
        for one in texts
    ]


def _whole_labels(texts: Sequence[_Text], ids: AbstractSet[str], meaning: Meaning) -> set[str]:
    """Return the ids of answers that are one label: their only statement is about no item that is known, and no other answers are about several."""
    placed = ids == {*map(str, range(1, len(ids) + 1))}
    rows = {one.id: [row for part in one.found for row in part.statements] for one in texts}
    single = {
        one.id for one in texts if one.written and not _names_item(rows[one.id][0].subject, one.id, ids, placed=placed)
    }
    plain = sum(all(row.subject == name for row in some) for name, some in rows.items() if some)
    several = sum(len({row.subject for row in some}) > 1 for some in rows.values())
    if meaning.documents:
        return single if not several or 0 < several <= plain else set()
    # An entity of the other ontology is stated with both names, too.
    return single if plain > several + len(single) else set()


def _names_item(subject: str, item: str, ids: AbstractSet[str], *, placed: bool) -> bool:
    """Return whether what an answer is about is an item: one that another answer is for, or is called so within the id; without ids, any that has a number."""
    return subject in ids or (any(map(str.isdigit, subject)) and (placed or subject.lower() in item.lower()))


def _of_item(parsed: Parsed, name: str) -> Parsed:
    rows = (one for one in parsed.statements if not REASON.fullmatch(one.subject.lower()))
    return parsed._replace(statements=[one._replace(subject=name) for one in rows])


def _parse_labelled(name: str, line: int, labels: Sequence[Label]) -> Parsed:
    return Parsed("labels", [RawStatement(line, name, "", one.name, extra=one.score) for one in labels], {line})


def _odd_rows(parsed: Parsed, meaning: Meaning) -> Iterator[str]:
    """List the rows of a table that lack an end: they are no statements."""
    if parsed.table and meaning.roles.recognises(parsed.table[0]):
        lost = (
            row
            for row in parsed.table[1:]
            if row and not _statements(parsed._replace(table=[parsed.table[0], row]), meaning)
        )
        yield from (" | ".join(map(str, row)) for row in lost)


def _below_header(parsed: Parsed, meaning: Meaning) -> Parsed:
    """Leave out a first statement whose parts are names of columns, and put the parts of the others in the order that they say."""
    statements = parsed.statements
    if len(statements) < LEAST_BELOW_HEADER:
        return parsed
    first, (start, relation, stop) = statements[0], meaning.ends
    between = [] if first.relation in ("", meaning.is_a) else [first.relation]
    # "Object" is a kind of axioms as well.
    behind = [first.extra] if first.extra and not between else []
    cells = [first.subject, *between, first.object, *behind]
    pair, places = not between and not behind, meaning.roles.header_in(cells)
    if not places:
        return parsed

    def ordered(one: RawStatement) -> RawStatement:
        if (one.relation in ("", meaning.is_a)) != pair or one.directed != first.directed:
            return one
        parts = [one.subject, one.object] if pair else [one.subject, one.relation, one.object]
        middle = one.relation if pair else parts[places[relation]]
        return one._replace(subject=parts[places[start]], relation=middle, object=parts[places[stop]], directed=True)

    return parsed._replace(statements=[ordered(one) for one in statements[1:]])


def _statements(parsed: Parsed, meaning: Meaning) -> Sequence[RawStatement]:
    """Return statements, of a table too: its columns by their names; none if these say nothing."""
    if not parsed.table:
        return parsed.statements
    names, *rows = parsed.table
    if not meaning.roles.recognises(names):
        return ()
    places = meaning.roles.chosen(names, path=parsed.shape, always=True).places
    before, relation, after = (places.get(slot) for slot in meaning.ends)
    extra = places.get(meaning.more)
    # A row of edges is of a child and its parent; one of correspondences without a relation says that both are equal.
    usual = meaning.is_a if meaning.nested == "tree" else ""

    def cell(row: Sequence[Any], at: int | None, absent: str = "") -> Any:
        return absent if at is None or at >= len(row) else row[at]

    def several(end: Any) -> list[Any]:
        if isinstance(end, list):
            return end
        lists = meaning.nested == "tree" or meaning.roles is LABELS
        return (names_in_cell(end, plural=is_plural(names[after or 0])) if lists else None) or [end]

    found = [
        RawStatement(
            0,
            str(cell(row, before)).strip(),
            str(cell(row, relation, usual)),
            str(end).strip(),
            extra=str(cell(row, extra)),
        )
        for row in rows
        for end in several(cell(row, after))
    ]
    return [one for one in found if one.subject and one.object]
