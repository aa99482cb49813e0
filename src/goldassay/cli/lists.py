"""The commands that list what there is, or show one in full: ``measures``, ``presets``, ``tasks``; and ``schema``."""

from __future__ import annotations

import json
import shutil
import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from goldassay.cli.screen import say
from goldassay.core.errors import unknown_choice_error

if TYPE_CHECKING:
    from goldassay.core.measure import Measure
    from goldassay.core.preset import Preset
    from goldassay.tasks import Task


def measures(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="One measure, in full.")] = None,
) -> None:
    """List the measures, or show one with its formula, citation, parameters and conventions."""
    from goldassay.families import all_measures

    known = all_measures()
    if name is None:
        rows = ((str(one()), f"goldassay {one.family}", one.title, ", ".join(one().values)) for one in known.values())
        _print_table(("measure", "command", "title", "values"), rows)
    elif name in known:
        _print_measure(known[name])
    else:
        raise unknown_choice_error("measure", name, known)


def presets(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="One preset, in full.")] = None,
) -> None:
    """List the presets, or show one with a minimal example."""
    from goldassay.families import families

    known = {preset.name: (kind, preset) for kind, family in families().items() for preset in family.measures.presets}
    if name is None:
        _print_presets(known)
    elif name in known:
        _print_preset(*known[name])
    else:
        raise unknown_choice_error("preset", name, known)


def tasks(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="One task, in full.")] = None,
) -> None:
    """List the named tasks, or show one with its files, licence and published results."""
    from goldassay.tasks import find, list_tasks

    if name is not None:
        _print_task(find(name))
        return
    rows = ((one.name, one.kind, _get(one, "by hand"), one.benchmark.title) for one in list_tasks().values())
    _print_table(("task", "family", "gold", "title"), rows, whole=3)
    say("\ngoldassay tasks NAME shows one; goldassay score --task NAME PRED scores on it.")


def schema() -> None:
    """Print the JSON schema of reports (--format json)."""
    from goldassay.report.shape import report_schema

    say(json.dumps(report_schema(), indent=2))


def _print_table(heads: Sequence[str], rows: Iterable[Sequence[str]], *, whole: int = 1) -> None:
    """Print a table, whose first columns may not be folded."""
    from rich.console import Console

    from goldassay.report.render import plain_table

    table = plain_table()
    for place, head in enumerate(heads):
        table.add_column(head, no_wrap=place == 0, overflow="fold" if place >= whole else "ellipsis")
    for row in rows:
        table.add_row(*row)
    Console(highlight=False).print(table)


def _print_measure(measure: type[Measure[Any, Any]]) -> None:
    from goldassay.cards import card_lines
    from goldassay.core.family import reference
    from goldassay.core.parameters import parameters_of

    say(f"{measure()}: {measure.title} (goldassay {measure.family})\n")
    say((measure.__doc__ or "").strip().splitlines()[0])
    say(f"\nformula\n  {measure.formula}")
    bounds = ", ".join(f"{value} in [{low:g}, {high:g}]" for value, (low, high) in measure().values.items())
    say(f"\nvalues\n  {bounds}; {'higher' if measure.higher_is_better else 'lower'} is better")
    say("\nparameters")
    for parameter in parameters_of(measure).values():
        say(f"  {parameter.name} = {parameter.default}: {parameter.help} ({parameter.expected})")
    if measure.conventions:
        say("\nconventions")
        for convention in measure.conventions:
            say(f"  {convention}")
    say("\nhow it tracks people")
    for line in card_lines(measure):
        say(f"  {line}")
    say(f"\ncite\n{reference(measure.citation)}")


def _print_presets(known: dict[str, tuple[str, Preset]]) -> None:
    width = shutil.get_terminal_size().columns
    for kind, preset in known.values():
        example = preset.example
        clean, other = example.numbers
        say(f"goldassay {kind} --as {preset.name}")
        for line in (
            f"{preset.tool}: {preset.versions}",
            preset.differs,
            f"example: {example.value} {clean:.4f} by {example.clean}, {other:.4f} by this preset",
        ):
            say(textwrap.fill(line, width, initial_indent="  ", subsequent_indent="    "))
        say("")
    say("goldassay presets NAME shows one with its smallest example.")


def _print_preset(kind: str, preset: Preset) -> None:
    needs = f" {preset.needs}" if preset.needs else ""
    say(f"{preset.name}: {preset.tool}\n\nversions\n  {preset.versions}")
    say(f"\ncommand\n  goldassay {kind} PRED --gold FILE --as {preset.name}{needs}")
    say("\nmeasures")
    for spec in preset.measures:
        say(f"  {spec}")
    for option, value in preset.reading.items():
        say(f"  --{option.replace('_', '-')} {value}")
    say(f"\nwhat it does differently\n  {preset.differs}")
    example = preset.example
    say("\nsmallest example")
    for title, text in (("prediction", example.pred), ("gold", example.gold), *example.files.items()):
        say(f"  {title}")
        for line in text.splitlines():
            say(f"    {line}")
    clean, other = example.numbers
    theirs = f"{example.preset_value} " if example.preset_value else ""
    say(f"  {example.value}: {clean:.4f} by {example.clean}, {theirs}{other:.4f} by {example.preset}")


def _get(task: Task, otherwise: str) -> str:
    return "--download" if all(one.url for one in task.files) else otherwise


def _print_task(task: Task) -> None:
    about = task.benchmark
    lines = [f"{task.name}: {about.title}", "", f"page      {about.page}", f"licence   {about.licence}", ""]
    lines += ["command", f"  goldassay score --task {task.name} PRED", "", "measures"]
    lines += [f"  {spec}" for spec in task.measures]
    lines += [f"  --{name} {value}" for name, value in task.options.items()]
    lines += ["", "files"]
    lines += [f"  {one.path} (SHA-256 {one.sha256 or 'not published'})" for one in task.files]
    lines += [f"  get them: {_get(task, task.get or about.page)}", ""]
    lines += ["published"] if about.published else ["published: nothing that is registered here"]
    for one in about.published:
        values = (
            f"{spec} {', '.join(f'{name} {value:.4f}' for name, value in of.items())}"
            for spec, of in one.values.items()
        )
        lines.append(f"  {one.system}: {'; '.join(values)}")
    lines += [f"  from {source}" for source in dict.fromkeys(one.source for one in about.published)]
    width = shutil.get_terminal_size().columns
    for line in lines:
        indent = line[: len(line) - len(line.lstrip())]
        say(textwrap.fill(line, width, subsequent_indent=f"{indent}  ", break_long_words=False, break_on_hyphens=False))
