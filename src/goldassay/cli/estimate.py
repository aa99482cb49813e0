"""``goldassay estimate``: precision with an interval, from labels of drawn items."""

from __future__ import annotations

from dataclasses import dataclass, replace
from os.path import exists
from typing import Annotated, ClassVar, Literal

import typer

from goldassay.cli import screen
from goldassay.cli.flags import expand_parameters, given_flags, options_of
from goldassay.cli.groups import OPTION, Gates, Output
from goldassay.cli.runs import files_of
from goldassay.core.errors import UsageError
from goldassay.core.parameters import parameter

Todo = Annotated[
    str, typer.Argument(metavar="TODO", help="The labelled table that goldassay sample wrote.", show_default=False)
]
Preds = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="PRED...",
        help="The predictions that items were drawn from, files or NAME=FILE; all of them if none is given.",
        show_default=False,
    ),
]


@dataclass(frozen=True, kw_only=True)
class EstimateOptions:
    """How labels become estimates."""

    panel: ClassVar[str] = "Estimates"

    interval: Literal["mid_p", "wilson", "ahpd", "hpd", "wilson_poisson"] | None = parameter(
        None,
        help="The interval. Default: mid_p (exact) for simple samples, wilson on the effective size for others.",
    )
    level: float = parameter(0.95, metavar="SHARE", bounds=(0.5, 0.999), help="Confidence level of the intervals.")
    unsure: Literal["leave-out", "wrong", "right"] = parameter("leave-out", help="What unsure labels count as.")
    by: list[str] | None = parameter(
        None, metavar="GROUP", help="Also show precision by relation, document or stratum; repeatable."
    )
    verdicts: list[str] | None = parameter(
        None,
        metavar="FILE",
        help="Verdicts of a judge, such as a language model, on the items: CSV or JSON Lines; repeatable.",
    )
    unanswered: Literal["wrong", "unsure", "leave-out"] = parameter(
        "wrong", help="What verdicts without an answer count as."
    )
    design: Literal["simple"] | None = parameter(
        None, help="Use labels without a design file, if every item was equally likely to be labelled."
    )
    kind: str | None = parameter(None, metavar="KIND", help="The family, for --design simple.")
    option: list[str] | None = parameter(None, **OPTION)
    seed: int = parameter(0, metavar="N", help="Random seed of the resamples.")


@expand_parameters
def estimate(todo: Todo, preds: Preds = None, *, estimated: EstimateOptions, output: Output, gates: Gates) -> None:
    """Estimate the precision of predictions, with an interval, from the labels of drawn items.

    Several predictions are compared on the same labels. Documents that were labelled exhaustively also give recall and F1.
    """
    from goldassay.families import family, kind_of
    from goldassay.sampling.drawing import simple_design
    from goldassay.sampling.results import EstimateOptions, estimate_file
    from goldassay.sampling.todo import design_path

    files = files_of(preds or [], folders=True)
    output.check([todo, *files])
    checks = gates.opened()
    wanted = EstimateOptions(
        interval=estimated.interval, level=estimated.level, unsure=estimated.unsure, unanswered=estimated.unanswered,
        by=tuple(estimated.by or ()), seed=estimated.seed,
    )  # fmt: skip
    design = None
    for flag in () if estimated.design else given_flags(["kind", "option"]):
        raise UsageError(f"{flag} has no effect: the design says how predictions are read.", hint=f"leave out {flag}")
    if estimated.design:
        if exists(design_path(todo)):
            raise UsageError(
                "--design has no effect: the labels have a design file.",
                found=str(design_path(todo)),
                hint="leave out --design",
            )
        kind = estimated.kind or kind_of(*files)
        reading = options_of(estimated.option or (), family(kind).reading.options)
        design = simple_design(todo, files, kind=kind, reading=reading)
    with screen.steps(verbose=output.verbose), screen.caught_warnings(quiet=output.quiet):
        report = estimate_file(todo, files, wanted=wanted, verdicts=estimated.verdicts or [], sample=design)
        report = screen.write_files(replace(report, checks=checks), output)
        screen.show(report, output)
    screen.say_written(output)
    screen.exit_if_failed(report)
