"""Long tables, in which a column says of which system, run or annotator a row is: read as one set, all of them would count as one prediction."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, TypeAlias

from goldassay.core.errors import InputError
from goldassay.core.libraries import pl
from goldassay.core.patterns import pattern_of
from goldassay.formats.both_sides import LOOKED_AT, find_other_sides
from goldassay.formats.choose_columns import Choice
from goldassay.formats.column_names import JUDGING, PERHAPS, bare, words

KEYS = ("id", "instance", "source", "document", "class", "node", "subject")
"""Roles that name what is asked about, the better ones first: a system, run or annotator answers each once."""
NO_ANSWERS = frozenset({"score", "weight", "relation", "kind", "text", "modifier", "justification"})
"""Roles that do not say which answer it is; several texts of one sentence are its wordings."""
SYSTEMS = words(
    "model llm system run seed randomseed annotator rater coder labeler labeller worker reviewer expert judge fold split prompt prompttemplate "
    "temperature trial repetition replicate repeat iteration attempt experiment config configuration setting setup method approach variant "
    "condition classifier algorithm version checkpoint epoch strategy matcher team participant submission user",
    forms=("{}", "{}name", "{}id", "{}number", "{}no"),
).names
"""What a column is called that separates sets of rows."""
FEWEST, MOST, SHOWN = 3, 50, 3
"""Of fewer ids nothing is known; a column of more values separates no sets; so many of its values are shown."""
REPEATED = 1.25
"""An id has so many rows on average, at least."""
OFTEN, NEARLY_ALL, SHARED = 1.5, 0.8, 1.3
"""How many values an id has on average where the column is called as such; what share of all, and how many an answer has, where it is not."""
LONGEST, LARGE = 40, 2**14
WORD = pattern_of(r"(?i)(?!(?:true|false|yes|no)$)[^\W\d_]{2}|^[A-Z]$")
"""What separates sets, and is no number, nor yes or no."""
Distinct: TypeAlias = Callable[..., int]
"""Counts the distinct rows of some columns."""


def find_sets(
    choice: Choice, rows: int, distinct: Distinct, values_of: Callable[[str], Sequence[str]]
) -> Iterator[str]:
    """Refuse a table whose ids repeat for each value of a column that separates sets by its name; warn of one that does so by its cells only.

    Args:
        choice: The columns that are read, and those that are not.
        rows: How many rows there are.
        distinct: Counts the distinct rows of some columns, by role, or by `key_of` where they are not read.
        values_of: Lists the distinct values of a column, up to one more than `MOST`.
    """
    key, answer = _key_in(choice), [role for role in choice.places if role not in {*NO_ANSWERS, *KEYS}]
    ids = distinct(key) if key and answer and choice.unread else 0
    if ids < FEWEST or rows < REPEATED * ids:
        return
    whole = [role for role in choice.places if role not in NO_ANSWERS and role != key]
    for name, at in choice.unread.items():
        column, of_sets = key_of(at), bare(name) in SYSTEMS
        values = sorted(values_of(column))
        if len(values) == 1 or not may_separate(name, values):
            continue
        pairs = distinct(key, column)
        shown = ", ".join(repr(value[:LONGEST]) for value in values[:SHOWN]) + ", ..." * (len(values) > SHOWN)
        found = f"{len(values):,} values of {name!r}, which is not read ({shown})"
        called = choice.called.get(key, key)
        if of_sets and pairs >= OFTEN * ids:
            raise InputError(
                "The table has rows of several systems, runs or annotators, which would be read as one set.",
                found=f"{found}, and rows of several of them for most values of {called!r}",
                expected="the rows of one",
                hint=f"write a file for each value of {name!r}, and give all of them: PRED and --gold take several; "
                "or remove the column, if all rows belong together",
            )
        nearly_all = not of_sets and pairs >= NEARLY_ALL * ids * len(values)
        if nearly_all and distinct(*whole, column) >= SHARED * distinct(*whole):
            yield (
                f"rows of {found} are read as one set, though nearly all values of {called!r} have rows of each: "
                "if they are of several systems, runs or annotators, write a file for each"
            )


def key_of(place: int) -> str:
    """Call a column that is not read by its place: it may have any name."""
    return f"unread {place}"


def may_separate(name: str, values: Collection[str]) -> bool:
    """Return whether a column may separate sets of rows, by its name and by all or some of its values."""
    own, distinct = bare(name), {*values}
    of_sets = own in SYSTEMS or (own not in JUDGING and all(map(WORD.search, distinct)))
    return of_sets and len(distinct) <= MOST and "" not in distinct


def separating(choice: Choice, first: Mapping[str, Collection[Any]]) -> Choice:
    """Leave only those of the columns that are not read that may separate sets, by the first cells of each: most cannot."""
    unread = {name: at for name, at in choice.unread.items() if may_separate(name, [*map(written, first[name])])}
    return choice._replace(unread=unread)


def look_at_unread(choice: Choice, first: Callable[[int], Collection[Any]]) -> tuple[list[str], Choice]:
    """Warn of columns that are not read and have the other side, or refuse them; also leave only those that may separate sets.

    Args:
        choice: Its columns.
        first: Gives the first cells of a column by its place; asked only where there are columns that are not read.
    """
    unread = {name: first(at) for name, at in choice.unread.items()}
    cells = {role: first(at) for role, at in choice.places.items() if unread and role != PERHAPS}
    sides = find_other_sides(choice.sides, choice.called, cells, unread) if choice.sides else ()
    return list(sides), separating(choice, unread)


def written(cell: Any) -> str:
    """Write a cell as a text; one that is absent is the empty text."""
    return "" if cell is None else str(cell)


def _key_in(choice: Choice) -> str:
    return next((role for role in KEYS if role in choice.places), "")


def sets_in_frame(choice: Choice, frame: pl.DataFrame, read: Callable[[Mapping[str, int]], pl.DataFrame]) -> list[str]:
    """Find the sets in a table of this process; columns that are not read, by `key_of`, are read only where ids repeat."""
    key = _key_in(choice)
    if not (key and choice.unread):
        return []
    # An estimate takes a fraction of the time, and ids that repeat do so twice as often.
    ids: Any = frame[key].approx_n_unique() if len(frame) > LARGE else frame[key].n_unique()
    if ids * REPEATED > len(frame):
        return []
    every = read({key_of(at): at for at in choice.unread.values()})

    def distinct(*columns: str) -> int:
        return every.select(columns).n_unique()

    def values_of(column: str) -> list[str]:
        return [*map(written, every[column].unique().head(MOST + 1))]

    return list(find_sets(choice, len(every), distinct, values_of))


def sets_in_records(roles: Mapping[str, str], records: Sequence[Mapping[str, Any]]) -> list[str]:
    """Find the sets in records, of which some keys are read by role."""
    names = list(dict.fromkeys(chain.from_iterable(dict.fromkeys(map(tuple, records)))))
    places = {name: at for at, name in enumerate(names)}
    read = {role: places[name] for role, name in roles.items() if name in places}
    unread = {name: at for name, at in places.items() if name not in roles.values()}
    first = {name: [record.get(name) for record in records[:LOOKED_AT]] for name in unread}
    choice = separating(Choice(read, called=roles, unread=unread), first)

    def columns(places: Mapping[str, int]) -> pl.DataFrame:
        texts = {key: [written(record.get(names[at])) for record in records] for key, at in places.items()}
        return pl.DataFrame(texts, schema=dict.fromkeys(texts, pl.String))

    frame = columns(read) if choice.unread else pl.DataFrame()
    return sets_in_frame(choice, frame, lambda places: frame.hstack(columns(places)))
