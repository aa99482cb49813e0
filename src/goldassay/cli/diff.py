"""``goldassay diff``: which items one file has and another does not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
import typer

from goldassay.cli.flags import as_command, flags_of, option_flag
from goldassay.cli.inspect import Kind, reading_options
from goldassay.cli.items import family_of, format_by_ending, read_items, write_table
from goldassay.cli.screen import say
from goldassay.core.errors import EmptyInputError, UsageError
from goldassay.core.family import Family
from goldassay.core.libraries import pl
from goldassay.core.partial import empty_model
from goldassay.core.text import count_of, to_one_line
from goldassay.sampling.items import Items, items_of, population_of

Old = Annotated[str, typer.Argument(metavar="OLD", help="The file to compare with.")]
New = Annotated[str, typer.Argument(metavar="NEW", help="The file to compare.")]
Output = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write all differences as a table (.csv .tsv .parquet .jsonl).",
        show_default=False,
    ),
]
Most = Annotated[int, typer.Option("--most", metavar="N", min=0, help="How many removed and added items are shown.")]
SIGNS = {"removed": "-", "added": "+"}


def _run(old: str, new: str, output: str | None, *, most: int, **given: Any) -> None:
    from goldassay.report.files import TABLES, check_outputs

    check_outputs({"--output": output}, [old, new])
    name = format_by_ending(output, TABLES, "The suffix of the file is not that of a table.") if output else ""
    chosen, other = (family_of(path, given["kind"]) for path in (old, new))
    if chosen.kind != other.kind:
        raise UsageError(
            "The files are of two families.", found=f"{chosen.kind} and {other.kind}", hint=f"--kind {chosen.kind}"
        )
    before, after = _read_both(chosen, (old, new), given)
    table, same, doubled = _compare([items_of(chosen, model) for model in (before, after)])
    counts = {change: int((table["change"] == change).sum()) for change in SIGNS}
    say(f"{old}: {count_of(len(before), chosen.item)}; {new}: {len(after):,}")
    say(f"{counts['removed']:,} removed, {counts['added']:,} added, {same:,} the same")
    for path, number in zip((old, new), doubled, strict=True):
        if number:
            say(f"{path}: {chosen.item}s that read like another one, which count once: {number:,}")
    for change, sign in SIGNS.items():
        for row in table.filter(table["change"] == change).drop("change").head(most).iter_rows():
            say(to_one_line(f"{sign} {' | '.join(cell or '' for cell in row)}"))
        if counts[change] > most:
            say(f"{sign} and {counts[change] - most:,} more {change}; -o FILE has all")
    if output:
        write_table(table, output, name)


def _read_both(chosen: Family[Any], paths: Sequence[str], given: dict[str, Any]) -> tuple[Any, Any]:
    """Read both files, of which one may have no item."""
    found: list[Any] = []
    for path, other in (paths, paths[::-1]):
        try:
            found.append(read_items(chosen, path, given))
        except EmptyInputError as error:
            restriction = chosen.trust.restriction
            if restriction is None or not error.is_about(path):
                raise
            found.append(
                error.model or empty_model(restriction, found[0] if found else read_items(chosen, other, given))
            )
    return found[0], found[1]


def _compare(sides: list[Items]) -> tuple[pl.DataFrame, int, Sequence[int]]:
    """List the items of one side only, count those of both, and those of each side that read like another one."""
    population = population_of(sides)
    both = population.members.all(axis=0)
    rows = np.flatnonzero(~both)
    change = ["added" if added else "removed" for added in population.members[1, rows].tolist()]
    columns = {
        role: [part.names[code] for code in part.codes[rows].tolist()] for role, part in population.parts.items()
    }
    schema = {"change": pl.String, **dict.fromkeys(columns, pl.String)}
    return pl.DataFrame({"change": change, **columns}, schema=schema), int(both.sum()), population.doubled


diff = as_command(
    _run,
    [
        *flags_of("old", Old),
        *flags_of("new", New),
        *flags_of("kind", Kind, None),
        *flags_of("output", Output, None),
        *flags_of("most", Most, default=20),
        *map(option_flag, reading_options().values()),
    ],
    name="diff",
    about="List the items that one file has and another does not; order and format of the files make no difference.",
)
