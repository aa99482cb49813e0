"""Model output: the same edges in every shape give the same edges, with prose around them or not."""

from __future__ import annotations

import contextlib
import json
import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.formats.pages import aligned, pages
from tests.growing import is_linear, spent

import goldassay
from goldassay.core.errors import InputError
from goldassay.formats.answers.read import is_answer, read_answer
from goldassay.formats.source import Source
from goldassay.graphs.read import read_graph
from goldassay.graphs.reading import GraphReading

TREE = {
    "living thing": {"animal": {"dog": {"poodle": {}, "beagle": {}}, "cat": {"siamese cat": {}}}, "plant": {"oak": {}}}
}


def edges_of(tree, parent=None):
    for name, below in tree.items():
        if parent:
            yield name, parent
        yield from edges_of(below, name)


def nested(tree, line, depth=0):
    return "".join(line(name, depth) + nested(below, line, depth + 1) for name, below in tree.items())


def box(tree, before=""):
    text = ""
    for place, (name, below) in enumerate(tree.items()):
        last = place == len(tree) - 1
        text += f"{before}{'└── ' if last else '├── '}{name}\n{box(below, before + ('    ' if last else '│   '))}"
    return text


def numbered(tree, before=""):
    return "".join(
        f"{before}{place}. {name}\n{numbered(below, f'{before}{place}.')}"
        for place, (name, below) in enumerate(tree.items(), start=1)
    )


def children(tree):
    return [{"name": name, "children": children(below)} for name, below in tree.items()]


def parents_of(tree):
    for name, below in tree.items():
        yield name, below
        yield from parents_of(below)


def html_list(tree, between="\n"):
    items = (f"<li>{name}{between + html_list(below, between) if below else ''}</li>" for name, below in tree.items())
    return between.join(["<ul>", *items, "</ul>"])


def listed(form):
    return lambda tree: "".join(form.format(a=a, b=b) + "\n" for a, b in edges_of(tree))


