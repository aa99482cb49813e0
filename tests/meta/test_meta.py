"""Measures against people: values of mt-metrics-eval, chance and ceiling, tables in every layout, and what is refused."""

import csv
import io
import json
import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import goldassay
from goldassay.core.errors import InputError, UsageError
from goldassay.meta import Ratings, Scores, evaluation, meta, page, read_ratings, read_scores
from goldassay.meta.evaluation import levels_of
from goldassay.meta.page import _lines, page_of
from goldassay.meta.statistics import accuracy_with_ties, auc, kendall_b, verdicts

TIED = (5, 6)
"""The matrices in which permutations tie: added up in float32, as there, rounding decides."""


@pytest.mark.parametrize("row", range(7))
def test_the_values_of_mt_metrics_eval(reference_data, row):
    cases = json.loads((reference_data / "judged" / "expected" / "meta.json").read_text())
    assert len(cases) == 7
    case = cases[row]
    found = levels_of(np.array(case["human"]), np.array(case["measure"]))
    assert found["segment"]["kendall_b"] == pytest.approx(case["segment"]["kendall_b"], abs=1e-12)
    for name in ("all", "grouped_by_item", "grouped_by_system"):
        key = f"accuracy_with_ties_{name}"
        assert found["segment"][key] == pytest.approx(case["segment"][key], abs=1e-9)
    for name in ("pairwise_accuracy", "pearson"):
        assert found["system"][name] == pytest.approx(case["system"][name], abs=1e-12)
    slack = 0.01 if row in TIED else 0
    for name in ("p_human", "p_measure"):
        assert np.abs(np.array(found["system"][name]) - np.array(case["system"][name])).max() <= slack + 1e-9
    assert found["system"]["spa"] == pytest.approx(case["system"]["spa"], abs=slack + 1e-9)


values = st.integers(0, 4).map(float) | st.just(float("nan"))


@given(st.integers(1, 4), st.integers(1, 6), st.data())
def test_tau_and_accuracy_are_their_definitions(systems, items, data):
    x, y = (np.array([[data.draw(values) for _ in range(items)] for _ in range(systems)]) for _ in range(2))
    there = ~np.isnan(x) & ~np.isnan(y)
    tau = stats.kendalltau(x[there], y[there]).statistic if there.sum() > 1 else np.nan
    np.testing.assert_allclose(kendall_b(x, y), tau, atol=1e-12)
    for by, groups in (
        ("none", [(x.ravel(), y.ravel())]),
        ("item", zip(x.T, y.T, strict=True)),
        ("system", zip(x, y, strict=True)),
    ):
        pairs = []
        for a, b in groups:
            known = [place for place in range(len(a)) if not np.isnan(a[place] + b[place])]
            found = [(a[i] - a[j], b[i] - b[j]) for n, i in enumerate(known) for j in known[n + 1 :]]
            pairs += [found] if found else []

        def mean(epsilon, pairs=pairs):
            return np.mean(
                [np.mean([(dx == 0) if abs(dy) <= epsilon else dx * dy > 0 for dx, dy in some]) for some in pairs]
            )

        value, threshold = accuracy_with_ties(x, y, by)
        if not pairs:
            assert np.isnan(value)
            continue
        tried = sorted({0.0, *(abs(dy) for some in pairs for _, dy in some)})
        assert value == pytest.approx(max(map(mean, tried)))
        assert threshold == next(one for one in tried if mean(one) == pytest.approx(value))


def test_the_area_is_the_share_of_pairs_and_verdicts_are_counted():
    truth, scores = np.array([True, False, True, False]), np.array([0.9, 0.5, 0.5, 0.1])
    pairs = [(a > b) + (a == b) / 2 for a in scores[truth] for b in scores[~truth]]
    assert auc(truth, scores) == np.mean(pairs)
    assert np.isnan(auc(truth | True, scores))
    assert np.isnan(verdicts(truth | True, truth)["specificity"])


