from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.core.errors import InputError
from goldassay.formats import markup
from goldassay.formats.markup import NESTING, root_of, utf8_xml, xml_elements, xml_tree
from goldassay.formats.source import Source


def page(data: bytes | str) -> Source:
    data = data if isinstance(data, bytes) else data.encode()
    return Source(path="page.xml", name="page.xml", data=data, size=len(data))


def bomb(levels: int) -> str:
    entities = "".join(f'<!ENTITY e{level} "{f"&e{level - 1};" * 10}">' for level in range(1, levels))
    return f'<!DOCTYPE a [<!ENTITY e0 "lol">{entities}]><a>&e{levels - 1};</a>'


@pytest.mark.parametrize("encoding", ["ISO-8859-1", "UTF-16", "windows-1252", "UTF-8", "utf-8"])
def test_every_declared_encoding_becomes_utf8(encoding):
    data = f'<?xml version="1.0" encoding="{encoding}"?>\n<a>café</a>'.encode(encoding)
    text = utf8_xml(page(data)).decode()
    assert text.lower().startswith('<?xml version="1.0" encoding="utf-8"?>\n')
    assert "<a>café</a>" in text


def test_utf16_without_a_mark_is_seen():
    assert b"caf\xc3\xa9" in utf8_xml(page('<?xml version="1.0" encoding="UTF-16"?><a>café</a>'.encode("utf-16-le")))


def test_a_wrong_encoding_names_the_line():
    with pytest.raises(InputError, match="encoding utf-8") as caught:
        utf8_xml(page('<?xml version="1.0" encoding="UTF-8"?>\n\n<a>café</a>'.encode("latin-1")))
    assert caught.value.line == 3


def test_an_unknown_encoding_is_named():
    with pytest.raises(InputError, match="'klingon'"):
        utf8_xml(page('<?xml version="1.0" encoding="klingon"?><a/>'))


@pytest.mark.parametrize(
    "text", ["<a><b></b>", "<a>\n<b>", "<a", "<!-- never closed", '<a b="', '<?xml version="1.0"?>\n']
)
def test_xml_that_ends_early_is_refused(text):
    with pytest.raises(InputError, match="ends early") as caught:
        utf8_xml(page(text))
    assert caught.value.line is not None


@pytest.mark.parametrize("text", ["<a></b>", "<a>&unknown;</a>", "<a b=c/>", "<a/><b/>", "<a>\0</a>"])
def test_broken_xml_is_refused_with_line_and_column(text):
    with pytest.raises(InputError, match="Invalid XML") as caught:
        utf8_xml(page("\n\n" + text))
    assert caught.value.line == 3
    assert caught.value.column is not None


def test_ordinary_and_nested_entities_are_fine():
    text = '<!DOCTYPE a [<!ENTITY w3 "http://www.w3.org/"><!ENTITY owl "&w3;2002/07/owl#">]>' + "<a b='&owl;'>&owl;</a>"
    owl = "http://www.w3.org/2002/07/owl#"
    assert utf8_xml(page(text)).decode() == f"<a b='{owl}'>{owl}</a>"


def test_many_uses_of_a_short_entity_are_fine():
    text = '<!DOCTYPE a [<!ENTITY owl "http://www.w3.org/2002/07/owl#">]><a>' + '<b c="&owl;Thing"/>' * 50_000 + "</a>"
    assert utf8_xml(page(text)).decode() == "<a>" + '<b c="http://www.w3.org/2002/07/owl#Thing"/>' * 50_000 + "</a>"


@pytest.mark.parametrize("levels", [8, 12, 30])
def test_an_entity_bomb_is_refused_before_it_goes_off(levels):
    with pytest.raises(InputError, match="too large"):
        utf8_xml(page(bomb(levels)))


def test_one_long_entity_used_often_is_a_bomb_too():
    with pytest.raises(InputError, match="too large"):
        utf8_xml(page(f'<!DOCTYPE a [<!ENTITY e "{"x" * 50_000}">]><a>{"&e;" * 5000}</a>'))


def test_entities_may_grow_to_the_bound_and_no_further(monkeypatch):
    monkeypatch.setattr(markup, "EXPANSION_AT_LEAST", 11)
    monkeypatch.setattr(markup, "EXPANSION_OF_FILE", 0)
    text = '<!DOCTYPE a [<!ENTITY e "12345"><!ENTITY f "6">]><a>&e;&f;&e;{}</a>'
    assert b"<a>12345612345</a>" in utf8_xml(page(text.format("")))
    with pytest.raises(InputError, match="too large") as caught:
        utf8_xml(page(text.format("&f;")))
    assert caught.value.found == "more than 11 characters from a file of 68 bytes"


