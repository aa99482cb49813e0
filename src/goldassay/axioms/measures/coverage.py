"""Coverage of classes, relations and datatype properties, with a penalty for those that are not in gold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from goldassay.axioms.declared import DeclaredMeasure
from goldassay.axioms.model import CLASS, DATATYPE, PROPERTY, Axioms, Numbers
from goldassay.core.context import Context
from goldassay.core.counts import Counts, Division
from goldassay.core.matching import NO_MATCH, Matching, Side, equal_counterparts
from goldassay.core.measure import item_names
from goldassay.core.model import row_column
from goldassay.core.parameters import Bounds
from goldassay.core.parts import Part, both_parts

SECTIONS = ("classes", "relations", "datatypes")
SINGULAR = ("class", "relation", "datatype property")


@dataclass(frozen=True, eq=False, kw_only=True)
class Vocabulary:
    """The classes, relations and datatype properties of axioms as the items that are counted; int64 of shape (items,)."""

    axioms: Axioms
    sections: Numbers  # rows of SECTIONS
    terms: Numbers  # rows of axioms.keys
    shown: Numbers  # rows of axioms.spellings
    firsts: Numbers  # rows of axioms where each occurs first

    @classmethod
    def of(cls, axioms: Axioms) -> Vocabulary:
        """List each class (subject), relation (subClassOf included) and datatype property once."""
        is_datatype = axioms.kinds == DATATYPE
        everywhere = np.ones(len(axioms), dtype=np.bool_)
        chosen = ((everywhere, CLASS), (~is_datatype, PROPERTY), (is_datatype, PROPERTY))
        found = [np.unique(axioms.rows[rows, part], return_index=True) for rows, part in chosen]
        firsts = [np.flatnonzero(rows)[first] for (rows, _), (_, first) in zip(chosen, found, strict=True)]
        shown = [axioms.spelt[rows, part] for rows, (_, part) in zip(firsts, chosen, strict=True)]
        return cls(
            axioms=axioms,
            sections=np.repeat(np.arange(len(found)), list(map(len, firsts))),
            terms=np.concatenate([terms for terms, _ in found]),
            shown=np.concatenate(shown),
            firsts=np.concatenate(firsts),
        )

    def __len__(self) -> int:
        return len(self.terms)

    def item(self, row: int) -> str:
        """Return the display name of one item, for example ``class Product``."""
        return f"{SINGULAR[self.sections[row]]} {self.axioms.spellings[self.shown[row]]}"

    def identifiers(self, rows: Numbers) -> dict[str, list[str]]:
        """List the rows of the input that some items first occur in, and their names."""
        names = self.axioms.spellings[self.shown[rows]].tolist()
        return {**row_column(self.axioms.input_rows, self.firsts[rows]), "name": names}


@dataclass(frozen=True, kw_only=True)
class Coverage(DeclaredMeasure[Matching[Vocabulary]]):
    """The share of the vocabulary of gold that the prediction has, with a penalty for names that are not in gold.

    Attributes:
        equivalences: A table of names of the prediction and the equivalent names of gold.

    Example:
        >>> gold = Axioms.from_rows([("Product", "hasBrand", "Brand"), ("Brand", "name", "xsd:string")])
        >>> pred = Axioms.from_rows([("Product", "hasMaker", "Brand"), ("Product", "name", "xsd:string")])
        >>> Coverage().score(pred=pred, gold=gold)
        <Score coverage: classes 0.5000, relations 0.0000, datatypes 1.0000, overall 0.4000>
    """

    name: ClassVar[str] = "coverage"
    title: ClassVar[str] = "Coverage with a penalty"
    formula: ClassVar[str] = (
        r"C_s = \frac{|s_{Gold} \cap s_{Pred}|}{|s_{Gold}| + |s_{Pred} \setminus s_{Gold}|},\quad "
        r"s \in \{\text{classes}, \text{relations}, \text{datatypes}\}"
    )
    citation: ClassVar[str] = "ginesalmagro_schemas"
    values: ClassVar[Mapping[str, Bounds]] = MappingProxyType(dict.fromkeys((*SECTIONS, "overall"), (0.0, 1.0)))
    headline: ClassVar[str] = "overall"
    unit: ClassVar[str] = "name"
    symmetry: ClassVar[Literal["swap", "same", "none"]] = "same"
    defined_one_sided: ClassVar[bool] = True
    conventions: ClassVar[tuple[str, ...]] = (
        "classes are the subjects of axioms; relations are object properties and subClassOf",
        "overall adds the three numerators and the three denominators, as the published tables do",
    )

    def match(self, *, pred: Axioms, gold: Axioms, context: Context) -> Matching[Vocabulary]:
        """Find the classes, relations and datatype properties that are on both sides."""
        names = self.numbers(pred=pred, gold=gold, context=context)
        here, there = Vocabulary.of(pred), Vocabulary.of(gold)
        codes = [_codes(items, numbers) for items, numbers in ((here, names.pred_terms), (there, names.gold_terms))]
        return Matching(
            pred=_side(codes[0], codes[1]), gold=_side(codes[1], codes[0]), pred_items=here, gold_items=there
        )

    def parts(self, matching: Matching[Vocabulary]) -> tuple[Part, ...]:
        """List the names of gold, which are covered or not, and those of the prediction, which may be extra."""
        gold, pred = matching.gold_items, matching.pred_items
        covered, extra = matching.gold.credit > 0, matching.pred.credit == 0
        sections = list(enumerate(SECTIONS))
        of_gold = {f"covered_{name}": _is(gold, section) & covered for section, name in sections}
        of_gold |= {f"gold_{name}": _is(gold, section) for section, name in sections}
        of_pred = {f"extra_{name}": _is(pred, section) & extra for section, name in sections}
        items = gold, pred
        return both_parts(items, [partial(item_names, one) for one in items], (of_gold, of_pred))

    def divide(self, counts: Counts, ratio: Division) -> dict[str, Any]:
        """Divide the covered names by those of gold plus the extra ones, per section and overall."""
        covered = {name: counts[f"covered_{name}"] for name in SECTIONS}
        wanted = {name: counts[f"gold_{name}"] + counts[f"extra_{name}"] for name in SECTIONS}
        values = {name: ratio(name, covered[name], wanted[name]) for name in SECTIONS}
        return {**values, "overall": ratio("overall", sum(covered.values()), sum(wanted.values()))}


def _codes(items: Vocabulary, numbers: Numbers) -> Numbers:
    return numbers[items.terms] * len(SECTIONS) + items.sections


def _side(here: Numbers, there: Numbers) -> Side:
    counterpart = equal_counterparts(here, there)
    return Side.of_hits(counterpart != NO_MATCH, counterpart)


def _is(items: Vocabulary, section: int) -> NDArray[np.bool_]:
    return np.asarray(items.sections == section)
