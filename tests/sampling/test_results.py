"""From a table of labels to a report: estimates by their formulas, intervals that hold the truth, refusals."""

import csv
import json
import math

import numpy as np
import pytest

import goldassay
from goldassay.core.errors import GoldassayError, InputError, RecordError, UsageError
from goldassay.core.significance import Interval
from goldassay.sampling.drawing import draw, extend, simple_design
from goldassay.sampling.intervals import mid_p
from goldassay.sampling.judges import prediction_powered
from goldassay.sampling.results import EstimateOptions, estimate_file, narrow_intervals
from goldassay.sampling.sample import SampleRequest
from goldassay.sampling.todo import (
    copy_labels,
    design_path,
    load_design,
    parts_of,
    read_labels,
    save_design,
    save_table,
    table_rows,
)
from goldassay.sampling.verdicts import read_verdicts


def graph(path, edges):
    path.write_text("".join(f"{child},{parent}\n" for child, parent in [("child", "parent"), *edges]))
    return path


EDGES = [(f"c{one}", f"p{one % 17}") for one in range(400)]


def truth(row):
    """Whether an edge is right: by its child, the same in every prediction."""
    return int(row["child"][1:]) % 5 != 0


def labelled(folder, preds, *, answer=truth, raters=("A",), name="todo.csv", **asked):
    gold = asked.pop("gold", None)
    made = draw(preds, kind="taxonomy", asked=SampleRequest(**asked), gold=gold)
    rows = [{**row, "label": "yes" if answer(row) else "no", "rater": rater} for row in made.rows for rater in raters]
    save_table(rows, folder / name)
    save_design(made.sample, design_path(folder / name))
    return folder / name


@pytest.fixture
def pred(tmp_path):
    return graph(tmp_path / "pred.csv", EDGES)


def test_a_simple_sample(tmp_path, pred):
    todo = labelled(tmp_path, [pred], size=60)
    report = estimate_file(todo, [pred])
    [score] = report.runs[0].scores
    right = sum(row["label"] == "yes" for _, row in table_rows(todo))
    assert score.precision == right / 60
    assert (score.intervals["precision"].low, score.intervals["precision"].high) == mid_p(right, 60, 400)
    assert score.counts["n_pred"] == 400
    assert "drawn:simple,seed=0|labels:60|unsure:leave-out(0)|pred:400" in str(score.signature)


def test_the_report_has_the_shape_of_any_other(tmp_path, pred):
    report = estimate_file(labelled(tmp_path, [pred], size=60), [pred])
    written = json.loads(report.format("json"))
    score = written["runs"][0]["scores"][0]
    assert set(score["values"]) == {"precision"}
    assert [type(end) for end in score["intervals"]["precision"]] == [float, float]
    report.save(tmp_path / "report.json")
    again = goldassay.load(tmp_path / "report.json")
    assert json.loads(again.format("json"))["runs"][0]["scores"] == written["runs"][0]["scores"]
    for layout in ("text", "markdown", "latex", "csv", "github", "html"):
        # CSV has no zeros at the end.
        assert f"{score['values']['precision']:.4f}"[:5].rstrip("0") in report.format(layout)


def test_evidence_is_the_labelled_items(tmp_path, pred):
    todo = labelled(tmp_path, [pred], size=20)
    evidence = estimate_file(todo).evidence()
    words = {f"{row['child']} | {row['parent']}": row["label"] for _, row in table_rows(todo)}
    assert {row["item"]: row["verdict"] for row in evidence.to_dicts()} == {
        name: {"yes": "hit", "no": "invented"}[label] for name, label in words.items()
    }


def test_how_many_are_drawn(pred):
    sizes = {"kind": "taxonomy", "asked": SampleRequest()}, {"kind": "taxonomy", "asked": SampleRequest(size=400)}
    by_default, every = (draw([pred], **one) for one in sizes)
    assert (len(by_default.rows), len(every.rows)) == (200, 400)
    assert by_default.notes == every.notes == []
    more = draw([pred], kind="taxonomy", asked=SampleRequest(size=401))
    assert more.notes == ["all 400 items are drawn, which are fewer than asked for"]


def test_all_items_give_the_truth(tmp_path, pred):
    [score] = estimate_file(labelled(tmp_path, [pred], size=400)).runs[0].scores
    assert (score.precision, score.intervals["precision"].low, score.intervals["precision"].high) == (0.8, 0.8, 0.8)


@pytest.mark.parametrize(
    "asked",
    [
        {"size": 80},
        {"size": 80, "design": "clusters"},
        {"size": 80, "design": "strata", "strata": "evidence"},
        {"size": 80, "design": "stratified-clusters", "strata": "evidence"},
    ],
)
def test_intervals_hold_the_truth_over_seeds(tmp_path, pred, asked):
    gold = graph(tmp_path / "gold.csv", [edge for edge in EDGES if int(edge[0][1:]) % 3 == 0])
    if "strata" in asked:
        asked = {**asked, "gold": gold}
    held, values = 0, []
    for seed in range(20):
        todo = labelled(tmp_path, [pred], seed=seed, **asked)
        [score] = estimate_file(todo).runs[0].scores
        values.append(score.precision)
        held += score.intervals["precision"].low <= 0.8 <= score.intervals["precision"].high
    assert held >= 17
    # The mean of 20 has a standard error of about 0.01.
    assert np.mean(values) == pytest.approx(0.8, abs=0.03)


