"""The report page as people use it: opened from a disk, in a real browser, without a network."""

import csv
import io
import re
from contextlib import suppress

import pytest

pytest.importorskip("jinja2")
pytest.importorskip("playwright")

from tests.report.pages import LOOK, ODD, axe, page_of, show, texts, wait_until

import goldassay

pytestmark = pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
FAMILIES = ("taxonomy", "axioms", "unl", "sentences", "alignment", "concepts", "triples", "labels")


# Labels of a drawing with a point of an arrow inside them.
COVERED = """[...document.querySelectorAll('.drawing svg')].flatMap((svg) => [...svg.querySelectorAll('.label')].filter((label) => {
  const { x, y, width, height } = label.getBBox();
  return [...svg.querySelectorAll('path:not(.head-of-arrow)')].some((path) => Array.from({ length: 101 }, (_, part) =>
    path.getPointAtLength(path.getTotalLength() * part / 100)).some((at) => at.x > x && at.x < x + width && at.y > y && at.y < y + height));
}).map((label) => label.textContent))"""


# What comes near is noticed in one frame, and drawn before the end of the next one.
SCROLL = """async () => {
  for (let place = 0; place < document.body.scrollHeight; place += 500) {
    scrollTo(0, place);
    for (const frame of [1, 2]) await new Promise(requestAnimationFrame);
  }
}"""


def wait_for_text(page, selector, beginning):
    wait_until(lambda: page.text_content(selector).startswith(beginning))


def first_place(page):
    return int(page.get_attribute("#items .pane .row", "data-place"))


def first_items(page):
    return texts(page, "#items .pane .row > :nth-child(3)")


def row_of(page, words):
    return page.locator("#items .pane .row", has_text=words).first


def downloaded(page, selector):
    with page.expect_download() as found:
        page.click(selector)
    return list(csv.reader(io.StringIO(found.value.path().read_text())))


@pytest.mark.parametrize(("scheme", "width"), [("light", 1200), ("dark", 390)])
@pytest.mark.parametrize("kind", [*FAMILIES, "two"])
def test_the_page_opens_in_both_themes_on_a_desk_and_on_a_phone_and_anybody_can_use_it(opened, kind, scheme, width):
    page = opened(kind, scheme=scheme, width=width, height=780)
    colours = page.evaluate("[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]")
    brightness = [sum(map(int, re.findall(r"\d+", colour)[:3])) for colour in colours]
    assert (brightness[0] > brightness[1]) == (scheme == "light")
    score = page.locator(".forest:visible .score b").first.bounding_box()
    assert score["y"] + score["height"] < 780, "the first screen has a number"
    for number in reversed(range(page.locator("#measure option").count())):
        page.evaluate(
            "n => { const s = document.getElementById('measure'); s.value = n; s.dispatchEvent(new Event('change')) }",
            number,
        )
        assert page.locator("#items .pane .row").count() > 0
    row_of(page, "").click()
    page.evaluate(SCROLL)
    assert page.evaluate("document.documentElement.scrollWidth") <= width, "nothing but tables scrolls sideways"
    bare = "all => all.filter((one) => !one.parentElement.querySelector(':scope > .help p')?.textContent.trim()).map((one) => one.textContent)"
    assert page.eval_on_selector_all("h1, h2, h3, h4", bare) == [], "each heading has help"
    assert axe(page, LOOK if scheme == "dark" else ()) == []


def test_items_sort(opened):
    page = opened("taxonomy")
    page.click("#items .head button:has-text('item')")
    ascending = first_items(page)
    assert ascending == sorted(ascending, key=str.lower)
    page.click("#items .head button:has-text('item')")
    assert first_items(page) == sorted(ascending, key=str.lower, reverse=True)
    page.click("#items .head button:has-text('similarity')")
    shown = [float(text) for text in texts(page, "#items .pane .row > :nth-child(6)") if text]
    assert shown == sorted(shown, reverse=True)
    assert page.get_attribute("#items .head > :nth-child(6)", "aria-sort") == "descending"


