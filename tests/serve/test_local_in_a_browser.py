"""The local page as people use it: files dropped into a real browser."""

import signal

import pytest

pytest.importorskip("starlette")
pytest.importorskip("playwright")

from tests.report.pages import LONGEST, LOOK, ROOT, judged

EXAMPLES = ROOT / "examples" / "taxonomy"


@pytest.fixture(scope="module")
def started(serving):
    return serving("--no-browser")


LOOKS = pytest.mark.parametrize(
    ("scheme", "width", "rules"), [("light", 1400, ()), ("dark", 390, LOOK)], ids=["desk", "phone"]
)


@pytest.fixture
def page(browser, started, scheme, width):
    opened = browser.new_page(color_scheme=scheme, viewport={"width": width, "height": 900})
    trouble = []
    opened.on("console", lambda message: trouble.append(message.text))
    opened.on("pageerror", lambda error: trouble.append(str(error)))
    opened.set_default_timeout(1000 * LONGEST)
    opened.goto(started[1])
    yield opened
    assert trouble == []
    opened.close()


@LOOKS
def test_someone_without_a_terminal_gets_a_report_by_keyboard(page, rules):
    judged(page, rules)
    page.set_input_files("#gold", EXAMPLES / "reference.owl")
    page.set_input_files("#pred", [EXAMPLES / "learned.ttl", EXAMPLES / "learned.csv"])
    page.focus("button[type=submit]")
    page.keyboard.press("Enter")
    page.wait_for_selector("#questions")
    assert page.locator("pre.lines").count() == 3
    judged(page, rules)
    page.focus("#questions input >> nth=1")
    page.keyboard.press("Space")
    page.focus("button:text-is('Score')")
    page.keyboard.press("Enter")
    page.wait_for_selector(".answer")
    judged(page, rules)
    assert "Are the edges the same, letter by letter?" in page.inner_text("main")
    command = page.inner_text("#command")
    assert command.startswith("goldassay taxonomy learned.ttl learned.csv --gold reference.owl -m literal")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.click("[data-copy]")
    assert page.wait_for_selector("text=Copied")
    assert page.evaluate("navigator.clipboard.readText()") == command
    page.click("text=Open the report page")
    page.wait_for_selector("#items .pane .row")
    with page.expect_download() as saved:
        page.click("#items-csv button")
    assert saved.value.suggested_filename.endswith(".csv")


def test_a_signal_ends_it_well_and_leaves_nothing(started):
    process, _, scratch = started
    process.send_signal(signal.SIGTERM)
    assert process.communicate(timeout=300)[1] == ""
    assert process.returncode == 0
    assert list(scratch.iterdir()) == []
