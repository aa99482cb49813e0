"""Tables of which a column has what a model wrote, as batch files: the same answers are read alike in every format."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath

from goldassay.core.patterns import pattern_of
from goldassay.formats.answer import is_answer
from goldassay.formats.answer_batch import OUTPUTS, is_batch
from goldassay.formats.answer_means import OF_EDGES, Meaning
from goldassay.formats.json_tables import as_lines
from goldassay.formats.known import SUFFIXES
from goldassay.formats.records import BadRecords
from goldassay.formats.roles import bare
from goldassay.formats.rows import names_in, records_of
from goldassay.formats.source import PARQUET, WIDE, Source, text_of

NAMED = pattern_of(r"\s*+[^\n]{0,2000}(?:output|response|answer|completion|generat|prediction)", re.IGNORECASE)
"""A first line that may be the header of such a table."""
WRITTEN = pattern_of(r"[^\n]*+\n\s*+\S|\s*+[\[{(<`]")
"""An answer that is no plain name: it has several lines, or begins with a bracket or a fence."""
LOOKED_AT = 20
"""Cells that show whether they are answers."""
PIECE = 2**12
ASKED = ("input_format", "header", "_column")
"""How the options are called that say what a table is."""


def as_batch(source: Source, reading: object, meaning: Meaning = OF_EDGES) -> Source:
    """Write a table with a column of what a model wrote, and none of the family, as JSON Lines on its lines; any other file stays, and one whose format or columns are asked for."""
    if any(one for name, one in vars(reading).items() if name.endswith(ASKED)):
        return source
    # Lists of one length in an object are a table if it says which answer is whose.
    source = as_lines(
        source, lambda names: _output_in(names) is not None and any(bare(one).endswith("id") for one in names)
    )
    name = _table_in(source)
    output = _output_in(names_in(source, name)) if name else None
    if name is None or output is None:
        return source
    lines: list[str] = []
    cells: list[object] = []
    for line, row, _ in records_of(source, name, BadRecords()):
        named = {key.strip(): one for key, one in row.items()}
        cells.append(named.pop(output))
        if len(cells) == LOOKED_AT and not any(_is_written(cell, meaning) for cell in cells):
            return source
        # Each record is on the line of its row, where the table has lines.
        lines += [""] * ((line or 0) - len(lines) - 1)
        lines.append(json.dumps({**named, "output": cells[-1] or ""}, ensure_ascii=False, default=str))
    text = "\n".join(lines)
    if not any(_is_written(cell, meaning) for cell in cells[:LOOKED_AT]) or not is_batch(text.strip(), meaning):
        return source
    data = text.encode("utf-8", "surrogatepass")
    return replace(source, data=data, frame=None, records=None, name=f"{source.name}.jsonl")


def _output_in(names: Sequence[str]) -> str | None:
    """Return the column of what a model wrote, next to others."""
    called = {bare(name): name.strip() for name in names}
    return next((called[known] for known in OUTPUTS if known in called), None) if len(names) > 1 else None


def _table_in(source: Source) -> str | None:
    """Return the format of a table whose first line may name such a column; None if it is none."""
    if source.data.startswith(PARQUET):
        return "parquet"
    text = text_of(source) if source.data.startswith(WIDE) else source.data[:PIECE].decode(errors="replace")
    if text.lstrip("\ufeff \n").startswith(("{", "[", "<")) or not NAMED.match(text):
        return None
    suffix = SUFFIXES.get(PurePath(source.name).suffix)
    return suffix if suffix in ("csv", "tsv") else "tsv" if "\t" in text.lstrip().partition("\n")[0] else "csv"


def _is_written(cell: object, meaning: Meaning) -> bool:
    if not isinstance(cell, str):
        return isinstance(cell, list | dict)
    return bool(WRITTEN.match(cell)) or is_answer(cell, meaning)
