"""Taxonomies of TExEval: a line an edge, with its number."""

from __future__ import annotations

from goldassay.formats.edge_list import EdgeList
from goldassay.formats.records import BadRecords
from goldassay.formats.rows import lines_of
from goldassay.formats.source import Source

CELLS = ("number", "hyponym", "hypernym")


def read_taxo(source: Source, bad: BadRecords | None = None) -> EdgeList:
    r"""Read lines of number, hyponym and hypernym, separated by tabs.

    Args:
        source: The file.
        bad: Receives the lines that cannot be read; without it the first one is raised.

    Raises:
        RecordError: If a line has not three cells.

    Source:
        SemEval-2016 Task 13, https://alt.qcri.org/semeval2016/task13/

    Example:
        >>> read_taxo(Source(path="a.taxo", name="a.taxo", data=b"0\tcat\tpet\n", size=10)).edges.rows()
        [('cat', 'pet', 0)]
    """
    import polars as pl

    bad = bad or BadRecords()
    edges = []
    blank = 0
    for number, line in lines_of(source, bad):
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) == len(CELLS) and all(cells):
            edges.append((cells[1], cells[2], number - 1 - blank))
        elif not line.strip():
            blank += 1
        else:
            bad.add_line(
                line,
                path=source.path,
                number=number,
                message="The line is not an edge.",
                expected=", ".join(CELLS) + ", separated by tabs",
            )
    schema = {"source": pl.String, "target": pl.String, "row": pl.Int64}
    return EdgeList(edges=pl.DataFrame(edges, schema=schema, orient="row"))
