"""Files to the names of concepts: ontologies, terminologies and tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike, fspath
from os.path import isdir
from pathlib import Path
from types import MappingProxyType
from typing import Any

from goldassay.concepts.formats.terminologies import NameFilter, terminology
from goldassay.concepts.texts.names import Names
from goldassay.core.errors import InputError, RecordError, UsageError, name_file
from goldassay.core.libraries import ox, pl
from goldassay.core.patterns import pattern_of
from goldassay.formats import TRIPLES, Source, load, read_triples, recognise
from goldassay.formats.labels import LABELS, OBO, OBO_IN_OWL, OWL, RDF, RDFS, SKOS
from goldassay.formats.literals import names_in_cell
from goldassay.formats.options import OnError
from goldassay.formats.records import BadRecords
from goldassay.formats.roles import DICTIONARY
from goldassay.formats.rows import TABLES, records_of
from goldassay.graphs.calibration import SynonymPairs

NCIT = "http://ncicb.nci.nih.gov/xml/owl/EVS/Thesaurus.owl#"
RANKS: Mapping[str, int] = MappingProxyType(
    {
        **dict.fromkeys(LABELS, 0),
        f"{OBO_IN_OWL}hasExactSynonym": 1,
        f"{SKOS}altLabel": 1,
        f"{OBO_IN_OWL}hasRelatedSynonym": 2,
        f"{SKOS}hiddenLabel": 2,
        f"{NCIT}P108": 0,
        f"{NCIT}P90": 1,
    }
)
"""What gives a concept its names, in NCIt P108 and P90; where two concepts share a name, it belongs to the one with the lower rank."""

BANNED: Mapping[tuple[str, str], str] = MappingProxyType(
    {
        (f"{RDF}type", f"{RDF}Property"): "names_of_properties",
        **{
            (f"{RDF}type", f"{OWL}{kind}Property"): "names_of_properties"
            for kind in ("Object", "Datatype", "Annotation", "Ontology")
        },
        **{(f"{OWL}deprecated", value): "names_of_obsolete_concepts" for value in ("true", "1")},
    }
)
"""Predicates and values of subjects that are not searched for, and why."""
DESCRIBING = tuple(f"{OBO_IN_OWL}{name}" for name in ("hasDefinition", "hasDbXref"))
"""Predicates whose objects may be nodes with labels that are no concepts, unless they are declared as classes."""
PARENTS = frozenset({f"{RDFS}subClassOf", f"{SKOS}broader"})
"""Predicates whose object is what a concept is directly below."""
PURL = pattern_of(rf"{re.escape(OBO)}([A-Za-z][A-Za-z0-9]*)_(\w+)")


def read_names(
    path: str | PathLike[str],
    *,
    language: str = "en",
    bad: BadRecords | None = None,
    predicates: Sequence[str] = (),
    vocabularies: Sequence[str] = (),
    suppressed: bool = False,
    branch: str | None = None,
) -> Names:
    """Read the names of concepts."""
    # An ontology has rdfs:label, skos:prefLabel, skos:altLabel, skos:hiddenLabel, OBO's exact and related synonyms, NCIt's
    # P108 and P90, and further predicates; a synonym that is a node has that node's label, and obsolete concepts and
    # properties are left out. A table has columns of ids, names, synonyms (a list, or separated by ``|`` or ``;``) and
    # semantic types. The UMLS is MRCONSO.RRF or its folder, without suppressed names unless they are wanted, with types from
    # MRSTY.RRF in the same folder; SNOMED CT a file of descriptions of release format 2, the active ones; MeSH descriptors
    # and supplementary records in XML (desc2026.xml) or ASCII (d2026.bin), with their entry terms.
    file = Path(path)
    if isdir(file):
        path = file / "MRCONSO.RRF"
    with name_file(path):
        gathered = Names(bad or BadRecords())
        wanted = NameFilter(language, frozenset(vocabularies), suppressed)
        if not terminology(path, wanted, gathered):
            if vocabularies or suppressed:
                raise UsageError(
                    "Only the UMLS has vocabularies and suppressed names.", found=fspath(path), expected="MRCONSO.RRF"
                )
            source = load(path)
            name = recognise(source)
            if name in TRIPLES:
                names_of(read_triples(source, name, gathered.bad), language, predicates, gathered)
            else:
                _table(source, name, gathered)
        if branch is not None:
            gathered.keep_branch(branch)
        if not len(gathered.frame()):
            left_out = ", ".join(
                f"{reason.replace('_', ' ')} ({count:,})" for reason, count in gathered.left_out.items()
            )
            raise InputError(
                "The dictionary contains no label.",
                found=f"left out: {left_out}" if left_out else "nothing that names a concept",
                expected="rdfs:label, skos:prefLabel, skos:altLabel, synonyms of OBO, or a column of names",
                hint="another language: --language" if "names_in_other_languages" in gathered.left_out else None,
            )
        return gathered


def _table(source: Source, name: str, gathered: Names) -> None:
    if name not in TABLES:
        raise InputError(
            "A dictionary must be an ontology, a terminology or a table.",
            found=name,
            expected="RDF in any syntax, OWL, OBO, OBO graphs, MRCONSO.RRF, SNOMED RF2 descriptions, MeSH, or CSV with a name",
        )
    roles: dict[str, str] = {}
    for line, cells, _ in records_of(source, name, gathered.bad):
        if not roles:
            columns = list(cells)
            if not DICTIONARY.recognises(columns):
                raise InputError(
                    "A dictionary must be an ontology, a terminology or a table with names.",
                    found=f"columns {', '.join(columns)}",
                    expected="a column 'name', and optionally 'id', 'synonyms' and 'type'",
                )
            places = DICTIONARY.chosen(columns, always=True).places
            roles = {role: columns[place] for role, place in places.items()}
        label = str(cells.get(roles["name"]) or "").strip()
        if not label:
            gathered.bad.add(RecordError("A name is missing.", line=line, found="an empty name", expected="a name"))
            continue
        concept = str(cells.get(roles.get("id", ""), "") or label).strip()
        gathered.add(0, concept, label, line=line)
        for text in _split(cells.get(roles.get("synonyms", ""))):
            gathered.add(1, concept, text, line=line)
        for kind in _split(cells.get(roles.get("type", ""))):
            gathered.add_kind(concept, kind)


def _split(cell: object) -> list[str]:
    """List the texts of a cell: a list, also one that is written as text."""
    names = cell if isinstance(cell, list | tuple) else names_in_cell(str(cell or ""), plural=True)
    return [text for part in ([cell or ""] if names is None else names) if (text := str(part).strip())]


def names_of(
    triples: Iterable[ox.Triple], language: str, predicates: Sequence[str] = (), gathered: Names | None = None
) -> Names:
    """Gather the names of concepts from statements."""
    gathered = gathered or Names()
    names: list[tuple[int, str, str]] = []
    synonyms: list[tuple[int, str, str]] = []
    refused, rank_of = _RefusedSubjects(), _ranks(predicates)
    for triple in triples:
        predicate, subject, value = triple.predicate.value, str(triple.subject), triple.object
        rank = rank_of(predicate)
        if rank is not None and isinstance(value, ox.Literal) and value.value.strip():
            if _is_spoken(value.language, language):
                names.append((rank, subject, value.value.strip()))
            else:
                gathered.leave_out("names_in_other_languages")
        elif rank and not isinstance(value, ox.Literal):
            synonyms.append((rank, subject, str(value)))
        else:
            refused.look_at(predicate, subject, value)
            if predicate in PARENTS and subject.startswith("<") and isinstance(value, ox.NamedNode):
                gathered.add_parent(compact(subject[1:-1]), compact(value.value))
    reasons = refused.reasons()
    for rank, subject, text in _assign_synonyms(names, synonyms):
        if subject in reasons:
            gathered.leave_out(reasons[subject])
        elif subject.startswith("<"):
            gathered.add(rank, compact(subject[1:-1]), text)
    return gathered


@dataclass
class _RefusedSubjects:
    """Subjects that are not searched for, and why."""

    banned: dict[str, str] = field(default_factory=dict)
    described: set[str] = field(default_factory=set)
    classes: set[str] = field(default_factory=set)

    def look_at(self, predicate: str, subject: str, value: Any) -> None:
        """Take a statement that gives no name."""
        stated = (predicate, getattr(value, "value", ""))
        if stated in BANNED:
            self.banned[subject] = BANNED[stated]
        elif stated == (f"{RDF}type", f"{OWL}Class"):
            self.classes.add(subject)
        elif predicate in DESCRIBING:
            self.described.add(str(value))

    def reasons(self) -> dict[str, str]:
        """Return what is refused, each with the reason."""
        return {**self.banned, **dict.fromkeys(self.described - self.classes, "definitions_and_references")}


Statement = tuple[int, str, str]
"""Rank, subject, and name or node."""


def _assign_synonyms(names: Sequence[Statement], synonyms: Sequence[Statement]) -> Iterator[Statement]:
    """Add the labels of synonyms that are nodes to the concepts that have these synonyms."""
    labels: dict[str, list[str]] = {node: [] for _, _, node in synonyms}
    for rank, subject, text in names:
        if subject in labels:
            labels[subject].append(text)
        else:
            yield rank, subject, text
    for rank, subject, node in synonyms:
        yield from ((rank, subject, text) for text in labels[node])


def _ranks(predicates: Sequence[str]) -> Callable[[str], int | None]:
    """Return what gives predicates their ranks; None for those that name nothing."""
    ends = tuple(f"{mark}{name}" for name in predicates for mark in "#/:")
    return lambda predicate: RANKS.get(
        predicate, 1 if predicate in predicates or (ends and predicate.endswith(ends)) else None
    )


def compact(iri: str) -> str:
    """Write an OBO IRI as its CURIE, and leave any other as it is."""
    match = PURL.fullmatch(iri)
    return f"{match[1]}:{match[2]}" if match else iri


def _is_spoken(tag: str | None, preferred: str) -> bool:
    return not tag or tag.lower() == preferred.lower() or tag.lower().startswith(f"{preferred.lower()}-")


MOST = 100_000
"""Of more pairs so many are drawn: the mean cosine is then known to a thousandth."""


def name_pairs(path: str | PathLike[str], *, language: str = "en", on_error: OnError = "stop") -> SynonymPairs:
    """Draw pairs from a dictionary: the label of a concept, and each of its exact synonyms."""
    bad = BadRecords(on_error=on_error)
    names = read_names(path, language=language, bad=bad).frame().filter(pl.col("rank") <= 1)
    first = (
        names.sort("rank", "text").group_by("concept", maintain_order=True).agg(pl.col("text").first().alias("label"))
    )
    pairs = (
        names.join(first, on="concept")
        .filter(pl.col("text") != pl.col("label"))
        .select("label", "text")
        .unique()
        .sort("label", "text")
    )
    if not len(pairs):
        raise InputError(
            "No concept of the dictionary has two names.",
            expected="labels with exact synonyms",
            hint="goldassay calibrate PAIRS",
        )
    notes = (f"{MOST:,} of {len(pairs):,} pairs are drawn",) if len(pairs) > MOST else ()
    drawn = pairs.sample(MOST, seed=0) if notes else pairs
    return SynonymPairs.of(drawn.iter_rows(), path=fspath(path), notes=notes, bad=bad, measure="concept(epsilon={})")
