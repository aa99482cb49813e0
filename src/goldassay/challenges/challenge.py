"""A challenge: what participants predict, how it is scored, and what ranks, read from one TOML file."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from os import PathLike
from os.path import exists
from pathlib import Path, PurePosixPath
from typing import Any, Literal, NamedTuple

from goldassay.core.errors import InputError, UsageError, names_file, unknown_choice_error
from goldassay.core.family import Family
from goldassay.core.measure import Measure
from goldassay.core.parameters import Parameter, parameters_of
from goldassay.core.patterns import pattern_of
from goldassay.core.text import HIDDEN, USUAL
from goldassay.evaluation import read
from goldassay.families import family, measure_of
from goldassay.formats.source import digest_of_files
from goldassay.formats.toml import toml_of
from goldassay.request import reading_options

SCHEMA = "goldassay.challenges/challenge.schema.json"
NAME = pattern_of(r"(?=.{1,100}$)[A-Za-z0-9]+(-[A-Za-z0-9]+)*")
LONGEST_FILE = 255
"""No file system takes a name of more bytes."""
AUTO: Literal["auto"] = "auto"
VALUE = pattern_of(r"(.+)\.([A-Za-z_]\w*)")


class Rank(NamedTuple):
    """The value that ranks submissions.

    Attributes:
        measure: Its measure, as the spec by which a report finds the score.
        value: Its name.
        higher_is_better: Whether the highest is the best.
    """

    measure: str
    value: str
    higher_is_better: bool


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What one submission may take.

    Attributes:
        megabytes: Its size, packed and unpacked.
        seconds: The processor time of scoring.
        memory_megabytes: The memory of scoring, of all its processes together.
    """

    megabytes: int = 20
    seconds: int = 300
    memory_megabytes: int = 2048


@dataclass(frozen=True, kw_only=True)
class Phase:
    """One phase of a challenge.

    Attributes:
        name: Its name.
        description: What is done in it, in Markdown.
        gold: The files of gold, one or several; none in the copy of participants.
        start: When it begins; None if it always has.
        end: When it ends; None if it never does.
        submissions_a_day: How many submissions a team may make a day; None for no limit.
        submissions: How many submissions a team may make in all; None for no limit, ``auto`` for as many as cannot reveal gold.
        hidden: Whether values are hidden until it ends.
    """

    name: str
    description: str = ""
    gold: tuple[Path, ...] = ()
    start: datetime | None = None
    end: datetime | None = None
    submissions_a_day: int | None = None
    submissions: int | Literal["auto"] | None = None
    hidden: bool = False

    def is_open(self, now: datetime) -> bool:
        """Return whether submissions are taken.

        Args:
            now: A time with an offset.
        """
        return (self.start is None or self.start <= now) and (self.end is None or now < self.end)

    def hides(self, now: datetime) -> bool:
        """Say whether values are still hidden.

        Args:
            now: A time with an offset.
        """
        return self.hidden and self.end is not None and now < self.end

    def gold_digest(self) -> bytes:
        """Make one SHA-256 of all files of gold that are there, those of folders too."""
        return digest_of_files(*filter(exists, self.gold))


