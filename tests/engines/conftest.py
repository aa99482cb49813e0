"""A standalone cluster of Spark on the loopback, one for all tests of a session: a master, and two workers with a core each."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PATIENCE = 120
"""Seconds until a cluster must have started."""
REGISTERED = "Successfully registered"
"""What a worker says that the master knows."""
QUICK = {
    "spark.sql.shuffle.partitions": "2",
    # Tables of a few rows are counted before Spark has compiled how.
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


class Cluster(NamedTuple):
    """A running cluster.

    Attributes:
        url: Its master.
        session: A session on it, with an executor on each of the first two workers.
        workers: The processes of the workers; an executor belongs to the group of its worker.
        start_worker: Starts one more worker, whose core is free.
    """

    url: str
    session: Any
    workers: list[subprocess.Popen[bytes]]
    start_worker: Callable[[], None]


class Program(NamedTuple):
    """A started program of Spark, and the file that it writes what it does to."""

    process: subprocess.Popen[bytes]
    log: Path


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def wait_for(words, program):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if words in program.log.read_text(errors="replace"):
            return
        if program.process.poll() is not None:
            break
        time.sleep(0.1)
    raise RuntimeError(program.log.read_text(errors="replace")[-2000:])


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    """Start a cluster, and stop all of its processes in the end."""
    with pytest.MonkeyPatch.context() as patch:
        # Workers run the Python that the driver names.
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        yield from running(tmp_path_factory.mktemp("spark"))


@contextmanager
def starting(folder):
    """Give what starts programs of Spark, and end them."""
    if shutil.which("java") is None:
        pytest.skip("Java is not installed, which Spark needs")
    pyspark = pytest.importorskip("pyspark", reason="PySpark is not installed")
    home = Path(pyspark.__file__).parent
    surroundings = {
        **os.environ, "SPARK_HOME": str(home), "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_NO_DAEMONIZE": "1", "SPARK_DAEMON_MEMORY": "640m",
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), *filter(None, [os.environ.get("PYTHONPATH")])]),
    }  # fmt: skip
    processes = []

    def start(program, *arguments):
        log = folder / f"{len(processes)}.log"
        with log.open("wb") as stream:
            # A session of its own, so that its executors end with it.
            process = subprocess.Popen(
                [str(home / "bin" / program), *map(str, arguments)],
                stdout=stream,
                stderr=stream,
                env=surroundings,
                cwd=folder,
                start_new_session=True,
            )
        processes.append(process)
        return Program(process, log)

    try:
        yield start
    finally:
        for process in processes:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@pytest.fixture(scope="session")
def connect(tmp_path_factory):
    """Start a server of Spark Connect, and stop it in the end; give its address."""
    pytest.importorskip("grpc", reason="grpcio is not installed, which Spark Connect needs")
    port = free_port()
    settings = {
        **QUICK,
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.connect.grpc.binding.port": port,
    }
    with starting(tmp_path_factory.mktemp("connect")) as start:
        given = (word for name, value in settings.items() for word in ("--conf", f"{name}={value}"))
        server = ("--class", "org.apache.spark.sql.connect.service.SparkConnectServer", "--master", "local[2]")
        wait_for("server started at", start("spark-submit", *server, *given, "spark-internal"))
        yield f"sc://127.0.0.1:{port}"


def running(folder):
    """Give a cluster, and end it."""
    with starting(folder) as start:
        yield from running_by(start, folder)


def running_by(start, folder):
    """Start a master and workers, and give them."""
    workers = []

    port = free_port()
    url = f"spark://127.0.0.1:{port}"

    def begin_worker():
        work = folder / f"work{len(workers)}"
        settings = ("--host", "127.0.0.1", "-c", "1", "-m", "1g", "--webui-port", 0, "-d", work, url)
        program = start("spark-class", "org.apache.spark.deploy.worker.Worker", *settings)
        workers.append(program.process)
        return program

    def start_worker():
        wait_for(REGISTERED, begin_worker())

    master = ("org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", port, "--webui-port", 0)
    # What finds no master tries again only after seconds; all others start at once.
    wait_for("New state: ALIVE", start("spark-class", *master))
    begun = [begin_worker() for _ in range(2)]
    session = session_on(url, folder)
    for program in begun:
        wait_for(REGISTERED, program)
    yield Cluster(url, session, workers, start_worker)
    session.stop()


def session_on(url, folder):
    """Make a session, as a notebook would."""
    from pyspark.sql import SparkSession

    settings = {
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.executor.memory": "512m",
        "spark.cores.max": "2",
        # A task is lost once at most, with a worker that is killed; what fails by itself is not tried four times.
        "spark.task.maxFailures": "2",
        "spark.executorEnv.PYTHONPATH": str(ROOT / "src"),
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        **QUICK,
    }
    builder = SparkSession.builder.master(url).appName("goldassay")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session
