"""The measures of UNL against plain counting."""

import re
import warnings
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unl.each import Difference, compare

import goldassay
from goldassay.core.context import Context
from goldassay.core.errors import InputError
from goldassay.unl import Attributes, Discrepancy, Levenshtein, Relations, Texts, Uws, document_of
from goldassay.unl.measures.discrepancy import text_discrepancy
from goldassay.unl.read import DocumentReading

WORDS = st.sampled_from(["a(icl>x)", "b(icl>x)", "c(icl>x)", "7"])
RELATIONS = st.tuples(st.sampled_from(["agt", "obj"]), WORDS, WORDS, st.sampled_from(["", ".@past", ".@past.@def"]))
GRAPHS = st.lists(RELATIONS, max_size=5)


def document(*graphs):
    bodies = [
        " ".join(f"{label}({source}{mark}, {target})" for label, source, target, mark in graph) for graph in graphs
    ]
    return document_of("".join(f"[S:{row}] {body} [/S]" for row, body in enumerate(bodies)))


def counted(graph):
    relations = Counter((label, source, target) for label, source, target, _ in graph)
    uws = Counter(pair for _, source, target, _ in graph for pair in (("s", source), ("t", target)))
    attributes = Counter(source for _, source, _, mark in graph if "past" in mark)
    return relations, uws, attributes


def apart(here, there):
    return sum(((here - there) + (there - here)).values()), sum(here.values()) + sum(there.values())


@given(pred=GRAPHS, gold=GRAPHS)
def test_the_discrepancies_are_those_of_plain_counters(pred, gold):
    found = compare(Discrepancy(), pred=document(pred).sentences[0], gold=document(gold).sentences[0])
    pairs = [apart(here, there) for here, there in zip(counted(pred), counted(gold), strict=True)]
    assert [(part.size, part.total) for part in found[:3]] == pairs
    above, below = (sum(weight * pair[side] for weight, pair in zip((3, 2, 1), pairs, strict=True)) for side in (0, 1))
    assert found.overall == (Fraction(above, below) if below else 0)


@pytest.mark.filterwarnings("ignore::goldassay.UndefinedWarning")
@given(pred=st.lists(GRAPHS, max_size=3), gold=st.lists(GRAPHS, max_size=3))
def test_micro_counts_are_those_of_plain_counters(pred, gold):
    pairs = list(zip(map(counted, pred), map(counted, gold), strict=False))
    for place, measure in enumerate((Relations(), Uws(), Attributes())):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", goldassay.UndefinedWarning)
            counts = measure.score(pred=document(*pred), gold=document(*gold)).counts
        matched = sum(sum((here[place] & there[place]).values()) for here, there in pairs)
        assert counts["hit_pred"] == counts["hit_gold"] == matched
        assert counts["n_pred"] == sum(sum(counted(graph)[place].values()) for graph in pred)


def score(pred, gold, **parameters):
    return Discrepancy(**parameters).score(pred=document_of(pred), gold=document_of(gold))


def why(pred, gold, **parameters):
    return score(pred, gold, **parameters).matching.table()["why"][0]


GOLD = "[S:1] agt(kill(icl>do), Peter(iof>person)) obj(kill(icl>do), forum) [/S]"


@pytest.mark.filterwarnings("ignore::goldassay.UndefinedWarning")
@pytest.mark.parametrize(
    ("pred", "reason"),
    [
        ("[S:1] [/S]", "empty graph"),
        ("[S:1] agt(kill(icl>do), Peter(iof>person)) obj(die(icl>do), 7) [/S]", "disconnected graph"),
        ("[S:1] agt(kill(icl>do), Peter(iof>person)) obj(kill(icl>do), chat) [/S]", "natural-language word 'chat'"),
        ("[S:1] agt(kill(icl>do), Peter(iof>person)) [/S]", "relation discrepancy 1/3 not below 0.3, UW"),
        (GOLD, ""),
    ],
)
def test_it_says_why(pred, reason):
    assert why(pred, GOLD).startswith(reason)
    assert bool(why(pred, GOLD)) == bool(reason)


