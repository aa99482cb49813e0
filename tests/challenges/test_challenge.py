"""A challenge is read whole, or the key that is wrong is named."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from goldassay.challenges import Limits, Rank, load
from goldassay.core.errors import InputError, UsageError


def test_what_a_challenge_says(challenge, folder):
    assert (challenge.name, challenge.kind, challenge.prediction) == ("pets-2027", "taxonomy", "prediction.csv")
    assert [str(one) for one in challenge.measures] == ["literal", "fuzzy(threshold=0.9)"]
    assert challenge.rank == Rank("literal", "f1", higher_is_better=True)
    assert (challenge.evidence, challenge.intervals, challenge.encoder) == (False, True, "hashing")
    assert challenge.options == {"on_error": "skip"}
    assert challenge.limits == Limits(megabytes=1, seconds=300, memory_megabytes=2048)
    assert Limits() == Limits(megabytes=20, seconds=300, memory_megabytes=2048)
    development, final = challenge.phases
    assert (development.gold, final.gold) == (
        (folder / "vault" / "dev.csv",),
        (folder / "vault" / "dev.csv", folder / "vault" / "more.csv"),
    )
    assert development.end == final.start
    assert (development.submissions_a_day, final.submissions_a_day) == (5, None)


def test_when_a_phase_is_open(challenge):
    development, final = challenge.phases
    for day, is_open in (
        ((2026, 12, 31), (False, False)),
        ((2027, 1, 1), (True, False)),
        ((2027, 3, 1), (False, True)),
    ):
        now = datetime(*day, tzinfo=UTC)
        assert (development.is_open(now), final.is_open(now)) == is_open
    assert final.is_open(datetime(2099, 1, 1, tzinfo=UTC))
    hidden = replace(development, hidden=True)
    moments = [hidden.end - timedelta(seconds=1), hidden.end]
    assert [[one.hides(now) for now in moments] for one in (hidden, development)] == [[True, False], [False, False]]
    assert not replace(hidden, end=None).hides(moments[0])


def test_a_phase_by_its_name(challenge):
    assert challenge.phase("final") is challenge.phases[1]
    with pytest.raises(UsageError, match="Unknown phase 'finale'"):
        challenge.phase("finale")


def test_gold_need_not_be_there(challenge, folder):
    (folder / "vault" / "dev.csv").unlink()
    assert load(folder / "challenge.toml") == challenge
    with pytest.raises(InputError, match="File not found"):
        challenge.gold_standards("development")


def test_options_are_those_of_the_command_line(folder):
    path = folder / "challenge.toml"
    (folder / "names.csv").write_text("name\n")
    text = path.read_text().replace('kind = "taxonomy"', 'kind = "concepts"')
    text = text.replace('["literal", "fuzzy(threshold=0.9)"]', '["concept_exact"]').replace(
        "literal.f1", "concept_exact.f1"
    )
    path.write_text(
        text.replace('on-error = "skip"', 'dictionary = "names.csv"\nvocabulary = ["A", "B"]\nid-column = "key"')
    )
    found = load(path).options
    assert found == {"dictionary": str(folder / "names.csv"), "vocabularies": ("A", "B"), "id": "key"}


def test_files_of_measures_are_options_too(folder):
    path = folder / "challenge.toml"
    text = path.read_text().replace('kind = "taxonomy"', 'kind = "triples"')
    text = text.replace('["literal", "fuzzy(threshold=0.9)"]', '["triples", "relations"]').replace(
        "literal.f1", "triples.f1"
    )
    (folder / "same.tsv").write_text("a\tb\n")
    path.write_text(text.replace('on-error = "skip"', 'synonyms = "same.tsv"'))
    triples, relations = load(path).measures
    assert triples.synonyms == str(folder / "same.tsv")
    assert not hasattr(relations, "synonyms") or relations.synonyms == str(folder / "same.tsv")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "pets-2027"', 'name = "pets 2027"', ["name: Invalid name.", "'pets 2027'"]),
        ('title = "Pets 2027"', "", ["expected: the key 'title'"]),
        ('title = "Pets 2027"', "title = 1", ["title: 1", "expected: string"]),
        ("intervals = true", "interval = true", ["interval: an unknown key", "intervals"]),
        ("intervals = true", "intervals = tru", ["challenge.toml:10:13:", "Invalid TOML."]),
        ('kind = "taxonomy"', 'kind = "taxonomies"', ["kind: Unknown kind 'taxonomies'.", "try:      taxonomy"]),
        ('"literal", "fuzzy', '"litteral", "fuzzy', ["measures: Unknown measure 'litteral'.", "try:      literal"]),
        ("literal.f1", "literal.f2", ["rank_by: Unknown value 'literal.f2'.", "literal.f1"]),
        ("literal.f1", "literal", ["rank_by: Unknown value 'literal'."]),
        ('"prediction.csv"', '"../prediction.csv"', ["prediction: Invalid file name."]),
        ('"prediction.csv"', '".."', ["prediction: Invalid file name."]),
        (
            'on-error = "skip"',
            'on-eror = "skip"',
            ["options: Unknown option of taxonomy 'on-eror'.", "try:      on-error"],
        ),
        ('on-error = "skip"', 'on-error = "maybe"', ["options: ", "expected: stop, skip"]),
        ('name = "final"', 'name = "development"', ["phases: Two phases have the same name."]),
        ("2027-01-01T00:00:00Z", "2028-01-01T00:00:00Z", ["phases: The phase 'development' ends before it begins."]),
        ("2027-01-01T00:00:00Z", "2027-03-01T00:00:00Z", ["phases: The phase 'development' ends before it begins."]),
        ("submissions_a_day = 5", 'submissions = "often"', ["Unknown value of submissions 'often'.", "auto"]),
        ("2027-01-01T00:00:00Z", "2027-01-01T00:00:00", ["development.start is not a date and time", "with an offset"]),
        ("2027-01-01T00:00:00Z", "2027-01-01", ["development.start is not a date and time"]),
        ("2027-01-01T00:00:00Z", "0001-01-01T00:00:00+14:00", ["development.start is not a date and time"]),
        ("2027-01-01T00:00:00Z", '"soon"', ["development.start is not a date and time"]),
        ("submissions_a_day = 5", "submissions_a_day = 0", ["phases[0].submissions_a_day: 0", "at least 1"]),
        ("megabytes = 1", "megabyte = 1", ["limits.megabyte: an unknown key"]),
        ("megabytes = 1", f"megabytes = {'9' * 5000}", ["A number in the TOML has too many digits."]),
        ("megabytes = 1", f"megabytes = 0x{'f' * 5000}", ["A number in the TOML has too many digits."]),
        ("megabytes = 1", f"{'a.' * 1500}b = 1", [".toml:28: The TOML is nested too deeply."]),
        ("megabytes = 1", '"a" . ' * 100_000 + "b = 1", ["The TOML is nested too deeply."]),
        (
            "[limits]",
            "".join(f"[{'.'.join('a' * depth)}]\n" for depth in range(1, 150)),
            ["The TOML is nested too deeply."],
        ),
        ('name = "pets-2027"', f'name = "{"p" * 5000}"', ["name: Invalid name."]),
        ('"prediction.csv"', r'"a\u0000b"', ["prediction: Invalid file name."]),
        ('"prediction.csv"', f'"{"p" * 5000}"', ["prediction: Invalid file name."]),
    ],
)
def test_a_wrong_key_is_named(folder, old, new, message):
    path = folder / "challenge.toml"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(InputError) as error:
        load(path)
    assert str(error.value).startswith(str(path))
    for part in message:
        assert part in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "The file is empty"),
        ("# \xff", "challenge.toml:1: The file is not in the encoding utf-8"),
        ("a = " + "[" * 5000, "The TOML is nested too deeply"),
    ],
)
def test_what_is_no_toml(tmp_path, text, message):
    path = tmp_path / "challenge.toml"
    path.write_text(text, encoding="latin-1")
    with pytest.raises(InputError, match=message):
        load(path)


def test_limits_may_be_set_by_the_size_of_gold(folder):
    path = folder / "challenge.toml"
    path.write_text(path.read_text().replace("submissions_a_day = 5", 'submissions = "auto"'))
    assert load(path).phases[0].submissions == "auto"


@pytest.mark.parametrize(("ranks", "worst"), [("literal.f1", 0), ("motif.distance", 1)])
def test_the_worst_is_that_of_the_value_that_ranks(folder, ranks, worst):
    path = folder / "challenge.toml"
    text = path.read_text().replace('"fuzzy(threshold=0.9)"', '"motif"').replace("literal.f1", ranks)
    path.write_text(text)
    assert load(path).worst() == worst


def test_a_word_is_no_file_even_if_there_is_one_of_that_name(folder):
    (folder / "skip").write_text("")
    assert load(folder / "challenge.toml").options["on_error"] == "skip"


def test_items_of_gold_may_be_shown_where_no_value_is_hidden(folder):
    path = folder / "challenge.toml"
    path.write_text(path.read_text().replace("intervals = true", "intervals = true\nevidence = true"))
    assert load(path).evidence
    path.write_text(path.read_text().replace("evidence = true", "evidence = true\nladder = 0.1"))
    with pytest.raises(InputError, match="shows items of gold, and hides values"):
        load(path)