@pytest.fixture(scope="module")
def rated():
    """Three raters of six systems on 60 items, who agree in part; a copy of the mean, one rater, and noise."""
    rng = np.random.default_rng(0)
    quality = rng.normal(size=(6, 60)) + np.linspace(0, 2, 6)[:, None]
    people = {name: np.round(quality + rng.normal(size=quality.shape)) for name in ("ann", "bob", "cid")}
    keys = [(f"i{item}", f"s{system}") for system in range(6) for item in range(60)]
    ratings = Ratings.of(
        (item, system, name, float(some[int(system[1:]), int(item[1:])]))
        for item, system in keys
        for name, some in people.items()
    )
    columns = {"copy": ratings.mean, "noise": rng.normal(size=quality.shape)}
    scores = {
        name: {(item, system): float(some[int(system[1:]), int(item[1:])]) for item, system in keys}
        for name, some in columns.items()
    }
    return ratings, Scores(values=scores), people


def test_noise_is_at_chance_and_a_copy_at_the_ceiling(rated):
    ratings, scores, people = rated
    report = meta(ratings, scores, permutations=200)
    copy, noise = report.measures
    segment, system = copy.levels["segment"], copy.levels["system"]
    assert (
        segment["kendall_b"]
        == 1
        == segment["accuracy_with_ties_all"]["value"]
        == system["spa"]
        == pytest.approx(system["pearson"])
    )
    assert noise.levels["segment"]["kendall_b"] == pytest.approx(noise.chance["segment"]["kendall_b"], abs=0.08)
    assert noise.levels["segment"]["accuracy_with_ties_all"]["value"] == pytest.approx(
        noise.chance["segment"]["accuracy_with_ties_all"], abs=0.05
    )
    one = {(i, s): float(people["ann"][int(s[1:]), int(i[1:])]) for i in ratings.items for s in ratings.systems}
    without = Ratings(
        items=ratings.items, systems=ratings.systems, raters={n: m for n, m in ratings.raters.items() if n != "ann"}
    )
    again = meta(without, Scores(values={"ann": one})).measures[0].levels["segment"]["kendall_b"]
    assert report.ceiling["segment"]["kendall_b"] == pytest.approx(again, abs=0.05)
    assert noise.levels["segment"]["kendall_b"] < report.ceiling["segment"]["kendall_b"] < segment["kendall_b"]
    assert {one["level"]: one["p_holm"] < 0.05 for one in report.tests} == {"segment": True, "system": True}


def test_a_measure_does_not_differ_from_itself(rated):
    ratings, scores, _ = rated
    report = meta(ratings, Scores(values={"a": scores.values["copy"], "b": scores.values["copy"]}), permutations=50)
    assert [(one["difference"], one["p"], one["p_holm"]) for one in report.tests] == [(0, 1, 1), (0, 1, 1)]


@pytest.fixture
def files(tmp_path, rated):
    ratings, scores, people = rated
    rows = [("item", "system", "rater", "rating")]
    rows += [
        (item, system, name, some[b, a])
        for name, some in people.items()
        for b, system in enumerate(ratings.systems)
        for a, item in enumerate(ratings.items)
    ]
    table = [("item", "system", *scores.values)]
    table += [(*key, *(repr(some[key]) for some in scores.values.values())) for key in scores.values["copy"]]
    for name, lines in (("ratings.csv", rows), ("scores.csv", table)):
        with (tmp_path / name).open("w", newline="") as file:
            csv.writer(file).writerows(lines)
    return tmp_path / "ratings.csv", tmp_path / "scores.csv"


