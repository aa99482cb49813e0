"""What annotation tools write, as concepts: doccano, Label Studio, LangExtract, spaCy, and models of Hugging Face."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from goldassay.core.patterns import pattern_of
from goldassay.formats.column_names import bare
from goldassay.formats.roles import DOCUMENTS
from goldassay.formats.source import Source
from goldassay.formats.tasks import results_of, rewrite, value_of

BEGINS, ENDS = (
    ("start", "start_offset", "start_char", "begin", "start_pos"),
    ("end", "end_offset", "end_char", "stop", "end_pos"),
)
LABELLING = ("entity_group", "entity", "extraction_class", "labels", "label", "type", "entity_type", "category")
"""Members with the class of a span, which is no text of it."""
TEXTS = ("extraction_text", "word", "text")
MENTIONED = ("text", "span", "mention", "surface", "span_text", "entity_text", "covered_text", "word")
OF_DOCUMENTS = ("document", "doc", "file", "filename")
OF_TOOLS = frozenset({"start_offset", "extraction_text", "char_interval", "word", "entity_group"})
"""Members that only tools write."""
EMPTY = ("label", "labels", "extractions", "predictions")
"""What a list of spans may be called that has none."""
MAY_HAVE_SPANS = frozenset(
    {*EMPTY, "prediction", "annotation", "ner", "nertags", "mentions", "mention", "results", "result", "tags"}
)
"""What columns of tables with spans are called, besides those of concepts."""
NOT_ANNOTATED = frozenset({"messages", "tokens", "sents", "meta", "metadata", "options"})
"""Lists and objects of records that hardly have concepts."""
FEW_WORDS = 8
"""The text of a span has at most this many words."""
WORDS = 4
"""Each name of a list that is written as a text has at most this many words."""
TRIPLE = [int, int, str]
SCORED = ([str, float], [str, int], [str])
"""A name and its score, as KeyBERT gives them; or a name only, as in lists of phrases."""
TAGS = ("B-", "I-", "E-", "S-", "L-", "U-")
TAG = pattern_of("O$|[BIESLU]-")
MARKED = pattern_of(rb'"\w{0,20}(?:tags|labels)"\s*+:\s*+\[\s*+"(?:O"|[BIESLU]-)|responses"\s*+:\s*+\[\s*+\[')
"""What records with tags of tokens, or with spans of each annotator, have."""


def is_span(one: Any) -> bool:
    """Return whether a value is a place with a class, or a text that a tool marked."""
    if isinstance(one, list):
        return list(map(type, one)) == TRIPLE
    if not isinstance(one, dict):
        return False
    placed = all(any(type(one.get(name)) is int for name in names) for names in (BEGINS, ENDS))
    return "extraction_text" in one or ((placed or "word" in one) and any(name in one for name in LABELLING))


def is_tag(cell: Any) -> bool:
    """Return whether a text is the tag of a token."""
    return isinstance(cell, str) and TAG.match(cell) is not None


def are_tags(cell: Any) -> bool:
    """Return whether a list has the tags of tokens, and no concepts."""
    return isinstance(cell, list) and bool(cell) and all(map(is_tag, cell))


def with_mentions(source: Source) -> Source:
    """Write tokens with tags, and spans by annotator, as concepts; any other record stays as it is."""
    if not any(word in source.data for word in (b'tags"', b'labels"', b'responses"')):
        return source
    return rewrite(source, MARKED, _marked)[0]


def _marked(record: Any) -> Any:
    if not isinstance(record, dict):
        return record
    tokens: list[Any] = next((record[name] for name in ("tokens", "words") if isinstance(record.get(name), list)), [])
    for name, cell in record.items():
        rest = {other: one for other, one in record.items() if other != name}
        if are_tags(cell) and len(cell) == len(tokens) and all(isinstance(token, str) for token in tokens):
            return {**rest, "concepts": _mentions(tokens, cell)}
        if isinstance(cell, list) and [*map(type, cell)] == [list] and all(map(is_span, cell[0])):
            # Of several annotators it is not known which one to take.
            return {**rest, name: cell[0]}
    return record


def _mentions(tokens: Sequence[str], tags: Sequence[str]) -> list[dict[str, str]]:
    """Join the tokens of each mention, as the tags of BIO and its like say."""
    found: list[dict[str, str]] = []
    inside = ""
    for token, tag in zip(tokens, tags, strict=True):
        begin, _, kind = tag.partition("-")
        if begin in ("I", "E", "L") and inside == kind:
            found[-1]["text"] += f" {token}"
        elif begin != "O":
            found.append({"text": token, "type": kind})
        inside = kind if begin in ("B", "I") else ""
    return found


def columns_of_spans(cells: Mapping[str, Any]) -> list[str]:
    """List the fields that hold spans of annotators, also if none of the records has one."""
    found = [name for name, cell in cells.items() if isinstance(cell, list) and cell and all(map(is_span, cell))]
    return found or [name for name in EMPTY if cells.get(name) == []][:1]


def fields_unread(records: Iterable[Mapping[str, Any]], read: Sequence[str]) -> list[str]:
    """List the fields that hold lists, also as texts, or objects with lists, and are not read: these may be annotations."""
    known = {*read, *NOT_ANNOTATED}
    return list(
        dict.fromkeys(name for one in records for name, cell in one.items() if name not in known and _holds(cell))
    )


def _holds(cell: Any) -> bool:
    if isinstance(cell, str):
        parts = cell.split(";") if ";" in cell else []
        return bool(parts) and all(0 < len(part.split()) <= WORDS for part in parts)
    return bool(cell) and (
        isinstance(cell, list)
        or (isinstance(cell, dict) and any(one and isinstance(one, list) for one in cell.values()))
    )


def concept_of(one: Any) -> Any:
    """Write the span of a tool as an object with a text, a place and a type; anything else stays as it is."""
    if isinstance(one, list):
        if list(map(type, one)) in SCORED:
            return {"text": one[0]}
        return dict(zip(("start", "end", "type"), one, strict=True)) if is_span(one) else one
    if not isinstance(one, dict) or OF_TOOLS.isdisjoint(one):
        return one
    _refuse_tag(one)
    inside = one.get("char_interval")
    places = inside if isinstance(inside, dict) else one
    found = {name: _first(places, names) for name, names in (("start", BEGINS), ("end", ENDS))}
    found = {"text": _first(one, TEXTS), **found, "type": _first(one, LABELLING)}
    ids = {name: one[name] for name in ("cui", "kb_id", "concept_id") if name in one}
    return {name: cell for name, cell in {**found, **ids}.items() if cell is not None}


def _refuse_tag(one: Mapping[str, Any]) -> None:
    """Refuse a token with a tag: an entity may have several of them."""
    tag, word = one.get("entity"), one.get("word")
    if isinstance(tag, str) and tag.startswith(TAGS) and isinstance(word, str):
        raise TypeError(
            f"among them the token {word!r:.40} with the tag {tag!r:.20}, and no entity (aggregation_strategy='simple' makes them)"
        )


def _first(one: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((one[name] for name in names if one.get(name) not in (None, "")), None)


def is_task(record: Any) -> bool:
    """Return whether a record is a task of Label Studio, with what annotators or models marked."""
    return (
        isinstance(record, dict)
        and isinstance(record.get("data"), dict)
        and bool({"annotations", "predictions"} & record.keys())
    )


def document_of(record: Any) -> Any:
    """Write a task of Label Studio as a document; anything else stays as it is."""
    if not is_task(record):
        return record
    data = record["data"]
    own = DOCUMENTS.called("id", list(data))
    texts = [cell for name, cell in data.items() if isinstance(cell, str) and name not in own]
    text = data.get("text", texts[0] if len(texts) == 1 else None)
    results = results_of(record) or [[]]
    spans = [dict(_span_of(value)) for value in map(value_of, results[0]) if {"start", "end"} <= value.keys()]
    found = {"id": data[own[0]] if own else record.get("id"), "text": text, "concepts": spans}
    return {name: cell for name, cell in found.items() if cell is not None}


def annotators_of(record: Any) -> int:
    """Count the annotators of a task, of whom the first is read."""
    return len(results_of(record)) if is_task(record) else 1


def _span_of(value: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    yield from ((name, value[name]) for name in ("start", "end", "text") if name in value)
    yield from [("type", value["labels"])] if "labels" in value else []


@lru_cache(maxsize=64)
def roles_of_rows(names: tuple[str, ...]) -> Mapping[str, str]:
    """Return the columns of a table that may have a span on each row; none where it is no such table."""
    known = (("start", BEGINS), ("end", ENDS), ("text", MENTIONED), ("type", LABELLING))
    found = {role: next((name for name in names if bare(name) in map(bare, some)), "") for role, some in known}
    own = DOCUMENTS.called("id", names)
    found["id"] = own[0] if len(own) == 1 else next((one for one in names if bare(one) in OF_DOCUMENTS), "")
    found = {role: name for role, name in found.items() if name}
    return found if {"start", "end", "text", "id"} <= found.keys() else {}


def are_spans(rows: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether rows are spans, and no documents with places of their own: an id has several rows, or each has a class and few words."""
    if len({str(row["id"]) for row in rows}) < len(rows):
        return True
    return all(
        row.get("type") and isinstance(row["text"], str) and (len(row["text"].split()) <= FEW_WORDS or _is_inside(row))
        for row in rows
    )


