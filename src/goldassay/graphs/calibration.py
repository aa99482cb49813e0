"""Thresholds for an encoder: from pairs of synonyms, and against chance."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from os import PathLike
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import Context, Encoder, Progress, ignore_progress
from goldassay.core.errors import InputError, UsageError, names_file
from goldassay.core.intern import StringArray, string_array
from goldassay.core.libraries import ox
from goldassay.core.limits import PAIRS
from goldassay.encoders import get_encoder
from goldassay.encoders.measure import WORDNET_THRESHOLD
from goldassay.formats import load, read_triples, recognise
from goldassay.formats.choose_columns import Choice
from goldassay.formats.column_names import bare
from goldassay.formats.known import TRIPLES
from goldassay.formats.labels import LABELS
from goldassay.formats.options import OnError
from goldassay.formats.records import BadRecords
from goldassay.formats.rows import TABLES, read_table
from goldassay.formats.source import Source
from goldassay.formats.synonyms import EXACT
from goldassay.graphs.model import Graph
from goldassay.graphs.texts import number_texts
from goldassay.kernels.cosine import pair_cosines
from goldassay.kernels.resample import bootstrap_sums, distinct_rows

PLACES = {"a": 0, "b": 1}
HEADERS = frozenset(
    {"a", "b", "left", "right", "term", "synonym", "text", "label", "word", "text1", "text2", "source", "target"}
)
QUANTILES = (0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99)
BINS = 24
LOWEST = -0.2
"""Lower bound of the histogram; lower values are counted in its first bar."""


@dataclass(frozen=True, eq=False, kw_only=True)
class SynonymPairs:
    """Pairs of texts that mean the same, each pair once, in either order."""

    left: StringArray
    right: StringArray
    path: str | None = None
    left_out: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    measure: str = "fuzzy(threshold={})"  # the measure that they calibrate, with braces for its threshold

    @classmethod
    def of(
        cls,
        pairs: Iterable[tuple[str, str]],
        *,
        path: str | None = None,
        notes: tuple[str, ...] = (),
        warnings: tuple[str, ...] = (),
        bad: BadRecords | None = None,
        measure: str = "fuzzy(threshold={})",
    ) -> SynonymPairs:
        """Keep each pair once; pairs of equal texts are not informative, and skipped."""
        given = [(a, b) if a <= b else (b, a) for a, b in pairs]
        unequal = [pair for pair in given if pair[0] != pair[1]]
        unique = list(dict.fromkeys(unequal))
        counts = {
            "equal_texts": len(given) - len(unequal),
            "duplicates": len(unequal) - len(unique),
        }
        left_out = {reason: count for reason, count in counts.items() if count}
        if bad:
            left_out, notes = left_out | bad.left_out(), notes + bad.notes()
        left, right = (string_array([pair[end] for pair in unique]) for end in (0, 1))
        return cls(
            left=left, right=right, path=path, left_out=left_out, notes=notes, warnings=warnings, measure=measure
        )

    def __len__(self) -> int:
        return len(self.left)


@dataclass(frozen=True, eq=False, kw_only=True)
class Calibration:
    """The cosines of pairs that mean the same, under one encoder."""

    pairs: SynonymPairs
    encoder: str
    cosines: NDArray[np.float64]

    @cached_property
    def mean(self) -> float:
        """The mean cosine: the threshold in the source of fuzzy F1."""
        return float(self.cosines.mean())

    @cached_property
    def median(self) -> float:
        """The median cosine."""
        return float(np.median(self.cosines))

    def quantiles(self) -> dict[float, float]:
        """Return the ``QUANTILES`` of the cosines."""
        return dict(zip(QUANTILES, np.quantile(self.cosines, QUANTILES).tolist(), strict=True))

    def interval(self, *, level: float = 0.95, resamples: int = 1000, seed: int = 0) -> tuple[float, float]:
        """Return the bootstrap percentile interval of the mean, over pairs."""
        rows, frequency = distinct_rows(self.cosines[:, None])
        means = bootstrap_sums(rows, frequency, resamples=resamples, seed=seed)[:, 0] / len(self.cosines)
        low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
        return float(low), float(high)

    def histogram(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Count the pairs between even steps of the cosine."""
        counts, edges = np.histogram(np.maximum(self.cosines, LOWEST), bins=BINS, range=(LOWEST, 1.0))
        return counts.astype(np.int64), edges

    @property
    def spec(self) -> str:
        """The measure with the calibrated threshold, as an argument of ``-m``."""
        return self.pairs.measure.format(f"{round(self.mean, 3):g}")

    def to_dict(self) -> dict[str, Any]:
        """Return the calibration as plain values."""
        counts, edges = self.histogram()
        return {
            "path": self.pairs.path,
            "encoder": self.encoder,
            "pairs": len(self.pairs),
            "left_out": dict(self.pairs.left_out),
            "notes": list(self.pairs.notes),
            "warnings": list(self.pairs.warnings),
            "mean": self.mean,
            "mean_interval": list(self.interval()),
            "median": self.median,
            "quantiles": {f"{share:g}": value for share, value in self.quantiles().items()},
            "histogram": {"edges": edges.tolist(), "counts": counts.tolist()},
            "measure": self.spec,
        }


