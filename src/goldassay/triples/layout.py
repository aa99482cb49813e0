"""Documents as they were read, laid out in columns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from goldassay.core.errors import InputError
from goldassay.core.intern import StringArray, first_of_each, numbered, string_array
from goldassay.core.model import NO_ROW, InputRows
from goldassay.kernels.keys import packed
from goldassay.kernels.ragged import starts_of
from goldassay.triples.batch import MISSING, Batch, Numbers
from goldassay.triples.normalise import Normaliser


def columns_of(batch: Batch, *, normalise: Callable[[str], str], path: str | None = None) -> dict[str, Any]:
    """Lay documents out in columns.

    Example:
        >>> from goldassay.triples.batch import Documents
        >>> documents = Documents()
        >>> documents.add(documents.begin("d1"), ["Oslo", "capital of", None])
        >>> columns_of(documents.batch(), normalise=str.strip)["facts"]
        {'documents': 1, 'documents_without_triples': 0, 'half_triples': 1}
    """
    _check_ids(batch, path)
    spellings = batch.names
    names = normalise.each(spellings) if isinstance(normalise, Normaliser) else list(map(normalise, spellings))
    same = names == spellings
    listed, (key_of,) = (names, [np.arange(len(names))]) if same else numbered(names)
    # A slot that is not there has the empty name: a half triple is an answer, and no right one.
    nameless = listed.index("") if "" in listed else len(listed)
    listed += [""] * (nameless == len(listed))
    key_of, key_texts = np.append(key_of, nameless).astype(np.int64), string_array(listed)
    written, sizes = batch.slots, batch.sizes
    sets = np.repeat(np.arange(len(sizes)), sizes)
    as_written = np.array_equal(key_of, np.arange(len(key_of))) and written.min(initial=0) > MISSING
    rows = written if as_written else key_of[written]
    firsts = _firsts(sets, rows)
    types = batch.types.copy()
    types[:, 1] = key_of[types[:, 1]]
    weights, counts = batch.weights, sizes
    duplicates = len(rows) - len(firsts)
    if duplicates:
        rows, weights = rows[firsts], weights[firsts]
        counts = np.bincount(sets[firsts], minlength=len(sizes))
    halves = int((rows == nameless).any(axis=1).sum()) if rows.max(initial=MISSING) >= nameless else 0
    return {
        "path": path,
        "ids": string_array(batch.ids),
        "owners": np.repeat(np.arange(len(batch.ids)), batch.counts),
        "starts": starts_of(counts),
        "rows": rows,
        "firsts": firsts,
        "keys": key_texts,
        "written": written,
        "written_starts": starts_of(sizes),
        "spellings": key_texts[: len(spellings)] if same else string_array(spellings),
        "datatypes": _datatypes(batch),
        "weights": weights,
        "input_rows": _input_rows(batch, firsts),
        "texts": string_array(batch.texts),
        "types": types,
        "type_names": string_array(batch.known_types),
        "unreadable": ~batch.readable,
        "normalise": normalise,
        "left_out": {"duplicates": duplicates} if duplicates else {},
        "facts": _facts(batch, counts, halves),
    }


def _check_ids(batch: Batch, path: str | None) -> None:
    """Refuse two documents with one id."""
    if len(set(batch.ids)) == len(batch.ids):
        return
    lines, first = batch.lines, dict[str, int]()
    at = next(at for at, name in enumerate(batch.ids) if first.setdefault(name, at) != at)
    before = lines[first[batch.ids[at]]]
    raise InputError(
        f"The id {batch.ids[at]!r} occurs twice.",
        path=path,
        line=lines[at],
        found=f"line {before} has it already" if before else "an earlier document has it already",
        expected="one document an id",
        hint='--repeated last; several references stand in one record: {"id": ..., "references": [[...], [...]]}',
    )


def _datatypes(batch: Batch) -> StringArray:
    found = np.zeros(len(batch.datatypes), dtype=np.dtypes.StringDType())
    typed = np.flatnonzero(batch.datatypes > MISSING)
    if len(typed):
        found[typed] = string_array(batch.known_datatypes)[batch.datatypes[typed]]
    return found


def _input_rows(batch: Batch, firsts: Numbers) -> InputRows:
    rows = batch.rows[firsts]
    return None if (rows == NO_ROW).all() else rows


def _firsts(sets: Numbers, rows: Numbers) -> Numbers:
    """Find where each triple of each set first stands."""
    return first_of_each(packed(sets, *rows.T))


def _facts(batch: Batch, counts: Numbers, halves: int) -> dict[str, int]:
    facts = {"documents": len(batch.ids), "documents_without_triples": int((counts == 0).sum())}
    optional = {
        "further_references": len(batch.sizes) - len(batch.ids),
        "half_triples": halves,
        "weighted_triples": int((batch.weights != 1).sum()),
        "unreadable_documents": int((~batch.readable).sum()),
    }
    return {**facts, **{name: count for name, count in optional.items() if count}}
