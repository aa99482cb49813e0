"""Concepts shown and written: texts with marks, a row for each mention, and JSON Lines that can be read again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import repeat
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from goldassay.concepts.match import ConceptMatching
from goldassay.concepts.model import Concepts
from goldassay.concepts.texts.assertions import CATEGORIES
from goldassay.concepts.texts.variants import names_of
from goldassay.core.errors import UsageError, nearest
from goldassay.core.libraries import pl
from goldassay.core.matching import NO_MATCH, Side, SideName
from goldassay.report.explain import WRITERS, check_explain_path
from goldassay.report.files import write_whole

SIDES = frozenset(CATEGORIES[-3:])
MATCHED, FAILED = ("{+", "+}"), ("[-", "-]")


def document_lines(matching: ConceptMatching, document: str) -> Iterator[str]:
    """Show one document: ``{+matched+}`` and ``[-missed or invented-]`` in both texts, then every concept with its verdict."""
    found = np.flatnonzero(matching.pairs.ids == document)
    if not len(found):
        names = matching.pairs.ids.tolist()
        raise UsageError(
            f"There is no document {document!r}.",
            expected=f"one of {len(names):,} ids, such as {', '.join(names[:3])}",
            hint=nearest(document, names),
        )
    places = {"gold": int(matching.pairs.gold[found[0]]), "pred": int(matching.pairs.pred[found[0]])}
    sides: tuple[SideName, ...] = ("gold", "pred")
    for side in sides:
        yield f"{side} {document}"
        yield "  " + _mark_text(matching, side, places[side])
    yield ""
    for side in sides:
        yield from _verdicts(matching, side, places[side])


def _half(matching: ConceptMatching, side: SideName) -> tuple[Side, Concepts]:
    return (matching.pred, matching.pred_items) if side == "pred" else (matching.gold, matching.gold_items)


def pieces_of(concepts: Concepts, document: int) -> Iterator[tuple[int | None, str]]:
    """Cut a text where concepts are mentioned: each piece with the concept that it is, None for none."""
    rows, mentions, text = concepts.rows_of(document), concepts.mentions, str(concepts.texts[document])
    first, last = np.searchsorted(mentions.items, [rows.start, rows.stop])
    places = sorted(
        ((*mentions.spans[at].tolist(), int(mentions.items[at])) for at in range(first, last)),
        key=lambda place: (place[0], -place[1], place[2]),
    )
    done = 0
    for start, end, row in places:
        if start >= done:  # else it overlaps a concept that is already marked
            yield None, text[done:start]
            yield row, with_assertion(text[start:end], str(concepts.assertions[concepts.words[row]]))
            done = end
    yield None, text[done:]


def _mark_text(matching: ConceptMatching, side: SideName, document: int) -> str:
    half, concepts = _half(matching, side)
    if document == NO_MATCH:
        return "(nothing)"
    pieces = list(pieces_of(concepts, document))
    if len(pieces) == 1:
        titles = ((row, concepts.title(row)) for row in concepts.rows_of(document))
        return ", ".join(_mark(title, half.credit[row] >= 1) for row, title in titles) or pieces[0][1]
    return "".join(piece if row is None else _mark(piece, half.credit[row] >= 1) for row, piece in pieces)


def with_assertion(text: str, assertions: str) -> str:
    """Return a text with its assertions; sides are in the text."""
    shown = [one for one in assertions.split(",") if one not in SIDES]
    return f"{text} ({', '.join(shown)})" if any(shown) else text


def _mark(text: str, matched: bool) -> str:
    before, after = MATCHED if matched else FAILED
    return f"{before}{text}{after}"


def _verdicts(matching: ConceptMatching, side: SideName, document: int) -> Iterator[str]:
    _, concepts = _half(matching, side)
    other = _half(matching, "gold" if side == "pred" else "pred")[1]
    rows = np.array([] if document == NO_MATCH else concepts.rows_of(document), dtype=np.int64)
    evidence = matching.evidence(side, rows)
    columns = (
        rows.tolist(),
        matching.verdicts(side, rows),
        evidence.counterpart.tolist(),
        evidence.similarity.tolist(),
    )
    for row, verdict, counterpart, similarity in zip(*columns, strict=True):
        line = f"{verdict:<9} {side}  {concepts.title(row)}"
        if counterpart != NO_MATCH:
            line += f" {'=' if verdict == 'hit' else '/'} {other.title(counterpart)} {similarity:.4f}"
        yield line


def mention_frame(concepts: Concepts) -> pl.DataFrame:
    """Return the places of concepts, one row per mention; a given concept has one row, and no place."""
    rows = list(_mentions(concepts))
    schema = {"document": pl.String, "concept": pl.String, "id": pl.String, "start": pl.Int64, "end": pl.Int64}
    more = dict.fromkeys(("surface", "assertion", "way"), pl.String)
    return pl.DataFrame(rows, schema={**schema, **more}, orient="row")


def write_concepts(concepts: Concepts, path: str | PathLike[str]) -> None:
    """Write what was found to a file: TSV, CSV or Parquet as in `mention_frame`, or JSON Lines, one document per line."""
    # The JSON Lines can be read again as given concepts, with the same scores.
    check_explain_path(path)
    ending = Path(path).suffix.lower()
    if ending == ".jsonl":
        write_whole(path, lambda stream: _write_documents(concepts, stream))
    else:
        write_whole(path, lambda stream: WRITERS[ending](mention_frame(concepts), stream))


def _mentions(concepts: Concepts) -> Iterator[tuple[str, str, str, int | None, int | None, str | None, str, str]]:
    documents, ids, texts = concepts.documents(), concepts.ids.tolist(), concepts.texts.tolist()
    names, concept_ids, words = concepts.names.tolist(), concepts.concept_ids.tolist(), concepts.words.tolist()
    assertions = concepts.assertions.tolist()
    placed: dict[int, list[tuple[int, int, str]]] = {}
    mentions = concepts.mentions
    every = repeat(0) if mentions.ways is None else mentions.ways.tolist()
    for item, (start, end), way in zip(mentions.items.tolist(), mentions.spans.tolist(), every, strict=False):
        placed.setdefault(item, []).append((start, end, ",".join(names_of(way))))
    for row, (document, word) in enumerate(zip(documents.tolist(), words, strict=True)):
        head = (ids[document], names[word], concept_ids[word])
        if row not in placed:
            yield (*head, None, None, None, assertions[word], "")
        places = placed.get(row, ())
        yield from (
            (*head, start, end, texts[document][start:end], assertions[word], way) for start, end, way in places
        )


def _write_documents(concepts: Concepts, stream: BinaryIO) -> None:
    spans: dict[int, list[list[int]]] = {}
    for item, span in zip(concepts.mentions.items.tolist(), concepts.mentions.spans.tolist(), strict=True):
        spans.setdefault(item, []).append(span)
    for document, name in enumerate(concepts.ids.tolist()):
        found = [_describe_concept(concepts, row, spans.get(row)) for row in concepts.rows_of(document)]
        record: dict[str, Any] = {"id": name, "concepts": found}
        if concepts.texts[document]:
            record["text"] = str(concepts.texts[document])
        stream.write(json.dumps(record, ensure_ascii=False).encode() + b"\n")


def _describe_concept(concepts: Concepts, row: int, spans: list[list[int]] | None) -> dict[str, Any]:
    word = int(np.int64(concepts.words[row]))
    described: dict[str, Any] = {"text": str(concepts.names[word]), "key": str(concepts.keys[word])}
    if concepts.concept_ids[word]:
        described["id"] = str(concepts.concept_ids[word])
    if concepts.assertions[word]:
        described["assertion"] = str(concepts.assertions[word])
    if concepts.values[word]:
        described["value"] = str(concepts.values[word])
    if concepts.kinds[word]:
        described["type"] = str(concepts.kinds[word])
    return described | ({"spans": spans} if spans else {})
