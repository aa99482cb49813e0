"""Reading UNL: every dialect, every mistake, and documents of pure noise."""

import gzip
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

import goldassay
from goldassay.unl import DocumentReading, Node, document_of, document_text, read_document
from goldassay.unl.grammar import parse_node

PARTS = ["[S:1]", "[/S]", "{unl}", "{/unl}", "{org:en}", "{/org}", "[W]", "[/W]", "[R]", "[/R]", "agt(a, b)", "agt(a,"]
PARTS += [
    "mod:01(",
    ")",
    '"',
    ":01",
    "01agt02",
    ".@past",
    ";",
    "\n",
    "<br />",
    "&quot;",
    "{",
    "[",
    "(",
    "é",
    "%",
    "[D:1]",
]


def sentence(body):
    return document_of(f"[S:1]\n{{unl}}\n{body}\n{{/unl}}\n[/S]").sentences[0]


@pytest.mark.parametrize(
    ("body", "written"),
    [
        ("agt ( kill ; Peter )", ["agt(kill, Peter)"]),
        ("or (B, A); or (C, B);", ["or(B, A)", "or(C, B)"]),
        ("agt(a, it) man(a, again)", ["agt(a, it)", "man(a, again)"]),
        ("obj(x,\n    y).", ["obj(x, y)"]),
        ("; a comment, agt(x\nagt(a, b) <- reported so (", ["agt(a, b)"]),
        ("; a comment, agt(x\nagt(a, b)", ["agt(a, b)"]),
        ("agt(a, b) <- reported so (", ["agt(a, b)"]),
        ("mod :01 ( a.@entry, b )\nmod(c, :01.@parenthesis)", ["mod:01(a.@entry, b)", "mod(c, :01.@parenthesis)"]),
        ("aoj(late.@past,     )", ["aoj(late.@past, 00)"]),
        ("agt(run:9G.@past, :3F.@1)", ["agt(run:9G.@past, 00:3F.@1)"]),
        ('obj("a, (b":01, "$70")', ['obj("a, (b":01, "$70")']),
        ("obj(201356370:0A,106796119)", ["obj(201356370:0A, 106796119)"]),
        ("plc(project (icl>plan(icl>thing)), Paris(iof>city,plc>France))",
         ["plc(project(icl>plan(icl>thing)), Paris(iof>city,plc>France))"]),
        ("mod(01%government%1:14:00::, universal%5:00:00:comprehensive:00)",
         ["mod(01%government%1:14:00::, universal%5:00:00:comprehensive:00)"]),
        ("[W]\nkill.@past:01\nPeter:02\n[/W]\n[R]\n01agt02\n[/R]", ["agt(kill:01.@past, Peter:02)"]),
        ("[W]\n01: kill.@past\n02: Peter\n[/W]\n[R]\nagt(01,02)\n[/R]", ["agt(kill:01.@past, Peter:02)"]),
    ],
)  # fmt: skip
def test_a_dialect(body, written):
    read = sentence(body)
    assert [str(relation) for relation in read.relations] == written
    again = document_of(document_text(document_of(f"[S:1]{{unl}}\n{body}\n{{/unl}}[/S]"))).sentences[0]
    assert (again.relations, again.isolated) == (read.relations, read.isolated)


def test_a_scope_is_one_only_if_a_relation_is_labelled_so():
    scoped, null = sentence("mod(a, :01) agt:01(b, c)"), sentence("mod(a, :01)")
    assert scoped.relations[0].target == Node("", "01", ())
    assert null.relations[0].target == Node("00", "01", ())


def test_a_node_only_is_isolated():
    assert sentence('[W]\n"UNDL Foundation"\n[/W]').isolated == (Node('"UNDL Foundation"', "", ()),)


def test_texts_around_the_graph():
    read = document_of("[S:07] {org:nl=utf-8}\néén\ntwee\n{/org} {fr}un{/fr}{fr}deux{/fr} agt(a,b) [/S]").sentences[0]
    assert (read.id, read.original, len(read.relations)) == ("07", "één twee", 1)
    assert read.texts == (("nl", "één twee"), ("fr", "un"), ("fr", "deux"))


