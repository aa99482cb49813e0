"""XML before any reader sees it: transcoded to UTF-8, its entities bounded, its tags checked to the last one.

The RDF/XML parser reads UTF-8 alone, expands entities without a bound (a kilobyte can become gigabytes), and takes a file
that ends early for a whole one. Expat, which comes with Python, settles all three at a tenth of the time that parsing takes.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Mapping
from xml.parsers import expat

from goldassay.core.errors import InputError
from goldassay.formats.source import Source, decode

DECLARATION = re.compile(r"""^(<\?xml[^>]*?\sencoding\s*=\s*)(["'])([A-Za-z0-9._-]+)\2""")
REFERENCE = re.compile(r"&([^\s&;#]+);")
ENDS_EARLY = frozenset(
    expat.errors.codes[text] for text in (expat.errors.XML_ERROR_NO_ELEMENTS, expat.errors.XML_ERROR_UNCLOSED_TOKEN)
)
NESTING = 32
EXPANSION_OF_FILE = 16
EXPANSION_AT_LEAST = 2**20


class _Reached(Exception):  # noqa: N818 - no error: it ends a parse that has found what it wanted
    pass


def utf8_xml(source: Source) -> bytes:
    """Check an XML file to its end, and return it as UTF-8.

    Args:
        source: The file, in any encoding that it declares.

    Returns:
        The same document in UTF-8, lines where they were.

    Raises:
        InputError: If the encoding is not the declared one, if the entities expand beyond all measure, or if the tags do
            not nest and close; names the line.

    Example:
        >>> page = '<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>'.encode("latin-1")
        >>> utf8_xml(Source(path="a.xml", name="a.xml", data=page, size=51)).decode()
        '<?xml version="1.0" encoding="UTF-8"?><a>é</a>'
    """
    data = _transcoded(source)
    parser = expat.ParserCreate()
    entities: dict[str, str] = {}

    def declare(name: str, is_parameter: int, value: str | None, *_: object) -> None:
        if not is_parameter and value is not None:
            entities.setdefault(name, value)

    parser.EntityDeclHandler = declare
    parser.EndDoctypeDeclHandler = lambda: _check_expansion(data, entities, source.path)
    _run(parser, data, source.path)
    return data


def root_of(source: Source) -> tuple[str, Mapping[str, str]]:
    """Name the outermost element of an XML file, and its attributes.

    Args:
        source: The file; only its beginning has to be XML.

    Raises:
        InputError: If no element begins before the XML breaks; names the line.

    Example:
        >>> root_of(Source(path="a", name="a", data=b"<!-- hi --><html lang='en'><br>", size=31))
        ('html', {'lang': 'en'})
    """
    parser = expat.ParserCreate()
    found: list[tuple[str, Mapping[str, str]]] = []

    def stop(name: str, attributes: dict[str, str]) -> None:
        found.append((name, attributes))
        raise _Reached

    parser.StartElementHandler = stop
    try:
        _run(parser, _transcoded(source), source.path)
    except _Reached:
        return found[0]
    raise AssertionError("expat accepts no document without an element")  # pragma: no cover


def _run(parser: expat.XMLParserType, data: bytes, path: str) -> None:
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        ends_early = error.code in ENDS_EARLY
        raise InputError(
            "The XML ends early." if ends_early else "The XML is broken.",
            path=path,
            line=error.lineno,
            column=error.offset + 1,
            found=expat.ErrorString(error.code),
            hint="copy or download it again" if ends_early else "correct this line, or export the file again",
        ) from error
    except LookupError as error:
        # A byte order mark says UTF-8, and the declaration behind it names what no machine knows.
        raise InputError(
            "The file declares an encoding that is unknown.", path=path, line=1, found=str(error), hint="declare UTF-8"
        ) from error


def _transcoded(source: Source) -> bytes:
    encoding = _encoding(source)
    text = decode(source, encoding)
    if encoding == "utf-8":
        return source.data
    return DECLARATION.sub(r"\1\2UTF-8\2", text.removeprefix("\ufeff")).encode()


def _encoding(source: Source) -> str:
    head = source.data[:200]
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if head.startswith((b"<\0", b"\0<")):
        return "utf-16-le" if head.startswith(b"<\0") else "utf-16-be"
    declared = DECLARATION.match(head.removeprefix(codecs.BOM_UTF8).lstrip().decode("latin-1"))
    if declared is None or head.startswith(codecs.BOM_UTF8):
        return "utf-8"
    return "utf-8" if declared[3].lower() in {"utf-8", "utf8"} else declared[3]


def _check_expansion(data: bytes, entities: Mapping[str, str], path: str) -> None:
    if not entities:
        return
    sizes: dict[str, int] = {}
    references = Counter(REFERENCE.findall(data.decode()))
    total = sum(times * _expanded(name, entities, sizes, path) for name, times in references.items())
    bound = EXPANSION_AT_LEAST + EXPANSION_OF_FILE * len(data)
    if total > bound:
        raise InputError(
            "The entities of this XML file expand beyond all measure.",
            path=path,
            line=1,
            found=f"{total:,} characters from a file of {len(data):,} bytes",
            expected=f"at most {bound:,}",
            hint="do not trust this file; if it is your own, replace its <!ENTITY ...> by their text",
        )


def _expanded(name: str, entities: Mapping[str, str], sizes: dict[str, int], path: str, depth: int = 0) -> int:
    if depth > NESTING:
        raise InputError(
            "The entities of this XML file nest too deeply, or refer to themselves.",
            path=path,
            line=1,
            found=f"&{name};",
            expected=f"at most {NESTING} levels",
        )
    if name not in sizes:
        value = entities.get(name, "")
        inner = (_expanded(part, entities, sizes, path, depth + 1) for part in REFERENCE.findall(value))
        sizes[name] = len(value) + sum(inner)
    return sizes[name]
