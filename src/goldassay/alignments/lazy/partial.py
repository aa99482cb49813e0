"""Partial gold on an engine: what gold cannot judge of a prediction is not counted."""

from __future__ import annotations

from dataclasses import replace

from goldassay.alignments.lazy.read import LazyAlignment, sizes_of
from goldassay.alignments.statements import ENDS
from goldassay.core.lazy import Engine
from goldassay.core.partial import ENDS as JUDGED_BY
from goldassay.core.partial import Completeness
from goldassay.formats.tables import once


def judged_lazily(
    pred: LazyAlignment, gold: LazyAlignment, completeness: Completeness, engine: Engine
) -> LazyAlignment:
    """Keep the correspondences that gold can judge: its own pairs, those it denies, and those of which it has an end."""
    import narwhals.stable.v2 as nw

    pairs = gold.frame.select(*ENDS)
    known = once(pairs if gold.denied is None else nw.concat([pairs, gold.denied]), *ENDS)
    frame = pred.frame.join(known.with_columns(pair=nw.lit(value=True)), on=list(ENDS), how="left")
    flags = ["pair"]
    for end in JUDGED_BY[completeness]:
        of_gold = once(gold.frame, end).with_columns(nw.lit(value=True).alias(f"has_{end}"))
        frame = frame.join(of_gold, on=end, how="left")
        flags.append(f"has_{end}")
    judged = nw.any_horizontal(*(~nw.col(flag).is_null() for flag in flags), ignore_nulls=True)
    kept = frame.filter(judged).select(*ENDS, "relation", "score")
    sizes = sizes_of(kept, pred.codes, engine)
    unjudged = len(pred) - sizes["size"]
    left_out = {**pred.left_out, **({"unjudged": unjudged} if unjudged else {})}
    return replace(pred, frame=kept, left_out=left_out, size=sizes["size"], rows=sizes["rows"])
