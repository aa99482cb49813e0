"""Pages that must not fail, what a test does with them."""

import pytest
from tests.report.pages import Opened, page_of


@pytest.fixture(scope="module")
def kept_pages():
    """Pages for all tests: each new one is a process that reads the script of the page anew."""
    kept = []
    yield kept
    for one in kept:
        one.page.close()


@pytest.fixture
def opened(browser, kept_pages, tmp_path):
    """Open the page of a report; nothing may go wrong, and nothing be asked for, for any test does."""
    pages = []

    def open_page(kind, *, scheme="light", fragment="", width=1200, height=900):
        path = tmp_path / f"{kind}.html"
        path.write_text(page_of(kind))
        if len(pages) == len(kept_pages):
            kept_pages.append(Opened(browser.new_page()))
        pages.append(kept_pages[len(pages)])
        pages[-1].show(path.as_uri() + fragment, scheme=scheme, size={"width": width, "height": height})
        return pages[-1].page

    yield open_page
    for page in pages:
        assert {one.partition("#")[0] for one in page.requests if not one.startswith("blob:")} == {
            page.page.url.partition("#")[0]
        }
        assert page.trouble == []
