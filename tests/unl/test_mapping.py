"""The best mapping of nodes against all permutations."""

import itertools
import re
import warnings
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

import goldassay
from goldassay.unl import Relations, document_of, match
from goldassay.unl.match import align, overlap

NODES = [("a", "01"), ("a", ""), ("b", ""), ("c", ""), ("", "01")]
EDGES = st.lists(st.tuples(st.sampled_from(["agt", "obj"]), st.sampled_from(NODES), st.sampled_from(NODES)), max_size=7)


def best_of_all(pred, gold):
    here = sorted({node for edge in pred for node in edge[1:]})
    there = [*sorted({node for edge in gold for node in edge[1:]}), *[None] * len(here)]
    return max(
        sum((Counter((x, nodes[y], nodes[z]) for x, y, z in pred) & Counter(gold)).values())
        for nodes in (dict(zip(here, order, strict=True)) for order in set(itertools.permutations(there, len(here))))
        if all(other is None or bool(node[0]) == bool(other[0]) for node, other in nodes.items())
    )


@given(
    pred=EDGES.filter(lambda side: len({node for edge in side for node in edge[1:]}) <= 4),
    gold=EDGES.filter(lambda side: len({node for edge in side for node in edge[1:]}) <= 4),
)
def test_the_mapping_is_the_best_of_all_permutations(pred, gold):
    found = align(pred, gold)
    assert found.gap == 0
    assert found.overlap == overlap(found.nodes, pred, gold) == best_of_all(pred, gold)
    assert len(set(found.nodes.values())) == len(found.nodes)


def test_renamed_nodes_are_found_again():
    gold = document_of(
        "[S:1] agt(kill(icl>do):01, Peter) obj(kill(icl>do):01, Mary) mod(Mary, :07) agt:07(see, it) [/S]"
    )
    pred = document_of("[S:1] agt(slay:0A, Pete) obj(slay:0A, May) mod(May, :01) agt:01(look, that) [/S]")
    assert Relations(best_mapping=True).score(pred=pred, gold=gold).f1 == 1
    other = document_of("[S:1] agt(slay:0A, Pete) agt(slay:0A, May) [/S]")
    assert Relations(best_mapping=True).score(pred=other, gold=gold).counts["hit_pred"] == 1
    assert Relations(best_mapping=True, labelled=False).score(pred=other, gold=gold).counts["hit_pred"] == 2


def test_a_gap_is_reported_aloud_and_holds():
    gold = [("agt", (f"n{row % 40}", ""), (f"n{row * row % 37}", "")) for row in range(80)]
    pred = [("agt", (f"n{row * 3 % 40}", ""), (f"n{row * row * row % 31}", "")) for row in range(80)]
    found = align(pred, gold)
    assert found.gap > 0
    assert found.overlap == overlap(found.nodes, pred, gold)
    texts = ["[S:1] " + " ".join(f"{x}({y[0]}, {z[0]})" for x, y, z in side) + " [/S]" for side in (pred, gold)]
    report = goldassay.evaluate(
        document_of(texts[0]), gold=document_of(texts[1]), kind="unl", measures="unl_relations(best_mapping=true)"
    )
    score = report["unl_relations"]
    assert re.search("at most [0-9]+ more can", score.warning)
    assert score.warning in report.runs[0].warnings
    assert score.counts["hit_pred"] == score.counts["hit_gold"] == found.overlap


def test_what_no_move_improves_is_tried_once(monkeypatch):
    tried = []
    monkeypatch.setattr(match, "overlap", lambda *given: tried.append(given) or overlap(*given))
    monkeypatch.setattr(match, "CLIMBED", 100)
    match._climb([("agt", ("a", ""), ("b", ""))], [("agt", ("c", ""), ("d", ""))])
    assert len(tried) == 5  # as it is, and each of two nodes moved to each of two others


def test_a_document_without_partner_has_no_mapping():
    gold, pred = document_of("[S:1] agt(a, b) [/S] [S:2][/S]"), document_of("[S:3] agt(a, b) [/S] [S:2][/S]")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", goldassay.UndefinedWarning)
        counts = Relations(best_mapping=True).score(pred=pred, gold=gold).counts
    assert dict(counts) == {"hit_pred": 0, "hit_gold": 0, "n_pred": 1, "n_gold": 1}
