"""The command of a family, made from its declaration."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from copy import copy
from functools import partial
from os.path import isdir
from pathlib import Path
from typing import Annotated, Any, get_args

import typer

from goldassay.cli import screen
from goldassay.cli.flags import (
    SIDES,
    Run,
    as_command,
    flags_of,
    given_flags,
    names_in,
    option_flag,
    option_of,
    options_given,
    places_of,
    refuse_others,
    side_given,
    side_options,
    value_of,
)
from goldassay.cli.groups import (
    READING,
    Memory,
    Output,
    PartialGoldOptions,
    PlaceOptions,
    Preds,
    Scoring,
    ScoringOptions,
    Vectors,
)
from goldassay.cli.runs import files_of, systems_of
from goldassay.cli.score import score
from goldassay.cli.sweep import sweep
from goldassay.core.errors import UsageError
from goldassay.core.family import Extra, Family, Job, SideOptions
from goldassay.core.measure import Measure
from goldassay.core.parameters import note_reads, parameters_of
from goldassay.core.preset import preset_of, read_as
from goldassay.formats.memory import source_of
from goldassay.formats.source import STANDARD_INPUT
from goldassay.inputs import File, are_documents
from goldassay.report.results import Benchmark

TEXTS = {"pred_texts": ("--text", "preds", "PRED"), "gold_texts": ("--gold-text", "gold", "--gold")}
"""The flags that take texts, and the parameter that each is in place of."""
OF_SIDES = "Reading options apply to both sides; with the prefix --gold- or --pred- to one side, for example {}."
OF_INPUTS = frozenset({"FILE", "PRED", "PATH", "REPORT", "DIR|TABLE", "ENCODER", "SCOPE"})
"""What the help of flags calls the path of an input."""
SWEPT = {"layout", "formulas", "output", "places", "percent", "quiet", "verbose"}
"""The flags of output that curves have."""


def command_of(family: Family[Any], *, benchmark: Benchmark | None = None) -> Run:
    """Make the command that scores a family."""
    idle = _idle(family)
    flags = [
        *flags_of("preds", Preds, None),
        *(flag for flag in flags_of("asked", ScoringOptions) if flag.name not in idle),
        *map(_extra_flag, family.views.extras),
        *(
            option_flag(dataclasses.replace(family.measures.flag(name), metavar="FILE"))
            for name in family.measures.flags
        ),
        *(
            one
            for one in (flags_of("partial", PartialGoldOptions) if family.trust.restriction else ())
            if one.name not in parameters_of(family.reading.options)
        ),
        *flags_of("reading", family.reading.options),
        *(option_flag(one, hidden=True) for one in side_options(family.reading.options)),
        *flags_of("place", PlaceOptions),
        *_vectors(family),
        *(flag for flag in flags_of("scoring", Scoring) if flag.name not in idle),
    ]
    own = _own_help(family)
    flags = [_with_help(flag, own[flag.name]) if flag.name in own else flag for flag in flags]
    about = "\n\n".join([family.about, *_help_of_sides(family)])
    paths = paths_in(flags)
    return as_command(lambda **given: _run(family, given, benchmark, paths), flags, name=family.kind, about=about)


def _idle(family: Family[Any]) -> set[str]:
    """Name the flags of all families that have no effect on this one."""
    idle = {"as_": not family.measures.presets, "ci_unit": not family.clusters}
    return {*(() if family.reading.texts else TEXTS), *(name for name, holds in idle.items() if holds)}


def _own_help(family: Family[Any]) -> dict[str, str]:
    """Return the help of flags that all families have, with what this family has, by name."""
    known = ", ".join(measure.name for measure in family.measures.classes)
    usual = ", ".join(map(str, family.measures.default))
    example = next((str(one) for one in family.measures.default if "(" in str(one)), str(family.measures.default[0]))
    texts = {
        "null": f"Null model of --chance (implies --chance): {', '.join(family.trust.nulls)}.",
        "measure": f"A measure, for example '{example}'; repeatable. One of {known}: goldassay measures NAME. "
        f"If none is given: {usual}.",
        "as_": f"Use the reading options and measures of another tool: {', '.join(one.name for one in family.measures.presets)}. "
        "See: goldassay presets",
        "ci_unit": f"Resample whole units instead of items: {' or '.join(family.clusters)}.",
        "by": f"Also show the values by {', '.join(family.splits)}; repeatable.",
    }
    if family.trust.merged is None:
        texts["combine"] = "How to combine several gold standards: max (default) or mean."
    if not family.reading.references:
        texts.setdefault(
            "combine", "How to combine several gold standards: max (default), union, intersection, mean or votes."
        )
    restriction = family.trust.restriction
    if restriction and restriction.branch is None and "scope" not in parameters_of(family.reading.options):
        texts["scope"] = "The names that gold covers, one per line; other items are not counted."
    if restriction and not restriction.ends:
        texts["completeness"] = "Which predictions gold can judge: complete (all), or judged (those in gold)."
    return texts


def _with_help(flag: inspect.Parameter, text: str) -> inspect.Parameter:
    """Return a flag with another help."""
    kind, option = get_args(flag.annotation)
    option = copy(option)
    option.help = text
    return flag.replace(annotation=Annotated[kind, option])


def _help_of_sides(family: Family[Any]) -> Iterator[str]:
    """Return the line of the help on reading options for one side."""
    declared = parameters_of(family.reading.options)
    example = declared.get("input_format") or next(iter(declared.values()), None)
    if example:
        yield OF_SIDES.format(option_of("gold", example).flag)


def _run(family: Family[Any], given: dict[str, Any], benchmark: Benchmark | None, paths: AbstractSet[str]) -> None:
    extras = {extra.name: extra for extra in family.views.extras if given[extra.name]}
    scoring: Scoring = value_of("scoring", Scoring, given | _layout_of(extras, given["layout"]))
    output = scoring.output
    reading = _reading(family, given)
    for name, extra in extras.items():
        if extra.check:
            extra.check(given[name])
    of_sides = {f"{side}_options": side_given(side, family.reading.options, given) for side in SIDES}
    made = SideOptions.of(
        *(family.reading.options(**{**reading, **of_sides[f"{side}_options"]}) for side in ("pred", "gold"))
    )
    without = Vectors(encoder="hashing", memory=given.get("memory", Vectors.memory))
    vectors = value_of("vectors", Vectors, given) if family.measures.encode else without
    reading.pop("scope", None)  # an argument of `evaluate`
    job = _find_inputs(_job(family, given, made, output, vectors, paths), extras, given)
    _check_one_gold(job, [f"--{name.replace('_', '-')}" for name, extra in extras.items() if not extra.inputs], given)
    for name, extra in extras.items():
        if extra.instead:
            refuse_others(f"--{name.replace('_', '-')}", _flags_of_extra(family, extra))
            with note_reads(), screen.caught_warnings(quiet=False, reported=False):
                screen.print_lines(extra.instead(job, given[name]))
            screen.warn_of_unread(family, job)
            return
    _check_inputs(family, job)
    below = {name: extra.below for name, extra in extras.items() if extra.below}
    if below and (output.layout != "text" or output.output):
        raise UsageError(f"--{next(iter(below))} supports only the text format, without --output.")
    measures = _measures(family, given)
    partial = value_of("partial", PartialGoldOptions, given).given() if family.trust.restriction else {}
    if any(extra.inputs for extra in extras.values()) and not {"judged", "ignore"} & partial.keys():
        # These inputs are read already, with these options.
        reading, of_sides = {}, {}
    place = value_of("place", PlaceOptions, given).given()
    if "engine" in place:
        output.check_without_items(place["engine"])
    added = _additions(job, extras, given)
    if place and (below or added):
        raise UsageError("An engine computes scores only.", hint="leave out --engine")
    asked = {"measures": measures, **partial, **reading, **of_sides}
    if given["sweep"]:
        refuse_others("--sweep", _flags_of_sweep(family, extras.values()), hint="leave out --sweep")
        sweep(family, job, asked, vectors=vectors, output=output)
        return
    asked |= {"by": given["by"] or (), "combine": given["combine"], **place}
    shown = below.items()
    score(
        family, job, asked, vectors=vectors, scoring=scoring, benchmark=benchmark,
        below=lambda report: (line for name, lines in shown for line in lines(job, report, given[name])),
        added=added,
    )  # fmt: skip


def _layout_of(extras: Mapping[str, Extra], given: str | None) -> dict[str, str | None]:
    """Return the layout: what is written instead of a report has formats of its own, by the suffix."""
    return {"layout": given or ("text" if any(extra.instead for extra in extras.values()) else None)}


def _additions(job: Job, extras: Mapping[str, Extra], given: Mapping[str, Any]) -> list[Callable[[Any], Any]]:
    """List what adds to a report that every layout shows."""
    return [partial(extra.added, job, given[name]) for name, extra in extras.items() if extra.added]


def _job(
    family: Family[Any],
    given: dict[str, Any],
    reading: SideOptions,
    output: Output,
    vectors: Vectors,
    paths: AbstractSet[str],
) -> Job:
    """Find the files of a command, and refuse what cannot be read or written."""
    given["gold"] = [File(path) for path in given["gold"] or ()] or None
    is_one = partial(are_documents, family, gold=given["gold"] or (), options=reading)
    given["preds"] = files_of(given["preds"] or [], folders=family.reading.folders, is_one=is_one)
    _take_texts(family, given)
    systems = systems_of(given["runs"] or [], given["preds"])
    of_systems = [path for paths in systems.values() for path in paths]
    preds = of_systems or given["preds"]
    inputs = inputs_of(given, paths)
    _check_standard_input([*inputs, *of_systems])
    output.check([*inputs, *preds])
    gold = given["gold"][0] if given["gold"] and len(given["gold"]) == 1 else given["gold"]
    return Job(preds, gold, reading, output.output, output.places, output.percent, systems, vectors.load_encoder)


def _flags_of_sweep(family: Family[Any], extras: Iterable[Extra]) -> set[str]:
    """Name the flags that have an effect on curves."""
    finding = {extra.name for extra in extras if extra.inputs}
    own = {"preds", "runs", "gold", "measure", "as_", "sweep", *TEXTS, *family.measures.flags, *finding}
    return own | _reading_names(family) | names_in(PartialGoldOptions, Vectors) | SWEPT


def _take_texts(family: Family[Any], given: dict[str, Any]) -> None:
    """Make predictions and gold of the texts that were given in place of files."""
    for name, (flag, place, instead) in TEXTS.items() if family.reading.texts else ():
        if not given[name]:
            continue
        if given[place] or (place == "preds" and given["runs"]):
            raise UsageError(f"{instead} and {flag} cannot be given together.")
        rows = [{"id": str(number), "text": text} for number, text in enumerate(given[name], start=1)]
        given[place] = [source_of(rows, name=flag)]


def _reading_names(family: Family[Any]) -> set[str]:
    return {name for declared in parameters_of(family.reading.options).values() for name in places_of(declared)}


def _flags_of_extra(family: Family[Any], extra: Extra) -> set[str]:
    """Name the flags that have an effect where an extra one shows something in place of scores."""
    reading = parameters_of(family.reading.options)
    ignored = {place for name in extra.ignores for place in places_of(reading[name])}
    used = {extra.name, "preds", *extra.uses, *_reading_names(family)} - ignored
    if "gold" in extra.uses:
        return used
    of_gold = {option_of("gold", one).name for one in reading.values()}
    pairing = {*family.reading.pairing, *(option_of("pred", reading[name]).name for name in family.reading.pairing)}
    return used - of_gold - pairing


def _vectors(family: Family[Any]) -> Iterator[inspect.Parameter]:
    """Return the flags of the encoder and of memory; an engine takes memory, too."""
    if family.measures.encode:
        yield from flags_of("vectors", Vectors)
    elif family.reading.lazily:
        yield from flags_of("memory", Memory, Vectors.memory)


def _reading(family: Family[Any], given: dict[str, Any]) -> dict[str, Any]:
    """Return the options of the reader, and let a preset set them and the measures if one is named."""
    reading = options_given(family.reading.options, given)
    if not family.reading.scopes(reading.get("scope") or ""):
        reading.pop("scope", None)
    if not given.get("as_"):
        return reading
    preset = preset_of(family.measures.presets, given["as_"], kind=family.kind)
    # A flag that was not given has its default.
    declared = parameters_of(family.reading.options)
    asked = {name: value for name, value in reading.items() if not declared[name].is_default(value)}
    reading = {**reading, **read_as(preset, asked, measured=bool(given["measure"]))}
    given["measure"] = list(preset.measures)
    return reading


def _check_standard_input(paths: Sequence[str | Path]) -> None:
    if sum(str(path) == STANDARD_INPUT for path in paths) > 1:
        raise UsageError(
            "Only one input can be read from standard input.",
            found="- more than once",
            hint="name a file for one of them",
        )


def paths_in(flags: Iterable[inspect.Parameter]) -> AbstractSet[str]:
    """Name the flags that take the path of an input, as their help shows it."""
    return {flag.name for flag in flags if get_args(flag.annotation)[1].metavar in OF_INPUTS} - names_in(Output)


def inputs_of(given: Mapping[str, Any], paths: AbstractSet[str]) -> list[str | Path]:
    """List the inputs of a command; a word for one, such as the name of an encoder, may be the name of a folder."""
    values = (given[name] for name in given.keys() & paths)
    flat = [one for value in values for one in (value if isinstance(value, list) else [value])]
    named = {given.get("encoder"), given.get("scope")}
    return [one for one in flat if isinstance(one, str | Path) and not (one in named and isdir(one))]


def _extra_flag(extra: Extra) -> inspect.Parameter:
    kind: Any = bool if extra.metavar is None else list[str] | None if extra.repeat else str | None
    default = False if extra.metavar is None else None
    flag = f"--{extra.name.replace('_', '-')}"
    option = typer.Option(flag, metavar=extra.metavar, help=extra.help, show_default=False, rich_help_panel=READING)
    return inspect.Parameter(
        extra.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, option]
    )


def _find_inputs(job: Job, extras: dict[str, Extra], given: dict[str, Any]) -> Job:
    """Find the predictions and the gold standard by an extra flag, if one is given that does."""
    for name, extra in extras.items():
        if not extra.inputs:
            continue
        if job.preds:
            raise UsageError(f"--{name} already gives the predictions.", hint="remove PRED")
        preds, gold = extra.inputs(given[name], job.gold, job.reading)
        return job._replace(preds=preds, gold=gold)
    return job


def _check_one_gold(job: Job, extras: list[str], given: dict[str, Any]) -> None:
    """Refuse several gold standards where a flag shows one."""
    flags = [*(["--sweep"] if given["sweep"] else []), *extras]
    if flags and (isinstance(job.gold, list) or given["combine"]):
        raise UsageError(
            f"{flags[0]} supports one gold standard only.", hint="name one --gold, and leave out --combine"
        )


def _check_inputs(family: Family[Any], job: Job) -> None:
    if not job.preds or not job.gold:
        finders = "".join(
            f", or {family.kind} --{extra.name} {extra.metavar}" for extra in family.views.extras if extra.inputs
        )
        raise UsageError(
            "No prediction is given." if job.gold else "No gold standard is given.",
            expected=f"goldassay {family.kind} PRED... --gold FILE{finders}",
        )


def _measures(family: Family[Any], given: dict[str, Any]) -> list[Measure[Any, Any]] | None:
    """Make the requested measures, with the parameters set by flags; None for the default."""
    set_by_flags = {name: given[name] for name in family.measures.flags if given[name]}
    from goldassay.families import measure_of

    asked = [measure_of(family, spec) for spec in given["measure"]] if given["measure"] else None
    measures = list(family.measures.default) if asked is None else asked
    _check_counted(family, measures)
    if not set_by_flags:
        return asked
    for name in set_by_flags:
        if not any(name in parameters_of(type(measure)) for measure in measures):
            able = next(measure.name for measure in family.measures.classes if name in parameters_of(measure))
            raise UsageError(
                f"None of the measures uses --{name}.", found=", ".join(map(str, measures)), hint=f"-m {able}"
            )
    return [
        dataclasses.replace(
            measure, **{name: value for name, value in set_by_flags.items() if name in parameters_of(type(measure))}
        )
        for measure in measures
    ]


def _check_counted(family: Family[Any], measures: Sequence[Measure[Any, Any]]) -> None:
    """Refuse options of the reader for what none of the measures counts."""
    for name, (parameter, value) in family.measures.counted.items():
        flags = given_flags(places_of(parameters_of(family.reading.options)[name]))
        if flags and not any(getattr(measure, parameter, None) == value for measure in measures):
            able = next(measure.name for measure in family.measures.classes if parameter in parameters_of(measure))
            raise UsageError(
                f"None of the measures uses {flags[0]}.",
                found=", ".join(map(str, measures)),
                hint=f"-m '{able}({parameter}={value})'",
            )