@dataclass(frozen=True, kw_only=True)
class Challenge:
    """A shared task: one TOML file says all of it.

    Attributes:
        path: The file.
        name: Its name: letters, digits, hyphens.
        title: Its title.
        description: What to do, in Markdown.
        terms: What participants agree to, in Markdown.
        kind: The family.
        measures: The measures; ``str(measure)`` is the spec by which a report finds the score.
        rank: The value that ranks.
        prediction: The name of the file in a submission; of a folder of files, if it ends with ``/``.
        encoder: The encoder of measures that compare meanings.
        evidence: Whether participants see the items of a score, and with them gold.
        intervals: Whether values have confidence intervals.
        places: To how many places participants see values, where they do not see items: exact values and counts show a team which items are right.
        ladder: The size of the steps in which participants see the value that ranks; None if they see each value.
        options: Options of the family's reader, by their names in Python; files are next to the TOML.
        phases: The phases, in order.
        limits: What one submission may take.
        written: The tables of the file, as they were read.
    """

    path: Path
    name: str
    title: str
    description: str = ""
    terms: str = ""
    kind: str
    measures: tuple[Measure[Any, Any], ...]
    rank: Rank
    prediction: str
    encoder: str = "minilm"
    evidence: bool = False
    intervals: bool = False
    places: int = 3
    ladder: float | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    phases: tuple[Phase, ...]
    limits: Limits = Limits()
    written: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def digits(self) -> int:
        """How many places of a value are written for participants: no more than it is rounded to."""
        return USUAL.places if self.evidence else self.places

    def phase(self, name: str) -> Phase:
        """Find a phase by its name.

        Raises:
            UsageError: If there is none of that name.
        """
        for one in self.phases:
            if one.name == name:
                return one
        raise unknown_choice_error("phase", name, [one.name for one in self.phases])

    def worst(self) -> float:
        """Return the worst that the value that ranks can be; infinite if nothing bounds it."""
        measure = next(one for one in self.measures if str(one) == self.rank.measure)
        low, high = measure.values[self.rank.value]
        return low if self.rank.higher_is_better else high

    def most_submissions(self, phase: str) -> int | None:
        """Return how many submissions a team may make in a phase; None for no limit.

        Each value has 10**places different answers at most, so n of them say no more than n * places * log2(10) bits, and gold
        has at least a bit for each item: whether it is in gold. As long as the first number is the smaller, no way of
        asking reveals all of gold. With a ladder they say less.

        Args:
            phase: The name of the phase.

        Raises:
            InputError: If gold cannot be read.
        """
        asked = self.phase(phase).submissions
        if asked != AUTO:
            return asked
        items = min(map(len, self.gold_standards(phase)))
        return max(1, int(items / (self.places * math.log2(10))))

    def gold_standards(self, phase: str) -> list[Any]:
        """Read the gold of a phase.

        Raises:
            InputError: If a file cannot be read; the message may quote gold, so it is only for the organiser.
            UsageError: If there is no such phase, or this is the copy of participants, which has no gold.
        """
        if not self.phase(phase).gold:
            raise UsageError(f"The phase {phase!r} has no gold in this file.", hint="ask the organiser")
        return [read(gold, kind=self.kind, **self.options) for gold in self.phase(phase).gold]


@names_file
def load(path: str | PathLike[str]) -> Challenge:
    """Read a challenge. No gold is read, nor need it be there.

    Args:
        path: The TOML file.

    Raises:
        InputError: If it cannot be read, or a key or a value is invalid.

    Example:
        >>> import tempfile
        >>> file = Path(tempfile.mkdtemp(), "challenge.toml")
        >>> _ = file.write_text('''
        ... name = "pets"
        ... title = "Taxonomies of pets"
        ... kind = "taxonomy"
        ... measures = ["literal"]
        ... rank_by = "literal.f1"
        ... prediction = "prediction.csv"
        ... phases = [{name = "final", gold = "gold.csv", end = 2027-03-01T00:00:00Z}]
        ... ''')
        >>> load(file).rank, load(file).phase("final").end.year
        (Rank(measure='literal', value='f1', higher_is_better=True), 2027)
    """
    tables = toml_of(path, SCHEMA)
    written = dict(tables)
    folder = Path(path).parent
    with locate_errors("name"):
        check_name(written["name"])
    with locate_errors("prediction"):
        _check_prediction(written["prediction"])
    with locate_errors("kind"):
        chosen = family(written["kind"])
    with locate_errors("options"):
        options, flags = _options(chosen, written.pop("options", {}), folder)
    with locate_errors("measures"):
        measures = {spec: _parse_measure(measure_of(chosen, spec), flags) for spec in written.pop("measures")}
    with locate_errors("rank_by"):
        rank = _rank(measures, written.pop("rank_by"))
    with locate_errors("phases"):
        phases = tuple(_phases(written.pop("phases"), folder))
    limits = Limits(**written.pop("limits", {}))
    if written.get("evidence") and ("ladder" in written or any(phase.hidden for phase in phases)):
        raise InputError(
            "The challenge shows items of gold, and hides values.",
            found="evidence = true",
            hint="leave out evidence, or ladder and hidden",
        )
    return Challenge(
        path=Path(path),
        measures=tuple(measures.values()),
        rank=rank,
        options=options,
        phases=phases,
        limits=limits,
        written=tables,
        **written,
    )


