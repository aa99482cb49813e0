"""Documents as they were read, laid out in columns."""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice, repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import StringArray, string_array
from goldassay.core.errors import InputError
from goldassay.core.intern import numbered
from goldassay.core.model import NO_ROW, InputRows
from goldassay.formats.quoted import Codes
from goldassay.triples.answers import Answer, Batch, Numbers
from goldassay.triples.normalise import Normaliser

MISSING = -1
NEAR = 64
"""In groups of up to so many rows each is compared with each; of larger ones tables are made."""
MIXING = np.uint64(0x9E3779B97F4A7C15)
"""An odd number; products with it overflow, and what is left tells nearly all rows apart."""


def columns_of(
    read: Iterable[Answer | Batch], *, normalise: Callable[[str], str], path: str | None = None
) -> dict[str, Any]:
    """Lay documents out in columns.

    Args:
        read: The documents.
        normalise: Gives every spelling its name.
        path: The file, for what is said of it.

    Returns:
        The attributes of `Triples`; ``left_out`` counts duplicates, ``facts`` documents and half triples.

    Raises:
        InputError: If two documents have one id.

    Example:
        >>> from goldassay.triples.answers import Statement
        >>> half = Answer("d1", [[Statement("Oslo", "capital of", None)]])
        >>> columns_of([half], normalise=str.strip)["facts"]
        {'documents': 1, 'documents_without_triples': 0, 'half_triples': 1}
    """
    columns = _Columns()
    for one in read:
        if isinstance(one, Batch):
            columns.extend(one, path)
        else:
            columns.add(one, path)
    spellings = columns.unnumbered or list(columns.spellings)
    names = normalise.each(spellings) if isinstance(normalise, Normaliser) else list(map(normalise, spellings))
    same = names == spellings
    listed, (key_of,) = (names, [np.arange(len(names))]) if same else numbered(names)
    # A slot that is not there has the empty name: a half triple is an answer, and no right one.
    if "" not in listed:
        listed.append("")
    nameless = listed.index("")
    key_of, key_texts = np.append(key_of, nameless).astype(np.int64), string_array(listed)
    written = np.frombuffer(columns.slots, dtype=np.int64).reshape(-1, 3)
    sizes = np.frombuffer(columns.counts, dtype=np.int64)
    sets = np.repeat(np.arange(len(sizes)), sizes)
    as_written = np.array_equal(key_of, np.arange(len(key_of))) and written.min(initial=0) > MISSING
    rows = written if as_written else key_of[written]
    firsts = _firsts(sets, rows)
    types = np.array(columns.types, dtype=np.int64).reshape(-1, 3)
    types[:, 1] = key_of[types[:, 1]]
    weights, counts = np.frombuffer(columns.weights), sizes
    duplicates = len(rows) - len(firsts)
    if duplicates:
        rows, weights = rows[firsts], weights[firsts]
        counts = np.bincount(sets[firsts], minlength=len(sizes))
    halves = int((rows == nameless).any(axis=1).sum()) if rows.max(initial=MISSING) >= nameless else 0
    return {
        "path": path,
        "ids": string_array(list(columns.ids)),
        "owners": np.array(columns.owners, dtype=np.int64),
        "starts": starts_of(counts),
        "rows": rows,
        "firsts": firsts,
        "keys": key_texts,
        "written": written,
        "written_starts": starts_of(sizes),
        "spellings": key_texts[: len(spellings)] if same else string_array(spellings),
        "datatypes": _datatypes(columns),
        "weights": weights,
        "input_rows": _input_rows(columns, firsts),
        "texts": string_array(columns.texts),
        "types": types,
        "type_names": string_array(list(columns.type_names)),
        "unreadable": np.array(columns.unreadable, dtype=np.bool_),
        "normalise": normalise,
        "left_out": {"duplicates": duplicates} if duplicates else {},
        "facts": _facts(columns, counts, halves),
    }


