"""Citations and links, as models with a search write them, are no part of names."""

import pytest

import goldassay
from goldassay.formats.answers.batch import without_citations

CITATIONS = (
    " [1]",
    "[1]",
    " [^2]",
    "[^2]",
    "<sup>3</sup>",
    " 【4:0†source】",
    "[1][2]",
    " [1, 2]",
    " [3\u20135]",
    " ([Wikipedia](https://en.wikipedia.org/wiki/A_(b)))",
    " [source](http://x.y/z)",
)
SHAPES = {
    "arrows": ("taxonomy", "{0} -> {1}\n{2} -> {1}\n"),
    "sentences": ("taxonomy", "A {0} is an {1}.\nA {2} is an {1}.\n"),
    "cited sentences": ("taxonomy", "A {0} is an animal{c}.\nA {2} is an animal{c}\n"),
    "an outline": ("taxonomy", "- {1}\n  - {0}\n  - {2}\n"),
    "a table": ("taxonomy", "| child | parent |\n|---|---|\n| {0} | {1} |\n| {2} | {1} |\n"),
    "JSON": ("taxonomy", '```json\n[{{"child": "{0}", "parent": "{1}"}}, {{"child": "{2}", "parent": "{1}"}}]\n```\n'),
    "bars": ("triples", "{0} | is a | {1}\n{2} | is a | {1}\n"),
    "tuples": ("triples", "({0}, is a, {1})\n({2}, is a, {1})\n"),
    "equations": ("alignment", "{0} = {1}\n{2} = {1}\n"),
    "bullets": ("concepts", "- {0}\n- {1}\n- {2}\n"),
    "labels": ("labels", "d1: {0}\nd2: {1}\nd3: {2}\n"),
}


def read(tmp_path, shape, decorate):
    kind, text = SHAPES[shape]
    path = tmp_path / "answer.md"
    cited = decorate("x").removeprefix("x")
    path.write_text(text.format(*map(decorate, ("cat", "animal", "dog")), c=cited), encoding="utf-8")
    found = goldassay.read(path, kind=kind)
    return sorted(map(found.item, range(len(found))))


@pytest.mark.parametrize("citation", CITATIONS)
@pytest.mark.parametrize("shape", SHAPES)
def test_a_citation_is_no_part_of_a_name(tmp_path, shape, citation):
    assert read(tmp_path, shape, lambda name: name + citation) == read(tmp_path, shape, str)


@pytest.mark.parametrize("shape", [shape for shape in SHAPES if shape not in {"JSON", "cited sentences"}])
def test_a_link_is_the_name_that_it_shows(tmp_path, shape):
    linked = read(tmp_path, shape, lambda name: f"[{name}](https://example.org/wiki/{name}_(one))")
    assert linked == read(tmp_path, shape, str)


@pytest.mark.parametrize(
    "text",
    [
        "d1: [1, 2]",
        "[1] cat -> pet",
        "Item 4 [1]",
        '{"a": ["x"], "b": [1, 2]}',
        "ab[1] --> cd[2]",
        "[a](b.md)",
        "f([1])",
    ],
)
def test_what_is_no_citation_stays(text):
    assert without_citations(text) == text
