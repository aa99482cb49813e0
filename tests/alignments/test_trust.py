"""Examples of alignments/trust.py."""

import numpy as np
import polars as pl

from goldassay.alignments.model import Alignment
from goldassay.alignments.trust import find_warnings, merge_alignments, namespaces, permute_targets, random_order


def test_the_example_of_find_warnings():
    a, b = Alignment.from_rows([("a#1", "b#2")]), Alignment.from_rows([("b#2", "a#1")])
    assert list(find_warnings(a, b)) == [
        "no pair of gold was predicted, but 1 would be with source and target swapped: goldassay convert --swap"
    ]


def test_the_example_of_namespaces():
    assert namespaces(
        pl.Series(["http://a/b#c", "http://purl.obolibrary.org/obo/MP_0000003", "HP:1", "x"])
    ).to_list() == ["http://a/b#", "http://purl.obolibrary.org/obo/MP_", "HP:", ""]


def test_the_example_of_merge_alignments():
    gold_standards = [Alignment.from_rows([("cat", "chat"), ("dog", "chien")]), Alignment.from_rows([("cat", "chat")])]
    assert (len(merge_alignments(gold_standards, 1)), len(merge_alignments(gold_standards, 2))) == (2, 1)


def test_the_example_of_permute_targets():
    pred = Alignment.from_rows([("cat", "chat"), ("dog", "chien"), ("cow", "vache")])
    drawn = permute_targets(pred, pred, np.random.default_rng(0))
    assert sorted(drawn.targets.tolist()) == sorted(pred.targets.tolist())


def test_the_example_of_random_order():
    pred = Alignment.from_rows([("A", "1", "=", 0.9), ("A", "2", "=", 0.9), ("A", "3", "=", 0.1)])
    assert len(set(random_order(pred, pred, np.random.default_rng(0)).scores.tolist())) == 3
