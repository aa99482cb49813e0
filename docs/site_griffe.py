"""Let the site see the examples of docstrings: it knows only the plural of the heading."""

from __future__ import annotations

import re
from typing import Any

import griffe

HEADING = re.compile(r"^Example:$", re.MULTILINE)


class Examples(griffe.Extension):
    """Write the heading of examples as the site reads it."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change the docstring of one object."""
        if obj.docstring:
            obj.docstring.value = HEADING.sub("Examples:", obj.docstring.value)
