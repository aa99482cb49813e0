"""Relations as Doccano, Label Studio and iText2KG write them, of TACRED and SciERC, and WebNLG's JSON: written as documents with triples."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain
from typing import Any

from goldassay.formats.documents import json_in, parse_if_json
from goldassay.formats.source import Source, strip_byte_order_mark
from goldassay.formats.tasks import results_of, value_of

MARKS = (b'"from_id"', b'tripleset"', b'"startEntity"', b'"subj_start"', b'"doc_key"', b'_triple_sets"')
"""Keys of such files."""
TRIPLESETS = ("modifiedtripleset", "originaltripleset", "generatedtripleset")
TURNED = "left"
"""The direction of a relation of Label Studio that leads from its second end to its first."""
ENDS = frozenset({"startEntity", "endEntity"})
OF_TACRED = ("subj_start", "subj_end", "obj_start", "obj_end")
"""The first and the last token of each end."""
LAST = 4
"""The place of a relation behind the tokens of its ends."""
NO_RELATION = "no_relation"
KEYS = ('"from_id"', '"relations"', '"startEntity"', '"subj_start"', '_triple_sets"')
"""Keys of a line with such relations."""
Record = Mapping[str, Any]


def as_documents(source: Source) -> Source:
    """Write each record with relations between spans as a document with its triples, on its line; any other file stays."""
    if b'"' not in source.data or not any(mark in source.data for mark in MARKS):
        return source
    data = strip_byte_order_mark(source)
    whole = json_in(source)
    if isinstance(whole, dict) and isinstance(whole.get("entries"), list):
        members: list[Any] = [one for entry in whole["entries"] if isinstance(entry, dict) for one in entry.items()]
        return _written(source, "\n".join(json.dumps(_of_webnlg(*one), ensure_ascii=False) for one in members))
    records = whole if isinstance(whole, list) else [whole] if isinstance(whole, dict) else []
    if records:
        made = list(map(_document, records))
        same = all(a is b for a, b in zip(made, records, strict=True))
        return source if same else _written(source, json.dumps(made, ensure_ascii=False), "json")
    return _written(source, "\n".join(map(_line, data.decode("utf-8", "surrogateescape").split("\n"))))


def _written(source: Source, text: str, suffix: str = "jsonl") -> Source:
    data = text.encode("utf-8", "surrogateescape")
    return source if data == source.data else replace(source, data=data, records=None, name=f"{source.name}.{suffix}")


def _line(line: str) -> str:
    """Write the record of a line; what is none stays, to be refused by the reader."""
    record = parse_if_json(line) if any(key in line for key in KEYS) else None
    made = _document(record)
    return line if made is record else json.dumps(made, ensure_ascii=False)


def _of_webnlg(name: str, entry: Any) -> Any:
    sets = [entry[key] for key in TRIPLESETS if key in entry] if isinstance(entry, dict) else []
    return {"id": name, "triples": sets[0]} if sets else {"id": name, **(entry if isinstance(entry, dict) else {})}


def _document(record: Any) -> Any:
    """Return a record as a document with triples; the record itself if it has no relations between spans."""
    if not isinstance(record, dict):
        return record
    named = record.get("relationships")
    if isinstance(named, list) and named and all(isinstance(one, dict) and one.keys() >= ENDS for one in named):
        return _made(record, [[_name(one["startEntity"]), one.get("name"), _name(one["endEntity"])] for one in named])
    if (triples := _of_corpus(record)) is not None:
        return _made(record, triples)
    relations, entities = record.get("relations"), record.get("entities")
    if isinstance(relations, list) and isinstance(entities, list) and all(map(_is_relation, relations)):
        text = record.get("text")
        names = {one["id"]: _span(one, text) for one in entities if isinstance(one, dict) and "id" in one}
        return _made(record, [_triple(one, names, one.get("type", one.get("label"))) for one in relations])
    results = next(iter(results_of(record)), [])
    if not any(map(_is_relation, results)):
        return record
    names = {one.get("id"): value_of(one).get("text") for one in results if isinstance(one, dict)}
    return _made(record, list(_of_label_studio(results, names)))


def _of_corpus(record: Record) -> list[Any] | None:
    """List the triples of a record of TACRED or SciERC, whose ends are numbers of tokens, or of WebNLG as Hugging Face has it; None for any other."""
    sets, words, sentences = record.get("modified_triple_sets"), record.get("token"), record.get("sentences")
    if isinstance(sets, dict):
        first = next(iter(sets.get("mtriple_set") or ()), None)
        return first if isinstance(first, list) else None
    if isinstance(words, list) and record.keys() >= {"relation", *OF_TACRED}:
        stated = [[*map(record.get, OF_TACRED), record["relation"]]] if record["relation"] != NO_RELATION else []
        return _by_tokens(words, stated)
    relations = record.get("relations")
    if "doc_key" not in record or "predicted_relations" in record or not _are_lists(sentences, relations):
        return None
    return _by_tokens([*chain.from_iterable(sentences or ())], [*chain.from_iterable(relations or ())])


def _are_lists(*some: Any) -> bool:
    """Return whether all are lists of lists."""
    return all(isinstance(one, list) and all(isinstance(inner, list) for inner in one) for one in some)


def _by_tokens(words: list[Any], stated: list[Any]) -> list[list[Any]] | None:
    """Write the ends of relations as texts; None if some are no numbers of tokens."""
    if not all(map(_is_numbered, stated)):
        return None
    return [
        [" ".join(map(str, words[a : b + 1])), relation, " ".join(map(str, words[c : d + 1]))]
        for a, b, c, d, relation, *_ in stated
    ]


def _is_numbered(relation: Any) -> bool:
    return isinstance(relation, list) and len(relation) > LAST and all(type(one) is int for one in relation[:LAST])


def _name(end: Any) -> Any:
    return end.get("name") if isinstance(end, dict) else end


def _is_relation(one: Any) -> bool:
    return isinstance(one, dict) and {"from_id", "to_id"} <= one.keys()


def _span(one: Record, text: Any) -> Any:
    """Return the text of a span of Doccano."""
    start, end = one.get("start_offset"), one.get("end_offset")
    return text[start:end] if isinstance(text, str) and isinstance(start, int) and isinstance(end, int) else None


def _of_label_studio(results: list[Any], names: Mapping[Any, Any]) -> Iterator[list[Any]]:
    for one in filter(_is_relation, results):
        labels = one.get("labels")
        for label in labels if isinstance(labels, list) and labels else [None]:
            triple = _triple(one, names, label)
            yield triple[::-1] if one.get("direction") == TURNED else triple


def _triple(one: Record, names: Mapping[Any, Any], relation: Any) -> list[Any]:
    return [names.get(one["from_id"]), relation, names.get(one["to_id"])]


def _made(record: Record, triples: list[Any]) -> Record:
    data = record.get("data")
    text = data.get("text") if isinstance(data, dict) else record.get("text")
    known = {"id": record.get("id", record.get("doc_key")), "text": text if isinstance(text, str) else None}
    return {**{key: value for key, value in known.items() if value is not None}, "triples": triples}
