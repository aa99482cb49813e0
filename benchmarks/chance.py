"""What real predictions score by chance: every pair of the reference data under every null model of its family.

    python benchmarks/chance.py DATA [--draws 100] [--wordnet]

prints the table of docs/chance.md. DATA is the folder of reference data.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
import warnings
from pathlib import Path

import goldassay
from goldassay.encoders import get_encoder
from goldassay.families import family
from goldassay.unl import document_of

GRAPHS = [
    *((f"graphs/taxonomy{n}.rdf", "graphs/breast_neoplasm_taxonomy.owl") for n in (1, 2, 3)),
    ("graphs/taxonomy3.rdf", "graphs/symbolic_taxonomy.rdf"),
    ("graphs/taxonomy2.rdf", "graphs/taxonomy1.rdf"),
    ("hierarchies/closure/DO_cancer_slim_2026-07-31.obo", "hierarchies/closure/DO_cancer_slim_2022-04-28.obo"),
    (
        "learned/neon-gpt/gpt-4o-ontologies/gpt4_wine_syntax_logic_consist_fixed.ttl",
        "learned/neon-gpt/GOLD_wine_w3c.owl",
    ),
    (
        "learned/neon-gpt/llama4-ontologies/wine_llama_syntax_logic_consist_fixed.ttl",
        "learned/neon-gpt/GOLD_wine_w3c.owl",
    ),
]
AXIOMS = [(f"axioms/bigbasket_threshold_{n}.csv", "axioms/bigbasket_gold.csv") for n in ("093", "098", "099", "1")]
ANATOMY = [
    (f"alignments/anatomy/{system}.rdf", "alignments/anatomy/reference.xml")
    for system in ("ALOD2Vec", "AML", "DOME", "FCAMapX", "Lily", "LogMapLt")
]
CONFERENCE = [
    (f"alignments/conference/{system}/cmt-conference.rdf", "alignments/conference/reference/cmt-conference.rdf")
    for system in ("ALIN", "ALOD2Vec", "AML", "DOME", "Lily", "LogMapLt")
]
SSSOM = [("alignments/sssom/mp_hp_pistoia.sssom.tsv", "alignments/sssom/mp_hp_mgi_all.sssom.tsv")]
RANKING = "alignments/rank_chance/deeponto_example_{}candidate_mappings.tsv"


def pairs(data):
    """Give kind, name, prediction, gold and measures of every pair."""
    for pred, gold in GRAPHS:
        yield "taxonomy", data / pred, data / gold, ["fuzzy", "literal"]
    for pred, gold in AXIOMS:
        yield "axioms", data / pred, data / gold, ["weighted"]
    for pred, gold in [*ANATOMY, *CONFERENCE, *SSSOM]:
        yield "alignment", data / pred, data / gold, ["overlap"]
    for word in ("scored_", "bio-llm_"):
        path = data / RANKING.format(word)
        pred = goldassay.read(path, kind="alignment")
        queries = pred.candidates.queries
        ends = zip(queries.sources.tolist(), queries.targets.tolist(), strict=True)
        gold = goldassay.alignments.Alignment.from_rows([(pred.terms[s], pred.terms[t]) for s, t in ends])
        yield "alignment", path, gold, ["mean_rank", "mrr", "hit_at_k(k=10)"]
    cases = json.loads((data / "expected" / "unl_cases.json").read_text(encoding="utf-8"))["cases"]
    pred, gold = (
        document_of("".join(f"[S:{row}]{{unl}}\n{case[side]}\n{{/unl}}[/S]" for row, case in enumerate(cases)))
        for side in ("actual", "expected")
    )
    yield "unl", pred, gold, ["unl_relations", "unl_uws"]
    for _number, run in enumerate(
        json.loads((data / "expected" / "concepts.json").read_text(encoding="utf-8"))["runs"][:1]
    ):
        sides = [
            goldassay.concepts.Concepts.from_lists({row["id"]: row[side] for row in run["rows"]})
            for side in ("system", "gold")
        ]
        yield "concepts", sides[0], sides[1], [f"concept(epsilon={run['epsilon']})", "concept_exact"]


def name_of(pred, gold, kind):
    """Name a pair in the table."""
    names = [side.stem.removesuffix(".sssom") for side in (pred, gold) if isinstance(side, Path)]
    if len(set(names)) < len(names):
        return f"{pred.parent.name} / {gold.parent.name} {names[0]}"
    return " / ".join(names) or f"{kind}, made by hand"


def rows(kind, pred, gold, measures, *, draws, encoder):
    """Return the lines of the table of one pair."""
    sides = [goldassay.read(side, kind=kind) if isinstance(side, Path) else side for side in (pred, gold)]
    for null in family(kind).nulls:
        started = time.perf_counter()
        chance = goldassay.Chance(null=null, draws=draws)
        report = goldassay.evaluate(
            sides[0], gold=sides[1], kind=kind, measures=measures, encoder=encoder, chance=chance
        )
        print(f"{name_of(pred, gold, kind)} {null} {time.perf_counter() - started:.1f} s", file=sys.stderr)
        for score in report.runs[0].scores:
            if score.chance is None:
                continue
            value, level = score.headline, score.chance
            adjusted = level.adjusted[value]
            yield (
                f"| {name_of(pred, gold, kind)} | `{score.spec}` | {score.values[value]:.4f} | {null} | {level.expected[value]:.4f} "
                f"± {level.sd[value]:.4f} | {level.percentile[value]:.0f} | "
                f"{'undefined' if math.isnan(adjusted) else f'{adjusted:.4f}'} |"
            )


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--draws", type=int, default=100)
    parser.add_argument("--wordnet", action="store_true", help="WordNet alone, under shuffle-texts")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    encoder = get_encoder("minilm", cache="default")
    print("| prediction / gold | measure | score | null model | by chance | percentile | adjusted |")
    print("|---|---|---:|---|---:|---:|---:|")
    todo = list(pairs(given.data))
    if given.wordnet:
        todo = [("taxonomy", *(given.data / "graphs" / f"wordnet_{side}.tsv" for side in ("pred", "gold")), ["fuzzy"])]
    for kind, pred, gold, measures in todo:
        for line in rows(kind, pred, gold, measures, draws=given.draws, encoder=encoder):
            print(line, flush=True)


if __name__ == "__main__":
    main()
