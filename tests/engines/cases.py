"""Random tables of every family, with ties, duplicates and odd texts; and what must be the same on every engine."""

import random
import warnings

import polars as pl

import goldassay

OPTIONS = {
    "taxonomy": ({}, {"text": "name"}, {"text": "iri"}, {"text": "title"}, {"edges": "all"}),
    "alignment": ({}, {"relations": ("=", "<")}),
    "axioms": ({}, {"fold_case": True}, {"strip_key": True}, {"text": "iri"}),
    "triples": ({}, {"normalise": "case,underscores"}, {"unit": "corpus"}),
    "concepts": ({}, {"fold": True}),
}
MEASURES = {
    "taxonomy": ["literal", "literal(distinct=true)", "literal(relation=exact)"],
    "alignment": [
        "overlap",
        "overlap(relation=graded)",
        "overlap(relation=exact, duplicates=count)",
        "overlap(threshold=0.5)",
        "overlap(threshold=0.5, duplicates=count)",
        "overlap(relation=graded, threshold=0.5)",
        "overlap(unjudged=count)",
        "overlap(unjudged=keep)",
        "overlap(relation=exact, unjudged=keep)",
        "jaccard",
        "hit_at_k(k=1)",
        "hit_at_k(k=5)",
        "mrr",
        "mrr(typed=true)",
        "mrr(filtered=true)",
        "mrr(ties=optimistic, duplicates=count)",
        "mrr(ties=pessimistic)",
        "mrr(ties=pessimistic, filtered=true)",
        "mrr(unjudged=count)",
        "mrr(unjudged=keep)",
    ],
    "axioms": ["exact", "coverage"],
    "triples": ["triples", "triples(average=macro)", "triples(average=macro, undefined=nan)"],
    "concepts": ["concept_exact", "concept_exact(average=micro)", "concept_exact(undefined=1)"],
}
NAMING = (
    "document without a",
    "documents without a",
    "both a class and",
    "is not a known relation",
    "skipped line ",
    "skipped: ",
    "break in a cell",
)
"""Parts of notes that name single items or lines, which no engine makes."""
NODES = (
    "http://a/X1_y",
    "n1",
    "n2",
    "cafe\u0301",
    "caf\u00e9",
    "GO:5",
    " n1 ",
    "\u2003n2",
    "http://b#tripleNegative",
    "Triple negative",
)
NAMES = ("http://a/b#X", "X", "x", "hasY(key)", "http://c/Z", "Z", "name ", "rdfs:subClassOf")
WORDS = ("a b", "a  b", "A_b", "cafe\u0301", "caf\u00e9", "x", "y ", "\tz")
CONCEPTS = ("Heart attack", "heart  attack", "heart attacks", "aspirin", "caf\u00e9", "cafe\u0301")


def taxonomy(r, size):
    words = ("subClassOf", "narrower", "eats", "http://www.w3.org/2000/01/rdf-schema#subClassOf")
    rows = [(r.choice(NODES), r.choice(words), r.choice(NODES)) for _ in range(size)]
    frame = pl.DataFrame(rows, schema=["subject", "predicate", "object"], orient="row")
    return frame if r.random() < 0.5 else frame.drop("predicate").rename({"subject": "child", "object": "parent"})


def alignment(r, size):
    def score():
        return r.choice([0.1, 0.5, 0.5, 0.9, round(r.random(), 6)])

    ends = ("UnMatched", " http://b/1", "http://b/2", *(f"http://b/{number}" for number in range(12)))
    rows = [(f"http://a/{r.randrange(20)}", r.choice(ends), r.choice("=<>~%?"), score()) for _ in range(size)]
    frame = pl.DataFrame(rows, schema=["source", "target", "relation", "score"], orient="row")
    return frame if r.random() < 0.6 else frame.drop("relation")


def axioms(r, size):
    words = {"hasY": "object", "subClassOf": "subclass", "name": "datatype", "rdfs:subClassOf": "subClassOf"}
    rows = [(r.choice(NAMES), r.choice([*words]), r.choice(NAMES)) for _ in range(size)]
    frame = pl.DataFrame(rows, schema=["class", "property", "object"], orient="row")
    return frame if r.random() < 0.5 else frame.with_columns(kind=frame["property"].replace_strict(words))


def triples(r, size):
    rows = [(f"d{r.randrange(6)}", r.choice(WORDS), r.choice("pq"), r.choice(WORDS)) for _ in range(size)]
    rows += [(f"d{number}", None, None, None) for number in (2, 9)]
    return pl.DataFrame(rows, schema=dict.fromkeys(("id", "subject", "predicate", "object"), pl.String), orient="row")


def concepts(r, size):
    start = r.randrange(3)
    lists = [[r.choice(CONCEPTS) for _ in range(r.randrange(4))] for _ in range(size // 4)]
    return pl.DataFrame({"id": [f"d{start + row}" for row in range(len(lists))], "concepts": lists})


TABLES = {"taxonomy": taxonomy, "alignment": alignment, "axioms": axioms, "triples": triples, "concepts": concepts}


def agree(pred, gold, kind, measures, *, engine, here=None, spark_remote=None, **options):
    """Score here, unless that was done, and on an engine, and compare to the last bit; return both reports."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        here = here or goldassay.evaluate(pred, gold=gold, kind=kind, measures=measures, **options)
        there = goldassay.evaluate(
            pred, gold=gold, kind=kind, measures=measures, engine=engine, spark_remote=spark_remote, **options
        )
    _compare_sides(here.gold, there.gold)
    for one, other in zip(here.runs, there.runs, strict=True):
        _compare_sides(one.pred, other.pred)
        _compare_scores(one, other)
    return here, there


def _compare_scores(here, there):
    for one, other in zip(here.scores, there.scores, strict=True):
        assert dict(other.counts) == dict(one.counts), (here.label, one.spec)
        assert repr(other.values) == repr(one.values)
        assert other.bounds == one.bounds
        assert str(other.signature) == str(one.signature)


def _compare_sides(here, there):
    assert len(there) == len(here)
    assert dict(there.left_out) == dict(here.left_out)
    assert there.choices == here.choices
    assert sorted(there.notes) == sorted(note for note in here.notes if not any(part in note for part in NAMING))


def drawn(kind, seed, size=60):
    """Draw two tables of a family."""
    r = random.Random(seed)  # noqa: S311 - it draws tables
    return TABLES[kind](r, size), TABLES[kind](r, size * 2 // 3)
