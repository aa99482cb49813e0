"""Labels encoded per second: sentence-transformers at its defaults, a bare ONNX Runtime loop, goldassay; side by side.

Every contender runs in a process of its own, on the same texts, after a warm-up, and says how much memory it took.
The bare loop is handed batches that are tokenized already: it is what ONNX Runtime only can reach.

    python benchmarks/encoding.py labels.tsv --sentence-transformers-python /path/to/venv/bin/python
"""

import argparse
import json
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

ST_DEFAULT_BATCH = 32


def read_labels(path: Path, column: int | None, limit: int) -> list[str]:
    """Take distinct labels, evenly spread over the file: one a line, or one column or all columns of a TSV."""
    lines = path.read_text(encoding="utf-8").splitlines()
    if "\t" in lines[0]:
        rows = [line.split("\t") for line in lines[1:]]
        lines = [cell for row in rows for cell in (row if column is None else [row[column]])]
    distinct = list(dict.fromkeys(lines))
    return distinct[:: max(1, len(distinct) // limit)][:limit]


def measure(encode: Callable[[], object], count: int, repeats: int) -> dict[str, object]:
    """Time ``encode`` after one warm-up; labels per second of each repeat, and the peak memory of this process."""
    encode()
    speeds = []
    for _ in range(repeats):
        started = time.perf_counter()
        encode()
        speeds.append(count / (time.perf_counter() - started))
    return {"speeds": speeds, "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


def run_goldassay(texts: list[str], model: str | None) -> Callable[[], object]:
    """Goldassay as its users call it, without the cache."""
    from goldassay.encoders import MiniLMEncoder

    encoder = MiniLMEncoder(model)
    return lambda: encoder.encode(texts)


def run_bare(texts: list[str], model: str | None) -> Callable[[], object]:
    """The session only, with all cores on one batch after the other, as ONNX Runtime does by default."""
    from polars import thread_pool_size

    from goldassay.encoders.minilm import BATCH_TOKENS, MiniLMEncoder, equal_length_batches
    from goldassay.encoders.minilm_graph import open_session

    encoder = MiniLMEncoder(model)
    batches = list(equal_length_batches(encoder._tokenize(texts), BATCH_TOKENS))  # noqa: SLF001
    session = open_session(encoder.files.weights, threads=thread_pool_size())
    return lambda: [session.run(None, {"ids": ids}) for _, ids in batches]


def run_sentence_transformers(texts: list[str], model: str | None) -> Callable[[], object]:
    """What people run today."""
    from sentence_transformers import SentenceTransformer

    encoder = SentenceTransformer(model, device="cpu")
    return lambda: encoder.encode(texts, batch_size=ST_DEFAULT_BATCH, show_progress_bar=False)


CONTENDERS = {
    "sentence-transformers": run_sentence_transformers,
    "bare ONNX Runtime": run_bare,
    "goldassay": run_goldassay,
}


def in_process_of_its_own(name: str, python: str, options: argparse.Namespace, model: str) -> dict[str, object]:
    """Run one contender once more through this file."""
    command = [python, __file__, str(options.labels), "--limit", str(options.limit), "--repeats", str(options.repeats)]
    command += ["--contender", name, "--model", model]
    command += [] if options.column is None else ["--column", str(options.column)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{name} failed:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    """Print one line for each contender."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("labels", type=Path, help="labels, one a line; or a TSV with a header, whose cells are labels")
    parser.add_argument("--column", type=int, help="take this column of the TSV only (0 is the first)")
    parser.add_argument("--limit", type=int, default=10_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--model", help="folder of all-MiniLM-L6-v2")
    parser.add_argument("--sentence-transformers-python", help="an interpreter that has sentence-transformers")
    parser.add_argument("--contender", choices=CONTENDERS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.contender:
        texts = read_labels(options.labels, options.column, options.limit)
        encode = CONTENDERS[options.contender](texts, options.model)
        sys.stdout.write(json.dumps(measure(encode, len(texts), options.repeats)) + "\n")
        return
    compare(options)


def compare(options: argparse.Namespace) -> None:
    """Run every contender that can run here, one after the other."""
    from goldassay.encoders.weights import find_model

    model = str(find_model(options.model).weights.parent)
    pythons = {"sentence-transformers": options.sentence_transformers_python or sys.executable}
    here = options.sentence_transformers_python or find_spec("sentence_transformers")
    names = [name for name in CONTENDERS if here or name != "sentence-transformers"]
    results = {name: in_process_of_its_own(name, pythons.get(name, sys.executable), options, model) for name in names}
    speeds = {name: statistics.median(result["speeds"]) for name, result in results.items()}
    print(
        f"{len(read_labels(options.labels, options.column, options.limit)):,} distinct labels, median of {options.repeats}"
    )
    for name, result in results.items():
        print(
            f"{name:<22} {speeds[name]:8,.0f} labels/s   {speeds['goldassay'] / speeds[name]:5.2f}x is goldassay"
            f"   peak {result['peak_mb']:5,.0f} MB"
        )


if __name__ == "__main__":
    main()
