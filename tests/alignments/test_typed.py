"""Rankings of entities with relations against plain loops over every order of what is tied."""

import itertools
import math
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

import goldassay
from goldassay.alignments import Alignment, HitAtK, Mrr, NearNdcg, RelationChoice

SCORES = st.sampled_from([0.0, 0.25, 0.5, 0.5])
KINDS = "=<>"
RANKED = st.lists(
    st.tuples(st.sampled_from("AB"), st.sampled_from("123"), st.sampled_from(KINDS), SCORES),
    max_size=6,
    unique_by=lambda row: row[:3],
)
WANTED = st.lists(
    st.tuples(st.sampled_from("AB"), st.sampled_from("123"), st.sampled_from(KINDS)), max_size=4, unique=True
)
EDGES = st.lists(st.tuples(st.sampled_from("1234"), st.sampled_from("1234")), max_size=4)


def score(measure, pred, gold, edges=()):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", goldassay.UndefinedWarning)
        models = [Alignment.from_rows(rows, target_edges=edges) for rows in (pred, gold)]
        return measure.score(pred=models[0], gold=models[1])


def orders(pred, source, ties="expected"):
    """Every order of the (target, relation) of a source that descends by score."""
    rows = [row for row in pred if row[0] == source]
    groups = [[row[1:3] for row in rows if row[3] == level] for level in sorted({row[3] for row in rows}, reverse=True)]
    if ties == "name":
        return [[pair for group in groups for pair in sorted(group, key=lambda end: (KINDS.index(end[1]), end[0]))]]
    return [list(itertools.chain(*parts)) for parts in itertools.product(*map(itertools.permutations, groups))]


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else 0.0


@pytest.mark.parametrize("ties", ["expected", "name"])
@given(pred=RANKED, gold=WANTED, k=st.sampled_from([1, 2]))
def test_ranks_of_entities_with_relations(ties, pred, gold, k):
    def expected(gain):
        return mean(
            mean(gain(order.index(row[1:]) + 1) if row[1:] in order else 0.0 for order in orders(pred, row[0], ties))
            for row in gold
        )

    assert score(Mrr(typed=True, ties=ties), pred, gold).mrr == pytest.approx(expected(lambda rank: 1 / rank))
    assert score(HitAtK(k=k, typed=True, ties=ties), pred, gold).hit == pytest.approx(expected(lambda rank: rank <= k))


def steps_up(edges, low, high):
    front, walked, seen = {low}, 0, set()
    while front:
        if high in front:
            return walked
        seen |= front
        front = {parent for child, parent in edges if child in front} - seen
        walked += 1
    return None


def earned(edges, gold, candidate, distance):
    (wanted, relation), (target, kind) = gold, candidate
    if target == wanted:
        return 1.0 if kind == relation else 0.6 if relation == "=" else 0.0
    above, below = steps_up(edges, wanted, target), steps_up(edges, target, wanted)
    if below is not None and (above is None or below <= above):
        above = None
    else:
        below = None
    base = 0.6 if relation == "=" else 1.0
    if above is not None and above <= distance and kind == "<" and relation in "=<":
        return base / (above + 1)
    if below is not None and below <= distance and kind == ">" and relation in "=>":
        return base / (below + 1)
    return 0.0


@pytest.mark.parametrize("ties", ["expected", "name"])
@given(pred=RANKED, gold=WANTED, edges=EDGES, limits=st.tuples(st.sampled_from([2, 10]), st.sampled_from([0, 1, 3])))
def test_the_gain_of_near_candidates(ties, pred, gold, edges, limits):
    k, distance = limits

    def dcg(gains):
        return sum(gain / math.log2(place + 1) for place, gain in enumerate(gains[:k], start=1))

    values = []
    for source in dict.fromkeys(row[0] for row in gold):
        references = [row[1:] for row in gold if row[0] == source]

        def gain(candidate, references=references):
            return max(earned(edges, reference, candidate, distance) for reference in references)

        best = dcg(sorted((gain(pair) for pair in itertools.product("1234", KINDS)), reverse=True))
        values.append(mean(dcg([gain(pair) for pair in order]) for order in orders(pred, source, ties)) / best)
    found = score(NearNdcg(ties=ties, k=k, distance=distance), pred, gold, edges).near_ndcg
    assert found == pytest.approx(mean(values))


