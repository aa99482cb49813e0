"""Whether this installation computes what it should, and whether measures suit a gold standard."""

from __future__ import annotations

import json
import math
import platform
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from typing import Any

import numpy as np

from goldassay.chance import SEPARATES, add_chance
from goldassay.core.chance import Chance
from goldassay.core.context import Context, Encoder
from goldassay.core.errors import EncoderError, GoldassayWarning, MissingDependencyError
from goldassay.core.family import Family
from goldassay.core.measure import Measure
from goldassay.core.model import Model
from goldassay.core.version import __version__
from goldassay.encoders import get_encoder
from goldassay.families import families, family

STEPS = (0.2, 0.4, 0.6, 0.8, 1.0)
DROPPED = (0.1, 0.3, 0.5, 0.7, 0.9)
"""What is dropped altogether is no prediction any more."""
SLACK = 0.01
"""How much a score may rise from one step to the next: noise is drawn, and may do good by chance."""
BARS = "▁▂▃▄▅▆▇█"
PACKAGES = ("numpy", "scipy", "polars", "pyoxigraph", "rapidfuzz", "onnxruntime", "tokenizers", "safetensors")
EXACT = 1e-12
ROW = 1e-4
"""How far a number of an encoder's row may lie from the pinned one: float32, and another machine's arithmetic."""


@dataclass(frozen=True, kw_only=True)
class Fitness:
    """How a measure takes one kind of change to gold.

    Attributes:
        measure: The measure as its spec.
        change: What was done to gold.
        steps: How much of it was changed, at each step; empty where there are no steps.
        values: The headline value of each step, or the only one.
        verdict: What that says of the measure.
        fit: Whether it is as it should be.
        worst: How far from the best value the measure's worst one lies; infinite where there is none.
        best: The best value.
    """

    measure: str
    change: str
    steps: tuple[float, ...] = ()
    values: tuple[float, ...]
    verdict: str
    fit: bool
    worst: float
    best: float

    @property
    def bars(self) -> str:
        """Draw the values as bars, the highest where a value is the best: those of rising noise after that of gold itself.

        Example:
            >>> Fitness(measure="m", change="drop", values=(0.9, 0.5, 0.0), verdict="", fit=True, worst=1.0, best=1.0).bars
            '▇▄▁'
        """
        apart = np.abs(np.array(self.values) - self.best)
        room = self.worst if np.isfinite(self.worst) else max(float(apart.max()), 1.0)
        heights = np.maximum(1 - apart / room, 0) * (len(BARS) - 1)
        return "".join(BARS[int(height)] for height in heights)


