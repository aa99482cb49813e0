"""Read and score a large UNL document: goldassay, beside the plain script that one would write today.

The plain script knows one dialect (one relation a line, no quotation marks, no scopes as nodes) and no errors.
Usage: python benchmarks/unl.py [SENTENCES]
"""

import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

GRAPH = """agt(bake(icl>do):01.@entry.@past, baker(icl>person):02.@def)
obj(bake(icl>do):01.@entry.@past, bread(icl>food):03.@pl)
mod(baker(icl>person):02.@def, old(aoj>thing):04)
tim(bake(icl>do):01.@entry.@past, morning(icl>time):05.@def)
plc(bake(icl>do):01.@entry.@past, village(icl>place):06.@indef)
"""


def write(path, sentences):
    path.write_text("".join(f"[S:{row}]\n{{unl}}\n{GRAPH}{{/unl}}\n[/S]\n" for row in range(sentences)))


def run_goldassay(path):
    import goldassay

    return goldassay.evaluate(path, gold=path, kind="unl", measures="discrepancy")["discrepancy"].f1


def run_plain(path):
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

    pred, gold = read(path.read_text()), read(path.read_text())
    correct = 0
    for here, there in zip(pred, gold, strict=True):
        apart = [sum(((a - b) + (b - a)).values()) for a, b in zip(here, there, strict=True)]
        total = [sum((a + b).values()) for a, b in zip(here, there, strict=True)]
        overall = sum(w * a for w, a in zip((3, 2, 1), apart, strict=True))
        weight = sum(w * t for w, t in zip((3, 2, 1), total, strict=True))
        correct += apart[0] < 0.3 * total[0] and apart[1] < 0.3 * total[1] and overall < 0.5 * weight
    return correct / len(gold)


CONTENDERS = {"goldassay": run_goldassay, "plain": run_plain}


def main():
    if len(sys.argv) == 3 and sys.argv[1] in CONTENDERS:
        start = time.perf_counter()
        f1 = CONTENDERS[sys.argv[1]](Path(sys.argv[2]))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{sys.argv[1]:<8} {time.perf_counter() - start:7.2f} s {peak:8.0f} MB   f1 {f1:.4f}")
        return
    sentences = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "big.unl")
        write(path, sentences)
        print(f"{sentences:,} sentences, {5 * sentences:,} relations, read twice and scored")
        for name in CONTENDERS:
            subprocess.run([sys.executable, __file__, name, str(path)], check=True)


if __name__ == "__main__":
    main()
