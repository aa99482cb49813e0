"""Rows of a file to an alignment: one set of checks, here and on engines, and one function from rows to columns of numbers."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.alignments.formats.candidates import read_pools
from goldassay.alignments.model import (
    NONE,
    Alignment,
    Candidates,
    Origin,
    Pairs,
    flip_predicates,
    null_queries,
    one_case,
    reindex,
    reindex_pairs,
)
from goldassay.alignments.reading import AlignmentReading
from goldassay.alignments.relations import DISJOINT, EQUIVALENT, INVERSE, OTHER, RELATIONS, UNJUDGED, relation_code
from goldassay.core.errors import InputError, RecordError
from goldassay.core.intern import FEW, Places, number_columns
from goldassay.core.lazy import Engine, Frame
from goldassay.core.libraries import pl
from goldassay.core.model import InputRows, restate, rows_kept
from goldassay.formats.labels import last_part
from goldassay.formats.lazy import LazyTable
from goldassay.formats.records import BadRecords
from goldassay.formats.tables import (
    HERE,
    MADE,
    NUMBER,
    ROW,
    Expr,
    LineOf,
    RowCheck,
    Table,
    empty_flaws,
    encode_words,
    expressions,
    locate_error,
    map_texts,
    strip_texts,
    validate_rows,
)
from goldassay.formats.texts import DECIMAL_COMMA
from goldassay.kernels.ragged import best_rows

ENDS = ("source", "target")
NO_COUNTERPART = (
    "https://w3id.org/sssom/NoTermFound",
    "sssom:NoTermFound",
    "UnMatched",
    "Unmatched",
    "unmatched",
)
"""Targets that mark a source without a counterpart, as SSSOM and Bio-ML write them."""
MELT_NULL = "null"
WRITTEN_NULL = (
    "none", "nil", "nan", "n/a", "not found", "not applicable", "none of the above",
    *(f"no {what}" for what in ("match", "matches", "match found", "matches found", "mapping", "correspondence", "equivalent", "counterpart")),
)  # fmt: skip
NO_TARGET = (
    *NO_COUNTERPART, "-", "\u2013", "\u2014", "\u2205", "NaN",
    *(
        f"{mark}{form(word)}{end}"
        for mark, end in (("", ""), ("(", ")"))
        for word in WRITTEN_NULL
        for form in (str, str.capitalize, str.title, str.upper)
    ),
)  # fmt: skip
"""How people and models write that a source has no counterpart."""
NOT_ENTITIES = frozenset({*NO_TARGET, MELT_NULL})
LITERAL = ("rdfs literal", "rdfs:literal")
LARGEST = sys.float_info.max
UNKNOWN = -1
UNKNOWN_PREFIX = "\ufffe"
"""Marks an identifier whose prefix is not known; no text of a file contains it."""
PLACE = "place"
SHOWN = 3


@dataclass(frozen=True, kw_only=True)
class Vocabulary:
    """What the words of a format mean."""

    open: bool = False  # any word may be a relation, as in mapping sets: an unknown one is another relation
    any_score: bool = False  # scores may be any number, as in files of the OAEI
    namespaces: Mapping[str, str] | None = None  # None if identifiers stay as they are


PLAIN = Vocabulary()


@dataclass(frozen=True, kw_only=True)
class RawMappings:
    """What a file contains, before its rows are checked: a table, or lists of which a table is made where rows need a check."""

    path: str
    lists: Mapping[str, list[Any]] = field(default_factory=dict)
    line_of: LineOf | None = None
    table: Table | None = None
    vocabulary: Vocabulary = PLAIN
    prefixes: Mapping[str, str] = field(default_factory=dict)
    unread: tuple[str, ...] = ()  # what an alignment does not keep
    in_rows: bool = True

    def as_table(self) -> Table:
        """Return source, target, relation, score and more, of which all but the source may be absent."""
        kinds = {
            name: pl.Float64 if cells and type(cells[0]) is float else pl.String for name, cells in self.lists.items()
        }
        return self.table or Table.of(self.path, pl.DataFrame(dict(self.lists), schema=kinds), line_of=self.line_of)

    def as_lists(self) -> Mapping[str, list[Any]]:
        """Return the columns as lists of stripped texts; nothing for a large table, or one whose words need a look."""
        if self.table is None or self.vocabulary.open:
            return {} if self.vocabulary.open else self.lists
        frame = self.table.frame
        if len(frame) > FEW:
            return {}
        lists = frame.drop(ROW).to_dict(as_series=False)
        return {name: [cell.strip() if type(cell) is str else cell for cell in cells] for name, cells in lists.items()}

    @property
    def input_rows(self) -> Places | None:
        """The row of the file of each mapping; None for a file without rows."""
        if self.table is None or not self.in_rows:
            return None
        return self.table.input_rows.astype(np.int32)


@dataclass(frozen=True, eq=False, kw_only=True)
class RowKinds:
    """The valid rows of a table, marked as taken, denied, null (no target) or unpaired (no source), and their numbers."""

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
        return {
            name: count for name, count in {**found, "targets_without_source": self.sums["unpaired"]}.items() if count
        }

    def notes(self, taken: int) -> tuple[str, ...]:
        """Return notes on scores, given the number of correspondences."""
        if not taken:
            return ("the file contains no correspondence",)
        return (f"scores outside of [0, 1]: {self.sums['beyond']:,}",) if self.sums["beyond"] else ()

    def unscored(self, size: int) -> dict[str, int]:
        """Count the correspondences without a score of their own, of so many."""
        count = self.sums.get("blank", 0) if self.scored else size
        return {"unscored": count} if count else {}


def to_alignment(raw: RawMappings, name: str, reading: AlignmentReading, bad: BadRecords) -> Alignment:
    """Make an alignment of what a file contains, and reject bad rows."""
    lists = {} if bad.errors else raw.as_lists()
    plain = lists and build_plain_alignment(
        lists, reading, path=raw.path, format=name, input_rows=raw.input_rows, origin=Origin(unread=raw.unread),
        warnings=raw.table.warnings if raw.table else (),
    )  # fmt: skip
    return plain or _build_alignment(raw, name, reading, bad)


def build_plain_alignment(lists: Mapping[str, list[Any]], reading: AlignmentReading, **more: Any) -> Alignment | None:
    """Make an alignment of columns in which every row is a valid correspondence, without a frame; None if one is not."""
    if not {"source", "target"} <= lists.keys() <= {"source", "target", "relation", "score"} or not lists["source"]:
        return None
    codes = list(map(relation_code, lists.get("relation", ())))
    scores = _unit_scores(lists.get("score", ()))
    named = all("" not in lists[end] and NOT_ENTITIES.isdisjoint(lists[end]) for end in ENDS)
    if not (reading.takes_all and named) or scores is None or not {None, DISJOINT, UNJUDGED}.isdisjoint(codes):
        return None
    terms, (sources, targets) = number_columns(*(lists[end] for end in ENDS))
    alignment = Alignment.of_codes(
        terms=terms,
        sources=sources,
        targets=targets,
        relations=np.array(codes, dtype=np.int8) if codes else None,
        scores=np.array(scores, dtype=np.float64) if scores else None,
        choices=reading.choices,
        **more,
    )
    return alignment if scores else restate(alignment, facts={**alignment.facts, "unscored": len(alignment)})


def _unit_scores(cells: Sequence[Any]) -> list[float] | None:
    """Read scores in [0, 1]; None if a cell is none."""
    if cells and type(cells[0]) is str and not all(map(re.compile(NUMBER).match, cells)):
        return None
    scores = list(map(float, cells)) if None not in cells else [math.nan]
    return scores if all(0 <= one <= 1 for one in scores) else None


def _build_alignment(raw: RawMappings, name: str, reading: AlignmentReading, bad: BadRecords) -> Alignment:
    """Convert the rows to columns of numbers, each row by its kind."""
    table = raw.as_table()
    has = frozenset(table.roles)
    here: Any = table.frame.with_row_index(PLACE)
    if "target" not in has:
        here = here.with_columns(target=pl.col("source"))
    found = classify_rows(strip_texts(here, HERE), raw.vocabulary, reading, table, bad=bad, engine=HERE)
    here = found.frame
    rows: pl.DataFrame = here
    terms, (sources, targets) = number_columns(rows["source"], rows["target"])
    relations = rows["relation"].to_numpy().astype(np.int8) if "relation" in has else None
    null, denied = (rows[kind].to_numpy() for kind in ("null", "denied"))
    # Gold is read with the same options, and has lists or no scores.
    blocked = reading.block is not None and "candidates" not in has and found.scored
    unanswered = "target" not in has or blocked
    taken = np.zeros(0, dtype=np.int64) if unanswered else slice(None) if found.plain else rows["taken"].to_numpy()
    pools = read_pools(rows, table, bad, nulls=null | unanswered) if "candidates" in has else None
    places = rows[ROW].to_numpy().astype(np.int32) if raw.in_rows else None
    words: Sequence[str] = ()
    predicates: Places | None = None
    if raw.vocabulary.open and relations is not None:
        words, (predicates,) = number_columns(rows["word"])
    alignment = Alignment.of_codes(
        terms=terms,
        sources=sources[taken],
        targets=targets[taken],
        relations=None if relations is None else relations[taken],
        scores=rows["score"].to_numpy()[taken] if found.scored else None,
        denied=one_case(sources[denied], targets[denied]),
        nulls=null_queries(sources[null]),
        stated=len(rows) + len(bad.errors) - (0 if pools is None else pools.skipped),
        path=raw.path,
        format=name,
        left_out={**bad.left_out(), **found.left_out},
        predicates=None if predicates is None else predicates[taken],
        origin=Origin(prefixes=raw.prefixes, predicates=tuple(words), unread=raw.unread),
        notes=(*bad.notes(), *found.notes(int(rows["taken"].sum())), *_note_unknown_predicates(rows, found.codes, has)),
        warnings=table.warnings,
        choices=reading.choices,
        input_rows=rows_kept(places, taken),
        beyond_unit=found.beyond_unit,
    )
    if "candidates" not in has:
        alignment = replace(alignment, facts={**alignment.facts, **found.unscored(len(alignment))})
    if reading.unordered:
        alignment = _order_ends(alignment)
    if pools is not None:
        queries = one_case(sources, np.where(null | unanswered, NONE, targets).astype(np.int32))
        alignment = _add_pools(alignment, pools.rows, queries, relations, places)
    elif blocked and reading.block is not None:
        alignment = _add_candidates(
            alignment, _blocks(rows, reading.block, found.sums["rows"], (sources, targets), table)
        )
    return _add_notes(alignment)


def classify_rows(
    frame: Frame,
    vocabulary: Vocabulary,
    reading: AlignmentReading,
    table: Table | LazyTable,
    *,
    bad: BadRecords,
    engine: Engine,
) -> RowKinds:
    """Find what each row of a table is, and reject the bad ones."""
    ex, path = expressions(engine), table.path
    line_of = table.line_of if isinstance(table, Table) else None
    roles = frame.collect_schema().names()
    frame, flaws = _expand(frame, roles, vocabulary, engine)
    frame, codes, unknown = _encode_relations(frame, roles, vocabulary, engine)
    frame, unreadable = _parse_scores(frame, roles, engine)
    null, unpaired = (_marks_null(end, codes, ex) for end in ("target", "source"))
    number, nothing = ex.col(MADE), ex.lit(value=False)
    frame = frame.with_columns(null=null, unpaired=unpaired, beyond=(number < 0) | (number > 1))
    flaws += [*empty_flaws(ENDS, engine, table.called), *unknown, *unreadable]
    allowed = reading.scores == "any" or reading.block is not None or vocabulary.any_score
    if not allowed and bad.on_error == "skip":
        flaws.append(RowCheck(ex.col("beyond"), _score_error))
    frame, justified = _filter_justified(frame, roles, reading, engine)
    kept = ex.col("code").is_in(list(reading.kept)) if reading.kept and "relation" in roles else ~nothing
    denied = ex.col("modifier").str.to_lowercase() == "not" if "modifier" in roles else nothing
    paired = ~ex.col("null") & ~ex.col("unpaired")
    chosen = paired & justified & kept
    kinds = {"taken": chosen & ~denied, "denied": chosen & denied, "null": ex.col("null") & ~ex.col("unpaired")}
    if reading.kept:
        kinds["other_relations"] = paired & justified & ~kept & ~denied
    if reading.justification:
        kinds["other_justifications"] = paired & ~justified
    frame = frame.with_columns(**kinds)
    asked = [*kinds, "beyond", "unpaired", *({"blank"} & {*frame.collect_schema().names()})]
    frame, sums = validate_rows(frame, flaws, bad=bad, engine=engine, kinds=asked, line_of=line_of)
    error = None
    if sums["beyond"] and not allowed:
        row = engine.rows(frame.filter(ex.col("beyond")).head(1))[0]
        error = locate_error(_score_error(row), row, rows=1 if engine is HERE else sums["beyond"], line_of=line_of)
        error.path = path  # It is raised later, by measures that need scores.
    word = {"word": ex.col("relation")} if "relation" in roles else {}
    return RowKinds(
        frame=frame.with_columns(**word, relation=ex.col("code"), score=number),
        codes=codes,
        sums=sums,
        scored="score" in roles,
        beyond_unit=error,
    )


def _expand(frame: Frame, roles: list[str], vocabulary: Vocabulary, engine: Engine) -> tuple[Frame, list[RowCheck]]:
    """Expand identifiers of mapping sets, and find literal mappings, and those without a confidence."""
    ex = expressions(engine)
    flaws = []
    known = vocabulary.namespaces
    if known is not None:
        frame = map_texts(frame, ENDS, lambda term: expand(term, known) or (term and UNKNOWN_PREFIX + term), engine)
        flaws = [RowCheck(ex.col(end).str.starts_with(UNKNOWN_PREFIX), _prefix_error(end, known)) for end in ENDS]
    for end in ENDS:
        if f"{end}_type" in roles:
            flaws.append(RowCheck(ex.col(f"{end}_type").str.to_lowercase().is_in(LITERAL), _literal_error))
    if vocabulary.open and "score" in roles:
        blank = ex.col("score").str.to_lowercase().is_in(["", "nan"])
        frame = frame.with_columns(blank=blank, score=ex.when(blank).then(ex.lit("1")).otherwise(ex.col("score")))
    return frame, flaws


def expand(term: str, prefixes: Mapping[str, str]) -> str | None:
    """Replace the prefix of an identifier by its namespace; None where the prefix is unknown."""
    prefix, colon, rest = term.partition(":")
    is_curie = colon and not rest.startswith("//")
    return (prefixes[prefix] + rest if prefix in prefixes else None) if is_curie else term


def _prefix_error(end: str, namespaces: Mapping[str, str]) -> Callable[[Mapping[str, Any]], RecordError]:
    def error(row: Mapping[str, Any]) -> RecordError:
        term = row[end].removeprefix(UNKNOWN_PREFIX)
        return RecordError(
            f"The prefix {term.partition(':')[0][:40]!r} is unknown.",
            found=term,
            expected=f"one of {', '.join(sorted(namespaces))}"[:200],
            hint="name a file with the curie_map: --metadata FILE; or --metadata none keeps CURIEs as they are",
        )

    return error


def _literal_error(row: Mapping[str, Any]) -> RecordError:
    return RecordError(
        "This is a literal mapping; only mappings between entities are supported.",
        found=" ".join(row[role] for role in ("source", "relation", "target")).strip()[:80],
        expected="subject_id and object_id, both of entities",
        hint="--on-error skip leaves literal mappings out",
    )


def _filter_justified(frame: Frame, roles: list[str], reading: AlignmentReading, engine: Engine) -> tuple[Frame, Expr]:
    """Find the rows with one of the justifications to keep, by their last parts."""
    ex = expressions(engine)
    if not reading.justification:
        return frame, ex.lit(value=True)
    if "justification" not in roles:
        raise InputError(
            "The file does not state how mappings were found.",
            found="no mapping_justification",
            expected="an SSSOM mapping set with that column",
            hint="leave --justification out",
        )
    frame = map_texts(frame, ["justification"], lambda text: last_part(text).lower(), engine)
    return frame, ex.col("justification").is_in([last_part(word).lower() for word in reading.justification])


def _encode_relations(
    frame: Frame, roles: list[str], vocabulary: Vocabulary, engine: Engine
) -> tuple[Frame, frozenset[int], list[RowCheck]]:
    """Replace the words of relations by numbers."""
    ex = expressions(engine)
    if "relation" not in roles:
        return frame.with_columns(code=ex.lit(EQUIVALENT)), frozenset({EQUIVALENT}), []

    def code_of(word: str) -> int:
        code = relation_code(word)
        return (OTHER if vocabulary.open and word else UNKNOWN) if code is None else code

    code, words_of = encode_words(frame, "relation", code_of, engine)
    unknown = words_of.pop(UNKNOWN, None)
    flaws = [RowCheck(ex.col("code") == UNKNOWN, _relation_error)] if unknown else []
    return frame.with_columns(code=code), frozenset(words_of), flaws


def _relation_error(row: Mapping[str, Any]) -> RecordError:
    word = row["relation"]
    return RecordError(
        f"The relation {word!r} is unknown." if word else "The relation is empty.",
        found=repr(word),
        expected=f"one of {' '.join(RELATIONS)}, or a mapping predicate such as skos:exactMatch",
        hint="--relation-column none reads every row as an equivalence",
    )


SHARE = NUMBER.replace("([eE][+-]?[0-9]+)?$", "([eE][+-]?[0-9]+| ?%)?$")
"""How a score is written: as a number, or in percent."""


def _parse_scores(frame: Frame, roles: list[str], engine: Engine) -> tuple[Frame, list[RowCheck]]:
    """Read scores as finite numbers; a share may be in percent, or have a decimal comma."""
    ex = expressions(engine)
    if "score" not in roles:
        return frame.with_columns(ex.lit(1.0).alias(MADE)), []
    number = ex.col("score")
    if frame.collect_schema()["score"] == ex.String:
        # Nothing is divided: 95e-2 is the number that 0.95 is.
        here: Any = frame
        text = number
        if engine is not HERE or here.select(number.str.contains("%", literal=True).any()).item():
            text = number.str.replace_all("%", "e-2", literal=True).str.replace_all(" e-2", "e-2", literal=True)
        written = ex.when(number.str.contains(SHARE)).then(text)
        if engine is not HERE or here.select(number.str.contains(",", literal=True).any()).item():
            dotted = number.str.replace_all(",", ".", literal=True)
            comma = ex.when(number.str.contains(DECIMAL_COMMA)).then(dotted).otherwise(ex.lit(None))
            number = written.otherwise(comma)
        else:
            number = written.otherwise(ex.lit(None))
    frame, number = frame.with_columns(number.cast(ex.Float64).alias(MADE)), ex.col(MADE)
    # An engine orders NaN above all numbers, so that no comparison finds it.
    return frame, [RowCheck(number.is_null() | number.is_nan() | (number.abs() > LARGEST), _score_error)]


def _score_error(row: Mapping[str, Any]) -> RecordError:
    """Build the error for a score that is not a number, or not in [0, 1]."""
    number = row[MADE]
    if number is not None and math.isfinite(number):
        return RecordError(
            "The score is not in [0, 1].",
            found=repr(row["score"]),
            expected="a number in [0, 1]",
            hint="another column: --score-column NAME; or allow any number: --scores any",
        )
    hint = "write a point for a decimal comma, and none between thousands" if "," in str(row["score"]) else None
    return RecordError("The score is not a number.", found=repr(row["score"]), expected="a number in [0, 1]", hint=hint)


def _marks_null(end: str, codes: frozenset[int], ex: Any) -> Expr:
    """Find the rows whose end marks a missing counterpart; MELT writes null, which is disjoint from an entity."""
    always = ex.col(end).is_in(NO_TARGET if end == "target" else NO_COUNTERPART)
    return always | ((ex.col("code") == DISJOINT) & (ex.col(end) == MELT_NULL)) if DISJOINT in codes else always


def kind_notes(*, unjudged: int, denied: int, nulls: int, unpaired: int, disjoint: int) -> tuple[str, ...]:
    """Return notes on relations, and on rows that are not correspondences, by their numbers."""
    counts = {
        "correspondences with the relation ?, neutral in gold and left out of a prediction (unless unjudged=keep)": unjudged,
        'mappings that say "not", which are not correspondences': denied,
        "sources without a counterpart": nulls,
        "targets without a counterpart, which are left out": unpaired,
        "pairs stated to be disjoint (%), which count only where relations are compared exactly": disjoint,
    }
    return tuple(f"{note}: {count:,}" for note, count in counts.items() if count)


def _add_notes(alignment: Alignment) -> Alignment:
    notes = kind_notes(
        unjudged=alignment.facts["unjudged"],
        denied=len(alignment.denied),
        nulls=len(alignment.nulls),
        unpaired=alignment.left_out.get("targets_without_source", 0),
        disjoint=int(np.count_nonzero(alignment.relations == DISJOINT)),
    )
    return replace(alignment, notes=alignment.notes + notes) if notes else alignment


def _note_unknown_predicates(rows: pl.DataFrame, codes: frozenset[int], has: frozenset[str]) -> tuple[str, ...]:
    """Note the predicates that are not known relations, the most frequent first."""
    if OTHER not in codes or "relation" not in has:
        return ()
    words = rows.filter(pl.col("relation") == OTHER)["word"].value_counts(sort=True)
    shown = ", ".join(f"{word} ({count:,})" for word, count in words.head(SHOWN).iter_rows())
    more = ", ..." if len(words) > SHOWN else ""
    return (f"mappings whose predicate is not a known relation, kept as other: {shown}{more}",) if shown else ()


def _order_ends(alignment: Alignment) -> Alignment:
    """Put the ends of every pair into alphabetical order, with the inverse relation where they change places."""
    ranks = alignment.terms.series.rank("ordinal").to_numpy().astype(np.int64)

    def ordered(pairs: Alignment | Pairs) -> Any:
        turn = (pairs.targets != NONE) & (ranks[pairs.sources] > ranks[pairs.targets])
        ends = np.where(turn, pairs.targets, pairs.sources), np.where(turn, pairs.sources, pairs.targets)
        return replace(pairs, sources=ends[0], targets=ends[1])

    again: Alignment = ordered(alignment)
    turned = again.sources != alignment.sources
    whole = replace(
        again,
        relations=np.where(turned, INVERSE[alignment.relations], alignment.relations),
        predicates=flip_predicates(alignment, turned),
        denied=ordered(alignment.denied),
    )
    once = whole.merge(whole.keys * len(RELATIONS) + whole.relations)
    twice = len(whole) - len(once) + whole.left_out.get("duplicates", 0)
    return replace(once, left_out={**once.left_out, **({"duplicates": twice} if twice else {})})


def _blocks(rows: pl.DataFrame, size: int, count: int, ends: tuple[Places, Places], table: Table) -> Candidates:
    """Make every block of rows one list of candidates; of one that occurs twice in a block the highest score counts."""
    sources, targets = ends
    hint = "--block N, where N is the number of rows of each list"
    if count % size:
        raise InputError(
            "The number of rows is not a multiple of the block size.",
            found=f"{count:,} rows",
            expected=f"a multiple of {size:,}",
            hint=hint,
        )
    _, block = np.unique(rows[PLACE].to_numpy() // size, return_inverse=True)
    heads = sources[np.flatnonzero(np.diff(block, prepend=-1))]
    others = np.flatnonzero(sources != heads[block])
    if len(others):
        row = int(others[0])
        raise InputError(
            f"Block {rows[row, PLACE] // size + 1:,} has two sources.",
            line=table.line_of(rows[row, ROW]) if table.line_of else None,
            expected=f"{size:,} rows of one source",
            hint=hint,
        )
    scores, kinds = rows["score"].to_numpy(), rows["relation"].to_numpy().astype(np.int8)
    kept = np.sort(best_rows(scores, kinds, targets, block))
    return Candidates(
        queries=one_case(heads, np.full(len(heads), NONE, dtype=np.int32)),
        query=block[kept].astype(np.int32),
        targets=targets[kept],
        scores=scores[kept],
        accepted=np.full(len(kept), -1, dtype=np.int8),
        relations=kinds[kept] if "relation" in table.roles else None,
        input_rows=rows[ROW].to_numpy()[kept],
    )


def _add_candidates(alignment: Alignment, candidates: Candidates) -> Alignment:
    sizes = {"queries": len(candidates.queries), "candidates": len(candidates)}
    return replace(alignment, candidates=candidates, facts={**alignment.facts, **sizes})


def _add_pools(
    alignment: Alignment,
    pools: Sequence[tuple[int, str, float, int]],
    queries: Pairs,
    wanted: NDArray[np.int8] | None,
    input_rows: InputRows,
) -> Alignment:
    """Add pools of candidates, whose entities join the terms."""
    rows, entities, scores, accepted = zip(*pools, strict=True) if pools else ((),) * 4
    terms, (old, targets) = number_columns(alignment.terms, list(entities))
    query = np.array(rows, dtype=np.int32)
    candidates = Candidates(
        queries=reindex_pairs(queries, old),
        query=query,
        targets=targets,
        scores=np.array(scores, dtype=np.float64),
        accepted=np.array(accepted, dtype=np.int8),
        wanted=wanted,
        input_rows=rows_kept(input_rows, query),
    )
    return _add_candidates(reindex(alignment, terms, old), candidates)
