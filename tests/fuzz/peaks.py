"""The most memory that a process has while it reads files: a program of its own, so that little else is loaded.

``python -m tests.fuzz.peaks KIND FILES OPTIONS``, or ``KIND FOLDER SIZES`` for files of one line; the last two are JSON.
"""

import ctypes
import gc
import json
import sys
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any

import goldassay

LINES = ("word ", "a,", "agt(a,b)", "[a]", '{"a":"b"},', "<a>", "\u7cd6", "- a")
"""What a file of one line repeats."""
ENDINGS = (".csv", ".json", ".jsonl", ".txt", ".unl", ".ttl", ".rdf", ".ofn", ".obo")


def peak() -> int:
    """Return the most memory that this process has had, in bytes."""
    status = Path("/proc/self/status").read_text()
    return 1024 * int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1])


def read(kind: str, files: list[str], options: dict[str, Any]) -> list[int]:
    """Read files, and return the peak after each."""
    peaks = []
    for file in files:
        goldassay.read(file, kind=kind, **options)
        peaks.append(peak())
    return peaks


def read_lines(kind: str, folder: str, sizes: list[int]) -> list[int]:
    """Read or refuse files of one line, all of them with so many bytes, and return the peak after each size."""
    peaks = []
    for size in sizes:
        for text in LINES:
            for ending in ENDINGS:
                path = Path(folder, f"line{ending}")
                path.write_text(text * (size // len(text.encode())), encoding="utf-8")
                # What was read before must not be in the way of what is read next.
                gc.collect()
                ctypes.CDLL(None).malloc_trim(0)
                with suppress(goldassay.core.errors.GoldassayError):
                    goldassay.read(path, kind=kind)
        peaks.append(peak())
    return peaks


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    kind, given, more = sys.argv[1], *map(json.loads, sys.argv[2:])
    sys.stdout.write(json.dumps((read if isinstance(given, list) else read_lines)(kind, given, more)))
