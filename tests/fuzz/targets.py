"""What is done with a damaged file, for each reader, and what must be true of it."""

import json
import os
import random
import sqlite3
import tempfile
import warnings
import zipfile
import zlib
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from functools import cache, lru_cache
from pathlib import Path
from shutil import rmtree
from typing import NamedTuple
from unittest import mock
from xml.etree import ElementTree as ET

import numpy as np
import polars as pl
from tests.fuzz import commands, forms, several
from tests.fuzz.objects import objects
from tests.fuzz.ways import careful, in_columns

import goldassay
from goldassay.alignments.formats.write import FORMATS as WRITTEN
from goldassay.alignments.formats.write import write_alignment
from goldassay.challenges import load as load_challenge
from goldassay.challenges.codabench import write_bundle
from goldassay.challenges.scoring import open_submission
from goldassay.challenges.tasks import load_tasks
from goldassay.cli.plan import PlanOptions, labels_plan, pilots_of, runs_plan, units_plan
from goldassay.cli.runs import systems_of
from goldassay.concepts.show import write_concepts
from goldassay.concepts.texts.dictionary import read_dictionary
from goldassay.core.errors import GoldassayError
from goldassay.core.limits import FILES
from goldassay.core.parameters import parameters_of
from goldassay.encoders import CachedEncoder, HashingEncoder, PrecomputedEncoder, cache_info
from goldassay.families import family, parse
from goldassay.formats.synonyms import read_synonyms
from goldassay.graphs.calibration import read_pairs, synonym_pairs
from goldassay.integrations.verdict import Judge
from goldassay.labels.read_hierarchy import read_hierarchy
from goldassay.labels.reading import LabelReading
from goldassay.meta import meta, read_ratings, read_scores
from goldassay.meta.page import page_of
from goldassay.pipeline import names_of
from goldassay.report.gates import Checks, Gate
from goldassay.sampling.drawing import draw
from goldassay.sampling.results import estimate_file
from goldassay.sampling.sample import SampleRequest
from goldassay.sampling.todo import design_path, save_design, save_table
from goldassay.saved import load
from goldassay.tasks.task import read_tasks
from goldassay.triples.measures.ontology import read_ontology
from goldassay.unl import DocumentReading, document_of, document_text

HERE = Path(__file__).resolve().parent
CORPUS = HERE / "corpus"
ENCODER = HashingEncoder(8)
CACHED = ["cat", "dog", "a longer text"]
# Rows of these stand for themselves: their order says nothing.
UNORDERED = (".nt", ".nq", ".tsv", ".csv", ".jsonl")
ORDERED_KINDS = ("triples", "sentences", "unl", "labels", "concepts")
LAYOUTS = ("text", "markdown", "csv", "json", "latex", "github")
sampling = {"share": 1.0, "options": 0.3}
"""How much of what is costly is done: all of it on a few inputs, a share of it on many; and how many inputs are read with options."""


class Target(NamedTuple):
    """One reader.

    Attributes:
        check: Reads a file; raises what a fault raises.
        corpora: The folders of its files.
        grammars: What draws whole files for it: keys of `forms.FORMS`.
    """

    check: Callable[[Path], None]
    corpora: tuple[str, ...]
    grammars: tuple[str, ...] = ()


def chosen(data: bytes, every: int) -> bool:
    """Say whether a costly check is made on this input: the same whenever it is tried again with the same share."""
    return zlib.crc32(data) % max(1, round(every * sampling["share"])) == 0


def messages(model):
    """Say all that a model holds."""
    return [model.item(row) for row in range(len(model))], dict(model.left_out)


def json_of(value):
    """Write and read a value: JSON has no nan and no number of an array."""
    return json.loads(json.dumps(value, allow_nan=False))


def attempt(read: Callable):
    """Read, or give the refusal."""
    try:
        return read()
    except GoldassayError as error:
        return error


