"""The work behind a leaderboard: waiting submissions are scored, and the best ones tested against each other."""

from __future__ import annotations

import asyncio
import json
import logging
import shutil
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool

from goldassay.challenges import Challenge
from goldassay.core.errors import first_line
from goldassay.serve.feedback import order_of
from goldassay.serve.processes import ProcessResult, run_watched
from goldassay.serve.sandbox import Access, Sandbox, files_of
from goldassay.serve.store import FAILED, LEASE, MOST_TRIES, NO_ANSWER, SCORED, Store, Submission
from goldassay.serve.worker import REFUSED, RESULT, TESTS, UNITS

WORKER = "goldassay.serve.worker"
PAUSE, AWAY = 0.3, 2.0
"""Seconds until a queue that is empty, or a database that did not answer, is asked again."""
AT_ONCE = 10
"""How many others a submission is tested against in one process."""
SECONDS_OF_TESTS = 600
FAULT = "It could not be scored. The organiser sees why."
LOG = logging.getLogger("goldassay.serve")


async def _until_written(write: Callable[[], object]) -> None:
    """Write a result, and try again as long as the database does not answer: what was scored is not lost."""
    while True:
        try:
            await run_in_threadpool(write)
        except NO_ANSWER as error:
            await _wait_for_database(error)
        else:
            return


async def _wait_for_database(error: Exception) -> None:
    LOG.warning("the database does not answer, which is tried again: %s", first_line(error))
    await asyncio.sleep(AWAY)


class Queue:
    """Scores what waits in a store."""

    def __init__(self, challenges: Mapping[str, Challenge], store: Store, *, sandbox: Sandbox | None = None) -> None:
        self.challenges = challenges
        self.sandbox = sandbox
        self.store = store
        self.failed_tests: Counter[frozenset[str]] = Counter()

    async def run(self, workers: int) -> None:
        """Work until this is cancelled."""
        tasks = [self._repeat(self._score_next) for _ in range(workers)]
        tested = any(one.intervals for one in self.challenges.values())
        await asyncio.gather(*tasks, *([self._repeat(self._test_next)] if tested else []))

    @staticmethod
    async def _repeat(step: Callable[[], Awaitable[bool]]) -> None:
        """Do a step again and again, with a pause where there is nothing to do, or where it failed."""
        while True:
            try:
                found = await step()
            except NO_ANSWER as error:
                # What was claimed is taken up again when its lease has ended.
                await _wait_for_database(error)
                continue
            except Exception:
                LOG.exception("a step of the queue failed")
                found = False
            if not found:
                await asyncio.sleep(PAUSE)

    # -- scoring -------------------------------------------------------------------------------------------------------

    async def _score_next(self) -> bool:
        claimed = await run_in_threadpool(partial(self.store.claim, tasks=self.challenges))
        if claimed is None:
            return False
        folder = self.store.results / str(claimed.claim)
        folder.mkdir()
        upload = self.store.uploads / claimed.id
        challenge = self.challenges[claimed.task]
        limits = challenge.limits
        renewing = asyncio.create_task(self._renew(claimed))
        try:
            ended = await self._worker(
                ["score", str(challenge.path), claimed.phase, str(upload), str(folder)],
                folder,
                reads=[*files_of(challenge), upload],
                seconds=limits.seconds,
                megabytes=limits.memory_megabytes,
            )
            if ended.over == "clock" or (ended.code < 0 and not ended.over):
                why = "took too long, on a busy machine" if ended.over else f"ended by signal {-ended.code}"
                LOG.warning("submission %s: the worker %s; it is scored again", claimed.id, why)
                await _until_written(partial(self.store.give_back, claimed))
            else:
                result = await run_in_threadpool(self._result, claimed, folder, ended)
                await _until_written(partial(self.store.finish, claimed, **result))
        finally:
            renewing.cancel()
        return True

    async def _renew(self, claimed: Submission) -> None:
        """Renew a claim as long as it is worked on."""
        while True:
            await asyncio.sleep(LEASE.total_seconds() / 4)
            with suppress(*NO_ANSWER):
                await run_in_threadpool(self.store.renew, claimed)

    async def _worker(
        self, arguments: list[str], folder: Path, *, reads: Sequence[Path], seconds: float, megabytes: float
    ) -> ProcessResult:
        cache = self.store.folder / "cache"
        cache.mkdir(exist_ok=True)
        return await run_watched(
            [WORKER, *arguments],
            folder=folder,
            environment={"GOLDASSAY_CACHE_DIR": str(cache)},
            seconds=seconds,
            megabytes=megabytes,
            access=self.sandbox and Access(self.sandbox, reads, [folder, cache]),
        )

    def _result(self, claimed: Submission, folder: Path, ended: ProcessResult) -> dict[str, Any]:
        result = folder / RESULT
        if ended.code == 0 and result.is_file():
            return {"state": SCORED, **json.loads(result.read_text(encoding="utf-8"))}
        shutil.rmtree(folder, ignore_errors=True)
        return {"state": FAILED, "message": self._why(claimed, ended)}

    def _why(self, claimed: Submission, ended: ProcessResult) -> str:
        """Return why a submission failed, and nothing that could reveal gold."""
        limits = self.challenges[claimed.task].limits
        if ended.over == "time":
            return f"Scoring took more than {limits.seconds} seconds of processor time, and was ended."
        if ended.over == "memory":
            return f"Scoring took more than {limits.memory_megabytes} MB of memory, and was ended."
        if ended.code == REFUSED:
            return ended.stderr.replace(claimed.id, claimed.name)
        LOG.error("submission %s could not be scored:\n%s", claimed.id, ended.stderr)
        return FAULT

    # -- tests ---------------------------------------------------------------------------------------------------------

    async def _test_next(self) -> bool:
        found = await run_in_threadpool(self._untested)
        if found is None:
            return False
        first, others = found
        folder = self.store.results / str(first.claim)
        challenge = self.challenges[first.task]
        units = [str(self.store.results / str(one.claim) / UNITS) for one in (first, *others)]
        ended = await self._worker(
            ["test", str(challenge.path), str(folder), *units],
            folder,
            reads=[*files_of(challenge), *map(Path, units)],
            seconds=SECONDS_OF_TESTS,
            megabytes=challenge.limits.memory_megabytes,
        )
        if ended.code:
            LOG.error("submission %s could not be tested against others:\n%s", first.id, ended.stderr)
            self.failed_tests.update(frozenset((first.id, one.id)) for one in others)
            return False
        found_p = json.loads((folder / TESTS).read_text(encoding="utf-8"))
        pairs = {(first.id, one.id): p for one, p in zip(others, found_p, strict=True)}
        await run_in_threadpool(self.store.add_tests, pairs)
        return True

    def _untested(self) -> tuple[Submission, list[Submission]] | None:
        """Find a submission among the best of a phase, and others that it was not tested against."""
        phases = [(task, one, phase) for task, one in self.challenges.items() if one.intervals for phase in one.phases]
        failed = {pair for pair, times in self.failed_tests.items() if times >= MOST_TRIES}
        for task, challenge, phase in phases:
            best = [row.best for row in self.store.only(task).rank_teams(phase.name, order_of(challenge))]
            done = self.store.tests_of(one.id for one in best).keys() | failed
            for place, one in enumerate(best):
                others = [other for other in best[place + 1 :] if frozenset((one.id, other.id)) not in done]
                if others:
                    return one, others[:AT_ONCE]
        return None