@pytest.mark.filterwarnings("ignore::goldassay.UndefinedWarning")
def test_which_words_are_universal():
    assert why(GOLD, GOLD, words="strict") == "natural-language word 'forum'"
    other = GOLD.replace("forum", "chat")
    assert why(other, GOLD, words="lenient").startswith("relation discrepancy")
    assert "natural" in why(GOLD.replace("forum", "[chat]"), GOLD, words="lenient")


def test_limits_are_exact_and_strict():
    gold = "[S:1] " + " ".join(f"agt(a(icl>x), {row})" for row in range(10)) + "[/S]"
    pred = gold.replace("agt", "obj", 3)
    assert score(pred, gold).f1 == 0
    assert score(pred, gold, relation_limit=0.31).f1 == 1


def test_explicit_limits_win_over_the_profile():
    gold = "[S:1] " + " ".join(f"agt(a(icl>x), {row}.@past.@pl.@entry.@not)" for row in range(4)) + "[/S]"
    pred = re.sub(r"\.@[a-z]+", "", gold)
    found = compare(Discrepancy(), pred=document_of(pred).sentences[0], gold=document_of(gold).sentences[0])
    assert found.overall == Fraction(16, 3 * 8 + 2 * 16 + 16)
    assert score(pred, gold, profile="latest").f1 == 1
    assert score(pred, gold, profile="latest", overall_limit=0.2).f1 == 0
    assert score(pred, gold, profile="2012").f1 == 0
    assert score(pred, gold, profile="2012", overall_limit=0.9).f1 == 1
    other = pred.replace("agt", "obj", 2)
    assert score(other, pred, profile="2012").f1 == 1
    assert score(other, pred, profile="2012", relation_limit=0.3).f1 == 0
    assert score(other, pred, relation_limit=1, overall_limit=1).f1 == 1


@given(pred=GRAPHS, gold=GRAPHS)
def test_the_profiles_are_the_textbook(pred, gold):
    here, there = document(pred).sentences[0], document(gold).sentences[0]
    pairs = [apart(one, other) for one, other in zip(counted(pred), counted(gold), strict=True)]
    relations, uws = (Fraction(*pair) if pair[1] else Fraction(0) for pair in pairs[:2])
    overall = compare(Discrepancy(), pred=here, gold=there).overall
    for profile, limit in (("2013", Fraction(1, 2)), ("latest", Fraction(3, 10))):
        found = compare(Discrepancy(profile=profile), pred=here, gold=there)
        assert found.overall == overall
        close = relations < Fraction(3, 10) and uws < Fraction(3, 10) and overall < limit
        assert ("not below" not in found.why) == (close or not found.returned)
    texts = [
        "\n".join(f"{label}({source}{mark}, {target})" for label, source, target, mark in graph)
        for graph in (pred, gold)
    ]
    oldest = compare(Discrepancy(profile="2012"), pred=here, gold=there)
    assert oldest.overall == Fraction(distance(*texts), max(len(texts[1]), 1))
    assert ("not below" not in oldest.why) == (oldest.overall < Fraction(3, 10) or not oldest.returned)


def test_sentences_pair_by_id_or_else_by_order():
    report = goldassay.evaluate(document_of(GOLD), gold=document_of(GOLD), kind="unl", measures="discrepancy")
    assert report.runs[0].warnings == ()
    with pytest.warns(goldassay.SuspectInputWarning, match="paired by order"):
        other = goldassay.evaluate(
            document_of(GOLD.replace("S:1", "S:9")), gold=document_of(GOLD), kind="unl", measures="discrepancy"
        )
    assert other["discrepancy"].f1 == 1
    with pytest.warns(goldassay.SuspectInputWarning, match="has no prediction"):
        fewer = goldassay.evaluate(
            document_of(GOLD), gold=document_of(GOLD + GOLD.replace("S:1", "S:2")), kind="unl", measures="discrepancy"
        )
    assert (fewer["discrepancy"].precision, fewer["discrepancy"].recall) == (1, 0.5)


