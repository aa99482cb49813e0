"""The level of chance: what evaluate makes of it, and what reports say."""

import csv
import json
import math
import re
from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace

import jsonschema
import numpy as np
import pytest

import goldassay
from goldassay.chance.level import ROUNDING, adjust_for_chance, chance_level, concat_draws, draws_of
from goldassay.core.chance import Chance
from goldassay.core.context import WORTH_KEEPING, Context
from goldassay.core.shape import SavedChance, write_shape
from goldassay.families import families, family
from goldassay.graphs import Graph
from goldassay.report.shape import report_schema

EDGES = [(f"n{i}", f"n{i // 2}") for i in range(1, 40)]
PRED = Graph.from_edges([*EDGES[5:], ("x", "y")])
GOLD = Graph.from_edges(EDGES)


def test_adjusted_is_0_for_chance_and_1_for_perfect_in_either_direction():
    assert adjust_for_chance(0.3, expected=0.3, sd=0.1, best=1.0) == 0
    assert adjust_for_chance(1.0, expected=0.3, sd=0.1, best=1.0) == 1
    assert adjust_for_chance(0.1, expected=0.3, sd=0.1, best=1.0) < 0
    assert adjust_for_chance(0.0, expected=0.4, sd=0.1, best=0.0) == 1
    assert adjust_for_chance(0.1, expected=0.4, sd=0.1, best=0.0) == pytest.approx(0.75)
    assert adjust_for_chance(0.8, expected=0.4, sd=0.1, best=0.0) < 0


def test_where_nothing_is_perfect_it_counts_standard_deviations():
    assert adjust_for_chance(7.0, expected=5.0, sd=0.5, best=math.inf) == 4
    assert adjust_for_chance(7.0, expected=5.0, sd=0.5, best=-math.inf) == -4
    assert math.isnan(adjust_for_chance(7.0, expected=5.0, sd=0.0, best=math.inf))
    assert math.isnan(adjust_for_chance(1.0, expected=1.0, sd=0.0, best=1.0))


@pytest.mark.parametrize(
    ("value", "expected", "best", "adjusted"),
    [
        (1e-9, 0.0, 1.0, 1e-9),
        (1.5e-9, 0.0, 1.0, 1.5e-9),
        (0.5e-9, 0.0, 1.0, 0.0),
        (1e6 + 1e-4, 1e6, math.inf, 0.0),
        (0.0, 0.0, 2e-9, 0.0),
    ],
)
def test_what_differs_by_rounding_only_is_chance(value, expected, best, adjusted):
    assert adjust_for_chance(value, expected=expected, sd=1.0, best=best) == adjusted
    assert math.isnan(adjust_for_chance(0.0, expected=0.0, sd=1.0, best=ROUNDING))


@dataclass
class Found:
    """What a level of chance asks of a score."""

    values: dict[str, float]
    best: float

    @property
    def measure(self):
        return SimpleNamespace(best=lambda _: self.best)


@pytest.mark.parametrize(
    ("value", "best", "draws", "percentile"),
    [
        (2.0, math.inf, [1, 2, 2, 3], 50),
        (2.0, math.inf, [1, 1, 2, 3], 62.5),
        (2.0, 0.0, [1, 2, 3, 3], 62.5),
        # All draws are perfect, and it is not, or it is perfect as they are.
        (0.5, 1.0, [1, 1], 0),
        (1.0, 1.0, [1, 1], 50),
        (0.5, 0.0, [0, 0], 0),
        (0.0, 0.0, [0, 0], 50),
        # The best rank is the first, and the least.
        (1.0, 1.0, [1, 2], 75),
        (2.0, 1.0, [1, 2], 25),
        # What is undefined is compared with nothing.
        (math.nan, 1.0, [1, 2], math.nan),
        (2.0, math.inf, [math.nan, math.nan], math.nan),
        (2.0, math.inf, [1, math.nan, 2, 2, 3], 50),
        (2.0, 1.0, [1, math.nan, 2], 25),
    ],
)
def test_the_percentile_counts_worse_draws_and_half_of_those_alike(value, best, draws, percentile):
    found = chance_level(Found({"v": value}, best), {"v": np.array(draws, float)}, Chance(draws=len(draws)), None)
    assert found.percentile["v"] == pytest.approx(percentile, abs=0, nan_ok=True)
    assert found.exact is False
    assert found.expected["v"] == pytest.approx(np.mean(draws), abs=0, nan_ok=True)
    assert found.sd["v"] == pytest.approx(np.std(draws, ddof=1), nan_ok=True)


