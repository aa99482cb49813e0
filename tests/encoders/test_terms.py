"""Encoders of biomedical terms by their short names."""

import warnings

import numpy as np
import pytest

import goldassay
from goldassay.concepts import Concept, Concepts
from goldassay.encoders.named import TERMS


class Model:
    """Stands for a model of sentence-transformers."""

    dimension, fingerprint = 2, "1" * 64

    def __init__(self, name, *, download):
        self.name = name

    def encode(self, texts, *, progress=None):
        return np.tile(np.array([1, 0], dtype=np.float32), (len(texts), 1))


@pytest.mark.parametrize("name", sorted(TERMS))
def test_the_default_epsilon_is_not_used_silently(monkeypatch, name):
    monkeypatch.setattr("goldassay.encoders.named.SentenceTransformerEncoder", Model)
    encoder = goldassay.get_encoder(name, cache=None)
    assert encoder.name == TERMS[name]
    some = Concepts.from_lists({"d": ["asthma"]})
    for measure, message in (("concept", True), ("concept(epsilon=0.7)", False)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", goldassay.GoldassayWarning)
            report = goldassay.evaluate(some, gold=some, kind="concepts", measures=measure, encoder=encoder)
        assert any("0.6 is calibrated for all-MiniLM-L6-v2" in line for line in report.runs[0].warnings) == message
    assert Concept(epsilon=0.7).encoder_note(encoder) is None
