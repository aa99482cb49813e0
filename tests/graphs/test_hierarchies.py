"""Measures of whole hierarchies against plain loops over sets."""

import itertools
import math

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from rapidfuzz import fuzz

import goldassay
from goldassay.core.context import Context
from goldassay.core.errors import UsageError
from goldassay.graphs import AncestorF1, Closure, Edges, FowlkesMallows, Graph, Taxonomic
from goldassay.graphs.measures import edges as edges_module

NAMES = ["cat", "cats", "dog", "animal", "animals", "plant"]
EDGES = st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)), max_size=9)
# Edges that lead from a name to a later one make no cycle.
ACYCLIC = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=12).map(
    lambda pairs: [(f"n{min(pair)}", f"n{max(pair)}") for pair in pairs if pair[0] != pair[1]]
)
# Each node has one parent, which comes after it.
TREES = st.lists(st.integers(1, 3), min_size=2, max_size=8).map(
    lambda steps: [(f"n{node}", f"n{node + step}") for node, step in enumerate(steps)]
)
GRAPHS = st.one_of(EDGES, ACYCLIC)
ENCODER = goldassay.get_encoder("hashing")


def values(measure, pred, gold):
    graphs = {"pred": Graph.from_edges(pred), "gold": Graph.from_edges(gold)}
    return measure.match(context=Context(encoder=ENCODER), **graphs), score(measure, **graphs)


@pytest.mark.filterwarnings("ignore::goldassay.UndefinedWarning")
def score(measure, pred, gold):
    return measure.evaluate(pred=pred, gold=gold, context=Context(encoder=ENCODER))


def digraph(edges):
    graph = nx.DiGraph(edges)
    graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    return graph


def closure(edges):
    """List the pairs of a node and what is above it, but for members of one cycle."""
    graph = digraph(edges)
    cycle = {node: row for row, some in enumerate(nx.strongly_connected_components(graph)) for node in some}
    return {(a, b) for a in graph for b in nx.descendants(graph, a) if cycle[a] != cycle[b]}


def ratio(above, below):
    return above / below if below else 0.0


def f1(p, r):
    return 2 * p * r / (p + r) if p + r else 0.0


pytestmark = pytest.mark.filterwarnings("ignore::goldassay.core.errors.UndefinedWarning")


@given(GRAPHS, GRAPHS)
def test_closure_is_the_overlap_of_ancestor_pairs(pred, gold):
    ours, theirs = closure(pred), closure(gold)
    found = values(Closure(), pred, gold)[1]
    p, r = ratio(len(ours & theirs), len(ours)), ratio(len(ours & theirs), len(theirs))
    assert dict(found.values) == pytest.approx({"precision": p, "recall": r, "f1": f1(p, r)})
    assert (found.counts["n_pred"], found.counts["n_gold"]) == (len(ours), len(theirs))


@given(GRAPHS, GRAPHS)
def test_closure_of_common_concepts(pred, gold):
    common = set(itertools.chain(*pred)) & set(itertools.chain(*gold))
    cut = [[edge for edge in edges if set(edge) <= common] for edges in (pred, gold)]
    ours, theirs = ({pair for pair in closure(edges) if set(pair) <= common} for edges in (pred, gold))
    found = values(Closure(concepts="common"), pred, gold)[1]
    assert dict(found.counts) == counted(len(ours & theirs), len(ours), len(theirs))
    ours, theirs = map(closure, cut)
    found = values(Closure(concepts="cut"), pred, gold)[1]
    assert dict(found.counts) == counted(len(ours & theirs), len(ours), len(theirs))


def counted(hits, ours, theirs):
    return {"hit_pred": hits, "hit_gold": hits, "n_pred": ours, "n_gold": theirs}