class Models:
    """Reads a file as a model; compares the ways to read it, scores it, and writes it."""

    def __init__(self, kind: str, folder: str | None = None, **reading: object) -> None:
        self.kind, self.folder, self.reading = kind, folder or kind, reading
        self.gold = lru_cache(64)(self._gold)

    def read(self, path: Path, on_error: str = "stop", **more: object):
        return goldassay.read(path, kind=self.kind, **{"on_error": on_error, **self.reading, **more})

    def _gold(self, name: str, folder: Path):
        if name not in dict(files_of(self.folder)):
            return attempt(lambda: self.read(folder / name))
        path = folder / f"gold-{name}"
        path.write_bytes(dict(files_of(self.folder))[name])
        try:
            return attempt(lambda: self.read(path))
        finally:
            path.unlink()

    def __call__(self, path: Path) -> None:
        data = path.read_bytes()
        asked = drawn_options(self.kind, data)
        model = attempt(lambda: self.read(path, **asked))
        lenient = attempt(lambda: self.read(path, **{**asked, "on_error": "skip"}))
        if chosen(data, 5):
            for way in (careful, in_columns):
                with way():
                    again = attempt(lambda: self.read(path, **asked))
                assert isinstance(model, GoldassayError) == isinstance(again, GoldassayError), (model, again)
                if not isinstance(model, GoldassayError):
                    assert messages(model) == messages(again), f"read {way.__name__}"
        if isinstance(model, GoldassayError):
            if not isinstance(lenient, GoldassayError):
                messages(lenient)
            raise model
        assert not isinstance(lenient, GoldassayError), lenient
        items = [model.item(row) for row in range(min(len(model), 5))]
        assert all(isinstance(item, str) and item.encode() for item in items)
        # A score out of range is kept until a measure asks for it; where bad records are skipped, it is, and is counted.
        assert len(model) == len(lenient) or lenient.left_out.get("skipped_records")
        if asked:
            return
        if chosen(data, 50) and len(data) < 20_000:
            self.scored(path, model, data)
        if chosen(data, 20) and len(data) < 20_000:
            self.written(path, model)
            of_family = family(self.kind)
            found = of_family.inspect(str(path), of_family.reading.options(on_error="stop", **self.reading))
            assert "\n".join(found.lines()).encode()
            counts = json_of(found.to_dict())
            assert counts.get("items", counts.get("edges")) == len(model), "inspected"
        if chosen(data, 100) and path.suffix in ENGINES and self.kind in MEASURED:
            on_engine(path, self.kind, self.reading)

    def scored(self, path: Path, model, data: bytes) -> None:
        original = self.gold(path.name, path.parent)
        against = model if isinstance(original, GoldassayError) else original
        report = attempt(lambda: scores(model, against, self.kind, 2**26))
        if isinstance(report, GoldassayError):
            return
        for layout in LAYOUTS:
            assert report.format(layout).encode()
        home = path.parent / "report.json"
        report.save(home)
        assert json.loads(load(home).format("json"))["runs"] == json.loads(report.format("json"))["runs"], "saved"
        home.unlink()
        list(family(self.kind).trust.warnings(model, against))
        assert values(scores(model, against, self.kind, 2**10)) == values(report), "memory"
        if path.suffix in UNORDERED and self.kind not in ORDERED_KINDS and b'"' not in data and b"\r" not in data:
            head, *lines = data.removesuffix(b"\n").split(b"\n")
            kept = [head] if path.suffix in {".tsv", ".csv"} else []
            lines = lines if kept else [head, *lines]
            random.Random(0).shuffle(lines)
            path.write_bytes(b"\n".join([*kept, *lines]) + b"\n")
            shuffled = attempt(lambda: self.read(path))
            path.write_bytes(data)
            if not isinstance(shuffled, GoldassayError):
                assert values(scores(shuffled, against, self.kind, 2**26)) == values(report), "order"

    def written(self, path: Path, model) -> None:
        if self.kind == "alignment":
            for name in WRITTEN:
                to = path.parent / f"written.{name}"
                lost = attempt(lambda to=to, name=name: write_alignment(model, to, to=name))
                if not isinstance(lost, GoldassayError):
                    back = goldassay.read(to, kind=self.kind, input_format=name)
                    assert lost or sorted(messages(back)[0]) == sorted(messages(model)[0]), f"written as {name}"
                to.unlink(missing_ok=True)
        elif self.kind == "concepts":
            to = path.parent / "written.jsonl"
            write_concepts(model, to)
            assert messages(goldassay.read(to, kind=self.kind, **self.reading))[0] == messages(model)[0], "written"
            to.unlink()


