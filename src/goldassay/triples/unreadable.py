"""Which documents the script of EDC leaves out on both sides."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from goldassay.core.documents import DocumentPairs
from goldassay.core.matching import NONE_MET
from goldassay.triples.model import Triples


def dropped(pred: Triples, gold: Triples, pairs: DocumentPairs, *, max_length_diff: int = -1) -> Iterator[int]:
    """List the pairs of documents that the script leaves out.

    Example:
        >>> gold = Triples.from_lists({"a": [("x", "r", "y")], "b": []})
        >>> pred = Triples.from_lists({"a": [], "b": []})
        >>> from goldassay.triples.pairing import paired
        >>> list(dropped(pred, gold, paired(pred=pred, gold=gold), max_length_diff=0))
        [0]
    """
    typed = np.zeros(len(pred.ids), dtype=np.bool_)
    lines = np.repeat(np.arange(len(pred.ids)), np.diff(pred.written_starts))
    typed[lines[pred.datatypes != ""]] = True
    sizes = np.diff(pred.written_starts), np.diff(gold.written_starts)
    for pair, (here, there) in enumerate(zip(pairs.pred.tolist(), pairs.gold.tolist(), strict=True)):
        if here != NONE_MET and (pred.unreadable[here] or typed[here]):
            yield pair
        elif max_length_diff >= 0:
            counts = (0 if one == NONE_MET else int(size[one]) for one, size in ((here, sizes[0]), (there, sizes[1])))
            if abs(next(counts) - next(counts)) > max_length_diff:
                yield pair
