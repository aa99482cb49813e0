"""A sandbox for workers, by bubblewrap: no network, no other process, and no file but those that scoring needs."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from os.path import exists
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from goldassay.core.errors import UsageError

if TYPE_CHECKING:
    from goldassay.challenges import Challenge

COMMAND = "bwrap"
SYSTEM = ("/usr", "/bin", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/localtime")
"""What programs need of a system; of /etc only what has no secrets."""
HANDED_DOWN = ("LANG", "LC_ALL", "LC_CTYPE", "TZ")
"""What a worker sees of the environment, besides what begins with one of `PREFIXES`: it may hold passwords."""
PREFIXES = ("GOLDASSAY_", "OMP_", "OPENBLAS_", "POLARS_", "PYTHON")
SCRATCH = 2**30
"""Bytes of temporary files, which are in memory."""
SIGNALLED = 128
"""A program that ended by a signal has this exit code and its number, as for a shell."""


class Access(NamedTuple):
    """The files of one worker.

    Attributes:
        readable: Files and folders that it may read.
        writable: Those that it may change.
    """

    readable: Sequence[Path]
    writable: Sequence[Path]


def wrap(command: Sequence[str], access: Access, environment: Mapping[str, str]) -> list[str]:
    """Return a command that runs another one in a sandbox."""
    named = {name: os.environ[name] for name in HANDED_DOWN if name in os.environ}
    named |= {name: value for name, value in os.environ.items() if name.startswith(PREFIXES)}
    named |= {"HOME": "/tmp", "TMPDIR": "/tmp", "PATH": "/usr/bin:/bin", **environment}  # noqa: S108 - its own
    return [
        *(COMMAND, "--unshare-all", "--die-with-parent", "--clearenv"),
        *_pairs("--setenv", named.items()),
        *("--proc", "/proc", "--dev", "/dev", "--size", str(SCRATCH), "--tmpfs", "/tmp"),  # noqa: S108 - its own
        *_pairs("--ro-bind", _each_twice([*SYSTEM, *_installation(), *access.readable])),
        *_pairs("--bind", _each_twice(access.writable)),
        *("--chdir", str(access.writable[0]), "--", *command),
    ]


def _installation() -> list[str]:
    """List where Python and its packages are."""
    return list(dict.fromkeys([sys.base_prefix, sys.prefix, *filter(None, sys.path)]))


def _each_twice(paths: Iterable[str | Path]) -> Iterable[tuple[str, str]]:
    return ((str(path), str(path)) for path in paths if exists(path))


def _pairs(flag: str, pairs: Iterable[tuple[str, str]]) -> list[str]:
    return [word for first, second in pairs for word in (flag, first, second)]


def exit_code(code: int) -> int:
    """Return the exit code of what ran in a sandbox: negative for a signal."""
    return SIGNALLED - code if code > SIGNALLED else code


def files_of(challenge: Challenge) -> list[Path]:
    """List what scoring reads: the folder of the challenge, gold, and files that options name."""
    named = [Path(value) for value in challenge.options.values() if isinstance(value, str) and exists(value)]
    encoder = [Path(challenge.encoder)] if exists(challenge.encoder) else []
    gold = [gold for phase in challenge.phases for gold in phase.gold]
    return [path.resolve() for path in (challenge.path, challenge.path.parent, *gold, *named, *encoder)]


def check(folder: Path) -> None:
    """Try the sandbox.

    Raises:
        UsageError: If it does not work here.
    """
    tried = wrap([sys.executable, "-c", ""], Access([], [folder]), {})
    try:
        done = subprocess.run(  # noqa: S603 - our own
            tried, capture_output=True, text=True, check=False, timeout=60
        )
    except OSError as error:
        found, hint = str(error), "install bubblewrap: apt-get install bubblewrap"
    else:
        if done.returncode == 0:
            return
        found = done.stderr.strip().partition("\n")[0]
        hint = "allow user namespaces (kernel.unprivileged_userns_clone=1), or run the server in a container"
    raise UsageError("The sandbox does not work.", found=found, hint=hint) from None
