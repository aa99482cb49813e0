"""No argument is ignored in Python either: each has an effect, by itself and together with every other one, or is a UsageError.

The suite tries all single arguments and a fixed sample of the pairs; `make pairs` tries all.
"""

import functools
import inspect
import itertools
import os
import re
from contextlib import suppress

import numpy as np
import pandas as pd
import polars as pl
import pytest
from tests.cli.samples import CASES

import goldassay
from goldassay.core.errors import GoldassayError, UsageError
from goldassay.core.parameters import parameters_of
from goldassay.families import families
from goldassay.report.explain import evidence_frame
from goldassay.request import ARGUMENTS, NOT_SWEPT

USUAL = {"pred": ["pred.csv"], "gold": "gold.csv", "measures": "literal"}
DRAWN = goldassay.Resampling(resamples=100)
FUZZY = {"measures": "fuzzy(threshold=0.3)", "encoder": "hashing"}
WIDE = {"pred": ["wide.csv"], "gold": "widegold.csv"}
READ = {
    "judged": ("judged.csv", {}),
    "ignore": ("ignored.csv", {}),
    "scope": ("scope.txt", {}),
    "completeness": ("source", {}),
    "gold_options": ({"child_column": "kid"}, WIDE),
    "pred_options": ({"parent_column": "mum"}, WIDE),
    "header": ("no", {}),
    "nodes": ("linked", {"pred": ["worst.csv", "pred.nt"], "gold": "gold.nt", "measures": "nodes"}),
}
SCORED = {
    **READ,
    "measures": ("nodes", {"encoder": "hashing"}),
    "encoder": ("hashing", {"measures": "fuzzy(threshold=0.3)"}),
    "intervals": (DRAWN, {}),
    "against": ("best", {"pred": ["worst.csv", "pred.csv"], "intervals": DRAWN}),
    "chance": (goldassay.Chance(draws=4), {}),
    "by": ("depth", {}),
    "combine": ("intersection", {"gold": ["gold.csv", "gold2.csv"]}),
    "unreadable": ("keep", {"pred": ["pred.csv", "nosuch.csv"]}),
    "as_": ("notebook", {"measures": None}),
    "engine": ("duckdb", {}),
    "spark_remote": ("sc://localhost", {}),
    "spark_vectors": ("vectors", {}),
    "kind": ("axioms", {"measures": None}),
}
SWEPT = {name: (value, {**FUZZY, **needs}) for name, (value, needs) in READ.items() if name != "nodes"} | {
    "nodes": ("linked", {**FUZZY, **READ["nodes"][1]}),
    "measures": ("nodes", FUZZY),
    "encoder": ("hashing", FUZZY),
}
AS_BEFORE = {"pred", "gold", "progress", "memory", "evidence", "selfcheck", "reading"}
"""What is scored, what is shown meanwhile, and what takes time or memory, or warns, but changes no number."""
SAME = {"engine": "an engine counts the same numbers elsewhere"}
"""Arguments without a visible effect by design, and why."""
EVERY = 1 if os.environ.get("PAIRS") == "all" else 11


HOLDS_ITSELF: list = []
HOLDS_ITSELF.append(HOLDS_ITSELF)
ODD = {
    "a table of pandas": pd.DataFrame([["a", "b"]], columns=["child", "child"]),
    "a table of Polars": pl.DataFrame({"child": ["a"]}),
    "a lazy table": pl.LazyFrame({"child": ["a"]}),
    "an array": np.array([["a", 1], [None, "b"]], dtype=object),
    "rows": np.array([("a", "b")], dtype=[("child", "U9"), ("parent", "U9")]),
    "a number": 10**5000,
    "nan": float("nan"),
    "bytes": b"a",
    "a list that holds itself": HOLDS_ITSELF,
    "an object": object(),
    "a type": int,
}
"""What no argument is, but what a program may give for one."""
OF_READERS = sorted({name for one in families().values() for name in parameters_of(one.reading.options)})


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("value", ODD)
def test_an_odd_value_is_read_or_refused(value):
    edges, given = [("cat", "pet")], ODD[value]
    with pytest.raises(GoldassayError):
        goldassay.compare(given)
    for name in [*ARGUMENTS, *OF_READERS]:
        for run in (goldassay.evaluate, goldassay.sweep):
            # A type is a function, which may be asked for anything.
            if given is not int or name not in {"progress", "encoder"}:
                with suppress(GoldassayError):
                    run([("cat", "pet")], **{"gold": edges, "kind": "taxonomy", "measures": "literal", name: given})