def _is_inside(row: Mapping[str, Any]) -> bool:
    """Return whether a place is inside of a text that is much longer."""
    start, end = _whole(row["start"]), _whole(row["end"])
    return (
        isinstance(start, int)
        and isinstance(end, int)
        and 2 * (end - start) < len(row["text"])
        and end <= len(row["text"])
    )


def documents_of_rows(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Combine spans with the ids of their documents into documents; a text is that of the span, or of the document."""
    found: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        one = {role: _whole(cell) if role in ("start", "end") else cell for role, cell in row.items()}
        found.setdefault(one.pop("id"), []).append({role: cell for role, cell in one.items() if cell not in (None, "")})
    every = [(one, documents) for documents in found.values() for one in documents]
    if not all(_is_whole_text(one, documents) for one, documents in every) or all(
        map(_fits, (one for one, _ in every))
    ):
        return [{"id": name, "concepts": some} for name, some in found.items()]
    texts = {name: some[0]["text"] for name, some in found.items()}
    spans = {
        name: [{key: cell for key, cell in one.items() if key != "text"} for one in some]
        for name, some in found.items()
    }
    return [{"id": name, "text": texts[name], "concepts": some} for name, some in spans.items()]


def _is_whole_text(one: Mapping[str, Any], others: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether the text of a span is that of its document: it reaches to the end of the span, and all have it."""
    text, end = one.get("text"), one.get("end")
    return isinstance(text, str) and isinstance(end, int) and end <= len(text) and text == others[0].get("text")


def _fits(one: Mapping[str, Any]) -> bool:
    start, end, text = (one.get(role) for role in ("start", "end", "text"))
    return isinstance(start, int) and isinstance(end, int) and isinstance(text, str) and end - start == len(text)


def _whole(cell: Any) -> Any:
    """Read a place that is written as text."""
    return int(cell) if isinstance(cell, str) and cell.strip().isascii() and cell.strip().isdecimal() else cell