@contextmanager
def locate_errors(key: str) -> Iterator[None]:
    """Name the key of what is wrong, in the file of a challenge."""
    try:
        yield
    except UsageError as error:
        message = f"{key}: {error.message}"
        raise InputError(message, found=error.found, expected=error.expected, hint=error.hint) from error


def check_name(name: str) -> None:
    """Refuse a name that cannot be one of a folder or an address."""
    if not NAME.fullmatch(name):
        raise UsageError(
            "Invalid name.", found=repr(name), expected="at most 100 letters, digits and hyphens: taxonomy-2027"
        )


def _check_prediction(prediction: str) -> None:
    name = prediction.removesuffix("/")
    unfit = "\\" in name or HIDDEN.search(name) or len(name.encode(errors="replace")) > LONGEST_FILE
    if PurePosixPath(name).name != name or unfit or name in {"", ".", ".."}:
        raise UsageError(
            "Invalid file name.",
            found=repr(prediction),
            expected="prediction.ttl, or predictions/ for a folder",
        )


def _options(chosen: Family[Any], given: Mapping[str, Any], folder: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Make options of the reader, and parameters of measures that have flags, from the words of the command line."""
    declared = {_word(one): one for one in parameters_of(chosen.reading.options).values()}
    flags = {name.replace("_", "-"): chosen.measures.flag(name) for name in chosen.measures.flags}
    known = {**declared, **flags}
    found: dict[str, Any] = {}
    for word, value in given.items():
        if word not in known:
            raise unknown_choice_error(f"option of {chosen.kind}", word, known)
        one = known[word]
        named = isinstance(value, str) and (one.metavar == "FILE" or word in flags)
        found[word] = str(folder / value) if named and exists(folder / value) else value
        if isinstance(value, list):
            found[word] = tuple(value)
    reading = {declared[word].name: value for word, value in found.items() if word in declared}
    reading_options(chosen, reading)
    return reading, {flags[word].name: value for word, value in found.items() if word in flags}


def _word(declared: Parameter) -> str:
    return (declared.flag or declared.name).removeprefix("--").replace("_", "-")


def _parse_measure(measure: Measure[Any, Any], flags: Mapping[str, Any]) -> Measure[Any, Any]:
    return dataclasses.replace(measure, **{name: flags[name] for name in flags.keys() & parameters_of(type(measure))})


def _rank(measures: Mapping[str, Measure[Any, Any]], rank_by: str) -> Rank:
    named = VALUE.fullmatch(rank_by)
    for spec, one in measures.items():
        if named and named[1] in (spec, one.name, str(one)) and named[2] in one.values:
            return Rank(str(one), named[2], one.higher_is_better)
    raise unknown_choice_error(
        "value", rank_by, [f"{spec}.{value}" for spec, one in measures.items() for value in one.values]
    )


def _phases(written: list[dict[str, Any]], folder: Path) -> Iterator[Phase]:
    seen: set[str] = set()
    for one in written:
        name, gold = one["name"], one.get("gold", [])
        if name in seen:
            raise UsageError("Two phases have the same name.", found=repr(name), expected="a name for each")
        seen.add(name)
        files = tuple(folder / file for file in ([gold] if isinstance(gold, str) else gold))
        times: dict[str, datetime] = {key: _time(one[key], f"{name}.{key}") for key in ("start", "end") if key in one}
        if len(times) == 2 and times["start"] >= times["end"]:  # noqa: PLR2004 - both ends
            raise UsageError(
                f"The phase {name!r} ends before it begins.", found=f"start {one['start']}, end {one['end']}"
            )
        if one.get("hidden") and "end" not in times:
            raise UsageError(f"The phase {name!r} hides values, and never ends.", hint="give it an end")
        if isinstance(one.get("submissions"), str) and one["submissions"] != AUTO:
            raise unknown_choice_error("value of submissions", one["submissions"], [AUTO, "a number from 1 on"])
        yield Phase(**{**one, "gold": files, **times})


def _time(text: str, place: str) -> datetime:
    try:
        found = datetime.fromisoformat(text)
        found.astimezone(UTC)
    except (ValueError, OverflowError):  # the first and the last day of all may lie outside in UTC
        found = None
    if found is None or found.tzinfo is None:
        raise UsageError(
            f"{place} is not a date and time with an offset.",
            found=text,
            expected="a date and time with an offset: 2027-01-01T00:00:00Z",
        )
    return found
