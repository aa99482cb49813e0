"""``goldassay sample``, ``estimate`` and ``plan`` on the command line."""

import csv
import json
import math
import re
import shutil
from pathlib import Path

import pytest

from goldassay.sampling.plans import labels_for


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pred.csv").write_text("child,parent\n" + "".join(f"c{one},p{one % 7}\n" for one in range(120)))
    return tmp_path


def answer(path, word=lambda row: "no" if int(row["child"][1:]) % 4 == 0 else "yes"):
    rows = list(csv.DictReader(path.open()))
    with path.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, rows[0])
        writer.writeheader()
        writer.writerows({**row, "label": row["label"] or word(row)} for row in rows)


def test_from_a_prediction_to_a_number(folder, goldassay_command):
    assert goldassay_command("sample", "pred.csv", "-o", "todo.csv", "--size", "40")[0] == 0
    assert next(csv.DictReader((folder / "todo.csv").open())).keys() == {
        "id",
        "child",
        "parent",
        "text",
        "label",
        "rater",
        "comment",
    }
    answer(folder / "todo.csv")
    code, out = goldassay_command("estimate", "todo.csv", "pred.csv", "--format", "json")[:2]
    score = json.loads(out)["runs"][0]["scores"][0]
    low, high = score["intervals"]["precision"]
    assert (code, low < score["values"]["precision"] < high) == (0, True)
    assert goldassay_command("sample", "-o", "todo.csv", "--more", "30")[0] == 0
    answer(folder / "todo.csv")
    code, out = goldassay_command("estimate", "todo.csv")[:2]
    assert code == 0
    assert re.search(r"70 labels used, design effect 1\.\d+; labels still needed: \d+ for \+-5 points", out)


def test_gates_and_outputs(folder, goldassay_command):
    goldassay_command("sample", "pred.csv", "-o", "todo.csv", "--size", "40")
    answer(folder / "todo.csv")
    assert goldassay_command("estimate", "todo.csv", "--fail-under", "precision=0.99")[0] == 1
    assert goldassay_command("estimate", "todo.csv", "--report", "out.html", "--explain", "items.csv")[0] == 0
    page = (folder / "out.html").read_text()
    assert "labelled(design=simple" in page
    assert "pred.csv by the labels of todo.csv</h1>" in re.sub(r"\s+<", "<", page)
    assert "A prediction of 120 edges, estimated from labels of 40 edges of todo.csv." in page
    assert len((folder / "items.csv").read_text().splitlines()) == 41


def test_a_table_with_labels_is_not_overwritten(folder, goldassay_command):
    goldassay_command("sample", "pred.csv", "-o", "todo.csv")
    code, _, err = goldassay_command("sample", "pred.csv", "-o", "todo.csv")
    assert (code, "may contain labels" in err) == (2, True)


def test_the_design_of_a_table_is_not_replaced_by_that_of_another_sample(folder, goldassay_command):
    goldassay_command("sample", "pred.csv", "-o", "todo.csv", "--size", "40")
    before = (folder / "todo.design.json").read_bytes()
    assert goldassay_command("sample", "pred.csv", "-o", "todo.html", "--format", "html", "--size", "40").code == 0
    code, _, err = goldassay_command("sample", "pred.csv", "-o", "todo.jsonl", "--format", "prompts", "--size", "41")
    assert code == 2
    assert "The design file of another sample has this name" in err
    assert (folder / "todo.design.json").read_bytes() == before
    assert not (folder / "todo.jsonl").exists()


def test_a_sample_that_has_all_items_cannot_grow(folder, goldassay_command):
    for words in (["pred.csv", "--size", "200"], ["--more", "5"]):
        out = goldassay_command("sample", *words, "-o", "todo.csv").out
        assert (
            out == "note: all 120 items are drawn, which are fewer than asked for\nwrote todo.csv: 120 items to label\n"
        )


