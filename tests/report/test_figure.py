"""The slide: everything that the forest plots say is on it, in its place, and nothing leaves the picture."""

import re
import struct
import xml.etree.ElementTree as ET

import pytest
from tests.report.pages import ODD, REPORTS, report_of

import goldassay
from goldassay.core.significance import Resampling
from goldassay.core.text import USUAL, NumberFormat
from goldassay.report.figure import HEIGHT, MOST_ROWS, WIDTH, draw_figure
from goldassay.report.forest import forests

SVG = "{http://www.w3.org/2000/svg}"
GOLD = goldassay.Graph.from_edges([(f"leaf {n}", f"branch {n % 5}") for n in range(40)])


def graph(found, spoilt=0):
    edges = [(f"leaf {n}", f"branch {n % 5}") for n in range(found)]
    return goldassay.Graph.from_edges([*edges, *((f"none {n}", "branch 0") for n in range(spoilt))])


def parts(report, style=USUAL):
    picture = ET.fromstring(draw_figure(report, style))  # noqa: S314 - our own picture
    texts = picture.findall(f".//{SVG}text")
    return picture, texts


def words(texts):
    return " ".join(one.text for one in texts)


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize("kind", [kind for kind in REPORTS if kind != "large"])
def test_a_slide_has_every_measure_and_row_of_the_page_and_stays_in_its_frame(kind):
    report = report_of(kind)
    picture, texts = parts(report)
    assert (picture.get("width"), picture.get("height")) == (str(WIDTH), str(HEIGHT))
    shown = words(texts)
    plots = forests(report)
    for plot in plots[:4]:
        for row in plot["rows"][:MOST_ROWS]:
            assert row["value"] in shown
    assert plots[0]["sentence"] in picture.find(f"{SVG}desc").text
    for one in texts:
        assert 0 <= float(one.get("x")) <= WIDTH
        assert 0 < float(one.get("y")) <= HEIGHT
    for circle in picture.iter(f"{SVG}circle"):
        assert 0 < float(circle.get("cx")) < WIDTH


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
def test_a_slide_opens_with_the_measure_that_the_page_opens_with():
    report = goldassay.evaluate(
        {"a": graph(10), "b": graph(30)}, gold=GOLD, measures=["fuzzy(threshold=0.0)", "anchored"], encoder="hashing"
    )
    _, texts = parts(report)
    assert texts[1].text.startswith("anchored")
    heads = [
        one.text for one in texts if one.text.startswith(("anchored", "fuzzy")) and one.get("font-weight") == "600"
    ]
    assert [head.partition("(")[0] for head in heads] == ["anchored", "fuzzy"]


def test_marks_lie_where_their_values_are():
    runs = {"worst": graph(10), "best": graph(40), "half": graph(20)}
    report = goldassay.evaluate(runs, gold=GOLD, measures="literal", intervals=Resampling(resamples=200))
    picture, texts = parts(report, NumberFormat(2))
    rows = [one for one in texts if one.text in {"best", "half", "worst"}]
    assert [one.text for one in rows] == ["best", "half", "worst"]
    assert [one.get("font-weight") for one in rows] == ["600", "400", "400"]
    ticks = {float(one.text): float(one.get("x")) for one in texts if one.get("text-anchor") == "middle"}
    low, high = min(ticks), max(ticks)
    points = [float(one.get("cx")) for one in picture.iter(f"{SVG}circle")][:3]
    for point, label in zip(points, ("best", "half", "worst"), strict=True):
        value = report["literal"][label].f1
        place = ticks[low] + (value - low) / (high - low) * (ticks[high] - ticks[low])
        assert point == pytest.approx(place, abs=0.5)
    for label in ("half", "worst"):
        found = report["literal"][label].intervals["f1"]
        written = f"{report['literal'][label].f1:.2f} [{found.low:.2f}, {found.high:.2f}]"
        assert any(one.text.replace("*", "").startswith(written) for one in texts)
    assert "95% interval" in words(texts)
    assert "chance" not in words(texts)


def test_no_row_leads_where_the_first_two_are_level():
    _, texts = parts(goldassay.evaluate({"a": graph(20), "b": graph(20)}, gold=GOLD, measures="literal"))
    assert [one.get("font-weight") for one in texts if one.text in {"a", "b"}] == ["400", "400"]


def test_what_has_no_room_is_counted():
    runs = {f"system {n}": graph(n + 1) for n in range(MOST_ROWS + 3)}
    measures = ["literal", "closure", "ancestor_f1", "taxonomic", "motif", "edges"]
    _, texts = parts(goldassay.evaluate(runs, gold=GOLD, measures=measures, selfcheck=False))
    shown = words(texts)
    assert shown.count("and 3 more") == 4
    assert "and 2 more measures" in shown
    assert f"{MOST_ROWS + 3} predictions against the gold standard" in shown


def test_names_of_others_are_text():
    report = goldassay.evaluate({ODD: graph(10), "\ud800\x00": graph(20)}, gold=GOLD, measures="literal")
    picture, texts = parts(report)
    assert ODD in words(texts)
    assert not [one for one in picture.iter() if one.tag == f"{SVG}script"]


def test_files(tmp_path, monkeypatch):
    report = goldassay.evaluate(graph(20), gold=GOLD, measures="literal")
    report.save(tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_text("utf-8") == draw_figure(report)
    report.save(tmp_path / "a.PNG")
    made = (tmp_path / "a.PNG").read_bytes()
    assert struct.unpack(">II", made[16:24]) == (WIDTH, HEIGHT)
    with pytest.raises(goldassay.OutputError, match="suffix is not a report format"):
        report.save(tmp_path / "a.gif")
    monkeypatch.setitem(__import__("sys").modules, "vl_convert", None)
    with pytest.raises(goldassay.MissingDependencyError, match=re.escape("goldassay[plot]")):
        report.save(tmp_path / "b.png")
    assert not (tmp_path / "b.png").exists()


def test_the_command_draws_the_slide_and_refuses_other_endings(goldassay_command, tmp_path):
    (tmp_path / "gold.csv").write_text("child,parent\ncat,pet\ndog,pet\n")
    arguments = ["taxonomy", f"mine={tmp_path}/gold.csv", "--gold", f"{tmp_path}/gold.csv", "-m", "literal"]
    result = goldassay_command(*arguments, "--figure", f"{tmp_path}/a.svg", "--places", "1", "--format", "json")
    assert result.code == 0, result.err
    assert "mine reaches f1 1.0." in (tmp_path / "a.svg").read_text("utf-8")
    assert "wrote" in result.err
    result = goldassay_command(*arguments, "--figure", f"{tmp_path}/a.pdf")
    assert result.code == 2
    assert "A figure is SVG or PNG." in result.err
    assert ".svg, .png" in result.err
    assert not (tmp_path / "a.pdf").exists()


def test_the_example_of_draw_figure():
    gold = goldassay.Graph.from_edges([("cat", "animal"), ("dog", "animal")])
    drawn = draw_figure(goldassay.evaluate({"mine": gold}, gold=gold, measures="literal"), NumberFormat(2))
    assert (drawn[:51], "mine reaches f1 1.00." in drawn) == (
        '<svg xmlns="http://www.w3.org/2000/svg" width="1600',
        True,
    )
