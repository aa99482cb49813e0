"""Which fields of a relation are its predicate and its strength, however many it has."""

import pytest

from goldassay.triples import read_triples_of_documents


@pytest.mark.parametrize(
    ("fields", "predicate", "weight"),
    [
        (["desc"], "desc", 1.0),
        (["5"], "5", 1.0),
        (["desc", "7"], "desc", 7.0),
        (["desc", "key"], "key", 1.0),
        (["desc", "key", "7"], "key", 7.0),
        (["desc", "key", "x"], "key", 1.0),
        (["desc", "key", "7", "8"], "key", 8.0),
    ],
)
def test_a_relation_ends_with_its_strength_if_it_has_one(tmp_path, fields, predicate, weight):
    relation = "<|>".join(['("relationship"', "Rome", "Italy", *fields])
    path = tmp_path / "a.txt"
    path.write_text(f'{relation})##\n("entity"<|>Rome<|>city<|>d)<|COMPLETE|>\n')
    triples = read_triples_of_documents(path)
    assert [triples.item(row) for row in range(len(triples))] == [f"1: Rome | {predicate} | Italy"]
    assert triples.weights.tolist() == [weight]