def test_a_table_grows_in_another_folder(folder, goldassay_command, monkeypatch):
    goldassay_command("sample", "pred.csv", "-o", "todo.csv", "--size", "40")
    answer(folder / "todo.csv")
    (folder / "other").mkdir()
    for name in ("todo.csv", "todo.design.json"):
        shutil.move(folder / name, folder / "other" / name)
    monkeypatch.chdir(folder / "other")
    assert "File not found" in goldassay_command("sample", "-o", "todo.csv", "--more", "5").err
    assert goldassay_command("sample", "../pred.csv", "-o", "todo.csv", "--more", "5").code == 0
    assert goldassay_command("sample", "-o", "todo.csv", "--more", "5").code == 0
    rows = list(csv.DictReader((folder / "other" / "todo.csv").open()))
    assert (len(rows), sum(bool(row["label"]) for row in rows)) == (50, 40)
    (folder / "pred.csv").write_text("child,parent\na,b\n")
    assert "has changed since" in goldassay_command("sample", "../pred.csv", "-o", "todo.csv", "--more", "5").err


def test_half_width_says_how_many_and_why(folder, goldassay_command):
    code, out = goldassay_command("sample", "pred.csv", "-o", "todo.csv", "--half-width", "0.1", "--expect", "0.8")[:2]
    assert (code, "needs 60 of very many items" in out or "of very many items" in out) == (0, True)
    assert goldassay_command("sample", "pred.csv", "-o", "x.csv", "--half-width", "0.1", "--size", "9")[0] == 2


def test_pages_and_prompts(folder, goldassay_command):
    goldassay_command("sample", "pred.csv", "-o", "page.html", "--format", "html", "--size", "5")
    page = (folder / "page.html").read_text()
    assert "{{" not in page
    assert '"name": "page.csv"' in page
    assert "http" not in page.replace("http-equiv", "")
    goldassay_command("sample", "pred.csv", "-o", "prompts.jsonl", "--format", "prompts", "--size", "5")
    lines = [json.loads(line) for line in (folder / "prompts.jsonl").read_text().splitlines()]
    assert [one["item"] for one in lines] == ["1", "2", "3", "4", "5"]
    assert lines[0].keys() == {"item", "child", "parent", "text", "verdict"}


def test_a_page_is_extended_by_the_table_that_it_saved(folder, goldassay_command):
    for layout in ("html", "csv"):
        assert (
            goldassay_command("sample", "pred.csv", "-o", f"todo.{layout}", "--format", layout, "--size", "5").code == 0
        )
    answer(folder / "todo.csv")
    assert goldassay_command("sample", "-o", "todo.html", "--format", "html", "--more", "3").code == 0
    data = json.loads(re.search(r'id="data">(.*?)</script>', (folder / "todo.html").read_text())[1])
    assert [bool(row["label"]) for row in data["rows"]] == [True] * 5 + [False] * 3


def test_labels_of_another_table(folder, goldassay_command):
    goldassay_command("sample", "pred.csv", "-o", "old.csv", "--size", "40")
    answer(folder / "old.csv")
    twice = list(csv.DictReader((folder / "old.csv").open()))
    with (folder / "old.csv").open("a", newline="") as stream:
        csv.DictWriter(stream, twice[0]).writerows({**row, "rater": "second", "label": "no"} for row in twice[:10])
    (folder / "new.csv").write_text((folder / "pred.csv").read_text() + "n1,p1\nn2,p2\n")
    assert (
        goldassay_command("sample", "pred.csv", "new.csv", "-o", "pool.csv", "--size", "60", "--reuse", "old.csv")[0]
        == 0
    )
    rows = list(csv.DictReader((folder / "pool.csv").open()))
    assert len({row["id"] for row in rows if row["label"]}) >= 35
    assert len({row["id"] for row in rows}) == 60
    # Both raters keep their labels.
    second = [row for row in rows if row["rater"] == "second"]
    assert len(second) >= 8
    assert {row["label"] for row in second} == {"no"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["sample", "pred.csv"], "--output is missing"),
        (["sample", "-o", "todo.csv"], "prediction is missing"),
        (["sample", "text.jsonl", "-o", "x.csv"], "it was read as taxonomy; --kind names another family"),
        (["sample", "-o", "todo.csv", "--more", "5"], "File not found"),
        (["sample", "pred.csv", "-o", "x.csv", "--option", "nothing=1"], "Unknown option"),
        (["sample", "pred.csv", "-o", "x.csv", "--option", "text"], "Unknown option"),
        (["sample", "a.jsonl", "-o", "x.csv", "--kind", "concepts", "--option", "longest=long"], "a whole number"),
        (["sample", "a.jsonl", "-o", "x.csv", "--kind", "concepts", "--option", "fold=maybe"], "true or false"),
        (["sample", "pred.csv", "-o", "x.csv", "--design", "documents"], "do not belong to documents"),
        (["estimate", "pred.csv"], "design file"),
        (["plan", "--difference", "0.1"], "needs a pilot"),
        (["plan", "--half-width", "0.7"], "between 0 and 0.5"),
    ],
)
def test_refusals(folder, goldassay_command, words, message):
    (folder / "text.jsonl").write_text('{"id": "q1", "answer": "Rest helps."}\n')
    code, _, err = goldassay_command(*words)
    assert code == 2
    assert message in err
    assert "Traceback" not in err


