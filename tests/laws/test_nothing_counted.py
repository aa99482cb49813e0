"""Gold that has nothing of what the measures count is warned of, on one machine and on an engine."""

import warnings

import pytest

import goldassay

PAIRS = "source,target,relation\na,b,=\n"
SSSOM = (
    "subject_id\tpredicate_id\tobject_id\tmapping_justification\tconfidence\n"
    "a\tskos:exactMatch\tb\tm\t0.5\na\tskos:exactMatch\tc\tm\t\n"
)
CASES = {
    "only neutral pairs": ("alignment", PAIRS, "source,target,relation\na,b,?\n", "overlap", None),
    "only roots": ("labels", "instance,label\nd,pet\n", "instance,label\nd,pet\n", "hierarchical", "child,parent\ncat,pet\n"),
}  # fmt: skip


def score(tmp_path, case, measures, **more):
    kind, pred, gold, _, hierarchy = CASES[case]
    for name, text in (("pred.csv", pred), ("gold.csv", gold), ("tree.csv", hierarchy)):
        if text:
            (tmp_path / name).write_text(text)
    if hierarchy:
        more["hierarchy"] = str(tmp_path / "tree.csv")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return goldassay.evaluate(
            tmp_path / "pred.csv", gold=tmp_path / "gold.csv", kind=kind, measures=measures, **more
        )


def is_warned_of(report):
    return any(line.startswith("gold has nothing that ") for line in report.runs[0].warnings)


@pytest.mark.parametrize("case", CASES)
def test_it_is_warned_of(tmp_path, case):
    assert is_warned_of(score(tmp_path, case, CASES[case][3]))


def test_it_is_warned_of_on_an_engine(tmp_path):
    assert is_warned_of(score(tmp_path, "only neutral pairs", "overlap", engine="duckdb"))


def test_another_measure_that_counts_something_is_enough(tmp_path):
    found = score(tmp_path, "only roots", ["hierarchical", "lca"])
    assert any("hierarchical" in line and "0/0" in line for line in found.runs[0].warnings)
    assert not is_warned_of(found)


@pytest.mark.filterwarnings("ignore")
def test_candidates_without_correct_pairs_are_no_gold(tmp_path):
    pools = "SrcEntity\tTgtCandidates\na\t[('b', 0.5)]\n"
    (tmp_path / "pools.tsv").write_text(pools)
    (tmp_path / "pred.csv").write_text(PAIRS)
    assert is_warned_of(
        goldassay.evaluate(tmp_path / "pred.csv", gold=tmp_path / "pools.tsv", kind="alignment", measures="mrr")
    )


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("engine", [None, "duckdb"])
@pytest.mark.parametrize(
    ("text", "asked", "is_warned"),
    [
        (PAIRS, "overlap", False),
        (PAIRS, "overlap(threshold=0.5)", True),
        (PAIRS, "mrr", False),
        (SSSOM, "overlap", False),
        (SSSOM, "mrr", True),
        (SSSOM.replace("m\t\n", "m\t0.1\n"), "mrr", False),
    ],
)
def test_scores_that_are_not_there_are_warned_of_where_they_count(tmp_path, engine, text, asked, is_warned):
    pred = tmp_path / ("pred.csv" if text == PAIRS else "pred.sssom.tsv")
    pred.write_text(text)
    (tmp_path / "gold.csv").write_text("source,target\na,b\n")
    report = goldassay.evaluate(pred, gold=tmp_path / "gold.csv", kind="alignment", measures=asked, engine=engine)
    assert any("items without a score" in line for line in report.runs[0].warnings) == is_warned
