"""Measures against people: every statistic of every measure, with chance, the ceiling of people, and tests between measures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

import numpy as np

from goldassay.core.errors import InputError, UsageError
from goldassay.core.significance import holm
from goldassay.meta.statistics import (
    Matrix,
    accuracy_with_ties,
    auc,
    centred,
    chance_of_accuracy,
    chance_of_spa,
    kendall_b,
    mean_along,
    pairwise_accuracy,
    pearson,
    permutation_p_values,
    soft_pairwise_accuracy,
    verdicts,
)
from goldassay.meta.tables import Ratings, Scores, mean_of

SCHEMA = "goldassay.meta/1"
FEWEST_DRAWS, MOST_DRAWS, COMPARED = 20, 60, 2_000_000
"""Shuffles whose mean is chance where no formula gives it: as many as compare so many pairs of outputs."""
UNBIASED, EVEN, LEAST_SPREAD = 0.0, 0.5, 0.01
GROUPS = {"all": "none", "grouped_by_item": "item", "grouped_by_system": "system"}
NO_STATISTICS = ("items", "p_human", "p_measure")
Levels = dict[str, dict[str, Any]]


@dataclass(frozen=True, kw_only=True)
class Tracked:
    """How one measure tracks people.

    Attributes:
        levels: The statistics by level: item, segment and system.
        chance: The same for scores that are shuffled over all outputs.
        chance_error: The standard errors of levels of chance that are means over draws; the others are exact.
        draws: How many draws these are.
        left_out: Outputs that have only a rating, or only a score.
    """

    measure: str
    levels: Levels
    chance: Levels
    left_out: Mapping[str, int]
    chance_error: Levels = field(default_factory=dict)
    draws: int = 0


@dataclass(frozen=True, kw_only=True)
class MetaReport:
    """Measures against people.

    Attributes:
        ceiling: The statistics of one rater against the mean of the others, averaged over raters; empty with one rater.
        tests: The tests between two measures, with p values that are corrected for their number.
    """

    ratings: Ratings
    measures: tuple[Tracked, ...]
    ceiling: Levels
    tests: tuple[dict[str, Any], ...]
    matrices: Mapping[str, Matrix] = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Return all statistics, unrounded, as plain values; undefined ones are None."""
        plain: dict[str, Any] = _plain(
            {
                "schema": SCHEMA,
                "ratings": {
                    "path": self.ratings.path,
                    "items": len(self.ratings.items),
                    "systems": len(self.ratings.systems),
                    "raters": len(self.ratings.raters),
                    "ratings": int((~np.isnan(self.ratings.mean)).sum()),
                },
                "ceiling": self.ceiling,
                "measures": [
                    {
                        "measure": one.measure,
                        **one.levels,
                        "chance": one.chance,
                        "chance_error": one.chance_error,
                        "chance_draws": one.draws,
                        "left_out": dict(one.left_out),
                    }
                    for one in self.measures
                ],
                "tests": list(self.tests),
            }
        )
        return plain


def meta(ratings: Ratings, scores: Scores, *, permutations: int = 1000, seed: int = 0) -> MetaReport:
    """Compare measures with people.

    Args:
        ratings: The ratings.
        scores: The scores of the same items and systems.
        permutations: Draws of the tests between measures.
        seed: Seed of these, and of chance.

    Raises:
        InputError: If a measure has no score for any rated output.
        UsageError: If there is no measure.

    Source:
        D. Deutsch, R. Dror and D. Roth, A statistical analysis of summarization evaluation metrics using resampling methods,
        TACL 9 (2021), for the tests.

    Example:
        >>> ratings = Ratings.of([(f"i{i}", system, "ann", float(i % 3 + (system == "a"))) for i in range(9) for system in "ab"])
        >>> copied = {(i, s): r for s, row in zip(ratings.systems, ratings.mean) for i, r in zip(ratings.items, row)}
        >>> report = meta(ratings, Scores(values={"copy": copied}))
        >>> report.measures[0].levels["segment"]["kendall_b"], report.measures[0].levels["system"]["spa"]
        (1.0, 1.0)
    """
    if not scores.values:
        raise UsageError("No measure to compare with people.", expected="a column of scores, or predictions")
    ratings = ratings.ordered()
    human, matrices, measures = ratings.mean, {}, []
    for name in scores.values:
        matrix = scores.matrix(name, ratings)
        both = ~np.isnan(matrix) & ~np.isnan(human)
        if not both.any():
            raise InputError(
                f"No rated output has a score of {name}.",
                path=scores.path,
                found=f"items such as {next((key for key in scores.values[name]), ('none', 'none'))!r}",
                expected=f"items such as {(ratings.items[0], ratings.systems[0])!r}",
            )
        matrices[name] = matrix
        left_out = {
            "only_rated": int((~np.isnan(human) & np.isnan(matrix)).sum()),
            "only_scored": len(scores.values[name]) - int(both.sum()),
        }
        measures.append(
            _track(
                human,
                matrix,
                Tracked(measure=name, levels=levels_of(human, matrix), chance={}, left_out=left_out),
                seed,
            )
        )
    return MetaReport(
        ratings=ratings,
        measures=tuple(measures),
        ceiling=_ceiling(ratings),
        tests=tuple(_tests(human, matrices, permutations, seed)),
        matrices=matrices,
    )


