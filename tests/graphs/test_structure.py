"""Motif and taxonomic scores, relations, depths and sweeps, against plain code."""

import math
import warnings

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import goldassay
from goldassay.core.context import Context
from goldassay.core.sweep import MARGIN
from goldassay.graphs import Fuzzy, Graph, Literal, Motif, Nodes, Taxonomic
from goldassay.graphs.measures.motif import component_names
from goldassay.graphs.trust import KNOWN, lexical
from goldassay.kernels.ancestors import kinship
from goldassay.kernels.triads import TRIADS, count_triads_by

WORDS = [f"w{number}" for number in range(9)]
NAMES = ["cat", "cats", "a cat", "dog", "animal", "animals", "violin", "viola"]
ENCODER = goldassay.get_encoder("hashing")
pairs = st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(WORDS)), max_size=16)
named = st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)), min_size=1, max_size=8)
rows = st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=30)


def as_rows(some):
    return np.array(some, dtype=np.int64).reshape(-1, 2)


def count_triads(edges, nodes):
    """Count the triads of one group of nodes."""
    (counts,) = count_triads_by(edges, np.zeros(nodes, dtype=np.int64), 1).tolist()
    return dict(zip(TRIADS, counts, strict=True))


@given(rows)
def test_triads_are_those_of_networkx(some):
    graph = nx.DiGraph()
    graph.add_nodes_from(range(9))
    graph.add_edges_from((a, b) for a, b in some if a != b)
    census = nx.triadic_census(graph)
    assert count_triads(as_rows(some), 9) == {name: census[name] for name in TRIADS}


def test_a_giant_star_is_counted_at_once():
    leaves = 200_000
    edges = np.column_stack((np.arange(1, leaves + 1), np.zeros(leaves, dtype=np.int64)))
    assert count_triads(edges, leaves + 1)["021U"] == math.comb(leaves, 2)


@given(pairs, pairs)
def test_motif_is_total_variation(pred, gold):
    def frequencies(some):
        graph = nx.DiGraph([(b, a) for a, b in some if a != b])
        census = nx.triadic_census(graph)
        total = sum(census[name] for name in TRIADS)
        return np.array([census[name] / total if total else 0.0 for name in TRIADS]), total

    (mine, some), (other, more) = frequencies(pred), frequencies(gold)
    expected = 0.0 if not some and not more else 1.0 if not (some and more) else np.abs(mine - other).sum() / 2
    with pytest.warns(goldassay.UndefinedWarning) if not some and not more else does_not_raise():
        score = Motif().score(pred=Graph.from_edges(pred), gold=Graph.from_edges(gold))
    assert score.values["distance"] == pytest.approx(expected)


class does_not_raise:  # noqa: N801 - reads as pytest.raises does
    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False


def cotopy(some, common):
    """Who is strictly above or below whom, straight from the closure; the members of a cycle are neither."""
    graph = nx.DiGraph(some)
    below = {a: nx.descendants(graph, a) for a in graph}
    strict = {(a, b) for a in graph for b in below[a] if a not in below[b]}
    return {c: {x for x in common if (c, x) in strict or (x, c) in strict} - {c} for c in common}


@given(pairs.filter(bool), pairs.filter(bool))
@pytest.mark.filterwarnings("ignore::goldassay.UndefinedWarning")
def test_taxonomic_is_the_definition(pred, gold):
    here, there = ({text for pair in side for text in pair} for side in (pred, gold))
    common = here & there
    mine, other = cotopy(pred, common), cotopy(gold, common)

    def mean(own, against):
        shares = [len(own[c] & against[c]) / len(own[c]) for c in common if own[c]]
        return sum(shares) / len(shares) if shares else 0.0

    p, r = mean(mine, other), mean(other, mine)
    lexical = len(common) / len(there)
    f1 = 2 * p * r / (p + r) if p + r else 0.0
    values = Taxonomic().score(pred=Graph.from_edges(pred), gold=Graph.from_edges(gold)).values
    assert values == pytest.approx(
        {
            "precision": p,
            "recall": r,
            "f1": f1,
            "lexical_precision": len(common) / len(here),
            "lexical_recall": lexical,
            "f_prime": 2 * lexical * f1 / (lexical + f1) if lexical + f1 else 0.0,
        }
    )


