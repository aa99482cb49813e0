"""The registry of all families and measures, including those of other packages.

To name the families needs none of them, nor numpy, so that ``goldassay --help`` waits for neither.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from goldassay.core.errors import GoldassayWarning, UsageError, check_type, unknown_choice_error

if TYPE_CHECKING:
    from goldassay.core.family import Family
    from goldassay.core.measure import Measure

FAMILIES, MEASURES = "goldassay.families", "goldassay.measures"
"""The groups of entry points by which other packages add families and measures."""


class FamilyModule(NamedTuple):
    """Where a family is."""

    module: str  # the module whose `FAMILY` it is; imported when it is first used
    about: str


HOMES = {
    "taxonomy": FamilyModule("goldassay.graphs", "Score taxonomies and knowledge graphs."),
    "axioms": FamilyModule("goldassay.axioms", "Score axioms (class, property, object)."),
    "alignment": FamilyModule("goldassay.alignments", "Score ontology alignments."),
    "concepts": FamilyModule("goldassay.concepts", "Score long-form answers by the concepts in them."),
    "triples": FamilyModule("goldassay.triples", "Score triples per document, as extracted from text."),
    "labels": FamilyModule("goldassay.labels", "Score labels of instances in a hierarchy."),
    "unl": FamilyModule("goldassay.unl", "Score UNL documents, sentence by sentence."),
    "sentences": FamilyModule("goldassay.unl.sentences", "Score sentences generated from UNL."),
}

_registered: dict[str, Family[Any]] = {}
_measures: dict[str, type[Measure[Any, Any]]] = {}
DEFAULT_KIND = "taxonomy"
Registered = TypeVar("Registered", bound="Family[Any] | type[Measure[Any, Any]]")


def register(added: Registered) -> Registered:
    """Register a family, or a measure of a family; also as a decorator of a measure.

    Args:
        added: A family, or the class of a measure.

    Returns:
        The same.

    Raises:
        TypeError: If the declarations of a measure are incomplete.
        UsageError: If the name is taken, or there is no family of that kind.
    """
    from goldassay.core.family import Family, check_declaration

    if isinstance(added, Family):
        _refuse_taken("kind", added.kind, added, {**HOMES, **_plugins(FAMILIES), **_registered})
        _registered[added.kind] = added
        return added
    check_type(added, type, "a family, or the class of a measure")
    kind = getattr(added, "family", None)
    if kind not in kinds():
        raise unknown_choice_error("kind", kind, kinds())
    check_declaration(added, kind=kind)
    _refuse_taken("measure", added.name, added, all_measures())
    _measures[added.name] = added
    return added


def _refuse_taken(what: str, name: str, added: object, known: dict[str, Any]) -> None:
    taken = known.get(name)
    if taken is not None and taken is not added:
        raise UsageError(f"There is already a {what} {name!r}.", found=repr(taken), hint="choose another name")


def kinds() -> dict[str, str]:
    """List the kinds of all families, each with what it scores, without importing them."""
    others = {
        name: f"From {point.dist.name if point.dist else point.value}." for name, point in _plugins(FAMILIES).items()
    }
    own = {kind: chosen.title for kind, chosen in _registered.items()}
    return {**{kind: home.about for kind, home in HOMES.items()}, **others, **own}


def family(kind: str) -> Family[Any]:
    """Find a family by its kind, with the measures that other packages have for it."""
    if kind in _registered:
        chosen = _registered[kind]
    elif kind in HOMES:
        chosen = _own_family(kind)
    elif (plugin := _load_entry_points(FAMILIES).get(kind)) is not None:
        chosen = plugin
    else:
        raise unknown_choice_error("kind", kind, kinds())
    added = {**_load_entry_points(MEASURES), **_measures}.values()
    if not added:
        return chosen
    own = tuple(measure for measure in added if measure.family == kind and measure not in chosen.measures.classes)
    return (
        replace(chosen, measures=replace(chosen.measures, classes=(*chosen.measures.classes, *own))) if own else chosen
    )


@cache
def _own_family(kind: str) -> Family[Any]:
    chosen: Family[Any] = import_module(HOMES[kind].module).FAMILY
    return chosen


def kind_of(*paths: str) -> str:
    """Detect the family of files by the content of the first that only one family has; the default is taxonomy."""
    from goldassay.core.errors import name_file
    from goldassay.formats import load, recognise
    from goldassay.formats.rows import names_in

    for path in paths:
        with name_file(path):
            source = load(path)
            name = recognise(source)
            columns = names_in(source, name)
        for kind, chosen in families().items():
            if chosen.reading.claims(name, columns):
                return kind
    return "taxonomy"


def families() -> dict[str, Family[Any]]:
    """List every family by its kind."""
    return {kind: family(kind) for kind in _importable()}


def _importable() -> Iterator[str]:
    return (k for k in kinds() if k in HOMES or k in _registered or k in _load_entry_points(FAMILIES))


def parse(spec: str) -> Measure[Any, Any]:
    """Make a measure of any family from its spec.

    Raises:
        UsageError: If the spec is malformed, or contains an unknown measure or parameter.

    Example:
        >>> parse("fuzzy(threshold=0.5)").threshold
        0.5
    """
    from goldassay.core.family import parse_measure
    from goldassay.core.labelled import Labelled
    from goldassay.core.spec import parse_spec

    found = find_measure(parse_spec(spec)[0])
    return parse_measure(spec, {found.name: found} if found else {**all_measures(), Labelled.name: Labelled})


def find_measure(name: str) -> type[Measure[Any, Any]] | None:
    """Find a measure by its name, and import no family after the one that has it."""
    return next((one for kind in _importable() for one in family(kind).measures.classes if one.name == name), None)


def measure_of(chosen: Family[Any], spec: str, parameters: Mapping[str, Any] | None = None) -> Measure[Any, Any]:
    """Make a measure of one family from its spec.

    Example:
        >>> measure_of(family("taxonomy"), "overlap")
        Traceback (most recent call last):
        ...
        goldassay.core.errors.UsageError: overlap is not a measure of taxonomy.
          found:    overlap
          expected: literal, fuzzy, ...
          try:      overlap is a measure of alignment: goldassay alignment
    """
    from goldassay.core.spec import parse_spec

    name, _ = parse_spec(spec)
    known = [measure.name for measure in chosen.measures.classes]
    if name not in known and name in (others := all_measures()):
        home = others[name].family
        raise UsageError(
            f"{name} is not a measure of {chosen.kind}.",
            found=spec,
            expected=", ".join(known),
            hint=f"{name} is a measure of {home}: goldassay {home}",
        )
    return chosen.measures.parse(spec, parameters)


def all_measures() -> dict[str, type[Measure[Any, Any]]]:
    """List the measures of every family by name."""
    return {measure.name: measure for chosen in families().values() for measure in chosen.measures.classes}


@cache
def _plugins(group: str) -> dict[str, EntryPoint]:
    return {point.name: point for point in _entry_points().select(group=group)}


@cache
def _entry_points() -> Any:  # of two types, by the version of Python
    """List what all packages add: a file of each is read."""
    return entry_points()


@cache
def _load_entry_points(group: str) -> dict[str, Any]:
    """Load the entry points of other packages; those that cannot be loaded are skipped with a warning."""
    found = {}
    for name, point in _plugins(group).items():
        try:
            found[name] = point.load()
        except Exception as error:  # noqa: BLE001 - the code of another package may raise anything
            warnings.warn(
                f"{name} of {point.value} cannot be loaded and is skipped: {error!r}", GoldassayWarning, stacklevel=3
            )
    return found
