"""Lists of edges as networkx writes them, in files and in memory."""

from __future__ import annotations

import io

import networkx as nx
import pytest

import goldassay
from goldassay.formats.printed import edges_of_networkx

pytestmark = pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
NAMES = [("dog", "animal"), ("cat", "animal"), ("poodle", "dog")]
BLANKS = [("guide dog", "animal"), ("house cat", "animal"), ("toy poodle", "guide dog")]


def items(given, **options):
    model = goldassay.read(given, **options)
    return sorted(map(model.item, range(len(model))))


def written(write, graph, **options):
    stream = io.BytesIO()
    write(graph, stream, **options)
    return stream.getvalue()


@pytest.mark.parametrize("attributes", [{}, {"weight": 3}, {"since": "it's {old}"}])
@pytest.mark.parametrize(("edges", "mark"), [(NAMES, " "), *((BLANKS, mark) for mark in "\t,;|")])
def test_edges_with_attributes_are_read(edges, mark, attributes, tmp_path):
    graph = nx.DiGraph()
    graph.add_edges_from(edges, **attributes)
    path = tmp_path / "edges.txt"
    path.write_bytes(b"# of networkx\n" + written(nx.write_edgelist, graph, delimiter=mark))
    expected = items(edges)
    assert items(path) == expected
    assert items(list(nx.generate_edgelist(graph, delimiter=mark))) == expected
    assert items(list(graph.edges(data=True))) == expected


@pytest.mark.parametrize(
    ("suffix", "write", "options"),
    [
        (".edgelist", nx.write_edgelist, {"data": False}),
        (".edges", nx.write_edgelist, {"data": ["weight"]}),
        (".edgelist", nx.write_edgelist, {}),
        (".adjlist", nx.write_adjlist, {}),
    ],
)
def test_edges_between_blanks_are_read_by_the_suffix_of_the_file(suffix, write, options, tmp_path):
    graph = nx.DiGraph()
    graph.add_edges_from(NAMES, weight=0)
    path = tmp_path / f"edges{suffix}"
    path.write_bytes(written(write, graph, **options))
    assert items(path) == items(NAMES)


@pytest.mark.parametrize("data", ["dog animal\ncat animal\n", "dog animal 3\ncat animal 1\n"])
def test_a_text_of_pairs_is_refused_with_the_suffix_that_reads_it(data, tmp_path):
    path = tmp_path / "edges.txt"
    path.write_text(data)
    with pytest.raises(goldassay.InputError) as caught:
        goldassay.read(path)
    assert ".edgelist" in caught.value.hint
    assert items(path.rename(tmp_path / "edges.edgelist")) == ["cat -> animal", "dog -> animal"]


@pytest.mark.parametrize("line", ["dog: animal", "Of course.", "1. dog", "a) dog"])
def test_a_line_with_a_mark_is_no_pair_of_names(line, tmp_path):
    path = tmp_path / "answer.txt"
    path.write_text(f"{line}\n" * 3)
    with pytest.raises(goldassay.InputError) as caught:
        goldassay.read(path, kind="taxonomy")
    assert "edgelist" not in str(caught.value.hint)


def test_a_relation_of_an_edge_is_its_predicate(tmp_path):
    graph = nx.DiGraph([("Oslo", "Norway", {"relation": "in"})])
    path = tmp_path / "edges.txt"
    path.write_bytes(written(nx.write_edgelist, graph))
    assert (
        items(path, kind="triples") == items(list(graph.edges(data=True)), kind="triples") == ["1: Oslo | in | Norway"]
    )


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"digraph a {}", "a.dot"),
        (b"dog animal {}\nThe dog is an animal.", "a.txt"),
        (b"dog animal {'a': b}", "a.txt"),
        (b"guide dog animal {}", "a.txt"),
        (b"dog animal", "a.txt"),
        (b"guide dog animal", "a.edgelist"),
        (b"dog is animal", "a.edgelist"),
        (b"dog 1\nanimal {}", "a.adjlist"),
        (b'{"a": {}}', "a.json"),
    ],
)
def test_anything_else_is_kept(data, name):
    assert edges_of_networkx(data, name) == data
