"""A table with what a system predicted next to what is right: its column of gold is never read without a word, in any family and format."""

import json
import random

import pandas as pd
import polars as pl
import pytest

import goldassay
from goldassay.formats import both_sides

CLASSES = ["sports", "world", "business", "science"]
SENTENCES = [
    "the cat sat on the mat near the door",
    "a dog ran over the green hill today",
    "rain fell all day in the old town",
]


def drawn(make):
    """What is right and what was predicted, of which half is wrong."""
    draw = random.Random(0)  # noqa: S311 - any numbers
    right = [make(draw.randrange(40)) for _ in range(60)]
    return right, [one if draw.random() < 0.5 else make(draw.randrange(40)) for one in right]


NAMED = drawn(lambda at: CLASSES[at % 4])
KINDS = {
    "labels": ("label", "label", {"id": [f"d{at}" for at in range(60)]}, NAMED),
    "labels of numbers": ("label", "label", {"id": [f"d{at}" for at in range(60)]}, drawn(lambda at: str(at % 4))),
    "taxonomy": ("parent", "parent", {"child": [f"c{at}" for at in range(60)]}, drawn("thing {}".format)),
    "alignment": ("target", "target", {"source": [f"http://a#{at}" for at in range(60)]}, drawn("http://b#{}".format)),
    "triples": ("object", "object", {"subject": [f"s{at}" for at in range(60)], "predicate": ["in"] * 60}, NAMED),
    "triples by relation": ("predicate", "relation", {"head": [f"s{at}" for at in range(60)], "tail": [f"o{at}" for at in range(60)]}, NAMED),
    "axioms": ("object", "object", {"class": [f"s{at}" for at in range(60)], "property": ["in"] * 60}, NAMED),
    "concepts": ("concepts", "concepts", {"id": [f"d{at}" for at in range(60)]}, drawn(lambda at: f"{CLASSES[at % 4]}; thing {at}")),
    "sentences": ("text", "text", {"id": [f"d{at}" for at in range(60)]}, drawn(lambda at: SENTENCES[at % 3])),
}  # fmt: skip
FORMATS = {
    "a.csv": lambda frame: frame.write_csv(),
    "a.tsv": lambda frame: frame.write_csv(separator="\t"),
    "a.jsonl": lambda frame: frame.write_ndjson(),
    "a.json": lambda frame: json.dumps(frame.to_dicts()),
    "a.parquet": None,
    "pandas": None,
    "polars": None,
}


def made(kind, names, form, tmp_path):
    """A table of a family, with what is right and what was predicted."""
    _, role, others, sides = KINDS[kind]
    frame = pl.DataFrame({**others, **dict(zip(names or (role, "gpt-4o"), sides, strict=True))})
    if form == "polars":
        return frame
    if form == "pandas":
        return pd.DataFrame(frame.to_dict(as_series=False))
    path = tmp_path / form
    if form == "a.parquet":
        frame.write_parquet(path)
    else:
        path.write_text(FORMATS[form](frame))
    return path


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_column_of_a_system_is_refused(kind, form, tmp_path):
    given = made(kind, None, form, tmp_path)
    with pytest.raises(goldassay.InputError, match="a column of each side") as error:
        goldassay.read(given, kind=kind.split()[0])
    assert "gpt-4o" in error.value.found


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_column_of_any_name_is_warned_of(kind, form, tmp_path):
    _, role, *_ = KINDS[kind]
    found = goldassay.read(made(kind, (role, "Zoe"), form, tmp_path), kind=kind.split()[0])
    assert any("'Zoe' is not read" in line for line in found.warnings)


@pytest.mark.parametrize("form", [one for one in FORMATS if "js" not in one])
@pytest.mark.parametrize("kind", KINDS)
def test_what_the_message_says_helps(kind, form, tmp_path):
    flag, role, *_ = KINDS[kind]
    for name in (role, "gpt-4o"):
        found = goldassay.read(
            made(kind, None, form, tmp_path),
            kind=kind.split()[0],
            **{flag if flag == "concepts" else f"{flag}_column": name},
        )
        assert not any("gpt-4o" in line for line in found.warnings)


