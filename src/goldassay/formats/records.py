"""Records of JSON Lines and of JSON, each with its number, its line, and its value or error; and the treatment of bad records."""

from __future__ import annotations

import gc
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import groupby, pairwise
from typing import Any, NamedTuple, cast, overload

import numpy as np

from goldassay.core.errors import EmptyInputError, InputError, RecordError
from goldassay.core.libraries import msgspec
from goldassay.core.limits import DEPTH, LENGTH
from goldassay.core.patterns import pattern_of
from goldassay.core.text import LISTED, count_of
from goldassay.formats.documents import (
    decoder,
    holds_all,
    is_deep,
    is_json,
    is_json_file,
    json_in,
    json_of,
    lines_of_members,
    may_be_deep,
    parse_carefully,
)
from goldassay.formats.options import OnError
from goldassay.formats.source import Source, check_lines, strip_byte_order_mark, utf8_of

AT_ONCE = 2**16
"""About so many bytes are decoded at once: their values stay in the cache of a processor, and are gone before they are looked through for cycles."""
FIRST = pattern_of(rb"\s*(\S)")
FIRST_LINE, SOMETHING = pattern_of(rb"(\s*)([^\r\n]*)"), pattern_of(rb"\S")
SHOWN = 60
OBJECT = "one object per line, such as {...}"
TOGETHER = 500
"""So many rows of a table are a block."""
BETWEEN = b",\n"
"""What is between the members of an array that was made in memory."""
BLANK = object()
"""In place of the value of a line that is no record."""


@dataclass(kw_only=True)
class BadRecords:
    """Receives the bad records of one file.

    Attributes:
        uncounted: How many more an engine skipped, of which it keeps no error.
        others: What is left out besides, counted by reason.
    """

    on_error: OnError = "stop"
    errors: list[RecordError] = field(default_factory=list)
    uncounted: int = 0
    others: dict[str, int] = field(default_factory=partial(defaultdict, int))

    def add(self, error: RecordError) -> None:
        """Raise the error, or keep it."""
        if self.on_error == "stop":
            raise error
        self.errors.append(error)

    def refuse(self, message: str, **details: Any) -> None:
        """Raise the error of a record, or keep it."""
        self.add(RecordError(message, **details))

    def add_line(self, line: str, *, number: int, message: str, expected: str) -> None:
        """Add a line that is not what it should be."""
        self.refuse(message, line=number, found=repr(line[:60]), expected=expected)

    def no_item(self, message: str, **details: Any) -> InputError:
        """Build the error for a file without an item: it is empty only if no bad record was skipped."""
        count = sum(self.left_out().values())
        found = f"{count:,} bad records" if count else details.get("found")
        return (InputError if count else EmptyInputError)(message, **{**details, "found": found})

    def left_out(self) -> dict[str, int]:
        """Count skipped records, and what else is left out, for the ``left_out`` of a model; empty if there are none."""
        if not (self.errors or self.uncounted or self.others):
            return {}
        counts = {"skipped_records": len(self.errors) + self.uncounted, **self.others}
        return {name: count for name, count in counts.items() if count}

    def notes(self) -> tuple[str, ...]:
        """Return how many records were skipped, and describe the first few."""
        count = sum(self.left_out().values())
        if not count:
            return ()
        return (
            f"{count_of(count, 'bad record')} skipped",
            *(_describe_block(error) for error in self.errors[:LISTED]),
        )


def _describe_block(error: RecordError) -> str:
    place = f"skipped line {error.line}" if error.line is not None else "skipped"
    return f"{place}: {error.message}" + (f" ({error.found})" if error.found else "")


class Block(NamedTuple):
    """Consecutive records of a file; blank lines are no records.

    Attributes:
        first: The place of the first of them among all records, from 0; bad records count.
        values: The value of each, or the error of a record that cannot be read.
    """

    first: int
    lines: Sequence[int]
    values: list[Any]

    def enumerate_values(self) -> Iterator[tuple[int, int, Any]]:
        """List the place, the line and the value of each record."""
        return zip(range(self.first, self.first + len(self.values)), self.lines, self.values, strict=True)


def json_records(
    source: Source, *, what: str = "JSON", expected: str = "one JSON value per line, or in an array"
) -> Iterator[Block]:
    """Read records: those of an array, one object over several lines, or else one value per line. A bad one changes no other."""
    if source.records is not None:
        yield from _known(source, source.records, what, expected)
        return
    data = strip_byte_order_mark(source)
    bracket = FIRST.match(data)
    members = members_of(data) if bracket and bracket[1] == b"[" else None
    begin = FIRST_LINE.match(data) if members is None else None
    first = begin[2] if begin else b""
    if members is not None or (begin and first.startswith(b"[") and _is_array(data, begin)):
        # Where an array is broken, this finds the place.
        lines = cache(partial(lines_of_members, source) if members is None else partial(_lines_of, data, len(members)))
        members = [json.dumps(value).encode() for value in json_of(source)] if members is None else members
        error = RecordError(f"The record is not {what}.", expected=expected)
        utf8_of(source)
        sizes = np.fromiter(map(len, members), dtype=np.int64, count=len(members))
        for at in np.flatnonzero(sizes > LENGTH.value).tolist():
            LENGTH.check(len(bytes(members[at]).decode()), "A record is too long.", line=lines()[at])
        yield from _blocks_of(members, lines, error)
    elif begin and first.startswith(b"{") and _is_object(source, data, begin):
        yield Block(0, [data.count(b"\n", 0, begin.start(2)) + 1], [json_in(source)])
    else:
        yield from json_lines(source, what=what, expected=expected)


