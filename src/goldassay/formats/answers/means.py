"""What the shapes of model output mean to each family: a row of n cells, an arrow, what is nested."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from goldassay.formats.choose_columns import Roles
from goldassay.formats.column_names import NUMBER, bare
from goldassay.formats.roles import AXIOMS, CONCEPTS, CORRESPONDENCES, EDGES, LABELS, TRIPLES

Arrows: TypeAlias = Literal["child-parent", "parent-child"]
"""Where arrows without a name lead."""
HALF = 0.5
"""The share of the lines of a file that are statements, if it is model output."""
IS_A = "is a"
"""The relation of what is written below a parent, or in a sentence."""
KIND_WORDS = frozenset({"object", "objectproperty", "datatype", "datatypeproperty", "dataproperty", "data", "subclass"})
"""How the kinds of axioms are written in a row."""


class Meaning(NamedTuple):
    """What statements are to a family.

    Attributes:
        roles: The columns of its tables; their orders say what a row of n cells is.
        ends: The roles of what is before, on and behind an arrow; the empty text where there is none.
        arrow: What two names are with an arrow between them that has no name: an ``edge`` in either direction, a ``pair`` in the
            order in which they are written, or nothing, since the relation is missing.
        nested: What is inside of a name: a ``tree`` of children, ``facts`` (relations with their objects), or a ``list`` of names.
        is_a: The relation of sentences, outlines and subset symbols.
        documents: The role of ids, and of the answers of a batch file.
        more: The role of what is behind a statement: a score, or the kind of an axiom; the empty text if there is none.
        expected: What an error says that a text should have.
    """

    roles: Roles
    ends: tuple[str, str, str]
    arrow: Literal["edge", "pair", ""]
    nested: Literal["tree", "facts", "list"]
    is_a: str = IS_A
    documents: str = ""
    more: str = ""
    expected: str = "'A is a B', 'A -> B', an indented list, a Markdown table, JSON, Mermaid or DOT"

    def is_extra(self, cell: str) -> bool:
        """Return whether the last cell of a row is what is behind the statement."""
        if self.more == "kind":
            return bare(cell) in KIND_WORDS
        return bool(self.more) and bool(NUMBER.fullmatch(cell))


OF_EDGES = Meaning(EDGES, ("source", "relation", "target"), "edge", "tree")
OF_TRIPLES = Meaning(
    TRIPLES,
    ("subject", "predicate", "object"),
    "",
    "facts",
    documents="id",
    more="weight",
    expected="'(a, relation, b)', 'a -[relation]-> b', 'a | relation | b', a Markdown table, JSON, Mermaid, DOT or Cypher",
)
OF_AXIOMS = Meaning(
    AXIOMS,
    ("class", "property", "object"),
    "pair",
    "facts",
    is_a="subClassOf",
    more="kind",
    expected="'(class, property, object)', 'A is a B', Manchester syntax, a Markdown table, JSON, Mermaid or DOT",
)
OF_LABELS = Meaning(
    LABELS,
    ("instance", "", "label"),
    "pair",
    "list",
    documents="instance",
    more="score",
    expected="'instance: label', 'instance -> label', a Markdown table or JSON",
)
OF_CONCEPTS = Meaning(
    CONCEPTS,
    ("document", "", "concept"),
    "pair",
    "list",
    documents="document",
    expected="a list of concepts below the name of each document, a Markdown table or JSON",
)
OF_CORRESPONDENCES = Meaning(
    CORRESPONDENCES,
    ("source", "relation", "target"),
    "pair",
    "list",
    is_a="<",
    more="score",
    expected="'source = target', 'source -> target', a Markdown table or JSON",
)
