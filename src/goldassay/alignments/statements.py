"""Rows of a table as statements, here and on engines: correspondences, denials, and entities without a counterpart."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from goldassay.alignments.reading import AlignmentReading
from goldassay.alignments.relations import DISJOINT, EQUIVALENT, OTHER, RELATIONS, relation_code
from goldassay.core.errors import InputError, RecordError
from goldassay.core.lazy import Engine, Frame
from goldassay.formats.labels import last_part
from goldassay.formats.lazy import LazyTable
from goldassay.formats.records import BadRecords
from goldassay.formats.tables import (
    HERE,
    MADE,
    NUMBER,
    Expr,
    Flaw,
    Table,
    coded,
    empty_flaws,
    expressions,
    placed,
    rewritten,
    sifted,
)

ENDS = ("source", "target")
NO_TERM = "https://w3id.org/sssom/NoTermFound"
NO_COUNTERPART = (NO_TERM, "sssom:NoTermFound", "UnMatched", "Unmatched", "unmatched")
MELT_NULL = "null"
"""Targets that mark a source without a counterpart, as SSSOM and Bio-ML write them."""
LITERAL = ("rdfs literal", "rdfs:literal")
LARGEST = sys.float_info.max
UNKNOWN = -1
STRANGE = "\ufffe"
"""What stands before an identifier whose prefix is not known; no text of a file has it."""


@dataclass(frozen=True, kw_only=True)
class Words:
    """What the words of a file mean."""

    open: bool = False  # relations may be any word, as in mapping sets: an unknown one is another relation
    scale: bool = False  # scores may be any number, as in files of the OAEI
    namespaces: Mapping[str, str] | None = None  # None if identifiers stay as they are


PLAIN = Words()


@dataclass(frozen=True, kw_only=True)
class Stated:
    """What a file states: a table of source, target, relation, score and more, of which it may lack all but the first."""

    table: Table
    words: Words = PLAIN
    prefixes: Mapping[str, str] = field(default_factory=dict)
    unread: tuple[str, ...] = ()  # what correspondences do not keep
    in_rows: bool = True


@dataclass(frozen=True, eq=False, kw_only=True)
class Statements:
    """The good rows of a table, marked as taken, denied, null and alone (no source); and how many there are of each kind."""

    frame: Frame
    codes: frozenset[int]
    sums: Mapping[str, int]
    scored: bool
    beyond_unit: RecordError | None

    @property
    def plain(self) -> bool:
        """Whether every row is a correspondence to keep."""
        return not (self.sums["null"] or self.sums["denied"] or self.left_out)

    @property
    def left_out(self) -> dict[str, int]:
        """What is left out, by reason."""
        found = {name: self.sums.get(name, 0) for name in ("other_relations", "other_justifications")}
        return {name: count for name, count in {**found, "targets_without_source": self.sums["alone"]}.items() if count}

    def notes(self, taken: int) -> tuple[str, ...]:
        """Return notes on scores, given the number of correspondences."""
        if not taken:
            return ("the file contains no correspondence",)
        return (f"scores outside of [0, 1]: {self.sums['beyond']:,}",) if self.sums["beyond"] else ()

    def unscored(self, size: int) -> dict[str, int]:
        """Count the correspondences without a score of their own, of so many."""
        count = self.sums.get("blank", 0) if self.scored else size
        return {"unscored": count} if count else {}


def statements(
    frame: Frame, words: Words, reading: AlignmentReading, table: Table | LazyTable, *, bad: BadRecords, engine: Engine
) -> Statements:
    """Read the rows of a table, and reject the bad ones."""
    ex, path = expressions(engine), table.path
    line_of = table.line_of if isinstance(table, Table) else None
    roles = frame.collect_schema().names()
    frame, flaws = _expanded(frame, roles, words, engine)
    frame, codes, unknown = _with_codes(frame, roles, words, engine)
    frame, unreadable = _with_scores(frame, roles, ex)
    null, alone = (_says_null(end, codes, ex) for end in ("target", "source"))
    number, nothing = ex.col(MADE), ex.lit(value=False)
    frame = frame.with_columns(null=null, alone=alone, beyond=(number < 0) | (number > 1))
    flaws += [*empty_flaws(ENDS, engine, table.called), *unknown, *unreadable]
    allowed = reading.scores == "any" or reading.block is not None or words.scale
    if not allowed and bad.on_error == "skip":
        flaws.append(Flaw(ex.col("beyond"), _score_of))
    frame, justified = _justified(frame, roles, reading, path, engine)
    kept = ex.col("code").is_in(list(reading.kept)) if reading.kept and "relation" in roles else ~nothing
    denied = ex.col("modifier").str.to_lowercase() == "not" if "modifier" in roles else nothing
    paired = ~ex.col("null") & ~ex.col("alone")
    chosen = paired & justified & kept
    kinds = {"taken": chosen & ~denied, "denied": chosen & denied, "null": ex.col("null") & ~ex.col("alone")}
    if reading.kept:
        kinds["other_relations"] = paired & justified & ~kept & ~denied
    if reading.justification:
        kinds["other_justifications"] = paired & ~justified
    frame = frame.with_columns(**kinds)
    asked = [*kinds, "beyond", "alone", *({"blank"} & {*frame.collect_schema().names()})]
    frame, sums = sifted(frame, flaws, path=path, bad=bad, engine=engine, kinds=asked, line_of=line_of)
    error = None
    if sums["beyond"] and not allowed:
        row = engine.rows(frame.filter(ex.col("beyond")).head(1))[0]
        error = placed(_score_of(row), row, path, rows=1 if engine is HERE else sums["beyond"], line_of=line_of)
    word = {"word": ex.col("relation")} if "relation" in roles else {}
    return Statements(
        frame=frame.with_columns(**word, relation=ex.col("code"), score=number),
        codes=codes,
        sums=sums,
        scored="score" in roles,
        beyond_unit=error,
    )


def _expanded(frame: Frame, roles: list[str], words: Words, engine: Engine) -> tuple[Frame, list[Flaw]]:
    """Expand identifiers of mapping sets, and find mappings of literals, and those without a confidence."""
    ex = expressions(engine)
    flaws = []
    if words.namespaces is not None:
        known = words.namespaces
        frame = rewritten(frame, ENDS, lambda term: expanded(term, known) or (term and STRANGE + term), engine)
        flaws = [Flaw(ex.col(end).str.starts_with(STRANGE), _strange(end, known)) for end in ENDS]
    for end in ENDS:
        if f"{end}_type" in roles:
            flaws.append(Flaw(ex.col(f"{end}_type").str.to_lowercase().is_in(LITERAL), _of_literal))
    if words.open and "score" in roles:
        blank = ex.col("score").str.to_lowercase().is_in(["", "nan"])
        frame = frame.with_columns(blank=blank, score=ex.when(blank).then(ex.lit("1")).otherwise(ex.col("score")))
    return frame, flaws


def expanded(term: str, prefixes: Mapping[str, str]) -> str | None:
    """Put the namespace for the prefix of an identifier; None where the prefix is unknown.

    Example:
        >>> expanded("HP:1", {"HP": "http://hp/"}), expanded("http://hp/1", {}), expanded("XX:1", {})
        ('http://hp/1', 'http://hp/1', None)
    """
    prefix, colon, rest = term.partition(":")
    is_curie = colon and not rest.startswith("//")
    return (prefixes[prefix] + rest if prefix in prefixes else None) if is_curie else term


def _strange(end: str, namespaces: Mapping[str, str]) -> Callable[[Mapping[str, Any]], RecordError]:
    def error(row: Mapping[str, Any]) -> RecordError:
        term = row[end].removeprefix(STRANGE)
        return RecordError(
            f"The prefix {term.partition(':')[0][:40]!r} is unknown.",
            found=term,
            expected=f"one of {', '.join(sorted(namespaces))}"[:200],
            hint="name a file with the curie_map: --metadata FILE; or --metadata none keeps CURIEs as they are",
        )

    return error


def _of_literal(row: Mapping[str, Any]) -> RecordError:
    return RecordError(
        "The mapping is of a literal, and not of an entity.",
        found=" ".join(row[role] for role in ("source", "relation", "target")).strip()[:80],
        expected="subject_id and object_id, both of entities",
        hint="alignments are between entities; --on-error skip leaves literal mappings out",
    )


def _justified(
    frame: Frame, roles: list[str], reading: AlignmentReading, path: str, engine: Engine
) -> tuple[Frame, Expr]:
    """Say which rows have one of the justifications to keep, by their last parts."""
    ex = expressions(engine)
    if not reading.justification:
        return frame, ex.lit(value=True)
    if "justification" not in roles:
        raise InputError(
            "The file does not say how mappings were found.",
            path=path,
            found="no mapping_justification",
            expected="an SSSOM mapping set with that column",
            hint="leave --justification out",
        )
    frame = rewritten(frame, ["justification"], lambda text: last_part(text).lower(), engine)
    return frame, ex.col("justification").is_in([last_part(word).lower() for word in reading.justification])


def _with_codes(
    frame: Frame, roles: list[str], words: Words, engine: Engine
) -> tuple[Frame, frozenset[int], list[Flaw]]:
    """Put numbers for words of relations."""
    ex = expressions(engine)
    if "relation" not in roles:
        return frame.with_columns(code=ex.lit(EQUIVALENT)), frozenset({EQUIVALENT}), []

    def code_of(word: str) -> int:
        code = relation_code(word)
        return (OTHER if words.open and word else UNKNOWN) if code is None else code

    code, words_of = coded(frame, "relation", code_of, engine)
    strange = words_of.pop(UNKNOWN, None)
    flaws = [Flaw(ex.col("code") == UNKNOWN, lambda row: unknown_relation(row["relation"]))] if strange else []
    return frame.with_columns(code=code), frozenset(words_of), flaws


def unknown_relation(word: str) -> RecordError:
    """Build the error for a word that is no relation."""
    return RecordError(
        f"The relation {word!r} is unknown." if word else "The relation is empty.",
        found=repr(word),
        expected=f"one of {' '.join(RELATIONS)}, or a mapping predicate such as skos:exactMatch",
        hint="--relation-column none reads every row as an equivalence",
    )


def _with_scores(frame: Frame, roles: list[str], ex: Any) -> tuple[Frame, list[Flaw]]:
    """Read scores as numbers; what is none is a flaw."""
    if "score" not in roles:
        return frame.with_columns(ex.lit(1.0).alias(MADE)), []
    number = ex.col("score")
    if frame.collect_schema()["score"] == ex.String:
        number = ex.when(number.str.contains(NUMBER)).then(number).otherwise(ex.lit(None))
    frame, number = frame.with_columns(number.cast(ex.Float64).alias(MADE)), ex.col(MADE)
    # An engine orders NaN above all numbers, so that no comparison finds it.
    wrong = number.is_null() | number.is_nan() | (number.abs() > LARGEST)
    return frame, [Flaw(wrong, _score_of)]


def _score_of(row: Mapping[str, Any]) -> RecordError:
    """Build the error for a score that is no number, or not in [0, 1]."""
    number = row[MADE]
    if number is not None and math.isfinite(number):
        return RecordError(
            "The score is not in [0, 1].",
            found=repr(row["score"]),
            expected="a number in [0, 1]",
            hint="another column: --score-column NAME; or allow any number: --scores any",
        )
    hint = "write a decimal point, and no comma" if "," in str(row["score"]) else None
    return RecordError("The score is not a number.", found=repr(row["score"]), expected="a number in [0, 1]", hint=hint)


def _says_null(end: str, codes: frozenset[int], ex: Any) -> Expr:
    """Say which rows have an end that marks a missing counterpart; MELT writes null, which is disjoint from an entity."""
    always = ex.col(end).is_in(NO_COUNTERPART)
    return always | ((ex.col("code") == DISJOINT) & (ex.col(end) == MELT_NULL)) if DISJOINT in codes else always


def remarks(*, unjudged: int, denied: int, nulls: int, alone: int, disjoint: int) -> tuple[str, ...]:
    """Return notes on relations, and on statements that are not correspondences, by their numbers.

    Example:
        >>> remarks(unjudged=0, denied=0, nulls=2, alone=0, disjoint=0)
        ('sources without a counterpart: 2',)
    """
    counts = {
        "correspondences with the relation ?, neutral in gold and left out of a prediction (unless unjudged=keep)": unjudged,
        'mappings that say "not", which are not correspondences': denied,
        "sources without a counterpart": nulls,
        "targets without a counterpart, which are left out": alone,
        "pairs stated to be disjoint (%), which count only where relations are compared exactly": disjoint,
    }
    return tuple(f"{remark}: {count:,}" for remark, count in counts.items() if count)