def test_the_command_in_every_layout(files, rated, goldassay_command, tmp_path, monkeypatch):
    monkeypatch.setattr(evaluation, "MOST_DRAWS", 3)
    ratings, scores = files
    expected = meta(*rated[:2], permutations=20).to_dict()
    call = ["meta", str(ratings), "--scores", str(scores), "--permutations", "20"]
    page = tmp_path / "page.html"
    found = json.loads(goldassay_command(*call, "--format", "json", "--report", str(page)).out)
    assert found["measures"] == expected["measures"]
    assert found["tests"] == expected["tests"]
    assert found["ceiling"]["segment"] == pytest.approx(expected["ceiling"]["segment"])
    rows = list(csv.DictReader(io.StringIO(goldassay_command(*call, "--format", "csv").out)))
    assert float(rows[0]["value"]) == found["measures"][0]["segment"]["kendall_b"]
    text = goldassay_command(*call).out
    assert "60 items, 6 systems, 3 raters; chance: shuffled scores" in text
    assert "| level" in goldassay_command(*call, "--format", "markdown").out
    assert r"\begin{tabular}" in goldassay_command(*call, "--format", "latex").out
    written = tmp_path / "out.md"
    goldassay_command(*call, "--format", "markdown", "-o", str(written))
    assert "| level" in written.read_text()
    html = page.read_text()
    assert html.count("<svg") == 2
    assert "http" not in html


@pytest.fixture(scope="module")
def html(rated):
    """The page of the three raters."""
    return page_of(meta(*rated[:2], permutations=20))


def test_the_page_is_drawn_as_a_report_is_in_both_themes(html):
    assert "light-dark(" in html
    rows = re.findall(r'<span class="who">(.*?)</span>.*?aria-label="(.*?)"', html)
    assert [name for name, _ in rows[:2]] == ["copy", "noise"]
    assert re.fullmatch(r"chance -?[\d.]+, people 0\.\d+, value 1\.0000", rows[0][1])
    # A perfect value is at the right end of the scale.
    assert '<i class="value" style="left:100.00%;width:0"></i>' in html
    assert rows[2][0].startswith("copy - noise (")


@pytest.mark.parametrize(("low", "place"), [(0.0, 25), (-1.0, 62.5), (-3.0, 81.25)])
def test_a_mark_lies_between_the_lowest_value_and_1(low, place):
    html = _lines([("one", 0.25, {}, "")], "title", low=low)
    assert f'<i class="value" style="left:{place:.2f}%;width:0"></i>' in html


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1400])
def test_the_page_fits_a_telephone_and_a_screen(html, tmp_path, browser, theme, width):
    path = tmp_path / "page.html"
    path.write_text(html, encoding="utf-8")
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=theme)
    page.goto(path.as_uri())
    wide, paper = page.evaluate(
        "[document.documentElement.scrollWidth, getComputedStyle(document.body).backgroundColor]"
    )
    page.close()
    assert wide == width
    assert (int(re.findall(r"\d+", paper)[0]) < 128) == (theme == "dark")


def test_predictions_are_scored_item_by_item(tmp_path, goldassay_command):
    gold = tmp_path / "gold.csv"
    gold.write_text("child,parent\ncat,pet\ndog,pet\noak,tree\n")
    for name, rows in {"good": "cat,pet\ndog,pet\noak,tree\n", "bad": "cat,tree\ndog,pet\noak,pet\n"}.items():
        (tmp_path / f"{name}.csv").write_text(f"child,parent\n{rows}")
    ratings = tmp_path / "ratings.csv"
    items = ["cat -> pet", "dog -> pet", "oak -> tree"]
    lines = [
        f"{item},{system},{int(system == 'good' or 'dog' in item)}" for item in items for system in ("good", "bad")
    ]
    ratings.write_text("item,system,rating\n" + "\n".join(lines) + "\n")
    call = [
        "meta",
        str(ratings),
        "--pred",
        str(tmp_path / "good.csv"),
        "--pred",
        str(tmp_path / "bad.csv"),
        "--gold",
        str(gold),
    ]
    found = json.loads(goldassay_command(*call, "-m", "literal", "--format", "json").out)
    [measure] = found["measures"]
    assert measure["item"] == {"auc": 1, "sensitivity": 1, "specificity": 1, "kappa": 1}
    assert measure["left_out"] == {"only_rated": 0, "only_scored": 2}
    assert found["ceiling"] == {}


