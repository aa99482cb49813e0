"""Processes that are watched: for time and for memory, and that end with whoever started them."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from goldassay.serve.sandbox import Access, exit_code, wrap

TAIL = 16_000
"""Bytes of what a process says that are kept: the last ones."""
BETWEEN_LOOKS = 0.05
PATIENCE = 10
"""How much longer by the clock than by the processor a process may take: others may keep the machine busy."""
TICK = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


Over: TypeAlias = Literal["", "time", "memory", "clock"]


class ProcessResult(NamedTuple):
    """How a process ended."""

    code: int  # its exit code; negative for a signal
    # the limit that it was killed for: its processor time, its memory, or the time by the clock; empty if for none
    over: Over
    stderr: str  # the end of what it wrote to standard error


async def run_watched(
    arguments: Sequence[str],
    *,
    folder: Path,
    environment: Mapping[str, str],
    seconds: float = float("inf"),
    megabytes: float = float("inf"),
    access: Access | None = None,
) -> ProcessResult:
    """Run a module of Python, and kill it if it takes too much; it is killed, too, if this is cancelled."""
    # -P: modules come from the installation, never from the folder, which holds files of strangers.
    command = [sys.executable, "-P", "-m", *arguments]
    if access is not None:
        command = wrap(command, access, environment, seconds=seconds, megabytes=megabytes)
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=folder,
        env={**os.environ, **_path_of_modules(), **environment},
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
    code = code if access is None else exit_code(code)
    if access is not None and code == -signal.SIGXCPU:
        over = "time"
    return ProcessResult(code, over, stderr.decode(errors="replace"))


def _path_of_modules() -> dict[str, str]:
    """Read empty and relative parts from here: a process would read them from its folder, which holds files of strangers."""
    parts = os.environ.get("PYTHONPATH")
    return {"PYTHONPATH": os.pathsep.join(map(os.path.abspath, parts.split(os.pathsep)))} if parts else {}


async def _watch(process: Process, seconds: float, megabytes: float) -> Over:
    end = time.monotonic() + PATIENCE * seconds
    ended = asyncio.ensure_future(process.wait())
    while True:
        done, _ = await asyncio.wait({ended}, timeout=BETWEEN_LOOKS)
        if done:
            return ""
        if time.monotonic() > end:
            return "clock"
        used = [_usage(pid) for pid in _tree(process.pid)]
        if sum(took for took, _ in used) > seconds:
            return "time"
        if sum(held for _, held in used) > megabytes * 2**20:
            return "memory"


def _tree(pid: int) -> Iterator[int]:
    """List a process and all that it started, as far as the system says."""
    yield pid
    with suppress(OSError, ValueError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text(encoding="ascii").split():
                yield from _tree(int(child))


def _usage(pid: int) -> tuple[float, int]:
    """Return the processor time of a process and of its children that have ended, and the bytes that it holds; 0 where the system does not say."""
    try:
        # The name of the process comes before these, in brackets, and may have any character.
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
        times, pages = sum(map(int, fields[11:15])), int(fields[21])
    except (OSError, IndexError, ValueError):
        return 0.0, 0
    return times / TICK, pages * os.sysconf("SC_PAGE_SIZE")


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
