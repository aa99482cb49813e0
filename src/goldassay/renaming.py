"""Whether names would match if another text of each thing was compared: found by reading both files again."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain, product
from os.path import isfile
from pathlib import Path
from typing import Any, TypeAlias

from goldassay.core.errors import InputError
from goldassay.core.family import Family, SideOptions
from goldassay.core.intern import has_text_with
from goldassay.core.model import Model
from goldassay.core.partial import Restriction
from goldassay.core.patterns import pattern_of
from goldassay.core.text import count_of
from goldassay.core.unseen import known_in, names_by_words

Change: TypeAlias = tuple[tuple[str, Any], ...]
"""Options of the reader, each with another value."""
BYTES = 2**23
"""Files that are larger together are not read again."""
FEW = 20
"""Less than one item in so many in common is nearly nothing."""
LIST = pattern_of(r"(?<=\S)(?:[,;|\u3001\uff0c]\s*+(?:and\s)?|\s(?:and|&)\s)")
"""What is between names in one cell."""
BEHIND = pattern_of(r"(?<=\S)(?:: | [(\[]| [-\u2013\u2014] |[\uff1a\uff08]).*", re.DOTALL)
"""What may be behind a name."""
LISTS = pattern_of(r"\S(?:[,;|\u3001\uff0c\uff1a\uff08]|: | (?:[(\[]|and |& |[-\u2013\u2014] ))")
"""What a cell has with several names, or with more behind one."""
BLANK, TAB = pattern_of(" "), "\t"
LOOKED_AT = 100_000
"""In models with more items names are not looked through."""
MORE = 2
"""More than so many times as much in common is worth another reading."""


def suggest_names(chosen: Family[Any], options: SideOptions, *, pred: Model, gold: Model) -> Iterator[str]:
    """Name the option by which prediction and gold have names in common, where they have nearly none."""
    restriction = chosen.trust.restriction
    if not chosen.reading.naming or restriction is None or not _are_small(pred, gold):
        return
    if _common_items(restriction, pred, gold) * FEW >= min(len(pred), len(gold)):
        return
    # Read without a change too: items may be left out of what is given, such as those that are ignored.
    changes = [(), *_changes(chosen, options)]
    readings = ((change, _read_again(chosen, options, dict(change), pred, gold)) for change in changes)
    found = {
        change: (_common_names(restriction, *sides), _common_items(restriction, *sides))
        for change, sides in readings
        if sides
    }
    if () not in found:
        return
    names, more = found[()], max(found.items(), key=lambda one: sum(one[1]))
    if sum(more[1]) > MORE * sum(names):
        yield f"prediction and gold have {count_of(names[0], 'name')} in common, but {more[1][0]:,} with {_flags(more[0])}"


def find_lists(chosen: Family[Any], *, pred: Model, gold: Model) -> Iterator[str]:
    """Warn of names that are several names of the other side, such as two labels in one cell, or one of these with more behind it."""
    if chosen.trust.restriction is None or len(pred) + len(gold) > LOOKED_AT:
        return
    restriction = chosen.trust.restriction
    # Items without ends are compared by names of their own.
    columns = [restriction.texts(side) or [getattr(side, "names", ())] for side in (pred, gold)]
    blank = [any(has_text_with(column, BLANK) for column in texts) for texts in columns]
    if blank[0] == blank[1] and not any(has_text_with(column, LISTS) for column in chain(*columns)):
        return
    mine, others = (set(chain(*texts)) for texts in columns)
    for what, own, theirs in (("prediction", mine - others, others), ("gold", others - mine, mine)):
        lists = [*filter(LISTS.search, own)]
        listed = [name for name in lists if theirs.issuperset(LIST.split(name))] or _list_at_blanks(own, theirs)
        described = [name for name in lists if BEHIND.sub("", name) in theirs]
        if listed:
            yield (
                f"{count_of(len(listed), 'name')} of the {what} list{'s' * (len(listed) == 1)} several names of the other side, for example "
                f"{min(listed)!r}: each belongs in a row of its own, or in a JSON list"
            )
        if described:
            which = "those" if len(described) > 1 else "one"
            yield (
                f"{count_of(len(described), 'name')} of the {what} would be {which} of the other side without what is behind, "
                f"for example {min(described)!r:.80}: names are compared as a whole"
            )


def find_inside(chosen: Family[Any], *, pred: Model, gold: Model) -> Iterator[str]:
    """Warn where nearly nothing is common, but most predicted items are those of gold with words around a name."""
    restriction = chosen.trust.restriction
    if restriction is None or not restriction.ends or len(pred) + len(gold) > LOOKED_AT or not len(pred):
        return
    # Items that are the same have the same ends.
    if _common_items(restriction, pred, gold) * FEW >= len(pred):
        return
    mine, theirs = ([*zip(*(end(side) for end in restriction.ends.values()), strict=True)] for side in (pred, gold))
    others = set(theirs)
    missed = [item for item in dict.fromkeys(mine) if item not in others]
    if (len(mine) - len(missed)) * FEW >= len(mine):
        return
    names = {name for item in others for name in item}
    # What is before a tab is a document or a test case.
    known = names_by_words(name.rpartition(TAB)[2] for name in names)
    inner = {name: _without_words(name, known) for item in missed for name in item if name not in names}
    around = [item for item in missed if tuple(inner.get(name, name) for name in item) in others]
    if 2 * len(around) > len(missed):
        name = next(name for name in around[0] if inner.get(name, name) != name)
        yield (
            f"{count_of(len(around), 'predicted item')} would be {'one' if len(around) == 1 else 'those'} of gold without the words "
            f"around a name, for example {name.rpartition(TAB)[2]!r:.80} with {inner[name].rpartition(TAB)[2]!r}: "
            "let the model write names only"
        )


def _without_words(name: str, known: Mapping[str, str]) -> str:
    """Return the known name that is inside of another, next to the same document; the other if there is none."""
    place, tab, text = name.rpartition(TAB)
    found = known_in(text, known)
    return f"{place}{tab}{found}" if found else name


def _list_at_blanks(ours: set[str], theirs: set[str]) -> list[str]:
    """List the names with blanks if each is several names of the other side, whose names have none."""
    listed = [name for name in ours if BLANK.search(name)]
    whole = len(listed) > 1 and all(theirs.issuperset(name.split()) for name in listed)
    return listed if whole and not any(map(BLANK.search, theirs)) else []


def _changes(chosen: Family[Any], options: SideOptions) -> list[Change]:
    """List other values of the options, those that change fewest of them first."""
    settings = (zip(chosen.reading.naming, values, strict=True) for values in product(*chosen.reading.naming.values()))
    changes = (
        tuple(
            (name, value)
            for name, value in setting
            if value and {getattr(options.pred, name), getattr(options.gold, name)} != {value}
        )
        for setting in settings
    )
    return sorted(dict.fromkeys(filter(None, changes)), key=len)


def _flags(change: Change) -> str:
    """Write options as flags."""
    flags = ((f"--{name.replace('_', '-')}", value) for name, value in change)
    return " ".join(flag if value is True else f"{flag} {value}" for flag, value in flags)


def _are_small(*sides: Model) -> bool:
    """Return whether both sides are files that are quickly read again."""
    paths = [Path(side.path) for side in sides if side.path]
    return len(paths) == len(sides) and all(isfile(path) for path in paths) and _size(paths) <= BYTES


def _size(paths: list[Path]) -> int:
    return sum(path.stat().st_size for path in paths)


def _common_names(restriction: Restriction[Any], pred: Any, gold: Any) -> int:
    return len(_names(restriction, pred) & _names(restriction, gold))


def _common_items(restriction: Restriction[Any], pred: Any, gold: Any) -> int:
    return len(set(restriction.keys(pred)).intersection(restriction.keys(gold)))


def _names(restriction: Restriction[Any], side: Any) -> set[str]:
    """Return the names of all ends of the items of a model."""
    return set(chain.from_iterable(end(side) for end in restriction.ends.values()))


def _read_again(chosen: Family[Any], options: SideOptions, change: dict[str, Any], *given: Model) -> list[Model]:
    """Read both sides with other options; nothing if they cannot be read so."""
    sides = []
    for side, own in zip(given, (options.pred, options.gold), strict=True):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                sides.append(chosen.reading.read(side.path or "", replace(own, **change)))
            except InputError:
                return []
    return sides
