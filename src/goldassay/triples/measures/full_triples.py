"""The third number of the scripts of WebNLG 2020 and EDC: whole triples, averaged over the distinct ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, Literal

import numpy as np

from goldassay.core.context import Context
from goldassay.core.counts import Division
from goldassay.core.documents import DocumentPairs
from goldassay.core.matching import NO_MATCH, Named
from goldassay.core.measure import PRECISION_RECALL_F1, Measure
from goldassay.core.parameters import parameter
from goldassay.core.parts import Part
from goldassay.triples.match import DocumentMatching, pair_documents, sides_of_keys
from goldassay.triples.measures.scripts import find_dropped
from goldassay.triples.model import Numbers, TripleSet


@dataclass(frozen=True, eq=False, kw_only=True)
class Lines:
    """Whole triples in lower case, each once a document."""

    texts: list[str]
    ids: list[str]  # of the pairs
    places: Numbers  # the pair of each item
    codes: Numbers  # the row of `texts` of each item
    triples: TripleSet
    firsts: Numbers  # the written triple of each item, or the first of several

    def __len__(self) -> int:
        return len(self.codes)

    def item(self, row: int) -> str:
        """Name one item for a person."""
        return f"{self.ids[self.places[row]]}: {self.texts[self.codes[row]]}"

    def identifiers(self, rows: Numbers) -> dict[str, list[str]]:
        """List the slots of some triples as they are written."""
        return self.triples.written_columns(self.firsts[rows])


class Distinct(Named):
    """Distinct triples as the rows that are counted."""


@dataclass(frozen=True, kw_only=True)
class FullTriples(Measure[TripleSet, DocumentMatching[Lines]]):
    """What the scripts print as ``Exact_match`` (WebNLG 2020) and ``Full triple scores`` (EDC).

    A preset. Each distinct triple of either side has a precision and a recall over the documents, and the mean over the
    triples is printed, so that a triple that is often right counts no more than one that is never predicted.

    Attributes:
        script: ``webnlg``, or ``edc``, which leaves out unreadable predictions together with their gold.
        max_length_diff: As in `Edc`.

    Example:
        >>> gold = TripleSet.from_lists({"d": [("Oslo", "country", "Norway")]})
        >>> pred = TripleSet.from_lists({"d": [("Oslo", "country", "Norway"), ("Oslo", "country", "Sweden")]})
        >>> FullTriples().score(pred=pred, gold=gold).format()
        'full_triples: precision 0.5000, recall 0.5000, f1 0.5000'
    """

    name: ClassVar[str] = "full_triples"
    title: ClassVar[str] = "Full triple scores of the WebNLG 2020 script"
    family: ClassVar[str] = "triples"
    formula: ClassVar[str] = (
        r"P = \frac{1}{|T|} \sum_{t \in T} \frac{|D_P(t) \cap D_G(t)|}{|D_P(t)|},\quad T = T_P \cup T_G"
    )
    citation: ClassVar[str] = "castroferreira2020"
    ratios: ClassVar[Mapping[str, tuple[str, str]]] = MappingProxyType(
        {name: (f"sum_{name}", "distinct") for name in PRECISION_RECALL_F1}
    )
    headline: ClassVar[str] = "f1"
    unit: ClassVar[str] = "triple"
    symmetry: ClassVar[Literal["swap", "same", "none"]] = "swap"
    defined_one_sided: ClassVar[bool] = True

    script: str = parameter("webnlg", help="which script", choices=("webnlg", "edc"))
    max_length_diff: int = parameter(
        -1, help="edc: leave out documents whose numbers of triples differ by more than this", bounds=(-1, 10**6)
    )

    def match(self, *, pred: TripleSet, gold: TripleSet, context: Context) -> DocumentMatching[Lines]:
        """Match equal triples of the same document, ignoring case."""
        del context
        pairs = pair_documents(pred=pred, gold=gold)
        one = gold.first_references
        left_out: set[int] = set()
        if self.script == "edc":
            left_out.update(find_dropped(pred, one, pairs, max_length_diff=self.max_length_diff))
        known: dict[str, int] = {}
        here, there = (
            _lines(side, documents, pairs, left_out, known)
            for side, documents in ((pred, pairs.pred), (one, pairs.gold))
        )
        size = len(known)
        codes = here.places * size + here.codes, there.places * size + there.codes
        sides = sides_of_keys(codes[0], codes[1])
        places = here.places, there.places
        return DocumentMatching[Lines].of(sides, items=(here, there), places=places, pairs=pairs)

    def parts(self, matching: DocumentMatching[Lines]) -> tuple[Part, ...]:
        """List the distinct triples, each with its values over the documents; 0/0 is 0, as it is in the scripts."""
        # The list of gold goes on from that of the prediction.
        texts = matching.gold_items.texts
        hits = np.bincount(matching.pred_items.codes, weights=matching.pred.credit, minlength=len(texts))
        n_pred = np.bincount(matching.pred_items.codes, minlength=len(texts))
        n_gold = np.bincount(matching.gold_items.codes, minlength=len(texts))
        ratio = Division(0.0)
        counts = {
            "sum_precision": ratio("precision", hits, n_pred),
            "sum_recall": ratio("recall", hits, n_gold),
            "sum_f1": ratio("f1", 2 * hits, n_pred + n_gold),
            "distinct": np.ones(len(texts)),
        }
        items = Distinct(tuple(texts))
        return (Part(items=items, others=items, unit_keys=lambda: items.names, counts=counts),)


def _lines(
    triples: TripleSet, documents: Numbers, pairs: DocumentPairs, left_out: set[int], known: dict[str, int]
) -> Lines:
    places: list[int] = []
    codes: list[int] = []
    firsts: list[int] = []
    for pair, document in enumerate(documents.tolist()):
        if document == NO_MATCH or pair in left_out:
            continue
        written = (" | ".join(slot or "" for slot in row).lower() for row in triples.written_of(document))
        some: dict[int, int] = {}
        for row, text in enumerate(written, int(triples.written_starts[document])):
            some.setdefault(known.setdefault(text, len(known)), row)
        places += [pair] * len(some)
        codes += some
        firsts += some.values()
    return Lines(
        texts=list(known),
        ids=pairs.ids.tolist(),
        places=np.array(places, dtype=np.int64),
        codes=np.array(codes, dtype=np.int64),
        triples=triples,
        firsts=np.array(firsts, dtype=np.int64),
    )
