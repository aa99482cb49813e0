"""The presets of taxonomies and graphs: whose numbers can be had, and how they are computed."""

from __future__ import annotations

from goldassay.core.preset import Example, Preset

HEAD = "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix a: <http://a/> . @prefix b: <http://b/> .\n"
PRESETS = (
    Preset(
        name="ollm",
        peer="OLLM's evaluation",
        versions="the code published with the paper of 2024",
        measures=("literal(distinct=true)", "fuzzy(inclusive=true)"),
        reading={"edges": ("rdfs:subClassOf",), "text": "title", "nodes": "linked", "obsolete": "keep"},
        differs=(
            "a cosine equal to the threshold meets; literal counts sets of pairs of texts; without a label the last part of the IRI "
            "counts, with blanks for underscores only"
        ),
        example=Example(
            pred=HEAD + "a:cat rdfs:subClassOf a:pet . b:cat rdfs:subClassOf b:pet . a:dog rdfs:subClassOf a:fish .\n",
            gold=HEAD + "a:cat rdfs:subClassOf a:pet .\n",
            suffix=".ttl",
            clean="literal",
            peer="literal(distinct=true)",
            value="precision",
            numbers=(2 / 3, 0.5),
        ),
    ),
    Preset(
        name="notebook",
        peer="the notebook that scores every triple",
        versions="the one that defines the fuzzy score of triples; its blank nodes change from run to run",
        measures=("literal", "fuzzy"),
        reading={"edges": "all", "text": "iri"},
        differs="every triple is an edge, and IRIs are compared as text",
        example=Example(
            pred=HEAD + "a:cat rdfs:subClassOf a:pet .\n",
            gold=HEAD + "b:cat rdfs:subClassOf b:pet .\n",
            suffix=".ttl",
            clean="literal",
            peer="literal",
            value="f1",
            numbers=(1.0, 0.0),
        ),
    ),
    Preset(
        name="texeval",
        peer="the tool of TExEval (SemEval 2015 and 2016)",
        versions="TExEval_tool_1.0",
        measures=("fowlkes_mallows(convention=texeval)", "literal"),
        differs=(
            "gold's clusters hold the leaves of gold alone and those of the prediction the leaves of either side; taxonomies are cut "
            "no deeper than gold, and a level without any pair has 0; literal recall is the tool's recall"
        ),
        example=Example(
            pred="0\tcat\tpet\n1\tdog\tpet\n",
            gold="0\tcat\tpet\n1\tdog\tpet\n2\tpuppy\tdog\n",
            suffix=".taxo",
            clean="fowlkes_mallows",
            peer="fowlkes_mallows(convention=texeval)",
            value="cumulative",
            numbers=(0.38490017945975047, 0.0),
        ),
    ),
    Preset(
        name="llms4ol-2026",
        peer="the graph similarity of LLMs4OL 2026",
        versions="the definition of 2026, on whole graphs",
        measures=("edges", "edges(terms=string)", "edges(terms=meaning)"),
        differs="terms are matched one to one first: exactly, by rapidfuzz or by meaning, each from 0.9 on",
        example=Example(
            pred="child\tparent\nneighbour\tperson\n",
            gold="child\tparent\nneighbours\tperson\n",
            suffix=".tsv",
            clean="edges",
            peer="edges(terms=string)",
            value="similarity",
            numbers=(0.0, 1.0),
        ),
    ),
)
