"""How a file is understood as an alignment: the choices, and what each of them means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from goldassay.alignments.relations import RELATIONS, relation_code
from goldassay.core.errors import unknown_choice
from goldassay.formats.known import check_format, formats_of
from goldassay.formats.records import OnError
from goldassay.formats.rows import TABLES

Scores = Literal["unit", "any"]
READABLE = formats_of("mappings") + TABLES


@dataclass(frozen=True, kw_only=True)
class AlignmentReading:
    """How a file is understood as an alignment.

    Attributes:
        source_column: The column of sources in a table; None recognises it.
        target_column: The column of targets.
        relation_column: The column of relations; ``"none"`` takes every row for an equivalence.
        score_column: The column of scores; ``"none"`` gives every row the score 1.
        relations: The relations to keep, for example ``("=",)``; None keeps all.
        scores: ``"unit"``: a score outside of [0, 1] is a bad record; ``"any"``: any finite number will do.
        metadata: A file with the prefixes of an SSSOM table, if they do not stand in it or beside it; ``"none"`` leaves
            identifiers as they stand.
        source_ontology: An ontology with labels and kinds of sources.
        target_ontology: An ontology with labels and kinds of targets.
        language: Preferred language of labels.
        input_format: The format; None recognises it.
        on_error: ``"stop"`` raises the first bad record; ``"skip"`` leaves bad records out, counts and lists them.

    Raises:
        UsageError: If a value is none of the above.

    Example:
        >>> AlignmentReading(relations=("skos:exactMatch",)).choices
        {'relations': '='}
    """

    source_column: str | None = None
    target_column: str | None = None
    relation_column: str | None = None
    score_column: str | None = None
    relations: tuple[str, ...] | None = None
    scores: Scores = "unit"
    metadata: str | None = None
    source_ontology: str | None = None
    target_ontology: str | None = None
    language: str = "en"
    input_format: str | None = None
    on_error: OnError = "stop"

    def __post_init__(self) -> None:
        for name, known in (("scores", Scores), ("on_error", OnError)):
            if getattr(self, name) not in get_args(known):
                raise unknown_choice(name, str(getattr(self, name)), get_args(known))
        if self.input_format is not None:
            check_format(self.input_format, READABLE)
        for word in self.relations or ():
            if relation_code(word) is None:
                raise unknown_choice("relation", word, RELATIONS)

    @property
    def columns(self) -> dict[str, str | None]:
        """The columns that were named, by what they are."""
        return {
            "source": self.source_column,
            "target": self.target_column,
            "relation": self.relation_column,
            "score": self.score_column,
        }

    @property
    def kept(self) -> tuple[int, ...] | None:
        """Rows of ``RELATIONS`` that are kept; None for all."""
        return None if self.relations is None else tuple(sorted({relation_code(word) or 0 for word in self.relations}))

    @property
    def choices(self) -> dict[str, str]:
        """How correspondences are chosen, as the signature shows it."""
        kept = "all" if self.kept is None else "+".join(RELATIONS[code] for code in self.kept)
        return {"relations": kept, **({"scores": "any"} if self.scores == "any" else {})}


AS_USUAL = AlignmentReading()
"""Every choice at its default."""
