"""A cluster of Spark on the loopback, one for all tests of a session: its executors are processes of their own, with a core each."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import narwhals.stable.v2 as nw
import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PATIENCE = 120
"""Seconds until a server must have started."""
MASTER = f"local-cluster[{2 if os.environ.get('GOLDASSAY_RELEASE') == '1' else 1},1,512]"
"""As many executors as this, of a core and 512 megabytes each: every one takes seconds to start and to warm up."""
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
    """A running cluster: a session whose executors are processes of their own."""

    session: Any

    def kill_executor(self) -> None:
        """Kill the oldest executor; the cluster starts another in its place."""
        named = f"CoarseGrainedExecutorBackend.*{self.session.sparkContext.applicationId}"
        found = subprocess.run(["pgrep", "--oldest", "--full", named], capture_output=True, text=True, check=True)
        os.kill(int(found.stdout), signal.SIGKILL)


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def installed():
    """Return the folder of PySpark, which needs Java."""
    if shutil.which("java") is None:
        pytest.skip("Java is not installed, which Spark needs")
    return Path(pytest.importorskip("pyspark", reason="PySpark is not installed").__file__).parent


@pytest.fixture(autouse=True)
def columns_are_given(monkeypatch):
    """Refuse what only Spark Connect refuses, which few tests run on: to set no column."""
    set_columns = nw.LazyFrame.with_columns

    def refuse_none(frame, *columns, **named):
        columns = [list(one) if isinstance(one, Iterator) else one for one in columns]
        assert named or any(not isinstance(one, list) or one for one in columns), "no column is set"
        return set_columns(frame, *columns, **named)

    monkeypatch.setattr(nw.LazyFrame, "with_columns", refuse_none)


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    """Start a cluster, and stop all of its processes in the end."""
    home, folder = installed(), tmp_path_factory.mktemp("spark")
    # Executors write into the folder of Spark.
    for part in home.iterdir():
        (folder / part.name).symlink_to(part)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARK_HOME", str(folder))
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        # Workers run the Python that the driver names.
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        session = session_on(folder)
        yield Cluster(session)
        session.stop()


@pytest.fixture(scope="session")
def connect(tmp_path_factory):
    """Start a server of Spark Connect, and stop it in the end; give its address."""
    pytest.importorskip("grpc", reason="grpcio is not installed, which Spark Connect needs")
    home, folder, port = installed(), tmp_path_factory.mktemp("connect"), free_port()
    settings = {
        **QUICK,
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.connect.grpc.binding.port": port,
    }
    surroundings = {
        **os.environ, "SPARK_HOME": str(home), "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable,
        "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), *filter(None, [os.environ.get("PYTHONPATH")])]),
    }  # fmt: skip
    command = ["--class", "org.apache.spark.sql.connect.service.SparkConnectServer", "--master", "local[2]"]
    command += [word for name, value in settings.items() for word in ("--conf", f"{name}={value}")]
    log = folder / "log"
    with log.open("wb") as stream:
        # A session of its own, so that all that it starts ends with it.
        server = subprocess.Popen(
            [home / "bin" / "spark-submit", *command, "spark-internal"],
            stdout=stream,
            stderr=stream,
            env=surroundings,
            cwd=folder,
            start_new_session=True,
        )
    try:
        wait_for("server started at", server, log)
        yield f"sc://127.0.0.1:{port}"
    finally:
        with suppress(ProcessLookupError):
            os.killpg(server.pid, signal.SIGKILL)
        server.wait()


def wait_for(words, process, log):
    end = time.monotonic() + PATIENCE
    while words not in log.read_text(errors="replace"):
        if process.poll() is not None or time.monotonic() > end:
            raise RuntimeError(log.read_text(errors="replace")[-2000:])
        time.sleep(0.1)


def session_on(folder):
    """Make a session, as a notebook would."""
    from pyspark.sql import SparkSession

    settings = {
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.executor.memory": "512m",
        # A task is lost once at most, with an executor that is killed; what fails by itself is not tried four times.
        "spark.task.maxFailures": "2",
        "spark.executorEnv.PYTHONPATH": str(ROOT / "src"),
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        **QUICK,
    }
    builder = SparkSession.builder.master(MASTER).appName("goldassay")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session
