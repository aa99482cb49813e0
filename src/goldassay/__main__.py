"""The command ``goldassay``, also as ``python -m goldassay``: exit codes and signals.

Heavy imports come after the signal handlers, so that Ctrl-C during an import is handled as usual.
"""

from __future__ import annotations

import atexit
import errno
import gc
import os
import signal
import sys
import traceback
from contextlib import suppress
from functools import partial
from types import FrameType
from typing import NoReturn

UNUSABLE, FAULT, MACHINE, INTERRUPTED = 2, 70, 71, 130
ENDING = (signal.SIGINT, signal.SIGTERM)
AGAIN = [signal.SIGALRM] if hasattr(signal, "SIGALRM") else []
"""The signal that ends the run where a library caught what the first one raised, where the system has it."""
MOMENT = 0.5
"""Seconds until it comes, and comes again."""
LACKS = {
    errno.ENOMEM: ("too little memory", "smaller files, --engine duckdb, or another machine"),
    errno.EMFILE: ("too few open files allowed for a process", "ulimit -n 1024"),
    errno.ENFILE: ("too few open files allowed in all", "ending other programs"),
    errno.ENOSPC: ("no space on the disk of temporary files", "TMPDIR=FOLDER, a folder on another disk"),
    errno.EDQUOT: ("no space left of what you may use", "TMPDIR=FOLDER, a folder on another disk"),
    errno.EAGAIN: ("too few processes or threads allowed", "ulimit -u unlimited"),
}
"""What the machine lacks and what to try, by the number of the system's error."""
GONE = ("the current folder no longer exists", "cd to another folder")
"""The same where the system finds nothing, but no file was named."""
LEAST = (("RLIMIT_NOFILE", 8, errno.EMFILE), ("RLIMIT_AS", 2**30, errno.ENOMEM), ("RLIMIT_DATA", 2**28, errno.ENOMEM))
"""The limits of a process below which libraries end it while they are imported, with the error that each means (measured)."""
PRINTS = ("echo", "print", "_write_buffer")
"""Functions that write on standard output: click's and rich's."""
ABORTS = ("SIGABRT", "SIGSEGV", "SIGBUS", "SIGILL", "SIGTRAP")
"""Signals that end a process when a library is refused memory."""
KEPT = 200_000
"""Objects that are made between two looks for garbage: a start makes 150,000, nearly all of which stay (docs/decisions/0133)."""
PATIENCE = 1.0
"""After so many seconds Ctrl-C is passed on to a child process that did not get it from the terminal."""


WAITED = [getattr(signal, name) for name in ("SIGCHLD", "SIGALRM", "SIGINT", "SIGTERM") if hasattr(signal, name)]
"""What the parent of a run where memory is limited waits for."""


class Stopped(BaseException):
    """A signal ended the run. It is not caught by handlers of errors."""


def main() -> NoReturn:
    """Run the command line, and exit with its code."""
    # 0: success. 1: a gate failed. 2: bad input or usage. 70: a bug in goldassay. 71: the machine has too little
    # memory, disk or open files. 130: Ctrl-C. 143: SIGTERM.
    _open_closed_streams()
    _explain_aborts()
    gc.set_threshold(KEPT)
    atexit.register(gc.freeze)  # the end of the process frees its memory without a look at each object
    received: list[int] = []
    over: list[bool] = []
    try:
        for number in (*ENDING, *AGAIN):
            signal.signal(number, partial(_stop, received, over))
        code = _run_and_report(received)
        over.append(True)
    except Stopped:
        over.append(True)
        code = 0
    # A signal while the interpreter shuts down has nothing left to stop.
    for number in (*ENDING, *AGAIN):
        signal.signal(number, signal.SIG_IGN)
    _stop_again(0)
    if received:
        code = 128 + received[0]
    if code == INTERRUPTED:
        _tell("goldassay: interrupted; no output file was changed, and encoded texts are kept\n")
    sys.exit(code)


