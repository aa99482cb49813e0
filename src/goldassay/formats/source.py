"""The unpacked bytes of a file, and its text: the first step of every reader."""

from __future__ import annotations

import codecs
import gzip
import hashlib
import io
import json
import os
import re
import stat
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from os import PathLike, fsdecode, fspath, fstat
from os.path import isdir, isfile
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO

from goldassay.core.errors import EmptyInputError, GoldassayError, InputError, first_line, name_file, path_of
from goldassay.core.libraries import pl
from goldassay.core.limits import BYTES, LENGTH, check_unpacked
from goldassay.core.patterns import pattern_of
from goldassay.core.text import visible
from goldassay.formats.printed import edges_of_networkx, json_of_printed
from goldassay.formats.wrapped import unwrapped

SAYS_SOMETHING = pattern_of(rb"[^\xef\xbb\xbf \t\r\n\0]")
"""Anything but white space, NUL and the byte order mark of UTF-8."""
EMPTY_JSON = pattern_of(rb"(?:\xef\xbb\xbf)?\s*+(?:\[\s*+\]|\{\s*+\})\s*+")
"""A list or an object of JSON without anything in it."""
ADDRESS = pattern_of(r"(https?|ftp|file|s3|gs|hdfs):/{1,3}", re.IGNORECASE)
"""How an address begins, also as a path."""
GZIP, PARQUET = b"\x1f\x8b", b"PAR1"
"""How archives, and tables of Parquet, begin."""
OF_LFS = b"version https://git-lfs.github.com/spec/"
"""How what Git keeps in place of a large file begins."""
LOOKED_AT = 2**12
"""Bytes that show the encoding of a text."""
WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
"""How text in UTF-16 begins."""
STANDARD_INPUT = "-"
DESCRIPTOR = pattern_of(r"/dev/stdin|/(?:dev|proc/self)/fd/([0-9]++)")
"""A stream that this process was given: a shell passes the pipe of ``<(command)`` by such a name."""
STEP = 2**20
"""Bytes unpacked between two looks at the limit."""
NO_WAIT = getattr(os, "O_NONBLOCK", 0)
PIECE = 2**24
"""Bytes of a file that is read piece by piece."""
TOO_LONG = "A text is too long."
NOT_OF_FILES = frozenset({"idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape", "utf-7"})
"""Encodings of Python that are not used for text files; decoding with them may give lone surrogates, or take hours."""


_kept: ContextVar[Mapping[str, Source]] = ContextVar("kept", default=MappingProxyType({}))


@dataclass(frozen=True, kw_only=True)
class Source:
    """The bytes of one file.

    Attributes:
        path: The file as the caller named it.
        name: Its name in lower case, without ``.gz``: used to detect a format if the content is ambiguous.
        data: Its content, unpacked.
        size: Its length on disk, in bytes.
        frame: The table itself, where it is in memory; its data are then the first bytes of Parquet, whose reader takes it.
        records: The value of each line of the content, an array of JSON, where it was in memory.
        fences: How many code fences, one in another, it was taken out of.
        parsed: Its JSON, once it was asked for, and what is wrong with it: gone with this object, which lives as long as a reading.
        stated: What its text was found to state when it was recognised as model output: the meaning, the text, and what is in it.
    """

    path: str
    name: str
    data: bytes
    size: int
    frame: pl.DataFrame | None = None
    records: Sequence[Any] | None = field(default=None, compare=False)
    fences: int = 0
    parsed: list[tuple[Any, Exception | None]] = field(default_factory=list, init=False, repr=False, compare=False)
    stated: list[tuple[Any, str, Any]] = field(default_factory=list, init=False, repr=False, compare=False)

    def __fspath__(self) -> str:
        return self.path

    @cached_property
    def digest(self) -> str:
        """The identity of this content in a signature: the start of its SHA-256."""
        return f"sha256-{hashlib.sha256(self.data).hexdigest()[:8]}"

    def line_at(self, offset: int) -> int:
        """Return the 1-based line of byte ``offset`` of the content."""
        return self.data.count(b"\n", 0, offset) + 1

    def start(self, size: int) -> str:
        """Return the beginning of a text; the reader of it checks its encoding."""
        if self.data.startswith(WIDE):
            return text_of(self)[:size]
        return self.data[:size].decode(errors="replace").removeprefix("\ufeff")

    def rewritten(self, text: str, suffix: str) -> Source:
        """Return the content in another layout, as a file of its own."""
        data = text.encode("utf-8", "surrogatepass")
        self.parsed.clear()  # It is not asked for again, and takes much memory.
        return replace(self, data=data, frame=None, records=None, name=f"{self.name}.{suffix}")

    def of_records(self, records: Iterable[Mapping[str, Any]]) -> Source:
        """Return records in place of the content, one on each line."""
        return self.rewritten("".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in records), "jsonl")


