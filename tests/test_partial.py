"""Partial gold: by hand in four families, and the laws."""

import json
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import goldassay
from goldassay.alignments import Alignment
from goldassay.axioms import Axioms
from goldassay.concepts import Concepts
from goldassay.labels import Labels
from goldassay.pipeline import names_of
from goldassay.triples import TripleSet
from goldassay.triples.formats.raw import RawDocuments
from goldassay.unl import Texts, document_of

pytestmark = pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
Graph = goldassay.Graph
GOLD = Graph.from_edges([("cat", "animal"), ("dog", "animal"), ("oak", "plant")])
PRED = Graph.from_edges([("cat", "animal"), ("cow", "animal"), ("cat", "pet"), ("fish", "food")])
FLAT = [(name, "thing") for name in ("cat", "dog", "oak", "cow", "pet", "food")]


def texts(*ids):
    return Texts(ids=tuple(map(str, ids)), wordings=tuple((f"The sentence {one} is this.",) for one in ids))


def graphs(*ids, wrong=None):
    return document_of(
        "".join(f"[S:{one}]{{unl}}agt(go{one}(icl>do), he){{/unl}}[/S]" for one in ids if one != wrong)
        + (f"[S:{wrong}]{{unl}}agt(come(icl>do), he){{/unl}}[/S]" if wrong else "")
    )


CASES = {
    "taxonomy": lambda: (
        GOLD,
        PRED,
        Graph.from_edges([("cow", "animal")]),
        Graph.from_edges([("cat", "animal")]),
        "literal",
    ),
    "axioms": lambda: (
        Axioms.from_rows([("Cat", "eats", "Fish"), ("Dog", "eats", "Meat"), ("Oak", "has", "Leaf")]),
        Axioms.from_rows([("Cat", "eats", "Fish"), ("Cow", "eats", "Fish"), ("Cat", "eats", "Hay"), ("A", "b", "C")]),
        Axioms.from_rows([("Cow", "eats", "Fish")]),
        Axioms.from_rows([("Cat", "eats", "Fish")]),
        "exact",
    ),
    "alignment": lambda: (
        Alignment.from_rows([("cat", "chat"), ("dog", "chien"), ("oak", "chene")]),
        Alignment.from_rows([("cat", "chat"), ("cow", "chat"), ("cat", "minou"), ("fish", "poisson")]),
        Alignment.from_rows([("cow", "chat")]),
        Alignment.from_rows([("cat", "chat")]),
        "overlap",
    ),
    "concepts": lambda: (
        Concepts.from_lists([("d1", ["cat", "dog"]), ("d2", ["oak"])]),
        Concepts.from_lists([("d1", ["cat", "cow"]), ("d2", ["pet", "food"])]),
        Concepts.from_lists([("d1", ["cow"])]),
        Concepts.from_lists([("d1", ["cat"])]),
        "concept_exact(average=micro)",
    ),
    "triples": lambda: (
        TripleSet.from_lists(
            {"d1": [("Cat", "eats", "Fish"), ("Dog", "eats", "Meat")], "d2": [("Oak", "has", "Leaf")]}
        ),
        TripleSet.from_lists(
            {"d1": [("Cat", "eats", "Fish"), ("Cow", "eats", "Fish")], "d2": [("A", "b", "C"), ("Oak", "is", "old")]}
        ),
        TripleSet.from_lists({"d1": [("Cow", "eats", "Fish")]}),
        TripleSet.from_lists({"d1": [("Cat", "eats", "Fish")]}),
        "triples",
    ),
    "labels": lambda: (
        Labels.from_rows([("d1", "cat"), ("d1", "dog"), ("d2", "oak")], edges=FLAT),
        Labels.from_rows([("d1", "cat"), ("d1", "cow"), ("d2", "pet"), ("d2", "food")], edges=FLAT),
        Labels.from_rows([("d1", "cow")], edges=FLAT),
        Labels.from_rows([("d1", "cat")], edges=FLAT),
        "hierarchical",
    ),
    "unl": lambda: (graphs(1, 2, 5), graphs(1, 3, 4, 6, wrong=3), graphs(3), graphs(1), "discrepancy"),
    "sentences": lambda: (texts(1, 2, 5), texts(1, 3, 4, 6), texts(3), texts(1), "levenshtein"),
}


@cache
def case(kind):
    """Make the models of a case when a test needs them: what is collected starts no threads."""
    return CASES[kind]()


