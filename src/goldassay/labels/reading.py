"""Options for reading a file as labels of instances."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from goldassay.core.errors import InputError
from goldassay.core.parameters import Options, parameter, showing
from goldassay.formats.choose_columns import Choice, Chooser, Header
from goldassay.formats.column_names import bare
from goldassay.formats.known import GRAPHS, formats_of
from goldassay.formats.options import OnError, column_option, format_option, header_option, on_error_option
from goldassay.formats.roles import LABELS

Names = Literal["id", "name", "label"]
Scores = Literal["unit", "any"]
Keep = Literal["all", "best"]
READABLE = formats_of("rows", "labels", "answer")
HIERARCHIES = (*GRAPHS, "hemkit", *formats_of("hierarchy"))
"""Formats that a hierarchy may be in."""


@dataclass(frozen=True, kw_only=True)
class LabelReading(Options):
    """Options for reading a file as labels of instances.

    Attributes:
        hierarchy: The file of the hierarchy: a table (child, parent), OBO, OWL or RDF, node-link JSON, HEMKit's integers, MeSH's XML.
        root: Labels at the top: what does not lie at or below one of them is left out, and counted.
        names: Which name a label of an ontology has: its identifier, the last part of its IRI, or its rdfs:label. ``"id"``: its IRI, those of OBO as CURIE (``GO:0005634``). ``"name"``:
            the last part of its IRI. ``"label"``: rdfs:label or skos:prefLabel.
        language: Preferred language of labels.
        instance_column: The column of the instances.
        label_column: The column of the labels.
        score_column: The column of the scores.
        scores: ``"unit"``: a score of a prediction outside of [0, 1] is an error; ``"any"``: any finite number is allowed.
        keep: ``"all"`` takes all labels of an instance; ``"best"`` only those with its best score, as for probabilities of classes that
            exclude each other. The others are counted as left out. If None, all; but of a table with a column for each label, whose
            rows are probabilities that sum to 1, each instance has its most likely label, with the score 1.
        separator: What separates the parts of labels that are paths; if None, ``>`` and its like are recognised.
        header: Whether the first row of CSV and TSV names the columns; recognised if None.
        input_format: The format of prediction and gold; detected if None.
        on_error: ``"stop"`` raises the first bad record; ``"skip"`` leaves bad records out, counts and lists them.

    Raises:
        UsageError: If a value is not one of the above.
    """

    hierarchy: str | None = parameter(
        None,
        help="The hierarchy: a table (child, parent), OBO, OWL, RDF, MeSH's XML, or HEMKit's integers.",
        metavar="FILE",
    )
    root: tuple[str, ...] = parameter((), help="Keep only labels at or below this one; repeatable.", metavar="LABEL")
    names: Names = parameter(
        "id",
        help="Which name a label of an ontology has: its identifier, the last part of its IRI, or its rdfs:label.",
        choices=get_args(Names),
    )
    language: str = parameter(
        "en", help="Preferred language of the labels of an ontology, with --names label.", metavar="TAG"
    )
    instance_column: str | None = column_option("the instances")
    label_column: str | None = column_option("the labels")
    score_column: str | None = column_option("the scores")
    scores: Scores = parameter(
        "unit", help="Whether scores must be in [0, 1] (unit), or may be any number (any).", choices=get_args(Scores)
    )
    keep: Keep | None = parameter(
        None,
        help="Keep all labels of an instance, or only those with its best score. Default: best if a column for each label has probabilities, else all.",
        choices=get_args(Keep),
    )
    separator: str | None = parameter(
        None,
        help="Separator of the parts of labels that are paths, if not '>', for example '/'.",
        metavar="TEXT",
        filled=True,
    )
    header: Header | None = header_option()
    input_format: str | None = format_option(READABLE)
    on_error: OnError = on_error_option()

    def idle(self) -> Iterator[tuple[tuple[str, ...], str]]:
        """Name the options that have no effect with the others, and why."""
        if self.names != "label":
            yield ("language",), f"with names {self.names!r}, which are no labels"

    def chooser(self) -> Chooser:
        """Return what chooses the columns of a table."""
        asked = {role: getattr(self, f"{role}_column") for role in LABELS.names}
        choose = LABELS.chooser(asked, self.header)

        def of_labels(names: Sequence[str], **more: Any) -> Choice:
            if not any(asked.values()) and {"child", "parent"} <= set(map(bare, names)):
                raise InputError(
                    "The table is a hierarchy, not labels of instances.",
                    line=1,
                    found=f"the columns {', '.join(names)}"[:300],
                    expected="columns such as instance,label",
                    hint="check whether it was swapped with --hierarchy FILE",
                )
            return choose(names, **more)

        return of_labels

    @property
    @showing
    def choices(self) -> dict[str, str]:
        """How labels are compared, for the signature."""
        chosen = {
            "names": (self.names, "id"),
            "language": (self.language, "en"),
            "root": ("+".join(sorted(self.root)), ""),
            "scores": (self.scores, "unit"),
            "keep": (self.keep or "all", "all"),
            "separator": (self.separator or "", ""),
        }
        return {name: value for name, (value, default) in chosen.items() if value != default}


AS_USUAL = LabelReading()
"""The default options."""
