"""Which predicted document answers which gold one, and which names of both sides are one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from goldassay.core import intern
from goldassay.core.documents import DocumentPairs
from goldassay.core.errors import InputError, RecordError
from goldassay.core.matching import SideName
from goldassay.triples.model import Numbers, Triples


def paired(*, pred: Triples, gold: Triples) -> DocumentPairs:
    """Pair the documents of both sides by id; an empty document that gold does not have states nothing and is left out.

    Example:
        >>> pred = Triples.from_lists({"b": [], "c": [("x", "r", "y")], "d": []})
        >>> pairs = paired(pred=pred, gold=Triples.from_lists({"a": [], "b": []}))
        >>> pairs.ids.tolist(), pairs.pred.tolist(), pairs.gold.tolist()
        (['a', 'b', 'c'], [-1, 0, 1], [0, 1, -1])
    """
    _check(pred=pred, gold=gold)
    written = np.diff(pred.starts) + np.diff(pred.written_starts)
    sizes = np.bincount(pred.owners, weights=written, minlength=len(pred.ids)).astype(np.int64)
    return DocumentPairs.by_id(pred=pred.ids, gold=gold.ids).without_empty(sizes)


def _check(*, pred: Triples, gold: Triples) -> None:
    if gold.faults:
        first = gold.faults[0]
        raise RecordError(
            f"Gold cannot be read completely. {first.message}",
            path=first.path,
            line=first.line,
            found=first.found,
            expected=first.expected,
            hint="correct the record: only predictions may have unreadable records",
        )
    several = np.flatnonzero(pred.references > 1)
    if len(several):
        raise InputError(
            "A document of the prediction has several sets of triples.",
            path=pred.path,
            found=f"{pred.references[several[0]]} of {str(pred.ids[several[0]])!r}",
            expected="one; only gold may have several references",
        )


def pairs_of(triples: Triples, pairs: DocumentPairs, *, side: SideName) -> Numbers:
    """Return the pair that each triple of a side is in, int64, shape (triples,)."""
    documents = pairs.pred if side == "pred" else pairs.gold
    return np.repeat(pairs.of(documents, len(triples.ids))[triples.owners], np.diff(triples.starts))


@dataclass(frozen=True, eq=False, kw_only=True)
class Names:
    """The names of both sides, numbered alike."""

    texts: list[str]
    pred: Numbers  # the number of each key
    gold: Numbers


def numbered(*, pred: Triples, gold: Triples) -> Names:
    """Number the names of both sides alike.

    Example:
        >>> a, b = Triples.from_lists({"d": [("x", "r", "y")]}), Triples.from_lists({"d": [("y", "r", "z")]})
        >>> numbered(pred=a, gold=b).gold.tolist()
        [2, 1, 4, 3]
    """
    texts, (here, there) = intern.numbered(pred.keys, gold.keys)
    return Names(texts=list(texts), pred=here.astype(np.int64), gold=there.astype(np.int64))
