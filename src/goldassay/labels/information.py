"""Information content: how much a label says that its parents do not, from a file or from the labels of gold."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from goldassay.core.counts import FloatArray
from goldassay.core.errors import InputError, RecordError
from goldassay.formats import load, recognise
from goldassay.formats.records import BadRecords
from goldassay.formats.roles import CONTENTS
from goldassay.formats.rows import TABLES, read_table
from goldassay.kernels.ragged import among, distinct
from goldassay.labels.hierarchy import Hierarchy, Numbers
from goldassay.labels.matching import Pair

GRAIN = 2.0**40
"""Weights are kept to 1/GRAIN, about a million millionth: sums of them are then exact, and no order moves one."""


def weights_of(pair: Pair, path: str | None) -> FloatArray:
    """Return the information content of every label, float64, shape (labels,)."""
    found = read_content(path, pair.hierarchy) if path else content_of_gold(pair)
    return np.asarray(np.round(found * GRAIN) / GRAIN)


def content_of_gold(pair: Pair) -> FloatArray:
    r"""Estimate information content from the instances of gold.

    It is -log2 of how many of the instances that have all parents of a label have the label too. One is added to both
    counts, so that a label that no instance has gets a number.

    Source:
        Clark & Radivojac 2013, section 2.2, with the added one of CAFA's script ``ia.py``.
    """
    hierarchy, size = pair.hierarchy, len(pair.hierarchy)
    keys = distinct(pair.keys(pair.gold_instances, pair.gold_labels)[1])
    having = np.bincount(keys % size, minlength=size)
    total = int(pair.in_gold.sum())
    with_parents = np.full(size, total, dtype=np.int64)
    counts = np.diff(hierarchy.starts)
    single = counts == 1
    with_parents[single] = having[hierarchy.parents[hierarchy.starts[:-1][single]]]
    order = np.argsort(keys % size, kind="stable")
    first, instances = np.searchsorted((keys % size)[order], np.arange(size + 1)), (keys // size)[order]
    for label in np.flatnonzero(counts > 1).tolist():
        with_parents[label] = _with_all(hierarchy.parents_of(label).tolist(), first, instances)
    # `0.0 -` and not `-`, since the content of a label that all have is 0, and not -0.
    return np.asarray(0.0 - np.log2((having + 1) / (with_parents + 1)))


def _with_all(labels: Sequence[int], first: Numbers, instances: Numbers) -> int:
    """Count the instances that have all of some labels."""
    lists = sorted((instances[first[one] : first[one + 1]] for one in labels), key=len)
    common = lists[0]
    for other in lists[1:]:
        common = common[among(common, other)]
    return len(common)


def read_content(path: str, hierarchy: Hierarchy) -> FloatArray:
    """Read the information content of labels; one that the file does not name has 0, as have those with no number above 0."""
    source, bad = load(path), BadRecords()
    table = read_table(source, recognise(source, TABLES), CONTENTS.chooser(source.path), bad).filled(bad)
    found = np.zeros(len(hierarchy))
    for row, (label, written) in enumerate(table.frame.select("label", "content").iter_rows()):
        try:
            value = float(written)
        except ValueError:
            value = math.nan
        if not 0 <= value < math.inf:
            raise RecordError(
                "The information content is not a number of 0 or more.",
                path=path,
                line=table.line(row),
                found=repr(written),
                expected="a number of 0 or more",
            )
        place = hierarchy.rows.get(label)
        if place is not None:
            found[place] = value
    if not found.any():
        raise InputError(
            "The file has no information content for any label of the hierarchy.", path=path, expected="label,ic"
        )
    return found