def test_relations_by_label():
    gold, pred = document_of(GOLD), document_of(GOLD.replace("obj", "gol"))
    frame = goldassay.breakdown(Relations().score(pred=pred, gold=gold), by="label")
    rows = frame.select("group", "hit_pred", "n_pred", "n_gold", "precision", "recall").rows()
    assert rows == [("agt", 1, 1, 1, 1.0, 1.0), ("gol", 0, 1, 0, 0.0, None), ("obj", 0, 0, 1, None, 0.0)]


def test_a_sentence_is_named_by_its_id():
    gold = document_of(GOLD + GOLD.replace("S:1", "S:9"))
    pred = document_of(GOLD + GOLD.replace("S:1", "S:7"))
    with pytest.warns(goldassay.SuspectInputWarning):
        report = goldassay.evaluate(
            pred, gold=gold, kind="unl", measures=["discrepancy", "unl_relations"], by="sentence"
        )
    groups = [score.breakdowns[0].groups for score in report.runs[0].scores]
    assert groups[0][:2] == ("1", "9")
    assert groups[0][2].startswith("2, not expected: S:7")
    assert groups[1] == ("1", "7", "9")


def distance(here, there):
    row = list(range(len(there) + 1))
    for place, sign in enumerate(here, start=1):
        before, row = row, [place]
        for column, other in enumerate(there):
            row.append(min(before[column] + (sign != other), before[column + 1] + 1, row[-1] + 1))
    return row[-1]


@given(pred=st.text("ab ", max_size=8), gold=st.text("ab ", max_size=8))
def test_levenshtein_is_the_textbook_table(pred, gold):
    here, there = " ".join(pred.split()), " ".join(gold.split())
    matching = Levenshtein().match(pred=texts(pred), gold=texts(gold), context=goldassay.core.context.Context())
    assert matching.compared["distance"][0] == distance(here, there)
    assert bool(matching.pred.credit[0]) == (here != "" and 10 * distance(here, there) < 3 * len(there))


@given(pred=st.text("ab ", max_size=12), gold=st.text("ab ", max_size=12))
def test_the_latest_profile_counts_words(pred, gold):
    here, there = Counter(pred.split()), Counter(gold.split())
    differ, total = apart(here, there)
    measure = Levenshtein(profile="latest")
    matching = measure.match(pred=texts(pred), gold=texts(gold), context=goldassay.core.context.Context())
    assert matching.compared["distance"][0] == differ
    assert bool(matching.pred.credit[0]) == (here.total() > 0 and 10 * differ < 3 * total)


def test_a_year_is_a_profile_with_and_without_quotes():
    for text in ("levenshtein(profile=2012)", "levenshtein(profile='2012')"):
        assert goldassay.parse(text) == Levenshtein(profile="2012")
    assert goldassay.parse(str(Discrepancy(profile="2012"))) == Discrepancy(profile="2012")


def test_words_and_characters_disagree():
    swapped = texts("sleeps the black cat"), texts("the black cat sleeps")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", goldassay.UndefinedWarning)
        found = [
            Levenshtein(profile=one).score(pred=swapped[0], gold=swapped[1]).f1 for one in ("2012", "2013", "latest")
        ]
    assert found == [0, 0, 1]


def texts(*wordings):
    return Texts(ids=("1",), wordings=(wordings,))


@pytest.mark.filterwarnings("ignore::goldassay.UndefinedWarning")
def test_the_best_wording_counts_and_a_uw_is_no_result():
    measure = Levenshtein()
    assert measure.score(pred=texts("A cat."), gold=texts("Something else entirely", "A cat.")).f1 == 1
    assert measure.score(pred=texts("A cat(icl>animal)."), gold=texts("A cat.")).counts["n_pred"] == 0
    assert measure.score(pred=texts("104379964:3F cats."), gold=texts("A cat.")).counts["n_pred"] == 0


@pytest.mark.parametrize(
    "text",
    [
        "Call 123456789 today.",
        "Few patients (or<5%) had it, p(or<0.05).",
        "Write cat(icl>animal) for cat%1:05:00:: or 104379964:3F.@def.",
    ],
)
def test_a_sentence_answers_itself_any_it_looks_like(text):
    score = Levenshtein().score(pred=texts(text), gold=texts(text))
    assert (score.f1, score.counts["n_pred"]) == (1.0, 1)


