"""The shape in which scores are saved, as types: by them scores are written, read, and described by a JSON schema."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Mapping
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeAlias, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec import inspect as types
from numpy import ndarray

from goldassay.core.combination import Rule
from goldassay.core.counts import format_sum
from goldassay.core.matching import SideName
from goldassay.core.significance import Method

ShapeT = TypeVar("ShapeT", bound="Shape")


class Shape(Struct, frozen=True):
    """What is saved of an object: a field has the value of its attribute, or what `FROM` makes of the object.

    A field with a default is left out where it says nothing. Fields that a later version adds are passed by.
    """

    FROM: ClassVar[Mapping[str, Callable[[Any], Any]]] = {}  # how to find what is no attribute of the same name
    WITH: ClassVar[Mapping[str, str]] = {}  # fields that are written, even if they say nothing, where another one is


def write_shape(value: Any, shape: Any) -> dict[str, Any]:
    """Write an object, or a dictionary of its fields, in a shape or as a dataclass; what is not a number is None."""
    if isinstance(value, Mapping):
        return {**value, **{name: _to_plain(value[name], kind) for name, kind, _ in _fields(shape) if name in value}}
    made, given_with = getattr(shape, "FROM", {}), getattr(shape, "WITH", {})
    fields: dict[str, Any] = {}
    for name, kind, required in _fields(shape):
        found = made[name](value) if name in made else getattr(value, name)
        if required or _says_something(found) or given_with.get(name) in fields:
            fields[name] = _to_plain(found, kind)
    return fields


@cache
def _fields(shape: Any) -> list[tuple[str, Any, bool]]:
    found: Any = types.type_info(shape)
    return [(field.name, field.type, field.required) for field in found.fields]


def _says_something(value: Any) -> bool:
    return value is not None and (not hasattr(value, "__len__") or len(value) > 0)


def _to_plain(value: Any, kind: Any) -> Any:
    """Write a value as its type says."""
    while isinstance(kind, types.Metadata | types.UnionType):
        kind = kind.type if isinstance(kind, types.Metadata) else kind.types[0]
    found = value
    match kind:
        case _ if value is None:
            pass
        case types.StructType() | types.DataclassType():
            found = write_shape(value, kind.cls)
        case types.DictType():
            found = {name: _to_plain(one, kind.value_type) for name, one in value.items()}
        case types.TupleType():
            found = [_to_plain(end, kind.item_types[0]) for end in (value.low, value.high)]
        case types.VarTupleType() if isinstance(value, ndarray) and value.dtype.kind == "f":
            found = [format_sum(one) if math.isfinite(one) else None for one in value.tolist()]
        case types.VarTupleType():
            found = [_to_plain(one, kind.item_type) for one in value]
        case types.StrType():
            found = str(value)
        case _ if isinstance(value, float) and not math.isfinite(value):
            found = None
    return found


def read_saved(value: Any, shape: type[ShapeT]) -> ShapeT:
    """Read what was written in a shape; null is nan where a number should be."""
    return msgspec.convert(value, shape, dec_hook=lambda _, number: math.nan if number is None else number)


def schema_of(shape: type[Shape], **about: str) -> dict[str, Any]:
    """Return the JSON schema of a shape."""
    (found,), parts = msgspec.json.schema_components(
        [shape], ref_template="#/$defs/{name}", schema_hook=lambda kind: SCHEMAS[kind]
    )
    whole = parts.pop(found["$ref"].rpartition("/")[2])
    return {**about, **whole, "$defs": parts}


if TYPE_CHECKING:
    Number: TypeAlias = float
    Value: TypeAlias = float
else:
    Number, Value = numbers.Number, numbers.Real
SCHEMAS: Mapping[type, dict[str, Any]] = {
    numbers.Number: {"type": "number"},
    numbers.Real: {"type": ["number", "null"], "description": "Unrounded; null is what is not a number."},
}
"""Whole numbers stay whole, which msgspec would not keep; and null is read as nan."""
Values: TypeAlias = dict[str, Value]
Ends: TypeAlias = tuple[Value, Value]
Size: TypeAlias = Annotated[int, Meta(ge=0)]


class SavedResampling(Shape, frozen=True):
    """How intervals were drawn."""

    resamples: Annotated[int, Meta(ge=100)]
    level: Annotated[float, Meta(gt=0, lt=1)]
    method: Method
    seed: Size


class SavedUnits(Shape, frozen=True):
    """The counts split over what is resampled: what comparing saved reports needs."""

    name: str
    keys: tuple[str, ...]
    counts: dict[str, tuple[Value, ...]]


class SavedChance(Shape, frozen=True):
    """What the values would be by chance."""

    FROM: ClassVar = {name: attrgetter(f"drawn.{name}") for name in ("null", "draws", "seed")}
    null: Annotated[str, Meta(description="The null model.")]
    draws: Annotated[int, Meta(ge=1)]
    seed: Size
    exact: Annotated[bool, Meta(description="Whether expected and sd are from a closed form.")]
    expected: Values
    sd: Values
    percentile: Values
    adjusted: Annotated[Values, Meta(description="(s - expected) / (best - expected); null where chance is perfect.")]


class SavedCombination(Shape, frozen=True):
    """By which rule several gold standards gave the score, and what each scores against the others, on average."""

    rule: Rule
    sizes: Annotated[tuple[Size, ...], Meta(min_length=2)]
    mixed: Annotated[
        bool, Meta(description="Whether the counts are of several gold standards, and --explain is of one.")
    ]
    ceiling: Annotated[Values, Meta(description="Empty where the measure cannot take a gold for a prediction.")]


class SavedGroup(Shape, frozen=True):
    """One group of a score. The counts of all groups add up to those of the score."""

    group: str
    values: Annotated[Values, Meta(description="Null where 0/0.")]
    counts: dict[str, Number]
    intervals: dict[str, Ends]
    sd: Annotated[Values, Meta(description="Of repeated runs, whose means are the values and counts.")] = {}


class SavedBreakdown(Shape, frozen=True):
    """A score split into groups."""

    FROM: ClassVar = {"groups": lambda breakdown: list(breakdown.rows())}
    by: Annotated[str, Meta(description="What makes a group, for example depth.")]
    groups: tuple[SavedGroup, ...]


def sizes_kept(score: Any) -> Mapping[str, int]:
    """Return how many items of each side were counted, where it is kept how many of them are errors."""
    return dict(zip(score.matching.error_counts, score.matching.sizes, strict=False))


class SavedScore(Shape, frozen=True):
    """One measure of one prediction."""

    FROM: ClassVar = {"measure": attrgetter("spec"), "errors": attrgetter("matching.error_counts"), "sizes": sizes_kept}
    WITH: ClassVar = {"intervals": "resampling", "units": "resampling"}
    measure: Annotated[str, Meta(description="The spec, for example fuzzy(threshold=0.436).")]
    name: str
    headline: Annotated[str, Meta(description="The value that stands for the score where there is room for one.")]
    values: Values
    counts: Values
    undefined: Annotated[tuple[str, ...], Meta(description="The values that were 0/0.")]
    higher_is_better: bool
    signature: str
    resampling: SavedResampling | UnsetType = UNSET
    intervals: dict[str, Ends] = {}
    units: SavedUnits | None = None
    errors: Annotated[
        dict[SideName, dict[str, Size]],
        Meta(
            description="Errors by kind, on either side; empty where errors have no kinds, or there are too many items."
        ),
    ] = {}
    sizes: Annotated[
        dict[SideName, Size],
        Meta(description="How many items were counted on each side, where there are errors by kind."),
    ] = {}
    chance: SavedChance | UnsetType = UNSET
    combined: SavedCombination | UnsetType = UNSET
    bounds: Annotated[
        dict[str, Ends], Meta(description="If all unjudged items were wrong, and if all were right.")
    ] = {}
    breakdowns: tuple[SavedBreakdown, ...] = ()
