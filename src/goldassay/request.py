"""What may be asked of an evaluation, once: the arguments of `evaluate` and `sweep`, from which flags are made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from os import PathLike, fspath
from typing import Any, Literal, Self, TypeAlias

from goldassay.core.chance import Chance
from goldassay.core.combination import Rule
from goldassay.core.context import Context, Encoder, Progress, ignore_progress
from goldassay.core.errors import UsageError, nearest, unknown_choice_error
from goldassay.core.family import Family, SideOptions
from goldassay.core.items import is_iterable
from goldassay.core.measure import Measure
from goldassay.core.model import is_model
from goldassay.core.parameters import parameter
from goldassay.core.partial import Completeness
from goldassay.core.preset import preset_of, read_as
from goldassay.core.significance import Resampling
from goldassay.core.text import show_object
from goldassay.engines import EngineName
from goldassay.families import DEFAULT_KIND, family, find_measure, kinds, measure_of
from goldassay.formats.memory import listed
from goldassay.functions import measure
from goldassay.inputs import Input, inputs, made_with

SHOWN = 80
PARTIAL = ("judged", "ignore", "scope", "completeness")
"""What says which items a gold standard can judge."""
EncoderLike: TypeAlias = str | Encoder | Callable[[list[str]], Any]
MeasureLike: TypeAlias = str | Measure[Any, Any] | Callable[[Any, Any], Any]
Measures: TypeAlias = MeasureLike | Sequence[MeasureLike] | Mapping[str, Mapping[str, Any]] | None


def _are_names(value: Any) -> bool:
    """Return whether a value is a text, or one column or list of texts."""
    if isinstance(value, Collection):
        return len(getattr(value, "shape", (0,))) == 1 and all(isinstance(one, str) for one in value)
    return False


TEXTS = ("kind", "combine", "completeness", "unreadable", "as_", "engine", "spark_remote", "spark_vectors")
VALUES: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    **dict.fromkeys(TEXTS, (lambda value: isinstance(value, str | None), "a text")),
    **dict.fromkeys(("evidence", "selfcheck"), (lambda value: isinstance(value, bool), "True or False")),
    "memory": (lambda value: isinstance(value, int) and value >= 1, "a positive whole number of bytes"),
    "progress": (callable, "a function of the work, what is done and what there is"),
    "intervals": (lambda value: isinstance(value, bool | Resampling), "True, False, or a goldassay.Resampling"),
    "chance": (
        lambda value: isinstance(value, bool | str | Chance | None),
        "True, False, the name of a null model, or a goldassay.Chance",
    ),
    **dict.fromkeys(("by", "against"), (_are_names, "a name, or a list of names")),
    **dict.fromkeys(
        ("gold_options", "pred_options"), (lambda value: isinstance(value, Mapping | None), "a dictionary of options")
    ),
    "scope": (
        lambda value: isinstance(value, PathLike | None) or _are_names(value),
        "a file, or a collection of names",
    ),
}
"""What must be true of the value of an argument, and how it is described; what is not here is checked where it is used."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Arguments:
    """The arguments of `goldassay.evaluate`, where they are described, with their defaults; flags take their help from here."""

    gold: Input | Sequence[Input]
    kind: str | None = None
    measures: Measures = None
    encoder: EncoderLike = parameter(
        "minilm", metavar="ENCODER", help="minilm, hashing, sentence-transformers:NAME, or a .npz/.parquet file."
    )
    progress: Progress = ignore_progress
    memory: int = Context.memory
    intervals: bool | Resampling = False
    against: str | Sequence[str] = parameter(
        (),
        metavar="NAME",
        help="Prediction that the others are tested against: first (default), best, all, or its name; repeatable.",
    )
    chance: bool | str | Chance = parameter(
        False, help="Show the chance level of each score, and the chance-adjusted score."
    )
    selfcheck: bool = True
    by: str | Sequence[str] = parameter((), metavar="GROUP", help="Also show the values by a group; repeatable.")
    combine: Rule | None = parameter(
        None,
        metavar="RULE",
        help="How to combine several gold standards: max (default), union, intersection, mean or votes. "
        "A file may then hold several answers of one id.",
    )
    judged: Input | None = parameter(
        None,
        metavar="FILE",
        help="Judged items; a prediction that is neither in gold nor judged is not counted.",
    )
    ignore: Input | None = parameter(None, metavar="FILE", help="Items that count on neither side.")
    scope: str | PathLike[str] | Collection[str] | None = parameter(
        None,
        metavar="FILE",
        help="The names that gold covers, one per line, or branch:NAME; other items are not counted.",
    )
    completeness: Completeness | None = parameter(
        None,
        metavar="KIND",
        help="Which predictions gold can judge: all (complete), those whose source, target or either is in gold (source, target, partial), or only those in gold (judged).",
    )
    unreadable: Literal["stop", "keep"] = "stop"
    evidence: bool = False
    as_: str | None = parameter(
        None,
        metavar="NAME",
        flag="--as",
        help="Use the reading options and measures of another tool. See: goldassay presets",
    )
    engine: EngineName | None = parameter(
        None,
        metavar="NAME",
        help="Score tables larger than memory on duckdb or spark (exact measures, on spark also some by meaning), or each prediction in a worker of a cluster (spark-tasks: all measures and formats).",
    )
    spark_remote: str | None = parameter(
        None, metavar="URL", help="Address of Spark Connect, such as sc://host. Default: the current session."
    )
    spark_vectors: str | None = parameter(
        None,
        metavar="FOLDER",
        help="Folder in which a cluster keeps the vectors of texts, also an address such as s3a://...",
    )
    gold_options: Mapping[str, Any] | None = None
    pred_options: Mapping[str, Any] | None = None
    reading: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Reject values of the wrong kind; what can be iterated once is listed, since it is looked at more than once."""
        for name in ("gold", "judged", "ignore"):
            object.__setattr__(self, name, listed(getattr(self, name)))
        for name, (fits, expected) in VALUES.items():
            # A default is asked about in every call, and fits.
            if (value := getattr(self, name)) is not getattr(Arguments, name) and not fits(value):
                found, hint = f"{name}={show_object(value)}", f"leave {name} out"
                raise UsageError(f"{name} is invalid.", found=found, expected=expected, hint=hint)
        if self.unreadable not in ("stop", "keep"):
            raise unknown_choice_error("value of unreadable", self.unreadable, ("stop", "keep"))

    @property
    def chosen(self) -> Family[Any]:
        """The family: that of the first measure if it is not named, else that of the gold standard if it is a model."""
        return family(self.kind or _kind_of(self.measures) or _kind_of_model(self.gold) or DEFAULT_KIND)

    @classmethod
    def of_sweep(cls, given: Mapping[str, Any]) -> Self:
        """Take the arguments of a sweep; what is none is an option of the reader."""
        for name in given:
            if name in NOT_SWEPT:
                raise UsageError(f"{name} has no effect on a sweep.", hint=f"leave out {name}")
        own = {name: value for name, value in given.items() if name in ARGUMENTS}
        return cls(**own, reading={name: value for name, value in given.items() if name not in own})

    def settle(self, preds: Sequence[Input]) -> Request:
        """Check all that can be checked before any file is read: a misspelt word should not cost a minute."""
        chosen = self.chosen
        drawing, by, resampling = (
            _drawing(chosen, self.chance),
            _groups(chosen, self.by),
            _resampling(chosen, self.intervals),
        )
        if isinstance(self.scope, str) and chosen.reading.scopes(self.scope):
            return replace(self, scope=None, reading={**self.reading, "scope": self.scope}).settle(preds)
        measures, options = self._parse_options(chosen)
        gold_standards = inputs(chosen, self.gold)
        # What gold can judge is read as gold is.
        more = [one for one in (self.judged, self.ignore) if one is not None]
        self._refuse_options(preds, [*gold_standards, *more])
        whole = {**vars(self), "measures": _measures(chosen, measures), "by": by, "gold_standards": gold_standards}
        self._refuse_partial(chosen, drawing)
        return Request(**whole, options=options, drawing=drawing, resampling=resampling)

    def _parse_options(self, chosen: Family[Any]) -> tuple[Measures, SideOptions]:
        """Make the reading options of both sides, and take measures and options from a preset if one is named."""
        measures = self.measures
        both = [{**self.reading, **(own or {})} for own in (self.pred_options, self.gold_options)]
        if self.as_ is not None:
            preset = preset_of(chosen.measures.presets, self.as_, kind=chosen.kind)
            both = [read_as(preset, one, measured=measures is not None) for one in both]
            measures = preset.measures
        return measures, SideOptions.of(*(reading_options(chosen, one, ARGUMENTS) for one in both))

    def _refuse_options(self, pred: Sequence[Any], gold: Sequence[Any]) -> None:
        """Refuse options of a reader where nothing is read."""
        for options, read in (
            (self.reading, [*pred, *gold]),
            (self.pred_options, pred),
            (self.gold_options, gold),
        ):
            if options and read and all(map(is_model, read)):
                raise UsageError(
                    "Reader options have no effect on models that are already in memory.",
                    found=", ".join(options),
                    hint="give the options to goldassay.read",
                )

    def _refuse_partial(self, chosen: Family[Any], drawing: Chance | None) -> None:
        """Refuse partial gold where it is not supported."""
        asked = [name for name in PARTIAL if getattr(self, name) is not None]
        if asked and chosen.trust.restriction is None:
            raise UsageError(f"The family {chosen.kind} does not support partial gold.", found=f"--{asked[0]}")
        if self.judged is not None and self.completeness == "complete":
            raise UsageError(
                "--judged and --completeness complete cannot be combined: a complete gold standard judges all predictions.",
                found="--judged and --completeness complete",
                hint="leave one out",
            )
        if drawing and {"judged", "completeness"} & set(asked):
            raise UsageError(
                f"--{asked[0]} and --chance cannot be combined: random predictions have no judgements.",
                found=f"--{asked[0]} and --chance",
                hint="leave one out",
            )


@dataclass(frozen=True, eq=False, kw_only=True)
class Request(Arguments):
    """What is asked, checked before any file is read. It can be sent to another process."""

    gold_standards: Sequence[Input]  # the gold standards, one or several
    measures: Sequence[Measure[Any, Any]]  # the measures; the default of the place if there are none
    by: Sequence[str]
    options: SideOptions  # the options of the reader for each side
    drawing: Chance | None  # how chance is drawn; None if it is not
    resampling: Resampling | None  # how intervals are drawn; None if they are not

    def __post_init__(self) -> None:
        """Accept all values: they were checked as arguments."""

    def without_progress(self) -> Request:
        """Leave out the function that is called while work runs: it stays in this process."""
        return replace(self, progress=ignore_progress)


ARGUMENTS = {one.name: one for one in fields(Arguments) if one.name != "reading"}
"""The arguments by name, without the options of the reader."""
NOT_SWEPT = frozenset(
    [
        "intervals",
        "against",
        "chance",
        "selfcheck",
        "by",
        "combine",
        "unreadable",
        "evidence",
        "as_",
        "engine",
        "spark_remote",
        "spark_vectors",
    ]
)
"""The arguments that have no effect on a sweep."""


def argument(name: str) -> Any:
    """Declare a field of a group of flags that is an argument: with the same default, and its help."""
    one = ARGUMENTS[name]
    return field(default=None if one.default == () else one.default, metadata=one.metadata)


def reading_options(chosen: Family[Any], options: Mapping[str, Any], arguments: Iterable[str] = ()) -> Any:
    """Make the reading options of a family from keyword arguments; a misspelt one may be meant as another argument."""
    made: Any = chosen.reading.options
    known, plain = made.__dataclass_fields__, {name: _plain(value) for name, value in options.items()}
    for name in options:
        if name not in known:
            error = unknown_choice_error(f"option of {chosen.kind}", name, known)
            error.hint = nearest(name, [*known, *arguments])
            raise error
    try:
        return _made_once(made, **plain)
    except TypeError:
        # What cannot be hashed is refused where options are checked.
        return made(**plain)


def _plain(value: Any) -> Any:
    """Write a path as text, and a list as a tuple."""
    return fspath(value) if isinstance(value, PathLike) else tuple(value) if isinstance(value, list) else value


@lru_cache(typed=True)
def _made_once(reading: Any, **options: Any) -> Any:
    """Make the options of a reader once: each is checked when it is made."""
    return reading(**options)


def _groups(chosen: Family[Any], by: object) -> list[str]:
    """Reject unknown groupings."""
    names: list[Any] = list(by) if is_iterable(by) and not isinstance(by, str) else [by]
    for name in names:
        if name not in chosen.splits:
            raise unknown_choice_error(f"group of {chosen.kind}", name, chosen.splits)
    return names


def _resampling(chosen: Family[Any], intervals: bool | Resampling) -> Resampling | None:
    if isinstance(intervals, bool):
        return Resampling() if intervals else None
    if intervals.unit and not chosen.clusters:
        raise UsageError(
            f"--ci-unit is not supported for {chosen.kind}.", found=intervals.unit, hint="leave out --ci-unit"
        )
    if intervals.unit and intervals.unit not in chosen.clusters:
        raise unknown_choice_error(f"unit of {chosen.kind}", intervals.unit, chosen.clusters)
    return intervals


def _drawing(chosen: Family[Any], asked: bool | str | Chance) -> Chance | None:
    """Return how chance is drawn; None if it is not."""
    if asked is False:
        return None
    chance = asked if isinstance(asked, Chance) else Chance() if asked is True else Chance(null=asked)
    if chance.null and chance.null not in chosen.trust.nulls:
        raise unknown_choice_error(f"null model of {chosen.kind}", chance.null, chosen.trust.nulls)
    return chance


def _kind_of_model(given: Any) -> str | None:
    """Find the family whose reader makes models such as this one; None for what is no model of a family."""
    if is_model(given):
        for kind in kinds():
            made = made_with(family(kind).reading.read)
            if made is not object and isinstance(made, type) and isinstance(given, made):
                return kind
    return None


def _kind_of(asked: Measures) -> str | None:
    """Find the family of the first measure."""
    first = next(iter(asked), None) if is_iterable(asked) and not isinstance(asked, str) else asked
    if isinstance(first, str):
        first = find_measure(first.partition("(")[0].strip())
    return getattr(first, "family", None)


def _measures(chosen: Family[Any], asked: Measures) -> list[Measure[Any, Any]]:
    """Make the measures, none for the default."""
    if asked is None:
        return []
    if isinstance(asked, Mapping):
        measures = [_set_parameters(chosen, name, parameters) for name, parameters in asked.items()]
    else:
        several = asked if is_iterable(asked) and not isinstance(asked, str) else [asked]
        measures = [_measure(chosen, one) for one in several]
    if not measures:
        raise UsageError("No measure is given.", hint="leave measures out for the default")
    for found in measures:
        if found.family != chosen.kind:
            known = [one.name for one in chosen.measures.classes]
            raise unknown_choice_error(f"measure of {chosen.kind}", found.name, known)
    different = list(dict.fromkeys(measures))
    twice = [spec for spec, times in Counter(map(str, different)).items() if times > 1]
    if twice:
        raise UsageError(
            "Two measures have the same name.", found=twice[0], hint="goldassay.measure(function, name=...)"
        )
    return different


def _set_parameters(chosen: Family[Any], name: object, parameters: object) -> Measure[Any, Any]:
    if not isinstance(name, str) or not isinstance(parameters, Mapping | None):
        raise UsageError(
            "Expected a measure name with a dictionary of parameters.",
            found=f"{{{name!r}: {parameters!r}}}"[:SHOWN],
            expected="its name, and a dictionary of parameters: {'fuzzy': {'threshold': 0.9}}",
        )
    return measure_of(chosen, name, parameters)


@lru_cache
def _parse_measure(chosen: Family[Any], spec: str) -> Measure[Any, Any]:
    return measure_of(chosen, spec)


def _measure(chosen: Family[Any], asked: object) -> Measure[Any, Any]:
    if isinstance(asked, str):
        return _parse_measure(chosen, asked)
    if isinstance(asked, Measure):
        return asked
    if callable(asked) and not isinstance(asked, type):
        return measure(asked, kind=chosen.kind)
    raise UsageError(
        "Not a measure.",
        found=show_object(asked)[:SHOWN],
        expected="a spec such as 'fuzzy(threshold=0.9)', a measure, or a dictionary of parameters by measure",
        hint=f"{asked.__name__}()" if isinstance(asked, type) else None,
    )