MIND_MAP = ("(({}))", "[{}]", '("`{}`")', "{{{{{}}}}}")
"""Shapes of the nodes of a mind map."""
SHAPES = {
    "arrows": listed("{a} -> {b}"),
    "arrows down": listed("* {b} → {a}"),
    "double arrows": listed("{a} => {b}"),
    "named arrows": listed("{a} --[is a]--> {b}"),
    "arrows with a relation between": listed("{a} -> is a -> {b}"),
    "subsets": listed("{a} ⊑ {b}"),
    "supersets": listed("{b} ⊒ {a}"),
    "sentences": listed("{a} is a {b}"),
    "kinds": listed("- A {a} is a kind of {b}."),
    "types": listed("Every {a} is a type of {b}."),
    "subclasses": listed("{a} subClassOf {b}"),
    "superclasses": listed("{b} is the parent of {a}"),
    "tuples": listed("({a}, is a, {b})"),
    "quoted tuples": listed("('{a}', 'is a', '{b}'),"),
    "bars": listed("{a} | is a | {b}"),
    "functional": lambda tree: (
        listed("SubClassOf(:{a} :{b})")(tree).replace(" thing", "_thing").replace("e cat", "e_cat")
    ),
    "manchester": lambda tree: (
        listed("Class: {a}\n    SubClassOf: {b}\n")(tree).replace("g t", "g_t").replace("e cat", "e_cat")
    ),
    "bullets": lambda tree: nested(tree, lambda name, depth: f"{'  ' * depth}- {name}\n"),
    "bold bullets": lambda tree: nested(tree, lambda name, depth: f"{'    ' * depth}* **{name}**: what it is\n"),
    "tabs": lambda tree: nested(tree, lambda name, depth: "\t" * depth + name + "\n"),
    "indented": lambda tree: nested(tree, lambda name, depth: f"{'   ' * depth}{name}\n"),
    "headings": lambda tree: nested(tree, lambda name, depth: f"{'#' * (depth + 1)} {name}\n\n"),
    "box": box,
    "numbered": numbered,
    "markdown": lambda tree: "| Child | Parent | Sure |\n|---|:--|---|\n" + listed("| {a} | {b} | yes |")(tree),
    **{
        shape: lambda tree, write=write: write([(a, b) for a, b in edges_of(tree)])
        for shape, write in pages("child", "parent").items()
    },
    "aligned columns with numbers of rows": lambda tree: aligned("child", "parent", index=True)(list(edges_of(tree))),
    "lists of HTML": html_list,
    "lists of HTML on one line": lambda tree: html_list(tree, ""),
    "nested JSON": lambda tree: json.dumps(tree, indent=2),
    "children": lambda tree: json.dumps(children(tree)[0]),
    "forest": lambda tree: json.dumps({"taxonomy": children(tree)}),
    "pairs": lambda tree: json.dumps([list(edge) for edge in edges_of(tree)]),
    "python": lambda tree: str(list(edges_of(tree))),
    "objects": lambda tree: json.dumps([{"child": a, "parent": b} for a, b in edges_of(tree)]),
    "wrapped": lambda tree: json.dumps({"edges": [{"child": a, "parent": b, "sure": 1} for a, b in edges_of(tree)]}),
    "map": lambda tree: json.dumps(dict(edges_of(tree))),
    "texts": lambda tree: json.dumps([f"{a} is a {b}" for a, b in edges_of(tree)]),
    "fields": listed("Child: {a}\nParent: {b}\n"),
    "lists behind colons": lambda tree: "".join(
        f"{name}: {', '.join(below)}\n" for name, below in parents_of(tree) if below
    ),
    "mermaid down": lambda tree: (
        "graph TD\n" + "".join(f'n{abs(hash(b))}["{b}"] --> n{abs(hash(a))}["{a}"]\n' for a, b in edges_of(tree))
    ),
    "mermaid up": lambda tree: (
        "flowchart BT\n" + "".join(f'n{abs(hash(a))}["{a}"] --> n{abs(hash(b))}["{b}"];\n' for a, b in edges_of(tree))
    ),
    "mermaid classes": lambda tree: (
        "classDiagram\n" + listed("{b} <|-- {a}")(tree).replace("g t", "g_t").replace("e cat", "e_cat")
    ),
    "mind map": lambda tree: "mindmap\n" + nested(tree, lambda name, depth: f"{'  ' * (depth + 1)}{name}\n"),
    "mind map of shapes": lambda tree: (
        "mindmap\n"
        + nested(
            tree,
            lambda name, depth: (
                "  " * (depth + 1)
                + f"n{depth}{MIND_MAP[depth % 4].format(name)}:::big\n{'  ' * (depth + 2)}::icon(fa fa-book)\n"
            ),
        )
    ),
    "dot": lambda tree: "digraph {\n" + listed('  "{a}" -> "{b}" [label="is_a"];')(tree) + "}\n",
    "dot up": lambda tree: "digraph G { rankdir=BT; // up\n" + listed('"{a}" -> "{b}"')(tree) + "}\n",
}


def of(path, text, **options):
    path.write_text(text, encoding="utf-8")
    graph = read_graph(path, GraphReading(**options))
    return graph, {tuple(graph.item(row).split(" -> ")) for row in range(len(graph))}


def plain(edges):
    return {tuple(end.replace("_", " ") for end in edge) for edge in edges}


@pytest.mark.parametrize("suffix", ["", ".txt", ".md"])
@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_gives_the_same_edges(shape, suffix, tmp_path):
    graph, edges = of(tmp_path / f"answer{suffix}", SHAPES[shape](TREE))
    assert plain(edges) == set(edges_of(TREE))
    assert graph.format == ("json-lines" if shape == "objects" else "model-output")


@pytest.mark.parametrize("shape", SHAPES)
def test_prose_and_a_fence_change_nothing_and_are_counted(shape, tmp_path):
    text = f"Sure! Here is the taxonomy you asked for:\n\n```text\n{SHAPES[shape](TREE).rstrip()}\n```\n\nLet me know if you need more.\n"
    graph, edges = of(tmp_path / "answer.txt", text)
    assert plain(edges) == set(edges_of(TREE))
    assert graph.left_out["lines_of_prose"] == 2
    assert "Sure! Here is" in graph.notes[0] or "code fence" in graph.notes[0]


