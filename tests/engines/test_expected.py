"""Numbers that others published or computed, on engines: the same counts, and to the last bit what one machine gives.

Of the expected values these are all whose measures engines count. RDF becomes a table, since engines read tables only.
"""

import json

import polars as pl
import pytest
from tests.engines.cases import agree

import goldassay

pytestmark = [
    pytest.mark.release,
    pytest.mark.xdist_group("spark"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]
CASES_ON_SPARK = 2
"""Each takes Spark seconds."""


@pytest.fixture(scope="module", params=["duckdb", "spark"])
def engine(request):
    """Each engine, started."""
    if request.param == "spark":
        pytest.importorskip("pyspark", reason="PySpark is not installed")
        request.getfixturevalue("cluster")
    else:
        pytest.importorskip("duckdb", reason="DuckDB is not installed")
    return request.param


def reported_in(path):
    return json.loads(path.read_text(encoding="utf-8"))


def some(engine, cases):
    return cases[:CASES_ON_SPARK] if engine == "spark" else cases


def correspondences(path):
    """Write an alignment as a table."""
    read = goldassay.read(str(path), kind="alignment")
    names, relations = read.terms.listed, goldassay.alignments.relations.RELATIONS
    return pl.DataFrame(
        {
            "source": [names[row] for row in read.sources],
            "target": [names[row] for row in read.targets],
            "relation": [relations[row] for row in read.relations],
            "score": read.scores,
        }
    )


def edges(path):
    """Write a taxonomy as a table of the names that its literal score compares."""
    graph = goldassay.read(str(path), text="iri")
    return pl.DataFrame(
        {name: graph.texts[graph.edges[:, end]].tolist() for end, name in enumerate(("child", "parent"))}
    )


def check(report, messages):
    counts = report.runs[0].scores[0].counts
    hits = (counts["hit_pred"], counts["n_pred"] - counts["hit_pred"], counts["n_gold"] - counts["hit_gold"])
    assert hits == (messages["tp"], messages["fp"], messages["fn"])


@pytest.mark.parametrize("part", ["anatomy", "conference_cases"])
def test_systems_of_campaigns(part, engine, reference_data):
    cases = reported_in(reference_data / "expected" / "alignments.json")[part]
    assert len(cases) in {6, 126}
    for messages in some(engine, cases):
        sides = (correspondences(reference_data / messages[side]) for side in ("pred", "gold"))
        _, there = agree(*sides, "alignment", ["overlap(relation=exact)", "overlap", "jaccard"], engine=engine)
        check(there, messages)


def test_one_mapping_set_in_two_formats(engine, reference_data):
    messages = reported_in(reference_data / "expected" / "alignments.json")["sssom"]
    gold = str(reference_data / messages["gold"])
    for path in (messages["pred"][0], messages["pred"][2]):
        options = {"score_column": "NormalizedScore"} if path.endswith(".csv") else {}
        _, there = agree(str(reference_data / path), gold, "alignment", "overlap", engine=engine, **options)
        assert there["overlap"].counts["hit_pred"] == messages["all_predicates"]["tp"]
        assert there["overlap"].counts["n_pred"] == 1671
    exact = {"relations": ("skos:exactMatch",)}
    _, there = agree(str(reference_data / messages["pred"][0]), gold, "alignment", "overlap", engine=engine, **exact)
    assert len(there.gold) == messages["exact_only"]["gold_pairs"]


def test_coverage_of_published_axioms(engine, reference_data):
    sections = ("classes", "relations", "datatypes")
    for messages in reported_in(reference_data / "expected" / "axioms.json")["rows"]:
        paths = [str(reference_data / messages[side]) for side in ("pred", "gold")]
        options = {"fold_case": True, "strip_key": True}
        _, there = agree(*paths, "axioms", ["coverage", "exact"], engine=engine, **options)
        counts = there["coverage"].counts
        sums = [[counts[f"covered_{one}"], counts[f"gold_{one}"] + counts[f"extra_{one}"]] for one in sections]
        assert sums == [messages["published"][one] for one in sections]


def test_two_versions_of_ontologies(engine, reference_data):
    for messages in reported_in(reference_data / "expected" / "ontologies.json")["version_pairs"]:
        sides = (edges(reference_data / messages[side]) for side in ("pred", "gold"))
        _, there = agree(*sides, "taxonomy", "literal", engine=engine, text="iri")
        counts = there["literal"].counts
        assert [counts[name] for name in ("hit_pred", "hit_gold")] == [messages["hit"]] * 2
        assert [counts[name] for name in ("n_pred", "n_gold")] == [messages["n_pred"], messages["n_gold"]]
