"""Where nearly no name is in common, the warning names the option by which names are; following it must help."""

import re
import warnings

import pytest

import goldassay

ONTOLOGY = """@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix : <http://pets/> .
:C2 a owl:Class ; rdfs:label "Animal" .
:C1 a owl:Class ; rdfs:label "Cat" ; rdfs:subClassOf :C2 .
:C3 a owl:Class ; rdfs:label "Dog" ; rdfs:subClassOf :C2 .
"""
CASES = {
    "labels against names": ("taxonomy", "child,parent\nC1,C2\nC3,C2\n", "csv", ONTOLOGY, "ttl", {}),
    "names against labels": ("taxonomy", "child,parent\nCat,Animal\nDog,Animal\n", "csv", ONTOLOGY, "ttl", {"text": "name"}),
    "IRIs against labels": (
        "taxonomy", "child,parent\nhttp://pets/C1,http://pets/C2\n", "csv", ONTOLOGY, "ttl", {},
    ),
    "axioms by ids": ("axioms", "class,property,object\nCat,subClassOf,Animal\n", "csv", ONTOLOGY, "ttl", {}),
    "axioms by ids, in other case": (
        "axioms", "class,property,object\ncat,subClassOf,animal\n", "csv", ONTOLOGY, "ttl", {},
    ),
    "axioms by IRIs, with a datatype in common": (
        "axioms", "class,property,object\nhttp://a#Cat,http://a#name,http://www.w3.org/2001/XMLSchema#string\n", "csv",
        "class,property,object\nhttp://b#Cat,http://b#name,http://www.w3.org/2001/XMLSchema#string\n", "csv", {"text": "iri"},
    ),
    "triples with underscores": (
        "triples", "id,subject,predicate,object\n1,New_York,capital_of,The_State\n", "csv",
        "id,subject,predicate,object\n1,new york,capital of,the state\n", "csv", {},
    ),
}  # fmt: skip
HINT = re.compile(r"have \d+ names? in common, but (\d+) with (--.*)")


def scored(kind, paths, options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        measures = {"taxonomy": "literal", "axioms": "exact", "triples": "triples"}[kind]
        return goldassay.evaluate(paths[0], gold=paths[1], kind=kind, measures=measures, **options)


def options_of(flags):
    """Read flags as the command line does."""
    words = flags.split()
    found = {}
    while words:
        name = words.pop(0).removeprefix("--").replace("-", "_")
        found[name] = words.pop(0) if words and not words[0].startswith("--") else True
    return found


@pytest.mark.parametrize("case", CASES)
def test_the_named_option_helps(tmp_path, case):
    kind, pred, pred_suffix, gold, gold_suffix, options = CASES[case]
    paths = [tmp_path / f"pred.{pred_suffix}", tmp_path / f"gold.{gold_suffix}"]
    for path, text in zip(paths, (pred, gold), strict=True):
        path.write_text(text)
    before = scored(kind, paths, options)
    hints = [found for line in before.runs[0].warnings if (found := HINT.search(line))]
    assert len(hints) == 1, before.runs[0].warnings
    after = scored(kind, paths, {**options, **options_of(hints[0][2])})
    [score] = after.runs[0].scores
    assert score.values[score.measure.headline] > 0
    assert not any(HINT.search(line) for line in after.runs[0].warnings)


@pytest.mark.parametrize("gold", ["child,parent\nfish,pet\n", "child,parent\nCat,Animal\nDog,Animal\n"])
def test_no_option_is_named_where_none_helps(tmp_path, gold):
    paths = [tmp_path / "pred.csv", tmp_path / "gold.csv"]
    for path, text in zip(paths, ("child,parent\nCat,Animal\nDog,Animal\n", gold), strict=True):
        path.write_text(text)
    assert not any(map(HINT.search, scored("taxonomy", paths, {}).runs[0].warnings))


@pytest.mark.parametrize(
    ("kind", "header"),
    [("taxonomy", "child,parent"), ("axioms", "class,property,object"), ("triples", "id,subject,predicate,object")],
)
@pytest.mark.parametrize("left", ["ignore", "judged"])
def test_no_option_is_named_for_items_that_are_left_out(tmp_path, kind, header, left):
    names = header.split(",")
    ours = [[f"{name}{row}" if name != "id" else "1" for name in names] for row in range(4)]
    theirs = ours[:3] if left == "ignore" else [[f"new{cell}" if cell != "1" else cell for cell in row] for row in ours]
    for file, rows in (("pred", ours[:3]), ("gold", [*theirs, ours[3]]), ("left", ours[:3])):
        (tmp_path / f"{file}.csv").write_text("\n".join([header, *map(",".join, rows)]))
    report = scored(kind, [tmp_path / "pred.csv", tmp_path / "gold.csv"], {left: tmp_path / "left.csv"})
    assert not any(map(HINT.search, report.runs[0].warnings))


AROUND = {
    "triples": ([("d", "Oslo", "capital of", "Norway"), ("d", "Rome", "capital of", "Italy")], "triples"),
    "taxonomy": ([("dog", "animal"), ("cat", "animal")], "literal"),
    "axioms": ([("Dog", "eats", "Fish"), ("Cat", "eats", "Fish")], "exact"),
    "alignment": ([("Author", "Writer"), ("Book", "Volume")], "overlap"),
}


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize("kind", AROUND)
def test_words_around_the_names_of_gold_are_warned_of(kind):
    gold, measure = AROUND[kind]
    for form, expected in (("{}, as it is stated", True), ("{}", False), ("big {} of all", True), ("x", False)):
        pred = [(*row[:-1], form.format(row[-1])) for row in gold]
        report = goldassay.evaluate(pred, gold=gold, kind=kind, measures=measure, encoder="hashing")
        warned = [one for one in report.runs[0].warnings if "without the words around a name" in one]
        assert bool(warned) is expected, form


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
def test_a_longer_term_with_a_term_of_gold_inside_is_another():
    pred, gold = [("bowed instrument", "instrument")], [("violin", "bowed instrument"), ("bow", "instrument")]
    report = goldassay.evaluate(pred, gold=gold, kind="taxonomy", measures="literal")
    assert not any("without the words" in one for one in report.runs[0].warnings)
