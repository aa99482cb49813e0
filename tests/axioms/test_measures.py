"""The axiom measures against oracles written straight from their formulas."""

import warnings

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import goldassay
from goldassay.axioms import Axioms, Coverage, Exact, Weighted
from goldassay.axioms.declared import _side
from goldassay.core.context import Context
from goldassay.core.matching import NO_MATCH
from goldassay.encoders import get_encoder

KINDS = {"p": "object", "q": "object", "name": "datatype", "subClassOf": "subclass"}
ROW = st.tuples(st.sampled_from("ABC"), st.sampled_from(list(KINDS)), st.sampled_from("ABC"))
ROWS = st.lists(ROW, max_size=12).map(lambda rows: [(*row, KINDS[row[1]]) for row in rows])
NAMES = ["hasPrice", "priceOf", "price", "Product", "Products", "Brand"]
NAMED = st.lists(st.tuples(*[st.sampled_from(NAMES)] * 3), max_size=8)


def evaluate(measure, pred, gold, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", goldassay.UndefinedWarning)
        return measure.score(pred=Axioms.from_rows(pred), gold=Axioms.from_rows(gold), **options)


def loop(here, there, sim):
    return sum(max((sim(a, b) for b in there), default=0.0) for a in here)


def by_name(a, b, partial=0.5):
    return (1.0 if a[1] == b[1] else partial) if (a[0], a[2]) == (b[0], b[2]) else 0.0


@given(pred=ROWS, gold=ROWS, partial=st.sampled_from([0.0, 0.25, 0.5, 1.0]))
def test_weighted_is_the_double_loop(pred, gold, partial):
    counts = evaluate(Weighted(partial=partial), pred, gold).counts
    ours, theirs = set(pred), set(gold)
    assert counts["hit_pred"] == loop(ours, theirs, lambda a, b: by_name(a, b, partial))
    assert counts["hit_gold"] == loop(theirs, ours, lambda a, b: by_name(a, b, partial))
    assert (counts["n_pred"], counts["n_gold"]) == (len(ours), len(theirs))


@given(pred=ROWS, gold=ROWS)
def test_exact_is_the_intersection(pred, gold):
    counts = evaluate(Exact(), pred, gold).counts
    assert counts["hit_pred"] == counts["hit_gold"] == len(set(pred) & set(gold))


@given(pred=ROWS, gold=ROWS)
def test_coverage_is_its_formula(pred, gold):
    def sections(rows):
        return {
            "classes": {row[0] for row in rows},
            "relations": {row[1] for row in rows if row[3] != "datatype"},
            "datatypes": {row[1] for row in rows if row[3] == "datatype"},
        }

    score = evaluate(Coverage(), pred, gold)
    ours, theirs = sections(pred), sections(gold)
    above = {name: len(ours[name] & theirs[name]) for name in ours}
    below = {name: len(theirs[name]) + len(ours[name] - theirs[name]) for name in ours}
    for name in ours:
        assert score.values[name] == (above[name] / below[name] if below[name] else 0)
    total = sum(below.values())
    assert score.overall == (sum(above.values()) / total if total else 0)


ENCODER = get_encoder("hashing")


@given(pred=NAMED, gold=NAMED, threshold=st.sampled_from([0.2, 0.4, 0.7, 1.0]))
def test_fuzzy_is_the_double_loop(pred, gold, threshold):
    from goldassay.formats.labels import split_local_name

    vectors = dict(zip(NAMES, ENCODER.encode([split_local_name(name) for name in NAMES]).astype(float), strict=True))

    def same(a, b):
        return a == b or float(vectors[a] @ vectors[b]) > threshold

    def sim(a, b):
        return (1.0 if same(a[1], b[1]) else 0.5) if same(a[0], b[0]) and same(a[2], b[2]) else 0.0

    counts = evaluate(Weighted(names="fuzzy", threshold=threshold), pred, gold, encoder=ENCODER).counts
    assert counts["hit_pred"] == loop(set(pred), set(gold), sim)
    assert counts["hit_gold"] == loop(set(gold), set(pred), sim)


def test_has_price_matches_price_of():
    pred, gold = [("Product", "hasPrice", "Price")], [("Product", "priceOf", "Price")]
    assert evaluate(Weighted(), pred, gold).f1 == 0.5
    fuzzy = evaluate(Weighted(names="fuzzy", threshold=0.2), pred, gold, encoder="hashing")
    assert fuzzy.f1 == 1.0
    assert fuzzy.matching.table()["property"] == ["same", "same"]
    assert "encoder" in fuzzy.signature.fields


def test_has_price_matches_price_of_with_the_genuine_model(cached_minilm):
    pred, gold = [("Product", "hasPrice", "Price")], [("Product", "priceOf", "Price")]
    assert evaluate(Weighted(names="fuzzy"), pred, gold, encoder=cached_minilm).f1 == 1.0


def test_the_evidence_says_what_differs():
    gold = [("Product", "name", "Name"), ("Shop", "sells", "Product")]
    table = evaluate(Weighted(), [("Article", "name", "Name"), ("Shop", "offers", "Product")], gold).matching.table()
    assert table["verdict"] == ["invented", "partial", "missed", "partial"]
    assert table["counterpart"][0] == "Product name Name"
    assert [table[part][0] for part in ("class", "property", "object")] == ["differs", "same", "same"]
    assert table["similarity"] == [0.0, 0.5, 0.0, 0.5]


def test_the_missing_and_the_invented_vocabulary():
    score = evaluate(Coverage(), [("Article", "name", "Name", "datatype")], [("Product", "sells", "Name", "object")])
    assert {each.item for each in score.matching.missed()} == {"class Product", "relation sells"}
    assert {each.item for each in score.matching.invented()} == {"class Article", "datatype property name"}


def test_equivalences(tmp_path):
    path = tmp_path / "same.csv"
    path.write_text("pred,gold\nArticle,Product\noffers,sells\nUnused,Product\n")
    pred, gold = [("Shop", "offers", "Article")], [("Shop", "sells", "Product")]
    score = evaluate(Weighted(equivalences=str(path)), pred, gold)
    assert score.f1 == 1.0
    assert score.signature.fields["equivalences"].startswith("sha256-")
    assert evaluate(Coverage(equivalences=str(path)), pred, gold).relations == 1.0
    path.write_text("pred,gold\nProduct,Article\n")
    with pytest.raises(goldassay.RecordError, match="Gold has no class") as caught:
        evaluate(Weighted(equivalences=str(path)), pred, gold)
    assert caught.value.line == 2


def test_an_alignment_replaces_the_search(tmp_path):
    path = tmp_path / "hand.csv"
    path.write_text('pred,gold,score\n"A, p, B","C, q, D",0.5\n"A, p, B","C, r, D",0.25\n')
    gold = [("C", "q", "D"), ("C", "r", "D"), ("A", "p", "B")]
    score = evaluate(Weighted(alignment=str(path)), [("A", "p", "B")], gold)
    assert (score.counts["hit_pred"], score.counts["hit_gold"]) == (0.5, 0.75)
    assert score.signature.fields["alignment"].startswith("sha256-")


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ('"A, p, X","C, q, D",0.5', "The prediction has no such axiom"),
        ('"A, p, B","C, q, X",0.5', "The gold has no such axiom"),
        ('"A, p","C, q, D",0.5', "Invalid axiom"),
        ('"A, p, B","C, q, D",2', "Invalid score"),
        ('"A, p, B","C, q, D",half', "Invalid score"),
    ],
)
def test_an_alignment_that_cannot_be(tmp_path, row, says):
    path = tmp_path / "hand.csv"
    path.write_text(f"pred,gold,score\n{row}\n")
    with pytest.raises(goldassay.RecordError, match=says) as caught:
        evaluate(Weighted(alignment=str(path)), [("A", "p", "B")], [("C", "q", "D")])
    assert caught.value.line == 2


