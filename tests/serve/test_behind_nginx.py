"""A leaderboard below a path of nginx, as people put a server with TLS in front of it."""

import shutil
import signal
import socket
import subprocess
import time
from contextlib import suppress
from urllib.parse import urlsplit

import pytest

pytest.importorskip("starlette")

import httpx2 as httpx
from tests.serve.asking import client
from tests.serve.pets import ABOUT, EDGES, table

from goldassay.serve.store import Store

CONFIGURATION = """
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 2048; }}
http {{
  access_log off;
  client_header_timeout 5s;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  server {{
    listen 127.0.0.1:{port};
    location /board/ {{
      proxy_pass http://{upstream};
      proxy_set_header Host $http_host;
    }}
  }}
}}
"""
SILENT = 520


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@pytest.fixture(scope="module")
def behind(tmp_path_factory, serving):
    """The address of a leaderboard behind nginx, and the token of a team."""
    program = shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin")
    if program is None:
        pytest.skip("no nginx on this machine")
    folder = tmp_path_factory.mktemp("nginx")
    (folder / "gold.csv").write_text(table(EDGES))
    (folder / "pets.toml").write_text(ABOUT + 'phases = [{name = "final", gold = "gold.csv"}]\n')
    token = Store(folder / "pets-data").add_team("ann")
    upstream = urlsplit(serving(folder / "pets.toml", "--root-path", "/board")[1])
    port = free_port()
    file = folder / "nginx.conf"
    file.write_text(CONFIGURATION.format(folder=folder, port=port, upstream=upstream.netloc))
    process = subprocess.Popen([program, "-e", folder / "error.log", "-p", folder, "-c", file], stderr=subprocess.PIPE)
    address = f"http://127.0.0.1:{port}/board/"
    end = time.monotonic() + 300
    while time.monotonic() < end and process.poll() is None:
        with suppress(httpx.TransportError):
            client.get(address)
            break
        time.sleep(0.05)
    assert process.poll() is None, process.stderr.read()
    yield address, token
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=300)


def test_a_submission_is_scored_and_links_lead_through_nginx(behind):
    address, token = behind
    sent = client.post(
        f"{address}api/submissions",
        params={"name": "prediction.csv"},
        headers={"Authorization": f"Bearer {token}"},
        content=table(EDGES[:20]).encode(),
    )
    assert sent.status_code == 201, sent.text
    page = sent.headers["Location"]
    assert page.startswith(f"{address}submissions/")
    state = f"{address}api/submissions/{sent.json()['id']}"
    end = time.monotonic() + 300
    while (found := client.get(state).json())["state"] not in {"scored", "failed"}:
        assert time.monotonic() < end
        time.sleep(0.1)
    assert found["state"] == "scored", found
    assert client.get(page).status_code == 200
    [row] = client.get(f"{address}api/leaderboard").json()["rows"]
    assert row["team"] == "ann"


@pytest.mark.parametrize("head", [b"", b"GET /board/ HTTP/1.1\r\nHost: 127"])
def test_half_open_connections_to_nginx_take_no_place_from_others(behind, head):
    address, _ = behind
    parts = urlsplit(address)
    silent = [socket.create_connection((parts.hostname, parts.port), timeout=300) for _ in range(SILENT)]
    for one in silent:
        with suppress(OSError):
            one.sendall(head)
    assert [client.get(address).status_code for _ in range(5)] == [200] * 5
    for one in silent:
        one.close()


def test_a_fault_below_the_path_is_json_for_programs(behind):
    address, _ = behind
    found = client.get(f"{address}api/submissions/unknown")
    assert (found.status_code, list(found.json())) == (404, ["error"])
