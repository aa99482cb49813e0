"""Measure how measures and encoders track people: `make cards` writes src/goldassay/cards.tsv from the reference data.

Of any other data: python docs/cards.py NAME RATINGS SCORES, tables as `goldassay meta` reads them, adds a row for each column of scores.
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import goldassay
from goldassay.cards import OF_ENCODER, UNKNOWN, Card, every_card, write_cards
from goldassay.families import family
from goldassay.meta import Ratings, Scores, read_ratings, read_scores
from goldassay.meta.statistics import auc, kendall_b
from goldassay.meta.tables import mean_of

DATA = Path(os.environ.get("GOLDASSAY_REFERENCE_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
VARIANTS = ("triples(names=partial)", "triples(names=fuzzy)", "triples(names=anchored)")
DRAWS = 1000
PAIRS = 3000
Triple = tuple[str, str, str]


@dataclass(frozen=True)
class Judged:
    """Predicted triples that people judged: the gold of each, the triple, and whether it is right."""

    data: str
    items: str
    gold: list[list[Triple]]
    pred: list[Triple]
    right: list[bool]
    ceiling: str


def statistic_of(ratings: Ratings, matrix: Any) -> tuple[str, str, str]:
    """Give AUC of yes/no ratings, and otherwise tau-b, with its bootstrap interval over items; and the same of people."""
    human, rng = ratings.mean, np.random.default_rng(0)
    yes_no = bool(np.isin(human[~np.isnan(human)], (0, 1)).all())

    def value(one: Any, other: Any) -> float:
        there = ~np.isnan(one) & ~np.isnan(other)
        return auc(one[there] == 1, other[there]) if yes_no else kendall_b(one, other)

    draws = rng.integers(human.shape[1], size=(DRAWS, human.shape[1]))
    low, high = np.nanquantile([value(human[:, some], matrix[:, some]) for some in draws], [0.025, 0.975])
    people = []
    for name, own in ratings.raters.items() if len(ratings.raters) > 1 else ():
        people.append(value(mean_of([one for other, one in ratings.raters.items() if other != name]), own))
    ceiling = f"{np.mean(people):.3f}" if people else UNKNOWN
    return (
        f"{'AUC (chance 0.5)' if yes_no else 'tau-b (chance 0)'}",
        f"{value(human, matrix):.3f} [{low:.3f}, {high:.3f}]",
        ceiling,
    )


def cards_of(data: str, items: str, ratings: Ratings, scores: Scores, ceiling: str | None = None) -> Iterator[Card]:
    """Make a card of each measure that has scores."""
    for name in scores.values:
        statistic, value, people = statistic_of(ratings, scores.matrix(name, ratings))
        yield Card(
            about=name,
            data=data,
            items=items,
            statistic=statistic,
            value=value,
            ceiling=ceiling or people,
            date=f"{datetime.now(UTC):%Y-%m-%d}",
        )


def zett() -> Judged:
    """Triples that a model predicted from sentences, each with the triple of gold."""
    rows = pl.read_csv(DATA / "judged" / "zett" / "zett.tsv", separator="\t", quote_char=None).rows(named=True)
    gold, pred = (
        [(row[f"{side}_head"], row[f"{side}_rel"], row[f"{side}_tail"]) for row in rows] for side in ("gold", "pred")
    )
    right = [str(row["Label from ZETT"]).lower() == "true" for row in rows]
    return Judged(
        "ZETT",
        f"{len(pred):,} predicted triples, each against one triple of gold",
        [[one] for one in gold],
        pred,
        right,
        UNKNOWN,
    )


def dbpedia() -> Judged:
    """Facts of DBpedia, each against the other facts of its subject that people found right."""
    folder = DATA / "judged" / "dbpedia_people"
    strata = json.loads((folder / "aggregated.json").read_text("utf-8"))
    facts = {
        tuple(map(_last, triple)): label
        for rows in strata.values()
        for triple, label in rows
        if label in ("Correct", "Incorrect")
    }
    right: dict[str, list[Triple]] = defaultdict(list)
    for fact, label in facts.items():
        if label == "Correct":
            right[fact[0]].append(fact)
    gold = {fact: [one for one in right[fact[0]] if one != fact] for fact in facts}
    pred = [fact for fact in facts if gold[fact]]
    experts = [pl.read_csv(folder / "experts" / f"expert{number}.csv") for number in (1, 2)]
    ceiling = _agreement(
        *(
            {row[:3]: row[3] for row in expert.select("Subject", "Predicate", "Object", "Annotation").rows()}
            for expert in experts
        )
    )
    items = f"{len(pred):,} facts, each against the other right facts of its subject"
    return Judged(
        "DBpedia people", items, [gold[one] for one in pred], pred, [facts[one] == "Correct" for one in pred], ceiling
    )


def _last(iri: str) -> str:
    return iri.rstrip("/#").rsplit("/", 1)[-1].rsplit("#", 1)[-1].replace("_", " ")


def _agreement(one: dict[Any, str], other: dict[Any, str]) -> str:
    """Give the mean AUC of two raters, each as the score of the other."""
    both = [key for key in one if {one[key], other.get(key)} <= {"Correct", "Incorrect"}]
    sides = [np.array([rater[key] == "Correct" for key in both]) for rater in (one, other)]
    return f"{np.mean([auc(*sides), auc(*sides[::-1])]):.3f} (two experts, {len(both)} facts)"


def of_triples(judged: Judged) -> Iterator[Card]:
    """Score each judged triple by itself with all measures of triples that give single documents a value."""
    names = [f"d{row}" for row in range(len(judged.pred))]
    sides = [
        [{"id": name, "triples": [list(one) for one in triples]} for name, triples in zip(names, some, strict=True)]
        for some in (judged.gold, [[one] for one in judged.pred])
    ]
    ratings = Ratings.of(
        [(name, "pred", "people", float(right)) for name, right in zip(names, judged.right, strict=True)]
    )
    for spec in (*(str(one()) for one in family("triples").measures.classes), *VARIANTS):
        try:
            with warnings.catch_warnings(action="ignore"):
                report = goldassay.evaluate(
                    sides[1],
                    gold=sides[0],
                    kind="triples",
                    measures=spec,
                    intervals=goldassay.Resampling(resamples=100),
                    selfcheck=False,
                )
        except goldassay.GoldassayError as error:
            sys.stderr.write(f"{judged.data}: {spec}: {str(error).splitlines()[0]}\n")
            continue
        score = report[spec]
        if score.units is None or set(score.units.keys.tolist()) != set(names):
            sys.stderr.write(f"{judged.data}: {spec}: no value for single documents\n")
            continue
        # Gold of several triples lowers F1 of one triple by their number only.
        value = "precision" if "precision" in score.values else score.headline
        found = np.asarray(score.measure.divided(score.units.counts)[value]) * (
            1 if score.measure.higher_is_better else -1
        )
        if not np.ptp(found):
            sys.stderr.write(f"{judged.data}: {spec}: the same value for all\n")
            continue
        scores = {(key, "pred"): one for key, one in zip(score.units.keys.tolist(), found.tolist(), strict=True)}
        yield from cards_of(judged.data, judged.items, ratings, Scores(values={spec: scores}), judged.ceiling)


def of_encoders() -> Iterator[Card]:
    """Compare WordNet's synonyms, as lexicographers made them, with its pairs of child and parent."""
    from goldassay.encoders import get_encoder

    rng, pairs = np.random.default_rng(0), []
    for name in ("synonyms_oewn.tsv", "wordnet_gold.tsv"):
        rows = pl.read_csv(DATA / "graphs" / name, separator="\t", quote_char=None).rows()
        pairs += [rows[place] for place in rng.choice(len(rows), PAIRS, replace=False)]
    texts = sorted({text for pair in pairs for text in pair})
    place = {text: row for row, text in enumerate(texts)}
    names = [f"p{row}" for row in range(len(pairs))]
    ratings = Ratings.of([(name, "pairs", "WordNet", float(row < PAIRS)) for row, name in enumerate(names)])
    items = f"{PAIRS:,} pairs of synonyms against as many of a child and its parent"
    for encoder in ("minilm", "static", "hashing"):
        about = OF_ENCODER + encoder
        try:
            made = get_encoder(encoder)
            vectors = np.asarray(made.encode(texts), dtype=np.float64)
        except goldassay.GoldassayError as error:
            sys.stderr.write(f"{encoder}: {str(error).splitlines()[0]}; its earlier card stays\n")
            yield from (card for card in every_card() if card.about.startswith(about))
            continue
        if encoder == "static":
            # There are many: the card is of this one.
            about += f" ({made.name.partition(':')[2]})"
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
        cosines = [float(vectors[place[one]] @ vectors[place[other]]) for one, other in pairs]
        scores = Scores(values={about: {(name, "pairs"): one for name, one in zip(names, cosines, strict=True)}})
        yield from cards_of("Open English WordNet", items, ratings, scores)


def main(arguments: list[str]) -> None:
    """Write the cards of the reference data, or add those of a data set."""
    if arguments:
        data, ratings, scores = arguments
        rated = read_ratings(ratings)
        found = [*every_card(), *cards_of(data, f"{len(rated.items):,} items", rated, read_scores(scores))]
    else:
        found = [*of_triples(zett()), *of_triples(dbpedia()), *of_encoders()]
    # A row that is measured again replaces the old one.
    write_cards(list({(card.about, card.data): card for card in found}.values()))


if __name__ == "__main__":
    main(sys.argv[1:])
