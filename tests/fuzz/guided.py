"""Damage guided by coverage: atheris looks for inputs that reach branches which none reached before.

``python -m tests.fuzz.guided --seconds 60``: each target runs in a process of its own, since libFuzzer ends the one that it runs in.
The first byte of an input chooses the name of its file among those of the corpus; the rest is its content.
"""

import argparse
import subprocess
import sys
import tempfile
import warnings
from importlib.util import find_spec
from pathlib import Path

GUIDED = (
    "taxonomy",
    "statements",
    "axioms",
    "alignment",
    "triples",
    "concepts",
    "annotations",
    "labels",
    "unl",
    "report",
    "spec",
)
"""The readers that have was longest."""
LARGEST = 20_000


def run(target: str, seconds: float) -> None:
    """Fuzz one target until an input fails or the time is over; does not return."""
    import atheris

    with atheris.instrument_imports(include=["goldassay"]):
        from tests.fuzz.fuzzing import keep, tried
        from tests.fuzz.targets import corpus
    warnings.simplefilter("ignore")
    files = corpus(target)
    with tempfile.TemporaryDirectory() as name:
        folder, seeds = Path(name, "inputs"), Path(name, "seeds")
        folder.mkdir()
        seeds.mkdir()
        for number, (_, data) in enumerate(files):
            (seeds / str(number)).write_bytes(bytes([number % 256]) + data)

        def one(data: bytes) -> None:
            path = folder / files[(data[0] if data else 0) % len(files)][0]
            path.write_bytes(data[1:])
            outcome = tried(target, path)
            if isinstance(outcome, str):
                path.write_bytes(data[1:])
                raise AssertionError(f"{keep(target, path)}\n{outcome}")  # noqa: TRY004 - the outcome is what failed

        options = [
            f"-max_total_time={seconds:.0f}",
            f"-max_len={LARGEST}",
            "-timeout=30",
            "-rss_limit_mb=4096",
            "-verbosity=0",
        ]
        atheris.Setup([sys.argv[0], *options, f"-artifact_prefix={name}/", "-print_final_stats=1", str(seeds)], one)
        atheris.Fuzz()


def main() -> int:
    """Run every target for its share of the time; 1 if anything was found."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--seconds", type=float, default=60)
    options.add_argument("--target", choices=GUIDED)
    given = options.parse_args()
    if given.target:
        run(given.target, given.seconds)
    if find_spec("atheris") is None:
        sys.stdout.write("Nothing was guided: there is no atheris for this Python.\n")
        return 0
    failed = 0
    for target in GUIDED:
        command = [
            sys.executable,
            "-m",
            "tests.fuzz.guided",
            "--target",
            target,
            "--seconds",
            str(given.seconds / len(GUIDED)),
        ]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
        units = next((line.split()[-1] for line in done.stderr.splitlines() if "number_of_executed_units" in line), "0")
        sys.stdout.write(f"{target:<18}{int(units):>10,}{'  FOUND' if done.returncode else ''}\n")
        if done.returncode:
            failed += 1
            sys.stdout.write((done.stdout + done.stderr)[-3000:])
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