BLANKS = re.compile(r"^ +", re.MULTILINE)
WRITTEN = {
    "line ends of Windows": lambda text: text.replace("\n", "\r\n"),
    "blanks behind lines": lambda text: text.replace("\n", " \n") + " ",
    "a byte order mark": lambda text: f"\ufeff{text}",
    "line separators": lambda text: text.replace("\n", "\u2028\n") + "\u2028",
    "blanks that do not break": lambda text: BLANKS.sub(lambda found: "\xa0" * len(found[0]), text),
    "wide blanks": lambda text: BLANKS.sub(lambda found: "\u3000" * len(found[0]), text),
}
"""How the same text may be written."""


def is_refused(text, how):
    """JSON has no other blanks."""
    return text.startswith(("[", "{")) and how in ("line separators", "blanks that do not break", "wide blanks")


@pytest.mark.parametrize("how", WRITTEN)
@pytest.mark.parametrize("shape", SHAPES)
def test_how_lines_end_and_begin_changes_nothing(shape, how, tmp_path):
    text = SHAPES[shape](TREE)
    for written in (text, f"Sure:\n\n```\n{text}\n```\n"):
        for suffix in ("", ".txt"):
            try:
                found = of(tmp_path / f"a{suffix}", WRITTEN[how](written))[1]
            except InputError:
                assert is_refused(text, how)
            else:
                assert plain(found) == set(edges_of(TREE))


@pytest.mark.parametrize(
    "shape", ["arrows", "sentences", "kinds", "tuples", "bullets", "box", "numbered", "markdown", "nested JSON"]
)
def test_prose_without_a_fence_is_counted(shape, tmp_path):
    graph, edges = of(
        tmp_path / "answer.txt", f"Here is the taxonomy, as requested:\n\n{SHAPES[shape](TREE)}\nI hope this helps!\n"
    )
    assert plain(edges) == set(edges_of(TREE))
    assert graph.left_out["lines_of_prose"] == 2


def test_a_fence_with_another_format_keeps_its_lines(tmp_path):
    path = tmp_path / "answer.txt"
    text = "Here:\n```turtle\n@prefix : <http://a#> .\n@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n:dog rdfs:subClassOf :animal .\n```\n"
    assert of(path, text)[1] == {("dog", "animal")}
    with pytest.raises(InputError, match=r"answer.txt:4"):
        of(path, "Here:\n```csv\nchild,parent\ndog,\n```\n")


@pytest.mark.parametrize("arrow", ["->", "→", "=>", "-->"])
def test_arrows_that_may_lead_either_way_are_refused_with_both_flags(arrow, tmp_path):
    text = f"poodle {arrow} dog\ndog {arrow} animal\n"
    with pytest.raises(InputError, match="--arrows child-parent or --arrows parent-child"):
        of(tmp_path / "answer.txt", text)
    assert of(tmp_path / "answer.txt", text, arrows="child-parent")[1] == {("poodle", "dog"), ("dog", "animal")}
    assert of(tmp_path / "answer.txt", text, arrows="parent-child")[1] == {("dog", "poodle"), ("animal", "dog")}


def test_a_guessed_direction_is_a_warning(tmp_path):
    graph, _ = of(tmp_path / "answer.txt", "animal -> dog\nanimal -> cat\n")
    assert any("from parent to child" in line and "--arrows" in line for line in graph.warnings)


def test_mostly_prose_is_a_warning(tmp_path):
    text = "- dog is a animal\n" + "".join(f"Some thoughts about number {n}.\n" for n in range(9))
    graph, edges = of(tmp_path / "answer.txt", "```\n- dog is a animal\n```\n" + text[18:])
    assert edges == {("dog", "animal")}
    assert any("lines were not read" in line for line in graph.warnings)


