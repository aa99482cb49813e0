"""What the pages share: bounds and names."""

import asyncio
import signal
import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from types import SimpleNamespace
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest

pytest.importorskip("starlette")

import uvicorn
from starlette.exceptions import HTTPException
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from goldassay.serve import web
from goldassay.serve.web import ASSETS, MOST_OF_ADDRESS, Bounded, PatientProtocol, _is_local, _Server, clean_name, run


def test_a_body_that_says_it_is_too_large_is_refused_before_it_is_read():
    async def reading(scope, receive, send):
        await receive()

    async def receive():
        pytest.fail("the body is read")

    async def ask():
        scope = {"type": "http", "headers": [(b"content-length", b"11")]}
        with pytest.raises(HTTPException) as found:
            await Bounded(reading, 10)(scope, receive, None)
        assert found.value.status_code == 413

    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, ask()).result()


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("Ä ж.csv", "Ä_ж.csv"),
        ("..", "file"),
        (".hidden", "hidden"),
        ("a/b\\c.ttl", "c.ttl"),
        ("x" * 300 + ".csv", "x" * 96 + ".csv"),
        ("a\u202egpj.exe", "a_gpj.exe"),
        ("$(rm).csv", "(rm).csv"),
    ],
)
def test_names_are_plain(name, plain):
    assert clean_name(name) == plain


def test_style_and_script_are_there():
    assert all(path.is_file() for path, _ in ASSETS.values())


@pytest.fixture(scope="module")
def started(tmp_path_factory, serving):
    tmp_path = tmp_path_factory.mktemp("labels")
    (tmp_path / "todo.csv").write_text("id,child,parent,text,label,rater,comment\n1,cat,pet,,,,\n")
    return serving("--label", tmp_path / "todo.csv", "--no-browser")


@pytest.fixture
def served(started):
    return started[1]


def connect(address):
    parts = urlsplit(address)
    return socket.create_connection((parts.hostname, parts.port), timeout=300)


@pytest.mark.parametrize("head", [b"", b"GET / HTTP/1.1\r\nHost: 127"])
def test_connections_without_a_request_take_no_place_from_others(served, head):
    silent = [connect(served) for _ in range(520)]
    for one in silent:
        with suppress(OSError):
            one.sendall(head)
    with urlopen(served, timeout=300) as answer:  # noqa: S310 - our own
        assert answer.status == 200
    # The oldest made room.
    assert ended(silent[0])
    for one in silent:
        one.close()


def test_requests_that_come_at_once_are_all_answered(started):
    process, address, _ = started
    parts = urlsplit(address)
    # They wait in the system, and are accepted in one step.
    process.send_signal(signal.SIGSTOP)
    asking = [connect(address) for _ in range(300)]
    for one in asking:
        one.sendall(f"GET {parts.path} HTTP/1.1\r\nHost: {parts.netloc}\r\nConnection: close\r\n\r\n".encode())
    process.send_signal(signal.SIGCONT)
    assert {one.recv(12) for one in asking} == {b"HTTP/1.1 200"}
    for one in asking:
        one.close()


def ended(connection):
    try:
        return connection.recv(1) == b""
    except ConnectionError:
        return True


class Transport:
    closed = False

    def get_extra_info(self, name):
        return {"peername": ("192.0.2.1", 1234)}.get(name)

    def is_closing(self):
        return self.closed

    def close(self):
        self.closed = True


def protocols(count):
    config = uvicorn.Config(None)
    config.load()
    return [PatientProtocol(config, ServerState(), {}) for _ in range(count)]


def test_a_connection_is_silent_until_its_request_has_come_and_after_its_answer(monkeypatch):
    monkeypatch.setattr(H11Protocol, "data_received", lambda *_: None)

    async def work():
        [one] = protocols(1)
        one.connection_made(Transport())
        silent = []
        for cycle in (None, SimpleNamespace(response_complete=False), SimpleNamespace(response_complete=True)):
            one.cycle = cycle
            one.data_received(b"")
            silent.append(one in PatientProtocol.silent)
        one.cycle = None
        one.connection_lost(None)
        return silent

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(asyncio.run, work()).result() == [True, False, True]


async def answer(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
    await send({"type": "http.response.body"})


def test_a_request_that_does_not_come_is_not_waited_for(monkeypatch):
    # In this process, where the time can be chosen: a server waits long for a test.
    monkeypatch.setattr(web, "HEADER_SECONDS", 0.5)
    config = uvicorn.Config(answer, access_log=False)
    config.load()

    def ask(address):
        with connect(address) as quiet, connect(address) as second:
            # The second request of a connection is waited for no longer than the first.
            second.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert second.recv(12) == b"HTTP/1.1 200"
            second.sendall(b"GET / HT")
            assert ended(quiet)
            while second.recv(65_536):
                pass

    async def work():
        make = partial(PatientProtocol, config, ServerState(), {})
        server = await asyncio.get_running_loop().create_server(make, "127.0.0.1", 0)
        host, port = server.sockets[0].getsockname()
        await asyncio.to_thread(ask, f"http://{host}:{port}/")
        server.close()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, work()).result()


def test_an_address_has_only_some_connections():
    assert [_is_local(one) for one in ("", "127.0.0.1", "::1", "10.0.0.7", "fe80::1%eth0", "2001:db8::1")] == [
        True
    ] * 3 + [False] * 3

    async def work():
        made = protocols(MOST_OF_ADDRESS + 2)
        transports = [Transport() for _ in made]
        for one, transport in zip(made, transports, strict=True):
            one.connection_made(transport)
        assert sum(one.closed for one in transports) == 2
        for one in made:
            one.connection_lost(None)
        assert not PatientProtocol.silent
        assert not PatientProtocol.of_address

    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, work()).result()


def test_no_server_ends_with_a_client_nor_writes_down_addresses(monkeypatch):
    ran = []
    monkeypatch.setattr(_Server, "run", lambda self, sockets: ran.append((self.config, sockets)))
    before = signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        run("an application", "a socket")
        assert signal.getsignal(signal.SIGPIPE) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGPIPE, before)
    [(config, sockets)] = ran
    assert (config.app, sockets) == ("an application", ["a socket"])
    # An address may hold a token, and who is in front is believed about how people came.
    assert (config.access_log, config.server_header, config.proxy_headers) == (False, False, True)
    assert (config.http, config.ws, config.log_level) == (PatientProtocol, "none", "warning")
    assert (config.timeout_keep_alive, config.timeout_graceful_shutdown, config.limit_concurrency) == (15, 2, 500)


def test_the_example_of_clean_name():
    assert (clean_name("../../etc/passwd"), clean_name("C:\\a b;rm.ttl"), clean_name("-rf"), clean_name("\x00")) == (
        "passwd",
        "a_b_rm.ttl",
        "rf",
        "file",
    )
