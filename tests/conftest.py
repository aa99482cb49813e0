"""What all tests share: the reference data, the default encoder, and a cache of vectors between runs."""

import functools
import gc
import itertools
import os
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, Phase, settings
from tests import signals

import goldassay.cli
from goldassay import __main__ as command
from goldassay.__main__ import main
from goldassay.core.errors import EncoderError, MissingDependencyError
from goldassay.encoders import CachedEncoder, MiniLMEncoder

ROOT = Path(__file__).resolve().parent.parent
# Where memory is limited, the command runs in a child process, which here would be a second process that runs tests.
command._explain_aborts = lambda: None
REFERENCE_DATA = Path(os.environ.get("GOLDASSAY_REFERENCE_DATA", ROOT.parent / "shared" / "data"))

# Machines that run tests are shared and slow at times; a law that holds slowly still holds. The same commit draws the
# same examples, so that a change is judged by what it changed, and few. `make fuzz` goes looking with new ones, and more.
PATIENT = [HealthCheck.too_slow]
settings.register_profile("goldassay", max_examples=6, deadline=None, derandomize=True, suppress_health_check=PATIENT)
settings.register_profile("fuzz", max_examples=100, deadline=None, suppress_health_check=PATIENT)
# A mutant is killed by any failure: the smallest one is not looked for, and ten examples kill them.
settings.register_profile(
    "mutants",
    max_examples=10,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=PATIENT,
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "goldassay"))

FOLDERS = itertools.count()

# Where all that the tests can use is installed, a test that skips is a test that is lost. These may.
NO_SKIPS = os.environ.get("GOLDASSAY_NO_SKIPS") == "1"
MAY_SKIP = (
    "OntoAligner is not installed",  # it brings gigabytes; its functions are tested against a plain twin
    "no Python before 3.11.5 on this machine",  # its patterns are compared where Debian 12 brings it
    "no sandbox on this machine",  # a container may forbid user namespaces
)


def pytest_xdist_auto_num_workers(config):
    """Begin a process more than there are cores: Spark, browsers and servers are waited for."""
    del config
    return (os.cpu_count() or 1) + 1


def without_skip(report):
    """Turn a skipped test into a failed one, if nothing may be skipped."""
    if NO_SKIPS and report.skipped and not hasattr(report, "wasxfail"):
        path, line, reason = report.longrepr
        if not any(known in reason for known in MAY_SKIP):
            report.outcome, report.longrepr = "failed", f"{path}:{line}: {reason} (GOLDASSAY_NO_SKIPS is set)"
    return report


# The packages of other frameworks take a gigabyte: `make frameworks` and `make builders` install them, and run these tests by name.
collect_ignore = [
    f"integrations/test_{name}.py"
    for name, package in (("frameworks", "mlflow"), ("builders", "langchain_community"))
    if not find_spec(package)
]


# What takes long in one piece is begun first, so that no process works on the last of it while the others wait.
LONG = (
    "tests/engines/",
    "tests/test_adding.py",
    "tests/serve/",
    "tests/fuzz/",
    "tests/published/",
    "tests/report/test_page_in_a_browser.py",
    "tests/report/test_layouts.py",
    "tests/cli/test_main.py",
)


def pytest_collection_modifyitems(config, items):
    """Leave out what takes minutes, unless a release is checked (`make engines`); of several processes the long tests come first."""
    if os.environ.get("GOLDASSAY_RELEASE") != "1":
        slow = [item for item in items if item.get_closest_marker("release")]
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if item not in slow]
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: not item.nodeid.startswith(LONG))


