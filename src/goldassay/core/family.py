"""A family: everything about one kind of knowledge structure, in one value; commands are made from it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO, Generic, NamedTuple

from goldassay.core.errors import EmptyInputError, UsageError, unknown_choice_error
from goldassay.core.groups import Grouping
from goldassay.core.inspection import Inspection, ModelInspection
from goldassay.core.lazy import EngineScoring
from goldassay.core.measure import Measure, ModelType, Score
from goldassay.core.model import Model, is_empty
from goldassay.core.null import Noise, Null
from goldassay.core.panel import Panels, return_no_panels
from goldassay.core.parameters import Options, Parameter, parameters_of
from goldassay.core.partial import Restriction
from goldassay.core.preset import Preset, presets_in
from goldassay.core.significance import CLUSTERS
from goldassay.core.spec import parse_spec
from goldassay.core.text import count_of

DECLARED = ("name", "title", "family", "formula", "citation")
PROMISED = ("values", "headline", "symmetry")


class SideOptions(NamedTuple):
    """The options of the reader for each side."""

    pred: Any
    gold: Any

    @classmethod
    def of(cls, pred: Any, gold: Any) -> SideOptions:
        """Use one object of options for both sides if they are equal, so that what they load is loaded once."""
        return cls(pred, pred if gold is pred or gold == pred else gold)


class Job(NamedTuple):
    """The arguments of a command."""

    preds: list[Any]
    gold: Any
    reading: SideOptions
    output: Path | None
    places: int
    percent: bool
    # the predictions that are repeated runs, by the name of their system; empty if each stands for itself
    systems: Mapping[str, Sequence[Any]] = MappingProxyType({})
    encoder: Callable[[], Any] | None = None


@dataclass(frozen=True, kw_only=True)
class Extra:
    """A flag of one family's command, in addition to those of all families. It has one of four effects."""

    name: str
    help: str
    metavar: str | None = None  # the name of its value in the help; None for a switch without a value
    repeat: bool = False
    check: Callable[[Any], None] | None = None
    # finds the predictions and the gold standard, so that the command needs neither; it may take a gold standard, which
    # is None without one
    inputs: Callable[[Any, Any, Any], tuple[list[Any], Any]] | None = None
    # returns what is printed in place of scores; texts, or objects that rich can print
    instead: Callable[[Job, Any], Iterable[Any]] | None = None
    # the other flags that have an effect in place of scores, besides those of the reader and predictions
    uses: tuple[str, ...] = ()
    ignores: tuple[str, ...] = ()  # the options of the reader that have none
    below: Callable[[Job, Any, Any], Iterable[Any]] | None = None  # returns what is printed below the scores
    # returns the report, its last argument, with more, which every layout shows
    added: Callable[[Job, Any, Any], Any] | None = None


def claims_nothing(name: str, columns: Sequence[str]) -> bool:
    """Claim no file: the default."""
    del name, columns
    return False


def takes_no_scope(scope: str) -> bool:
    """Return whether a scope is for the reader: the default."""
    del scope
    return False


def return_no_warnings(pred: Model, gold: Model) -> Iterable[str]:
    """Return no warning: the default."""
    del pred, gold
    return ()


def return_no_lines(pred: Model, gold: Model, measure: Measure[Any, Any]) -> Iterable[str]:
    """Return no line: the default."""
    del pred, gold, measure
    return ()


