"""Axioms on an engine: exact F1 and coverage as joins."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Self

from goldassay.axioms.measures.coverage import SECTIONS, Coverage
from goldassay.axioms.model import DATATYPE, KINDS, OBJECT, PARTS, SUBCLASS
from goldassay.axioms.read import NO_KIND, ONE_KIND, encode_kinds, no_axioms_error
from goldassay.axioms.reading import AxiomReading
from goldassay.axioms.spelling import SUBCLASS_WORDS
from goldassay.core.context import Context
from goldassay.core.counts import Counts
from goldassay.core.errors import RecordError, UsageError
from goldassay.core.lazy import Engine, EngineCounts, EngineScoring, Frame, LazyItems
from goldassay.core.libraries import nw
from goldassay.core.measure import Measure
from goldassay.formats.known import MEMORY
from goldassay.formats.lazy import LazyTable, nonzero_counts, verdicts
from goldassay.formats.records import BadRecords
from goldassay.formats.tables import distinct_rows, empty_flaws, map_texts, rows_in, validate_rows


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class LazyAxioms(LazyItems):
    """Axioms on an engine, each once: columns class, property and object, as they are compared, and kind (row of ``KINDS``)."""

    def compared(self, measure: Measure[Any, Any], engine: Engine) -> Self:
        """Return the axioms without their kinds."""
        del measure, engine
        return replace(self, frame=self.frame.select(*PARTS))


def read_lazily(table: LazyTable, reading: AxiomReading, engine: Engine) -> LazyAxioms:
    """Read axioms from a table."""
    notes: list[str] = []
    choice, bad = table.choice(reading.chooser()), BadRecords(on_error=reading.on_error)
    frame, flaws = table.chosen(choice, engine), empty_flaws(list(choice.places), engine, table.called)
    if "kind" in choice.places:
        frame, unknown = encode_kinds(frame, engine)
        flaws += unknown
    frame, sums = validate_rows(frame, flaws, bad=bad, engine=engine)
    is_subclass = nw.col("property").str.to_lowercase().is_in(sorted(SUBCLASS_WORDS))
    frame = map_texts(frame.with_columns(is_subclass=is_subclass), PARTS, reading.spelling.key, engine)
    if "kind" not in choice.places:
        classes = distinct_rows(frame, "class").select(object=nw.col("class"), is_class=nw.lit(value=True))
        kind = nw.when(~nw.col("is_class").is_null()).then(nw.lit(OBJECT)).otherwise(nw.lit(DATATYPE))
        kind = nw.when(nw.col("is_subclass")).then(nw.lit(SUBCLASS)).otherwise(kind)
        frame = frame.join(classes, on="object", how="left").with_columns(code=kind)
        (notes if table.format == MEMORY else table.warnings).append(NO_KIND)
    items = engine.materialize(distinct_rows(frame, *PARTS, kind=nw.col("code").min(), other=nw.col("code").max()))
    _refuse_two(items, engine, stated="kind" in choice.places)
    size = rows_in(items, engine)
    good = sums["rows"] - sums["skipped_records"]
    axioms = LazyAxioms(
        frame=items.select(*PARTS, "kind"),
        size=size,
        path=table.path,
        format=table.format,
        left_out=nonzero_counts(**bad.left_out(), duplicates=good - size),
        facts={"rows": good},
        notes=(*notes, *bad.notes()),
        warnings=tuple(table.warnings),
        choices=reading.choices,
    )
    if not size:
        raise no_axioms_error(axioms)
    return axioms


def _refuse_two(items: Frame, engine: Engine, *, stated: bool) -> None:
    """Refuse a property of two kinds, or, where kinds are not stated, an axiom of two kinds: rows are in no order."""
    of = ("property",) if stated else PARTS
    kinds = distinct_rows(items, *of, least=nw.col("kind").min(), most=nw.col("other").max())
    wrong = engine.rows(kinds.filter(nw.col("least") != nw.col("most")).head(1))
    if wrong:
        named = " ".join(wrong[0][part] for part in of)
        raise RecordError(
            f"The {'property' if stated else 'axiom'} {named!r} has two kinds.",
            found=f"{KINDS[int(wrong[0]['least'])]} and {KINDS[int(wrong[0]['most'])]}",
            expected="one kind",
            hint=ONE_KIND,
        )


def count_coverage(
    measure: Coverage, pred: LazyAxioms, gold: LazyAxioms, engine: Engine, context: Context
) -> EngineCounts:
    """Count the classes, relations and datatype properties of both sides."""
    del context
    if measure.equivalences:
        raise UsageError(f"{measure}: equivalences are not supported on an engine.", hint="leave out --engine")
    here, there = (engine.materialize(_vocabulary(side.frame)) for side in (pred, gold))
    keys = ("section", "name")
    shared = engine.materialize(here.join(there, on=list(keys), how="inner").select(*keys))
    mine, theirs, both = (
        {row["section"]: int(row["size"]) for row in engine.rows(distinct_rows(frame, "section", size=nw.len()))}
        for frame in (here, there, shared)
    )
    counts: dict[str, int] = {}
    for name in SECTIONS:
        covered = both.get(name, 0)
        counts |= {f"covered_{name}": covered, f"gold_{name}": theirs.get(name, 0)}
        counts[f"extra_{name}"] = mine.get(name, 0) - covered
    evidence = partial(verdicts, here, there, (shared, shared), keys, keys)
    return EngineCounts(counts=Counts(counts), evidence=evidence)


def _vocabulary(axioms: Frame) -> Frame:
    """List each class (subject), relation (subClassOf included) and datatype property once."""
    is_datatype = nw.col("kind") == DATATYPE
    chosen = ((axioms, "class"), (axioms.filter(~is_datatype), "property"), (axioms.filter(is_datatype), "property"))
    return nw.concat([
        distinct_rows(frame, part).select(section=nw.lit(section), name=nw.col(part))
        for section, (frame, part) in zip(SECTIONS, chosen, strict=True)
    ])  # fmt: skip


LAZILY = EngineScoring(read=read_lazily, count={Coverage: count_coverage})
"""How axioms are scored on an engine."""
