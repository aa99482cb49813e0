"""A table of axioms to the model, with the kind of each row."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from goldassay.axioms.model import CLASS, DATATYPE, FILLER, KINDS, OBJECT, PARTS, SUBCLASS, AxiomNames, Axioms
from goldassay.axioms.reading import AS_USUAL, AxiomReading
from goldassay.axioms.spelling import SUBCLASS_WORDS, Spelling
from goldassay.core.errors import RecordError
from goldassay.formats import Source
from goldassay.formats.memory import Columns
from goldassay.formats.records import BadRecords
from goldassay.formats.rows import Table

if TYPE_CHECKING:
    from polars import Series

KIND_WORDS: Mapping[str, int] = MappingProxyType(
    {
        **dict.fromkeys(("object", "objectproperty", "relation"), OBJECT),
        **dict.fromkeys(("datatype", "datatypeproperty", "dataproperty", "data", "attribute"), DATATYPE),
        **dict.fromkeys(("subclass", "subclassof"), SUBCLASS),
    }
)
"""How kinds are written, letters alone."""
UNKNOWN = -1
LISTED = 5


def axioms_of_table(columns: Table, source: Source, name: str, reading: AxiomReading, bad: BadRecords) -> Axioms:
    """Convert a table to axioms.

    Args:
        columns: The columns class, property, object, and kind where the file has one.
        source: The file.
        name: Its format.
        reading: The options of the reader.
        bad: Receives rows whose kind is unknown, or contradicts an earlier row.

    Returns:
        The axioms.

    Raises:
        RecordError: For the first such row, unless bad records are skipped.
    """
    warnings, frame, rows = columns.warnings, columns.frame, columns.input_rows
    kinds = None
    if "kind" in frame.columns:
        kinds, good = _stated(columns, source, reading.spelling, bad)
        frame, rows, kinds = frame.filter(good), rows[good], kinds[good]
    named = AxiomNames.of([frame[part] for part in PARTS], reading.spelling)
    shared = _shared(named)
    if kinds is None:
        kinds = _guessed(frame["property"].str.to_lowercase().is_in(list(SUBCLASS_WORDS)).to_numpy(), shared)
        warnings += (NO_KIND,)
    both = (kinds == DATATYPE) & shared
    return Axioms.from_names(
        named,
        kinds,
        spelling=reading.spelling,
        input_rows=rows,
        left_out=bad.left_out(),
        path=source.path,
        format=name,
        notes=bad.notes() + _both(frame["object"].filter(both)),
        choices=reading.choices,
        warnings=warnings,
    )


NO_KIND = (
    "there is no column for the kind: "
    "subClassOf makes subclass axioms, an object that is the class of another row makes object axioms, all others are "
    "datatype axioms"
)


def axioms_of_columns(columns: Columns, reading: AxiomReading = AS_USUAL) -> Axioms | None:
    """Make axioms of a list of tuples; None if the tuples name kinds, which the reader of tables checks.

    Args:
        columns: Class, property and object of each axiom.
        reading: The options of the reader.

    Example:
        >>> columns = Columns({"class": ["Dog", "Cat"], "property": ["likes", "is_a"], "object": ["Cat", "Pet"]})
        >>> axioms_of_columns(columns).kinds.tolist()
        [0, 1]
    """
    if "kind" in columns.cells:
        return None
    named = AxiomNames.of([columns.cells[part] for part in PARTS], reading.spelling)
    is_subclass = [text.lower() in SUBCLASS_WORDS for text in columns.cells["property"]]
    return Axioms.from_names(
        named,
        _guessed(np.array(is_subclass, dtype=np.bool_), _shared(named)),
        spelling=reading.spelling,
        input_rows=columns.rows,
        path=columns.name,
        warnings=(NO_KIND,),
        choices=reading.choices,
    )


def _stated(
    columns: Table, source: Source, spelling: Spelling, bad: BadRecords
) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
    """Read the kind of each row, and reject rows whose kind is unknown or contradicts an earlier row."""
    import polars as pl

    words = columns.frame["kind"].unique().to_list()
    codes = {word: KIND_WORDS.get(re.sub(r"[^a-z]", "", word.lower()), UNKNOWN) for word in words}
    properties = {name: spelling.key(name) for name in columns.frame["property"].unique().to_list()}
    table = columns.frame.with_columns(
        key=pl.col("property").replace_strict(properties, return_dtype=pl.String) if properties else pl.lit(""),
        code=pl.col("kind").replace_strict(codes, return_dtype=pl.Int8) if codes else pl.lit(0, dtype=pl.Int8),
    )
    known = pl.col("code") != UNKNOWN
    first = table.filter(known).group_by("key").agg(first=pl.col("code").first())
    table = table.join(first, on="key", how="left", maintain_order="left")
    wrong = table.select(~known | (pl.col("code") != pl.col("first")).fill_null(value=True)).to_series()
    for row in wrong.arg_true().to_list():
        bad.add(_problem(table.row(row, named=True), columns.line(row), source))
    return table["code"].to_numpy(), ~wrong.to_numpy()


def _problem(row: Mapping[str, str | int], line: int | None, source: Source) -> RecordError:
    found = ", ".join(str(row[part]) for part in (*PARTS, "kind"))
    if row["code"] == UNKNOWN:
        return RecordError(
            f"The kind {row['kind']!r} is unknown.",
            path=source.path,
            line=line,
            found=found,
            expected=", ".join(KINDS),
        )
    earlier = KINDS[int(row["first"])]
    return RecordError(
        f"The property {row['property']!r} has two kinds.",
        path=source.path,
        line=line,
        found=found,
        expected=f"{earlier}, as in an earlier row",
        hint="use one kind per property, or give the two properties different names",
    )


def _guessed(is_subclass: NDArray[np.bool_], shared: NDArray[np.bool_]) -> NDArray[np.int8]:
    return np.where(is_subclass, SUBCLASS, np.where(shared, OBJECT, DATATYPE)).astype(np.int8)


def _shared(named: AxiomNames) -> NDArray[np.bool_]:
    """Return whether the object of each axiom is spelt like a class."""
    is_class = np.zeros(len(named.keys), dtype=np.bool_)
    rows = named.rows
    is_class[rows[:, CLASS]] = True
    return is_class[rows[:, FILLER]]


def _both(datatypes: Series) -> tuple[str, ...]:
    """Note the names that are both a class and a datatype: often intended, sometimes an error."""
    both = sorted(datatypes.unique().to_list())
    if not both:
        return ()
    shown = ", ".join(both[:LISTED]) + (", ..." if len(both) > LISTED else "")
    names = "1 name is" if len(both) == 1 else f"{len(both):,} names are"
    return (f"{names} both a class and the object of a datatype property: {shown}",)
