"""Text to triples: what GraphRAG and LightRAG have a model write, and extractions of Open IE systems."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress

from goldassay.formats import Source
from goldassay.formats.builders import EXTRACTION, NUMBER, REVERB_SCORE, REVERB_SLOTS, SCORED_ROW, TUPLE, is_reverb
from goldassay.formats.source import text_of
from goldassay.triples.raw import SLOTS, UNWEIGHTED, RawDocuments
from goldassay.triples.rows import GRAPH

RECORD_ENDS = re.compile(r"[#<](?:(?<=#)#[ \t]*(?=\n|\(|<\||\Z)|(?<=<)\|COMPLETE\|>)")
KEYWORDS_FIRST = "<|#|>"
"""Newer releases of LightRAG part fields by this, and write the keywords of a relation before its description."""
WITH_KEYWORDS = 4
"""Of a relation of LightRAG: source, target, description, keywords."""
EXPECTED_TUPLE = '("relationship"<|>source<|>target<|>description<|>strength)'


def read_tuples(source: Source, raw: RawDocuments) -> None:
    """Read the records of entities and relations in a text; what describes a relation stands for its predicate."""
    text = text_of(source)
    graph = raw.set_of(GRAPH)
    before, *parts = TUPLE.split(text)
    types, keywords, line = dict[str, str](), False, 1 + before.count("\n")
    cells: list[str | None] = []
    weights: list[float] = []
    rows: list[int] = []
    for kind, mark, body in zip(*[iter(parts)] * 3, strict=True):
        end = RECORD_ENDS.search(body)
        whole = (body[: end.start()] if end else body).strip().removesuffix(")")
        first = [field.strip().strip("\"'") for field in whole.split(mark)]
        if kind != "entity":
            slots, weight = _relation(first, mark)
            keywords |= len(first) > WITH_KEYWORDS or mark == KEYWORDS_FIRST
            cells += slots
            weights.append(weight)
            rows.append(line - 1)
            if not all(slots):
                found = f'("{kind}"{mark}{body.strip()}'
                raw.fault("Incomplete relation.", line=line, found=found, expected=EXPECTED_TUPLE)
                raw.mark_unreadable(graph)
        elif len(first) > 1 and first[0] and first[1]:
            types[first[0]] = first[1]
        line += body.count("\n")
    raw.extend([graph] * len(rows), [1] * len(rows), rows, cells, weights=weights)
    raw.set_types(graph, types)
    raw.warnings += (missing_predicates_warning("keywords" if keywords else "description"),)


def _relation(fields: Sequence[str], mark: str) -> tuple[list[str | None], float]:
    """Return the slots of a relation, and its weight: the last field, if it is a number."""
    weight, rest = UNWEIGHTED, list(fields)
    if len(rest) >= WITH_KEYWORDS and NUMBER.fullmatch(rest[-1]):
        weight = float(rest.pop())
    at = 3 if mark != KEYWORDS_FIRST and len(rest) >= WITH_KEYWORDS else 2
    rest += [""] * (WITH_KEYWORDS - len(rest))
    return [rest[0] or None, rest[at] or None, rest[1] or None], weight


def missing_predicates_warning(column: str) -> str:
    """Return the warning that a builder writes no predicates, and what is used instead."""
    return (
        f"the builder writes no predicates; they are taken from the {column}, in free text: "
        "triples(names=fuzzy) compares its meaning, entities ignores it"
    )


def read_openie(source: Source, raw: RawDocuments) -> None:
    """Read extractions; a sentence above some is a document, called by its number, and so is a file of ReVerb."""
    sentences, current = 0, ""
    for line, written in enumerate(text_of(source).split("\n"), start=1):
        text = written.rstrip("\r")
        cells = text.split("\t")
        if not text.strip():
            continue
        if is_reverb(cells):
            _add(raw, raw.set_of(cells[0].strip() or GRAPH, line), cells[REVERB_SLOTS], line, cells[REVERB_SCORE])
        elif SCORED_ROW.fullmatch(text):
            _add(raw, raw.set_of(GRAPH), cells[1:], line, cells[0])
        elif match := EXTRACTION.fullmatch(text):
            _add(raw, raw.set_of(current or GRAPH), match[2].split(";"), line, match[1])
        elif "\t" in text:
            raw.mark_unreadable(raw.set_of(GRAPH))
            raw.fault(
                "The line is not an extraction.", line=line, found=text, expected="0.98: (subject; relation; object)"
            )
        else:
            sentences += 1
            current = str(sentences)
            raw.set_of(current, line)
            raw.texts[-1] = text.strip()


def _add(raw: RawDocuments, one: int, cells: Sequence[str], line: int, score: str) -> None:
    """Add an extraction; what it says besides subject, relation and object is counted."""
    slots: list[str | None] = [cell.strip() or None for cell in cells[: len(SLOTS)]]
    slots += [None] * (len(SLOTS) - len(slots))
    if more := sum(bool(cell.strip()) for cell in cells[len(SLOTS) :]):
        raw.left_out["further_arguments"] = raw.left_out.get("further_arguments", 0) + more
    weight = UNWEIGHTED
    with suppress(ValueError):
        weight = float(score)
    raw.add(one, slots, weight=weight, row=line - 1)
    if not all(slots):
        raw.mark_unreadable(one)
        shown = "; ".join(cells)
        raw.fault("Incomplete triple.", line=line, found=shown, expected="(subject; relation; object)")
