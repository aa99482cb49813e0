"""What commands print, write and refuse before any work."""

from pathlib import Path
from typing import get_args

import pytest

from goldassay.cli.family import command_of
from goldassay.cli.groups import Output
from goldassay.core.errors import UsageError
from goldassay.families import family, kinds

ROOT = Path(__file__).resolve().parents[2]
LITERAL = ("-m", "literal")


@pytest.mark.parametrize(
    ("gate", "message"), [("f2=0.5", "does not match any value"), ("f1=90", "never reaches this bound")]
)
def test_a_gate_that_never_holds_is_refused_before_a_file_is_read(goldassay_command, files, gate, message):
    result = goldassay_command(
        "taxonomy", files / "nothing.csv", "-g", files / "gold.csv", *LITERAL, "--fail-under", gate
    )
    assert result.code == 2
    assert message in result.err
    assert "nothing.csv" not in result.err


def test_a_measure_of_another_family_is_reported_where_it_belongs(goldassay_command, files):
    result = goldassay_command("taxonomy", files / "good.csv", "-g", files / "gold.csv", "-m", "overlap(beta=2)")
    assert result.code == 2
    assert "overlap is a measure of alignment: goldassay alignment" in result.err


def test_places_percent_and_misses_count_for_files_too(goldassay_command, files):
    asked = (
        "taxonomy",
        files / "good.csv",
        "-g",
        files / "gold.csv",
        *LITERAL,
        "--places",
        "1",
        "--percent",
        "--misses",
        "1",
    )
    printed = goldassay_command(*asked).out
    result = goldassay_command(*asked, "-o", files / "out.txt")
    assert (files / "out.txt").read_text().splitlines() == [line.rstrip() for line in printed.splitlines()]
    assert "66.7" in printed
    assert "literal missed 1, the nearest first" in printed
    assert result.err == f"wrote {files / 'out.txt'}\n"
    assert goldassay_command(*asked, "--quiet", "-o", files / "out.txt").err == ""


def test_misses_of_several_predictions_say_whose_they_are(goldassay_command, files):
    result = goldassay_command(
        "taxonomy", files / "good.csv", files / "poor.csv", "-g", files / "gold.csv", *LITERAL, "--misses", "1"
    )
    assert f"{files / 'poor.csv'}: literal missed 2, the nearest first" in result.out


def test_markdown_shows_misses_and_json_refuses_to(goldassay_command, files):
    asked = ("taxonomy", files / "good.csv", "-g", files / "gold.csv", *LITERAL, "--misses", "1")
    shown = goldassay_command(*asked, "--format", "markdown").out
    assert "```text\nliteral missed 1, the nearest first" in shown
    assert shown.rstrip().endswith("```")
    refused = goldassay_command(*asked, "--format", "json")
    assert refused.code == 2
    assert "--format json shows no items; --misses has no effect." in refused.err


def test_a_baseline_on_another_gold_standard_is_refused(goldassay_command, files):
    saved = files / "before.json"
    goldassay_command(
        "taxonomy", files / "good.csv", "-g", files / "poor.csv", *LITERAL, "--format", "json", "-o", saved
    )
    result = goldassay_command("taxonomy", files / "good.csv", "-g", files / "good.csv", *LITERAL, "--baseline", saved)
    assert result.code == 2
    assert "The baseline is a report on another gold standard." in result.err


@pytest.fixture
def without_weights(monkeypatch, tmp_path):
    monkeypatch.setattr("goldassay.encoders.weights.PACKAGES", ("no-such-package-of-weights",))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.delenv("GOLDASSAY_MODEL_PATH", raising=False)


@pytest.mark.usefixtures("without_weights")
@pytest.mark.parametrize(
    ("command", "gold", "plain"),
    [("taxonomy", "taxonomy/reference.owl", "literal"), ("concepts", "concepts/gold.jsonl", "concept_exact")],
)
def test_without_weights_the_ways_to_a_score_are_named(goldassay_command, command, gold, plain):
    file = ROOT / "examples" / gold
    result = goldassay_command(command, file, "-g", file)
    assert result.code == 2
    for messages in (
        "pip install 'goldassay[minilm]'",
        "--download",
        "--encoder hashing",
        f"or -m {plain}, which needs",
    ):
        assert messages in result.err
    assert goldassay_command(command, file, "-g", file, "-m", plain).code == 0


