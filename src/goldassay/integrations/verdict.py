"""One value of one measure, with the reason for it: what every framework of evaluation asks for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, NamedTuple

from goldassay.core.errors import InputError, UsageError, unknown_choice_error
from goldassay.core.patterns import pattern_of

if TYPE_CHECKING:
    from goldassay.core.matching import Explanation, SideName
    from goldassay.core.measure import Score
    from goldassay.formats.source import Source
    from goldassay.report import Report

NAMED = pattern_of(r"(.+)\.([A-Za-z_]\w*)")


@dataclass(frozen=True, eq=False, kw_only=True)
class Verdict:
    """A value, with the score and the report that it is from.

    Attributes:
        report: The report of one prediction and one measure.
        name: The name of the value, for example ``f1``.

    Example:
        >>> found = judge([("cat", "animal")], [("cat", "animal"), ("dog", "animal")], "literal.recall")
        >>> found.value, found.label
        (0.5, 'literal.recall')
        >>> print(found.reason())
        literal recall is 0.5
        missed 1 of 2, the nearest first
        missed    dog -> animal
          no counterpart (child_present no, parent_present yes, error child unknown)
        literal|edges:given|text:label|gold:2|pred:1|goldassay:0.2.0
    """

    report: Report
    name: str

    @property
    def score(self) -> Score:
        """The score, with all values, counts and evidence."""
        return self.report.runs[0].scores[0]

    @property
    def value(self) -> float:
        """The value."""
        return self.score.values[self.name]

    @property
    def label(self) -> str:
        """What the value is called: the spec of its measure, and its name."""
        return f"{self.score.spec}.{self.name}"

    @property
    def signature(self) -> str:
        """What makes the value reproducible."""
        return str(self.score.signature)

    def reason(self, most: int = 3) -> str:
        """Return what the value is, and which items cost most.

        Args:
            most: How many of the nearest misses of each side are shown.
        """
        return "\n".join([f"{self.score.spec} {self.name} is {self.value:.6g}", *self._misses(most), self.signature])

    def rows(self) -> list[dict[str, Any]]:
        """List every item of both sides, with its verdict and its best counterpart."""
        table = self.score.matching.table()
        return [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]

    def _misses(self, most: int) -> Iterator[str]:
        matching = self.score.matching
        of_pred, of_gold = matching.sizes
        sides: tuple[tuple[str, SideName, int, Sequence[Explanation]], ...] = (
            ("missed", "gold", of_gold, matching.missed(most) if most else ()),
            ("invented", "pred", of_pred, matching.invented(most) if most else ()),
        )
        for title, side, size, misses in sides:
            if misses:
                yield f"{title} {len(matching.failed(side)):,} of {size:,}, the nearest first"
                yield from map(str, misses)


def judge(pred: Any, gold: Any, value: str, **options: Any) -> Verdict:
    """Score one prediction by one value of one measure.

    Args:
        pred: The prediction: a file, a table, a graph, a list; see `goldassay.evaluate`.
        gold: The gold standard, likewise.
        value: ``"fuzzy.f1"``, ``"fuzzy(threshold=0.5).recall"``, or ``"fuzzy"`` for the headline of a measure. The
            measure determines the family.
        **options: What else `goldassay.evaluate` takes.

    Returns:
        The value, with the reason for it.

    Raises:
        InputError: If a file cannot be read as what it should be.
        UsageError: If there is no such measure or value.

    Example:
        >>> judge(["A cat."], ["A cat."], "levenshtein").value
        1.0
    """
    from goldassay.evaluation import evaluate

    measure, name = parse_name(value)
    report = evaluate(pred, gold=gold, kind=measure.family, measures=[measure], **options)
    if len(report.runs) != 1:
        raise UsageError("Only one prediction can be judged at a time.", found=f"{len(report.runs)} predictions")
    return Verdict(report=report, name=name or report.runs[0].scores[0].headline)


def parse_name(value: str) -> tuple[Any, str]:
    """Read the name of a value: its measure, and its own name, empty for the headline.

    Raises:
        UsageError: If there is no such measure or value.

    Example:
        >>> parse_name("fuzzy(threshold=0.5).recall")
        (Fuzzy(...threshold=0.5...), 'recall')
    """
    from goldassay.families import parse

    named = NAMED.fullmatch(value)
    spec, name = named.groups() if named else (value, "")
    measure = parse(spec)
    if name and name not in measure.values:
        raise unknown_choice_error(f"value of {measure.name}", name, measure.values)
    return measure, name


def source(text: str, name: str) -> Source:
    r"""Make a file of a text, such as the answer of a language model.

    Example:
        >>> judge(source("child,parent\ncat,animal", "pred.csv"), [("cat", "animal")], "literal").value
        1.0
    """
    from goldassay.formats.source import Source

    data = text.encode()
    return Source(path=name, name=name.lower(), data=data, size=len(data))


@dataclass(frozen=True, kw_only=True)
class Judge:
    r"""Judges answers and gold answers by one value: what each framework is given.

    Attributes:
        value: The value, as for `judge`.
        name: What a text would be called as a file, where answers are texts; its ending shows the format.
        unreadable: The value of an answer that cannot be read; None for an error.
        misses: How many of the nearest misses of each side a reason shows.
        options: What else `goldassay.evaluate` takes.

    Example:
        >>> found = Judge(value="literal.f1", name="answer.csv", options={"header": "no"})("cat,animal", "cat,animal\ndog,animal")
        >>> round(found.value, 4), found.reason.splitlines()[1]
        (0.6667, 'missed 1 of 2, the nearest first')
        >>> Judge(value="literal.f1", name="answer.csv", unreadable=0.0, options={"header": "no"})("a,b,c,d", "cat,animal").value
        0.0
    """

    value: str
    name: str = "answer.jsonl"
    unreadable: float | None = None
    misses: int = 3
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        parse_name(self.value)

    @property
    def higher_is_better(self) -> bool:
        """Whether a greater value is a better one."""
        return bool(parse_name(self.value)[0].higher_is_better)

    def __call__(self, pred: Any, gold: Any) -> Judgement:
        """Judge one answer.

        Args:
            pred: The answer: a text, or what `goldassay.evaluate` takes.
            gold: The gold answer, likewise.

        Raises:
            InputError: If the answer cannot be read and ``unreadable`` is not given, or if gold cannot be read.
        """
        from goldassay.evaluation import read

        kind = parse_name(self.value)[0].family
        reference = read(self._file(gold, "gold"), kind=kind, **self._reading(kind)) if isinstance(gold, str) else gold
        try:
            found = judge(self._file(pred, "answer"), reference, self.value, **self.options)
        except InputError as error:
            if self.unreadable is None:
                raise
            return Judgement(self.unreadable, f"The answer cannot be read. {error}", "", [])
        return Judgement(found.value, found.reason(self.misses), found.signature, found.rows())

    def _reading(self, kind: str) -> dict[str, Any]:
        """Choose the options by which gold is read."""
        from goldassay.families import family

        known = {field.name for field in fields(family(kind).reading.options)}
        both = {name: value for name, value in self.options.items() if name in known}
        return {**both, **self.options.get("gold_options", {})}

    def _file(self, given: Any, side: str) -> Any:
        return source(given, f"{side}.{self.name.rpartition('.')[2]}") if isinstance(given, str) else given


class Judgement(NamedTuple):
    """What a framework shows of one answer.

    Attributes:
        value: The value.
        reason: The value in words, with the nearest misses and the signature.
        signature: The signature; empty for an answer that could not be read.
        rows: Every item of both sides, with its verdict and its best counterpart.
    """

    value: float
    reason: str
    signature: str
    rows: list[dict[str, Any]]
