"""How files of graph builders are recognised, by their content only."""

from __future__ import annotations

import re
from collections.abc import Sequence
from os.path import isfile
from pathlib import Path

from goldassay.core.patterns import pattern_of
from goldassay.formats.source import PARQUET, Source, open_file

BEGINNING = 2**16
LOOKED_AT = 20
LINEARISED = pattern_of(r"^(?:<s>|</s>|\w\w_XX|[^\S\n])*+<triplet>", re.MULTILINE)
"""Triples of REBEL, and of mREBEL, which begins with a language."""
TUPLE_KINDS, TUPLE_MARKS = "entity|relationship|relation", r"<\|[#@*]?\|?>"
TUPLE_HEAD = r"""[ \t]*+\(?[ \t]*+["']?({})["']?[ \t]*({})"""
TUPLE = pattern_of(r"(?:^|(?<=##))" + TUPLE_HEAD.format(TUPLE_KINDS, TUPLE_MARKS), re.MULTILINE)
"""How a record of an entity or a relation of GraphRAG or LightRAG begins, with the mark between its fields."""
COMPLETE = "<|COMPLETE|>"
"""What is behind the last record."""
EXTRACTION = pattern_of(
    r"[ \t]*(\d+(?:\.\d+)?):?[ \t]+\(([^;\n]*;[^;\n]*(?:;[^\n]*)?)\)[ \t]*(\[(?:attrib|enabler)=[^\n]*\][ \t]*)?"
)
"""An extraction of Ollie, OpenIE 5 and 6: ``0.98: (Oslo; is the capital of; Norway)``."""
CONTEXT = pattern_of(r"([ \t]*\d+(?:\.\d+)?:?[ \t]+)Context\([^\n]*?\):(?=\()")
"""What OpenIE 5 writes before an extraction that a speaker makes: ``0.88 Context(He says,List([0, 8))):(Oslo; is in; Norway)``."""
BEHIND = (")[attrib=", ")[enabler=")
"""What Ollie writes behind an extraction."""
SCORED = pattern_of(r"[ \t]*\d+\.\d+:?[ \t]+[^;\n]+;[^\n]*[)\]]\s*")
"""A line that begins and ends like an extraction, and is no sentence."""
SCORED_ROW = pattern_of(r"[01]\.\d+\t[^\t\n]+\t[^\t\n]+\t[^\t\n]*")
"""An extraction of Stanford Open IE: confidence, subject, relation, object."""
REVERB, REVERB_SLOTS, REVERB_SCORE = 16, slice(2, 5), 11
"""How many columns ReVerb writes at least, and which of them are the three slots and the confidence."""
NUMBER = pattern_of(r"\d+(?:\.\d+)?")
OF_QUERY = "(:", "[:"
"""What a row of a query of Neo4j has, with nodes and relationships as Cypher writes them."""
HEADER = pattern_of(r"\b_start[,;\t]_end\b|:START_ID\b|\btext_unit_ids\b")
"""Columns of Neo4j and GraphRAG."""
NODES = pattern_of(rb":ID\b", re.IGNORECASE)
LONGEST_HEADER = 2**12
MARKED = pattern_of(
    r'"(?:graph_dict|relation_extraction|entity_clusters|source_node_uuid|source_node_id|source_entity_name|src_id|openie'
    r'|head_text|entity_idx|vertexSet|head_span|relation_pairs|elementId|rels)"\s*:|"lc"\s*:(?![^{}]{0,300}Message"\s*\])'
    r'|"type"\s*:\s*"(?:node|relationship)"\s*,\s*"(?:id|labels)"'
)
"""Keys of JSON that one builder writes."""
TOGETHER = (("nodes", "relationships"), ("nodes", "relations"), ("entities", "edges", "relations"))
"""Keys of JSON that show a builder where an object has all of them."""