def load(path: str | PathLike[str]) -> Source:
    """Read a file, and unpack it if it is gzipped.

    Args:
        path: The file; ``-`` for standard input, or the pipe of a shell's ``<(command)``; what is read already is given back.

    Returns:
        Its content.

    Raises:
        InputError: If there is no such file, if it is not a file (a folder, a device, a pipe), cannot be opened, is
            empty, is a damaged archive, or is larger than the limit, packed or not.
    """
    if isinstance(path, Source):
        with name_file(path):
            _refuse_no_text(path.data, path.size)
        return path
    if not isinstance(path, str | Path):
        path = path_of(path)
    kept = _kept.get().get(fspath(path))
    if kept is not None:
        return replace(kept)  # What is parsed lasts for one reading.
    place = path if isinstance(path, Path) else Path(path)
    with _ReadErrors(path):
        packed = _read_stream(fspath(path)) if comes_once(path) else _content(place)
    with name_file(path):
        data = json_of_printed(_with_line_feeds(_unpack(packed) if packed.startswith(GZIP) else packed))
        data = unwrapped(edges_of_networkx(data, place.name.lower()))
        _refuse_no_text(data, len(packed))
    name = place.name.lower().removesuffix(".gz")
    return Source(path=visible(fsdecode(path)), name=name, data=data, size=len(packed))


def _with_line_feeds(data: bytes) -> bytes:
    """Write line feeds in a text whose lines end at carriage returns only, which not every reader takes for the end of a line."""
    if b"\n" in data or b"\r" not in data or data.startswith((PARQUET, *WIDE)):
        return data
    return data.replace(b"\r", b"\n")


def _refuse_no_text(data: bytes, size: int) -> None:
    """Refuse a file without content, and one that says by its first bytes that its content is elsewhere, or in no encoding that is read."""
    if data.startswith(OF_LFS):
        hint = "get the file itself: git lfs pull"
        raise InputError("The file is a pointer of Git LFS, and not the file itself.", hint=hint)
    if data.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        hint = "convert it: iconv -f UTF-32 -t UTF-8 IN > OUT"
        raise InputError("The file is in UTF-32.", expected="UTF-8, or UTF-16 with a byte order mark", hint=hint)
    if encoding := _wide_encoding(data[:LOOKED_AT]):
        hint = f"convert it: iconv -f {encoding} -t UTF-8 IN > OUT"
        message = "The file is in UTF-16 without a byte order mark."
        raise InputError(message, expected="UTF-8, or UTF-16 with a byte order mark", hint=hint)
    if not SAYS_SOMETHING.search(data):
        if b"\0" in data and not data.startswith(WIDE):
            raise InputError(
                "The file is binary.", found=f"{size:,} bytes, of which none says anything", expected="text"
            )
        raise empty("nothing but white space" if size else "0 bytes")
    if EMPTY_JSON.fullmatch(data):
        raise empty("an empty list" if b"[" in data else "an empty object")


def _wide_encoding(data: bytes) -> str:
    """Return which UTF-16 a text is in: in most alphabets one byte of each two is often zero, and the other never."""
    if b"\0" not in data or data.startswith((*WIDE, codecs.BOM_UTF8, b"<\0", b"\0<")):
        return ""
    halves = data[::2], data[1::2]
    for encoding, high, low in (("UTF-16LE", halves[1], halves[0]), ("UTF-16BE", halves[0], halves[1])):
        if high.count(0) > len(high) / 2 and b"\0" not in low:
            return encoding
    return ""


