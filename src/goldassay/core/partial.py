"""Partial gold: what gold cannot judge is not counted, but counted as left out, and bounded.

A gold standard is seldom complete. Four things say what it can judge, in this order: the *scope* that it covers, *ignored* items
that count on neither side, *judged* items that were looked at, and its *completeness*. What is left of both models is scored
as if there were nothing else, so that no measure knows of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from goldassay.core.counts import Counts
from goldassay.core.errors import UsageError, unknown_choice_error
from goldassay.core.intern import TextColumn
from goldassay.core.model import Model
from goldassay.core.significance import Interval

if TYPE_CHECKING:
    from goldassay.core.context import Context
    from goldassay.core.matching import Matching
    from goldassay.core.measure import Score

ModelType = TypeVar("ModelType", bound=Model)
Completeness = Literal["complete", "source", "target", "partial", "judged"]
SHOWN = 80
"""Characters of a name in a message."""
COMPLETENESS: tuple[Completeness, ...] = get_args(Completeness)
ENDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"complete": (), "source": ("source",), "target": ("target",), "partial": ("source", "target"), "judged": ()}
)
"""Of a predicted item, which of its ends gold must have for gold to judge it."""


def has_items(model: Any) -> bool:
    """Return the default: a model is a list of items."""
    del model
    return True


def judge_every_item(model: Any) -> NDArray[np.bool_]:
    """Return the default: gold can judge all items."""
    return np.ones(len(model), dtype=np.bool_)


def name_no_items(model: Any) -> list[str]:
    """Name no items: the default."""
    del model
    return []


@dataclass(frozen=True, eq=False, kw_only=True)
class Restriction(Generic[ModelType]):
    """How models of a family are restricted to some of their items."""

    keys: Callable[[ModelType], Sequence[str]]  # what makes items of two models the same, one a row
    take: Callable[[ModelType, NDArray[np.bool_]], ModelType]  # keeps some items, by a mask of shape (items,)
    names: Callable[[ModelType], Iterable[str]]  # all names of a model that a scope may name
    within: Callable[[ModelType, frozenset[str]], ModelType]  # keeps what lies in a scope of such names
    # the document, instance, sentence or test case of each item; empty if items have none
    units: Callable[[ModelType], Sequence[str]] = name_no_items
    # the documents, instances or test cases that a model names, those without items too; empty if all have some
    stated: Callable[[ModelType], Sequence[str]] = name_no_items
    # the `source` and the `target` of each item, as completeness knows them; empty if items have no ends
    ends: Mapping[str, Callable[[ModelType], Sequence[str]]] = field(default_factory=dict)
    # the columns of texts from which the names of ends are made; none if items have no ends
    texts: Callable[[ModelType], Sequence[TextColumn]] = name_no_items
    # the keys of what gold says is wrong: they are judged, too
    denied: Callable[[ModelType], Sequence[str]] = name_no_items
    # whether a model is a list of items that can be judged one by one, and no ranking of candidates
    listed: Callable[[ModelType], bool] = has_items
    # names what gold has below a name, that name included; empty if gold has no such name. None where there is no below
    branch: Callable[[ModelType, str], frozenset[str]] | None = None
    # what a model has besides items and names, by field, as an empty model has it
    others: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False, kw_only=True)
class PartialGold:
    """What a gold standard can judge."""

    judged: frozenset[str] | None = None  # keys of the judged items; None if they are not known
    ignore: frozenset[str] | None = None  # keys of the items that count on neither side; None for none
    scope: frozenset[str] | None = None  # the names that gold covers; None for all
    # which predicted items gold can judge: all (`complete`), those whose `source` it has, whose `target` it has, one of
    # both (`partial`), or only those that it has itself (`judged`)
    completeness: Completeness = "complete"

    def __post_init__(self) -> None:
        if self.completeness not in COMPLETENESS:
            raise unknown_choice_error("completeness", self.completeness, COMPLETENESS)

    def __bool__(self) -> bool:
        listed = self.judged is not None or self.ignore is not None or self.scope is not None
        return listed or self.completeness != "complete"

    @property
    def judges_all(self) -> bool:
        """Whether no prediction within the scope is left out."""
        return self.judged is None and self.completeness == "complete"

    @property
    def choices(self) -> dict[str, str]:
        """What the signature says of it: digests of the items, and the completeness."""
        digests = {name: _digest(keys) for name, keys in self._files.items() if keys is not None}
        return digests if self.completeness == "complete" else {**digests, "completeness": self.completeness}

    @property
    def _files(self) -> dict[str, frozenset[str] | None]:
        return {"judged": self.judged, "ignore": self.ignore, "scope": self.scope}


@dataclass(eq=False)
class PartialGoldUse:
    """What was found of the items and names that a `PartialGold` lists, over all predictions."""

    partial: PartialGold
    matched: dict[str, set[str]] = field(default_factory=dict)

    def add(self, word: str, wanted: frozenset[str] | None, known: Iterable[str]) -> None:
        """Note what a model has of a list."""
        if wanted is not None:
            self.matched.setdefault(word, set()).update(wanted.intersection(known))

    def unknown(self) -> Iterator[str]:
        """Return for each list how many of its items no model has."""
        for word, wanted in (
            ("judged", self.partial.judged),
            ("ignore", self.partial.ignore),
            ("scope", self.partial.scope),
        ):
            if wanted is None:
                continue
            if not wanted:
                yield f"--{word} lists nothing"
                continue
            strangers = wanted - self.matched.get(word, set())
            what = "names" if word == "scope" else "items"
            count = f"{len(wanted):,} {what if len(wanted) > 1 else what[:-1]}"
            shown = ", ".join(repr(one.replace("\t", " | ")[:SHOWN]) for one in sorted(strangers)[:3])
            if strangers == wanted and word != "ignore":
                raise UsageError(
                    f"Neither the predictions nor gold have any of the {what} of --{word}.",
                    found=count + (f": {shown}" if shown else ""),
                    expected=f"{what} as the predictions and gold have them",
                )
            if strangers:
                yield (
                    f"--{word}: {len(strangers):,} of {count} {'is' if len(strangers) == 1 else 'are'} in no prediction and not in gold, "
                    f"for example {shown}"
                )


@dataclass(frozen=True, eq=False, kw_only=True)
class RestrictedPrediction(Generic[ModelType]):
    """A prediction as far as gold can judge it."""

    pred: ModelType
    gold: ModelType
    whole: ModelType  # the prediction with what gold cannot judge; the same as `pred` if it can judge all
    # says of each item of a model like `whole` whether gold can judge it, by its key; bool, shape (items,)
    judged: Callable[[ModelType], NDArray[np.bool_]] = judge_every_item

    def warnings(self) -> Iterator[str]:
        """Return the warning that nothing is left of a side."""
        for side, model in (("the prediction", self.pred), ("gold", self.gold)):
            if not len(model) and any(model.left_out.get(reason) for reason in REASONS):
                yield f"nothing is left of {side}: all its items are out of scope, ignored or unjudged"


REASONS = ("out_of_scope", "ignored", "unjudged")


def restrict_scope(hook: Restriction[ModelType], model: ModelType, use: PartialGoldUse) -> ModelType:
    """Leave out of a model what lies out of scope, and what is ignored."""
    model = _drop_ignored(hook, _keep_scope(hook, model, use), use)
    return replace(model, choices={**model.choices, **use.partial.choices})  # type: ignore[type-var]


def empty_model(hook: Restriction[ModelType], gold: ModelType) -> ModelType:
    """Make an empty prediction: a model without items, read as gold is."""
    none = hook.within(hook.take(gold, np.zeros(len(gold), dtype=np.bool_)), frozenset())
    # Models of other packages may have no warnings.
    empty = {name: () for name in ("notes", "warnings") if hasattr(none, name)}
    return replace(none, format="empty", left_out={}, facts={}, **empty, **hook.others)  # type: ignore[type-var]


def restrict_prediction(
    hook: Restriction[ModelType], pred: ModelType, gold: ModelType, use: PartialGoldUse
) -> RestrictedPrediction[ModelType]:
    """Leave out of a prediction what gold cannot judge."""
    if not hook.listed(pred) and (use.partial.scope is not None or not use.partial.judges_all):
        raise UsageError(
            "The prediction is a ranking; the items of rankings cannot be judged one by one.",
            path=pred.path,
            expected="only items to ignore",
            hint="--ignore FILE",
        )
    whole = restrict_scope(hook, pred, use)
    if use.partial.judges_all:
        return RestrictedPrediction(pred=whole, gold=gold, whole=whole)
    judged = _find_judged(hook, whole, gold, use)
    kept = _keep_counted(hook.take(whole, judged), "unjudged", int((~judged).sum()))
    known = {key for key, some in zip(hook.keys(whole), judged.tolist(), strict=True) if some}

    def is_judged(model: ModelType) -> NDArray[np.bool_]:
        return np.array([key in known for key in hook.keys(model)], dtype=np.bool_)

    return RestrictedPrediction(pred=kept, gold=gold, whole=whole, judged=is_judged)


def add_bounds(score: Score, part: RestrictedPrediction[Any], context: Context) -> Score:
    """Return what precision would be if all unjudged items were wrong, and if all were right."""
    # The measure counts the whole prediction once more. If precision is a ratio of sums, what this adds to its
    # denominator is unjudged. If it is a mean over documents, the unjudged items get no credit, and then full credit. A
    # measure whose precision is neither, or that counts something else than items, such as nodes, has no bounds.
    # Of measures that count something else than items, such as nodes, it is unknown what unjudged items would add.
    fits = isinstance(score.matching.pred_items, type(part.pred))
    if len(part.whole) == len(part.pred) or not fits or "precision" not in score.values:
        return score
    matching = score.measure.match(pred=part.whole, gold=part.gold, context=context)
    bounds = bounds_of_sums(score, score.measure.count(matching)) or _bound_credit(
        score, matching, part.judged(matching.pred_items)
    )
    return replace(score, bounds={"precision": bounds}) if bounds else score


def bounds_of_sums(score: Score, counts: Counts) -> Interval | None:
    """Bound a precision that is a ratio of sums; None if it is none."""
    measure = score.measure
    if not {"hit_pred", "n_pred"} <= score.counts.keys():
        return None
    hits, size = (float(score.counts[name]) for name in ("hit_pred", "n_pred"))
    whole = float(counts["n_pred"])

    def precision(hit: float) -> float:
        sums = Counts({**score.counts, "hit_pred": hit, "n_pred": whole})
        return float(measure.divide_counts(sums)["precision"])

    if (precision(0.0), precision(whole)) != (0.0, 1.0):
        return None
    return Interval(precision(hits), precision(hits + whole - size))


def _bound_credit(score: Score, matching: Matching[Any], judged: NDArray[np.bool_]) -> Interval | None:
    """Bound a precision that is a mean of what items earn."""
    measure, own = score.measure, score.matching.pred.credit
    if judged.sum() != len(own):
        return None

    def precision(earned: NDArray[np.float64] | float, unjudged: float) -> float:
        credit = np.full(len(judged), unjudged)
        credit[judged] = earned
        counts = measure.count(replace(matching, pred=replace(matching.pred, credit=credit)))
        return float(measure.divide_counts(counts)["precision"])

    if not precision(0.0, 0.0) == 0.0 < precision(1.0, 1.0):
        return None
    return Interval(precision(own, 0.0), precision(own, 1.0))


def _keep_scope(hook: Restriction[ModelType], model: ModelType, use: PartialGoldUse) -> ModelType:
    scope = use.partial.scope
    if scope is None:
        return model
    use.add("scope", scope, hook.names(model))
    kept = hook.within(model, scope)
    return _keep_counted(kept, "out_of_scope", len(model) - len(kept))


def _drop_ignored(hook: Restriction[ModelType], model: ModelType, use: PartialGoldUse) -> ModelType:
    ignore = use.partial.ignore
    if ignore is None:
        return model
    keys = hook.keys(model)
    use.add("ignore", ignore, keys)
    out = np.array([key in ignore for key in keys], dtype=np.bool_)
    return _keep_counted(hook.take(model, ~out), "ignored", int(out.sum()))


def _find_judged(
    hook: Restriction[ModelType], pred: ModelType, gold: ModelType, use: PartialGoldUse
) -> NDArray[np.bool_]:
    partial, keys, gold_keys = use.partial, hook.keys(pred), hook.keys(gold)
    use.add("judged", partial.judged, (*keys, *gold_keys))
    known = {*gold_keys, *hook.denied(gold), *(partial.judged or ())}
    judged = np.array([key in known for key in keys], dtype=np.bool_)
    for end in ENDS[partial.completeness]:
        if end not in hook.ends:
            raise UsageError(
                "Items of this family have no source and no target.",
                found=f"completeness {partial.completeness}",
                expected="complete or judged",
            )
        of_gold = set(hook.ends[end](gold))
        judged |= np.array([one in of_gold for one in hook.ends[end](pred)], dtype=np.bool_)
    return judged


def _keep_counted(model: ModelType, reason: str, count: int) -> ModelType:
    return replace(model, left_out={**model.left_out, reason: count}) if count else model  # type: ignore[type-var]


def _digest(keys: Iterable[str]) -> str:
    return f"sha256-{hashlib.sha256(chr(10).join(sorted(keys)).encode(errors='surrogatepass')).hexdigest()[:8]}"
