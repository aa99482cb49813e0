"""Text to triples: what GraphRAG and LightRAG have a model write, and extractions of Open IE systems."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple, cast

import numpy as np

from goldassay.core.lazy import Frame
from goldassay.core.libraries import pl
from goldassay.formats import Source
from goldassay.formats.builders import (
    COMPLETE,
    NUMBER,
    REVERB_SCORE,
    REVERB_SLOTS,
    SCORED,
    SCORED_ROW,
    TUPLE,
    TUPLE_HEAD,
    TUPLE_KINDS,
    TUPLE_MARKS,
    extraction_in,
    is_reverb,
)
from goldassay.formats.delimited import WHITE
from goldassay.formats.source import text_of
from goldassay.formats.tables import HERE, strip_texts
from goldassay.formats.texts import numbers_of
from goldassay.triples.formats.raw import SLOTS, UNWEIGHTED, RawDocuments
from goldassay.triples.formats.rows import GRAPH, list_cells

HEAD = TUPLE_HEAD.replace("*+", "*")
RECORD = HEAD.format(TUPLE_KINDS, TUPLE_MARKS)
RECORD_ENDS = r"##[ \t\r]*(?:\n|\(|<\||\z)|<\|COMPLETE\|>"
"""How polars finds where a record begins and ends."""
KEYWORDS_FIRST = "<|#|>"
"""Newer releases of LightRAG part fields by this, and write the keywords of a relation before its description."""
WITH_KEYWORDS = 4
"""Of a relation of LightRAG: source, target, description, keywords."""
EXPECTED_TUPLE = '("relationship"<|>source<|>target<|>description<|>strength)'


class Tuples(NamedTuple):
    """Records of entities and relations in a text: a whole file, or that of a document, whose row this is, and whose line or number."""

    one: int
    text: str
    row: int | None = None
    line: int | None = None
    record: int | None = None


def read_tuples(source: Source, raw: RawDocuments) -> None:
    """Read the records of entities and relations in a file."""
    add_tuples([Tuples(raw.set_of(GRAPH), text_of(source))], raw)


def add_tuples(written: Sequence[Tuples], raw: RawDocuments) -> None:
    """Add the relations of texts to their sets; what describes a relation stands for its predicate."""
    records = _records_in(f"\n{COMPLETE}\n".join(one.text for one in written))
    begins = np.cumsum([0, *(one.text.count("\n") + 2 for one in written[:-1])])
    records = records.with_columns(of=pl.Series(np.searchsorted(begins, records["line"].to_numpy(), "right") - 1))
    is_entity = records["text"].str.contains("^" + HEAD.format("entity", TUPLE_MARKS))
    typed = (pl.col("1") != "") & (pl.col("2") != "")
    types = _fields(records["fields"].filter(is_entity), 1, 2).with_columns(records["of"].filter(is_entity))
    names, kinds, of = types.filter(typed).get_columns()
    owners = np.array([raw.owners[one.one] for one in written])
    raw.add_types(owners[of.to_numpy()], names.to_list(), kinds.to_list())
    relations = records.filter(~is_entity)
    left, marks = relations["fields"].list.len().cast(pl.Int64) - 1, relations["mark"]
    with_keywords = bool(((left > WITH_KEYWORDS) | (marks == KEYWORDS_FIRST)).any())
    last = _fields(relations["fields"], -1).to_series()
    is_weight = (left >= WITH_KEYWORDS) & last.str.contains(rf"^{NUMBER.pattern}\z")
    is_fourth = (marks != KEYWORDS_FIRST) & (left - is_weight >= WITH_KEYWORDS)
    slots = _fields(relations["fields"], 1, is_fourth.cast(pl.Int64) + 3, 2).select(
        pl.when(pl.all() != "").then(pl.all())
    )
    size, texts = len(relations), [written[at] for at in relations["of"].to_list()]
    lines = [line if one.row is None else one.row for one, line in zip(texts, relations["line"].to_list(), strict=True)]
    for at in slots.select(pl.any_horizontal(pl.all().is_null())).to_series().arg_true().to_list():
        _, kind, mark, body = TUPLE.split(relations["text"][at], maxsplit=1)
        found = f'("{kind}"{mark}{body.strip()}'
        line, raw.record = lines[at] + 1 if texts[at].row is None else texts[at].line, texts[at].record
        raw.fault("Incomplete relation.", line=line, found=found, expected=EXPECTED_TUPLE)
        raw.mark_unreadable(texts[at].one)
    raw.slots.add_column(list_cells(slots.get_columns(), np.arange(size)))
    weights = numbers_of(last.set(~is_weight, None), absent=UNWEIGHTED)
    raw.extend([one.one for one in texts], [1] * size, lines, (), weights=weights)
    raw.warnings += (missing_predicates_warning("keywords" if with_keywords else "description"),)


def _records_in(text: str) -> pl.DataFrame:
    """Part a text into records: each with its line, from 0, the mark between its fields, and these, behind what begins it."""
    lines = pl.Series("text", [text]).str.split("\n").explode().to_frame().with_row_index("line")
    if lines["text"].str.contains(f"##{RECORD}").any():
        parted = pl.col("text").str.replace_all(f"##({RECORD})", "##\n$1").str.split("\n")
        lines = lines.with_columns(parted).explode("text")
    begins = lines["text"].str.contains(f"^{RECORD}")
    lines = lines.with_columns(at=begins.cum_sum().cast(pl.Int64) - 1)
    records = lines.filter(begins)
    # What begins no record belongs to the one before it.
    long = lines.filter(pl.col("at").is_in(lines.filter(~begins).filter(pl.col("at") >= 0)["at"].unique().implode()))
    whole = long.group_by("at", maintain_order=True).agg(pl.col("text").str.join("\n"))
    every = records["text"].scatter(whole["at"], whole["text"])
    fields = every.str.strip_suffix("##")
    odd = fields.str.contains(RECORD_ENDS).arg_true()
    fields = fields.scatter(odd, every.gather(odd).str.replace(f"(?s)(?:{RECORD_ENDS}).*", ""))
    fields = fields.str.strip_chars_end(WHITE).str.strip_suffix(")")
    # One mark is found in a fifth of the time of any.
    first = TUPLE.search(text)
    mark = first[2] if first else ""
    usual = every.str.contains("^" + HEAD.format(TUPLE_KINDS, re.escape(mark))).all()
    marks = pl.lit(mark) if usual else pl.col("text").str.extract(f"^{RECORD}", 2)
    records = records.with_columns(every, marks.alias("mark"), fields=fields)
    return records.with_columns(pl.col("fields").str.split(pl.col("mark")))


def _fields(records: pl.Series, *places: int | pl.Series) -> pl.DataFrame:
    """List fields of records by their places; empty where a record has fewer."""
    found = {str(at): records.list.get(place, null_on_oob=True).fill_null("") for at, place in enumerate(places, 1)}
    stripped: Any = strip_texts(cast("Frame", pl.DataFrame(found)), HERE)
    return cast("pl.DataFrame", stripped.select(pl.all().str.strip_chars("\"'")))


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
        elif found := extraction_in(text):
            score, parts, has_context = found
            if has_context:
                raw.left_out["contexts"] += 1
            _add(raw, raw.set_of(current or GRAPH), parts, line, score)
        elif "\t" in text or SCORED.fullmatch(text):
            raw.mark_unreadable(raw.set_of(current or GRAPH))
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
        raw.left_out["further_arguments"] += more
    weight = UNWEIGHTED
    with suppress(ValueError):
        weight = float(score)
    raw.add(one, slots, weight=weight, row=line - 1)
    if not all(slots):
        raw.mark_unreadable(one)
        shown = "; ".join(cells)
        raw.fault("Incomplete triple.", line=line, found=shown, expected="(subject; relation; object)")
