import base64
import hashlib
import json
import math
import re
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import goldassay
from goldassay.alignments import Alignment
from goldassay.axioms import Axioms
from goldassay.concepts import Concepts
from goldassay.concepts.model import Mention, lay_out
from goldassay.core.panel import Bars, Lines, Mark, MarkedText, Panel, Texts, Tree, build_breakdown_tables
from goldassay.core.text import NumberFormat
from goldassay.families import all_measures
from goldassay.graphs import Graph
from goldassay.labels import Labels
from goldassay.report import html
from goldassay.report.evidence import is_cut_by_similarity
from goldassay.report.pictures import Columns, as_table, chart_of, describe_chart, embed_json
from goldassay.report.results import Listed
from goldassay.triples import TripleSet
from goldassay.unl import document_of
from goldassay.unl.model import Texts as Sentences

pytest.importorskip("jinja2")

ODD = "<script>alert(1)</script>"
GOLD = Graph.from_edges([("leukemia", "cancer"), ("cancer", "disease"), (ODD, "disease")])
PRED = Graph.from_edges([("leukemias", "cancers"), ("cancer", "disease"), ("rain", ODD)])


class Parsed(HTMLParser):
    """The elements of a page, as a browser would see them."""

    def __init__(self, page):
        super().__init__()
        self.elements = []
        self.data = ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data):
        if self.elements and self.elements[-1] == ("script", {"type": "application/json", "id": "data"}):
            self.data += data


@pytest.fixture(scope="module")
def report():
    return goldassay.evaluate(PRED, gold=GOLD, measures=["literal", "fuzzy(threshold=0.5)"], encoder="hashing")


@pytest.fixture(scope="module")
def page(report):
    return report.format("html")


def column(data, table, name):
    described = next(one for one in table["columns"] if one["name"] == name)
    packed = base64.b64decode(data["arrays"][described["array"]]["bytes"])
    if described["type"] == "number":
        return np.frombuffer(packed, "<f4").tolist()
    return [None if code < 0 else data["texts"][code] for code in np.frombuffer(packed, "<i4").tolist()]


def test_nothing_in_the_page_leads_outside(page):
    parsed = Parsed(page)
    addresses = [value for _, attrs in parsed.elements for name, value in attrs.items() if name in {"src", "href"}]
    assert {address for address in addresses if not address.startswith("#")} == {"data:,"}
    places = {attrs.get("id") for _, attrs in parsed.elements}
    assert {address[1:] for address in addresses if address.startswith("#")} <= places
    assert "@import" not in page
    assert "url(" not in page.partition("<body>")[0]


def test_only_the_script_of_the_page_may_run(page):
    script = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    assert len(script) == 1
    digest = base64.b64encode(hashlib.sha256(script[0].encode()).digest()).decode()
    assert f"default-src 'none'; script-src 'sha256-{digest}'" in page


def test_every_text_stays_text(page):
    scripts = [attrs for tag, attrs in Parsed(page).elements if tag == "script"]
    assert scripts == [{"type": "application/json", "id": "data"}, {}]
    assert f"rain -> {ODD}" in json.loads(Parsed(page).data)["texts"]


def test_the_items_are_all_there_and_the_misses_come_first(report, page):
    data = json.loads(Parsed(page).data)
    for place, score in enumerate(report.runs[0].scores):
        table, whole = data["items"][0][place], score.matching.table()
        assert sorted(column(data, table, "item")) == sorted(whole["item"])
        verdicts = column(data, table, "verdict")
        assert sorted(verdicts) == sorted(whole["verdict"])
        assert verdicts == sorted(verdicts, key=html.ORDER.__getitem__)
        missed = [s for s, v in zip(column(data, table, "similarity"), verdicts, strict=True) if v == "missed"]
        assert [s for s in missed if s == s] == sorted((s for s in missed if s == s), reverse=True)  # noqa: PLR0124


