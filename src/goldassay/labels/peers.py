"""The presets of labels in hierarchies: whose numbers can be had, and how they are computed."""

from __future__ import annotations

from goldassay.core.preset import Example, Preset

PETS = "child\tparent\nkitten\tcat\ncat\tanimal\ndog\tanimal\n"
PRESETS = (
    Preset(
        name="hemkit",
        peer="HEMKit",
        versions="commit 8c8e689 of BioASQ's Evaluation-Measures",
        measures=("hierarchical(root=artificial)", "lca"),
        needs="--hierarchy FILE",
        differs="adds a root above all roots and counts it; its values are the macro ones",
        example=Example(
            pred="instance\tlabel\ni\tfiddle\n",
            gold="instance\tlabel\ni\tcat\n",
            files={"hierarchy": "child\tparent\nkitten\tcat\nfiddle\tviolin\n"},
            clean="hierarchical",
            peer="hierarchical(root=artificial)",
            value="macro_recall",
            numbers=(0.0, 0.5),
        ),
    ),
    Preset(
        name="hiclass",
        peer="hiclass's metrics",
        versions="5.0.8",
        measures=("hierarchical(root=include, ancestors=given)",),
        needs="--hierarchy FILE",
        differs="compares the labels of a row as they stand, and not what lies above them",
        example=Example(
            pred="instance\tlabel\ni\tcat\n",
            gold="instance\tlabel\ni\tkitten\n",
            files={"hierarchy": PETS},
            clean="hierarchical",
            peer="hierarchical(root=include, ancestors=given)",
            value="precision",
            numbers=(1.0, 0.0),
        ),
    ),
    Preset(
        name="cafa",
        peer="cafaeval",
        versions="1.3.0",
        measures=("weighted_fmax(step=0.01, targets=gold)", "smin(step=0.01, targets=gold)"),
        needs="--hierarchy FILE --ic FILE",
        differs="thresholds are 0.01 to 0.99, so that a score below counts nowhere; targets that gold lacks vanish",
        example=Example(
            pred="instance\tlabel\tscore\ni\tkitten\t0.001\nj\tdog\t0.9\n",
            gold="instance\tlabel\ni\tkitten\nj\tdog\n",
            files={"hierarchy": PETS},
            clean="weighted_fmax",
            peer="weighted_fmax(step=0.01, targets=gold)",
            value="fmax",
            numbers=(1.0, 2 / 3),
        ),
    ),
)
