"""The report page next to a plain table of the same items, in one run: to make, to open, to scroll.

    python benchmarks/report_page.py PRED GOLD [--measure fuzzy] [--chromium chromium]

The plain table is what a notebook writes: one row of HTML an item. Each page is made in a process of its own, which
reports its peak memory; making it includes looking up the best counterparts (`make_cpu_s`: seconds of processor). Then it is opened from the disk in a
headless browser, until rows are painted. `own_kb` is the page without its data, `long_ms` the longest task until then.
Frames are those of 100 jumps over the whole list; of the map, those of 60 steps of zooming in, after it was drawn in
`map_s`, in tasks of `map_long_ms` at most; `choose_ms` is from a press on a row until it is marked in all views.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from html import escape
from pathlib import Path

DATA = r'<script type="application/json" id="data">.*?</script>'
HEAP = "performance.memory.usedJSHeapSize / 1e6"
ELEMENTS = "document.querySelectorAll('*').length"
LONG = """window.tasks = [];
new PerformanceObserver((list) => tasks.push(...list.getEntries().map((one) => one.duration)))
  .observe({ type: 'longtask', buffered: true });"""
LONGEST = "Math.max(0, ...tasks.splice(0))"
ZOOM = """async () => {
  const map = document.querySelector('.map-panel:not([hidden]) .over'), { left, top } = map.getBoundingClientRect(), times = [];
  let last = performance.now();
  for (let step = 0; step < 60; step++) {
    const turned = { deltaY: -40, ctrlKey: true, clientX: left + 300, clientY: top + 200, bubbles: true, cancelable: true };
    map.dispatchEvent(new WheelEvent('wheel', turned));
    await new Promise(requestAnimationFrame);
    const now = performance.now();
    times.push(now - last);
    last = now;
  }
  return times;
}"""
CHOOSE = """() => {
  const begin = performance.now();
  document.querySelector('#items .pane .row').dispatchEvent(new MouseEvent('mousedown', { bubbles: true }));
  return performance.now() - begin;
}"""
PAINT = "performance.getEntriesByType('paint')[0].startTime"
FRAMES = """async () => {
  const list = document.getElementById('items') ?? document.documentElement, times = [];
  let last = performance.now();
  for (let step = 0; step < 100; step++) {
    list.scrollTop = (step * list.scrollHeight) / 100;
    await new Promise(requestAnimationFrame);
    const now = performance.now();
    times.push(now - last);
    last = now;
  }
  return times;
}"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("pred")
    parser.add_argument("gold")
    parser.add_argument("--measure", default="fuzzy")
    parser.add_argument("--chromium", default=shutil.which("chromium"))
    parser.add_argument("--make", choices=("page", "plain"))
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    if given.make:
        make(given)
        return
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("page", "plain"):
            path = Path(folder, f"{kind}.html")
            command = [sys.executable, __file__, given.pred, given.gold, "--measure", given.measure]
            made = subprocess.run([*command, "--make", kind, "--out", path], check=True, capture_output=True)
            opened = open_in_browser(path, given.chromium)
            print(json.dumps({"kind": kind, **json.loads(made.stdout), **opened}))


def make(given):
    import goldassay

    report = goldassay.evaluate(given.pred, gold=given.gold, measures=given.measure, encoder=encoder())
    matching = report.runs[0].scores[0].matching
    begin, used = time.perf_counter(), time.process_time()
    if given.make == "page":
        report.save(given.out)
    else:
        plain_table(matching.table(), given.out)
    seconds, used = time.perf_counter() - begin, time.process_time() - used
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    size = given.out.stat().st_size / 1e6
    items = len(matching.pred_items) + len(matching.gold_items)
    made = {
        "items": items,
        "make_s": round(seconds, 2),
        "make_cpu_s": round(used, 2),
        "peak_mb": round(peak),
        "size_mb": round(size, 1),
    }
    if given.make == "page":
        made["own_kb"] = round(size * 1000 - len(re.search(DATA, given.out.read_text(), re.DOTALL)[0].encode()) / 1000)
    print(json.dumps(made))


def encoder():
    from goldassay.encoders import get_encoder

    return get_encoder("minilm", cache="default")


def plain_table(table, path):
    head = "".join(f"<th>{escape(name)}</th>" for name in table)
    rows = ("".join(f"<td>{escape(str(cell))}</td>" for cell in row) for row in zip(*table.values(), strict=True))
    body = "\n".join(f"<tr>{row}</tr>" for row in rows)
    path.write_text(f"<!DOCTYPE html><meta charset=utf-8><table><tr>{head}</tr>{body}</table>", encoding="utf-8")


def open_in_browser(path, chromium):
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.set_default_timeout(300_000)
        page.add_init_script(LONG)
        begin = time.perf_counter()
        page.goto(path.as_uri())
        page.wait_for_selector(".pane .row, td")
        page.evaluate("new Promise(requestAnimationFrame)")
        opened = time.perf_counter() - begin
        longest = round(page.evaluate(LONGEST))
        frames = page.evaluate(FRAMES)
        found = {
            "first_paint_s": round(page.evaluate(PAINT) / 1000, 2),
            "open_s": round(opened, 2),
            "frame_ms": round(statistics.median(frames)),
            "slowest_frame_ms": round(max(frames)),
            "elements": page.evaluate(ELEMENTS),
            "heap_mb": round(page.evaluate(HEAP)),
            "long_ms": longest,
            **(of_the_map(page) if page.locator("#map").count() else {}),
        }
        browser.close()
    return found


def of_the_map(page):
    page.evaluate(LONGEST)
    begin = time.perf_counter()
    page.evaluate("document.getElementById('map').scrollIntoView()")
    page.wait_for_selector(".map-panel .regions li")
    page.wait_for_timeout(1)
    drawn, longest = time.perf_counter() - begin, round(page.evaluate(LONGEST))
    frames = page.evaluate(ZOOM)
    return {
        "map_s": round(drawn, 2),
        "map_long_ms": longest,
        "zoom_frame_ms": round(statistics.median(frames)),
        "slowest_zoom_frame_ms": round(max(frames)),
        "choose_ms": round(page.evaluate(CHOOSE)),
    }


if __name__ == "__main__":
    main()
