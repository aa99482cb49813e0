"""The command in a process of its own, as people start it."""

import os
import signal
import subprocess
import sys

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
        )
        started.append(process)
        address = process.stdout.readline().strip()
        assert address.startswith("http"), process.communicate()[1]
        return process, address, scratch

    yield start
    for process in started:
        process.send_signal(signal.SIGKILL)
        process.communicate()
