"""The functions of OntoAligner, by the same names, over the same lists of dictionaries: only the import changes."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias, get_args

from goldassay.core.counts import f_measure
from goldassay.core.errors import RecordError, unknown_choice_error

Preset: TypeAlias = Literal["ontoaligner", "ontoaligner-1.6", "ontoaligner-1.9.4", "definition"]
"""The conventions to follow.

``ontoaligner``: its versions 1.7.0 to 1.9.3, that is, precision and recall are divided by the lengths of the lists, duplicates
included; tied candidates stay in the order of the list. ``ontoaligner-1.6``: before 1.7.0 every prediction that is in the
references was a hit, duplicates too, so that recall may pass 1. ``ontoaligner-1.9.4``: from that version on precision and recall are
divided by the number of unique pairs; the rest is the same. ``definition``: unique pairs everywhere, and the expectation over
all orders of tied candidates, as `Overlap`, `HitAtK` and `Mrr` have it.
"""
PRESETS = get_args(Preset)
Records: TypeAlias = Sequence[Mapping[str, Any]]
Pair: TypeAlias = tuple[Hashable, Hashable]


def calculate_intersection(predicts: Records, references: Records, *, preset: Preset = "ontoaligner") -> int:
    """Count the pairs that both lists have; before 1.7.0 the predictions that are in the references.

    Example:
        >>> twice, once = [{"source": "A", "target": "1"}] * 2, [{"source": "A", "target": "1"}]
        >>> calculate_intersection(twice, once), calculate_intersection(twice, once, preset="ontoaligner-1.6")
        (1, 2)
    """
    return _count_pairs(predicts, references, preset)[0]


def precision_score(predicts: Records, references: Records, *, preset: Preset = "ontoaligner") -> float:
    """Divide the pairs that both lists have by the predictions.

    Example:
        >>> precision_score([{"source": "A", "target": "1"}] * 2, [{"source": "A", "target": "1"}])
        0.5
    """
    matched, predicted, _ = _count_pairs(predicts, references, preset)
    return matched / predicted if predicted else 0.0


def recall_score(predicts: Records, references: Records, *, preset: Preset = "ontoaligner") -> float:
    """Divide the pairs that both lists have by the references; see `precision_score`.

    Example:
        >>> recall_score([{"source": "A", "target": "1"}], [{"source": "A", "target": "1"}, {"source": "B", "target": "2"}])
        0.5
    """
    matched, _, referenced = _count_pairs(predicts, references, preset)
    return matched / referenced if referenced else 0.0


def f1_measurement(predicts: Records, references: Records, beta: float = 1, *, preset: Preset = "ontoaligner") -> float:
    """Weigh precision and recall into F-beta; see `precision_score`."""
    return _f_measure(*_count_pairs(predicts, references, preset), beta)


def evaluation_report(
    predicts: Records, references: Records, beta: float = 1, *, preset: Preset = "ontoaligner"
) -> dict[str, float | int]:
    """Return intersection, precision, recall and F-beta in percent, and the lengths of both lists; see `precision_score`.

    Example:
        >>> evaluation_report([{"source": "A", "target": "1"}], [{"source": "A", "target": "1"}])
        {'intersection': 1, 'precision': 100.0, 'recall': 100.0, 'f-score': 100.0, 'predictions-len': 1, 'reference-len': 1}
    """
    matched, predicted, referenced = _count_pairs(predicts, references, preset)
    return {
        "intersection": matched,
        "precision": _share(matched, predicted) * 100,
        "recall": _share(matched, referenced) * 100,
        "f-score": _f_measure(matched, predicted, referenced, beta) * 100,
        "predictions-len": predicted,
        "reference-len": referenced,
    }


def hit_at_k(predicts: Records, references: Records, k: int = 1, *, preset: Preset = "ontoaligner") -> float:
    """Return the fraction of references whose target is among the first k predicted for their source.

    Example:
        >>> predicts = [{"source": "A", "target": "2", "score": 0.9}, {"source": "A", "target": "1", "score": 0.5}]
        >>> hit_at_k(predicts, [{"source": "A", "target": "1"}], k=1), hit_at_k(predicts, [{"source": "A", "target": "1"}], k=2)
        (0.0, 1.0)
    """
    if k <= 0:
        _check_pair(preset)
        return 0.0
    return _mean(predicts, references, preset, lambda above, tied: min(max((k - above) / tied, 0.0), 1.0))


def mrr(predicts: Records, references: Records, *, preset: Preset = "ontoaligner") -> float:
    """Return the mean over references of the reciprocal rank of their target; see `hit_at_k`.

    Example:
        >>> predicts = [{"source": "A", "target": "2", "score": 0.9}, {"source": "A", "target": "1", "score": 0.5}]
        >>> mrr(predicts, [{"source": "A", "target": "1"}])
        0.5
    """
    return _mean(predicts, references, preset, _reciprocal)


def _f_measure(matched: int, predicted: int, referenced: int, beta: float) -> float:
    return float(f_measure(_share(matched, predicted), _share(matched, referenced), beta=beta))


def _share(matched: int, of: int) -> float:
    return matched / of if of else 0.0


def _count_pairs(predicts: Records, references: Records, preset: Preset) -> tuple[int, int, int]:
    """Count the pairs that both have, the predictions and the references."""
    _check_pair(preset)
    here, there = _pairs(predicts, "prediction"), _pairs(references, "reference")
    if preset == "ontoaligner":
        return len(here & there), len(predicts), len(references)
    if preset == "ontoaligner-1.6":
        return sum((record["source"], record["target"]) in there for record in predicts), len(predicts), len(references)
    return len(here & there), len(here), len(there)


def _pairs(records: Records, what: str) -> set[Pair]:
    try:
        return {(record["source"], record["target"]) for record in records}
    except (KeyError, TypeError, AttributeError, IndexError):
        raise _malformed_error(records, what) from None


def _malformed_error(records: Records, what: str) -> RecordError:
    found = next((record for record in records if not _is_whole(record)), None)
    return RecordError(
        f"A {what} needs a source and a target that can be compared.",
        found=repr(found)[:80],
        expected='{"source": ..., "target": ...}',
    )


def _is_whole(record: object) -> bool:
    return isinstance(record, Mapping) and all(
        end in record and isinstance(record[end], Hashable) for end in ("source", "target")
    )


def _mean(predicts: Records, references: Records, preset: Preset, gain: Any) -> float:
    """Return the mean gain over references, each from the candidates above its target and those tied with it."""
    _check_pair(preset)
    ordered = preset != "definition"
    try:
        wanted, count = _count_references(references, unique=not ordered)
        if not count:
            return 0.0
        lists = _lists(predicts, wanted)
    except (TypeError, AttributeError):
        raise _malformed_error([*references, *predicts], "record") from None
    gains = [
        times * gain(*place)
        for (source, target), times in wanted.items()
        if (place := _place(lists[source], target, ordered=ordered))
    ]
    return math.fsum(gains) / count


def _count_references(references: Records, *, unique: bool) -> tuple[dict[Pair, int], int]:
    """Count the occurrences of each pair, and the total number of references."""
    stated = ((record.get("source"), record.get("target")) for record in references)
    pairs = Counter((source, target) for source, target in stated if source is not None and target is not None)
    if unique:
        return dict.fromkeys(pairs, 1), len(pairs)
    return pairs, len(references)


def _lists(predicts: Records, wanted: Iterable[Pair]) -> dict[Hashable, dict[Hashable, float]]:
    """Collect the candidates of the sources in question, with the highest score of each."""
    lists: dict[Hashable, dict[Hashable, float]] = {source: {} for source, _ in wanted}
    candidates_of = lists.get
    for record in predicts:
        candidates = candidates_of(record.get("source"))
        if candidates is None:
            continue
        target = record.get("target")
        if target is None:
            continue
        score = record.get("score", 0.0)
        # Only a finite number minus itself is 0; the rare other cases are checked in detail.
        if score.__class__ is not float or score - score != 0.0:
            score = _number(score, record)
        known = candidates.get(target)
        if known is None or score > known:
            candidates[target] = score
    return lists


def _number(score: Any, record: Mapping[str, Any]) -> float:
    try:
        number = float(score)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise RecordError("The score is not a number.", found=repr(dict(record))[:120], expected="a finite number")
    return number


def _place(candidates: Mapping[Hashable, float], target: Hashable, *, ordered: bool) -> tuple[int, int] | None:
    """Count the candidates above a target and those tied with it; the order of the list may decide ties."""
    score = candidates.get(target)
    if score is None:
        return None
    if len(candidates) == 1:
        return 0, 1
    descending = sorted(candidates.values(), reverse=True)
    above, tied = descending.index(score), descending.count(score)
    if not ordered or tied == 1:
        return above, tied
    level = [candidate for candidate, other in candidates.items() if other == score]
    return above + level.index(target), 1


def _reciprocal(above: int, tied: int) -> float:
    """Return the expected reciprocal rank."""
    if tied == 1:
        return 1 / (above + 1)
    return math.fsum(1 / (above + n + 1) for n in range(tied)) / tied


def _check_pair(preset: str) -> None:
    if preset not in PRESETS:
        raise unknown_choice_error("preset", preset, PRESETS)
