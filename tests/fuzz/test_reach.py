"""The fuzzer reaches every reader: each has files, a grammar and an oracle, and each fast way is switched off where careful reading is meant."""

import random
import re
import sys
from contextlib import suppress

import pytest
import typer
from tests.fuzz import commands, forms, mutators, several, ways
from tests.fuzz.targets import TARGETS, corpus
from tests.sources import files

from goldassay.cli import app
from goldassay.concepts.formats.annotations import FORMATS as ANNOTATIONS
from goldassay.concepts.formats.annotations import annotations_in
from goldassay.core.errors import GoldassayError, InputError
from goldassay.core.parameters import parameters_of
from goldassay.families import families
from goldassay.formats.json_tables import is_json_table
from goldassay.formats.known import FORMATS, SUFFIXES, TITLES
from goldassay.formats.recognise import recognise
from goldassay.formats.source import load
from goldassay.triples.read import format_of

SPEED = re.compile(r"at_once$|^_lay_out$|^_read_first_of_many$|^texts_in$")
"""What functions are called that read many things at once."""
SIZES = re.compile(r"^(SMALL|FEW|TOGETHER|AT_ONCE|COMPACT)$")
ELSEWHERE = {
    "triples.measures.triple_f1.TripleF1._at_once": "how many pairs the memory holds",
    "triples.measures.spans._lay_out": "ranks",
    "formats.builders.TOGETHER": "keys of JSON",
    "formats.tables.texts_in": "notes",
    "core.limits.SMALL": "a limit",
    "renaming.FEW": "a note",
    "graphs.lazy_near.TOGETHER": "what workers of an engine hold",
    "concepts.lazy.TOGETHER": "what workers of an engine hold",
}
"""What is called like a fast way, and is none."""


def readable():
    """Give the formats that each family reads, by the choices of its option."""
    some = {
        kind: {*(parameters_of(one.reading.options)["input_format"].choices or ())}
        for kind, one in families().items()
        if "input_format" in parameters_of(one.reading.options)
    }
    return {
        **some,
        "concepts": some["concepts"] | {*ANNOTATIONS},
        "sentences": {"csv", "tsv", "parquet", "json-lines", "json-table", "text", "unl"},
        "unl": {"unl"},
    }


def files_of(kind):
    """List the files of a family, kept and drawn."""
    draw = random.Random(1)
    for name, target in TARGETS.items():
        if kind in {name, getattr(target.check, "kind", "")}:
            yield from corpus(name)
            yield from (forms.drawn_file(grammar, draw) for grammar in target.grammars for _ in range(150))
    if kind == "concepts":
        yield from corpus("annotations")


def is_table(source):
    return is_json_table(source, lambda names: True)


@pytest.mark.parametrize("kind", readable())
@pytest.mark.filterwarnings("ignore")
def test_every_format_that_a_family_reads_has_a_file(kind, tmp_path):
    found = set()
    for name, data in files_of(kind):
        path = tmp_path / name
        path.write_bytes(data)
        source = load(path)
        found |= {SUFFIXES.get("." + name.rpartition(".")[2]), annotations_in(source)}
        if is_table(source):
            found.add("json-table")
        try:
            found |= (
                {format_of(source)}
                if kind == "triples"
                else {recognise(source, sorted(readable()[kind] & {*TITLES} or TITLES))}
            )
        except InputError:
            continue
    assert readable()[kind] <= found


def test_every_format_has_a_grammar_and_an_oracle():
    drawn = {name for _, writers in forms.FORMS.values() for name in writers}
    # A hierarchy is no model: it is read with labels, by a target of its own.
    assert {known.name for known in FORMATS if known.holds != "hierarchy"} | {*ANNOTATIONS} <= drawn
    assert {f"{kind} forms" for kind in forms.FORMS} <= {*TARGETS}
    assert {*families()} <= {getattr(target.check, "kind", name) for name, target in TARGETS.items()}


def named_like(pattern):
    """List what is called so in the modules that read."""
    for path, file in files().items():
        if path.partition("/")[0] in {"kernels", "serve", "report"}:
            continue
        module = path.removesuffix(".py").replace("/", ".")
        names = ((f"{module}.{name}", name.rpartition(".")[2]) for name in file.named)
        yield from (full for full, name in names if pattern.search(name))


@pytest.mark.xdist_group("house")
def test_every_fast_way_is_known():
    known = {ways.label(way) for way in ways.FAST}
    assert {*named_like(SPEED)} - {*ELSEWHERE} <= known


def test_every_bound_of_sizes_is_known():
    known = {ways.label(ways.Way(*bound)) for bound in (*ways.BOUNDS, *ways.PIECES)}
    assert {*named_like(SIZES)} - {*ELSEWHERE} <= known
    holders = {
        name
        for name, module in sys.modules.items()
        if name.startswith("goldassay") and getattr(module, "FEW", 0) == ways.intern.FEW
    }
    assert holders == {module.__name__ for module, name in ways.BOUNDS if getattr(module, name) == ways.intern.FEW}


@pytest.mark.parametrize("way", ways.FAST, ids=ways.label)
def test_a_fast_way_is_switched_off(way):
    before = [vars(home)[way.name] for home in ways.holders(way)]
    with ways.careful():
        assert all(vars(home)[way.name] not in before for home in ways.holders(way) or [way.home])
    assert [vars(home)[way.name] for home in ways.holders(way)] == before


