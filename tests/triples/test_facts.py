"""Facts that triples support, against a loop over all facts and triples, and broken files of facts."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import goldassay
from goldassay.triples import Facts, TripleSet

pytestmark = pytest.mark.filterwarnings("ignore::goldassay.UndefinedWarning")
NAMES = st.sampled_from(["Oslo", "New York", "York", "the York", "Rome city"])
TRIPLE = st.tuples(NAMES, st.sampled_from(["in", "is_in", "livesNear"]), NAMES)
DOCUMENTS = st.dictionaries(st.sampled_from(["d1", "d2", "d3"]), st.lists(TRIPLE, max_size=4, unique=True), max_size=3)


def write(tmp_path, *records):
    path = tmp_path / "facts.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return str(path)


@given(pred=DOCUMENTS, gold=DOCUMENTS, threshold=st.sampled_from([0.2, 0.436, 0.8]))
def test_facts_against_a_loop(pred, gold, threshold):
    encoder = goldassay.get_encoder("hashing")

    def sentence(triple):
        return " ".join(triple).replace("is_in", "is in").replace("livesNear", "lives Near")

    supported, facts = 0, 0
    for document, some in gold.items():
        for fact in some:
            pairs = (encoder.encode([sentence(fact), sentence(one)]) for one in pred.get(document, []))
            supported += any(float(np.dot(*pair.astype(np.float64))) > threshold for pair in pairs)
            facts += 1
    score = Facts(threshold=threshold).score(
        pred=TripleSet.from_lists(pred), gold=TripleSet.from_lists(gold), encoder=encoder
    )
    assert dict(score.counts) == {"supported": supported, "facts": facts}
    assert score.supported == (supported / facts if facts else 0.0)


def test_facts_of_a_file(tmp_path):
    path = write(tmp_path, {"id": "d", "facts": ["Oslo is in Norway.", "Rome likes pasta."]}, {"id": "e", "facts": []})
    pred = TripleSet.from_lists({"d": [("Oslo", "is in", "Norway")], "e": []})
    score = Facts(facts=path, threshold=0.7).score(pred=pred, gold=pred, encoder="hashing")
    assert score.supported == 0.5
    assert score.signature.fields["facts"]
    assert score.signature.fields["encoder"].startswith("hashing")
    [missed] = score.matching.missed()
    assert (missed.item, missed.counterpart) == ("d: Rome likes pasta.", "d: Oslo | is in | Norway")


def test_of_several_references_the_best_supported_counts(tmp_path):
    path = tmp_path / "gold.jsonl"
    path.write_text('{"id": "d", "references": [[["a", "r", "b"], ["b", "r", "c"]], [["x", "r", "y"]]]}\n')
    gold = goldassay.read(str(path), kind="triples")
    pred = TripleSet.from_lists({"d": [("x", "r", "y")]})
    score = Facts(threshold=0.9).score(pred=pred, gold=gold, encoder="hashing")
    assert (score.supported, score.counts["facts"]) == (1.0, 1)


@pytest.mark.parametrize(
    ("record", "messages"),
    [
        ({"id": "d"}, "no facts"),
        ({"id": "d", "facts": [" "]}, "no facts"),
        ({"id": "z", "facts": ["x"]}, "No document"),
    ],
)
def test_broken_files_of_facts_are_refused(tmp_path, record, messages):
    model = TripleSet.from_lists({"d": [("a", "r", "b")]})
    with pytest.raises(goldassay.InputError, match=messages) as caught:
        Facts(facts=write(tmp_path, record)).score(pred=model, gold=model, encoder="hashing")
    assert caught.value.line == 1
