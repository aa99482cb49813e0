"""What a triple says, however it is keyed: as a list or an object, its slots as texts, numbers or nodes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from goldassay.core.counts import FloatArray
from goldassay.core.model import NO_ROW
from goldassay.formats.answers.lines import lines_of_answer
from goldassay.formats.answers.means import OF_TRIPLES
from goldassay.formats.answers.statements import read_lines
from goldassay.formats.column_names import bare, words
from goldassay.formats.literals import parse_literal
from goldassay.formats.roles import TRIPLES
from goldassay.formats.rows import OBJECTS
from goldassay.formats.texts import to_whole
from goldassay.triples.formats.linearised import parse_linearised
from goldassay.triples.formats.nodes import IDS, INSIDE, NAMING, NO_NODES, UNKNOWN, Nodes, Objects, inside, is_text
from goldassay.triples.formats.raw import OBJECT, PREDICATE, SLOTS, SUBJECT, UNWEIGHTED, RawDocuments


def _names(role: str, text: str) -> tuple[str, ...]:
    """List the names of JSON, and those of tables: the names of slots before the words for anything, and ids last."""
    names = text.split()
    tiers = TRIPLES.names[role] if role in SLOTS else ()
    some, ids = (
        [name for words in tiers if words.ids is of_ids for name in sorted(words.names.difference(names))]
        for of_ids in (False, True)
    )
    sure = [name for name in names if role != "predicate" or name not in VAGUE]
    return (*sure, *some, *names[len(sure) :], *ids)


VAGUE = ("label", "type", "name", "key")
"""What relations are called, and all else."""
ROLES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        role: _names(role, names)
        for role, names in {
            "id": "id docid doc documentid document eid exampleid sentid graph chunkid indexwithoutname",
            "text": "text sent sentence input content pagecontent",
            "triples": "triples triplets relations relationships edges rels kg facts triplelist relationmentions",
            "references": "references golds",
            "entities": "entities nodes",
            "subject": (
                "subject sub subj s head h source src sourceid from start node1 sourceentityname sourceentity "
                "sourcenodeid sourcenodeuuid srcid headtext hidx startnode em1text"
            ),
            "predicate": (
                "predicate pred p relation rel r property relationship relationtype relationshiptype relationshipname "
                "label type name key"
            ),
            "object": (
                "object obj o tail t target dst targetid to end node2 targetentityname targetentity targetnodeid "
                "targetnodeuuid tgtid tailtext tidx endnode em2text"
            ),
            "weight": "weight",
            "name": "name title label text entity id",
            "type": "type entitytype label labels category",
        }.items()
    }
)
"""What keys of JSON are called, the likelier first."""
XSD = MappingProxyType({str: "", bool: "xsd:boolean", int: "xsd:integer", float: "xsd:double"})
OTHER_ENDS = (frozenset({"child", "head"}), frozenset({"head_text", "tail_text"}))
"""The ends of relations in Prodigy and spaCy, which are spans or tokens, and in GLiREL, which are lists of words."""
DRAWN = words("default straight step smoothstep bezier simplebezier floating custom line arrow curved").names
"""What the type of an edge is called that says only how it is drawn."""
KEY = "key"
"""What distinguishes edges of networkx between two nodes: a text is a relation, a number is not."""
EXPECTED_SLOTS = "subject, predicate and object"
HALF = "Incomplete triple: the {} is missing."
UNNAMED = "The {} is an id or an index, not a name."
BAD_WEIGHT = "The weight is not a number of at least 0."
NAMED = 'a name, or nodes with names: {"id": 1, "name": "Oslo"}'


def role_of(keys: Iterable[str], role: str) -> str | None:
    """Find the key that has a role."""
    return _role_of(tuple(keys), role)


@lru_cache(maxsize=4096)
def _role_of(keys: tuple[str, ...], role: str) -> str | None:
    words = {bare(key): key for key in keys}
    name = next((name for name in ROLES[role] if name in words), None)
    if name is None or role not in SLOTS:
        return None if name is None else words[name]
    # A label next to an id is the name, as in tables.
    labels = (f"{stem}{form}" for stem in (name, name.removesuffix("id")) for form in ("label", "name"))
    return next((words[label] for label in labels if label in words), words[name])


def claims(name: str, columns: Sequence[str]) -> bool:
    """Return whether a table is one of documents with their triples."""
    return name in (*OBJECTS, "parquet") and any(column in ("triples", "triplets") for column in columns)


def is_triple(record: object) -> bool:
    """Return whether an object of JSON is one triple, and not a document with its triples."""
    return isinstance(record, Mapping) and all(role_of(record, slot) for slot in SLOTS) and not lists_triples(record)


def are_documents(value: object) -> bool:
    """Return whether a list is one of documents, and not the triples of one: the first that is not empty shows it."""
    first = next(filter(None, value), None) if isinstance(value, list | tuple) else None
    if isinstance(first, list | tuple):
        return all(isinstance(one, list | tuple) or is_triple(one) for one in first)
    return isinstance(first, Mapping) and not is_triple(first)


def lists_triples(keys: Iterable[str]) -> bool:
    """Return whether a record with these keys has a list of triples."""
    return any(role_of(keys, role) for role in ("triples", "references"))


def common(
    find: Callable[[tuple[str, ...]], tuple[Any, ...] | None], shapes: Iterable[tuple[str, ...]]
) -> tuple[Any, ...] | None:
    """Return what a function finds for the keys of some records, if it is the same for all; None fits to anything."""
    found = [find(keys) for keys in shapes]
    if None in found:
        return None
    pieces = [{*some} - {None} for some in zip(*found, strict=True)]
    return None if max(map(len, pieces)) > 1 else tuple(next(iter(some), None) for some in pieces)


def columns_of(
    find: Callable[[tuple[str, ...]], tuple[Any, ...] | None], records: Sequence[dict[str, Any]]
) -> list[list[Any] | None] | None:
    """List the values under each of the keys that a function finds, None for a key that it does not; None if it finds others for some records."""
    some = Objects(records)
    found = common(find, some.shapes)
    return None if found is None else [key and some.column(key) for key in found]


def column(records: Sequence[Mapping[str, Any]], key: str | None) -> list[Any]:
    """List the values of a key; None where a record does not have it."""
    return [None] * len(records) if key is None else [record.get(key) for record in records]


@lru_cache(maxsize=1024)
def _slot_keys(keys: tuple[str, ...]) -> tuple[str | None, ...] | None:
    """Return the keys of the slots and the weight of an object; None if its ends may have other keys."""
    slots = [role_of(keys, slot) for slot in SLOTS]
    unusual = {None, KEY} & {*slots} or has_other_ends(keys) or not {*INSIDE}.isdisjoint(keys)
    return None if unusual else (*slots, role_of(keys, "weight"))


def has_other_ends(keys: Iterable[str]) -> bool:
    """Return whether the ends of a triple with these keys are spans, tokens or lists of words."""
    found = {*keys}
    return any(ends <= found for ends in OTHER_ENDS)


def weights_of(stated: Sequence[Any]) -> FloatArray:
    """Read weights: 1 where there is none, and nan for what is no number of at least 0."""
    kinds = {*map(type, stated)}
    if kinds <= {type(None)}:
        return np.full(len(stated), UNWEIGHTED)
    weights = np.array(stated if kinds == {float} else [_weight_of(weight) for weight in stated])
    return np.where((weights >= 0) & (weights < math.inf), weights, math.nan)


def _weight_of(stated: Any) -> float:
    if type(stated) is float:
        return stated
    if stated is None or stated == "":
        return UNWEIGHTED
    with suppress(TypeError, ValueError, OverflowError):
        return math.nan if isinstance(stated, bool) else float(stated)
    return math.nan


class RawTriple(NamedTuple):
    """What the cells of one triple say: its slots, the datatype of its object, which end has no name, and types by name."""

    slots: list[str | None]
    datatype: str
    unnamed: str | None
    types: dict[str, str]


def slots_of(cells: Sequence[Any], nodes: Nodes = NO_NODES) -> RawTriple:
    """Read the three cells of a triple."""
    ends = [cells[1] if slot == PREDICATE else nodes.end(cells[slot]) for slot in range(len(SLOTS))]
    if all(type(end) is int for end in (ends[0], ends[2])):
        # Two numbers are ids or indices; one may be a value.
        ends[0] = ends[2] = UNKNOWN
    slots: list[str | None] = []
    datatype, types = "", dict[str, str]()
    for cell, end in zip(cells, ends, strict=True):
        slot, datatype = slot_of(end)
        slots.append(slot)
        if slot is not None and isinstance(cell, Mapping):
            types |= type_of(slot, cell)
    return RawTriple(
        slots, datatype, next((name for name, end in zip(SLOTS, ends, strict=True) if end is UNKNOWN), None), types
    )


def read_document(
    raw: RawDocuments,
    name: str,
    sets: Sequence[object],
    *,
    line: int | None = None,
    text: str = "",
    types: tuple[Sequence[str], Sequence[str]] = ((), ()),
    nodes: Nodes = NO_NODES,
    row: int = NO_ROW,
) -> None:
    """Read the triples of one document."""
    one = raw.begin(name, line, text)
    raw.set_types(one, *types)
    for number, some in enumerate(sets):
        read_set(raw, raw.another() if number else one, some, line=line, nodes=nodes, row=row)


def read_unreadable(
    raw: RawDocuments,
    name: str,
    message: str | None = None,
    *,
    line: int | None,
    found: object = None,
    expected: str = "",
) -> None:
    """Keep the place of a document that cannot be read at all; without a message, its error is known already."""
    raw.mark_unreadable(raw.begin(name, line))
    if message is not None:
        raw.fault(message, line=line, found=found, expected=expected)


def read_set(
    raw: RawDocuments, one: int, some: object, *, line: int | None, nodes: Nodes = NO_NODES, row: int = NO_ROW
) -> None:
    """Read the triples of a set: together if each has three texts or values, otherwise one by one."""
    faults, valued = len(raw.faults), not (nodes.listed or nodes.tokens)
    some = _written(some) if isinstance(some, str) else some
    if isinstance(some, str) and "<triplet>" in some:
        for slots in parse_linearised(some.replace("\n", " "), line, raw):
            raw.add(one, slots, row=row)
    elif not isinstance(some, list | tuple):
        raw.fault("The triples are not a list.", line=line, found=some, expected="[[subject, predicate, object], ...]")
    elif some and not add_sets(raw, [one], [some], [row], valued=valued, nodes=nodes):
        for triple in some:
            _read_triple(raw, one, triple, line, nodes=nodes, row=row)
    if len(raw.faults) > faults:
        raw.mark_unreadable(one)


def _written(text: str) -> object:
    """Read triples that are written as a text: a list of JSON or Python, or lines of model output; else it stays a text."""
    if "<triplet>" in text:
        return text
    with suppress(ValueError, TypeError, RecursionError):
        found = parse_literal(text)
        return [found] if isinstance(found, list) and found and all(isinstance(cell, str) for cell in found) else found
    rows = read_lines(lines_of_answer(text), OF_TRIPLES).rows
    return [[row.subject, row.relation, row.object] for row in rows] if rows or not text.strip() else text


def add_sets(
    raw: RawDocuments,
    sets: Sequence[int],
    lists: Sequence[Sequence[Any]],
    rows: Iterable[int],
    *,
    valued: bool,
    nodes: Nodes = NO_NODES,
) -> bool:
    """Add the triples of lists to sets if all have three texts, which may refer to nodes, or, as objects, values; otherwise return False and add none."""
    triples = list(chain.from_iterable(lists))
    cells: list[Any] = []
    weights: FloatArray | None = None
    datatypes: list[str] | None = None
    if triples:
        found = _cells_of_all(triples)
        if found is None:
            return False
        cells, weights = found
        for slot in (SUBJECT, OBJECT) if nodes.rename else ():
            cells[slot :: len(SLOTS)] = nodes.ends(cells[slot :: len(SLOTS)])
        if not are_names(cells):
            datatypes = _write_values(cells) if valued else None
            if datatypes is None:
                return False
    raw.extend(sets, list(map(len, lists)), rows, cells, weights=weights, datatypes=datatypes)
    return True


def _cells_of_all(triples: list[Any]) -> tuple[list[Any], FloatArray | None] | None:
    """List the slots of triples, one after the other, and their weights, if there are any; None if one does not have three slots."""
    kinds = {*map(type, triples)}
    if kinds <= {list, tuple}:
        return (list(chain.from_iterable(triples)), None) if {*map(len, triples)} == {len(SLOTS)} else None
    columns = columns_of(_slot_keys, triples) if kinds == {dict} else None
    if columns is None:
        return None
    *slots, stated = columns
    weights = None if stated is None else weights_of(stated)
    if weights is not None and np.isnan(weights).any():
        return None
    return list(chain.from_iterable(zip(*slots, strict=True))), weights


def are_names(cells: Sequence[Any]) -> bool:
    """Return whether all cells are texts and none is blank."""
    try:
        # The first cell that is no text ends this at once.
        return not any(map(str.isspace, cells)) and "" not in cells
    except TypeError:
        return False


def _write_values(cells: list[Any]) -> list[str] | None:
    """Write values in the place of objects as texts, and return their datatypes; None if a slot is blank, or has no text."""
    objects = cells[OBJECT::3]
    kinds = {*map(type, objects)}
    if float in kinds:
        objects = list(map(to_whole, objects))
        kinds = {*map(type, objects)}
    if not kinds <= XSD.keys():
        return None
    cells[OBJECT::3] = [slot_of(cell)[0] for cell in objects] if bool in kinds else map(str, objects)
    return list(map(dict(XSD).__getitem__, map(type, objects))) if are_names(cells) else None


def _cells(raw: RawDocuments, triple: object, line: int | None) -> tuple[object, list[Any], float] | None:
    """Return a triple as it is shown, its slots and its weight; None if it has no slots, or too many."""
    weight = UNWEIGHTED
    if isinstance(triple, Mapping):
        triple = ends_of(_unwrap_edge(triple))
        weight = _weight(raw, triple, line)
        keys = [role_of(triple, slot) for slot in SLOTS]
        cells = [None if key is None or (key == KEY and type(triple[key]) is int) else triple[key] for key in keys]
    elif isinstance(triple, list | tuple):
        cells = list(triple)
    elif isinstance(triple, str) and len(rows := read_lines(lines_of_answer(triple), OF_TRIPLES).rows) == 1:
        cells = [rows[0].subject, rows[0].relation, rows[0].object]
    else:
        raw.fault("The triple is not a list.", line=line, found=triple, expected="[subject, predicate, object]")
        return None
    if len(cells) > len(SLOTS):
        raw.fault(f"The triple has {len(cells)} slots.", line=line, found=triple, expected=EXPECTED_SLOTS)
        return None
    return triple, [*cells, *[None] * (len(SLOTS) - len(cells))], weight


def _read_triple(raw: RawDocuments, one: int, stated: object, line: int | None, *, nodes: Nodes, row: int) -> None:
    """Read a triple that lacks something, or whose ends refer to something."""
    given = _cells(raw, stated, line)
    if given is None:
        return
    triple, cells, weight = given
    lists = [slot for slot in (SUBJECT, OBJECT) if len(cells) == len(SLOTS) and _is_names(cells[slot])]
    if lists:
        # Each name of a list is in a triple of its own.
        for name in cells[lists[0]]:
            single = dict(zip(SLOTS, [*cells[: lists[0]], name, *cells[lists[0] + 1 :]], strict=True))
            weighted = {} if weight == UNWEIGHTED else {"weight": weight}
            _read_triple(raw, one, single | weighted, line, nodes=nodes, row=row)
        return
    if nodes is NO_NODES and (text := raw.texts[raw.owners[one]]):
        nodes = Nodes(text=text)
    found = slots_of(cells, nodes)
    raw.set_types(one, found.types, found.types.values())
    raw.add(one, found.slots, datatype=found.datatype, weight=weight, row=row)
    missing = next((name for name, slot in zip(SLOTS, found.slots, strict=True) if not (slot and slot.strip())), None)
    if found.unnamed is not None:
        raw.fault(UNNAMED.format(found.unnamed), line=line, found=triple, expected=NAMED)
        raw.unnamed = raw.unnamed or raw.faults[-1]
    elif missing is not None:
        raw.fault(HALF.format(missing), line=line, found=triple, expected=EXPECTED_SLOTS)


def _is_names(cell: object) -> bool:
    return isinstance(cell, list) and bool(cell) and all(isinstance(name, str) for name in cell)


def _weight(raw: RawDocuments, triple: Mapping[str, Any], line: int | None) -> float:
    key = role_of(triple, "weight")
    [weight] = weights_of([triple[key]]).tolist() if key else [UNWEIGHTED]
    if math.isnan(weight):
        raw.fault(BAD_WEIGHT, line=line, found=triple, expected="for example 0.5")
        return UNWEIGHTED
    return float(weight)


def _unwrap_edge(triple: Mapping[str, Any]) -> Mapping[str, Any]:
    """Take out what Cytoscape wraps of an edge; React Flow and graphology wrap what is not an end, and next to it may be how an edge is drawn."""
    inner = inside(triple)
    if inner is None or role_of(triple, "subject") is None or role_of(triple, "object") is None:
        return triple if inner is None else inner
    own, other = (role_of(one, "predicate") for one in (triple, inner))
    if other is None or (own not in (None, KEY) and str(triple[own]).lower() not in DRAWN):
        return triple
    return {**{key: one for key, one in triple.items() if key != own}, other: inner[other]}


def ends_of(triple: Mapping[str, Any]) -> Mapping[str, Any]:
    """Call the ends of a relation between spans, tokens or lists of words, as Prodigy, spaCy and GLiREL write it, subject and object."""
    if not has_other_ends(triple):
        return triple
    if "head_text" in triple:
        rest = {key: value for key, value in triple.items() if key not in ("head_text", "tail_text")}
        return {**rest, "subject": _join(triple["head_text"]), "object": _join(triple["tail_text"])}
    rest = {key: value for key, value in triple.items() if key not in ("head", "child", "head_span", "child_span")}
    return {
        **rest,
        "subject": triple.get("head_span", triple["head"]),
        "object": triple.get("child_span", triple["child"]),
    }


def _join(end: object) -> object:
    return " ".join(map(str, end)) if isinstance(end, list) else end


def slot_of(cell: object) -> tuple[str | None, str]:
    """Read one slot: its text, and the datatype of a value."""
    cell = to_whole(cell)
    if (datatype := XSD.get(type(cell))) is not None:
        return (str(cell).lower() if type(cell) is bool else str(cell)), datatype
    if isinstance(cell, Mapping):
        key = role_of(cell, "name")
        if key is not None and is_text(cell[key]):
            return str(cell[key]), ""
    return None, ""


def type_of(name: str, node: Mapping[str, Any]) -> dict[str, str]:
    """Read the type of a node, if it says one."""
    key = role_of(node, "type")
    kind = None if key is None else node[key]
    if isinstance(kind, list) and kind:
        kind = kind[0]
    return {name: kind} if isinstance(kind, str) and kind and kind != name else {}


@lru_cache(maxsize=1024)
def keys_of_entity(keys: tuple[str, ...]) -> tuple[str, str | None] | None:
    """Return the keys of the name and the type of an entity; None if triples may name it otherwise."""
    name = next((key for key in (*NAMING, "text", "entity") if key in keys), None)
    return None if name is None or not {*IDS, *INSIDE, "properties"}.isdisjoint(keys) else (name, role_of(keys, "type"))


def first_types(stated: list[Any]) -> list[str]:
    """Return the types of entities, of several the first; the empty text where there is none."""
    if list in {*map(type, stated)}:
        stated = [kind[0] if type(kind) is list and kind else kind for kind in stated]
    return stated if {*map(type, stated)} == {str} else [kind if type(kind) is str else "" for kind in stated]
