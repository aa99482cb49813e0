"""MEDCON against sets of ids."""

import json
import math
import warnings

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import goldassay
from goldassay.concepts import Concept, ConceptReading, Medcon, read_concepts
from goldassay.concepts.measures.medcon import GROUP_OF, TYPES, groups_of
from goldassay.concepts.model import Mention, lay_out

KINDS = {"C1": "T047", "C2": "T121,T109", "C3": "T061", "C4": "DISO", "C5": "T023"}
DOCUMENTS = st.dictionaries(st.sampled_from("xyz"), st.lists(st.sampled_from(sorted(KINDS)), max_size=5), max_size=3)


def model(lists):
    return lay_out(
        [(name, "", [Mention(one, one, one, kinds=KINDS[one]) for one in ids]) for name, ids in lists.items()]
    )


def score(measure, pred, gold):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", goldassay.UndefinedWarning)
        return measure.score(pred=model(pred), gold=model(gold))


@pytest.mark.parametrize(
    ("groups", "counted"), [("medcon", {"C1", "C2", "C4", "C5"}), ("all", set(KINDS)), ("DISO", {"C1", "C4"})]
)
@given(pred=DOCUMENTS, gold=DOCUMENTS)
def test_against_sets(groups, counted, pred, gold):
    # An empty document that gold does not have states nothing.
    pred = {name: some for name, some in pred.items() if {*some} & counted or name in gold}
    macro, micro = (score(Medcon(groups=groups, average=average), pred, gold) for average in ("macro", "micro"))
    sets = [(set(pred.get(name, [])) & counted, set(gold.get(name, [])) & counted) for name in {**pred, **gold}]
    both, ours, theirs = (
        (sum(map(len, column)) for column in zip(*[(a & b, a, b) for a, b in sets], strict=True)) if sets else (0, 0, 0)
    )
    assert micro.precision == pytest.approx(both / ours if ours else 0)
    assert micro.recall == pytest.approx(both / theirs if theirs else 0)
    f1 = [2 * len(a & b) / (len(a) + len(b)) if a | b else 0 for a, b in sets]
    assert macro.f1 == pytest.approx(sum(f1) / len(f1) if f1 else 0)


def test_what_is_not_counted_is_reported():
    found = score(Medcon(), {"x": ["C1", "C3"]}, {"x": ["C1"]})
    assert (found.f1, found.warning) == (1, "medcon: 1 concepts of other semantic groups are not counted")