def test_what_does_not_fit_is_reported(report, monkeypatch):
    monkeypatch.setattr(html, "ROWS", 2)
    table = json.loads(Parsed(report.format("html")).data)["items"][0][0]
    assert (table["rows"], table["total"]) == (2, 6)


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize(
    ("kind", "pred", "gold"),
    [
        ("taxonomy", PRED, GOLD),
        ("taxonomy", Graph.from_edges([]), GOLD),
        ("taxonomy", Graph.from_edges([("a", "b"), ("b", "a"), ("c", "c")]), GOLD),
        ("axioms", Axioms.from_rows([("A", "b", "C")]), Axioms.from_rows([("A", "c", "C"), ("A", "d", ODD)])),
        ("axioms", Axioms.from_rows([]), Axioms.from_rows([("A", "b", "C")])),
        ("unl", document_of("[S:1] agt(a, b) [/S]"), document_of("[S:1] agt:01(a, b) obj(c, :01) [/S] [S:2] mod(a, a) [/S]")),
        ("concepts", Concepts.from_lists({"1": [ODD], "2": []}), Concepts.from_lists({"1": ["b"], "3": ["c"]})),
        ("alignment", Alignment.from_rows([("a", "b", "=", 0.9), ("c", ODD, "=", 0.4)]), Alignment.from_rows([("a", "b")])),
        ("alignment", Alignment.from_rows([]), Alignment.from_rows([("a", "b")])),
        ("concepts", Concepts.from_lists({}), Concepts.from_lists({"1": ["b"]})),
        ("unl", document_of(""), document_of("[S:1] agt(a, b) [/S]")),
        ("sentences", Sentences(ids=("1", "2"), wordings=(("A cat.",), (ODD,))),
         Sentences(ids=("1", "3"), wordings=(("The cat.",), ("A dog",)))),
    ],
)  # fmt: skip
def test_every_family_has_a_page(kind, pred, gold):
    report = goldassay.evaluate([pred, pred], gold=gold, kind=kind, encoder="hashing")
    data = json.loads(Parsed(report.format("html")).data)
    assert len(data["items"]) == 2
    assert all(table is not None for row in data["items"] for table in row)


SAMPLES = {
    "taxonomy": (PRED, GOLD),
    "axioms": (Axioms.from_rows([("A", "b", "C")]), Axioms.from_rows([("A", "c", "C"), ("A", "d", "C")])),
    "alignment": (
        Alignment.from_rows([("a", "b", "=", 0.9), ("c", "d", "=", 0.4)]),
        Alignment.from_rows([("a", "b"), ("c", "e")]),
    ),
    "concepts": (
        lay_out([("1", "", [Mention("a", "a", "C1", kinds="T047")])]),
        lay_out([("1", "", [Mention("b", "b", "C2", kinds="T047")])]),
    ),
    "triples": (
        TripleSet.from_lists({"1": [("a", "is", "b")]}, texts={"1": "a is b"}),
        TripleSet.from_lists({"1": [("a", "is", "c")]}, texts={"1": "a is c"}),
    ),
    "labels": (
        Labels.from_rows([("1", "cat")], edges=[("cat", "pet"), ("dog", "pet")]),
        Labels.from_rows([("1", "dog")], edges=[("cat", "pet"), ("dog", "pet")]),
    ),
    "unl": (document_of("[S:1] agt(a, b) [/S]"), document_of("[S:1] obj(a, b) [/S]")),
    "sentences": (Sentences(ids=("1",), wordings=(("A",),)), Sentences(ids=("1",), wordings=(("B",),))),
}


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize(
    "measure",
    # It needs the weights of a language model.
    [measure for measure in all_measures().values() if measure.name != "g_bertscore"],
    ids=lambda measure: measure.name,
)
def test_every_measure_has_a_page(measure):
    pred, gold = SAMPLES[measure.family]
    report = goldassay.evaluate(pred, gold=gold, kind=measure.family, measures=measure(), encoder="hashing")
    assert report.format("html")


def test_a_family_shows_what_it_has(report):
    panels = report.plot.panels()
    assert {"Every threshold", "The two taxonomies"} == {panel.title for panel in panels}
    assert {panel.measure for panel in panels if isinstance(panel, Tree)} == {"literal", "fuzzy(threshold=0.5)"}


