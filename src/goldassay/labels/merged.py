"""Several sets of labels made one: the labels of each instance that at least so many of them have."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from goldassay.core.golds import sources_of
from goldassay.labels.model import Labels


def merged(golds: Sequence[Labels], least: int) -> Labels:
    """Make one set of the labels that at least so many sets give an instance.

    An instance is there if at least so many sets have it. The hierarchy has the labels and edges of all of them. Of
    several scores the highest is kept.

    Example:
        >>> edges = [("cat", "pet"), ("dog", "pet")]
        >>> rows = [("d1", "cat"), ("d1", "dog")], [("d1", "cat")]
        >>> golds = [Labels.from_rows(some, edges=edges) for some in rows]
        >>> len(merged(golds, 1)), len(merged(golds, 2))
        (2, 1)
    """
    hierarchy = golds[0].hierarchy
    for gold in golds[1:]:
        if gold.hierarchy is not hierarchy:
            hierarchy, _ = hierarchy.merged(gold.hierarchy)
    owners: dict[str, int] = {}
    found: dict[tuple[str, str], list[float]] = {}
    for gold in golds:
        ids = gold.ids.tolist()
        for name in ids:
            owners[name] = owners.get(name, 0) + 1
        names = gold.hierarchy.names
        rows = zip(gold.instances.tolist(), names[gold.labels].tolist(), gold.scores.tolist(), strict=True)
        for instance, label, score in rows:
            found.setdefault((ids[instance], label), []).append(score)
    kept = {pair: max(scores) for pair, scores in sorted(found.items()) if len(scores) >= least}
    sources = sources_of(golds)
    return Labels.from_columns(
        [instance for instance, _ in kept],
        [label for _, label in kept],
        np.array(list(kept.values()), dtype=np.float64),
        hierarchy=hierarchy,
        ids=sorted(name for name, times in owners.items() if times >= least),
        **sources,
    )