KINDS = pytest.mark.parametrize("kind", CASES)


def score(kind, pred=None, gold=None, **partial):
    own_gold, own_pred, _, _, measure = case(kind)
    report = goldassay.evaluate(
        own_pred if pred is None else pred,
        gold=own_gold if gold is None else gold,
        kind=kind,
        measures=measure,
        **partial,
    )
    return report, report.runs[0].scores[0]


@KINDS
def test_what_no_one_judged_is_not_counted(kind):
    """Four predictions: one is right, one was judged and is wrong, two were judged by no one."""
    report, found = score(kind, judged=case(kind)[2])
    assert (found.precision, found.recall) == (1 / 2, 1 / 3)
    assert (found.bounds["precision"].low, found.bounds["precision"].high) == (1 / 4, 3 / 4)
    assert report.runs[0].pred.left_out["unjudged"] == 2
    assert "judged:sha256-" in str(found.signature)
    assert "completeness:judged" in str(found.signature)


@KINDS
def test_ignored_items_count_on_neither_side(kind):
    report, found = score(kind, ignore=case(kind)[3])
    assert (found.counts["n_pred"], found.counts["n_gold"], found.counts["hit_pred"]) == (3, 2, 0)
    assert (report.gold.left_out["ignored"], report.runs[0].pred.left_out["ignored"]) == (1, 1)
    assert found.bounds == {}


@pytest.mark.parametrize(
    ("kind", "scope", "n_pred", "n_gold"),
    [
        ("taxonomy", {"cat", "dog", "cow", "animal"}, 2, 2),
        ("axioms", {"Cat", "Dog"}, 2, 2),
        ("alignment", {"cat", "chat", "cow", "dog"}, 2, 1),
        ("concepts", {"d1"}, 2, 2),
        ("triples", {"d1"}, 2, 2),
        ("labels", {"d1"}, 2, 2),
        ("unl", {"1", "2", "3"}, 2, 2),
        ("sentences", {"1", "2", "3"}, 2, 2),
    ],
)
def test_what_lies_out_of_scope_counts_on_neither_side(kind, scope, n_pred, n_gold):
    report, found = score(kind, scope=scope)
    assert (found.counts["n_pred"], found.counts["n_gold"]) == (n_pred, n_gold)
    assert report.runs[0].pred.left_out["out_of_scope"] == 4 - n_pred
    assert report.gold.left_out["out_of_scope"] == 3 - n_gold
    assert "scope:sha256-" in str(found.signature)


@pytest.mark.parametrize(
    ("completeness", "judged"), [("complete", 4), ("source", 2), ("target", 2), ("partial", 3), ("judged", 1)]
)
@pytest.mark.parametrize("kind", ["taxonomy", "axioms", "alignment", "triples"])
def test_completeness_says_which_predictions_gold_can_judge(kind, completeness, judged):
    _, found = score(kind, completeness=completeness)
    assert (found.counts["n_pred"], found.counts["hit_pred"]) == (judged, 1)


def test_an_entity_is_judged_in_the_test_cases_where_gold_has_it(tmp_path):
    for side, rows in {
        "gold": {"a-b": "cat,chat", "a-c": "dog,hund"},
        "pred": {"a-b": "dog,loup", "a-c": "cat,katze"},
    }.items():
        (tmp_path / side).mkdir()
        for name, row in rows.items():
            (tmp_path / side / f"{name}.csv").write_text(f"source,target\n{row}\n")
    counts = {
        word: goldassay.evaluate(
            tmp_path / "pred", gold=tmp_path / "gold", kind="alignment", measures="overlap", completeness=word
        )["overlap"].counts["n_pred"]
        for word in ("complete", "source")
    }
    assert counts == {"complete": 2, "source": 0}


def test_a_branch_is_what_gold_has_below_a_name():
    gold = Graph.from_edges(
        [("cat", "pet"), ("pet", "animal"), ("animal", "pet"), ("oak", "plant"), ("animal", "thing")]
    )
    pred = Graph.from_edges([("cat", "animal"), ("cat", "pet"), ("oak", "plant"), ("pet", "thing")])
    report, found = score("taxonomy", pred, gold, scope="branch:animal")
    assert (found.counts["n_pred"], found.counts["n_gold"], found.counts["hit_pred"]) == (2, 3, 1)
    assert report.warnings == []
    with pytest.raises(goldassay.UsageError, match="no node with this name"):
        score("taxonomy", scope="branch:house")
    with pytest.raises(goldassay.UsageError, match="has no branches"):
        score("axioms", scope="branch:Cat")


