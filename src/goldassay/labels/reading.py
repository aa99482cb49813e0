"""Options for reading a file as labels of instances."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from goldassay.core.parameters import Options, parameter
from goldassay.formats.known import GRAPHS, formats_of
from goldassay.formats.options import OnError, format_option, on_error_option

Names = Literal["id", "name", "label"]
READABLE = formats_of("rows", "labels")
HIERARCHIES = (*GRAPHS, "hemkit")
"""Formats that a hierarchy may be in."""
INSTANCE = frozenset(
    {"instance", "id", "instanceid", "document", "doc", "docid", "documentid", "target", "protein", "item", "sample"}
    | {"record", "text", "key", "query"}
)
LABEL = frozenset(
    {"label", "labels", "term", "terms", "class", "classes", "category", "categories", "concept", "concepts", "node"}
    | {"goid", "go", "prediction", "predictions", "predicted", "code", "codes", "subject", "subjects"}
)
SCORE = frozenset({"score", "scores", "confidence", "probability", "prob", "similarity", "weight"})


@dataclass(frozen=True, kw_only=True)
class LabelReading(Options):
    """Options for reading a file as labels of instances.

    Attributes:
        hierarchy: The file of the hierarchy: a table (child, parent), OBO, OWL or RDF, node-link JSON, HEMKit's integers.
        root: Labels at the top: what does not lie at or below one of them is left out, and counted.
        names: Which name a label of an ontology has: its identifier, the last part of its IRI, or its rdfs:label. ``"id"``: its IRI, those of OBO as CURIE (``GO:0005634``). ``"name"``:
            the last part of its IRI. ``"label"``: rdfs:label or skos:prefLabel.
        language: Preferred language of labels.
        instance_column: The column of the instances.
        label_column: The column of the labels.
        score_column: The column of the scores.
        input_format: The format of prediction and gold; detected if None.
        on_error: ``"stop"`` raises the first bad record; ``"skip"`` leaves bad records out, counts and lists them.

    Raises:
        UsageError: If a value is not one of the above.
    """

    hierarchy: str | None = parameter(
        None, help="The hierarchy: a table (child, parent), OBO, OWL, RDF, or HEMKit's integers.", metavar="FILE"
    )
    root: tuple[str, ...] = parameter(
        (), help="Leave out labels that do not lie at or below this one; repeatable.", metavar="LABEL"
    )
    names: Names = parameter(
        "id",
        help="Which name a label of an ontology has: its identifier, the last part of its IRI, or its rdfs:label.",
        choices=get_args(Names),
    )
    language: str = parameter("en", help="Preferred language of labels.", metavar="TAG")
    instance_column: str | None = parameter(None, help="The column of the instances.", metavar="NAME")
    label_column: str | None = parameter(None, help="The column of the labels.", metavar="NAME")
    score_column: str | None = parameter(None, help="The column of the scores.", metavar="NAME")
    input_format: str | None = format_option(READABLE)
    on_error: OnError = on_error_option()

    @property
    def choices(self) -> dict[str, str]:
        """How labels are compared, for the signature."""
        beside = {
            "names": (self.names, "id"),
            "language": (self.language, "en"),
            "root": ("+".join(sorted(self.root)), ""),
        }
        return {name: value for name, (value, default) in beside.items() if value != default}


AS_USUAL = LabelReading()
"""The default options."""
