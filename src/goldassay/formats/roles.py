"""Which column of a table is what: the names that are recognised in every family, and the one rule that chooses by them."""

from __future__ import annotations

import re
import shlex
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from itertools import islice, permutations
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

from goldassay.core.errors import InputError, UsageError, nearest
from goldassay.core.limits import COLUMNS
from goldassay.core.patterns import pattern_of
from goldassay.core.text import singular

Header: TypeAlias = Literal["yes", "no"]
NO_ROLES: Mapping[str, str | None] = MappingProxyType({})
NO_WORDS: Mapping[str, str] = MappingProxyType({})
NO_PLACES: Mapping[str, int] = MappingProxyType({})
NONE = "none"
"""Asked for as a column, this means that there is no such column."""
WORDS = pattern_of(r"[^\W_]+")
ASCII = {code: chr(code).lower() if chr(code).isalnum() else None for code in range(128)}
QUOTES = "\"'`\ufeff"
SHOWN = 200
PERHAPS = "perhaps"
"""The role of a column that names relations only if its cells do, and then takes the place of the relation."""
SURE_RUNGS = 2
"""How many columns of levels have a name that is sure; with another one they are levels."""
LONGEST, WIDEST = 200, 20
"""Characters of the longest name that a column is known by, and the most columns that a message lists."""
OF_NAMES = ("", "name", "label", "text", "term", "entity", "node", "concept")
OF_IDS = ("id", "iri", "uri", "curie", "identifier")
ROW_IDS = pattern_of(
    r"(.*:(start_id|end_id)(\([^()]*\))?|~from|~to|_start|_end|(id|elementid)\(\w+\)|\w+\.(id|uid|identity))",
    re.IGNORECASE,
)
"""Columns that tools for property graphs fill with the numbers of nodes."""
CYPHER = pattern_of(r"(type)\(\w+\)|\w+\.(type)|(start|end)node\(\w+\)\.\w+", re.IGNORECASE)
MARKED = frozenset(":~_(.")
"""Every column of row ids, and every one of Cypher, has one of these in its name."""
CYPHER_NAME = pattern_of(r"\w+\.(name|title|label|text)", re.IGNORECASE)
"""How Cypher calls the columns of a query for relationships."""
HEADLIKE = pattern_of(r"|.+_(id|name|label|iri|uri|text|type)", re.IGNORECASE)
"""What a column without a known name may be called, but hardly a thing."""
NAMELESS = pattern_of(r"(column_?|_c|f|v|x|unnamed:?_?)?\d+", re.IGNORECASE)
"""What libraries call the columns of a table without names."""
LEVEL = pattern_of(r"(?:[a-z]*level|lvl|l|tier|layer|depth)(\d{1,3})(?:name|label|term)?")
"""What the column of a level is called, from the root down, as `bare` writes it."""
MARK_OF_LEVEL = "level "
"""What the role of such a column begins with."""
MARK_OF_ANCESTOR = "ancestor "
"""What the role of such a column begins with where a row goes from a node up, so that the upper cells may be empty."""
NUMBER = pattern_of(r"[+-]?(\d++\.?\d*|\.\d+)([eE][+-]?\d+)?")
DATA = pattern_of(rf"<?[A-Za-z][\w+.-]*:(//\S+|[^\W\d]*+\d\S*)|{NUMBER.pattern}")
"""An IRI, a CURIE with a number, or a number: no name of a column."""


@lru_cache(maxsize=2**15)
def bare(name: str) -> str:
    """Reduce the name of a column to its letters and digits, without case: the one normalisation of all families."""
    if name.isascii():
        return name.translate(ASCII)
    return "".join(WORDS.findall(unicodedata.normalize("NFKC", name).casefold()))


Chooser: TypeAlias = Callable[..., "Choice"]
"""Chooses columns, given their names, and by keyword whether the format always has some (``always``)
and what counts the cells of most rows (``width``)."""


def decisions_in(names: Sequence[str], taken: Iterable[int], *, stated: bool = True) -> dict[str, int]:
    """Return the places of the columns of decisions among those that are not read, and of those that say why an answer ends; only of these if rows state nothing."""
    rest = set(range(len(names))).difference(taken)
    known = JUDGING | ENDINGS if stated else ENDINGS
    return {names[at]: at for at in sorted(rest) if bare(names[at]) in known}


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


class Words(NamedTuple):
    """Names of a column that are equally good.

    Attributes:
        names: The names, as `bare` writes them.
        ids: Whether they announce ids.
        vague: Whether they do not say which end of an edge is meant.
        weak: Whether they are names of things as well, so that a first row with one of them may be data.
    """

    names: frozenset[str]
    ids: bool = False
    vague: bool = False
    weak: bool = False


def words(text: str, *, vague: bool = False, weak: bool = False, forms: Iterable[str] = ("",)) -> Words:
    """List names that are equally good."""
    found = {
        form.format(word) if "{}" in form else f"{word}{form}"
        for word in text.split()
        for form in forms
        if len(word) > 1 or not form
    }
    return Words(frozenset(found), ids=forms is OF_IDS, vague=vague, weak=weak)


def ends(*texts: str, vague: Iterable[int] = ()) -> tuple[Words, ...]:
    """List the names of an end of an edge: first those of names, then those of ids."""
    of_names = tuple(words(text, vague=at in vague, forms=OF_NAMES) for at, text in enumerate(texts))
    return (*of_names, *(words(text, vague=at in vague, forms=OF_IDS) for at, text in enumerate(texts)))


