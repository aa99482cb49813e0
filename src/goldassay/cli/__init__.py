"""The command line: the commands of families are made from the families, each other command is a file."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption

from goldassay.core.errors import UsageError, nearest
from goldassay.core.text import show_object, to_one_line
from goldassay.core.version import __version__

if TYPE_CHECKING:
    from goldassay.report.results import Benchmark

ABOUT = "Score predicted knowledge structures against a gold standard."
COMMANDS = {
    "example": "Write example files of each family, and the commands that score them.",
    "score": "Score on a named task, next to published results.",
    "tasks": "List the named tasks, or show one.",
    "compare": "Compare several predictions, with confidence intervals and paired tests.",
    "sample": "Draw items of predictions to be labelled, where there is no gold standard.",
    "estimate": "Estimate precision from labels of drawn items, with an interval.",
    "plan": "Plan how many labels, documents or runs are needed.",
    "convert": "Convert a file to another format.",
    "diff": "List the items that one file has and another does not.",
    "measures": "List the measures, or show one with formula, citation and parameters.",
    "presets": "List the presets (numbers of other tools), or show one with a minimal example.",
    "calibrate": "Calibrate the threshold of an encoder.",
    "meta": "Compare measures with ratings of people.",
    "inspect": "Show what a file contains, and what would be scored.",
    "serve": "Score files in a browser, or serve the leaderboard of a challenge.",
    "selfcheck": "Check this installation, or whether measures suit a gold standard.",
    "schema": "Print the JSON schema of reports.",
    "challenge": "Organise a shared task, or check a submission to one.",
    "cache": "Show or delete the embedding cache.",
}
"""The other commands: each is made by a function of its name, in a module of its name or in one of `MODULES`."""
MODULES = {"score": "task", **dict.fromkeys(("measures", "presets", "tasks", "schema"), "lists")}


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"goldassay {__version__}")
        raise typer.Exit


NotUnderstood: Any = typer.BadParameter.__base__
"""What the parser raises; the module that it is in depends on the version of typer."""


class Command(TyperCommand):
    """A command whose help shows no type of an argument, or a flag that takes no value."""

    def get_params(self, ctx: Any) -> list[Any]:
        """List the parameters of the command."""
        return _hide_types(super().get_params(ctx))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the command line, and refuse an invalid value, and a flag of one value that is given twice: only the last would count."""
        try:
            given, _, order = self.make_parser(ctx).parse_args(list(args))
        except NotUnderstood as error:
            error.ctx = error.ctx or ctx  # not all errors of the parser name the command
            raise
        times = Counter(one for one in order if isinstance(one, TyperOption) and not one.multiple and not one.is_flag)
        for one, count in times.items():
            if count > 1:
                raise UsageError("This option takes one value and is given twice.", found=one.opts[0])
        try:
            rest = super().parse_args(ctx, args)
        except typer.BadParameter as error:
            if type(error) is not typer.BadParameter or error.param is None:  # one that is missing
                raise
            from goldassay.cli.flags import invalid_value

            name = str(error.param.name)
            flag, hints = error.param.opts[0], get_type_hints(self.callback, include_extras=True)
            raise invalid_value(flag, hints[name], given.get(name), ctx.command_path) or error from None
        from goldassay.cli.flags import remember_given

        remember_given(ctx)
        return rest


class Group(TyperGroup):
    """Commands of which an unknown one is refused with those that are known."""

    def get_params(self, ctx: Any) -> list[Any]:
        """List the parameters before a command."""
        return _hide_types(super().get_params(ctx))

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any | None, list[str]]:
        """Find the command that is called."""
        known = self.list_commands(ctx)
        if args[0] not in known and not args[0].startswith("-"):
            # What Python calls evaluate is the command of each family.
            is_score = args[0] in ("evaluate", "eval") and "taxonomy" in known
            meant = (
                "taxonomy PRED --gold FILE    or the command of another family" if is_score else nearest(args[0], known)
            )
            raise UsageError(
                f"Unknown command {show_object(args[0])}.",
                expected=", ".join(known),
                hint=f"{ctx.command_path} {meant or '--help'}",
            )
        return super().resolve_command(ctx, args)


