"""Labels of one system serve another: without bias, with intervals that hold the truth, and for fewer new labels."""

import numpy as np

from goldassay.families import family
from goldassay.sampling.estimates import Ledger, difference, ends_of, kind_of, precision_of
from goldassay.sampling.items import items_of, population_of
from goldassay.sampling.sample import SampleRequest, pick, sample_of, strata_of
from goldassay.triples.model import TripleSet

DRAWS = 120
SHARED, OWN, OTHER = 180, 120, 220
"""Items of both systems, of the first only, and of the second only; these are right in 90%, 80% and 50%."""


def population(*sides):
    return population_of(
        [items_of(family("triples"), TripleSet.from_lists({"d": [(one, "p", "o") for one in side]})) for side in sides]
    )


def test_labels_of_one_system_serve_another_without_bias():
    names = {
        part: [f"{part}{one}" for one in range(size)]
        for part, size in (("both", SHARED), ("first", OWN), ("second", OTHER))
    }
    share = {"both": 0.9, "first": 0.8, "second": 0.5}
    right = {name: place < share[part] * len(some) for part, some in names.items() for place, name in enumerate(some)}
    first, second = names["both"] + names["first"], names["both"] + names["second"]
    truth = (
        np.mean([right[name] for name in second]),
        np.mean([right[name] for name in second]) - np.mean([right[name] for name in first]),
    )
    single, pool = population(first), population(first, second)
    values, differences, reused, naive = [], [], [], []
    held = 0
    for seed in range(DRAWS):
        before = sample_of(
            single,
            pick(single, SampleRequest(size=100, seed=seed), strata_of(single, SampleRequest(), None)),
            SampleRequest(seed=seed),
            kind="triples",
            item="triple",
            inputs=({},),
        )[0]
        known = {one.key.split("\t")[0] for one in before.items.values()}
        asked = SampleRequest(size=160, seed=seed)
        sample = sample_of(
            pool,
            pick(pool, asked, strata_of(pool, asked, None)),
            asked,
            kind="triples",
            item="triple",
            inputs=({}, {}),
        )[0]
        drawn = {name: one.key.split("\t")[0] for name, one in sample.items.items()}
        ledger = Ledger(sample=sample, labels={name: float(right[item]) for name, item in drawn.items()})
        found = precision_of(ledger, 1)
        low, high = ends_of(ledger, 1, found, kind_of(ledger, 1))
        held += low <= truth[0] <= high
        values.append(found.value)
        differences.append(difference(ledger, 1, 0).value)
        reused.append(len(known & set(drawn.values())))
        naive.append(np.mean([right[name] for name in known if name in set(second)]))
    error = np.std(values) / np.sqrt(DRAWS)
    assert abs(np.mean(values) - truth[0]) < 4 * error
    assert abs(np.mean(differences) - truth[1]) < 4 * np.std(differences) / np.sqrt(DRAWS)
    assert 0.93 <= held / DRAWS <= 0.99
    # Most labels of the first sample are in the second, and need not be given again.
    assert np.mean(reused) > 75
    # What a sample of the first system happens to have of the second says nothing of what only the second has.
    assert np.mean(naive) - truth[0] > 0.15
