"""The model of the triples family: documents, and the triples of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from goldassay.core.content import Content, TextRows, bits
from goldassay.core.counts import FloatArray
from goldassay.core.errors import RecordError
from goldassay.core.intern import Names, StringArray
from goldassay.core.items import list_documents, list_rows
from goldassay.core.model import InputRows, Provenance, row_column, rows_kept
from goldassay.kernels.ragged import mark, places_of, ranges, starts_of
from goldassay.triples.formats.raw import MISSING, OBJECT, PREDICATE, SLOTS, SUBJECT, Cluster, Numbers, RawDocuments
from goldassay.triples.reading import normaliser

__all__ = ["MISSING", "OBJECT", "PREDICATE", "SLOTS", "SUBJECT", "Numbers", "TripleSet"]


def _as_it_is(text: str) -> str:
    return text


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class TripleSet(Provenance):
    """Documents, and the triples of each: every triple once a set, in the order of first occurrence.

    A document has one set of triples, or several where gold has several references.

    Attributes:
        ids: Names of the documents, unique, shape (documents,).
        owners: The document of each set, in order, int64, shape (sets,).
        starts: The triples of set s are the rows ``starts[s]:starts[s + 1]``, int64, shape (sets + 1,).
        rows: Subject, predicate and object of each triple as rows of ``keys``, int64, shape (triples, 3).
        firsts: The row of ``written`` of the first occurrence of each triple, int64, shape (triples,).
        keys: Names as they are compared, unique, shape (keys,).
        written: All that was written, duplicates and half triples too, in its order, as rows of ``spellings``, -1 for a
            slot that is not there, int64, shape (written, 3).
        written_starts: What was written of set s is the rows ``written_starts[s]:written_starts[s + 1]``, int64, shape
            (sets + 1,).
        spellings: Names as they are written, unique, shape (spellings,).
        datatypes: Datatype of the object of each written triple, empty for none, shape (written,).
        weights: Weight of each triple, 1 where it has none, float64, shape (triples,).
        input_rows: The row or line of the input of the first occurrence of each triple of a set, int64, shape (triples,), -1 for one that has
            none; None if none has one.
        texts: The documents themselves, empty where there is none, shape (documents,).
        types: Typed entities: document, row of ``keys``, row of ``type_names``, int64, shape (typed, 3).
        type_names: Types of entities, shape (types,).
        unreadable: Whether some of a document's record could not be read, bool, shape (documents,).
        clusters: Names of one entity or predicate of a document, as the file has them.
        numbered: Whether documents are called by their numbers since none has an id.
        faults: What could not be read.
        normalise: What gave every spelling its name.

    Example:
        >>> triples = TripleSet.from_lists({"d1": [("Oslo", "capital of", "Norway"), ("Oslo", "capital of", "Norway ")]})
        >>> len(triples), triples.item(0), triples.left_out
        (1, 'd1: Oslo | capital of | Norway', {'duplicates': 1})
    """

    ids: StringArray
    owners: Numbers
    starts: Numbers
    rows: Numbers
    firsts: Numbers
    keys: Names
    written: Numbers
    written_starts: Numbers
    spellings: Names
    datatypes: StringArray
    weights: FloatArray
    texts: StringArray
    types: Numbers
    type_names: StringArray
    unreadable: NDArray[np.bool_]
    input_rows: InputRows = None
    clusters: tuple[Cluster, ...] = ()
    numbered: bool = False
    faults: tuple[RecordError, ...] = ()
    normalise: Callable[[str], str] = _as_it_is

    @classmethod
    def from_lists(
        cls,
        documents: Mapping[str, Iterable[Sequence[str]]] | Iterable[tuple[str, Iterable[Sequence[str]]]],
        *,
        texts: Mapping[str, str] | None = None,
        clusters: Mapping[str, Iterable[Iterable[str]]] | None = None,
        normalise: Sequence[str] = (),
    ) -> Self:
        """Build documents from lists of triples.

        Args:
            documents: The triples of each document by its id; each a subject, a predicate and an object.
            texts: Texts of documents by id.
            clusters: The names of each entity of documents, by id.
            normalise: What is left out of account when names are compared, see `TriplesReading`.

        Returns:
            The documents, in their order.

        Raises:
            UsageError: If a triple does not have three texts.
        """
        read = RawDocuments()
        for name, some in list_documents(documents, kind="triples"):
            one = read.begin(name, text=(texts or {}).get(name, ""))
            found = (clusters or {}).get(name, ())
            read.clusters += [Cluster(read.owners[one], "entity", tuple(names)) for names in found]
            for triple in list_rows(
                some, lengths=(3,), texts=3, expected="(subject, predicate, object)", kind="triples", of=f" of {name}"
            ):
                read.add(one, triple)
        return cls(**read.columns(normaliser(normalise)))

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def content(self) -> Sequence[Content]:
        """The documents, and the triples of each with their weights; a set of several is known by its size, since sets have no order."""
        triples = [TextRows(self.keys, column) for column in self.rows.T]
        sizes = np.diff(self.starts)[self.sets]
        named = zip((self.ids, self.keys, self.type_names), self.types.T, strict=True)
        typed = [TextRows(texts, column) for texts, column in named]
        return [[self.ids], [TextRows(self.ids, self.documents), *triples, bits(self.weights), sizes], typed]

    def item(self, row: int) -> str:
        """Name one triple for a person: its document, and its slots as they are written."""
        return f"{self.ids[self.documents[row]]}: {' | '.join(self.slots(row))}"

    def identifiers(self, rows: Numbers) -> dict[str, list[str]]:
        """List the rows of the input of some triples, if it has rows, their documents, and their slots.

        The evidence says of columns of the names of slots how they differ.
        """
        documents = self.ids[self.documents[rows]].tolist()
        return {
            **row_column(self.input_rows, rows), "document": documents, **self.written_columns(self.firsts[rows])
        }  # fmt: skip

    def written_columns(self, rows: Numbers) -> dict[str, list[str]]:
        """List the slots of some written triples in columns, without blanks around them."""
        slots = list(zip(*map(self.written_slots, rows.tolist()), strict=True)) or [()] * len(SLOTS)
        return {f"item_{name}": list(column) for name, column in zip(SLOTS, slots, strict=True)}

    def slots(self, row: int) -> tuple[str, str, str]:
        """Return the slots of one triple as they are written, without blanks around them."""
        return self.written_slots(int(self.firsts[row]))

    def written_slots(self, row: int) -> tuple[str, str, str]:
        """Return the slots of one written triple, without blanks around them."""
        subject, predicate, thing = ((slot or "").strip() for slot in self.written_row(row))
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
        return self.keys.places_of([""])[0]

    @property
    def references(self) -> Numbers:
        """How many sets each document has, int64, shape (documents,)."""
        return np.bincount(self.owners, minlength=len(self.ids))

    @property
    def first_references(self) -> Self:
        """The documents with the first set of each, as a gold is when it stands for a prediction."""
        if len(self.owners) == len(self.ids):
            return self
        return self.only(np.searchsorted(self.owners, np.arange(len(self.ids))))

    def rows_of(self, document: int) -> range:
        """List the triples of a document that has one set."""
        one = int(np.searchsorted(self.owners, document))
        return range(int(self.starts[one]), int(self.starts[one + 1]))

    def written_of(self, one: int) -> list[tuple[str | None, ...]]:
        """Return what was written of a set, as it was written; None for a slot that is not there."""
        return [
            self.written_row(row) for row in range(int(self.written_starts[one]), int(self.written_starts[one + 1]))
        ]

    def written_row(self, row: int) -> tuple[str | None, ...]:
        """Return one written triple."""
        return tuple(None if slot == MISSING else self.spellings.listed[slot] for slot in self.written[row].tolist())

    def only(self, chosen: Numbers) -> Self:
        """Keep one set of each document.

        Args:
            chosen: The set of each document, int64, shape (documents,).
        """
        return replace(self._of_sets(chosen), owners=np.arange(len(self.ids)))

    def _of_sets(self, chosen: Numbers) -> Self:
        """Keep some sets; whose they are is for the caller to say."""
        counts, written = np.diff(self.starts)[chosen], np.diff(self.written_starts)[chosen]
        rows, lines = ranges(self.starts[chosen], counts), ranges(self.written_starts[chosen], written)
        return replace(
            self,
            starts=starts_of(counts),
            rows=self.rows[rows],
            firsts=places_of(lines, len(self.written))[self.firsts[rows]],
            written=self.written[lines],
            written_starts=starts_of(written),
            datatypes=self.datatypes[lines],
            weights=self.weights[rows],
            input_rows=rows_kept(self.input_rows, rows),
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
        clusters = (one._replace(document=int(place[one.document])) for one in self.clusters if mask[one.document])
        return replace(
            kept,
            clusters=tuple(clusters),
            ids=self.ids[mask],
            texts=self.texts[mask],
            unreadable=self.unreadable[mask],
            owners=place[self.owners[sets]],
            types=types,
        )

    def without_empty_documents(self) -> Self:
        """Leave out the documents without triples."""
        return self.of_documents(np.bincount(self.owners[self.sets], minlength=len(self.ids)) > 0)

    def take(self, mask: NDArray[np.bool_]) -> Self:
        """Keep some triples with all their spellings, and all documents.

        Args:
            mask: Whether each triple stays, bool, shape (triples,).
        """
        rows = {key: row for row, key in enumerate(self.keys.tolist())}
        # The last one is for a slot that is not there, which `written` has as -1.
        named = np.array(
            [*(rows[self.normalise(text)] for text in self.spellings.listed), self.nameless], dtype=np.int64
        )
        sets = np.repeat(np.arange(len(self.owners)), np.diff(self.written_starts))
        stacked = np.concatenate(
            [np.column_stack([self.sets, self.rows]), np.column_stack([sets, named[self.written]])]
        )
        _, same = np.unique(stacked, axis=0, return_inverse=True)
        lines = mark(same[: len(mask)][mask], len(stacked))[same[len(mask) :]]
        place = np.cumsum(lines) - 1
        return replace(
            self,
            starts=starts_of(mask)[self.starts],
            rows=self.rows[mask],
            firsts=place[self.firsts[mask]],
            written=self.written[lines],
            written_starts=starts_of(lines)[self.written_starts],
            datatypes=self.datatypes[lines],
            weights=self.weights[mask],
            input_rows=rows_kept(self.input_rows, mask),
        )
