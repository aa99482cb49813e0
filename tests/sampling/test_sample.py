"""Drawing: the same items for a seed in any order, more of them later, and every item as likely as its design says."""

from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest

import goldassay
from goldassay.core.errors import UsageError
from goldassay.families import family
from goldassay.sampling.drawing import _fewer
from goldassay.sampling.items import evidence_levels, items_of, population_of, priorities
from goldassay.sampling.sample import (
    MOST_RELATIONS,
    OTHERS,
    SampleRequest,
    files_of,
    pick,
    relation_levels,
    sample_of,
    spread_of,
    strata_of,
)

FAMILY = family("triples")
RANDOM = np.random.default_rng(11)
ABOUT = {"kind": "triples", "item": "triple"}


def triples(documents):
    return goldassay.read(
        [{"id": name, "triples": [list(one) for one in some]} for name, some in documents.items()], kind="triples"
    )


def many(documents=20, seed=0):
    random = np.random.default_rng(seed)
    return {
        f"d{one}": [
            (f"s{random.integers(5)}", f"p{random.integers(3)}", f"o{random.integers(200)}") for _ in range(1 + one % 7)
        ]
        for one in range(documents)
    }


def found_of(*documents):
    return population_of([items_of(FAMILY, triples(one)) for one in documents])


def drawn(found, **asked):
    made = SampleRequest(**asked)
    return sample_of(
        found, pick(found, made, strata_of(found, made, None)), made, inputs=({},) * len(found.sides), **ABOUT
    )[0]


def keys(sample):
    return {one.key for one in sample.items.values()}


def test_a_seed_draws_the_same_items_in_any_order_of_the_file():
    documents = many()
    turned = {name: documents[name][::-1] for name in list(documents)[::-1]}
    for design in (
        {"design": "simple"},
        {"design": "strata", "strata": "relation"},
        {"design": "clusters"},
        {"design": "documents"},
    ):
        here, there = (drawn(found_of(one), size=15, seed=4, **design) for one in (documents, turned))
        assert keys(here) == keys(there), design
        assert keys(here) != keys(drawn(found_of(documents), size=15, seed=5, **design))


@pytest.mark.parametrize(
    "design", [{}, {"design": "strata", "strata": "relation"}, {"design": "clusters"}, {"design": "documents"}]
)
def test_a_larger_sample_begins_with_the_smaller_one(design):
    found = found_of(many(40))
    small, large = (drawn(found, size=size, **design) for size in (20, 45))
    assert keys(small) <= keys(large)
    assert len(keys(large)) >= 45


def test_a_sample_is_as_large_as_asked_for():
    found = found_of(many())
    assert len(drawn(found, size=23).items) == 23
    assert len(drawn(found, size=10_000).items) == len(found)


def test_every_item_is_as_likely_in_a_simple_sample():
    found = found_of(many(6))
    times = Counter(key for seed in range(400) for key in keys(drawn(found, size=5, seed=seed)))
    share = 5 / len(found)
    assert set(times) == {"\t".join(one) for one in key_rows(found)}
    assert all(abs(count / 400 - share) < 3.5 * np.sqrt(share * (1 - share) / 400) for count in times.values())


def key_rows(found):
    parts = [[part.names[code] for code in part.codes.tolist()] for part in found.parts.values()]
    return list(zip(*parts, strict=True))


def test_clusters_are_as_likely_as_they_are_large():
    found = found_of(many(6))
    sizes = Counter(one[0] for one in key_rows(found))
    first = Counter(drawn(found, size=1, design="clusters", seed=seed).draws[0].cluster for seed in range(600))
    for name, size in sizes.items():
        share = size / len(found)
        assert abs(first[name] / 600 - share) < 3.5 * np.sqrt(share / 600)


def test_at_most_so_many_items_of_a_cluster():
    sample = drawn(found_of(many(40)), size=40, design="clusters", per_cluster=2)
    assert max(len(one.items) for one in sample.draws) == 2


def test_probabilities_are_those_of_the_design():
    found = found_of(many(40))
    sample = drawn(found, size=30, design="strata", strata="relation")
    counts = Counter(one.stratum for one in sample.items.values())
    for one in sample.items.values():
        assert one.probability == pytest.approx(counts[one.stratum] / sample.strata[one.stratum].items)
    assert sum(one.items for one in sample.strata) == len(found)


def test_a_pool_is_split_by_who_has_an_item():
    shared = {"d1": [("a", "p", str(one)) for one in range(30)]}
    more = {"d1": [*shared["d1"], *[("b", "p", str(one)) for one in range(60)]], "d2": []}
    sample = drawn(found_of(shared | {"d2": [("c", "p", "1")]}, more), size=20)
    assert {one.systems: one.items for one in sample.strata} == {(0,): 1, (0, 1): 30, (1,): 60}
    assert sample.sizes == [31, 90]
    agreed = drawn(found_of(shared | {"d2": [("c", "p", "1")]}, more), size=20, design="strata", strata="agreement")
    assert {one.name: one.items for one in agreed.strata} == {
        "found by 1, in prediction 1": 1, "found by 1, in prediction 2": 60, "found by 2, in prediction 1, 2": 30,
    }  # fmt: skip
    # The smaller prediction asks for more of its items.
    shares = {one.systems: 0 for one in sample.strata} | {
        sample.strata[one.stratum].systems: one.probability for one in sample.items.values()
    }
    assert shares[0, 1] > 1.5 * shares[1,]


