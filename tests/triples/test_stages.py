"""Where triples are lost: injected losses of known size are found again, and every value is that of a plain loop over the definition."""

import json
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import goldassay
from goldassay.core.errors import InputError, UsageError
from goldassay.triples import Stages, TripleF1, TripleSet
from goldassay.triples.measures.stages import STAGES
from goldassay.triples.words import overlap

pytestmark = pytest.mark.filterwarnings("ignore::goldassay.UndefinedWarning")
PREDICATES = ("in", "near", "part of")


def graph(documents, size):
    """Make documents of triples whose entities occur once, in names of two words that no other has."""
    return {
        f"d{at}": [(f"a{at}x{n} b{at}x{n}", PREDICATES[n % 3], f"c{at}x{n} e{at}x{n}") for n in range(size)]
        for at in range(documents)
    }


def damaged(triples, stage, chosen):
    """Lose some triples of a document at a stage."""
    kept = [triple for row, triple in enumerate(triples) if row not in chosen]
    lost = [triples[row] for row in chosen]
    if stage == "found":
        return kept
    if stage == "resolved":
        return kept + [(s.split()[0], p, o) for s, p, o in lost]
    if stage == "linked":
        # Each subject gets the object of the next one.
        return kept + [(s, p, lost[(at + 1) % len(lost)][2]) for at, (s, p, _) in enumerate(lost)]
    if stage == "related":
        return kept + [(s, PREDICATES[(PREDICATES.index(p) + 1) % 3], o) for s, p, o in lost]
    return kept + [(o, p, s) for s, p, o in lost]


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5])
@pytest.mark.parametrize("stage", STAGES)
def test_an_injected_loss_is_recovered(stage, share):
    gold, rng = graph(40, 20), np.random.default_rng(3)
    pred = {name: damaged(some, stage, rng.permutation(20)[: int(share * 20)].tolist()) for name, some in gold.items()}
    score = Stages().score(pred=TripleSet.from_lists(pred), gold=TripleSet.from_lists(gold))
    lost = {name: score.counts[f"lost_{name}"] / score.counts["n_gold"] for name in STAGES}
    assert lost == pytest.approx({name: share if name == stage else 0.0 for name in STAGES}, abs=0.01)
    oracle = Stages(oracle="yes").score(pred=TripleSet.from_lists(pred), gold=TripleSet.from_lists(gold))
    # A wrong link stays where gold's is put in: it is between other entities.
    assert oracle.values[stage] == pytest.approx(2 / (2 + share) if stage == "linked" else 1.0)


def test_losses_at_all_stages_at_once_are_recovered():
    gold, rng, shares = graph(60, 25), np.random.default_rng(5), dict(zip(STAGES, (4, 3, 5, 2, 1), strict=True))
    pred = {}
    for name, some in gold.items():
        rows, left = rng.permutation(25).tolist(), list(some)
        for stage, size in shares.items():
            chosen, rows = rows[:size], rows[size:]
            now = damaged(some, stage, chosen)
            left = [one for one in left if one not in {some[row] for row in chosen}] + now[25 - size :]
        pred[name] = left
    score = Stages().score(pred=TripleSet.from_lists(pred), gold=TripleSet.from_lists(gold))
    found = {name: score.counts[f"lost_{name}"] / score.counts["n_gold"] for name in STAGES}
    assert found == pytest.approx({name: size / 25 for name, size in shares.items()}, abs=0.01)
    assert score.values["directed"] == pytest.approx(10 / 25)


NAMES = st.sampled_from(["Oslo", "Norway", "City Oslo", "Oslo Norway", "Rome", "Italy"])
TRIPLES = st.lists(st.tuples(NAMES, st.sampled_from(["in", "at"]), NAMES), max_size=6, unique=True)


