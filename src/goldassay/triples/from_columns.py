"""A list of tuples to triples of documents."""

from __future__ import annotations

from dataclasses import replace
from itertools import repeat

from goldassay.formats.memory import Columns
from goldassay.triples.answers import Answer, Numbering, Statement, batch_of, merged
from goldassay.triples.from_tables import GRAPH
from goldassay.triples.layout import columns_of
from goldassay.triples.model import Triples
from goldassay.triples.reading import AS_USUAL, TriplesReading


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
    documents: dict[str, tuple[list[Statement], list[int]]] = {}
    names = ids[0] if ids else repeat(GRAPH, len(subjects))
    for row, (name, *slots) in enumerate(zip(names, subjects, predicates, objects, strict=True)):
        statements, rows = documents.setdefault(name, ([], []))
        statements.append(Statement(*slots))
        rows.append(row)
    answers = [
        Answer(str(number) if reading.ids == "order" else name, [statements], rows=rows)
        for number, (name, (statements, rows)) in enumerate(documents.items(), start=1)
    ]
    numbering = Numbering()
    batch = batch_of(answers, numbering)
    batch = merged(batch) if reading.unit == "corpus" else batch
    triples = Triples(**columns_of(batch, numbering, normalise=reading.normaliser, path=columns.path))
    return replace(triples, path=columns.name, choices=reading.choices)
