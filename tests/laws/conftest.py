"""Random models of every family for the law tests: how to make one, and how to change it without changing its meaning."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import strategies as st

import goldassay
from goldassay.alignments import Alignment
from goldassay.axioms import Axioms
from goldassay.axioms.spelling import Spelling
from goldassay.concepts import Concepts
from goldassay.concepts.model import Mention, lay_out
from goldassay.core.parameters import parameters_of
from goldassay.families import families
from goldassay.graphs import Graph
from goldassay.labels import Labels
from goldassay.triples import TripleSet
from goldassay.unl import Texts, document_of

WORDS = ["cat", "cats", "dog", "a dog", "animal", "animals", "plant", "violin", "leukemia", "leukaemia"]


@dataclass(frozen=True)
class Laboratory:
    """How the law tests handle one family.

    A raw model is a plain list of records.

    Attributes:
        records: Random raw models.
        some: One raw model that is not empty.
        build: Makes the model of a raw one.
        rename: Makes the model of a raw one, with other identifiers that mean the same.
    """

    records: st.SearchStrategy[list[Any]]
    some: list[Any]
    build: Callable[[list[Any]], Any]
    rename: Callable[[list[Any]], Any]


def _renamed_graph(edges: list[tuple[str, str]]) -> Graph:
    nodes = {text for edge in edges for text in edge}
    return Graph.from_edges(
        [(f"urn:x:{a}", f"urn:x:{b}") for a, b in edges], texts={f"urn:x:{text}": text for text in nodes}
    )


GRAPHS = [
    "agt(kill(icl>do):01.@past, Peter(iof>person):02)",
    "agt(kill(icl>do):01.@past, Peter(iof>person):02) obj(kill(icl>do):01, Mary:03)",
    "obj(say(icl>do).@entry, :01) agt:01(come(icl>do), John(iof>person))",
    "mod(book(icl>document).@pl, 301436003)",
]
PROSE = ["The cat sleeps.", "A cat sleeps.", "The dog barks at night.", "Cats"]


def _numbered(items):
    # Rows are numbered, as sentences of the two sides answer each other by id.
    return st.lists(st.sampled_from(items), max_size=6).map(
        lambda some: [(str(row), one) for row, one in enumerate(some)]
    )


def _document(records: list[tuple[str, str]]) -> Any:
    return document_of("".join(f"[S:{key}] {graph} [/S]" for key, graph in dict.fromkeys(records)))


def _texts(records: list[tuple[str, str]]) -> Texts:
    unique = dict(list(dict.fromkeys(records)))
    return Texts(ids=tuple(unique), wordings=tuple((text,) for text in unique.values()))


# Coverage of a section that neither side has is 0/0, so that a perfect score needs one axiom of each kind.
ONE_OF_EACH_KIND = [
    ("cat", "eats", "fish", "object"),
    ("cat", "name", "xsd:string", "datatype"),
    ("cat", "subClassOf", "animal", "subclass"),
]
PROPERTIES = [("eats", "object"), ("likes", "object"), ("name", "datatype"), ("subClassOf", "subclass")]
AXIOM = st.tuples(st.sampled_from(WORDS), st.sampled_from(PROPERTIES), st.sampled_from(WORDS)).map(
    lambda drawn: (drawn[0], drawn[1][0], drawn[2], drawn[1][1])
)


def _respelt_axioms(rows: list[tuple[str, str, str, str]]) -> Axioms:
    shouted = [(*(f"{name.upper()}(key)" for name in row[:3]), row[3]) for row in rows]
    return Axioms.from_rows(shouted, spelling=Spelling(fold_case=True, strip_key=True))


# A source without a counterpart is in every alignment, as a rejection rate needs one; and no two names are alike, as
# nothing else is left of a residual.
CORRESPONDENCE = st.tuples(
    st.sampled_from(WORDS),
    st.sampled_from(["chat", "chien", "plante", "violon"]),
    st.sampled_from(["=", "=", "<", ">", "~"]),
    st.sampled_from([0.25, 0.5, 0.5, 1.0]),
)
NOTHING_LIKE_IT = ("unicorn", None, "=", 1.0)


def _self_consistent(rows):
    # A model ranks itself perfectly if it gives every source one target: the relations and scores of the first.
    return list({row[0]: row for row in rows}.values())


# Near misses are found in the hierarchies.
SOURCES = [("cats", "cat"), ("cat", "animal"), ("dog", "animal"), ("animal", "animals"), ("plant", "animals")]
TARGETS = [("chat", "chien"), ("chien", "violon")]


def _alignment(rows, source=str, target=str):
    return Alignment.from_rows(
        [(source(s), t and target(t), r, score) for s, t, r, score in rows],
        source_edges=[(source(child), source(parent)) for child, parent in SOURCES],
        target_edges=[(target(child), target(parent)) for child, parent in TARGETS],
    )


def _renamed_alignment(rows: list[tuple[str, str | None, str, float]]) -> Alignment:
    return _alignment(rows, lambda name: f"http://x/{name.replace(' ', '_')}", lambda name: f"http://y/{name}")


def _documents(records: list[tuple[str, str]]) -> Concepts:
    lists: dict[str, list[Mention]] = {}
    for document, concept in records:
        lists.setdefault(document, []).append(Mention(concept, concept, concept, kinds="T047"))
    return lay_out([(document, "", found) for document, found in lists.items()])


TRIPLE = st.tuples(
    st.sampled_from(["d1", "d2", "d3"]),
    st.sampled_from(WORDS),
    st.sampled_from(["eats", "is a"]),
    st.sampled_from(WORDS),
)


def _triples(records: list[tuple[str, str, str, str]]) -> TripleSet:
    documents: dict[str, list[tuple[str, str, str]]] = {}
    for document, *triple in records:
        documents.setdefault(document, []).append((triple[0], triple[1], triple[2]))
    # What a document says is in its text.
    return TripleSet.from_lists(documents, texts=dict.fromkeys(documents, " ".join(WORDS)))


TREE = [
    ("cat", "feline"),
    ("lion", "feline"),
    ("feline", "animal"),
    ("dog", "animal"),
    ("pet", "animal"),
    ("cat", "pet"),
]
LABEL = st.tuples(
    st.sampled_from(["i1", "i2", "i3"]),
    st.sampled_from(["animal", "cat", "dog", "feline", "lion", "pet"]),
    st.sampled_from([0.8, 0.9, 1.0]),
)


def _once(rows):
    # A label of an instance has one score.
    return list({row[:2]: row for row in rows}.values())


def _labels(rows, called=str):
    edges = [(called(child), called(parent)) for child, parent in TREE]
    return Labels.from_rows([(f"{called('')}{i}", called(label), score) for i, label, score in rows], edges=edges)


LABORATORIES = {
    "taxonomy": Laboratory(
        records=st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(WORDS)), max_size=8),
        some=[("cat", "animal")],
        build=Graph.from_edges,
        rename=_renamed_graph,
    ),
    "unl": Laboratory(
        records=_numbered(GRAPHS),
        some=[("0", GRAPHS[0])],
        build=_document,
        rename=lambda records: _document([(key, graph.replace(":01", ":0A")) for key, graph in records]),
    ),
    "sentences": Laboratory(
        records=_numbered(PROSE),
        some=[("0", PROSE[0])],
        build=_texts,
        rename=lambda records: _texts([(f"x{key}", text) for key, text in records]),
    ),
    "alignment": Laboratory(
        records=st.lists(CORRESPONDENCE, max_size=8).map(
            lambda rows: [*_self_consistent(rows), NOTHING_LIKE_IT] if rows else []
        ),
        some=[("cat", "chat", "=", 1.0), NOTHING_LIKE_IT],
        build=_alignment,
        rename=_renamed_alignment,
    ),
    "axioms": Laboratory(
        records=st.lists(AXIOM, max_size=6).flatmap(
            lambda rows: (
                st.sampled_from([[], ONE_OF_EACH_KIND + rows]) if not rows else st.just(ONE_OF_EACH_KIND + rows)
            )
        ),
        some=ONE_OF_EACH_KIND,
        build=Axioms.from_rows,
        rename=_respelt_axioms,
    ),
    "triples": Laboratory(
        records=st.lists(TRIPLE, max_size=8),
        some=[("d1", "cat", "is a", "animal")],
        build=_triples,
        rename=lambda records: _triples([(f"urn:{document}", *triple) for document, *triple in records]),
    ),
    "labels": Laboratory(
        records=st.lists(LABEL, max_size=8).map(_once),
        some=[("i1", "cat", 1.0), ("i2", "dog", 1.0)],
        build=_labels,
        rename=lambda rows: _labels(rows, called=lambda name: f"urn:x:{name}"),
    ),
    "concepts": Laboratory(
        records=st.lists(st.tuples(st.sampled_from(["q1", "q2", "q3"]), st.sampled_from(WORDS)), max_size=12),
        some=[("q1", "cat")],
        build=_documents,
        rename=lambda records: _documents([(f"urn:{document}", concept) for document, concept in records]),
    ),
}


@pytest.fixture(scope="session")
def laboratories() -> dict[str, Laboratory]:
    """One laboratory a family."""
    return LABORATORIES


def others(declared):
    """Give values that a parameter may have besides its default: every choice, and two numbers."""
    if declared.choices:
        return [choice for choice in declared.choices if not declared.is_default(choice)]
    if declared.kind is bool:
        return [not declared.default]
    if declared.kind in (float, float | None):
        low, high = declared.bounds or (0.0, 1.0)
        return [max(low, 0.3), min(high, 0.75)]
    if declared.kind in (int, int | None):
        return [1, 3]
    return []


COMPANIONS = {"literal": {"relation": "fuzzy"}, "closure": {"by": "meaning"}, "edges": {"terms": "meaning"}}


def variants_of(measure):
    """Give a measure at its defaults, and with one parameter changed at a time."""
    found = [measure()]
    for name, declared in parameters_of(measure).items():
        for value in others(declared):
            try:
                found.append(measure(**{name: value}))
            except goldassay.UsageError:
                # Such a value is of no effect unless another parameter is changed too.
                found.append(measure(**{name: value}, **COMPANIONS.get(measure.name, {"names": "fuzzy"})))
    return list(dict.fromkeys(found))


# It needs a language model, which does not come with the library; tests/triples/test_g_bertscore.py has one of words.
MODELLED = {"g_bertscore"}
MEASURES = [
    measure for family in families().values() for measure in family.measures.classes if measure.name not in MODELLED
]
VARIANTS = [one for measure in MEASURES for one in variants_of(measure)]
# It needs weights of minilm, or ids on every concept, which random models do not have; or a process for every draw.
LEFT_OUT = (("pooled", True), ("ids", "required"), ("reasoner", "hermit"))
RUN = [one for one in VARIANTS if not any(getattr(one, name, None) == value for name, value in LEFT_OUT)]
# These reach the numbers of published scripts, which duplicates, order, empty answers or a reference's own spelling move.
SCRIPTS = {"webnlg", "edc", "text2kgbench", "pive"}
LAWFUL = [measure for measure in MEASURES if measure.name not in SCRIPTS]
SWEPT = [measure for measure in MEASURES if any(type(one) is measure and one.cut for one in RUN)]


NAMED = {
    "declared": MEASURES,
    "variants": [st.sampled_from([one for one in RUN if type(one) is measure]) for measure in MEASURES],
    "lawful": [st.sampled_from([one for one in RUN if type(one) is measure]) for measure in LAWFUL],
    "each": [[one for one in RUN if type(one) is measure] for measure in MEASURES],
    "summing": [one for one in RUN if one.sums_over_records],
    "swept": [st.sampled_from([one for one in RUN if type(one) is measure and one.cut]) for measure in SWEPT],
    "unswept": [[one for one in RUN if type(one) is measure and not one.swept] for measure in MEASURES],
}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a law for every measure that it names.

    ``declared`` is a class of measures, ``variants`` draws one of its variants, and ``each`` lists them, as a test for each of
    five hundred takes longer to set up than to run;
    ``lawful`` draws variants too, of all measures but the presets of scripts;
    ``swept`` those with a threshold, ``summing`` are those whose counts sum over records, and ``unswept`` those without a threshold.
    """
    for name, measures in NAMED.items():
        if name in metafunc.fixturenames:
            classes = {"variants": MEASURES, "each": MEASURES, "unswept": MEASURES, "lawful": LAWFUL, "swept": SWEPT}
            known = classes.get(name, measures)
            metafunc.parametrize(
                name, measures, ids=[getattr(one, "name", "") if isinstance(one, type) else str(one) for one in known]
            )