@given(GRAPHS, GRAPHS)
def test_asserted_edges_are_looked_up_in_the_closure_of_the_other_side(pred, gold):
    above = [closure(edges) for edges in (pred, gold)]
    # An edge inside a cycle is no pair.
    asserted = [set(edges) & pairs for edges, pairs in zip((pred, gold), above, strict=True)]
    found = values(Closure(pairs="asserted"), pred, gold)[1].counts
    assert (found["hit_pred"], found["n_pred"]) == (len(asserted[0] & above[1]), len(asserted[0]))
    assert (found["hit_gold"], found["n_gold"]) == (len(asserted[1] & above[0]), len(asserted[1]))


@given(ACYCLIC, ACYCLIC)
def test_reduced_pairs_are_those_of_the_transitive_reduction(pred, gold):
    ours, theirs = (set(nx.transitive_reduction(digraph(edges)).edges) for edges in (pred, gold))
    found = values(Closure(pairs="reduced"), pred, gold)[1]
    assert dict(found.counts) == counted(len(ours & theirs), len(ours), len(theirs))


@given(EDGES, EDGES, st.sampled_from([-0.5, 0.2, 0.5, 0.9]), st.booleans())
def test_closure_by_meaning_is_fuzzy_over_ancestor_pairs(pred, gold, threshold, inclusive):
    ours, theirs = closure(pred), closure(gold)
    names = sorted(set(itertools.chain(*pred, *gold)))
    vectors = dict(zip(names, ENCODER.encode(names) if names else [], strict=True))

    def near(a, b):
        cosine = float(np.dot(vectors[a].astype(np.float64), vectors[b].astype(np.float64)))
        assume(abs(cosine - threshold) > 1e-6)
        return cosine > threshold

    hits = [
        {pair for pair in mine if any(near(pair[0], other[0]) and near(pair[1], other[1]) for other in others)}
        for mine, others in ((ours, theirs), (theirs, ours))
    ]
    found = values(Closure(by="meaning", threshold=threshold, inclusive=inclusive), pred, gold)[1].counts
    assert (found["hit_pred"], found["n_pred"]) == (len(hits[0]), len(ours))
    assert (found["hit_gold"], found["n_gold"]) == (len(hits[1]), len(theirs))


@given(GRAPHS, GRAPHS, st.sampled_from(["all", "common"]))
def test_ancestor_f1_is_a_mean_over_concepts(pred, gold, concepts):
    common = set(itertools.chain(*pred)) & set(itertools.chain(*gold))
    sides = []
    for edges in (pred, gold):
        above = {}
        for low, high in closure(edges):
            if concepts == "all" or {low, high} <= common:
                above.setdefault(low, set()).add(high)
        sides.append(above)
    ours, theirs = sides
    every = ours.keys() | theirs.keys()
    shared = {name: len(ours.get(name, set()) & theirs.get(name, set())) for name in every}
    f = sum(2 * shared[one] / (len(ours.get(one, ())) + len(theirs.get(one, ()))) for one in every)
    wanted = {
        "precision": ratio(sum(shared[one] / len(ours[one]) for one in ours), len(ours)),
        "recall": ratio(sum(shared[one] / len(theirs[one]) for one in theirs), len(theirs)),
        "f1": ratio(f, len(every)),
    }
    assert dict(values(AncestorF1(concepts=concepts), pred, gold)[1].values) == pytest.approx(wanted)


def test_a_concept_is_explained_by_its_ancestors():
    gold = Graph.from_edges([("cat", "pet"), ("pet", "animal"), ("dog", "pet")])
    pred = Graph.from_edges([("cat", "animal"), ("dog", "pet")])
    table = Closure().score(pred=pred, gold=gold).matching.table()
    rows = dict(zip(zip(table["side"], table["item"], strict=True), table["verdict"], strict=True))
    assert rows == {
        ("pred", "cat"): "hit",
        ("pred", "dog"): "hit",
        ("gold", "cat"): "partial",
        ("gold", "dog"): "partial",
        ("gold", "pet"): "missed",
    }
    assert table["ancestors"] == [1, 1, 2, 2, 1]
    assert table["matched"] == [1, 1, 1, 1, 0]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"by": "meaning", "pairs": "reduced"}, "by text"),
        ({"by": "meaning", "concepts": "cut"}, "by text"),
        ({"threshold": 0.5}, "no effect on texts"),
        ({"inclusive": True}, "no effect on texts"),
    ],
)
def test_parameters_of_closure_that_contradict_each_other(parameters, message):
    with pytest.raises(UsageError, match=message):
        Closure(**parameters)


