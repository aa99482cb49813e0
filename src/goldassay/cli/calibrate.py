"""``goldassay calibrate``: the threshold for an encoder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import typer

from goldassay.cli import screen
from goldassay.cli.flags import expand_parameters, names_in, refuse_others
from goldassay.cli.groups import Encoding
from goldassay.cli.screen import say
from goldassay.core.parameters import parameter
from goldassay.core.text import json_text, list_counts
from goldassay.formats.options import OnError

if TYPE_CHECKING:
    from goldassay.core.context import Encoder
    from goldassay.graphs.calibration import Calibration, ChanceThreshold, HierarchyThreshold, SynonymPairs

BAR = 50

PairsPath = Annotated[
    str | None,
    typer.Argument(
        metavar="PAIRS",
        help="A table with two columns of synonyms; with --against-chance a prediction.",
        show_default=False,
    ),
]


@dataclass(frozen=True, kw_only=True)
class CalibrationOptions:
    """What is looked for, and where."""

    panel: ClassVar[str | None] = None

    ontology: str | None = parameter(
        None,
        metavar="FILE",
        flag="--from",
        help="Take the pairs from the exact synonyms of an ontology, a terminology or a table of names.",
    )
    against_chance: float | None = parameter(
        None,
        metavar="ALPHA",
        help="Find the threshold that this share of random pairs of texts of a prediction and of gold exceeds.",
    )
    gold: str | None = parameter(None, metavar="FILE", flag="--gold -g", help="Gold standard of --against-chance.")
    negatives: Literal["hierarchy"] | None = parameter(
        None,
        help="Find the threshold that 5% of the hard pairs of a gold standard (child and parent, siblings) exceed.",
    )
    language: str = parameter("en", metavar="TAG", help="Preferred language of labels.")
    layout: Literal["text", "json"] = parameter("text", flag="--format", help="Format of the findings.")
    on_error: OnError = parameter("stop", help="Whether to stop at a bad record, or to skip and count it.")
    quiet: bool = parameter(False, flag="--quiet -q", help="Hide progress.")


@expand_parameters
def calibrate(path: PairsPath = None, *, asked: CalibrationOptions, encoding: Encoding) -> None:
    """Find the threshold for an encoder, from pairs of synonyms or against chance."""
    from goldassay.encoders.measure import BY_CHANCE
    from goldassay.graphs import Fuzzy
    from goldassay.graphs.calibration import calibrate as measure

    used = encoding.load_for([Fuzzy()])
    if asked.negatives:
        used_here = _usual() | {"path", "negatives"}
        refuse_others("--negatives", used_here, hint="goldassay calibrate GOLD --negatives hierarchy")
        _say(hierarchy_lines, _calibrate_by_hierarchy(path, asked, encoder=used), asked)
        return
    if asked.against_chance is not None or asked.gold:
        refuse_others("--against-chance", _usual() | {"path", "against_chance", "gold"}, hint=BY_CHANCE)
        _say(chance_lines, _calibrate_by_chance(path, asked, encoder=used), asked)
        return
    if path and not asked.ontology:
        refuse_others("a table of pairs", _usual() - {"language"} | {"path"})
    pairs = read_pairs_of(path, asked.ontology, asked.language, asked.on_error)
    with screen.progress_bar(quiet=asked.quiet) as progress:
        found = measure(pairs, encoder=used, progress=progress)
    _say(_lines, found, asked)


def _say(lines: Callable[[Any], Iterable[str]], found: Any, asked: CalibrationOptions) -> None:
    """Print what was found in the layout that was asked for."""
    say(json_text(found.to_dict(), indent=2) if asked.layout == "json" else "\n".join(lines(found)))


def _usual() -> set[str]:
    return {"language", "layout", "on_error", "quiet", *names_in(Encoding)}


def read_pairs_of(path: str | None, ontology: str | None, language: str, on_error: OnError) -> SynonymPairs:
    """Read the pairs from the given source."""
    from goldassay.concepts.formats.read_names import name_pairs
    from goldassay.concepts.formats.terminologies import is_terminology
    from goldassay.core.errors import UsageError, name_file
    from goldassay.formats import TRIPLES, load, recognise
    from goldassay.graphs.calibration import read_pairs, synonym_pairs

    if path and not ontology:
        return read_pairs(path, on_error=on_error)
    if ontology and not path:
        with name_file(ontology):
            if is_terminology(ontology):
                return name_pairs(ontology, language=language, on_error=on_error)
            source = load(ontology)
            if recognise(source) in TRIPLES:
                return synonym_pairs(source, language=language)
            return name_pairs(source, language=language, on_error=on_error)
    raise UsageError(
        "Two sources of pairs are given." if path else "There are no pairs.",
        expected="a table of pairs, or --from and an ontology",
        hint="goldassay calibrate PAIRS.tsv",
    )


def _calibrate_by_chance(pred: str | None, asked: CalibrationOptions, *, encoder: str | Encoder) -> ChanceThreshold:
    from goldassay.core.errors import UsageError
    from goldassay.encoders.measure import BY_CHANCE
    from goldassay.graphs import GraphReading, read_graph
    from goldassay.graphs.calibration import threshold_against_chance

    if not pred or not asked.gold or asked.against_chance is None:
        raise UsageError(
            "A threshold against chance needs two vocabularies.",
            expected="a prediction, --gold and --against-chance",
            hint=BY_CHANCE,
        )
    reading = GraphReading(language=asked.language, on_error=asked.on_error)
    with screen.progress_bar(quiet=asked.quiet) as progress:
        here, there = (read_graph(side, reading) for side in (pred, asked.gold))
        return threshold_against_chance(here, there, alpha=asked.against_chance, encoder=encoder, progress=progress)


def _calibrate_by_hierarchy(
    path: str | None, asked: CalibrationOptions, *, encoder: str | Encoder
) -> HierarchyThreshold:
    from goldassay.core.errors import InputError, UsageError
    from goldassay.graphs import GraphReading, read_graph
    from goldassay.graphs.calibration import synonym_pairs, threshold_against_hierarchy

    if not path:
        raise UsageError("The gold standard is missing.", expected="goldassay calibrate GOLD --negatives hierarchy")
    gold = read_graph(path, GraphReading(language=asked.language, on_error=asked.on_error))
    try:
        synonyms = synonym_pairs(path, language=asked.language)
    except InputError:
        synonyms = None  # A table of edges has none.
    with screen.progress_bar(quiet=asked.quiet) as progress:
        return threshold_against_hierarchy(gold, synonyms=synonyms, encoder=encoder, progress=progress)


def _threshold_lines(
    pairs: str, found: ChanceThreshold | HierarchyThreshold, line: Callable[[float], str]
) -> Iterator[str]:
    """Write a threshold for a person: the pairs, the encoder, and what the threshold does next to the usual one."""
    from goldassay.encoders.measure import WORDNET_THRESHOLD

    yield from (pairs, f"encoder {found.encoder}", "")
    yield from (line(found.threshold), line(WORDNET_THRESHOLD), "", f"-m '{found.spec}'")


def hierarchy_lines(found: HierarchyThreshold) -> Iterator[str]:
    """Write a threshold against related texts for a person."""

    def line(threshold: float) -> str:
        share = found.passing(threshold)
        synonyms = "an unknown share" if share is None else f"{share:.2%}"
        return f"threshold {threshold:g}: {found.accepted(threshold):.2%} of related pairs exceed it, and {synonyms} of synonyms"

    kinds = " and ".join(f"{count:,} {name.replace('_', '-')}" for name, count in found.kinds.items())
    synonyms = "no synonyms" if found.synonyms is None else f"{len(found.synonyms):,} pairs of synonyms"
    pairs = f"{kinds} pairs of gold{' (a sample)' if found.sampled else ''}; {synonyms}"
    return _threshold_lines(pairs, found, line)


def chance_lines(found: ChanceThreshold) -> Iterator[str]:
    """Write a threshold against chance for a person."""
    pairs = f"{len(found.cosines):,} {'random ' if found.sampled else ''}pairs of different texts"
    return _threshold_lines(
        f"{found.texts[0]:,} texts of the prediction and {found.texts[1]:,} of gold: {pairs}",
        found,
        lambda threshold: f"threshold {threshold:g}: {found.share_above(threshold):.2%} of random pairs exceed it",
    )


def _lines(found: Calibration) -> Iterator[str]:
    left_out = list_counts(found.pairs.left_out)
    yield f"{found.pairs.path}: {len(found.pairs):,} pairs" + (f"; left out: {left_out}" if left_out else "")
    yield from (f"note: {note}" for note in found.pairs.notes)
    yield from (f"! {line}" for line in found.pairs.warnings)
    yield f"encoder {found.encoder}"
    low, high = found.interval()
    yield f"\nmean    {found.mean:.5f}   (95% bootstrap interval {low:.5f} to {high:.5f}, over pairs)"
    yield f"median  {found.median:.5f}"
    yield "".join(f"{f'{share:.0%}':>8}" for share in found.quantiles())
    yield "".join(f"{value:>8.4f}" for value in found.quantiles().values())
    yield ""
    yield from _picture(found)
    yield f"\n-m '{found.spec}'"


def _picture(found: Calibration) -> Iterator[str]:
    """Draw the histogram, one bar per line, with the mean marked."""
    counts, edges = found.histogram()
    for bar, count in enumerate(counts.tolist()):
        mean = " <- mean" if edges[bar] <= found.mean < edges[bar + 1] else ""
        yield f"{round(edges[bar], 2) + 0.0:>6.2f} {'█' * round(BAR * count / max(counts.max(), 1))} {count:,}{mean}"
