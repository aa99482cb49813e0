"""F-measure of UNLization: a graph is correct if it is close enough to the expected one."""

from __future__ import annotations

import math
import re
import types
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, lru_cache, partial
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import Context
from goldassay.core.curve import Cut
from goldassay.core.intern import number_columns
from goldassay.core.limits import SENTENCE
from goldassay.core.matching import NO_MATCH
from goldassay.core.parameters import parameter
from goldassay.core.patterns import pattern_of
from goldassay.kernels.components import roots
from goldassay.kernels.keys import firsts, join_equal, pack_rows
from goldassay.kernels.types import Rows
from goldassay.unl.match import SentenceItems, list_attributes, list_relations, list_uws, pair_keys, partners
from goldassay.unl.measures.sentences import SentenceMatching, SentenceMeasure, sentence_matching, tight_limit
from goldassay.unl.model import NULL, Document, Graphs, Sentence
from goldassay.unl.show import graph_text

SURE = pattern_of(r'\d+|".*"|uc[ln]:.*|.*%\d:\d\d:\d\d:[^:]*:(?:\d\d)?|[^(]*\([^<>]*[<>].*\)', re.DOTALL)
BRACKETED = pattern_of(r"\[.*\]", re.DOTALL)
NO_PARTNER = "no expected sentence"
NO_PREDICTION = "no prediction"
UNREADABLE = "the expected sentence is malformed"
NOTHING = Sentence()
NONE = Fraction(0)
JUDGED = ("relation", "UW", "overall")
LIMITS: Mapping[str, tuple[float | None, float | None, float]] = types.MappingProxyType(
    {"2013": (0.3, 0.3, 0.5), "2012": (None, None, 0.3), "latest": (0.3, 0.3, 0.3)}
)


