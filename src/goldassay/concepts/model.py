"""The model of the concept family: documents, and the unique concepts of each."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.concepts.trees import SEPARATOR, paths_of
from goldassay.core.context import StringArray, string_array
from goldassay.core.errors import InputError
from goldassay.core.model import InputRows, Read, row_column

NOWHERE = -1
OnUnpaired: TypeAlias = Literal["empty", "error"]


class Found(NamedTuple):
    """A concept found in a document.

    Attributes:
        key: The key that identifies a concept: the id, or the text if there is no id.
        name: The text that represents its meaning.
        id: Its id; empty if it has none.
        start: Where it begins in the text, in characters; -1 if it was given and not found.
        end: Where it ends.
        said: What the text says of it, such as ``negated``, in alphabetical order, separated by commas; empty if it is
            stated without more.
        value: The value of a number with its unit; empty if it has none.
        kinds: Its semantic types, such as ``T047``, separated by commas; empty if they are not known.
    """

    key: str
    name: str
    id: str = ""
    start: int = NOWHERE
    end: int = NOWHERE
    said: str = ""
    value: str = ""
    kinds: str = ""

    @classmethod
    def given(cls, name: str, identifier: str = "") -> Found:
        """Build a concept from given values.

        Example:
            >>> Found.given("aspirin").key, Found.given("aspirin", "CHEBI:15365").key
            ('aspirin', 'CHEBI:15365')
        """
        return cls(identifier or name, name, identifier)


@dataclass(frozen=True, eq=False, kw_only=True)
class Mentions:
    """Positions of concepts in the texts, in the order of the documents and then of the text.

    Attributes:
        items: Row of the concept, int64, shape (mentions,).
        spans: Begin and end in the text, in characters, int64, shape (mentions, 2).
    """

    items: NDArray[np.int64]
    spans: NDArray[np.int64]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Concepts(Read):
    """Documents, and the concepts of each, in alphabetical order of what is said of them, their values and their keys.

    Every concept is there once per document, or as often as different things are said of it there.

    Attributes:
        ids: Names of the documents, unique, shape (documents,).
        starts: The concepts of document d are the rows ``starts[d]:starts[d + 1]``, int64, shape (documents + 1,).
        words: Row of ``keys``, ``names`` and ``concept_ids`` for each concept, int64, shape (concepts,).
        keys: The keys that identify concepts, shape (words,).
        names: The texts that represent the meanings, shape (words,).
        concept_ids: Ids of concepts, empty where there are none, shape (words,).
        said: What is said of concepts, such as ``negated``; empty where they are stated without more, shape (words,).
        values: What numbers with units amount to; empty for others, shape (words,).
        kinds: Semantic types of concepts, empty where they are not known, shape (words,).
        texts: The documents themselves, empty where only concepts are given, shape (documents,).
        mentions: The positions of the concepts in the texts.
        input_rows: The row or line of the input that has each document, int64, shape (documents,); None if it has no rows.
        on_unpaired: How to treat a document without a counterpart on the other side: as paired with ``empty``, or as an
            ``error``.

    Example:
        >>> concepts = Concepts.from_lists([("d1", ["heart attack", "aspirin", "aspirin"]), ("d2", [])])
        >>> len(concepts), concepts.item(0), concepts.left_out
        (2, 'd1: aspirin', {'duplicates': 1})
    """

    ids: StringArray
    starts: NDArray[np.int64]
    words: NDArray[np.int64]
    keys: StringArray
    names: StringArray
    concept_ids: StringArray
    said: StringArray
    values: StringArray
    kinds: StringArray
    texts: StringArray
    mentions: Mentions
    input_rows: InputRows = None
    on_unpaired: OnUnpaired = "empty"
    choices: Mapping[str, str] = field(default_factory=lambda: {"concepts": "given"})

    @classmethod
    def from_lists(
        cls,
        documents: Mapping[str, Sequence[str | tuple[str, str]]]
        | Iterable[tuple[str, Sequence[str | tuple[str, str]]]],
    ) -> Concepts:
        """Build documents from lists of concepts; a concept that occurs twice in a document counts once.

        Args:
            documents: The concepts of each document by its id, each concept a text, or a text and an id.

        Returns:
            The documents, in their order.

        Raises:
            InputError: If two documents have the same id.
        """
        pairs = documents.items() if isinstance(documents, Mapping) else documents
        return lay_out(
            (name, "", [Found.given(one) if isinstance(one, str) else Found.given(*one) for one in some])
            for name, some in pairs
        )

    @classmethod
    def from_trees(cls, documents: Mapping[str, Any], *, separator: str = SEPARATOR) -> Concepts:
        """Build documents from trees, whose concepts are their paths from the root to the leaves.

        Args:
            documents: The tree of each document by its id, as `goldassay.concepts.trees.paths_of` takes it.
            separator: What stands between two nodes of a path.

        Raises:
            InputError: If it is no tree.

        Example:
            >>> concepts = Concepts.from_trees({"d1": {"Stop smoking": ["it harms", "it costs"]}})
            >>> [concepts.item(row) for row in range(len(concepts))]
            ['d1: Stop smoking it costs', 'd1: Stop smoking it harms']
        """
        try:
            lists = [(name, "", list(map(Found.given, paths_of(tree, separator)))) for name, tree in documents.items()]
        except (ValueError, TypeError) as error:
            raise InputError(
                "A tree cannot be read.", found=str(error), expected="nodes with texts and children"
            ) from error
        return replace(lay_out(lists), choices={"concepts": f"paths:{separator!r}"})

    def __len__(self) -> int:
        return len(self.words)

    def item(self, row: int) -> str:
        """Return the display name of one concept: its document and its text."""
        document = int(np.searchsorted(self.starts, row, side="right")) - 1
        return f"{self.ids[document]}: {self.title(row)}"

    def identifiers(self, rows: NDArray[np.int64]) -> dict[str, list[str]]:
        """List the rows of the input and the documents of some concepts, their texts, and their ids, if there are some."""
        words = self.words[rows]
        ids = {"id": self.concept_ids[words].tolist()} if (self.concept_ids != "").any() else {}
        documents = np.searchsorted(self.starts, rows, side="right") - 1
        return {
            **row_column(self.input_rows, documents),
            "document": self.ids[documents].tolist(),
            "text": self.names[words].tolist(),
            **ids,
        }

    def title(self, row: int) -> str:
        """Return the text of one concept, and what is said of it.

        Example:
            >>> concepts = lay_out([("d1", "", [Found("fever", "fever", said="negated")])])
            >>> concepts.title(0)
            'fever (negated)'
        """
        word = self.words[row]
        return f"{self.names[word]} ({self.said[word]})" if self.said[word] else str(self.names[word])

    def found(self, document: int) -> list[Found]:
        """List the concepts of a document, each without its places."""
        columns = (self.keys, self.names, self.concept_ids, self.said, self.values, self.kinds)
        words = self.words[self.starts[document] : self.starts[document + 1]]
        rows = zip(*(column[words].tolist() for column in columns), strict=True)
        return [
            Found(key, name, one, said=said, value=value, kinds=kinds) for key, name, one, said, value, kinds in rows
        ]

    @cached_property
    def states_nothing(self) -> bool:
        """Whether nothing is said of any concept, and none has a value."""
        return not (self.said != "").any() and not (self.values != "").any()

    @cached_property
    def only_named(self) -> bool:
        """Whether concepts differ by their names alone."""
        return self.states_nothing and bool((self.keys == self.names).all())

    def without(self, *, said: bool = False, values: bool = False) -> Concepts:
        """Return the documents with each concept once, whatever is said of it or whatever its value is.

        Args:
            said: Whether to forget what is said of concepts.
            values: Whether to forget values; numbers stay apart by their keys.

        Example:
            >>> twice = [Found("fever", "fever", said="negated"), Found("fever", "fever")]
            >>> len(lay_out([("d1", "", twice)])), len(lay_out([("d1", "", twice)]).without(said=True))
            (2, 1)
        """
        said, values = said and bool((self.said != "").any()), values and bool((self.values != "").any())
        if not said and not values:
            return self
        change = {**({"said": ""} if said else {}), **({"value": ""} if values else {})}
        items, spans = self.mentions.items.tolist(), self.mentions.spans.tolist()
        placed: dict[int, list[list[int]]] = {}
        for item, span in zip(items, spans, strict=True):
            placed.setdefault(item, []).append(span)
        documents = []
        for row, (name, text) in enumerate(zip(self.ids.tolist(), self.texts.tolist(), strict=True)):
            some = zip(self.rows_of(row), self.found(row), strict=True)
            documents.append((name, text, [
                one._replace(start=start, end=end, **change)
                for item, one in some
                for start, end in placed.get(item, [[NOWHERE, NOWHERE]])
            ]))  # fmt: skip
        return self.relaid(documents)

    def relaid(self, documents: Iterable[tuple[str, str, Sequence[Found]]]) -> Concepts:
        """Return the documents with other concepts.

        Args:
            documents: Id, text and concepts of each document, in their order.
        """
        laid = lay_out(documents)
        return replace(
            self,
            starts=laid.starts,
            words=laid.words,
            keys=laid.keys,
            names=laid.names,
            concept_ids=laid.concept_ids,
            said=laid.said,
            values=laid.values,
            kinds=laid.kinds,
            mentions=laid.mentions,
        )

    def rows_of(self, document: int) -> range:
        """List the concepts of a document."""
        return range(int(self.starts[document]), int(self.starts[document + 1]))

    def documents(self) -> NDArray[np.int64]:
        """Return the document of each concept, int64, shape (concepts,)."""
        return np.repeat(np.arange(len(self.ids)), np.diff(self.starts))


Word: TypeAlias = tuple[str, str, str, str, str, str]
"""Key, name, id, what is said, value and semantic types of a concept."""
WORD_FIELDS = 6


@dataclass(eq=False)
class _Columns:
    """Columns while documents are laid out."""

    ids: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    ends: list[int] = field(default_factory=lambda: [0])
    words: array[int] = field(default_factory=lambda: array("q"))
    known: dict[Word, int] = field(default_factory=dict)
    mentioned: array[int] = field(default_factory=lambda: array("q"))
    spans: array[int] = field(default_factory=lambda: array("q"))
    duplicates: int = 0

    def add(self, name: str, text: str, found: Sequence[Found]) -> None:
        """Add one document."""
        # Of several names of one concept the alphabetically first is used, so that order never changes a value.
        unique: dict[tuple[str, str, str], Word] = {}
        placed = False
        for key, label, identifier, start, _, said, value, kinds in found:
            identity, word = (said, value, key), (key, label, identifier, said, value, kinds)
            known = unique.setdefault(identity, word)
            if word < known:
                unique[identity] = word
            placed = placed or start != NOWHERE
        order, begin = sorted(unique), len(self.words)
        self.words.extend([self.known.setdefault(unique[identity], len(self.known)) for identity in order])
        if placed:
            self._place(found, {identity: row for row, identity in enumerate(order, begin)})
        else:
            self.duplicates += len(found) - len(unique)
        self.ids.append(name)
        self.texts.append(text)
        self.ends.append(len(self.words))

    def _place(self, found: Sequence[Found], rows: Mapping[tuple[str, str, str], int]) -> None:
        """Add where the concepts of a document stand."""
        given = []
        for one in found:
            identity = (one.said, one.value, one.key)
            if one.start == NOWHERE:
                given.append(identity)
            else:
                self.mentioned.append(rows[identity])
                self.spans.extend((one.start, one.end))
        self.duplicates += len(given) - len(set(given))


def lay_out(documents: Iterable[tuple[str, str, Sequence[Found]]]) -> Concepts:
    """Arrange documents in columns.

    Args:
        documents: Id, text and concepts of each document.

    Returns:
        The documents, in their order; ``left_out`` counts concepts that were given twice, ``facts`` the documents.

    Raises:
        InputError: If two documents have the same id.

    Example:
        >>> lay_out([("d1", "Aspirin!", [Found("aspirin", "aspirin", "", 0, 7)])]).mentions.spans.tolist()
        [[0, 7]]
    """
    columns = _Columns()
    for name, text, found in documents:
        columns.add(name, text, found)
    name, often = next(iter(Counter(columns.ids).most_common(1)), ("", 0))
    if often > 1:
        raise InputError("Two documents have the same id.", found=repr(name), expected="a unique id for each document")
    return _made(
        ids=columns.ids,
        texts=string_array(columns.texts),
        starts=np.array(columns.ends, dtype=np.int64),
        words=np.array(columns.words, dtype=np.int64),
        known=[string_array([word[place] for word in columns.known]) for place in range(WORD_FIELDS)],
        mentions=Mentions(
            items=np.array(columns.mentioned, dtype=np.int64),
            spans=np.array(columns.spans, dtype=np.int64).reshape(-1, 2),
        ),
        duplicates=columns.duplicates,
    )


def laid_out(
    ids: Sequence[str],
    sizes: NDArray[np.int64],
    rows: NDArray[np.int64],
    keys: Sequence[str],
    names: Sequence[str],
) -> Concepts:
    """Arrange documents of given texts that are numbered already, as `lay_out` does.

    Args:
        ids: Their ids, all different.
        sizes: How many concepts each has, int64, shape (documents,).
        rows: The row of ``keys`` and ``names`` of each concept, document by document, int64, shape (concepts,).
        keys: The keys of the distinct concepts; the same list as ``names`` where each is its own key.
        names: Their texts.

    Example:
        >>> concepts = laid_out(["d"], np.array([3]), np.array([1, 0, 1]), ["x", "y"], ["x", "y"])
        >>> [concepts.item(row) for row in range(len(concepts))], concepts.left_out
        (['d: x', 'd: y'], {'duplicates': 1})
    """
    import polars as pl

    told = {"name": names} if keys is names else {"key": keys, "name": names}
    sorting = pl.DataFrame(told, schema=dict.fromkeys(told, pl.String))
    order = sorting.select(pl.arg_sort_by(*told)).to_series().to_numpy().astype(np.int64)
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    in_order = order.tolist()
    sorted_names = string_array([names[row] for row in in_order])
    sorted_keys = sorted_names if keys is names else string_array([keys[row] for row in in_order])
    key = np.zeros(len(order), dtype=np.int64)
    np.cumsum(sorted_keys[1:] != sorted_keys[:-1], out=key[1:])
    base = max(1, len(order))
    placed = np.sort(np.repeat(np.arange(len(ids)), sizes) * base + rank[rows])
    document, word = np.divmod(placed, base)
    once = np.ones(len(placed), dtype=np.bool_)
    once[1:] = (document[1:] != document[:-1]) | (key[word][1:] != key[word][:-1])
    word = word[once]
    used = np.flatnonzero(np.bincount(word, minlength=base))
    place = np.empty(base, dtype=np.int64)
    place[used] = np.arange(len(used))
    if len(used) < len(order):
        sorted_keys, sorted_names = sorted_keys[used], sorted_names[used]
    nothing = np.zeros(len(used), dtype=np.dtypes.StringDType())
    return _made(
        ids=ids,
        texts=np.zeros(len(ids), dtype=np.dtypes.StringDType()),
        starts=np.searchsorted(document[once], np.arange(len(ids) + 1)),
        words=place[word],
        known=(sorted_keys, sorted_names, *[nothing] * 4),
        mentions=Mentions(items=np.zeros(0, dtype=np.int64), spans=np.zeros((0, 2), dtype=np.int64)),
        duplicates=len(rows) - len(word),
    )


def _made(
    *,
    ids: Sequence[str],
    texts: StringArray,
    starts: NDArray[np.int64],
    words: NDArray[np.int64],
    known: Sequence[StringArray],
    mentions: Mentions,
    duplicates: int,
) -> Concepts:
    """Make a model of its columns; ``known`` are those of the words, as `Word` has them."""
    keys, names, concept_ids, said, values, kinds = known
    return Concepts(
        ids=string_array(ids),
        starts=starts,
        words=words,
        keys=keys,
        names=names,
        concept_ids=concept_ids,
        said=said,
        values=values,
        kinds=kinds,
        texts=texts,
        mentions=mentions,
        left_out={"duplicates": duplicates} if duplicates else {},
        facts={
            "documents": len(ids),
            "distinct_concepts": len(keys),
            "documents_without_concepts": int((np.diff(starts) == 0).sum()),
        },
    )
