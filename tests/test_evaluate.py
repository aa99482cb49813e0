"""The straight line from Python: what may be asked, and that nothing is done twice or in vain."""

import pytest

import goldassay
from goldassay.encoders import HashingEncoder
from goldassay.graphs import Fuzzy

GOLD = goldassay.Graph.from_edges([("leukemia", "cancer"), ("cancer", "disease")])
PRED = goldassay.Graph.from_edges([("leukemia", "cancer"), ("cancer", "illness")])


class CountingEncoder(HashingEncoder):
    """Remembers what it was asked to encode."""

    def __init__(self):
        super().__init__()
        self.asked = []

    def encode(self, texts, **options):
        self.asked += texts
        return super().encode(texts, **options)


def test_no_text_is_encoded_twice_for_several_measures_and_predictions():
    encoder = CountingEncoder()
    goldassay.evaluate(
        [PRED, GOLD, PRED], gold=GOLD, measures=["fuzzy", "nodes", "fuzzy(threshold=0.9)"], encoder=encoder
    )
    assert sorted(encoder.asked) == ["cancer", "disease", "illness", "leukemia"]


def test_no_encoder_is_asked_for_where_none_is_needed(tmp_path):
    report = goldassay.evaluate(PRED, gold=GOLD, measures="literal", encoder=str(tmp_path / "missing.npz"))
    assert report["literal"].recall == 0.5


def test_a_wrong_measure_is_refused_before_any_file_is_read(tmp_path):
    with pytest.raises(goldassay.UsageError, match="Unknown measure 'fuzy'"):
        goldassay.evaluate(tmp_path / "missing.ttl", gold=tmp_path / "missing.owl", measures="fuzy")


@pytest.mark.parametrize(
    ("options", "messages"),
    [
        ({"kind": "taxonomi"}, "taxonomy"),
        ({"edgez": "all"}, "edges"),
        ({"text": "lable"}, "label"),
        ({"encoder": "minilmm", "measures": "fuzzy"}, "minilm"),
    ],
)
def test_a_wrong_word_names_the_right_one(options, messages):
    with pytest.raises(goldassay.UsageError) as caught:
        goldassay.evaluate(PRED, gold=GOLD, **options)
    assert messages in str(caught.value)


def test_an_equal_measure_is_scored_once():
    report = goldassay.evaluate(
        PRED, gold=GOLD, measures=["fuzzy", Fuzzy(), "fuzzy(threshold=0.436)"], encoder="hashing"
    )
    assert len(report.runs[0].scores) == 1


def test_no_prediction_is_refused():
    with pytest.raises(goldassay.UsageError, match="No prediction"):
        goldassay.evaluate({}, gold=GOLD)


def test_sides_that_were_read_differently_are_both_in_the_signature(tmp_path):
    (tmp_path / "gold.ttl").write_text(
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . <urn:leukemia> rdfs:subClassOf <urn:cancer> ."
    )
    (tmp_path / "pred.csv").write_text("child,parent\nleukemia,cancer\n")
    report = goldassay.evaluate(tmp_path / "pred.csv", gold=tmp_path / "gold.ttl", measures="literal")
    assert report["literal"].f1 == 1.0
    assert report["literal"].signature.fields["edges"] == "gold=rdfs:subClassOf,pred=given"


def test_a_threshold_found_for_another_encoder_is_reported():
    gold = goldassay.Graph.from_edges([("cat", "animal")])

    def messages(spec):
        return goldassay.evaluate(gold, gold=gold, measures=spec, encoder="hashing").runs[0].warnings

    assert "0.436 is calibrated for all-MiniLM-L6-v2" in messages("fuzzy")[0]
    assert not messages("fuzzy(threshold=0.5)")
    assert not messages("literal")


def test_a_threshold_that_belongs_to_the_encoder_is_not_remarked_on(cached_minilm):
    gold = goldassay.Graph.from_edges([("cat", "animal")])
    assert not goldassay.evaluate(gold, gold=gold, measures="fuzzy", encoder=cached_minilm).runs[0].warnings