def test_a_test_that_was_not_made_has_no_p_value(tmp_path, pred):
    other = graph(tmp_path / "other.csv", EDGES[200:] + [(f"c{5 * one}", "q") for one in range(100)])
    report = estimate_file(labelled(tmp_path, [pred, other], size=200, seed=1), [pred, other])
    report.save(tmp_path / "report.json")
    for one in (report, goldassay.load(tmp_path / "report.json")):
        [written] = json.loads(one.format("json"))["comparisons"]
        assert (written["p_randomisation"], written["p_bootstrap"]) == (None, None)
        assert 0 <= written["p_holm"] <= 1


def test_several_predictions(tmp_path, pred):
    """What both have serves both; precision, pooled recall and F1 against the truth, over seeds."""
    other = graph(tmp_path / "other.csv", EDGES[200:] + [(f"c{5 * one}", "q") for one in range(100)])
    values, tests = [], []
    for seed in range(20):
        report = estimate_file(labelled(tmp_path, [pred, other], size=200, seed=seed), [pred, other])
        values.append(
            [
                [run.scores[0].values[name] for name in ("precision", "pooled_recall", "pooled_f1")]
                for run in report.runs
            ]
        )
        tests.append(report.comparisons[0])
        for run in report.runs:
            score = run.scores[0]
            assert score.pooled_f1 == pytest.approx(
                2 * score.precision * score.pooled_recall / (score.precision + score.pooled_recall)
            )
    # 320 of 400 are right here, 160 of 300 there, and 320 in the pool.
    assert np.mean(values, axis=0) == pytest.approx(
        np.array([[0.8, 1.0, 2 * 0.8 / 1.8], [160 / 300, 0.5, 2 * 160 / (300 + 320)]]), abs=0.03
    )
    assert (
        np.mean([one.difference.interval.low <= 160 / 300 - 0.8 <= one.difference.interval.high for one in tests])
        >= 0.85
    )
    assert all(one.p_holm < 0.05 for one in tests)


def test_files_of_the_same_content_keep_their_names(tmp_path, pred):
    twin = graph(tmp_path / "twin.csv", EDGES)
    report = estimate_file(labelled(tmp_path, [pred, twin], size=40), [twin, pred])
    assert [run.pred.path for run in report.runs] == [str(twin), str(pred)]


def test_pooled_recall_intervals_hold_the_truth(tmp_path, pred):
    other = graph(tmp_path / "other.csv", EDGES[200:] + [(f"c{5 * one}", "q") for one in range(100)])
    truth = {"pooled_recall": 0.5, "pooled_f1": 320 / 620}
    held, values, widths = dict.fromkeys(truth, 0), {name: [] for name in truth}, {name: [] for name in truth}
    for seed in range(40):
        score = estimate_file(labelled(tmp_path, [pred, other], size=150, seed=seed)).runs[1].scores[0]
        for name, value in truth.items():
            ends = score.intervals[name]
            held[name] += ends.low <= value <= ends.high
            values[name].append(score.values[name])
            widths[name].append(ends.high - ends.low)
    assert min(held.values()) >= 36
    for name in truth:
        assert np.mean(widths[name]) == pytest.approx(2 * 1.96 * np.std(values[name]), rel=0.3)


def test_a_stratum_of_right_labels_only_is_not_taken_for_known(tmp_path):
    """Four labels of what one prediction has for itself, all right, leave open how much the other has missed."""
    wrong = {f"a{one}" for one in [*range(0, 200, 25), *range(200, 240, 5)]} | {f"b{one}" for one in range(0, 40, 3)}
    one = graph(tmp_path / "one.csv", [(f"a{number}", "p") for number in range(240)])
    two = graph(tmp_path / "two.csv", [*((f"a{n}", "p") for n in range(200)), *((f"b{n}", "p") for n in range(40))])
    todo = labelled(tmp_path, [one, two], size=25, seed=1, answer=lambda row: row["child"] not in wrong)
    score = estimate_file(todo).runs[1].scores[0]
    low, high = score.intervals["pooled_recall"].low, score.intervals["pooled_recall"].high
    assert score.pooled_recall == pytest.approx(0.8435, abs=1e-4)
    # The width was 0.04, and what is right of all, 0.87, outside.
    assert low < (192 + 26) / (192 + 32 + 26) < high


def test_more_items_are_not_asked_for_twice(tmp_path, pred):
    todo = labelled(tmp_path, [pred], size=30)
    made = extend(load_design(todo), 25)
    assert [row["id"] for row in made.rows] == [str(number) for number in range(31, 56)]
    before = {row["child"] for _, row in table_rows(todo)}
    assert not before & {row["child"] for row in made.rows}
    assert {one.key for one in load_design(todo).items.values()} <= {one.key for one in made.sample.items.values()}


