"""Tables of correspondences: CSV, TSV, Parquet and JSON Lines, with any column names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from goldassay.alignments.formats.records import Stated, columns_error
from goldassay.core.errors import InputError, RecordError
from goldassay.formats import Source
from goldassay.formats.known import formats_of
from goldassay.formats.records import BadRecords
from goldassay.formats.rows import Choice, read_table

if TYPE_CHECKING:
    import polars as pl

ROLES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "source": (
            "source", "src", "srcentity", "sourceentity", "sourceiri", "sourceid", "subject", "subjectid", "entity1",
            "head", "left", "from",
        ),
        "target": (
            "target", "tgt", "tgtentity", "targetentity", "targetiri", "targetid", "mappediri", "object", "objectid",
            "entity2", "tail", "right", "to",
        ),
        "relation": ("relation", "predicate", "predicateid", "rel"),
        "score": ("score", "confidence", "measure", "similarity", "sim", "weight", "normalizedscore", "probability"),
        "candidates": ("tgtcandidates", "targetcandidates", "candidates"),
    }
)  # fmt: skip
"""Known column names, reduced to letters and digits, in order of preference."""
NEEDED = ("source", "target")
ROLES_OF_LISTS = frozenset(ROLES["candidates"])
PLACEHOLDER = "none"


def claims(name: str, columns: Sequence[str]) -> bool:
    """Claim OAEI and SSSOM files, and tables with sources, targets, and scores or candidates.

    Example:
        >>> claims("tsv", ["SrcEntity", "TgtEntity", "Score"]), claims("csv", ["child", "parent"])
        (True, False)
    """
    if name in formats_of("mappings"):
        return True
    try:
        roles = roles_of(columns, {}, "")
    except RecordError:
        return False
    return not roles.keys().isdisjoint({"score", "candidates"})


def roles_of(columns: Sequence[str], named: Mapping[str, str | None], path: str) -> dict[str, int]:
    """Find the column of each role: the one named by the user, else by its name.

    Args:
        columns: The names of the columns.
        named: Columns named by the user, by role; ``"none"`` for a role without a column.
        path: The file.

    Returns:
        The place of each column found.

    Raises:
        RecordError: If a named column or a required one does not exist; lists the existing columns.

    Example:
        >>> roles_of(["SrcEntity", "TgtEntity", "Score"], {}, "a.tsv")
        {'source': 0, 'target': 1, 'score': 2}
    """
    places: dict[str, int] = {}
    plain = [re.sub(r"[^a-z0-9]", "", column.lower()) for column in columns]
    for role, words in ROLES.items():
        wanted = named.get(role)
        if wanted == PLACEHOLDER and wanted not in columns:
            continue
        if wanted:
            if wanted not in columns:
                raise columns_error(wanted, role, columns, path)
            places[role] = columns.index(wanted)
        else:
            known = next((word for word in words if word in plain), None)
            if known:
                places[role] = plain.index(known)
            elif role in NEEDED and not (role == "target" and not ROLES_OF_LISTS.isdisjoint(plain)):
                raise columns_error("", role, columns, path)
    return places


def read_correspondences(
    source: Source, name: str, bad: BadRecords, named: Mapping[str, str | None]
) -> tuple[Stated, pl.Series | None]:
    r"""Read a table.

    Args:
        source: The file.
        name: Its format: ``csv``, ``tsv``, ``parquet`` or ``json-lines``.
        bad: Receives rows with more cells than the header.
        named: Columns named by the user, by role.

    Returns:
        The rows, and the column of candidates if there is one.

    Raises:
        InputError: If the file is not such a table; a :class:`~goldassay.core.errors.RecordError` for one bad row.

    Example:
        >>> table = b"SrcEntity\tTgtEntity\tScore\na\tb\t0.5\n"
        >>> stated, _ = read_correspondences(Source(path="a", name="a.tsv", data=table, size=1), "tsv", BadRecords(), {})
        >>> stated.sources.to_list(), stated.scores.to_list()
        (['a'], ['0.5'])
    """
    table = read_table(
        source,
        name,
        lambda columns: Choice(roles_of(columns, named, source.path)),
        bad,
        native=("score", "candidates"),
        grouped=NEEDED,
    )
    columns = table.frame.to_dict()
    scores = columns.get("score")
    if scores is not None and scores.dtype.is_nested():
        raise InputError(
            "The score column contains lists.",
            path=source.path,
            found=str(scores.dtype),
            expected="one number per cell",
        )
    stated = Stated(
        sources=columns["source"],
        targets=columns.get("target", columns["source"]),
        relations=columns.get("relation"),
        scores=scores,
        unanswered="target" not in columns,
        locate=table.line,
        input_rows=table.input_rows,
        notes=table.notes,
    )
    return stated, columns.get("candidates")
