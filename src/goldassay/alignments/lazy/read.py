"""Tables on an engine to alignments: the rules of the reader of files, as expressions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Self

from goldassay.alignments.formats.sssom import namespaces_of, prefixes_above
from goldassay.alignments.reading import AlignmentReading
from goldassay.alignments.relations import DISJOINT, UNJUDGED
from goldassay.alignments.statements import ENDS, PLAIN, Words, remarks, statements
from goldassay.core.errors import InputError, RecordError, UsageError
from goldassay.core.lazy import Engine, Frame, LazyItems
from goldassay.core.parameters import parameters_of
from goldassay.formats.lazy import LazyTable, left_out_of
from goldassay.formats.records import BadRecords
from goldassay.formats.roles import SSSOM
from goldassay.formats.tables import how_many, numbers_of, once, rows_in

UNSUPPORTED = ("unordered", "block", "source_ontology", "target_ontology")
"""Options that an engine does not know."""


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
    """Make an alignment of a table."""
    import narwhals.stable.v2 as nw

    _refuse_options(reading)
    bad = BadRecords(on_error=reading.on_error)
    frame, words = (_mappings if table.format == "sssom" else _correspondences)(table, reading, engine)
    found = statements(frame, words, reading, path=table.path, bad=bad, engine=engine)
    taken = (found.frame if found.plain else found.frame.filter(nw.col("taken"))).select(*ENDS, "relation", "score")
    sums, sizes = found.sums, sizes_of(taken, found.codes, engine)
    rows, size = sizes["rows"], sizes["size"]
    nulls = rows_in(once(found.frame.filter(nw.col("null")), "source"), engine) if sums["null"] else 0
    return LazyAlignment(
        frame=taken,
        size=size,
        rows=rows,
        codes=found.codes,
        denied=once(found.frame.filter(nw.col("denied")), *ENDS) if sums["denied"] else None,
        beyond_unit=found.beyond_unit,
        path=table.path,
        format=table.format,
        left_out=left_out_of(**bad.left_out(), **found.left_out, duplicates=rows - size),
        facts={"rows": sums["rows"], "unjudged": sizes["unjudged"], "denied": sums["denied"], **found.unscored(size)},
        notes=(
            *bad.notes(), *found.notes(rows),
            *remarks(
                unjudged=sizes["unjudged"], denied=sums["denied"], nulls=nulls, alone=sums["alone"],
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


def _correspondences(table: LazyTable, reading: AlignmentReading, engine: Engine) -> tuple[Frame, Words]:
    choice = table.choice(reading.chooser(table.path))
    if "candidates" in choice.places:
        raise InputError(
            "Lists of candidates are read on one machine alone.",
            path=table.path,
            found=table.names[choice.places["candidates"]],
            expected="one candidate a row",
            hint="leave out --engine",
        )
    return table.chosen(choice, engine, numbers=("score",)), PLAIN


def _mappings(table: LazyTable, reading: AlignmentReading, engine: Engine) -> tuple[Frame, Words]:
    choice = table.choice(SSSOM.chooser(table.path))
    namespaces = namespaces_of(prefixes_above(table.comments), table.path, reading.metadata)
    return table.chosen(choice, engine), Words(open=True, namespaces=namespaces)