def test_two_draws_have_a_spread_and_one_has_none():
    levels = [chance_level(Found({"v": 2.0}, 3.0), {"v": np.arange(n) * 1.0}, Chance(), None) for n in (1, 2)]
    assert [one.sd["v"] for one in levels] == [0, math.sqrt(0.5)]


def test_parts_of_draws_are_joined():
    part = {"f1": np.array([0.5, 0.25])}
    assert [one.tolist() for one in concat_draws([[part]])[0].values()] == [[0.5, 0.25]]
    assert concat_draws([[{}], [part], [part]])[0]["f1"].tolist() == [0.5, 0.25] * 2
    assert concat_draws([[{}]]) == [{}]


@pytest.mark.filterwarnings("ignore::goldassay.SuspectInputWarning")
def test_a_null_model_that_changes_nothing_of_a_prediction_is_named():
    loop = Graph.from_edges([("n1", "n1")])
    report = goldassay.evaluate(loop, gold=loop, measures="literal", chance=Chance(null="reversed"))
    assert report["literal"].chance is None
    message = "the null model reversed changes nothing of this prediction that it counts"
    assert f"literal: no level of chance, since {message}" in report.runs[0].warnings


def test_what_is_the_same_at_every_draw_is_drawn_once():
    levels = goldassay.evaluate(PRED, gold=GOLD, measures="literal", chance=Chance(null="reversed", draws=9))
    assert levels["literal"].chance.drawn.draws == 1


@pytest.mark.parametrize(
    ("rule", "exact"), [(None, True), ("union", True), ("intersection", True), ("mean", False), ("max", False)]
)
def test_moments_are_exact_against_one_gold_or_what_several_are_merged_to(rule, exact):
    gold = GOLD if rule is None else [GOLD, Graph.from_edges(EDGES[:30]), Graph.from_edges(EDGES[5:])]
    chance = Chance(null="random-edges", draws=4)
    found = goldassay.evaluate(PRED, gold=gold, combine=rule, measures="literal", chance=chance)["literal"].chance
    assert found.exact == exact


@pytest.mark.parametrize(("draws", "repeats"), [(WORTH_KEEPING - 1, False), (WORTH_KEEPING, True)])
def test_a_context_knows_of_many_draws_while_they_are_drawn(draws, repeats):
    context, seen = Context(), []

    def valuing(measure, model):
        seen.append(context.repeats)
        return {"f1": 0.5}

    options = {"pred": PRED, "gold": GOLD, "context": context, "valuing": valuing}
    draws_of(family("taxonomy"), [goldassay.parse("literal")], chance=Chance(draws=draws), **options)
    assert (seen, context.repeats) == ([repeats] * draws, False)


def test_the_signature_and_the_columns_name_the_null_model():
    report = goldassay.evaluate(PRED, gold=GOLD, measures="literal", chance=Chance(null="rewire", draws=7, seed=3))
    score = report["literal"]
    assert score.signature.fields["chance"] == "rewire(draws=7,seed=3)"
    level = json.loads(report.format("json"))["runs"][0]["scores"][0]["chance"]
    assert (level["null"], level["draws"], level["seed"], level["exact"]) == ("rewire", 7, 3, False)
    assert level["expected"].keys() == level["adjusted"].keys() == {"precision", "recall", "f1"}
    frame = report.to_frame(wide=True)
    assert frame["f1_adjusted"][0] == score.chance.adjusted["f1"]
    assert frame["recall_percentile"][0] == score.chance.percentile["recall"]
    for layout in ("text", "markdown", "latex"):
        written = report.format(layout)
        assert f"{score.chance.expected['f1']:.4f} ± {score.chance.sd['f1']:.4f}" in written
        assert f"{score.chance.adjusted['f1']:.4f}" in written


def test_a_report_with_chance_fits_the_schema_and_reads_back(tmp_path):
    report = goldassay.evaluate(PRED, gold=GOLD, measures=["literal", "motif"], chance="shuffle-texts")
    schema = report_schema()
    jsonschema.validate(json.loads(report.format("json")), schema)
    report.save(tmp_path / "report.json")
    loaded = goldassay.load(tmp_path / "report.json")
    assert write_shape(loaded["literal"].chance, SavedChance) == write_shape(report["literal"].chance, SavedChance)
    assert loaded["motif"].chance is None


