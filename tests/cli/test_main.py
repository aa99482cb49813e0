"""Exit codes: what ends a run early, and how a program can show."""

import errno
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests import signals
from tests.cli.pairs import called

from goldassay import __main__ as command
from goldassay.core.errors import InputError


def run_until_imports(files, *arguments):
    """Start a run, and wait until it has begun to import what it needs."""
    process = subprocess.Popen(
        [sys.executable, "-m", "goldassay", "taxonomy", "good.csv", "-g", "gold.csv", "--no-cache", *arguments],
        cwd=files, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
    )  # fmt: skip
    maps = Path(f"/proc/{process.pid}/maps")
    deadline = time.monotonic() + 300
    while "numpy" not in maps.read_text() and time.monotonic() < deadline:
        time.sleep(0.001)
    return process


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="only Linux shows what a process has loaded")
def test_a_signal_during_imports_ends_the_run_without_a_traceback(files):
    run_until_imports(files, "--encoder", "minilm", "--explain", "out.csv").communicate(timeout=300)
    whole = (files / "out.csv").read_bytes()
    (files / "out.csv").unlink()
    before = sorted(files.rglob("*"))
    for delay, number, code in ((7, signal.SIGINT, 130), (60, signal.SIGTERM, 143), (240, signal.SIGINT, 130)):
        process = run_until_imports(files, "--encoder", "minilm", "--explain", "out.csv")
        time.sleep(delay / 1000)
        process.send_signal(number)  # of no effect where the run is over already, on a fast machine
        _, err = process.communicate(timeout=300)
        assert process.returncode in ({code} if delay < 100 else {code, 0})
        assert "Traceback" not in err
        assert "not installed" not in err
        # A run that is reported to end after its work is done has written all of it.
        if (files / "out.csv").exists():
            assert (files / "out.csv").read_bytes() == whole
            (files / "out.csv").unlink()
        assert sorted(files.rglob("*")) == before


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_where_nothing_can_be_raised_ends_the_run_a_moment_later(number, code):
    run = f"""
import goldassay.__main__ as command, os, time, weakref
command.MOMENT = 0.1

class Lock:
    pass

def _run():
    lock = Lock()
    watch = weakref.ref(lock, lambda _: os.kill(os.getpid(), {int(number)}))
    del lock
    time.sleep(300)

command._run = _run
command.main()
"""
    start = time.monotonic()
    done = subprocess.run([sys.executable, "-c", run], capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    assert time.monotonic() - start < 250


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_that_a_library_catches_ends_the_run_a_moment_later(number, code):
    run = f"""
import goldassay.__main__ as command, os, time
command.MOMENT = 0.1

def _run():
    try:
        os.kill(os.getpid(), {int(number)})
    except BaseException:
        pass
    try:
        time.sleep(300)
    finally:
        time.sleep(3 * command.MOMENT)
        print("cleaned up")

command._run = _run
command.main()
"""
    start = time.monotonic()
    done = subprocess.run([sys.executable, "-c", run], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (code, "cleaned up\n")
    assert "Traceback" not in done.stderr
    assert time.monotonic() - start < 250


@pytest.mark.parametrize("ends", ["return 0", "raise SystemExit(3)", "os.kill(os.getpid(), signal.SIGTERM)"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGALRM])
def test_a_signal_at_any_step_of_the_run_ends_it_as_one_or_comes_too_late(number, ends):
    # SIGALRM comes of itself, after one that was caught.
    run = f"""
import goldassay.__main__ as command, os, signal, sys

FRAMES = {{one.__code__ for one in (command.main, command._run_and_report)}}

def _run():
    if {int(number)} == signal.SIGALRM:
        try:
            os.kill(os.getpid(), signal.SIGTERM)
        except BaseException:
            pass
    {ends}

def count(frame, event, _):
    global left
    frame.f_trace_opcodes = True
    left -= event == "opcode"
    if not left:
        sys.settrace(None)
        os.kill(os.getpid(), {int(number)})
    return count

command._run = _run
command._code_of = lambda error: error.code
for steps in range(1, 1000):
    child = os.fork()
    if not child:
        left = steps
        sys.settrace(lambda frame, *event: count(frame, *event) if frame.f_code in FRAMES else None)
        try:
            command.main()
        except SystemExit as error:
            os._exit(error.code if left <= 0 else 99)
        os._exit(98)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    # What is not written yet is in the next child, too, which would write it again.
    print(code, flush=True)
    if code == 99:
        break
"""
    done = subprocess.run([sys.executable, "-c", run], capture_output=True, text=True, check=False)
    codes = list(map(int, done.stdout.split()))
    assert (codes.pop(), done.stderr) == (99, "")
    begun = next(at for at, code in enumerate(codes) if code >= 0)
    assert set(codes[:begun]) <= {-number}
    late = 143 if number == signal.SIGALRM or "kill" in ends else 0 if "0" in ends else 3
    assert 128 + number in codes
    assert set(codes[begun:]) <= {128 + number, late}


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_library_that_panics_where_a_signal_ends_it_is_not_heard(number, code):
    run = f"""
import goldassay.__main__ as command, os, sys

def _run():
    os.write(2, b"before;")
    try:
        os.kill(os.getpid(), {int(number)})
    finally:
        os.write(2, b"thread panicked")
        sys.stderr.write("of Python;")

command._run = _run
command.main()
"""
    done = subprocess.run([sys.executable, "-c", run], capture_output=True, text=True, check=False)
    assert done.returncode == code
    message = "goldassay: interrupted; no output file was changed, and encoded texts are kept\n" if code == 130 else ""
    assert done.stderr == f"before;of Python;{message}"


def test_other_faults_where_nothing_can_be_raised_are_still_shown():
    run = """
import goldassay.__main__ as command

class Faulty:
    def __del__(self):
        raise ValueError("in a finaliser")

command._run = lambda: (Faulty(), 0)[1]
command.main()
"""
    done = subprocess.run([sys.executable, "-c", run], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "in a finaliser" in done.stderr


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_what_ends_a_run_is_in_its_code(goldassay_command, monkeypatch, number, code):
    monkeypatch.setattr(command, "_silence_libraries", lambda: None)
    monkeypatch.setattr(command, "_run", lambda: signal.raise_signal(number))
    found = goldassay_command()
    assert (found.code, found.out, "interrupted" in found.err) == (code, "", code == 130)


def test_a_fault_of_ours_is_70_and_says_so(goldassay_command, files, monkeypatch):
    monkeypatch.setattr("goldassay.evaluation.evaluate", lambda *_, **__: 1 / 0)
    result = goldassay_command("taxonomy", files / "good.csv", "-g", files / "gold.csv", "-m", "literal")
    assert result.code == 70
    assert "ZeroDivisionError" in result.err
    assert "a bug in goldassay" in result.err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize(("layout", "unbuffered"), [("text", ""), ("text", "1"), ("json", ""), ("csv", "1")])
def test_a_full_standard_output_is_reported(files, layout, unbuffered):
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "goldassay", "taxonomy", files / "good.csv", "-g", files / "gold.csv", "-m", "literal",
             "--format", layout],
            stdout=full, stderr=subprocess.PIPE, text=True, check=False, env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr == "goldassay: Cannot write to standard output; it may be full or closed.\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize(("file", "code"), [("good.csv", command.MACHINE), ("none.csv", command.UNUSABLE)])
def test_where_standard_error_is_full_no_gate_failed(files, file, code):
    line = ["taxonomy", files / file, "-g", files / "gold.csv", "-m", "literal", "--explain", files / "all.csv"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "goldassay", *line], stdout=subprocess.DEVNULL, stderr=full, check=False
        )
    assert done.returncode == code


def test_what_an_encoding_does_not_have_is_written_as_an_escape(files):
    line = ["taxonomy", f"\u732b={files / 'good.csv'}", "-g", files / "gold.csv", "-m", "literal"]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "1"}
    done = subprocess.run([sys.executable, "-m", "goldassay", *line], capture_output=True, env=environment, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\\u732b " in done.stdout


def test_what_a_terminal_would_obey_is_escaped(goldassay_command, files):
    (files / "red.csv").write_text("child,parent\n\x1b[31mred\x07,colour\u202e\n")
    result = goldassay_command("taxonomy", files / "red.csv", "-g", files / "red.csv", "-m", "literal", "--misses", "2")
    wrong = goldassay_command("taxonomy", files / "\x1b[31m.csv", "-g", files / "gold.csv", "-m", "literal")
    missed = goldassay_command(
        "taxonomy", files / "good.csv", "-g", files / "red.csv", "-m", "literal", "--misses", "2"
    )
    for text in (result.out, wrong.err, missed.out):
        assert not set("\x1b\x07\u202e") & set(text)
    assert r"\x1b[31mred\x07 -> colour\u202e" in missed.out
    assert command.FAULT == 70


def test_the_commands_of_all_families_are_listed_without_importing_them():
    code = "import sys; sys.argv = ['goldassay', '--help']\ntry:\n  from goldassay.__main__ import main; main()\n"
    code += "except SystemExit: print([name for name in sys.modules if name.startswith(('goldassay.graphs', 'numpy'))])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.rstrip().endswith("[]")
    for word in ("taxonomy", "alignment", "calibrate"):
        assert word in done.stdout


@pytest.mark.parametrize(("closed", "code"), [((1,), 2), ((0, 1, 2), 2), ((0, 2), 0)])
def test_a_closed_standard_stream_ends_like_a_full_one(files, closed, code):
    command = ["-m", "goldassay", "taxonomy", files / "good.csv", "-g", files / "gold.csv", "-m", "literal"]
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {" ".join(f"{one}>&-" for one in closed)}', "sh", sys.executable, *command],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == code
    assert ("Cannot write to standard output" in done.stderr) == (1 in closed and 2 not in closed)


@pytest.mark.parametrize(
    ("error", "found"),
    [
        (MemoryError(), "too little memory"),
        (OSError(errno.EMFILE, "Too many open files"), "too few open files allowed for a process"),
        (OSError(errno.ENOSPC, "No space left on device", "x"), "no space on the disk of temporary files"),
        (RuntimeError("can't start new thread"), "too few processes or threads allowed"),
    ],
)
@pytest.mark.parametrize("wrapped", [False, True])
def test_what_the_machine_lacks_is_no_bug_and_no_bad_input(
    goldassay_command, files, monkeypatch, error, found, wrapped
):
    def fail(*_, **__):
        if wrapped:
            raise InputError("The file cannot be opened.") from error
        raise error

    monkeypatch.setattr("goldassay.evaluation.evaluate", fail)
    result = goldassay_command("taxonomy", files / "good.csv", "-g", files / "gold.csv", "-m", "literal")
    assert result.code == 71
    assert result.err.startswith(f"goldassay: This machine cannot do this run.\n  found:    {found}\n  try:      ")


def test_what_the_system_refuses_without_a_file_is_not_blamed_on_standard_output(goldassay_command, files, monkeypatch):
    def fail(*_, **__):
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr("goldassay.evaluation.evaluate", fail)
    result = goldassay_command("taxonomy", files / "good.csv", "-g", files / "gold.csv", "-m", "literal")
    assert result.code == 71
    assert "found:    the system refuses something: [Errno 5] Input/output error\n" in result.err


@pytest.mark.parametrize(("flag", "ending"), [("-o", ".json"), ("--explain", ".tsv"), ("--report", ".html")])
@pytest.mark.parametrize(("letter", "times", "code"), [("n", 300, 2), ("\u6f22", 83, 0)], ids=["too long", "longest"])
def test_an_output_whose_name_no_file_can_have(goldassay_command, files, tmp_path, flag, ending, letter, times, code):
    path = tmp_path / f"{letter * (times - len(ending) // 3)}{ending}"
    result = goldassay_command("taxonomy", files / "good.csv", "-g", files / "gold.csv", "-m", "literal", flag, path)
    assert result.code == code
    assert "Invalid file name." in result.err if code else path.exists()


@pytest.mark.parametrize(
    ("limit", "found"),
    [("-n 5", "too few open files"), ("-v 300000", "too little memory"), ("-d 99999", "too little memory")],
)
def test_a_limit_below_what_libraries_need_to_begin_is_named(files, limit, found):
    command = f'ulimit {limit} && exec "{sys.executable}" -m goldassay taxonomy good.csv -g gold.csv -m literal'
    ended = subprocess.run(["bash", "-c", command], cwd=files, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (71, "")
    assert ended.stderr.startswith(f"goldassay: This machine cannot do this run.\n  found:    {found}")


@pytest.mark.parametrize(("name", "least"), [("RLIMIT_NOFILE", 8), ("RLIMIT_AS", 2**30), ("RLIMIT_DATA", 2**28)])
def test_at_what_libraries_need_a_run_begins(monkeypatch, name, least):
    resource = pytest.importorskip("resource")
    limits = {getattr(resource, name): least}
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (limits.get(kind, resource.RLIM_INFINITY),) * 2)
    command._check_limits()
    limits[getattr(resource, name)] -= 1
    with pytest.raises(OSError, match=r"memory|files"):
        command._check_limits()


def test_without_a_word_the_commands_are_listed(goldassay_command):
    found = goldassay_command()
    assert (found.code, found.err) == (2, "")
    for name in ("taxonomy", "compare", "selfcheck"):
        assert re.search(rf"^[│ ]*{name} ", found.out, re.MULTILINE)


def test_a_command_in_the_process_of_a_test_leaves_its_signals_as_they_were(goldassay_command, tmp_path):
    """What it ignores would be ignored by all programs that later tests start: pools that end their workers would wait for ever."""
    before = [signal.getsignal(number) for number in signals.HANDLED]
    assert goldassay_command("--version").code == 0
    assert called(["--version"], tmp_path)[0] == 0
    assert [signal.getsignal(number) for number in signals.HANDLED] == before
    assert signal.getsignal(signal.SIGPIPE) == signal.SIG_IGN
