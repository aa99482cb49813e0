"""A file to a hierarchy: a table of edges, an ontology, MeSH, or HEMKit's integers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from os import stat
from typing import Any

import numpy as np

from goldassay.core.errors import InputError, RecordError, names_file
from goldassay.core.intern import Names, as_names, number_columns
from goldassay.core.libraries import ox, pl
from goldassay.core.patterns import pattern_of
from goldassay.formats import EdgeList, Source, load, read_edge_list, read_triples, recognise
from goldassay.formats.answers.read import read_answer
from goldassay.formats.choose_columns import Choice, Chooser
from goldassay.formats.graph_files import as_known
from goldassay.formats.known import ANSWER, TRIPLES
from goldassay.formats.labels import OBO, OBO_IN_OWL, OWL, RDF, RDFS, SKOS, choose_labels, last_part
from goldassay.formats.markup import utf8_xml, xml_elements
from goldassay.formats.options import OnError
from goldassay.formats.records import BadRecords
from goldassay.formats.relations import direction
from goldassay.formats.roles import EDGES
from goldassay.formats.rows import lines_of
from goldassay.formats.texts import number_by_rows
from goldassay.labels.formats.lines import is_whole
from goldassay.labels.hierarchy import Hierarchy
from goldassay.labels.reading import HIERARCHIES, LabelReading

UP = frozenset({f"{RDFS}subClassOf", f"{SKOS}broader"})
DOWN = f"{SKOS}narrower"
TYPE, DEPRECATED, ALTERNATIVE = f"{RDF}type", f"{OWL}deprecated", f"{OBO_IN_OWL}hasAlternativeId"
CLASSES = frozenset({f"{OWL}Class", f"{RDFS}Class", f"{SKOS}Concept"})
CURIE = pattern_of(rf"{re.escape(OBO)}([A-Za-z][A-Za-z0-9.-]*)_(\w+)")


def to_curie(name: str) -> str:
    """Write an IRI of OBO as people do."""
    if not name.startswith(OBO):
        return name
    found = CURIE.fullmatch(name)
    if found:
        return f"{found[1]}:{found[2]}"
    return last_part(name) if "#" in name else name


def read_hierarchy(reading: LabelReading) -> tuple[Hierarchy, tuple[str, ...], tuple[str, ...]]:
    """Read the hierarchy that an option names; prediction and gold share what is read."""
    path = reading.hierarchy or ""
    key: tuple[int, ...] = ()
    with suppress(OSError, ValueError):
        state = stat(path)  # noqa: PTH116 - a path takes five times as long to make as the call itself
        key = state.st_mtime_ns, state.st_size
    return _read(path, reading.names, reading.language, reading.on_error, key)


@lru_cache(maxsize=4)
@names_file
def _read(
    path: str, names: str, language: str, on_error: OnError, state: tuple[int, ...]
) -> tuple[Hierarchy, tuple[str, ...], tuple[str, ...]]:
    del state
    source, bad = as_known(load(path), taxonomy=True), BadRecords(on_error=on_error)
    name, answer = recognise(source, HIERARCHIES), None
    warnings: tuple[str, ...] = ()
    if name == ANSWER:
        answer = read_answer(source)
        source, name = answer.source, answer.format or recognise(answer.source, HIERARCHIES)
    if name == "hemkit":
        made = Hierarchy.from_edges(_integers(source, bad))
    elif name == "mesh":
        made, warnings = _of_mesh(source, bad, names)
    elif name in TRIPLES:
        made = _read_triples(read_triples(source, name, bad), names, language)
    else:
        # Labels are ids as often as not.
        edges = read_edge_list(source, name, bad, _chooser())
        made, warnings = _read_table(edges, names), edges.warnings
    notes = [answer.note] if answer else []
    # A hierarchy has no option for arrows.
    directions = [re.sub(r"; --arrows[^)]*", "", line) for line in answer.warnings] if answer else []
    return (
        made,
        tuple(f"hierarchy: {note}" for note in (*notes, *bad.notes())),
        tuple(f"hierarchy: {line}" for line in (*directions, *warnings)),
    )


def _integers(source: Source, bad: BadRecords) -> list[tuple[str, str]]:
    """Read HEMKit's lines of parent and child."""
    edges = []
    for number, line in lines_of(source, bad):
        words = line.split()
        if not words:
            continue
        if len(words) != 2 or not all(map(is_whole, words)):  # noqa: PLR2004 - parent and child
            bad.add_line(line, number=number, message="The line is not an edge.", expected="parent child")
            continue
        edges.append((str(int(words[1])), str(int(words[0]))))
    return edges


