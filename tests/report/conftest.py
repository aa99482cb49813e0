"""Pages that must not fail, what a test does with them."""

import pytest
from tests.report.pages import Opened, page_of


@pytest.fixture
def opened(browser, tmp_path):
    """Open the page of a report; nothing may go wrong, and nothing be asked for, for any test does."""
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
