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


def check(score, messages):
    counts = score.counts
    found = [counts["hit_pred"], counts["n_pred"] - counts["hit_pred"], counts["n_gold"] - counts["hit_gold"]]
    assert found == [messages["tp"], messages["fp"], messages["fn"]]
    for name in ("precision", "recall", "f1"):
        assert score.values[name] == pytest.approx(messages[name], abs=MOST_DIGITS)


@pytest.mark.parametrize("relation", ["exact", "ignore"])
def test_six_systems_on_anatomy(expected, read, relation):
    assert len(expected["anatomy"]) == 6
    for messages in expected["anatomy"]:
        check(Overlap(relation=relation).score(pred=read(messages["pred"]), gold=read(messages["gold"])), messages)


def test_six_systems_on_126_conference_cases(expected, read):
    assert len(expected["conference_cases"]) == 126
    for messages in expected["conference_cases"]:
        check(Overlap(relation="exact").score(pred=read(messages["pred"]), gold=read(messages["gold"])), messages)


def test_micro_and_both_macro_averages_of_conference(expected, read):
    gold = read("alignments/conference/reference")
    assert len(gold.case_names) == 21
    for messages in expected["conference_micro_macro"]:
        pred = read(f"alignments/conference/{messages['system']}")
        check(Overlap(relation="exact").score(pred=pred, gold=gold), messages["micro"])
        macro = MacroOverlap(relation="exact").score(pred=pred, gold=gold)
        assert macro.counts["cases"] == messages["cases"]
        for name, theirs in (
            ("precision", "precision"), ("recall", "recall"), ("f1", "f1_of_means"), ("mean_f1", "mean_of_f1"),
        ):  # fmt: skip
            assert macro.values[name] == pytest.approx(messages["macro"][theirs], abs=MOST_DIGITS)


@pytest.mark.parametrize("number", range(3))
def test_one_mapping_set_in_three_formats(expected, read, number):
    messages = expected["sssom"]
    path = messages["pred"][number]
    pred = read(path, score_column="NormalizedScore" if path.endswith(".csv") else None)
    gold, exact = read(messages["gold"]), read(messages["gold"], relations=("skos:exactMatch",))
    assert (gold.facts["rows"], len(gold.pairs), len(exact.pairs)) == (
        messages["gold_rows"],
        messages["gold_pairs"],
        messages["exact_only"]["gold_pairs"],
    )
    for measure, reference, values in (
        (Overlap(), gold, messages["all_predicates"]),
        (Overlap(), exact, messages["exact_only"]),
        (Overlap(threshold=0.25), exact, messages["exact_only_score_at_least_0_25"]),
    ):
        score = measure.score(pred=pred, gold=reference)
        assert score.counts["hit_pred"] == values["tp"]
        assert score.counts["n_pred"] == values.get("kept", 1671)
        for name in ("precision", "recall", "f1"):
            assert score.values[name] == pytest.approx(values.get(name, score.values[name]), abs=5e-5)


def test_local_ranking(expected, read):
    messages = expected["ranking"]
    both = read(messages["pred"])
    gold = read("alignments/ranking/deeponto_example_candidate_mappings.tsv")
    for reference in (both, gold):
        assert Mrr().score(pred=both, gold=reference).mrr == pytest.approx(messages["mrr"], abs=5e-7)
        for k in (1, 5, 10):
            assert HitAtK(k=k).score(pred=both, gold=reference).hit == messages[f"hit@{k}"]


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
    messages = json.loads((reference_data / "expected/melt_residual.json").read_text(encoding="utf-8"))
    folder = reference_data / "alignments/anatomy"
    preds = [folder / f"{system}.rdf" for system in messages["residual_recall"]]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", goldassay.SuspectInputWarning)
        report = goldassay.evaluate(
            preds,
            gold=reference_data / messages["reference"],
            kind="alignment",
            as_="melt-residual",
            source_ontology=folder / "source.xml",
            target_ontology=folder / "target.xml",
        )
    assert [run.scores[0].recall for run in report.runs] == pytest.approx(
        [*messages["residual_recall"].values()], abs=1e-15
    )
    assert {run.scores[0].counts["n_gold"] for run in report.runs} == {577}


