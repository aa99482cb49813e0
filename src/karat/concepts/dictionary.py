"""A dictionary of concepts, from the labels and synonyms of an ontology, and its names found in texts."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from os import PathLike
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from karat.concepts.fold import Numbering, fold, is_acronym, pieces_of
from karat.concepts.model import Found
from karat.concepts.stop_words import STOP_WORDS
from karat.core.errors import InputError, require
from karat.formats import TRIPLES, load, read_triples, recognise
from karat.formats.labels import LABELS
from karat.formats.names import OBO, OBO_IN_OWL, OWL, RDF, SKOS
from karat.formats.records import BadRecords

if TYPE_CHECKING:
    from pyoxigraph import Triple

RANKS: Mapping[str, int] = MappingProxyType(
    {
        **dict.fromkeys(LABELS, 0),
        f"{OBO_IN_OWL}hasExactSynonym": 1,
        f"{SKOS}altLabel": 1,
        f"{OBO_IN_OWL}hasRelatedSynonym": 2,
        f"{SKOS}hiddenLabel": 2,
    }
)
"""What gives a concept its names; where two concepts share a name, it belongs to the one with the lower rank."""

PROPERTIES = frozenset(
    {
        f"{RDF}Property",
        *(f"{OWL}{kind}Property" for kind in ("Object", "Datatype", "Annotation", "Ontology")),
    }
)
PURL = re.compile(rf"{re.escape(OBO)}([A-Za-z][A-Za-z0-9]*)_(\w+)")


class Name(NamedTuple):
    """One name of a concept.

    Attributes:
        rank: 0 for a label, more for weaker names.
        concept: The id of the concept.
        text: The name.
    """

    rank: int
    concept: str
    text: str


@dataclass
class Names:
    """The names of an ontology's concepts, and what was left out of them.

    Attributes:
        names: The names.
        left_out: What was left out, counted by reason.
    """

    names: list[Name] = field(default_factory=list)
    left_out: dict[str, int] = field(default_factory=dict)

    def leave_out(self, reason: str) -> None:
        """Count one that is left out."""
        self.left_out[reason] = self.left_out.get(reason, 0) + 1


class Dictionary:
    """Finds the names of concepts in texts: the longest name at each place, from left to right, whole words only.

    Case and plurals are folded. A name of two to four capitals (``ALL``) is found in capitals alone.

    Attributes:
        choice: What the signature says of it: the digest of its names.
        notes: What a person should know about it.

    Args:
        names: The names of the concepts.
        left_out: What was left out before, counted by reason.

    Raises:
        InputError: If there is no name that can be searched for.
        MissingDependencyError: If pyahocorasick is not installed.

    Example:
        >>> dictionary = Dictionary([Name(0, "D:1", "heart attack"), Name(1, "D:1", "MI"), Name(0, "D:2", "heart")])
        >>> [found.id for found in dictionary.find("Heart attacks hurt the heart; MI too, as in mi.")]
        ['D:1', 'D:2', 'D:1']
    """

    def __init__(self, names: Iterable[Name], left_out: Mapping[str, int] = MappingProxyType({})) -> None:
        chosen = sorted(names)
        gathered = Names(left_out=dict(left_out))
        self._concepts: list[tuple[str, str]] = []
        self._lengths: list[int] = []
        self._acronyms: list[bool] = []
        vocabulary: dict[str, int] = {}
        owners: dict[tuple[int, ...], str] = {}
        labels: dict[str, str] = {}
        for name in chosen:
            labels.setdefault(name.concept, name.text)
        automaton = _automaton()
        ambiguous = 0
        for name in chosen:
            pieces = pieces_of(name.text)
            if not _searchable(pieces):
                gathered.leave_out("names_of_stop_words_alone")
                continue
            key = tuple(vocabulary.setdefault(fold(piece), len(vocabulary) + 1) for piece in pieces)
            if key in owners:
                ambiguous += owners[key] != name.concept
                continue
            owners[key] = name.concept
            automaton.add_word(key, len(self._concepts))
            self._concepts.append((name.concept, labels[name.concept]))
            self._lengths.append(len(key))
            self._acronyms.append(len(pieces) == 1 and is_acronym(pieces[0]))
        if not owners:
            raise InputError("The dictionary holds no name to search for.", expected="labels or synonyms of concepts")
        automaton.make_automaton()
        self._automaton = automaton
        self._numbering = Numbering(vocabulary.get)
        self.choice = f"dictionary:sha256-{_digest(chosen)}"
        self.notes = _notes(len(labels), len(owners), ambiguous, gathered.left_out)

    def find(self, text: str) -> list[Found]:
        """Find the names of concepts in a text, in its order.

        Args:
            text: The text.
        """
        numbers, spans = self._numbering.words(text)
        found = []
        for first, last, row in self._longest(tuple(numbers.tolist())):
            start, end = int(spans[first, 0]), int(spans[last, 1])
            if not self._acronyms[row] or text[start:end].isupper():
                concept, label = self._concepts[row]
                found.append(Found(concept, label, concept, start, end))
        return found

    def find_all(self, texts: Iterable[str]) -> Iterator[list[Found]]:
        """Find the names of concepts in many texts."""
        return map(self.find, texts)

    def _longest(self, words: tuple[int, ...]) -> Iterator[tuple[int, int, int]]:
        """Choose among all names that occur: first and last word, and the row of the name."""
        # The automaton's own search for the longest names passes some by (iter_long in pyahocorasick 2.3.1).
        longest: dict[int, tuple[int, int]] = {}
        for last, row in self._automaton.iter(words):
            # Ends come in ascending order, so the last name from a place is the longest.
            longest[last - self._lengths[row] + 1] = (last, row)
        free = 0
        for first in sorted(longest):
            if first >= free:
                last, row = longest[first]
                free = last + 1
                yield first, last, row


def read_dictionary(path: str | PathLike[str], *, language: str = "en", bad: BadRecords | None = None) -> Dictionary:
    """Read a dictionary from an ontology in any format that has statements.

    Its names are rdfs:label, skos:prefLabel, skos:altLabel, skos:hiddenLabel, and OBO's exact and related synonyms, in the
    preferred language or in none. Obsolete concepts and properties are left out.

    Args:
        path: The ontology, gzipped or not.
        language: The preferred language.
        bad: Receives the bad records of OBO files.

    Returns:
        The dictionary.

    Raises:
        InputError: If the file cannot be read, is no ontology, or has no label.
        MissingDependencyError: If pyahocorasick is not installed, or what the format needs.
    """
    _automaton()  # The missing package is named before minutes of reading.
    source = load(path)
    name = recognise(source)
    if name not in TRIPLES:
        raise InputError(
            "A dictionary is an ontology.", path=path, found=name, expected="RDF in any syntax, OWL, OBO or OBO graphs"
        )
    names = names_of(read_triples(source, name, bad), language)
    if not names.names:
        left_out = ", ".join(f"{reason.replace('_', ' ')} ({count:,})" for reason, count in names.left_out.items())
        raise InputError(
            "The dictionary holds no label.",
            path=path,
            found=f"left out: {left_out}" if left_out else "no statement that names a concept",
            expected="rdfs:label, skos:prefLabel, skos:altLabel, or synonyms of OBO",
            hint="another language: --language" if "names_in_other_languages" in names.left_out else None,
        )
    try:
        return Dictionary(names.names, names.left_out)
    except InputError as error:
        error.path = str(path)
        raise


def names_of(triples: Iterable[Triple], language: str) -> Names:
    """Gather the names of concepts from statements.

    Args:
        triples: The statements of an ontology.
        language: The preferred language.
    """
    from pyoxigraph import Literal, NamedNode

    gathered = Names()
    names: list[Name] = []
    banned: dict[str, str] = {}
    for triple in triples:
        predicate, subject, value = triple.predicate.value, triple.subject, triple.object
        if not isinstance(subject, NamedNode):
            continue
        if predicate in RANKS and isinstance(value, Literal) and value.value.strip():
            if _spoken(value.language, language):
                names.append(Name(RANKS[predicate], compact(subject.value), value.value.strip()))
            else:
                gathered.leave_out("names_in_other_languages")
        elif predicate == f"{RDF}type" and isinstance(value, NamedNode) and value.value in PROPERTIES:
            banned[compact(subject.value)] = "names_of_properties"
        elif predicate == f"{OWL}deprecated" and isinstance(value, Literal) and value.value in {"true", "1"}:
            banned[compact(subject.value)] = "names_of_obsolete_concepts"
    for name in names:
        if name.concept in banned:
            gathered.leave_out(banned[name.concept])
        else:
            gathered.names.append(name)
    return gathered


def compact(iri: str) -> str:
    """Write an OBO IRI as its CURIE, and leave any other as it is.

    Example:
        >>> compact("http://purl.obolibrary.org/obo/DOID_1612"), compact("http://a/b")
        ('DOID:1612', 'http://a/b')
    """
    match = PURL.fullmatch(iri)
    return f"{match[1]}:{match[2]}" if match else iri


def _automaton() -> Any:
    package = require("ahocorasick", extra="text", purpose="search texts for the names of a dictionary")
    return package.Automaton(package.STORE_INTS, package.KEY_SEQUENCE)


def _spoken(tag: str | None, preferred: str) -> bool:
    return not tag or tag.lower() == preferred.lower() or tag.lower().startswith(f"{preferred.lower()}-")


def _searchable(pieces: list[str]) -> bool:
    """Say whether a name can be told from the words between concepts."""
    if len(pieces) == 1 and is_acronym(pieces[0]):
        return True
    words = [piece for piece in pieces if any(character.isalnum() for character in piece)]
    # One letter or digit of an alphabet is no name; one character of an unspaced script may be.
    told = (fold(word) not in STOP_WORDS and (len(word) > 1 or word > "\u0dff") for word in words)
    return any(told)


def _digest(names: Iterable[Name]) -> str:
    lines = "\n".join(f"{name.rank}\t{name.concept}\t{name.text}" for name in names)
    return hashlib.sha256(lines.encode()).hexdigest()[:8]


def _notes(concepts: int, names: int, ambiguous: int, left_out: Mapping[str, int]) -> tuple[str, ...]:
    counted = [f"{concepts:,} concepts by {names:,} names"]
    if ambiguous:
        counted.append(f"{ambiguous:,} names of several concepts, each taken for the one that has it as its label")
    if left_out:
        reasons = ", ".join(f"{reason.replace('_', ' ')} ({count:,})" for reason, count in left_out.items())
        counted.append(f"left out: {reasons}")
    return (f"the dictionary has {'; '.join(counted)}",)
