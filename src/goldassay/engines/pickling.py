"""What is sent to workers of a cluster, as bytes."""

from __future__ import annotations

from typing import Any

from goldassay.core.errors import UsageError


def pickled(value: Any) -> bytes:
    """Pickle a value, functions of the calling program included."""
    from pyspark import cloudpickle

    pickling: Any = cloudpickle
    try:
        return bytes(pickling.dumps(value))
    except Exception as error:  # whatever an object of another library raises
        raise UsageError(
            "What is in memory cannot be sent to workers.",
            found=f"{type(error).__name__}: {error}"[:200],
            hint="write it to files that the workers see",
        ) from error