@dataclass(eq=False)
class _Columns:
    """Columns while documents are laid out."""

    ids: dict[str, int | None] = field(default_factory=dict)
    owners: array[int] = field(default_factory=lambda: array("q"))
    counts: array[int] = field(default_factory=lambda: array("q"))
    slots: array[int] = field(default_factory=lambda: array("q"))
    spellings: dict[str, int] = field(default_factory=dict)
    unnumbered: list[str] = field(default_factory=list)
    datatypes: array[int] = field(default_factory=lambda: array("q"))
    datatype_names: dict[str, int] = field(default_factory=lambda: {"": 0})
    weights: array[float] = field(default_factory=lambda: array("d"))
    input_rows: array[int] = field(default_factory=lambda: array("q"))
    texts: list[str] = field(default_factory=list)
    types: array[int] = field(default_factory=lambda: array("q"))
    type_names: dict[str, int] = field(default_factory=dict)
    unreadable: list[bool] = field(default_factory=list)
    names: Sequence[str] = ()
    name_rows: array[int] = field(default_factory=lambda: array("q"))

    def add(self, answer: Answer, path: str | None) -> None:
        if answer.id in self.ids:
            first = self.ids[answer.id]
            raise InputError(
                f"The id {answer.id!r} occurs twice.",
                path=path,
                line=answer.line,
                found=f"line {first} has it already" if first else "an earlier document has it already",
                expected="one document an id",
                hint='--repeated last; several references stand in one record: {"id": ..., "references": [[...], [...]]}',
            )
        document = len(self.ids)
        self.ids[answer.id] = answer.line
        self.texts.append(answer.text)
        self.unreadable.append(not answer.readable)
        known, datatypes = self.known(), self.datatype_names
        for some in answer.sets:
            self.owners.append(document)
            self.counts.append(len(some))
            self.slots.extend(
                MISSING if slot is None else known.setdefault(slot, len(known)) for one in some for slot in one[:3]
            )
            self.datatypes.extend(datatypes.setdefault(one.datatype, len(datatypes)) for one in some)
            self.weights.extend(one.weight for one in some)
        self.input_rows.extend(answer.rows or repeat(NO_ROW, sum(map(len, answer.sets))))
        for name, kind in answer.types.items():
            entity = known.setdefault(name, len(known))
            self.types.extend((document, entity, self.type_names.setdefault(kind, len(self.type_names))))

    def known(self) -> dict[str, int]:
        """Give the row of each spelling; where all names come at once, nobody asks."""
        if self.unnumbered:
            self.spellings, self.unnumbered = {name: row for row, name in enumerate(self.unnumbered)}, []
        return self.spellings

    def extend(self, batch: Batch, path: str | None) -> None:
        """Add many documents, to the same end as adding each."""
        documents, triples = len(batch.ids), int(batch.sizes.sum())
        first = len(self.ids)
        deque(map(self.ids.setdefault, batch.ids, batch.lines), maxlen=0)
        if len(self.ids) < first + documents:
            self.ids = dict(islice(self.ids.items(), first))
            for answer in batch.answers():
                self.add(answer, path)
            return
        self.texts += batch.texts
        self.unreadable += [False] * documents if batch.unreadable is None else batch.unreadable.tolist()
        for column, added in (
            (self.owners, np.arange(first, first + documents)),
            (self.counts, batch.sizes),
            (self.slots, self._spelt(batch.slots)),
            (self.datatypes, self._typed(batch.datatypes, triples)),
            (self.weights, np.ones(triples) if batch.weights is None else batch.weights),
            (self.input_rows, np.full(triples, NO_ROW, dtype=np.int64) if batch.rows is None else batch.rows),
        ):
            column.frombytes(np.ascontiguousarray(added).view(np.uint8).data)

    def _typed(self, datatypes: Codes | None, triples: int) -> Numbers:
        """Give the row of ``datatype_names`` of each triple."""
        if datatypes is None:
            return np.zeros(triples, dtype=np.int64)
        known = self.datatype_names
        rows: Numbers = np.array([known.setdefault(name, len(known)) for name in datatypes.names])[datatypes.codes]
        return rows

    def _spelt(self, slots: Codes) -> Numbers:
        """Give the row of ``spellings`` of each slot; the names of one list are looked up once, however long it gets."""
        if slots.names is not self.names:
            self.names, self.name_rows = slots.names, array("q")
        new = slots.names[len(self.name_rows) : int(slots.codes.max(initial=MISSING)) + 1]
        if self.spellings or self.unnumbered:
            known = self.known()
            self.name_rows.extend(known.setdefault(name, len(known)) for name in new)
        else:
            self.unnumbered = new
            self.name_rows.frombytes(np.arange(len(new)).tobytes())
        rows: Numbers = np.frombuffer(self.name_rows, dtype=np.int64)[slots.codes]
        return rows


