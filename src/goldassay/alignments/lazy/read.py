"""Tables on an engine to alignments: the rules of the reader of files, as expressions."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Self

from goldassay.alignments.formats.records import score_error, unknown_relation
from goldassay.alignments.formats.sssom import (
    LITERAL,
    expanded,
    namespaces_of,
    prefixes_above,
    unknown_prefix,
)
from goldassay.alignments.reading import AlignmentReading
from goldassay.alignments.relations import DISJOINT, EQUIVALENT, OTHER, UNJUDGED, relation_code
from goldassay.alignments.understand import LAST_PART, NO_COUNTERPART, remarks
from goldassay.core.errors import InputError, RecordError, UsageError
from goldassay.core.lazy import Engine, Frame, LazyItems
from goldassay.core.parameters import parameters_of
from goldassay.formats.labels import last_part
from goldassay.formats.lazy import (
    NUMBER,
    Flaw,
    LazyTable,
    coded,
    empty_flaws,
    how_many,
    left_out_of,
    numbers_of,
    of_many,
    once,
    rewritten,
    rows_in,
    sifted,
    skipped_notes,
)
from goldassay.formats.roles import SSSOM

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

ENDS = ("source", "target")
UNSUPPORTED = ("unordered", "block", "source_ontology", "target_ontology")
"""Options that an engine does not know."""
LARGEST = sys.float_info.max
STRANGE = "\ufffe"
"""What stands before an identifier whose prefix is not known; no text of a file has it."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class LazyAlignment(LazyItems):
    """An alignment on an engine: columns source, target, relation (row of ``RELATIONS``) and score, a row a statement.

    Attributes:
        rows: How many statements there are; ``size`` counts equal ones once.
        codes: The relations that occur.
        denied: Pairs that the file states are not related; None if there are none.
        beyond_unit: The error of a score outside of [0, 1], for measures that use scores.
        case_names: There is one test case, without a name.
    """

    rows: int
    codes: frozenset[int]
    denied: Frame | None = None
    beyond_unit: RecordError | None = None
    case_names: tuple[str, ...] = ("",)
    choices: Mapping[str, str] = field(default_factory=dict)

    def emptied(self, path: str) -> Self:
        """Make an empty prediction: no statements, read as this is."""
        return replace(super().emptied(path), rows=0, denied=None, beyond_unit=None)


def read_lazily(table: LazyTable, reading: AlignmentReading, engine: Engine) -> LazyAlignment:
    """Make an alignment of a table.

    Args:
        table: The table.
        reading: The options of the reader.
        engine: The engine.

    Raises:
        InputError: If it is no such table; a :class:`~goldassay.core.errors.RecordError` for one bad row.
        UsageError: If an option is asked for that engines do not know.
    """
    import narwhals.stable.v2 as nw

    _refuse_options(reading)
    frame, flaws = _stated_sssom(table, reading, engine) if table.format == "sssom" else _stated(table, reading, engine)
    roles = frame.collect_schema().names()
    frame, codes, of_relations = _with_codes(frame, roles, engine, known=table.format != "sssom")
    frame, of_scores = _with_scores(frame, roles)
    flaws = [*flaws, *empty_flaws(ENDS), *of_relations, *of_scores]
    beyond = (nw.col("score") < 0) | (nw.col("score") > 1)
    if reading.scores != "any" and reading.on_error == "skip":
        flaws.append(Flaw(beyond, _score_of))
    null, alone = (_says_null(end) for end in ("target", "source"))
    every = reading.kept is None or "relation" not in roles
    kept = nw.lit(value=True) if every else nw.col("relation").is_in(list(reading.kept or ()))
    justified, denied = _justified(roles, reading), nw.col("denied") if "modifier" in roles else nw.lit(value=False)
    related = ~null & ~alone & justified & kept
    blank = {"blank": nw.col("blank")} if "blank" in frame.collect_schema().names() else {}
    frame, sums = sifted(
        frame, flaws, path=table.path, on_error=reading.on_error, engine=engine, **blank,
        beyond=beyond, nulls=null & ~alone, targets_without_source=alone,
        other_relations=~null & ~alone & justified & ~kept & ~denied,
        other_justifications=~null & ~alone & ~justified, denied=related & denied,
    )  # fmt: skip
    others = ("nulls", "targets_without_source", "other_relations", "other_justifications", "denied")
    taken = frame.filter(related & ~denied) if any(sums[name] for name in others) else frame
    taken = taken.select(*ENDS, "relation", "score")
    sizes = sizes_of(taken, codes, engine)
    rows, size = sizes["rows"], sizes["size"]
    nulls = rows_in(once(frame.filter(null & ~alone), "source"), engine) if sums["nulls"] else 0
    unscored = sums.get("blank", 0) if "score" in roles else size
    error = None
    if sums["beyond"] and reading.scores != "any":
        error = of_many(_score_of(engine.rows(frame.filter(beyond).head(1))[0]), sums["beyond"], table.path)
    return LazyAlignment(
        frame=taken,
        size=size,
        rows=rows,
        codes=codes,
        denied=once(frame.filter(related & denied), *ENDS) if sums["denied"] else None,
        beyond_unit=error,
        path=table.path,
        format=table.format,
        left_out=left_out_of(
            **{name: sums[name] for name in ("skipped_records", "other_relations", "other_justifications", "targets_without_source")},
            duplicates=rows - size,
        ),
        facts={
            "rows": sums["rows"], "unjudged": sizes["unjudged"], "denied": sums["denied"],
            **({"unscored": unscored} if unscored else {}),
        },
        notes=(
            *skipped_notes(sums["skipped_records"]), *_notes(rows, sums),
            *remarks(
                unjudged=sizes["unjudged"], denied=sums["denied"], nulls=nulls, alone=sums["targets_without_source"],
                disjoint=sizes["disjoint"],
            ),
        ),
        warnings=tuple(table.warnings),
        choices=reading.choices,
    )  # fmt: skip