def test_a_triple_is_three_cells_without_its_document(opened):
    page = opened("triples")
    cells = page.eval_on_selector_all(
        "#items .pane .row .triple", "found => found.map((one) => [...one.children].map((part) => part.textContent))"
    )
    assert ["Oslo", "capital of", "Norway"] in cells
    assert ["Oslo", "is", ODD] in cells
    assert {len(parts) for parts in cells} == {3}
    whole = "found => found.every((one) => [...one.children].every((part) => part.scrollWidth <= part.clientWidth + 1))"
    assert page.eval_on_selector_all("#items .pane .row .triple:not([title*='<'])", whole)


def test_names_are_whole_where_other_columns_leave_room(opened):
    page = opened("two", width=1400)
    whole = "found => found.every((one) => one.scrollWidth <= one.clientWidth + 1)"
    for column in (3, 4, 5):
        assert page.eval_on_selector_all(f"#items .pane .row > :nth-child({column})", whole), column


def test_the_page_opens_on_the_best_prediction(opened):
    page = opened("two")
    best = page.text_content(".forest:not([hidden]) .forest-row:not(.forest-head) .who a")
    assert page.eval_on_selector("#run", "run => run.selectedOptions[0].textContent") == best
    assert best == page.locator("#run option").first.text_content()
    page = opened("best")
    assert page.eval_on_selector("#run", "run => run.selectedOptions[0].textContent") == "whole"
    page.select_option("#run", "0")
    assert page.eval_on_selector("#run", "run => run.selectedOptions[0].textContent") == "half"
    assert "run=0" in page.url


def test_a_map_without_misses_says_so(opened):
    page = opened("best")
    page.locator("#map").scroll_into_view_if_needed()
    wait_until(lambda: "the prediction has every edge of gold" in page.text_content("#map"))


def test_on_a_phone_the_headline_of_every_table_needs_no_swipe(opened):
    for kind in ("two", "triples", "best"):
        page = opened(kind, width=390, height=780)
        for table in page.locator("#values table").all():
            heads = table.locator("thead th")
            if "f1" in (names := heads.all_text_contents()):
                box = heads.nth(names.index("f1")).bounding_box()
                assert box["x"] + box["width"] <= 390, kind


def test_items_are_filtered_and_searched_by_words_in_any_order(opened):
    page = opened("taxonomy")
    everything = page.locator("#items .pane .row").count()
    page.click("#verdicts button[data-word=hit]")
    assert "hit" not in texts(page, "#items .pane .verdict")
    page.click("#verdicts button[data-word=hit]")
    page.click("#sides button[data-word=pred]")
    assert set(texts(page, "#items .pane .row > :nth-child(2)")) == {"gold"}
    page.click("#sides button[data-word=pred]")
    assert page.locator("#items .pane .row").count() == everything
    page.fill("#search", "cancers  LEUKEMIAS")
    wait_until(lambda: page.locator("#items .pane .row").count() < everything)
    assert all("leukemias -> cancers" in text for text in texts(page, "#items .pane .row"))
    page.fill("#search", "nothing like it")
    wait_for_text(page, "#shown", "0 of")
    assert page.locator("#none").is_visible()


def test_another_measure_shows_its_own_items_charts_and_forest_plot(opened):
    page = opened("taxonomy")
    assert page.locator("#charts figure:visible").count() == 2
    assert page.locator(".forest:visible code").inner_text() == "fuzzy(threshold=0.5)"
    page.click("#switch button:has-text('literal')")
    assert page.locator("#charts").is_hidden()
    assert page.locator("nav a[href='#charts']").is_hidden()
    assert page.input_value("#measure") == "1"
    assert page.locator(".forest:visible code").inner_text() == "literal"
    assert "child present" in texts(page, "#items .head button")


