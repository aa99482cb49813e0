"""Reports of every family, their pages opened in a browser, and what to ask a page."""

import json
import os
import shutil
import time
from functools import cache
from pathlib import Path

import pytest

import goldassay
from goldassay.alignments import Alignment
from goldassay.axioms import Axioms
from goldassay.concepts import Concepts
from goldassay.core.significance import Resampling
from goldassay.graphs import Graph
from goldassay.labels import Labels
from goldassay.triples import TripleSet
from goldassay.unl import document_of
from goldassay.unl.model import Texts

ROOT = Path(__file__).resolve().parent.parent.parent
FETCHED = ROOT / ".venv" / "chromium"
# What has no window starts in half the time.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Containers often have little shared memory, where large pages die.
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-dev-shm-usage")
ODD = "<script>alert(1)</script>"


def chromium():
    known = (os.environ.get("GOLDASSAY_CHROMIUM"), *map(shutil.which, NAMES), str(FETCHED / "chromium"))
    return next((path for path in known if path and Path(path).exists()), None)


class Opened:
    """A page in the browser, and all that went wrong with what it shows."""

    def __init__(self, page):
        self.page, self.requests, self.trouble = page, [], []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("console", lambda message: self.trouble.append(message.text))
        page.on("pageerror", lambda error: self.trouble.append(str(error)))
        page.on("dialog", lambda dialog: (self.trouble.append(dialog.message), dialog.dismiss()))
        page.set_default_timeout(1000 * LONGEST)

    def show(self, address, *, scheme, size):
        """Show a report from the beginning."""
        self.page.goto("about:blank")
        self.requests.clear()
        self.trouble.clear()
        self.page.emulate_media(color_scheme=scheme, media="screen")
        self.page.set_viewport_size(size)
        self.page.goto(address)
        self.page.wait_for_selector("#items .pane .row, #none:not([hidden])")


def taxonomy():
    gold = Graph.from_edges([("leukemia", "cancer"), ("cancer", "disease"), (ODD, "disease"), ("flu", "disease")])
    pred = Graph.from_edges([("leukemias", "cancers"), ("cancer", "disease"), ("rain", ODD), ("a", "b"), ("b", "a")])
    return goldassay.evaluate(pred, gold=gold, measures=["fuzzy(threshold=0.5)", "literal"], encoder="hashing")


def two():
    """Two predictions with intervals, of whole branches of a hierarchy: one has them, one does not."""
    edges = [(f"leaf {n}", f"branch {n // 8}") for n in range(64)] + [(f"branch {n}", "root") for n in range(8)]
    near = [(child.replace("leaf", "leafs"), parent) for child, parent in edges if parent != "branch 5"]
    graphs = {"near.ttl": near, "far.ttl": edges[:20]}
    for name, kept in graphs.items():
        graphs[name] = Graph.from_edges(kept)
        object.__setattr__(graphs[name], "path", name)
    gold = Graph.from_edges(edges)
    measures = ["fuzzy(threshold=0.5)", "literal"]
    return goldassay.evaluate(
        [*graphs.values()], gold=gold, measures=measures, encoder="hashing", intervals=Resampling(resamples=500)
    )


def large():
    gold = Graph.from_edges([(f"child {n}", f"parent {n % 500}") for n in range(50_000)])
    pred = Graph.from_edges([(f"child {n}", f"parent {n % 499}") for n in range(50_000)])
    return goldassay.evaluate(pred, gold=gold, measures="literal")


def best():
    """Of two predictions the second has all of gold."""
    edges = [(f"leaf {n}", f"branch {n // 8}") for n in range(32)] + [(f"branch {n}", "root") for n in range(4)]
    return goldassay.evaluate(
        {"half": Graph.from_edges(edges[::2]), "whole": Graph.from_edges(edges)},
        gold=Graph.from_edges(edges),
        measures="literal",
        intervals=Resampling(resamples=200),
    )


