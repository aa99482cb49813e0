"""``goldassay selfcheck``: whether this installation is well, and whether a measure suits a gold standard."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import typer

from goldassay.cli import screen
from goldassay.cli.flags import expand_parameters, options_of, refuse_others
from goldassay.cli.groups import MEASURE, OPTION, Vectors
from goldassay.cli.screen import say
from goldassay.core.parameters import parameter
from goldassay.core.text import count_of

if TYPE_CHECKING:
    from rich.table import Table

    from goldassay.selfcheck import Fitness

STEPS_NOTE = "each noise in five equal steps; bars: how near to the best value"


@dataclass(frozen=True, kw_only=True)
class SelfcheckOptions:
    """What is checked on a gold standard."""

    panel: ClassVar[str | None] = None

    gold: str | None = parameter(None, metavar="FILE", flag="--gold -g", help="Check measures on this gold standard.")
    measure: list[str] | None = parameter(None, **MEASURE)
    kind: str | None = parameter(None, metavar="KIND", help="The family of the file.")
    option: list[str] | None = parameter(None, **OPTION)
    seed: int = parameter(0, metavar="N", bounds=(0, math.inf), help="Random seed.")


@expand_parameters
def selfcheck(*, asked: SelfcheckOptions, vectors: Vectors) -> None:
    """Check this installation; with --gold, check whether measures separate good from bad predictions."""
    if asked.gold:
        _check_measures(asked.gold, asked, vectors)
        return
    from goldassay.selfcheck import check_installation, machine

    refuse_others("a check of the installation", (), hint="goldassay selfcheck --gold FILE -m fuzzy")
    for name, value in machine().items():
        say(f"{name:<12} {value}")
    say("")
    checks = list(check_installation())
    for check in checks:
        if check.outcome != "well" or check.detail:
            say(str(check))
    differs = [check for check in checks if check.outcome == "differs"]
    well = sum(check.outcome == "well" for check in checks)
    left_out = len(checks) - well - len(differs)
    say(f"{well} checks well, {len(differs)} differ, {left_out} left out" + ("" if differs else ": all well"))
    if differs:
        raise typer.Exit(1)


def _check_measures(gold: str, asked: SelfcheckOptions, vectors: Vectors) -> None:
    from goldassay.core.context import Context
    from goldassay.encoders import get_encoder
    from goldassay.families import family, kind_of, measure_of
    from goldassay.selfcheck import fitness

    chosen = family(asked.kind or kind_of(gold))
    reading = options_of(asked.option or (), chosen.reading.options)
    measures = [measure_of(chosen, spec) for spec in asked.measure or ()] or list(chosen.measures.default)
    with screen.progress_bar(quiet=False) as progress:
        context = Context(progress=progress, memory=vectors.memory * 2**20)
        encoder = vectors.load_for(measures)
        if any(one.needs_encoder for one in measures):
            context.encoder = get_encoder(encoder)
        model = chosen.reading.read(gold, chosen.reading.options(**reading))
        found = list(fitness(chosen, model, measures, context=context, seed=asked.seed))
    screen.print_lines([f"{gold}: {count_of(len(model), chosen.item)}", STEPS_NOTE])
    for spec in dict.fromkeys(one.measure for one in found):
        own = [one for one in found if one.measure == spec]
        screen.print_lines(["", spec, _table(own)])
        unfit = [one for one in own if not one.fit]
        if unfit:
            say(
                f"! {spec} does not separate good from bad predictions on this gold standard: {', '.join(map(_name_measure, unfit))}"
            )


def _name_measure(one: Fitness) -> str:
    return f"{one.change} ({one.values[-1]:.4f})"


def _table(found: list[Fitness]) -> Table:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    # Where the terminal is narrow, words are broken, and numbers are whole.
    table.add_column("gold with")
    table.add_column("", no_wrap=True)
    for name in ("1", "2", "3", "4", "5"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("")
    for one in found:
        cells = [f"{value:.3f}" for value in one.values]
        shares = f" to {one.steps[-1]:.0%}" if one.steps else ""
        table.add_row(f"{one.change}{shares}", one.bars, *cells, *[""] * (5 - len(cells)), one.verdict)
    return table