def test_errors_of_a_kind_are_one_click_away(opened):
    page = opened("two")
    bars = page.locator("#errors figure:visible tbody tr")
    for place in range(bars.count()):
        kind, side = bars.nth(place).locator("th, td").all_inner_texts()[:2]
        for link in bars.nth(place).locator("a").all():
            number = int(link.inner_text().split("\n")[0].split()[0])
            link.click()
            assert page.input_value("#run") == link.get_attribute("data-of-run")
            wait_for_text(page, "#shown", f"{number} of")
            assert page.text_content("#chips button") == f"error {kind} ✕"
            assert set(texts(page, "#items .pane .row > :nth-child(2)")) == {side}
    page.click("#switch button:has-text('literal')")
    assert page.locator("#errors figure:visible code").inner_text() == "literal"


def test_a_kind_that_is_the_only_group_is_listed_too(browser, tmp_path):
    gold = [("cat", "pet"), ("dog", "pet")]
    report = goldassay.evaluate([("cat", "cow"), ("dog", "sow")], gold=gold, measures="literal")
    report.save(tmp_path / "page.html")
    page = browser.new_page()
    page.goto((tmp_path / "page.html").as_uri())
    page.locator("#errors td a").first.click()
    wait_for_text(page, "#shown", "2 of 4")
    page.close()


def test_a_node_that_is_a_script_stays_text(opened):
    page = opened("taxonomy")
    assert f"rain -> {ODD}" in first_items(page)
    show(page, "#trees")
    page.fill(".tree-panel:visible input", "alert(1) script")
    page.press(".tree-panel:visible input", "Enter")
    assert page.text_content(".tree-panel:visible output") == f"gold: {ODD}; prediction: {ODD}"
    assert texts(page, ".tree-panel .found > :nth-child(3)") == [ODD, ODD]
    page.fill(".tree-panel:visible input", "cancer")
    message = []
    for _ in range(3):
        page.press(".tree-panel:visible input", "Enter")
        message.append(page.text_content(".tree-panel:visible output").partition("; ")[2])
    assert message == ["prediction: cancer (1 of 2)", "prediction: cancers (2 of 2)", "prediction: cancer (1 of 2)"]
    show(page, "#map")
    assert page.locator("script").count() == 2


def test_the_keyboard_reaches_every_item(opened):
    page = opened("taxonomy")
    page.focus("#items")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert page.get_attribute("#items", "aria-activedescendant") == "row-1"
    page.keyboard.press("End")
    count = page.locator("#items .pane .row").count()
    assert page.get_attribute(f"#row-{count - 1}", "aria-selected") == "true"
    assert first_items(page)[-1] in page.inner_text("[data-detail=items]")


def test_the_tree_folds_by_keyboard_and_shows_cycles(opened):
    page = opened("taxonomy")
    show(page, "#trees")
    page.fill(".tree-panel:visible input", "b")
    page.press(".tree-panel:visible input", "Enter")
    tree = page.locator(".tree-panel:visible .tree[aria-label=Prediction]")
    assert "↻ cycle" in tree.inner_text()
    tree.locator("[role=treeitem]").first.focus()
    for key, expected in (("ArrowLeft", "false"), ("ArrowRight", "true"), (" ", "false")):
        page.keyboard.press(key)
        assert tree.locator("[role=treeitem]").first.get_attribute("aria-expanded") == expected


def test_the_numbers_at_a_node_are_those_of_its_whole_branch(opened):
    page = opened("two")
    show(page, "#trees")
    gold = page.locator(".tree-panel:visible .tree[aria-label='Gold standard']")
    gold.wait_for()
    assert gold.locator(".node:has-text('root') .count").first.inner_text() == "66 / 72"
    assert gold.locator(".node:has-text('branch 5') .count").inner_text() == "2 / 8"


TOPS = """() => Object.fromEntries([...document.querySelectorAll('.tree-panel')].filter((one) => one.offsetParent).flatMap((panel) =>
  [...panel.querySelectorAll('.tree')].map((tree) => [tree.getAttribute('aria-label'), Object.fromEntries([...tree.querySelectorAll('.node')]
    .filter((line) => line.offsetParent).map((line) => [line.children[2].textContent, Math.round(line.getBoundingClientRect().top)]))])))"""


