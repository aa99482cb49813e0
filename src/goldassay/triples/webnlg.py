"""The numbers of the script of WebNLG 2020, so that they can be compared with what others printed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from goldassay.core.documents import DocumentPairs
from goldassay.triples.model import Triples
from goldassay.triples.scripts import ScriptMeasure


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
