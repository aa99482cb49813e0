"""``goldassay sample``: items of predictions, drawn to be labelled."""

from __future__ import annotations

import math
from dataclasses import dataclass
from os.path import exists
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import typer

from goldassay.cli import screen
from goldassay.cli.flags import expand_parameters, options_of, refuse_others
from goldassay.cli.groups import OPTION, Vectors
from goldassay.cli.runs import files_of
from goldassay.core.errors import InputError, UsageError
from goldassay.core.parameters import parameter
from goldassay.core.text import count_of
from goldassay.formats.options import OnError

if TYPE_CHECKING:
    from goldassay.inputs import File
    from goldassay.sampling.drawing import Drawing

Preds = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="PRED...", help="The predictions, files or NAME=FILE; several are one pool.", show_default=False
    ),
]
USUAL_SIZE = 200


@dataclass(frozen=True, kw_only=True)
class DrawOptions:
    """What is drawn, and how."""

    panel: ClassVar[str] = "Design"

    design: Literal["simple", "strata", "clusters", "stratified-clusters", "documents"] = parameter(
        "simple", help="How items are drawn; documents are labelled exhaustively, for recall."
    )
    size: int | None = parameter(
        None, metavar="N", bounds=(1, math.inf), help=f"Number of items to label. Default: {USUAL_SIZE}."
    )
    half_width: float | None = parameter(
        None,
        metavar="W",
        help="Draw as many items as an interval of this half width needs, such as 0.03, instead of --size.",
    )
    expect: float = parameter(0.5, metavar="SHARE", bounds=(0.0, 1.0), help="Expected precision, for --half-width.")
    strata: Literal["evidence", "score", "relation", "agreement"] | None = parameter(
        None, help="What makes strata: evidence of --gold, score, relation, or agreement of predictions."
    )
    clusters: Literal["subject", "document"] | None = parameter(None, help="What clusters are made of.")
    per_cluster: int = parameter(
        3, metavar="N", bounds=(1, math.inf), help="Maximum number of labelled items per cluster."
    )
    seed: int = parameter(0, metavar="N", bounds=(0, math.inf), help="Random seed: the same seed draws the same items.")
    gold: str | None = parameter(
        None, metavar="FILE", flag="--gold -g", help="A gold standard, for strata of evidence."
    )


@dataclass(frozen=True, kw_only=True)
class OutputOptions:
    """What is written, and how predictions are read."""

    panel: ClassVar[str | None] = None

    output: Path | None = parameter(
        None, metavar="FILE", flag="--output -o", help="The table to label; the design is written with it."
    )
    layout: Literal["csv", "html", "prompts"] = parameter(
        None,
        flag="--format",
        help="A table (csv), a page to label with the keyboard (html), or JSON Lines to ask a model (prompts). Default: by the "
        "suffix of --output, otherwise csv.",
    )
    more: int | None = parameter(
        None,
        metavar="N",
        bounds=(1, math.inf),
        help="Add N new items to the table of --output. PRED is needed only if it has moved.",
    )
    reuse: Path | None = parameter(None, metavar="FILE", help="Take existing labels from another table.")
    kind: str | None = parameter(None, metavar="KIND", help="The family, if not detected: taxonomy, triples, ...")
    input_format: str | None = parameter(None, metavar="FORMAT", help="Override format detection.")
    option: list[str] | None = parameter(None, **OPTION)
    on_error: OnError = parameter("stop", help="Whether to stop at a bad record, or to skip and count it.")
    engine: Literal["duckdb", "spark"] | None = parameter(None, help="Draw on an engine, from one table of triples.")
    spark_remote: str | None = parameter(None, metavar="URL", help="Spark Connect, such as sc://HOST.")
    quiet: bool = parameter(False, flag="--quiet -q", help="Hide notes.")

    def __post_init__(self) -> None:
        from goldassay.report.files import layout_for

        object.__setattr__(self, "layout", layout_for(self.layout, self.output, ("csv", "html", "prompts")))


@expand_parameters
def sample(preds: Preds = None, *, drawn: DrawOptions, written: OutputOptions) -> None:
    """Draw items of predictions to label, to estimate precision without a gold standard.

    Writes todo.csv, with an empty column label (yes, no or unsure), and todo.design.json, the design of the sample.
    Then: goldassay estimate todo.csv PRED.
    """
    if written.output is None:
        raise UsageError("--output is missing.", hint="-o todo.csv")
    files = files_of(preds or [], folders=True)
    with screen.caught_warnings(quiet=False, reported=False):
        made = _draw_more(files, written) if written.more else _draw(files, drawn, written)
    write(made, written)
    if not written.quiet:
        size = count_of(len(made.sample.items), "item")
        screen.print_lines([*(f"note: {note}" for note in made.notes), f"wrote {written.output}: {size} to label"])