def test_labels_without_a_design(folder, goldassay_command):
    (folder / "todo.csv").write_text(
        "id,child,parent,label\n" + "".join(f"{one},c{one},p{one % 7},yes\n" for one in range(10))
    )
    assert goldassay_command("estimate", "todo.csv", "pred.csv")[0] == 2
    code, out = goldassay_command("estimate", "todo.csv", "pred.csv", "--design", "simple", "--kind", "taxonomy")[:2]
    assert (code, "assumed: the labels have no design" in out) == (0, True)
    (folder / "iris.csv").write_text("child,parent\nhttp://x/c1,http://x/p1\nhttp://x/c2,http://x/p2\n")
    (folder / "todo.csv").write_text("id,child,parent,label\n1,c1,p1,yes\n")
    call = ["estimate", "todo.csv", "iris.csv", "--design", "simple"]
    assert goldassay_command(*call, "--option", "text=iri")[0] == 0
    assert "--option has no effect" in goldassay_command(*call[:3], "--option", "text=iri").err


def test_plan_of_labels(goldassay_command):
    code, out = goldassay_command("plan", "--half-width", "0.05", "--expect", "0.91", "--format", "json")[:2]
    assert (code, json.loads(out)["table"]) == (0, [{"precision": 0.91, "+-5 points": 130}])


@pytest.mark.parametrize(("half", "points"), [(0.1, 8), (0.25, 6), (0.3, 6)])
def test_the_curve_of_a_plan_is_around_the_width_and_of_widths_below_a_half(half, points, goldassay_command):
    made = goldassay_command("plan", "--half-width", str(half), "--expect", "0.8", "--format", "json")
    found = json.loads(made.out)["curve"]["points"]
    widths = [half * 2 ** (step / 2) for step in range(-4, points - 4)]
    assert [one["x"] for one in found] == pytest.approx(widths)
    assert [one["y"] for one in found] == [labels_for(width, 0.8, 0.95) for width in widths]


def test_a_plan_without_a_guess_is_of_usual_shares_and_widths(goldassay_command):
    table = json.loads(goldassay_command("plan", "--half-width", "0.05", "--format", "json").out)["table"]
    assert [row["precision"] for row in table] == [0.5, 0.7, 0.8, 0.9, 0.95, 0.99]
    table = json.loads(goldassay_command("plan", "--format", "json").out)["table"]
    widths = (0.05, 0.03, 0.02, 0.01)
    assert [list(row) for row in table] == [["precision", *(f"+-{100 * width:g} points" for width in widths)]] * 6
    for row in table:
        assert list(row.values())[1:] == [labels_for(width, row["precision"], 0.95) for width in widths]


def test_a_plan_of_a_population_of_one_needs_one_label(goldassay_command):
    words = ("plan", "--half-width", "0.05", "--expect", "0.91", "--population", "1", "--format", "json")
    code, out = goldassay_command(*words)[:2]
    assert (code, json.loads(out)["table"]) == (0, [{"precision": 0.91, "+-5 points": 1}])


