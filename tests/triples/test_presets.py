"""The presets of scripts against loops over what the scripts are reported to do, on random documents."""

import itertools
import json
import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer
from nltk.tokenize import word_tokenize
from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu
from tests.draws import times

import goldassay
from goldassay.triples import Edc, FullTriples, Pive, Text2kgbench, TripleSet, Webnlg, read_triples_of_documents
from goldassay.triples.measures.scripts import prepare_triple
from goldassay.triples.measures.spans import EMPTY, SCHEMES, count_matched_spans, count_spans, values_of
from goldassay.triples.words import bleu, rouge2, sentence_of, tokens

pytestmark = pytest.mark.filterwarnings("ignore::goldassay.UndefinedWarning")

NAMES = st.sampled_from(["Oslo", "New_York", "New York", "new york (city)", "the York", "Ångström", "A.B. C!", "1.5"])
PREDICATES = st.sampled_from(["locatedIn", "located_in", "located in", "near"])
TRIPLE = st.tuples(NAMES, PREDICATES, NAMES)
SOME = st.lists(TRIPLE, max_size=4)
IDS = st.sampled_from(["d1", "d2", "d3"])


def side(documents):
    return TripleSet.from_lists(documents)


def pairs_of(pred, gold):
    names = [*gold, *(name for name, triples in pred.items() if triples and name not in gold)]
    return [(pred.get(name, []), gold.get(name, [])) for name in names]


def best_order(ours, theirs, scheme_values):
    """Try all orders of the candidates next to the references, and keep the first that is best."""
    size = max(len(ours), len(theirs))
    ours, theirs = ([*some, *[EMPTY] * (size - len(some))] for some in (ours, theirs))
    worth = {
        pair: math.fsum(scheme_values(*pair, scheme)[2] for scheme in SCHEMES) / 4
        for pair in itertools.product(theirs, ours)
    }
    orders = list(itertools.permutations(theirs))
    best = max(orders, key=lambda order: sum(worth[pair] for pair in zip(order, ours, strict=True)))
    return list(zip(best, ours, strict=True))


@given(pred=st.dictionaries(IDS, SOME, max_size=3), gold=st.dictionaries(IDS, SOME, max_size=3), edc=st.booleans())
def test_webnlg_and_edc_are_means_over_the_best_order(pred, gold, edc):
    def values(reference, candidate, scheme):
        return values_of(count_spans(np.array([count_matched_spans(reference, candidate)]), scheme))[0].tolist()

    found = {scheme: [] for scheme in SCHEMES}
    for ours, theirs in pairs_of(pred, gold):
        sides = ([prepare_triple(triple, ascii_only=edc) for triple in some] for some in (ours, theirs))
        for pair in best_order(*sides, values):
            for scheme in SCHEMES:
                found[scheme].append(values(*pair, scheme))
    for scheme in SCHEMES:
        score = (Edc if edc else Webnlg)(mode=scheme).score(pred=side(pred), gold=side(gold))
        # Several orders can be equally good and differ in precision and recall; F1 over all schemes does not.
        assert score.counts["pairs"] == len(found[scheme])
    total = sum(
        (Edc if edc else Webnlg)(mode=scheme).score(pred=side(pred), gold=side(gold)).counts["sum_f1"]
        for scheme in SCHEMES
    )
    assert total == pytest.approx(math.fsum(value[2] for some in found.values() for value in some))


# No word is in two slots, nor in two names, so that a slot is right, longer, shorter or another.
SLOT_NAMES = (
    ("alpha beta gamma", "delta", "epsilon zeta"),
    ("in", "is near"),
    ("eta theta iota kappa", "lambda", "mu nu"),
)


def cut(name):
    words = name.split()
    return st.sampled_from([name, f"{name} more", *(" ".join(words[:size]) for size in range(1, len(words)))])


PLAIN_GOLD = st.lists(st.tuples(*map(st.sampled_from, SLOT_NAMES)), max_size=3)
PLAIN_PRED = st.lists(st.tuples(*(st.sampled_from(names).flatmap(cut) for names in SLOT_NAMES)), max_size=3)


def slot_by_definition(reference, candidate):
    """Say of one slot how many spans are the same, and overlap; how many of gold matched nothing, and of the prediction."""
    here, there = reference.split(), candidate.split()
    if not here or not there:
        return 0, 0, bool(here), bool(there)
    if here[0] != there[0]:
        return 0, 0, 1, 1
    if here == there:
        return 1, 0, 0, 0
    # The spans of a longer one end at its last word; of a shorter one at its own, and again at each word but the last that
    # is missing. An overlap leaves the last word of both out.
    ends = [len(there) - 1] if len(there) > len(here) else range(len(there) - 1, len(here) - 1)
    overlaps = sum(min(end, len(here) - 1) > 0 for end in ends)
    return 0, overlaps, not overlaps, len(ends) - overlaps


