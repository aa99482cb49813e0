"""Tables of which a column has what a model wrote, as batch files: the same answers are read alike in every format."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain, islice
from pathlib import PurePath

from goldassay.core.patterns import pattern_of
from goldassay.core.text import singular
from goldassay.formats.answers.batch import BARE_IDS, BESIDES, CONTENTS, FENCED, OUTPUTS, is_batch
from goldassay.formats.answers.means import OF_CONCEPTS, OF_EDGES, Meaning
from goldassay.formats.answers.tree import WRAPPERS
from goldassay.formats.column_names import bare
from goldassay.formats.json_tables import as_lines, texts_as_lines
from goldassay.formats.known import SUFFIXES
from goldassay.formats.records import BadRecords
from goldassay.formats.rows import names_in, records_of
from goldassay.formats.source import PARQUET, Source

NAMED = pattern_of(r"\s*+[^\n]{0,2000}(?:output|response|answer|completion|generat|predict)", re.IGNORECASE)
"""A first line that may be the header of such a table."""
WRITTEN = pattern_of(r"[^\n]*+\n\s*+\S|\s*+[\[{(<`]")
"""An answer that is no plain name: it has several lines, or begins with a bracket or a fence."""
LOOKED_AT = 20
"""Cells that show whether they are answers."""
PIECE = 2**12
BY_ID = ("id", "output")
"""What an object of answers is as a table."""
FIELDS = frozenset({*OUTPUTS, *BARE_IDS, *BESIDES, *WRAPPERS, *CONTENTS})
"""Keys of one answer, or of one record, reduced to their letters."""
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
    source = texts_as_lines(source, meaning.roles, BY_ID, listed=False, holds=partial(_are_answers, meaning))
    name = _table_in(source)
    names = names_in(source, name) if name else []
    output = _output_in(names)
    # One name on a line may be a heading of any text.
    if name is None or output is None or (len(names) == 1 and not (name == "parquet" or _suffix_of(source) == name)):
        return source
    # Where the columns are those of the family, an answer is what no cell of it is: one with a code fence.
    written = _are_fenced if meaning.roles.recognises(names) else partial(_are_written, meaning)
    lines: list[str] = []
    cells: list[object] = []
    # Of one item a plain word is an answer, too.
    of_items = meaning.nested == "list" and meaning is not OF_CONCEPTS and _names_items(names, meaning)
    for line, row, _ in records_of(source, name, BadRecords()):
        named = {key.strip(): one for key, one in row.items()}
        cells.append(named.pop(output))
        if len(cells) == LOOKED_AT and not (of_items or written(cells)):
            return source
        # Each record is on the line of its row, where the table has lines.
        lines += [""] * ((line or 0) - len(lines) - 1)
        lines.append(json.dumps({**named, "output": cells[-1] or ""}, ensure_ascii=False, default=str))
    text = "\n".join(lines)
    found = of_items or written(cells[:LOOKED_AT])
    if not found or not is_batch(text.strip(), meaning):
        return source
    return source.rewritten(text, "jsonl")


def _are_answers(meaning: Meaning, texts: Mapping[str, str | None]) -> bool:
    """Return whether the texts of an object are answers to the items that its keys name, and no fields of one answer."""
    names = [bare(name) for name in islice(texts, LOOKED_AT)]
    if not FIELDS.isdisjoint(chain(names, map(singular, names))):
        return False
    if len(texts) == 1 and not any(map(str.isdigit, *names)):
        return False
    if meaning.nested == "list" and _names_items(BY_ID, meaning):
        return True
    some = list(islice(filter(None, texts.values()), LOOKED_AT))
    if not meaning.documents:
        # An object of names has pairs, and one name of many may be in brackets.
        return 2 * sum(_are_written(meaning, [text]) for text in some) > len(some)
    return _are_written(meaning, some)


def _output_in(names: Sequence[str]) -> str | None:
    """Return the column of what a model wrote."""
    called = {bare(name): name.strip() for name in names}
    return next((called[known] for known in OUTPUTS if known in called), None)


def _suffix_of(source: Source) -> str | None:
    """Return the format that the name of a file says."""
    return SUFFIXES.get(PurePath(source.name).suffix)


def _names_items(names: Sequence[str], meaning: Meaning) -> bool:
    """Return whether a table names items next to what a model wrote, without scores, which are of names."""
    others = [name for name in names if bare(name) not in CONTENTS]
    ids = meaning.roles.called(meaning.ends[0], others)
    # An entity is hardly called an id.
    ids = ids or [name for name in others if meaning.documents and bare(name) in BARE_IDS]
    return bool(ids) and not (meaning.roles.recognises(names) or meaning.roles.called("score", others))


def _table_in(source: Source) -> str | None:
    """Return the format of a table whose first line may name such a column; None if it is none."""
    if source.data.startswith(PARQUET):
        return "parquet"
    text = source.start(PIECE)
    if text.lstrip(" \n").startswith(("{", "[", "<")) or not NAMED.match(text):
        return None
    suffix = _suffix_of(source)
    return suffix if suffix in ("csv", "tsv") else "tsv" if "\t" in text.lstrip().partition("\n")[0] else "csv"


def _are_fenced(cells: Sequence[object]) -> bool:
    return any(isinstance(cell, str) and FENCED.search(cell) for cell in cells)


def _are_written(meaning: Meaning, cells: Sequence[object]) -> bool:
    """Return whether some cells are what a model wrote, and no plain names."""
    texts = [cell for cell in cells if isinstance(cell, str)]
    if any(isinstance(cell, list | dict) for cell in cells) or any(WRITTEN.match(text) for text in texts):
        return True
    # What most files do not need is imported where it is.
    from goldassay.formats.answers.concepts import lists_in
    from goldassay.formats.answers.read import is_answer

    if meaning is OF_CONCEPTS and any(one.names is not None for one in lists_in(texts)):
        return True
    return any(is_answer(text, meaning) for text in texts)
