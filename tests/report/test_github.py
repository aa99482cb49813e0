"""What is in the summary of a build and in a comment on a pull request."""

import math
import re
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

import goldassay
from goldassay.core.text import USUAL, NumberFormat, to_one_line
from goldassay.report.gates import Checks, Gate
from goldassay.report.github import LONGEST, Part, _change, _fit_lines, comment_of

pytestmark = pytest.mark.filterwarnings("ignore::goldassay.SuspectInputWarning")
GOLD = goldassay.Graph.from_edges([("a", "r"), ("b", "r"), ("c", "r"), ("d", "r")])
MEASURES = ["literal", "motif"]


def scored(*names, gold=GOLD, measures="literal", **options):
    edges = [(name, "r") for name in names]
    return goldassay.evaluate({"pred": goldassay.Graph.from_edges(edges)}, gold=gold, measures=measures, **options)


def held(report, baseline=None, *gates, most=0.0):
    return replace(report, checks=Checks(gates=[*map(Gate.parse, gates)], baseline=baseline, max_drop=most))


def comment(*arguments, **options):
    return held(*arguments, **options).format("github")


def rows(text):
    """The cells of the first table, without the rule below its head."""
    lines = [line for line in text.partition("<details>")[0].splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in (lines[0], *lines[2:])]


def items(text):
    return re.findall(r"^[-+@] ?.*$", re.search("```diff\n(.*?)\n```", text, re.DOTALL)[1], re.MULTILINE)


def test_a_score_only_says_its_headline_and_what_it_lacks():
    text = comment(scored("a", "x"))
    assert text.startswith("### goldassay\n\ntaxonomy `pred`, 4 edges of gold `in memory`\n")
    assert rows(text) == [["measure", "value"], ["`literal`", "f1 0.3333"]]
    assert "<summary>Items: 3 missed, 1 invented</summary>" in text
    assert items(text)[1:] == ["- missed   b -> r", "- missed   c -> r", "- missed   d -> r", "- invented x -> r"]
    assert "- `literal|edges:given|text:given|gold:4|pred:2|goldassay" in text


def test_bounds_are_listed_with_what_became_of_them():
    text = comment(scored("a", "b"), None, "recall=0.5", "literal.f1=0.9")
    assert text.startswith("### ❌ goldassay: 1 of 2 checks failed\n")
    assert "- ✅ `literal` recall is 0.5, and must be at least 0.5\n" in text
    assert "- ❌ `literal` f1 is 0.666667, and must be at least 0.9\n" in text
    assert text.index("❌ `literal` f1") < text.index("✅ `literal` recall")
    assert comment(scored("a"), None, "recall=0.1").startswith("### ✅ goldassay: all checks passed\n")


def test_changes_are_better_or_worse_any_the_direction_of_the_measure():
    one, two = scored("a", measures=MEASURES), scored("a", "b", "c", "d", measures=MEASURES)
    better = [row[-1] for row in rows(comment(two, one))]
    worse = [row[-1] for row in rows(comment(one, two))]
    assert better == ["change", "better by 0.6000", "better by 1.0000"]
    assert worse == ["change", "worse by 0.6000", "worse by 1.0000"]
    assert [row[-1] for row in rows(comment(one, one))] == ["change", "same", "same"]
    assert rows(comment(two, scored("a", measures="motif")))[1][-1] == "new"
    assert rows(held(two, one).format("github", places=1, percent=True))[1][1:] == ["f1 100.0", "better by 60.0"]


def test_a_small_change_is_no_zero():
    measure = goldassay.parse("literal")
    assert _change(measure, 0.50002, 0.5, NumberFormat(4)) == "better by 2e-05"
    assert _change(measure, 0.5, 0.50002, NumberFormat(5)) == "worse by 0.00002"
    assert _change(measure, math.nan, 0.5, NumberFormat(4)) == ""


def test_what_is_worse_than_the_baseline_is_listed_and_the_rest_counted():
    before, after = scored("a", "b", "c"), scored("a", "b")
    text = comment(after, before)
    assert text.startswith("### ❌ goldassay: 2 of 3 checks failed\n")
    assert "- ❌ `literal` recall is 0.5, was 0.75: worse by 0.25, more than the allowed 0\n" in text
    assert "precision is" not in text
    assert "- ✅ none of 3 values is worse than in the baseline\n" in comment(before, after)
    assert "- ✅ none of 3 values is worse than in the baseline by more than 0.5\n" in comment(after, before, most=0.5)


def test_items_are_gained_and_lost_on_both_sides():
    before, after = scored("a", "b", "x").with_evidence(), scored("a", "c", "y")
    for now in (after, after.with_evidence()):
        text = comment(now, before)
        assert "<summary>Items: 2 lost, 2 gained</summary>" in text
        assert items(text) == [
            "@@ literal: 2 lost, 2 gained @@",
            "- missed             b -> r",
            "- invented           y -> r",
            "+ matched            c -> r",
            "+ no longer invented x -> r",
        ]
        assert "The baseline keeps no items" not in text
    assert items(comment(before, before)) == ["@@ literal: 0 lost, 0 gained @@"]
    assert "<summary>Items: 0 lost, 0 gained</summary>" in comment(before, before)


