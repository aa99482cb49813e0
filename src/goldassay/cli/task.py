"""``goldassay score --task NAME``: the command of a family, with the gold, the options and the measures of a named task."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from goldassay.cli.screen import say
from goldassay.core.errors import UsageError

if TYPE_CHECKING:
    from goldassay.tasks import Located, Task


def score(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="PRED", help="Predictions, and flags of the family: see goldassay FAMILY --help."),
    ] = None,
    task: Annotated[
        str, typer.Option("--task", metavar="NAME", help="The task. See: goldassay tasks", show_default=False)
    ] = "",
    download: Annotated[
        bool, typer.Option("--download", help="Allow downloading missing gold and weights of the encoder.")
    ] = False,
) -> None:
    """Score predictions on a named task, next to published results.

    Gold is read from the folder GOLDASSAY_TASKS, or downloaded with --download, and verified.
    """
    from goldassay.cli import command_of_family
    from goldassay.families import family
    from goldassay.tasks import find, locate

    if not task:
        raise UsageError("--task is missing.", expected="goldassay score --task NAME PRED...", hint="goldassay tasks")
    words = words or []
    if any(word.startswith(("--gold", "-g")) for word in words):
        raise UsageError(f"The task {task} has its own gold.", found="--gold", hint="leave it out")
    found = find(task)
    files = locate(found, download=download)
    for path, digest in files.unchecked.items():
        say(f"goldassay: note: there is no published digest of {path}; this file has SHA-256 {digest}", err=True)
    command = command_of_family(found.kind, benchmark=found.benchmark)
    allowed = ["--download"] if download and family(found.kind).measures.encode else []
    with command.make_context(f"goldassay score --task {task}", [*words, *_flags(found, files), *allowed]) as made:
        command.invoke(made)


def _flags(task: Task, files: Located) -> Iterator[str]:
    """Write a task as flags of the command of its family."""
    yield from ("--gold", str(files.gold))
    for spec in task.measures:
        yield from ("--measure", spec)
    for name, value in files.options.items():
        for one in value if isinstance(value, list) else [value]:
            yield from _flag(name, one)


def _flag(name: str, value: Any) -> Iterator[str]:
    if value is not False:
        yield f"--{name}"
    if not isinstance(value, bool):
        yield str(value)
