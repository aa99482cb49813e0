"""From predictions to a number on the command line, for every family with items, design and layout."""

import csv
import json

import pytest
from tests.cli.test_sampling import answer

DESIGNS = ("simple", "strata", "clusters", "stratified-clusters")
FAMILIES = {
    "taxonomy": "child,parent\n" + "".join(f"c{one},p{one % 7}\n" for one in range(60)),
    "axioms": "class,property,object\n" + "".join(f"C{one % 20},has{one % 3},O{one}\n" for one in range(60)),
    "alignment": "source,target,relation,score\n" + "".join(f"http://a/S{one % 30},http://b/T{one},=,0.{one % 7 + 1}\n" for one in range(60)),
    "concepts": "\n".join(json.dumps({"id": f"d{one}", "text": f"text {one}", "concepts": [f"k{one + more}" for more in range(3)]}) for one in range(20)),
    "triples": "\n".join(json.dumps({"id": f"d{one}", "triples": [[f"s{one}", f"p{more % 2}", f"o{more}"] for more in range(3)]}) for one in range(20)),
    "labels": "instance,label,score\n" + "".join(f"i{one % 40},{'abcd'[one % 3]},0.{one % 5 + 1}\n" for one in range(60)),
}  # fmt: skip
WORDS = {
    "taxonomy": ["child", "parent"], "axioms": ["class", "property", "object"], "alignment": ["source", "relation", "target"],
    "concepts": ["document", "concept"], "triples": ["document", "subject", "predicate", "object"], "labels": ["instance", "class"],
}  # fmt: skip
STRATA = {"axioms": "relation", "alignment": "score", "triples": "relation", "labels": "score"}
REFUSED = {"taxonomy": "the same relation", "concepts": "the same relation"}


def number(row):
    return sum(
        map(
            ord,
            "".join(
                cell
                for name, cell in row.items()
                if name in {"child", "object", "target", "concept", "class", "instance"}
            ),
        )
    )


def word(row):
    return "no" if number(row) % 4 == 0 else "yes"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in FAMILIES.items():
        (tmp_path / f"{name}.{'jsonl' if text.startswith('{') else 'csv'}").write_text(text)
    (tmp_path / "classes.csv").write_text("child,parent\na,top\nb,top\nc,top\nd,top\n")
    return tmp_path


def given(kind):
    return [
        f"{kind}.{'jsonl' if FAMILIES[kind].startswith('{') else 'csv'}",
        "--kind",
        kind,
        *(["--option", "hierarchy=classes.csv"] if kind == "labels" else []),
    ]


def read(path):
    return list(csv.DictReader(path.read_text().splitlines(keepends=True)))


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("kind", FAMILIES)
def test_from_a_prediction_to_a_number(folder, goldassay_command, kind, design):
    asked = ["--design", design, *(["--strata", STRATA[kind]] if "strat" in design and kind in STRATA else [])]
    code, _, err = goldassay_command("sample", *given(kind), "-o", "todo.csv", "--size", "24", *asked)
    if "strat" in design and kind in REFUSED:
        assert (code, REFUSED[kind] in err) == (2, True)
        return
    assert code == 0, err
    rows = read(folder / "todo.csv")
    columns = [name for name in rows[0] if name not in ("id", "text", "label", "rater", "comment")]
    assert columns == WORDS[kind]
    assert len(rows) >= 24
    assert not any("://" in cell for row in rows for cell in row.values())
    answer(folder / "todo.csv", word)
    code, out, err = goldassay_command("estimate", "todo.csv", given(kind)[0], "--format", "json")
    assert code == 0, err
    [score] = json.loads(out)["runs"][0]["scores"]
    low, high = score["intervals"]["precision"]
    assert 0 <= low < high <= 1
    assert low <= score["values"]["precision"] <= high
    if design == "simple":
        labels = [row["label"] for row in read(folder / "todo.csv")]
        assert score["values"]["precision"] == pytest.approx(labels.count("yes") / len(labels))
    before = {row["id"]: row for row in read(folder / "todo.csv")}
    assert goldassay_command("sample", "-o", "todo.csv", "--more", "10")[0] == 0
    after = read(folder / "todo.csv")
    assert [before[row["id"]] for row in after if row["id"] in before] == list(before.values())
    items = [tuple(row[name] for name in columns) for row in after]
    assert len(set(items)) == len(items) > len(before)


def test_what_is_around_an_item(folder, goldassay_command):
    texts = {}
    for kind in FAMILIES:
        goldassay_command("sample", *given(kind), "-o", f"{kind}.todo.csv", "--size", "60")
        texts[kind] = {
            tuple(row[name] for name in WORDS[kind]): row["text"] for row in read(folder / f"{kind}.todo.csv")
        }
    # Others of the same source, then those below and above it; three of each.
    assert texts["taxonomy"]["c0", "p0"] == "c7 → p0; c14 → p0; c21 → p0 and 5 more"
    assert texts["axioms"]["C0", "has0", "O0"] == "C0 has2 O20; C0 has1 O40"
    assert texts["alignment"]["S0", "is the same as", "T0"] == "S0 is the same as T30"
    assert texts["concepts"]["d3", "k3"] == "text 3"
    assert texts["triples"]["d3", "s3", "p0", "o0"] == "s3 p1 o1; s3 p0 o2"
    assert texts["labels"]["i1", "b"].startswith("i1 → c; ")


