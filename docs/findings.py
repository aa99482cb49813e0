"""Score published tables again, with intervals, levels of chance and groups of ties: `make findings` writes docs/findings.md.

Needs the reference data (GOLDASSAY_REFERENCE_DATA) and the weights. The tests hold the published values; a published value that is not
reached here is an error, too.
"""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import goldassay

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "findings.md"
DATA = Path(os.environ.get("GOLDASSAY_REFERENCE_DATA", ROOT.parent / "shared" / "data"))
ALPHA = 0.05
GLOBAL = ("AML", "Lily", "LogMapLt")
HEAD = """# Findings

Published tables, scored again by `make findings`: with a 95 % interval for each value, what the same score is by chance, and groups of
systems that the data cannot separate. Each table cites its source.

- **published** is the value that the source prints or its code gives. The next column is the value of goldassay from the same files.
  The two agree wherever both exist; a difference stops `make findings`.
- **chance** is the mean and the standard deviation of the score under the null model of the family ([chance](chance.md)).
- **group**: A has the best system and all that do not differ significantly from it (approximate randomisation, Holm, p > 0.05), B the same
  among the rest, and so on. Systems in one group may differ; this table does not show that they do.

An interval describes other items of the same kind, not other ontologies or other tasks ([confidence](confidence.md)).
"""


@dataclass(frozen=True)
class Table:
    """A published table.

    Attributes:
        title: Its heading.
        source: Where it comes from.
        says: What the table shows, in a sentence.
        cannot: What it cannot show, in a sentence.
        gold: The gold standard, below the reference data.
        preds: The predictions, by the names of the systems.
        published: The published value of each system, if there is one.
        value: The value that the table ranks by.
        measures: The measures, each a row of every prediction.
        options: Other arguments of `goldassay.evaluate`.
        digits: How many places of a published value are printed.
    """

    title: str
    source: str
    says: str
    cannot: str
    gold: str
    preds: dict[str, str]
    published: dict[str, float]
    measures: Sequence[str]
    value: str = "f1"
    options: dict[str, Any] = field(default_factory=dict)
    digits: int = 4


def load(name: str) -> Any:
    """Read expected values."""
    return json.loads((DATA / name).read_text(encoding="utf-8"))