def levels_of(human: Matrix, matrix: Matrix) -> Levels:
    """Compute the statistics of one measure at every level that the data allow."""
    segment: dict[str, Any] = {"kendall_b": kendall_b(human, matrix)}
    for name, (value, threshold) in _accuracies(human, matrix).items():
        segment[name] = {"value": value, "threshold": threshold}
    found: Levels = {"item": _item(human, matrix), "segment": segment, "system": {}}
    whole = ~np.isnan(human + matrix).any(axis=0)
    if len(human) > 1 and whole.any():
        x, y = human[:, whole], matrix[:, whole]
        p_human, p_measure = permutation_p_values(x), permutation_p_values(y)
        found["system"] = {
            "pairwise_accuracy": pairwise_accuracy(x, y),
            "pearson": pearson(mean_along(x, 1), mean_along(y, 1)),
            # With one item no permutation says how sure an order is.
            **({"spa": soft_pairwise_accuracy(p_human, p_measure)} if x.shape[1] > 1 else {}),
            "items": int(whole.sum()),
            "p_human": p_human.tolist(),
            "p_measure": p_measure.tolist(),
        }
    return {level: values for level, values in found.items() if values}


def _item(human: Matrix, matrix: Matrix) -> dict[str, Any]:
    """Compute what needs yes/no ratings; verdicts must be yes/no, too."""
    there = ~np.isnan(human) & ~np.isnan(matrix)
    truth, scores = human[there], matrix[there]
    if not np.isin(truth, (0.0, 1.0)).all():
        return {}
    found = {"auc": auc(truth == 1, scores)}
    if np.isin(scores, (0.0, 1.0)).all():
        found |= verdicts(truth == 1, scores == 1)
    return found


def _ceiling(ratings: Ratings) -> Levels:
    """Compare each rater with the mean of the others, and average the statistics."""
    if len(ratings.raters) < 2:  # noqa: PLR2004 - one rater has no others
        return {}
    found = []
    for name, own in ratings.raters.items():
        others = mean_of([matrix for other, matrix in ratings.raters.items() if other != name])
        if (~np.isnan(own) & ~np.isnan(others)).any():
            found.append(levels_of(others, own))
    return _average(found)


