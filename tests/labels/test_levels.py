"""Labels with a column for each level, with the marker of fastText, and with blanks between several of them."""

import json

import pytest

import goldassay

ROWS = [("d1", "animal", "pet", "cat"), ("d2", "plant", "oak", ""), ("d3", "animal", "", "")]
PATHS = ["d1: animal > pet > cat", "d2: plant > oak", "d3: animal"]


def written(suffix, names, rows):
    if suffix == ".jsonl":
        return "".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows)
    mark = "\t" if suffix == ".tsv" else ","
    return "".join(mark.join(row) + "\n" for row in (names, *rows))


def read(folder, text, suffix=".csv", **options):
    (path := folder / f"labels{suffix}").write_text(text)
    model = goldassay.read(path, kind="labels", **options)
    return [model.item(at) for at in range(len(model))]


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl"])
@pytest.mark.parametrize("level", ["level{}", "Level {}", "l{}", "lvl_{}"])
def test_a_column_for_each_level_is_a_path(level, suffix, tmp_path):
    names = ["ID", *(level.format(at) for at in (1, 2, 3))]
    assert read(tmp_path, written(suffix, names, ROWS), suffix) == PATHS
    # Numbers are labels, too, and no scores.
    assert read(tmp_path, written(suffix, names, [("d1", "1", "0", "1")]), suffix) == ["d1: 1 > 0 > 1"]


@pytest.mark.parametrize(("cells", "message"), [("a,,c", "2: A level is empty"), (",,", "2: The label is empty")])
def test_a_level_below_an_empty_one_is_refused(cells, message, tmp_path):
    text = f"id,level1,level2,level3\nd1,{cells}\nd2,a,b,\n"
    with pytest.raises(goldassay.GoldassayError, match=message):
        read(tmp_path, text)
    assert read(tmp_path, text, on_error="skip") == ["d2: a > b"]


def test_one_level_that_is_asked_for_is_read(tmp_path):
    assert read(tmp_path, written(".csv", ["id", "level1", "level2"], [("d1", "a", "b")]), label_column="level2") == [
        "d1: b"
    ]


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["__label__sport", "__label__art"], ["d0: sport", "d1: art"]),
        (["__label__sport", "art"], ["d0: __label__sport", "d1: art"]),
        (["__label__", "__label__art"], ["d0: __label__", "d1: __label__art"]),
    ],
)
def test_the_marker_of_fasttext_is_no_part_of_labels(labels, expected, tmp_path):
    assert (
        read(tmp_path, written(".csv", ["id", "label"], [(f"d{at}", one) for at, one in enumerate(labels)])) == expected
    )


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("pred", "gold", "warned"),
    [
        (["sport other", "art sport"], ["sport", "art", "other"], True),
        (["sport other", "art work"], ["sport", "art", "other"], False),
        (["sport other"], ["sport", "other"], False),
        (["sport other", "art sport"], ["sport", "art", "other", "real art"], False),
    ],
)
def test_several_labels_with_blanks_between_are_warned_of(pred, gold, warned, tmp_path):
    sides = []
    for side, labels in (("pred", pred), ("gold", gold)):
        (path := tmp_path / f"{side}.csv").write_text(
            written(".csv", ["id", "labels"], [(f"d{at}", one) for at, one in enumerate(labels)])
        )
        sides.append(path)
    report = goldassay.evaluate(sides[0], gold=sides[1], kind="labels", measures="flat")
    assert (
        any("list several names of the other side, for example 'art sport'" in one for one in report.warnings) == warned
    )
