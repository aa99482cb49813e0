"""Graphs in columns are compared as graphs one by one, and read at once as one by one."""

import re
from collections import Counter
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unl.each import attribute_items, compare, is_connected, not_returned, uw_items

from goldassay.core.context import Context
from goldassay.unl import (
    FAMILY,
    Attributes,
    Discrepancy,
    DocumentReading,
    Relations,
    Uws,
    document_of,
    grammar,
    read,
)
from goldassay.unl.match import relation_items
from goldassay.unl.measures.discrepancy import are_connected, problems

WORDS = ["a(icl>x)", "b(icl>x)", "7", "chat", "[de]", ":01", ":02.@past", "", '"a, (b"']
NODES = st.tuples(
    st.sampled_from(WORDS), st.sampled_from(["", "", ":01", ":03"]), st.sampled_from(["", ".@past", ".@past.@def"])
).map("".join)
SCOPES = st.sampled_from(["", "", ":01", ":02"])
RELATIONS = st.builds("{}{}({}, {})".format, st.sampled_from(["agt", "obj"]), SCOPES, NODES, NODES)
TABLES = st.lists(RELATIONS, max_size=6).map(" ".join)
LISTS = st.sampled_from(
    [
        "[W]\n01: a(icl>x).@past\n02: 7\n03: chat\n[/W]\n[R]\nagt(01, 02)\n[/R]",
        "[W]\na(icl>x)\na(icl>x)\n[/W]",
        "[W]\n01: b(icl>x)\n[/W]\n[R]\nagt:05(01, 01) obj(01, 05)\n[/R]",
    ]
)
BODIES = TABLES | LISTS | st.just("agt(a")


@st.composite
def documents(draw):
    """Sentences with ids of which some are twice, some of two sections."""
    parts = []
    for body in draw(st.lists(BODIES, max_size=4)):
        more = f"{{unl}}{draw(TABLES)}{{/unl}}" if draw(st.booleans()) else ""
        parts.append(f"[S:{draw(st.sampled_from('123456'))}]{{unl}}{body}{{/unl}}{more}[/S]")
    return document_of("".join(parts), reading=DocumentReading(on_error="skip"))


def listed(part):
    return [" ".join(item) for item in part.elements()]


@pytest.mark.filterwarnings("ignore::goldassay.UndefinedWarning")
@given(
    pred=documents(),
    gold=documents(),
    measure=st.sampled_from(
        [
            Discrepancy(),
            Discrepancy(profile="2012", words="lenient"),
            Discrepancy(profile="latest", words="strict", optional=(), uw_weight=0.1, attribute_weight=1.5),
            Discrepancy(relation_limit=1.0, uw_limit=1.0),
        ]
    ),
)
def test_all_graphs_are_compared_as_each_is(pred, gold, measure):
    matching = measure.match(pred=pred, gold=gold, context=Context())
    table = matching.table()
    known = frozenset(node.uw for sentence in gold.sentences for node in sentence.nodes)
    for row, (sentence, other) in enumerate(zip(pred.sentences, matching.pred.counterpart.tolist(), strict=True)):
        expected = gold.sentences[other] if other >= 0 else None
        found = compare(measure, pred=sentence, gold=expected, known=known)
        three = (found.relations, found.uws, found.attributes)
        shares = [*(part.discrepancy for part in three), found.overall]
        columns = ("relations", "uws", "attributes", "overall")
        assert [table[name][row] for name in columns] == [float(share) for share in shares]
        assert table["exceeding"][row] == "; ".join(one for part in three for one in listed(part.exceeding))
        assert table["missing"][row] == "; ".join(one for part in three for one in listed(part.missing))
        assert table["why"][row] == found.why
        readable = expected is None or not expected.malformed
        assert matching.included[0][row] == (found.returned and readable)
        assert bool(matching.pred.credit[row]) == (not found.why)


@given(documents(), st.sampled_from(["strict", "expected", "lenient"]), st.sampled_from([(), ("chat",)]))
def test_all_graphs_are_judged_as_each_is(document, words, known):
    sentences = document.sentences
    found = problems(document.graphs, words=words, known=known)
    assert found == [not_returned(one, words=words, known=known) for one in sentences]
    assert are_connected(document.graphs).tolist() == [is_connected(one) for one in sentences]


ITEMS = (
    (Relations(), relation_items),
    (Relations(labelled=False), lambda one: [("relation", *item[1:]) for item in relation_items(one)]),
    (Uws(), uw_items),
    (Attributes(), lambda one: attribute_items(one, ("def", "indef"))),
    (Attributes(optional=()), attribute_items),
)


@pytest.mark.parametrize("place", range(len(ITEMS)))
@given(document=documents())
def test_the_items_of_all_graphs_are_those_of_each(place, document):
    measure, of_one = ITEMS[place]
    expected = [(row, item) for row, one in enumerate(document.sentences) for item in of_one(one)]
    items = measure.items(document)
    assert list(zip(items.rows.tolist(), items.listed(), strict=True)) == expected
    assert [items.item(row) for row in range(len(items))] == [
        f"S:{document.names[row]} {' '.join(item)}" for row, item in expected
    ]