DECISIONS = words(
    "answer response output result prediction predicted predictedlabel pred label class decision verdict "
    "judgment judgement match matched ismatch ismatched matches equivalent isequivalent correct iscorrect "
    "right valid isvalid holds positive ispositive true istrue truth groundtruth accept accepted isaccepted "
    "approved relevant isrelevant entailed entailment ishypernym hypernymy issubclass issubclassof isa ischild "
    "isparent isrelated isedge exists status verdict supported issupported"
).names
"""What a column is called that says whether a row holds."""
NEGATIONS = words(
    "negated isnegated negation negative isnegative negate reject rejected wrong iswrong incorrect deleted isdeleted obsolete isobsolete deprecated isdeprecated"
).names
"""What a column is called that says whether a row does not hold."""


ANSWERED = (
    "target", "tgt", "parent", "hypernym", "broader", "object", "concept", "label", "class", "category", "entity", "term", "answer",
    "output", "response", "prediction", "match", "mapping",
)  # fmt: skip
OF_SYSTEMS = ("predicted{}", "pred{}", "{}pred", "{}prediction", "llm{}", "model{}", "system{}", "best{}", "top{}")
PREDICTIONS = frozenset(form.format(word) for form in OF_SYSTEMS for word in ANSWERED) | {
    "prediction", "predicted", "pred", "output", "answer", "response", "result", "completion", "system", "match", "mapped", "mappedto",
}  # fmt: skip
"""What a column is called that has what a system predicted, next to what is right."""
JUDGING = DECISIONS | NEGATIONS | PREDICTIONS
SPLITS = words("train training dev development valid validation val test testing eval evaluation heldout").names
"""What the parts of a data set are called."""
ENDINGS = words("finishreason stopreason donereason").names
"""What services call the reason why an answer ends."""
ASKING = frozenset(name for name in JUDGING if name.startswith("is") and name != "isa")
"""Those that nothing else is called."""


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
        every = set().union(*(some for level in _forms(names) for some in level))
        return not any(map(every.isdisjoint, self._needed)) and not self._missing(self._find(names))

    @cached_property
    def _needed(self) -> list[frozenset[str]]:
        """The names of each group of roles of which a table has one."""
        groups = [[words.names for role in group for words in self.names[role]] for group in self.needed]
        return [frozenset[str]().union(*names) for names in groups]

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
        found = _find_best(self.names.get(role, ()), _forms(tuple(listed)))
        return [] if found is None else [listed[at] for at in found.columns]

    def chooser(self, path: str, asked: Mapping[str, str | None] = NO_ROLES, header: Header | None = None) -> Chooser:
        """Choose columns as `chosen` does, of one file by the options of its reader."""
        return partial(self.chosen, path=path, asked=asked, header=header)

    def chosen(
        self,
        names: Sequence[str],
        *,
        path: str,
        asked: Mapping[str, str | None] = NO_ROLES,
        header: Header | None = None,
        always: bool = False,
        width: Callable[[], int] = int,
    ) -> Choice:
        """Choose the column of each role: the one that was asked for, else by its name, else by its order."""
        row = _Row([name.strip().strip(QUOTES).strip() for name in names], width, path, always=always)
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

    def _choose(self, row: _Row, asked: Mapping[str, str | None], header: Header | None) -> Choice:
        given = {role: column for role, column in asked.items() if column is not None}
        if header == "no" and not row.always:
            if given:
                flag = self._flag_of(next(iter(given)))
                raise UsageError("Without a header columns have no names.", found=f"{flag} and --header no")
            return Choice(self._choose_in_order(row), named=False)
        if self.sides and self.sides[0] not in given:
            self.refuse_both_sides(row.names, path=row.path, line=None if row.always else 1)
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
        refuse_twins(row.names, path=row.path, line=None if row.always else 1)
        if missing and len(row.of_queries) == len(self.pair) > 0 and set(missing) <= set(self.pair):
            return self._of_query(row, found)
        if not missing:
            return _warn_of_labels(self._choose_by_name(row, found), row, labels)
        raise self._refusal(row, found, missing)

    def _find(self, names: Sequence[str]) -> dict[str, RoleColumns]:
        """Find the best names of each role, and the columns that have them; the ends of an edge have names that go together."""
        forms = _forms(tuple(names))
        found = self._of_one_role(
            {role: best for role, tiers in self.names.items() if (best := _find_best(tiers, forms))}
        )
        for tier in zip(*(self.names[role] for role in self.pair), strict=True):
            both = [_find_best((words,), forms) for words in tier]
            if all(both):
                found |= {role: best for role, best in zip(self.pair, both, strict=True) if best}
                break
        sure = self.relation in found or any(
            role in found and found[role].words is self.names[role][0] for role in self.pair
        )
        if self.opposed and self._missing(found):
            found |= _opposites_in(names, self.pair)
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

    def _choose_by_name(self, row: _Row, found: Mapping[str, RoleColumns]) -> Choice:
        for role, (_, columns) in found.items():
            if len(columns) > 1:
                raise self.several(role, [row.names[at] for at in columns], row.path)
        places = {role: columns[0] for role, (_, columns) in found.items()}
        warnings = []
        if self.pair and self.relation not in found and all(found[role].words.vague for role in self.pair):
            note = " and ".join(f"{row.names[places[role]]!r} is read as the {self.word(role)}" for role in self.pair)
            warnings.append(f"the names of the columns do not say which end is which: {note}")
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

    def _of_query(self, row: _Row, found: Mapping[str, RoleColumns]) -> Choice:
        """Read what a query of Neo4j returns, such as ``a.name, type(r), b.name``: its variables do not say which end they are."""
        rest = {role: columns[0] for role, (_, columns) in found.items() if role not in self.pair}
        ends = dict(zip(self.pair, row.of_queries, strict=True))
        note = " and ".join(f"{row.names[at]!r} is read as the {self.word(role)}" for role, at in ends.items())
        return Choice({**rest, **ends}, True, (f"the names of the columns do not say which end is which: {note}",))

    def _order(self, row: _Row) -> tuple[str, ...] | None:
        return next((order for order in self.orders if len(order) == row.width), None)

    def _may_be_data(self, row: _Row) -> bool:
        if not self._order(row) or (not row.always and row.heads(self._names_stated(row))):
            return False
        return self.guessed or (row.nameless if row.always else self._is_data(row))

    def _in_order(self, row: _Row, found: Mapping[str, RoleColumns]) -> bool:
        """Return whether each column whose name is known has the place of its role: a name says more than a place."""
        order = self._order(row) or ()
        return not row.always or all(
            role in order and order.index(role) in best.columns for role, best in found.items() if role != PERHAPS
        )

    def _names_stated(self, row: _Row) -> list[str]:
        """Return the cells of a first row that could be names of columns."""
        order = self._order(row) or ()
        return [
            name
            for at, name in enumerate(row.stated)
            if not (at < len(order) and (known := self.words.get(order[at])) and known(bare(name)))
        ]

    def _is_data(self, row: _Row) -> bool:
        """Whether a first row is no header: no cell can be the name of a column, or one is a number in a column of numbers."""
        cells = dict(zip(self._order(row) or (), row.names, strict=False))
        numbers = (NUMBER.fullmatch(cells.get(role, "")) for role in self.numbers)
        return not row.always and (any(numbers) or all(map(DATA.fullmatch, row.stated)))

    def _choose_by_order(self, row: _Row) -> Choice:
        places = self._choose_in_order(row)
        order = ", ".join(map(self.word, places))
        if self._is_data(row):
            return Choice(places, False, (f"the table has no header: columns are read as {order}",))
        what = "the names of the columns say nothing" if row.always else "the first row is read as data"
        note = f"{NO_HEADER}: columns are read by position as {order}, and {what}: {_list_columns(row.names)}"
        return Choice(places, False, (note,))

    def _choose_in_order(self, row: _Row) -> dict[str, int]:
        order = self._order(row)
        if order is not None:
            return {role: at for at, role in enumerate(order)}
        expected = " or ".join(", ".join(map(self.word, order)) for order in self.orders)
        raise InputError(
            "Without a header the columns are not known.",
            path=row.path,
            line=1,
            found=f"{_count(row.width)}: {_list_columns(row.names)}"[:SHOWN],
            expected=expected,
            hint="name the columns in the first row, and leave out --header no",
        )

    def several(self, role: str, columns: Sequence[str], path: str) -> InputError:
        """Build the error for several columns of one role."""
        return InputError(
            f"Several columns are recognised as the {self.word(role)}.",
            path=path,
            found=", ".join(columns)[:SHOWN],
            expected="the name of one of them",
            hint=f"{self._flag_of(role)} {shlex.quote(columns[0])}" if self.asked else "rename or remove the others",
        )

    def _could_be_data(self, row: _Row) -> bool:
        cells = dict(zip(self._order(row) or (), row.stated, strict=False))
        return bool(cells) and all(row.stated) and all(NUMBER.fullmatch(cells.get(role, "0")) for role in self.numbers)

    def _refusal(self, row: _Row, found: Mapping[str, RoleColumns], missing: Sequence[str]) -> InputError:
        """Build the error for a table without a needed column; what it says to try succeeds."""
        taken = {at for _, columns in found.values() for at in columns}
        times = Counter(row.names)
        free = [name for at, name in enumerate(row.names) if at not in taken and name and times[name] == 1]
        announced = {name for name in free if bare(name) in NODE_IDS or bare(name).endswith("id")}
        for_ids = any("id" in words.names for words in self.names[missing[0]])
        # Where nothing announces an id, a text may be one.
        by_texts = for_ids and len(missing) > 1 and not announced
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
        flags = [
            f"{self._flag_of(role)} {shlex.quote(name)}"
            for role, name in zip(missing, dict.fromkeys(ordered), strict=False)
        ]
        expected = ",".join(self.word(group[0]) for group in self.needed)
        proposed = {bare(name) in NODE_IDS or bare(name).endswith("id") for name in ordered[: len(missing)]}
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
            f"The table has {_count(row.width)}, and no header that names them."
            if whole and not ids
            else f"No column is recognised as the {self.word(missing[0])}.",
            path=row.path,
            line=None if row.always else 1,
            found=what[:SHOWN],
            expected=f"columns such as {expected}",
            hint="; ".join(tries),
        )

    def _ends_by_order(self, row: _Row, found: Mapping[str, RoleColumns], others: Sequence[str]) -> list[str]:
        """Propose both ends by their order where the only name that is known is a word for things, too, and is first: Kind is German for child."""
        source, target = self.pair or ("", "")
        if source in found or target not in found or not others or not found[target].words.weak:
            return []
        known = row.names[found[target].columns[0]]
        if row.names.index(known) > row.names.index(others[0]):
            return []
        below, above = (
            f"{self._flag_of(role)} {shlex.quote(name)}"
            for role, name in zip(self.pair, (known, others[0]), strict=True)
        )
        return [below, f"{above}, or the other way round"]

    def refuse_both_sides(self, names: Sequence[str], *, path: str, line: int | None = None) -> None:
        """Refuse a table with columns of both sides: one of them would be read on both, and all would be right."""
        if not self.sides:
            return
        role, of_pred, of_gold = self.sides
        both = [_find_best((words,), _forms(tuple(names))) for words in (of_pred, of_gold)]
        if not all(both):
            return
        pred, gold = (names[one.columns[0]] for one in both if one)
        word = self.word(role).removesuffix("s")
        raise InputError(
            f"The table has a column of predicted {word}s and one of gold {word}s.",
            path=path,
            line=line,
            found=f"{pred}, {gold}",
            expected=f"one column of {word}s for each side",
            hint=f"name one: {self._flag_of(role)} {shlex.quote(pred)}, or {self._flag_of(role)} {shlex.quote(gold)}",
        )

    def warn_of_others(self, names: Sequence[str]) -> tuple[str, ...]:
        """Warn of the columns next to an answer that hold what was asked: these are not read."""
        tiers, read = self.names.get(self.judged, ()), self.called(self.judged, names)
        others = [name for tier in tiers for name in names if name not in read and bare(name) in tier.names]
        if not others:
            return ()
        return (f"{_list_columns(read)} is read as the {self.word(self.judged)}, and not {_list_columns(others)}",)

    def _place_of(self, role: str, column: str, row: _Row) -> int:
        alike = [at for at, name in enumerate(row.names) if name == column] or [
            at for at, name in enumerate(row.names) if bare(name) == bare(column)
        ]
        if len(alike) == 1:
            return alike[0]
        raise InputError(
            f"The table has {'several columns' if alike else 'no column'} {column!r}.",
            path=row.path,
            line=None if row.always else 1,
            found=", ".join(row.names)[:SHOWN],
            expected=f"the column of the {self.word(role)}",
            hint=f"{self._flag_of(role)} {shlex.quote(nearest(column, row.names) or row.names[0])}"
            if row.names
            else None,
        )

    def word(self, role: str) -> str:
        """Name a role in messages and flags."""
        return self.flags.get(role, role)

    def _flag_of(self, role: str) -> str:
        return f"--{self.word(role)}-column"


