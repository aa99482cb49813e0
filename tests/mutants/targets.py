"""Which files are changed, and which tests are to see it."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
SOURCE = ROOT / "src" / "goldassay"
# The families, and which kinds they are: only the laws of their measures are tried.
FAMILIES = {
    "graphs": ("taxonomy",),
    "axioms": ("axioms",),
    "alignments": ("alignment",),
    "concepts": ("concepts",),
    "labels": ("labels",),
    "triples": ("triples",),
    "unl": ("unl", "sentences"),
}
LAWS = {"core": ("axioms",), "chance": ("taxonomy", "axioms"), **FAMILIES}
# Texts of errors, what a person waits for, and what only runs where Java or another framework is started.
LEFT_OUT = (
    "__init__.py",
    "alignments/measures/reasoner.py",
    "core/__init__.py",
    "core/errors.py",
    "core/timing.py",
    "core/version.py",
    "engines/on_spark.py",
    "integrations/deepeval.py",
    "integrations/inspect_ai.py",
    "integrations/mlflow.py",
    "integrations/sklearn.py",
    "serve/migrations/",
)
READERS = [f"tests/{family}/test_read.py" for family in FAMILIES]
# Tests next to those of the same folder or name, and the examples in the files.
TOGETHER = {
    "core": [
        "tests/laws",
        "tests/alignments/test_measures.py",
        "tests/axioms/test_measures.py",
        "tests/graphs/test_measures.py",
        "tests/test_partial.py",
        "tests/test_presets.py",
    ],
    "kernels": [
        "tests/core/test_significance.py",
        "tests/chance/test_nulls.py",
        "tests/concepts/texts/test_extract.py",
        "tests/concepts/test_measures.py",
        "tests/graphs/test_assignment.py",
        "tests/graphs/test_hierarchies.py",
        "tests/graphs/test_structure.py",
        "tests/graphs/test_measures.py",
    ],
    **{
        family: [
            "tests/laws",
            f"tests/published/test_{family}.py",
            "tests/chance/test_nulls.py",
            "tests/chance/test_separation.py",
            "tests/engines/test_duckdb.py",
            "tests/engines/test_near.py",
            "tests/test_errors_by_kind.py",
            f"tests/cli/test_{family}.py",
            "tests/test_gold_standards.py",
            "tests/test_partial.py",
        ]
        for family in FAMILIES
    },
    "challenges": ["tests/serve/test_tasks.py"],
    "chance": ["tests/laws/test_chance.py"],
    "cli": ["tests/test_arguments.py", "tests/meta/test_meta.py"],
    "encoders": ["tests/graphs/test_measures.py"],
    "engines": ["tests/core/test_lazy.py", "tests/test_spread.py"],
    "formats": [*READERS, "tests/laws/test_damage.py", "tests/fuzz/test_regressions.py"],
    "report": [
        "tests/test_evidence.py",
        "tests/test_rows_of_evidence.py",
        "tests/test_saved.py",
        "tests/test_compare.py",
        "tests/cli/test_compare.py",
        "tests/cli/test_concepts.py::test_several_wordings_of_a_sentence_are_references",
    ],
    "sampling": ["tests/engines/test_drawing.py", "tests/cli/test_sampling.py"],
    "serve": ["tests/challenges"],
    "__main__.py": ["tests/cli/test_main.py"],
    "comparison.py": ["tests/test_compare.py", "tests/cli/test_compare.py", "tests/report/test_cells.py"],
    "evaluation.py": ["tests/test_arguments.py", "tests/cli/test_gold_standards.py", "tests/cli/test_runs.py"],
    "families.py": ["tests/core/test_family.py", "tests/cli/test_inspect.py", "tests/plugins/test_plugin.py"],
    "gold_standards.py": [
        "tests/core/test_combination.py",
        "tests/cli/test_gold_standards.py",
        "tests/report/test_cells.py",
    ],
    "inputs.py": ["tests/laws/test_empty.py"],
    "pipeline.py": [
        "tests/test_evaluate.py",
        "tests/test_arguments.py",
        "tests/test_partial.py",
        "tests/test_spread.py",
        "tests/core/test_sweep.py",
    ],
    "place.py": ["tests/test_evaluate.py", "tests/test_spread.py", "tests/chance/test_diagnostics.py"],
    "pytest.py": ["tests/integrations/test_pytest.py"],
    "renaming.py": ["tests/test_inputs.py", "tests/laws/test_other_names.py"],
    "repeated.py": ["tests/report/test_cells.py", "tests/cli/test_runs.py", "tests/core/test_replication.py"],
    "request.py": ["tests/test_arguments.py", "tests/test_inputs.py", "tests/test_presets.py"],
    "saved.py": ["tests/report/test_kept.py"],
    "spread.py": ["tests/test_arguments.py"],
}
# Tests of a file that have another name than it.
ALSO = {
    "chance/level.py": ("diagnostics",),
    "unl/match.py": ("mapping",),
    "triples/match.py": ("facts", "nodes"),
    "concepts/match.py": ("medcon", "assertions"),
}
# This page lists the defaults, choices and bounds of every measure, and is compared with them.
DECLARED = "tests/test_docs.py::test_the_page_of_measures_is_up_to_date"
ELSEWHERE = {
    ROOT / "tests" / name
    for name in ("engines/test_tasks.py", "integrations/test_builders.py", "integrations/test_frameworks.py")
}
"""What needs a cluster, or an environment of its own."""
# Tests of seconds, about the whole of a method or about time and memory, of files that are not part of the project, and
# of what runs in another process, which sees no change.
LONG = (
    "93_to_97", "under_the_null", "exact_test_where", "for_any_threads", "equally_likely", "two_megabytes",
    "linear_time", "real_file", "real_ontologies", "genuine", "15794", "more_memory", "beyond_memory",
    "in_a_browser", "postgresql", "test_processes", "test_spark", "test_connect", "test_expected", "test_bundle",
    "signal", "ctrl_c", "full_standard_output", "closed_pipe", "reasoner", "drops_the_batches", "interrupt_stops",
    "default_model_gives", "weights_and_limit", "model_from_a_folder", "absent_model_is",
)  # fmt: skip
# And what is started for tests by these fixtures.
STARTED = {"cluster", "connect"}


def folder_of(name: str) -> str:
    """Name the folder of a file; those next to the folders are together."""
    return name.partition("/")[0] if "/" in name else "."


def targets() -> list[str]:
    """List the files that are changed, from ``src/goldassay``."""
    found = (path.relative_to(SOURCE).as_posix() for path in sorted(SOURCE.rglob("*.py")))
    return [name for name in found if not name.startswith(LEFT_OUT)]


def tests(names: list[str]) -> list[str]:
    """List the tests, by file or folder, of which some may see changes of these files."""
    found: dict[str, None] = {}
    for part in dict.fromkeys(name.partition("/")[0] for name in names):
        own = sorted({*ROOT.glob(f"tests/{part}/**/test_*.py")} - ELSEWHERE) or [ROOT / f"tests/test_{part}"]
        chosen = [*(path.relative_to(ROOT).as_posix() for path in own), *TOGETHER.get(part, []), DECLARED]
        found |= dict.fromkeys(one for one in chosen if (ROOT / one.partition("::")[0]).exists())
    # Examples come last, as in a run of all tests: pytest imports a file by its path, and some tests by its name.
    found |= dict.fromkeys(f"src/goldassay/{name}" for name in names if ">>> " in (SOURCE / name).read_text("utf-8"))
    return list(found)


def is_lawful(item: pytest.Item, names: list[str]) -> bool:
    """Return whether a test is no law of another family's measure, and starts no cluster."""
    if STARTED.intersection(getattr(item, "fixturenames", ())):
        return False
    if not item.nodeid.startswith("tests/laws") or not hasattr(item, "callspec"):
        return True
    from goldassay.families import families, family

    kinds = {kind for name in names for kind in LAWS.get(name.partition("/")[0], ())}
    others = {measure.name for kind in families() if kind not in kinds for measure in family(kind).measures.classes}
    return item.callspec.id.partition("(")[0] not in others


def is_near(test: str, name: str) -> bool:
    """Return whether a test is one of this very file."""
    folder, _, inside = name.rpartition("/")
    top = folder.partition("/")[0]
    families = ("test_measures.py", "test_by_hand.py", "test_read.py") if top in FAMILIES else ()
    # A file of several, or the folder it lies in, may be tested as one.
    stems = (Path(inside).stem, *Path(inside).parent.parts, *ALSO.get(name, ()))
    files = (*(f"test_{stem}.py" for stem in stems), *families)
    places = [f"tests/{where}/{one}::" for where in (top, folder) for one in files]
    next_to = [] if top else [f"tests/test_{inside}::", *(f"{one}::" for one in TOGETHER.get(inside, []))]
    return test == DECLARED or test.startswith((f"src/goldassay/{name}::", *places, *next_to))