def test_an_alignment_leaves_no_room_for_a_search():
    with pytest.raises(goldassay.UsageError, match="replaces the search"):
        Weighted(alignment="a.csv", names="fuzzy")
    with pytest.raises(goldassay.UsageError, match="names=fuzzy"):
        Weighted(threshold=0.5)


@given(pred=ROWS, gold=ROWS, by=st.sampled_from(["kind", "class", "property"]))
def test_the_groups_add_up_to_the_whole(pred, gold, by):
    score = evaluate(Weighted(), pred, gold)
    frame = goldassay.breakdown(score, by=by)
    for name, value in score.counts.items():
        assert (frame[name].sum() or 0) == pytest.approx(value)


def test_coverage_is_grouped_by_kind_only():
    score = evaluate(Coverage(), [("A", "p", "B")], [("A", "p", "B")])
    assert goldassay.breakdown(score, by="kind")["group"].to_list() == ["class", "relation"]
    with pytest.raises(goldassay.UsageError, match=r"cannot be grouped by class.*\n.*kind"):
        goldassay.breakdown(score, by="class")
    with pytest.raises(goldassay.UsageError, match="kinds"):
        goldassay.breakdown(score, by="kinds")


def test_a_breakdown_has_null_where_there_is_nothing():
    frame = goldassay.breakdown(evaluate(Exact(), [("A", "p", "B")], [("C", "p", "B")]), by="class")
    assert frame.filter(pl.col("group") == "A").select("precision", "recall").row(0) == (0.0, None)