@pytest.mark.parametrize(
    "record",
    [
        lambda name, text: {"custom_id": name, "response": {"body": {"choices": [{"message": {"content": text}}]}}},
        lambda name, text: {
            "custom_id": name,
            "response": {"body": {"output": [{"content": [{"type": "output_text", "text": text}]}]}},
        },
        lambda name, text: {"custom_id": name, "result": {"message": {"content": [{"type": "text", "text": text}]}}},
    ],
)
def test_batch_files_are_read_answer_by_answer(record, tmp_path):
    texts = ["dog is a animal", '```json\n[{"child": "cat", "parent": "animal"}]\n```', "I do not know."]
    lines = "".join(json.dumps(record(f"r{place}", text)) + "\n" for place, text in enumerate(texts))
    graph, edges = of(tmp_path / "batch.jsonl", lines)
    assert edges == {("dog", "animal"), ("cat", "animal")}
    assert graph.left_out["lines_of_prose"] == 1


@pytest.mark.parametrize(
    "text",
    [
        '{"loss": 0.5, "steps": {"a": 1}}',
        '{"nodes": ["a"]}',
        "Once upon a time.\nThere lived a king.\n",
        '{"a": {"b": [1, 2]}}',
    ],
)
def test_other_texts_are_refused(text, tmp_path):
    with pytest.raises(InputError):
        of(tmp_path / "answer.json" if text.startswith("{") else tmp_path / "answer", text)


NAMES = st.text("abcdefgh", min_size=3, max_size=9)


@given(
    st.lists(NAMES, min_size=4, max_size=14, unique=True),
    st.integers(0, 2**32),
    st.sampled_from(
        [
            "bullets",
            "indented",
            "box",
            "numbered",
            "nested JSON",
            "children",
            "sentences",
            "tuples",
            "markdown",
            "mind map",
        ]
    ),
)
def test_random_trees_are_read_back(names, seed, shape):
    draw = random.Random(seed)  # noqa: S311
    tree: dict[str, dict] = {names[0]: {}}
    places = [tree[names[0]]]
    for name in names[1:]:
        below = draw.choice(places)[name] = {}
        places.append(below)
    data = SHAPES[shape](tree).encode()
    answer = read_answer(Source(path="a.txt", name="a.txt", data=data, size=len(data)))
    rows = [line.split(",") for line in answer.source.data.decode().split()][1:]
    assert sorted((row[0], row[-1] if shape != "markdown" else row[1]) for row in rows) == sorted(edges_of(tree))


def test_a_deep_line_of_a_box_below_a_line_that_goes_on_is_below_its_parent(tmp_path):
    tree = {"animal": {"dog": {"hound": {"beagle": {"puppy": {"pup": {}}}}}, "cat": {}}}
    assert of(tmp_path / "answer.txt", SHAPES["box"](tree))[1] == set(edges_of(tree))


@pytest.mark.parametrize(
    "piece",
    [
        "a-",
        "- ",
        "[",
        '"',
        "| ",
        " is ",
        "A --> ",
        "(a, ",
        "**",
        "->",
        "1.",
        "a[[",
        "\u2514",
        "\u4e2d",
        "{",
        "`",
        '{"a": [1, ',
        "[[1], ",
        '{"a": {"b": 1}, ',
    ],
)
def test_long_lines_take_steps_in_proportion(piece):
    def seconds(size):
        data = (f"graph TD\n{piece * size}" if piece == "A --> " else piece * size).encode()
        return spent(read_or_refuse, Source(path="a", name="a", data=data, size=len(data)))

    def read_or_refuse(source):
        with contextlib.suppress(InputError):
            read_answer(source)

    assert is_linear(seconds, 5_000, 0.03)


def test_every_fence_is_read_and_what_is_not_read_in_one_is_counted(tmp_path):
    text = '```\n| child | parent |\n|---|---|\n| dog | animal |\nand so on\n```\nAlso:\n```json\n{"plant": ["oak"]}\n```\n'
    graph, edges = of(tmp_path / "answer.txt", text)
    assert edges == {("dog", "animal"), ("oak", "plant")}
    assert graph.left_out["lines_of_prose"] == 2
    assert "line 5 ('and so on')" in graph.notes[0]


