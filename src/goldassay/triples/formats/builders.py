"""What graph builders write as JSON besides nodes and edges, by a table: the keys that show a builder, and where its triples are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from goldassay.core.errors import InputError

Edges = list[Any]
"""Triples as lists or objects, in the order of the file."""


class Shape(NamedTuple):
    """What one builder writes."""

    tool: str  # the name of the builder
    marks: frozenset[str]  # keys that its object has
    key: str  # the key of its triples
    edges: Callable[[Any], Edges]  # lists the triples of what is there


def _by_subject(found: Any) -> Edges:
    """List triples of pairs of predicate and object by subject."""
    return [[subject, *_pair(pair)] for subject, pairs in _items(found) for pair in _list(pairs)]


def _by_predicate(found: Any) -> Edges:
    """List triples of pairs of subject and object, or of heads and tails, by predicate."""
    return [_get_between(pair, predicate) for predicate, pairs in _items(found) for pair in _list(pairs)]


def _get_between(pair: Any, predicate: str) -> Any:
    if isinstance(pair, Mapping):
        return {"head": pair.get("head"), "relation": predicate, "tail": pair.get("tail")}
    parts = _pair(pair)
    return [*parts[:1], predicate, *parts[1:]]


def _read_sentences(found: Any) -> Edges:
    """List the extractions of the sentences of a document."""
    some = [one for one in _list(found) if isinstance(one, Mapping)]
    return [triple for one in some for triple in _list(one.get("openie", one.get("kbp")))]


def _read_vectors(found: Any) -> Edges:
    """List the relations of a store of vectors, whose texts begin with the keywords of the relation."""
    some = [one for one in _list(found) if isinstance(one, Mapping)]
    return [[one.get("src_id"), str(one.get("content", "")).partition("\t")[0], one.get("tgt_id")] for one in some]


def _pair(pair: Any) -> Sequence[Any]:
    return pair if isinstance(pair, list) else [pair]


def _items(found: Any) -> Iterator[tuple[str, Any]]:
    yield from found.items() if isinstance(found, Mapping) else ()


def _list(found: Any) -> list[Any]:
    return found if isinstance(found, list) else []


SHAPES = (
    Shape("LlamaIndex", frozenset({"graph_dict"}), "graph_dict", _by_subject),
    Shape("GLiNER2", frozenset({"relation_extraction"}), "relation_extraction", _by_predicate),
    Shape("CoreNLP", frozenset({"sentences"}), "sentences", _read_sentences),
    Shape("LightRAG", frozenset({"data", "matrix"}), "data", _read_vectors),
)
KEYS = frozenset().union(*(shape.marks for shape in SHAPES))
REPRESENTED = frozenset({"lc", "kwargs", "repr"})
"""Keys of what LangChain's `dumps` writes of an object; of one that it cannot load again, only how Python shows it."""
PAIRS = "relation_pairs"


def shape_of(found: Mapping[str, Any]) -> Shape | None:
    """Return what a builder writes that has the keys of an object; None if it is not in the table."""
    if KEYS.isdisjoint(found):
        return None
    fits = (shape for shape in SHAPES if shape.marks <= found.keys() and isinstance(found[shape.key], dict | list))
    return next((shape for shape in fits if shape.tool != "CoreNLP" or _read_sentences(found[shape.key])), None)


def to_document(found: Any) -> Any:
    """Write what builders write in a way of their own as a document with triples; anything else stays."""
    if not isinstance(found, Mapping):
        return found
    if "lc" in found and not REPRESENTED.isdisjoint(found):
        return _unwrap_objects(found)
    if shape := shape_of(found):
        rest = {key: value for key, value in found.items() if key not in shape.marks}
        return {**rest, "triples": shape.edges(found[shape.key])}
    return found


def _unwrap_objects(found: Mapping[str, Any]) -> Any:
    """Take the values of objects out of what LangChain wraps them in."""
    if "kwargs" not in found:
        raise InputError(
            "This is the repr of a LangChain object, not its values.",
            found=str(found.get("repr", ""))[:80],
            expected="a graph document with nodes and relationships",
            hint="write document.model_dump_json() for each document, one a line",
        )

    def inner(value: Any) -> Any:
        if isinstance(value, list):
            return list(map(inner, value))
        return _unwrap_objects(value) if isinstance(value, Mapping) and "lc" in value else value

    return {key: inner(value) for key, value in found["kwargs"].items()} if isinstance(found["kwargs"], Mapping) else {}


def no_predicates_error(found: object) -> InputError | None:
    """Return the error for a store of LightRAG that lists pairs of entities only, by what is under its first key; None for anything else."""
    if not isinstance(found, Mapping) or PAIRS not in found:
        return None
    return InputError(
        "This store of LightRAG has pairs of entities, but no relations.",
        found=f"the key {PAIRS}",
        expected="triples",
        hint="name graph_chunk_entity_relation.graphml or vdb_relationships.json of the same folder",
    )


def entity_error(value: object) -> InputError | None:
    """Return the error for a record that is the span of an entity, as GLiNER and spaCy list them; None for anything else."""
    if not isinstance(value, Mapping) or not {"start", "end", "label"} <= value.keys():
        return None
    if not all(type(value[key]) is int for key in ("start", "end")) or not value.keys().isdisjoint(
        ("relation", "type")
    ):
        return None
    return InputError(
        "These are spans of entities, without relations.",
        found=str(dict(value))[:80],
        expected="triples",
        hint="write the relations: those of GLiREL, of GLiNER or of Prodigy are read",
    )


def is_neo4j_record(value: object) -> bool:
    """Return whether a record is a node or a relationship of Neo4j, or holds some, as its browser writes the rows of a query."""
    if not isinstance(value, Mapping):
        return False
    exported = value.get("type") in ("node", "relationship") and not {"properties", "labels", "start"}.isdisjoint(value)
    return exported or any(_is_node(one) or _is_path(one) for one in value.values() if isinstance(one, Mapping))


def _is_node(one: Mapping[str, Any]) -> bool:
    return "labels" in one and ("properties" in one or "identity" in one)


def _is_path(one: Mapping[str, Any]) -> bool:
    return one.keys() >= {"start", "end", "segments"}


def _is_relationship(one: Mapping[str, Any]) -> bool:
    return "start" in one and "end" in one and ("type" in one or "label" in one)


def parts_of_neo4j(records: Sequence[Any]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """List the nodes and the relationships in records, each in their order; the ends of a relationship are nodes, too."""
    nodes: list[dict[str, Any]] = []
    relationships: list[dict[str, Any]] = []
    waiting = list(reversed(records))
    while waiting:
        one = waiting.pop()
        if isinstance(one, list):
            waiting += reversed(one)
        elif type(one) is dict:
            if "start" in one and _is_relationship(one):
                relationships.append(one)
                waiting += (one["end"], one["start"])
            elif _is_node(one) or one.get("type") == "node":
                nodes.append(one)
            elif "id" not in one or one.get("type") == "relationship":
                waiting += reversed(list(one.values()))
    return nodes, relationships