@pytest.fixture
def here(tmp_path, monkeypatch):
    """Work in a folder with the files of taxonomies."""
    for name, text in CASES["taxonomy"].files.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GOLDASSAY_CACHE_DIR", str(tmp_path / "cache"))


def scored(**arguments):
    """Score, and give all that the report holds."""
    report = goldassay.evaluate(**arguments)
    items = "" if report.engine else str(evidence_frame(report).rows())
    return re.sub(r'"timings": ?\{[^}]*\}', "", report.format("json")) + items


def swept(**arguments):
    """Sweep, and give all that the curves hold."""
    return str([found.to_dict() for found in goldassay.sweep(**arguments)])


def joined(*needs):
    """Join what arguments need: predictions are united, of others the last counts."""
    found = dict(USUAL)
    for one in needs:
        files = [*found["pred"], *one["pred"]] if "pred" in one and found["pred"] != USUAL["pred"] else one.get("pred")
        found |= one | ({"pred": list(dict.fromkeys(files))} if files else {})
    return found


def ignored(run, samples, names):
    """List the arguments among some that have no effect next to the others."""
    needs = joined(*(samples[name][1] for name in names))
    given = {name: samples[name][0] for name in names}
    whole = run({**needs, **given})
    if isinstance(whole, UsageError):
        return []
    free = [name for name in names if name not in SAME and not any(name in samples[other][1] for other in names)]
    return [name for name in free if whole == run({**needs, **{one: given[one] for one in names if one != name}})]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("call", "known", "samples"),
    [(scored, set(ARGUMENTS), SCORED), (swept, set(ARGUMENTS) - NOT_SWEPT, SWEPT)],
    ids=["evaluate", "sweep"],
)
def test_arguments_have_an_effect_only_and_in_pairs_or_are_refused(here, call, known, samples):
    seen = {}

    def run(arguments):
        key = repr(sorted(arguments.items(), key=lambda one: one[0]))
        if key not in seen:
            try:
                seen[key] = call(**arguments)
            except GoldassayError as error:
                seen[key] = error
        return seen[key]

    assert known - AS_BEFORE - {"kind"} <= set(samples)
    pairs = itertools.combinations(samples, 2)
    names = [*((name,) for name in samples), *itertools.islice(pairs, 0, None, EVERY)]
    look = functools.partial(ignored, run, samples)
    assert {pair: look(pair) for pair in names if look(pair)} == {}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("arguments", "messages"),
    [
        ({"against": "best"}, "--against has no effect with one prediction"),
        ({"pred": ["pred.csv", "worst.csv"], "against": "best"}, "has no effect without intervals"),
        ({"pred": {"a": ["run1.csv", "run2.csv"]}, "against": "best"}, "--against has no effect with one system"),
        ({"pred": {"a": ["run1.csv", "run2.csv"]}, "unreadable": "keep"}, "--runs does not support an unreadable run"),
        ({"edges": "all", "obsolete": "keep"}, "obsolete has no effect with edges 'all'"),
        ({"text": "iri", "language": "de"}, "language has no effect with text 'iri'"),
        ({"pred": "pred.nt", "gold": "gold.nt", "header": "no"}, "header has no effect: no file is a table"),
        ({"pred": "pred.nt", "gold": "gold.nt", "child_column": "a"}, "child_column has no effect: no file"),
        ({"gold": "gold.nt", "pred_options": {"child_column": "kid"}, "pred": "pred.nt"}, "no file is a table"),
    ],
)
def test_an_argument_without_effect_is_refused(here, arguments, messages):
    with pytest.raises(UsageError, match=re.escape(messages)):
        goldassay.evaluate(**{**USUAL, **arguments})


def test_the_signature_of_evaluate_is_the_list_of_arguments():
    _, *named, reading = inspect.signature(goldassay.evaluate).parameters.values()
    assert reading.kind is inspect.Parameter.VAR_KEYWORD
    declared = {name: inspect.Parameter.empty if name == "gold" else one.default for name, one in ARGUMENTS.items()}
    assert {one.name: one.default for one in named} == declared


@pytest.mark.parametrize(("name", "meant"), [("measurs", "measures"), ("interval", "intervals"), ("egdes", "edges")])
@pytest.mark.parametrize("call", [goldassay.evaluate, goldassay.sweep])
def test_a_misspelt_argument_is_refused_with_the_closest_one(here, call, name, meant):
    with pytest.raises(UsageError, match=f"Unknown option of taxonomy '{name}'") as caught:
        call("pred.csv", gold="gold.csv", **{name: "literal"})
    assert caught.value.hint == meant