OPTION_VALUES = (
    "",
    "x",
    "en",
    "id",
    "child",
    "cat",
    "1",
    "a,b",
    "http://x/p",
    "source",
    "\u2028",
    "2",
    "case,blanks",
    ">",
    "utf-16",
)


def drawn_options(kind: str, data: bytes) -> dict[str, object]:
    """Draw up to two options of a reader for some inputs, but none that names a file or needs a package."""
    draw = random.Random(zlib.crc32(data))
    if draw.random() >= sampling["options"]:
        return {}
    known = parameters_of(family(kind).reading.options)
    usable = [
        name
        for name, one in known.items()
        if one.metavar not in {"FILE", "PIPELINE"} and name not in {"abbreviations", "blank_nodes"}
    ]
    return {
        name: drawn_value(known[name], draw) for name in draw.sample(usable, min(len(usable), draw.choice((1, 1, 2))))
    }


def drawn_value(option, draw: random.Random) -> object:
    """Draw a value of an option: one of its choices, or what a user may write."""
    if option.choices:
        return draw.choice(option.choices)
    if isinstance(option.default, bool):
        return not option.default
    if isinstance(option.default, int):
        return draw.choice((0, 1, -1, 2**40, 3))
    return draw.choice(OPTION_VALUES)


ENGINES = (".csv", ".tsv", ".parquet")
MEASURED = {
    "taxonomy": "literal",
    "alignment": "overlap",
    "axioms": "exact",
    "triples": "triples",
    "concepts": "concept_exact",
}


def on_engine(path: Path, kind: str, reading: dict[str, object]) -> None:
    """What DuckDB reads, too, has the same score there."""
    here, there = (
        attempt(
            lambda more=more: goldassay.evaluate(path, gold=path, kind=kind, measures=MEASURED[kind], **reading, **more)
        )
        for more in ({}, {"engine": "duckdb"})
    )
    if not isinstance(here, GoldassayError) and not isinstance(there, GoldassayError):
        assert values(here) == values(there), "engine"


def scores(model, gold, kind: str, memory: int):
    """Score a model."""
    return goldassay.evaluate(model, gold=gold, kind=kind, encoder=HashingEncoder(16), memory=memory)


def values(report):
    """Give the values of a report as they compare."""
    return [
        (score.spec, {name: repr(value) for name, value in score.values.items()}) for score in report.runs[0].scores
    ]


def unl(path: Path) -> None:
    """What is written reads back the same."""
    Models("unl")(path)
    text = path.read_bytes().decode("utf-8", "ignore")
    document = document_of(text, reading=DocumentReading(on_error="skip"))
    if chosen(text.encode(), 5):
        with careful():
            again = document_of(text, reading=DocumentReading(on_error="skip"))
        assert again.sentences == document.sentences, "fast and careful reader"
    if not any(sentence.malformed for sentence in document.sentences):
        again = document_of(document_text(document))
        assert [sentence.relations for sentence in again.sentences] == [s.relations for s in document.sentences]


