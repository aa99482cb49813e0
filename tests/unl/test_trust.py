"""Examples of unl/trust.py."""

from goldassay.unl.model import Texts
from goldassay.unl.read import document_of
from goldassay.unl.trust import document_warnings, merge_texts, sentence_warnings


def test_the_example_of_document_warnings():
    assert list(document_warnings(document_of("[S:1][/S]"), document_of("[S:2][/S]"))) == [
        "sentence ids are not unique or not shared by both sides: sentences were paired by order"
    ]


def test_the_example_of_sentence_warnings():
    same = Texts(ids=("1",), wordings=(("The cat sleeps.",),))
    assert list(sentence_warnings(same, same)) == []


def test_the_example_of_merge_texts():
    gold_standards = [
        Texts(ids=("1",), wordings=(("It rains.", "Rain."),)),
        Texts(ids=("1",), wordings=(("It rains.",),)),
    ]
    assert (merge_texts(gold_standards, 1).wordings, merge_texts(gold_standards, 2).wordings) == (
        (("It rains.", "Rain."),),
        (("It rains.",),),
    )
