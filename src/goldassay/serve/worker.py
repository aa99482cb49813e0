"""What runs in a process of its own: scoring of a submission, and paired tests.

::

    python -m goldassay.serve.worker score CHALLENGE PHASE SUBMISSION FOLDER
    python -m goldassay.serve.worker test CHALLENGE FOLDER UNITS OTHER...

It ends with its standard input, which the server holds open: a worker never outlives its server.
"""

from __future__ import annotations

import json
import math
import os
import sys
import threading
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from goldassay.challenges import Challenge, check, load, score
from goldassay.challenges.scoring import hide_gold
from goldassay.core.errors import GoldassayError
from goldassay.core.significance import Resampling, compare
from goldassay.core.text import NumberFormat
from goldassay.report import Report
from goldassay.report.files import write_whole
from goldassay.report.html import write_page
from goldassay.saved import load as load_report

PAGE, RESULT, UNITS, TESTS = "report.html", "result.json", "units.json", "tests.json"
REFUSED = 3
"""The exit code for a submission that cannot be read; the message is then for its team."""


def score_into(challenge: Challenge, phase: str, submission: Path, folder: Path) -> None:
    """Score a submission, and write its page, its values, and what tests need."""
    report = score(challenge, phase, submission, units=True)
    # The page shows neither units nor counts. These are for tests, and never served.
    shown = report if challenge.evidence else hide_gold(report, places=challenge.places)
    write_page(shown, folder / PAGE, NumberFormat(challenge.digits))
    report.save(folder / UNITS)
    # Of this process and of those that it started, from its beginning on.
    seconds = round(sum(os.times()[:4]), 2)
    # Written last: where it is, all is.
    _write(folder / RESULT, {**result_of(challenge, report), "seconds": seconds})


def result_of(challenge: Challenge, report: Report) -> dict[str, Any]:
    """Return what the database keeps of a report."""
    (run,) = report.runs
    ranking = run[challenge.rank.measure]
    interval = ranking.intervals.get(challenge.rank.value)
    ends = (interval.low, interval.high) if interval else (math.nan, math.nan)
    values = {one.spec: {name: _plain(value) for name, value in one.values.items()} for one in run.scores}
    # What is undefined is no first place, even where it is given as 0 and the least is best.
    known = ranking.merit(challenge.rank.value) > -math.inf
    found = {"value": ranking.values[challenge.rank.value] if known else math.nan, "low": ends[0], "high": ends[1]}
    return {**{name: _plain(value) for name, value in found.items()}, "values": values}


def _plain(value: float) -> float | None:
    return value if math.isfinite(value) else None


def compare_with(challenge: Challenge, folder: Path, units: Path, others: Sequence[Path]) -> None:
    """Test a submission against others, and write their p values in order; 1 where there is nothing to test."""
    rank = challenge.rank
    first = load_report(units).runs[0][rank.measure]
    found = []
    for other in others:
        second = load_report(other).runs[0][rank.measure]
        tested = {}
        if first.units and second.units:
            tested = compare(
                first.units,
                second.units,
                first.measure.divide_drawn,
                first.resampling or Resampling(),
            )
        found.append(tested[rank.value].p_randomisation if rank.value in tested else 1.0)
    _write(folder / TESTS, found)


def _write(path: Path, value: Any) -> None:
    write_whole(path, lambda stream: stream.write(json.dumps(value, allow_nan=False).encode()))


def _end_with_input() -> None:
    sys.stdin.buffer.read()
    os._exit(1)


def main(arguments: Sequence[str]) -> int:
    """Do what the arguments say."""
    what, path, *rest = arguments
    challenge = load(path)
    if what == "test":
        folder, units, *others = map(Path, rest)
        compare_with(challenge, folder, units, others)
        return 0
    phase, submission, into = rest
    try:
        # Read without gold first: what goes wrong here may be shown to the team.
        check(challenge, Path(submission))
    except GoldassayError as error:
        sys.stderr.write(str(error))
        return REFUSED
    score_into(challenge, phase, Path(submission), Path(into))
    return 0


if __name__ == "__main__":
    threading.Thread(target=_end_with_input, daemon=True).start()
    code = 1
    try:
        code = main(sys.argv[1:])
    except BaseException:  # noqa: BLE001 - any error goes to the organiser
        traceback.print_exc()
    finally:
        # Without the clean-up of the interpreter, which aborts while a thread reads its standard input.
        sys.stderr.flush()
        os._exit(code)
