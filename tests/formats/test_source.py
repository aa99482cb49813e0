import gzip

import pytest

from goldassay.core.errors import InputError
from goldassay.formats.source import Source, load, text_of, utf8_of


def source(data: bytes, name: str = "file") -> Source:
    return Source(path=name, name=name, data=data, size=len(data))


def test_a_gzipped_file_reads_like_the_file_inside_whatever_its_name(tmp_path):
    file = tmp_path / "PETS.ttl"
    file.write_bytes(gzip.compress(b"content"))
    assert load(file).data == b"content"
    assert load(file).name == "pets.ttl"
    assert load(str(file)).size == file.stat().st_size


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda path: None, "There is no such file"),
        (lambda path: path.mkdir(), "This is a folder"),
        (lambda path: path.write_bytes(b""), "The file is empty"),
        (lambda path: path.write_bytes(b" \n\t\r\n"), "The file is empty"),
        (lambda path: path.write_bytes(gzip.compress(b"")), "The file is empty"),
        (lambda path: path.write_bytes(gzip.compress(b"x" * 5000)[:-9]), "The gzip archive ends early"),
        (lambda path: path.write_bytes(gzip.compress(b"x" * 5000)[:12] + b"junkjunk"), "The gzip archive"),
        (lambda path: path.write_bytes(b"\x1f\x8bnonsense"), "The gzip archive is damaged"),
    ],
)
def test_a_file_that_cannot_be_loaded_says_why(tmp_path, make, message):
    path = tmp_path / "thing"
    make(path)
    with pytest.raises(InputError, match=message) as caught:
        load(path)
    assert caught.value.path == str(path)


def test_a_path_that_no_file_can_have_is_an_input_error():
    with pytest.raises(InputError, match="cannot be opened"):
        load("a\0b")


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(InputError, match="there is no folder"):
        load(tmp_path / "nowhere" / "file.ttl")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_unicode_is_decoded_with_or_without_its_mark(encoding):
    assert text_of(source("naïve\ncafé".encode(encoding))) == "naïve\ncafé"
    assert utf8_of(source("naïve\ncafé".encode(encoding))).removeprefix(b"\xef\xbb\xbf").decode() == "naïve\ncafé"


def test_a_wrong_encoding_names_the_line():
    with pytest.raises(InputError, match="not in the encoding utf-8") as caught:
        text_of(source("plain\nplain\ncafé".encode("latin-1")))
    assert caught.value.line == 3
    assert "e9" in caught.value.found