def test_a_published_alignment_has_empty_cells(tmp_path):
    path = tmp_path / "page.md"
    path.write_text(
        "|Gold|Threshold 0.9|Score|\n|--|--|--|\n|A, **q**, B|A, p, B|0.5|\n||C, p, D|0.0|\n|C, q, E||0.0|\n"
    )
    pred, gold = [("A", "p", "B"), ("C", "p", "D")], [("A", "q", "B"), ("C", "q", "E")]
    assert evaluate(Weighted(alignment=str(path)), pred, gold).f1 == 0.25
    path.write_text("|Gold|Threshold 0.9|Score|\n|--|--|--|\n||A, p, B|0.5|\n")
    with pytest.raises(goldassay.RecordError, match="Invalid axiom"):
        evaluate(Weighted(alignment=str(path)), pred, gold)


class Table:
    """An encoder of a few known vectors."""

    name, fingerprint, dimension = "table", "0" * 64, 2

    def __init__(self, **vectors):
        self.vectors = vectors

    def encode(self, texts, *, progress=None):
        return np.array([self.vectors.get(text, (1.0, 0.0)) for text in texts], dtype=np.float32).reshape(-1, 2)


def property_matches(threshold, vector):
    """Whether property p matches q, of this vector; p, A and B have (1, 0)."""
    sides = {"pred": Axioms.from_rows([("A", "p", "B")]), "gold": Axioms.from_rows([("A", "q", "B")])}
    measure = Weighted(names="fuzzy", threshold=threshold)
    return measure.evaluate(**sides, context=Context(encoder=Table(q=vector))).f1 == 1.0


def test_a_cosine_equal_to_the_threshold_is_no_match():
    assert not property_matches(0.0, (0.0, 1.0))
    assert property_matches(-1e-9, (0.0, 1.0))


def test_vectors_are_divided_by_their_length():
    # In float32, (0.6, 0.8) is longer than 1, by less than the encoder may err.
    vector = np.array([0.6, 0.8], dtype=np.float32).astype(float)
    length = float(np.linalg.norm(vector))
    assert length > 1
    assert not property_matches(float(vector[0]), tuple(vector))
    assert property_matches(float(vector[0] / length) - 1e-12, tuple(vector))


def test_little_memory_moves_no_number():
    rows = [("A", "p", "B"), ("A", "q", "B"), ("A", "r", "B")]
    sides = {"pred": Axioms.from_rows(rows), "gold": Axioms.from_rows([("A", f"{p}2", "B") for _, p, _ in rows])}
    encoder = Table(q=(0.0, 1.0), q2=(0.0, 1.0))

    def starts(memory):
        seen = []

        def progress(what, done, total):
            if what == "matching whole axioms":
                seen.append((done, total))

        context = Context(encoder=encoder, memory=memory, progress=progress)
        assert Weighted(names="fuzzy", threshold=0.5).evaluate(**sides, context=context).f1 == 1.0
        return seen

    # An axiom is compared with three others, of 32 bytes each.
    each = [(0, 3), (1, 3), (2, 3)]
    assert starts(1) == starts(2 * 32 * 3 - 1) == each * 2
    assert starts(2 * 32 * 3) == [(0, 3), (2, 3)] * 2
    assert starts(2**20) == [(0, 3)] * 2


def test_the_evidence_of_each_side_is_looked_up_on_the_other():
    pred = [("A", "p", "B")]
    gold = [("C", "q", "D"), ("E", "p", "B"), ("A", "p", "F"), ("A", "q", "B")]
    table = evaluate(Weighted(), pred, gold).matching.table()
    assert table["item"] == ["A p B", "C q D", "E p B", "A p F", "A q B"]
    assert table["counterpart"] == ["A q B", None, "A p B", "A p B", "A p B"]
    assert table["class"] == ["same", None, "differs", "same", "same"]
    assert table["property"] == ["differs", None, "same", "same", "differs"]
    assert table["object"] == ["same", None, "same", "differs", "same"]


@pytest.mark.parametrize(
    "options",
    [{"partial": 1.5}, {"partial": -0.1}, {"names": "fuzzy", "threshold": 1.5}, {"names": "fuzzy", "threshold": -1.5}],
)
def test_a_number_out_of_bounds_is_refused(options):
    with pytest.raises(goldassay.UsageError, match=r"float in \["):
        Weighted(**options)


def test_what_has_no_counterpart_has_no_similarity():
    side = _side(3, [(0, 2, 0.25), (0, 1, 0.5)])
    assert side.counterpart.tolist() == [1, NO_MATCH, NO_MATCH]
    np.testing.assert_array_equal(side.similarity, [0.5, np.nan, np.nan])