def test_lines_that_are_not_read_inside_and_outside_a_fence_are_counted_together(tmp_path):
    graph, edges = of(
        tmp_path / "answer.txt", "Sure:\n```\ndog is a animal\ncat is a animal\nAnd others.\n```\nDone.\n"
    )
    assert (edges, graph.left_out["lines_of_prose"]) == ({("dog", "animal"), ("cat", "animal")}, 3)


@pytest.mark.parametrize(
    "answer",
    [
        {"response": "timeout"},
        {"response": {"body": {"choices": "none"}}},
        {"response": {"body": {"choices": [None, {"message": "refused"}], "output": {}}}},
        {"result": {"message": {"content": [1, {"text": None}]}}},
        {"response": {"body": {"choices": [{"message": {"content": "| a | b |\n|---|---|\n| 1 | 2 |"}}]}}},
    ],
)
def test_an_answer_of_a_batch_that_says_nothing_is_a_line_that_was_not_read(answer, tmp_path):
    good = {"custom_id": "1", "result": {"message": {"content": "dog is a animal"}}}
    lines = "".join(json.dumps(one) + "\n" for one in (good, {"custom_id": "2", **answer}))
    graph, edges = of(tmp_path / "batch.jsonl", lines)
    assert (edges, graph.left_out["lines_of_prose"]) == ({("dog", "animal")}, 1)


def test_a_node_of_cypher_with_an_empty_name_is_called_by_its_variable(tmp_path):
    _, edges = of(tmp_path / "answer.txt", "CREATE (dog {name: ''})-[:IS_A]->(b {name: 'animal'})\n")
    assert edges == {("dog", "animal")}


@pytest.mark.parametrize("text", ["1) dog -> animal", "❶ dog -> animal", "**dog** -> animal, because it breathes."])
def test_what_decorates_a_line_is_no_part_of_its_names(text, tmp_path):
    _, edges = of(tmp_path / "answer.txt", f"{text}\ncat -> animal\n")
    assert edges == {("dog", "animal"), ("cat", "animal")}