def pytest_configure(config):
    """Give each of several processes one thread for products of matrices: threads that wait for each other slow all of them.

    Java runs for seconds here, which is not worth its second compiler, nor its threads that collect garbage, which take half of its
    time, nor a look at all of its code before it runs.
    """
    # What is collected stays: to look through it for garbage, again and again, takes a third of the time that it takes to collect it.
    gc.disable()
    os.environ.setdefault(
        "JDK_JAVA_OPTIONS",
        "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote",
    )
    if getattr(config.option, "numprocesses", None):
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def pytest_collection_finish():
    """Look for garbage from here on, and in what the tests make only."""
    if any(task.read_text().startswith("polars-0") for task in Path("/proc/self/task").glob("*/comm")):
        raise pytest.UsageError(
            "a module of tests starts polars while it is collected: copies of it wait for ever (tests/mutants)"
        )
    gc.freeze()
    # Few objects are left unfrozen, of which a quarter more would begin a full collection while a test makes a tree of syntax.
    gc.set_threshold(50_000)
    gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Give all cases of a test to one process, in their order: a task of its own for each case is slow to look up."""
    if config.getvalue("dist") != "loadgroup":
        return None
    config.option.loadscopereorder = False
    from tests.scheduling import ByFunction

    return ByFunction(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem):
    """Hold a test of linear time to seconds of a processor, where quadratic time takes minutes.

    Others are not timed: that is half a millisecond for each, where a process has many threads.
    """
    if "linear_time" not in pyfuncitem.name:
        return (yield)
    before = time.process_time()
    found = yield
    taken = time.process_time() - before
    assert taken < 20, f"it took {taken:.0f} s"
    return found


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport():
    """Look at what a test did; its keywords, which nothing reads, take as long to send to another process as all else."""
    report = without_skip((yield))
    report.keywords = {}
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report():
    """Look at what a module did."""
    return without_skip((yield))


@pytest.fixture
def tmp_path(tmp_path_factory) -> Path:
    """A folder for one test: pytest looks for a free name among all folders of a run, which takes the square of their number."""
    folder = tmp_path_factory.getbasetemp() / str(next(FOLDERS))
    folder.mkdir()
    return folder


@pytest.fixture(scope="session")
def reference_data() -> Path:
    """The folder of real files that are not part of the project."""
    if not REFERENCE_DATA.is_dir():
        pytest.skip(f"no reference data at {REFERENCE_DATA}; set GOLDASSAY_REFERENCE_DATA to run this test")
    return REFERENCE_DATA


@pytest.fixture(scope="session")
def minilm() -> MiniLMEncoder:
    """The genuine model; never downloaded by a test."""
    try:
        return MiniLMEncoder()
    except (EncoderError, MissingDependencyError) as error:
        pytest.skip(f"no weights of all-MiniLM-L6-v2: {error.message}")


@pytest.fixture(scope="session")
def kept() -> Path:
    """A folder for vectors that stay from one run of the tests to the next."""
    folder = ROOT / "build" / "vectors"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def cached_minilm(minilm: MiniLMEncoder, kept: Path) -> CachedEncoder:
    """The genuine model, remembering vectors."""
    return CachedEncoder(minilm, kept / "embeddings.sqlite")


@pytest.fixture(scope="session")
def browser():
    """One browser for all pages."""
    playwright = pytest.importorskip("playwright.sync_api")
    from tests.report.pages import FETCHED, FLAGS, chromium

    path = chromium()
    if path is None:
        pytest.skip("no Chromium on this machine: make browser, or set GOLDASSAY_CHROMIUM")
    libraries = {"LD_LIBRARY_PATH": str(FETCHED / "lib")} if Path(path).parent == FETCHED else {}
    with playwright.sync_playwright() as started:
        try:
            running = started.chromium.launch(executable_path=path, args=FLAGS, env={**os.environ, **libraries})
        except playwright.Error as error:
            pytest.skip(f"{path} does not start on this machine: {error.message.splitlines()[0]}")
        yield running
        running.close()


made_once = functools.cache(goldassay.cli.make_command)
"""A command with its flags takes longer to make than most command lines of tests to run."""


class Result(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def goldassay_command(monkeypatch, capsys, tmp_path):
    """Run the command line in this process, with a cache of its own."""
    monkeypatch.setenv("GOLDASSAY_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(goldassay.cli, "make_command", made_once)

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["goldassay", *map(str, arguments)])
        code = 0
        # A command ends where what it writes to is closed; this process has connections, and must not.
        try:
            with signals.kept():
                main()
        except SystemExit as stop:
            code = stop.code or 0
        captured = capsys.readouterr()
        return Result(code, captured.out, captured.err)

    return run
