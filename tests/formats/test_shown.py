"""What is wrong is shown as it is written, without escapes, and no more of it than a few dozen characters."""

import json

import pytest

import goldassay

ODD = "é" * 300
EDGE = json.dumps({"child": "a", "parent": "b"})


def written(value):
    return json.dumps(value, ensure_ascii=False)


def node_link(shown, before="", **document):
    return "taxonomy", "a.json", written({"nodes": [{"id": "1"}], "links": [], **document}), before, written(shown), 120


def obo_graph(shown, before, graph):
    return "taxonomy", "a.json", written({"graphs": [{"nodes": []}, graph]}), before, written(shown), 80


def table(name, text, shown, most=120, kind="taxonomy", before=""):
    return kind, name, text, before, shown, most


SHOWN = {
    "links that are none": node_link(ODD, '"links": ', links=ODD),
    "a node without an id": node_link({"name": ODD}, nodes=[{"id": 1}, {"name": ODD}]),
    "an edge without a target": node_link({"source": "1", "odd": ODD}, links=[{"source": "1", "odd": ODD}]),
    "an edge without a source": node_link({"target": "1", "odd": ODD}, links=[{"target": "1", "odd": ODD}]),
    "an unknown node": node_link({"source": "1", "target": ODD}, links=[{"source": "1", "target": ODD}]),
    "graphs that are none": table("a.json", written({"graphs": ODD}), written({"graphs": ODD}), 80),
    "a graph that is none": obo_graph(ODD, "graphs[1]: ", ODD),
    "nodes that are none": obo_graph({"nodes": ODD}, "graphs[1]: ", {"nodes": ODD}),
    "a node of OBO without an id": obo_graph({"lbl": ODD}, "graphs[1].nodes[0]: ", {"nodes": [{"lbl": ODD}]}),
    "an edge of OBO without a target": obo_graph({"sub": ODD}, "graphs[1].edges[0]: ", {"edges": [{"sub": ODD}]}),
    "a list among records": table("a.jsonl", f"{EDGE}\n{written([ODD])}", written([ODD]), 60, before="'"),
    "a list among documents": table(
        "a.jsonl", f'{{"id": "d", "concepts": []}}\n{written([ODD])}', written([ODD]), 60, "concepts", "'"
    ),
    "an empty cell": table("a.csv", f"child,parent\n,{ODD}", f"'', '{ODD}'"),
    "too many cells": table("a.csv", f"child,parent\nc,d,{ODD}", f"'c', 'd', '{ODD}'"),
    "an open quote": table("a.csv", f'child,parent\n"{ODD}', f'"{ODD}', before="'"),
    "a line of no edge": table("a.taxo", f"0\ta\tb\n{ODD}", ODD, 60, before="'"),
    "a line of no clause": table("a.obo", f"[Term]\nid: A:1\n{ODD}", ODD, 80),
}


@pytest.mark.parametrize(("kind", "name", "text", "before", "shown", "most"), SHOWN.values(), ids=SHOWN)
def test_what_is_wrong_is_shown_as_it_is_written_up_to_a_length(kind, name, text, before, shown, most, tmp_path):
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(goldassay.InputError) as caught:
        goldassay.read(tmp_path / name, kind=kind)
    found = caught.value.found
    assert found.startswith(before + shown[:most])
    assert not found.startswith(before + shown[: most + 1])