def test_nodes_that_belong_together_are_in_one_line_and_are_opened_and_scrolled_together(opened):
    page = opened("two")
    show(page, "#trees")
    gold = page.locator(".tree-panel:visible .tree[aria-label='Gold standard']")
    pred = page.locator(".tree-panel:visible .tree[aria-label=Prediction]")

    def places():
        page.wait_for_timeout(100)
        return page.evaluate(TOPS)

    def assert_aligned(names):
        found = places()
        for one, other in names:
            assert abs(found["Gold standard"][one] - found["Prediction"][other]) <= 1, (one, other)

    branches = [(name, name) for name in ("root", *(f"branch {n}" for n in range(8)))]
    gold.locator(".node:has-text('branch 5') .fold").click()  # which has no children in the prediction
    assert "leaf 47" in places()["Gold standard"]
    assert_aligned(branches)
    for tree, leaf in ((gold, "branch 6"), (pred, "branch 7")):
        tree.locator(f".node:has-text('{leaf}') .fold").click()
    assert_aligned([*branches, *((f"leaf {n}", f"leafs {n}") for n in range(48, 64))])
    gold.evaluate("tree => { tree.scrollTop = 200 }")
    assert_aligned(branches)
    assert pred.evaluate("tree => tree.scrollTop") == 200


def test_trees_below_each_other_have_no_gaps(opened):
    page = opened("two", width=390)
    show(page, "#trees")
    page.locator(".tree-panel:visible .tree").first.wait_for()
    page.wait_for_timeout(100)
    gaps = "all => all.filter((one) => one.style.marginTop || one.style.paddingBottom || one.style.marginBottom).length"
    assert page.eval_on_selector_all(".tree-panel:visible .tree *", gaps) == 0


def test_trees_show_errors_by_kind_and_lead_from_one_to_the_next(opened):
    page = opened("two")
    page.select_option("#run", label="far.ttl")
    page.select_option("#measure", label="literal")
    show(page, "#trees")
    kinds = page.locator(".tree-panel:visible .kinds button")
    kinds.first.wait_for()
    assert kinds.all_inner_texts() == ["child and parent unknown 45", "child unknown 4", "parent unknown 3"]
    found = []
    for _ in range(2):
        kinds.last.click()
        found += texts(page, ".tree-panel .chosen > :nth-child(3)")
        assert texts(page, ".tree-panel .chosen > :nth-child(5)")[-1:] == ["parent unknown"]
        # The child is known: it is shown where the prediction has it.
        assert texts(page, ".tree[aria-label=Prediction] .found > :nth-child(3)") == found[-1:]
    assert len(set(found)) == 2


def test_a_chosen_item_is_marked_in_both_trees_and_is_next_to_its_counterpart(opened):
    page = opened("two")
    page.fill("#search", "leaf 63")
    wait_for_text(page, "#shown", "2 of")
    row_of(page, "goldleaf 63").click()
    assert texts(page, ".tree-panel .chosen > :nth-child(3)") == ["leaf 63"]
    assert texts(page, ".tree-panel .counterpart > :nth-child(3)") == ["leafs 63"]
    cells = texts(page, "[data-detail=trees] tbody tr > *")
    assert cells[:3] == ["child", "leaf 63", "leafs 63"]
    assert 0.5 < float(cells[3]) < 1
    assert cells[4:8] == ["parent", "branch 7", "branch 7", "1.0000"]
    page.click("[data-detail=items] button:has-text('Choose the counterpart')")
    assert texts(page, ".tree-panel .chosen > :nth-child(3)") == ["leafs 63"]
    assert texts(page, "#items .row[aria-selected=true] > :nth-child(2)") == ["pred"]
    page.click("[data-detail=items] button:has-text('Choose none')")
    assert page.locator(".chosen, .counterpart, .row[aria-selected=true]").count() == 0


def test_a_node_that_is_chosen_in_a_tree_is_chosen_in_the_list(opened):
    page = opened("two")
    show(page, "#trees")
    gold = page.locator(".tree-panel:visible .tree[aria-label='Gold standard']")
    gold.locator(".node:has-text('branch 5')").click()
    assert texts(page, "#items .row[aria-selected=true] > :nth-child(3)") == ["branch 5 -> root"]
    assert page.locator(".counterpart").count() == 1