def report(path: Path) -> None:
    """A report that loads can be shown, and saves to one that says the same."""
    found = load(path)
    # JSON has no nan, and says null.
    messages = json.dumps(found.to_dict()["runs"])
    assert json.loads(found.format("json"))["runs"] == json.loads(messages, parse_constant=lambda _: None)
    again = path.with_name("again.json")
    found.save(again)
    assert load(again).format("json") == found.format("json"), "saved again"
    again.unlink()
    for layout in LAYOUTS:
        assert found.format(layout).encode()
    figure = path.with_name("slide.svg")
    if chosen(path.read_bytes(), 5) and not isinstance(attempt(lambda: found.save(figure)), GoldassayError):
        ET.parse(figure)  # noqa: S314 - a file of our own, which must be whole
        figure.unlink()
    for gate in ("f1=0.5", "literal=0.5"):
        attempt(lambda gate=gate: Checks(gates=[Gate.parse(gate)]).failures(found))
    wanted = PlanOptions(difference=0.1)
    for plan in (
        lambda: labels_plan(*pilots_of(found, None), wanted),
        lambda: (runs_plan if found.systems else units_plan)(found, wanted, 0.1),
    ):
        planned = attempt(plan)
        if not isinstance(planned, GoldassayError):
            assert json_of(planned)["table"], "planned"
    held = replace(found, checks=Checks(baseline=found, max_drop=0.1))
    attempt(lambda: held.format("github"))


def vectors(path: Path) -> None:
    """Vectors that load are unit vectors."""
    encoder = PrecomputedEncoder(path)
    texts = list(encoder._rows)[:5]
    assert np.allclose(np.linalg.norm(encoder.encode(texts).astype(float), axis=1), 1, atol=1e-4)


def cached(path: Path) -> None:
    """A cache gives the vectors of its encoder, or is refused."""
    attempt(lambda: cache_info(path))
    try:
        found = CachedEncoder(ENCODER, path).encode(CACHED)
    finally:
        for next_to in path.parent.glob(f"{path.name}-*"):
            next_to.unlink()
    assert (found == ENCODER.encode(CACHED)).all(), "another vector"


def spec(path: Path) -> None:
    """A spec that parses says itself."""
    text = path.read_bytes().decode("utf-8", "surrogateescape")
    measure = parse(text)
    assert parse(str(measure)) == measure or "nan" in str(measure)


def gate(path: Path) -> None:
    """A gate that parses is reached, or not, or about no value."""
    text = path.read_bytes().decode("utf-8", "surrogateescape")
    Checks(gates=[Gate.parse(text)]).failures(some_report())


def runs(path: Path) -> None:
    """A pattern finds files, or none."""
    text = path.read_bytes().decode("utf-8", "surrogateescape").replace("\0", "")
    with mock.patch.dict(os.environ, {FILES.variable: "2000"}):
        systems_of([text], [])


@cache
def some_report():
    """Score a small graph."""
    gold = goldassay.Graph.from_edges([("cat", "pet"), ("dog", "pet")])
    return goldassay.evaluate(gold, gold=gold, measures=["literal"])


def hierarchy(path: Path) -> None:
    """A hierarchy has no cycle, and what lies below its labels is known."""
    names = ("id", "name", "label")[zlib.crc32(path.read_bytes()) % 3]
    skipped = attempt(lambda: read_hierarchy(LabelReading(hierarchy=str(path), names=names, on_error="skip")))
    found, *_ = read_hierarchy(LabelReading(hierarchy=str(path), names=names))
    assert not isinstance(skipped, GoldassayError)
    assert found.below(list(range(min(1, len(found))))).sum() >= min(1, len(found))


def judged(path: Path) -> None:
    """What a user judged narrows what is counted."""
    gold = goldassay.Graph.from_edges([("cat", "pet"), ("dog", "pet")])
    pred = goldassay.Graph.from_edges([("cat", "pet"), ("oak", "tree")])
    word = ("judged", "ignore")[zlib.crc32(path.read_bytes()) % 2]
    goldassay.evaluate(pred, gold=gold, measures="literal", **{word: path})


def dictionary(path: Path) -> None:
    """The names of a dictionary, read in every way."""
    found = attempt(lambda: read_dictionary(path).choice)
    if chosen(path.read_bytes(), 5):
        with in_columns():
            assert str(attempt(lambda: read_dictionary(path).choice)) == str(found), "read in columns"
    if isinstance(found, GoldassayError):
        raise found