def test_predictions_of_other_families_and_their_options(tmp_path, goldassay_command, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [("Book", "title", "Title"), ("Novel", "subClassOf", "Book")]
    Path("one.csv").write_text("class,property,object\n" + "".join(",".join(row) + "\n" for row in rows))
    Path("gold.csv").write_text(Path("one.csv").read_text() + "Novel,length,Number\n")
    Path("axioms.csv").write_text("item,system,rating\nBook title Title,one,1\nNovel subClassOf Book,one,0\n")
    out = goldassay_command("meta", "axioms.csv", "--pred", "one.csv", "--gold", "gold.csv", "-m", "exact")
    assert out.out.startswith("2 items, 1 system, 1 rater; ")
    # Turtle can be of several families: the prediction says which.
    head = "@prefix : <urn:> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
    Path("gold.ttl").write_text(
        f"{head}:Novel rdfs:subClassOf :Book . :title rdfs:domain :Book ; rdfs:range :Title .\n"
    )
    again = goldassay_command("meta", "axioms.csv", "--pred", "one.csv", "--gold", "gold.ttl", "-m", "exact")
    assert again.out.startswith("2 items, 1 system, 1 rater; "), again.err
    Path("classes.csv").write_text("child,parent\ndog,animal\ncat,animal\noak,plant\n")
    Path("two.tsv").write_text("instance\tlabel\nd1\tdog\nd2\toak\n")
    Path("right.tsv").write_text("instance\tlabel\nd1\tcat\nd2\toak\n")
    Path("labels.csv").write_text("item,system,rating\nd1,two,0\nd2,two,1\n")
    call = ["meta", "labels.csv", "--pred", "two.tsv", "--gold", "right.tsv", "--kind", "labels", "-m", "hierarchical"]
    assert goldassay_command(*call)[0] == 2
    page = ["--report", "page.html", "--format", "csv", "-o", "out.csv"]
    code, out, error = goldassay_command(*call, "--option", "hierarchy=classes.csv", *page)
    assert (code, out, error) == (0, "", "wrote out.csv\nwrote page.html\n")
    assert "item,auc,hierarchical(threshold=0.3),1.0," in Path("out.csv").read_text()
    assert "auc" in Path("page.html").read_text()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("item,system\na,b\n", "has no column 'rating'"),
        ("item,system,rating\na,b,good\n", "The rating is not a number"),
        ("item,system,rating\na,b,1\na,b,2\n", "rated twice"),
        ("item,system,rating\n", "The table contains no rating"),
        ("item,system,rating\na,b,nan\n", "The rating is not a number"),
    ],
)
def test_bad_ratings_are_refused(tmp_path, text, message):
    path = tmp_path / "ratings.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=message) as caught:
        read_ratings(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("item,system\na,b\n", "no column of scores"),
        ("item,system,m\na,b,1\na,b,1\n", "scored twice"),
        ("item,system,m\na,b,x\n", "The m is not a number"),
    ],
)
def test_bad_scores_are_refused(tmp_path, text, message):
    path = tmp_path / "scores.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        read_scores(path)


def test_scores_of_other_items_are_refused():
    ratings = Ratings.of([("a", "s", "ann", 1.0)])
    with pytest.raises(InputError, match="No rated output has a score of m"):
        meta(ratings, Scores(values={"m": {("b", "s"): 1.0}}))
    with pytest.raises(UsageError, match="No measure"):
        meta(ratings, Scores())


def test_a_gap_is_counted(rated):
    ratings, scores, _ = rated
    fewer = {key: value for key, value in scores.values["copy"].items() if key != ("i0", "s0")}
    report = meta(ratings, Scores(values={"copy": {**fewer, ("i0", "other"): 1.0}}))
    assert dict(report.measures[0].left_out) == {"only_rated": 1, "only_scored": 1}
    assert report.measures[0].levels["system"]["items"] == 59
    assert "1 outputs are only rated and 1 outputs are only scored, and left out" in page_of(report)
    assert goldassay.__version__


