"""Graphs as text: as a document, and two side by side with differences marked, which is the flag --show of UNL documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from goldassay.core.errors import unknown_choice_error
from goldassay.core.family import Extra, Job
from goldassay.unl.match import partners, relation_items
from goldassay.unl.model import Document, Sentence
from goldassay.unl.read import read_document

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

NOTHING = Sentence()


class Line(NamedTuple):
    """One line of the comparison: a mark, and the items of both sides."""

    mark: str
    gold: str
    pred: str


def side_by_side(*, pred: Document, gold: Document, name: str) -> list[Line]:
    """Compare the two graphs of a sentence line by line.

    Args:
        pred: The prediction.
        gold: The gold standard.
        name: The sentence, as its id or ``S:`` and its id.

    Returns:
        What both have, then what is missing, then what exceeds.

    Raises:
        UsageError: If the gold standard has no such sentence.

    Example:
        >>> from goldassay.unl.read import document_of
        >>> gold = document_of("[S:1] agt(kill.@past, Peter) obj(kill.@past, Mary) [/S]")
        >>> pred = document_of("[S:1] agt(kill, Peter) gol(kill, Mary) [/S]")
        >>> for line in side_by_side(pred=pred, gold=gold, name="S:1"):
        ...     print(*line)
        ~ agt(kill.@past, Peter) agt(kill, Peter)
        - obj(kill.@past, Mary)
        +  gol(kill, Mary)
    """
    wanted = name.removeprefix("S:")
    names = [identifier or str(row + 1) for row, identifier in enumerate(gold.ids)]
    if wanted not in names:
        raise unknown_choice_error("sentence", name, names[:20])
    row = names.index(wanted)
    here = next((one for one, other in zip(pred.sentences, partners(pred, gold), strict=True) if other == row), NOTHING)
    expected, actual = _lines(gold.sentences[row]), _lines(here)
    counted = Counter(key for key, _ in actual)
    both, missing = [], []
    for key, text in expected:
        if counted[key]:
            counted[key] -= 1
            partner = next(place for place, (other, _) in enumerate(actual) if other == key)
            there = actual.pop(partner)[1]
            both.append(Line("=" if text == there else "~", text, there))
        else:
            missing.append(Line("-", text, ""))
    return [*both, *missing, *(Line("+", "", text) for _, text in actual)]


def _lines(sentence: Sentence) -> list[tuple[tuple[str, ...], str]]:
    keys = [*relation_items(sentence), *((node.uw,) for node in sentence.isolated)]
    return list(zip(keys, map(str, (*sentence.relations, *sentence.isolated)), strict=True))


def document_text(document: Document) -> str:
    r"""Write a document; reading it again gives the same graphs.

    Example:
        >>> from goldassay.unl.read import document_of
        >>> print(document_text(document_of("[S:1] agt ( a ; b ) [/S]")))
        [S:1]
        {unl}
        agt(a, b)
        {/unl}
        [/S]
    """
    return "\n".join(_sentence_text(sentence) for sentence in document.sentences)


def _sentence_text(sentence: Sentence) -> str:
    lines = [f"[S:{sentence.id}]" if sentence.id else "[S]"]
    if sentence.original:
        lines += ["{org}", sentence.original, "{/org}"]
    for language, text in sentence.texts:
        lines += [f"{{{language}}}", text, f"{{/{language}}}"]
    return "\n".join([*lines, "{unl}", *_graph_lines(sentence), "{/unl}", "[/S]"])


def graph_text(sentence: Sentence) -> str:
    """Write one graph without its document: its isolated nodes, and one relation per line."""
    return "\n".join(_graph_lines(sentence))


def _graph_lines(sentence: Sentence) -> list[str]:
    isolated = ["[W]", *map(str, sentence.isolated), "[/W]"] if sentence.isolated else []
    return [*isolated, *map(str, sentence.relations)]


STYLES = {"-": "red", "+": "green", "~": "yellow"}


def graphs(job: Job, sentence: str) -> Iterator[Table]:
    """Return the two graphs of a sentence for each prediction, with differences marked."""
    from rich.text import Text

    gold = read_document(job.gold, job.reading.gold)
    for path in job.preds:
        pred = read_document(path, job.reading.pred)
        lines = side_by_side(pred=pred, gold=gold, name=sentence)
        rows = ([Text(cell, style=STYLES.get(line.mark, "")) for cell in line] for line in lines)
        yield _table(["", "gold", pred.path or "prediction"], rows)


def _table(head: list[str], rows: Iterable[list[Text]]) -> Table:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(*head, box=SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="dim")
    for row in rows:
        table.add_row(*row)
    return table


EXTRAS = (
    Extra(
        name="show",
        help="Show the two graphs of one sentence; score nothing.",
        metavar="S:ID",
        instead=graphs,
        uses=("gold",),
    ),
)
