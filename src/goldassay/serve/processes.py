"""Processes that are watched: for time and for memory, and that end with whoever started them."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal, NamedTuple

TAIL = 16_000
"""Bytes of what a process says that are kept: the last ones."""
BETWEEN_LOOKS = 0.05


class ProcessResult(NamedTuple):
    """How a process ended.

    Attributes:
        code: Its exit code; negative for a signal.
        over: The limit that it was killed for; empty if for none.
        stderr: The end of what it wrote to standard error.
    """

    code: int
    over: Literal["", "time", "memory"]
    stderr: str


async def run_watched(
    arguments: Sequence[str],
    *,
    folder: Path,
    environment: Mapping[str, str],
    seconds: float = float("inf"),
    megabytes: float = float("inf"),
) -> ProcessResult:
    """Run a module of Python, and kill it if it takes too much; it is killed, too, if this is cancelled."""
    # -P: modules come from the installation, never from the folder, which holds files of strangers.
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", *arguments),
        cwd=folder,
        env={**os.environ, **environment},
        stdin=PIPE,
        stdout=DEVNULL,
        stderr=PIPE,
        start_new_session=True,
    )
    saying = asyncio.ensure_future(_tail(process))
    try:
        over = await _watch(process, seconds, megabytes)
    finally:
        # All that it started ends with it.
        _kill(process)
        code, stderr = await asyncio.gather(process.wait(), saying)
    return ProcessResult(code, over, stderr.decode(errors="replace"))


async def _watch(process: Process, seconds: float, megabytes: float) -> Literal["", "time", "memory"]:
    end = time.monotonic() + seconds
    ended = asyncio.ensure_future(process.wait())
    while True:
        done, _ = await asyncio.wait({ended}, timeout=BETWEEN_LOOKS)
        if done:
            return ""
        if time.monotonic() > end:
            return "time"
        if _resident(process.pid) > megabytes * 2**20:
            return "memory"


def _resident(pid: int) -> int:
    """Return the bytes of memory that a process holds; 0 where the system does not report it."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    except (OSError, IndexError, ValueError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def _kill(process: Process) -> None:
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        elif process.returncode is None:
            process.kill()


async def _tail(process: Process) -> bytes:
    kept = b""
    while process.stderr is not None and (more := await process.stderr.read(TAIL)):
        kept = (kept + more)[-TAIL:]
    return kept