def starts_of(counts: Numbers | NDArray[np.bool_]) -> Numbers:
    """Lay out where each of several runs of rows begins, and where the last ends, int64, shape (counts + 1,)."""
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(counts)])


def mixed(*columns: Numbers) -> NDArray[np.uint64]:
    """Mix the numbers of each row into one: equal rows have equal keys, and nearly all others different ones.

    Args:
        columns: The columns, each int64, shape (rows,).

    Returns:
        The keys, shape (rows,).

    Example:
        >>> len(set(mixed(np.array([1, 2, 1]), np.array([2, 1, 2])).tolist()))
        2
    """
    keys = columns[0].astype(np.uint64)
    for column in columns[1:]:
        keys *= MIXING
        keys += column.view(np.uint64)
    return keys


def all_differ(keys: NDArray[np.uint64], *, largest: int) -> bool:
    """Say whether the keys of each group differ; False also where that would take long to see.

    Args:
        keys: The keys, group by group; those of different groups differ.
        largest: How many keys a group has at the most.

    Example:
        >>> all_differ(np.array([1, 2, 4, 3], dtype=np.uint64), largest=2)
        True
    """
    return largest <= NEAR and not any((keys[step:] == keys[:-step]).any() for step in range(1, largest))


def _datatypes(columns: _Columns) -> StringArray:
    found = np.zeros(len(columns.datatypes), dtype=np.dtypes.StringDType())
    codes = np.frombuffer(columns.datatypes, dtype=np.int64)
    typed = np.flatnonzero(codes)
    found[typed] = string_array(list(columns.datatype_names))[codes[typed]]
    return found


def _input_rows(columns: _Columns, firsts: Numbers) -> InputRows:
    rows = np.frombuffer(columns.input_rows, dtype=np.int64)[firsts]
    return None if (rows == NO_ROW).all() else rows


def _firsts(sets: Numbers, rows: Numbers) -> Numbers:
    """Find where each triple of each set first stands."""
    if all_differ(mixed(sets, *rows.T), largest=int(np.bincount(sets).max(initial=0))):
        return np.arange(len(rows))
    import polars as pl

    frame = pl.DataFrame({"set": sets, "s": rows[:, 0], "p": rows[:, 1], "o": rows[:, 2]}).with_row_index("place")
    unique = frame.unique(subset=["set", "s", "p", "o"], keep="first", maintain_order=True)
    return unique["place"].to_numpy().astype(np.int64)


def _facts(columns: _Columns, counts: Numbers, halves: int) -> dict[str, int]:
    facts = {"documents": len(columns.ids), "documents_without_triples": int((counts == 0).sum())}
    optional = {
        "further_references": len(columns.owners) - len(columns.ids),
        "half_triples": halves,
        "weighted_triples": int((np.frombuffer(columns.weights) != 1).sum()),
        "unreadable_documents": sum(columns.unreadable),
    }
    return {**facts, **{name: count for name, count in optional.items() if count}}
