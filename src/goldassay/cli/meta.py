"""``goldassay meta``: measures against people."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeAlias, get_args

import typer

from goldassay.cli import screen
from goldassay.cli.flags import expand_parameters, options_of, refuse_others
from goldassay.cli.groups import MEASURE, OPTION, Vectors
from goldassay.core.errors import UsageError
from goldassay.core.parameters import parameter
from goldassay.core.text import json_text

if TYPE_CHECKING:
    from goldassay.meta import MetaReport, Scores

WIDE = 200
Layout: TypeAlias = Literal["text", "json", "csv", "markdown", "latex"]
Table = Annotated[
    str, typer.Argument(metavar="RATINGS", help="A table with columns item, system, rating, and perhaps rater.")
]


@dataclass(frozen=True, kw_only=True)
class MetaOptions:
    """What is compared with people."""

    panel: ClassVar[str | None] = None

    scores: str | None = parameter(
        None, metavar="FILE", help="A table with columns item and system, and a column for each measure."
    )
    pred: list[str] | None = parameter(
        None, metavar="FILE", help="A prediction to score; the name of the file is its system; repeatable."
    )
    gold: str | None = parameter(None, metavar="FILE", flag="--gold -g", help="Gold standard of --pred.")
    measure: list[str] | None = parameter(None, **MEASURE)
    kind: str | None = parameter(None, metavar="KIND", help="The family of --pred.")
    option: list[str] | None = parameter(None, **OPTION)
    layout: Layout = parameter(
        None, flag="--format", help="Format of the findings. Default: by the suffix of --output, otherwise text."
    )
    output: Path | None = parameter(
        None, metavar="FILE", flag="--output -o", help="Write the findings to a file instead of the screen."
    )
    report: Path | None = parameter(
        None, metavar="FILE", help="Write an HTML page with scatter, ranking and forest; it needs no network."
    )
    permutations: int = parameter(1000, metavar="N", bounds=(1, 10**6), help="Draws of the tests between measures.")
    seed: int = parameter(0, metavar="N", bounds=(0, 2**32), help="Random seed.")

    def __post_init__(self) -> None:
        from goldassay.report.files import layout_for

        layout = layout_for(self.layout, self.output, get_args(Layout), {".html": "--report"})
        object.__setattr__(self, "layout", layout)


@expand_parameters
def meta(ratings: Table, *, asked: MetaOptions, vectors: Vectors) -> None:
    """Compare measures with ratings of people: agreement, its chance level and ceiling, and tests between measures.

    Scores are given by --scores, or computed by --pred, --gold and --measure.
    """
    from goldassay.meta import meta as compare
    from goldassay.meta import read_ratings, read_scores
    from goldassay.report.files import check_outputs, write_whole

    outputs = {"--output": asked.output, "--report": asked.report}
    check_outputs(outputs, [ratings, *filter(None, (asked.scores, asked.gold)), *(asked.pred or [])])
    if bool(asked.scores) == bool(asked.pred):
        raise UsageError(
            "Scores are given twice." if asked.scores else "There are no scores.",
            expected="either --scores FILE, or --pred FILE --gold FILE",
        )
    if asked.scores:
        own = {"ratings", "scores", "layout", "output", "report", "permutations", "seed"}
        refuse_others("--scores", own)
        scores = read_scores(asked.scores)
    else:
        scores = _compute_scores(asked, vectors)
    found = compare(read_ratings(ratings), scores, permutations=asked.permutations, seed=asked.seed)
    if asked.report:
        from goldassay.meta.page import page_of

        page = page_of(found)
        write_whole(asked.report, lambda stream: stream.write(page.encode()))
    if asked.output:
        text = _text(found, asked.layout)
        write_whole(asked.output, lambda stream: stream.write(text.encode()))
    else:
        screen.print_lines(_lines(found, asked.layout))
    screen.say_wrote(asked.output, asked.report)


def _lines(found: MetaReport, layout: str) -> list[Any]:
    """Write the findings in a layout."""
    from goldassay.meta.layouts import frame_of, notes_of, tables_of
    from goldassay.report.files import csv_of
    from goldassay.report.render import table_lines

    if layout == "json":
        return [json_text(found.to_dict(), indent=2)]
    if layout == "csv":
        return [csv_of(frame_of(found)).rstrip("\n")]
    note = "% " if layout == "latex" else ""
    lines: list[Any] = [f"{note}{line}" for line in notes_of(found)]
    for table in tables_of(found):
        lines += ["", *table_lines(table, layout)]
    return lines


def _text(found: MetaReport, layout: str) -> str:
    from rich.console import Console

    console = Console(width=WIDE, no_color=True, highlight=False)
    with console.capture() as caught:
        for line in _lines(found, layout):
            console.print(line, markup=False, soft_wrap=isinstance(line, str))
    return caught.get()


def _compute_scores(asked: MetaOptions, vectors: Vectors) -> Scores:
    """Score predictions item by item."""
    from goldassay.families import family, kind_of, measure_of
    from goldassay.meta.layouts import scores_of

    if not asked.gold:
        raise UsageError("--pred needs --gold.", expected="--gold FILE")
    chosen = family(asked.kind or kind_of(asked.gold, *(asked.pred or [])))
    reading = options_of(asked.option or (), chosen.reading.options)
    measures = [measure_of(chosen, spec) for spec in asked.measure or []] or list(chosen.measures.default)
    encoder = vectors.load_for(measures)
    with screen.caught_warnings(quiet=False, reported=False):
        return scores_of(
            asked.pred or [], gold=asked.gold, kind=chosen.kind, measures=measures, encoder=encoder, **reading
        )
