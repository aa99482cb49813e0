"""Imports run only along the straight line, and `import goldassay` is light."""

import functools
import subprocess
import sys

import pytest
from tests.sources import PACKAGE, files, look_at

pytestmark = pytest.mark.xdist_group("house")
# What each part may import besides itself; nothing looks up, and families do not know each other.
CORE = {"kernels"}
SHARED = {"core", "kernels"}
FAMILY = SHARED | {"formats", "encoders", "report"}
ALLOWED = {
    "kernels": set(),
    "core": CORE,
    "report": SHARED,
    "formats": SHARED,
    # Vectors come from files, too, and are read as guardedly as all others.
    "encoders": SHARED | {"formats"},
    # What a builder of graphs writes is read as triples, and a hierarchy is some of these.
    "graphs": FAMILY | {"triples"},
    "axioms": FAMILY,
    "alignments": FAMILY,
    "compat": FAMILY | {"alignments"},
    "concepts": FAMILY | {"graphs"},
    "labels": FAMILY,
    "triples": FAMILY,
    "unl": FAMILY,
    "families": FAMILY | {"alignments", "axioms", "concepts", "graphs", "labels", "triples", "unl"},
    # What is by chance is found through what a family says of itself, so that it knows none.
    "chance": SHARED,
    "gold_standards": SHARED,
    # Labels are of items of any family; they are drawn where its models are read, which may be an engine.
    "sampling": SHARED | {"alignments", "engines", "families", "formats", "inputs", "report", "triples"},
    "selfcheck": FAMILY
    | {"alignments", "axioms", "chance", "concepts", "families", "graphs", "labels", "triples", "unl"},
    "inputs": SHARED | {"formats"},
    "place": SHARED | {"chance", "gold_standards", "inputs", "renaming"},
    # Workers of a cluster make the encoder anew.
    "engines": SHARED | {"encoders", "formats", "gold_standards", "inputs", "place", "report"},
    "cards": SHARED,
    "comparison": SHARED | {"families", "repeated", "report"},
    "repeated": SHARED | {"report"},
    "saved": SHARED | {"families", "formats", "repeated", "report"},
    # Downloads are kept where the cache of vectors is.
    "tasks": SHARED | {"encoders", "formats", "report"},
    "renaming": SHARED,
    "request": SHARED | {"engines", "families", "formats", "functions", "inputs"},
    "arguments": SHARED | {"engines", "inputs", "request"},
    "functions": SHARED | {"families"},
    "pipeline": FAMILY | {"chance", "families", "gold_standards", "inputs", "place", "request"},
    "spread": SHARED | {"chance", "engines", "families", "inputs", "pipeline", "report", "request", "saved"},
    "evaluation": FAMILY
    | {
        "arguments",
        "comparison",
        "engines",
        "families",
        "inputs",
        "pipeline",
        "notebooks",
        "place",
        "repeated",
        "request",
        "spread",
    },
    "notebooks": SHARED,
    "meta": SHARED | {"evaluation", "formats", "report", "sampling"},
    "integrations": SHARED | {"evaluation", "families", "formats", "report"},
    "pytest": {"core", "integrations"},
    "challenges": SHARED | {"evaluation", "families", "formats", "report", "request", "saved"},
    "serve": SHARED | {"challenges", "families", "report", "sampling", "saved"},
    "cli": FAMILY
    | {
        "alignments",
        "axioms",
        "engines",
        "challenges",
        "concepts",
        "graphs",
        "labels",
        "tasks",
        "unl",
        "chance",
        "cards",
        "comparison",
        "evaluation",
        "families",
        "goldassay",
        "inputs",
        "meta",
        "request",
        "sampling",
        "saved",
        "selfcheck",
        "serve",
    },
    "__main__": {"cli", "core"},
    "__init__": FAMILY
    | {
        "alignments",
        "axioms",
        "compat",
        "concepts",
        "graphs",
        "comparison",
        "evaluation",
        "families",
        "functions",
        "saved",
    }
    | {"labels", "triples", "unl"},
}


def parts_imported_by(file):
    """Yield the parts of the package that a file imports."""
    for full, module in file.modules:
        name = full if module in {"goldassay", ""} else module
        root, _, rest = name.partition(".")
        if root == "goldassay":
            first = rest.partition(".")[0] or "goldassay"
            yield first if first in ALLOWED else "goldassay"


def test_imports_run_along_the_line():
    found = {}
    for path, file in files().items():
        part = path.partition("/")[0].removesuffix(".py")
        assert part in ALLOWED, f"{part} has no place on the line yet"
        if beyond := {*parts_imported_by(file)} - {part} - ALLOWED[part]:
            found[path] = beyond
    assert found == {}