def test_the_curve_is_what_other_thresholds_would_have_given(report):
    (curve,) = (panel for panel in report.plot.panels("fuzzy") if isinstance(panel, Lines))
    for row in range(len(curve.thresholds)):
        measure = goldassay.graphs.Fuzzy(threshold=float(curve.thresholds[row]) - 1e-9)
        score = measure.score(pred=PRED, gold=GOLD, encoder="hashing")
        assert [values[row] for values in curve.series.values()] == pytest.approx(list(score.values.values()))


@given(
    st.recursive(
        st.text() | st.none() | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    )
)
def test_embedded_json_says_the_same_and_ends_nothing(data):
    written = embed_json(data)
    assert "<" not in written
    assert json.loads(written) == data


@pytest.mark.parametrize("floats", [[0.5, 0.25, math.nan], [math.nan] * 3])
def test_floats_are_written_alike_as_a_list_and_as_an_array(floats):
    every = {"side": ["pred", "gold", "gold"], "item": [*"abc"], "verdict": ["hit", "hit", "missed"]}
    written = []
    for column in (floats, np.array(floats)):
        columns, table = Columns(), {**every, "counterpart": [None] * 3, "similarity": column, "margin": column}
        written.append((html._items(Listed(columns=table, groups={}), columns), columns.arrays))
    assert written[0] == written[1]
    assert ("margin" in [one["name"] for one in written[0][0]["columns"]]) == (floats[0] == 0.5)


cells = st.lists(st.none() | st.text(st.characters(codec="utf-8"), max_size=3))


@given(cells, cells)
def test_columns_give_texts_back(first, second):
    columns = Columns()
    for texts in (first, second):
        array = columns.texts(texts)
        codes = np.frombuffer(base64.b64decode(columns.arrays[array]["bytes"]), "<i4").tolist()
        assert [None if code < 0 else columns.words[code] for code in codes] == texts
    assert columns.words == list(dict.fromkeys(text for text in first + second if text is not None))


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
def test_motifs_are_shown_side_by_side():
    report = goldassay.evaluate(PRED, gold=GOLD, measures="motif")
    (bars,) = (panel for panel in report.plot.panels() if isinstance(panel, Bars))
    assert sum(bars.series["gold"]) == pytest.approx(1)
    assert "Motifs" in report.format("html")


def test_a_page_is_small_but_for_its_data(page):
    assert len(page.encode()) < 300_000


def test_a_chart_is_its_numbers_and_a_table_of_them():
    panel = Bars(title="Motifs", axis="count", categories=[ODD, "star"], series={"gold": [3, 1], "pred": [2, np.nan]})
    drawn = chart_of(panel)
    assert drawn["series"] == {"gold": [3, 1], "pred": [2, None]}
    assert as_table(panel)[1][1] == ["star", "1", "nan"]


@pytest.mark.parametrize(("lower_is_stricter", "messages"), [(False, "0.6000"), (True, "0.2000")])
def test_at_a_threshold_the_value_is_that_of_the_point_that_holds_there(lower_is_stricter, messages):
    panel = Lines(
        title="P", axis="t", thresholds=np.array([0.1, 0.5]), series={"f1": [0.2, 0.6]}, cut=0.15,
        lower_is_stricter=lower_is_stricter,
    )  # fmt: skip
    assert describe_chart(panel).endswith(f"at the chosen 0.15 it is {messages}.")


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
def test_each_measure_has_a_block_with_its_own_columns_only():
    gold = Alignment.from_rows([("a", "b")])
    pred = Alignment.from_rows([("a", "b", "=", 0.9), ("a", "c", "=", 0.8)])
    report = goldassay.evaluate(pred, gold=gold, kind="alignment", measures=["overlap", "mrr"])
    heads = [[cell for cell, _ in html._block(report, spec, NumberFormat(4))["head"]] for spec in ("overlap", "mrr")]
    assert heads == [["prediction", "precision", "recall", "f1", "pred matched", "gold matched"], ["prediction", "mrr"]]


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
def test_the_sizes_of_many_predictions_are_one_sentence():
    report = goldassay.evaluate([PRED, GOLD, Graph.from_edges([("a", "b")])], gold=GOLD, measures="literal")
    assert (
        html.describe_heading(report)["summary"]
        == "3 predictions of 1 to 3 edges, scored against 3 edges of the gold standard."
    )


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
def test_six_predictions_and_three_golds_are_one_sentence():
    predictions = [Graph.from_edges([(f"leaf {n}", "root") for n in range(size)]) for size in range(1, 7)]
    report = goldassay.evaluate(predictions, gold=[GOLD, PRED, GOLD], measures="literal")
    message = html.describe_heading(report)
    assert message["title"] == "6 predictions against 3 gold standards"
    assert message["summary"] == "6 predictions of 1 to 6 edges, scored against 3 edges of 3 gold standards."