def test_denied_pairs_are_judged(tmp_path):
    (tmp_path / "gold.sssom.tsv").write_text(
        "# curie_map:\n#   a: http://a/\n#   b: http://b/\n#   x: http://x/\n"
        "subject_id\tpredicate_id\tpredicate_modifier\tobject_id\tmapping_justification\n"
        "a:1\tskos:exactMatch\t\tb:1\tx:y\na:2\tskos:exactMatch\tNot\tb:2\tx:y\n"
    )
    gold = goldassay.read(tmp_path / "gold.sssom.tsv", kind="alignment")
    pred = Alignment.from_rows([(f"http://a/{n}", f"http://b/{n}") for n in (1, 2, 3)])
    _, found = score("alignment", pred, gold, completeness="judged")
    assert found.counts["n_pred"] == 2


@KINDS
def test_ignoring_nothing_and_judging_everything_change_no_number(kind):
    gold, pred, *_ = case(kind)
    _, plain = score(kind)
    nothing = {
        "taxonomy": lambda: Graph.from_edges([]),
        "axioms": lambda: Axioms.from_rows([]),
        "alignment": lambda: Alignment.from_rows([]),
        "concepts": lambda: Concepts.from_lists([]),
        "triples": lambda: TripleSet.from_lists({}),
        "labels": lambda: Labels.from_rows([], edges=FLAT),
        "unl": graphs,
        "sentences": texts,
    }
    empty = nothing[kind]()
    report, ignoring = score(kind, ignore=empty)
    assert "--ignore lists nothing" in report.warnings
    for found in (ignoring, score(kind, judged=pred)[1]):
        assert dict(found.counts) == dict(plain.counts)
        assert found.bounds == {}
    _, same = score(kind, pred=gold, judged=gold)
    assert same.f1 == 1


edges = st.lists(st.tuples(*[st.sampled_from("abcd")] * 2), min_size=1, max_size=9, unique=True)


@given(edges, edges, edges)
def test_the_bounds_enclose_the_value_and_are_reached(pred, gold, judged):
    """All unjudged predictions wrong: what the whole prediction has. All right: they are in gold, too."""
    judged = [*judged, *pred[:1]]
    graphs = [Graph.from_edges(some) for some in (pred, gold, judged)]
    found = goldassay.evaluate(graphs[0], gold=graphs[1], judged=graphs[2], measures="literal")["literal"]
    open_ = set(pred) - set(gold) - set(judged)
    assert set(found.bounds) == ({"precision"} if open_ else set())
    if open_:
        low, high = found.bounds["precision"].low, found.bounds["precision"].high
        assert low == pytest.approx(len(set(pred) & set(gold)) / len(pred))
        assert high == pytest.approx(len(set(pred) & (set(gold) | open_)) / len(pred))
        assert low <= found.precision <= high


def test_what_counts_nodes_counts_those_of_judged_edges_and_has_no_bounds():
    gold, pred, judged, *_ = case("taxonomy")
    report = goldassay.evaluate(pred, gold=gold, judged=judged, measures=["fuzzy", "nodes"], encoder="hashing")
    fuzzy, nodes = report.runs[0].scores
    assert (fuzzy.bounds["precision"].low, fuzzy.bounds["precision"].high) == (1 / 4, 3 / 4)
    assert (nodes.counts["n_pred"], nodes.bounds) == (3, {})  # cat, animal, cow
    for scope, count in ((["cat", "animal", "fish"], 3), (["fish", "food"], 2)):
        found = goldassay.evaluate(pred, gold=gold, scope=scope, measures="nodes", encoder="hashing")["nodes"]
        assert found.counts["n_pred"] == count


def test_weights_of_axioms_are_in_their_bounds():
    gold, pred, judged, *_ = case("axioms")
    found = goldassay.evaluate(pred, gold=gold, judged=judged, kind="axioms", measures="weighted")["weighted"]
    whole = goldassay.evaluate(pred, gold=gold, kind="axioms", measures="weighted")["weighted"]
    hit, size, more = (found.counts["hit_pred"], found.counts["n_pred"], whole.counts["n_pred"])
    assert found.bounds["precision"].low == pytest.approx(hit / more)
    assert found.bounds["precision"].high == pytest.approx((hit + more - size) / more)