def test_a_bar_a_point_and_a_group_filter_the_list(opened):
    page = opened("two")
    show(page, "#charts")
    histogram = page.locator("#charts figure:visible", has_text="Similarity to the best").locator(".plot")
    histogram.focus()
    page.keyboard.press("End")
    message = histogram.get_attribute("aria-valuetext")
    count, verdict = re.match(r"([\d,]+) (\w+)", message).groups()
    page.keyboard.press("Enter")
    assert page.inner_text("#shown").startswith(f"{count} of")
    assert set(texts(page, "#items .pane .verdict")) == {verdict}
    assert page.evaluate("document.activeElement.id") == "items"
    page.click(".chip")
    assert page.inner_text("#shown") == "136 of 136"
    curve = page.locator("#charts figure:visible", has_text="Every threshold").locator(".plot")
    curve.focus()
    page.keyboard.press("End")
    at = float(re.search(r"threshold ([\d.]+)", curve.get_attribute("aria-valuetext"))[1])
    page.keyboard.press("Enter")
    shown = [float(text) for text in texts(page, "#items .pane .row > :nth-child(6)")]
    assert shown
    assert all(0.5 <= similarity <= at + 1e-4 for similarity in shown)
    page.click("table[data-group=branch] td button:has-text('branch 5') >> visible=true")
    assert 0 < int(page.inner_text("#shown").split()[0]) < 136
    assert page.locator(".chip").inner_text().startswith("branch branch 5")


def test_the_address_keeps_what_is_chosen(opened):
    page = opened("two")
    page.select_option("#run", label="far.ttl")
    page.fill("#search", "4 leaf 3")
    wait_until(lambda: page.locator("#items .pane .row").count() < 20)
    page.click("#sides button[data-word=pred]")
    page.click("#items .head button:has-text('item')")
    page.click("table[data-group=branch] th button:has-text('recall') >> visible=true")
    row_of(page, "leaf 33").click()
    show(page, "#trees")
    gold = page.locator(".tree-panel:visible .tree[aria-label='Gold standard']")
    gold.locator(".node:has-text('branch 6') .fold").click()
    gold.locator(".node:has-text('branch 7') .fold").click()
    gold.locator(".node:has-text('branch 7') .fold").click()
    show(page, "#map")
    page.click(".map-panel:visible button:has-text('By meaning')")
    fragment = page.evaluate("location.hash")
    again = opened("two", fragment=fragment)
    assert again.input_value("#run") == "1"
    assert again.input_value("#search") == "4 leaf 3"
    assert again.get_attribute("#sides button[data-word=pred]", "aria-pressed") == "false"
    assert again.inner_text("#shown") == page.inner_text("#shown")
    assert texts(again, "#items .row[aria-selected=true] > :nth-child(3)") == ["leaf 33 -> branch 4"]
    assert texts(again, ".tree-panel .chosen > :nth-child(3)") == ["leaf 33"]
    assert first_items(again) == first_items(page)
    assert again.get_attribute("#items .head > :nth-child(3)", "aria-sort") == "ascending"
    rows = "table[data-group=branch]:visible td:first-child"
    assert again.locator(rows).all_inner_texts() == page.locator(rows).all_inner_texts()
    assert again.locator("table[data-group=branch]:visible th[aria-sort=descending]").inner_text() == "recall"
    open_ones = ".tree[aria-label='Gold standard'] [aria-expanded=true] > .node > :nth-child(3)"
    assert texts(again, open_ones) == texts(page, open_ones)
    assert "branch 6" in texts(again, open_ones)
    show(again, "#map")
    again.wait_for_selector(".map-panel:visible [data-value=meaning][aria-pressed=true]")
    wrong = opened("two", fragment="#run=9&measure=x&item=gold:99999&similarity=a:b&group=no:where&entry=7:7")
    assert wrong.input_value("#run") == "0"


