"""Evidence that is saved with a report: the page that is made from it later is the one made at once."""

import json
import re

import numpy as np
import pytest
from tests.report.pages import report_of

import goldassay
from goldassay.report.evidence import view_of
from goldassay.report.shape import PANELS, read_view, write_view

pytest.importorskip("jinja2")
pytestmark = pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
FAMILIES = ("taxonomy", "axioms", "unl", "sentences", "alignment", "concepts", "triples", "labels")


def data_of(page):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)[1])


@pytest.mark.parametrize("kind", FAMILIES)
def test_a_page_made_later_has_the_data_of_the_one_made_at_once(kind, tmp_path):
    report = report_of(kind)
    report.with_evidence().save(tmp_path / "report.json")
    assert data_of(goldassay.load(tmp_path / "report.json").format("html")) == data_of(report.format("html"))


def test_every_kind_of_panel_is_kept():
    motif = goldassay.evaluate(
        goldassay.Graph.from_edges([("a", "b"), ("c", "b")]),
        gold=goldassay.Graph.from_edges([("a", "b"), ("b", "c")]),
        measures="motif",
    )
    reports = [motif, *(report_of(kind) for kind in FAMILIES)]
    seen = {panel["kind"] for report in reports for panel in write_view(view_of(report, report.runs[0]))["panels"]}
    assert seen == set(PANELS)


def test_saved_predictions_are_compared_on_one_page(tmp_path, goldassay_command):
    report = report_of("two")
    for row, run in enumerate(report.runs):
        one = goldassay.Report(
            kind=report.kind,
            item=report.item,
            gold=report.gold,
            runs=(run,),
            groupings=report.groupings,
            panels=report.panels,
        )
        one.with_evidence().save(tmp_path / f"{row}.json")
    page = tmp_path / "page.html"
    outcome = goldassay_command("compare", str(tmp_path / "0.json"), str(tmp_path / "1.json"), "--report", str(page))
    assert outcome.code == 0
    data = data_of(page.read_text())
    assert [len([table for table in row if table]) for row in data["items"]] == [2, 2]
    assert "far.ttl" in page.read_text()


def test_without_it_nothing_is_kept():
    report = report_of("two")
    assert "evidence" not in report.to_dict()["runs"][0]
    assert "evidence" in report.with_evidence().to_dict()["runs"][0]


def test_only_json_keeps_it(goldassay_command, tmp_path):
    gold = tmp_path / "gold.csv"
    gold.write_text("child,parent\ncat,animal\n")
    outcome = goldassay_command("taxonomy", str(gold), "--gold", str(gold), "-m", "literal", "--evidence")
    assert outcome.code == 2
    assert "--format json" in outcome.err
    outcome = goldassay_command(
        "taxonomy", str(gold), "--gold", str(gold), "-m", "literal", "--evidence", "--format", "json"
    )
    assert (
        json.loads(outcome.out)["runs"][0]["evidence"]["items"]["literal"]["columns"]["item"] == ["cat -> animal"] * 2
    )


def damaged():
    """Yield evidence with one part of another kind in each place, several levels down."""
    report = report_of("taxonomy")
    whole = json.dumps(_without_nan(write_view(view_of(report, report.runs[0]))))

    def places(value, path=()):
        if path:
            yield path
        inner = value.items() if isinstance(value, dict) else enumerate(value[:2]) if isinstance(value, list) else ()
        for key, one in inner:
            yield from places(one, (*path, key))

    for path in places(json.loads(whole)):
        for odd in (None, 7, "odd", [], {}, [None, {}], -1):
            found = json.loads(whole)
            at = found
            for key in path[:-1]:
                at = at[key]
            at[path[-1]] = odd
            yield path, odd, found


def _without_nan(value):
    if isinstance(value, dict):
        return {key: _without_nan(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_without_nan(one) for one in value]
    return None if isinstance(value, float) and np.isnan(value) else value


def test_damaged_evidence_is_refused_or_has_a_page(tmp_path):
    report = report_of("taxonomy")
    report.save(tmp_path / "whole.json")
    document = json.loads((tmp_path / "whole.json").read_text())
    refused = 0
    cases = list(damaged())
    for path, odd, found in cases[:: max(1, len(cases) // 60)]:
        document["runs"][0]["evidence"] = found
        file = tmp_path / "report.json"
        file.write_text(json.dumps(document))
        try:
            loaded = goldassay.load(file)
        except goldassay.InputError as error:
            refused += "damaged" in str(error)
        else:
            assert loaded.format("html"), (path, odd)
    assert refused > 30


def test_evidence_of_another_measure_is_refused():
    view = write_view(view_of(report_of("taxonomy"), report_of("taxonomy").runs[0]))
    with pytest.raises(ValueError, match="which is no score of this prediction"):
        read_view(_without_nan(view), ["literal"])
