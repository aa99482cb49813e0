"""Files that measures need besides prediction and gold: they are read once, before anything is matched."""

import hashlib
import re
from pathlib import Path

import pytest

import goldassay
from goldassay.core.context import Context
from goldassay.core.measure import FILE
from goldassay.core.parameters import parameters_of
from goldassay.families import families
from goldassay.formats import source as reader
from goldassay.pipeline import files_of

AXIOMS = [("Cat", "eats", "Fish")]
TRIPLES = [("Oslo", "capital of", "Norway")]
ONTOLOGY = '{"relations": [{"label": "capital of", "domain": "", "range": ""}], "concepts": []}'
CASES = {
    "weighted(equivalences={})": (AXIOMS, "pred,gold\nCat,Cat\n"),
    "weighted(alignment={})": (AXIOMS, 'pred,gold,score\n"Cat, eats, Fish","Cat, eats, Fish",1\n'),
    "exact(equivalences={})": (AXIOMS, "pred,gold\nCat,Cat\n"),
    "coverage(equivalences={})": (AXIOMS, "pred,gold\nCat,Cat\n"),
    "residual(baseline={})": ([("cat", "chat"), ("dog", "chien")], "source,target\ncat,chat\n"),
    "triples(synonyms={})": (TRIPLES, "predicate,synonym\ncapital of,seat of\n"),
    "conformance(ontology={})": (TRIPLES, ONTOLOGY),
    "facts(facts={})": (TRIPLES, '{"id": "1", "facts": ["Oslo is the capital of Norway."]}\n'),
    "text2kgbench(ontology={})": (TRIPLES, ONTOLOGY),
    "text2kgbench(ids={})": (TRIPLES, "1\n"),
    "smin(ic={})": ([("i1", "cat"), ("i2", "dog")], "label,ic\ncat,1\ndog,1\npet,0\n"),
}


def options(kind, folder):
    if kind != "labels":
        return {}
    (folder / "pets.csv").write_text("child,parent\ncat,pet\ndog,pet\n")
    return {"hierarchy": str(folder / "pets.csv")}


def measure_with_file(spec, folder, text):
    file = folder / (
        "extra.jsonl" if text.startswith('{"id"') else "extra.json" if text.startswith("{") else "extra.csv"
    )
    file.write_text(text)
    return goldassay.parse(spec.format(f"'{file}'")), file


def test_every_parameter_that_is_a_file_is_tried_here():
    declared = {
        (measure.name, name)
        for family in families().values()
        for measure in family.measures.classes
        for name, parameter in parameters_of(measure).items()
        if parameter.metavar == FILE
    }
    tried = {tuple(re.findall(r"\w+", spec)) for spec in CASES}
    assert {name for _, name in tried} == {name for _, name in declared}
    assert tried <= declared


@pytest.mark.filterwarnings("ignore::goldassay.UndefinedWarning")
@pytest.mark.parametrize("spec", CASES)
def test_a_file_is_read_once_and_before_matching_and_its_digest_is_signed(spec, tmp_path, monkeypatch):
    rows, text = CASES[spec]
    measure, file = measure_with_file(spec, tmp_path, text)
    given = options(measure.family, tmp_path)
    opened = []
    content = reader._content
    monkeypatch.setattr(reader, "_content", lambda path: opened.append(path) or content(path))
    match = type(measure).match

    def matching(self, **named):
        opened.append("matching")
        return match(self, **named)

    monkeypatch.setattr(type(measure), "match", matching)
    encoder = goldassay.get_encoder("hashing")
    report = goldassay.evaluate(rows, gold=rows, kind=measure.family, measures=[measure], encoder=encoder, **given)
    assert opened.count(Path(file)) == 1
    assert opened.index(Path(file)) < opened.index("matching")
    single = measure.evaluate(
        pred=goldassay.read(rows, kind=measure.family, **given),
        gold=goldassay.read(rows, kind=measure.family, **given),
        context=Context(encoder=encoder),
    )
    assert report[measure.name].to_dict() == single.to_dict()
    (name,) = re.findall(r"(\w+)=", spec)
    assert single.signature.fields[name] == f"sha256-{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def test_a_sweep_reads_a_file_once_for_all_predictions(tmp_path, monkeypatch):
    rows, text = CASES["residual(baseline={})"]
    measure, file = measure_with_file("residual(baseline={})", tmp_path, text)
    opened = []
    content = reader._content
    monkeypatch.setattr(reader, "_content", lambda path: opened.append(path) or content(path))
    preds = [goldassay.read(rows, kind="alignment"), goldassay.read(rows[:1], kind="alignment")]
    found = goldassay.sweep(preds, gold=rows, kind="alignment", measures=[measure])
    assert [one.curve.at(0.5).values["recall"] for one in found] == [1.0, 0.0]
    assert opened == [Path(file)]


def test_a_file_that_does_not_exist_is_an_error_before_gold_is_read(tmp_path):
    with pytest.raises(goldassay.InputError, match="nowhere"):
        goldassay.evaluate(
            "pred.csv", gold="gold.csv", kind="triples", measures=[f"facts(facts='{tmp_path}/nowhere.jsonl')"]
        )


def test_a_table_of_a_page_is_the_file_of_its_page(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("| pred | gold |\n|---|---|\n| Cat | Cat |\n")
    assert list(files_of([goldassay.parse(f"exact(equivalences='{page}#1')")])) == [str(page)]