def test_the_text_of_gold_is_shown_where_the_prediction_has_none(folder, goldassay_command):
    (folder / "gold.jsonl").write_text(
        "\n".join(json.dumps({"id": f"d{one}", "text": f"about {one}", "triples": []}) for one in range(19))
    )
    goldassay_command("sample", *given("triples"), "-o", "todo.csv", "--size", "60", "--gold", "gold.jsonl")
    rows = read(folder / "todo.csv")
    assert {row["text"] for row in rows if row["document"] == "d4"} == {"about 4"}
    assert all("s19" in row["text"] for row in rows if row["document"] == "d19")


@pytest.mark.parametrize("layout", ["text", "json", "csv", "markdown", "latex", "github"])
@pytest.mark.parametrize("kind", ["taxonomy", "concepts"])
def test_every_layout_shows_the_precision(folder, goldassay_command, kind, layout):
    goldassay_command("sample", *given(kind), "-o", "todo.csv", "--size", "24")
    answer(folder / "todo.csv", word)
    code, out = goldassay_command("estimate", "todo.csv", "--format", layout)[:2]
    precision = json.loads(goldassay_command("estimate", "todo.csv", "--format", "json").out)["runs"][0]["scores"][0][
        "values"
    ]["precision"]
    assert code == 0
    assert f"{precision:.4f}" in out or str(precision) in out


def test_a_page_has_the_interval_and_every_labelled_item(folder, goldassay_command):
    goldassay_command("sample", *given("alignment"), "-o", "todo.csv", "--size", "24")
    answer(folder / "todo.csv", word)
    assert goldassay_command("estimate", "todo.csv", "--report", "page.html", "--explain", "items.csv").code == 0
    page = (folder / "page.html").read_text()
    first = read(folder / "todo.csv")[0]
    assert f"{first['source']} | is the same as | {first['target']}" in page
    assert len((folder / "items.csv").read_text().splitlines()) == 25


def test_prompts_have_what_a_model_needs_and_verdicts_come_back(folder, goldassay_command):
    for kind in FAMILIES:
        goldassay_command("sample", *given(kind), "-o", f"{kind}.prompts.jsonl", "--format", "prompts", "--size", "50")
        lines = [json.loads(line) for line in (folder / f"{kind}.prompts.jsonl").read_text().splitlines()]
        assert len(lines) == 50
        assert all(one["verdict"] is None and set(WORDS[kind]) <= one.keys() for one in lines)
    goldassay_command("sample", *given("axioms"), "-o", "todo.csv", "--size", "50")
    answer(folder / "todo.csv", lambda row: word(row) if int(row["id"]) <= 40 else "")
    prompts = [json.loads(line) for line in (folder / "axioms.prompts.jsonl").read_text().splitlines()]
    # The same seed asks for the same items, by the same ids.
    assert [one["object"] for one in prompts] == [row["object"] for row in read(folder / "todo.csv")]
    (folder / "verdicts.jsonl").write_text(
        "".join(json.dumps({"item": one["item"], "verdict": word(one), "judge": "m"}) + "\n" for one in prompts)
    )
    code, out = goldassay_command("estimate", "todo.csv", "--verdicts", "verdicts.jsonl")[:2]
    assert (code, "judge m admitted" in out) == (0, True)


def test_documents_that_were_labelled_to_the_end(folder, goldassay_command):
    for kind in ("triples", "concepts"):
        todo = folder / f"{kind}.todo.csv"
        goldassay_command("sample", *given(kind), "-o", todo, "--size", "24", "--design", "documents")
        answer(todo, word)
        with todo.open("a") as stream:
            first = read(todo)[0]
            writer = csv.DictWriter(stream, first)
            writer.writerows({"document": row, "label": "missed"} for row in (first["document"],) * 3)
        code, out = goldassay_command("estimate", todo, "--format", "json")[:2]
        [score] = json.loads(out)["runs"][0]["scores"]
        right = sum(row["label"] == "yes" for row in read(todo))
        assert code == 0
        assert score["values"]["recall"] == pytest.approx(right / (right + 3))
        assert score["values"]["precision"] == pytest.approx(right / 24)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda folder: (folder / "todo.design.json").unlink(), "design file"),
        (lambda folder: (folder / "axioms.csv").write_text(FAMILIES["axioms"] + "X,y,z\n"), "has changed since"),
        (lambda folder: (folder / "todo.csv").write_text("id,class,property,object,label\n" + "".join(f"{row['id']},a,b,c,{'yes' if row['property'] != 'has1' else ''}\n" for row in read(folder / "todo.csv"))), "A stratum has no label"),
        (lambda folder: (folder / "todo.design.json").write_text("{"), "design is damaged"),
    ],
)  # fmt: skip
def test_refusals(folder, goldassay_command, spoil, message):
    goldassay_command(
        "sample",
        *given("axioms"),
        "-o",
        "todo.csv",
        "--size",
        "24",
        "--design",
        "strata",
        "--strata",
        "relation",
    )
    answer(folder / "todo.csv", word)
    assert goldassay_command("estimate", "todo.csv", "axioms.csv").code == 0
    spoil(folder)
    code, _, err = goldassay_command("estimate", "todo.csv", "axioms.csv")
    assert code == 2
    assert message in err
    assert "Traceback" not in err


def test_a_sample_of_changed_predictions_is_not_extended(folder, goldassay_command):
    goldassay_command("sample", *given("axioms"), "-o", "todo.csv", "--size", "10")
    (folder / "axioms.csv").write_text(FAMILIES["axioms"] + "X,y,z\n")
    before = (folder / "todo.csv").read_text()
    code, _, err = goldassay_command("sample", "-o", "todo.csv", "--more", "5")
    assert (code, "has changed since" in err) == (2, True)
    assert (folder / "todo.csv").read_text() == before
