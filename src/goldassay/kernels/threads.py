"""The threads of a kernel: as many as there are cores, each with a matrix product of its own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor


def workers() -> int:
    """Return how many threads a kernel starts: one a core, or as many as ``OMP_NUM_THREADS`` says."""
    asked = os.environ.get("OMP_NUM_THREADS", "")
    cores = os.cpu_count() or 1
    return min(cores, int(asked)) if asked.isascii() and asked.isdigit() and int(asked) else cores


@contextmanager
def pool() -> Iterator[ThreadPoolExecutor]:
    """Return a pool of threads, in each of which a matrix product takes one thread.

    A product shared by threads waits for the slowest of them, which on a busy machine took fifty times as long.
    """
    from concurrent.futures import ThreadPoolExecutor

    with limit_threads(), ThreadPoolExecutor(workers()) as threads:
        yield threads


@contextmanager
def limit_threads() -> Iterator[None]:
    """Limit matrix products to one thread each."""
    with _blas().limit(limits=1, user_api="blas"):
        yield


@cache
def _blas() -> Any:
    """Find the linear algebra libraries of this process: once, since it takes milliseconds."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
