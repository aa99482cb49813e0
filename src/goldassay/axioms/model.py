"""The model of the axiom family: unique (class, property, object) axioms, each with a kind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.axioms.spelling import EXACT, Spelling
from goldassay.core.content import Content, TextRows
from goldassay.core.errors import unknown_choice_error
from goldassay.core.intern import Names, first_of_each, number_columns
from goldassay.core.items import ColumnModel, list_rows
from goldassay.core.libraries import pl
from goldassay.core.model import InputRows, row_column, rows_kept
from goldassay.kernels.keys import pack_rows

KINDS = ("object", "datatype", "subclass")
OBJECT, DATATYPE, SUBCLASS = range(3)
PARTS = ("class", "property", "object")
CLASS, PROPERTY, FILLER = range(3)

Numbers: TypeAlias = NDArray[np.int64]


class AxiomNames(NamedTuple):
    """The names of axioms as numbers: each distinct text is normalised once."""

    names: list[str]
    keys: list[str]
    rows: Numbers  # rows of `keys`: class, property, object; int64, shape (axioms, 3)
    spelt: Numbers  # rows of `names`, likewise

    @classmethod
    def of(cls, columns: Iterable[Sequence[str] | pl.Series], spelling: Spelling) -> AxiomNames:
        """Number the names of three sequences of texts, or columns of polars."""
        texts, places = number_columns(*columns)
        spelt = np.empty((len(places[0]), len(PARTS)), dtype=np.int64)
        for part, place in enumerate(places):
            spelt[:, part] = place
        names = spelling.names(texts)
        if names is texts and not spelling.fold_case:
            return cls(names, names, spelt, spelt)
        keys, (key_of_name,) = number_columns(list(map(spelling.fold, names)) if spelling.fold_case else names)
        return cls(names, keys, key_of_name.astype(np.int64)[spelt], spelt)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Axioms(ColumnModel):
    """Unique axioms: two axioms are the same if class, property and object are spelt alike.

    Attributes:
        keys: How each distinct name is compared, unique, shape (keys,).
        rows: Rows of ``keys``: class, property, object; int64, shape (axioms, 3).
        spellings: How names are shown, unique, shape (spellings,).
        spelt: Rows of ``spellings``: class, property, object; int64, shape (axioms, 3).
        kinds: Row of ``KINDS`` for each axiom, int8, shape (axioms,).
        spelling: How spellings were normalised.
        input_rows: The row of the input where each axiom first occurs, int64, shape (axioms,); None if it has no rows.

    Example:
        >>> axioms = Axioms.from_rows([("Product", "hasBrand", "Brand", "object"), ("Brand", "name", "xsd:string")])
        >>> len(axioms), axioms.item(0), axioms.facts["object"]
        (2, 'Product hasBrand Brand', 1)
    """

    columns: ClassVar[tuple[str, ...]] = ("rows", "spelt", "kinds", "input_rows")

    keys: Names
    rows: Numbers
    spellings: Names
    spelt: Numbers
    kinds: NDArray[np.int8]
    spelling: Spelling = EXACT
    input_rows: InputRows = None
    choices: Mapping[str, str] = field(default_factory=lambda: {"text": "name"})

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
        listed = list_rows(rows, lengths=(3, 4), texts=3, expected=expected, kind="axioms")
        columns = [[row[part] for row in listed] for part in range(len(PARTS))]
        spelling = spelling or EXACT
        kinds = [_kind(row, spelling) for row in listed]
        input_rows = np.arange(len(listed))
        return cls.from_columns(columns, np.array(kinds, dtype=np.int8), spelling=spelling, input_rows=input_rows)

    @classmethod
    def from_columns(
        cls, columns: Sequence[Sequence[str]], kinds: NDArray[np.int8], *, spelling: Spelling, **read: Any
    ) -> Axioms:
        """Build axioms from three columns of names; duplicates are merged and counted."""
        return cls.from_names(AxiomNames.of(columns, spelling), kinds, spelling=spelling, **read)

    @classmethod
    def from_names(
        cls,
        named: AxiomNames,
        kinds: NDArray[np.int8],
        *,
        input_rows: InputRows = None,
        left_out: Mapping[str, int] = MappingProxyType({}),
        choices: Mapping[str, str] = MappingProxyType({"text": "name"}),
        **read: Any,
    ) -> Axioms:
        """Build axioms from numbered names, to the same end as `from_columns`."""
        size = len(named.rows)
        first = first_of_each(pack_rows(*named.rows.T))
        if len(first) < size:
            left_out = {**left_out, "duplicates": size - len(first)}
            named = named._replace(rows=named.rows[first], spelt=named.spelt[first])
            kinds, input_rows = kinds[first], rows_kept(input_rows, first)
        counts = np.bincount(kinds, minlength=len(KINDS)).tolist()
        return cls(
            keys=Names(named.keys),
            rows=named.rows,
            spellings=Names(named.names),
            spelt=named.spelt,
            kinds=kinds,
            input_rows=input_rows,
            left_out=dict(left_out),
            facts={"rows": size, "names": len(named.keys), **dict(zip(KINDS, counts, strict=True))},
            choices=dict(choices),
            **read,
        )

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def content(self) -> Sequence[Content]:
        """Class, property and object of each axiom as they are compared, and its kind."""
        return [[*(TextRows(self.keys, column) for column in self.rows.T), self.kinds]]

    def item(self, row: int) -> str:
        """Return the display name of one axiom: ``class property object``."""
        return " ".join(self.spellings[int(name)] for name in self.spelt[row])

    def identifiers(self, rows: Numbers) -> dict[str, list[str]]:
        """List the rows of the input of some axioms, if it has rows, and class, property and object.

        The evidence has columns of the bare names, so these are prefixed.
        """
        parts = {f"item_{name}": self.spellings[self.spelt[rows, place]].tolist() for place, name in enumerate(PARTS)}
        return {**row_column(self.input_rows, rows), **parts}

    def kind_names(self, rows: Numbers) -> NDArray[np.object_]:
        """Name the kinds of some axioms."""
        return np.array(KINDS, dtype=object)[self.kinds[rows]]


def _kind(row: Sequence[str], spelling: Spelling) -> int:
    if len(row) > len(PARTS):
        if row[-1] not in KINDS:
            raise unknown_choice_error("kind", row[-1], KINDS)
        return KINDS.index(row[-1])
    if spelling.name(row[PROPERTY]) == "subClassOf":
        return SUBCLASS
    return DATATYPE if row[FILLER].startswith("xsd:") else OBJECT
