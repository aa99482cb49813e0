"""Flags that commands share, in groups: each group is a dataclass, and a command has a flag for each of its fields."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeAlias, get_args

import typer

from goldassay.cli.flags import given_flags, note_unused
from goldassay.core.combination import Rule
from goldassay.core.errors import EncoderError, MissingDependencyError, UsageError
from goldassay.core.parameters import parameter
from goldassay.core.partial import Completeness
from goldassay.core.text import NumberFormat
from goldassay.engines import EngineName
from goldassay.request import argument

if TYPE_CHECKING:
    from goldassay.core.chance import Chance
    from goldassay.core.context import Encoder
    from goldassay.core.measure import Measure
    from goldassay.core.null import Null
    from goldassay.core.significance import Resampling
    from goldassay.report.gates import Checks


READING, MEANING, ENGINE = "Reading", "Meaning", "Engine"
OUTPUT, CONFIDENCE, GATES = "Output", "Confidence", "Gates"
Layout: TypeAlias = Literal["text", "json", "csv", "markdown", "latex", "github"]
WHOLE = ("json", "csv")
"""The layouts that never round a number."""
WITH_DETAILS = ("text", "markdown")
"""The layouts that can show items below the table."""
ELSEWHERE = {".html": "--report", ".svg": "--figure", ".png": "--figure", ".parquet": "--explain"}
"""The flags that write what is no text, by the suffix."""
OF_ENCODER = ("encoder", "model_path", "download", "no_cache")
"""The flags that only measures of meaning use."""

MEASURE: Mapping[str, Any] = {
    "metavar": "SPEC",
    "flag": "--measure -m",
    "help": "A measure, for example 'fuzzy(threshold=0.5)' (see goldassay measures); repeatable.",
}
"""The flag that takes measures."""
OPTION: Mapping[str, Any] = {
    "metavar": "NAME=VALUE",
    "help": "An option of the family's reader, such as text=iri; repeatable.",
}
"""The flag that takes options of readers, where the family is not known before."""
DATABASE: Mapping[str, Any] = {
    "metavar": "URL",
    "help": "The database, such as postgresql://USER@HOST/NAME; a file of SQLite if not given.",
}
DATA: Mapping[str, Any] = {
    "metavar": "FOLDER",
    "help": "Folder for uploads and results. Default: next to the challenge.",
}
"""The flags that find what a leaderboard keeps."""
Preds = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="PRED",
        help="Predictions to score: files, NAME=FILE, quoted patterns, folders, or - for standard input.",
        show_default=False,
    ),
]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ScoringOptions:
    """What is scored, and how; of texts the first prediction belongs to the first gold text, and so on."""

    panel: ClassVar[str | None] = None

    runs: list[str] | None = parameter(
        None,
        metavar="NAME=PATTERN",
        help="Repeated runs of a system, for example 'gpt=runs/gpt-*'; repeatable, instead of PRED.",
    )
    gold: list[str] | None = parameter(None, metavar="FILE", flag="--gold -g", help="The gold standard; repeatable.")
    pred_texts: list[str] | None = parameter(
        None, metavar="TEXT", flag="--text", help="A text to score, instead of PRED; repeatable."
    )
    gold_texts: list[str] | None = parameter(
        None, metavar="TEXT", flag="--gold-text", help="A gold text, instead of --gold; repeatable."
    )
    combine: Rule | None = argument("combine")
    measure: list[str] | None = parameter(None, **MEASURE)
    as_: str | None = argument("as_")
    sweep: bool = parameter(False, help="Show the values at every threshold, instead of the scores at one.")
    by: list[str] | None = argument("by")


Memory = Annotated[
    int,
    typer.Option("--memory", metavar="MB", min=1, help="Memory for matching, in megabytes.", rich_help_panel=MEANING),
]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Encoding:
    """The encoder."""

    panel: ClassVar[str] = MEANING

    encoder: str = argument("encoder")
    model_path: Path | None = parameter(None, metavar="PATH", help="Path of the encoder's weights.")
    download: bool = parameter(False, help="Allow downloading the encoder's weights.")
    no_cache: bool = parameter(False, help="Do not use the embedding cache.")

    def load_for(self, measures: Sequence[Any]) -> str | Encoder:
        """Load the encoder if any of the measures needs one; where it is not to be had, name one that needs none."""
        if not any(measure.needs_encoder for measure in measures):
            note_unused(OF_ENCODER, "no measure compares meanings")
            return self.encoder
        from goldassay.core.timing import stage

        try:
            with stage("loading the encoder", self.encoder):
                return self.load_encoder()
        except (EncoderError, MissingDependencyError) as error:
            from goldassay.families import family

            plain = [one.name for one in family(measures[0].family).measures.classes if not one().needs_encoder]
            without = f"or -m {plain[0]}, which needs no encoder" if plain else ""
            error.hint = "    ".join(filter(None, [error.hint, without]))
            raise

    def load_encoder(self) -> Encoder:
        """Load the encoder."""
        from goldassay.encoders import get_encoder

        cache: Literal["default"] | None = None if self.no_cache else "default"
        return get_encoder(self.encoder, model_path=self.model_path, download=self.download, cache=cache)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Vectors(Encoding):
    """The encoder, and the memory limit of matching."""

    memory: Memory = 512


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Named:
    """Flags that have the names of arguments of `goldassay.evaluate`."""

    def given(self) -> dict[str, str]:
        """Name what was asked for."""
        return {name: value for name, value in vars(self).items() if value is not None}


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class PlaceOptions(Named):
    """Where it is done, if not in this process."""

    panel: ClassVar[str] = ENGINE

    engine: EngineName | None = argument("engine")
    spark_remote: str | None = argument("spark_remote")
    spark_vectors: str | None = argument("spark_vectors")


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class PartialGoldOptions(Named):
    """What a gold standard can judge, if not all."""

    panel: ClassVar[str] = READING

    judged: str | None = argument("judged")
    ignore: str | None = argument("ignore")
    scope: str | None = argument("scope")
    completeness: Completeness | None = argument("completeness")


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Output:
    """Output of a scoring command."""

    panel: ClassVar[str] = OUTPUT

    layout: Layout = parameter(
        None,
        metavar="FORMAT",
        flag="--format",
        help="Format of the report: text, json, csv, markdown, latex or github (Markdown for a pull request). Default: "
        "by the suffix of --output, otherwise text.",
    )
    output: Path | None = parameter(
        None, metavar="FILE", flag="--output -o", help="Write the report to a file instead of the screen."
    )
    explain: Path | None = parameter(
        None,
        metavar="FILE",
        help="Write every item with its verdict and best counterpart (.tsv .csv .parquet .jsonl .xlsx).",
    )
    evidence: bool = parameter(
        False,
        help="With --format json: keep every item, so that a page can be made from it later (goldassay compare --report).",
    )
    report: Path | None = parameter(
        None, metavar="FILE", help="Write an HTML page with scores, figures and every item; it needs no network."
    )
    figure: Path | None = parameter(
        None, metavar="FILE", help="Draw a slide, 16:9: the finding and the forest plots (.svg .png)."
    )
    misses: int = parameter(0, metavar="N", bounds=(0, math.inf), help="Show the N nearest misses of each score.")
    pivot: bool = parameter(
        False,
        help="Show one table of main values: predictions as rows, measures as columns; with --by also one of the groups of each measure.",
    )
    hubs: int = parameter(
        0,
        metavar="N",
        bounds=(0, math.inf),
        help="Show the N predicted items of each score that match the most gold items.",
    )
    places: int = parameter(
        4, metavar="N", bounds=(0, 15), help="Number of decimal places in text, Markdown and LaTeX."
    )
    percent: bool = parameter(False, help="Show shares in percent.")
    quiet: bool = parameter(False, flag="--quiet -q", help="Hide progress and notes; warnings are still shown.")
    verbose: bool = parameter(False, flag="--verbose -v", help="Log each step and its duration to standard error.")
    formulas: bool = parameter(False, help="Do not escape cells of CSV that a spreadsheet would run as formulas.")

    def __post_init__(self) -> None:
        from goldassay.report.files import layout_for

        object.__setattr__(self, "layout", layout_for(self.layout, self.output, get_args(Layout), ELSEWHERE))

    @property
    def style(self) -> NumberFormat:
        """How numbers are written."""
        return NumberFormat(self.places, self.percent)

    def check_percent(self, measures: Iterable[Measure[Any, Any]]) -> None:
        """Reject percentages of what is no share, such as a rank."""
        from goldassay.core.measure import refuse_percentages

        if self.percent:
            refuse_percentages(measures)

    def check(self, inputs: Iterable[str | Path] = ()) -> None:
        """Reject outputs that cannot be written, before any work is done."""
        from goldassay.core.errors import UsageError
        from goldassay.report.explain import check_explain_path
        from goldassay.report.files import check_outputs

        if self.evidence and self.layout != "json":
            raise UsageError(
                "--evidence needs --format json.",
                found=f"--evidence --format {self.layout}",
                hint="--evidence --format json",
            )
        usual = Output()
        for name in ("places", "percent"):
            if (
                self.layout in WHOLE
                and not (self.report or self.figure)
                and getattr(self, name) != getattr(usual, name)
            ):
                raise UsageError(
                    f"--format {self.layout} writes numbers in full; --{name} has no effect.",
                    hint=f"leave out --{name}",
                )
        if self.formulas and self.layout != "csv" and not (self.explain and self.explain.suffix.lower() == ".csv"):
            raise UsageError("--formulas needs --format csv.", hint="--format csv, or --explain FILE.csv")
        if self.quiet and self.verbose:
            raise UsageError("--quiet and --verbose cannot be given together.")
        check_outputs(self.written, inputs)
        if self.explain:
            check_explain_path(self.explain)
        if self.layout not in WITH_DETAILS and (self.misses or self.hubs):
            flag = "--misses" if self.misses else "--hubs"
            shown = "lists the items of its own accord" if self.layout == "github" else "shows no items"
            raise UsageError(
                f"--format {self.layout} {shown}; {flag} has no effect.",
                hint="--explain FILE writes every item",
            )
        if self.pivot:
            self._check_pivot()
        self._check_pictures()

    @property
    def written(self) -> dict[str, Path | None]:
        """The files that are written, by flag."""
        return {f"--{name}": getattr(self, name) for name in ("output", "explain", "report", "figure")}

    def _check_pictures(self) -> None:
        if self.report:
            from goldassay.report.html import check_page

            check_page(self.report)
        if self.figure:
            from goldassay.report.figure import check_figure

            check_figure(self.figure)

    def _check_pivot(self) -> None:
        from goldassay.report.pivot import PIVOTED

        if self.layout not in PIVOTED:
            raise UsageError(
                "--pivot has no such format.", found=f"--format {self.layout}", expected=", ".join(PIVOTED)
            )
        for name in ("misses", "hubs"):
            if getattr(self, name):
                raise UsageError(f"--pivot shows no items; --{name} has no effect.", hint=f"leave out --{name}")

    def check_without_items(self, engine: str) -> None:
        """Reject what shows items, where these stay in the workers, or on an engine that writes them only as Parquet."""
        tasks = engine == "spark-tasks"
        for name in ("explain", "evidence", "misses", "hubs") if tasks else ("evidence", "misses", "hubs"):
            if getattr(self, name):
                raise UsageError(
                    "Tasks of a cluster give values and counts back, and no items."
                    if tasks
                    else f"The items stay on the engine {engine}.",
                    found=f"--{name}",
                    hint="score that prediction without --engine" if tasks else "--explain FILE.parquet writes them",
                )
        if self.explain and self.explain.suffix.lower() != ".parquet":
            raise UsageError("An engine writes evidence only as Parquet.", found=f"--explain {self.explain}")


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Confidence:
    """Flags for confidence intervals and tests."""

    panel: ClassVar[str] = CONFIDENCE

    ci: bool = parameter(
        False, help="Compute bootstrap confidence intervals, and test several predictions against one."
    )
    level: float = parameter(0.95, metavar="SHARE", help="Confidence level of the intervals.")
    resamples: int = parameter(10000, metavar="N", help="Number of resamples.")
    ci_method: Literal["bca", "percentile"] = parameter(
        "bca", help="Bias-corrected and accelerated (bca), or percentile."
    )
    ci_unit: str | None = parameter(
        None,
        metavar="NAME",
        help="Resample whole units instead of items: subject, class, document or case, depending on the family.",
    )
    seed: int = parameter(0, metavar="N", help="Random seed.")
    against: list[str] | None = argument("against")

    chance: bool = argument("chance")
    null: str | None = parameter(
        None,
        metavar="MODEL",
        help="Null model of --chance (implies --chance): shuffle-texts, rewire, random-edges, ...",
    )
    draws: int = parameter(100, metavar="N", help="Draws of --chance.")
    no_selfcheck: bool = parameter(
        False, help="Do not check whether the default measures separate good from bad on the gold standard."
    )

    def drawing(self, nulls: Mapping[str, Null[Any]]) -> Chance | Literal[False]:
        """Return how chance is drawn; False if it is not."""
        from goldassay.core.chance import Chance

        chance = Chance(null=self.null or "", draws=self.draws, seed=self.seed)
        if self.null == "":
            raise UsageError(
                "--null needs the name of a null model.", found="--null ''", hint="--chance takes that of the family"
            )
        if not (self.chance or self.null) and self.draws != Chance().draws:
            raise UsageError("--draws has no effect without --chance.", hint="--chance")
        drawn = given_flags(["draws"] if self.ci else ["draws", "seed"])
        if drawn and self.null is not None and self.null in nulls and nulls[self.null].certain:
            raise UsageError(
                f"{drawn[0]} has no effect with --null {self.null}, whose draws are all the same.",
                hint=f"leave out {drawn[0]}",
            )
        return chance if self.chance or self.null else False

    def resampling(self) -> Resampling:
        """Return how to draw resamples."""
        from goldassay.core.significance import Resampling

        return Resampling(
            resamples=self.resamples, level=self.level, method=self.ci_method, seed=self.seed, unit=self.ci_unit or ""
        )

    def intervals(self) -> Resampling | Literal[False]:
        """Return how intervals are drawn; False if it is not."""
        drawn = self.resampling()
        if self.ci:
            return drawn
        usual = Confidence()
        if self.seed and not (self.chance or self.null):
            raise UsageError("--seed has no effect without --ci or --chance.", hint="--ci")
        for name in ("level", "resamples", "ci_method", "ci_unit", "against"):
            if getattr(self, name) != getattr(usual, name):
                flag = f"--{name.replace('_', '-')}"
                raise UsageError(f"{flag} has no effect without --ci.", hint="--ci")
        return False


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Gates:
    """Bounds for the report; if one is not reached, the exit code is 1."""

    panel: ClassVar[str] = GATES

    fail_under: list[str] | None = parameter(
        None,
        metavar="BOUND",
        help="Exit with code 1 if a value is below its bound, for example f1=0.8, or MEASURE.f1=0.8; repeatable.",
    )
    baseline: Path | None = parameter(
        None, metavar="REPORT", help="Exit with code 1 if a value is worse than in this saved report (.json)."
    )
    max_drop: float = parameter(
        0.0, metavar="BY", bounds=(0.0, math.inf), help="How much worse than the baseline a value may be."
    )

    def opened(self, measures: Sequence[Measure[Any, Any]] = ()) -> Checks:
        """Read the bounds and the earlier report, before any work is done."""
        from goldassay.report.gates import Checks, Gate, check_gates

        if self.max_drop and not self.baseline:
            raise UsageError("--max-drop needs --baseline.", hint="--baseline REPORT")

        bounds = tuple(Gate.parse(text) for text in self.fail_under or ())
        if measures:
            check_gates(bounds, measures)
        if not self.baseline:
            return Checks(gates=bounds)
        from goldassay.saved import load

        return Checks(gates=bounds, baseline=load(self.baseline), max_drop=self.max_drop)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Scoring:
    """The flags of every scoring command."""

    output: Output
    confidence: Confidence
    gates: Gates