@pytest.mark.parametrize("ties", ["expected", "name"])
@given(pred=RANKED, gold=WANTED)
def test_the_relation_of_the_right_entity(ties, pred, gold):
    chosen = []
    for source, target, relation in gold:
        rows = [row for row in pred if row[:2] == (source, target)]
        best = [row[2] for row in rows if row[3] == max(row[3] for row in rows)]
        best = sorted(best, key=KINDS.index)[:1] if ties == "name" else best
        if best:
            chosen.append((relation, {kind: 1 / len(best) for kind in best}))
    found = score(RelationChoice(ties=ties), pred, gold)
    assert found.accuracy == pytest.approx(mean(shares.get(relation, 0.0) for relation, shares in chosen))
    f1 = []
    for kind in KINDS:
        right = sum(shares.get(kind, 0.0) for relation, shares in chosen if relation == kind)
        below = sum(relation == kind for relation, _ in chosen) + sum(shares.get(kind, 0.0) for _, shares in chosen)
        f1 += [2 * right / below] if below else []
    assert found.macro_f1 == pytest.approx(mean(f1))
    left_out = len(gold) - len(chosen)
    assert (found.note is None) == (not left_out)


def test_the_right_entity_any_the_order_of_names():
    pred = Alignment.from_rows([("B", "3", "=", 0.9), ("B", "1", "<", 0.8), ("A", "2", "<", 0.7), ("A", "1", ">", 0.6)])
    gold = Alignment.from_rows([("A", "1", ">"), ("A", "2", "<"), ("B", "1", "=")])
    found = RelationChoice().score(pred=pred, gold=gold)
    assert (found.accuracy, found.note) == (2 / 3, None)


LISTS = "SrcEntity\tTgtEntity\tRelation\tTgtCandidates\nA\t1\t=\t['1', '2']\nA\t2\t<\t['2', '3']\nB\t3\t>\t['3', '1']\n"


def test_blocks_answer_the_rows_of_gold_in_their_order(tmp_path):
    (tmp_path / "gold.tsv").write_text(LISTS)
    gold = goldassay.read(tmp_path / "gold.tsv", kind="alignment")
    blocks = [
        ("A", "1", "=", 2),
        ("A", "2", "<", 5),
        ("A", "2", "<", 1),
        ("A", "3", ">", -7),
        ("B", "3", ">", 4),
        ("B", "3", "<", 3),
    ]
    table = "SrcEntity\tTgtEntity\tRelation\tScore\n" + "".join("\t".join(map(str, row)) + "\n" for row in blocks)
    (tmp_path / "pred.tsv").write_text(table)
    pred = goldassay.read(tmp_path / "pred.tsv", kind="alignment", block=2)
    found = Mrr(typed=True).score(pred=pred, gold=gold)
    assert found.matching.ranks.above.tolist() == [1, 0, 0]
    assert found.mrr == pytest.approx((1 / 2 + 1 + 1) / 3)
    assert found.signature.fields["block"] == "gold=default,pred=2"
    assert goldassay.breakdown(found, by="relation")["mrr"].to_list() == [1, 0.5, 1]
    assert Mrr().score(pred=pred, gold=gold).mrr == pytest.approx((1 / 2 + 1 + 1) / 3)
    for size, match, line in ((4, "not a multiple of the block size", None), (3, "Block 2 has two sources", 6)):
        with pytest.raises(goldassay.InputError, match=match) as caught:
            goldassay.read(tmp_path / "pred.tsv", kind="alignment", block=size)
        assert caught.value.line == line
    # The second reference of A has no list; that of B is still the first of B.
    head, *rows = table.splitlines(keepends=True)
    (tmp_path / "pred.tsv").write_text(head + "".join(rows[:2] + rows[4:]))
    less = goldassay.read(tmp_path / "pred.tsv", kind="alignment", block=2)
    assert Mrr(typed=True).score(pred=less, gold=gold).matching.ranks.found.tolist() == [True, False, True]