def _known(source: Source, records: Sequence[Any], what: str, expected: str) -> Iterator[Block]:
    """Return the records of an array that was made in memory, with one on each line."""
    error = RecordError(f"The record is not {what}.", expected=expected)
    written = check_lines(source).data[1:-1].split(BETWEEN)
    for at in range(0, len(written), TOGETHER):
        some, lines = written[at : at + TOGETHER], range(at + 1, at + 1 + len(written[at : at + TOGETHER]))
        yield Block(at, lines, _values(BETWEEN.join(some), some, lines, error, known=records[at : at + TOGETHER]))


def json_lines(source: Source, *, what: str = "JSON", expected: str = "one JSON value per line") -> Iterator[Block]:
    """Read JSON Lines: one value per line. A bad line, also one that is not UTF-8, changes no other record."""
    place, line, data, start = 0, 1, strip_byte_order_mark(check_lines(source)), 0
    while start < len(data):
        end = data.find(b"\n", start + AT_ONCE) + 1 or len(data)
        lines = every = (part := data[start:end]).splitlines()
        numbers: Sequence[int] = range(line, line + len(lines))
        if not all(lines):
            numbers = [number for number, one in zip(numbers, lines, strict=True) if one]
            lines = list(filter(None, lines))
        error = RecordError(f"The line is not {what}.", expected=expected)
        values = _values(part, lines, numbers, error)
        if BLANK in values:
            kept = [at for at, value in enumerate(values) if value is not BLANK]
            numbers, values = [numbers[at] for at in kept], [values[at] for at in kept]
        yield Block(place, numbers, values)
        place, line, start = place + len(values), line + len(every), end


def json_objects(source: Source) -> Iterator[Block]:
    """Read records as `json_records` does; each value is an object, or the error of a record that is none."""
    yield from objects_in(json_records(source, what="a JSON object", expected=OBJECT))


def objects_in(blocks: Iterable[Block]) -> Iterator[Block]:
    """Replace each value that is not an object by an error."""
    for block in blocks:
        others = set(map(type, block.values)) != {dict}
        for at, value in enumerate(block.values if others else ()):
            if type(value) is not dict and not isinstance(value, RecordError):
                word = "line" if isinstance(block.lines, range | list) else "record"
                block.values[at] = RecordError(
                    f"The {word} is not a JSON object.",
                    line=block.lines[at],
                    found=f"{json.dumps(value, ensure_ascii=False)[:SHOWN]!r} (a JSON list or value, not an object)",
                    expected=OBJECT,
                )
        yield block


def json_members(source: Source) -> dict[str, bytes]:
    """List the bytes of each member of an object by its key; empty where the JSON is no object."""
    data = utf8_of(source)
    members = members_of(data, dict)
    if members is not None and holds_all(members, data):
        return members
    # Where an object is broken, this finds the place.
    value = json_of(source)
    return {key: json.dumps(one).encode() for key, one in value.items()} if isinstance(value, dict) else {}


def blocks_in(source: Source, written: Sequence[bytes]) -> Iterator[Block]:
    """Read values of a JSON file, each from its own bytes, without their lines."""
    error = RecordError("The record is not JSON.")
    for block in _blocks_of(list(written), lambda: cast("list[int]", [None] * len(written)), error):
        if any(isinstance(value, RecordError) for value in block.values):
            # This finds the place.
            json_of(source)
        yield block


@contextmanager
def pause_collector() -> Iterator[None]:
    """Read records without the garbage collector, which would look through all decoded values for cycles, of which they have none."""
    collected = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collected:
            gc.enable()


def _is_object(source: Source, data: bytes, begin: re.Match[bytes]) -> bool:
    """Return whether a file whose first line begins with a brace is one object, and not lines of which the first is one or damaged."""
    if SOMETHING.search(data, begin.end()):
        return not is_json(begin[2]) and is_json_file(source)
    return is_json_file(check_lines(source))


def _is_array(data: bytes, begin: re.Match[bytes]) -> bool:
    """Return whether a file whose first line begins with a bracket is one array, and not lines of which the first is a list or damaged."""
    if not SOMETHING.search(data, begin.end()):
        return True
    first, following = begin[2].rstrip(), FIRST_LINE.match(data, begin.end())
    if is_json(first):
        return False
    if first == b"[" or first.endswith(b",") or not (following and following[2].startswith(b"{")):
        return True
    return not is_json(following[2]) or is_json(data)