def values_by_definition(reference, candidate, scheme):
    slots = [slot_by_definition(one, other) for one, other in zip(reference, candidate, strict=True)]
    same, overlaps, missed, spurious = map(sum, zip(*slots, strict=True))
    right = same + overlaps * {"strict": 0, "exact": 0, "partial": 0.5, "ent_type": 1}[scheme]
    matched = same + overlaps
    precision, recall = (right / (matched + rest) if matched + rest else 0.0 for rest in (spurious, missed))
    return precision, recall, 2 * precision * recall / (precision + recall) if precision + recall else 0.0


@times(3)
@given(pred=st.dictionaries(IDS, PLAIN_PRED, max_size=2), gold=st.dictionaries(IDS, PLAIN_GOLD, max_size=2))
def test_webnlg_where_slots_are_right_longer_shorter_or_others(pred, gold):
    pairs = [pair for sides in pairs_of(pred, gold) for pair in best_order(*sides, values_by_definition)]
    found = {scheme: Webnlg(mode=scheme).score(pred=side(pred), gold=side(gold)) for scheme in SCHEMES}
    expected = {scheme: [values_by_definition(*pair, scheme)[2] for pair in pairs] for scheme in SCHEMES}
    assert {score.counts["pairs"] for score in found.values()} == {len(pairs)}
    total = math.fsum(score.counts["sum_f1"] for score in found.values())
    assert total == pytest.approx(math.fsum(itertools.chain(*expected.values())))


@pytest.mark.parametrize("scheme", SCHEMES)
@given(gold=PLAIN_GOLD.filter(bool).map(lambda some: some[:1]), pred=PLAIN_PRED.filter(bool).map(lambda some: some[:1]))
def test_webnlg_of_one_pair_of_triples(scheme, gold, pred):
    score = Webnlg(mode=scheme).score(pred=side({"d": pred}), gold=side({"d": gold}))
    assert tuple(score.values.values()) == pytest.approx(values_by_definition(gold[0], pred[0], scheme))


@given(pred=st.dictionaries(IDS, SOME, max_size=3), gold=st.dictionaries(IDS, SOME, max_size=3))
def test_full_triples_are_means_over_distinct_triples(pred, gold):
    pairs = [tuple({" | ".join(triple).lower() for triple in some} for some in pair) for pair in pairs_of(pred, gold)]
    rows = []
    for triple in sorted(set().union(*(one | other for one, other in pairs))):
        hits = sum(triple in one and triple in other for one, other in pairs)
        counts = [sum(triple in pair[place] for pair in pairs) for place in (0, 1)]
        precision, recall = (hits / count if count else 0.0 for count in counts)
        rows.append((precision, recall, 2 * precision * recall / (precision + recall) if precision + recall else 0.0))
    expected = [math.fsum(column) / len(rows) for column in zip(*rows, strict=True)] or [0.0] * 3
    score = FullTriples().score(pred=side(pred), gold=side(gold))
    assert list(score.values.values()) == pytest.approx(expected)


TEXTS = st.sampled_from(["Oslo is in Norway.", "New York (city) was located in the Yorks, 1.5 miles.", ""])
ONTOLOGY = {
    "concepts": [{"qid": "Q1", "label": "big city"}, {"qid": "Q2", "label": "river"}],
    "relations": [{"label": "located in", "domain": "Q1", "range": ""}, {"label": "near", "domain": "", "range": ""}],
}


def stems(text):
    words = (PorterStemmer().stem(word) for word in word_tokenize(text, preserve_line=True))
    return "".join("".join(words).split()).replace("_", "").lower()


@given(pred=st.dictionaries(IDS, SOME, max_size=3), gold=st.dictionaries(IDS, SOME, min_size=1, max_size=3), text=TEXTS)
def test_text2kgbench_sentence_by_sentence(pred, gold, text, tmp_path_factory):
    ontology = tmp_path_factory.mktemp("ontology") / "o.json"
    ontology.write_text(json.dumps(ONTOLOGY))
    model = TripleSet.from_lists(gold, texts=dict.fromkeys(gold, text))
    score = Text2kgbench(ontology=str(ontology)).score(pred=side(pred), gold=model)

    def key(triple):
        return "".join("".join(slot.replace("_", "").split()).lower() for slot in triple)

    rows = []
    ground = stems(text + "big city river")
    for name, theirs in gold.items():
        if name not in pred:
            rows.append((0.0,) * 7)
            continue
        ours = pred[name]
        relations = {triple[1].replace(" ", "_") for triple in theirs}
        kept, wanted = {key(triple) for triple in ours if triple[1] in relations}, {key(triple) for triple in theirs}
        precision, recall = (len(kept & wanted) / len(some) if kept and wanted else 0.0 for some in (kept, wanted))
        f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
        if not ours:
            rows.append((precision, recall, f1, 1.0, 0.0, 0.0, 0.0))
            continue
        known = sum(triple[1] in {"located_in", "near"} for triple in ours) / len(ours)
        missing = [sum(stems(triple[slot]) not in ground for triple in ours) / len(ours) for slot in (0, 2)]
        rows.append((precision, recall, f1, known, 1 - known, *missing))
    expected = [math.fsum(column) / len(gold) for column in zip(*rows, strict=True)]
    assert list(score.values.values()) == pytest.approx(expected)