def tables() -> list[Table]:
    """List the tables."""
    alignments, axioms = load("expected/alignments.json"), load("expected/axioms.json")["rows"]
    notebook = load("expected/graphs.json")["notebook"]["rows"]
    bioml = load("alignments/bioml/expected/bioml.json")
    webnlg = load("triples/webnlg/expected/webnlg_example.json")["refs_vs_Cands2"]["printed_by_script"]["Total_scores"]
    anatomy = {Path(row["pred"]).stem: row for row in alignments["anatomy"]}
    conference = {row["system"]: row["micro"]["f1"] for row in alignments["conference_micro_macro"]}
    modes = {"strict": "Strict", "exact": "Exact", "partial": "Partial", "ent_type": "Ent_type"}
    oaei = "OAEI 2018, as [MELT](https://github.com/dwslab/melt) publishes the systems' alignments and its results"
    axiom_sheets = "[Ginés-Almagro, Inferring Semantic Schemas from Functional Probabilities]"
    axiom_sheets += "(https://github.com/gines-almagro/Inferring-Semantic-Schemas-from-Functional-Probabilities)"
    return [
        Table(
            title="OAEI anatomy",
            source=oaei,
            says="All systems are far above chance, and most differences are significant; Lily and LogMapLt are level.",
            cannot="It is one pair of ontologies, so it cannot show that a system is better on other pairs.",
            gold="alignments/anatomy/reference.xml",
            preds={name: row["pred"] for name, row in anatomy.items()},
            published={name: row["f1"] for name, row in anatomy.items()},
            measures=["overlap(relation=exact)"],
            options={"kind": "alignment"},
        ),
        Table(
            title="OAEI conference",
            source=f"{oaei}; micro values over the 21 test cases of the reference ra1",
            says="AML is ahead, and the other five systems form one group.",
            cannot="With 305 reference correspondences it cannot rank the systems of one group, although their values differ in the second decimal.",
            gold="alignments/conference/reference",
            preds={name: f"alignments/conference/{name}" for name in conference},
            published=conference,
            measures=["overlap(relation=exact)"],
            options={"kind": "alignment"},
        ),
        Table(
            title="Bio-ML: pairs",
            source="evaluator of [OAEI Bio-ML 2026](https://github.com/liseda-lab/OAEI-Bio-ML), on the OAEI case cmt-conference",
            says="On 15 reference correspondences, all systems are above chance, and none differs significantly from the best.",
            cannot="It checks the evaluator on a small case; it is no result of the Bio-ML track, and it cannot rank the systems.",
            gold="alignments/relaxed/cmt-conference.reference.rdf",
            preds={name: f"alignments/relaxed/cmt-conference.{name}.rdf" for name in GLOBAL},
            published={
                name: bioml["global"][f"cmt-conference.{name}.rdf"]["plain_reference"]["f1"]
                for name in GLOBAL
                if f"cmt-conference.{name}.rdf" in bioml["global"]
            },
            measures=["overlap"],
            options={"kind": "alignment"},
        ),
        Table(
            title="Bio-ML: rankings",
            source="evaluator of [OAEI Bio-ML 2026](https://github.com/liseda-lab/OAEI-Bio-ML), on its own kind of ranked lists with drawn scores",
            says="With 40 queries, the interval of MRR is 0.24 wide.",
            cannot="The scores were drawn to test the evaluator, so the table says nothing about any system.",
            gold="alignments/bioml/local.gold.tsv",
            preds={"drawn scores": "alignments/bioml/local.scored_block.tsv"},
            published={"drawn scores": bioml["local_scored_block"]["mrr"]},
            measures=["mrr(ties=name)"],
            value="mrr",
            options={"kind": "alignment", "scores": "any", "block": 20},
        ),
        Table(
            title="Axioms of a product schema",
            source=axiom_sheets + "; names without case, keys in brackets stripped",
            says="All four thresholds are above chance, and none differs significantly from the best.",
            cannot="With 13 axioms in gold, an interval is more than 0.4 wide, so the table cannot show which threshold is best. "
            "The published value at threshold 1 includes two pairs that were aligned by hand.",
            gold="axioms/bigbasket_gold.csv",
            preds={Path(row["pred"]).stem.rpartition("_")[2]: row["pred"] for row in axioms},
            published={Path(row["pred"]).stem.rpartition("_")[2]: row["published"]["f1"] for row in axioms[:3]},
            measures=["weighted"],
            options={"kind": "axioms", "fold_case": True, "strip_key": True},
            digits=3,
        ),
        Table(
            title="WebNLG 2020: the example of the script",
            source="[WebNLG-Text-to-triples](https://github.com/WebNLG/WebNLG-Text-to-triples), `Refs.xml` and `Cands2.xml`",
            says="The four modes of one script differ by less than a tenth of their interval.",
            cannot="An example of 30 reference triples shows how the script counts, and nothing about a system.",
            gold="triples/webnlg/Refs.xml",
            preds={"Cands2": "triples/webnlg/Cands2.xml"},
            published={f"Cands2, {mode}": webnlg[word]["F1"] for mode, word in modes.items()},
            measures=[f"webnlg(mode={mode})" for mode in modes],
            options={"kind": "triples"},
        ),
        Table(
            title="Learned taxonomies of breast cancer",
            source="files of [master_thesis](https://github.com/mariatager/master_thesis); gold is a slice of the NCI Thesaurus. No value is published for these pairs",
            says="Taxonomy 3 has the best F1, and all three are above their level of chance.",
            cannot="Shuffled texts reach a large part of each score, so the table cannot show that the hierarchies are right.",
            gold="graphs/breast_neoplasm_taxonomy.owl",
            preds={f"taxonomy {number}": f"graphs/taxonomy{number}.rdf" for number in (1, 2, 3)},
            published={},
            measures=["fuzzy"],
            options={"kind": "taxonomy"},
        ),
        *(
            Table(
                title=f"Taxonomy 3 against {name}, with whole IRIs as texts",
                source="a notebook of [master_thesis](https://github.com/mariatager/master_thesis), in which every triple is an edge and the text of a node is its whole IRI",
                says=says,
                cannot=cannot,
                gold=row["gold"],
                preds={"taxonomy 3": row["pred"]},
                published={"taxonomy 3": row["f1"]},
                measures=["fuzzy"],
                options={"kind": "taxonomy", "edges": "all", "text": "iri"},
            )
            for row, name, says, cannot in zip(
                notebook,
                ("the symbolic taxonomy", "taxonomy 2"),
                (
                    "All IRIs share a long prefix, so shuffled texts score as high as the real ones.",
                    "Every edge finds a counterpart, so the score is 1, although the taxonomies differ.",
                ),
                (
                    "With this setting the score cannot separate a learned hierarchy from a shuffled one.",
                    "Chance reaches almost the same score, so it cannot show agreement.",
                ),
                strict=True,
            )
        ),
    ]