class RoleColumns(NamedTuple):
    """The columns that have the best names of a role."""

    words: Words
    columns: list[int]


@dataclass(frozen=True)
class _Row:
    """The first row of a table."""

    names: list[str]
    count: Callable[[], int]
    path: str
    always: bool = field(kw_only=True)

    @cached_property
    def width(self) -> int:
        """How many cells a row has."""
        return max(self.count(), len(self.names) if self.always else len(self.stated))

    @property
    def stated(self) -> list[str]:
        """The cells up to the last that is not empty: separators at the end of a row begin no cell."""
        return self.names[: max((at for at, name in enumerate(self.names, start=1) if name), default=0)]

    @property
    def of_queries(self) -> list[int]:
        """The columns that are called like a variable of Cypher and its name."""
        return [at for at, name in enumerate(self.names) if CYPHER_NAME.fullmatch(name)]

    @property
    def nameless(self) -> bool:
        """Whether a library named the columns."""
        return all(NAMELESS.fullmatch(name) for name in self.names)

    def heads(self, cells: Sequence[str]) -> bool:
        """Return whether one of some cells is the name of a column, known or not; pandas writes numbers from 0 where there are none."""
        known = any(
            (form := _canonical_name(name)) in HEADERS or form in ASKING or HEADLIKE.fullmatch(name) for name in cells
        )
        ids = any(map(ROW_IDS.fullmatch, cells))
        return known or ids or bool(self.of_queries) or self.stated == list(map(str, range(len(self.stated))))


