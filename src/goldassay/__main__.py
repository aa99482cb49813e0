"""The command ``goldassay``, also as ``python -m goldassay``: exit codes and signals.

Heavy imports come after the signal handlers, so that Ctrl-C during an import is handled as usual.
"""

from __future__ import annotations

import os
import signal
import sys
import traceback
from contextlib import suppress
from types import FrameType
from typing import NoReturn

UNUSABLE, FAULT, INTERRUPTED = 2, 70, 130
ENDING = (signal.SIGINT, signal.SIGTERM)
AGAIN = [signal.SIGALRM] if hasattr(signal, "SIGALRM") else []
"""The signal that `_stop_later` sends, where the system has it."""


class Stopped(BaseException):
    """A signal ended the run. It is not caught by handlers of errors."""


def main() -> NoReturn:
    """Run the command line, and exit with its code.

    0: success. 1: a gate failed. 2: bad input or usage. 70: a bug in goldassay. 130: Ctrl-C. 143: SIGTERM.
    """
    received: list[int] = []

    def stop(number: int, _: FrameType | None) -> NoReturn:
        if number in ENDING:
            received.append(number)
            _silence_libraries()
        raise Stopped

    for number in (*ENDING, *AGAIN):
        signal.signal(number, stop)
    sys.unraisablehook = _stop_later
    if hasattr(signal, "SIGPIPE"):
        # When the reader of a pipe (head, less) closes it, end as every Unix tool does.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        code = _run()
    except BaseException as error:  # noqa: BLE001 - an interrupted import may end in any error
        code = 0 if received else _code_of(error)
    finally:
        # The run is over: a signal while the interpreter shuts down has nothing left to stop.
        for number in (*ENDING, *AGAIN):
            signal.signal(number, signal.SIG_IGN)
    if received:
        code = 128 + received[0]
    if code == INTERRUPTED:
        sys.stderr.write("goldassay: interrupted; no output file was changed, and encoded texts are kept\n")
    sys.exit(code)


def _silence_libraries() -> None:
    """Let what libraries write to standard error by themselves go nowhere: Rust tells of a panic where a signal ended it.

    What Python writes there still arrives.
    """
    own = sys.__stderr__
    if own is not None and sys.stderr is own:
        with suppress(OSError, ValueError):
            # It stays open until the process ends.
            sys.stderr = open(os.dup(2), "w", encoding=own.encoding, errors=own.errors, buffering=1)  # noqa: PTH123, SIM115
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


def _stop_later(unraisable: sys.UnraisableHookArgs) -> None:
    """Stop a moment later, if a signal came where nothing can be raised, such as while a lock of an import is freed."""
    if not isinstance(unraisable.exc_value, Stopped):
        sys.__unraisablehook__(unraisable)
    elif AGAIN:
        signal.setitimer(signal.ITIMER_REAL, 0.01)


def _run() -> int:
    from goldassay.cli import app

    app(prog_name="goldassay")
    return 0


def _code_of(error: BaseException) -> int:
    """Print what went wrong, and return the exit code for it."""
    from goldassay.core.errors import GoldassayError
    from goldassay.core.text import visible

    if isinstance(error, KeyboardInterrupt):
        # Spark handles Ctrl-C itself where it starts in this process, and raises this.
        return INTERRUPTED
    if isinstance(error, GoldassayError):
        sys.stderr.write(visible(f"goldassay: {error}\n"))
        return UNUSABLE
    if not _flushed() or (isinstance(error, OSError) and error.filename is None):
        sys.stderr.write("goldassay: Cannot write to standard output; it may be full or closed.\n")
        return UNUSABLE
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else 0 if error.code is None else UNUSABLE
    traceback.print_exception(error)
    sys.stderr.write(
        "goldassay: This is a bug in goldassay, not an error in your input.\n"
        "  try:      report the command, the lines above, and the files if you can\n"
    )
    return FAULT


def _flushed() -> bool:
    try:
        sys.stdout.flush()
    except OSError:
        # What is left in the buffer cannot be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return False
    return True


if __name__ == "__main__":
    main()
