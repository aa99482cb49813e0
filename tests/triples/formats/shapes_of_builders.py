"""What graph builders write, each by its documented shape: the same triples in every one of them.

`make builders` compares these with what the libraries themselves write (tests/integrations/test_builders.py).
"""

import json
from functools import cached_property
from html import escape
from itertools import accumulate

import polars as pl

TRIPLES = [
    ("Oslo", "CAPITAL_OF", "Norway"),
    ("Grieg", "BORN_IN", "Bergen"),
    ("Grieg", "COMPOSED", "Peer Gynt"),
    ("Bergen", "LOCATED_IN", "Norway"),
]
TYPES = {"Oslo": "City", "Norway": "Country", "Grieg": "Person", "Bergen": "City", "Peer Gynt": "Work"}
TEXT = "Oslo is the capital of Norway . Grieg was born in Bergen and composed Peer Gynt . Bergen is in Norway ."


def lines(records):
    return "".join(json.dumps(record) + "\n" for record in records)


def parquet(path, records):
    pl.DataFrame(records).write_parquet(path)


class Graph:
    """A graph of some triples, and each of its shapes."""

    def __init__(self, triples=TRIPLES, types=TYPES, text=TEXT):
        self.triples, self.text, self.words, self.runs = triples, text, text.split(), {}
        self.names = list(dict.fromkeys(end for s, _, o in triples for end in (s, o)))
        self.types = {name: types.get(name, "Thing") for name in self.names}
        self.number = {name: at for at, name in enumerate(self.names)}
        self.uuids = {name: f"{at:08x}-0000-4000-8000-{at:012x}" for at, name in enumerate(self.names)}

    # LangChain

    def langchain_node(self, name):
        return {"id": name, "type": self.types[name], "properties": {}}

    def langchain(self, **source):
        document = {"id": None, "metadata": {}, "page_content": self.text, "type": "Document"} | source
        return {
            "nodes": [self.langchain_node(name) for name in self.names],
            "relationships": [
                {"source": self.langchain_node(s), "target": self.langchain_node(o), "type": p, "properties": {}}
                for s, p, o in self.triples
            ],
            "source": document,
        }

    def langchain_constructor(self, kind, **kwargs):
        return {
            "lc": 1,
            "type": "constructor",
            "id": ["langchain", "graphs", "graph_document", kind],
            "kwargs": kwargs,
        }

    def langchain_dumped(self):
        def node(name):
            return self.langchain_constructor("Node", id=name, type=self.types[name])

        return self.langchain_constructor(
            "GraphDocument",
            nodes=[node(name) for name in self.names],
            relationships=[
                self.langchain_constructor("Relationship", source=node(s), target=node(o), type=p)
                for s, p, o in self.triples
            ],
            source=self.langchain_constructor("Document", page_content=self.text, type="Document"),
        )

    # LlamaIndex

    def llama_store(self):
        nodes = {
            name: {
                "label": self.types[name],
                "embedding": None,
                "properties": {"triplet_source_id": "chunk-1"},
                "name": name,
            }
            for name in self.names
        }
        nodes["chunk-1"] = {
            "label": "text_chunk",
            "embedding": None,
            "properties": {},
            "text": self.text,
            "id_": "chunk-1",
        }
        return {
            "nodes": nodes,
            "relations": {
                f"{s}_{p}_{o}": {
                    "label": p,
                    "source_id": s,
                    "target_id": o,
                    "properties": {"triplet_source_id": "chunk-1"},
                }
                for s, p, o in self.triples
            },
            "triplets": [list(triple) for triple in self.triples],
        }

    def llama_graph_dict(self):
        found = {}
        for s, p, o in self.triples:
            found.setdefault(s, []).append([p, o])
        return {"graph_dict": found}

    # GraphRAG, LightRAG

    def graphrag_raw(self, part="<|>", record="##\n", *, strength=True, keywords=False):
        messages = [f'("entity"{part}{name}{part}{kind}{part}{name} is a {kind}.)' for name, kind in self.types.items()]
        for s, p, o in self.triples:
            more = ([p] if keywords else []) + (["9"] if strength else [])
            messages.append(
                f'("relationship"{part}' + part.join([s, o, p if not keywords else f"{s} and {o}", *more]) + ")"
            )
        return record.join(messages) + record + "<|COMPLETE|>"

    def lightrag_raw(self):
        messages = [f"entity<|#|>{name}<|#|>{kind}<|#|>{name} is a {kind}." for name, kind in self.types.items()]
        messages += [f"relation<|#|>{s}<|#|>{o}<|#|>{p}<|#|>{s} and {o}." for s, p, o in self.triples]
        return "\n".join([*messages, "<|COMPLETE|>"])

    def lightrag_vectors(self):
        return {
            "embedding_dim": 2,
            "data": [
                {
                    "__id__": f"rel-{at}",
                    "__created_at__": 1,
                    "src_id": s,
                    "tgt_id": o,
                    "source_id": "chunk-1",
                    "content": f"{p}\t{s}\n{o}\nthey are related",
                    "file_path": "a.txt",
                }
                for at, (s, p, o) in enumerate(self.triples)
            ],
            "matrix": "AAAA",
        }

    def kggen(self, **more):
        return {
            "entities": self.names,
            "edges": [p for _, p, _ in self.triples],
            "relations": [list(triple) for triple in self.triples],
            **more,
        }

    # Graphiti, Cognee

    def graphiti(self):
        when = "2026-01-01T00:00:00Z"
        return {
            "episode": {"uuid": "e", "name": "d1", "group_id": "g", "content": self.text, "source": "text"},
            "episodic_edges": [
                {"uuid": "x", "group_id": "g", "source_node_uuid": "e", "target_node_uuid": self.uuids[self.names[0]]}
            ],
            "nodes": [
                {
                    "uuid": self.uuids[name],
                    "name": name,
                    "group_id": "g",
                    "labels": ["Entity", kind],
                    "created_at": when,
                    "name_embedding": None,
                    "summary": "",
                    "attributes": {},
                }
                for name, kind in self.types.items()
            ],
            "edges": [
                {
                    "uuid": f"r{at}",
                    "group_id": "g",
                    "source_node_uuid": self.uuids[s],
                    "target_node_uuid": self.uuids[o],
                    "created_at": when,
                    "name": p,
                    "fact": f"{s} {p} {o}",
                    "fact_embedding": None,
                    "episodes": ["e"],
                    "attributes": {},
                }
                for at, (s, p, o) in enumerate(self.triples)
            ],
            "communities": [],
            "community_edges": [],
        }

    def graphiti_answer(self):
        return {
            "edges": [
                {"relation_type": p, "source_entity_name": s, "target_entity_name": o, "fact": f"{s} {p} {o}"}
                for s, p, o in self.triples
            ]
        }

    def cognee(self):
        return {
            "nodes": [
                {"id": self.uuids[name], "name": name, "type": kind, "description": f"{name} is a {kind}."}
                for name, kind in self.types.items()
            ],
            "edges": [
                {"source_node_id": self.uuids[s], "target_node_id": self.uuids[o], "relationship_name": p}
                for s, p, o in self.triples
            ],
        }

    # Neo4j

    def apoc_node(self, name, **more):
        return {"id": str(self.number[name]), "labels": [self.types[name]], "properties": {"name": name}, **more}

    def apoc(self, **more):
        nodes = [self.apoc_node(name) for name in self.names]
        rels = [
            {
                "id": str(at),
                "type": "relationship",
                "label": p,
                "start": self.apoc_node(s),
                "end": self.apoc_node(o),
                "properties": {},
            }
            for at, (s, p, o) in enumerate(self.triples)
        ]
        return nodes, rels

    def apoc_lines(self):
        nodes, rels = self.apoc()
        return [{"type": "node", **node} for node in nodes] + rels

    def apoc_json(self):
        nodes, rels = self.apoc()
        return {"nodes": nodes, "rels": [{**rel, "label": rel["label"]} for rel in rels]}

    def apoc_by_id(self):
        nodes, rels = self.apoc()
        return {"nodes": {node["id"]: node for node in nodes}, "rels": {rel["id"]: rel for rel in rels}}

    def browser_node(self, name):
        return {
            "identity": self.number[name],
            "labels": [self.types[name]],
            "properties": {"name": name},
            "elementId": f"4:abc:{self.number[name]}",
        }

    def browser_relation(self, at, s, p, o):
        return {
            "identity": at,
            "start": self.number[s],
            "end": self.number[o],
            "type": p,
            "properties": {},
            "elementId": f"5:abc:{at}",
            "startNodeElementId": f"4:abc:{self.number[s]}",
            "endNodeElementId": f"4:abc:{self.number[o]}",
        }

    def browser(self):
        return [
            {"n": self.browser_node(s), "r": self.browser_relation(at, s, p, o), "m": self.browser_node(o)}
            for at, (s, p, o) in enumerate(self.triples)
        ]

    def browser_paths(self):
        return [
            {
                "p": {
                    "start": self.browser_node(s),
                    "end": self.browser_node(o),
                    "segments": [
                        {
                            "start": self.browser_node(s),
                            "relationship": self.browser_relation(at, s, p, o),
                            "end": self.browser_node(o),
                        }
                    ],
                    "length": 1.0,
                }
            }
            for at, (s, p, o) in enumerate(self.triples)
        ]

    def browser_csv(self):
        rows = ["n,r,m"]
        for s, p, o in self.triples:
            cells = [f'(:{self.types[s]} {{name: "{s}"}})', f"[:{p}]", f'(:{self.types[o]} {{name: "{o}"}})']
            rows.append(",".join('"' + cell.replace('"', '""') + '"' for cell in cells))
        return "\n".join(rows)

    def admin_nodes(self):
        return "\n".join(
            ["id:ID,name,:LABEL", *(f"{self.number[name]},{name},{kind}" for name, kind in self.types.items())]
        )

    def admin_relations(self):
        return "\n".join(
            [":START_ID,:END_ID,:TYPE", *(f"{self.number[s]},{self.number[o]},{p}" for s, p, o in self.triples)]
        )

    def apoc_csv(self):
        rows = ["_id,_labels,name,_start,_end,_type"]
        rows += [f"{self.number[name]},:{kind},{name},,," for name, kind in self.types.items()]
        rows += [f",,,{self.number[s]},{self.number[o]},{p}" for s, p, o in self.triples]
        return "\n".join(rows)

    # NetworkX, Gephi

    def node_link(self, key="links", label="relation"):
        return {
            "directed": True,
            "multigraph": True,
            "graph": {},
            "nodes": [{"type": kind, "id": name} for name, kind in self.types.items()],
            key: [{label: p, "source": s, "target": o, "key": 0} for s, p, o in self.triples],
        }

    def graphml(self):
        nodes = "".join(
            f'<node id="{escape(name)}"><data key="d0">{escape(kind)}</data></node>'
            for name, kind in self.types.items()
        )
        edges = "".join(
            f'<edge source="{escape(s)}" target="{escape(o)}"><data key="d1">{escape(p)}</data></edge>'
            for s, p, o in self.triples
        )
        return (
            '<?xml version="1.0" encoding="utf-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
            '<key id="d1" for="edge" attr.name="relation" attr.type="string"/>'
            '<key id="d0" for="node" attr.name="type" attr.type="string"/>'
            f'<graph edgedefault="directed">{nodes}{edges}</graph></graphml>'
        )

    def lightrag_graphml(self):
        nodes = "".join(
            f'<node id="{escape(name)}"><data key="d0">{escape(name)}</data><data key="d1">{escape(kind)}</data><data key="d2">It is.</data></node>'
            for name, kind in self.types.items()
        )
        edges = "".join(
            f'<edge source="{escape(s)}" target="{escape(o)}"><data key="d7">1.0</data><data key="d8">It says {escape(p)}.</data>'
            f'<data key="d9">{escape(p)}</data><data key="d10">chunk-1</data></edge>'
            for s, p, o in self.triples
        )
        keys = "".join(
            f'<key id="{key}" for="{what}" attr.name="{escape(name)}" attr.type="string"/>'
            for key, what, name in [
                ("d10", "edge", "source_id"),
                ("d9", "edge", "keywords"),
                ("d8", "edge", "description"),
                ("d7", "edge", "weight"),
                ("d2", "node", "description"),
                ("d1", "node", "entity_type"),
                ("d0", "node", "entity_id"),
            ]
        )
        return (
            '<?xml version="1.0" encoding="utf-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
            f'{keys}<graph edgedefault="undirected">{nodes}{edges}</graph></graphml>'
        )

    def gexf(self, *, attribute=False):
        nodes = "".join(f'<node id="{self.number[name]}" label="{escape(name)}"/>' for name in self.names)
        messages = (
            [f'><attvalues><attvalue for="0" value="{escape(p)}"/></attvalues></edge>' for _, p, _ in self.triples]
            if attribute
            else [f' label="{escape(p)}"/>' for _, p, _ in self.triples]
        )
        edges = "".join(
            f'<edge id="{at}" source="{self.number[s]}" target="{self.number[o]}"{messages[at]}'
            for at, (s, p, o) in enumerate(self.triples)
        )
        names = '<attributes class="edge" mode="static"><attribute id="0" title="relation" type="string"/></attributes>'
        return (
            '<?xml version="1.0" encoding="utf-8"?>\n<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2">'
            f'<graph defaultedgetype="directed" mode="static">{names if attribute else ""}'
            f"<nodes>{nodes}</nodes><edges>{edges}</edges></graph></gexf>"
        )

    # Annotations and extractors

    def place(self, name):
        words = tuple(name.split())
        return self.places(len(words))[words]

    def places(self, count):
        """Where each run of so many words is first: graphs may be long."""
        if count not in self.runs:
            runs = zip(*(self.words[at:] for at in range(count)), strict=False)
            self.runs[count] = {words: at for at, words in reversed([*enumerate(runs)])}
        return self.runs[count]

    @cached_property
    def begins(self):
        return [0, *accumulate(len(word) + 1 for word in self.words)]

    def offsets(self, name):
        start = self.begins[self.place(name)]
        return start, start + len(name)

    def tokens(self):
        found, start = [], 0
        for at, word in enumerate(self.words):
            start = self.text.index(word, start)
            found.append({"text": word, "start": start, "end": start + len(word), "id": at, "ws": True})
            start += len(word)
        return found

    def span(self, name):
        start, end = self.offsets(name)
        first = self.place(name)
        return {
            "start": start,
            "end": end,
            "token_start": first,
            "token_end": first + len(name.split()) - 1,
            "label": self.types[name],
        }

    def prodigy(self, **more):
        return {
            "text": self.text,
            "tokens": self.tokens(),
            "spans": [self.span(name) for name in self.names],
            "relations": [
                {
                    "head": self.place(s) + len(s.split()) - 1,
                    "child": self.place(o) + len(o.split()) - 1,
                    "head_span": self.span(s),
                    "child_span": self.span(o),
                    "color": "#c5bdf4",
                    "label": p,
                }
                for s, p, o in self.triples
            ],
            "answer": "accept",
            "_input_hash": 1,
            "_task_hash": 2,
            **more,
        }

    def docred(self):
        return {
            "title": "d1",
            "sents": [self.words],
            "vertexSet": [
                [
                    {
                        "name": name,
                        "sent_id": 0,
                        "pos": [self.place(name), self.place(name) + len(name.split())],
                        "type": kind,
                    }
                ]
                for name, kind in self.types.items()
            ],
            "labels": [{"r": p, "h": self.number[s], "t": self.number[o], "evidence": [0]} for s, p, o in self.triples],
        }

    def rebel(self, *, typed=False):
        if typed:
            messages = [
                f"<triplet> {s} <{self.types[s].lower()}> {o} <{self.types[o].lower()}> {p}" for s, p, o in self.triples
            ]
            return "tp_XX" + " ".join(messages) + "</s>"
        return "<s>" + " ".join(f"<triplet> {s} <subj> {o} <obj> {p}" for s, p, o in self.triples) + "</s>"

    def stanford_tsv(self):
        return "".join(f"1.0\t{s}\t{p}\t{o}\n" for s, p, o in self.triples)

    def reverb_tsv(self):
        return "".join(
            "\t".join(
                ["a.txt", "0", s, p, o, "0", "1", "1", "2", "2", "3", "1.000", self.text, "NN " * 3, "x", s, p, o]
            )
            + "\n"
            for s, p, o in self.triples
        )

    def ollie(self, head="1.000: "):
        return "".join(f"{head}({s}; {p}; {o})\n" for s, p, o in self.triples)

    def openie6(self):
        return self.text + "\n" + self.ollie("0.98: ")

    def openie5(self):
        return self.text + "\n" + self.ollie("0.88 Context(He (or she) says,List([0, 8), [9, 12))):")

    def ollie_with_speaker(self):
        return "".join(f"0.9: ({s}; {p}; {o})[attrib=He says]\n" for s, p, o in self.triples)

    def corenlp(self):
        return {
            "sentences": [
                {
                    "index": 0,
                    "openie": [
                        {
                            "subject": s,
                            "subjectSpan": [0, 1],
                            "relation": p,
                            "relationSpan": [1, 2],
                            "object": o,
                            "objectSpan": [2, 3],
                        }
                        for s, p, o in self.triples
                    ],
                    "tokens": [{"index": 1, "word": "Oslo"}],
                }
            ]
        }

    def instructor(self):
        return {
            "nodes": [{"id": self.number[name], "label": name, "color": "orange"} for name in self.names],
            "edges": [
                {"source": self.number[s], "target": self.number[o], "label": p, "color": "black"}
                for s, p, o in self.triples
            ],
        }

    def glirel(self):
        return [
            {
                "head_pos": [self.place(s), self.place(s) + len(s.split())],
                "tail_pos": [self.place(o), self.place(o) + len(o.split())],
                "head_text": s.split(),
                "tail_text": o.split(),
                "label": p,
                "score": 0.9,
            }
            for s, p, o in self.triples
        ]

    def gliner_relations(self):
        def end(name):
            start, stop = self.offsets(name)
            return {
                "text": name,
                "type": self.types[name],
                "start": start,
                "end": stop,
                "entity_idx": self.number[name],
            }

        return [{"head": end(s), "tail": end(o), "relation": p, "score": 0.9} for s, p, o in self.triples]

    def gliner2(self):
        return {
            "entities": {
                kind: [name for name in self.names if self.types[name] == kind]
                for kind in dict.fromkeys(self.types.values())
            },
            "relation_extraction": {
                p: [[s, o] for s, q, o in self.triples if q == p] for p in dict.fromkeys(p for _, p, _ in self.triples)
            },
        }

    def graphrag_relationships(self):
        return [
            {
                "id": f"r{at}",
                "human_readable_id": at,
                "source": s,
                "target": o,
                "description": p,
                "weight": 9.0,
                "combined_degree": 3,
                "text_unit_ids": ["unit-1"],
            }
            for at, (s, p, o) in enumerate(self.triples)
        ]

    def graphrag_entities(self):
        return [
            {
                "id": self.uuids[name],
                "human_readable_id": at,
                "title": name,
                "type": kind,
                "description": f"{name} is a {kind}.",
                "text_unit_ids": ["unit-1"],
            }
            for at, (name, kind) in enumerate(self.types.items())
        ]