def test_strata_whose_labels_vary_are_given_more(tmp_path, pred):
    gold = graph(tmp_path / "gold.csv", EDGES[:200])
    todo = labelled(
        tmp_path,
        [pred],
        size=40,
        design="strata",
        strata="evidence",
        gold=gold,
        answer=lambda row: int(row["child"][1:]) < 200 or truth(row),
    )
    known = load_design(todo)
    labels = {row["id"]: float(row["label"] == "yes") for _, row in table_rows(todo)}
    made = extend(known, 60, labels)
    sure = next(number for number, one in enumerate(known.strata) if one.name == "exact")
    fresh = [made.sample.items[row["id"]].stratum for row in made.rows]
    assert fresh.count(sure) < 20


@pytest.mark.parametrize("size", [200, 300])
def test_groups(tmp_path, size):
    other = tmp_path / "kg.csv"
    other.write_text(
        "subject,predicate,object\n"
        + "".join(f"c{one},{'eats' if one % 2 else 'likes'},x{one}\n" for one in range(300))
    )
    made = draw([other], kind="taxonomy", asked=SampleRequest(size=size), reading={"edges": "all"})
    rows = [{**row, "label": "yes" if row["predicate"] == "likes" else "no"} for row in made.rows]
    save_table(rows, tmp_path / "todo.csv")
    save_design(made.sample, design_path(tmp_path / "todo.csv"))
    [score] = estimate_file(tmp_path / "todo.csv", wanted=EstimateOptions(by=("relation",))).runs[0].scores
    [found] = score.breakdowns
    assert dict(zip(found.groups, found.values["precision"].tolist(), strict=True)) == {"likes": 1.0, "eats": 0.0}
    if size == 300:
        # As many labels each: by their names.
        assert list(found.groups) == ["eats", "likes"]
    ends = [(one["precision"].low, one["precision"].high) for one in found.intervals]
    labels = [sum((row["predicate"] == "likes") == (group == "likes") for row in made.rows) for group in found.groups]
    # Groups are of all items, as the whole is: with all of them labelled they are known.
    assert found.counts["n_pred"].tolist() == pytest.approx([count * 300 / size for count in labels])
    ends_of_labels = [
        mid_p(count * (group == "likes"), count, None) for group, count in zip(found.groups, labels, strict=True)
    ]
    known = [(float(group == "likes"),) * 2 for group in found.groups]
    assert ends == (known if size == 300 else ends_of_labels)


STRATA = [[17, 41, 19], [17, 41, 20], [3, 11, 40, 7], [9, 9, 9]]


def oppositely_labelled(tmp_path, sizes, *, design, right, preds=1):
    """Estimate from labels that a function of the relation gives, and from the opposite ones."""
    files = []
    for pred in range(preds):
        files.append(tmp_path / f"kg{pred}.csv")
        rows = [(f"s{pred}{one}", f"r{k}", f"o{one // 2}") for k, size in enumerate(sizes) for one in range(size)]
        files[-1].write_text("subject,predicate,object\n" + "".join(",".join(row) + "\n" for row in rows))
    strata = {} if design in {"simple", "clusters"} else {"strata": "relation"}
    made = draw(files, kind="triples", asked=SampleRequest(size=40, design=design, **strata))
    found = []
    for answers in (("yes", "no"), ("no", "yes")):
        rows = [{**row, "label": answers[0] if right(row) else answers[1]} for row in made.rows]
        save_table(rows, tmp_path / "todo.csv")
        save_design(made.sample, design_path(tmp_path / "todo.csv"))
        found.append(estimate_file(tmp_path / "todo.csv", wanted=EstimateOptions(by=("relation",))))
    return found


@pytest.mark.parametrize("sizes", STRATA)
@pytest.mark.parametrize("design", ["simple", "strata", "clusters", "stratified-clusters"])
@pytest.mark.parametrize("right", ["all", "r0", "some"])
def test_opposite_labels_have_the_mirrored_estimate(tmp_path, sizes, design, right):
    rule = {
        "all": lambda row: True,
        "r0": lambda row: row["predicate"] == "r0",
        "some": lambda row: row["object"] < "o3",
    }
    one, other = (
        report.runs[0].scores[0] for report in oppositely_labelled(tmp_path, sizes, design=design, right=rule[right])
    )
    assert one.values["precision"] == pytest.approx(1 - other.values["precision"], abs=1e-15)
    assert (one.values["precision"] == 1) == (right == "all")
    [of], [against] = one.breakdowns, other.breakdowns
    places = [against.groups.index(group) for group in of.groups]
    pairs = [
        (one.intervals, other.intervals),
        *zip(of.intervals, (against.intervals[at] for at in places), strict=True),
    ]
    for here, there in pairs:
        low, high = here["precision"].low, here["precision"].high
        assert 0 <= low <= high <= 1
        assert high - low < 0.9  # of two labels
        assert (low, high) == pytest.approx((1 - there["precision"].high, 1 - there["precision"].low), abs=1e-9)
    for name, whole in one.counts.items():
        assert of.counts[name].sum() == pytest.approx(whole), name