def test_mentions_of_concepts_stay_with_their_concepts():
    from goldassay.concepts.model import Mention, lay_out
    from goldassay.concepts.trust import RESTRICTION

    texts = [("d1", "cat cow", ("cat", "cow")), ("d2", "", ()), ("d3", "oak elm", ("oak", "elm"))]
    concepts = lay_out(
        (i, t, [Mention(n, n, "", 4 * p, 4 * p + 3) for p, n in enumerate(some)]) for i, t, some in texts
    )
    kept = RESTRICTION.take(concepts, concepts.keys[concepts.words] != "cat")
    assert [kept.item(row) for row in range(len(kept))] == ["d1: cow", "d3: elm", "d3: oak"]
    assert [(kept.item(row), *span) for row, span in zip(kept.mentions.items, kept.mentions.spans.tolist(), strict=True)] == [
        ("d1: cow", 4, 7), ("d3: oak", 0, 3), ("d3: elm", 4, 7),
    ]  # fmt: skip
    inside = RESTRICTION.within(concepts, frozenset({"d2", "d3"}))
    assert (inside.ids.tolist(), inside.starts.tolist(), inside.texts.tolist()) == (
        ["d2", "d3"],
        [0, 0, 2],
        ["", "oak elm"],
    )
    assert [inside.item(row) for row in inside.mentions.items] == ["d3: oak", "d3: elm"]


def test_what_is_written_stays_with_its_triples():
    """Presets read what was written: it must be what a file without the triples would hold."""
    statements = [("Oslo", "in", "Norway"), ("oslo ", "in", "norway"), ("Rome", "in", None), ("Bern", "in", "CH")]

    def laid_out(rows):
        documents = RawDocuments()
        first = documents.begin("d", text="A text.")
        for row in rows:
            documents.add(first, row)
        documents.add(documents.begin("e"), ("a", "b", "c"))
        return TripleSet(**documents.columns(lambda text: text.strip().lower()))

    whole = laid_out(statements)
    for gone, lines in ((0, (0, 1)), (1, (2,)), (2, (3,))):
        kept = whole.take(np.arange(4) != gone)
        wanted = laid_out([row for place, row in enumerate(statements) if place not in lines])
        assert [kept.item(row) for row in range(3)] == [wanted.item(row) for row in range(3)]
        assert [kept.written_of(one) for one in (0, 1)] == [wanted.written_of(one) for one in (0, 1)]
    inside = whole.of_documents(np.array([False, True]))
    assert ([inside.item(0)], inside.written_of(0), inside.owners.tolist()) == (
        ["e: a | b | c"],
        [("a", "b", "c")],
        [0],
    )


def test_sentences_without_ids_have_no_partial_gold():
    twice = Texts(ids=("1", "1"), wordings=(("A.",), ("B.",)))
    with pytest.raises(goldassay.UsageError, match="needs unique ids of sentences"):
        goldassay.evaluate(twice, gold=twice, kind="sentences", measures="levenshtein", ignore=texts(1))


@pytest.mark.parametrize(("completeness", "judged"), [("source", 4), ("target", 1), ("partial", 4), ("judged", 1)])
def test_the_source_of_a_label_is_its_instance(completeness, judged):
    assert score("labels", completeness=completeness)[1].counts["n_pred"] == judged


def test_means_over_documents_have_bounds():
    # d1: of two predictions one is right and one wrong; d2: of two no one judged any, so that it has 0 to 1.
    gold, pred, judged, *_ = case("concepts")
    report = goldassay.evaluate(pred, gold=gold, kind="concepts", judged=judged, measures="concept_exact")
    bounds = report["concept_exact"].bounds["precision"]
    assert (report["concept_exact"].precision, bounds.low, bounds.high) == (1 / 4, 1 / 4, 3 / 4)
    gold, pred, judged, *_ = case("triples")
    measures = ["triples", "triples(average=macro)"]
    report = goldassay.evaluate(pred, gold=gold, kind="triples", judged=judged, measures=measures)
    bounds = [one.bounds["precision"] for one in report.runs[0].scores]
    assert [(one.low, one.high) for one in bounds] == [(1 / 4, 3 / 4)] * 2
    gold, pred, judged, *_ = case("alignment")
    report = goldassay.evaluate(pred, gold=gold, kind="alignment", judged=judged, measures="macro_overlap")
    assert (report["macro_overlap"].bounds["precision"].low, report["macro_overlap"].bounds["precision"].high) == (
        1 / 4,
        3 / 4,
    )