def references(path: Path) -> None:
    """Several gold standards of one file."""
    chosen_family = family("concepts")
    for model in chosen_family.reading.references(str(path), chosen_family.reading.options()):
        messages(model)


def annotations(path: Path) -> None:
    """What annotators write; a text belongs to a file of BRAT."""
    if path.suffix == ".ann":
        path.with_suffix(".txt").write_text("No asthma, but left knee pain.")
    ANNOTATED(path)


ANNOTATED = Models("concepts", "annotations")


def answers(path: Path) -> None:
    """A folder with the file as one of its documents, next to another, has no document but these."""
    folder = path.parent / "answers"
    folder.mkdir()
    folder.joinpath(f"d1{path.suffix}").write_bytes(path.read_bytes())
    folder.joinpath("d2.txt").write_text("Fever | is a | symptom")
    try:
        for kind in ("concepts", "triples", "labels"):
            found = attempt(lambda kind=kind: goldassay.read(folder, kind=kind))
            if isinstance(found, GoldassayError):
                assert folder.as_posix() in str(found.path), kind
            # An answer may be about several instances, whose labels it has.
            elif kind != "labels":
                assert {*found.ids.tolist()} <= {"d1", "d2"}, kind
    finally:
        rmtree(folder)


def metadata(path: Path) -> None:
    """Prefixes from a file next to the table."""
    goldassay.read(CORPUS / "alignment" / "a.sssom.tsv", kind="alignment", metadata=str(path))


def challenges(path: Path) -> None:
    """Read a challenge, or a list of several; a challenge's own file is read as a submission to it, and a bundle is written, or refused."""
    others = dict(files_of("challenge")) if path.name == "board.toml" else {}
    others.pop(path.name, None)
    for name, data in others.items():
        path.with_name(name).write_bytes(data)
    try:
        found = next(iter(load_tasks(path).challenges.values()))
    finally:
        for name in others:
            path.with_name(name).unlink()
    if others:
        return
    assert found.phases
    assert found.rank.value
    with open_submission(found, path) as prediction:
        assert prediction.exists()
    bundle = path.parent / "bundle.zip"
    if not isinstance(attempt(lambda: write_bundle(found, bundle)), GoldassayError):
        bundle.unlink()


def tasks(path: Path) -> None:
    """A task has gold among its files."""
    for task in read_tasks(path):
        assert task.gold
        assert task.files


def submissions(path: Path) -> None:
    """What is in a zip is unpacked, and nothing else."""
    for file in ("pets.toml", "template.toml"):
        with open_submission(load_challenge(CORPUS / "challenge" / file), path) as prediction:
            assert prediction.name == "prediction.csv"


def verdicts(path: Path) -> None:
    """An answer of a language model is judged, or counts as unreadable."""
    text = path.read_bytes().decode("utf-8", "replace")
    value = path.name.rpartition(".")[0]
    gold = dict(files_of("verdict"))[path.name].decode()
    found = Judge(value=value, name=path.name, unreadable=0.0)(text, gold)
    assert found.value == found.value
    Judge(value=value, name=path.name)(text, gold)


def pairs(path: Path) -> None:
    """Synonyms in a table, or in an ontology."""
    found = (read_pairs if path.suffix in ENGINES else synonym_pairs)(path)
    # Pairs of equal texts are left out.
    assert len(found) or found.left_out


def labelled(path: Path) -> None:
    """Estimate from a labelled table, its design or verdicts; the others are whole."""
    table = path.parent / "todo.csv"
    files = {name: data for name, data in files_of("sample") if name.startswith("todo.") and name != path.name}
    for name, data in files.items():
        (path.parent / name).write_bytes(data)
    try:
        found = estimate_file(table, verdicts=[path] if path.name.startswith("verdicts") else [])
        for layout in LAYOUTS:
            assert found.format(layout).encode()
    finally:
        for name in files:
            (path.parent / name).unlink()


