"""What the help beside each heading of the page says: what is this, and how to read it."""

from __future__ import annotations

from collections.abc import Mapping

HELP: Mapping[str, str] = {
    "scores": (
        "One row per system, the best first. The dot is the score, the line its interval: the values that other samples of "
        "the same size would plausibly give. A band is what chance gives, a tick what people reach among themselves. Where "
        "systems were tested, the last column says how far each is from the one it was tested against, and whether that may be chance."
    ),
    "values": (
        "All values of each measure, the best in bold; intervals are in brackets. A star marks a value that differs "
        "significantly from that of the system it was tested against."
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
        "a row to see it beside its counterpart here and in the other views; the address of the page keeps the choice."
    ),
    "tree": (
        "A node stands below each of its parents, with the verdict on that edge. The numbers behind a node are hits and all "
        "edges of its whole branch. Choose a node to mark its edge and the best counterpart in both trees. Arrow keys move "
        "and fold, Enter chooses."
    ),
    "map": (
        "Every edge is a cell, inside the rectangle of its branch; the area of a branch is its number of edges. So a region in "
        "the colour of what was missed is a part of the hierarchy that the prediction lacks. Choose a cell to mark its edge in the "
        "other views. Ctrl and the wheel, or the buttons, zoom; dragging moves."
    ),
    "texts": (
        "Each text beside that of gold. Marked spans are hit, partly hit, missed or invented; "
        "choose one to see its counterpart in the other text."
    ),
    "diagrams": "The graph of gold and the predicted one. Dashed lines are what the other graph does not have.",
    "files": "What was read, how it was understood, and what was left out of the score.",
    "reproduce": (
        "A signature names the measure with all its parameters, and everything else that can change the value. "
        "Two scores with the same signature can be compared; quote it with the number."
    ),
}
