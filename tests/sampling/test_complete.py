"""What is labelled completely is known exactly, where items are drawn without replacement; and only there."""

import json
import math
from itertools import combinations, product

import numpy as np
import pytest

from goldassay.core.counts import Counts
from goldassay.core.errors import UsageError
from goldassay.core.labelled import Labelled
from goldassay.core.significance import Resampling, intervals
from goldassay.core.units import Units
from goldassay.sampling.designs import Draws, estimate
from goldassay.sampling.drawing import draw
from goldassay.sampling.results import EstimateOptions, estimate_file, narrow_intervals
from goldassay.sampling.sample import SampleRequest
from goldassay.sampling.todo import design_path, save_design, save_table

PER_DOCUMENT = 4


def is_right(row):
    return int(row["subject"][1:]) % 3 > 0


def predictions(folder):
    """Two predictions of documents, which share half of their triples."""
    found = []
    for name, step in (("first", 0), ("second", 2)):
        rows = [
            {
                "id": f"d{one}",
                "triples": [
                    [f"s{PER_DOCUMENT * one + place + step}", f"r{place % 2}", "o"] for place in range(PER_DOCUMENT)
                ],
            }
            for one in range(8)
        ]
        found.append(folder / f"{name}.jsonl")
        found[-1].write_text("".join(json.dumps(row) + "\n" for row in rows))
    return found


def estimated(folder, preds, *, left=0, answer=is_right, by=(), **asked):
    """Draw, label all but the last ones, and estimate."""
    made = draw(preds, kind="triples", asked=SampleRequest(**{"size": 10_000} | asked))
    words = ["yes" if answer(row) else "no" for row in made.rows]
    rows = [{**row, "label": word} for row, word in zip(made.rows, words, strict=True)]
    for row in rows[len(rows) - left :]:
        row["label"] = ""
    todo = folder / f"todo{left}.csv"
    save_table(rows, todo)
    save_design(made.sample, design_path(todo))
    return estimate_file(todo, wanted=EstimateOptions(by=by))


def widths(report):
    return [[end.high - end.low for end in run.scores[0].intervals.values()] for run in report.runs]


def is_known(values, ends):
    return all(values[name] == end.low == end.high for name, end in ends.items())


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("asked", [{}, {"design": "strata", "strata": "relation"}, {"design": "documents"}])
def test_with_all_items_every_value_is_known_and_the_last_label_widens_nothing(tmp_path, asked, count):
    if asked.get("design") == "documents" and count > 1:
        return
    preds = predictions(tmp_path)[:count]
    report = estimated(tmp_path, preds, **asked)
    for run in report.runs:
        [score] = run.scores
        assert set(score.intervals) == set(score.values)
        assert is_known(score.values, score.intervals)
    if asked.get("design") != "documents":
        before = estimated(tmp_path, preds, left=1, **asked)
        assert np.all(np.array(widths(before)) >= np.array(widths(report)))
        assert np.max(widths(before)) > 0


@pytest.mark.parametrize("by", ["relation", "stratum"])
@pytest.mark.parametrize("count", [1, 2])
def test_groups_are_known_too(tmp_path, by, count):
    report = estimated(tmp_path, predictions(tmp_path)[:count], by=(by,), design="strata", strata="relation")
    for run in report.runs:
        [found] = run.scores[0].breakdowns
        for row, ends in enumerate(found.intervals):
            assert is_known({"precision": found.values["precision"][row]}, ends)


def test_a_stratum_that_is_labelled_completely_is_known_before_the_others(tmp_path):
    report = estimated(tmp_path, predictions(tmp_path)[:1], by=("stratum",), left=1, design="strata", strata="relation")
    [found] = report.runs[0].scores[0].breakdowns
    assert sorted(one["precision"].high > one["precision"].low for one in found.intervals) == [False, True]


def test_a_single_stratum_has_the_interval_of_the_whole(tmp_path):
    for left in (0, 1):
        report = estimated(tmp_path, predictions(tmp_path)[:1], by=("stratum",), left=left, size=20)
        [score] = report.runs[0].scores
        [found] = score.breakdowns
        assert found.intervals == ({"precision": score.intervals["precision"]},)


@pytest.mark.parametrize("design", ["clusters", "stratified-clusters"])
def test_clusters_are_drawn_with_replacement_and_never_complete(tmp_path, design):
    asked = {"strata": "relation"} if design == "stratified-clusters" else {}
    report = estimated(tmp_path, predictions(tmp_path)[:1], design=design, clusters="document", per_cluster=9, **asked)
    assert report.runs[0].scores[0].intervals["precision"].high > report.runs[0].scores[0].intervals["precision"].low


def test_clusters_are_unbiased_over_all_draws_though_not_exact_with_all_items():
    """Two clusters by their size, all items of each drawn one labelled: over all draws the mean is right, and so is the variance."""
    sizes, means = np.array([3, 1]), np.array([2 / 3, 0.0])
    found, chances = [], []
    for pair in product(range(2), repeat=3):
        clusters = list(pair)
        values = means[clusters]
        draws = Draws(
            values=values, labels=sizes[clusters].astype(float), strata=np.zeros(3, dtype=np.int64),
            sizes=np.array([4.0]), weights=np.ones(1), clustered=True,
        )  # fmt: skip
        found.append(estimate(draws, continuity=False))
        chances.append(np.prod(sizes[clusters] / 4))
    values = np.array([one.value for one in found])
    assert np.average(values, weights=chances) == pytest.approx(0.5)
    spread = np.average((values - 0.5) ** 2, weights=chances)
    assert np.average([one.variance for one in found], weights=chances) == pytest.approx(spread)
    # Of draws that have all four items none shows that half of them are right.
    assert all(
        one.value != 0.5 for one, pair in zip(found, product(range(2), repeat=3), strict=True) if len(set(pair)) == 2
    )