def sizes_of(frame: Frame, codes: frozenset[int], engine: Engine) -> dict[str, int]:
    """Count statements, and how many remain where equal ones are one: ``rows`` and ``size``, ``unjudged`` and ``disjoint`` ones."""
    import narwhals.stable.v2 as nw

    marked = {"unjudged": UNJUDGED, "disjoint": DISJOINT}
    alike = len(codes) == 1
    keys = ENDS if alike else (*ENDS, "relation")
    of_each = {} if alike else {name: how_many(nw.col("relation") == code) for name, code in marked.items()}
    items = once(frame, *keys, times=nw.len())
    sizes = numbers_of(items, engine, size=nw.len(), rows=nw.col("times").sum(), **of_each)
    return {**{name: sizes["size"] * (code in codes) for name, code in marked.items()}, **sizes}


def _refuse_options(reading: AlignmentReading) -> None:
    declared = parameters_of(type(reading))
    for one in fields(reading):
        if one.name in UNSUPPORTED and not declared[one.name].is_default(getattr(reading, one.name)):
            raise UsageError(f"--{one.name.replace('_', '-')} is read on one machine alone.", hint="leave out --engine")


def _stated(table: LazyTable, reading: AlignmentReading, engine: Engine) -> tuple[Frame, list[Flaw]]:
    choice = table.choice(reading.chooser(table.path))
    if "candidates" in choice.places:
        raise InputError(
            "Lists of candidates are read on one machine alone.",
            path=table.path,
            found=table.names[choice.places["candidates"]],
            expected="one candidate a row",
            hint="leave out --engine",
        )
    return table.chosen(choice, engine, numbers=("score",)), []


def _stated_sssom(table: LazyTable, reading: AlignmentReading, engine: Engine) -> tuple[Frame, list[Flaw]]:
    """Expand identifiers, and find negated mappings, mappings of literals, and those without a confidence."""
    import narwhals.stable.v2 as nw

    choice = table.choice(SSSOM.chooser(table.path))
    frame = table.chosen(choice, engine)
    flaws = []
    namespaces = namespaces_of(prefixes_above(table.comments), table.path, reading.metadata)
    if namespaces is not None:
        frame = rewritten(frame, ENDS, _whole(namespaces), engine)
        flaws = [Flaw(nw.col(end).str.starts_with(STRANGE), _strange(end, namespaces)) for end in ENDS]
    for end in ENDS:
        if f"{end}_type" in choice.places:
            literal = nw.col(f"{end}_type").str.to_lowercase().is_in(LITERAL)
            flaws.append(Flaw(literal, _of_literal))
    if "modifier" in choice.places:
        frame = frame.with_columns(denied=nw.col("modifier").str.to_lowercase() == "not")
    if "score" in choice.places:
        blank = nw.col("score").str.to_lowercase().is_in(["", "nan"])
        frame = frame.with_columns(blank=blank).with_columns(
            score=nw.when(nw.col("blank")).then(nw.lit("1")).otherwise(nw.col("score"))
        )
    if reading.justification and "justification" not in choice.places:
        raise InputError(
            "The file does not say how mappings were found.",
            path=table.path,
            found="no mapping_justification",
            expected="an SSSOM mapping set with that column",
            hint="leave --justification out",
        )
    if reading.justification:
        frame = rewritten(frame, ["justification"], _last_word, engine)
    return frame, flaws