class Commands(Group):
    """All commands, each imported only when it is called."""

    def main(self, *args: Any, standalone_mode: bool = True, **settings: Any) -> Any:
        """Run a command; what typer's parser refuses is an error that is printed like all others."""
        try:
            code = super().main(*args, **{**settings, "standalone_mode": False})
        except NotUnderstood as error:
            if type(error).__name__ == "NoArgsIsHelpError":  # typer has printed the help
                sys.exit(2)
            called = error.ctx.command_path if error.ctx else "goldassay"
            raise UsageError(to_one_line(error.format_message()), hint=f"{called} --help") from None
        if standalone_mode:
            sys.exit(code)
        return code

    def list_commands(self, ctx: Any) -> list[str]:
        """List families first, then the other commands."""
        del ctx
        from goldassay.families import kinds

        return [*kinds(), *COMMANDS]

    def get_command(self, ctx: Any, cmd_name: str) -> Any | None:
        """Return a command with its name and its line in the list; `resolve_command` makes the one to call."""
        del ctx
        from goldassay.families import kinds

        about = {**kinds(), **COMMANDS}
        return TyperCommand(cmd_name, help=about[cmd_name]) if cmd_name in about else None

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any | None, list[str]]:
        """Find the command that is called, and make it."""
        name, _, rest = super().resolve_command(ctx, args)
        return name, make_command(str(name)), rest


def _hide_types(params: list[Any]) -> list[Any]:
    """Hide the types of arguments, and of flags without a value, in the help."""
    for one in params:
        if getattr(one, "is_flag", True):
            one.display_type_rich = _hide_type
    return params


def _hide_type(ctx: Any) -> None:
    del ctx


class WithNull(Command):
    """A command whose flag ``--chance`` may name the null model: ``--chance NULL`` is ``--chance --null NULL``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the command line."""
        from goldassay.families import family

        nulls = family(str(self.name)).trust.nulls
        spelt: list[str] = []
        for word in args:
            if word.startswith("--chance="):
                spelt += ["--chance", "--null", word.removeprefix("--chance=")]
            else:
                spelt += ["--null", word] if spelt[-1:] == ["--chance"] and word in nulls else [word]
        return super().parse_args(ctx, spelt)


def make_command(name: str) -> Any:
    """Make a command, as typer runs it."""
    if name in GROUPS:
        return typer.main.get_command(import_module(f"goldassay.cli.{name}").app)
    if name not in COMMANDS:
        return command_of_family(name)
    run = getattr(import_module(f"goldassay.cli.{MODULES.get(name, name)}"), name)
    # A task is scored by the command of its family, which knows its own flags.
    return _command(name, run, cls=Command, settings={**SETTINGS, "ignore_unknown_options": name == "score"})


def command_of_family(name: str, *, benchmark: Benchmark | None = None) -> Any:
    """Make the command of a family."""
    from goldassay.cli.family import command_of
    from goldassay.families import family

    chosen = family(name)
    # A blank line begins a new one.
    epilog = "\n\n".join(["Examples:", *chosen.examples]) if chosen.examples else None
    return _command(name, command_of(chosen, benchmark=benchmark), cls=WithNull, settings=SETTINGS, epilog=epilog)


def _command(
    name: str, run: Callable[..., Any], *, cls: type[Command], settings: dict[str, Any], epilog: str | None = None
) -> Any:
    single = typer.Typer(add_completion=False, context_settings=settings)
    single.command(name, cls=cls, epilog=epilog)(run)
    return typer.main.get_command(single)


GROUPS = ("cache", "challenge")
SETTINGS = {"help_option_names": ["-h", "--help"]}
app = typer.Typer(
    cls=Commands,
    name="goldassay",
    help=ABOUT,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings=SETTINGS,
)


@app.callback()
def root(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit."),
    ] = False,
    limit: Annotated[
        list[str] | None,
        typer.Option(
            "--limit", metavar="NAME=N", help="Set a limit that an error names; repeatable.", show_default=False
        ),
    ] = None,
) -> None:
    """Score predicted knowledge structures against a gold standard."""
    del version
    if limit:
        from goldassay.core.limits import set_limit

        for one in limit:
            set_limit(one)
