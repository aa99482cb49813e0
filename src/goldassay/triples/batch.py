"""Documents as they were read: put down one by one, then in columns, and these laid out as those of the model."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import compress, count, islice
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.core.counts import FloatArray
from goldassay.core.errors import InputError
from goldassay.core.intern import StringArray, first_of_each, numbered, string_array
from goldassay.core.model import NO_ROW
from goldassay.formats.records import Lines
from goldassay.kernels.keys import packed
from goldassay.kernels.ragged import ranges, starts_of
from goldassay.triples.normalise import Normaliser

Numbers: TypeAlias = NDArray[np.int64]
SLOTS = ("subject", "predicate", "object")
Line: TypeAlias = Callable[[], int | None] | int | None
"""The line of a document, from 1, or what finds it, since only messages ask for it; None where there are no lines."""
CORPUS = "corpus"
UNWEIGHTED = 1.0
MISSING = -1
HALF = 32


class Texts(defaultdict[str | None, int]):
    """Numbers texts in the order in which they first occur; None, for what is not there, has the number -1.

    Example:
        >>> texts = Texts()
        >>> list(map(texts.__getitem__, ["cat", None, "cat", "dog"])), texts.listed
        ([0, -1, 0, 1], ['cat', 'dog'])
        >>> texts.numbers_of_names(["cat", "cow"]), texts.numbers_of_names(["cow", " "])
        (array([0, 2]), None)
    """

    def __init__(self) -> None:
        super().__init__(count(MISSING).__next__)
        self[None]
        self._blanks: list[int] = []
        self._looked_at = 1

    @property
    def listed(self) -> list[str]:
        """The texts, by number."""
        return [text for text in self if text is not None]

    def numbers_of_names(self, texts: Sequence[str]) -> Numbers | None:
        """Number texts of which none is blank; None if one is."""
        numbers = np.fromiter(map(self.__getitem__, texts), dtype=np.int64, count=len(texts))
        new = [text for text in islice(reversed(self), len(self) - self._looked_at) if text is not None]
        self._looked_at = len(self)
        if "" in new or any(map(str.isspace, new)):
            self._blanks += [self[text] for text in new if not text.strip()]
        return None if self._blanks and np.isin(numbers, self._blanks).any() else numbers


class Batch(NamedTuple):
    """Documents in columns.

    Attributes:
        ids: Their ids.
        texts: Their texts; empty where there is none.
        lines: Their lines in the file, from 1; None where there are no lines.
        readable: Whether all of each could be read, bool, shape (documents,).
        counts: The number of sets of each, int64, shape (documents,).
        sizes: The number of triples of each set, int64, shape (sets,).
        slots: Subject, predicate and object of each triple, by number, -1 for one that is not there, int64, shape (triples, 3).
        rows: The row or line of the input that each triple stands in, from 0, -1 for none, int64, shape (triples,).
        weights: The weight of each triple, float64, shape (triples,).
        datatypes: The datatype of each object, by number, -1 for none, int64, shape (triples,).
        types: Typed entities: document, name and type, int64, shape (typed, 3).
        names: The slots of triples, and entities, by number.
        known_datatypes: Datatypes, by number.
        known_types: Types of entities, by number.
    """

    ids: Sequence[str]
    texts: Sequence[str]
    lines: Sequence[int | None]
    readable: NDArray[np.bool_]
    counts: Numbers
    sizes: Numbers
    slots: Numbers
    rows: Numbers
    weights: FloatArray
    datatypes: Numbers
    types: Numbers
    names: list[str]
    known_datatypes: Sequence[str] = ()
    known_types: Sequence[str] = ()

    def last_of_each(self) -> Batch:
        """Keep the last document of each id, in the place of the first."""
        last = {name: at for at, name in enumerate(self.ids)}
        return self if len(last) == len(self.ids) else self._take(np.array(list(last.values()), dtype=np.int64))

    def _take(self, documents: Numbers) -> Batch:
        """Keep some documents, in the order that is given."""
        sets = ranges((np.cumsum(self.counts) - self.counts)[documents], self.counts[documents])
        some = ranges((np.cumsum(self.sizes) - self.sizes)[sets], self.sizes[sets])
        place = np.full(len(self.ids), MISSING, dtype=np.int64)
        place[documents] = np.arange(len(documents))
        types = np.column_stack([place[self.types[:, 0]], self.types[:, 1:]])
        types = types[types[:, 0] > MISSING]
        chosen = documents.tolist()
        return self._replace(
            ids=[self.ids[one] for one in chosen],
            texts=[self.texts[one] for one in chosen],
            lines=[self.lines[one] for one in chosen],
            readable=self.readable[documents],
            counts=self.counts[documents],
            sizes=self.sizes[sets],
            slots=self.slots[some],
            rows=self.rows[some],
            weights=self.weights[some],
            datatypes=self.datatypes[some],
            types=types[np.argsort(types[:, 0], kind="stable")],
        )

    def merged(self) -> Batch:
        """Merge all documents into one.

        Example:
            >>> documents = Documents()
            >>> for name in "ab":
            ...     documents.add(documents.begin(name), ["x", "r", name])
            >>> documents.batch().merged().sizes.tolist()
            [2]
        """
        several = np.flatnonzero(self.counts > 1)
        if len(several):
            raise InputError(
                "Documents with several references cannot be merged into one graph.",
                line=self.lines[several[0]],
                found=f"{self.counts[several[0]]} references of {self.ids[several[0]]!r}",
                expected="one",
            )
        types = {name: kind for _, name, kind in self.types.tolist()}
        return self._replace(
            ids=[CORPUS],
            texts=["\n".join(filter(None, self.texts))],
            lines=[None],
            readable=np.array([self.readable.all()]),
            counts=np.ones(1, dtype=np.int64),
            sizes=np.array([len(self.slots)]),
            types=np.array([(0, *pair) for pair in types.items()], dtype=np.int64).reshape(-1, 3),
        )


@dataclass
class Documents:
    """Documents while they are read."""

    ids: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    unreadable: set[int] = field(default_factory=set)
    owners: list[int] = field(default_factory=list)  # the document of each set of triples
    slots: array[int] = field(default_factory=partial(array, "q"))
    sets: list[int] = field(default_factory=list)  # the set of each run of triples, in any order
    sizes: list[int] = field(default_factory=list)  # of the runs
    rows: list[int] = field(default_factory=list)  # of the input, of the runs, from 0
    weights: array[float] = field(default_factory=lambda: array("d"))
    datatypes: array[int] = field(default_factory=partial(array, "q"))
    typed: tuple[list[int], list[int], list[int]] = field(
        default_factory=lambda: ([], [], [])
    )  # document, name and type of each typed entity
    names: Texts = field(default_factory=Texts)
    known_datatypes: Texts = field(default_factory=Texts)
    known_types: Texts = field(default_factory=Texts)
    _sets_of: dict[str, int] = field(default_factory=dict)

    def begin(self, name: str, line: Line = None, text: str = "") -> int:
        """Begin a document, and return the number of its first set."""
        self.ids.append(name)
        self.lines.append(line)
        self.texts.append(text)
        self.owners.append(len(self.ids) - 1)
        return len(self.owners) - 1

    def begin_all(self, names: Sequence[str], lines: Iterable[Line], texts: Sequence[str]) -> None:
        """Begin some documents."""
        self.owners.extend(range(len(self.ids), len(self.ids) + len(names)))
        self.ids.extend(names)
        self.lines.extend(lines)
        self.texts.extend(texts)

    def extend(
        self,
        sets: Sequence[int],
        sizes: Sequence[int],
        rows: Sequence[int],
        slots: Numbers,
        *,
        weights: FloatArray,
        datatypes: Sequence[str | None],
    ) -> None:
        """Add triples to several sets, a given number to each; without datatypes none has one."""
        self.sets.extend(sets)
        self.sizes.extend(sizes)
        self.rows.extend(rows)
        self.slots.frombytes(slots.tobytes())
        self.weights.frombytes(weights.tobytes())
        known = {one: self.known_datatypes[one or None] for one in dict.fromkeys(datatypes)}
        numbers = list(map(known.__getitem__, datatypes)) or np.full(len(weights), MISSING)
        self.datatypes.frombytes(np.array(numbers, dtype=np.int64).tobytes())

    def another(self) -> int:
        """Begin another set of the document that was begun last."""
        self.owners.append(len(self.ids) - 1)
        return len(self.owners) - 1

    def called(self, name: str, line: Line = None) -> int:
        """Return the set of the document of this name, which begins where its name first stands."""
        found = self._sets_of.get(name)
        if found is None:
            found = self._sets_of[name] = self.begin(name, line)
        return found

    def add(
        self,
        one: int,
        slots: Iterable[str | None],
        *,
        datatype: str = "",
        weight: float = UNWEIGHTED,
        row: int = NO_ROW,
    ) -> None:
        """Add a triple to a set; a slot that is not there is None."""
        self.slots.extend(map(self.names.__getitem__, slots))
        self.sets.append(one)
        self.sizes.append(1)
        self.rows.append(row)
        self.weights.append(weight)
        self.datatypes.append(self.known_datatypes[datatype or None])

    def type(self, one: int, name: str, kind: str) -> None:
        """Say of which type an entity of the document of a set is."""
        for column, number in zip(
            self.typed, (self.owners[one], self.names[name], self.known_types[kind]), strict=True
        ):
            column.append(number)

    def batch(self) -> Batch:
        """Put all documents into columns, and the triples of a set together."""
        lines = self.lines
        owners, runs, rows, sizes = (
            np.array(some, dtype=np.int64) for some in (self.owners, self.sets, self.rows, self.sizes)
        )
        sets = np.repeat(runs, sizes)
        readable = np.ones(len(self.ids), dtype=np.bool_)
        readable[list(self.unreadable)] = False
        batch = Batch(
            ids=self.ids,
            texts=self.texts,
            lines=Lines(cache(lambda: [one() if callable(one) else one for one in lines]), range(len(lines))),
            readable=readable,
            counts=np.bincount(owners, minlength=len(self.ids)),
            sizes=np.bincount(sets, minlength=len(owners)),
            slots=np.array(self.slots, dtype=np.int64).reshape(-1, len(SLOTS)),
            rows=np.repeat(rows, sizes),
            weights=np.array(self.weights),
            datatypes=np.array(self.datatypes),
            types=typed_once(np.array(self.typed, dtype=np.int64).T),
            names=self.names.listed,
            known_datatypes=self.known_datatypes.listed,
            known_types=self.known_types.listed,
        )
        # A name is also numbered where it turns out to be an id, and another name to be meant.
        used = np.zeros(len(batch.names) + 1, dtype=np.bool_)
        used[batch.slots], used[batch.types[:, 1]], used[MISSING] = True, True, False
        if not used[:-1].all():
            place = np.append(np.cumsum(used[:-1]) - 1, MISSING)
            types = np.column_stack([batch.types[:, 0], place[batch.types[:, 1]], batch.types[:, 2]])
            names = list(compress(batch.names, used[:-1].tolist()))
            batch = batch._replace(slots=place[batch.slots], types=types, names=names)
        if (np.diff(sets) >= 0).all():
            return batch
        order = np.argsort(sets, kind="stable")
        return batch._replace(
            slots=batch.slots[order],
            rows=batch.rows[order],
            weights=batch.weights[order],
            datatypes=batch.datatypes[order],
        )


def typed_once(types: Numbers) -> Numbers:
    """List typed entities (document, name, type) document by document; of several types of one name in a document the last stays."""
    if len(first_of_each(types[:, 0] << HALF | types[:, 1])) < len(types):
        last = {(document, name): kind for document, name, kind in types.tolist()}
        types = np.array([(*key, kind) for key, kind in last.items()], dtype=np.int64)
    return types[np.argsort(types[:, 0], kind="stable")]


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
    firsts = first_of_each(packed(sets, *rows.T))
    input_rows = batch.rows[firsts]
    types = batch.types.copy()
    types[:, 1] = key_of[types[:, 1]]
    weights, counts = batch.weights, sizes
    duplicates = len(rows) - len(firsts)
    if duplicates:
        rows, weights = rows[firsts], weights[firsts]
        counts = np.bincount(sets[firsts], minlength=len(sizes))
    halves = int((rows == nameless).any(axis=1).sum()) if rows.max(initial=MISSING) >= nameless else 0
    facts = _facts(batch, counts, halves)
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
        "input_rows": None if (input_rows == NO_ROW).all() else input_rows,
        "texts": string_array(batch.texts),
        "types": types,
        "type_names": string_array(batch.known_types),
        "unreadable": ~batch.readable,
        "normalise": normalise,
        "left_out": {"duplicates": duplicates} if duplicates else {},
        "facts": facts,
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


def _facts(batch: Batch, counts: Numbers, halves: int) -> dict[str, int]:
    facts = {"documents": len(batch.ids), "documents_without_triples": int((counts == 0).sum())}
    optional = {
        "further_references": len(batch.sizes) - len(batch.ids),
        "half_triples": halves,
        "weighted_triples": int((batch.weights != 1).sum()),
        "unreadable_documents": int((~batch.readable).sum()),
    }
    return {**facts, **{name: count for name, count in optional.items() if count}}
