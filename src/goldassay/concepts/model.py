"""The model of the concept family: documents, and the unique concepts of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.concepts.formats.trees import SEPARATOR, paths_of
from goldassay.core.content import Content, TextRows
from goldassay.core.errors import InputError
from goldassay.core.intern import Names, StringArray, number_columns, sort_rows, string_array
from goldassay.core.items import list_documents, list_rows
from goldassay.core.model import InputRows, Provenance, row_column, rows_kept
from goldassay.kernels.ragged import mark, places_of, run_heads, starts_of

NOWHERE = -1
NO_SPANS = np.zeros((0, 2), dtype=np.int64)
OnUnpaired: TypeAlias = Literal["empty", "error"]


class Mention(NamedTuple):
    """A concept found in a document."""

    key: str  # the key that identifies a concept: the id, or the text if there is no id
    name: str  # the text that represents its meaning
    id: str = ""  # its id; empty if it has none
    start: int = NOWHERE  # where it begins in the text, in characters; -1 if its place is unknown
    end: int = NOWHERE  # where it ends
    # its assertion in the text, such as ``negated``; several in alphabetical order, separated by commas; empty if it is
    # affirmed
    assertion: str = ""
    value: str = ""  # the value of a number with its unit; empty if it has none
    kinds: str = ""  # its semantic types, such as ``T047``, separated by commas; empty if they are not known
    way: int = 0  # in which ways the text differs from the name, a bit for each of `concepts.texts.variants.WAYS`

    @classmethod
    def given(cls, name: str, identifier: str = "") -> Mention:
        """Build a concept from given values."""
        return cls(identifier or name, name, identifier)

    @property
    def word(self) -> Word:
        """Its columns without its place."""
        return (self.key, self.name, self.id, self.assertion, self.value, self.kinds)


@dataclass(frozen=True, eq=False, kw_only=True)
class Positions:
    """Positions of concepts in the texts, in the order of the documents and then of the text."""

    items: NDArray[np.int64]  # row of the concept, int64, shape (mentions,)
    spans: NDArray[np.int64]  # begin and end in the text, in characters, int64, shape (mentions, 2)
    # in which ways the text there differs from the name, int64, shape (mentions,); None if in none
    ways: NDArray[np.int64] | None = None


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Concepts(Provenance):
    """Documents, and the concepts of each, in alphabetical order of their assertions, values and keys.

    Each document has a concept once for each of its assertions there.

    Attributes:
        ids: Names of the documents, unique, shape (documents,).
        starts: The concepts of document d are the rows ``starts[d]:starts[d + 1]``, int64, shape (documents + 1,).
        words: Row of ``keys``, ``names`` and ``concept_ids`` for each concept, int64, shape (concepts,).
        keys: The keys that identify concepts, shape (words,).
        names: The texts that represent the meanings, shape (words,).
        concept_ids: Ids of concepts, empty where there are none, shape (words,).
        assertions: Assertions of concepts, such as ``negated``; empty where they are affirmed, shape (words,).
        values: Amounts of numbers with units; empty for others, shape (words,).
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

    ids: Names
    starts: NDArray[np.int64]
    words: NDArray[np.int64]
    keys: Names
    names: Names
    concept_ids: StringArray
    assertions: StringArray
    values: StringArray
    kinds: StringArray
    texts: StringArray
    mentions: Positions
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
            UsageError: If a concept is neither a text nor a text with an id.
        """
        rows = partial(
            list_rows, lengths=(1, 2), texts=2, expected="a text, or (text, id)", kind="concepts", absent=True
        )
        listed = list_documents(documents, kind="concepts")
        return lay_out(
            (name, "", [Mention.given(*row) for row in rows(some, of=f" of {name}")]) for name, some in listed
        )

    @classmethod
    def from_trees(cls, documents: Mapping[str, Any], *, separator: str = SEPARATOR) -> Concepts:
        """Build documents from trees, whose concepts are their paths from the root to the leaves.

        Args:
            documents: The tree of each document by its id, as `goldassay.concepts.formats.trees.paths_of` takes it.
            separator: Separator between two nodes of a path.

        Raises:
            InputError: If a tree cannot be read.

        Example:
            >>> concepts = Concepts.from_trees({"d1": {"Stop smoking": ["it harms", "it costs"]}})
            >>> [concepts.item(row) for row in range(len(concepts))]
            ['d1: Stop smoking it costs', 'd1: Stop smoking it harms']
        """
        try:
            lists = [
                (name, "", list(map(Mention.given, paths_of(tree, separator)))) for name, tree in documents.items()
            ]
        except (ValueError, TypeError) as error:
            raise InputError(
                "A tree cannot be read.", found=str(error), expected="nodes with texts and children"
            ) from error
        return replace(lay_out(lists), choices={"concepts": f"paths:{separator!r}"})

    def __len__(self) -> int:
        return len(self.words)

    @property
    def content(self) -> Sequence[Content]:
        """The documents, the concepts of each, and where these are."""
        documents, mentions = self.documents(), self.mentions
        placed = documents[mentions.items]
        columns = (self.keys, self.concept_ids, self.assertions, self.values, self.kinds)
        words = [TextRows(column, self.words) for column in columns]
        where = [TextRows(self.ids, placed), TextRows(self.keys, self.words[mentions.items]), *mentions.spans.T]
        return [[self.ids], [TextRows(self.ids, documents), *words], where]

    def item(self, row: int) -> str:
        """Return the display name of one concept: its document and its text."""
        document = int(np.searchsorted(self.starts, row, side="right")) - 1
        return f"{self.ids[document]}: {self.title(row)}"

    def identifiers(self, rows: NDArray[np.int64]) -> dict[str, list[str]]:
        """List the rows of the input and the documents of some concepts, their texts, and their ids and assertions, if there are some."""
        words = self.words[rows]
        known = {"id": self.concept_ids, "assertion": self.assertions, "value": self.values}
        documents = np.searchsorted(self.starts, rows, side="right") - 1
        return {
            **row_column(self.input_rows, documents),
            "document": self.ids[documents].tolist(),
            "text": self.names[words].tolist(),
            **{name: column[words].tolist() for name, column in known.items() if (column != "").any()},
        }

    def title(self, row: int) -> str:
        """Return the text of one concept with its assertion.

        Example:
            >>> concepts = lay_out([("d1", "", [Mention("fever", "fever", assertion="negated")])])
            >>> concepts.title(0)
            'fever (negated)'
        """
        word = self.words[row]
        return f"{self.names[word]} ({self.assertions[word]})" if self.assertions[word] else str(self.names[word])

    def found(self, document: int) -> list[Mention]:
        """List the concepts of a document, each without its places."""
        columns = (self.keys, self.names, self.concept_ids, self.assertions, self.values, self.kinds)
        words = self.words[self.starts[document] : self.starts[document + 1]]
        rows = zip(*(column[words].tolist() for column in columns), strict=True)
        return [
            Mention(key, name, one, assertion=assertion, value=value, kinds=kinds)
            for key, name, one, assertion, value, kinds in rows
        ]

    @cached_property
    def states_nothing(self) -> bool:
        """Whether no concept has an assertion or a value."""
        return not (self.assertions != "").any() and not (self.values != "").any()

    @cached_property
    def only_named(self) -> bool:
        """Whether concepts differ only by their names."""
        return self.states_nothing and self.keys.listed == self.names.listed

    def without(self, *, assertions: bool = False, values: bool = False) -> Concepts:
        """Return the documents with each concept once, without its assertions or its values.

        Args:
            assertions: Whether to drop assertions.
            values: Whether to drop values; numbers still differ by their keys.

        Example:
            >>> twice = [Mention("fever", "fever", assertion="negated"), Mention("fever", "fever")]
            >>> len(lay_out([("d1", "", twice)])), len(lay_out([("d1", "", twice)]).without(assertions=True))
            (2, 1)
        """
        assertions, values = (
            assertions and bool((self.assertions != "").any()),
            values and bool((self.values != "").any()),
        )
        if not assertions and not values:
            return self
        change: dict[str, Any] = {**({"assertion": ""} if assertions else {}), **({"value": ""} if values else {})}
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

    def relaid(self, documents: Iterable[tuple[str, str, Sequence[Mention]]]) -> Concepts:
        """Return the documents with other concepts."""
        laid = lay_out(documents)
        return replace(
            self,
            starts=laid.starts,
            words=laid.words,
            keys=laid.keys,
            names=laid.names,
            concept_ids=laid.concept_ids,
            assertions=laid.assertions,
            values=laid.values,
            kinds=laid.kinds,
            mentions=laid.mentions,
        )

    def take(self, mask: NDArray[np.bool_]) -> Concepts:
        """Keep some concepts, and all documents.

        Args:
            mask: Whether each concept stays, bool, shape (concepts,).
        """
        stay = mask[self.mentions.items]
        ways = None if self.mentions.ways is None else self.mentions.ways[stay]
        items = (np.cumsum(mask) - 1)[self.mentions.items[stay]]
        mentions = Positions(items=items, spans=self.mentions.spans[stay], ways=ways)
        return replace(self, words=self.words[mask], starts=starts_of(mask)[self.starts], mentions=mentions)

    def without_empty_documents(self) -> Concepts:
        """Leave out the documents without concepts."""
        rows = np.flatnonzero(np.diff(self.starts))
        starts, kept = self.starts[np.append(0, rows + 1)], rows_kept(self.input_rows, rows)
        return replace(self, ids=self.ids.take(rows), texts=self.texts[rows], starts=starts, input_rows=kept)

    def rows_of(self, document: int) -> range:
        """List the concepts of a document."""
        return range(int(self.starts[document]), int(self.starts[document + 1]))

    def documents(self) -> NDArray[np.int64]:
        """Return the document of each concept, int64, shape (concepts,)."""
        return np.arange(len(self.ids)).repeat(self.starts[1:] - self.starts[:-1])


Word: TypeAlias = tuple[str, str, str, str, str, str]
"""Key, name, id, assertion, value and semantic types of a concept."""


class RawConcepts(NamedTuple):
    """The concepts of documents as read, one after the other."""

    sizes: NDArray[np.int64]  # how many each document has, int64, shape (documents,)
    codes: NDArray[np.integer[Any]]  # the row of each concept among the words, whole numbers, shape (concepts,)
    # the columns of a `Word`; a column that is empty for all words may have length 0, and a word may occur twice
    words: Sequence[Names]
    # begin and end of each concept, -1 if it has no place, int64, shape (concepts, 2); None if none has one
    spans: NDArray[np.int64] | None = None
    # in which ways each differs from its name, int64, shape (concepts,); None if none does
    ways: NDArray[np.int64] | None = None

    @classmethod
    def of(cls, documents: Iterable[Sequence[Mention]]) -> RawConcepts:
        """Concatenate the concepts of documents."""
        sizes: list[int] = []
        every: list[Mention] = []
        for some in documents:
            sizes.append(len(some))
            every += some
        words, [codes] = number_columns([one.word for one in every])
        keys, names, *others = map(list, zip(*words, strict=True)) if words else [[]] * len(Mention.given("").word)
        spans = np.array([(one.start, one.end) for one in every], dtype=np.int64).reshape(-1, 2)
        columns = [Names(keys), Names(names), *(Names(column if any(column) else ()) for column in others)]
        ways = np.array([one.way for one in every], dtype=np.int64)
        return cls(np.array(sizes, dtype=np.int64), codes, columns, spans, ways if ways.any() else None)

    @property
    def owners(self) -> NDArray[np.int64]:
        """The document of each concept, int64, shape (concepts,)."""
        return np.arange(len(self.sizes)).repeat(self.sizes)

    def only(self, documents: NDArray[np.int64]) -> RawConcepts:
        """Keep the concepts of some documents, in their order."""
        kept = mark(documents, len(self.sizes))
        here = np.repeat(kept, self.sizes)
        spans = None if self.spans is None else self.spans[here]
        ways = None if self.ways is None else self.ways[here]
        return self._replace(sizes=self.sizes[kept], codes=self.codes[here], spans=spans, ways=ways)


def lay_out(documents: Iterable[tuple[str, str, Sequence[Mention]]]) -> Concepts:
    """Arrange documents in columns."""
    listed = list(documents)
    ids = [name for name, _, _ in listed]
    name, often = next(iter(Counter(ids).most_common(1)), ("", 0))
    if often > 1:
        raise InputError("Two documents have the same id.", found=repr(name), expected="a unique id for each document")
    return build_concepts(ids, [text for _, text, _ in listed], RawConcepts.of(some for _, _, some in listed))


def build_concepts(
    ids: Sequence[str], texts: Sequence[str], stated: RawConcepts, *, input_rows: InputRows = None
) -> Concepts:
    """Arrange documents, of which some texts may be empty."""
    columns, concept_of, word_of = _rank_words(stated.words, stated.codes)
    # Of several names of one concept the alphabetically first is used, so that order never changes a value.
    base, owners = max(1, len(concept_of)), stated.owners * max(1, len(concept_of))
    rows = word_of[stated.codes]
    every = np.sort(owners + rows)
    word = every % base
    held = every - word + concept_of[word]
    once = run_heads(held)
    word, held = word[once], held[once]
    used = np.bincount(word, minlength=base).nonzero()[0]
    place = places_of(used, base)
    if len(used) < len(concept_of):
        columns = [column.take(used) for column in columns]
    keys, names, (concept_ids, assertions, values, kinds) = *columns[:2], (column.array for column in columns[2:])
    starts = held.searchsorted(np.arange(len(ids) + 1) * base)
    duplicates, mentions = len(every) - len(held), Positions(items=np.zeros(0, dtype=np.int64), spans=NO_SPANS)
    if stated.spans is not None and (placed := stated.spans[:, 0] != NOWHERE).any():
        concepts = owners + concept_of[rows]
        duplicates = int((~placed).sum()) - len(np.unique(concepts[~placed]))
        ways = None if stated.ways is None else stated.ways[placed]
        mentions = Positions(items=np.searchsorted(held, concepts[placed]), spans=stated.spans[placed], ways=ways)
    return Concepts(
        ids=Names(list(ids)),
        starts=starts,
        words=place[word],
        keys=keys,
        names=names,
        concept_ids=concept_ids,
        assertions=assertions,
        values=values,
        kinds=kinds,
        texts=string_array(texts) if any(texts) else np.zeros(len(texts), dtype=np.dtypes.StringDType()),
        mentions=mentions,
        input_rows=input_rows,
        left_out={"duplicates": duplicates} if duplicates else {},
        facts={
            "documents": len(ids),
            "distinct_concepts": len(used),
            "documents_without_concepts": int(np.count_nonzero(starts[1:] == starts[:-1])),
        },
    )


def _rank_words(
    words: Sequence[Names], codes: NDArray[np.integer[Any]]
) -> tuple[list[Names], NDArray[np.int64], NDArray[np.int64]]:
    """Sort the words that occur by assertion, value and key, and then by the other columns."""
    size = len(words[0])
    used = np.bincount(codes, minlength=size).nonzero()[0]
    is_named = words[1] is words[0] or words[1].listed == words[0].listed
    columns = [words[0], Names(()) if is_named else words[1], *words[2:]]
    if len(used) < size:
        columns = [column.take(used) if len(column) else column for column in columns]
    keys, names, concept_ids, assertions, values, kinds = columns
    order = sort_rows(*filter(len, (assertions, values)), keys, *filter(len, (names, concept_ids, kinds)))
    columns = [column.take(order) if len(column) else column for column in columns]
    # A column that is empty for all words changes nowhere.
    new = {at: column.changes() for at, column in enumerate(columns) if at == 0 or len(column)}
    differ = is_other = new[0]
    if len(new) > 1:
        differ = np.logical_or.reduce(list(new.values()))
        is_other = np.logical_or.reduce([new[at] for at in (0, 3, 4) if at in new])
    place = np.zeros(size, dtype=np.int64)
    place[used[order]] = differ.cumsum() - 1
    (rows,) = differ.nonzero()
    empty = Names(np.zeros(len(rows), dtype=np.dtypes.StringDType()))
    kept = [column if len(rows) == len(column) else column.take(rows) if len(column) else empty for column in columns]
    if is_named:
        kept[1] = kept[0]
    return kept, (is_other.cumsum() - 1)[rows], place
