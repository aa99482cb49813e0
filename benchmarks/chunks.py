"""Chunks next to annotated concepts: precision and recall of the built-in chunker on passages of clinical notes.

    python benchmarks/chunks.py test1ChatGPT_.csv [--errors] [--spacy PIPELINE] [--speed]

The notes are those of ACI-Bench (test set 1, ChatGPT next to the reference). chunks.jsonl holds the passages by document, column
and characters, each with its concepts in order; chunks.md says how they were annotated. A chunk is right if it is
exactly one of the concepts: not longer, not shorter.
"""

from __future__ import annotations

import argparse
import csv
import json
import time
from pathlib import Path

from goldassay.concepts.texts.assertions import add_assertions
from goldassay.concepts.texts.chunks import Chunks
from goldassay.concepts.texts.extract import SpacyPipeline

ANNOTATED = Path(__file__).with_name("chunks.jsonl")


def places(text, passage):
    """Return where the concepts of a passage is in its text."""
    at, found = passage["start"], []
    for concept in passage["concepts"]:
        start = text.index(concept, at, passage["end"])
        at = start + len(concept)
        found.append((start, at))
    return found


def judged(texts, extractor):
    """Compare all passages; yields right, wrong and missed chunks."""
    passages = [json.loads(line) for line in ANNOTATED.read_text(encoding="utf-8").splitlines()]
    whole = [texts[passage["id"], passage["column"]] for passage in passages]
    for passage, text, chunks in zip(passages, whole, extractor.find_all(whole), strict=True):
        gold = set(places(text, passage))
        inside = {(one.start, one.end) for one in chunks if one.start < passage["end"] and one.end > passage["start"]}
        yield [[text[slice(*span)] for span in sorted(some)] for some in (gold & inside, inside - gold, gold - inside)]


def speed(texts, extractor):
    """Return the megabytes a second of the fastest of five runs, with what is reported of each concept."""
    size, times = sum(map(len, texts)) / 1e6, []
    for _ in range(6):
        start = time.process_time()
        for text, found in zip(texts, extractor.find_all(texts), strict=True):
            add_assertions(text, found)
        times.append(time.process_time() - start)
    return size / min(times[1:])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notes", type=Path)
    parser.add_argument("--errors", action="store_true")
    parser.add_argument("--spacy")
    parser.add_argument("--speed", action="store_true", help="how much text a second, with assertions")
    arguments = parser.parse_args()
    with arguments.notes.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    texts = {(row["encounter_id"], column): row[column] for row in rows for column in ("note", "Reference Summaries")}
    extractor = SpacyPipeline(arguments.spacy) if arguments.spacy else Chunks()
    if arguments.speed:
        print(f"{speed(list(texts.values()), extractor):.2f} MB of text a second of processor time, in one process")
        return
    found = list(judged(texts, extractor))
    right, wrong, missed = (sum(len(one[kind]) for one in found) for kind in range(3))
    print(f"{right + missed} concepts in {len(found)} passages, {right + wrong} chunks, {right} of them right")
    print(f"precision {right / (right + wrong):.3f}  recall {right / (right + missed):.3f}")
    if arguments.errors:
        for _, surplus, lacking in found:
            print(f"wrong: {surplus}\n  missed: {lacking}")


if __name__ == "__main__":
    main()
