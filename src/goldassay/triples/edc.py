"""The numbers of the script of EDC (Extract, Define, Canonicalize), so that they can be compared with what others printed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from goldassay.core.documents import DocumentPairs
from goldassay.core.parameters import parameter
from goldassay.triples.model import Triples
from goldassay.triples.scripts import ScriptMeasure
from goldassay.triples.unreadable import dropped


@dataclass(frozen=True, kw_only=True)
class Edc(ScriptMeasure):
    """What ``evaluate/evaluation_script.py`` of EDC prints: the script of WebNLG 2020 with letters in ASCII.

    A preset. A document whose prediction cannot be read, or holds anything but texts, vanishes together with its gold,
    so that what a model could not write down costs it nothing. `Triple` counts such a document as not answered.

    Attributes:
        max_length_diff: Documents whose numbers of triples differ by more are left out; -1 leaves none out.

    Example:
        >>> gold = Triples.from_lists({"d": [("Mülhausen", "country", "France")]})
        >>> pred = Triples.from_lists({"d": [("Mulhausen", "country", "France")]})
        >>> Edc().score(pred=pred, gold=gold).f1
        1.0
    """

    name: ClassVar[str] = "edc"
    title: ClassVar[str] = "EDC script"
    formula: ClassVar[str] = (
        r"F_1 = \frac{1}{|M|} \sum_{(p, g) \in M} F_1(p, g)\ \text{over documents whose prediction can be read}"
    )
    citation: ClassVar[str] = "zhang2024edc"
    conventions: ClassVar[tuple[str, ...]] = (
        "unreadable predictions are left out together with their gold",
        "letters are brought into ASCII by Unidecode",
    )

    max_length_diff: int = parameter(
        -1,
        help="leave out documents whose numbers of triples differ by more than this; -1 leaves none out",
        bounds=(-1, 10**6),
    )

    @property
    def ascii_only(self) -> bool:
        """The script brings letters into ASCII."""
        return True

    @property
    def made_once(self) -> str:
        """What the pairing is called among what measures share."""
        return f"{self.name}-{self.max_length_diff}"

    def skipped(self, pred: Triples, gold: Triples, pairs: DocumentPairs) -> Iterable[int]:
        """Leave out documents that cannot be read, or whose numbers of triples differ by too much."""
        return dropped(pred, gold, pairs, max_length_diff=self.max_length_diff)
