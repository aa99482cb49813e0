"""Evaluation of predicted knowledge structures against a gold standard.

Score taxonomies, knowledge graphs and more: with the exact published definitions, the evidence behind
every score, and a signature that makes it reproducible.

Example:
    >>> import goldassay
    >>> gold = goldassay.Graph.from_edges([("leukemia", "cancer"), ("cancer", "disease")])
    >>> pred = goldassay.Graph.from_edges([("leukemia", "cancer")])
    >>> goldassay.evaluate(pred, gold=gold, measures="literal")["literal"].f1
    0.6666666666666666
"""

import os
from typing import TYPE_CHECKING, Any

from goldassay.core.forks import watch_forks
from goldassay.core.names import names_of
from goldassay.core.reader import hand_down
from goldassay.core.version import __version__

# ONNX Runtime and Hugging Face look here when they start: without this, they write to the cache of the user, and report to their makers.
os.environ.update(ORT_DISABLE_TELEMETRY="1", HF_HUB_DISABLE_TELEMETRY="1")

if TYPE_CHECKING:
    from goldassay import alignments, axioms, compat, concepts, graphs, labels, triples, unl
    from goldassay.comparison import compare
    from goldassay.core.chance import Chance
    from goldassay.core.errors import (
        CacheError,
        EmptyInputError,
        EncoderError,
        GoldassayError,
        GoldassayWarning,
        InputError,
        MissingDependencyError,
        OutputError,
        RecordError,
        SuspectInputWarning,
        UndefinedWarning,
        UsageError,
    )
    from goldassay.core.measure import Score
    from goldassay.core.signature import Signature
    from goldassay.core.significance import Resampling
    from goldassay.encoders import get_encoder
    from goldassay.evaluation import breakdown, evaluate, read, sweep
    from goldassay.families import parse, register
    from goldassay.functions import measure
    from goldassay.graphs.model import Graph
    from goldassay.report import Report
    from goldassay.saved import load

_HOMES = {
    "goldassay": ("alignments", "axioms", "compat", "concepts", "graphs", "labels", "triples", "unl"),
    "goldassay.comparison": ("compare",),
    "goldassay.core.errors": (
        "CacheError",
        "EmptyInputError",
        "EncoderError",
        "GoldassayError",
        "GoldassayWarning",
        "InputError",
        "MissingDependencyError",
        "OutputError",
        "RecordError",
        "SuspectInputWarning",
        "UndefinedWarning",
        "UsageError",
    ),
    "goldassay.core.measure": ("Score",),
    "goldassay.core.signature": ("Signature",),
    "goldassay.core.chance": ("Chance",),
    "goldassay.core.significance": ("Resampling",),
    "goldassay.encoders": ("get_encoder",),
    "goldassay.evaluation": ("breakdown", "evaluate", "read", "sweep"),
    "goldassay.families": ("parse", "register"),
    "goldassay.functions": ("measure",),
    "goldassay.graphs.model": ("Graph",),
    "goldassay.report": ("Report",),
    "goldassay.saved": ("load",),
}

__all__ = [
    "CacheError",
    "Chance",
    "EmptyInputError",
    "EncoderError",
    "GoldassayError",
    "GoldassayWarning",
    "Graph",
    "InputError",
    "MissingDependencyError",
    "OutputError",
    "RecordError",
    "Report",
    "Resampling",
    "Score",
    "Signature",
    "SuspectInputWarning",
    "UndefinedWarning",
    "UsageError",
    "__version__",
    "alignments",
    "axioms",
    "breakdown",
    "compare",
    "compat",
    "concepts",
    "evaluate",
    "get_encoder",
    "graphs",
    "labels",
    "load",
    "measure",
    "parse",
    "read",
    "register",
    "sweep",
    "triples",
    "unl",
]


def _read_sides(pred: Any, gold: Any, **options: Any) -> dict[str, Any]:
    from goldassay.evaluation import read_sides

    return read_sides(pred, gold, **options)


def _digest_file(path: str) -> str:
    from goldassay.formats import load

    return load(path).digest


hand_down(_read_sides, _digest_file)
watch_forks()


# So that `import goldassay` and `goldassay --help` stay light.
__getattr__ = names_of("goldassay", _HOMES)


def __dir__() -> list[str]:
    return __all__