@functools.cache
def file_of(module):
    """Return the file of a module of the package; None if it is none."""
    root, *parts = module.split(".")
    if root != PACKAGE.name:
        return None
    place = PACKAGE.joinpath(*parts)
    found = next((path for path in (place.with_suffix(".py"), place / "__init__.py") if path.is_file()), None)
    return found and found.relative_to(PACKAGE).as_posix()


def files_imported_by(file):
    """List the files that a file imports, those for type checkers too."""
    # `from package import module` imports the module; `from module import name` the module of the name.
    return {file_of(full) or file_of(module) for full, module in file.modules if module} - {None}


FOR_TYPES = {("core/lazy.py", "core/measure.py")}
"""What is imported for type checkers only, since each of both files is about the other."""


def circles(imports):
    """List the sets of files that import each other, directly or through others."""

    def reached(start):
        seen, open_ = set(), [start]
        while open_:
            for found in imports[open_.pop()] - seen:
                seen.add(found)
                open_.append(found)
        return seen

    reach = {name: reached(name) for name in imports}
    rings = {frozenset(other for other in reach[name] if name in reach[other]) for name in imports}
    return sorted(sorted(ring) for ring in rings if ring)


def test_no_files_import_each_other():
    imports = {
        name: {one for one in files_imported_by(file) if (name, one) not in FOR_TYPES} for name, file in files().items()
    }
    assert circles(imports) == []


def test_a_circle_is_found():
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}, "e": set()}) == [["a", "b", "c"]]


HEAVY = {
    "altair",
    "jinja2",
    "polars",
    "pyoxigraph",
    "scipy",
    "onnxruntime",
    "rich",
    "typer",
    "obonet",
    "tokenizers",
    "networkx",
    "numba",
    "spacy",
    "narwhals",
    "duckdb",
    "pyspark",
    "starlette",
    "uvicorn",
    "sqlalchemy",
}


def test_import_brings_in_nothing_heavy():
    code = f"import sys, goldassay; print([name for name in {sorted(HEAVY)!r} if name in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


def test_no_pattern_is_compiled_by_an_import():
    assert [name for name, file in files().items() if file.compiles] == []
    assert look_at("A = [re.compile('a')]").compiles


def test_no_function_imports_a_library_that_is_imported_at_its_first_use():
    # Kernels import no other package of goldassay.
    assert {name: file.lazy for name, file in files().items() if file.lazy and not name.startswith("kernels/")} == {}
    assert look_at("def f():\n    import polars as pl").lazy == ["polars"]


def test_a_library_is_a_module_as_any_other_after_its_first_use():
    code = "import sys; from goldassay.core.libraries import pl, ox; assert not {'polars', 'pyoxigraph'} & set(sys.modules); "
    code += "assert pl.DataFrame is sys.modules['polars'].DataFrame and ox.NamedNode('a:b'); print(type(pl) is type(ox) is type(sys))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "True"


def test_no_match_is_compared_by_its_pattern():
    # The pattern of a match is the compiled one, and never the one that a module has.
    assert [name for name, file in files().items() if "re" in file.attributes] == []


SMALL = """
import gc, sys
from goldassay.__main__ import main
looks = []
gc.callbacks.append(lambda phase, _: looks.append(phase))
sys.argv = ["goldassay", "taxonomy", *sys.argv[1:], "-m", "literal", "--quiet"]
try:
    main()
finally:
    print(len(looks), *sys.modules)
"""
MOST = 195
"""So many modules of goldassay are in a small run; one more is there because the run needs it (docs/decisions/0133)."""
NEEDLESS = {
    "goldassay.encoders.named",
    "goldassay.engines.scoring",
    "goldassay.graphs.calibration",
    "goldassay.report.github",
    "goldassay.report.shape",
    "goldassay.saved",
    "sqlite3",
}


def test_a_small_run_imports_what_it_needs(tmp_path):
    table = tmp_path / "table.tsv"
    table.write_text("child\tparent\ncat\tpet\n")
    result = subprocess.run(
        [sys.executable, "-c", SMALL, table, "--gold", table], capture_output=True, text=True, check=True
    )
    looks, *modules = result.stdout.splitlines()[-1].split()
    assert not NEEDLESS & {*modules}
    assert sum(name.startswith("goldassay") for name in modules) <= MOST
    # The first objects are looked at twice, when a run begins and after it has made many.
    assert int(looks) <= 4


@pytest.mark.parametrize("scoring", ["evaluate(rows, gold=rows, measures=['literal'])", "parse('literal')"])
def test_a_measure_needs_no_other_family(scoring):
    code = f"import sys, goldassay; rows = [('cat', 'pet')]; goldassay.{scoring}; print(*sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    others = {"goldassay.alignments", "goldassay.axioms", "goldassay.concepts", "goldassay.labels", "goldassay.unl"}
    assert not others & {*result.stdout.split()}
