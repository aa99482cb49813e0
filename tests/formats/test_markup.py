import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.core.errors import InputError
from goldassay.formats.markup import root_of, utf8_xml
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
    with pytest.raises(InputError, match="broken") as caught:
        utf8_xml(page("\n\n" + text))
    assert caught.value.line == 3
    assert caught.value.column is not None


def test_ordinary_and_nested_entities_are_fine():
    text = '<!DOCTYPE a [<!ENTITY w3 "http://www.w3.org/"><!ENTITY owl "&w3;2002/07/owl#">]>' + "<a>&owl;</a>"
    assert utf8_xml(page(text)) == text.encode()


def test_many_uses_of_a_short_entity_are_fine():
    text = '<!DOCTYPE a [<!ENTITY owl "http://www.w3.org/2002/07/owl#">]><a>' + '<b c="&owl;Thing"/>' * 50_000 + "</a>"
    assert utf8_xml(page(text)) == text.encode()


@pytest.mark.parametrize("levels", [8, 12, 30])
def test_an_entity_bomb_is_refused_before_it_goes_off(levels):
    with pytest.raises(InputError, match="beyond all measure"):
        utf8_xml(page(bomb(levels)))


def test_one_long_entity_used_often_is_a_bomb_too():
    with pytest.raises(InputError, match="beyond all measure"):
        utf8_xml(page(f'<!DOCTYPE a [<!ENTITY e "{"x" * 50_000}">]><a>{"&e;" * 5000}</a>'))


@pytest.mark.parametrize("entities", ['<!ENTITY a "&b;"><!ENTITY b "&a;">', '<!ENTITY a "&a;">'])
def test_entities_in_a_circle_are_refused(entities):
    with pytest.raises(InputError, match="refer to themselves"):
        utf8_xml(page(f"<!DOCTYPE x [{entities}]><x>&a;</x>"))


def test_an_entity_that_stands_for_a_file_is_not_read(tmp_path):
    (tmp_path / "secret").write_text("secret")
    text = f'<!DOCTYPE a [<!ENTITY e SYSTEM "file://{tmp_path}/secret">]><a>&e;</a>'
    assert b">secret<" not in utf8_xml(page(text))


def test_the_root_is_found_behind_comments_and_doctypes():
    text = '<?xml version="1.0"?><!-- <wrong> --><!DOCTYPE r [<!ENTITY x "y">]><r:RDF xmlns:r="u"><never closed'
    assert root_of(page(text)) == ("r:RDF", {"xmlns:r": "u"})


def path_in_error(source: Source) -> str:
    try:
        utf8_xml(source)
    except InputError as error:
        return error.path
    return source.path


@given(st.binary(max_size=60))
def test_no_bytes_bring_a_foreign_error(data):
    assert path_in_error(page(b"<" + data)) == "page.xml"
