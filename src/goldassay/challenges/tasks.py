"""Several tasks with one leaderboard: a TOML file that lists their challenges, and says what ranks over all of them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from goldassay.challenges.challenge import Challenge, check_name, load, locate_errors
from goldassay.core.errors import UsageError, names_file
from goldassay.formats.toml import has_key, toml_of

SCHEMA = "goldassay.challenges/tasks.schema.json"
MEAN_VALUE = "mean_value"
TAKEN = {"api", "assets", "join", "submissions"}
"""The paths of a server that are no tasks."""


@dataclass(frozen=True, kw_only=True)
class Tasks:
    """What one server serves: a challenge, or several with one table over all.

    Attributes:
        path: The file.
        name: Its name: letters, digits, hyphens.
        title: Its title.
        challenges: The challenges by their names; a challenge for which there is no other has the empty name.
        description: What to do, in Markdown.
        overall: What ranks teams over all tasks: ``mean_value`` or ``mean_rank``; empty for one challenge.
    """

    path: Path
    name: str
    title: str
    challenges: Mapping[str, Challenge]
    description: str = ""
    overall: str = ""

    @classmethod
    def of(cls, challenge: Challenge) -> Tasks:
        """Take a challenge for which there is no other."""
        return cls(path=challenge.path, name=challenge.name, title=challenge.title, challenges={"": challenge})

    def phases(self) -> list[str]:
        """List the names of the phases, which all tasks have."""
        return [phase.name for phase in next(iter(self.challenges.values())).phases]


@names_file
def load_tasks(path: str | PathLike[str]) -> Tasks:
    """Read a file that lists tasks, or the file of one challenge. No gold is read, nor need it be there.

    Args:
        path: The TOML file.

    Raises:
        InputError: If it cannot be read, a key or a value is invalid, or the tasks do not fit together.

    Example:
        >>> import tempfile
        >>> folder = Path(tempfile.mkdtemp())
        >>> for name in ("cats", "dogs"):
        ...     _ = (folder / f"{name}.toml").write_text(f'''
        ...     name = "{name}"
        ...     title = "Taxonomies of {name}"
        ...     kind = "taxonomy"
        ...     measures = ["literal"]
        ...     rank_by = "literal.f1"
        ...     prediction = "prediction.csv"
        ...     phases = [{{name = "final", gold = "{name}.csv"}}]
        ...     ''')
        >>> _ = (folder / "pets.toml").write_text('''
        ... name = "pets"
        ... title = "Pets"
        ... overall = "mean_rank"
        ... tasks = ["cats.toml", "dogs.toml"]
        ... ''')
        >>> found = load_tasks(folder / "pets.toml")
        >>> [*found.challenges], found.phases(), found.overall
        (['cats', 'dogs'], ['final'], 'mean_rank')
    """
    if not has_key(path, "tasks"):
        return Tasks.of(load(path))
    written = toml_of(path, SCHEMA)
    folder = Path(path).parent
    challenges = [load(folder / file) for file in written.pop("tasks")]
    found = Tasks(path=Path(path), challenges={one.name: one for one in challenges}, **written)
    with locate_errors("name"):
        check_name(found.name)
    with locate_errors("tasks"):
        _check_names([one.name for one in challenges])
        _check_phases(found)
    if found.overall == MEAN_VALUE:
        with locate_errors("overall"):
            _check_values(challenges)
    return found


def _check_names(names: list[str]) -> None:
    seen: set[str] = set()
    for name in names:
        folded = name.casefold()
        if folded in seen or folded in TAKEN:
            why = "Two tasks have the same name." if folded in seen else "No task can have this name."
            raise UsageError(why, found=name, hint="change the name in the file of the task")
        seen.add(folded)


def _check_phases(tasks: Tasks) -> None:
    """Refuse phases of other names: a table over all tasks is one of a phase."""
    for name, one in tasks.challenges.items():
        phases = [phase.name for phase in one.phases]
        if phases != tasks.phases():
            raise UsageError(
                f"The phases of the task {name} have other names.",
                found=", ".join(phases),
                expected=", ".join(tasks.phases()),
            )


def _check_values(challenges: list[Challenge]) -> None:
    for one in challenges:
        if not one.rank.higher_is_better or not math.isfinite(one.worst()):
            raise UsageError(
                f"The values of the task {one.name} have no mean with others: the highest must be best, and the lowest bounded.",
                found=f"{one.rank.measure} {one.rank.value}",
                hint='overall = "mean_rank"',
            )