@pytest.mark.parametrize(
    ("words", "refused", "taken"),
    [
        (("plan", "--half-width", "0.05", "--population"), ("0", "-3"), "1"),
        (("plan", "--half-width", "0.05", "--expect"), ("-0.1", "1.1"), "0.9"),
        (("plan", "--half-width", "0.05", "--effect"), ("0.001", "1001"), "1"),
        (("sample", "nowhere.csv", "-o", "todo.csv", "--size"), ("0",), "1"),
        (("sample", "nowhere.csv", "-o", "todo.csv", "--more"), ("0",), "1"),
        (("taxonomy", "nowhere.csv", "--gold", "gold.csv", "--misses"), ("-1",), "0"),
    ],
    ids=lambda words: words if isinstance(words, str) else words[-1],
)
def test_a_number_outside_its_bounds_is_refused_also_where_there_may_be_none(words, refused, taken, goldassay_command):
    for value in refused:
        found = goldassay_command(*words, value)
        assert (found.code, "Invalid value of" in found.err) == (2, True)
    assert "Invalid value of" not in goldassay_command(*words, taken).err


def test_the_curve_of_a_plan_has_a_mark_for_every_point():
    from goldassay.cli.plan import BAR, lines_of

    points = [{"x": 2, "y": 0.001}, {"x": 1000, "y": 0.4}, {"x": 2000, "y": 0.8}]
    found = {
        "title": "t",
        "table": [{"a": 1}],
        "curve": {"x": "labels", "y": "power", "points": points},
        "notes": ["n"],
    }
    assert list(lines_of(found))[-5:] == [
        "      labels  power",
        "           2  # 0.001",
        f"       1,000  {'#' * (BAR // 2)} 0.4",
        f"       2,000  {'#' * BAR} 0.8",
        "note: n",
    ]


def test_plan_of_units(folder, goldassay_command):
    rows = [f"c{one},p{one % 7}" for one in range(300)]
    for name, wrong in (("a", 30), ("b", 75)):
        (folder / f"{name}.csv").write_text(
            "child,parent\n"
            + "".join(f"{row}\n" if number >= wrong else f"{row}x\n" for number, row in enumerate(rows))
        )
    (folder / "gold.csv").write_text("child,parent\n" + "".join(f"{row}\n" for row in rows))
    goldassay_command(
        "taxonomy",
        "a.csv",
        "b.csv",
        "--gold",
        "gold.csv",
        "-m",
        "literal",
        "--ci",
        "--format",
        "json",
        "-o",
        "pilot.json",
    )
    code, out, _ = goldassay_command(
        "plan",
        "pilot.json",
        "--difference",
        "0.05",
        "--value",
        "recall",
        "--simulate",
        "--format",
        "json",
    )
    [row] = json.loads(out)["table"]
    assert (code, row["unit"]) == (0, "edge")
    assert row["simulated power"] == pytest.approx(row["power"], abs=0.03)


def pool_of_two(folder, command, size="200"):
    """Draw from two named predictions of 400 items and save the estimate: they share 260, 3 of 4 right, as are the others of the first; of the second 1 of 10."""
    for name, others in (("a", 0), ("b", 140)):
        rows = (f"c{one},{'x' if one < others else 'p'}{one % 7}" for one in range(400))
        (folder / f"{name}.csv").write_text("\n".join(["child,parent", *rows, ""]))
    command("sample", "first=a.csv", "second=b.csv", "-o", "pool.csv", "--size", size)
    of = {"p": lambda number: number % 4 != 0, "x": lambda number: number % 10 == 0}
    answer(folder / "pool.csv", lambda row: "yes" if of[row["parent"][0]](int(row["child"][1:])) else "no")
    assert command("estimate", "pool.csv", "--format", "json", "-o", "pool.json").code == 0
    return json.loads((folder / "pool.json").read_text())


def test_predictions_have_the_names_that_they_are_given(folder, goldassay_command):
    assert [run["pred"]["path"] for run in pool_of_two(folder, goldassay_command)["runs"]] == ["first", "second"]
    assert goldassay_command("sample", "-o", "pool.csv", "--more", "20").code == 0
    out = goldassay_command("estimate", "pool.csv", "other=b.csv", "a.csv", "--format", "json").out
    assert [run["pred"]["path"] for run in json.loads(out)["runs"]] == ["other", "first"]


