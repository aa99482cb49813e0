"""The model of the axiom family: unique (class, property, object) axioms, each with a kind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.axioms.spelling import EXACT, Spelling
from goldassay.core.by_hand import listed_rows
from goldassay.core.context import StringArray, string_array
from goldassay.core.errors import unknown_choice
from goldassay.core.model import InputRows, Read, row_column, rows_kept

KINDS = ("object", "datatype", "subclass")
OBJECT, DATATYPE, SUBCLASS = range(3)
PARTS = ("class", "property", "object")
CLASS, PROPERTY, FILLER = range(3)

Numbers: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Axioms(Read):
    """Unique axioms: two axioms are the same if class, property and object are spelt alike.

    Attributes:
        keys: How each distinct name is compared, unique, shape (keys,).
        rows: Rows of ``keys``: class, property, object; int64, shape (axioms, 3).
        spellings: How names are shown, unique, shape (spellings,).
        spelt: Rows of ``spellings``: class, property, object; int64, shape (axioms, 3).
        kinds: Row of ``KINDS`` for each axiom, int8, shape (axioms,).
        spelling: How spellings were normalised.
        input_rows: The row of the input where each axiom first stands, int64, shape (axioms,); None if it has no rows.

    Example:
        >>> axioms = Axioms.from_rows([("Product", "hasBrand", "Brand", "object"), ("Brand", "name", "xsd:string")])
        >>> len(axioms), axioms.item(0), axioms.facts["object"]
        (2, 'Product hasBrand Brand', 1)
    """

    keys: StringArray
    rows: Numbers
    spellings: StringArray
    spelt: Numbers
    kinds: NDArray[np.int8]
    spelling: Spelling = EXACT
    input_rows: InputRows = None
    choices: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({"text": "name"}))

    @classmethod
    def from_rows(cls, rows: Iterable[Sequence[str]], *, spelling: Spelling | None = None) -> Axioms:
        """Build axioms from (class, property, object) or (class, property, object, kind); duplicates are merged.

        Args:
            rows: The axioms. One without a kind is a subclass axiom if its property is subClassOf, else a datatype
                axiom if its object starts with ``xsd:``, else an object axiom.
            spelling: How spellings are normalised; None for exact comparison.

        Returns:
            The axioms, in order of first appearance.

        Raises:
            UsageError: If a row is none of these, or a kind is unknown.
        """
        expected = "(class, property, object) or (class, property, object, kind)"
        listed = listed_rows(rows, lengths=(3, 4), expected=expected, kind="axioms")
        columns = [[row[part] for row in listed] for part in range(len(PARTS))]
        spelling = spelling or EXACT
        kinds = [_kind(row, spelling) for row in listed]
        input_rows = np.arange(len(listed))
        return cls.from_columns(columns, np.array(kinds, dtype=np.int8), spelling=spelling, input_rows=input_rows)

    @classmethod
    def from_columns(
        cls,
        columns: Sequence[Sequence[str]],
        kinds: NDArray[np.int8],
        *,
        spelling: Spelling,
        input_rows: InputRows = None,
        left_out: Mapping[str, int] = MappingProxyType({}),
        path: str | None = None,
        format: str = "memory",  # noqa: A002 - the model's own word
        notes: tuple[str, ...] = (),
        choices: Mapping[str, str] = MappingProxyType({"text": "name"}),
    ) -> Axioms:
        """Build axioms from three columns of names; duplicates are merged and counted.

        Args:
            columns: Class, property and object of each axiom, three sequences (or polars columns) of one length.
            kinds: Row of ``KINDS`` for each axiom, int8, shape (axioms,).
            spelling: How spellings are normalised.
            input_rows: The row of the input that each axiom stands in, int64, shape (axioms,); None if it has no rows.
            left_out: What was left out before, counted by reason.
            path: Where the axioms were read from.
            format: The format they were read as.
            notes: Notes for the user on how they were read.
            choices: How names are compared, for the signature.
        """
        texts, spelt = _interned(columns)
        names = [spelling.name(text) for text in texts]
        keys, key_of_text = _keys(map(spelling.fold, names))
        rows = key_of_text[spelt]
        first = _first_of_each(rows)
        duplicates = {"duplicates": len(rows) - len(first)} if len(first) < len(rows) else {}
        kept = kinds[first]
        counts = np.bincount(kept, minlength=len(KINDS)).tolist()
        return cls(
            keys=string_array(keys),
            rows=rows[first],
            spellings=string_array(names),
            spelt=spelt[first],
            kinds=kept,
            spelling=spelling,
            input_rows=rows_kept(input_rows, first),
            path=path,
            format=format,
            left_out={**left_out, **duplicates},
            facts={"rows": len(rows), "names": len(keys), **dict(zip(KINDS, counts, strict=True))},
            notes=notes,
            choices=choices,
        )

    def __len__(self) -> int:
        return len(self.rows)

    def item(self, row: int) -> str:
        """Return the display name of one axiom: ``class property object``."""
        return " ".join(str(self.spellings[name]) for name in self.spelt[row])

    def identifiers(self, rows: Numbers) -> dict[str, list[str]]:
        """List the rows of the input of some axioms, if it has rows, and class, property and object.

        The evidence says of columns of these names how they differ.
        """
        parts = {f"item_{name}": self.spellings[self.spelt[rows, place]].tolist() for place, name in enumerate(PARTS)}
        return {**row_column(self.input_rows, rows), **parts}

    def kind_names(self, rows: Numbers) -> NDArray[np.object_]:
        """Name the kinds of some axioms.

        Args:
            rows: Which axioms, int64, shape (rows,).
        """
        return np.array(KINDS, dtype=object)[self.kinds[rows]]


def _kind(row: Sequence[str], spelling: Spelling) -> int:
    if len(row) > len(PARTS):
        if row[-1] not in KINDS:
            raise unknown_choice("kind", row[-1], KINDS)
        return KINDS.index(row[-1])
    if spelling.name(row[PROPERTY]) == "subClassOf":
        return SUBCLASS
    return DATATYPE if row[FILLER].startswith("xsd:") else OBJECT


def _interned(columns: Sequence[Sequence[str]]) -> tuple[list[str], Numbers]:
    """List the distinct texts of three columns, and give the row of each cell in the list."""
    import polars as pl

    table = pl.DataFrame(dict(zip(PARTS, columns, strict=True)), schema=dict.fromkeys(PARTS, pl.String))
    distinct = pl.concat([table[part].alias("text") for part in PARTS]).unique(maintain_order=True)
    index = distinct.to_frame().with_row_index("row")
    cells = [
        table.select(pl.col(part).alias("text")).join(index, on="text", how="left", maintain_order="left")["row"]
        for part in PARTS
    ]
    return distinct.to_list(), np.stack([column.to_numpy() for column in cells], axis=1).astype(np.int64)


def _keys(folded: Iterable[str]) -> tuple[list[str], Numbers]:
    """Number names so that equal ones have one number."""
    numbers: dict[str, int] = {}
    number_of_text = [numbers.setdefault(name, len(numbers)) for name in folded]
    return list(numbers), np.array(number_of_text, dtype=np.int64)


def _first_of_each(rows: Numbers) -> Numbers:
    if not len(rows):
        return np.zeros(0, dtype=np.int64)
    base = int(rows.max()) + 1
    _, pairs = np.unique(rows[:, CLASS] * base + rows[:, FILLER], return_inverse=True)
    _, first = np.unique(pairs * base + rows[:, PROPERTY], return_index=True)
    return np.sort(first)
