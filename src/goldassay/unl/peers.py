"""The presets of UNL and of sentences: whose numbers can be had, and how they are computed."""

from __future__ import annotations

from goldassay.core.preset import Example, Preset

PRESETS = (
    Preset(
        name="unl-wiki",
        peer="the F-measure of the UNL wiki for graphs, as its page has it now",
        versions="revision 15085; that of April 2013 is the definition, that of 2012 is discrepancy(profile=2012)",
        measures=("discrepancy(profile=latest)",),
        differs="a graph is correct below an overall discrepancy of 0.3 instead of 0.5",
        example=Example(
            pred="[S:1]{unl}agt(sleep(icl>do).@entry.@past.@not, cat(icl>animal)){/unl}[/S]\n",
            gold="[S:1]{unl}agt(sleep(icl>do).@future.@progressive.@polite, cat(icl>animal)){/unl}[/S]\n",
            suffix=".unl",
            clean="discrepancy",
            peer="discrepancy(profile=latest)",
            value="f1",
            numbers=(1.0, 0.0),
        ),
    ),
)
SENTENCE_PRESETS = (
    Preset(
        name="unl-wiki-sentences",
        peer="the F-measure of the UNL wiki for texts, as its page has it now",
        versions="revision 15085; those of 2012 and 2013 have the definition",
        measures=("levenshtein(profile=latest)",),
        differs="counts exceeding and missing words over the words of both texts, and no characters",
        example=Example(
            pred="id\ttext\n1\tA cat sleeps.\n",
            gold="id\ttext\n1\tThe cat sleeps.\n",
            clean="levenshtein",
            peer="levenshtein(profile=latest)",
            value="f1",
            numbers=(1.0, 0.0),
        ),
    ),
)