def ratings(path: Path) -> None:
    """Compare scores with ratings."""
    whole = path.with_name("whole.csv")
    whole.write_bytes(dict(files_of("ratings"))["scores.csv" if path.name == "ratings.csv" else "ratings.csv"])
    try:
        sides = (path, whole) if path.name == "ratings.csv" else (whole, path)
        found = meta(read_ratings(sides[0]), read_scores(sides[1]), permutations=10)
        json.dumps(found.to_dict(), allow_nan=False)
        assert not chosen(path.read_bytes(), 5) or page_of(found).encode()
    finally:
        whole.unlink()


def command(path: Path) -> None:
    """Any command line, with a few files of each kind."""
    kinds = (
        "taxonomy", "alignment", "triples", "concepts", "labels", "unl", "report", "challenge", "spec", "sample", "ratings", "task", "annotations",
    )  # fmt: skip
    draw = random.Random(path.read_bytes())
    commands.run(path, {f"{kind}-{name}": data for kind in kinds for name, data in [draw.choice(files_of(kind))]})


def in_forms(kind: str) -> Callable[[Path], None]:
    """Draw a model from a file's bytes, and write it in all forms."""
    return lambda path: forms.in_all_forms(kind, path.read_bytes(), path.parent)


TARGETS: dict[str, Target] = {
    "taxonomy": Target(Models("taxonomy"), ("taxonomy",), ("taxonomy",)),
    "statements": Target(Models("taxonomy", edges="all", blank_nodes="keep"), ("taxonomy",), ("taxonomy",)),
    "axioms": Target(Models("axioms"), ("axioms",), ("axioms", "taxonomy")),
    "alignment": Target(Models("alignment"), ("alignment",), ("alignment", "mappings")),
    "metadata": Target(metadata, ("meta",)),
    "concepts": Target(Models("concepts"), ("concepts",), ("concepts",)),
    "annotations": Target(annotations, ("annotations",), ("annotations",)),
    "answers": Target(answers, ("concepts", "triples", "labels"), ("concepts", "triples")),
    "references": Target(references, ("concepts",), ("concepts",)),
    "dictionary": Target(dictionary, ("dictionary",), ("taxonomy",)),
    "unl": Target(unl, ("unl",), ("unl",)),
    "sentences": Target(Models("sentences"), ("sentences",), ("sentences",)),
    "triples": Target(Models("triples"), ("triples",), ("triples", "graphs", "described", "message", "built")),
    "ontology": Target(lambda path: read_ontology(str(path)), ("ontology",), ("taxonomy",)),
    "synonyms": Target(lambda path: read_synonyms(str(path)), ("synonyms",)),
    "labels": Target(Models("labels", hierarchy=str(forms.HIERARCHY)), ("labels",), ("labels", "annotated")),
    "hierarchy": Target(hierarchy, ("hierarchy",), ("taxonomy",)),
    "scope": Target(names_of, ("scope",)),
    "judged": Target(judged, ("judged",), ("taxonomy",)),
    "report": Target(report, ("report",)),
    "vectors": Target(vectors, ("vectors",)),
    "cache": Target(cached, ("cache",)),
    "spec": Target(spec, ("spec",)),
    "gate": Target(gate, ("gate",)),
    "runs": Target(runs, ("runs",)),
    "objects": Target(objects, ("objects",)),
    "challenge": Target(challenges, ("challenge",)),
    "submission": Target(submissions, ("submission",)),
    "task": Target(tasks, ("task",)),
    "verdict": Target(verdicts, ("verdict",)),
    "labelled": Target(labelled, ("sample",)),
    "ratings": Target(ratings, ("ratings",)),
    "command": Target(command, ("objects",)),
    "pairs": Target(pairs, ("pairs", "taxonomy"), ("taxonomy",)),
    "function": Target(several.function, ("objects",)),
    "parameter": Target(
        several.parameter, ("parameter", "synonyms", "ontology", "pairs", "alignment"), ("taxonomy", "alignment")
    ),
    "workbook": Target(several.workbook, ("workbook",)),
    "cases": Target(several.cases, ("alignment",), ("alignment",)),
    "kept": Target(lambda path: several.kept(path, dict(files_of("kept"))), ("kept",)),
    "converted": Target(several.converted, ("taxonomy", "alignment", "axioms"), ("taxonomy", "alignment", "axioms")),
    **{f"{kind} forms": Target(in_forms(kind), ("objects",)) for kind in forms.FORMS},
}


