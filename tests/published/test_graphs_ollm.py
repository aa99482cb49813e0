"""What OLLM's code gives for continuous, graph and motifs."""

import json

import pytest

import goldassay
from goldassay.kernels.triads import TRIADS

# The reports take longer to make than to look at: one process does both.
pytestmark = pytest.mark.xdist_group("graphs of ollm")


@pytest.fixture(scope="module", params=[0, 1])
def row(request, reference_data, cached_minilm):
    """One row of reference values, and the report on the same pair of files."""
    expected = json.loads((reference_data / "expected" / "graphs.json").read_text(encoding="utf-8"))
    messages = expected["ollm"]["rows"][request.param]
    report = goldassay.evaluate(
        reference_data / messages["pred"],
        gold=reference_data / messages["gold"],
        measures=["continuous", "graph(pooled=true)", "motif"],
        encoder=cached_minilm,
        edges="rdfs:subClassOf",
        text="title",
    )
    return messages, report


@pytest.mark.filterwarnings("ignore::goldassay.SuspectInputWarning")
@pytest.mark.parametrize(("measure", "key"), [("continuous", "continuous"), ("graph", "graph_k2_forward")])
def test_assignments(row, measure, key):
    messages, report = row
    values = {name: value for name, value in report[measure].values.items() if name != "f1_upper"}
    assert values == pytest.approx(messages[key], abs=1e-5)
    assert report[measure].values["f1_upper"] == report[measure].f1
    assert report[measure].signature.fields["assignment"] == "exact"


@pytest.mark.filterwarnings("ignore::goldassay.SuspectInputWarning")
@pytest.mark.parametrize("side", ["pred", "gold"])
def test_triads_exactly(row, side):
    messages, report = row
    counts = report["motif"].counts
    assert {name: counts[f"{side}_{name}"] for name in TRIADS} == {
        name: messages[f"triad_census_{side}"][name] for name in TRIADS
    }


@pytest.mark.release
@pytest.mark.xdist_group("wordnet")  # the second finds the vectors of the first
def test_synonyms_of_wordnet(reference_data, cached_minilm):
    """The mean cosine of all synonym pairs is the threshold that OLLM's paper derives; here with its median."""
    messages = json.loads((reference_data / "expected" / "graphs.json").read_text(encoding="utf-8"))["synonyms"]
    found = goldassay.graphs.calibrate(reference_data / messages["pairs"], encoder=cached_minilm)
    assert len(found.cosines) == messages["n"]
    assert found.mean == pytest.approx(messages["mean"], abs=5e-5)
    assert found.median == pytest.approx(messages["median"], abs=5e-5)
    assert found.spec == "fuzzy(threshold=0.436)"
