"""Options for reading a file as axioms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

from goldassay.axioms.spelling import Spelling
from goldassay.core.parameters import Options, parameter, showing
from goldassay.formats.choose_columns import Chooser, Header
from goldassay.formats.known import formats_of
from goldassay.formats.options import OnError, column_option, format_option, header_option, on_error_option
from goldassay.formats.roles import AXIOMS

Text = Literal["name", "label", "iri"]
TABLES = formats_of("rows", "page")
READABLE = (*TABLES, *formats_of("statements", "answer"))


@dataclass(frozen=True, kw_only=True)
class AxiomReading(Options):
    """Options for reading a file as axioms.

    Attributes:
        text: Which name of an entity of an ontology is used. ``"name"``: the last part of its IRI. ``"label"``:
            rdfs:label or skos:prefLabel, else the last part of its IRI. ``"iri"``: the full IRI. Names in tables are
            kept as they are, except that an IRI is cut to its last part unless ``"iri"`` is chosen.
        language: Preferred language of labels.
        fold_case: Whether case is ignored.
        strip_key: Whether ``Product(ProductName)`` is ``Product``.
        class_column: The column of classes in a table; recognised by its name if None.
        property_column: The column of properties.
        object_column: The column of objects.
        kind_column: The column of kinds.
        header: Whether the first row of CSV and TSV names the columns; recognised if None.
        input_format: The format; detected if None.
        on_error: ``"stop"`` raises the first bad record; ``"skip"`` leaves bad records out, counts and lists them.

    Raises:
        UsageError: If a value is not one of the above.

    Example:
        >>> AxiomReading(fold_case=True).choices
        {'text': 'name', 'case': 'folded'}
    """

    text: Text = parameter("name", help="Which text of an entity of an ontology is compared.", choices=get_args(Text))
    language: str = parameter("en", help="Preferred language of labels, with --text label.", metavar="TAG")
    fold_case: bool = parameter(False, help="Ignore case when comparing names.")
    strip_key: bool = parameter(False, help="Read Product(ProductName) as Product.")
    class_column: str | None = column_option("classes in a table")
    property_column: str | None = column_option("properties")
    object_column: str | None = column_option("objects")
    kind_column: str | None = column_option("kinds of axioms")
    header: Header | None = header_option()
    input_format: str | None = format_option(READABLE)
    on_error: OnError = on_error_option()

    def idle(self) -> Iterator[tuple[tuple[str, ...], str]]:
        """Name the options that have no effect with the others, with the reason."""
        if self.text != "label":
            yield ("language",), f"with text {self.text!r}, which is not a label"

    def chooser(self) -> Chooser:
        """Return what chooses the columns of a table."""
        asked = {role: getattr(self, f"{role}_column") for role in AXIOMS.names}
        return AXIOMS.chooser(asked, self.header)

    @property
    def spelling(self) -> Spelling:
        """How spellings are normalised."""
        return Spelling(iris=self.text == "iri", fold_case=self.fold_case, strip_key=self.strip_key)

    @property
    @showing
    def choices(self) -> dict[str, str]:
        """How names are compared, for the signature."""
        optional = {
            "language": (self.language, self.language != "en"),
            "case": ("folded", self.fold_case),
            "key": ("stripped", self.strip_key),
        }
        return {"text": self.text, **{name: value for name, (value, shown) in optional.items() if shown}}


AS_USUAL = AxiomReading()
"""The default options."""