def test_memory_for_near_pairs_has_a_limit():
    graph = Graph.from_edges([(f"cat {row}", f"cat {row + 1}") for row in range(40)])
    for measure in (Closure(by="meaning", threshold=-1.0), Edges(terms="meaning", threshold=-1.0)):
        with pytest.raises(UsageError, match="memory limit"):
            measure.evaluate(pred=graph, gold=graph, context=Context(encoder=ENCODER, memory=1000))


@given(GRAPHS, GRAPHS, st.sampled_from([Closure(), Closure(pairs="asserted"), AncestorF1(), Edges()]))
def test_lists_and_bits_and_blocks_of_bits_give_the_same(pred, gold, measure):
    graphs = {"pred": Graph.from_edges(pred), "gold": Graph.from_edges(gold)}
    whole, tight = (
        measure.evaluate(**graphs, context=Context(encoder=None, memory=memory)).counts for memory in (2**29, 1)
    )
    assert dict(whole) == dict(tight)


def cut(edges, wanted, root, itself):
    """Give the clusters of each level as sets of pairs."""
    graph = digraph(edges)
    if root is not None:
        inside = {root} | nx.ancestors(graph, root) if root in graph else set()
        graph = graph.subgraph(inside)
    depth = {}
    for node in reversed(list(nx.topological_sort(graph))):
        depth[node] = max((depth[above] + 1 for above in graph.successors(node)), default=0)
    levels = [set() for _ in range(max(depth.values(), default=0))]
    for node, level in depth.items():
        below = nx.ancestors(graph, node) | ({node} if itself else set())
        if level < len(levels):
            levels[level] |= set(itertools.combinations(sorted(below & wanted), 2))
    return levels


def nodes(edges):
    return sorted(set(itertools.chain(*edges)))


def tops(edges):
    return sorted({upper for _, upper in edges} - {lower for lower, _ in edges})


def naive_fowlkes_mallows(pred, gold, root, texeval):
    graphs = [digraph(edges) for edges in (pred, gold)]
    leaves = [{node for node in graph if not graph.in_degree(node)} for graph in graphs]
    either = leaves[0] | leaves[1]
    ours = cut(pred, either & set(graphs[0]), root, not texeval)
    theirs = cut(gold, leaves[1] if texeval else either & set(graphs[1]), root, not texeval)
    above = below = 0.0
    for level in range(len(theirs) if texeval else max(len(ours), len(theirs))):
        here, there = (side[level] if level < len(side) else set() for side in (ours, theirs))
        if not texeval and not here and not there:
            continue
        above += ratio(len(here & there), math.sqrt(len(here) * len(there))) / (level + 1)
        below += 1 / (level + 1)
    return ratio(above, below)


@given(ACYCLIC | TREES, ACYCLIC | TREES)
def test_fowlkes_mallows_is_the_definition(pred, gold):
    found = values(FowlkesMallows(), pred, gold)[1]
    assert found.cumulative == pytest.approx(naive_fowlkes_mallows(pred, gold, None, texeval=False))
    back = values(FowlkesMallows(), gold, pred)[1]
    assert back.cumulative == pytest.approx(found.cumulative)


