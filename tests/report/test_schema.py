"""What a family and a measure report, it is of the shape that is promised."""

import json

import pytest

import goldassay
from goldassay.report.shape import SCHEMA, report_schema

jsonschema = pytest.importorskip("jsonschema")
SHAPE = report_schema()
GOLD = goldassay.Graph.from_edges([("cat", "animal"), ("dog", "animal")])
PRED = goldassay.Graph.from_edges([("cat", "animal"), ("cow", "plant")])


@pytest.fixture(scope="module")
def judge():
    jsonschema.Draft202012Validator.check_schema(SHAPE)
    return jsonschema.Draft202012Validator(SHAPE)


def test_the_schema_is_of_the_version_that_reports_name():
    assert SHAPE["$id"] == SCHEMA
    assert SHAPE["properties"]["schema"]["enum"] == [SCHEMA]


@pytest.mark.parametrize("intervals", [False, True])
@pytest.mark.parametrize("preds", [[PRED], [PRED, GOLD]])
def test_a_report_has_the_shape(judge, preds, intervals):
    report = goldassay.evaluate(preds, gold=GOLD, measures=["literal", "fuzzy"], encoder="hashing", intervals=intervals)
    judge.validate(json.loads(report.format("json")))


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
def test_a_report_of_nothing_has_the_shape(judge):
    nothing = goldassay.Graph.from_edges([])
    report = goldassay.evaluate(nothing, gold=GOLD, measures="literal(undefined=nan)", intervals=True)
    judge.validate(json.loads(report.format("json")))


def test_what_lacks_a_field_has_not_the_shape(judge):
    document = goldassay.evaluate(PRED, gold=GOLD, measures="literal").to_dict()
    del document["runs"][0]["scores"][0]["signature"]
    assert not judge.is_valid(document)
