"""Read and score a large UNL document: goldassay, next to the plain script that one would write today.

``evidence`` is goldassay with the table of what exceeds and what is missing in every sentence. The plain script knows one dialect (one relation a line, no quotation marks, no scopes as nodes) and no errors.
Usage: python benchmarks/unl.py [SENTENCES]
"""

import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

RELATIONS = ("agt", "obj", "mod", "tim", "plc")
ATTRIBUTES = ("", ".@pl", ".@def", ".@entry.@past")
WORDS = 5000
CHANGED = 0.2
"""How many of the words of a prediction are others than those of gold."""


def write(path, sentences, draw, changed=0.0):
    """Write sentences of five relations over words of a vocabulary; the same draw and no change give the same sentences."""
    words, other = random.Random(draw), random.Random(draw + 1)  # noqa: S311
    with path.open("w") as file:
        for row in range(sentences):
            nodes = [
                f"word{words.randrange(WORDS)}(icl>thing):{place:02d}{words.choice(ATTRIBUTES)}"
                for place in range(1, 7)
            ]
            nodes = [f"changed{node}" if other.random() < changed else node for node in nodes]
            pairs = zip(RELATIONS, nodes, nodes[1:], strict=False)
            graph = "".join(f"{label}({one}, {another})\n" for label, one, another in pairs)
            file.write(f"[S:{row}]\n{{unl}}\n{graph}{{/unl}}\n[/S]\n")


def run_goldassay(path, gold):
    import goldassay

    return goldassay.evaluate(path, gold=gold, kind="unl", measures="discrepancy")["discrepancy"].f1


def run_evidence(path, gold):
    import goldassay

    score = goldassay.evaluate(path, gold=gold, kind="unl", measures="discrepancy")["discrepancy"]
    score.matching.table()
    return score.f1


def run_plain(path, gold):
    line = re.compile(r"([a-z]{2,3})\((.*), (.*)\)$")

    def counters(text):
        relations, uws, attributes = Counter(), Counter(), Counter()
        for found in filter(None, map(line.match, text.splitlines())):
            nodes = [node.split(".@") for node in found.groups()[1:]]
            words = [node[0].partition(":")[0] for node in nodes]
            relations[found[1], *words] += 1
            uws.update(enumerate(words))
            attributes.update((place, words[place], name) for place in (0, 1) for name in nodes[place][1:])
        return relations, uws, attributes

    def read(text):
        return [counters(part) for part in text.split("[/S]")[:-1]]

    pred, gold = read(path.read_text()), read(gold.read_text())
    correct = 0
    for here, there in zip(pred, gold, strict=True):
        apart = [sum(((a - b) + (b - a)).values()) for a, b in zip(here, there, strict=True)]
        total = [sum((a + b).values()) for a, b in zip(here, there, strict=True)]
        overall = sum(w * a for w, a in zip((3, 2, 1), apart, strict=True))
        weight = sum(w * t for w, t in zip((3, 2, 1), total, strict=True))
        correct += apart[0] < 0.3 * total[0] and apart[1] < 0.3 * total[1] and overall < 0.5 * weight
    return correct / len(gold)


CONTENDERS = {"goldassay": run_goldassay, "evidence": run_evidence, "plain": run_plain}


def main():
    if sys.argv[1:] and sys.argv[1] in CONTENDERS:
        start = time.perf_counter()
        f1 = CONTENDERS[sys.argv[1]](Path(sys.argv[2]), Path(sys.argv[3]))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        seconds = time.perf_counter() - start
        print(
            f"{sys.argv[1]:<9} {seconds:7.2f} s ({time.process_time():.2f} s of processor) {peak:8.0f} MB   f1 {f1:.4f}"
        )
        return
    sentences = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    with tempfile.TemporaryDirectory() as folder:
        path, gold = Path(folder, "pred.unl"), Path(folder, "gold.unl")
        write(path, sentences, draw=1, changed=CHANGED)
        write(gold, sentences, draw=1)
        print(f"{sentences:,} sentences a side, {5 * sentences:,} relations, read and scored")
        for name in CONTENDERS:
            subprocess.run([sys.executable, __file__, name, str(path), str(gold)], check=True)


if __name__ == "__main__":
    main()