def test_what_is_more_than_the_credit_of_items_has_no_bounds():
    gold, pred, judged, *_ = case("labels")
    report = goldassay.evaluate(pred, gold=gold, kind="labels", judged=judged, measures=["hierarchical", "lca"])
    assert [set(one.bounds) for one in report.runs[0].scores] == [{"precision"}, set()]


def test_unknown_items_are_reported_in_one_message_over_all_predictions():
    judged = Graph.from_edges([("cow", "animal"), ("cat", "pet"), ("x", "y"), ("y", "z")])
    other = Graph.from_edges([("cat", "pet")])
    report = goldassay.evaluate(
        [Graph.from_edges([("cow", "animal")]), other], gold=GOLD, judged=judged, measures="literal"
    )
    [message] = [line for line in report.warnings if line.startswith("--judged")]
    assert "2 of 4 items are in no prediction and not in gold" in message


def test_judged_items_of_something_else_are_refused():
    with pytest.raises(goldassay.UsageError, match="any of the items of --judged"):
        score("taxonomy", judged=Graph.from_edges([("x", "y")]))


def test_what_is_to_be_ignored_may_be_nowhere():
    report, _ = score("taxonomy", ignore=Graph.from_edges([("x", "y")]))
    assert any("1 of 1 item is in no prediction and not in gold" in line for line in report.warnings)


MEASURES = ["overlap", "residual(baseline={file})", "macro_overlap", "hit_at_k(k=1)", "mrr", "map", "mean_rank"]


@pytest.mark.parametrize("measure", MEASURES)
def test_ignoring_is_having_no_such_pair_on_either_side(measure, tmp_path):
    gold, pred, _, ignore, _ = case("alignment")
    file = str(tmp_path / "ignore.csv")
    (tmp_path / "ignore.csv").write_text("source,target\ncat,chat\nno,non\n")
    chosen = goldassay.parse(measure.format(file=json.dumps(file)))
    kept = [side.take(np.array([side.item(row) != "cat = chat" for row in range(len(side))])) for side in (pred, gold)]
    assert [len(side) for side in kept] == [3, 2]
    own = chosen.score(pred=kept[0], gold=kept[1])
    for given_ignore in (ignore, file):
        found = goldassay.evaluate(pred, gold=gold, kind="alignment", measures=chosen, ignore=given_ignore)
        assert dict(found.runs[0].scores[0].values) == dict(own.values)
        assert dict(found.runs[0].scores[0].counts) == dict(own.counts)


def test_rankings_of_candidates_are_judged_as_a_whole(tmp_path):
    (tmp_path / "pred.tsv").write_text(
        "SrcEntity\tTgtEntity\tTgtCandidates\nc1\tt1\t['t1', 't2']\nc2\tt4\t['t3', 't4']\n"
    )
    (tmp_path / "gold.tsv").write_text("SrcEntity\tTgtEntity\tScore\nc1\tt1\t1\nc2\tt4\t1\n")
    (tmp_path / "ignore.tsv").write_text("SrcEntity\tTgtEntity\tScore\nc1\tt1\t1\n")
    given_files = {"gold": tmp_path / "gold.tsv", "kind": "alignment"}
    pred, file = tmp_path / "pred.tsv", str(tmp_path / "ignore.tsv")
    found = goldassay.evaluate(pred, **given_files, measures="mrr", ignore=file)["mrr"]
    # Of c1 -> t1 at rank 1 and c2 -> t4 at rank 2 the second is left.
    assert (found.mrr, found.counts["references"]) == (1 / 2, 1)
    with pytest.raises(goldassay.UsageError, match="is a ranking"):
        goldassay.evaluate(pred, **given_files, measures="mrr", completeness="source")


def test_a_scope_of_something_else_is_refused():
    with pytest.raises(goldassay.UsageError, match="any of the names of --scope"):
        score("taxonomy", scope=["x"])


def test_a_scope_may_name_what_has_no_items():
    gold = Concepts.from_lists([("d1", ["cat"]), ("d2", [])])
    report, _ = score("concepts", gold, gold, scope=["d1", "d2"])
    assert not any("--scope" in line for line in report.warnings)
    assert report.gold.ids.tolist() == ["d1", "d2"]


