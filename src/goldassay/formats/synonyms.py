"""Names that mean the same: from a table, from an ontology, or from the clusters and aliases of a graph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goldassay.core.errors import InputError, names_file
from goldassay.core.libraries import ox
from goldassay.formats.delimited import rows_of
from goldassay.formats.documents import json_of
from goldassay.formats.known import SUFFIXES, TRIPLES
from goldassay.formats.labels import LABELS
from goldassay.formats.records import BadRecords, json_records
from goldassay.formats.source import Source, load
from goldassay.formats.triples import read_triples

HEADER = ("predicate", "synonym", "similarity")
PAIR = 2
ANY, PREDICATE, ENTITY = "any", "predicate", "entity"
HEADERS: Mapping[tuple[str, ...], str] = {
    HEADER: PREDICATE,
    HEADER[:2]: PREDICATE,
    ("pred", "gold"): PREDICATE,
    ("entity", "synonym"): ENTITY,
    ("name", "synonym"): ANY,
}
"""The first rows that name the columns of a table, and what its names are of."""
EXACT = (
    "http://www.geneontology.org/formats/oboInOwl#hasExactSynonym",
    "http://www.w3.org/2004/02/skos/core#altLabel",
)
CLUSTERS = {"entity_clusters": ENTITY, "edge_clusters": PREDICATE}
ALIASES = ("aliases", "alias", "synonyms", "altLabels", "alt_labels", "surface_forms", "mentions")
NAMING = ("name", "label", "title", "text", "id")


class Synonyms(NamedTuple):
    """Two names that are one.

    Attributes:
        of: What is called so: ``predicate``, ``entity``, or ``any``.
    """

    first: str
    second: str
    of: str = ANY


@names_file
def read_synonyms(path: str) -> list[Synonyms]:
    """Read names that are one: a table of two columns, an ontology (labels and exact synonyms of one class), or JSON.

    The first row of a table may name the columns: ``predicate,synonym``, ``entity,synonym`` or ``name,synonym``. Without it, and in an
    ontology, the names may be of predicates and of entities. JSON has the clusters of KGGen, entities with ``aliases``, or the mentions of
    DocRED. A table that ``--propose-synonyms`` wrote has a third column, and rows without a predicate, which say nothing.
    """
    source = load(path)
    ending = "." + source.name.rpartition(".")[2]
    if source.data.lstrip()[:1] in (b"{", b"["):
        found = list(_read_json(source))
    elif SUFFIXES.get(ending) in TRIPLES:
        found = list(_read_ontology(source, str(SUFFIXES[ending])))
    else:
        return _read_table(source)
    if not found:
        raise InputError(
            "The file contains no synonyms.",
            expected="entity_clusters, entities with aliases, labels with exact synonyms, or a table of two columns",
        )
    return found


def _read_table(source: Source) -> list[Synonyms]:
    name = "tsv" if b"\t" in source.data.partition(b"\n")[0] else "csv"
    pairs: list[Synonyms] = []
    proposed, of = False, ANY
    for line, row, _ in rows_of(source, name, BadRecords(), named=False):
        cells = [cell.strip() for cell in row]
        words = tuple(cell.lower() for cell in cells)
        if not pairs and words in HEADERS:
            proposed, of = words == HEADER, HEADERS[words]
            continue
        if proposed and not cells[0]:
            # A predicate that is like none of gold.
            continue
        if len(cells) != PAIR + proposed or not all(cells[:PAIR]):
            raise InputError(
                "A table of synonyms needs two names per row.",
                line=line,
                found=repr(row)[:80],
                expected="a name and a synonym of it",
            )
        pairs.append(Synonyms(cells[0], cells[1], of))
    return pairs


def _read_ontology(source: Source, name: str) -> Iterator[Synonyms]:
    """List the pairs of a label and the other texts of its class."""
    texts: dict[str, list[str]] = {}
    for triple in read_triples(source, name):
        predicate, thing = triple.predicate.value, triple.object
        if isinstance(thing, ox.Literal) and (predicate in LABELS or predicate in EXACT):
            some, text = texts.setdefault(str(triple.subject), []), thing.value.strip()
            some.insert(0 if predicate in LABELS else len(some), text)
    for first, *others in texts.values():
        yield from (Synonyms(first, other) for other in others if other != first)


def _read_json(source: Source) -> Iterator[Synonyms]:
    """List the names of clusters, and of entities with their aliases, wherever they are."""
    try:
        documents: Any = [json_of(source)]
    except InputError:
        documents = [one for block in json_records(source, expected="{...}") for one in block.values]
    waiting = list(documents)
    while waiting:
        one = waiting.pop()
        if isinstance(one, Mapping):
            for of, names in clusters_in(one):
                first, *others = dict.fromkeys(_texts(names)) or [""]
                yield from (Synonyms(first, other, of) for other in others)
            name = next((one[key] for key in NAMING if isinstance(one.get(key), str)), None)
            aliases = [alias for key in ALIASES for alias in _texts(one.get(key))]
            yield from (Synonyms(name, alias, ENTITY) for alias in aliases if name and alias != name)
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one


def clusters_in(record: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """List the clusters of KGGen and the mentions of DocRED, which are one entity or predicate: what is called so, and its names."""
    for key, of in CLUSTERS.items():
        found = record.get(key)
        for name, members in found.items() if isinstance(found, Mapping) else ():
            yield of, [name, *_only_texts(members if isinstance(members, list) else [members])]
    entities = record.get("vertexSet")
    for mentions in entities if isinstance(entities, list) else ():
        named = [one.get("name") for one in mentions if isinstance(one, Mapping)] if isinstance(mentions, list) else []
        if names := _only_texts(named):
            yield ENTITY, names


def _only_texts(some: Sequence[Any]) -> list[str]:
    return [one for one in some if isinstance(one, str)]


def _texts(found: Any) -> list[str]:
    some = found if isinstance(found, list) else [found]
    return [one.strip() for one in _only_texts(some) if one.strip()]


def merge_codes(
    texts: Sequence[str], pairs: Iterable[Synonyms], *, normalise: Callable[[str], str]
) -> tuple[NDArray[np.int64], list[str]]:
    """Number names so that synonyms have one number."""
    numbers = {text: row for row, text in enumerate(texts)}
    parents: dict[str, str] = {}

    def root(name: str) -> str:
        while name in parents:
            # Halving the way keeps long chains short.
            parents[name] = parents.get(parents[name], parents[name])
            name = parents[name]
        return name

    for one, other, _ in pairs:
        ends = root(normalise(one)), root(normalise(other))
        if ends[0] != ends[1]:
            parents[ends[1]] = ends[0]
    # A root that neither side uses is numbered after all names.
    for name in list(parents):
        numbers.setdefault(root(name), len(numbers))
    return np.array([numbers[root(text)] for text in texts], dtype=np.int64), list(numbers)


def count_idle(pairs: Sequence[Synonyms], used: Collection[str], *, normalise: Callable[[str], str]) -> int:
    """Count the pairs that apply to nothing: they bring no two names together that are used."""
    ends = [(normalise(one), normalise(other)) for one, other, _ in pairs]
    names = list(dict.fromkeys([name for pair in ends for name in pair]))
    codes, _ = merge_codes(names, [Synonyms(*pair) for pair in ends], normalise=str)
    group = dict(zip(names, codes.tolist(), strict=True))
    together = Counter(group[name] for name in names if name in used)
    return sum(together[group[first]] < PAIR for first, _ in ends)


def idle_note(path: str, idle: int, pairs: int) -> str | None:
    """Return how many pairs of a file apply to nothing; None if all apply."""
    return f"{idle:,} of {pairs:,} rows of {path} apply to no names of both sides" if idle else None