def _open_closed_streams() -> None:
    """Open the standard streams that the caller closed: a file that is opened would get their numbers."""
    # What is printed on standard output then fails, as on a full disk; messages go nowhere. What an encoding does not
    # have is written as an escape.
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            with suppress(OSError):
                os.open(os.devnull, os.O_WRONLY if name == "stderr" else os.O_RDONLY)
            mode = "r" if name == "stdin" else "w"
            setattr(sys, name, open(number, mode, encoding="utf-8", errors="backslashreplace"))  # noqa: PTH123, SIM115
        elif name == "stdout" and hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(errors="backslashreplace")


def _explain_aborts() -> None:
    """Run in a child process where memory is limited: many libraries abort when they get none, and only a parent can explain it."""
    if not hasattr(os, "fork") or not _memory_is_limited() or _has_threads():
        return
    # Signals are waited for, and not handled: one that came just before a call of waitpid would be handled only after it.
    usual = signal.signal(signal.SIGCHLD, lambda *_: None)
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, WAITED)
    child = os.fork()
    if not child:
        signal.signal(signal.SIGCHLD, usual)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        return
    code = _wait(child)
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    if code < 0 and signal.Signals(-code).name in ABORTS:
        _write_lack(LACKS[errno.ENOMEM])
        code = MACHINE
    if code < 0:
        with suppress(OSError):  # SIGKILL has no handler
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    sys.stderr.flush()
    os._exit(code)


def _wait(child: int) -> int:
    """Wait for the end of a child process, pass signals on to it, and return its exit code."""
    while True:
        number = signal.sigwait(WAITED)
        if number == signal.SIGCHLD:
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                return os.waitstatus_to_exitcode(status)
        elif number == signal.SIGINT:
            signal.setitimer(signal.ITIMER_REAL, PATIENCE)
        else:
            os.kill(child, signal.SIGINT if number == signal.SIGALRM else number)


def _has_threads() -> bool:
    """Return whether libraries have started threads: a process that has some, where a program calls `main`, cannot be forked safely."""
    with suppress(OSError):  # not on every system
        return len(os.listdir("/proc/self/task")) > 1  # noqa: PTH208 - pathlib is imported after the handlers of signals
    return "polars" in sys.modules


def _memory_is_limited() -> bool:
    with suppress(ImportError):  # not on every system
        import resource

        return any(
            resource.getrlimit(getattr(resource, name))[0] >= 0 for name, _, number in LEAST if number == errno.ENOMEM
        )
    return False


def _check_limits() -> None:
    """Raise what the machine lacks, if less is allowed than is needed to begin."""
    with suppress(ImportError):  # not on every system
        import resource

        for name, least, number in LEAST:
            if 0 <= resource.getrlimit(getattr(resource, name))[0] < least:
                raise OSError(number, os.strerror(number))


def _silence_libraries() -> None:
    """Discard library output on standard error: Rust reports a panic where a signal ended it."""
    # What Python writes there still arrives.
    own = sys.__stderr__
    if own is not None and sys.stderr is own:
        with suppress(OSError, ValueError):
            # It stays open until the process ends.
            sys.stderr = open(os.dup(2), "w", encoding=own.encoding, errors=own.errors, buffering=1)  # noqa: PTH123, SIM115
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


def _run_and_report(received: list[int]) -> int:
    """Run the command line, print what went wrong unless a signal ended it, and return the exit code."""
    sys.unraisablehook = _report_unraisable
    if hasattr(signal, "SIGPIPE"):
        # When the reader of a pipe (head, less) closes it, end as every Unix tool does.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        _check_limits()
        return _run()
    except BaseException as error:  # noqa: BLE001 - an interrupted import may end in any error
        return 0 if received else _code_of(error)