def test_an_empty_result_is_reported():
    report, _ = score("taxonomy", ignore=PRED)
    assert any(line.startswith("nothing is left of the prediction") for line in report.warnings)


def test_what_cannot_be_is_refused():
    with pytest.raises(goldassay.UsageError, match="have no source and no target"):
        score("concepts", completeness="source")
    with pytest.raises(goldassay.UsageError, match="completeness"):
        score("taxonomy", completeness="half")
    with pytest.raises(goldassay.UsageError, match="a complete gold standard judges all"):
        score("taxonomy", completeness="complete", judged=PRED)
    with pytest.raises(goldassay.UsageError, match="random predictions have no judgements"):
        score("taxonomy", completeness="judged", chance=True)


def test_several_golds_are_restricted_alike():
    other = Graph.from_edges([("cat", "animal"), ("animal", "being")])
    for gold_standards in ([GOLD, other], [other, GOLD]):
        ignoring = goldassay.evaluate(
            PRED, gold=gold_standards, combine="union", measures="literal", ignore=Graph.from_edges([("cat", "animal")])
        )
        assert dict(ignoring["literal"].counts) == {"hit_pred": 0, "hit_gold": 0, "n_pred": 3, "n_gold": 3}
        assert [gold.left_out["ignored"] for gold in ignoring.gold_standards] == [1, 1]
        scoped = goldassay.evaluate(
            PRED, gold=gold_standards, combine="union", measures="literal", scope="branch:animal"
        )
        assert dict(scoped["literal"].counts) == {"hit_pred": 1, "hit_gold": 1, "n_pred": 1, "n_gold": 2}
        assert str(scoped["literal"].signature).count("scope:sha256-") == 1
    for options in ({"judged": PRED}, {"completeness": "source"}):
        with pytest.raises(goldassay.UsageError, match="one gold standard only"):
            goldassay.evaluate(PRED, gold=[GOLD, other], measures="literal", **options)


def test_every_layout_shows_the_bounds_and_json_keeps_them(tmp_path):
    report, found = score("taxonomy", judged=case("taxonomy")[2])
    for layout in ("text", "markdown", "csv", "html"):
        assert "precision_if_wrong" in report.format(layout)
    assert "Precision if wrong & Precision if right" in report.format("latex")
    assert json.loads(report.format("json"))["runs"][0]["scores"][0]["bounds"] == {"precision": [0.25, 0.75]}
    report.save(tmp_path / "report.json")
    assert goldassay.load(tmp_path / "report.json").runs[0].scores[0].bounds == found.bounds


def test_intervals_and_runs_are_of_what_is_judged():
    gold, pred, judged, *_ = case("taxonomy")
    report = goldassay.evaluate({"a": [pred, pred]}, gold=gold, judged=judged, measures="literal")
    assert report.systems[0]["literal"].values["precision"].mean == 1 / 2


def test_the_command_reads_its_files(goldassay_command, tmp_path):
    for name, text in {
        "gold.csv": "cat,animal\ndog,animal\n", "pred.csv": "cat,animal\ncow,animal\ncat,pet\n", "judged.csv": "cow,animal\n",
    }.items():  # fmt: skip
        (tmp_path / name).write_text(f"child,parent\n{text}")
    (tmp_path / "scope.txt").write_text("cat\n\ncow\nanimal\npet\nunheard\n")
    result = goldassay_command(
        "taxonomy", tmp_path / "pred.csv", "-g", tmp_path / "gold.csv", "-m", "literal", "--format", "json",
        "--judged", tmp_path / "judged.csv", "--scope", tmp_path / "scope.txt",
    )  # fmt: skip
    run = json.loads(result.out)["runs"][0]
    assert run["scores"][0]["values"] == {"precision": 0.5, "recall": 1.0, "f1": pytest.approx(2 / 3)}
    assert run["pred"]["left_out"]["unjudged"] == 1
    assert any("1 of 5 names" in line for line in run["warnings"])


def test_names_of_a_scope_end_where_lines_end(tmp_path):
    path = tmp_path / "names.txt"
    path.write_bytes("cat\r\none\u2028name\rdog\x0b\n\x85 \n".encode())
    assert names_of(path) == ["cat", "one\u2028name", "dog"]