def test_a_number_only_is_no_uw():
    score = Levenshtein(limit=0.9).score(pred=texts("Call 123456789 (or<5)."), gold=texts("Call 987 (or less)."))
    assert score.counts["n_pred"] == 1


def test_a_sentence_as_long_as_a_book_is_refused_and_not_compared_for_a_day():
    short, long = (Texts(ids=("7",), wordings=(("x" * size,),)) for size in (50_000, 10**6))
    assert Levenshtein().score(pred=short, gold=short).f1 == 1
    for pred, gold in ((short, long), (long, short)):
        with pytest.raises(InputError, match="'7' is too long") as caught:
            Levenshtein().score(pred=pred, gold=gold)
        assert "GOLDASSAY_MAX_SENTENCE" in caught.value.hint


def test_graphs_as_long_as_books_are_not_compared_letter_by_letter():
    [long] = document_of("[S:7]" + "agt(a, b)" * 6000 + "[/S]").sentences
    with pytest.raises(InputError, match="'7' is too long"):
        text_discrepancy(long, long)


def test_nothing_differs_from_nothing_by_0():
    assert Difference.between([], []).discrepancy == 0


KILLS = "agt(kill(icl>do), Peter(iof>person))"
MIXED_GOLD = f"[S:1] {KILLS} [/S][S:2] agt(a [/S][S:3] {KILLS.replace('Peter', 'Mary')} [/S]"
MIXED_PRED = f"[S:1] {KILLS} [/S][S:2] {KILLS} [/S][S:9] {KILLS} [/S][S:3] [/S]"


@pytest.mark.parametrize("profile", ["2013", "2012", "latest"])
def test_a_right_an_unjudged_a_surplus_and_an_empty_graph(profile):
    pred, gold = document_of(MIXED_PRED), document_of(MIXED_GOLD, reading=DocumentReading(on_error="skip"))
    result = Discrepancy(profile=profile).score(pred=pred, gold=gold)
    found = result.matching
    assert dict(result.counts) == {"hit_pred": 1, "hit_gold": 1, "n_pred": 2, "n_gold": 2}
    assert found.included[0].tolist() == [True, False, True, False]
    assert found.included[1].tolist() == [True, False, True]
    assert found.pred.similarity.tolist() == [1.0, 0.0, 0.0, 0.0]
    # Only what a limit can make right is apart by a number.
    assert found.apart.tolist() == pytest.approx([0.0, np.nan, np.nan, np.nan], nan_ok=True)
    assert found.table()["why"][:4] == ["", "the expected sentence is malformed", "no expected sentence", "empty graph"]


@pytest.mark.filterwarnings("ignore::goldassay.UndefinedWarning")
def test_the_overall_limit_only_moves_what_is_open():
    gold = "[S:1] " + " ".join(f"agt(a(icl>x), {row}.@past.@pl)" for row in range(4)) + "[/S]"
    near, far = gold.replace(".@past", ""), gold.replace("agt", "obj", 2)
    found = score(near, gold, overall_limit=0.01).matching
    # Four of eight attributes are missing: 4 / (3 * 8 + 2 * 16 + 12).
    assert found.pred.credit[0] == 0
    assert found.apart[0] == pytest.approx(4 / 68)
    assert found.pred.similarity[0] == pytest.approx(1 - 4 / 68)
    assert np.isnan(score(far, gold).matching.apart[0])
    assert np.isnan(score(gold.replace("a(icl>x)", "chat"), gold, overall_limit=0.01).matching.apart[0])


@pytest.mark.parametrize(("words", "perfect"), [("expected", {"precision", "recall", "f1"}), ("strict", {"precision"})])
def test_what_a_document_scores_against_itself(words, perfect):
    assert dict(Discrepancy(words=words).perfect) == dict.fromkeys(perfect, 1.0)


def progress_of(measure, document):
    seen = []
    measure.match(pred=document, gold=document, context=Context(progress=lambda *messages: seen.append(messages)))
    return seen


