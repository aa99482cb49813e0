"""JSON Lines of given concepts that are all written alike, laid out from the places of their quotes: no record is made.

To the same end as record by record, which the tests compare.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from io import BytesIO

import numpy as np
from numpy.typing import NDArray

from goldassay.concepts.columns import DocumentColumns, columns_of, composed, id_of
from goldassay.concepts.fold import folded, pieces_of
from goldassay.concepts.model import Concepts, laid_out
from goldassay.concepts.reading import ConceptReading
from goldassay.core.limits import LIST
from goldassay.formats import Source
from goldassay.formats.documents import parse_json
from goldassay.formats.quoted import BEGIN, COLON, COMMA, EMPTY, END, HEADER, Quoted, Vocabulary, in_parts, quoted_lines

AT_ONCE = 2**20
"""About so many bytes are laid out at once: what is made for them stays in the cache of a processor."""
BETWEEN = {
    COLON: (": ", ":"),
    COMMA: (", ", ","),
    BEGIN: (": [", ":["),
    END: ("]}\n{",),
    EMPTY: (": []}\n{", ":[]}\n{"),
}


@dataclass
class _Laid:
    """What was read so far.

    Attributes:
        ids: The ids of the documents.
        sizes: How many concepts each has.
        rows: The row of ``texts`` of each concept, in the order of the file.
        texts: The distinct concepts as they are written.
    """

    ids: list[str] = field(default_factory=list)
    sizes: list[NDArray[np.int64]] = field(default_factory=list)
    rows: list[NDArray[np.int64]] = field(default_factory=list)
    texts: Vocabulary = field(default_factory=Vocabulary)


def regular_concepts(
    source: Source, reading: ConceptReading, chosen: str | None
) -> tuple[Concepts, DocumentColumns] | None:
    r"""Read lines that are all written as ``json.dumps`` writes ``{"id": ..., "concepts": [...]}``, of texts without escapes.

    Args:
        source: The file.
        reading: How to understand it.
        chosen: The column that holds the concepts, if one was named.

    Returns:
        The documents, and which column is what; None if a line is of another shape, an id is there twice, or anything is to be said of
        it: that is for the reader of records.

    Example:
        >>> source = Source(path="a", name="a", data=b'{"id": "d", "concepts": ["x", "y", "x"]}\n', size=40)
        >>> concepts, columns = regular_concepts(source, ConceptReading(), None)
        >>> [concepts.item(row) for row in range(len(concepts))], concepts.left_out
        (['d: x', 'd: y'], {'duplicates': 1})
    """
    if reading.searches or not source.data.startswith(b"{"):
        return None
    columns = _columns(source, reading, chosen)
    if columns is None or columns.id is None or columns.concepts is None:
        return None
    laid, most = _Laid(), HEADER + LIST.value
    for block in in_parts(source.data, AT_ONCE):
        found = quoted_lines(block, BETWEEN, (END, EMPTY))
        if (
            found is None
            or found.sizes.max() > most
            or (inner := found.listed()) is None
            or not found.are_records(columns.id, columns.concepts)
            or not _ends_each(found, inner)
            or not _lay(found, inner, laid)
        ):
            return None
    if len(set(laid.ids)) < len(laid.ids):
        return None
    rows, names = np.concatenate(laid.rows), laid.texts.names
    if not _is_plain(names):
        place_of: dict[str, int] = {}
        names = [" ".join(composed(name).split()) for name in names]
        rows = np.array([place_of.setdefault(name, len(place_of)) for name in names], dtype=np.int64)[rows]
        names = list(place_of)
    if not all(names):
        return None
    keys = [folded(pieces_of(name)) or name for name in names] if reading.fold else names
    concepts = laid_out(laid.ids, np.concatenate(laid.sizes), rows, keys, names)
    return replace(concepts, input_rows=np.arange(len(laid.ids))), columns


def _columns(source: Source, reading: ConceptReading, chosen: str | None) -> DocumentColumns | None:
    """Say which column is what, if the first record has but an id and concepts."""
    try:
        first = parse_json(BytesIO(source.data).readline().decode())
    except (ValueError, RecursionError):
        return None
    columns = columns_of(first, reading, chosen=chosen, path=source.path, headed=False)
    return columns if list(first) == [columns.id, columns.concepts] else None


def _ends_each(found: Quoted, inner: NDArray[np.bool_]) -> bool:
    """Say whether only commas stand between the concepts of every record, and its end behind them."""
    between = inner.copy()
    between[found.header + found.sizes - 1] = False
    last = found.kinds[found.header + found.sizes - 1]
    return bool((found.kinds[between] == COMMA).all() and (last == np.where(found.sizes == HEADER, EMPTY, END)).all())


def _lay(found: Quoted, inner: NDArray[np.bool_], laid: _Laid) -> bool:
    """Add a block to what was read; false if an id is none."""
    texts, _, header, sizes = found
    rows = laid.texts.codes(texts.only(inner))
    if rows is None:
        return False
    names = texts.only(header + 1).listed()
    try:
        laid.ids += names if _is_plain(names) else map(id_of, names)
    except ValueError:
        return False
    laid.rows.append(rows)
    laid.sizes.append(sizes - HEADER)
    return True


def _is_plain(texts: list[str]) -> bool:
    """Say whether texts without control characters can be taken as they are: composed, and without spaces to be taken away."""
    joined = "\n".join(["", *texts, ""])
    return joined.isascii() and not any(odd in joined for odd in ("  ", " \n", "\n ", "\n\n"))
