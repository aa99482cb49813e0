"""Groups of teams that do not differ significantly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from string import ascii_lowercase

ALPHA = 0.05


def groups_of(names: Sequence[str], p: Mapping[frozenset[str], float]) -> list[str] | None:
    """Give letters to systems: any two that share a letter do not differ significantly.

    All pairs are tested, so the p values are adjusted for the false discovery rate. A group is a run in the ranking.

    Source:
        Y. Benjamini and Y. Hochberg, Controlling the false discovery rate, Journal of the Royal Statistical Society B 57
        (1995).

    Example:
        >>> pairs = {("x", "y"): 0.4, ("y", "z"): 0.3, ("x", "z"): 0.001}
        >>> groups_of("xyz", {frozenset(pair): p for pair, p in pairs.items()})
        ['a', 'ab', 'b']
        >>> groups_of("xyz", {}) is None
        True
    """
    pairs = [frozenset(pair) for pair in combinations(names, 2)]
    if any(pair not in p for pair in pairs):
        return None
    differ = _differing(pairs, p)
    ends: list[int] = []
    for start in range(len(names)):
        end = start
        while end + 1 < len(names) and not any(
            frozenset((names[place], names[end + 1])) in differ for place in range(start, end + 1)
        ):
            end += 1
        ends.append(end)
    # A run that lies in the one before it says nothing new.
    runs = [(start, end) for start, end in enumerate(ends) if start == 0 or end > ends[start - 1]]
    return [
        "".join(_letter(number) for number, (start, end) in enumerate(runs) if start <= place <= end)
        for place in range(len(names))
    ]


def _differing(pairs: Sequence[frozenset[str]], p: Mapping[frozenset[str], float]) -> set[frozenset[str]]:
    """Choose the pairs that differ while the false discovery rate is below alpha (Benjamini and Hochberg 1995)."""
    ordered = sorted(pairs, key=lambda pair: p[pair])
    last = max((rank for rank, pair in enumerate(ordered, 1) if p[pair] * (len(pairs) / rank) < ALPHA), default=0)
    return set(ordered[:last])


def _letter(number: int) -> str:
    turn, place = divmod(number, len(ascii_lowercase))
    return ascii_lowercase[place] + (str(turn + 1) if turn else "")