def refuse_twins(names: Sequence[str], *, path: str, line: int | None = 1) -> None:
    """Refuse a name that two columns have."""
    times = Counter(names)
    twice = next((name for name in names if name and times[name] > 1), None)
    if twice is not None:
        raise InputError(
            "Two columns have the same name.",
            path=path,
            line=line,
            found=repr(twice),
            expected="unique names",
            hint="rename or remove one of them",
        )


GENERAL = frozenset({"name", "label", "title", "text"})
"""What columns are called that may say more of any other."""


def _opposites_in(names: Sequence[str], pair: tuple[str, ...]) -> dict[str, RoleColumns]:
    """Return the only two columns whose names are the same but for what is below and what is above: child class, parent class; or skill, parent skill."""
    places = {bare(name): at for at, name in enumerate(names)}
    found = [
        (name, other)
        for name in places
        for low, high in OPPOSITES
        if low in name and (other := name.replace(low, high, 1)) != name and other in places
    ]
    # What is above may be called by what it is: skill, parent skill.
    plain = (name for name in places if len(name) > 1 and name not in GENERAL | NODE_IDS and not name.endswith(OF_IDS))
    highs = {high for _, high in OPPOSITES}
    found += [
        (name, other) for name in plain for high in highs for other in (high + name, name + high) if other in places
    ]
    found = [ends for ends in found if not ends[0].endswith(OF_IDS)] or found
    if len(found) != 1:
        return {}
    return {
        role: RoleColumns(Words(frozenset({name}), ids=name.endswith(OF_IDS)), [places[name]])
        for role, name in zip(pair, found[0], strict=True)
    }


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


