"""What finds concepts in texts, and the one that asks a spaCy pipeline."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Protocol

from goldassay.concepts.model import Concepts, Mention, RawConcepts, build_concepts
from goldassay.concepts.texts.assertions import AFFIRMED, VERSION, add_assertions
from goldassay.concepts.texts.chunks import chunk, is_concept
from goldassay.concepts.texts.fold import STOP_WORDS, fold
from goldassay.core.errors import UsageError, require

ENTITIES = frozenset({"ner", "entity_ruler", "entity_linker"})


LINKED = ("kb_ents", "umls_ents")
ATTRIBUTES = MappingProxyType(
    {
        "negex": "negated",
        "is_negated": "negated",
        "is_uncertain": "uncertain",
        "is_hypothetical": "hypothetical",
        "is_family": "family",
    }
)
"""Attributes of spans in negspaCy and medspaCy, and the assertions they stand for."""


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

    def find_all(self, texts: Iterable[str]) -> Iterator[list[Mention]]:
        """Find the concepts of each text, in the order of the text."""
        ...


class SpacyPipeline:
    """Takes what a spaCy pipeline finds: its entities, or its noun chunks if it finds no entities."""

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

    def find_all(self, texts: Iterable[str]) -> Iterator[list[Mention]]:
        """Find the concepts of many texts."""
        self._pipeline.max_length = 2**31
        for document in self._pipeline.pipe(texts):
            spans = document.ents if self._entities else document.noun_chunks
            yield [to_mention(span, document.text) for span in spans if is_concept(span.text)]


def from_docs(documents: Mapping[str, Any]) -> Concepts:
    """Build documents from the Docs of any spaCy pipeline: their entities, with the ids and assertions of the pipeline.

    Where the pipeline has no assertions, they are found in the text.

    Args:
        documents: The Doc of each document by its id.

    Example:
        >>> from types import SimpleNamespace
        >>> from_docs({"q1": SimpleNamespace(text="No asthma.", ents=[])}).ids.tolist()
        ['q1']
    """
    texts = [document.text for document in documents.values()]
    spans = ([to_mention(span, one.text) for span in one.ents if is_concept(span.text)] for one in documents.values())
    laid = build_concepts(list(documents), texts, add_assertions(RawConcepts.of(spans), texts))
    return replace(laid, choices={"concepts": "spacy", "assertions": VERSION})


def to_mention(span: Any, text: str) -> Mention:
    """Convert a span of spaCy to a mention, with the assertion of its pipeline."""
    start = span.start_char
    for word in span:
        if fold(word.text) not in STOP_WORDS or word.i == span.end - 1:
            start = word.idx
            break
    identifier = span.kb_id_ or getattr(span, "ent_id_", "") or span.id_ or _best_link(span)
    return chunk(text, start, span.end_char, identifier)._replace(assertion=_assertion_of(span))


def _best_link(span: Any) -> str:
    """Return the best concept that a linker of scispaCy has found, of pairs of an id and a score."""
    found = [getattr(span._, name) for name in LINKED if span.has_extension(name)]
    return next((str(pairs[0][0]) for pairs in found if pairs), "")


def _assertion_of(span: Any) -> str:
    """Return the assertion that negspaCy or medspaCy gives a span; empty if the pipeline has neither."""
    known = {name: assertion for name, assertion in ATTRIBUTES.items() if span.has_extension(name)}
    found = sorted({assertion for name, assertion in known.items() if getattr(span._, name)})
    return ",".join(found) or (AFFIRMED if known else "")
