"""Residual precision, recall and F: what a prediction adds to a string comparison."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import ClassVar

import numpy as np

from goldassay.alignments.match import AlignmentMatching, Numbering, Sides, drop_disjoint
from goldassay.alignments.measures.overlap import OverlapMeasure, keep_accepted, ontologies_of
from goldassay.alignments.model import Alignment
from goldassay.alignments.read import read_alignment
from goldassay.alignments.reading import AlignmentReading
from goldassay.alignments.relations import EQUIVALENT
from goldassay.core.context import Context
from goldassay.core.counts import Counts
from goldassay.core.intern import places_among
from goldassay.core.matching import NO_MATCH
from goldassay.core.parameters import parameter
from goldassay.core.patterns import pattern_of
from goldassay.core.signature import Signature
from goldassay.formats.labels import last_part, split_local_name
from goldassay.kernels.types import Rows

CAMEL = pattern_of(r"(?<!^)(?<!\s)(?=[A-Z][a-z])", re.ASCII)

JAVA_INT = 2**32
"""How many numbers a Java int has: sums of hash codes wrap around."""


@dataclass(frozen=True, kw_only=True)
class Residual(OverlapMeasure):
    """Precision, recall and F of the correspondences that a string baseline does not find.

    Attributes:
        baseline: An alignment that the baseline found; None compares labels, or the ends of the identifiers.
        names: How names are compared: as ``letters`` and digits, or as bags of ``words``.
        trivial: Which pairs of the baseline leave the prediction: ``all``, or the ``correct`` ones. They leave gold, too.

    Example:
        >>> gold = Alignment.from_rows([("a#Paper", "b#paper"), ("a#Author", "b#Writer")])
        >>> pred = Alignment.from_rows([("a#Paper", "b#paper"), ("a#Author", "b#Person")])
        >>> Residual().score(pred=pred, gold=gold)
        <Score residual: precision 0.0000, recall 0.0000, f1 0.0000>
    """

    name: ClassVar[str] = "residual"
    title: ClassVar[str] = "Residual precision, recall and F (recall+)"
    formula: ClassVar[str] = (
        r"P^+ = \frac{|A^+ \cap R^+|}{|A^+|},\quad R^+ = \frac{|A^+ \cap R^+|}{|R^+|},\quad X^+ = X \setminus B"
    )
    conventions: ClassVar[tuple[str, ...]] = (
        "the recall is the recall+ of the OAEI; its baseline StringEquiv can be named: baseline=FILE",
        "without a baseline two entities are equal by labels or ends of identifiers, in lower case, only letters and digits",
        "MELT's ResidualRefiner leaves wrong pairs of the baseline in the system, which its precision then counts: trivial=correct",
        "with trivial=correct only equivalences are of the baseline, since MELT's finds no other relation",
        "MELT's BaselineStringMatcher compares sums of hash codes of words: names=words; of a label with a language it keeps the tag",
    )

    baseline: str | None = parameter(
        None, help="an alignment that the baseline found; none compares names", metavar="FILE"
    )
    names: str = parameter("letters", help="the comparison of names in the baseline", choices=("letters", "words"))
    trivial: str = parameter("all", help="which pairs of the baseline leave the prediction", choices=("all", "correct"))

    def both(self, *, pred: Alignment, gold: Alignment, context: Context) -> Sides:
        """Take what the baseline finds out of both sides."""
        both = super().both(pred=pred, gold=gold, context=context)
        key = f"alignments without {self.baseline} by {self.names}, {self.trivial}"
        return context.get_or_make(key, (both,), lambda: self._without(both))

    def match(self, *, pred: Alignment, gold: Alignment, context: Context) -> AlignmentMatching:
        """Find the correspondences that both sides have beyond the baseline."""
        found = super().match(pred=pred, gold=gold, context=context)
        whole = super().both(pred=keep_accepted(pred), gold=gold, context=context)
        left = self.both(pred=keep_accepted(pred), gold=gold, context=context)
        if len(whole.gold) > len(left.gold) or not len(whole.gold):
            return found
        note = "the baseline finds nothing of gold, so that nothing is left out of it"
        hint = (
            "" if self.baseline else "; names are from identifiers unless ontologies are given: --source-ontology FILE"
        )
        return replace(found, note=note + hint)

    def sign(self, *, pred: Alignment, gold: Alignment, counts: Counts, context: Context) -> Signature:
        """Build the signature, with a digest of the baseline, or with where the names are from that are compared."""
        signature = super().sign(pred=pred, gold=gold, counts=counts, context=context)
        if self.baseline:
            return signature.with_field("baseline", signature.fields["baseline"])
        known = ontologies_of(pred, gold)
        return signature.with_field("labels", f"{known.language}@{known.digest}" if known.digest else "identifiers")

    def _without(self, both: Sides) -> Sides:
        ends = [
            both.numbering.entities(side, gold=place == 1)
            for place, side in enumerate((both.whole_pred, both.whole_gold))
        ]
        if self.baseline:
            known, size = _baseline_keys(self.baseline, both.numbering), len(both.numbering.terms)
            out = [np.isin(source * size + target, known) for _, source, target in ends]
        else:
            names = _number_entities(both, self.names)
            out = [np.asarray(names[source] == names[target]) for _, source, target in ends]
        if self.trivial == "correct":
            # What MELT's baseline finds is equivalent, and its correspondences are equal only if their relations are.
            out = [
                row & (side.relations == EQUIVALENT)
                for row, side in zip(out, (both.whole_pred, both.whole_gold), strict=True)
            ]
            right = both.numbering.pair_keys(both.whole_gold.take(out[1]), gold=True)
            out[0] &= np.isin(both.numbering.pair_keys(both.whole_pred, gold=False), right)
        sides = both.whole_pred.take(~out[0]), both.whole_gold.take(~out[1])
        return replace(
            both,
            pred=drop_disjoint(sides[0]).pairs,
            gold=drop_disjoint(sides[1]).pairs,
            whole_pred=sides[0],
            whole_gold=sides[1],
        )


def _baseline_keys(path: str, numbering: Numbering) -> Rows:
    """Number the pairs of a file: the source's number times that of all entities, plus the target's; pairs of unknown entities are left out."""
    pairs = read_alignment(path, AlignmentReading(scores="any"))
    place = places_among(pairs.terms, numbering.terms).astype(np.int64)
    sources, targets = place[pairs.sources], place[pairs.targets]
    known = (sources != NO_MATCH) & (targets != NO_MATCH)
    return np.asarray(sources[known] * len(numbering.terms) + targets[known])


def _number_entities(both: Sides, how: str) -> Rows:
    """Number all entities by their names, equal names alike; each entity without a name gets its own number."""
    # As MELT does, words compare classes only with classes, and each kind of property and individuals likewise.
    labels: dict[str, str] = {}
    kinds: dict[str, int] = {}
    for side in (both.pred, both.gold):
        if side.labels is not None:
            labels |= dict(zip(side.terms, side.labels.to_list(), strict=True))
        if side.types is not None and how == "words":
            kinds |= dict(zip(side.terms, side.types.tolist(), strict=True))
    known: dict[tuple[str, int], int] = {}
    numbers = []
    for term in both.numbering.terms:
        name = KEYS[how](labels.get(term) or (split_local_name(term) if how == "letters" else last_part(term)))
        numbers.append(known.setdefault((name or f"<{term}>", kinds.get(term, 0)), len(known)))
    return np.array(numbers, dtype=np.int64)


def _letters(name: str) -> str:
    """Convert a name to lower case, and keep only letters and digits."""
    return re.sub(r"[\W_]+", "", name.lower())


def _words(name: str) -> str:
    """Bring a name to the number that MELT compares its bag of words by: the sum of the hash codes that Java gives the words."""
    # An empty word adds nothing, and in rare cases unlike words have the same sum.
    plain = re.sub(r"[^a-z\d\s:_]", "", CAMEL.sub("_", name).replace(" ", "_").lower(), flags=re.ASCII)
    return str(sum(map(_java_hash, plain.split("_"))) % JAVA_INT)


def _java_hash(word: str) -> int:
    code = 0
    for letter in word:
        code = (31 * code + ord(letter)) % JAVA_INT
    return code


KEYS: Mapping[str, Callable[[str], str]] = MappingProxyType({"letters": _letters, "words": _words})
