"""What the pages share: bounds and names."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

pytest.importorskip("starlette")

from starlette.exceptions import HTTPException

from goldassay.serve.web import ASSETS, Bounded, clean_name


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