def test_items_know_their_rows_and_their_groups(report):
    data = json.loads(Parsed(report.format("html")).data)
    for place, score in enumerate(report.runs[0].scores):
        table, whole = data["items"][0][place], score.matching.table()
        rows = np.frombuffer(base64.b64decode(data["arrays"][table["places"]]["bytes"]), "<i4").tolist()
        sides, items = column(data, table, "side"), column(data, table, "item")
        for row, side, item in zip(rows, sides, items, strict=True):
            assert whole["item"][row if side == "pred" else row + len(PRED.edges)] == item
        groups = table["groups"]["depth"]
        codes = np.frombuffer(base64.b64decode(data["arrays"][groups["array"]]["bytes"]), "u1").tolist()
        counted = {name: codes.count(code) for code, name in enumerate(groups["names"])}
        (shown,) = (found for found in build_breakdown_tables(score, report.groupings) if found.by == "depth")
        sizes = zip(shown.columns["n_pred"], shown.columns["n_gold"], strict=True)
        assert counted == dict(zip(shown.columns["depth"], map(sum, sizes), strict=True))


def test_a_curve_chooses_items_only_where_similarity_decides():
    listed = Listed(columns={"similarity": [0.9, 0.5, np.nan], "verdict": ["hit", "missed", "missed"]}, groups={})
    curve = Lines(title="", axis="", thresholds=np.array([0.5]), series={}, cut=0.7)
    assert is_cut_by_similarity(curve, listed)
    assert not is_cut_by_similarity(
        curve, Listed(columns={**listed.columns, "verdict": ["hit", "hit", "missed"]}, groups={})
    )
    assert not is_cut_by_similarity(
        curve, Listed(columns={**listed.columns, "verdict": ["hit", "missed", "hit"]}, groups={})
    )


def test_an_unknown_panel_is_refused(report):
    class Unknown(Panel):
        pass

    odd = goldassay.Report(
        kind=report.kind,
        item=report.item,
        gold=report.gold,
        runs=report.runs,
        panels=lambda scores, *, pred, gold: [Unknown(title="x")],
    )
    with pytest.raises(TypeError, match="Unknown"):
        odd.format("html")


def test_marked_texts_are_escaped(report):
    entry = MarkedText("1", "missed", "why", [Mark("plain "), Mark(ODD, "hit", ODD)])
    odd = goldassay.Report(
        kind=report.kind,
        item=report.item,
        gold=report.gold,
        runs=report.runs,
        panels=lambda scores, *, pred, gold: [Texts(title=ODD, note=ODD, entries=[entry])],
    )
    parsed = Parsed(odd.format("html"))
    assert len([tag for tag, _ in parsed.elements if tag == "script"]) == 2
    (texts,) = (panel for panel in json.loads(parsed.data)["panels"] if panel["kind"] == "texts")
    assert texts["entries"][0]["marks"][1][0] == ODD


