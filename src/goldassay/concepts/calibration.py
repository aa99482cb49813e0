"""Pairs of names of one concept, from which an encoder's epsilon is calibrated."""

from __future__ import annotations

from os import PathLike, fspath

from goldassay.concepts.read_names import read_names
from goldassay.core.errors import InputError
from goldassay.formats.options import OnError
from goldassay.formats.records import BadRecords
from goldassay.graphs.calibration import SynonymPairs

MOST = 100_000
"""Of more pairs so many are drawn: the mean cosine is then known to a thousandth."""


def name_pairs(path: str | PathLike[str], *, language: str = "en", on_error: OnError = "stop") -> SynonymPairs:
    r"""Draw pairs from a dictionary: the label of a concept, and each of its exact synonyms.

    Example:
        >>> import tempfile, pathlib
        >>> file = pathlib.Path(tempfile.mkdtemp(), "names.csv")
        >>> _ = file.write_text("id,name,synonyms\nC1,asthma,bronchial asthma\n")
        >>> name_pairs(file).right.tolist()
        ['bronchial asthma']
    """
    import polars as pl

    bad = BadRecords(on_error=on_error)
    names = read_names(path, language=language, bad=bad).frame().filter(pl.col("rank") <= 1)
    first = (
        names.sort("rank", "text").group_by("concept", maintain_order=True).agg(pl.col("text").first().alias("label"))
    )
    pairs = (
        names.join(first, on="concept")
        .filter(pl.col("text") != pl.col("label"))
        .select("label", "text")
        .unique()
        .sort("label", "text")
    )
    if not len(pairs):
        raise InputError(
            "No concept of the dictionary has two names.",
            path=path,
            expected="labels with exact synonyms",
            hint="goldassay calibrate PAIRS",
        )
    notes = (f"{MOST:,} of {len(pairs):,} pairs are drawn",) if len(pairs) > MOST else ()
    drawn = pairs.sample(MOST, seed=0) if notes else pairs
    return SynonymPairs.of(drawn.iter_rows(), path=fspath(path), notes=notes, bad=bad, measure="concept(epsilon={})")
