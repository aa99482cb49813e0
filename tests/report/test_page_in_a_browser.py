"""The report page as people meet it: opened from a disk, in a real browser, without a network."""

import os
import re
import shutil
import time
from functools import cache
from pathlib import Path

import pytest

import goldassay
from goldassay.alignments import Alignment
from goldassay.axioms import Axioms
from goldassay.concepts import Concepts
from goldassay.graphs import Graph
from goldassay.unl import document_of
from goldassay.unl.model import Texts

for package in ("jinja2", "altair", "vl_convert", "playwright"):
    pytest.importorskip(package)

FETCHED = Path(__file__).resolve().parent.parent.parent / ".venv" / "chromium"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ODD = "<script>alert(1)</script>"
SCHEMES = ("light", "dark")


def chromium():
    known = (os.environ.get("GOLDASSAY_CHROMIUM"), *map(shutil.which, NAMES), str(FETCHED / "chromium"))
    return next((path for path in known if path and Path(path).exists()), None)


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import Error, sync_playwright

    path = chromium()
    if path is None:
        pytest.skip("no Chromium on this machine: make browser, or set GOLDASSAY_CHROMIUM")
    libraries = {"LD_LIBRARY_PATH": str(FETCHED / "lib")} if Path(path).parent == FETCHED else {}
    # Containers often have little shared memory, where large pages die.
    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-dev-shm-usage"]
    with sync_playwright() as playwright:
        try:
            running = playwright.chromium.launch(executable_path=path, args=flags, env={**os.environ, **libraries})
        except Error as error:
            pytest.skip(f"{path} does not start on this machine: {error.message.splitlines()[0]}")
        yield running
        running.close()


class Opened:
    """A page in the browser, and all that went wrong with it."""

    def __init__(self, page, path):
        self.page, self.requests, self.trouble = page, [], []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("console", lambda message: self.trouble.append(message.text))
        page.on("pageerror", lambda error: self.trouble.append(str(error)))
        page.on("dialog", lambda dialog: (self.trouble.append(dialog.message), dialog.dismiss()))
        page.goto(path.as_uri())
        page.wait_for_selector("#items .pane .row, #detail dd")


@pytest.fixture
def opened(browser, tmp_path):
    """Open the page of a report; nothing may go wrong, and nothing be asked for, whatever the test does."""
    pages = []

    def open_page(kind, *, scheme="light"):
        path = tmp_path / "report.html"
        path.write_text(page_of(kind))
        pages.append(Opened(browser.new_page(color_scheme=scheme, viewport={"width": 1200, "height": 900}), path))
        return pages[-1].page

    yield open_page
    for page in pages:
        assert page.requests == [(tmp_path / "report.html").as_uri()]
        assert page.trouble == []
        page.page.close()


def taxonomy():
    gold = Graph.from_edges([("leukemia", "cancer"), ("cancer", "disease"), (ODD, "disease"), ("flu", "disease")])
    pred = Graph.from_edges([("leukemias", "cancers"), ("cancer", "disease"), ("rain", ODD), ("a", "b"), ("b", "a")])
    return goldassay.evaluate(pred, gold=gold, measures=["fuzzy(threshold=0.5)", "literal"], encoder="hashing")


def large():
    gold = Graph.from_edges([(f"child {n}", f"parent {n % 500}") for n in range(50_000)])
    pred = Graph.from_edges([(f"child {n}", f"parent {n % 499}") for n in range(50_000)])
    return goldassay.evaluate(pred, gold=gold, measures="literal")


