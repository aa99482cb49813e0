"""Large libraries, of which each is imported when one of its names is first used."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import msgspec
    import narwhals.stable.v2 as nw
    import polars as pl
    import pyoxigraph as ox

__all__ = ["msgspec", "nw", "ox", "pl"]


class _Library(ModuleType):
    """A library that is imported at its first use."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            # What looks at all modules, such as doctest, imports none.
            raise AttributeError(name)
        found = import_module(self.__name__)
        # A module as any other from now on, so that later uses cost no more than those of the library itself.
        vars(self).update(vars(found))
        self.__class__ = ModuleType  # type: ignore[assignment]
        return getattr(found, name)


if not TYPE_CHECKING:
    msgspec, nw, ox, pl = map(_Library, ("msgspec", "narwhals.stable.v2", "pyoxigraph", "polars"))
