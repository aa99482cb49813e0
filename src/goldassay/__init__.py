"""How much gold is in a predicted knowledge structure.

Score taxonomies and knowledge graphs against a gold standard: the published number exactly, with the evidence behind
every point and a signature that others can reproduce it from.

Example:
    >>> import goldassay
    >>> gold = goldassay.Graph.from_edges([("leukemia", "cancer"), ("cancer", "disease")])
    >>> pred = goldassay.Graph.from_edges([("leukemia", "cancer")])
    >>> goldassay.evaluate(pred, gold=gold, measures="literal")["literal"].f1
    0.6666666666666666
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from goldassay.compare import compare
from goldassay.core.errors import (
    CacheError,
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
from goldassay.core.score import Score
from goldassay.core.signature import Signature
from goldassay.core.significance import Resampling
from goldassay.core.version import __version__
from goldassay.evaluate import breakdown, evaluate, read
from goldassay.families import parse
from goldassay.report import Report

if TYPE_CHECKING:
    from goldassay import alignments, axioms, concepts, graphs
    from goldassay.encoders import get_encoder
    from goldassay.graphs.model import Graph
    from goldassay.saved import load

__all__ = [
    "CacheError",
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
    "concepts",
    "evaluate",
    "get_encoder",
    "graphs",
    "load",
    "parse",
    "read",
]

_LATER = {
    "Graph": "goldassay.graphs.model",
    "alignments": "goldassay.alignments",
    "axioms": "goldassay.axioms",
    "concepts": "goldassay.concepts",
    "get_encoder": "goldassay.encoders",
    "graphs": "goldassay.graphs",
    "load": "goldassay.saved",
}


def __getattr__(name: str) -> Any:
    # Families and encoders are imported when first asked for, so that `import goldassay` and `goldassay --help` stay light.
    if name not in _LATER:
        raise AttributeError(f"module 'goldassay' has no attribute {name!r}")
    home = import_module(_LATER[name])
    return getattr(home, name, home)