@pytest.mark.parametrize(
    ("kind", "name", "cells"),
    [
        ("labels", "split", ["train", "test"] * 30),
        ("labels", "annotator", [*CLASSES[:1], "bob"] * 30),
        ("labels", "text", [f"the {one} of it" for one in NAMED[0]]),
        ("labels", "fold", [str(at % 5) for at in range(60)]),
        ("labels of numbers", "fold", [str(at % 4) for at in range(60)]),
        ("labels", "copy", NAMED[0]),
        ("labels", "superclass", ["sports" if one in ("world", "business") else "world" for one in NAMED[0]]),
        ("taxonomy", "root", ["thing 0" if one != "thing 0" else "thing 1" for one in KINDS["taxonomy"][3][0]]),
        ("taxonomy", "label", [f"c{at}" for at in range(60)]),
        ("taxonomy", "siblings", [f"c{at + 1}; c{at + 2}" for at in range(60)]),
        ("alignment", "mapping_tool", ["AML", "LogMap"] * 30),
        ("alignment", "source_label", [f"name {at}" for at in range(60)]),
        ("triples", "sentence", [f"s{at} is in it" for at in range(60)]),
        ("triples", "subject_canonical", [f"s{at}" for at in range(60)]),
        ("concepts", "question", ["what is it?"] * 60),
        ("sentences", "source", ["die Katze sass auf der Matte"] * 60),
    ],
)
def test_other_columns_are_no_other_side(kind, name, cells, tmp_path):
    _, role, others, (right, _) = KINDS[kind]
    path = tmp_path / "a.csv"
    pl.DataFrame({**others, role: right, name: cells}).write_csv(path)
    assert not any("other side" in line for line in goldassay.read(path, kind=kind.split()[0]).warnings)


