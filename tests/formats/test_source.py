import gzip
import os
import sys
from pathlib import Path

import pytest

import goldassay
from goldassay.core.errors import InputError
from goldassay.engines.tables import refuse_standard_input
from goldassay.formats import source as source_module
from goldassay.formats.source import (
    Source,
    beginning_of,
    check_lines,
    comes_once,
    decode,
    load,
    open_file,
    read_whole_lines,
    text_of,
    utf8_of,
)


def source(data: bytes, name: str = "file") -> Source:
    return Source(path=name, name=name, data=data, size=len(data))


def test_a_gzipped_file_reads_like_the_file_inside_any_its_name(tmp_path):
    file = tmp_path / "PETS.ttl"
    file.write_bytes(gzip.compress(b"content"))
    assert load(file).data == b"content"
    assert load(file).name == "pets.ttl"
    assert load(str(file)).size == file.stat().st_size


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda path: None, "File not found"),
        (lambda path: path.mkdir(), "The path is a folder"),
        (lambda path: path.write_bytes(b""), "The file is empty"),
        (lambda path: path.write_bytes(b" \n\t\r\n"), "The file is empty"),
        (lambda path: path.write_bytes(gzip.compress(b"")), "The file is empty"),
        (lambda path: path.write_bytes(b"\0" * 100), "The file is binary"),
        (lambda path: path.write_bytes("a,b".encode("utf-32")), "The file is in UTF-32"),
        (
            lambda path: path.write_bytes("a,b".encode("utf-32-be").join([b"\0\0\xfe\xff", b""])),
            "The file is in UTF-32",
        ),
        (
            lambda path: path.write_bytes(b"version https://git-lfs.github.com/spec/v1\noid sha256:1\n"),
            "pointer of Git LFS",
        ),
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


def packed(size: int) -> bytes:
    """A gzip archive of many members, which holds `size` bytes and is quickly made."""
    return gzip.compress(b"\0" * 2**24) * (size // 2**24)


def test_a_small_archive_that_holds_too_much_is_refused_while_it_is_unpacked(tmp_path):
    (tmp_path / "bomb.gz").write_bytes(packed(10**9))
    with pytest.raises(InputError, match="too large") as caught:
        load(tmp_path / "bomb.gz")
    assert "GOLDASSAY_MAX_RATIO" in caught.value.hint


def test_the_size_of_a_file_has_a_limit_that_can_be_moved(tmp_path, monkeypatch):
    (tmp_path / "a").write_bytes(b"x" * 100)
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"x" * 101))
    monkeypatch.setenv("GOLDASSAY_MAX_BYTES", "100")
    assert len(load(tmp_path / "a").data) == 100
    with pytest.raises(InputError, match="too large") as caught:
        load(tmp_path / "a.gz")
    assert "GOLDASSAY_MAX_BYTES" in caught.value.hint
    monkeypatch.setenv("GOLDASSAY_MAX_BYTES", "99")
    with pytest.raises(InputError, match="too large"):
        load(tmp_path / "a")


def test_a_sparse_file_is_refused_by_its_size(tmp_path):
    with (tmp_path / "sparse").open("wb") as stream:
        stream.truncate(2**40)
    with pytest.raises(InputError, match="too large"):
        load(tmp_path / "sparse")


@pytest.mark.skipif(not hasattr(os, "O_NONBLOCK"), reason="only here a file can be asked not to wait")
def test_a_file_that_waits_for_more_ends(tmp_path, monkeypatch):
    # /proc/kmsg is such a file, but only some may open it.
    (tmp_path / "a").write_bytes(b"content")
    reading, writing = os.pipe()
    os.write(writing, b"more")
    monkeypatch.setattr(
        os, "open", lambda _, flags: (os.set_blocking(reading, not flags & os.O_NONBLOCK), os.dup(reading))[1]
    )
    with open_file(tmp_path / "a") as stream:
        assert (stream.read(), stream.read(1), stream.read()) == (b"more", b"", b"")
    os.write(writing, b"other")
    assert load(tmp_path / "a").data == b"other"
    os.close(reading)
    os.close(writing)


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="only Linux has files that have no size, but content")
def test_a_file_that_says_no_size_is_read():
    with open_file("/proc/self/maps") as stream:
        assert load("/proc/self/maps").data[:20] == stream.read(20) != b""


def test_a_file_that_grows_or_says_no_size_is_read_to_its_end(tmp_path, monkeypatch):
    (tmp_path / "a").write_bytes(b"content")
    for size in (0, 3, 6, 7, 9):
        monkeypatch.setattr(source_module, "check_file", lambda path, size=size: size)
        assert load(tmp_path / "a").data == b"content"
    monkeypatch.setattr(source_module, "check_file", lambda path: 3)
    monkeypatch.setenv("GOLDASSAY_MAX_BYTES", "6")
    with pytest.raises(InputError, match="too large"):
        load(tmp_path / "a")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pipes and devices in folders")
