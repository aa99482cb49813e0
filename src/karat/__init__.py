"""How much gold is in a predicted knowledge structure.

Score taxonomies and knowledge graphs against a gold standard: the published number exactly, with the evidence behind
every point and a signature that others can reproduce it from.

Example:
    >>> import karat
    >>> gold = karat.Graph.from_edges([("leukemia", "cancer"), ("cancer", "disease")])
    >>> pred = karat.Graph.from_edges([("leukemia", "cancer")])
    >>> karat.evaluate(pred, gold=gold, measures="literal")["literal"].f1
    0.6666666666666666
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from karat.compare import compare
from karat.core.errors import (
    CacheError,
    EncoderError,
    InputError,
    KaratError,
    KaratWarning,
    MissingDependencyError,
    OutputError,
    RecordError,
    SuspectInputWarning,
    UndefinedWarning,
    UsageError,
)
from karat.core.score import Score
from karat.core.signature import Signature
from karat.core.significance import Resampling
from karat.core.version import __version__
from karat.evaluate import evaluate, read
from karat.families import parse
from karat.report import Report

if TYPE_CHECKING:
    from karat import alignments, axioms, concepts, graphs
    from karat.encoders import get_encoder
    from karat.graphs.model import Graph
    from karat.saved import load

__all__ = [
    "CacheError",
    "EncoderError",
    "Graph",
    "InputError",
    "KaratError",
    "KaratWarning",
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
    "Graph": "karat.graphs.model",
    "alignments": "karat.alignments",
    "axioms": "karat.axioms",
    "concepts": "karat.concepts",
    "get_encoder": "karat.encoders",
    "graphs": "karat.graphs",
    "load": "karat.saved",
}


def __getattr__(name: str) -> Any:
    # Families and encoders are imported when first asked for, so that `import karat` and `karat --help` stay light.
    if name not in _LATER:
        raise AttributeError(f"module 'karat' has no attribute {name!r}")
    home = import_module(_LATER[name])
    return getattr(home, name, home)