@given(rows, rows, st.integers(1, 9))
def test_kinship_does_not_depend_on_memory(left, right, some):
    common = np.arange(some)
    whole = kinship(as_rows(left), as_rows(right), 9, common)
    parts = kinship(as_rows(left), as_rows(right), 9, common, memory=1)
    assert [getattr(whole, name).tolist() for name in ("left", "right", "both")] == [
        getattr(parts, name).tolist() for name in ("left", "right", "both")
    ]


def test_kinship_beyond_one_block():
    chain = np.column_stack((np.arange(199), np.arange(1, 200)))
    found = kinship(chain, chain[:100], 200, np.arange(200), memory=1)
    assert found.left.tolist() == [199] * 200
    assert found.right.tolist() == [100] * 101 + [0] * 99


relational = st.lists(
    st.tuples(st.sampled_from(NAMES), st.sampled_from(["eats", "eat", "likes"]), st.sampled_from(NAMES)),
    min_size=1, max_size=8, unique=True,
)  # fmt: skip


def graph_of(triples):
    ids = list(dict.fromkeys(text for a, _, b in triples for text in (a, b)))
    names = list(dict.fromkeys(relation for _, relation, _ in triples))
    whole = Graph.from_edges([(text, text) for text in ids])
    from dataclasses import replace

    return replace(
        whole,
        edges=np.array([(ids.index(a), ids.index(b)) for a, _, b in triples], dtype=np.int64),
        relations=np.array([names.index(relation) for _, relation, _ in triples], dtype=np.int64),
        relation_names=tuple(names),
    )


def cosine(left, right):
    a, b = (row.astype(np.float64) for row in ENCODER.encode([left, right]))
    return 1.0 if left == right else float(a @ b / np.sqrt((a @ a) * (b @ b)))


@pytest.mark.parametrize("relation", ["ignore", "exact", "fuzzy"])
@given(pred=relational, gold=relational)
def test_relations_count_if_asked_for(relation, pred, gold):
    def matches(left, right):
        if relation == "exact" and left[1] != right[1]:
            return False
        parts = (0, 1, 2) if relation == "fuzzy" else (0, 2)
        return all(cosine(left[part], right[part]) > 0.5 for part in parts)

    measure = Fuzzy(threshold=0.5, relation=relation)
    score = measure.score(pred=graph_of(pred), gold=graph_of(gold), encoder=ENCODER)
    assert score.counts["hit_pred"] == sum(any(matches(e, f) for f in gold) for e in pred)
    assert score.counts["hit_gold"] == sum(any(matches(e, f) for f in pred) for e in gold)
    table = score.matching.table()
    for verdict, counterpart, similarity in zip(
        table["verdict"], table["counterpart"], table["similarity"], strict=True
    ):
        if relation != "fuzzy":
            assert (verdict == "hit") == (counterpart is not None and similarity > 0.5)


@given(relational, relational)
def test_literal_with_relations_is_overlap_of_triples(pred, gold):
    score = Literal(relation="exact").score(pred=graph_of(pred), gold=graph_of(gold))
    assert score.counts["hit_pred"] == len(set(pred) & set(gold)) == score.counts["hit_gold"]


@given(relational, relational)
def test_literal_lets_relations_match_by_meaning(pred, gold):
    def matches(left, right):
        return (left[0], left[2]) == (right[0], right[2]) and cosine(left[1], right[1]) > 0.5

    measure = Literal(relation="fuzzy", threshold=0.5)
    score = measure.score(pred=graph_of(pred), gold=graph_of(gold), encoder=ENCODER)
    assert score.counts["hit_pred"] == sum(any(matches(e, f) for f in gold) for e in pred)
    assert score.counts["hit_gold"] == sum(any(matches(e, f) for f in pred) for e in gold)
    assert "encoder" in score.signature.fields
    for name, side in (("pred", score.matching.pred), ("gold", score.matching.gold)):
        here, there = (pred, gold) if name == "pred" else (gold, pred)
        for row in np.flatnonzero(side.credit).tolist():
            assert matches(here[row], there[side.counterpart[row]])