def test_the_right_items_of_a_pool_are_as_many_for_each_prediction(tmp_path):
    def found_by_first(row):
        return row["subject"].startswith("s0")

    report, _ = oppositely_labelled(tmp_path, [17, 41, 19], design="strata", right=found_by_first, preds=2)
    one, other = (run.scores[0] for run in report.runs)
    assert one.counts["n_gold"] == pytest.approx(77) == other.counts["n_gold"]
    assert (one.values["pooled_recall"], other.values["pooled_recall"], other.values["pooled_f1"]) == (1, 0, 0)
    for name in ("pooled_recall", "pooled_f1"):
        assert other.intervals[name].low == 0 < other.intervals[name].high < 0.5


def test_text_shows_the_largest_groups_and_counts_all(tmp_path):
    pred = tmp_path / "kg.csv"
    rows = [(f"s{one}", f"p{number}", f"o{one}") for number in range(26) for one in range(5 + number)]
    pred.write_text("subject,predicate,object\n" + "".join(",".join(row) + "\n" for row in rows))
    made = draw([pred], kind="triples", asked=SampleRequest(size=len(rows)))
    save_table([{**row, "label": "yes" if row["object"] != "o3" else "no"} for row in made.rows], tmp_path / "todo.csv")
    save_design(made.sample, design_path(tmp_path / "todo.csv"))
    report = estimate_file(tmp_path / "todo.csv", wanted=EstimateOptions(by=("relation",)))
    text = report.format("text")
    shown = [line.split()[0] for line in text.splitlines() if line.startswith("p") and line[1].isdigit()]
    assert shown == [f"p{number}" for number in range(25, 5, -1)]
    assert "by relation: the 20 largest of 26; --format csv has all" in text
    for layout in ("csv", "markdown"):
        assert "p0" in report.format(layout)
    assert "the 20 largest" not in report.format("markdown")