@given(st.one_of(st.tuples(ACYCLIC, ACYCLIC, st.just(nodes)), st.tuples(TREES, TREES, st.just(tops))))
def test_texeval_is_its_convention(drawn):
    # One root above everything, as the tool needs it; above tops only, a tree stays a tree.
    pred, gold, above = drawn
    pred, gold = ([*edges, *((node, "root") for node in above(edges))] for edges in (pred, gold))
    assume(pred and gold)
    for root in (None, "root"):
        found = values(FowlkesMallows(convention="texeval", root=root), pred, gold)[1]
        assert found.cumulative == pytest.approx(naive_fowlkes_mallows(pred, gold, "root", texeval=True))


def test_cycles_are_condensed_and_a_pair_of_one_leaf_is_none():
    looped = [("a", "top"), ("b", "a"), ("a", "b"), ("c", "b"), ("d", "a"), ("e", "top")]
    found = values(FowlkesMallows(), looped, looped)[1]
    assert found.cumulative == 1.0
    assert found.counts["pred_cyclic_components"] == 1
    chain = [("a", "b"), ("b", "c")]
    assert values(FowlkesMallows(), chain, chain)[1].undefined == ("cumulative",)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"root": "plant"}, "gold has no node 'plant'"),
        ({"root": "pet"}, "'pet' is not a root of gold"),
        ({"root": "thing"}, "the prediction has no node 'thing'"),
        ({"convention": "texeval", "root": "plant"}, "gold has no node 'plant'"),
    ],
)
def test_a_wrong_root_is_refused(parameters, message):
    gold = [("cat", "pet"), ("pet", "animal"), ("pet", "thing")]
    with pytest.raises(UsageError, match=message):
        values(FowlkesMallows(**parameters), [("cat", "pet"), ("pet", "animal")], gold)


def naive_edges(pred, gold, partners, neighbourhood):
    """Score as sets, a predicted term being its partner."""
    called = {name: partners.get(name, ("single", name)) for name in itertools.chain(*pred)}
    ours, theirs = {(called[a], called[b]) for a, b in pred}, set(gold)
    p, r = ratio(len(ours & theirs), len(ours)), ratio(len(ours & theirs), len(theirs))

    def around(edges, node):
        up, down = {b for a, b in edges if a == node}, {a for a, b in edges if b == node}
        return {"both": up | down, "parents": up, "children": down}[neighbourhood]

    lines = [closure(edges) for edges in (ours, theirs)]

    def line(pairs, node):
        return {b for a, b in pairs if a == node} | {a for a, b in pairs if b == node}

    terms = set(called.values()) | set(itertools.chain(*gold))
    found = {"precision": p, "recall": r, "edge_f1": f1(p, r)}
    for name, look, sides in (("neighbourhood", around, (ours, theirs)), ("taxonomy", line, lines)):
        pairs = [(look(sides[0], term), look(sides[1], term)) for term in terms]
        shares = [len(a & b) / len(a | b) for a, b in pairs if a | b]
        found[name] = ratio(sum(shares), len(shares))
    return {**found, "similarity": (found["edge_f1"] + found["neighbourhood"] + found["taxonomy"]) / 3}


@given(GRAPHS, GRAPHS, st.sampled_from(["both", "parents", "children"]))
def test_edges_is_the_definition(pred, gold, neighbourhood):
    partners = {name: name for name in itertools.chain(*gold)}
    wanted = naive_edges(pred, gold, partners, neighbourhood)
    assert dict(values(Edges(neighbourhood=neighbourhood), pred, gold)[1].values) == pytest.approx(wanted)


