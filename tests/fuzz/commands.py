"""Command lines: any command with files of the corpus and options drawn from those that it has, with values that no one would write."""

import contextlib
import io
import os
import random
import warnings
from functools import cache
from pathlib import Path

import typer

from goldassay.cli import app, make_command
from goldassay.core.text import HIDDEN

VALUES = (
    "", "0", "-1", "2", "0.5", "1e400", "nan", "x", "a,b", "=", "literal", "literal.f1=0.5", "f1", "\u2028", "\0", "a" * 5000, "9" * 30, "/dev/null",
    "/", "json", "no", "en", "id", "#", "a=b", "[", "**", "-", "union", "depth", "%s", "{}", "9223372036854775808", "out.csv", "out.json", "out.html", "out.svg", "out.xlsx",
    "gold.csv", "\U0001f600", "--gold", "skip",
)  # fmt: skip
NAMES = ("mine", "=", "\udcff", "\u2028", "=1+1", "<b>", "|", "\\input{x}", "a\nb", "1", "\x1b[31m", "n" * 300)
"""What a file may be called by a person: ``NAME=FILE``. Of bytes that are no UTF-8 the shell makes half of a pair of surrogates."""
NOT_HERE = ("serve", "cache")
"""Commands that wait for others, or change what is outside of the folder."""
ELSEWHERE = ("--gold", "-g", "--encoder", "--spark-remote", "--spark-vectors", "--cache", "--download", "--engine")


@cache
def commands() -> dict[str, object]:
    """Make every command, and those of groups, by its words."""
    names = typer.main.get_command(app).list_commands(None)
    some = {name: make_command(name) for name in names if name not in NOT_HERE}
    return {
        words: one
        for name, command in some.items()
        for words, one in {
            f"{name} {sub}": one for sub, one in getattr(command, "commands", {"": command}).items()
        }.items()
    }


def drawn_line(draw: random.Random, files: list[str]) -> list[str]:
    """Draw a command line."""
    words = draw.choice(list(commands()))
    options = [one for one in commands()[words].params if one.opts and one.opts[0].startswith("-")]
    known = {name for one in options for name in one.opts}
    line = [*words.split(), *draw.choices([*files, "nofile.csv", "", "."], k=draw.choice((0, 1, 1, 1, 2)))]
    if len(line) > len(words.split()) and not draw.randrange(3):
        line[-1] = f"{draw.choice(NAMES)}={line[-1]}"
    if "--gold" in known:
        line += ["--gold", draw.choice(files)]
    if "--encoder" in known:
        line += ["--encoder", "hashing"]
    for one in draw.sample(options, min(len(options), draw.choice((0, 1, 1, 2, 3)))):
        name = draw.choice(one.opts)
        if name not in ELSEWHERE:
            line += [name] if getattr(one, "is_flag", False) else [name, draw.choice((*VALUES, *files))]
    return line


def run(path: Path, files: dict[str, bytes]) -> None:
    """Draw a command line from the bytes of a file, and run it in a folder with other files."""
    draw, folder, before = random.Random(path.read_bytes()), path.parent / "here", Path.cwd()
    folder.mkdir(exist_ok=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    os.chdir(folder)
    try:
        with (
            contextlib.redirect_stdout(printed := io.StringIO()),
            contextlib.redirect_stderr(printed),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("ignore")
            app(drawn_line(draw, sorted(files)), standalone_mode=False)
    except SystemExit as ended:
        if ended.code not in {0, 1, 2}:
            raise AssertionError(f"exit code {ended.code}") from ended
    except Exception as error:
        # What typer says of its own options is no traceback, either.
        if type(error).__module__.partition(".")[0] not in {"click", "typer"}:
            raise
    finally:
        os.chdir(before)
    hidden = HIDDEN.search(printed.getvalue())
    assert not hidden, printed.getvalue()[max(0, hidden.start() - 99) : hidden.end()]
