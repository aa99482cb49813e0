"""What real predictions score by chance: every pair of the reference data under every null model of its family.

    python benchmarks/chance.py DATA [--draws 100] [--only wordnet]
    python benchmarks/chance.py DATA --speed
    python benchmarks/chance.py DATA --closed-forms [--draws 100000]

DATA is the folder of reference data. The first prints the tables of which docs/chance.md shows a part;
of WordNet there are 20 draws. The second prints how long draws take: seconds by the clock, and by the processors. The third holds
mean and standard deviation of every closed form against those of draws, in standard errors, and fails beyond three.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import goldassay
from goldassay.chance.level import draws_of
from goldassay.core.context import Context
from goldassay.core.counts import Counts, Division
from goldassay.encoders import get_encoder
from goldassay.families import family
from goldassay.unl import Texts, document_of

HERE = Path(__file__).resolve().parent.parent
OF_WORDNET = 20
MOST_ERRORS, COPIES = 3, 100
WINE = "learned/neon-gpt/{}", "learned/neon-gpt/GOLD_wine_w3c.owl"
GRAPHS = [
    *((f"graphs/taxonomy{n}.rdf", "graphs/breast_neoplasm_taxonomy.owl") for n in (1, 2, 3)),
    ("graphs/taxonomy3.rdf", "graphs/symbolic_taxonomy.rdf"),
    ("graphs/taxonomy2.rdf", "graphs/taxonomy1.rdf"),
    ("hierarchies/closure/DO_cancer_slim_2026-07-31.obo", "hierarchies/closure/DO_cancer_slim_2022-04-28.obo"),
    (WINE[0].format("gpt-4o-ontologies/gpt4_wine_syntax_logic_consist_fixed.ttl"), WINE[1]),
    (WINE[0].format("llama4-ontologies/wine_llama_syntax_logic_consist_fixed.ttl"), WINE[1]),
]
TAXO = [
    ("science_taxi_pruned", "science"),
    ("science_semantic", "science"),
    ("environment_perturbed", "environment_eurovoc"),
]
AXIOMS = [(f"axioms/bigbasket_threshold_{n}.csv", "axioms/bigbasket_gold.csv") for n in ("093", "098", "099", "1")]
SYSTEMS = ("ALOD2Vec", "AML", "DOME", "FCAMapX", "Lily", "LogMapLt")
CONFERENCE = ("ALIN", "ALOD2Vec", "AML", "DOME", "Lily", "LogMapLt")
SSSOM = [("alignments/sssom/mp_hp_pistoia.sssom.tsv", "alignments/sssom/mp_hp_mgi_all.sssom.tsv")]
RANKING = "alignments/rank_chance/deeponto_example_{}candidate_mappings.tsv"
TRIPLES = [
    ("triples/webnlg/Cands2.xml", "triples/webnlg/Refs.xml"),
    *(
        (f"triples/edc/{name}_pred_{how}.txt", f"triples/edc/{name}_ref.txt")
        for name in ("rebel", "webnlg")
        for how in ("light", "heavy")
    ),
    *(
        (f"triples/pive/webnlg20_pred_{how}.jsonl", "triples/pive/webnlg20_gold.jsonl")
        for how in ("light", "mixed", "heavy")
    ),
]
TEKGEN = "triples/text2kgbench/wikidata_tekgen"


@dataclass
class Pair:
    """A prediction and gold, as files or models, and the measures that they are scored by."""

    kind: str
    name: str
    pred: Any
    gold: Any
    measures: list[str]
    reading: dict[str, Any] = field(default_factory=dict)
    draws: int | None = None


def named(pred: str, gold: str) -> str:
    """Name a pair of files."""
    names = [Path(side).name.split(".")[0] for side in (pred, gold)]
    return (
        " / ".join(names) if len(set(names)) > 1 else f"{Path(pred).parent.name} / {Path(gold).parent.name} {names[0]}"
    )


def of_files(
    data: Path, kind: str, files: list[tuple[str, str]], measures: list[str], **reading: Any
) -> Iterator[Pair]:
    """Give pairs of files."""
    for pred, gold in files:
        yield Pair(kind, named(pred, gold), data / pred, data / gold, measures, reading)


def graphs(data: Path) -> Iterator[Pair]:
    """Give the pairs of taxonomies."""
    yield from of_files(data, "taxonomy", GRAPHS, ["fuzzy", "literal"])
    for pred, gold in TAXO:
        sides = [data / "hierarchies" / "texeval" / name for name in (f"{pred}.sys.taxo", f"{gold}.taxo")]
        yield Pair("taxonomy", f"{pred} / {gold} (TExEval)", *map(taxo, sides), ["fuzzy", "literal"])
    files = [("graphs/wordnet_pred.tsv", "graphs/wordnet_gold.tsv")]
    for pair in of_files(data, "taxonomy", files, ["fuzzy", "literal"]):
        pair.draws = OF_WORDNET
        yield pair


def taxo(path: Path) -> Any:
    """Read a taxonomy of TExEval: a number, a child and its parent in each line."""
    with path.open(encoding="utf-8", newline="") as lines:
        rows = [row for row in csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE) if len(row) > 2]
    return goldassay.Graph.from_edges([(child.strip(), parent.strip()) for _, child, parent, *_ in rows])


def others(data: Path) -> Iterator[Pair]:
    """Give the pairs of all other families."""
    yield from of_files(data, "axioms", AXIOMS, ["weighted"])
    anatomy = [(f"alignments/anatomy/{one}.rdf", "alignments/anatomy/reference.xml") for one in SYSTEMS]
    yield from of_files(data, "alignment", anatomy, ["overlap"])
    for system in CONFERENCE:
        sides = [data / "alignments" / "conference" / name for name in (system, "reference")]
        yield Pair("alignment", f"{system} / conference, 21 test cases", *sides, ["overlap", "macro_overlap"])
    yield from of_files(data, "alignment", SSSOM, ["overlap"])
    yield from rankings(data)
    yield from answers(data)
    yield from of_files(data, "triples", TRIPLES, ["triples", "entities", "relations"], repeated="last")
    for path in sorted((data / TEKGEN / "ground_truth").glob("*.jsonl"), key=lambda one: int(one.name.split("_")[1])):
        topic = path.name.removesuffix("_ground_truth.jsonl")
        pred = data / TEKGEN / "Alpaca-LoRA-13B" / f"{topic}_lora-13b_responses_v2.jsonl"
        yield Pair(
            "triples", f"Alpaca-LoRA-13B / {topic}", pred, path, ["triples", "text2kgbench"], {"repeated": "last"}
        )
    for name in ("do_cancer", "go_nucleus"):
        folder = data / "hierarchies" / "labels"
        sides = [folder / f"{name}_pred" / "system.tsv", folder / f"{name}_gold.tsv"]
        hierarchy = {"hierarchy": str(folder / f"{name}_hierarchy.tsv")}
        yield Pair("labels", name, *sides, ["hierarchical", "lca", "wu_palmer", "weighted_fmax", "smin"], hierarchy)


def rankings(data: Path) -> Iterator[Pair]:
    """Give the rankings, each with its own references as gold."""
    for word in ("scored_", "bio-llm_"):
        path = data / RANKING.format(word)
        pred = goldassay.read(path, kind="alignment")
        queries = pred.candidates.queries
        ends = zip(queries.sources.tolist(), queries.targets.tolist(), strict=True)
        gold = goldassay.alignments.Alignment.from_rows([(pred.terms[s], pred.terms[t]) for s, t in ends])
        measures = ["mean_rank", "mrr", "hit_at_k(k=10)"]
        yield Pair("alignment", path.name.removesuffix("_candidate_mappings.tsv"), path, gold, measures)


def answers(data: Path) -> Iterator[Pair]:
    """Give the pairs of UNL, sentences and concepts."""
    cases = json.loads((data / "expected" / "unl_cases.json").read_text(encoding="utf-8"))["cases"]
    sides = [
        document_of("".join(f"[S:{row}]{{unl}}\n{case[side]}\n{{/unl}}[/S]" for row, case in enumerate(cases)))
        for side in ("actual", "expected")
    ]
    yield Pair("unl", "cases worked by hand", *sides, ["discrepancy", "unl_relations", "unl_uws", "unl_attributes"])
    with (data / "longform" / "test1ChatGPT_.csv").open(encoding="utf-8", newline="") as lines:
        notes = list(csv.DictReader(lines))
    columns = ("note", "Reference Summaries")
    ids = tuple(row["encounter_id"] for row in notes)
    texts = [Texts(ids=ids, wordings=tuple((row[name],) for row in notes)) for name in columns]
    yield Pair("sentences", "ChatGPT notes / reference summaries", *texts, ["levenshtein(profile=latest, limit=0.6)"])
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, f"{name}.jsonl") for name in ("note", "summary")]
        for path, name in zip(paths, columns, strict=True):
            lines = [json.dumps({"id": row["encounter_id"], "text": row[name]}) for row in notes]
            path.write_text("\n".join(lines), encoding="utf-8")
        dictionary = str(HERE / "examples" / "concepts" / "health.obo")
        models = [goldassay.read(path, kind="concepts", dictionary=dictionary) for path in paths]
    measures = ["concept", "concept_exact"]
    yield Pair("concepts", "ChatGPT notes / reference summaries", *models, measures)
    run = json.loads((data / "expected" / "concepts.json").read_text(encoding="utf-8"))["runs"][0]
    sides = [
        goldassay.concepts.Concepts.from_lists({row["id"]: row[side] for row in run["rows"]})
        for side in ("system", "gold")
    ]
    yield Pair("concepts", "cases worked by hand", *sides, [f"concept(epsilon={run['epsilon']})", "concept_exact"])


def drawn(pair: Pair, *, draws: int, encoder: Any) -> Iterator[tuple[str, Any]]:
    """Score a pair under every null model of its family, and give the null model and each score."""
    sides = [
        goldassay.read(side, kind=pair.kind, **pair.reading) if isinstance(side, Path) else side
        for side in (pair.pred, pair.gold)
    ]
    for null in family(pair.kind).trust.nulls:
        started = time.perf_counter()
        chance = goldassay.Chance(null=null, draws=pair.draws or draws)
        options = {"kind": pair.kind, "measures": pair.measures, "encoder": encoder, "chance": chance}
        report = goldassay.evaluate(sides[0], gold=sides[1], **options)
        print(f"{pair.name} {null} {time.perf_counter() - started:.1f} s", file=sys.stderr, flush=True)
        yield from ((null, score) for score in report.runs[0].scores)


def graph_table(pairs: list[Pair], *, draws: int, encoder: Any) -> Iterator[str]:
    """Write a row for each pair and measure, with a column for each null model."""
    nulls = list(family("taxonomy").trust.nulls)
    yield f"| prediction / gold | measure | score | {' | '.join(nulls)} |"
    yield "|---|---|---:|" + "---:|" * len(nulls)
    for pair in pairs:
        rows: dict[str, dict[str, str]] = {}
        values = {}
        for null, score in drawn(pair, draws=draws, encoder=encoder):
            values[score.spec] = score.values[score.headline]
            rows.setdefault(score.spec, {})[null] = cell(score)
        for spec, cells in rows.items():
            yield f"| {pair.name} | `{spec}` | {values[spec]:.4f} | {' | '.join(cells[null] for null in nulls)} |"


def cell(score: Any) -> str:
    """Write what chance gives, and the adjusted score."""
    level, value = score.chance, score.headline
    adjusted = level.adjusted[value]
    return f"{level.expected[value]:.3f} ± {level.sd[value]:.3f}; {'-' if math.isnan(adjusted) else f'{adjusted:.3f}'}"


def other_table(pairs: list[Pair], *, draws: int, encoder: Any) -> Iterator[str]:
    """Write a row for each pair, measure and null model."""
    yield "| family | prediction / gold | measure | score | null model | by chance | percentile | adjusted |"
    yield "|---|---|---|---:|---|---:|---:|---:|"
    for pair in pairs:
        for null, score in drawn(pair, draws=draws, encoder=encoder):
            if score.chance is None:
                continue
            value, level = score.headline, score.chance
            adjusted = "-" if math.isnan(level.adjusted[value]) else f"{level.adjusted[value]:.4f}"
            chance = f"{level.expected[value]:.4f} ± {level.sd[value]:.4f}"
            yield (
                f"| {pair.kind} | {pair.name} | `{score.spec}` | {score.values[value]:.4f} | {null} | {chance} | "
                f"{level.percentile[value]:.0f} | {adjusted} |"
            )


def speed(data: Path) -> None:
    """Print how long draws of fuzzy take, everything included."""
    for name, draws in (("breast", 100), ("wordnet", OF_WORDNET)):
        pair = next(pair for pair in graphs(data) if name in pair.name)
        for null in family("taxonomy").trust.nulls:
            encoder = get_encoder("minilm", cache="default")
            clock, processors = time.perf_counter(), time.process_time()
            chance = goldassay.Chance(null=null, draws=draws)
            goldassay.evaluate(pair.pred, gold=pair.gold, measures="fuzzy", encoder=encoder, chance=chance)
            clock, processors = time.perf_counter() - clock, time.process_time() - processors
            print(f"{pair.name:<40} {null:<14} {draws:>4} draws {clock:6.1f} s, {processors:6.1f} s of processors")


def closed_forms(data: Path, draws: int) -> Iterator[tuple[str, Any, Any, Any]]:
    """Draw where a closed form is known: give what is drawn from, the measure, its moments and the values of the draws."""
    null = family("taxonomy").trust.nulls["random-edges"]
    pred, gold = (
        without_loops(data / "graphs" / "chance" / f"taxonomy3_vs_symbolic.{side}.tsv") for side in ("pred", "gold")
    )
    literal, chance = family("taxonomy").measures.parse("literal"), goldassay.Chance(null="random-edges", draws=draws)
    sides = {"pred": pred, "gold": gold, "context": Context()}
    (found,) = draws_of(family("taxonomy"), [literal], **sides, chance=chance)
    name = "random edges: taxonomy3 / symbolic_taxonomy"
    yield name, literal, null.moments(literal, literal.match(**sides)), found["f1"]
    name = "random order: 40 lists of 3 to 59 candidates"
    for measure, (moments, values) in ranks_drawn(data, draws).items():
        yield name, measure, moments, values


def ranks_drawn(data: Path, draws: int) -> dict[Any, tuple[Any, Any]]:
    """Draw ranks: many copies of the lists are ordered at once, and each copy is one draw."""
    path = data / "alignments" / "rank_chance" / "expected" / "rank_chance.json"
    messages = json.loads(path.read_text(encoding="utf-8"))["unequal_pools"]
    # Two more references of the first list, since ranks of one list are not independent.
    extra = [rank for rank in range(1, 4) if rank != messages["ranks"][0]][:2]
    references = [*enumerate(messages["ranks"]), *((0, rank) for rank in extra)]

    def copied(copies: int) -> list[Any]:
        sides = [
            [(f"{row}#{copy}", f"{row}.{place}#{copy}") for copy in range(copies) for row, place in places]
            for places in (
                [(row, place) for row, pool in enumerate(messages["pools"]) for place in range(1, pool + 1)],
                references,
            )
        ]
        return [goldassay.alignments.Alignment.from_rows(rows) for rows in sides]

    null, rng = family("alignment").trust.nulls["random-order"], np.random.default_rng(0)
    specs = ("mean_rank", "mrr", "hit_at_k(k=1)", "hit_at_k(k=10)", "mrr(first=true)")
    measures = [family("alignment").measures.parse(spec) for spec in specs]
    found: dict[Any, list[Any]] = {measure: [] for measure in measures}
    pred, gold = copied(COPIES)
    for _ in range(draws // COPIES):
        context, drawn = Context(), null.draw(pred, gold, rng)
        for measure in measures:
            units = measure.units(measure.match(pred=drawn, gold=gold, context=context))
            copy = [int(key.rpartition("#")[2]) for key in units.keys.tolist()]
            sums = {one: np.bincount(copy, weights=column) for one, column in units.counts.items()}
            found[measure].append(measure.divide(Counts(sums), Division(0.0))[measure.headline])
    pred, gold = copied(1)
    exact = {one: null.moments(one, one.match(pred=pred, gold=gold, context=Context())) for one in measures}
    return {one: (exact[one], np.concatenate(found[one])) for one in measures}


def without_loops(path: Path) -> Any:
    """Read a table of child and parent without its self-loops, which no random edge is."""
    with path.open(encoding="utf-8", newline="") as lines:
        _, *rows = csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
    return goldassay.Graph.from_edges([(child, parent) for child, parent in rows if child != parent])


def held_against_draws(data: Path, draws: int) -> Iterator[str]:
    """Write a row for each closed form: its moments, those of draws, and the differences in standard errors."""
    yield "| draws | measure | expected | mean of draws | standard errors | sd | sd of draws | standard errors |"
    yield "|---|---|---:|---:|---:|---:|---:|---:|"
    for name, measure, exact, values in closed_forms(data, draws):
        # The F1 of as many edges is a multiple of the hits, so that one value shows all.
        mean, sd = (measure.divide(one, Division(0.0))[measure.headline] for one in (exact.expected, exact.sd))
        off = (values.mean() - mean) / (values.std() / len(values) ** 0.5)
        fourth = ((values - values.mean()) ** 4).mean()
        spread = (values.var() - sd**2) / ((fourth - values.var() ** 2) / len(values)) ** 0.5
        yield (
            f"| {name} | `{measure}` | {mean:.6f} | {values.mean():.6f} | {off:+.2f} | {sd:.6f} | {values.std():.6f} | "
            f"{spread:+.2f} |"
        )
        if max(abs(off), abs(spread)) > MOST_ERRORS:
            raise SystemExit(f"{measure}, {name}: beyond {MOST_ERRORS} standard errors")


def main() -> None:
    """Print or write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--draws", type=int)
    parser.add_argument("--only", default="", help="pairs whose name has this word")
    parser.add_argument("--speed", action="store_true")
    parser.add_argument("--closed-forms", action="store_true")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    if given.speed:
        speed(given.data)
        return
    if given.closed_forms:
        for line in held_against_draws(given.data, given.draws or 100_000):
            print(line, flush=True)
        return
    options = {"draws": given.draws or 100, "encoder": get_encoder("minilm", cache="default")}
    chosen = [[pair for pair in made(given.data) if given.only in pair.name] for made in (graphs, others)]
    lines = [*graph_table(chosen[0], **options), "", *other_table(chosen[1], **options)]
    print("\n".join(lines))


if __name__ == "__main__":
    main()
