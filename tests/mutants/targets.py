"""Which files are changed, and which tests are to see it."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SOURCE = ROOT / "src" / "goldassay"
FOLDERS = ("core", "kernels", "graphs", "axioms", "alignments", "concepts", "labels", "unl", "report/gates.py")
# Messages, pictures and what a person waits for: no number comes from them.
LEFT_OUT = {"core/errors.py", "core/panel.py", "core/timing.py", "core/version.py", "core/__init__.py"}
FAMILIES = {
    "graphs": "taxonomy",
    "axioms": "axioms",
    "alignments": "alignment",
    "concepts": "concepts",
    "labels": "labels",
    "unl": "unl",
}
# Tests beside those that stand at the same place.
BESIDE = {
    "core/breakdown.py": ["tests/graphs/test_measures.py", "tests/axioms/test_measures.py"],
    "core/context.py": ["tests/graphs/test_measures.py"],
    "core/family.py": ["tests/core/test_measure.py"],
    "core/matching.py": ["tests/graphs/test_measures.py"],
    "core/measure.py": ["tests/core/test_score.py", "tests/graphs/test_measures.py", "tests/laws/test_laws.py"],
    "core/model.py": ["tests/graphs/test_read.py"],
    "core/parameters.py": ["tests/core/test_measure.py"],
    "kernels/reach.py": ["tests/graphs/test_structure.py"],
    "kernels/resample.py": ["tests/core/test_significance.py"],
    "kernels/smoothing.py": ["tests/graphs/test_assignment.py"],
    "kernels/threads.py": ["tests/kernels/test_cosine.py"],
    "kernels/triads.py": ["tests/graphs/test_structure.py"],
    "kernels/search.py": ["tests/concepts/test_extract.py"],
}


def targets() -> dict[str, list[str]]:
    """Give for each file, from ``src/goldassay``, its tests in the order in which they are run."""
    found = {}
    for folder in FOLDERS:
        start = SOURCE / folder
        for path in [start] if start.is_file() else sorted(start.rglob("*.py")):
            name = path.relative_to(SOURCE).as_posix()
            if name not in LEFT_OUT and (folder not in FAMILIES or _is_measure(path)):
                found[name] = _tests(path, name)
    return found


def _is_measure(path: Path) -> bool:
    """Tell the files of a family that match, count or divide from those that read, show and write."""
    text = path.read_text("utf-8")
    return "def divide(" in text or "def match(" in text or "citation: ClassVar" in text or path.name == "matching.py"


def _tests(path: Path, name: str) -> list[str]:
    folder, _, _ = name.partition("/")
    mirror = ROOT / "tests" / Path(name).parent / f"test_{path.stem}.py"
    found = [str(path)] if ">>> " in path.read_text("utf-8") else []
    if mirror.exists():
        found.append(mirror.relative_to(ROOT).as_posix())
    if folder in FAMILIES:
        found.append(f"tests/{folder}/test_measures.py")
    elif folder == "kernels" and "edges/" in name:
        found += [f"tests/kernels/test_{part}.py" for part in ("auction", "one_to_one", "edges", "grouped")]
        found += ["tests/graphs/test_assignment.py"]
    return found + BESIDE.get(name, [])
