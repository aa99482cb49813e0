"""The tables of scores: values, intervals, what is best or differs, and what chance gives; and how they fit a width."""

from __future__ import annotations

import math
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby, takewhile
from pathlib import PurePath
from typing import Any, NamedTuple

from goldassay.core.matching import SideName
from goldassay.core.measure import Score
from goldassay.core.text import NumberFormat, count_of, to_one_line
from goldassay.report.gates import LAST_BITS
from goldassay.report.results import KindOfError, Results, SystemScore, interval_of, value_of

MARK = "*"
"""The mark of a value that differs from the one that it was tested against."""
BETWEEN = 3
"""Blanks between two columns."""
SHORTEST = 12
"""A name is not shortened to less."""
PIPED, LONG = 80, 40
"""Without a terminal, names longer than `LONG` are shortened where a table is wider than `PIPED`; a row stays one line."""
CUT = "\N{HORIZONTAL ELLIPSIS}"
MATCHED = {"pred": "pred matched", "gold": "gold matched"}
"""The columns that say how much of each side was matched."""
CHANCE = ("chance", "adjusted")
CEILING = "ceiling"
BOUNDED = ("precision_if_wrong", "precision_if_right")
REPEATED = ("runs", "between runs")
TIES = "ties"
UPPER = "_upper"
"""How the name of an upper bound ends; it is shown where a score is not exact."""
EXACT = 9
"""Places to which differences of means are rounded, so that they are whole where they should be."""


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One value as it is displayed."""

    text: str = ""  # the value, and its interval in brackets; empty if the score has no such value
    best: bool = False  # whether no other prediction is better; false if none is worse
    differs: bool = False


class TextTable(NamedTuple):
    """A table as text."""

    title: str
    head: list[str]
    rows: list[list[Cell]]
    names: int  # how many columns on the left name a row; they are repeated where columns are wrapped
    # whether the heads of the other columns are names, of predictions, measures or groups, which no layout changes
    of_names: bool = False
    shortened: int = 1  # how many columns on the left have names of predictions, which may be shortened

    @property
    def heads(self) -> list[tuple[str, bool]]:
        """The head of each column, and whether it is a name."""
        return [(name, self.of_names and place >= self.names) for place, name in enumerate(self.head)]

    @property
    def widths(self) -> list[int]:
        """The width of each column."""
        columns = zip(*self.rows, strict=True) if self.rows else [()] * len(self.head)
        return [
            max(map(_width, [head, *map(show_cell, cells)])) for head, cells in zip(self.head, columns, strict=True)
        ]

    @property
    def width(self) -> int:
        """The width of the table."""
        return sum(self.widths) + BETWEEN * (len(self.head) - 1)


def show_cell(cell: Cell) -> str:
    """Return the text of a cell, with the mark after the value."""
    if not cell.differs:
        return cell.text
    value, line, interval = cell.text.partition("\n")
    return f"{value}{MARK}{line}{interval}"


def fit_tables(table: TextTable, width: int | None) -> Iterator[TextTable]:
    """Make a table fit: shorten the names of rows, set intervals below values, then how many match; if that is too wide, wrap columns."""
    if width is None or table.width <= width:
        yield table
        return
    lower = _put_intervals_below(table)
    stacked = _put_matches_below(lower)
    tried = [_use_short_names(table, width)]
    for one in (lower, stacked):
        tried += [one, _use_short_names(one, width)]
    fits = next((one for one in tried if one.width <= width), None)
    if fits:
        yield fits
        return
    first, *others = stacked.widths
    # What names a row leaves room for the widest of the other columns, whose numbers are never cut.
    room = width - sum(others[: table.names - 1]) - max(others[table.names - 1 :], default=0) - BETWEEN * table.names
    stacked = _use_short_names(stacked, stacked.width - max(first - min(width // 3, room), 0))
    for columns in _wrap(stacked, width):
        yield stacked._replace(
            head=[stacked.head[column] for column in columns],
            rows=[[row[column] for column in columns] for row in stacked.rows],
        )


def shorten_for_pipe(table: TextTable) -> TextTable:
    """Shorten names that are long, so that a table fits a file of 80 columns where numbers allow; each row stays one line."""
    shorter = _use_short_names(table, PIPED, least=LONG // 2).rows
    kept = [
        [cell if len(cell.text) <= LONG else other for cell, other in zip(row, short, strict=True)]
        for row, short in zip(table.rows, shorter, strict=True)
    ]
    return table._replace(rows=kept)


def shorten_heads(table: TextTable) -> TextTable:
    """Shorten the names of predictions above columns."""
    return table._replace(head=[*table.head[: table.names], *shorten_names(table.head[table.names :], LONG)])


def _put_intervals_below(table: TextTable) -> TextTable:
    rows = [[replace(cell, text=cell.text.replace(" [", "\n[")) for cell in row] for row in table.rows]
    return table._replace(rows=rows)


def _put_matches_below(table: TextTable) -> TextTable:
    """Set how many items match below the values that they give."""
    pairs = list(zip(("precision", "recall"), MATCHED.values(), strict=True))
    if not {name for pair in pairs for name in pair} <= {*table.head}:
        return table
    below = {table.head.index(value): table.head.index(title) for value, title in pairs}
    columns = [column for column in range(len(table.head)) if column not in below.values()]

    def stack(cells: Sequence[str], column: int) -> str:
        return f"{cells[column]}\n{cells[below[column]]}" if column in below else cells[column]

    return table._replace(
        head=[stack(table.head, column) for column in columns],
        rows=[
            [replace(row[column], text=stack([cell.text for cell in row], column)) for column in columns]
            for row in table.rows
        ],
    )


def _use_short_names(table: TextTable, width: int, least: int = SHORTEST) -> TextTable:
    """Shorten the names of rows, so that the table is as wide as it may be, if that is possible."""
    if not table.names or not table.rows:
        return table
    columns = table.widths[: table.shortened]
    room = sum(columns) - max(table.width - width, 0)
    fits = (most for most in range(max(columns), least, -1) if sum(min(one, most) for one in columns) <= room)
    names = [row[column].text for row in table.rows for column in range(len(columns))]
    short = dict(zip(names, shorten_names(names, next(fits, least)), strict=True))
    return table._replace(
        rows=[
            [replace(cell, text=short[cell.text]) if column < len(columns) else cell for column, cell in enumerate(row)]
            for row in table.rows
        ]
    )


def shorten_names(names: Sequence[str], most: int) -> list[str]:
    """Shorten names, but not so far that two of them become the same."""
    for cut in (_tail, _middle):
        short = [name if len(name) <= most else cut(name, most) for name in names]
        if len(set(short)) == len(set(names)):
            return short
    return list(names)


def _tail(name: str, most: int) -> str:
    """Keep the end of a path, from the beginning of a folder or a file on."""
    parts = name.split("/")
    for first in range(1, len(parts)):
        if len(kept := f"{CUT}/{'/'.join(parts[first:])}") <= most:
            return kept
    return _middle(name, most)


def _middle(name: str, most: int) -> str:
    return f"{name[: most // 2 - 1]}{CUT}{name[-(most - most // 2) :]}"


def _wrap(table: TextTable, width: int) -> Iterator[list[int]]:
    """Divide the columns among tables; each has those that name a row, and one other at least."""
    widths, names = table.widths, list(range(table.names))
    taken, now = sum(widths[: table.names]) + BETWEEN * max(table.names - 1, 0), list(names)
    total = taken
    for column in range(table.names, len(widths)):
        needed = widths[column] + (BETWEEN if now else 0)
        if total + needed > width and len(now) > len(names):
            yield now
            total, now = taken, list(names)
        now.append(column)
        total += needed
    yield now


def _width(text: str) -> int:
    from rich.cells import cell_len

    return max(map(cell_len, text.split("\n")))


@dataclass(frozen=True, kw_only=True)
class Row:
    """One line of the table."""

    label: str
    spec: str
    signature: str
    cells: list[Cell]
    # how much of the prediction and of gold was matched; empty texts if the measure counts no such thing
    matched: tuple[str, str] = ("", "")
    merit: float = -math.inf  # the headline, higher if it is better


def value_names(report: Results, specs: Container[str] | None = None) -> list[str]:
    """List the columns: every value of any score, and for the headline the level of chance and the human ceiling."""
    scores = [score for score in report.scores if specs is None or score.spec in specs]
    names = [name for name in dict.fromkeys(chain(*(score.values for score in scores))) if _is_shown(name, scores)]
    tied = [TIES] if any(specs is None or one.measure in specs for one in report.ties) else []
    chance = CHANCE if any(score.chance for score in scores) else ()
    if report.systems:
        return [*names, *chance, *REPEATED, *tied]
    bounded = BOUNDED if any(score.bounds for score in scores) else ()
    ceiling = any(score.combined and score.combined.ceiling for score in scores)
    return [*names, *bounded, *chance, *([CEILING] if ceiling else []), *tied]


def _is_shown(name: str, scores: Sequence[Score | SystemScore]) -> bool:
    """Return whether a value says something: an upper bound does where some score is not exact."""
    below = name.removesuffix(UPPER)
    return below == name or any(name in score.values and score.merit(name) != score.merit(below) for score in scores)


def is_of_several(report: Results) -> bool:
    """Return whether a table has rows of several predictions, own or published."""
    published = len(report.task.published) if report.task else 0
    return len(report.rows) + len(report.failures) + published > 1


def blocks_of(report: Results) -> list[list[str]]:
    """Divide the measures among tables, so that no table has an empty column."""
    # Of several predictions each measure has a table of its own, with a row for each prediction. Of one, measures with
    # the same columns share a table.
    specs = list(report.measures)
    if is_of_several(report):
        return [[spec] for spec in specs] or [[]]
    means = {score.spec for score in report.scores if score.measure.averaged}
    first = bool(means.intersection(specs[:1]))
    # Means over documents (macro) are not among sums over all of them (micro).
    specs = sorted(specs, key=lambda spec: (spec in means) is not first)
    return [list(block) for _, block in groupby(specs, lambda spec: value_names(report, [spec]))] or [[]]


def score_rows(report: Results, style: NumberFormat, specs: Container[str] | None = None) -> Iterator[Row]:
    """Arrange the scores of a report in rows of cells."""
    names = value_names(report, specs)
    failures = [] if report.systems else [one.label for one in report.failures]
    labels = row_labels(report, failures)
    for place, row in enumerate(report.rows):
        for score in row.scores:
            if specs is not None and score.spec not in specs:
                continue
            differs = _differing(report, place, score)
            cells = [
                _value_cell(report, score, name, style, differs=name in differs)
                if name in score.values
                else Cell(text=report.tie_letters(place, score.spec))
                if name == TIES
                else Cell(text=_other_text(score, name, style, runs=len(row.runs)))
                for name in names
            ]
            matched = ("", "")
            if isinstance(score, Score):
                matched = (format_matched(score, "pred"), format_matched(score, "gold"))
            merit, signature = score.merit(score.headline), str(score.signature)
            yield Row(
                label=labels[place], spec=score.spec, signature=signature, cells=cells, matched=matched, merit=merit
            )
    for label in labels[len(report.rows) :]:
        yield Row(label=label, spec="not scored", signature="", cells=[Cell()] * len(names))


def row_labels(report: Results, more: Sequence[str] = ()) -> list[str]:
    """Name the rows of the table of scores and more below them: systems by their names, predictions without the folder that all share."""
    names = [row.name for row in report.rows]
    return names if report.systems else short_labels([*names, *more])


def _differing(report: Results, row: int, score: Score | SystemScore) -> set[str]:
    """Name the values of a score that differ significantly from those of the only one that it was tested against."""
    if isinstance(score, SystemScore):
        return set(filter(score.differs, score.values))
    tests = [] if report.against_several else report.comparisons_of(row, score)
    return {one.value for one in tests if one.differs(score)}


def _value_cell(report: Results, score: Score | SystemScore, name: str, style: NumberFormat, *, differs: bool) -> Cell:
    """Write a value with its interval, of repeated runs with their standard deviation: ``0.54 \u00b1 0.02 [0.51, 0.57]``."""
    same = (other for row in report.rows for other in row.scores if other.spec == score.spec)
    rivals = [other.merit(name) for other in same if name in other.values]
    sd = None if isinstance(score, Score) else score.values[name].sd
    text = style.within(value_of(score, name), interval_of(score, name), math.nan if sd is None else sd)
    return Cell(text=text, best=is_best(score.merit(name), rivals), differs=differs)


def difference_tables(report: Results, style: NumberFormat) -> Iterator[TextTable]:
    """Build the differences of headlines that were tested, a table for each measure."""
    labels, more = row_labels(report), [] if report.systems else ["effect"]
    for spec, measure in report.measures.items():
        rows = [
            [
                *map(_name_cell, (labels[one.row], one.label)),
                Cell(text=style.within(one.difference, one.interval), differs=one.differs),
                Cell(text="" if one.p is None else f"{one.p:.4f}"),
                *(Cell(text="" if math.isnan(one.effect) else f"{one.effect:.2f}") for _ in more),
            ]
            for one in report.headline_tests(spec, labels)
        ]
        head = [report.row_word, "against", f"difference of {measure.headline}", "p", *more]
        if rows:
            yield TextTable(spec, head, rows, 2, shortened=2)


def score_tables(report: Results, style: NumberFormat) -> Iterator[TextTable]:
    """Build the scores: a table for each measure, or for several that have the same columns."""
    for specs in blocks_of(report):
        yield _score_table(report, specs, style)


def _score_table(report: Results, specs: Sequence[str], style: NumberFormat) -> TextTable:
    """Build the scores of some measures, the best prediction first; and how much of each side was matched, where a measure counts that."""
    rows = list(score_rows(report, style, specs=specs))
    titled = len(specs) == 1 and is_of_several(report)
    rows.sort(key=lambda row: -row.merit if titled else specs.index(row.spec))
    rows += published_rows(report, style, specs=specs)
    matched = [
        (place, title) for place, title in enumerate(MATCHED.values()) if any(row.matched[place] for row in rows)
    ]
    names = [report.row_word, *([] if titled else ["measure"])]
    return TextTable(
        specs[0] if titled else "",
        [*names, *value_names(report, specs), *(title for _, title in matched)],
        [
            [
                *map(_name_cell, [row.label, row.spec][: len(names)]),
                *row.cells,
                *(Cell(text=row.matched[place]) for place, _ in matched),
            ]
            for row in rows
        ],
        len(names),
    )


def _name_cell(text: str) -> Cell:
    return Cell(text=to_one_line(text))


def published_rows(report: Results, style: NumberFormat, specs: Container[str] | None = None) -> Iterator[Row]:
    """Arrange what others published on the task of a report, in rows below those of its own scores."""
    names = value_names(report, specs)
    scores = {score.spec: score for score in report.scores}
    for spec, score in scores.items():
        if report.task is None or (specs is not None and spec not in specs):
            continue
        for one, values in report.task.published_values(score):
            cells = [Cell(text=style.stated(values[name])) if name in values else Cell() for name in names]
            yield Row(label=f"{one.system} (published)", spec=spec, signature="", cells=cells)


def error_tables(report: Results, style: NumberFormat) -> Iterator[TextTable]:
    """Build how many errors of each kind predictions make, and in brackets how many more or fewer than the one that all are compared with."""
    labels = row_labels(report)
    for spec in report.measures if len(labels) > 1 else ():
        kinds, bases = report.errors_of(spec), report.bases_of(spec)
        if kinds and bases:
            [base, others] = next(iter(bases.items()))
            head = ["error", "side", *(to_one_line(labels[row]) for row in (base, *others))]
            rows = [
                [
                    *map(_name_cell, (one.kind, one.side)),
                    *_count_errors(one, base, others, style, compared=len(bases) == 1),
                ]
                for one in kinds
            ]
            yield TextTable(f"errors of {spec}", head, rows, 2, of_names=True)


def other_tables(report: Results, style: NumberFormat) -> Iterator[TextTable]:
    """Build the scores of other packages, and how each was computed."""
    labels = short_labels([run.label for run in report.runs])
    rows = [
        [
            *map(_name_cell, (label, one.name, one.version)),
            Cell(text=style.value(one.value)),
        ]
        for label, run in zip(labels, report.runs, strict=True)
        for one in run.others
    ]
    if rows:
        yield TextTable("scores of other packages", ["prediction", "score", "computed by", "value"], rows, 3)


def _count_errors(
    found: KindOfError, base: int, others: Sequence[int], style: NumberFormat, *, compared: bool
) -> Iterator[Cell]:
    yield Cell(text=style.count(found.counts[base]))
    for row in others:
        change = f" ({show_change(found.counts[row] - found.counts[base], style)})" if compared else ""
        yield Cell(text=f"{style.count(found.counts[row])}{change}")


def show_change(change: float, style: NumberFormat) -> str:
    """Write how many more or fewer there are."""
    whole = round(change, EXACT)
    return f"{'+' if whole > 0 else ''}{style.count(whole)}" if whole else "="


def group_tables(report: Results, style: NumberFormat, most: int | None = None) -> Iterator[TextTable]:
    """Build the scores that were split into groups: all of them, or the largest."""
    for label, row in zip(row_labels(report), report.rows, strict=True):
        for score in row.scores:
            for found in score.breakdowns:
                groups, rows = list(found.rows()), []
                title = to_one_line(f"{label}: {score.spec} by {found.by}")
                if most is not None and len(groups) > most:
                    title += f": the {most} largest of {len(groups):,}; --format csv has all"
                    sizes = [max(group["counts"].values()) for group in groups]
                    # Those that are shown stay in their order.
                    chosen = sorted(range(len(groups)), key=lambda row: -sizes[row])[:most]
                    groups = [groups[row] for row in sorted(chosen)]
                names = [name for name in found.values if _is_shown(name, [score])]
                for group in groups:
                    values = [_group_value(group, name, style) for name in names]
                    sums = group_sums(group["counts"], style).values()
                    rows.append([_name_cell(group["group"]), *(Cell(text=text) for text in (*values, *sums))])
                summed = group_sums(dict.fromkeys(found.counts, 0.0), style)
                yield TextTable(title, [found.by, *names, *summed], rows, 1)


SUMMED = ("sum_", "undefined_", "documents_")
"""How counts begin that values are divided from, and that add nothing to them."""


def group_sums(counts: Mapping[str, float], style: NumberFormat) -> dict[str, str]:
    """Write how much of each side of a group was matched, or what else its measure counts."""
    matched = {
        title: show_matched(counts[f"hit_{side}"], counts[f"n_{side}"])
        for side, title in MATCHED.items()
        if f"hit_{side}" in counts
    }
    return matched or {
        name.replace("_", " "): style.count(one) for name, one in counts.items() if not name.startswith(SUMMED)
    }


def _group_value(group: Mapping[str, Any], name: str, style: NumberFormat) -> str:
    sd = group.get("sd", {}).get(name, math.nan)
    return style.within(group["values"][name], group["intervals"].get(name), sd)


def format_matched(score: Score, side: SideName) -> str:
    """Format how much of a side was matched; empty if the measure does not count that."""
    if f"hit_{side}" not in score.counts:
        return ""
    return show_matched(score.counts[f"hit_{side}"], score.counts[f"n_{side}"])


def show_matched(hit: float, items: float) -> str:
    """Write how much of how many items was matched, in every table alike; credit may be partial."""
    return " / ".join(f"{round(one, 2):,}".removesuffix(".0") for one in (hit, items))


def short_labels(labels: Sequence[str]) -> list[str]:
    """Leave out the folder that all labels share, so that a table of several files stays narrow."""
    parents = [PurePath(label).parts[:-1] for label in labels]
    alike = takewhile(lambda parts: len(set(parts)) == 1, zip(*parents, strict=False))
    shared = len(list(alike)) if len(labels) > 1 else 0
    return [str(PurePath(*PurePath(label).parts[shared:])) if shared else label for label in labels]


def legend(report: Results) -> list[str]:
    """Return what the mark and the other columns mean, a line for each."""
    legends = (
        _means_legend,
        _mark_legend,
        _ties_legend,
        _chance_legend,
        _ceiling_legend,
        _systems_legend,
        _bounds_legend,
        _groups_legend,
    )
    return list(filter(None, (one(report) for one in legends)))


def _means_legend(report: Results) -> str | None:
    """Name the values that are not divided from the hits counted in the same row."""
    scores = [score for score in report.scores if score.measure.averaged]
    if not scores:
        return None
    units = " or ".join(dict.fromkeys(f"{score.measure.unit}s" for score in scores))
    text = f"{', '.join(dict.fromkeys(score.spec for score in scores))}: values are means over {units} (macro)"
    counted = any("hit_pred" in score.counts for score in scores) and not report.systems
    return f"{text}; hits and items are counted over all {units} together (micro)" if counted else text


def _groups_legend(report: Results) -> str | None:
    """Name the measures whose items have no groups of a kind that others have."""
    scores = [score for row in report.rows for score in row.scores]
    kinds = {found.by: None for score in scores for found in score.breakdowns}
    without = {
        by: dict.fromkeys(score.spec for score in scores if by not in {found.by for found in score.breakdowns})
        for by in kinds
    }
    return "; ".join(f"no groups by {by}: {', '.join(specs)}" for by, specs in without.items() if specs) or None


def _bounds_legend(report: Results) -> str | None:
    if report.systems or not any(score.bounds for score in report.scores):
        return None
    return (
        "precision_if_wrong, precision_if_right: precision if all unjudged items of the prediction were wrong, or right"
    )


def _systems_legend(report: Results) -> str | None:
    if not report.systems:
        return None
    score = report.systems[0].scores[0]
    level = score.resampling.level
    other = f"other runs and other {score.unit}s" if score.unit else "other runs"
    headlines = " or ".join(dict.fromkeys(one.measure.headline for one in report.systems[0].scores))
    text = f"mean \u00b1 standard deviation over runs [{level:.0%} interval of the mean with {other}]; "
    text += f"between runs: share of the variance of {headlines}"
    if any(one.breakdowns for system in report.systems for one in system.scores):
        text += "; groups: means over the runs that have the group, and of its counts over all runs"
    if any(map(report.errors_of, report.measures)):
        text += "; errors: means over the runs"
    tested = (one for system in report.systems for one in system.scores if one.p_holm)
    bases = dict.fromkeys(one.against for one in tested if one.against)
    if bases:
        others = len(report.systems) - 1
        adjusted = f", Holm over {others} systems" if others > 1 else ""
        text += f"; {MARK} differs from {' or '.join(bases)} (p <= {1 - level:g}, two-level t test{adjusted})"
    return text


def _chance_legend(report: Results) -> str | None:
    scores = [score for score in report.scores if score.chance]
    if not scores:
        return None
    drawn = dict.fromkeys(str(score.chance) for score in scores)
    headlines = " or ".join(dict.fromkeys(score.headline for score in scores))
    return (
        f"chance: mean \u00b1 standard deviation of {headlines} under {' or '.join(drawn)}; "
        "adjusted: 0 is chance, 1 is perfect" + ("; both are means over runs" if report.systems else "")
    )


def _mark_legend(report: Results) -> str | None:
    if not report.comparisons:
        return None
    labels = short_labels([run.label for run in report.runs])
    bases = dict.fromkeys(labels[one.against] for one in report.comparisons if not report.against_several)
    tested = {one.resampling for one in report.comparisons if one.resampling}
    drawn = tested or {score.resampling for score in report.scores if score.resampling}
    shown = " and ".join(f"{1 - level:g}" for level in sorted({one.level for one in drawn}))
    count = len({(one.run, one.against) for one in report.comparisons})
    counted = "pairs" if report.against_several else "predictions"
    adjusted = f", Holm over {count} {counted}" if count > 1 else ""
    tests = " and ".join(dict.fromkeys(score.measure.test for score in report.scores))
    tests += "".join(f", {count_of(one.resamples, 'resample')}, seed {one.seed}" for one in sorted(tested, key=str))
    other = " or ".join(bases) or "what it was tested against"
    return f"{MARK} differs from {other} (p <= {shown}, {tests}{adjusted})"


def _ties_legend(report: Results) -> str | None:
    """Return what letters mean; or that resamples are too few for so many pairs, so that there are none."""
    if not report.ties:
        pairs = math.comb(len(report.rows), 2)
        drawn = [score.resampling for score in report.scores if score.resampling and report.comparisons]
        few = next((one.resamples for one in drawn if not one.separates(pairs)), None)
        text = f"no groups of ties: {few or 0:,} resamples are too few to separate {pairs:,} pairs (--resamples)"
        return text if few else None
    pairs = max(one.pairs for one in report.ties)
    adjusted = f" (Holm over {pairs} pairs)" if pairs > 1 else ""
    return f"{TIES}: {report.row_word}s that share a letter do not differ significantly{adjusted}"


def _ceiling_legend(report: Results) -> str | None:
    scores = [score for score in report.scores if score.combined and score.combined.ceiling]
    if not scores:
        return None
    rules = " or ".join(dict.fromkeys(str(score.combined) for score in scores))
    headlines = " or ".join(dict.fromkeys(score.headline for score in scores))
    return f"ceiling: {headlines} of each gold against the others by {rules}, on average (human ceiling)"


def _other_text(score: Score | SystemScore, name: str, style: NumberFormat, *, runs: int) -> str:
    """Write what a column other than of a value says of a score; empty if that is not known."""
    if name in CHANCE:
        return _chance_text(score, name, style)
    if isinstance(score, SystemScore):
        share = score.values[score.headline].share_of_runs if name == "between runs" else None
        return str(runs) if name == "runs" else "" if share is None else f"{share:.0%}"
    value = None
    if name == CEILING and score.combined and score.combined.ceiling:
        value = score.combined.ceiling[score.headline]
    elif name in BOUNDED and (found := score.bounds.get("precision")):
        value = found.low if name == BOUNDED[0] else found.high
    return "" if value is None else style.value(value)


def _chance_text(score: Score | SystemScore, name: str, style: NumberFormat) -> str:
    if score.chance is None:
        return ""
    expected, sd, adjusted = (
        style.value(found[score.headline]) for found in (score.chance.expected, score.chance.sd, score.chance.adjusted)
    )
    return f"{expected} \u00b1 {sd}" if name == "chance" else adjusted


def is_best(merit: float, rivals: Sequence[float]) -> bool:
    """Return whether no rival is better and one is worse; undefined values are ignored."""
    known = [rival for rival in rivals if rival > -math.inf]
    top = max(known, default=math.inf) - LAST_BITS
    return merit >= top > min(known, default=math.inf)
