"""The contract: what a measure must declare, and what its parameters may be."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest

import goldassay
from goldassay.core.context import Context
from goldassay.core.family import check_declaration, reference
from goldassay.core.measure import Measure
from goldassay.encoders import HashingEncoder
from goldassay.graphs import Fuzzy, Literal


def test_a_measure_is_a_value():
    assert Fuzzy(threshold=0.5) == Fuzzy(threshold=0.5)
    assert len({Fuzzy(threshold=0.5), Fuzzy(threshold=0.5), Fuzzy()}) == 2
    with pytest.raises(AttributeError):
        Fuzzy().threshold = 0.1


def test_defaults_stay_out_of_the_spec_but_the_threshold():
    assert str(Literal()) == "literal"
    assert str(Fuzzy()) == "fuzzy(threshold=0.436)"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("fuzy", "try:      fuzzy"),
        ("fuzzy(treshold=0.5)", "try:      threshold"),
        ("fuzzy(threshold=2)", "in [-1, 1]"),
        ("fuzzy(threshold=high)", "in [-1, 1]"),
        ("fuzzy(threshold=true)", "in [-1, 1]"),
        ("fuzzy(threshold=nan)", "in [-1, 1]"),
        ("fuzzy(inclusive=1)", "bool"),
        ("literal(undefined=0.5)", "0, 1, nan"),
    ],
)
def test_a_wrong_parameter_is_refused_with_what_may_be(spec, message):
    with pytest.raises(goldassay.UsageError) as caught:
        goldassay.parse(spec)
    assert message in str(caught.value)


@pytest.mark.parametrize("gap", ["title", "formula", "citation", "headline"])
def test_registration_refuses_a_gap(gap):
    @dataclass(frozen=True, kw_only=True)
    class Gappy(Literal):
        """A measure with a gap."""

        name: ClassVar[str] = "gappy"

    setattr(Gappy, gap, "")
    with pytest.raises(TypeError, match=gap):
        check_declaration(Gappy, kind="taxonomy")


def test_registration_refuses_an_unknown_citation():
    assert "Dellschaft" in reference("dellschaft2006gold")
    with pytest.raises(goldassay.UsageError, match="no entry"):
        reference("unknown1999")


class Named:
    """An encoder of which only the name is asked."""

    def __init__(self, name):
        self.name = name


def test_a_threshold_for_another_encoder_is_remarked_on():
    """Only where an encoder is used, the threshold is the default, and this was calibrated for another encoder."""
    default = type(Fuzzy()).__dataclass_fields__["threshold"].default
    assert "is calibrated for" in Fuzzy().encoder_note(Named("other"))
    assert f"the threshold {default:g}" in Fuzzy().encoder_note(Named("other"))
    own = Fuzzy().encoder_note(Named("other")).split("is calibrated for ")[1].split(",")[0]
    assert Fuzzy().encoder_note(Named(own)) is None
    assert Fuzzy(threshold=0.5).encoder_note(Named("other")) is None
    assert Fuzzy().encoder_note(None) is None
    assert Literal().encoder_note(Named("other")) is None


EDGES = [("a", "r"), ("b", "r"), ("c", "r")]


def matched(pred, gold):
    return Literal().match(
        pred=goldassay.Graph.from_edges(pred), gold=goldassay.Graph.from_edges(gold), context=Context()
    )


def test_the_weight_of_an_item_is_the_share_of_golds_that_have_it():
    pool = goldassay.Graph.from_edges(EDGES)
    found, *gold_standards = (
        Literal().match(pred=goldassay.Graph.from_edges(one), gold=pool, context=Context())
        for one in (EDGES[:1], EDGES[:2], EDGES[:1])
    )
    assert Literal().weigh(found, gold_standards).gold_weights.tolist() == [1.0, 0.5, 0.0]


@pytest.mark.parametrize(("credit", "weight"), [(1 - 2e-6, 0.0), (1 - 1e-6, 1.0), (1 - 5e-7, 1.0)])
def test_an_item_is_had_from_a_credit_just_below_one(credit, weight):
    found = matched(EDGES, EDGES[:1])
    one = replace(found, gold=replace(found.gold, credit=np.array([credit])))
    assert Literal().weigh(found, [one]).gold_weights.tolist() == [weight]


def test_there_are_no_votes_on_other_items():
    found = matched(EDGES[:1], EDGES)
    with pytest.raises(goldassay.UsageError, match="counts other items of gold"):
        Literal().weigh(found, [found, matched(EDGES[:1], EDGES[1:])])


def test_only_a_measure_that_encodes_names_the_encoder():
    graph = goldassay.Graph.from_edges(EDGES)
    context = Context(encoder=HashingEncoder(8))
    signed = [str(one.evaluate(pred=graph, gold=graph, context=context).signature) for one in (Literal(), Fuzzy())]
    assert ["encoder:" in line for line in signed] == [False, True]


def test_a_mean_over_golds_says_why_it_has_no_interval():
    graphs = [goldassay.Graph.from_edges(EDGES[:n]) for n in (3, 2)]
    messages = {
        rule: goldassay.evaluate(graphs[0], gold=graphs, measures="literal", combine=rule, intervals=True)[
            "literal"
        ].no_interval
        for rule in ("mean", "union")
    }
    assert "it is a mean over gold standards" in messages["mean"]
    assert messages["union"] is None


def test_a_measure_promises_nothing_that_it_does_not_say():
    assert not Measure.sums_over_records
    assert not Measure.defined_one_sided
