"""What readers give: documents as they were read, one by one, or many at once where they are regular."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.core.counts import FloatArray
from goldassay.core.errors import InputError
from goldassay.core.model import NO_ROW
from goldassay.formats.quoted import Codes

Numbers: TypeAlias = NDArray[np.int64]
SLOTS = ("subject", "predicate", "object")
CORPUS = "corpus"
UNWEIGHTED = 1.0


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


class Batch(NamedTuple):
    """Documents read at once, each with one set of triples.

    Attributes:
        ids: Their ids.
        texts: Their texts; empty where there is none.
        lines: Their lines in the file.
        sizes: The number of triples of each, int64, shape (documents,).
        slots: Subject, predicate and object of each triple, one after the other.
        rows: The row or line of the input that each triple stands in, from 0, int64, shape (triples,); None if they have none.
        weights: The weight of each triple, float64; None if they have none.
        datatypes: The datatypes of objects; None if they have none.
        unreadable: The documents of which something could not be read, bool, shape (documents,); None for none.
    """

    ids: Sequence[str]
    texts: Sequence[str]
    lines: Sequence[int | None]
    sizes: Numbers
    slots: Codes
    rows: Numbers | None = None
    weights: FloatArray | None = None
    datatypes: Codes | None = None
    unreadable: NDArray[np.bool_] | None = None

    def answers(self) -> Iterator[Answer]:
        """Give the documents one by one."""
        cells = map(self.slots.names.__getitem__, self.slots.codes.tolist())
        kinds = repeat("") if self.datatypes is None else map(self.datatypes.names.__getitem__, self.datatypes.codes)
        weights = repeat(UNWEIGHTED) if self.weights is None else iter(self.weights.tolist())
        good = [True] * len(self.ids) if self.unreadable is None else (~self.unreadable).tolist()
        rows = () if self.rows is None else self.rows.tolist()
        start = 0
        for name, text, line, size, readable in zip(
            self.ids, self.texts, self.lines, self.sizes.tolist(), good, strict=True
        ):
            some = [Statement(next(cells), next(cells), next(cells), next(kinds), next(weights)) for _ in range(size)]
            yield Answer(name, [some], text, {}, line, readable, rows=rows[start : start + size])
            start += size


def one_by_one(read: Iterable[Answer | Batch]) -> Iterator[Answer]:
    """Give all documents one by one.

    Example:
        >>> [answer.id for answer in one_by_one([Answer("a", [[]])])]
        ['a']
    """
    for one in read:
        if isinstance(one, Batch):
            yield from one.answers()
        else:
            yield one


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
    rows: list[int] = []
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
        some = [one for statements_of_set in answer.sets for one in statements_of_set]
        statements += some
        rows += answer.rows or [NO_ROW] * len(some)
        texts += [answer.text] if answer.text else []
        types.update(answer.types)
        readable &= answer.readable
    return [Answer(CORPUS, [statements], "\n".join(texts), types, None, readable, rows)]
