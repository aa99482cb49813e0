"""Several gold answers made one: the concepts of each document that at least so many of them have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from goldassay.concepts.model import Concepts, Found, OnUnpaired, lay_out
from goldassay.core.golds import sources_of


def merged(golds: Sequence[Concepts], least: int) -> Concepts:
    """Make one set of documents with the concepts that at least so many golds have there.

    A document is there if at least so many golds have it. Its text is kept if all golds have the same.

    Example:
        >>> golds = [Concepts.from_lists([("q1", ["aspirin", "fever"])]), Concepts.from_lists([("q1", ["aspirin"])])]
        >>> len(merged(golds, 1)), len(merged(golds, 2))
        (2, 1)
    """
    documents: dict[str, list[str]] = {}
    stated: dict[str, dict[tuple[str, str, str], list[Found]]] = {}
    for gold in golds:
        texts = gold.texts.tolist()
        for row, name in enumerate(gold.ids.tolist()):
            documents.setdefault(name, []).append(texts[row])
            concepts = stated.setdefault(name, {})
            for one in gold.found(row):
                concepts.setdefault((one.said, one.value, one.key), []).append(one)
    laid = lay_out(
        (
            name,
            texts[0] if len(set(texts)) == 1 else "",
            [min(found) for found in stated[name].values() if len(found) >= least],
        )
        for name, texts in sorted(documents.items())
        if len(texts) >= least
    )
    strictest: OnUnpaired = "error" if any(gold.on_unpaired == "error" for gold in golds) else "empty"
    return replace(laid, on_unpaired=strictest, **sources_of(golds))