def test_entities_may_be_nested_to_the_bound_and_no_further():
    def nested(last):
        entities = "".join(f'<!ENTITY e{level} "&e{level + 1};">' for level in range(last))
        return page(f'<!DOCTYPE a [{entities}<!ENTITY e{last} "x">]><a>&e0;</a>')

    assert b"<a>x</a>" in utf8_xml(nested(NESTING))
    with pytest.raises(InputError, match="nested too deeply") as caught:
        utf8_xml(nested(NESTING + 1))
    assert caught.value.expected == f"at most {NESTING} levels"


@pytest.mark.parametrize("entities", ['<!ENTITY a "&b;"><!ENTITY b "&a;">', '<!ENTITY a "&a;">'])
def test_entities_in_a_circle_are_refused(entities):
    with pytest.raises(InputError, match="refer to themselves"):
        utf8_xml(page(f"<!DOCTYPE x [{entities}]><x>&a;</x>"))


def test_an_entity_that_is_for_a_file_is_not_read(tmp_path):
    (tmp_path / "secret").write_text("secret")
    text = f'<!DOCTYPE a [<!ENTITY e SYSTEM "file://{tmp_path}/secret">]><a>&e;</a>'
    with pytest.raises(InputError, match="external entities are not loaded") as caught:
        utf8_xml(page("\n\n" + text))
    assert (caught.value.line, caught.value.found) == (3, "&e;")


@pytest.mark.parametrize(
    "dtd",
    [
        '<!ENTITY a "first"><!-- <!ENTITY a "comment"> -->',
        '<!ENTITY a "first"><?x <!ENTITY a "instruction"> ?>',
        '<!ENTITY a "first"><!ENTITY a "second">',
        '<!-- <!ENTITY a "comment"> --><!ENTITY a "first"> <!ENTITY b "> <!ENTITY a &#39;c&#39;">',
    ],
)
def test_the_first_declaration_counts_and_nothing_is_left_to_the_next_parser(dtd):
    text = f"<?xml version='1.0'?><!-- <!DOCTYPE x [ -->\n<!DOCTYPE x [\n{dtd}]\n>\n<x y='&a;'>&a;</x>"
    found = utf8_xml(page(text)).decode()
    assert found.endswith("<x y='first'>first</x>")
    assert "ENTITY" not in found
    assert found.count("\n") == text.count("\n")


def test_what_is_no_reference_stays_as_it_is():
    text = "<x a='&lt;&#38;a;'><!-- &a; --><![CDATA[&a;]]><?p &a;?>&amp;a;&#38;a;</x>"
    assert utf8_xml(page('<!DOCTYPE x [<!ENTITY a "wrong">]>' + text)).decode() == text


def test_a_value_may_hold_markup_and_quotation_marks():
    dtd = """<!ENTITY q '"'><!ENTITY b "<b c='&q;'>&q;</b>"><!ENTITY less "&#38;#60;">"""
    found = utf8_xml(page(f'<!DOCTYPE x [{dtd}]><x a="&q;">&b;&less;</x>')).decode()
    tree = ET.fromstring(found)  # noqa: S314 - our own text
    assert (tree.get("a"), tree[0].get("c"), tree[0].text, tree[0].tail) == ('"', '"', '"', "<")


def test_attributes_that_a_dtd_gives_are_not_lost_without_a_word():
    with pytest.raises(InputError, match="declares default attributes") as caught:
        utf8_xml(page('<!DOCTYPE x [\n<!ATTLIST x y CDATA "z">]><x/>'))
    assert caught.value.line == 2


@pytest.mark.parametrize("text", ["{0}", "<!-- <c> -->{0}", "<c>></c>{0}", "<c d='>'/>{0}", "<![CDATA[</x>]]>{0}"])
def test_nesting_has_a_bound_however_the_brackets_are(text, monkeypatch):
    monkeypatch.setenv("GOLDASSAY_MAX_DEPTH", "20")

    def nested(depth):
        inner = '<a b="/">' * (depth - 2) + "<e/>" + "</a>" * (depth - 2)
        return page("<x>" + text.format(inner) + "</x>")

    utf8_xml(nested(20))
    with pytest.raises(InputError, match="too deeply") as caught:
        utf8_xml(nested(21))
    assert "GOLDASSAY_MAX_DEPTH" in caught.value.hint


