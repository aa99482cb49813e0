"""The command in a process of its own, as people start it."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest


@pytest.fixture(scope="module")
def serving(tmp_path_factory):
    """Start ``goldassay serve``; gives the process, its address, and the folder for temporary files."""
    started = []

    def start(*arguments, cwd=None):
        scratch = tmp_path_factory.mktemp("scratch")
        process = subprocess.Popen(
            [sys.executable, "-m", "goldassay", "serve", *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=cwd,
            env={**os.environ, "TMPDIR": str(scratch)},
            start_new_session=True,
        )
        started.append(process)
        address = process.stdout.readline().strip()
        assert address.startswith("http"), process.communicate()[1]
        # The address is a moment before the server runs; until then a signal ends it as any program.
        with suppress(HTTPError):
            urlopen(address, timeout=300).close()  # noqa: S310 - our own
        return process, address, scratch

    yield start
    for process in started:
        # Nothing is left running: its workers, too.
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