def test_the_counterpart_is_the_edge_of_the_nearest_relation():
    pred = [("c", "is a", "d"), ("a", "is a", "b"), ("a", "cats", "b")]
    gold = [("x", "is a", "b"), ("a", "viola", "b"), ("a", "is an", "b")]
    near = cosine("is a", "is an")
    found = Literal(relation="fuzzy", threshold=0.2).score(pred=graph_of(pred), gold=graph_of(gold), encoder=ENCODER)
    assert found.matching.pred.counterpart[:2].tolist() == [-1, 2]
    assert found.matching.pred.similarity[1] == pytest.approx(near)
    assert found.matching.gold.counterpart.tolist()[0] == -1
    assert found.matching.gold.counterpart.tolist()[2] == 1
    # At the very cosine it is no hit.
    tie = float(found.matching.pred.similarity[1])
    for threshold, hits in ((tie, 0), (np.nextafter(tie, 0), 1)):
        measure = Literal(relation="fuzzy", threshold=threshold)
        assert not measure.cut.inclusive
        assert measure.score(pred=graph_of(pred), gold=graph_of(gold), encoder=ENCODER).counts["hit_pred"] == hits


def test_of_equally_near_edges_of_several_relations_the_first_is_the_counterpart():
    pred = graph_of([("cat", "is a", "pet"), ("cat", "is an", "pet"), ("dog", "viola", "pet")])
    gold = graph_of([("cat", "is a", "pet"), ("dog", "is a", "pet")])
    for assignment, matched in (("many", [0, 0]), ("one", [0, 0])):
        measure = Fuzzy(threshold=0.3, relation="fuzzy", assignment=assignment)
        matching = measure.score(pred=pred, gold=gold, encoder=ENCODER).matching
        assert matching.evidence("gold", np.array([0, 1])).counterpart.tolist() == matched
        found = matching.evidence("pred", np.array([2, 1, 0]))
        assert found.counterpart.tolist() == [-1, 0, 0]
        assert found.similarity.tolist() == pytest.approx([np.nan, 1.0, 1.0], nan_ok=True)


def test_parameters_that_contradict_each_other():
    graph = Graph.from_edges([("cat", "pet")])
    with pytest.raises(goldassay.UsageError, match="no effect"):
        Literal(relation="exact", distinct=True)
    with pytest.raises(goldassay.UsageError, match="no effect"):
        Literal(threshold=0.5)
    with pytest.raises(goldassay.UsageError, match="curves are not supported"):
        Fuzzy(relation="fuzzy").curve(pred=graph, gold=graph, encoder=ENCODER)
    with pytest.raises(goldassay.UsageError, match="no threshold to sweep"):
        goldassay.sweep(graph, gold=graph, measures=[Literal()], encoder=ENCODER)


@pytest.mark.parametrize("kind", [Fuzzy, Nodes])
@given(named, named, st.floats(-0.9, 0.99), st.booleans())
def test_the_curve_gives_what_the_measure_gives(kind, pred, gold, threshold, inclusive):
    pred, gold = Graph.from_edges(pred), Graph.from_edges(gold)
    values = kind(threshold=threshold, inclusive=inclusive).score(pred=pred, gold=gold, encoder=ENCODER).values
    point = kind().curve(pred=pred, gold=gold, encoder=ENCODER).at(threshold, inclusive=inclusive)
    assert (point.precision, point.recall, point.f1) == (values["precision"], values["recall"], values["f1"])


def test_a_sweep_says_how_firmly_the_number_is():
    pred, gold = Graph.from_edges([("cats", "animal"), ("dog", "pet")]), Graph.from_edges([("cat", "animal")])
    cut = Fuzzy().curve(pred=pred, gold=gold, encoder=ENCODER).thresholds[0]
    (found,) = goldassay.sweep(pred, gold=gold, measures=[Fuzzy(threshold=cut + MARGIN / 2)], encoder=ENCODER)
    assert found.near == {"precision": (0.0, 0.5), "recall": (0.0, 1.0), "f1": (0.0, pytest.approx(2 / 3))}
    (far,) = goldassay.sweep(pred, gold=gold, measures=[Fuzzy(threshold=-0.9)], encoder=ENCODER)
    assert far.near["precision"] == (1.0, 1.0)
    assert far.to_dict()["best"]["f1"] == 1.0


@pytest.mark.parametrize("by", ["relation", "depth"])
@given(pred=relational, gold=relational)
def test_groups_add_up_to_the_score(by, pred, gold):
    score = Literal(relation="exact").score(pred=graph_of(pred), gold=graph_of(gold))
    frame = goldassay.breakdown(score, by=by)
    assert {name: frame[name].sum() for name in score.counts} == dict(score.counts)