@pytest.mark.parametrize("kind", forms.FORMS)
def test_a_form_that_says_another_thing_is_found(kind, tmp_path, monkeypatch):
    draw, writers = forms.FORMS[kind]
    name = list(writers)[-1] if kind != "annotations" else "oak"
    wrong = {**writers, name: lambda rows, draw: writers[name](rows[1:] or rows[:0], draw)}
    monkeypatch.setitem(forms.FORMS, kind, (draw, wrong))
    with pytest.raises((AssertionError, InputError)):
        in_many_forms(kind, tmp_path)


def in_many_forms(kind, folder):
    for number in range(80):
        forms.in_all_forms(kind, str(number).encode(), folder)


def test_every_place_of_readers_has_functions():
    found = {file for file, _ in ways.functions()}
    assert all(any(file.startswith(place) for file in found) for place in ways.READERS)


OPENED = {
    "__init__.py": "parameter",
    "alignments/formats/sssom.py": "metadata", "alignments/read.py": "cases", "axioms/read.py": "axioms", "challenges/codabench.py": "challenge",
    "challenges/scoring.py": "submission", "challenges/tasks.py": "challenge", "concepts/formats/annotations.py": "annotations", "concepts/texts/compiled.py": "kept", "concepts/formats/parts.py": "concepts", "concepts/read.py": "concepts",
    "concepts/formats/read_names.py": "dictionary", "concepts/formats/terminologies.py": "dictionary", "encoders/cache.py": "cache", "encoders/precomputed.py": "vectors",
    "families.py": "converted", "formats/source.py": "taxonomy", "formats/synonyms.py": "synonyms", "formats/toml.py": "task", "graphs/calibration.py": "pairs", "inputs.py": "answers",
    "graphs/read.py": "taxonomy", "labels/read.py": "labels", "labels/read_hierarchy.py": "hierarchy", "meta/tables.py": "ratings", "pipeline.py": "scope",
    "sampling/todo.py": "labelled", "sampling/verdicts.py": "labelled", "triples/measures/ontology.py": "ontology", "triples/formats/neo4j.py": "triples", "triples/read.py": "triples",
    "alignments/ontologies.py": "parameter", "axioms/declared.py": "parameter", "cli/calibrate.py": "pairs",
    "cli/challenge.py": "challenge", "cli/groups.py": "report", "cli/plan.py": "report", "graphs/inspect.py": "taxonomy",
    "labels/measures/thresholds.py": "parameter",
    "triples/measures/facts.py": "parameter", "triples/measures/text2kgbench.py": "parameter",

    "triples/formats/tables.py": "triples", "unl/read.py": "unl", "unl/read_sentences.py": "sentences",
}  # fmt: skip
"""Which target gives damaged files to a module that opens files."""
BY_COMMANDS = {"alignments/measures/reasoner.py", "encoders/static.py"}
"""Modules whose files are an archive of Java and weights: command lines draw these."""
SERVED = {"serve/local.py", "serve/worker.py"}
"""What a browser sends has tests of its own: tests/serve."""


def opening():
    """List the modules that open files."""
    for path, file in files().items():
        called = {name for name, _ in file.calls}
        if "load" in called or any(name.endswith(("np.load", "zipfile.ZipFile", "sqlite3.connect")) for name in called):
            yield path


@pytest.mark.xdist_group("house")
def test_every_module_that_opens_files_has_a_target():
    assert {*opening()} == {*OPENED, *BY_COMMANDS, *SERVED}
    assert {*OPENED.values()} <= {*TARGETS}


@pytest.mark.filterwarnings("ignore")
def test_every_file_that_a_measure_names_is_read_in_a_form(tmp_path):
    read = set()
    for name, data in corpus("parameter"):
        path = tmp_path / name
        path.write_bytes(data)
        for one in {*several.named_files()} - read:
            with suppress(GoldassayError):
                several.scored_with(str(path), *one)
                read.add(one)
    assert read == {*several.named_files()}


def test_every_command_is_drawn():
    drawn = {words.split()[0] for words in commands.commands()}
    assert drawn | {*commands.NOT_HERE} == {*typer.main.get_command(app).list_commands(None)}
    assert {"convert", "diff", "sample", "estimate", "score", "challenge"} <= drawn


def test_every_target_is_in_the_documentation():
    text = (ways.SOURCE.parents[1] / "docs" / "reliability.md").read_text(encoding="utf-8").partition("## Tests")[2]
    named = {
        name for row in re.findall(r"^\| (`[^|]+) \|", text, re.MULTILINE) for name in re.findall(r"`([^`]+)`", row)
    }
    assert {name for name in TARGETS if not name.endswith(" forms")} == named
    assert f"given to {len(TARGETS)} targets" in text


def test_every_way_of_damage_takes_an_empty_file():
    draw = random.Random(0)
    for name in ("a.csv", "a.jsonl", "a.xml", "a.parquet", "a.zip", "a.sqlite", "a.txt"):
        for way in mutators.ways_of(name):
            assert isinstance(way(b"", draw), bytes)
