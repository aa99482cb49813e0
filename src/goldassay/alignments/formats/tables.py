"""Tables of correspondences: CSV, TSV, Parquet and JSON Lines, with any column names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from goldassay.alignments.statements import Stated
from goldassay.formats import Source
from goldassay.formats.known import formats_of
from goldassay.formats.records import BadRecords
from goldassay.formats.roles import CORRESPONDENCES, Choice, Chooser
from goldassay.formats.rows import read_table


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


def read_correspondences(source: Source, name: str, bad: BadRecords, choose: Chooser) -> Stated:
    r"""Read a table in one of the formats of rows.

    Example:
        >>> table = b"SrcEntity\tTgtEntity\tScore\na\tb\t0.5\n"
        >>> source, choose = Source(path="a", name="a.tsv", data=table, size=1), CORRESPONDENCES.chooser("a")
        >>> read_correspondences(source, "tsv", BadRecords(), choose).table.frame.rows()
        [('a', 'b', '0.5', 0)]
    """
    unread: list[str] = []

    def noted(columns: Sequence[str], **known: Any) -> Choice:
        choice = choose(columns, **known)
        if choice.named:
            unread.extend(column for place, column in enumerate(columns) if place not in choice.places.values())
        return choice

    table = read_table(source, name, noted, bad, numbers=("score",), lists=("candidates",))
    return Stated(table=table, unread=tuple(dict.fromkeys(unread)))
