"""A list of tuples to triples of documents."""

from __future__ import annotations

from dataclasses import replace

from goldassay.formats.memory import Columns
from goldassay.triples.batch import Documents
from goldassay.triples.layout import columns_of
from goldassay.triples.model import Triples
from goldassay.triples.reading import AS_USUAL, TriplesReading
from goldassay.triples.records import GRAPH


def triples_of_columns(columns: Columns, reading: TriplesReading = AS_USUAL) -> Triples | None:
    """Make documents of a list of tuples; without ids all triples are of one document. None if it has numbers, which are values or ids.

    Example:
        >>> cells = {"subject": ["Oslo"], "predicate": ["capital of"], "object": ["Norway"]}
        >>> triples_of_columns(Columns(cells)).item(0)
        '1: Oslo | capital of | Norway'
    """
    if columns.numeric:
        return None
    *ids, subjects, predicates, objects = columns.cells.values()
    documents = Documents()
    names = ids[0] if ids else [GRAPH] * len(subjects)
    for row, (name, *slots) in enumerate(zip(names, subjects, predicates, objects, strict=True)):
        documents.add(documents.called(name), slots, row=row)
    if reading.ids == "order":
        documents.ids = list(map(str, range(1, len(documents.ids) + 1)))
    batch = documents.batch()
    batch = batch.merged() if reading.unit == "corpus" else batch
    triples = Triples(**columns_of(batch, normalise=reading.normaliser, path=columns.path))
    return replace(triples, path=columns.name, choices=reading.choices)