@dataclass(frozen=True, kw_only=True)
class Discrepancy(SentenceMeasure[Document]):
    """A graph is correct if it is returned and its three discrepancies are below their limits.

    Attributes:
        profile: The revision of the wiki that defines the overall discrepancy and the default limits:
            ``2013``; ``latest``, with a lower overall limit; ``2012``, where overall is the Levenshtein distance between
            the two graphs as text, relative to the length of the expected one, and the only criterion.
        relation_limit: Upper limit of the discrepancy of relations; None for the limit of the profile.
        uw_limit: Upper limit of the discrepancy of UWs; None for the limit of the profile.
        overall_limit: Upper limit of the overall discrepancy; None for the limit of the profile.
        relation_weight: Weight of a relation in the overall discrepancy.
        uw_weight: Weight of a UW.
        attribute_weight: Weight of an attribute.
        optional: Attributes that are not compared, without ``.@``.
        words: Which words are UWs and not natural-language words.

    Example:
        >>> from goldassay.unl.read import document_of
        >>> gold = document_of("[S:1] agt(kill(icl>do).@past, Peter(iof>person)) [/S]")
        >>> pred = document_of("[S:1] agt(kill(icl>do), Peter(iof>person)) [/S]")
        >>> Discrepancy().score(pred=pred, gold=gold)
        <Score discrepancy: precision 1.0000, recall 1.0000, f1 1.0000>
    """

    name: ClassVar[str] = "discrepancy"
    title: ClassVar[str] = "F-measure of UNLization"
    family: ClassVar[str] = "unl"
    formula: ClassVar[str] = (
        r"d_x = \frac{e_x + m_x}{t_x},\quad d = \frac{3(e_r+m_r) + 2(e_u+m_u) + (e_a+m_a)}{3t_r + 2t_u + t_a},\quad "
        r"P = \frac{|\{d_r < 0.3 \wedge d_u < 0.3 \wedge d < 0.5\}|}{|\mathrm{returned}|},\quad "
        r"R = \frac{|\{d_r < 0.3 \wedge d_u < 0.3 \wedge d < 0.5\}|}{|\mathrm{expected}|}"
    )
    conventions: ClassVar[tuple[str, ...]] = (
        "the latest revision of the wiki has overall < 0.3: profile=latest",
        "the revision of 2012 has Levenshtein distance of the graphs as text < 0.3 of the length: profile=2012",
        "a graph does not show which bare words are natural language: words=strict, expected or lenient",
    )

    profile: Literal["2013", "2012", "latest"] = parameter(
        "2013",
        help="revision of the wiki: 2013 = limits 0.3, 0.3 and 0.5; latest = overall limit 0.3; 2012 = Levenshtein "
        "distance of the graphs as text under 0.3 of the expected length",
        choices=tuple(LIMITS),
    )
    relation_limit: float | None = parameter(
        None, help="upper limit of the relation discrepancy; by default that of the profile", bounds=(0.0, 2.0)
    )
    uw_limit: float | None = parameter(
        None, help="upper limit of the UW discrepancy; by default that of the profile", bounds=(0.0, 2.0)
    )
    overall_limit: float | None = parameter(
        None, help="upper limit of the overall discrepancy; by default that of the profile", bounds=(0.0, 2.0)
    )
    relation_weight: float = parameter(3.0, help="weight of a relation", bounds=(0.0, 1e6))
    uw_weight: float = parameter(2.0, help="weight of a UW", bounds=(0.0, 1e6))
    attribute_weight: float = parameter(1.0, help="weight of an attribute", bounds=(0.0, 1e6))
    optional: tuple[str, ...] = parameter(("def", "indef"), help="attributes that are not compared")
    words: Literal["expected", "strict", "lenient"] = parameter(
        "expected",
        help="which words are not natural language: strict = numeric, quoted, null, URI, sense key or restricted; "
        "expected = also UWs of the expected document; lenient = all but [word]",
        choices=("expected", "strict", "lenient"),
    )

    def match(self, *, pred: Document, gold: Document, context: Context) -> SentenceMatching:
        """Pair the sentences, and compare each predicted one."""
        partner = partners(pred, gold)
        sides = (
            (list_relations(pred), list_relations(gold)),
            (list_uws(pred), list_uws(gold)),
            (list_attributes(pred, self.optional), list_attributes(gold, self.optional)),
        )
        parts = [Unmatched.between(here, there, partner) for here, there in sides]
        sizes = [column for part in parts for column in part.sizes]
        if self.profile == "2012":
            sizes += _text_sizes(pred, gold, partner, context)
        found = self._find_judged(sizes)
        problem = problems(pred.graphs, words=self.words, known=_uws_of(gold.graphs))
        valid = np.array([one is None for one in problem], dtype=np.bool_)
        readable, paired = ~gold.graphs.malformed, partner != NO_MATCH
        # What has no partner, -1, finds the last: nothing unreadable was expected.
        judged = np.append(readable, True)[partner]
        reason = np.where(judged, np.where(paired, found["why"], NO_PARTNER), UNREADABLE)
        why = np.where(valid, reason, np.array(problem, dtype=object))
        return sentence_matching(
            partner=partner,
            returned=valid & judged,
            correct=why == "",
            similarity=np.maximum(1 - found["overall"], 0.0),
            expected=readable,
            apart=np.where(valid & judged & paired, found["tight"], np.nan),
            compared={
                **{name: found[name] for name in NUMBERS},
                "exceeding": partial(_exceeding, parts),
                "missing": partial(_missing, parts, partner),
                "why": why,
            },
            missing={**dict.fromkeys(NUMBERS, np.nan), "exceeding": "", "missing": "", "why": NO_PREDICTION},
            pred=pred,
            gold=gold,
        )

    @property
    def perfect(self) -> Mapping[str, float]:
        """What a document scores against itself: unless its own words are known, some of it may be no result."""
        return super().perfect if self.words == "expected" else {"precision": 1.0}

    @property
    def cut(self) -> Cut | None:
        """What the overall discrepancy must be less than; the limits of relations and UWs stay as they are."""
        return Cut("overall_limit", self._limits["overall"] or 0.0, inclusive=False, lower_is_stricter=True)

    @cached_property
    def _limits(self) -> dict[str, float | None]:
        given = (self.relation_limit, self.uw_limit, self.overall_limit)
        limits = (usual if one is None else one for one, usual in zip(given, LIMITS[self.profile], strict=True))
        return dict(zip(JUDGED, limits, strict=True))

    def _find_judged(self, sizes: Sequence[Rows]) -> NDArray[Any]:
        """Divide the sizes of each pair of graphs, and compare the shares with their limits: rows of `JUDGEMENT`, shape (pred,)."""
        _, first, kind = np.unique(pack_rows(*sizes), return_index=True, return_inverse=True)
        rows = []
        for row in np.column_stack(sizes)[first].tolist():
            pairs = list(zip(row[::2], row[1::2], strict=True))
            shares = [_share(*pair) for pair in pairs]
            overall = shares[-1] if self.profile == "2012" else self._weight(pairs)
            exceeded = self._find_exceeded(shares[0], shares[1], overall)
            # Where another limit is exceeded, no overall limit makes it right.
            tight = tight_limit(overall) if exceeded.keys() <= {"overall"} else np.nan
            rows.append((*map(float, shares[:3]), float(overall), ", ".join(exceeded.values()), tight))
        found: NDArray[Any] = np.array(rows, dtype=JUDGEMENT)[kind]
        return found

    def _weight(self, sizes: Iterable[tuple[int, int]]) -> Fraction:
        weights = _scale_weights(self.relation_weight, self.uw_weight, self.attribute_weight)
        apart, total = (
            sum(weight * size for weight, size in zip(weights, side, strict=True)) for side in zip(*sizes, strict=True)
        )
        return _share(apart, total)

    def _find_exceeded(self, *values: Fraction) -> dict[str, str]:
        """Return which discrepancies are not under their limits."""
        return {
            name: f"{name} discrepancy {value} not below {limit:g}"
            for (name, limit), value in zip(self._limits.items(), values, strict=True)
            if limit is not None and value >= _exact(limit)
        }