def test_types_from_a_file(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(
        '{"id": 1, "concepts": [{"text": "asthma", "cui": "C1", "tui": ["T047"]}, {"text": "walk", "id": "C2", "type": "T056"}]}'
    )
    concepts = read_concepts(path, ConceptReading())
    assert sorted(concepts.kinds.tolist()) == ["T047", "T056"]
    assert Medcon().score(pred=concepts, gold=concepts).counts["n_pred"] == 1


def test_ids_and_types_are_needed():
    bare = lay_out([("x", "", [Mention("C1", "asthma", "C1")])])
    with pytest.raises(goldassay.UsageError, match="have no type"):
        Medcon().score(pred=bare, gold=bare)
    assert Medcon(groups="all").score(pred=bare, gold=bare).f1 == 1
    with pytest.raises(goldassay.UsageError, match="have no id"):
        Medcon().score(pred=lay_out([("x", "", [Mention("a", "a", kinds="T047")])]), gold=bare)


def test_the_groups():
    assert len(GROUP_OF) == sum(len(kinds.split()) for kinds in TYPES.values()) + len(TYPES)
    assert GROUP_OF["T184"] == "DISO"


TERMS = st.lists(
    st.tuples(st.sampled_from(["asthma", "wheezing", "airway"]), st.sampled_from(["C1", "C2", "C4"])), max_size=6
)


def by_script(pred, gold):
    """Count the terms of gold of which the prediction has a concept, over the terms of either side."""
    seen = {one for _, one in pred}
    hits = len({term for term, one in gold if one in seen})
    precision, recall = (hits / len({term for term, _ in side}) if side else 0 for side in (pred, gold))
    return precision, recall, 2 * precision * recall / (precision + recall) if hits else 0


@given(pred=TERMS, gold=TERMS)
def test_terms_against_a_script(tmp_path_factory, pred, gold):
    assume(gold)
    folder = tmp_path_factory.mktemp("terms")
    for name, side in (("pred", pred), ("gold", gold)):
        found = [{"text": term, "id": one, "type": KINDS[one]} for term, one in side]
        (folder / f"{name}.jsonl").write_text(json.dumps({"id": "x", "concepts": found}))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", goldassay.GoldassayWarning)
        report = goldassay.evaluate(folder / "pred.jsonl", gold=folder / "gold.jsonl", kind="concepts", as_="aci-bench")
    assert tuple(report["medcon(by=term)"].values.values()) == pytest.approx(by_script(pred, gold))


def test_a_term_matches_the_first_that_has_one_of_its_concepts():
    rows = [
        Mention(f"{one} {term}", term, one, kinds="T047")
        for term, one in (("a", "C1"), ("b", "C1"), ("b", "C2"), ("c", "C3"))
    ]
    gold, pred = lay_out([("x", "", rows)]), lay_out([("x", "", [rows[2]]), ("y", "", [rows[0]])])
    found = Medcon(by="term", groups="all", average="micro").score(pred=pred, gold=gold)
    table = found.matching.table()
    shown = {
        (side, item): other
        for side, item, other in zip(*(table[one] for one in ("side", "item", "counterpart")), strict=True)
    }
    assert shown == {
        ("gold", "x: a"): None,
        ("gold", "x: b"): "x: b",
        ("gold", "x: c"): None,
        ("pred", "x: b"): "x: b",
        ("pred", "y: a"): None,
    }
    assert (found.precision, found.recall) == (1 / 2, 1 / 3)


def test_the_bounds_of_what_may_pass_1():
    assert dict(Concept().values) == {"precision": (0.0, 1.0), "recall": (0.0, math.inf), "f1": (0.0, 2.0)}
    assert dict(Medcon(by="term").values) == {"precision": (0.0, math.inf), "recall": (0.0, 1.0), "f1": (0.0, 2.0)}


def one(assertion="", value="", kinds="T047"):
    return lay_out([("x", "", [Mention("C1", "asthma", "C1", assertion=assertion, value=value, kinds=kinds)])])


@pytest.mark.parametrize("by", ["id", "term"])
@pytest.mark.parametrize("other", [{"assertion": "negated"}, {"value": "20 mg"}])
def test_ids_match_with_any_assertion(by, other):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", goldassay.UndefinedWarning)
        assert Medcon(by=by).score(pred=one(**other), gold=one()).f1 == 1


def test_a_concept_without_type_or_id_is_reported_what_helps():
    with pytest.raises(goldassay.UsageError) as caught:
        Medcon().score(pred=one(kinds=""), gold=one())
    assert caught.value.hint == "groups=all needs no types"
    without = lay_out([("x", "", [Mention("asthma", "asthma", "", kinds="T047")])])
    with pytest.raises(goldassay.UsageError) as caught:
        Medcon().score(pred=without, gold=one())
    assert "--dictionary FILE" in caught.value.hint


def test_what_terms_promise_and_ids_do():
    assert (Medcon(by="term").symmetry, Medcon(by="id").symmetry) == ("none", "swap")
    assert (Medcon(by="term").weighs_gold, Medcon(by="id").weighs_gold) == (False, True)
    assert goldassay.concepts.ConceptExact().score(pred=one(), gold=one()).matching.left_out == 0


def test_the_example_of_groups_of():
    assert repr((sorted(groups_of("T047,T184,T023")), groups_of("T061"))) == "(['ANAT', 'DISO'], frozenset())"
