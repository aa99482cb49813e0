"""Options for reading a file as documents with concepts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import get_args

from goldassay.concepts.formats.trees import SEPARATOR
from goldassay.concepts.model import OnUnpaired
from goldassay.concepts.texts.abbreviations import WithAbbreviations
from goldassay.concepts.texts.chunks import LONGEST, Chunks, Scope, is_clinical
from goldassay.concepts.texts.dictionary import read_dictionary
from goldassay.concepts.texts.extract import Extractor, SpacyPipeline
from goldassay.concepts.texts.variants import USUAL, WAYS
from goldassay.core.errors import UsageError, unknown_choice_error
from goldassay.core.parameters import Options, parameter
from goldassay.formats.choose_columns import Chooser, Header
from goldassay.formats.known import ANSWER, formats_of
from goldassay.formats.options import OnError, format_option, header_option, on_error_option
from goldassay.formats.records import BadRecords
from goldassay.formats.roles import DOCUMENTS

READABLE = formats_of("rows", "text")
BRANCH = "branch:"
"""Begins a scope that names a branch of the dictionary."""


def takes_scope(scope: str) -> bool:
    """Return whether a scope says which chunks are taken, and is not a file of documents."""
    return scope in get_args(Scope) or scope.startswith(BRANCH)


@dataclass(frozen=True, kw_only=True)
class ConceptReading(Options):
    """Options for reading a file as documents with concepts.

    Attributes:
        id: The column of document ids; detected by its name if None.
        text: The column of texts; detected if None.
        concepts: The column of given concepts; detected if None.
        dictionary: An ontology, terminology or table whose names are searched for in the texts, even where concepts are given.
        names: Further predicates that name concepts in the dictionary, as IRIs or last parts of IRIs.
        vocabularies: The vocabularies of the UMLS whose names the dictionary takes, as its column SAB calls them; all if none are named.
        variants: The other ways in which names of the dictionary are found, separated by commas: some of inflection, order,
            stop-words, numbers and misspelling; or none.
        suppressed: Whether the dictionary takes suppressed names of the UMLS.
        spacy: A spaCy pipeline that finds the concepts of the texts, even where concepts are given.
        abbreviations: Whether short forms that a text explains, as in "heart rate (HR)", are the concepts of their long forms.
        scope: ``"clinical"`` takes the chunks that a clinician would mark, and ``"all"`` all; None decides by the words of each
            file. ``"branch:NAME"`` takes only the concepts of the dictionary below one, given by its id or a name of it.
        longest: Maximum number of words of a chunk, where concepts are neither given nor found otherwise.
        fold: Whether given concepts are compared without case and plural; concepts found in texts always are.
        terms: Whether an id counts once for each text that it has in a document, as a script that counts terms needs.
        tree: The column of trees, whose paths are the concepts; detected if None.
        separator: Separator between the nodes of a path.
        language: Preferred language of the names in a dictionary.
        on_unpaired: ``"empty"`` treats a document without a counterpart as paired with an empty one; ``"error"``
            refuses it.
        header: Whether the first row of CSV and TSV names the columns, as it does if None; without names they are id and text.
        input_format: The format; detected if None.
        on_error: ``"stop"`` raises the first bad record; ``"skip"`` leaves bad records out, counts and lists them.

    Raises:
        UsageError: If a value is not one of the above, or two ways of finding concepts are asked for.

    Example:
        >>> ConceptReading().extractor.choice
        'chunks-3:5'
    """

    dictionary: str | None = parameter(
        None, help="Ontology, terminology or table whose names are searched for.", metavar="FILE"
    )
    names: tuple[str, ...] = parameter(
        (), help="Predicate that names concepts in the dictionary too; repeatable.", metavar="PREDICATE"
    )
    vocabularies: tuple[str, ...] = parameter(
        (), help="Vocabulary of the UMLS whose names are taken (SAB); repeatable.", metavar="SAB", flag="--vocabulary"
    )
    suppressed: bool = parameter(False, help="Take suppressed names of the UMLS too.")
    variants: str = parameter(
        ",".join(USUAL),
        help="Other forms in which names of the dictionary are found: inflection, order, stop-words, numbers, misspelling; or none.",
        metavar="WAYS",
    )
    spacy: str | None = parameter(None, help="Name of a spaCy pipeline that finds concepts.", metavar="PIPELINE")
    abbreviations: bool = parameter(False, help="Replace abbreviations that a text explains by their long forms.")
    scope: str | None = parameter(
        None,
        help="What counts: chunks that a clinician would mark (clinical) or all chunks (all), detected from the texts by default; concepts of the dictionary at or below one (branch:NAME); or a file with the ids of the documents that gold covers.",
        metavar="SCOPE",
    )
    longest: int = parameter(LONGEST, help="Maximum number of words of a chunk.", metavar="WORDS", bounds=(1, 1000))
    fold: bool = parameter(False, help="Ignore case and plural of given concepts.")
    terms: bool = parameter(False, help="Keep every text of an id, for medcon(by=term).")
    id: str | None = parameter(None, help="Column that contains the ids.", metavar="NAME", flag="--id-column")
    text: str | None = parameter(None, help="Column that contains the texts.", metavar="NAME", flag="--text-column")
    concepts: str | None = parameter(
        None, help="Column that contains the concepts.", metavar="NAME", flag="--concepts-column"
    )
    tree: str | None = parameter(None, help="Column that contains the trees.", metavar="NAME", flag="--tree-column")
    separator: str = parameter(
        SEPARATOR, help="Separator between the nodes of a path of a tree.", metavar="TEXT", filled=True
    )
    language: str = parameter("en", help="Preferred language of the dictionary.", metavar="TAG")
    on_unpaired: OnUnpaired = parameter(
        "empty", help="Treat a missing document as empty, or stop.", choices=get_args(OnUnpaired)
    )
    header: Header | None = header_option()
    input_format: str | None = format_option((*READABLE, ANSWER))
    on_error: OnError = on_error_option()

    def __post_init__(self) -> None:
        super().__post_init__()
        for way in self.ways:
            if way not in WAYS[:-1]:
                raise unknown_choice_error("variant of names", way, WAYS[:-1])
        if self.scope and not takes_scope(self.scope):
            raise unknown_choice_error("scope of concepts", self.scope, (*get_args(Scope), f"{BRANCH}NAME"))
        if self.branch is not None and not self.dictionary:
            raise UsageError(
                "A branch is part of a dictionary, and none is given.", found=self.scope, hint="--dictionary FILE"
            )
        if self.dictionary and self.spacy:
            raise UsageError("A dictionary and spaCy cannot be used together.", hint="use only one of them")
        if self.searches and self.concepts:
            raise self.given_and_found(self.concepts)
        if self.tree and (self.concepts or self.searches):
            raise UsageError(
                "The concepts are the paths of trees, and cannot be given or found in another way.",
                found=f"a column of trees ({self.tree}), and {'a column of concepts' if self.concepts else 'a search'}",
                hint="use only one of them",
            )

    def idle(self) -> Iterator[tuple[tuple[str, ...], str]]:
        """Name the options that have no effect with the others, and why."""
        if not self.dictionary:
            yield ("names", "vocabularies", "suppressed", "variants", "language"), "without a dictionary"
        if self.searches or self.concepts or self.tree:
            yield ("longest", *(() if self.branch else ("scope",))), "where concepts are not found as chunks of texts"
        if self.concepts or self.tree:
            yield ("abbreviations",), "where no concepts are found in texts"
        if self.searches:
            yield ("fold", "terms"), "where concepts are found in texts"

    def unnamed(self) -> Chooser | None:
        """Return what names the columns of a table without a header; None if it has one."""
        asked = {role: getattr(self, role) for role in DOCUMENTS.names}
        return DOCUMENTS.chooser(asked, "no") if self.header == "no" else None

    @property
    def branch(self) -> str | None:
        """The branch of the dictionary whose names are found; None for all."""
        return self.scope.removeprefix(BRANCH) if self.scope and self.scope.startswith(BRANCH) else None

    @property
    def ways(self) -> list[str]:
        """The other ways in which names of the dictionary are found."""
        return [] if self.variants == "none" else [way.strip() for way in self.variants.split(",")]

    @property
    def named(self) -> bool:
        """Whether it says where the concepts are, or how they are found."""
        return bool(self.searches or self.text or self.concepts)

    @property
    def searches(self) -> bool:
        """Whether concepts are to be found in the texts, even where they are given."""
        return bool(self.dictionary or self.spacy)

    def given_and_found(self, column: str) -> UsageError:
        """Build the error for concepts that are in a column and searched for in texts."""
        return UsageError(
            "Concepts cannot be both given in a column and found in the text.",
            found=f"a column of concepts ({column}), and a {'dictionary' if self.dictionary else 'pipeline'}",
            hint="use only one of them",
        )

    @cached_property
    def extractor(self) -> Extractor:
        """The extractor of concepts where no text decides which: created once for all files."""
        return self._add_abbreviations(self._extractor())

    def extractor_of(self, texts: Sequence[str]) -> Extractor:
        """Return the extractor of the concepts of some texts, which decide the scope of chunks if it is not given."""
        if self.searches or self.scope or not is_clinical(texts):
            return self.extractor
        return self._add_abbreviations(Chunks(self.longest, "clinical"))

    def _add_abbreviations(self, found: Extractor) -> Extractor:
        return WithAbbreviations(found) if self.abbreviations else found

    def _extractor(self) -> Extractor:
        if self.dictionary:
            bad = BadRecords(on_error=self.on_error)
            return read_dictionary(
                self.dictionary,
                language=self.language,
                bad=bad,
                names=self.names,
                vocabularies=self.vocabularies,
                suppressed=self.suppressed,
                variants=self.ways,
                branch=self.branch,
            )
        return (
            SpacyPipeline(self.spacy)
            if self.spacy
            else Chunks(self.longest, "clinical" if self.scope == "clinical" else "all")
        )


AS_USUAL = ConceptReading()
"""The default options."""