def _track(human: Matrix, matrix: Matrix, found: Tracked, seed: int) -> Tracked:
    """Add what scores give that are shuffled over all outputs: by a formula where there is one, else by draws."""
    exact = _exact_chance(matrix, found.levels)
    known = {level: [name for name in values if name not in NO_STATISTICS] for level, values in found.levels.items()}
    left = {level: {*names} - {*exact.get(level, {})} for level, names in known.items()}
    draws = min(max(COMPARED // max(1, matrix.size * (matrix.size - 1) // 2), FEWEST_DRAWS), MOST_DRAWS)
    drawn, error = _drawn_chance(human, matrix, found.levels, seed, draws) if any(left.values()) else ({}, {})
    both = {level: exact.get(level, {}) | drawn.get(level, {}) for level in known}
    ordered = {level: {name: both[level][name] for name in names} for level, names in known.items()}
    return replace(found, chance=ordered, chance_error=error, draws=draws if error else 0)


def _exact_chance(matrix: Matrix, levels: Levels) -> Levels:
    """Return the levels of chance that need no draws; nan where the value itself is undefined."""
    # Shuffled scores are as likely to order two outputs, or two systems, in one way as in the other: correlations and
    # kappa are 0 on average, and the area is one half. Verdicts are right as often as they say yes, or no.
    verdicts = matrix[~np.isnan(matrix)]
    if (verdicts == verdicts[0]).all():
        # Shuffling changes nothing.
        return {
            level: {name: _value(value) for name, value in values.items() if name not in NO_STATISTICS}
            for level, values in levels.items()
        }
    means = {
        "item": {
            "auc": EVEN,
            "sensitivity": float(verdicts.mean()),
            "specificity": float(1 - verdicts.mean()),
            "kappa": UNBIASED,
        },
        "segment": {"kendall_b": UNBIASED},
        "system": {"pearson": UNBIASED},
    }
    return {
        level: {
            name: np.nan if np.isnan(_value(values[name])) else mean
            for name, mean in means[level].items()
            if name in values
        }
        for level, values in levels.items()
    }


def _drawn_chance(human: Matrix, matrix: Matrix, levels: Levels, seed: int, draws: int) -> tuple[Levels, Levels]:
    """Average the other statistics over shuffled scores, and return their standard errors."""
    # Of systems each draw gives the mean over all ways to name them, which varies less than that of one way.
    rng, there = np.random.default_rng(seed), ~np.isnan(matrix)
    whole = ~np.isnan(human + matrix).any(axis=0)
    system = levels.get("system", {})
    found: list[Levels] = []
    for _ in range(draws):
        drawn = matrix.copy()
        drawn[there] = rng.permutation(matrix[there])
        one = {"segment": {name: value for name, (value, _) in _accuracies(human, drawn).items()}, "system": {}}
        if system:
            means = mean_along(human[:, whole], 1), mean_along(drawn[:, whole], 1)
            one["system"]["pairwise_accuracy"] = chance_of_accuracy(*means)
        if "spa" in system:
            one["system"]["spa"] = chance_of_spa(np.array(system["p_human"]), drawn[:, whole])
        found.append(one)
    return _average(found), _errors(found)


def _errors(found: list[Levels]) -> Levels:
    """Return the standard errors of means over draws; not 0, since what no draw showed is rare, but not impossible."""
    return {
        level: {
            name: float(max(np.std([one[level][name] for one in found], ddof=1), LEAST_SPREAD) / np.sqrt(len(found)))
            for name in values
        }
        for level, values in found[0].items()
    }


def _accuracies(human: Matrix, matrix: Matrix) -> dict[str, tuple[float, float]]:
    """Return the accuracies with calibrated ties, and their thresholds."""
    return {
        f"accuracy_with_ties_{name}": accuracy_with_ties(human, matrix, by)  # type: ignore[arg-type]
        for name, by in GROUPS.items()
    }


def _average(found: list[Levels]) -> Levels:
    """Average statistics, level by level; those of accuracies without their thresholds."""
    means: Levels = {}
    for level in ("item", "segment", "system"):
        some = [one[level] for one in found if level in one]
        names = dict.fromkeys(name for one in some for name in one if name not in NO_STATISTICS)
        values = {name: [_value(one[name]) for one in some if name in one] for name in names}
        means[level] = {
            name: float(np.nanmean(column)) if not np.isnan(column).all() else np.nan for name, column in values.items()
        }
    return {level: values for level, values in means.items() if values}


def _value(statistic: Any) -> float:
    return float(statistic["value"] if isinstance(statistic, Mapping) else statistic)


def _tests(human: Matrix, matrices: Mapping[str, Matrix], permutations: int, seed: int) -> list[dict[str, Any]]:
    """Test every two measures for a difference: swap their standardised scores of random outputs (PERM-BOTH)."""
    found: list[dict[str, Any]] = []
    for first, second in combinations(matrices, 2):
        for level in ("segment", "system"):
            if level == "system" and len(human) <= 2:  # noqa: PLR2004 - two systems always correlate
                continue
            pair = matrices[first], matrices[second]
            difference, p = _permute(human, pair, level, permutations, np.random.default_rng(seed))
            found.append(
                {
                    "level": level,
                    "statistic": "pearson",
                    "first": first,
                    "second": second,
                    "difference": difference,
                    "p": p,
                }
            )
    corrected = holm([one["p"] for one in found])
    return [{**one, "p_holm": p} for one, p in zip(found, corrected, strict=True)]


def _permute(
    human: Matrix, pair: tuple[Matrix, Matrix], level: str, permutations: int, rng: np.random.Generator
) -> tuple[float, float]:
    """Return the difference of two correlations with people, and the p value of one as large."""
    whole = ~np.isnan(human + pair[0] + pair[1])
    if level == "system":
        whole &= whole.all(axis=0)
    first, second = (_standard(np.where(whole, one, np.nan)) for one in pair)
    people = np.where(whole, human, np.nan)

    def difference(one: Matrix, other: Matrix) -> float:
        if level == "segment":
            return pearson(people.ravel(), one.ravel()) - pearson(people.ravel(), other.ravel())
        columns = whole.all(axis=0)
        means = [some[:, columns].mean(axis=1) for some in (people, one, other)]
        return pearson(means[0], means[1]) - pearson(means[0], means[2])

    seen = difference(first, second) if whole.any() else np.nan
    if np.isnan(seen):
        # No draw is as large as nan, which would give the least p.
        return np.nan, np.nan
    as_large = undefined = 0
    for _ in range(permutations):
        swap = rng.random(first.shape) < 0.5  # noqa: PLR2004 - a fair coin
        drawn = difference(np.where(swap, second, first), np.where(swap, first, second))
        as_large += abs(drawn) >= abs(seen) - 1e-12
        undefined += np.isnan(drawn)
    return seen, (as_large + 1) / (permutations - undefined + 1)


def _standard(matrix: Matrix) -> Matrix:
    apart = centred(matrix)
    return apart / (np.nanstd(apart) or 1.0)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _plain(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return None if isinstance(value, float) and np.isnan(value) else value