def naive_stage(triple, pred):
    """Find the stage at which a triple is lost, and the triples that link its ends, by the definition."""
    s, p, o = triple
    exact = [one for one in pred if {(one[0], one[2])} & {(s, o), (o, s)}]
    if exact:
        turned = [one for one in exact if one == (o, p, s)]
        return ("directed", turned) if turned else ("related", exact)
    names = {end for one in pred for end in (one[0], one[2])}
    called = [{name for name in names if overlap(name.casefold(), end.casefold()) >= 0.5} for end in (s, o)]
    if not all(called):
        return "found", []
    ends = {pair for a, b in product(*called) for pair in ((a, b), (b, a))}
    linking = [one for one in pred if (one[0], one[2]) in ends]
    if linking or not {s, o} <= names:
        return "resolved", linking
    return "linked", []


@given(pred=TRIPLES, gold=TRIPLES)
def test_every_value_is_that_of_a_plain_loop(pred, gold):
    sides = {"pred": TripleSet.from_lists({"d": pred}), "gold": TripleSet.from_lists({"d": gold})}
    lost = {triple: naive_stage(triple, pred) for triple in gold if triple not in pred}
    score = Stages().score(**sides)
    assert {name: score.counts[f"lost_{name}"] for name in STAGES} == {
        name: sum(stage == name for stage, _ in lost.values()) for name in STAGES
    }
    assert score.values["directed"] == TripleF1().score(**sides).recall
    oracle = Stages(oracle="yes").score(**sides)
    for name in STAGES:
        mine = {triple: rows for triple, (stage, rows) in lost.items() if stage == name}
        wrong = {row for rows in mine.values() for row in rows if row not in gold}
        repaired = [one for one in pred if one not in wrong] + list(mine)
        made = TripleF1().score(pred=TripleSet.from_lists({"d": repaired}), gold=sides["gold"])
        assert oracle.values[name] == pytest.approx(made.f1), name


def test_the_stage_of_each_triple_is_in_the_evidence():
    gold = TripleSet.from_lists({"d": [("Oslo", "in", "Norway"), ("Rome", "in", "Italy"), ("Rome", "near", "Ostia")]})
    pred = TripleSet.from_lists({"d": [("Norway", "in", "Oslo"), ("City of Rome", "in", "Italy")]})
    found = Stages().score(pred=pred, gold=gold).matching.table()
    assert found["lost"] == [None, None, "directed", "resolved", "found"]


def test_synonyms_are_names_of_one_entity(tmp_path):
    path = tmp_path / "kg.json"
    path.write_text(json.dumps({"relations": [], "entity_clusters": {"New York City": ["Big Apple"]}}))
    gold = TripleSet.from_lists({"d": [("New York City", "in", "US")]})
    pred = TripleSet.from_lists({"d": [("Big Apple", "in", "US")]})
    assert Stages().score(pred=pred, gold=gold).values["found"] == 0.0
    score = Stages(synonyms=str(path), alike=1.0).score(pred=pred, gold=gold)
    assert (score.values["found"], score.values["resolved"]) == (1.0, 0.0)
    assert "synonyms:" in str(score.signature)


def test_what_cannot_be_asked_is_refused(monkeypatch):
    with pytest.raises(UsageError, match="greater than 0"):
        Stages(alike=0.0)
    monkeypatch.setattr("goldassay.triples.measures.stages.LARGEST", 1)
    gold = TripleSet.from_lists({"d": [("a", "in", "b"), ("c", "in", "d")]})
    with pytest.raises(InputError, match="too many triples"):
        Stages().score(pred=TripleSet.from_lists({"d": []}), gold=gold)


def test_documents_are_drawn_for_intervals():
    gold = graph(30, 5)
    pred = {name: some[: at % 5] for at, (name, some) in enumerate(gold.items())}
    score = goldassay.evaluate(
        TripleSet.from_lists(pred), gold=TripleSet.from_lists(gold), kind="triples", measures="stages", intervals=True
    )["stages"]
    interval = score.intervals["found"]
    assert interval.low < score.values["found"] < interval.high