SHAPES = {
    "LangChain": ("graphs.json", lambda self: json.dumps([self.langchain()])),
    "LangChain, one": ("graph.json", lambda self: json.dumps(self.langchain(), indent=2)),
    "LangChain, lines": ("graphs.jsonl", lambda self: lines([self.langchain()])),
    "LangChain, dumps": ("graph.json", lambda self: json.dumps(self.langchain_dumped())),
    "LangChain, dumps of a list": ("graph.json", lambda self: json.dumps([self.langchain_dumped()])),
    "LlamaIndex": ("property_graph_store.json", lambda self: json.dumps(self.llama_store())),
    "LlamaIndex, graph_dict": ("graph_store.json", lambda self: json.dumps(self.llama_graph_dict())),
    "LlamaIndex, triplets": (
        "triplets.txt",
        lambda self: "".join(f"({s}, {p}, {o})\n" for s, p, o in self.triples),
    ),
    "GraphRAG, raw": ("answer.txt", Graph.graphrag_raw),
    "LightRAG, raw": ("answer.txt", lambda self: self.graphrag_raw(keywords=True)),
    "LightRAG, raw lines": ("answer.txt", Graph.lightrag_raw),
    "LightRAG, GraphML": ("graph_chunk_entity_relation.graphml", Graph.lightrag_graphml),
    "LightRAG, vectors": ("vdb_relationships.json", lambda self: json.dumps(self.lightrag_vectors())),
    "KGGen": ("kg.json", lambda self: json.dumps(self.kggen())),
    "KGGen, clusters": (
        "kg.json",
        lambda self: json.dumps(self.kggen(entity_clusters={"Oslo": ["Oslo"]}, edge_clusters=None)),
    ),
    "Graphiti": ("episode.json", lambda self: json.dumps(self.graphiti())),
    "Graphiti, edges": ("answer.json", lambda self: json.dumps(self.graphiti_answer())),
    "Cognee": ("graph.json", lambda self: json.dumps(self.cognee())),
    "Neo4j, APOC lines": ("all.json", lambda self: lines(self.apoc_lines())),
    "Neo4j, APOC array": ("all.json", lambda self: json.dumps(self.apoc_lines())),
    "Neo4j, APOC JSON": ("all.json", lambda self: json.dumps(self.apoc_json())),
    "Neo4j, APOC JSON by id": ("all.json", lambda self: json.dumps(self.apoc_by_id())),
    "Neo4j, APOC CSV": ("all.csv", Graph.apoc_csv),
    "Neo4j, browser JSON": ("records.json", lambda self: json.dumps(self.browser(), indent=2)),
    "Neo4j, browser paths": ("records.json", lambda self: json.dumps(self.browser_paths(), indent=2)),
    "Neo4j, browser CSV": ("export.csv", Graph.browser_csv),
    "Neo4j, admin import": ("relations.csv", Graph.admin_relations),
    "NetworkX, links": ("g.json", lambda self: json.dumps(self.node_link())),
    "NetworkX, edges": ("g.json", lambda self: json.dumps(self.node_link("edges"))),
    "NetworkX, label": ("g.json", lambda self: json.dumps(self.node_link("edges", "label"))),
    "GraphML": ("g.graphml", Graph.graphml),
    "GEXF": ("g.gexf", Graph.gexf),
    "GEXF, attribute": ("g.gexf", lambda self: self.gexf(attribute=True)),
    "Prodigy": ("a.jsonl", lambda self: lines([self.prodigy()])),
    "DocRED": ("dev.json", lambda self: json.dumps([self.docred()])),
    "REBEL": ("a.txt", Graph.rebel),
    "mREBEL": ("a.txt", lambda self: self.rebel(typed=True)),
    "CoreNLP OpenIE": ("a.json", lambda self: json.dumps(self.corenlp(), indent=2)),
    "Stanford OpenIE": ("a.tsv", Graph.stanford_tsv),
    "Stanford OpenIE, text": ("a.txt", Graph.stanford_tsv),
    "Stanford OpenIE, ReVerb": ("a.tsv", Graph.reverb_tsv),
    "Stanford OpenIE, Ollie": ("a.txt", Graph.ollie),
    "OpenIE 6": ("a.txt", Graph.openie6),
    "OpenIE 5 with contexts": ("a.txt", Graph.openie5),
    "Ollie with a speaker": ("a.txt", Graph.ollie_with_speaker),
    "Instructor": ("a.json", lambda self: json.dumps(self.instructor())),
    "GLiREL": ("a.json", lambda self: json.dumps(self.glirel())),
    "GLiNER": ("a.json", lambda self: json.dumps(self.gliner_relations())),
    "GLiNER 2": ("a.json", lambda self: json.dumps(self.gliner2())),
}
"""The name of the file that a builder writes, and what is in it."""


def write(name, folder, graph=None):
    """Write what a builder writes of a graph to a folder, with the files that belong to it, and return its path."""
    graph = graph or Graph()
    if name == "GraphRAG":
        parquet(folder / "entities.parquet", graph.graphrag_entities())
        parquet(folder / "relationships.parquet", graph.graphrag_relationships())
        return folder / "relationships.parquet"
    if name == "Neo4j, admin import":
        (folder / "nodes.csv").write_text(graph.admin_nodes(), encoding="utf-8")
    file, written = SHAPES[name]
    path = folder / file
    path.write_text(written(graph), encoding="utf-8")
    return path


BUILDERS = (*SHAPES, "GraphRAG")