def test_the_same_seed_gives_the_same_level_and_another_another():
    levels = [
        goldassay.evaluate(PRED, gold=GOLD, measures="literal", chance=Chance(draws=20, seed=seed))["literal"].chance
        for seed in (0, 0, 1)
    ]
    assert write_shape(levels[0], SavedChance) == write_shape(levels[1], SavedChance)
    assert levels[0].expected != levels[2].expected


def test_moments_and_percentile_are_those_of_the_draws():
    score = goldassay.evaluate(PRED, gold=GOLD, measures="literal", chance=Chance(draws=30))["literal"]
    chosen, rng = family("taxonomy"), np.random.default_rng(0)
    values = [
        score.measure.score(pred=chosen.trust.nulls["shuffle-texts"].draw(PRED, GOLD, rng), gold=GOLD).f1
        for _ in range(30)
    ]
    assert score.chance.expected["f1"] == pytest.approx(np.mean(values))
    assert score.chance.sd["f1"] == pytest.approx(np.std(values, ddof=1))
    assert score.chance.percentile["f1"] == 100


@pytest.mark.filterwarnings("ignore::goldassay.SuspectInputWarning")
def test_a_score_as_good_as_all_draws_lies_in_their_middle():
    score = goldassay.evaluate(PRED, gold=GOLD, measures="motif", chance="shuffle-texts").runs[0].scores[0]
    assert score.chance is None
    wrong = Graph.from_edges([("x", "y"), ("z", "y")])
    level = goldassay.evaluate(wrong, gold=GOLD, measures="literal", chance=True)["literal"].chance
    assert level.percentile["f1"] == 50
    assert level.adjusted["f1"] == 0


def test_where_lower_is_better_worse_draws_are_higher_ones():
    pred = Graph.from_edges([(f"a{i}", "hub") for i in range(30)] + [("hub", "top")])
    gold = Graph.from_edges([(f"a{i}", "hub") for i in range(30)] + [("hub", "root")])
    level = goldassay.evaluate(pred, gold=gold, measures="motif", chance=Chance(null="random-edges"))["motif"].chance
    assert level.percentile["distance"] == 100
    assert level.adjusted["distance"] == pytest.approx(1)


def test_a_measure_that_no_null_model_moves_says_so():
    report = goldassay.evaluate(PRED, gold=GOLD, measures="nodes", encoder="hashing", chance=True)
    assert report["nodes"].chance is None
    assert any("no level of chance" in line for line in report.runs[0].warnings)


def test_a_measure_without_a_perfect_score_is_adjusted_to_its_bound():
    pred = goldassay.alignments.Alignment.from_rows([(f"a{n}", f"b{n}", "=", n / 9) for n in range(10)])
    report = goldassay.evaluate(
        pred, gold=pred, kind="alignment", measures="overlap(threshold=0.5)", chance=Chance(draws=5)
    )
    level = report["overlap(threshold=0.5)"].chance
    recall = report["overlap(threshold=0.5)"].recall
    assert level.adjusted["recall"] == pytest.approx(
        (recall - level.expected["recall"]) / (1 - level.expected["recall"])
    )


def test_an_unknown_null_model_is_refused_before_anything_is_read():
    with pytest.raises(goldassay.UsageError, match="Unknown null model of taxonomy 'shufle-texts'"):
        goldassay.evaluate("not found", gold="nor this", chance="shufle-texts")
    with pytest.raises(goldassay.UsageError, match="draws"):
        Chance(draws=0)
    with pytest.raises(goldassay.UsageError, match="seed"):
        Chance(seed=-1)


def test_a_context_is_left_as_it_was():
    heard = []
    goldassay.evaluate(
        PRED, gold=GOLD, measures="literal", chance=Chance(draws=3), progress=lambda *messages: heard.append(messages)
    )
    assert ("drawing from shuffle-texts", 3, 3) in heard
    assert not Context().repeats


# ---- what issue and measures promise, on models of every family


def graphs(rng):
    names = [f"{rng.choice(['cat', 'dog', 'oak', 'elm', 'car'])} {i}" for i in range(60)]
    return Graph.from_edges([(names[i], names[int(rng.integers(0, max(i, 1)))]) for i in range(1, 60)])