def _warn_of_labels(choice: Choice, row: _Row, labels: Mapping[int, str]) -> Choice:
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


def name_in(names: Sequence[str]) -> str | None:
    """Return which of some keys of nodes is called as a column of their names is; None if none or several are."""
    found = _find_best(NODES["text"], _forms(tuple(names)))
    return names[found.columns[0]] if found and len(found.columns) == 1 else None


def _canonical_name(name: str) -> str:
    """Write a name as the table of names has it; columns of row ids have none, nor what is too long for a name."""
    if len(name) > LONGEST:
        return ""
    if MARKED.isdisjoint(name):
        return bare(name)
    if ROW_IDS.fullmatch(name.strip()):
        return ""
    query = CYPHER.fullmatch(name.strip())
    return next(filter(None, query.groups())).lower() if query else bare(name)


@lru_cache(maxsize=64)
def _forms(names: tuple[str, ...]) -> list[list[set[str]]]:
    """Write names as the table of names has them and as singulars; and without numbers, as in "Threshold 0.9", for where there is none else."""
    known = [_canonical_name(name) for name in names]
    bare_of_numbers = [name if name.isalpha() else "".join(filter(str.isalpha, name)) for name in known]
    levels = [known] if bare_of_numbers == known else [known, bare_of_numbers]
    return [[{name, singular(name)} for name in level] for level in levels]


def _find_best(tiers: Sequence[Words], forms: Sequence[Sequence[set[str]]]) -> RoleColumns | None:
    """Find the columns with the best names."""
    for level in forms:
        every = set().union(*level)
        for words in tiers:
            if not words.names.isdisjoint(every):
                return RoleColumns(words, [at for at, some in enumerate(level) if not words.names.isdisjoint(some)])
    return None


def _count(width: int) -> str:
    return f"{width} column{'s' if width != 1 else ''}"


def _list_columns(cells: Iterable[str]) -> str:
    some = list(islice(cells, WIDEST + 1))
    shown = ", ".join(repr(cell[:LONGEST]) for cell in some[:WIDEST])
    return f"{shown}, ..." if len(some) > WIDEST else shown


RELATION = "predicate relation relationship relationtype property rel edge"
PARENTS = "parent hypernym broader superclass supertype supercategory superterm"
STARTS, STOPS = "source src from head start", "target tgt dst dest destination to tail end"
OPPOSITES = tuple(
    zip(
        ["child", "hyponym", "narrower", "descendant", "specific", "sub", "unter"],
        ["parent", "hypernym", "broader", "ancestor", "general", "super", "ober"],
        strict=True,
    )
)
"""What names of columns have in them that are else the same: what is below, and what is above."""
TRIPLE, OF_ENDS = 3, 3
"""The parts of a statement with a relation, and how many lists of names an end has, of names as of ids."""
RELATIONS = words(RELATION, forms=OF_NAMES).names
ENDS_TOGETHER = frozenset(
    zip(
        f"{STARTS} subject subj src".split(),
        ["target", "tgt", "to", "tail", "end", "object", "obj", "dst"],
        strict=True,
    )
)
"""Names of two ends that say nothing of their own, but together."""
EDGES = Roles(
    names={
        "source": (
            *ends(
                "child hyponym narrower subclass subtype subcategory subterm",
                "sub subject subj s",
                f"{STARTS} h",
                vague=(2,),
            ),
            words("term concept item entity node", vague=True, weak=True),
        ),
        "target": (
            *ends(
                PARENTS,
                "super object obj o",
                f"{STOPS} t",
                vague=(2,),
            ),
            words("category class group kind", vague=True, weak=True),
        ),
        "relation": (words(f"{RELATION} r p", forms=OF_NAMES), words("type"), words(RELATION, forms=OF_IDS)),
        PERHAPS: tuple(words(name, weak=True) for name in ("interaction", "label", "key", "name")),
    },
    needed=(("source",), ("target",)),
    otherwise=lambda names: _others_in(names),  # noqa: PLW0108 - it is defined below
    pair=("source", "target"),
    relation="relation",
    words={"relation": lambda cell: cell not in RELATION.split()},
    orders=(("source", "target"), ("source", "relation", "target")),
    guessed=True,
    flags={"source": "child", "target": "parent", PERHAPS: "relation, if a cell names one"},
    ids_matter=True,
    opposed=True,
    stated=True,
    predicted=("target",),
)
"""Edges of a graph."""
THINGS = "class concept term category taxon tax topic entity item node subject synset resource object"
CODES = (*OF_IDS, "code", "key", "number", "notation")
NODES = {
    "node": (
        words("id identifier code uid uuid curie iri uri key notation"),
        words(THINGS, forms=CODES),
        *ends("node", vague=(0,)),
    ),
    "text": (
        words("name", forms=OF_NAMES),
        words("label", forms=OF_NAMES),
        words("preflabel preferredlabel preferredname preferredterm prefname prefterm", forms=OF_NAMES),
        words("displayname displaylabel title", forms=OF_NAMES),
        words(THINGS, forms=("name", "label", "title", "text", "term")),
        words("name label preflabel preferredlabel title term", forms=("en", "english")),
        words("scientificname canonicalname commonname englishname englishlabel"),
        words("term text"),
        words("concept category class topic word taxon entity node item", forms=OF_NAMES),
        words("description"),
    ),
    "target": (
        *ends(PARENTS),
        words(PARENTS, forms=CODES),
        words("parent", forms=[f"{thing}{code}" for thing in f"{THINGS} nameusage".split() for code in CODES]),
        words("parent", forms=THINGS.split()),
        words("subclassof subtypeof isa"),
    ),
}
"""What the columns of a table of nodes are called, each of which has its parent in a column."""
NODE_IDS = frozenset[str]().union(*(names.names for names in NODES["node"])) - words("node", forms=OF_NAMES).names
"""Names of columns of ids: what is compared by them has no names."""
NUMBERS = words(
    "weight score confidence probability count frequency level depth rank order position size index row type kind date"
).names
"""Names of columns that are hardly names of nodes, and no loss if they are not read."""
TEXTS = words(
    "text title description sentence content comment prompt question input instruction query message context",
    forms=("{}",),
).names
"""Names of columns with texts of items, which are proposed last."""
OF_TOP, OF_LEAVES = "domain area field", "item instance term entity example product producttype concept name"
RANKS = """domain superkingdom kingdom subkingdom phylum subphylum superclass class subclass order suborder
superfamily family subfamily tribe genus subgenus species subspecies"""
Ladder: TypeAlias = "tuple[str, tuple[frozenset[str], ...], frozenset[str]]"


