"""Ways to damage a file: its bytes, its lines and cells, its JSON, its XML, its archive, its encoding."""

import gzip
import io
import json
import random
import re
import sqlite3
import struct
import unicodedata
import zipfile
from collections.abc import Callable
from contextlib import closing, suppress

LARGEST = 300_000
"""Bytes of an input."""
TOKENS = [
    *(bytes([code]) for code in b"\"'<>{}[]()|,;:\t\n\r\\#&%@!*.-=+0\x00\x1b\x7f"),
    *(
        text.encode()
        for text in ("\ufeff", "\u2028", "\x85", "e\u0301", "\u202e", "\U0001f600", "\u0130", "\u00b2", "&a;", "&#0;")
    ),
    *(b"\xff", b"\xc3", b"\xed\xa0\x80", b"\\ud800", b"\\u0000", b"<!--", b"-->", b"<![CDATA[", b"]]>", b"<?", b"?>"),
    *(b"1e400", b"-1", b"-0.0", b"NaN", b"Infinity", b"9" * 30, b"9" * 5000, b"0x1", b"1_0", b"null", b"true"),
    *(b"[]", b"{}", b'""', b"'''", b'"""', b"<<(", b")>>", b"[[[[", b"&#xd800;", b"&#99999999;", b" | ", b"\x0c"),
    *(
        b"[S:",
        b"{unl}",
        b"[W]",
        b"[/W]",
        b".@",
        b"[Term]",
        b"is_a:",
        b"id:",
        b"//[",
        b"x:y",
        b"<a:b>",
        b"{a=b}",
        b" ! ",
    ),
    *(
        b"<!DOCTYPE a [<!ENTITY a 'b'>]>",
        b'encoding="utf-7"',
        b"||",
        b"|---|",
        b"_:b",
        b"@context",
        b"@id",
        b"=HYPERLINK()",
    ),
    *(
        b"<triplet>",
        b"<subj>",
        b"<obj>",
        b"<SEP>",
        b"NOT",
        b"END",
        b"!gaf-version: 2.2\n",
        b"AUTHOR x\n",
        b"http://[",
        b"%zz",
    ),
]
VALUES = [
    None,
    True,
    False,
    0,
    -1,
    1e308,
    10**30,
    "",
    " ",
    "a",
    "\u2028",
    "e\u0301",
    "[]",
    [],
    {},
    [[]],
    {"": None},
    [1, "a"],
]
TAG = re.compile(rb"<(/?)([\w:.-]+)([^<>]*)>")
ATTRIBUTE = re.compile(rb"""\s([\w:.-]+)\s*=\s*("[^"]*"|'[^']*')""")
TABLES = (".csv", ".tsv")
Way = Callable[[bytes, random.Random], bytes]


