"""Numbers of whole hierarchies that other people's code computed: closures by networkx, and what TExEval's tool printed."""

import json

import pytest

from goldassay.core.errors import UsageError
from goldassay.graphs import Closure, FowlkesMallows, GraphReading, Literal, read_graph

PAIRS = ["go_nucleus_modified", "go_nucleus_structurally_modified", "schemaorg_12_vs_30", "do_cancer_2022_vs_2026"]
BY_IRI = GraphReading(text="iri")
VARIANTS = {
    "asserted": Literal(),
    "closure": Closure(),
    "closure_on_common_terms": Closure(concepts="common"),
    "closure_of_edges_cut_to_common_terms": Closure(concepts="cut"),
    "reduction": Closure(pairs="reduced"),
    "asserted_against_closure": Closure(pairs="asserted"),
}
TAXONOMIES = ["example", "science_taxi_pruned", "science_semantic", "science_gold_vs_gold", "environment_perturbed"]
STRUCTURE = (
    "vertices",
    "edges",
    "components",
    "cyclic_components",
    "self_loops",
    "intermediate_nodes",
    "leaves",
    "roots",
)


def found(folder, name):
    return next(folder.rglob(name))


@pytest.mark.parametrize("name", PAIRS)
def test_closures_are_those_of_networkx(reference_data, name):
    row = json.loads((reference_data / "hierarchies/closure/expected/closure.json").read_text())[name]
    pred, gold = (read_graph(found(reference_data, row[side]), BY_IRI) for side in ("pred", "gold"))
    for key, measure in VARIANTS.items():
        score = measure.score(pred=pred, gold=gold)
        assert dict(score.values) == {value: row[key][value] for value in ("precision", "recall", "f1")}
        assert (score.counts["n_pred"], score.counts["n_gold"]) == (row[key]["n_pred"], row[key]["n_gold"])


@pytest.mark.parametrize("name", TAXONOMIES)
def test_texeval_gives_the_numbers_of_the_tool(reference_data, name):
    folder = reference_data / "hierarchies/texeval"
    row = json.loads((folder / "expected/texeval.json").read_text())[name]
    system, gold = (read_graph(folder / row[side]) for side in ("system", "gold"))
    measure = FowlkesMallows(convention="texeval", root=row["root"])
    for key, pair in (("jar", (system, gold)), ("jar_with_files_exchanged", (gold, system))):
        score = measure.score(pred=pair[0], gold=pair[1])
        matching = score.matching
        logged = {"n11": matching.together, "n10": matching.pred_only, "n01": matching.gold_only}
        assert {which: numbers.tolist() for which, numbers in logged.items()} == row[key]["n_per_level_as_logged"]
        assert score.cumulative == pytest.approx(row[key]["cumulative_measure"], rel=1e-14)
        assert score.edge_coverage == row[key]["recall"]
        levels = row[key]["levels_[level,B,weight,B*weight]"]
        assert matching.gold.credit.tolist() == pytest.approx([level[1] for level in levels])
    score, structure = measure.score(pred=system, gold=gold), row["structure_by_networkx"]
    assert {what: score.counts[f"pred_{what}"] for what in STRUCTURE} == {what: structure[what] for what in STRUCTURE}
    assert score.counts["common_vertices"] == structure["vertices_in_gold"]
    assert score.counts["common_edges"] == structure["edges_in_gold"]
    assert score.vertex_coverage == structure["vertex_coverage"]
    assert score.novel_edges == structure["novel_edge_ratio"]


def test_the_tool_gives_a_wrong_root_a_number_and_we_say_what_is_wrong(reference_data):
    folder = reference_data / "hierarchies/texeval"
    system, gold = (read_graph(folder / name) for name in ("science_taxi_pruned.sys.taxo", "science.taxo"))
    with pytest.raises(UsageError, match="no node 'entity'"):
        FowlkesMallows(convention="texeval", root="entity").score(pred=system, gold=gold)