def documents(count, seed):
    """Right items, predicted items and all right items of documents."""
    random = np.random.default_rng(seed)
    size = random.integers(1, 8, count)
    right = random.binomial(size, 0.7)
    return np.array([right, size, right, right + random.binomial(4, 0.3, count)], dtype=float).T


NAMES = ("hit_pred", "n_pred", "hit_gold", "n_gold")
MEASURE = Labelled(design="documents", of="documents")


def values_of(rows):
    return MEASURE.divide_counts(
        Counts({name: float(sums) for name, sums in zip(NAMES, rows.sum(axis=0), strict=True)})
    )


def ends_of(rows, all_documents):
    units = Units.of("document", map(str, range(len(rows))), Counts(dict(zip(NAMES, rows.T, strict=True))))
    found = intervals(units, MEASURE.divide_counts, Resampling(resamples=500))
    return narrow_intervals(found, values_of(rows), len(rows), all_documents)


@pytest.mark.parametrize("drawn", [40, 60, 76])
def test_intervals_of_documents_are_as_wide_as_values_vary_without_replacement(drawn):
    every = documents(80, 1)
    true, random = values_of(every), np.random.default_rng(2)
    samples = [every[random.permutation(80)[:drawn]] for _ in range(150)]
    values, ends = [values_of(one) for one in samples], [ends_of(one, 80) for one in samples]
    for name in ("precision", "recall", "f1"):
        width = np.mean([one[name].high - one[name].low for one in ends])
        assert width == pytest.approx(2 * 1.96 * np.std([one[name] for one in values]), rel=0.15)
        assert np.mean([one[name].low <= true[name] <= one[name].high for one in ends]) >= 0.89


def test_over_all_samples_of_documents_the_variance_is_smaller_by_what_is_drawn():
    """The factor itself, for a mean: what resampling takes for the variance, with what is left of the documents."""
    values = np.array([0, 1, 1, 3, 4, 8.0])
    every = [values[list(one)] for one in combinations(range(6), 4)]
    spread = np.var([one.mean() for one in every])
    resampled = np.mean([one.var(ddof=1) / 4 for one in every])
    assert resampled * (1 - 4 / 6) == pytest.approx(spread)


def test_few_documents_are_no_warning_if_there_are_no_more(tmp_path):
    assert not any(
        "are drawn" in one for one in estimated(tmp_path, predictions(tmp_path)[:1], design="documents").warnings
    )
    some = estimated(tmp_path, predictions(tmp_path)[:1], design="documents", size=9)
    assert any("only 3 documents are drawn" in one for one in some.warnings)


def test_a_simple_sample_has_no_design_effect(tmp_path):
    preds = predictions(tmp_path)[:1]
    for answer in (is_right, lambda _: True, lambda _: False):
        [note] = estimated(tmp_path, preds, size=20, answer=answer).gold.notes
        assert "20 labels used, design effect 1.00" in note


def test_one_is_one(tmp_path):
    preds = predictions(tmp_path)[:1]
    [note] = estimated(tmp_path, preds, size=2, left=1).gold.notes
    assert ": 1 label used," in note


@pytest.mark.parametrize(("count", "expected"), [(1, None), (2, "stratum")])
def test_groups_are_offered_that_there_are(tmp_path, count, expected):
    preds = [tmp_path / f"pred{one}.csv" for one in range(count)]
    for step, pred in enumerate(preds):
        pred.write_text("child,parent\n" + "".join(f"c{one},p{one % 7}\n" for one in range(20 * step, 90)))
    made = draw(preds, kind="taxonomy", asked=SampleRequest())
    save_table([{**row, "label": "yes"} for row in made.rows], tmp_path / "todo.csv")
    save_design(made.sample, design_path(tmp_path / "todo.csv"))
    with pytest.raises(UsageError, match="no relation") as error:
        estimate_file(tmp_path / "todo.csv", wanted=EstimateOptions(by=("relation",)))
    assert (error.value.expected or None) == expected
    assert bool(error.value.hint) is (expected is None)


@pytest.mark.parametrize(
    ("asked", "replaced"),
    [({}, False), ({"design": "documents"}, False), ({"design": "clusters", "clusters": "subject"}, True)],
)
def test_what_is_drawn_of_all_is_counted(tmp_path, asked, replaced):
    preds, counts = predictions(tmp_path)[:1], set()
    for seed in range(20):
        made = draw(preds, kind="triples", asked=SampleRequest(size=33, seed=seed, **asked))
        [note] = [one for one in made.notes if "fewer than asked for" in one]
        counts.add(drawn := len(made.sample.items))
        assert note.startswith("all 32 items are drawn" if drawn == 32 else f"{drawn} of 32 items are drawn")
        assert ("with replacement" in note) is replaced
    assert (counts == {32}) is not replaced


def test_documents_of_several_predictions_are_named_as_such(tmp_path):
    with pytest.raises(UsageError, match="--design documents supports one prediction only"):
        draw(predictions(tmp_path), kind="triples", asked=SampleRequest(design="documents"))


def test_a_design_that_does_not_count_documents_keeps_its_intervals():
    rows = documents(20, 3)
    wide = ends_of(rows, 0)
    assert ends_of(rows, 10**9)["recall"].low == pytest.approx(wide["recall"].low, abs=1e-4)
    assert math.isclose(ends_of(rows, 20)["recall"].low, values_of(rows)["recall"])
