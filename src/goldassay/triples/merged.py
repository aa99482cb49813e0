"""Several sets of documents made one: the triples of each document that at least so many of them have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from os import PathLike
from typing import NamedTuple

import numpy as np

from goldassay.core.errors import UsageError
from goldassay.core.golds import sources_of
from goldassay.triples.batch import Documents
from goldassay.triples.layout import columns_of
from goldassay.triples.model import Triples
from goldassay.triples.read import read_triples_of_documents
from goldassay.triples.reading import AS_USUAL, TriplesReading


class _Statement(NamedTuple):
    """A triple as it was written; a slot that is not there is None."""

    slots: tuple[str | None, ...]
    datatype: str
    weight: float


class _Stated(NamedTuple):
    """A document of one gold: its text, its triples by their names, and the types of its entities."""

    text: str
    statements: dict[tuple[str, ...], _Statement]
    types: dict[str, str]


def merged(golds: Sequence[Triples], least: int) -> Triples:
    """Make one set of documents with the triples that at least so many golds have there.

    Two triples are one if their names are compared alike; the first spelling of the alphabet stands for them. A document is
    there if at least so many golds have it. Its text is kept if all golds have the same.

    Example:
        >>> one = Triples.from_lists({"d": [("Oslo", "capital of", "Norway"), ("Oslo", "in", "Norway")]})
        >>> other = Triples.from_lists({"d": [("Oslo", "in", "Norway")]})
        >>> len(merged([one, other], 1)), len(merged([one, other], 2))
        (2, 1)
    """
    documents: dict[str, list[_Stated]] = {}
    for gold in golds:
        if (gold.references > 1).any():
            raise UsageError(
                "Golds whose documents have several references cannot be made one with others.",
                path=gold.path,
                expected="max or mean; or this file alone, whose references are the golds then",
                hint="--golds max",
            )
        for name, stated in _documents(gold):
            documents.setdefault(name, []).append(stated)
    shared = Documents()
    for name, some in sorted(documents.items()):
        if len(some) >= least:
            _add(shared, name, some, least)
    return replace(Triples(**columns_of(shared.batch(), normalise=golds[0].normalise)), **sources_of(golds))


def _documents(gold: Triples) -> Iterator[tuple[str, _Stated]]:
    """Give every document of a gold with one set of triples each."""
    keys, datatypes, texts = gold.keys.tolist(), gold.datatypes.tolist(), gold.texts.tolist()
    types: dict[int, dict[str, str]] = {}
    for document, entity, kind in gold.types.tolist():
        types.setdefault(document, {})[keys[entity]] = str(gold.type_names[kind])
    for row, name in enumerate(gold.ids.tolist()):
        statements = {}
        for one in gold.rows_of(row):
            line = int(gold.firsts[one])
            names = tuple(keys[key] for key in gold.rows[one].tolist())
            statements[names] = _Statement(gold.written_row(line), datatypes[line], float(gold.weights[one]))
        yield name, _Stated(texts[row], statements, types.get(row, {}))


def _add(documents: Documents, name: str, stated: Sequence[_Stated], least: int) -> None:
    """Add the document of several golds, with the triples that at least so many of them have."""
    found: dict[tuple[str, ...], list[_Statement]] = {}
    types: dict[str, str] = {}
    for one in stated:
        for names, statement in one.statements.items():
            found.setdefault(names, []).append(statement)
        for entity, kind in one.types.items():
            types[entity] = min(kind, types.get(entity, kind))
    texts = {one.text for one in stated}
    document = documents.begin(name, text=texts.pop() if len(texts) == 1 else "")
    for _, some in sorted(found.items()):
        if len(some) >= least:
            kept = min(some, key=lambda one: ([slot or "" for slot in one.slots], one.datatype, one.weight))
            documents.add(document, kept.slots, datatype=kept.datatype, weight=kept.weight)
    for entity, kind in types.items():
        documents.type(document, entity, kind)


def read_references(path: str | PathLike[str], reading: TriplesReading = AS_USUAL) -> list[Triples]:
    r"""Read a file whose documents may have several references as several golds.

    Example:
        >>> import tempfile, pathlib
        >>> file = pathlib.Path(tempfile.mkdtemp(), "gold.jsonl")
        >>> _ = file.write_text('{"id": "d", "references": [[["a", "r", "b"]], [["a", "r", "b"], ["b", "r", "c"]]]}\n')
        >>> [len(gold) for gold in read_references(file)]
        [1, 2]
    """
    whole = read_triples_of_documents(path, reading)
    counts = whole.references
    if not len(counts) or counts.max() <= 1:
        return [whole]
    firsts = np.searchsorted(whole.owners, np.arange(len(whole.ids)))
    golds = []
    for turn in range(int(counts.max())):
        one = whole.only(firsts + np.minimum(turn, counts - 1)).of_documents(counts > turn)
        facts = {"documents": len(one.ids)}
        golds.append(replace(one, path=f"{whole.path} ({turn + 1})", facts=facts))
    return golds