def is_of_builder(source: Source) -> bool:
    """Return whether a file is what a graph builder writes, by its beginning."""
    if source.data.startswith(PARQUET):
        return b"text_unit_ids" in source.data[-BEGINNING:]
    text = source.data[:BEGINNING].decode(errors="replace").removeprefix("\ufeff").lstrip()
    if text.startswith(("{", "[")):
        keys = ({f'"{key}"' for key in some} for some in TOGETHER)
        return MARKED.search(text) is not None or any(all(key in text for key in some) for some in keys)
    if text.startswith("<") and not LINEARISED.match(text.replace("\n", " ")):
        return re.match(r"(?:<[?!][^>]*>\s*)*<(?:\w+:)?(?:graphml|gexf)\b", text) is not None
    first, _, rest = text.partition("\n")
    if are_tuples(text) or LINEARISED.search(text) or (HEADER.search(first) and not lacks_nodes(source, first)):
        return True
    return are_extractions(text) or all(mark in rest.partition("\n")[0] for mark in OF_QUERY)


def lacks_nodes(source: Source, header: str) -> bool:
    """Return whether a table is one of relationships for admin import of Neo4j, and no table of nodes is next to it."""
    path = Path(source.path)
    if ":START_ID" not in header.upper():
        return False
    others = path.parent.iterdir() if isfile(path) else ()
    tables = [other for other in others if other.suffix.lower() in (".csv", ".tsv") and other != path]
    return not any(NODES.search(_read_first_line(other)) for other in tables)


def _read_first_line(path: Path) -> bytes:
    if not isfile(path):  # a pipe would block
        return b""
    with open_file(path) as stream:
        return stream.read(LONGEST_HEADER).partition(b"\n")[0]


def are_tuples(beginning: str) -> bool:
    """Return whether a text begins like what GraphRAG or LightRAG has a model write."""
    return "<|" in beginning and TUPLE.search(beginning) is not None


def linearised_in(text: str) -> re.Match[str] | None:
    """Find where triples of REBEL begin; a tag of XML is closed, too."""
    return LINEARISED.search(text) if "<triplet>" in text and "</triplet>" not in text else None


def triples_in(text: str) -> tuple[str, int, int] | None:
    """Return where in an answer triples of REBEL, GraphRAG or LightRAG begin and end, and what they are called; None if there are none."""
    if found := linearised_in(text):
        end = text.find("\n", text.rfind("<triplet>"))
        return "linearised triples", found.start(), len(text) if end < 0 else end
    if are_tuples(text) and (found := TUPLE.search(text)):
        end = text.find(COMPLETE, found.start())
        return "tuples of entities and relations", found.start(), len(text) if end < 0 else end + len(COMPLETE)
    return None


def are_extractions(beginning: str) -> bool:
    """Return whether a text begins like the extractions of an Open IE system."""
    return any(map(extraction_in, _lines(beginning))) or are_rows(beginning)


def extraction_in(line: str) -> tuple[str, list[str], bool] | None:
    """Parse an extraction: its score, its cells, and whether it is written who says it, or if what it holds."""
    context = CONTEXT.match(line)
    text = f"{context[1]}{line[context.end() :]}" if context else line
    behind = [at for mark in BEHIND if (at := text.find(mark)) >= 0] if text.rstrip().endswith("]") else []
    found = EXTRACTION.fullmatch(text[: min(behind) + 1] if behind else text)
    return (found[1], found[2].split(";"), bool(context or behind)) if found else None


def are_rows(beginning: str) -> bool:
    """Return whether a text begins like the table of Stanford Open IE, whose first column is a confidence, or of ReVerb."""
    some = _lines(beginning)
    # The last line may be cut.
    return bool(some) and all(SCORED_ROW.fullmatch(line) or is_reverb(line.split("\t")) for line in some[:-1] or some)


def is_reverb(cells: Sequence[str]) -> bool:
    """Return whether a row is one of ReVerb."""
    return len(cells) >= REVERB and cells[1].isdecimal() and NUMBER.fullmatch(cells[REVERB_SCORE]) is not None


def _lines(beginning: str) -> list[str]:
    return [line for line in beginning.splitlines() if line.strip()][:LOOKED_AT]
