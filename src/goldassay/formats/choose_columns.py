"""Which column of a table is what: the one rule of all families, and what it refuses and warns of."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from itertools import islice, permutations
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

from goldassay.core.errors import InputError, UsageError, nearest
from goldassay.core.limits import COLUMNS
from goldassay.core.text import count_of, singular
from goldassay.formats.column_names import (
    DATA,
    LONGEST,
    MARK_OF_ANCESTOR,
    MARK_OF_LEVEL,
    NODE_IDS,
    NUMBER,
    NUMBERS,
    OTHERS,
    OTHERWISE,
    PERHAPS,
    RELATIONS,
    ROW_IDS,
    STARTS,
    TEXTS,
    WIDEST,
    FirstRow,
    RoleColumns,
    Words,
    bare,
    decisions_in,
    find_best,
    forms_of,
    opposites_in,
)

Header: TypeAlias = Literal["yes", "no"]
NO_ROLES: Mapping[str, str | None] = MappingProxyType({})
NO_WORDS: Mapping[str, str] = MappingProxyType({})
NO_PLACES: Mapping[str, int] = MappingProxyType({})
NONE = "none"
"""Asked for as a column, this means that there is no such column."""
QUOTES = "\"'`\ufeff"
SHOWN = 200
Chooser: TypeAlias = Callable[..., "Choice"]
"""Chooses columns, given their names, and by keyword whether the format always has some (``always``)
and what counts the cells of most rows (``width``)."""
NO_HEADER = "no header was recognised"


class Choice(NamedTuple):
    """Which columns of a table are wanted.

    Attributes:
        named: Whether the first row contains the names of the columns; else it is data.
        called: What the user calls each role: the name of its column, or else the word of its flag.
        decisions: The columns that are not read, and say whether a row holds.
        sides: The roles of which another column may have the other side, and the flag that names the column of each.
        unread: All columns that are not read.
    """

    places: Mapping[str, int]
    named: bool = True
    warnings: tuple[str, ...] = ()
    called: Mapping[str, str] = NO_WORDS
    decisions: Mapping[str, int] = NO_PLACES
    sides: Mapping[str, str] = NO_WORDS
    unread: Mapping[str, int] = NO_PLACES


@dataclass(frozen=True, kw_only=True, eq=False)
class Roles:
    """What the columns of a table are to a family, and what they are called.

    Attributes:
        names: The names of each role, the better ones first.
        needed: Groups of roles, of each of which a table has at least one.
        pair: Two roles whose names belong together, as child and parent do; empty if there are none.
        orders: The roles of the columns of a table without names.
        guessed: Whether a table whose names are not recognised is read in that order, with a warning.
        numbers: Roles of numbers: a first row that has one there is data.
        words: What cells of a role may say although columns are called so, too.
        flags: What the flag for the column of a role is called, if not by the role.
        ids_matter: Whether names are compared, so that a column of ids is worth a warning.
        sides: A role, and what its column is called in predictions and in gold: a table with both could be either.
        judged: The role of answers: of a column with a worse name, such as what was asked, a warning says that it is not read.
        stated: Whether a row states something, which a column may deny.
        predicted: The roles that a system fills: a table may have another column with what it predicted.
        opposed: Whether two columns are the pair whose names are the same but for words of what is below and above.
        otherwise: Finds other columns that make the same items, with roles of their own, where some are missing.
    """

    names: Mapping[str, tuple[Words, ...]]
    needed: tuple[tuple[str, ...], ...]
    pair: tuple[str, ...] = ()
    relation: str = ""
    orders: tuple[tuple[str, ...], ...] = ()
    guessed: bool = False
    numbers: tuple[str, ...] = ()
    words: Mapping[str, Callable[[str], bool]] = field(default_factory=dict)
    flags: Mapping[str, str] = field(default_factory=dict)
    asked: bool = True
    ids_matter: bool = False
    sides: tuple[str, Words, Words] | None = None
    judged: str = ""
    stated: bool = False
    predicted: tuple[str, ...] = ()
    opposed: bool = False
    otherwise: Callable[[Sequence[str]], dict[str, int]] | None = None

    def recognises(self, names: Sequence[str]) -> bool:
        """Return whether a table has all columns that are needed."""
        # Of more columns no table is read, and a million names take a hundred times the memory of the line.
        return len(names) <= COLUMNS.value and self._recognises(tuple(names))

    @lru_cache(maxsize=1024)  # noqa: B019 - there are a few families
    def _recognises(self, names: tuple[str, ...]) -> bool:
        every = set[str]().union(*(some for level in forms_of(names) for some in level))
        if self._known.isdisjoint(every) and not (self.otherwise and any(map(OTHERWISE.search, every))):
            return False
        return not self._missing(self._find(names)) or bool(self.otherwise and self.otherwise(names))

    def names_in(self, names: Collection[str]) -> set[str]:
        """Return which of many names may be those of columns, as `bare` writes them."""
        forms = set(map(bare, names))
        found = {form for form in forms if form in self._known or singular(form) in self._known}
        if self.otherwise:
            found |= {form for form in forms if OTHERWISE.search(form)}
            found |= forms & {OTHERWISE.sub("", form, count=1) for form in found}
        return found

    @cached_property
    def _known(self) -> frozenset[str]:
        """All names of all roles, and of those that other columns have."""
        more = OTHERS if self.otherwise else frozenset[str]()
        return more.union(*(words.names for some in self.names.values() for words in some))

    def header_in(self, cells: Sequence[object]) -> dict[str, int]:
        """Return the place of each part of a statement where a first row is not one, but says what the parts are; else none."""
        known = self._statement_names
        if len(cells) not in (len(self.pair), TRIPLE) or not all(
            isinstance(cell, str) and bare(cell) in known for cell in cells
        ):
            return {}
        names = [bare(str(cell)) for cell in cells]
        parts = self._parts if len(names) == TRIPLE else self.pair
        for order in permutations(parts):
            tiers = [self._tier(role, name) for role, name in zip(order, names, strict=len(order) == len(names))]
            if None not in tiers and self._go_together(
                dict(zip(order, names, strict=True)), dict(zip(order, tiers, strict=True))
            ):
                return {role: order.index(role) for role in parts}
        return {}

    @cached_property
    def _parts(self) -> tuple[str, ...]:
        """The parts of a statement: of edges and triples with their relation, of axioms all."""
        return next((order for order in self.orders if len(order) == TRIPLE), ())

    @cached_property
    def _statement_names(self) -> frozenset[str]:
        every = (name for role in {*self._parts, *self.pair} for words in self.names[role] for name in words.names)
        return frozenset(name for name in every if len(name) > 1)

    def _tier(self, role: str, name: str) -> int | None:
        return next((at for at, words in enumerate(self.names[role]) if name in words.names), None)

    def _go_together(self, names: Mapping[str, str], tiers: Mapping[str, int | None]) -> bool:
        """Return whether names of parts are those of one header: two names of an edge may be things, unless they belong together."""
        related = [role for role in names if role not in self.pair]
        if not self.pair:
            return not any(self.names[role][tiers[role] or 0].weak for role in names)
        if any(names[role] not in RELATIONS for role in related):
            return False
        source, target = (self.names[role][tiers[role] or 0] for role in self.pair)
        ends = tuple(names[role] for role in self.pair)
        level = [(tiers[role] or 0) % OF_ENDS for role in self.pair]
        sure = not (target.weak or target.vague)
        if related:
            return sure if source.weak else level[0] == level[1] and not target.weak
        return ends in ENDS_TOGETHER or ends[0] == f"sub{ends[1]}" or (sure and (source.weak or level == [0, 0]))

    def called(self, role: str, names: Iterable[str]) -> list[str]:
        """List the columns with the best names of a role; none of a role that these tables do not have."""
        listed = list(names)
        found = find_best(self.names.get(role, ()), forms_of(tuple(listed)))
        return [] if found is None else [listed[at] for at in found.columns]

    def chooser(self, asked: Mapping[str, str | None] = NO_ROLES, header: Header | None = None) -> Chooser:
        """Choose columns as `chosen` does, of one file by the options of its reader."""
        return partial(self.chosen, asked=asked, header=header)

    def chosen(
        self,
        names: Sequence[str],
        *,
        asked: Mapping[str, str | None] = NO_ROLES,
        header: Header | None = None,
        always: bool = False,
        width: Callable[[], int] = int,
    ) -> Choice:
        """Choose the column of each role: the one that was asked for, else by its name, else by its order."""
        row = FirstRow([name.strip().strip(QUOTES).strip() for name in names], width, always=always)
        choice = self._choose(row, asked, header)
        called = {role: row.names[at] if choice.named else self.word(role) for role, at in choice.places.items()}
        taken = [at for role, at in choice.places.items() if role != PERHAPS]
        judged = decisions_in(row.names, taken, stated=self.stated) if choice.named else NO_PLACES
        sides = self.sides_of(choice.places if choice.named else (), asked)
        rest = {name: at for at, name in enumerate(row.names) if name and choice.named and at not in taken}
        return choice._replace(called=called, decisions=judged, sides=sides, unread=rest)

    def sides_of(self, read: Collection[str], asked: Mapping[str, str | None] = NO_ROLES) -> dict[str, str]:
        """Return the roles that a system fills, of which no column was asked for, with the flag that names the column of each."""
        return {role: self._flag_of(role) for role in self.predicted if role in read and not asked.get(role)}

    def _choose(self, row: FirstRow, asked: Mapping[str, str | None], header: Header | None) -> Choice:
        given = {role: column for role, column in asked.items() if column is not None}
        if header == "no" and not row.always:
            if given:
                flag = self._flag_of(next(iter(given)))
                raise UsageError("Without a header columns have no names.", found=f"{flag} and --header no")
            return Choice(self._choose_in_order(row), named=False)
        if self.sides and self.sides[0] not in given:
            self.refuse_both_sides(row.names, line=row.line)
        labels = _labels_in(row.names, given.values()) if self.ids_matter else {}
        names = [labels.get(at, name) for at, name in enumerate(row.names)]
        found = self._find(names)
        for role, column in given.items():
            found.pop(role, None)
            if column != NONE or column in row.names:
                found[role] = RoleColumns(Words(frozenset()), [self._place_of(role, column, row)])
        missing = self._missing(found)
        others = self.otherwise(names) if self.otherwise and not given.keys() - {*self.pair} else {}
        if others and (self._asks_for(found, others) if given else self._are_other(found, others)):
            warnings = warn_of_node_ids(row.names, others) if self.ids_matter else ()
            return _warn_of_labels(Choice(others, warnings=warnings), row, labels)
        if missing and not given and header is None and self._may_be_data(row) and self._in_order(row, found):
            return self._choose_by_order(row)
        refuse_twins(row.names, line=row.line)
        if missing and len(row.of_queries) == len(self.pair) > 0 and set(missing) <= set(self.pair):
            return self._of_query(row, found)
        if not missing:
            return _warn_of_labels(self._choose_by_name(row, found), row, labels)
        raise self._refusal(row, found, missing)

    def _find(self, names: Sequence[str]) -> dict[str, RoleColumns]:
        """Find the best names of each role, and the columns that have them; the ends of an edge have names that go together."""
        forms = forms_of(tuple(names))
        found = self._of_one_role(
            {role: best for role, tiers in self.names.items() if (best := find_best(tiers, forms))}
        )
        for tier in zip(*(self.names[role] for role in self.pair), strict=True):
            both = [find_best((words,), forms) for words in tier]
            if all(both):
                found |= {role: best for role, best in zip(self.pair, both, strict=True) if best}
                break
        else:
            # Without a target, a source is hardly an end: it may be where a row is from.
            loose = {
                role: find_best(self.names[role][-1:], forms)
                for role in self.pair
                if role in found and found[role].words.vague
            }
            found |= {role: best for role, best in loose.items() if best and best.words.weak}
        sure = self.relation in found or any(
            role in found and found[role].words is self.names[role][0] for role in self.pair
        )
        if self.opposed and self._missing(found):
            ends = opposites_in(names, self.pair)
            taken = [one.columns for one in ends.values()]
            found = {role: one for role, one in found.items() if one.columns not in taken} | ends
        if PERHAPS in found and (sure or len(found[PERHAPS].columns) > 1):
            del found[PERHAPS]
        return found

    def _of_one_role(self, found: dict[str, RoleColumns]) -> dict[str, RoleColumns]:
        """Keep one role for a column: the one for which its name is better."""
        for role, best in list(found.items()):
            rank = self.names[role].index(best.words)
            if any(
                best.columns == other.columns and rank > self.names[name].index(other.words)
                for name, other in found.items()
                if name != role
            ):
                del found[role]
        return found

    def _are_other(self, found: Mapping[str, RoleColumns], others: Mapping[str, int]) -> bool:
        """Return whether other columns say better than the ends of an edge what a table is."""
        if self._missing(found):
            return True
        ends = {at for role in self.pair for at in found[role].columns}
        if next(iter(others)).startswith((MARK_OF_LEVEL, MARK_OF_ANCESTOR)):
            return ends <= set(others.values())
        related = self.relation in found and found[self.relation].words is self.names[self.relation][0]
        source, target = (found[role].words for role in self.pair)
        return "text" in others and not related and (source.weak or source.ids or target.ids)

    def _asks_for(self, found: Mapping[str, RoleColumns], others: Mapping[str, int]) -> bool:
        """Return whether the columns that are asked for are the names of nodes, and their parents, which may be ids."""
        ends = [found[role].columns for role in self.pair if role in found]
        return ends == [[others.get("text")], [others.get("target")]]

    def _missing(self, found: Mapping[str, RoleColumns]) -> list[str]:
        return [group[0] for group in self.needed if found.keys().isdisjoint(group)]

    def _choose_by_name(self, row: FirstRow, found: Mapping[str, RoleColumns]) -> Choice:
        for role, (_, columns) in found.items():
            if len(columns) > 1:
                raise self.several(role, [row.names[at] for at in columns])
        places = {role: columns[0] for role, (_, columns) in found.items()}
        warnings = []
        if self.pair and self.relation not in found and all(found[role].words.vague for role in self.pair):
            warnings.append(self._which_end({role: places[role] for role in self.pair}, row))
        numbered = [
            name for at, name in enumerate(row.names) if at not in places.values() and self._is_numbered(name, found)
        ]
        if numbered:
            warnings.append(f"columns not read: {_list_columns(numbered)}")
        ids = [row.names[places[role]] for role, best in found.items() if best.words.ids]
        if self.ids_matter and ids:
            warnings.append(f"ids are compared, and no names: the columns are {_list_columns(ids)}")
        asked = self.judged in found and not found[self.judged].words.names
        return Choice(places, True, (*warnings, *(() if asked else self.warn_of_others(row.names))))

    def _is_numbered(self, name: str, found: Mapping[str, RoleColumns]) -> bool:
        """Return whether a column is called as an end of an edge is, with a number behind it."""
        form = bare(name)
        return form[-1:].isdigit() and any(
            form.rstrip("0123456789") in found[role].words.names for role in self.pair if role in found
        )

    def _of_query(self, row: FirstRow, found: Mapping[str, RoleColumns]) -> Choice:
        """Read what a query of Neo4j returns, such as ``a.name, type(r), b.name``: its variables do not say which end they are."""
        rest = {role: columns[0] for role, (_, columns) in found.items() if role not in self.pair}
        ends = dict(zip(self.pair, row.of_queries, strict=True))
        return Choice({**rest, **ends}, True, (self._which_end(ends, row),))

    def _which_end(self, ends: Mapping[str, int], row: FirstRow) -> str:
        """Write the warning of columns whose names could be those of either end."""
        note = " and ".join(f"{row.names[at]!r} is read as the {self.word(role)}" for role, at in ends.items())
        return f"the names of the columns do not say which end is which: {note}"

    def _order(self, row: FirstRow) -> tuple[str, ...] | None:
        return next((order for order in self.orders if len(order) == row.width), None)

    def _may_be_data(self, row: FirstRow) -> bool:
        if not self._order(row) or (not row.always and row.heads(self._names_stated(row))):
            return False
        return self.guessed or (row.nameless if row.always else self._is_data(row))

    def _in_order(self, row: FirstRow, found: Mapping[str, RoleColumns]) -> bool:
        """Return whether each column whose name is known has the place of its role: a name says more than a place."""
        order = self._order(row) or ()
        return not row.always or all(
            role in order and order.index(role) in best.columns for role, best in found.items() if role != PERHAPS
        )

    def _names_stated(self, row: FirstRow) -> list[str]:
        """Return the cells of a first row that could be names of columns."""
        order = self._order(row) or ()
        return [
            name
            for at, name in enumerate(row.stated)
            if not (at < len(order) and (known := self.words.get(order[at])) and known(bare(name)))
        ]

    def _is_data(self, row: FirstRow) -> bool:
        """Whether a first row is no header: no cell can be the name of a column, or one is a number in a column of numbers."""
        cells = dict(zip(self._order(row) or (), row.names, strict=False))
        numbers = (NUMBER.fullmatch(cells.get(role, "")) for role in self.numbers)
        return not row.always and (any(numbers) or all(map(DATA.fullmatch, row.stated)))

    def _choose_by_order(self, row: FirstRow) -> Choice:
        places = self._choose_in_order(row)
        order = ", ".join(map(self.word, places))
        if self._is_data(row):
            return Choice(places, False, (f"the table has no header: columns are read as {order}",))
        what = "the names of the columns say nothing" if row.always else "the first row is read as data"
        note = f"{NO_HEADER}: columns are read by position as {order}, and {what}: {_list_columns(row.names)}"
        return Choice(places, False, (note,))

    def _choose_in_order(self, row: FirstRow) -> dict[str, int]:
        order = self._order(row)
        if order is not None:
            return {role: at for at, role in enumerate(order)}
        expected = " or ".join(", ".join(map(self.word, order)) for order in self.orders)
        raise InputError(
            "Without a header the columns are not known.",
            line=1,
            found=f"{count_of(row.width, 'column')}: {_list_columns(row.names)}"[:SHOWN],
            expected=expected,
            hint="name the columns in the first row, and leave out --header no",
        )

    def several(self, role: str, columns: Sequence[str]) -> InputError:
        """Build the error for several columns of one role."""
        return InputError(
            f"Several columns are recognised as the {self.word(role)}.",
            found=", ".join(columns)[:SHOWN],
            expected="the name of one of them",
            hint=self._flag_of(role, columns[0]) if self.asked else "rename or remove the others",
        )

    def _could_be_data(self, row: FirstRow) -> bool:
        cells = dict(zip(self._order(row) or (), row.stated, strict=False))
        return bool(cells) and all(row.stated) and all(NUMBER.fullmatch(cells.get(role, "0")) for role in self.numbers)

    def _refusal(self, row: FirstRow, found: Mapping[str, RoleColumns], missing: Sequence[str]) -> InputError:
        """Build the error for a table without a needed column; what it says to try succeeds."""
        taken = {at for _, columns in found.values() for at in columns}
        times = Counter(row.names)
        free = [name for at, name in enumerate(row.names) if at not in taken and name and times[name] == 1]
        announced = {name for name in row.names if bare(name) in NODE_IDS or bare(name).endswith("id")}
        for_ids = any("id" in words.names for words in self.names[missing[0]])
        # Where nothing announces an id, a text may be one.
        by_texts = for_ids and len(missing) > 1 and announced.isdisjoint(free)
        free.sort(
            key=lambda name: (
                singular(bare(name)) in {*NUMBERS, ""},
                (name in announced) != for_ids,
                (bare(name) in TEXTS) != by_texts,
            )
        )
        ids = [name for name in row.names if ROW_IDS.fullmatch(name)]
        # Of the ids of a table of relationships the first two are its ends.
        ordered = [*ids, *free] if (ids and not self.pair) or set(missing) <= {*self.pair} else free
        flags = [self._flag_of(role, name) for role, name in zip(missing, dict.fromkeys(ordered), strict=False)]
        expected = ",".join(self.word(group[0]) for group in self.needed)
        proposed = {name in announced for name in ordered[: len(missing)]}
        # What is data names no column: the first row would be lost.
        is_data = not row.always and sum(map(bool, map(DATA.fullmatch, row.stated))) > 1
        # An id and a name are no edge.
        named = (
            self.asked
            and not is_data
            and len(flags) >= len(missing)
            and not (self.pair and len(missing) > 1 and len(proposed) > 1)
        )
        flags = self._ends_by_order(row, found, ordered) or flags
        # Of more columns than are missing the message cannot know which ones are meant.
        example = ", for example" if len({*ordered}) > len(missing) else ""
        tries = [
            f"name {'it' if len(flags) == 1 else 'them'}{example}: {' '.join(flags)}"
            if named
            else f"{'write the names of the columns above the first row' if is_data else 'name the columns'}: {expected}"
        ]
        if self.asked and not row.always and self._could_be_data(row):
            tries.append("if the first row is data: --header no")
        within = len(row.stated) == 1 and any(mark in row.names[0] for mark in "|,;\t")
        if within:
            tries = ["write a comma or a tab between columns, and no quotes around a whole row"]
        whole = self.guessed and len(missing) == len(self.needed)
        what = f"ids, which are no names: {', '.join(ids)}" if ids else f"the columns {', '.join(row.names)}"
        return InputError(
            f"The table has {count_of(row.width, 'column')}, and no header that names them."
            if whole and not ids
            else f"No column is recognised as the {self.word(missing[0])}.",
            line=row.line,
            found=what[:SHOWN],
            expected=f"columns such as {expected}",
            hint="; ".join(tries),
        )

    def _ends_by_order(self, row: FirstRow, found: Mapping[str, RoleColumns], others: Sequence[str]) -> list[str]:
        """Propose both ends by their order where the only name that is known is a word for things, too, and is first: Kind is German for child."""
        source, target = self.pair or ("", "")
        if source in found or target not in found or not others or not found[target].words.weak:
            return []
        known = row.names[found[target].columns[0]]
        if row.names.index(known) > row.names.index(others[0]):
            return []
        below, above = (self._flag_of(role, name) for role, name in zip(self.pair, (known, others[0]), strict=True))
        return [below, f"{above}, or the other way round"]

    def refuse_both_sides(self, names: Sequence[str], *, line: int | None = None) -> None:
        """Refuse a table with columns of both sides: one of them would be read on both, and all would be right."""
        if not self.sides:
            return
        role, of_pred, of_gold = self.sides
        both = [find_best((words,), forms_of(tuple(names))) for words in (of_pred, of_gold)]
        if not all(both):
            return
        pred, gold = (names[one.columns[0]] for one in both if one)
        word = self.word(role).removesuffix("s")
        raise InputError(
            f"The table has a column of predicted {word}s and one of gold {word}s.",
            line=line,
            found=f"{pred}, {gold}",
            expected=f"one column of {word}s for each side",
            hint=f"name one: {self._flag_of(role, pred)}, or {self._flag_of(role, gold)}",
        )

    def warn_of_others(self, names: Sequence[str]) -> tuple[str, ...]:
        """Warn of the columns next to an answer that hold what was asked: these are not read."""
        tiers, read = self.names.get(self.judged, ()), self.called(self.judged, names)
        others = [name for tier in tiers for name in names if name not in read and bare(name) in tier.names]
        if not others:
            return ()
        return (f"{_list_columns(read)} is read as the {self.word(self.judged)}, and not {_list_columns(others)}",)

    def _place_of(self, role: str, column: str, row: FirstRow) -> int:
        alike = [at for at, name in enumerate(row.names) if name == column] or [
            at for at, name in enumerate(row.names) if bare(name) == bare(column)
        ]
        if len(alike) == 1:
            return alike[0]
        raise InputError(
            f"The table has {'several columns' if alike else 'no column'} {column!r}.",
            line=row.line,
            found=", ".join(row.names)[:SHOWN],
            expected=f"the column of the {self.word(role)}",
            hint=self._flag_of(role, nearest(column, row.names) or row.names[0]) if row.names else None,
        )

    def word(self, role: str) -> str:
        """Name a role in messages and flags."""
        return self.flags.get(role, role)

    def _flag_of(self, role: str, column: str = "") -> str:
        """Write the flag that names the column of a role, with that column if one is given."""
        return f"--{self.word(role)}-column {shlex.quote(column) if column else ''}".rstrip()


def refuse_twins(names: Sequence[str], *, line: int | None = 1) -> None:
    """Refuse a name that two columns have."""
    times = Counter(names)
    twice = next((name for name in names if name and times[name] > 1), None)
    if twice is not None:
        raise InputError(
            "Two columns have the same name.",
            line=line,
            found=repr(twice),
            expected="unique names",
            hint="rename or remove one of them",
        )


def _labels_in(names: Sequence[str], asked: Iterable[str]) -> dict[int, str]:
    """Return what columns count as where labels are next to ids, as Wikidata writes them: each label as its id, and the id as nothing."""
    places = {bare(name): at for at, name in enumerate(names)}
    pairs = {
        places[bare(name) + "label"]: at
        for at, name in enumerate(names)
        if bare(name) and bare(name) + "label" in places
    }
    if any(names[at] in asked for at in pairs.values()):
        return {}
    return {**dict.fromkeys(pairs.values(), ""), **{label: names[at] for label, at in pairs.items()}}


def _warn_of_labels(choice: Choice, row: FirstRow, labels: Mapping[int, str]) -> Choice:
    """Warn that names are read from labels, and not from the ids next to them."""
    read = [row.names[at] for at in choice.places.values() if labels.get(at)]
    if not read:
        return choice
    warning = f"names are read from {_list_columns(read)}, and not from the ids next to them"
    return choice._replace(warnings=(*choice.warnings, warning))


def warn_of_node_ids(names: Sequence[str], places: Mapping[str, int]) -> tuple[str, ...]:
    """Warn that nodes are compared by their ids, where another column may have their names."""
    node = places.get("node")
    if node is None or "text" in places or bare(names[node]) not in NODE_IDS:
        return ()
    return not_read([name for at, name in enumerate(names) if at not in places.values()], "columns")


def not_read(names: Sequence[str], what: str = "keys", name: str = "name") -> tuple[str, ...]:
    """Write the warning that ids are compared, where something that is not read may have the names."""
    rest = [name for name in names if singular(bare(name)) not in NUMBERS]
    if not any(rest):
        return ()
    return (
        f"ids are compared, not names; {what} not read: {_list_columns(rest)}; if one has the names, call it {name}",
    )


def _list_columns(cells: Iterable[str]) -> str:
    some = list(islice(cells, WIDEST + 1))
    shown = ", ".join(repr(cell[:LONGEST]) for cell in some[:WIDEST])
    return f"{shown}, ..." if len(some) > WIDEST else shown


TRIPLE, OF_ENDS = 3, 3
"""The parts of a statement with a relation, and how many lists of names an end has, of names as of ids."""
ENDS_TOGETHER = frozenset(
    zip(
        f"{STARTS} subject subj src".split(),
        ["target", "tgt", "to", "tail", "end", "object", "obj", "dst"],
        strict=True,
    )
)
"""Names of two ends that say nothing of their own, but together."""