def test_sections_have_anchors_and_a_link_keeps_the_choice(opened):
    page = opened("two")
    page.select_option("#run", label="far.ttl")
    page.click("nav a[href='#groups']")
    assert page.evaluate("location.hash") == "#groups&run=1"
    assert abs(page.locator("#groups").bounding_box()["y"]) < 120
    again = opened("two", fragment="#groups&run=1")
    wait_until(lambda: abs(again.locator("#groups").bounding_box()["y"]) < 120)
    assert again.input_value("#run") == "1"


def test_the_map_shows_what_was_missed_and_chooses_it(opened):
    page = opened("two")
    show(page, "#map")
    page.wait_for_selector(".map-panel:visible .regions li")
    assert texts(page, ".map-panel:visible .regions li:first-child button") == ["branch 5"]
    assert "6 of 9 edges" in page.inner_text(".map-panel:visible .regions li:first-child")
    page.click(".map-panel:visible .regions li:first-child button")
    page.wait_for_timeout(150)
    canvas = page.locator(".map-panel:visible .over")
    box = canvas.bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.6, box["y"] + box["height"] * 0.6)
    tip = page.locator(".map-panel:visible .tip")
    assert "missed" in tip.inner_text()
    assert "below branch 5" in tip.inner_text()
    canvas.click(position={"x": box["width"] * 0.6, "y": box["height"] * 0.6})
    (leaf,) = texts(page, "#items .row[aria-selected=true] > :nth-child(3)")
    assert leaf.endswith("-> branch 5")
    page.click(".map-panel:visible button:has-text('Prediction')")
    # A hierarchy is arranged in steps, between which the page stays usable.
    wait_until(lambda: "64 hit" in page.inner_text(".map-panel:visible .legend"))


def test_by_meaning_an_edge_lies_next_to_those_that_are_like_it(opened):
    page = opened("two")
    show(page, "#map")
    page.click(".map-panel:visible button:has-text('By meaning')")
    page.wait_for_selector(".map-panel:visible .over[aria-label*='by meaning: 66 hit, 6 missed']")
    assert texts(page, ".map-panel:visible .regions .caption")[0].startswith("Regions with most missed")
    name = ".map-panel:visible .regions li:first-child button"
    assert "branch 5" in page.inner_text(name), "what is missed is below one branch, and its leaves are alike"
    page.click(name)
    assert page.inner_text(".map-panel:visible .tip").startswith("below branch 5")
    canvas = page.locator(".map-panel:visible .over")
    box = canvas.bounding_box()
    canvas.click(position={"x": box["width"] / 2, "y": box["height"] / 2})
    assert page.locator("#items .row[aria-selected=true]").count() == 1
    page.click("#switch button:has-text('literal')")
    show(page, "#map")
    page.wait_for_selector(".map-panel:visible .over[aria-label*='by meaning']")