def axioms(rng):
    from goldassay.axioms import Axioms

    rows = [(f"C{rng.integers(40)}", f"p{rng.integers(8)}", f"D{rng.integers(40)}", "object") for _ in range(120)]
    rows += [(f"C{i}", f"q{rng.integers(8)}", f"xsd:{rng.integers(8)}", "datatype") for i in range(40)]
    return Axioms.from_rows(rows + [(f"C{i}", "subClassOf", f"C{i // 2}", "subclass") for i in range(1, 40)])


def alignments(rng):
    from goldassay.alignments import Alignment

    return Alignment.from_rows([*((f"s{i}", f"t{i}", "=", float(rng.random())) for i in range(200)), ("n", None)])


def concepts(rng):
    from goldassay.concepts import Concepts

    return Concepts.from_lists([(f"d{i}", [f"{word}{i}" for word in "abcd"[: 1 + rng.integers(4)]]) for i in range(60)])


def labels(rng):
    from goldassay.labels import Labels

    edges = [(f"n{i}", f"n{i // 3}") for i in range(1, 400)]
    return Labels.from_rows([(f"i{i}", f"n{rng.integers(100, 400)}") for i in range(200)], edges=edges)


def triples(rng):
    from goldassay.triples import TripleSet

    del rng
    return TripleSet.from_lists({f"d{i}": [(f"s{i}", "is", f"o{i}"), (f"o{i}", "has", f"p{i}")] for i in range(60)})


def documents(rng):
    del rng
    from goldassay.unl import document_of

    return document_of("".join(f"[S:{i}] agt(go{i}(icl>do).@past, he{i}(icl>x)) [/S]" for i in range(60)))


def sentences(rng):
    from goldassay.unl import Texts

    letters = [["".join(rng.choice(list("abcdefghijklmnopqrst"), 12)) for _ in range(3)] for _ in range(60)]
    words = [f"The {a} has {b} for {c}." for a, b, c in letters]
    return Texts(ids=tuple(map(str, range(60))), wordings=tuple((text,) for text in words))


MODELS = {
    "taxonomy": (graphs, ["literal", "fuzzy(threshold=0.9)", "taxonomic"]),
    "axioms": (axioms, ["weighted", "exact"]),
    "alignment": (alignments, ["overlap", "macro_overlap"]),
    "concepts": (concepts, ["concept_exact", "concept(epsilon=0.99)"]),
    "labels": (labels, ["hierarchical", "wu_palmer", "lca"]),
    "triples": (triples, ["triples", "graph_match"]),
    "unl": (documents, ["discrepancy", "unl_relations", "unl_uws"]),
    "sentences": (sentences, ["levenshtein"]),
}


@pytest.mark.filterwarnings("ignore::goldassay.SuspectInputWarning")
@pytest.mark.parametrize("kind", MODELS)
def test_a_drawn_prediction_is_near_0_and_a_perfect_one_at_1(kind):
    make, measures = MODELS[kind]
    gold = make(np.random.default_rng(0))
    chosen = family(kind)
    null = next(iter(chosen.trust.nulls))
    context = {"encoder": "hashing"}
    perfect = goldassay.evaluate(gold, gold=gold, kind=kind, measures=measures, chance=Chance(draws=20), **context)
    assert all(score.chance.adjusted[score.headline] == pytest.approx(1) for score in perfect.runs[0].scores)
    drawn = chosen.trust.nulls[null].draw(gold, gold, np.random.default_rng(100))
    report = goldassay.evaluate(drawn, gold=gold, kind=kind, measures=measures, chance=Chance(draws=20), **context)
    for score in report.runs[0].scores:
        assert abs(score.chance.adjusted[score.headline]) < 0.05, score


# ---- real files


def read(data, kind, path, **reading):
    model = goldassay.read(data / path, kind=kind, **reading)
    return model, model


def notes(data, kind):
    """Summaries of the long-form data, as sentences and as the concepts in them."""
    with (data / "longform" / "test1ChatGPT_.csv").open(encoding="utf-8", newline="") as lines:
        rows = [(row["encounter_id"], row["Reference Summaries"][50:250]) for row in csv.DictReader(lines)]
    if kind == "sentences":
        from goldassay.unl import Texts

        model = Texts(ids=tuple(one for one, _ in rows), wordings=tuple((text,) for _, text in rows))
    else:
        from goldassay.concepts import Concepts

        model = Concepts.from_lists([(one, sorted(set(re.findall(r"[a-z]{5,}", text.lower())))) for one, text in rows])
    return model, model