def test_a_part_of_an_item_is_gained_and_lost_too():
    gold = [{"source": "a", "target": "b", "relation": "="}]
    less = [{"source": "a", "target": "b", "relation": "<"}]
    spec = "overlap(relation=graded)"
    whole, part, none = (
        goldassay.evaluate({"pred": pred}, gold=gold, kind="alignment", measures=spec).with_evidence()
        for pred in (gold, less, [{"source": "a", "target": "z", "relation": "="}])
    )
    for now in (part, goldassay.evaluate({"pred": less}, gold=gold, kind="alignment", measures=spec)):
        assert [line.split()[:2] for line in items(comment(now, whole))[1:]] == [["-", "partial"], ["-", "partial"]]
    assert ["+", "partial"] in [line.split()[:2] for line in items(comment(part, none))]


def test_a_baseline_without_items_says_so(tmp_path):
    scored("a", "b").save(tmp_path / "before.json")
    text = comment(scored("a"), goldassay.load(tmp_path / "before.json"))
    assert "The baseline keeps no items, so that nothing is known of which were gained and lost" in text
    assert items(text)[0] == "@@ literal: 3 missed @@"


def test_a_report_without_items_has_none(tmp_path):
    scored("a").save(tmp_path / "report.json")
    assert "Items:" not in goldassay.load(tmp_path / "report.json").format("github")


def test_many_items_of_one_score_are_counted():
    gold = goldassay.Graph.from_edges([(f"n{n}", "r") for n in range(250)])
    text = comment(scored("n0", gold=gold))
    assert "\n  and 149 more\n" in text
    assert len(items(text)) == 101


def test_repeated_runs_are_held_against_those_of_the_baseline():
    gold = goldassay.Graph.from_edges([(f"n{n}", "r") for n in range(40)])

    def systems(**sizes):
        runs = {
            name: [goldassay.Graph.from_edges([(f"n{n}", "r") for n in range(count)]) for count in counts]
            for name, counts in sizes.items()
        }
        return goldassay.evaluate(runs, gold=gold, measures="literal", intervals=goldassay.Resampling(resamples=100))

    head, one, two = rows(comment(systems(old=[20, 22], new=[30, 31]), systems(old=[18, 20])))
    assert head == ["system", "measure", "value", "change"]
    assert one[2].startswith("f1 0.6")
    assert one[3].startswith("better by 0.0")
    assert two[3] == "new"
    before = systems(new=[30, 31], old=[24, 26])
    assert rows(comment(systems(old=[20, 22]), before))[1][-1].startswith("worse by 0.0")


def test_significance_is_marked_and_explained():
    gold = goldassay.Graph.from_edges([(f"n{n}", "r") for n in range(60)])
    preds = {f"p{n}": goldassay.Graph.from_edges([(f"n{m}", "r") for m in range(n)]) for n in (50, 20)}
    options = {"measures": "literal", "intervals": goldassay.Resampling(resamples=200)}
    text = goldassay.evaluate(preds, gold=gold, **options).format("github")
    assert re.search(r"f1 \*\*0\.9091 \[.*\]\*\* \|", text)
    assert re.search(r"f1 0\.5000 \[.*\]\\\* \|", text)
    assert "`* differs from p50 (p <= 0.05, approximate randomisation, 200 resamples, seed 0). ties: " in text


def test_a_score_without_faults_lists_no_items():
    assert "Items" not in goldassay.evaluate(GOLD, gold=GOLD, measures="literal").format("github")
    report = goldassay.evaluate(goldassay.Graph.from_edges([("a", "r")]), gold=GOLD, measures="literal")
    assert "<summary>Items: 3 missed</summary>" in report.format("github")


def test_a_prediction_that_was_not_scored_is_a_row(tmp_path):
    for name, text in {"good.csv": "a,r\n", "bad.csv": "a\n", "gold.csv": "a,r\n"}.items():
        (tmp_path / name).write_text(f"child,parent\n{text}")
    paths = [tmp_path / "good.csv", tmp_path / "bad.csv"]
    report = goldassay.evaluate(paths, gold=tmp_path / "gold.csv", measures="literal", unreadable="keep")
    assert rows(report.format("github"))[-1][:2] == ["`bad.csv`", "not scored"]


HOSTILE = "a|b\n`c` \x1b[31m*d*\u2028<b>_e_</b> @all #1 https://example.org </details>"