def test_a_report_that_was_read_back_has_a_page_of_numbers(report, tmp_path):
    report.save(tmp_path / "report.json")
    loaded = goldassay.load(tmp_path / "report.json")
    loaded.save(tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text()
    assert "literal" in page
    assert json.loads(Parsed(page).data)["items"] == [[None, None]]


def test_names_that_are_no_unicode_do_not_stop_the_page():
    odd = Graph.from_edges([("a", "b")])
    object.__setattr__(odd, "path", "caf\udce9.ttl")
    assert r"caf\udce9.ttl" in goldassay.evaluate(odd, gold=odd, measures="literal").format("html")


def test_a_notebook_gets_a_table_without_scripts(report):
    table = report._repr_html_()
    assert table.count("<tr>") == 3
    assert "<script" not in table
    odd = goldassay.evaluate(PRED, gold=GOLD, measures="literal")
    object.__setattr__(odd.runs[0].pred, "path", ODD)
    try:
        assert ODD not in odd._repr_html_()
    finally:
        object.__setattr__(odd.runs[0].pred, "path", None)


def test_a_notebook_shows_the_forest_plot_of_several_predictions():
    both = goldassay.evaluate({"one": PRED, "two": GOLD}, gold=GOLD, measures=["literal", "motif"], intervals=True)
    table = both._repr_html_()
    assert (table.count("<table>"), table.count("<svg"), table.count("<circle")) == (2, 4, 4)
    assert "two is best with f1" in table
    rows = re.findall(r"<tr><td[^>]*>(\w+)</td>(.*?)<title>[^<]*score ([\d.]+)</title>", table)
    assert [name for name, *_ in rows] == ["two", "one", "two", "one"]
    assert all(f">{value}<" in cells for _, cells, value in rows), "each mark is in the row of its prediction"
    assert goldassay.evaluate(PRED, gold=GOLD, measures="literal")._repr_html_().count("<svg") == 0


def test_a_notebook_shows_the_page_in_a_frame(report):
    frame = report.page(height=500)._repr_html_()
    assert frame.startswith('<iframe srcdoc="&lt;!DOCTYPE html&gt;')
    assert "height:500px" in frame
    assert "<script" not in frame


def test_a_notebook_shows_charts_as_pictures(report):
    pytest.importorskip("vl_convert")
    [(kind, picture)] = report.plot.values()._repr_mimebundle_().items()
    assert kind == "image/svg+xml"
    assert picture.startswith("<svg")
    assert "<script" not in picture


def test_figures_are_charts(report):
    pytest.importorskip("altair")
    for chart in (report.plot.values(), report.plot.similarities(), report.plot.curve("fuzzy")):
        assert chart.to_dict()["$schema"].startswith("https://vega.github.io/schema/vega-lite/")
    with pytest.raises(goldassay.UsageError, match="curve"):
        report.plot.curve("literal")
    with pytest.raises(goldassay.UsageError, match="similarities"):
        report.plot.similarities("literal")
    with pytest.raises(goldassay.UsageError, match="Unknown score"):
        report.plot.curve("nodes")


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
def test_figures_have_the_marks_of_the_forest_plot_on_its_scale():
    pytest.importorskip("altair")
    rows = [("s1", "right", "=", 0.9), ("s1", "wrong", "=", 0.8), ("s2", "wrong", "=", 0.9), ("s2", "right", "=", 0.8)]
    gold = Alignment.from_rows([("s1", "right"), ("s2", "right")])
    first = Alignment.from_rows([("s1", "right", "=", 0.9), ("s2", "right", "=", 0.9)])
    options = {"gold": gold, "kind": "alignment", "measures": ["mean_rank", "mrr"]}
    drawn = goldassay.evaluate({"b": Alignment.from_rows(rows), "a": first}, **options).plot.values().to_dict()
    ranks, mrr = drawn["vconcat"]
    found = [drawn["datasets"][part["data"]["name"]] for part in (ranks, mrr)]
    values = [{row["prediction"]: row["value_low"] for row in part} for part in found]
    assert values == [{"a": 1.0, "b": 1.5}, {"a": 1.0, "b": 0.75}]
    assert [row["prediction"] for row in found[0]] == ["a", "b"]
    scales = [part["layer"][0]["encoding"]["x"]["scale"]["domain"] for part in (ranks, mrr)]
    assert scales[0][0] <= 1.0
    assert scales[0][1] >= 1.5
    # A notebook may be dark, and text on nothing would be unseen there.
    assert drawn["config"]["background"] == "#ffffff"


def test_a_page_shows_what_rows_add_only_where_the_verdict_does_not_say_it(tmp_path):
    edges = [("cat", "pet"), ("pet", "animal")]
    gold = goldassay.Graph.from_edges([*edges, ("dog", "pet")])
    report = goldassay.evaluate(goldassay.Graph.from_edges(edges), gold=gold, measures=["literal", "closure"])
    report.save(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert page.count('"name":"weight"') == page.count('"name":"credit"') == 1
    assert '"name":"weight","title":"weight","type":"number"' in page