def test_progress_is_reported_at_every_thousand_graphs():
    many = document_of("".join(f"[S:{row}] {KILLS} [/S]" for row in range(2001)))
    assert progress_of(Discrepancy(profile="2012"), many) == [
        ("comparing graphs", done, 2001) for done in (0, 1000, 2000)
    ]


@pytest.mark.filterwarnings("ignore::goldassay.UndefinedWarning")
@pytest.mark.parametrize(("pred", "correct"), [("xxx3456789", 0), ("xx23456789", 1)])
def test_three_of_ten_characters_are_too_many(pred, correct):
    assert Levenshtein().score(pred=texts(pred), gold=texts("0123456789")).f1 == correct
    assert Levenshtein(limit=0.31).score(pred=texts(pred), gold=texts("0123456789")).f1 == 1


@pytest.mark.filterwarnings("ignore::goldassay.UndefinedWarning")
def test_the_evidence_on_sentences_is_complete():
    pred = Texts(ids=tuple("12349"), wordings=(("A cat.",), ("Dogs bark",), ("",), ("x" * 30,), ("Surplus",)))
    gold = Texts(ids=tuple("12345"), wordings=(("The cat.", "A cats."), ("Dogs",), ("Mice",), ("ab",), ("Rain",)))
    result = Levenshtein().score(pred=pred, gold=gold)
    found, table = result.matching, result.matching.table()
    assert dict(result.counts) == {"hit_pred": 1, "hit_gold": 1, "n_pred": 4, "n_gold": 5}
    assert found.included[0].tolist() == [True, True, False, True, True]
    assert table["distance"][:5] == [1, 5, 4, 30, 7]
    assert table["normalised"][:5] == pytest.approx([1 / 7, 5 / 4, 4 / 4, 30 / 2, 7])
    assert found.pred.similarity.tolist() == pytest.approx([6 / 7, 0, 0, 0, 0])
    assert found.apart.tolist() == pytest.approx([1 / 7, 5 / 4, np.nan, 15, np.nan], nan_ok=True)
    far = "distance not below 0.3 of the length"
    assert table["why"] == ["", far, "empty", far, far, "", far, "empty", far, "no prediction"]
    assert table["edits"][0] == "A [-cat-]{+cats+}."
    latest = Levenshtein(profile="latest").score(pred=pred, gold=gold).matching.table()
    assert latest["why"][1] == "distance not below 0.3 of the words"


def test_an_empty_wording_has_no_share():
    found = Levenshtein().score(pred=texts("a"), gold=texts("")).matching
    assert (found.pred.credit[0], found.compared["normalised"][0]) == (0, 1.0)
    assert np.isnan(found.apart[0])
    assert Levenshtein().score(pred=texts("b"), gold=texts("a")).matching.compared["normalised"][0] == 1.0


@pytest.mark.filterwarnings("ignore::goldassay.UndefinedWarning")
@pytest.mark.parametrize(
    ("pred", "wordings", "nearest"),
    # 2 of 4 is nearer than 2 of 1, and 4 of 2 than 4 of 1.
    [("ab", ("x", "abcd"), 2 / 4), ("abcd", ("x", "xy"), 4 / 2), ("abcd", ("xy", "x"), 4 / 2)],
)
def test_the_nearest_wording_is_that_of_the_smallest_share(pred, wordings, nearest):
    result = Levenshtein().score(pred=texts(pred), gold=texts(*wordings))
    assert result.matching.compared["normalised"][0] == nearest


def test_sentences_without_an_id_are_named_by_their_place():
    body = "agt(a(icl>x), 7) obj(a(icl>x), 8)"
    unnamed = document_of(f"[S] {body} [/S][S] {body} [/S]")
    found = Relations().score(pred=unnamed, gold=unnamed)
    table = found.matching.table()
    assert table["item"][:4] == [
        f"S:{place} {label} a(icl>x) {node}" for place in (1, 2) for label, node in (("agt", 7), ("obj", 8))
    ]
    assert table["label"][:4] == ["agt", "obj", "agt", "obj"]
    assert table["similarity"] == [1.0] * 8
    assert Relations().unit_keys(found.matching.pred_items) == ["1", "1", "2", "2"]
    assert Discrepancy().units(Discrepancy().match(pred=unnamed, gold=unnamed, context=Context())).keys.tolist() == [
        "1",
        "2",
    ]
    twice = document_of(f"[S:7] {body} [/S][S:7] {body} [/S]")
    assert Discrepancy().units(Discrepancy().match(pred=twice, gold=twice, context=Context())).keys.tolist() == [
        "1",
        "2",
    ]