def _stop(received: list[int], over: list[bool], number: int, _: FrameType | None) -> None:
    """Handle a signal: note it and end the run, now and, where a library catches what is raised, a moment later."""
    if over:
        return
    if number in ENDING or not received:
        received.append(number)
        _silence_libraries()
    _stop_again(MOMENT)
    if number in ENDING or not _is_ending():
        raise Stopped


def _stop_again(seconds: float) -> None:
    """Send the second signal after some seconds; none, if these are 0."""
    if AGAIN:
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _is_ending() -> bool:
    """Return whether the run is being ended: what is cleaned up meanwhile is not disturbed."""
    error = sys.exc_info()[1]
    while error is not None and not isinstance(error, Stopped):
        error = error.__context__
    return error is not None


def _report_unraisable(unraisable: sys.UnraisableHookArgs) -> None:
    """Report what cannot be raised, unless it is a signal, which comes again."""
    if not isinstance(unraisable.exc_value, Stopped):
        sys.__unraisablehook__(unraisable)


def _run() -> int:
    from goldassay.cli import app

    app(prog_name="goldassay")
    return 0


def _code_of(error: BaseException) -> int:
    """Print what went wrong, and return the exit code for it."""
    from goldassay.core.errors import GoldassayError, InputError, OutputError
    from goldassay.core.text import visible

    if isinstance(error, KeyboardInterrupt):
        # Spark handles Ctrl-C itself where it starts in this process, and raises this.
        return INTERRUPTED
    refused = error if isinstance(error, OSError) and not isinstance(error, GoldassayError) else None
    if not _flush() or (refused is not None and _is_of_printing(refused)):
        _tell("goldassay: Cannot write to standard output; it may be full or closed.\n")
        return UNUSABLE
    lack = _lack_of(error)
    if lack is None and refused is not None and refused.filename is None:
        other = (f"the system refuses something: {refused}", "again, or on another machine")
        lack = GONE if refused.errno == errno.ENOENT else other
    if lack and not isinstance(error, OutputError):
        _write_lack(lack)
        return MACHINE
    if refused is not None and refused.filename is not None:
        # The system refuses a file that a command names: it is too long a name, or may not be read.
        error = InputError("The file cannot be opened.", path=refused.filename, found=refused.strerror)
    if isinstance(error, GoldassayError):
        _tell(visible(f"goldassay: {error}\n"))
        return UNUSABLE
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else 0 if error.code is None else UNUSABLE
    _tell("".join(traceback.format_exception(error)))
    _tell(
        "goldassay: This is a bug in goldassay, not an error in your input.\n"
        "  try:      report the command, the lines above, and the files if you can\n"
    )
    return FAULT


def _tell(text: str) -> None:
    """Write a message on standard error; nowhere, if that is full or closed."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


def _write_lack(lack: tuple[str, str]) -> None:
    _tell(f"goldassay: This machine cannot do this run.\n  found:    {lack[0]}\n  try:      {lack[1]}\n")


def _lack_of(error: BaseException | None) -> tuple[str, str] | None:
    """Return what the machine lacks and what to try, if that is the cause of an error."""
    from goldassay.core.errors import GoldassayError

    while error is not None:
        if isinstance(error, MemoryError):
            return LACKS[errno.ENOMEM]
        if isinstance(error, OSError) and error.errno in LACKS:
            return LACKS[error.errno]
        if isinstance(error, RuntimeError) and "start new thread" in str(error):
            return LACKS[errno.EAGAIN]
        error = error.__cause__ if isinstance(error, GoldassayError) else error.__cause__ or error.__context__
    return None


def _is_of_printing(error: OSError) -> bool:
    """Return whether an error without the name of a file is one of standard output."""
    return error.filename is None and any(frame.name in PRINTS for frame in traceback.extract_tb(error.__traceback__))


def _flush() -> bool:
    try:
        sys.stdout.flush()
    except OSError:
        # What is left in the buffer cannot be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return False
    return True


if __name__ == "__main__":
    main()