@dataclass(frozen=True, eq=False, kw_only=True)
class Reading(Generic[ModelType]):
    """How files and values become models of a family.

    Attributes:
        options: The options of its reader, a frozen dataclass of `Options`.
        read: The reader: a path and the options give a model.
        claims: Whether a file is of this kind, by the name of its format and the names of its columns.
        inspect: Returns what a file contains as read by this family; None describes the model.
        pairing: The options that control how two files go together: they have no effect on one.
        naming: The options that choose what things are called, and the values that may help where nothing matches.
        tuples: What the values of tuples are called, by how many there are, where a prediction is a list of tuples.
        from_columns: Makes a model of the columns of a list of tuples (`goldassay.formats.memory.Columns`) and the options; None
            where such a list is read as a table. It may also return None for some options.
        folders: Whether a folder is one prediction.
        documents: Whether a prediction has documents, of which each file of a folder may be one.
        texts: Whether a record is a text, so that a list of texts is a prediction.
        references: Reads a file that may hold several gold standards, such as several answers of one id; None if none can.
        lazily: How it is read and counted on an engine; None if it is scored only in this process.
        scopes: Whether a scope is an option of the reader, ``scope``, and not a file with the names that gold covers.
    """

    options: type[Options]
    read: Callable[[str | PathLike[str], Any], ModelType]
    claims: Callable[[str, Sequence[str]], bool] = claims_nothing
    inspect: Callable[[str, Any], Inspection] | None = None
    pairing: tuple[str, ...] = ()
    naming: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    tuples: tuple[tuple[str, ...], ...] = ()
    from_columns: Callable[[Any, Any], ModelType | None] | None = None
    folders: bool = False
    documents: bool = False
    texts: bool = False
    references: Callable[[str | PathLike[str], Any], Sequence[ModelType]] | None = None
    lazily: EngineScoring[Any] | None = None
    scopes: Callable[[str], bool] = takes_no_scope


def has_cases(gold: Any) -> bool:
    """Return whether a gold standard has several test cases."""
    return len(getattr(gold, "case_names", ())) > 1


@dataclass(frozen=True, eq=False, kw_only=True)
class Measures(Generic[ModelType]):
    """The measures of a family.

    Attributes:
        classes: All of them.
        default: Those that are computed if none is chosen.
        other: The same if gold is of another kind, such as one of several test cases; empty for ``default``.
        is_other: Whether a gold standard is of that kind.
        preset_file: The package and the file of the presets; None for none.
        flags: Parameters of measures that have flags of their own, set on every measure that has them.
        counted: Options of the reader that only some measures use: the parameter of these, and its value.
    """

    classes: tuple[type[Measure[ModelType, Any]], ...]
    default: tuple[Measure[ModelType, Any], ...]
    other: tuple[Measure[ModelType, Any], ...] = ()
    is_other: Callable[[Any], bool] = has_cases
    preset_file: tuple[str, str] | None = None
    flags: tuple[str, ...] = ()
    counted: Mapping[str, tuple[str, Any]] = field(default_factory=dict)

    @property
    def presets(self) -> tuple[Preset, ...]:
        """The presets: how to get the numbers of other tools."""
        return presets_in(*self.preset_file) if self.preset_file else ()

    @property
    def encode(self) -> bool:
        """Whether any measure may need an encoder."""
        return any(
            measure().needs_encoder or any(declared.encoder for declared in parameters_of(measure).values())
            for measure in self.classes
        )

    def default_for(self, gold: ModelType) -> tuple[Measure[ModelType, Any], ...]:
        """Choose the default measures for a gold standard."""
        return self.other if self.other and self.is_other(gold) else self.default

    def flag(self, name: str) -> Parameter:
        """Find the parameter that one of ``flags`` sets."""
        return next(parameters_of(measure)[name] for measure in self.classes if name in parameters_of(measure))

    def parse(self, spec: str, parameters: Mapping[str, Any] | None = None) -> Measure[ModelType, Any]:
        """Make a measure of this family from its spec."""
        return parse_measure(spec, {measure.name: measure for measure in self.classes}, parameters)


