"""Axiom scores that a published study prints, to the last count."""

import json

import pytest

import goldassay

ROWS = range(4)
SECTIONS = ("classes", "relations", "datatypes", "overall")
BY_HAND = """pred,gold,score
"SalesArticle, hasImageArticle, ImageArticle","SalesArticle, hasImageUrl, Image_url",0.5
"SalesArticle, productName, ProductName","SalesArticle, hasProduct, Product",0.5
"""


@pytest.fixture(scope="module")
def expected(reference_data):
    return json.loads((reference_data / "expected" / "axioms.json").read_text(encoding="utf-8"))["rows"]


def evaluate(reference_data, messages, **asked):
    return goldassay.evaluate(
        reference_data / messages["pred"], gold=reference_data / messages["gold"], kind="axioms", **asked
    )


@pytest.mark.parametrize("row", [0, 1, 2])
def test_weighted(reference_data, expected, row):
    messages = expected[row]["published"]
    score = evaluate(reference_data, expected[row], as_="gines-almagro")["weighted"]
    assert [score.counts["hit_pred"], score.counts["n_pred"]] == messages["precision"]
    assert [score.counts["hit_gold"], score.counts["n_gold"]] == messages["recall"]
    assert score.f1 == pytest.approx(messages["f1"], abs=6e-4)


@pytest.mark.parametrize("row", ROWS)
def test_coverage(reference_data, expected, row):
    messages = expected[row]["published"]
    score = evaluate(reference_data, expected[row], as_="gines-almagro")["coverage"]
    sums = [
        [score.counts[f"covered_{name}"], score.counts[f"gold_{name}"] + score.counts[f"extra_{name}"]]
        for name in SECTIONS[:-1]
    ]
    assert [*sums, [sum(above) for above in zip(*sums, strict=True)]] == [messages[name] for name in SECTIONS]
    assert [score.values[name] for name in SECTIONS] == [messages[name][0] / messages[name][1] for name in SECTIONS]


def test_a_table_that_was_aligned_by_hand(reference_data, expected, tmp_path):
    messages = expected[3]["published"]
    formal = evaluate(reference_data, expected[3], as_="gines-almagro")["weighted"]
    assert [formal.counts["hit_pred"], formal.counts["hit_gold"]] == [4.5, 4.5]

    evidence = formal.matching.table()
    found = [
        f'"{item.replace(" ", ", ")}","{counterpart.replace(" ", ", ")}",{similarity}\n'
        for side, item, counterpart, similarity in zip(
            *(evidence[name] for name in ("side", "item", "counterpart", "similarity")), strict=True
        )
        if side == "pred" and similarity > 0
    ]
    path = tmp_path / "alignment.csv"
    path.write_text(BY_HAND + "".join(found))
    by_hand = f"weighted(alignment='{path}')"
    score = evaluate(reference_data, expected[3], measures=by_hand, fold_case=True, strip_key=True)["weighted"]
    assert [score.counts["hit_pred"], score.counts["n_pred"]] == messages["precision"]
    assert [score.counts["hit_gold"], score.counts["n_gold"]] == messages["recall"]
    assert score.f1 == pytest.approx(messages["f1"], abs=6e-4)