def test_parents_of_parents_are_no_other_side(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("child,parent,above\n" + "".join(f"n{at},n{at // 2},n{at // 4}\n" for at in range(8, 200)))
    assert not any("other side" in line for line in goldassay.read(path, kind="taxonomy").warnings)


def test_a_prediction_from_a_column_of_gold_is_warned_of(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("id,gold_label\na,x\nb,y\n")
    with pytest.warns(goldassay.SuspectInputWarning, match="'gold_label', which is a name for gold"):
        goldassay.evaluate(path, gold=[("a", "x"), ("b", "y")], kind="labels", measures="flat", selfcheck=False)
    assert not goldassay.read(path, kind="labels").warnings


def test_a_large_file_is_looked_at_in_its_beginning(tmp_path):
    path = tmp_path / "a.csv"
    rows = [f"d{at},{CLASSES[at % 4]},{CLASSES[at % 3]}\n" for at in range(40_000)]
    path.write_text("id,label,gpt-4o\n" + "".join(rows))
    with pytest.raises(goldassay.InputError, match="a column of each side"):
        goldassay.read(path, kind="labels")


@pytest.mark.parametrize("kind", [one for one in KINDS if one != "sentences" and "labels" not in one])
@pytest.mark.parametrize("form", ["a.csv", "a.parquet"])
def test_an_engine_refuses_too(kind, form, tmp_path):
    pytest.importorskip("duckdb")
    given = made(kind, None, form, tmp_path)
    measure = {
        "labels": "flat",
        "taxonomy": "literal",
        "alignment": "overlap",
        "concepts": "concept_exact",
        "axioms": "exact",
    }
    with pytest.raises(goldassay.InputError, match=r"a column of each side"):
        goldassay.evaluate(
            given,
            gold=given,
            kind=kind.split()[0],
            measures=measure.get(kind.split()[0], "triples"),
            engine="duckdb",
            selfcheck=False,
        )


def test_names_in_cells():
    assert [both_sides._names_in(cell) for cell in ("A; b", '["A", "b"]', ["a"], 1, None, {"a": 1}, [1], "[x")] == [
        ("a", "b"), ("a", "b"), ("a",), ("1",), (), (), (), ("[x",)
    ]  # fmt: skip


IDS = [f"d{at}" for at in range(10)]
LETTERS = list("abcdefghij")
NUMBERS = ["0", "1"] * 5
WORDS = [f"the cat number {at} sleeps" for at in range(10)]


def level(unread, read, name="x", role="label", **others):
    """How much of a column that is not read is in one that is."""
    columns = {key: list(map(both_sides._names_in, cells)) for key, cells in {**others, role: read}.items()}
    return both_sides._compare(name, list(map(both_sides._names_in, unread)), role, columns).level


@pytest.mark.parametrize(("names", "expected"), [(4, 0), (5, 1), (7, 1), (8, 2), (10, 2)])
def test_a_column_may_be_the_other_side_from_half_of_its_names_on(names, expected):
    unread = [*LETTERS[1:], "a"][:names] + [*"zyxwvutsrq"][names:]
    assert level(unread, LETTERS, id=IDS) == expected


def test_cells_without_a_name_on_one_of_the_sides_are_not_compared():
    unread = ["b", "a", "", "", "", "d", "c", "", "", ""]
    assert level(unread, [*"ab", *[""] * 3, *"cd", *[""] * 3], id=IDS) == 2
    assert level([""] * 10, LETTERS, id=IDS) == level(LETTERS, LETTERS, id=IDS) == 0


@pytest.mark.parametrize(("alike", "expected"), [(4, 0), (5, 2), (10, 2)])
def test_texts_are_compared_by_their_words(alike, expected):
    unread = [f"the cat number {at} sits" for at in range(alike)] + ["p q r s t"] * (10 - alike)
    assert level(unread, WORDS, id=IDS) == expected


def test_texts_that_share_three_tenths_of_their_words_are_alike():
    # Of ten different words three are in both, or of eleven.
    read = ["a b c d e f"] * 2 + ["k l m n o p"]
    assert level(["a b c p q r s"] * 3, read, id=IDS[:3]) == 2
    assert level(["a b c p q r s t"] * 3, read, id=IDS[:3]) == 0
    # A row without one of them is none.
    assert level(["a b c p q r s", "", ""], read, id=IDS[:3]) == 2
    # Names of four words are names.
    assert level(["a b c x"] * 3, ["a b c d"] * 3, id=IDS[:3]) == 0


@pytest.mark.parametrize(("rows", "equal", "expected"), [(10, 7, 2), (9, 7, 0), (10, 6, 0), (10, 3, 0)])
def test_numbers_are_the_other_side_where_they_agree_beyond_chance(rows, equal, expected):
    read = (NUMBERS * 2)[:rows]
    unread = [cell if at < equal else "10"[int(cell)] for at, cell in enumerate(read)]
    assert level(unread, read, id=IDS[:rows]) == expected


def test_a_column_that_says_more_of_another_role_is_no_other_side():
    # It repeats the source in nine of ten rows.
    assert level([*LETTERS[:9], "b"], [*LETTERS[1:], "a"], role="target", source=LETTERS) == 0
    assert level([*LETTERS[:8], "j", "i"], [*LETTERS[1:], "a"], role="target", source=LETTERS) == 2
    # What is repeated as often as there is the other side decides nothing.
    assert level([*LETTERS[:9], "x"], [*LETTERS[:9], "j"], role="target", source=LETTERS) == 2


def test_a_column_of_what_is_above_is_no_other_side():
    children, parents = LETTERS, ["b", "c", "d", "e", "f", "g", "h", "i", "j", "k"]
    above = ["c", "d", "e", "f", "g", "h", "i", "j", "k", "l"]
    assert level(above, parents, role="target", source=children) == 0
    # In half of the rows, and in fewer.
    rest = ["b", "a", "d", "c", "e"]
    assert level([*above[:5], *rest], [*parents[:5], *"klmno"], role="target", source=children) == 0
    assert level([*"cghijabfde"], [*LETTERS[1:], "a"], role="target", source=children) == 2
    # The same above the same, and fewer of them.
    assert level([*"pppppqqqqq"], [*"aabbccddee"], name="predicted", role="target", source=IDS) == 0


def test_new_names_are_the_other_side_only_where_the_column_says_that_it_is_predicted():
    new = [f"thing {at}" for at in range(10)]
    assert level(new, LETTERS, name="predicted", id=IDS) == 1
    assert level(new, LETTERS, name="comment", id=IDS) == 0
    assert level(["p", "q", "r", "s", "t"] * 2, [*"aabbccddee"], name="predicted", id=IDS) == 0
    assert level([f"{'w ' * 7}w{at}" for at in range(10)], LETTERS, name="predicted", id=IDS) == 1
    assert level([f"{'w ' * 8}w{at}" for at in range(10)], LETTERS, name="predicted", id=IDS) == 0


@pytest.mark.parametrize(("same", "expected"), [(4, False), (5, True)])
def test_identifiers_are_new_where_half_of_them_are_from_where_the_others_are(same, expected):
    cells = [f"http://a#{at}" if at < same else f"http://b#{at}" for at in range(10)]
    assert both_sides._are_new(cells, {f"http://a#x{at}" for at in range(10)}) is expected


@pytest.mark.parametrize(
    ("flag", "hint"),
    [
        ("--label-column", "name the one that is meant: --label-column gpt-4o, or the other; or remove one"),
        ("", "remove one"),
    ],
)
def test_advice_names_the_flag_where_there_is_one(flag, hint):
    cells = {"id": IDS, "label": LETTERS}
    other = [*LETTERS[1:], "a"]
    with pytest.raises(both_sides.BothSidesError) as raised:
        list(both_sides.find_other_sides({"label": flag}, {"label": "label"}, cells, {"gpt-4o": other}))
    assert raised.value.hint == hint
    (warning,) = both_sides.find_other_sides({"label": flag}, {"label": "label"}, cells, {"other": other})
    meant = "name the one that is meant, such as --label-column other" if flag else "remove one"
    assert (
        warning
        == f"the column 'other' is not read; of 10 names in it 10 are in 'label', which is read: if it is the other side, {meant}"
    )


def test_columns_without_a_name_of_the_other_side_are_not_compared():
    may_be = both_sides._may_be_others
    assert may_be([LETTERS], {"x": ["A"], "y": ["z"], "predicted": ["z"], "numbers": [1]}) == ["x", "predicted"]
    # Texts are compared by their words, and lists by their names: all columns are looked at.
    for cells in (["a;b", "c"], ["[a]"], ["a b c", "d e f"]):
        assert may_be([cells], {"y": ["z"]}) == ["y"], cells
    assert may_be([["a b c", "d e"]], {"y": ["z"]}) == []