def test_verbose_says_what_is_done_and_how_long_it_took(goldassay_command, files):
    command = ("taxonomy", files / "good.csv", "-g", files / "gold.csv", "--encoder", "hashing", "--verbose")
    expected_message = goldassay_command(*command, "-m", "fuzzy", "-o", files / "out.txt").err.splitlines()
    *steps, last = [line.split(" s  ") for line in expected_message[:-1] if not line.startswith("goldassay: warning: ")]
    assert [name for _, name in steps] == [
        "loading the encoder hashing",
        f"reading {files / 'gold.csv'}",
        f"reading {files / 'good.csv'}",
        "matching fuzzy(threshold=0.436)",
        "scores fuzzy(threshold=0.436)",
        "diagnostics",
        f"rendering {files / 'out.txt'}",
    ]
    each = [word.rsplit(" ", 1) for word in last[1].removeprefix("in all: ").split(", ")]
    names = [
        "loading the encoder",
        "reading",
        "matching",
        "encoding",
        "scores",
        "diagnostics",
        "rendering",
    ]
    assert [name for name, _ in each] == names
    assert float(last[0]) == pytest.approx(sum(float(seconds) for _, seconds in each), abs=0.05)
    assert "resampling" in goldassay_command(*command, "--ci", "-m", "literal").err
    refused = goldassay_command(*command, "--quiet")
    assert (refused.code, "--quiet and --verbose" in refused.err) == (2, True)


def test_swapped_files_are_noticed_by_their_names(goldassay_command, files):
    result = goldassay_command("compare", files / "good.csv", files / "gold.csv", *LITERAL)
    assert "by their names gold and prediction are swapped" in " ".join(result.out.split())
    for command in (
        ("compare", files / "gold.csv", files / "good.csv"),
        ("taxonomy", files / "gold.csv", "--gold", files / "gold.csv"),
        ("taxonomy", files / "good.csv", "--gold", files / "poor.csv"),
    ):
        assert "are swapped" not in goldassay_command(*command, *LITERAL).out


def test_saved_reports_that_are_compared_say_what_they_write(goldassay_command, files):
    saved = ("taxonomy", files / "good.csv", "-g", files / "gold.csv", *LITERAL, "--ci", "--format", "json", "-o")
    for name in ("a.json", "b.json"):
        goldassay_command(*saved, files / name)
    result = goldassay_command("compare", files / "a.json", files / "b.json", "-o", files / "out.txt", "--verbose")
    assert f"wrote {files / 'out.txt'}" in result.err
    assert "testing the differences" in result.err


@pytest.mark.parametrize("kind", [*kinds()])
def test_help_of_each_family_names_its_own_measures_and_the_default(goldassay_command, kind):
    expected_message = " ".join(goldassay_command(kind, "--help").out.replace("│", " ").split())
    for measure in family(kind).measures.classes:
        assert measure.name in expected_message
    assert f"If none is given: {', '.join(map(str, family(kind).measures.default))}." in expected_message
    assert expected_message.count(f"goldassay {kind} ") >= 4  # the usage, then three examples


LAYOUTS = ("text", "json", "csv", "markdown", "latex", "github")
TAKEN = [
    ({"evidence": True}, {"json"}),
    ({"places": 2}, {"text", "markdown", "latex", "github"}),
    ({"percent": True}, {"text", "markdown", "latex", "github"}),
    ({"places": 2, "report": Path("page.html")}, {*LAYOUTS}),
    ({"percent": True, "figure": Path("slide.svg")}, {*LAYOUTS}),
    ({"formulas": True}, {"csv"}),
    ({"formulas": True, "explain": Path("items.CSV")}, {*LAYOUTS}),
    ({"formulas": True, "explain": Path("items.parquet")}, {"csv"}),
    ({"misses": 3}, {"text", "markdown"}),
    ({"hubs": 3}, {"text", "markdown"}),
    ({"quiet": True}, {*LAYOUTS}),
    ({"verbose": True}, {*LAYOUTS}),
    ({"quiet": True, "verbose": True}, set()),
]


