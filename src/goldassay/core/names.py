"""Names of a package that are imported when they are first asked for, so that who needs one does not wait for the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any


def names_of(package: str, homes: Mapping[str, Iterable[str]]) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a package: its public names by the modules that have them, itself for its modules."""
    home_of = {name: home for home, names in homes.items() for name in names}

    def find(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home = home_of[name]
        return import_module(f"{package}.{name}") if home == package else getattr(import_module(home), name)

    return find
