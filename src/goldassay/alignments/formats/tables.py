"""Tables of correspondences: CSV, TSV, Parquet and JSON Lines, with any column names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from goldassay.alignments.formats.records import Stated
from goldassay.formats import Source
from goldassay.formats.known import formats_of
from goldassay.formats.records import BadRecords
from goldassay.formats.roles import CORRESPONDENCES, Choice, Chooser
from goldassay.formats.rows import read_table

if TYPE_CHECKING:
    import polars as pl


def claims(name: str, columns: Sequence[str]) -> bool:
    """Claim OAEI and SSSOM files, and tables with sources, targets, and scores or candidates.

    Example:
        >>> claims("tsv", ["SrcEntity", "TgtEntity", "Score"]), claims("csv", ["child", "parent"])
        (True, False)
    """
    if name in formats_of("mappings"):
        return True
    scored = any(CORRESPONDENCES.called(role, columns) for role in ("score", "candidates"))
    return scored and CORRESPONDENCES.recognises(columns)


def read_correspondences(
    source: Source, name: str, bad: BadRecords, choose: Chooser
) -> tuple[Stated, pl.Series | None]:
    r"""Read a table.

    Args:
        source: The file.
        name: Its format: ``csv``, ``tsv``, ``parquet`` or ``json-lines``.
        bad: Receives rows with more cells than the header.
        choose: Chooses the columns.

    Returns:
        The rows, and the column of candidates if there is one.

    Raises:
        InputError: If the file is not such a table; a :class:`~goldassay.core.errors.RecordError` for one bad row.

    Example:
        >>> table = b"SrcEntity\tTgtEntity\tScore\na\tb\t0.5\n"
        >>> source, choose = Source(path="a", name="a.tsv", data=table, size=1), CORRESPONDENCES.chooser("a")
        >>> stated, _ = read_correspondences(source, "tsv", BadRecords(), choose)
        >>> stated.sources.to_list(), stated.scores.to_list()
        (['a'], ['0.5'])
    """
    unread: list[str] = []

    def noted(columns: Sequence[str], **known: Any) -> Choice:
        choice = choose(columns, **known)
        if choice.named:
            unread.extend(column for place, column in enumerate(columns) if place not in choice.places.values())
        return choice

    table = read_table(
        source,
        name,
        noted,
        bad,
        numbers=("score",),
        lists=("candidates",),
    )
    columns = table.frame.to_dict()
    scores = columns.get("score")
    stated = Stated(
        sources=columns["source"],
        targets=columns.get("target", columns["source"]),
        relations=columns.get("relation"),
        scores=scores,
        unanswered="target" not in columns,
        locate=table.line,
        input_rows=table.input_rows,
        unread=tuple(dict.fromkeys(unread)),
        notes=table.notes,
        warnings=table.warnings,
    )
    return stated, columns.get("candidates")