@contextmanager
def keeping(sources: Mapping[str, Source]) -> Iterator[None]:
    """Make `load` return files that were read before, in this context.

    Example:
        >>> with keeping({"a.csv": Source(path="a.csv", name="a.csv", data=b"cat", size=3)}):
        ...     load("a.csv").data
        b'cat'
    """
    token = _kept.set(sources)
    try:
        yield
    finally:
        _kept.reset(token)


def read_first_piece(path: str | PathLike[str]) -> bytes:
    """Read the first megabytes of a file of any size, unpacked."""
    return next(read_pieces(path), b"")


def read_pieces(path: str | PathLike[str]) -> Iterator[bytes]:
    """Read a file of any size piece by piece, unpacked."""
    with open_file(path) as stream:
        packed, unpacked = fstat(stream.fileno()).st_size, _unpacking(stream)
        while piece := _unpack_piece(unpacked, packed):
            yield piece


def is_packed(path: str | PathLike[str]) -> bool:
    """Return whether a file is gzipped, regardless of its name."""
    with open_file(path) as stream:
        return _is_archive(stream)


@contextmanager
def open_file(path: str | PathLike[str]) -> Iterator[io.BufferedReader]:
    """Open a regular file to read bytes: what cannot be opened or read is an error that names it."""
    with _ReadErrors(path):
        check_regular(path)
        with _opened(path) as stream:
            yield stream


def digest_of_files(*paths: str | PathLike[str]) -> bytes:
    """Return the SHA-256 sum of the sums of files, those of folders too."""
    whole = hashlib.sha256()
    for path in map(Path, paths):
        for one in sorted(file for file in path.rglob("*") if isfile(file)) if isdir(path) else [path]:
            whole.update(digest_of_file(one))
    return whole.digest()


def digest_of_file(path: str | PathLike[str]) -> bytes:
    """Return the SHA-256 sum of a file."""
    with open_file(path) as stream:
        return hashlib.file_digest(stream, "sha256").digest()


def _opened(path: str | PathLike[str]) -> io.BufferedReader:
    return io.BufferedReader(_File(path, opener=lambda name, flags: os.open(name, flags | NO_WAIT)))


class _File(io.FileIO):
    """A file that ends where it has nothing more: some files of the system wait until there is something."""

    def readinto(self, buffer: Any) -> int:
        """Read into a buffer."""
        return super().readinto(buffer) or 0

    def readall(self) -> bytes:
        """Read to the end."""
        return super().readall() or b""


def beginning_of(path: str | PathLike[str]) -> bytes:
    """Read the first bytes of a file, unpacked: enough to recognise its format."""
    return next(_pieces(path), b"")[:STEP]


def read_whole_lines(path: str | PathLike[str]) -> Iterator[bytes]:
    """Read a file of lines piece by piece, unpacked, with no more than one piece in memory."""
    rest = b""
    for piece in _pieces(path):
        lines, end, rest = (rest + piece).rpartition(b"\n")
        if end:
            yield lines + end
        LENGTH.check(len(rest), "A line is too long.")
    if rest:
        yield rest


def _pieces(path: str | PathLike[str]) -> Iterator[bytes]:
    if isinstance(path, Source) or comes_once(path):
        data = load(path).data
        yield from (data[start : start + PIECE] for start in range(0, len(data), PIECE))
        return
    packed, size = check_file(path), 0
    for piece in read_pieces(path):
        size += len(piece)
        with name_file(path):
            check_unpacked(size, packed)
        yield piece


def _unpacking(stream: BinaryIO) -> BinaryIO | gzip.GzipFile:
    """Unpack a file while it is read, if it is an archive."""
    archived = _is_archive(stream)
    stream.seek(0)
    return gzip.GzipFile(fileobj=stream) if archived else stream


def _is_archive(stream: BinaryIO) -> bool:
    return stream.read(len(GZIP)) == GZIP


def _unpack_piece(stream: BinaryIO | gzip.GzipFile, packed: int) -> bytes:
    with _explain_damage(packed):
        return stream.read(PIECE)


