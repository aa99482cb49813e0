"""The numbers of the scripts of WebNLG 2020 and of EDC, so that they can be compared with what others printed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from goldassay.core.documents import DocumentPairs
from goldassay.core.matching import NONE_MET
from goldassay.core.parameters import parameter
from goldassay.triples.model import Triples
from goldassay.triples.scripts import ScriptMeasure


def dropped(pred: Triples, gold: Triples, pairs: DocumentPairs, *, max_length_diff: int = -1) -> Iterator[int]:
    """List the pairs of documents that the script leaves out.

    Example:
        >>> gold = Triples.from_lists({"a": [("x", "r", "y")], "b": []})
        >>> pred = Triples.from_lists({"a": [], "b": []})
        >>> from goldassay.triples.pairing import paired
        >>> list(dropped(pred, gold, paired(pred=pred, gold=gold), max_length_diff=0))
        [0]
    """
    typed = np.zeros(len(pred.ids), dtype=np.bool_)
    lines = np.repeat(np.arange(len(pred.ids)), np.diff(pred.written_starts))
    typed[lines[pred.datatypes != ""]] = True
    sizes = np.diff(pred.written_starts), np.diff(gold.written_starts)
    for pair, (here, there) in enumerate(zip(pairs.pred.tolist(), pairs.gold.tolist(), strict=True)):
        if here != NONE_MET and (pred.unreadable[here] or typed[here]):
            yield pair
        elif max_length_diff >= 0:
            counts = (0 if one == NONE_MET else int(size[one]) for one, size in ((here, sizes[0]), (there, sizes[1])))
            if abs(next(counts) - next(counts)) > max_length_diff:
                yield pair


@dataclass(frozen=True, kw_only=True)
class Webnlg(ScriptMeasure):
    """What ``Evaluation_script_json.py`` of WebNLG 2020 prints under ``Total_scores`` and ``Scores_per_tag``.

    A preset, and no measure that one would define so: a wrong word in a slot leaves the others full credit even in strict
    mode, references do not always score 1 against themselves, and a surplus triple lowers recall. `Triple` is the clean
    measure. Where the script tries every order of the triples of a document, an assignment finds the same.

    Example:
        >>> gold = Triples.from_lists({"d": [("Alpha_Beta", "city", "Oslo")]})
        >>> pred = Triples.from_lists({"d": [("Alpha_Gamma", "county", "Vestland")]})
        >>> Webnlg().score(pred=pred, gold=gold).format()
        'webnlg(mode=strict): precision 0.2000, recall 0.3333, f1 0.2500'
    """

    name: ClassVar[str] = "webnlg"
    title: ClassVar[str] = "WebNLG 2020 script"
    formula: ClassVar[str] = (
        r"F_1 = \frac{1}{|M|} \sum_{(p, g) \in M} F_1(p, g),\quad "
        r"M = \arg\max_{M \text{ one-to-one}} \sum_{(p, g) \in M} \overline{F_1}(p, g)"
    )
    citation: ClassVar[str] = "castroferreira2020"
    conventions: ClassVar[tuple[str, ...]] = (
        "precision, recall and F1 are means over pairs of triples; average=counts divides the printed counts",
        "a text is one sentence to NLTK's word tokenizer (preserve_line)",
        "up to 8 triples a document ties are broken as the script breaks them",
    )

    @property
    def ascii_only(self) -> bool:
        """The script leaves letters as they are."""
        return False

    def skipped(self, pred: Triples, gold: Triples, pairs: DocumentPairs) -> Iterable[int]:
        """Leave no document out."""
        del pred, gold, pairs
        return ()


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
