"""A hint leads somewhere: following it succeeds, or leads to another error that says more about the content."""

import re
import shlex

import pytest

from goldassay.core.text import HIDDEN

GOLDS = {
    "taxonomy": "child,parent\ncat,animal\n",
    "axioms": "class,property,object\ncat,eats,fish\n",
    "alignment": "source,target\na,b\n",
    "concepts": "id,concepts\n1,cat\n",
    "triples": "id,subject,predicate,object\nd1,Oslo,in,Norway\n",
    "labels": "instance,label\ni1,cat\n",
    "sentences": "id,text\n1,The cat sleeps.\n",
}
MEASURES = {
    "taxonomy": "literal", "axioms": "exact", "alignment": "overlap", "concepts": "concept_exact", "triples": "triples",
    "labels": "hierarchical", "sentences": "levenshtein",
}  # fmt: skip
SHAPES = {
    "fence.md": "```json\n[1]\n```\n",
    "fence.txt": "```\nchild,parent\n```\n",
    "graph.dot": "digraph {\n  cat -> animal\n}\n",
    "strict": "strict graph pets { cat -- animal }",
    "flow.mmd": "graph TD\n  cat --> animal\n",
    "chart": "flowchart LR\n  cat --> animal\n",
    "a.yaml": "---\ncat: animal\n",
    "yaml": "cat: animal\ndog: animal\n",
    "page.html": "<html><body><p>404</p></body></html>",
    "feed.xml": "<rss><channel/></rss>",
    "prose": "The cat is an animal.",
    "prose.log": "The cat is an animal.",
    "one word": "cat",
    "record.json": '{"child": "cat", "parent": "animal"}',
    "pretty.json": '{\n  "child": "cat",\n  "parent": "animal"\n}\n',
    "array.json": '[{"child": "cat", "parent": "animal"}]',
    "nested.json": '{"pets": {"cat": "animal"}}',
    "numbers.json": "[1, 2, 3]",
    "string.json": '"cat"',
    "manchester.omn": "Prefix: : <http://x/>\nOntology: <http://x>\n",
    "latex.tex": "\\documentclass{article}\n\\begin{document}\n",
    "tool.sql": "INSERT INTO edges VALUES ('cat', 'animal');",
    "a.unl": "[S:1]\n{unl}\nagt(kill, Peter)\n{/unl}\n[/S]\n",
}
FLAG = re.compile(r"--[a-z-]+ [\w./-]+")


def hint_of(result):
    found = re.search(r"^  try:\s+(.*)", result.err, re.MULTILINE)
    return found[1] if found else None


def without_hint(result):
    return [line for line in result.err.splitlines() if not line.startswith("  try:")]


@pytest.mark.parametrize(("kind", "side"), [*((kind, "pred") for kind in GOLDS), ("taxonomy", "gold")])
def test_a_hint_leads_somewhere(kind, side, goldassay_command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gold.csv").write_text(GOLDS[kind])
    (tmp_path / "tree.csv").write_text("child,parent\ncat,animal\n")
    more = ["--hierarchy", "tree.csv"] if kind == "labels" else []
    astray = {}
    for name, text in SHAPES.items():
        (tmp_path / name).write_text(text)
        files = [name, "--gold", "gold.csv"] if side == "pred" else ["gold.csv", "--gold", name]
        asked = [kind, *files, *more, "-m", MEASURES[kind]]
        first = goldassay_command(*asked)
        hint = hint_of(first)
        if first.code != 2 or hint is None:
            continue
        # What another program is given is no flag of ours.
        for advice in re.split(r"[;,] (?:or |if )", hint) if "robot" not in hint else ():
            flags = " ".join(FLAG.findall(advice))
            if not flags:
                continue
            followed = goldassay_command(*asked, *shlex.split(flags))
            if followed.code == 2 and without_hint(followed) == without_hint(first):
                astray[name] = hint
            assert not flags.startswith("--input-format"), "the hint would change how the other side is read"
        if "rdf-xml" in hint and not text.startswith("<"):
            astray[name] = hint
    assert astray == {}


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("record.json", "set the format: --pred-format json-lines"),
        ("pretty.json", "write the record on one line"),
        (
            "a.yaml",
            "if a model wrote this, let it write 'A is a B', 'A -> B', an indented list, a Markdown table, JSON, Mermaid or DOT",
        ),
    ],
)
def test_a_hint_fits_what_was_found(name, hint, goldassay_command, tmp_path):
    (tmp_path / "gold.csv").write_text(GOLDS["taxonomy"])
    (tmp_path / name).write_text(SHAPES[name])
    result = goldassay_command("taxonomy", tmp_path / name, "--gold", tmp_path / "gold.csv", "-m", "literal")
    assert result.code == 2
    found = hint_of(result)
    assert found is None if hint is None else hint in (found or "")


def test_the_format_of_one_side_does_not_change_the_other(goldassay_command, tmp_path):
    (tmp_path / "gold.csv").write_text(GOLDS["taxonomy"])
    (tmp_path / "record.json").write_text(SHAPES["record.json"])
    files = (tmp_path / "record.json", "--gold", tmp_path / "gold.csv", "-m", "literal")
    assert goldassay_command("taxonomy", *files, "--input-format", "json-lines").code == 2
    result = goldassay_command("taxonomy", *files, "--pred-format", "json-lines")
    assert (result.code, "1.0000" in result.out) == (0, True)
    swapped = (tmp_path / "gold.csv", "--gold", tmp_path / "record.json", "-m", "literal")
    assert goldassay_command("taxonomy", *swapped, "--gold-format", "json-lines").code == 0
    assert goldassay_command("compare", files[2], files[0], "-m", "literal", "--pred-format", "json-lines").code == 0


HOSTILE = "a\x1b[31m\u2028\u202e\x9b\r\nb"


@pytest.mark.parametrize(
    "line",
    [
        [HOSTILE], ["taxonomy", f"--{HOSTILE}"], ["taxonomy", f"-{HOSTILE}"], ["taxonomy", f"--places={HOSTILE}"], ["taxonomy", f"--format={HOSTILE}"],
        ["plan", "x", HOSTILE], ["challenge", HOSTILE], ["challenge", "validate", f"--{HOSTILE}"], ["cache", HOSTILE], ["taxonomy", f"--quiet={HOSTILE}"], ["convert"],
    ],
)  # fmt: skip
def test_what_the_parser_refuses_is_printed_like_every_other_error(goldassay_command, line):
    result = goldassay_command(*line)
    assert (result.code, result.out) == (2, "")
    assert re.fullmatch(r"goldassay: .+\n(  (found|expected): .+\n)*  try:      goldassay.*\n", result.err)
    assert not HIDDEN.search(result.err)
