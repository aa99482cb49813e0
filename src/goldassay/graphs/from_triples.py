"""Triples to a graph: blank nodes that stand for names, edges of definitions, and the graph itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import factorial, prod
from typing import Any, TypeGuard

import numpy as np

from goldassay.core.errors import InputError, convert_errors
from goldassay.core.intern import Names
from goldassay.core.libraries import ox
from goldassay.core.limits import MEMBERS
from goldassay.formats import Source
from goldassay.formats.choose_columns import not_read
from goldassay.formats.edges import OPAQUE
from goldassay.formats.labels import NAMES, OWL, RDF, RDFS, SKOS, XSD, choose_labels, last_part
from goldassay.formats.obo import GENUS
from goldassay.formats.records import BadRecords
from goldassay.formats.relations import DOWN, UP
from goldassay.graphs.model import Graph
from goldassay.graphs.predicates import chooser, shorten
from goldassay.graphs.reading import GraphReading
from goldassay.graphs.texts import NAMED, UNLABELLED, compose_texts, warn_of_shared_names

COST = 10**8
"""Maximum cost of naming, in steps of about 0.1 microseconds: about ten seconds."""
STEPS_OF_A_SEARCH = 20
"""A step of a search through every order is as slow as this many others; measured on cliques and cubes."""
HINT = "drop blank nodes: --blank-nodes drop (Python: blank_nodes='drop')"


def canonical(triples: Iterable[ox.Triple]) -> Iterable[ox.Triple]:
    """Canonicalise blank nodes by RDFC-1.0, so that two parses of one graph agree."""
    # The algorithm tries all orders of blank nodes that look alike, which can take days for ten nodes; how many it
    # would try is bounded from above before it starts.
    # Source: RDF Dataset Canonicalization, W3C 2024, section 4 and section 7.1 on poison graphs:
    # https://www.w3.org/TR/rdf-canon/
    quads = [ox.Quad(triple.subject, triple.predicate, triple.object) for triple in triples]
    cost = _cost(quads)
    if cost > COST:
        raise InputError(
            "Too many similar blank nodes to find canonical names.",
            found=f"about {cost:.0e} steps",
            expected=f"at most {COST:.0e}",
            hint=HINT,
        )
    with convert_errors("pyoxigraph", "The blank nodes cannot be canonicalised.", hint=HINT):
        dataset = ox.Dataset(quads)
        dataset.canonicalize(ox.CanonicalizationAlgorithm.RDFC_1_0)
        return sorted(dataset, key=str)


def _cost(quads: Iterable[Any]) -> float:
    """Estimate from above what RDFC-1.0 costs, from the blank nodes with equal signatures and their links."""
    alike, links = _find_equal_blanks(quads)
    neighbours: dict[str, Counter[tuple[object, ...]]] = {}
    for source, predicate, target in links:
        neighbours.setdefault(source, Counter())["to", predicate, alike[target]] += 1
        neighbours.setdefault(target, Counter())["from", predicate, alike[source]] += 1
    return sum(_cost_of_group(nodes, edges, neighbours) for nodes, edges in _groups(links))


def _cost_of_group(nodes: list[str], edges: int, neighbours: dict[str, Counter[tuple[object, ...]]]) -> float:
    size = len(nodes)
    # Floats, since factorials soon have thousands of digits.
    orders = max(prod(float(factorial(min(count, 100))) for count in neighbours[node].values()) for node in nodes)
    if orders > 1 and edges >= size:
        return STEPS_OF_A_SEARCH * orders * 2.0 ** min(size, 500)
    return orders * float(size) ** 3


def _find_equal_blanks(quads: Iterable[Any]) -> tuple[dict[str, object], list[tuple[str, str, str]]]:
    """Find the blank nodes with equal signatures, that is statements without the names of other blank nodes."""
    sights: dict[str, list[str]] = {}
    links = []
    for quad in quads:
        ends = (quad.subject, quad.object)
        blank = [isinstance(end, ox.BlankNode) for end in ends]
        names = [end.value if is_blank else "" for end, is_blank in zip(ends, blank, strict=True)]
        for own in {name for name in names if name}:
            shown = (
                ("self" if name == own else "other") if name else str(end)
                for end, name in zip(ends, names, strict=True)
            )
            sights.setdefault(own, []).append(f"{next(shown)} {quad.predicate} {next(shown)}")
        if all(blank) and names[0] != names[1]:
            links.append((names[0], quad.predicate.value, names[1]))
    seen = {name: hash(tuple(sorted(statements))) for name, statements in sights.items()}
    shared = Counter(seen.values())
    alike: dict[str, object] = {name: sight for name, sight in seen.items() if shared[sight] > 1}
    return alike, [link for link in links if link[0] in alike and link[2] in alike]


def _groups(links: list[tuple[str, str, str]]) -> Iterable[tuple[list[str], int]]:
    """Return the connected components: their nodes, and how many links they have."""
    import numpy as np

    from goldassay.kernels.components import parts

    rows: dict[str, int] = {}
    pairs = np.array(
        [(rows.setdefault(a, len(rows)), rows.setdefault(b, len(rows))) for a, _, b in links], dtype=np.int64
    ).reshape(-1, 2)
    if not rows:
        return []
    labels = parts(pairs, len(rows))
    edges = np.bincount(labels[pairs[:, 0]])
    groups: dict[int, list[str]] = {}
    for name, label in zip(rows, labels.tolist(), strict=True):
        groups.setdefault(label, []).append(name)
    return [(nodes, int(edges[label])) for label, nodes in groups.items()]


SUBCLASS, EQUIVALENT, INTERSECTION = f"{RDFS}subClassOf", f"{OWL}equivalentClass", f"{OWL}intersectionOf"
FIRST, REST = f"{RDF}first", f"{RDF}rest"
DEFINING = frozenset({EQUIVALENT, INTERSECTION, FIRST, REST, GENUS})
"""Predicates of definitions besides rdfs:subClassOf, which names what a class is below."""


def find_defined(statements: Mapping[str, list[ox.Triple]]) -> Iterator[tuple[str, str]]:
    """Find the named classes that definitions and class expressions put a named class below."""
    # These are the named members of intersections, also of intersections in intersections. A class that is equivalent
    # to a named class, or to a union, is not defined by one of them.
    # Source: OWL 2 Structural Specification, section 8.1.1 (intersections); OWL 2 Mapping to RDF Graphs, table 13.
    members = _Members(statements)
    for child, expression, is_list in _expressions(statements):
        for parent in members.of(expression, is_list=is_list):
            if isinstance(parent, ox.NamedNode) and parent != child:
                yield child.value, parent.value


class _Members:
    """The lists and intersections of a file."""

    def __init__(self, statements: Mapping[str, list[ox.Triple]]) -> None:
        self.steps = 0
        self.lists, self.first, self.rest = (_objects(statements, name) for name in (INTERSECTION, FIRST, REST))

    def of(self, expression: object, *, is_list: bool) -> Iterator[object]:
        """List the members of a list, or of an intersection, with those of the intersections among them."""
        rest, seen = [(expression, is_list)], set()
        while rest:
            term, is_cell = rest.pop()
            if (term, is_cell) in seen:
                continue
            seen.add((term, is_cell))
            self.steps += 1
            MEMBERS.check(self.steps, "The definitions have too many members.")
            if is_cell:
                rest += [(one, False) for one in self.first.get(term, ())]
                rest += [(one, True) for one in self.rest.get(term, ())]
            else:
                yield term
                # What a named class is an intersection of defines that class, and not this one.
                rest += [(one, True) for one in self.lists.get(term, ()) if not _is_named(term)]


def _expressions(statements: Mapping[str, list[ox.Triple]]) -> Iterator[tuple[ox.NamedNode, object, bool]]:
    """List what defines a named class, or is above it: a term, and whether it is the list of an intersection."""
    for triple in statements.get(GENUS, ()):
        if _is_named(triple.subject):
            yield triple.subject, triple.object, False
    if INTERSECTION not in statements:
        return
    for triple in statements[INTERSECTION]:
        if _is_named(triple.subject):
            yield triple.subject, triple.object, True
    for predicate in (EQUIVALENT, SUBCLASS):
        for triple in statements.get(predicate, ()):
            subject, target = triple.subject, triple.object
            if _is_named(subject) and not _is_named(target):
                yield subject, target, False
            elif predicate == EQUIVALENT and _is_named(target) and not _is_named(subject):
                yield target, subject, False


def _objects(statements: Mapping[str, list[ox.Triple]], predicate: str) -> dict[object, list[object]]:
    found: dict[object, list[object]] = {}
    for triple in statements.get(predicate, ()):
        found.setdefault(triple.subject, []).append(triple.object)
    return found


def _is_named(term: object) -> TypeGuard[ox.NamedNode]:
    return isinstance(term, ox.NamedNode)


TYPE, DEPRECATED = f"{RDF}type", f"{OWL}deprecated"
CLASSES = frozenset({f"{OWL}Class", f"{RDFS}Class", f"{SKOS}Concept"})
DESCRIBING = frozenset(NAMES)
TEXTS = frozenset({f"{XSD}string", f"{RDF}langString"})
IS_A = "is-a"
TOP = f"{OWL}Thing"
"""The class that every class is below, whether or not a file says so: no node of a taxonomy."""


@dataclass
class _Edges:
    """Collects edges: (source, relation, target) by identifier, those that only definitions give, and counts of skipped statements."""

    rows: list[tuple[str, str, str]] = field(default_factory=list)
    defined: list[tuple[str, str, str]] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    left_out: Counter[str] = field(default_factory=Counter)

    def leave_out(self, reason: str, count: int = 1) -> None:
        if count:
            self.left_out[reason] += count

    def define(self, pairs: Iterable[tuple[str, str]], *, used: bool) -> None:
        """Find the edges that only definitions give, and use them if asked for."""
        found = dict.fromkeys((child, IS_A, parent) for child, parent in pairs if parent != TOP)
        asserted = set(self.rows) if found else set()
        self.defined = [row for row in found if row not in asserted]
        self.rows += self.defined if used else []

    def drop(self, obsolete: set[str], classes: set[str]) -> None:
        """Leave out the edges of obsolete classes, and count these classes."""
        kept, self.defined = (
            [row for row in rows if not (row[0] in obsolete or row[2] in obsolete)]
            for rows in (self.rows, self.defined)
        )
        ends = {end for source, _, target in self.rows for end in (source, target)}
        self.leave_out("obsolete_classes", len(obsolete & (classes | ends)))
        self.leave_out("obsolete_edges", len(self.rows) - len(kept))
        self.rows = kept


def graph_of_triples(
    triples: Iterable[ox.Triple], source: Source, name: str, reading: GraphReading, bad: BadRecords
) -> tuple[Graph, Mapping[str, int]]:
    """Convert statements to a graph, even if it has no edge."""
    if reading.blank_nodes == "keep":
        triples = canonical(triples)
    is_edge = chooser(reading.edges)
    describing = DESCRIBING | DEFINING if reading.is_taxonomy else DESCRIBING
    declared = _Declared()
    counts, statements = _sift(triples, lambda predicate: predicate in describing or is_edge(predicate), declared)
    classes, deprecated = declared.classes, declared.deprecated
    edges = _taxonomy(statements) if reading.is_taxonomy else _statements(statements, reading)
    used = reading.edges == "definitions"
    if reading.is_taxonomy:
        edges.define(find_defined(statements), used=used)
    # Statements take more memory than all that is made of them.
    for predicate in statements.keys() - {*NAMES}:
        del statements[predicate]
    nodes = classes - {TOP}
    # Every statement is an edge there, also those that declare a class obsolete.
    if reading.obsolete == "drop" and reading.edges != "all":
        edges.drop(deprecated, classes)
        nodes -= deprecated
    edges.leave_out("definition_edges", 0 if used else len(edges.defined))
    unique = list(dict.fromkeys(edges.rows))
    edges.leave_out("duplicates", len(edges.rows) - len(unique))
    rows: dict[str, int] = {}
    relations: dict[str, int] = {}
    pairs = [(rows.setdefault(s, len(rows)), rows.setdefault(t, len(rows))) for s, _, t in unique]
    if reading.nodes == "declared":
        for node in sorted(nodes):
            rows.setdefault(node, len(rows))
    else:
        edges.leave_out("classes_without_edges", len(nodes - rows.keys()))
    kinds = [relations.setdefault(relation, len(relations)) for _, relation, _ in unique]
    labels = {} if reading.text in UNLABELLED else choose_labels(statements, rows, reading.language)
    fallback = NAMED[reading.text]
    texts, normalised = compose_texts(edges.texts.get(node) or labels.get(node) or fallback(node) for node in rows)
    graph = Graph(
        ids=Names(list(rows)),
        texts=Names(texts),
        edges=np.array(pairs, dtype=np.int64).reshape(-1, 2),
        relations=np.array(kinds, dtype=np.int64),
        relation_names=tuple(relations),
        path=source.path,
        format=name,
        left_out={**edges.left_out, **bad.left_out()},
        facts={
            "triples": sum(counts.values()),
            "classes": len(classes),
            "deprecated": len(deprecated),
            "labels": len(labels),
            "self_loops": sum(s == t for s, t in pairs),
            **({"definition_edges": len(edges.defined)} if used else {}),
            **({"normalised_texts": normalised} if normalised else {}),
        },
        notes=(*bad.notes(), *_definition_note(len(edges.defined), used=used)),
        warnings=_warnings(rows, labels, counts, declared, reading),
        choices=reading.choices(filter(is_edge, counts)),
    )
    return graph, counts


def _warnings(
    nodes: Collection[str],
    labels: Collection[str],
    counts: Mapping[str, int],
    declared: _Declared,
    reading: GraphReading,
) -> tuple[str, ...]:
    """Warn of shared names, and of nodes that are named by the ends of IRIs that are hardly names, where most of them have a text."""
    shared = warn_of_shared_names(list(nodes), reading.text)
    named = labels or not nodes or reading.text in UNLABELLED
    if named or not all(OPAQUE.fullmatch(last_part(node)) for node in nodes):
        return shared
    texts = [shorten(name) for name in sorted(declared.literals) if 2 * counts[name] > len(nodes)]
    return shared + not_read(texts, "statements", "rdfs:label")


def _definition_note(definitions: int, *, used: bool) -> Iterator[str]:
    """Note how many edges only definitions give, and how to use them."""
    if definitions:
        edges = "1 edge from definitions is" if definitions == 1 else f"{definitions:,} edges from definitions are"
        yield (
            f"{edges} used"
            if used
            else f"{edges} not used: --edges definitions uses {'it' if definitions == 1 else 'them'}"
        )


@dataclass
class _Declared:
    """Collects the named classes and concepts that are declared, and what is marked as deprecated: their statements are not kept."""

    classes: set[str] = field(default_factory=set)
    deprecated: set[str] = field(default_factory=set)
    literals: set[str] = field(default_factory=set)
    """Predicates whose first statement has a text."""

    def add(self, triple: ox.Triple) -> None:
        """Look at a statement of a type, or one that deprecates."""
        subject, target = triple.subject, triple.object
        if isinstance(subject, ox.NamedNode):
            if isinstance(target, ox.NamedNode) and triple.predicate.value == TYPE and target.value in CLASSES:
                self.classes.add(subject.value)
            elif (
                isinstance(target, ox.Literal)
                and triple.predicate.value == DEPRECATED
                and target.value in {"true", "1"}
            ):
                self.deprecated.add(subject.value)


def _sift(
    triples: Iterable[ox.Triple], is_kept: Callable[[str], bool], declared: _Declared
) -> tuple[dict[str, int], dict[str, list[ox.Triple]]]:
    """Count every predicate, and keep the statements that make edges or describe nodes."""
    counts: dict[str, int] = {}
    kept: dict[str, list[ox.Triple]] = {}
    for triple in triples:
        predicate = triple.predicate.value
        if predicate not in counts:
            counts[predicate] = 0
            if isinstance(triple.object, ox.Literal) and triple.object.datatype.value in TEXTS:
                declared.literals.add(predicate)
            if is_kept(predicate):
                kept[predicate] = []
        counts[predicate] += 1
        if predicate in (TYPE, DEPRECATED):
            declared.add(triple)
        if predicate in kept:
            kept[predicate].append(triple)
    return counts, kept


def _taxonomy(statements: Mapping[str, list[ox.Triple]]) -> _Edges:
    edges = _Edges()
    names: dict[str, str] = {}
    for predicate in (*sorted(UP), *sorted(DOWN)):
        for triple in statements.get(predicate, ()):
            subject, target = triple.subject, triple.object
            if not (isinstance(subject, ox.NamedNode) and isinstance(target, ox.NamedNode)):
                edges.leave_out(_explain_no_class(subject, target, predicate))
                continue
            child, parent = (subject, target) if predicate in UP else (target, subject)
            if parent.value == TOP:
                edges.leave_out("edges_to_owl_thing")
            else:
                ends = child.value, parent.value
                edges.rows.append((names.setdefault(ends[0], ends[0]), IS_A, names.setdefault(ends[1], ends[1])))
    return edges


def _explain_no_class(subject: object, target: object, predicate: str) -> str:
    if isinstance(target, ox.Literal):
        return "literal_objects"
    if isinstance(subject, ox.BlankNode) or isinstance(target, ox.BlankNode):
        return "class_expressions" if predicate == SUBCLASS else "blank_nodes"
    return "triple_terms"


def _statements(statements: Mapping[str, list[ox.Triple]], reading: GraphReading) -> _Edges:
    edges = _Edges()
    is_edge, drop = chooser(reading.edges), reading.blank_nodes == "drop"
    for predicate in filter(is_edge, statements):
        for triple in statements[predicate]:
            subject, target = triple.subject, triple.object
            if drop and (isinstance(subject, ox.BlankNode) or isinstance(target, ox.BlankNode)):
                edges.leave_out("blank_nodes")
            elif not (
                isinstance(subject, ox.NamedNode | ox.BlankNode)
                and isinstance(target, ox.NamedNode | ox.BlankNode | ox.Literal)
            ):
                edges.leave_out("triple_terms")
            else:
                identifiers = [
                    term.value if isinstance(term, ox.NamedNode) else str(term) for term in (subject, target)
                ]
                edges.rows.append((identifiers[0], predicate, identifiers[1]))
                if isinstance(target, ox.Literal):
                    edges.texts[identifiers[1]] = target.value
    return edges
