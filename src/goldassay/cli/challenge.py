"""``goldassay challenge``: shared tasks."""

from __future__ import annotations

from importlib import resources
from os.path import isdir, isfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from goldassay.cli import Command, Group
from goldassay.cli.example import write_folder
from goldassay.cli.groups import DATA, DATABASE, Layout
from goldassay.cli.screen import say
from goldassay.core.errors import UsageError
from goldassay.core.text import count_of

if TYPE_CHECKING:
    from goldassay.serve.store import Store

app = typer.Typer(
    cls=Group,
    help="Organise a shared task, or check a submission to one.",
    no_args_is_help=True,
    add_completion=False,
)
TEMPLATE = "template"
Where = Annotated[Path, typer.Argument(metavar="CHALLENGE", help="The TOML file of the challenge.")]
Submission = Annotated[
    Path, typer.Argument(metavar="SUBMISSION", help="A zip, a folder, or the prediction itself.", show_default=False)
]
Data = Annotated[Path | None, typer.Option("--data", **DATA)]
Database = Annotated[str | None, typer.Option("--database", **DATABASE)]


@app.command(cls=Command)
def init(folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to write to; it is made.")]) -> None:
    """Write a challenge to begin with: a commented TOML file, gold, and a submission."""
    write_folder({"": resources.files("goldassay.challenges") / TEMPLATE}, folder)
    for file in sorted(one for one in folder.rglob("*") if isfile(one)):
        say(file)


@app.command(cls=Command)
def validate(challenge: Where, submission: Submission) -> None:
    """Read a submission as it will be read, without gold."""
    from goldassay.challenges import check, load
    from goldassay.families import family

    found = load(challenge)
    model = check(found, submission)
    left_out = {name: count for name, count in model.left_out.items() if count}
    lines = [
        f"{found.title} ({found.name})",
        f"{found.prediction}: {len(model):,} items, read as {model.format}",
        *(f"left out: {name.replace('_', ' ')} ({count:,})" for name, count in left_out.items()),
        *(f"! {line}" for line in getattr(model, "warnings", ())),
        *(f"note: {note}" for note in model.notes),
        *([] if len(model) else [f"! {family(found.kind).empty_prediction}"]),
        "The submission can be scored.",
    ]
    for line in lines:
        say(line)


@app.command(cls=Command)
def score(
    challenge: Where,
    submission: Submission,
    phase: Annotated[
        str, typer.Option("--phase", metavar="NAME", help="The phase; may be left out if there is one.")
    ] = "",
    layout: Annotated[
        Layout, typer.Option("--format", metavar="FORMAT", help="Format: text, json, csv, markdown, latex or github.")
    ] = "text",
    report: Annotated[
        Path | None,
        typer.Option("--report", metavar="FILE", help="Write the page that participants see.", show_default=False),
    ] = None,
) -> None:
    """Score a submission, and show what participants see: items of gold only if the challenge says so."""
    from goldassay.challenges import load
    from goldassay.challenges import score as scored
    from goldassay.core.errors import GoldassayError, InputError
    from goldassay.core.text import NumberFormat
    from goldassay.report.files import check_outputs
    from goldassay.report.html import check_page, write_page

    found = load(challenge)
    if report:
        check_page(report)
        check_outputs({"--report": report}, [challenge, submission])
    names = [one.name for one in found.phases]
    if not phase and len(names) > 1:
        raise UsageError("The phase is missing.", expected=", ".join(names), hint=f"--phase {names[0]}")
    chosen = phase or names[0]
    try:
        made = scored(found, chosen, submission)
    except (InputError, UsageError) as error:
        # What may quote gold is for the organiser, who is here.
        raise error.__cause__ if isinstance(error.__cause__, GoldassayError) else error from None
    say(made.format(layout, places=found.digits))
    if layout == "text":
        value = made[found.rank.measure].values[found.rank.value]
        say(f"\nranked by {found.rank.measure} {found.rank.value}: {value:.{found.digits}f}")
    if report:
        write_page(made, report, NumberFormat(found.digits))


@app.command(cls=Command)
def rescore(challenge: Where, data: Data = None, database: Database = None) -> None:
    """Score all submissions of a leaderboard again, when it is served next."""
    store = _store_of(challenge, data, database)
    from goldassay.serve.server import lock_folder

    with lock_folder(store.folder):
        count = store.score_again()
    say(f"{_submissions(count)} will be scored again.")


@app.command(cls=Command)
def teams(
    challenge: Where,
    new_token: Annotated[
        str | None, typer.Option("--new-token", metavar="TEAM", help="Give a team another token; the old one ends.")
    ] = None,
    remove: Annotated[
        str | None, typer.Option("--remove", metavar="TEAM", help="Remove a team, with all that it has sent.")
    ] = None,
    data: Data = None,
    database: Database = None,
) -> None:
    """List the teams of a leaderboard, give one another token, or remove one. Teams are added by goldassay serve --add-team, or by a link of goldassay challenge invite."""
    store = _store_of(challenge, data, database)
    if new_token is not None and remove is not None:
        raise UsageError("--new-token and --remove cannot be given together.")
    if new_token is not None:
        say(store.new_token(new_token))
    elif remove is not None:
        count = store.remove_team(remove)
        say(f"removed with {_submissions(count)}")
    else:
        for name, count in store.teams():
            say(f"{name}\t{count}")


@app.command(cls=Command)
def invite(
    challenge: Where,
    address: Annotated[
        str, typer.Option("--address", metavar="URL", help="The address of the leaderboard, for the whole link.")
    ] = "",
    teams: Annotated[int, typer.Option("--teams", metavar="N", min=1, help="How many teams may join with it.")] = 1,
    data: Data = None,
    database: Database = None,
) -> None:
    """Print a link with which teams add themselves and get their token."""
    code = _store_of(challenge, data, database, new=True).invite(teams)
    say(f"{address.rstrip('/')}/join#{code}")


@app.command(cls=Command)
def export(
    challenge: Where,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="The folder to write to; it is made.")],
    data: Data = None,
    database: Database = None,
) -> None:
    """Write the leaderboard and all submissions as CSV and JSON, with a Croissant record, to publish them."""
    from goldassay.challenges import load_tasks

    store = _store_of(challenge, data, database)
    from goldassay.serve.archive import export as write

    for file in write(load_tasks(challenge.resolve()), store, output):
        say(file)