def test_labels_are_reused_since_items_keep_their_numbers():
    documents = many(30)
    other = documents | {"d0": [("new", "p", str(one)) for one in range(40)]}
    single, pool = drawn(found_of(documents), size=30), drawn(found_of(documents, other), size=60)
    assert len(keys(single) & keys(pool)) >= 25


def test_numbers_look_random():
    found = priorities(found_of(many(200)).parts, 0)
    shares = np.sort(found / 2**64)
    assert len(np.unique(found)) == len(found)
    assert np.abs(shares - (np.arange(len(found)) + 0.5) / len(found)).max() < 1.5 / np.sqrt(len(found))


def test_evidence_within_documents_and_without():
    gold = triples({"d1": [("Oslo", "capital of", "Norway"), ("Rome", "in", "Italy")], "d2": [("a", "b", "c")]})
    pred = triples(
        {
            "d1": [
                ("Oslo", "capital of", "Norway"),
                ("Bern", "in", "Chad"),
                ("Oslo", "near", "x"),
                ("p", "q", "r"),
                ("a", "b", "c"),
            ],
            "d2": [("x", "y", "z")],
        }
    )
    found = population_of([items_of(FAMILY, pred)])
    codes, names = evidence_levels(found, items_of(FAMILY, gold))
    levels = {"\t".join(one[1:]): names[code] for one, code in zip(key_rows(found), codes, strict=True)}
    assert levels == {
        "Oslo\tcapital of\tNorway": "exact", "Bern\tin\tChad": "same relation", "Oslo\tnear\tx": "one end the same",
        "p\tq\tr": "nothing", "a\tb\tc": "nothing", "x\ty\tz": "nothing",
    }  # fmt: skip
    graph = family("taxonomy")
    gold, pred = (
        items_of(graph, goldassay.Graph.from_edges(edges))
        for edges in ([("cat", "pet"), ("dog", "pet")], [("cat", "pet"), ("cat", "dog"), ("cat", "x"), ("y", "z")])
    )
    codes, names = evidence_levels(population_of([pred]), gold)
    assert [names[code] for code in codes] == ["exact", "both ends known", "one end known", "nothing"]


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"design": "clusters"}, "--design clusters supports one prediction only"),
        ({"design": "strata", "strata": "score"}, "have no scores"),
        ({"design": "strata", "strata": "evidence"}, "need a gold standard"),
    ],
)
def test_refusals_of_a_pool(asked, message):
    with pytest.raises(UsageError, match=message):
        drawn(found_of(many(5), many(6)), **asked)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"design": "simple", "strata": "score"}, "has no strata"),
        ({"design": "strata", "clusters": "subject"}, "has no clusters"),
        ({"design": "neyman"}, "Unknown design"),
        ({"size": 0}, "positive"),
    ],
)
def test_refusals(asked, message):
    with pytest.raises(UsageError, match=message):
        SampleRequest(**asked)


def test_families_without_items_are_refused():
    with pytest.raises(UsageError, match="cannot be labelled one by one"):
        items_of(family("sentences"), None)


def test_homonyms_are_one_item():
    graph = goldassay.Graph.from_edges([("1", "3"), ("2", "3")], texts={"1": "bank", "2": "bank", "3": "thing"})
    found = population_of([items_of(family("taxonomy"), graph)])
    assert (len(found), found.doubled) == (1, (1,))


def test_the_most_frequent_relations_have_strata_of_their_own():
    names = [f"r{number:02}" for number in range(MOST_RELATIONS + 3)]
    sizes = np.arange(len(names))
    sizes[1] = 99
    levels, strata = relation_levels(names, sizes)
    assert strata == ["r01", *names[: 1 - MOST_RELATIONS - 1 : -1][: MOST_RELATIONS - 1], OTHERS]
    assert [strata[level] for level in levels[[0, 1, len(names) - 1]]] == [OTHERS, "r01", names[-1]]


def test_one_item_is_a_sample_and_none_is_not():
    assert SampleRequest(size=1).size == 1
    with pytest.raises(UsageError, match="positive whole numbers"):
        SampleRequest(size=0)


def test_the_example_of_spread_of():
    assert (spread_of([1, 1, 0, 0]), round(spread_of([1] * 16), 2)) == (0.5, 0.3)


def test_the_example_of_files_of():
    assert [(one, one.called) for one in (*files_of(["a.ttl"]), *files_of({"mine": "a.ttl"}))] == [
        ("a.ttl", None),
        ("a.ttl", "mine"),
    ]


@pytest.mark.parametrize(("design", "again"), [("simple", False), ("documents", False), ("clusters", True)])
def test_only_clusters_are_drawn_with_replacement(design, again):
    sample = SimpleNamespace(items=[0, 1], asked=SimpleNamespace(design=design))
    assert _fewer(sample, 5).startswith("2 of 5 items are drawn")
    assert ("with replacement" in _fewer(sample, 5)) == again