def text_discrepancy(pred: Sentence, gold: Sentence) -> Fraction:
    """Divide the Levenshtein distance between two graphs as text by the length of the expected one."""
    # The text has one relation per line, in the order of the file; an empty expected text counts as one character.
    from rapidfuzz.distance import Levenshtein

    found, expected = graph_text(pred), graph_text(gold)
    # The distance takes the product of the two lengths.
    SENTENCE.check(
        max(len(found), len(expected)),
        f"The graph of sentence {gold.id!r} is too long to be compared by characters.",
    )
    return Fraction(Levenshtein.distance(found, expected), max(len(expected), 1))


NUMBERS = ("relations", "uws", "attributes", "overall")
JUDGEMENT = np.dtype([*((name, "f8") for name in NUMBERS), ("why", "O"), ("tight", "f8")])


@dataclass(frozen=True, eq=False)
class Unmatched:
    """Items of both sides, and which of them are not in the other sentence of their pair."""

    sizes: tuple[Rows, Rows]  # how many of each predicted sentence and its partner are not, and how many they have
    sides: tuple[SentenceItems, SentenceItems]  # predicted and expected
    keys: tuple[Rows, Rows]  # equal for equal items of a sentence
    rows: tuple[Rows, Rows]  # those that are not in the other sentence

    @classmethod
    def between(cls, pred: SentenceItems, gold: SentenceItems, partner: Rows) -> Self:
        """Compare the items of paired sentences as multisets."""
        keys = pair_keys(pred, gold, partner)
        here, there = (np.flatnonzero(found == NO_MATCH) for found in join_equal(*keys))

        def sizes(mine: Rows, theirs: Rows) -> Rows:
            # What has no partner, -1, finds the last: nothing.
            expected = np.append(np.bincount(theirs, minlength=len(gold.names)), 0)
            return np.asarray(np.bincount(mine, minlength=len(partner)) + expected[partner])

        apart, total = sizes(pred.rows[here], gold.rows[there]), sizes(pred.rows, gold.rows)
        return cls((apart, total), (pred, gold), keys, (here, there))

    def exceeding(self, sentence: int) -> list[str]:
        """List the items of a predicted sentence that are not expected, equal ones together."""
        return self._listed(0, sentence)

    def missing(self, sentence: int) -> list[str]:
        """List the items of an expected sentence that were not predicted; none of no sentence, -1."""
        return self._listed(1, sentence) if sentence != NO_MATCH else []

    def _listed(self, side: int, sentence: int) -> list[str]:
        texts, starts = self._texts[side]
        return texts[starts[sentence] : starts[sentence + 1]]

    @cached_property
    def _texts(self) -> list[tuple[list[str], list[int]]]:
        """The texts of each side in the order in which their items first occur, and where those of each sentence begin."""
        found = []
        for items, keys, rows in zip(self.sides, self.keys, self.rows, strict=True):
            order = rows[np.argsort(firsts(keys)[rows], kind="stable")]
            starts = np.searchsorted(items.rows[order], np.arange(len(items.names) + 1))
            found.append(([" ".join(parts) for parts in items.listed(order)], starts.tolist()))
        return found


def _exceeding(parts: Sequence[Unmatched], row: int) -> str:
    return "; ".join(one for part in parts for one in part.exceeding(row))