@app.command(cls=Command)
def backup(
    challenge: Where,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The file to write, .tar.gz.")],
    data: Data = None,
    database: Database = None,
) -> None:
    """Write all that a leaderboard keeps into one file, also while it is served."""
    store = _store_of(challenge, data, database)
    from goldassay.report.files import check_outputs
    from goldassay.serve.archive import back_up

    check_outputs({"--output": output}, [challenge])
    say(f"{_submissions(back_up(store, output))} in {output}")


@app.command(cls=Command)
def restore(
    challenge: Where,
    file: Annotated[Path, typer.Argument(metavar="BACKUP", help="What goldassay challenge backup wrote.")],
    data: Data = None,
    database: Database = None,
) -> None:
    """Read a backup into a new folder and an empty database."""
    store = _store_of(challenge, data, database, new=True)
    from goldassay.serve.archive import restore as read
    from goldassay.serve.server import lock_folder

    with lock_folder(store.folder):
        say(f"{_submissions(read(store, file))} restored")


def _submissions(count: int) -> str:
    return count_of(count, "submission")


def _store_of(challenge: Path, data: Path | None, database: str | None, *, new: bool = False) -> Store:
    """Open what a leaderboard keeps."""
    from goldassay.challenges import load_tasks
    from goldassay.cli.serve import data_folder, require_packages

    require_packages()
    from goldassay.serve.store import Store

    folder = data_folder(load_tasks(challenge.resolve()), data)
    if not new and not isdir(folder):
        raise UsageError("The folder of the leaderboard does not exist.", found=str(folder), hint="--data DIR")
    return Store(folder, database)


@app.command(cls=Command)
def bundle(
    challenge: Where,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The zip to write.")] = Path(
        "bundle.zip"
    ),
    image: Annotated[
        str,
        typer.Option(
            "--image",
            metavar="IMAGE",
            help="Docker image to score in; a slim Python that installs goldassay if none is given.",
            show_default=False,
        ),
    ] = "",
) -> None:
    """Write a bundle for Codabench; gold is only in its reference data."""
    from goldassay.challenges import load
    from goldassay.challenges.codabench import IMAGE, write_bundle
    from goldassay.report.files import check_outputs

    found = load(challenge)
    check_outputs({"--output": output}, [challenge, *(gold for phase in found.phases for gold in phase.gold)])
    for name in write_bundle(found, output, image=image or IMAGE):
        say(name)