def calibrate(
    pairs: SynonymPairs | str | PathLike[str],
    *,
    encoder: str | Encoder = "minilm",
    progress: Progress = ignore_progress,
) -> Calibration:
    """Measure how alike an encoder finds pairs that mean the same.

    Args:
        pairs: The pairs, or a table of them.
        encoder: An encoder or its name.
        progress: Called as texts are encoded.

    Returns:
        The calibration.

    Raises:
        InputError: If the table cannot be read, or contains no pair.
        EncoderError: If the encoder is not available.

    Example:
        >>> found = calibrate(SynonymPairs.of([("cat", "cats"), ("dog", "dogs")]), encoder="hashing")
        >>> found.spec
        'fuzzy(threshold=0.637)'
    """
    given = pairs if isinstance(pairs, SynonymPairs) else read_pairs(pairs)
    if not len(given):
        raise InputError(
            "The input contains no pair of different texts.", path=given.path, expected="two texts per pair"
        )
    context = Context(encoder=get_encoder(encoder), progress=progress)
    vectors, rows = context.vectors(np.concatenate([given.left, given.right]))
    cosines = pair_cosines(vectors, rows[: len(given)], rows[len(given) :])
    return Calibration(pairs=given, encoder=context.encoder_name, cosines=cosines)


@names_file
def read_pairs(path: str | PathLike[str], *, on_error: OnError = "stop") -> SynonymPairs:
    """Read pairs of texts from the first two columns of a table (CSV, TSV, JSON Lines or Parquet)."""
    source = load(path)
    name = recognise(source)
    if name not in TABLES:
        raise InputError(
            "Not a table of pairs.",
            found=name,
            expected=", ".join(TABLES),
            hint="--from FILE",
        )

    def choose(row: Sequence[str], *, always: bool = False, **_: object) -> Choice:
        if len(row) < len(PLACES):
            raise InputError("The table has 1 column.", line=1, found=", ".join(row), expected="two texts per row")
        named = always or all(bare(cell) in HEADERS for cell in row[:2])
        warnings = () if named else (f"no header was recognised: the first pair is {row[0]!r} and {row[1]!r}",)
        return Choice(PLACES, named, warnings)

    bad = BadRecords(on_error=on_error)
    table = read_table(source, name, choose, bad).fill(bad)
    pairs = table.frame.select("a", "b").iter_rows()
    return SynonymPairs.of(pairs, path=source.path, warnings=table.warnings, bad=bad)


