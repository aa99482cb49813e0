"""The presets of triples: whose numbers can be had, and how they are computed."""

from __future__ import annotations

from goldassay.core.preset import Example, Preset

ONE = '{"id": "d", "triples": [["Oslo", "country", "Norway"]]}\n'
TWO = '{"id": "d", "triples": [["Oslo", "country", "Norway"], ["Oslo", "river", "Akerselva"]]}\n'
SURPLUS = Example(
    pred=TWO, gold=ONE, suffix=".jsonl", clean="triples", peer="webnlg", value="recall", numbers=(1.0, 0.5)
)
PRESETS = (
    Preset(
        name="webnlg",
        peer="the script of WebNLG 2020, text to triples",
        versions="commit 6a40950, with nervaluate 0.1.7",
        measures=("webnlg",),
        differs="divides by aligned pairs of triples, so that a surplus triple lowers recall, and splits slots into tokens",
        example=SURPLUS,
    ),
    Preset(
        name="text2kgbench",
        peer="Text2KGBench",
        versions="commit 50a3d25",
        measures=("text2kgbench",),
        needs="--ontology FILE",
        differs="drops triples whose relation gold does not have in that sentence before precision",
        example=Example(
            pred=TWO,
            gold=ONE,
            suffix=".jsonl",
            clean="triples",
            peer="text2kgbench",
            value="precision",
            numbers=(0.5, 1.0),
        ),
    ),
    Preset(
        name="pive",
        peer="PiVe's graph metrics",
        versions="commit 3c1ec7e",
        measures=("pive",),
        differs="graphs match if the labels of their edges do, whatever their nodes are",
        example=Example(
            pred='{"id": "d", "triples": [["Bergen", "country", "Sweden"]]}\n',
            gold=ONE,
            suffix=".jsonl",
            clean="graph_match",
            peer="pive",
            value="accuracy",
            peer_value="graph_match_accuracy",
            numbers=(0.0, 1.0),
        ),
    ),
)
