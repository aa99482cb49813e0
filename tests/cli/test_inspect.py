"""`goldassay inspect` finds the family of a file by its content, and says what it would score."""

import json
import re
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize(
    ("file", "messages"),
    [
        ("taxonomy/reference.owl", "taxonomy, rdf-xml"),
        ("axioms/pred.ttl", "taxonomy, turtle"),
        ("alignments/gold.rdf", "alignment, oaei"),
        ("alignments/pred.sssom.tsv", "alignment, sssom"),
        ("alignments/candidates.tsv", "alignment, tsv"),
        ("concepts/gold.jsonl", "concepts, json-lines"),
        ("concepts/health.obo", "taxonomy, obo"),
        ("triples/gold.jsonl", "triples, json-lines"),
        ("triples/ontology.ttl", "taxonomy, turtle"),
        ("unl/expected.unl", "unl, unl"),
    ],
)
def test_every_example_is_recognised(goldassay_command, file, messages):
    result = goldassay_command("inspect", EXAMPLES / file)
    assert (result.code, result.err) == (0, "")
    assert messages in result.out.splitlines()[0]


def test_the_kind_and_the_options_of_its_reader_can_be_given(goldassay_command):
    result = goldassay_command("inspect", EXAMPLES / "axioms/pred.ttl", "--kind", "axioms", "--format", "json")
    found = json.loads(result.out)
    assert (found["kind"], found["format"]) == ("axioms", "turtle")
    every = goldassay_command("inspect", EXAMPLES / "taxonomy/reference.owl", "--edges", "all", "--format", "json")
    assert json.loads(every.out)["edges"] == 89


def test_an_option_of_another_family_is_refused(goldassay_command):
    result = goldassay_command("inspect", EXAMPLES / "taxonomy/reference.owl", "--scores", "any")
    assert result.code == 2
    assert "--scores is not an option of taxonomy" in result.err


@pytest.mark.parametrize(
    ("file", "kind"),
    [
        ("taxonomy/learned.csv", "taxonomy"),
        ("axioms/gold.md", "axioms"),
        ("alignments/gold.rdf", "alignment"),
        ("concepts/gold.jsonl", "concepts"),
        ("labels/gold.tsv", "labels"),
        ("triples/pred.jsonl", "triples"),
        ("unl/produced.unl", "unl"),
        ("unl/produced.tsv", "sentences"),
    ],
)
def test_every_family_inspects_its_files(goldassay_command, file, kind):
    next_to = ("--hierarchy", EXAMPLES / "labels/subjects.csv") if kind == "labels" else ()
    result = goldassay_command("inspect", EXAMPLES / file, "--kind", kind, *next_to)
    assert (result.code, result.err) == (0, "")
    assert kind in result.out.splitlines()[0]
    assert "for example " in result.out


def test_what_cannot_be_read_as_the_family_it_was_taken_for_says_so(goldassay_command):
    result = goldassay_command("inspect", EXAMPLES / "unl/expected.tsv")
    assert result.code == 2
    assert "it was taken for concepts: --kind names another family" in result.err
    result = goldassay_command("inspect", EXAMPLES / "labels/gold.tsv", "--hierarchy", "absent.tsv")
    assert result.code == 2
    assert "; it was taken for labels: --kind names another family" in result.err


def test_labels_are_inspected_without_their_hierarchy(goldassay_command):
    result = goldassay_command("inspect", EXAMPLES / "labels/gold.tsv")
    assert (result.code, result.err) == (0, "")
    assert "hierarchy: none" in result.out


def test_the_help_names_the_families_of_an_option(goldassay_command):
    shown = " ".join(re.sub("[│╭╰─]", " ", goldassay_command("inspect", "--help").out).split())
    assert "Preferred language of labels (taxonomy, alignment)." in shown
    assert "Section of texts in UNL documents, if not org (sentences)." in shown
    assert "--on-unpaired" not in shown