def check_lines(source: Source, *, before: int = 0) -> Source:
    """Reject a line that is too long to be one, before anything is made of it; give the file back."""
    check_stretches(source.data, b"\n\r", "A line is too long.", before=before)
    return source


def check_stretches(data: bytes, marks: bytes, message: str, *, before: int = 0) -> None:
    """Reject a stretch without any of some marks, such as a line or a text, that is longer than the limit."""
    most, at = LENGTH.value, 0
    while len(data) - at > most:
        end = max(data.rfind(mark, at, at + most + 1) for mark in marks)
        if end < 0:
            found = re.compile(rb"[^%b]*" % re.escape(marks)).match(data, at)
            end = found.end() if found else at
            line = before + len(data[: at + 1].splitlines())
            LENGTH.check(len(data[at:end].decode(errors="replace")), message, line=line)
        at = end + 1


def empty(found: str) -> EmptyInputError:
    """Build the error for a file without content."""
    return EmptyInputError("The file is empty.", found=found, hint="check that writing it has finished")


def check_file(path: str | PathLike[str]) -> int:
    """Reject anything but regular files: a pipe would block, and a device would never end."""
    size = check_regular(path)
    with name_file(path):
        BYTES.check(size, "The file is too large.")
    return size


def check_regular(path: str | PathLike[str]) -> int:
    """Reject anything but regular files, and give the size of one in bytes."""
    with _ReadErrors(path):
        found = path.stat() if isinstance(path, Path) else Path(path).stat()
        if stat.S_ISDIR(found.st_mode):
            raise InputError("The path is a folder.", expected="a file", hint="name a file inside it")
        if not stat.S_ISREG(found.st_mode):
            kind = next((word for word, is_kind in KINDS.items() if is_kind(found.st_mode)), "something else")
            hint = "write it to a file first"
            raise InputError("The path is not a regular file.", found=kind, expected="a file", hint=hint)
    return found.st_size


KINDS = {"a pipe": stat.S_ISFIFO, "a device": stat.S_ISCHR, "a disk": stat.S_ISBLK, "a socket": stat.S_ISSOCK}


def _content(path: Path) -> bytes:
    size = check_file(path)
    with _opened(path) as stream:
        data = stream.read(size + 1)
        # What gives more than its size grows, or is a file of the system, which says none.
        return data if len(data) <= size else _read_limited(stream, data)


def comes_once(path: str | PathLike[str]) -> bool:
    """Return whether a path is standard input, or the pipe that a shell makes of ``<(command)``, which can be read only once."""
    name = fspath(path)
    return name == STANDARD_INPUT or (DESCRIPTOR.fullmatch(name) is not None and Path(name).is_fifo())


def _read_stream(name: str) -> bytes:
    """Read standard input or a pipe once: what reads a file twice finds it again."""
    if name == STANDARD_INPUT:
        return _standard_input()
    found = DESCRIPTOR.fullmatch(name)
    number = int((found and found[1]) or 0)
    return _pipe(number, fstat(number).st_ino)


@cache
def _standard_input() -> bytes:
    return _read_limited(sys.stdin.buffer)


@cache
def _pipe(number: int, _: int) -> bytes:
    """Read a pipe by its number: opened by name, it waits for ever where the command has ended."""
    with os.fdopen(os.dup(number), "rb") as stream:
        return _read_limited(stream)


def _read_limited(stream: BinaryIO, begin: bytes = b"") -> bytes:
    """Read on to the end, or to the limit."""
    pieces, size = [begin], len(begin)
    while size <= BYTES.value and (more := stream.read(STEP)):
        pieces.append(more)
        size += len(more)
    BYTES.check(size, "The file is too large.")
    return b"".join(pieces)


