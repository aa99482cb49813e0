"""What is added has all that the laws need; and where it has not, the message names what is missing."""

import ast
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from tests import registry
from tests.laws.test_chance import RICH

from goldassay.core.lazy import Engine
from goldassay.engines import EngineName, engine_of
from goldassay.families import HOMES, families
from goldassay.formats.known import FORMATS, formats_of
from goldassay.graphs import Graph
from goldassay.graphs.nulls import NULLS

NULL_MODELS = [(kind, name) for kind, family in families().items() for name in family.trust.nulls]
READ_BY = {
    name: [kind for kind, family in families().items() if name in registry.readable(family)]
    for name in dict.fromkeys(
        [
            *(known.name for known in FORMATS),
            *(name for family in families().values() for name in registry.readable(family)),
        ]
    )
}
OPTIONLESS = {"unl": ["unl"], "text": ["sentences"]}
"""The formats of families whose files need no option of a format."""
PLAN = ("model.py", "read.py", "match.py", "measures/__init__.py", "trust.py")
PACKAGES = sorted({".".join(home.module.split(".")[:2]) for home in HOMES.values()})


@pytest.mark.parametrize("kind", families())
def test_every_family_has_all_declarations(kind):
    assert list(registry.lacking_of_family(kind, families()[kind])) == []


@pytest.mark.parametrize("package", PACKAGES)
def test_every_family_has_the_same_plan(package):
    start = Path(import_module(package).__file__)
    assert [name for name in PLAN if not (start.parent / name).is_file()] == []
    # Names that are imported on request are imported for type checkers, too.
    imports = (ast.Import, ast.ImportFrom, ast.If)
    _, *body = ast.parse(start.read_text("utf-8")).body
    stated = [ast.unparse(one.targets[0]) for one in body if not isinstance(one, imports)]
    assert [name for name in stated if name != "__getattr__"] == ["FAMILY", "__all__"]
    assert f"{package}.measures" not in start.with_name("match.py").read_text("utf-8")


@pytest.mark.parametrize("kind", HOMES)
def test_every_measure_is_in_the_folder_of_measures(kind):
    package = ".".join(HOMES[kind].module.split(".")[:2])
    modules = {measure.__module__ for measure in families()[kind].measures.classes}
    assert [module for module in sorted(modules) if not module.startswith(f"{package}.measures.")] == []


@pytest.mark.parametrize("name", formats_of("rows"))
def test_every_format_of_tables_is_read_by_every_family_of_tables(name):
    assert list(registry.lacking_of_table_format(name, families())) == []


# A hierarchy is read with labels, and is no model.
@pytest.mark.parametrize("name", [name for name in READ_BY if name not in formats_of("rows", "hierarchy")])
def test_every_other_format_is_read_by_a_family_from_a_file(name):
    assert list(registry.lacking_of_record_format(name, OPTIONLESS.get(name, READ_BY[name]))) == []


@pytest.mark.parametrize(("kind", "name"), NULL_MODELS)
def test_every_null_model_draws_predictions(kind, name, laboratories):
    rng, build = np.random.default_rng(3), laboratories[kind].build
    pred, gold = (build(RICH[kind](rng)) for _ in range(2))
    assert list(registry.faults_of_null(name, families()[kind].trust.nulls[name], pred, gold)) == []


@pytest.mark.parametrize("name", get_args(EngineName))
def test_every_engine_is_one_by_its_name(name):
    if name.startswith("spark"):
        pytest.importorskip("pyspark")
        return
    engine = engine_of(name, memory=2**28)
    assert engine.name == name
    assert all(hasattr(engine, method) for method in vars(Engine) if not method.startswith("_"))


# ---- the laws themselves: what is missing is named


def test_a_family_without_golds_is_reported_so():
    whole = families()["taxonomy"]
    bare = replace(whole, trust=replace(whole.trust, merged=None))
    lacking = list(registry.lacking_of_family("vocabulary", bare))
    assert lacking[0].startswith(
        "vocabulary does not declare trust.merged (makes one gold of several): declare it in its FAMILY"
    )
    assert (
        "vocabulary has no entry in PAIRS of tests/test_gold_standards.py (a gold and a prediction, for several gold standards)"
        in lacking
    )
    assert len(lacking) == 1 + len(registry.SAMPLES)
    assert list(
        registry.lacking_of_family("taxonomy", families()["taxonomy"], without={"taxonomy": ("trust.nulls",)})
    ) == ["taxonomy declares trust.nulls: take it out of WITHOUT in tests/registry.py"]


def test_a_format_of_tables_that_triples_does_not_read_is_named():
    lacking = list(registry.lacking_of_table_format("records", {"triples": families()["triples"]}))
    assert lacking == [
        "the format of tables records has no writer in TABLES of tests/registry.py",
        "triples does not read the format of tables records: add it to READABLE of goldassay.triples.reading",
    ]


def test_a_format_of_records_without_a_reader_or_a_file_is_named(tmp_path):
    (tmp_path / "triples").mkdir()
    (tmp_path / "triples" / "a.txt").write_text("nothing that is read")
    assert list(registry.lacking_of_record_format("tuples", [])) == [
        "no family reads the format tuples: add it to READABLE of one"
    ]
    [message] = registry.lacking_of_record_format("rebel", ["triples"], tmp_path)
    assert message.startswith("the format rebel has no file in ")


def _twice(pred, gold, rng):
    del gold, rng
    return replace(pred, edges=pred.edges[[0] * len(pred)])


def _in_place(pred, gold, rng):
    del gold
    rng.shuffle(pred.edges)
    return pred


FAULTY = {
    "draws an item twice": _twice,
    "changes the prediction": _in_place,
    "from the same seed": lambda pred, gold, rng: pred.take(np.random.default_rng().permutation(len(pred))),
    "declares certain=True": NULLS["rewire"].draw,
    "draws more items": lambda pred, gold, rng: gold.take(rng.permutation(len(gold))),
}


@pytest.mark.parametrize("fault", FAULTY)
def test_a_null_model_that_breaks_its_promise_is_named(fault):
    pred, gold = (Graph.from_edges([(f"n{row}", f"n{row // 2}") for row in range(1, size)]) for size in (20, 30))
    null = replace(NULLS["reversed"], draw=FAULTY[fault])
    message = list(registry.faults_of_null("mine", null, pred, gold))
    assert [line for line in message if fault in line], message
    assert all(line.startswith("mine ") for line in message)
    assert list(registry.faults_of_null("rewire", NULLS["rewire"], gold, pred)) == []