def test_equal_items_of_a_sentence_match_one_each():
    one, three = (document_of("[S:1] " + "agt(a(icl>x), 7) " * times + "[/S]") for times in (1, 3))
    counts = Relations().score(pred=three, gold=one).counts
    assert (counts["hit_pred"], counts["hit_gold"], counts["n_pred"], counts["n_gold"]) == (1, 1, 3, 1)


def test_a_mapping_that_is_the_best_is_not_remarked_on():
    found = Relations(best_mapping=True).score(pred=document_of(GOLD), gold=document_of(GOLD))
    assert (found.f1, found.note) == (1.0, None)


@pytest.mark.parametrize("measure", [Discrepancy(), Levenshtein()])
def test_an_expected_sentence_counts_by_its_weight(measure):
    sides = document_of(GOLD + GOLD.replace("S:1", "S:2")), document_of(GOLD + GOLD.replace("S:1", "S:9"))
    if isinstance(measure, Levenshtein):
        sides = (
            Texts(ids=("1", "2"), wordings=(("a cat",), ("dogs",))),
            Texts(ids=("1", "9"), wordings=(("a cat",), ("x",))),
        )
    weighed = replace(
        measure.match(pred=sides[0], gold=sides[1], context=Context()), gold_weights=np.array([0.25, 0.5])
    )
    counts = measure.count(weighed)
    assert measure.weighs_gold
    assert (counts["hit_gold"], counts["n_gold"]) == (0.25, 0.75)


@pytest.mark.parametrize(
    ("measure", "name"),
    [
        (Levenshtein, "limit"),
        *((Discrepancy, f"{one}_limit") for one in ("relation", "uw", "overall")),
        *((Discrepancy, f"{one}_weight") for one in ("relation", "uw", "attribute")),
    ],
)
def test_a_number_out_of_bounds_is_refused(measure, name):
    most = 2.0 if measure is Discrepancy and "limit" in name else 1e6
    assert getattr(measure(**{name: most}), name) == most
    for wrong in (-0.01, most + 0.5):
        with pytest.raises(goldassay.UsageError, match=name):
            measure(**{name: wrong})


def test_a_sentence_has_to_be_below_the_limit():
    gold, pred = texts("0123456789"), texts("xxx3456789")
    assert (Levenshtein().cut.value, Levenshtein().cut.inclusive) == (0.3, False)
    curve = Levenshtein().curve(pred=pred, gold=gold, context=Context())
    assert [curve.at(limit).values["f1"] for limit in (0.29, 0.3, 0.31)] == [0, 0, 1]
    assert (Discrepancy().cut.value, Discrepancy().cut.inclusive) == (0.5, False)
    assert Discrepancy(overall_limit=0.0).cut.value == 0.0
    graph = document_of(GOLD)
    curve = Discrepancy().curve(pred=graph, gold=graph, context=Context())
    assert [curve.at(limit).values["f1"] for limit in (0.0, 0.01)] == [0, 1]


