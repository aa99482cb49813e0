"""What is a file on the command line is never scored as a text, what it looks like."""

import pathlib

import pytest

import goldassay
from goldassay.cli import COMMANDS, make_command
from goldassay.families import families

TEXTS = '{"id": "1", "text": "The cat sleeps."}\n'
ABSENT = ("my answers.jsonl", "my answers", "The cat sleeps.", "no/such file.csv", "a b.csv#c d", "answers.jsonl")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a gold standard of texts."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gold.jsonl").write_text(TEXTS)
    return tmp_path


@pytest.mark.parametrize("name", ABSENT)
@pytest.mark.parametrize("kind", families())
def test_a_file_that_does_not_exist_is_an_error(kind, name, folder, goldassay_command):
    for words in (
        [name, "--gold", "gold.jsonl"],
        ["gold.jsonl", "--gold", name],
        [name, name + "2", "-g", "gold.jsonl"],
    ):
        result = goldassay_command(kind, *words, *(["--hierarchy", "gold.jsonl"] if kind == "labels" else []))
        assert result.code == 2
        if kind in {"concepts", "sentences"}:
            assert "File not found" in result.err


FILE_FLAGS = [
    (kind, flag.opts[0])
    for kind in families()
    for flag in make_command(kind).params
    if flag.opts[0].startswith("--")
    and flag.metavar == "FILE"
    and flag.name not in {"output", "explain", "report", "figure"}
]


@pytest.mark.parametrize(("kind", "flag"), FILE_FLAGS)
def test_a_file_of_an_option_that_does_not_exist_is_an_error(kind, flag, folder, goldassay_command):
    (folder / "a.csv").write_text("child,parent\ncat,animal\n")
    gold = [] if flag == "--gold" else ["--gold", "gold.jsonl"]
    result = goldassay_command(kind, "gold.jsonl", *gold, flag, "no such file.jsonl")
    assert result.code == 2


def every_command():
    """Give the words and the parameters of every command that ends by itself, and those of groups."""
    for name in made_names():
        for sub, one in getattr(make_command(name), "commands", {"": make_command(name)}).items():
            yield f"{name} {sub}".split(), one.params


def made_names():
    return sorted({*families(), *COMMANDS} - {"serve", "cache"})


COMMON = {one.opts[0] for one in make_command("taxonomy").params if one.opts[0] != "--gold"}
"""What families share is tried with one of them."""
PARAMS = {" ".join(words): params for words, params in every_command()}
NAMED = [
    (words, one.opts[0])
    for words, params in PARAMS.items()
    for one in params
    if (
        (words == "taxonomy" or words.split()[0] not in families() or one.opts[0] not in COMMON)
        and one.metavar in {"FILE", "PATH", "FOLDER", "REPORT"}
    )
    or (words.split()[0] not in families() and not one.opts[0].startswith("-"))
]
COLUMNS = "id child parent source target subject predicate object class property instance label text concepts item system rating"


@pytest.mark.parametrize(("words", "name"), NAMED)
def test_a_name_that_is_too_long_for_a_file_is_an_error(words, name, folder, goldassay_command):
    (folder / "a.csv").write_text("\n".join([COLUMNS.replace(" ", ","), ",".join("1" for _ in COLUMNS.split())]))
    long, named = "n" * 300, [one.opts[0] for one in PARAMS[words]]
    line = [long if one == name else "a.csv" for one in named if not one.startswith("-")]
    line += [name, long] if name.startswith("-") else []
    line += ["--gold", "a.csv"] if "--gold" in named and name != "--gold" else []
    line += ["--measure", "fuzzy"] if words == "taxonomy" else []
    assert goldassay_command(*words.split(), *line).code in {0, 2}


@pytest.mark.parametrize("kind", ["concepts", "sentences"])
def test_a_file_with_blanks_in_its_name_is_read(kind, folder, goldassay_command):
    (folder / "my answers.jsonl").write_text(TEXTS)
    measure = ["-m", "concept_exact"] if kind == "concepts" else []
    for name in ("my answers.jsonl", "./my answers.jsonl"):
        result = goldassay_command(kind, name, "--gold", "gold.jsonl", *measure)
        assert (result.code, "1.0000" in result.out) == (0, True)
    in_python = goldassay.evaluate(
        ["my answers.jsonl"],
        gold=["gold.jsonl"],
        kind=kind,
        measures=[word for word in measure if word != "-m"] or None,
    )
    assert in_python.runs[0].pred.path == "my answers.jsonl"
    assert in_python.runs[0].scores[0].f1 == 1.0


@pytest.mark.parametrize("column", ["Reference Summaries", "answer [en]", "a#b", "2. try?"])
def test_a_column_may_have_blanks(column, folder, goldassay_command):
    (folder / "test 1.csv").write_text(f"id,text,{column}\n1,Take aspirin.,Take aspirin.\n")
    if "#" not in column:
        result = goldassay_command(
            "concepts", f"test 1.csv#{column}", "--gold", "test 1.csv#text", "-m", "concept_exact", "--format", "csv"
        )
        assert result.code == 0, result.err
        report = goldassay.evaluate(
            f"test 1.csv#{column}", gold="test 1.csv#text", kind="concepts", measures="concept_exact"
        )
        assert report["concept_exact"].f1 == 1.0
    wrong = goldassay_command(
        "concepts", "test 1.csv#no such column", "--gold", "test 1.csv#text", "-m", "concept_exact"
    )
    assert wrong.code == 2
    assert "no such column" in wrong.err


@pytest.mark.parametrize(("kind", "measure"), [("concepts", "concept_exact"), ("sentences", "levenshtein")])
def test_texts_have_their_own_flags(kind, measure, folder, goldassay_command):
    texts = [
        "--text",
        "The cat sleeps.",
        "--text",
        "notes.txt",
        "--gold-text",
        "The cat sleeps.",
        "--gold-text",
        "notes.txt",
    ]
    result = goldassay_command(kind, *texts, "-m", measure)
    assert (result.code, "1.0000" in result.out) == (0, True)
    assert goldassay_command(kind, "gold.jsonl", *texts, "-m", measure).code == 2
    assert goldassay_command(kind, *texts, "--gold", "gold.jsonl", "-m", measure).code == 2
    assert goldassay_command(kind, *texts, "--runs", "a=*.jsonl", "-m", measure).code == 2


@pytest.mark.parametrize("name", ["my answers.jsonl", "answers.csv#a b", "runs/answers", "gold.ttl.gz"])
def test_in_python_a_missing_path_is_an_error(name, folder):
    for given in (name, [name], {"a": name}, {"a": [name, name + "x.csv"]}, [pathlib.Path(name)], pathlib.Path(name)):
        with pytest.raises(goldassay.InputError, match="File not found"):
            goldassay.evaluate(given, gold=["The cat sleeps."], kind="sentences")


def test_in_python_texts_are_not_mixed_with_paths(folder):
    with pytest.raises(goldassay.InputError, match="others are texts"):
        goldassay.evaluate(["my answers.jsonl", "The cat sleeps."], gold=["A cat."], kind="sentences")
    assert len(goldassay.evaluate(["N/A", "The cat."], gold=["A cat.", "B"], kind="sentences").runs[0].pred) == 2
