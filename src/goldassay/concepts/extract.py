"""Concepts found in text: the names of a dictionary, chunks between stop words, or what a spaCy pipeline finds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from goldassay.concepts.fold import Numbering, fold, folded, is_acronym, pieces_of
from goldassay.concepts.model import Found
from goldassay.concepts.stop_words import STOP_WORDS
from goldassay.core.errors import UsageError, require

LONGEST = 5
"""Default maximum number of words of a chunk."""

ENTITIES = frozenset({"ner", "entity_ruler", "entity_linker"})


class Extractor(Protocol):
    """Finds concepts in texts."""

    @property
    def choice(self) -> str:
        """Its entry in the signature."""
        ...

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes for the user."""
        ...

    def find_all(self, texts: Iterable[str]) -> Iterator[list[Found]]:
        """Find the concepts of each text, in the order of the text."""
        ...


@dataclass(frozen=True)
class Chunks:
    """Takes every run of words between stop words and symbols as a concept; the default without a dictionary.

    Attributes:
        longest: Maximum number of words of a chunk; a longer run is split into several.

    Example:
        >>> [one.name for one in Chunks().find("Aspirin may prevent a heart attack, or two heart attacks.")]
        ['aspirin', 'prevent', 'heart attack', 'heart attacks']
        >>> [one.key for one in Chunks().find("A heart attack, or two heart attacks.")]
        ['heart attack', 'heart attack']
    """

    longest: int = LONGEST

    @property
    def choice(self) -> str:
        """Its entry in the signature."""
        return f"chunks:{self.longest}"

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes for the user."""
        return ()

    @cached_property
    def _numbering(self) -> Numbering:
        return Numbering(_parts)

    def find(self, text: str) -> list[Found]:
        """Find the chunks of a text, in its order.

        Args:
            text: The text.
        """
        numbers, spans = self._numbering.words(text)
        words = np.flatnonzero(numbers == 0)
        runs = np.split(words, np.flatnonzero(np.diff(words) > 1) + 1)
        found = []
        for run in runs:
            for first in range(0, len(run), self.longest):
                part = run[first : first + self.longest]
                found.append((int(spans[part[0], 0]), int(spans[part[-1], 1])))
        return [chunk(text, start, end) for start, end in found if _is_concept(text[start:end])]

    def find_all(self, texts: Iterable[str]) -> Iterator[list[Found]]:
        """Find the chunks of many texts."""
        return map(self.find, texts)


class SpacyPipeline:
    """Takes what a spaCy pipeline finds: its entities, or its noun chunks if it finds no entities.

    Attributes:
        choice: Its entry in the signature: name and version of the pipeline.
        notes: Notes for the user.

    Args:
        name: An installed pipeline, or the folder of one.

    Raises:
        MissingDependencyError: If spaCy is not installed.
        UsageError: If there is no such pipeline, or if it finds neither entities nor noun chunks.
    """

    def __init__(self, name: str) -> None:
        spacy = require("spacy", extra="spacy", purpose="find concepts with a spaCy pipeline")
        try:
            self._pipeline = spacy.load(name)
        except (OSError, ValueError) as error:
            raise UsageError(
                f"There is no spaCy pipeline {name!r}.", found=str(error), hint=f"python -m spacy download {name}"
            ) from error
        parts = set(self._pipeline.pipe_names)
        if not parts & {*ENTITIES, "parser"}:
            raise UsageError(
                f"The spaCy pipeline {name!r} finds neither entities nor noun chunks.",
                found=", ".join(self._pipeline.pipe_names) or "no component",
                expected="a named entity recogniser, an entity ruler or a parser",
            )
        self._entities = bool(parts & ENTITIES)
        meta = self._pipeline.meta
        self.choice = f"spacy:{meta['lang']}_{meta['name']}-{meta['version']}"
        self.notes = (f"{self.choice} provides {'entities' if self._entities else 'noun chunks'}",)

    def find_all(self, texts: Iterable[str]) -> Iterator[list[Found]]:
        """Find the concepts of many texts."""
        self._pipeline.max_length = 2**31
        for document in self._pipeline.pipe(texts):
            spans = document.ents if self._entities else document.noun_chunks
            yield [_of_span(span, document.text) for span in spans if _is_concept(span.text)]


def chunk(text: str, start: int, end: int, identifier: str = "") -> Found:
    """Make a concept of a part of a text; case and plurals are ignored.

    Example:
        >>> chunk("Two  Heart Attacks", 5, 18)
        Found(key='heart attack', name='heart attacks', id='', start=5, end=18)
    """
    surface = text[start:end]
    name = " ".join(word if is_acronym(word) else word.lower() for word in surface.split())
    return Found(identifier or folded(pieces_of(surface)), name, identifier, start, end)


def _of_span(span: Any, text: str) -> Found:
    start = span.start_char
    for word in span:
        if fold(word.text) not in STOP_WORDS or word.i == span.end - 1:
            start = word.idx
            break
    return chunk(text, start, span.end_char, span.kb_id_ or getattr(span, "ent_id_", "") or span.id_)


def _parts(word: str) -> int:
    """Number separators of chunks 1, and all other words 0."""
    return int(word in STOP_WORDS or not any(character.isalnum() for character in word))


def _is_concept(surface: str) -> bool:
    """Return whether a part of a text has letters, and more than one if they are of an alphabet."""
    return any(character.isalpha() for character in surface) and (len(surface) > 1 or surface > "\u0dff")
