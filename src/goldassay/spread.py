"""Predictions spread over a cluster: a task does for one prediction what one machine does, and what it gives back is small."""

from __future__ import annotations

import math
import pickle
import socket
import warnings
from collections.abc import Sequence
from contextlib import chdir, nullcontext
from functools import lru_cache
from os.path import isdir
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

from goldassay.chance import Draws, concat_draws
from goldassay.core.chance import Chance
from goldassay.core.errors import GoldassayError, GoldassayWarning, InputError, UsageError, warn
from goldassay.core.model import Model
from goldassay.core.partial import PartialGoldUse
from goldassay.core.timing import stage
from goldassay.core.version import __version__
from goldassay.engines.on_spark import SparkTasks
from goldassay.engines.tables import refuse_standard_input
from goldassay.inputs import Input
from goldassay.pipeline import Pipeline, open_line, report_of, warn_of_unknown
from goldassay.report import Report, Run
from goldassay.request import Request
from goldassay.saved import drop_evidence, keep_gold

FEWEST_DRAWS = 20
"""Draws of one task: fewer are not worth reading the prediction again."""
MOST_PARTS = 16
"""Tasks that share the draws: each also makes the draws before its own, without scoring them, so that more of them do more work in all."""


class TaskContext(NamedTuple):
    """What all tasks of an evaluation share."""

    setting: Request
    folder: str  # the folder that relative paths are in
    version: str
    evaluation: str  # the name of this evaluation, so that a worker does not take gold from an earlier one


class Task(NamedTuple):
    """A prediction that is scored, or some draws of it.

    Attributes:
        name: Its name, if it is given one.
        given: The prediction.
        part: The draws that are scored; None to score the prediction.
        draws: What all draws score, if other tasks made them.
    """

    name: str | None
    given: Input
    part: range | None = None
    draws: Draws | None = None


class ScoredPrediction(NamedTuple):
    """What is sent back of a prediction."""

    run: Run
    gold_standards: tuple[Model, ...]  # gold as it was read: what is shown as gold, and then each
    use: PartialGoldUse  # what was found so far of the lists of partial gold


class TaskResult(NamedTuple):
    """What a task gives back."""

    found: ScoredPrediction | Draws | None = None  # what it found; None if something went wrong
    error: GoldassayError | None = None
    unreadable: bool = False  # whether that is the prediction, which cannot be read
    heard: tuple[tuple[type[Warning], str], ...] = ()


def spread(setting: Request, preds: Sequence[tuple[str | None, Input]]) -> Report:
    """Score every prediction in a worker, and put what comes back into one report."""
    chosen = setting.chosen
    for given in (*setting.gold_standards, *(one for _, one in preds)):
        refuse_standard_input(given)
    cluster = SparkTasks(setting.spark_remote)
    shared = TaskContext(setting, str(Path.cwd()), __version__, uuid4().hex)
    with stage("scoring on the cluster"):
        draws = _share_draws(cluster, shared, preds)
        tasks = [Task(*pred, draws=one) for pred, one in zip(preds, draws, strict=True)]
        found: list[TaskResult] = cluster.each(done, shared, tasks)
    for kind, text in dict.fromkeys(heard for one in found for heard in one.heard):
        warn(text, kind)
    scored = [one.found for one in found if isinstance(one.found, ScoredPrediction)]
    for one in found:
        if one.error is not None and not (scored and setting.unreadable == "keep" and one.unreadable):
            raise one.error
    runs = warn_of_unknown([one.run for one in scored], _merge_use([one.use for one in scored]))
    return report_of(chosen, scored[0].gold_standards, runs, [one.error for one in found if one.error is not None])


def _share_draws(
    cluster: SparkTasks, shared: TaskContext, preds: Sequence[tuple[str | None, Input]]
) -> list[Draws | None]:
    """Share the draws of each prediction among several tasks; None if the task of the prediction draws itself."""
    parts = parts_of(shared.setting.drawing, preds=len(preds))
    if len(parts) < 2:  # noqa: PLR2004 - one part is no part
        return [None] * len(preds)
    tasks = [Task(*pred, part=part) for pred in preds for part in parts]
    found = [one.found if isinstance(one.found, list) else None for one in cluster.each(done, shared, tasks)]
    several = (found[start : start + len(parts)] for start in range(0, len(found), len(parts)))
    return [None if None in some else concat_draws([one for one in some if one is not None]) for some in several]


def _merge_use(several: Sequence[PartialGoldUse]) -> PartialGoldUse:
    """Combine the results of all predictions."""
    whole = PartialGoldUse(several[0].partial)
    for one in several:
        for word, matched in one.matched.items():
            whole.matched.setdefault(word, set()).update(matched)
    return whole


def parts_of(chance: Chance | None, *, preds: int) -> list[range]:
    """Split the draws of a prediction into parts that follow each other, and are as large as each other but for the last."""
    if chance is None:
        return []
    size = max(FEWEST_DRAWS, math.ceil(chance.draws / math.ceil(MOST_PARTS / preds)))
    return [range(start, min(start + size, chance.draws)) for start in range(0, chance.draws, size)]


def done(shared: bytes, task: bytes) -> TaskResult:
    """Do a task in a worker: read, match, count and divide as one machine does."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        found = _done(shared, pickle.loads(task))  # noqa: S301 - from the driver
    warned = ((one.category, str(one.message)) for one in heard if issubclass(one.category, GoldassayWarning))
    return found._replace(heard=tuple(dict.fromkeys(warned)))


def _done(shared: bytes, task: Task) -> TaskResult:
    try:
        folder = _share(shared).folder
        # Where the folder is not shared, paths that are not relative are found all the same.
        with chdir(folder) if isdir(folder) else nullcontext():
            line = _line(shared)
            try:
                pred = line.read(task.name, task.given)
            except InputError as error:
                return TaskResult(error=_name_worker(error), unreadable=True)
            if task.part is not None:
                return TaskResult(line.draws(pred, task.part))
            run = drop_evidence(line.run(pred, task.draws))
    except GoldassayError as error:
        return TaskResult(error=_name_worker(error))
    return TaskResult(ScoredPrediction(run, tuple(map(keep_gold, (line.pool.gold, *line.pool.models))), line.use))


# A worker does many tasks of one evaluation, and reads its gold once.
@lru_cache(maxsize=1)
def _line(shared: bytes) -> Pipeline:
    return open_line(_share(shared).setting)


@lru_cache(maxsize=1)
def _share(shared: bytes) -> TaskContext:
    found: TaskContext = pickle.loads(shared)  # noqa: S301 - from the driver
    if found.version != __version__:
        raise UsageError(
            "The workers have another version of goldassay.",
            found=f"{__version__} on {socket.gethostname()}",
            expected=found.version,
        )
    return found


def _name_worker(error: GoldassayError) -> GoldassayError:
    """Add the worker to the error of a missing file."""
    if isinstance(error.__cause__, FileNotFoundError):
        error.found = f"nothing on the worker {socket.gethostname()}"
        error.expected = "a file that every worker sees"
    return error
