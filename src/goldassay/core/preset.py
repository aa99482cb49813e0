"""Presets: reading options and measures that give the number of another tool."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

from goldassay.core.errors import UsageError, unknown_choice_error
from goldassay.core.libraries import msgspec


@dataclass(frozen=True, kw_only=True)
class Example:
    """The smallest input on which the number of another tool is not the clean one."""

    pred: str
    gold: str
    suffix: str = ".tsv"  # the suffix of both files, which shows their format
    # the content of further files, by the option of the reader that names them
    files: Mapping[str, str] = field(default_factory=dict)
    clean: str
    preset: str  # the measure of the preset that differs
    value: str
    preset_value: str = ""  # its name in the measure of the preset; empty for the same
    numbers: tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class Preset:
    """What another tool computes, in our terms."""

    name: str
    tool: str  # the code whose number it gives
    versions: str
    measures: tuple[str, ...]
    reading: Mapping[str, bool | float | str | tuple[str, ...]] = field(default_factory=dict)
    needs: str = ""  # what the user has to name besides; empty for nothing
    differs: str  # what the tool does differently from the definitions
    example: Example


@cache
def presets_in(package: str, file: str = "presets.toml") -> tuple[Preset, ...]:
    """Read the presets of a family, a file of its package."""
    data = (resources.files(package) / file).read_bytes()
    return msgspec.toml.decode(data, type=dict[str, tuple[Preset, ...]])["presets"]


def preset_of(presets: Sequence[Preset], name: str, *, kind: str) -> Preset:
    """Find a preset by its name."""
    known = {preset.name: preset for preset in presets}
    if name not in known:
        raise unknown_choice_error(f"preset of {kind}", name, known)
    return known[name]


def read_as(preset: Preset, reading: Mapping[str, Any], *, measured: bool) -> dict[str, Any]:
    """Join the options of a preset with those that the user gives."""
    if measured:
        raise UsageError(
            f"The preset {preset.name} defines its measures.",
            found="other measures",
            expected=", ".join(preset.measures),
            hint="leave out the measures, or the preset",
        )
    for name, value in preset.reading.items():
        if reading.get(name, value) != value:
            raise UsageError(
                f"The preset {preset.name} sets {name} to {value!r}.",
                found=repr(reading[name]),
                expected=repr(value),
            )
    return {**preset.reading, **reading}
