"""Answers to one item each, in a batch: the labels that they state, and whose they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain

from goldassay.core.errors import InputError
from goldassay.core.patterns import pattern_of
from goldassay.formats.answers.batch import FENCE, blocks_of, body_of, number_lines, without_tags
from goldassay.formats.answers.empty import is_failure, is_nothing, is_refusal
from goldassay.formats.answers.json import values_in, values_of_xml
from goldassay.formats.answers.labels import (
    NEXT_ITEM,
    REASON,
    WORDS_OF_LABEL,
    Label,
    fields_in,
    is_label,
    label_of,
    labels_in,
    labels_in_table,
    path_in,
    section_of,
    stated_label,
    with_score,
)
from goldassay.formats.answers.lines import RawStatement, lines_of_answer
from goldassay.formats.answers.means import OF_LABELS, Meaning
from goldassay.formats.answers.names import LIST, end_of, name_of
from goldassay.formats.answers.parse import NUMBERED_LIST, Text, parse_objects, parse_syntax, parse_text, statements_of
from goldassay.formats.answers.parsed import Parsed
from goldassay.formats.answers.statements import are_lists
from goldassay.formats.answers.write import name_table
from goldassay.formats.roles import LABELS

QUOTED_JSON = pattern_of(r"[\[{][\s\[{]*+\"")
"""How JSON with a text begins, in an answer that may be a name in brackets."""


def parse_answer(line: int, name: str, text: str, meaning: Meaning) -> Text:
    """Parse one answer of a batch; one in which nothing is found is one line that was not read, unless it says that there is nothing."""
    if is_nothing(text, meaning):
        return Text((), (), 1, name, line)
    if is_failure(text):
        return Text((), ((line, text),), 1, name, line)
    if meaning.nested == "list":
        text = text[: more.start()] if (more := NEXT_ITEM.search(text)) else text
    try:
        if meaning.nested == "list" and (listed := _read_labels(line, name, text, meaning)):
            return listed
        one = parse_text(text, meaning)
    except InputError:
        # Of a batch with an answer that cannot be read the others are.
        return Text((), ((line, text),), 1, name, line)
    # The numbers of a list are no items where an answer is for one.
    parts = [name_table(_of_item(part, name) if part.shape == NUMBERED_LIST else part, meaning) for part in one.found]
    some = [part for part in parts if part.value is not None or statements_of(part, meaning)]
    # A table or JSON with other columns is no list of names.
    is_plain = meaning.nested == "list" and not one.found
    one = one._replace(id=name, line=line, found=some, written=_only_line(some, text, meaning))
    one = _labels_of(one, text) if is_plain else one
    return one if one.found else one._replace(prose=((line, text),), total=1)


def _only_line(parts: Sequence[Parsed], text: str, meaning: Meaning) -> str:
    """Return the line of the only statement of an answer to one item, which may be a label with a mark inside; none if there are several, or it is no line."""
    rows = [row for part in parts for row in part.statements] if meaning.nested == "list" else []
    if len(rows) != 1 or len(parts) > 1 or parts[0].shape in ("fields", "sentences"):
        return ""
    return next((line.text for line in lines_of_answer(text) if line.number == rows[0].line), "")


def labels_of_answer(text: str) -> list[Label]:
    """List the labels that one answer states of its item; none if it states nothing else than a text."""
    found = parse_answer(1, "", without_tags(text)[0], OF_LABELS).found
    # A pair is not stated of the item: it is a label with a mark inside.
    return [Label(row.object, row.extra) for part in found if part.shape == "labels" for row in part.statements]


def _read_labels(line: int, name: str, text: str, meaning: Meaning) -> Text | None:
    """Parse an answer to one item that states its labels, or refuses to; None if it may have other statements."""
    if is_refusal(text):
        return Text((), ((line, text),), 1, name, line)
    if listed := _labels_in(text, name, meaning):
        return Text([_parse_labelled(name, line, listed)], (), 1, name, line)
    if not _is_one_list(text):
        # JSON in no known shape, or that is cut off, is neither a name nor split at its colons.
        body = body_of(text)
        start = body.lstrip()
        json_like = (":" in body and start.startswith("{")) or QUOTED_JSON.match(start)
        unread = json_like and not (parse_syntax(body, 1, meaning) or parse_objects(body, 1, meaning))
        return Text((), ((line, text),), 1, name, line) if unread else None
    lines = number_lines(text)
    return _labels_of(Text((), [row for row in lines if not FENCE.match(row[1])], len(lines), name, line), text)


def _labels_in(text: str, item: str, meaning: Meaning) -> list[Label]:
    """List the labels of an answer to one item that are stated as such, or are JSON or a table."""
    body = body_of(text)
    value = next((value for value, *_ in chain(values_in(body, 1), values_of_xml(body, 1, meaning))), None)
    if value and not isinstance(value, str):
        return labels_in(value, meaning)
    part = section_of(body)
    lines = lines_of_answer(part)
    path = path_in(lines) if meaning.documents else []
    labels = labels_in_table(part, meaning) or path or stated_label(part, lines, item, headed=part is not body)
    return with_score(labels, body) if len(labels) == 1 and "\n" in body else labels


def _is_one_list(text: str) -> bool:
    """Return whether an answer is one list of names below a line that ends with a colon, such as 'The labels are:'."""
    lines = lines_of_answer(body_of(text))
    names = [name_of(line.text) for line in lines[1:] if line.marked]
    headed = bool(names) and not lines[0].marked and lines[0].text.rstrip("*_ ").endswith(":")
    return (
        headed and len(names) == len(lines) - 1 and all(name and len(name.split()) <= WORDS_OF_LABEL for name in names)
    )


def _labels_of(one: Text, text: str) -> Text:
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


def of_their_ids(texts: Sequence[Text], meaning: Meaning) -> list[Text]:
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
    return _spread(
        [
            one._replace(found=[_of_item(part, one.id) for part in one.found])
            if one.id in changed
            else one._replace(found=[_parse_labelled(one.id, one.line, [label_of(one.written)])])
            if one.id in whole
            else one
            for one in texts
        ],
        meaning,
    )


def _spread(texts: list[Text], meaning: Meaning) -> list[Text]:
    """Split labels at commas as on the lines of one answer: where most of what is between these are labels of other items, too, or has a score."""
    names = {row.object for one in texts for part in one.found for row in part.statements}
    lists = {name: [*map(label_of, LIST.split(name))] for name in names if meaning.roles is LABELS}
    alike = are_lists([[one.name for one in some] for some in lists.values()], list(lists), meaning)
    spread = {name: some for name, some in lists.items() if alike or any(one.score for one in some[:-1])}
    if not spread:
        return texts

    def split(row: RawStatement) -> Iterator[RawStatement]:
        labels = spread.get(row.object, [Label(row.object)])
        return (row._replace(object=one.name, extra=one.score or row.extra) for one in labels)

    return [
        one._replace(
            found=[part._replace(statements=[*chain.from_iterable(map(split, part.statements))]) for part in one.found]
        )
        for one in texts
    ]


def _whole_labels(texts: Sequence[Text], ids: AbstractSet[str], meaning: Meaning) -> set[str]:
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