@cache
def corpus(target: str) -> tuple[tuple[str, bytes], ...]:
    """Return the files of a target by name; those that are binary are made here."""
    return tuple(file for folder in TARGETS[target].corpora for file in files_of(folder))


@cache
def files_of(folder: str) -> tuple[tuple[str, bytes], ...]:
    """Return the files of a folder of the corpus, kept and made."""
    kept = [(file.name, file.read_bytes()) for file in sorted((CORPUS / folder).glob("*"))]
    return (*kept, *made(folder))


@cache
def made(name: str) -> tuple[tuple[str, bytes], ...]:
    """Make files that are no texts, or say what this version writes."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        MAKERS.get(name, lambda _: None)(folder)
        return tuple((file.name, file.read_bytes()) for file in sorted(folder.iterdir()))


def make_tables(folder: Path, names: tuple[str, ...]) -> None:
    """Write tables of every type of column that Parquet has."""
    day = datetime(2020, 1, 1, tzinfo=UTC)
    columns = {
        "text": ["a", "b"],
        "category": pl.Series(["a", "b"], dtype=pl.Categorical),
        "int": [1, 2],
        "small": pl.Series([1, 2], dtype=pl.UInt8),
        "float": [0.5, 1.5],
        "bool": [True, False],
        "date": [date(2020, 1, 1), date(2020, 1, 2)],
        "datetime": [day, day],
        "time": [time(1), time(2)],
        "duration": [timedelta(1), timedelta(2)],
        "decimal": [Decimal("1.5"), Decimal("2.5")],
        "binary": [b"a", b"\xff"],
        "list": [["a"], ["b", "c"]],
        "struct": [{"a": 1}, {"a": 2}],
        "null": [None, None],
        "some": ["a", None],
    }
    for kind, column in columns.items():
        others = {other: ["x", "y"] for other in names[1:]}
        pl.DataFrame({names[0]: column, **others}).write_parquet(folder / f"{kind}.parquet", statistics=kind == "text")


def make_vectors(folder: Path) -> None:
    """Write vectors in both kinds of file."""
    lines = [[3.0, 4.0], [0.0, -2.0]]
    words = np.array(["cat", "dog"])
    np.savez(folder / "v.npz", texts=words, vectors=np.array(lines))
    np.savez_compressed(folder / "c.npz", texts=words, vectors=np.array(lines, dtype=np.float32))
    np.savez(folder / "i.npz", texts=words, vectors=np.array(lines, dtype=np.int16))
    np.savez(folder / "h.npz", texts=words, vectors=np.asfortranarray(np.array(lines, dtype=np.float16)))
    pl.DataFrame({"text": ["cat", "dog"], "vector": lines}).write_parquet(folder / "v.parquet")
    fixed = pl.DataFrame(
        {"text": ["cat", "dog"], "vector": lines}, schema={"text": pl.String, "vector": pl.Array(pl.Float32, 2)}
    )
    fixed.write_parquet(folder / "f.parquet", compression="uncompressed")
    make_tables(folder, ("vector", "text"))


def make_reports(folder: Path) -> None:
    """Write reports with everything that a report can hold."""
    gold = goldassay.Graph.from_edges([("cat", "pet"), ("dog", "pet"), ("pet", "animal")])
    pred = goldassay.Graph.from_edges([("cat", "pet"), ("oak", "tree")])
    small = goldassay.significance.Resampling(resamples=20) if hasattr(goldassay, "significance") else True
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made_reports = {
            "intervals": goldassay.evaluate([pred, gold], gold=gold, measures="literal", intervals=small),
            "chance": goldassay.evaluate(pred, gold=gold, measures="literal", chance=True),
            "groups": goldassay.evaluate(pred, gold=gold, measures="literal", by="depth"),
            "golds": goldassay.evaluate(pred, gold=[gold, pred], measures="literal", combine="union"),
            "runs": goldassay.evaluate({"a": [pred, gold], "b": [gold, gold]}, gold=gold, measures="literal"),
            "judged": goldassay.evaluate(pred, gold=gold, measures="literal", judged=pred),
        }
    for name, one in made_reports.items():
        one.save(folder / f"{name}.json")


def make_cache(folder: Path) -> None:
    """Write a cache, and close its log."""
    path = folder / "c.sqlite"
    CachedEncoder(ENCODER, path).encode(CACHED)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")


def make_zips(folder: Path) -> None:
    """Write submissions as people zip them."""
    table = "child,parent\ncat,pet\n"
    for name, inside in {
        "plain": {"prediction.csv": table},
        "folder": {"mine/prediction.csv": table, "__MACOSX/._prediction.csv": "x", "mine/": ""},
        "windows": {"mine\\prediction.csv": table, "readme.txt": "x"},
    }.items():
        with zipfile.ZipFile(folder / f"{name}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            for path, content in inside.items():
                archive.writestr(path, content)
    (folder / "bare.csv").write_text(table)


def make_sample(folder: Path) -> None:
    """Draw items, label them, and let a judge label some."""
    drawn_from = folder / "pred.csv"
    drawn_from.write_text("child,parent\n" + "".join(f"n{row},n{row // 2}\n" for row in range(1, 12)))
    drawing = draw([drawn_from], kind="taxonomy", asked=SampleRequest(size=6))
    drawn_from.unlink()
    rows = [{**row, "label": ("yes", "no", "unsure")[at % 3], "rater": "Ada"} for at, row in enumerate(drawing.rows)]
    save_table(rows, folder / "todo.csv")
    save_design(drawing.sample, design_path(folder / "todo.csv"))
    (folder / "verdicts.csv").write_text("item,verdict,judge\n1,yes,a\n2,no,a\n3,,a\n4,true,a\n")
    (folder / "verdicts.jsonl").write_text('{"item": "1", "verdict": true}\n{"id": 2, "label": "no", "run": 1}\n')
    (folder / "verdicts.json").write_text('{"1": {"verdict": "yes"}, "2": {"verdict": false}}')


def make_ratings(folder: Path) -> None:
    """Write ratings of outputs, and the scores of two measures."""
    cells = [(item, system) for item in range(4) for system in "abc"]
    written = {
        "ratings.csv": [
            "item,system,rating,rater",
            *(f"{one},{of},{one % 3},{who}" for one, of in cells for who in "xy"),
        ],
        "scores.csv": ["item,system,m,n", *(f"{one},{of},{one / 4},{ord(of) % 5}" for one, of in cells)],
    }
    for name, lines in written.items():
        (folder / name).write_text("\n".join(lines) + "\n")


def make_runs(folder: Path) -> None:
    """Write what ``--runs`` may be given."""
    for name, text in {
        "a": "gpt=pyproject.*",
        "b": "x=[opq]yproject.tom?",
        "c": "gpt=pyproject.toml",
        "d": "a=/usr/**/**/zzz*q",
        "e": "b=**/[!a]*.t?ml",
    }.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")


MAKERS: dict[str, Callable[[Path], None]] = {
    "vectors": make_vectors,
    "report": make_reports,
    "cache": make_cache,
    "runs": make_runs,
    "submission": make_zips,
    "workbook": several.make_workbook,
    "kept": several.make_kept,
    "sample": make_sample,
    "ratings": make_ratings,
    "taxonomy": lambda folder: make_tables(folder, ("child", "parent")),
    "alignment": lambda folder: make_tables(folder, ("Score", "source", "target")),
    "triples": lambda folder: make_tables(folder, ("object", "subject", "predicate", "id")),
    "labels": lambda folder: make_tables(folder, ("label", "instance")),
    "concepts": lambda folder: make_tables(folder, ("concepts", "id")),
    "sentences": lambda folder: make_tables(folder, ("text", "id")),
}
