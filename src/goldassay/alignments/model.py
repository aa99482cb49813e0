"""The model of the alignment family: unique correspondences between entities, as columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from goldassay.alignments.hierarchy import Hierarchy, Ontologies
from goldassay.alignments.relations import EQUIVALENT, INVERSE, OTHER, RELATIONS, UNJUDGED, relation_code
from goldassay.core.content import Content, TextRows, bits
from goldassay.core.errors import RecordError, unknown_choice_error
from goldassay.core.intern import Names, Places, TextColumn, as_names, first_of_each, number_columns
from goldassay.core.items import ColumnModel, Columns, list_rows, score_of
from goldassay.core.libraries import pl
from goldassay.core.model import InputRows, row_column
from goldassay.kernels.keys import firsts

TYPES = ("unknown", "class", "object property", "datatype property", "annotation property", "individual")
ONE_CASE = ("",)
NONE = -1


def _no_rows() -> Places:
    return np.zeros(0, dtype=np.int32)


@dataclass(frozen=True, eq=False, kw_only=True)
class Pairs:
    """Denied pairs, or entities without a counterpart: rows of the terms (-1 for no target) and of the case names, int32, shape (pairs,)."""

    sources: Places = field(default_factory=_no_rows)
    targets: Places = field(default_factory=_no_rows)
    cases: Places = field(default_factory=_no_rows)

    def __len__(self) -> int:
        return len(self.sources)


NO_PAIRS = Pairs()


def stack_columns(parts: Sequence[Any], *names: str) -> dict[str, Any]:
    """Concatenate some columns of several parts."""
    return {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}


@dataclass(frozen=True, eq=False, kw_only=True)
class Candidates(Columns):
    """Pools of candidates: for each query the entities to rank; ``wanted`` is the relation of each query to its target, None for equivalence."""

    columns: ClassVar[tuple[str, ...]] = ("query", "targets", "scores", "accepted", "relations", "input_rows")

    queries: Pairs
    query: Places  # row of the queries
    targets: Places  # rows of the terms
    scores: NDArray[np.float64]  # nan where there is none
    accepted: NDArray[np.int8]  # 1 accepted, 0 rejected, -1 not stated
    relations: NDArray[np.int8] | None = None  # rows of RELATIONS
    wanted: NDArray[np.int8] | None = None
    input_rows: InputRows = None

    def __len__(self) -> int:
        return len(self.query)

    @property
    def scored(self) -> bool:
        """Whether the candidates have scores."""
        return bool(len(self.scores)) and not bool(np.isnan(self.scores).any())


@dataclass(frozen=True, eq=False, kw_only=True)
class Origin:
    """What else a file contains, for writing it again: prefixes, words for relations, names that are not kept."""

    prefixes: Mapping[str, str] = field(default_factory=dict)
    predicates: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Alignment(ColumnModel):
    """Unique correspondences: two are the same if test case, source, target and relation are equal.

    Attributes:
        terms: The distinct entities.
        sources: Row of ``terms`` for each correspondence, int32, shape (correspondences,).
        targets: The same for the targets.
        relations: Row of ``RELATIONS``, int8, shape (correspondences,).
        scores: The confidence in each correspondence, the highest of its duplicates, float64.
        times: How often each occurred, int32.
        cases: Row of ``case_names`` for each correspondence, int32.
        case_names: The test cases; a single one has no name.
        denied: Pairs that the file states are not related.
        nulls: Sources that the file states have no counterpart.
        candidates: Pools to rank, if the file contains any.
        stated: How many rows the input had, bad ones included.
        labels: Text of each term, a polars string column; None if no ontology was given.
        types: Row of ``TYPES`` for each term, int8; None if no ontology was given.
        ontologies: The hierarchies of both ontologies; None if no ontology was given.
        input_rows: The row of the input where each correspondence first occurs, int32, shape (correspondences,), in the file of its
            test case; None if it has no rows.
        predicates: Row of the predicates of ``origin``, -1 for none, int32, shape (correspondences,); None if the file has none
            of its own.
        origin: What else the file contains.
        beyond_unit: The error of the first score outside of [0, 1], for measures that use scores; None if there is none, or
            if any number is allowed.

    Example:
        >>> rows = [("cat", "chat", "=", 0.9), ("dog", "chien", "=", 0.4), ("cat", "chat", "=", 0.7)]
        >>> alignment = Alignment.from_rows(rows)
        >>> len(alignment), alignment.left_out, alignment.item(0), alignment.scores.tolist()
        (2, {'duplicates': 1}, 'cat = chat', [0.9, 0.4])
    """

    columns = ("sources", "targets", "relations", "scores", "times", "cases", "input_rows", "predicates")

    terms: Names
    sources: Places
    targets: Places
    relations: NDArray[np.int8]
    scores: NDArray[np.float64]
    times: Places
    cases: Places
    case_names: tuple[str, ...] = ONE_CASE
    denied: Pairs = NO_PAIRS
    nulls: Pairs = NO_PAIRS
    candidates: Candidates | None = None
    stated: int = 0
    labels: pl.Series | None = None
    types: NDArray[np.int8] | None = None
    ontologies: Ontologies | None = None
    input_rows: InputRows = None
    predicates: Places | None = None
    origin: Origin = field(default_factory=Origin)
    beyond_unit: RecordError | None = None
    choices: Mapping[str, str] = field(default_factory=lambda: {"relations": "all"})

    @classmethod
    def from_rows(
        cls,
        rows: Iterable[Sequence[Any]],
        *,
        source_edges: Iterable[tuple[str, str]] | None = None,
        target_edges: Iterable[tuple[str, str]] | None = None,
    ) -> Alignment:
        """Build an alignment from (source, target), (source, target, relation) or (source, target, relation, score).

        Args:
            rows: The correspondences; without a relation it is equivalence, without a score the score is 1. A target of
                None states that the source has no counterpart.
            source_edges: (child, parent) of classes in the ontology of the sources; None if it is not known.
            target_edges: The same for the targets.

        Returns:
            The alignment; duplicates are merged and counted, the highest score is kept.

        Raises:
            UsageError: If a row is none of these, a relation is unknown, or a score is not a number.
        """
        expected = "(source, target), (source, target, relation) or (source, target, relation, score)"
        given = list_rows(rows, lengths=(2, 3, 4), texts=2, expected=expected, kind="alignment", absent=True)
        filled = ((*row, *("=", 1.0)[len(row) - 2 :]) for row in given)
        listed = [(*row[:3], score_of(row[3], number)) for number, row in enumerate(filled, start=1)]
        pairs = [row for row in listed if row[1]]
        nulls = [row[0] for row in listed if not row[1]]
        terms, (sources, targets, unmatched) = number_columns(
            [row[0] for row in pairs], [row[1] for row in pairs], nulls
        )
        ontologies = None
        if source_edges is not None or target_edges is not None:
            hierarchies = [Hierarchy.from_edges(edges or ()) for edges in (source_edges, target_edges)]
            ontologies = Ontologies(source=hierarchies[0], target=hierarchies[1])
        return cls.of_codes(
            terms=terms,
            sources=sources,
            targets=targets,
            relations=np.array([_check_relation(row[2]) for row in pairs], dtype=np.int8),
            scores=np.array([row[3] for row in pairs], dtype=np.float64),
            nulls=null_queries(unmatched),
            stated=len(listed),
            input_rows=np.array([at for at, row in enumerate(listed) if row[1]], dtype=np.int32),
            ontologies=ontologies,
        )

    @classmethod
    def of_codes(
        cls,
        *,
        terms: TextColumn,
        sources: Places,
        targets: Places,
        relations: NDArray[np.int8] | None = None,
        scores: NDArray[np.float64] | None = None,
        cases: Places | None = None,
        times: Places | None = None,
        stated: int | None = None,
        left_out: Mapping[str, int] | None = None,
        **others: Any,
    ) -> Alignment:
        """Build an alignment from columns of numbers, by default of equivalences of score 1; duplicates are merged and counted."""
        count = len(sources)
        # Both are filled below, when the duplicates are known.
        kept_out, facts = dict(left_out or {}), dict[str, int]()
        whole = cls(
            terms=as_names(terms),
            sources=sources,
            targets=targets,
            relations=np.full(count, EQUIVALENT, dtype=np.int8) if relations is None else relations,
            scores=np.ones(count) if scores is None else scores,
            cases=np.zeros(count, dtype=np.int32) if cases is None else cases,
            times=np.ones(count, dtype=np.int32) if times is None else times,
            stated=count if stated is None else stated,
            left_out=kept_out,
            facts=facts,
            **others,
        )
        keys = _keys(whole.cases, whole.sources, whole.targets, len(terms))
        once = whole.merge(keys * len(RELATIONS) + whole.relations)
        if len(once) < count:
            kept_out["duplicates"] = count - len(once)
        unjudged = int(np.count_nonzero(once.relations == UNJUDGED)) if UNJUDGED in once.codes else 0
        facts |= {"rows": whole.stated, "entities": len(terms), "unjudged": unjudged, "denied": len(whole.denied)}
        if len(whole.nulls):
            facts["nulls"] = len(whole.nulls)
        return once

    def __len__(self) -> int:
        return len(self.sources)

    @property
    def empty(self) -> bool:
        """Whether it has neither correspondences nor lists of candidates."""
        return not len(self) and self.candidates is None

    @cached_property
    def keys(self) -> NDArray[np.int64]:
        """A number for each correspondence that is the same where case, source and target are, int64."""
        return _keys(self.cases, self.sources, self.targets, len(self.terms))

    @cached_property
    def codes(self) -> frozenset[int]:
        """The relations that occur."""
        return frozenset(np.flatnonzero(np.bincount(self.relations)).tolist())

    @cached_property
    def pairs(self) -> Alignment:
        """The same alignment with each (source, target) once, regardless of the relation; the highest score is kept."""
        return self if len(self.codes) <= 1 else self.merge(self.keys)

    def merge(self, keys: NDArray[np.int64]) -> Alignment:
        """Merge rows of equal keys: the place of the first, the highest score, and the sum of times."""
        first = first_of_each(keys)
        if len(first) == len(keys):
            return self
        once, place = self.take(first), np.searchsorted(first, firsts(keys))
        np.fmax.at(once.scores, place, self.scores)
        once.times[:] = np.bincount(place, weights=self.times)
        return once

    @property
    def content(self) -> Sequence[Content]:
        """Test case, ends, relation and score of each correspondence; what is denied or has no counterpart; and the candidates."""
        terms = self.terms.append("")
        lists: list[tuple[Any, ...]] = [(self.cases, self.sources, self.targets, self.relations, bits(self.scores))]
        lists += [(one.cases, one.sources, one.targets) for one in (self.denied, self.nulls)]
        if (pool := self.candidates) is not None:
            query = [getattr(pool.queries, name)[pool.query] for name in ("cases", "sources", "targets")]
            lists += [(query[0], query[1], pool.targets, query[2], pool.accepted, bits(pool.scores))]
        # A target of -1 is none, the last text.
        return [
            [TextRows(self.case_names, one[0]), *(TextRows(terms, column) for column in one[1:3]), *one[3:]]
            for one in lists
        ]

    def item(self, row: int) -> str:
        """Return the display name of one correspondence: ``source = target``, by label where there is one."""
        relation = RELATIONS[self.relations[row]]
        case = self.case_names[self.cases[row]]
        named = f"{self.name(self.sources[row])} {relation} {self.name(self.targets[row])}"
        return f"{case}: {named}" if case else named

    def identifiers(self, rows: NDArray[np.int64]) -> dict[str, list[str]]:
        """List the rows of the input of some correspondences, if it has rows, their test cases if they have some, and their ends."""
        cases = (
            {"case": np.array(self.case_names, dtype=object)[self.cases[rows]].tolist()} if any(self.case_names) else {}
        )
        return {
            **row_column(self.input_rows, rows),
            **cases,
            "source": [self.terms[one] for one in self.sources[rows].tolist()],
            "target": [self.terms[one] for one in self.targets[rows].tolist()],
            "relation": [RELATIONS[one] for one in self.relations[rows].tolist()],
        }

    def name(self, term: int) -> str:
        """Return the display name of one entity: its label where there is one."""
        label = None if self.labels is None else self.labels[int(term)]
        return str(label or self.terms[int(term)])


def flip_predicates(alignment: Alignment, turned: NDArray[np.bool_]) -> Places | None:
    """Drop the predicates of correspondences whose ends change places, unless they are symmetric."""
    if alignment.predicates is None:
        return None
    directed = (INVERSE[alignment.relations] != alignment.relations) | (alignment.relations == OTHER)
    return np.where(turned & directed, NONE, alignment.predicates).astype(np.int32)


def _keys(cases: Places, sources: Places, targets: Places, size: int) -> NDArray[np.int64]:
    return (cases.astype(np.int64) * size + sources) * size + targets


def one_case(sources: Places, targets: Places) -> Pairs:
    """Make pairs of the first test case."""
    if not len(sources):
        return NO_PAIRS
    return Pairs(sources=sources, targets=targets, cases=np.zeros(len(sources), dtype=np.int32))


def null_queries(sources: Places) -> Pairs:
    """Add sources without a counterpart; each once."""
    if not len(sources):
        return NO_PAIRS
    once = np.unique(sources).astype(np.int32)
    return one_case(once, np.full(len(once), NONE, dtype=np.int32))


def reindex(alignment: Alignment, terms: TextColumn, place: Places) -> Alignment:
    """Replace the terms of an alignment, given the place of each old term among the new ones."""
    return replace(
        alignment,
        terms=as_names(terms),
        sources=place[alignment.sources],
        targets=place[alignment.targets],
        denied=reindex_pairs(alignment.denied, place),
        nulls=reindex_pairs(alignment.nulls, place),
    )


def reindex_pairs(pairs: Pairs, place: Places) -> Pairs:
    """Map the terms of pairs to their places among other terms."""
    targets = np.where(pairs.targets == NONE, NONE, place[pairs.targets]) if len(place) else pairs.targets
    return replace(pairs, sources=place[pairs.sources], targets=targets.astype(np.int32))


def _check_relation(word: Any) -> int:
    code = relation_code(word) if isinstance(word, str) else None
    if code is None:
        raise unknown_choice_error("relation", word, RELATIONS)
    return code