def documents(path, count=40):
    rows = [
        {"id": f"d{one}", "text": f"Text {one}.", "triples": [[f"s{one}", "p", str(place)] for place in range(one % 5)]}
        for one in range(count)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_documents_labelled_exhaustively(tmp_path):
    """Of every document one more right triple was missed, and one in four predicted ones is wrong."""
    pred = documents(tmp_path / "pred.jsonl")
    made = draw([pred], kind="triples", asked=SampleRequest(design="documents", size=10_000))
    assert made.sample.documents == len(made.sample.draws) == 40
    rows = [{**row, "label": "no" if row["object"] == "3" else "yes"} for row in made.rows if row["id"]]
    rows += [{"id": "", "document": f"d{one}", "label": "missed"} for one in range(40)]
    save_table(rows, tmp_path / "todo.csv")
    save_design(made.sample, design_path(tmp_path / "todo.csv"))
    [score] = estimate_file(tmp_path / "todo.csv").runs[0].scores
    assert score.values == {"precision": 72 / 80, "recall": 72 / 112, "f1": 2 * 72 / (80 + 112)}
    assert set(score.intervals) == {"precision", "recall", "f1"}
    # There are no more documents, so that nothing is left open.
    assert {name: (one.low, one.high) for name, one in score.intervals.items()} == {
        name: (value, value) for name, value in score.values.items()
    }
    for asked in ({"by": ["relation"]}, {"interval": "wilson"}):
        with pytest.raises(UsageError, match="no effect on whole documents"):
            estimate_file(tmp_path / "todo.csv", wanted=EstimateOptions(**asked))
    rows[0]["label"] = ""
    save_table(rows, tmp_path / "todo.csv")
    with pytest.raises(UsageError, match="only partly labelled"):
        estimate_file(tmp_path / "todo.csv")


def test_documents_without_predicted_items_have_a_row_and_only_drawn_ones_may_miss_items(tmp_path):
    pred, todo = documents(tmp_path / "pred.jsonl"), tmp_path / "todo.csv"
    made = draw([pred], kind="triples", asked=SampleRequest(design="documents", size=30))
    drawn = {one.cluster for one in made.sample.draws}
    empty = {one.cluster for one in made.sample.draws if not one.items}
    rows = [row for row in made.rows if not row["id"]]
    assert {row["document"]: row["text"] for row in rows} == {name: f"Text {name[1:]}." for name in empty}
    assert any(line.startswith(f"{len(empty)} of {len(drawn)} drawn documents have no") for line in made.notes)
    labels = [{**row, "label": "yes" if row["id"] else "no"} for row in made.rows]
    save_table(labels, todo)
    save_design(made.sample, design_path(todo))
    report = estimate_file(todo)
    assert report.runs[0].scores[0].recall == 1
    assert any(f"labelled missed in {len(drawn)} documents" in line for line in report.warnings)
    labels[-1]["label"] = "missed"
    save_table(labels, todo)
    report = estimate_file(todo)
    items = len(made.sample.items)
    assert report.runs[0].scores[0].recall == items / (items + 1)
    assert not any("missed" in line for line in report.warnings)
    extended = extend(made.sample, 40)
    assert empty.isdisjoint(row["document"] for row in extended.rows)
    assert {row["document"] for row in extended.rows if not row["id"]} == {
        one.cluster for one in extended.sample.draws if not one.items
    } - empty
    others = {f"d{one}" for one in range(40)} - drawn
    save_table([*labels, {"id": "", "document": min(others), "label": "missed"}], todo)
    refused(InputError, "of a document that was not drawn", todo)
    save_table([*labels, {"id": "", "document": "d1", "label": "yes"}], todo)
    refused(RecordError, "not in the design", todo)


def test_what_raters_missed_is_counted_once_and_is_not_predicted(tmp_path):
    pred, todo = documents(tmp_path / "pred.jsonl", count=3), tmp_path / "todo.csv"
    made = draw([pred], kind="triples", asked=SampleRequest(design="documents"))
    save_design(made.sample, design_path(todo))
    labels = [{**row, "label": "yes" if row["id"] else "no"} for row in made.rows]

    def recall(*missed):
        rows = [dict(zip(("document", "rater", "subject", "object"), one, strict=False)) for one in missed]
        save_table(
            [
                *labels,
                *({"id": "", "label": "missed", "predicate": "p" if len(row) > 2 else "", **row} for row in rows),
            ],
            todo,
        )
        return estimate_file(todo).runs[0].scores[0].recall

    assert recall(("d2", "A", "s", "x"), ("d2", "B", "S ", "x"), ("d2", "B", "s", "y")) == 3 / 5
    assert recall(("d2", "A"), ("d2", "A"), ("d2", "B")) == 3 / 5
    with pytest.raises(RecordError, match="missed item is predicted"):
        recall(("d2", "A", "s2", "1"))
    labels = [row for row in labels if row["id"]]
    with pytest.raises(UsageError, match="without predicted items has no answer"):
        recall(("d2", "A", "s", "x"))
    assert recall(("d0", "A", "s", "x")) == 3 / 4


def test_what_was_missed_is_reused_and_right_where_it_is_predicted_now(tmp_path):
    old, new, todo = documents(tmp_path / "old.jsonl", 4), tmp_path / "new.jsonl", tmp_path / "todo.csv"
    made = draw([old], kind="triples", asked=SampleRequest(design="documents"))
    save_design(made.sample, design_path(todo))
    missed = [
        {"id": "", "document": "d3", "subject": "s3", "predicate": "p", "object": word, "label": "missed"}
        for word in "xy"
    ]
    save_table([*({**row, "label": "yes" if row["id"] else "no"} for row in made.rows), *missed], todo)
    new.write_text(old.read_text().replace('["s3", "p", "0"]', '["s3", "p", "0"], ["s3", "p", "x"]'))
    drawn = draw([new], kind="triples", asked=SampleRequest(design="documents"))
    rows = copy_labels(drawn.rows, drawn.sample, todo)
    labels = sorted((row["document"], row.get("object", ""), row["label"]) for row in rows)
    assert labels == [("d0", "", "no"), ("d1", "0", "yes"), ("d2", "0", "yes"), ("d2", "1", "yes"), *(("d3", one, "yes") for one in "012x"), ("d3", "y", "missed")]  # fmt: skip


def test_items_are_missed_only_where_documents_were_drawn(tmp_path, pred):
    todo = labelled(tmp_path, [pred], size=30)
    save_table([*(row for _, row in table_rows(todo)), {"id": "", "document": "d1", "label": "missed"}], todo)
    refused(InputError, "of a document that was not drawn", todo)


def test_raters(tmp_path, pred):
    todo = labelled(tmp_path, [pred], size=30, raters=("A", "B", "C"))
    rows = [row for _, row in table_rows(todo)]
    for row in rows[1:15:3]:
        row["label"] = "no" if row["label"] == "yes" else "yes"
    save_table(rows, todo)
    report = estimate_file(todo)
    notes = "\n".join(report.gold.notes)
    assert "Krippendorff's alpha" in notes
    assert "A and B: kappa" in notes
    assert "without B: precision" in notes
    # The majority outvotes who errs.
    assert (
        report.runs[0].scores[0].precision
        == estimate_file(labelled(tmp_path, [pred], size=30, name="one.csv")).runs[0].scores[0].precision
    )
    assert "raters:3,majority" in str(report.runs[0].scores[0].signature)


@pytest.mark.parametrize(("policy", "expected"), [("leave-out", 20 / 25), ("wrong", 20 / 30), ("right", 25 / 30)])
def test_unsure_labels_by_policy(tmp_path, pred, policy, expected):
    todo = labelled(tmp_path, [pred], size=30)
    rows = [
        {**row, "label": "yes" if number < 20 else "no" if number < 25 else "unsure"}
        for number, (_, row) in enumerate(table_rows(todo))
    ]
    save_table(rows, todo)
    report = estimate_file(todo, wanted=EstimateOptions(unsure=policy))
    assert report.runs[0].scores[0].precision == pytest.approx(expected)
    assert f"unsure:{policy}(5)" in str(report.runs[0].scores[0].signature)
    assert any("raters are divided, and left out" in line for line in report.warnings) == (policy == "leave-out")


def test_who_stops_early_is_warned(tmp_path, pred):
    todo = labelled(tmp_path, [pred], size=30)
    rows = [{**row, "label": row["label"] if number < 12 else ""} for number, (_, row) in enumerate(table_rows(todo))]
    save_table(rows, todo)
    report = estimate_file(todo)
    assert report.gold.left_out == {"not_labelled": 18}
    assert any("18 of 30 drawn items have no label" in line for line in report.warnings)


def test_few_clusters_are_warned_of(tmp_path, pred):
    report = estimate_file(labelled(tmp_path, [pred], size=20, design="clusters"))
    assert any("clusters are drawn: with fewer than 30" in line for line in report.warnings)


def test_a_file_that_a_spreadsheet_saved(tmp_path, pred):
    todo = labelled(tmp_path, [pred], size=30)
    before = estimate_file(todo).runs[0].scores[0].values
    rows = [row for _, row in table_rows(todo)]
    with todo.open("w", encoding="utf-8-sig", newline="") as stream:
        writer = csv.DictWriter(stream, [name.upper() for name in rows[0]], delimiter=";")
        writer.writeheader()
        writer.writerows(
            {name.upper(): cell.upper() if name == "label" else cell for name, cell in row.items()} for row in rows
        )
    assert estimate_file(todo).runs[0].scores[0].values == before


def test_judges(tmp_path, pred):
    todo = labelled(tmp_path, [pred], size=300)
    rows = [row for _, row in table_rows(todo)]
    random = np.random.default_rng(0)
    good, coin = [], []
    for row in rows:
        right = truth(row)
        good.append(
            {
                "item": row["id"],
                "verdict": "yes" if right == (random.random() < 0.95) else "no",
                "judge": "good",
                "run": 1,
            }
        )
        coin.append({"item": row["id"], "verdict": bool(random.random() < 0.5), "judge": "coin"})
    good += [{**one, "run": 2, "verdict": "yes"} for one in good]
    for name, verdicts in (("good", good), ("coin", coin)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(one) + "\n" for one in verdicts))
    save_table([{**row, "label": row["label"] if number < 150 else ""} for number, row in enumerate(rows)], todo)
    report = estimate_file(todo, verdicts=[tmp_path / "good.jsonl", tmp_path / "coin.jsonl"])
    plain, powered = report.runs[0].scores
    assert "judge='good'" in powered.spec or "judge=good" in powered.spec
    widths = [one.intervals["precision"].high - one.intervals["precision"].low for one in (plain, powered)]
    assert widths[1] < widths[0]
    notes = "\n".join(report.gold.notes)
    assert "judge good admitted: it saves" in notes
    assert "flip between runs" in notes
    assert "judge coin refused" in notes
    # One file may have several judges, and what is judged again without a run is another run.
    (tmp_path / "both.jsonl").write_text(
        "".join(json.dumps(one) + "\n" for one in [*good, *coin, {**coin[0], "verdict": not coin[0]["verdict"]}])
    )
    both = estimate_file(todo, verdicts=[tmp_path / "both.jsonl"]).gold.notes
    assert [one for one in both if "judge good" in one] == [one for one in report.gold.notes if "judge good" in one]
    [line] = [one for one in both if "judge coin" in one]
    assert "100.0% of verdicts flip between runs" in line


