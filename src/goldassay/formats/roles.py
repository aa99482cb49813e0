"""The roles of the columns of each kind of table."""

from __future__ import annotations

from goldassay.formats.choose_columns import Roles
from goldassay.formats.column_names import (
    KINDS_OF_AXIOMS,
    LABELS_OF_GOLD,
    LABELS_OF_PRED,
    NAMES,
    OF_GOLD,
    OF_PRED,
    PERHAPS,
    RELATION,
    Words,
    others_in,
)

EDGES = Roles(
    names=NAMES["edges"],
    needed=(("source",), ("target",)),
    otherwise=others_in,
    pair=("source", "target"),
    relation="relation",
    words={"relation": lambda cell: cell not in RELATION.split()},
    orders=(("source", "target"), ("source", "relation", "target")),
    guessed=True,
    flags={"source": "child", "target": "parent", PERHAPS: "relation, if a cell names one"},
    ids_matter=True,
    opposed=True,
    stated=True,
    predicted=("target",),
)
"""Edges of a graph."""
TRIPLES = Roles(
    names=NAMES["triples"],
    needed=(("subject",), ("predicate",), ("object",)),
    pair=("subject", "object"),
    relation="predicate",
    words={"predicate": lambda cell: cell not in RELATION.split()},
    orders=(("subject", "predicate", "object"), ("id", "subject", "predicate", "object")),
    guessed=True,
    ids_matter=True,
    stated=True,
    predicted=("predicate", "object"),
)
"""Triples of documents, one a row."""
AXIOMS = Roles(
    names=NAMES["axioms"],
    needed=(("class",), ("property",), ("object",)),
    words={
        "property": lambda cell: cell not in RELATION.split(),
        "kind": lambda cell: cell not in KINDS_OF_AXIOMS.split(),
    },
    orders=(("class", "property", "object"), ("class", "property", "object", "kind")),
    guessed=True,
    stated=True,
    predicted=("property", "object"),
)
"""Axioms."""
EQUIVALENCES = Roles(names=NAMES["equivalences"], needed=(("pred",), ("gold",)), asked=False)
"""Names of two sides that mean the same."""
MATCHES = Roles(
    names=NAMES["matches"],
    needed=(("pred",), ("gold",), ("score",)),
    orders=(("pred", "gold", "score"),),
    numbers=("score",),
    asked=False,
)
"""Axioms of two sides that were matched by hand."""
CORRESPONDENCES = Roles(
    names=NAMES["correspondences"],
    needed=(("source",), ("target", "candidates")),
    pair=("source", "target"),
    orders=(
        ("source", "target"), ("source", "target", "score"), ("source", "target", "relation", "score"),
        ("source", "target", "relation", "score", "type"),
    ),
    numbers=("score",),
    stated=True,
    predicted=("target",),
)  # fmt: skip
"""Correspondences of two ontologies."""
SSSOM = Roles(
    names=NAMES["sssom"],
    needed=(("source",), ("target",), ("relation",)),
    asked=False,
    flags={"source": "subject_id", "target": "object_id", "relation": "predicate_id"},
)
"""Mappings of SSSOM, whose standard names the columns."""
LABELS = Roles(
    names=NAMES["labels"],
    needed=(("instance",), ("label",)),
    sides=("label", LABELS_OF_PRED, Words(LABELS_OF_GOLD.names | {"label", "class", "category"})),
    orders=(("instance", "label"), ("instance", "label", "score")),
    guessed=True,
    numbers=("score",),
    stated=True,
    predicted=("label",),
)
"""Labels of instances."""
CONTENTS = Roles(
    names=NAMES["contents"],
    needed=(("label",), ("content",)),
    orders=(("label", "content"),),
    numbers=("content",),
    flags={"content": "ic"},
    asked=False,
)
"""The information content of labels."""
SENTENCES = Roles(
    names=NAMES["sentences"],
    needed=(("text",),),
    judged="text",
    orders=(("text",), ("id", "text")),
    predicted=("text",),
)
"""Sentences."""
DOCUMENTS = Roles(
    names=NAMES["documents"],
    needed=(("text", "concepts", "tree"),),
    orders=(("text",), ("id", "text")),
    sides=("concepts", OF_PRED, OF_GOLD),
    judged="text",
    predicted=("concepts", "text"),
)
"""Documents and their concepts."""
CONCEPTS = Roles(
    names=NAMES["concepts"],
    needed=(("document",), ("concept",)),
    orders=(("document", "concept"),),
    flags={"concept": "concepts"},
    sides=("concept", OF_PRED, OF_GOLD),
    asked=False,
)
"""Concepts, one a row, each with its document."""
DICTIONARY = Roles(names=NAMES["dictionary"], needed=(("name",),), asked=False)
"""Names of concepts."""
MANIFEST = Roles(names=NAMES["manifest"], needed=(("case",), ("pred",), ("gold",)), asked=False)
"""Test cases of alignments."""