def test_from_files_and_as_one_command_says(expected, reference_data):
    messages = expected["anatomy"][0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        report = goldassay.evaluate(
            reference_data / messages["pred"], gold=reference_data / messages["gold"], kind="alignment"
        )
    check(report["overlap"], messages)


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
    messages = json.loads((reference_data / "alignments/relaxed/expected/relaxed.json").read_text(encoding="utf-8"))
    assert sorted(messages) == sorted(CASES)

    def case(name):
        ontologies = [str(reference_data / "alignments/relaxed" / file) for file in messages[name]["ontologies"]]
        options = {"source_ontology": ontologies[0], "target_ontology": ontologies[1]}
        files = f"{name}.rdf", f"{name.partition('.')[0]}.reference.rdf"
        return messages[name], *(read(f"alignments/relaxed/{file}", **options) for file in files)

    return case


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("case", CASES)
def test_the_extended_evaluator_of_the_alignment_api(relaxed, case, kind):
    messages, pred, gold = relaxed(case)
    for mode, values in messages["alignment_api"].items():
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
    messages, pred, gold = relaxed(case)
    wanted = messages["formula_reference_not_peer_code"][KINDS[kind][1]]
    score = Relaxed(kind=kind).score(pred=pred, gold=gold)
    assert score.counts["hit_gold"] == pytest.approx(wanted["omega"], abs=MOST_DIGITS)
    for name in ("precision", "recall", "f1"):
        assert score.values[name] == pytest.approx(wanted[name], abs=MOST_DIGITS)


@pytest.fixture(scope="module")
def bioml(reference_data):
    return json.loads((reference_data / "alignments/bioml/expected/bioml.json").read_text(encoding="utf-8"))


def check_hits(pred, gold, messages, names, **parameters):
    assert Mrr(ties="name", **parameters).score(pred=pred, gold=gold).mrr == pytest.approx(
        messages[names[0]], abs=1e-15
    )
    for k in (1, 5, 10):
        score = HitAtK(k=k, ties="name", **parameters).score(pred=pred, gold=gold)
        assert score.hit == pytest.approx(messages[f"{names[1]}{k}"], abs=1e-15)


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
    gold, messages = read("alignments/bioml/typed.answers.tsv", **hierarchy), bioml[case]
    check_hits(pred, gold, messages, ("preferred_typed_mrr", "preferred_typed_hits_at_"), typed=True)
    check_hits(pred, gold, messages, ("entity_only_mrr", "entity_only_hits_at_"))
    ndcg = NearNdcg(ties="name", **parameters).score(pred=pred, gold=gold)
    assert ndcg.near_ndcg == pytest.approx(messages["hierarchy_aware_typed_ndcg_at_10"], abs=1e-15)
    for score, name in (
        (Mrr(typed=True, ties="name").score(pred=pred, gold=gold), "preferred_typed_mrr"),
        (ndcg, "hierarchy_aware_typed_ndcg_at_10"),
    ):
        table = goldassay.breakdown(score, by="relation")
        for groups, slice_ in ((["="], "equivalence"), (["<", ">"], "subsumption")):
            rows = [row for row in table.iter_rows(named=True) if row["group"] in groups]
            count = "references" if "references" in rows[0] else "queries"
            found = sum(row["gain"] for row in rows) / sum(row[count] for row in rows)
            assert found == pytest.approx(messages[f"{name}__{slice_}_only"], abs=1e-15)
    median = MedianRank(typed=True, ties="name").score(pred=pred, gold=gold)
    assert median.median_rank == messages["median_preferred_typed_rank"]
    choice = RelationChoice(ties="name").score(pred=pred, gold=gold)
    assert choice.accuracy == messages["relation_accuracy_on_preferred_entity"]
    assert choice.macro_f1 == pytest.approx(messages["relation_macro_f1_on_preferred_entity"], abs=1e-15)


@pytest.mark.parametrize("reference", ["plain_reference", "flagged_reference"])
@pytest.mark.parametrize("system", ["AML", "Lily", "LogMapLt"])
def test_global_scores_of_bioml_2026(bioml, read, system, reference):
    messages = bioml["global"][f"cmt-conference.{system}.rdf"][reference]
    files = {
        "plain_reference": "relaxed/cmt-conference.reference.rdf",
        "flagged_reference": "bioml/global.reference_flagged.rdf",
    }
    pred, gold = read(f"alignments/relaxed/cmt-conference.{system}.rdf"), read(f"alignments/{files[reference]}")
    for measure, suffix in ((Overlap(unjudged="count"), ""), (Overlap(), "_coherent")):
        score = measure.score(pred=pred, gold=gold)
        for name in ("precision", "recall", "f1"):
            assert score.values[name] == messages[f"{name}{suffix}"]


def test_a_flagged_reference_against_itself(bioml, read):
    messages, gold = (
        bioml["global"]["flagged_reference_against_itself"],
        read("alignments/bioml/global.reference_flagged.rdf"),
    )
    score = Overlap(unjudged="count").score(pred=gold, gold=gold)
    assert [score.precision, score.recall] == [messages["precision"], messages["recall"]]
    assert Overlap().score(pred=gold, gold=gold).f1 == messages["f1_coherent"]
