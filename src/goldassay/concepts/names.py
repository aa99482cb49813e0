"""The names of concepts in ontologies and terminologies."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike, fspath
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from goldassay.core.errors import InputError, RecordError
from goldassay.formats import TRIPLES, Source, load, read_triples, recognise
from goldassay.formats.labels import LABELS
from goldassay.formats.names import OBO, OBO_IN_OWL, OWL, RDF, SKOS
from goldassay.formats.records import BadRecords
from goldassay.formats.rows import lines_of, places_of, records_of

if TYPE_CHECKING:
    from pyoxigraph import Triple

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
"""Predicates and values that say that a subject is no concept to search for, and why."""
PURL = re.compile(rf"{re.escape(OBO)}([A-Za-z][A-Za-z0-9]*)_(\w+)")


UMLS_LANGUAGES: Mapping[str, str] = MappingProxyType(
    {
        "cs": "CZE", "da": "DAN", "de": "GER", "el": "GRE", "en": "ENG", "es": "SPA", "et": "EST", "fi": "FIN", "fr": "FRE", "he": "HEB",
        "hr": "SCR", "hu": "HUN", "it": "ITA", "ja": "JPN", "ko": "KOR", "lv": "LAV", "nl": "DUT", "no": "NOR", "pl": "POL", "pt": "POR",
        "ru": "RUS", "sv": "SWE", "tr": "TUR", "uk": "UKR", "zh": "CHI",
    }
)  # fmt: skip
"""Languages as MRCONSO.RRF calls them."""

ROLES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "id": frozenset({"id", "conceptid", "cui", "curie", "code"}),
        "name": frozenset({"name", "label", "term", "preferredname", "preflabel", "concept"}),
        "synonyms": frozenset({"synonyms", "synonym", "altlabels", "altlabel", "aliases", "alternativenames"}),
        "type": frozenset({"type", "types", "semantictype", "semantictypes", "tui", "tuis", "semanticgroup"}),
    }
)
"""Columns of a table of names, by their names reduced to letters."""
SEPARATORS = re.compile(r"[|;]")
SYNONYM, FULL_NAME = "900000000000013009", "900000000000003001"
TAG = re.compile(r" \([^()]+\)$")
"""The semantic tag of a fully specified name of SNOMED CT: Asthma (disorder)."""


class Name(NamedTuple):
    """One name of a concept.

    Attributes:
        rank: 0 for a label, higher for weaker names.
        concept: The id of the concept.
        text: The name.
    """

    rank: int
    concept: str
    text: str


@dataclass
class Names:
    """The names of concepts, and what was left out of them.

    Attributes:
        names: The names.
        kinds: Semantic types of concepts by id, separated by commas.
        left_out: What was left out, counted by reason.
    """

    names: list[Name] = field(default_factory=list)
    kinds: dict[str, str] = field(default_factory=dict)
    left_out: dict[str, int] = field(default_factory=dict)

    def leave_out(self, reason: str) -> None:
        """Count a skipped name."""
        self.left_out[reason] = self.left_out.get(reason, 0) + 1


def read_names(
    path: str | PathLike[str], *, language: str = "en", bad: BadRecords | None = None, predicates: Sequence[str] = ()
) -> Names:
    r"""Read the names of concepts.

    - An ontology in any format that has statements: rdfs:label, skos:prefLabel, skos:altLabel, skos:hiddenLabel, OBO's exact and
      related synonyms, NCIt's P108 and P90, and further predicates. A synonym that is a node has that node's label. Obsolete
      concepts and properties are left out.
    - A table with columns of ids, names, synonyms (a list, or separated by ``|`` or ``;``) and semantic types.
    - The UMLS: MRCONSO.RRF or its folder, without suppressed names; semantic types from MRSTY.RRF beside it.
    - SNOMED CT: a file of descriptions of release format 2, the active ones.
    - MeSH: descriptors in ASCII (d2026.bin), with their entry terms.

    Args:
        path: The file, gzipped or not, or a folder with MRCONSO.RRF.
        language: The preferred language; names without a language are taken too.
        bad: Receives the bad records.
        predicates: More predicates that name concepts in ontologies, as IRIs or as the last parts of IRIs.

    Returns:
        The names.

    Raises:
        InputError: If the file cannot be read, is no dictionary, or has no name.

    Example:
        >>> import tempfile, pathlib
        >>> file = pathlib.Path(tempfile.mkdtemp(), "names.csv")
        >>> _ = file.write_text("id,name,synonyms,type\nC1,asthma,bronchial asthma|BA,T047\n")
        >>> read_names(file).names
        [Name(rank=0, concept='C1', text='asthma'), Name(rank=1, concept='C1', text='bronchial asthma'), Name(rank=1, concept='C1', text='BA')]
    """
    file = Path(path)
    if file.is_dir():
        file = file / "MRCONSO.RRF"
    source = load(file if file != Path(path) else path)
    bad = bad or BadRecords()
    gathered = _terminology(source, fspath(file), language, bad)
    if gathered is None:
        name = recognise(source)
        if name in TRIPLES:
            gathered = names_of(read_triples(source, name, bad), language, predicates)
        else:
            gathered = _table(source, name, bad)
    if not gathered.names:
        left_out = ", ".join(f"{reason.replace('_', ' ')} ({count:,})" for reason, count in gathered.left_out.items())
        raise InputError(
            "The dictionary contains no label.",
            path=path,
            found=f"left out: {left_out}" if left_out else "nothing that names a concept",
            expected="rdfs:label, skos:prefLabel, skos:altLabel, synonyms of OBO, or a column of names",
            hint="another language: --language" if "names_in_other_languages" in gathered.left_out else None,
        )
    return gathered


def _terminology(source: Source, path: str, language: str, bad: BadRecords) -> Names | None:
    """Read a terminology in a format of its own; None if it is none."""
    first = next((line for _, line in lines_of(source, bad)), "")
    if first.count("|") >= len(MRCONSO) and re.match(r"C\d{7}\|[A-Z]{3}\|", first):
        return _umls(source, path, UMLS_LANGUAGES.get(language[:2].lower(), language.upper()), bad)
    if first.startswith("id\teffectiveTime\tactive\tmoduleId\tconceptId\tlanguageCode\ttypeId\tterm"):
        return _snomed(source, language[:2].lower(), bad)
    if first.startswith("*NEWRECORD"):
        return _mesh(source, bad)
    return None


MRCONSO = ("CUI", "LAT", "TS", "LUI", "STT", "SUI", "ISPREF", "AUI", "SAUI", "SCUI", "SDUI", "SAB", "TTY", "CODE", "STR", "SRL", "SUPPRESS", "CVF")  # fmt: skip


def _fields(source: Source, separator: str, width: int, bad: BadRecords) -> Iterator[tuple[int, list[str]]]:
    """Split the lines of a terminology; a line with too few fields is a bad record."""
    for number, line in lines_of(source, bad):
        fields = line.split(separator)
        if len(fields) < width:
            bad.add(
                RecordError(
                    "This line has too few fields.",
                    path=source.path,
                    line=number,
                    found=f"{len(fields)}",
                    expected=f"{width}",
                )
            )
        else:
            yield number, fields


def _umls(source: Source, path: str, language: str, bad: BadRecords) -> Names:
    gathered = Names()
    for _, row in _fields(source, "|", len(MRCONSO), bad):
        if row[1] != language:
            gathered.leave_out("names_in_other_languages")
        elif row[16] not in {"N", ""}:
            gathered.leave_out("suppressed_names")
        else:
            preferred = (row[2], row[4], row[6]) == ("P", "PF", "Y")
            gathered.names.append(Name(0 if preferred else 1, row[0], row[14]))
    types = Path(path).with_name("MRSTY.RRF")
    if types.exists():
        kinds: dict[str, set[str]] = {}
        for _, row in _fields(load(types), "|", 2, bad):
            kinds.setdefault(row[0], set()).add(row[1])
        gathered.kinds.update({concept: ",".join(sorted(some)) for concept, some in kinds.items()})
    return gathered


def _snomed(source: Source, language: str, bad: BadRecords) -> Names:
    gathered = Names()
    for number, row in _fields(source, "\t", 8, bad):
        if number == 1:
            continue
        _, _, active, _, concept, spoken, kind, term, *_ = row
        if active != "1":
            gathered.leave_out("inactive_names")
        elif spoken != language:
            gathered.leave_out("names_in_other_languages")
        elif kind == FULL_NAME:
            gathered.names.append(Name(0, concept, TAG.sub("", term)))
        elif kind == SYNONYM:
            gathered.names.append(Name(1, concept, term))
        else:
            gathered.leave_out("definitions")
    return gathered


def _mesh(source: Source, bad: BadRecords) -> Names:
    """Read descriptors of MeSH in ASCII: MH is the heading, ENTRY its other names, UI its id, which comes last."""
    gathered, names = Names(), list[tuple[int, str]]()
    for _, line in lines_of(source, bad):
        element, _, value = line.partition(" = ")
        if element == "*NEWRECORD":
            names = []
        elif element in {"MH", "ENTRY", "PRINT ENTRY"}:
            names.append((0 if element == "MH" else 1, value.partition("|")[0].strip()))
        elif element == "UI":
            gathered.names += [Name(rank, value.strip(), text) for rank, text in names]
    return gathered


def _table(source: Source, name: str, bad: BadRecords) -> Names:
    if name not in {"csv", "tsv", "parquet", "json-lines"}:
        raise InputError(
            "A dictionary must be an ontology, a terminology or a table.",
            path=source.path,
            found=name,
            expected="RDF in any syntax, OWL, OBO, OBO graphs, MRCONSO.RRF, SNOMED RF2 descriptions, MeSH, or CSV with a name",
        )
    gathered = Names()
    roles: dict[str, str] = {}
    for line, cells in records_of(source, name, bad):
        if not roles:
            columns = list(cells)
            roles = {role: columns[place] for role, place in places_of(columns, ROLES).items()}
            if "name" not in roles:
                raise InputError(
                    "A dictionary must be an ontology, a terminology or a table with names.",
                    path=source.path,
                    found=f"columns {', '.join(columns)}",
                    expected="a column 'name', and optionally 'id', 'synonyms' and 'type'",
                )
        texts = [_split(cells.get(roles[role])) for role in ("name", "synonyms", "type") if role in roles]
        label = str(cells.get(roles["name"]) or "").strip()
        if not label:
            bad.add(
                RecordError("A name is missing.", path=source.path, line=line, found="an empty name", expected="a name")
            )
            continue
        concept = str(cells.get(roles.get("id", ""), "") or label).strip()
        gathered.names.append(Name(0, concept, label))
        if "synonyms" in roles:
            gathered.names += [Name(1, concept, text) for text in texts[1]]
        if "type" in roles and texts[-1]:
            gathered.kinds[concept] = ",".join(
                sorted({*texts[-1], *filter(None, gathered.kinds.get(concept, "").split(","))})
            )
    return gathered


def _split(cell: object) -> list[str]:
    """List the texts of a cell: a list, or a text separated by bars or semicolons."""
    parts = cell if isinstance(cell, list | tuple) else SEPARATORS.split(str(cell or ""))
    return [str(part).strip() for part in parts if str(part).strip()]


def names_of(triples: Iterable[Triple], language: str, predicates: Sequence[str] = ()) -> Names:
    """Gather the names of concepts from statements.

    Args:
        triples: The statements of an ontology.
        language: The preferred language.
        predicates: More predicates that name concepts, as IRIs or as the last parts of IRIs.
    """
    from pyoxigraph import Literal, NamedNode

    gathered = Names()
    names: list[tuple[int, str, str]] = []
    synonyms: list[tuple[int, str, str]] = []
    banned: dict[str, str] = {}
    rank_of = _ranks(predicates)
    for triple in triples:
        predicate, subject, value = triple.predicate.value, str(triple.subject), triple.object
        rank = rank_of(predicate)
        if rank is not None and isinstance(value, Literal) and value.value.strip():
            if _spoken(value.language, language):
                names.append((rank, subject, value.value.strip()))
            else:
                gathered.leave_out("names_in_other_languages")
        elif rank and not isinstance(value, Literal):
            synonyms.append((rank, subject, str(value)))
        elif (
            reason := BANNED.get((predicate, value.value if isinstance(value, Literal | NamedNode) else ""))
        ) is not None:
            banned[subject] = reason
    for rank, subject, text in _owned(names, synonyms):
        if subject in banned:
            gathered.leave_out(banned[subject])
        elif subject.startswith("<"):
            gathered.names.append(Name(rank, compact(subject[1:-1]), text))
    return gathered


Stated = tuple[int, str, str]
"""Rank, subject, and name or node."""


def _owned(names: Sequence[Stated], synonyms: Sequence[Stated]) -> Iterator[Stated]:
    """Give the labels of synonyms that are nodes to the concepts that have these synonyms."""
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
    """Write an OBO IRI as its CURIE, and leave any other as it is.

    Example:
        >>> compact("http://purl.obolibrary.org/obo/DOID_1612"), compact("http://a/b")
        ('DOID:1612', 'http://a/b')
    """
    match = PURL.fullmatch(iri)
    return f"{match[1]}:{match[2]}" if match else iri


def _spoken(tag: str | None, preferred: str) -> bool:
    return not tag or tag.lower() == preferred.lower() or tag.lower().startswith(f"{preferred.lower()}-")
