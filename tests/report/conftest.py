import pytest
from tests.report.once import template_compiled_once


@pytest.fixture(autouse=True, scope="module")
def page_compiled_once():
    with template_compiled_once():
        yield
