"""Options for reading a file as an alignment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, get_args

from goldassay.alignments.relations import RELATIONS, relation_code
from goldassay.core.errors import InputError, unknown_choice_error
from goldassay.core.parameters import Options, parameter, showing
from goldassay.formats.choose_columns import Choice, Chooser, Header
from goldassay.formats.column_names import bare
from goldassay.formats.known import formats_of
from goldassay.formats.labels import last_part
from goldassay.formats.options import OnError, format_option, header_option, on_error_option
from goldassay.formats.roles import CORRESPONDENCES

ROLES = ("source", "target", "relation", "score")
Scores = Literal["unit", "any"]
READABLE = (*formats_of("mappings", "rows", "answer"), "turtle", "rdf-xml", "n-triples", "json-ld")


@dataclass(frozen=True, kw_only=True)
class AlignmentReading(Options):
    """Options for reading a file as an alignment.

    Attributes:
        source_column: The column of sources in a table; detected if None.
        target_column: The column of targets.
        relation_column: The column of relations; ``"none"`` reads every row as an equivalence.
        score_column: The column of scores; ``"none"`` gives every row the score 1.
        relations: The relations to keep, for example ``("=",)``; None keeps all.
        justification: The values of ``mapping_justification`` to keep, for example ``("semapv:ManualMappingCuration",)``;
            None keeps all.
        unordered: Whether (a, b) and (b, a) are the same pair; relations are inverted where the ends change places.
        scores: ``"unit"``: a score outside of [0, 1] is an error where scores are used, and a note elsewhere; ``"any"``: any
            finite number is allowed. In files of the OAEI it always is.
        block: So many rows of a table with scores, one after the other, are one list of candidates: the first list of a source
            answers its first row in gold. Tables without scores, such as gold, are read as they are. None for no such lists.
        metadata: A file with the prefixes of an SSSOM table, if they are not in it or in a file next to it; ``"none"``
            leaves identifiers unchanged.
        source_ontology: An ontology with labels and kinds of sources.
        target_ontology: An ontology with labels and kinds of targets.
        language: Preferred language of labels.
        header: Whether the first row of CSV and TSV names the columns; recognised if None.
        input_format: The format; detected if None.
        on_error: ``"stop"`` raises the first bad record; ``"skip"`` leaves bad records out, counts and lists them.

    Raises:
        UsageError: If a value is not one of the above.

    Example:
        >>> AlignmentReading(relations=("skos:exactMatch",)).choices
        {'relations': '='}
    """

    source_column: str | None = parameter(None, help="Name of the column of sources.", metavar="NAME")
    target_column: str | None = parameter(None, help="Name of the column of targets.", metavar="NAME")
    relation_column: str | None = parameter(None, help="Name of the column of relations, or none.", metavar="NAME")
    score_column: str | None = parameter(None, help="Name of the column of scores, or none.", metavar="NAME")
    relations: tuple[str, ...] | None = parameter(None, help="Keep only this relation; repeatable.", metavar="RELATION")
    justification: tuple[str, ...] | None = parameter(
        None, help="Keep only SSSOM mappings with this justification; repeatable.", metavar="WORD"
    )
    unordered: bool = parameter(False, help="Read (a, b) and (b, a) as the same pair.")
    scores: Scores = parameter(
        "unit", help="Whether scores must be in [0, 1] (unit), or may be any number (any).", choices=get_args(Scores)
    )
    block: int | None = parameter(
        None,
        help="Read N rows of a table with scores as one list of candidates, as in Bio-ML's submissions.",
        metavar="N",
        bounds=(1, 2**31),
    )
    metadata: str | None = parameter(
        None, help="File with the prefixes of SSSOM tables; none keeps CURIEs as they are.", metavar="FILE"
    )
    source_ontology: str | None = parameter(None, help="Ontology with labels and types of sources.", metavar="FILE")
    target_ontology: str | None = parameter(None, help="Ontology with labels and types of targets.", metavar="FILE")
    language: str = parameter("en", help="Preferred language of labels.", metavar="TAG")
    header: Header | None = header_option()
    input_format: str | None = format_option(READABLE)
    on_error: OnError = on_error_option()

    def __post_init__(self) -> None:
        super().__post_init__()
        for word in self.relations or ():
            if relation_code(word) is None:
                raise unknown_choice_error("relation", word, RELATIONS)

    def idle(self) -> Iterator[tuple[tuple[str, ...], str]]:
        """Return the options that have no effect with the others, and why."""
        if not (self.source_ontology or self.target_ontology):
            yield ("language",), "without source_ontology or target_ontology"
        if self.score_column == "none":
            yield ("scores", "block"), "with score_column 'none'"
        if self.input_format not in (None, "sssom", "sssom-json"):
            yield ("metadata",), "with a format other than SSSOM"

    def chooser(self) -> Chooser:
        """Return what chooses the columns of a table."""
        asked = {role: getattr(self, f"{role}_column") for role in ROLES}
        choose = CORRESPONDENCES.chooser(asked, self.header)

        def of_entities(names: Sequence[str], **more: Any) -> Choice:
            if "literal" in map(bare, names) and not CORRESPONDENCES.called("source", names) and not asked["source"]:
                raise InputError(
                    "The table contains literal mappings; only mappings between entities are supported.",
                    line=1,
                    found=f"the columns {', '.join(names)}"[:300],
                    expected="subject_id and object_id, both of entities",
                    hint="give a table of mappings between entities",
                )
            return choose(names, **more)

        return of_entities

    @property
    def kept(self) -> tuple[int, ...] | None:
        """Rows of ``RELATIONS`` that are kept; None for all."""
        return None if self.relations is None else tuple(sorted({relation_code(word) or 0 for word in self.relations}))

    @cached_property
    def takes_all(self) -> bool:
        """Whether each valid row is kept as it is, and the names of columns decide their roles."""
        names = (*(f"{role}_column" for role in ROLES), *("relations", "justification", "unordered", "block", "header"))
        return not any(getattr(self, name) for name in names)

    @cached_property
    @showing
    def choices(self) -> dict[str, str]:
        """How correspondences are selected, for the signature."""
        kept = "all" if self.kept is None else "+".join(RELATIONS[code] for code in self.kept)
        chosen = {
            "scores": "any" if self.scores == "any" else "",
            "justification": "+".join(sorted(last_part(word).lower() for word in self.justification or ())),
            "pairs": "unordered" if self.unordered else "",
            "block": str(self.block or ""),
        }
        return {"relations": kept, **{name: choice for name, choice in chosen.items() if choice}}


DEFAULTS = AlignmentReading()
"""The default options."""
