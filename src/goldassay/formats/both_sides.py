"""Tables with a column of each side, what a system predicted next to what is right: one of the two would be read on both sides, and all be right."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextvars import ContextVar
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

from goldassay.core.errors import InputError
from goldassay.core.patterns import pattern_of
from goldassay.core.text import singular
from goldassay.formats.column_names import DATA, NUMBER, PREDICTIONS, bare
from goldassay.formats.decisions import NO, YES
from goldassay.formats.literals import names_in_cell

LOOKED_AT = 100
"""Rows that show whether a column has the other side."""
OF_SYSTEMS = pattern_of(
    r".*(gpt|claude|llama|mi[sx]tral|qwen|gemini|gemma|deepseek|bert|llm|pred|model|baseline|classifier|guess|shot|run\d"
    r"|generated|extracted|inferred|hypothesis|candidate|paraphrase).*|mt|top\d+"
)
"""What a column is called that a system filled, as `bare` writes it; it is refused only if its cells are names of the other side."""
OF_GOLD = pattern_of(
    r"(gold|true|groundtruth|reference)(standard|truth|target|parent|object|label|class|category|type|code|entity|concept|keyword|term)?"
    r"|truth|ytrue"
)
"""What the column of gold is called, and no other, as `bare` writes it in the singular."""
HALF, MOST, NEARLY_ALL = 0.5, 0.8, 0.9
FEWEST, BEYOND_CHANCE = 10, 0.2
"""Numbers, and yes or no, are equal by chance as well: so many rows must be so much more often."""
FEW_WORDS = 8
"""A name has at most so many words; a whole answer has more."""
OF_TEXTS, ALIKE = 4, 0.3
"""Texts have more words than so many on average; of two that say the same such a share of the words is the same."""
LOCAL = pattern_of(r"[^/#:_]*$")
reads_prediction: ContextVar[bool] = ContextVar("reads_prediction", default=False)
"""Whether what is read is a prediction."""
Names: TypeAlias = "tuple[str, ...]"
Rows: TypeAlias = "list[tuple[Names, Names]]"


class BothSidesError(InputError):
    """A table has a column of each side."""


class _Found(NamedTuple):
    """How much of a column that is not read is in one that is.

    Attributes:
        level: 2 if nearly all, 1 if so much that a column of a system has the other side, 0 for less.
    """

    level: int
    alike: int = 0
    cells: int = 0
    role: str = ""


def find_other_sides(
    flags: Mapping[str, str],
    called: Mapping[str, str],
    read: Mapping[str, Collection[Any]],
    unread: Mapping[str, Collection[Any]],
) -> Iterator[str]:
    """Warn of columns that are not read and have the names of one that is; refuse those that a system filled, by their names.

    Args:
        flags: The roles of which there may be another side, and the flag that names the column of each.
        called: The names of the columns that are read, by role.
        read: Their cells in some rows.
        unread: The cells of the other columns in the same rows, by name.
    """
    for role in flags:
        if reads_prediction.get() and OF_GOLD.fullmatch(singular(bare(called[role]))):
            other = f"; another column is named by {flags[role]}" if flags[role] else ""
            yield f"the prediction is read from {called[role]!r}, which is a name for gold{other}"
    others = _may_be_others([read[role] for role in flags], unread) if unread else []
    columns = {role: list(map(_names_in, cells)) for role, cells in read.items()} if others else {}
    for name in others:
        names = list(map(_names_in, unread[name]))
        found = max(_compare(name, names, role, columns) for role in flags)
        if not found.level:
            continue
        own, asked = bare(name), flags[found.role] and f"{flags[found.role]} {shlex.quote(name)}"
        if own in PREDICTIONS or OF_SYSTEMS.fullmatch(own) or OF_GOLD.fullmatch(singular(bare(called[found.role]))):
            raise BothSidesError(
                "The table may have a column of each side: what was predicted, and what is right.",
                found=f"the column {name!r}, which is not read, with {next(chain.from_iterable(names))!r}",
                expected="one of the two columns, or yes and no",
                hint=f"name the one that is meant: {asked}, or the other; or remove one" if asked else "remove one",
            )
        if found.level > 1:
            yield (
                f"the column {name!r} is not read; of {found.cells:,} names in it {found.alike:,} are in {called[found.role]!r}, which is read: "
                f"if it is the other side, {f'name the one that is meant, such as {asked}' if asked else 'remove one'}"
            )


def _may_be_others(read: Sequence[Collection[Any]], unread: Mapping[str, Collection[Any]]) -> list[str]:
    """List the columns that may have the names of another: most have none, and that is seen in a tenth of the time."""
    texts = set(map(str.lower, map(str, chain.from_iterable(read)))) - {"", "none"}
    written = "\n".join(texts)
    # Texts are compared by their words, and lists by their names.
    if any(mark in written for mark in ";|[") or written.count(" ") >= OF_TEXTS / 2 * len(texts):
        return list(unread)
    return [
        name
        for name, cells in unread.items()
        if bare(name) in PREDICTIONS or not texts.isdisjoint(map(str.lower, map(str, cells)))
    ]


def sides_in_records(
    flags: Mapping[str, str], called: Mapping[str, str], records: Sequence[Mapping[str, Any]]
) -> Iterator[str]:
    """Warn of other sides as `find_other_sides` does, by the first records and the keys that are read of them."""
    some = records[:LOOKED_AT]
    rest = [name for name in dict.fromkeys(chain.from_iterable(some)) if name not in called.values()]
    if not (flags and rest):
        return find_other_sides(flags, called, {}, {})
    cells = {name: [record.get(name) for record in some] for name in (*called.values(), *rest)}
    read = {role: cells[name] for role, name in called.items()}
    return find_other_sides(flags, called, read, {name: cells[name] for name in rest})


def _compare(name: str, names: Sequence[Names], role: str, columns: Mapping[str, Sequence[Names]]) -> _Found:
    """Compare a column that is not read with one that is, row by row and as a whole."""
    rows = [(some, other) for some, other in zip(names, columns[role], strict=True) if some and other]
    cells, known = [one for some, _ in rows for one in some], {one for _, other in rows for one in other}
    if not rows or all(some == other for some, other in rows):
        return _Found(0)
    share = sum(not {*some}.isdisjoint(other) for some, other in rows) / len(rows)
    if sum(len(one.split()) for one in known) > OF_TEXTS * len(known):
        alike = sum(_are_alike(*some, *other) for some, other in rows if len(some) == len(other) == 1)
        return _Found(2 if alike >= HALF * len(rows) else 0, alike, len(rows), role)
    alike = sum(map(known.__contains__, cells))
    if all(NUMBER.fullmatch(one) or YES.fullmatch(one) or NO.fullmatch(one) for one in cells):
        counts = [Counter(side) for side in zip(*rows, strict=True)]
        by_chance = sum(counts[0][one] * counts[1][one] for one in counts[0]) / len(rows) ** 2
        agrees = len(rows) >= FEWEST and share - by_chance > BEYOND_CHANCE * (1 - by_chance)
        return _Found(2 if agrees else 0, alike, len(cells), role)
    if _is_about_another(names, role, share, columns) or (not share and _is_above(rows, role, columns)):
        return _Found(0)
    level = (alike >= HALF * len(cells)) + (alike >= MOST * len(cells))
    return _Found(level or (bare(name) in PREDICTIONS and _are_new(cells, known)), alike, len(cells), role)


def _names_in(cell: Any) -> Names:
    """List the names in a cell, without case: one, those between marks, or those of a list."""
    if isinstance(cell, str):
        names = names_in_cell(cell.lower(), plural=True)
        return tuple(filter(None, [cell.strip().lower()] if names is None else names))
    if isinstance(cell, list | tuple):
        return tuple(chain.from_iterable(map(_names_in, cell))) if all(isinstance(one, str) for one in cell) else ()
    return (str(cell).lower(),) if isinstance(cell, bool | int | float) else ()


def _are_alike(text: str, other: str) -> bool:
    """Return whether two texts say the same with other words."""
    words, others = {*text.split()}, {*other.split()}
    return len(words & others) >= ALIKE * len(words | others)


def _is_about_another(names: Sequence[Names], role: str, share: float, columns: Mapping[str, Sequence[Names]]) -> bool:
    """Return whether a column repeats one that is read for another role, such as the label of a source."""
    rest = (column for other, column in columns.items() if other != role)
    equal = (sum(one == other for one, other in zip(names, column, strict=True)) / len(names) for column in rest)
    return any(other > share and other >= NEARLY_ALL for other in equal)


def _is_above(rows: Rows, role: str, columns: Mapping[str, Sequence[Names]]) -> bool:
    """Return whether a column has what is above the other, such as parents of parents: the same for the same name, or rows of the table."""
    pairs, values = {*rows}, [{*side} for side in zip(*rows, strict=True)]
    if len(pairs) == len(values[1]) > len(values[0]):
        return True
    stated = {*zip(next(iter(columns.values())), columns[role], strict=True)}
    return sum((other, some) in stated for some, other in rows) >= HALF * len(rows)


def _are_new(cells: Sequence[str], known: Collection[str]) -> bool:
    """Return whether cells are names that hardly recur, or identifiers from where the others are: relations and systems recur."""
    if all(map(DATA.fullmatch, cells)):
        spaces = {LOCAL.sub("", one) for one in known}
        return sum(LOCAL.sub("", one) in spaces for one in cells) >= HALF * len(cells)
    found = {one for one in cells if not DATA.fullmatch(one) and len(one.split()) <= FEW_WORDS}
    return len(found) > max(2, HALF * len(cells))
