"""Options for reading a file as a graph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

from goldassay.core.errors import UsageError, unknown_choice_error
from goldassay.core.parameters import Options, parameter, showing
from goldassay.formats.answers.means import Arrows
from goldassay.formats.choose_columns import Chooser, Header
from goldassay.formats.known import GRAPHS as READABLE
from goldassay.formats.options import OnError, column_option, format_option, header_option, on_error_option
from goldassay.formats.roles import EDGES
from goldassay.graphs.predicates import TAXONOMIES, shorten
from goldassay.graphs.texts import UNLABELLED

Text = Literal["label", "title", "name", "iri"]
Nodes = Literal["declared", "linked"]
Obsolete = Literal["drop", "keep"]
BlankNodes = Literal["drop", "keep"]
WORDS = (*TAXONOMIES, "all")


@dataclass(frozen=True, kw_only=True)
class GraphReading(Options):
    """Options for reading a file as a graph.

    Attributes:
        edges: Which statements are edges. ``"taxonomy"``: rdfs:subClassOf between named classes, OBO is_a,
            skos:broader, and the inverse of skos:narrower, merged into one relation; edges to owl:Thing are left out.
            ``"definitions"``: these, and the named classes in definitions: A is a B where A is equivalent to, or below,
            an intersection of B and others.
            ``"all"``: every statement, subject and object as nodes. Or predicates: as IRIs, with a well-known prefix (``"skos:related"``), or by name (``"part_of"``).
        text: Which text of a node is compared. ``"label"``: rdfs:label or skos:prefLabel, else the last part of the IRI
            split into words. ``"title"``: the same labels, else the last part of the IRI with spaces for underscores,
            as OLLM does. ``"name"``: the last part of the IRI unchanged, without the prefix of a CURIE; labels are not
            used. ``"iri"``: the term unchanged.
        nodes: Which classes are nodes. ``"declared"``: every declared class (owl:Class, rdfs:Class, skos:Concept, a term
            of OBO, a node of node-link JSON), with or without an edge, except owl:Thing; ``"linked"``: only those with
            an edge, as OLLM and networkx have them, and as versions before 0.3 had them.
        obsolete: ``"drop"`` leaves out classes marked owl:deprecated (OBO: is_obsolete) with their edges, and counts
            both; ``"keep"`` treats them like any other. If every statement is an edge, they are always kept.
        blank_nodes: ``"drop"`` drops statements about blank nodes and counts them; ``"keep"`` names the nodes by
            canonical ids (RDFC-1.0), so that two parses agree. A taxonomy has only named classes in both cases.
        language: Preferred language of labels.
        child_column: The column of children in a table; recognised by its name if None.
        parent_column: The column of parents.
        relation_column: The column of relations.
        arrows: Which side of an arrow without a name is the child in model output; found by the shape of the graph if None.
        header: Whether the first row of CSV and TSV names the columns; recognised if None.
        input_format: The format; detected if None.
        on_error: ``"stop"`` raises the first bad record; ``"skip"`` leaves bad records out, counts and lists them.

    Raises:
        UsageError: If a value is not one of the above.

    Example:
        >>> GraphReading(edges=("part_of",)).text
        'label'
        >>> GraphReading(text="labels")
        Traceback (most recent call last):
        goldassay.core.errors.UsageError: Unknown text 'labels'.
          expected: label, title, name, iri
          try:      label
    """

    edges: str | tuple[str, ...] = parameter(
        "taxonomy",
        help="Which statements are edges: taxonomy, definitions (taxonomy, and the genus of each definition), "
        "all, or a predicate; repeatable.",
        metavar="WHICH",
    )
    text: Text = parameter("label", help="Which text of a node is compared.", choices=get_args(Text))
    nodes: Nodes = parameter(
        "declared",
        help="Which classes are nodes: all that are declared, or those with an edge.",
        choices=get_args(Nodes),
    )
    obsolete: Obsolete = parameter("drop", help="How to treat obsolete classes.", choices=get_args(Obsolete))
    blank_nodes: BlankNodes = parameter("drop", help="How to treat blank nodes.", choices=get_args(BlankNodes))
    language: str = parameter("en", help="Preferred language of labels.", metavar="TAG")
    child_column: str | None = column_option("children in a table")
    parent_column: str | None = column_option("parents")
    relation_column: str | None = column_option("relations")
    arrows: Arrows | None = parameter(
        None,
        help="In model output, which end of an unlabelled arrow is the child. Default: inferred from the shape of the graph.",
        choices=get_args(Arrows),
    )
    header: Header | None = header_option()
    input_format: str | None = format_option(READABLE)
    on_error: OnError = on_error_option()

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.edges, tuple) and len(self.edges) == 1 and self.edges[0] in WORDS:
            object.__setattr__(self, "edges", self.edges[0])
        if isinstance(self.edges, str) and self.edges not in WORDS and ":" not in self.edges:
            raise unknown_choice_error("edges", self.edges, [*WORDS, "a tuple of predicates"])
        if not self.edges:
            raise UsageError(
                "edges must name at least one predicate.", expected='"taxonomy", "definitions", "all" or predicates'
            )

    def idle(self) -> Iterator[tuple[tuple[str, ...], str]]:
        """Name the options that have no effect with the others, with the reason."""
        if self.edges in ("all", ("all",)):
            yield ("nodes", "obsolete"), "with edges 'all': every class of a statement is a node"
        if self.text in UNLABELLED:
            yield ("language",), f"with text {self.text!r}, which is not a label"

    def chooser(self) -> Chooser:
        """Return what chooses the columns of a table."""
        asked = {"source": self.child_column, "target": self.parent_column, "relation": self.relation_column}
        return EDGES.chooser(asked, self.header)

    @property
    def is_taxonomy(self) -> bool:
        """Whether edges lead from a class to what it is: no matter whether definitions count."""
        return self.edges in TAXONOMIES

    def choices(self, predicates: Iterable[str]) -> dict[str, str]:
        """Return how edges and texts are selected, for the signature.

        Args:
            predicates: The predicates of edges in the file.

        Example:
            >>> GraphReading().choices(["http://www.w3.org/2000/01/rdf-schema#subClassOf"])
            {'edges': 'rdfs:subClassOf', 'text': 'label'}
        """
        return dict(_choices(self, tuple(predicates)))


@showing
@lru_cache
def _choices(reading: GraphReading, predicates: tuple[str, ...]) -> dict[str, str]:
    asked = reading.edges if isinstance(reading.edges, str) else "+".join(reading.edges)
    more = ["definitions"] if reading.edges == "definitions" else []
    edges = "all" if reading.edges == "all" else "+".join([*sorted(map(shorten, predicates)), *more]) or asked
    optional = {
        "nodes": (reading.nodes, "declared"),
        "obsolete": (reading.obsolete, "drop"),
        "blank_nodes": (reading.blank_nodes, "drop"),
        "language": (reading.language, "en"),
    }
    changed = {name: value for name, (value, default) in optional.items() if value != default}
    return {"edges": edges, "text": reading.text, **changed}


AS_USUAL = GraphReading()
"""The default options."""
