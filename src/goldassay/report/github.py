"""A report for GitHub: Markdown for the summary of a build and for a comment on a pull request, which must not be too long."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from goldassay.core.matching import Items, SideName
from goldassay.core.measure import Measure, Score
from goldassay.core.text import NumberFormat, count_of, to_one_line
from goldassay.report.cells import CUT, legend, score_rows, value_names
from goldassay.report.gates import LAST_BITS, Check, Checks, earlier
from goldassay.report.render import code, code_cell, markdown_cell, markdown_row, to_markdown
from goldassay.report.results import Results, Run

LONGEST = 65_000
"""GitHub refuses a comment of more than 65,536 characters; the rest is for what an action writes above it."""
LONGEST_LINE = 300
MOST_ITEMS = 100
"""How many items of one score are listed."""
SIGNS = {True: "\N{WHITE HEAVY CHECK MARK}", False: "\N{CROSS MARK}"}
COSTS = {"missed": 1.0, "invented": 1.0, "partial": 0.5}
"""What a verdict costs; others cost nothing."""
GAINED = {"gold": "matched", "pred": "no longer invented"}
KEEP = "The baseline keeps no items, so that nothing is known of which were gained and lost: save it with --evidence."

Failed: TypeAlias = tuple[str, str, str]
"""An item that costs something: its side, its name and the verdict."""


class Part(NamedTuple):
    """A part of the comment. Only its lines may be left out."""

    head: Sequence[str] = ()
    lines: Sequence[str] = ()
    end: Sequence[str] = ()
    fold: str = ""  # the summary shown while the part is folded; empty if it is always shown

    def written(self, kept: int) -> str:
        """Write the part with its first lines."""
        left = len(self.lines) - kept
        omitted = ["", f"{left:,} more lines are left out."] if left else []
        body = [*self.head, *self.lines[:kept], *self.end, *omitted]
        if self.fold:
            body = ["<details>", f"<summary>{self.fold}</summary>", "", *body, "", "</details>"]
        return "\n".join(body)


def comment_of(report: Results, style: NumberFormat, longest: int = LONGEST) -> str:
    """Write a report as a comment: which bounds are reached, what changed since the baseline, and which items are to blame."""
    checks = report.checks or Checks()
    gates, before = checks.check_gates(report), checks.check_baseline(report)
    several = len(report.rows) + len(report.failures) > 1
    warnings = [f"- {code(_short(line))}" for line in report.warnings]
    parts = [
        Part(head=[_title(gates, before)]),
        _values(report, checks.baseline, style, several=several),
        Part(lines=list(_list_checks(gates, before, checks.max_drop, several=several))),
        Part(head=["Warnings:", ""] if warnings else [], lines=warnings),
        _items(report, checks.baseline, several=several),
        Part(lines=to_markdown(report, style).split("\n"), fold="All values and signatures"),
    ]
    return _fit_lines([part for part in parts if part.head or part.lines], longest)


def _fit_lines(parts: Sequence[Part], longest: int) -> str:
    """Leave out lines of the longest parts, if all together are too long."""
    room = longest - sum(len(part.written(0)) + 2 for part in parts)
    kept = [0] * len(parts)
    ends = [np.cumsum([len(line) + 1 for line in part.lines]) for part in parts]
    # The shortest first: what it leaves of its share, the others have.
    order = sorted(range(len(parts)), key=lambda place: ends[place][-1:].sum())
    for others, place in zip(range(len(parts), 0, -1), order, strict=True):
        kept[place] = int(np.searchsorted(ends[place], room // others, side="right"))
        room -= int(ends[place][: kept[place]][-1:].sum())
    return "\n\n".join(part.written(most) for part, most in zip(parts, kept, strict=True))


def _title(gates: Sequence[Check], before: Sequence[Check]) -> str:
    failed = sum(not one.matched for one in (*gates, *before))
    if failed:
        return f"### {SIGNS[False]} goldassay: {failed:,} of {len(gates) + len(before):,} checks failed"
    return f"### {SIGNS[True]} goldassay: all checks passed" if gates or before else "### goldassay"


def _list_checks(gates: Sequence[Check], before: Sequence[Check], most: float, *, several: bool) -> Iterator[str]:
    """List the bounds, and what is worse than in the baseline, failures first; what is not worse is counted."""
    worse = [one for one in before if not one.matched]
    for one in sorted((*gates, *worse), key=lambda one: one.matched):
        label = f"{code(_short(one.label))}: " if several else ""
        text = f"{one.name} is {one.value:.{one.digits}g}, {one.note}"
        yield f"- {SIGNS[one.matched]} {label}{code(_short(one.measure))} {text}"
    if before and not worse:
        allowed = f" by more than {most:g}" if most else ""
        yield f"- {SIGNS[True]} none of {len(before):,} values is worse than in the baseline{allowed}"


def _values(report: Results, baseline: Results | None, style: NumberFormat, *, several: bool) -> Part:
    """Build the headline of every score, and how it changed; a single prediction is named above the table."""
    names, factor = value_names(report), style.factor
    who = [report.row_word] if several else []
    head = [*who, "measure", "value", *(["change"] if baseline else [])]
    lines, label = [], ""
    rows = score_rows(report, style)
    for row, found in zip_longest(rows, _headlines(report, baseline)):
        label = code(_short(row.label))
        cells = [code_cell(_short(row.label))] if several else []
        cells.append(code_cell(_short(row.spec)) if found else row.spec)
        if found:
            measure, now, before = found
            cells.append(f"{measure.headline} {markdown_cell(row.cells[names.index(measure.headline)])}")
            cells += [_change(measure, now * factor, before * factor, style)] if baseline else []
        cells += [""] * (len(head) - len(cells))
        lines.append(markdown_row(cells))
    explained = ". ".join(legend(report))
    gold = code(_short(report.gold.path or "in memory"))
    about = f"{report.kind}{'' if several else f' {label}'}, {count_of(len(report.gold), report.item)} of gold {gold}"
    return Part(
        head=[about, "", markdown_row(head), markdown_row(["---"] * len(head))],
        lines=lines,
        end=["", code(_short(explained))] if explained else [],
    )


def _headlines(report: Results, baseline: Results | None) -> Iterator[tuple[Measure[Any, Any], float, float]]:
    """List the headline of each row of the table of scores, now and in the baseline; nan if it had none."""
    if report.systems:
        known = {system.name: system for system in baseline.systems} if baseline else {}
        for system in report.systems:
            before = {one.spec: one.values for one in known[system.name].scores} if system.name in known else {}
            for one in system.scores:
                name, was = one.measure.headline, before.get(one.spec)
                yield one.measure, one.values[name].mean, was[name].mean if was else math.nan
        return
    for run in report.runs:
        past = earlier(report, baseline, run) if baseline else None
        values = {score.spec: score.values for score in past.scores} if past else {}
        for score in run.scores:
            yield (
                score.measure,
                score.values[score.headline],
                values.get(score.spec, {}).get(score.headline, math.nan),
            )


def _change(measure: Measure[Any, Any], now: float, before: float, style: NumberFormat) -> str:
    """Return how a value changed, in words that hold whether higher or lower is better."""
    better = (now - before) * (1 if measure.higher_is_better else -1)
    if math.isnan(better):
        return "new" if math.isnan(before) else ""
    if abs(better) <= LAST_BITS:
        return "same"
    size = f"{abs(better):.{style.places}f}"
    return f"{'better' if better > 0 else 'worse'} by {size if float(size) else f'{abs(better):.1g}'}"


def _items(report: Results, baseline: Results | None, *, several: bool) -> Part:
    """List the items that each score gained and lost since the baseline; without one, those that it lacks."""
    lines, sums, unknown = [], Counter[str](), False
    for run in report.runs:
        past = earlier(report, baseline, run) if baseline else None
        for score in run.scores:
            now = _list_failed(run, score)
            then = _list_failed(past, past[score.spec]) if past and _has(past, score) else None
            if now is None:
                continue
            unknown |= past is not None and then is None
            sums_now, found = _lacking(now) if then is None else _list_changed(now, then)
            if not sums_now:
                continue
            sums.update(sums_now)
            label = f"{_short(run.label)}: " if several else ""
            lines.append(f"@@ {label}{score.spec}: {_describe_counts(sums_now)} @@")
            lines += [_short(line) for line in found[:MOST_ITEMS]]
            lines += [f"  and {len(found) - MOST_ITEMS:,} more"] if len(found) > MOST_ITEMS else []
    end = ["```", *(["", KEEP] if unknown else [])]
    return Part(head=["```diff"], lines=lines, end=end, fold=f"Items: {_describe_counts(sums)}") if lines else Part()


def _has(run: Run, score: Score) -> bool:
    return any(one.spec == score.spec for one in run.scores)


def _describe_counts(sums: Counter[str]) -> str:
    return ", ".join(f"{count:,} {word}" for word, count in sums.items())


def _list_failed(run: Run, score: Score) -> list[Failed] | None:
    """List the items of a score that cost something; None if they are not known."""
    if run.view is not None:
        listed = run.view.items.get(score.spec)
        columns = () if listed is None else (listed.columns[name] for name in ("side", "item", "verdict"))
        return sorted((one for one in zip(*columns, strict=True) if one[2] in COSTS), key=lambda one: one[0])
    matching = score.matching
    if not matching.kept:
        return None
    found: list[Failed] = []
    sides: tuple[tuple[SideName, Items], ...] = (("gold", matching.gold_items), ("pred", matching.pred_items))
    for side, items in sides:
        rows = matching.failed(side)
        verdicts = zip(rows.tolist(), matching.verdicts(side, rows), strict=True)
        found += [(side, items.item(row), verdict) for row, verdict in verdicts if verdict in COSTS]
    return found


def _lacking(now: Sequence[Failed]) -> tuple[Counter[str], list[str]]:
    lines = [f"- {verdict:<8} {item}" for _, item, verdict in now]
    return Counter(verdict for *_, verdict in now), lines


def _list_changed(now: Sequence[Failed], before: Sequence[Failed]) -> tuple[Counter[str], list[str]]:
    """List what costs more than before, then what costs less; several items may have one name."""
    verdicts = {(side, item): verdict for side, item, verdict in now}
    change: defaultdict[tuple[str, str], float] = defaultdict(float)
    for sign, failed in ((1, now), (-1, before)):
        for side, item, verdict in failed:
            change[side, item] += sign * COSTS[verdict]
    lost = [f"- {verdicts[key]:<18} {key[1]}" for key, cost in change.items() if cost > 0]
    gained = [f"+ {verdicts.get(key, GAINED[key[0]]):<18} {key[1]}" for key, cost in change.items() if cost < 0]
    return Counter(lost=len(lost), gained=len(gained)), [*lost, *gained]


def _short(text: str) -> str:
    """Cut a line that is too long to read."""
    line = to_one_line(text)
    return line if len(line) <= LONGEST_LINE else f"{line[: LONGEST_LINE - 1]}{CUT}"
