"""Measures as questions in plain words, for people who do not know their names; the same words are in docs/choosing.md."""

from __future__ import annotations

from collections.abc import Mapping

QUESTIONS: Mapping[str, Mapping[str, str]] = {
    "taxonomy": {
        "literal": "Are the edges the same, letter by letter?",
        "fuzzy": "Do both ends mean the same?",
        "continuous": "How near is the best pairing, without a threshold?",
        "nodes": "Are the terms right, whatever the edges?",
        "closure": "Is everything that follows right, too (ancestors)?",
        "taxonomic": "Is the position of shared terms right?",
        "fowlkes_mallows": "Do the same things fall together, level by level?",
        "motif": "Is the shape alike (chains, stars, triangles)?",
    },
    "axioms": {
        "exact": "Which axioms are right as a whole?",
        "weighted": "Which axioms are right, in part or as a whole?",
        "coverage": "Which vocabulary was found?",
    },
    "alignment": {
        "overlap": "Are the correspondences right?",
        "mrr": "Does the right candidate stand early in a list?",
        "jaccard": "How much of both alignments is shared?",
    },
    "concepts": {
        "concept": "Are the concepts of the gold answer there, by meaning?",
        "concept_exact": "Are they there by their identifiers?",
    },
    "triples": {
        "triples": "Are the triples right?",
        "triples(names=partial)": "Are they right if names may differ a little?",
        "entities": "Are the right things spoken of?",
        "relations": "Are the right relations spoken of?",
    },
    "labels": {
        "hierarchical": "Are the labels right, and all above them?",
        "lca": "Is a label near the right one in the hierarchy?",
        "wu_palmer": "How near is it, by depth?",
    },
    "unl": {
        "discrepancy": "Are the graphs near enough?",
        "unl_relations": "Which relations are right?",
        "unl_uws": "Which words are right?",
        "unl_attributes": "Which attributes are right?",
    },
    "sentences": {"levenshtein": "Are the sentences near enough?"},
}
"""For each family its questions, in the order in which they are asked, by the spec of the measure that answers."""
