"""The verdicts of judges on drawn items, and whether a judge answers for labelled items and for others alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from os import PathLike, fspath
from typing import NamedTuple

import numpy as np

from goldassay.core.errors import UsageError
from goldassay.sampling.estimates import Ledger
from goldassay.sampling.sample import Sample
from goldassay.sampling.special import hypergeometric
from goldassay.sampling.verdicts import read_verdicts

CHANCE = 0.01
"""Shares that differ as much less often than this do not differ by chance."""
NONE_ELSEWHERE = "it has no answer on an item without a label"


class Judge(NamedTuple):
    """The verdicts of a judge, by run and item, and the items without an answer, by run."""

    runs: dict[str, dict[str, float]]
    silent: dict[str, set[str]]

    @property
    def unanswered(self) -> int:
        """How many verdicts are no answer, or do not know."""
        return sum(map(len, self.silent.values()))

    @property
    def first(self) -> dict[str, float]:
        """The verdicts of the first run, which is the one that estimates use."""
        return next(iter(self.runs.values()), {})

    @property
    def first_silent(self) -> set[str]:
        """The items without an answer of the first run."""
        return next(iter(self.silent.values()), set())


def read_judges(sample: Sample, paths: Sequence[str | PathLike[str]], unanswered: float | None) -> dict[str, Judge]:
    """Read the judges of files, each once: in two rows of a report one would look like two that agree."""
    found = dict[str, Judge]()
    for path in paths:
        here = _judges_of(sample, path, unanswered)
        for name in here.keys() & found.keys():
            raise UsageError(
                "The same judge is given twice.", found=f"judge {name}: {fspath(path)}",
                hint="name judges in a column judge; runs of one judge are in one file, with a column run",
            )  # fmt: skip
        found |= here
    return found


def _judges_of(sample: Sample, path: str | PathLike[str], unanswered: float | None) -> dict[str, Judge]:
    """Read the verdicts of each judge of a file; one that judges an item again without naming a run has several."""
    found, times = dict[str, Judge](), Counter[tuple[str, str, str]]()
    for one in read_verdicts(path):
        judge, key = found.setdefault(one.text, Judge({}, {})), (one.text, one.rater, one.id)
        times[key] += 1
        run = f"{one.rater} {times[key]}"
        verdicts, silent = judge.runs.setdefault(run, {}), judge.silent.setdefault(run, set())
        if one.value is None:
            silent.add(one.id)
        value = unanswered if one.value is None else one.value
        if value is not None:
            verdicts[one.id] = value
    if not any(item in sample.items for judge in found.values() for run in judge.runs.values() for item in run):
        raise UsageError("None of the verdicts is about a drawn item.", found=fspath(path), expected="ids of the table")
    return found


class _Unit(NamedTuple):
    """An item of a draw: one of each, since a judge answers items of a cluster alike."""

    stratum: int
    item: str
    labelled: bool


def why_uneven(ledger: Ledger, judge: Judge, system: int) -> str:
    """Return why a judge would make an estimate biased; the empty text if nothing shows that."""
    # Verdicts on the other items stand for those on the labelled ones. So whether there is an answer may depend on the
    # item, but not on whether it has a label, and an item may be left out for no reason that has to do with its being
    # right. The beginning and the end of a table may be without verdicts, since its order is random: in each stratum
    # only what is between verdicts is compared.
    units, verdicts, silent = _units_of(ledger, system), judge.first, judge.first_silent
    others = [unit.item for unit in units if not unit.labelled]
    if others and not any(item in verdicts and item not in silent for item in others):
        return NONE_ELSEWHERE
    asked = [unit for unit in units if unit.item in verdicts]
    reached = _between(units, verdicts)
    labelled = [unit for unit in reached if unit.labelled]
    differing = (
        _differing(asked, lambda unit: unit.item not in silent, lambda unit: unit.labelled),
        _differing(reached, lambda unit: unit.item in verdicts, lambda unit: unit.labelled),
        _differing(labelled, lambda unit: unit.item in verdicts, lambda unit: ledger.labels[unit.item] > 0),
    )
    sides = (("labelled items", "others"),) * 2 + (("right items", "wrong ones"),)
    for shares, (here, there) in zip(differing, sides, strict=True):
        if shares:
            return f"it answers {shares[0]:.1%} of the {here} and {shares[1]:.1%} of the {there}, which is more than chance"
    return ""


def _units_of(ledger: Ledger, system: int) -> list[_Unit]:
    weights, units = ledger.members(system), list[_Unit]()
    for one in ledger.sample.draws:
        if one.items and weights[one.stratum]:
            labelled = [name for name in one.items if name in ledger.labels]
            units.append(_Unit(one.stratum, (labelled or list(one.items))[0], bool(labelled)))
    return units


def _between(units: Sequence[_Unit], known: Collection[str]) -> list[_Unit]:
    """Leave out what is before the first known item of each stratum, and after the last."""
    places: dict[int, list[int]] = {}
    for place, unit in enumerate(units):
        if unit.item in known:
            places.setdefault(unit.stratum, []).append(place)
    return [
        unit
        for place, unit in enumerate(units)
        if unit.stratum in places and places[unit.stratum][0] <= place <= places[unit.stratum][-1]
    ]


def _differing(
    units: Iterable[_Unit], has: Callable[[_Unit], bool], side: Callable[[_Unit], bool]
) -> tuple[float, float] | None:
    """Return the shares that have something on two sides, if they differ by more than chance."""
    rows = [(unit.stratum, has(unit), side(unit)) for unit in units]
    if chance_of_split(rows) >= CHANCE:
        return None
    here, there = ([having for _, having, of in rows if of is one] for one in (True, False))
    return sum(here) / len(here), sum(there) / len(there)


def chance_of_split(rows: Sequence[tuple[int, bool, bool]]) -> float:
    """Return the two-sided p of two properties being independent within strata, from a row of each unit: stratum and properties."""
    # Given how many units of each stratum have each, those that have both are a sum of hypergeometric numbers. With one
    # stratum this is Fisher's exact test, with twice the smaller tail.
    # Source: C. Mehta, N. Patel and R. Gray, Computing an Exact Confidence Interval for the Common Odds Ratio in
    # Several 2 x 2 Contingency Tables, JASA 80 (1985).
    least, chances = 0, np.ones(1)
    for table in _tables(rows):
        first, here = hypergeometric(*table)
        least, chances = least + first, np.convolve(chances, here)
    place = sum(one and other for _, one, other in rows) - least
    return min(2 * min(float(chances[: place + 1].sum()), float(chances[place:].sum())), 1.0)


def _tables(rows: Sequence[tuple[int, bool, bool]]) -> Iterator[tuple[int, int, int]]:
    """Count the units of each stratum: those with the first property, all, and those with the second."""
    every = Counter(stratum for stratum, _, _ in rows)
    one, other = Counter(s for s, has, _ in rows if has), Counter(s for s, _, has in rows if has)
    yield from ((one[stratum], count, other[stratum]) for stratum, count in every.items())
