"""Signals of a process that runs commands in itself."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager

HANDLED = (signal.SIGINT, signal.SIGTERM, signal.SIGPIPE, signal.SIGALRM)


@contextmanager
def kept() -> Iterator[None]:
    """Restore what a command does with signals: it ignores them once it ends, and so would all processes that a test starts later."""
    before = {number: signal.getsignal(number) for number in HANDLED}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