def _whole(namespaces: Mapping[str, str]) -> Callable[[str], str]:
    def whole(term: str) -> str:
        return expanded(term, namespaces) or STRANGE + term if term else ""

    return whole


def _strange(end: str, namespaces: Mapping[str, str]) -> Callable[[Mapping[str, Any]], RecordError]:
    def error(row: Mapping[str, Any]) -> RecordError:
        term = row[end].removeprefix(STRANGE)
        return unknown_prefix(term, namespaces, found=term)

    return error


def _of_literal(row: Mapping[str, Any]) -> RecordError:
    return RecordError(
        "The mapping is of a literal, and not of an entity.",
        found=f"{row['source']} {row['target']}",
        expected="subject_id and object_id, both of entities",
        hint="alignments are between entities; --on-error skip leaves literal mappings out",
    )


def _last_word(text: str) -> str:
    found = re.search(LAST_PART, text)
    return found[1].lower() if found else ""


def _justified(roles: list[str], reading: AlignmentReading) -> nw.Expr:
    import narwhals.stable.v2 as nw

    if not reading.justification or "justification" not in roles:
        return nw.lit(value=True)
    return nw.col("justification").is_in([last_part(word).lower() for word in reading.justification])


def _with_codes(
    frame: Frame, roles: list[str], engine: Engine, *, known: bool
) -> tuple[Frame, frozenset[int], list[Flaw]]:
    """Put numbers for words of relations: only distinct words are looked at one by one."""
    import narwhals.stable.v2 as nw

    if "relation" not in roles:
        return frame.with_columns(relation=nw.lit(EQUIVALENT)), frozenset({EQUIVALENT}), []
    words = [row["relation"] for row in engine.rows(once(frame, "relation"))]
    words_of: dict[int, list[str]] = {}
    strange = []
    for word in words:
        code = relation_code(word)
        if code is None and (known or not word.strip()):
            strange.append(word)
        else:
            words_of.setdefault(OTHER if code is None else code, []).append(word)
    flaws = [Flaw(nw.col("word").is_in(strange), lambda row: unknown_relation(row["word"]))] if strange else []
    numbered = frame.with_columns(word=nw.col("relation")).with_columns(relation=coded("relation", words_of, OTHER))
    return numbered, frozenset(words_of), flaws


def _with_scores(frame: Frame, roles: list[str]) -> tuple[Frame, list[Flaw]]:
    """Read scores as numbers; what is none is a flaw."""
    import narwhals.stable.v2 as nw

    if "score" not in roles:
        return frame.with_columns(score=nw.lit(1.0)), []
    column = nw.col("score")
    if frame.collect_schema()["score"] == nw.String:
        column = (
            nw.when(nw.col("score").str.contains(NUMBER)).then(nw.col("score")).otherwise(nw.lit(None)).cast(nw.Float64)
        )
    # An engine orders NaN above all numbers, so that no comparison finds it.
    number = nw.col("score").is_null() | nw.col("score").is_nan() | (nw.col("score").abs() > LARGEST)
    return frame.with_columns(stated=nw.col("score")).with_columns(score=column), [Flaw(number, _score_of)]


def _score_of(row: Mapping[str, Any]) -> RecordError:
    return score_error(row.get("stated", row["score"]))


def _says_null(end: str) -> nw.Expr:
    """Say which rows have an end that marks a missing counterpart; MELT writes null, which is disjoint from an entity."""
    import narwhals.stable.v2 as nw

    return nw.col(end).is_in(NO_COUNTERPART) | ((nw.col("relation") == DISJOINT) & (nw.col(end) == "null"))


def _notes(count: int, sums: Mapping[str, int]) -> list[str]:
    notes = []
    if not count:
        notes.append("the file contains no correspondence")
    elif sums["beyond"]:
        notes.append(f"scores outside of [0, 1]: {sums['beyond']:,}")
    return notes
