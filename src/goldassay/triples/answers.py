"""What readers give: documents as they were read, one by one, or many in columns."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate, chain, count, groupby, islice, repeat
from typing import NamedTuple, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from goldassay.core.counts import FloatArray
from goldassay.core.errors import InputError
from goldassay.core.model import NO_ROW
from goldassay.kernels.ragged import ranges

Numbers: TypeAlias = NDArray[np.int64]
SLOTS = ("subject", "predicate", "object")
CORPUS = "corpus"
UNWEIGHTED = 1.0
MISSING = -1
TOGETHER = 1_000
"""So many documents that are read one by one are put into columns at once."""


class Statement(NamedTuple):
    """A triple as it was written; a slot that is not there is None.

    Attributes:
        subject: Its subject.
        predicate: Its predicate.
        object: Its object.
        datatype: The datatype of the object, empty for a plain text or a thing.
        weight: Its weight, 1 if it has none.
    """

    subject: str | None
    predicate: str | None
    object: str | None
    datatype: str = ""
    weight: float = UNWEIGHTED

    @property
    def whole(self) -> bool:
        """Whether no slot is empty."""
        return all(slot is not None and slot.strip() for slot in self[:3])


class Answer(NamedTuple):
    """One document as it was read.

    Attributes:
        id: Its id.
        sets: Its triples; several sets where a document has several references.
        text: Its text; empty if there is none.
        types: Types of entities by name.
        line: Its line in the file, from 1; None where there are no lines.
        readable: Whether all of its record could be read.
        rows: The row or line of the input that each triple stands in, set by set, from 0, -1 for none; empty if none has one.
    """

    id: str
    sets: Sequence[Sequence[Statement]]
    text: str = ""
    types: Mapping[str, str] = {}
    line: int | None = None
    readable: bool = True
    rows: Sequence[int] = ()


class Texts(defaultdict[str | None, int]):
    """Numbers texts in the order in which they first occur; None, for what is not there, has the number -1.

    Example:
        >>> texts = Texts()
        >>> list(map(texts.__getitem__, ["cat", None, "cat", "dog"])), texts.listed
        ([0, -1, 0, 1], ['cat', 'dog'])
    """

    def __init__(self) -> None:
        super().__init__(count(MISSING).__next__)
        self[None]
        self._first: list[str] = []

    @property
    def listed(self) -> list[str]:
        """The texts, by number."""
        return cast("list[str]", self._first or list(self)[1:])

    def numbers_of_distinct(self, texts: list[str]) -> Numbers:
        """Give the number of each of some texts, of which none stands there twice; the first ones are looked up only if others follow."""
        if len(self) > 1 or self._first:
            return self.numbers(texts)
        self._first = texts
        return np.arange(len(texts))

    def numbers(self, texts: Sequence[str | None]) -> Numbers:
        """Give the number of each text."""
        first, self._first = self._first, []
        deque(map(self.__getitem__, first), maxlen=0)
        return np.fromiter(map(self.__getitem__, texts), dtype=np.int64, count=len(texts))


@dataclass(frozen=True)
class Numbering:
    """The texts of one file, each numbered once.

    Attributes:
        names: Slots of triples, and entities.
        kinds: Types of entities.
        datatypes: Datatypes of objects.
    """

    names: Texts = field(default_factory=Texts)
    kinds: Texts = field(default_factory=Texts)
    datatypes: Texts = field(default_factory=Texts)


class Batch(NamedTuple):
    """Documents in columns.

    Attributes:
        ids: Their ids.
        texts: Their texts; empty where there is none.
        lines: Lists their lines in the file, which are looked for when a message needs one.
        readable: Whether all of each could be read, bool, shape (documents,).
        counts: The number of sets of each, int64, shape (documents,).
        sizes: The number of triples of each set, int64, shape (sets,).
        slots: Subject, predicate and object of each triple, by number, int64, shape (triples, 3).
        rows: The row or line of the input that each triple stands in, from 0, -1 for none, int64, shape (triples,).
        weights: The weight of each triple, float64, shape (triples,).
        datatypes: The datatype of each object, by number, -1 for none, int64, shape (triples,).
        types: Typed entities: document, name and type, int64, shape (typed, 3).
    """

    ids: Sequence[str]
    texts: Sequence[str]
    lines: Callable[[], Sequence[int | None]]
    readable: NDArray[np.bool_]
    counts: Numbers
    sizes: Numbers
    slots: Numbers
    rows: Numbers
    weights: FloatArray
    datatypes: Numbers
    types: Numbers

    def take(self, documents: Numbers) -> Batch:
        """Keep some documents, in the order that is given."""
        sets = ranges((np.cumsum(self.counts) - self.counts)[documents], self.counts[documents])
        some = ranges((np.cumsum(self.sizes) - self.sizes)[sets], self.sizes[sets])
        place = np.full(len(self.ids), MISSING, dtype=np.int64)
        place[documents] = np.arange(len(documents))
        types = np.column_stack([place[self.types[:, 0]], self.types[:, 1:]])
        types = types[types[:, 0] > MISSING]
        return Batch(
            ids=[self.ids[one] for one in documents.tolist()],
            texts=[self.texts[one] for one in documents.tolist()],
            lines=lambda: [lines[one] for lines in [self.lines()] for one in documents.tolist()],
            readable=self.readable[documents],
            counts=self.counts[documents],
            sizes=self.sizes[sets],
            slots=self.slots[some],
            rows=self.rows[some],
            weights=self.weights[some],
            datatypes=self.datatypes[some],
            types=types[np.argsort(types[:, 0], kind="stable")],
        )


def batch_of(answers: Sequence[Answer], numbering: Numbering) -> Batch:
    """Put documents that were read one by one into columns."""
    sets = [some for answer in answers for some in answer.sets]
    stated = list(chain.from_iterable(sets))
    sizes = [sum(map(len, answer.sets)) for answer in answers]
    rows = chain.from_iterable(answer.rows or repeat(NO_ROW, size) for answer, size in zip(answers, sizes, strict=True))
    names, kinds = numbering.names, numbering.kinds
    slots = names.numbers(list(chain.from_iterable(one[:3] for one in stated)))
    types = [(at, names[name], kinds[kind]) for at, answer in enumerate(answers) for name, kind in answer.types.items()]
    return Batch(
        ids=[answer.id for answer in answers],
        texts=[answer.text for answer in answers],
        lines=partial(list, [answer.line for answer in answers]),
        readable=np.array([answer.readable for answer in answers], dtype=np.bool_),
        counts=np.array([len(answer.sets) for answer in answers], dtype=np.int64),
        sizes=np.array(list(map(len, sets)), dtype=np.int64),
        slots=slots.reshape(-1, 3),
        rows=np.fromiter(rows, dtype=np.int64, count=len(stated)),
        weights=np.array([one.weight for one in stated], dtype=np.float64),
        datatypes=numbering.datatypes.numbers([one.datatype or None for one in stated]),
        types=np.array(types, dtype=np.int64).reshape(-1, 3),
    )


def joined(batches: Sequence[Batch]) -> Batch:
    """Put documents behind one another."""
    firsts = accumulate((len(batch.ids) for batch in batches), initial=0)
    types = [
        np.column_stack([batch.types[:, 0] + first, batch.types[:, 1:]])
        for batch, first in zip(batches, firsts, strict=False)
        if len(batch.types)
    ]
    arrays = {
        name: np.concatenate([getattr(batch, name) for batch in batches])
        for name in ("readable", "counts", "sizes", "slots", "rows", "weights", "datatypes")
    }
    return Batch(
        ids=list(chain.from_iterable(batch.ids for batch in batches)),
        texts=list(chain.from_iterable(batch.texts for batch in batches)),
        lines=lambda: list(chain.from_iterable(batch.lines() for batch in batches)),
        **arrays,
        types=np.concatenate([np.zeros((0, 3), dtype=np.int64), *types]),
    )


def gathered(read: Iterable[Answer | Batch], numbering: Numbering) -> Batch:
    """Put all documents of a file into columns, in their order."""
    batches = [batch_of([], numbering)]
    for are_columns, some in groupby(read, key=lambda one: isinstance(one, Batch)):
        if are_columns:
            batches += cast("Iterator[Batch]", some)
        while answers := list(islice(cast("Iterator[Answer]", some), TOGETHER)):
            batches.append(batch_of(answers, numbering))
    return joined(batches)


def last_of_each(batch: Batch) -> Batch:
    """Keep the last document of each id, in the place of the first."""
    last = {name: at for at, name in enumerate(batch.ids)}
    return batch if len(last) == len(batch.ids) else batch.take(np.array(list(last.values()), dtype=np.int64))


def merged(batch: Batch) -> Batch:
    """Merge all documents into one.

    Example:
        >>> numbering = Numbering()
        >>> parts = [Answer("a", [[Statement("x", "r", "y")]]), Answer("b", [[Statement("y", "r", "z")]])]
        >>> merged(batch_of(parts, numbering)).sizes.tolist()
        [2]
    """
    several = np.flatnonzero(batch.counts > 1)
    if len(several):
        raise InputError(
            "Documents with several references cannot be merged into one graph.",
            line=batch.lines()[several[0]],
            found=f"{batch.counts[several[0]]} references of {batch.ids[several[0]]!r}",
            expected="one",
        )
    types = {name: kind for _, name, kind in batch.types.tolist()}
    return batch._replace(
        ids=[CORPUS],
        texts=["\n".join(filter(None, batch.texts))],
        lines=lambda: [None],
        readable=np.array([batch.readable.all()]),
        counts=np.ones(1, dtype=np.int64),
        sizes=np.array([len(batch.slots)]),
        types=np.array([(0, *pair) for pair in types.items()], dtype=np.int64).reshape(-1, 3),
    )