def test_names_cannot_break_out():
    graph = goldassay.Graph.from_edges([(HOSTILE, "r"), ("```", "~~~")])
    report = goldassay.evaluate({HOSTILE: graph, "p": GOLD}, gold=GOLD, measures="literal")
    text = comment(report, None, "recall=0.5")
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    inline = [one for token in tokens for one in token.children or () if token.type == "inline"]
    assert {one.type for one in inline if one.content and "@all" in one.content} == {"code_inline"}
    first = text.partition("<details>")[0]
    cells = [cell.children for start, cell in pairwise(tokens) if start.type == "td_open"]
    assert to_one_line(HOSTILE) in [one.content for cell in cells for one in cell if one.type == "code_inline"]
    assert not re.search(r"<b>|</details>|@all", re.sub(r"(`+).*?\1", "", first))
    assert len({len(row) for row in rows(text)}) == 1
    assert [token.content.strip() for token in tokens if token.type == "html_block"] == [
        line for title in re.findall("<summary>.*</summary>", text) for line in (f"<details>\n{title}", "</details>")
    ]
    assert "\x1b" not in text


LINES = st.lists(st.text("ab ", max_size=30).map(lambda text: f"- {text}"), max_size=40)


@given(st.lists(LINES, min_size=1, max_size=4), st.integers(1_000, 3_000))
def test_the_parts_are_cut_to_the_limit_and_say_by_how_much(lists, longest):
    parts = [Part(head=["```"], lines=lines, end=["```"], fold="fold") for lines in lists]
    text = _fit_lines(parts, longest)
    assert len(text) <= longest
    assert text.count("```") == 2 * len(parts)
    assert text.count("<details>") == text.count("</details>") == len(parts)
    left = sum(int(count) for count in re.findall(r"^(\d+) more lines are left out", text, re.MULTILINE))
    assert sum(line.startswith("- ") for line in text.splitlines()) + left == sum(map(len, lists))
    if len("\n\n".join(part.written(len(part.lines)) for part in parts)) < longest - 200:
        assert not left


def test_long_parts_share_what_short_ones_leave():
    parts = [Part(lines=["- a" * 10] * count) for count in (2, 500, 500)]
    first, second, *_, third, _ = _fit_lines(parts, 5_000).split("\n\n")
    assert [first.count("\n"), second.count("\n")] == [1, third.count("\n")]
    assert second.count("\n") > 70


def test_warnings_are_shown():
    strange = goldassay.Graph.from_edges([("x", "y")])
    text = comment(goldassay.evaluate({"pred": strange}, gold=GOLD, measures="literal"))
    assert re.search(r"^Warnings:\n\n- `prediction and gold have ", text, re.MULTILINE)
    assert "Warnings" not in comment(scored("a"))


def test_a_huge_report_fits_into_a_comment():
    graph = goldassay.Graph.from_edges([(f"{n} {'long name ' * 60}", "r") for n in range(80)])
    names = {f"{n}/{'folder/' * 60}pred.ttl": graph for n in range(60)}
    report = goldassay.evaluate(names, gold=GOLD, measures="literal")
    text = comment(report, None, "recall=0.5", "precision=0.5")
    assert LONGEST - 3_000 < len(text) <= LONGEST < 65_536
    assert "more lines are left out." in text
    assert len(comment_of(report, USUAL, longest=5_000)) <= 5_000


def test_the_command_writes_it_and_still_fails(goldassay_command, tmp_path):
    (tmp_path / "gold.csv").write_text("child,parent\na,r\nb,r\n")
    (tmp_path / "pred.csv").write_text("child,parent\na,r\n")
    asked = ("taxonomy", tmp_path / "pred.csv", "-g", tmp_path / "gold.csv", "-m", "literal")
    goldassay_command(*asked, "--format", "json", "--evidence", "-o", tmp_path / "before.json")
    (tmp_path / "pred.csv").write_text("child,parent\nx,r\n")
    result = goldassay_command(*asked, "--format", "github", "--baseline", tmp_path / "before.json")
    assert result.code == 1
    assert result.out.startswith("### ❌ goldassay: 3 of 3 checks failed\n")
    assert "- missed             a -> r\n" in result.out
    assert "goldassay: check failed: " in result.err
    refused = goldassay_command(*asked, "--format", "github", "--misses", "1")
    assert refused.code == 2
    assert "--format github lists the items of its own accord; --misses has no effect." in refused.err


def test_a_saved_report_is_shown_and_checked_only(goldassay_command, tmp_path):
    scored("a").with_evidence().save(tmp_path / "now.json")
    scored("a", "b").with_evidence().save(tmp_path / "before.json")
    asked = ("compare", tmp_path / "now.json", "--format", "github", "--baseline", tmp_path / "before.json")
    result = goldassay_command(*asked, "--fail-under", "recall=0.2")
    assert result.code == 1
    assert "- ✅ `literal` recall is 0.25, and must be at least 0.2" in result.out
    assert "- missed             b -> r\n" in result.out