@overload
def members_of(data: bytes) -> list[Any] | None: ...
@overload
def members_of(data: bytes, kind: type[dict[str, Any]]) -> dict[str, Any] | None: ...
def members_of(data: bytes, kind: type = list) -> Any:
    """List the bytes of each member of an array or an object; None if the data are another thing, or broken."""
    try:
        return msgspec.json.decode(data, type=list[msgspec.Raw] if kind is list else dict[str, msgspec.Raw])
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None


def _blocks_of(members: list[bytes], lines: Callable[[], list[int]], error: RecordError) -> Iterator[Block]:
    """Read the members of an array, each decoded from its own bytes; they are dropped from the list to free memory."""
    ends = np.cumsum(np.fromiter(map(len, members), dtype=np.int64, count=len(members)))
    borders = [0, *(np.flatnonzero(np.diff(ends // AT_ONCE)) + 1).tolist(), len(members)]
    for start, end in pairwise(borders):
        some = members[start:end]
        members[start:end] = [b""] * len(some)
        numbers = Lines(lines, range(start, end))
        yield Block(start, numbers, _values(b",".join(some), some, numbers, error, members=True))


def _lines_of(data: bytes, count: int) -> list[int]:
    """List the lines on which the members of an array begin."""
    if b"\n" not in data:
        return [1] * count
    starts, at = [], 0
    for member in members_of(data) or []:
        # Only white space and commas come before it.
        starts.append(data.find(member, at))
        at = starts[-1] + len(member)
    breaks = np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == ord("\n"))
    found: list[int] = (np.searchsorted(breaks, starts) + 1).tolist()
    return found


@dataclass(frozen=True)
class Lines(Sequence[int]):
    """Lines of records, which are looked for when one is asked for."""

    every: Callable[[], Sequence[Any]]
    rows: range

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, at: int) -> int: ...
    @overload
    def __getitem__(self, at: slice) -> Lines: ...
    def __getitem__(self, at: int | slice) -> int | Lines:
        rows = self.rows[at]
        return self.every()[rows] if isinstance(rows, int) else Lines(self.every, rows)

    def __iter__(self) -> Iterator[int]:
        return map(self.every().__getitem__, self.rows)


def group_blocks(rows: Iterable[tuple[int | None, Any, int]]) -> Iterator[Block]:
    """Group records, given with their lines and places, into blocks; what could not be read keeps its place."""
    placed = groupby(enumerate(rows), key=lambda one: (one[0] // TOGETHER, one[1][2] - one[0]))
    for _, some in placed:
        lines, values, (first, *_) = zip(*(row for _, row in some), strict=True)
        yield Block(first, cast("list[int]", list(lines)), list(values))


def _values(
    data: bytes,
    written: Sequence[bytes],
    lines: Sequence[int],
    error: RecordError,
    *,
    members: bool = False,
    known: Sequence[Any] | None = None,
) -> list[Any]:
    """Decode records, of which `data` has all, unless they are known; a careful look is taken only where the first sees cause."""
    decode, unreadable = decoder()
    values: list[Any] = list(known or ())
    odd: set[int] = set()
    # Each member of an array ends where it should, which a line may not.
    with suppress(*unreadable):
        values = values or (decode(b"[%b]" % data) if members else list(map(decode, written)))
    for at, one in enumerate(written if not values else ()):
        try:
            values.append(decode(one))
        except unreadable:
            odd.add(at)
            values.append(None)
    longest = max(map(len, written), default=0)
    # Of pairs in memory none has the key of another.
    if known is None and not holds_all(
        [value for at, value in enumerate(values) if at not in odd] if odd else values, data, longest
    ):
        odd.update(at for at, one in enumerate(written) if not holds_all(values[at], bytes(one)))
    # Each level has two brackets.
    if longest > 2 * (most := DEPTH.value) and may_be_deep(data, longest, most):
        known = [(at, bytes(one)) for at, one in enumerate(written) if len(one) > 2 * most and at not in odd]
        odd.update(at for at, one in known if is_deep(values[at], one, most))
    for at in sorted(odd):
        values[at] = _read_carefully(bytes(written[at]), lines[at], error)
    return values


def _read_carefully(written: bytes, line: int, error: RecordError) -> Any:
    """Read one record, or say what is wrong with it; `BLANK` if it is none."""
    try:
        text = written.decode()
    except UnicodeDecodeError as bad:
        return not_utf8_error(written, bad, line)
    if not text.strip():
        return BLANK
    try:
        return parse_carefully(text)
    except (ValueError, RecursionError) as bad:
        found = f"{text.strip()[:SHOWN]!r} ({bad})"
        return RecordError(error.message, line=line, found=found, expected=error.expected)


def not_utf8_error(written: bytes, error: UnicodeDecodeError, line: int) -> RecordError:
    """Build the error for a line that is not UTF-8."""
    return RecordError(
        "The line is not in UTF-8.",
        line=line,
        found=f"the bytes {written[error.start : error.start + 8].hex(' ')} ({error.reason})",
        expected="UTF-8",
        hint="convert it, for example: iconv -f ISO-8859-1 -t UTF-8 IN > OUT",
    )
