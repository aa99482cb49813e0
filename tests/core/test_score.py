"""What a score says of itself in words."""

from dataclasses import replace

import numpy as np
import pytest

import goldassay
from goldassay.core.context import Context
from goldassay.core.model import Provenance
from goldassay.core.significance import Resampling
from goldassay.graphs import Fuzzy, Graph, Literal, Motif

GOLD = Graph.from_edges([("cat", "animal"), ("dog", "animal"), ("oak", "tree")])
PRED = Graph.from_edges([("cat", "animal"), ("oak", "animal")])


def test_it_is_written_with_four_places_and_as_a_share():
    score = Literal().score(pred=PRED, gold=GOLD)
    assert score.format() == "literal: precision 0.5000, recall 0.3333, f1 0.4000"
    assert score.format(places=1, percent=True) == "literal: precision 50.0, recall 33.3, f1 40.0"
    assert score.written("recall") == "0.3333"


def test_an_interval_is_behind_its_value():
    score = Literal().evaluate(pred=GOLD, gold=GOLD, context=Context(resampling=Resampling(resamples=100)))
    assert score.written("recall") == "1.0000 [1.0000, 1.0000]"
    assert score.written("recall", places=0, percent=True) == "100 [100, 100]"
    assert score.no_interval is None


def test_it_says_why_there_is_no_interval():
    one, asked = Graph.from_edges([("a", "b")]), Context(resampling=Resampling(resamples=100))
    assert Literal().score(pred=PRED, gold=GOLD).no_interval is None
    assert Literal().evaluate(pred=one, gold=one, context=asked).no_interval.endswith("there is only 1 edge")
    assert (
        Motif().evaluate(pred=GOLD, gold=GOLD, context=asked).no_interval.endswith("not functions of sums over units")
    )


def test_a_warning_says_whether_one_side_or_both_are_empty():
    nothing = Graph.from_edges([])
    with pytest.warns(goldassay.UndefinedWarning, match="^literal: precision 0/0, given as 0$"):
        Literal().score(pred=nothing, gold=GOLD)
    with pytest.warns(
        goldassay.UndefinedWarning, match="both sides are empty, so precision and recall 0/0, given as 1$"
    ):
        Literal(undefined=1.0).score(pred=nothing, gold=nothing)


def test_what_was_not_asked_for_is_not_written():
    plain = Literal().score(pred=PRED, gold=GOLD).to_dict()
    assert not {"breakdowns", "bounds", "combined", "chance", "intervals"} & plain.keys()
    grouped = goldassay.evaluate(PRED, gold=GOLD, measures="literal", by="depth", intervals=True)["literal"].to_dict()
    assert [one["by"] for one in grouped["breakdowns"]] == ["depth"]


def test_a_model_says_how_many_items_it_has():
    assert repr(PRED) == "<Graph of 2 items, the first: cat -> animal>"
    assert repr(PRED.take(np.array([0]))) == "<Graph of 1 item, the first: cat -> animal>"
    assert repr(PRED.take(np.array([], dtype=np.int64))) == "<Graph of 0 items>"
    assert repr(Provenance()) == "<Provenance of 0 items>"


def test_a_remark_is_behind_what_is_undefined():
    nothing = Graph.from_edges([])
    with pytest.warns(goldassay.UndefinedWarning):
        score = replace(Literal().score(pred=nothing, gold=GOLD), note="texts are short")
    assert score.warning == "literal: precision 0/0, given as 0; texts are short"
    assert replace(score, undefined=()).warning == "literal: texts are short"
    assert replace(score, undefined=(), note=None).warning is None


def test_units_are_written_where_there_are_some():
    asked = Context(resampling=Resampling(resamples=100))
    score, none = (one.evaluate(pred=PRED, gold=GOLD, context=asked).to_dict() for one in (Literal(), Motif()))
    assert score["units"]["name"] == "edge"
    assert none["units"] is None


def test_the_signature_has_the_first_eight_digits_of_the_encoder_and_what_was_skipped():
    pred = replace(PRED, left_out={"skipped_records": 2})
    signature = Fuzzy().evaluate(pred=pred, gold=GOLD, context=Context(encoder=Known())).signature.fields
    assert signature["encoder"] == "known@01234567"
    assert (signature["skipped"], signature["pred"], signature["gold"]) == ("pred=2", "2", "3")
    assert "skipped" not in Literal().score(pred=PRED, gold=GOLD).signature.fields


class Known:
    """Each text has a direction of its own."""

    name, fingerprint, dimension = "known", "0123456789abcdef", 8

    def encode(self, texts, *, progress=None):
        del progress
        return np.eye(8, dtype=np.float32)[: len(texts)]


def test_a_model_stays_what_it_is_and_anything_else_is_read():
    sides = Literal().models(PRED, [("cat", "animal")], {})
    assert sides["pred"] is PRED
    assert sides["gold"].edges.tolist() == [[0, 1]]


def test_weights_of_gold_weigh_its_items_and_what_they_earn():
    matching = replace(Literal().score(pred=PRED, gold=GOLD).matching, gold_weights=np.array([0.5, 1.0, 0.25]))
    pred, gold = Literal().parts(matching)
    assert (gold.counts["hit_gold"].tolist(), gold.counts["n_gold"].tolist()) == ([0.5, 0, 0], [0.5, 1.0, 0.25])
    assert (pred.counts["hit_pred"].tolist(), pred.counts["n_pred"].tolist()) == ([1, 0], [1, 1])
    assert [measure.weighs_gold for measure in (Literal(), Motif())] == [True, False]
