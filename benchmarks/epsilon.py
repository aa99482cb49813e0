"""Where an encoder parts synonyms from other concepts: the evidence behind the default epsilon of concept F1.

    python benchmarks/epsilon.py ONTOLOGY [--synonyms PAIRS.tsv]

A pair of synonyms (the label of a concept and an exact synonym of it; or a line of PAIRS.tsv) should reach epsilon. A concept
should not reach it by the nearest of so many other concepts of the same source, which is how a false hit comes about in an
answer. The table gives both rates and their difference for each epsilon.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from goldassay.concepts.formats.read_names import names_of
from goldassay.encoders import get_encoder
from goldassay.formats import load, read_triples, recognise

OTHERS = (5, 10, 20)
DRAWS = 10_000


def pairs_of_ontology(path):
    source = load(path)
    names = names_of(read_triples(source, recognise(source)), "en").listed()
    labels = {name.concept: name.text for name in sorted(names, reverse=True) if name.rank == 0}
    return [(labels[name.concept], name.text) for name in names if name.rank == 1 and name.concept in labels]


def pairs_of_table(path):
    return [tuple(line.split("\t")) for line in Path(path).read_text(encoding="utf-8").splitlines()]


def main(arguments):
    pairs = pairs_of_table(arguments.synonyms) if arguments.synonyms else pairs_of_ontology(arguments.ontology)
    pairs = [(left, right) for left, right in pairs if left.casefold() != right.casefold()]
    texts = sorted({text for pair in pairs for text in pair})
    row = {text: place for place, text in enumerate(texts)}
    vectors = get_encoder(arguments.encoder).encode(texts)
    left, right = (np.array([row[pair[side]] for pair in pairs]) for side in (0, 1))
    synonyms = np.vecdot(vectors[left], vectors[right])
    rng = np.random.default_rng(0)
    asked = rng.choice(left, DRAWS)
    false = {}
    for others in OTHERS:
        drawn = rng.choice(left, (DRAWS, others))
        cosines = np.stack([np.vecdot(vectors[asked], vectors[column]) for column in drawn.T], axis=1)
        false[others] = np.where(drawn == asked[:, None], -1, cosines).max(axis=1)
    print(f"{len(pairs):,} pairs of synonyms, mean cosine {synonyms.mean():.3f}, median {np.median(synonyms):.3f}")
    print(
        "| epsilon | synonyms matched | "
        + " | ".join(f"falsely matched by {n} others | difference" for n in OTHERS)
        + " |"
    )
    print("|---" * (2 + 2 * len(OTHERS)) + "|")
    for epsilon in (0.4, 0.436, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8):
        matched = (synonyms >= epsilon).mean()
        rates = [(best >= epsilon).mean() for best in false.values()]
        print(
            f"| {epsilon} | {matched:.3f} | "
            + " | ".join(f"{rate:.3f} | {matched - rate:.3f}" for rate in rates)
            + " |"
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ontology", nargs="?")
    parser.add_argument("--synonyms")
    parser.add_argument("--encoder", default="minilm")
    main(parser.parse_args())
