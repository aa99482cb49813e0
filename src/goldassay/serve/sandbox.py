"""A sandbox for workers, by bubblewrap or a container: no network, no other process, and no file but those that scoring needs."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from os.path import exists
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from goldassay.core.errors import UsageError
from goldassay.core.version import __version__

if TYPE_CHECKING:
    from goldassay.challenges import Challenge

SYSTEM = ("/usr", "/bin", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/localtime")
"""What programs need of a system; of /etc only what has no secrets."""
HANDED_DOWN = ("LANG", "LC_ALL", "LC_CTYPE", "TZ")
"""What a worker sees of the environment, besides what begins with one of `PREFIXES`: it may hold passwords."""
PREFIXES = ("GOLDASSAY_", "OMP_", "OPENBLAS_", "POLARS_")
SCRATCH = 2**30
"""Bytes of temporary files, which are in memory."""
SIGNALLED = 128
"""A program that ended by a signal has this exit code and its number, as for a shell."""
PROCESSES = 256
IMAGE = "goldassay"
VERSION = "import goldassay.core.version as found; print(found.__version__)"


class Program(NamedTuple):
    """A program that runs another one in a sandbox, as the words of its command line."""

    begin: tuple[str, ...]  # the first words
    variable: tuple[str, ...]  # those that set a variable of the environment
    readable: tuple[str, ...]  # those that show a file or a folder
    writable: tuple[str, ...]  # those that show a folder that may be changed
    folder: tuple[str, ...]  # those that choose the folder in which it runs
    end: tuple[str, ...]  # the last words before those of the other program
    hint: str  # what to do where it does not work


MOUNT = "type=bind,source={path},target={path}"
BUBBLEWRAP = Program(
    begin=(
        *("bwrap", "--unshare-all", "--die-with-parent", "--clearenv"),
        *("--proc", "/proc", "--dev", "/dev", "--size", "{scratch}", "--tmpfs", "/tmp"),  # noqa: S108 - its own
    ),
    variable=("--setenv", "{name}", "{value}"),
    readable=("--ro-bind", "{path}", "{path}"),
    writable=("--bind", "{path}", "{path}"),
    folder=("--chdir", "{path}"),
    end=("--",),
    hint="install bubblewrap (apt-get install bubblewrap) and allow user namespaces (kernel.unprivileged_userns_clone=1), or take a container",
)
DOCKER = Program(
    begin=(
        # With a first process of its own, since a limit of processor time does not end the first one.
        *("docker", "run", "--rm", "--interactive", "--init", "--pull", "never", "--network", "none", "--read-only"),
        *("--cap-drop", "all", "--security-opt", "no-new-privileges", "--tmpfs", "/tmp:rw,size={scratch}"),  # noqa: S108 - its own
        *("--pids-limit", "{processes}", "--memory", "{megabytes}m", "--memory-swap", "{megabytes}m"),
        *("--ulimit", "cpu={seconds}:{killed}", "--user", "{user}"),
    ),
    variable=("--env", "{name}={value}"),
    readable=("--mount", f"{MOUNT},readonly"),
    writable=("--mount", MOUNT),
    folder=("--workdir", "{path}"),
    end=("--entrypoint", "python", "{image}"),
    hint="start the service, and make an image with this version of goldassay: docker build -t goldassay .",
)
PROGRAMS: Mapping[str, Program] = {
    "bubblewrap": BUBBLEWRAP,
    "docker": DOCKER,
    "podman": DOCKER._replace(
        # The files of the server are its own inside, too.
        begin=("podman", *DOCKER.begin[1:], "--userns", "{namespace}", "--security-opt", "label=disable"),
        hint="make an image with this version of goldassay: podman build -t goldassay .",
    ),
}


class Sandbox(NamedTuple):
    """Which program makes a sandbox, and of which image, if it has images."""

    kind: str
    image: str = IMAGE


class Access(NamedTuple):
    """The files of one worker in a sandbox."""

    sandbox: Sandbox
    readable: Sequence[Path]  # files and folders that it may read
    writable: Sequence[Path]  # those that it may change; it runs in the first one


def wrap(
    command: Sequence[str],
    access: Access,
    environment: Mapping[str, str],
    *,
    seconds: float = math.inf,
    megabytes: float = math.inf,
) -> list[str]:
    """Return a command that runs Python in a sandbox; limits are those of a container, which nothing outside of it can watch."""
    own = access.sandbox.kind == "bubblewrap"
    program = PROGRAMS[access.sandbox.kind]
    root = os.geteuid() == 0
    facts = {
        "scratch": SCRATCH,
        "processes": PROCESSES,
        "image": access.sandbox.image,
        "seconds": math.ceil(min(seconds, 10**6)),
        "killed": math.ceil(min(seconds, 10**6)) + 5,
        "megabytes": math.ceil(min(megabytes, 10**6)),
        "user": f"{os.geteuid()}:{os.getegid()}",
        "namespace": "host" if root else "keep-id",
    }
    named = {name: os.environ[name] for name in HANDED_DOWN if name in os.environ}
    prefixes = (*PREFIXES, "PYTHON") if own else PREFIXES
    named |= {name: value for name, value in os.environ.items() if name.startswith(prefixes)}
    named |= {"HOME": "/tmp", "TMPDIR": "/tmp", **({"PATH": "/usr/bin:/bin"} if own else {}), **environment}  # noqa: S108 - its own
    seen = [*(map(Path, [*SYSTEM, *_installation()]) if own else ()), *access.readable]
    return [
        *_filled(program.begin, facts),
        *(word for name, value in named.items() for word in _filled(program.variable, {"name": name, "value": value})),
        *(word for path in seen if exists(path) for word in _filled(program.readable, {"path": path})),
        *(word for path in access.writable for word in _filled(program.writable, {"path": path})),
        *_filled(program.folder, {"path": access.writable[0]}),
        *_filled(program.end, facts),
        # An image has a Python of its own.
        *(command if own else command[1:]),
    ]


def _filled(words: Iterable[str], values: Mapping[str, Any]) -> list[str]:
    return [word.format_map(values) for word in words]


def _installation() -> list[str]:
    """List where Python and its packages are."""
    return list(dict.fromkeys([sys.base_prefix, sys.prefix, *filter(None, sys.path)]))


def exit_code(code: int) -> int:
    """Return the exit code of what ran in a sandbox: negative for a signal."""
    return SIGNALLED - code if code > SIGNALLED else code


def files_of(challenge: Challenge) -> list[Path]:
    """List what scoring reads: the folder of the challenge, gold, and files that options name."""
    named = [Path(value) for value in challenge.options.values() if isinstance(value, str) and exists(value)]
    encoder = [Path(challenge.encoder)] if exists(challenge.encoder) else []
    gold = [gold for phase in challenge.phases for gold in phase.gold]
    return [path.resolve() for path in (challenge.path, challenge.path.parent, *gold, *named, *encoder)]


def check(sandbox: Sandbox, folder: Path) -> None:
    """Try the sandbox, and see that it scores with this version.

    Raises:
        UsageError: If it does not work here.
    """
    tried = wrap([sys.executable, "-P", "-c", VERSION], Access(sandbox, [], [folder]), {})
    try:
        done = subprocess.run(  # noqa: S603 - our own
            tried, capture_output=True, text=True, check=False, timeout=60, stdin=subprocess.DEVNULL
        )
        found = done.stdout.strip() if done.returncode == 0 else done.stderr.strip().partition("\n")[0]
    except (OSError, subprocess.TimeoutExpired) as error:
        found = str(error)
    if found != __version__:
        raise UsageError(
            "The sandbox does not work.", found=found, expected=__version__, hint=PROGRAMS[sandbox.kind].hint
        ) from None
