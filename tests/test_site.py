"""The site: links and formulas as its hooks write them. `make site` builds all of it strictly, in CI."""

import importlib.util
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).resolve().parent.parent
pytest.importorskip("mkdocs", reason="the packages of the site are not installed: make site")
pytest.importorskip("latex2mathml", reason="the packages of the site are not installed: make site")


@pytest.fixture(scope="module")
def hooks():
    spec = importlib.util.spec_from_file_location("goldassay_site_hooks", ROOT / "docs" / "site_hooks.py")
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


@pytest.mark.parametrize(
    ("page", "link", "shown"),
    [
        ("CONTRIBUTING.md", "[a](docs/chance.md)", "[a](chance.md)"),
        ("CONTRIBUTING.md", "[a](docs/decisions/README.md#b)", "[a](decisions/README.md#b)"),
        ("CONTRIBUTING.md", "[a](RELEASING.md)", "[a](RELEASING.md)"),
        ("CONTRIBUTING.md", "[a](LICENSE)", "a (`LICENSE` in the repository)"),
        ("testing.md", "[a](../CONTRIBUTING.md)", "[a](CONTRIBUTING.md)"),
        ("testing.md", "[a](decisions/0043-mutants-of-our-own.md)", "[a](decisions/0043-mutants-of-our-own.md)"),
        ("concepts.md", "[a](../benchmarks/chunks.md)", "a (`benchmarks/chunks.md` in the repository)"),
        ("how-to/build.md", "[a](../confidence.md#b)", "[a](../confidence.md#b)"),
        ("how-to/build.md", "[a](../../SECURITY.md)", "[a](../SECURITY.md)"),
        ("chance.md", "[a](https://example.org/docs/x.md)", "[a](https://example.org/docs/x.md)"),
        ("chance.md", "[a](#b)", "[a](#b)"),
        ("chance.md", "`[a](../LICENSE)`", "`[a](../LICENSE)`"),
    ],
)
def test_a_link_leads_where_the_site_has_the_page(hooks, page, link, shown):
    assert hooks.on_page_markdown(link, SimpleNamespace(file=SimpleNamespace(src_uri=page))) == shown


def test_formulas_are_mathml_and_code_is_not_changed(hooks):
    page = SimpleNamespace(file=SimpleNamespace(src_uri="kernels.md"))
    shown = hooks.on_page_markdown("$$a = \\frac{b}{c}$$\n\nof $x_1$\n\n```sh\necho $x $y\n```\n", page)
    assert shown.startswith('<div class="formula" tabindex="0"><math')
    assert shown.count("<math") == 2
    assert "<mfrac>" in shown
    assert "echo $x $y" in shown


def test_a_page_loads_its_search_from_the_site(hooks):
    page = f'<script src="{hooks.WORKER}"></script>'
    for url, up in (("index.html", ""), ("how-to/build.html", "../")):
        shown = hooks.on_post_page(page, SimpleNamespace(url=url))
        assert shown == f'<script src="{up}{hooks.WORKER_HERE}"></script>'
    assert hooks.on_post_template(page) == f'<script src="{hooks.WORKER_HERE}"></script>'