REPORTS = {
    "large": large,
    "taxonomy": taxonomy,
    "axioms": lambda: goldassay.evaluate(
        Axioms.from_rows([("A", "b", "C"), ("A", ODD, "C")]), gold=Axioms.from_rows([("A", "c", "C")]), kind="axioms"
    ),
    "unl": lambda: goldassay.evaluate(
        document_of("[S:1] agt(see.@entry, Peter) obj(see, dog) [/S]"),
        gold=document_of("[S:1] agt(see.@entry, Mary) obj(see, dog) and:01(a, b) aoj(good, :01) mod(dog, dog) [/S]"),
        kind="unl",
    ),
    "alignment": lambda: goldassay.evaluate(
        Alignment.from_rows([("a#x", "b#x", "=", 0.9), ("a#y", ODD, "=", 0.4)]),
        gold=Alignment.from_rows([("a#x", "b#x"), ("a#y", "b#y", "<")]),
        kind="alignment",
    ),
    "concepts": lambda: goldassay.evaluate(
        Concepts.from_lists({"d1": ["aspirin", ODD], "d2": ["rest"]}),
        gold=Concepts.from_lists({"d1": ["aspirin", "heart"], "d3": ["flu"]}),
        kind="concepts",
        encoder="hashing",
    ),
    "sentences": lambda: goldassay.evaluate(
        Texts(ids=("1", "2"), wordings=((f"A cat {ODD}.",), ("It rains.",))),
        gold=Texts(ids=("1", "2"), wordings=(("The cat.",), ("It rains.",))),
        kind="sentences",
    ),
}


@cache
def page_of(kind):
    return REPORTS[kind]().format("html")


def texts(page, selector):
    return page.eval_on_selector_all(selector, "found => found.map((one) => one.textContent)")


def wait_until(holds):
    # The page forbids itself to evaluate strings, which is how playwright waits for conditions.
    until = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.02)


def wait_for_text(page, selector, beginning):
    wait_until(lambda: page.text_content(selector).startswith(beginning))


def first_place(page):
    return int(page.get_attribute("#items .pane .row", "data-place"))


def first_items(page):
    return texts(page, "#items .pane .row > :nth-child(3)")


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("kind", ["taxonomy", "axioms", "unl", "sentences", "alignment", "concepts"])
def test_the_page_opens_in_both_themes(opened, kind, scheme):
    page = opened(kind, scheme=scheme)
    colours = page.evaluate("[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]")
    brightness = [sum(map(int, re.findall(r"\d+", colour)[:3])) for colour in colours]
    assert (brightness[0] > brightness[1]) == (scheme == "light")
    for number in range(page.locator("#measure option").count()):
        page.evaluate(
            "n => { const s = document.getElementById('measure'); s.value = n; s.dispatchEvent(new Event('change')) }",
            number,
        )
        assert page.locator("#items .pane .row").count() > 0


def test_items_sort(opened):
    page = opened("taxonomy")
    page.click("#items .head button:has-text('item')")
    ascending = first_items(page)
    assert ascending == sorted(ascending, key=str.lower)
    page.click("#items .head button:has-text('item')")
    assert first_items(page) == sorted(ascending, key=str.lower, reverse=True)
    page.click("#items .head button:has-text('similarity')")
    shown = [float(text) for text in texts(page, "#items .pane .row > :nth-child(5)") if text]
    assert shown == sorted(shown, reverse=True)
    assert page.get_attribute("#items .head > :nth-child(5)", "aria-sort") == "descending"


def test_items_are_filtered_and_searched(opened):
    page = opened("taxonomy")
    everything = page.locator("#items .pane .row").count()
    page.click("#verdicts button[data-word=hit]")
    assert "hit" not in texts(page, "#items .pane .verdict")
    page.click("#verdicts button[data-word=hit]")
    page.click("#sides button[data-word=pred]")
    assert set(texts(page, "#items .pane .row > :nth-child(2)")) == {"gold"}
    page.click("#sides button[data-word=pred]")
    assert page.locator("#items .pane .row").count() == everything
    page.fill("#search", "LEUKEMIAS")
    wait_until(lambda: page.locator("#items .pane .row").count() < everything)
    assert all("leukemias" in text for text in texts(page, "#items .pane .row"))
    page.fill("#search", "nothing like it")
    wait_for_text(page, "#shown", "0 of")
    assert texts(page, "#detail dd") == ["No item matches the filters."]


def test_another_measure_shows_its_own_items_and_pictures(opened):
    page = opened("taxonomy")
    assert page.locator("figure:visible").count() == 2
    page.select_option("#measure", label="literal")
    assert page.locator("figure:visible").count() == 0
    assert "child present" in texts(page, "#items .head button")


