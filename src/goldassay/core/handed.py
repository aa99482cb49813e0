"""What a lower layer needs of a higher one, which is handed down when goldassay is imported: nothing here looks up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

reader: Callable[..., dict[str, Any]]
"""Reads a gold standard and a prediction, given both, their ``kind`` and options of its reader, as ``gold`` and ``pred``."""