def test_each_limit_of_the_latest_profile_decides_only():
    def latest(pred, gold, **limits):
        return score(f"[S:1] {pred} [/S]", f"[S:1] {gold} [/S]", profile="latest", **limits).f1

    # One label of three is wrong, all UWs are there: 2/6 of the relations, and 6/42 overall.
    gold = "agt(say(icl>do), Ann(iof>person)) obj(say(icl>do), word(icl>thing)) gol(say(icl>do), Bob(iof>person))"
    pred = gold.replace("gol(", "ben(")
    assert (latest(pred, gold), latest(pred, gold, relation_limit=0.4)) == (0, 1)
    # One UW of two is wrong, in one relation of eight: 2/4 of the UWs, 2/16 of the relations, and 10/56 overall.
    scopes = "and:02(:01, :01) " + " ".join(f"{label}(:01, :02)" for label in ("or", "seq", "con", "rsn", "cnt", "man"))
    pred, gold = (f"agt:01(say(icl>do), {who}(iof>person)) {scopes}" for who in ("Ann", "Bob"))
    assert (latest(pred, gold), latest(pred, gold, uw_limit=0.6)) == (0, 1)
    # All three attributes of the verb are wrong: 6/20 overall.
    pred, gold = (f"agt(say(icl>do){some}, Ann(iof>person))" for some in (".@a.@b.@c", ".@d.@e.@f"))
    assert (latest(pred, gold), latest(pred, gold, overall_limit=0.31)) == (0, 1)


def test_items_of_a_part_may_be_paired_by_order():
    gold = document_of("[S:1] agt(a, b) [/S] [S:2] agt(c, d) [/S]")
    both = document_of("[S:2] agt(c, d) [/S] [S:3] agt(a, b) [/S]")
    single = document_of("[S:3] agt(a, b) [/S]")
    assert [Uws().score(pred=one, gold=gold).counts["hit_pred"] for one in (both, single)] == [2, 2]
    assert not Uws.sums_over_records


@pytest.mark.parametrize("weights", [(3.0, 2.0, 1.0), (1.5, 0.75, 0.1), (0.0, 0.3, 2.0), (1e6, 1e-3, 0.0)])
def test_the_overall_discrepancy_weighs_relations_words_and_attributes(weights):
    pred, gold = document_of(
        "[S:1]agt(a(icl>x).@past,b(icl>y))[/S] [S:1]agt(a(icl>x).@pl,c(icl>y)) obj(a(icl>x),c(icl>y))[/S]"
    ).sentences
    names = ("relation_weight", "uw_weight", "attribute_weight")
    found = compare(Discrepancy(**dict(zip(names, weights, strict=True)), optional=()), pred=pred, gold=gold)
    parts = (found.relations, found.uws, found.attributes)
    assert [(part.size, part.total) for part in parts] == [(3, 3), (4, 6), (2, 2)]
    exact = [Fraction(str(weight)) for weight in weights]
    apart, total = (
        sum(w * getattr(part, what) for w, part in zip(exact, parts, strict=True)) for what in ("size", "total")
    )
    assert found.overall == apart / total


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
def test_ids_of_concepts_against_names_have_nothing_in_common():
    names = document_of("[S:1] mod(book(equ>volume), red) [/S] [S:2] agt(go, he) [/S]")
    ids = document_of("[S:1] mod(102870092, 400381097) [/S] [S:2] agt(go, he) [/S]")
    only_ids = document_of("[S:1] mod(102870092, 400381097) [/S]")
    words, single = document_of("[S:1][W] book [/W][/S]"), document_of("[S:1][W] 102870092 [/W][/S]")
    message = "no relation in common: for example 'mod, 102870092, 400381097' in the prediction, 'mod, book(equ>volume), red' in gold"
    assert message in " ".join(goldassay.evaluate(only_ids, gold=names, kind="unl").warnings)
    assert "no UW in common: for example '102870092' in the prediction, 'book' in gold" in " ".join(
        goldassay.evaluate(single, gold=words, kind="unl").warnings
    )
    for gold in (ids, names):
        assert "in common" not in " ".join(goldassay.evaluate(ids, gold=gold, kind="unl").warnings)


def test_sentences_that_do_not_count_as_returned_are_counted_with_their_reasons():
    gold = document_of("[S:1] agt(kill(icl>do), Peter(iof>person)) [/S] [S:2] agt(1, 2) [/S]")
    pred = document_of("[S:1] agt(kill, Peter(iof>person)) [/S] [S:2] agt(1, 2) obj(3, 4) [/S]")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        score = Discrepancy().score(pred=pred, gold=gold)
    assert score.note == (
        "2 of the 2 predicted sentences do not count as returned: natural-language word (1), disconnected graph (1)"
    )
    assert Discrepancy().score(pred=gold, gold=gold).note is None
