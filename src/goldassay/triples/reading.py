"""How a file is understood as triples of documents: the choices, and what each of them means."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

from goldassay.core.errors import unknown_choice
from goldassay.triples.normalise import RULES, normaliser

Unit = Literal["document", "corpus"]
Ids = Literal["file", "order"]
Text = Literal["name", "iri"]
OnError = Literal["stop", "skip"]
READABLE = (
    "json-lines",
    "json",
    "lists",
    "rebel",
    "webnlg",
    "graphml",
    "csv",
    "tsv",
    "parquet",
    "n-quads",
    "trig",
)


@dataclass(frozen=True, kw_only=True)
class TriplesReading:
    """How a file is understood as triples of documents.

    Attributes:
        normalise: What is left out of account when names are compared, comma-separated: case, underscores, camel (the
            words of camelCase part), quotes, articles, language (tags such as ``@en``), numbers (2439 is 2439.0).
            Characters are always composed and blanks always single.
        unit: ``"document"`` keeps documents apart, ``"corpus"`` merges them all into one graph.
        ids: ``"file"`` takes the ids of the file, ``"order"`` numbers the documents. None: the file's, except in WebNLG
            XML, whose scorers go by order, and in formats that have none.
        text: What a thing with an IRI is called: ``"name"``, the last part of it, or ``"iri"``, all of it.
        input_format: The format; None recognises it.
        on_error: ``"skip"`` takes an unreadable record of a prediction for an answer without triples, and counts and
            lists it; gold with an unreadable record is an error. ``"stop"`` raises the first on either side.

    Raises:
        UsageError: If a value is none of the above.

    Example:
        >>> TriplesReading(normalise="case,underscores").choices
        {'names': 'nfc,blanks,underscores,case'}
    """

    normalise: str = ""
    unit: Unit = "document"
    ids: Ids | None = None
    text: Text = "name"
    input_format: str | None = None
    on_error: OnError = "skip"

    def __post_init__(self) -> None:
        for name, known in (("unit", Unit), ("ids", Ids), ("text", Text), ("on_error", OnError)):
            value = getattr(self, name)
            if value not in get_args(known) and not (name == "ids" and value is None):
                raise unknown_choice(name, str(value), get_args(known))
        if self.input_format is not None and self.input_format not in READABLE:
            raise unknown_choice("input_format", self.input_format, READABLE)
        for rule in self._asked:
            if rule not in RULES:
                raise unknown_choice("normalise", rule, RULES)

    @property
    def _asked(self) -> list[str]:
        return [word.strip() for word in self.normalise.split(",") if word.strip()]

    @property
    def normaliser(self) -> Callable[[str], str]:
        """What gives every spelling its name."""
        return normaliser(self._asked)

    @property
    def choices(self) -> dict[str, str]:
        """How names are compared, as the signature shows it."""
        names = ",".join(("nfc", "blanks", *(rule for rule in RULES if rule in self._asked)))
        return {"names": names, **({"unit": self.unit} if self.unit != "document" else {})}


AS_USUAL = TriplesReading()
"""Every choice at its default."""
