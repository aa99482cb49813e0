"""What is suspicious about a prediction and a gold standard: valid input that its owner probably did not mean."""

from __future__ import annotations

from collections.abc import Iterator

from goldassay.concepts.model import Concepts
from goldassay.concepts.pairing import paired, unpaired


def suspicions(pred: Concepts, gold: Concepts) -> Iterator[str]:
    """Say what is suspicious about a pair, each in one sentence.

    Args:
        pred: The prediction.
        gold: The gold standard.

    Example:
        >>> a, b = Concepts.from_lists([("1", ["x"])]), Concepts.from_lists([("q1", ["x"])])
        >>> list(suspicions(a, b))
        ['no document of the prediction has the id of a gold document (1 against q1): nothing can meet']
    """
    if pred.path is not None and pred.path == gold.path:
        yield "prediction and gold are the same file: FILE#COLUMN takes one column of a file that holds both"
    pairs = paired(pred=pred, gold=gold)
    if len(pred.ids) and len(gold.ids) and len(pairs.missing) == len(gold.ids):
        yield (
            "no document of the prediction has the id of a gold document "
            f"({pred.ids[0]} against {gold.ids[0]}): nothing can meet"
        )
    else:
        yield from (f"{line}; what is not there counts as empty" for line in unpaired(pairs))
    ways = [model.choices.get("concepts", "given") for model in (pred, gold)]
    if len({way.partition(",")[0] for way in ways}) > 1:
        yield f"concepts are found in different ways: prediction {ways[0]}, gold {ways[1]}"