def test_pipes_and_devices_are_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path, found in ((tmp_path / "pipe", "a pipe"), ("/dev/zero", "a device")):
        with pytest.raises(InputError, match="not a regular file") as caught:
            load(path)
        assert caught.value.found == found


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such pipes")
@pytest.mark.parametrize("folder", ["/dev/fd", "/proc/self/fd"])
def test_a_pipe_of_a_shell_is_read_once_and_found_again(folder):
    for content in (b"cat,animal\n", b"dog,animal\n"):
        out, into = os.pipe()
        os.write(into, gzip.compress(content))
        os.close(into)  # its command has ended
        path = f"{folder}/{out}"
        assert comes_once(path)
        assert load(path).data == load(Path(path)).data == b"".join(read_whole_lines(path)) == content
        with pytest.raises(InputError, match="a pipe"):
            refuse_standard_input(path)
        os.close(out)


@pytest.mark.skipif(sys.platform == "win32", reason="names are Unicode there")
def test_a_name_that_is_no_utf8_can_be_printed(tmp_path):
    path = os.fsencode(tmp_path) + b"/caf\xe9.ttl"
    with open(path, "wb") as stream:  # noqa: PTH123 - bytes are no path of pathlib's
        stream.write(b"x")
    assert load(os.fsdecode(path)).path.encode().endswith(b"caf\\udce9.ttl")
    with pytest.raises(InputError) as caught:
        load(os.fsdecode(path) + "x")
    assert str(caught.value).encode()


@pytest.mark.parametrize("encoding", ["utf-7", "punycode", "hex", "no such", "nul\0"])
def test_only_encodings_of_text_are_taken(encoding):
    with pytest.raises(InputError, match="encoding"):
        decode(source(b"+2AA-"), encoding)


LONG_LINES = {
    "a.csv": ("taxonomy", "child,parent\r\n{},y\r\n"),
    "quoted.csv": ("taxonomy", 'child,parent\n"{}",y\n'),
    "a.tsv": ("taxonomy", "child\tparent\n{}\ty\n"),
    "a.jsonl": ("taxonomy", '{{"child": "cat", "parent": "pet"}}\n{{"child": "{}", "parent": "y"}}\n'),
    "a.json": ("taxonomy", '[{{"child": "cat", "parent": "pet"}},\n{{"child": "{}", "parent": "y"}}]'),
    "a.obo": ("taxonomy", "[Term]\nid: {}\nis_a: a\n"),
    "a.txt": ("concepts", "a cat\n{}"),
    "b.jsonl": ("triples", '\n{{"triples": [["{}", "a", "b"]]}}'),
    "lists.txt": ("triples", "[]\n[['{}', 'a', 'b']]"),
}


@pytest.mark.parametrize("name", LONG_LINES)
def test_a_line_as_long_as_a_file_is_refused_before_it_is_read(name, tmp_path, monkeypatch):
    kind, page = LONG_LINES[name]
    monkeypatch.setenv("GOLDASSAY_MAX_LENGTH", "1000")
    path = tmp_path / name
    path.write_text(page.format("猫" * 900), encoding="utf-8", newline="")
    goldassay.read(path, kind=kind)
    path.write_text(page.format("猫" * 1001), encoding="utf-8", newline="")
    with pytest.raises(InputError, match="too long") as caught:
        goldassay.read(path, kind=kind)
    assert caught.value.line in {2, None}
    assert "1,000 characters" in caught.value.expected


def test_example_of_source():
    assert Source(path="a.ttl", name="a.ttl", data=b"", size=0).name == "a.ttl"


def test_example_of_source_digest():
    assert Source(path="a.ttl", name="a.ttl", data=b"", size=0).digest == "sha256-e3b0c442"


def test_example_of_load():
    import pathlib
    import tempfile

    file = pathlib.Path(tempfile.mkdtemp(), "Pets.TTL.gz")
    _ = file.write_bytes(gzip.compress(b"<a:cat> <a:is> <a:pet> ."))
    assert load(file).name == "pets.ttl"
    assert load(file).data[:7] == b"<a:cat>"


def test_example_of_beginning_of():
    assert beginning_of(Source(path="a", name="a", data=b"one", size=3)) == b"one"


def test_example_of_read_whole_lines():
    assert list(read_whole_lines(Source(path="a", name="a", data=b"one\ntwo", size=7))) == [b"one\n", b"two"]


def test_example_of_check_lines():
    assert check_lines(Source(path="a", name="a", data=b"cat\n", size=4)).path == "a"


def test_example_of_text_of():
    assert text_of(Source(path="a", name="a", data="\ufeffcafé".encode(), size=8)) == "café"


def test_example_of_decode():
    assert decode(Source(path="a", name="a", data=b"caf\xe9", size=4), "latin-1") == "café"


def test_example_of_utf8_of():
    assert utf8_of(Source(path="a", name="a", data="é".encode("utf-16"), size=4)) == b"\xc3\xa9"
