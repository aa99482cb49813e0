"""One browser for all tests of the page, and pages that must not fail, whatever a test does with them."""

import os
from pathlib import Path

import pytest
from tests.report.pages import FETCHED, FLAGS, Opened, chromium, page_of


@pytest.fixture(scope="session")
def browser():
    playwright = pytest.importorskip("playwright.sync_api")
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


@pytest.fixture
def opened(browser, tmp_path):
    """Open the page of a report; nothing may go wrong, and nothing be asked for, whatever the test does."""
    pages = []

    def open_page(kind, *, scheme="light", fragment="", width=1200, height=900):
        path = tmp_path / f"{kind}.html"
        path.write_text(page_of(kind))
        size = {"width": width, "height": height}
        pages.append(Opened(browser.new_page(color_scheme=scheme, viewport=size), path.as_uri() + fragment))
        return pages[-1].page

    yield open_page
    for page in pages:
        assert {one.partition("#")[0] for one in page.requests if not one.startswith("blob:")} == {
            page.page.url.partition("#")[0]
        }
        assert page.trouble == []
        page.page.close()