SENTENCES = st.lists(st.sampled_from(["rome", "big", "is", ";", "in", ";italy", "countries", "3"]), max_size=9).map(
    " ".join
)


@given(candidate=SENTENCES, reference=SENTENCES)
def test_bleu_is_that_of_nltk(candidate, reference):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        here, there = (list(tokens(text)) for text in (candidate, reference))
        expected = sentence_bleu([there], here, smoothing_function=SmoothingFunction().method1)
    assert bleu(candidate, reference) == pytest.approx(float(expected), rel=1e-12)


@given(candidate=SENTENCES, reference=SENTENCES)
def test_rouge_counts_pairs_of_neighbouring_stems(candidate, reference):
    def bigrams(text):
        kept = "".join(letter if letter.isalnum() else " " for letter in text.lower()).split()
        stemmed = [PorterStemmer().stem(word) if len(word) > 3 else word for word in kept]
        return list(itertools.pairwise(stemmed))

    ours, theirs = bigrams(candidate), bigrams(reference)
    left = list(theirs)
    common = 0
    for pair in ours:
        if pair in left:
            left.remove(pair)
            common += 1
    assert rouge2(candidate, reference, ascii_only=True) == (common / max(len(ours), 1), common / max(len(theirs), 1))


@given(pred=st.dictionaries(IDS, SOME, max_size=2), gold=st.dictionaries(IDS, SOME, max_size=2))
def test_pive_graph_by_graph(pred, gold):
    pairs = pairs_of(pred, gold)
    sums = {name: [] for name in ("g_bleu", "g_rouge")}
    matched, sizes = 0, 0
    for ours, theirs in pairs:
        here, there = ({tuple(slot.lower().strip() for slot in one) for one in some} for some in (ours, theirs))
        matched, sizes = matched + len(here & there), sizes + len(here) + len(there)
        lines = [[sentence_of(triple) for triple in some] for some in (ours, theirs)]
        for name, alike in (("g_bleu", bleu), ("g_rouge", lambda one, other: rouge2(one, other, ascii_only=True)[0])):
            short, long = sorted(lines, key=len)
            swapped = short is not lines[0]
            totals = [
                math.fsum(alike(b, a) if swapped else alike(a, b) for a, b in zip(short, order, strict=True))
                for order in itertools.permutations(long, len(short))
            ]
            best = max(totals, default=0.0)
            precision, recall = (best / len(some) if some else math.nan for some in lines)
            both = precision + recall
            sums[name].append((precision, recall, 2 * precision * recall / both if both > 0 else 0.0))
    score = Pive().score(pred=side(pred), gold=side(gold))
    assert score.triple_match_f1 == pytest.approx(2 * matched / sizes if sizes else 0.0)
    for name, rows in sums.items():
        found = [score.values[f"{name}_{share}"] for share in ("precision", "recall", "f1")]
        expected = [sum(column) / len(rows) for column in zip(*rows, strict=True)] or [0.0] * 3
        assert found == pytest.approx(expected, nan_ok=True)


def test_edc_leaves_out_what_cannot_be_read_with_its_gold(tmp_path):
    pred, gold = tmp_path / "pred.txt", tmp_path / "gold.txt"
    gold.write_text("[['a', 'r', 'b']]\n[['c', 'r', 'd']]\n[['e', 'r', 'f']]\n")
    pred.write_text("[['a', 'r', 'b']]\nnothing\n[['e', 'r', 3]]\n")
    sides = {"pred": read_triples_of_documents(pred), "gold": read_triples_of_documents(gold)}
    assert Edc().score(**sides).f1 == 1.0
    assert Edc().score(**sides).counts["pairs"] == 1
    assert goldassay.triples.TripleF1().score(**sides).recall == 1 / 3
    assert np.isclose(Edc(max_length_diff=0).score(**sides).f1, 1.0)
