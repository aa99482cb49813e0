"""The laws of chance: a null model is held against a measure only where it can change the score."""

from dataclasses import replace

import numpy as np
import pytest

import goldassay
from goldassay.core.context import Context
from goldassay.core.counts import Division
from goldassay.families import families

ENCODER = goldassay.get_encoder("hashing")
pytestmark = pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")

WORDS = ["cat", "dog", "animal", "plant", "violin", "leukemia"]
VERBS = ["go", "eat", "see", "kill", "say", "be"]
LABELS = ["animal", "cat", "dog", "feline", "lion", "pet"]
MARKS = ["past", "future", "entry"]
TARGETS = ["chat", "chien", "plante", "violon", "poule", "vache"]
DOCUMENTS = [f"d{number}" for number in range(6)]


def _some(rng, *choices):
    return list(dict.fromkeys(tuple(str(rng.choice(one)) for one in choices) for _ in range(30)))


def _ranked(rng):
    # Each source has three candidates, each by two relations; one of them is right.
    pairs = [(word, str(one)) for word in WORDS for one in rng.permutation(TARGETS)[:3]]
    return [(*pair, relation, float(rng.random())) for pair in pairs for relation in "=<"]


RICH = {
    "taxonomy": lambda rng: [(f"n{node}", f"n{rng.integers(max(0, node - 4), node)}") for node in range(1, 14)],
    "alignment": _ranked,
    "axioms": lambda rng: [(*row, "object") for row in _some(rng, WORDS, VERBS, WORDS)],
    "labels": lambda rng: [(*row, 1.0) for row in _some(rng, DOCUMENTS, LABELS)],
    "unl": lambda rng: [
        (str(place), "agt({}(icl>do).@{}, {})".format(*row))
        for place, row in enumerate(_some(rng, VERBS, MARKS, WORDS))
    ],
    "sentences": lambda rng: [(str(place), " ".join(row)) for place, row in enumerate(_some(rng, WORDS, WORDS))],
    "triples": lambda rng: _some(rng, DOCUMENTS, WORDS, VERBS, WORDS),
    "concepts": lambda rng: _some(rng, DOCUMENTS, WORDS),
}
"""Records with several documents, ranked lists, and names that occur with different others."""


def with_texts(triples):
    """Give each document a text that has its first triple only."""
    texts = [" ".join(triples.item(int(row)).split(": ")[1].split(" | ")) for row in triples.starts[:-1]]
    return replace(triples, texts=np.array(texts, dtype=triples.texts.dtype))


def scored(measure, pred, gold):
    """Give the values and the items of a prediction."""
    matching = measure.match(pred=pred, gold=gold, context=Context(encoder=ENCODER))
    items = sorted(map(matching.pred_items.item, range(len(matching.pred_items))))
    values = measure.divide(measure.count(matching), Division(measure.undefined))
    return {name: float(value) for name, value in values.items()}, items


def is_changed(measure, null, pred, gold, *, items=False):
    rng, (values, known) = np.random.default_rng(1), scored(measure, pred, gold)
    for _ in range(12):
        drawn, others = scored(measure, null.draw(pred, gold, rng), gold)
        if drawn != pytest.approx(values, nan_ok=True) or (items and others != known):
            return True
    return False


def family_of(measure):
    return next(one for one in families().values() if measure in one.measures.classes)


def test_a_null_model_that_fits_a_measure_can_change_its_score(declared, laboratories):
    family, rng = family_of(declared), np.random.default_rng(5)
    build = laboratories[family.kind].build
    pred, gold = (build(RICH[family.kind](rng)) for _ in range(2))
    # A few items of the prediction, so that recall is not by all that there is.
    few = build(RICH[family.kind](rng)[::7])
    if family.kind == "triples":
        pred, gold = with_texts(pred), with_texts(gold)
    for name, null in family.trust.nulls.items():
        if null.fits(declared()):
            assert any(is_changed(declared(), null, pred, other) for other in (pred, gold, few)), name


def test_where_a_null_model_changes_nothing_there_is_no_chance(declared, laboratories):
    family = family_of(declared)
    model, report = laboratories[family.kind].build(laboratories[family.kind].some), None
    for name, null in family.trust.nulls.items():
        if null.fits(declared()) and is_changed(declared(), null, model, model, items=True):
            continue
        report = goldassay.evaluate(
            model,
            gold=model,
            kind=family.kind,
            measures=declared(),
            encoder=ENCODER,
            chance=goldassay.Chance(null=name, draws=3),
        )
        assert report.runs[0].scores[0].chance is None
        assert any(f"no level of chance, since the null model {name} changes nothing" in one for one in report.warnings)
        assert not any("more than" in one for one in report.warnings)
    for layout in ("text", "markdown", "latex", "csv", "json") if report else ():
        assert "adjusted" not in report.format(layout)


def test_accepted_candidates_are_the_same_in_any_order(tmp_path):
    names = range(30)
    lists = [f"s{a}\tt{a}\t[('t{a}', 0.9, True), ('t{(a + 1) % 30}', 0.5, False)]" for a in names]
    (tmp_path / "gold.tsv").write_text("\n".join(["source\ttarget", *(f"s{name}\tt{name}" for name in names)]))
    (tmp_path / "pred.tsv").write_text("\n".join(["SrcEntity\tTgtEntity\tTgtCandidates", *lists]))
    for chance in (None, True):
        report = goldassay.evaluate(
            tmp_path / "pred.tsv", gold=tmp_path / "gold.tsv", kind="alignment", measures="overlap", chance=chance
        )
        assert report["overlap"].f1 == 1
        assert report["overlap"].chance is None
        assert "more than" not in report.format("text")
        assert "adjusted" not in report.format("text")