def test_a_graph_outside_of_any_sentence():
    assert len(document_of("prose {unl} agt(a, b) {/unl} prose {unl:x} agt(c, d) {/unl}")) == 2


def test_an_html_export_and_another_encoding(tmp_path):
    page = "<html>[S:1]<br />{unl}<br />qua(&quot;6&quot;:01, café)<br />{/unl}<br />[/S]</html>"
    file = tmp_path / "page.html.gz"
    file.write_bytes(gzip.compress(page.encode("latin-1")))
    with pytest.raises(goldassay.InputError, match="not in the encoding utf-8"):
        read_document(file)
    document = read_document(file, DocumentReading(encoding="latin-1"))
    assert str(document.sentences[0].relations[0]) == 'qua("6":01, café)'


@pytest.mark.parametrize(
    ("body", "message", "line", "column"),
    [
        ("agt(a, b)\n  obj(a)", "The relation obj has 1 argument", 4, 3),
        ("agt(a, b, c)", "The relation agt has 3 arguments", 3, 1),
        ("agt(a, b", "The bracket of the relation is not closed", 3, 4),
        ('agt("a, b)', "The quotation mark is not closed", 3, 5),
        ("kill Peter", "Invalid relation", 3, 1),
        ("[W]\na:01\n[/W]\n[R]\n01agt02\n[/R]", "The node 02 is not declared in [W]", 7, 1),
        ("[W]\na:01", "The section [W] is not closed", 3, 1),
        ("[W]\na:01\n[/W]\n[R]\n01agt01\n01obj02\n[/R]", "The node 02 is not declared in [W]", 8, 1),
        ("[W]\na:01\n[/W]\n[R]\n01agt01\n  !\n[/R]", "Invalid relation in list format", 8, 3),
        ("[R]\n[/R]\n[W]\na:01", "The section [W] is not closed", 5, 1),
        ("[W]\na:01\n[/W] agt(a, b)\n [/R]", "The section [/R] is not closed", 6, 2),
        ('[W]\na\n"b" c\n"d\n[/W]', "The quotes of the node are not closed", 6, 1),
    ],
)
def test_a_mistake_has_a_place(body, message, line, column):
    text = f"[S:7]\n{{unl}}\n{body}\n{{/unl}}\n[/S]"
    with pytest.raises(goldassay.RecordError) as caught:
        document_of(text, path="a.unl")
    error = caught.value
    assert error.message == f"{message} (sentence 7)."
    assert (error.path, error.line, error.column) == ("a.unl", line, column)
    skipped = document_of(text, reading=DocumentReading(on_error="skip"))
    assert [one.malformed for one in skipped.sentences] == [True]
    assert skipped.left_out == {"skipped_records": 1}
    assert skipped.notes[0] == "1 bad record skipped"


@pytest.mark.parametrize(
    "text",
    ["[S:1] {unl} agt(a,b) [/S]", "[S:1] agt(a,b)", "[S:1] [S:2] [/S]", "[/S]", "{unl} agt(a,b)", "[S]{/org}[/S]"],
)
def test_a_section_that_is_not_closed_or_not_opened(text):
    with pytest.raises(goldassay.RecordError, match=r"not (closed|opened)"):
        document_of(text)


def test_an_unknown_label_is_allowed_and_reported():
    document = document_of("[S:1] zzz(a, b) [/S]")
    assert document.notes == ("unknown relation labels, kept as they are: zzz",)


def test_a_file_without_sentences(tmp_path):
    (tmp_path / "a.unl").write_text("Dear diary")
    with pytest.raises(goldassay.InputError, match="contains no UNL sentence"):
        read_document(tmp_path / "a.unl")


@given(st.lists(st.sampled_from(PARTS) | st.text(max_size=3), max_size=25).map("".join))
def test_noise_gives_an_error_with_a_place_or_a_document(text):
    document = document_of(text, reading=DocumentReading(on_error="skip"))
    if document.left_out:
        with pytest.raises(goldassay.RecordError) as caught:
            document_of(text)
        assert min(caught.value.line, caught.value.column) >= 1
    else:
        assert len(document_of(text)) == len(document)


