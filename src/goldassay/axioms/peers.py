"""The preset of axioms: whose numbers can be had, and how they are computed."""

from __future__ import annotations

from goldassay.core.preset import Example, Preset

PRESETS = (
    Preset(
        name="gines-almagro",
        peer="the tables of Inferring Semantic Schemas from Functional Probabilities",
        versions="commit ace3741; its table at threshold 1 was aligned by hand, which weighted(alignment=FILE) takes",
        measures=("weighted", "coverage"),
        reading={"fold_case": True, "strip_key": True},
        differs="names are compared without case, and classes without the key in brackets",
        example=Example(
            pred="class,property,object\nProduct(Name),price,Price\n",
            gold="class,property,object\nProduct,Price,Price\n",
            suffix=".csv",
            clean="weighted",
            peer="weighted",
            value="f1",
            numbers=(0.0, 1.0),
        ),
    ),
)