def test_items_that_a_judge_leaves_out_do_not_count(tmp_path, pred):
    """A judge has verdicts on 40 of 50 labelled items, and on 110 of 150 others."""
    todo = labelled(tmp_path, [pred], size=200)
    rows = [row for _, row in table_rows(todo)]
    save_table([{**row, "label": row["label"] if place < 50 else ""} for place, row in enumerate(rows)], todo)
    judged = {place: truth(rows[place]) != (place % 9 == 0) for place in range(10, 160)}
    (tmp_path / "judge.json").write_text(json.dumps({rows[place]["id"]: one for place, one in judged.items()}))
    [_, found] = estimate_file(todo, verdicts=[tmp_path / "judge.json"]).runs[0].scores
    labels = np.array([float(rows[place]["label"] == "yes") for place in range(10, 50)])
    called = np.array([float(one) for one in judged.values()])
    assert found.precision == pytest.approx(prediction_powered(labels, called[:40], called[40:])[0])


def test_a_judge_of_clusters_is_held_against_clusters(tmp_path):
    """Items of a subject are right together: three labels of one say no more than one, also with a judge."""
    pred = tmp_path / "kg.csv"
    rows = [(f"s{one}", f"p{place}", f"o{one}{place}") for one in range(400) for place in range(3)]
    pred.write_text("subject,predicate,object\n" + "".join(",".join(row) + "\n" for row in rows))
    random, held, widths = np.random.default_rng(0), 0, []
    right = {f"s{one}": bool(random.random() < 0.6) for one in range(400)}
    truth = sum(right.values()) / 400
    for seed in range(15):
        asked = SampleRequest(size=300, design="clusters", seed=seed)
        made = draw([pred], kind="triples", asked=asked)
        called = {name: right[name] if random.random() < 0.9 else not right[name] for name in right}
        (tmp_path / "judge.json").write_text(json.dumps({row["id"]: called[row["subject"]] for row in made.rows}))
        table = [
            {**row, "label": ("yes" if right[row["subject"]] else "no") if place < 120 else ""}
            for place, row in enumerate(made.rows)
        ]
        save_table(table, tmp_path / "todo.csv")
        save_design(made.sample, design_path(tmp_path / "todo.csv"))
        report = estimate_file(tmp_path / "todo.csv", verdicts=[tmp_path / "judge.json"])
        assert "120 labelled items" in "".join(report.gold.notes)
        if len(report.runs[0].scores) == 2:
            ends = report.runs[0].scores[1].intervals["precision"]
            held, widths = held + (ends.low <= truth <= ends.high), [*widths, ends.high - ends.low]
    assert len(widths) == 15
    assert held >= 13
    # 120 independent labels with this judge would give half of this width.
    assert np.mean(widths) > 0.16


