"""Imports run only along the straight line, and `import goldassay` is light."""

import ast
import functools
import subprocess
import sys
from pathlib import Path

import pytest

import goldassay

PACKAGE = Path(goldassay.__file__).parent
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


@functools.cache
def imports_of(path):
    """Give the parts and the files that a file imports; its tree is not kept, as trees keep the collector of garbage busy."""
    nodes = [*ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
    return {*parts_imported_by(nodes)}, {*files_imported_by(nodes)}


def last_name(function):
    """Give the last name of what is called; none of what is called by no name."""
    return getattr(function, "attr", getattr(function, "id", ""))


def parts_imported_by(nodes):
    for node in nodes:
        names = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [
                f"{node.module}.{alias.name}" if node.module == "goldassay" else node.module for alias in node.names
            ]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.Call) and last_name(node.func) == "import_module":
            names = [one.value for one in node.args if isinstance(one, ast.Constant)]
        for name in names:
            root, _, rest = name.partition(".")
            if root == "goldassay":
                first = rest.partition(".")[0] or "goldassay"
                yield first if first in ALLOWED else "goldassay"


def test_imports_run_along_the_line():
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        part = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        assert part in ALLOWED, f"{part} has no place on the line yet"
        if beyond := imports_of(path)[0] - {part} - ALLOWED[part]:
            found[str(path)] = beyond
    assert found == {}


def file_of(module):
    """Return the file of a module of the package; None if it is none."""
    root, *parts = module.split(".")
    if root != PACKAGE.name:
        return None
    place = PACKAGE.joinpath(*parts)
    found = next((path for path in (place.with_suffix(".py"), place / "__init__.py") if path.is_file()), None)
    return found and found.relative_to(PACKAGE).as_posix()


def files_imported_by(nodes):
    """List the files that nodes import, those for type checkers too."""
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module:
            # `from package import module` imports the module; `from module import name` the module of the name.
            yield from (file_of(f"{node.module}.{name.name}") or file_of(node.module) for name in node.names)
        elif isinstance(node, ast.Import):
            yield from (file_of(name.name) for name in node.names)


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
    imports = {}
    for path in PACKAGE.rglob("*.py"):
        name, found = path.relative_to(PACKAGE).as_posix(), imports_of(path)[1]
        imports[name] = {one for one in found if one and (name, one) not in FOR_TYPES}
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


def outside_functions(tree):
    """Give the nodes that run when a module is imported."""
    open_ = [tree]
    while open_:
        node = open_.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            open_ += ast.iter_child_nodes(node)


def compiles(node):
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "re.compile"


def test_no_pattern_is_compiled_by_an_import():
    trees = {path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_bytes()) for path in PACKAGE.rglob("*.py")}
    eager = {name: any(map(compiles, outside_functions(tree))) for name, tree in trees.items()}
    assert [name for name, found in eager.items() if found] == []
    assert any(map(compiles, outside_functions(ast.parse("A = [re.compile('a')]"))))


LAZY = {"msgspec", "narwhals.stable.v2", "polars", "pyoxigraph"}
"""What `core/libraries.py` imports at its first use, so that functions need not."""


def imported_in_functions(tree):
    """Yield the libraries that a function imports although `core/libraries.py` has them."""
    for node in set(ast.walk(tree)) - set(outside_functions(tree)):
        if isinstance(node, ast.Import):
            yield from LAZY & {one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module == "pyoxigraph":
            yield node.module


def test_no_function_imports_a_library_that_is_imported_at_its_first_use():
    # Kernels import no other package of goldassay.
    trees = {path.name: ast.parse(path.read_bytes()) for path in PACKAGE.rglob("*.py") if path.parent.name != "kernels"}
    assert {name: found for name, tree in trees.items() if (found := list(imported_in_functions(tree)))} == {}
    assert list(imported_in_functions(ast.parse("def f():\n    import polars as pl"))) == ["polars"]


def test_a_library_is_a_module_as_any_other_after_its_first_use():
    code = "import sys; from goldassay.core.libraries import pl, ox; assert not {'polars', 'pyoxigraph'} & set(sys.modules); "
    code += "assert pl.DataFrame is sys.modules['polars'].DataFrame and ox.NamedNode('a:b'); print(type(pl) is type(ox) is type(sys))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "True"


def test_no_match_is_compared_by_its_pattern():
    # The pattern of a match is the compiled one, and never the one that a module has.
    nodes = {path.name: ast.walk(ast.parse(path.read_bytes())) for path in PACKAGE.rglob("*.py")}
    asked = {name: [one for one in found if getattr(one, "attr", "") == "re"] for name, found in nodes.items()}
    assert [name for name, found in asked.items() if found] == []


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