@given(document=documents())
def test_what_is_counted_on_reading_is_what_the_sentences_have(document):
    sentences = document.sentences
    assert document.facts == {
        "relations": sum(len(one.relations) for one in sentences),
        "isolated_nodes": sum(len(one.isolated) for one in sentences),
        "empty_graphs": sum(not one.nodes for one in sentences),
    }
    repeated = [sum((Counter(one.relations) - Counter(set(one.relations))).values()) for one in sentences]
    message = [note for note in document.notes if "duplicate" in note]
    assert len(message) == any(repeated)
    if message:
        first = next(row for row, count in enumerate(repeated) if count)
        assert message[0].startswith(f"{sum(repeated)} duplicate relation")
        assert f"in {np.count_nonzero(repeated)} sentence" in message[0]
        assert message[0].endswith(f"first in sentence {sentences[first].id or first + 1}")


@given(documents(), st.data())
def test_chosen_graphs_are_those_of_the_chosen_sentences(document, data):
    rows = data.draw(st.lists(st.integers(0, max(len(document) - 1, 0)), max_size=5 * bool(len(document))))
    graphs = document.graphs.take(np.array(rows, dtype=np.int64))
    expected = [(document.sentences[row].relations, document.sentences[row].isolated) for row in rows]
    assert list(graphs.objects()) == expected
    assert graphs.malformed.tolist() == [document.sentences[row].malformed for row in rows]


TEXTS = st.lists(st.sampled_from([*'()",;:. \n', "agt(", "a", ":01", ".@x", "(icl>b)", '"c"', ", ", ")", "%1:05:00::"]))


@given(TEXTS.map("".join))
def test_relations_at_once_are_those_one_by_one(text):
    found = grammar._parse_at_once(text)
    if found is not None:
        rows = grammar._parse_one_by_one(text)
        assert [row[:2] for row in found] == [row[:2] for row in rows]
        assert [[grammar.parse_node(one) for one in row[2:]] for row in found] == [
            [grammar.parse_node(one) for one in row[2:]] for row in rows
        ]


@pytest.mark.parametrize("text", ["agt(a, b)", 'obj("a, (b":01, c(icl>d(icl>e)))', "agt:01(a;b). obj( c , d );", ""])
def test_plain_relations_are_read_at_once(text):
    assert grammar._parse_at_once(text) is not None


@pytest.mark.parametrize("text", ["agt(a, b(c(d(e))))", "agt(a, b) kill", "agt(a)", 'agt("a, b)'])
def test_others_are_not(text):
    assert grammar._parse_at_once(text) is None


@given(TEXTS.map("".join))
def test_a_plain_node_is_read_as_any_other(text):
    assert grammar.parse_node(text) == grammar._parse_node_carefully(text.strip())


@pytest.mark.parametrize("at_once", [1, 2, 3])
def test_many_relations_are_laid_out_block_by_block(at_once):
    text = "".join(f"[S:{row}] agt:01(a:0{row % 3}, b) obj(c, :01) mod(a:0{row % 3}, c) [/S]" for row in range(5))
    with patch.object(read, "AT_ONCE", at_once):
        found = document_of(text)
    assert found.sentences == document_of(text).sentences


def test_a_scope_is_one_within_its_section_only():
    sentence = "[S:1]{unl}agt:01(a, b) obj(c, :01){/unl}{unl}obj(d, :01) obj(e, 00:02){/unl}[/S]"
    relations = document_of(sentence).sentences[0].relations
    assert [str(one) for one in relations] == ["agt:01(a, b)", "obj(c, :01)", "obj(d, 00:01)", "obj(e, 00:02)"]


def test_a_sentence_that_is_read_as_a_whole_is_read_as_by_its_marks():
    text = "[S: 1 ]\n{unl:x}\nagt(a, b)\n{/unl}\n[/S] [S]{unl}{/unl}[/S] [S:3]{unl}agt(a{/unl}[/S]"
    whole = document_of(text, reading=DocumentReading(on_error="skip"))
    by_marks = re.compile(read.SENTENCE.pattern.replace(read.ORDINARY, "(?P<body>(?!))"))
    with patch.object(read, "SENTENCE", by_marks):
        found = document_of(text, reading=DocumentReading(on_error="skip"))
    assert found.sentences == whole.sentences
    assert (found.notes, [one.line for one in whole.sentences]) == (whole.notes, [1, 5, 5])


def test_a_word_with_the_identifier_of_a_scope_is_a_word():
    relations = document_of("[S:1] agt:01(a, b) obj(c:01, :01) [/S]").sentences[0].relations
    assert [str(one) for one in relations] == ["agt:01(a, b)", "obj(c:01, :01)"]


def test_a_word_of_other_letters_is_folded():
    assert grammar.parse_node("cafe\u0301:01.@pl").uw == "caf\u00e9"


@pytest.mark.parametrize(
    ("uw", "normal"),
    [('"a ( b"', '"a ( b"'), ('"a  b" ( icl > c )', '"a b"(icl>c)'), ('a ( icl > "b"', 'a(icl>"b"'), (" a b ", "a b")],
)
def test_what_is_in_quotes_as_a_whole_keeps_its_spaces(uw, normal):
    assert grammar.normalise_uw(uw) == normal


def test_texts_go_with_the_graphs_that_are_permuted():
    text = "".join(f"[S:{row}]{{fr}}{row}{{/fr}}{{unl}}agt(a, {row}){{/unl}}[/S]" for row in range(9))
    document = document_of(text)
    drawn = FAMILY.trust.nulls["permute-sentences"].draw(document, document, np.random.default_rng(0))
    assert drawn.ids == document.ids
    assert drawn.texts != document.texts
    for one in drawn.sentences:
        assert one.texts[0][1] == one.relations[0].target.uw
