"""Linear time in every script: a text of four times the length takes about four times as long in every scanner."""

import json
from functools import cache

import pytest
from tests.growing import is_linear, spent

from goldassay.concepts import Chunks, ConceptReading, Dictionary, Name, read_concepts
from goldassay.concepts.formats.given import parse_lists, tidy
from goldassay.concepts.formats.trees import paths_of
from goldassay.concepts.model import RawConcepts
from goldassay.concepts.texts.abbreviations import WithAbbreviations
from goldassay.concepts.texts.assertions import add_assertions
from goldassay.concepts.texts.fold import pieces_of

SCRIPTS = {
    "Latin": "The patient denies fever. ",
    "Cyrillic": "Пациент отрицает боль в груди. ",
    "Greek": "Ο ασθενής αρνείται πυρετό. ",  # noqa: RUF001
    "Arabic": "ينفي المريض وجود حمى. ",
    "Devanagari": "रोगी को बुखार नहीं है। ",
    "Chinese": "患者没有发烧也没有咳嗽。",
    "Japanese": "患者は発熱や咳を否定している。",
    "emoji": "🤒🩺👩\u200d⚕️ ",
}
SHAPES = {
    "sentences": lambda text: text,
    "capitals": str.upper,
    "one letter": lambda text: text[0],
    "lines": lambda text: f"{text}\n",
    "brackets": lambda text: f"{text[:9]}(AB) ",
    "dots": lambda text: f"{text[0]}.",
    "numbers": lambda text: f"{text[0]} 12,",
    "people": lambda text: f"Dr. {text[:5].title()} ",
}
CHUNKS = Chunks()


@cache
def names():
    """A dictionary of a name in each script; made by polars, so not on import (tests of changes run in forks)."""
    return Dictionary([Name(0, str(row), text[:9]) for row, text in enumerate(SCRIPTS.values())])


SCANNERS = {
    "chunks": lambda text: add_assertions(RawConcepts.of([CHUNKS.find(text)]), [text]),
    "dictionary": lambda text: add_assertions(RawConcepts.of([names().find(text)]), [text]),
    "words": pieces_of,
    "outline": lambda text: paths_of("- " + text.replace("\n", " ")),
    "cells": lambda text: (tidy([text]), parse_lists([text])),
}


def grows_linearly(scan, unit):
    return is_linear(lambda size: spent(scan, unit * (size // len(unit) + 1)), 5_000, 0.03)


@pytest.mark.parametrize("script", SCRIPTS)
@pytest.mark.parametrize("scanner", SCANNERS)
def test_time_grows_with_the_text(scanner, script):
    for name, shape in SHAPES.items():
        assert grows_linearly(SCANNERS[scanner], shape(SCRIPTS[script])), name


# The package takes quadratic time where nothing is a letter.
@pytest.mark.parametrize("script", sorted({*SCRIPTS} - {"emoji"}))
def test_abbreviations_take_linear_time(script):
    pytest.importorskip("abbreviation_extractor")
    resolving = WithAbbreviations(CHUNKS)
    assert grows_linearly(lambda text: list(resolving.find_all([text])), f"{SCRIPTS[script][:9]}(AB) ")


@pytest.mark.parametrize("concepts", [["a", 7], [{"text": "a", "start": 4, "end": 1}], None, ["a"]])
def test_bad_documents_take_linear_time(tmp_path, concepts):
    def scan(text):
        path = tmp_path / "a.jsonl"
        path.write_text(text)
        assert read_concepts(path, ConceptReading(on_error="skip")).left_out["skipped_records"]

    record = json.dumps({"id": "d", "concepts": concepts})
    assert grows_linearly(lambda text: scan('{"id": "d", "concepts": ["b"]}\n' + text), f"{record}\n")


def test_headings_in_capitals_are_no_concepts_however_long():
    """A line without a small letter is a heading in every script that has no cases, and a last line is not."""
    assert [one.name for one in CHUNKS.find("HISTORY OF ILLNESS\nAsthma.\n患者没有发烧\nfever")] == ["asthma", "fever"]
    assert CHUNKS.find("é" * 200_000 + "\n") == []
