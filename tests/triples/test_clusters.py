"""Clusters of names: published values of B-cubed and CEAF, plain loops over their definitions, and the files that have clusters."""

import json
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import goldassay
from goldassay.triples import Clusters, TripleSet, read_triples_of_documents
from goldassay.triples.measures.clusters import METRICS

pytestmark = pytest.mark.filterwarnings("ignore::goldassay.UndefinedWarning", "ignore::goldassay.SuspectInputWarning")
KEY = ["12345", "67", "89ABC"]
PUBLISHED = {
    "a": (["12345", "6789ABC"], (0.865, 0.733, 0.833)),
    "b": (["1234589ABC", "67"], (0.737, 0.667, 0.583)),
    "c": (["123456789ABC"], (0.545, 0.294, 0.417)),
    "d": (list("123456789ABC"), (0.400, 0.178, 0.250)),
}
"""The four systems of table 1 of Luo (2005), with F1 by B-cubed, CEAF over entities and CEAF over mentions."""


def side(clusters, name="d"):
    return TripleSet.from_lists({name: []}, clusters={name: [tuple(some) for some in clusters]})


@pytest.mark.parametrize("system", PUBLISHED)
def test_published_values_of_luo(system):
    found, values = PUBLISHED[system]
    scores = [Clusters(metric=metric).score(pred=side(found), gold=side(KEY)).f1 for metric in METRICS]
    assert scores == pytest.approx(values, abs=0.0006)


def test_b_cubed_of_bagga_and_baldwin():
    values = {"a": (16 / 21, 1.0), "b": (7 / 12, 1.0)}
    for system, expected in values.items():
        score = Clusters().score(pred=side(PUBLISHED[system][0]), gold=side(KEY))
        assert (score.precision, score.recall) == pytest.approx(expected)


PARTITIONS = st.lists(st.integers(0, 3), min_size=1, max_size=6)


def clusters_of(numbers, names):
    found = {}
    for name, number in zip(names, numbers, strict=False):
        found.setdefault(number, set()).add(name)
    return list(found.values())


@given(pred=PARTITIONS, gold=PARTITIONS, metric=st.sampled_from(METRICS))
def test_every_value_is_that_of_a_plain_loop(pred, gold, metric):
    # The sides have some names in common, and others not.
    here, there = clusters_of(pred, "abcdef"), clusters_of(gold, "cdefgh")
    score = Clusters(metric=metric).score(pred=side(here), gold=side(there))
    if metric == "b-cubed":
        expected = [b_cubed(*pair) for pair in ((here, there), (there, here))]
    else:
        most = max(map(sum, common(here, there, metric)), default=0.0)
        expected = [most / sum(phi(one, one, metric) for one in some) for some in (here, there)]
    assert (score.precision, score.recall) == pytest.approx(tuple(expected))


def b_cubed(mine, others):
    shares = [max([len(a & b) / len(a) for b in others if name in b], default=0.0) for a in mine for name in a]
    return sum(shares) / len(shares)


def phi(a, b, metric):
    return len(a & b) if metric == "ceaf-mention" else 2 * len(a & b) / (len(a) + len(b))


def common(here, there, metric):
    few, many = sorted((here, there), key=len)
    for order in permutations(many, len(few)):
        yield [phi(a, b, metric) for a, b in zip(few, order, strict=True)]


def test_a_name_in_no_cluster_is_one_of_its_own():
    triples = {"d": [("Oslo", "in", "Norway"), ("City of Oslo", "in", "Norway")]}
    gold = TripleSet.from_lists(triples, clusters={"d": [("Oslo", "City of Oslo")]})
    score = Clusters().score(pred=TripleSet.from_lists(triples), gold=gold)
    assert (score.precision, score.recall) == (1.0, 2 / 3)
    assert score.matching.table()["item"][-1] == "d: Oslo in City of Oslo = Oslo"


def test_clusters_that_share_a_name_are_one():
    score = Clusters(metric="ceaf-entity").score(pred=side(["ab", "ac"]), gold=side(["abc"]))
    assert (score.precision, score.recall) == (1.0, 1.0)


@pytest.mark.parametrize("metric", ["b-cubed", "ceaf-entity", "ceaf-mention"])
def test_an_empty_name_in_a_cluster_is_no_name(metric):
    # CEAF left out the whole cluster, and B-cubed counted it as a name that the other side does not have.
    score = Clusters(metric=metric).score(pred=side([("a", "")]), gold=side(["a"]))
    assert (score.precision, score.recall, len(score.matching.pred_items)) == (1.0, 1.0, 1)


@pytest.mark.parametrize("layout", ["object", "lines"])
def test_clusters_of_kggen_are_read(tmp_path, layout):
    graph = {
        "id": "1",
        "relations": [["Grieg", "composed", "Peer Gynt"]],
        "entity_clusters": {"Grieg": ["Grieg", "Edvard Grieg"]},
        "edge_clusters": {"composed": ["wrote"]},
    }
    path = tmp_path / ("a.json" if layout == "object" else "a.jsonl")
    path.write_text(json.dumps(graph, indent=1) if layout == "object" else json.dumps(graph) + "\n")
    gold = tmp_path / "gold.jsonl"
    gold.write_text(json.dumps({**graph, "entity_clusters": {}}) + "\n")
    report = goldassay.evaluate(path, gold=gold, kind="triples", measures=["clusters", "clusters(of=predicate)"])
    assert [score.values["precision"] for score in report.runs[0].scores] == [0.5, 1.0]


def test_mentions_of_docred_are_clusters(tmp_path):
    entities = [[{"name": "Grieg"}, {"name": "Edvard Grieg"}], [{"name": "Bergen"}]]
    path = tmp_path / "dev.json"
    path.write_text(json.dumps([{"title": "t", "vertexSet": entities, "labels": [{"h": 0, "t": 1, "r": "born in"}]}]))
    triples = read_triples_of_documents(path)
    assert [one.names for one in triples.clusters] == [("Grieg", "Edvard Grieg"), ("Bergen",)]
    kept = triples.of_documents(triples.unreadable)
    assert kept.clusters == ()