def test_an_estimate_is_a_pilot_of_labels(folder, goldassay_command):
    report = pool_of_two(folder, goldassay_command)
    code, out, _ = goldassay_command("plan", "pool.json", "--half-width", "0.02", "--format", "json")
    rows = json.loads(out)["table"]
    assert (code, [row["prediction"] for row in rows]) == (0, ["first", "second"])
    for run, row in zip(report["runs"], rows, strict=True):
        note = next(line for line in report["gold"]["notes"] if line.startswith(row["prediction"]))
        effect, further = re.search(r"design effect ([0-9.]+).* ([0-9]+) for \+-2 points", note).groups()
        assert row["precision"] == run["scores"][0]["values"]["precision"]
        # The note allows for there being no more than these items.
        assert row["design effect"] == pytest.approx(float(effect), abs=0.1)
        assert row["+-2 points"] == pytest.approx(row["labels"] + int(further), rel=0.1)


def test_an_estimate_is_a_pilot_of_a_difference(folder, goldassay_command):
    """A label says as much of the difference as in strata of what only one has: it does not matter there how right these are."""
    pool_of_two(folder, goldassay_command, "400")
    code, out, _ = goldassay_command("plan", "pool.json", "--difference", "0.05", "--simulate", "--format", "json")
    [row] = json.loads(out)["table"]
    assert (code, row["unit"], row["pilot"]) == (0, "label", 400)
    assert row["simulated power"] == pytest.approx(row["power"], abs=0.03)
    share = 140 / 540
    variance = (140 / 400) ** 2 * (0.75 * 0.25 + 0.1 * 0.9) / share
    assert row["sd of a label"] == pytest.approx(math.sqrt(variance), abs=0.03)
    assert row["pilot's difference"] == pytest.approx(140 / 400 * (0.1 - 0.75), abs=0.03)


def test_a_pool_that_is_labelled_is_a_plan_with_power_one(folder, goldassay_command):
    report = pool_of_two(folder, goldassay_command)
    assert report["gold"]["facts"] == {"pool": 540}
    found = json.loads(goldassay_command("plan", "pool.json", "--difference", "0.02", "--format", "json").out)
    assert found["table"][0]["needed"] <= 540
    assert max(point["x"] for point in found["curve"]["points"]) <= 540
    assert found["notes"] == ["of the 540 items of the pool"]
    small = json.loads(goldassay_command("plan", "pool.json", "--difference", "0.0001", "--format", "json").out)
    assert (small["table"][0]["needed"], small["table"][0]["power"]) == (540, 1)


def test_a_plan_is_of_a_value_that_there_is_and_of_a_difference_that_it_can_have(folder, goldassay_command):
    pool_of_two(folder, goldassay_command)
    for words, message in (
        (("--difference", "0.05", "--value", "nix"), "Unknown value"),
        (("--difference", "2"), "No two values of precision differ so much"),
        (("--difference", "nan"), "must be positive"),
        (("--difference", "-1"), "must be positive"),
    ):
        result = goldassay_command("plan", "pool.json", *words)
        assert (result.code, message in result.err) == (2, True)
    result = goldassay_command("plan", "--half-width", "1e-9", "--expect", "0.5")
    assert (result.code, "The half width is too small" in result.err) == (2, True)


def test_a_pilot_has_what_a_plan_needs(folder, goldassay_command):
    pool_of_two(folder, goldassay_command)
    for words, message in (
        (("pool.json", "--difference", "0.1", "--half-width", "0.1"), "--half-width has no effect"),
        (("pool.json", "--expect", "0.9"), "--expect has no effect"),
        (("--simulate",), "--simulate has no effect"),
    ):
        code, _, err = goldassay_command("plan", *words)
        assert (code, message in err) == (2, True)


def test_the_sample_of_the_examples_can_be_extended(tmp_path, monkeypatch, goldassay_command):
    """Its items are those that the present draw gives."""
    root = Path(__file__).resolve().parent.parent.parent
    monkeypatch.chdir(root)
    for name in ("todo.csv", "todo.design.json"):
        shutil.copy(root / "examples/sampling" / name, tmp_path)
    assert goldassay_command("sample", "-o", tmp_path / "todo.csv", "--more", "3").code == 0
