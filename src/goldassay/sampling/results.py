"""Estimates as a report, which every layout and the page show as they show any other."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from os import PathLike, fspath
from types import MappingProxyType
from typing import Any

import numpy as np

from goldassay.core.counts import Counts
from goldassay.core.errors import InputError, UsageError, unknown_choice_error
from goldassay.core.groups import Breakdown
from goldassay.core.labelled import Labelled
from goldassay.core.matching import NOTHING, Matching, Named, Side
from goldassay.core.measure import Score
from goldassay.core.model import Provenance
from goldassay.core.signature import Signature
from goldassay.core.significance import Difference, Interval, Resampling, holm, intervals
from goldassay.core.text import count_of
from goldassay.core.units import Units
from goldassay.core.version import __version__
from goldassay.report import Report
from goldassay.report.results import Comparison, Run
from goldassay.sampling.answers import Judge, read_judges, why_uneven
from goldassay.sampling.designs import DESIGNS, EXTREME, FEW_DRAWS, INTERVALS, Estimate, difference_of, interval_of
from goldassay.sampling.drawing import check_digests
from goldassay.sampling.estimates import (
    Ledger,
    Raters,
    Unsure,
    agreement_lines,
    alike_strata,
    design_effect,
    difference,
    ends_of,
    estimate_pooled,
    group_estimate,
    kind_of,
    label_of,
    labels_of_judge,
    precision_of,
    raters_of,
    right_of,
    settle_labels,
)
from goldassay.sampling.intervals import LEVEL
from goldassay.sampling.judges import Admission, assess, flips_of
from goldassay.sampling.plans import labels_for, likely_share
from goldassay.sampling.sample import DrawnItem, Paths, Sample, digest_of, files_of
from goldassay.sampling.special import Numbers
from goldassay.sampling.todo import Labels, load_design, read_labels

WIDTHS = (0.05, 0.02, 0.01)
BY = ("relation", "document", "stratum")
UNANSWERED: Mapping[str, float | None] = MappingProxyType({"wrong": 0.0, "unsure": 0.5, "leave-out": None})
"""What a verdict without an answer counts as: no, neither, or it is as if the judge had not been asked."""
MIDDLE = 0.5
ASKED = "ask it about all items alike, and leave out the rows that it was not asked about"


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Items(Provenance):
    """What was drawn from, or what was labelled: its size, and the words of the labelled items."""

    size: int
    names: tuple[str, ...] = ()

    def __len__(self) -> int:
        return self.size

    def item(self, row: int) -> str:
        """Return the words of a labelled item."""
        return self.names[row]


@dataclass(frozen=True, kw_only=True)
class EstimateOptions:
    """How labels become estimates."""

    interval: str | None = None  # the interval; None for that of the design
    level: float = LEVEL  # the level of all intervals
    unsure: Unsure = "leave-out"  # what an unsure label counts as
    unanswered: str = "wrong"  # what a verdict that is no answer, or does not know, counts as
    by: Sequence[str] = ()  # what estimates are split by
    seed: int = 0  # seed of what is resampled

    def __post_init__(self) -> None:
        if self.interval is not None and self.interval not in INTERVALS:
            raise unknown_choice_error("interval", self.interval, INTERVALS)
        for one in self.by:
            if one not in BY:
                raise unknown_choice_error("group", one, BY)


def estimate_file(
    todo: str | PathLike[str],
    preds: Paths = (),
    *,
    wanted: EstimateOptions | None = None,
    verdicts: Sequence[str | PathLike[str]] = (),
    sample: Sample | None = None,
) -> Report:
    """Estimate the precision of predictions from the labels of a table."""
    wanted = wanted or EstimateOptions()
    known = sample or load_design(todo)
    given = files_of(preds)
    check_digests(known, given)
    numbers: dict[Any, int] = {}
    for row, one in enumerate(known.inputs):
        # Files with the same content are found by their names.
        numbers |= {(one["path"], one["sha256"]): row, one["sha256"]: numbers.get(one["sha256"], row)}
    found = [(str(path), digest_of(path)) for path in given]
    systems = [numbers.get(one, numbers[one[1]]) for one in found] or list(range(len(known.inputs)))
    names = {row: one.get("name") or one["path"] for row, one in enumerate(known.inputs)}
    names |= {row: path.called for row, path in zip(systems, given, strict=False) if path.called}
    labels = read_labels(todo, known.items)
    return _Estimation(known, labels, wanted, fspath(todo), names).report(systems, verdicts)


@dataclass(frozen=True, eq=False)
class _Estimation:
    """One table of labels, and all that is estimated from it."""

    sample: Sample
    labels: Labels
    wanted: EstimateOptions
    path: str
    names: Mapping[int, str]

    @property
    def raters(self) -> Raters:
        """The answers of each rater."""
        return raters_of(self.labels.given)

    @property
    def ledger(self) -> Ledger:
        """The draws with a label each."""
        found = Ledger(sample=self.sample, labels=settle_labels(self.raters, self.wanted.unsure))
        if not found.draws:
            raise UsageError(
                "Nothing is labelled yet.",
                found=f"{len(self.labels.words):,} items without a label",
                expected="yes, no or unsure in the column label",
            )
        return found

    @property
    def exhaustive(self) -> bool:
        """Whether whole documents were labelled, and what was missed of them written down."""
        return self.sample.asked.design == "documents"

    def report(self, systems: Sequence[int], verdicts: Sequence[str | PathLike[str]]) -> Report:
        """Estimate everything."""
        ledger = self.ledger
        for name in ("interval", "by") if self.exhaustive else ():
            if getattr(self.wanted, name):
                raise UsageError(f"--{name} has no effect on whole documents.", hint=f"leave out --{name}")
        drawn = {one.cluster for one in self.sample.draws} if self.exhaustive else set()
        if elsewhere := [name for name, count in self.labels.missed.items() if count and name not in drawn]:
            raise InputError(
                "A missed item is of a document that was not drawn.", path=self.path, found=f"document {elsewhere[0]!r}",
                expected="the name of a drawn document in the column document",
                hint="leave the row out" if self.exhaustive else "--design documents draws whole documents, for recall",
            )  # fmt: skip
        judges = read_judges(self.sample, verdicts, UNANSWERED[self.wanted.unanswered])
        scores = {system: self._score(ledger, system) for system in systems}
        notes = list(self._notes(ledger, systems[0], scores))
        runs = []
        for system in systems:
            found = [self._admission(ledger, name, judge, system) for name, judge in judges.items()]
            notes += [one.line() if len(systems) == 1 else f"{self.names[system]}: {one.line()}" for one in found]
            powered = [self._estimate_powered(scores[system], one) for one in found if one.admitted]
            aside = [f"judge {one.judge} is set aside: {one.reason}; {ASKED}" for one in found if one.uneven]
            warnings = (*self._warnings(ledger, system), *aside)
            runs.append(Run(pred=self._model(system), scores=(scores[system], *powered), warnings=warnings))
        return Report(
            kind=self.sample.kind,
            item=self.sample.item,
            gold=self._labels_model(ledger, notes),
            runs=tuple(runs),
            comparisons=tuple(self._comparisons(ledger, systems, runs)),
        )

    def _admission(self, ledger: Ledger, name: str, judge: Judge, system: int) -> Admission:
        # Of several runs the first is used, and all show flips.
        given = labels_of_judge(ledger, judge.first, system, self.wanted.level)
        uneven = why_uneven(ledger, judge, system)
        return assess(name, **given, unanswered=judge.unanswered, flips=flips_of(judge.runs), uneven=uneven)

    def _model(self, system: int) -> Items:
        about = self.sample.inputs[system]
        return Items(
            path=self.names[system],
            format=about["format"] or "",
            left_out=about["left_out"],
            choices=about["choices"],
            size=about["items"],
        )

    def _labels_model(self, ledger: Ledger, notes: Sequence[str]) -> Items:
        asked = self.sample.asked
        choices = {"design": _design(self.sample), "seed": str(asked.seed)}
        left = {"not_labelled": self.unlabelled, "unsure": self.unsure if self.wanted.unsure == "leave-out" else 0}
        return Items(
            path=self.path,
            format="labels",
            size=len(ledger.labels),
            # A plan of a difference allows for how many items there are to label.
            facts={} if self.exhaustive or len(self.sample.inputs) == 1 else {"pool": int(ledger.population.sum())},
            choices=choices,
            notes=tuple(notes),
            left_out={name: count for name, count in left.items() if count},
            names=tuple(self.labels.words.get(name, name) for name in ledger.labels),
        )

    @property
    def unsure(self) -> int:
        """How many labelled items no majority calls right or wrong."""
        return len(self.raters.ids) - len(settle_labels(self.raters, "leave-out"))

    @property
    def unlabelled(self) -> int:
        """How many drawn items have no answer."""
        return len(self.sample.items) - len(self.raters.ids)

    def _score(self, ledger: Ledger, system: int) -> Score:
        if self.exhaustive:
            return self._of_documents(ledger, system)
        found, level, pool = precision_of(ledger, system), self.wanted.level, len(self.sample.inputs) > 1
        kind = kind_of(ledger, system, self.wanted.interval)
        size = self.sample.sizes[system]
        counts = {"hit_pred": found.value * size, "n_pred": size}
        values = {"precision": found.value}
        ends = {"precision": Interval(*ends_of(ledger, system, found, kind, level))}
        if pool:
            counts |= {"hit_gold": counts["hit_pred"], "n_gold": right_of(ledger)}
            pooled = zip(("pooled_recall", "pooled_f1"), estimate_pooled(ledger, system), strict=True)
            known = {name: one for name, one in pooled if not math.isnan(one.value)}
            values |= {name: one.value for name, one in known.items()}
            ends |= {name: Interval(*interval_of(one, "wilson", level)) for name, one in known.items()}
        measure = Labelled(
            design=self.sample.asked.design, interval=self.wanted.interval or "", of="pool" if pool else "precision"
        )
        units = _units(ledger, system, counts)
        score = self._made(measure, Counts(counts), ledger, system, kind, intervals=ends, units=units)
        # Counts are estimates, whose ratio is rounded.
        score = replace(score, values={**score.values, **values})
        return replace(score, breakdowns=tuple(self._breakdown(ledger, system, one, kind) for one in self.wanted.by))

    def _made(
        self, measure: Labelled, counts: Counts, ledger: Ledger, system: int, interval: str, **more: Any
    ) -> Score:
        """Divide counts into a score whose evidence is the labelled items."""
        labelled = [name for name in ledger.labels if system in self.sample.items[name].systems]
        hits = np.array([ledger.labels[name] > 0 for name in labelled], dtype=np.bool_)
        matching: Matching[Any] = Matching(
            pred=Side.of_hits(hits),
            gold=Side.of_hits(np.zeros(0, dtype=np.bool_)),
            pred_items=Named([self.labels.words.get(name, name) for name in labelled]),
            gold_items=NOTHING,
        )
        return Score(
            measure=measure,
            values=measure.divide_counts(counts),
            counts=counts,
            matching=matching,
            signature=self._signature(measure, len(labelled), system, interval),
            resampling=Resampling(level=self.wanted.level, seed=self.wanted.seed),
            **more,
        )

    def _signature(self, measure: Labelled, labelled: int, system: int, interval: str) -> Signature:
        unsure = len(self.labels.given) - sum(one.value is not None for one in self.labels.given)
        raters = len(self.raters.names)
        fields = {
            "drawn": f"{_design(self.sample)},seed={self.sample.asked.seed}",
            "labels": str(labelled),
            **({"raters": f"{raters},majority"} if raters > 1 else {}),
            "unsure": f"{self.wanted.unsure}({unsure})",
            "pred": str(self.sample.inputs[system]["items"]),
            "interval": interval,
            "level": f"{self.wanted.level:g}",
            "goldassay": __version__,
        }
        return Signature(str(measure), fields)

    def _breakdown(self, ledger: Ledger, system: int, by: str, kind: str) -> Breakdown:
        """Estimate the precision of each group that has a label."""
        items, strata = self.sample.items, self.sample.strata

        def group(item: DrawnItem) -> str:
            return strata[item.stratum].name if by == "stratum" else item.groups.get(by, "")

        def is_of(one: str, item: DrawnItem) -> bool:
            return group(item) == one and system in item.systems

        counts = Counter(group(items[name]) for name in ledger.labels if system in items[name].systems)
        if set(counts) == {""}:
            has = {name for item in items.values() for name, one in item.groups.items() if one}
            others = [one for one in BY if one in has or (one == "stratum" and len(strata) > 1)]
            hint = "" if others else "leave out --by"
            raise UsageError(f"The items have no {by}.", found=f"--by {by}", expected=", ".join(others), hint=hint)
        groups = [name for name, _ in sorted(counts.items(), key=lambda one: (-one[1], one[0]))]
        inside = ledger.members(system)
        estimates = [
            group_estimate(
                ledger,
                system,
                partial(is_of, one),
                inside * [each.name == one for each in strata] if by == "stratum" else None,
            )
            for one in groups
        ]
        found = [one for one, _ in estimates]
        of = np.array([one.value for one in found])
        sizes = np.array([share for _, share in estimates]) * self.sample.sizes[system]
        labelled = np.array([float(counts[one]) for one in groups])
        known = {each.name: each.items for each in strata} if by == "stratum" else {}
        ends = tuple(
            {"precision": Interval(*_ends_of_group(one, count, kind, self.wanted.level, known.get(name)))}
            for name, one, count in zip(groups, found, labelled.tolist(), strict=True)
        )
        return Breakdown(
            by=by,
            groups=tuple(groups),
            values={"precision": of},
            counts={"hit_pred": np.round(of * sizes, 9), "n_pred": np.round(sizes, 9)},
            intervals=ends,
        )

    def _of_documents(self, ledger: Ledger, system: int) -> Score:
        """Estimate precision, recall and F1 by ratios over documents, whose intervals resample documents."""
        drawn = self.sample.draws
        missing = [name for one in drawn for name in one.items if name not in ledger.labels]
        if missing:
            raise UsageError(
                "A document is only partly labelled, so its recall is unknown.",
                found=f"item {missing[0]} and {len(missing) - 1:,} more without yes or no",
                hint="label all its items; --unsure wrong counts unsure ones",
            )
        unseen = [str(one.cluster) for one in drawn if not one.items and one.cluster not in self.labels.missed]
        if unseen:
            raise UsageError(
                "A document without predicted items has no answer, so its recall is unknown.",
                found=f"document {unseen[0]} and {len(unseen) - 1:,} more",
                expected="missed for each right item of it, or no if there is none",
                hint="its row has no id",
            )
        items, labels = self.sample.items, ledger.labels
        rows = []
        for one in drawn:
            own = [name for name in one.items if system in items[name].systems]
            right = sum(labels[name] for name in own)
            missed = self.labels.missed.get(str(one.cluster), 0)
            every = sum(labels[name] for name in one.items) + missed
            rows.append((right, float(len(own)), right, every))
        names = ("hit_pred", "n_pred", "hit_gold", "n_gold")
        units = Units.of(
            "document", [str(one.cluster) for one in drawn], Counts(dict(zip(names, np.array(rows).T, strict=True)))
        )
        measure = Labelled(design="documents", of="documents")
        counts = Counts({name: float(column.sum()) for name, column in units.counts.items()})
        drawing = Resampling(level=self.wanted.level, seed=self.wanted.seed)
        found = narrow_intervals(
            intervals(units, measure.divide_drawn, drawing),
            measure.divide_counts(counts),
            len(drawn),
            self.sample.documents,
        )
        return self._made(measure, counts, ledger, system, "bca", intervals=found, units=units)

    def _estimate_powered(self, plain: Score, admission: Admission) -> Score:
        """Make the score that an admitted judge sharpens."""
        measure = Labelled(design=self.sample.asked.design, judge=admission.judge)
        size, found = plain.counts["n_pred"], admission.powered
        ends = {"precision": Interval(*interval_of(found, "wilson", self.wanted.level))}
        counts = Counts({"hit_pred": min(max(found.value, 0.0), 1.0) * size, "n_pred": size})
        signature = replace(plain.signature, measure=str(measure)).with_field("interval", "wilson")
        signature = signature.with_field("unanswered", self.wanted.unanswered)
        return replace(
            plain,
            measure=measure,
            values=measure.divide_counts(counts),
            counts=counts,
            intervals=ends,
            signature=signature,
            units=None,
            breakdowns=(),
        )

    def _comparisons(self, ledger: Ledger, systems: Sequence[int], runs: Sequence[Run]) -> Iterator[Comparison]:
        """Test each prediction against the first, on the same labels."""
        if self.exhaustive or len(systems) == 1:
            return
        found = [difference(ledger, system, systems[0]) for system in systems[1:]]
        tested = [difference_of(one, self.wanted.level) for one in found]
        adjusted = holm([p for _, _, p in tested])
        for row, (one, (low, high, _), p_holm) in enumerate(zip(found, tested, adjusted, strict=True), start=1):
            yield Comparison(
                run=row,
                against=0,
                measure=runs[row].scores[0].spec,
                value="precision",
                difference=Difference(
                    difference=one.value, interval=Interval(low, high), p_randomisation=math.nan, p_bootstrap=math.nan
                ),
                p_holm=p_holm,
            )

    def _warnings(self, ledger: Ledger, system: int) -> Iterator[str]:
        """Warn where an interval is likely to be too narrow, and of labels that say nothing."""
        draws = len(self.sample.draws if self.exhaustive else ledger.draws)
        if self.exhaustive and not any(self.labels.missed.values()):
            yield f"no right item is labelled missed in {count_of(draws, 'document')}, so that recall is 1: were they searched, those without predicted items, too?"
        if ledger.clustered and draws < FEW_DRAWS and not (self.exhaustive and draws == self.sample.documents):
            yield f"only {count_of(draws, 'document' if self.exhaustive else 'cluster')} {'is' if draws == 1 else 'are'} drawn: with fewer than {FEW_DRAWS} an interval is likely to be too narrow"
        if not self.exhaustive:
            yield from self._unfit(ledger, system)
        if self.unsure and self.wanted.unsure == "leave-out":
            are, were = ("is", "it was") if self.unsure == 1 else ("are", "they were")
            yield f"{self.unsure:,} of {self.unsure + len(ledger.labels):,} items {are} unsure, or raters are divided, and left out, as if {were} as often right as the others: --unsure wrong and --unsure right give the bounds"
        if self.unlabelled:
            yield f"{self.unlabelled:,} of {len(self.sample.items):,} drawn items {'has' if self.unlabelled == 1 else 'have'} no label: that is fine if the file was labelled in its order"

    def _unfit(self, ledger: Ledger, system: int) -> Iterator[str]:
        """Warn where an interval holds the truth more or less often than its level says, as simulations show."""
        share = precision_of(ledger, system).value
        if not EXTREME > share > 1 - EXTREME:
            seldom = "wrong" if share > MIDDLE else "right"
            width = "wider than it needs to be" if self.wanted.interval in (None, "mid_p") else "too narrow"
            yield f"precision {share:.4f} rests on few {seldom} items: the interval is likely to be {width}"
        alike = alike_strata(ledger, system)
        if DESIGNS[self.sample.asked.design].stratified and alike:
            yield f"in {alike:,} of {np.count_nonzero(ledger.members(system)):,} strata all labels are alike: the interval allows for one that is not, and is likely to be wider than it needs to be"

    def _notes(self, ledger: Ledger, first: int, scores: Mapping[int, Score]) -> Iterator[str]:
        """Return what the labels were worth, how many are still needed, and how far raters agree."""
        if not self.exhaustive:
            for system in scores:
                found = precision_of(ledger, system)
                used = len([name for name in ledger.labels if system in self.sample.items[name].systems])
                size = self.sample.sizes[system]
                effect = design_effect(found, used, size)
                share = likely_share(found.value, used)
                needed = [
                    max(labels_for(width, share, self.wanted.level, population=size, effect=effect) - used, 0)
                    for width in WIDTHS
                ]
                described = ", ".join(
                    f"{count:,} for +-{100 * width:g} points" for count, width in zip(needed, WIDTHS, strict=True)
                )
                yield f"{self.names[system]}: {count_of(used, 'label')} used, design effect {effect:.2f}; labels still needed: {described}"

        def without(raters: Raters) -> float:
            labels = settle_labels(raters, self.wanted.unsure)
            try:
                return precision_of(Ledger(sample=self.sample, labels=labels), first).value if labels else math.nan
            except UsageError:
                return math.nan

        yield from agreement_lines(self.raters, None if self.exhaustive else without)


def narrow_intervals(
    found: Mapping[str, Interval], values: Mapping[str, float], drawn: int, documents: int
) -> dict[str, Interval]:
    """Narrow intervals that resample documents as if they were drawn with replacement: they are drawn without."""
    # The variance of a mean of drawn documents is then smaller by the share that is drawn, and so is that of a ratio of
    # two means by its linear terms. So the ends are nearer to the value by the root of what is left, and with all
    # documents the value is known exactly.
    # Source: W. Cochran, Sampling Techniques (1977), sections 2.6 and 6.4.
    if drawn == documents:
        return {name: Interval(value, value) for name, value in values.items() if not math.isnan(value)}
    nearer = math.sqrt(max(1 - drawn / documents, 0.0)) if documents else 1.0
    return {
        name: Interval(
            values[name] + nearer * (one.low - values[name]), values[name] + nearer * (one.high - values[name])
        )
        for name, one in found.items()
    }


def _ends_of_group(found: Estimate, labelled: float, kind: str, level: float, size: int | None) -> tuple[float, float]:
    from goldassay.sampling.intervals import mid_p

    if kind == "mid_p" and (size is not None or found.effective < math.inf):
        # Within a simple sample those of a group are a simple sample of the group, whose size is known of a stratum only.
        return mid_p(round(found.value * labelled), round(labelled), size, level)
    return interval_of(found, "wilson", level)


def _units(ledger: Ledger, system: int, counts: Mapping[str, float]) -> Units:
    """Split counts over draws, for plans that take them as a pilot: what a draw changes is what it is apart from its stratum."""
    values, strata = ledger.means(label_of), ledger.strata
    each = np.maximum(np.bincount(strata, minlength=len(ledger.population)), 1)
    means = np.bincount(strata, weights=values, minlength=len(each)) / each

    def spread(weights: Numbers) -> Numbers:
        return (weights @ means) / len(values) + (weights / each)[strata] * (values - means[strata])

    own = counts["n_pred"] * spread(ledger.members(system))
    found = {"hit_pred": own, "n_pred": np.full(len(values), counts["n_pred"] / len(values))}
    if "n_gold" in counts:
        found |= {"hit_gold": own, "n_gold": spread(ledger.population)}
    items = ledger.sample.items
    names = [one.cluster if ledger.clustered else items[one.items[0]].key for one in ledger.draws]
    return Units.of("cluster" if ledger.clustered else "item", list(map(str, names)), Counts(found))


def _design(sample: Sample) -> str:
    asked = sample.asked
    if sample.assumed:
        return "simple (assumed: the labels have no design)"
    inside = [
        asked.strata or "",
        asked.clusters or "",
        f"at most {asked.per_cluster} each" if "clusters" in asked.design else "",
    ]
    described = ", ".join(one for one in inside if one)
    pool = f", pool of {len(sample.inputs)}" if len(sample.inputs) > 1 else ""
    return f"{asked.design}{f' ({described})' if described else ''}{pool}"
