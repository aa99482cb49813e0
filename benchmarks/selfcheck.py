"""How much of a run the quick check of its default measures on gold takes: at most a tenth of the processor time of the command.

    python benchmarks/selfcheck.py

Each family scores random items with its defaults in a process of its own, from 20 to 20,000 of them.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

SIZES = (20, 100, 300, 1000, 20_000)
RUN = """
import sys, time
import goldassay.pipeline as pipeline
spent, check = [0.0], pipeline.explain_not_separated
def timed(*given, **named):
    before = time.process_time()
    try:
        return check(*given, **named)
    finally:
        spent[0] += time.process_time() - before
pipeline.explain_not_separated = timed
from goldassay.__main__ import main
try:
    main()
finally:
    print(spent[0], time.process_time(), file=sys.stderr)
"""


def rows(kind: str, size: int, rng: random.Random) -> str:
    """Write random items of a family: half of them are those of another draw."""
    if kind == "taxonomy":
        return "child,parent\n" + "".join(f"term {i} {rng.choice('ab')},term {i // 3}\n" for i in range(size))
    if kind == "alignment":
        return "source,target\n" + "".join(f"http://a#s{i},http://b#t{i + rng.randrange(2)}\n" for i in range(size))
    if kind == "axioms":
        return "class,property,object,kind\n" + "".join(
            f"C{i},eats,D{i % 9 + rng.randrange(2)},object\n" for i in range(size)
        )
    key = "triples" if kind == "triples" else "concepts"
    made = {
        "triples": lambda i, j: [f"entity {i}", f"relation {j}", f"object {rng.randrange(50)}"],
        "concepts": lambda i, j: f"concept {i % 99} {j} {rng.choice('ab')}",
    }[key]
    documents = ({"id": f"d{i}", key: [made(i, j) for j in range(4)]} for i in range(size // 4))
    return "".join(json.dumps(one) + "\n" for one in documents)


def share(kind: str, size: int, folder: Path) -> tuple[float, float]:
    """Return the seconds of the check and of the whole run."""
    suffix, rng = "jsonl" if kind in ("triples", "concepts") else "csv", random.Random(0)  # noqa: S311
    files = [folder / f"{name}.{suffix}" for name in ("pred", "gold")]
    for file in files:
        file.write_text(rows(kind, size, rng), encoding="utf-8")
    encoder = ["--encoder", "hashing"] if kind in ("taxonomy", "concepts") else []
    command = [sys.executable, "-c", RUN, kind, str(files[0]), "--gold", str(files[1]), *encoder]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    spent, whole = map(float, found.stderr.split()[-2:])
    return spent, whole


def main() -> None:
    """Print the share of the check for each family and size, and the largest."""
    largest = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("taxonomy", "alignment", "axioms", "triples", "concepts"):
            for size in SIZES:
                spent, whole = share(kind, size, Path(folder))
                largest = max(largest, spent / whole)
                print(f"{kind:10} {size:7,} items  {spent:.3f} s of {whole:.2f} s  {spent / whole:.1%}")
    print(f"largest share {largest:.1%}")


if __name__ == "__main__":
    main()
