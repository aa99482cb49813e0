"""How a file is understood as axioms: the choices, and what each of them means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from goldassay.axioms.spelling import Spelling
from goldassay.core.parameters import Options, parameter
from goldassay.formats.known import formats_of
from goldassay.formats.options import OnError, format_option, on_error_option

Text = Literal["name", "label", "iri"]
TABLES = formats_of("rows", "page")
READABLE = TABLES + formats_of("statements")


@dataclass(frozen=True, kw_only=True)
class AxiomReading(Options):
    """How a file is understood as axioms.

    Attributes:
        text: What a thing of an ontology is called. ``"name"``: the last part of its IRI. ``"label"``: rdfs:label or
            skos:prefLabel, else the last part of its IRI. ``"iri"``: the IRI as it stands. Names in tables stand as
            they are, except that an IRI is cut to its last part unless ``"iri"`` is chosen.
        language: Preferred language of labels.
        fold_case: Whether case is ignored.
        strip_key: Whether ``Product(ProductName)`` is ``Product``.
        input_format: The format; None recognises it.
        on_error: ``"stop"`` raises the first bad record; ``"skip"`` leaves bad records out, counts and lists them.

    Raises:
        UsageError: If a value is none of the above.

    Example:
        >>> AxiomReading(fold_case=True).choices
        {'text': 'name', 'case': 'folded'}
    """

    text: Text = parameter("name", help="Which text of an entity of an ontology is compared.", choices=get_args(Text))
    language: str = parameter("en", help="Preferred language of labels.", metavar="TAG")
    fold_case: bool = parameter(False, help="Ignore case when comparing names.")
    strip_key: bool = parameter(False, help="Read Product(ProductName) as Product.")
    input_format: str | None = format_option(READABLE)
    on_error: OnError = on_error_option()

    @property
    def spelling(self) -> Spelling:
        """What makes two spellings one name."""
        return Spelling(iris=self.text == "iri", fold_case=self.fold_case, strip_key=self.strip_key)

    @property
    def choices(self) -> dict[str, str]:
        """How names are compared, as the signature shows it."""
        beside = {
            "language": (self.language, self.language != "en"),
            "case": ("folded", self.fold_case),
            "key": ("stripped", self.strip_key),
        }
        return {"text": self.text, **{name: value for name, (value, shown) in beside.items() if shown}}


AS_USUAL = AxiomReading()
"""Every choice at its default."""
