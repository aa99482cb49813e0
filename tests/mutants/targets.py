"""Which files are changed, and which tests are to see it."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
SOURCE = ROOT / "src" / "goldassay"
# The folders of families, and which families these are: only the laws of their measures are tried.
FAMILIES = {
    "graphs": ("taxonomy",),
    "axioms": ("axioms",),
    "alignments": ("alignment",),
    "concepts": ("concepts",),
    "labels": ("labels",),
    "triples": ("triples",),
    "unl": ("unl", "sentences"),
}
LAWS = {"core": ("axioms",), **FAMILIES}
FOLDERS = ("core", "kernels", *FAMILIES, "report/gates.py")
# Messages, pictures and what a person waits for: no number comes from them.
LEFT_OUT = {"core/errors.py", "core/panel.py", "core/timing.py", "core/version.py", "core/__init__.py"}
# Tests of a folder that run no measure: of reading, showing and suspecting.
OTHERS = (
    "abbreviations",
    "blank_nodes",
    "calibration",
    "extract",
    "inspect",
    "panels",
    "read",
    "read_sentences",
    "suspicions",
)
# Tests beside those of the same folder, and the examples in the files.
BESIDE = {
    "core": [
        "tests/laws",
        "tests/alignments/test_measures.py",
        "tests/axioms/test_measures.py",
        "tests/graphs/test_measures.py",
        "tests/test_partial.py",
    ],
    "kernels": [
        "tests/core/test_significance.py",
        "tests/chance/test_nulls.py",
        "tests/concepts/test_extract.py",
        "tests/concepts/test_measures.py",
        "tests/graphs/test_assignment.py",
        "tests/graphs/test_hierarchies.py",
        "tests/graphs/test_structure.py",
        "tests/graphs/test_measures.py",
    ],
    **{family: ["tests/laws"] for family in FAMILIES},
    "labels": ["tests/laws", "tests/published/test_labels.py"],
    "triples": ["tests/laws", "tests/published/test_triples.py"],
    "report": ["tests/report/test_gates.py"],
}
# This page lists the defaults, choices and bounds of every measure, and is compared with them.
DECLARED = "tests/test_docs.py::test_the_page_of_measures_is_up_to_date"
# Tests of seconds, about the whole of a method or about time and memory, and of files that are not part of the project.
LONG = (
    "93_to_97", "under_the_null", "exact_test_where", "whatever_the_threads", "equally_likely", "ten_megabytes",
    "linear_time", "at_any_threshold", "real_file", "real_ontologies", "genuine", "15794", "more_memory", "beyond_memory",
)  # fmt: skip


def targets() -> list[str]:
    """List the files that are changed, from ``src/goldassay``."""
    found = []
    for folder in FOLDERS:
        start = SOURCE / folder
        for path in [start] if start.is_file() else sorted(start.rglob("*.py")):
            name = path.relative_to(SOURCE).as_posix()
            if name not in LEFT_OUT and (folder not in FAMILIES or _is_measure(path)):
                found.append(name)
    return found


def tests(names: list[str]) -> list[str]:
    """List the tests, by file or folder, of which some may see changes of these files."""
    found: dict[str, None] = {}
    for folder in dict.fromkeys(name.partition("/")[0] for name in names):
        own = sorted(ROOT.glob(f"tests/{folder}/test_*.py")) if folder != "report" else []
        chosen = [path for path in own if folder not in FAMILIES or path.stem.removeprefix("test_") not in OTHERS]
        found |= dict.fromkeys([*(path.relative_to(ROOT).as_posix() for path in chosen), *BESIDE[folder], DECLARED])
    # Examples come last, as in a run of all tests: pytest imports a file by its path, and some tests by its name.
    found |= dict.fromkeys(f"src/goldassay/{name}" for name in names if ">>> " in (SOURCE / name).read_text("utf-8"))
    return list(found)


def is_lawful(item: pytest.Item, names: list[str]) -> bool:
    """Tell whether a test is no law of another family's measure."""
    if not item.nodeid.startswith("tests/laws") or not hasattr(item, "callspec"):
        return True
    from goldassay.families import family

    kinds = {kind for name in names for kind in LAWS.get(name.partition("/")[0], ())}
    measures = {measure.name for kind in kinds for measure in family(kind).measures}
    return item.callspec.id.partition("(")[0] in measures


def is_near(test: str, name: str) -> bool:
    """Tell whether a test is one of this very file."""
    folder = name.partition("/")[0]
    beside = [
        f"test_{Path(name).stem}.py",
        *(() if folder in ("core", "kernels") else ("test_measures.py", "test_by_hand.py")),
    ]
    return test == DECLARED or test.startswith(
        (f"src/goldassay/{name}::", *(f"tests/{folder}/{one}::" for one in beside))
    )


def _is_measure(path: Path) -> bool:
    """Tell the files of a family that match, count or divide from those that read, show and write."""
    text = path.read_text("utf-8")
    return "def divide(" in text or "def match(" in text or "citation: ClassVar" in text or path.name == "matching.py"