@pytest.mark.parametrize("encoding", ["utf-7", "punycode", "idna", "rot13", "gzip", "unicode_escape", "a" * 5000])
def test_an_encoding_that_is_none_of_text_files_is_refused(encoding):
    with pytest.raises(InputError, match="encoding"):
        utf8_xml(page(f'<?xml version="1.0" encoding="{encoding}"?><a>+2AA-</a>'))


def test_a_byte_order_mark_overrules_the_declaration():
    data = '\ufeff<?xml version="1.0" encoding="Shift_JIS"?><a>猫</a>'.encode()
    assert utf8_xml(page(data)).decode() == '<?xml version="1.0" encoding="UTF-8"?><a>猫</a>'


def test_the_root_is_found_behind_comments_and_doctypes():
    text = '<?xml version="1.0"?><!-- <wrong> --><!DOCTYPE r [<!ENTITY x "y">]><r:RDF xmlns:r="u"><never closed'
    assert root_of(page(text)) == ("r:RDF", {"xmlns:r": "u"}, 1)


@given(st.binary(max_size=60))
def test_no_bytes_bring_a_foreign_error(data):
    try:
        outcome = utf8_xml(page(b"<" + data))
    except InputError as error:
        outcome = error.message
    assert outcome


def test_namespaces_in_force_are_limited_where_they_nest_and_where_they_are_side_by_side_they_are_not():
    def page(declared: str) -> Source:
        data = f"<a>{declared}</a>".encode()
        return Source(path="a.rdf", name="a.rdf", data=data, size=len(data))

    next_to = "".join(f'<b xmlns:q{row}="u"/>\n' for row in range(2000))
    assert utf8_xml(page(next_to))
    many = "\n<b" + "".join(f' xmlns:q{row}="u"' for row in range(1001)) + "/>"
    with pytest.raises(InputError, match="too many namespaces") as caught:
        utf8_xml(page(many))
    assert caught.value.line == 2
    assert "--limit namespaces" in (caught.value.hint or "")
    nested = "".join(f'<b xmlns:q{row}="u" xmlns:r{row}="u" xmlns:s{row}="u">' for row in range(400)) + "</b>" * 400
    with pytest.raises(InputError, match="too many namespaces"):
        utf8_xml(page(nested))


DECLARATIONS = [
    "",
    '<?xml version="1.0"?>',
    "<?xml  version='1.0'  encoding='UTF-8' ?>",
    '<?xml version="1.0" encoding="latin-1"?>',
]


@pytest.mark.parametrize("declaration", DECLARATIONS)
def test_the_root_is_found_behind_any_declaration(declaration):
    found = root_of(page(f"{declaration}\r\n<r:RDF xmlns:r='u'\n  b=\"c\"><a/></r:RDF>"))
    assert found == ("r:RDF", {"xmlns:r": "u", "b": "c"}, 2)
    for quote in "'\"":
        assert root_of(page(f"{declaration}<a b={quote}&lt;{quote}/>")).attributes == {"b": "<"}
    with pytest.raises(InputError, match="Invalid XML"):
        root_of(page(f"{declaration}<a b='' b=''/>"))


def test_a_wrong_encoding_is_reported_behind_the_root():
    with pytest.raises(InputError, match="encoding utf-8") as caught:
        root_of(page(b"<a>\n\xff</a>"))
    assert caught.value.line == 2


def test_example_of_utf8_xml():
    page = '<?xml version="1.0" encoding="ISO-8859-1"?><!DOCTYPE a [<!ENTITY e "é">]><a>&e;</a>'.encode("latin-1")
    assert (
        utf8_xml(Source(path="a.xml", name="a.xml", data=page, size=51)).decode()
        == '<?xml version="1.0" encoding="UTF-8"?><a>é</a>'
    )


def test_example_of_xml_tree():
    assert xml_tree(b"<a><b/></a>")[0].tag == "b"


def test_example_of_xml_elements():
    assert [element.tag for element in xml_elements(b"<a><b/></a>")] == ["b", "a"]


def test_example_of_root_of():
    assert (
        repr(root_of(Source(path="a", name="a", data=b"<!-- hi --><html lang='en'><br>", size=31)))
        == "Root(name='html', attributes={'lang': 'en'}, line=1)"
    )
