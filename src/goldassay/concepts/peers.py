"""The preset of concepts: whose numbers can be had, and how they are computed."""

from __future__ import annotations

from goldassay.core.preset import Example, Preset

PRESETS = (
    Preset(
        name="aci-bench",
        peer="MEDCON, the script UMLS_evaluation.py of ACI-Bench",
        versions="commit 5d3cd4d, on the terms and concepts that QuickUMLS found",
        measures=("medcon(by=term)",),
        reading={"terms": True},
        differs=(
            "counts terms, each with all its concepts: those of gold with a concept of the prediction, over the terms of either "
            "side, so that F1 may pass 1"
        ),
        example=Example(
            pred='{"id": 1, "concepts": [{"text": "asthma", "id": "C1", "type": "T047"}]}\n',
            gold=(
                '{"id": 1, "concepts": [{"text": "asthma", "id": "C1", "type": "T047"}, '
                '{"text": "asthmatic", "id": "C1", "type": "T047"}]}\n'
            ),
            suffix=".jsonl",
            clean="medcon",
            peer="medcon(by=term)",
            value="f1",
            numbers=(1.0, 4 / 3),
        ),
    ),
)
