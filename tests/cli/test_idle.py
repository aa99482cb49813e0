"""Options that have no effect next to another one, or on the files that are read: each is refused or warned of."""

import pytest
from tests.cli.samples import CASES

from goldassay.families import families, family

UNREAD = "{} has no effect: these files are read without it"
OF_OTHER_FILES = {
    "taxonomy pred.csv --gold gold.csv -m literal": (
        "--obsolete keep",
        "--blank-nodes keep",
        "--language de",
        "--gold-language de",
    ),
    "axioms pred.csv --gold gold.csv -m exact --text label": ("--language de",),
    "triples once.jsonl --gold once.jsonl -m triples": ("--subject-column b", "--text iri"),
    "triples once.jsonl --gold once.jsonl --encoder hashing --propose-synonyms 0.5": ("--header no", "--text iri"),
    "triples once.jsonl --gold once.jsonl --encoder hashing --sweep -m triples(names=fuzzy,assignment=none)": (
        "--text iri",
    ),
    "sentences pred.csv --gold gold.csv": ("--language ru",),
}
"""Files of one kind, and options that do not apply to it; columns and headers that no file has are refused."""
TOGETHER = {
    "triples pred.csv --gold gold.csv -m triples": {
        "--unit corpus --ids order": "ids has no effect with unit 'corpus'",
        "--unit corpus --id-column id": "id_column has no effect with unit 'corpus'",
        "--ids order --repeated last": "repeated has no effect with ids 'order'",
        "--weight-column object": "None of the measures uses --weight-column.",
        "--gold-weight-column object": "None of the measures uses --gold-weight-column.",
        "--weight-column object -m slots": "None of the measures uses --weight-column.",
    },
    "triples pred.csv --gold gold.csv --encoder hashing --propose-synonyms 0.5": {
        "--unit corpus": "--unit has no effect with --propose-synonyms",
        "--ids order": "--ids has no effect with --propose-synonyms",
        "--gold-ids order": "--gold-ids has no effect with --propose-synonyms",
        "--weight-column object": "--weight-column has no effect with --propose-synonyms",
        "--fail-under f1=0.9": "--fail-under has no effect with --propose-synonyms",
        "--max-drop 0.1": "--max-drop has no effect with --propose-synonyms",
    },
    "taxonomy pred.csv --gold gold.csv -m literal --null reversed": {
        "--draws 7": "--draws has no effect with --null reversed",
        "--seed 7": "--seed has no effect with --null reversed",
        "--draws 7 --ci": "--draws has no effect with --null reversed",
    },
    "axioms pred.nt --gold gold.nt -m exact": {"--language de": "language has no effect with text 'name'"},
    "labels pred.csv --gold gold.csv --hierarchy tree.nt": {"--language de": "language has no effect with names 'id'"},
    "sentences pred.csv --gold gold.csv": {"--encoding cp1252": "must be UTF-8"},
}
"""Options that another one leaves without effect, and what is printed."""


@pytest.fixture
def run(goldassay_command, tmp_path, monkeypatch):
    """Run a command line on the files of the samples of its command."""
    monkeypatch.chdir(tmp_path)

    def line(text):
        kind, *words = text.split()
        for name, content in CASES[kind].files.items():
            (tmp_path / name).write_text(content)
        return goldassay_command(kind, *words)

    return line


@pytest.mark.parametrize(
    ("line", "option"), [(line, one) for line, options in OF_OTHER_FILES.items() for one in options]
)
def test_an_option_that_does_not_apply_to_the_files_is_warned_of(run, line, option):
    result = run(f"{line} {option}")
    assert (result.code, UNREAD.format(option.split()[0]) in result.err) == (0, True), result.err


def test_a_quiet_run_warns_too(run):
    line = "taxonomy pred.csv --gold gold.csv -m literal --obsolete keep -q -o out.txt"
    assert UNREAD.format("--obsolete") in run(line).err


def test_an_option_that_one_side_uses_is_not_warned_of(run):
    both = "taxonomy pred.csv --gold gold.nt -m literal --obsolete keep --child-column child"
    assert "has no effect" not in run(both).err
    assert UNREAD.format("--pred-obsolete") in run(f"{both} --pred-obsolete drop").err


def test_an_engine_warns_too(run):
    line = "taxonomy pred.csv --gold gold.csv -m literal --engine duckdb"
    assert UNREAD.format("--blank-nodes") in run(f"{line} --blank-nodes keep").err
    assert "has no effect" not in run(f"{line} --child-column child").err


@pytest.mark.parametrize(
    ("line", "option", "message"), [(line, *one) for line, options in TOGETHER.items() for one in options.items()]
)
def test_an_option_without_effect_next_to_another_is_refused(run, line, option, message):
    result = run(f"{line} {option}")
    assert (result.code, message in result.err) == (2, True), result.err


def test_a_seed_of_intervals_is_next_to_a_null_model_without_chance(run):
    line = "taxonomy pred.csv --gold gold.csv -m literal --null reversed --ci --resamples 100 --seed 7"
    assert run(line).code == 0


def test_the_measure_that_a_hint_names_uses_the_option(run):
    line = "triples wide.csv --gold widegold.csv --weight-column e"
    assert "-m 'triples(weighted=yes)'" in run(line).err
    assert run(f"{line} -m triples(weighted=yes)").code == 0


def test_proposed_synonyms_come_with_the_warnings_of_the_reader(run):
    result = run("triples bare.csv --gold baregold.csv --encoder hashing --propose-synonyms 0.5")
    assert "bare.csv: no header was recognised" in result.err


def test_what_is_not_there_to_show_is_reported(run):
    shown = run("taxonomy pred.csv --gold pred.csv -m literal --misses 3").out
    assert "literal missed nothing of gold" in shown
    shown = run("taxonomy worst.csv --gold other.csv -m closure --ignore run1.csv --hubs 3").out
    assert "closure: no predicted item is a best counterpart" in shown


@pytest.mark.parametrize("kind", families())
def test_the_help_of_a_family_names_what_it_has(goldassay_command, kind):
    message = " ".join(goldassay_command(kind, "--help").out.replace("│", " ").split())
    chosen = family(kind)
    assert f"(implies --chance): {', '.join(chosen.trust.nulls)}." in message
    has_branches = chosen.trust.restriction.branch is not None or chosen.reading.scopes("branch:NAME")
    assert ("branch:NAME" in message) == has_branches
    assert ("(source, target, partial)" in message) == bool(chosen.trust.restriction.ends)
    assert ("union, intersection" in message) == (chosen.trust.merged is not None)
    assert ("several answers of one id" in message) == (chosen.reading.references is not None)
