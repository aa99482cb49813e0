"""Writers of found concepts: one row per mention, or one line per document that can be read again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from goldassay.concepts.model import Concepts
from goldassay.report.explain import WRITERS, check_explain_path
from goldassay.report.files import write_whole

if TYPE_CHECKING:
    import polars as pl


def mention_frame(concepts: Concepts) -> pl.DataFrame:
    """Return the places of concepts, one row per mention; a given concept has one row, and no place.

    Example:
        >>> from goldassay.concepts.chunks import Chunks
        >>> from goldassay.concepts.model import lay_out
        >>> mention_frame(lay_out([("q1", "Take aspirin.", Chunks().find("Take aspirin."))])).rows()
        [('q1', 'aspirin', '', 5, 12, 'aspirin', '')]
    """
    import polars as pl

    rows = list(_mentions(concepts))
    schema = {"document": pl.String, "concept": pl.String, "id": pl.String, "start": pl.Int64, "end": pl.Int64}
    return pl.DataFrame(rows, schema={**schema, "surface": pl.String, "assertion": pl.String}, orient="row")


def write_concepts(concepts: Concepts, path: str | PathLike[str]) -> None:
    """Write what was found to a file: TSV, CSV or Parquet as in `mention_frame`, or JSON Lines, one document per line.

    The JSON Lines can be read again as given concepts, with the same scores.
    """
    check_explain_path(path)
    ending = Path(path).suffix.lower()
    if ending == ".jsonl":
        write_whole(path, lambda stream: _write_documents(concepts, stream))
    else:
        write_whole(path, lambda stream: WRITERS[ending](mention_frame(concepts), stream))


def _mentions(concepts: Concepts) -> Iterator[tuple[str, str, str, int | None, int | None, str | None, str]]:
    documents, ids, texts = concepts.documents(), concepts.ids.tolist(), concepts.texts.tolist()
    names, concept_ids, words = concepts.names.tolist(), concepts.concept_ids.tolist(), concepts.words.tolist()
    said = concepts.said.tolist()
    placed: dict[int, list[tuple[int, int]]] = {}
    for item, (start, end) in zip(concepts.mentions.items.tolist(), concepts.mentions.spans.tolist(), strict=True):
        placed.setdefault(item, []).append((start, end))
    for row, (document, word) in enumerate(zip(documents.tolist(), words, strict=True)):
        head = (ids[document], names[word], concept_ids[word])
        if row not in placed:
            yield (*head, None, None, None, said[word])
        places = placed.get(row, ())
        yield from ((*head, start, end, texts[document][start:end], said[word]) for start, end in places)


def _write_documents(concepts: Concepts, stream: BinaryIO) -> None:
    spans: dict[int, list[list[int]]] = {}
    for item, span in zip(concepts.mentions.items.tolist(), concepts.mentions.spans.tolist(), strict=True):
        spans.setdefault(item, []).append(span)
    for document, name in enumerate(concepts.ids.tolist()):
        found = [_described(concepts, row, spans.get(row)) for row in concepts.rows_of(document)]
        record: dict[str, Any] = {"id": name, "concepts": found}
        if concepts.texts[document]:
            record["text"] = str(concepts.texts[document])
        stream.write(json.dumps(record, ensure_ascii=False).encode() + b"\n")


def _described(concepts: Concepts, row: int, spans: list[list[int]] | None) -> dict[str, Any]:
    word = int(np.int64(concepts.words[row]))
    described: dict[str, Any] = {"text": str(concepts.names[word]), "key": str(concepts.keys[word])}
    if concepts.concept_ids[word]:
        described["id"] = str(concepts.concept_ids[word])
    if concepts.said[word]:
        described["assertion"] = str(concepts.said[word])
    if concepts.values[word]:
        described["value"] = str(concepts.values[word])
    if concepts.kinds[word]:
        described["type"] = str(concepts.kinds[word])
    return described | ({"spans": spans} if spans else {})