def test_a_concept_is_where_its_deepest_node_is():
    graph = Graph.from_edges([("a1", "b"), ("b", "c"), ("a2", "c")], texts={"a1": "a", "a2": "a", "b": "b", "c": "c"})
    result = goldassay.parse("taxonomic").score(pred=graph, gold=graph)
    frame = goldassay.breakdown(result, by="depth")
    assert dict(zip(frame["group"], frame["n_gold"], strict=True)) == {"0": 1, "1": 1, "2": 1}
    frame = goldassay.breakdown(result, by="branch")
    assert dict(zip(frame["group"], frame["n_gold"], strict=True)) == {"a": 1, "b": 1, "c": 1}


@given(named, named)
def test_motifs_of_a_component_are_those_of_the_component_only(pred, gold):
    pred, gold = Graph.from_edges(pred), Graph.from_edges(gold)
    result = score_of(goldassay.parse("motif"), pred, gold)
    frame = goldassay.breakdown(result, by="component")
    for row in frame.rows(named=True):
        single = [part_of(graph, row["group"]) for graph in (pred, gold)]
        counts = score_of(goldassay.parse("motif"), *single).counts
        assert {name: row[name] for name in counts} == dict(counts)


@given(named)
def test_a_component_is_named_by_its_first_root_or_else_by_its_first_node(some):
    graph = Graph.from_edges(some)
    below = {child for child, _ in some}
    expected = {}
    for part in nx.weakly_connected_components(nx.DiGraph(some)):
        expected |= dict.fromkeys(part, min(part - below or part))
    assert component_names(graph) == [expected[word] for word in graph.words]


@pytest.mark.parametrize("measure", ["literal", "nodes", "taxonomic"])
@given(pred=named, gold=named)
def test_a_text_is_known_if_the_other_side_has_it(measure, pred, gold):
    graphs = [Graph.from_edges(some) for some in (pred, gold)]
    matching = goldassay.parse(measure).match(pred=graphs[0], gold=graphs[1], context=Context(encoder=ENCODER))
    for items, others, graph in zip(
        (matching.pred_items, matching.gold_items),
        (matching.gold_items, matching.pred_items),
        graphs[::-1],
        strict=True,
    ):
        there = {*graph.texts.tolist()}
        names = [items.item(row).split(" -> ") for row in range(len(items))]
        known = [sum(name in there for name in ends) for ends in names]
        words = KNOWN if measure == "literal" else ("text unknown", "text known")
        assert lexical(items, others) == [words[number] for number in known]


def part_of(graph, name):
    names = component_names(graph)
    return graph.take(np.flatnonzero([names[child] == name for child in graph.edges[:, 0]]))


def score_of(measure, pred, gold):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", goldassay.UndefinedWarning)
        return measure.score(pred=pred, gold=gold)


def test_depth_is_the_longest_way_up():
    graph = Graph.from_edges([("a", "b"), ("b", "c"), ("a", "c"), ("c", "d"), ("d", "c")])
    frame = goldassay.breakdown(Literal().score(pred=graph, gold=graph), by="depth")
    assert dict(zip(frame["group"], frame["n_gold"], strict=True)) == {"0": 2, "1": 1, "2": 2}


def test_groups_of_what_has_none():
    score = Motif().score(
        pred=Graph.from_edges([("a", "b"), ("c", "b")]), gold=Graph.from_edges([("a", "b"), ("c", "b")])
    )
    with pytest.raises(goldassay.UsageError, match="cannot be split"):
        goldassay.breakdown(score, by="depth")
    with pytest.raises(goldassay.UsageError, match="cannot be split"):
        goldassay.breakdown(score, by="size")


ODD = {
    "self-loop": [("a", "a")],
    "one edge": [("a", "b")],
    "duplicates": [("a", "b"), ("a", "b"), ("c", "b")],
    "star": [(f"leaf {i}", "hub") for i in range(50)],
    "cycle": [("a", "b"), ("b", "c"), ("c", "a")],
    "disconnected": [("a", "b"), ("x", "y"), ("y", "z")],
}


@pytest.mark.parametrize("gold", ODD)
@pytest.mark.parametrize("pred", ODD)
@pytest.mark.parametrize("spec", ["continuous", "graph(hops=0)", "graph(hops=2)", "motif", "taxonomic", "fuzzy"])
@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
def test_odd_graphs_have_scores(spec, pred, gold):
    values = goldassay.evaluate(
        Graph.from_edges(ODD[pred]), gold=Graph.from_edges(ODD[gold]), measures=spec, encoder=ENCODER
    )[spec].values
    assert all(-1.0 <= value <= 1.0 for value in values.values())