@pytest.mark.parametrize(
    ("policy", "note"),
    [("wrong", "specificity 1.000"), ("unsure", "sensitivity 0."), ("leave-out", "sensitivity 1.000")],
)
def test_verdicts_without_an_answer(tmp_path, pred, policy, note):
    todo = labelled(tmp_path, [pred], size=100)
    verdicts = {row["id"]: {"label": "correct" if truth(row) else "incorrect"} for _, row in table_rows(todo)}
    wrong = [name for name, one in verdicts.items() if one["label"] == "incorrect"]
    right = [name for name, one in verdicts.items() if one["label"] == "correct"]
    for name in wrong[:5] + (right[:5] if policy != "wrong" else []):
        verdicts[name] = {"label": "idk"}
    (tmp_path / "judge.json").write_text(json.dumps(verdicts))
    report = estimate_file(todo, verdicts=[tmp_path / "judge.json"], wanted=EstimateOptions(unanswered=policy))
    [line] = [one for one in report.gold.notes if one.startswith("judge")]
    assert note in line
    assert "without an answer" in line


VERDICTS = {
    "reasons": lambda item, right: {"item": item, "verdict": "Yes, because it is." if right else "No. It is not."},
    "bold": lambda item, right: {"item": item, "verdict": "**Yes**" if right else "**No**"},
    "thoughts": lambda item, right: {"item": item, "verdict": f"<think>no? yes?</think>\n{'yes' if right else 'no'}"},
    "JSON in a text": lambda item, right: {"id": item, "output": json.dumps({"verdict": "yes" if right else "no"})},
    "an object": lambda item, right: {"Item": item, "Verdict": {"is_correct": right, "reason": "no"}},
    "a fence": lambda item, right: {"item": item, "response": f'```json\n{{"correct": {json.dumps(right)}}}\n```'},
    "an example in a fence before it": lambda item, right: {
        "item": item,
        "response": f"The form is:\n```\nmaybe\n```\nMy verdict:\n```\n{'yes' if right else 'no'}\n```",
    },
    "a tag": lambda item, right: {"item": item, "response": f"<verdict>{'yes' if right else 'no'}</verdict>"},
    "other words": lambda item, right: {"item": item, "answer": "supported" if right else "not supported"},
    "a batch": lambda item, right: {
        "custom_id": item,
        "response": {"body": {"choices": [{"message": {"content": "Verdict: yes" if right else "Verdict: no"}}]}},
    },
}


@pytest.mark.parametrize("shape", VERDICTS)
def test_verdicts_as_models_and_tools_write_them(tmp_path, shape):
    file = tmp_path / "judge.jsonl"
    expected = {str(number): number % 3 > 0 for number in range(1, 10)}
    file.write_text("".join(json.dumps(VERDICTS[shape](*one)) + "\n" for one in expected.items()))
    assert {one.id: one.value for one in read_verdicts(file)} == {
        item: float(right) for item, right in expected.items()
    }


@pytest.mark.parametrize(
    ("verdicts", "message"),
    [
        (["A", "B", "yes"], "words that are not known(?s:.)*'A' \\(1\\)"),
        ([5, 1, 1], "is a number"),
        ([0.9, "yes"], "is a number"),
    ],
)
def test_verdicts_that_are_neither_yes_nor_no(tmp_path, verdicts, message):
    file = tmp_path / "judge.jsonl"
    file.write_text("".join(json.dumps({"item": at, "verdict": one}) + "\n" for at, one in enumerate(verdicts, 1)))
    with pytest.raises(RecordError, match=message):
        [*read_verdicts(file)]


def test_a_list_of_verdicts_below_a_key(tmp_path):
    file = tmp_path / "judge.json"
    file.write_text(json.dumps({"verdicts": [{"item": "1", "verdict": "yes"}, {"item": "2", "verdict": False}]}))
    assert [(one.id, one.value) for one in read_verdicts(file)] == [("1", 1.0), ("2", 0.0)]


def test_ids_that_were_numbered_again_are_refused(tmp_path, pred):
    todo = labelled(tmp_path, [pred], size=30)
    rows = sorted((row for _, row in table_rows(todo)), key=lambda row: [row[part] for part in parts_of(row)])
    save_table(rows, todo)
    assert estimate_file(todo)
    save_table([row | {"id": str(number)} for number, row in enumerate(rows, 1)], todo)
    refused(RecordError, "those of another item", todo)


def refused(error, message, *arguments, **more):
    with pytest.raises(error, match=message) as caught:
        estimate_file(*arguments, **more)
    assert isinstance(caught.value, GoldassayError)