QUICK = 1.25
"""Seconds of a processor for a text a quarter as long as one that may take twenty seconds: quadratic time is a sixteenth."""


def seconds(text, sentences=None):
    start = time.process_time()
    found = document_of(text, reading=DocumentReading(on_error="skip"))
    assert sentences in {None, len(found)}
    return time.process_time() - start


@pytest.mark.parametrize(
    "part",
    ["[S:", "[S]", "{unl:", "{unl}", "{org:", "[/S]", "{/unl}", "<br ", "&#", "&#1", "[S:1]{unl}[W]", "[S:1]{unl}"],
)
def test_a_mark_that_is_repeated_takes_linear_time(part):
    assert seconds(part * 25_000) < QUICK


@pytest.mark.parametrize(
    "part",
    [
        "[W]",
        "[R]",
        "agt" + " " * 50,
        "agt:",
        "agt(a.@b.@c ",
        ".@a",
        ".@a.@ ",
        ":01",
        "%1:11:11:",
        "<-",
        '"',
        "agt(",
        "[W]\n01: a",
        "\t",
    ],
)
@pytest.mark.parametrize(
    "frame",
    ["{}", "agt({}, b)", "[W]\n{}\n[/W]", "[W]\n01: a\n[/W][R]{}[/R]", "agt{}(a, b)", "[W]01: a[/W][R]01agt{}01[/R]"],
)
def test_a_graph_takes_linear_time(part, frame):
    text = "[S:1]{unl}" + frame.format(part * 15_000) + "{/unl}[/S]"
    assert seconds(text, sentences=1) < QUICK


@pytest.mark.parametrize("digits", [8, 5000])
def test_a_character_of_thousands_of_digits_is_none(digits):
    document = document_of(f"[S:1]{{org}}&#{'1' * digits}; &#65; &#xd800;{{/org}}{{unl}}agt(a, b){{/unl}}[/S]")
    assert document.sentences[0].original == f"&#{'1' * digits}; A \ufffd"


@pytest.mark.parametrize(
    ("text", "node"),
    [
        ("a.@b.@c", Node("a", "", ("b", "c"))),
        ("a.@b.@c:01", Node("a", "01", ("b", "c"))),
        ("a:01.@b", Node("a", "01", ("b",))),
        ("a.@", Node("a.@", "", ())),
        ("a.@b c.@d", Node("a.@b c", "", ("d",))),
        (".@b", Node("00", "", ("b",))),
        (":01", Node("00", "01", ())),
        ("a.@.@b", Node("a.@", "", ("b",))),
        ("book.@pl :01", Node("book", "01", ("pl",))),
    ],
)
def test_attributes_are_cut_off_the_end(text, node):
    assert parse_node(text) == node


@pytest.mark.parametrize(
    ("text", "uw", "identifier", "attributes"),
    [
        ("kill(icl>do):01.@entry \n.@past", "kill(icl>do)", "01", ("entry", "past")),
        # A sense key keeps its colons, and one that ends early its digits; other colons are no sense key's.
        ("dog%1:05:00::01.@pl", "dog%1:05:00::01", "", ("pl",)),
        ("dog%1:05:00::01:02.@pl", "dog%1:05:00::01", "02", ("pl",)),
        ("dog%1:05:00.@pl", "dog%1:05:00", "", ("pl",)),
        ("dog%1:05.@pl", "dog%1:05", "", ("pl",)),
        ("do%1:03:0g:01.@pl", "do%1:03:0g", "01", ("pl",)),
    ],
)
def test_blanks_between_attributes_and_colons_of_sense_keys(text, uw, identifier, attributes):
    node = parse_node(text)
    assert (node.uw, node.id, node.attributes) == (uw, identifier, attributes)
    plain = parse_node(text.partition(".@")[0])
    assert (plain.uw, plain.id, plain.attributes) == (uw, identifier, ())