def rankings(data, kind):
    """The references of a ranking, and the ranking with every reference at the head of its list."""
    from goldassay.alignments import Alignment

    path = data / "alignments" / "rank_chance" / "deeponto_example_scored_candidate_mappings.tsv"
    queries = (found := goldassay.read(path, kind=kind)).candidates.queries
    ends = list(zip(queries.sources.tolist(), queries.targets.tolist(), strict=True))
    gold = [(found.terms[source], found.terms[target]) for source, target in ends]
    lists = zip(queries.sources[found.candidates.query].tolist(), found.candidates.targets.tolist(), strict=True)
    rows = sorted({(found.terms[source], found.terms[target]) for source, target in lists} | set(gold))
    return Alignment.from_rows(gold), Alignment.from_rows([(*row, "=", 0.9 if row in gold else 0.1) for row in rows])


def labels_of(data, kind):
    folder = data / "hierarchies" / "labels"
    return read(folder, kind, "do_cancer_gold.tsv", hierarchy=str(folder / "do_cancer_hierarchy.tsv"))


REAL = [
    ("taxonomy", partial(read, path="graphs/taxonomy3.rdf"), "literal"),
    ("taxonomy", partial(read, path="graphs/symbolic_taxonomy.rdf"), "fuzzy(threshold=0.9)"),
    ("axioms", partial(read, path="axioms/bigbasket_threshold_093.csv"), "weighted"),
    ("axioms", partial(read, path="axioms/bigbasket_gold.csv"), "exact"),
    ("alignment", partial(read, path="alignments/conference/AML/cmt-conference.rdf"), "overlap"),
    ("alignment", rankings, "mrr"),
    ("alignment", rankings, "mean_rank"),
    ("concepts", notes, "concept_exact"),
    ("triples", partial(read, path="triples/edc/webnlg_ref.txt"), "triples"),
    ("labels", labels_of, "hierarchical"),
    ("unl", partial(read, path="unl/unlarium/ugoa1_en_ucn_excerpt.html"), "unl_relations"),
    ("sentences", notes, "levenshtein(limit=0.6)"),
]


def test_every_family_has_real_files():
    assert {kind for kind, *_ in REAL} == families().keys()


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize(("kind", "load", "measure"), REAL)
def test_what_is_drawn_from_real_files_is_near_0_and_they_themselves_at_1(reference_data, kind, load, measure):
    gold, pred = load(reference_data, kind=kind)
    chosen, hashing = family(kind), goldassay.get_encoder("hashing")
    options = {"gold": gold, "kind": kind, "measures": measure, "encoder": hashing}
    for null in chosen.trust.nulls:
        if chosen.trust.null_of(chosen.measures.parse(measure), null) is None:
            continue
        perfect = goldassay.evaluate(pred, **options, chance=Chance(null=null, draws=40)).runs[0].scores[0]
        level, headline = perfect.chance, perfect.headline
        assert level.adjusted[headline] == pytest.approx(1)
        # One draw of a small file lies anywhere; the mean of 25 lies near what is expected of them.
        drawn = [chosen.trust.nulls[null].draw(pred, gold, np.random.default_rng(100 + seed)) for seed in range(25)]
        # By the measure only: that a drawn prediction is suspect takes longer to find than its score.
        values = [perfect.measure.score(pred=one, gold=gold, encoder=hashing).values[headline] for one in drawn]
        best = perfect.measure.perfect[headline]
        adjusted = adjust_for_chance(float(np.mean(values)), expected=level.expected[headline], sd=0.0, best=best)
        assert abs(adjusted) < 0.05, null


def test_the_picture_and_the_page_show_chance():
    pytest.importorskip("altair")
    report = goldassay.evaluate(PRED, gold=GOLD, measures="literal", chance=Chance(draws=9))
    level = report["literal"].chance
    drawn = json.dumps(report.plot.values().to_dict())
    assert f'"chance_low": {level.expected["f1"] - level.sd["f1"]}' in drawn
    assert f'"chance_high": {level.expected["f1"] + level.sd["f1"]}' in drawn
    assert "chance_low" not in json.dumps(
        goldassay.evaluate(PRED, gold=GOLD, measures="literal").plot.values().to_dict()
    )
    page = report.format("html")
    assert f"± {level.sd['f1']:.4f}" in page
    assert "0 is chance, 1 is perfect" in page


def test_the_example_of_adjust_for_chance():
    assert (
        adjust_for_chance(0.75, expected=0.5, sd=0.1, best=1.0),
        adjust_for_chance(2, expected=51, sd=9, best=1),
    ) == (0.5, 0.98)
