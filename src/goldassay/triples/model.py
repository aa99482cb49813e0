"""The model of the triples family: documents, and the triples of each."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import StringArray, string_array
from goldassay.core.errors import InputError, RecordError
from goldassay.core.model import Read
from goldassay.triples.normalise import normaliser

Numbers: TypeAlias = NDArray[np.int64]
SUBJECT, PREDICATE, OBJECT = range(3)
SLOTS = ("subject", "predicate", "object")
MISSING = -1
CORPUS = "corpus"


class Statement(NamedTuple):
    """A triple as it was written; a slot that is not there is None.

    Attributes:
        subject: Its subject.
        predicate: Its predicate.
        object: Its object.
        datatype: The datatype of the object, empty for a plain text or a thing.
    """

    subject: str | None
    predicate: str | None
    object: str | None
    datatype: str = ""

    @property
    def whole(self) -> bool:
        """Whether all three slots say something."""
        return all(slot is not None and slot.strip() for slot in self[:3])


class Answer(NamedTuple):
    """One document as it was read.

    Attributes:
        id: Its id.
        sets: Its triples; several sets where a document has several references.
        text: Its text; empty if there is none.
        types: Types of entities by name.
        line: Where it stands, counted from 1; None where there are no lines.
        readable: Whether all of its record could be read.
    """

    id: str
    sets: Sequence[Sequence[Statement]]
    text: str = ""
    types: Mapping[str, str] = {}
    line: int | None = None
    readable: bool = True


def _as_it_is(text: str) -> str:
    return text


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Triples(Read):
    """Documents, and the triples of each: every triple once a set, in the order in which it first stands there.

    A document has one set of triples, or several where gold has several references.

    Attributes:
        ids: Names of the documents, unique, shape (documents,).
        owners: The document of each set, in order, int64, shape (sets,).
        starts: The triples of set s are the rows ``starts[s]:starts[s + 1]``, int64, shape (sets + 1,).
        rows: Subject, predicate and object of each triple as rows of ``keys``, int64, shape (triples, 3).
        firsts: The row of ``written`` where each triple first stands, int64, shape (triples,).
        keys: Names as they are compared, unique, shape (keys,).
        written: All that was written, duplicates and half triples too, in its order, as rows of ``spellings``, -1 for a
            slot that is not there, int64, shape (written, 3).
        written_starts: What was written of set s is the rows ``written_starts[s]:written_starts[s + 1]``, int64, shape
            (sets + 1,).
        spellings: Names as they are written, unique, shape (spellings,).
        datatypes: Datatype of the object of each written triple, empty for none, shape (written,).
        texts: The documents themselves, empty where there is none, shape (documents,).
        types: Typed entities: document, row of ``keys``, row of ``type_names``, int64, shape (typed, 3).
        type_names: Types of entities, shape (types,).
        unreadable: Whether some of a document's record could not be read, bool, shape (documents,).
        faults: What could not be read.
        normalise: What gave every spelling its name.

    Example:
        >>> triples = Triples.from_lists({"d1": [("Oslo", "capital of", "Norway"), ("Oslo", "capital of", "Norway ")]})
        >>> len(triples), triples.item(0), triples.left_out
        (1, 'd1: Oslo | capital of | Norway', {'duplicates': 1})
    """

    ids: StringArray
    owners: Numbers
    starts: Numbers
    rows: Numbers
    firsts: Numbers
    keys: StringArray
    written: Numbers
    written_starts: Numbers
    spellings: StringArray
    datatypes: StringArray
    texts: StringArray
    types: Numbers
    type_names: StringArray
    unreadable: NDArray[np.bool_]
    faults: tuple[RecordError, ...] = ()
    normalise: Callable[[str], str] = _as_it_is

    @classmethod
    def from_lists(
        cls,
        documents: Mapping[str, Iterable[Sequence[str]]],
        *,
        texts: Mapping[str, str] | None = None,
        normalise: Sequence[str] = (),
    ) -> Triples:
        """Build documents from lists of triples.

        Args:
            documents: The triples of each document by its id; each a subject, a predicate and an object.
            texts: Texts of documents by id.
            normalise: What is left out of account when names are compared, see `TriplesReading`.

        Returns:
            The documents, in their order.

        Raises:
            InputError: If a triple has not three slots.
        """
        answers = []
        for name, some in documents.items():
            triples = [tuple(triple) for triple in some]
            for triple in triples:
                if len(triple) != len(SLOTS):
                    raise InputError(
                        "A triple has three slots.", found=repr(triple)[:80], expected="(subject, predicate, object)"
                    )
            answers.append(Answer(name, [[Statement(*triple) for triple in triples]], (texts or {}).get(name, "")))
        return lay_out(answers, normalise=normaliser(normalise))

    def __len__(self) -> int:
        return len(self.rows)

    def item(self, row: int) -> str:
        """Name one triple for a person: its document, and its slots as they are written."""
        return f"{self.ids[self.documents[row]]}: {' | '.join(self.slots(row))}"

    def slots(self, row: int) -> tuple[str, str, str]:
        """Give the slots of one triple as they are written, without blanks around them."""
        subject, predicate, thing = ((slot or "").strip() for slot in self.written_row(int(self.firsts[row])))
        return subject, predicate, thing

    @property
    def sets(self) -> Numbers:
        """The set of each triple, int64, shape (triples,)."""
        return np.repeat(np.arange(len(self.owners)), np.diff(self.starts))

    @property
    def documents(self) -> Numbers:
        """The document of each triple, int64, shape (triples,)."""
        return self.owners[self.sets]

    @cached_property
    def nameless(self) -> int:
        """The row of ``keys`` that stands for a slot that is not there."""
        return int(np.flatnonzero(self.keys == "")[0])

    @property
    def references(self) -> Numbers:
        """How many sets each document has, int64, shape (documents,)."""
        return np.bincount(self.owners, minlength=len(self.ids))

    def rows_of(self, document: int) -> range:
        """List the triples of a document that has one set."""
        one = int(np.searchsorted(self.owners, document))
        return range(int(self.starts[one]), int(self.starts[one + 1]))

    def written_of(self, one: int) -> list[tuple[str | None, ...]]:
        """Give what was written of a set, as it was written; None for a slot that is not there."""
        return [
            self.written_row(row) for row in range(int(self.written_starts[one]), int(self.written_starts[one + 1]))
        ]

    def written_row(self, row: int) -> tuple[str | None, ...]:
        """Give one written triple."""
        return tuple(None if slot == MISSING else self._spelling[slot] for slot in self.written[row].tolist())

    @cached_property
    def _spelling(self) -> list[str]:
        # A numpy string column is slow to ask one by one.
        found: list[str] = self.spellings.tolist()
        return found

    def only(self, chosen: Numbers) -> Self:
        """Keep one set of each document.

        Args:
            chosen: The set of each document, int64, shape (documents,).
        """
        return replace(self._of_sets(chosen), owners=np.arange(len(self.ids)))

    def _of_sets(self, chosen: Numbers) -> Self:
        """Keep some sets; whose they are is for the caller to say."""
        counts, written = np.diff(self.starts)[chosen], np.diff(self.written_starts)[chosen]
        rows, lines = _ranges(self.starts[chosen], counts), _ranges(self.written_starts[chosen], written)
        place = np.full(len(self.written), MISSING, dtype=np.int64)
        place[lines] = np.arange(len(lines))
        return replace(
            self,
            starts=_starts(counts),
            rows=self.rows[rows],
            firsts=place[self.firsts[rows]],
            written=self.written[lines],
            written_starts=_starts(written),
            datatypes=self.datatypes[lines],
        )

    def of_documents(self, mask: NDArray[np.bool_]) -> Self:
        """Keep some documents with all that belongs to them.

        Args:
            mask: Whether each document stays, bool, shape (documents,).
        """
        place = np.cumsum(mask) - 1
        sets = np.flatnonzero(mask[self.owners])
        kept, types = self._of_sets(sets), self.types[mask[self.types[:, 0]]]
        types = np.column_stack([place[types[:, 0]], types[:, 1:]])
        return replace(
            kept,
            ids=self.ids[mask],
            texts=self.texts[mask],
            unreadable=self.unreadable[mask],
            owners=place[self.owners[sets]],
            types=types,
        )

    def take(self, mask: NDArray[np.bool_]) -> Self:
        """Keep some triples, whatever is written of them, and all documents.

        Args:
            mask: Whether each triple stays, bool, shape (triples,).
        """
        rows = {key: row for row, key in enumerate(self.keys.tolist())}
        # The last one is for a slot that is not there, which `written` has as -1.
        named = np.array([*(rows[self.normalise(text)] for text in self._spelling), self.nameless], dtype=np.int64)
        sets = np.repeat(np.arange(len(self.owners)), np.diff(self.written_starts))
        stacked = np.concatenate(
            [np.column_stack([self.sets, self.rows]), np.column_stack([sets, named[self.written]])]
        )
        _, same = np.unique(stacked, axis=0, return_inverse=True)
        stays = np.zeros(len(stacked), dtype=np.bool_)
        stays[same[: len(mask)][mask]] = True
        lines = stays[same[len(mask) :]]
        place = np.cumsum(lines) - 1
        return replace(
            self,
            starts=_starts(mask)[self.starts],
            rows=self.rows[mask],
            firsts=place[self.firsts[mask]],
            written=self.written[lines],
            written_starts=_starts(lines)[self.written_starts],
            datatypes=self.datatypes[lines],
        )


def _starts(counts: Numbers | NDArray[np.bool_]) -> Numbers:
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(counts)])


def _ranges(starts: Numbers, counts: Numbers) -> Numbers:
    """Lay ranges one after the other."""
    before = np.repeat(starts - (np.cumsum(counts) - counts), counts)
    return np.asarray(before + np.arange(int(counts.sum())), dtype=np.int64)


@dataclass(eq=False)
class _Columns:
    """Columns while documents are laid out."""

    ids: dict[str, int | None] = field(default_factory=dict)
    owners: array[int] = field(default_factory=lambda: array("q"))
    counts: array[int] = field(default_factory=lambda: array("q"))
    slots: array[int] = field(default_factory=lambda: array("q"))
    spellings: dict[str, int] = field(default_factory=dict)
    datatypes: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    types: array[int] = field(default_factory=lambda: array("q"))
    type_names: dict[str, int] = field(default_factory=dict)
    unreadable: list[bool] = field(default_factory=list)

    def add(self, answer: Answer, path: str | None) -> None:
        if answer.id in self.ids:
            first = self.ids[answer.id]
            raise InputError(
                f"The id {answer.id!r} stands twice.",
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
        known = self.spellings
        for some in answer.sets:
            self.owners.append(document)
            self.counts.append(len(some))
            self.slots.extend(
                MISSING if slot is None else known.setdefault(slot, len(known)) for one in some for slot in one[:3]
            )
            self.datatypes.extend(one[3] for one in some)
        for name, kind in answer.types.items():
            entity = known.setdefault(name, len(known))
            self.types.extend((document, entity, self.type_names.setdefault(kind, len(self.type_names))))


def lay_out(
    answers: Iterable[Answer],
    *,
    normalise: Callable[[str], str],
    path: str | None = None,
) -> Triples:
    """Lay documents out in columns.

    Args:
        answers: The documents.
        normalise: Gives every spelling its name.
        path: The file, for what is said of it.

    Returns:
        The documents, in their order; ``left_out`` counts duplicates, ``facts`` documents and half triples.

    Raises:
        InputError: If two documents have one id.

    Example:
        >>> half = Answer("d1", [[Statement("Oslo", "capital of", None)]])
        >>> lay_out([half], normalise=str.strip).facts
        {'documents': 1, 'documents_without_triples': 0, 'half_triples': 1}
    """
    columns = _Columns()
    for answer in answers:
        columns.add(answer, path)
    spellings = list(columns.spellings)
    keys: dict[str, int] = {}
    key_of = np.array([keys.setdefault(normalise(text), len(keys)) for text in spellings], dtype=np.int64)
    # A slot that is not there has the empty name: a half triple is an answer, and no right one.
    key_of = np.append(key_of, keys.setdefault("", len(keys)))
    written = np.array(columns.slots, dtype=np.int64).reshape(-1, 3)
    written_starts = _starts(np.array(columns.counts, dtype=np.int64))
    sets = np.repeat(np.arange(len(columns.counts)), np.diff(written_starts))
    rows = key_of[written]
    firsts = _firsts(sets, rows)
    types = np.array(columns.types, dtype=np.int64).reshape(-1, 3)
    types[:, 1] = key_of[types[:, 1]]
    halves = int((rows[firsts] == keys[""]).any(axis=1).sum())
    duplicates = len(rows) - len(firsts)
    counts = np.bincount(sets[firsts], minlength=len(columns.counts))
    return Triples(
        path=path,
        ids=string_array(list(columns.ids)),
        owners=np.array(columns.owners, dtype=np.int64),
        starts=_starts(counts),
        rows=rows[firsts],
        firsts=firsts,
        keys=string_array(list(keys)),
        written=written,
        written_starts=written_starts,
        spellings=string_array(spellings),
        datatypes=string_array(columns.datatypes),
        texts=string_array(columns.texts),
        types=types,
        type_names=string_array(list(columns.type_names)),
        unreadable=np.array(columns.unreadable, dtype=np.bool_),
        normalise=normalise,
        left_out={"duplicates": duplicates} if duplicates else {},
        facts=_facts(columns, counts, halves),
    )


def _firsts(sets: Numbers, rows: Numbers) -> Numbers:
    """Find where each triple of each set first stands."""
    import polars as pl

    frame = pl.DataFrame({"set": sets, "s": rows[:, 0], "p": rows[:, 1], "o": rows[:, 2]}).with_row_index("place")
    unique = frame.unique(subset=["set", "s", "p", "o"], keep="first", maintain_order=True)
    return unique["place"].to_numpy().astype(np.int64)


def _facts(columns: _Columns, counts: Numbers, halves: int) -> dict[str, int]:
    facts = {"documents": len(columns.ids), "documents_without_triples": int((counts == 0).sum())}
    several = len(columns.owners) - len(columns.ids)
    optional = {
        "further_references": several,
        "half_triples": halves,
        "unreadable_documents": sum(columns.unreadable),
    }
    return {**facts, **{name: count for name, count in optional.items() if count}}


def merged(answers: Iterable[Answer]) -> list[Answer]:
    """Merge all documents into one.

    Raises:
        InputError: If a document has several references, since then it is not known which to merge.

    Example:
        >>> parts = [Answer("a", [[Statement("x", "r", "y")]]), Answer("b", [[Statement("y", "r", "z")]])]
        >>> [len(answer.sets[0]) for answer in merged(parts)]
        [2]
    """
    statements: list[Statement] = []
    texts: list[str] = []
    types: dict[str, str] = {}
    readable = True
    for answer in answers:
        if len(answer.sets) > 1:
            raise InputError(
                "Documents with several references cannot be merged into one graph.",
                line=answer.line,
                found=f"{len(answer.sets)} references of {answer.id!r}",
                expected="one",
            )
        statements += [one for some in answer.sets for one in some]
        texts += [answer.text] if answer.text else []
        types.update(answer.types)
        readable &= answer.readable
    return [Answer(CORPUS, [statements], "\n".join(texts), types, None, readable)]