REPORTS = {
    "large": large,
    "best": best,
    "taxonomy": taxonomy,
    "two": two,
    "axioms": lambda: goldassay.evaluate(
        Axioms.from_rows([("A", "b", "C"), ("A", ODD, "C")]), gold=Axioms.from_rows([("A", "c", "C")]), kind="axioms"
    ),
    "unl": lambda: goldassay.evaluate(
        document_of("[S:1] agt(see.@entry, Peter) obj(see, dog) [/S]"),
        gold=document_of("[S:1] agt(see.@entry, Mary) obj(see, dog) and:01(a, b) aoj(good, :01) mod(dog, dog) [/S]"),
        kind="unl",
    ),
    "alignment": lambda: goldassay.evaluate(
        Alignment.from_rows([("http://a.org/x#dog", "http://b.org/y#hound", "=", 0.9), ("http://a.org/x#cat", ODD, "=", 0.4)]),
        gold=Alignment.from_rows([("http://a.org/x#dog", "http://b.org/y#hound"), ("http://a.org/x#cat", "b#y", "<")]),
        kind="alignment",
    ),
    "concepts": lambda: goldassay.evaluate(
        Concepts.from_lists({"d1": ["aspirin", ODD], "d2": ["rest"]}),
        gold=Concepts.from_lists({"d1": ["aspirin", "heart"], "d3": ["flu"]}),
        kind="concepts",
        encoder="hashing",
    ),
    "triples": lambda: goldassay.evaluate(
        TripleSet.from_lists({"1": [("Oslo", "capital of", "Norway"), ("Oslo", "is", ODD)]}, texts={"1": "Oslo is in Norway."}),
        gold=TripleSet.from_lists({"1": [("Oslo", "capital of", "Norway"), ("Oslo", "lies at", "sea")]}, texts={"1": "Oslo is in Norway."}),
        kind="triples",
    ),
    "labels": lambda: goldassay.evaluate(
        Labels.from_rows([("1", "cat"), ("2", "dog")], edges=[("cat", "pet"), ("dog", "pet")]),
        gold=Labels.from_rows([("1", "dog"), ("2", "dog")], edges=[("cat", "pet"), ("dog", "pet")]),
        kind="labels",
    ),
    "sentences": lambda: goldassay.evaluate(
        Texts(ids=("1", "2"), wordings=((f"A cat {ODD}.",), ("It rains.",))),
        gold=Texts(ids=("1", "2", "3"), wordings=(("The cat.",), ("It rains.",), ("Snow falls.",))),
        kind="sentences",
    ),
}  # fmt: skip


@cache
def report_of(kind):
    return REPORTS[kind]()


@cache
def page_of(kind):
    return report_of(kind).format("html")


def texts(page, selector):
    return page.eval_on_selector_all(selector, "found => found.map((one) => one.textContent)")


LONGEST = 300
"""Seconds after which something that was waited for is taken for lost, on however busy a machine."""


def wait_until(holds, every=0.02):
    # The page forbids itself to evaluate strings, which is how playwright waits for conditions.
    until = time.monotonic() + LONGEST
    while not holds():
        assert time.monotonic() < until
        time.sleep(every)


def show(page, selector):
    """Scroll to something that is drawn when it comes near."""
    page.locator(selector).first.scroll_into_view_if_needed()


LOOK = ["color-contrast", "scrollable-region-focusable"]
"""What axe-core judges by colours and sizes. All else is the same in another theme, and on a phone."""


def axe(page, rules=()):
    """Let axe-core judge the page, by all rules or some; give what it found, in words."""
    source = ROOT / "packages" / "page" / "node_modules" / "axe-core" / "axe.min.js"
    if not source.exists():
        pytest.skip("axe-core is not installed: make page")
    page.evaluate(source.read_text())
    # What is as it should be is counted and not described: a third of the time.
    only = {"resultTypes": ["violations"], **({"runOnly": rules} if rules else {})}
    found = json.loads(page.evaluate(f"axe.run({json.dumps(only)}).then((found) => JSON.stringify(found.violations))"))
    return [f"{one['id']}: {node['html'][:160]} {node['failureSummary']}" for one in found for node in one["nodes"]]


def judged(page, rules=()):
    """Let the page be whole, no wider than the screen, and as axe-core wants it."""
    # A selector may be found before the style sheets have come: without them, a hash of 64 letters is too wide for a phone.
    page.wait_for_load_state()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing scrolls sideways"
    assert axe(page, rules) == []
