"""Alignment scores that others published, to the last count."""

import json
import warnings

import pytest

import goldassay
from goldassay.alignments import (
    AlignmentReading,
    HitAtK,
    MacroOverlap,
    MedianRank,
    Mrr,
    NearNdcg,
    Overlap,
    RelationChoice,
    Relaxed,
    Residual,
    read_alignment,
)

MOST_DIGITS = 1e-12


@pytest.fixture(scope="module")
def expected(reference_data):
    return json.loads((reference_data / "expected" / "alignments.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def read(reference_data):
    known = {}

    def reader(path, **options):
        key = (path, *options.items())
        if key not in known:
            known[key] = read_alignment(reference_data / path, AlignmentReading(**options))
        return known[key]

    return reader


def check(score, said):
    counts = score.counts
    found = [counts["hit_pred"], counts["n_pred"] - counts["hit_pred"], counts["n_gold"] - counts["hit_gold"]]
    assert found == [said["tp"], said["fp"], said["fn"]]
    for name in ("precision", "recall", "f1"):
        assert score.values[name] == pytest.approx(said[name], abs=MOST_DIGITS)


@pytest.mark.parametrize("relation", ["exact", "ignore"])
def test_six_systems_on_anatomy(expected, read, relation):
    assert len(expected["anatomy"]) == 6
    for said in expected["anatomy"]:
        check(Overlap(relation=relation).score(pred=read(said["pred"]), gold=read(said["gold"])), said)


def test_six_systems_on_126_conference_cases(expected, read):
    assert len(expected["conference_cases"]) == 126
    for said in expected["conference_cases"]:
        check(Overlap(relation="exact").score(pred=read(said["pred"]), gold=read(said["gold"])), said)


def test_micro_and_both_macro_averages_of_conference(expected, read):
    gold = read("alignments/conference/reference")
    assert len(gold.case_names) == 21
    for said in expected["conference_micro_macro"]:
        pred = read(f"alignments/conference/{said['system']}")
        check(Overlap(relation="exact").score(pred=pred, gold=gold), said["micro"])
        macro = MacroOverlap(relation="exact").score(pred=pred, gold=gold)
        assert macro.counts["cases"] == said["cases"]
        for name, theirs in (
            ("precision", "precision"), ("recall", "recall"), ("f1", "f1_of_means"), ("mean_f1", "mean_of_f1"),
        ):  # fmt: skip
            assert macro.values[name] == pytest.approx(said["macro"][theirs], abs=MOST_DIGITS)


@pytest.mark.parametrize("number", range(3))
def test_one_mapping_set_in_three_formats(expected, read, number):
    said = expected["sssom"]
    path = said["pred"][number]
    pred = read(path, score_column="NormalizedScore" if path.endswith(".csv") else None)
    gold, exact = read(said["gold"]), read(said["gold"], relations=("skos:exactMatch",))
    assert (gold.facts["rows"], len(gold.pairs), len(exact.pairs)) == (
        said["gold_rows"],
        said["gold_pairs"],
        said["exact_only"]["gold_pairs"],
    )
    for measure, reference, values in (
        (Overlap(), gold, said["all_predicates"]),
        (Overlap(), exact, said["exact_only"]),
        (Overlap(threshold=0.25), exact, said["exact_only_score_at_least_0_25"]),
    ):
        score = measure.score(pred=pred, gold=reference)
        assert score.counts["hit_pred"] == values["tp"]
        assert score.counts["n_pred"] == values.get("kept", 1671)
        for name in ("precision", "recall", "f1"):
            assert score.values[name] == pytest.approx(values.get(name, score.values[name]), abs=5e-5)


def test_local_ranking(expected, read):
    said = expected["ranking"]
    both = read(said["pred"])
    gold = read("alignments/ranking/deeponto_example_candidate_mappings.tsv")
    for reference in (both, gold):
        assert Mrr().score(pred=both, gold=reference).mrr == pytest.approx(said["mrr"], abs=5e-7)
        for k in (1, 5, 10):
            assert HitAtK(k=k).score(pred=both, gold=reference).hit == said[f"hit@{k}"]


def test_the_recall_plus_of_anatomy_is_near_the_printed_one(reference_data, read):
    """The campaign of 2018 prints 0.832 for AML, with its own string baseline; ours finds a few pairs more or less."""
    options = {
        "source_ontology": str(reference_data / "alignments/anatomy/source.xml"),
        "target_ontology": str(reference_data / "alignments/anatomy/target.xml"),
    }
    pred = read("alignments/anatomy/AML.rdf", **options)
    gold = read("alignments/anatomy/reference.xml", **options)
    assert Residual().score(pred=pred, gold=gold).recall == pytest.approx(0.832, abs=0.01)


def test_the_residual_recall_of_melt(reference_data):
    """MELT's own evaluation of OAEI 2018 anatomy, to the last digit of its table."""
    said = json.loads((reference_data / "expected/melt_residual.json").read_text(encoding="utf-8"))
    folder = reference_data / "alignments/anatomy"
    preds = [folder / f"{system}.rdf" for system in said["residual_recall"]]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", goldassay.SuspectInputWarning)
        report = goldassay.evaluate(
            preds,
            gold=reference_data / said["reference"],
            kind="alignment",
            as_="melt-residual",
            source_ontology=folder / "source.xml",
            target_ontology=folder / "target.xml",
        )
    assert [run.scores[0].recall for run in report.runs] == pytest.approx(
        [*said["residual_recall"].values()], abs=1e-15
    )
    assert {run.scores[0].counts["n_gold"] for run in report.runs} == {577}


def test_from_files_and_as_one_command_says(expected, reference_data):
    said = expected["anatomy"][0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        report = goldassay.evaluate(reference_data / said["pred"], gold=reference_data / said["gold"], kind="alignment")
    check(report["overlap"], said)


CASES = [
    f"{case}.{system}"
    for case in ("cmt-conference", "cmt-ekaw", "ekaw-sigkdd")
    for system in ("AML", "LogMapLt", "Lily")
]
KINDS = {
    "symmetric": ("symmetric", "symmetric"),
    "effort": ("effort-based", "effort"),
    "precision": ("precision-oriented", "precision_oriented"),
    "recall": ("recall-oriented", "recall_oriented"),
}


@pytest.fixture(scope="module")
def relaxed(reference_data, read):
    said = json.loads((reference_data / "alignments/relaxed/expected/relaxed.json").read_text(encoding="utf-8"))
    assert sorted(said) == sorted(CASES)

    def case(name):
        ontologies = [str(reference_data / "alignments/relaxed" / file) for file in said[name]["ontologies"]]
        options = {"source_ontology": ontologies[0], "target_ontology": ontologies[1]}
        files = f"{name}.rdf", f"{name.partition('.')[0]}.reference.rdf"
        return said[name], *(read(f"alignments/relaxed/{file}", **options) for file in files)

    return case


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("case", CASES)
def test_the_extended_evaluator_of_the_alignment_api(relaxed, case, kind):
    said, pred, gold = relaxed(case)
    for mode, values in said["alignment_api"].items():
        measure = Relaxed(
            kind=kind,
            assignment="greedy",
            confidence=mode == "with_confidence",
            relation="graded" if mode.startswith("relations") else "ignore",
        )
        score = measure.score(pred=pred, gold=gold)
        for name in ("precision", "recall"):
            assert score.values[name] == pytest.approx(values[f"{KINDS[kind][0]} {name}"], abs=MOST_DIGITS)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("case", CASES)
def test_the_best_assignment_of_near_misses(relaxed, case, kind):
    said, pred, gold = relaxed(case)
    wanted = said["formula_reference_not_peer_code"][KINDS[kind][1]]
    score = Relaxed(kind=kind).score(pred=pred, gold=gold)
    assert score.counts["hit_gold"] == pytest.approx(wanted["omega"], abs=MOST_DIGITS)
    for name in ("precision", "recall", "f1"):
        assert score.values[name] == pytest.approx(wanted[name], abs=MOST_DIGITS)


@pytest.fixture(scope="module")
def bioml(reference_data):
    return json.loads((reference_data / "alignments/bioml/expected/bioml.json").read_text(encoding="utf-8"))


def check_hits(pred, gold, said, names, **parameters):
    assert Mrr(ties="name", **parameters).score(pred=pred, gold=gold).mrr == pytest.approx(said[names[0]], abs=1e-15)
    for k in (1, 5, 10):
        score = HitAtK(k=k, ties="name", **parameters).score(pred=pred, gold=gold)
        assert score.hit == pytest.approx(said[f"{names[1]}{k}"], abs=1e-15)


@pytest.mark.parametrize(
    ("file", "case", "block"),
    [
        ("local.scored_block.tsv", "local_scored_block", 20),
        ("local.ranked_lists.tsv", "local_ranked_lists_gold_missing_in_every_7th", None),
    ],
)
def test_local_rankings_of_bioml_2026(bioml, read, file, case, block):
    pred = read(f"alignments/bioml/{file}", block=block)
    check_hits(pred, read("alignments/bioml/local.gold.tsv"), bioml[case], ("mrr", "hits_at_"))


TYPED = [
    ("typed.submission.tsv", "typed_submission", {}),
    ("typed.constant_scores.tsv", "typed_constant_scores", {}),
    ("typed.submission.tsv", "typed_submission_k5_distance1", {"k": 5, "distance": 1}),
]


@pytest.mark.parametrize("submission", TYPED)
def test_typed_rankings_of_bioml_2026(reference_data, bioml, read, submission):
    file, case, parameters = submission
    hierarchy = {"target_ontology": str(reference_data / "alignments/bioml/hierarchy.tsv")}
    pred = read(f"alignments/bioml/{file}", block=60)
    gold, said = read("alignments/bioml/typed.answers.tsv", **hierarchy), bioml[case]
    check_hits(pred, gold, said, ("preferred_typed_mrr", "preferred_typed_hits_at_"), typed=True)
    check_hits(pred, gold, said, ("entity_only_mrr", "entity_only_hits_at_"))
    ndcg = NearNdcg(ties="name", **parameters).score(pred=pred, gold=gold)
    assert ndcg.near_ndcg == pytest.approx(said["hierarchy_aware_typed_ndcg_at_10"], abs=1e-15)
    for score, name in (
        (Mrr(typed=True, ties="name").score(pred=pred, gold=gold), "preferred_typed_mrr"),
        (ndcg, "hierarchy_aware_typed_ndcg_at_10"),
    ):
        table = goldassay.breakdown(score, by="relation")
        for groups, slice_ in ((["="], "equivalence"), (["<", ">"], "subsumption")):
            rows = [row for row in table.iter_rows(named=True) if row["group"] in groups]
            count = "references" if "references" in rows[0] else "queries"
            found = sum(row["gain"] for row in rows) / sum(row[count] for row in rows)
            assert found == pytest.approx(said[f"{name}__{slice_}_only"], abs=1e-15)
    median = MedianRank(typed=True, ties="name").score(pred=pred, gold=gold)
    assert median.median_rank == said["median_preferred_typed_rank"]
    choice = RelationChoice(ties="name").score(pred=pred, gold=gold)
    assert choice.accuracy == said["relation_accuracy_on_preferred_entity"]
    assert choice.macro_f1 == pytest.approx(said["relation_macro_f1_on_preferred_entity"], abs=1e-15)


@pytest.mark.parametrize("reference", ["plain_reference", "flagged_reference"])
@pytest.mark.parametrize("system", ["AML", "Lily", "LogMapLt"])
def test_global_scores_of_bioml_2026(bioml, read, system, reference):
    said = bioml["global"][f"cmt-conference.{system}.rdf"][reference]
    files = {
        "plain_reference": "relaxed/cmt-conference.reference.rdf",
        "flagged_reference": "bioml/global.reference_flagged.rdf",
    }
    pred, gold = read(f"alignments/relaxed/cmt-conference.{system}.rdf"), read(f"alignments/{files[reference]}")
    for measure, suffix in ((Overlap(unjudged="count"), ""), (Overlap(), "_coherent")):
        score = measure.score(pred=pred, gold=gold)
        for name in ("precision", "recall", "f1"):
            assert score.values[name] == said[f"{name}{suffix}"]


def test_a_flagged_reference_against_itself(bioml, read):
    said, gold = (
        bioml["global"]["flagged_reference_against_itself"],
        read("alignments/bioml/global.reference_flagged.rdf"),
    )
    score = Overlap(unjudged="count").score(pred=gold, gold=gold)
    assert [score.precision, score.recall] == [said["precision"], said["recall"]]
    assert Overlap().score(pred=gold, gold=gold).f1 == said["f1_coherent"]
