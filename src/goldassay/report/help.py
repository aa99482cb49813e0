"""The help texts of the page, one for each heading: what it shows, and how to read it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from goldassay.core.measure import Measure

HELP: Mapping[str, str] = {
    "page": (
        "How well predictions agree with a gold standard. First the scores of all predictions; below them one prediction at a "
        "time, down to single items; at the end what was read and how to get the same numbers again. The address of the page "
        "keeps what is chosen, so that a link shows the same."
    ),
    "detail": (
        "Everything from here to the files is of one prediction and one measure. The menus choose them, and so does a click on a "
        "name or on a measure above."
    ),
    "lines": (
        "Each line is a value, over all thresholds that could have been chosen; the dotted line is the one that was. A flat line "
        "means that the threshold hardly matters. The arrow keys or the pointer show the values at a threshold; Enter or a click "
        "lists the items between it and the chosen one."
    ),
    "histogram": (
        "How similar the items are to their best counterparts of the other side, one row for each verdict; the dotted line is the "
        "threshold. Misses far left have no similar item on the other side; those near the line are close. The arrow keys or "
        "the pointer show the number of each bar; Enter or a click lists its items."
    ),
    "bars": "One group of bars for each category, one bar for each side. The arrow keys or the pointer show their values.",
    "scores": (
        "One row per system, the best first. The dot is the score, the line its interval: the values that other samples of "
        "the same size could give. A band is the level of chance, a tick the agreement of people. Where "
        "systems were tested, the last column says how far each is from the one it was tested against, and whether that may be chance. All pairs are "
        "tested for the letters: systems that share one do not differ significantly."
    ),
    "values": (
        "All values of each measure, the best in bold; intervals are in brackets. A star marks a value that differs "
        "significantly from that of the system it was tested against."
    ),
    "differences": (
        "How far the main value of one system is from that of another, with an interval, the p value of their test adjusted by Holm's "
        "method, and the effect: the difference in standard deviations of what a single item adds to it. Below 0.2 it is small."
    ),
    "errors": (
        "How many errors of each kind each prediction makes; the bars of one measure have one scale. A kind says how the other side relates what the item "
        "consists of (docs/measures.md), so that the same words stand for predicted items (pred) and for those of gold. Of repeated runs a number is the mean. A click "
        "on a number lists the items of that kind, of repeated runs those of the run with most."
    ),
    "charts": (
        "A curve shows what the values would be at other thresholds; the dotted line is the chosen one. A histogram shows how "
        "similar items are to their best counterparts, a row for each verdict. Point at a chart, or move through it "
        "with the arrow keys; a click or Enter lists the items behind a point or a bar."
    ),
    "groups": (
        "The scores of each group of items. Precision is of the predicted items of a group, recall of those of gold. "
        "A click on a name lists the items of that group; a click on a head sorts."
    ),
    "items": (
        "Every item of both sides. Of gold an item is hit or missed, of the prediction hit or invented; partial credit is "
        "marked. The best counterpart is the most similar item of the other side. A search finds words in any order. Choose "
        "a row to see it next to its counterpart here and in the other views; the address of the page keeps the choice."
    ),
    "tree": (
        "A node is below each of its parents, with the verdict on that edge, and the kind of its error. The numbers behind a node are hits and "
        "all edges of its whole branch. Nodes with one text, or with edges that match, are in one line, and are opened and scrolled together; a gap is "
        "what the other side has more. The buttons count the errors by kind, and choose one after the other; of an error without a counterpart the other tree shows the child, or else the parent. Choose a node to mark its edge and the best "
        "counterpart in both trees. Arrow keys move and fold, Enter chooses."
    ),
    "map": (
        "Every edge is a cell of one size, so a region in the colour of missed edges is a part that the prediction lacks. By branch, a "
        "cell is inside the rectangles of its branches. By meaning, edges whose children have similar texts are next to each other, in "
        "the same place on both sides; distances mean nothing else, and a region has the name of its commonest parents. Choose a cell "
        "to mark its edge in the other views. Ctrl and the wheel, or the buttons, zoom; dragging moves. Arrow keys move from region to "
        "region, Enter opens a region or chooses an edge, and Backspace goes back."
    ),
    "texts": (
        "Each text next to that of gold. Marked spans are hit, partly hit, missed or invented; "
        "choose one to see its counterpart in the other text."
    ),
    "diagrams": "The graph of gold and the predicted one. Dashed lines are missing in the other graph.",
    "files": "What was read, how it was read, and what was left out of the score.",
    "reproduce": (
        "A signature names the measure with all its parameters, and everything else that can change the value. "
        "Two scores with the same signature can be compared; quote it with the number."
    ),
}

GROUPS: Mapping[str, str] = {
    "depth": "their distance from a root",
    "branch": "their branch below the root",
    "root": "their root",
    "component": "their connected part of the graph, named by its root",
    "lexical": "how many of their texts occur on the other side, too",
    "namespace": "the namespaces of source and target",
    "shared": "whether the other side uses their predicate anywhere",
    "size": "how many triples gold has of their document",
    "length": "how many words the text of their document has",
}
"""What items have in common whose group has a name that does not say it."""


def describe_measure(measure: Measure[Any, Any]) -> str:
    """Describe a measure, and how to read its values."""
    first = (measure.__doc__ or "").strip().splitlines()[0].replace("``", "")
    ends = measure.values[measure.headline]
    between = (
        f"{measure.headline} is between {ends[0]:g} and {ends[1]:g}"
        if all(map(math.isfinite, ends))
        else measure.headline
    )
    return f"{first} {between}: {'higher' if measure.higher_is_better else 'lower'} is better."


def describe_groups(by: str) -> str:
    """Describe what the items of a group have in common, and how to read the table of the groups."""
    if not by:
        return "A click on a head sorts."
    return (
        f"Items are grouped by {GROUPS.get(by, f'their {by}')}: each row has the values of one group, with how many of its items "
        "were matched. A click on a head sorts; a click on the name of a group lists its items."
    )
