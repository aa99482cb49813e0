"""ROUGE of ChatGPT's notes as the paper of ACI-Bench reports it (Yim et al. 2023, table of test set 1)."""

import pytest

from goldassay.concepts import ConceptReading, read_concepts
from goldassay.concepts.extras import texts_of
from goldassay.report.others import other_scores

PUBLISHED = {"ROUGE-1": 47.44, "ROUGE-2": 19.01, "ROUGE-Lsum": 42.47}


def test_rouge_of_aci_bench(reference_data):
    pytest.importorskip("rouge_score")
    path = reference_data / "longform" / "test1ChatGPT_.csv"
    sides = {
        side: read_concepts(path, ConceptReading(text=column, id="encounter_id"))
        for side, column in (("pred", "note"), ("gold", "Reference Summaries"))
    }
    texts = texts_of(sides["pred"], sides["gold"])
    found = {score.name: round(100 * score.value, 2) for score in other_scores(*texts, ["rouge"])}
    assert found == {**found, **PUBLISHED}
    assert found["ROUGE-L"] == 27.11
