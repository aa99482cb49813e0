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
        reading={"edges": ("rdfs:subClassOf",), "text": "title"},
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
)