@given(EDGES, EDGES, st.sampled_from([0.6, 0.75, 0.9, 1.0]), st.sampled_from(["string", "meaning"]))
def test_terms_are_matched_so_that_their_similarities_add_up_to_most(pred, gold, threshold, terms):
    ours, theirs = (sorted(set(itertools.chain(*edges))) for edges in (pred, gold))
    if terms == "string":
        similarity = {(a, b): fuzz.ratio(a, b) / 100 for a in ours for b in theirs}
    else:
        vectors = dict(zip(NAMES, ENCODER.encode(NAMES).astype(np.float64), strict=True))
        similarity = {(a, b): float(vectors[a] @ vectors[b]) for a in ours for b in theirs}
    near = 1e-6 if terms == "meaning" else 0.0
    assume(all(abs(value - threshold) > near or not near for value in similarity.values()) or threshold == 1.0)
    best = 0.0
    longer, shorter = (ours, theirs) if len(ours) >= len(theirs) else (theirs, ours)
    for some in itertools.permutations(longer, len(shorter)):
        pairs = zip(some, shorter, strict=True) if longer is ours else zip(shorter, some, strict=True)
        best = max(best, sum(similarity[pair] for pair in pairs if similarity[pair] >= threshold - near))
    matching, found = values(Edges(terms=terms, threshold=threshold), pred, gold)
    assert np.nansum(matching.pred.similarity) == pytest.approx(best, abs=1e-5)
    partners = {ours[row]: theirs[other] for row, other in enumerate(matching.pred.counterpart.tolist()) if other >= 0}
    assert len(set(partners.values())) == len(partners)
    assert dict(found.values) == pytest.approx(naive_edges(pred, gold, partners, "both"))


def test_a_ratio_that_reaches_the_threshold_is_a_match():
    gold, pred = [("neighbours", "people")], [("neighbour", "people")]
    exact = fuzz.ratio("neighbours", "neighbour") / 100
    assert values(Edges(terms="string", threshold=exact), pred, gold)[1].similarity == 1.0
    assert values(Edges(terms="string", threshold=exact + 1e-9), pred, gold)[1].edge_f1 == 0.0
    with pytest.raises(UsageError, match="no effect on exact terms"):
        Edges(threshold=0.5)


def naive_facts(pred, gold):
    """What TExEval reports, by sets and networkx."""
    sides = {"pred": set(pred), "gold": set(gold)}
    nodes = {name: {node for edge in edges for node in edge} for name, edges in sides.items()}
    found = {
        "common_vertices": len(nodes["pred"] & nodes["gold"]),
        "common_edges": len(sides["pred"] & sides["gold"]),
    }
    for name, edges in sides.items():
        lower, upper = ({edge[end] for edge in edges} for end in (0, 1))
        graph = digraph(edges)
        condensed = nx.condensation(graph)
        found |= {
            f"{name}_vertices": len(nodes[name]),
            f"{name}_edges": len(edges),
            f"{name}_components": nx.number_weakly_connected_components(graph),
            f"{name}_cyclic_components": sum(len(some) > 1 for some in nx.strongly_connected_components(graph)),
            f"{name}_self_loops": sum(a == b for a, b in edges),
            f"{name}_roots": len(upper - lower),
            f"{name}_intermediate_nodes": len(upper & lower),
            f"{name}_leaves": len(lower - upper),
            f"{name}_isolated": 0,
            f"{name}_depth": nx.dag_longest_path_length(condensed) if condensed else 0,
        }
    return found


@given(EDGES, EDGES)
def test_facts_of_both_taxonomies(pred, gold):
    pred, gold = sorted(set(pred)), sorted(set(gold))
    found = values(FowlkesMallows(), pred, gold)[0].facts
    assert dict(found) == naive_facts(pred, gold)


TREE = [("a", "r"), ("b", "r"), ("c", "b"), ("d", "b")]


def test_counts_of_the_levels():
    pred = [("a", "r"), ("b", "r"), ("c", "b"), ("d", "r")]
    matching = values(FowlkesMallows(), pred, TREE)[0]
    # Leaves of either side: a, c and d; at the root three pairs on both sides, below it gold has c and d together.
    assert matching.together.tolist() == [3, 0]
    assert (matching.pred_only.tolist(), matching.gold_only.tolist()) == ([0, 0], [0, 1])
    assert matching.weights.tolist() == [1, 0.5]


