import pytest

from goldassay.core.errors import InputError
from goldassay.graphs import GraphReading, read_graph

KEEP = GraphReading(edges="all", blank_nodes="keep")


def read(tmp_path, links):
    file = tmp_path / "a.nt"
    file.write_text("".join(f"_:b{a} <a:p> _:b{b} .\n" for a, b in links))
    return read_graph(file, KEEP)


@pytest.mark.parametrize("size", [10, 40, 200])
def test_a_small_clique_of_blank_nodes_is_refused_at_once(tmp_path, size):
    with pytest.raises(InputError, match="similar blank nodes") as caught:
        read(tmp_path, [(a, b) for a in range(size) for b in range(size) if a != b])
    assert "drop" in caught.value.hint


def test_a_long_chain_of_equal_blank_nodes_is_refused_at_once(tmp_path):
    with pytest.raises(InputError, match="similar blank nodes"):
        read(tmp_path, [(a, a + 1) for a in range(20_000)])


@pytest.mark.parametrize(
    "links",
    [
        [(a, b) for a in range(6) for b in range(6) if a != b],
        [(a, a + 1) for a in range(100)],
        [(a // 2, a + 1) for a in range(60)],
        [(0, a) for a in range(1, 400)],
    ],
    ids=["clique", "chain", "tree", "star"],
)
def test_what_people_write_is_named_the_same_any_the_parse(tmp_path, links):
    named = read(tmp_path, links)
    renamed = read(tmp_path, [(7 * a + 1000, 7 * b + 1000) for a, b in reversed(links)])
    assert len(named) == len(links)
    assert {named.item(row) for row in range(len(named))} == {renamed.item(row) for row in range(len(named))}