@dataclass(frozen=True, eq=False, kw_only=True)
class Trust(Generic[ModelType]):
    """What shows how far the scores of a family can be trusted.

    Attributes:
        warnings: Returns warnings about a prediction and a gold standard, one sentence each.
        disjoint: Returns what prediction and gold do not have in common of what a measure compares; it is asked where a score is 0.
        merged: Makes one gold of several: the items that at least so many of them have; None if they cannot be made one.
        nulls: Its null models by name; a measure is compared with the first that fits it, unless another is asked for.
        noises: Ways to make a share of a model worse, by name, for `goldassay selfcheck --gold`.
        restriction: How its models are restricted to what a partial gold standard can judge; None if they cannot be.
        pruned: Leaves out of a model what belongs to no item, such as nodes without edges; None if there is no such thing.
    """

    warnings: Callable[[ModelType, ModelType], Iterable[str]] = return_no_warnings
    disjoint: Callable[[ModelType, ModelType, Measure[ModelType, Any]], Iterable[str]] = return_no_lines
    merged: Callable[[Sequence[ModelType], int], ModelType] | None = None
    nulls: Mapping[str, Null[ModelType]] = field(default_factory=dict)
    noises: Mapping[str, Noise[ModelType]] = field(default_factory=dict)
    restriction: Restriction[ModelType] | None = None
    pruned: Callable[[ModelType], ModelType] | None = None

    def null_of(self, measure: Measure[ModelType, Any], name: str = "") -> str | None:
        """Name the null model of a measure, the one asked for or else the first that fits; None if none does."""
        asked = [name] if name else self.nulls
        return next((one for one in asked if self.nulls[one].fits(measure)), None)

    def why_zero(self, pred: ModelType, gold: ModelType, scores: Sequence[Score]) -> list[str]:
        """List what prediction and gold do not have in common, for the measures that give 0."""
        zero = [score.measure for score in scores if score.values[score.measure.headline] == 0]
        return list(dict.fromkeys(line for measure in zero for line in self.disjoint(pred, gold, measure)))


@dataclass(frozen=True, eq=False, kw_only=True)
class Views:
    """What a family shows in addition to what all families show."""

    # the groupings of its scores, in addition to the units of their measures
    groupings: Mapping[str, Grouping] = field(default_factory=dict)
    panels: Panels = return_no_panels  # the panels of the report page for a prediction's scores
    # formats of evidence by the end of the path: what prepares a report for a stream
    evidence: Mapping[str, Callable[[Any], Callable[[BinaryIO], object]]] = field(default_factory=dict)
    extras: tuple[Extra, ...] = ()  # flags of its command


@dataclass(frozen=True, eq=False, kw_only=True)
class Family(Generic[ModelType]):
    """One kind of knowledge structure, and all its functions.

    Creating a family checks that its declarations, and those of its measures, are complete.

    Attributes:
        kind: Its name on the command line.
        title: Its title.
        item: What is counted.
        about: What its command scores, and which files it reads: the help of the command.
        examples: Command lines that end its help.
    """

    kind: str
    title: str
    item: str
    about: str
    examples: tuple[str, ...] = ()
    reading: Reading[ModelType]
    measures: Measures[ModelType]
    trust: Trust[ModelType] = field(default_factory=Trust)
    views: Views = field(default_factory=Views)

    def __post_init__(self) -> None:
        for gap in self._gaps():
            raise TypeError(f"the family {self.kind or self.title!r} does not declare {gap}")
        for measure in self.measures.classes:
            check_declaration(measure, kind=self.kind)
        for null in self.trust.nulls.values():
            reference(null.citation)

    def _gaps(self) -> Iterator[str]:
        """Name what is missing, or is named somewhere without being declared."""
        yield from (f"{name!r}" for name in ("kind", "title", "item", "about") if not getattr(self, name))
        reading, measures = self.reading, self.measures
        yield from (f"'measures.{name}'" for name in ("classes", "default") if not getattr(measures, name))
        yield from (
            f"{type(one).__name__} in 'measures.classes', but it is in 'measures.default' or 'measures.other'"
            for one in (*measures.default, *measures.other)
            if type(one) not in measures.classes
        )
        options, known = parameters_of(reading.options), [parameters_of(one) for one in measures.classes]
        for place, names in (("reading.pairing", reading.pairing), ("reading.naming", reading.naming)):
            yield from (f"the option {name!r} of '{place}'" for name in names if name not in options)
        yield from (f"the option {name!r} of 'measures.counted'" for name in measures.counted if name not in options)
        yield from (
            f"a measure with the parameter {name!r} of 'measures.flags'"
            for name in measures.flags
            if not any(name in one for one in known)
        )

    @property
    def splits(self) -> tuple[str, ...]:
        """What its scores can be split by: its groupings, and the units of its measures."""
        return tuple(dict.fromkeys((*self.views.groupings, *(measure().unit for measure in self.measures.classes))))

    @property
    def clusters(self) -> tuple[str, ...]:
        """What resamples may draw instead of the units of its measures."""
        units = {measure().unit for measure in self.measures.classes}
        return tuple(name for name in CLUSTERS if name in self.views.groupings and units != {name})

    @property
    def empty_prediction(self) -> str:
        """The warning about a prediction without items."""
        return f"the prediction is empty: it contains no {self.item}"

    def inspect(self, path: str, options: Any) -> Inspection:
        """Describe what a file contains as read by this family."""
        if self.reading.inspect is not None:
            return self.reading.inspect(path, options)
        return ModelInspection(self.kind, self.item, self.reading.read(path, options))

    def check_gold(self, gold_standards: Sequence[ModelType]) -> None:
        """Refuse a gold standard without items, against which every prediction is wrong."""
        if all(map(is_empty, gold_standards)):
            gold = gold_standards[0]
            lost = (f"{count:,} {name.replace('_', ' ')}" for name, count in getattr(gold, "left_out", {}).items())
            raise EmptyInputError(
                "The gold standard is empty.",
                path=getattr(gold, "path", None),
                found=", ".join(lost) or None,
                expected=f"at least one {self.item}",
                hint="; ".join(getattr(gold, "warnings", ())) or None,
            )

    def nothing_counted(self, gold: ModelType, scores: Sequence[Score]) -> str | None:
        """Return the warning about gold that has nothing of what any of the measures counts; None if it has."""
        if not all(any(score.counts.get(name) == 0 for name in score.measure.asked) for score in scores):
            return None
        items = count_of(len(gold), self.item)
        return (
            f"gold has nothing that {' or '.join(score.spec for score in scores)} counts: {items}, of which none counts"
        )


