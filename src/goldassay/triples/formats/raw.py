"""Documents as they are read: collected one by one or many at once, then laid out as the columns of the model."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.core.counts import FloatArray
from goldassay.core.errors import InputError, RecordError
from goldassay.core.intern import (
    Names,
    Numbering,
    Places,
    StringArray,
    Texts,
    first_of_each,
    number_columns,
    string_array,
)
from goldassay.core.model import NO_ROW
from goldassay.core.text import show_object
from goldassay.formats.records import BadRecords
from goldassay.kernels.keys import pack_rows
from goldassay.kernels.ragged import mark, places_of, starts_of
from goldassay.triples.reading import AS_USUAL, Normaliser, TriplesReading

Numbers: TypeAlias = NDArray[np.int64]
SLOTS = ("subject", "predicate", "object")
SUBJECT, PREDICATE, OBJECT = range(3)
Line: TypeAlias = Callable[[], int | None] | int | None
"""The line of a document, from 1, or a function that finds it, since only messages need it; None without lines."""
CORPUS = "corpus"
UNWEIGHTED = 1.0
MISSING = -1
SHOWN = 60


class Cluster(NamedTuple):
    """Names of one entity or predicate of a document."""

    document: int
    of: str  # ``entity`` or ``predicate``
    names: tuple[str, ...]


@dataclass
class RawDocuments:
    """The documents of one input while they are read, and what could not be read."""

    path: str | None = None
    bad: BadRecords = field(default_factory=BadRecords)
    format: str = ""
    reading: TriplesReading = AS_USUAL
    numbered: bool = False  # whether they are numbered because none has an id
    warnings: tuple[str, ...] = ()
    unnamed: RecordError | None = None  # the first end that is an id without a name
    unread: Mapping[str, int] = field(default_factory=dict)  # the number of records by key
    left_out: Counter[str] = field(default_factory=Counter)  # by reason
    record: int | None = None  # the number of the record in messages, where its line is not enough
    ids: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    unreadable: set[int] = field(default_factory=set)
    owners: list[int] = field(default_factory=list)  # the document of each set of triples
    _sets: list[int] = field(default_factory=list)  # the set of each run of triples, in any order
    _sizes: list[int] = field(default_factory=list)  # of the runs
    _rows: list[int] = field(default_factory=list)  # the row of the input of each run, from 0
    slots: Texts = field(default_factory=Texts)
    _weights: array[float] = field(default_factory=lambda: array("d"))
    _datatypes: Numbering = field(default_factory=lambda: Numbering([""]))
    _datatype_of: list[Places] = field(default_factory=list)  # the number of the datatype of each triple
    _typed_in: list[Numbers] = field(default_factory=list)  # the document of each typed entity
    _typed: Texts = field(default_factory=Texts)
    _types: Numbering = field(default_factory=Numbering)
    _type_of: list[Places] = field(default_factory=list)  # the number of the type of each typed entity
    clusters: list[Cluster] = field(default_factory=list)
    _set_of: dict[str, int] = field(default_factory=dict)

    @property
    def by_order(self) -> bool:
        """Whether documents are numbered, even if they have ids."""
        return self.reading.ids == "order"

    @property
    def faults(self) -> list[RecordError]:
        """What could not be read so far."""
        return self.bad.errors

    def fault(self, message: str, *, line: int | None, found: object, expected: str | None = None) -> None:
        """Keep an error, or raise it."""
        shown = found if isinstance(found, str) else show_object(found)
        if self.record is not None:
            shown = f"record {self.record}: {shown}"
        self.bad.refuse(message, line=line, found=shown[:SHOWN], expected=expected)

    def number_record(self, lines: Sequence[int | None], place: int, line: int | None) -> None:
        """Name a record by its number where its line is not enough: several members of an array may be on one line."""
        self.record = None if isinstance(lines, range | list) and line is not None else place + 1

    def begin(self, name: str, line: Line = None, text: str = "") -> int:
        """Begin a document, and return the number of its first set."""
        self.ids.append(name)
        self.lines.append(line)
        self.texts.append(text)
        return self.another()

    def another(self) -> int:
        """Begin another set of triples of the last document, and return its number."""
        self.owners.append(len(self.ids) - 1)
        return len(self.owners) - 1

    def begin_all(
        self, names: Sequence[str], lines: Iterable[Line] | None = None, texts: Sequence[str] | None = None
    ) -> range:
        """Begin several documents, and return the numbers of their sets."""
        first = len(self.owners)
        self.owners.extend(range(len(self.ids), len(self.ids) + len(names)))
        self.ids.extend(names)
        self.lines.extend([None] * len(names) if lines is None else lines)
        self.texts.extend([""] * len(names) if texts is None else texts)
        return range(first, len(self.owners))

    def set_of(self, name: str, line: Line = None) -> int:
        """Return the set of the document with a name; begin it if it is new."""
        found = self._set_of.get(name)
        if found is None:
            found = self._set_of[name] = self.begin(name, line)
        return found

    def mark_unreadable(self, one: int) -> None:
        """Record that the document of a set could not be read completely."""
        self.unreadable.add(self.owners[one])

    def add(
        self,
        one: int,
        slots: Iterable[str | None],
        *,
        datatype: str = "",
        weight: float = UNWEIGHTED,
        row: int = NO_ROW,
    ) -> None:
        """Add a triple to a set; a missing slot is None."""
        self.extend([one], [1], [row], slots, weights=[weight], datatypes=[datatype])

    def extend(
        self,
        sets: Iterable[int],
        sizes: Sequence[int],
        rows: Iterable[int],
        slots: Iterable[str | None],
        *,
        weights: Sequence[float] | FloatArray | None = None,
        datatypes: Sequence[str] | None = None,
    ) -> None:
        """Add triples to several sets, so many to each, given their slots one after the other; or these are in ``slots`` already."""
        size = sum(sizes)
        self._sets.extend(sets)
        self._sizes.extend(sizes)
        self._rows.extend(rows)
        self.slots.extend(slots)
        self._weights.frombytes(np.asarray(np.ones(size) if weights is None else weights, dtype=np.float64).tobytes())
        self._datatype_of.append(np.zeros(size, np.int32) if datatypes is None else self._datatypes.codes(datatypes))

    def set_types(self, one: int, names: Collection[str], types: Collection[str]) -> None:
        """Record the types of entities of the document of a set, and their names."""
        if types:
            self.add_types(np.full(len(types), self.owners[one]), names, types)

    def add_types(self, documents: Numbers, names: Iterable[str], types: Collection[str]) -> None:
        """Record the types of entities, each of a document."""
        self._typed_in.append(documents)
        self._typed.extend(names)
        self._type_of.append(self._types.codes(types))

    def _clusters(self, kept: Sequence[int], *, merged: bool) -> tuple[Cluster, ...]:
        """List the clusters of the documents that are kept, by their new numbers."""
        place = {document: 0 if merged else at for at, document in enumerate(kept if self.clusters else ())}
        some = (one for one in self.clusters if one.document in place)
        return tuple(one._replace(document=place[one.document]) for one in some)

    def columns(self, normalise: Callable[[str], str]) -> dict[str, Any]:
        """List the documents as the columns of the model."""
        if self.by_order:
            self.ids = list(map(str, range(1, len(self.ids) + 1)))
        kept = _last_of_each(self.ids) if self.reading.repeated == "last" else range(len(self.ids))
        owners, sets, order = self._order(kept)
        ids, texts = (some if len(kept) == len(some) else [some[at] for at in kept] for some in (self.ids, self.texts))
        unreadable = mark(list(self.unreadable), len(self.ids))[kept]
        left_out = {"repeated_ids": len(self.ids) - len(kept)} if len(kept) < len(self.ids) else {}
        spellings, slots, typed = self._number_names(order)
        typed_in = self._type_documents(kept)
        if self.reading.unit == CORPUS:
            self._check_single(owners, kept)
            ids, texts, unreadable = [CORPUS], ["\n".join(filter(None, texts))], np.array([unreadable.any()])
            owners, sets, typed_in = np.zeros(1, dtype=np.int64), np.zeros_like(sets), np.minimum(typed_in, 0)
        self._check_ids(ids, kept)
        kind_of = np.concatenate(self._type_of or [np.zeros(0, dtype=np.int32)])
        compared = _Compared.of(spellings, normalise, slots)
        firsts = first_of_each(pack_rows(sets, *compared.rows.T))
        duplicates = len(slots) - len(firsts)
        rows = compared.rows[firsts] if duplicates else compared.rows
        sizes = np.bincount(sets, minlength=len(owners))
        counts = np.bincount(sets[firsts], minlength=len(owners)) if duplicates else sizes
        weights, datatypes, input_rows = self._values(order)
        weighted = int(np.count_nonzero(weights != UNWEIGHTED))
        if duplicates:
            weights, input_rows = weights[firsts], input_rows[firsts]
        columns = {
            "path": self.path,
            "ids": string_array(ids),
            "owners": owners,
            "starts": starts_of(counts),
            "rows": rows,
            "firsts": firsts,
            "keys": compared.keys,
            "written": slots,
            "written_starts": starts_of(sizes) if duplicates else starts_of(counts),
            "spellings": spellings,
            "datatypes": datatypes,
            "weights": weights,
            "input_rows": None if (input_rows == NO_ROW).all() else input_rows,
            "texts": string_array(texts),
            "types": _keep_last_types(typed_in, compared.key_of[typed], kind_of),
            "type_names": string_array(list(self._types)),
            "clusters": self._clusters(kept, merged=self.reading.unit == CORPUS),
            "unreadable": unreadable,
            "normalise": normalise,
            "left_out": ({"duplicates": duplicates} if duplicates else {}) | left_out,
        }
        optional = {
            "further_references": len(owners) - len(ids),
            "half_triples": compared.count_halves(rows),
            "weighted_triples": weighted,
            "unreadable_documents": int(unreadable.sum()),
        }
        facts = {"documents": len(ids), "documents_without_triples": int((counts == 0).sum())}
        return columns | {"facts": facts | {name: count for name, count in optional.items() if count}}

    def _order(self, kept: Sequence[int]) -> tuple[Numbers, Numbers, Numbers | None]:
        """Return the document of each set that is kept, the set of each triple, and the order of the triples; None for their own."""
        owners, sets = np.array(self.owners, dtype=np.int64), np.array(self._sets, dtype=np.int64)
        sets = np.repeat(sets, self._sizes)
        if len(kept) < len(self.ids):
            owners = places_of(kept, len(self.ids))[owners]
            by_document = np.argsort(owners, kind="stable")
            by_document = by_document[owners[by_document] > MISSING]
            owners, sets = owners[by_document], places_of(by_document, len(owners))[sets]
        elif not (sets[1:] < sets[:-1]).any():
            return owners, sets, None
        order = np.argsort(sets, kind="stable")
        order = order[sets[order] > MISSING]
        return owners, sets[order], order

    def _number_names(self, order: Numbers | None) -> tuple[Names, Numbers, Numbers]:
        """Number the names that are written: list them, and return those of slots, shape (triples, 3), and of typed entities."""
        found, (slots, typed) = number_columns(self.slots.all(), self._typed.all())
        if isinstance(found, list):
            names, absent = (
                Names(string_array([text or "" for text in found])),
                [found.index(None)] if None in found else [],
            )
        else:
            names, absent = Names(found), found.is_null().arg_true().to_list()
        for at in absent:
            names = names.take(np.delete(np.arange(len(names)), at))
            slots, typed = (np.where(codes == at, MISSING, codes - (codes > at)) for codes in (slots, typed))
        written = slots.astype(np.int64).reshape(-1, len(SLOTS))
        return names, written if order is None else written[order], typed.astype(np.int64)

    def _type_documents(self, kept: Sequence[int]) -> Numbers:
        """Return the document of each typed entity, -1 for one that is not kept."""
        documents: Numbers = np.concatenate([np.zeros(0, dtype=np.int64), *self._typed_in])
        return places_of(kept, len(self.ids))[documents]

    def _values(self, order: Numbers | None) -> tuple[FloatArray, StringArray, Numbers]:
        """Return the weight, the datatype and the row of the input of each written triple."""
        weights, rows = np.array(self._weights), np.repeat(np.array(self._rows, dtype=np.int64), self._sizes)
        datatypes = np.array(list(self._datatypes), dtype=np.object_)
        datatypes = datatypes[np.concatenate(self._datatype_of or [np.zeros(0, np.int32)])]
        return (weights, datatypes, rows) if order is None else (weights[order], datatypes[order], rows[order])

    def _line(self, document: int) -> int | None:
        line = self.lines[document]
        return line() if callable(line) else line

    def _check_ids(self, ids: Sequence[str], kept: Sequence[int]) -> None:
        """Refuse two documents with one id."""
        if len(set(ids)) == len(ids):
            return
        first: dict[str, int] = {}
        at = next(at for at, name in enumerate(ids) if first.setdefault(name, at) != at)
        before = self._line(kept[first[ids[at]]])
        raise InputError(
            f"The id {ids[at]!r} occurs twice.",
            line=self._line(kept[at]),
            found=f"line {before} has it already" if before else "an earlier document has it already",
            expected="one document per id",
            hint='--repeated last; several systems or runs belong in a file each, and several references in one record: {"id": ..., "references": [[...], [...]]}',
        )

    def _check_single(self, owners: Numbers, kept: Sequence[int]) -> None:
        """Refuse several references of a document where documents are merged."""
        counts = np.bincount(owners, minlength=len(kept))
        several = np.flatnonzero(counts > 1)
        if len(several):
            at = kept[several[0]]
            raise InputError(
                "Documents with several references cannot be merged into one graph.",
                line=self._line(at),
                found=f"{counts[several[0]]} references of {self.ids[at]!r}",
                expected="one",
            )


class _Compared(NamedTuple):
    """Names as they are compared."""

    keys: Names  # distinct ones
    key_of: Numbers  # the key of each spelling
    rows: Numbers  # the keys of the slots of each written triple
    nameless: int  # the key of a missing slot

    @classmethod
    def of(cls, spellings: Names, normalise: Callable[[str], str], slots: Numbers) -> _Compared:
        """Compare names that are written; a missing slot has the empty one: half a triple counts, and is never right."""
        [known] = spellings.places_of([""]) or [len(spellings)]
        written = spellings if known < len(spellings) else spellings.append("")
        names = normalise.each(written) if isinstance(normalise, Normaliser) else Names(list(map(normalise, written)))
        if names is written:
            key_of, keys = np.arange(len(names)), names
        else:
            found, (places,) = number_columns(names)
            key_of, keys = places.astype(np.int64), Names(found)
        key_of = np.concatenate([key_of[: len(spellings)], key_of[known : known + 1]])
        rows = slots if names is written and slots.min(initial=0) > MISSING else key_of[slots]
        return cls(keys, key_of, rows, int(key_of[-1]))

    def count_halves(self, rows: Numbers) -> int:
        """Count triples that lack a slot."""
        return int((rows == self.nameless).any(axis=1).sum()) if rows.max(initial=MISSING) >= self.nameless else 0


def _last_of_each(ids: Sequence[str]) -> list[int]:
    """List the last document of each id, in the place of the first."""
    return list({name: at for at, name in enumerate(ids)}.values())


def _keep_last_types(documents: Numbers, names: Numbers, types: NDArray[np.integer[Any]]) -> Numbers:
    """List typed entities document by document; the last of several types of one name in a document counts."""
    if not len(documents):
        return np.zeros((0, 3), dtype=np.int64)
    last = first_of_each(pack_rows(documents + 1, names)[::-1])
    found = np.column_stack([documents, names, types])[len(documents) - 1 - last[::-1]].astype(np.int64)
    found = found[found[:, 0] > MISSING]
    return found[np.argsort(found[:, 0], kind="stable")]