def test_what_is_not_below_the_root_is_left_out():
    pred = [*TREE, ("e", "s"), ("f", "s")]
    gold = [*TREE, ("e", "r"), ("f", "s"), ("s", "t")]
    whole, below = (values(FowlkesMallows(root=root), pred, gold)[1].cumulative for root in (None, "r"))
    assert below == pytest.approx(naive_fowlkes_mallows(pred, gold, "r", texeval=False))
    assert whole != pytest.approx(below)


@pytest.mark.parametrize(
    ("gold", "root"),
    [(TREE, "r"), ([*TREE, ("e", "s"), ("c", "s")], None), ([("a", "q"), ("b", "q"), ("c", "b")], None)],
)
def test_texeval_takes_the_only_root_of_gold_if_the_prediction_has_it(gold, root):
    pred = [*TREE, ("a", "x"), ("b", "x"), ("e", "x"), ("c", "x")]
    found = values(FowlkesMallows(convention="texeval"), pred, gold)[1].cumulative
    wanted = {some: naive_fowlkes_mallows(pred, gold, some, texeval=True) for some in (None, "r")}
    assert wanted[None] != pytest.approx(wanted["r"])
    assert found == pytest.approx(wanted[root])


@pytest.mark.parametrize("root", ["a", "b"])
def test_what_has_something_above_it_is_no_root(root):
    with pytest.raises(UsageError, match=f"'{root}' is not a root of gold") as refused:
        values(FowlkesMallows(root=root), TREE, TREE)
    assert "a root: r" in str(refused.value)


def test_the_roots_of_gold_are_named():
    with pytest.raises(UsageError) as refused:
        values(FowlkesMallows(root="q"), TREE, TREE)
    assert "a root of gold: r" in str(refused.value)
    with pytest.raises(UsageError) as refused:
        values(FowlkesMallows(root="q"), TREE, [("a", "b"), ("b", "a")])
    assert "a root of gold: none" in str(refused.value)
    with pytest.raises(UsageError) as refused:
        values(FowlkesMallows(root="q"), TREE, [(f"n{row}", f"r{row}") for row in range(7)])
    assert refused.value.expected == "a root of gold: r0, r1, r2, r3, r4"


def test_edges_asks_for_an_encoder_for_meanings_only():
    assert [Edges(terms=terms).needs_encoder for terms in ("exact", "string", "meaning")] == [False, False, True]
    assert [Edges(terms=terms).symmetry for terms in ("exact", "string", "meaning")] == ["swap", "none", "none"]


class Halves:
    """Every two texts have a cosine of exactly one half."""

    name, fingerprint, dimension = "halves", "0" * 64, 4

    def encode(self, texts, *, progress=None):
        del progress
        signs = {"cat": (1, 1, 1, 1), "dog": (1, 1, 1, -1), "pet": (1, 1, -1, 1)}
        return np.array([signs[text] for text in texts], dtype=np.float32) / 2


def test_a_cosine_that_reaches_the_threshold_is_a_match():
    graphs = {"pred": Graph.from_edges([("cat", "cat")]), "gold": Graph.from_edges([("dog", "dog")])}
    for threshold, matched in ((0.5, True), (0.5000001, False)):
        found = Edges(terms="meaning", threshold=threshold).match(context=Context(encoder=Halves()), **graphs)
        assert (found.pred.credit.tolist(), found.gold.credit.tolist()) == ([matched], [matched])
        assert (found.pred.counterpart.tolist() == [0]) == matched


def test_the_best_matching_of_terms_is_found_in_each_group_of_them():
    """The first group has no similarity of its second term with its first, and a greedy choice would cost a match."""
    here, there = np.array([0, 0, 1, 2, 2, 3]), np.array([0, 1, 1, 2, 3, 3])
    partner, found = edges_module._assign(here, there, np.array([0.9, 0.95, 0.9, 0.5, 0.7, 0.8]), 5)
    assert partner.tolist() == [0, 1, 2, 3, -1]
    assert found[:4].tolist() == [0.9, 0.9, 0.5, 0.8]