def _of_mesh(source: Source, bad: BadRecords, names: str) -> tuple[Hierarchy, tuple[str, ...]]:
    """Read the descriptors of MeSH: one lies below those whose tree numbers its own ones continue."""
    trees: dict[str, str] = {}
    titles: dict[str, str] = {}
    for record in xml_elements(utf8_xml(source)):
        if record.tag != "DescriptorRecord":
            continue
        name, title = record.findtext("DescriptorUI", "").strip(), record.findtext("DescriptorName/String", "").strip()
        if name and title:
            titles[name] = title
            trees |= {
                tree: name for one in record.iterfind("TreeNumberList/TreeNumber") if (tree := (one.text or "").strip())
            }
        else:
            bad.add(
                RecordError(
                    "A descriptor of MeSH has no id or no name.",
                    found=repr(name or title),
                    expected="DescriptorUI and DescriptorName",
                )
            )
        record.clear()
    called = titles if names == "label" else {name: name for name in titles}
    found = {
        (trees[tree], above): None for tree in sorted(trees, key=len) if (above := trees.get(tree.rpartition(".")[0]))
    }
    # Ethics lies below Morals, and Morals below Ethics: what comes first, nearer to the root, is kept.
    place = {pair: at for at, pair in enumerate(found)}
    edges = [pair for pair, at in place.items() if pair[0] != pair[1] and place.get(pair[::-1], at) >= at]
    made = Hierarchy.from_edges(
        ((called[child], called[parent]) for child, parent in edges),
        nodes=called.values(),
        aliases={
            **{tree: called[name] for tree, name in trees.items()},
            **{title: called[name] for name, title in titles.items()},
        },
    )
    lost = len(found) - len(edges)
    warnings = (f"edges that lead back to where they begin are left out: {lost:,}",) * bool(lost)
    return replace(made, titles=titles if names != "label" else {}), warnings


def _chooser() -> Chooser:
    """Return what chooses the columns of a hierarchy, which no option names."""
    choose = replace(EDGES, ids_matter=False).chooser()

    def of_edges(names: Sequence[str], **more: Any) -> Choice:
        try:
            return choose(names, **more)
        except InputError as error:
            error.hint = "name its columns child and parent; or check whether --hierarchy was swapped with another file"
            raise

    return of_edges


def _read_table(found: EdgeList, names: str) -> Hierarchy:
    frame = found.edges
    if "relation" in frame.columns:
        ways = {one: direction(one) for one in frame["relation"].unique().to_list()}
        if not any(ways.values()):
            raise InputError(
                "No relation of the table is an is-a relation.",
                found=", ".join(sorted(ways)[:8]),
                expected="is_a, subClassOf or broader; or two columns (child, parent)",
            )
        frame = frame.filter(pl.col("relation").is_in([one for one, way in ways.items() if way]))
        down = pl.when(pl.col("relation").is_in([one for one, way in ways.items() if way < 0]))
        turned = {"source": down.then("target").otherwise("source"), "target": down.then("source").otherwise("target")}
        frame = frame.with_columns(**turned)
    write = last_part if names == "name" else to_curie
    ids, edges = number_by_rows(frame["source"], frame["target"])
    titles = found.texts if names == "label" else {}
    called = [titles.get(node) or write(node) for node in (*found.nodes, *ids)]
    labels, (place,) = number_columns(Names(called))
    made = Hierarchy.from_rows(as_names(labels).listed, place[len(found.nodes) :].astype(np.int64)[edges])
    return replace(made, titles={to_curie(node): text for node, text in found.texts.items()}) if names == "id" else made


def _read_triples(triples: Iterable[ox.Triple], names: str, language: str) -> Hierarchy:
    """Understand named classes and concepts, their superclasses, and their alternative identifiers; obsolete ones are none."""
    edges: list[tuple[str, str]] = []
    nodes: dict[str, int] = {}
    described: dict[str, list[ox.Triple]] = {}
    for triple in triples:
        subject, predicate, target = triple.subject, triple.predicate.value, triple.object
        if not isinstance(subject, ox.NamedNode):
            continue
        if isinstance(target, ox.NamedNode):
            if predicate in UP:
                edges.append((subject.value, target.value))
            elif predicate == DOWN:
                edges.append((target.value, subject.value))
            elif predicate == TYPE and target.value in CLASSES:
                nodes.setdefault(subject.value, len(nodes))
        elif isinstance(target, ox.Literal):
            described.setdefault(predicate, []).append(triple)
    obsolete = {node for node, value in _values(described.get(DEPRECATED, ())) if value in {"true", "1"}}
    others = [(value, node) for node, value in _values(described.get(ALTERNATIVE, ()))]
    for node in chain.from_iterable(edges):
        nodes.setdefault(node, len(nodes))
    alive = {node: row for node, row in nodes.items() if node not in obsolete}
    labels = choose_labels(described, alive, language) if names != "name" else {}
    called = _read_labels(alive, names, labels)
    made = Hierarchy.from_edges(
        ((called[child], called[parent]) for child, parent in edges if child in called and parent in called),
        nodes=called.values(),
        aliases={to_curie(other): called[node] for other, node in others if node in called},
    )
    titled = names == "id"
    return replace(made, titles={called[node]: label for node, label in labels.items()}) if titled else made


def _values(triples: Iterable[ox.Triple]) -> Iterator[tuple[str, str]]:
    """Return the subject and the value of statements about named things."""
    for triple in triples:
        if isinstance(triple.subject, ox.NamedNode) and isinstance(triple.object, ox.Literal):
            yield triple.subject.value, triple.object.value


def _read_labels(nodes: Iterable[str], names: str, labels: Mapping[str, str]) -> dict[str, str]:
    """Return what each node is called."""
    if names == "id":
        return {node: to_curie(node) for node in nodes}
    return {node: labels.get(node) or last_part(node) for node in nodes}
