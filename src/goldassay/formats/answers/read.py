"""Model output as it is: prose and code fences around a table, an outline, arrows, sentences, a diagram or JSON."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from goldassay.core.errors import InputError
from goldassay.core.patterns import pattern_of
from goldassay.core.text import count_of, list_first
from goldassay.formats.answers.batch import (
    FENCE,
    FENCED,
    LOOKED_AT,
    Batch,
    blocks_of,
    body_of,
    documents_below,
    is_marked,
    number_lines,
    unwrap,
    without_tags,
)
from goldassay.formats.answers.cypher import EXPECTED, HINT
from goldassay.formats.answers.diagrams import DOT, MERMAID, OTHERS
from goldassay.formats.answers.formal import formal_in, join_formal, may_be_formal, with_prefixes
from goldassay.formats.answers.items import of_their_ids, parse_answer
from goldassay.formats.answers.json import values_in
from goldassay.formats.answers.means import HALF, OF_EDGES, Arrows, Meaning
from goldassay.formats.answers.parse import parse_lines, parse_syntax, parse_text, parse_value
from goldassay.formats.answers.parsed import Parsed
from goldassay.formats.answers.tables import delimited_in
from goldassay.formats.answers.write import Answer, describe_prose, write_answer
from goldassay.formats.records import pause_collector
from goldassay.formats.source import Source, text_of

DECLARATION = pattern_of(r"^\s*<\?xml[^>]{0,200}\?>")
HEADED = pattern_of(r"\s*(?:Prefix|Ontology):")
"""How an ontology in Manchester syntax begins, whose frames are read in a fence; a file of it is refused as a whole."""
DEEPEST = 20
"""How many code fences are read one in another."""
SUFFIXES_OF_FENCES = {
    "csv": ".csv", "tsv": ".tsv", "jsonl": ".jsonl", "ndjson": ".jsonl", "ttl": ".ttl", "turtle": ".ttl", "obo": ".obo"
}  # fmt: skip


def is_answer(start: str, meaning: Meaning = OF_EDGES, *, least: float = HALF, source: Source | None = None) -> bool:
    """Return whether the beginning of a file is model output: a fence, a diagram, or lines of which at least a share are statements.

    What is found is kept with the file: where this is all of its text, reading takes it.
    """
    text, thoughts = without_tags(
        start if len(start) <= LOOKED_AT else start[:LOOKED_AT].rpartition("\n")[0] or start[:LOOKED_AT]
    )
    if (
        thoughts
        or FENCED.search(text)
        or OTHERS.search(text)
        or MERMAID.match(text)
        or DOT.match(text)
        or is_marked(text)
    ):
        return True
    if meaning.documents and documents_below(text, meaning):
        return True
    lines, formal = number_lines(text), formal_in(text, meaning)
    if formal and (formal.first > lines[0][0] or with_prefixes(text, meaning) != text):
        # Without prose above it, it is a file of its own.
        return True
    syntax = parse_syntax(text, 1, meaning)
    table = None if syntax else delimited_in(text, 1, meaning)
    parsed = syntax or table or parse_lines(text, 1, meaning)
    if parsed is None:
        return False
    if source:
        source.stated.append((meaning, text, parsed))
    if syntax or table:
        # A table from the first line on has readers of its own, except in lines of triples.
        return table is None or lines[0][0] not in table.taken or meaning.documents == "id"
    return sum(number in parsed.taken or number in parsed.aside for number, _ in lines) >= least * len(lines)


def holds_json(text: str, holds: Callable[[Any, set[int]], Any], *, may_be_cut: bool = False) -> bool:
    """Return whether a text begins with JSON that holds something, with no more JSON below it; whole JSON, unless it may be cut off."""
    try:
        some = values_in(text, 1)
        found = next(((value, taken) for value, taken, cut in some if (may_be_cut or not cut) and 1 in taken), None)
    except InputError:
        return False
    if found is None:
        return False
    below = (line for number, line in number_lines(text) if number > max(found[1]))
    return (may_be_cut or not any(line.startswith(("{", "[")) for line in below)) and bool(holds(*found))


def holds_statements(value: Any, taken: set[int], *, meaning: Meaning) -> bool:
    """Return whether a value of JSON has statements."""
    return parse_value(value, taken, meaning) is not None


def read_answer(source: Source, arrows: Arrows | None = None, *, meaning: Meaning = OF_EDGES) -> Answer:
    """Turn model output into a file that other readers take, and say how."""
    with pause_collector():
        return _read_source(source, arrows, meaning)


def _read_source(source: Source, arrows: Arrows | None, meaning: Meaning) -> Answer:
    unwrapped = unwrap(text_of(source), meaning)
    text, batch, thoughts = unwrapped.text, unwrapped.batch, unwrapped.thoughts
    parsed: dict[tuple[int, str], Parsed] = {(1, known): one for of, known, one in source.stated if of is meaning}
    if batch and may_be_formal(text) and (joined := _join_formal(source, batch, meaning)):
        return joined._replace(thoughts=thoughts, warnings=(*unwrapped.warnings, *joined.warnings))
    blocks = blocks_of(text) if not batch else []
    formal = None if batch or blocks else formal_in(text, meaning)
    if len(blocks) == 1 or formal:
        blocks = [(formal.first, formal.body)] if formal else blocks
        ((first, body),) = blocks
        headed = HEADED.match(body) and parse_lines(body, first, meaning)
        found = None if formal else parse_syntax(body, first, meaning) or headed
        if not found:
            # What is in the fence is a file of its own, on the lines that it had; it may be another answer.
            if source.fences == DEEPEST:
                raise InputError(
                    "The code fences are nested too deeply.",
                    line=first - 1,
                    expected=f"at most {DEEPEST} of them, one in another",
                )
            inside = "fence" if formal else f"fence{_suffix(text, first)}"
            outside = _outside(text, blocks)
            # A declaration of XML must be at the start; below other lines there is none.
            body = with_prefixes(body, meaning)
            data = ("\n" * (first - 1) + DECLARATION.sub("", body) + "\n").encode("utf-8", "surrogatepass")
            whole = replace(source, data=data, records=None, name=inside, fences=source.fences + 1)
            more, unread = describe_prose(source, outside, len(number_lines(text)))
            warnings = (*unwrapped.warnings, *unread)
            where = f"lines {first} to {first + body.count(chr(10))}" if formal else "a code fence"
            return Answer(whole, None, f"read from {where}{more}", warnings, tuple(outside), thoughts)
        parsed[first, body] = found
    texts = [parse_answer(*one, meaning) for one in batch] or [parse_text(text, meaning, parsed)]
    texts = of_their_ids(texts, meaning) if batch and meaning.nested == "list" else texts
    # Answers without statements are documents without items, which are warned of.
    if not any(one.found for one in texts) and not (batch and meaning.documents == "id"):
        raise InputError(
            "The text contains no statement.",
            found=f"{len(text.splitlines()):,} lines of text",
            expected=meaning.expected,
        )
    for unclear in (part.unclear for one in texts for part in one.found if part.unclear):
        raise InputError(
            "The name of a node is not written.",
            line=unclear.line,
            found=unclear.found,
            expected=EXPECTED,
            hint=HINT,
        )
    answer = write_answer(source, texts, meaning, arrows, is_batch=bool(batch))
    nothing = [one.id for one in texts if not one.found and not one.prose] if meaning.nested == "list" else []
    if nothing:
        stated = f"{count_of(len(nothing), 'answer states', 'answers state')} nothing: {list_first(nothing)}"
        answer = answer._replace(warnings=(stated, *answer.warnings))
    return answer._replace(thoughts=thoughts, warnings=(*unwrapped.warnings, *answer.warnings))


def _join_formal(source: Source, batch: Batch, meaning: Meaning) -> Answer | None:
    """Read the answers of a batch as one ontology, or as the ontologies of documents, if most are such."""
    found = {place: one for place, (*_, text) in enumerate(batch) if (one := formal_in(body_of(text), meaning))}
    if (meaning.more == "score" and meaning.documents) or 2 * len(found) <= len(batch):
        return None
    joined = join_formal([(batch[place][1], one) for place, one in found.items()], source, meaning)
    written = dict(zip(found, joined, strict=True))
    unread = [(line, text) for place, (line, _, text) in enumerate(batch) if not written.get(place)]
    more, warnings = describe_prose(source, unread, len(batch))
    form = "n-quads" if meaning.documents else "n-triples"
    whole = replace(source, data=b"".join(written.values()), records=None, name=f"{source.name}.nq")
    note = f"read as a batch of answers (ontologies): {len(batch) - len(unread):,} of {len(batch):,} answers{more}"
    return Answer(whole, form, note, warnings, tuple(unread))


def _suffix(text: str, first: int) -> str:
    """Return the suffix of files in the language that a fence names, where this says what its content is."""
    fence = FENCE.match(text.split("\n")[first - 2])
    return SUFFIXES_OF_FENCES.get(fence[2].lower(), "") if fence else ""


def _outside(text: str, blocks: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    inside = {number for first, body in blocks for number in range(first, first + body.count("\n") + 1)}
    return [(number, line) for number, line in number_lines(text) if number not in inside and not FENCE.match(line)]
