"""A document, an instance or a sentence without items: one that gold has is a unit like any other, one that it lacks is none."""

import math

import pytest

import goldassay
from goldassay.concepts import Concepts
from goldassay.core.combination import BY_UNIT
from goldassay.core.context import Context
from goldassay.families import families
from goldassay.gold_standards import GoldStandards
from goldassay.labels import Labels
from goldassay.triples import TripleSet

pytestmark = pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
CONTEXT = Context(encoder=goldassay.get_encoder("hashing"))
EDGES = [("cat", "pet"), ("dog", "pet"), ("pet", "animal")]
SURPLUS = {f"x{row}": [] for row in range(8)}
# The first two gold standards differ in one document, which the first states as empty.
FIRST = {"d1": ["cat"], "d2": []}
SECOND = {"d1": ["dog"], "d2": ["pet"]}
OTHER = {"d1": ["cat"], "d2": ["pet"]}


def triples(lists):
    some = {name: [(one, "is a", "animal") for one in names] for name, names in lists.items()}
    return TripleSet.from_lists(some, texts=dict.fromkeys(lists, "cat dog pet is a animal"))


def labels(lists, score=1.0):
    rows = [(name, one, score) for name, names in lists.items() for one in names]
    return Labels.from_rows(rows, edges=EDGES, ids=lists)


BUILD = {"triples": triples, "labels": labels, "concepts": Concepts.from_lists}
OF_PREDICTED = {"smin(norm=pred)": "it divides by the instances of the prediction"}


def value_of(measure, pred, gold):
    return dict(measure.evaluate(pred=pred, gold=gold, context=CONTEXT).values)


def of_families(each):
    return [
        one
        for one in each
        if one.family in BUILD and str(one) not in OF_PREDICTED and not str(one).startswith("medcon")
    ]


@pytest.mark.parametrize("lists", [OTHER, {"d1": ["dog"], "d2": ["cat"]}], ids=["right", "wrong"])
def test_a_document_without_items_that_gold_lacks_moves_no_value(each, lists):
    for measure in of_families(each):
        build = BUILD[measure.family]
        gold = build(OTHER)
        plain = value_of(measure, build(lists), gold)
        more = [build({**lists, **SURPLUS})]
        if measure.family == "labels" and getattr(measure, "threshold", 0.0) > 0:
            rows = [(name, one, 1.0) for name, names in lists.items() for one in names]
            more.append(Labels.from_rows([*rows, *((name, "cat", 0.0) for name in SURPLUS)], edges=EDGES))
        for pred in more:
            assert value_of(measure, pred, gold) == pytest.approx(plain, nan_ok=True), str(measure)


def test_a_document_that_a_gold_states_as_empty_is_of_that_gold(each):
    for measure in of_families(each):
        if measure.unit not in BY_UNIT:
            continue
        build, name = BUILD[measure.family], measure.headline
        golds = build(FIRST), build(SECOND)
        for lists in (FIRST, SECOND, OTHER):
            pred = build(lists)
            values = {
                rule: GoldStandards(families()[measure.family], golds, rule).values(measure, pred, CONTEXT)
                for rule in ("max", "mean")
            }
            single = [value_of(measure, pred, gold) for gold in golds]
            means = {value: math.fsum(one[value] for one in single) / 2 for value in single[0]}
            assert values["mean"] == pytest.approx(means, nan_ok=True), str(measure)
            # One gold is the best for each document of all three predictions.
            best = max(map(measure.merit, (one[name] for one in single)))
            assert measure.merit(values["max"][name]) >= best - 1e-9, (str(measure), lists)
