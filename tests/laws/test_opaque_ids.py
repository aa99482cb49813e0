"""Files whose nodes have ids that say nothing, and their text elsewhere: it is read, or a warning says that ids are compared."""

import html
import json
from collections.abc import Callable, Iterator

import pytest

import goldassay

EDGES = [("cat", "pet"), ("dog", "pet"), ("pet", "animal"), ("rose", "plant"), ("oak", "plant")]
NAMES = sorted({end for edge in EDGES for end in edge})
Naming = Callable[[str], str]
KEYS = ("label", "name", "title", "text", "term", "concept", "entity", "description", "value", "caption")
XML = '<?xml version="1.0"?>'
PREFIXES = """@prefix : <http://x/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xl: <http://www.w3.org/2008/05/skos-xl#> .
@prefix dc: <http://purl.org/dc/terms/> .
@prefix schema: <https://schema.org/> .
"""


def node_link(key: str, naming: Naming) -> tuple[str, str]:
    nodes = [{"id": f"n{at}", key: naming(name)} for at, name in enumerate(NAMES)]
    return "a.json", json.dumps({"nodes": nodes, "edges": [{"source": a, "target": b} for a, b in ends()]})


def wrapped(key: str, naming: Naming) -> tuple[str, str]:
    nodes = [{"id": f"n{at}", "data": {key: naming(name)}} for at, name in enumerate(NAMES)]
    return "a.json", json.dumps({"nodes": nodes, "edges": [{"source": a, "target": b} for a, b in ends()]})


def json_graph(key: str, naming: Naming) -> tuple[str, str]:
    nodes = {f"n{at}": {key: naming(name)} for at, name in enumerate(NAMES)}
    edges = [{"source": a, "target": b} for a, b in ends()]
    return "a.json", json.dumps({"graph": {"nodes": nodes, "edges": edges}})


def canvas(key: str, naming: Naming) -> tuple[str, str]:
    nodes = [{"id": f"n{at}", "type": "text", key: naming(name), "x": at} for at, name in enumerate(NAMES)]
    return "a.canvas", json.dumps({"nodes": nodes, "edges": [{"fromNode": a, "toNode": b} for a, b in ends()]})


def _graphml(head: str, data: Callable[[str], str]) -> tuple[str, str]:
    nodes = "".join(f'<node id="n{at}">{data(name)}</node>' for at, name in enumerate(NAMES))
    edges = "".join(f'<edge source="{a}" target="{b}"/>' for a, b in ends())
    return "a.graphml", f'{XML}{head}<graph edgedefault="directed">{nodes}{edges}</graph></graphml>'


def graphml(key: str, naming: Naming) -> tuple[str, str]:
    return _graphml(
        f'<graphml><key id="k" for="node" attr.name="{key}"/>', lambda name: f'<data key="k">{naming(name)}</data>'
    )


def yed(_: str, naming: Naming) -> tuple[str, str]:
    return _graphml(
        '<graphml xmlns:y="http://www.yworks.com/xml/graphml"><key for="node" id="d6"/>',
        lambda name: f'<data key="d6"><y:ShapeNode><y:NodeLabel>{naming(name)}</y:NodeLabel></y:ShapeNode></data>',
    )


def drawio(_: str, naming: Naming) -> tuple[str, str]:
    cells = "".join(
        f'<mxCell id="n{at}" value="{html.escape(f"<b>{naming(name)}</b>")}" vertex="1" parent="0"/>'
        for at, name in enumerate(NAMES)
    )
    edges = "".join(f'<mxCell id="{a}{b}" edge="1" source="{a}" target="{b}"/>' for a, b in ends())
    return (
        "a.drawio",
        f'<mxfile><diagram><mxGraphModel><root><mxCell id="0"/>{cells}{edges}</root></mxGraphModel></diagram></mxfile>',
    )


def dot(key: str, naming: Naming) -> tuple[str, str]:
    lines = [f'n{at} [{key}="{naming(name)}"];' for at, name in enumerate(NAMES)]
    return "a.dot", "\n".join(["digraph{rankdir=BT;", *lines, *(f"{a} -> {b};" for a, b in ends()), "}"])


def turtle(statement: str, naming: Naming) -> tuple[str, str]:
    nodes = [f":n{at} a rdfs:Class ; {statement.format(naming(name))} ." for at, name in enumerate(NAMES)]
    return "a.ttl", "\n".join([PREFIXES, *nodes, *(f":{a} rdfs:subClassOf :{b} ." for a, b in ends())])


def ends() -> Iterator[tuple[str, str]]:
    for edge in EDGES:
        child, parent = (f"n{NAMES.index(end)}" for end in edge)
        yield child, parent


LAYOUTS = [
    *((layout, key) for layout in (node_link, wrapped, json_graph, canvas, graphml) for key in KEYS),
    (yed, ""),
    (drawio, ""),
    *((dot, key) for key in ("label", "xlabel")),
    *(
        (turtle, statement)
        for statement in (
            'rdfs:label "{}"', 'skos:prefLabel "{}"@en', 'xl:prefLabel [ xl:literalForm "{}"@en ]', 'dc:title "{}"',
            'schema:name "{}"', 'rdfs:comment "{}"', 'skos:definition "{}"@en', ':called "{}"',
        )
    ),
]  # fmt: skip


@pytest.mark.parametrize(("layout", "key"), LAYOUTS)
def test_the_texts_of_nodes_are_read_or_a_warning_says_why_not(tmp_path, layout, key):
    name, text = layout(key, lambda name: f"{name} {name[::-1]}")
    (tmp_path / name).write_text(text)
    graph = goldassay.read(tmp_path / name, kind="taxonomy")
    named = {*graph.texts} == {f"{name} {name[::-1]}" for name in NAMES}
    assert named != any("ids are compared" in one for one in graph.warnings)
    assert len(graph) == len(EDGES)


@pytest.mark.parametrize("key", ["label", "term", "concept"])
def test_ids_that_are_names_stay_names(tmp_path, key):
    nodes = [{"id": name, "group": f"g{at}"} for at, name in enumerate(NAMES)]
    edges = [{"source": a, "target": b} for a, b in EDGES]
    (tmp_path / "a.json").write_text(json.dumps({"nodes": nodes, "edges": edges}))
    graph = goldassay.read(tmp_path / "a.json", kind="taxonomy")
    assert set(graph.texts) == set(NAMES)
    assert graph.warnings == ()


def test_a_compressed_diagram_is_refused(tmp_path):
    (tmp_path / "a.drawio").write_text("<mxfile><diagram>7VhbT+M6EP41</diagram></mxfile>")
    with pytest.raises(goldassay.InputError, match="compressed"):
        goldassay.read(tmp_path / "a.drawio", kind="taxonomy")


def test_labels_of_ids_in_triples_of_rdf_are_warned_of(tmp_path):
    lines = [":n0 :in :n1 .", ':n0 rdfs:label "Oslo" .', ':n1 rdfs:label "Norway" .']
    (tmp_path / "a.ttl").write_text("\n".join([PREFIXES, *lines]))
    found = goldassay.read(tmp_path / "a.ttl", kind="triples")
    assert "ids are compared, not names: 2 labels of ids such as 'n0' count as triples of their own" in found.warnings
    (tmp_path / "a.ttl").write_text(f'{PREFIXES}\n:Oslo :in :Norway .\n:Oslo rdfs:label "Oslo" .')
    assert goldassay.read(tmp_path / "a.ttl", kind="triples").warnings == ()