def test_a_node_that_is_a_script_stays_text(opened):
    page = opened("taxonomy")
    assert f"rain -> {ODD}" in first_items(page)
    page.fill(".tree-panel:visible input", ODD)
    page.press(".tree-panel:visible input", "Enter")
    assert page.text_content(".tree-panel:visible output") == f"gold: {ODD}; prediction: {ODD}"
    assert texts(page, ".tree-panel .found > :nth-child(3)") == [ODD, ODD]
    assert page.locator("script").count() == 2


def test_the_keyboard_reaches_every_item(opened):
    page = opened("taxonomy")
    page.focus("#items")
    page.keyboard.press("ArrowDown")
    assert page.get_attribute("#items", "aria-activedescendant") == "row-1"
    page.keyboard.press("End")
    count = page.locator("#items .pane .row").count()
    assert page.get_attribute(f"#row-{count - 1}", "aria-selected") == "true"
    assert page.inner_text("#detail dd:nth-of-type(3)") == first_items(page)[-1]


def test_the_tree_folds_by_keyboard_and_shows_cycles(opened):
    page = opened("taxonomy")
    page.fill(".tree-panel:visible input", "b")
    page.press(".tree-panel:visible input", "Enter")
    tree = page.locator(".tree-panel:visible .tree[aria-label=Prediction]")
    assert "↻ cycle" in tree.inner_text()
    tree.locator("[role=treeitem]").first.focus()
    for key, expected in (("ArrowLeft", "false"), ("ArrowRight", "true"), ("Enter", "false")):
        page.keyboard.press(key)
        assert tree.locator("[role=treeitem]").first.get_attribute("aria-expanded") == expected


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
def test_graphs_are_drawn_and_edits_marked(opened):
    page = opened("unl")
    drawings = page.locator(".drawing svg")
    assert drawings.count() == 2
    assert "\N{MINUS SIGN} agt" in texts(page, ".drawing .label")
    assert "✓ obj" in texts(page, ".drawing .label")
    page = opened("sentences")
    assert {"v-added", "v-removed"} <= set(
        page.eval_on_selector_all("mark", "found => found.map((one) => one.className)")
    )


def test_the_theme_can_be_turned(opened):
    page = opened("taxonomy")
    before = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.click("#theme")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != before
    assert page.inner_text("#theme") == "Light theme"


def test_a_signature_can_be_copied(opened):
    page = opened("taxonomy")
    page.click(".signatures li:nth-child(2) button")
    page.wait_for_selector(".signatures button:has-text('Copied')")


def test_in_print_there_are_the_first_items_instead_of_a_window_on_them(opened):
    page = opened("taxonomy")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert page.locator("#printed tbody tr").count() == 9
    assert not page.locator("#items").is_visible()


def test_a_hundred_thousand_items_stay_a_few_rows(opened):
    page = opened("large")
    assert page.inner_text("#shown") == "100,000 of 100,000"
    for share in (0.3, 0.7, 1):
        page.evaluate(
            "share => { const grid = document.getElementById('items'); grid.scrollTop = share * grid.scrollHeight }",
            share,
        )
        wait_until(lambda share=share: abs(first_place(page) / 1e5 - share) < 0.01)
        assert page.locator("#items .pane .row").count() < 60
    assert page.evaluate("document.querySelectorAll('*').length") < 6000
    page.fill("#search", "child 49999 ")
    wait_for_text(page, "#shown", "2 of")


def test_the_page_forbids_itself_the_network(browser, tmp_path):
    path = tmp_path / "report.html"
    path.write_text(page_of("taxonomy"))
    page = browser.new_page()
    asked = []
    page.on("requestfinished", lambda request: asked.append(request.url))
    page.goto(path.as_uri())
    tried = "fetch('https://example.org/').then(() => 'went out', () => 'refused')"
    assert page.evaluate(tried) == "refused"
    page.evaluate("document.body.append(Object.assign(new Image(), { src: 'https://example.org/x.png' }))")
    page.evaluate(
        "document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.ran = 1' }))"
    )
    page.wait_for_timeout(200)
    assert page.evaluate("window.ran") is None
    assert asked == [path.as_uri()]
    page.close()