@names_file
def synonym_pairs(path: str | PathLike[str], *, language: str = "en") -> SynonymPairs:
    """Return pairs from an ontology: all pairs among the labels and exact synonyms of one class.

    Args:
        path: The ontology, in any format of statements.
        language: Texts in this language are used, and those without a language.

    Raises:
        InputError: If the file is not an ontology, or contains no exact synonym.
    """
    source = load(path)
    name = recognise(source)
    if name not in TRIPLES:
        raise InputError(
            "Not an ontology.",
            found=name,
            expected="RDF, OWL or OBO",
            hint="goldassay calibrate PAIRS",
        )
    texts = _texts_by_class(source, name, language)
    number = sum(len(names) * (len(names) - 1) // 2 for names in texts.values())
    PAIRS.check(number, "The synonyms give too many pairs.")
    pairs = [pair for names in texts.values() for pair in combinations(sorted(names), 2)]
    if not pairs:
        raise InputError(
            "No class of the ontology has two texts of the same meaning.",
            expected="exact synonyms (oboInOwl:hasExactSynonym) or skos:altLabel",
        )
    return SynonymPairs.of(pairs, path=source.path)


def _texts_by_class(source: Source, name: str, language: str) -> dict[str, set[str]]:
    known = {*LABELS, *EXACT}
    texts: dict[str, set[str]] = {}
    for triple in read_triples(source, name):
        text = triple.object
        if not isinstance(text, ox.Literal) or triple.predicate.value not in known:
            continue
        if (text.language or language).split("-")[0] == language:
            texts.setdefault(str(triple.subject), set()).add(text.value.strip())
    return {node: words - {""} for node, words in texts.items()}


ALL_PAIRS = 1_000_000
"""Up to so many pairs all are looked at, and as many are drawn where there are more."""
STEP = 1000
"""Thresholds are written to three places."""


@dataclass(frozen=True, eq=False, kw_only=True)
class _Threshold:
    """The cosine that few pairs of texts exceed which do not mean the same."""

    measure: ClassVar[str]

    alpha: float  # the share of these pairs that may exceed the threshold
    encoder: str
    cosines: NDArray[np.float64] = field(repr=False)  # of these pairs, ascending, float64, shape (pairs,)
    sampled: bool  # whether the pairs were drawn, since there are too many

    @property
    def threshold(self) -> float:
        """The lowest threshold, to three places, that no greater share of the pairs exceeds than ``alpha``."""
        beyond = math.floor(self.alpha * len(self.cosines))
        return math.ceil(round(float(self.cosines[len(self.cosines) - 1 - beyond]) * STEP, 9)) / STEP

    @property
    def spec(self) -> str:
        """The measure with the threshold, to paste behind ``-m``."""
        return f"{self.measure}(threshold={self.threshold:g})"


@dataclass(frozen=True, eq=False, kw_only=True)
class ChanceThreshold(_Threshold):
    """The cosine that random pairs of different texts of two vocabularies exceed with a given probability."""

    measure: ClassVar[str] = "fuzzy"

    texts: tuple[int, int]

    def share_above(self, threshold: float) -> float:
        """Return the share of the pairs that exceed a threshold."""
        return 1.0 - float(np.searchsorted(self.cosines, threshold, side="right")) / len(self.cosines)

    def to_dict(self) -> dict[str, Any]:
        """Return the findings as plain values."""
        return {
            "alpha": self.alpha,
            "threshold": self.threshold,
            "share_above": self.share_above(self.threshold),
            "share_above_default": self.share_above(WORDNET_THRESHOLD),
            "encoder": self.encoder,
            "texts": {"pred": self.texts[0], "gold": self.texts[1]},
            "pairs": len(self.cosines),
            "sampled": self.sampled,
            "measure": self.spec,
        }


def threshold_against_chance(
    pred: Graph,
    gold: Graph,
    *,
    alpha: float = 0.01,
    encoder: str | Encoder = "minilm",
    progress: Progress = ignore_progress,
    seed: int = 0,
) -> ChanceThreshold:
    """Find the threshold that two different random texts, one a side, pass with a given probability.

    An edge matches a given edge by chance when both its ends do, so about with the square of that probability.

    Args:
        pred: The prediction.
        gold: The gold standard.
        alpha: The probability.
        encoder: An encoder or its name.
        progress: Called as texts are encoded.
        seed: Where the sample starts, if there are more than a million pairs.

    Raises:
        UsageError: If the probability lies not between 0 and 1.
        InputError: If a side has no text.
        EncoderError: If the encoder is not available.

    Example:
        >>> gold = Graph.from_edges([("cat", "animal"), ("dog", "animal")])
        >>> threshold_against_chance(gold, gold, alpha=0.5, encoder="hashing").share_above(0.99) < 0.5
        True
    """
    if not 0 < alpha < 1:
        raise UsageError("The probability must be between 0 and 1.", found=f"{alpha:g}", hint="--against-chance 0.01")
    for side in (pred, gold):
        if not len(side.texts):
            raise InputError("There are no texts.", path=side.path, expected="a graph with nodes")
    context = Context(encoder=get_encoder(encoder), progress=progress)
    context.vectors(np.concatenate([pred.texts, gold.texts]))
    (vectors, here), (_, there) = (context.vectors(number_texts(side.texts)[0]) for side in (pred, gold))
    pairs = len(here) * len(there)
    sampled = pairs > ALL_PAIRS
    drawn = np.random.default_rng(seed).integers(0, pairs, ALL_PAIRS) if sampled else np.arange(pairs)
    left, right = here[drawn // len(there)], there[drawn % len(there)]
    # Equal texts match because they are the same, not by chance; in a small shared vocabulary they would be many.
    different = left != right
    if not different.any():
        raise InputError("The input contains no pair of different texts.", path=gold.path, expected="two vocabularies")
    cosines = np.sort(pair_cosines(vectors, left[different], right[different]))
    texts = len(here), len(there)
    return ChanceThreshold(alpha=alpha, encoder=context.encoder_name, texts=texts, cosines=cosines, sampled=sampled)


@dataclass(frozen=True, eq=False, kw_only=True)
class HierarchyThreshold(_Threshold):
    """The cosine that few pairs of a gold standard exceed which are related, and not the same: parents with children, and siblings."""

    measure: ClassVar[str] = "anchored"

    kinds: Mapping[str, int]  # how many pairs of each kind there are
    # cosines of gold's own synonyms, float64, shape (pairs,); None where it has none
    synonyms: NDArray[np.float64] | None = field(repr=False)

    def accepted(self, threshold: float) -> float:
        """Return the share of the related pairs that exceed a threshold."""
        return float((self.cosines > threshold).mean())

    def passing(self, threshold: float) -> float | None:
        """Return the share of gold's synonyms that exceed a threshold; None where it has none."""
        return None if self.synonyms is None else float((self.synonyms > threshold).mean())

    def to_dict(self) -> dict[str, Any]:
        """Return the findings as plain values."""
        shares = {
            name: {
                "threshold": threshold,
                "related_accepted": self.accepted(threshold),
                "synonyms_passing": self.passing(threshold),
            }
            for name, threshold in (("found", self.threshold), ("default", WORDNET_THRESHOLD))
        }
        return {
            "alpha": self.alpha,
            "threshold": self.threshold,
            "shares": shares,
            "encoder": self.encoder,
            "pairs": dict(self.kinds),
            "synonyms": None if self.synonyms is None else len(self.synonyms),
            "sampled": self.sampled,
            "measure": self.spec,
        }


def threshold_against_hierarchy(
    gold: Graph,
    *,
    synonyms: SynonymPairs | None = None,
    alpha: float = 0.05,
    encoder: str | Encoder = "minilm",
    progress: Progress = ignore_progress,
    seed: int = 0,
) -> HierarchyThreshold:
    """Find the threshold at which related texts of gold are no longer taken for the same.

    The pairs are those of a child and its parent, and of two children of one parent.

    Args:
        gold: The gold standard.
        synonyms: Pairs of texts that mean the same, which should still pass.
        alpha: The share of related pairs that may exceed the threshold.
        encoder: An encoder or its name.
        progress: Called as texts are encoded.
        seed: Where the sample starts, if there are more than a million pairs of siblings.

    Raises:
        InputError: If gold has no edge between different texts.
        EncoderError: If the encoder is not available.

    Example:
        >>> gold = Graph.from_edges([("cat", "animal"), ("cats", "animal"), ("dog", "animal")])
        >>> found = threshold_against_hierarchy(gold, encoder="hashing")
        >>> dict(found.kinds), found.accepted(found.threshold)
        ({'parent_child': 3, 'sibling': 3}, 0.0)
    """
    texts, (places,) = number_texts(gold.texts)
    edges = np.unique(places[gold.edges], axis=0)
    edges = edges[edges[:, 0] != edges[:, 1]]
    if not len(edges):
        raise InputError(
            "The graph contains no edge between different texts.", path=gold.path, expected="parents and children"
        )
    siblings, sampled = _siblings(edges, np.random.default_rng(seed))
    context = Context(encoder=get_encoder(encoder), progress=progress)
    vectors, rows = context.vectors(texts)
    pairs = np.concatenate([edges, siblings])
    cosines = np.sort(pair_cosines(vectors, rows[pairs[:, 0]], rows[pairs[:, 1]]))
    same = (
        None if synonyms is None else calibrate(synonyms, encoder=context.require_encoder(), progress=progress).cosines
    )
    return HierarchyThreshold(
        alpha=alpha,
        encoder=context.encoder_name,
        cosines=cosines,
        kinds={"parent_child": len(edges), "sibling": len(siblings)},
        synonyms=same,
        sampled=sampled,
    )


def _siblings(edges: NDArray[np.int64], rng: np.random.Generator) -> tuple[NDArray[np.int64], bool]:
    """List the pairs of different children of one parent, each once, or draw a million of them."""
    order = np.argsort(edges[:, 1], kind="stable")
    children, sizes = edges[order, 0], np.unique(edges[:, 1], return_counts=True)[1]
    begins, ends = np.cumsum(sizes) - sizes, np.cumsum(sizes * (sizes - 1) // 2)
    total = int(ends[-1])
    sampled = total > ALL_PAIRS
    drawn = np.unique(rng.integers(0, total, ALL_PAIRS)) if sampled else np.arange(total)
    parent = np.searchsorted(ends, drawn, side="right")
    within = drawn - (ends - sizes * (sizes - 1) // 2)[parent]
    # The pair (i, j), i < j, is the number j (j - 1) / 2 + i.
    second = ((1 + np.sqrt(1 + 8.0 * within)) // 2).astype(np.int64)
    first = within - second * (second - 1) // 2
    pairs = np.column_stack([children[begins[parent] + first], children[begins[parent] + second]])
    return np.unique(np.sort(pairs, axis=1), axis=0), sampled
