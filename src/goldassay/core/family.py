"""A family: how its files are read, and which measures score them. The registry of measures is made of these."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Generic

from goldassay.core.errors import UsageError, unknown_choice
from goldassay.core.measure import Measure, ModelType
from goldassay.core.null import Null
from goldassay.core.panel import Panels, no_panels
from goldassay.core.parameters import parameters_of
from goldassay.core.spec import parse_spec

DECLARED = ("name", "title", "family", "formula", "citation", "values", "headline", "symmetry")


@dataclass(frozen=True, eq=False, kw_only=True)
class Family(Generic[ModelType]):
    """One kind of knowledge structure, and all that goldassay can do with it.

    Making a family checks that each of its measures declares itself fully.

    Attributes:
        kind: Its word on the command line.
        title: What people call it.
        item: What is counted.
        measures: Its measures.
        default: What is measured when nothing is asked for.
        reading: The options of its reader, a frozen dataclass.
        read: The reader: a path and the options give a model.
        suspicions: What is suspicious about a prediction and a gold standard, each in one sentence.
        panels: What the report page shows of a prediction's scores beside what it shows for every family.
        nulls: Its null models by name; a measure is held against the first that fits it, unless another is asked for.
    """

    kind: str
    title: str
    item: str
    measures: tuple[type[Measure[ModelType]], ...]
    default: tuple[Measure[ModelType], ...]
    reading: type[Any]
    read: Callable[[str, Any], ModelType]
    suspicions: Callable[[ModelType, ModelType], Iterable[str]]
    panels: Panels = no_panels
    nulls: Mapping[str, Null[ModelType]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for measure in self.measures:
            check_declaration(measure, kind=self.kind)
        for null in self.nulls.values():
            reference(null.citation)

    def null_of(self, measure: Measure[ModelType], name: str = "") -> str | None:
        """Name the null model that a measure is held against; None if there is none that says something of it.

        Args:
            measure: The measure.
            name: The null model that was asked for; empty for the first that fits.

        Raises:
            UsageError: If the family has no such null model.
        """
        if name and name not in self.nulls:
            raise unknown_choice(f"null model of {self.kind}", name, self.nulls)
        asked = [name] if name else self.nulls
        return next((one for one in asked if self.nulls[one].fits(measure)), None)

    def parse(self, spec: str) -> Measure[ModelType]:
        """Make a measure of this family from its spec.

        Raises:
            UsageError: If the spec is malformed, or names a measure or parameter that there is not.
        """
        return parse_measure(spec, {measure.name: measure for measure in self.measures})


def parse_measure(spec: str, known: Mapping[str, type[Measure[Any]]]) -> Measure[Any]:
    """Make a measure from its spec, out of the measures known by name.

    Raises:
        UsageError: If the spec is malformed, or names a measure or parameter that there is not.
    """
    name, parameters = parse_spec(spec)
    if name not in known:
        raise unknown_choice("measure", name, known)
    return known[name].from_parameters(parameters)


def check_declaration(measure: type[Measure[Any]], *, kind: str) -> None:
    """Refuse a measure that leaves something about itself unsaid.

    Raises:
        TypeError: If a declaration is missing or contradicts another.
    """
    for attribute in DECLARED:
        if not getattr(measure, attribute, None):
            raise TypeError(f"{measure.__name__} does not declare {attribute!r}")
    if measure.family != kind:
        raise TypeError(f"{measure.__name__} says family {measure.family!r}, but stands in {kind!r}")
    if not measure.__doc__:
        raise TypeError(f"{measure.__name__} has no docstring")
    if measure.headline not in measure.values:
        raise TypeError(f"{measure.__name__}: the headline {measure.headline!r} is none of its values")
    reference(measure.citation)
    for declared in parameters_of(measure).values():
        declared.check(declared.default, owner=measure.name)


@cache
def _references() -> dict[str, str]:
    text = (Path(__file__).parent.parent / "references.bib").read_text(encoding="utf-8")
    entries = re.split(r"\n(?=@)", text.strip())
    return {entry.partition("{")[2].partition(",")[0].strip(): entry.strip() for entry in entries}


def reference(key: str) -> str:
    """Give the BibTeX entry of a citation key.

    Raises:
        UsageError: If ``references.bib`` has no such entry.
    """
    try:
        return _references()[key]
    except KeyError:
        raise UsageError(f"references.bib has no entry {key!r}.") from None
