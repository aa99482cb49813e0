"""MEDCON against sets of ids."""

import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

import goldassay
from goldassay.concepts import ConceptReading, Medcon, read_concepts
from goldassay.concepts.model import Found, lay_out
from goldassay.concepts.semantic_groups import GROUP_OF, TYPES

KINDS = {"C1": "T047", "C2": "T121,T109", "C3": "T061", "C4": "DISO", "C5": "T023"}
DOCUMENTS = st.dictionaries(st.sampled_from("xyz"), st.lists(st.sampled_from(sorted(KINDS)), max_size=5), max_size=3)


def model(lists):
    return lay_out([(name, "", [Found(one, one, one, kinds=KINDS[one]) for one in ids]) for name, ids in lists.items()])


def score(measure, pred, gold):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", goldassay.UndefinedWarning)
        return measure.score(pred=model(pred), gold=model(gold))


@pytest.mark.parametrize(
    ("groups", "counted"), [("medcon", {"C1", "C2", "C4", "C5"}), ("all", set(KINDS)), ("DISO", {"C1", "C4"})]
)
@given(pred=DOCUMENTS, gold=DOCUMENTS)
def test_against_sets(groups, counted, pred, gold):
    macro, micro = (score(Medcon(groups=groups, average=average), pred, gold) for average in ("macro", "micro"))
    sets = [(set(pred.get(name, [])) & counted, set(gold.get(name, [])) & counted) for name in {**pred, **gold}]
    both, ours, theirs = (
        (sum(map(len, column)) for column in zip(*[(a & b, a, b) for a, b in sets], strict=True)) if sets else (0, 0, 0)
    )
    assert micro.precision == pytest.approx(both / ours if ours else 0)
    assert micro.recall == pytest.approx(both / theirs if theirs else 0)
    f1 = [2 * len(a & b) / (len(a) + len(b)) if a | b else 0 for a, b in sets]
    assert macro.f1 == pytest.approx(sum(f1) / len(f1) if f1 else 0)


def test_what_is_not_counted_is_told():
    found = score(Medcon(), {"x": ["C1", "C3"]}, {"x": ["C1"]})
    assert (found.f1, found.caveat) == (1, "medcon: 1 concepts of other semantic groups are not counted")


def test_types_from_a_file(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(
        '{"id": 1, "concepts": [{"text": "asthma", "cui": "C1", "tui": ["T047"]}, {"text": "walk", "id": "C2", "type": "T056"}]}'
    )
    concepts = read_concepts(path, ConceptReading())
    assert sorted(concepts.kinds.tolist()) == ["T047", "T056"]
    assert Medcon().score(pred=concepts, gold=concepts).counts["n_pred"] == 1


def test_ids_and_types_are_needed():
    bare = lay_out([("x", "", [Found("C1", "asthma", "C1")])])
    with pytest.raises(goldassay.UsageError, match="have no type"):
        Medcon().score(pred=bare, gold=bare)
    assert Medcon(groups="all").score(pred=bare, gold=bare).f1 == 1
    with pytest.raises(goldassay.UsageError, match="have no id"):
        Medcon().score(pred=lay_out([("x", "", [Found("a", "a", kinds="T047")])]), gold=bare)


def test_the_groups():
    assert len(GROUP_OF) == sum(len(kinds.split()) for kinds in TYPES.values()) + len(TYPES)
    assert GROUP_OF["T184"] == "DISO"