def test_refusals(tmp_path, pred):
    todo = labelled(tmp_path, [pred], size=30)
    other = graph(tmp_path / "other.csv", EDGES[:10])
    refused(InputError, "has changed since", todo, [other])
    rows = [row for _, row in table_rows(todo)]
    save_table([{**rows[0], "label": "perhaps"}, *rows[1:]], todo)
    refused(RecordError, "Invalid label", todo, [pred])
    save_table([{**rows[0], "id": "999"}, *rows[1:]], todo)
    refused(RecordError, "not in the design", todo, [pred])
    save_table([{**row, "label": ""} for row in rows], todo)
    refused(UsageError, "Nothing is labelled yet", todo, [pred])
    todo.write_text("a,b\n1,2\n")
    refused(InputError, "does not contain this column", todo, [pred])
    design_path(todo).write_text("{}")
    refused(InputError, "design is damaged", todo, [pred])
    design_path(todo).unlink()
    refused(InputError, "design file", todo, [pred])


def test_a_stratum_without_labels_is_refused(tmp_path, pred):
    gold = graph(tmp_path / "gold.csv", EDGES[:30])
    todo = labelled(tmp_path, [pred], size=40, design="strata", strata="evidence", gold=gold)
    known = load_design(todo)
    exact = next(number for number, one in enumerate(known.strata) if one.name == "exact")
    save_table(
        [
            {**row, "label": "" if known.items[row["id"]].stratum == exact else row["label"]}
            for _, row in table_rows(todo)
        ],
        todo,
    )
    refused(UsageError, "A stratum has no label", todo)


def test_exact_intervals_are_of_simple_samples(tmp_path, pred):
    todo = labelled(tmp_path, [pred], size=40, design="clusters")
    refused(UsageError, "exact interval needs a simple sample", todo, wanted=EstimateOptions(interval="mid_p"))


def test_labels_without_a_design(tmp_path, pred):
    todo = labelled(tmp_path, [pred], size=30)
    design_path(todo).unlink()
    design = simple_design(todo, [pred], kind="taxonomy")
    [score] = estimate_file(todo, [pred], sample=design).runs[0].scores
    assert "assumed" in str(score.signature)
    assert math.isclose(score.counts["n_pred"], 400)
    with pytest.raises(UsageError, match="exactly one prediction"):
        simple_design(todo, [], kind="taxonomy")


def test_labels_read_back(tmp_path):
    path = tmp_path / "todo.csv"
    path.write_text("id,child,parent,label,rater\n1,cat,pet,Yes,A\n2,dog,pet,n,A\n3,x,y,?,A\n4,u,v,,\n")
    found = read_labels(path)
    assert [(one.id, one.value) for one in found.given] == [("1", 1.0), ("2", 0.0), ("3", None)]
    assert found.words["4"] == "u | v"


def test_intervals_that_are_too_wide_are_warned_of(tmp_path, pred):
    """Where labels of a stratum are alike, and where nearly all are."""
    gold = graph(tmp_path / "gold.csv", EDGES[:100])
    asked = {"size": 60, "design": "strata", "strata": "evidence", "gold": gold}
    known = {child for child, _ in EDGES[:100]}
    todo = labelled(tmp_path, [pred], answer=lambda row: row["child"] in known or truth(row), **asked)
    assert any("in 1 of 2 strata all labels are alike" in line for line in estimate_file(todo).warnings)
    every = labelled(
        tmp_path, [pred], answer=lambda row: row["child"] in known, name="every.csv", **asked | {"size": 400}
    )
    assert not any("alike" in line for line in estimate_file(every).warnings)
    plain = labelled(tmp_path, [pred], name="plain.csv", size=60)
    assert not any("alike" in line for line in estimate_file(plain).warnings)
    right = labelled(tmp_path, [pred], name="right.csv", size=60, answer=lambda row: True)
    assert not any("strata" in line for line in estimate_file(right).warnings)
    for interval, words in ((None, "wider than it needs to be"), ("ahpd", "too narrow")):
        [line] = [
            one
            for one in estimate_file(right, wanted=EstimateOptions(interval=interval)).warnings
            if "rests on few wrong" in one
        ]
        assert words in line


def test_groups_of_as_many_labels_are_in_the_order_of_their_names(tmp_path):
    pred, todo = tmp_path / "kg.csv", tmp_path / "todo.csv"
    rows = [f"s{one},p{7 - one % 8},o{one}\n" for one in range(80)]
    pred.write_text("subject,predicate,object\n" + "".join(rows))
    made = draw([pred], kind="triples", asked=SampleRequest(size=80))
    save_table([{**row, "label": "yes"} for row in made.rows], todo)
    save_design(made.sample, design_path(todo))
    [found] = estimate_file(todo, wanted=EstimateOptions(by=("relation",))).runs[0].scores[0].breakdowns
    assert list(found.groups) == [f"p{one}" for one in range(8)]


def test_the_example_of_narrow_intervals():
    assert (
        repr(narrow_intervals({"recall": Interval(0.3, 0.7)}, {"recall": 0.5}, 75, 100))
        == "{'recall': Interval(low=0.4, high=0.6)}"
    )