def of_bytes(data: bytes, draw: random.Random, other: bytes = b"") -> bytes:
    """Damage anything: flip, delete, insert, replace, repeat, cut, or splice in a piece of another file."""
    place = draw.randrange(len(data) + 1)
    end = min(len(data), place + draw.choice((1, 2, 8, 40, 400)))
    piece, ways = data[place:end], draw.randrange(10)
    if ways == 0 and piece:
        return data[:place] + bytes([piece[0] ^ 1 << draw.randrange(8)]) + data[place + 1 :]
    if ways == 1:
        return data[:place] + data[end:]
    if ways in {2, 3}:
        return data[:place] + draw.choice(TOKENS) + data[place:]
    if ways == 4:
        return data[:place] + draw.choice(TOKENS) + data[end:]
    if ways == 5:
        return data[:place] + piece * draw.choice((2, 3, 50)) + data[end:]
    if ways == 6:
        return data[:place]
    if ways == 7 and other:
        start = draw.randrange(len(other) + 1)
        return data[:place] + other[start : start + draw.choice((8, 80, 800))] + data[place:]
    if ways == 8 and draw.random() < 0.004:
        part = draw.choice((piece, draw.choice(TOKENS))) or b"a"
        return data[:place] + part * (LARGEST // 2 // len(part)) + data[place:]
    return data[:place] + draw.randbytes(draw.randint(1, 4)) + data[end:]


def of_encoding(data: bytes, draw: random.Random) -> bytes:
    """Write the text in another encoding, another form of Unicode, with other line ends, or packed."""
    way = draw.randrange(8)
    if way == 0:
        return gzip.compress(data, 1, mtime=0)
    if way == 1 and draw.random() < 0.2:
        packed = gzip.compress(data, 1, mtime=0)
        return packed[: draw.randrange(len(packed))]
    if way == 2:
        return data.replace(b"\r\n", b"\n").replace(
            b"\n", draw.choice((b"\r\n", b"\r", b"\n\n", b"\x0b", b"\xe2\x80\xa8"))
        )
    if way == 3:
        # Line ends of every kind in one file.
        return b"".join(line + draw.choice((b"\n", b"\r\n", b"\r")) for line in data.split(b"\n"))
    if way == 4:
        return b"\xef\xbb\xbf" + data
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return data
    if way == 5:
        return unicodedata.normalize(draw.choice(("NFC", "NFD", "NFKC", "NFKD")), text).encode()
    if way == 6:
        # Half of the file in another encoding.
        half = draw.randrange(len(text) + 1)
        return text[:half].encode() + text[half:].encode("latin-1", "replace") + "ü".encode("latin-1")
    return text.encode(draw.choice(("utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1", "cp1252")), "replace")


def of_lines(data: bytes, draw: random.Random) -> bytes:
    """Repeat, drop, swap or empty lines."""
    lines = data.split(b"\n")
    one, other = draw.randrange(len(lines)), draw.randrange(len(lines))
    way = draw.randrange(6)
    if way == 0:
        lines.insert(other, lines[one])
    elif way == 1:
        del lines[one]
    elif way == 2:
        lines[one], lines[other] = lines[other], lines[one]
    elif way == 3:
        lines[one] = draw.choice((b"", b" ", b"\t", b",", b"#", b"!", b"\x00"))
    elif way == 4:
        lines[one] += lines[other]
    else:
        lines += [lines[one]] * draw.choice((1, 2, 100))
    return b"\n".join(lines)


def of_cells(data: bytes, draw: random.Random) -> bytes:
    """Swap, drop, add, quote or replace the cells of a table."""
    separator = b"\t" if b"\t" in data else b","
    rows = [line.split(separator) for line in data.split(b"\n")]
    row = draw.choice(rows)
    one, other = draw.randrange(len(row)), draw.randrange(len(row))
    way = draw.randrange(7)
    if way == 0:
        row[one], row[other] = row[other], row[one]
    elif way == 1:
        row[one] = draw.choice(TOKENS)
    elif way == 2:
        row[one] = b'"' + row[one] + draw.choice((b'"', b'""', b""))
    elif way == 3:
        del row[one]
    elif way == 4:
        row.insert(one, draw.choice((b"", b"x", row[other])))
    elif way == 5:
        # A column twice, with its name.
        rows = [[*cells, cells[min(one, len(cells) - 1)]] for cells in rows]
    else:
        row[one] = draw.choice(draw.choice(rows))
    return b"\n".join(separator.join(cells) for cells in rows)


def of_json(data: bytes, draw: random.Random) -> bytes:
    """Change one value of a JSON document, or of one line of JSON Lines, into another type, a copy, or nothing."""
    lines = data.split(b"\n")
    whole = draw.random() < 0.5
    at = draw.randrange(len(lines))
    try:
        document = json.loads(data if whole else lines[at])
    except (ValueError, RecursionError):
        return of_lines(data, draw)
    changed = json.dumps(
        _changed(document, draw), ensure_ascii=draw.random() < 0.5, indent=draw.choice((None, None, 1))
    )
    written = changed.encode("utf-8", "surrogatepass")
    return written if whole else b"\n".join([*lines[:at], written, *lines[at + 1 :]])


def _changed(value, draw):
    """Walk down to a random place and change what is there."""
    if isinstance(value, dict) and value and draw.random() < 0.85:
        key = draw.choice(list(value))
        way = draw.randrange(8)
        if way == 0:
            return {name: inner for name, inner in value.items() if name != key}
        if way == 1:
            return {
                (draw.choice(("", "id", "@id", key + " ")) if name == key else name): one for name, one in value.items()
            }
        return {name: _changed(inner, draw) if name == key else inner for name, inner in value.items()}
    if isinstance(value, list) and value and draw.random() < 0.85:
        at, way = draw.randrange(len(value)), draw.randrange(8)
        if way == 0:
            return [*value, value[at]]
        if way == 1:
            return value[:at] + value[at + 1 :]
        if way == 2:
            return value * draw.choice((2, 30))
        return [*value[:at], _changed(value[at], draw), *value[at + 1 :]]
    way = draw.randrange(6)
    if way == 0:
        return [value]
    if way == 1:
        return {"a": value}
    if way == 2 and isinstance(value, int | float) and not isinstance(value, bool):
        return draw.choice((-value, value * 10**20, value + 0.5 if abs(value) < 1e300 else 0.5, str(value), 0))
    if way == 3 and isinstance(value, str):
        return draw.choice((value.upper(), value + "\u0301", value * 40, value[:1], f" {value}\n", f"{value}\x00"))
    return draw.choice(VALUES)


def of_xml(data: bytes, draw: random.Random) -> bytes:
    """Change, drop or add attributes, and rename, repeat or drop tags."""
    tags = list(TAG.finditer(data))
    if not tags:
        return of_bytes(data, draw)
    tag = draw.choice(tags)
    attributes = list(ATTRIBUTE.finditer(tag[3]))
    way = draw.randrange(8)
    if way <= 2 and attributes:
        one = draw.choice(attributes)
        start, end = tag.start(3) + one.start(), tag.start(3) + one.end()
        new = (
            b"",
            b' %s="%s"' % (one[1], draw.choice((b"", b" ", b"#", b"9" * 30, b"&amp;", b"\xc3\xa9", b"//[", b"x:y"))),
        )
        return data[:start] + (new[1] if way else new[0]) + data[end:]
    if way == 3:
        extra = draw.choice(
            (b' xml:lang="en"', b' xml:base="x"', b' xmlns=""', b' a="1" a="2"', b' xmlns:q="u"', b' rdf:ID="9"')
        )
        return data[: tag.end(2)] + extra + data[tag.end(2) :]
    if way == 4:
        return data[: tag.start(2)] + draw.choice(tags)[2] + data[tag.end(2) :]
    if way == 5:
        return data[: tag.start()] + data[tag.end() :]
    if way == 6:
        other = draw.choice(tags)
        start, end = sorted((tag.start(), other.end()))
        return data[:start] + data[start:end] * 2 + data[end:]
    document_type = b'<!DOCTYPE a [<!ENTITY a "%s">]>' % draw.choice((b"b", b"&#60;b/>", b"&a;", b"x" * 300))
    return document_type + data.replace(b">", b">&a;", draw.choice((0, 1, 3)))


def of_parquet(data: bytes, draw: random.Random) -> bytes:
    """Change the footer of a Parquet file, which says what everything else is, and its length."""
    if len(data) < 20:
        return of_bytes(data, draw)
    length = min(struct.unpack("<I", data[-8:-4])[0], len(data) - 12)
    start = len(data) - 8 - length
    if draw.random() < 0.1:
        return data[:-8] + struct.pack("<I", draw.choice((0, 1, length - 1, length + 1, 2**31)) % 2**32) + data[-4:]
    if draw.random() < 0.5:
        # Varints are where a bit changes a size into another.
        at = draw.randrange(start, len(data) - 8) if length > 0 else 4
        return data[:at] + bytes([draw.choice((data[at] ^ 1 << draw.randrange(8), 0, 127, 128, 255))]) + data[at + 1 :]
    footer = of_bytes(data[start:-8], draw)
    return data[:start] + footer + struct.pack("<I", len(footer)) + data[-4:]


def of_archive(data: bytes, draw: random.Random) -> bytes:
    """Write the members of an .npz again under other names, twice, with another header or compression."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [(name, archive.read(name)) for name in archive.namelist()]
    except Exception:  # an archive that is damaged already, in any of the ways that zipfile knows
        return of_bytes(data, draw)
    if not members or draw.random() < 0.3:
        return of_bytes(data, draw)
    at = draw.randrange(len(members))
    name, content = members[at]
    way = draw.randrange(5)
    if way == 0:
        members[at] = (
            draw.choice(("texts.npy", "vectors.npy", "../x.npy", "", "x", "prediction.csv", "/prediction.csv")),
            content,
        )
    elif way == 1:
        members.append(members[at])
    elif way == 2:
        header = content[:128].replace(
            draw.choice((b"'<f8'", b"(2,", b"2)", b"False", b"<U")),
            draw.choice((b"'|O'", b"(9,", b"-1)", b"True", b"<c")),
        )
        members[at] = (name, header + content[128:])
    elif way == 3:
        members[at] = (name, of_bytes(content, draw))
    else:
        members[at] = (name, content[: draw.randrange(len(content) + 1)])
    written = io.BytesIO()
    with zipfile.ZipFile(
        written, "w", draw.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2))
    ) as archive:
        for name, content in members:
            if name not in archive.NameToInfo:
                archive.writestr(name or "x", content)
    return written.getvalue()


STATEMENTS = (
    "UPDATE vectors SET vector = zeroblob(32)",
    "UPDATE vectors SET vector = 'text'",
    "UPDATE vectors SET vector = substr(vector, 2)",
    "UPDATE vectors SET checksum = NULL",
    "UPDATE vectors SET checksum = 'x'",
    "UPDATE vectors SET checksum = checksum + 1",
    "UPDATE vectors SET text = (SELECT min(text) FROM vectors) WHERE rowid = 2",
    "UPDATE vectors SET vector = (SELECT vector FROM vectors LIMIT 1)",
    "UPDATE encoders SET dimension = 'x'",
    "UPDATE encoders SET dimension = -1",
    "UPDATE encoders SET name = x'ff'",
    "UPDATE encoders SET id = 9",
    "DELETE FROM encoders",
    "DROP TABLE vectors",
    "ALTER TABLE vectors DROP COLUMN checksum",
    "ALTER TABLE vectors RENAME TO other",
    "CREATE TRIGGER t AFTER INSERT ON vectors BEGIN DELETE FROM vectors; END",
    "CREATE VIEW v AS SELECT * FROM vectors",
    "PRAGMA user_version = 1",
    "PRAGMA user_version = 99",
    "PRAGMA application_id = 0",
    "INSERT INTO vectors SELECT 7, text, vector, checksum FROM vectors",
)


def of_sqlite(data: bytes, draw: random.Random) -> bytes:
    """Change what a cache holds, as SQLite itself does."""
    # An empty file is none, which SQLite calls a lack of memory.
    with closing(sqlite3.connect(":memory:")) as connection, suppress(sqlite3.Error, UnicodeDecodeError, MemoryError):
        connection.deserialize(data)
        connection.execute(draw.choice(STATEMENTS))
        connection.commit()
        return connection.serialize()
    return of_bytes(data, draw)


def ways_of(name: str) -> list[Way]:
    """Name the ways to damage a file of this name that know its structure."""
    ending = "." + name.rpartition(".")[2]
    if ending == ".parquet":
        return [of_parquet]
    if ending in {".npz", ".zip", ".xlsx"}:
        return [of_archive]
    if ending == ".sqlite":
        return [of_sqlite]
    text = [of_lines, of_encoding]
    if ending in {".json", ".jsonl", ".jsonld"}:
        return [of_json, of_json, *text]
    if ending in {".xml", ".rdf", ".owx", ".graphml"}:
        return [of_xml, of_xml, *text]
    return [of_cells, of_cells, *text] if ending in {*TABLES, ".gaf", ".txt"} else text


def mutated(name: str, data: bytes, other: bytes, draw: random.Random) -> bytes:
    """Damage a file in one to four ways, half of which know its structure."""
    known = ways_of(name)
    for _ in range(draw.choice((1, 1, 1, 1, 1, 1, 2, 2, 3, 4))):
        if known and draw.random() < 0.5:
            data = draw.choice(known)(data, draw)[:LARGEST]
        else:
            data = of_bytes(data, draw, other)
    return data[:LARGEST]