@pytest.mark.parametrize("text", [LISTS, "SrcEntity\tTgtEntity\tRelation\nA\t1\t=\nA\t2\t<\nB\t3\t>\n"])
def test_blocks_of_a_prediction_leave_gold_as_it_is(tmp_path, text):
    (tmp_path / "gold.tsv").write_text(text)
    (tmp_path / "pred.tsv").write_text("SrcEntity\tTgtEntity\tRelation\tScore\nA\t1\t=\t2\nA\t2\t<\t5\nB\t3\t>\t4\n")
    report = goldassay.evaluate(
        tmp_path / "pred.tsv", gold=tmp_path / "gold.tsv", kind="alignment", measures="mrr(typed=true)", block=1
    )
    assert report["mrr(typed=true)"].mrr == 1


def test_lists_need_no_target(tmp_path):
    (tmp_path / "gold.tsv").write_text(LISTS)
    (tmp_path / "pred.tsv").write_text("SrcEntity\tTgtCandidates\nA\t['2', '1']\nB\t['3']\nA\t['3']\n")
    pred, gold = (goldassay.read(tmp_path / f"{side}.tsv", kind="alignment") for side in ("pred", "gold"))
    assert (len(pred), pred.facts["queries"], pred.notes) == (0, 3, ())
    assert Mrr().score(pred=pred, gold=gold).mrr == pytest.approx((1 / 2 + 0 + 1) / 3)


def test_pools_of_gold_hold_every_relation(tmp_path):
    (tmp_path / "gold.tsv").write_text(LISTS)
    gold = goldassay.read(tmp_path / "gold.tsv", kind="alignment")
    pred = [
        ("A", "2", "=", 0.9),
        ("A", "9", "=", 0.8),
        ("A", "1", "=", 0.7),
        ("A", "2", "<", 0.6),
        ("B", "3", "=", 0.5),
    ]
    found = Mrr(typed=True).score(pred=Alignment.from_rows(pred), gold=gold)
    assert found.mrr == pytest.approx((1 / 2 + 1 / 2 + 0) / 3)


def test_scores_that_differ_by_rounding_are_tied_by_name():
    pred = [("A", "2", "=", 0.1 + 0.2), ("A", "1", "=", 0.3)]
    assert score(Mrr(), pred, [("A", "1", "=")]).mrr == 0.5
    assert score(Mrr(ties="name"), pred, [("A", "1", "=")]).mrr == 1


def test_the_ideal_is_of_the_candidates_of_gold(tmp_path):
    (tmp_path / "edges.tsv").write_text("child_id\tparent_id\n2\t3\n")
    (tmp_path / "gold.tsv").write_text("SrcEntity\tTgtEntity\tRelation\tTgtCandidates\nA\t2\t<\t['2', '4']\n")
    (tmp_path / "pred.tsv").write_text("SrcEntity\tTgtEntity\tRelation\tScore\nA\t2\t<\t1\n")
    options = {"kind": "alignment", "target_ontology": str(tmp_path / "edges.tsv")}
    pred, gold = (goldassay.read(tmp_path / f"{side}.tsv", **options) for side in ("pred", "gold"))
    assert NearNdcg().score(pred=pred, gold=gold).near_ndcg == 1
    (tmp_path / "gold.tsv").write_text("SrcEntity\tTgtEntity\tRelation\tTgtCandidates\nA\t2\t<\t['2', '3']\n")
    gold = goldassay.read(tmp_path / "gold.tsv", **options)
    found = NearNdcg().score(pred=pred, gold=gold)
    assert found.near_ndcg == pytest.approx(1 / (1 + 0.5 / math.log2(3)))
    assert found.signature.fields["ontologies"].startswith("sha256-")