def fitness(
    family: Family[Any],
    gold: Model,
    measures: list[Measure[Any, Any]],
    *,
    context: Context,
    draws: int = 20,
    seed: int = 0,
) -> Iterator[Fitness]:
    """Return whether measures separate good from bad on a gold standard.

    Args:
        family: The family.
        gold: The gold standard.
        measures: The measures.
        context: The encoder.
        draws: Draws of each null model.
        seed: Where chance starts.

    Example:
        >>> from goldassay.families import family
        >>> from goldassay.graphs import Graph, Literal
        >>> gold = Graph.from_edges([(f"n{i}", f"n{i // 2}") for i in range(1, 30)])
        >>> found = list(fitness(family("taxonomy"), gold, [Literal()], context=Context()))
        >>> found[0].values, all(one.fit for one in found if one.change == "drop")
        ((1.0,), True)
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GoldassayWarning)
        for measure in measures:
            itself = measure.evaluate(pred=gold, gold=gold, context=context)
            value = itself.values[measure.headline]
            best = measure.best(measure.headline)
            perfect = bool(np.isclose(value, best))
            verdict = "as it should" if perfect else f"should be {best:g}"
            yield _report_found(measure, "itself", (value,), verdict, fit=perfect)
            for null in family.trust.nulls:
                if family.trust.null_of(measure, null) is None:
                    continue
                chance = Chance(null=null, draws=draws, seed=seed)
                (drawn,), _ = add_chance(family, [itself], pred=gold, gold=gold, context=context, chance=chance)
                if drawn.chance:
                    yield _check_chance(measure, null, drawn.chance.expected[measure.headline])
            for name in family.trust.noises:
                yield _check_noise(family, gold, measure, name, context=context, seed=seed)


def _check_chance(measure: Measure[Any, Any], null: str, expected: float) -> Fitness:
    """Judge what gold scores when a null model has taken something from it."""
    apart = abs(measure.best(measure.headline) - expected)
    fit = apart >= SEPARATES
    return _report_found(measure, null, (expected,), "separates" if fit else "does not separate", fit=fit)


def _check_noise(
    family: Family[Any], gold: Model, measure: Measure[Any, Any], name: str, *, context: Context, seed: int
) -> Fitness:
    steps = DROPPED if name == "drop" else STEPS
    values = []
    for share in steps:
        # The same seed at every step, so that a greater share changes the same items, and more.
        noisy = family.trust.noises[name](gold, share, np.random.default_rng(seed))
        score = measure.evaluate(pred=noisy, gold=gold, context=context)
        values.append(float(score.values[measure.headline]))
    best = measure.best(measure.headline)
    apart = np.abs(np.array([best, *values]) - best)
    if apart[-1] < SEPARATES:
        return _report_found(measure, name, tuple(values), "does not separate", fit=False, steps=steps)
    if (np.diff(apart) < -SLACK).any():
        return _report_found(measure, name, tuple(values), "rises again", fit=False, steps=steps)
    return _report_found(measure, name, tuple(values), "falls step by step", fit=True, steps=steps)


def _report_found(
    measure: Measure[Any, Any],
    change: str,
    values: tuple[float, ...],
    verdict: str,
    *,
    fit: bool,
    steps: tuple[float, ...] = (),
) -> Fitness:
    best = measure.best(measure.headline)
    worst = max(abs(best - bound) for bound in measure.values[measure.headline])
    return Fitness(
        measure=str(measure),
        change=change,
        steps=steps,
        values=values,
        verdict=verdict,
        fit=fit,
        worst=worst,
        best=best,
    )


@dataclass(frozen=True)
class Check:
    """One thing that was checked.

    Attributes:
        group: What kind of thing it is.
        name: What was checked.
        outcome: ``well``, ``differs`` or ``left out``.
        detail: What differs, or why it was left out.
    """

    group: str
    name: str
    outcome: str
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.outcome:<9} {self.group}: {self.name}" + (f": {self.detail}" if self.detail else "")


def check_installation() -> Iterator[Check]:
    """Check pinned numbers, laws and encoders, without network, one after another.

    Example:
        >>> all(check.outcome != "differs" for check in check_installation())
        True
    """
    pinned = json.loads(files("goldassay.selfcheck").joinpath("pinned.json").read_text(encoding="utf-8"))
    encoders, missing = _encoders(pinned["encoders"])
    yield from missing
    for name, encoder in encoders.items():
        yield _encoder_check(name, encoder, pinned["encoders"][name])
    for case in pinned["cases"]:
        yield _number_check(case, encoders)
    for kind, chosen in families().items():
        records = pinned["models"].get(kind)
        for measure in chosen.measures.classes if records else ():
            yield _law_check(measure(), _model(kind, records), encoders["hashing"])


def machine() -> dict[str, str]:
    """Return which machine and which versions these are."""
    found = {"goldassay": __version__, "python": sys.version.split()[0], "machine": platform.platform()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


def _encoders(pinned: dict[str, Any]) -> tuple[dict[str, Encoder], list[Check]]:
    """Load the encoders that are installed; what they encode here is never cached."""
    found, missing = {}, []
    for name in pinned:
        try:
            found[name] = get_encoder(name)
        except (EncoderError, MissingDependencyError) as error:
            missing.append(Check("encoder", name, "left out", error.message))
    return found, missing


def _encoder_check(name: str, encoder: Encoder, pinned: dict[str, Any]) -> Check:
    rows = encoder.encode(pinned["texts"])
    for text, row, known in zip(pinned["texts"], rows, pinned["rows"], strict=True):
        off = float(np.abs(row[: len(known)] - np.array(known)).max())
        if not off <= ROW:
            return Check("encoder", name, "differs", f"the row of {text!r} differs by {off:.2g} from the pinned one")
    if encoder.fingerprint != pinned["fingerprint"]:
        detail = f"fingerprint {encoder.fingerprint[:8]}, pinned {pinned['fingerprint'][:8]}; the rows are the same"
        return Check("encoder", name, "well", detail)
    return Check("encoder", name, "well")


def _number_check(case: dict[str, Any], encoders: dict[str, Encoder]) -> Check:
    """Score a small pair of models, and compare with the pinned values."""
    name = f"{case['measure']}, {case['source']}"
    encoder = encoders.get(case.get("encoder", "hashing"))
    if encoder is None:
        return Check("number", name, "left out", f"{case['encoder']} is not installed")
    kind = case["kind"]
    measure = family(kind).measures.parse(case["measure"])
    pred, gold = (_model(kind, case[side]) for side in ("pred", "gold"))
    try:
        values = _values(measure, pred, gold, encoder)
    except MissingDependencyError as error:
        return Check("number", name, "left out", error.message)
    wrong = [
        f"{value} is {values[value]!r}, pinned {known!r}"
        for value, known in case["values"].items()
        if not math.isclose(values[value], known, rel_tol=EXACT, abs_tol=case.get("within", EXACT))
    ]
    return Check("number", name, "differs" if wrong else "well", "; ".join(wrong))


def _law_check(measure: Measure[Any, Any], model: Any, encoder: Encoder) -> Check:
    """Check that a model scores against itself what the measure promises."""
    name = f"{measure} of a model against itself"
    try:
        values = _values(measure, model, model, encoder)
    except MissingDependencyError as error:
        return Check("law", name, "left out", error.message)
    wrong = [
        f"{value} is {values[value]!r}, not {best:g}"
        for value, best in measure.perfect.items()
        if not math.isclose(values[value], best, abs_tol=1e-9)
    ]
    return Check("law", name, "differs" if wrong else "well", "; ".join(wrong))


def _values(measure: Measure[Any, Any], pred: Any, gold: Any, encoder: Encoder) -> dict[str, float]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GoldassayWarning)
        score = measure.evaluate(pred=pred, gold=gold, context=Context(encoder=encoder))
    return dict(score.values)


def _model(kind: str, records: Any) -> Any:  # noqa: PLR0911 - one for each family
    """Build a model from what JSON can hold."""
    from goldassay.alignments import Alignment
    from goldassay.axioms import Axioms
    from goldassay.concepts.model import Mention, lay_out
    from goldassay.graphs import Graph
    from goldassay.labels import Labels
    from goldassay.triples import TripleSet
    from goldassay.unl import Texts, document_of

    match kind:
        case "taxonomy":
            return Graph.from_edges([(child, parent) for child, parent in records])
        case "axioms":
            return Axioms.from_rows(records)
        case "alignment":
            return Alignment.from_rows(records)
        case "concepts":
            # Some measures need ids and semantic types, and the others take them for texts.
            return lay_out(
                [(name, "", [Mention(one, one, one, kinds="T047") for one in some]) for name, some in records]
            )
        case "labels":
            return Labels.from_rows(records["labels"], edges=[(child, parent) for child, parent in records["edges"]])
        case "triples":
            return TripleSet.from_lists(records["triples"], texts=records["texts"])
        case "unl":
            return document_of(records)
        case _:
            return Texts(ids=tuple(records), wordings=tuple((text,) for text in records.values()))