@pytest.mark.parametrize(("options", "layouts"), TAKEN)
def test_what_has_no_effect_in_a_layout_is_refused_and_nothing_else(options, layouts, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for layout in LAYOUTS:
        asked = Output(layout=layout, **options)
        if layout in layouts:
            asked.check()
            continue
        with pytest.raises(UsageError) as caught:
            asked.check()
        assert any(f"--{name}" in caught.value.message for name in options)


def test_a_matrix_hides_no_warning(goldassay_command, files):
    strange = files / "strange.csv"
    strange.write_text("child,parent\noak,tree\n")
    line = ("taxonomy", strange, "--gold", files / "gold.csv", *LITERAL)
    warned = [one for one in goldassay_command(*line, "--format", "csv").err.splitlines() if "warning: " in one]
    matrix = goldassay_command(*line, "--pivot")
    assert warned
    assert [one for one in matrix.err.splitlines() if "warning: " in one] == warned


OUTPUTS = ("output", "explain", "report", "figure")
SUFFIXES = {"output": ".json", "explain": ".tsv", "report": ".html", "figure": ".svg"}


@pytest.mark.parametrize("name", OUTPUTS)
def test_what_was_written_is_written_again_in_a_folder_of_any_name(goldassay_command, files, monkeypatch, name):
    monkeypatch.chdir(files)
    for word in ("json", "literal", "hashing", "label", "first", "uri"):
        Path(word).mkdir()
        asked = ("taxonomy", "good.csv", "-g", "gold.csv", *LITERAL, "--format", "json", "--encoder", "hashing", "--text", "label")  # fmt: skip
        path = f"{word}/file{SUFFIXES[name]}"
        for turn in range(2):
            result = goldassay_command(*asked, f"--{name}", path)
            assert (turn, word, result.code, result.err.partition(": the run")[0]) == (turn, word, 0, result.err)
        assert Path(path).stat().st_size


@pytest.mark.parametrize("kind", kinds())
def test_no_output_overwrites_what_a_flag_reads(goldassay_command, files, monkeypatch, kind):
    monkeypatch.chdir(files)
    flags = command_of(family(kind)).__signature__.parameters.values()
    options = {one.name: get_args(one.annotation)[1] for one in flags}
    read = {name: one for name, one in options.items() if one.metavar == "FILE" and name not in OUTPUTS}
    assert {"gold", "judged", "ignore"} <= read.keys()
    for name, option in read.items():
        Path("in.svg").write_text("a,b")
        asked = ("--gold", "gold.csv") if name != "gold" else ()
        for output in (("--format", "text", "-o"), ("--figure",)):
            result = goldassay_command(kind, "good.csv", *asked, option.default, "in.svg", *output, "in.svg")
            assert (name, "would overwrite an input" in result.err) == (name, True)
    assert Path("in.svg").read_text() == "a,b"


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("o.json", "{"),
        ("o.CSV", "prediction,"),
        ("o.md", "|"),
        ("o.tex", "% needs"),
        ("o.txt", "      "),
        ("o.log", "      "),
        ("o", "      "),
    ],
)
def test_an_output_has_the_layout_of_its_suffix_as_in_python(goldassay_command, files, name, begins):
    asked = ("taxonomy", files / "good.csv", "-g", files / "gold.csv", *LITERAL, "-o", files / name)
    assert goldassay_command(*asked).code == 0
    assert (files / name).read_text().startswith(begins)
    assert goldassay_command(*asked, "--format", "text").code == 0
    assert (files / name).read_text().startswith("      ")


def test_what_is_no_text_is_not_written_as_text(goldassay_command, files):
    for name, flag in (("o.html", "--report"), ("o.png", "--figure"), ("o.parquet", "--explain")):
        result = goldassay_command(
            "taxonomy", files / "good.csv", "-g", files / "gold.csv", *LITERAL, "-o", files / name
        )
        assert result.code == 2
        assert f"try:      {flag} {files / name}, or --format text" in result.err
        assert not (files / name).exists()


@pytest.mark.parametrize("word", ["evaluate", "eval"])
def test_who_asks_to_evaluate_means_a_family(goldassay_command, word):
    assert "goldassay taxonomy PRED --gold FILE" in goldassay_command(word, "pred.csv").err