class _ReadErrors:
    """Explains why a file cannot be read, and names it. A class, not a generator: faster for many small files."""

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = path

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        path = self.path
        match error:
            case InputError():
                error.path = error.path or visible(fsdecode(path))
            case FileNotFoundError() if found := ADDRESS.match(fspath(path)):
                # A path has one slash where an address has two.
                slashes = "///" if found[1] == "file" else "//"
                address = f"{found[1]}:{slashes}{fspath(path)[found.end() :]}"
                hint = "give the path" if found[1] == "file" else f"download it: curl -LO {address}"
                raise InputError("Addresses are not opened.", path=address, expected="a path", hint=hint) from error
            case FileNotFoundError():
                folder = Path(path).parent
                hint = f"the folder is {folder.resolve()}" if isdir(folder) else f"there is no folder {folder} either"
                if fspath(path).startswith("~"):
                    hint = "~ is not expanded here: pathlib.Path(...).expanduser()"
                raise InputError("File not found.", path=path, hint=hint) from error
            case PermissionError():
                raise InputError("No permission to read the file.", path=path, hint="check its permissions") from error
            case OSError() | ValueError():
                raise InputError(
                    "The file cannot be opened.", path=path, found=str(error), hint="check the name of the file"
                ) from error


def _unpack(packed: bytes) -> bytes:
    unpacked = io.BytesIO()
    with _explain_damage(len(packed)), gzip.GzipFile(fileobj=io.BytesIO(packed)) as stream:
        while step := stream.read(STEP):
            unpacked.write(step)
            check_unpacked(unpacked.tell(), len(packed))
    return unpacked.getvalue()


@contextmanager
def _explain_damage(size: int) -> Iterator[None]:
    """Explain what is wrong with an archive of so many bytes."""
    try:
        yield
    except EOFError as error:
        hint = "copy or download it again"
        raise InputError("The gzip archive ends early.", found=f"{size} bytes", hint=hint) from error
    except (gzip.BadGzipFile, zlib.error) as error:
        hint = "copy or download it again"
        raise InputError("The gzip archive is damaged.", found=str(error), hint=hint) from error


def text_of(source: Source) -> str:
    """Decode a file: UTF-8, or UTF-16 if it starts with a byte order mark."""
    if source.data.startswith(WIDE):
        return decode(source, "utf-16")
    return decode(source, "utf-8").removeprefix("\ufeff")


def decode(source: Source, encoding: str) -> str:
    """Decode a file from a named encoding."""
    _check_encoding(encoding)
    try:
        return source.data.decode(encoding)
    except UnicodeDecodeError as error:
        if source.data.startswith(PARQUET):
            raise InputError("The input is a table.", found="Parquet", expected="a file of text") from error
        raise InputError(
            f"The file is not in the encoding {encoding}.",
            line=source.line_at(error.start),
            found=f"the bytes {source.data[error.start : error.end][:8].hex(' ')} ({error.reason})",
            hint="convert it, for example: iconv -f ISO-8859-1 -t UTF-8 IN > OUT",
        ) from error
    except ValueError as error:
        raise InputError(
            f"The file is not in the encoding {encoding}.",
            found=str(error),
            hint="convert it to UTF-8",
        ) from error


def _check_encoding(encoding: str) -> None:
    try:
        known = codecs.lookup(encoding)
    except (LookupError, ValueError) as error:
        raise InputError(
            f"The file declares an unknown encoding {encoding!r}.", line=1, hint="convert it to UTF-8"
        ) from error
    # Names such as gzip or rot13 are codecs, too, but not of text.
    if known.name.replace("_", "-") in NOT_OF_FILES or not getattr(known, "_is_text_encoding", True):
        raise InputError(f"{encoding!r} is not an encoding of text files.", line=1, hint="convert it to UTF-8")


def utf8_of(source: Source) -> bytes:
    """Return a text file's content as UTF-8 without a byte order mark, checked."""
    return source.data if source.data.isascii() else text_of(source).encode()


def strip_byte_order_mark(source: Source) -> bytes:
    """Return the content without a byte order mark; UTF-16 as UTF-8, since its lines cannot be split before decoding."""
    return text_of(source).encode() if source.data.startswith(WIDE) else source.data.removeprefix(codecs.BOM_UTF8)


@contextmanager
def polars_errors(message: str) -> Iterator[None]:
    """Convert all errors of polars to `InputError`, including panics of Rust, which are not an `Exception`."""
    try:
        yield
    except GoldassayError:
        raise
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError, OverflowError) as error:
        found, hint = first_line(error), "copy or write it again"
        raise InputError(message, found=found, expected="a whole file", hint=hint) from error
