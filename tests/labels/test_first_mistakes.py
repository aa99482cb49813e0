"""What users get wrong first with labels in a hierarchy: scores, swapped files, another hierarchy."""

import warnings

import pytest

import goldassay
from goldassay import EmptyInputError, InputError, RecordError

TREE = "child,parent\ncat,pet\ndog,pet\n"
GOLD = "instance,label\nd1,cat\nd2,dog\n"


@pytest.fixture
def score(tmp_path):
    def run(pred, gold=GOLD, tree=TREE, **more):
        for name, text in (("pred.csv", pred), ("gold.csv", gold), ("tree.csv", tree)):
            (tmp_path / name).write_text(text)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return goldassay.evaluate(
                tmp_path / "pred.csv", gold=tmp_path / "gold.csv", kind="labels", measures="lca",
                hierarchy=str(tmp_path / "tree.csv"), **more,
            ).runs[0]  # fmt: skip

    return run


@pytest.mark.parametrize("bad", ["2", "-0.1", "1.0001"])
def test_a_score_outside_of_the_unit_interval_is_an_error(score, bad):
    pred = f"instance,label,score\nd1,cat,0.9\nd2,dog,{bad}\n"
    with pytest.raises(RecordError, match=r"not in \[0, 1\]") as caught:
        score(pred)
    assert caught.value.line == 3
    assert "--scores any" in str(caught.value)
    assert score(pred, scores="any").scores[0].signature.fields["scores"] == "any"
    assert score(pred, on_error="skip").pred.left_out["skipped_records"] == 1


def test_scores_of_gold_are_not_used(score):
    assert score(GOLD, gold="instance,label,score\nd1,cat,7\nd2,dog,3\n").scores[0].values["f1"] == 1


@pytest.mark.parametrize("rows", ["d1,cat,0.9\nd1,cat,0.1\n", "d1,cat,0.1\nd1,cat,0.9\n"])
def test_of_several_scores_the_highest_counts_and_it_is_reported(score, rows):
    found = score(f"instance,label,score\n{rows}").pred
    assert found.scores.tolist() == [0.9]
    assert any("of which the highest counts: 1" in note for note in found.notes)


def test_equal_scores_need_no_note(score):
    found = score("instance,label,score\nd1,cat,0.9\nd1,cat,0.9\nd1,dog,0.1\n").pred
    assert not any("highest" in note for note in found.notes)


def test_swapped_gold_and_hierarchy_are_named_by_their_header(score):
    with pytest.raises(InputError, match="swapped"):
        score(GOLD, gold=TREE, tree=GOLD)
    with pytest.raises(InputError, match="hierarchy, not labels") as caught:
        score(GOLD, gold=TREE)
    assert "--hierarchy" in str(caught.value)


def test_gold_outside_of_the_hierarchy_is_an_error_with_a_label_of_each(score):
    with pytest.raises(EmptyInputError, match="is empty") as caught:
        score(GOLD, tree="child,parent\noak,tree\n")
    assert "'cat' against 'oak'" in str(caught.value)
    assert "2 unknown labels" in str(caught.value)


def test_gold_whose_instances_are_labels_may_be_swapped(score):
    with pytest.raises(EmptyInputError, match="swapped"):
        score(GOLD, gold="instance,label\ncat,pet\ndog,pet\n", tree="child,parent\nd1,cat\nd2,dog\n")


def test_predictions_for_labels_may_be_swapped(score):
    found = score("instance,label\nd1,cat\n", gold="instance,label\npet,cat\n", tree="child,parent\nd1,cat\ncat,pet\n")
    assert any("instances of the prediction are in the hierarchy as labels" in line for line in found.warnings)


def test_a_hierarchy_with_other_columns_has_a_hint_that_can_be_followed(score):
    with pytest.raises(InputError, match="parent") as caught:
        score("instance,label\nd1,cat\n", gold="instance,label\nd1,cat\n", tree="document,subject\nd1,cat\n")
    assert "swapped" in str(caught.value)
    assert "--gold-parent-column" not in str(caught.value)