def _missing(parts: Sequence[Unmatched], partner: Rows, row: int) -> str:
    return "; ".join(one for part in parts for one in part.missing(int(partner[row])))


def _text_sizes(pred: Document, gold: Document, partner: Rows, context: Context) -> list[Rows]:
    """Compare graphs as texts: numerators and denominators of `text_discrepancy`, int64, shape (pred,) each."""
    shares = []
    for row, (sentence, other) in enumerate(zip(pred.sentences, partner.tolist(), strict=True)):
        share = text_discrepancy(sentence, gold.sentences[other] if other != NO_MATCH else NOTHING)
        shares.append((share.numerator, share.denominator))
        if row % 1000 == 0:
            context.progress("comparing graphs", row, len(pred))
    return list(np.array(shares, dtype=np.int64).reshape(-1, 2).T)


def _uws_of(graphs: Graphs) -> frozenset[str]:
    uws = np.unique(graphs.vocabulary.nodes[graphs.placed.nodes, 0])
    return frozenset(graphs.vocabulary.uws[row] for row in uws.tolist())


def _share(apart: int, total: int) -> Fraction:
    # Where anything is apart, the total is at least that.
    return Fraction(apart, total) if apart else NONE


@cache
def _exact(number: float) -> Fraction:
    # 0.3 is meant as 3/10, not as the binary fraction nearest to it.
    return Fraction(str(number))


@cache
def _scale_weights(*weights: float) -> tuple[int, ...]:
    """Multiply weights by one number, so that all are whole: their shares stay, and whole numbers add up faster than fractions."""
    exact = [_exact(weight) for weight in weights]
    common = math.lcm(*(weight.denominator for weight in exact))
    return tuple(int(weight * common) for weight in exact)


def problems(graphs: Graphs, *, words: str, known: Collection[str]) -> list[str | None]:
    """Return why each graph is not valid; None if it is."""
    uws, placed = graphs.vocabulary.uws, graphs.placed
    is_bad = np.array([bool(uw) and not _is_uw(uw, words, known) for uw in uws], dtype=np.bool_)
    found: list[str | None] = [None if one else "disconnected graph" for one in are_connected(graphs).tolist()]
    placed_uws = graphs.vocabulary.nodes[placed.nodes, 0]
    bad = np.flatnonzero(is_bad[placed_uws])
    # The first of a sentence is written last.
    for row, uw in zip(placed.sentences[bad[::-1]].tolist(), placed_uws[bad[::-1]].tolist(), strict=True):
        found[row] = f"natural-language word {uws[uw]!r}"
    for row in np.flatnonzero(graphs.sizes + graphs.isolated_sizes == 0).tolist():
        found[row] = "malformed" if graphs.malformed[row] else "empty graph"
    return found


def are_connected(graphs: Graphs) -> NDArray[np.bool_]:
    """Return whether all nodes of each graph are connected, bool, shape (sentences,); a scope is linked to every node of its relations."""
    vocabulary, count = graphs.vocabulary, len(graphs.relations)
    scoped = np.flatnonzero(graphs.relations[:, 1])
    # The nodes of relations, and the scopes of some, each by UW and identifier.
    _, identifiers = number_columns(vocabulary.ids, vocabulary.scopes)
    uw, name = vocabulary.nodes[graphs.relations[:, 2:].T.ravel(), :2].T
    uws = np.concatenate([uw, np.zeros(len(scoped), dtype=np.int64)])
    names = np.concatenate([identifiers[0][name], identifiers[1][graphs.relations[scoped, 1]]])
    owners = np.concatenate([graphs.sentences, graphs.sentences, graphs.sentences[scoped]])
    _, first, node = np.unique(pack_rows(owners, uws, names), return_index=True, return_inverse=True)
    source, target, scope = node[:count], node[count : 2 * count], node[2 * count :]
    edges = np.column_stack([np.concatenate([source, target[scoped]]), np.concatenate([target, scope])])
    root = roots(edges, len(first))
    owner = owners[first[root == np.arange(len(root))]]
    return np.asarray(np.bincount(owner, minlength=len(graphs)) + graphs.isolated_sizes <= 1)


def _is_uw(uw: str, words: str, known: Collection[str]) -> bool:
    if words == "lenient":
        return BRACKETED.fullmatch(uw) is None
    return _is_sure(uw) or (words == "expected" and uw in known)


@lru_cache(maxsize=2**16)
def _is_sure(uw: str) -> bool:
    return uw == NULL or SURE.fullmatch(uw) is not None
