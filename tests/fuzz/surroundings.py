"""What must not move a number: threads, memory, locale, hash seed, optimisation; the same inputs are scored twice.

``python -m tests.fuzz.surroundings SEED COUNT MEMORY`` prints a line for each input: a digest of what was read and scored.
"""

import hashlib
import itertools
import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

KINDS = ("taxonomy", "axioms", "alignment", "concepts", "triples", "unl", "sentences")
COUNT = 60
SURROUNDINGS = (
    (("1048576",), (), {"OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0", "LC_ALL": "C", "POLARS_MAX_THREADS": "1"}),
    (("536870912",), ("-O",), {"OMP_NUM_THREADS": "2", "PYTHONHASHSEED": "1", "LC_ALL": "tr_TR.UTF-8", "POLARS_MAX_THREADS": "2"}),
)  # fmt: skip


def lines(seed: int, count: int, memory: int) -> Iterator[str]:
    """Read and score inputs of each kind, and say what came out."""
    from tests.fuzz.fuzzing import inputs
    from tests.fuzz.targets import attempt, messages, scores, values

    import goldassay
    from goldassay.core.errors import GoldassayError

    with tempfile.TemporaryDirectory() as folder:
        for kind in KINDS:
            for number, (name, data) in enumerate(itertools.islice(inputs(kind, seed), count)):
                path = Path(folder, name)
                path.write_bytes(data)
                model = attempt(lambda path=path, kind=kind: goldassay.read(path, kind=kind, on_error="skip"))
                outcome = str(model)
                if not isinstance(model, GoldassayError):
                    report = attempt(lambda model=model, kind=kind: scores(model, model, kind, memory))
                    outcome = repr(messages(model)) + (
                        str(report) if isinstance(report, GoldassayError) else repr(values(report))
                    )
                path.unlink()
                digest = hashlib.sha256(outcome.replace(folder, "").encode("utf-8", "surrogatepass")).hexdigest()
                yield f"{kind} {number} {name} {digest}"


def problems(seed: int) -> Iterator[str]:
    """Compare what two surroundings say of the same inputs."""
    commands = [
        [sys.executable, *python, "-m", "tests.fuzz.surroundings", str(seed), str(COUNT), memory]
        for (memory,), python, _ in SURROUNDINGS
    ]
    running = [
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **around}
        )
        for command, (_, _, around) in zip(commands, SURROUNDINGS, strict=True)
    ]
    with ThreadPoolExecutor() as pool:
        ended = list(pool.map(subprocess.Popen.communicate, running))
    for command, process, (_, errors) in zip(commands, running, ended, strict=True):
        if process.returncode:
            yield f"{' '.join(command)} ended with {process.returncode}\n{errors[-2000:]}"
            return
    answers = [output.splitlines() for output, _ in ended]
    yield from (
        f"{here} is not what it is in other surroundings" for here, there in zip(*answers, strict=True) if here != there
    )


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for line in lines(*map(int, sys.argv[1:4])):
        sys.stdout.write(line + "\n")
