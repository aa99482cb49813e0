"""Several sets of expected sentences made one: the wordings that at least so many of them have."""

from __future__ import annotations

from collections.abc import Sequence

from goldassay.core.errors import UsageError
from goldassay.core.golds import sources_of
from goldassay.unl.model import Texts


def merged(golds: Sequence[Texts], least: int) -> Texts:
    """Make one set of sentences, each with the wordings that at least so many golds give it.

    Sentences are the same by id, or by order where ids do not tell them apart. A sentence that is left without a wording
    is left out.

    Example:
        >>> golds = [Texts(ids=("1",), wordings=(("It rains.", "Rain."),)), Texts(ids=("1",), wordings=(("It rains.",),))]
        >>> merged(golds, 1).wordings, merged(golds, 2).wordings
        ((('It rains.', 'Rain.'),), (('It rains.',),))
    """
    by_id = all(len(set(gold.ids)) == len(gold) for gold in golds)
    if not by_id and len({len(gold) for gold in golds}) > 1:
        raise UsageError(
            "The sentences of the golds cannot be told apart.",
            found=f"ids that stand twice, and {' and '.join(str(len(gold)) for gold in golds)} sentences",
            expected="an id of its own for each sentence, or as many sentences in each gold",
        )
    found: dict[str, list[tuple[str, ...]]] = {}
    for gold in golds:
        keys = gold.ids if by_id else tuple(str(row + 1) for row in range(len(gold)))
        for key, wordings in zip(keys, gold.wordings, strict=True):
            found.setdefault(key, []).append(tuple(dict.fromkeys(wordings)))
    shared = {key: _shared(some, least) for key, some in found.items()}
    kept = {key: shared[key] for key in sorted(shared, key=_by_number) if shared[key]}
    return Texts(ids=tuple(kept), wordings=tuple(kept.values()), **sources_of(golds))


def _shared(golds: Sequence[tuple[str, ...]], least: int) -> tuple[str, ...]:
    every = sorted({wording for wordings in golds for wording in wordings})
    return tuple(one for one in every if sum(one in wordings for wordings in golds) >= least)


def _by_number(key: str) -> tuple[int, str]:
    return (int(key) if key.isdecimal() else 0, key)
