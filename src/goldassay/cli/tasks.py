"""``goldassay tasks``: gold that others published, by name."""

from __future__ import annotations

import shutil
import textwrap
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from goldassay.tasks import Task


def tasks(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="One task, in full.")] = None,
) -> None:
    """List the named tasks, or show one with its files, its licence and what was published on it."""
    from goldassay.tasks import all_tasks, find

    if name is None:
        _print_list(all_tasks())
    else:
        _print_one(find(name))


def _print_list(known: dict[str, Task]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="dim")
    table.add_column("task", no_wrap=True)
    table.add_column("family")
    table.add_column("gold")
    table.add_column("title", overflow="fold")
    for one in known.values():
        table.add_row(one.name, one.kind, "--download" if _is_online(one) else "by hand", one.benchmark.title)
    Console(highlight=False).print(table)
    typer.echo("\ngoldassay tasks NAME shows one; goldassay score --task NAME PRED scores on it.")


def _is_online(task: Task) -> bool:
    return all(one.url for one in task.files)


def _print_one(task: Task) -> None:
    from goldassay.core.text import visible

    about = task.benchmark
    lines = [f"{task.name}: {about.title}", "", f"page      {about.page}", f"licence   {about.licence}", ""]
    lines += ["command", f"  goldassay score --task {task.name} PRED", "", "measures"]
    lines += [f"  {spec}" for spec in task.measures]
    lines += [f"  --{name} {value}" for name, value in task.options.items()]
    lines += ["", "files"]
    lines += [f"  {one.path} (SHA-256 {one.sha256 or 'not published'})" for one in task.files]
    lines += [f"  get them: {'--download' if _is_online(task) else task.get or about.page}", ""]
    lines += ["published"] if about.published else ["published: nothing that is registered here"]
    for one in about.published:
        told = (
            f"{spec} {', '.join(f'{name} {value:.4f}' for name, value in of.items())}"
            for spec, of in one.values.items()
        )
        lines.append(f"  {one.system}: {'; '.join(told)}")
    lines += [f"  from {source}" for source in dict.fromkeys(one.source for one in about.published)]
    width = shutil.get_terminal_size().columns
    for line in lines:
        indent = line[: len(line) - len(line.lstrip())]
        typer.echo(
            textwrap.fill(
                visible(line), width, subsequent_indent=f"{indent}  ", break_long_words=False, break_on_hyphens=False
            )
        )
