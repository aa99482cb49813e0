"""Pairing of predicted and gold documents."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goldassay.concepts.model import Concepts
from goldassay.core.context import StringArray, string_array
from goldassay.core.errors import InputError
from goldassay.core.matching import NONE_MET
from goldassay.formats.records import LISTED


@dataclass(frozen=True, eq=False, kw_only=True)
class DocumentPairs:
    """The documents of both sides, paired by id: those of gold in their order, then those found only in the prediction.

    Attributes:
        ids: Names of the documents, shape (pairs,).
        pred: Row of the predicted document, -1 where there is none, int64, shape (pairs,).
        gold: Row of the gold document, -1 where there is none, int64, shape (pairs,).
    """

    ids: StringArray
    pred: NDArray[np.int64]
    gold: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.ids)

    def item(self, row: int) -> str:
        """Return the display name of one document."""
        return str(self.ids[row])

    @property
    def missing(self) -> list[str]:
        """The gold documents without a prediction."""
        names: list[str] = self.ids[self.pred == NONE_MET].tolist()
        return names

    @property
    def surplus(self) -> list[str]:
        """The predicted documents without gold."""
        names: list[str] = self.ids[self.gold == NONE_MET].tolist()
        return names


def paired(*, pred: Concepts, gold: Concepts) -> DocumentPairs:
    """Pair the documents of both sides by id.

    Args:
        pred: The prediction.
        gold: The gold standard.

    Raises:
        InputError: If a document has no counterpart, and either side was read with ``on_unpaired="error"``.

    Example:
        >>> pairs = paired(pred=Concepts.from_lists([("b", []), ("c", [])]), gold=Concepts.from_lists([("a", []), ("b", [])]))
        >>> pairs.ids.tolist(), pairs.pred.tolist(), pairs.gold.tolist(), pairs.surplus
        (['a', 'b', 'c'], [-1, 0, 1], [0, 1, -1], ['c'])
    """
    here = {name: row for row, name in enumerate(pred.ids.tolist())}
    there = {name: row for row, name in enumerate(gold.ids.tolist())}
    names = [*there, *(name for name in here if name not in there)]
    pairs = DocumentPairs(
        ids=string_array(names),
        pred=np.array([here.get(name, NONE_MET) for name in names], dtype=np.int64),
        gold=np.array([there.get(name, NONE_MET) for name in names], dtype=np.int64),
    )
    if "error" in (pred.on_unpaired, gold.on_unpaired) and (pairs.missing or pairs.surplus):
        raise InputError(
            "Some documents have no counterpart.",
            path=pred.path,
            found="; ".join(unpaired(pairs)),
            expected="the same ids on both sides",
            hint="--on-unpaired empty treats missing documents as empty",
        )
    return pairs


def unpaired(pairs: DocumentPairs) -> list[str]:
    """Return which documents have no counterpart.

    Example:
        >>> unpaired(paired(pred=Concepts.from_lists([]), gold=Concepts.from_lists([("a", [])])))
        ['1 gold document has no prediction: a']
    """
    return [
        f"{_counted(len(names), kind)} {lacks}: {', '.join(names[:LISTED])}"
        + (f" and {len(names) - LISTED:,} more" if len(names) > LISTED else "")
        for names, kind, lacks in (
            (pairs.missing, "gold document", "no prediction"),
            (pairs.surplus, "predicted document", "no gold"),
        )
        if names
    ]


def _counted(number: int, kind: str) -> str:
    return f"1 {kind} has" if number == 1 else f"{number:,} {kind}s have"


def ends(concepts: Concepts, documents: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return begin and end of the concepts of documents; a missing document has none.

    Args:
        concepts: The documents.
        documents: Rows of documents, -1 for none, int64, shape (pairs,).

    Returns:
        int64, shape (pairs, 2).

    Example:
        >>> ends(Concepts.from_lists([("a", ["x", "y"])]), np.array([-1, 0])).tolist()
        [[0, 0], [0, 2]]
    """
    there = documents != NONE_MET
    found = np.zeros((len(documents), 2), dtype=np.int64)
    found[there, 0], found[there, 1] = concepts.starts[documents[there]], concepts.starts[documents[there] + 1]
    return found


def comparable(*, pred: Concepts, gold: Concepts, pairs: DocumentPairs) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return begin and end of the concepts that may match: those of one pair of which the same is said, of one value.

    Args:
        pred: The prediction.
        gold: The gold standard.
        pairs: Which documents are compared.

    Returns:
        Two arrays, int64, each of shape (groups, 2), row by row of the same group; nothing else may match.

    Example:
        >>> from goldassay.concepts.model import Found, lay_out
        >>> model = lay_out([("a", "", [Found("x", "x"), Found("y", "y"), Found("x", "x", said="negated")])])
        >>> comparable(pred=model, gold=model, pairs=paired(pred=model, gold=model))[0].tolist()
        [[0, 2], [2, 3]]
    """
    known: dict[tuple[str, str], int] = {}
    stated = [
        np.array(
            [known.setdefault(one, len(known)) for one in zip(model.said.tolist(), model.values.tolist(), strict=True)]
        )
        for model in (pred, gold)
    ]
    sides = []
    for model, rows, kind in ((pred, pairs.pred, stated[0]), (gold, pairs.gold, stated[1])):
        group = pair_of(model, rows) * max(len(known), 1) + kind.astype(np.int64)[model.words]
        begins = np.flatnonzero(np.diff(group, prepend=-1))
        sides.append((group[begins], np.column_stack([begins, np.append(begins, len(group))[1:]])))
    (here, left), (there, right) = sides
    _, ours, theirs = np.intersect1d(here, there, assume_unique=True, return_indices=True)
    return left[ours], right[theirs]


def pair_of(concepts: Concepts, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the pair that each concept is in.

    Args:
        concepts: The documents.
        rows: The document of each pair, -1 for none, int64, shape (pairs,).

    Returns:
        int64, shape (concepts,).

    Example:
        >>> pair_of(Concepts.from_lists([("a", ["x"]), ("b", ["x", "y"])]), np.array([1, -1, 0])).tolist()
        [2, 0, 0]
    """
    pair = np.zeros(len(concepts.ids), dtype=np.int64)
    there = rows != NONE_MET
    pair[rows[there]] = np.flatnonzero(there)
    return pair[concepts.documents()]