@pytest.mark.parametrize("spec", ["continuous", "graph", "motif", "taxonomic"])
def test_nodes_without_edges(spec):
    from dataclasses import replace

    lonely = replace(Graph.from_edges([("a", "b")]), edges=np.empty((0, 2), np.int64), relations=np.empty(0, np.int64))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", goldassay.UndefinedWarning)
        score = goldassay.parse(spec).evaluate(pred=lonely, gold=lonely, context=Context(encoder=ENCODER))
    assert score.values[goldassay.parse(spec).headline] == (1.0 if spec == "graph" else 0.0)


def test_the_evidence_on_motifs_by_hand():
    # Parents of children: a chain in both, and a parent of two in the prediction only.
    pred = Graph.from_edges([("b", "a"), ("c", "b"), ("x", "z"), ("y", "z")])
    gold = Graph.from_edges([("b", "a"), ("c", "b")])
    found = Motif().score(pred=pred, gold=gold)
    assert found.distance == 0.5
    chain, fork = TRIADS.index("021C"), TRIADS.index("021D")
    ours, theirs = found.matching.pred, found.matching.gold
    assert {row: ours.credit[row] for row in (chain, fork)} == {chain: 1.0, fork: 0.0}
    assert {row: theirs.credit[row] for row in (chain, fork)} == {chain: 0.5, fork: 1.0}
    assert np.delete(ours.credit, [chain, fork]).tolist() == [1.0] * 11
    assert np.flatnonzero(ours.counterpart >= 0).tolist() == [chain]
    assert sorted(np.flatnonzero(theirs.counterpart >= 0).tolist()) == sorted([chain, fork])
    assert np.isnan(np.delete(ours.similarity, [chain])).all()
    assert ours.similarity[chain] == 1.0
    details = found.matching.evidence("pred", np.array([chain, fork])).details
    assert (details["count"].tolist(), details["frequency"].tolist()) == ([1, 1], [0.5, 0.5])


def test_taxonomic_by_hand():
    pred = Graph.from_edges([("cat", "feline"), ("feline", "animal"), ("dog", "animal"), ("x", "y")])
    gold = Graph.from_edges([("cat", "animal"), ("dog", "pet"), ("feline", "thing")])
    found = Taxonomic().score(pred=pred, gold=gold)
    # Of the common concepts animal, cat, dog and feline, cat and animal only are related on both sides.
    precision = (1 / 3 + 1 / 2 + 0 + 0) / 4
    assert (found.precision, found.recall) == (pytest.approx(precision), 1.0)
    assert (found.lexical_precision, found.lexical_recall) == (4 / 6, 4 / 6)
    assert found.f_prime == pytest.approx(2 * found.f1 * found.lexical_recall / (found.f1 + found.lexical_recall))
    table = found.matching.table()
    assert table["item"] == [
        "animal",
        "cat",
        "dog",
        "feline",
        "x",
        "y",
        "animal",
        "cat",
        "dog",
        "feline",
        "pet",
        "thing",
    ]
    assert table["related"] == [3, 2, 1, 2, None, None, 1, 1, 0, 0, None, None]
    assert table["related_on_both"] == [1, 1, 0, 0, None, None, 1, 1, 0, 0, None, None]
    nothing = [np.nan, np.nan]
    assert found.matching.pred.similarity.tolist() == pytest.approx([1 / 3, 1 / 2, 0, 0, *nothing], nan_ok=True)
    assert found.matching.gold.similarity.tolist() == pytest.approx([1, 1, 1, 1, *nothing], nan_ok=True)
    assert found.counts["judged_pred"] == 4
    assert found.counts["judged_gold"] == 2


@given(st.integers(1, 60), st.integers(1, 3))
def test_the_motif_distance_of_a_graph_to_itself_is_exactly_0(size, fans):
    edges = [(f"{copy}-{node}", f"{copy}-{node // (copy + 2)}") for copy in range(fans) for node in range(1, size)]
    edges += [("a", "b"), ("c", "b")]
    graph = Graph.from_edges(edges)
    assert Motif().score(pred=graph, gold=graph).distance == 0.0
