"""How a file is understood as triples of documents: the choices, and what each of them means."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, get_args

from goldassay.core.errors import unknown_choice
from goldassay.core.parameters import Options, parameter, showing
from goldassay.formats.known import formats_of
from goldassay.formats.options import OnError, column_option, format_option, header_option
from goldassay.formats.roles import TRIPLES, Chooser, Header
from goldassay.triples.normalise import RULES, normaliser

Unit = Literal["document", "corpus"]
Ids = Literal["file", "order"]
Text = Literal["name", "iri"]
Repeated = Literal["error", "last"]
READABLE = (*formats_of("documents", "rows"), "n-quads", "trig")


@dataclass(frozen=True, kw_only=True)
class TriplesReading(Options):
    """How a file is understood as triples of documents.

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
        "error", help="An id that occurs twice is an error, or its last record counts.", choices=get_args(Repeated)
    )
    text: Text = parameter(
        "name", help="What an IRI of N-Quads and TriG is called: its last part, or all of it.", choices=get_args(Text)
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
                raise unknown_choice("normalise", rule, RULES)

    def idle(self) -> Iterator[tuple[tuple[str, ...], str]]:
        """Name the options that have no effect beside the others, and say why."""
        if self.unit == "corpus":
            yield ("ids", "id_column"), "with unit 'corpus', which merges all documents"
        if self.ids == "order":
            yield ("repeated",), "with ids 'order', which gives every document another id"

    @property
    def columns(self) -> dict[str, str | None]:
        """The named columns, by role."""
        return {role: getattr(self, f"{role}_column") for role in TRIPLES.names}

    def chooser(self, path: str) -> Chooser:
        """Return what chooses the columns of a table."""
        return TRIPLES.chooser(path, self.columns, self.header)

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that are asked for."""
        return tuple(word.strip() for word in self.normalise.split(",") if word.strip())

    @property
    def normaliser(self) -> Callable[[str], str]:
        """What gives every spelling its name."""
        return normaliser(self.rules)

    @property
    @showing
    def choices(self) -> dict[str, str]:
        """How names are compared, as the signature shows it."""
        names = ",".join(("nfc", "blanks", *(rule for rule in RULES if rule in self.rules)))
        beside = {"unit": (self.unit, "document"), "ids": (self.ids, None)}
        return {"names": names, **{name: str(value) for name, (value, default) in beside.items() if value != default}}


AS_USUAL = TriplesReading()
"""Every choice at its default."""