def parse_measure(
    spec: str, known: Mapping[str, type[Measure[Any, Any]]], more: Mapping[str, Any] | None = None
) -> Measure[Any, Any]:
    """Make a measure from its spec, out of the measures known by name."""
    name, parameters = parse_spec(spec)
    if name not in known:
        raise unknown_choice_error("measure", name, known)
    twice = next((one for one in more or {} if one in parameters), None)
    if twice is not None:
        raise UsageError(f"{name}: duplicate parameter {twice!r}.", found=f"{spec} and {more}")
    parameters |= more or {}
    return known[name].from_parameters(parameters)


def check_declaration(measure: type[Measure[Any, Any]], *, kind: str) -> None:
    """Reject a measure with incomplete declarations."""
    for attribute in DECLARED:
        if not getattr(measure, attribute, None):
            raise TypeError(f"{measure.__name__} does not declare {attribute!r}")
    if measure.family != kind:
        raise TypeError(f"{measure.__name__} declares family {measure.family!r}, but is in {kind!r}")
    if not measure.__doc__:
        raise TypeError(f"{measure.__name__} has no docstring")
    reference(measure.citation)
    for declared in parameters_of(measure).values():
        declared.check(declared.default, owner=measure.name)
    made = measure()
    for attribute in PROMISED:
        if not getattr(made, attribute):
            raise TypeError(f"{measure.__name__} does not declare {attribute!r}")
    if made.headline not in made.values:
        raise TypeError(f"{measure.__name__}: the headline {made.headline!r} is not one of its values")


@cache
def _references() -> dict[str, str]:
    text = (Path(__file__).parent.parent / "references.bib").read_text(encoding="utf-8")
    entries = re.split(r"\n(?=@)", text.strip())
    return {entry.partition("{")[2].partition(",")[0].strip(): entry.strip() for entry in entries}


def reference(key: str) -> str:
    """Return the BibTeX entry of a citation."""
    if key.startswith("@"):
        return key
    try:
        return _references()[key]
    except KeyError:
        raise UsageError(f"references.bib has no entry {key!r}.") from None