@pytest.mark.parametrize("name", sorted(NOT_SWEPT))
def test_what_has_no_effect_on_a_sweep_is_refused(here, name):
    with pytest.raises(UsageError, match=f"{name} has no effect on a sweep"):
        goldassay.sweep("pred.csv", gold="gold.csv", **{name: SCORED.get(name, (True, {}))[0]})


def test_a_sweep_is_about_one_gold_standard(here):
    with pytest.raises(UsageError, match="one gold standard only"):
        goldassay.sweep("pred.csv", gold=["gold.csv", "gold2.csv"], measures="fuzzy", encoder="hashing")


def test_options_of_a_side_that_is_read_already_are_refused(here):
    read = goldassay.read("wide.csv")
    options = {"child_column": "kid"}
    for given in ({"pred": read, "pred_options": options}, {"gold": read, "gold_options": options}):
        for call in (goldassay.evaluate, goldassay.sweep):
            with pytest.raises(UsageError, match="Reader options have no effect"):
                call(**{**USUAL, "measures": "fuzzy", "encoder": "hashing", **given})


@pytest.mark.filterwarnings("ignore:prediction and gold have no")
def test_columns_may_be_named_where_one_file_is_a_table(here):
    report = goldassay.evaluate("wide.csv", gold="gold.nt", measures="literal", child_column="kid")
    assert report.runs[0].pred.format == "csv"


@pytest.mark.parametrize("options", [{"score_column": "none", "block": 2}, {"language": "de"}])
def test_options_of_a_reader_that_have_no_effect_together_are_refused(options):
    with pytest.raises(UsageError, match="has no effect with"):
        goldassay.alignments.AlignmentReading(**options)


@pytest.mark.parametrize(
    "options",
    [
        {"dictionary": "a.obo", "fold": True},
        {"concepts": "listed", "longest": 2},
        {"tree": "tree", "abbreviations": True},
    ],
)
def test_options_about_finding_concepts_in_another_way_are_refused(options):
    with pytest.raises(UsageError, match="has no effect where"):
        goldassay.concepts.ConceptReading(**options)


@pytest.mark.parametrize("option", ["abbreviations", "terms", "on_unpaired", "longest"])
def test_options_of_a_reader_that_an_engine_does_not_know_are_refused(tmp_path, option):
    file = tmp_path / "given.csv"
    file.write_text("id,concepts\n1,cat\n")
    value = {"on_unpaired": "error", "longest": 1}.get(option, True)
    with pytest.raises(UsageError, match=f"--{option.replace('_', '-')} is not supported"):
        goldassay.evaluate(
            file, gold=file, kind="concepts", measures="concept_exact", engine="duckdb", **{option: value}
        )


OF_OTHER_TYPES = [3, None, b"a", object(), ["a"], {}, np.array(3), np.array([[1]]), pl.DataFrame({"a": [1]}), int]
REPORT = goldassay.evaluate([("cat", "pet")], gold=[("cat", "pet")], measures="literal")
ENTRANCES = {
    "load": goldassay.load,
    "parse": goldassay.parse,
    "register": goldassay.register,
    "compare": goldassay.compare,
    "get_encoder": lambda odd: goldassay.get_encoder(3 if odd is None else odd),
    "breakdown": lambda odd: goldassay.breakdown(odd, by="depth"),
    "by": lambda odd: goldassay.breakdown(REPORT["literal"], by=odd),
    "name of a score": REPORT.__getitem__,
    "layout": REPORT.format,
    "save": REPORT.save,
    "measures": lambda odd: goldassay.evaluate([], gold=[("a", "b")], measures=3 if odd is None else odd),
    "edges": goldassay.Graph.from_edges,
    "a row": lambda odd: goldassay.Graph.from_edges([odd]),
}


@pytest.mark.parametrize("odd", OF_OTHER_TYPES, ids=lambda odd: type(odd).__name__)
@pytest.mark.parametrize("entrance", ENTRANCES)
def test_an_argument_of_another_type_is_refused_with_its_name(entrance, odd, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(GoldassayError) as caught:
        ENTRANCES[entrance](odd)
    assert str(caught.value)
    assert not list(tmp_path.iterdir())