def _ladder(mark: str, rungs: Iterable[str], sure: str) -> Ladder:
    """Describe columns of levels: what their roles begin with, what each is called from the root down, and the names of which two are needed."""
    return mark, tuple(frozenset(rung.split()) for rung in rungs), frozenset(sure.split())


def _categories(thing: str) -> Ladder:
    """Describe the levels of things whose parts are called sub-things."""
    own = [f"{thing} main{thing} top{thing}", f"sub{thing}", f"subsub{thing}", f"subsubsub{thing}"]
    around = [" ".join(word for word in words.split() if word != thing) for words in (OF_TOP, OF_LEAVES)]
    return _ladder(MARK_OF_LEVEL, [around[0], *own, around[1]], " ".join(own))


THEMES = "category class topic type group term concept domain field area theme section"
LADDERS = (
    *map(_categories, THEMES.split()),
    _ladder(MARK_OF_LEVEL, RANKS.split(), "kingdom phylum order family genus species"),
    _ladder(MARK_OF_LEVEL, ["sector", "industrygroup", "industry", "subindustry"], "sector industrygroup industry"),
    _ladder(
        MARK_OF_ANCESTOR,
        (
            "greatgrandparent",
            "grandparent parentofparent grandhypernym",
            "parent hypernym superclass",
            "child hyponym subclass term concept node entity item name",
        ),
        "greatgrandparent grandparent parentofparent grandhypernym parent hypernym superclass",
    ),
)
"""What the columns of levels are called by words."""


def ladder_in(names: Sequence[str]) -> dict[str, int]:
    """Return the places of three or more columns of levels that words name, from the root down; else none."""
    forms = [{bare(name), singular(bare(name))} for name in names]
    every = frozenset[str]().union(*forms)
    for mark, rungs, sure in LADDERS:
        if len(sure & every) < SURE_RUNGS:
            continue
        columns = [[at for at, form in enumerate(forms) if form & rung] for rung in rungs]
        found = [at for at, *_ in filter(None, columns)]
        if len(found) > SURE_RUNGS and all(len(some) <= 1 for some in columns):
            return {f"{mark}{level}": at for level, at in enumerate(found, start=1)}
    return {}


def _others_in(names: Sequence[str]) -> dict[str, int]:
    """Return the places of levels, or of nodes."""
    levels, nodes = levels_in(names), nodes_in(names)
    return levels or ("text" in nodes and nodes) or ladder_in(names) or nodes


def levels_in(names: Sequence[str]) -> dict[str, int]:
    """Return the places of columns of levels, from the root down; none of a single level."""
    found = {int(level[1]): at for at, name in enumerate(names) if (level := LEVEL.fullmatch(bare(name)))}
    return {f"{MARK_OF_LEVEL}{level}": found[level] for level in sorted(found)} if len(found) > 1 else {}


def nodes_in(names: Sequence[str]) -> dict[str, int]:
    """Return the places of a node, perhaps its name, and its parent; none without a parent."""
    forms = _forms(tuple(names))
    found = {role: best.columns for role, tiers in NODES.items() if (best := _find_best(tiers, forms))}
    if found.get("text") == found.get("node"):
        found.pop("text", None)
    if "node" not in found and "text" in found:
        found = {"node": found.pop("text"), **found}
    if len(found.get("node", ())) > 1 and "target" in found:
        # Of several ids the parent says which are meant: parent_code is a code.
        above = bare(names[found["target"][0]])
        found["node"] = [at for at in found["node"] if above.endswith(bare(names[at]))] or found["node"]
    if not {"node", "target"} <= found.keys() or any(len(columns) > 1 for columns in found.values()):
        return {}
    return {role: found[role][0] for role in ("node", "text", "target") if role in found}