def evaluate(table: Table, preds: list[str]) -> goldassay.Report:
    """Score predictions of a table, with intervals and levels of chance."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", goldassay.GoldassayWarning)
        return goldassay.evaluate(
            [DATA / pred for pred in preds],
            gold=DATA / table.gold,
            measures=list(table.measures),
            intervals=True,
            chance=True,
            **table.options,
        )


def groups(table: Table, reports: dict[str, goldassay.Report]) -> dict[str, str]:
    """Name the group of each system: the best and its ties, then the same of the rest."""
    rest, named = dict(reports), {}
    while rest:
        letter = chr(ord("A") + len(set(named.values())))
        if len(rest) == 1:
            return named | dict.fromkeys(rest, letter)
        names = list(rest)
        compared = goldassay.compare(list(rest.values()), against="best")
        tests = [one for one in compared.comparisons if one.value == table.value]
        tied = {names[tests[0].against]} | {names[one.run] for one in tests if one.p_holm > ALPHA}
        named |= dict.fromkeys(tied, letter)
        rest = {name: one for name, one in rest.items() if name not in tied}
    return named


def rows(table: Table) -> list[str]:
    """Write a row for each system, or for each measure of one system; the best first."""
    reports = {name: evaluate(table, [pred]) for name, pred in table.preds.items()}
    grouped = groups(table, reports) if len(reports) > 1 else {}
    lines = []
    for name, report in reports.items():
        for score in report.runs[0].scores:
            row = name if len(table.measures) == 1 else f"{name}, {score.measure.mode}"
            lines.append((score.values[table.value], line(table, row, score, grouped.get(name, ""))))
    return [text for _, text in sorted(lines, key=lambda one: -one[0])]


def line(table: Table, name: str, score: goldassay.Score, group: str) -> str:
    """Write one row, and refuse a value that is not the published one."""
    value, published = score.values[table.value], table.published.get(name)
    if published is not None and abs(round(value, table.digits) - round(published, table.digits)) > 10**-table.digits:
        raise SystemExit(f"{table.title}, {name}: {value} is not the published {published}")
    found = score.intervals[table.value]
    level = score.chance
    chance = f"{level.expected[table.value]:.4f} ± {level.sd[table.value]:.4f}" if level and level.expected else "-"
    cells = [
        name,
        "-" if published is None else f"{published:.{table.digits}f}",
        f"{value:.4f}",
        f"{found.low:.4f} to {found.high:.4f}",
        chance,
        group or "-",
    ]
    return f"| {' | '.join(cells)} |"


def section(table: Table) -> str:
    """Write the section of one table."""
    measure = ", ".join(f"`{spec}`" for spec in table.measures)
    head = f"| system | published | {table.value} | 95 % interval | chance | group |\n|---|---|---|---|---|---|\n"
    return (
        f"## {table.title}\n\nSource: {table.source}. Measure: {measure}.\n\n{head}" + "\n".join(rows(table)) + "\n\n"
        f"{table.says} {table.cannot}\n"
    )


def page() -> str:
    """Write the page."""
    return "\n".join([HEAD, *(section(table) for table in tables())])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