def _draw(preds: list[File], drawn: DrawOptions, written: OutputOptions) -> Drawing:
    from goldassay.families import kind_of
    from goldassay.report.files import check_outputs
    from goldassay.sampling.drawing import draw
    from goldassay.sampling.sample import SampleRequest

    if not preds:
        raise UsageError("The prediction is missing.", expected="PRED...")
    if drawn.size and drawn.half_width:
        raise UsageError(
            "--size and --half-width cannot be combined.", found="--size and --half-width", hint="leave one out"
        )
    check_outputs({"--output": written.output}, [*preds, *([drawn.gold] if drawn.gold else [])])
    if written.output and exists(written.output) and written.layout == "csv":
        raise UsageError(
            "The table already exists, and may contain labels.",
            found=str(written.output),
            hint="--more N extends it; else remove it",
        )
    asked = SampleRequest(
        design=drawn.design, strata=drawn.strata, clusters=drawn.clusters, per_cluster=drawn.per_cluster,
        size=drawn.size or USUAL_SIZE, seed=drawn.seed,
    )  # fmt: skip
    kind = written.kind or kind_of(*preds)
    try:
        return draw(
            preds, kind=kind, asked=asked, gold=drawn.gold, half_width=drawn.half_width, expected=drawn.expect,
            reading=reading_of(written, kind), engine=_engine(written),
        )  # fmt: skip
    except InputError as error:
        if written.kind is None:
            error.hint = error.hint or f"it was read as {kind}; --kind names another family"
        raise


def _engine(written: OutputOptions) -> Any:
    from goldassay.engines import engine_of

    if written.engine is None:
        return None
    return engine_of(written.engine, memory=Vectors.memory * 2**20, spark_remote=written.spark_remote)


def _draw_more(preds: list[File], written: OutputOptions) -> Drawing:
    from goldassay.sampling.drawing import extend
    from goldassay.sampling.estimates import raters_of, settle_labels
    from goldassay.sampling.todo import load_design, read_labels

    refuse_others(
        "--more",
        {
            "preds",
            "more",
            "output",
            "quiet",
            "engine",
            "spark_remote",
            *(["layout"] if written.layout == "html" else []),
        },
        hint="the design says how items were drawn",
    )
    assert written.output is not None and written.more is not None  # noqa: S101, PT018 - checked by the caller
    known = load_design(table_of(written))
    labels = settle_labels(raters_of(read_labels(table_of(written), known.items).given))
    return extend(known, written.more, labels, preds=preds, engine=_engine(written))


def table_of(written: OutputOptions) -> Path:
    """Return the table that has the labels: a page saves it under its own name, as CSV."""
    assert written.output is not None  # noqa: S101 - checked by the caller
    return written.output.with_suffix(".csv") if written.layout == "html" else written.output


def write(made: Drawing, written: OutputOptions) -> None:
    """Write the table and its design; rows that are there keep their labels."""
    from goldassay.report.files import write_whole
    from goldassay.sampling import todo

    assert written.output is not None  # noqa: S101 - checked by the caller
    path, rows = written.output, made.rows
    if written.more:
        rows = [row for _, row in todo.table_rows(table_of(written))] + rows
    elif written.reuse:
        rows = todo.copy_labels(rows, made.sample, written.reuse)
    # The design is first: without it a table is of no use.
    todo.save_design(made.sample, todo.design_path(path), overwrite=written.more is not None)
    if written.layout == "html":
        exhaustive = made.sample.asked.design == "documents"
        page = todo.page_of(rows, title=f"{made.sample.item}s to label", name=f"{path.stem}.csv", exhaustive=exhaustive)
        write_whole(path, lambda stream: stream.write(page.encode()))
    elif written.layout == "prompts":
        todo.save_prompts(rows, path)
    else:
        todo.save_table(rows, path)


def reading_of(written: OutputOptions, kind: str) -> dict[str, Any]:
    """Return the options of the family's reader that were given."""
    from goldassay.families import family

    found: dict[str, Any] = {"on_error": written.on_error} if written.on_error != "stop" else {}
    if written.input_format:
        found["input_format"] = written.input_format
    return found | options_of(written.option or (), family(kind).reading.options)
