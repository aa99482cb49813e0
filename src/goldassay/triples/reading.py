"""Options of the reader of triples, and the rules that make two spellings one name."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Literal, get_args

from goldassay.core.errors import unknown_choice_error
from goldassay.core.intern import FEW, Names
from goldassay.core.parameters import Options, parameter, showing
from goldassay.core.patterns import pattern_of
from goldassay.formats.choose_columns import Choice, Chooser, Header
from goldassay.formats.delimited import WHITE
from goldassay.formats.known import formats_of
from goldassay.formats.labels import WORD_BORDER
from goldassay.formats.options import OnError, column_option, format_option, header_option
from goldassay.formats.roles import TRIPLES

Unit = Literal["document", "corpus"]
Ids = Literal["file", "order"]
Text = Literal["name", "iri"]
Repeated = Literal["error", "last"]
READABLE = (*formats_of("documents", "rows", "answer"), "n-quads", "trig", "rdf-xml")
QUOTES = "\"'`\u201c\u201d\u201e\u201f\u2018\u2019\u201a\u201b\u00ab\u00bb\u2039\u203a"
ARTICLE = pattern_of(r"^(?:the|an?) (?=\S)", re.IGNORECASE)
LANGUAGE = pattern_of(r"(?<=\S)@[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*$")
ODD = f"[^ -~]|[{WHITE.replace(' ', '')}]|  |^ | $"
"""What a name may differ in from what is written: characters that may be composed, and blanks that are not one space between words."""
NUMBER = pattern_of(r"([-+]?)(?=\d)0*+(\d*)(?:\.(\d*))?")


def _strip_zeros(text: str) -> str:
    """Write a plain decimal number without zeros that say nothing; anything else stays."""
    match = NUMBER.fullmatch(text)
    if not match:
        return text
    sign, whole, part = match[1], match[2] or "0", (match[3] or "").rstrip("0")
    number = f"{whole}.{part}" if part else whole
    return f"-{number}" if sign == "-" and number != "0" else number


RULES: Mapping[str, Callable[[str], str]] = MappingProxyType(
    {
        "language": lambda text: LANGUAGE.sub("", text),
        "quotes": lambda text: text.strip(QUOTES),
        "underscores": lambda text: text.replace("_", " "),
        "camel": lambda text: WORD_BORDER.sub(" ", text),
        "case": str.casefold,
        "articles": lambda text: ARTICLE.sub("", text),
        "numbers": _strip_zeros,
    }
)
"""What a person may ask for, in the order in which it is done."""


def normaliser(rules: Iterable[str]) -> Normaliser:
    """Make the function that gives every spelling its name."""
    # Characters are always composed (Unicode NFC), and blanks are always one space between words and none around them.
    chosen = set(rules)
    return Normaliser(tuple(name for name in RULES if name in chosen))


def is_kgtk(names: Iterable[str]) -> bool:
    """Return whether columns are those of KGTK, whose ids are those of edges (https://kgtk.readthedocs.io/en/latest/data_model/)."""
    return {*names} >= {"node1", "label", "node2"}


@dataclass(frozen=True)
class Normaliser:
    """What is done to a spelling, rule by rule; no closure, so that what was read can be pickled."""

    rules: tuple[str, ...]

    def __call__(self, text: str) -> str:
        """Return a spelling its name."""
        text = _blanks(text)
        for rule in self.rules:
            text = _blanks(RULES[rule](text))
        return text

    def each(self, texts: Names) -> Names:
        """Return several spellings their names; without rules most texts are their own names, and are given back."""
        if self.rules:
            return Names(list(map(self, texts)))
        if len(texts) <= FEW:
            every = "|".join(texts)
            # One look at all of them: plain texts without a blank too many are their own names.
            plain = every.isascii() and " |" not in every and "| " not in every and _blanks(every) == every
            return texts if plain else Names(list(map(self, texts)))
        odd = texts.series.str.contains(ODD).arg_true()
        written = texts.series.gather(odd).to_list()
        if (names := list(map(_blanks, written))) == written:
            return texts
        changed = texts.tolist()
        for row, name in zip(odd.to_list(), names, strict=True):
            changed[row] = name
        return Names(changed)


def _blanks(text: str) -> str:
    return " ".join((text if text.isascii() else unicodedata.normalize("NFC", text)).split())


@dataclass(frozen=True, kw_only=True)
class TriplesReading(Options):
    """How a file is read as triples of documents.

    Attributes:
        normalise: What is left out of account when names are compared, comma-separated: case, underscores, camel (the
            words of camelCase part), quotes, articles, language (tags such as ``@en``), numbers (2439 is 2439.0).
            Characters are always composed and blanks always single.
        unit: ``"document"`` keeps documents apart, ``"corpus"`` merges them all into one graph.
        ids: ``"file"`` takes the ids of the file, ``"order"`` numbers the documents. None: the file's, except in WebNLG
            XML, whose scorers go by order, and in formats that have none.
        repeated: Whether an id that occurs twice is an ``"error"``, or its ``"last"`` record counts, as in Text2KGBench.
        text: What a thing with an IRI is called: ``"name"``, the last part of it, or ``"iri"``, all of it.
        id_column: The column of ids in a table of triples; recognised by its name if None.
        subject_column: The column of subjects.
        predicate_column: The column of predicates.
        object_column: The column of objects.
        weight_column: The column of weights.
        header: Whether the first row of CSV and TSV names the columns; recognised if None.
        input_format: The format; None recognises it.
        on_error: ``"skip"`` takes an unreadable record of a prediction for an answer without triples, and counts and
            lists it; gold with an unreadable record is an error. ``"stop"`` raises the first on either side. To skip is
            the default here, as models write what cannot be read, and a prediction must not gain by it.

    Raises:
        UsageError: If a value is none of the above.

    Example:
        >>> TriplesReading(normalise="case,underscores").choices
        {'names': 'nfc,blanks,underscores,case'}
    """

    normalise: str = parameter(
        "", help="What to ignore in names, comma-separated: " + ", ".join(RULES) + ".", metavar="RULES"
    )
    unit: Unit = parameter(
        "document", help="Keep documents apart, or merge them into one graph.", choices=get_args(Unit)
    )
    ids: Ids | None = parameter(None, help="Take ids from the file, or number the documents.", choices=get_args(Ids))
    repeated: Repeated = parameter(
        "error",
        help="What to do if an id occurs twice: stop (error), or use its last record (last).",
        choices=get_args(Repeated),
    )
    text: Text = parameter(
        "name",
        help="How an IRI of RDF is named: by its last part (name), or in full (iri).",
        choices=get_args(Text),
    )
    id_column: str | None = column_option("ids of documents in a table of triples")
    subject_column: str | None = column_option("subjects")
    predicate_column: str | None = column_option("predicates")
    object_column: str | None = column_option("objects")
    weight_column: str | None = column_option("weights")
    header: Header | None = header_option()
    input_format: str | None = format_option(READABLE)
    on_error: OnError = parameter(
        "skip",
        help="Whether an unreadable record of a prediction is an empty answer, or an error.",
        choices=get_args(OnError),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        for rule in self.rules:
            if rule not in RULES:
                raise unknown_choice_error("normalise", rule, RULES)

    def idle(self) -> Iterator[tuple[tuple[str, ...], str]]:
        """Name the options that have no effect with the others, and the reason."""
        if self.unit == "corpus":
            yield ("ids", "id_column"), "with unit 'corpus', which merges all documents"
        if self.ids == "order":
            yield ("repeated",), "with ids 'order', which gives every document another id"

    @property
    def columns(self) -> dict[str, str | None]:
        """The named columns, by role."""
        return {role: getattr(self, f"{role}_column") for role in TRIPLES.names}

    def chooser(self) -> Chooser:
        """Return what chooses the columns of a table."""
        choose = TRIPLES.chooser(self.columns, self.header)

        def chosen(names: Sequence[str], **known: Any) -> Choice:
            choice = choose(names, **known)
            if self.id_column or not is_kgtk(map(str.strip, names)):
                return choice
            return choice._replace(places={role: at for role, at in choice.places.items() if role != "id"})

        return chosen

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that are asked for."""
        return _rules_of(self.normalise)

    @property
    def normaliser(self) -> Callable[[str], str]:
        """What gives every spelling its name."""
        return normaliser(self.rules)

    @property
    @showing
    def choices(self) -> dict[str, str]:
        """How names are compared, as the signature shows it."""
        names = ",".join(("nfc", "blanks", *normaliser(self.rules).rules))
        others = {"unit": (self.unit, "document"), "ids": (self.ids, None)}
        return {"names": names, **{name: str(value) for name, (value, default) in others.items() if value != default}}


@lru_cache(maxsize=128)
def _rules_of(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())


AS_USUAL = TriplesReading()
"""Every choice at its default."""