def test_terms_are_compared_block_by_block(monkeypatch):
    monkeypatch.setattr(edges_module, "BLOCK", 1)
    pred, gold = [("aaaa", "bbbb"), ("cccc", "bbbb")], [("aaab", "bbbb"), ("cccd", "bbbb")]
    assert values(Edges(terms="string", threshold=0.7), pred, gold)[1].similarity == 1.0


def test_edges_are_with_their_lower_end_and_terms_have_units_of_their_own():
    measure = Edges()
    matching, _ = values(measure, [("cat", "pet"), ("pet", "pet"), ("cow", "pet")], [("cat", "pet"), ("dog", "pet")])
    parts = measure.parts(matching)
    assert [part.unit_keys() for part in parts] == [["cat", "dog", "pet"], ["cow, not matched"]]
    counts = [{name: part.counts[name].tolist() for name in ("hit", "n_pred", "n_gold")} for part in parts]
    assert counts == [
        {"hit": [1, 0, 0], "n_pred": [1, 0, 1], "n_gold": [1, 1, 0]},
        {"hit": [0], "n_pred": [1], "n_gold": [0]},
    ]


@given(ACYCLIC, ACYCLIC)
def test_reduced_pairs_of_common_concepts(pred, gold):
    common = set(itertools.chain(*pred)) & set(itertools.chain(*gold))
    ours, theirs = (
        {edge for edge in nx.transitive_reduction(digraph(edges)).edges if set(edge) <= common}
        for edges in (pred, gold)
    )
    found = values(Closure(pairs="reduced", concepts="common"), pred, gold)[1]
    assert dict(found.counts) == counted(len(ours & theirs), len(ours), len(theirs))


@pytest.mark.parametrize(("threshold", "expected_message"), [(-0.99, True), (0.99, False)])
def test_a_threshold_that_accepts_random_pairs_is_named(threshold, expected_message):
    graph = Graph.from_edges([(f"n{row}", "root") for row in range(30)])
    measure = Closure(by="meaning", threshold=threshold)
    remark = measure.note(measure.match(pred=graph, gold=graph, context=Context(encoder=ENCODER)), {})
    assert (remark is not None) == expected_message
    assert not expected_message or "goldassay calibrate PRED --gold GOLD --against-chance 0.01" in remark


def test_concepts_are_explained_by_what_they_are_related_to_on_their_own_side():
    pred, gold = (
        [("cat", "pet"), ("pet", "animal"), ("cow", "animal"), ("ant", "animal")],
        [("cat", "pet"), ("dog", "pet"), ("cow", "pet")],
    )
    matching = Taxonomic().match(pred=Graph.from_edges(pred), gold=Graph.from_edges(gold), context=Context())
    # Common: cat, cow and pet. The prediction has cat below pet; gold has cat and cow below pet.
    for side, texts, related in (
        ("pred", ["animal", "ant", "cat", "cow", "pet"], [None, None, 1, 0, 1]),
        ("gold", ["cat", "cow", "dog", "pet"], [1, 1, None, 2]),
    ):
        items = matching.pred_items if side == "pred" else matching.gold_items
        assert items.texts.tolist() == texts
        details = matching.evidence(side, np.arange(len(texts))).details
        assert details["related"].tolist() == related
        assert details["related_on_both"].tolist() == [None if one is None else {"cat": 1, "cow": 0, "pet": 1}[text]
                                                       for one, text in zip(related, texts, strict=True)]  # fmt: skip


def test_a_mean_over_concepts_is_not_defined_by_one_side_only():
    assert (AncestorF1().defined_one_sided, Closure().defined_one_sided, FowlkesMallows().defined_one_sided) == (
        False,
        False,
        True,
    )
    assert set(values(AncestorF1(), [], TREE)[1].undefined) == {"precision"}