KIN = [("dog", "mammal"), ("cat", "mammal"), ("mammal", "animal"), ("bird", "animal")]
ARROWS = "".join(f"{a} -> {b}\n" for a, b in KIN)
MANCHESTER = "Prefix: : <http://example.org/#>\nOntology: <http://example.org/>\n\n" + "".join(
    f'Class: :{a}\n    Annotations: rdfs:label "{a}"\n    SubClassOf: :{b}\n\n' for a, b in KIN
)  # fmt: skip
ODD = {
    "two-sentences-a-line.txt": "A dog is a mammal. A cat is a mammal.\nA mammal is an animal; A bird is an animal.\n",
    "german.txt": "Hier ist die Taxonomie:\n\n* animal\n    * mammal\n        * dog\n        * cat\n    * bird\n\nIch hoffe, das hilft!\n",
    "german-sentences.txt": "Ein dog ist ein mammal. Jede cat ist ein mammal.\nmammal gehört zu animal\nEin bird ist eine Art von animal.\n",
    "one-line-frames.txt": "".join(f"Class: {a} SubClassOf: {b}\n" for a, b in KIN),
    "fenced-ontology.md": f"Here it is:\n```manchester\n{MANCHESTER}```\n",
    "braces.dot": 'digraph {\n  rankdir=BT; { dog cat } -> mammal\n  {mammal; bird} -> animal [label="is a"]\n}\n',
    "quoted.md": "".join(f"> > {line}\n" for line in ARROWS.splitlines()),
    "nested-fence.md": f"````markdown\nHere:\n```\n{ARROWS}```\n````\nDone.\n",
    "thoughts.md": "<think>\nIs a cat a plant? No.\n</think>\n\n| child | parent |\n|---|---|\n" + "".join(f"| {a} | {b} |\n" for a, b in KIN),
    "prolog.md": "```prolog\n% taxonomy\n" + "".join(f"is_a({a}, {b}).\n" for a, b in KIN) + "```\n",
    "node.csv": "node,parent\n" + "".join(f"{a},{b}\n" for a, b in KIN),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize("name", [*ODD, "wide.txt"])
def test_odd_answers_are_read_too(name, tmp_path):
    path = tmp_path / name
    path.write_bytes(ODD[name].encode() if name in ODD else ARROWS.replace("->", "→").encode("utf-16"))
    graph = goldassay.read(path)
    assert sorted(graph.item(row) for row in range(len(graph))) == sorted(f"{a} -> {b}" for a, b in KIN)


@pytest.mark.parametrize(
    ("line", "item"),
    [
        ("Dr. Who is a doctor", "Dr. Who -> doctor"),
        ("A dog (Canis L. Familiaris) is a mammal.", "dog (Canis L. Familiaris) -> mammal"),
        ("A die is a tool for casting", "die -> tool for casting"),
    ],
)
def test_a_sentence_with_points_or_words_of_german_stays_whole(line, item, tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(f"{line}\nA cat is an animal\n")
    graph = goldassay.read(path)
    assert item in [graph.item(row) for row in range(len(graph))]


def test_a_whole_ontology_in_manchester_syntax_is_refused(tmp_path):
    path = tmp_path / "a.omn"
    path.write_text(MANCHESTER)
    with pytest.raises(goldassay.InputError, match="robot convert"):
        goldassay.read(path)


def test_facts_of_prolog_are_triples(tmp_path):
    path = tmp_path / "a.md"
    path.write_text("```prolog\ncapital_of(oslo, norway).\nborn_in( 'Ada', london ) .\n```\n")
    triples = goldassay.read(path, kind="triples")
    assert sorted(triples.item(row) for row in range(len(triples))) == [
        "1: Ada | born in | london",
        "1: oslo | capital of | norway",
    ]


def test_prose_with_commas_is_no_table(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("Sure, here is a text.\nIt is long, and\nhas commas, and more.\nA dog is a mammal.\nThe end.\n")
    graph = goldassay.read(path)
    assert [graph.item(row) for row in range(len(graph))] == ["dog -> mammal"]
    assert "4 of 5 lines were not read" in graph.warnings[0]


def test_a_hierarchy_of_labels_may_be_model_output(tmp_path):
    hierarchy, gold = tmp_path / "paths.txt", tmp_path / "gold.csv"
    hierarchy.write_text("Animals > Mammals > Dog\nAnimals > Mammals > Cat\nAnimals > Birds\n")
    gold.write_text("instance,label\nd1,Dog\nd2,Birds\n")
    labels = goldassay.read(gold, kind="labels", hierarchy=str(hierarchy))
    assert sorted(labels.hierarchy.names.tolist()) == sorted(["Animals", "Mammals", "Dog", "Cat", "Birds"])
    assert any("hierarchy: read as arrows: 3 of 3 lines" in note for note in labels.notes)
    assert not any("--arrows" in line for line in labels.warnings)


@pytest.mark.parametrize(
    "head", ["Taxonomy:", "The taxonomy:", "The resulting hierarchy:", "My final answer:", "**The complete ontology:**"]
)
@pytest.mark.parametrize("shape", ["bullets", "box", "numbered"])
def test_a_title_of_an_outline_is_no_root(shape, head, tmp_path):
    graph, edges = of(tmp_path / "answer.txt", f"{head}\n{SHAPES[shape](TREE)}")
    assert plain(edges) == set(edges_of(TREE))
    assert graph.left_out["lines_of_prose"] == 1


@pytest.mark.parametrize("kind", ["taxonomy", "triples", "alignment", "axioms", "labels", "concepts", "sentences"])
@pytest.mark.parametrize("depth", [2, 25, 2000])
def test_fences_in_fences_are_read_or_refused_at_any_depth(kind, depth, tmp_path):
    path = tmp_path / "answer.txt"
    path.write_text("```json\n" * depth + '[["cat", "eats", "fish"]]\n')
    with contextlib.suppress(InputError):
        assert len(goldassay.read(path, kind=kind))


def test_the_deepest_fences_that_are_read(tmp_path):
    path = tmp_path / "answer.txt"
    for depth in (1, 2, 20):
        path.write_text("```json\n" * depth + "child,parent\ncat,pet\n")
        assert goldassay.read(path).item(0) == "cat -> pet"
    path.write_text("```json\n" * 2000 + "child,parent\ncat,pet\n")
    with pytest.raises(InputError, match=r"answer\.txt:21: The code fences are nested too deeply"):
        goldassay.read(path)


def test_a_second_colon_belongs_to_the_name(tmp_path):
    _, edges = of(tmp_path / "a.txt", "thing: animal\nanimal: dog, cat: wild, lynx\n")
    assert edges == {("animal", "thing"), ("dog", "animal"), ("cat: wild", "animal"), ("lynx", "animal")}


@pytest.mark.parametrize("size", [3, 5000])
def test_a_group_of_dot_may_be_of_any_size(size, tmp_path):
    path = tmp_path / "a.dot"
    path.write_text("digraph { rankdir=BT; {" + " ".join(f"n{one}" for one in range(size)) + "} -> top }")
    assert len(goldassay.read(path)) == size


def rows_of(letter, size):
    return [(f"{letter}{row}", f"p{row % 3}") for row in range(size)]


@pytest.mark.parametrize(
    "write",
    [
        lambda rows: "| Child | Parent |\n|---|---|\n" + "".join(f"| {a} | {b} |\n" for a, b in rows),
        lambda rows: "child,parent\n" + "".join(f"{a},{b}\n" for a, b in rows),
    ],
)
@pytest.mark.parametrize("fence", ["{}", "```\n{}```\n"])
def test_several_tables_with_one_header_are_one_table(write, fence, tmp_path):
    some, more = rows_of("a", 20), rows_of("b", 4)
    text = fence.format(f"Here are some:\n\n{write(some)}\n## And more\n\n{write(more)}\nThat is all.\n")
    graph, edges = of(tmp_path / "answer.txt", text)
    assert edges == {*some, *more}
    assert graph.left_out == {"lines_of_prose": 3}


def test_a_bad_row_of_a_second_table_has_its_line(tmp_path):
    with pytest.raises(InputError, match=r"answer.md:9"):
        of(tmp_path / "answer.md", "|child|parent|\n|-|-|\n|dog|pet|\n\nMore:\n\n|child|parent|\n|-|-|\n|cat||\n")


def test_tables_of_the_family_are_read_and_others_are_warned_of(tmp_path):
    text = (
        "|column|what|\n|-|-|\n|child|a name|\n\n|child|parent|\n|-|-|\n|dog|pet|\n\n|parent|child|\n|-|-|\n|pet|cat|\n"
    )
    graph, edges = of(tmp_path / "answer.md", text)
    assert edges == {("dog", "pet"), ("cat", "pet")}
    assert "not read: 1 table with 1 row and other columns: column, what" in graph.warnings


@pytest.mark.parametrize("mark", ["- ", ""])
def test_arrows_next_to_an_outline_are_warned_of_and_read_in_a_fence(mark, tmp_path):
    outline = f"{mark}animal\n  {mark}bird\n  {mark}fish\n  {mark}dog\n"
    arrows = "b0 -> bird\nb1 -> bird\n"
    graph, _ = of(tmp_path / "answer.txt", f"{outline}\n{arrows}")
    assert any("2 lines with arrows" in line for line in graph.warnings)
    _, edges = of(tmp_path / "fences.txt", f"```\n{outline}```\n\n```\n{arrows}```\n")
    assert edges == {("bird", "animal"), ("fish", "animal"), ("dog", "animal"), ("b0", "bird"), ("b1", "bird")}


def test_example_of_is_answer():
    assert is_answer("Sure! Here it is:\n- animal\n  - dog\n  - cat")
    assert not is_answer("once upon a time")


def test_example_of_read_answer():
    text = b"A dog is an animal."
    answer = read_answer(Source(path="a.txt", name="a.txt", data=text, size=len(text)))
    assert answer.source.data == b"child,parent\ndog,animal\n"
    assert answer.format == "csv"
    assert answer.note == "read as sentences: 1 of 1 lines"