@pytest.mark.parametrize("by", ["branch", "meaning"])
def test_the_keyboard_moves_over_the_map_and_chooses(opened, by):
    page = opened("two", fragment=f"#map=gold.{by}")
    show(page, "#map")
    page.wait_for_selector(f".map-panel:visible .over[aria-label*='by {by}']")
    page.focus(".map-panel:visible [data-value=pred]")
    message = ".map-panel:visible output"

    def press(key):
        page.keyboard.press(key)
        return page.inner_text(message)

    while page.evaluate("document.activeElement.getAttribute('role')") != "application":
        page.keyboard.press("Tab")
    seen = [page.inner_text(message), *(press(key) for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"))]
    assert len(set(seen)) > 2, "arrows move from region to region"
    assert all("Enter looks inside" in text for text in seen)
    drawn = "document.querySelector('.map-panel:not([hidden] *) canvas').toDataURL()"
    whole = page.evaluate(drawn)
    for _ in range(8):
        if "Enter looks inside" not in press("Enter"):
            break
    wait_until(lambda: page.evaluate(drawn) != whole)
    (item,) = re.findall(r"^(.*) below (.*); [^;]*; ", page.inner_text(message))
    before = page.inner_text(message)
    press("Enter")
    assert texts(page, "#items .row[aria-selected=true] > :nth-child(3)") == [" -> ".join(item)]
    assert press("Backspace") != before
    assert "Enter looks inside" in page.inner_text(message)
    press("Home")
    assert page.inner_text(message) == before, "who comes back begins at what is chosen"


def test_graphs_are_drawn(opened):
    page = opened("unl")
    show(page, "#graphs")
    page.wait_for_selector(".drawing svg")
    assert page.locator(".drawing svg").count() == 2
    assert "\N{MINUS SIGN} agt" in texts(page, ".drawing .label")
    assert "✓ obj" in texts(page, ".drawing .label")
    assert page.evaluate(COVERED) == []


def test_texts_are_next_to_gold_with_edits_by_words(opened):
    page = opened("sentences")
    show(page, "#texts")
    page.wait_for_selector(".texts article")
    assert "no prediction" in texts(page, ".texts article .told")[0]
    article = page.locator(".texts article", has_text="A cat")
    assert texts(page, ".texts article:nth-child(2) .half .caption") == ["Gold standard", "Prediction"]
    gold, pred = (article.locator(f".half:nth-child({place}) mark") for place in (1, 2))
    assert gold.first.inner_text().startswith("The")
    assert pred.first.inner_text().startswith("A")
    pred.first.click()
    assert "lit" in gold.first.get_attribute("class")
    pred.first.press("Enter")
    assert "lit" not in gold.first.get_attribute("class")


def test_a_click_on_a_concept_shows_its_counterpart(opened):
    page = opened("concepts")
    show(page, "#texts")
    page.wait_for_selector(".texts article")
    page.locator(".texts .half:nth-child(1) mark.linked", has_text="aspirin").click()
    assert page.locator(".texts .half:nth-child(2) mark.lit", has_text="aspirin").count() == 1


def test_a_chosen_item_is_shown_in_its_text_and_in_its_graph(opened):
    page = opened("concepts")
    row_of(page, "goldd1: aspirin").click()
    page.click("[data-detail=items] button:has-text('Show in its text')")
    page.wait_for_selector(".texts mark.lit")
    assert [text.split(" (")[0] for text in texts(page, ".texts mark.lit")] == ["aspirin", "aspirin"]
    page = opened("triples")
    row_of(page, "capital of").click()
    page.click("[data-detail=items] button:has-text('Show in its graph')")
    page.wait_for_selector(".drawing svg")
    assert page.locator("#graphs").bounding_box()["y"] < 200


def test_a_row_of_the_forest_plot_shows_its_values_to_the_pointer_and_to_the_keyboard(opened):
    page = opened("two")
    scale = page.locator(".forest:visible .scale[role=img]").first
    tip = scale.locator(".tip")
    assert tip.is_hidden()
    scale.hover()
    assert tip.is_visible()
    page.mouse.move(0, 0)
    assert tip.is_hidden()
    page.focus(".forest:visible .who a")
    page.keyboard.press("Tab")
    assert tip.is_visible()
    assert re.match(r"near\.ttl\nscore 0\.\d+\ninterval 0\.\d+ to [01]\.\d+", tip.inner_text())


def test_the_theme_can_be_turned(opened):
    page = opened("taxonomy")
    before = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.click("#theme")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != before
    assert page.inner_text("#theme") == "Light theme"


def test_all_signatures_are_copied_at_once(opened, browser):
    from playwright.sync_api import TimeoutError as TooLate

    page = opened("two")
    for _ in range(20):
        page.bring_to_front()  # only a page in front may write to the clipboard, and on a busy machine it comes there late
        page.click("#copy")
        with suppress(TooLate):
            page.wait_for_selector("#copy:has-text('Copied')", timeout=5_000)
            break
    page.evaluate("document.body.prepend(Object.assign(document.createElement('textarea'), { id: 'pasted' }))")
    page.focus("#pasted")
    page.keyboard.press("Control+V")
    pasted = page.input_value("#pasted").splitlines()
    assert len(pasted) == 4
    assert all("goldassay:" in line for line in pasted)


def test_what_is_shown_can_be_downloaded(opened):
    page = opened("taxonomy")
    page.fill("#search", "rain")
    wait_for_text(page, "#shown", "1 of")
    head, row = downloaded(page, "#items-csv button")
    assert head[:4] == ["verdict", "side", "item", "counterpart"]
    assert row[2] == f"rain -> {ODD}"
    values = downloaded(page, "[data-csv-of=block-0] button")
    assert values[0][:4] == ["prediction", "precision", "recall", "f1"]
    show(page, "#charts")
    page.wait_for_selector("#charts figure:visible .chart-head button")
    curve = downloaded(page, "#charts figure:visible .chart-head button >> nth=0")
    assert curve[0] == ["threshold", "precision", "recall", "f1"]
    assert len(curve) > 3


def test_long_names_are_shown_without_their_namespace(opened):
    page = opened("alignment")
    assert "dog" in " ".join(first_items(page))
    assert "http://a.org" not in " ".join(texts(page, "#items .pane .row"))
    assert page.get_attribute("#items .pane .row:has-text('hound') > :nth-child(3) span", "title").startswith(
        "http://a.org/x#dog"
    )
    assert "http://a.org/x#" in page.inner_text("#namespaces")


def test_a_wide_page_uses_its_width_and_cuts_no_number(opened):
    page = opened("two", width=1400)
    show(page, "#charts")
    page.wait_for_selector("#charts .plot svg")
    widths = page.eval_on_selector_all(
        "#charts figure:not([hidden]) .plot svg", "all => all.map((one) => one.clientWidth)"
    )
    assert min(widths) > 500
    cut = (
        "all => all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.getAttribute('aria-label'))"
    )
    assert page.eval_on_selector_all(".scroll:not([hidden] *)", cut) == []


def test_in_print_there_are_whole_tables_and_the_first_items(opened):
    page = opened("two")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert page.locator("#printed tbody tr").count() == 136
    assert not page.locator("#items").is_visible()
    assert page.locator(".forest:visible").count() == 2
    assert page.locator("#signatures li:visible").count() == 4
    assert page.locator(".tree:visible").count() == 2
    assert page.locator("#charts .plot svg:visible").count() == 2
    page.set_viewport_size({"width": 720, "height": 1000})
    wider = "all => all.filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== 'visible').length"
    assert page.eval_on_selector_all(".scroll", wider) == 0
    assert page.eval_on_selector_all(".block table", "all => Math.max(...all.map((one) => one.offsetWidth))") <= 720


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


def test_from_the_forest_plot_to_a_missed_edge_in_both_trees_by_keyboard_only(opened):
    page = opened("two")

    def tab_to(holds, most=60):
        for _ in range(most):
            page.keyboard.press("Tab")
            if page.evaluate(holds):
                return
        raise AssertionError(f"the keyboard does not reach what {holds} says")

    tab_to("() => document.activeElement.closest('.forest-row') && document.activeElement.textContent === 'near.ttl'")
    page.keyboard.press("Enter")
    tab_to("() => document.activeElement.getAttribute('href') === '#items-section'", 12)
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "items"
    page.keyboard.press("ArrowDown")
    assert texts(page, "#items .row[aria-selected=true] .verdict") == ["missed"]
    (missed,) = texts(page, "#items .row[aria-selected=true] > :nth-child(3)")
    tab_to("() => document.activeElement.textContent === 'Show in both trees'", 16)
    page.keyboard.press("Enter")
    at = "document.activeElement.querySelector('.node').textContent"
    assert missed.split(" -> ")[0] in page.evaluate(at)
    assert "Gold standard" in page.evaluate("document.activeElement.closest('.tree').getAttribute('aria-label')")
    tab_to("() => document.activeElement.closest('.tree')?.getAttribute('aria-label') === 'Prediction'", 3)
    tab_to("() => document.activeElement.textContent === 'Choose the counterpart'", 4)
    page.keyboard.press("Enter")
    assert texts(page, ".tree[aria-label=Prediction] .chosen .sign") != []


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
