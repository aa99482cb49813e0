"""What is known of how measures track people."""

import csv
import importlib.util
import re
import sys
from pathlib import Path

import pytest

import goldassay
from goldassay import cards
from goldassay.families import all_measures

SCRIPT = Path(__file__).resolve().parents[2] / "docs" / "cards.py"


def made_script(monkeypatch):
    spec = importlib.util.spec_from_file_location("make_cards", SCRIPT)
    script = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "make_cards", script)
    spec.loader.exec_module(script)
    return script


def test_every_card_is_of_a_measure_or_an_encoder_and_complete():
    assert cards.every_card()
    for card in cards.every_card():
        if card.about.startswith(cards.OF_ENCODER):
            name, _, model = card.about.removeprefix(cards.OF_ENCODER).partition(" (")
            # The embedding of static is a package of its own, which the card names.
            assert model if name == "static" else goldassay.get_encoder(name)
        else:
            assert str(goldassay.parse(card.about)) == card.about
        value, low, high = map(float, re.fullmatch(r"(\S+) \[(\S+), (\S+)\]", card.value).groups())
        assert low <= value <= high
        assert card.ceiling == cards.UNKNOWN or 0.5 < float(card.ceiling.split()[0]) <= 1
        assert re.fullmatch(r"20\d\d-\d\d-\d\d", card.date)
        assert card.data in card.line()
        assert card.items in card.line()


def test_a_measure_shows_its_cards_those_of_encoders_if_it_needs_one_and_otherwise_unknown(goldassay_command):
    known = {card.about.partition("(")[0] for card in cards.every_card()}
    for name, measure in all_measures().items():
        lines = list(cards.card_lines(measure))
        assert (lines[0] == cards.UNKNOWN) == (name not in known)
        assert any(line.startswith(cards.OF_ENCODER) for line in lines) == measure().needs_encoder
    shown = goldassay_command("measures", "triples").out
    assert "how it tracks people\n  triples: AUC (chance 0.5) 0.645 [0.610, 0.682] on 1,000 predicted triples" in shown
    assert "how it tracks people\n  unknown\n" in goldassay_command("measures", "literal").out
    shown = goldassay_command("measures", "anchored").out
    for name in ("minilm", "static (l2_supercat_256)", "hashing"):
        assert f"  encoder {name}: AUC (chance 0.5) 0.5" in shown


def test_a_card_stays_where_its_encoder_is_not_installed(tmp_path, monkeypatch):
    script = made_script(monkeypatch)
    (tmp_path / "graphs").mkdir()
    for name in ("synonyms_oewn.tsv", "wordnet_gold.tsv"):
        lines = "".join(f"{name} {row}\t{row} of {name}\n" for row in range(30))
        (tmp_path / "graphs" / name).write_text("one\tother\n" + lines, encoding="utf-8")
    monkeypatch.setattr(script, "DATA", tmp_path)
    monkeypatch.setattr(script, "PAIRS", 20)
    load = goldassay.encoders.get_encoder
    no_model = goldassay.EncoderError("no model")

    def without_static(name):
        if name == "static":
            raise no_model
        return load("hashing")

    monkeypatch.setattr(goldassay.encoders, "get_encoder", without_static)
    made = {card.about: card for card in script.of_encoders()}
    kept = next(card for card in cards.every_card() if card.about.startswith("encoder static"))
    assert made.pop("encoder static (l2_supercat_256)") == kept
    assert {card.items.partition(" ")[0] for card in made.values()} == {"20"}


def test_the_card_of_triples_follows_from_their_definition(reference_data):
    with (reference_data / "judged" / "zett" / "zett.tsv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
    hits = [all(row[f"gold_{slot}"] == row[f"pred_{slot}"] for slot in ("head", "rel", "tail")) for row in rows]
    right = [row["Label from ZETT"].lower() == "true" for row in rows]
    shares = [
        sum(h for h, r in zip(hits, right, strict=True) if r is is_right) / right.count(is_right)
        for is_right in (True, False)
    ]
    # Of a verdict the area is the mean of sensitivity and specificity.
    area = (shares[0] + 1 - shares[1]) / 2
    [card] = [one for one in cards.every_card() if (one.about, one.data) == ("triples", "ZETT")]
    assert float(card.value.split()[0]) == pytest.approx(area, abs=5e-4)


def test_a_data_set_of_ones_own_adds_a_card_for_each_measure(tmp_path, monkeypatch):
    script, written = made_script(monkeypatch), []
    monkeypatch.setattr(script, "write_cards", written.extend)
    ratings, scores = tmp_path / "ratings.csv", tmp_path / "scores.csv"
    rows = [(f"i{item}", rater, item % 4) for item in range(12) for rater in ("ann", "bob")]
    ratings.write_text(
        "item,system,rater,rating\n" + "".join(f"{item},s,{rater},{rating}\n" for item, rater, rating in rows)
    )
    scores.write_text(
        "item,system,copy,worse\n" + "".join(f"i{item},s,{item % 4},{-(item % 4)}\n" for item in range(12))
    )
    script.main(["mine", str(ratings), str(scores)])
    found = {card.about: card for card in written if card.data == "mine"}
    assert found["copy"].value == "1.000 [1.000, 1.000]"
    assert found["worse"].value == "-1.000 [-1.000, -1.000]"
    assert (found["copy"].statistic, found["copy"].ceiling) == ("tau-b (chance 0)", "1.000")
    assert {*cards.every_card()} < {*written}
    cards.write_cards(written, tmp_path / "cards.tsv")
    assert (tmp_path / "cards.tsv").read_text().count("\n") == len(written) + 1