INDEX = "index without name"
"""What a first column of texts without a name is called: ids, where there are no others."""
OF_INDEX = words(bare(INDEX))
TRIPLES = Roles(
    names={
        "id": (words("id docid doc documentid document eid exampleid sentid chunkid"), words("graph"), OF_INDEX),
        "subject": ends("subject subj sub s", "head h", f"{STARTS.replace('head ', '')} node1 entity1 e1 arg1"),
        "predicate": (
            words("predicate pred p", forms=OF_NAMES),
            words("relation rel r relationship relationtype property edge", forms=OF_NAMES),
            words("label"),
            words("type"),
            words(f"{RELATION} pred", forms=OF_IDS),
        ),
        "object": ends("object obj o", "tail t", f"{STOPS.replace('tail ', '')} node2 entity2 e2 arg2"),
        "weight": (words("weight"),),
    },
    needed=(("subject",), ("predicate",), ("object",)),
    pair=("subject", "object"),
    relation="predicate",
    words={"predicate": lambda cell: cell not in RELATION.split()},
    orders=(("subject", "predicate", "object"), ("id", "subject", "predicate", "object")),
    guessed=True,
    ids_matter=True,
    stated=True,
    predicted=("predicate", "object"),
)
"""Triples of documents, one a row."""
KINDS_OF_AXIOMS = "kind propertytype axiomtype"
AXIOMS = Roles(
    names={
        "class": (
            words("class classes", forms=(*OF_NAMES, *OF_IDS)),
            words("subject domain", forms=(*OF_NAMES, *OF_IDS)),
        ),
        "property": (
            words("property predicate relation relationship", forms=(*OF_NAMES, *OF_IDS)),
            words("name label", weak=True),
        ),
        "object": (
            words("object range filler", forms=(*OF_NAMES, *OF_IDS)),
            words("target", forms=(*OF_NAMES, *OF_IDS)),
        ),
        "kind": (words(KINDS_OF_AXIOMS), words("type")),
    },
    needed=(("class",), ("property",), ("object",)),
    words={
        "property": lambda cell: cell not in RELATION.split(),
        "kind": lambda cell: cell not in KINDS_OF_AXIOMS.split(),
    },
    orders=(("class", "property", "object"), ("class", "property", "object", "kind")),
    guessed=True,
    stated=True,
    predicted=("property", "object"),
)
"""Axioms."""
PRED = words("pred prediction predicted predictedterm predterm predaxiom threshold system")
GOLD = words("gold goldterm goldaxiom reference goldstandard")
EQUIVALENCES = Roles(names={"pred": (PRED,), "gold": (GOLD,)}, needed=(("pred",), ("gold",)), asked=False)
"""Names of two sides that mean the same."""
MATCHES = Roles(
    names={**EQUIVALENCES.names, "score": (words("score credit sim similarity"),)},
    needed=(("pred",), ("gold",), ("score",)),
    orders=(("pred", "gold", "score"),),
    numbers=("score",),
    asked=False,
)
"""Axioms of two sides that were matched by hand."""
OF_THINGS = ("name", "label", "term", "concept", "class", "node")
THINGS = "entity term concept class node uri iri label"
CORRESPONDENCES = Roles(
    names={
        "source": (
            words("source src srcentity sourceentity"), words("source src", forms=OF_IDS), words("subject subjectid"),
            words("entity1"), words("head"), words("left"), words("from"),
            words("source src", forms=OF_THINGS), words(THINGS, forms=("{}1", "{}a", "ontology1{}")),
        ),
        "target": (
            words("target tgt dst tgtentity targetentity dstentity"), words("target tgt dst mapped", forms=OF_IDS),
            words("object objectid"), words("entity2"), words("tail"), words("right"), words("to"),
            words("target tgt dst", forms=OF_THINGS), words(THINGS, forms=("{}2", "{}b", "ontology2{}")),
        ),
        "relation": (words("relation"), words("predicate predicateid"), words("rel")),
        "score": (
            words("score"), words("confidence"), words("measure"), words("similarity sim"), words("weight"),
            words("normalizedscore"), words("probability"),
        ),
        "candidates": (words("tgtcandidates targetcandidates candidates targetcands"),),
        "candidate_scores": (words("scorecands candidatescores"),),
    },
    needed=(("source",), ("target", "candidates")),
    pair=("source", "target"),
    orders=(
        ("source", "target"), ("source", "target", "score"), ("source", "target", "relation", "score"),
        ("source", "target", "relation", "score", "type"),
    ),
    numbers=("score",),
    stated=True,
    predicted=("target",),
)  # fmt: skip
"""Correspondences of two ontologies."""
SSSOM = Roles(
    names={
        "source": (words("subjectid"),),
        "target": (words("objectid"),),
        "relation": (words("predicateid"),),
        "score": (words("confidence"),),
        "modifier": (words("predicatemodifier"),),
        "justification": (words("mappingjustification"),),
        "source_type": (words("subjecttype"),),
        "target_type": (words("objecttype"),),
    },
    needed=(("source",), ("target",), ("relation",)),
    asked=False,
    flags={"source": "subject_id", "target": "object_id", "relation": "predicate_id"},
)
"""Mappings of SSSOM, whose standard names the columns."""
PREDICTED = ("predicted{}", "pred{}", "{}pred", "{}prediction")
TRUE = ("gold{}", "true{}", "actual{}", "reference{}")
KINDS = "label class category type concept code"
LABELS_OF_PRED = Words(words(KINDS, forms=PREDICTED).names | words("prediction predicted pred ypred yhat").names)
LABELS_OF_GOLD = Words(words(KINDS, forms=TRUE).names | words("gold ytrue truth groundtruth").names)
LABELS = Roles(
    names={
        "instance": (
            words("instance instanceid"),
            words("id docid documentid proteinid entryid itemid sampleid recordid productid termid imageid filename"),
            words("document doc protein item sample record key query target"),
            words("product", weak=True),
            words("text"),
            words("term entity mention name", weak=True),
            OF_INDEX,
        ),
        "label": (
            words("label prediction predicted"),
            LABELS_OF_PRED,
            words("type", weak=True),
            words("class category concept node goid go code"),
            words("term"),
            words("subject"),
            words("accept choice labelresponses", weak=True),
            LABELS_OF_GOLD,
        ),
        "score": (words("score scores"), words("confidence probability prob similarity"), words("weight")),
    },
    needed=(("instance",), ("label",)),
    sides=("label", LABELS_OF_PRED, Words(LABELS_OF_GOLD.names | {"label", "class", "category"})),
    orders=(("instance", "label"), ("instance", "label", "score")),
    guessed=True,
    numbers=("score",),
    stated=True,
    predicted=("label",),
)
"""Labels of instances."""
CONTENTS = Roles(
    names={
        "label": LABELS.names["label"],
        "content": (words("ic ia informationcontent informationaccretion"), words("weight weights value")),
    },
    needed=(("label",), ("content",)),
    orders=(("label", "content"),),
    numbers=("content",),
    flags={"content": "ic"},
    asked=False,
)
"""The information content of labels."""
ANSWERS = words(
    "answer prediction output response summary reference hypothesis generated generatedtext generation completion"
)
"""What a column is called that holds an answer; next to it a text is what was asked."""
SENTENCES = Roles(
    names={"text": (ANSWERS, words("text"), words("sentence")), "id": (words("id"), OF_INDEX)},
    needed=(("text",),),
    judged="text",
    orders=(("text",), ("id", "text")),
    predicted=("text",),
)
"""Sentences."""
GIVEN = "concepts entities terms keywords keyphrases"
GIVEN_BY_PRED, GIVEN_AS_GOLD = (words(GIVEN, weak=True, forms=forms) for forms in (PREDICTED, TRUE))
ONE = "concept entity term keyword keyphrase"
OF_PRED = Words(
    words(ONE, forms=PREDICTED).names | words("prediction predicted pred output response generated completion").names
)
OF_GOLD = Words(words(ONE, forms=TRUE).names | words("concept keyword keyphrase").names | words(GIVEN).names)
DOCUMENTS = Roles(
    names={
        "id": (
            words("id"),
            words("docid documentid doc qid questionid answerid encounterid exampleid noteid"),
            OF_INDEX,
        ),
        "text": (ANSWERS, words("text"), words("note sentence")),
        "tree": (words("tree"), words("trees argumenttree arguments outline")),
        "concepts": (
            words("concepts"),
            words("concept annotations ents spans entities terms keywords keyphrases"),
            GIVEN_BY_PRED,
            GIVEN_AS_GOLD,
            words("keyword keyphrase tags extracted keyconcepts keyterms", weak=True),
            words(GIVEN, weak=True, forms=("extracted{}",)),
        ),
    },
    needed=(("text", "concepts", "tree"),),
    orders=(("text",), ("id", "text")),
    sides=("concepts", OF_PRED, OF_GOLD),
    judged="text",
    predicted=("concepts", "text"),
)
"""Documents and their concepts."""
CONCEPTS = Roles(
    names={
        "document": (words("id"), words("docid documentid doc document qid questionid question answerid noteid note")),
        "concept": (
            words("concept"),
            words("concepts entities entity terms term keywords keyword keyphrases keyphrase"),
        ),
    },
    needed=(("document",), ("concept",)),
    orders=(("document", "concept"),),
    flags={"concept": "concepts"},
    sides=("concept", OF_PRED, OF_GOLD),
    asked=False,
)
"""Concepts, one a row, each with its document."""
DICTIONARY = Roles(
    names={
        "id": (words("id conceptid"), words("cui curie"), words("code")),
        "name": (words("name"), words("preferredname preflabel"), words("label"), words("term"), words("concept")),
        "synonyms": (words("synonyms synonym altlabels altlabel aliases alternativenames"),),
        "type": (words("semantictype semantictypes"), words("tui tuis"), words("type types"), words("semanticgroup")),
    },
    needed=(("name",),),
    asked=False,
)
"""Names of concepts."""
MANIFEST = Roles(
    names={name: (words(name),) for name in ("case", "pred", "gold", "system")},
    needed=(("case",), ("pred",), ("gold",)),
    asked=False,
)
"""Test cases of alignments."""
TABLES = (EDGES, TRIPLES, AXIOMS, EQUIVALENCES, MATCHES, CORRESPONDENCES, SSSOM, LABELS, CONTENTS)
HEADERS = frozenset(
    name
    for roles in (*TABLES, SENTENCES, DOCUMENTS, DICTIONARY)
    for tiers in roles.names.values()
    for words in tiers
    if not words.weak
    for name in words.names
    if len(name) > 1
) | {"names", "index", "value", "count", "weight"}
"""Names of columns of any family: a first row with one of them is no data."""