def test_gaps_on_either_side_change_nothing_of_yes_and_no():
    cells = [
        ("i1", 1.0, 0.9),
        ("i2", 0.0, 0.4),
        ("i3", 1.0, 0.3),
        ("i4", 0.0, 0.1),
        ("i5", 1.0, None),
        ("i6", None, 0.5),
    ]
    ratings = Ratings.of((item, "s", "ann", rating) for item, rating, _ in cells if rating is not None)
    scores = {(item, "s"): score for item, _, score in cells if score is not None}
    [found] = meta(ratings, Scores(values={"m": scores})).measures
    # Of four pairs of a right and a wrong one, one is in the wrong order.
    assert found.levels["item"]["auc"] == 0.75


def test_two_systems_are_not_tested_as_systems(rated):
    ratings, scores, _ = rated
    for count, levels in ((2, ["segment"]), (3, ["segment", "system"])):
        names = ratings.systems[:count]
        fewer = Ratings(
            items=ratings.items, systems=names, raters={name: matrix[:count] for name, matrix in ratings.raters.items()}
        )
        kept = {
            name: {key: value for key, value in one.items() if key[1] in names} for name, one in scores.values.items()
        }
        assert [one["level"] for one in meta(fewer, Scores(values=kept), permutations=5).tests] == levels


def test_tables_of_systems_as_a_whole(tmp_path):
    """Published results have no items."""
    ratings, scores = tmp_path / "ratings.csv", tmp_path / "scores.csv"
    ratings.write_text("system,rating\na,3\nb,2\nc,1\n")
    scores.write_text("system,mine,yours\na,0.9,0.1\nb,0.5,0.2\nc,0.1,0.3\n")
    mine, yours = meta(read_ratings(ratings), read_scores(scores)).measures
    assert mine.levels["system"]["pairwise_accuracy"] == 1
    assert yours.levels["segment"]["kendall_b"] == -1
    assert "spa" not in mine.levels["system"]


def test_a_dot_is_further_right_and_further_up_where_a_system_is_rated_and_scored_higher():
    ratings = SimpleNamespace(
        systems=("low", "none", "high", "half"), mean=np.array([[1, 1], [np.nan] * 2, [3, 5], [2, 3]])
    )
    scores = np.array([[0.1, 0.3], [0.5, 0.5], [0.9, 0.9], [0.5, np.nan]])
    drawn = page._scatter(SimpleNamespace(ratings=ratings, matrices={"f1": scores}), "f1")
    box = float(re.search(r'viewBox="0 0 (\d+) ', drawn)[1])
    dots = re.findall(r'<circle cx="([\d.-]+)" cy="([\d.-]+)" r="5"><title>(\w+)', drawn)
    places = {name: (float(across), float(down)) for across, down, name in dots}
    assert [*places] == ["low", "high", "half"]
    assert 0 < places["low"][0] < places["half"][0] < places["high"][0] < box
    assert 0 < places["high"][1] < places["half"][1] < places["low"][1] < box
    assert places["half"][0] - places["low"][0] == pytest.approx((places["high"][0] - places["low"][0]) / 3, abs=0.2)


def test_two_raters_are_a_ceiling_and_one_is_none():
    one, other = np.array([[1.0, 2.0], [3.0, 5.0]]), np.array([[1.0, 3.0], [2.0, 6.0]])
    assert evaluation._ceiling(SimpleNamespace(raters={"a": one})) == {}
    assert evaluation._ceiling(SimpleNamespace(raters={"a": one, "b": other}))


@pytest.mark.parametrize("lacking", [0, 1, "people"])
@pytest.mark.parametrize("level", ["segment", "system"])
def test_an_output_that_one_side_lacks_is_left_out_of_all(lacking, level):
    rng = np.random.default_rng(7)
    people, *pair = (rng.random((5, 6)) for _ in range(3))
    less = [some[:, 1:].copy() for some in (people, *pair)]
    (people if lacking == "people" else pair[lacking])[:, 0] = np.nan
    found = evaluation._permute(people, tuple(pair), level, 0, rng)
    assert found == pytest.approx(evaluation._permute(less[0], tuple(less[1:]), level, 0, rng))
