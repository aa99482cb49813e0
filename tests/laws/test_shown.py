"""A page shows as many documents as it says, those of the lowest F1 first."""

import pytest

import goldassay
from goldassay.core.panel import Texts
from goldassay.report.evidence import collect_evidence

MOST = {"triples": 300, "concepts": 500}


def build(kind, laboratories, documents):
    one = {"triples": ("cat", "is a", "animal"), "concepts": ("cat",)}[kind]
    return laboratories[kind].build([(f"d{row}", *one) for row in documents])


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize("more", [0, 1])
@pytest.mark.parametrize("kind", MOST)
def test_the_worst_documents_come_first_and_no_more_than_are_shown(kind, more, laboratories):
    most = MOST[kind]
    count = most + more
    gold = build(kind, laboratories, range(count))
    pred = build(kind, laboratories, range(count - 2))
    report = goldassay.evaluate(pred, gold=gold, kind=kind)
    panels = [
        one for one in report.panels(collect_evidence(report.runs[0]), pred=pred, gold=gold) if isinstance(one, Texts)
    ]
    for panel in panels:
        assert panel.note == (f"The {most} of {count} documents with the lowest F1." if more else "")
        names = [entry.name for entry in panel.entries]
        assert names == [f"d{row}" for row in (count - 2, count - 1, *range(most - 2))]
    assert panels
