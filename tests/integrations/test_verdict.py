"""A value with the reason for it."""

import pytest

from goldassay import InputError, UsageError
from goldassay.integrations import judge, parse_name
from goldassay.integrations.verdict import Judge, source

GOLD = [("cat", "animal"), ("dog", "animal"), ("rose", "plant")]
PRED = [("cat", "animal"), ("rose", "flower")]


def test_a_verdict_has_the_value_that_is_asked_for():
    recall, headline = judge(PRED, GOLD, "literal.recall"), judge(PRED, GOLD, "literal")
    assert (recall.value, recall.name) == (pytest.approx(1 / 3), "recall")
    assert (headline.value, headline.name) == (pytest.approx(0.4), "f1")


def test_a_reason_counts_both_sides_and_shows_the_nearest():
    messages = judge(PRED, GOLD, "literal").reason(1)
    assert "missed 2 of 3, the nearest first" in messages
    assert "invented 1 of 2, the nearest first" in messages
    assert messages.count("no counterpart") == 2
    assert messages.splitlines()[-1] == judge(PRED, GOLD, "literal").signature
    assert judge(PRED, GOLD, "literal").reason(0).count("\n") == 1


def test_rows_are_the_items_of_both_sides():
    rows = judge(PRED, GOLD, "literal").rows()
    assert [(row["side"], row["item"], row["verdict"]) for row in rows] == [
        ("pred", "cat -> animal", "hit"),
        ("pred", "rose -> flower", "invented"),
        ("gold", "cat -> animal", "hit"),
        ("gold", "dog -> animal", "missed"),
        ("gold", "rose -> plant", "missed"),
    ]


def test_the_measure_shows_the_family():
    assert judge(["A cat."], ["A dog."], "levenshtein").report.kind == "sentences"


def test_a_text_is_a_file():
    written = source('{"id": "a", "triples": [["s", "p", "o"], ["s", "q", "o"]]}', "answer.jsonl")
    assert judge(written, [{"id": "a", "triples": [["s", "p", "o"]]}], "triples.precision").value == 0.5


@pytest.mark.parametrize(
    ("value", "measure", "name"),
    [
        ("fuzzy", "fuzzy", ""),
        ("fuzzy.f1", "fuzzy", "f1"),
        ("fuzzy(threshold=0.5)", "fuzzy", ""),
        ("fuzzy(threshold=0.5).recall", "fuzzy", "recall"),
    ],
)
def test_the_name_of_a_value_is_its_measure_and_its_own(value, measure, name):
    found = parse_name(value)
    assert (found[0].name, found[1]) == (measure, name)


@pytest.mark.parametrize("value", ["fuzzy.f2", "fuzy.f1", ".f1", "fuzzy(threshold=0.5).", ""])
def test_a_value_that_is_none_is_refused(value):
    with pytest.raises(UsageError):
        parse_name(value)


def test_several_predictions_are_refused():
    with pytest.raises(UsageError, match="Only one prediction can be judged at a time"):
        judge({"a": PRED, "b": PRED}, GOLD, "literal")


def test_a_reason_shows_three_misses_unless_more_are_asked_for():
    gold = [("cat", "animal"), *((f"c{n}", "animal") for n in range(5))]
    shown = {most: judge(PRED, gold, "literal").reason(*most).count("no counterpart") for most in ((), (3,), (4,))}
    assert shown[()] == shown[(3,)] < shown[(4,)]
    judged = Judge(value="literal")(PRED, gold)
    assert judged.reason == judge(PRED, gold, "literal").reason(3)
    assert Judge(value="literal", misses=4)(PRED, gold).reason == judge(PRED, gold, "literal").reason(4)


def test_a_judge_knows_in_which_direction_its_value_is_better():
    assert Judge(value="literal.recall").higher_is_better
    assert not Judge(value="motif.distance").higher_is_better


def test_gold_may_be_a_text_or_items():
    text = "child,parent\n" + "".join(f"{child},{parent}\n" for child, parent in GOLD)
    values = [Judge(value="literal", name="a.csv")(PRED, gold).value for gold in (text, GOLD)]
    assert values == pytest.approx([0.4, 0.4])


def test_gold_that_cannot_be_read_is_an_error_and_no_answer_without_a_value():
    judged = Judge(value="literal", name="a.csv", unreadable=0.25)
    assert judged("a,b,c,d", GOLD).value == 0.25
    with pytest.raises(InputError):
        judged(PRED, "a,b,c,d")
