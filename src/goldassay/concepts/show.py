"""One document as readable text: both texts with their concepts marked, and the matches between concepts."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from goldassay.concepts.matching import ConceptMatching
from goldassay.concepts.model import Concepts
from goldassay.core.errors import UsageError, nearest
from goldassay.core.matching import NONE_MET, Side, SideName

MET, FAILED = ("{+", "+}"), ("[-", "-]")


def document_lines(matching: ConceptMatching, document: str) -> Iterator[str]:
    r"""Show one document: ``{+met+}`` and ``[-missed or invented-]`` in both texts, then every concept with its verdict.

    Example:
        >>> from goldassay.concepts import ConceptExact
        >>> gold, pred = (Concepts.from_lists([("q1", some)]) for some in (["aspirin", "fever"], ["aspirin"]))
        >>> print("\n".join(document_lines(ConceptExact().score(pred=pred, gold=gold).matching, "q1")))
        gold q1
          {+aspirin+}, [-fever-]
        pred q1
          {+aspirin+}
        <BLANKLINE>
        hit       gold  aspirin = aspirin 1.0000
        missed    gold  fever
        hit       pred  aspirin = aspirin 1.0000
    """
    found = np.flatnonzero(matching.pairs.ids == document)
    if not len(found):
        names = matching.pairs.ids.tolist()
        raise UsageError(
            f"There is no document {document!r}.",
            expected=f"one of {len(names):,} ids, such as {', '.join(names[:3])}",
            hint=nearest(document, names),
        )
    places = {"gold": int(matching.pairs.gold[found[0]]), "pred": int(matching.pairs.pred[found[0]])}
    sides: tuple[SideName, ...] = ("gold", "pred")
    for side in sides:
        yield f"{side} {document}"
        yield "  " + _marked(matching, side, places[side])
    yield ""
    for side in sides:
        yield from _verdicts(matching, side, places[side])


def _half(matching: ConceptMatching, side: SideName) -> tuple[Side, Concepts]:
    return (matching.pred, matching.pred_items) if side == "pred" else (matching.gold, matching.gold_items)


def _marked(matching: ConceptMatching, side: SideName, document: int) -> str:
    half, concepts = _half(matching, side)
    if document == NONE_MET:
        return "(nothing)"
    rows = concepts.rows_of(document)
    text = str(concepts.texts[document])
    mentions = concepts.mentions
    first, last = np.searchsorted(mentions.items, [rows.start, rows.stop]) if len(mentions.items) else (0, 0)
    if first == last:
        return ", ".join(_mark(concepts.title(row), half.credit[row] >= 1) for row in rows) or text
    pieces, done = [], 0
    places = sorted(
        ((*mentions.spans[at].tolist(), int(mentions.items[at])) for at in range(first, last)),
        key=lambda place: (place[0], -place[1], place[2]),
    )
    for start, end, row in places:
        if start >= done:  # else it overlaps a concept that is already marked
            pieces += [text[done:start], _mark(text[start:end], half.credit[row] >= 1)]
            done = end
    return "".join([*pieces, text[done:]])


def _mark(text: str, met: bool) -> str:
    before, after = MET if met else FAILED
    return f"{before}{text}{after}"


def _verdicts(matching: ConceptMatching, side: SideName, document: int) -> Iterator[str]:
    _, concepts = _half(matching, side)
    other = _half(matching, "gold" if side == "pred" else "pred")[1]
    rows = np.array([] if document == NONE_MET else concepts.rows_of(document), dtype=np.int64)
    evidence = matching.evidence(side, rows)
    columns = (
        rows.tolist(),
        matching.verdicts(side, rows),
        evidence.counterpart.tolist(),
        evidence.similarity.tolist(),
    )
    for row, verdict, counterpart, similarity in zip(*columns, strict=True):
        line = f"{verdict:<9} {side}  {concepts.title(row)}"
        if counterpart != NONE_MET:
            line += f" {'=' if verdict == 'hit' else '/'} {other.title(counterpart)} {similarity:.4f}"
        yield line
